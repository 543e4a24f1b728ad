/*
 * sim_dirty.h - what the write cache of the simulated disk holds: writes in the order they came,
 * until they have reached the disk.
 */
#ifndef BENCH_SIM_DIRTY_H
#define BENCH_SIM_DIRTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sim_dirty_write {
	int64_t offset_b;
	size_t size_b;
	double zero_frac;
};

struct sim_dirty {
	int64_t room_b; /* 0: no cache */
	int64_t put_b, done_b; /* all that came in, all that reached the disk */
	struct sim_dirty_write *writes; /* a ring: not yet on the way */
	size_t first, n, cap;
};

/* ERR_NOMEM. */
int sim_dirty_init(struct sim_dirty *d, double mib, struct err *err);
/* A zeroed one is fine. */
void sim_dirty_fini(struct sim_dirty *d);

/* Whether a write of that size can ever be put. */
bool sim_dirty_fits(const struct sim_dirty *d, size_t size_b);
/* False: no room now (or no memory). */
bool sim_dirty_put(struct sim_dirty *d, const struct sim_dirty_write *w);
/* The oldest goes on its way; it counts as dirty until sim_dirty_done().  False: there is none. */
bool sim_dirty_take(struct sim_dirty *d, struct sim_dirty_write *w);
void sim_dirty_done(struct sim_dirty *d, size_t size_b);

#endif /* BENCH_SIM_DIRTY_H */
