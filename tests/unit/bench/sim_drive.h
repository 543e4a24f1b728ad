/*
 * sim_drive.h - a client of the simulated disk for its tests: so many requests outstanding, each
 * replaced when it completes, nothing between them and the disk.
 */
#ifndef TEST_BENCH_SIM_DRIVE_H
#define TEST_BENCH_SIM_DRIVE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hist.h"
#include "base/rng.h"
#include "bench/sim_disk.h"

struct drive {
	enum sim_op op;
	unsigned qd;
	size_t bs_b;
	bool sequential;
	int64_t area_b;
	double zero_frac;
	double window_s; /* from the call on */
	/* Completions in each bucket since the call; NULL: not wanted. */
	unsigned *per_bucket;
	size_t n_buckets;
	double bucket_s;
	double slow_us; /* when the first latency above came goes to driven.slow_s */
};

struct driven {
	double rate, mean_us, p50_us, p99_us, max_us;
	double slow_s; /* NaN: none */
	uint64_t n;
};

static inline struct sim_disk *
sim_drive_disk(const char *text, int64_t size_b)
{
	struct sim_law law;
	struct sim_disk *d = NULL;
	struct err err = {0};
	if (sim_law_parse(text, &law, &err) || sim_disk_new(&law, size_b, &d, &err))
		fail_msg("%s: %s", text, err.text);
	return d;
}

static inline void
sim_drive_issue(struct sim_disk *d, const struct drive *c, struct sim_request *r, struct rng *rng)
{
	static int64_t next_b;
	int64_t blocks = c->area_b / (int64_t)c->bs_b;
	next_b = next_b + (int64_t)c->bs_b < blocks * (int64_t)c->bs_b ? next_b + (int64_t)c->bs_b
								       : 0;
	int64_t offset_b = c->sequential ? next_b
					 : (int64_t)(rng_below(rng, (uint64_t)blocks) * c->bs_b);
	*r = (struct sim_request){
		.op = c->op, .offset_b = offset_b, .size_b = c->bs_b, .zero_frac = c->zero_frac};
	sim_disk_submit(d, r);
}

/* Run, counting all that completes within the window; then wait for the rest. */
static inline struct driven
sim_drive(struct sim_disk *d, const struct drive *c)
{
	static struct hist h;
	static struct sim_request requests[SIM_CLIENT_MAX];
	static int64_t start_ns[SIM_CLIENT_MAX];
	struct rng rng;
	struct driven o = {.slow_s = NAN};
	int64_t begin_ns = sim_disk_now_ns(d), end_ns = begin_ns + llround(c->window_s * 1e9);
	hist_init(&h);
	rng_seed(&rng, 7);
	for (unsigned i = 0; i < c->qd; i++) {
		start_ns[i] = begin_ns;
		sim_drive_issue(d, c, &requests[i], &rng);
	}
	struct sim_request *r;
	unsigned back = 0;
	int64_t last_ns = begin_ns;
	while (back < c->qd && (r = sim_disk_next(d, INT64_MAX)) != NULL) {
		int64_t now = sim_disk_now_ns(d);
		size_t i = (size_t)(r - requests);
		assert_true(now >= last_ns);
		last_ns = now;
		if (now > end_ns) {
			back++;
			continue;
		}
		double latency_us = (double)(now - start_ns[i]) / 1e3;
		double since_s = (double)(now - begin_ns) / 1e9;
		hist_add(&h, now - start_ns[i]);
		if (c->slow_us > 0 && latency_us > c->slow_us && isnan(o.slow_s))
			o.slow_s = (double)(start_ns[i] - begin_ns) / 1e9;
		if (c->per_bucket && (size_t)(since_s / c->bucket_s) < c->n_buckets)
			c->per_bucket[(size_t)(since_s / c->bucket_s)]++;
		start_ns[i] = now;
		sim_drive_issue(d, c, r, &rng);
	}
	o.n = h.n;
	o.rate = (double)h.n / c->window_s;
	o.mean_us = hist_mean_ns(&h) / 1e3;
	o.p50_us = hist_quantile_ns(&h, 0.5) / 1e3;
	o.p99_us = hist_quantile_ns(&h, 0.99) / 1e3;
	o.max_us = (double)h.max_ns / 1e3;
	return o;
}

/* How long one request takes by itself. */
static inline double
sim_drive_one_us(struct sim_disk *d, enum sim_op op, int64_t offset_b, size_t size_b)
{
	struct sim_request r = {.op = op, .offset_b = offset_b, .size_b = size_b};
	int64_t begin_ns = sim_disk_now_ns(d);
	sim_disk_submit(d, &r);
	assert_ptr_equal(sim_disk_next(d, INT64_MAX), &r);
	return (double)(sim_disk_now_ns(d) - begin_ns) / 1e3;
}

/* Nothing is asked for so long. */
static inline void
sim_drive_idle(struct sim_disk *d, double seconds)
{
	assert_null(sim_disk_next(d, sim_disk_now_ns(d) + llround(seconds * 1e9)));
}

static inline void
sim_drive_near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got / want - 1) <= tolerance))
		fail_msg("%s: %.8g, expected %.8g within %g", what, got, want, tolerance);
}

#endif /* TEST_BENCH_SIM_DRIVE_H */
