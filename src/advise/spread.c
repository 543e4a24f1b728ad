#include "advise/spread.h"

#include <math.h>

int
spread_trust(const struct estimate *e, int profile_trust)
{
	/* "derived" says that it was computed, not from what */
	int own = e->trust == TRUST_DERIVED ? TRUST_MEASURED : e->trust;
	return own > profile_trust ? own : profile_trust;
}

static double
least_sigma(int trust)
{
	return trust == TRUST_ASSUMED     ? SPREAD_ASSUMED
	       : trust == TRUST_PUBLISHED ? SPREAD_PUBLISHED
					  : 0;
}

double
spread_sigma(const struct estimate *e, int profile_trust, double z)
{
	double end = z < 0 ? e->lo : e->hi;
	if (isnan(e->value))
		return (double)NAN;
	if (!(end > 0) || !isfinite(end) || !(e->value > 0))
		return SPREAD_ASSUMED;
	double sigma = fabs(log(end / e->value)) / SPREAD_95;
	return fmax(sigma, least_sigma(spread_trust(e, profile_trust)));
}

struct estimate
spread_at(const struct estimate *e, int profile_trust, double z)
{
	struct estimate off = *e;
	if (!isnan(e->value))
		off.value *= exp(z * spread_sigma(e, profile_trust, z));
	off.lo = off.hi = off.value;
	return off;
}

double
spread_normal(double z)
{
	return 0.5 * erfc(-z / 1.4142135623730951);
}

double
spread_quantile(double p)
{
	double low = -8, high = 8; /* p of 1e-15 */
	for (int i = 0; i < 34; i++) { /* to 1e-9 */
		double middle = (low + high) / 2;
		if (spread_normal(middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double
spread_good_end(const struct estimate *e, int profile_trust)
{
	if (isnan(e->value))
		return e->lo;
	double low = e->value * exp(-least_sigma(spread_trust(e, profile_trust)));
	return fmin(low, isnan(e->lo) ? e->value : e->lo);
}
