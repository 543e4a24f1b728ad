/*
 * A profile as a fio result: what the importer reads back from it, what the bins hold, and that
 * fio's own reader of json+ takes it.  Figures come from samples drawn here, not from the writer.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hist.h"
#include "base/json.h"
#include "base/rng.h"
#include "profile/fio_write.h"
#include "profile/import.h"

enum { SAMPLES = 20011 }; /* no rank of a percentile is whole */

/* A histogram gives the middle of a bin, which is at most 1/256 from any value in it. */
static const double bin_frac = 1.0 / 256;

struct fixture {
	struct arena arena;
	struct profile out, in;
	struct buf text;
	struct import_outcome file;
};

static void
start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, 0);
	buf_init(&f->text, 0);
	profile_clear(&f->out);
	f->out.name = "disk";
	f->out.tool = "tierwise 0.1";
	f->out.started = "2026-03-04T05:06:07Z"; /* 1772600767 s, by date -u +%s */
	f->out.method = arena_alloc(&f->arena, sizeof(*f->out.method));
	f->out.environment = arena_alloc(&f->arena, sizeof(*f->out.environment));
	assert_true(f->out.method && f->out.environment);
	profile_method_clear(f->out.method);
	profile_environment_clear(f->out.environment);
	f->out.method->engine = "libaio";
	f->out.environment->device = "vdb";
}

static void
stop(struct fixture *f)
{
	buf_fini(&f->text);
	arena_fini(&f->arena);
}

static void
write_text(struct fixture *f)
{
	struct err err = {0};
	if (fio_write_text(&f->out, &f->text, &err))
		fail_msg("not written: %s", err.text);
}

/* Write, and read back with the importer of fio results. */
static void
round_trip(struct fixture *f)
{
	struct err err = {0};
	write_text(f);
	struct import *im = import_new(&f->in, &f->arena);
	assert_non_null(im);
	if (import_text(im, "x.json", buf_text(&f->text), f->text.len, &f->file, &err))
		fail_msg("not read: %s", err.text);
	assert_int_equal(import_finish(im, &err), 0);
	assert_int_equal(f->file.n_refused, 0);
}

static void
near(const char *what, double got, double want, double frac)
{
	if (!(fabs(got - want) <= frac * fabs(want)))
		fail_msg("%s is %.12g, expected %.12g", what, got, want);
}

/* fio's ends and percentiles are whole nanoseconds. */
#define SAME(got, want) near(#got, (got), (want), 1e-9)
#define WHOLE_NS(got, want) near(#got, (got), round((want)*1000) / 1000, 1e-9)

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Latencies of a known law, sorted; and their histogram as a profile carries it. */
struct law {
	double us[SAMPLES];
	double *bins_us, *bins_n;
	size_t n_bins;
};

static void
draw(struct law *l, struct arena *a, double median_us, double sigma, uint64_t seed)
{
	struct rng rng;
	struct hist *h = calloc(1, sizeof(*h));
	assert_non_null(h);
	hist_init(h);
	rng_seed(&rng, seed);
	for (size_t i = 0; i < SAMPLES; i++) {
		double ns = round(median_us * 1000 * exp(sigma * rng_normal(&rng)));
		l->us[i] = ns / 1000;
		hist_add(h, (int64_t)ns);
	}
	qsort(l->us, SAMPLES, sizeof(l->us[0]), by_value);
	l->bins_us = arena_array(a, HIST_BINS, sizeof(double));
	l->bins_n = arena_array(a, HIST_BINS, sizeof(double));
	assert_true(l->bins_us && l->bins_n);
	l->n_bins = 0;
	for (size_t i = 0; i < HIST_BINS; i++) {
		if (h->bins[i] == 0)
			continue;
		l->bins_us[l->n_bins] = hist_bin_mid_ns(i) / 1000;
		l->bins_n[l->n_bins++] = (double)h->bins[i];
	}
	free(h);
}

static double
quantile(const struct law *l, double p)
{
	return l->us[(size_t)ceil(p * SAMPLES) - 1];
}

