/* Cost against p99 in the report: which plans are shown, and the words around them. */
#include "report_test.h"

#include "report/plan_text.h"

/* 20 plans, 100 to 2,000 a month; p99 falls by 1 %, and by half at the 8th and the 15th. */
static void
make_front(struct plan_front_point points[20])
{
	double p99 = 40;
	for (size_t i = 0; i < 20; i++) {
		p99 = i == 0 ? 40 : i == 8 || i == 15 ? p99 / 2 : p99 * 0.99;
		points[i] = (struct plan_front_point){.monthly = 100.0 * (double)(i + 1),
			.p99_ms = p99,
			.verdict = i < 8 ? PLAN_FAIL : PLAN_PASS,
			.chosen = i == 10,
			.text = "wal on X",
			.breaks = i < 8 ? "transaction p99 40 ms > 30 ms allowed" : NULL};
	}
}

static struct buf
front_text(struct arena *a, struct plan_front *front)
{
	struct doc d;
	struct plan p;
	schema_clear(&plan_schema, &p);
	p.currency = "USD";
	p.front = front;
	doc_init(&d, a, "t");
	plan_front(&p, &d);
	return rendered(&d, RENDER_MD);
}

static void
test_ends_chosen_and_steps_are_shown(void **state)
{
	(void)state;
	struct arena a;
	struct plan_front_point points[20];
	make_front(points);
	struct plan_front front = {.what = "transaction p99",
		.limit_ms = 30,
		.plan_monthly = 1100,
		.plan_p99_ms = points[10].p99_ms,
		.complete = 1,
		.points = points,
		.n_points = 20,
		.note = "faster plans are over the budget"};
	arena_init(&a, 0);
	struct buf md = front_text(&a, &front);
	const char *text = buf_text(&md);
	assert_has(text, "faster plans are over the budget");
	/* the last: 40 x 0.99^17 / 4 = 8.43 */
	assert_has(text,
		"From USD 100.00 a month with a transaction p99 of 40.0 ms to USD 2,000.00 "
		"with 8.43 ms");
	assert_has(
		text, "| 100.00 | 40.0 | FAIL | - | wal on X; it does not keep: transaction p99");
	/* 40 x 0.99^7 = 37.28 before the step, 18.64 after it */
	assert_has(text, "| 900.00 | 18.6 | PASS |");
	assert_has(text, "| 1,100.00 | 18.3 | PASS |");
	assert_has(text, "this plan: wal on X");
	assert_has(text, "| 2,000.00 | 8.43 | PASS |");
	assert_has(text, "8 more plans are in JSON");
	assert_int_equal(occurs(text, "wal on X"), 12);
	buf_fini(&md);
	arena_fini(&a);
}

/* 10 ms; 0.5 % less; 1.5 % less than the first; this plan, 0.1 % less than that; 0.5 % less than this plan. */
static void
test_noise_is_left_out(void **state)
{
	(void)state;
	struct arena a;
	static const char open[] = "recovery point: not known";
	struct plan_front_point points[] = {
		{100, 10, PLAN_UNKNOWN, 0, "wal on A", open},
		{200, 9.95, PLAN_UNKNOWN, 0, "wal on B", open},
		{300, 9.85, PLAN_UNKNOWN, 0, "wal on C", open},
		{400, 9.84, PLAN_UNKNOWN, 1, "wal on D", open},
		{500, 9.79, PLAN_FAIL, 0, "wal on E", "a budget"},
	};
	struct plan_front front = {.what = "commit p99",
		.limit_ms = 30,
		.plan_monthly = 400,
		.plan_p99_ms = 9.84,
		.points = points,
		.n_points = 5,
		.note = "n"};
	arena_init(&a, 0);
	struct buf md = front_text(&a, &front);
	const char *text = buf_text(&md);
	assert_has(text, "| 100.00 | 10.0 | UNKNOWN | - | wal on A; not known: recovery point");
	/* the step is against the row that is shown */
	assert_has(text, "| 300.00 | 9.85 | UNKNOWN | USD 200.00 more, 0.150 ms less | wal on C; "
			 "not known: as above |");
	assert_has(text, "this plan: wal on D");
	assert_lacks(text, "wal on B");
	assert_lacks(text, "wal on E");
	assert_has(text, "2 more plans gain less than 1 % of the p99 against the one before");
	assert_has(text, "to USD 400.00 with 9.84 ms");
	buf_fini(&md);
	arena_fini(&a);
}

static void
test_nothing_known(void **state)
{
	(void)state;
	struct arena a;
	struct plan_front front = {.what = "read p99", .note = "no latency is known"};
	arena_init(&a, 0);
	struct buf md = front_text(&a, &front), none = front_text(&a, NULL);
	assert_has(buf_text(&md), "Not known: no latency is known");
	assert_lacks(buf_text(&none), "Cost against latency");
	buf_fini(&md);
	buf_fini(&none);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_chosen_and_steps_are_shown),
		cmocka_unit_test(test_noise_is_left_out),
		cmocka_unit_test(test_nothing_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
