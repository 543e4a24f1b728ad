/*
 * change.h - where the level of a noisy series changes.
 *
 * The series is counts of equal spans of time.  Its noise may be autocorrelated (lag-1 0.43 was seen
 * in public series of 250 ms) and may have spikes.  Methods:
 *
 * - Noise from differences, which changes of level hardly touch: the mean squares at lag 1 and 2 are
 *   2 s^2 (1 - r) and 2 s^2 (1 - r^2) for a first-order autoregression, so their ratio is 1 + r
 *   (Chakar, Lebarbier, Levy-Leduc, Robin, "A robust approach for estimating change-points in the
 *   mean of an AR(1) process", Bernoulli 23(2), 2017).  Here the largest fifth of the squares is
 *   left out in place of their medians, which need longer series.  Once there are levels, noise about
 *   them is known better; the smaller figure counts.
 * - Spikes of up to three values are drawn to within 3 s of a running median of seven (Hampel
 *   filter); the shortest level is four.
 * - A change inside a span is tested by the largest CUSUM, |mean after - mean before| x
 *   sqrt(k (n - k) / n), in units of the long-run standard deviation s sqrt((1 + r) / (1 - r)); r is
 *   taken as no less than the 0.43, for a short series cannot show that it is less.
 * - Several changes by binary segmentation, the clearest first; then each is placed anew between its
 *   neighbours (least squares).  Changes of under CHANGE_LEAST_FRAC are undone, the smallest first.
 *
 * The threshold was found by simulation so that at most 1 % of series without a change exceed it
 * (white noise, autoregression with r = 0.43, both with spikes; 12 to 7200 values); the test
 * measures that again.
 */
#ifndef BENCH_CHANGE_H
#define BENCH_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "bench/stats.h"

enum { CHANGE_LEVELS_MAX = 64 };

/* A step of less than that part of the higher level is of no account: it is the limit that SNIA
 * sets to the slope in the steady state. */
#define CHANGE_LEAST_FRAC 0.10

struct change {
	size_t n;
	double *x; /* the series */
	double *clean; /* without spikes */
	double *sum; /* n + 1 sums of clean, from 0 */
	double *scratch; /* n */
	double sd, lag1; /* of the noise */
	double sd_min;
	double long_sd; /* sd of a mean of m values is long_sd / sqrt(m) */
	double cusum; /* the largest over the whole series, in units of long_sd */
	size_t least; /* shortest level */
	/* The levels: number i is from[i] up to from[i + 1]. */
	size_t n_levels, from[CHANGE_LEVELS_MAX + 1];
	double level[CHANGE_LEVELS_MAX]; /* medians of x */
};

/* Copies x, n > 0 values, all >= 0.  ERR_NOMEM; then there is nothing to release. */
int change_init(struct change *c, const double *x, size_t n, struct err *err);
void change_fini(struct change *c);

/* Noise and levels. */
void change_find(struct change *c);

/* Where one change divides the whole series best; 0: too short for two levels. */
size_t change_best(const struct change *c);

/* Whether two levels differ by more than chance, and by CHANGE_LEAST_FRAC. */
bool change_differ(const struct change *c, size_t level, size_t other);

/*
 * Median of x over [from, end) with a 95 % interval: that of independent values, widened by the
 * autocorrelation.
 */
struct stats_range change_median(const struct change *c, size_t from, size_t end);

/* Sum of squared differences of clean from the mean, over [from, end). */
double change_squares(const struct change *c, size_t from, size_t end);

#endif /* BENCH_CHANGE_H */
