/*
 * The document of a measured disk: each figure of the profile, with its unit and its count, where a
 * reader looks for it.  Profiles are made by hand; what is expected is worked out beside each.
 */
#include "bench_test.h"

#include "cli/bench_doc.h"
#include "cli/bench_text.h"

static void
test_texts(void **state)
{
	(void)state;
	struct fixture f;
	const double nan = (double)NAN;
	start(&f);
	struct doc *d = &f.doc;
	assert_string_equal(bench_count(d, 12800), "12,800");
	assert_string_equal(bench_count(d, nan), "-");
	assert_string_equal(bench_range(d, 12800, 12500, 13100), "12,800 (12,500-13,100)");
	assert_string_equal(bench_range(d, 12800, nan, 13100), "12,800");
	assert_string_equal(bench_latency(d, 4120), "4.12 ms");
	assert_string_equal(bench_latency(d, nan), "-");
	/* ends in the unit of the value */
	assert_string_equal(bench_latency_range(d, 950, 900, 1200), "950 us (900-1200)");
	assert_string_equal(bench_latency_range(d, 4120, 3900, 4400), "4.12 ms (3.9-4.4)");
	assert_string_equal(bench_latency_range(d, 4120, nan, nan), "4.12 ms");
	/* too few samples is not the same as never counted, or enough and not recorded */
	assert_string_equal(bench_percentile(d, nan, 999, 99), "N too small");
	assert_string_equal(bench_percentile(d, nan, 1000, 99), "-");
	assert_string_equal(bench_percentile(d, nan, 9999, 99.9), "N too small");
	assert_string_equal(bench_percentile(d, nan, 10000, 99.9), "-");
	assert_string_equal(bench_percentile(d, nan, 20, 50), "-");
	assert_string_equal(bench_percentile(d, nan, 19, 50), "N too small");
	assert_string_equal(bench_percentile(d, nan, nan, 99), "-");
	assert_string_equal(bench_percentile(d, 99, 5000, 99), "99 us");
	const double none[3] = {nan, nan, nan}, some[3] = {99, 90, 110};
	assert_string_equal(bench_percentile_range(d, none, 500, 99), "N too small");
	assert_string_equal(bench_percentile_range(d, some, 500, 99), "99 us (90-110)");
	assert_string_equal(bench_size(d, 131072), "128 KiB");
	assert_string_equal(bench_ratio(d, 1.834, 1.79, 1.87), "1.83x (1.79-1.87)");
	assert_string_equal(bench_ratio(d, 1.0021, 0.9991, 1.0042), "1.002x (0.999-1.004)");
	assert_string_equal(bench_ratio(d, 25.04, 20, 31), "25.0x (20.0-31.0)");
	assert_string_equal(bench_ratio(d, 250.4, 200, 310), "250x (200-310)");
	assert_string_equal(bench_ratio(d, 0.0123, nan, nan), "0.012x");
	assert_string_equal(bench_ratio(d, 2, 0.5, (double)INFINITY), "2.00x (over 0.50)");
	assert_string_equal(bench_ratio(d, nan, nan, nan), "-");
	assert_string_equal(bench_percent(d, 0.004), "0.4 %");
	assert_string_equal(bench_percent(d, 0.254), "25 %");
	assert_string_equal(bench_percent(d, nan), "-");
	stop(&f);
}

