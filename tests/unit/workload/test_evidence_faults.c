/*
 * One figure in each format that cannot be: below 0, no number, beyond any machine; a column that is not there; an end
 * that is cut.  What is left out is said with line and field (expectations by counting lines of the texts here), the
 * other figures stand, and no figure of the result is below 0.
 */
#include "unit/workload/evidence_test.h"

#define IOSTAT(second)                                                                             \
	"Linux 6.1.0 (h) \t09/21/26 \t_x86_64_\t(4 CPU)\n\n\n"                                     \
	"2026-09-21T10:00:00+0000\nDevice r/s w/s rkB/s wkB/s\nsda 10.00 20.00 40.00 80.00\n\n"    \
	"2026-09-21T10:00:01+0000\nDevice r/s w/s rkB/s wkB/s\n" second "\n\n"
#define JSON(writes)                                                                               \
	"{\"sysstat\":{\"hosts\":[{\"nodename\":\"h\",\"statistics\":[\n\n{\"disk\":[{"            \
	"\"disk_device\":\"sda\",\"r/s\":1,\n\"w/s\":" writes "}]}]}]}}\n"
#define SAR(tps, util)                                                                             \
	"Linux 6.1.0 (h) \t09/21/26 \t_x86_64_\t(4 CPU)\n\n10:00:00 DEV tps rkB/s %util\n"         \
	"10:00:01 sda 20.00 40.00 5.00\n10:00:02 sda " tps " 40.00 " util                          \
	"\n10:00:03 sda 20.00 40.00 5.00\n"
#define SADF(tps)                                                                                  \
	"# hostname;interval;timestamp;DEV;tps;rkB/s\nh;1;2026-09-21 10:00:01 UTC;sda;20.00;40\n"  \
	"h;1;2026-09-21 10:00:02 UTC;sda;" tps ";40.00\n"
#define DISKSTATS(reads)                                                                           \
	"# 1790000000\n8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n# 1790000001\n8 0 sda " reads              \
	" 0 800 50 0 0 0 0 0 50 50\n# 1790000002\n8 0 sda 300 0 1600 100 0 0 0 0 0 100 100\n"      \
	"# 1790000003\n8 0 sda 400 0 2400 150 0 0 0 0 0 150 150\n"
#define VMSTAT(us)                                                                                 \
	" r  b   swpd free buff cache si so bi bo in cs us sy id wa st\n"                          \
	" 1 0 0 1 1 1 0 0 1 1 1 1 10 5 80 5 0\n 1 0 0 1 1 1 0 0 1 1 1 1 " us " 5 80 5 0\n"         \
	" 1 0 0 1 1 1 0 0 1 1 1 1 10 5 80 5 0\n"
#define PERFMON(reads)                                                                             \
	"\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Reads/sec\"\r\n"             \
	"\"09/21/2026 10:00:00.000\",\"10\"\r\n\"09/21/2026 10:00:01.000\",\"" reads               \
	"\"\r\n\"09/21/2026 10:00:02.000\",\"10\"\r\n"
#define CSV(value)                                                                                 \
	"timestamp,value\n2026-09-21 10:00:00,100\n2026-09-21 10:01:00," value                     \
	"\n2026-09-21 10:02:00,100\n"
#define AZURE(value)                                                                               \
	"{\"interval\":\"PT1M\",\"value\":[{\"name\":{\"value\":\"Data Disk Read "                 \
	"Operations/Sec\"},\"timeseries\":[{\"data\":[\n"                                          \
	"{\"timeStamp\":\"2026-09-21T10:00:00Z\",\"average\":100},\n"                              \
	"{\"timeStamp\":\"2026-09-21T10:01:00Z\",\"average\":" value "}]}]}]}"
#define CLOUDWATCH(value)                                                                          \
	"{\"MetricDataResults\":[{\"Label\":\"VolumeReadOps\",\"Timestamps\":["                    \
	"\"2026-09-21T10:02:00Z\",\"2026-09-21T10:01:00Z\",\"2026-09-21T10:00:00Z\"],"             \
	"\n\"Values\":[100,50," value "],\"StatusCode\":\"Complete\"}]}"
#define PROMETHEUS(value)                                                                          \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{"    \
	"\"__name__\":\"node_disk_writes_completed_total\",\"device\":\"vda\"},\"values\":[\n"     \
	"[1790000000,\"100\"],[1790000005,\"200\"],\n[1790000010,\"" value                         \
	"\"],[1790000015,\"400\"]]}]}}"
