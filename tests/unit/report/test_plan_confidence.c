/* Confidence in the report: what is sure is never said to be certain, what is not known is said. */
#include "report_test.h"

#include "report/plan_text.h"

static struct plan_sla promises[] = {
	{.what = "throughput",
		.limit = 200,
		.predicted = 400,
		.lo = 320,
		.hi = 500,
		.unit = "transactions/s",
		.margin_frac = 1,
		.verdict = PLAN_PASS,
		.trust = -1,
		.probability = 0.9987,
		.on_latency = 1},
	{.what = "commit p99",
		.limit = 2,
		.predicted = 1,
		.lo = 0.5,
		.hi = 2.5,
		.unit = "ms",
		.margin_frac = 0.5,
		.verdict = PLAN_PASS,
		.trust = -1,
		.probability = 0.849,
		.on_latency = 1},
	{.what = "recovery point",
		.limit = 100,
		.predicted = (double)NAN,
		.lo = (double)NAN,
		.hi = (double)NAN,
		.unit = "ms",
		.margin_frac = (double)NAN,
		.verdict = PLAN_UNKNOWN,
		.trust = -1,
		.probability = (double)NAN,
		.on_latency = 1},
	{.what = "backup window",
		.limit = 4,
		.predicted = 3,
		.lo = (double)NAN,
		.hi = (double)NAN,
		.unit = "h",
		.margin_frac = 0.25,
		.verdict = PLAN_PASS,
		.trust = -1,
		.probability = 1,
		.on_latency = 0},
};
static struct plan_pedigree figures[] = {{.what = "latencies", .published = 2, .assumed = 4}};
static struct plan_confidence confidence = {.probability_lo = 0,
	.probability_hi = 0.848,
	.promises = 4,
	.predicted = 3,
	.word = "low",
	.word_rule = "the rule",
	.weakest = "p99 of a commit of wal on X, assumed",
	.rests_on = figures,
	.n_rests_on = 1};

static void
make_plan(struct plan *p)
{
	schema_clear(&plan_schema, p);
	p->currency = "USD";
	p->verdict = PLAN_UNKNOWN;
	p->sla = promises;
	p->n_sla = DOC_COUNT(promises);
	p->confidence = &confidence;
}

static struct buf
text_of(const struct plan *p, void (*part)(const struct plan *p, struct doc *d), struct arena *a)
{
	struct doc d;
	doc_init(&d, a, "t");
	part(p, &d);
	return rendered(&d, RENDER_MD);
}

static void
test_unknown_bounds_from_above(void **state)
{
	(void)state;
	struct arena a;
	struct plan p;
	arena_init(&a, 0);
	make_plan(&p);
	struct buf one = text_of(&p, plan_page_one, &a);
	assert_has(
		buf_text(&one), "| [Probability that all SLAs hold](#confidence) | at most 85 % |");
	assert_has(buf_text(&one), "low confidence; UNKNOWN: 3 of 4 hold as predicted; not known: "
				   "recovery point");
	assert_has(buf_text(&one),
		"least likely: commit p99, 1.00 ms of 2 ms (95 % interval: 0.500 to 2.50), 85 %");
	buf_fini(&one);
	struct buf all = text_of(&p, plan_confidence, &a);
	assert_has(buf_text(&all),
		"Of 4 promises 3 can be predicted, and these hold together with a probability of "
		"85 %");
	assert_has(buf_text(&all), "Confidence is low (the rule). The weakest figure behind it is "
				   "the p99 of a commit of wal on X, assumed.");
	assert_has(buf_text(&all), "| latencies | 0 | 0 | 2 | 0 | 4 | 0 |");
	buf_fini(&all);
	arena_fini(&a);
}

/* 99.87 % is "over 99 %"; a share of a rate is limit over prediction: 200 of 400 is 50 %. */
static void
test_nothing_is_certain(void **state)
{
	(void)state;
	struct arena a;
	struct plan p;
	arena_init(&a, 0);
	make_plan(&p);
	struct buf md = text_of(&p, plan_confidence, &a);
	assert_has(buf_text(&md),
		"Least sure of these is commit p99: it holds with a probability of 85 %");
	assert_has(buf_text(&md),
		"| throughput | 200 transactions/s | 400 transactions/s | 320 to 500 "
		"transactions/s | 50 % | over 99 % |");
	assert_has(
		buf_text(&md), "| commit p99 | 2 ms | 1.00 ms | 0.500 to 2.50 ms | 50 % | 85 % |");
	assert_lacks(buf_text(&md), "| backup window |"); /* no latency in it */
	assert_lacks(buf_text(&md), "100 % |");
	buf_fini(&md);
	struct buf sla = text_of(&p, plan_promises, &a);
	assert_has(buf_text(&sla), "| 25 % | no latency in it |");
	buf_fini(&sla);
	arena_fini(&a);
}

static void
test_top_of_the_measurements(void **state)
{
	(void)state;
	struct arena a;
	struct plan p;
	struct plan_measurement m[7];
	const char *changes[] = {"measure X first"};
	arena_init(&a, 0);
	make_plan(&p);
	for (size_t i = 0; i < 7; i++)
		m[i] = (struct plan_measurement){.tier = "X",
			.trust = "assumed",
			.volumes = "wal",
			.change_frac = i ? (double)NAN : 0.557,
			.too_slow_frac = 0.142,
			.expected_saving = i ? (double)NAN : 215.9,
			.probability_now = 0.85,
			.probability_after = 0.97,
			.command = "tierwise bench DIR",
			.text = "measure X first"};
	p.measurements = m;
	p.n_measurements = 7;
	struct buf md = text_of(&p, plan_confidence, &a);
	assert_has(buf_text(&md), "| X | assumed | wal | 56 % | 14 % | USD 215.90 | 85 % | 97 % |");
	assert_has(buf_text(&md), "| X | assumed | wal | unknown | 14 % | - |");
	assert_int_equal(occurs(buf_text(&md), "| X | assumed |"), 5);
	assert_int_equal(occurs(buf_text(&md), "- measure X first"), 5);
	assert_has(buf_text(&md), "And 2 more in the plan's JSON.");
	buf_fini(&md);
	/* the command stands on page one only where that measurement heads the changes */
	struct buf one = text_of(&p, plan_page_one, &a);
	assert_lacks(buf_text(&one), "First measurement");
	buf_fini(&one);
	p.changes = changes;
	p.n_changes = 1;
	one = text_of(&p, plan_page_one, &a);
	assert_has(buf_text(&one), "First measurement: tierwise bench DIR");
	buf_fini(&one);
	arena_fini(&a);
}

/* The picture: a dot and an interval a row, and where the promise is. */
static void
test_drawn(void **state)
{
	(void)state;
	struct arena a;
	struct plan p;
	struct doc d;
	arena_init(&a, 0);
	make_plan(&p);
	doc_init(&d, &a, "t");
	plan_confidence(&p, &d);
	struct buf html = rendered(&d, RENDER_HTML);
	assert_has(buf_text(&html), "throughput, over 99 %");
	assert_has(buf_text(&html), "commit p99, 85 %");
	assert_has(buf_text(&html), "promised");
	assert_has(buf_text(&html), "class=\"chart\"");
	buf_fini(&html);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_bounds_from_above),
		cmocka_unit_test(test_nothing_is_certain),
		cmocka_unit_test(test_top_of_the_measurements),
		cmocka_unit_test(test_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
