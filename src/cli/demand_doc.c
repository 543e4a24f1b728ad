#include "cli/demand_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/demand_cells.h"
#include "workload/histogram.h"
#include "workload/series.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

static const char *const scope_text[] = {
	[EVIDENCE_DISK] = "disk",
	[EVIDENCE_PART] = "partition",
	[EVIDENCE_STACKED] = "stacked",
	[EVIDENCE_MACHINE] = "machine",
};
_Static_assert(sizeof(scope_text) / sizeof(scope_text[0]) == EVIDENCE_SCOPE_COUNT, "each scope");

void
demand_cell_number(struct doc *d, struct doc_table *t, size_t column, double v)
{
	char text[32];
	if (isnan(v))
		return;
	if (fabs(v) < 1 && v != 0)
		snprintf(text, sizeof(text), "%.3g", v);
	else
		units_count_text(v, text);
	doc_cell(d, t, column, "%s", text);
}

void
demand_cell_fixed(struct doc *d, struct doc_table *t, size_t column, double v, int decimals)
{
	char text[48];
	if (isnan(v))
		return;
	units_money_text(v, decimals, text);
	doc_cell(d, t, column, "%s", text);
}

void
demand_cell_name(struct doc *d, struct doc_table *t, const struct evidence_series *s)
{
	doc_cell(d, t, 0, "%s%s%s%s%s", s->host ? s->host : "", s->host && s->device ? ":" : "",
		s->device ? s->device : "", s->metric ? " " : "", s->metric ? s->metric : "");
}

static void
cell_direction(struct doc *d, struct doc_table *t, size_t column, const struct series_stats *st)
{
	if (st->reads_only || st->writes_only)
		doc_cell(d, t, column, "%s only", st->reads_only ? "reads" : "writes");
	else if (!isnan(st->read_frac))
		doc_cell(d, t, column, "%.1f", 100 * st->read_frac);
}

static void
spread_cells(struct doc *d, struct doc_table *t, size_t column, const struct series_spread *s,
	double scale)
{
	const double v[] = {s->mean, s->p50, s->p95, s->p99, s->max};
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		demand_cell_fixed(d, t, column + i, v[i] / scale, scale > 1 ? 2 : 1);
}

static void
rates_table(struct doc *d, const struct evidence *e, const struct series_stats *st)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"of", DOC_LEFT},
		{"source", DOC_LEFT}, {"n", DOC_RIGHT}, {"means of", DOC_RIGHT},
		{"IOPS mean", DOC_RIGHT}, {"p50", DOC_RIGHT}, {"p95", DOC_RIGHT},
		{"p99", DOC_RIGHT}, {"max", DOC_RIGHT}, {"reads %", DOC_RIGHT}, {"file", DOC_LEFT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		char step[40];
		if (st[i].iops.n == 0)
			continue;
		if (!t)
			t = doc_table(d,
				"IOPS: percentiles of interval means by nearest rank, not of "
				"single "
				"operations",
				COLUMNS(columns));
		series_resolution_text(st[i].resolution_s, step);
		doc_row(d, t);
		demand_cell_name(d, t, s);
		doc_cell(d, t, 1, "%s", scope_text[s->scope]);
		doc_cell(d, t, 2, "%s", s->source ? s->source : "");
		doc_cell(d, t, 3, "%zu", st[i].iops.n);
		doc_cell(d, t, 4, "%s", isnan(st[i].resolution_s) ? "?" : step);
		spread_cells(d, t, 5, &st[i].iops, 1);
		cell_direction(d, t, 10, &st[i]);
		doc_cell(d, t, 11, "%s", s->file ? s->file : "");
		t->detail = 1u << 2 | 1u << 11;
	}
}