#define EXPOSITION(value)                                                                          \
	"# TYPE node_disk_writes_completed_total counter\n"                                        \
	"node_disk_writes_completed_total{device=\"vda\"} " value                                  \
	"\nnode_time_seconds 1790000000\n"
#define PROGRESS(tps, lat)                                                                         \
	"starting vacuum...end.\nprogress: 1.0 s, 100.0 tps, lat 2.0 ms stddev 1.0\n"              \
	"progress: 2.0 s, " tps " tps, lat " lat " ms stddev 1.0\n"
#define LOG(us) "0 1 5000 0 1796068854 1\n0 2 " us " 0 1796068854 2\n0 3 7000 0 1796068854 3\n"
#define SYSBENCH(tps)                                                                              \
	"sysbench 1.0.20\nNumber of threads: 4\n[ 1s ] thds: 4 tps: 100.00 lat (ms,95%): 10.00\n"  \
	"[ 2s ] thds: 4 tps: " tps " lat (ms,95%): 10.00\n"                                        \
	"    transactions:  300    (100.00 per sec.)\n    total time:  3.0000s\n"
#define STRESS(ops)                                                                                \
	"type, total ops, op/s, mean, time, errors\ntotal, 100, 100, 1.0, 1.0, 0\n"                \
	"total, 200, " ops ", 1.0, 2.0, 0\n\nResults:\nOp rate : 100 op/s [WRITE: 100 op/s]\n"     \
	"Latency mean : 1.0 ms [WRITE: 1.0 ms]\n"
#define TABLES(ms)                                                                                 \
	"Keyspace : a\n\tTable: t\n\t\tSSTable count: 3\n\t\tLocal read count: 100\n"              \
	"\t\tLocal read latency: " ms " ms\n"
#define MYSQL(commits)                                                                             \
	"Variable_name\tValue\nCom_commit\t10\nInnodb_data_fsyncs\t5\nUptime\t100\n"               \
	"Variable_name\tValue\nCom_commit\t" commits "\nInnodb_data_fsyncs\t305\nUptime\t160\n"

