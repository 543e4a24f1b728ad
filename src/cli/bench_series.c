/*
 * bench_series.c - what is seen over time: filling the file, the same load held, the same blocks
 * read twice, read-ahead.
 */
#include <math.h>
#include <string.h>

#include "cli/bench_parts.h"

enum { SPARK_WIDTH = 60, ROWS = 40, DRAWN = 1000 };

static double
most_of(const double *v, size_t n)
{
	double most = NAN;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, v[i]); /* passes over NaN */
	return most;
}

/* Mean, least and most of the values [from, to); NaN when none is known. */
struct stretch {
	double mean, least, most;
};

static struct stretch
stretch_of(const double *v, size_t from, size_t to)
{
	struct stretch s = {0, NAN, NAN};
	size_t known = 0;
	for (size_t i = from; i < to; i++) {
		if (isnan(v[i]))
			continue;
		s.mean += v[i];
		s.least = fmin(s.least, v[i]);
		s.most = fmax(s.most, v[i]);
		known++;
	}
	s.mean = known ? s.mean / (double)known : (double)NAN;
	return s;
}

static double
bucket_of(const struct profile_series *s)
{
	return s->bucket_s > 0 ? s->bucket_s : 1;
}

/* A table of at most ROWS stretches; the profile has every bucket. */
static struct doc_table *
data_table(struct doc *d, const struct profile_series *s)
{
	static const struct doc_column columns[] = {
		{"From (s)", DOC_RIGHT},
		{"To (s)", DOC_RIGHT},
		{"Mean (MiB/s)", DOC_RIGHT},
		{"Least (MiB/s)", DOC_RIGHT},
		{"Most (MiB/s)", DOC_RIGHT},
	};
	size_t step = (s->n_mibps + ROWS - 1) / ROWS;
	const char *caption = bench_text(
		d, "Throughput by stretches of %.3g s", (double)step * bucket_of(s));
	struct doc_table *t = doc_data_table(d, caption, columns, BENCH_COUNT(columns));
	t->deep = true;
	for (size_t from = 0; from < s->n_mibps; from += step) {
		size_t to = from + step < s->n_mibps ? from + step : s->n_mibps;
		struct stretch part = stretch_of(s->mibps, from, to);
		const char *row[BENCH_COUNT(columns)] = {
			bench_text(d, "%.4g", (double)from * bucket_of(s)),
			bench_text(d, "%.4g", (double)to * bucket_of(s)), bench_count(d, part.mean),
			bench_count(d, part.least), bench_count(d, part.most)};
		bench_row(d, t, row, BENCH_COUNT(columns));
	}
	return t;
}

static void
draw(struct doc *d, struct doc_figure *f, const struct profile_series *s)
{
	size_t step = (s->n_mibps + DRAWN - 1) / DRAWN, n = (s->n_mibps + step - 1) / step;
	double *at = arena_array(d->arena, n, sizeof(*at));
	double *v = arena_array(d->arena, n, sizeof(*v));
	d->failed = d->failed || !at || !v;
	if (!at || !v)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t from = i * step, to = from + step < s->n_mibps ? from + step : s->n_mibps;
		at[i] = (double)(from + to) / 2 * bucket_of(s);
		v[i] = stretch_of(s->mibps, from, to).mean;
	}
	struct doc_series *line = doc_series(
		d, f, names_text(&profile_op_names, s->op), DOC_MARK_LINE, n);
	line->x = at;
	line->y = v;
	if (isnan(s->change_s) || !s->verdict)
		return;
	struct doc_series *mark = doc_series(
		d, f, bench_text(d, "%s at %.3g s", s->verdict, s->change_s), DOC_MARK_VLINE, 1);
	mark->x = &s->change_s;
}

static enum doc_tone
tone_of(const char *verdict)
{
	if (!verdict || strcmp(verdict, "too-short") == 0)
		return DOC_UNKNOWN;
	return strcmp(verdict, "stable") == 0 ? DOC_PASS : DOC_WARNING;
}

static const char *
load_text(struct doc *d, const struct profile_series *s)
{
	return bench_text(d, "%s, %s, depth %s, %.3g s", names_text(&profile_op_names, s->op),
		bench_size(d, s->bs_b), bench_count(d, s->qd), (double)s->n_mibps * bucket_of(s));
}

/* Size of the change, where there was one. */
static const char *
change_text(struct doc *d, const struct profile_series *s)
{
	if (!isnan(s->before_mibps) && !isnan(s->after_mibps))
		return bench_text(d, " From %s to %s MiB/s%s.", bench_count(d, s->before_mibps),
			bench_count(d, s->after_mibps),
			isnan(s->change_s) ? "" : bench_text(d, " after %.3g s", s->change_s));
	if (!isnan(s->end_over_start))
		return bench_text(
			d, " Its end ran at %.0f %% of its start.", 100 * s->end_over_start);
	return "";
}

