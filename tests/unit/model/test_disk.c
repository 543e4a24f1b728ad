/*
 * test_disk.c - profiles to models to predictions: forms chosen, traps found, properties kept.
 */
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "csv.h"
#include "model/disk.h"
#include "model/sizes.h"

static const double unknown = (double)NAN;
static const struct disk_caps no_caps = {
	(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};

/* A profile under construction. */
struct bench {
	struct arena arena;
	struct profile p;
	struct disk_model m;
};

static void
begin(struct bench *b, int device, int trust)
{
	memset(b, 0, sizeof(*b));
	arena_init(&b->arena, 0);
	profile_clear(&b->p);
	b->p.name = "disk";
	b->p.device = device;
	b->p.trust = trust;
}

static struct profile_cell
cell(int op, double bs_b, double qd, double mean_us)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.mean_us = mean_us;
	c.iops = 1e6 * qd / mean_us;
	return c;
}

static void
add(struct bench *b, const struct profile_cell *c)
{
	assert_int_equal(profile_add_cell(&b->p, &b->arena, c, NULL), 0);
}

static void
add_depths(struct bench *b, const double *qd, const double *mean_us, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, qd[i], mean_us[i]);
		add(b, &c);
	}
}

static void
fit(struct bench *b)
{
	struct err err;
	if (disk_model_fit(&b->p, NULL, NULL, &b->arena, &b->m, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
}

static const struct finding *
found(const struct bench *b, const char *code)
{
	const struct findings f = {NULL, b->m.findings, b->m.n_findings};
	return findings_find(&f, code);
}

static struct estimate
at_depth(const struct bench *b, double qd, const struct disk_caps *caps, enum model_statistic stat)
{
	struct estimate e;
	struct err err;
	if (disk_latency_at_qd(&b->m, PROFILE_OP_RANDREAD, 4096, qd, caps, stat, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

static struct estimate
at_rate(const struct bench *b, double rate, const struct disk_caps *caps, enum model_statistic stat)
{
	struct estimate e;
	struct err err;
	if (disk_latency_at_rate(&b->m, PROFILE_OP_RANDREAD, 4096, rate, caps, stat, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

/* The three-number law, us: 100 us, 4 us a request, wall 80,000/s. */
static double
law(double q)
{
	double a = 100 + 4 * (q - 1), b = q / 0.08;
	return pow(pow(a, 8) + pow(b, 8), 0.125);
}

static const double depths[] = {1, 2, 4, 8, 16, 32, 64};

static void
begin_law(struct bench *b)
{
	begin(b, PROFILE_DEVICE_NVME, TRUST_MEASURED);
	for (size_t i = 0; i < 7; i++) {
		struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, depths[i], law(depths[i]));
		c.p50_us = 0.95 * c.mean_us;
		c.p99_us = 1.5 * c.mean_us;
		c.p999_us = 2.5 * c.mean_us;
		add(b, &c);
	}
	fit(b);
}

static void
test_three(void **state)
{
	(void)state;
	struct bench b;
	begin_law(&b);
	const struct model_curve *c = &b.m.curves[0];
	assert_int_equal(b.m.n_curves, 1);
	assert_int_equal(c->form, MODEL_FORM_THREE);
	assert_ratio(c->l1_us, 100, 1e-3);
	assert_ratio(c->c_us, 4, 1e-2);
	assert_ratio(c->wall_iops, 80000, 1e-3);
	assert_int_equal(c->wall_reached, 1);
	assert_true(c->l1_lo_us < 100 && c->l1_hi_us > 100);
	/* (L1 - c) / (1/C - c) = 96 / 8.5 */
	assert_ratio(c->knee_qd, 96 / 8.5, 0.01);
	/* R = 150 just below q = 12 where the wall begins to show: bracketed by the law */
	assert_true(law(c->efficient_qd) > 149 && law(c->efficient_qd) < 151);
	/* (c^8 + C^-8)^(-1/8) with c = 4 us, 1/C = 12.5 us */
	assert_ratio(c->x_inf_iops, 1e6 / pow(pow(4, 8) + pow(12.5, 8), 0.125), 1e-3);
	arena_fini(&b.arena);
}

/* Inside: the points themselves; between: near the law; outside: the law, and it says so. */
static void
test_depth(void **state)
{
	(void)state;
	struct bench b;
	begin_law(&b);
	for (size_t i = 0; i < 7; i++) {
		struct estimate e = at_depth(&b, depths[i], NULL, MODEL_MEAN);
		assert_ratio(e.value, law(depths[i]), 1e-12);
		assert_int_equal(e.how, MODEL_INTERPOLATED);
		assert_int_equal(e.trust, TRUST_MEASURED);
		assert_ratio(at_depth(&b, depths[i], NULL, MODEL_P99).value, 1.5 * law(depths[i]),
			1e-12);
	}
	assert_ratio(at_depth(&b, 11, NULL, MODEL_MEAN).value, law(11), 0.03);
	struct estimate e = at_depth(&b, 256, NULL, MODEL_MEAN);
	assert_int_equal(e.how, MODEL_EXTRAPOLATED);
	assert_ratio(e.value, law(256), 1e-3);
	assert_ratio(at_depth(&b, 256, NULL, MODEL_P999).value, 2.5 * law(256), 1e-2);
	arena_fini(&b.arena);
}

/* R and X never fall with depth, percentiles are ordered, the interval widens away from the data. */
static void
test_properties(void **state)
{
	(void)state;
	struct bench b;
	begin_law(&b);
	double last = 0, last_x = 0;
	for (int i = 0; i < 112; i++) {
		double q = pow(1.07, i);
		double mean = at_depth(&b, q, NULL, MODEL_MEAN).value;
		assert_true(mean >= last * (1 - 1e-9));
		assert_true(q / mean >= last_x * (1 - 2e-3)); /* interpolation leaves a ripple */
		last = mean;
		last_x = q / mean;
		double p50 = at_depth(&b, q, NULL, MODEL_P50).value;
		double p99 = at_depth(&b, q, NULL, MODEL_P99).value;
		assert_true(p50 <= p99 && p99 <= at_depth(&b, q, NULL, MODEL_P999).value);
	}
	double width = 0;
	for (int i = 0; i < 7; i++) {
		double q = 64 * pow(2, i);
		struct estimate e = at_depth(&b, q, NULL, MODEL_MEAN);
		assert_true(e.lo < e.value && e.value < e.hi);
		assert_true(e.hi / e.lo >= width);
		width = e.hi / e.lo;
	}
	struct estimate on = at_depth(&b, 8, NULL, MODEL_P99),
			off = at_depth(&b, 11, NULL, MODEL_P99);
	assert_true(off.hi / off.lo > on.hi / on.lo);
	arena_fini(&b.arena);
}

/* Open loop and closed loop are the same three numbers: R(rate) at rate = X(q) is R(q). */
static void
test_rate(void **state)
{
	(void)state;
	struct bench b;
	begin_law(&b);
	/* light: never below L1 */
	assert_ratio(at_rate(&b, 10, NULL, MODEL_MEAN).value, 100, 1e-3);
	static const double q[] = {2, 4, 6};
	for (size_t i = 0; i < 3; i++) {
		double r = 100 + 4 * (q[i] - 1), rate = 1e6 * q[i] / r;
		assert_ratio(at_rate(&b, rate, NULL, MODEL_MEAN).value, r, 0.02);
		/* (L1 - c) / (1 - c rate) */
		assert_ratio(96 / (1 - 4e-6 * rate), r, 1e-9);
	}
	double last = 0;
	for (int i = 0; i < 70; i++) {
		double rate = 100 * pow(1.1, i);
		double mean = at_rate(&b, rate, NULL, MODEL_MEAN).value;
		assert_true(mean >= last * (1 - 1e-9));
		last = mean;
		assert_true(at_rate(&b, rate, NULL, MODEL_P50).value <=
			    at_rate(&b, rate, NULL, MODEL_P99).value);
	}
	struct estimate e;
	struct err err;
	assert_int_equal(disk_latency_at_rate(&b.m, PROFILE_OP_RANDREAD, 4096, 81000, NULL,
				 MODEL_MEAN, &e, &err),
		ERR_RANGE);
	assert_non_null(strstr(err.text, "backlog grows by 1,"));
	arena_fini(&b.arena);
}

/* A cap far below the disk's own wall: light latency, then exactly q / cap; the rate is flat. */
static void
test_cap(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	begin_law(&b);
	const struct disk_caps caps = {5000, 200, unknown, unknown, unknown};
	assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, &caps, &e, NULL), 0);
	assert_ratio(e.value, 5000, 1e-12);
	assert_int_equal(e.how, MODEL_AT_CAP);
	/* 200 MB/s at 64 KiB is 3,051.76/s */
	assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 65536, &caps, &e, NULL), 0);
	assert_ratio(e.value, 200e6 / 65536, 1e-9);
	e = at_depth(&b, 64, &caps, MODEL_MEAN);
	assert_ratio(e.value, 64 / 5000.0 * 1e6, 0.01);
	assert_int_equal(e.how, MODEL_AT_CAP);
	assert_ratio(at_depth(&b, 64, &caps, MODEL_P99).value, 1.2 * 64 / 5000.0 * 1e6, 0.01);
	/* the disk's own wall was seen, so the way to the cap is known: straight, 1 / 5,000 s */
	assert_ratio(at_depth(&b, 1, &caps, MODEL_MEAN).value, 200, 1e-9);
	assert_ratio(at_rate(&b, 4000, &caps, MODEL_MEAN).value, 100, 0.01);
	/* four disks share it */
	const struct disk_caps stripe = {5000, 200, unknown, 4, unknown};
	assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, &stripe, &e, NULL), 0);
	assert_ratio(e.value, 20000, 1e-12);
	assert_ratio(at_depth(&b, 256, &stripe, MODEL_MEAN).value,
		at_depth(&b, 64, &caps, MODEL_MEAN).value, 1e-9);
	/* one I/O of 1 MiB counts four times in units of 256 KiB */
	const struct disk_caps unit = {5000, unknown, 256, unknown, unknown};
	assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 1048576, &unit, &e, NULL), 0);
	assert_ratio(e.value, 1250, 1e-9);
	/* a cap above the fitted wall does not lift it */
	const struct disk_caps high = {1e6, unknown, unknown, unknown, unknown};
	assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, &high, &e, NULL), 0);
	assert_ratio(e.value, 80000, 0.01);
	assert_ratio(at_depth(&b, 16, &high, MODEL_MEAN).value, law(16), 1e-9);
	arena_fini(&b.arena);
}

