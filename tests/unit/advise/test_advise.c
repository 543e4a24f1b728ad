/*
 * Whole recommendations on small documents: every figure is worked out by hand beside its test.
 *
 * FC-nn are field cases: inputs a real user had and the answer that was right.
 */
#include "case.h"

#include "advise/constraint.h"

#define W(rest)                                                                                    \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"currency\": \"USD\", " rest "}"

#define STEP(sku, lo, hi, iops, mbps)                                                              \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"size_gib_min\": " lo                       \
	", \"size_gib_max\": " hi ", \"billed_gib\": " hi ", \"iops_base\": " iops                 \
	", \"iops_max\": " iops ", \"mbps_base\": " mbps ", \"mbps_max\": " mbps                   \
	", \"mbps_unit\": \"MB\", \"burst_iops\": 3500, \"burst_mbps\": 170, "                     \
	"\"io_unit_kib\": 256, \"operations_billed\": false, \"ephemeral\": false}"

#define L(disks, vms)                                                                              \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "    \
	"\"source\": \"field case\", \"disks\": [" disks "], \"vms\": [" vms "]}"

#define PRICE(sku, price)                                                                          \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"item\": \"disk\", \"unit\": \"month\", "   \
	"\"price\": " price "}"

#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"field case\", \"trust\": \"published\", \"rows\": [" rows "]}"

/* The five tiers of FC-05; two have no price there. */
static const char fc05_limits[] = L(
	STEP("T32", "1", "32", "120", "25") ", " STEP("T64", "33", "64", "240", "50") ", " STEP(
		"T128", "65", "128", "500", "100") ", " STEP("T256", "129", "256", "1100",
		"125") ", " STEP("T512", "257", "512", "2300", "150"),
	"");
static const char fc05_prices[] = P(
	PRICE("T128", "19.71") ", " PRICE("T256", "38.02") ", " PRICE("T512", "73.22"));
/* 900 IOPS and 60 MB/s sustained on 100 GiB: 900 x 65.104 KiB = 60 MB/s */
static const char fc05_workload[] = W("\"headroom\": 0, \"volumes\": [{\"role\": \"data\", "
				      "\"capacity_gib\": 100, \"read_iops\": 600, "
				      "\"write_iops\": 300, \"io_kib\": 65.1}]");

static void
test_fc05_size_is_bought_for_iops(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	assert_non_null(v->chosen);
	assert_string_equal(v->chosen->sku, "T256");
	assert_true(near_to(v->chosen->monthly, 38.02, 1e-9));
	assert_true(near_to(s.plan.cost->monthly, 38.02, 1e-9));
	const struct plan_rejected *r = rejected_of(v, "T128");
	assert_non_null(r);
	assert_string_equal(r->constraint, "iops");
	assert_true(near_to(r->need, 900, 1e-9) && near_to(r->have, 500, 1e-9));
	assert_non_null(strstr(r->text, "500 < 900 IOPS needed"));
	assert_non_null(strstr(r->text, "burst of 3,500 IOPS does not last and is not counted"));
	/* 500 of 900: 400 / 900 are missing */
	assert_true(near_to(r->miss_frac, 400.0 / 900, 1e-9));
	assert_string_equal(r->miss, "44 % short");
	/* 38.02 - 19.71 = 18.31 */
	assert_true(any_text_has(v->reasons, v->n_reasons, "USD 18.31 less a month"));
	assert_true(any_text_has(v->reasons, v->n_reasons, "size is bought for IOPS"));
	/* why the tier, why the size, why not a larger one: 73.22 - 38.02 = 35.20 */
	assert_int_equal(v->n_reasons, 3);
	assert_non_null(
		strstr(v->reasons[0], "USD 38.02 a month on each machine (prices published)"));
	assert_non_null(strstr(v->reasons[2], "T512, costs USD 73.22 a month, USD 35.20 more"));
	/* 1,100 usable, 900 needed: 200 / 1,100 of it is left */
	assert_non_null(strstr(v->binding, "iops"));
	assert_true(near_to(v->margin_frac, 200.0 / 1100, 1e-9));
	scene_fini(&s);
}