static void
sizes_table(struct doc *d, const struct evidence *e, const struct series_stats *st)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"MiB/s mean", DOC_RIGHT},
		{"p50", DOC_RIGHT}, {"p95", DOC_RIGHT}, {"p99", DOC_RIGHT}, {"max", DOC_RIGHT},
		{"KiB/read", DOC_RIGHT}, {"KiB/write", DOC_RIGHT}, {"KiB/I/O", DOC_RIGHT},
		{"n", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_series; i++) {
		if (st[i].bytes_s.n == 0)
			continue;
		if (!t)
			t = doc_table(d, "Throughput and mean sizes (bytes over operations)",
				COLUMNS(columns));
		doc_row(d, t);
		demand_cell_name(d, t, &e->series[i]);
		/* rates below a MiB/s need their digits */
		for (size_t k = 0; k < 5; k++) {
			const double v[] = {st[i].bytes_s.mean, st[i].bytes_s.p50,
				st[i].bytes_s.p95, st[i].bytes_s.p99, st[i].bytes_s.max};
			demand_cell_fixed(
				d, t, 1 + k, v[k] / UNITS_MIB, st[i].bytes_s.max < 1e7 ? 4 : 2);
		}
		demand_cell_fixed(d, t, 6, st[i].read_b / UNITS_KIB, 3);
		demand_cell_fixed(d, t, 7, st[i].write_b / UNITS_KIB, 3);
		demand_cell_fixed(d, t, 8, st[i].any_b / UNITS_KIB, 3);
		doc_cell(d, t, 9, "%zu", st[i].bytes_s.n);
		t->detail = 1u << 9;
	}
}

static void
latency_table(struct doc *d, const struct evidence *e, const struct series_stats *st)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"read ms", DOC_RIGHT},
		{"write ms", DOC_RIGHT}, {"both ms", DOC_RIGHT}, {"flushes/s", DOC_RIGHT},
		{"flush ms", DOC_RIGHT}, {"queue mean", DOC_RIGHT}, {"p95", DOC_RIGHT},
		{"max", DOC_RIGHT}, {"n", DOC_RIGHT}, {"busy % (a hint)", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_series; i++) {
		const struct series_stats *s = &st[i];
		if (isnan(s->read_us) && isnan(s->write_us) && isnan(s->any_us) && s->queue.n == 0)
			continue;
		if (!t)
			t = doc_table(d, "Latency (means weighted by operations) and queue",
				COLUMNS(columns));
		doc_row(d, t);
		demand_cell_name(d, t, &e->series[i]);
		demand_cell_fixed(d, t, 1, s->read_us / 1000, 4);
		demand_cell_fixed(d, t, 2, s->write_us / 1000, 4);
		demand_cell_fixed(d, t, 3, s->any_us / 1000, 4);
		demand_cell_fixed(d, t, 4, s->flush_iops.mean, 1);
		demand_cell_fixed(d, t, 5, s->flush_us / 1000, 4);
		demand_cell_fixed(d, t, 6, s->queue.mean, 3);
		demand_cell_fixed(d, t, 7, s->queue.p95, 2);
		demand_cell_fixed(d, t, 8, s->queue.max, 2);
		doc_cell(d, t, 9, "%zu", s->queue.n);
		demand_cell_fixed(d, t, 10, 100 * s->active_frac.mean, 2);
		t->detail = 1u << 9 | 1u << 10;
	}
}

static void
bursts_table(struct doc *d, const struct evidence *e, const struct series_stats *st)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"1 s", DOC_RIGHT},
		{"5 s", DOC_RIGHT}, {"60 s", DOC_RIGHT}, {"300 s", DOC_RIGHT},
		{"while active", DOC_RIGHT}, {"peak / mean", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_series; i++) {
		if (st[i].iops.n < 2)
			continue;
		if (!t)
			t = doc_table(d,
				"Highest IOPS over a window (empty: the intervals are longer than "
				"it, or "
				"the series shorter)",
				COLUMNS(columns));
		doc_row(d, t);
		demand_cell_name(d, t, &e->series[i]);
		for (size_t k = 0; k < SERIES_WINDOWS; k++)
			demand_cell_fixed(d, t, 1 + k, st[i].window_iops[k], 1);
		demand_cell_fixed(d, t, 5, st[i].active_iops, 1);
		if (st[i].iops.mean > 0)
			demand_cell_fixed(d, t, 6, st[i].iops.max / st[i].iops.mean, 2);
	}
}

static void
consumed_table(struct doc *d, const struct evidence *e, const struct series_stats *st)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"n", DOC_RIGHT},
		{"means of", DOC_RIGHT}, {"mean %", DOC_RIGHT}, {"p50", DOC_RIGHT},
		{"p95", DOC_RIGHT}, {"p99", DOC_RIGHT}, {"max", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_series; i++) {
		char step[40];
		if (st[i].consumed_frac.n == 0)
			continue;
		if (!t)
			t = doc_table(d, "Share of a cap that was consumed, as the provider says",
				COLUMNS(columns));
		series_resolution_text(st[i].resolution_s, step);
		doc_row(d, t);
		demand_cell_name(d, t, &e->series[i]);
		doc_cell(d, t, 1, "%zu", st[i].consumed_frac.n);
		doc_cell(d, t, 2, "%s", isnan(st[i].resolution_s) ? "?" : step);
		spread_cells(d, t, 3,
			&(struct series_spread){0, 100 * st[i].consumed_frac.mean,
				100 * st[i].consumed_frac.p50, 100 * st[i].consumed_frac.p95,
				100 * st[i].consumed_frac.p99, 100 * st[i].consumed_frac.max},
			1);
	}
}

