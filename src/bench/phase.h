/*
 * phase.h - the parts of a measurement, as a table.
 *
 * The driver (bench.c) runs one phase after another; within a phase the disks take turns, one step
 * each.  A phase's time is its share of what is left among those still to come, so what one does not
 * use goes to the later ones.
 */
#ifndef BENCH_PHASE_H
#define BENCH_PHASE_H

#include "bench/disk.h"

struct phase {
	const char *title; /* for the progress line */
	double time_s; /* of the default plan of BENCH_TIME_S */
	double write_share; /* of the bytes, likewise among those still to come */
	bool alone; /* a disk goes through it without turns */
	/* Whether this disk has anything to do in it. */
	bool (*wanted)(const struct disk *d);
	/* Before the first step; NULL: nothing. */
	int (*begin)(struct disk *d, struct err *err);
	/* One step, a slice or so; *more: there is another one. */
	int (*step)(struct disk *d, bool *more, struct err *err);
	/* After the last step, also when time was over; NULL: nothing. */
	int (*end)(struct disk *d, struct err *err);
};

extern const struct phase *const phases[];
extern const size_t n_phases;

/* One file each. */
extern const struct phase phase_layout, phase_ladder, phase_ladder_again, phase_sizes,
	phase_commits, phase_mix, phase_load, phase_cache, phase_readahead, phase_hold,
	phase_compress;

/*
 * A step of a phase that measures the cells of a group: choose one and measure a slice.  Cells
 * without a slice come first, by rank; then those with fewest (by weight); from
 * the sixth slice on the one with the widest interval.  No more when all are settled or the time is over.
 */
int schedule_step(struct disk *d, enum cell_group group, bool *more, struct err *err);

/* Measure one slice of a cell and keep it if it is sound; repeated when others disturbed it. */
int slice_measure(struct disk *d, struct cell *c, struct err *err);

#endif /* BENCH_PHASE_H */