static void
test_headroom_is_kept_of_every_cap(void **state)
{
	(void)state;
	struct scene s;
	/* with a tenth kept free 1,100 x 0.9 = 990 still hold 900; with a fifth 880 do not */
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	s.workload.headroom = 0.1;
	assert_int_equal(scene_solve(&s), 0);
	assert_string_equal(volume_of(&s.plan, "data")->chosen->sku, "T256");
	/* need 900 / 0.9 = 1,000 */
	assert_true(near_to(volume_of(&s.plan, "data")->need_iops, 1000, 1e-6));
	s.workload.headroom = 0.2;
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	/* 1 x T512 73.22; 2 x T256 76.04; 3 x T128 do 1,500, 1,200 of them usable, for 59.13 */
	assert_string_equal(v->chosen->sku, "T128");
	assert_true(near_to(v->chosen->disks, 3, 1e-9));
	assert_true(near_to(v->chosen->monthly, 59.13, 1e-9));
	assert_non_null(strstr(rejected_of(v, "T256")->text,
		"sustains 1,100 IOPS, 880 with 20 % kept free: 880 < 900"));
	scene_fini(&s);
}

static void
test_growth_moves_the_step(void **state)
{
	(void)state;
	struct scene s;
	/* 100 + 36 x 5 = 280 GiB: past the 256 step, whatever the IOPS */
	scene_init(&s,
		W("\"headroom\": 0, \"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100, "
		  "\"growth_gib_month\": 5, \"read_iops\": 10, \"write_iops\": 0, \"io_kib\": 8}]"),
		fc05_limits, fc05_prices);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	assert_true(near_to(v->horizon_gib, 280, 1e-9));
	/* 1 x T512 = 73.22, 2 x T256 = 76.04, 3 x T128 of 94 GiB each = 59.13; 2 x T128 hold 256 */
	assert_string_equal(v->chosen->sku, "T128");
	assert_true(near_to(v->chosen->disks, 3, 1e-9));
	assert_true(near_to(v->chosen->size_gib, 94, 1e-9));
	assert_true(near_to(v->chosen->monthly, 59.13, 1e-9));
	scene_fini(&s);
}

/* One step with a free higher level: 8,000 IOPS and 300 MB/s instead of 5,000 and 200. */
#define PLUS                                                                                       \
	"{\"family\": \"tier\", \"sku\": \"P30\", \"size_gib_min\": 513, "                         \
	"\"size_gib_max\": 1024, \"billed_gib\": 1024, \"iops_base\": 5000, "                      \
	"\"iops_max\": 5000, \"mbps_base\": 200, \"mbps_max\": 200, "                              \
	"\"iops_perf_plus\": 8000, \"mbps_perf_plus\": 300, \"mbps_unit\": \"MB\", "               \
	"\"io_unit_kib\": 256, \"operations_billed\": false, \"ephemeral\": false}"
#define READS(iops)                                                                                \
	W("\"headroom\": 0, \"volumes\": [{\"role\": \"data\", \"capacity_gib\": 900, "            \
	  "\"read_iops\": " iops ", \"write_iops\": 0, \"io_kib\": 8}]")

