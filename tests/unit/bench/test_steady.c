/*
 * Steady or not, on seeded series of known law: how often a change is seen that is not there, how
 * often one that is there, and where.  Each measured share is printed.
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

#include "base/rng.h"
#include "bench/change.h"
#include "bench/steady.h"

enum { MOST = 7200, MEAN = 1000 };

static uint32_t ios[MOST];

/* First-order autoregression of unit variance, some buckets at a fifth of the rate. */
struct noise {
	double cv, lag1, spikes;
};

typedef double law(size_t i, size_t n);

static void
fill(struct rng *rng, size_t n, law *rate, const struct noise *noise)
{
	double e = rng_normal(rng), fresh = sqrt(1 - noise->lag1 * noise->lag1);
	for (size_t i = 0; i < n; i++) {
		double v = MEAN * rate(i, n) * (1 + noise->cv * e);
		if (noise->spikes > 0 && rng_uniform(rng) < noise->spikes)
			v /= 5;
		ios[i] = v > 0 ? (uint32_t)lround(v) : 0;
		e = noise->lag1 * e + fresh * rng_normal(rng);
	}
}

static double
flat(size_t i, size_t n)
{
	(void)i;
	(void)n;
	return 1;
}

static double
drop(size_t i, size_t n)
{
	return i >= n / 3 ? 0.8 : 1;
}

static double
rise(size_t i, size_t n)
{
	return i >= n / 2 ? 1.25 : 1;
}

static double
burst(size_t i, size_t n) /* for the first tenth */
{
	return i >= n / 10 ? 0.3 : 1;
}

static double
dip(size_t i, size_t n) /* and back */
{
	return i >= n / 2 && i < n / 2 + n / 5 ? 0.5 : 1;
}

static double
two_drops(size_t i, size_t n)
{
	return i >= n * 2 / 3 ? 0.35 : i >= n / 3 ? 0.8 : 1;
}

static double
drift(size_t i, size_t n)
{
	return 1 - 0.3 * (double)i / (double)(n - 1);
}

static double
sawtooth(size_t i, size_t n) /* 3 s down, then up at once */
{
	(void)n;
	return 1 - 0.6 * (double)(i % 12) / 11;
}

static double
square(size_t i, size_t n) /* 2 s high, 2 s low */
{
	(void)n;
	return (i / 8) % 2 ? 0.4 : 1;
}

static double
shares(size_t i, size_t n) /* of 100 ms in buckets of 250: 2 and 3 in turn */
{
	(void)n;
	return i % 2 ? 1.2 : 0.8;
}

static double
outlier(size_t i, size_t n)
{
	return i == n / 2 ? 0.1 : 1;
}

static double
hung(size_t i, size_t n) /* for 2 s */
{
	(void)n;
	return i >= 20 && i < 28 ? 0 : 1;
}

static double
dead(size_t i, size_t n) /* from half on */
{
	return i >= n / 2 ? 0 : 1;
}

static const struct row {
	const char *name;
	law *rate;
	size_t n;
	enum steady_verdict verdict;
	double change_s, end_over_start; /* NaN: not checked */
	double least; /* share of the series that must get this verdict */
} rows[] = {
	{"flat, 10 s", flat, 40, STEADY_STABLE, NAN, 1, 0.99},
	{"flat, 15 s", flat, 60, STEADY_STABLE, NAN, 1, 0.99},
	{"flat, 3 min", flat, 720, STEADY_STABLE, NAN, 1, 0.99},
	{"20 % less, 10 s", drop, 40, STEADY_DROPPED, 3.25, 0.8, 0.95},
	{"20 % less, 15 s", drop, 60, STEADY_DROPPED, 5, 0.8, 0.95},
	{"20 % less, 3 min", drop, 720, STEADY_DROPPED, 60, 0.8, 0.99},
	{"25 % more", rise, 60, STEADY_ROSE, 7.5, 1.25, 0.95},
	{"to 30 % after a tenth", burst, 60, STEADY_DROPPED, 1.5, 0.3, 0.95},
	{"a dip and back", dip, 60, STEADY_NOISY, NAN, NAN, 0.95},
	{"two drops, the second larger", two_drops, 60, STEADY_DROPPED, 10, 0.35, 0.95},
	{"30 % less, slowly", drift, 60, STEADY_DRIFTING, NAN, 0.7, 0.9},
	{"sawtooth", sawtooth, 60, STEADY_NOISY, NAN, NAN, 0.99},
	{"square wave", square, 60, STEADY_NOISY, NAN, NAN, 0.99},
	{"shares of 100 ms", shares, 60, STEADY_STABLE, NAN, 1, 0.95},
	{"one outlier", outlier, 60, STEADY_STABLE, NAN, 1, 0.95},
	{"hung for 2 s", hung, 60, STEADY_NOISY, NAN, NAN, 0.99},
	{"dead from half on", dead, 60, STEADY_DROPPED, 7.5, 0, 0.99},
};

