/*
 * bench_commits.c - durable writes: appended and written over, by each way to make them durable,
 * by size and number of writers.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/bench_parts.h"

static const struct doc_column columns[] = {
	{"Durable by", DOC_LEFT},
	{"Block", DOC_RIGHT},
	{"Writers", DOC_RIGHT},
	{"Commits/s (95 %)", DOC_RIGHT},
	{"Mean", DOC_RIGHT},
	{"p50", DOC_RIGHT},
	{"p99", DOC_RIGHT},
	{"p99.9", DOC_RIGHT},
	{"Max", DOC_RIGHT},
	{"Write + sync", DOC_RIGHT},
	{"Sync p99", DOC_RIGHT},
	{"Flushes per sync", DOC_RIGHT},
	{"n", DOC_RIGHT},
};
/* Mean, p99.9, max, p99 of the sync and flushes are for files; flushes are said below, too. */
static const uint64_t detail = 1 << 4 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 11;

static bool
apart(const struct profile_sync *s)
{
	return s->mode == PROFILE_SYNC_FSYNC || s->mode == PROFILE_SYNC_FDATASYNC;
}

/* The two parts of the mean; with O_DSYNC there is but one. */
static const char *
parts_text(struct doc *d, const struct profile_sync *s)
{
	if (!apart(s))
		return "one call";
	if (isnan(s->write_mean_us) || isnan(s->sync_mean_us))
		return "-";
	double most = s->write_mean_us > s->sync_mean_us ? s->write_mean_us : s->sync_mean_us;
	double unit = most < 999.5 ? 1 : 1e3;
	return bench_text(d, "%.3g + %.3g %s", s->write_mean_us / unit, s->sync_mean_us / unit,
		unit > 1 ? "ms" : "us");
}

static void
put_commit(struct doc *d, struct doc_table *t, const struct profile_sync *s)
{
	const char *cells[BENCH_COUNT(columns)] = {names_text(&profile_sync_mode_names, s->mode),
		bench_size(d, s->bs_b), bench_count(d, isnan(s->writers) ? 1 : s->writers),
		bench_range(d, s->syncs_per_s, s->syncs_lo, s->syncs_hi),
		bench_latency(d, s->mean_us), bench_percentile(d, s->p50_us, s->n, 50),
		bench_percentile(d, s->p99_us, s->n, 99),
		bench_percentile(d, s->p999_us, s->n, 99.9), bench_latency(d, s->max_us),
		parts_text(d, s), apart(s) ? bench_percentile(d, s->sync_p99_us, s->n, 99) : "-",
		isnan(s->flushes_per_sync) ? "-" : bench_text(d, "%.2f", s->flushes_per_sync),
		bench_count(d, s->n)};
	bench_row(d, t, cells, BENCH_COUNT(columns));
}

static int
compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int
by_kind(const void *x, const void *y)
{
	const struct profile_sync *a = *(const struct profile_sync *const *)x;
	const struct profile_sync *b = *(const struct profile_sync *const *)y;
	int order = a->mode - b->mode;
	order = order ? order : compare(a->bs_b, b->bs_b);
	order = order ? order : compare(a->writers, b->writers);
	return order ? order : (a > b) - (a < b);
}

static const struct profile_sync **
commits_of(const struct bench_part *b, int pattern, size_t *n)
{
	const struct profile_sync **syncs = arena_array(
		b->d->arena, b->p->n_syncs + 1, sizeof(const struct profile_sync *));
	*n = 0;
	b->d->failed = b->d->failed || !syncs;
	for (size_t i = 0; syncs && i < b->p->n_syncs; i++) {
		if (b->p->syncs[i].pattern == pattern)
			syncs[(*n)++] = &b->p->syncs[i];
	}
	if (*n > 1)
		qsort(syncs, *n, sizeof(const struct profile_sync *), by_kind);
	return syncs;
}

/* How many flushes reached the device for each sync, by way: fewer than one of one writer means that
 * commits were not waited for by the device, or that its cache needs no flush. */
static void
say_flushes(const struct bench_part *b)
{
	const char *text = NULL;
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		double least = NAN, most = NAN;
		for (size_t i = 0; i < b->p->n_syncs; i++) {
			const struct profile_sync *s = &b->p->syncs[i];
			if (s->mode != mode || (!isnan(s->writers) && s->writers > 1))
				continue;
			least = fmin(least, s->flushes_per_sync); /* passes over NaN */
			most = fmax(most, s->flushes_per_sync);
		}
		if (isnan(least))
			continue;
		const char *name = names_text(&profile_sync_mode_names, mode);
		const char *range = most - least < 0.05
					    ? bench_text(b->d, "%.2f", least)
					    : bench_text(b->d, "%.2f to %.2f", least, most);
		text = bench_text(
			b->d, "%s%s%s %s", text ? text : "", text ? ", " : "", name, range);
	}
	if (text)
		doc_paragraph(b->d, "Device flushes for each sync of one writer: %s.", text);
}

void
bench_put_commits(const struct bench_part *b)
{
	static const struct {
		int pattern;
		const char *caption;
	} kinds[] = {
		{PROFILE_APPEND,
			"Commits by append (the file grows); write + sync: mean of both parts"},
		{PROFILE_OVERWRITE, "Commits by overwrite; write + sync: mean of both parts"},
		{-1, "Commits; write + sync: mean of both parts"},
	};
	if (b->p->n_syncs == 0)
		return;
	doc_heading(b->d, b->level, "Commits");
	for (size_t k = 0; k < BENCH_COUNT(kinds); k++) {
		size_t n;
		const struct profile_sync **syncs = commits_of(b, kinds[k].pattern, &n);
		if (n == 0)
			continue;
		struct doc_table *t = doc_table(
			b->d, kinds[k].caption, columns, BENCH_COUNT(columns));
		t->detail = detail;
		for (size_t i = 0; i < n; i++)
			put_commit(b->d, t, syncs[i]);
	}
	say_flushes(b);
}
