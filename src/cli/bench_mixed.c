/*
 * bench_mixed.c - reads and writes together, and reads that arrive by a schedule.
 */
#include <math.h>

#include "cli/bench_parts.h"

static bool
is_mix(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return !isnan(c->mix_read_frac);
}

static bool
is_open(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return !isnan(c->asked_iops);
}

static bool
is_read(const struct profile_cell *c)
{
	return c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_READ;
}

/* ---- the mix ---- */

static const struct doc_column mix_columns[] = {
	{"Mix", DOC_LEFT},
	{"Depth", DOC_RIGHT},
	{"Side", DOC_LEFT},
	{"IOPS (95 %)", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p99", DOC_RIGHT},
	{"p50 alone", DOC_RIGHT},
	{"Interference", DOC_RIGHT},
	{"n", DOC_RIGHT},
};

/* The mean and what the interference is made of are for files. */
static const uint64_t mix_detail = 1 << 4 | 1 << 7;

static void
put_side(const struct bench_part *b, struct doc_table *t, const struct profile_cell *c)
{
	struct doc *d = b->d;
	const struct profile_cell *alone = bench_ladder_at(b, c->op, c->qd);
	double alone_us = alone && alone->bs_b == c->bs_b ? alone->p50_us : (double)NAN;
	const double nan = (double)NAN;
	const char *cells[BENCH_COUNT(mix_columns)] = {
		bench_text(d, "%s, %.0f/%.0f", bench_size(d, c->bs_b), 100 * c->mix_read_frac,
			100 * (1 - c->mix_read_frac)),
		bench_count(d, c->qd), is_read(c) ? "reads" : "writes",
		bench_range(d, c->iops, c->iops_lo, c->iops_hi), bench_latency(d, c->mean_us),
		bench_percentile(d, c->p50_us, c->n, 50), bench_percentile(d, c->p99_us, c->n, 99),
		bench_latency(d, alone_us), bench_ratio(d, c->p50_us / alone_us, nan, nan),
		bench_count(d, c->n)};
	bench_row(d, t, cells, BENCH_COUNT(mix_columns));
}

/* Cells come by operation; here the two sides of a mix belong together. */
static void
put_both_sides(const struct bench_part *b, struct doc_table *t,
	const struct profile_cell *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct profile_cell *c = cells[i];
		bool has_read = false;
		for (size_t k = 0; k < n && !is_read(c); k++) {
			const struct profile_cell *o = cells[k];
			has_read = has_read ||
				   (is_read(o) && o->qd == c->qd && o->bs_b == c->bs_b &&
					   o->mix_read_frac == c->mix_read_frac);
		}
		if (has_read)
			continue; /* stands below its reads */
		put_side(b, t, c);
		for (size_t k = 0; k < n && is_read(c); k++) {
			const struct profile_cell *o = cells[k];
			if (!is_read(o) && o->qd == c->qd && o->bs_b == c->bs_b &&
				o->mix_read_frac == c->mix_read_frac)
				put_side(b, t, o);
		}
	}
}

void
bench_put_mix(const struct bench_part *b)
{
	size_t n;
	const struct profile_cell **cells = bench_cells(b, is_mix, &n);
	if (n == 0)
		return;
	doc_heading(b->d, b->level, "Reads and writes together");
	struct doc_table *t = doc_table(b->d,
		"Mixed load; interference: p50 in the mix over p50 alone at the same depth",
		mix_columns, BENCH_COUNT(mix_columns));
	t->detail = mix_detail;
	put_both_sides(b, t, cells, n);
}

/* ---- the open loop ---- */

static const struct doc_column open_columns[] = {
	{"Operation", DOC_LEFT},
	{"Asked, IOPS", DOC_RIGHT},
	{"Of capacity", DOC_RIGHT},
	{"Achieved, IOPS (95 %)", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p99", DOC_RIGHT},
	{"p99.9", DOC_RIGHT},
	{"Overload", DOC_RIGHT},
	{"n", DOC_RIGHT},
};
/* Mean and p99.9 are for files. */
static const uint64_t open_detail = 1 << 4 | 1 << 7;

static double
capacity_of(const struct profile *p, const struct profile_cell *c)
{
	for (size_t i = 0; i < p->n_knees; i++) {
		if (p->knees[i].op == c->op && p->knees[i].bs_b == c->bs_b)
			return p->knees[i].iops;
	}
	return NAN;
}

void
bench_put_open(const struct bench_part *b)
{
	size_t n;
	const struct profile_cell **cells = bench_cells(b, is_open, &n);
	struct doc *d = b->d;
	if (n == 0)
		return;
	doc_heading(d, b->level, "Load by a schedule");
	struct doc_table *t = doc_table(d,
		"Open loop: latency from the moment each request was due; overload: found no free "
		"place",
		open_columns, BENCH_COUNT(open_columns));
	t->detail = open_detail;
	for (size_t i = 0; i < n; i++) {
		const struct profile_cell *c = cells[i];
		const char *row[BENCH_COUNT(open_columns)] = {
			bench_text(d, "%s %s", names_text(&profile_op_names, c->op),
				bench_size(d, c->bs_b)),
			bench_count(d, round(c->asked_iops)),
			bench_percent(d, c->asked_iops / capacity_of(b->p, c)),
			bench_range(d, c->iops, c->iops_lo, c->iops_hi),
			bench_latency(d, c->mean_us), bench_percentile(d, c->p50_us, c->n, 50),
			bench_percentile(d, c->p99_us, c->n, 99),
			bench_percentile(d, c->p999_us, c->n, 99.9),
			bench_percent(d, c->overload_frac), bench_count(d, c->n)};
		bench_row(d, t, row, BENCH_COUNT(open_columns));
	}
}
