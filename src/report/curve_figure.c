#include "report/curve_figure.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

const double *
curve_ms(struct doc *d, const double *us, size_t n)
{
	if (!us || n == 0)
		return NULL;
	double *ms = arena_array(d->arena, n, sizeof(*ms));
	d->failed = d->failed || !ms;
	for (size_t i = 0; ms && i < n; i++)
		ms[i] = us[i] / 1000;
	return ms;
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

static void
put_line(struct doc *d, struct doc_figure *f, const struct curve_line *l, enum doc_mark mark,
	bool dashed)
{
	if (!l->qd || !any_known(l->ms, l->n))
		return;
	struct doc_series *s = doc_series(d, f, l->name, mark, l->n);
	s->x = l->qd;
	s->y = l->ms;
	s->dashed = dashed;
}

static void
put_band(struct doc *d, struct doc_figure *f, const struct curve_figure *c)
{
	if (!c->line.qd || !any_known(c->lo_ms, c->line.n) || !any_known(c->hi_ms, c->line.n))
		return;
	struct doc_series *s = doc_series(d, f, c->band_name, DOC_MARK_BAND, c->line.n);
	s->x = c->line.qd;
	s->y = c->lo_ms;
	s->y2 = c->hi_ms;
}

/* A line across at one value: "SLA 2 ms", "knee at depth 42". */
static void
put_mark(struct doc *d, struct doc_figure *f, enum doc_mark mark, const char *what, double value)
{
	if (!(value > 0))
		return;
	char text[64], number[32];
	/* a promise as it was given; a depth as far as it can be told */
	bool promise = mark == DOC_MARK_HLINE;
	if (value >= 1000)
		units_count_text(value, number);
	else
		snprintf(number, sizeof(number),
			promise      ? "%.4g"
			: value < 10 ? "%.2g"
				     : "%.0f",
			value);
	snprintf(text, sizeof(text), "%s %s%s", what, number, promise ? " ms" : "");
	double *at = arena_alloc(d->arena, sizeof(*at));
	d->failed = d->failed || !at;
	if (!at)
		return;
	*at = value;
	struct doc_series *s = doc_series(d, f, text, mark, 1);
	if (mark == DOC_MARK_HLINE)
		s->y = at;
	else
		s->x = at;
}

struct doc_figure *
curve_figure(struct doc *d, const struct curve_figure *c)
{
	struct doc_figure *f = doc_figure(d, DOC_CHART_LATENCY, c->title);
	f->description = c->description;
	f->x_title = c->x_title;
	f->y_title = c->y_title;
	put_band(d, f, c);
	put_line(d, f, &c->line, DOC_MARK_LINE, false);
	put_line(d, f, &c->dashed, DOC_MARK_LINE, true);
	for (size_t i = 0; i < sizeof(c->points) / sizeof(c->points[0]); i++)
		put_line(d, f, &c->points[i], DOC_MARK_POINTS, false);
	put_mark(d, f, DOC_MARK_HLINE, "SLA", c->sla_ms);
	put_mark(d, f, DOC_MARK_VLINE, "knee at depth", c->knee_qd);
	put_mark(d, f, DOC_MARK_VLINE, "1.5 x light latency at depth", c->efficient_qd);
	return f;
}
