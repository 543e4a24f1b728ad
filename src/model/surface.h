/*
 * surface.h - the mean latency of one disk over depth and block size, from all that was measured of an
 * operation: ladders of depths, sweeps of sizes, single cells.
 *
 * Call a function of the depth sound when neither it nor depth / function falls.  Least, greatest,
 * p-norm and weighted mean of sound functions are sound; so is one times a number above 0.  Each step
 * below takes and gives functions that are sound at every size and never fall with the size, so the
 * answer is both, whatever the data:
 *
 *  1. The measured cells are made consistent (cells.h).
 *  2. Every curve is a row: monotone interpolation of its consistent cells, beyond them the fitted
 *     curve brought to the last one.
 *  3. Every depth at which several sizes are known is a column: interpolation over sizes, the law of
 *     sizes beyond them.
 *  4. At the size asked for, from each column on as the row that says most (the base) goes, up to what
 *     the next column's rate allows.
 *  5. That is cut to what the rows of smaller and larger sizes leave: first where they go on beyond
 *     their data, then where they were measured, last to what single cells leave.
 *
 * Microseconds, bytes.  Caps are not in it.  Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_SURFACE_H
#define MODEL_SURFACE_H

#include "model/cells.h"
#include "model/curve.h"
#include "model/monotone.h"

enum { SURFACE_MAX_ROWS = 16, SURFACE_MAX_POINTS = 64 };

/* A curve over its consistent cells. */
struct surface_row {
	const struct model_curve *curve;
	struct model_curve shape; /* what bridges wide gaps between depths */
	double qd[SURFACE_MAX_POINTS], us[SURFACE_MAX_POINTS];
	struct monotone_piece pieces[SURFACE_MAX_POINTS];
	size_t n;
	bool without_wall; /* beyond its depths: an outside cap stands for one that was not reached */
	double wall_iops; /* at its size, the curve's own or not; NaN: unknown */
};

struct surface {
	struct cells cells;
	struct surface_row rows[SURFACE_MAX_ROWS];
	size_t n_rows;
	const struct surface_row *base;
	double bs_b; /* asked for; whole blocks */
	const struct surface_row *own_row; /* of that size; NULL: none */
	double wall_iops; /* no more than this there; NaN: nothing is known */
	/* the columns at that size */
	double qd[SURFACE_MAX_POINTS], us[SURFACE_MAX_POINTS];
	size_t n;
	bool wall_reached; /* by some row */
	bool capped; /* a cap is known; it is not in here */
	double part; /* a part of a block over the whole blocks around it; 1 for whole blocks */
	struct cells own; /* cells of that part's size */
	double part_b;
};

struct view;

/* Of the view's operation and size; it has a curve of latency. */
void surface_build(struct surface *s, const struct view *v);

/* The mean at a depth of 1 or more. */
double surface_us(const struct surface *s, double q);

/* The same without what a wall adds to it: what an outside cap is put on. */
double surface_light_us(const struct surface *s, double q);

/* The depth that a rate takes, the largest one below the rate's; NaN: no depth reaches it. */
double surface_depth(const struct surface *s, double rate_iops);

#endif /* MODEL_SURFACE_H */
