/*
 * plan_confidence.c - how sure the plan is: the probability that its promises hold, what the figures
 * behind it rest on, and what a measurement would be worth.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

enum { MAX_MEASUREMENTS = 5 };

const char *
plan_probability(struct doc *d, double p)
{
	if (isnan(p))
		return "unknown";
	if (p > 0.99)
		return "over 99 %"; /* tails beyond the model are never certain */
	return p < 0.01 ? "under 1 %" : plan_percent(d, p);
}

const char *
plan_probability_of_all(struct doc *d, const struct plan_confidence *c)
{
	if (!(c->predicted >= 1) || isnan(c->probability_hi))
		return "unknown";
	const char *most = plan_probability(d, c->probability_hi);
	if (c->probability_hi - c->probability_lo <= 0)
		return most;
	const char *text = arena_printf(d->arena,
		c->probability_hi > 0.99 ? "not known: %s of what is predicted" : "at most %s",
		most);
	d->failed = d->failed || !text;
	return text ? text : most;
}

static void
put_probability(const struct plan *p, struct doc *d)
{
	const struct plan_confidence *c = p->confidence;
	const char *all = plan_probability(d, c->probability_hi);
	if (c->predicted < c->promises)
		doc_paragraph(d,
			"Of %s promises %s can be predicted, and these hold together with a "
			"probability of %s. The others count neither as kept nor as broken: the "
			"probability that every promise holds lies between 0 and that.",
			plan_count(d, c->promises), plan_count(d, c->predicted),
			c->predicted < 1 ? "nothing known" : all);
	else
		doc_paragraph(d, "All %s promises hold together with a probability of %s.",
			plan_count(d, c->promises), all);
	doc_paragraph(d,
		"Confidence is %s (%s).%s%s%s It comes from how far the latencies may be off: what "
		"rests on one disk is off together, disks are independent of one another. A "
		"published latency counts as known within a factor of 1.40, an assumed one within "
		"1.77, in 95 of 100 cases; demand, caps and prices count as they are.",
		plan_or_unknown(c->word), plan_or_unknown(c->word_rule),
		c->weakest ? " The weakest figure behind it is the " : "",
		c->weakest ? c->weakest : "", c->weakest ? "." : "");
}

static void
put_pedigree(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {{"Figures", DOC_LEFT}, {"measured", DOC_RIGHT},
		{"imported", DOC_RIGHT}, {"published", DOC_RIGHT}, {"derived", DOC_RIGHT},
		{"assumed", DOC_RIGHT}, {"unknown", DOC_RIGHT}};
	const struct plan_confidence *c = p->confidence;
	struct doc_table *t = doc_table(
		d, "What the decision rests on", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < c->n_rests_on; i++) {
		const struct plan_pedigree *r = &c->rests_on[i];
		const double counts[] = {
			r->measured, r->imported, r->published, r->derived, r->assumed, r->unknown};
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(r->what));
		for (size_t k = 0; k < DOC_COUNT(counts); k++)
			doc_cell(d, t, k + 1, "%s", plan_count(d, counts[k]));
	}
}

static void
put_measurements(const struct plan *p, struct doc *d)
{
	const struct doc_column columns[] = {
		{"Measure", DOC_LEFT},
		{"Latency is", DOC_LEFT},
		{"For", DOC_LEFT},
		{"Changes the decision", DOC_RIGHT},
		{"Too slow here", DOC_RIGHT},
		{"Expected saving a month", DOC_RIGHT},
		{"All hold now", DOC_RIGHT},
		{"When fast enough", DOC_RIGHT},
	};
	const char *texts[MAX_MEASUREMENTS];
	if (p->n_measurements == 0)
		return;
	struct doc_table *t = doc_table(
		d, "What a measurement would be worth", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < p->n_measurements && i < MAX_MEASUREMENTS; i++) {
		const struct plan_measurement *m = &p->measurements[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(m->tier));
		doc_cell(d, t, 1, "%s", plan_or_unknown(m->trust));
		doc_cell(d, t, 2, "%s", plan_or_unknown(m->volumes));
		doc_cell(d, t, 3, "%s", plan_percent(d, m->change_frac));
		doc_cell(d, t, 4, "%s",
			isnan(m->too_slow_frac) ? "-" : plan_percent(d, m->too_slow_frac));
		doc_cell(d, t, 5, "%s",
			isnan(m->expected_saving) ? "-" : plan_money(d, p, m->expected_saving));
		doc_cell(d, t, 6, "%s", plan_probability(d, m->probability_now));
		doc_cell(d, t, 7, "%s", plan_probability(d, m->probability_after));
		texts[i] = m->text ? m->text : "";
	}
	doc_list(d, texts,
		p->n_measurements < MAX_MEASUREMENTS ? p->n_measurements : MAX_MEASUREMENTS);
	if (p->n_measurements > MAX_MEASUREMENTS)
		doc_paragraph(d, "And %zu more in the plan's JSON.",
			p->n_measurements - MAX_MEASUREMENTS);
}

/* ---- each promise as a dot and an interval beside its limit ---- */

enum { MAX_ROWS = 8 };

struct margins {
	const struct plan_sla *of[MAX_ROWS];
	size_t n;
};

