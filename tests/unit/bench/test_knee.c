/*
 * Knees and plateaus.  Knees: ladders of known laws (rate = min(q / L, C) and its soft forms), whose
 * knee is at L x C.  Plateaus: figures as published for cloud disks, as measured under the kernel's
 * throttle, and public sweeps of real disks (where the shared material is at hand), none of which
 * is under a quota.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"
#include "bench/knee.h"
#include "bench/knees.h"
#include "bench/plateau.h"

enum { DEPTHS = 8 };

/* Rate at depth q with sharpness p: latency = (L^p + (q/C)^p)^(1/p); p = 0: the hinge. */
static double
law(double q, double light_s, double cap, double p)
{
	double queued_s = q / cap;
	double r = p > 0 ? pow(pow(light_s, p) + pow(queued_s, p), 1 / p) : fmax(light_s, queued_s);
	return q / r;
}

/* width: half the interval over the value; noise: standard deviation of the value. */
static void
ladder(struct knee_point pts[DEPTHS], double light_s, double cap, double p, double width,
	double noise, struct rng *rng)
{
	for (int i = 0; i < DEPTHS; i++) {
		double q = 1 << i, x = law(q, light_s, cap, p);
		if (noise > 0)
			x *= 1 + noise * rng_normal(rng);
		pts[i] = (struct knee_point){q, x, x * (1 - width), x * (1 + width)};
	}
}

static bool
within_doubling(double qd, double want)
{
	double q = fmax(1, want); /* a ladder begins at 1 */
	return qd >= q / 2.0001 && qd <= q * 2.0001;
}

static const double light_us[] = {60, 100, 250, 800, 2500, 9000};
static const double concurrency[] = {0.5, 1, 1.3, 2, 3, 4, 5, 7.9, 11, 16, 23, 32, 45, 60};

enum {
	N_LIGHT = sizeof(light_us) / sizeof(light_us[0]),
	N_CONCURRENCY = sizeof(concurrency) / sizeof(concurrency[0])
};

/* The depth at which the law brings 97 % of its capacity, by bisection. */
static double
depth_of_most(double light_s, double cap, double p)
{
	double lo = 0.01, hi = 1000;
	for (int i = 0; i < 60; i++) {
		double q = sqrt(lo * hi);
		*(law(q, light_s, cap, p) < 0.97 * cap ? &lo : &hi) = q;
	}
	return hi;
}

/*
 * Exact laws: the knee within one doubling of L x C, the capacity as the law says.  Soft ones reach
 * 97 % later (at 1.2 L x C where p is 8): the knee is the first depth of the ladder from there on,
 * give or take the 2 % by which the plateau seen is below the law's limit.
 */
static void
test_laws(void **state)
{
	(void)state;
	static const double sharp[] = {0, 16, 8};
	for (size_t i = 0; i < (size_t)N_LIGHT * N_CONCURRENCY * 3; i++) {
		double light_s = light_us[i % N_LIGHT] / 1e6;
		double lc = concurrency[i / N_LIGHT % N_CONCURRENCY];
		double p = sharp[i / N_LIGHT / N_CONCURRENCY], cap = lc / light_s;
		struct knee_point pts[DEPTHS];
		struct knee k;
		ladder(pts, light_s, cap, p, 0.002, 0, NULL);
		assert_true(knee_find(pts, DEPTHS, &k));
		double most = depth_of_most(light_s, cap, p), qd = pts[k.at].qd;
		bool first = qd >= 0.95 * most && (qd == 1 || qd / 2 <= 1.01 * most);
		if (!k.reached || !first || (p == 0 && !within_doubling(qd, lc)))
			fail_msg("L %g us, L x C %g, p %g: knee at %g", light_s * 1e6, lc, p,
				pts[k.at].qd);
		/* the soft law is 1 % below its cap where it may count as plateau */
		if (fabs(k.iops / cap - 1) > (p > 0 ? 0.02 : 1e-9))
			fail_msg("L x C %g, p %g: %g of the capacity", lc, p, k.iops / cap);
		assert_true(k.lo <= k.iops && k.hi >= k.iops);
	}
}

