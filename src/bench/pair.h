/*
 * pair.h - how many times faster one disk was than another that was measured in turns with it.
 *
 * The ratio of two rates is the work of b in its slices over the work of a, that is mean(b) / mean(a).
 * Its 95 % interval is a percentile bootstrap over whole slices (samples inside a slice are
 * correlated, slices less so), seeded, so that the same slices give the same interval:
 *
 *  - paired: slice i of a and slice i of b were taken one after the other; they are drawn together, so
 *    what both met (a noisy neighbour, a slow minute) cancels;
 *  - not paired: slices of a and of b are drawn apart.
 *
 * The plain percentile bootstrap is too narrow for few slices.  Its tails are widened so that the
 * interval of a mean has the width of Student's (T. Hesterberg, "What Teachers Should Know About the
 * Bootstrap", The American Statistician 69, 2015: the expanded percentile interval), with the degrees of
 * freedom of Welch and Satterthwaite where slices are not paired.  Below PAIR_BOOTSTRAP_MIN slices
 * there are too few different draws to find such tails: then it is Student's interval of the
 * logarithm of the ratio, by the delta method, which takes rates of slices to be about normal.
 */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/stats.h"

enum {
	PAIR_DRAWS = 2000,
	PAIR_BOOTSTRAP_MIN = 6, /* slices */
};

/* Rates of slices, in order of time; borrowed. */
struct pair_slices {
	const double *v;
	size_t n;
};

/*
 * mean(b) / mean(a) with its interval; paired needs as many of both.  lo and hi are NaN below 2
 * pairs (3 slices of either when not paired: two say too little about their own spread) or when b did
 * nothing; hi is infinite when a stood still in most slices; all three are NaN
 * when a slice is not a finite rate of 0 or more, or a did nothing.
 * ERR_NOMEM.
 */
int pair_ratio(struct pair_slices a, struct pair_slices b, bool paired, uint64_t seed,
	struct stats_range *ratio, struct err *err);

/*
 * The ratio of two figures known by 95 % intervals alone, taken to be independent and normal on a
 * logarithmic scale: delta method, half-widths add in squares.  lo and hi are NaN when an interval
 * is not known.
 */
struct stats_range pair_ratio_of_ranges(struct stats_range a, struct stats_range b);

/* 1: the interval is above 1; -1: below; 0: it holds 1, or is not known. */
int pair_side(const struct stats_range *ratio);

/* Upper 2.5 % point of Student's t, for 1 degree of freedom and more. */
double pair_student(double df);

#endif /* BENCH_PAIR_H */
