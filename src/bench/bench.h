/*
 * bench.h - measure disks, each through a folder on it: the result is a profile of each.
 *
 * The plan is the table in phase.c: fill a file, cold and warm reads, a ladder of depths, block
 * sizes, commits, mixes, the ladder again, load by a schedule, read-ahead, and the same load held
 * for the rest.  Several disks take turns slice by slice, so that what is compared was measured in
 * the same minutes.
 *
 * One thread, but for the writers of commit.h.  bench_open() checks and prepares and writes nothing
 * but empty, nameless files; the caller shows the previews and asks where needed; bench_run()
 * measures.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "profile/profile.h"

#define BENCH_TIME_S 180.0
#define BENCH_TIME_MIN_S 5.0
#define BENCH_TIME_MAX_S 3600.0
#define BENCH_MAX_WRITE_B ((uint64_t)16 << 30)
#define BENCH_FILE_MAX_B ((uint64_t)8 << 30)
/* 1000 blocks of 4 KiB for each of 32 requests in flight */
#define BENCH_FILE_MIN_B ((uint64_t)125 << 20)
#define BENCH_POLITE_FRAC 0.25

enum { BENCH_DISKS_MAX = 64 };

/* How the file comes to be.  All but the first are what careless benchmarks do, to show it. */
enum bench_layout { BENCH_LAYOUT_WRITTEN, BENCH_LAYOUT_SPARSE, BENCH_LAYOUT_FALLOCATE };

struct bench_progress {
	const char *phase;
	double done_frac, left_s; /* of all disks */
	bool first; /* of the phase */
};

struct bench_config {
	const char *const *dirs; /* sim: labels, or none */
	size_t n_dirs;
	const char *const *engines; /* "libaio", "psync", "sim:..."; one for all, or one a disk */
	size_t n_engines;
	const char *name, *family, *sku; /* what the disk is, for the profile; NULL: not said */
	const char *tests; /* only these (select.h); NULL: all */
	double time_s; /* for each disk, BENCH_TIME_MIN_S .. BENCH_TIME_MAX_S */
	uint64_t size_b; /* of the file; 0: chosen */
	uint64_t max_write_b; /* most bytes written to a disk in all */
	uint64_t seed; /* of offsets and order */
	bool allow_ram, allow_network;
	bool polite; /* pause after every slice: BENCH_POLITE_FRAC of the time under load */
	bool buffered; /* through the page cache, as careless benchmarks do */
	enum bench_layout layout;
	const char *tool; /* program and version, for the profile */
	const volatile sig_atomic_t *stop; /* set by a signal handler; NULL: never */
	const volatile sig_atomic_t *resumed; /* counts SIGCONT: such slices are void; NULL: none */
	void *ctx; /* for the two below, which may be NULL */
	void (*progress)(void *ctx, const struct bench_progress *p);
	/* Called after each phase with what is known of a disk, complete = false. */
	int (*save)(void *ctx, size_t disk, const struct profile *p, struct err *err);
};

struct bench_preview {
	const char *path, *filesystem, *device_chain, *engine; /* NULL: not known */
	uint64_t file_b, write_b; /* most that will be written: the file, and in all */
	double time_s;
	double busy_frac; /* of the disk by others, over a moment before the start; NaN: not known */
	bool root_disk, simulated;
};

struct bench;

/*
 * Everything is borrowed until bench_close(); the profiles live in the arena.  ERR_USAGE, ERR_PARSE
 * (engine), ERR_RANGE (time, size, budget), ERR_NOT_FOUND, ERR_REFUSED (safety), ERR_IO.  On failure
 * *out is NULL.
 */
int bench_open(const struct bench_config *c, struct arena *a, struct bench **out, struct err *err);
size_t bench_disks(const struct bench *b);
const struct bench_preview *bench_preview(const struct bench *b, size_t disk);

/*
 * Measure.  profiles[0 .. bench_disks()) are filled whatever the result; each one's `complete`
 * tells whether all of it is there.  A disk that fails is left out from then on, the others go on;
 * the first failure is reported.  ERR_INTERRUPTED, ERR_IO (a request failed, no space), ERR_NOMEM,
 * ERR_INCONCLUSIVE, and what save() returned.
 */
int bench_run(struct bench *b, struct profile *profiles, struct err *err);

/* Frees the files' space.  NULL is fine. */
void bench_close(struct bench *b);

#endif /* BENCH_BENCH_H */
