/*
 * Answers of Prometheus and exporters' texts.  The figures of the fixtures are those of their EXPECTED.md,
 * worked out there from the raw counters without this program.
 */
#include "evidence_test.h"

#include "workload/histogram_verdict.h"

#define HEAD "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
#define READS "{\"metric\":{\"__name__\":\"node_disk_reads_completed_total\",\"device\":\"sda\","
#define TAIL "]}}"

/* Highest mean of `n` neighbours, weighted by their lengths; groups side by side, from the first on. */
static double
peak_over(const struct evidence_series *s, size_t n)
{
	double peak = 0;
	for (size_t i = 0; i + n <= s->n_samples; i += n) {
		double ops = 0, seconds = 0;
		for (size_t k = i; k < i + n; k++) {
			ops += s->samples[k].write_iops * s->samples[k].dt_s;
			seconds += s->samples[k].dt_s;
		}
		peak = fmax(peak, ops / seconds);
	}
	return peak;
}

static double
busy_of(const struct evidence_sample *s)
{
	return s->active_frac;
}

static double
queue_of(const struct evidence_sample *s)
{
	return s->queue;
}

static void
test_raw_counters(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "prometheus/prom-2.42-range-raw-counters-5s.json");
	assert_int_equal(f.e.n_series, 1);
	const struct evidence_series *s = &f.e.series[0];
	assert_string_equal(s->device, "vda");
	assert_string_equal(s->host, "db-1:9100");
	assert_int_equal(s->scope, EVIDENCE_DISK);
	assert_int_equal(s->n_samples, 31);
	assert_close(s->resolution_s, 5, 1e-9);
	assert_close(figure(s, writes_of, 0), 19660.2, 1e-5);
	assert_close(figure(s, writes_of, 0.50), 13404.2, 1e-5);
	assert_close(figure(s, writes_of, 0.95), 66082.2, 1e-5);
	assert_close(figure(s, writes_of, 1), 85201.4, 1e-5);
	assert_close(figure(s, busy_of, 0), 0.6923, 1e-4);
	assert_close(figure(s, queue_of, 0), 18.109, 1e-4);
	double us = 0, ops = 0, bytes = 0;
	for (size_t i = 0; i < s->n_samples; i++) {
		ops += s->samples[i].write_iops;
		bytes += s->samples[i].write_bytes_s;
		if (s->samples[i].write_iops > 0)
			us += s->samples[i].write_iops * s->samples[i].write_us;
	}
	assert_close(us / ops / 1000, 0.3294, 2e-4);
	assert_close(bytes / ops / 1024, 5.356, 1e-4);
	/* the same run, the averaging window longer */
	assert_close(peak_over(s, 1), 85201, 1e-5);
	assert_close(peak_over(s, 3), 53178, 1e-5);
	assert_close(peak_over(s, 6), 33996, 2e-5);
	assert_close(peak_over(s, 12), 18380, 2e-5);
	fixture_close(&f);
}

/* rate() over a window: its own resolution, and no name without its query. */
static void
test_rates(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(fixture_file(&f, "prometheus/prom-2.42-range-rate15s-writes.json"),
		ERR_UNSUPPORTED);
	assert_says(f.err.text, "--query");
	f.options.query = "rate(node_disk_writes_completed_total{device=\"vda\"}[15s])";
	assert_int_equal(fixture_file(&f, "prometheus/prom-2.42-range-rate15s-writes.json"), 0);
	f.options.query = "rate(node_disk_reads_completed_total[15s])";
	assert_int_equal(fixture_file(&f, "prometheus/prom-2.42-range-rate15s-reads.json"), 0);
	f.options.query = "rate(node_disk_writes_completed_total[1m])";
	fixture_whole_file(&f, "prometheus/prom-2.42-range-rate1m-writes.json");
	assert_int_equal(f.e.n_series, 2);
	assert_close(f.e.series[0].resolution_s, 15, 1e-9);
	assert_close(f.e.series[1].resolution_s, 60, 1e-9);
	/* both files of 15 s are one series; first values as printed in them */
	assert_close(f.e.series[0].samples[0].read_iops, 12408.88177635527, 1e-12);
	assert_close(f.e.series[0].samples[0].write_iops, 35.807161432286456, 1e-12);
	/* the highest in the file: rate() sees two of the three steps of its window and extends them */
	assert_close(figure(&f.e.series[0], writes_of, 1), 75664.4993, 1e-8);
	assert_finding(&f.e.findings, "rate-window", "a mean over 15 s, taken every 5 s");
	assert_finding(&f.e.findings, "rate-window", "overlap");
	fixture_close(&f);
}

