/*
 * Short peaks: what is sustained, what credits carry and for how long, what bursting on demand costs.
 * Figures are worked out by hand beside their test.
 */
#include "case.h"

#include "advise/burst.h"
#include "advise/choose.h"

#define W(rest)                                                                                    \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"headroom\": 0, " rest "}"
#define L(disks, vms)                                                                              \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "    \
	"\"source\": \"test\", \"disks\": [" disks "], \"vms\": [" vms "]}"
#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"test\", \"trust\": \"published\", \"rows\": [" rows "]}"

/* gp2 as in the field case: 3 IOPS a GB, 100 at least, 3,000 while credits last. */
#define GP2                                                                                        \
	"{\"family\": \"g\", \"sku\": \"g\", \"size_gib_min\": 1, \"size_gib_max\": 16384, "       \
	"\"iops_base\": 100, \"iops_max\": 16000, \"iops_per_gib\": 3, \"mbps_base\": 250, "       \
	"\"mbps_max\": 250, \"burst_iops\": 3000, \"burst_mbps\": 250, "                           \
	"\"burst_credit_ios\": 5400000, \"io_unit_kib\": 256, \"iops_billed\": false, "            \
	"\"throughput_billed\": false, \"burst_billed\": false, \"operations_billed\": false, "    \
	"\"ephemeral\": false}"
#define GP2_PRICE                                                                                  \
	"{\"family\": \"g\", \"sku\": \"g\", \"item\": \"capacity\", \"unit\": \"gib_month\", "    \
	"\"price\": 0.1}"

/* Two steps of Azure's numbers: P20 bursts on credits for half an hour, P30 on demand. */
#define STEPS                                                                                      \
	"{\"family\": \"p\", \"sku\": \"P20\", \"size_gib_min\": 257, \"size_gib_max\": 512, "     \
	"\"billed_gib\": 512, \"iops_base\": 2300, \"iops_max\": 2300, \"mbps_base\": 150, "       \
	"\"mbps_max\": 150, \"burst_iops\": 3500, \"burst_mbps\": 170, \"burst_seconds\": 1800, "  \
	"\"io_unit_kib\": 256, \"burst_billed\": false, \"operations_billed\": false, "            \
	"\"ephemeral\": false}, "                                                                  \
	"{\"family\": \"p\", \"sku\": \"P30\", \"size_gib_min\": 513, \"size_gib_max\": 1024, "    \
	"\"billed_gib\": 1024, \"iops_base\": 5000, \"iops_max\": 5000, \"mbps_base\": 200, "      \
	"\"mbps_max\": 200, \"burst_iops\": 30000, \"burst_mbps\": 1000, \"io_unit_kib\": 256, "   \
	"\"burst_billed\": true, \"operations_billed\": false, \"ephemeral\": false}"
#define STEP_PRICES                                                                                \
	"{\"family\": \"p\", \"sku\": \"P20\", \"item\": \"disk\", \"unit\": \"month\", "          \
	"\"price\": 70}, "                                                                         \
	"{\"family\": \"p\", \"sku\": \"P30\", \"item\": \"disk\", \"unit\": \"month\", "          \
	"\"price\": 130}, "                                                                        \
	"{\"family\": \"p\", \"item\": \"burst\", \"unit\": \"month\", \"price\": 30}, "           \
	"{\"family\": \"p\", \"item\": \"burst_operations\", \"unit\": \"10k\", \"price\": 0.005}"
#define ONE_DISK(iops, mbps)                                                                       \
	"{\"sku\": \"m\", \"max_data_disks\": 1, \"uncached_iops\": " iops                         \
	", \"uncached_mbps\": " mbps "}"

static void
open_scene(struct scene *s, const char *size, const char *more, const char *limits,
	const char *prices, bool machine)
{
	char text[1024];
	snprintf(text, sizeof(text),
		W("%s\"volumes\": [{\"role\": \"data\", \"capacity_gib\": %s, \"io_kib\": 8, "
		  "\"write_iops\": 0, %s}]"),
		machine ? "\"vm\": {\"sizes\": [\"m\"]}, " : "", size, more);
	scene_init(s, text, limits, prices);
}

static struct chooser
make(struct scene *s, struct findings *f)
{
	struct chooser c;
	findings_init(f, &s->arena);
	if (chooser_init(&c, &s->in, &s->arena, f, &s->err))
		fail_msg("%s", s->err.text);
	return c;
}

/* The single disk of that SKU that bursts on demand, or not. */
static const struct candidate *
single(const struct chooser *c, const char *sku, bool burst)
{
	const struct candidate_list *l = &c->options[0].lists[0];
	for (size_t i = 0; i < l->n; i++) {
		const struct candidate *k = &l->items[i];
		if (strcmp(k->disk->sku, sku) == 0 && k->disks < 2 && k->burst == burst)
			return k;
	}
	return NULL;
}

