/* The load generator: order and place of requests as a recording engine sees them, shares, counts,
 * series and Little's law on the simulated disk, arrivals by a schedule against queueing theory. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/engine.h"
#include "bench/load.h"

enum {
	BLOCK = 4096,
	MIB = 1 << 20,
	MIB_4 = 4 * MIB,
	MIB_16 = 16 * MIB,
	MIB_64 = 64 * MIB,
	SEEN_MAX = 200000,
};

static struct load l;
static struct hist reads, writes;
static struct hist *const lat[2] = {[ENGINE_READ] = &reads, [ENGINE_WRITE] = &writes};
static struct load_result r;

/* An engine that writes down what it is asked, and takes 1 us for each, one after another. */
static struct recorder {
	int64_t now_ns;
	struct engine_io *flying[ENGINE_DEPTH_MAX];
	int n, takes; /* takes: at most so many in flight; 0: any */
	struct {
		enum engine_op op;
		int64_t offset_b;
	} seen[SEEN_MAX];
	size_t n_seen;
} recorder;

static int64_t
recorder_now(void *state)
{
	(void)state;
	return recorder.now_ns;
}

static int
recorder_submit(void *state, struct engine_io *const *ios, int n)
{
	(void)state;
	int taken = 0;
	assert_in_range(n, 1, LOAD_CHUNK);
	for (; taken < n && (recorder.takes == 0 || recorder.n < recorder.takes); taken++) {
		struct engine_io *io = ios[taken];
		for (int i = 0; i < recorder.n; i++) {
			assert_int_not_equal(recorder.flying[i]->offset_b, io->offset_b);
			assert_ptr_not_equal(recorder.flying[i]->data, io->data);
			assert_int_not_equal(recorder.flying[i]->slot, io->slot);
		}
		assert_true(recorder.n_seen < SEEN_MAX);
		recorder.seen[recorder.n_seen].op = io->op;
		recorder.seen[recorder.n_seen++].offset_b = io->offset_b;
		recorder.flying[recorder.n++] = io;
	}
	return taken;
}

static int
recorder_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	(void)state, (void)timeout_ns;
	int n = 0;
	recorder.now_ns += 1000;
	for (; n < max && n < 3 && recorder.n > 0; n++) { /* oldest first */
		done[n] = recorder.flying[0];
		done[n]->result = (int64_t)done[n]->size_b;
		recorder.n--;
		for (int i = 0; i < recorder.n; i++)
			recorder.flying[i] = recorder.flying[i + 1];
	}
	return n;
}

static const struct engine engine_recorder = {.name = "recorder",
	.simulated = true,
	.depth_max = ENGINE_DEPTH_MAX,
	.now_ns = recorder_now,
	.submit = recorder_submit,
	.reap = recorder_reap};

static void
begin(const char *spec, int64_t size_b)
{
	struct engine_run run = {&engine_recorder, &recorder};
	struct err err = {0};
	memset(&recorder, 0, sizeof(recorder));
	if (spec) {
		struct engine_config ec = {.fd = -1, .depth = ENGINE_DEPTH_MAX, .size_b = size_b};
		assert_int_equal(engine_find(spec, &run.engine, &ec.args, &err), 0);
		if (run.engine->open(&ec, &run.state, &err) != 0)
			fail_msg("%s: %s", spec, err.text);
	}
	struct load_seeds seeds = {3, 4};
	assert_int_equal(load_init(&l, run, seeds, NULL, &err), 0);
}

static void
end(void)
{
	if (l.run.engine->close)
		l.run.engine->close(l.run.state);
	load_fini(&l);
}

static void
near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%s: %.8g, expected %.8g within %g", what, got, want, tolerance);
}

static void
go(const struct load_config *config)
{
	struct load_config c = *config;
	struct err err = {0};
	c.max_b = c.max_b ? c.max_b : UINT64_MAX;
	hist_init(&reads);
	hist_init(&writes);
	if (load_run(&l, &c, lat, &r, &err) != 0)
		fail_msg("%s", err.text);
	/* sent and completed in the window: others at its two ends */
	double sent = (double)(reads.n + writes.n);
	double back = (double)(r.ios[ENGINE_READ] + r.ios[ENGINE_WRITE]);
	assert_true(fabs(sent - back) <= (c.qd > 1 || c.rate_iops > 0 ? c.qd : 0));
	/* Little's law over the window: a full queue is depth x window, whatever happens at its ends */
	double full_ns = (double)c.qd * (double)r.window_ns;
	double present_ns = r.present_ns[ENGINE_READ] + r.present_ns[ENGINE_WRITE];
	assert_true(present_ns <= full_ns * (1 + 1e-9));
	if (c.rate_iops <= 0 && !r.cut &&
		!recorder.takes) /* what a kernel never takes is no request */
		near("time of all present", present_ns / full_ns, 1, 1e-9);
	assert_int_equal(r.all_b, r.all_ios * c.bs_b);
	assert_true(r.all_ios >= r.ios[ENGINE_READ] + r.ios[ENGINE_WRITE]);
	for (size_t i = 0; i < LOAD_PLACES; i++)
		assert_true(l.busy[i] == 0); /* nothing is left in flight */
}

