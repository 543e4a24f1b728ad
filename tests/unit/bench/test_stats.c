/* Medians and intervals.  Rank pairs are those of printed tables of the binomial (sign test) 95 %
 * interval of a median, n = 6 .. 40. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/stats.h"

static const struct row {
	size_t n;
	double median, lo, hi; /* of the values 1..n */
} rows[] = {
	{0, NAN, NAN, NAN},
	{1, 1, NAN, NAN},
	{2, 1.5, 1, 2}, /* below 6: the range */
	{5, 3, 1, 5},
	{6, 3.5, 1, 6},
	{8, 4.5, 1, 8},
	{9, 5, 2, 8},
	{10, 5.5, 2, 9},
	{15, 8, 4, 12},
	{20, 10.5, 6, 15},
	{25, 13, 8, 18},
	{40, 20.5, 14, 27},
};

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void
test_median(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double v[64];
		for (size_t k = 0; k < rows[i].n; k++)
			v[k] = (double)(rows[i].n - k);
		struct stats_range r = stats_median(v, rows[i].n);
		if (!same(r.value, rows[i].median) || !same(r.lo, rows[i].lo) ||
			!same(r.hi, rows[i].hi))
			fail_msg("n %zu: %g [%g, %g]", rows[i].n, r.value, r.lo, r.hi);
	}
}

static void
test_cv(void **state)
{
	(void)state;
	const double v[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* mean 5, sum of squares 32, n - 1 = 7 */
	assert_true(fabs(stats_cv(v, 8) - sqrt(32.0 / 7) / 5) < 1e-12);
	assert_true(isnan(stats_cv(v, 1)));
}

/* A percentile needs 10 samples above it. */
static void
test_enough(void **state)
{
	(void)state;
	assert_false(stats_enough(19, STATS_P50));
	assert_true(stats_enough(20, STATS_P50));
	assert_false(stats_enough(999, STATS_P99));
	assert_true(stats_enough(1000, STATS_P99));
	assert_false(stats_enough(9999, STATS_P999));
	assert_true(stats_enough(10000, STATS_P999));
	assert_false(stats_enough(0, STATS_MEAN));
}

enum { SLICES = 8, PER_SLICE = 1000 };

static struct hist slices[SLICES], pooled;
static const struct hist_packed *slice_list[SLICES];
static struct arena arena;

static void
fill(int64_t odd_ns, int64_t even_ns)
{
	for (int i = 0; i < SLICES; i++) {
		hist_init(&slices[i]);
		hist_add_n(&slices[i], i % 2 ? odd_ns : even_ns, PER_SLICE);
		slice_list[i] = hist_pack(&slices[i], &arena);
		assert_non_null(slice_list[i]);
	}
}

static void
test_latency_same(void **state)
{
	(void)state;
	struct stats_range r[STATS_COUNT];
	fill(100000, 100000);
	assert_int_equal(stats_latency(slice_list, SLICES, 1, r, &pooled, NULL), 0);
	assert_int_equal(pooled.n, SLICES * PER_SLICE);
	for (int what = 0; what <= STATS_P99; what++) {
		assert_true(fabs(r[what].value / 100 - 1) < 0.004);
		assert_true(fabs(r[what].lo / 100 - 1) < 0.004);
		assert_true(fabs(r[what].hi / 100 - 1) < 0.004);
	}
	/* 8,000 samples: 8 above p99.9 */
	assert_true(isnan(r[STATS_P999].value) && isnan(r[STATS_P999].lo));
}

/*
 * Half of the slices at 100 us, half at 200: inside the pooled samples the mean looks known to 1 us
 * (1.96 x 50 / sqrt(8000) = 1.1), but drawing 8 slices of two kinds has a standard deviation of
 * 50 / sqrt(8) = 17.7 us: the interval must be about +-35.
 */
static void
test_latency_between(void **state)
{
	(void)state;
	struct stats_range r[STATS_COUNT];
	fill(100000, 200000);
	assert_int_equal(stats_latency(slice_list, SLICES, 1, r, &pooled, NULL), 0);
	assert_true(fabs(r[STATS_MEAN].value - 150) < 1);
	assert_true(r[STATS_MEAN].lo > 100 && r[STATS_MEAN].lo < 125);
	assert_true(r[STATS_MEAN].hi < 200 && r[STATS_MEAN].hi > 175);
	/* the median can be either */
	assert_true(r[STATS_P50].lo < 101 && r[STATS_P50].hi > 199);
}

/* 799 and 802 us share the bin from 798.72 to 802.816 us: no order of them is known any more. */
static void
test_latency_one_bin(void **state)
{
	(void)state;
	struct stats_range r[STATS_COUNT];
	assert_int_equal(hist_bin(799000), hist_bin(802000));
	fill(799000, 802000);
	assert_int_equal(stats_latency(slice_list, SLICES, 1, r, &pooled, NULL), 0);
	for (int what = STATS_P50; what <= STATS_P99; what++) {
		assert_true(r[what].lo == 799); /* the smallest and the largest seen */
		assert_true(r[what].hi == 802);
	}
	/* two bins, and the median may lie in either */
	fill(800000, 900000);
	assert_int_equal(stats_latency(slice_list, SLICES, 1, r, &pooled, NULL), 0);
	assert_true(r[STATS_P50].lo == 800 && r[STATS_P50].hi == 900);
}

static void
test_latency_one(void **state)
{
	(void)state;
	struct stats_range r[STATS_COUNT];
	fill(100000, 100000);
	assert_int_equal(stats_latency(slice_list, 0, 1, r, &pooled, NULL), 0);
	assert_true(isnan(r[STATS_MEAN].value) && isnan(r[STATS_P50].value));
	assert_int_equal(stats_latency(slice_list, 1, 1, r, &pooled, NULL), 0);
	assert_true(fabs(r[STATS_P50].value / 100 - 1) < 0.004);
	/* two short and one long: mean 33 ms, half width 65 ms, and no mean is below nought */
	hist_init(&slices[0]);
	hist_add_n(&slices[0], 1000, 2);
	hist_add(&slices[0], 100000000);
	slice_list[0] = hist_pack(&slices[0], &arena);
	assert_int_equal(stats_latency(slice_list, 1, 1, r, &pooled, NULL), 0);
	assert_true(r[STATS_MEAN].lo == 0 && r[STATS_MEAN].hi > 90000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_cv),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_latency_same),
		cmocka_unit_test(test_latency_between),
		cmocka_unit_test(test_latency_one_bin),
		cmocka_unit_test(test_latency_one),
	};
	arena_init(&arena, 0);
	int failed = cmocka_run_group_tests_name("stats", tests, NULL, NULL);
	arena_fini(&arena);
	return failed;
}
