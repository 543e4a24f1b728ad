/*
 * fitted.h - the fitted curve itself, for charts and residuals; disk_latency_at_qd() goes through the
 * points where there are any.
 */
#ifndef MODEL_FITTED_H
#define MODEL_FITTED_H

#include "model/disk.h"

/* Mean latency by the curve's form and numbers with the 95 % interval of a new measurement, us; lo and
 * hi are NaN where no interval is known.  c->l1_us must be known. */
struct estimate model_fitted(const struct model_curve *c, double qd);

/* IOPS of the form over block sizes. */
double model_fitted_iops(const struct model_size *s, double bs_b);

#endif /* MODEL_FITTED_H */