static void
test_latency_expression(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	f.options.query = "rate(node_disk_write_time_seconds_total[15s]) / "
			  "rate(node_disk_writes_completed_total[15s])";
	fixture_whole_file(&f, "prometheus/prom-2.42-range-write-latency.json");
	assert_close(f.e.series[0].samples[0].write_us, 256.9832402237381, 1e-12);
	fixture_close(&f);
}

static const struct {
	const char *file, *says;
	int code;
} faults[] = {
	{"prometheus/prom-2.42-error-parse.json", "is no PromQL", ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-error-parse.json", "1:40: parse error: unclosed left parenthesis",
		ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-error-toomany.json", "shorter range or with a larger step",
		ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-empty.json", "no series: nothing matches", ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-range-etcd-fsync-p99.json", "cannot be put together",
		ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-range-etcd-fsync-p99.json", "0.0294044", ERR_UNSUPPORTED},
	{"prometheus/prom-2.42-range-io_now.json", "node_disk_io_now", ERR_UNSUPPORTED},
};

static void
test_faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct fixture f;
		fixture_open(&f);
		assert_int_equal(fixture_file(&f, faults[i].file), faults[i].code);
		assert_says(f.err.text, faults[i].says);
		assert_says(f.err.text, faults[i].file);
		assert_int_equal(f.e.n_tracks, 0);
		fixture_close(&f);
	}
}

static const struct {
	const char *text, *says;
	int code;
} bad[] = {
	{"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{",
		"t:1:", ERR_PARSE},
	{"{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"2\"]}}",
		"\"scalar\": accepted: matrix, vector", ERR_UNSUPPORTED},
	{HEAD READS "\"instance\":\"a\"},\"values\":[[\"x\",\"1\"]]}" TAIL, "a point is",
		ERR_PARSE},
	{HEAD READS "\"instance\":\"a\"},\"values\":[[1,\"1s\"]]}" TAIL, "a point is", ERR_PARSE},
	{HEAD "{\"metric\":{\"le\":\"x\"},\"values\":[[1,\"1\"]]}" TAIL, "no edge", ERR_PARSE},
	{HEAD "{\"values\":[]}" TAIL, "\"metric\" with its labels", ERR_PARSE},
	{HEAD "{\"metric\":{},\"values\":[[1,\"NaN\"]]}" TAIL, "every value is NaN",
		ERR_UNSUPPORTED},
	{"{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query processing would "
	 "load too many "
	 "samples into memory in query execution\"}",
		"one device or one instance at a time", ERR_UNSUPPORTED},
	{"{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}",
		"gave up for time", ERR_UNSUPPORTED},
};

static void
test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fixture f;
		fixture_open(&f);
		assert_int_equal(fixture_text(&f, "t", bad[i].text), bad[i].code);
		assert_says(f.err.text, bad[i].says);
		fixture_close(&f);
	}
}

/* A counter that falls, a scrape that is missing, a value that is none, two machines with the same disk. */
static void
test_resets_gaps_labels(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		HEAD READS "\"instance\":\"a\"},\"values\":[[100,\"10\"],[110,\"110\"],[120,\"30\"]"
			   ",[130,\"130\"],"
			   "[160,\"430\"],[170,\"NaN\"],[180,\"630\"]]}," READS
			   "\"instance\":\"b\"},\"values\":[[100,\"0\"],[110,\"50\"]]}," READS
			   "\"instance\":\"a\",\"device\":\"sda1\"},\"values\":[[100,\"0\"],[110,"
			   "\"50\"]]}" TAIL);
	assert_int_equal(f.e.n_series, 2);
	const struct evidence_series *a = &f.e.series[0];
	assert_string_equal(a->host, "a");
	assert_string_equal(f.e.series[1].host, "b");
	/* 110: 10 a second; 120 fell: out; 130: 10; 160: 10 over 30 s; 180: 10 over 20 s */
	assert_int_equal(a->n_samples, 4);
	for (size_t i = 0; i < 4; i++)
		assert_close(a->samples[i].read_iops, 10, 1e-12);
	assert_close(a->samples[2].dt_s, 30, 1e-12);
	assert_true(isnan(a->samples[0].write_iops));
	assert_true(isnan(a->samples[0].read_us));
	assert_finding(&f.e.findings, "counter-reset", "1 intervals");
	assert_finding(&f.e.findings, "scrape-gap", "2 intervals are longer");
	assert_finding(&f.e.findings, "not-a-number", "1 values");
	fixture_close(&f);
}

