/* Series from counters and rates that a Prometheus-compatible store gave. */
#include <math.h>
#include <string.h>

#include "workload/prom_metric.h"

enum { GAP_TENTHS = 15 }; /* a step of more than 1.5 usual ones is a gap */

static double
cell(const struct evidence_grid *g, size_t row, int column)
{
	return g->value[row * g->n_columns + (size_t)column];
}

static double
per(double amount, double n)
{
	return n > 0 ? amount / n : (double)NAN;
}

/* Figures a second into a sample. */
static void
fill(struct evidence_sample *s, const double rate[PROM_COLUMNS])
{
	s->read_iops = rate[PROM_READS];
	s->write_iops = rate[PROM_WRITES];
	s->discard_iops = rate[PROM_DISCARDS];
	s->flush_iops = rate[PROM_FLUSHES];
	s->read_bytes_s = rate[PROM_READ_BYTES];
	s->write_bytes_s = rate[PROM_WRITE_BYTES];
	s->read_us = per(rate[PROM_READ_S], rate[PROM_READS]) * 1e6;
	s->write_us = per(rate[PROM_WRITE_S], rate[PROM_WRITES]) * 1e6;
	s->flush_us = per(rate[PROM_FLUSH_S], rate[PROM_FLUSHES]) * 1e6;
	if (isfinite(rate[PROM_READ_MEAN_S]))
		s->read_us = rate[PROM_READ_MEAN_S] * 1e6;
	if (isfinite(rate[PROM_WRITE_MEAN_S]))
		s->write_us = rate[PROM_WRITE_MEAN_S] * 1e6;
	if (isfinite(rate[PROM_FLUSH_MEAN_S]))
		s->flush_us = rate[PROM_FLUSH_MEAN_S] * 1e6;
	s->queue = rate[PROM_QUEUE_S];
	s->active_frac = isfinite(rate[PROM_BUSY_S]) ? fmin(rate[PROM_BUSY_S], 1) : (double)NAN;
}

/* The last row before `row` in which the column was known, -1 when none. */
static void
note_known(const struct evidence_grid *g, size_t row, long last[PROM_COLUMNS])
{
	for (int c = 0; c < PROM_COUNTERS; c++) {
		if (isfinite(cell(g, row, c)))
			last[c] = (long)row;
	}
}

/* Rates between two rows; false when a counter fell: the machine or the exporter began anew. */
static bool
difference(const struct evidence_grid *g, size_t row, const long last[PROM_COLUMNS],
	double rate[PROM_COLUMNS])
{
	double dt = g->at_s[row] - g->at_s[row - 1];
	bool fell = false;
	for (int c = 0; c < PROM_COLUMNS; c++)
		rate[c] = NAN;
	for (int c = 0; c < PROM_COUNTERS; c++) {
		double now = cell(g, row, c), before = cell(g, row - 1, c);
		rate[c] = (now - before) / dt;
		if (last[c] >= 0 && now < cell(g, (size_t)last[c], c))
			fell = true;
	}
	return !fell;
}

static struct evidence_series *
new_series(struct evidence *e, const struct evidence_grid *g)
{
	struct evidence_series *s = evidence_add_series(e);
	if (!s)
		return NULL;
	s->host = g->first->host;
	s->device = g->first->device;
	s->source = "prometheus";
	s->file = g->first->file;
	s->scope = g->first->scope;
	return s;
}

static const char *
shown(const char *text, const char *otherwise)
{
	return text ? text : otherwise;
}

static void
say_counters(struct evidence *e, const struct evidence_series *s, size_t resets, size_t gaps)
{
	if (resets)
		findings_add(&e->findings, SEVERITY_NOTE, "counter-reset", NULL,
			"%s: %s %s: %zu intervals in which a counter fell (a restart) are left out",
			s->file, shown(s->host, ""), shown(s->device, "?"), resets);
	if (gaps)
		findings_add(&e->findings, SEVERITY_NOTE, "scrape-gap", NULL,
			"%s: %s %s: %zu intervals are longer than 1.5 times the usual %.4g s "
			"(missed "
			"scrapes): each is one mean over its whole length",
			s->file, shown(s->host, ""), shown(s->device, "?"), gaps, s->resolution_s);
}

