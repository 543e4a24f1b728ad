/*
 * knee.h - where more requests in flight stop to bring more: the knee of a ladder of depths, and
 * the capacity above it.
 *
 * By Little's law a disk that answers alone in L seconds and does at most C requests a second has
 * its knee at depth L x C; a ladder in doublings finds it to within one doubling.
 */
#ifndef BENCH_KNEE_H
#define BENCH_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee_point {
	double qd, iops;
	double lo, hi; /* 95 % interval of iops; NaN: not known */
};

struct knee {
	size_t at; /* the point of the knee */
	double iops, lo, hi; /* capacity: the plateau's rate and interval; hi NaN: not reached */
	size_t from, n_top; /* first point of the plateau (by depth), and how many there are */
	double flat_frac; /* largest over smallest rate on the plateau, less 1 */
	double rise_frac; /* rate gained by the last step in depth; NaN: one point */
	bool reached; /* the rate had stopped rising before the depths ended */
};

/*
 * Find it in points of ascending depth.  The plateau is every point that may be as fast as the
 * fastest: the upper end of its interval comes within 2 % of the highest lower end.  Its rate is
 * their median.  The knee is the smallest depth that brings 97 % of that rate, or 90 % with an
 * interval that includes it (short slices scatter, and a knee found too deep by their scatter would
 * be off by doublings).  It is not reached when the knee is the last point and the step to it
 * still brought more than 10 %.  False: no point has a rate.
 */
bool knee_find(const struct knee_point *points, size_t n, struct knee *k);

#endif /* BENCH_KNEE_H */