/* Slices scatter: +-5 % intervals, values off by 2.5 % (one sigma). */
static void
test_noise(void **state)
{
	(void)state;
	enum { RUNS = 1000 };
	struct rng rng;
	int bad = 0, off = 0;
	rng_seed(&rng, 7);
	for (int i = 0; i < RUNS; i++) {
		double light_s = light_us[i % N_LIGHT] / 1e6;
		double lc = concurrency[2 + i / N_LIGHT % (N_CONCURRENCY - 2)];
		struct knee_point pts[DEPTHS];
		struct knee k;
		ladder(pts, light_s, lc / light_s, 0, 0.05, 0.025, &rng);
		assert_true(knee_find(pts, DEPTHS, &k));
		bad += !within_doubling(pts[k.at].qd, lc);
		off += fabs(k.iops / (lc / light_s) - 1) > 0.05;
	}
	assert_true(bad <= RUNS / 50);
	assert_true(off <= RUNS / 50);
}

/* A ladder that ends before the wall: the rate is a lower bound and the knee is not known. */
static void
test_not_reached(void **state)
{
	(void)state;
	struct knee_point pts[DEPTHS];
	struct knee k;
	ladder(pts, 0.001, 1e6, 0, 0.01, 0, NULL); /* L x C = 1000 */
	assert_true(knee_find(pts, DEPTHS, &k));
	assert_false(k.reached);
	assert_int_equal(k.at, DEPTHS - 1);
	assert_true(isnan(k.hi) && k.lo <= 128000 && fabs(k.iops - 128000) < 1);
	ladder(pts, 0.001, 100e3, 0, 0.01, 0, NULL); /* 100: only the last point is beyond it */
	assert_true(knee_find(pts, DEPTHS, &k) && !k.reached);
}

static void
test_odd_ladders(void **state)
{
	(void)state;
	struct knee k;
	const struct knee_point none[] = {{1, NAN, NAN, NAN}, {2, 0, 0, 0}};
	assert_false(knee_find(none, 2, &k));
	assert_false(knee_find(none, 0, &k));
	/* one depth */
	const struct knee_point one[] = {{1, NAN, NAN, NAN}, {4, 1000, NAN, NAN}};
	assert_true(knee_find(one, 2, &k));
	assert_true(k.at == 1 && !k.reached && k.iops == 1000 && isnan(k.rise_frac));
	/* falls at depth: the best it does counts, where it does it first */
	const struct knee_point falls[] = {{1, 100, 99, 101}, {2, 198, 196, 200},
		{4, 300, 297, 303}, {8, 301, 298, 304}, {16, 250, 247, 253}, {32, 240, 237, 243}};
	assert_true(knee_find(falls, 6, &k));
	assert_true(k.at == 2 && k.reached && k.n_top == 2 && k.from == 2);
	assert_true(fabs(k.iops - 300.5) < 1e-9);
}

static struct plateau
judge(const struct plateau_figures *f, struct arena *a)
{
	struct plateau p;
	assert_int_equal(plateau_judge(f, a, &p, NULL), 0);
	assert_non_null(p.why);
	return p;
}

/* Nothing known but the ladder: rate within flat_frac from depth `from` to `to`. */
static struct plateau_figures
figures(double iops, double flat_frac, double from, double to, double light_us_)
{
	struct plateau_figures f = {.bs_b = 4096,
		.knee = {.iops = iops,
			.lo = iops,
			.hi = iops,
			.n_top = 4,
			.flat_frac = flat_frac,
			.rise_frac = 0,
			.reached = true},
		.knee_qd = from,
		.cv_frac = NAN,
		.qd = to,
		.mean_us = to / iops * 1e6,
		.p50_us = NAN,
		.p90_us = NAN,
		.longest_us = NAN,
		.shallow_qd = 2 * from,
		.light_us = light_us_,
		.other_iops = NAN,
		.client_frac = NAN,
		.limit_iops = NAN,
		.limit_bps = NAN};
	return f;
}

