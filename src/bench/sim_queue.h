/*
 * sim_queue.h - what is still to happen on the simulated disk, by time.
 *
 * A sorted array: most of what is put in is later than all that is there and goes to the end, the
 * rest moves some of at most a few hundred entries.  Equal times keep the order they were put in.
 */
#ifndef BENCH_SIM_QUEUE_H
#define BENCH_SIM_QUEUE_H

#include <stdint.h>

enum { SIM_QUEUE_MAX = 512 }; /* entries at a time */

struct sim_request;

struct sim_event {
	int64_t at_ns;
	struct sim_request *request;
};

struct sim_queue {
	struct sim_event events[2 * SIM_QUEUE_MAX];
	int first, end; /* events[first .. end) */
};

/* The caller sees to it that there are never more than SIM_QUEUE_MAX. */
void sim_queue_put(struct sim_queue *q, int64_t at_ns, struct sim_request *r);

/* Time of the earliest; INT64_MAX when empty. */
int64_t sim_queue_next_ns(const struct sim_queue *q);

/* Remove the earliest; there must be one. */
struct sim_request *sim_queue_take(struct sim_queue *q);

#endif /* BENCH_SIM_QUEUE_H */
