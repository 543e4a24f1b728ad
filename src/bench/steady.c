#include "bench/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/change.h"

enum { ROUNDS = 5, TURNS_MIN = 3, HELD_MIN = 4 /* completions a bucket */ };

static const double ROUND_S = 10;
static const double RANGE_MAX = 0.20, SLOPE_MAX = 0.10; /* SNIA */
static const double CV_MAX = 0.30;
static const double HUNG_MIN_S = 1;
/* t of the slope: as the threshold of changes, more than one series in 100 by chance does not */
static const double SLOPE_T = 4;
/*
 * Two levels explain that much of the variance.  The best division in two explains 2/pi = 0.64 of a
 * normal distribution and 0.75 of a uniform one.
 */
static const double TWO_LEVELS = 0.85;
static const double EACH_LEVEL = 0.15; /* least share of the time */
static const double PERIODIC = 0.5; /* autocorrelation one turn later */
/* Faster turns are the grain of a limit that hands out shares 10 times a second, say: percentiles
 * show them, and the rate is as good as steady. */
static const double TURN_MIN_S = 1;
/* Of the completions that may come at one moment; beyond the one lump on either side of a bucket's end. */
static const double GRAIN = 1.5;

static const char *const words[] = {
	[STEADY_STABLE] = "stable",
	[STEADY_DROPPED] = "dropped",
	[STEADY_ROSE] = "rose",
	[STEADY_DRIFTING] = "drifting",
	[STEADY_NOISY] = "noisy",
	[STEADY_TOO_SHORT] = "too-short",
};
_Static_assert(sizeof(words) / sizeof(words[0]) == STEADY_COUNT, "a word each");
const struct names steady_names = {"steady state", words, STEADY_COUNT};

/* The series with its buckets merged until one holds at least HELD_MIN completions. */
struct series {
	struct change c;
	double bucket_s;
	double grain; /* a difference that the moment a bucket ends can make */
};

struct line {
	double start, end; /* at the first and last bucket */
	double slope_t; /* slope over its standard error, autocorrelation allowed for */
	double squares; /* what is left about it */
};

static void
clear(struct steady *s)
{
	const struct stats_range none = {NAN, NAN, NAN};
	*s = (struct steady){.verdict = STEADY_TOO_SHORT,
		.rate = NAN,
		.change_s = NAN,
		.before = none,
		.after = none,
		.end_over_start = NAN,
		.after_cv_frac = NAN,
		.cv_frac = NAN,
		.lag1 = NAN,
		.range_frac = NAN,
		.slope_frac = NAN,
		.round_s = NAN,
		.low = NAN,
		.high = NAN,
		.turn_s = NAN,
		.hung_s = NAN,
		.hung_from_s = NAN};
}

struct hang {
	size_t from, n; /* buckets; n = 0: none */
};

/* Longest time without a completion, where at other times there are several a bucket. */
static struct hang
find_hang(const uint32_t *ios, size_t n, double bucket_s, double total)
{
	struct hang h = {0, 0};
	size_t run = 0, busy = 0;
	for (size_t i = 0; i < n; i++) {
		run = ios[i] ? 0 : run + 1;
		busy += ios[i] != 0;
		if (run > h.n)
			h = (struct hang){.from = i + 1 - run, .n = run};
	}
	if (total < HELD_MIN * (double)busy || (double)h.n * bucket_s < HUNG_MIN_S)
		h.n = 0;
	return h;
}

/* A short hang is a fact of its own and not a level: it is filled with what was before it. */
static void
fill_hang(double *x, size_t n, const struct hang *h)
{
	double before[HELD_MIN];
	size_t end = h->from + h->n, k = h->from < HELD_MIN ? h->from : HELD_MIN;
	if (k == 0 || end == n || h->n > n / ROUNDS)
		return;
	memcpy(before, x + h->from - k, k * sizeof(*x));
	double level = stats_median(before, k).value;
	for (size_t i = h->from; i < end; i++)
		x[i] = level;
}

