/* What is asked of a store: few points, never more than it gives, and what comes of marked answers. */
#include "evidence_test.h"

#include "workload/promql.h"
#include "workload/series.h"

static struct promql_plan
plan_for(struct fixture *f, double range_s, double step_s, double interval_s, size_t n_series)
{
	struct promql_plan plan;
	struct promql_ask ask = {"vda", NULL, 1e9, range_s, step_s};
	if (promql_plan(
		    &ask, &(struct promql_scrape){interval_s, n_series}, &f->arena, &plan, &f->err))
		fail_msg("%s", f->err.text);
	return plan;
}

#define DAY 86400.0

static const struct {
	double range_s, step_s, interval_s;
	size_t n_series;
	bool raw;
	double want_step_s, want_fine_s;
	size_t want_points;
} plans[] = {
	{120, NAN, 1, 1, true, 1, 1, 120},
	{120, NAN, 15, 1, true, 15, 15, 8},
	{3600, NAN, 1, 1, true, 1, 1, 3600},
	{DAY, NAN, 15, 1, true, 15, 15, 5760},
	/* a week of 15 s: 40,320 scrapes; 5 min are 2,016 steps */
	{7 * DAY, NAN, 15, 1, false, 300, 30, 2016},
	/* 100 disks of a day: 5,760 x 100 x 11 values are too many */
	{DAY, NAN, 15, 100, false, 60, 30, 1440},
	{DAY, NAN, 15, 1000, false, 300, 30, 288},
	/* as asked */
	{DAY, 60, 15, 1, false, 60, 30, 1440},
	{DAY, 15, 15, 1, true, 15, 15, 5760},
	/* a month of seconds: the store works through 100,000 rates at most */
	{30 * DAY, NAN, 1, 1, false, 1800, 30, 1440},
	{365 * DAY, NAN, 60, 1, false, 21600, 600, 1460},
};

static void
test_plans(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		struct fixture f;
		fixture_open(&f);
		struct promql_plan p = plan_for(&f, plans[i].range_s, plans[i].step_s,
			plans[i].interval_s, plans[i].n_series);
		if (p.raw != plans[i].raw || p.step_s != plans[i].want_step_s ||
			p.fine_s != plans[i].want_fine_s || p.n_points != plans[i].want_points)
			fail_msg("%zu: raw %d, step %g, fine %g, %zu points", i, p.raw, p.step_s,
				p.fine_s, p.n_points);
		assert_true(p.n_points <= PROMQL_POINTS_MAX);
		for (size_t k = 0; k < p.n; k++) {
			const struct promql_query *q = &p.items[k];
			assert_true(!q->range ||
				    (q->end_s - q->start_s) / q->step_s + 1 <= PROMQL_POINTS_MAX);
		}
		fixture_close(&f);
	}
}

static void
test_refused(void **state)
{
	(void)state;
	struct fixture f;
	struct promql_plan plan;
	struct promql_ask ask = {NULL, NULL, 1e9, 7 * DAY, 30};
	fixture_open(&f);
	assert_int_equal(promql_check(&ask, &f.err), ERR_RANGE);
	assert_says(f.err.text, "20160 points");
	assert_says(f.err.text, "a step of 55 s or more"); /* 604800 / 11000 = 54.98 */
	ask.step_s = 8 * DAY;
	assert_int_equal(promql_check(&ask, &f.err), ERR_RANGE);
	ask.step_s = 70;
	assert_int_equal(promql_plan(&ask, &(struct promql_scrape){60, 1}, &f.arena, &plan, &f.err),
		ERR_RANGE);
	assert_says(f.err.text, "two scrapes, which are 60 s apart here: 120 s or more");
	fixture_close(&f);
}