/*
 * FC-03: 600 I/Os on 30 GB drain 500 of 5.4 million a second: 10,800 s, three hours.  The level of 100
 * fills 7.56 million in the other 21 hours; beside 50 I/Os all the time only 50 x 75,600 = 3.78 million,
 * which last 126 minutes.
 */
static void
test_fc03_when_credits_run_out(void **state)
{
	(void)state;
	static const struct {
		const char *volume;
		enum burst_means means;
		double minutes;
	} rows[] = {
		{"\"read_iops\": 0, \"burst_iops\": 600, \"burst_minutes_day\": 180", BURST_CREDITS,
			180},
		{"\"read_iops\": 0, \"burst_iops\": 600, \"burst_minutes_day\": 181",
			BURST_TOO_LONG, 180},
		{"\"read_iops\": 50, \"burst_iops\": 600, \"burst_minutes_day\": 180",
			BURST_TOO_LONG, 126},
		{"\"read_iops\": 0, \"burst_iops\": 3001, \"burst_minutes_day\": 1", BURST_TOO_HIGH,
			(double)NAN},
		{"\"read_iops\": 0, \"burst_iops\": 100, \"burst_minutes_day\": 1440",
			BURST_SUSTAINED, (double)NAN},
		{"\"read_iops\": 0", BURST_NO_PEAK, (double)NAN},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		struct findings f;
		open_scene(&s, "30", rows[i].volume, L(GP2, ""), P(GP2_PRICE), false);
		struct chooser c = make(&s, &f);
		const struct candidate_site *site = &c.options[0].sites[0];
		const struct candidate *k = single(&c, "g", false);
		assert_non_null(k);
		assert_true(near_to(k->size_gib, 30, 0));
		struct burst_answer a = burst_meets(site, k);
		assert_int_equal(a.means, rows[i].means);
		if (!isnan(rows[i].minutes))
			assert_true(near_to(a.lasts_s / 60, rows[i].minutes, 1e-9));
		struct breach b = burst_check(site, k);
		bool broken = a.means == BURST_TOO_LONG || a.means == BURST_TOO_HIGH;
		assert_int_equal(b.broken, broken);
		if (a.means == BURST_TOO_LONG)
			assert_non_null(strstr(b.text, i == 1 ? "180 < 181" : "126 < 180"));
		if (a.means == BURST_TOO_HIGH)
			assert_non_null(strstr(b.text, "3,000 < 3,001"));
		scene_fini(&s);
	}
}

/* Credits never count as sustained: 600 all the time want 200 GiB; and the credits may be bought by size. */
static void
test_credits_are_no_sustained_rate(void **state)
{
	(void)state;
	struct scene s;
	open_scene(&s, "30", "\"read_iops\": 600", L(GP2, ONE_DISK("9000", "900")), P(GP2_PRICE),
		true);
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(volume_of(&s.plan, "data")->chosen->size_gib, 200, 0));
	scene_fini(&s);
	/* 600 for four hours: 5.4 million / 14,400 s = 375 above the level, so the level has to be 225,
	 * which are 75 GiB */
	open_scene(&s, "30", "\"read_iops\": 0, \"burst_iops\": 600, \"burst_minutes_day\": 240",
		L(GP2, ONE_DISK("9000", "900")), P(GP2_PRICE), true);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	assert_true(near_to(v->chosen->size_gib, 75, 0) && near_to(v->chosen->monthly, 7.5, 1e-9));
	assert_string_equal(rejected_of(v, "g")->constraint, "burst");
	assert_true(near_to(rejected_of(v, "g")->need, 240, 1e-9));
	assert_true(near_to(rejected_of(v, "g")->have, 180, 1e-9));
	scene_fini(&s);
	/* three hours fit, and the plan says on what they rest */
	open_scene(&s, "30", "\"read_iops\": 0, \"burst_iops\": 600, \"burst_minutes_day\": 180",
		L(GP2, ONE_DISK("9000", "900")), P(GP2_PRICE), true);
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(volume_of(&s.plan, "data")->chosen->size_gib, 30, 0));
	assert_non_null(strstr(finding_of(&s.plan, "burst-credits")->text, "180 minutes a day"));
	scene_fini(&s);
}

