/* The break-even by IOPS: what of it gets through the machine. */
#include "report_test.h"

#include "report/plan_text.h"

/* E16ds_v6: 25,600 IOPS of its remote disks, 33,333 of Ultra Disk and Premium SSD v2 (limits file). */
static void
test_both_limits_of_the_machine(void **state)
{
	(void)state;
	static const struct {
		double uncached, mbps, ultra;
		const char *says;
	} rows[] = {
		{25600, 600, 33333,
			"above 25,600 IOPS, or 33,333 of Ultra Disk and Premium SSD v2, does not "
			"get "
			"through a E16"},
		{25600, 600, 25600,
			"What is above 25,600 IOPS or 600 MB/s does not get through a E16"},
		{25600, (double)NAN, (double)NAN,
			"What is above 25,600 IOPS does not get through a E16"},
	};
	struct arena a;
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plan_machine m = {.sku = "E16",
			.uncached_iops = rows[i].uncached,
			.uncached_mbps = rows[i].mbps,
			.ultra_iops = rows[i].ultra};
		struct plan_break_even e = {.volume = "data", .text = "none"};
		struct doc d;
		struct plan p;
		schema_clear(&plan_schema, &p);
		p.machine = &m;
		p.break_even = &e;
		p.n_break_even = 1;
		doc_init(&d, &a, "t");
		plan_break_even(&p, &d);
		struct buf md = rendered(&d, RENDER_MD);
		assert_has(buf_text(&md), rows[i].says);
		buf_fini(&md);
	}
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_limits_of_the_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