static void
test_queries(void **state)
{
	(void)state;
	struct fixture f;
	struct buf url;
	struct promql_ask ask = {"sd\"[a-z]", "db-1", 1000, 1.5, NAN};
	fixture_open(&f);
	struct promql_query probe = promql_probe(&ask, &f.arena);
	assert_string_equal(probe.expr, "node_disk_reads_completed_total{device=~\"sd\\\"[a-z]\","
					"instance=~\"(db-1)(:[0-9]+)?\"}[1500ms]");
	struct promql_plan p = plan_for(&f, 7 * DAY, NAN, 15, 1);
	assert_string_equal(p.items[0].expr, "label_replace(label_replace(rate(node_disk_reads_"
					     "completed_total{device=~\"vda\"}[300s]),"
					     "\"tierwise_figure\",\"reads\",\"\",\"\"),\"tierwise_"
					     "window_s\",\"300\",\"\",\"\")");
	const struct promql_query *last = &p.items[p.n - 1];
	assert_says(last->expr,
		"max_over_time((rate(node_disk_read_bytes_total{device=~\"vda\"}[30s])+"
		"rate(node_disk_written_bytes_total{device=~\"vda\"}[30s]))[604800s:30s])");
	assert_says(last->expr, "\"tierwise_stat\",\"max\"");
	buf_init(&url, 0);
	promql_url("http://h:9090/prefix/",
		&(struct promql_query){.expr = "a{b=\"c\"}",
			.range = true,
			.start_s = 10,
			.end_s = 70.5,
			.step_s = 60},
		&url);
	assert_string_equal(buf_text(&url),
		"http://h:9090/prefix/api/v1/"
		"query_range?query=a%7Bb%3D%22c%22%7D&start=10.000&end=70.500&step=60");
	buf_fini(&url);
	fixture_close(&f);
}

static void
test_probe(void **state)
{
	(void)state;
	static const char text[] = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\","
				   "\"result\":[{\"metric\":{},\"values\":"
				   "[[10.013,\"1\"],[25.011,\"1\"],[40.02,\"1\"]]},{\"metric\":{},"
				   "\"values\":[[10,\"1\"],[70,\"1\"]]}]}}";
	struct fixture f;
	struct promql_scrape scrape;
	fixture_open(&f);
	assert_int_equal(promql_probe_read("t", text, strlen(text), &scrape, &f.err), 0);
	assert_close(scrape.interval_s, 15, 1e-12);
	assert_int_equal(scrape.n_series, 2);
	fixture_close(&f);
}

#define MARK(figure, window, stat)                                                                 \
	"{\"metric\":{\"device\":\"vda\",\"instance\":\"a\",\"tierwise_figure\":\"" figure         \
	"\",\"tierwise_window_s\":\"" window "\"" stat "},"
#define ANSWER(type, item)                                                                         \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"" type "\",\"result\":[" item "]}}"

/* Means over steps, and percentiles of finer rates, of one device. */
static void
test_levels(void **state)
{
	(void)state;
	struct fixture f;
	struct series_stats stats;
	fixture_open(&f);
	assert_int_equal(
		fixture_text(&f, "t",
			ANSWER("vector",
				MARK("iops", "30",
					",\"tierwise_stat\":\"max\"") "\"value\":[900,\"700\"]}")),
		0);
	assert_int_equal(
		fixture_text(&f, "t",
			ANSWER("vector",
				MARK("iops", "30",
					",\"tierwise_stat\":\"p95\"") "\"value\":[900,\"500\"]}")),
		0);
	assert_int_equal(
		fixture_text(&f, "t",
			ANSWER("matrix", MARK("reads", "300", "") "\"values\":[[300,\"100\"],[600,"
								  "\"200\"],[900,\"300\"]]}")),
		0);
	fixture_whole(&f, "t",
		ANSWER("matrix",
			MARK("read_seconds", "300",
				"") "\"values\":[[300,\"0.1\"],[600,\"0.2\"],[900,\"0.6\"]]}"));
	assert_int_equal(f.e.n_series, 1);
	const struct evidence_series *s = &f.e.series[0];
	assert_int_equal(s->n_samples, 3);
	assert_close(s->samples[2].read_us, 2000, 1e-9);
	assert_close(s->resolution_s, 300, 1e-12);
	assert_int_equal(series_stats(s, &f.arena, &stats, &f.err), 0);
	assert_close(stats.iops.mean, 200, 1e-12);
	assert_close(stats.iops.max, 700, 1e-12);
	assert_close(stats.iops.p95, 500, 1e-12);
	assert_true(isnan(stats.iops.p99)); /* not answered */
	assert_close(stats.resolution_s, 30, 1e-12);
	assert_close(stats.read_iops.max, 300, 1e-12);
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_levels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
