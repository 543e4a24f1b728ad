/*
 * client.h - whether this program was what held things up: the time that its thread was on a
 * processor, waited for one, or was held back by a quota.
 *
 * One thread, the one that calls.  From /proc/thread-self/schedstat (Documentation/scheduler/
 * sched-stats.rst) and limits.h.
 */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/limits.h"

struct client {
	double run_s, wait_s; /* since the thread began; NaN: not told */
	struct limits_held held;
	int64_t at_ns;
};

struct client_share {
	double run_frac, wait_frac; /* of the time between: on a processor, waiting for one */
	double held_frac; /* share of the quota's periods that were used up; NaN: no quota */
	double wanted_frac; /* run and wait, at most 1: near 1 there was nothing else to wait for */
};

/* Run and wait in nanoseconds in the text of a schedstat; false: not told. */
bool client_parse(const char *text, double *run_s, double *wait_s);

void client_begin(struct client *c);
struct client_share client_end(const struct client *c);

#endif /* BENCH_CLIENT_H */
