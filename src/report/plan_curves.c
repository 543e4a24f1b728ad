/*
 * plan_curves.c - how the chosen disks answer under load: a chart and a table a curve.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "profile/profile.h"
#include "report/curve_figure.h"
#include "report/plan_text.h"

/* A plan's microseconds as milliseconds; NULL when there are fewer than n of them. */
static const double *
to_ms(struct doc *d, const double *us, size_t n_us, size_t n)
{
	return n_us < n ? NULL : curve_ms(d, us, n);
}

static bool
any_known(const double *values, size_t n)
{
	for (size_t i = 0; values && i < n; i++) {
		if (!isnan(values[i]))
			return true;
	}
	return false;
}

__attribute__((format(printf, 2, 3))) static const char *
label(struct doc *d, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *kept = arena_strdup(d->arena, text);
	d->failed = d->failed || !kept;
	return kept ? kept : "";
}

struct series_ms {
	const double *mean, *p99, *lo, *hi, *runs;
};

/* The value measured at a depth, NaN when none was. */
static double
run_at(const struct plan_curve *c, const double *runs, double qd)
{
	for (size_t i = 0; runs && i < c->n_run_qd; i++) {
		if (fabs(c->run_qd[i] - qd) < 1e-9 * qd)
			return runs[i];
	}
	return (double)NAN;
}

static void
put_table_row(struct doc *d, struct doc_table *t, const struct plan_curve *c,
	const struct series_ms *m, size_t i)
{
	const double nan = (double)NAN;
	double run = run_at(c, m->runs, c->qd[i]);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", plan_count(d, c->qd[i]));
	doc_cell(d, t, 1, "%s", plan_ms(d, m->mean ? m->mean[i] : nan));
	if (m->lo && m->hi && !isnan(m->lo[i]) && !isnan(m->hi[i]))
		doc_cell(d, t, 2, "%s to %s", plan_ms(d, m->lo[i]), plan_ms(d, m->hi[i]));
	else
		doc_cell(d, t, 2, "unknown");
	doc_cell(d, t, 3, "%s", plan_ms(d, m->p99 ? m->p99[i] : nan));
	doc_cell(d, t, 4, "%s", isnan(run) ? "-" : plan_ms(d, run));
}

static struct doc_table *
data_table(struct doc *d, const struct plan_curve *c, const struct series_ms *m)
{
	static const struct doc_column columns[] = {
		{"Outstanding I/O", DOC_RIGHT},
		{"Mean, fitted (ms)", DOC_RIGHT},
		{"95 % interval (ms)", DOC_RIGHT},
		{"p99 (ms)", DOC_RIGHT},
		{"Mean of a run (ms)", DOC_RIGHT},
	};
	size_t n = DOC_COUNT(columns) - (c->n_run_qd == 0); /* no run, no column of runs */
	struct doc_table *t = doc_data_table(
		d, label(d, "Latency against load: %s", plan_or_unknown(c->title)), columns, n);
	/* A fine curve is for the eye; the table keeps the whole depths. */
	for (size_t i = 0; i < c->n_qd; i++) {
		bool whole = fabs(c->qd[i] - round(c->qd[i])) < 1e-9;
		if (c->n_qd <= 24 || whole)
			put_table_row(d, t, c, m, i);
	}
	return t;
}

/* The first depth shown at which the curve is over the promise; n_qd: none. */
static size_t
first_over(const struct plan_curve *c, const double *ms)
{
	for (size_t i = 0; ms && i < c->n_qd; i++) {
		if (ms[i] > c->sla_ms)
			return i;
	}
	return c->n_qd;
}

static const char *
finding(struct doc *d, const struct plan_curve *c, const struct series_ms *m)
{
	const double *judged = any_known(m->p99, c->n_qd) ? m->p99 : m->mean;
	const char *what = judged == m->p99 ? "p99" : "mean", *title = plan_or_unknown(c->title);
	const char *sla = plan_exact(d, c->sla_ms, "ms");
	if (!plan_known(c->sla_ms) || !judged)
		return label(d, "%s: mean %s ms with one outstanding I/O", title,
			plan_ms(d, m->mean ? m->mean[0] : (double)NAN));
	size_t over = first_over(c, judged);
	if (over == c->n_qd)
		return label(d, "%s: %s stays under %s at every depth shown", title, what, sla);
	if (over == 0)
		return label(d, "%s: %s is over %s already with %s outstanding I/O", title, what,
			sla, plan_exact(d, c->qd[0], NULL));
	return label(d, "%s: %s passes %s between %s and %s outstanding I/O", title, what, sla,
		plan_exact(d, c->qd[over - 1], NULL), plan_exact(d, c->qd[over], NULL));
}

static const char *
description(struct doc *d, const struct plan_curve *c, const struct series_ms *m)
{
	char size[32];
	units_size_text(c->bs_b, size);
	size_t last = c->n_qd - 1;
	return label(d, "%s of %s: mean %s ms at depth %s, %s ms at depth %s; %s; latency is %s.",
		names_text(&profile_op_names, c->op), size,
		plan_ms(d, m->mean ? m->mean[0] : (double)NAN), plan_count(d, c->qd[0]),
		plan_ms(d, m->mean ? m->mean[last] : (double)NAN), plan_count(d, c->qd[last]),
		c->n_run_qd ? label(d, "%zu measured points", c->n_run_qd)
			    : "the curve alone, no measured points",
		plan_or_unknown(c->trust));
}

static void
put_curve(struct doc *d, const struct plan_curve *c)
{
	if (c->n_qd == 0)
		return;
	const struct series_ms m = {
		.mean = to_ms(d, c->mean_us, c->n_mean, c->n_qd),
		.p99 = to_ms(d, c->p99_us, c->n_p99, c->n_qd),
		.lo = to_ms(d, c->lo_us, c->n_lo, c->n_qd),
		.hi = to_ms(d, c->hi_us, c->n_hi, c->n_qd),
		.runs = to_ms(d, c->run_us, c->n_run_us, c->n_run_qd),
	};
	const struct curve_figure figure = {
		.title = finding(d, c, &m),
		.description = description(d, c, &m),
		.x_title = "Outstanding I/O",
		.y_title = "Latency (ms)",
		.line = {"mean, fitted", c->n_qd, c->qd, m.mean},
		.band_name = "95 % interval of the mean",
		.lo_ms = m.lo,
		.hi_ms = m.hi,
		.dashed = {"p99", c->n_qd, c->qd, m.p99},
		.points = {{"mean of a run", c->n_run_qd, c->run_qd, m.runs}},
		.sla_ms = c->sla_ms,
		.knee_qd = round(c->knee_qd * 10) / 10,
		.efficient_qd = (double)NAN,
	};
	struct doc_figure *f = curve_figure(d, &figure);
	f->data = data_table(d, c, &m);
	doc_paragraph(d, "Volume %s. Latency is %s%s%s.", plan_or_unknown(c->volume),
		plan_or_unknown(c->trust), c->source ? ": " : "", c->source ? c->source : "");
}

void
plan_curves(const struct plan *p, struct doc *d)
{
	doc_heading(d, 2, "Latency against load");
	if (p->n_curves == 0) {
		doc_callout(d, DOC_UNKNOWN,
			"No curve of a chosen disk is known: measure one with tierwise bench.");
		return;
	}
	for (size_t i = 0; i < p->n_curves; i++)
		put_curve(d, &p->curves[i]);
}
