/*
 * Today's disks by the constraints of the plan, and when they are kept; every figure by hand.
 *
 * Three sizes of field case 5: 128 GiB do 500 IOPS for 19.71, 256 do 1,100 for 38.02, 512 do 2,300 for
 * 73.22; 64 GiB do 240 and have no price.  900 IOPS on 100 GiB, nothing kept free: the plan is one T256.
 */
#include "case.h"
#include "steps.h"

static const char limits[] =
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "
	"\"source\": \"field case\", \"disks\": [" STEP("T64", "33", "64", "240", "50") ", " STEP(
		"T128", "65", "128", "500", "100") ", " STEP("T256", "129", "256", "1100",
		"125") ", " STEP("T512", "257", "512", "2300", "150") "], \"vms\": [" VM("small",
		"2000") ", " VM("tiny", "800") "]}";
static const char prices[] =
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "
	"\"source\": \"field case\", \"trust\": \"published\", \"rows\": [" PRICE(
		"T128", "19.71") ", " PRICE("T256", "38.02") ", " PRICE("T512",
		"73.22") ", " VM_PRICE("small", "100") ", " VM_PRICE("tiny", "60") "]}";

#define HEAD                                                                                       \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"currency\": \"USD\", \"headroom\": 0, "
#define DATA(current)                                                                              \
	"{\"role\": \"data\", \"capacity_gib\": 100, \"read_iops\": 600, \"write_iops\": 300, "    \
	"\"io_kib\": 8" current "}"
#define TODAY(sku, gib, disks)                                                                     \
	DATA(", \"current\": {\"sku\": \"" sku "\", \"size_gib\": " gib ", \"disks\": " disks "}")

