/*
 * The plan document: what is written reads back the same, and nonsense is refused with its place.
 */
#include "case.h"

#include "base/buf.h"

static const char text[] =
	"{\"schema\": \"tierwise/plan/1\", \"name\": \"t\", \"currency\": \"USD\", "
	"\"verdict\": \"UNKNOWN\", \"price_age_days\": -3, \"headroom\": 0.2, \"volumes\": ["
	"{\"role\": \"wal\", \"name\": \"wal\", \"margin_frac\": -0.5, \"reasons\": [\"a\", "
	"\"b\"], "
	"\"chosen\": {\"family\": \"f\", \"sku\": \"S\", \"monthly\": 1.5, \"monthly_complete\": "
	"true, "
	"\"latency_trust\": \"assumed\"}, \"rejected\": [{\"config\": {\"family\": \"f\", \"sku\": "
	"\"R\"}, \"constraint\": \"iops\", \"text\": \"500 < 900\", \"need\": 900, \"have\": "
	"500}]}], "
	"\"sla\": [{\"what\": \"commit p99\", \"limit\": 2, \"verdict\": \"PASS\"}], \"curves\": "
	"[{\"volume\": \"wal\", \"op\": \"randwrite\", \"qd\": [1, 2], \"mean_us\": [100, 200], "
	"\"p99_us\": [150, null]}], \"inputs\": [{\"kind\": \"workload\", \"path\": \"w\", "
	"\"sha256\": \"00\"}]}";

static void
write_plan(const struct plan *p, struct buf *out)
{
	buf_init(out, 0);
	schema_write(&plan_schema, p, out);
}

static void
test_round_trip(void **state)
{
	(void)state;
	struct arena a;
	struct plan first, second;
	struct err err = {0};
	char path[64], sha256[65];
	arena_init(&a, 0);
	put_text(text, path);
	if (plan_load(path, &a, &first, sha256, &err))
		fail_msg("%s", err.text);
	unlink(path);
	assert_int_equal(strlen(sha256), 64);
	assert_int_equal(first.verdict, PLAN_UNKNOWN);
	assert_true(isnan(first.horizon_months)); /* absent is unknown, not zero */
	assert_true(isnan(first.curves[0].p99_us[1]));
	assert_true(near_to(first.volumes[0].rejected[0].need, 900, 1e-12));
	assert_null(first.volumes[0].nearest);
	struct buf once, twice;
	write_plan(&first, &once);
	put_text(buf_text(&once), path);
	if (plan_load(path, &a, &second, NULL, &err))
		fail_msg("%s", err.text);
	unlink(path);
	write_plan(&second, &twice);
	assert_string_equal(buf_text(&once), buf_text(&twice));
	buf_fini(&once);
	buf_fini(&twice);
	arena_fini(&a);
}

static void
test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"{\"schema\": \"tierwise/plan/1\", \"name\": \"t\", \"verdict\": \"MAYBE\", "
		 "\"volumes\": "
		 "[]}",
			"\"MAYBE\" is not a verdict"},
		{"{\"schema\": \"tierwise/plan/1\", \"name\": \"t\", \"verdict\": \"PASS\"}",
			"\"volumes\" is missing"},
		{"{\"schema\": \"tierwise/plan/1\", \"name\": \"t\", \"verdict\": \"PASS\", "
		 "\"volumes\": "
		 "[], \"headroom\": 2}",
			"headroom: 2, accepted: 0 to 1"},
		{"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\"}",
			"another kind of document"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct arena a;
		struct plan p;
		struct err err = {0};
		char path[64];
		arena_init(&a, 0);
		put_text(bad[i].text, path);
		int rc = plan_load(path, &a, &p, NULL, &err);
		unlink(path);
		if (rc == 0 || !strstr(err.text, bad[i].says) || !strstr(err.text, path))
			fail_msg("row %zu: %d \"%s\"", i, rc, err.text);
		arena_fini(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