/* The free level is taken before a second disk is bought, and named; and only when it is needed. */
static void
test_free_level_before_a_second_disk(void **state)
{
	(void)state;
	static const struct {
		const char *workload, *title;
		double disks, iops, monthly;
	} rows[] = {
		{READS("5000"), "P30", 1, 5000, 148.68},
		{READS("8000"), "P30 with performance plus", 1, 8000, 148.68},
		/* 2 x 5,000 do it as well: the standard level comes first */
		{READS("9000"), "P30", 2, 10000, 297.36},
		{READS("16000"), "P30 with performance plus", 2, 16000, 297.36},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene_init(&s, rows[i].workload, L(PLUS, ""), P(PRICE("P30", "148.68")));
		assert_int_equal(scene_solve(&s), 0);
		const struct plan_config *c = volume_of(&s.plan, "data")->chosen;
		assert_string_equal(c->sku, "P30");
		assert_string_equal(c->title, rows[i].title);
		assert_true(near_to(c->disks, rows[i].disks, 1e-9));
		assert_true(near_to(c->iops, rows[i].iops, 1e-9));
		assert_true(near_to(c->monthly, rows[i].monthly, 1e-9));
		scene_fini(&s);
	}
}

/* A tier bought by the GiB, IOPS and MB/s; every disk brings 3,000 and 125 and takes 80,000. */
static const char bought_limits[] = L(
	"{\"family\": \"tier\", \"sku\": \"FREE\", \"size_gib_min\": 1, \"size_gib_max\": 65536, "
	"\"iops_min\": 3000, \"iops_base\": 3000, \"iops_max\": 80000, \"iops_per_gib\": 500, "
	"\"mbps_min\": 125, \"mbps_base\": 125, \"mbps_max\": 2000, \"mbps_per_iops\": 0.25, "
	"\"mbps_unit\": \"MB\", \"io_unit_kib\": 256, \"operations_billed\": false, "
	"\"ephemeral\": false}",
	"");
#define RATE(item, price, from)                                                                    \
	"{\"family\": \"tier\", \"sku\": \"FREE\", \"item\": \"" item                              \
	"\", \"unit\": \"month\", \"price\": " price ", \"tier_min\": " from "}"
static const char bought_prices[] = P(
	"{\"family\": \"tier\", \"sku\": \"FREE\", \"item\": \"capacity\", \"unit\": "
	"\"gib_month\", "
	"\"price\": 0.1}, " RATE("iops", "0.006", "3000") ", " RATE("throughput", "0.05", "125"));

/* A stripe for its allowances only where it saves a twentieth, and where one disk is too small. */
static void
test_stripe_of_a_bought_tier(void **state)
{
	(void)state;
	static const struct {
		const char *workload;
		double disks, iops, monthly;
	} rows[] = {
		/* 90 + 1,000 x 0.006 = 96; two: 90, 6.25 % less */
		{READS("4000"), 2, 3000, 90},
		/* 90 + 500 x 0.006 = 93; two: 90, 3.2 % less */
		{READS("3500"), 1, 3500, 93},
		/* one takes 80,000 at most; 819.2 MB/s.  Two: 2 x (45 + 47,000 x 0.006 + 285 x 0.05)
		 * = 682.5; three 658.4, not a twentieth less; four 634; six 585.6; eight of 113 GiB:
		 * 8 x (11.3 + 9,500 x 0.006) = 546.4, 6.7 % less than six */
		{READS("100000"), 8, 12500, 546.4},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene_init(&s, rows[i].workload, bought_limits, bought_prices);
		assert_int_equal(scene_solve(&s), 0);
		const struct plan_config *c = volume_of(&s.plan, "data")->chosen;
		assert_true(near_to(c->disks, rows[i].disks, 1e-9));
		assert_true(near_to(c->bought_iops, rows[i].iops, 1e-9));
		assert_true(near_to(c->iops, rows[i].iops * rows[i].disks, 1e-9));
		assert_true(near_to(c->monthly, rows[i].monthly, 1e-9));
		assert_true(near_to(s.plan.cost->monthly, rows[i].monthly, 1e-9));
		scene_fini(&s);
	}
}

static void
test_no_machine_is_said(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	assert_int_equal(scene_solve(&s), 0);
	assert_null(s.plan.machine);
	assert_non_null(finding_of(&s.plan, "no-machine"));
	assert_non_null(strstr(finding_of(&s.plan, "no-machine")->text, "no VM cap was checked"));
	scene_fini(&s);
}

