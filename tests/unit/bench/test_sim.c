/* The simulated disk: its parameters, and its law recovered by the load generator in virtual time.
 * Expected values follow from the law in sim.h by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/load.h"
#include "bench/sim.h"
#include "bench/watch.h"

enum { AREA_B = 256 << 20 };

static const struct parse_row {
	const char *text;
	int code;
	const char *says;
} parse_rows[] = {
	{NULL, 0, NULL},
	{"", 0, NULL},
	{"read_us=80", 0, NULL},
	{"read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,sigma=0.3,seed=1", 0, NULL},
	{"read_us", ERR_PARSE, "key=value expected"},
	{"read_us=", ERR_PARSE, "key=value expected"},
	{"=5", ERR_PARSE, "key=value expected"},
	{"read_us=fast", ERR_PARSE, "not a number"},
	{"read_us=5us", ERR_PARSE, "not a number"},
	{"read_us=5,", ERR_PARSE, "comma at the end"},
	{"read_us=5,,iops=3", ERR_PARSE, "key=value expected"},
	{"read_us=5,read_us=6", ERR_PARSE, "given twice"},
	{"raed_us=5", ERR_PARSE, "did you mean \"read_us\""},
	{"read_us=0", ERR_RANGE, "1 to 1000000000"},
	{"read_us=nan", ERR_RANGE, "accepted"},
	{"read_us=inf", ERR_RANGE, "accepted"},
	{"iops=-1", ERR_RANGE, "0 to 1000000000"},
	{"sigma=4", ERR_RANGE, "0 to 3"},
	{"seed=1.5", ERR_RANGE, "whole number"},
	{"slots=2.5", ERR_RANGE, "whole number 0 to 256"},
	{"compress=1.5", ERR_RANGE, "0 to 1"},
	{"seq_us=-1", 0, NULL},
	{"seq_us=-0.5", ERR_RANGE, "or -1"},
	/* what does not go together */
	{"iops=500,burst_iops=3000,burst_ios=1e5", 0, NULL},
	{"iops=500,burst_ios=1e5", 0, NULL},
	{"iops=500,burst_iops=3000", ERR_RANGE, "needs credits, burst_ios"},
	{"burst_iops=3000,burst_ios=1e5", ERR_RANGE, "needs a rate to fall to, iops"},
	{"iops=500,burst_iops=400,burst_ios=1e5", ERR_RANGE, "at least iops, 500"},
	{"mbps=100,burst_mbps=90,burst_mb=1000", ERR_RANGE, "at least mbps, 100"},
	{"iops=100,burst_mb=1000", ERR_RANGE, "needs a rate to fall to, mbps"},
	{"foreign_iops=100,foreign_on_s=2,foreign_every_s=10", 0, NULL},
	{"foreign_iops=100,foreign_on_s=2", ERR_RANGE, "up to foreign_every_s, 0"},
	{"foreign_iops=100,foreign_every_s=2", ERR_RANGE, "above 0"},
};

static void
test_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(parse_rows) / sizeof(parse_rows[0]); i++) {
		const struct parse_row *r = &parse_rows[i];
		struct sim_law law = {.iops = 77};
		struct err err = {0};
		int rc = sim_law_parse(r->text, &law, &err);
		if (rc != r->code || (r->says && !strstr(err.text, r->says)))
			fail_msg("row %zu \"%s\": code %d, \"%s\"", i, r->text, rc, err.text);
		if (rc)
			assert_true(law.iops == 77); /* written only on success */
	}
	struct sim_law law;
	assert_int_equal(sim_law_parse("iops=5e3,seed=9", &law, NULL), 0);
	assert_true(law.read_us == 250 && law.write_us == 150 && law.fsync_us == 100);
	assert_true(law.iops == 5000 && law.mbps == 0 && law.sigma == 0 && law.seed == 9);
}

