/* The histogram against exact values: error bound over the whole range, ranks against sorted
 * samples, merging, ends, intervals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hist.h"
#include "base/rng.h"

static struct hist h, other; /* 36 KB each */

static void
check_error(int64_t ns)
{
	double mid = hist_bin_mid_ns(hist_bin(ns)), error = fabs(mid - (double)ns);
	if (error > (double)ns / 256)
		fail_msg("%lld ns is taken for %.1f ns", (long long)ns, mid);
	if (ns < 256 && error != 0)
		fail_msg("%lld ns is not exact", (long long)ns);
}

static void
test_error_bound(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 1);
	for (int64_t ns = 0; ns < 70000; ns++)
		check_error(ns);
	/* both ends and the inside of every octave */
	for (int bit = 7; bit < HIST_TOP; bit++) {
		int64_t low = (int64_t)1 << bit;
		check_error(low - 1);
		check_error(low);
		check_error(low + 1);
		for (int i = 0; i < 5000; i++)
			check_error(low + (int64_t)rng_below(&r, (uint64_t)low));
	}
	check_error(((int64_t)1 << HIST_TOP) - 1);
}

static void
test_bins_ascend(void **state)
{
	(void)state;
	for (size_t bin = 0; bin < HIST_BINS; bin++) {
		double mid = hist_bin_mid_ns(bin);
		assert_int_equal(hist_bin((int64_t)mid), bin);
		assert_int_equal(hist_bin((int64_t)hist_bin_low_ns(bin)), bin);
		if (bin) {
			assert_true(mid > hist_bin_mid_ns(bin - 1));
			assert_int_equal(hist_bin((int64_t)hist_bin_low_ns(bin) - 1), bin - 1);
		}
	}
	assert_int_equal(hist_bin(INT64_MAX), HIST_BINS - 1);
	assert_int_equal(hist_bin((int64_t)1 << HIST_TOP), HIST_BINS - 1);
	assert_int_equal(hist_bin(INT64_MIN), 0);
}

static int
by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void
test_quantiles_against_sorted(void **state)
{
	(void)state;
	enum { N = 20011 };
	static const double fractions[] = {0, 0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
	static int64_t v[N];
	struct rng r;
	rng_seed(&r, 7);
	hist_init(&h);
	double sum = 0, square = 0;
	for (int i = 0; i < N; i++) { /* 50 us and a long tail */
		v[i] = (int64_t)(50000 + 200000 * rng_exponential(&r) * rng_exponential(&r));
		hist_add(&h, v[i]);
		sum += (double)v[i];
	}
	double mean = sum / N;
	for (int i = 0; i < N; i++)
		square += ((double)v[i] - mean) * ((double)v[i] - mean);
	qsort(v, N, sizeof(v[0]), by_value);
	for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
		double rank = ceil(fractions[i] * N);
		double exact = (double)v[rank < 1 ? 0 : (size_t)rank - 1];
		double got = hist_quantile_ns(&h, fractions[i]);
		if (fabs(got - exact) > exact / 256)
			fail_msg("p %g: %.1f, exact %.1f", fractions[i], got, exact);
	}
	assert_true(hist_quantile_ns(&h, 0) == (double)v[0]);
	assert_true(hist_quantile_ns(&h, 1) == (double)v[N - 1]);
	assert_true(fabs(hist_mean_ns(&h) - mean) < 1e-6 * mean);
	assert_true(fabs(hist_sd_ns(&h) - sqrt(square / (N - 1))) < 1e-6 * mean);
}

static void
test_whole_ranks(void **state)
{
	(void)state;
	/* 1..n, all exact below 256: the quantile at k/n is k */
	hist_init(&h);
	for (int i = 1; i <= 200; i++)
		hist_add(&h, i);
	for (int k = 1; k <= 200; k++) {
		double got = hist_quantile_ns(&h, k / 200.0);
		if (got != k)
			fail_msg("quantile %d/200 is %.1f", k, got);
	}
}

static void
test_merge(void **state)
{
	(void)state;
	hist_init(&h);
	hist_init(&other);
	hist_add_n(&h, 100, 3);
	hist_add(&other, 50);
	hist_add_n(&other, 1000000, 2);
	hist_add_n(&other, 77, 0); /* nothing */
	hist_merge(&h, &other);
	assert_int_equal(h.n, 6);
	assert_int_equal(h.min_ns, 50);
	assert_int_equal(h.max_ns, 1000000);
	assert_true(hist_mean_ns(&h) == (300 + 50 + 2000000) / 6.0);
	assert_true(hist_quantile_ns(&h, 0.5) == 100); /* 50 100 100 100 1e6 1e6 */
	assert_true(hist_quantile_ns(&h, 0.75) == 1000000); /* rank 5, clamped to the largest */
	hist_init(&other);
	hist_merge(&h, &other);
	assert_int_equal(h.n, 6);
	assert_int_equal(h.min_ns, 50);
}