static void
test_unknown_price_is_not_zero(void **state)
{
	(void)state;
	struct scene s;
	/* only T32 has a price and eight of them do 960 IOPS: the plan is written, "at least" */
	scene_init(&s,
		W("\"headroom\": 0, \"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100, "
		  "\"read_iops\": 1000, \"write_iops\": 0, \"io_kib\": 8}]"),
		fc05_limits, P(PRICE("T32", "5")));
	assert_int_equal(scene_solve(&s), ERR_PRICE);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	assert_non_null(v->chosen);
	assert_int_equal(v->chosen->monthly_complete, 0);
	assert_int_equal(s.plan.cost->complete, 0);
	assert_non_null(strstr(s.plan.sentence, "at least"));
	assert_non_null(finding_of(&s.plan, "price-unknown"));
	scene_fini(&s);
	/* a priced one that fits is taken before an unpriced one of unknown cost */
	scene_init(&s, fc05_workload, fc05_limits, P(PRICE("T512", "73.22")));
	assert_int_equal(scene_solve(&s), 0);
	assert_string_equal(volume_of(&s.plan, "data")->chosen->sku, "T512");
	assert_string_equal(rejected_of(volume_of(&s.plan, "data"), "T256")->constraint, "price");
	scene_fini(&s);
}

static void
test_budget(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	s.workload.budget = &(struct workload_budget){.monthly = 38.02};
	assert_int_equal(scene_solve(&s), 0);
	s.workload.budget = &(struct workload_budget){.monthly = 38.01};
	assert_int_equal(scene_solve(&s), ERR_BUDGET);
	assert_true(
		near_to(s.plan.cost->monthly, 38.02, 1e-9)); /* the plan is there all the same */
	scene_fini(&s);
}

/* ---- machines ---- */

#define P30 STEP("P30", "513", "1024", "5000", "200")
#define VM(sku, rest)                                                                              \
	"{\"sku\": \"" sku "\", \"vcpus\": 8, \"max_data_disks\": 16, \"mbps_unit\": \"MB\", "     \
	"\"premium_storage\": true, \"premium_caching\": true, " rest "}"
#define VM_PRICE(sku, price)                                                                       \
	"{\"family\": \"vm\", \"sku\": \"" sku "\", \"item\": \"vm\", \"unit\": \"month\", "       \
	"\"price\": " price "}"

/* FC-01: 1,000,000 MB are 931.3226 GiB; the copy is read and written through one cap. */
#define FC01(window)                                                                               \
	W("\"headroom\": 0, \"vm\": {\"sizes\": [\"small\"]}, \"volumes\": [{\"role\": \"data\", " \
	  "\"capacity_gib\": 931.3226, \"read_iops\": 0, \"write_iops\": 0}, {\"role\": "          \
	  "\"backup\", \"capacity_gib\": 931.3226, \"window_hours\": " window "}]")

static const char fc01_limits[] = L(
	P30, VM("small", "\"uncached_iops\": 6400, \"uncached_mbps\": 96"));

static void
test_fc01_backup_through_one_cap(void **state)
{
	(void)state;
	struct scene s;
	/* 48 MB/s each way at most: 1,000,000 / 48 = 20,833 s = 5.787 h */
	scene_init(&s, FC01("5.79"), fc01_limits, P(PRICE("P30", "148.68")));
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(s.plan.machine->need_mbps, 2 * 1e6 / (5.79 * 3600), 0.01));
	/* two disks of 200 MB/s behind 96: bought and not reachable, and said */
	assert_true(near_to(s.plan.machine->bought_mbps, 400, 1e-9));
	assert_non_null(
		strstr(s.plan.machine->note, "more together than the machine lets through"));
	scene_fini(&s);
	scene_init(&s, FC01("5.78"), fc01_limits, P(PRICE("P30", "148.68")));
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	const struct plan_volume *v = volume_of(&s.plan, "backup");
	assert_null(v->chosen);
	assert_non_null(v->nearest);
	assert_string_equal(v->nearest->constraint, "vm-mbps");
	assert_true(near_to(v->nearest->have, 96, 1e-9));
	assert_non_null(strstr(s.plan.sentence, "small caps uncached disk throughput at 96 MB/s"));
	assert_true(
		any_text_has(s.plan.changes, s.plan.n_changes, "without the vm-mbps constraint"));
	scene_fini(&s);
}

