/*
 * model_curves.c - a chart and its table for each curve of a model, and IOPS over block sizes.
 */
#include <math.h>

#include "base/units.h"
#include "cli/model_parts.h"
#include "model/fitted.h"
#include "report/curve_figure.h"

enum { STEPS = 49 };
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

double
model_last_depth(const struct model_curve *c)
{
	double last = c->n_qd ? c->qd[c->n_qd - 1] : 1;
	/* a published pair is known at both ends: light, and at its wall */
	return c->n_qd <= 1 && c->wall_reached && !isnan(c->knee_qd) ? fmax(last, 2 * c->knee_qd)
								     : last;
}

static bool
any_known(const double *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++) {
		if (!isnan(v[i]))
			return true;
	}
	return false;
}

struct estimate
model_light(const struct model_part *b, const struct model_curve *c)
{
	struct estimate e;
	if (disk_latency_at_qd(
		    b->m, (enum profile_op)c->op, c->bs_b, 1, NULL, MODEL_MEAN, &e, NULL))
		e = (struct estimate){c->l1_us, c->l1_lo_us, c->l1_hi_us, c->trust, MODEL_CURVE};
	return e;
}

static double
p99_at(const struct model_part *b, const struct model_curve *c, double qd)
{
	struct estimate e;
	int rc = disk_latency_at_qd(
		b->m, (enum profile_op)c->op, c->bs_b, qd, NULL, MODEL_P99, &e, NULL);
	return rc ? (double)NAN : e.value;
}

