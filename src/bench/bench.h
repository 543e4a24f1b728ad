/*
 * bench.h - measure one disk through a folder on it: the result is a profile.
 *
 * The plan, thin as it stands: the file is written once (1 MiB, depth 8), then two passes over 4 KiB
 * random reads and writes at depths 1 to 32 in short slices in random order, with 8 KiB append and
 * overwrite + fdatasync between the passes.  Block sizes, mixes, open loop, hold phase, cold/warm test and early
 * stopping of settled cells are not in it yet.  Several disks are measured one after another.
 *
 * One thread.  bench_open() checks and prepares and writes nothing but the empty, nameless file;
 * the caller shows the preview and asks where needed; bench_run() measures.
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

struct bench_progress {
	const char *phase;
	double done_frac, left_s;
	bool first; /* of the phase */
};

struct bench_config {
	const char *dir; /* sim: a label, may be NULL */
	const char *engine; /* "libaio", "psync", "sim:..." */
	const char *name, *family, *sku; /* what the disk is, for the profile; NULL: not said */
	const char *cells; /* only these (select.h); NULL: all */
	double time_s; /* BENCH_TIME_MIN_S .. BENCH_TIME_MAX_S */
	uint64_t size_b; /* of the file; 0: chosen */
	uint64_t max_write_b; /* most bytes written in all */
	uint64_t seed; /* of offsets and order */
	bool allow_ram, allow_network;
	const char *tool; /* program and version, for the profile */
	const volatile sig_atomic_t *stop; /* set by a signal handler; NULL: never */
	const volatile sig_atomic_t *resumed; /* counts SIGCONT: such slices are void; NULL: none */
	void *ctx; /* for the two below, which may be NULL */
	void (*progress)(void *ctx, const struct bench_progress *p);
	/* Called after each phase with what is known, complete = false. */
	int (*save)(void *ctx, const struct profile *p, struct err *err);
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
 * Everything is borrowed until bench_close(); the profile lives in the arena.  ERR_USAGE, ERR_PARSE
 * (engine), ERR_RANGE (time, size, budget), ERR_NOT_FOUND, ERR_REFUSED (safety), ERR_IO.  On failure
 * *out is NULL.
 */
int bench_open(const struct bench_config *c, struct arena *a, struct bench **out, struct err *err);
const struct bench_preview *bench_preview(const struct bench *b);

/*
 * Measure.  *p is filled whatever the result; p->complete tells whether all of it is there.
 * ERR_INTERRUPTED, ERR_IO (a request failed, no space), ERR_NOMEM, and what save() returned.
 */
int bench_run(struct bench *b, struct profile *p, struct err *err);

/* Frees the file's space.  NULL is fine. */
void bench_close(struct bench *b);

#endif /* BENCH_BENCH_H */