/* Every parameter is in the list of those accepted, in the engine's help and in the manual page. */
static void
test_named(void **state)
{
	(void)state;
	struct err err = {0};
	struct sim_law law;
	const struct engine *engine;
	const char *args, *source = getenv("TIERWISE_SOURCE");
	assert_int_equal(engine_find("sim", &engine, &args, NULL), 0);
	assert_int_equal(sim_law_parse("nothing_like_it=1", &law, &err), ERR_PARSE);
	const char *accepted = strstr(err.text, "accepted:");
	assert_non_null(accepted);
	char path[4096], word[64], *page = NULL;
	size_t size = 0;
	snprintf(path, sizeof(path), "%s/man/tierwise.1", source ? source : ".");
	FILE *f = fopen(path, "r");
	assert_true(!source || f);
	if (f)
		assert_true(getdelim(&page, &size, '\0', f) > 0);
	for (size_t i = 0; i < n_sim_params; i++) {
		const char *name = sim_params[i].name;
		snprintf(word, sizeof(word), " %s", name);
		if (!strstr(accepted, word) || !strstr(engine->help, word))
			fail_msg("%s is missing: %s\n%s", name, accepted, engine->help);
		snprintf(word, sizeof(word), ".B %s\n", name);
		if (page && !strstr(page, word))
			fail_msg("%s is not in %s", name, path);
		double fallback = 0;
		assert_int_equal(sim_law_parse(NULL, &law, NULL), 0);
		memcpy(&fallback, (const char *)&law + sim_params[i].offset, sizeof(fallback));
		assert_true(fallback == sim_params[i].fallback);
	}
	free(page);
	if (f)
		fclose(f);
}

struct outcome {
	double rate, mean_us, p50_us, p99_us, little, submit_ns;
	struct load_result r;
};

/* One run of the load generator over a fresh simulated disk. */
static struct outcome
drive(const char *law, enum engine_op op, unsigned qd, size_t bs_b, double seconds)
{
	const struct engine *engine;
	const char *args;
	struct err err = {0};
	char spec[256] = "sim:";
	struct outcome o;
	strncat(spec, law, sizeof(spec) - 5);
	assert_int_equal(engine_find(spec, &engine, &args, &err), 0);
	struct engine_config ec = {.fd = -1, .depth = 128, .args = args, .size_b = AREA_B};
	struct engine_run run = {engine, NULL};
	assert_int_equal(engine->open(&ec, &run.state, &err), 0);
	static struct load l;
	static struct hist h;
	struct load_seeds seeds = {1, 1};
	assert_int_equal(load_init(&l, run, seeds, NULL, &err), 0);
	hist_init(&h);
	struct hist *const lat[2] = {&h, &h};
	struct load_config c = {.read_frac = op == ENGINE_READ ? 1 : 0,
		.bs_b = bs_b,
		.qd = qd,
		.end_b = AREA_B,
		.ramp_s = 0.02,
		.window_s = seconds,
		.max_b = UINT64_MAX};
	assert_int_equal(load_run(&l, &c, lat, &o.r, &err), 0);
	o.rate = (double)o.r.ios[op] / ((double)o.r.window_ns / 1e9);
	o.mean_us = hist_mean_ns(&h) / 1000;
	o.p50_us = hist_quantile_ns(&h, 0.5) / 1000;
	o.p99_us = hist_quantile_ns(&h, 0.99) / 1000;
	o.little = o.rate * o.mean_us / 1e6 / qd;
	assert_true(h.n == o.r.ios[op]);
	load_fini(&l);
	engine->close(run.state);
	return o;
}

static void
near(const char *what, double got, double want, double tolerance)
{
	if (!(fabs(got / want - 1) <= tolerance))
		fail_msg("%s: %.6g, expected %.6g within %g", what, got, want, tolerance);
}

static const struct law_row {
	const char *law;
	enum engine_op op;
	unsigned qd;
	size_t bs_b;
	double rate, mean_us, p50_us; /* by the law */
} law_rows[] = {
	/* below any cap: rate = depth / base */
	{"read_us=250", ENGINE_READ, 1, 4096, 4000, 250, 250},
	{"read_us=250", ENGINE_READ, 8, 4096, 32000, 250, 250},
	{"write_us=150", ENGINE_WRITE, 1, 4096, 1e6 / 150, 150, 150},
	{"read_us=80,write_us=400", ENGINE_WRITE, 4, 4096, 10000, 400, 400},
	/* the IOPS cap: rate = cap, latency = depth / cap (service overlaps the wait for a token) */
	{"read_us=250,iops=20000", ENGINE_READ, 4, 4096, 16000, 250, 250},
	{"read_us=250,iops=20000", ENGINE_READ, 32, 4096, 20000, 1600, 1600},
	{"write_us=150,iops=5000", ENGINE_WRITE, 32, 4096, 5000, 6400, 6400},
	{"read_us=250,iops=500", ENGINE_READ, 1, 4096, 500, 2000, 2000},
	/* the MB/s cap: 10^6 bytes, so 40 MB/s / 4096 B = 9765.6/s */
	{"read_us=100,mbps=40", ENGINE_READ, 32, 4096, 9765.625, 3276.8, 3276.8},
	{"read_us=100,mbps=40", ENGINE_READ, 1, 4096, 1e6 / 102.4, 102.4, 102.4},
	{"read_us=100,iops=20000,mbps=200", ENGINE_READ, 8, 65536, 3051.7578125, 2621.44, 2621.44},
};

