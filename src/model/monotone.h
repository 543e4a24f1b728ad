/*
 * monotone.h - the pieces of a curve through measured points (monotone.c), for those who ask one curve many
 * times; once: predict_interpolate().
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_MONOTONE_H
#define MODEL_MONOTONE_H

#include <stddef.h>

/* From one point to the next, in logarithms: how wide, how steep. */
struct monotone_piece {
	double width, secant;
};

/* The n - 1 pieces of n points. */
void monotone_pieces(const double *x, const double *y, size_t n, struct monotone_piece *pieces);

/* predict_interpolate() of these points, to the last bit. */
double monotone_at(
	const double *x, const double *y, size_t n, const struct monotone_piece *pieces, double at);

#endif /* MODEL_MONOTONE_H */