/* IOPS at a wall never grow with block size. */
static void
test_wall_over_size(void **state)
{
	(void)state;
	struct bench b;
	begin_law(&b);
	const struct disk_caps caps = {60000, 400, 256, unknown, unknown};
	double last = INFINITY;
	for (int i = 0; i < 13; i++) {
		double bs = 4096 * pow(2, i);
		struct estimate e;
		assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, bs, &caps, &e, NULL), 0);
		assert_true(e.value <= last);
		last = e.value;
	}
	arena_fini(&b.arena);
}

/* A block size without a curve: a provider's quota counts I/O; else between I/O and bytes. */
static void
test_wall_at_other_size(void **state)
{
	(void)state;
	static const struct {
		int device;
		double want;
	} rows[] = {{PROFILE_DEVICE_CLOUD, 1}, {PROFILE_DEVICE_SSD, 0.5}};
	for (size_t i = 0; i < 2; i++) {
		struct bench b;
		struct estimate small, large;
		begin(&b, rows[i].device, TRUST_MEASURED);
		add_depths(&b, depths, (const double[]){100, 100, 101, 160, 320, 640, 1280}, 7);
		fit(&b);
		assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, NULL, &small, NULL), 0);
		assert_int_equal(
			disk_wall(&b.m, PROFILE_OP_RANDREAD, 16384, NULL, &large, NULL), 0);
		assert_ratio(large.value, rows[i].want * small.value, 1e-9);
		assert_int_equal(large.trust, TRUST_ASSUMED);
		assert_true(large.lo <= 0.25 * small.value && large.hi >= small.value);
		/* the latency of that size runs into the same wall */
		struct estimate e;
		assert_int_equal(disk_latency_at_qd(&b.m, PROFILE_OP_RANDREAD, 16384, 64, NULL,
					 MODEL_MEAN, &e, NULL),
			0);
		assert_true(64e6 / e.value <= large.value * 1.001);
		assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 1048576, NULL, &large, NULL),
			ERR_UNSUPPORTED);
		arena_fini(&b.arena);
	}
}