static void
check_row(const struct row *r, const struct noise *noise, uint64_t seed)
{
	enum { SERIES = 300 };
	struct rng rng;
	unsigned same = 0, placed = 0, ratio = 0;
	rng_seed(&rng, seed);
	for (int k = 0; k < SERIES; k++) {
		struct steady s;
		fill(&rng, r->n, r->rate, noise);
		assert_int_equal(steady_judge(ios, r->n, STEADY_BUCKET_S, 1, &s, NULL), 0);
		same += s.verdict == r->verdict;
		if (s.verdict != r->verdict)
			continue;
		placed += isnan(r->change_s) ||
			  fabs(s.change_s - r->change_s) <= 2 * STEADY_BUCKET_S;
		ratio += isnan(r->end_over_start) ||
			 fabs(s.end_over_start - r->end_over_start) <= 0.1;
	}
	print_message("%-28s lag-1 %.2f: %s %.1f %%, placed %.1f %%\n", r->name, noise->lag1,
		names_text(&steady_names, (int)r->verdict), 100.0 * same / SERIES,
		100.0 * placed / same);
	if (same < r->least * SERIES || placed < 0.97 * same || ratio < 0.97 * same)
		fail_msg("%s: %u verdicts, of these %u placed, %u ratios", r->name, same, placed,
			ratio);
}

/* At a coefficient of variation of 5 %, independent and autocorrelated. */
static void
test_laws(void **state)
{
	(void)state;
	const struct noise white = {0.05, 0, 0}, ar = {0.05, 0.43, 0};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check_row(&rows[i], &white, 100 + i);
		check_row(&rows[i], &ar, 200 + i);
	}
}

/* Changes seen where there are none: at most 1 %, whatever the noise. */
static void
test_false_alarms(void **state)
{
	(void)state;
	const size_t lengths[] = {12, 20, 40, 60, 120, 720};
	const struct noise noises[] = {{0.01, 0, 0}, {0.05, 0, 0}, {0.05, 0.43, 0}, {0.1, 0.43, 0},
		{0.2, 0.43, 0}, {0.01, 0, 0.03}, {0.05, 0.43, 0.03}, {0.2, 0.43, 0.03}};
	struct rng rng;
	rng_seed(&rng, 5);
	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++) {
			unsigned series = lengths[l] > 200 ? 100 : 1000, alarms = 0;
			for (unsigned i = 0; i < series; i++) {
				struct steady s;
				fill(&rng, lengths[l], flat, &noises[k]);
				steady_judge(ios, lengths[l], STEADY_BUCKET_S, 1, &s, NULL);
				alarms += s.verdict == STEADY_DROPPED || s.verdict == STEADY_ROSE ||
					  s.verdict == STEADY_DRIFTING;
			}
			print_message("%3zu buckets, CV %2.0f %%, lag-1 %.2f, spikes %.0f %%: "
				      "%.1f %% false alarms\n",
				lengths[l], 100 * noises[k].cv, noises[k].lag1,
				100 * noises[k].spikes, 100.0 * alarms / series);
			assert_true(alarms <= 0.01 * series);
		}
	}
}