static void
test_sparkline(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	/* eighths of the largest value: 0..7/8 are heights 1..8, the largest stays the eighth */
	const double ramp[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	assert_string_equal(bench_sparkline(&f.doc, ramp, 9, 60),
		"\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588\u2588");
	/* two columns of means: (2+2)/2 and (4+12)/2 of 8 */
	const double pairs[] = {2, 2, 4, 12};
	assert_string_equal(bench_sparkline(&f.doc, pairs, 4, 2), "\u2583\u2588");
	const double hole[] = {4, (double)NAN, 4};
	assert_string_equal(bench_sparkline(&f.doc, hole, 3, 60), "\u2588 \u2588");
	const double nothing[] = {0, 0};
	assert_string_equal(bench_sparkline(&f.doc, nothing, 2, 60), "");
	assert_string_equal(bench_sparkline(&f.doc, NULL, 0, 60), "");
	stop(&f);
}

static void
test_verdict(void **state)
{
	(void)state;
	static const struct {
		const char *verdict;
		int complete;
		enum doc_tone tone;
		const char *says;
	} rows[] = {
		{"clean", 1, DOC_PASS, "verdict: clean: the disk itself"},
		{"clean", 0, DOC_WARNING, "incomplete"},
		{"noisy", 1, DOC_WARNING, "ranges"},
		{"contaminated", 1, DOC_WARNING, "others used the disk"},
		{"not-the-disk", 1, DOC_FAIL, "do not use these figures"},
		{"not-the-disk", 0, DOC_FAIL, "cut short"},
		{NULL, 1, DOC_UNKNOWN, "not measured by tierwise bench"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		start(&f);
		f.quality.verdict = rows[i].verdict;
		f.p.complete = rows[i].complete;
		if (!rows[i].verdict)
			f.p.quality = NULL;
		bench_doc(&f.doc, &f.p);
		assert_int_equal(f.doc.blocks[0].kind, DOC_CALLOUT); /* first of all */
		assert_int_equal(f.doc.blocks[0].tone, rows[i].tone);
		if (!strstr(f.doc.blocks[0].text, rows[i].says))
			fail_msg("\"%s\" is not in: %s", rows[i].says, f.doc.blocks[0].text);
		assert_non_null(strstr(f.doc.blocks[0].text, "Trust: measured"));
		stop(&f);
	}
}

/* The worst finding stands beside the verdict; all of them are in the table. */
static void
test_findings(void **state)
{
	(void)state;
	struct finding findings[] = {
		{SEVERITY_NOTE, "stamp", "all came back", NULL},
		{SEVERITY_WARNING, "busy", "others were there", "wait"},
		{SEVERITY_ERROR, "ram", "this is memory", NULL},
		{SEVERITY_ERROR, "other", "second error", NULL},
	};
	struct fixture f;
	start(&f);
	f.p.findings = findings;
	f.p.n_findings = 4;
	bench_doc(&f.doc, &f.p);
	assert_non_null(
		strstr(f.doc.blocks[0].text, "3 findings, the first error: this is memory."));
	const struct doc_table *t = need_table(&f.doc, "What a reader must know");
	assert_int_equal(t->n_rows, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(cell(t, i, "Finding"), findings[i].text);
	assert_string_equal(cell(t, 1, "What to do"), "wait");
	stop(&f);
}

/* Nothing measured is no table, not a table of nothing; and it can be printed. */
static void
test_empty(void **state)
{
	(void)state;
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct fixture f;
		struct render_options how = {.data_dir = getenv("TIERWISE_DATA_DIR")};
		struct buf out;
		struct err err = {0};
		start(&f);
		f.p.name = NULL;
		f.p.quality = NULL;
		f.p.trust = f.p.complete = -1;
		bench_doc(&f.doc, &f.p);
		for (size_t i = 0; i < f.doc.n; i++)
			assert_true(!table_of(&f.doc.blocks[i]) ||
				    strstr(table_of(&f.doc.blocks[i])->caption, "Disk, machine"));
		buf_init(&out, 0);
		if (render(&f.doc, (enum render_format)format, &how, &out, &err))
			fail_msg("%s", err.text);
		buf_fini(&out);
		stop(&f);
	}
}

static void
test_where(void **state)
{
	(void)state;
	struct fixture f;
	struct profile_environment e;
	struct profile_method m;
	start(&f);
	profile_environment_clear(&e);
	profile_method_clear(&m);
	f.p.environment = &e;
	f.p.method = &m;
	f.p.device = PROFILE_DEVICE_NVME;
	e.device_chain = "dm-0 < nvme0n1";
	e.write_cache = "write back";
	e.device_gib = 931.5;
	e.filesystem = "xfs";
	e.cloud = "azure";
	e.cpu_awake = 0;
	e.nr_requests = 1023;
	m.engine = "libaio";
	m.file_b = 8.0 * (1 << 30);
	m.slice_s = 0.25;
	m.bytes_written_b = 12.5 * (1 << 30);
	f.quality.foreign_io_frac = 0.004;
	f.quality.stamps_checked = 12345;
	f.quality.stamps_wrong = 0;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Disk, machine");
	static const char *const parts[] = {
		"nvme, dm-0 < nvme0n1, 932 GiB, write cache: write back", "xfs",
		"queue of 1,023 requests", "cloud azure, idle processors may sleep",
		"engine libaio, area 8 GiB, slices of 0.25 s, written 12.5 GiB",
		"I/O of others 0.4 %", "12,345 blocks read back and checked, 0 wrong"};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		bool found = false;
		for (size_t r = 0; r < t->n_rows; r++)
			found = found || strstr(cell(t, r, "Found"), parts[i]);
		if (!found)
			fail_msg("\"%s\" is nowhere", parts[i]);
	}
	stop(&f);
}

/* The figures people ask for first; where samples are too few for a median the mean stands there. */
static void
test_key_figures(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 8000);
	c->p50_us = 120;
	c->p99_us = 300;
	c->n = 5000;
	add_sync(&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 4, 99)->p50_us = 1;
	add_sync(&f, &f.p, PROFILE_SYNC_FSYNC, PROFILE_APPEND, 1, 99)->p50_us = 2;
	struct profile_sync *s = add_sync(&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 1, 99);
	s->mean_us = 1300;
	s->n = 12;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Key figures of disk");
	assert_true(t->tiles);
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell(t, 0, "Figure"), "one randread 4 KiB at a time");
	assert_string_equal(cell(t, 0, "Value"), "120 us p50");
	assert_string_equal(cell(t, 0, "Note"), "p99 300 us; n = 5,000");
	assert_string_equal(cell(t, 1, "Figure"), "one commit (append + fdatasync, 8 KiB)");
	assert_string_equal(cell(t, 1, "Value"), "1.3 ms mean");
	assert_string_equal(cell(t, 1, "Note"), "p99 N too small; n = 12");
	stop(&f);
}

