/*
 * goal.h - goal seek: which value of one input makes a result equal to a target.
 *
 * Brent's method (GSL) on [lo, hi].  A function that does not change sides over the interval has no
 * answer there, and that is an answer: "no solution in [lo, hi]".  For a function that is not
 * monotone one of several solutions is found.
 */
#ifndef TCO_GOAL_H
#define TCO_GOAL_H

#include "base/err.h"

typedef double (*goal_fn)(double x, void *context);

/*
 * Solve f(x) = target for lo <= x <= hi, to 1e-12 of the interval.  *x is written on success only.
 * Errors: ERR_NOT_FOUND ("no solution in [lo, hi]", with the values at both ends), ERR_RANGE (lo
 * not below hi, or f unknown at an end), ERR_NUMERIC.
 */
int goal_seek(goal_fn f, void *context, double target, const double interval[2], double *x,
	struct err *err);

#endif /* TCO_GOAL_H */
