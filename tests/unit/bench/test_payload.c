/* Stamps: whatever is written, in blocks of any size and place, a file stays one of which every
 * 4 KiB prove their place; a wrong block, a wrong run and a read that moved nothing are seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/engine.h"
#include "bench/payload.h"

enum { SECTOR = 512, BLOCK = 4096, FILE_B = 1 << 20, MOST_B = 64 * 1024, BLOCKS = FILE_B / BLOCK };

static char file[FILE_B], data[MOST_B];
static struct payload p;
static struct rng rng;

/* The multiples of 4096 in [from, from + size), counted one sector at a time. */
static uint64_t
places(int64_t from, size_t size)
{
	uint64_t n = 0;
	for (int64_t at = from; at < from + (int64_t)size; at += SECTOR)
		n += at % BLOCK == 0;
	return n;
}

/* A place and size of whole sectors inside the file. */
static size_t
anywhere(int64_t *from)
{
	static const size_t sizes[] = {512, 1024, 1536, 2048, 4096, 4608, 8192, 12288, MOST_B};
	size_t size = sizes[rng_below(&rng, sizeof(sizes) / sizeof(sizes[0]))];
	*from = (int64_t)rng_below(&rng, (FILE_B - size) / SECTOR + 1) * SECTOR;
	return size;
}

static void
new_file(void)
{
	rng_seed(&rng, 11);
	payload_init(&p, 5, 77);
	for (int64_t at = 0; at < FILE_B; at += MOST_B)
		payload_fill(&p, file + at, MOST_B, at);
}

/* As the program writes: one buffer, used again and again at other places. */
static void
write_somewhere(bool zeros)
{
	int64_t from;
	size_t size = anywhere(&from);
	if (zeros)
		payload_blank(&p, data, size, from);
	else
		payload_refresh(&p, data, size, from);
	memcpy(file + from, data, size);
}

static void
test_any_write_keeps_the_file(void **state)
{
	(void)state;
	for (int zeros = 0; zeros < 2; zeros++) {
		new_file();
		if (zeros)
			memset(data, 0, sizeof(data));
		else
			payload_fill(&p, data, sizeof(data), 0);
		for (int i = 0; i < 20000; i++) {
			write_somewhere(zeros);
			int64_t from;
			size_t size = anywhere(&from);
			struct payload_seen seen = payload_check(&p, file + from, size, from);
			assert_int_equal(seen.stamps, places(from, size));
			assert_int_equal(seen.wrong, 0);
		}
		for (int64_t at = 0; at < FILE_B; at += BLOCK) /* as the reads at depth 1 */
			assert_int_equal(payload_check(&p, file + at, BLOCK, at).wrong, 0);
	}
}

static void
test_zeros_are_zeros(void **state)
{
	(void)state;
	static const char none[SECTOR];
	new_file();
	memset(data, 0, sizeof(data));
	for (int i = 0; i < 2000; i++) {
		int64_t from;
		size_t size = anywhere(&from);
		payload_blank(&p, data, size, from);
		for (size_t at = 0; at < size; at += SECTOR) {
			size_t stamp = (from + (int64_t)at) % BLOCK == 0 ? 8 : 0;
			assert_memory_equal(data + at + stamp, none, SECTOR - stamp);
		}
	}
}

static int
by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, SECTOR);
}

/* No two sectors of what is written are equal, though the buffer is the same: nothing to share. */
static void
test_no_sector_twice(void **state)
{
	(void)state;
	new_file();
	payload_fill(&p, data, sizeof(data), 0);
	for (int64_t at = 0; at < FILE_B; at += BLOCK + SECTOR) { /* always from the same buffer */
		size_t size = FILE_B - at < BLOCK + SECTOR ? (size_t)(FILE_B - at) : BLOCK + SECTOR;
		payload_refresh(&p, data, size, 0); /* and for the same place */
		memcpy(file + at, data, size);
	}
	qsort(file, FILE_B / SECTOR, SECTOR, by_bytes);
	for (size_t at = SECTOR; at < FILE_B; at += SECTOR)
		assert_memory_not_equal(file + at - SECTOR, file + at, SECTOR);
}

static void
test_stamps_differ(void **state)
{
	(void)state;
	struct payload other;
	payload_init(&p, 5, 77);
	payload_init(&other, 5, 78);
	for (int64_t at = 0; at < FILE_B; at += BLOCK) {
		assert_true(payload_stamp(&p, at) != 0);
		assert_true(payload_stamp(&p, at) != payload_stamp(&other, at));
		assert_true(payload_stamp(&p, at) != payload_stamp(&p, at + BLOCK));
		/* beyond what a 32-bit number of blocks holds: 16 TiB */
		assert_true(payload_stamp(&p, at) != payload_stamp(&p, at + ((int64_t)1 << 44)));
	}
}

static void
test_wrong_data_is_seen(void **state)
{
	(void)state;
	new_file();
	struct payload other;
	payload_init(&other, 5, 78);
	assert_int_equal(payload_check(&other, file, FILE_B, 0).wrong, BLOCKS); /* another run */
	assert_int_equal(payload_check(&p, file, FILE_B, BLOCK).wrong, BLOCKS); /* one block off */
	memset(file + (size_t)9 * BLOCK, 0, BLOCK); /* zeros instead of data */
	memcpy(file + (size_t)20 * BLOCK, file + (size_t)21 * BLOCK, BLOCK); /* another's data */
	struct payload_seen seen = payload_check(&p, file, FILE_B, 0);
	assert_int_equal(seen.stamps, BLOCKS);
	assert_int_equal(seen.wrong, 2);
	/* a block read in parts: the part with the stamp shows it, the others have nothing to show */
	for (int64_t at = 0; at < BLOCK; at += SECTOR) {
		int64_t from = (int64_t)9 * BLOCK + at;
		seen = payload_check(&p, file + from, SECTOR, from);
		assert_int_equal(seen.stamps, at == 0);
		assert_int_equal(seen.wrong, at == 0);
	}
	/* a read that moves nothing into a buffer that held the right data */
	new_file();
	payload_spoil(file + 1024, 8192, 1024);
	assert_int_equal(payload_check(&p, file + 1024, 8192, 1024).wrong, 2);
	assert_int_equal(payload_check(&p, file, FILE_B, 0).wrong, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_write_keeps_the_file),
		cmocka_unit_test(test_zeros_are_zeros),
		cmocka_unit_test(test_no_sector_twice),
		cmocka_unit_test(test_stamps_differ),
		cmocka_unit_test(test_wrong_data_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