/* What was never measured is refused or marked, never made up. */
static void
test_unknown(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	struct err err;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_PUBLISHED);
	struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, 1, 800);
	add(&b, &c);
	fit(&b);
	assert_int_equal(b.m.curves[0].form, MODEL_FORM_CONSTANT);
	assert_int_equal(
		disk_latency_at_qd(&b.m, PROFILE_OP_RANDREAD, 4096, 8, NULL, MODEL_MEAN, &e, &err),
		ERR_UNSUPPORTED);
	assert_int_equal(disk_latency_at_rate(
				 &b.m, PROFILE_OP_RANDREAD, 4096, 3000, NULL, MODEL_MEAN, &e, &err),
		ERR_UNSUPPORTED);
	assert_int_equal(
		disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, NULL, &e, &err), ERR_UNSUPPORTED);
	assert_int_equal(
		disk_latency_at_qd(&b.m, PROFILE_OP_RANDWRITE, 4096, 1, NULL, MODEL_MEAN, &e, &err),
		ERR_UNSUPPORTED);
	assert_int_equal(disk_sync_latency(&b.m, 8192, MODEL_MEAN, &e, &err), ERR_UNSUPPORTED);
	const struct disk_caps caps = {5000, 200, unknown, unknown, unknown};
	assert_ratio(at_rate(&b, 3000, &caps, MODEL_MEAN).value, 800, 1e-9);
	/* a percentile from the table of ratios is an assumption */
	e = at_depth(&b, 1, NULL, MODEL_P99);
	assert_int_equal(e.trust, TRUST_ASSUMED);
	assert_true(e.value > 800);
	arena_fini(&b.arena);
}

