/*
 * A stripe is offered when it saves its share (stripe_saving_frac): in sizes that carry their IOPS and in disks
 * whose IOPS are bought.  Prices are worked out by hand beside each row.
 */
#include "case.h"

/* 51 GiB and 3,000 IOPS that the caps hold exactly. */
#define WORKLOAD                                                                                   \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"headroom\": 0, \"volumes\": [{\"role\": "   \
	"\"data\", \"capacity_gib\": 51, \"read_iops\": 3000, \"write_iops\": 0, \"io_kib\": 4}]}"

#define STEP(sku, iops)                                                                            \
	"{\"family\": \"step\", \"sku\": \"" sku "\", \"size_gib_min\": 1, \"size_gib_max\": 64, " \
	"\"billed_gib\": 64, \"iops_base\": " iops ", \"iops_max\": " iops                         \
	", \"mbps_base\": 100, \"mbps_max\": 100, \"io_unit_kib\": 256, "                          \
	"\"operations_billed\": false, \"ephemeral\": false}"

/* 1,000 IOPS come with each disk. */
#define BOUGHT                                                                                     \
	"{\"family\": \"bought\", \"sku\": \"PV\", \"size_gib_min\": 1, \"size_gib_max\": 1024, "  \
	"\"iops_base\": 1000, \"iops_min\": 1000, \"iops_max\": 20000, \"mbps_base\": 100, "       \
	"\"mbps_min\": 100, \"mbps_max\": 600, \"io_unit_kib\": 256, "                             \
	"\"operations_billed\": false, \"ephemeral\": false}"

#define LIMITS(disks)                                                                              \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "    \
	"\"source\": \"field case\", \"disks\": [" disks "], \"vms\": []}"

#define ROW(family, sku, item, unit, rest)                                                         \
	"{\"family\": \"" family "\", \"sku\": \"" sku "\", \"item\": \"" item                     \
	"\", \"unit\": \"" unit "\", " rest "}"

#define PRICES(rows)                                                                               \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"field case\", \"trust\": \"published\", \"rows\": [" rows "]}"

static const char step_limits[] = LIMITS(STEP("S1", "1000") ", " STEP("S2", "3000"));
static const char step_prices[] = PRICES(ROW("step", "S1", "disk", "month",
	"\"price\": 10") ", " ROW("step", "S2", "disk", "month", "\"price\": 31"));
static const char bought_limits[] = LIMITS(BOUGHT);
static const char bought_prices[] = PRICES(
	ROW("bought", "PV", "capacity", "gib_month", "\"price\": 0.4") ", " ROW("bought", "PV",
		"iops", "month", "\"price\": 0.0005, \"tier_min\": 1000") ", " ROW("bought", "PV",
		"throughput", "month", "\"price\": 0.05, \"tier_min\": 100"));

static const struct {
	const char *limits, *prices;
	double saving_frac; /* NaN: not given */
	const char *sku;
	double disks, monthly;
} rows[] = {
	/* 3 x S1 = 30 against 31: 1 / 31 = 3.2 % */
	{step_limits, step_prices, (double)NAN, "S2", 1, 31},
	{step_limits, step_prices, 0.033, "S2", 1, 31},
	{step_limits, step_prices, 0.032, "S1", 3, 30},
	{step_limits, step_prices, 0, "S1", 3, 30},
	{step_limits, step_prices, 1, "S2", 1, 31},
	/*
	 * 1 x 51 GiB: 20.40 + 2,000 x 0.0005 = 21.40.  2 x 26 GiB: 20.80 + 2 x 500 x 0.0005 = 21.30.  3 x 17 GiB:
	 * 51 x 0.4 = 20.40, 1 / 21.40 = 4.67 % less; 4 x 13 = 52 GiB and all beyond cost 20.80 or more.
	 */
	{bought_limits, bought_prices, (double)NAN, "PV", 1, 21.4},
	{bought_limits, bought_prices, 0.047, "PV", 1, 21.4},
	{bought_limits, bought_prices, 0.046, "PV", 3, 20.4},
	{bought_limits, bought_prices, 0, "PV", 3, 20.4},
	{bought_limits, bought_prices, 1, "PV", 1, 21.4},
};

static void
test_share_a_stripe_must_save(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene_init(&s, WORKLOAD, rows[i].limits, rows[i].prices);
		assert_true(isnan(s.workload.stripe_saving_frac));
		s.workload.stripe_saving_frac = rows[i].saving_frac;
		assert_int_equal(scene_solve(&s), 0);
		const struct plan_volume *v = volume_of(&s.plan, "data");
		const struct plan_config *c = v->chosen;
		if (strcmp(c->sku, rows[i].sku) != 0 || !near_to(c->disks, rows[i].disks, 0) ||
			!near_to(c->monthly, rows[i].monthly, 1e-9))
			fail_msg("%g: %g x %s for %g, expected %g x %s for %g", rows[i].saving_frac,
				c->disks, c->sku, c->monthly, rows[i].disks, rows[i].sku,
				rows[i].monthly);
		/* said where it holds, and only there */
		bool said = any_text_has(
			v->reasons, v->n_reasons, "with stripes that save at least ");
		assert_int_equal(said, !near_to(rows[i].saving_frac, 0, 0));
		scene_fini(&s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share_a_stripe_must_save),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
