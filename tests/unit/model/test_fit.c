/*
 * test_fit.c - the solver and the forms: gradients against differences, known truth recovered, and
 * 73 published sweeps against least squares of another implementation.
 */
#include "check.h"

#include <stdbool.h>

#include "csv.h"
#include "model/form.h"
#include "model/nls.h"

/* Analytic gradients equal central differences, for every form, at dull and at extreme places. */
static void
test_gradients(void **state)
{
	(void)state;
	static const double thetas[][FORM_MAX_K] = {
		{4.6, -2.3, -3.0}, {0.1, -0.1, 2.0}, {8.0, -9.0, -9.0}, {5.0, 0.4, -1.0}};
	static const double xs[] = {1, 2, 7, 64, 4096};
	const double h = 1e-6;
	for (size_t f = 0; f < n_forms; f++) {
		for (size_t t = 0; t < sizeof(thetas) / sizeof(thetas[0]); t++) {
			for (size_t i = 0; i < sizeof(xs) / sizeof(xs[0]); i++) {
				double g[FORM_MAX_K], theta[FORM_MAX_K];
				forms[f]->value(thetas[t], xs[i], g);
				for (size_t k = 0; k < forms[f]->k; k++) {
					memcpy(theta, thetas[t], sizeof(theta));
					theta[k] += h;
					double up = forms[f]->value(theta, xs[i], NULL);
					theta[k] -= 2 * h;
					double down = forms[f]->value(theta, xs[i], NULL);
					assert_near(g[k], (up - down) / (2 * h), 1e-5);
				}
			}
		}
	}
}

static void
fit_exact(const struct form *form, const double *truth)
{
	static const double depth[] = {1, 2, 4, 8, 16, 32, 64, 128};
	double t[8];
	for (size_t i = 0; i < 8; i++)
		t[i] = exp(form->value(truth, depth[i], NULL));
	struct nls_problem p = {.form = form, .data = {depth, t, 8}};
	struct nls_result r;
	struct err err;
	assert_int_equal(nls_fit(&p, &r, &err), 0);
	assert_true(r.rss < 1e-10);
	for (size_t k = 0; k < form->k; k++)
		assert_near(r.theta[k], truth[k], 1e-3);
}

/* Data made from a form gives its parameters back. */
static void
test_truth_recovered(void **state)
{
	(void)state;
	/* 100 us, slope 5 us, 60,000/s; 8 ms, q^0.7, 600/s; 800 us, 5,000/s */
	fit_exact(&form_three, (double[]){log(100), log(0.05), log(0.06)});
	fit_exact(&form_power, (double[]){log(8000), 0.7, log(6e-4)});
	fit_exact(&form_two, (double[]){log(800), log(5e-3)});
}

static void
test_too_few_points(void **state)
{
	(void)state;
	static const double x[] = {1, 2}, t[] = {100, 110};
	struct nls_problem p = {.form = &form_three, .data = {x, t, 2}};
	struct nls_result r;
	struct err err;
	assert_int_equal(nls_fit(&p, &r, &err), ERR_RANGE);
}

/* Points of one sweep, one submitter, in ascending depth. */
static size_t
sweep(const struct csv *c, const char *name, const char *rw, double *q, double *t)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_rows && n < 20; i++) {
		if (strcmp(csv_text(c, i, "sweep"), name) != 0 ||
			strcmp(csv_text(c, i, "rw"), rw) != 0 || csv_number(c, i, "numjobs") != 1)
			continue;
		size_t at = n++;
		double depth = csv_number(c, i, "q"), us = csv_number(c, i, "lat_mean_us");
		for (; at && q[at - 1] > depth; at--) {
			q[at] = q[at - 1];
			t[at] = t[at - 1];
		}
		q[at] = depth;
		t[at] = us;
	}
	return n;
}

/* The reference lies outside our bounds: a slope above the light latency (throughput would fall with
 * depth), or a wall under 0.9 of a rate that was seen. */
static bool
outside_bounds(const struct csv *ref, size_t i, const struct form_data *d)
{
	return csv_number(ref, i, "lp8_c_us") > csv_number(ref, i, "lp8_L1_us") ||
	       csv_number(ref, i, "lp8_X_per_us") < 0.9 * form_max_rate(d) + 5e-5;
}

/* The sum of squares, with the bounds or without any that matter. */
static double
rss_of(const struct form_data *d, bool bounded)
{
	static const double low[] = {-50, -50, -50}, high[] = {50, 50, 50};
	struct nls_problem p = {.form = &form_three,
		.data = *d,
		.lower = bounded ? NULL : low,
		.upper = bounded ? NULL : high};
	struct nls_result r;
	struct err err;
	assert_int_equal(nls_fit(&p, &r, &err), 0);
	return r.rss;
}

/*
 * The same 73 sweeps, least squares in ln latency by another program (fit_reference.csv): without
 * bounds every row is reached within 1 %; with them every row whose reference obeys them.
 */
static void
test_reference(void **state)
{
	struct csv *files = *state;
	const struct csv *ref = &files[0];
	size_t reached = 0, reached_bounded = 0, beyond = 0;
	for (size_t i = 0; i < ref->n_rows; i++) {
		const char *name = csv_text(ref, i, "sweep"), *rw = csv_text(ref, i, "rw");
		double q[20], t[20];
		size_t n = sweep(&files[1], name, rw, q, t);
		if (n == 0)
			n = sweep(&files[2], name, rw, q, t);
		assert_int_equal(n, (int)csv_number(ref, i, "n"));
		struct form_data d = {q, t, n};
		double theirs = csv_number(ref, i, "lp8_rss");
		double want = theirs * 1.01 + 1e-6; /* the file has six decimals */
		double ours = rss_of(&d, true), unbounded = rss_of(&d, false);
		bool outside = outside_bounds(ref, i, &d);
		reached += unbounded <= want;
		reached_bounded += ours <= want;
		beyond += outside;
		if (ours > want || unbounded > want)
			printf("%s %s: %.6f with bounds, %.6f without, reference %.6f\n", name, rw,
				ours, unbounded, theirs);
		assert_true(ours <= want || outside);
	}
	printf("%zu of %zu reference fits reached within 1 %%; with the bounds %zu (%zu references "
	       "lie outside them)\n",
		reached, ref->n_rows, reached_bounded, beyond);
	assert_int_equal(ref->n_rows, 73);
	assert_int_equal(reached, ref->n_rows);
}

static int
load_fixtures(void **state)
{
	static struct csv files[3];
	*state = files;
	return csv_load(&files[0], "fixtures/curves/fit_reference.csv") ||
	       csv_load(&files[1], "fixtures/curves/qd_sweeps_fioplot.csv") ||
	       csv_load(&files[2], "fixtures/curves/qd_sweeps_nvme.csv");
}

static int
free_fixtures(void **state)
{
	struct csv *files = *state;
	for (size_t i = 0; i < 3; i++)
		csv_free(&files[i]);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gradients),
		cmocka_unit_test(test_truth_recovered),
		cmocka_unit_test(test_too_few_points),
	};
	const struct CMUnitTest shared[] = {cmocka_unit_test(test_reference)};
	int failed = cmocka_run_group_tests_name("model/fit", tests, NULL, NULL);
	if (!csv_available("fixtures/curves/fit_reference.csv"))
		return failed ? failed : 77;
	return failed + cmocka_run_group_tests_name(
				"model/fit-reference", shared, load_fixtures, free_fixtures);
}