/* 20 % less in 60 buckets at a coefficient of variation of 5 %, wherever it happens. */
static void
test_power(void **state)
{
	(void)state;
	enum { SERIES = 1000, BUCKETS = 60 };
	const struct noise noises[] = {{0.05, 0, 0}, {0.05, 0.43, 0}, {0.05, 0.43, 0.03}};
	struct rng rng;
	rng_seed(&rng, 6);
	for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++) {
		unsigned seen = 0, placed = 0;
		for (unsigned i = 0; i < SERIES; i++) {
			struct steady s;
			size_t at = 10 + (size_t)rng_below(&rng, BUCKETS - 20);
			fill(&rng, BUCKETS, flat, &noises[k]);
			for (size_t b = at; b < BUCKETS; b++)
				ios[b] = (uint32_t)lround(0.8 * ios[b]);
			steady_judge(ios, BUCKETS, STEADY_BUCKET_S, 1, &s, NULL);
			double off = fabs(s.change_s / STEADY_BUCKET_S - (double)at);
			seen += s.verdict == STEADY_DROPPED;
			placed += s.verdict == STEADY_DROPPED && off <= 2;
		}
		print_message("20 %% less, lag-1 %.2f, spikes %.0f %%: seen %.1f %%, within 2 "
			      "buckets %.1f %%\n",
			noises[k].lag1, 100 * noises[k].spikes, 100.0 * seen / SERIES,
			100.0 * placed / SERIES);
		assert_true(seen >= 0.95 * SERIES && placed >= 0.95 * SERIES);
	}
}

/* The interval of a level's median holds the true one. */
static void
test_interval(void **state)
{
	(void)state;
	enum { SERIES = 1000, BUCKETS = 60 };
	const struct noise noise = {0.05, 0.43, 0};
	unsigned held = 0, seen = 0;
	struct rng rng;
	rng_seed(&rng, 7);
	for (unsigned i = 0; i < SERIES; i++) {
		struct steady s;
		fill(&rng, BUCKETS, drop, &noise);
		steady_judge(ios, BUCKETS, STEADY_BUCKET_S, 1, &s, NULL);
		if (s.verdict != STEADY_DROPPED)
			continue;
		double truth = 0.8 * MEAN / STEADY_BUCKET_S;
		seen++;
		held += s.after.lo <= truth && truth <= s.after.hi;
	}
	print_message("95 %% interval of a level of 40 buckets: holds it in %.1f %%\n",
		100.0 * held / seen);
	assert_true(held >= 0.92 * seen);
}

/* Too little to tell. */
static void
test_too_short(void **state)
{
	(void)state;
	struct steady s;
	for (size_t i = 0; i < 200; i++)
		ios[i] = 1000;
	assert_int_equal(steady_judge(ios, 0, STEADY_BUCKET_S, 1, &s, NULL), 0);
	assert_int_equal(s.verdict, STEADY_TOO_SHORT);
	assert_int_equal(steady_judge(ios, 11, STEADY_BUCKET_S, 1, &s, NULL), 0);
	assert_int_equal(s.verdict, STEADY_TOO_SHORT);
	assert_true(isnan(s.change_s) && isnan(s.end_over_start) && isnan(s.rate));
	assert_int_equal(steady_judge(ios, 12, STEADY_BUCKET_S, 1, &s, NULL), 0);
	assert_int_equal(s.verdict, STEADY_STABLE);
	memset(ios, 0, sizeof(ios));
	steady_judge(ios, 100, STEADY_BUCKET_S, 1, &s, NULL);
	assert_int_equal(s.verdict, STEADY_TOO_SHORT);
	for (size_t i = 0; i < 200; i++)
		ios[i] = 1;
	/* 20 completions are 5 buckets of 4; 200 are 50 */
	steady_judge(ios, 20, STEADY_BUCKET_S, 1, &s, NULL);
	assert_int_equal(s.verdict, STEADY_TOO_SHORT);
	steady_judge(ios, 200, STEADY_BUCKET_S, 1, &s, NULL);
	assert_int_equal(s.verdict, STEADY_STABLE);
	assert_true(fabs(s.rate - 4) < 1e-9);
}

/*
 * 8 at a time, 168 a second: 42 a bucket are 5 lumps of 8, and 6 in every fourth.  From the counts
 * alone two levels in turns of a second; but one lump more or less is when the bucket ends.
 */