static void
test_reads_in_order_start_over(void **state)
{
	(void)state;
	enum { BLOCKS = 10, ROUNDS = 3, FROM = 3 * 8192 };
	begin(NULL, 0);
	/* a last block that is not whole is left out */
	struct load_config c = {.read_frac = 1,
		.bs_b = 8192,
		.qd = 4,
		.sequential = true,
		.from_b = FROM,
		.end_b = FROM + BLOCKS * 8192 + 4096,
		.window_s = 60,
		.max_b = (uint64_t)ROUNDS * BLOCKS * 8192};
	go(&c);
	assert_true(r.cut);
	assert_int_equal(r.written_b, 0);
	assert_int_equal(recorder.n_seen, ROUNDS * BLOCKS);
	for (size_t i = 0; i < recorder.n_seen; i++) {
		assert_int_equal(recorder.seen[i].op, ENGINE_READ);
		assert_int_equal(recorder.seen[i].offset_b, FROM + (int64_t)(i % BLOCKS) * 8192);
	}
	end();
}

static void
test_writes_in_order_end(void **state)
{
	(void)state;
	enum { BLOCKS = 10 };
	begin(NULL, 0);
	struct load_config c = {.bs_b = MIB,
		.qd = 8,
		.sequential = true,
		.end_b = (int64_t)BLOCKS * MIB + 512,
		.window_s = 60};
	go(&c);
	assert_true(r.cut && !r.late);
	assert_int_equal(r.written_b, (uint64_t)BLOCKS * MIB);
	assert_int_equal(recorder.n_seen, BLOCKS);
	for (size_t i = 0; i < BLOCKS; i++) {
		assert_int_equal(recorder.seen[i].op, ENGINE_WRITE);
		assert_int_equal(recorder.seen[i].offset_b, (int64_t)i * MIB);
	}
	end();
}

/* Every block as often as every other (chi square), all inside the area and counted from its start. */
static void
test_random_places(void **state)
{
	(void)state;
	enum { BLOCKS = 64, N = 64000, FROM = 5 * 512, BS = 1536 };
	static double count[BLOCKS];
	memset(count, 0, sizeof(count));
	begin(NULL, 0);
	struct load_config c = {.read_frac = 1,
		.bs_b = BS,
		.qd = 32,
		.from_b = FROM,
		.end_b = FROM + BLOCKS * BS + BS - 512,
		.window_s = 60,
		.max_b = (uint64_t)N * BS};
	go(&c);
	assert_int_equal(recorder.n_seen, N);
	for (size_t i = 0; i < N; i++) {
		int64_t at = recorder.seen[i].offset_b - FROM;
		assert_int_equal(at % BS, 0);
		assert_in_range(at / BS, 0, BLOCKS - 1);
		count[at / BS]++;
	}
	double chi2 = 0, each = (double)N / BLOCKS;
	for (int i = 0; i < BLOCKS; i++)
		chi2 += (count[i] - each) * (count[i] - each) / each;
	/* 63 degrees of freedom: 103 is exceeded once in 1000; not repeating what is in flight makes
	 * it smaller */
	assert_true(chi2 < 103);
	end();
}

static void
test_same_order(void **state)
{
	(void)state;
	static int64_t first[1000];
	struct load_config c = {.read_frac = 0.5,
		.bs_b = BLOCK,
		.qd = 1,
		.end_b = MIB,
		.window_s = 60,
		.max_ios = 1000};
	for (int round = 0; round < 2; round++) {
		begin(NULL, 0);
		go(&c);
		assert_int_equal(recorder.n_seen, 1000);
		for (size_t i = 0; i < 1000; i++) {
			int64_t what = recorder.seen[i].offset_b + (int64_t)recorder.seen[i].op;
			if (round == 0)
				first[i] = what;
			assert_int_equal(what, first[i]);
		}
		end();
	}
}

