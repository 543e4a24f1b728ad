/*
 * knees.h - the knees of a measured profile and what holds each plateau, from its cells.
 */
#ifndef BENCH_KNEES_H
#define BENCH_KNEES_H

#include "base/arena.h"
#include "base/err.h"
#include "bench/limits.h"
#include "profile/profile.h"

struct knees_seen {
	struct limits limits; /* of control groups */
	/* on the plateau: share of the time on a processor or waiting for one; NaN: not known */
	double client_frac[PROFILE_OP_COUNT];
};

/*
 * Fill p->knees: one for random reads and one for random writes, where their ladder (closed loop,
 * one direction, the smallest block size with several depths) is among p->cells.  ERR_NOMEM.
 */
int knees_fill(struct profile *p, const struct knees_seen *seen, struct arena *a, struct err *err);

#endif /* BENCH_KNEES_H */
