/*
 * Ratios of two disks: coverage of the interval on slices of known ratio, and what the rules say.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/pair.h"

#define S(values, count)                                                                           \
	(struct pair_slices)                                                                       \
	{                                                                                          \
		.v = (values), .n = (count)                                                        \
	}

enum { RUNS = 500, SLICES_MAX = 30 };

static void
near(const char *what, double got, double want, double off)
{
	if (!(fabs(got - want) <= off))
		fail_msg("%s is %.9g, expected %.9g", what, got, want);
}

/* Tables of Student's t (NIST/SEMATECH e-Handbook 1.3.6.7.2), to three decimals. */
static void
test_student(void **state)
{
	(void)state;
	static const double rows[][2] = {{1, 12.706}, {2, 4.303}, {5, 2.571}, {7, 2.365},
		{10, 2.228}, {19, 2.093}, {29, 2.045}, {30, 2.042}, {40, 2.021}, {60, 2.000},
		{100, 1.984}, {1e9, 1.960}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		near("t", pair_student(rows[i][0]), rows[i][1], 0.0006);
	/* falls all the way */
	for (int i = 4; i < 160; i++)
		assert_true(pair_student((i + 1) / 4.0) < pair_student(i / 4.0));
	/* between the rows: the density integrated by Simpson's rule */
	near("t of 2.5", pair_student(2.5), 3.57465, 0.03);
	near("t of 10.5", pair_student(10.5), 2.21384, 0.001);
}

/* How slices of two disks are made; the true ratio of their means is `ratio`. */
struct law {
	const char *name;
	double ratio;
	size_t na, nb;
	bool paired;
	double sd_a, sd_b; /* of a slice, relative */
	double drift; /* of both together, relative: what pairs share */
	bool skewed; /* log-normal instead of normal */
};

static double
noise(struct rng *rng, double sd, bool skewed)
{
	double z = rng_normal(rng);
	/* both have mean 1 */
	return skewed ? exp(sd * z - sd * sd / 2) : fmax(0.01, 1 + sd * z);
}

static void
draw(const struct law *l, struct rng *rng, double *a, double *b)
{
	double shared[SLICES_MAX];
	for (size_t i = 0; i < SLICES_MAX; i++)
		shared[i] = noise(rng, l->drift, false);
	for (size_t i = 0; i < l->na; i++)
		a[i] = 10000 * shared[i] * noise(rng, l->sd_a, l->skewed);
	for (size_t i = 0; i < l->nb; i++)
		b[i] = 10000 * l->ratio * (l->paired ? shared[i] : noise(rng, l->drift, false)) *
		       noise(rng, l->sd_b, l->skewed);
}

static void
check_coverage(const struct law *l, uint64_t seed)
{
	double a[SLICES_MAX], b[SLICES_MAX];
	size_t covered = 0;
	struct rng rng;
	rng_seed(&rng, seed);
	for (size_t run = 0; run < RUNS; run++) {
		struct stats_range r;
		draw(l, &rng, a, b);
		assert_int_equal(pair_ratio(S(a, l->na), S(b, l->nb), l->paired, run, &r, NULL), 0);
		assert_true(r.lo <= r.value && r.value <= r.hi);
		covered += r.lo <= l->ratio && l->ratio <= r.hi;
	}
	double percent = 100.0 * (double)covered / RUNS;
	print_message("%-34s %.1f %%\n", l->name, percent);
	if (percent < 92 || percent > 98)
		fail_msg("%s: %.1f %% of the intervals hold the true ratio", l->name, percent);
}

static void
test_coverage(void **state)
{
	(void)state;
	static const struct law laws[] = {
		{"paired, 4 slices", 1.3, 4, 4, true, 0.05, 0.05, 0, false},
		{"paired, 6 slices, shared drift", 0.8, 6, 6, true, 0.03, 0.03, 0.2, false},
		{"paired, 12 slices, unequal noise", 2.5, 12, 12, true, 0.02, 0.15, 0.1, false},
		{"paired, 20 slices, skewed", 1, 20, 20, true, 0.2, 0.2, 0, true},
		{"apart, 6 and 9 slices", 1.3, 6, 9, false, 0.05, 0.05, 0, false},
		{"apart, 4 and 6 slices", 1.2, 4, 6, false, 0.05, 0.05, 0, false},
		{"apart, 30 and 25, skewed", 1, 30, 25, false, 0.2, 0.3, 0, true},
	};
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++)
		check_coverage(&laws[i], 1000 + i);
}

/* What both disks met cancels when they are paired, and does not when they are not. */
static void
test_pairing_cancels(void **state)
{
	(void)state;
	const struct law l = {"", 1.1, 12, 12, true, 0.01, 0.01, 0.3, false};
	double a[SLICES_MAX], b[SLICES_MAX];
	struct stats_range paired, apart;
	struct rng rng;
	rng_seed(&rng, 7);
	draw(&l, &rng, a, b);
	assert_int_equal(pair_ratio(S(a, 12), S(b, 12), true, 1, &paired, NULL), 0);
	assert_int_equal(pair_ratio(S(a, 12), S(b, 12), false, 1, &apart, NULL), 0);
	assert_true(paired.value == apart.value);
	assert_int_equal(pair_side(&paired), 1);
	assert_int_equal(pair_side(&apart), 0);
	assert_true(log(apart.hi / apart.lo) > 5 * log(paired.hi / paired.lo));
}

