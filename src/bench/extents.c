#include "bench/extents.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>

enum { BATCH = 256 };

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void
extents_count(struct extents *e, const struct extents_piece *piece, uint64_t area_b, uint64_t *at_b)
{
	uint64_t from = piece->from_b > *at_b ? piece->from_b : *at_b;
	/* FIEMAP allows lengths up to 2^64: no sum that could wrap */
	uint64_t end = piece->length_b > UINT64_MAX - piece->from_b
			       ? UINT64_MAX
			       : piece->from_b + piece->length_b;
	from = least(from, area_b);
	end = least(end, area_b);
	e->hole_b += from - *at_b;
	uint64_t n = end > from ? end - from : 0;
	*at_b = from + n;
	if (piece->flags & FIEMAP_EXTENT_DELALLOC) {
		e->delayed_b += n;
		return;
	}
	if (piece->flags & FIEMAP_EXTENT_UNWRITTEN) {
		e->unwritten_b += n;
		return;
	}
	e->written_b += n;
	if (piece->flags & (FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_DATA_ENCRYPTED))
		e->encoded_b += n;
	if (piece->flags & FIEMAP_EXTENT_SHARED)
		e->shared_b += n;
	if (piece->flags & (FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL))
		e->inline_b += n;
}

/* Ask for the extents from at_b on; how many came, or -errno. */
static int
ask(int fd, struct fiemap *map, uint64_t at_b, uint64_t area_b)
{
	/* the length of the header alone: the array behind it is the kernel's to fill */
	*map = (struct fiemap){
		.fm_start = at_b, .fm_length = area_b - at_b, .fm_extent_count = BATCH};
	if (ioctl(fd, FS_IOC_FIEMAP, map) != 0)
		return -errno;
	return (int)map->fm_mapped_extents;
}

static int
walk(int fd, struct fiemap *map, uint64_t area_b, struct extents *e, struct err *err)
{
	uint64_t at = 0;
	bool last = false;
	while (at < area_b && !last) {
		uint64_t before = at;
		int n = ask(fd, map, at, area_b);
		if (n == -EOPNOTSUPP || n == -ENOTTY || n == -EINVAL)
			return err_set(err, ERR_UNSUPPORTED,
				"the filesystem does not tell where the file's blocks are");
		if (n < 0)
			return err_sys(err, -n, "asking for the extents of the test file");
		last = n == 0;
		for (int i = 0; i < n; i++) {
			const struct fiemap_extent *x = &map->fm_extents[i];
			extents_count(e,
				&(struct extents_piece){x->fe_logical, x->fe_length, x->fe_flags},
				area_b, &at);
			last |= (x->fe_flags & FIEMAP_EXTENT_LAST) != 0;
		}
		if (!last && at == before)
			return err_set(err, ERR_IO,
				"the extents of the test file do not advance at byte %llu",
				(unsigned long long)at);
	}
	e->hole_b += area_b - at;
	return 0;
}

int
extents_read(int fd, uint64_t area_b, struct extents *e, struct err *err)
{
	struct extents found = {0};
	if (area_b == 0)
		return err_set(err, ERR_RANGE, "no area to ask for");
	struct fiemap *map = calloc(1, sizeof(*map) + BATCH * sizeof(map->fm_extents[0]));
	if (!map)
		return err_nomem(err);
	int rc = walk(fd, map, area_b, &found, err);
	free(map);
	if (rc == 0)
		*e = found;
	return rc;
}

double
extents_written_frac(const struct extents *e)
{
	uint64_t all = e->written_b + e->unwritten_b + e->delayed_b + e->hole_b;
	return all ? (double)e->written_b / (double)all : 0;
}
