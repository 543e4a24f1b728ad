/*
 * What stands beside the plan is judged as the plan is, and a price that is missing decides nothing that a known
 * one can; every figure by hand.
 *
 * Sizes of field case 5: 32 GiB do 120 IOPS, 128 do 500, 256 do 1,100, 512 do 2,300; nothing kept free.
 */
#include "case.h"
#include "steps.h"

#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"field case\", \"trust\": \"published\", \"rows\": [" rows "]}"
#define W(rest)                                                                                    \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"currency\": \"USD\", \"headroom\": "        \
	"0, " rest "}"
#define DATA                                                                                       \
	"{\"role\": \"data\", \"capacity_gib\": 100, \"read_iops\": 600, \"write_iops\": 300, "    \
	"\"io_kib\": 8}"

static const char limits[] =
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "
	"\"source\": \"field case\", \"disks\": [" STEP("T32", "1", "32", "120", "25") ", " STEP(
		"T128", "65", "128", "500", "100") ", " STEP("T256", "129", "256", "1100",
		"125") ", " STEP("T512", "257", "512", "2300", "150") "], \"vms\": [" VM("small",
		"800") ", " VM("large", "2000") "]}";
static const char prices[] = P(
	PRICE("T128", "19.71") ", " PRICE("T256", "38.02") ", " PRICE("T512", "73.22"));

static const struct plan_option *
option_of(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n_options; i++) {
		if (strcmp(plan->options[i].name, name) == 0)
			return &plan->options[i];
	}
	fail_msg("no option %s", name);
	return NULL;
}

/* The plan is T256 for 38.02; the next T512 for 73.22, as 2 x T128 do less for more (candidate_drop). */
static void
test_the_runner_up_keeps_the_same_promises(void **state)
{
	(void)state;
	static const struct {
		const char *rest;
		int rc, verdict, feasible;
		const char *says;
	} rows[] = {
		{"", 0, PLAN_PASS, 1, NULL},
		/* between the two, below both, above both */
		{", \"budget\": {\"monthly\": 50}", 0, PLAN_PASS, 0,
			"it breaks: USD 73.22 a month, the budget is USD 50.00"},
		{", \"budget\": {\"monthly\": 38}", ERR_BUDGET, PLAN_FAIL, 0,
			"it breaks: USD 73.22 a month, the budget is USD 38.00"},
		{", \"budget\": {\"monthly\": 74}", 0, PLAN_PASS, 1, NULL},
		/* nothing says how long a restore takes, or what the copies lag by */
		{", \"sla\": {\"rto_hours\": 4}", 0, PLAN_UNKNOWN, -1, "not known: recovery time"},
		{", \"sla\": {\"rpo_ms\": 5}", 0, PLAN_UNKNOWN, -1, "not known: recovery point"},
		/* what fails is said before what is not known */
		{", \"sla\": {\"rpo_ms\": 5}, \"budget\": {\"monthly\": 50}", 0, PLAN_UNKNOWN, 0,
			"it breaks: USD 73.22 a month"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		char text[1024];
		snprintf(text, sizeof(text), W("\"volumes\": [" DATA "]%s"), rows[i].rest);
		scene_init(&s, text, limits, prices);
		assert_int_equal(scene_solve(&s), rows[i].rc);
		assert_int_equal(s.plan.verdict, rows[i].verdict);
		assert_true(near_to(s.plan.cost->monthly, 38.02, 1e-9));
		const struct plan_option *next = option_of(&s.plan, "runner-up");
		if (!near_to(next->monthly, 73.22, 1e-9))
			fail_msg("%s", next->text);
		if (next->feasible != rows[i].feasible ||
			(rows[i].says && !strstr(next->text, rows[i].says)))
			fail_msg("row %zu: %d, %s", i, next->feasible, next->text);
		scene_fini(&s);
	}
}

/* Neither machine has a price: that is no reason for disks without one. */
static void
test_a_machine_without_a_price_takes_priced_disks(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, W("\"vm\": {\"sizes\": [\"small\", \"large\"]}, \"volumes\": [" DATA "]"),
		limits, P(PRICE("T512", "73.22")));
	assert_int_equal(scene_solve(&s), ERR_PRICE);
	assert_string_equal(volume_of(&s.plan, "data")->chosen->sku, "T512");
	assert_true(near_to(s.plan.cost->monthly, 73.22, 1e-9));
	assert_int_equal(s.plan.cost->complete, 0);
	scene_fini(&s);
	/* 1,000 IOPS: more than the one priced size, or eight of it, do: only that volume goes without */
	scene_init(&s,
		W("\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100, \"read_iops\": 1000, "
		  "\"write_iops\": 0, \"io_kib\": 8}, {\"role\": \"index\", \"capacity_gib\": 20, "
		  "\"read_iops\": 100, \"write_iops\": 0, \"io_kib\": 8}]"),
		limits, P(PRICE("T32", "5")));
	assert_int_equal(scene_solve(&s), ERR_PRICE);
	assert_int_equal(volume_of(&s.plan, "data")->chosen->monthly_complete, 0);
	assert_string_equal(volume_of(&s.plan, "index")->chosen->sku, "T32");
	assert_true(near_to(s.plan.cost->monthly, 5, 1e-9));
	scene_fini(&s);
}

