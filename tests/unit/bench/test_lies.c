/* The ten lies: for each what is seen when it is told, and what is seen just short of it; a clean
 * run tells none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "bench/lies.h"

enum { AREA_B = 256 << 20, PART_B = 2 << 20, HALF_B = AREA_B / 2 };

static const struct extents all_written = {.written_b = AREA_B},
			    part_hole = {.written_b = AREA_B - PART_B, .hole_b = PART_B},
			    half_hole = {.written_b = HALF_B, .hole_b = HALF_B},
			    half_reserved = {.written_b = HALF_B, .unwritten_b = HALF_B};

/* A disk of 800 us: first and second reads alike. */
static const struct profile_cache even_cache = {.reads = 500,
	.cold_p50_us = 800,
	.warm_p50_us = 790,
	.early_p50_us = 805,
	.warm_over_cold = 0.99,
	.hit_frac = NAN};
static const struct profile_cache rereads_cache = {.reads = 500,
	.cold_p50_us = 800,
	.warm_p50_us = 90,
	.early_p50_us = 800,
	.warm_over_cold = 0.11,
	.hit_frac = 0.01};
static const struct profile_cache mixed_cache = {.reads = 500,
	.cold_p50_us = 800,
	.warm_p50_us = 90,
	.early_p50_us = 800,
	.warm_over_cold = 0.11,
	.hit_frac = 0.4};
/* what was written last is still in the cache, what was written first is not */
static const struct profile_cache early_cache = {.reads = 500,
	.cold_p50_us = 95,
	.warm_p50_us = 90,
	.early_p50_us = 800,
	.warm_over_cold = 0.95,
	.hit_frac = 0.9};

static struct profile_cell cells[2];
static struct profile_knee knees[2];
static struct profile measured;

/* Reads of 2,000 at depth 32, a mix of 1,400, and a knee of the device. */
static void
make_profile(void)
{
	profile_clear(&measured);
	profile_cell_clear(&cells[0]);
	profile_cell_clear(&cells[1]);
	profile_knee_clear(&knees[0]);
	cells[0].op = PROFILE_OP_RANDREAD;
	cells[0].bs_b = 4096;
	cells[0].qd = 32;
	cells[0].iops = 2000;
	cells[1].op = PROFILE_OP_RANDREAD;
	cells[1].bs_b = 4096;
	cells[1].qd = 8;
	cells[1].iops = 1400;
	cells[1].mix_read_frac = 0.7;
	knees[0].op = PROFILE_OP_RANDREAD;
	knees[0].limit = "device";
	knees[0].why = "device-limited: the rate stops rising";
	measured.cells = cells;
	measured.n_cells = 2;
	measured.knees = knees;
	measured.n_knees = 1;
}

static struct lies_seen
clean(void)
{
	struct lies_seen s;
	lies_clear(&s);
	make_profile();
	s.extents = &all_written;
	s.area_b = AREA_B;
	s.cached_frac = 0;
	s.compress_gain = 1.02;
	s.compress_least = 0.95;
	s.device = "vda";
	s.foreign_frac = 0.01;
	s.repeated = 0;
	s.cache = &even_cache;
	s.client_cell = "4 KiB random reads at depth 32";
	s.client_frac = 0.3;
	s.p = &measured;
	return s;
}

static const char *
verdict_of(const struct lies_seen *s, struct findings *f, struct arena *a)
{
	findings_init(f, a);
	return lies_find(s, f);
}

static bool
same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Just these codes, in the order of the table; the first one's sentence holds the words. */
static void
expect(const struct lies_seen *s, const char *codes, const char *words, const char *verdict)
{
	struct arena a;
	struct findings f;
	char found[256] = "";
	arena_init(&a, 0);
	const char *v = verdict_of(s, &f, &a);
	for (size_t i = 0; i < f.n; i++) {
		strncat(found, i ? " " : "", sizeof(found) - strlen(found) - 1);
		strncat(found, f.items[i].code, sizeof(found) - strlen(found) - 1);
		assert_non_null(f.items[i].todo);
	}
	if (strcmp(found, codes) != 0 || !same(v, verdict) ||
		(f.n && !strstr(f.items[0].text, words)))
		fail_msg("[%s] verdict %s: %s (expected [%s] %s: %s)", found, v ? v : "none",
			f.n ? f.items[0].text : "", codes, verdict ? verdict : "none", words);
	arena_fini(&a);
}

static void
test_clean(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	expect(&s, "", "", NULL);
	/* nothing known: nothing claimed */
	lies_clear(&s);
	expect(&s, "", "", NULL);
}

