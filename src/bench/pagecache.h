/*
 * pagecache.h - how much of the test file this machine holds in memory: reads of that part need
 * not reach the disk, and direct I/O leaves (almost) none.
 *
 * Only for a file we own and opened for writing: of other people's files the kernel tells nothing
 * (mincore(2) then calls every page resident).
 */
#ifndef BENCH_PAGECACHE_H
#define BENCH_PAGECACHE_H

#include <stdint.h>

#include "base/err.h"

struct pagecache {
	double cached_frac; /* share of the area, 0 to 1 */
	double dirty_frac; /* share that is not yet on the disk; NaN: not known */
};

/*
 * Look at [0, area_b) of the open file, without reading it in: by cachestat(2) (Linux 6.5), else by
 * mincore(2).  ERR_UNSUPPORTED: neither works here; ERR_RANGE: area_b is 0; ERR_IO.  *p is written
 * only on success.
 */
int pagecache_read(int fd, uint64_t area_b, struct pagecache *p, struct err *err);

/* The two ways, one each. */
int pagecache_by_cachestat(int fd, uint64_t area_b, struct pagecache *p, struct err *err);
int pagecache_by_mincore(int fd, uint64_t area_b, struct pagecache *p, struct err *err);

#endif /* BENCH_PAGECACHE_H */
