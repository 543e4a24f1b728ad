/*
 * state.h - a measurement in progress; internal to bench.c, layout.c, ladder.c, wal.c, result.c.
 */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "base/finding.h"
#include "base/hist.h"
#include "bench/bench.h"
#include "bench/engine.h"
#include "bench/load.h"
#include "bench/plan.h"
#include "bench/select.h"
#include "bench/target.h"
#include "bench/watch.h"

struct slice {
	double rate; /* per second */
	double window_s;
	struct hist *lat; /* from the arena */
	struct hist *write, *sync; /* WAL: the parts */
};

struct cell {
	enum engine_op op;
	size_t bs_b;
	unsigned qd;
	struct slice *slices; /* built by arena_grow() */
	size_t n;
	double submit_ns_sum, submit_n; /* mean time in submission, per slice */
	double most_cpu_frac; /* own processor time over wall time, busiest slice */
};

/* Sums over the kept slices of one direction; what is not known is not counted. */
struct quality_sum {
	double foreign, foreign_n, own_b, device_b, steal, busy, ticks_n, cpu_s, wall_s, ios;
};

struct bench {
	struct bench_config c;
	struct arena *arena;
	struct bench_preview preview;
	struct target target; /* sim: nothing open */
	const struct engine *engine;
	const char *engine_args;
	struct engine_run run; /* state NULL: not open */
	struct load load;
	bool has_load;
	struct bench_select select;
	struct plan plan;
	struct rng rng; /* order of slices */
	int awake_fd;
	bool loop_cached; /* a loop device through the page cache */
	struct findings findings;

	int64_t area_b; /* written so far, from 0 */
	uint64_t written_b, wal_room_b;
	int64_t begin_ns, end_ns; /* on the engine's clock */
	int64_t last_ns; /* of the ladder's pass: what is not over then is cut */
	const char *phase; /* last told to progress() */
	double repeat_left_s; /* for slices disturbed by others */
	uint64_t repeated, cut_slices; /* cut: by the write budget */
	unsigned late_logs; /* kinds of commit left out: the time was over */
	uint64_t late_slices; /* left out: the time was over */
	uint64_t suspended; /* slices in which this process was stopped; not counted */
	uint64_t verified, mismatched;

	struct cell layout, wal[PROFILE_PATTERN_COUNT]; /* by enum profile_pattern */
	struct cell cells[2 * PLAN_DEPTHS];
	size_t n_cells;
	struct quality_sum quality[2]; /* by enum engine_op */
	double wal_flushes[PROFILE_PATTERN_COUNT],
		wal_syncs[PROFILE_PATTERN_COUNT]; /* where flushes are counted */
	const char *started;
};

/* Phases: 0, or the error that ends the measurement (with what was measured kept). */
int layout_run(struct bench *b, struct err *err);
/* Rounds that fit before end_ns; at least one, as far as it gets before last_ns. */
int ladder_pass(struct bench *b, int64_t end_ns, int64_t last_ns, struct err *err);
int wal_run(struct bench *b, enum profile_pattern pattern, int64_t end_ns, struct err *err);

/* Some commits were measured. */
bool state_logged(const struct bench *b);

/* The cells to measure at the written area. */
void ladder_init(struct bench *b);

/* The profile of what is there so far, with complete = false.  ERR_NOMEM. */
int result_build(struct bench *b, struct profile *p, struct err *err);

/* Shared: progress line, bytes left to write, a new slice of a cell (NULL: no memory). */
void state_progress(struct bench *b, const char *phase);
uint64_t state_write_left_b(const struct bench *b);
/* How often the process went on after being stopped. */
int state_resumed(const struct bench *b);
struct slice *state_add_slice(struct bench *b, struct cell *c, const struct slice *s);
struct hist *state_hist(struct bench *b);

#endif /* BENCH_STATE_H */