/* FC-13: no disk is full, the machine is: 4 x 3,500 = 14,000 > 12,800. */
#define BUSY(name)                                                                                 \
	"{\"role\": \"data\", \"name\": \"" name                                                   \
	"\", \"capacity_gib\": 1000, \"read_iops\": 3500, "                                        \
	"\"write_iops\": 0, \"io_kib\": 4}"
#define FC13(sizes)                                                                                \
	W("\"headroom\": 0, \"vm\": {\"sizes\": [" sizes                                           \
	  "]}, \"volumes\": [" BUSY("a") ", " BUSY("b") ", " BUSY("c") ", " BUSY("d") "]")

static const char fc13_limits[] = L(
	P30, VM("wall", "\"uncached_iops\": 12800, \"uncached_mbps\": 290") ", " VM(
		     "larger", "\"uncached_iops\": 25600, \"uncached_mbps\": 600"));
static const char fc13_prices[] = P(
	PRICE("P30", "148.68") ", " VM_PRICE("wall", "300") ", " VM_PRICE("larger", "600"));

static void
test_fc13_the_machine_is_the_wall(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, FC13("\"wall\""), fc13_limits, fc13_prices);
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	const struct plan_volume *v = volume_of(&s.plan, "c");
	assert_string_equal(v->nearest->constraint, "vm-iops");
	assert_true(near_to(v->nearest->need, 14000, 1e-6));
	assert_true(near_to(v->nearest->have, 12800, 1e-6));
	assert_true(any_text_has(s.plan.changes, s.plan.n_changes,
		"smallest machine in the limits file whose caps would do is larger"));
	scene_fini(&s);
	/* offered both, the larger one is the answer: 4 x 148.68 + 600 */
	scene_init(&s, FC13("\"wall\", \"larger\""), fc13_limits, fc13_prices);
	assert_int_equal(scene_solve(&s), 0);
	assert_string_equal(s.plan.machine->sku, "larger");
	assert_true(near_to(s.plan.cost->monthly, 4 * 148.68 + 600, 1e-6));
	assert_true(near_to(s.plan.cost->machine_monthly, 600, 1e-9));
	scene_fini(&s);
}

#define LOCAL                                                                                      \
	"{\"family\": \"local\", \"sku\": \"local\", \"ephemeral\": true, \"io_unit_kib\": 256}"
#define SCRATCH(writes)                                                                            \
	W("\"headroom\": 0, \"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": \"temp\", "     \
	  "\"capacity_gib\": 100, \"read_iops\": 500, \"write_iops\": " writes                     \
	  ", \"io_kib\": 8}]")
#define TEMP(rest)                                                                                 \
	VM("m", "\"uncached_iops\": 6400, \"uncached_mbps\": 96, \"temp_disk_count\": 1, "         \
		"\"temp_disk_gib\": 300, \"temp_read_iops\": 38000, \"temp_read_mbps\": 500" rest)