static void
expect(const struct plateau_figures *f, struct arena *a, const char *limit, const char *word)
{
	struct plateau p = judge(f, a);
	if (strcmp(p.limit, limit) != 0 || !strstr(p.why, word))
		fail_msg("%s: %s (expected %s: %s)", p.limit, p.why, limit, word);
}

/* Cloud disks as published: gp3 and gp2 of 3,000 IOPS at 16 jobs, an io2 at its instance's cap. */
static void
test_cloud(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	static const struct {
		double iops, p50, p95, p99, max, light;
	} rows[] = {
		{3016, 5342, 5604, 5997, 11076, 700},
		{3023, 5276, 5932, 6849, 11863, 800},
		{40100, 396, 478, 529, 1123, 250},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plateau_figures f = figures(rows[i].iops, 0.003, 4, 16, rows[i].light);
		const struct plateau_size larger[] = {
			{16384, 16, rows[i].iops * 1.001}, {131072, 16, rows[i].iops / 4}};
		f.p50_us = rows[i].p50;
		f.p90_us = rows[i].p95; /* p90 is not published: no more than this */
		f.longest_us = plateau_wait_us(rows[i].p99, NAN, rows[i].max);
		expect(&f, &a, "unknown", "as even as under a quota");
		f.sizes = larger;
		f.n_sizes = 2;
		expect(&f, &a, "cap-iops", "the same with blocks of 16 KiB");
		f.n_sizes = 0;
		f.other_iops = rows[i].iops * 0.995;
		expect(&f, &a, "cap-iops", "quota-limited");
		/* the same rate in bytes */
		const struct plateau_size bytes[] = {{131072, 16, rows[i].iops / 32}};
		f.sizes = bytes;
		f.n_sizes = 1;
		expect(&f, &a, "cap-mbps", "quota-limited");
		/* twice the block, half the rate to the byte, and yet another moves more bytes */
		const struct plateau_size device[] = {
			{16384, 16, rows[i].iops * 0.5}, {131072, 16, rows[i].iops * 0.2}};
		f.sizes = device;
		f.n_sizes = 2;
		expect(&f, &a, "device", "blocks of 16 KiB do 50 %");
	}
	arena_fini(&a);
}

/* The kernel's throttle at 5,000 IOPS and depth 32 (p50 0.17 ms, p99 99 ms, mean 6.4 ms), and as
 * measured at 1,000 writes with too few samples for a p99. */
static void
test_throttle(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	struct plateau_figures f = figures(5000, 0.001, 1, 32, 459);
	f.p50_us = 170;
	f.p90_us = 300;
	f.longest_us = plateau_wait_us(99000, NAN, 101000);
	f.n_deep = 5;
	f.n_waits = 1;
	expect(&f, &a, "device", "latency spreads"); /* starved in a deep queue looks so, too */
	f.n_waits = 5;
	expect(&f, &a, "throttle", "slow ones 99 ms");
	struct plateau_figures g = figures(998, 0.02, 1, 32, 1107);
	g.p50_us = 1356;
	g.p90_us = 100401;
	g.longest_us = plateau_wait_us(NAN, NAN, 106488);
	g.n_deep = g.n_waits = 4;
	expect(&g, &a, "throttle", "every 0.1 s");
	g.limit_iops = 1000;
	expect(&g, &a, "throttle", "allows 1,000");
	g.limit_iops = NAN;
	g.limit_bps = 1000 * 4096;
	expect(&g, &a, "throttle", "allows 1,000");
	/* a limit far above the rate does not bind; neither do stalls of 0.3 s look like it */
	g.limit_bps = NAN;
	g.limit_iops = 20000;
	g.longest_us = plateau_wait_us(NAN, NAN, 300e3);
	expect(&g, &a, "device", "device-limited");
	arena_fini(&a);
}