/* A kernel that takes fewer than are asked for: all of it is asked for again, nothing twice. */
static void
test_kernel_takes_few(void **state)
{
	(void)state;
	for (int takes = 1; takes <= 9; takes++) {
		begin(NULL, 0);
		recorder.takes = takes;
		struct load_config c = {.read_frac = 0.5,
			.bs_b = BLOCK,
			.qd = 16,
			.end_b = MIB,
			.window_s = 60,
			.max_b = (uint64_t)1000 * BLOCK};
		go(&c);
		assert_int_equal(recorder.n_seen, 1000);
		assert_int_equal(r.all_ios, 1000);
		recorder.n_seen = 0;
		c.max_ios = 100; /* ends with requests that were ready and not taken */
		go(&c);
		assert_in_range(r.ios[0] + r.ios[1], 100, 102);
		end();
	}
}

static void
test_max_ios(void **state)
{
	(void)state;
	begin("sim:sigma=0.5", MIB);
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 1,
		.end_b = MIB,
		.window_s = 3600,
		.max_ios = 500};
	go(&c);
	assert_int_equal(r.ios[ENGINE_READ], 500);
	assert_int_equal(r.all_ios, 500);
	assert_true(!r.cut && !r.late);
	c.qd = 8;
	c.ramp_s = 0.1;
	go(&c); /* a reap may bring more than one */
	assert_in_range(r.ios[ENGINE_READ], 500, 507);
	end();
}

/*
 * Reads and writes by chance, each with its own latency: the share is binomial, and the rate is
 * depth over the mean service time.
 */
static void
test_mix(void **state)
{
	(void)state;
	begin("sim:read_us=100,write_us=300", MIB_16);
	static const double fractions[] = {0.01, 0.5, 0.7, 0.99};
	for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
		double p = fractions[i];
		struct load_config c = {.read_frac = p,
			.bs_b = BLOCK,
			.qd = 16,
			.end_b = MIB_16,
			.ramp_s = 0.1,
			.window_s = 1};
		go(&c);
		double n = (double)(reads.n + writes.n), window_s = (double)r.window_ns / 1e9;
		near("share of reads", (double)reads.n / n, p, 4 * sqrt(p * (1 - p) / n));
		assert_true(reads.min_ns == 100000 && reads.max_ns == 100000);
		assert_true(writes.min_ns == 300000 && writes.max_ns == 300000);
		double mean_s = (p * 100 + (1 - p) * 300) / 1e6;
		near("rate", n / window_s * mean_s / 16, 1, 0.02);
		assert_true(r.written_b > writes.n * BLOCK && r.written_b % BLOCK == 0);
	}
	end();
}

/*
 * A queue of any depth in which each request takes 1 ms, but nothing comes back in [stall, stall + 50
 * ms): what was due then comes one by one after it.  It notes how many were in flight with each.
 */
static struct freezer {
	int64_t now_ns, stall_ns, stall_end_ns;
	struct {
		struct engine_io *io;
		int64_t due_ns;
	} flying[ENGINE_DEPTH_MAX];
	int n, n_late, most_late; /* held up: no more than that; 0: all */
	int fewest; /* in flight with one sent before alone_ns */
	int64_t alone_ns;
} freezer;

enum { SERVICE_NS = 1000000, STALL_NS = 50000000 };

static int64_t
freezer_now(void *state)
{
	(void)state;
	return freezer.now_ns;
}

static int
freezer_submit(void *state, struct engine_io *const *ios, int n)
{
	(void)state;
	for (int i = 0; i < n; i++) {
		int64_t due_ns = freezer.now_ns + SERVICE_NS;
		bool held = !freezer.most_late || freezer.n_late < freezer.most_late;
		if (held && due_ns >= freezer.stall_ns && due_ns < freezer.stall_end_ns)
			due_ns = freezer.stall_end_ns + freezer.n_late++;
		freezer.flying[freezer.n].io = ios[i];
		freezer.flying[freezer.n++].due_ns = due_ns;
	}
	return n;
}

/* One at a time, the first that is due. */
static int
freezer_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	(void)state, (void)max;
	int first = 0;
	for (int i = 1; i < freezer.n; i++) {
		if (freezer.flying[i].due_ns < freezer.flying[first].due_ns)
			first = i;
	}
	int64_t due_ns = freezer.n ? freezer.flying[first].due_ns : INT64_MAX;
	if (due_ns > freezer.now_ns + timeout_ns) {
		freezer.now_ns += timeout_ns;
		return 0;
	}
	freezer.now_ns = due_ns > freezer.now_ns ? due_ns : freezer.now_ns;
	*done = freezer.flying[first].io;
	(*done)->result = (int64_t)(*done)->size_b;
	if ((*done)->start_ns < freezer.alone_ns && freezer.n < freezer.fewest)
		freezer.fewest = freezer.n;
	freezer.flying[first] = freezer.flying[--freezer.n];
	return 1;
}

