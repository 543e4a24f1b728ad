#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { DRAWS = 400, EDGE = DRAWS / 40 /* 2.5 % of the draws */, MIN_SLICES_95 = 6 };

static const double fraction[STATS_COUNT] = {
	[STATS_MEAN] = NAN,
	[STATS_P50] = 0.5,
	[STATS_P90] = 0.9,
	[STATS_P95] = 0.95,
	[STATS_P99] = 0.99,
	[STATS_P999] = 0.999,
};

double
stats_fraction(int what)
{
	return fraction[what];
}

int
stats_enough(uint64_t n, int what)
{
	if (what == STATS_MEAN)
		return n > 0;
	/* rounded, as 1 - 0.999 is a little more than a thousandth */
	return llround((double)n * (1 - fraction[what]) * 1e6) >= 10000000;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/*
 * Largest k so that the k-th smallest and k-th largest of n hold the median with 95 %: P(fewer than
 * k of n below the median) <= 2.5 %.  0: no such pair.
 */
static size_t
median_rank(size_t n)
{
	double term = pow(0.5, (double)n), sum = 0;
	size_t k = 0;
	while (k < n && sum + term <= 0.025) {
		sum += term;
		term = term * (double)(n - k) / (double)(k + 1);
		k++;
	}
	return k;
}

struct stats_range
stats_median(double *v, size_t n)
{
	struct stats_range r = {NAN, NAN, NAN};
	if (n == 0)
		return r;
	qsort(v, n, sizeof(*v), by_value);
	r.value = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
	if (n < 2)
		return r;
	size_t k = n >= MIN_SLICES_95 ? median_rank(n) : 1;
	r.lo = v[k - 1];
	r.hi = v[n - k];
	return r;
}

double
stats_cv(const double *v, size_t n)
{
	double sum = 0, squares = 0;
	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return mean > 0 ? sqrt(squares / (double)(n - 1)) / mean : (double)NAN;
}

static double
measure(const struct hist *h, int what)
{
	double ns = what == STATS_MEAN ? hist_mean_ns(h) : hist_quantile_ns(h, fraction[what]);
	return ns / 1000;
}

/* Slices drawn together: counts of the bins that any slice has. */
struct drawn {
	size_t n_bins;
	double counts[HIST_BINS], mid_ns[HIST_BINS];
	uint16_t place[HIST_BINS]; /* of a bin among those */
	double n, sum_ns, min_ns, max_ns;
};

static void
drawn_init(struct drawn *d, const struct hist *pooled)
{
	d->n_bins = 0;
	for (size_t bin = 0; bin < HIST_BINS; bin++) {
		if (pooled->bins[bin] == 0)
			continue;
		d->place[bin] = (uint16_t)d->n_bins;
		d->mid_ns[d->n_bins++] = hist_bin_mid_ns(bin);
	}
}

static void
drawn_add(struct drawn *d, const struct hist_packed *slice)
{
	d->n += (double)slice->n;
	d->sum_ns += slice->sum_ns;
	d->min_ns = fmin(d->min_ns, (double)slice->min_ns);
	d->max_ns = fmax(d->max_ns, (double)slice->max_ns);
	for (size_t i = 0; i < slice->n_bins; i++)
		d->counts[d->place[slice->bins[i].bin]] += slice->bins[i].n;
}

/* Mean and percentiles, these by nearest rank as hist_quantile_ns(), in one pass. */
static void
drawn_measures(const struct drawn *d, double us[STATS_COUNT])
{
	double seen = 0;
	int what = STATS_MEAN + 1;
	us[STATS_MEAN] = d->sum_ns / d->n / 1000;
	for (size_t i = 0; i < d->n_bins && what < STATS_COUNT; i++) {
		seen += d->counts[i];
		while (what < STATS_COUNT && seen >= ceil(fraction[what] * d->n * (1 - 1e-12)))
			us[what++] = fmin(d->max_ns, fmax(d->min_ns, d->mid_ns[i])) / 1000;
	}
}

/* Draw n slices with replacement and note the measures, DRAWS times. */
static void
bootstrap(const struct hist_packed *const *slices, size_t n, uint64_t seed, struct drawn *d,
	double *values)
{
	struct rng rng;
	rng_seed(&rng, seed);
	for (int draw = 0; draw < DRAWS; draw++) {
		double us[STATS_COUNT];
		memset(d->counts, 0, d->n_bins * sizeof(d->counts[0]));
		d->n = d->sum_ns = d->max_ns = 0;
		d->min_ns = INFINITY;
		for (size_t i = 0; i < n; i++)
			drawn_add(d, slices[rng_below(&rng, n)]);
		for (int what = 0; what < STATS_COUNT; what++)
			us[what] = NAN;
		if (d->n > 0)
			drawn_measures(d, us);
		for (int what = 0; what < STATS_COUNT; what++)
			values[what * DRAWS + draw] = us[what];
	}
}

static void
widen(struct stats_range *r, double lo, double hi)
{
	if (!isnan(lo))
		r->lo = isnan(r->lo) ? lo : fmin(r->lo, lo);
	if (!isnan(hi))
		r->hi = isnan(r->hi) ? hi : fmax(r->hi, hi);
}

/* A percentile is known to its bin, however alike the slices are. */
static void
widen_to_bins(struct stats_range *r, const struct hist *pooled)
{
	size_t first = hist_bin(llround(r->lo * 1000)), last = hist_bin(llround(r->hi * 1000));
	double lo_ns = fmax((double)pooled->min_ns, hist_bin_low_ns(first));
	double hi_ns = fmin((double)pooled->max_ns, hist_bin_low_ns(last + 1));
	widen(r, lo_ns / 1000, hi_ns / 1000);
}

static void
within(const struct hist *pooled, int what, struct stats_range *r)
{
	double lo = NAN, hi = NAN;
	if (what == STATS_MEAN) {
		double half = 1.96 * hist_sd_ns(pooled) / sqrt((double)pooled->n);
		lo = fmax(0, hist_mean_ns(pooled) - half); /* a few samples, one of them long */
		hi = hist_mean_ns(pooled) + half;
	} else {
		hist_quantile_interval_ns(pooled, fraction[what], &lo, &hi);
	}
	widen(r, lo / 1000, hi / 1000);
}

int
stats_latency(const struct hist_packed *const *slices, size_t n, uint64_t seed,
	struct stats_range out[STATS_COUNT], struct hist *pooled, struct err *err)
{
	struct drawn *drawn = malloc(sizeof(*drawn));
	double *values = calloc((size_t)STATS_COUNT * DRAWS, sizeof(*values));
	if (!drawn || !values) {
		free(values);
		free(drawn);
		return err_nomem(err);
	}
	hist_init(pooled);
	for (size_t i = 0; i < n; i++)
		hist_merge_packed(pooled, slices[i]);
	drawn_init(drawn, pooled);
	if (n >= 2 && pooled->n > 0)
		bootstrap(slices, n, seed, drawn, values);
	for (int what = 0; what < STATS_COUNT; what++) {
		out[what] = (struct stats_range){NAN, NAN, NAN};
		if (!stats_enough(pooled->n, what))
			continue;
		out[what].value = measure(pooled, what);
		within(pooled, what, &out[what]);
		double *v = values + (size_t)what * DRAWS;
		qsort(v, DRAWS, sizeof(*v), by_value);
		if (n >= 2)
			widen(&out[what], v[EDGE - 1], v[DRAWS - EDGE]);
		if (what != STATS_MEAN && !isnan(out[what].lo) && !isnan(out[what].hi))
			widen_to_bins(&out[what], pooled);
	}
	free(values);
	free(drawn);
	return 0;
}
