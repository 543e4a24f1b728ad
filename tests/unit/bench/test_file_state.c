/* What a test file is made of and what of it lies in memory, on real files in the current folder:
 * the truth is how each was made. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/magic.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/extents.h"
#include "bench/pagecache.h"

enum { MIB = 1 << 20, TWO_B = 2 * MIB, THREE_B = 3 * MIB, AREA_B = 8 * MIB, TWICE_B = 2 * AREA_B };

static int
new_file(void)
{
	char name[] = "file_state.XXXXXX";
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(unlink(name), 0);
	return fd;
}

/* Random bytes, so that no filesystem may store them smaller, at [from_b, from_b + size_b). */
static void
fill(int fd, int64_t from_b, int64_t size_b)
{
	static uint64_t data[MIB / 8];
	static uint64_t x = 88172645463325252U;
	for (int64_t at = from_b; at < from_b + size_b; at += MIB) {
		for (size_t i = 0; i < MIB / 8; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			data[i] = x;
		}
		assert_int_equal(pwrite(fd, data, MIB, at), MIB);
	}
}

/* False: this filesystem does not tell. */
static bool
extents_of(int fd, uint64_t area_b, struct extents *e)
{
	struct err err = {0};
	int rc = extents_read(fd, area_b, e, &err);
	if (rc == ERR_UNSUPPORTED)
		return false;
	if (rc)
		fail_msg("%s", err.text);
	return true;
}

static uint64_t
total(const struct extents *e)
{
	return e->written_b + e->unwritten_b + e->delayed_b + e->hole_b;
}

static void
test_written(void **state)
{
	(void)state;
	struct extents e = {0};
	int fd = new_file();
	fill(fd, 0, AREA_B);
	assert_int_equal(fsync(fd), 0);
	bool told = extents_of(fd, AREA_B, &e);
	close(fd);
	if (!told)
		skip();
	assert_int_equal(e.written_b, AREA_B);
	assert_int_equal(total(&e), AREA_B);
	assert_true(extents_written_frac(&e) == 1);
}

static void
test_sparse(void **state)
{
	(void)state;
	struct extents e = {0};
	int fd = new_file();
	assert_int_equal(ftruncate(fd, AREA_B), 0);
	if (!extents_of(fd, AREA_B, &e)) {
		close(fd);
		skip();
	}
	assert_int_equal(e.hole_b, AREA_B);
	assert_int_equal(total(&e), AREA_B);
	assert_true(extents_written_frac(&e) == 0);
	/* two MiB in the middle, and an area that goes on behind the end of the file */
	fill(fd, THREE_B, TWO_B);
	assert_int_equal(fsync(fd), 0);
	assert_true(extents_of(fd, TWICE_B, &e));
	close(fd);
	assert_int_equal(e.written_b, TWO_B);
	assert_int_equal(e.hole_b, TWICE_B - TWO_B);
	assert_int_equal(total(&e), TWICE_B);
}

static void
test_reserved(void **state)
{
	(void)state;
	struct extents e = {0};
	int fd = new_file();
	bool told = fallocate(fd, 0, 0, AREA_B) == 0 && extents_of(fd, AREA_B, &e);
	if (!told) {
		close(fd);
		skip();
	}
	assert_int_equal(e.unwritten_b, AREA_B);
	assert_true(extents_written_frac(&e) == 0);
	/* half of it written */
	fill(fd, 0, AREA_B / 2);
	assert_int_equal(fsync(fd), 0);
	assert_true(extents_of(fd, AREA_B, &e));
	close(fd);
	assert_int_equal(e.written_b, AREA_B / 2);
	assert_int_equal(e.unwritten_b, AREA_B / 2);
	assert_true(extents_written_frac(&e) == 0.5);
}

/* More pieces than one answer of the kernel holds: every other block of 4 KiB. */
static void
test_many_pieces(void **state)
{
	(void)state;
	enum { PIECES = 1500, STEP_B = 8192, WRITTEN_B = 4096, ALL_B = PIECES * STEP_B };
	struct extents e = {0};
	char block[WRITTEN_B];
	memset(block, 7, sizeof(block));
	int fd = new_file();
	for (int i = 0; i < PIECES; i++)
		assert_int_equal(pwrite(fd, block, WRITTEN_B, (off_t)i * STEP_B), WRITTEN_B);
	assert_int_equal(fsync(fd), 0);
	bool told = extents_of(fd, ALL_B, &e);
	close(fd);
	if (!told || sysconf(_SC_PAGESIZE) != WRITTEN_B)
		skip();
	assert_int_equal(e.written_b, PIECES * WRITTEN_B);
	assert_int_equal(e.hole_b, PIECES * (STEP_B - WRITTEN_B));
}

/* Pieces as the kernel may report them, of an area of 100 bytes. */
static const struct count_row {
	struct extents_piece piece;
	uint64_t at_b, then_b; /* counted up to: before, after */
	struct extents e;
} count_rows[] = {
	{{0, 40, 0}, 0, 40, {.written_b = 40}},
	{{10, 40, 0}, 0, 50, {.written_b = 40, .hole_b = 10}},
	{{0, 40, 0}, 20, 40, {.written_b = 20}}, /* begins before what was asked for */
	{{90, 40, 0}, 50, 100, {.written_b = 10, .hole_b = 40}}, /* goes on behind the area */
	{{200, 40, 0}, 50, 100, {.hole_b = 50}},
	{{60, UINT64_MAX, FIEMAP_EXTENT_UNWRITTEN}, 60, 100, {.unwritten_b = 40}},
	{{0, 100, FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_UNKNOWN}, 0, 100, {.delayed_b = 100}},
	{{0, 100, FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_LAST}, 0, 100,
		{.written_b = 100, .encoded_b = 100}},
	{{0, 100, FIEMAP_EXTENT_SHARED}, 0, 100, {.written_b = 100, .shared_b = 100}},
	{{0, 100, FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_NOT_ALIGNED}, 0, 100,
		{.written_b = 100, .inline_b = 100}},
	{{0, 40, 0}, 60, 60, {0}}, /* all of it counted already */
};

