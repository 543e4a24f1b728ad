/* A whole measurement: on the simulated disk (law recovered, same seed same bytes, interruption,
 * failure, lies, budget) and, where the folder of the build allows it, on a real file. */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/bench.h"
#include "bench/load.h"
#include "bench/target.h"

static struct arena arena;
static volatile sig_atomic_t stop;

struct seen {
	int saves, progress, stop_after; /* stop_after: progress calls until a stop; 0: never */
	size_t cells_at_save[16];
};

static void
on_progress(void *ctx, const struct bench_progress *p)
{
	struct seen *s = ctx;
	assert_true(p->done_frac >= 0 && p->done_frac <= 1 && p->left_s >= 0);
	if (++s->progress == s->stop_after)
		stop = 1;
}

static int
on_save(void *ctx, size_t disk, const struct profile *p, struct err *err)
{
	(void)err;
	struct seen *s = ctx;
	assert_int_equal(disk, 0);
	assert_int_equal(p->complete, 0);
	assert_non_null(p->quality);
	s->cells_at_save[s->saves++] = p->n_cells;
	return 0;
}

static int
run(const char *engine, const char *dir, double time_s, struct seen *seen, struct profile *p)
{
	struct bench_config c = {.dirs = &dir,
		.n_dirs = dir ? 1 : 0,
		.engines = &engine,
		.n_engines = 1,
		.time_s = time_s,
		.size_b = BENCH_FILE_MIN_B,
		.max_write_b = BENCH_MAX_WRITE_B,
		.seed = 1,
		.tool = "test",
		.stop = &stop,
		.ctx = seen,
		.progress = on_progress,
		.save = on_save};
	struct bench *b;
	struct err err = {0};
	stop = 0;
	int rc = bench_open(&c, &arena, &b, &err);
	if (rc == 0) {
		rc = bench_run(b, p, &err);
		bench_close(b);
	}
	if (rc)
		print_message("%s\n", err.text);
	return rc;
}

static const struct profile_cell *
cell(const struct profile *p, int op, double qd)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		if (p->cells[i].op == op && p->cells[i].qd == qd)
			return &p->cells[i];
	}
	fail_msg("no cell %d at depth %g", op, qd);
	return NULL;
}

static const struct finding *
finding(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->n_findings; i++) {
		if (strcmp(p->findings[i].code, code) == 0)
			return &p->findings[i];
	}
	return NULL;
}

/* Texts that must be there; "" when they are not. */
static const char *
verdict(const struct profile *p)
{
	return p->quality && p->quality->verdict ? p->quality->verdict : "";
}

static const char *
engine_of(const struct profile *p)
{
	return p->method && p->method->engine ? p->method->engine : "";
}

static void
near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got / want - 1) <= tolerance))
		fail_msg("%s: %.6g, expected %.6g within %g", what, got, want, tolerance);
}

static void
test_law(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	assert_int_equal(run("sim:read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500", NULL,
				 60, &seen, &p),
		0);
	assert_int_equal(p.complete, 1);
	assert_int_equal(p.trust, TRUST_ASSUMED);
	assert_string_equal(engine_of(&p), "sim");
	assert_string_equal(verdict(&p), "clean");
	static const double depths[] = {1, 2, 4, 8, 16, 32};
	for (size_t i = 0; i < 6; i++) {
		for (int op = PROFILE_OP_RANDREAD; op <= PROFILE_OP_RANDWRITE; op++) {
			const struct profile_cell *c = cell(&p, op, depths[i]);
			double base = op == PROFILE_OP_RANDREAD ? 250 : 150;
			double rate = fmin(20000, depths[i] / base * 1e6);
			near("IOPS", c->iops, rate, 0.01);
			near("mean", c->mean_us, depths[i] / rate * 1e6, 0.01);
			near("p50", c->p50_us, depths[i] / rate * 1e6, 0.01);
			near("Little", c->little_ratio, 1, 1e-9);
			near("MiB/s", c->mibps, c->iops / 256, 1e-9);
			assert_true(c->iops_lo <= c->iops && c->iops <= c->iops_hi);
			assert_true(c->n >= 1000 && c->p99_us >= c->p50_us);
			near("runtime", c->n / c->runtime_s, rate, 0.01);
		}
	}
	/* 500 MB/s of 1 MiB blocks */
	near("layout", cell(&p, PROFILE_OP_WRITE, 8)->iops, 500e6 / 1048576, 0.05);
	/* the law knows no difference between appending and writing over */
	size_t plain = 0;
	for (size_t i = 0; i < p.n_syncs; i++) {
		const struct profile_sync *y = &p.syncs[i];
		double rate = fmin(20000, 4000 * y->writers), mean_us = y->writers / rate * 1e6;
		near("commit mean", y->mean_us, mean_us, 0.01);
		near("commits", y->syncs_per_s, rate, 0.01);
		if (y->mode != PROFILE_SYNC_FDATASYNC)
			continue;
		plain++;
		near("sync mean", y->sync_mean_us, 100, 0.01);
		near("write mean", y->write_mean_us, mean_us - 100, 0.01);
	}
	assert_int_equal(p.n_syncs, 18);
	assert_int_equal(plain, 12);
	assert_non_null(finding(&p, "stamp"));
	/* after every phase: more every time */
	assert_true(seen.saves >= 7);
	assert_int_equal(seen.cells_at_save[0], 1);
	assert_int_equal(seen.cells_at_save[2], 13); /* cold and warm reads in between add none */
}

