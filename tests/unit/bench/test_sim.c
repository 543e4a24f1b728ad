/* The simulated disk: its parameters, and its law recovered by the load generator in virtual time.
 * Expected values follow from the law in sim.h by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/load.h"
#include "bench/sim.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_law),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_seed),
	};
	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
