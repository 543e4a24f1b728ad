/*
 * monotone.c - a curve through measured points that rises and falls only where they do.
 *
 * Cubic Hermite pieces of ln y over ln x with Steffen's slopes (Astronomy and Astrophysics 239,
 * 443, 1990; what GSL calls gsl_interp_steffen).  Where a piece is no steeper than x, its end slopes
 * are cut further so that x / y (or x y, when y falls) does not step back inside it either (Fritsch
 * and Carlson, SIAM J. Numer. Anal. 17, 238, 1980, for ln y and for ln x -+ ln y at once): latency and
 * throughput over depth, IOPS and bandwidth over block size.  A piece cut on one side only leaves a
 * corner at the point, which a knee is.
 */
#include <math.h>

#include "model/predict.h"

/* Secant of ln y over ln x of the piece that starts at point i. */
static double
secant(const double *x, const double *y, size_t i)
{
	return log(y[i + 1] / y[i]) / log(x[i + 1] / x[i]);
}

/* Steffen's slope at point i: that of a parabola through three points, never more than twice the
 * flatter secant, none at an extremum; at the ends the secant. */
static double
slope(const double *x, const double *y, size_t n, size_t i)
{
	if (i == 0)
		return secant(x, y, 0);
	if (i == n - 1)
		return secant(x, y, n - 2);
	double left = secant(x, y, i - 1), right = secant(x, y, i);
	if (left * right <= 0)
		return 0;
	double before = log(x[i] / x[i - 1]), after = log(x[i + 1] / x[i]);
	double parabola = (left * after + right * before) / (before + after);
	double size = fmin(fmin(fabs(left), fabs(right)), 0.5 * fabs(parabola));
	return copysign(2 * size, left);
}

/* The end slope of a piece with this secant that keeps y and x / y or x y monotone inside it. */
static double
cut(double end, double piece)
{
	double steep = fabs(piece);
	if (steep > 1)
		return end;
	double size = fmin(
		fmax(copysign(1, piece) * end, fmax(0, 3 * steep - 2)), fmin(1, 3 * steep));
	return copysign(size, piece);
}

double
predict_interpolate(const double *x, const double *y, size_t n, double at)
{
	size_t i = 0;
	while (i + 1 < n && x[i + 1] <= at)
		i++;
	if (i + 1 == n || x[i] == at)
		return y[i];
	double width = log(x[i + 1] / x[i]), t = log(at / x[i]) / width;
	double piece = secant(x, y, i), rise = piece * width;
	if (n == 2)
		return y[0] * exp(t * rise);
	double d0 = width * cut(slope(x, y, n, i), piece);
	double d1 = width * cut(slope(x, y, n, i + 1), piece);
	/* Hermite's cubic from 0 to `rise` */
	double ln = t * (d0 + t * ((3 * rise - 2 * d0 - d1) + t * (d0 + d1 - 2 * rise)));
	return y[i] * exp(ln);
}
