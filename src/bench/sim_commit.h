/*
 * sim_commit.h - commits by several writers on the simulated disk, each write then flush in a closed
 * loop of its own; the contract is that of commit.h.
 *
 * The flush is the disk's (fsync_us, in parallel with those of other writers).  O_DSYNC and O_DSYNC
 * with O_DIRECT cost the same as write and flush one after the other, and are all in the write.  An
 * append also waits for append_us after its flush.
 */
#ifndef BENCH_SIM_COMMIT_H
#define BENCH_SIM_COMMIT_H

#include "bench/commit.h"
#include "bench/sim_disk.h"

/* Nothing of the caller's may be outstanding.  *r is written also on failure: ERR_IO,
 * ERR_RANGE. */
int sim_commit(struct sim_disk *d, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err);

#endif /* BENCH_SIM_COMMIT_H */