/*
 * Stalls of 100 ms at any moment, one a second (others' reads of 100 MB at 1000 MB/s), two fifths of a
 * slice: what is in flight when a slice ends is not forgotten, so the ladder keeps Little's law.
 */
static void
test_stalls(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	size_t ladder = 0;
	assert_int_equal(run("sim:read_us=1000,write_us=1000,sigma=0.3,mbps=1000,foreign_iops=1,"
			     "foreign_kib=97656",
				 NULL, 120, &seen, &p),
		0);
	for (size_t i = 0; i < p.n_cells; i++) {
		const struct profile_cell *c = &p.cells[i];
		if (c->bs_b != 4096 || isnan(c->little_ratio))
			continue;
		double rate = 0;
		for (size_t k = 0; k < c->n_slice_iops; k++)
			rate += c->slice_iops[k] / (double)c->n_slice_iops;
		double outstanding = rate * c->mean_us / 1e6;
		print_message("depth %g: Little's ratio %.9f, rate x mean %.4f\n", c->qd,
			c->little_ratio, outstanding / c->qd);
		near("Little's ratio", c->little_ratio, 1, 1e-9);
		/* over many slices the stalls at their ends are in both alike */
		near("rate x mean", outstanding / c->qd, 1, 0.03);
		ladder++;
	}
	assert_int_equal(ladder, 12); /* reads and writes at 1 to 32, as deep as the area allows */
}

/* 1 MiB at depth 8: 8/80 ms for new blocks, 8/40 ms written over, so 100 and 200 MiB/s. */
static void
test_first_touch(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	assert_int_equal(run("sim:write_us=40000,touch_us=40000", NULL, 60, &seen, &p), 0);
	near("layout", cell(&p, PROFILE_OP_WRITE, 8)->iops, 100, 0.05);
	assert_non_null(finding(&p, "first-touch"));
	assert_non_null(strstr(finding(&p, "first-touch")->text, "takes 2.0 times as long"));
	seen = (struct seen){0};
	assert_int_equal(run("sim:write_us=40000,touch_us=4000", NULL, 60, &seen, &p), 0);
	assert_null(finding(&p, "first-touch")); /* a tenth is no news */
}

static void
text_of(const char *engine, struct buf *out)
{
	struct seen seen = {0};
	struct profile p = {0};
	assert_int_equal(run(engine, NULL, 10, &seen, &p), 0);
	buf_init(out, 0);
	schema_write(&profile_schema, &p, out);
}

static void
test_same_bytes(void **state)
{
	(void)state;
	struct buf a, b, c;
	text_of("sim:sigma=0.4,iops=9000,seed=1", &a);
	text_of("sim:sigma=0.4,iops=9000,seed=1", &b);
	text_of("sim:sigma=0.4,iops=9000,seed=2", &c);
	assert_string_equal(buf_text(&a), buf_text(&b));
	assert_string_not_equal(buf_text(&a), buf_text(&c));
	buf_fini(&a);
	buf_fini(&b);
	buf_fini(&c);
}

