#include "cli/bench_compare.h"

#include <math.h>
#include <string.h>

#include "bench/pair.h"
#include "cli/bench_parts.h"

/* Two profiles on their way into a document, and how their rows came out. */
struct versus {
	struct doc *d;
	struct bench_part first, second;
	bool together;
	size_t rows, faster, slower, open; /* open: no interval */
};

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Known on one side only counts as one writer, one submitter. */
static double
or_one(double v)
{
	return isnan(v) ? 1 : v;
}

/* ---- ratios ---- */

static struct stats_range
ratio_of_slices(const struct versus *v, struct pair_slices a, struct pair_slices b)
{
	struct stats_range ratio;
	if (pair_ratio(a, b, v->together && a.n == b.n, v->rows + 1, &ratio, NULL))
		v->d->failed = true;
	return ratio;
}

/* Rates by slices when both have some, else by intervals. */
static struct stats_range
ratio_of_rates(const struct versus *v, struct pair_slices a, struct stats_range a_range,
	struct pair_slices b, struct stats_range b_range)
{
	if (a.n > 1 && b.n > 1)
		return ratio_of_slices(v, a, b);
	return pair_ratio_of_ranges(a_range, b_range);
}

static const char *
count_difference(struct versus *v, const struct stats_range *ratio)
{
	int side = pair_side(ratio);
	v->rows++;
	v->faster += side > 0;
	v->slower += side < 0;
	if (isnan(ratio->lo) || isnan(ratio->hi)) {
		v->open++;
		return "no interval";
	}
	return side > 0 ? "faster" : side < 0 ? "slower" : "none shown";
}

static const char *
plain_ratio(struct doc *d, const struct stats_range *r)
{
	const double nan = (double)NAN;
	return bench_ratio(d, r->value, nan, nan);
}

/* ---- cells ---- */

static const struct doc_column cell_columns[] = {
	{"Operation", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"Depth", DOC_RIGHT},
	{"First, IOPS", DOC_RIGHT},
	{"Second, IOPS", DOC_RIGHT},
	{"Ratio (95 %)", DOC_RIGHT},
	{"Difference", DOC_LEFT},
	{"p50 ratio", DOC_RIGHT},
	{"95 %", DOC_RIGHT},
	{"p99 ratio", DOC_RIGHT},
	{"95 %", DOC_RIGHT},
	{"n", DOC_RIGHT},
};
/* The intervals of the latencies and the counts are for files. */
static const uint64_t cell_detail = 1 << 8 | 1 << 10 | 1 << 11;

static bool
is_plain(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return isnan(c->asked_iops) && isnan(c->mix_read_frac);
}

static bool
is_mix(const struct bench_part *b, const struct profile_cell *c)
{
	(void)b;
	return isnan(c->asked_iops) && !isnan(c->mix_read_frac);
}

static bool
same_load(const struct profile_cell *a, const struct profile_cell *b)
{
	return a->op == b->op && same(a->bs_b, b->bs_b) && same(a->qd, b->qd) &&
	       same(or_one(a->jobs), or_one(b->jobs)) && same(a->mix_read_frac, b->mix_read_frac);
}

/* The one of b that matches cells[i]: when several of one kind were measured, the n-th the n-th. */
static const struct profile_cell *
match(const struct profile_cell *const *cells, size_t i, const struct profile *b)
{
	size_t before = 0;
	for (size_t k = 0; k < i; k++)
		before += same_load(cells[k], cells[i]);
	for (size_t k = 0; k < b->n_cells; k++) {
		const struct profile_cell *c = &b->cells[k];
		if (isnan(c->asked_iops) && same_load(c, cells[i]) && before-- == 0)
			return c;
	}
	return NULL;
}

static const char *
operation_text(struct doc *d, const struct profile_cell *c)
{
	bool read = c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_READ;
	if (isnan(c->mix_read_frac))
		return names_text(&profile_op_names, c->op);
	return bench_text(d, "%.0f/%.0f %s", 100 * c->mix_read_frac, 100 * (1 - c->mix_read_frac),
		read ? "reads" : "writes");
}

enum { HEAD = 5 }; /* what is compared, and both rates; the ratios follow */

/* p50 and p99 of one side, and the samples behind them. */
struct latencies {
	struct stats_range p50, p99;
	double n;
};

/* A row: what is compared and both rates, then the ratios. */
static void
put_ratios(struct versus *v, struct doc_table *t, const char *const head[HEAD],
	struct stats_range rate, const struct latencies *a, const struct latencies *b)
{
	struct doc *d = v->d;
	struct stats_range p50 = pair_ratio_of_ranges(a->p50, b->p50);
	struct stats_range p99 = pair_ratio_of_ranges(a->p99, b->p99);
	const char *row[] = {head[0], head[1], head[2], head[3], head[4],
		bench_ratio(d, rate.value, rate.lo, rate.hi), count_difference(v, &rate),
		plain_ratio(d, &p50), bench_interval(d, p50.lo, p50.hi), plain_ratio(d, &p99),
		bench_interval(d, p99.lo, p99.hi),
		bench_text(d, "%s and %s", bench_count(d, a->n), bench_count(d, b->n))};
	bench_row(d, t, row, BENCH_COUNT(row));
}

