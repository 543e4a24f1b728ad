/*
 * limits.h - what control groups allow this process (cgroups(7), versions 1 and 2 and both at
 * once), and how often they held it up: limits that would be measured instead of the disk.
 *
 * `root` is "" for this machine; tests bring a tree of their own.  A group is looked for where its
 * hierarchy is usually mounted, by the longest end of its path that is there: a container sees only
 * its own part.  Limits set above what this process can see stay unseen; plateau.h tells them by
 * how they look.
 */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "bench/devchain.h"

/* NaN: no such limit, or none that can be seen. */
struct limits {
	double processors; /* quota of processor time over time */
	double riops, wiops; /* on the device, requests and bytes a second */
	double rbps, wbps;
};

/*
 * The tightest of what binds: of the group itself and, where groups inherit, of those above it.
 * `chain` names the device; NULL: no device, no I/O limits.
 */
void limits_read(const char *root, const struct devchain *chain, struct limits *l);

/* "riops=500 wbps=1048576", in the arena; NULL when I/O is not limited (or out of memory). */
const char *limits_io_text(const struct limits *l, struct arena *a);

/* Processors this process may use at once: online, allowed by affinity and by the quota. */
double limits_processors(const struct limits *l);

/* Counters since the group was made; NaN: not counted here.  Differences are what tells. */
struct limits_held {
	double periods,
		held_periods; /* of the processor quota: in all, and those that used it up */
	double held_s; /* time that processes of the group could have run and might not */
	double io_wait_s; /* requests held back by the cost controller (io.cost) */
};

void limits_held_read(const char *root, struct limits_held *h);

/* The group of a controller ("": version 2) in the text of /proc/self/cgroup; false: none. */
bool limits_cgroup_path(const char *text, const char *controller, char *path, size_t size);

#endif /* BENCH_LIMITS_H */