static void
test_others(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	struct plateau_figures f = figures(90000, 0.02, 16, 64, 100);
	f.p50_us = 600;
	f.p90_us = 1300;
	expect(&f, &a, "device", "p90 is 2.2 x p50");
	f.client_frac = 0.97;
	expect(&f, &a, "client", "97 %");
	f.client_frac = 0.6;
	f.knee.reached = false;
	f.knee.rise_frac = 0.5;
	expect(&f, &a, "unknown", "still brought 50 %");
	/* uneven slices are no quota */
	struct plateau_figures g = figures(5000, 0.001, 8, 64, 800);
	g.p50_us = 12000;
	g.p90_us = 12100;
	g.other_iops = 5000;
	expect(&g, &a, "cap-iops", "quota-limited");
	g.cv_frac = 0.12;
	expect(&g, &a, "device", "12 % from slice to slice");
	/* one request at a time takes it all: a mechanical disk with one arm, or a low quota */
	struct plateau_figures h = figures(200, 0.001, 1, 32, 5000);
	h.p50_us = 160e3;
	h.p90_us = 161e3;
	h.other_iops = 200;
	expect(&h, &a, "unknown", "one request at a time");
	arena_fini(&a);
}

/* --- public sweeps --- */

enum { SWEEP_MAX = 600, COLUMNS = 17 };

/* One sweep of a disk at one number of jobs: both directions, in the file's order. */
struct sweep {
	char key[160];
	struct knee_point pts[2][16];
	double mean_us[2][16], p50_us[2][16], p95_us[2][16], p99_us[2][16], p999_us[2][16];
	size_t n[2];
};

static struct sweep sweeps[SWEEP_MAX];
static size_t n_sweeps;

static struct sweep *
sweep_of(const char *key)
{
	for (size_t i = 0; i < n_sweeps; i++) {
		if (strcmp(sweeps[i].key, key) == 0)
			return &sweeps[i];
	}
	if (n_sweeps == SWEEP_MAX)
		return NULL;
	snprintf(sweeps[n_sweeps].key, sizeof(sweeps[0].key), "%s", key);
	return &sweeps[n_sweeps++];
}

static double
value(const char *text)
{
	return *text ? strtod(text, NULL) : (double)NAN;
}

/* sweep,class,rw,dir,bs_kib,iodepth,numjobs,q,iops,mean,sd,p50,p95,p99,... */
static void
add_row(char *line)
{
	char *col[COLUMNS] = {0}, key[160];
	size_t n = 0;
	for (char *p = line; p && n < COLUMNS; n++)
		col[n] = strsep(&p, ",\n");
	int op = n > 14 && strcmp(col[2], "randread") == 0    ? 0
		 : n > 14 && strcmp(col[2], "randwrite") == 0 ? 1
							      : -1;
	if (op < 0)
		return;
	snprintf(key, sizeof(key), "%s %s KiB, %s jobs", col[0], col[4], col[6]);
	struct sweep *s = sweep_of(key);
	if (!s || s->n[op] == 16)
		return;
	size_t i = s->n[op]++;
	s->pts[op][i] = (struct knee_point){value(col[7]), value(col[8]), NAN, NAN};
	s->mean_us[op][i] = value(col[9]);
	s->p50_us[op][i] = value(col[11]);
	s->p95_us[op][i] = value(col[12]);
	s->p99_us[op][i] = value(col[13]);
	s->p999_us[op][i] = value(col[14]);
}

static bool
load(const char *name)
{
	char path[512], line[1024];
	const char *shared = getenv("TIERWISE_SHARED");
	snprintf(path, sizeof(path), "%s/fixtures/curves/%s", shared ? shared : "", name);
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		add_row(line);
	fclose(f);
	return true;
}

