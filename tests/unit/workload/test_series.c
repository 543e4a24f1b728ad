/* Statistics of series: nearest ranks, weights, windows, gaps; figures worked out in the comments. */
#include "evidence_test.h"
#include "workload/series.h"

/* A series of rates, a second each unless dt says otherwise. */
static void
fill(struct fixture *f, struct evidence_series **s, const double *iops, const double *dt, size_t n)
{
	double at = 1000;
	*s = evidence_add_series(&f->e);
	(*s)->device = "d";
	for (size_t i = 0; i < n; i++) {
		struct evidence_sample *x = evidence_add_sample(&f->e, *s);
		x->dt_s = dt ? dt[i] : 1;
		at += x->dt_s;
		x->end_s = at;
		x->read_iops = iops[i];
		x->write_iops = 0;
	}
	(*s)->resolution_s = series_step_s(*s, &f->arena);
}

static struct series_stats
stats_of(struct fixture *f, const struct evidence_series *s)
{
	struct series_stats out;
	assert_int_equal(series_stats(s, &f->arena, &out, &f->err), 0);
	return out;
}

static void
close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
		fail_msg("%.12g, expected %.12g", got, want);
}

/* Element ceil(p n) of 1..n. */
static void
test_rank(void **state)
{
	(void)state;
	static const struct {
		size_t n;
		double p, want;
	} rows[] = {{40, 0.95, 38}, {39, 0.95, 38}, {39, 0.5, 20}, {1, 0.99, 1}, {100, 0.99, 99},
		{101, 0.99, 100}, {20, 0.95, 19}, {4, 0, 1}, {4, 1, 4}};
	double v[128];
	for (size_t i = 0; i < 128; i++)
		v[i] = (double)(i + 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		close_to(series_rank(v, rows[i].n, rows[i].p), rows[i].want);
	assert_true(isnan(series_rank(v, 0, 0.5)));
}

static void
test_equal_intervals(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	double v[40];
	for (int i = 0; i < 40; i++)
		v[i] = (i * 7) % 40 + 1; /* 1..40 in another order */
	fixture_open(&f);
	fill(&f, &s, v, NULL, 40);
	struct series_stats st = stats_of(&f, s);
	close_to(st.iops.mean, 20.5);
	close_to(st.iops.p50, 20);
	close_to(st.iops.p95, 38);
	close_to(st.iops.p99, 40);
	close_to(st.iops.max, 40);
	close_to(st.resolution_s, 1);
	close_to(st.span_s, 40);
	close_to(st.covered_frac, 1);
	fixture_close(&f);
}

/* 10 for 90 s and 100 for 10 s: the mean is 19 and the p50 10, whatever the number of samples. */
static void
test_unequal_intervals(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	static const double v[] = {10, 100, 100, 100, 100, 100}, dt[] = {90, 2, 2, 2, 2, 2};
	fixture_open(&f);
	fill(&f, &s, v, dt, 6);
	struct series_stats st = stats_of(&f, s);
	close_to(st.iops.mean, 19);
	close_to(st.iops.p50, 10);
	close_to(st.iops.p95, 100);
	fixture_close(&f);
}

/* 1 read at 10 ms in one second, 99 at 1 ms in the next: 1.09 ms an operation, not 5.5. */
static void
test_latency_weighs_operations(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	static const double v[] = {1, 99};
	fixture_open(&f);
	fill(&f, &s, v, NULL, 2);
	s->samples[0].read_us = 10000;
	s->samples[1].read_us = 1000;
	s->samples[0].read_bytes_s = 65536;
	s->samples[1].read_bytes_s = 99 * 4096;
	struct series_stats st = stats_of(&f, s);
	close_to(st.read_us, 1090);
	close_to(st.read_b, (65536 + 99 * 4096) / 100.0);
	assert_true(isnan(st.write_us)); /* nothing was written: no latency, and not 0 */
	fixture_close(&f);
}

/* The highest mean over five seconds is that of 2 to 6; a gap is not bridged, a window longer than the run is unknown. */
static void
test_windows(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	static const double v[] = {0, 10, 20, 30, 20, 10, 0, 0, 0, 0};
	fixture_open(&f);
	fill(&f, &s, v, NULL, 10);
	struct series_stats st = stats_of(&f, s);
	close_to(st.window_iops[0], 30);
	close_to(st.window_iops[1], 18);
	assert_true(isnan(st.window_iops[2]));
	for (int i = 3; i < 10; i++)
		s->samples[i].end_s +=
			100; /* after 0 10 20 nothing for long; then 30 20 10 0 0 0 0 */
	st = stats_of(&f, s);
	close_to(st.window_iops[1], 12);
	assert_int_equal(st.gaps, 1);
	assert_true(st.covered_frac < 0.1);
	fixture_close(&f);
}

/* Means of a minute cannot show a second: those windows are unknown. */
static void
test_resolution_limits_windows(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	static const double v[] = {5, 7, 6, 4, 3, 2}, dt[] = {60, 60, 60, 60, 60, 60};
	fixture_open(&f);
	fill(&f, &s, v, dt, 6);
	struct series_stats st = stats_of(&f, s);
	assert_true(isnan(st.window_iops[0]));
	assert_true(isnan(st.window_iops[1]));
	close_to(st.window_iops[2], 7);
	close_to(st.window_iops[3], 5); /* 5 7 6 4 3 */
	fixture_close(&f);
}

static void
test_unknown_is_not_zero(void **state)
{
	(void)state;
	struct fixture f;
	struct evidence_series *s;
	static const double v[] = {4, NAN, 8};
	fixture_open(&f);
	fill(&f, &s, v, NULL, 3);
	struct series_stats st = stats_of(&f, s);
	assert_int_equal(st.iops.n, 3); /* writes alone are known in the second */
	s->samples[1].write_iops = NAN;
	st = stats_of(&f, s);
	assert_int_equal(st.iops.n, 2);
	close_to(st.iops.mean, 6);
	assert_int_equal(st.bytes_s.n, 0);
	assert_true(isnan(st.bytes_s.mean));
	fixture_close(&f);
}

static void
test_resolution_text(void **state)
{
	(void)state;
	static const struct {
		double s;
		const char *want;
	} rows[] = {{1, "1 s"}, {1.005, "1 s"}, {60, "60 s"}, {300, "5 min"}, {3600, "1 h"},
		{0.25, "0.25 s"}, {NAN, "an interval of unknown length"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[40];
		series_resolution_text(rows[i].s, text);
		assert_string_equal(text, rows[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_equal_intervals),
		cmocka_unit_test(test_unequal_intervals),
		cmocka_unit_test(test_latency_weighs_operations),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_resolution_limits_windows),
		cmocka_unit_test(test_unknown_is_not_zero),
		cmocka_unit_test(test_resolution_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
