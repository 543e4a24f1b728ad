/*
 * Azure Monitor, CloudWatch and single-metric CSV.  Figures of the fixtures are those of their EXPECTED.md or, where a
 * comment says so, worked out by hand from the file.
 */
#include "evidence_test.h"

#include "workload/consumed.h"
#include "workload/iso_time.h"
#include "workload/series.h"

#define MICROBURST "synthetic/cloudwatch-get-metric-data-microburst.json"
#define PER_LUN "synthetic/azure-monitor-vm-per-lun.json"
#define NAB "public/nab-ec2_disk_write_bytes_1ef3de.csv"

static const struct {
	const char *text;
	double seconds;
} times[] =
	{
		{"1970-01-02T00:00:00Z", 86400},
		{"2026-03-02T10:01:00+00:00", 1772445660}, /* date -u -d ... +%s */
		{"2026-03-02T10:01:00.250Z", 1772445660.25},
		{"2026-03-02 10:01:00", 1772445660},
		{"2026-03-02T11:31:00+01:30", 1772445660},
		{"2026-03-02T10:01Z", 1772445660},
		{"2026-03-02", NAN},
		{"2026-13-02T10:01:00Z", NAN},
		{"2026-03-02T10:61:00Z", NAN},
		{"2026-03-02T10:01:00X", NAN},
		{"", NAN},
},
  durations[] = {
	  {"PT1M", 60},
	  {"PT5M", 300},
	  {"PT1H30M", 5400},
	  {"P1D", 86400},
	  {"P1DT1S", 86401},
	  {"1M", NAN},
	  {"P1M", NAN},
	  {"PT", NAN},
	  {"P", NAN},
	  {"PT1", NAN},
	  {"PT1MX", NAN},
};

static void
test_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		double got = iso_time_s(times[i].text);
		if (isnan(got) != isnan(times[i].seconds) || fabs(got - times[i].seconds) > 1e-6)
			fail_msg("%s: %.3f", times[i].text, got);
	}
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		double got = iso_duration_s(durations[i].text);
		if (isnan(got) != isnan(durations[i].seconds) ||
			fabs(got - durations[i].seconds) > 1e-6)
			fail_msg("%s: %.3f", durations[i].text, got);
	}
}

/* 5,000 operations in a minute that was idle for 55 s: 83.3 a second over it, 1,000 while active. */
static void
test_microburst(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, MICROBURST);
	assert_int_equal(f.e.n_series, 1);
	const struct evidence_series *s = &f.e.series[0];
	assert_int_equal(s->n_samples, 3);
	assert_close(s->resolution_s, 60, 1e-12);
	/* newest first in the file; the middle minute begins 10:01 */
	const struct evidence_sample *m = &s->samples[1];
	assert_close(m->end_s, 1772445660 + 60, 1e-15);
	assert_close(m->read_iops + m->write_iops, 83.3333, 1e-5);
	assert_close((m->read_iops + m->write_iops) / m->active_frac, 1000, 1e-9);
	assert_close(m->read_us, 18000, 1e-9); /* 36 s for 2000 reads */
	assert_close(m->read_bytes_s, 32768000.0 / 60, 1e-12);
	assert_close(m->queue, 1.4, 1e-12);
	assert_true(isnan(s->samples[0].exceeded));
	assert_false(isnan(s->samples[0].queue) == isnan(s->samples[1].queue)); /* a point short */
	struct series_stats stats;
	assert_int_equal(series_stats(s, &f.arena, &stats, &f.err), 0);
	assert_close(stats.active_iops, 1000, 1e-9);
	assert_finding(
		&f.e.findings, "partial-data", "VolumeQueueLength: CloudWatch says PartialData");
	assert_finding(&f.e.findings, "period-sum", "sums of 60 s");
	fixture_close(&f);
}

