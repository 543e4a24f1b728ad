/*
 * The phases that look for what runs out: the load held, the same reads twice, read-ahead; on
 * simulated disks, whose law says what is to be found, and the last one on a real file.
 */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/units.h"
#include "bench/bench.h"
#include "bench/pagecache.h"
#include "bench/steady.h"
#include "bench/target.h"

static struct arena arena;

struct plan {
	const char *engine, *tests, *dir;
	double time_s;
	uint64_t max_write_b, size_b;
	bool polite;
	int (*save)(void *ctx, size_t disk, const struct profile *p, struct err *err);
};

static struct profile
run(const struct plan *plan)
{
	struct bench_config c = {.dirs = &plan->dir,
		.n_dirs = plan->dir != NULL,
		.engines = &plan->engine,
		.n_engines = 1,
		.time_s = plan->time_s,
		.size_b = plan->size_b ? plan->size_b : (uint64_t)256 << 20,
		.max_write_b = plan->max_write_b ? plan->max_write_b : BENCH_MAX_WRITE_B,
		.seed = 1,
		.tests = plan->tests,
		.polite = plan->polite,
		.save = plan->save};
	struct bench *b;
	struct profile p = {0};
	struct err err = {0};
	int rc = bench_open(&c, &arena, &b, &err);
	if (rc == 0) {
		rc = bench_run(b, &p, &err);
		bench_close(b);
	}
	if (rc)
		fail_msg("%s: %s", plan->engine, err.text);
	return p;
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

static const struct profile_series *
hold_of(const struct profile *p)
{
	if (!p->hold) {
		fail_msg("nothing was held");
		abort(); /* not reached; for the analyzer */
	}
	return p->hold;
}

static const struct profile_cache *
cache_of(const struct profile *p)
{
	if (!p->cache) {
		fail_msg("nothing was read twice");
		abort();
	}
	return p->cache;
}

static void
near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got / want - 1) <= tolerance))
		fail_msg("%s: %.6g, expected %.6g within %g", what, got, want, tolerance);
}

/* 20,000 IOPS of 4 KiB are 78.125 MiB/s, from the first bucket to the last. */
static void
test_steady_disk(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){
		.engine = "sim:write_us=200,iops=20000", .tests = "ladder,hold", .time_s = 60});
	assert_string_equal(hold_of(&p)->verdict, "stable");
	assert_int_equal(hold_of(&p)->op, PROFILE_OP_RANDWRITE);
	near("depth", hold_of(&p)->qd, 4, 0); /* 4 / 200 us */
	near("end over start", hold_of(&p)->end_over_start, 1, 0.01);
	assert_true(hold_of(&p)->n_mibps >= 12);
	for (size_t i = 1; i < hold_of(&p)->n_mibps; i++)
		near("MiB/s", hold_of(&p)->mibps[i], 78.125, 0.02);
	assert_true(isnan(hold_of(&p)->change_s));
	assert_null(finding(&p, "hold-dropped"));
	assert_null(finding(&p, "hold-reads"));
	assert_null(finding(&p, "hold-below-ladder"));
}

/* Bytes that do not last for half of the time: reads are held, and it is said. */
static void
test_budget(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){.engine = "sim:read_us=500,write_us=100",
		.tests = "hold",
		.time_s = 30,
		.max_write_b = (uint64_t)512 << 20});
	const struct finding *f = finding(&p, "hold-reads");
	assert_non_null(f);
	assert_non_null(strstr(f->text, "0.5 GiB"));
	assert_int_equal(hold_of(&p)->op, PROFILE_OP_RANDREAD);
	/* depth 8 where there is no ladder: 16,000 IOPS, 62.5 MiB/s */
	near("depth", hold_of(&p)->qd, 8, 0);
	near("MiB/s", hold_of(&p)->mibps[4], 62.5, 0.02);
	assert_true(p.method->bytes_written_b <= (double)((uint64_t)512 << 20));
	/* enough for writes: 80,000 IOPS for some 25 s are 8.2 GB */
	p = run(&(struct plan){.engine = "sim:read_us=500,write_us=100",
		.tests = "hold",
		.time_s = 30,
		.max_write_b = (uint64_t)12 << 30});
	assert_null(finding(&p, "hold-reads"));
	assert_int_equal(hold_of(&p)->op, PROFILE_OP_RANDWRITE);
	near("MiB/s", hold_of(&p)->mibps[4], 312.5, 0.02);
}

