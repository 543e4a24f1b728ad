/*
 * load.h - the load generator: keeps a number of requests in flight, or sends them by a schedule.
 *
 * One thread.  A run is a ramp that is not counted, a window that is, and a drain.  The ramp ends when
 * its time is over (or a quarter of max_b is used) and every place in the queue was filled at least
 * once again, so the window starts in the steady state.  It begins and ends with a completion, the
 * latter the first at or after its length, so a disk that answers in bursts, or less than once a
 * window, shows its true rate: that of what completed in it.
 *
 * Latencies are those of the requests sent in the window, each once and whole, also when it ends
 * after it.  Until all of these are back the load is kept up, for as long as the window was at most,
 * since a queue that only empties answers sooner (a spindle's, a shared one's).  Why these:
 *
 * - One sent at a moment is as long as any other: the moment does not know.  So a request of length L
 *   is in the sample with a weight that L has no part in, and mean and percentiles are without bias.
 * - Of what completed in the window one of length L began in [-L, window - L], and nothing began
 *   before the run, a ramp R earlier: weight 1 - (L - R) / window for L > R.  So the long ones are too
 *   few, and a stall at the end is hidden: it lengthens the window, and its first request ends both.
 *   With 20 ms, 250 ms and one of 100 ms a third of such requests.
 * - Of what is in flight at a moment one is seen in proportion to its length: the long are too many.
 * - Time inside the window of all that is present in it, over completions (Little) is a mean, too:
 *   depth x window / completions in a closed loop.  It is no better: on stalls at any moment both are
 *   without bias, and as far off the truth (20.5 % in 3 slices of half a second, 7.4 % in 8 of 1 s).
 *
 * Sent and completed are other requests at the ends, by as many as are in flight at most; at depth 1
 * they are the same.  A stall within one latency after either end still makes a run read high or low
 * by its length over the window's, each as often as the other: it goes away over slices.  So rate x
 * mean of few slices is no check of either.  What is one, and exact: Little's law over a window counts
 * the time inside it of every request that is present, also of one that was sent before it or comes
 * back after it (present_ns).  With a full queue that is depth x window, to the nanosecond; less says
 * that the queue was not full, or that latencies are missing.
 *
 * Closed loop: latency is from the moment a place in the queue became free, before submission, to
 * the clock read after the reap that returned the request: one clock read a reap, good for both.
 * What is put back in several chunks of LOAD_CHUNK counts the submission of the chunks before it, as
 * a client with that many requests outstanding does; so Little's law holds unless requests are lost,
 * and the submit share tells how much of the latency is the asking.
 *
 * Open loop (rate_iops > 0): arrivals are Poisson at that rate by a schedule that nothing delays;
 * latency is from the intended moment.  When qd requests are in flight an arrival is counted as
 * overload and dropped: the schedule is not stretched.  Between arrivals the thread sleeps, but for
 * the last moment before each: as long as it was seen to oversleep, 0.1 ms at most.  An engine that
 * waits inside submission (psync) hears of arrivals meanwhile only afterwards.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hist.h"
#include "base/rng.h"
#include "bench/engine.h"
#include "bench/payload.h"

enum { LOAD_CHUNK = 4, LOAD_BUFFER_B = 32 << 20, LOAD_PLACES = 8192 };

/* Completions by time since the run began, ramp included; reads and writes together. */
struct load_series {
	double bucket_s;
	uint32_t *ios; /* the caller's, n_max zeroed buckets */
	size_t n_max, n; /* n: buckets that are over */
};

struct load_config {
	double read_frac; /* 1: reads, 0: writes, between: each request by chance */
	size_t bs_b; /* multiple of 512; qd x bs_b <= LOAD_BUFFER_B */
	unsigned qd; /* open loop: the most in flight */
	/*
	 * In order from from_b up to end_b.  Writes take each block once and end there; reads start
	 * over.
	 */
	bool sequential;
	bool zeros; /* writes: nothing but zeros (and stamps); else random, no two sectors alike */
	double rate_iops; /* > 0: open loop */
	int64_t from_b, end_b; /* random: blocks inside [from_b, end_b), aligned to from_b */
	double ramp_s, window_s;
	uint64_t max_b; /* issue at most so many bytes */
	uint64_t max_ios; /* the window ends after so many completions; 0: by time alone */
	bool verify; /* reads: check the stamps */
	/* On the engine's clock: send nothing after it; the window ends with the next completion.  0: no
	 * such moment. */
	int64_t until_ns;
	struct load_series *series; /* NULL: not wanted */
	/* Asked now and then: an error ends the run.  NULL: never. */
	int (*check)(void *ctx, struct err *err);
	void *ctx;
};

struct load_result {
	uint64_t ios[2]; /* by enum engine_op: completed inside the window, for the rate */
	int64_t window_ns;
	double present_ns
		[2]; /* by op: time inside the window of all requests that are present in it */
	uint64_t all_ios, all_b, written_b; /* completed in all, ramp and drain included */
	double submit_ns; /* mean time inside submission as one request sees it; NaN: none timed */
	uint64_t verified, mismatched; /* blocks with a stamp */
	uint64_t arrivals, overload; /* open loop: in the window; of these, queue full */
	/* Open loop: from the intended moment to submission, our own share of the latency; NaN:
	 * closed loop, or nothing was sent. */
	double behind_ns, behind_max_ns;
	bool late; /* until_ns ended the window early, or the ramp */
	bool cut; /* max_b or the end of a sequential area ended the window early */
};

struct load {
	struct engine_run run;
	const volatile sig_atomic_t *stop; /* NULL: never */
	struct payload payload;
	struct rng rng; /* offsets, reads or writes */
	struct rng gaps; /* between arrivals */
	/* Page aligned: LOAD_BUFFER_B to write from, always random, and as much to read into. */
	char *buffer;
	struct engine_io ios[ENGINE_DEPTH_MAX];
	/*
	 * By block number modulo LOAD_PLACES: one is in flight.  No block is twice in flight, and
	 * the few others that are passed over at times change from request to request.
	 */
	bool busy[LOAD_PLACES];
	bool stuck; /* requests did not come back: nothing may be freed */
};

struct load_seeds {
	uint64_t order; /* of offsets: the same again repeats the run */
	uint64_t data; /* of contents and run id: new for every real run */
};

/* run and stop are borrowed.  On failure nothing is to be released. */
int load_init(struct load *l, struct engine_run run, struct load_seeds seeds,
	const volatile sig_atomic_t *stop, struct err *err);
/* Releases the buffers, unless requests are still in flight in them. */
void load_fini(struct load *l);

/*
 * Run; latencies of what the window sent are added to lat[ENGINE_READ] and lat[ENGINE_WRITE] (one that
 * cannot occur may be NULL).  *r is written also on failure, as far as it
 * goes.  ERR_INTERRUPTED: *stop was set (what was in flight is drained, 5 s at most); ERR_IO: a
 * request failed or none came back for 60 s.
 */
int load_run(struct load *l, const struct load_config *c, struct hist *const lat[2],
	struct load_result *r, struct err *err);

/*
 * One request, waited for; its latency parts are the caller's to time.  Writes what is at the start
 * of the buffer.  As load_run().
 */
int load_one(struct load *l, enum engine_op op, int64_t offset_b, size_t size_b, struct err *err);

bool load_stopped(const struct load *l);
int64_t load_now_ns(const struct load *l);

#endif /* BENCH_LOAD_H */
