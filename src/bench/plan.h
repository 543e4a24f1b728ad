/*
 * plan.h - depths, sizes and lengths the phases use.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

enum {
	PLAN_BLOCK_B = 4096, /* ladder, mix, load, hold */
	PLAN_LAYOUT_B = 1 << 20,
	PLAN_LAYOUT_QD = 8,
	PLAN_COMMIT_B = 8192,
	PLAN_DEPTHS = 8,
	PLAN_SIZES = 17,
	PLAN_AREA_PER_QD = 1000, /* blocks of area for each request in flight */
	PLAN_ROTATIONAL_QD = 32, /* a spindle is asked no deeper */
};

extern const unsigned plan_depths[PLAN_DEPTHS]; /* 1 2 4 ... 128 */
extern const size_t plan_sizes_b[PLAN_SIZES]; /* 512 B ... 32 MiB */

/* Not counted at the start of a slice. */
extern const double plan_ramp_s;

/*
 * Length of a slice: 0.25 s, or what gives each cell two for its weight in `time_s` (weight:
 * of all of them), but 0.1 s at least.  A
 * cell whose rate is known to be low gets up to 1 s, so that six slices hold the 1,000 samples a p99
 * needs.
 */
double plan_slice_s(double time_s, double weight, double rate);

/* File size in whole MiB: at most `asked` (or BENCH_FILE_MAX_B), the spare space less room for the
 * log, half of the write budget.  0: the least area does not fit. */
uint64_t plan_file_b(uint64_t asked_b, uint64_t spare_b, uint64_t max_write_b);

#endif /* BENCH_PLAN_H */