static struct latencies
cell_latencies(const struct profile_cell *c)
{
	return (struct latencies){{c->p50_us, c->p50_lo_us, c->p50_hi_us},
		{c->p99_us, c->p99_lo_us, c->p99_hi_us}, c->n};
}

static void
put_cell(struct versus *v, struct doc_table *t, const struct profile_cell *a,
	const struct profile_cell *b)
{
	struct doc *d = v->d;
	struct latencies first = cell_latencies(a), second = cell_latencies(b);
	struct stats_range rate = ratio_of_rates(v,
		(struct pair_slices){a->slice_iops, a->n_slice_iops},
		(struct stats_range){a->iops, a->iops_lo, a->iops_hi},
		(struct pair_slices){b->slice_iops, b->n_slice_iops},
		(struct stats_range){b->iops, b->iops_lo, b->iops_hi});
	put_ratios(v, t,
		(const char *const[HEAD]){operation_text(d, a), bench_size(d, a->bs_b),
			bench_count(d, a->qd), bench_count(d, a->iops), bench_count(d, b->iops)},
		rate, &first, &second);
}

static void
put_cells(struct versus *v, bench_pick *pick, const char *caption)
{
	size_t n;
	struct doc_table *t = NULL;
	const struct profile_cell **cells = bench_cells(&v->first, pick, &n);
	for (size_t i = 0; i < n; i++) {
		const struct profile_cell *other = match(cells, i, v->second.p);
		if (!other)
			continue;
		if (!t) {
			t = doc_table(v->d, caption, cell_columns, BENCH_COUNT(cell_columns));
			t->detail = cell_detail;
		}
		put_cell(v, t, cells[i], other);
	}
}

/* ---- commits ---- */

static const struct doc_column sync_columns[] = {
	{"Durable by", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"Writers", DOC_RIGHT},
	{"First, 1/s", DOC_RIGHT},
	{"Second, 1/s", DOC_RIGHT},
	{"Ratio (95 %)", DOC_RIGHT},
	{"Difference", DOC_LEFT},
	{"p50 ratio", DOC_RIGHT},
	{"95 %", DOC_RIGHT},
	{"p99 ratio", DOC_RIGHT},
	{"95 %", DOC_RIGHT},
	{"n", DOC_RIGHT},
};

static const struct profile_sync *
match_sync(const struct profile_sync *s, const struct profile *p)
{
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *o = &p->syncs[i];
		if (o->mode == s->mode && o->pattern == s->pattern && same(o->bs_b, s->bs_b) &&
			same(or_one(o->writers), or_one(s->writers)))
			return o;
	}
	return NULL;
}

static struct latencies
sync_latencies(const struct profile_sync *s)
{
	return (struct latencies){{s->p50_us, s->p50_lo_us, s->p50_hi_us},
		{s->p99_us, s->p99_lo_us, s->p99_hi_us}, s->n};
}

static void
put_sync(struct versus *v, struct doc_table *t, const struct profile_sync *a,
	const struct profile_sync *b)
{
	struct doc *d = v->d;
	struct latencies first = sync_latencies(a), second = sync_latencies(b);
	struct stats_range rate = ratio_of_rates(v,
		(struct pair_slices){a->slice_syncs, a->n_slice_syncs},
		(struct stats_range){a->syncs_per_s, a->syncs_lo, a->syncs_hi},
		(struct pair_slices){b->slice_syncs, b->n_slice_syncs},
		(struct stats_range){b->syncs_per_s, b->syncs_lo, b->syncs_hi});
	put_ratios(v, t,
		(const char *const[HEAD]){names_text(&profile_sync_mode_names, a->mode),
			bench_size(d, a->bs_b), bench_count(d, or_one(a->writers)),
			bench_count(d, a->syncs_per_s), bench_count(d, b->syncs_per_s)},
		rate, &first, &second);
}

static void
put_syncs(struct versus *v, int pattern)
{
	struct doc_table *t = NULL;
	for (size_t i = 0; i < v->first.p->n_syncs; i++) {
		const struct profile_sync *s = &v->first.p->syncs[i];
		const struct profile_sync *other = match_sync(s, v->second.p);
		if (!other || s->pattern != pattern)
			continue;
		if (!t) {
			t = doc_table(v->d,
				bench_text(v->d, "Commits%s%s: second over first",
					pattern >= 0 ? " by " : "",
					pattern >= 0 ? names_text(&profile_pattern_names, pattern)
						     : ""),
				sync_columns, BENCH_COUNT(sync_columns));
			t->detail = cell_detail;
		}
		put_sync(v, t, s, other);
	}
}

