/*
 * chance.h - the chance that a choice of disks keeps its promises, from how far off the latencies of its
 * disks may be.
 *
 * One error a profile: everything that rests on one profile (reads, writes, flushes; every volume on it)
 * is off by the same number z of standard deviations (spread.h), and z is normal; profiles are
 * independent.  So promises that rest on the same disk hold and break together.  More than three profiles:
 * those after the third share its error.
 *
 * Every promise is predicted by the database model (the plan's own: choose.h) on a grid of z, -3 .. 3 with
 * 13, 9 or 7 points for one, two or three profiles, and interpolated in ln(predicted / limit).  Slower disks
 * keep no promise that quicker ones break, so along one axis there is one crossing z*, and the chance given
 * the other errors is the normal distribution at z*: exact for one profile, for more the mean over
 * seeded draws of the other errors (Monte Carlo by Latin hypercube: 1,000 equally likely values of each
 * error, shuffled; the same seed for every plan: common random numbers).
 *
 * A wait at a cap is off as the disk's own time is, which is on the safe side.
 * Only the error of latencies counts: demand, caps and prices are taken as they are given.
 */
#ifndef ADVISE_CHANCE_H
#define ADVISE_CHANCE_H

#include "advise/build.h"

enum { CHANCE_AXES = 3, CHANCE_DRAWS = 1000 };

struct chance {
	size_t n_axes, n_nodes; /* nodes an axis */
	const struct advise_model *profile[CHANCE_AXES]; /* the first on this axis */
	double sigma[CHANCE_AXES]; /* the widest upper side among the disk's latencies, of ln */
	int axis_of[SEARCH_MAX_VOLUMES]; /* -1: no latency known, or none matters */
	double *gap[PROMISE_LATENCY]; /* ln(predicted / limit) at each node; NULL: not promised */
	unsigned promised, known; /* bits: promised; with a figure */
	double (*draws)[CHANCE_AXES]; /* CHANCE_DRAWS of the errors */
};

/* Fill *out for a choice that was found.  ERR_NOMEM. */
int chance_of(struct build *b, const struct choice *choice, struct chance *out, struct err *err);

/* Chance that all of these promises (bits, known ones) hold, 0 .. 1. */
double chance_holds(const struct chance *ch, unsigned rows);

/* The known promises that some latencies keep; the others are broken however quick the disks are. */
unsigned chance_open(const struct chance *ch);

/*
 * For each draw of the other errors the z of one axis up to which all of these promises hold; +-INFINITY:
 * always, never.  Returns how many draws there are: one when no other axis is.  One more value, the
 * first, is that with the other disks at their values.
 */
size_t chance_crossings(
	const struct chance *ch, unsigned rows, size_t axis, double z[CHANCE_DRAWS + 1]);

/* 2.5 % and 97.5 % of one promise as ln(predicted / limit); false: not known, or beyond what is steady. */
bool chance_interval(const struct chance *ch, size_t row, double *lo, double *hi);

/* The profile behind a candidate; NULL: none. */
const struct advise_model *chance_profile(const struct build *b, const struct candidate *c);
/* Latencies of this volume are part of the promises. */
bool chance_matters(const struct build *b, size_t v);

#endif /* ADVISE_CHANCE_H */