static void
test_law(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(law_rows) / sizeof(law_rows[0]); i++) {
		const struct law_row *r = &law_rows[i];
		struct outcome o = drive(r->law, r->op, r->qd, r->bs_b, 10);
		print_message("%s depth %u: %.1f/s, mean %.2f us, p50 %.2f us, Little %.4f\n",
			r->law, r->qd, o.rate, o.mean_us, o.p50_us, o.little);
		near("rate", o.rate, r->rate, 0.01);
		near("mean", o.mean_us, r->mean_us, 0.01);
		near("p50", o.p50_us, r->p50_us, 0.01);
		near("Little", o.little, 1, 0.02);
	}
}

/* Lognormal: median = base, mean = base exp(s^2/2), p99 = base exp(2.3263 s). */
static void
test_spread(void **state)
{
	(void)state;
	struct outcome o = drive("read_us=250,sigma=0.3,seed=5", ENGINE_READ, 1, 4096, 60);
	near("p50", o.p50_us, 250, 0.01);
	near("mean", o.mean_us, 250 * exp(0.045), 0.01);
	near("p99", o.p99_us, 250 * exp(0.3 * 2.326348), 0.02);
	near("Little", o.little, 1, 0.02);
}

static void
test_seed(void **state)
{
	(void)state;
	struct outcome a = drive("sigma=0.5,seed=3", ENGINE_READ, 4, 4096, 1);
	struct outcome b = drive("sigma=0.5,seed=3", ENGINE_READ, 4, 4096, 1);
	struct outcome c = drive("sigma=0.5,seed=4", ENGINE_READ, 4, 4096, 1);
	assert_true(a.mean_us == b.mean_us && a.r.all_ios == b.r.all_ios);
	assert_false(a.mean_us == c.mean_us);
}

struct disk {
	struct engine_run run;
	struct load load;
};

static struct disk *
open_disk(const char *spec)
{
	static struct disk d;
	const char *args;
	struct err err = {0};
	assert_int_equal(engine_find(spec, &d.run.engine, &args, &err), 0);
	struct engine_config ec = {.fd = -1, .depth = 128, .args = args, .size_b = AREA_B};
	assert_int_equal(d.run.engine->open(&ec, &d.run.state, &err), 0);
	assert_int_equal(load_init(&d.load, d.run, (struct load_seeds){1, 1}, NULL, &err), 0);
	return &d;
}

static void
close_disk(struct disk *d)
{
	load_fini(&d->load);
	d->run.engine->close(d->run.state);
}

static struct load_result
run_load(struct disk *d, const struct load_config *more, double *mean_us)
{
	static struct hist h[2];
	struct hist *const lat[2] = {&h[0], &h[1]};
	struct load_config c = *more;
	struct load_result r;
	struct err err = {0};
	hist_init(&h[0]);
	hist_init(&h[1]);
	c.qd = c.qd ? c.qd : 1;
	c.bs_b = c.bs_b ? c.bs_b : 4096;
	c.end_b = AREA_B;
	c.window_s = c.window_s > 0 ? c.window_s : 5;
	c.max_b = UINT64_MAX;
	if (load_run(&d->load, &c, lat, &r, &err))
		fail_msg("%s", err.text);
	hist_merge(&h[0], &h[1]);
	*mean_us = hist_mean_ns(&h[0]) / 1000;
	return r;
}