/* ---- capacities ---- */

static const struct doc_column knee_columns[] = {
	{"Operation", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"First, IOPS", DOC_RIGHT},
	{"limited by", DOC_LEFT},
	{"Second, IOPS", DOC_RIGHT},
	{"limited by", DOC_LEFT},
	{"Ratio (95 %)", DOC_RIGHT},
	{"Difference", DOC_LEFT},
};

static void
put_knee(struct versus *v, struct doc_table *t, const struct profile_knee *a,
	const struct profile_knee *b)
{
	struct doc *d = v->d;
	struct stats_range ratio = pair_ratio_of_ranges(
		(struct stats_range){a->iops, a->iops_lo, a->iops_hi},
		(struct stats_range){b->iops, b->iops_lo, b->iops_hi});
	const char *cells[BENCH_COUNT(knee_columns)] = {names_text(&profile_op_names, a->op),
		bench_size(d, a->bs_b), bench_capacity(d, a, false), bench_limit_words(a->limit),
		bench_capacity(d, b, false), bench_limit_words(b->limit),
		bench_ratio(d, ratio.value, ratio.lo, ratio.hi), count_difference(v, &ratio)};
	bench_row(d, t, cells, BENCH_COUNT(knee_columns));
}

static void
put_knees(struct versus *v)
{
	struct doc_table *t = NULL;
	const struct profile *a = v->first.p, *b = v->second.p;
	for (size_t i = 0; i < a->n_knees; i++) {
		for (size_t k = 0; k < b->n_knees; k++) {
			if (a->knees[i].op != b->knees[k].op ||
				!same(a->knees[i].bs_b, b->knees[k].bs_b))
				continue;
			if (!t)
				t = doc_table(v->d, "Capacity: second over first", knee_columns,
					BENCH_COUNT(knee_columns));
			put_knee(v, t, &a->knees[i], &b->knees[k]);
			break;
		}
	}
}

/* ---- the whole ---- */

static const char *
name_of(const struct profile *p)
{
	return p->name ? p->name : "disk";
}

/* The call-out goes above the tables that are counted for it: fill it in afterwards. */
static void
set_verdict(struct versus *v, size_t block)
{
	struct doc *d = v->d;
	if (d->failed || block >= d->n)
		return;
	if (v->rows == 0) {
		d->blocks[block].text = "The two measurements have nothing in common.";
		return;
	}
	size_t same_n = v->rows - v->faster - v->slower - v->open;
	const char *open = v->open ? bench_text(d,
					     "; %zu with too few slices to tell (give more --time)",
					     v->open)
				   : "";
	d->blocks[block].text = bench_text(d,
		"%s (second) against %s (first): of %zu rows faster in %zu, slower in %zu, no "
		"difference shown in %zu%s.",
		name_of(v->second.p), name_of(v->first.p), v->rows, v->faster, v->slower, same_n,
		open);
}

/* What is said against one of the two is said against the comparison. */
static void
warn_of(struct doc *d, const struct profile *p)
{
	const char *verdict = p->quality ? p->quality->verdict : NULL;
	if (verdict && strcmp(verdict, "clean") != 0)
		doc_callout(d, strcmp(verdict, "not-the-disk") == 0 ? DOC_FAIL : DOC_WARNING,
			"%s: verdict %s: its figures, and so the ratios, are doubtful.", name_of(p),
			verdict);
}

void
bench_compare(
	struct doc *d, const struct profile *first, const struct profile *second, bool together)
{
	const double nan = (double)NAN;
	struct versus v = {.d = d,
		.first = {d, first, 3, nan},
		.second = {d, second, 3, nan},
		.together = together};
	doc_heading(d, 2, "%s against %s", name_of(second), name_of(first));
	size_t verdict = d->n;
	doc_callout(d, DOC_NOTE, "-");
	warn_of(d, first);
	warn_of(d, second);
	doc_paragraph(d, "%s",
		together ? "Both took turns slice by slice; a ratio compares the work done in "
			   "slices of the same minutes, its 95 % interval is a bootstrap of pairs "
			   "of slices."
			 : "Intervals (95 %) are a bootstrap of the slices of each; what else "
			   "changed "
			   "between the two measurements is in the ratios, too.");
	put_knees(&v);
	put_cells(&v, is_plain, "Reads and writes: second over first");
	put_cells(&v, is_mix, "Reads and writes together: second over first");
	for (int pattern = -1; pattern < PROFILE_PATTERN_COUNT; pattern++)
		put_syncs(&v, pattern);
	set_verdict(&v, verdict);
	if (v.rows > 0)
		doc_paragraph(d,
			"By chance alone about one row in twenty shows a difference where there is "
			"none.");
}