static void
test_deterministic(void **state)
{
	(void)state;
	double a[8] = {100, 104, 98, 101, 97, 103, 99, 102};
	double b[8] = {151, 149, 155, 147, 150, 152, 148, 153};
	struct stats_range one, two, other;
	assert_int_equal(pair_ratio(S(a, 8), S(b, 8), true, 42, &one, NULL), 0);
	assert_int_equal(pair_ratio(S(a, 8), S(b, 8), true, 42, &two, NULL), 0);
	assert_int_equal(pair_ratio(S(a, 8), S(b, 8), true, 43, &other, NULL), 0);
	assert_true(one.lo == two.lo && one.hi == two.hi);
	near("ratio", one.value, 1205.0 / 804, 1e-12);
	near("lo of another seed", other.lo, one.lo, 0.01);
	near("hi of another seed", other.hi, one.hi, 0.01);
	/* the other way round it is the inverse */
	assert_int_equal(pair_ratio(S(b, 8), S(a, 8), true, 42, &two, NULL), 0);
	near("inverse", two.value * one.value, 1, 1e-12);
	near("inverse of lo", two.lo * one.hi, 1, 0.01);
}

/* Four pairs by hand. */
static void
test_few(void **state)
{
	(void)state;
	double a[4] = {100, 100, 100, 100}, b[4] = {190, 210, 190, 210};
	struct stats_range r;
	assert_int_equal(pair_ratio(S(a, 4), S(b, 4), true, 1, &r, NULL), 0);
	/* b_i / 200 - 1 is -+0.05: error sqrt(4 x 0.0025 / (3 x 4)) = 0.028868; t(3) = 3.1824 */
	near("ratio", r.value, 2, 1e-12);
	near("lo", r.lo, 2 * exp(-3.1824 * 0.0288675), 1e-4);
	near("hi", r.hi, 2 * exp(3.1824 * 0.0288675), 1e-4);
}

static void
test_degenerate(void **state)
{
	(void)state;
	const double nan = (double)NAN;
	double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, twos[8] = {2, 2, 2, 2, 2, 2, 2, 2};
	double zeros[8] = {0}, hole[8] = {1, 1, nan, 1, 1, 1, 1, 1}, below[2] = {1, -1};
	double stall[8] = {0, 0, 0, 0, 0, 0, 0, 8};
	struct stats_range r;
	assert_int_equal(pair_ratio(S(ones, 8), S(twos, 8), true, 1, &r, NULL), 0);
	assert_true(r.value == 2 && r.lo == 2 && r.hi == 2);
	assert_int_equal(pair_ratio(S(ones, 1), S(twos, 1), true, 1, &r, NULL), 0);
	assert_true(r.value == 2 && isnan(r.lo) && isnan(r.hi));
	assert_int_equal(pair_ratio(S(stall + 6, 2), S(ones, 8), false, 1, &r, NULL), 0);
	assert_true(r.value == 0.25 && isnan(r.lo) && isnan(r.hi));
	assert_int_equal(pair_ratio(S(ones, 0), S(twos, 8), false, 1, &r, NULL), 0);
	assert_true(isnan(r.value));
	assert_int_equal(pair_ratio(S(zeros, 8), S(ones, 8), true, 1, &r, NULL), 0);
	assert_true(isnan(r.value));
	assert_int_equal(pair_ratio(S(ones, 8), S(zeros, 8), true, 1, &r, NULL), 0);
	assert_true(r.value == 0 && isnan(r.lo) && isnan(r.hi));
	assert_int_equal(pair_ratio(S(ones, 8), S(hole, 8), true, 1, &r, NULL), 0);
	assert_true(isnan(r.value));
	assert_int_equal(pair_ratio(S(ones, 8), S(below, 2), false, 1, &r, NULL), 0);
	assert_true(isnan(r.value));
	/* a disk that stood still in most slices: in some draws it does nothing at all */
	assert_int_equal(pair_ratio(S(stall, 8), S(ones, 8), true, 1, &r, NULL), 0);
	assert_true(r.value == 1 && r.lo > 0 && r.lo < 1 && isinf(r.hi));
	assert_int_equal(pair_side(&r), 0);
}

static void
test_ranges(void **state)
{
	(void)state;
	const double nan = (double)NAN;
	struct stats_range r, a = {100, 90, 110}, b = {300, 240, 375}, open = {300, nan, nan};
	r = pair_ratio_of_ranges(a, b);
	/* ln 110/90 / 2 = 0.100335, ln 375/240 / 2 = 0.223144; together 0.244664 */
	near("ratio", r.value, 3, 1e-12);
	near("lo", r.lo, 3 * exp(-0.244664), 1e-5);
	near("hi", r.hi, 3 * exp(0.244664), 1e-5);
	assert_int_equal(pair_side(&r), 1);
	r = pair_ratio_of_ranges(b, a);
	assert_int_equal(pair_side(&r), -1);
	r = pair_ratio_of_ranges(a, a);
	assert_int_equal(pair_side(&r), 0);
	r = pair_ratio_of_ranges(a, open);
	assert_true(r.value == 3 && isnan(r.lo) && isnan(r.hi));
	assert_int_equal(pair_side(&r), 0);
	r = pair_ratio_of_ranges((struct stats_range){0, 0, 0}, a);
	assert_true(isnan(r.value));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_pairing_cancels),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_degenerate),
		cmocka_unit_test(test_ranges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
