/*
 * sim_cache.h - which blocks of the file the host's read cache of the simulated disk holds: the ones
 * read or written last (LRU).
 *
 * Blocks beyond the size given at the start are never held.
 */
#ifndef BENCH_SIM_CACHE_H
#define BENCH_SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { SIM_CACHE_BLOCK_B = 4096 };

struct sim_cache {
	/* A ring through a head at index n_blocks, newest first; a block not held links to itself. */
	uint32_t *newer, *older;
	size_t n_blocks, room, held;
};

/* For a file of size_b.  ERR_NOMEM; ERR_RANGE for a file of 16 TiB or more. */
int sim_cache_init(struct sim_cache *c, int64_t size_b, double mib, struct err *err);
/* A zeroed cache is fine. */
void sim_cache_fini(struct sim_cache *c);

/* Whether every block of [offset_b, offset_b + size_b) is held. */
bool sim_cache_has(const struct sim_cache *c, int64_t offset_b, size_t size_b);
/* These blocks are now the newest; the oldest give way. */
void sim_cache_touch(struct sim_cache *c, int64_t offset_b, size_t size_b);

#endif /* BENCH_SIM_CACHE_H */