/* 900 IOPS go through the large machine only, whose price is missing; nobody knows the latency. */
static void
test_another_size_does_not_turn_unknown_into_fail(void **state)
{
	(void)state;
	static const struct {
		const char *sizes;
		int rc;
	} rows[] = {
		{"\"small\"", ERR_INFEASIBLE},
		{"\"large\"", ERR_INCONCLUSIVE},
		{"\"small\", \"large\"", ERR_INCONCLUSIVE},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		char text[1024];
		snprintf(text, sizeof(text),
			W("\"vm\": {\"sizes\": [%s]}, \"sla\": {\"read_p99_ms\": 2}, \"volumes\": "
			  "[" DATA "]"),
			rows[i].sizes);
		scene_init(
			&s, text, limits, P(PRICE("T256", "38.02") ", " VM_PRICE("small", "100")));
		int rc = scene_solve(&s);
		if (rc != rows[i].rc)
			fail_msg("%s: %d, %s", rows[i].sizes, rc, s.plan.sentence);
		scene_fini(&s);
	}
}

/* T32 for 5 holds 20 GiB that nobody said a rate of; of the next size the operations have no price. */
static void
test_the_next_size_is_the_next(void **state)
{
	(void)state;
	static const char billed[] =
		"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": "
		"\"2026-01-01\", \"source\": \"field case\", \"disks\": [" STEP(
			"T32", "1", "32", "120", "25") ", " STEP("T512", "257", "512", "2300",
			"150") ", {\"family\": \"tier\", \"sku\": \"T64\", \"size_gib_min\": 33, "
			       "\"size_gib_max\": 64, \"billed_gib\": 64, \"iops_base\": 240, "
			       "\"iops_max\": 240, \"mbps_base\": 50, \"mbps_max\": 50, "
			       "\"mbps_unit\": \"MB\", \"io_unit_kib\": 256, "
			       "\"operations_billed\": true, \"ephemeral\": false}], \"vms\": []}";
	struct scene s;
	scene_init(&s, W("\"volumes\": [{\"role\": \"temp\", \"capacity_gib\": 20}]"), billed,
		P(PRICE("T32", "5") ", " PRICE("T64", "10") ", " PRICE("T512", "73.22")));
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "temp");
	assert_string_equal(v->chosen->sku, "T32");
	bool space = false, next = false;
	for (size_t i = 0; i < v->n_reasons; i++) {
		space = space || strstr(v->reasons[i], "no rate is given");
		next = next ||
		       strstr(v->reasons[i], "another size of the tier that fits, T64, costs "
					     "at least USD 10.00 a month");
	}
	assert_true(space);
	assert_true(next);
	scene_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_runner_up_keeps_the_same_promises),
		cmocka_unit_test(test_a_machine_without_a_price_takes_priced_disks),
		cmocka_unit_test(test_the_next_size_is_the_next),
		cmocka_unit_test(test_another_size_does_not_turn_unknown_into_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