/* Profiles lacking one of rate and latency. */
static void
test_incomplete_cells(void **state)
{
	(void)state;
	struct bench b;
	begin(&b, PROFILE_DEVICE_SSD, TRUST_PUBLISHED);
	struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, 1, 100);
	c.iops = unknown;
	add(&b, &c);
	c = cell(PROFILE_OP_RANDREAD, 4096, 32, 400);
	c.mean_us = unknown; /* 80,000 IOPS */
	add(&b, &c);
	fit(&b);
	assert_int_equal(b.m.curves[0].form, MODEL_FORM_TWO);
	assert_int_equal(b.m.curves[0].trust, TRUST_DERIVED);
	assert_non_null(found(&b, "latency-derived"));
	assert_ratio(at_depth(&b, 32, NULL, MODEL_MEAN).value, 400, 1e-9);
	arena_fini(&b.arena);
}

/* Below the disk's own light latency, or against Little's law: reported, not fitted. */
static void
test_contradictions(void **state)
{
	(void)state;
	struct bench b;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_PUBLISHED);
	struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, 1, 300);
	add(&b, &c);
	c = cell(PROFILE_OP_RANDREAD, 4096, 16, 100);
	add(&b, &c);
	c = cell(PROFILE_OP_RANDREAD, 4096, 32, 1100);
	c.iops = 145000;
	add(&b, &c);
	fit(&b);
	assert_non_null(found(&b, "below-light-latency"));
	assert_non_null(strstr(found(&b, "below-light-latency")->text, "at least 48 outstanding"));
	assert_non_null(found(&b, "little-law"));
	assert_non_null(strstr(found(&b, "little-law")->text, "29,091 IOPS"));
	assert_ratio(b.m.curves[0].n_points, 1, 0);
	assert_ratio(b.m.curves[0].l1_us, 300, 1e-12);
	arena_fini(&b.arena);
}