static int
gather(const uint32_t *ios, size_t n, double bucket_s, const struct hang *h, double total,
	struct series *out, struct err *err)
{
	double mean = total / (double)n;
	size_t merge = mean < HELD_MIN ? (size_t)ceil(HELD_MIN / mean) : 1, m = n / merge;
	if (m < STEADY_BUCKETS_MIN)
		return 0;
	double *x = calloc(n, sizeof(*x));
	if (!x)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)ios[i];
	fill_hang(x, n, h);
	for (size_t i = 0; i < m * merge; i++)
		x[i / merge] = (i % merge ? x[i / merge] : 0) + x[i];
	out->bucket_s = bucket_s * (double)merge;
	int rc = change_init(&out->c, x, m, err);
	free(x);
	return rc;
}

static struct line
fit_line(const struct change *c)
{
	double n = (double)c->n, mid = (n - 1) / 2, mean = c->sum[c->n] / n, xy = 0;
	for (size_t i = 0; i < c->n; i++)
		xy += ((double)i - mid) * c->clean[i];
	double xx = n * (n * n - 1) / 12, slope = xy / xx;
	return (struct line){.start = mean - slope * mid,
		.end = mean + slope * mid,
		.slope_t = slope * sqrt(xx) / c->long_sd,
		.squares = change_squares(c, 0, c->n) - slope * xy};
}

/* What is left about the best single change. */
static double
step_squares(const struct change *c)
{
	size_t split = change_best(c);
	return change_squares(c, split, c->n) + (split ? change_squares(c, 0, split) : 0);
}

/* About the levels, spikes included. */
static double
level_squares(const struct change *c)
{
	double sum = 0;
	for (size_t l = 0; l < c->n_levels; l++) {
		size_t n = c->from[l + 1] - c->from[l];
		double mean = 0;
		for (size_t i = c->from[l]; i < c->from[l + 1]; i++)
			mean += c->x[i] / (double)n;
		for (size_t i = c->from[l]; i < c->from[l + 1]; i++)
			sum += (c->x[i] - mean) * (c->x[i] - mean);
	}
	return sum;
}

/* About the line, spikes included. */
static double
line_squares(const struct change *c, const struct line *l)
{
	double sum = 0, slope = (l->end - l->start) / (double)(c->n - 1);
	for (size_t i = 0; i < c->n; i++) {
		double d = c->x[i] - l->start - slope * (double)i;
		sum += d * d;
	}
	return sum;
}

/* The pair of SNIA over the last five rounds. */
static void
last_rounds(const struct series *v, struct steady *s)
{
	size_t each = v->c.n / ROUNDS, full = (size_t)llround(ROUND_S / v->bucket_s);
	each = each < full || full == 0 ? each : full;
	double mean[ROUNDS], most = 0, least = INFINITY, sum = 0, slope = 0;
	for (size_t r = 0; r < ROUNDS; r++) {
		size_t from = v->c.n - (ROUNDS - r) * each;
		mean[r] = 0;
		for (size_t i = from; i < from + each; i++)
			mean[r] += v->c.x[i] / (double)each;
		most = fmax(most, mean[r]);
		least = fmin(least, mean[r]);
		sum += mean[r];
		slope += ((double)r - 2) * mean[r] / 10; /* sum of (r - 2)^2 is 10 */
	}
	s->round_s = (double)each * v->bucket_s;
	s->range_frac = sum > 0 ? (most - least) / (sum / ROUNDS) : (double)NAN;
	s->slope_frac = sum > 0 ? slope * (ROUNDS - 1) / (sum / ROUNDS) : (double)NAN;
}

/* The largest of the changes: index of the level after it; 0: none. */
static size_t
largest_change(const struct change *c)
{
	size_t best = 0;
	double most = 0;
	for (size_t i = 1; i < c->n_levels; i++) {
		double d = fabs(c->level[i] - c->level[i - 1]);
		if (d > most) {
			most = d;
			best = i;
		}
	}
	return best;
}