/* A closed loop at depth qd of that law: the rate follows from Little's law. */
static struct profile_cell
cell_of(const struct law *l, int op, double bs_b, double qd)
{
	struct profile_cell c;
	double sum = 0, square = 0;
	for (size_t i = 0; i < SAMPLES; i++) {
		sum += l->us[i];
		square += l->us[i] * l->us[i];
	}
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.jobs = 1;
	c.mean_us = sum / SAMPLES;
	c.sd_us = sqrt(square / SAMPLES - c.mean_us * c.mean_us);
	c.min_us = l->us[0];
	c.max_us = l->us[SAMPLES - 1];
	c.iops = qd * 1e6 / c.mean_us;
	c.runtime_s = SAMPLES / c.iops;
	c.n = SAMPLES;
	c.submit_frac = 0.03;
	c.p50_us = quantile(l, 0.5);
	c.p90_us = quantile(l, 0.9);
	c.p95_us = quantile(l, 0.95);
	c.p99_us = quantile(l, 0.99);
	c.p999_us = quantile(l, 0.999);
	c.bins_us = l->bins_us;
	c.bins_n = l->bins_n;
	c.n_bins_us = c.n_bins_n = l->n_bins;
	return c;
}

static void
add(struct fixture *f, const struct profile_cell *c)
{
	struct err err;
	assert_int_equal(profile_add_cell(&f->out, &f->arena, c, &err), 0);
}

static void
check_cell(const struct profile_cell *got, const struct profile_cell *want)
{
	assert_int_equal(got->op, want->op);
	SAME(got->bs_b, want->bs_b);
	SAME(got->qd, want->qd);
	SAME(got->iops, want->iops);
	SAME(got->n, want->n);
	near("runtime_s", got->runtime_s, want->runtime_s, 0.0005 / want->runtime_s);
	SAME(got->mean_us, want->mean_us);
	SAME(got->sd_us, want->sd_us);
	WHOLE_NS(got->min_us, want->min_us);
	WHOLE_NS(got->max_us, want->max_us);
	WHOLE_NS(got->p50_us, want->p50_us);
	WHOLE_NS(got->p90_us, want->p90_us);
	WHOLE_NS(got->p95_us, want->p95_us);
	WHOLE_NS(got->p99_us, want->p99_us);
	WHOLE_NS(got->p999_us, want->p999_us);
	SAME(got->submit_frac, want->submit_frac);
}

static void
test_cells(void **state)
{
	(void)state;
	static const struct {
		int op;
		double bs_b, qd, jobs, median_us;
	} rows[] = {
		/* in the order of an import: operation, size, depth */
		{PROFILE_OP_RANDREAD, 512, 1, 1, 62.5},
		{PROFILE_OP_RANDREAD, 4096, 1, 1, 70},
		{PROFILE_OP_RANDREAD, 4096, 128, 4, 2100},
		{PROFILE_OP_RANDWRITE, 33554432, 1, 1, 80000},
		{PROFILE_OP_READ, 131072, 8, 1, 900},
		{PROFILE_OP_WRITE, 1048576, 8, 1, 5000},
	};
	struct fixture f;
	static struct law law;
	start(&f);
	for (size_t i = sizeof(rows) / sizeof(rows[0]); i-- > 0;) {
		draw(&law, &f.arena, rows[i].median_us, 0.3, i);
		struct profile_cell c = cell_of(&law, rows[i].op, rows[i].bs_b, rows[i].qd);
		c.jobs = rows[i].jobs;
		add(&f, &c);
	}
	round_trip(&f);
	size_t n = sizeof(rows) / sizeof(rows[0]);
	assert_int_equal(f.in.n_cells, n);
	assert_int_equal(f.in.n_syncs, 0);
	for (size_t i = 0; i < n; i++) {
		check_cell(&f.in.cells[i], &f.out.cells[n - 1 - i]);
		SAME(f.in.cells[i].jobs, rows[i].jobs);
		assert_string_equal(f.in.cells[i].percentile_of, "lat");
		near("mibps", f.in.cells[i].mibps,
			f.out.cells[n - 1 - i].iops * rows[i].bs_b / 1048576, 1e-5); /* whole B/s */
	}
	assert_string_equal(f.in.tool, "fio-3.33-tierwise");
	assert_string_equal(f.in.started, f.out.started);
	assert_string_equal(f.in.method->engine, "libaio");
	assert_string_equal(f.in.environment->device, "vdb");
	struct findings said = {.items = f.in.findings, .n = f.in.n_findings};
	assert_null(findings_find(&said, "little-law"));
	assert_null(findings_find(&said, "block-size"));
	assert_null(findings_find(&said, "buffered"));
	assert_null(findings_find(&said, "inferred"));
	stop(&f);
}

