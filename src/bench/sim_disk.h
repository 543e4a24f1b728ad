/*
 * sim_disk.h - the simulated disk: requests in, completions out, by the law of sim.h.
 *
 * Its clock starts at 0 and moves only in sim_disk_next(), from one event to the next, so sixty
 * simulated seconds take as long as the arithmetic does.  Same law and calls, same results.  Data
 * are not its business.  One thread.
 */
#ifndef BENCH_SIM_DISK_H
#define BENCH_SIM_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/diskstats.h"
#include "bench/sim.h"

enum sim_op { SIM_READ, SIM_WRITE, SIM_FLUSH };

/* The caller's from submission until sim_disk_next() gives it back. */
struct sim_request {
	enum sim_op op;
	int64_t offset_b; /* not of a flush */
	size_t size_b;
	double zero_frac; /* share of the data that is zeros */
	double more_us; /* on top of its service time */
	void *owner; /* the caller's */
	bool failed; /* set: it ends with EIO (fail_after) */

	int whose; /* the rest is the disk's */
	int64_t drained_b; /* a flush that waits: for so much */
	struct sim_request *next;
};

struct sim_disk;

/* For a file of size_b.  Release with sim_disk_free().  ERR_NOMEM, ERR_RANGE. */
int sim_disk_new(
	const struct sim_law *law, int64_t size_b, struct sim_disk **disk, struct err *err);
/* NULL is fine; no request of the caller's may be outstanding. */
void sim_disk_free(struct sim_disk *d);

int64_t sim_disk_now_ns(const struct sim_disk *d);

/* Start now.  At most SIM_CLIENT_MAX at a time. */
enum { SIM_CLIENT_MAX = 256 };
void sim_disk_submit(struct sim_disk *d, struct sim_request *r);

/*
 * The next of the caller's requests to complete, its moment being now; NULL when none does up to
 * limit_ns (now is then limit_ns, if that was ahead).
 */
struct sim_request *sim_disk_next(struct sim_disk *d, int64_t limit_ns);

/* What the kernel would have counted of this disk so far: what was asked of it, and by others. */
void sim_disk_counters(const struct sim_disk *d, struct diskstats *out);

/* It lives as long as the disk. */
const struct sim_law *sim_disk_law(const struct sim_disk *d);

/* Written, acknowledged and not yet on the disk. */
int64_t sim_disk_dirty_b(const struct sim_disk *d);

#endif /* BENCH_SIM_DISK_H */
