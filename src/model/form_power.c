/*
 * form_power.c - disks whose throughput keeps growing slowly with depth (elevator, RAID, Ceph):
 * ln R(q) = 1/8 ln((L1 q^g)^8 + (q/C)^8), 0 <= g <= 1.
 */
#include <math.h>

#include "model/form.h"

static const double exponent = 8;

static double
value(const double *theta, double q, double *gradient)
{
	double ln_q = log(q), share;
	double ln_r = form_pnorm(exponent, theta[0] + theta[1] * ln_q, ln_q - theta[2], &share);
	if (gradient) {
		gradient[0] = share;
		gradient[1] = share * ln_q;
		gradient[2] = -(1 - share);
	}
	return ln_r;
}

static size_t
starts(const struct form_data *d, double start[FORM_MAX_STARTS][FORM_MAX_K])
{
	static const struct {
		double g, wall;
	} table[] = {{0.1, 1}, {0.5, 1.5}, {0.8, 3}};
	size_t n = sizeof(table) / sizeof(table[0]);
	for (size_t i = 0; i < n; i++) {
		start[i][0] = log(d->t[0]);
		start[i][1] = table[i].g;
		start[i][2] = log(table[i].wall * form_max_rate(d));
	}
	return n;
}

static void
bounds(const struct form_data *d, double *lo, double *hi)
{
	double rate = form_max_rate(d);
	lo[0] = log(0.3 * d->t[0]);
	hi[0] = log(3 * d->t[0]);
	lo[1] = 0;
	hi[1] = 1;
	lo[2] = log(0.9 * rate);
	hi[2] = log(100 * rate);
}

const struct form form_power = {
	.name = "power",
	.k = 3,
	.parameters = {"ln light latency (us)", "exponent", "ln wall (1/us)"},
	.value = value,
	.starts = starts,
	.bounds = bounds,
};