/* What a recycled log waits for stands before what one waits for that grows. */
static void
test_both_commits(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	f.p.name = "disk";
	add_sync(&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 1, 99)->p50_us = 3000;
	add_sync(&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 1, 99)->p50_us = 1000;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Key figures of disk");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell(t, 0, "Figure"), "one commit (overwrite + fdatasync, 8 KiB)");
	assert_string_equal(cell(t, 0, "Value"), "1 ms p50");
	assert_string_equal(cell(t, 1, "Figure"), "one commit (append + fdatasync, 8 KiB)");
	assert_string_equal(cell(t, 1, "Value"), "3 ms p50");
	stop(&f);
}

static void
test_capacity(void **state)
{
	(void)state;
	static const struct {
		const char *limit, *words;
	} rows[] = {
		{"device", "device-limited"},
		{"cap-iops", "quota-limited (IOPS)"},
		{"cap-mbps", "quota-limited (MB/s)"},
		{"throttle", "throttled before the disk"},
		{"client", "limited by this machine"},
		{"unknown", "limit unknown"},
		{NULL, "limit unknown"},
		{"something new", "something new"},
	};
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct fixture f;
	struct profile_knee knees[N];
	start(&f);
	for (size_t i = 0; i < N; i++) {
		profile_knee_clear(&knees[i]);
		knees[i].op = PROFILE_OP_RANDREAD;
		knees[i].bs_b = 4096;
		knees[i].qd = 16;
		knees[i].iops = 25600;
		knees[i].iops_lo = 25000;
		knees[i].iops_hi = i == 5 ? (double)NAN : 26000; /* not reached */
		knees[i].mean_us = 625;
		knees[i].limit = rows[i].limit;
		knees[i].why = i == 1 ? "flat at all depths" : NULL;
	}
	f.p.knees = knees;
	f.p.n_knees = N;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Capacity");
	assert_int_equal(t->n_rows, N);
	for (size_t i = 0; i < N; i++) {
		assert_string_equal(cell(t, i, "Limited by"), rows[i].words);
		assert_string_equal(cell(t, i, "Capacity, IOPS (95 %)"),
			i == 5 ? "at least 25,000" : "25,600 (25,000-26,000)");
		assert_string_equal(cell(t, i, "Knee depth"), "16");
		assert_string_equal(cell(t, i, "MiB/s"), "100"); /* 25,600 x 4 KiB */
		assert_string_equal(cell(t, i, "Mean latency there"), "625 us");
	}
	assert_says(&f.doc, "randread: quota-limited (IOPS): flat at all depths.");
	stop(&f);
}

