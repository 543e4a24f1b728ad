/*
 * disk.h - one disk being measured: what the phases share.
 */
#ifndef BENCH_DISK_H
#define BENCH_DISK_H

#include "base/finding.h"
#include "bench/bench.h"
#include "bench/cell.h"
#include "bench/engine.h"
#include "bench/evidence.h"
#include "bench/load.h"
#include "bench/plan.h"
#include "bench/select.h"
#include "bench/target.h"
#include "bench/watch.h"

enum { DISK_CELLS_MAX = 192 };

/* Sums over the kept slices of one direction; what is not known is not counted. */
struct quality_sum {
	double foreign, foreign_n, own_b, device_b, steal, busy, ticks_n, cpu_s, wall_s, ios;
};

struct disk {
	const struct bench_config *c;
	struct arena *arena;
	size_t index; /* among the disks of this run */
	struct bench_preview preview;
	struct target target; /* sim: nothing open */
	const struct engine *engine;
	const char *engine_spec, *engine_args;
	struct engine_run run; /* state NULL: not open */
	struct load load;
	bool has_load;
	const struct bench_select *select;
	struct rng rng; /* order of slices */
	bool loop_cached; /* a loop device through the page cache */
	bool awake; /* idle processors are kept awake */
	struct findings findings;
	struct hist *scratch[4]; /* one slice at a time: reads, writes, and the parts of a commit */

	int64_t area_b; /* written so far, from 0 */
	int64_t end_b; /* where the file ends: appended commits lie behind the area */
	int64_t log_b; /* where the next commits that are written over begin */
	uint64_t written_b, wal_room_b;

	/* Time on the engine's clock; that of other disks' turns does not count. */
	int64_t used_ns, step_ns; /* spent in turns that are over; start of this one, -1: none */
	int64_t phase_used_ns; /* as used_ns, when the phase began */
	double phase_s; /* what the phase may take */
	uint64_t phase_write_b; /* bytes it may write, in all */
	uint64_t phase_written_b; /* as written_b, when the phase began */

	double repeat_left_s; /* for slices disturbed by others */
	uint64_t repeated, kept;
	uint64_t suspended; /* slices in which this process was stopped; not counted */
	uint64_t verified, mismatched;
	struct evidence evidence;

	struct cell cells[DISK_CELLS_MAX];
	size_t n_cells;
	struct quality_sum quality[2]; /* by enum engine_op */
	struct profile_series *first_write, *hold; /* NULL: not measured */
	struct profile_cache *cache;
	struct profile_readahead *readahead;
	const char *started;
	int rc; /* why it is measured no further; 0: it goes on */
	struct err err;
};

/* Open and prepare one disk; on failure close it all the same. */
int disk_open(struct disk *d, const char *dir, const char *engine, struct err *err);
/* What is worth knowing before the first request. */
void disk_note_surroundings(struct disk *d);
void disk_close(struct disk *d);

/* Seconds left: of the phase, of the whole. */
double disk_phase_left_s(const struct disk *d);
double disk_left_s(const struct disk *d);
/* Used so far, this turn included. */
double disk_used_s(const struct disk *d);
/* The moment, on the engine's clock, when the phase's time is over. */
int64_t disk_phase_end_ns(const struct disk *d);
/* Bytes that may be written: in all, by this phase. */
uint64_t disk_write_left_b(const struct disk *d);
uint64_t disk_phase_write_left_b(const struct disk *d);
/* How often the process went on after being stopped. */
int disk_resumed(const struct disk *d);

/* A new cell, zeroed but for the group and a rank; NULL: the table is full. */
struct cell *disk_cell(struct disk *d, enum cell_group group, int rank);

/* Where more depth stops to help, from the ladder so far: depth (fallback: 8) and its rate (NaN). */
unsigned disk_knee(const struct disk *d, enum engine_op op, double *iops);

/*
 * Rate of writing zeros over that of random data, and the lower end of its 95 % interval (pair.h);
 * NaN: too few slices of either.
 */
double disk_compress_gain(const struct disk *d, double *least);

/* The profile of what is there so far, with complete = false.  ERR_NOMEM. */
int result_build(struct disk *d, struct profile *p, struct err *err);

#endif /* BENCH_DISK_H */
