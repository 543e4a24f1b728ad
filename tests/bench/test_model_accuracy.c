/*
 * test_model_accuracy.c - the harness itself: errors planted with a known size come out with that
 * size, and what lies in an interval is counted so.
 */
#include "check.h"

#include "base/rng.h"
#include "model_leave.h"

/* A disk whose latency is a power of the depth: interpolation in ln-ln is exact. */
static struct sweep
power_law(double exponent)
{
	struct sweep s = {
		.op = PROFILE_OP_RANDREAD, .device = PROFILE_DEVICE_NVME, .bs_b = 4096, .n = 7};
	for (size_t i = 0; i < s.n; i++) {
		s.qd[i] = pow(2, (double)i);
		double us = 100 * pow(s.qd[i], exponent);
		s.iops[i] = 1e6 * s.qd[i] / us;
		s.us[MODEL_MEAN][i] = us;
		s.us[MODEL_P50][i] = 0.9 * us;
		s.us[MODEL_P99][i] = 2 * us;
		s.us[MODEL_P999][i] = 3 * us;
	}
	return s;
}

static void
spoil(struct sweep *s, size_t i, double factor)
{
	for (int k = 0; k < MODEL_STATISTIC_COUNT; k++)
		s->us[k][i] *= factor;
	s->iops[i] /= factor;
}

/* Nothing planted: nothing found, in any statistic, and all inside. */
static void
test_exact(void **state)
{
	(void)state;
	struct sweep s = power_law(0.5);
	struct tally t[MODEL_STATISTIC_COUNT] = {{0}};
	assert_true(sweep_is_clean(&s));
	leave_interior(&s, t);
	for (int k = 0; k < MODEL_STATISTIC_COUNT; k++) {
		assert_int_equal(t[k].n, 5);
		assert_int_equal(t[k].inside, 5);
		assert_near(tally_quantile(&t[k], 1), 0, 1e-9);
		tally_free(&t[k]);
	}
}

/* One point 10 % too slow: hidden, it is missed by 1 - 1/1.1, whatever the statistic. */
static void
test_one_spoilt(void **state)
{
	(void)state;
	struct sweep s = power_law(0.5);
	struct estimate e[MODEL_STATISTIC_COUNT];
	spoil(&s, 3, 1.1);
	assert_true(leave_one(&s, 3, e));
	for (int k = 0; k < MODEL_STATISTIC_COUNT; k++)
		assert_near(fabs(e[k].value / s.us[k][3] - 1), 1 - 1 / 1.1, 1e-9);
}

/* Noise of 5 % in the hidden points alone: the median of |exp(-0.05 z) - 1| is 0.05 x 0.6745 to
 * first order, the 95th percentile 0.05 x 1.96; both within a tenth over 1,000 draws. */
static void
test_noise(void **state)
{
	(void)state;
	struct rng rng;
	struct tally t = {0};
	rng_seed(&rng, 4711);
	for (int i = 0; i < 1000; i++) {
		struct sweep s = power_law(0.3 + 0.05 * (i % 10));
		size_t at = 1 + (size_t)i % 5;
		struct estimate e[MODEL_STATISTIC_COUNT];
		spoil(&s, at, exp(0.05 * rng_normal(&rng)));
		assert_true(leave_one(&s, at, e));
		tally_add(&t, &e[MODEL_MEAN], s.us[MODEL_MEAN][at]);
	}
	assert_near(tally_quantile(&t, 0.5), 0.05 * 0.6745, 0.0034);
	assert_near(tally_quantile(&t, 0.95), 0.05 * 1.96, 0.0098);
	tally_free(&t);
}

/* Quantiles and coverage of a list worked out by hand: errors 0, 10, 20, 30, 40 %. */
static void
test_tally(void **state)
{
	(void)state;
	struct tally t = {0};
	for (int i = 0; i < 5; i++) {
		double half = i < 3 ? 25 : 5; /* the first three intervals hold the measurement */
		double value = 100 + 10 * i;
		struct estimate e = {.value = value, .lo = value - half, .hi = value + half};
		tally_add(&t, &e, 100);
	}
	struct estimate unknown = {.value = 1};
	tally_add(&t, &unknown, (double)NAN);
	assert_int_equal(t.n, 5);
	assert_near(tally_quantile(&t, 0.5), 0.2, 1e-12);
	assert_near(tally_quantile(&t, 0.95), 0.38, 1e-12); /* 0.8 of the way from 30 to 40 */
	assert_near(tally_coverage(&t), 0.6, 1e-12);
	tally_free(&t);
}

/* A fall of 7 % is not clean, one of 5 % is. */
static void
test_clean(void **state)
{
	(void)state;
	struct sweep s = power_law(0);
	spoil(&s, 4, 0.95);
	assert_true(sweep_is_clean(&s));
	s = power_law(0);
	spoil(&s, 4, 0.93);
	assert_false(sweep_is_clean(&s));
	s = power_law(1); /* IOPS are flat, so a slower point is a fall of them */
	spoil(&s, 4, 1.07);
	assert_false(sweep_is_clean(&s));
}

/* What each experiment hides and asks for, counted; and a hard wall under its own cap is met. */
static void
test_experiments(void **state)
{
	(void)state;
	struct tally four = {0}, cap = {0}, next[GROWTH_CLASSES] = {{0}};
	struct sweep s = power_law(0);
	for (size_t i = 4; i < 7; i++) { /* flat at 100 us to depth 8, then 80,000 IOPS */
		s.us[MODEL_MEAN][i] = s.qd[i] / 0.08;
		s.iops[i] = 80000;
	}
	leave_all_but_four(&s, &four);
	assert_int_equal(four.n, 3); /* 2, 8, 32 */
	leave_above_cap(&s, &cap);
	assert_int_equal(cap.n, 3); /* 16, 32, 64 */
	/* p-norm 4 of 100 and 200 us at depth 16: (1 + 1/16)^(1/4) above the hinge */
	assert_near(tally_quantile(&cap, 1), pow(1 + 1.0 / 16, 0.25) - 1, 2e-3);
	leave_next(&s, next);
	/* depth 32 after 8, 16 (no growth), 64 after 16, 32 (none either) */
	assert_int_equal(next[0].n, 2);
	tally_free(&four);
	tally_free(&cap);
	tally_free(&next[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_one_spoilt),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_tally),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_experiments),
	};
	return cmocka_run_group_tests_name("bench/model_accuracy", tests, NULL, NULL);
}