static void
test_ladder(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 128, 12800);
	c->iops_lo = 12500;
	c->iops_hi = 13100;
	c->mean_us = 10000;
	c->p50_us = 9500;
	c->p99_us = 41200;
	c->p99_lo_us = 39000;
	c->p99_hi_us = 44000;
	c->n = 3200;
	c->little_ratio = 0.998;
	add_cell(&f, &f.p, PROFILE_OP_RANDWRITE, 4096, 1, 4000);
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 8000)->mean_us = 125;
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 2, 12000);
	/* none of these is of the ladder */
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 8192, 4, 1);
	add_cell(&f, &f.p, PROFILE_OP_READ, 4096, 4, 1);
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 8, 1)->mix_read_frac = 0.7;
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 16, 1)->asked_iops = 100;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Ladder of depths, randread 4 KiB");
	assert_int_equal(t->n_rows, 3);
	assert_string_equal(cell(t, 0, "Depth"), "1");
	assert_string_equal(cell(t, 1, "Depth"), "2");
	assert_string_equal(cell(t, 2, "Depth"), "128");
	assert_string_equal(cell(t, 2, "IOPS (95 %)"), "12,800 (12,500-13,100)");
	assert_string_equal(cell(t, 2, "MiB/s"), "50");
	assert_string_equal(cell(t, 2, "Mean"), "10 ms");
	assert_string_equal(cell(t, 2, "p50"), "9.5 ms");
	assert_string_equal(cell(t, 2, "p90"), "-"); /* enough samples, not recorded */
	assert_string_equal(cell(t, 2, "p99 (95 %)"), "41.2 ms (39-44)");
	assert_string_equal(cell(t, 2, "p99.9"), "N too small");
	assert_string_equal(cell(t, 2, "n"), "3,200");
	assert_string_equal(cell(t, 2, "Little"), "1.00");
	assert_string_equal(cell(t, 0, "p99 (95 %)"), "-");
	assert_int_equal(need_table(&f.doc, "Ladder of depths, randwrite 4 KiB")->n_rows, 1);
	/* one depth is no curve */
	assert_null(find_figure(&f.doc, "randwrite"));
	const struct doc_figure *figure = find_figure(&f.doc, "randread 4 KiB: from 8,000 IOPS");
	assert_non_null(figure);
	assert_ptr_equal(figure->data, t);
	assert_int_equal(figure->kind, DOC_CHART_LATENCY);
	for (size_t i = 0; i < figure->n_series; i++) {
		const struct doc_series *s = &figure->series[i];
		if (s->mark != DOC_MARK_LINE)
			continue;
		assert_true(s->x[0] == 1 && s->x[1] == 2 && s->x[2] == 128);
		assert_true(s->y[2] == (s->dashed ? 41.2 : 9.5)); /* milliseconds */
	}
	stop(&f);
}

/* Without 4 KiB the ladder is of the size with the most cells. */
static void
test_ladder_of_other_size(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 512, 1, 10);
	for (int qd = 1; qd <= 4; qd *= 2)
		add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 8192, qd, 10);
	bench_doc(&f.doc, &f.p);
	assert_int_equal(need_table(&f.doc, "Ladder of depths, randread 8 KiB")->n_rows, 3);
	assert_int_equal(need_table(&f.doc, "Block sizes, one request")->n_rows, 2);
	stop(&f);
}