/* In no order; a maximum is no mean. */
static void
test_statistics(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, "public/awscli-get-metric-statistics-1.json");
	assert_int_equal(f.e.n_cpus, 1);
	const struct evidence_cpu *c = &f.e.cpus[0];
	for (size_t i = 1; i < c->n; i++)
		assert_true(c->end_s[i] > c->end_s[i - 1]);
	/* the earliest in the file is 23:18, 46.88 %, then 00:18, 48.16 % */
	assert_close(c->busy_frac[0], 0.4688, 1e-12);
	assert_close(c->busy_frac[1], 0.4816, 1e-12);
	assert_finding(&f.e.findings, "maximum", "CPUUtilization");
	fixture_close(&f);
}

#define POINT(at, value) "{\"Timestamp\":\"2026-03-02T10:" at ":00Z\"," value "}"

static const struct {
	const char *text, *says;
	int code;
} bad_aws[] = {
	{"{\"Label\":\"VolumeReadOps\",\"Datapoints\":[" POINT("00", "\"Average\":1") "]}",
		"--statistics Sum", ERR_UNSUPPORTED},
	{"{\"Label\":\"VolumeReadOps\",\"Datapoints\":[" POINT("00", "\"Sum\":1") "]}",
		"--interval", ERR_UNSUPPORTED},
	{"{\"Label\":\"VolumeReadOps\",\"Datapoints\":[]}", "no result has points",
		ERR_UNSUPPORTED},
	{"{\"Label\":\"VolumeReadOps\",\"Datapoints\":[{\"Sum\":1}]}", "has a \"Timestamp\"",
		ERR_PARSE},
	{"{\"Label\":\"NetworkIn\",\"Datapoints\":[" POINT("00", "\"Sum\":1") "]}",
		"first label: NetworkIn", ERR_UNSUPPORTED},
	{"{\"MetricDataResults\":[]}", "no result", ERR_UNSUPPORTED},
	{"{\"MetricDataResults\":[{\"Label\":\"VolumeReadOps\",\"Timestamps\":[\"2026-03-02T10:00:"
	 "00Z\"],"
	 "\"Values\":[1,2]}]}",
		"1 time stamps and 2 values", ERR_PARSE},
	{"{\"MetricDataResults\":[", "t:1:", ERR_PARSE},
};

static void
test_bad_aws(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_aws) / sizeof(bad_aws[0]); i++) {
		struct fixture f;
		fixture_open(&f);
		assert_int_equal(fixture_text(&f, "t", bad_aws[i].text), bad_aws[i].code);
		assert_says(f.err.text, bad_aws[i].says);
		fixture_close(&f);
	}
}

#define RESULT(label, values)                                                                      \
	"{\"Id\":\"a\",\"Label\":\"" label                                                         \
	"\",\"Timestamps\":[\"2026-03-02T10:05:00Z\",\"2026-03-02T10:00:00Z\"],"                   \
	"\"Values\":[" values "],\"StatusCode\":\"Complete\"}"

/* Volumes by label, a machine beside them, direct evidence of caps, a page of several. */
static void
test_volumes(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"{\"MetricDataResults\":[" RESULT("vol-1 VolumeReadOps", "600,300") "," RESULT(
			"vol-2 VolumeReadOps", "30,60") "," RESULT("vol-1 VolumeIOPSExceededCheck",
			"0,1") "," RESULT("vol-1 BurstBalance", "0,40") "," RESULT("EBSReadOps",
			"900,900") "," RESULT("NetworkIn", "1,1") "],\"NextToken\":\"x\"}");
	assert_int_equal(f.e.n_series, 4);
	const struct evidence_series *machine = &f.e.series[0], *burst = machine, *one = machine;
	assert_int_equal(machine->scope, EVIDENCE_MACHINE);
	assert_close(machine->samples[0].read_iops, 3, 1e-12);
	for (size_t i = 0; i < f.e.n_series; i++) {
		const struct evidence_series *s = &f.e.series[i];
		if (s->device && strcmp(s->device, "vol-1") == 0)
			*(s->metric ? &burst : &one) = s;
	}
	assert_ptr_not_equal(burst, machine);
	assert_ptr_not_equal(one, machine);
	assert_close(one->samples[0].read_iops, 1, 1e-12); /* 300 in 300 s */
	assert_close(one->samples[0].exceeded, 1, 1e-12);
	assert_close(one->samples[1].exceeded, 0, 1e-12);
	assert_close(burst->samples[1].consumed_frac, 1, 1e-12); /* nothing left */
	assert_finding(&f.e.findings, "next-token", "one page of several");
	assert_finding(&f.e.findings, "metrics-left-out", "NetworkIn");
	assert_int_equal(consumed_say(&f.e, NULL, &f.e.findings, &f.err), 0);
	assert_finding(&f.e.findings, "consumed-credit",
		"vol-1, BurstBalance: the budget of bursts was used up");
	fixture_close(&f);
}

