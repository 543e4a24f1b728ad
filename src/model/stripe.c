#include "model/stripe.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const enum model_statistic known[] = {MODEL_P50, MODEL_P99, MODEL_P999};
static const double share[] = {
	[MODEL_MEAN] = 0, [MODEL_P50] = 0.5, [MODEL_P99] = 0.99, [MODEL_P999] = 0.999};
_Static_assert(sizeof(share) / sizeof(share[0]) == MODEL_STATISTIC_COUNT, "every statistic");

double
stripe_spans(const struct disk_caps *caps, double bs_b)
{
	if (!caps || !(caps->stripe > 1) || !(caps->strip_b > 0))
		return 1;
	return fmin(caps->stripe, fmax(1, ceil(bs_b / caps->strip_b)));
}

static double
harmonic(double n)
{
	double sum = 0;
	for (int i = 1; i <= (int)n; i++)
		sum += 1.0 / i;
	return sum;
}

static double
variation(double p99_over_p50)
{
	double sigma = log(p99_over_p50) / gsl_cdf_ugaussian_Pinv(share[MODEL_P99]);
	return fmin(1, fmax(0.3, sqrt(expm1(sigma * sigma))));
}

double
stripe_slowest_mean(double n, double p99_over_p50)
{
	return n > 1 ? 1 + (harmonic(n) - 1) * variation(p99_over_p50) : 1;
}

/* The part's percentile at probability p, from those that are known around it. */
static struct estimate
percentile(const struct estimate *one, double p)
{
	double z = gsl_cdf_ugaussian_Pinv(p);
	enum model_statistic low = p <= share[known[1]] ? known[0] : known[1];
	enum model_statistic high = p <= share[known[1]] ? known[1] : known[2];
	double z_low = gsl_cdf_ugaussian_Pinv(share[low]);
	double z_high = gsl_cdf_ugaussian_Pinv(share[high]);
	double at = (z - z_low) / (z_high - z_low);
	struct estimate e = one[high];
	e.value = one[low].value * pow(one[high].value / one[low].value, at);
	e.lo = one[high].lo * e.value / one[high].value;
	e.hi = one[high].hi * e.value / one[high].value;
	if (at > 1) /* beyond what is known the tail may bend */
		e.hi *= pow(one[high].value / one[low].value, at - 1);
	return e;
}

struct estimate
stripe_slowest(const struct estimate one[MODEL_STATISTIC_COUNT], enum model_statistic stat,
	double n, double mean)
{
	struct estimate e = one[stat];
	if (!(n > 1))
		return e;
	if (stat == MODEL_MEAN) {
		e.value *= mean;
		e.hi *= mean; /* parts that follow one another wait less: lo stays */
	} else {
		e = percentile(one, pow(share[stat], 1 / n));
		e.lo = fmin(e.lo, one[stat].lo);
	}
	e.trust = TRUST_ASSUMED;
	e.how = e.how == MODEL_INTERPOLATED ? MODEL_CURVE : e.how;
	return e;
}