static void
test_sizes(void **state)
{
	(void)state;
	struct fixture f;
	struct profile_size_fit fit;
	start(&f);
	profile_size_fit_clear(&fit);
	fit.op = PROFILE_OP_RANDREAD;
	fit.from_b = 512;
	fit.to_b = 1048576;
	fit.a_us = 100;
	fit.b_us_per_kib = 4;
	fit.residual_frac = 0.031;
	f.p.size_fits = &fit;
	f.p.n_size_fits = 1;
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 33554432, 1, 6)->n = 12;
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 65536, 1, 2800);
	c->mean_us = 357;
	c->p50_us = 350;
	c->n = 700;
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 8000);
	add_cell(&f, &f.p, PROFILE_OP_RANDWRITE, 1048576, 16, 200);
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Block sizes, one request at a time");
	assert_int_equal(t->n_rows, 3);
	assert_string_equal(cell(t, 0, "Block"), "4 KiB");
	assert_string_equal(cell(t, 1, "Block"), "64 KiB");
	assert_string_equal(cell(t, 1, "MiB/s"), "175");
	assert_string_equal(cell(t, 1, "Fit"), "356 us"); /* 100 + 4 x 64 */
	assert_string_equal(cell(t, 1, "p99"), "N too small");
	assert_string_equal(cell(t, 2, "Block"), "32 MiB");
	assert_string_equal(cell(t, 2, "Fit"), "-"); /* outside of what was fitted */
	/* 4 us for 1 KiB are 1e6 / 4 / 1024 = 244 MiB/s */
	assert_says(&f.doc,
		"100 us + 4 us per KiB, which is 244 MiB/s, from 512 B to 1 MiB; typical "
		"error 3.1 %");
	t = need_table(&f.doc, "Block sizes, several requests at a time");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(cell(t, 0, "Depth"), "16");
	assert_string_equal(cell(t, 0, "MiB/s (95 %)"), "200");
	stop(&f);
}

static void
test_sequential(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_WRITE, 131072, 8, 1600);
	c->iops_lo = 1520;
	c->iops_hi = 1680;
	add_cell(&f, &f.p, PROFILE_OP_WRITE, 1048576, 8, 150)->note = "first writes";
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Sequential reads and writes");
	assert_string_equal(cell(t, 0, "MiB/s (95 %)"), "200 (190-210)");
	assert_string_equal(cell(t, 1, "Note"), "first writes");
	assert_null(find_table(&f.doc, "Block sizes"));
	stop(&f);
}

static void
test_commits(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	struct profile_sync *s = add_sync(
		&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 16, 8000);
	s->flushes_per_sync = 0.1; /* shared by the writers: not in the sentence */
	s = add_sync(&f, &f.p, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 1, 800);
	s->syncs_lo = 780;
	s->syncs_hi = 820;
	s->mean_us = 1250;
	s->p50_us = 1200;
	s->n = 900;
	s->write_mean_us = 250;
	s->sync_mean_us = 1000;
	s->flushes_per_sync = 1.004;
	s = add_sync(&f, &f.p, PROFILE_SYNC_ODSYNC_DIRECT, PROFILE_OVERWRITE, 1, 900);
	s->p99_us = 3000;
	s->n = 5000;
	s->flushes_per_sync = 0.02;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Commits by append");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell(t, 0, "Durable by"), "fdatasync");
	assert_string_equal(cell(t, 0, "Block"), "8 KiB");
	assert_string_equal(cell(t, 0, "Writers"), "1");
	assert_string_equal(cell(t, 0, "Commits/s (95 %)"), "800 (780-820)");
	assert_string_equal(cell(t, 0, "p50"), "1.2 ms");
	assert_string_equal(cell(t, 0, "p99"), "N too small");
	assert_string_equal(cell(t, 0, "Write + sync"), "0.25 + 1 ms");
	assert_string_equal(cell(t, 0, "Flushes per sync"), "1.00");
	assert_string_equal(cell(t, 0, "n"), "900");
	assert_string_equal(cell(t, 1, "Writers"), "16");
	t = need_table(&f.doc, "Commits by overwrite");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(cell(t, 0, "Write + sync"), "one call");
	assert_string_equal(cell(t, 0, "p99"), "3 ms");
	assert_says(&f.doc, "of one writer: fdatasync 1.00, odsync-direct 0.02.");
	stop(&f);
}

