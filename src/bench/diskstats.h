/*
 * diskstats.h - what the kernel says a block device did: to see other people's I/O, and to see that
 * our own really arrives.
 *
 * Source of the fields: Documentation/admin-guide/iostats.rst.  The kernel counts a flush as a
 * write of no sectors; the flush counter (field 16, Linux 5.5) is subtracted here.
 */
#ifndef BENCH_DISKSTATS_H
#define BENCH_DISKSTATS_H

#include <stdbool.h>
#include <stdint.h>

struct diskstats {
	uint64_t reads, writes; /* requests completed; writes without flushes */
	uint64_t sectors; /* of 512 bytes, both directions */
	uint64_t flushes;
	uint64_t busy_ms; /* time with at least one request outstanding */
	bool has_flushes;
};

/* The line of `device` in the text of /proc/diskstats; false when it is not there. */
bool diskstats_parse(const char *text, const char *device, struct diskstats *d);

/* Read /proc/diskstats now. */
bool diskstats_read(const char *device, struct diskstats *d);

struct diskstats_share {
	double foreign_frac; /* load by others over all load on the device */
	double device_ratio; /* own sectors over device sectors; above 1: not reaching the device */
};

/*
 * Compare what we asked for with what the device did.  Load is counted as requests plus 64 KiB
 * units, so that a stream of few large foreign requests weighs too and a single large one does not
 * hide a slice of small ones.  Where the sectors agree within 2 % the device only split or merged
 * our own requests: foreign is 0.  When the device did nothing foreign is NaN, and the ratio
 * infinite (NaN when we asked for nothing either).
 */
struct diskstats_share diskstats_compare(const struct diskstats *before,
	const struct diskstats *after, uint64_t own_ios, uint64_t own_b);

#endif /* BENCH_DISKSTATS_H */