static const struct row {
	const char *name, *text;
	int rc;
	const char *code, *says; /* the finding, or what the error says */
} rows[] = {
	{"io", IOSTAT("sda -5.00 20.00 40.00 80.00"), 0, "bad-figure",
		"io:10: r/s is \"-5.00\", below 0"},
	{"io", IOSTAT("sda 10.00 -nan 40.00 80.00"), 0, "bad-figure",
		"io:10: w/s is \"-nan\", no number"},
	{"io", IOSTAT("sda 1e308 20.00 40.00 80.00"), 0, "bad-figure",
		"io:10: r/s is \"1e308\", more than any machine does"},
	{"io", IOSTAT("sda 10.00 20.00 40.00"), 0, "odd-row",
		"1 row with another number of fields"},
	{"io", "Device foo bar\nsda 1 2\n\nDevice foo bar\nsda 1 2\n", ERR_PARSE, NULL,
		"no column of rates that is known"},
	{"json", JSON("-5.00"), 0, "bad-figure", "json:4: w/s is \"-5.00\", below 0"},
	{"json", JSON("1e300"), 0, "bad-figure",
		"json:4: w/s is \"1e+300\", more than any machine"},
	{"json", JSON("null"), 0, "bad-figure", "json:4: w/s is \"null\", no number"},
	{"json",
		"{\"sysstat\":{\"hosts\":[{\"nodename\":\"h\",\"statistics\":[\n\n"
		"{\"disk\":[{\"disk_device\":\"sda\",\"r/s\":1,\"w/s\":2}]},\n"
		"{\"disk\":[{\"disk_device\":\"sda\",\"r/s\":1}]}]}]}}\n",
		0, "missing-figure", "json: 1 figure that the report before has is missing"},
	{"json", JSON("\"nan\""), 0, "bad-figure", "json:4: w/s is \"nan\", no number"},
	{"sar", SAR("-5.00", "5.00"), 0, "bad-figure", "sar:5: tps is \"-5.00\", below 0"},
	{"sar", SAR("20.00", "-nan"), 0, "bad-figure", "sar:5: %util is \"-nan\", no number"},
	{"sar", SAR("1e308", "5.00"), 0, "bad-figure", "sar:5: tps is \"1e308\", more than"},
	{"sadf", SADF("-5.00"), 0, "bad-figure", "sadf:3: tps is \"-5.00\", below 0"},
	{"sadf", SADF("oops"), 0, "bad-figure", "sadf:3: tps is \"oops\", no number"},
	{"disks", DISKSTATS("-5"), 0, "bad-figure", "disks:4: reads is \"-5\", below 0"},
	{"disks", DISKSTATS("1e308"), 0, "bad-figure", "disks:4: reads is \"1e308\", more than"},
	{"disks", DISKSTATS("oops"), 0, "odd-row", "disks:4: 1 row with a cell that is no number"},
	{"vmstat", VMSTAT("-5"), 0, "bad-figure", "vmstat:3: us is \"-5\", below 0"},
	{"vmstat", VMSTAT("nan"), 0, "bad-figure", "vmstat:3: us is \"nan\", no number"},
	{"pdh", PERFMON("-5"), 0, "bad-figure", "pdh:3: Disk Reads/sec is \"-5\", below 0"},
	{"pdh", PERFMON("nan"), 0, "bad-figure", "pdh:3: Disk Reads/sec is \"nan\", no number"},
	{"VolumeReadOps.csv", CSV("-5"), 0, "bad-figure",
		"VolumeReadOps.csv:3: VolumeReadOps is \"-5\", below 0"},
	{"VolumeReadOps.csv", CSV("nan"), 0, "lines-dropped", "VolumeReadOps.csv:3: 1 lines"},
	{"VolumeReadOps.csv", CSV("1e308"), 0, "bad-figure", "is \"1e+308\", more than"},
	{"azure", AZURE("-5"), 0, "bad-figure",
		"azure:3: Data Disk Read Operations/Sec is \"-5\", below 0"},
	{"azure", AZURE("null"), 0, "empty-points", "1 points have no value"},
	{"cw", CLOUDWATCH("-5"), 0, "bad-figure", "cw:2: VolumeReadOps is \"-5\", below 0"},
	{"cw", CLOUDWATCH("null"), 0, "empty-points", "1 points have no time or not the value"},
	{"prom", PROMETHEUS("-5"), 0, "bad-figure",
		"prom:3: node_disk_writes_completed_total is \"-5\", below 0"},
	{"prom", PROMETHEUS("NaN"), 0, "not-a-number", "1 values are NaN"},
	{"prom", PROMETHEUS("1e308"), 0, "bad-figure", "is \"1e+308\", more than"},
	{"exp", EXPOSITION("-5"), 0, "bad-figure",
		"exp:2: node_disk_writes_completed_total is \"-5\", below 0"},
	{"exp", EXPOSITION("NaN"), 0, "bad-figure", "is \"nan\", no number"},
	{"pgb", PROGRESS("-5.0", "2.0"), 0, "rows-cut", "pgb:3: 1 lines are not whole, or hold a"},
	{"pgb", PROGRESS("100.0", "-2.0"), 0, "rows-cut", "pgb:3: 1 lines"},
	{"pgb", PROGRESS("1e308", "2.0"), 0, "rows-cut", "pgb:3: 1 lines"},
	{"log", LOG("-5"), 0, "rows-left-out", "log:2: 1 lines are no rows of 6 columns"},
	{"log", LOG("1e308"), 0, "rows-left-out", "log:2: 1 lines are no rows of 6 columns"},
	{"sb", SYSBENCH("-5.00"), 0, "rows-cut", "sb:4: 1 lines are not whole, or hold a"},
	{"sb", SYSBENCH("1e308"), 0, "rows-cut", "sb:4: 1 lines"},
	{"stress", STRESS("-5"), 0, "rows-cut", "stress:3: 1 lines are not whole, or hold a"},
	{"stress", STRESS("oops"), 0, "rows-cut", "stress:3: 1 lines"},
	{"cf", TABLES("-5.0"), 0, "bad-figure", "cf:5: Local read latency is \"-5.0\", below 0"},
	{"cf", TABLES("oops"), 0, "bad-figure", "cf:5: Local read latency is \"oops\", no number"},
	{"my", MYSQL("-5"), 0, "bad-figure", "my:6: Com_commit is \"-5\", below 0"},
	{"my", MYSQL("oops"), 0, "bad-figure", "my:6: Com_commit is \"oops\", no number"},
	{"pg",
		"wal_records,wal_fpi,wal_bytes,wal_buffers_full,wal_write,wal_sync,wal_write_time,"
		"wal_sync_time\n"
		"1,1,-5,0,10,10,1.0,2.0\n",
		ERR_PARSE, NULL, "pg:1: wal_bytes of row 1 below: \"-5\""},
};