/* Without the percentiles the importer takes them from the bins: one bin away at most. */
static void
test_bins(void **state)
{
	(void)state;
	struct fixture f;
	static struct law law;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		start(&f);
		draw(&law, &f.arena, 0.4 * pow(20, (double)seed), 0.8, seed);
		struct profile_cell c = cell_of(&law, PROFILE_OP_RANDREAD, 4096, 4);
		c.p50_us = c.p90_us = c.p95_us = c.p99_us = c.p999_us = NAN;
		add(&f, &c);
		round_trip(&f);
		const struct profile_cell *in = &f.in.cells[0];
		near("p50", in->p50_us, quantile(&law, 0.5), bin_frac);
		near("p90", in->p90_us, quantile(&law, 0.9), bin_frac);
		near("p99", in->p99_us, quantile(&law, 0.99), bin_frac);
		near("p99.9", in->p999_us, quantile(&law, 0.999), bin_frac);
		stop(&f);
	}
}

static struct jval
member_of(struct json_doc *doc, const char *side, const char *latency)
{
	struct jval job = json_first(json_get(json_root(doc), "jobs"));
	return json_get(json_get(job, side), latency);
}

/* Every sample is in a bin, no key comes twice, keys are whole numbers in order. */
static void
test_bin_keys(void **state)
{
	(void)state;
	struct fixture f;
	struct json_doc *doc = NULL;
	struct err err;
	/* 256.5 and 256.9 ns are one whole nanosecond, 257 */
	double us[] = {0.2, 0.2565, 0.2569, 0.258, 1e9}, n[] = {1, 2, 4, 8, 16};
	start(&f);
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = PROFILE_OP_RANDREAD;
	c.bs_b = 4096;
	c.qd = 1;
	c.iops = 31;
	c.n = 31;
	c.runtime_s = 1;
	c.mean_us = 1000;
	c.bins_us = us;
	c.bins_n = n;
	c.n_bins_us = c.n_bins_n = 5;
	add(&f, &c);
	write_text(&f);
	assert_int_equal(json_parse("x", buf_text(&f.text), f.text.len, &doc, &err), 0);
	struct jval bins = json_get(member_of(doc, "read", "lat_ns"), "bins");
	assert_int_equal(json_count(bins), 4);
	static const struct {
		const char *key;
		double count;
	} rows[] = {{"200", 1}, {"257", 6}, {"258", 8}, {"1000000000000", 16}};
	struct jval b = json_first(bins);
	for (size_t i = 0; i < 4; i++, b = json_next(b)) {
		assert_string_equal(json_key(b), rows[i].key);
		SAME(json_number(b), rows[i].count);
	}
	assert_null(json_get(member_of(doc, "write", "lat_ns"), "bins").node);
	assert_int_equal(json_number(json_get(member_of(doc, "trim", "lat_ns"), "N")), 0);
	json_free(doc);
	stop(&f);
}

/* Completion latencies stay completion latencies. */
static void
test_clat(void **state)
{
	(void)state;
	struct fixture f;
	static struct law law;
	start(&f);
	draw(&law, &f.arena, 100, 0.3, 3);
	struct profile_cell c = cell_of(&law, PROFILE_OP_READ, 4096, 1);
	c.percentile_of = "clat";
	add(&f, &c);
	round_trip(&f);
	assert_string_equal(f.in.cells[0].percentile_of, "clat");
	check_cell(&f.in.cells[0], &f.out.cells[0]);
	stop(&f);
}

