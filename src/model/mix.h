/*
 * mix.h - reads and writes at once: the frontier through measured mixes.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_MIX_H
#define MODEL_MIX_H

#include "model/disk.h"

/*
 * The exponent of (u)^a + (v)^a = 1, u and v the shares of either side's own rate: between 0.05 and
 * 16; at 16 the sides hardly know of each other.  NaN unless both are positive.
 */
double mix_exponent(double u, double v);

/* Total rate on the frontier: read_frac of it reads, r0 and w0 what either side does alone. */
double mix_total(double a, double read_frac, double r0, double w0);

/* The mixes of the profile into m->mixes; after the curves.  ERR_NOMEM only. */
int mix_fit(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err);

#endif /* MODEL_MIX_H */