/* Other things that are damaged in whole: what the refusal says, or the finding. */
static const struct row others[] = {
	{"prom", PROMETHEUS("300\"],[1e300,\"350"), ERR_PARSE, NULL,
		"prom:3:20: a point is [seconds"},
	{"azure",
		"{\"interval\":\"PT1M\",\"value\":[{\"name\":{\"value\":\"OS Disk Read "
		"Bytes/sec\"},\"timeseries\":[{\"data\":[{\"timeStamp\":\"yesterday\","
		"\"average\":1}]}]}]}",
		ERR_UNSUPPORTED, NULL, "no point has a timeStamp as in"},
	{"VolumeReadOps.csv", CSV("100") "2026-09-21 10:03:00,1", 0, "cut-end",
		"VolumeReadOps.csv:5: the last line has no end"},
	{"exp", EXPOSITION("5") "node_disk_writes_completed_total{device=\"vdb\"} 1", 0, "cut-end",
		"exp:4: the last line has no end"},
	{"pdh", "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Reads/sec\"\r\n",
		ERR_PARSE, NULL, "pdh:2:1: no whole row with a time and a figure"},
	{"disks",
		"# 1790000000\n8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n8 0 sda 9 0 0 0 0 0 0 0 0 0 0\n"
		"# 1790000001\n8 0 sda 100 0 0 0 0 0 0 0 0 0 0\n8 0 sda 5 0 0 0 0 0 0 0 0 0 0\n",
		0, "row-twice", "2 rows are of a device and moment that are there already"},
};

/* What is known is not below 0, whatever was in the text. */
static void
check_figures(const struct evidence *e, const char *name)
{
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		for (size_t k = 0; k < s->n_samples; k++) {
			const struct evidence_sample *x = &s->samples[k];
			const double v[] = {x->read_iops, x->write_iops, x->any_iops,
				x->read_bytes_s, x->write_bytes_s, x->any_bytes_s};
			for (size_t j = 0; j < sizeof(v) / sizeof(v[0]); j++) {
				if (v[j] < 0 || v[j] > 1e18 || (v[j] == 0 && signbit(v[j])))
					fail_msg("%s: figure %zu is %g", name, j, v[j]);
			}
		}
	}
}

static void
try_rows(const struct row *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *r = &all[i];
		struct fixture f;
		fixture_open(&f);
		f.options.keep_first = true;
		int rc = fixture_text(&f, r->name, r->text);
		if (rc == 0)
			rc = evidence_finish(&f.e, &f.err);
		if (rc != r->rc)
			fail_msg("%s, row %zu: code %d, not %d: %s", r->name, i, rc, r->rc,
				f.err.text);
		if (rc)
			assert_says(f.err.text, r->says);
		else
			assert_finding(&f.e.findings, r->code, r->says);
		check_figures(&f.e, r->name);
		fixture_close(&f);
	}
}

static void
test_faults(void **state)
{
	(void)state;
	try_rows(rows, sizeof(rows) / sizeof(rows[0]));
	try_rows(others, sizeof(others) / sizeof(others[0]));
}

/* What stands beside the bad cell is kept: the interval's reads, and all of the others. */
static void
test_rest_stands(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	fixture_whole(&f, "io", IOSTAT("sda 30.00 -1.00 40.00 80.00"));
	assert_int_equal(f.e.n_series, 1);
	assert_int_equal(f.e.series->n_samples, 2);
	assert_close(f.e.series->samples[1].read_iops, 30, 0);
	assert_true(isnan(f.e.series->samples[1].write_iops));
	assert_close(f.e.series->samples[0].write_iops, 20, 0);
	fixture_close(&f);
	/* 100, ?, 300, 400 reads at 0 to 3 s: only from 2 to 3 is a difference of neighbours */
	fixture_open(&f);
	fixture_whole(&f, "disks", DISKSTATS("-5"));
	assert_int_equal(f.e.series->n_samples, 3);
	assert_true(isnan(f.e.series->samples[0].read_iops));
	assert_true(isnan(f.e.series->samples[1].read_iops));
	assert_close(f.e.series->samples[2].read_iops, 100, 0);
	/* 800 sectors of 512 bytes in the first second all the same */
	assert_close(f.e.series->samples[0].read_bytes_s, 409600, 0);
	fixture_close(&f);
}