static const struct engine engine_freezer = {.name = "freezer",
	.simulated = true,
	.depth_max = ENGINE_DEPTH_MAX,
	.now_ns = freezer_now,
	.submit = freezer_submit,
	.reap = freezer_reap};

static void
begin_freezer(double stall_ms)
{
	memset(&freezer, 0, sizeof(freezer));
	freezer.stall_ns = (int64_t)(stall_ms * 1e6);
	freezer.stall_end_ns = freezer.stall_ns + STALL_NS;
	freezer.fewest = ENGINE_DEPTH_MAX;
	struct load_seeds seeds = {3, 4};
	assert_int_equal(
		load_init(&l, (struct engine_run){&engine_freezer, &freezer}, seeds, NULL, NULL),
		0);
}

/*
 * A stall over the end of the window, over its start, inside it and after it.  The ramp is over after
 * 20 ms, so the window is [20, 270] ms, or as much later as a stall lasts over either.  By hand: per ms
 * that answers qd completions, of 1 ms; the stall holds up one qd of them for 51 ms.
 */
static void
test_stall(void **state)
{
	(void)state;
	static const struct {
		double stall_ms, window_ms, held; /* how many times qd were held up in the window */
	} rows[] = {{260, 290, 1}, {269.5, 299.5, 1}, {15, 250, 0}, {100, 250, 1}, {600, 250, 0}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned qd = 1; qd <= 64; qd *= 2) {
			double window_ms = rows[i].window_ms, held = rows[i].held;
			struct load_config c = {.read_frac = 1,
				.bs_b = BLOCK,
				.qd = qd,
				.end_b = MIB_16,
				.ramp_s = 0.02,
				.window_s = 0.25};
			begin_freezer(rows[i].stall_ms);
			freezer.alone_ns = i == 2 ? 315000000 : (int64_t)((20 + window_ms) * 1e6);
			go(&c);
			double sent = window_ms - held * 50; /* times qd */
			near("window", (double)r.window_ns / 1e6, window_ms, 0.01);
			near("sent", (double)reads.n / qd, sent, 1);
			near("mean", hist_mean_ns(&reads) / 1e6, (sent + held * 50) / sent, 0.005);
			double rate = (double)r.ios[ENGINE_READ] / (double)r.window_ns * 1e9;
			double outstanding = rate * hist_mean_ns(&reads) / 1e9;
			near("in flight by Little's law", outstanding / qd, 1, 0.006);
			uint64_t long_ones = 0;
			for (size_t bin = hist_bin(2 * SERVICE_NS); bin < HIST_BINS; bin++)
				long_ones += reads.bins[bin];
			assert_int_equal(long_ones, (uint64_t)held * qd);
			/* the load was kept up until the last that counts was back */
			assert_int_equal(freezer.fewest, qd);
			end();
		}
	}
}

/*
 * Half of the queue is held up from 15 ms on for 100 ms, the other half goes on, so the window begins in the stall: at 20 ms.
 * By hand, times half of depth: it answers one a ms until 115 ms, two from then on, and what was held up: 95 + 2 x 155 + 1 in
 * 250 ms, each of 1 ms but those that were sent before the window.  Rate x mean is (406 / 250) / 2 = 0.81 of the depth, and
 * nothing is wrong: what is present fills the window.
 */
static void
test_stall_before(void **state)
{
	(void)state;
	for (unsigned qd = 2; qd <= 64; qd *= 2) {
		struct load_config c = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = qd,
			.end_b = MIB_16,
			.ramp_s = 0.02,
			.window_s = 0.25};
		begin_freezer(15);
		freezer.stall_end_ns = 115000000;
		freezer.most_late = (int)qd / 2;
		go(&c);
		near("window", (double)r.window_ns / 1e6, 250, 0.01);
		near("completed", (double)r.ios[ENGINE_READ] * 2 / qd, 406, 2);
		near("mean", hist_mean_ns(&reads) / 1e6, 1, 0.005);
		double rate = (double)r.ios[ENGINE_READ] / (double)r.window_ns * 1e9;
		near("rate x mean", rate * hist_mean_ns(&reads) / 1e9 / qd, 0.812, 0.01);
		near("present", r.present_ns[ENGINE_READ] / ((double)qd * (double)r.window_ns), 1,
			1e-9);
		end();
	}
}

/* The time is over in a stall: what it holds up counts, and its time. */
static void
test_stall_late(void **state)
{
	(void)state;
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 32,
		.end_b = MIB_16,
		.ramp_s = 0.02,
		.window_s = 60,
		.until_ns = 280000000};
	begin_freezer(260);
	go(&c);
	assert_true(r.late);
	near("window", (double)r.window_ns / 1e6, 290, 0.01);
	near("mean", hist_mean_ns(&reads) / 1e6, 290 / 240.0, 0.005);
	assert_int_equal(freezer.n, 0);
	end();
}