static double
written(const struct evidence_sample *s)
{
	return s->write_bytes_s / 1048576;
}

static void
test_csv(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, NAB);
	const struct evidence_series *s = &f.e.series[0];
	assert_int_equal(s->n_samples, 4730);
	assert_close(s->resolution_s, 300, 1e-12);
	double mean = figure(s, written, 0), max = figure(s, written, 1);
	assert_close(mean, 0.0209, 0.003);
	assert_close(figure(s, written, 0.99), 0.5634, 1e-4);
	assert_close(max, 1.7403, 1e-4);
	assert_close(max / mean, 83.2, 1e-3);
	size_t zeros = 0;
	for (size_t i = 0; i < s->n_samples; i++)
		zeros += s->samples[i].write_bytes_s == 0;
	assert_int_equal(zeros, 4249);
	assert_finding(&f.e.findings, "metric-by-name", "DiskWriteBytes");
	/* twelve lines say 2014-03-09 03:00:00, after a gap of an hour */
	assert_finding(&f.e.findings, "clock-change", "11 lines repeat a time");
	fixture_close(&f);
}

static void
test_csv_told(void **state)
{
	(void)state;
	static const char text[] =
		"timestamp,value\r\n2014-03-01 17:39:00,600\r\nx,1\r\n2014-03-01 17:34:00,300\r\n";
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(fixture_text(&f, "x.csv", text), ERR_UNSUPPORTED);
	assert_says(f.err.text, "--metric");
	f.options.metric = "VolumeReadOps";
	fixture_whole(&f, "x.csv", text);
	assert_int_equal(f.e.n_series, 1);
	assert_close(f.e.series[0].samples[0].read_iops, 1, 1e-12);
	assert_close(f.e.series[0].samples[1].read_iops, 2, 1e-12);
	assert_finding(&f.e.findings, "lines-dropped", "x.csv:3: 1 lines");
	fixture_close(&f);
}

/*
 * 42 % on average and yet at the wall: uncached operations of the machine are all used, no disk is full, and a mean of
 * percentages hides two busy disks behind two idle ones.  Cached: (1 - 0.61) x 16,000 = 6,240 are free.
 */
static void
test_machine_wall(void **state)
{
	(void)state;
	static const struct consumed_cap known[] = {
		{"VM Cached IOPS", NULL, 16000}, {"VM Uncached IOPS", NULL, 12800}};
	struct fixture f;
	fixture_open(&f);
	fixture_whole_file(&f, PER_LUN);
	assert_int_equal(f.e.n_series, 6);
	for (size_t i = 0; i < f.e.n_series; i++) {
		assert_int_equal(f.e.series[i].n_samples, 2);
		assert_close(f.e.series[i].resolution_s, 60, 1e-12);
		assert_string_equal(f.e.series[i].host, "VM");
	}
	assert_finding(&f.e.findings, "empty-points", "2 points have no value");
	struct findings out;
	findings_init(&out, &f.arena);
	assert_int_equal(consumed_say(&f.e, &(struct consumed_caps){known, 2}, &out, &f.err), 0);
	assert_finding(
		&out, "consumed-machine", "VM: VM Uncached IOPS is the wall: 100 % of 12,800 IOPS");
	assert_finding(&out, "consumed-machine", "no single disk is full");
	assert_finding(&out, "consumed-machine", "data disk LUN 2, Data Disk IOPS: 85 %");
	assert_says(findings_find(&out, "consumed-machine")->todo, "larger disks do not help");
	assert_says(findings_find(&out, "consumed-machine")->todo,
		"6,240 IOPS of the cached budget are free");
	assert_finding(&out, "consumed-mean",
		"the mean of 4 disks, 42.5 %, hides 2 busy (up to 85 %) and 2 idle");
	assert_finding(&out, "consumed-cap", "in 2 of 2 intervals");
	fixture_close(&f);
}

