/*
 * sizes.h - IOPS against block size at one depth: fits, strips of an array, sync entries.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_SIZES_H
#define MODEL_SIZES_H

#include "model/disk.h"

/* Fit every operation and depth with two block sizes or more into m->sizes. */
int sizes_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err);

/* IOPS of a fitted form at a block size. */
double sizes_iops(const struct model_size *s, double bs_b);

/*
 * The strip of an array, from a depth-1 sweep: an I/O larger than a strip is served by several
 * disks, so bandwidth jumps when the block size crosses it.  a + b bs before and a line in ln-ln after the
 * jump, against one smooth form over all sizes by AICc (models.md section 2); the answer is the
 * last block size before the jump.
 * NaN: no such jump.  *jump receives the ratio of bandwidths across it.
 */
double sizes_strip_b(const double *bs_b, const double *iops, size_t n, double *jump);

/* Copy the sync entries, with a lognormal where median and p99 are known. */
int sizes_syncs(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err);

#endif /* MODEL_SIZES_H */
