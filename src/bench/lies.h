/*
 * lies.h - when figures are not of the disk, or not of all of it: ten ways in which a benchmark
 * fools itself, each told by what was seen, never by how the benchmark was called.
 *
 *   code           seen by
 *   memory         the filesystem's or the device's kind: no disk is below
 *   sparse         holes in the area, by FIEMAP right after it was laid out
 *   unwritten      reserved blocks that were never written, likewise
 *   buffered       pages of the area in this machine's cache before anything was read or written
 *                  through it on purpose; direct I/O leaves none
 *   in-cache       nine tenths of the area and more there: the file is smaller than the cache.  A
 *                  cache outside this machine that holds all of the area cannot be told from a fast
 *                  disk by any timing: larger areas are the only remedy
 *   compressible   zeros are written faster than random data
 *   foreign-io     the device did more than was asked for
 *   quota-limited  a rate at the limit of a control group, or the pattern of a throttle (plateau.h)
 *   host-cache     the second read of the same blocks is much faster than the first
 *   client-bound   in some load the program was on a processor or waiting for one all the time; or
 *                  it waited for one half of the time in all; or its group's quota of processor time
 *                  was used up.  (Waiting a third of the time costs a disk of 5,000 IOPS a tenth of
 *                  its rate; four fifths, 70 %.)
 */
#ifndef BENCH_LIES_H
#define BENCH_LIES_H

#include "base/buf.h"
#include "base/finding.h"
#include "bench/extents.h"
#include "bench/limits.h"
#include "profile/profile.h"

/* What was seen.  NULL and NaN: not known. */
struct lies_seen {
	const char *memory; /* what is memory: "filesystem tmpfs", "device zram0" */
	const struct extents *extents;
	double area_b, cached_frac; /* of the test area */
	double compress_gain, compress_least; /* rate of zeros over random, lower end of 95 % */
	const char *device;
	double foreign_frac, repeated;
	struct limits limits;
	const struct profile_cache *cache;
	const char *client_cell; /* the load in which the program was busiest: "4 KiB reads ..." */
	double client_frac; /* then: share of the time on a processor or waiting for one */
	double wait_frac; /* over all loads: share of the time waiting for a processor */
	const char *held_cell; /* the load in which it was held back most */
	double held_frac; /* then: share of the quota's periods that were used up */
	const struct profile *p; /* cells and knees */
};

/* All NaN and NULL. */
void lies_clear(struct lies_seen *s);

/* One way. */
struct lie {
	const char *code;
	enum severity severity;
	const char *verdict; /* that it makes: "not-the-disk", "contaminated"; NULL: none */
	bool (*voids)(const struct lies_seen *s); /* whether it makes it; NULL: always */
	const char *todo; /* what to do next */
	/* Whether it is seen; the sentence goes to *text. */
	bool (*seen)(const struct lies_seen *s, struct buf *text);
};

extern const struct lie lies[];
extern const size_t n_lies;

/*
 * Add a finding for each that is seen.  The worst verdict among them, NULL when none makes one:
 * not-the-disk before contaminated.
 */
const char *lies_find(const struct lies_seen *s, struct findings *f);

#endif /* BENCH_LIES_H */