static bool
ascending(const struct sweep *s, int op)
{
	for (size_t i = 1; i < s->n[op]; i++) {
		if (!(s->pts[op][i].qd > s->pts[op][i - 1].qd))
			return false;
	}
	return s->n[op] >= 4;
}

static struct plateau_figures
figures_of(const struct sweep *s, int op, const struct knee *k, double other)
{
	size_t last = k->from;
	for (size_t i = 0; i < s->n[op]; i++) {
		if (s->pts[op][i].iops >= 0.98 * k->iops)
			last = i;
	}
	struct plateau_figures f = figures(k->iops, 0, s->pts[op][k->at].qd, s->pts[op][last].qd,
		s->mean_us[op][0] / s->pts[op][0].qd);
	f.knee = *k;
	f.mean_us = s->mean_us[op][last];
	f.p50_us = s->p50_us[op][last];
	f.p90_us = s->p95_us[op][last];
	f.longest_us = plateau_wait_us(s->p99_us[op][last], s->p999_us[op][last], NAN);
	f.shallow_qd = NAN;
	for (size_t i = k->at; i < s->n[op]; i++) {
		if (s->pts[op][i].qd < 2 * s->pts[op][k->at].qd)
			continue;
		if (f.n_deep++ == 0)
			f.shallow_qd = s->pts[op][i].qd;
		if (!isnan(plateau_wait_us(s->p99_us[op][i], s->p999_us[op][i], NAN)))
			f.n_waits++;
	}
	f.other_iops = other;
	return f;
}

/* Disks in people's own machines: no quota and no throttle is there to be found. */
static void
test_public_sweeps(void **state)
{
	(void)state;
	struct arena a;
	size_t judged = 0, reached = 0, wrong = 0;
	if (!load("qd_sweeps_fioplot.csv") || !load("qd_sweeps_nvme.csv")) {
		print_message("skipped: no shared fixtures\n");
		skip();
	}
	arena_init(&a, 0);
	for (size_t i = 0; i < n_sweeps; i++) {
		const struct sweep *s = &sweeps[i];
		struct knee k[2];
		if (!ascending(s, 0) || !ascending(s, 1) || !knee_find(s->pts[0], s->n[0], &k[0]) ||
			!knee_find(s->pts[1], s->n[1], &k[1]))
			continue;
		for (int op = 0; op < 2; op++) {
			struct plateau_figures f = figures_of(s, op, &k[op], k[!op].iops);
			struct plateau p = judge(&f, &a);
			judged++;
			reached += k[op].reached;
			if (strcmp(p.limit, "device") == 0 || strcmp(p.limit, "unknown") == 0)
				continue;
			wrong++;
			print_message("%s op %d: %s: %s\n", s->key, op, p.limit, p.why);
		}
	}
	print_message("%zu sweeps, %zu reach their wall, %zu taken for a quota\n", judged, reached,
		wrong);
	arena_fini(&a);
	assert_true(judged > 300 && reached > 200);
	assert_int_equal(wrong, 0);
}

/* --- from a profile's cells --- */

static void
put_cell(struct profile *p, struct arena *a, int op, double bs_b, double qd, double iops)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.iops = iops;
	c.iops_lo = iops * 0.998;
	c.iops_hi = iops * 1.002;
	c.mean_us = qd / iops * 1e6;
	c.p50_us = c.mean_us;
	c.p90_us = c.mean_us * 1.03;
	c.p99_us = c.mean_us * 1.1;
	assert_int_equal(profile_add_cell(p, a, &c, NULL), 0);
}

