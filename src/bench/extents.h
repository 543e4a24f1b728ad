/*
 * extents.h - what the filesystem says the test file is made of: blocks that were written, or
 * holes and reservations that no read ever takes to the disk.
 *
 * Asked of our own descriptor with FS_IOC_FIEMAP (Documentation/filesystems/fiemap.rst); nothing is
 * synced or changed by asking.
 */
#ifndef BENCH_EXTENTS_H
#define BENCH_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Bytes of the area, each counted in one of the first four ... */
struct extents {
	uint64_t written_b; /* on the disk, or inside the filesystem's own blocks */
	uint64_t unwritten_b; /* reserved (fallocate), reads give zeros without asking the disk */
	uint64_t delayed_b; /* in memory only: no place on the disk yet */
	uint64_t hole_b;
	/* ... and these inside written_b */
	uint64_t encoded_b; /* compressed or encrypted by the filesystem */
	uint64_t shared_b; /* with other files or snapshots */
	uint64_t inline_b; /* stored with the metadata */
};

/*
 * Look at [0, area_b) of the open file.  ERR_UNSUPPORTED: the filesystem does not tell (tmpfs, FUSE,
 * most network filesystems); ERR_RANGE: area_b is 0; ERR_IO.  *e is written only on success.
 */
int extents_read(int fd, uint64_t area_b, struct extents *e, struct err *err);

/* One extent as the kernel reports it. */
struct extents_piece {
	uint64_t from_b, length_b;
	uint32_t flags; /* FIEMAP_EXTENT_... */
};

/*
 * Count one piece, clipped to [*at_b, area_b); what lies between *at_b and its start is a hole.
 * *at_b becomes its end.  Pieces come in ascending order; the caller counts the hole at the end.
 */
void extents_count(
	struct extents *e, const struct extents_piece *piece, uint64_t area_b, uint64_t *at_b);

/* Share of the area that was written, 0 to 1. */
double extents_written_frac(const struct extents *e);

#endif /* BENCH_EXTENTS_H */
