/*
 * commit.h - what a database's commit waits for: writers that each write a block and make it
 * durable, again and again.
 *
 * Every writer is a thread of its own, as in a database whose sessions sync the log themselves; with
 * one writer it is the calling thread.  Signals are handled by the calling thread alone.  The write
 * of the modes fsync, fdatasync and odsync-direct is direct; that of odsync goes through the page
 * cache, which is emptied of the file afterwards.  What is written is random and carries the stamps
 * of the load's run (payload.h), so that later reads can verify it.  Simulated engines do all of it
 * themselves in virtual time (engine.commit).
 *
 * The window is that of load.h: it begins when the ramp is over (its time, or a quarter of the blocks
 * there are) and every writer has done a commit, begins and ends with a completion.  The rate is of the
 * commits completed in it, the latencies are of those begun in it; the writers go on until these are
 * done.  load.h says why.
 */
#ifndef BENCH_COMMIT_H
#define BENCH_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hist.h"
#include "profile/profile.h"

struct load;

enum { COMMIT_WRITERS_MAX = 64 };

struct commit_config {
	int mode; /* enum profile_sync_mode */
	int pattern; /* enum profile_pattern */
	size_t bs_b; /* multiple of 512 and of the direct I/O alignment; so is from_b */
	unsigned writers; /* 1 .. COMMIT_WRITERS_MAX */
	/*
	 * Overwrite: each writer goes round a part of its own of [from_b, end_b), all of it written
	 * before.  Append: the file ends at from_b and grows by blocks handed out in order, up to
	 * end_b at most.
	 */
	int64_t from_b, end_b;
	double ramp_s, window_s; /* not counted, counted */
	uint64_t max_b; /* write at most so many bytes */
	int64_t until_ns; /* end then at the latest, on the engine's clock; 0: no such moment */
};

/* Histograms, the caller's, added to: commits begun in the window, as a whole and their two parts. */
struct commit_lat {
	struct hist *both, *write, *sync; /* O_DSYNC: all in the write, sync stays empty */
};

struct commit_result {
	uint64_t commits; /* completed inside the window */
	int64_t window_ns;
	uint64_t all_commits, written_b; /* ramp included; what was written before a failure too */
	int64_t end_b; /* append: where the file ends now */
	bool cut; /* max_b or end_b ended it early */
	bool late; /* until_ns ended it early */
};

/*
 * Run.  fd: the file, opened O_DIRECT; -1 with a simulated engine.  *r is written also on failure.
 * ERR_INTERRUPTED: the load's stop flag was set; every writer ends the commit it is in.  ERR_IO: a
 * write or sync failed, or none came back for 60 s.  ERR_UNSUPPORTED: the kernel or filesystem has
 * no such mode (odsync needs the file reopened through /proc, odsync-direct RWF_DSYNC), or no thread
 * can be had.  ERR_RANGE: an overwritten area of less than a block per writer.  ERR_NOMEM.
 *
 * All threads are over when it returns, unless several writers got no answer from the disk for 60 s,
 * or for 5 s after a stop: then l->stuck is set, as by load_run(), and the threads stay behind in
 * the kernel with descriptors and memory of their own.  One writer alone waits as long as the disk.
 */
int commit_run(struct load *l, int fd, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err);

#endif /* BENCH_COMMIT_H */