/* Two cells, one job; the share of reads is that of the counts. */
static void
test_mix(void **state)
{
	(void)state;
	struct fixture f;
	static struct law reads, writes;
	start(&f);
	draw(&reads, &f.arena, 100, 0.3, 1);
	draw(&writes, &f.arena, 200, 0.3, 2);
	for (int k = 0; k < 2; k++) {
		double qd = k ? 8 : 1;
		struct profile_cell r = cell_of(&reads, PROFILE_OP_RANDREAD, 4096, qd),
				    w = cell_of(&writes, PROFILE_OP_RANDWRITE, 4096, qd);
		r.mix_read_frac = w.mix_read_frac = 0.7;
		r.n = 14000;
		w.n = 6000;
		r.iops = 7000;
		w.iops = 3000;
		add(&f, &r);
		add(&f, &w);
	}
	round_trip(&f);
	assert_int_equal(f.in.n_cells, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct profile_cell *c = &f.in.cells[i];
		bool read = c->op == PROFILE_OP_RANDREAD;
		assert_int_equal(c->op, i < 2 ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE);
		SAME(c->mix_read_frac, 0.7);
		SAME(c->qd, i % 2 ? 8 : 1);
		SAME(c->iops, read ? 7000 : 3000);
		WHOLE_NS(c->p99_us, quantile(read ? &reads : &writes, 0.99));
	}
	stop(&f);
}

static struct profile_sync
commit(int mode, int pattern, double writers)
{
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = mode;
	s.pattern = pattern;
	s.bs_b = 8192;
	s.writers = writers;
	s.mean_us = 1500;
	s.p50_us = 1400;
	s.p99_us = 4000;
	s.p999_us = 9000;
	s.max_us = 12000;
	s.write_mean_us = 300;
	s.sync_mean_us = 1200;
	s.sync_p50_us = 1100;
	s.sync_p99_us = 3600;
	s.syncs_per_s = writers * 1e6 / 1500;
	s.n = s.syncs_per_s * 6;
	return s;
}

static void
test_commits(void **state)
{
	(void)state;
	struct fixture f;
	struct err err;
	static const double writers[PROFILE_SYNC_COUNT] = {1, 4, 16, 1};
	start(&f);
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		struct profile_sync s = commit(mode, mode % 2, writers[mode]);
		assert_int_equal(profile_add_sync(&f.out, &f.arena, &s, &err), 0);
	}
	round_trip(&f);
	assert_int_equal(f.in.n_syncs, PROFILE_SYNC_COUNT);
	assert_int_equal(f.in.n_cells, 0);
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		const struct profile_sync *s = &f.in.syncs[mode];
		bool apart = mode == PROFILE_SYNC_FSYNC || mode == PROFILE_SYNC_FDATASYNC;
		assert_int_equal(s->mode, mode);
		assert_int_equal(s->pattern, mode % 2);
		SAME(s->bs_b, 8192);
		SAME(s->writers, writers[mode]);
		/* apart: the count of syncs over whole milliseconds */
		near("syncs_per_s", s->syncs_per_s, writers[mode] * 1e6 / 1500, 1e-3);
		SAME(s->mean_us, 1500);
		if (apart) {
			SAME(s->write_mean_us, 300);
			SAME(s->sync_mean_us, 1200);
			SAME(s->sync_p50_us, 1100);
			SAME(s->sync_p99_us, 3600);
		} else {
			SAME(s->p50_us, 1400);
			SAME(s->p99_us, 4000);
			SAME(s->p999_us, 9000);
			SAME(s->max_us, 12000);
		}
	}
	stop(&f);
}

/* A rate asked for is an option, so that nobody takes the point for a closed loop. */
static void
test_open_loop(void **state)
{
	(void)state;
	struct fixture f;
	static struct law law;
	start(&f);
	draw(&law, &f.arena, 100, 0.3, 1);
	struct profile_cell c = cell_of(&law, PROFILE_OP_RANDREAD, 4096, 64);
	c.asked_iops = 3000;
	c.iops = 2990;
	add(&f, &c);
	round_trip(&f);
	struct findings said = {.items = f.in.findings, .n = f.in.n_findings};
	assert_non_null(findings_find(&said, "rate-limited"));
	SAME(f.in.cells[0].iops, 2990);
	stop(&f);
}