/*
 * Arrivals by a schedule do not stop in a stall: those of 50 ms at 1,500 a second wait 25 ms on
 * average, 75 of the 435 that come in 290 ms.
 */
static void
test_stall_open(void **state)
{
	(void)state;
	double sum_ms = 0, n = 0;
	for (int i = 0; i < 40; i++) {
		struct load_config c = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = 128,
			.rate_iops = 1500,
			.end_b = MIB_64,
			.ramp_s = 0.02,
			.window_s = 0.25};
		begin_freezer(260);
		rng_seed(&l.gaps, (uint64_t)i);
		go(&c);
		assert_int_equal(r.overload, 0);
		sum_ms += reads.sum_ns / 1e6;
		n += (double)reads.n;
		end();
	}
	/* 4 standard deviations: the number in the stalls, 40 x 75, is known to 1.8 % */
	near("mean", sum_ms / n, 1 + 25 * 75 / 435.0, 0.32);
}

/*
 * The simulated disk with stalls of 50 ms at any moment (others' reads of 50 MB at 1000 MB/s, two a
 * second) in many short runs, beside one long run, whose ends weigh nothing: Little's law holds, and
 * the tail is the same.
 */
static void
test_stalls_of_sim(void **state)
{
	(void)state;
	enum { RUNS = 100 };
	static const char spec[] =
		"sim:read_us=4000,sigma=0.3,mbps=1000,foreign_iops=2,foreign_kib=48828";
	static struct hist all;
	for (unsigned qd = 1; qd <= 64; qd *= 4) {
		struct load_config c = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = qd,
			.end_b = MIB_16,
			.ramp_s = 0.02,
			.window_s = 0.25};
		double window_s = 0, ios = 0;
		hist_init(&all);
		begin(spec, MIB_16);
		for (int i = 0; i < RUNS; i++) {
			go(&c);
			hist_merge(&all, &reads);
			window_s += (double)r.window_ns / 1e9;
			ios += (double)r.ios[ENGINE_READ];
		}
		c.window_s = 100;
		go(&c);
		end();
		double ratio = ios / window_s * hist_mean_ns(&all) / 1e9 / qd;
		double longer = hist_quantile_ns(&reads, 0.999),
		       tail = hist_quantile_ns(&all, 0.999);
		print_message("depth %u: Little %.4f; mean %.1f us, %.1f in one; p99.9 %.1f ms, "
			      "%.1f in one\n",
			qd, ratio, hist_mean_ns(&all) / 1e3, hist_mean_ns(&reads) / 1e3, tail / 1e6,
			longer / 1e6);
		near("Little's ratio", ratio, 1, 0.02);
		near("tail", tail / longer, 1, 0.03);
	}
}

/* At depth 1 the latencies fill the window without a gap; at more, but for its two ends. */
static void
test_little(void **state)
{
	(void)state;
	begin("sim:read_us=100,write_us=300,sigma=0.5,iops=9000", MIB_16);
	for (unsigned qd = 1; qd <= 128; qd *= 2) {
		struct load_config c = {.read_frac = 0.6,
			.bs_b = BLOCK,
			.qd = qd,
			.end_b = MIB_16,
			.ramp_s = 0.1,
			.window_s = 2};
		go(&c);
		double sum_ns = reads.sum_ns + writes.sum_ns;
		double longest = fmax((double)reads.max_ns, (double)writes.max_ns);
		double ends_ns = qd == 1 ? 0 : qd * longest;
		near("sum of latencies", sum_ns, (double)qd * (double)r.window_ns, ends_ns);
	}
	end();
}

static void
test_series(void **state)
{
	(void)state;
	static uint32_t ios[40];
	struct load_series s = {.bucket_s = 0.25, .ios = ios, .n_max = 40};
	begin("sim:read_us=250", MIB);
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 1,
		.end_b = MIB,
		.ramp_s = 0.5,
		.window_s = 2.1,
		.series = &s};
	go(&c);
	/* 4000 a second; ramp and window are 2.6 s: 10 buckets are over, one has begun.  The one at
	 * the end of a bucket counts in the next. */
	assert_int_equal(s.n, 10);
	uint64_t sum = 0;
	for (size_t i = 0; i < 40; i++) {
		uint32_t want = i == 0 ? 999 : i < 10 ? 1000 : i == 10 ? 401 : 0;
		assert_int_equal(ios[i], want);
		sum += ios[i];
	}
	assert_int_equal(sum, r.all_ios); /* nothing to drain at depth 1 */
	end();

	begin("sim:sigma=1", MIB);
	memset(ios, 0, sizeof(ios));
	c.qd = 8;
	c.read_frac = 0.3;
	go(&c);
	sum = 0;
	for (size_t i = 0; i < 40; i++)
		sum += ios[i];
	assert_true(sum <= r.all_ios && sum > r.all_ios - 8); /* but for the drain */
	assert_true(sum > r.ios[0] + r.ios[1]);

	/* no more room than for 4 buckets */
	memset(ios, 0, sizeof(ios));
	s.n_max = 4;
	go(&c);
	assert_int_equal(s.n, 4);
	assert_true(ios[3] > 0 && ios[4] == 0);
	end();
}

