/*
 * engine.h - the ways to reach a disk, behind one interface: libaio, psync, sim, null.
 *
 * An engine moves requests and owns the clock they are timed with, so that the simulated disk can
 * run in virtual time under the same load generator.  A new engine is one file with one struct and
 * a row in engine.c.  One thread per opened engine.
 */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/commit.h"
#include "bench/diskstats.h"

enum {
	ENGINE_DEPTH_MAX = 128,
	ENGINE_STAMP_B = 4096, /* every so many bytes of the file carry an 8-byte stamp */
};

enum engine_op { ENGINE_READ, ENGINE_WRITE };

/* One request.  The caller owns it and its data until it comes back from reap(). */
struct engine_io {
	enum engine_op op;
	unsigned slot; /* below the depth; one request in flight per slot */
	int64_t offset_b;
	size_t size_b;
	void *data;
	int64_t start_ns; /* the caller's: the moment before submission */
	unsigned place; /* the caller's: which block */
	int64_t result; /* set by reap: bytes moved, or -errno */
};

struct engine_config {
	int fd; /* open file, O_DIRECT; -1 for sim */
	unsigned depth; /* most requests in flight */
	const char *args; /* what followed the colon in --engine; NULL when nothing did */
	int64_t size_b; /* size of the measured file */
};

struct engine {
	const char *name;
	const char *help;
	bool simulated; /* results are a law, not a disk */
	unsigned depth_max;

	/*
	 * On success *state is to be released with close().  ERR_UNSUPPORTED: the machine does not
	 * offer it (another engine may do); ERR_PARSE, ERR_RANGE: bad args.
	 */
	int (*open)(const struct engine_config *c, void **state, struct err *err);
	/* No request may be in flight. */
	void (*close)(void *state);
	int64_t (*now_ns)(void *state);
	/* How many of the first requests were taken (0: try again after a reap), or -errno. */
	int (*submit)(void *state, struct engine_io *const *ios, int n);
	/*
	 * Wait until at least one request is back or the time is over, also with none in flight;
	 * how many of at most `max`, or -errno (-EINTR: a signal came).  A timeout of 0 is a look
	 * that waits for nothing.
	 */
	int (*reap)(void *state, struct engine_io **done, int max, int64_t timeout_ns);
	/* fdatasync: 0 or -errno. */
	int (*sync)(void *state);
	/*
	 * Several writers in virtual time, as commit_run() but for its interruption: it takes no real
	 * time.  No data are moved, stamps stay as they are.  No request may be in flight.  NULL:
	 * threads do it (commit.c).
	 */
	int (*commit)(void *state, const struct commit_config *c, const struct commit_lat *lat,
		struct commit_result *r, struct err *err);
	/*
	 * Counters of the device as the kernel would have them: everybody's completed requests, what
	 * is in flight only in busy_ms.  False: not known.  NULL: the kernel's (diskstats.h).
	 */
	bool (*counters)(void *state, struct diskstats *d);
};

extern const struct engine *const engines[];
extern const size_t n_engines;

/* The engine of "name" or "name:args"; *args points behind the colon or is NULL.  ERR_USAGE. */
int engine_find(const char *spec, const struct engine **engine, const char **args, struct err *err);

/* An engine with its state. */
struct engine_run {
	const struct engine *engine;
	void *state;
};

#endif /* BENCH_ENGINE_H */