static void
test_unknown_and_hostile(void **state)
{
	(void)state;
	struct fixture f;
	struct err err = {0};
	struct profile_cell c;
	start(&f);
	assert_int_equal(fio_write_text(&f.out, &f.text, &err), ERR_UNSUPPORTED);
	assert_int_equal(f.text.len, 0);
	f.out.method = NULL;
	f.out.environment = NULL;
	f.out.started = "yesterday";
	profile_cell_clear(&c);
	c.op = PROFILE_OP_RANDREAD;
	c.bs_b = 4096;
	c.qd = 2;
	c.iops = 1000;
	c.note = "\"}, \x01\n\xff\\ end";
	add(&f, &c);
	write_text(&f);
	struct json_doc *doc = NULL;
	if (json_parse("x", buf_text(&f.text), f.text.len, &doc, &err))
		fail_msg("%s", err.text);
	assert_null(json_get(json_root(doc), "timestamp").node);
	struct jval read = member_of(doc, "read", "lat_ns");
	SAME(json_number(json_get(read, "N")), 0);
	SAME(json_number(json_get(read, "mean")), 0);
	assert_null(json_get(read, "percentile").node);
	assert_string_equal(
		json_text(json_get(json_first(json_get(json_root(doc), "jobs")), "desc")),
		"\"}, \x01\n\xEF\xBF\xBD\\ end");
	json_free(doc);
	stop(&f);
}

static void
test_file(void **state)
{
	(void)state;
	struct fixture f;
	struct err err = {0};
	char dir[] = "/tmp/fio_write.XXXXXX", path[128];
	static struct law law;
	start(&f);
	assert_non_null(mkdtemp(dir));
	draw(&law, &f.arena, 100, 0.3, 1);
	struct profile_cell c = cell_of(&law, PROFILE_OP_RANDREAD, 4096, 64);
	add(&f, &c);
	write_text(&f);
	snprintf(path, sizeof(path), "%s/no/x.fio.json", dir);
	assert_int_equal(fio_write(&f.out, path, &err), ERR_IO);
	snprintf(path, sizeof(path), "%s/x.fio.json", dir);
	assert_int_equal(fio_write(&f.out, path, &err), 0);
	struct import *im = import_new(&f.in, &f.arena);
	assert_int_equal(import_file(im, path, "x", &f.file, &err), 0);
	assert_int_equal(f.file.n_cells, 1);
	unlink(path);
	assert_int_equal(rmdir(dir), 0); /* and nothing else was left there */
	stop(&f);
}

/* fio's script that turns json+ into CSV checks, with --validate, that every bin came through. */
static void
run_clat2csv(const char *dir, size_t n_jobs)
{
	char command[512], line[512];
	size_t validated = 0;
	snprintf(command, sizeof(command),
		"cd %s && fio_jsonplus_clat2csv x.fio.json x.csv 2>&1 && "
		"fio_jsonplus_clat2csv x.fio.json x.csv --validate 2>&1",
		dir);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	while (fgets(line, sizeof(line), out)) {
		if (strstr(line, "validated"))
			validated++;
		else if (!strstr(line, "generated"))
			print_message("%s", line);
	}
	assert_int_equal(pclose(out), 0);
	assert_int_equal(validated, n_jobs);
}

static void
test_clat2csv(void **state)
{
	(void)state;
	if (system("fio_jsonplus_clat2csv --help >/dev/null 2>&1") != 0) {
		print_message("fio_jsonplus_clat2csv is not here\n");
		skip();
	}
	struct fixture f;
	struct err err = {0};
	char dir[] = "/tmp/fio_write.XXXXXX", path[128], command[128];
	static struct law law;
	start(&f);
	assert_non_null(mkdtemp(dir));
	for (int op = 0; op < PROFILE_OP_COUNT; op++) {
		draw(&law, &f.arena, 100, 0.5, (uint64_t)op);
		struct profile_cell c = cell_of(&law, op, 4096, 4);
		add(&f, &c);
	}
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		struct profile_sync s = commit(mode, PROFILE_APPEND, 1);
		assert_int_equal(profile_add_sync(&f.out, &f.arena, &s, &err), 0);
	}
	snprintf(path, sizeof(path), "%s/x.fio.json", dir);
	assert_int_equal(fio_write(&f.out, path, &err), 0);
	run_clat2csv(dir, PROFILE_OP_COUNT + PROFILE_SYNC_COUNT);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	stop(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_bin_keys),
		cmocka_unit_test(test_clat),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_commits),
		cmocka_unit_test(test_open_loop),
		cmocka_unit_test(test_unknown_and_hostile),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_clat2csv),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