/* Blocks smaller than the distance of the stamps, random data or zeros: all stamps stay true. */
static void
test_small_blocks(void **state)
{
	(void)state;
	static const size_t sizes[] = {512, 1024, 1536, 2048, 4096, 6144};
	begin("sim", MIB_4);
	struct load_config lay = {
		.bs_b = MIB, .qd = 4, .sequential = true, .end_b = MIB_4, .window_s = 60};
	struct load_config all = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 1,
		.sequential = true,
		.end_b = MIB_4,
		.window_s = 60,
		.max_b = MIB_4,
		.verify = true};
	go(&lay);
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct load_config c = {.bs_b = sizes[i / 2],
			.qd = 8,
			.zeros = i % 2,
			.from_b = 512 * (int64_t)(i % 3),
			.end_b = MIB_4,
			.window_s = 60,
			.max_b = MIB_4};
		go(&c);
		go(&all);
		assert_int_equal(r.verified, MIB_4 / BLOCK);
		assert_int_equal(r.mismatched, 0);
		c.read_frac = 1;
		c.verify = true;
		go(&c);
		/* of n blocks at random places about n x size / 4096 cover a place of a stamp */
		near("stamps read", (double)r.verified / (double)r.all_b * BLOCK, 1, 0.2);
		assert_int_equal(r.mismatched, 0);
	}
	end();

	/* a disk that loses writes of 512 bytes is seen by reads of 512 bytes */
	begin("sim:lose_every=5", MIB);
	struct load_config c = {
		.bs_b = 512, .qd = 4, .sequential = true, .end_b = MIB, .window_s = 60};
	go(&c);
	c.read_frac = 1;
	c.verify = true;
	c.max_b = MIB;
	go(&c);
	assert_int_equal(r.verified, MIB / BLOCK);
	/* stamps are in writes 1, 9, 17 ..., lost are 5, 10, 15 ...: both in 25, 65 ... of 2048 */
	assert_int_equal(r.mismatched, 51);
	end();
}

/*
 * Poisson arrivals at a server of constant service time (the IOPS cap), Pollaczek and Khinchine:
 * mean wait = rho / (2 (1 - rho)) x service; none wait with probability 1 - rho.
 */
static void
test_open_one_server(void **state)
{
	(void)state;
	static const struct {
		double rho, tolerance;
	} rows[] = {{0.25, 0.03}, {0.5, 0.03}, {0.75, 0.04}, {0.9, 0.08}};
	begin("sim:read_us=1,iops=1000", MIB_64);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double rho = rows[i].rho;
		struct load_config c = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = 128,
			.rate_iops = rho * 1000,
			.end_b = MIB_64,
			.ramp_s = 1,
			.window_s = 200 / rho};
		go(&c);
		double wait_ms = hist_mean_ns(&reads) / 1e6 - 0.001,
		       window_s = (double)r.window_ns / 1e9;
		double want_ms = rho / (2 * (1 - rho));
		print_message("load %.2f: %llu arrivals, mean wait %.4f ms, theory %.4f ms\n", rho,
			(unsigned long long)r.arrivals, wait_ms, want_ms);
		near("mean wait", wait_ms / want_ms, 1, rows[i].tolerance);
		near("at once", (double)reads.bins[hist_bin(1000)] / (double)reads.n, 1 - rho,
			0.01);
		near("arrivals", (double)r.arrivals, c.rate_iops * window_s,
			4 * sqrt(c.rate_iops * window_s));
		assert_int_equal(r.overload, 0);
		/* all that came was served, but for those in the queue at either end */
		near("achieved", (double)r.ios[ENGINE_READ], (double)r.arrivals, 128);
		assert_true(r.behind_ns == 0 && r.behind_max_ns == 0);
	}
	end();
}

/*
 * Servers enough: latency is the service time, whatever the rate.  Not enough: arrivals are lost as
 * Erlang says (B, any service time), and those served still do not wait.
 */