#define SHARE(metric, a, b)                                                                        \
	"{\"name\":{\"value\":\"Data Disk " metric                                                 \
	" Consumed Percentage\"},\"timeseries\":[{\"metadatavalues\":[{"                           \
	"\"name\":{\"value\":\"LUN\"},\"value\":\"0\"}],\"data\":[{\"timeStamp\":\"2026-03-02T10:" \
	"00:00Z\","                                                                                \
	"\"average\":" a "},{\"timeStamp\":\"2026-03-02T10:01:00Z\",\"average\":" b "}]}]}"

/* Shares of a disk whose caps are known become rates: 50 % and 96 % of 5,000, 20 % of 200 MB/s. */
static void
test_shares_to_rates(void **state)
{
	(void)state;
	static const struct need_cap cap = {"data disk LUN 0", 5000, 200e6, NAN, NAN};
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"{\"interval\":\"PT1M\",\"value\":[" SHARE("IOPS", "50", "96") "," SHARE(
			"Bandwidth", "null", "20") "]}");
	assert_int_equal(consumed_rates(&f.e, NULL, 0, &f.err), 0);
	assert_int_equal(f.e.n_series, 2);
	assert_int_equal(consumed_rates(&f.e, &cap, 1, &f.err), 0);
	assert_int_equal(f.e.n_series, 3);
	const struct evidence_series *s = &f.e.series[2];
	assert_null(s->metric);
	assert_int_equal(s->n_samples, 2);
	assert_true(isnan(s->samples[0].any_iops) || isnan(s->samples[0].any_bytes_s));
	assert_close(s->samples[0].any_iops, 2500, 1e-12);
	assert_close(s->samples[1].any_iops, 4800, 1e-12);
	assert_close(s->samples[1].any_bytes_s, 40e6, 1e-12);
	assert_close(s->samples[1].consumed_frac, 0.96, 1e-12);
	/* a second time there are rates already */
	assert_int_equal(consumed_rates(&f.e, &cap, 1, &f.err), 0);
	assert_int_equal(f.e.n_series, 3);
	fixture_close(&f);
}

#define AZ(name, unit, data)                                                                       \
	"{\"id\":\"/subscriptions/S/resourceGroups/R/providers/Microsoft.Compute/disks/pg-wal/"    \
	"providers/"                                                                               \
	"Microsoft.Insights/metrics/m\",\"name\":{\"localizedValue\":\"" name                      \
	"\"},\"unit\":\"" unit "\",\"timeseries\":[{\"data\":[" data                               \
	"]}],\"errorCode\":\"Success\"}"
#define AT(minute, value) "{\"timeStamp\":\"2026-03-02T10:" minute ":00Z\"," value "}"

/* A dump of an SDK: an array, localized names only, no interval; figures of the disk itself. */
static void
test_azure_dump(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"[{\"namespace\":\"Microsoft.Compute/disks\",\"value\":[" AZ(
			"Composite Disk Read Operations/sec", "CountPerSecond",
			AT("00", "\"average\":120") "," AT(
				"05", "\"average\":80,\"maximum\":400")) "," AZ("Composite Disk "
										"Write Bytes/sec",
			"BytesPerSecond",
			AT("05", "\"total\":300,\"count\":3") "," AT("00", "\"maximum\":7")) "]}]");
	assert_int_equal(f.e.n_series, 1);
	const struct evidence_series *s = &f.e.series[0];
	assert_string_equal(s->device, "pg-wal");
	assert_null(s->host);
	assert_close(s->resolution_s, 300, 1e-12);
	assert_close(s->samples[1].end_s, 1772445600 + 600, 1e-15);
	assert_close(s->samples[0].read_iops, 120, 1e-12);
	assert_close(s->samples[1].write_bytes_s, 100, 1e-12);
	assert_finding(&f.e.findings, "maximum", "the maximum is taken");
	fixture_close(&f);
}

