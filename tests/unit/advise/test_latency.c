/*
 * Which profile speaks for which candidate, and that bought IOPS leave the light latency alone.
 */
#include "case.h"

#include "advise/latency.h"

static struct disk_model shipped_family = {.name = "shipped family", .family = "fc/tier"};
static struct disk_model shipped_sku = {.name = "shipped sku", .sku = "P30"};
static struct disk_model mine = {.name = "mine"};
static struct disk_model of_other_tier = {.name = "other tier", .family = "fc/other"};

struct row {
	const char *what;
	struct advise_model models[4];
	size_t n;
	const char *family, *sku, *role, *want; /* NULL: none speaks */
};

static const struct row rows[] = {
	{"shipped family", {{.model = &shipped_family}}, 1, "tier", "P40", "wal", "shipped family"},
	{"shipped SKU before family", {{.model = &shipped_sku}, {.model = &shipped_family}}, 2,
		"tier", "P30", "wal", "shipped sku"},
	{"the SKU is another one", {{.model = &shipped_sku}, {.model = &shipped_family}}, 2, "tier",
		"P40", "wal", "shipped family"},
	{"a given family before a shipped SKU",
		{{.model = &shipped_sku}, {.model = &mine, .key = "tier"}}, 2, "tier", "P30", "wal",
		"mine"},
	{"with the provider's name", {{.model = &mine, .key = "fc/tier"}}, 1, "tier", "P30", "wal",
		"mine"},
	{"given SKU before given family",
		{{.model = &shipped_sku, .key = "P30"}, {.model = &mine, .key = "tier"}}, 2, "tier",
		"P30", "wal", "shipped sku"},
	{"given family before given role",
		{{.model = &mine, .key = "wal"}, {.model = &shipped_family, .key = "tier"}}, 2,
		"tier", "P30", "wal", "shipped family"},
	{"role", {{.model = &shipped_family}, {.model = &mine, .key = "wal"}}, 2, "tier", "P30",
		"wal", "mine"},
	{"another role", {{.model = &shipped_family}, {.model = &mine, .key = "wal"}}, 2, "tier",
		"P30", "data", "shipped family"},
	/* measured on another tier: it says nothing about this one, whatever the role */
	{"role, but of another tier", {{.model = &of_other_tier, .key = "wal"}}, 1, "tier", "P30",
		"wal", NULL},
	{"nothing", {{.model = &shipped_family}}, 1, "unheard", "X1", "wal", NULL},
};

static void
test_precedence(void **state)
{
	(void)state;
	struct limits limits = {.provider = "fc"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct advise_input in = {.limits = &limits, .models = r->models, .n_models = r->n};
		const struct advise_model *m = latency_model(&in, r->family, r->sku, r->role);
		const char *got = m ? m->model->name : "none";
		if (strcmp(got, r->want ? r->want : "none") != 0)
			fail_msg("%s: %s", r->what, got);
	}
}

/* One depth-1 point of 1 ms, as a class in a vendor's document. */
static void
make_model(struct arena *a, struct disk_model *m)
{
	struct profile p;
	profile_clear(&p);
	p.name = "class";
	p.device = PROFILE_DEVICE_CLOUD;
	p.family = "fc/tier";
	p.trust = TRUST_ASSUMED;
	p.source = "test";
	p.as_of = "2026-01-01";
	for (int op = PROFILE_OP_RANDREAD; op <= PROFILE_OP_RANDWRITE; op++) {
		struct profile_cell c;
		profile_cell_clear(&c);
		c.op = op;
		c.bs_b = 4096;
		c.qd = 1;
		c.mean_us = 1000;
		assert_int_equal(profile_add_cell(&p, a, &c, NULL), 0);
	}
	struct err err = {0};
	if (disk_model_fit(&p, "", NULL, a, m, &err))
		fail_msg("%s", err.text);
}

static struct disk_limit p30 = {
	.family = "premium_ssd", .sku = "P30", .iops_base = 5000, .iops_max = 5000};

