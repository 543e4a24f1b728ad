/*
 * Commits on the simulated disk by one and several writers, against the law by hand: each waits for
 * its write and then for its flush, in a loop of its own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/engine.h"

enum { AREA_B = 256 << 20 };

struct committed {
	int rc;
	struct err err;
	struct commit_result r;
	struct hist both, write, sync;
	struct diskstats before, after;
	double rate, begin_s, end_s; /* on the engine's clock */
};

static struct committed *
run(const char *law, const struct commit_config *c)
{
	static struct committed o;
	const struct engine *engine;
	const char *args;
	char spec[256] = "sim:";
	void *state;
	memset(&o, 0, sizeof(o));
	strncat(spec, law, sizeof(spec) - 5);
	assert_int_equal(engine_find(spec, &engine, &args, &o.err), 0);
	struct engine_config ec = {.fd = -1, .depth = 1, .args = args, .size_b = AREA_B};
	assert_int_equal(engine->open(&ec, &state, &o.err), 0);
	hist_init(&o.both);
	hist_init(&o.write);
	hist_init(&o.sync);
	struct commit_lat lat = {&o.both, &o.write, &o.sync};
	assert_true(engine->counters(state, &o.before));
	o.begin_s = (double)engine->now_ns(state) / 1e9;
	o.rc = engine->commit(state, c, &lat, &o.r, &o.err);
	o.end_s = (double)engine->now_ns(state) / 1e9;
	assert_true(engine->counters(state, &o.after));
	if (o.r.window_ns > 0)
		o.rate = (double)o.r.commits / ((double)o.r.window_ns / 1e9);
	engine->close(state);
	return &o;
}

static struct commit_config
config(int mode, int pattern, unsigned writers)
{
	bool append = pattern == PROFILE_APPEND;
	return (struct commit_config){.mode = mode,
		.pattern = pattern,
		.bs_b = 8192,
		.writers = writers,
		.from_b = append ? AREA_B : 0,
		.end_b = append ? (int64_t)AREA_B * 64 : AREA_B,
		.ramp_s = 0.1,
		.window_s = 5,
		.max_b = UINT64_MAX};
}

static void
near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got / want - 1) <= tolerance))
		fail_msg("%s: %.8g, expected %.8g within %g", what, got, want, tolerance);
}

static const struct law_row {
	const char *law;
	int mode, pattern;
	unsigned writers;
	double rate, write_us, sync_us; /* sync_us 0: all is in the write */
} law_rows[] = {
	{"write_us=150,fsync_us=100", PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 1, 4000, 150, 100},
	{"write_us=150,fsync_us=100", PROFILE_SYNC_FSYNC, PROFILE_OVERWRITE, 1, 4000, 150, 100},
	{"write_us=150,fsync_us=100", PROFILE_SYNC_ODSYNC, PROFILE_OVERWRITE, 1, 4000, 250, 0},
	{"write_us=150,fsync_us=100", PROFILE_SYNC_ODSYNC_DIRECT, PROFILE_APPEND, 1, 4000, 250, 0},
	/* side by side */
	{"write_us=150,fsync_us=100", PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 4, 16000, 150,
		100},
	{"write_us=150,fsync_us=100", PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 16, 64000, 150, 100},
	{"write_us=150,fsync_us=100", PROFILE_SYNC_ODSYNC, PROFILE_OVERWRITE, 16, 64000, 250, 0},
	/* the cap is on writes: 16 writers wait 8 ms a commit, 7.9 of them for a token */
	{"write_us=150,fsync_us=100,iops=2000", PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 16, 2000,
		7900, 100},
	/* one actuator: 5 + 4 ms each, whoever waits */
	{"write_us=5000,fsync_us=4000,slots=1", PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 1,
		1000 / 9.0, 5000, 4000},
	/* a log is written in order: near the write before */
	{"write_us=5000,fsync_us=4000,slots=1,seq_us=60", PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 1,
		1e6 / 4060, 60, 4000},
	/* no volatile cache: nothing to flush */
	{"write_us=150,fsync_us=0", PROFILE_SYNC_ODSYNC, PROFILE_OVERWRITE, 4, 4e6 / 150, 150, 0},
	/* a journal commit with what grows, and only then */
	{"write_us=150,fsync_us=100,append_us=250", PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 4, 8000,
		150, 350},
	{"write_us=150,fsync_us=100,append_us=250", PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 4,
		16000, 150, 100},
	/* a write cache makes the write short */
	{"write_us=150,fsync_us=100,wcache_mib=8,wcache_us=20", PROFILE_SYNC_FDATASYNC,
		PROFILE_OVERWRITE, 1, 1e6 / 120, 20, 100},
};