static struct stats_range
per_second(struct stats_range r, double bucket_s)
{
	return (struct stats_range){r.value / bucket_s, r.lo / bucket_s, r.hi / bucket_s};
}

static void
fill_change(const struct series *v, struct steady *s)
{
	const struct change *c = &v->c;
	size_t i = largest_change(c);
	s->changes = c->n_levels - 1;
	if (i == 0)
		return;
	size_t at = c->from[i], end = c->from[i + 1];
	s->change_s = (double)at * v->bucket_s;
	s->before = per_second(change_median(c, c->from[i - 1], at), v->bucket_s);
	s->after = per_second(change_median(c, at, end), v->bucket_s);
	s->after_cv_frac = stats_cv(c->clean + at, end - at);
	s->ios_before = 0;
	for (size_t k = 0; k < at; k++)
		s->ios_before += c->x[k]; /* a short hang filled: a little too much */
}

static double
over(double end, double start)
{
	return start > 0 ? end / start : (double)NAN;
}

static double
fifths(const struct change *c)
{
	size_t fifth = c->n / 5;
	double start = change_median(c, 0, fifth).value;
	return over(change_median(c, c->n - fifth, c->n).value, start);
}

/* The division of clean in two that leaves least about the two means (Otsu 1979). */
struct halves {
	double low, high; /* means */
	double limit;
	double explained; /* share of the variance */
	double smaller; /* share of the values */
};

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static struct halves
halve(const struct change *c)
{
	struct halves best = {NAN, NAN, NAN, 0, 0};
	double n = (double)c->n, total = c->sum[c->n], squares = change_squares(c, 0, c->n),
	       low = 0;
	memcpy(c->scratch, c->clean, c->n * sizeof(double));
	qsort(c->scratch, c->n, sizeof(double), by_value);
	for (size_t i = 1; i < c->n && squares > 0; i++) {
		low += c->scratch[i - 1];
		double k = (double)i, a = low / k, b = (total - low) / (n - k);
		double explained = k * (n - k) / n * (b - a) * (b - a) / squares;
		if (explained > best.explained)
			best = (struct halves){a, b, (c->scratch[i - 1] + c->scratch[i]) / 2,
				explained, fmin(k, n - k) / n};
	}
	return best;
}

/* How often the series goes from one side of the limit to the other. */
static size_t
crossings(const struct change *c, double limit)
{
	size_t n = 0;
	for (size_t i = 1; i < c->n; i++)
		n += (c->clean[i] > limit) != (c->clean[i - 1] > limit);
	return n;
}

static double
correlation(const struct change *c, size_t lag, double mean)
{
	double sum = 0;
	for (size_t i = lag; i < c->n; i++)
		sum += (c->clean[i] - mean) * (c->clean[i - lag] - mean);
	/* the sum has n - lag terms, what it is divided by n */
	return sum / change_squares(c, 0, c->n) * (double)c->n / (double)(c->n - lag);
}

/* Buckets until the series is most like itself again, after it was unlike; 0: it never is. */
static size_t
period(const struct change *c)
{
	double mean = c->sum[c->n] / (double)c->n, most = PERIODIC;
	size_t best = 0;
	bool unlike = false;
	for (size_t lag = 1; lag <= c->n / 3; lag++) {
		double r = correlation(c, lag, mean);
		unlike = unlike || r < 0;
		if (unlike && r > most) {
			most = r;
			best = lag;
		}
		if (best && r < 0) /* the first such lag, not a multiple of it */
			break;
	}
	return best;
}

static double
quantile(const struct change *c, double p)
{
	memcpy(c->scratch, c->clean, c->n * sizeof(double));
	qsort(c->scratch, c->n, sizeof(double), by_value);
	return c->scratch[(size_t)(p * (double)(c->n - 1))];
}

