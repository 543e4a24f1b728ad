/*
 * sizes.h - IOPS and latency against block size at one depth: laws, breaks, what is smaller than a
 * physical block; sync entries.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_SIZES_H
#define MODEL_SIZES_H

#include "model/disk.h"

/* Fit every operation and depth with two block sizes or more into m->sizes; then m->rmw_frac. */
int sizes_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err);

/* IOPS by the law alone. */
double sizes_law(const struct model_size *s, double bs_b);

/*
 * IOPS at a block size: with five sizes or more monotone interpolation between them (never growing
 * with the size from a physical block on), outside the law brought to the end point; else the law.
 * Blind to what is smaller than a physical block unless it was measured.
 */
double sizes_iops(const struct model_size *s, double bs_b);

/* The stated physical block, 4 KiB at least. */
double sizes_block_b(const struct profile *p);

/* Rate of writes smaller than that block: measured by m->sizes, else assumed by kind of device. */
void sizes_subsector(const struct profile *p, struct disk_model *m, struct findings *out);

/* What another block size does to latency at depth 1. */
struct size_shift {
	double us[MODEL_STATISTIC_COUNT]; /* to add to the curve of the other size */
	/* the size itself was measured at depth 1: its class; else -1.  Then us[] are exact there. */
	int exact_trust;
	bool known; /* false: nothing says, and us[] are 0 */
	bool partial; /* a write that is no whole number of physical blocks */
	int trust; /* derived; assumed where the penalty of a partial write is */
};

/*
 * From a size with a curve (light_us: its latency at depth 1) to another one: points measured at
 * depth 1, interpolated, or a + b bs.  Percentiles that were not measured shift like the mean.
 * Writes below the physical block, or no multiple of it, pay for reading the rest of it (models.md
 * section 2); sizes that are no multiple of 512 B are averages and do not.
 * ERR_UNSUPPORTED: a write below the block on a disk whose penalty nobody knows.
 */
int sizes_shift(const struct disk_model *m, int op, double from_b, double to_b, double light_us,
	struct size_shift *shift, struct err *err);

/* Wall at a size below the smallest that has one, over that one's; NaN: unknown. */
double sizes_smaller(const struct disk_model *m, int op, double bs_b);

/*
 * The strip of an array, from a depth-1 sweep: an I/O larger than a strip is served by several
 * disks, so bandwidth jumps when the block size crosses it.  a + b bs before and a line in ln-ln after the
 * jump, against one smooth form over all sizes by AICc (models.md section 2); the answer is the
 * last block size before the jump.
 * NaN: no such jump.  *jump receives the ratio of bandwidths across it.
 */
double sizes_strip_b(const double *bs_b, const double *iops, size_t n, double *jump);

struct size_break {
	double at_b, lo_b, hi_b; /* where two lines in ln-ln meet, and the grid step around it */
};

/*
 * A knee in the points: six sizes or more, and two straight pieces of three points or more tell
 * them better than the smooth laws by more than 4 of AICc.  false: none, or the lines do not meet
 * between the pieces.
 */
bool sizes_break(const double *bs_b, const double *iops, size_t n, struct size_break *b);

/* Copy the sync entries, with a lognormal where median and p99 are known. */
int sizes_syncs(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err);

#endif /* MODEL_SIZES_H */