/* Reads of a local disk are documented, its writes may not be: then that is said. */
static void
test_local_writes_not_documented(void **state)
{
	(void)state;
	static const struct {
		const char *workload, *limits;
		int said;
	} rows[] = {
		{SCRATCH("1000"), L(LOCAL, TEMP("")), 1},
		{SCRATCH("0"), L(LOCAL, TEMP("")), 0},
		{SCRATCH("1000"),
			L(LOCAL, TEMP(", \"temp_write_iops\": 19000, \"temp_write_mbps\": 250")),
			0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene_init(&s, rows[i].workload, rows[i].limits, P(PRICE("P30", "148.68")));
		assert_int_equal(scene_solve(&s), 0);
		assert_string_equal(volume_of(&s.plan, "temp")->chosen->family, "local");
		const struct finding *f = finding_of(&s.plan, "local-writes-unknown");
		assert_int_equal(f != NULL, rows[i].said);
		if (f)
			assert_non_null(strstr(f->text, "temporary disk of m only"));
		scene_fini(&s);
	}
}

static void
test_machine_without_a_price_is_said(void **state)
{
	(void)state;
	struct scene s;
	/* only the larger one does, and its price is not known: at least the disks, exit 5 */
	scene_init(&s, FC13("\"wall\", \"larger\""), fc13_limits,
		P(PRICE("P30", "148.68") ", " VM_PRICE("wall", "300")));
	assert_int_equal(scene_solve(&s), ERR_PRICE);
	assert_non_null(finding_of(&s.plan, "machine-price-unknown"));
	assert_true(near_to(s.plan.cost->monthly, 4 * 148.68, 1e-6));
	assert_int_equal(s.plan.cost->complete, 0);
	scene_fini(&s);
	/* one size only: its price is the same in every choice and not part of the total */
	scene_init(&s, FC13("\"larger\""), fc13_limits, P(PRICE("P30", "148.68")));
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(s.plan.cost->monthly, 4 * 148.68, 1e-6));
	assert_true(isnan(s.plan.cost->machine_monthly));
	scene_fini(&s);
}

/* FC-14: with any cache mode a write counts against both limits, so the log does better without. */
static void
test_fc14_cache_caps_the_log(void **state)
{
	(void)state;
	static const char disk[] = "{\"family\": \"tier\", \"sku\": \"D\", \"size_gib_min\": 1, "
				   "\"size_gib_max\": 100, "
				   "\"billed_gib\": 100, \"iops_base\": 50000, \"iops_max\": "
				   "50000, \"mbps_base\": 900, "
				   "\"mbps_max\": 900, \"mbps_unit\": \"MB\", \"host_cache\": "
				   "[\"None\", \"ReadOnly\"], "
				   "\"operations_billed\": false, \"ephemeral\": false}";
	char limits[2048];
	snprintf(limits, sizeof(limits),
		L("%s", VM("m", "\"uncached_iops\": 90000, \"uncached_mbps\": 192, "
				"\"cached_iops\": 90000, \"cached_mbps\": 128")),
		disk);
	struct scene s;
	/* 150 MB/s of log: 128 < 150 <= 192 */
	scene_init(&s,
		W("\"headroom\": 0, \"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": "
		  "\"wal\", "
		  "\"capacity_gib\": 50, \"write_iops\": 0, \"write_mbps\": 150}]"),
		limits, P(PRICE("D", "10")));
	assert_int_equal(scene_solve(&s), 0);
	assert_string_equal(volume_of(&s.plan, "wal")->chosen->host_cache, "None");
	/* the same disk with the read cache: 150 count against 128 as well */
	const struct vm_limit *vm = &s.limits.vms[0];
	struct demand d = {.volume = &s.workload.volumes[0], .mbps = 150};
	struct candidate_site site = {.demand = &d, .vm = vm};
	struct candidate c = {.host_cache = "ReadOnly", .units = 600, .disks = 1};
	double use[CAP_COUNT];
	constraint_machine_use(&site, &c, use);
	assert_true(near_to(use[CAP_CACHED_MBPS], 150, 1e-9));
	assert_true(near_to(use[CAP_UNCACHED_MBPS], 150, 1e-9));
	struct breach b = constraint_machine_check(NULL, vm, 0, use, 0, &s.arena);
	assert_true(b.broken);
	assert_int_equal(b.constraint, CONSTRAINT_VM_CACHED_MBPS);
	assert_true(near_to(b.have, 128, 1e-9) && near_to(b.need, 150, 1e-9));
	c.host_cache = "None";
	constraint_machine_use(&site, &c, use);
	assert_false(constraint_machine_check(NULL, vm, 0, use, 0, &s.arena).broken);
	scene_fini(&s);
	/* 200 MB/s pass neither way, and the uncached cap is the one named */
	scene_init(&s,
		W("\"headroom\": 0, \"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": "
		  "\"wal\", "
		  "\"capacity_gib\": 50, \"write_iops\": 0, \"write_mbps\": 200}]"),
		limits, P(PRICE("D", "10")));
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	assert_string_equal(volume_of(&s.plan, "wal")->nearest->constraint, "vm-mbps");
	scene_fini(&s);
}