/* Levels that come and go, as of a cache that fills and drains or a limit that hands out shares. */
static void
find_turns(const struct series *v, struct steady *s)
{
	const struct change *c = &v->c;
	struct halves h = halve(c);
	size_t n = crossings(c, h.limit), turn = 0;
	bool two = h.explained >= TWO_LEVELS && h.smaller >= EACH_LEVEL && n >= TURNS_MIN;
	if (two) {
		s->low = h.low / v->bucket_s;
		s->high = h.high / v->bucket_s;
		s->turn_s = (double)c->n * v->bucket_s / ((double)n / 2);
	} else if ((turn = period(c)) > 0) {
		s->low = quantile(c, 0.1) / v->bucket_s;
		s->high = quantile(c, 0.9) / v->bucket_s;
		s->turn_s = (double)turn * v->bucket_s;
	}
	s->alternates = (two || turn) && s->turn_s >= TURN_MIN_S &&
			s->low < (1 - CHANGE_LEAST_FRAC) * s->high &&
			(s->high - s->low) * v->bucket_s > v->grain;
}

static bool
drifts(const struct line *l, double step)
{
	return fabs(l->slope_t) >= SLOPE_T && l->squares <= step &&
	       fabs(l->end - l->start) >= CHANGE_LEAST_FRAC * fmax(l->start, l->end);
}

static bool
unsteady(const struct steady *s)
{
	return s->cv_frac > CV_MAX || s->range_frac > RANGE_MAX ||
	       fabs(s->slope_frac) > SLOPE_MAX || !isnan(s->hung_s);
}

static void
decide(const struct series *v, struct steady *s)
{
	const struct change *c = &v->c;
	struct line line = fit_line(c);
	double step = step_squares(c), all = change_squares(c, 0, c->n);
	double first = c->level[0], last = c->level[c->n_levels - 1], spread = level_squares(c);
	s->end_over_start = c->n_levels > 1 ? over(last, first) : fifths(c);
	s->verdict = STEADY_STABLE;
	if (drifts(&line, step)) {
		s->verdict = STEADY_DRIFTING;
		s->end_over_start = over(fmax(0, line.end), line.start);
		spread = line_squares(c, &line);
	} else if (c->n_levels > 1 && change_differ(c, 0, c->n_levels - 1)) {
		s->verdict = last < first ? STEADY_DROPPED : STEADY_ROSE;
	}
	s->cv_frac = sqrt(spread / (double)(c->n - 1)) / (c->sum[c->n] / (double)c->n);
	if (s->verdict == STEADY_STABLE && (c->n_levels > 1 || unsteady(s)))
		s->verdict = STEADY_NOISY;
	if (fmin(step, line.squares) > all / 2)
		find_turns(v, s);
	if (s->alternates) {
		s->verdict = STEADY_NOISY;
		s->end_over_start = fifths(c);
	}
}

int
steady_judge(const uint32_t *ios, size_t n, double bucket_s, double together, struct steady *out,
	struct err *err)
{
	struct series v = {.grain = GRAIN * together};
	clear(out);
	for (size_t i = 0; i < n; i++)
		out->ios_before += (double)ios[i];
	if (n < STEADY_BUCKETS_MIN || out->ios_before <= 0)
		return 0;
	struct hang h = find_hang(ios, n, bucket_s, out->ios_before);
	int rc = gather(ios, n, bucket_s, &h, out->ios_before, &v, err);
	if (rc || v.c.n == 0)
		return rc;
	change_find(&v.c);
	out->hung_s = h.n ? (double)h.n * bucket_s : (double)NAN;
	out->hung_from_s = h.n ? (double)h.from * bucket_s : (double)NAN;
	out->rate = change_median(&v.c, 0, v.c.n).value / v.bucket_s;
	out->lag1 = v.c.lag1;
	last_rounds(&v, out);
	fill_change(&v, out);
	decide(&v, out);
	change_fini(&v.c);
	return 0;
}
