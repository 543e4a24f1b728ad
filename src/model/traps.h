/*
 * traps.h - signs in a series that its curve must not be believed without a word: models.md 1.7.
 *
 * Stable codes: few-depths, wall-not-reached, hidden-by-cap, falls-with-depth, bump, dip,
 * repeats-differ, stalls, above-cap, one-depth, published-pair, slow-writes.  Those of single cells
 * are found while the series are collected (points.c): two-plateaus, submission-blocks; Little's law
 * by the audit; idle-start and open-loop-differs from arrivals by a schedule (loads.h).
 */
#ifndef MODEL_TRAPS_H
#define MODEL_TRAPS_H

#include "model/curve.h"

/* Adds findings; lowers x_inf of a curve whose throughput falls to the plateau. */
void traps_find(const struct series *s, const struct curve_context *ctx, struct model_curve *c,
	struct findings *out);

/* Signs between the series of one disk: writes far slower than reads. */
void traps_between(const struct series_list *list, struct findings *out);

#endif /* MODEL_TRAPS_H */