static void
test_open_overload(void **state)
{
	(void)state;
	static const struct {
		unsigned qd;
		double offered; /* rate x service time */
	} rows[] = {{1, 0.5}, {1, 3}, {8, 6}, {32, 30}, {128, 20}};
	begin("sim:read_us=1000", MIB_64);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double lost = 1;
		for (unsigned k = 1; k <= rows[i].qd; k++)
			lost = rows[i].offered * lost / (k + rows[i].offered * lost);
		struct load_config c = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = rows[i].qd,
			.rate_iops = rows[i].offered * 1000,
			.end_b = MIB_64,
			.ramp_s = 0.1,
			.window_s = 100 / rows[i].offered};
		go(&c);
		assert_true(reads.min_ns == 1000000 && reads.max_ns == 1000000);
		near("lost", (double)r.overload / (double)r.arrivals, lost, 0.01);
	}
	end();

	/* twice what the disk can do: the schedule goes on, half of it is dropped */
	begin("sim:read_us=1,iops=1000", MIB_64);
	struct load_config c = {.read_frac = 0.5,
		.bs_b = BLOCK,
		.qd = 16,
		.rate_iops = 2000,
		.end_b = MIB_64,
		.ramp_s = 0.5,
		.window_s = 10};
	go(&c);
	double ios = (double)(r.ios[0] + r.ios[1]), window_s = (double)r.window_ns / 1e9;
	near("achieved", ios / window_s, 1000, 1);
	near("arrivals", (double)r.arrivals / window_s, 2000, 4 * sqrt(2000 / window_s));
	near("dropped", (double)r.overload / (double)r.arrivals, 0.5, 0.02);
	near("latency", hist_mean_ns(&reads) / 1e6, 15.5, 0.5); /* 15 before it, its own turn */
	end();
}

/* Counts of equal times have the variance of their mean: arrivals are Poisson, not a beat. */
static void
test_open_poisson(void **state)
{
	(void)state;
	enum { N = 4000 };
	static uint32_t ios[N + 1];
	struct load_series s = {.bucket_s = 0.01, .ios = ios, .n_max = N + 1};
	begin("sim:read_us=100", MIB_64);
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 128,
		.rate_iops = 1000,
		.end_b = MIB_64,
		.window_s = N * 0.01,
		.series = &s};
	go(&c);
	assert_true(s.n >= N);
	double sum = 0, square = 0;
	for (int i = 0; i < N; i++) {
		sum += ios[i];
		square += (double)ios[i] * ios[i];
	}
	double mean = sum / N, variance = square / N - mean * mean;
	near("mean", mean, 10, 4 * sqrt(10.0 / N));
	near("variance over mean", variance / mean, 1, 4 * sqrt(2.0 / N));
	end();
}

static double
cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In real time: a slow schedule sleeps, and leaves the timers of the thread as they were. */
static void
test_open_sleeps(void **state)
{
	(void)state;
	int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	begin("null", 0);
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 4,
		.rate_iops = 200,
		.end_b = MIB,
		.window_s = 1};
	double before_s = cpu_s();
	go(&c);
	double used = (cpu_s() - before_s) / ((double)r.window_ns / 1e9);
	print_message("%.1f %% of a processor at 200 a second; sent %.1f us late, %.1f at most\n",
		100 * used, r.behind_ns / 1000, r.behind_max_ns / 1000);
	assert_true(used < 0.5);
	near("arrivals", (double)r.arrivals, 200 * (double)r.window_ns / 1e9, 5 * sqrt(200));
	assert_true(r.behind_ns >= 0 && r.behind_max_ns >= r.behind_ns);
	/* what is late counts in the latency */
	assert_true(hist_mean_ns(&reads) >= 0.99 * r.behind_ns);
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), slack);
	end();
}

static void
test_null(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		int code;
	} rows[] = {{"null", 0}, {"null:", 0}, {"null:batch=1", 0}, {"null:batch=128", 0},
		{"null:batch=129", ERR_RANGE}, {"null:batch=0", ERR_RANGE},
		{"null:batch=x", ERR_PARSE}, {"null:batch=", ERR_PARSE},
		{"null:batch=3,", ERR_PARSE}, {"null:depth=1", ERR_PARSE}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct engine_config ec = {.fd = -1, .depth = 128};
		struct engine_run run = {0};
		assert_int_equal(engine_find(rows[i].spec, &run.engine, &ec.args, NULL), 0);
		if (run.engine->open(&ec, &run.state, NULL) != rows[i].code)
			fail_msg("%s: not code %d", rows[i].spec, rows[i].code);
		if (rows[i].code == 0)
			run.engine->close(run.state);
	}
	/* nothing is moved, and that is seen */
	begin("null:batch=5", 0);
	struct load_config c = {.read_frac = 1,
		.bs_b = BLOCK,
		.qd = 32,
		.end_b = MIB,
		.window_s = 60,
		.max_ios = 10000,
		.verify = true};
	go(&c);
	assert_in_range(r.ios[ENGINE_READ], 10000, 10004);
	assert_int_equal(r.mismatched, r.verified);
	end();
}

