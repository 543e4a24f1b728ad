/*
 * sizefit.h - how latency at depth 1 grows with the block: a + b x size, or where a quota of bytes
 * stands beside the device the longer of a and b x size.
 */
#ifndef BENCH_SIZEFIT_H
#define BENCH_SIZEFIT_H

#include "base/arena.h"
#include "base/err.h"
#include "profile/profile.h"

/*
 * Fill p->size_fits: one for random reads and one for random writes, where at least three sizes were
 * measured at depth 1.  Least squares of the relative residuals (every size counts alike, however
 * long it takes): minimise the sum of ((a + b s - y) / y)^2, a 2 x 2 system.  From six sizes on the
 * other form is tried, a from the smaller and b from the larger sizes at the best division in two
 * with three or more on each side, and taken when its AICc is lower by more than 4.  ERR_NOMEM.
 */
int sizefit_fill(struct profile *p, struct arena *a, struct err *err);

#endif /* BENCH_SIZEFIT_H */
