/*
 * plan_front.c - cost against p99: what a faster plan costs, as a chart and a table.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

enum { SHOWN = 12, MOST = 64 };

static const double noise = 0.01; /* a step that gains less of the p99 is none */

/* Which plans are shown: the ends, this one, and those that gain most over the one before. */
struct shown {
	const struct plan_front_point *at[SHOWN];
	size_t n;
	size_t gain_little; /* left out as noise */
};

/* Each faster than the one before by more than noise; the first and this plan whatever they gain. */
static size_t
steps(const struct plan_front *f, const struct plan_front_point *out[MOST])
{
	size_t n = 0;
	for (size_t i = 0; i < f->n_points && i < MOST; i++) {
		const struct plan_front_point *k = &f->points[i];
		if (n == 0 || k->chosen == 1 || k->p99_ms <= (1 - noise) * out[n - 1]->p99_ms)
			out[n++] = k;
	}
	return n;
}

static double
worth(const struct plan_front_point *const *at, size_t n, size_t i)
{
	bool must = i == 0 || i + 1 == n || at[i]->chosen == 1;
	return must ? (double)INFINITY : log(at[i - 1]->p99_ms / at[i]->p99_ms);
}

static struct shown
pick(const struct plan_front *f)
{
	struct shown s = {.n = 0};
	const struct plan_front_point *at[MOST];
	bool taken[MOST] = {false};
	size_t n = steps(f, at);
	s.gain_little = (f->n_points < MOST ? f->n_points : MOST) - n;
	for (size_t k = 0; k < n && k < SHOWN; k++) {
		size_t best = n;
		for (size_t i = 0; i < n; i++) {
			if (!taken[i] && (best == n || worth(at, n, i) > worth(at, n, best)))
				best = i;
		}
		taken[best] = true;
	}
	for (size_t i = 0; i < n; i++) {
		if (taken[i])
			s.at[s.n++] = at[i];
	}
	return s;
}

enum { COST, PACE, VERDICT, STEP, WHAT, N_COLUMNS };

static void
put_row(const struct plan *p, struct doc *d, struct doc_table *t, const struct shown *s, size_t i)
{
	const struct plan_front_point *at = s->at[i], *before = i ? s->at[i - 1] : NULL;
	doc_row(d, t);
	doc_cell(d, t, COST, "%s", plan_amount(d, at->monthly));
	doc_cell(d, t, PACE, "%s", plan_ms(d, at->p99_ms));
	doc_cell(d, t, VERDICT, "%s", names_text(&plan_verdict_names, at->verdict));
	if (before)
		doc_cell(d, t, STEP, "%s more, %s ms less",
			plan_money(d, p, at->monthly - before->monthly),
			plan_ms(d, before->p99_ms - at->p99_ms));
	else
		doc_cell(d, t, STEP, "-");
	bool same = before && at->breaks && before->breaks &&
		    strcmp(at->breaks, before->breaks) == 0;
	doc_cell(d, t, WHAT, "%s%s%s%s", at->chosen == 1 ? "this plan: " : "",
		plan_or_unknown(at->text),
		!at->breaks                   ? ""
		: at->verdict == PLAN_UNKNOWN ? "; not known: "
					      : "; it does not keep: ",
		same         ? "as above"
		: at->breaks ? at->breaks
			     : "");
}

static struct doc_table *
data_table(const struct plan *p, struct doc *d, const struct shown *s)
{
	const char *cost = arena_printf(
		d->arena, "%s a month", p->currency ? p->currency : "money");
	const char *pace = arena_printf(d->arena, "%s (ms)", p->front->what);
	const struct doc_column columns[N_COLUMNS] = {
		[COST] = {cost ? cost : "", DOC_RIGHT},
		[PACE] = {pace ? pace : "", DOC_RIGHT},
		[VERDICT] = {"Meets every constraint", DOC_LEFT},
		[STEP] = {"Against the row above", DOC_LEFT},
		[WHAT] = {"What it is", DOC_LEFT},
	};
	struct doc_table *t = doc_data_table(
		d, "Plans that no other beats in cost and latency", columns, N_COLUMNS);
	for (size_t i = 0; i < s->n; i++)
		put_row(p, d, t, s, i);
	return t;
}

/* Corners between two plans: a plan of that p99 costs as much as the next one. */
static void
put_steps(struct doc *d, struct doc_figure *f, const struct shown *s)
{
	size_t n = 2 * s->n - 1;
	double *x = arena_array(d->arena, n, sizeof(*x)), *y = arena_array(d->arena, n, sizeof(*y));
	d->failed = d->failed || !x || !y;
	if (d->failed)
		return;
	for (size_t i = 0; i < n; i++) {
		x[i] = s->at[(i + 1) / 2]->monthly;
		y[i] = s->at[i / 2]->p99_ms;
	}
	struct doc_series *line = doc_series(d, f, "no plan lies below", DOC_MARK_LINE, n);
	line->x = x;
	line->y = y;
}