static void
test_grain(void **state)
{
	(void)state;
	struct steady s;
	for (size_t i = 0; i < 60; i++)
		ios[i] = i % 4 == 3 ? 48 : 40;
	steady_judge(ios, 60, STEADY_BUCKET_S, 1, &s, NULL);
	assert_true(s.alternates && s.verdict == STEADY_NOISY);
	steady_judge(ios, 60, STEADY_BUCKET_S, 8, &s, NULL);
	assert_false(s.alternates);
	assert_int_equal(s.verdict, STEADY_STABLE);
	/* two lumps more are not */
	for (size_t i = 0; i < 60; i++)
		ios[i] = i % 4 == 3 ? 56 : 40;
	steady_judge(ios, 60, STEADY_BUCKET_S, 8, &s, NULL);
	assert_true(s.alternates && s.verdict == STEADY_NOISY);
}

/* Five rounds of two seconds at these rates. */
static struct steady
rounds(const unsigned mean[5])
{
	struct steady s;
	for (size_t i = 0; i < 40; i++)
		ios[i] = mean[i / 8];
	steady_judge(ios, 40, STEADY_BUCKET_S, 1, &s, NULL);
	return s;
}

/* The pair of SNIA, by hand. */
static void
test_rounds(void **state)
{
	(void)state;
	/* mean 1000; range 80; slope (-2 x 960 - 980 + 1020 + 2 x 1040) / 10 = 20 a round, 80 in 4 */
	struct steady s = rounds((const unsigned[]){960, 980, 1000, 1020, 1040});
	assert_true(fabs(s.range_frac - 0.08) < 1e-9);
	assert_true(fabs(s.slope_frac - 0.08) < 1e-9);
	assert_true(fabs(s.round_s - 2) < 1e-9);
	/* the middle round apart: no slope, range 25 of 990 */
	s = rounds((const unsigned[]){995, 995, 970, 995, 995});
	assert_true(fabs(s.range_frac - 25.0 / 990) < 1e-9);
	assert_true(fabs(s.slope_frac) < 1e-9);
	assert_int_equal(s.verdict, STEADY_STABLE);
	/* 10 s each from 50 s on: only the last 50 s count */
	for (size_t i = 0; i < 800; i++)
		ios[i] = i < 600 ? 1000 : 1050;
	steady_judge(ios, 800, STEADY_BUCKET_S, 1, &s, NULL);
	assert_true(fabs(s.round_s - 10) < 1e-9);
	assert_true(s.range_frac < 1e-9);
	assert_int_equal(s.verdict, STEADY_STABLE);
	/* wild buckets that no level or line explains */
	struct rng rng;
	rng_seed(&rng, 8);
	fill(&rng, 60, flat, &(struct noise){0.5, 0, 0});
	steady_judge(ios, 60, STEADY_BUCKET_S, 1, &s, NULL);
	assert_int_equal(s.verdict, STEADY_NOISY);
	assert_true(s.cv_frac > 0.3);
}

static struct steady
one(law *rate, size_t n)
{
	struct rng rng;
	struct steady s;
	rng_seed(&rng, 9);
	fill(&rng, n, rate, &(struct noise){0.02, 0.43, 0});
	assert_int_equal(steady_judge(ios, n, STEADY_BUCKET_S, 1, &s, NULL), 0);
	return s;
}

/* What is said beside the verdict. */
static void
test_details(void **state)
{
	(void)state;
	struct steady s = one(hung, 60);
	assert_true(fabs(s.hung_s - 2) < 1e-9 && fabs(s.hung_from_s - 5) < 1e-9);
	s = one(square, 64);
	assert_true(s.alternates && fabs(s.turn_s - 4) <= 1.0);
	assert_true(fabs(s.low / 1600 - 1) < 0.05 && fabs(s.high / 4000 - 1) < 0.05);
	s = one(sawtooth, 60);
	assert_true(s.alternates && fabs(s.turn_s - 3) <= 0.25);
	s = one(drop, 60);
	assert_true(!s.alternates && isnan(s.hung_s) && s.changes == 1);
	assert_true(fabs(s.before.value / 4000 - 1) < 0.03);
	assert_true(fabs(s.after.value / 3200 - 1) < 0.03);
	assert_true(s.before.lo < s.before.value && s.before.value < s.before.hi);
	assert_true(fabs(s.ios_before / 20000 - 1) < 0.03);
	s = one(two_drops, 60);
	assert_int_equal(s.changes, 2);
	s = one(dip, 60);
	assert_int_equal(s.changes, 2);
	assert_true(fabs(s.end_over_start - 1) < 0.05);
}