/* What watches a slice sees the disk's own counters: all ours and nothing else, or others too. */
static void
test_watched(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		double foreign;
	} rows[] = {{"sim:read_us=1000", 0}, {"sim:read_us=1000,foreign_iops=1000", 0.2},
		{"sim:read_us=1000,write_us=1000,iops=2000,cache_mib=1,wcache_mib=1", 0}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct disk *d = open_disk(rows[i].spec);
		struct load_config c = {.read_frac = 0.7, .qd = 4, .window_s = 30};
		double mean_us;
		if (rows[i].foreign > 0)
			c.read_frac = 1;
		struct watch w = {.run = &d->run};
		watch_begin(&w);
		struct load_result r = run_load(d, &c, &mean_us);
		assert_int_equal(d->run.engine->sync(d->run.state), 0);
		struct watch_result seen = watch_end(&w, r.all_ios, r.all_b);
		if (rows[i].foreign > 0)
			near("foreign", seen.share.foreign_frac, rows[i].foreign, 0.02);
		else
			assert_true(seen.share.foreign_frac == 0 && seen.share.device_ratio == 1);
		assert_true(seen.flushes == 1);
		/* of the processor a simulation says nothing */
		assert_true(isnan(seen.steal_frac) && isnan(seen.own_cpu_s));
		assert_true(isnan(seen.wall_s) && isnan(seen.busy_frac));
		close_disk(d);
	}
}

/* A disk that compresses is quick with zeros, when they are written and when they are read. */
static void
test_zeros(void **state)
{
	(void)state;
	struct disk *d = open_disk("sim:read_us=1000,write_us=1000,compress=0.2");
	struct load_config write = {.sequential = true, .bs_b = 1 << 20, .window_s = 1000},
			   read = {.read_frac = 1, .verify = true};
	double mean_us;
	struct load_result r = run_load(d, &write, &mean_us);
	assert_true(r.cut && r.all_b == AREA_B);
	near("random data written", mean_us, 1000, 0.001);
	run_load(d, &read, &mean_us);
	near("random data read", mean_us, 1000, 0.001);
	write.zeros = true;
	run_load(d, &write, &mean_us);
	near("zeros written", mean_us, 200, 0.001);
	r = run_load(d, &read, &mean_us);
	near("zeros read", mean_us, 200, 0.001);
	assert_true(r.verified > 1000 && r.mismatched == 0); /* with their stamps */
	/* data over zeros, in blocks smaller than 4 KiB and again */
	write = (struct load_config){.bs_b = 512, .qd = 16, .window_s = 1};
	run_load(d, &write, &mean_us);
	near("small data written", mean_us, 1000, 0.001);
	write.zeros = true;
	run_load(d, &write, &mean_us);
	near("small zeros written", mean_us, 200, 0.001);
	write.zeros = false;
	write.bs_b = 4096;
	run_load(d, &write, &mean_us);
	near("random data written again", mean_us, 1000, 0.001);
	r = run_load(d, &read, &mean_us);
	assert_true(r.verified > 1000 && r.mismatched == 0);
	close_disk(d);
	/* other disks do not care */
	d = open_disk("sim:write_us=1000");
	run_load(d, &write, &mean_us);
	near("random", mean_us, 1000, 0.001);
	write.zeros = true;
	run_load(d, &write, &mean_us);
	near("zeros", mean_us, 1000, 0.001);
	close_disk(d);
}

/* A sync while requests are in flight: they come back later, once each, with their time. */
static void
test_sync_beside(void **state)
{
	(void)state;
	struct disk *d = open_disk("sim:read_us=300,write_us=700,fsync_us=500");
	static char data[3][4096];
	struct engine_io io[3], *submitted[3], *done[3];
	const struct engine *e = d->run.engine;
	for (unsigned i = 0; i < 3; i++) {
		io[i] = (struct engine_io){.op = i == 2 ? ENGINE_WRITE : ENGINE_READ,
			.slot = i,
			.offset_b = 4096 * (int64_t)i,
			.size_b = 4096,
			.data = data[i]};
		submitted[i] = &io[i];
	}
	assert_int_equal(e->submit(d->run.state, submitted, 3), 3);
	assert_int_equal(e->sync(d->run.state), 0);
	assert_int_equal(e->now_ns(d->run.state), 500000);
	assert_int_equal(e->reap(d->run.state, done, 3, 1000000000), 2);
	assert_int_equal(e->now_ns(d->run.state), 500000); /* they were back */
	assert_true(done[0] != &io[2] && done[1] != &io[2] && done[0] != done[1]);
	assert_int_equal(e->reap(d->run.state, done, 3, 100000), 0); /* not yet */
	assert_int_equal(e->now_ns(d->run.state), 600000);
	assert_int_equal(e->reap(d->run.state, done, 3, 1000000000), 1);
	assert_ptr_equal(done[0], &io[2]);
	assert_int_equal(e->now_ns(d->run.state), 700000);
	assert_int_equal(e->reap(d->run.state, done, 3, 1000), 0);
	close_disk(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_law),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_watched),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_sync_beside),
	};
	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