/* P20: (3,500 - 2,300) x 1,800 = 2.16 million; 3,000 drain 700 a second: 3,085.7 s = 51.43 minutes. */
static void
test_credits_of_half_an_hour(void **state)
{
	(void)state;
	struct scene s;
	struct findings f;
	open_scene(&s, "400",
		"\"read_iops\": 1000, \"burst_iops\": 3000, \"burst_minutes_day\": 51",
		L(STEPS, ""), P(STEP_PRICES), false);
	struct chooser c = make(&s, &f);
	struct burst_answer a = burst_meets(&c.options[0].sites[0], single(&c, "P20", false));
	assert_int_equal(a.means, BURST_CREDITS);
	assert_true(near_to(a.lasts_s, 2160000.0 / 700, 1e-6));
	/* 160 MB/s: (170 - 150) x 1,800 = 36,000 MB, 10 a second: an hour, longer than the I/Os */
	scene_fini(&s);
	open_scene(&s, "400", "\"read_iops\": 1000, \"burst_mbps\": 160, \"burst_minutes_day\": 61",
		L(STEPS, ""), P(STEP_PRICES), false);
	c = make(&s, &f);
	a = burst_meets(&c.options[0].sites[0], single(&c, "P20", false));
	assert_int_equal(a.means, BURST_TOO_LONG);
	assert_true(near_to(a.lasts_s, 3600, 1e-6));
	scene_fini(&s);
}

/*
 * On demand: 15,000 reads for ten minutes a day are 10,000 above the level, 600 s x 730 / 24 days:
 * 182.5 million a month, 91.25, and the fee of 30: 251.25 with the disk.
 */
static void
test_bursting_on_demand(void **state)
{
	(void)state;
	struct scene s;
	static const char peak[] =
		"\"read_iops\": 1000, \"burst_iops\": 15000, \"burst_minutes_day\": 10";
	open_scene(&s, "600", peak, L(STEPS, ONE_DISK("40000", "900")), P(STEP_PRICES), true);
	assert_int_equal(scene_solve(&s), 0);
	const struct plan_volume *v = volume_of(&s.plan, "data");
	assert_string_equal(v->chosen->title, "P30 bursting on demand");
	assert_true(near_to(v->chosen->iops, 5000, 0));
	assert_true(near_to(v->chosen->monthly, 251.25, 1e-6));
	assert_true(near_to(s.plan.bill->total, 251.25, 1e-6));
	assert_non_null(finding_of(&s.plan, "burst-on-demand"));
	/* without it: 5,000 < 15,000 of the peak */
	assert_string_equal(rejected_of(v, "P30")->constraint, "burst");
	assert_true(near_to(rejected_of(v, "P30")->have, 5000, 0));
	scene_fini(&s);
	/* the machine lets 12,000 through, and 20,000 for five minutes of its own credits */
	open_scene(&s, "600", peak,
		L(STEPS, "{\"sku\": \"m\", \"max_data_disks\": 1, \"uncached_iops\": 12000, "
			 "\"uncached_mbps\": 900, \"uncached_burst_iops\": 20000, "
			 "\"uncached_burst_mbps\": 900, \"burst_seconds\": 300}"),
		P(STEP_PRICES), true);
	assert_int_equal(scene_solve(&s), ERR_INFEASIBLE);
	scene_fini(&s);
	/* three disks would sustain it for 390: dearer */
	open_scene(&s, "600", peak, L(STEPS, ""), P(STEP_PRICES), false);
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(s.plan.cost->storage_monthly, 251.25, 1e-6));
	scene_fini(&s);
	/* an hour a day makes 547.50 of transactions: then they are not */
	open_scene(&s, "600",
		"\"read_iops\": 1000, \"burst_iops\": 15000, \"burst_minutes_day\": 60",
		L(STEPS, ""), P(STEP_PRICES), false);
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(s.plan.cost->storage_monthly, 390, 1e-6));
	scene_fini(&s);
}

/* A peak without a length, and a length without a peak. */
static void
test_half_a_peak_is_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {"\"burst_iops\": 100", "\"burst_minutes_day\": 5"};
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		struct workload w;
		struct err err = {0};
		char text[512], path[64];
		arena_init(&a, 0);
		snprintf(text, sizeof(text),
			W("\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 1, \"read_iops\": "
			  "1, "
			  "\"write_iops\": 1, %s}]"),
			rows[i]);
		put_text(text, path);
		assert_int_equal(workload_load(path, &a, &w, NULL, &err), ERR_RANGE);
		assert_non_null(strstr(err.text, "burst_minutes_day"));
		unlink(path);
		arena_fini(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fc03_when_credits_run_out),
		cmocka_unit_test(test_credits_are_no_sustained_rate),
		cmocka_unit_test(test_credits_of_half_an_hour),
		cmocka_unit_test(test_bursting_on_demand),
		cmocka_unit_test(test_half_a_peak_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