/* ---- properties of whole plans ---- */

static double
cost_of(struct scene *s)
{
	int rc = scene_solve(s);
	return rc == 0 ? s->plan.cost->monthly : (double)INFINITY;
}

static void
test_monotone(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	double base = cost_of(&s);
	char sku[16];
	snprintf(sku, sizeof(sku), "%s", volume_of(&s.plan, "data")->chosen->sku);
	double before = 0;
	for (int hundreds = 1; hundreds <= 23; hundreds++) {
		s.workload.volumes[0].read_iops = 100 * hundreds;
		s.workload.volumes[0].write_iops = 0;
		s.workload.volumes[0].io_kib = 8;
		double cost = cost_of(&s);
		assert_true(cost >= before);
		before = cost;
	}
	assert_true(before > base); /* the steps were taken */
	scene_fini(&s);
	/* all prices x 3: the same choice at three times the money */
	scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
	for (size_t i = 0; i < s.book.n_rows; i++)
		s.book.rows[i].price *= 3;
	assert_true(near_to(cost_of(&s), 3 * base, 1e-9));
	assert_string_equal(volume_of(&s.plan, "data")->chosen->sku, sku);
	scene_fini(&s);
	/* one price up: never cheaper */
	for (size_t i = 0; i < 3; i++) {
		scene_init(&s, fc05_workload, fc05_limits, fc05_prices);
		s.book.rows[i].price += 40;
		assert_true(cost_of(&s) >= base);
		scene_fini(&s);
	}
}

/* What a plan says of a cheaper size must be true: it breaks something. */
static void
test_every_cheaper_one_breaks_something(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s, FC13("\"wall\", \"larger\""), fc13_limits, fc13_prices);
	assert_int_equal(scene_solve(&s), 0);
	for (size_t v = 0; v < s.plan.n_volumes; v++) {
		for (size_t i = 0; i < s.plan.volumes[v].n_rejected; i++) {
			const struct plan_rejected *r = &s.plan.volumes[v].rejected[i];
			assert_string_not_equal(r->constraint, "none");
			assert_true(strlen(r->text) > 10);
		}
	}
	scene_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fc05_size_is_bought_for_iops),
		cmocka_unit_test(test_headroom_is_kept_of_every_cap),
		cmocka_unit_test(test_growth_moves_the_step),
		cmocka_unit_test(test_free_level_before_a_second_disk),
		cmocka_unit_test(test_stripe_of_a_bought_tier),
		cmocka_unit_test(test_no_machine_is_said),
		cmocka_unit_test(test_unknown_price_is_not_zero),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_fc01_backup_through_one_cap),
		cmocka_unit_test(test_fc13_the_machine_is_the_wall),
		cmocka_unit_test(test_local_writes_not_documented),
		cmocka_unit_test(test_machine_without_a_price_is_said),
		cmocka_unit_test(test_fc14_cache_caps_the_log),
		cmocka_unit_test(test_monotone),
		cmocka_unit_test(test_every_cheaper_one_breaks_something),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