/* models.md 1.7: one series a trap, and a clean one that raises none. */
static void
test_traps(void **state)
{
	(void)state;
	static const struct {
		const char *code;
		double mean_us[7];
	} rows[] = {
		{"wall-not-reached", {100, 101, 102, 104, 108, 116, 132}},
		{"hidden-by-cap", {100, 199, 398, 797, 1590, 3180, 6360}},
		/* 50,000 IOPS at QD8 fall to 32,000 */
		{"falls-with-depth", {100, 105, 115, 160, 400, 900, 2000}},
		{"bump", {100, 210, 130, 160, 300, 600, 1200}},
		/* 50,000 at QD8, 40,000 at QD16, 80,000 at QD32 */
		{"dip", {100, 105, 115, 160, 400, 400, 800}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench b;
		begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
		add_depths(&b, depths, rows[i].mean_us, 7);
		fit(&b);
		const struct finding *f = found(&b, rows[i].code);
		if (!f)
			fail_msg("no finding %s", rows[i].code);
		else
			assert_non_null(f->todo);
		arena_fini(&b.arena);
	}
	struct bench b;
	begin_law(&b);
	assert_int_equal(b.m.n_findings, 0);
	arena_fini(&b.arena);
}

/* A depth 1 that beats the plateau is a cache's: the cap is the plateau, 7,500 here. */
static void
test_burst_at_depth_one(void **state)
{
	(void)state;
	static const double mean_us[] = {100, 283, 550, 1067, 2133, 4267, 8533};
	struct bench b;
	begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_depths(&b, depths, mean_us, 7);
	fit(&b);
	const struct finding *f = found(&b, "hidden-by-cap");
	assert_non_null(f);
	if (!strstr(f->text, "cap of about 7,500 IOPS; the 10,000 IOPS at QD1"))
		fail_msg("%s", f->text);
	arena_fini(&b.arena);
}

/* Writes of 2 ms beside reads of 0.1 ms, flat to QD4: named on flash, not on a hard disk. */
static void
test_slow_writes(void **state)
{
	(void)state;
	static const struct {
		double read_us, write_us[7];
		int flagged;
	} rows[] = {
		{100, {2000, 2020, 2050, 2500, 3000, 6000, 12000}, 1},
		{100, {400, 410, 420, 500, 600, 1200, 2400}, 0},
		{100, {2000, 4000, 8000, 16000, 32000, 64000, 128000}, 0},
		{5000, {30000, 30500, 31000, 40000, 80000, 160000, 320000}, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench b;
		begin(&b, -1, TRUST_MEASURED);
		for (size_t k = 0; k < 7; k++) {
			struct profile_cell r = cell(PROFILE_OP_RANDREAD, 4096, depths[k],
				rows[i].read_us * (1 + 0.1 * depths[k]));
			struct profile_cell w = cell(
				PROFILE_OP_RANDWRITE, 4096, depths[k], rows[i].write_us[k]);
			add(&b, &r);
			add(&b, &w);
		}
		fit(&b);
		const struct finding *f = found(&b, "slow-writes");
		assert_int_equal(f != NULL, rows[i].flagged);
		if (f)
			assert_non_null(strstr(f->text, "flat to QD4"));
		arena_fini(&b.arena);
	}
}

static void
test_traps_of_cells(void **state)
{
	(void)state;
	struct bench b;
	begin(&b, PROFILE_DEVICE_SSD, TRUST_IMPORTED);
	for (size_t i = 0; i < 7; i++) {
		struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, depths[i], law(depths[i]));
		if (i == 2)
			c.p99_us = 0.9 * c.mean_us; /* mean above p99 */
		if (i == 3)
			c.submit_frac = 0.9;
		add(&b, &c);
	}
	/* the same cell 40 % slower: other option set */
	struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, 16, 1.4 * law(16));
	add(&b, &c);
	fit(&b);
	assert_non_null(found(&b, "stalls"));
	assert_non_null(found(&b, "submission-blocks"));
	assert_non_null(found(&b, "repeats-differ"));
	assert_ratio(b.m.curves[0].n_points, 7, 0);
	/* repeats average in ln */
	assert_ratio(at_depth(&b, 16, NULL, MODEL_MEAN).value, sqrt(1.4) * law(16), 1e-9);
	arena_fini(&b.arena);
}

/* Cells of a mix are no points of a pure curve. */
static void
test_mix(void **state)
{
	(void)state;
	struct bench b;
	begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_depths(&b, depths, (const double[]){100, 101, 103, 110, 200, 400, 800}, 7);
	struct profile_cell c = cell(PROFILE_OP_RANDREAD, 4096, 16, 5000);
	c.mix_read_frac = 0.7;
	add(&b, &c);
	fit(&b);
	assert_ratio(b.m.curves[0].n_points, 7, 0);
	assert_ratio(at_depth(&b, 16, NULL, MODEL_MEAN).value, 200, 1e-9);
	arena_fini(&b.arena);
}

/* An elevator's law gives the power form back; a device that is none gets it only by evidence. */
static void
test_power(void **state)
{
	(void)state;
	double mean[7];
	for (size_t i = 0; i < 7; i++)
		mean[i] = 8000 * pow(depths[i], 0.75);
	struct bench b;
	begin(&b, PROFILE_DEVICE_HDD, TRUST_MEASURED);
	add_depths(&b, depths, mean, 7);
	fit(&b);
	assert_int_equal(b.m.curves[0].form, MODEL_FORM_POWER);
	assert_near(b.m.curves[0].g, 0.75, 0.01);
	assert_int_equal(b.m.curves[0].wall_reached, 0);
	arena_fini(&b.arena);
}