double
model_sla_depth(const struct model_part *b, const struct model_curve *c, double last)
{
	double lo = 1, hi = last;
	if (isnan(b->sla_p99_ms) || !any_known(c->p99_us, c->n_p99_us))
		return (double)NAN;
	if (!(p99_at(b, c, 1) <= 1000 * b->sla_p99_ms))
		return 0;
	if (p99_at(b, c, last) <= 1000 * b->sla_p99_ms)
		return last;
	while (hi - lo > 1e-4 * lo) {
		double mid = sqrt(lo * hi);
		if (p99_at(b, c, mid) <= 1000 * b->sla_p99_ms)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* ---- the chart ---- */

bool
model_flat(const struct model_curve *c)
{
	static const double wall_growth = 0.1; /* below it the wall is seen */
	return !c->wall_reached && c->n_qd > 1 && c->growth < wall_growth;
}

/* Two depths of a size beside a sweep of depths: a line between two figures, which the tables hold. */
static bool
beside_a_sweep(const struct disk_model *m, const struct model_curve *c)
{
	for (size_t i = 0; i < m->n_curves && c->n_qd == 2; i++) {
		if (m->curves[i].op == c->op && m->curves[i].n_qd > 2)
			return true;
	}
	return false;
}

/* A curve that says something about load. */
static bool
drawable(const struct disk_model *m, const struct model_curve *c)
{
	return !isnan(c->l1_us) && c->form != MODEL_FORM_CONSTANT && model_last_depth(c) > 1 &&
	       !beside_a_sweep(m, c);
}

/* Depths evenly spaced in ln, from 1 to last. */
static double *
depths(struct doc *d, double last)
{
	double *qd = arena_array(d->arena, STEPS, sizeof(*qd));
	d->failed = d->failed || !qd;
	for (size_t i = 0; qd && i < STEPS; i++)
		qd[i] = pow(last, (double)i / (STEPS - 1));
	return qd;
}

static void
put_fitted(struct doc *d, const struct model_curve *c, struct curve_figure *f)
{
	/* one doubling beyond what was measured, on grey ground */
	double last = model_last_depth(c) * (c->n_qd > 1 && c->wall_reached ? 2 : 1);
	double *qd = depths(d, last), *ms[3];
	for (size_t k = 0; k < COUNT(ms); k++) {
		ms[k] = arena_array(d->arena, STEPS, sizeof(double));
		d->failed = d->failed || !ms[k];
	}
	if (d->failed)
		return;
	for (size_t i = 0; i < STEPS; i++) {
		struct estimate e = model_fitted(c, qd[i]);
		ms[0][i] = e.value / 1000;
		ms[1][i] = e.lo / 1000;
		ms[2][i] = e.hi / 1000;
	}
	f->line = (struct curve_line){"mean, fitted", STEPS, qd, ms[0]};
	f->band_name = "95 % band of a new run's mean";
	f->lo_ms = ms[1];
	f->hi_ms = ms[2];
}

static void
put_p99(const struct model_part *b, const struct model_curve *c, struct curve_figure *f)
{
	struct doc *d = b->d;
	if (!any_known(c->p99_us, c->n_p99_us) || c->n_qd < 2)
		return;
	double *qd = depths(d, c->qd[c->n_qd - 1]);
	double *ms = arena_array(d->arena, STEPS, sizeof(*ms));
	d->failed = d->failed || !ms;
	if (d->failed)
		return;
	for (size_t i = 0; i < STEPS; i++)
		ms[i] = p99_at(b, c, qd[i]) / 1000;
	f->dashed = (struct curve_line){"p99, through the runs", STEPS, qd, ms};
}

/* What the chart shows, in a sentence. */
static const char *
title(const struct model_part *b, const struct model_curve *c)
{
	struct doc *d = b->d;
	const char *name = model_curve_name(d, c);
	double last = model_last_depth(c), depth = model_sla_depth(b, c, last);
	if (depth >= last)
		return model_text(d, "%s: p99 stays within %g ms up to depth %g, the deepest known",
			name, b->sla_p99_ms, last);
	if (depth >= 1)
		return model_text(d, "%s: p99 passes %g ms at depth %s", name, b->sla_p99_ms,
			model_depth(d, depth));
	if (depth < 1)
		return model_text(d, "%s: p99 is over %g ms already with one outstanding", name,
			b->sla_p99_ms);
	if (c->wall_reached && isnan(c->knee_qd))
		return model_text(d, "%s: %s when light, %s IOPS when deep", name,
			model_us(d, model_light(b, c).value), model_about(d, c->x_inf_iops));
	if (c->wall_reached)
		return model_text(d,
			"%s: %s when light; from depth %s on %s IOPS and only more waiting", name,
			model_us(d, model_light(b, c).value), model_depth(d, c->knee_qd),
			model_about(d, c->x_inf_iops));
	if (model_flat(c))
		return model_text(d,
			"%s: %s when light; more outstanding brings no more than %s IOPS", name,
			model_us(d, model_light(b, c).value), model_about(d, c->x_inf_iops));
	return model_text(d, "%s: %s when light; still growing at depth %g, with %s IOPS", name,
		model_us(d, model_light(b, c).value), last, model_about(d, c->x_inf_iops));
}

static const char *
description(struct doc *d, const struct model_curve *c)
{
	double last = model_last_depth(c);
	return model_text(d,
		"Latency over outstanding I/O, both axes logarithmic. Fitted mean %s at depth 1 "
		"and "
		"%s at depth %g; form %s, typical residual %s; %zu measured depth%s; figures are "
		"%s.",
		model_us(d, model_fitted(c, 1).value), model_us(d, model_fitted(c, last).value),
		last, names_text(&model_form_names, c->form),
		isnan(c->residual_frac) ? "unknown"
					: model_text(d, "%.1f %%", 100 * c->residual_frac),
		c->n_qd, c->n_qd == 1 ? "" : "s", names_text(&trust_names, c->trust));
}

/* "+1.2 %", and "0.0 %" without a sign. */
static const char *
residual(struct doc *d, double ratio)
{
	double percent = 100 * (ratio - 1);
	return fabs(percent) < 0.05 ? "0.0 %" : model_text(d, "%+.1f %%", percent);
}

static double
item(const double *v, size_t n, size_t i)
{
	return v && i < n ? v[i] : (double)NAN;
}

static const char *
us_or_dash(struct doc *d, double us)
{
	return isnan(us) ? "-" : model_us(d, us);
}

static struct doc_table *
twin(struct doc *d, const struct model_curve *c)
{
	static const struct doc_column columns[] = {
		{"Depth", DOC_RIGHT},
		{"IOPS", DOC_RIGHT},
		{"Mean, measured", DOC_RIGHT},
		{"p50", DOC_RIGHT},
		{"p99", DOC_RIGHT},
		{"Mean, fitted", DOC_RIGHT},
		{"Residual", DOC_RIGHT},
		{"95 % band", DOC_RIGHT},
	};
	struct doc_table *t = doc_data_table(d,
		model_text(d, "%s: measured and fitted", model_curve_name(d, c)), columns,
		COUNT(columns));
	for (size_t i = 0; i < c->n_qd; i++) {
		struct estimate e = model_fitted(c, c->qd[i]);
		double mean = item(c->mean_us, c->n_mean_us, i);
		doc_row(d, t);
		doc_cell(d, t, 0, "%g", c->qd[i]);
		doc_cell(d, t, 1, "%s", model_count(d, round(item(c->iops, c->n_iops, i))));
		doc_cell(d, t, 2, "%s", us_or_dash(d, mean));
		doc_cell(d, t, 3, "%s", us_or_dash(d, item(c->p50_us, c->n_p50_us, i)));
		doc_cell(d, t, 4, "%s", us_or_dash(d, item(c->p99_us, c->n_p99_us, i)));
		doc_cell(d, t, 5, "%s", us_or_dash(d, e.value));
		if (isnan(mean))
			doc_cell(d, t, 6, "-");
		else
			doc_cell(d, t, 6, "%s", residual(d, mean / e.value));
		if (isnan(e.lo))
			doc_cell(d, t, 7, "unknown");
		else
			doc_cell(d, t, 7, "%s to %s", model_us(d, e.lo), model_us(d, e.hi));
	}
	return t;
}

/* Where the curve and the points part: the reader must know which to believe. */
static void
put_misfit(struct doc *d, const struct model_curve *c)
{
	size_t worst = 0;
	double most = 0;
	for (size_t i = 0; i < c->n_qd && i < c->n_mean_us; i++) {
		double off = fabs(log(c->mean_us[i] / model_fitted(c, c->qd[i]).value));
		if (off > most) {
			most = off;
			worst = i;
		}
	}
	if (most > log(1.15))
		doc_paragraph(d,
			"The curve misses the runs, most at depth %g: by %s. At measured depths "
			"and "
			"between them believe the points, as tierwise predict does; the curve is "
			"for "
			"what lies beyond.",
			c->qd[worst],
			residual(d, c->mean_us[worst] / model_fitted(c, c->qd[worst]).value));
}

/* Runs of one curve: a depth measured several times is several dots. */
struct runs {
	size_t n;
	double *qd, *mean_ms, *p99_ms;
};

static bool
is_run(const struct model_curve *c, const struct profile_cell *cell)
{
	bool curve = isnan(cell->mix_read_frac) && isnan(cell->asked_iops);
	if (cell->op != c->op || cell->bs_b != c->bs_b || isnan(cell->mean_us) || !curve)
		return false;
	for (size_t i = 0; i < c->n_qd; i++) {
		if (c->qd[i] == cell->qd)
			return true;
	}
	return false;
}

/* n is 0 where the points of the curve are all there is. */
static struct runs
runs_of(const struct model_part *b, const struct model_curve *c)
{
	struct runs r = {0};
	size_t n = 0;
	for (size_t i = 0; b->p && i < b->p->n_cells; i++)
		n += is_run(c, &b->p->cells[i]);
	if (n <= c->n_qd)
		return r;
	r.qd = arena_array(b->d->arena, n, sizeof(double));
	r.mean_ms = arena_array(b->d->arena, n, sizeof(double));
	r.p99_ms = arena_array(b->d->arena, n, sizeof(double));
	if (!r.qd || !r.mean_ms || !r.p99_ms) {
		b->d->failed = true;
		return r;
	}
	for (size_t i = 0; i < b->p->n_cells; i++) {
		const struct profile_cell *cell = &b->p->cells[i];
		if (!is_run(c, cell))
			continue;
		r.qd[r.n] = cell->qd;
		r.mean_ms[r.n] = cell->mean_us / 1000;
		r.p99_ms[r.n++] = cell->p99_us / 1000;
	}
	return r;
}

static void
put_runs(const struct model_part *b, const struct model_curve *c, struct curve_figure *f)
{
	const struct runs r = runs_of(b, c);
	if (r.n > 0) {
		f->points[0] = (struct curve_line){"mean of a run", r.n, r.qd, r.mean_ms};
		f->points[1] = (struct curve_line){"p99 of a run", r.n, r.qd, r.p99_ms};
		return;
	}
	f->points[0] = (struct curve_line){
		"mean measured", c->n_mean_us, c->qd, curve_ms(b->d, c->mean_us, c->n_mean_us)};
	f->points[1] = (struct curve_line){
		"p99 measured", c->n_p99_us, c->qd, curve_ms(b->d, c->p99_us, c->n_p99_us)};
}

static void
put_curve(const struct model_part *b, const struct model_curve *c)
{
	struct doc *d = b->d;
	struct curve_figure f = {
		.title = title(b, c),
		.description = description(d, c),
		.x_title = "Outstanding I/O",
		.y_title = "Latency (ms)",
		.sla_ms = b->sla_p99_ms,
		.knee_qd = c->wall_reached ? c->knee_qd : (double)NAN,
		.efficient_qd = c->efficient_qd,
	};
	put_runs(b, c, &f);
	put_fitted(d, c, &f);
	put_p99(b, c, &f);
	struct doc_figure *figure = curve_figure(d, &f);
	figure->data = twin(d, c);
	put_misfit(d, c);
}

void
model_put_curves(const struct model_part *b)
{
	size_t n = 0;
	for (size_t i = 0; i < b->m->n_curves; i++)
		n += drawable(b->m, &b->m->curves[i]);
	if (n == 0)
		return;
	doc_heading(b->d, b->level, "Latency against load");
	doc_paragraph(b->d,
		"The dots are what was measured, the line is the fitted curve with its 95 %% band; "
		"beyond the last measured depth the ground is grey. Left of the knee more "
		"outstanding I/O brings more IOPS, right of it only more waiting.");
	for (size_t i = 0; i < b->m->n_curves; i++) {
		if (drawable(b->m, &b->m->curves[i]))
			put_curve(b, &b->m->curves[i]);
	}
}

/* ---- block sizes ---- */

static struct doc_table *
size_twin(struct doc *d, const struct model_size *s)
{
	static const struct doc_column columns[] = {
		{"Block", DOC_RIGHT},
		{"IOPS", DOC_RIGHT},
		{"MiB/s", DOC_RIGHT},
		{"IOPS, fitted", DOC_RIGHT},
		{"Residual", DOC_RIGHT},
	};
	struct doc_table *t = doc_data_table(d,
		model_text(d, "%s at depth %g over block sizes",
			names_text(&profile_op_names, s->op), s->qd),
		columns, COUNT(columns));
	for (size_t i = 0; i < s->n_bs_b; i++) {
		double fitted = model_fitted_iops(s, s->bs_b[i]);
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", model_size_text(d, s->bs_b[i]));
		doc_cell(d, t, 1, "%s", model_count(d, s->iops[i]));
		doc_cell(d, t, 2, "%s", model_count(d, s->iops[i] * s->bs_b[i] / UNITS_MIB));
		doc_cell(d, t, 3, "%s", model_count(d, fitted));
		doc_cell(d, t, 4, "%s", residual(d, s->iops[i] / fitted));
	}
	return t;
}

static const char *
size_title(struct doc *d, const struct model_size *s)
{
	size_t last = s->n_bs_b - 1;
	const char *what = model_text(
		d, "%s at depth %g", names_text(&profile_op_names, s->op), s->qd);
	if (s->knee_b > s->bs_b[0] && s->knee_b < s->bs_b[last])
		return model_text(d, "%s: from about %s on the bandwidth limits, %s MiB/s at most",
			what, model_size_text(d, s->knee_b), model_about(d, s->b_mibps));
	return model_text(d, "%s: %s IOPS at %s, %s at %s", what, model_about(d, s->iops[0]),
		model_size_text(d, s->bs_b[0]), model_about(d, s->iops[last]),
		model_size_text(d, s->bs_b[last]));
}

static void
put_size(const struct model_part *b, const struct model_size *s)
{
	struct doc *d = b->d;
	double *kib = arena_array(d->arena, STEPS, sizeof(*kib));
	double *iops = arena_array(d->arena, STEPS, sizeof(*iops));
	double *seen = arena_array(d->arena, s->n_bs_b, sizeof(*seen));
	d->failed = d->failed || !kib || !iops || !seen;
	if (d->failed)
		return;
	double first = s->bs_b[0], last = s->bs_b[s->n_bs_b - 1];
	for (size_t i = 0; i < STEPS; i++) {
		double bs_b = first * pow(last / first, (double)i / (STEPS - 1));
		kib[i] = bs_b / UNITS_KIB;
		iops[i] = model_fitted_iops(s, bs_b);
	}
	for (size_t i = 0; i < s->n_bs_b; i++)
		seen[i] = s->bs_b[i] / UNITS_KIB;
	const struct curve_figure f = {
		.title = size_title(d, s),
		.description = model_text(d,
			"IOPS over block size, both axes logarithmic: %s IOPS at %s, %s at %s.",
			model_count(d, s->iops[0]), model_size_text(d, first),
			model_count(d, s->iops[s->n_iops - 1]), model_size_text(d, last)),
		.x_title = "Block size (KiB)",
		.y_title = "IOPS",
		.line = {"fitted", STEPS, kib, iops},
		.points = {{"measured", s->n_iops, seen, s->iops}},
		.sla_ms = (double)NAN,
		.knee_qd = (double)NAN,
		.efficient_qd = (double)NAN,
	};
	struct doc_figure *figure = curve_figure(d, &f);
	figure->data = size_twin(d, s);
}

void
model_put_sizes(const struct model_part *b)
{
	enum { LEAST = 3 }; /* two sizes are two numbers: those of the fit hold them */
	bool any = false;
	for (size_t i = 0; i < b->m->n_sizes; i++) {
		const struct model_size *s = &b->m->sizes[i];
		if (s->n_bs_b < LEAST || s->n_iops != s->n_bs_b)
			continue;
		if (!any)
			doc_heading(b->d, b->level, "Block sizes");
		any = true;
		put_size(b, s);
	}
}