static void
test_mix(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 8, 9000)->p50_us = 200;
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_RANDWRITE, 4096, 8, 1500);
	c->mix_read_frac = 0.7;
	c->p50_us = 500;
	c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 16, 3500);
	c->mix_read_frac = 0.7;
	c->p50_us = 700;
	c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 8, 3500);
	c->mix_read_frac = 0.7;
	c->p50_us = 300;
	c->n = 4000;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Mixed load");
	assert_int_equal(t->n_rows, 3);
	assert_string_equal(cell(t, 0, "Mix"), "4 KiB, 70/30");
	assert_string_equal(cell(t, 0, "Side"), "reads");
	assert_string_equal(cell(t, 0, "p50 alone"), "200 us");
	assert_string_equal(cell(t, 0, "Interference"), "1.50x"); /* 300 / 200 */
	assert_string_equal(cell(t, 0, "n"), "4,000");
	assert_string_equal(cell(t, 1, "Side"), "writes"); /* below its reads */
	assert_string_equal(cell(t, 1, "Depth"), "8");
	assert_string_equal(cell(t, 1, "Interference"), "-"); /* no writes alone at depth 8 */
	assert_string_equal(cell(t, 2, "Depth"), "16");
	assert_string_equal(cell(t, 2, "Interference"), "-");
	stop(&f);
}

static void
test_open(void **state)
{
	(void)state;
	struct fixture f;
	struct profile_knee knee;
	start(&f);
	profile_knee_clear(&knee);
	knee.op = PROFILE_OP_RANDREAD;
	knee.bs_b = 4096;
	knee.iops = 10000;
	f.p.knees = &knee;
	f.p.n_knees = 1;
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 0.1, 8950);
	c->asked_iops = 9000;
	c->overload_frac = 0.004;
	c->p50_us = 190;
	c->p99_us = 2500;
	c->n = 9000;
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 0.2, 2499)->asked_iops = 2500;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "Open loop");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell(t, 0, "Asked, IOPS"), "2,500");
	assert_string_equal(cell(t, 0, "Of capacity"), "25 %");
	assert_string_equal(cell(t, 1, "Asked, IOPS"), "9,000");
	assert_string_equal(cell(t, 1, "Of capacity"), "90 %");
	assert_string_equal(cell(t, 1, "Achieved, IOPS (95 %)"), "8,950");
	assert_string_equal(cell(t, 1, "p50"), "190 us");
	assert_string_equal(cell(t, 1, "p99"), "2.5 ms");
	assert_string_equal(cell(t, 1, "Overload"), "0.4 %");
	stop(&f);
}

static void
test_series(void **state)
{
	(void)state;
	struct fixture f;
	struct profile_series s;
	double v[100];
	start(&f);
	profile_series_clear(&s);
	for (size_t i = 0; i < 100; i++)
		v[i] = i < 60 ? 200 : 50;
	s.op = PROFILE_OP_RANDWRITE;
	s.bs_b = 4096;
	s.qd = 16;
	s.bucket_s = 0.25;
	s.mibps = v;
	s.n_mibps = 100;
	s.verdict = "dropped";
	s.change_s = 15;
	s.why = "a write cache full after 2.9 GiB";
	f.p.hold = &s;
	bench_doc(&f.doc, &f.p);
	assert_says(&f.doc, "randwrite, 4 KiB, depth 16, 25 s: dropped: a write cache full");
	assert_says(&f.doc, "\u2588\u2583"); /* 50 of 200: two eighths */
	const struct doc_figure *figure = find_figure(&f.doc, "Held load over time");
	assert_non_null(figure);
	assert_int_equal(figure->kind, DOC_CHART_TIME);
	assert_int_equal(figure->n_series, 2);
	assert_int_equal(figure->series[0].n, 100);
	assert_true(figure->series[0].x[0] == 0.125 && figure->series[0].y[99] == 50);
	assert_int_equal(figure->series[1].mark, DOC_MARK_VLINE);
	assert_true(figure->series[1].x[0] == 15);
	/* 100 buckets in at most 40 rows: stretches of 3 */
	const struct doc_table *t = figure->data;
	assert_int_equal(t->n_rows, 34);
	assert_true(t->deep);
	assert_non_null(strstr(t->caption, "0.75 s"));
	assert_string_equal(cell(t, 0, "Mean (MiB/s)"), "200");
	assert_string_equal(cell(t, 33, "From (s)"), "24.75");
	assert_string_equal(cell(t, 33, "To (s)"), "25");
	assert_string_equal(cell(t, 20, "Mean (MiB/s)"), "50");
	stop(&f);
}