static void
test_buying_iops_keeps_the_light_latency(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	struct disk_model m;
	make_model(&a, &m);
	struct advise_model given = {.model = &m};
	struct workload_volume v = {.role = WORKLOAD_DATA};
	struct demand d = {.volume = &v, .read_iops = 100, .write_iops = 0, .io_kib = 4};
	double before = 0;
	for (unsigned step = 0; step < 5; step++) {
		double iops = 3000.0 * (1U << step); /* to 48,000 */
		struct disk_caps caps = {
			.iops = iops, .mbps = 2000, .io_unit_kib = 256, .stripe = 1};
		struct latency l;
		latency_predict(
			&given, &(struct latency_ask){&p30, &d, &caps, (double)NAN}, &a, &l);
		assert_true(latency_known(&l.read_mean));
		assert_true(l.read_mean.value >= 1000 * 0.99);
		assert_true(before <= 0 || near_to(l.read_mean.value, before, 0.02 * before));
		before = l.read_mean.value;
		assert_int_equal(l.trust, TRUST_ASSUMED);
		assert_false(latency_known(&l.commit_mean)); /* not asked */
	}
	arena_fini(&a);
}

static void
test_no_profile_is_unknown(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	struct workload_volume v = {.role = WORKLOAD_DATA};
	struct demand d = {.volume = &v, .read_iops = 100, .write_iops = 0, .io_kib = 4};
	struct disk_caps caps = {.iops = 3000, .mbps = 100, .io_unit_kib = 256, .stripe = 1};
	struct latency l;
	latency_predict(NULL, &(struct latency_ask){&p30, &d, &caps, 4}, &a, &l);
	assert_false(latency_known(&l.read_p99));
	assert_false(latency_known(&l.commit_p99));
	assert_non_null(strstr(l.unknown, "no profile"));
	/* beyond the wall there is no steady state, and no number */
	struct disk_model m;
	make_model(&a, &m);
	struct advise_model given = {.model = &m};
	d.read_iops = 5000;
	latency_predict(&given, &(struct latency_ask){&p30, &d, &caps, (double)NAN}, &a, &l);
	assert_false(latency_known(&l.read_mean));
	assert_non_null(strstr(l.unknown, "wall"));
	arena_fini(&a);
}

/*
 * A P10 was measured: 3 ms at depth 1, and 500 IOPS at most.  As the P10 itself
 * it has no steady state at 600 a second; as the base latency of the family, a P30 answers in 3 ms there.
 */
static void
test_wall_of_another_size(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	struct profile p;
	profile_clear(&p);
	p.name = "p10";
	p.device = PROFILE_DEVICE_CLOUD;
	p.family = "azure/premium_ssd";
	p.trust = TRUST_MEASURED;
	static const double depth[] = {1, 2, 4, 8, 16, 32};
	for (size_t i = 0; i < 6; i++) {
		struct profile_cell c;
		profile_cell_clear(&c);
		c.op = PROFILE_OP_RANDREAD;
		c.bs_b = 4096;
		c.qd = depth[i];
		c.iops = depth[i] > 1 ? 500 : 1 / 0.003;
		c.mean_us = 1e6 * c.qd / c.iops;
		assert_int_equal(profile_add_cell(&p, &a, &c, NULL), 0);
	}
	struct disk_model full, light;
	assert_int_equal(disk_model_fit(&p, "0", NULL, &a, &full, NULL), 0);
	assert_int_equal(disk_model_light(&full, &a, &light, NULL), 0);
	assert_int_equal(full.curves[0].wall_reached, 1);
	struct disk_limit p10 = {
		.family = "premium_ssd", .sku = "P10", .iops_base = 500, .iops_max = 500};
	struct workload_volume v = {.role = WORKLOAD_DATA};
	struct demand d = {.volume = &v, .read_iops = 600, .write_iops = 0, .io_kib = 4};
	struct disk_caps caps = {.iops = 5000, .mbps = 200, .io_unit_kib = 256, .stripe = 1};
	struct advise_model family = {.model = &full, .light = &light, .key = "premium_ssd"};
	struct advise_model itself = {.model = &full, .light = &light, .key = "P10"};
	struct latency l;
	latency_predict(&itself, &(struct latency_ask){&p10, &d, &caps, (double)NAN}, &a, &l);
	assert_false(latency_known(&l.read_mean));
	latency_predict(&family, &(struct latency_ask){&p30, &d, &caps, (double)NAN}, &a, &l);
	assert_true(latency_known(&l.read_mean));
	assert_true(near_to(l.read_mean.value, 3000, 30));
	assert_int_equal(l.read_mean.trust, TRUST_MEASURED);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wall_of_another_size),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_buying_iops_keeps_the_light_latency),
		cmocka_unit_test(test_no_profile_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
