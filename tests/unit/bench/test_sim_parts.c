/* The parts of the simulated disk by themselves: events in order, the ring of dirty writes, LRU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/sim_cache.h"
#include "bench/sim_dirty.h"
#include "bench/sim_disk.h"
#include "bench/sim_queue.h"

/* Against the plainest queue there is: look through all for the earliest, of equals the first. */
static void
test_queue(void **state)
{
	(void)state;
	static struct sim_queue q;
	static struct sim_request requests[SIM_QUEUE_MAX];
	static struct {
		int64_t at_ns;
		uint64_t nth;
		bool there;
	} plain[SIM_QUEUE_MAX];
	struct rng rng;
	rng_seed(&rng, 3);
	int n = 0;
	int64_t now = 0;
	assert_true(sim_queue_next_ns(&q) == INT64_MAX);
	for (uint64_t step = 0; step < 20000; step++) {
		bool grow = (step / 2000) % 2 == 0;
		if (n < SIM_QUEUE_MAX && rng_below(&rng, 4) < (grow ? 3U : 1U)) {
			int64_t at = now + (int64_t)rng_below(&rng, step % 3 ? 50 : 5000);
			int i = 0;
			while (plain[i].there)
				i++;
			plain[i].there = true;
			plain[i].at_ns = at;
			plain[i].nth = step;
			sim_queue_put(&q, at, &requests[i]);
			n++;
		} else if (n > 0) {
			int first = -1;
			for (int i = 0; i < SIM_QUEUE_MAX; i++) {
				if (!plain[i].there)
					continue;
				if (first < 0 || plain[i].at_ns < plain[first].at_ns ||
					(plain[i].at_ns == plain[first].at_ns &&
						plain[i].nth < plain[first].nth))
					first = i;
			}
			now = plain[first].at_ns;
			assert_true(sim_queue_next_ns(&q) == now);
			assert_ptr_equal(sim_queue_take(&q), &requests[first]);
			plain[first].there = false;
			n--;
		}
	}
}

/* Writes come out in the order they went in, however often the ring grew and wherever it began. */
static void
test_dirty(void **state)
{
	(void)state;
	struct sim_dirty d;
	struct sim_dirty_write w;
	assert_int_equal(sim_dirty_init(&d, 64, NULL), 0);
	int64_t in = 0, out = 0;
	for (int round = 0; round < 12; round++) {
		for (int i = 0; i < 1300; i++, in++)
			assert_true(sim_dirty_put(&d, &(struct sim_dirty_write){in, 4096, 0.5}));
		for (int i = 0; i < 500; i++, out++) {
			assert_true(sim_dirty_take(&d, &w));
			assert_true(w.offset_b == out && w.size_b == 4096 && w.zero_frac == 0.5);
			sim_dirty_done(&d, w.size_b);
		}
	}
	for (; sim_dirty_take(&d, &w); out++)
		assert_true(w.offset_b == out);
	assert_true(in == out);
	/* on their way they still take room: 64 MiB - 12 x 800 x 4 KiB */
	assert_true(sim_dirty_put(&d, &(struct sim_dirty_write){0, (64 << 20) - 9600 * 4096, 0}));
	assert_false(sim_dirty_put(&d, &(struct sim_dirty_write){0, 512, 0}));
	sim_dirty_done(&d, 4096);
	assert_true(sim_dirty_put(&d, &(struct sim_dirty_write){0, 4096, 0}));
	assert_false(sim_dirty_fits(&d, (64 << 20) + 1));
	sim_dirty_fini(&d);
}

/* A large write that is gone from the write cache makes room for all the small ones that wait. */
static void
test_room(void **state)
{
	(void)state;
	struct sim_law law;
	struct sim_disk *d = NULL;
	assert_int_equal(sim_law_parse("write_us=1000,wcache_mib=1,wcache_us=10", &law, NULL), 0);
	assert_int_equal(sim_disk_new(&law, 1 << 30, &d, NULL), 0);
	struct sim_request large = {.op = SIM_WRITE, .size_b = 1 << 20}, small[4];
	sim_disk_submit(d, &large);
	for (int i = 0; i < 4; i++) {
		small[i] = (struct sim_request){.op = SIM_WRITE, .size_b = 4096};
		sim_disk_submit(d, &small[i]);
	}
	assert_ptr_equal(sim_disk_next(d, INT64_MAX), &large);
	assert_int_equal(sim_disk_now_ns(d), 10000);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(sim_disk_next(d, INT64_MAX), &small[i]);
		assert_int_equal(sim_disk_now_ns(d), 1010000);
	}
	sim_disk_free(d);
}

/* LRU of 4 blocks of a file of 16, beside a list in order of use. */
static void
test_cache(void **state)
{
	(void)state;
	enum { ROOM = 4, BLOCKS = 16 };
	static const int64_t BLOCK_B = 4096, END_B = BLOCKS * BLOCK_B;
	struct sim_cache c;
	struct rng rng;
	rng_seed(&rng, 5);
	assert_int_equal(sim_cache_init(&c, END_B, ROOM / 256.0, NULL), 0);
	int recent[BLOCKS], n = 0;
	for (int step = 0; step < 5000; step++) {
		int block = (int)rng_below(&rng, BLOCKS), at = 0;
		while (at < n && recent[at] != block)
			at++;
		assert_int_equal(sim_cache_has(&c, block * BLOCK_B, 4096), at < n);
		sim_cache_touch(&c, block * BLOCK_B, 512);
		if (at == n && n < ROOM)
			n++;
		at = at < n ? at : n - 1;
		memmove(recent + 1, recent, (size_t)at * sizeof(recent[0]));
		recent[0] = block;
	}
	assert_false(sim_cache_has(&c, END_B, 4096));
	sim_cache_touch(&c, END_B - BLOCK_B, 8192); /* the second is beyond the file */
	assert_true(sim_cache_has(&c, END_B - BLOCK_B, 4096));
	assert_false(sim_cache_has(&c, END_B - BLOCK_B, 8192));
	sim_cache_fini(&c);
	assert_int_equal(sim_cache_init(&c, INT64_C(1) << 44, 1, NULL), ERR_RANGE);
	/* none */
	assert_int_equal(sim_cache_init(&c, 1 << 20, 0, NULL), 0);
	sim_cache_touch(&c, 0, 4096);
	assert_false(sim_cache_has(&c, 0, 4096));
	sim_cache_fini(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_dirty),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_cache),
	};
	return cmocka_run_group_tests_name("sim_parts", tests, NULL, NULL);
}