/* PowerShell's keys; totals over the interval; disks that are not split. */
static void
test_azure_shapes(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"{\"Interval\":\"PT1M\",\"Value\":[{\"Name\":{\"Value\":\"Disk Read "
		"Bytes\"},\"Timeseries\":[{\"Data\":[{"
		"\"TimeStamp\":\"2026-03-02T10:00:00+00:00\",\"Total\":6000}]}]},{\"name\":{"
		"\"value\":\"Data Disk Queue "
		"Depth\"},\"timeseries\":[{\"data\":[{\"time_stamp\":\"2026-03-02T10:00:00Z\","
		"\"average\":3}]}]},"
		"{\"name\":{\"value\":\"Percentage "
		"CPU\"},\"timeseries\":[{\"data\":[{\"timestamp\":"
		"\"2026-03-02T10:00:00Z\",\"average\":25}]}]},{\"name\":{\"value\":\"OS Disk "
		"Latency\"},\"errorCode\":"
		"\"InvalidDimension\",\"errorMessage\":\"no\",\"timeseries\":[]}]}");
	assert_int_equal(f.e.n_series, 2);
	assert_int_equal(f.e.n_cpus, 1);
	assert_close(f.e.cpus[0].busy_frac[0], 0.25, 1e-12);
	const struct evidence_series *all = &f.e.series[0], *data = &f.e.series[1];
	assert_int_equal(all->scope, EVIDENCE_MACHINE);
	assert_close(all->samples[0].read_bytes_s, 100, 1e-12);
	assert_int_equal(data->scope, EVIDENCE_STACKED);
	assert_close(data->samples[0].queue, 3, 1e-12);
	assert_finding(&f.e.findings, "mean-of-disks", "hides busy ones");
	assert_finding(&f.e.findings, "azure-error",
		"OS Disk Latency: Azure Monitor answers InvalidDimension: no");
	fixture_close(&f);
}

static void
test_bad_azure(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	/* that project's own test data: metric1, metric2 */
	assert_int_equal(
		fixture_file(&f, "public/telegraf-azure_metrics_responses.json"), ERR_UNSUPPORTED);
	assert_says(f.err.text, "first: metric1");
	assert_int_equal(fixture_text(&f, "t",
				 "{\"value\":[{\"name\":{\"localizedValue\":\"OS Disk Queue "
				 "Depth\"},\"timeseries\":[]}]}"),
		ERR_UNSUPPORTED);
	assert_says(f.err.text, "metrics without a value");
	assert_int_equal(fixture_text(&f, "t",
				 "{\"value\":[" AZ("OS Disk Queue Depth", "Count",
					 AT("00", "\"average\":1")) "]}"),
		ERR_UNSUPPORTED);
	assert_says(f.err.text, "--interval");
	assert_int_equal(
		fixture_text(&f, "t",
			"{\"timeseries\":1,\"error\":{\"code\":\"BadRequest\",\"message\":\"Failed "
			"to find metric configuration\"}}"),
		ERR_UNSUPPORTED);
	assert_says(f.err.text, "Azure answers BadRequest: Failed to find metric configuration");
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_microburst),
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_bad_aws),
		cmocka_unit_test(test_volumes),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_told),
		cmocka_unit_test(test_machine_wall),
		cmocka_unit_test(test_shares_to_rates),
		cmocka_unit_test(test_azure_dump),
		cmocka_unit_test(test_azure_shapes),
		cmocka_unit_test(test_bad_azure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