static void
test_file(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.extents = &half_hole;
	expect(&s, "sparse", "50 % of the test area (256 MiB) are holes", "not-the-disk");
	s.extents = &half_reserved;
	expect(&s, "unwritten", "50 % of the test area (256 MiB) were reserved", "not-the-disk");
	s.extents = &part_hole; /* under 1 %: the tail of a file system's block */
	expect(&s, "", "", NULL);
	s = clean();
	s.memory = "filesystem tmpfs";
	s.cached_frac = 1; /* of course: no lie of its own */
	expect(&s, "memory", "filesystem tmpfs is memory", "not-the-disk");
}

static void
test_cached(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.cached_frac = 0.01;
	expect(&s, "", "", NULL);
	s.cached_frac = 0.3;
	expect(&s, "buffered", "30 % of the test area (256 MiB) lay in this machine's page cache",
		"not-the-disk");
	s.cached_frac = 0.97;
	expect(&s, "buffered in-cache", "97 %", "not-the-disk");
}

static void
test_compress(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.compress_gain = 3.2;
	s.compress_least = 2.9;
	expect(&s, "compressible", "3.2 times", NULL);
	/* noise: some slice of zeros was no faster than some slice of data */
	s.compress_least = 0.9;
	expect(&s, "", "", NULL);
	s.compress_gain = 1.2;
	s.compress_least = 1.15;
	expect(&s, "", "", NULL);
}

static void
test_foreign(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.foreign_frac = 0.25;
	s.repeated = 7;
	expect(&s, "foreign-io", "25 % of the load on vda meanwhile (7 slices", "contaminated");
	/* the worst verdict counts */
	s.extents = &half_hole;
	expect(&s, "sparse foreign-io", "holes", "not-the-disk");
}

static void
test_quota(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	/* limits that do not bind */
	s.limits = (struct limits){NAN, 20000, 2000, NAN, 100e6};
	expect(&s, "", "", NULL);
	s.limits.riops = 2000;
	expect(&s, "quota-limited", "random reads of 4 KiB at depth 32: quota-limited: 2,000",
		"not-the-disk");
	s.limits = (struct limits){NAN, NAN, NAN, 2000 * 4096, NAN};
	expect(&s, "quota-limited", "quota-limited", "not-the-disk");
	/* one that is only a mix's */
	s.limits = (struct limits){NAN, 1400, NAN, NAN, NAN};
	expect(&s, "", "", NULL);
	/* no limit to be seen, but its pattern; a cap of the disk itself is no lie */
	s = clean();
	knees[0].limit = "throttle";
	knees[0].why = "quota-limited: at depth 32";
	expect(&s, "quota-limited", "random reads: quota-limited: at depth 32", "not-the-disk");
	knees[0].limit = "cap-iops";
	expect(&s, "", "", NULL);
}

static void
test_host_cache(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.cache = &rereads_cache;
	expect(&s, "host-cache", "took 800 us, the same again 90 us", NULL);
	s.cache = &mixed_cache;
	expect(&s, "host-cache", "40 % of first reads", "not-the-disk");
	s.cache = &early_cache;
	expect(&s, "host-cache", "took 800 us", "not-the-disk");
}

static void
test_client(void **state)
{
	(void)state;
	struct lies_seen s = clean();
	s.client_frac = 0.95;
	expect(&s, "client-bound", "4 KiB random reads at depth 32: this program was", NULL);
	s.client_frac = 0.7;
	s.wait_frac = 0.55;
	expect(&s, "client-bound", "waited for a processor 55 % of the time", NULL);
	s.wait_frac = 0.3;
	expect(&s, "", "", NULL);
	s.held_cell = "16 KiB random writes at depth 8";
	s.held_frac = 0.6;
	expect(&s, "client-bound", "16 KiB random writes at depth 8: this program used up", NULL);
	s.held_frac = 0.05;
	expect(&s, "", "", NULL);
}

/* Ten, with different codes; each of them appears in a case above. */
static void
test_table(void **state)
{
	(void)state;
	static const char all[] =
		"memory sparse unwritten buffered in-cache compressible foreign-io "
		"quota-limited host-cache client-bound";
	assert_int_equal(n_lies, 10);
	for (size_t i = 0; i < n_lies; i++) {
		assert_non_null(strstr(all, lies[i].code));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(lies[i].code, lies[k].code);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_cached),
		cmocka_unit_test(test_compress),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_host_cache),
		cmocka_unit_test(test_client),
		cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests_name("lies", tests, NULL, NULL);
}
