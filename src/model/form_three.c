/*
 * form_three.c - the three-number curve: ln R(q) = 1/8 ln((L1 + c (q-1))^8 + (q/C)^8).
 *
 * Light latency L1, congestion slope c, wall C; models.md 1.3 measured it against eleven others.
 * The slope is fitted as a share of L1: its bound "at most L1" (beyond, throughput would fall with
 * depth) then is a constant, and a slope at its lower bound is none.
 */
#include <math.h>

#include "model/form.h"

static const double exponent = 8;

static double
value(const double *theta, double q, double *gradient)
{
	double slope = exp(theta[1]) * (q - 1);
	double ln_a = theta[0] + log1p(slope);
	double share;
	double ln_r = form_pnorm(exponent, ln_a, log(q) - theta[2], &share);
	if (gradient) {
		gradient[0] = share;
		gradient[1] = share * slope / (1 + slope);
		gradient[2] = -(1 - share);
	}
	return ln_r;
}

static size_t
starts(const struct form_data *d, double start[FORM_MAX_STARTS][FORM_MAX_K])
{
	/* The first two are the method's; the others reach minima of steep or noisy sweeps. */
	static const struct {
		double slope, wall;
	} table[] = {{1e-3, 1}, {0.05, 1}, {0.3, 1.5}, {0.9, 3}};
	size_t n = sizeof(table) / sizeof(table[0]);
	for (size_t i = 0; i < n; i++) {
		start[i][0] = log(d->t[0]);
		start[i][1] = log(table[i].slope);
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
	lo[1] = log(1e-4);
	hi[1] = 0;
	lo[2] = log(0.9 * rate);
	hi[2] = log(100 * rate);
}

const struct form form_three = {
	.name = "three",
	.k = 3,
	.parameters = {"ln light latency (us)", "ln slope over light latency", "ln wall (1/us)"},
	.value = value,
	.starts = starts,
	.bounds = bounds,
};