/* A batch is the same as one by one, whatever the order and wherever in the range the values are. */
static void
test_batch(void **state)
{
	(void)state;
	static int64_t v[300];
	struct rng r;
	rng_seed(&r, 9);
	hist_init(&h);
	hist_init(&other);
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)rng_below(&r, 300);
		int bits = (int)rng_below(&r, HIST_TOP + 3); /* beyond the last bin, too */
		for (size_t i = 0; i < n; i++) {
			v[i] = (int64_t)rng_below(&r, (uint64_t)2 << bits) - (bits < 9);
			hist_add(&h, v[i]);
		}
		hist_add_all(&other, v, n);
	}
	assert_int_equal(h.n, other.n);
	assert_int_equal(h.min_ns, other.min_ns);
	assert_int_equal(h.max_ns, other.max_ns);
	assert_memory_equal(h.bins, other.bins, sizeof(h.bins));
	assert_true(fabs(h.sum_ns / other.sum_ns - 1) < 1e-12);
	assert_true(fabs(h.sum2_ns / other.sum2_ns - 1) < 1e-12);
	/* every value around the ends of the bins, inside what was seen before */
	hist_init(&h);
	hist_init(&other);
	hist_add(&other, 0);
	hist_add(&other, INT64_MAX);
	hist_merge(&h, &other);
	for (int bit = 0; bit < 62; bit++) {
		for (int64_t i = 0; i <= 1 << HIST_BITS; i++) {
			int64_t low = (int64_t)1 << bit,
				at = low + (int64_t)((double)low / 128 * (double)i);
			int64_t three[3] = {at - 1, at, at + 1};
			hist_add_all(&other, three, 3);
			for (int k = 0; k < 3; k++)
				hist_add(&h, three[k]);
		}
	}
	assert_memory_equal(h.bins, other.bins, sizeof(h.bins));
}

static void
test_ends(void **state)
{
	(void)state;
	hist_init(&h);
	assert_true(isnan(hist_mean_ns(&h)) && isnan(hist_sd_ns(&h)));
	assert_true(isnan(hist_quantile_ns(&h, 0.5)));
	hist_add(&h, -5);
	assert_int_equal(h.min_ns, 0);
	assert_true(isnan(hist_sd_ns(&h))); /* one sample has no spread */
	assert_true(isnan(hist_quantile_ns(&h, -0.1)));
	assert_true(isnan(hist_quantile_ns(&h, 1.1)));
	assert_true(isnan(hist_quantile_ns(&h, (double)NAN)));
	hist_init(&h);
	hist_add(&h, (int64_t)1 << 45); /* beyond the range: max still knows it */
	assert_true(hist_quantile_ns(&h, 0.5) == 0x1p45);
	hist_init(&h);
	hist_add_n(&h, 1000003, 5); /* equal samples: the clamp makes it exact */
	assert_true(hist_quantile_ns(&h, 0.5) == 1000003);
	assert_true(hist_sd_ns(&h) == 0);
}

static void
test_interval(void **state)
{
	(void)state;
	double lo, hi;
	hist_init(&h);
	for (int i = 1; i <= 100; i++)
		hist_add(&h, i);
	/* ranks 50 -+ 1.96 x 5 = 40.2 and 59.8: outward to 40 and 60 */
	hist_quantile_interval_ns(&h, 0.5, &lo, &hi);
	assert_true(lo == 40 && hi == 60);
	hist_quantile_interval_ns(&h, 0.99, &lo, &hi); /* 1 sample above */
	assert_true(isnan(lo) && isnan(hi));
	hist_quantile_interval_ns(&h, 0.9, &lo, &hi); /* 10 above: just enough */
	assert_true(lo <= 90 && hi >= 90);
	hist_init(&h);
	hist_quantile_interval_ns(&h, 0.5, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
	hist_add_n(&h, 200, 9999);
	hist_quantile_interval_ns(&h, 0.999, &lo, &hi);
	assert_true(isnan(lo));
	hist_add(&h, 200);
	hist_quantile_interval_ns(&h, 0.999, &lo, &hi); /* exactly 10 above */
	assert_true(lo == 200 && hi == 200);
	hist_add_n(&h, 200, 90000);
	hist_quantile_interval_ns(&h, 0.9999, &lo, &hi); /* the same with another rounding */
	assert_true(lo == 200 && hi == 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_bound),
		cmocka_unit_test(test_bins_ascend),
		cmocka_unit_test(test_quantiles_against_sorted),
		cmocka_unit_test(test_whole_ranks),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_interval),
	};
	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