/* The same disk watched by two jobs is one disk. */
static void
test_twice(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		HEAD READS
		"\"instance\":\"a\",\"job\":\"x\"},\"values\":[[0,\"0\"],[10,\"100\"]]}," READS
		"\"instance\":\"a\",\"job\":\"y\"},\"values\":[[5,\"50\"],[15,\"150\"]]}" TAIL);
	assert_int_equal(f.e.n_series, 1);
	assert_int_equal(f.e.series[0].n_samples, 1);
	assert_close(f.e.series[0].samples[0].dt_s, 10, 1e-12);
	assert_finding(&f.e.findings, "seen-twice", "1 series are of a disk");
	fixture_close(&f);
}

/* One look is no rate; two at different times are. */
static void
test_vectors(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "prometheus/prom-2.42-instant-vector.json");
	assert_int_equal(f.e.n_series, 0);
	assert_finding(&f.e.findings, "one-look", "at one moment only");
	assert_int_equal(
		fixture_text(&f, "t",
			"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
			"{\"metric\":{\"__name__\":\"node_disk_reads_completed_total\",\"device\":"
			"\"vda\",\"instance\":"
			"\"db-1:9100\",\"job\":\"node\"},\"value\":[1796069004,\"8314312\"]}]}}"),
		0);
	assert_int_equal(evidence_finish(&f.e, &f.err), 0);
	assert_int_equal(f.e.n_series, 1);
	assert_close(f.e.series[0].samples[0].read_iops, 10, 1e-12);
	fixture_close(&f);
}

/* Old names: sectors and milliseconds. */
static void
test_old_names(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		HEAD "{\"metric\":{\"__name__\":\"node_disk_sectors_read\",\"device\":\"sda\"},"
		     "\"values\":[[0,\"0\"],[10,\"160\"]]},"
		     "{\"metric\":{\"__name__\":\"node_disk_reads_completed\",\"device\":\"sda\"},"
		     "\"values\":[[0,\"0\"],[10,\"10\"]]},"
		     "{\"metric\":{\"__name__\":\"node_disk_read_time_ms\",\"device\":\"sda\"},"
		     "\"values\":[[0,\"0\"],[10,\"25\"]]}" TAIL);
	const struct evidence_sample *s = &f.e.series[0].samples[0];
	assert_close(s->read_bytes_s, 8192, 1e-12);
	assert_close(s->read_iops, 1, 1e-12);
	assert_close(s->read_us, 2500, 1e-12);
	fixture_close(&f);
}

static const struct evidence_histogram *
histogram(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->e.n_histograms; i++) {
		if (strcmp(f->e.histograms[i].name, name) == 0)
			return &f->e.histograms[i];
	}
	fail_msg("no histogram %s", name);
	return NULL;
}

static void
test_etcd_text(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "prometheus/etcd-3.4.23-disk-metrics.prom");
	const struct evidence_histogram *h = histogram(&f, "etcd_disk_wal_fsync_duration_seconds");
	assert_int_equal((int)histogram_count(h), 2506);
	assert_close(histogram_mean_us(h), 1647, 1e-3);
	assert_close(histogram_at(h, 0.50).us, 750, 0.01);
	assert_close(histogram_at(h, 0.90).us, 3760, 0.002);
	assert_close(histogram_at(h, 0.99).us, 15140, 0.001);
	assert_close(histogram_at(h, 0.999).us, 54400, 0.001);
	/* mean and median look fine, the tail misses 10 ms */
	struct histogram_verdict v;
	histogram_judge(h, 0.99, 10000, &v);
	assert_true(v.fails && !v.fails_surely && !v.fails_always);
	fixture_close(&f);
}

/* The buckets over time: the whole, and its worst minute. */
static void
test_etcd_range(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "prometheus/prom-2.42-range-etcd-fsync-buckets.json");
	assert_int_equal(f.e.n_histograms, 1);
	const struct evidence_histogram *h = &f.e.histograms[0];
	assert_int_equal(h->n_windows, 2);
	assert_close(h->seconds, 120, 1e-12);
	assert_int_equal((int)histogram_count(h), 2500); /* 2506 - 6 */
	struct histogram_verdict v;
	histogram_judge(h, 0.99, 10000, &v);
	/* the second minute: 745 fsyncs; the server's own histogram_quantile at its end said 29.4 ms */
	assert_close(v.worst.us, 29404.4, 0.1);
	assert_close(v.worst_dt_s, 60, 1e-12);
	fixture_close(&f);
}

static const char consensus[] = "# TYPE etcd_disk_wal_fsync_duration_seconds histogram\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.008\"} 0\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.016\"} 132\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.032\"} 47595\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.064\"} 56418\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.128\"} 57029\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"0.256\"} 57033\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"4.096\"} 57033\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"8.192\"} 57035\n"
				"etcd_disk_wal_fsync_duration_seconds_bucket{le=\"+Inf\"} 57035\n";