/* Nothing is held when there is no time for it, or when pauses were asked for; both are said. */
static void
test_left_out(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){.engine = "sim:", .time_s = 10});
	assert_null(p.hold);
	assert_non_null(finding(&p, "hold-too-short"));
	p = run(&(struct plan){.engine = "sim:", .tests = "hold", .time_s = 30, .polite = true});
	assert_null(p.hold);
	assert_non_null(finding(&p, "no-hold"));
	p = run(&(struct plan){.engine = "sim:", .tests = "randread:1", .time_s = 10});
	assert_null(p.hold);
	assert_null(p.cache);
}

/* No cache: the same time twice, and no telling hits from misses. */
static void
test_no_cache(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){
		.engine = "sim:read_us=300,sigma=0.3", .tests = "cache", .time_s = 20});
	near("reads", cache_of(&p)->reads, 500, 0);
	near("cold", cache_of(&p)->cold_p50_us, 300, 0.05); /* median +- 1.25 x 0.3 / sqrt(500) */
	near("warm", cache_of(&p)->warm_p50_us, 300, 0.05);
	near("early", cache_of(&p)->early_p50_us, 300, 0.05);
	near("ratio", cache_of(&p)->warm_over_cold, 1, 0.1);
	assert_true(isnan(cache_of(&p)->hit_frac));
	/* 20 reads a second: a third of 6/26 of the time holds fewer than 30 */
	p = run(&(struct plan){.engine = "sim:read_us=50000,write_us=1000",
		.tests = "cache,ladder",
		.time_s = 10});
	assert_null(p.cache);
}

/*
 * 100,000 credits, used up at 10,000 - 1,000 a second.  Before the load is held the file took 1,024
 * of them (256 x 1 MiB at 256 KiB a token) and a trial of a quarter of a second some 2,700.
 */
static void
test_credits(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){
		.engine = "sim:write_us=400,iops=1000,burst_iops=10000,burst_ios=100000",
		.tests = "hold",
		.time_s = 30});
	const struct profile_series *h = hold_of(&p);
	assert_string_equal(h->verdict, "dropped");
	near("when", h->change_s, (100000 - 1024 - 2700) / 9000.0, 0.06);
	near("before", h->before_mibps, 10000 / 256.0, 0.02);
	near("after", h->after_mibps, 1000 / 256.0, 0.02);
	near("end over start", h->end_over_start, 0.1, 0.02);
	near("written", h->written_b, h->change_s * 10000 * 4096, 0.05);
	assert_non_null(strstr(h->why, "likely burst credits used up after 10"));
	const struct finding *f = finding(&p, "hold-dropped");
	assert_non_null(f);
	assert_int_equal(f->severity, SEVERITY_WARNING);
	assert_non_null(strstr(f->todo, "plan with 1,000 IOPS"));
}

/*
 * A cache of 256 MiB that takes 8 / 500 us = 16,000 writes a second and gives 2,000 on: it is full
 * 256 MiB / (14,000 x 4 KiB) = 4.68 s after it was empty, of which a trial took 0.27.
 */
static void
test_write_cache(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){
		.engine = "sim:write_us=200,iops=2000,wcache_mib=256,wcache_us=500,flush_drains=1",
		.tests = "hold",
		.time_s = 30});
	const struct profile_series *h = hold_of(&p);
	assert_string_equal(h->verdict, "dropped");
	near("when", h->change_s, 256 * 256 / 14000.0 - 0.27, 0.08);
	near("before", h->before_mibps, 16000 / 256.0, 0.02);
	near("after", h->after_mibps, 2000 / 256.0, 0.02);
	assert_non_null(strstr(h->why, "a write cache full after 2"));
	assert_non_null(finding(&p, "hold-dropped"));
}

/*
 * The file itself fills a cache: 8 MiB / 20 ms in, 100 MB/s out, so 512 MiB are dirty after 1.68 s
 * and 672 MiB.
 */
static void
test_first_write(void **state)
{
	(void)state;
	struct profile p = run(
		&(struct plan){.engine = "sim:write_us=200,mbps=100,wcache_mib=512,wcache_us=20000",
			.tests = "cache",
			.size_b = (uint64_t)1536 << 20,
			.time_s = 60});
	const struct profile_series *w = p.first_write;
	assert_non_null(w);
	if (!w)
		return;
	assert_string_equal(w->verdict, "dropped");
	near("written", w->written_b, 672 * UNITS_MIB, 0.1);
	near("before", w->before_mibps, 400, 0.05);
	near("after", w->after_mibps, 100 / 1.048576, 0.05);
	const struct finding *f = finding(&p, "first-write-dropped");
	assert_non_null(f);
	assert_non_null(strstr(f->text, "a write cache full after"));
	assert_non_null(strstr(f->text, "MiB/s"));
}