/* Those that latencies decide and that have a figure. */
static struct margins
margins_of(const struct plan *p)
{
	struct margins m = {.n = 0};
	for (size_t i = 0; i < p->n_sla && m.n < MAX_ROWS; i++) {
		const struct plan_sla *s = &p->sla[i];
		if (s->on_latency == 1 && s->predicted > 0 && s->limit > 0 &&
			!isnan(s->probability))
			m.of[m.n++] = s;
	}
	return m;
}

/* Percent of what is promised: above 100 it is broken, a rate the other way about. */
static double
share(const struct plan_sla *s, double value)
{
	bool at_least = (s->predicted - s->limit) * s->margin_frac > 0;
	return 100 * (at_least ? s->limit / value : value / s->limit);
}

static struct doc_table *
margin_table(const struct plan *p, struct doc *d, const struct margins *m)
{
	static const struct doc_column columns[] = {{"Promise", DOC_LEFT}, {"Limit", DOC_RIGHT},
		{"Predicted", DOC_RIGHT}, {"95 % interval", DOC_RIGHT}, {"Of the limit", DOC_RIGHT},
		{"Probability", DOC_RIGHT}};
	struct doc_table *t = doc_data_table(
		d, "Promises beside their limits", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < m->n; i++) {
		const struct plan_sla *s = m->of[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(s->what));
		doc_cell(d, t, 1, "%s", plan_limit(d, p, s));
		doc_cell(d, t, 2, "%s", plan_predicted(d, p, s));
		doc_cell(d, t, 3, "%s", plan_interval(d, s->lo, s->hi, s->unit));
		doc_cell(d, t, 4, "%s", plan_percent(d, share(s, s->predicted) / 100));
		doc_cell(d, t, 5, "%s", plan_probability(d, s->probability));
	}
	return t;
}

static const char *
margin_title(struct doc *d, const struct margins *m)
{
	const struct plan_sla *least = m->of[0];
	for (size_t i = 1; i < m->n; i++) {
		if (m->of[i]->probability < least->probability)
			least = m->of[i];
	}
	const char *title = arena_printf(d->arena,
		"Least sure of these is %s: it holds with a probability of %s",
		plan_or_unknown(least->what), plan_probability(d, least->probability));
	d->failed = d->failed || !title;
	return title ? title : "";
}

static void
put_margins(const struct plan *p, struct doc *d)
{
	static const double limit = 100;
	struct margins m = margins_of(p);
	double *x = arena_array(d->arena, MAX_ROWS, sizeof(*x));
	double *at = arena_array(d->arena, MAX_ROWS, sizeof(*at));
	double *lo = arena_array(d->arena, MAX_ROWS, sizeof(*lo));
	double *hi = arena_array(d->arena, MAX_ROWS, sizeof(*hi));
	const char **labels = arena_array(d->arena, MAX_ROWS, sizeof(*labels));
	d->failed = d->failed || !x || !at || !lo || !hi || !labels;
	if (m.n == 0 || d->failed)
		return;
	for (size_t i = 0; i < m.n; i++) {
		const struct plan_sla *s = m.of[i];
		double ends[] = {share(s, s->lo), share(s, s->hi)};
		x[i] = (double)i + 1;
		at[i] = share(s, s->predicted);
		lo[i] = ends[ends[1] < ends[0]];
		hi[i] = ends[!(ends[1] < ends[0])];
		labels[i] = arena_printf(d->arena, "%s, %s", plan_or_unknown(s->what),
			plan_probability(d, s->probability));
		d->failed = d->failed || !labels[i];
	}
	struct doc_figure *f = doc_figure(d, DOC_CHART_MARGIN, margin_title(d, &m));
	f->labels = labels;
	f->n_labels = m.n;
	f->x_title = "promise and probability";
	f->y_title = "predicted, of what is promised (%)";
	const char *text = arena_printf(d->arena,
		"%zu promises that latencies decide, each as a share of its limit with its 95 %% "
		"interval; right of 100 %% it is broken.",
		m.n);
	f->description = text ? text : "";
	struct doc_series *interval = doc_series(d, f, "95 % interval", DOC_MARK_BAND, m.n);
	interval->x = x;
	interval->y = lo;
	interval->y2 = hi;
	struct doc_series *dots = doc_series(d, f, "predicted", DOC_MARK_POINTS, m.n);
	dots->x = x;
	dots->y = at;
	struct doc_series *line = doc_series(d, f, "promised", DOC_MARK_HLINE, 1);
	line->y = &limit;
	f->data = margin_table(p, d, &m);
}

void
plan_first_measurement(const struct plan *p, struct doc *d)
{
	const struct plan_measurement *m = p->measurements;
	bool said = p->n_measurements && p->n_changes && m->text && m->command &&
		    strcmp(p->changes[0], m->text) == 0;
	if (said)
		doc_paragraph(d, "First measurement: %s", m->command);
}

void
plan_confidence(const struct plan *p, struct doc *d)
{
	if (!p->confidence && p->n_measurements == 0)
		return;
	doc_heading(d, 2, "Confidence");
	if (p->confidence) {
		put_probability(p, d);
		put_margins(p, d);
		put_pedigree(p, d);
	}
	put_measurements(p, d);
}
