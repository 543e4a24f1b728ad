#include "tco/goal.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { MAX_STEPS = 200 };

struct shifted {
	goal_fn f;
	void *context;
	double target;
};

static double
minus_target(double x, void *params)
{
	const struct shifted *s = params;
	return s->f(x, s->context) - s->target;
}

static int
iterate(gsl_root_fsolver *solver, double tolerance, double *x, struct err *err)
{
	for (int i = 0; i < MAX_STEPS; i++) {
		int status = gsl_root_fsolver_iterate(solver);
		if (status != GSL_SUCCESS)
			return err_set(err, ERR_NUMERIC, "goal seek: %s", gsl_strerror(status));
		double lo = gsl_root_fsolver_x_lower(solver), hi = gsl_root_fsolver_x_upper(solver);
		*x = gsl_root_fsolver_root(solver);
		if (hi - lo <= tolerance)
			return 0;
	}
	return err_set(
		err, ERR_NUMERIC, "goal seek: not within %g after %d steps", tolerance, MAX_STEPS);
}

int
goal_seek(goal_fn f, void *context, double target, const double interval[2], double *x,
	struct err *err)
{
	double lo = interval[0], hi = interval[1];
	struct shifted s = {f, context, target};
	if (!(lo < hi) || !isfinite(lo) || !isfinite(hi))
		return err_set(
			err, ERR_RANGE, "goal seek over [%g, %g]: lo must be below hi", lo, hi);
	double at_lo = minus_target(lo, &s), at_hi = minus_target(hi, &s);
	if (!isfinite(at_lo) || !isfinite(at_hi))
		return err_set(
			err, ERR_RANGE, "goal seek over [%g, %g]: the result is unknown", lo, hi);
	if (at_lo == 0 || at_hi == 0) {
		*x = at_lo == 0 ? lo : hi;
		return 0;
	}
	if ((at_lo < 0) == (at_hi < 0))
		return err_set(err, ERR_NOT_FOUND,
			"no solution in [%g, %g]: the result runs from %.10g to %.10g, wanted "
			"%.10g",
			lo, hi, at_lo + target, at_hi + target, target);
	gsl_set_error_handler_off(); /* the default handler aborts the program */
	gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	if (!solver)
		return err_nomem(err);
	gsl_function function = {.function = minus_target, .params = &s};
	/* no finer than doubles of this size can tell apart */
	double tolerance = fmax(1e-12 * (hi - lo), 4 * DBL_EPSILON * fmax(fabs(lo), fabs(hi)));
	double root = NAN;
	int status = gsl_root_fsolver_set(solver, &function, lo, hi);
	int rc = status == GSL_SUCCESS
			 ? iterate(solver, tolerance, &root, err)
			 : err_set(err, ERR_NUMERIC, "goal seek: %s", gsl_strerror(status));
	gsl_root_fsolver_free(solver);
	if (rc == 0)
		*x = root;
	return rc;
}