/* A consensus store on a disk too slow: by hand, linear inside 16-32, 32-64 and 64-128 ms. */
static void
test_consensus_store(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t", consensus);
	const struct evidence_histogram *h = histogram(&f, "etcd_disk_wal_fsync_duration_seconds");
	assert_close(histogram_at(h, 0.50).us, 25600, 0.002);
	assert_close(histogram_at(h, 0.95).us, 55900, 0.002);
	assert_close(histogram_at(h, 0.99).us, 68900, 0.002);
	assert_true(isnan(histogram_mean_us(h)));
	struct histogram_verdict v;
	histogram_judge(h, 0.99, 10000, &v);
	assert_close(v.ratio, 6.9, 0.005);
	assert_true(v.fails && v.fails_surely && v.fails_always);
	assert_close(v.fastest_us, 8000, 1e-12);
	assert_close(v.slowest.low_us, 4096000, 1e-12);
	assert_close(v.slowest.high_us, 8192000, 1e-12);
	assert_close(v.n_slowest, 2, 1e-12);
	assert_close(v.within_most, 132.0 / 57035, 1e-12);
	assert_close(v.within_least, 0, 0);
	histogram_say(h, 0.99, 10000, &f.e.findings);
	assert_finding(&f.e.findings, "commit-class", "fails by 6.9 times");
	assert_finding(&f.e.findings, "commit-class", "the class of disk, not a burst");
	assert_says(findings_find(&f.e.findings, "commit-class")->todo,
		"more IOPS on this class do not lower it");
	assert_finding(
		&f.e.findings, "commit-slowest", "the slowest 2 took between 4.1 s and 8.19 s");
	/* 68.9 ms is in the bucket from 64 to 128 ms, and so is 70 ms */
	histogram_say(h, 0.99, 70000, &f.e.findings);
	assert_finding(&f.e.findings, "commit-within", "within, though the bucket reaches 128 ms");
	fixture_close(&f);
}

static void
test_histogram_ends(void **state)
{
	(void)state;
	double edge[] = {1000, 2000, INFINITY}, count[] = {10, 90, 100}, none[] = {0, 0, 0};
	struct evidence_histogram h = {
		.name = "h", .edge_us = edge, .count = count, .n = 3, .sum_us = NAN};
	assert_close(histogram_at(&h, 0.10).us, 1000, 1e-12);
	assert_close(histogram_at(&h, 0.05).us, 500, 1e-12);
	assert_close(histogram_at(&h, 0.95).us, 2000, 1e-12); /* at least the last edge */
	assert_true(isinf(histogram_at(&h, 0.95).high_us));
	struct histogram_verdict v;
	histogram_judge(&h, 0.95, 1500, &v);
	assert_true(v.fails_surely && !v.fails_always);
	h.count = none;
	assert_true(isnan(histogram_at(&h, 0.5).us));
}

/* Two scrapes of an exporter that tells its clock. */
static void
test_exposition(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(fixture_text(&f, "a",
				 "# HELP node_disk_reads_completed_total x\n"
				 "node_disk_reads_completed_total{device=\"sd\\\"a\"} "
				 "1e3\nnode_time_seconds 100\nbad line here\n"
				 "node_disk_io_now{device=\"sda\"} 3\n"),
		0);
	fixture_whole(&f, "b",
		"node_disk_reads_completed_total{device=\"sd\\\"a\"} 2e3\r\nnode_time_seconds "
		"110\n");
	assert_int_equal(f.e.n_series, 1);
	assert_string_equal(f.e.series[0].device, "sd\"a");
	assert_close(f.e.series[0].samples[0].read_iops, 100, 1e-12);
	fixture_close(&f);
}

static void
test_exposition_once(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "prometheus/node_exporter-1.5.0-diskstats.prom");
	assert_int_equal(f.e.n_series, 0);
	/* 8877417 reads, 8569493 writes; 48721134592 and 59804020736 bytes */
	assert_finding(&f.e.findings, "one-look",
		"reads are 50.9 % of operations, mean read 5.36 KiB, mean write 6.82 KiB");
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw_counters),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_latency_expression),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_resets_gaps_labels),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_old_names),
		cmocka_unit_test(test_etcd_text),
		cmocka_unit_test(test_etcd_range),
		cmocka_unit_test(test_consensus_store),
		cmocka_unit_test(test_histogram_ends),
		cmocka_unit_test(test_exposition),
		cmocka_unit_test(test_exposition_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