/* Without a sentence of its own the change is said in figures. */
static void
test_series_words(void **state)
{
	(void)state;
	static const struct {
		const char *verdict;
		enum doc_tone tone;
		double change_s, before, after, end_over_start;
		const char *says;
	} rows[] = {
		{"stable", DOC_PASS, NAN, NAN, NAN, 0.99, "Its end ran at 99 % of its start."},
		{"dropped", DOC_WARNING, 12, 200, 50, 0.25, "From 200 to 50 MiB/s after 12 s."},
		{"drifting", DOC_WARNING, NAN, NAN, NAN, 0.8, "Its end ran at 80 % of its start."},
		{"too-short", DOC_UNKNOWN, NAN, NAN, NAN, NAN, "too-short."},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		struct profile_series s;
		start(&f);
		profile_series_clear(&s);
		s.op = PROFILE_OP_WRITE;
		s.verdict = rows[i].verdict;
		s.change_s = rows[i].change_s;
		s.before_mibps = rows[i].before;
		s.after_mibps = rows[i].after;
		s.end_over_start = rows[i].end_over_start;
		f.p.first_write = &s;
		bench_doc(&f.doc, &f.p);
		assert_says(&f.doc, rows[i].says);
		for (size_t k = 1; k < f.doc.n; k++) {
			if (f.doc.blocks[k].kind == DOC_CALLOUT)
				assert_int_equal(f.doc.blocks[k].tone, rows[i].tone);
		}
		stop(&f);
	}
}

static void
test_cache_and_readahead(void **state)
{
	(void)state;
	struct fixture f;
	struct profile_cache c;
	struct profile_readahead r;
	start(&f);
	profile_cache_clear(&c);
	profile_readahead_clear(&r);
	c.reads = 500;
	c.cold_p50_us = 240;
	c.warm_p50_us = 80;
	c.warm_over_cold = 3;
	c.hit_frac = 0.02;
	r.read_ahead_kib = 128;
	r.bs_b = 65536;
	r.on_mibps = 300;
	r.off_mibps = 120;
	f.p.cache = &c;
	f.p.readahead = &r;
	bench_doc(&f.doc, &f.p);
	const struct doc_table *t = need_table(&f.doc, "The same blocks read twice");
	assert_int_equal(t->n_rows, 2); /* early reads were not made */
	assert_string_equal(cell(t, 0, "p50"), "240 us");
	assert_string_equal(cell(t, 1, "p50"), "80 us");
	assert_string_equal(cell(t, 0, "n"), "500");
	assert_says(&f.doc, "Warm reads were 3.00x as fast as cold ones.");
	assert_says(&f.doc, "2 % of the cold reads were as fast as warm ones.");
	t = need_table(&f.doc, "Read-ahead");
	assert_string_equal(cell(t, 0, "Read-ahead"), "on (128 KiB)");
	assert_string_equal(cell(t, 0, "Sequential buffered reads (MiB/s)"), "300");
	assert_string_equal(cell(t, 1, "Sequential buffered reads (MiB/s)"), "120");
	assert_says(&f.doc, "Read-ahead makes them 2.50x as fast.");
	stop(&f);
}

/* Columns that a line of UTF-8 takes: the blocks of a sparkline are one each. */
static size_t
columns_of(const char *line)
{
	size_t n = 0;
	for (; *line && *line != '\n'; line++)
		n += ((unsigned char)*line & 0xC0) != 0x80;
	return n;
}

