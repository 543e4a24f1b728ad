/*
 * nls.h - least squares of a curve form in ln T by GSL: trust region, Levenberg-Marquardt with
 * geodesic acceleration, scaling by More, analytic Jacobian.
 *
 * Bounds by an active set: solve without, put the parameter that left its range furthest back on
 * its bound, solve for the rest.  The best of the form's starts is kept; where it stands on a bound
 * every other choice of parameters on bounds is tried from it.
 */
#ifndef MODEL_NLS_H
#define MODEL_NLS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/form.h"

struct nls_problem {
	const struct form *form;
	struct form_data data;
	const double *weight; /* of squared residuals; NULL: 1 each */
	/* fixed[i]: parameter i keeps value[i]; a cap that is known, a slope that is none */
	bool fixed[FORM_MAX_K];
	double value[FORM_MAX_K];
	const double *lower, *upper; /* replace the form's bounds; NULL: the form's */
};

struct nls_result {
	double theta[FORM_MAX_K];
	double covariance[FORM_MAX_K * FORM_MAX_K]; /* (J'J)^-1, row-major k x k; 0 where fixed */
	bool at_bound[FORM_MAX_K]; /* ended on a bound, or fixed by the caller */
	size_t n_free;
	double rss; /* weighted sum of squared residuals in ln T */
};

/* ERR_RANGE for fewer points than free parameters, ERR_NUMERIC when no start converges. */
int nls_fit(const struct nls_problem *p, struct nls_result *r, struct err *err);

/* t quantile, two-sided 95 %, of `dof` degrees of freedom; NaN below 1. */
double nls_t95(double dof);

#endif /* MODEL_NLS_H */