/* A stop at any moment gives a partial profile that says so. */
static void
test_interrupted(void **state)
{
	(void)state;
	for (int after = 1; after < 100; after = after * 3 + 1) {
		struct seen seen = {.stop_after = after};
		struct profile p = {0};
		assert_int_equal(run("sim:iops=3000", NULL, 30, &seen, &p), ERR_INTERRUPTED);
		assert_int_equal(p.complete, 0);
		assert_non_null(finding(&p, "interrupted"));
		if (after > 20)
			assert_true(p.n_cells > 0);
	}
}

static void
test_failure(void **state)
{
	(void)state;
	static const char *const at[] = {"sim:fail_after=1", "sim:fail_after=90",
		"sim:fail_after=5000", "sim:fail_after=100000"};
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		struct seen seen = {0};
		struct profile p = {0};
		assert_int_equal(run(at[i], NULL, 10, &seen, &p), ERR_IO);
		assert_int_equal(p.complete, 0);
		const struct finding *f = finding(&p, "failed");
		assert_non_null(f);
		assert_non_null(strstr(f->text, "Input/output error"));
	}
}

/*
 * Disks too slow for the time end it by one request's time, not by rounds of them; what is left out
 * is said.  over_s: the longest single wait there is (a queue of 32, or a sync).
 */
static const struct slow_row {
	const char *engine;
	double time_s, over_s;
	int code;
	const char *finding;
} slow_rows[] = {
	{"sim:iops=20,unit_kib=1024", 20, 32 / 20.0, 0, "time-over"},
	{"sim:iops=5,unit_kib=1024", 20, 32 / 5.0, 0, "time-over"},
	{"sim:iops=5,unit_kib=1024", 5, 32 / 5.0, 0, "time-over"},
	{"sim:read_us=200000,write_us=200000,fsync_us=1000000", 5, 1.2, 0, "time-over"},
	{"sim:read_us=200000,write_us=200000,fsync_us=1000000", 20, 1.2, 0, "time-over"},
	{"sim:read_us=5000,write_us=5000,fsync_us=5000", 180, 0.3, 0, NULL},
	{"sim:read_us=3000000", 5, 3, 0, "time-over"},
	{"sim:fsync_us=10000000", 5, 10, ERR_INCONCLUSIVE, "failed"},
};

static void
test_slow(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(slow_rows) / sizeof(slow_rows[0]); i++) {
		const struct slow_row *r = &slow_rows[i];
		struct seen seen = {0};
		struct profile p = {0};
		int rc = run(r->engine, NULL, r->time_s, &seen, &p);
		if (rc != r->code || (r->finding && !finding(&p, r->finding)) ||
			(!r->finding && finding(&p, "time-over")))
			fail_msg("%s: code %d, or not the finding", r->engine, rc);
		if (p.method->duration_s > r->time_s + r->over_s)
			fail_msg("%s: %g s", r->engine, p.method->duration_s);
		assert_int_equal(p.complete, r->code == 0);
	}
}

/* A request that takes longer than a slice (0.25 s) still has a rate: 1 / 1 s. */
static void
test_longer_than_a_slice(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	assert_int_equal(run("sim:read_us=1000000", NULL, 180, &seen, &p), 0);
	static const double depths[] = {1, 8, 32};
	for (size_t i = 0; i < 3; i++) {
		const struct profile_cell *c = cell(&p, PROFILE_OP_RANDREAD, depths[i]);
		near("IOPS", c->iops, depths[i], 0.001);
		near("Little", c->little_ratio, 1, 1e-9);
	}
}

/* A disk that forgets every tenth write is found out. */
static void
test_lies(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	assert_int_equal(run("sim:lose_every=10", NULL, 10, &seen, &p), 0);
	assert_string_equal(verdict(&p), "not-the-disk");
	assert_non_null(strstr(finding(&p, "stamp")->text, "did not bring back"));
}

