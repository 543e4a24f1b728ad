/* Page one: which cheaper candidate a volume is held against. */
#include "report_test.h"

#include "report/plan_text.h"

static struct plan_config
config(const char *title, double gib, double monthly, int complete)
{
	struct plan_config c;
	plan_config_clear(&c);
	c.family = c.sku = title;
	c.title = title;
	c.size_gib = c.billed_gib = gib;
	c.disks = 1;
	c.monthly = monthly;
	c.monthly_complete = complete;
	return c;
}

/*
 * A log of 64 GiB on 36.07.  256 GiB are four times the space and still a temptation, 4,096 are none, however
 * little they miss; nor is what nobody knows the price of, or what misses by no figure.
 */
static void
test_the_nearest_miss_is_named(void **state)
{
	(void)state;
	struct plan_config chosen = config("Ultra", 64, 36.07, 1),
			   huge = config("S50", 4096, 30, 1), unpriced = config("E3", 64, 8.4, 0),
			   near = config("V2", 64, 6.07, 1), roomy = config("P15", 256, 35, 1),
			   ruled = config("temp", 64, 1, 1);
	struct plan_rejected rejected[] = {
		{&ruled, "rule:x", "it is lost", (double)NAN, (double)NAN, NULL, (double)NAN, NULL},
		{&near, "commit-p99", "commit p99 2.13 ms > 2 ms", 2, 2.13, "ms", 0.066,
			"6.6 % over"},
		{&unpriced, "price", "no price", (double)NAN, (double)NAN, NULL, 0.01, "1 % over"},
		{&huge, "mbps", "48 < 49", 49, 48, "MB/s", 0.02, "2 % short"},
		{&roomy, "commit-p99", "commit p99 4 ms > 2 ms", 2, 4, "ms", 1,
			"2 times the limit"},
	};
	const char *reason = "the cheapest of its kind";
	struct plan_volume volume = {.role = "wal",
		.name = "wal",
		.horizon_gib = 64,
		.chosen = &chosen,
		.reasons = &reason,
		.n_reasons = 1,
		.rejected = rejected,
		.n_rejected = 5};
	struct arena a;
	arena_init(&a, 0);
	/* with fewer on offer: the one of 256 GiB; then none, and the reason is given instead */
	static const char *const says[] = {
		"wal: not V2, 64 GiB, USD 30.00 less, 6.6 % over: commit p99 2.13 ms",
		"wal: not P15, 256 GiB, USD 1.07 less, 2 times the limit: commit p99 4 ms",
		"wal: the cheapest of its kind",
	};
	for (size_t i = 0; i < 3; i++) {
		struct doc d;
		struct plan p;
		schema_clear(&plan_schema, &p);
		p.currency = "USD";
		p.volumes = &volume;
		p.n_volumes = 1;
		near.monthly_complete = i < 1;
		roomy.billed_gib = i < 2 ? 256 : 257;
		doc_init(&d, &a, "t");
		plan_page_one(&p, &d);
		struct buf md = rendered(&d, RENDER_MD);
		assert_has(buf_text(&md), says[i]);
		assert_lacks(buf_text(&md), "not S50");
		assert_lacks(buf_text(&md), "not E3");
		buf_fini(&md);
	}
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_nearest_miss_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