static void
put_points(struct doc *d, struct doc_figure *f, const struct shown *s, int verdict)
{
	static const char *const names[] = {
		[PLAN_PASS] = "meets every constraint",
		[PLAN_FAIL] = "breaks a promise",
		[PLAN_UNKNOWN] = "a promise is not known",
	};
	double *x = arena_array(d->arena, SHOWN, sizeof(*x));
	double *y = arena_array(d->arena, SHOWN, sizeof(*y));
	size_t n = 0;
	d->failed = d->failed || !x || !y;
	for (size_t i = 0; i < s->n && !d->failed; i++) {
		if (s->at[i]->verdict != verdict)
			continue;
		x[n] = s->at[i]->monthly;
		y[n++] = s->at[i]->p99_ms;
	}
	if (n == 0)
		return;
	struct doc_series *points = doc_series(d, f, names[verdict], DOC_MARK_POINTS, n);
	points->x = x;
	points->y = y;
}

static void
put_figure(const struct plan *p, struct doc *d, const struct shown *s)
{
	const struct plan_front *front = p->front;
	const struct plan_front_point *first = s->at[0], *last = s->at[s->n - 1];
	const char *title = arena_printf(d->arena,
		s->n == 1 ? "One plan is both cheapest and fastest: %s a month, %s %s ms"
			  : "From %s a month with a %s of %s ms to %s with %s ms",
		plan_money(d, p, first->monthly), front->what, plan_ms(d, first->p99_ms),
		plan_money(d, p, last->monthly), plan_ms(d, last->p99_ms));
	struct doc_figure *f = doc_figure(d, DOC_CHART_FRONT, title ? title : "");
	const char *money = arena_printf(
		d->arena, "%s a month", p->currency ? p->currency : "money");
	const char *pace = arena_printf(d->arena, "%s (ms)", front->what);
	f->x_title = money ? money : "";
	f->y_title = pace ? pace : "";
	const char *text = arena_printf(d->arena,
		"%zu plans from %s to %s a month; this plan: %s at %s ms.", s->n,
		plan_money(d, p, first->monthly), plan_money(d, p, last->monthly),
		plan_money(d, p, front->plan_monthly), plan_ms(d, front->plan_p99_ms));
	f->description = text ? text : "";
	if (plan_known(front->plan_monthly) && plan_known(front->plan_p99_ms)) {
		struct doc_series *own = doc_series(d, f, "this plan", DOC_MARK_POINTS, 1);
		own->x = &front->plan_monthly;
		own->y = &front->plan_p99_ms;
	}
	put_points(d, f, s, PLAN_PASS);
	put_points(d, f, s, PLAN_FAIL);
	put_points(d, f, s, PLAN_UNKNOWN);
	put_steps(d, f, s);
	if (plan_known(front->limit_ms)) {
		const char *limit = arena_printf(
			d->arena, "promised: %s", plan_exact(d, front->limit_ms, "ms"));
		struct doc_series *line = doc_series(d, f, limit ? limit : "", DOC_MARK_HLINE, 1);
		line->y = &front->limit_ms;
	}
	f->data = data_table(p, d, s);
}

void
plan_front(const struct plan *p, struct doc *d)
{
	const struct plan_front *f = p->front;
	if (!f)
		return;
	doc_heading(d, 2, "Cost against latency");
	if (f->n_points == 0) {
		doc_callout(
			d, DOC_UNKNOWN, "Not known: %s.", f->note ? f->note : "no plan is known");
		return;
	}
	struct shown s = pick(f);
	if (s.n == 0)
		return;
	doc_paragraph(d,
		"What a faster plan costs: no other plan that can be built is both cheaper and "
		"faster in %s. Which promises each keeps is said beside it; %s.",
		f->what, f->note ? f->note : "the last is the fastest");
	put_figure(p, d, &s);
	size_t small = f->n_points - s.n - s.gain_little;
	if (small)
		doc_paragraph(d,
			"Shown are the ends and the largest steps; %zu more plans are in JSON.",
			small);
	if (s.gain_little)
		doc_paragraph(d,
			"%zu more %s less than %.0f %% of the p99 against the one before, which is "
			"noise: %s in JSON.",
			s.gain_little, s.gain_little == 1 ? "plan gains" : "plans gain",
			100 * noise, s.gain_little == 1 ? "it is" : "they are");
}
