/*
 * bench_ladder.c - the capacity of the disk with what limits it, and the ladder of depths behind
 * it, as a chart and a table for each operation.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/bench_parts.h"
#include "report/curve_figure.h"

const char *
bench_limit_words(const char *limit)
{
	static const char *const words[][2] = {
		{"device", "device-limited"},
		{"cap-iops", "quota-limited (IOPS)"},
		{"cap-mbps", "quota-limited (MB/s)"},
		{"throttle", "throttled before the disk"},
		{"client", "limited by this machine"},
		{"unknown", "limit unknown"},
	};
	for (size_t i = 0; limit && i < BENCH_COUNT(words); i++) {
		if (strcmp(limit, words[i][0]) == 0)
			return words[i][1];
	}
	return limit ? limit : "limit unknown";
}

const char *
bench_capacity(struct doc *d, const struct profile_knee *k, bool interval)
{
	if (isnan(k->iops_hi) && !isnan(k->iops_lo))
		return bench_text(d, "at least %s", bench_count(d, k->iops_lo));
	return interval ? bench_range(d, k->iops, k->iops_lo, k->iops_hi) : bench_count(d, k->iops);
}

void
bench_put_capacity(const struct bench_part *b)
{
	static const struct doc_column columns[] = {
		{"Operation", DOC_LEFT},
		{"Block", DOC_RIGHT},
		{"Capacity, IOPS (95 %)", DOC_RIGHT},
		{"MiB/s", DOC_RIGHT},
		{"Knee depth", DOC_RIGHT},
		{"Mean latency there", DOC_RIGHT},
		{"Limited by", DOC_LEFT},
	};
	struct doc *d = b->d;
	if (b->p->n_knees == 0)
		return;
	doc_heading(d, b->level, "Capacity and what limits it");
	struct doc_table *t = doc_table(
		d, "Capacity: the plateau of the ladder of depths", columns, BENCH_COUNT(columns));
	for (size_t i = 0; i < b->p->n_knees; i++) {
		const struct profile_knee *k = &b->p->knees[i];
		bench_row(d, t,
			(const char *const[]){names_text(&profile_op_names, k->op),
				bench_size(d, k->bs_b), bench_capacity(d, k, true),
				bench_count(d, k->iops * k->bs_b / UNITS_MIB),
				bench_count(d, k->qd), bench_latency(d, k->mean_us),
				bench_limit_words(k->limit)},
			BENCH_COUNT(columns));
	}
	for (size_t i = 0; i < b->p->n_knees; i++) {
		const struct profile_knee *k = &b->p->knees[i];
		if (k->why)
			doc_paragraph(d, "%s: %s: %s.", names_text(&profile_op_names, k->op),
				bench_limit_words(k->limit), k->why);
	}
}

static const struct doc_column ladder_columns[] = {
	{"Depth", DOC_RIGHT},
	{"IOPS (95 %)", DOC_RIGHT},
	{"MiB/s", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p90", DOC_RIGHT},
	{"p95", DOC_RIGHT},
	{"p99 (95 %)", DOC_RIGHT},
	{"p99.9", DOC_RIGHT},
	{"Max", DOC_RIGHT},
	{"n", DOC_RIGHT},
	{"Slices", DOC_RIGHT},
	{"Little", DOC_RIGHT},
};
/* MiB/s, p90, p95, max, slices and Little are for files. */
static const uint64_t ladder_detail = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 9 | 1 << 11 | 1 << 12;

static void
put_step(struct doc *d, struct doc_table *t, const struct profile_cell *c)
{
	const char *cells[BENCH_COUNT(ladder_columns)] = {bench_count(d, c->qd),
		bench_range(d, c->iops, c->iops_lo, c->iops_hi), bench_count(d, c->mibps),
		bench_latency(d, c->mean_us), bench_percentile(d, c->p50_us, c->n, 50),
		bench_percentile(d, c->p90_us, c->n, 90), bench_percentile(d, c->p95_us, c->n, 95),
		bench_percentile_range(
			d, (const double[]){c->p99_us, c->p99_lo_us, c->p99_hi_us}, c->n, 99),
		bench_percentile(d, c->p999_us, c->n, 99.9), bench_latency(d, c->max_us),
		bench_count(d, c->n),
		c->n_slice_iops ? bench_count(d, (double)c->n_slice_iops) : "-",
		isnan(c->little_ratio) ? "-" : bench_text(d, "%.2f", c->little_ratio)};
	bench_row(d, t, cells, BENCH_COUNT(ladder_columns));
}

