/*
 * stats.h - medians and intervals over the slices of a cell.
 */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hist.h"

struct stats_range {
	double value, lo, hi; /* NaN: not known */
};

/*
 * Median with its 95 % interval by order statistics (binomial, p = 1/2).  Below 6 values no pair of
 * them reaches 95 %: lo and hi are then the smallest and the largest, which cover the median with
 * 1 - 2^(1-n) (n = 4: 87.5 %); for one value they are NaN.  `v` is sorted in place.
 */
struct stats_range stats_median(double *v, size_t n);

/* Sample standard deviation over mean; NaN below 2 values. */
double stats_cv(const double *v, size_t n);

enum { STATS_MEAN, STATS_P50, STATS_P90, STATS_P95, STATS_P99, STATS_P999, STATS_COUNT };

/* The fraction of a row above; STATS_MEAN: NaN. */
double stats_fraction(int what);

/* Whether at least 10 of n samples lie above that percentile; else it is not to be shown. */
int stats_enough(uint64_t n, int what);

/*
 * Mean and percentiles of all slices together.  The interval is the wider of two: order statistics
 * inside the pooled samples (least width: samples are correlated), and a bootstrap that draws whole
 * slices (400 draws, 2.5 and 97.5 %; from 2 slices on); of a percentile at least its bin, since
 * inside one nothing is known.  Percentiles with fewer than 10 samples
 * above are NaN.  ERR_NOMEM.
 */
int stats_latency(const struct hist_packed *const *slices, size_t n, uint64_t seed,
	struct stats_range out[STATS_COUNT], struct hist *pooled, struct err *err);

#endif /* BENCH_STATS_H */