static void
test_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(count_rows) / sizeof(count_rows[0]); i++) {
		const struct count_row *r = &count_rows[i];
		struct extents e = {0};
		uint64_t at = r->at_b;
		extents_count(&e, &r->piece, 100, &at);
		if (at != r->then_b || memcmp(&e, &r->e, sizeof(e)) != 0)
			fail_msg("row %zu: at %llu", i, (unsigned long long)at);
	}
}

/* A filesystem that does not tell is not a file without blocks. */
static void
test_not_told(void **state)
{
	(void)state;
	struct extents e = {.written_b = 1};
	int fd = memfd_create("extents", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, AREA_B), 0);
	assert_int_equal(extents_read(fd, AREA_B, &e, NULL), ERR_UNSUPPORTED);
	assert_int_equal(extents_read(fd, 0, &e, NULL), ERR_RANGE);
	close(fd);
	assert_int_equal(extents_read(-1, AREA_B, &e, NULL), ERR_IO);
	assert_int_equal(e.written_b, 1);
}

typedef int (*look_fn)(int fd, uint64_t area_b, struct pagecache *p, struct err *err);

static double
cached(look_fn look, int fd)
{
	struct pagecache p;
	struct err err = {0};
	int rc = look(fd, AREA_B, &p, &err);
	if (rc == ERR_UNSUPPORTED)
		return NAN;
	if (rc)
		fail_msg("%s", err.text);
	return p.cached_frac;
}

/* Write through the cache, drop it, read half back through it; then all directly. */
static void
check_looker(look_fn look)
{
	int fd = new_file();
	fill(fd, 0, AREA_B);
	double after_write = cached(look, fd);
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	double dropped = cached(look, fd);
	char *data = aligned_alloc(4096, AREA_B / 2);
	assert_non_null(data);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM); /* no read-ahead beyond what is asked for */
	assert_int_equal(pread(fd, data, AREA_B / 2, 0), AREA_B / 2);
	double half = cached(look, fd);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	bool direct = fcntl(fd, F_SETFL, O_DIRECT) == 0 &&
		      pread(fd, data, AREA_B / 2, 0) == AREA_B / 2;
	double directly = cached(look, fd);
	free(data);
	bool of_memory = !extents_of(fd, AREA_B, &(struct extents){0}); /* nothing to drop there */
	struct statfs fs;
	/* btrfs with checksums does "direct" I/O through the cache */
	bool btrfs = fstatfs(fd, &fs) == 0 && fs.f_type == BTRFS_SUPER_MAGIC;
	close(fd);
	if (isnan(after_write) || !direct || of_memory || btrfs)
		skip();
	assert_true(after_write == 1);
	assert_true(dropped == 0);
	assert_true(half == 0.5);
	assert_true(directly == 0);
}

static void
test_cachestat(void **state)
{
	(void)state;
	check_looker(pagecache_by_cachestat);
}

static void
test_mincore(void **state)
{
	(void)state;
	check_looker(pagecache_by_mincore);
}

static void
test_either(void **state)
{
	(void)state;
	check_looker(pagecache_read);
}

/* More than one window of mappings (64 MiB): a page in the second one is seen. */
static void
test_windows(void **state)
{
	(void)state;
	const int64_t place_b = (int64_t)65 * MIB, size_b = 2 * place_b;
	struct pagecache a, b;
	int fd = new_file();
	assert_int_equal(ftruncate(fd, size_b), 0);
	fill(fd, place_b, MIB);
	int by_mincore = pagecache_by_mincore(fd, (uint64_t)size_b, &a, NULL);
	int by_cachestat = pagecache_by_cachestat(fd, (uint64_t)size_b, &b, NULL);
	close(fd);
	if (by_mincore)
		skip();
	assert_true(fabs(a.cached_frac - 1.0 / 130) < 1e-9);
	if (by_cachestat == 0) {
		assert_true(fabs(b.cached_frac - 1.0 / 130) < 1e-9);
		assert_true(b.dirty_frac >= 0 && b.dirty_frac <= b.cached_frac);
	}
}

/* Without cachestat(2) (an older kernel, a filter) mincore(2) answers; bad descriptors are errors. */
static void
test_errors(void **state)
{
	(void)state;
	struct pagecache p;
	assert_int_equal(pagecache_read(-1, AREA_B, &p, NULL), ERR_IO);
	assert_int_equal(pagecache_by_mincore(-1, AREA_B, &p, NULL), ERR_IO);
	int fd = new_file();
	assert_int_equal(pagecache_read(fd, 0, &p, NULL), ERR_RANGE);
	assert_int_equal(pagecache_by_mincore(fd, 0, &p, NULL), ERR_RANGE);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_reserved),
		cmocka_unit_test(test_many_pieces),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_not_told),
		cmocka_unit_test(test_cachestat),
		cmocka_unit_test(test_mincore),
		cmocka_unit_test(test_either),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests_name("file state", tests, NULL, NULL);
}
