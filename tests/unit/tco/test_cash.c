/* Money over time.  Expectations are worked by hand in the comments. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tco/cash.h"

static void
near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.15g, want %.15g within %g", got, want, tolerance);
}

/* (1 + rm)^12 = 1 + r, by twelve multiplications; no rate is no rate. */
static void
test_monthly_rate(void **state)
{
	(void)state;
	static const double rates[] = {0, 1e-12, 0.01, 0.08, 0.5, 10};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		double year = 1;
		for (int m = 0; m < 12; m++)
			year *= 1 + cash_monthly_rate(rates[i]);
		near(year, 1 + rates[i], 1e-14 * (1 + rates[i]) * 12);
	}
	assert_true(cash_monthly_rate(0) == 0);
	/* not r/12: 0.08/12 = 0.0066667 would be the nominal habit; 1.08^(1/12) = 1.00643403 */
	near(cash_monthly_rate(0.08), 0.00643403, 5e-9);
}

static void
test_annuity(void **state)
{
	(void)state;
	assert_true(cash_annuity(0, 36) == 36);
	/* 12 months at 8 % a year: (1 - 1/1.08) / 0.00643403 = 0.0740740741 / 0.00643403 = 11.5129 */
	near(cash_annuity(cash_monthly_rate(0.08), 12), 11.5129, 5e-5);
	/* The sum it stands for. */
	static const double rates[] = {1e-9, 0.001, 0.01, 0.2};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		double sum = 0, factor = 1;
		for (int t = 1; t <= 60; t++) {
			factor /= 1 + rates[i];
			sum += factor;
		}
		near(cash_annuity(rates[i], 60), sum, 1e-9);
	}
	/* Taking r/12 for the monthly rate over three years at 8 % is off by about 0.5 %. */
	double error = cash_annuity(0.08 / 12, 36) / cash_annuity(cash_monthly_rate(0.08), 36) - 1;
	assert_true(error < -0.003 && error > -0.006);
}

static void
test_npv(void **state)
{
	(void)state;
	/* -1000, then 500, 600, 700 at 10 % a period: 500/1.1 = 454.545455, 600/1.21 = 495.867769,
	 * 700/1.331 = 525.920361; sum 1476.333584 - 1000 = 476.333584. */
	static const double flows[] = {-1000, 500, 600, 700};
	near(cash_npv(flows, 4, 0.10, CASH_END), 476.333584, 5e-7);
	assert_true(cash_npv(flows, 4, 0, CASH_END) == 800);
	/* At the internal rate the NPV is zero: -100 now, 121 in two periods is 10 %. */
	static const double two[] = {-100, 0, 121};
	near(cash_npv(two, 3, 0.10, CASH_END), 0, 1e-12);
	/* Mid-month: a flow of month 1 is half a month away: 121 / 1.21^0.5 = 121 / 1.1 = 110. */
	static const double one[] = {7, 121};
	near(cash_npv(one, 2, 0.21, CASH_MID), 7 + 110, 1e-12);
	near(cash_npv(one, 2, 0.21, CASH_END), 7 + 100, 1e-12);
	/* Twelve equal months at no interest are a year. */
	double level[13];
	for (int t = 0; t <= 12; t++)
		level[t] = t ? 168 : 0;
	assert_true(cash_npv(level, 13, cash_monthly_rate(0), CASH_END) == 168 * 12);
	/* A level series is its annuity. */
	double rate = cash_monthly_rate(0.08);
	near(cash_npv(level, 13, rate, CASH_END), 168 * cash_annuity(rate, 12), 1e-9);
	static const double unknown[] = {0, NAN};
	assert_true(isnan(cash_npv(unknown, 2, 0, CASH_END)));
}

struct payback_row {
	double flows[5];
	size_t n;
	double rate;
	enum cash_payback state;
	double months;
};

static const struct payback_row payback_rows[] = {
	/* 1000 out, 400 a month: 800 after two, the missing 200 are half of the third. */
	{{-1000, 400, 400, 400, 400}, 5, 0, CASH_PAYBACK_AT, 2.5},
	/* exactly at a month's end */
	{{-800, 400, 400, 400, 400}, 5, 0, CASH_PAYBACK_AT, 2},
	/* exactly at the end of the series */
	{{-800, 400, 400}, 3, 0, CASH_PAYBACK_AT, 2},
	/* discounted at 100 %: 400/2 + 400/4 = 300 of 350, then 400/8 = 50: at month 3 */
	{{-350, 400, 400, 400, 400}, 5, 1, CASH_PAYBACK_AT, 3},
	/* the same undiscounted: 350/400 of the first month */
	{{-350, 400, 400, 400, 400}, 5, 0, CASH_PAYBACK_AT, 0.875},
	{{-2000, 400, 400, 400, 400}, 5, 0, CASH_PAYBACK_NEVER, NAN},
	/* no outlay now, but each month loses: that never pays back either */
	{{0, -16, -16, -16, -16}, 5, 0, CASH_PAYBACK_NEVER, NAN},
	{{0, 584, 584, 584, 584}, 5, 0, CASH_PAYBACK_NOTHING, NAN},
	{{0, 0, 0, 0, 0}, 5, 0, CASH_PAYBACK_NOTHING, NAN},
	{{0}, 0, 0, CASH_PAYBACK_NOTHING, NAN},
	/* the outlay comes in month 1: 0, -10, +10: half way through month 2 */
	{{0, -10, 20, 20, 20}, 5, 0, CASH_PAYBACK_AT, 1.5},
	{{-1000, NAN, 400, 400, 400}, 5, 0, CASH_PAYBACK_UNKNOWN, NAN},
};

static void
test_payback(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(payback_rows) / sizeof(payback_rows[0]); i++) {
		const struct payback_row *r = &payback_rows[i];
		struct cash_payback_result got = cash_payback(r->flows, r->n, r->rate);
		bool same = isnan(r->months) ? isnan(got.months)
					     : fabs(got.months - r->months) < 1e-12;
		if (got.state != r->state || !same)
			fail_msg("row %zu: %s at %g", i,
				names_text(&cash_payback_names, (int)got.state), got.months);
	}
}

struct break_even_row {
	double upfront_a, monthly_a, upfront_b, monthly_b, months;
};

static const struct break_even_row break_even_rows[] = {
	/* 1200 more now, 100 less a month: 12 months */
	{0, 300, 1200, 200, 12},
	{500, 300, 1700, 200, 12},
	/* 700 less now, 50 more a month: the lead is gone after 14 */
	{1000, 100, 300, 150, 14},
	/* dearer every month and now, or the reverse: never */
	{0, 168, 100, 504, INFINITY},
	{100, 504, 0, 168, INFINITY},
	{0, 168, 0, 504, INFINITY},
	{0, 504, 0, 168, INFINITY},
	{0, 168, 1, 168, INFINITY},
	{1, 168, 0, 168, INFINITY},
	{7, 168, 7, 168, 0},
	{0, NAN, 0, 168, NAN},
	{NAN, 1, 0, 1, NAN},
};

static void
test_break_even(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(break_even_rows) / sizeof(break_even_rows[0]); i++) {
		const struct break_even_row *r = &break_even_rows[i];
		double got = cash_break_even(
			r->upfront_a, r->monthly_a, r->upfront_b, r->monthly_b);
		if (isnan(r->months) ? !isnan(got) : got != r->months)
			fail_msg("row %zu: %g, want %g", i, got, r->months);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monthly_rate),
		cmocka_unit_test(test_annuity),
		cmocka_unit_test(test_npv),
		cmocka_unit_test(test_payback),
		cmocka_unit_test(test_break_even),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