/* The budget holds to the byte, and every depth still gets its share. */
static void
test_budget(void **state)
{
	(void)state;
	const char *engine = "sim:write_us=10";
	struct bench_config c = {.engines = &engine,
		.n_engines = 1,
		.time_s = 60,
		.size_b = BENCH_FILE_MIN_B,
		.max_write_b = 2 * BENCH_FILE_MIN_B,
		.seed = 1};
	struct bench *b;
	struct profile p = {0};
	struct err err = {0};
	assert_int_equal(bench_open(&c, &arena, &b, &err), 0);
	assert_int_equal(bench_run(b, &p, &err), 0);
	bench_close(b);
	assert_true(p.method->bytes_written_b <= (double)c.max_write_b);
	assert_true(p.method->bytes_written_b > 0.7 * (double)c.max_write_b);
	for (double qd = 1; qd <= 32; qd *= 2)
		near("rate", cell(&p, PROFILE_OP_RANDWRITE, qd)->iops, 1e5 * qd, 0.02);
	assert_true(p.n_syncs >= 1);
}

static const struct config_row {
	double time_s;
	uint64_t size_b, max_write_b;
	const char *engine;
	int code;
} config_rows[] = {
	{4, 0, BENCH_MAX_WRITE_B, "sim", ERR_RANGE}, {NAN, 0, BENCH_MAX_WRITE_B, "sim", ERR_RANGE},
	{1e6, 0, BENCH_MAX_WRITE_B, "sim", ERR_RANGE},
	{5, BENCH_FILE_MIN_B - 1, BENCH_MAX_WRITE_B, "sim", ERR_RANGE},
	{5, 0, BENCH_FILE_MIN_B, "sim", ERR_RANGE},
	{5, 0, BENCH_MAX_WRITE_B, "simulation", ERR_USAGE},
	{5, 0, BENCH_MAX_WRITE_B, "", ERR_USAGE}, {5, 0, BENCH_MAX_WRITE_B, "sim:iops", ERR_PARSE},
	{5, 0, BENCH_MAX_WRITE_B, "libaio", ERR_USAGE}, /* no folder */
	{5, (uint64_t)1 << 50, (uint64_t)1 << 52, "sim", ERR_REFUSED}, /* does not fit */
};

static void
test_config(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(config_rows) / sizeof(config_rows[0]); i++) {
		const struct config_row *r = &config_rows[i];
		struct bench_config c = {.engines = &r->engine,
			.n_engines = 1,
			.time_s = r->time_s,
			.size_b = r->size_b,
			.max_write_b = r->max_write_b};
		struct bench *b = (struct bench *)1;
		struct err err = {0};
		int rc = bench_open(&c, &arena, &b, &err);
		if (rc != r->code || b)
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
	}
}

/* Cells of the ladder and commits; the area of 125 MiB has room for depths up to 32. */
static const struct select_row {
	const char *text;
	int code;
	size_t ladder, others, commits;
} select_rows[] = {
	{"ladder", 0, 12, 0, 0},
	{"randread", 0, 6, 0, 0},
	{"append", 0, 0, 0, 9},
	{"commit", 0, 0, 0, 18},
	{"append,overwrite,append", 0, 0, 0, 18},
	{"randread:1,randwrite:32,append", 0, 2, 0, 9},
	{"randread:4,randread:4", 0, 1, 0, 0},
	{"randread:64,randread:32", 0, 1, 0, 0},
	{"mix", 0, 0, 4, 0}, /* 70/30 at 1 and 8, 50/50 at 8: the knee when there is no ladder */
	{"randread,load", 0, 6, 4, 0},
	{"", ERR_USAGE, 0, 0, 0},
	{"append,", ERR_USAGE, 0, 0, 0},
	{"randread:3", ERR_USAGE, 0, 0, 0},
	{"randread:", ERR_USAGE, 0, 0, 0},
	{"appendix", ERR_USAGE, 0, 0, 0},
	{"read:1", ERR_USAGE, 0, 0, 0},
};

static bool
is_ladder(const struct profile_cell *c)
{
	return c->op <= PROFILE_OP_RANDWRITE && c->bs_b == 4096 && isnan(c->mix_read_frac) &&
	       isnan(c->asked_iops);
}

