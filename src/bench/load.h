/*
 * load.h - the load generator: a closed loop that keeps a number of requests in flight.
 *
 * One thread.  A run is a ramp that is not counted, a window that is, and a drain that is not.  The
 * ramp ends when its time is over (or a quarter of max_b is used) and every place in the queue was
 * filled at least once again, so the window starts in the steady state.  It begins and ends with a
 * completion, the latter the first at or after its length, and counts what completed in it: so a
 * disk that answers in bursts, or less than once a window, shows its true rate.
 *
 * Latency is from the moment a place in the queue became free, before submission, to the clock read
 * after the reap that returned the request: one clock read a reap, good for both.  What is put back
 * in several chunks of LOAD_CHUNK counts the submission of the chunks before it, as a client with
 * that many requests outstanding does; so Little's law holds by construction unless requests are
 * lost, and the submit share tells how much of the latency is the asking.
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

enum { LOAD_CHUNK = 4, LOAD_BUFFER_B = 8 << 20 };

struct load_config {
	enum engine_op op;
	size_t bs_b; /* qd x bs_b <= LOAD_BUFFER_B */
	unsigned qd;
	bool sequential; /* from from_b up to end_b, each block once, all new random data */
	int64_t from_b, end_b; /* random: blocks inside [from_b, end_b) */
	double ramp_s, window_s;
	uint64_t max_b; /* issue at most so many bytes */
	bool verify; /* reads: check the stamp */
	int64_t until_ns; /* end then at the latest, on the engine's clock; 0: no such moment */
	/* Asked now and then: an error ends the run.  NULL: never. */
	int (*check)(void *ctx, struct err *err);
	void *ctx;
};

struct load_result {
	uint64_t ios; /* completed inside the window */
	int64_t window_ns;
	uint64_t all_ios, all_b; /* completed in all, ramp and drain included */
	double submit_ns; /* mean time inside submission as one request sees it; NaN: none timed */
	uint64_t verified, mismatched; /* stamps */
	bool late; /* until_ns ended the window early, or the ramp */
	bool cut; /* max_b or the end of a sequential area ended the window early */
};

struct load {
	struct engine_run run;
	const volatile sig_atomic_t *stop; /* NULL: never */
	struct payload payload;
	struct rng rng; /* offsets */
	char *buffer; /* LOAD_BUFFER_B, page aligned */
	struct engine_io ios[ENGINE_DEPTH_MAX];
	uint64_t *busy; /* a bit per block: in flight now */
	size_t busy_words;
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
 * Run; latencies of the window are added to *lat.  *r is written also on failure, as far as it
 * goes.  ERR_INTERRUPTED: *stop was set (what was in flight is drained, 5 s at most); ERR_IO: a
 * request failed or none came back for 60 s.
 */
int load_run(struct load *l, const struct load_config *c, struct hist *lat, struct load_result *r,
	struct err *err);

/* One request, waited for; its latency parts are the caller's to time.  As load_run(). */
int load_one(struct load *l, enum engine_op op, int64_t offset_b, size_t size_b, struct err *err);

bool load_stopped(const struct load *l);
int64_t load_now_ns(const struct load *l);

#endif /* BENCH_LOAD_H */