static void
test_law(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(law_rows) / sizeof(law_rows[0]); i++) {
		const struct law_row *r = &law_rows[i];
		struct commit_config c = config(r->mode, r->pattern, r->writers);
		struct committed *o = run(r->law, &c);
		assert_int_equal(o->rc, 0);
		print_message("%s, %u writers: %.1f/s\n", r->law, r->writers, o->rate);
		near("rate", o->rate, r->rate, 0.005);
		near("both", hist_mean_ns(&o->both) / 1e3, r->write_us + r->sync_us, 0.005);
		near("write", hist_mean_ns(&o->write) / 1e3, r->write_us, 0.005);
		if (r->sync_us > 0)
			near("sync", hist_mean_ns(&o->sync) / 1e3, r->sync_us, 0.005);
		assert_int_equal(o->both.n, o->r.commits);
		assert_int_equal(o->write.n, o->r.commits);
		assert_int_equal(o->sync.n, r->sync_us > 0 ? o->r.commits : 0);
		assert_false(o->r.cut || o->r.late);
		/* the device saw each of them, and the ramp */
		assert_int_equal(o->after.writes - o->before.writes, o->r.all_commits);
		assert_int_equal(o->r.written_b, o->r.all_commits * c.bs_b);
		assert_int_equal(o->after.sectors - o->before.sectors, o->r.written_b / 512);
		bool volatile_cache = !strstr(r->law, "fsync_us=0");
		assert_int_equal(o->after.flushes - o->before.flushes,
			volatile_cache ? o->r.all_commits : 0);
		near("window", (double)o->r.window_ns / 1e9, c.window_s, 0.005);
		assert_true(o->r.all_commits > o->r.commits);
		near("time", o->end_s - o->begin_s, c.ramp_s + c.window_s, 0.01);
		if (r->pattern == PROFILE_APPEND)
			assert_int_equal(o->r.end_b, c.from_b + (int64_t)o->r.written_b);
	}
}

/* What ends it early is said, and what was measured until then is right. */
static void
test_ends(void **state)
{
	(void)state;
	static const char law[] = "write_us=150,fsync_us=100";
	/* room for 100 blocks: 25 rounds of 4 */
	struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 4);
	c.ramp_s = 0;
	c.end_b = c.from_b + (int64_t)100 * 8192;
	struct committed *o = run(law, &c);
	assert_int_equal(o->rc, 0);
	assert_true(o->r.cut && !o->r.late);
	assert_int_equal(o->r.all_commits, 100);
	assert_int_equal(o->r.end_b, c.end_b);
	near("time", o->end_s, 25 * 250e-6, 0.001);

	/* bytes: no more than asked for */
	c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 16);
	c.max_b = (uint64_t)1000 * 8192 + 5;
	o = run(law, &c);
	assert_true(o->rc == 0 && o->r.cut);
	assert_int_equal(o->r.written_b, 1000 * 8192);

	/* a quarter of what there is ends the ramp: 10 blocks are begun with the 7th commit, 4 in
	 * flight; the 37th finds no more, and those beside it
	 * are no longer at full load: no commits for the rate, but latencies */
	c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 4);
	c.ramp_s = 10;
	c.max_b = (uint64_t)40 * 8192;
	o = run(law, &c);
	assert_true(o->rc == 0 && o->r.cut);
	assert_int_equal(o->r.all_commits, 40);
	assert_int_equal(o->r.commits, 37 - 7);
	assert_int_equal(o->both.n, 40 - 7 - 3); /* 3 were in flight when the window began */

	/* no part for each */
	c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 16);
	c.end_b = c.from_b + (int64_t)16 * 8192 - 1;
	o = run(law, &c);
	assert_int_equal(o->rc, ERR_RANGE);
	assert_non_null(strstr(o->err.text, "too small for 16 writers"));

	/* the time: all are back, a commit later at most */
	c = config(PROFILE_SYNC_ODSYNC, PROFILE_OVERWRITE, 4);
	c.until_ns = 2100100000;
	o = run(law, &c);
	assert_true(o->rc == 0 && o->r.late && !o->r.cut);
	near("time", o->end_s, 2.10025, 1e-5);
	near("rate", o->rate, 16000, 0.005);
	assert_int_equal(o->after.writes, o->r.all_commits);

	/* not even one within the time */
	c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 2);
	c.until_ns = 1000000000;
	o = run("write_us=3000000,fsync_us=1000", &c);
	assert_true(o->rc == 0 && o->r.late);
	assert_int_equal(o->r.commits, 0);
	assert_int_equal(o->r.window_ns, 0);
	near("time", o->end_s, 3.001, 1e-6);

	/* a write fails: the others are waited for */
	c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 4);
	o = run("write_us=150,fsync_us=100,fail_after=1002", &c);
	assert_int_equal(o->rc, ERR_IO);
	assert_non_null(strstr(o->err.text, "Input/output error"));
	/* 250 rounds, then one that worked beside three that did not */
	assert_int_equal(o->r.all_commits, 1001);
}

