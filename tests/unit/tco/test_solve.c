/* Unit costs, goal seek and the tornado. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tco/goal.h"
#include "tco/sensitivity.h"
#include "tco/unit_cost.h"

static void
near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.15g, want %.15g within %g", got, want, tolerance);
}

/* Reference case A2: 168 / 111 kTPM, 504 / 252 kTPM; a month of 730 h is 2,628,000 s. */
static void
test_unit_cost(void **state)
{
	(void)state;
	near(unit_cost_of_rate(168, 1850), 1.5135, 0.00005);
	assert_true(unit_cost_of_rate(504, 4200) == 2);
	near(unit_cost_of_rate(504, 4200) / unit_cost_of_rate(168, 1850), 1.3214, 0.00005);
	near(unit_cost_of_work(168, 1850, 1, 730), 0.00003456, 0.000000005);
	near(unit_cost_of_work(504, 4200, 1, 730), 0.00004566, 0.000000005);
	/* 30 % of the work at the same price: each transaction 1/0.30 times as dear */
	near(unit_cost_of_work(168, 1850, 0.30, 730) * 0.30, unit_cost_of_work(168, 1850, 1, 730),
		1e-18);
	/* the price of a rate knows no utilisation; 1.5135 a month per 1,000 TPM at full rate is
	 * 1.5135 / (730 x 60 = 43,800 thousand transactions) */
	near(unit_cost_of_work(168, 1850, 1, 730), unit_cost_of_rate(168, 1850) / 43800, 1e-18);
	/* rate at which 504 costs what Premium costs: 504/168 x 1850 = 5550 */
	near(unit_cost_rate_for(504, unit_cost_of_rate(168, 1850)), 5550, 1e-9);
	assert_true(isnan(unit_cost_of_rate(168, 0)));
	assert_true(isnan(unit_cost_of_rate(168, NAN)));
	assert_true(isnan(unit_cost_of_rate(NAN, 1850)));
	assert_true(isnan(unit_cost_of_work(168, 1850, NAN, 730)));
	assert_true(isnan(unit_cost_of_work(168, 1850, 0, 730)));
	assert_true(isnan(unit_cost_rate_for(168, 0)));
}

static double
line(double x, void *context)
{
	const double *c = context;
	return c[0] + c[1] * x;
}

static double
cube(double x, void *context)
{
	(void)context;
	return x * x * x;
}

static double
unknown_inside(double x, void *context)
{
	(void)context;
	return x > 0.2 && x < 0.8 ? (double)NAN : x - 0.5;
}

struct goal_row {
	goal_fn f;
	double context[2];
	double target, lo, hi;
	int code;
	double x;
};

static const struct goal_row goal_rows[] = {
	/* 7,008 + 116,800,000 s = 217,000: s = 209,992 / 116,800,000 */
	{line, {7008, 116800000}, 217000, 0, 1, 0, 209992.0 / 116800000.0},
	{line, {10, -2}, 0, 0, 100, 0, 5},
	{line, {10, -2}, 0, 0, 5, 0, 5}, /* at the upper end */
	{line, {10, -2}, 10, 0, 5, 0, 0}, /* at the lower end */
	{line, {10, -2}, 0, 6, 100, ERR_NOT_FOUND, 0},
	{line, {10, 0}, 0, -1e6, 1e6, ERR_NOT_FOUND, 0},
	{cube, {0}, 27, -10, 10, 0, 3},
	{cube, {0}, -8, -1000, 1000, 0, -2},
	{cube, {0}, 0, -7, 11, 0, 0},
	/* a narrow interval far from zero: no finer than doubles can tell */
	{line, {-1e9 - 0.5, 1}, 0, 1e9, 1e9 + 1, 0, 1e9 + 0.5},
	{line, {10, -2}, 0, 5, 5, ERR_RANGE, 0},
	{line, {10, -2}, 0, 9, 5, ERR_RANGE, 0},
	{line, {10, -2}, 0, 0, INFINITY, ERR_RANGE, 0},
	{line, {NAN, 1}, 0, 0, 1, ERR_RANGE, 0},
	{unknown_inside, {0}, 0, 0, 1, ERR_NUMERIC, 0},
};

static void
test_goal(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(goal_rows) / sizeof(goal_rows[0]); i++) {
		struct goal_row r = goal_rows[i];
		struct err err = {0};
		double x = -12345;
		int rc = goal_seek(r.f, r.context, r.target, (double[2]){r.lo, r.hi}, &x, &err);
		if (rc != r.code)
			fail_msg("row %zu: code %d (%s)", i, rc, err.text);
		if (rc)
			assert_true(x == -12345); /* written on success only */
		else
			near(x, r.x, 1e-9 * (1 + fabs(r.x)));
	}
	struct err err = {0};
	double x, c[2] = {10, -2};
	goal_seek(line, c, 0, (double[2]){6, 100}, &x, &err);
	assert_non_null(strstr(err.text, "no solution in [6, 100]"));
	assert_non_null(strstr(err.text, "from -2 to -190"));
}

/* result = 100 + 3 a - 2 b + 0 c, base a = 10, b = 5, c = 1: 120 */
static double
plane(const void *context, size_t input, double value)
{
	double x[4] = {10, 5, 1, 1};
	const double *factors = context;
	x[input] = value;
	double sum = 100;
	for (int i = 0; i < 4; i++)
		sum += factors[i] * x[i];
	return sum;
}

static void
test_tornado(void **state)
{
	(void)state;
	static const double factors[4] = {3, -2, 0, 0};
	static const struct sensitivity_input inputs[4] = {
		{10, 9, 11}, /* swing 6 */
		{5, 0, 80}, /* swing 160, zero where 130 = 2b: b = 65 */
		{1, 0, 2}, /* swing 0 */
		{1, 0, 3}, /* swing 0: stays behind its equal */
	};
	struct sensitivity_row rows[4];
	sensitivity_tornado(inputs, 4, plane, factors, rows);
	static const size_t order[4] = {1, 0, 2, 3};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(rows[i].input, order[i]);
	assert_true(rows[0].at_low == 130 && rows[0].at_high == -30 && rows[0].swing == 160);
	near(rows[0].zero_at, 65, 1e-9);
	assert_true(rows[1].at_low == 117 && rows[1].at_high == 123 && rows[1].swing == 6);
	assert_true(isnan(rows[1].zero_at));
	assert_true(rows[2].swing == 0);
}

/* An unknown swing is last, whatever the others are. */
static double
unknown_first(const void *context, size_t input, double value)
{
	(void)context;
	return input == 0 ? (double)NAN : value;
}

static void
test_tornado_unknown(void **state)
{
	(void)state;
	static const struct sensitivity_input inputs[3] = {{1, 0, 2}, {1, 1, 1}, {1, 0, 2}};
	struct sensitivity_row rows[3];
	sensitivity_tornado(inputs, 3, unknown_first, NULL, rows);
	assert_int_equal(rows[0].input, 2);
	assert_int_equal(rows[1].input, 1);
	assert_int_equal(rows[2].input, 0);
	assert_true(isnan(rows[2].swing));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unit_cost),
		cmocka_unit_test(test_goal),
		cmocka_unit_test(test_tornado),
		cmocka_unit_test(test_tornado_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