/* A full measurement with wide figures stays within 100 columns of a terminal. */
static void
test_terminal_width(void **state)
{
	(void)state;
	struct fixture f;
	start(&f);
	for (int op = 0; op < PROFILE_OP_COUNT; op++) {
		for (int i = 0; i < 17; i++) {
			double bs_b = 512 << i;
			for (int qd = 1; qd <= 128; qd *= 128) {
				struct profile_cell *c = add_cell(
					&f, &f.p, op, bs_b, qd, 123456 >> (i / 2));
				c->iops_lo = c->iops * 0.9;
				c->iops_hi = c->iops * 1.1;
				c->mean_us = c->p50_us = 123456;
				c->p99_us = c->p99_lo_us = c->p99_hi_us = i % 2 ? 10900 : NAN;
				c->n = 1234567;
			}
		}
	}
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		struct profile_sync *s = add_sync(&f, &f.p, mode, mode % 2, 16, 12345);
		s->syncs_lo = 12000;
		s->syncs_hi = 12600;
		s->p50_us = s->mean_us = 316;
		s->write_mean_us = 316;
		s->sync_mean_us = 1260;
		s->n = 234567;
	}
	for (int op = 0; op < 2; op++) {
		struct profile_cell *c = add_cell(&f, &f.p, op, 4096, 128, 13908);
		c->iops_lo = 13280;
		c->iops_hi = 14109;
		c->mix_read_frac = 0.7;
		c->p50_us = c->p99_us = 12900;
		c->n = 50000;
		c = add_cell(&f, &f.p, op, 4096, 3.7, 113908);
		c->iops_lo = 113280;
		c->iops_hi = 114109;
		c->asked_iops = 114000;
		c->p50_us = c->p99_us = 12900;
		c->overload_frac = 0.012;
		c->n = 50000;
	}
	bench_doc(&f.doc, &f.p);
	struct render_options how = {.width = 100};
	struct buf out;
	struct err err = {0};
	buf_init(&out, 0);
	assert_int_equal(render(&f.doc, RENDER_TABLE, &how, &out, &err), 0);
	for (const char *line = buf_text(&out); *line; line += strcspn(line, "\n") + 1) {
		if (columns_of(line) > 100)
			fail_msg("%zu columns: %.*s", columns_of(line), (int)strcspn(line, "\n"),
				line);
	}
	buf_fini(&out);
	stop(&f);
}

/* Several disks: all verdicts before anything else, a comparison with the first for each other. */
static void
test_several(void **state)
{
	(void)state;
	struct fixture f;
	struct profile p[3];
	static const char *const names[] = {"one", "two", "three"};
	start(&f);
	for (size_t i = 0; i < 3; i++) {
		profile_clear(&p[i]);
		p[i].name = names[i];
		p[i].quality = &f.quality;
		add_cell(&f, &p[i], PROFILE_OP_RANDREAD, 4096, 1, 1000);
	}
	bench_docs(&f.doc, p, 3, true);
	size_t callouts = 0, headings = 0;
	const char *wanted[] = {"two against one", "three against one", "one", "two", "three"};
	for (size_t i = 0; i < f.doc.n; i++) {
		const struct doc_block *b = &f.doc.blocks[i];
		if (b->kind == DOC_CALLOUT && headings == 0)
			assert_non_null(strstr(b->text, names[callouts++]));
		if (b->kind == DOC_HEADING && b->level == 2) {
			assert_true(headings < 5);
			assert_string_equal(b->text, wanted[headings++]);
		}
	}
	assert_int_equal(callouts, 3);
	assert_int_equal(headings, 5);
	stop(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_sparkline),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_key_figures),
		cmocka_unit_test(test_both_commits),
		cmocka_unit_test(test_capacity),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_ladder_of_other_size),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_commits),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_series_words),
		cmocka_unit_test(test_cache_and_readahead),
		cmocka_unit_test(test_terminal_width),
		cmocka_unit_test(test_several),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