static void
histograms_table(struct doc *d, const struct evidence *e)
{
	static const struct doc_column columns[] = {{"histogram", DOC_LEFT}, {"n", DOC_RIGHT},
		{"mean ms", DOC_RIGHT}, {"p50", DOC_RIGHT}, {"p90", DOC_RIGHT}, {"p95", DOC_RIGHT},
		{"p99", DOC_RIGHT}, {"p99.9", DOC_RIGHT}, {"max", DOC_RIGHT}, {"file", DOC_LEFT}};
	static const double p[] = {0.5, 0.9, 0.95, 0.99, 0.999};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_histograms; i++) {
		const struct evidence_histogram *h = &e->histograms[i];
		double n = histogram_count(h);
		char text[48];
		if (!t)
			t = doc_table(d, "Latency histograms, ms (linear inside a bucket)",
				COLUMNS(columns));
		doc_row(d, t);
		doc_cell(d, t, 0, "%s%s%s", h->host ? h->host : "", h->host ? " " : "",
			h->name ? h->name : "");
		doc_cell(d, t, 1, "%.0f", n);
		demand_cell_fixed(d, t, 2, n > 0 ? h->sum_us / n / 1000 : (double)NAN, 4);
		for (size_t k = 0; k < sizeof(p) / sizeof(p[0]); k++) {
			histogram_quantile_text(h, p[k], text);
			doc_cell(d, t, 3 + k, "%s", text);
		}
		histogram_worst_text(h, text);
		doc_cell(d, t, 8, "%s", text);
		doc_cell(d, t, 9, "%s", h->file ? h->file : "");
		t->detail = 1u << 9;
	}
}

static void
cpus_table(struct doc *d, const struct evidence *e)
{
	static const struct doc_column columns[] = {{"processors", DOC_LEFT}, {"n", DOC_RIGHT},
		{"busy % mean", DOC_RIGHT}, {"I/O wait %", DOC_RIGHT}, {"steal %", DOC_RIGHT},
		{"runnable mean", DOC_RIGHT}, {"max", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < e->n_cpus; i++) {
		const struct evidence_cpu *c = &e->cpus[i];
		double sum[4] = {0}, most = NAN;
		const double *rows[] = {c->busy_frac, c->iowait_frac, c->steal_frac, c->runnable};
		if (c->n == 0)
			continue;
		for (size_t k = 0; k < 4; k++) {
			for (size_t j = 0; j < c->n; j++)
				sum[k] += rows[k] ? rows[k][j] / (double)c->n : (double)NAN;
		}
		for (size_t j = 0; c->runnable && j < c->n; j++)
			most = fmax(most, c->runnable[j]);
		if (!t)
			t = doc_table(d, "Processors", COLUMNS(columns));
		doc_row(d, t);
		doc_cell(d, t, 0, "%s %s", c->source, c->file);
		doc_cell(d, t, 1, "%zu", c->n);
		for (size_t k = 0; k < 3; k++)
			demand_cell_fixed(d, t, 2 + k, 100 * sum[k], 1);
		demand_cell_fixed(d, t, 5, sum[3], 1);
		demand_cell_fixed(d, t, 6, most, 0);
	}
}

int
demand_doc_evidence(struct doc *d, const struct evidence *e, struct err *err)
{
	struct series_stats *st = arena_array(d->arena, e->n_series, sizeof(*st));
	if (!st)
		return err_nomem(err);
	for (size_t i = 0; i < e->n_series; i++) {
		int rc = series_stats(&e->series[i], d->arena, &st[i], err);
		if (rc)
			return rc;
	}
	if (e->n_series) {
		doc_heading(d, 2, "Devices");
		rates_table(d, e, st);
		bursts_table(d, e, st);
		sizes_table(d, e, st);
		latency_table(d, e, st);
		consumed_table(d, e, st);
	}
	demand_doc_runs(d, e);
	demand_doc_servers(d, e);
	if (e->n_histograms || e->n_cpus)
		doc_heading(d, 2, "Histograms and processors");
	histograms_table(d, e);
	cpus_table(d, e);
	return 0;
}
