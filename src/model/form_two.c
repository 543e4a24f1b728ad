/*
 * form_two.c - two numbers, (a^p + (x/b)^p)^(1/p): a floor and a rate.
 *
 * p = 4 over depth: light latency and wall, for few depths and for published pairs.
 * p = 1 and p = 2 over block size: time of a command and bandwidth; 1 when each I/O is served one
 * after another, 2 for an SSD behind a link (models.md section 2).
 */
#include <math.h>

#include "model/form.h"

static double
pnorm(double p, const double *theta, double x, double *gradient)
{
	double share;
	double ln_t = form_pnorm(p, theta[0], log(x) - theta[1], &share);
	if (gradient) {
		gradient[0] = share;
		gradient[1] = -(1 - share);
	}
	return ln_t;
}

static double
value_4(const double *theta, double x, double *gradient)
{
	return pnorm(4, theta, x, gradient);
}

static double
value_1(const double *theta, double x, double *gradient)
{
	return pnorm(1, theta, x, gradient);
}

static double
value_2(const double *theta, double x, double *gradient)
{
	return pnorm(2, theta, x, gradient);
}

static size_t
starts(const struct form_data *d, double start[FORM_MAX_STARTS][FORM_MAX_K])
{
	static const double walls[] = {1, 1.5, 10};
	size_t n = sizeof(walls) / sizeof(walls[0]);
	for (size_t i = 0; i < n; i++) {
		start[i][0] = log(d->t[0]);
		start[i][1] = log(walls[i] * form_max_rate(d));
	}
	return n;
}

static void
bounds_depth(const struct form_data *d, double *lo, double *hi)
{
	double rate = form_max_rate(d);
	lo[0] = log(0.3 * d->t[0]);
	hi[0] = log(3 * d->t[0]);
	lo[1] = log(0.9 * rate);
	hi[1] = log(100 * rate);
}

/* The largest block may stand far below the bandwidth, the smallest far above the command's time.
 */
static void
bounds_size(const struct form_data *d, double *lo, double *hi)
{
	double rate = form_max_rate(d);
	lo[0] = log(1e-3 * d->t[0]);
	hi[0] = log(3 * d->t[0]);
	lo[1] = log(0.5 * rate);
	hi[1] = log(1e4 * rate);
}

#define FORM_TWO(n, a, b, v, bound)                                                                \
	{                                                                                          \
		.name = (n), .k = 2, .parameters = {(a), (b)}, .value = (v), .starts = starts,     \
		.bounds = (bound)                                                                  \
	}

const struct form form_two = FORM_TWO(
	"two", "ln light latency (us)", "ln wall (1/us)", value_4, bounds_depth);
const struct form form_size_1 = FORM_TWO(
	"size-1", "ln command time (us)", "ln bandwidth (B/us)", value_1, bounds_size);
const struct form form_size_2 = FORM_TWO(
	"size-2", "ln command time (us)", "ln bandwidth (B/us)", value_2, bounds_size);
