/*
 * bench_sizes.c - block sizes: one at a time with the law through them, several at a
 * time, and in sequence.
 */
#include <math.h>

#include "base/units.h"
#include "cli/bench_parts.h"

static const struct profile_size_fit *
fit_of(const struct profile *p, int op)
{
	for (size_t i = 0; i < p->n_size_fits; i++) {
		if (p->size_fits[i].op == op)
			return &p->size_fits[i];
	}
	return NULL;
}

static bool
is_cap(const struct profile_size_fit *f)
{
	return f->form == PROFILE_SIZE_CAP;
}

static bool
is_single(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return bench_is_random(c) && c->qd == 1;
}

static bool
is_several(const struct bench_part *b, const struct profile_cell *c)
{
	return bench_is_random(c) && c->qd != 1 && !bench_is_ladder(b, c);
}

static bool
is_sequential(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return (c->op == PROFILE_OP_READ || c->op == PROFILE_OP_WRITE) && isnan(c->mix_read_frac) &&
	       isnan(c->asked_iops);
}

/* ---- one at a time ---- */

enum { SINGLE_FIT = 5 };
static const struct doc_column single_columns[] = {
	{"Operation", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"IOPS (95 %)", DOC_RIGHT},
	{"MiB/s", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"Fit", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p99", DOC_RIGHT},
	{"n", DOC_RIGHT},
};

static void
put_single(const struct bench_part *b, struct doc_table *t, const struct profile_cell *c)
{
	struct doc *d = b->d;
	const char *cells[BENCH_COUNT(single_columns)] = {names_text(&profile_op_names, c->op),
		bench_size(d, c->bs_b), bench_range(d, c->iops, c->iops_lo, c->iops_hi),
		bench_count(d, c->mibps), bench_latency(d, c->mean_us),
		bench_latency(d, profile_size_us(fit_of(b->p, c->op), c->bs_b)),
		bench_percentile(d, c->p50_us, c->n, 50), bench_percentile(d, c->p99_us, c->n, 99),
		bench_count(d, c->n)};
	bench_row(d, t, cells, BENCH_COUNT(single_columns));
}

static void
draw_points(struct doc *d, struct doc_figure *f, const struct profile_cell *const *cells, size_t n)
{
	double *kib = arena_array(d->arena, n, sizeof(*kib));
	double *ms = arena_array(d->arena, n, sizeof(*ms));
	d->failed = d->failed || !kib || !ms;
	if (!kib || !ms)
		return;
	for (size_t i = 0; i < n; i++) {
		kib[i] = cells[i]->bs_b / UNITS_KIB;
		ms[i] = cells[i]->mean_us / 1000;
	}
	struct doc_series *s = doc_series(d, f,
		bench_text(d, "%s, mean", names_text(&profile_op_names, cells[0]->op)),
		DOC_MARK_POINTS, n);
	s->x = kib;
	s->y = ms;
}

static void
draw_fit(struct doc *d, struct doc_figure *f, const struct profile_size_fit *fit)
{
	enum { STEPS = 40 };
	double *kib = arena_array(d->arena, STEPS, sizeof(*kib));
	double *ms = arena_array(d->arena, STEPS, sizeof(*ms));
	d->failed = d->failed || !kib || !ms;
	if (!kib || !ms)
		return;
	for (size_t i = 0; i < STEPS; i++) {
		double bs_b = fit->from_b * pow(fit->to_b / fit->from_b, (double)i / (STEPS - 1));
		kib[i] = bs_b / UNITS_KIB;
		ms[i] = profile_size_us(fit, fmin(bs_b, fit->to_b)) / 1000;
	}
	struct doc_series *s = doc_series(d, f,
		bench_text(d, "%s, %s", names_text(&profile_op_names, fit->op),
			is_cap(fit) ? "the longer of a and b x size" : "a + b x size"),
		DOC_MARK_LINE, STEPS);
	s->x = kib;
	s->y = ms;
}

static void
put_fits(const struct bench_part *b)
{
	for (size_t i = 0; i < b->p->n_size_fits; i++) {
		const struct profile_size_fit *f = &b->p->size_fits[i];
		const char *speed = f->b_us_per_kib > 0
					    ? bench_text(b->d, ", which is %s MiB/s",
						      bench_count(
							      b->d, 1e6 / f->b_us_per_kib / 1024))
					    : "";
		doc_paragraph(b->d,
			"%s, one at a time: %s%.4g us %s %.3g us per KiB%s, from %s to %s; typical "
			"error %s.%s",
			names_text(&profile_op_names, f->op), is_cap(f) ? "the longer of " : "",
			f->a_us, is_cap(f) ? "and" : "+", f->b_us_per_kib, speed,
			bench_size(b->d, f->from_b), bench_size(b->d, f->to_b),
			bench_percent(b->d, f->residual_frac),
			is_cap(f) ? " So throughput is capped, and smaller blocks do not feel it."
				  : "");
	}
}

/* Cells come sorted by operation: where the next one starts. */
static size_t
next_operation(const struct profile_cell *const *cells, size_t n, size_t from)
{
	size_t to = from;
	while (to < n && cells[to]->op == cells[from]->op)
		to++;
	return to;
}

static void
put_singles(const struct bench_part *b, const struct profile_cell *const *cells, size_t n)
{
	struct doc *d = b->d;
	static const char caption[] = "Block sizes, one request at a time";
	struct doc_table *t;
	bool drawn = next_operation(cells, n, 0) > 1;
	if (drawn) {
		struct doc_figure *f = doc_figure(d, DOC_CHART_LATENCY,
			"Mean latency of one request at a time against its size");
		f->x_title = "block size (KiB)";
		f->y_title = "mean latency (ms)";
		f->description = bench_text(d,
			"Mean latency against block size with the fitted line: %s %s at %s, %s %s "
			"at %s.",
			names_text(&profile_op_names, cells[0]->op),
			bench_latency(d, cells[0]->mean_us), bench_size(d, cells[0]->bs_b),
			names_text(&profile_op_names, cells[n - 1]->op),
			bench_latency(d, cells[n - 1]->mean_us), bench_size(d, cells[n - 1]->bs_b));
		f->data = t = doc_data_table(
			d, caption, single_columns, BENCH_COUNT(single_columns));
		for (size_t from = 0; from < n; from = next_operation(cells, n, from)) {
			const struct profile_size_fit *fit = fit_of(b->p, cells[from]->op);
			draw_points(d, f, cells + from, next_operation(cells, n, from) - from);
			if (fit && fit->from_b > 0 && fit->to_b > fit->from_b)
				draw_fit(d, f, fit);
		}
	} else {
		t = doc_table(d, caption, single_columns, BENCH_COUNT(single_columns));
	}
	t->detail = 1 << SINGLE_FIT;
	for (size_t i = 0; i < n; i++)
		put_single(b, t, cells[i]);
	put_fits(b);
}

/* ---- several at a time, and in sequence ---- */

enum { STREAM_MEAN = 5 };
static const struct doc_column stream_columns[] = {
	{"Operation", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"Depth", DOC_RIGHT},
	{"MiB/s (95 %)", DOC_RIGHT},
	{"IOPS", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p99", DOC_RIGHT},
	{"n", DOC_RIGHT},
	{"Note", DOC_LEFT},
};

static void
put_streams(struct doc *d, const char *caption, const struct profile_cell *const *cells, size_t n)
{
	bool noted = false;
	for (size_t i = 0; i < n; i++)
		noted = noted || cells[i]->note;
	size_t columns = BENCH_COUNT(stream_columns) - !noted;
	struct doc_table *t = doc_table(d, caption, stream_columns, columns);
	t->detail = 1 << STREAM_MEAN;
	for (size_t i = 0; i < n; i++) {
		const struct profile_cell *c = cells[i];
		double mib = c->bs_b / UNITS_MIB;
		const char *row[BENCH_COUNT(stream_columns)] = {
			names_text(&profile_op_names, c->op), bench_size(d, c->bs_b),
			bench_count(d, c->qd),
			bench_range(d, c->iops * mib, c->iops_lo * mib, c->iops_hi * mib),
			bench_count(d, c->iops), bench_latency(d, c->mean_us),
			bench_percentile(d, c->p50_us, c->n, 50),
			bench_percentile(d, c->p99_us, c->n, 99), bench_count(d, c->n),
			c->note ? c->note : ""};
		bench_row(d, t, row, columns);
	}
}

void
bench_put_sizes(const struct bench_part *b)
{
	size_t n_single, n_several;
	const struct profile_cell **single = bench_cells(b, is_single, &n_single);
	const struct profile_cell **several = bench_cells(b, is_several, &n_several);
	/* the ladder's own first step is no table of sizes */
	bool sizes = n_several > 0;
	for (size_t i = 0; i < n_single; i++)
		sizes = sizes || !bench_is_ladder(b, single[i]);
	if (!sizes)
		return;
	doc_heading(b->d, b->level, "Block sizes");
	if (n_single)
		put_singles(b, single, n_single);
	if (n_several)
		put_streams(b->d, "Block sizes, several requests at a time", several, n_several);
}

void
bench_put_sequential(const struct bench_part *b)
{
	size_t n;
	const struct profile_cell **cells = bench_cells(b, is_sequential, &n);
	if (n == 0)
		return;
	doc_heading(b->d, b->level, "In sequence");
	put_streams(b->d, "Sequential reads and writes", cells, n);
}