static int
one_look(struct evidence *e, const struct evidence_grid *g)
{
	findings_add(&e->findings, SEVERITY_WARNING, "one-look",
		"ask for a range of time: /api/v1/query_range, or NAME{...}[2m] at /api/v1/query; "
		"two "
		"scrapes of an exporter need their times",
		"%s: %s: counters seen at one moment only: no rate can be had from them",
		g->first->file, shown(g->first->device, "?"));
	return 0;
}

static int
from_counters(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	if (g->n < 2)
		return one_look(e, g);
	struct evidence_series *s = new_series(e, g);
	if (!s)
		return err_nomem(err);
	s->resolution_s = evidence_spacing_s(g->at_s, g->n);
	long last[PROM_COLUMNS];
	for (int c = 0; c < PROM_COLUMNS; c++)
		last[c] = -1;
	size_t resets = 0, gaps = 0;
	note_known(g, 0, last);
	for (size_t row = 1; row < g->n; row++) {
		double rate[PROM_COLUMNS], dt = g->at_s[row] - g->at_s[row - 1];
		bool good = difference(g, row, last, rate);
		note_known(g, row, last);
		gaps += dt * 10 > s->resolution_s * GAP_TENTHS;
		resets += !good;
		struct evidence_sample *sample = good ? evidence_add_sample(e, s) : NULL;
		if (good && !sample)
			return err_nomem(err);
		if (good) {
			sample->end_s = g->at_s[row];
			sample->dt_s = dt;
			fill(sample, rate);
		}
	}
	say_counters(e, s, resets, gaps);
	return 0;
}

static int
from_rates(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	struct evidence_series *s = new_series(e, g);
	if (!s)
		return err_nomem(err);
	double step_s = evidence_spacing_s(g->at_s, g->n);
	s->resolution_s = g->first->window_s;
	for (size_t row = 0; row < g->n; row++) {
		struct evidence_sample *sample = evidence_add_sample(e, s);
		if (!sample)
			return err_nomem(err);
		sample->end_s = g->at_s[row];
		sample->dt_s = isfinite(step_s) ? step_s : s->resolution_s;
		fill(sample, &g->value[row * g->n_columns]);
	}
	if (isfinite(step_s) && fabs(step_s - s->resolution_s) > s->resolution_s * 0.01)
		findings_add(&e->findings, SEVERITY_NOTE, "rate-window", NULL,
			"%s: %s: each figure is a mean over %.4g s, taken every %.4g s: %s",
			s->file, shown(s->device, "all devices"), s->resolution_s, step_s,
			step_s < s->resolution_s ? "neighbours overlap, and peaks shorter than the "
						   "mean do not show"
						 : "what was between them is not seen");
	return 0;
}

static int
series_of(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	if (g->first->column >= PROM_COLUMNS)
		return 0; /* levels: below */
	if (g->n_twice)
		findings_add(&e->findings, SEVERITY_WARNING, "value-twice",
			"give each answer once, and one job or instance at a time",
			"%s: %s: %zu moments have two different values of one metric; the first is "
			"kept",
			g->first->file, shown(g->first->device, "?"), g->n_twice);
	return g->first->window_s > 0 ? from_rates(e, g, err) : from_counters(e, g, err);
}

static bool
same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Percentiles of a device to its series, which have been made. */
static int
levels_of(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	if (g->first->column < PROM_COLUMNS)
		return 0;
	struct evidence_levels *levels = arena_array(
		e->arena, EVIDENCE_LEVEL_COUNT, sizeof(*levels));
	if (!levels)
		return err_nomem(err);
	const double *last = &g->value[(g->n - 1) * g->n_columns + PROM_COLUMNS];
	for (int i = 0; i < EVIDENCE_LEVEL_COUNT; i++, last += PROM_STATS)
		levels[i] = (struct evidence_levels){g->first->window_s, last[PROM_P50],
			last[PROM_P95], last[PROM_P99], last[PROM_MAX]};
	for (size_t i = 0; i < e->n_series; i++) {
		struct evidence_series *s = &e->series[i];
		if (same(s->source, "prometheus") && same(s->host, g->first->host) &&
			same(s->device, g->first->device))
			s->levels = levels;
	}
	return 0;
}

int
prom_finish(struct evidence *e, const struct evidence_reader *reader, struct err *err)
{
	int rc = evidence_join(e, reader, PROM_ALL_COLUMNS, series_of, err);
	return rc ? rc : evidence_join(e, reader, PROM_ALL_COLUMNS, levels_of, err);
}