static int
by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, 512);
}

/* No two sectors of the file are alike, and their bytes are spread as those of noise (chi square). */
static void
check_random(int fd)
{
	static double count[256];
	double chi2 = 0, each = MIB_4 / 256.0;
	unsigned char *data = aligned_alloc(BLOCK, MIB_4);
	assert_non_null(data);
	assert_int_equal(pread(fd, data, MIB_4, 0), MIB_4);
	memset(count, 0, sizeof(count));
	for (size_t i = 0; i < MIB_4; i++)
		count[data[i]]++;
	for (size_t i = 0; i < 256; i++)
		chi2 += (count[i] - each) * (count[i] - each) / each;
	/* 255 degrees of freedom: 330 once in 1000; the stamps, 1 byte in 512, add their part */
	assert_true(chi2 < 3000);
	qsort(data, MIB_4 / 512, 512, by_bytes);
	for (size_t at = 512; at < MIB_4; at += 512)
		assert_memory_not_equal(data + at - 512, data + at, 512);
	free(data);
}

/* A real file: mixes, small blocks and a schedule leave it as it should be. */
static void
test_real_file(void **state)
{
	(void)state;
	static const char *const names[] = {"libaio", "psync"};
	int fd = open(".", O_TMPFILE | O_RDWR | O_DIRECT, 0600);
	if (fd < 0) {
		print_message("skipped: no O_TMPFILE with O_DIRECT here: %s\n", strerror(errno));
		skip();
	}
	for (size_t i = 0; i < 2; i++) {
		struct engine_run run = {0};
		struct engine_config ec = {.fd = fd};
		assert_int_equal(engine_find(names[i], &run.engine, &ec.args, NULL), 0);
		ec.depth = run.engine->depth_max < 8 ? 1 : 8;
		if (run.engine->open(&ec, &run.state, NULL) == ERR_UNSUPPORTED)
			continue;
		struct load_seeds seeds = {3, 5 + i};
		assert_int_equal(load_init(&l, run, seeds, NULL, NULL), 0);
		struct load_config lay = {.bs_b = MIB,
			.qd = ec.depth,
			.sequential = true,
			.end_b = MIB_4,
			.window_s = 60};
		struct load_config mix = {.read_frac = 0.5,
			.bs_b = 512,
			.qd = ec.depth,
			.end_b = MIB_4,
			.window_s = 60,
			.max_ios = 2000,
			.verify = true};
		struct load_config open = {.read_frac = 0.5,
			.bs_b = BLOCK,
			.qd = ec.depth,
			.rate_iops = 500,
			.end_b = MIB_4,
			.window_s = 0.5,
			.verify = true};
		struct load_config all = {.read_frac = 1,
			.bs_b = BLOCK,
			.qd = 1,
			.sequential = true,
			.end_b = MIB_4,
			.window_s = 60,
			.max_b = MIB_4,
			.verify = true};
		go(&lay);
		check_random(fd);
		char *probe = aligned_alloc(BLOCK, BLOCK);
		bool sectors = pread(fd, probe, 512, 512) == 512; /* else: blocks of 4096 only */
		free(probe);
		mix.bs_b = sectors ? 512 : BLOCK;
		go(&mix);
		assert_int_equal(r.mismatched, 0);
		assert_true(r.verified > 0);
		mix.zeros = true;
		go(&mix);
		assert_int_equal(r.mismatched, 0);
		go(&open);
		assert_int_equal(r.mismatched, 0);
		assert_true(r.arrivals > 0 && r.behind_ns >= 0);
		go(&all);
		assert_int_equal(r.verified, MIB_4 / BLOCK);
		assert_int_equal(r.mismatched, 0);
		end();
	}
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_in_order_start_over),
		cmocka_unit_test(test_writes_in_order_end),
		cmocka_unit_test(test_random_places),
		cmocka_unit_test(test_same_order),
		cmocka_unit_test(test_kernel_takes_few),
		cmocka_unit_test(test_max_ios),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_stall),
		cmocka_unit_test(test_stall_before),
		cmocka_unit_test(test_stall_late),
		cmocka_unit_test(test_stall_open),
		cmocka_unit_test(test_stalls_of_sim),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_small_blocks),
		cmocka_unit_test(test_open_one_server),
		cmocka_unit_test(test_open_overload),
		cmocka_unit_test(test_open_poisson),
		cmocka_unit_test(test_open_sleeps),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_real_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