/* Service times that triple in a minute. */
static void
test_drift(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){
		.engine = "sim:write_us=400,drift_frac=2", .tests = "hold", .time_s = 30});
	assert_string_equal(hold_of(&p)->verdict, "drifting");
	/* the straight line through 1 / (1 + 2 t / 60) over 400,000 requests, which are 20 s */
	near("length", (double)hold_of(&p)->n_mibps * STEADY_BUCKET_S, 20, 0.05);
	near("end over start", hold_of(&p)->end_over_start, 0.60, 0.05);
	assert_non_null(finding(&p, "hold-drifting"));
}

/* The last 64 of 256 MiB written are in a cache, and what was read is. */
static void
test_read_cache(void **state)
{
	(void)state;
	struct profile p = run(&(struct plan){.engine = "sim:read_us=400,cache_mib=64,cache_us=50",
		.tests = "cache",
		.time_s = 20});
	near("cold", cache_of(&p)->cold_p50_us, 400, 0.01);
	near("warm", cache_of(&p)->warm_p50_us, 50, 0.01);
	near("early", cache_of(&p)->early_p50_us, 400, 0.01);
	near("ratio", cache_of(&p)->warm_over_cold, 8, 0.02);
	/* a quarter of 500, standard deviation 0.019 */
	assert_true(fabs(cache_of(&p)->hit_frac - 0.25) < 0.07);
}

/* A folder on the disk of the build, or a skip. */
static void
real_dir(char dir[64])
{
	const struct safety_allow none = {false, false};
	static struct target t;
	struct err err = {0};
	snprintf(dir, 64, "hold.XXXXXX");
	assert_non_null(mkdtemp(dir));
	if (target_open(dir, &none, &t, &err)) {
		rmdir(dir);
		print_message("skipped: %s\n", err.text);
		skip();
	}
	bool device = t.has_device;
	target_close(&t);
	if (!device) {
		rmdir(dir);
		print_message("skipped: no block device is visible here\n");
		skip();
	}
}

static size_t files_seen;
static double cached_frac;

/* What is in memory of the nameless file that is open now. */
static int
look_at_pages(void *ctx, size_t disk, const struct profile *p, struct err *err)
{
	(void)ctx;
	(void)disk;
	(void)p;
	(void)err;
	for (int fd = 3; fd < 64; fd++) {
		struct stat st;
		struct pagecache pages;
		if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 0)
			continue;
		if (pagecache_read(fd, (uint64_t)st.st_size, &pages, NULL))
			continue;
		files_seen++;
		cached_frac = fmax(cached_frac, pages.cached_frac);
	}
	return 0;
}

/*
 * Read-ahead makes a scan faster, or there is none; and afterwards nothing of the file is in the
 * page cache, where later direct reads would find it.
 */
static void
test_readahead(void **state)
{
	(void)state;
	char dir[64];
	real_dir(dir);
	files_seen = 0;
	cached_frac = 0;
	struct profile p = run(&(struct plan){.engine = "psync",
		.dir = dir,
		.tests = "readahead",
		.time_s = 10,
		.save = look_at_pages});
	rmdir(dir);
	if (!p.readahead) {
		print_message("skipped: the kernel does not tell how far it reads ahead\n");
		skip();
		return;
	}
	print_message("read-ahead %g KiB: %.0f MiB/s, without %.0f\n", p.readahead->read_ahead_kib,
		p.readahead->on_mibps, p.readahead->off_mibps);
	near("block", p.readahead->bs_b, 8192, 0);
	assert_true(p.readahead->on_mibps > 0 && p.readahead->off_mibps > 0);
	if (files_seen == 0)
		skip();
	assert_true(cached_frac <= 0);
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
		cmocka_unit_test_setup_teardown(test_steady_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_budget, setup, teardown),
		cmocka_unit_test_setup_teardown(test_left_out, setup, teardown),
		cmocka_unit_test_setup_teardown(test_credits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_write_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_write, setup, teardown),
		cmocka_unit_test_setup_teardown(test_drift, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_read_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_readahead, setup, teardown),
	};
	return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
