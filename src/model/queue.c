#include "model/queue.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double begins = 0.95; /* of the wall */
static const double window_s = 60; /* how long such a load is looked at */

/* Share of requests that wait less than the statistic. */
static const double share[] = {
	[MODEL_MEAN] = 0, [MODEL_P50] = 0.5, [MODEL_P99] = 0.99, [MODEL_P999] = 0.999};
_Static_assert(sizeof(share) / sizeof(share[0]) == MODEL_STATISTIC_COUNT, "every statistic");

/* Of the steady state: slack = 1 - rho. */
static double
steady_s(double slack, double wall, double burst, enum model_statistic stat)
{
	double passes = 2 * burst * slack; /* -ln of the chance that the bucket is empty */
	if (stat == MODEL_MEAN)
		return (1 - slack) / (2 * wall * slack) * exp(-passes);
	return fmax(0, -log(1 - share[stat]) - passes) / (2 * slack * wall);
}

/* Of a queue that starts empty and lasts a window at rho = 1: the mean of a reflected walk over
 * the window, and the quantile at its end; the bucket comes off. */
static double
bounded_s(double wall, double burst, enum model_statistic stat)
{
	double spread = sqrt(wall * window_s); /* I/O */
	double queue = stat == MODEL_MEAN ? 2.0 / 3 * sqrt(2 / 3.14159265358979) * spread
					  : gsl_cdf_ugaussian_Pinv((1 + share[stat]) / 2) * spread;
	return fmax(0, queue - burst) / wall;
}

double
queue_wait_us(double rate, double wall, double burst, enum model_statistic stat)
{
	double rho = rate / wall;
	if (!(rho > begins))
		return 0;
	double slack = fmax(1 - rho, 1e-12);
	double steady = steady_s(slack, wall, burst, stat), bounded = bounded_s(wall, burst, stat);
	if (!(steady > 0) || !(bounded > 0))
		return 0;
	double fades_in = fmin(1, (rho - begins) / (1 - begins));
	return 1e6 * fades_in / (1 / steady + 1 / bounded);
}

double
queue_longest_us(double wall, enum model_statistic stat)
{
	return 1e6 * bounded_s(wall, 0, stat);
}