static const struct knees_seen nothing_seen = {{NAN, NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};

/* A disk of 800 us and 5,000 IOPS, its cells in any order and among others. */
static void
test_profile(void **state)
{
	(void)state;
	struct arena a;
	struct profile p;
	arena_init(&a, 0);
	profile_clear(&p);
	assert_int_equal(knees_fill(&p, &nothing_seen, &a, NULL), 0);
	assert_int_equal(p.n_knees, 0);
	static const double depths[] = {32, 1, 8, 2, 64, 4, 16};
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		put_cell(&p, &a, PROFILE_OP_RANDREAD, 4096, depths[i],
			law(depths[i], 800e-6, 5000, 0));
		put_cell(&p, &a, PROFILE_OP_RANDWRITE, 4096, depths[i],
			law(depths[i], 800e-6, 1e6, 0)); /* never reached */
	}
	put_cell(&p, &a, PROFILE_OP_RANDREAD, 16384, 8, 5001);
	put_cell(&p, &a, PROFILE_OP_RANDREAD, 131072, 1, 400);
	put_cell(&p, &a, PROFILE_OP_READ, 1048576, 8, 190);
	/* half of a mix, and an open loop: not of the ladder */
	put_cell(&p, &a, PROFILE_OP_RANDREAD, 4096, 128, 3500);
	p.cells[p.n_cells - 1].mix_read_frac = 0.7;
	put_cell(&p, &a, PROFILE_OP_RANDREAD, 4096, 2, 9000);
	p.cells[p.n_cells - 1].asked_iops = 9000;
	assert_int_equal(knees_fill(&p, &nothing_seen, &a, NULL), 0);
	assert_int_equal(p.n_knees, 2);
	const struct profile_knee *r = &p.knees[0], *w = &p.knees[1];
	assert_int_equal(r->op, PROFILE_OP_RANDREAD);
	assert_true(r->bs_b == 4096 && r->qd == 4 && fabs(r->mean_us - 800) < 1e-6);
	assert_true(r->iops == 5000 && r->iops_lo < 5000 && r->iops_hi > 5000);
	assert_string_equal(r->limit, "cap-iops");
	assert_non_null(strstr(r->why, "blocks of 16 KiB"));
	assert_int_equal(w->op, PROFILE_OP_RANDWRITE);
	assert_true(w->qd == 64 && fabs(w->iops - 80000) < 1 && isnan(w->iops_hi));
	assert_string_equal(w->limit, "unknown");
	/* seen again with a limit of a control group and a busy processor */
	struct knees_seen seen = nothing_seen;
	seen.limits.riops = 5000;
	seen.client_frac[PROFILE_OP_RANDWRITE] = 0.95;
	assert_int_equal(knees_fill(&p, &seen, &a, NULL), 0);
	assert_int_equal(p.n_knees, 2);
	assert_string_equal(p.knees[0].limit, "throttle");
	assert_string_equal(p.knees[1].limit, "client");
	arena_fini(&a);
}

/* Slices that vary show in the profile's cells. */
static void
test_profile_slices(void **state)
{
	(void)state;
	static double slices[] = {4000, 6000, 4000, 6000, 4000, 6000};
	struct arena a;
	struct profile p;
	arena_init(&a, 0);
	profile_clear(&p);
	for (int i = 0; i < 6; i++) {
		double qd = 1 << i;
		put_cell(&p, &a, PROFILE_OP_RANDREAD, 4096, qd, law(qd, 800e-6, 5000, 0));
		p.cells[p.n_cells - 1].slice_iops = slices;
		p.cells[p.n_cells - 1].n_slice_iops = 6;
	}
	put_cell(&p, &a, PROFILE_OP_RANDREAD, 16384, 8, 5000);
	assert_int_equal(knees_fill(&p, &nothing_seen, &a, NULL), 0);
	assert_int_equal(p.n_knees, 1);
	assert_string_equal(p.knees[0].limit, "device");
	assert_non_null(strstr(p.knees[0].why, "22 % from slice to slice"));
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_not_reached),
		cmocka_unit_test(test_odd_ladders),
		cmocka_unit_test(test_cloud),
		cmocka_unit_test(test_throttle),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_public_sweeps),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_profile_slices),
	};
	return cmocka_run_group_tests_name("knee", tests, NULL, NULL);
}
