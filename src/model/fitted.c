#include "model/fitted.h"

#include <math.h>

#include "model/curve.h"
#include "model/sizes.h"

struct estimate
model_fitted(const struct model_curve *c, double qd)
{
	double value = curve_mean_us(c, qd), half = curve_half_width(c, qd);
	struct estimate e = {value, (double)NAN, (double)NAN, c->trust, MODEL_CURVE};
	if (!isnan(half)) {
		e.lo = value * exp(-half);
		e.hi = value * exp(half);
	}
	return e;
}

double
model_fitted_iops(const struct model_size *s, double bs_b)
{
	return sizes_law(s, bs_b);
}