static void
test_select(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(select_rows) / sizeof(select_rows[0]); i++) {
		const struct select_row *r = &select_rows[i];
		const char *engine = "sim:iops=2000,mbps=200";
		struct bench_config c = {.engines = &engine,
			.n_engines = 1,
			.time_s = 20,
			.size_b = BENCH_FILE_MIN_B,
			.max_write_b = BENCH_MAX_WRITE_B,
			.tests = r->text};
		struct bench *b;
		struct profile p = {0};
		int rc = bench_open(&c, &arena, &b, NULL);
		assert_int_equal(rc, r->code);
		if (rc)
			continue;
		assert_int_equal(bench_run(b, &p, NULL), 0);
		bench_close(b);
		size_t ladder = 0, layout = 0;
		for (size_t k = 0; k < p.n_cells; k++) {
			ladder += is_ladder(&p.cells[k]);
			layout += p.cells[k].op == PROFILE_OP_WRITE;
		}
		assert_int_equal(layout, 1);
		assert_int_equal(ladder, r->ladder);
		/* of a mix each side is a cell */
		size_t others = p.n_cells - ladder - layout;
		assert_true(others == r->others || others == 2 * (r->others - 1));
		assert_int_equal(p.n_syncs, r->commits);
	}
}

/* All 17 sizes both ways, four ways of sequential, and no more than fits. */
static void
test_sizes(void **state)
{
	(void)state;
	struct seen seen = {0};
	struct profile p = {0};
	size_t random[2] = {0}, sequential[2] = {0};
	assert_int_equal(
		run("sim:read_us=250,write_us=150,iops=20000,mbps=500", NULL, 60, &seen, &p), 0);
	for (size_t i = 0; i < p.n_cells; i++) {
		const struct profile_cell *c = &p.cells[i];
		if (!isnan(c->mix_read_frac) || !isnan(c->asked_iops) || c->note)
			continue;
		if (c->op >= PROFILE_OP_READ) {
			sequential[c->op - PROFILE_OP_READ]++;
			continue;
		}
		random[c->op] += c->qd == 1;
		if (c->qd != 1)
			continue;
		double base = c->op == PROFILE_OP_RANDREAD ? 250 : 150;
		/* the cap lets a block through every bs/500 us; service overlaps nothing at depth 1 */
		near("latency", c->mean_us, fmax(base, c->bs_b / 500), 0.02);
	}
	for (int op = 0; op < 2; op++) {
		assert_int_equal(random[op], 16); /* 32 MiB x 4 is more than 125 MiB */
		assert_int_equal(sequential[op], 4);
	}
}

/* Two simulated disks in turns; the result of the run. */
static int
run_two(const char *const specs[2], struct profile p[2])
{
	struct bench_config c = {.engines = specs,
		.n_engines = 2,
		.time_s = 20,
		.size_b = BENCH_FILE_MIN_B,
		.max_write_b = BENCH_MAX_WRITE_B,
		.tests = "randread:1,randread:4"};
	struct bench *b;
	assert_int_equal(bench_open(&c, &arena, &b, NULL), 0);
	assert_int_equal(bench_disks(b), 2);
	int rc = bench_run(b, p, NULL);
	bench_close(b);
	return rc;
}

/* Both get their time, each its own figures. */
static void
test_two_disks(void **state)
{
	(void)state;
	struct profile p[2] = {{0}};
	const char *const specs[2] = {"sim:read_us=200", "sim:read_us=400"};
	assert_int_equal(run_two(specs, p), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(p[i].complete, 1);
		near("IOPS", cell(&p[i], PROFILE_OP_RANDREAD, 4)->iops, i ? 10000 : 20000, 0.01);
	}
}

/* One that fails does not take the other with it. */
static void
test_one_fails(void **state)
{
	(void)state;
	struct profile p[2] = {{0}};
	const char *const specs[2] = {"sim:fail_after=3000", "sim:read_us=400"};
	assert_int_equal(run_two(specs, p), ERR_IO);
	assert_int_equal(p[0].complete, 0);
	assert_non_null(finding(&p[0], "failed"));
	assert_int_equal(p[1].complete, 1);
	near("IOPS", cell(&p[1], PROFILE_OP_RANDREAD, 4)->iops, 10000, 0.01);
}

/* A folder for real files, or a skipped test. */
static void
real_dir(char dir[64])
{
	static struct target t;
	const struct safety_allow none = {false, false};
	struct err err = {0};
	snprintf(dir, 64, "run.XXXXXX");
	assert_non_null(mkdtemp(dir));
	int rc = target_open(dir, &none, &t, &err);
	if (rc == 0)
		rc = target_create(&t, false, &err);
	if (rc == 0 && safety_spare_b(t.total_b, t.free_b) < 2 * BENCH_FILE_MIN_B)
		rc = err_set(&err, ERR_REFUSED, "not enough free space");
	target_close(&t);
	if (rc) {
		rmdir(dir);
		print_message("skipped: %s\n", err.text);
		skip();
	}
}