static void
test_quota(void **state)
{
	(void)state;
	struct bench b;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	struct profile_quota quota = {5000, unknown, unknown, unknown, NULL};
	b.p.quota = &quota;
	/* plateau 2 % above the label */
	add_depths(&b, depths, (const double[]){800, 800, 800, 1570, 3137, 6275, 12549}, 7);
	fit(&b);
	assert_non_null(found(&b, "quota-limited"));
	assert_ratio(b.m.curves[0].wall_iops, 5000, 1e-9);
	assert_int_equal(b.m.curves[0].wall_reached, 1);
	assert_ratio(b.m.curves[0].l1_us, 800, 0.02);
	/* plan with the label */
	struct estimate e;
	assert_int_equal(disk_latency_at_rate(
				 &b.m, PROFILE_OP_RANDREAD, 4096, 5050, NULL, MODEL_MEAN, &e, NULL),
		ERR_RANGE);
	arena_fini(&b.arena);
}

/* The published table: a = 45.4 us, b = 1.174 us/KiB within 0.29 %; 5.53 us and 0.185 within 0.48. */
static void
test_article_sizes(void **state)
{
	(void)state;
	static const struct {
		double iops[3], a_us, b_us, error, i0, b_kibps;
	} rows[] = {
		{{20000, 18200, 15600}, 45.4, 1.174, 0.0029, 22030, 851900},
		{{160000, 142000, 118000}, 5.53, 0.185, 0.0048, 180900, 5.40e6},
	};
	for (size_t i = 0; i < 2; i++) {
		struct bench b;
		begin(&b, PROFILE_DEVICE_CLOUD, TRUST_PUBLISHED);
		for (size_t j = 0; j < 3; j++) {
			struct profile_cell c = cell(
				PROFILE_OP_RANDWRITE, 4096 << j, 16, 16e6 / rows[i].iops[j]);
			add(&b, &c);
		}
		fit(&b);
		assert_int_equal(b.m.n_sizes, 1);
		const struct model_size *s = &b.m.sizes[0];
		assert_ratio(s->p, 1, 0);
		assert_ratio(s->a_us, rows[i].a_us, 2e-3);
		assert_ratio(s->b_us_per_kib, rows[i].b_us, 5e-3);
		assert_ratio(s->i0_iops, rows[i].i0, 2e-3);
		assert_ratio(s->b_mibps * 1024, rows[i].b_kibps, 5e-3);
		assert_true(s->max_error_frac <= 0.005);
		assert_near(s->max_error_frac, rows[i].error, 5e-4);
		arena_fini(&b.arena);
	}
}

/* A strip of 128 KiB over four disks makes bandwidth jump there; a smooth law shows none. */
static void
test_strip(void **state)
{
	(void)state;
	double bs[13], striped[13], smooth[13], jump = 0;
	for (size_t i = 0; i < 13; i++) {
		bs[i] = 4096 * pow(2, (double)i);
		double disks = fmin(4, ceil(bs[i] / 131072));
		striped[i] = 1e6 / (60 + bs[i] / 300 / disks); /* 300 bytes a us and disk */
		smooth[i] = 1e6 / (60 + bs[i] / 300);
	}
	assert_ratio(sizes_strip_b(bs, striped, 13, &jump), 131072, 0);
	assert_true(jump > 1.3);
	assert_true(isnan(sizes_strip_b(bs, smooth, 13, &jump)));
	assert_true(isnan(sizes_strip_b(bs, striped, 6, &jump))); /* too few to tell */
}