static void
test_verdict_and_money(void **state)
{
	(void)state;
	static const struct {
		const char *volumes, *finance;
		int verdict, keep;
		double monthly, change;
		const char *says; /* in the decision */
	} rows[] = {
		{TODAY("T256", "256", "1"), "", PLAN_PASS, 1, 38.02, 0,
			"Keep what you have (data on T256): it meets every constraint for USD "
			"38.02 a "
			"month; no plan that meets every constraint is cheaper."},
		/* 500 < 900; 38.02 - 19.71 = 18.31, 92.9 % of it */
		{TODAY("T128", "128", "1"), "", PLAN_FAIL, 0, 19.71, 18.31,
			"That is USD 18.31 a month more than today (92.9 %), which does not meet "
			"every "
			"constraint."},
		/* 2 x 500 do it for 39.42: 1.40 less is 3.6 %, under 5 % */
		{TODAY("T128", "100", "2"), "", PLAN_PASS, 1, 39.42, -1.40,
			"would save USD 1.40 a month (3.6 %), and a change has to save 5 %"},
		{TODAY("T128", "100", "2"), ", \"finance\": {\"keep_below_frac\": 0.03}", PLAN_PASS,
			0, 39.42, -1.40,
			"That is USD 1.40 a month less than today (3.6 %), which meets every "
			"constraint "
			"too."},
		/* 73.22 - 38.02 = 35.20; 36 months are 1,267.20 */
		{TODAY("T512", "512", "1"), "", PLAN_PASS, 0, 73.22, -35.20,
			"USD 35.20 a month less than today (48.1 %)"},
		{TODAY("T512", "512", "1"), ", \"finance\": {\"migration_cost\": 1300}", PLAN_PASS,
			1, 73.22, -35.20,
			"would save USD 35.20 a month, USD 1,267.20 over 36 months, and moving "
			"costs "
			"USD 1,300.00, which is back after 36.9 months"},
		/* 1,200 / 35.20 = 34.09; 1,267.20 - 1,200 = 67.20 */
		{TODAY("T512", "512", "1"), ", \"finance\": {\"migration_cost\": 1200}", PLAN_PASS,
			0, 73.22, -35.20,
			"less than today (48.1 %), which meets every constraint too; moving costs "
			"USD "
			"1,200.00, which is back after 34.1 months, and USD 67.20 are left after "
			"36."},
		/* what is over the budget is not kept, whatever moving costs */
		{TODAY("T512", "512", "1"),
			", \"finance\": {\"migration_cost\": 1300}, \"budget\": {\"monthly\": 73}",
			PLAN_FAIL, 0, 73.22, -35.20,
			"less than today (48.1 %), which does not meet every constraint."},
		{TODAY("T512", "512", "1"),
			", \"finance\": {\"migration_cost\": 1300}, \"budget\": {\"monthly\": 74}",
			PLAN_PASS, 1, 73.22, -35.20, "Keep what you have"},
		/* no time is known, of neither: that is no time too long */
		{TODAY("T128", "128", "2"), ", \"sla\": {\"rto_hours\": 4}", PLAN_UNKNOWN, 0, 39.42,
			-1.40, "which cannot be judged in full"},
		{TODAY("T128", "128", "2"), ", \"sla\": {\"rpo_ms\": 4}", PLAN_UNKNOWN, 0, 39.42,
			-1.40, "which cannot be judged in full"},
		/* 4 x 240 do it, at a price that nobody knows */
		{TODAY("T64", "64", "4"), "", PLAN_PASS, 0, (double)NAN, (double)NAN,
			"data on T256"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		char text[2048];
		snprintf(text, sizeof(text), HEAD "\"volumes\": [%s]%s}", rows[i].volumes,
			rows[i].finance);
		scene_init(&s, text, limits, prices);
		assert_int_equal(scene_solve(&s), 0);
		assert_string_equal(volume_of(&s.plan, "data")->chosen->sku, "T256");
		const struct plan_today *t = s.plan.today;
		assert_non_null(t);
		if (t->verdict != rows[i].verdict || t->keep != rows[i].keep)
			fail_msg("row %zu: verdict %d, keep %d", i, t->verdict, t->keep);
		if (isnan(rows[i].monthly))
			assert_true(isnan(t->monthly) && isnan(t->change));
		else if (!near_to(t->monthly, rows[i].monthly, 1e-9) ||
			 !near_to(t->change, rows[i].change, 1e-9))
			fail_msg("row %zu: %.4f a month, change %.4f", i, t->monthly, t->change);
		if (!strstr(s.plan.sentence, rows[i].says))
			fail_msg("row %zu: %s", i, s.plan.sentence);
		scene_fini(&s);
	}
}

/* One of two prices is known, 73.22: the whole is at least that, and so is the saving against a plan of less. */
static void
test_a_missing_price_leaves_the_others(void **state)
{
	(void)state;
	struct scene s;
	/* the plan: 100 IOPS on 100 GiB is T128 for 19.71, twice: 39.42 */
	scene_init(&s,
		HEAD
		"\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100, \"read_iops\": 100, "
		"\"write_iops\": 0, \"io_kib\": 8, \"current\": {\"sku\": \"T64\", "
		"\"size_gib\": 64, \"disks\": 2}}, {\"role\": \"index\", \"capacity_gib\": "
		"100, \"read_iops\": 100, \"write_iops\": 0, \"io_kib\": 8, \"current\": "
		"{\"sku\": \"T512\", \"size_gib\": 512}}]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_today *t = s.plan.today;
	assert_true(isnan(t->monthly) && isnan(t->change));
	assert_true(near_to(t->known_monthly, 73.22, 1e-9));
	/* 73.22 - 39.42 = 33.80 */
	assert_true(near_to(t->plan_monthly, 39.42, 1e-9));
	assert_non_null(strstr(s.plan.sentence, "at least USD 33.80 a month less than today"));
	assert_non_null(strstr(t->text, "at least USD 73.22 a month, incomplete"));
	scene_fini(&s);
}

static void
test_what_is_not_met_is_said(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, HEAD "\"volumes\": [" TODAY("T128", "128", "1") "]}", limits, prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_today_volume *v = &s.plan.today->volumes[0];
	assert_int_equal(v->verdict, PLAN_FAIL);
	assert_int_equal(v->n_breaks, 1);
	assert_non_null(strstr(v->breaks[0], "T128 sustains 500 IOPS: 500 < 900 IOPS needed"));
	/* and as one of the other plans */
	const struct plan_option *o = NULL;
	for (size_t i = 0; i < s.plan.n_options; i++) {
		if (strcmp(s.plan.options[i].name, "today's disks") == 0)
			o = &s.plan.options[i];
	}
	assert_non_null(o);
	assert_int_equal(o->feasible, 0);
	assert_true(near_to(o->monthly, 19.71, 1e-9));
	scene_fini(&s);
}

/* A machine that lets 800 IOPS through, for 60; the plan's lets 2,000 through, for 100. */
static void
test_the_machine_of_today(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s,
		HEAD "\"vm\": {\"sizes\": [\"small\"], \"current\": \"tiny\", \"count\": 2}, "
		     "\"volumes\": [" TODAY("T256", "256", "1") "]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_today *t = s.plan.today;
	assert_int_equal(t->verdict, PLAN_FAIL);
	assert_int_equal(t->volumes[0].verdict, PLAN_PASS);
	assert_int_equal(t->n_breaks, 1);
	assert_non_null(strstr(t->breaks[0], "tiny caps uncached disk I/O at 800 IOPS"));
	/* 2 x (38.02 + 60), and 2 x (38.02 + 100): 80 more */
	assert_true(near_to(t->monthly, 196.04, 1e-9));
	assert_true(near_to(t->plan_monthly, 276.04, 1e-9));
	assert_true(near_to(t->change, 80, 1e-9));
	scene_fini(&s);
	scene_init(&s,
		HEAD "\"vm\": {\"sizes\": [\"small\"], \"current\": \"timy\"}, "
		     "\"volumes\": [" TODAY("T256", "256", "1") "]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), ERR_NOT_FOUND);
	assert_non_null(strstr(s.err.text, "the machine of today"));
	assert_non_null(strstr(s.err.text, "tiny"));
	scene_fini(&s);
}

static void
test_a_volume_that_is_not_said(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s,
		HEAD "\"volumes\": [" TODAY("T256", "256",
			"1") ", {\"role\": \"index\", "
			     "\"capacity_gib\": 100, \"read_iops\": 100, \"write_iops\": 100, "
			     "\"io_kib\": 8}]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_today *t = s.plan.today;
	assert_int_equal(t->verdict, PLAN_UNKNOWN);
	assert_int_equal(t->volumes[0].verdict, PLAN_PASS);
	assert_null(t->volumes[1].config);
	assert_true(isnan(t->monthly));
	assert_int_equal(t->keep, 0);
	scene_fini(&s);
	scene_init(&s, HEAD "\"volumes\": [" DATA("") "]}", limits, prices);
	assert_int_equal(scene_solve(&s), 0);
	assert_null(s.plan.today);
	scene_fini(&s);
}

/* Nothing fits: today is judged all the same. */
static void
test_today_without_a_plan(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s,
		HEAD
		"\"vm\": {\"sizes\": [\"tiny\"]}, \"volumes\": [" TODAY("T128", "128", "1") "]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	assert_int_equal(s.plan.today->verdict, PLAN_FAIL);
	assert_int_equal(s.plan.today->volumes[0].n_breaks, 1);
	assert_int_equal(s.plan.today->n_breaks, 1);
	assert_true(isnan(s.plan.today->change));
	assert_int_equal(s.plan.today->keep, 0);
	scene_fini(&s);
	/* the size offered is too small, that of today is not */
	scene_init(&s,
		HEAD
		"\"vm\": {\"sizes\": [\"tiny\"], \"current\": \"small\"}, \"volumes\": [" TODAY(
			"T256", "256", "1") "]}",
		limits, prices);
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	assert_int_equal(s.plan.today->verdict, PLAN_PASS);
	assert_non_null(strstr(s.plan.sentence, "What runs today does: keep it."));
	scene_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_and_money),
		cmocka_unit_test(test_a_missing_price_leaves_the_others),
		cmocka_unit_test(test_what_is_not_met_is_said),
		cmocka_unit_test(test_the_machine_of_today),
		cmocka_unit_test(test_a_volume_that_is_not_said),
		cmocka_unit_test(test_today_without_a_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