/* Both real engines: what was written is what is read, and a block changed behind our back shows. */
static void
test_stamps(void **state)
{
	(void)state;
	static const char *const names[] = {"libaio", "psync"};
	enum { BLOCKS = 64, BLOCK = 4096, AREA = BLOCKS * BLOCK, READS = 40 * BLOCKS };
	static struct target t;
	static struct load l;
	static struct hist h;
	const struct safety_allow none = {false, false};
	char dir[64];
	real_dir(dir);
	for (size_t i = 0; i < 2; i++) {
		const struct engine *engine;
		const char *args;
		struct load_result r;
		struct load_seeds seeds = {1, 2};
		assert_int_equal(engine_find(names[i], &engine, &args, NULL), 0);
		assert_int_equal(target_open(dir, &none, &t, NULL), 0);
		assert_int_equal(target_create(&t, false, NULL), 0);
		struct engine_config ec = {.fd = t.fd, .depth = engine->depth_max};
		struct engine_run er = {engine, NULL};
		if (engine->open(&ec, &er.state, NULL) == ERR_UNSUPPORTED) {
			target_close(&t);
			continue;
		}
		assert_int_equal(load_init(&l, er, seeds, NULL, NULL), 0);
		hist_init(&h);
		struct hist *const lat[2] = {&h, &h};
		struct load_config c = {.read_frac = 0,
			.bs_b = BLOCK,
			.sequential = true,
			.qd = engine->depth_max < 8 ? 1 : 8,
			.end_b = AREA,
			.window_s = 60,
			.max_b = UINT64_MAX};
		assert_int_equal(load_run(&l, &c, lat, &r, NULL), 0);
		assert_int_equal(r.all_ios, BLOCKS);
		c = (struct load_config){.read_frac = 1,
			.bs_b = BLOCK,
			.qd = 1,
			.end_b = AREA,
			.window_s = 60,
			.max_b = (uint64_t)40 * AREA,
			.verify = true};
		assert_int_equal(load_run(&l, &c, lat, &r, NULL), 0);
		assert_int_equal(r.verified, READS);
		assert_int_equal(r.mismatched, 0);
		void *zeros = aligned_alloc(BLOCK, BLOCK);
		assert_non_null(zeros);
		memset(zeros, 0, BLOCK);
		assert_int_equal(pwrite(t.fd, zeros, BLOCK, (off_t)7 * BLOCK), BLOCK);
		free(zeros);
		assert_int_equal(load_run(&l, &c, lat, &r, NULL), 0);
		/* 2560 draws of 64 blocks: 40 expected of the changed one */
		assert_in_range(r.mismatched, 10, 90);
		engine->close(er.state);
		load_fini(&l);
		target_close(&t);
	}
	rmdir(dir);
}

/* Let io_setup fail as it does when aio-max-nr is used up. */
static int
forbid_io_setup(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 11 /* EAGAIN */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int
fallback_child(const char *dir)
{
	struct seen seen = {0};
	struct profile p = {0};
	if (forbid_io_setup())
		return 77;
	if (run("libaio", dir, 5, &seen, &p) != 0)
		return 1;
	const struct finding *f = finding(&p, "engine-fallback");
	if (!f || !strstr(f->text, "aio-max-nr") || strcmp(engine_of(&p), "psync") != 0)
		return 2;
	for (size_t i = 0; i < p.n_cells; i++) {
		if (p.cells[i].qd > 1)
			return 3;
	}
	return p.n_cells > 3 && p.n_syncs > 2 && p.complete == 1 ? 0 : 4;
}

static void
test_fallback(void **state)
{
	(void)state;
	char dir[64];
	int status = 0;
	real_dir(dir);
	pid_t pid = fork(); /* the filter cannot be taken off again */
	if (pid == 0)
		_exit(fallback_child(dir));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	rmdir(dir);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int
setup(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_law, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stalls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_touch, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_interrupted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_longer_than_a_slice, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_budget, setup, teardown),
		cmocka_unit_test_setup_teardown(test_config, setup, teardown),
		cmocka_unit_test_setup_teardown(test_select, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_disks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stamps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fallback, setup, teardown),
	};
	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
