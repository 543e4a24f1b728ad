/*
 * load_loop.h - a run of the load generator in progress; internal to load.c (the loop and its
 * accounts), load_send.c (what to ask for next) and load_open.c (when, by a schedule).
 */
#ifndef BENCH_LOAD_LOOP_H
#define BENCH_LOAD_LOOP_H

#include "bench/load.h"

/* What a run needs beside its configuration; lives on the stack of load_run(). */
struct load_loop {
	struct load *l;
	const struct load_config *c;
	struct load_result *r;
	struct hist *const *lat;
	bool mixed, open;
	bool plain; /* nothing but a place is to be found for a request: random reads, no stamps */
	bool careful; /* requests that are back are to be looked at one by one */
	enum engine_op op; /* of all; mixed: ENGINE_READ */

	/* Those not in flight: n_free without a task, then n_ready to be submitted in this order. */
	struct engine_io *idle[ENGINE_DEPTH_MAX];
	int n_free, n_ready, n_flying;
	uint64_t blocks; /* random: how many to choose from */
	int64_t next_b; /* sequential: offset to come */
	uint64_t budget, left; /* requests that may be issued: at first, still */
	uint64_t done[2]; /* by op, completed in all */
	int64_t lat_ns[2][ENGINE_DEPTH_MAX]; /* by op, of the last reap */
	size_t n_lat[2];
	int untimed; /* submissions until one is timed */
	double timed_ns, timed_ios; /* sampled submissions */

	bool in_window;
	bool cooling; /* the window is over, what it sent is not yet back; stays so while draining */
	/* the window: when it began, may end, did end; cooling: load is kept up until then at most */
	int64_t ramp_end_ns, window_start_ns, window_end_ns, window_over_ns, cool_end_ns, until_ns;
	int n_before, n_owed; /* in flight: sent before the window; cooling: in it */
	double lat_ns_before[2]; /* sums of the histograms when the run began */
	uint64_t ramp_ios, window_ios, max_ios; /* completions; the most in the window */
	int64_t bucket_ns, bucket_end_ns; /* of the series */

	/* open loop */
	double gap_ns, part_ns; /* mean gap; of the next arrival, what is below 1 ns */
	int64_t arrival_ns; /* the next */
	int64_t spin_ns; /* awake so long before it */
	bool slept; /* some sleep was timed already */
	double behind_ns, behind_max_ns; /* sum and largest, inside the window */
};

/* Requests that may be issued, and all of them free. */
int load_prepare_all(struct load_loop *o, struct err *err);

/* One free request, which must be there, made ready; its latency counts from start_ns. */
void load_make_ready(struct load_loop *o, int64_t start_ns);

/* Submit what is ready, as far as the kernel takes it: the rest waits for the next reap. */
int load_submit_ready(struct load_loop *o, int64_t now, struct err *err);

/* Closed loop: put every free request back in flight; `now` is when their places became free. */
int load_refill(struct load_loop *o, int64_t now, struct err *err);

/* Open loop: the schedule begins; all it asks for up to now; how long the next reap may wait. */
void load_open_begin(struct load_loop *o, int64_t now);
int load_open_arrive(struct load_loop *o, int64_t now, struct err *err);
int64_t load_open_wait_ns(const struct load_loop *o, int64_t now, int64_t most_ns);
/* A wait ended without a completion, that much later than asked. */
void load_open_overslept(struct load_loop *o, int64_t ns);

/* Let timers of this thread be exact to slack_ns (0: leave them); how exact they were. */
int load_open_slack(int slack_ns);

#endif /* BENCH_LOAD_LOOP_H */
