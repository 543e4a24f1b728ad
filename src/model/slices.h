/*
 * slices.h - what the rates of a cell's slices, in order of time, say about its rate.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_SLICES_H
#define MODEL_SLICES_H

#include <stdbool.h>
#include <stddef.h>

struct plateaus {
	double early, late; /* median rate of the first tenth and of the last half */
};

/*
 * Two plateaus in time (models.md 1.7): the first tenth of the slices above 1.1 times the last half;
 * here also above every slice of it and by three of its standard deviations, so that noise is none.
 * false: one plateau, or fewer than ten slices.  *t is written only on success.
 */
bool slices_plateaus(const double *rates, size_t n, struct plateaus *t);

#endif /* MODEL_SLICES_H */
