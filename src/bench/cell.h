/*
 * cell.h - one kind of load on one disk and the slices it was measured in.
 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hist.h"
#include "bench/engine.h"

/* What a cell belongs to; a phase measures the cells of one group. */
enum cell_group {
	CELL_LAYOUT,
	CELL_LADDER,
	CELL_SIZES,
	CELL_COMMIT,
	CELL_MIX,
	CELL_LOAD, /* open loop */
	CELL_COMPRESS,
	CELL_GROUPS
};

struct slice {
	double rate, rates[2]; /* per second: all (commits: commits), by enum engine_op */
	double window_s;
	double present_s[2]; /* by op: time in the window of all requests present in it (load.h) */
	struct hist_packed *lat[2]; /* by enum engine_op; commits: [ENGINE_WRITE] is the whole */
	struct hist_packed *write, *sync; /* commits: the parts */
};

struct cell {
	enum cell_group group;
	/* loads */
	double read_frac;
	bool sequential;
	size_t bs_b;
	unsigned qd;
	double asked_iops; /* open loop; 0: closed */
	bool zeros; /* writes zeros */
	int64_t within_b; /* only there, from the area's start; 0: all of it */
	/* commits */
	int mode, pattern; /* enum profile_sync_mode, enum profile_pattern */
	unsigned writers;

	/* Lower ones are measured first when time is short.  0: a decision hangs on it; up to 2:
	 * ordinary; above: to complete the picture. */
	int rank;
	size_t least; /* slices wanted at least */
	bool closed; /* no more slices are wanted */
	const char *refused; /* why it cannot be measured here; NULL: it can */

	struct slice *slices; /* built by cell_add() */
	size_t n;
	double submit_ns_sum, submit_n; /* mean time in submission, per slice */
	/* sums over slices of client.h's shares: on a processor or waiting for one, waiting, quota
	 * used up */
	double wanted_sum, wait_sum, wanted_n, held_sum, held_n;
	double arrivals, overload; /* open loop */
	double flushes,
		flushed; /* commits: device flushes, and the commits they were counted for */
	uint64_t cut; /* slices ended by the write budget before there was enough to see */
};

bool cell_writes(const struct cell *c);

/*
 * How many slices it gets where an ordinary cell gets one: what a decision hangs on needs the
 * samples for a p99, what is only there to complete a picture can do with less.
 */
double cell_weight(const struct cell *c);

/* NULL: no memory. */
struct slice *cell_add(struct cell *c, struct arena *a, const struct slice *s);

/* Half the width of the 95 % interval of the median rate over the median; NaN below 2 slices. */
double cell_half_width(const struct cell *c);
/* Median rate; NaN without slices. */
double cell_rate(const struct cell *c);
/* Coefficient of variation of the rates; NaN below 2 slices. */
double cell_cv(const struct cell *c);
/* A decision hangs on it, and it has not the samples for a p99. */
bool cell_wants_samples(const struct cell *c);
/* Enough slices and samples, and the interval is narrow. */
bool cell_settled(const struct cell *c);

#endif /* BENCH_CELL_H */