static const struct load_series series = {STEADY_BUCKET_S, ios, MOST, 60};

static struct profile_series
series_of(struct arena *a, law *rate, const struct steady_about *about, double cv)
{
	struct profile_series p;
	struct rng rng;
	rng_seed(&rng, 10);
	fill(&rng, 60, rate, &(struct noise){cv, 0, 0});
	assert_int_equal(steady_series(&series, about, a, &p, NULL, NULL), 0);
	return p;
}

static void
has(const struct profile_series *p, const char *words)
{
	if (!strstr(p->why, words))
		fail_msg("\"%s\" does not say \"%s\"", p->why, words);
}

/* As the profile keeps it. */
static void
test_series(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	const struct steady_about fill_file = {PROFILE_OP_WRITE, 1 << 20, 8, true},
				  hold = {PROFILE_OP_RANDWRITE, 4096, 16, false},
				  reads = {PROFILE_OP_RANDREAD, 4096, 16, false};
	struct profile_series p = series_of(&a, burst, &fill_file, 0.01);
	assert_string_equal(p.verdict, "dropped");
	/* 6 buckets of about 1000 MiB */
	assert_true(fabs(p.written_b / (6000 * 1048576.0) - 1) < 0.02);
	assert_true(fabs(p.before_mibps / 4000 - 1) < 0.03);
	assert_true(fabs(p.after_mibps / 1200 - 1) < 0.03);
	assert_int_equal(p.n_mibps, 60);
	assert_true(fabs(p.mibps[0] - ios[0] * 4.0) < 1e-9);
	has(&p, "a write cache full after 5.9 GiB");
	has(&p, "1,2");
	has(&p, "MiB/s");
	p = series_of(&a, burst, &hold, 0.01);
	has(&p, "burst credits used up after");
	has(&p, "write cache");
	has(&p, "IOPS");
	p = series_of(&a, burst, &hold, 0.1); /* an uneven rate afterwards is no limit's */
	has(&p, "likely a write cache full after 2");
	p = series_of(&a, burst, &reads, 0.01);
	has(&p, "burst credits used up after");
	assert_null(strstr(p.why, "write cache"));
	p = series_of(&a, square, &reads, 0.01);
	has(&p, "to and fro between 1,6");
	assert_string_equal(p.verdict, "noisy");
	p = series_of(&a, hung, &hold, 0.01);
	has(&p, "nothing was completed for 2.0 s from 5.0 s on");
	p = series_of(&a, drift, &hold, 0.01);
	has(&p, "fell steadily to 70 %");
	p = series_of(&a, dip, &hold, 0.01);
	has(&p, "made up for each other");
	p = series_of(&a, rise, &hold, 0.01);
	has(&p, "ended");
	p = series_of(&a, flat, &hold, 0.01);
	has(&p, "no change of a tenth");
	assert_true(isnan(p.change_s) && isnan(p.before_mibps));
	assert_true(fabs(p.written_b / (60000 * 4096.0) - 1) < 0.02);
	arena_fini(&a);
}

/* Half an hour, with changes all over: still quick, and memory that runs out is an error. */
static void
test_long(void **state)
{
	(void)state;
	struct steady s;
	struct rng rng;
	rng_seed(&rng, 11);
	fill(&rng, MOST, square, &(struct noise){0.05, 0.43, 0});
	assert_int_equal(steady_judge(ios, MOST, STEADY_BUCKET_S, 1, &s, NULL), 0);
	assert_int_equal(s.verdict, STEADY_NOISY);
	assert_true(s.alternates);
	fill(&rng, MOST, drop, &(struct noise){0.1, 0.43, 0.03});
	assert_int_equal(steady_judge(ios, MOST, STEADY_BUCKET_S, 1, &s, NULL), 0);
	assert_int_equal(s.verdict, STEADY_DROPPED);
	assert_true(fabs(s.change_s - 600) <= 1);
	struct arena small;
	struct profile_series p;
	struct err err = {0};
	arena_init(&small, 64);
	assert_int_equal(
		steady_series(&series, &(struct steady_about){PROFILE_OP_WRITE, 4096, 1, false},
			&small, &p, NULL, &err),
		ERR_NOMEM);
	arena_fini(&small);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_grain),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_long),
	};
	return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}
