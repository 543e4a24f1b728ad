/*
 * payload.h - what is written: random bytes no cache can compress or share, and a stamp per block.
 *
 * Every ENGINE_STAMP_B (4 KiB) of the file start with 8 bytes that name the place and the run, so a
 * read proves that it came from the right place of the right file.  What is written or read may be
 * smaller and start anywhere: whatever covers such a place carries its stamp, and what does not has
 * none.  Offsets and sizes are multiples of 512.  Not for concurrent use.
 */
#ifndef BENCH_PAYLOAD_H
#define BENCH_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

struct payload {
	struct rng rng;
	uint64_t run_id; /* low 24 bits go into the stamp */
	uint64_t salt; /* never repeats within a run */
};

/* How much of what was looked at has a stamp, and how many stamps were not the right ones. */
struct payload_seen {
	uint64_t stamps, wrong;
};

void payload_init(struct payload *p, uint64_t seed, uint64_t run_id);

/* Block number (40 bits) and run id (24 bits); never 0. */
uint64_t payload_stamp(const struct payload *p, int64_t offset_b);

/* From offset_b to the first place of a stamp at or after it. */
size_t payload_to_stamp_b(int64_t offset_b);

/* New random bytes throughout, and stamps for a write at offset_b. */
void payload_fill(struct payload *p, void *data, size_t size_b, int64_t offset_b);

/*
 * For data that is random already: stamps, and 8 new bytes in every 512, so that no two written
 * sectors are ever equal.  About 10 stores for 4 KiB.
 */
void payload_refresh(struct payload *p, void *data, size_t size_b, int64_t offset_b);

/* For data that was all zeros before it was stamped: zeros and the stamps for a write at offset_b. */
void payload_blank(const struct payload *p, void *data, size_t size_b, int64_t offset_b);

/* Only the stamps. */
void payload_mark(const struct payload *p, void *data, size_t size_b, int64_t offset_b);

/* Overwrite the stamps, so that a read that moves nothing cannot pass payload_check(). */
void payload_spoil(void *data, size_t size_b, int64_t offset_b);

/* The stamps of what was read at offset_b. */
struct payload_seen payload_check(
	const struct payload *p, const void *data, size_t size_b, int64_t offset_b);

#endif /* BENCH_PAYLOAD_H */