static void
put_series(const struct bench_part *b, const char *heading, const struct profile_series *s)
{
	struct doc *d = b->d;
	const char *load = load_text(d, s);
	doc_heading(d, b->level, "%s", heading);
	doc_callout(d, tone_of(s->verdict), "%s: %s%s%s.%s", load,
		s->verdict ? s->verdict : "no verdict", s->why ? ": " : "", s->why ? s->why : "",
		s->why ? "" : change_text(d, s));
	if (s->n_mibps == 0)
		return;
	double most = most_of(s->mibps, s->n_mibps);
	if (most > 0)
		doc_paragraph(d, "%s  0 to %s MiB/s",
			bench_sparkline(d, s->mibps, s->n_mibps, SPARK_WIDTH),
			bench_count(d, most));
	const char *title = bench_text(d, "%s over time: %s", heading, load);
	struct doc_figure *f = doc_figure(d, DOC_CHART_TIME, title);
	f->x_title = "time (s)";
	f->y_title = "MiB/s";
	struct stretch all = stretch_of(s->mibps, 0, s->n_mibps);
	f->description = bench_text(d,
		"Throughput over time: %s MiB/s in the mean, least %s, most %s.",
		bench_count(d, all.mean), bench_count(d, all.least), bench_count(d, all.most));
	f->data = data_table(d, s);
	draw(d, f, s);
}

void
bench_put_first_write(const struct bench_part *b)
{
	if (b->p->first_write)
		put_series(b, "First write", b->p->first_write);
}

void
bench_put_hold(const struct bench_part *b)
{
	if (b->p->hold)
		put_series(b, "Held load", b->p->hold);
}

void
bench_put_cache(const struct bench_part *b)
{
	static const struct doc_column columns[] = {
		{"Reads", DOC_LEFT}, {"p50", DOC_RIGHT}, {"n", DOC_RIGHT}};
	const struct profile_cache *c = b->p->cache;
	struct doc *d = b->d;
	if (!c)
		return;
	doc_heading(d, b->level, "Cold and warm reads");
	const struct {
		const char *what;
		double us;
	} rows[] = {
		{"first time (cold)", c->cold_p50_us},
		{"the same blocks again (warm)", c->warm_p50_us},
		{"in the part of the file written first", c->early_p50_us},
	};
	struct doc_table *t = doc_table(
		d, "The same blocks read twice", columns, BENCH_COUNT(columns));
	for (size_t i = 0; i < BENCH_COUNT(rows); i++) {
		if (isnan(rows[i].us))
			continue;
		bench_row(d, t,
			(const char *const[]){rows[i].what, bench_latency(d, rows[i].us),
				bench_count(d, c->reads)},
			BENCH_COUNT(columns));
	}
	const double nan = (double)NAN;
	if (!isnan(c->warm_over_cold))
		doc_paragraph(d, "Warm reads were %s as fast as cold ones.",
			bench_ratio(d, c->warm_over_cold, nan, nan));
	if (!isnan(c->hit_frac))
		doc_paragraph(d, "%s of the cold reads were as fast as warm ones.",
			bench_percent(d, c->hit_frac));
}

void
bench_put_readahead(const struct bench_part *b)
{
	static const struct doc_column columns[] = {
		{"Read-ahead", DOC_LEFT}, {"Sequential buffered reads (MiB/s)", DOC_RIGHT}};
	const struct profile_readahead *r = b->p->readahead;
	struct doc *d = b->d;
	if (!r)
		return;
	doc_heading(d, b->level, "Read-ahead");
	struct doc_table *t = doc_table(d,
		isnan(r->bs_b) ? "Read-ahead of the kernel, on and off"
			       : bench_text(d, "Read-ahead of the kernel, on and off, %s at a time",
					 bench_size(d, r->bs_b)),
		columns, BENCH_COUNT(columns));
	const char *on = isnan(r->read_ahead_kib)
				 ? "on"
				 : bench_text(d, "on (%s KiB)", bench_count(d, r->read_ahead_kib));
	bench_row(d, t, (const char *const[]){on, bench_count(d, r->on_mibps)}, 2);
	bench_row(d, t, (const char *const[]){"off", bench_count(d, r->off_mibps)}, 2);
	const double nan = (double)NAN;
	if (r->off_mibps > 0)
		doc_paragraph(d, "Read-ahead makes them %s as fast.",
			bench_ratio(d, r->on_mibps / r->off_mibps, nan, nan));
}