/* A column of cells, scaled. */
static const double *
column(struct doc *d, const struct profile_cell *const *cells, size_t n,
	double (*get)(const struct profile_cell *c), double scale)
{
	double *v = arena_array(d->arena, n + 1, sizeof(*v));
	d->failed = d->failed || !v;
	for (size_t i = 0; v && i < n; i++)
		v[i] = get(cells[i]) * scale;
	return v;
}

static double
get_qd(const struct profile_cell *c)
{
	return c->qd;
}

static double
get_p50(const struct profile_cell *c)
{
	return c->p50_us;
}

static double
get_p99(const struct profile_cell *c)
{
	return c->p99_us;
}

static double
get_p50_lo(const struct profile_cell *c)
{
	return c->p50_lo_us;
}

static double
get_p50_hi(const struct profile_cell *c)
{
	return c->p50_hi_us;
}

static const struct profile_knee *
knee_of(const struct bench_part *b, int op)
{
	for (size_t i = 0; i < b->p->n_knees; i++) {
		if (b->p->knees[i].op == op && b->p->knees[i].bs_b == b->ladder_b)
			return &b->p->knees[i];
	}
	return NULL;
}

/* p50 with its interval and p99, as measured. */
static struct doc_figure *
draw(const struct bench_part *b, const struct profile_cell *const *cells, size_t n,
	const struct curve_figure *texts)
{
	const double *qd = column(b->d, cells, n, get_qd, 1);
	const struct profile_knee *k = knee_of(b, cells[0]->op);
	struct curve_figure f = *texts;
	f.line = (struct curve_line){"p50", n, qd, column(b->d, cells, n, get_p50, 1e-3)};
	f.band_name = "95 % interval of p50";
	f.lo_ms = column(b->d, cells, n, get_p50_lo, 1e-3);
	f.hi_ms = column(b->d, cells, n, get_p50_hi, 1e-3);
	f.dashed = (struct curve_line){"p99", n, qd, column(b->d, cells, n, get_p99, 1e-3)};
	f.sla_ms = f.efficient_qd = (double)NAN;
	f.knee_qd = k ? k->qd : (double)NAN;
	return curve_figure(b->d, &f);
}

/* What the ladder says in a sentence: where it starts and where it ends. */
static const char *
ladder_title(struct doc *d, const struct profile_cell *const *cells, size_t n)
{
	const struct profile_cell *first = cells[0], *last = cells[n - 1];
	return bench_text(d,
		"%s %s: from %s IOPS at %s in the mean (depth %s) to %s at %s (depth %s)",
		names_text(&profile_op_names, first->op), bench_size(d, first->bs_b),
		bench_count(d, first->iops), bench_latency(d, first->mean_us),
		bench_count(d, first->qd), bench_count(d, last->iops),
		bench_latency(d, last->mean_us), bench_count(d, last->qd));
}

static const char *
ladder_description(struct doc *d, const struct profile_cell *const *cells, size_t n)
{
	const struct profile_cell *first = cells[0], *last = cells[n - 1];
	return bench_text(d,
		"Latency against queue depth: at depth %s p50 %s and p99 %s, at depth %s p50 %s "
		"and p99 %s.",
		bench_count(d, first->qd), bench_percentile(d, first->p50_us, first->n, 50),
		bench_percentile(d, first->p99_us, first->n, 99), bench_count(d, last->qd),
		bench_percentile(d, last->p50_us, last->n, 50),
		bench_percentile(d, last->p99_us, last->n, 99));
}

static void
put_operation(const struct bench_part *b, const struct profile_cell *const *cells, size_t n)
{
	struct doc *d = b->d;
	const char *caption = bench_text(d,
		"Ladder of depths, %s %s; Little: rate x mean / depth, 1 is sound",
		names_text(&profile_op_names, cells[0]->op), bench_size(d, cells[0]->bs_b));
	struct doc_table *t;
	if (n > 1) {
		const struct curve_figure texts = {.title = ladder_title(d, cells, n),
			.description = ladder_description(d, cells, n),
			.x_title = "queue depth",
			.y_title = "latency (ms)"};
		struct doc_figure *f = draw(b, cells, n, &texts);
		f->data = t = doc_data_table(
			d, caption, ladder_columns, BENCH_COUNT(ladder_columns));
	} else {
		t = doc_table(d, caption, ladder_columns, BENCH_COUNT(ladder_columns));
	}
	t->detail = ladder_detail;
	for (size_t i = 0; i < n; i++)
		put_step(d, t, cells[i]);
}

void
bench_put_ladder(const struct bench_part *b)
{
	size_t n;
	const struct profile_cell **cells = bench_cells(b, bench_is_ladder, &n);
	if (n == 0)
		return;
	doc_heading(b->d, b->level, "Latency against depth");
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && cells[to]->op == cells[from]->op; to++)
			;
		put_operation(b, cells + from, to - from);
	}
}