/* Every cell bad: one warning for each kind, with how many. */
static void
test_counted(void **state)
{
	struct fixture f;
	size_t n = 0;
	(void)state;
	fixture_open(&f);
	fixture_whole(&f, "io", IOSTAT("sda -1.00 -2.00 nan 80.00"));
	for (size_t i = 0; i < f.e.findings.n; i++)
		n += strcmp(f.e.findings.items[i].code, "bad-figure") == 0;
	assert_int_equal(n, 2);
	assert_finding(&f.e.findings, "bad-figure",
		"io:10: r/s is \"-1.00\", below 0: left out, not known, and 1 more of the kind");
	fixture_close(&f);
}

/* Negative zero is a rounding of nothing: it is 0. */
static void
test_minus_zero(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	fixture_whole(&f, "io", IOSTAT("sda -0.00 -0.00 -0.00 0.00"));
	assert_null(findings_find(&f.e.findings, "bad-figure"));
	check_figures(&f.e, "io");
	fixture_close(&f);
}

/* Local time at the end of summer: 02:59:59, then 02:00:00 is one second later. */
static void
test_hour_back(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	fixture_whole(&f, "io",
		"10/25/2026 02:59:58\nDevice r/s w/s\nsda 1 1\n\n"
		"10/25/2026 02:59:59\nDevice r/s w/s\nsda 2 1\n\n"
		"10/25/2026 02:00:00\nDevice r/s w/s\nsda 3 1\n\n"
		"10/25/2026 02:00:01\nDevice r/s w/s\nsda 4 1\n\n");
	assert_finding(&f.e.findings, "clock-change", "times step back by an hour 1 time:");
	const struct evidence_series *s = f.e.series;
	assert_int_equal(s->n_samples, 3); /* the first is since boot */
	for (size_t i = 0; i < 3; i++) {
		assert_close(s->samples[i].read_iops, (double)i + 2, 0);
		assert_close(s->samples[i].dt_s, 1, 0);
		assert_true(i == 0 || s->samples[i].end_s == s->samples[i - 1].end_s + 1);
	}
	fixture_close(&f);
	/* set back by ten minutes: no summer time */
	fixture_open(&f);
	fixture_whole(&f, "io",
		"10/25/2026 02:50:00\nDevice r/s w/s\nsda 1 1\n\n"
		"10/25/2026 02:50:01\nDevice r/s w/s\nsda 2 1\n\n"
		"10/25/2026 02:40:00\nDevice r/s w/s\nsda 3 1\n\n");
	assert_finding(
		&f.e.findings, "time-backwards", "1 report is of a time before the last one");
	fixture_close(&f);
	/* of Performance Monitor, whose times are local */
	fixture_open(&f);
	fixture_whole(&f, "pdh",
		"\"(PDH-CSV 4.0) (W. Europe)(-60)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk "
		"Reads/sec\"\r\n"
		"\"10/25/2026 02:59:30.000\",\"1\"\r\n\"10/25/2026 02:59:45.000\",\"2\"\r\n"
		"\"10/25/2026 02:00:00.000\",\"3\"\r\n\"10/25/2026 02:00:15.000\",\"4\"\r\n");
	assert_finding(&f.e.findings, "clock-change", "times step back by an hour 1 time:");
	for (size_t i = 0; i < 4; i++)
		assert_close(f.e.series->samples[i].read_iops, (double)i + 1, 0);
	assert_true(f.e.series->samples[3].end_s == f.e.series->samples[0].end_s + 45);
	fixture_close(&f);
	fixture_open(&f);
	fixture_whole(&f, "disks",
		"# 1790000100\n8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n# 1790000101\n8 0 sda 5 0 0 0 0 0 0 "
		"0 "
		"0 0 0\n# 1790000000\n8 0 sda 9 0 0 0 0 0 0 0 0 0 0\n# 1790000001\n8 0 sda 16 0 0 "
		"0 "
		"0 0 0 0 0 0 0\n");
	assert_finding(
		&f.e.findings, "time-backwards", "1 rows of a time before the one before it");
	assert_int_equal(f.e.series->n_samples, 2);
	assert_close(f.e.series->samples[0].read_iops, 7, 0); /* 16 - 9, in order of time */
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_rest_stands),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_minus_zero),
		cmocka_unit_test(test_hour_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
