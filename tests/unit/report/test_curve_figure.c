/*
 * test_curve_figure.c - what a chart of latency draws: what is known, and nothing for what is not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/curve_figure.h"

#define none ((double)NAN)

static const struct doc_series *
series(const struct doc_figure *f, const char *name)
{
	for (size_t i = 0; i < f->n_series; i++) {
		if (strcmp(f->series[i].name, name) == 0)
			return &f->series[i];
	}
	return NULL;
}

static void
test_drawn(void **state)
{
	(void)state;
	static const double qd[] = {1, 2, 4}, ms[] = {0.1, 0.1, 0.2}, lo[] = {0.09, 0.09, 0.18},
			    hi[] = {0.11, 0.11, 0.22}, unknown[] = {none, none, none};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct curve_figure c = {.title = "found",
		.line = {"mean", 3, qd, ms},
		.band_name = "band",
		.lo_ms = lo,
		.hi_ms = hi,
		.dashed = {"p99", 3, qd, unknown},
		.points = {{"runs", 3, qd, ms}},
		.sla_ms = 2,
		.knee_qd = 2.5,
		.efficient_qd = none};
	const struct doc_figure *f = curve_figure(&d, &c);
	assert_int_equal(f->n_series, 5);
	assert_true(series(f, "band")->mark == DOC_MARK_BAND && series(f, "band")->y2 == hi);
	assert_true(series(f, "mean")->mark == DOC_MARK_LINE && !series(f, "mean")->dashed);
	assert_int_equal(series(f, "runs")->mark, DOC_MARK_POINTS);
	assert_null(series(f, "p99")); /* nothing of it is known */
	assert_true(series(f, "SLA 2 ms")->y[0] == 2);
	assert_true(series(f, "knee at depth 2.5")->x[0] == 2.5);
	c = (struct curve_figure){
		.title = "empty", .sla_ms = none, .knee_qd = none, .efficient_qd = none};
	assert_int_equal(curve_figure(&d, &c)->n_series, 0);
	assert_null(curve_ms(&d, NULL, 3));
	assert_null(curve_ms(&d, ms, 0));
	assert_true(curve_ms(&d, ms, 3)[2] == 0.2 / 1000);
	assert_false(d.failed);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_drawn)};
	return cmocka_run_group_tests_name("report/curve_figure", tests, NULL, NULL);
}
