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
#include "model/monotone.h"

#include <math.h>

#include "model/predict.h"

static struct monotone_piece
piece_of(const double *x, const double *y, size_t i)
{
	double width = log(x[i + 1] / x[i]);
	return (struct monotone_piece){width, log(y[i + 1] / y[i]) / width};
}

void
monotone_pieces(const double *x, const double *y, size_t n, struct monotone_piece *pieces)
{
	for (size_t i = 0; i + 1 < n; i++)
		pieces[i] = piece_of(x, y, i);
}

/* Steffen's slope at the point between two pieces: that of a parabola through three points, never more than
 * twice the flatter secant, none at an extremum; at the ends, which have one piece, its secant. */
static double
slope(const struct monotone_piece *left, const struct monotone_piece *right)
{
	if (!left || !right)
		return left ? left->secant : right->secant;
	if (left->secant * right->secant <= 0)
		return 0;
	double parabola = (left->secant * right->width + right->secant * left->width) /
			  (left->width + right->width);
	double size = fmin(fmin(fabs(left->secant), fabs(right->secant)), 0.5 * fabs(parabola));
	return copysign(2 * size, left->secant);
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

/* ln of y over its value at the start of a piece, ln_x into it; `before` and `after` NULL: no such piece. */
static double
within(const struct monotone_piece *before, const struct monotone_piece *here,
	const struct monotone_piece *after, double ln_x)
{
	double t = ln_x / here->width, rise = here->secant * here->width;
	if (!before && !after)
		return t * rise;
	double d0 = here->width * cut(slope(before, here), here->secant);
	double d1 = here->width * cut(slope(here, after), here->secant);
	/* Hermite's cubic from 0 to `rise` */
	return t * (d0 + t * ((3 * rise - 2 * d0 - d1) + t * (d0 + d1 - 2 * rise)));
}

/* The piece that `at` lies in; n - 1: beyond the last point, or there. */
static size_t
piece_at(const double *x, size_t n, double at)
{
	size_t i = 0;
	while (i + 1 < n && x[i + 1] <= at)
		i++;
	return i;
}

double
predict_interpolate(const double *x, const double *y, size_t n, double at)
{
	size_t i = piece_at(x, n, at);
	if (i + 1 == n || x[i] == at)
		return y[i];
	struct monotone_piece before = {0}, here = piece_of(x, y, i), after = {0};
	if (i > 0)
		before = piece_of(x, y, i - 1);
	if (i + 2 < n)
		after = piece_of(x, y, i + 1);
	return y[i] * exp(within(i > 0 ? &before : NULL, &here, i + 2 < n ? &after : NULL,
			      log(at / x[i])));
}

double
monotone_at(
	const double *x, const double *y, size_t n, const struct monotone_piece *pieces, double at)
{
	size_t i = piece_at(x, n, at);
	if (i + 1 == n || x[i] == at)
		return y[i];
	return y[i] * exp(within(i > 0 ? &pieces[i - 1] : NULL, &pieces[i],
			      i + 2 < n ? &pieces[i + 1] : NULL, log(at / x[i])));
}
