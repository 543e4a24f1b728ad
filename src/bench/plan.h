/*
 * plan.h - how the time is divided.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

enum {
	PLAN_BLOCK_B = 4096, /* ladder */
	PLAN_LAYOUT_B = 1 << 20,
	PLAN_LAYOUT_QD = 8,
	PLAN_WAL_B = 8192,
	PLAN_DEPTHS = 6,
	PLAN_AREA_PER_QD = 1000, /* blocks of area for each request in flight */
};

extern const unsigned plan_depths[PLAN_DEPTHS]; /* 1 2 4 8 16 32 */

struct plan {
	double layout_s,
		layout_most_s; /* writing the file: aimed at; at most, for the least area */
	double slice_s, ramp_s;
};

/* Shares of what is left after the layout. */
extern const double plan_pass1_frac, plan_wal_frac;

/* For n_cells cells in `time_s`: slices of 0.25 s, shorter where fewer than two rounds would fit. */
struct plan plan_make(double time_s, size_t n_cells);

/* Fill order with 0..n-1 at random. */
void plan_shuffle(size_t *order, size_t n, struct rng *rng);

/* File size in whole MiB: at most `asked` (or BENCH_FILE_MAX_B), the spare space less room for the
 * log, half of the write budget.  0: the least area does not fit. */
uint64_t plan_file_b(uint64_t asked_b, uint64_t spare_b, uint64_t max_write_b);

#endif /* BENCH_PLAN_H */