static void
test_sync(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	static const struct {
		int mode, pattern;
		double bs_b, mean_us, p99_us;
	} rows[] = {
		{PROFILE_SYNC_FSYNC, PROFILE_OVERWRITE, 8192, 900, 2000},
		{PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 8192, 1400, 2800},
		{PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 500, 1000},
		{PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 65536, 612, 1200},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct profile_sync s;
		profile_sync_clear(&s);
		s.mode = rows[i].mode;
		s.pattern = rows[i].pattern;
		s.bs_b = rows[i].bs_b;
		s.writers = 1;
		s.mean_us = rows[i].mean_us;
		s.p50_us = 0.9 * rows[i].mean_us;
		s.p99_us = rows[i].p99_us;
		assert_int_equal(profile_add_sync(&b.p, &b.arena, &s, NULL), 0);
	}
	fit(&b);
	assert_int_equal(disk_sync_latency(&b.m, 8192, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 500,
		1e-12); /* fdatasync before fsync, a recycled log before a growing one */
	assert_int_equal(e.trust, TRUST_MEASURED);
	/* a + b bs: 500 + 112 x (16 - 8) / (64 - 8) */
	assert_int_equal(disk_sync_latency(&b.m, 16384, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 516, 1e-9);
	assert_int_equal(e.how, MODEL_INTERPOLATED);
	assert_int_equal(disk_sync_latency(&b.m, 8192, MODEL_P999, &e, NULL), 0);
	assert_int_equal(e.trust, TRUST_ASSUMED);
	assert_int_equal(e.how, MODEL_CURVE);
	int mode = -1, pattern = -1;
	assert_true(disk_sync_kind(&b.m, 8192, &mode, &pattern));
	assert_int_equal(mode, PROFILE_SYNC_FDATASYNC);
	assert_int_equal(pattern, PROFILE_OVERWRITE);
	assert_true(disk_sync_append(&b.m, 8192, MODEL_MEAN, &e));
	assert_ratio(e.value, 1400, 1e-12);
	assert_int_equal(disk_sync_latency(&b.m, 8192, MODEL_P999, &e, NULL), 0);
	assert_true(e.value >= 1000); /* never below the known p99 */
	/* ln 450 and (ln 1000 - ln 450) / 2.3263 */
	assert_near(b.m.syncs[2].lognormal_mu, 6.109248, 1e-6);
	assert_near(b.m.syncs[2].lognormal_sigma, 0.343245, 1e-5);
	arena_fini(&b.arena);
}

static void
add_commit(struct bench *b, double bs_b, double mean_us, double p50_us, double p99_us)
{
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = PROFILE_SYNC_FDATASYNC;
	s.pattern = PROFILE_OVERWRITE;
	s.bs_b = bs_b;
	s.writers = 1;
	s.mean_us = mean_us;
	s.p50_us = p50_us;
	s.p99_us = p99_us;
	assert_int_equal(profile_add_sync(&b->p, &b->arena, &s, NULL), 0);
}

/* Beyond its sizes a commit takes no less than the write of its bytes. */
static void
test_sync_beyond_sizes(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	struct profile_cell writes[] = {cell(PROFILE_OP_RANDWRITE, 4096, 1, 800),
		cell(PROFILE_OP_RANDWRITE, 4096, 2, 810), cell(PROFILE_OP_RANDWRITE, 65536, 1, 840),
		cell(PROFILE_OP_RANDWRITE, 1 << 20, 1, 5260)};
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++)
		add(&b, &writes[i]);
	add_commit(&b, 16384, 1230, 1220, (double)NAN);
	add_commit(&b, 65536, 1240, 1230, 1400);
	fit(&b);
	/* at 1,240 + (1240 - 1230) / 48 KiB x 960 KiB = 1,440 us it would beat its own write */
	assert_int_equal(disk_sync_latency(&b.m, 1 << 20, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 5260, 1e-9);
	assert_int_equal(e.how, MODEL_EXTRAPOLATED);
	assert_int_equal(e.trust, TRUST_DERIVED);
	assert_true(e.hi >= 5260 + 1440); /* the write, and then the flush */
	/* percentiles shift with it: 1,230 and 1,400 + (5260 - 1240) */
	assert_int_equal(disk_sync_latency(&b.m, 1 << 20, MODEL_P50, &e, NULL), 0);
	assert_ratio(e.value, 5250, 1e-9);
	assert_int_equal(disk_sync_latency(&b.m, 1 << 20, MODEL_P99, &e, NULL), 0);
	assert_ratio(e.value, 5420, 1e-9);
	/* and at a size that holds what it was measured to be */
	assert_int_equal(disk_sync_latency(&b.m, 65536, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 1240, 1e-12);
	assert_int_equal(e.trust, TRUST_MEASURED);
	arena_fini(&b.arena);
}

/* No plain write, but a rate the disk is sold with: 8 MiB at 200 MB/s are 41,943 us. */
static void
test_sync_beyond_quota(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	struct profile_quota quota = {
		.iops = 5000, .mbps = 200, .write_iops = (double)NAN, .write_mbps = (double)NAN};
	b.p.quota = &quota;
	add_commit(&b, 8192, 1230, 1220, 1500);
	fit(&b);
	assert_int_equal(disk_sync_latency(&b.m, 8 << 20, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 41943.04, 1e-9);
	arena_fini(&b.arena);
}

/* A percentile that some sizes lack comes from those that have it, and all are ordered. */
static void
test_sync_percentiles(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e[MODEL_STATISTIC_COUNT];
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	add_commit(&b, 8192, 1230, 1210, 1500);
	add_commit(&b, 16384, 1230, 1220, (double)NAN);
	add_commit(&b, 65536, 1240, 1230, 1724);
	fit(&b);
	/* a + b bs: 1,500 + 224 x (16 - 8) / (64 - 8) */
	assert_int_equal(disk_sync_latency(&b.m, 16384, MODEL_P99, &e[0], NULL), 0);
	assert_ratio(e[0].value, 1532, 1e-9);
	assert_int_equal(e[0].trust, TRUST_MEASURED);
	for (double bs_b = 512; bs_b <= 64 << 20; bs_b *= 2) {
		for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++)
			assert_int_equal(disk_sync_latency(&b.m, bs_b, (enum model_statistic)stat,
						 &e[stat], NULL),
				0);
		assert_true(e[MODEL_P50].value <= e[MODEL_P99].value);
		assert_true(e[MODEL_P99].value <= e[MODEL_P999].value);
		assert_true(e[MODEL_MEAN].value <= e[MODEL_P99].value);
	}
	arena_fini(&b.arena);
}

/* No sync data: the write at depth 1 stands in and says so. */
static void
test_sync_stand_in(void **state)
{
	(void)state;
	struct bench b;
	struct estimate e;
	begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	struct profile_cell c = cell(PROFILE_OP_RANDWRITE, 4096, 1, 70);
	add(&b, &c);
	fit(&b);
	assert_int_equal(disk_sync_latency(&b.m, 4096, MODEL_MEAN, &e, NULL), 0);
	assert_ratio(e.value, 70, 1e-12);
	assert_int_equal(e.trust, TRUST_ASSUMED);
	assert_int_equal(e.how, MODEL_EXTRAPOLATED);
	arena_fini(&b.arena);
}

/* A plain write may sit in a volatile cache: no commit time comes from it. */
static void
test_no_stand_in_with_a_cache(void **state)
{
	(void)state;
	static const int devices[] = {-1, PROFILE_DEVICE_HDD, PROFILE_DEVICE_SSD,
		PROFILE_DEVICE_NVME, PROFILE_DEVICE_RAID_HDD, PROFILE_DEVICE_RAID_SSD,
		PROFILE_DEVICE_NETWORK};
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		struct bench b;
		struct estimate e;
		struct err err;
		begin(&b, devices[i], TRUST_MEASURED);
		struct profile_cell c = cell(PROFILE_OP_RANDWRITE, 4096, 1, 70);
		add(&b, &c);
		fit(&b);
		assert_int_equal(
			disk_sync_latency(&b.m, 4096, MODEL_MEAN, &e, &err), ERR_UNSUPPORTED);
		assert_non_null(strstr(err.text, "volatile cache"));
		arena_fini(&b.arena);
	}
}

static void
test_nothing(void **state)
{
	(void)state;
	struct bench b;
	struct err err;
	begin(&b, -1, TRUST_MEASURED);
	assert_int_equal(disk_model_fit(&b.p, NULL, NULL, &b.arena, &b.m, &err), ERR_UNSUPPORTED);
	arena_fini(&b.arena);
}

/* A model written and read back predicts the same. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct bench b;
	struct disk_model again;
	struct buf text;
	struct err err;
	begin_law(&b);
	buf_init(&text, 0);
	schema_write(&disk_model_schema, &b.m, &text);
	char path[] = "/tmp/tierwise-model-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(file_write(path, &text, &err), 0);
	int rc = disk_model_load(path, &b.arena, &again, NULL, &err);
	if (rc)
		print_error("%s\n", err.text);
	assert_int_equal(rc, 0);
	remove(path);
	for (int i = 0; i < 14; i++) {
		double q = pow(1.5, i);
		struct estimate e;
		assert_int_equal(disk_latency_at_qd(&again, PROFILE_OP_RANDREAD, 4096, q, &no_caps,
					 MODEL_P99, &e, &err),
			0);
		struct estimate want = at_depth(&b, q, NULL, MODEL_P99);
		assert_ratio(e.value, want.value, 1e-12);
		assert_ratio(e.hi, want.hi, 1e-12);
	}
	buf_fini(&text);
	arena_fini(&b.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_cap),
		cmocka_unit_test(test_wall_over_size),
		cmocka_unit_test(test_wall_at_other_size),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_incomplete_cells),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_burst_at_depth_one),
		cmocka_unit_test(test_slow_writes),
		cmocka_unit_test(test_traps_of_cells),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_article_sizes),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_sync),
		cmocka_unit_test(test_sync_beyond_sizes),
		cmocka_unit_test(test_sync_beyond_quota),
		cmocka_unit_test(test_sync_percentiles),
		cmocka_unit_test(test_sync_stand_in),
		cmocka_unit_test(test_no_stand_in_with_a_cache),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests_name("model/disk", tests, NULL, NULL);
}