/*
 * Stalls of 50 ms at any moment (others' reads of 50 MB at 1000 MB/s, two a second), in many short runs
 * beside a long one, whose ends weigh nothing: at any moment every writer is in a commit, so their mean
 * is writers / rate; and the tail is the same.
 */
static void
test_stalls(void **state)
{
	(void)state;
	enum { RUNS = 200 };
	static const unsigned writer_rows[] = {1, 4, 16};
	static struct hist all;
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		unsigned writers = writer_rows[i];
		struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, writers);
		c.ramp_s = 0.02;
		c.window_s = 0.25;
		double commits = 0, window_s = 0;
		hist_init(&all);
		for (int seed = 0; seed < RUNS; seed++) {
			char law[160];
			snprintf(law, sizeof(law),
				"write_us=1500,fsync_us=1000,sigma=0.3,mbps=1000,foreign_iops=2,"
				"foreign_kib=48828,seed=%d",
				seed);
			struct committed *o = run(law, &c);
			assert_int_equal(o->rc, 0);
			assert_true(o->both.n + writers > o->r.commits &&
				    o->both.n < o->r.commits + writers);
			hist_merge(&all, &o->both);
			commits += (double)o->r.commits;
			window_s += (double)o->r.window_ns / 1e9;
		}
		c.window_s = 100;
		struct committed *o = run("write_us=1500,fsync_us=1000,sigma=0.3,mbps=1000,"
					  "foreign_iops=2,foreign_kib=48828",
			&c);
		double want_ns = writers * window_s / commits * 1e9;
		print_message("%u writers: mean %.1f us, by Little's law %.1f, in one %.1f\n",
			writers, hist_mean_ns(&all) / 1e3, want_ns / 1e3,
			hist_mean_ns(&o->both) / 1e3);
		near("mean", hist_mean_ns(&all), want_ns, 0.01);
		near("tail", hist_quantile_ns(&all, 0.995), hist_quantile_ns(&o->both, 0.995),
			0.05);
	}
}

/* Whether a 4 KiB block is in the host's cache after three writers went round [4 KiB, 100 KiB). */
static bool
cached(const char *spec, int block)
{
	struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 3);
	c.from_b = 4096;
	c.end_b = c.from_b + 12 * (int64_t)8192 + 8191; /* 4 blocks each, the rest is of no use */
	c.window_s = 0.05;
	const struct engine *engine;
	const char *args;
	void *state;
	static struct hist h[3];
	struct commit_lat lat = {&h[0], &h[1], &h[2]};
	struct commit_result r;
	assert_int_equal(engine_find(spec, &engine, &args, NULL), 0);
	struct engine_config ec = {.fd = -1, .depth = 1, .args = args, .size_b = AREA_B};
	assert_int_equal(engine->open(&ec, &state, NULL), 0);
	for (int i = 0; i < 3; i++)
		hist_init(&h[i]);
	assert_int_equal(engine->commit(state, &c, &lat, &r, NULL), 0);
	assert_true(r.all_commits > 120);
	static char data[4096];
	struct engine_io io = {.op = ENGINE_READ,
				 .offset_b = block * (int64_t)4096,
				 .size_b = sizeof(data),
				 .data = data},
			 *ios = &io, *done;
	int64_t begin_ns = engine->now_ns(state);
	assert_int_equal(engine->submit(state, &ios, 1), 1);
	assert_int_equal(engine->reap(state, &done, 1, 1000000000), 1);
	int64_t took_ns = engine->now_ns(state) - begin_ns;
	engine->close(state);
	assert_true(took_ns == 7000 || took_ns == 250000);
	return took_ns == 7000;
}

/* Writers go round parts of their own, all of them and nothing beyond. */
static void
test_parts(void **state)
{
	(void)state;
	int last[3] = {0};
	for (int block = 0; block < 30; block++) {
		bool inside = block >= 1 && block < 25;
		/* room for all */
		assert_int_equal(cached("sim:cache_mib=64,cache_us=7", block), inside);
		/* room for six blocks: the last commit of each */
		if (cached("sim:cache_mib=0.0234375,cache_us=7", block)) {
			assert_true(inside);
			last[(block - 1) / 8]++;
		}
	}
	assert_true(last[0] == 2 && last[1] == 2 && last[2] == 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_law),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_parts),
	};
	return cmocka_run_group_tests_name("sim_commit", tests, NULL, NULL);
}
