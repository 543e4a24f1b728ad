/*
 * test_sizes.c - block sizes: which law, interpolation, breaks, writes smaller than a physical
 * block, and sizes that have no curve of their own.
 */
#include "build.h"

#include "base/units.h"
#include "model/sizes.h"

static const double depths[] = {1, 2, 4, 8, 16, 32, 64};

/* IOPS of `n` sizes from `first_b`, doubling, at a depth. */
static void
add_sizes(struct build *b, int op, double qd, double first_b, const double *iops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		build_add(b, build_cell(op, first_b * pow(2, (double)i), qd, 1e6 * qd / iops[i]));
}

static const struct model_size *
size_at(const struct build *b, int op, double qd)
{
	for (size_t i = 0; i < b->m.n_sizes; i++)
		if (b->m.sizes[i].op == op && b->m.sizes[i].qd == qd)
			return &b->m.sizes[i];
	fail_msg("no sizes of operation %d at QD%g", op, qd);
	return NULL;
}

/* Two sizes: p = 2 behind a link, 1 at depth 1 and on a hard disk, exact quotas on a cloud disk. */
static void
test_two_sizes(void **state)
{
	(void)state;
	static const struct {
		int device;
		double qd, p;
	} rows[] = {
		{PROFILE_DEVICE_SSD, 32, 2},
		{PROFILE_DEVICE_SSD, 1, 1},
		{PROFILE_DEVICE_HDD, 32, 1},
		{PROFILE_DEVICE_CLOUD, 32, (double)NAN},
	};
	static const double iops[] = {5000, 200e6 / 131072};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct build b;
		build_begin(&b, rows[i].device, TRUST_MEASURED);
		build_add(&b, build_cell(PROFILE_OP_RANDREAD, 4096, rows[i].qd,
				      1e6 * rows[i].qd / iops[0]));
		build_add(&b, build_cell(PROFILE_OP_RANDREAD, 131072, rows[i].qd,
				      1e6 * rows[i].qd / iops[1]));
		build_fit(&b);
		const struct model_size *s = size_at(&b, PROFILE_OP_RANDREAD, rows[i].qd);
		if (isnan(rows[i].p))
			assert_true(isnan(s->p));
		else
			assert_ratio(s->p, rows[i].p, 0);
		/* two numbers through two points: exact whatever the law */
		assert_ratio(sizes_iops(s, 4096), iops[0], 1e-6);
		assert_ratio(sizes_iops(s, 131072), iops[1], 1e-6);
		assert_ratio(s->bs_min_b, 4096, 0);
		assert_ratio(s->bs_max_b, 131072, 0);
		build_end(&b);
	}
}

/* min(5,000 IOPS, 200 MB/s / size): flat to 32 KiB, then bytes; the knee is at 40,000 B. */
static void
test_quotas(void **state)
{
	(void)state;
	struct build b;
	double iops[9];
	for (size_t i = 0; i < 9; i++)
		iops[i] = fmin(5000, 200e6 / (4096 * pow(2, (double)i)));
	build_begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	add_sizes(&b, PROFILE_OP_RANDREAD, 64, 4096, iops, 9);
	build_fit(&b);
	const struct model_size *s = size_at(&b, PROFILE_OP_RANDREAD, 64);
	assert_true(isnan(s->p));
	assert_ratio(s->i0_iops, 5000, 1e-9);
	assert_ratio(s->b_mibps, 200e6 / 1048576, 1e-9);
	assert_true(s->max_error_frac < 1e-9);
	assert_int_equal(s->knee_measured, 1);
	assert_ratio(s->knee_b, 40000, 1e-6);
	assert_ratio(s->knee_lo_b, 32768, 0);
	assert_ratio(s->knee_hi_b, 65536, 0);
	assert_non_null(build_found(&b, "size-knee"));
	build_end(&b);
}

/* At depth 1 a quota shows as max(800 us, bytes at 200 MB/s), which no a + b bs tells. */
static void
test_quota_at_depth_one(void **state)
{
	(void)state;
	struct build b;
	double iops[9];
	for (size_t i = 0; i < 9; i++)
		iops[i] = fmin(1250, 200e6 / (4096 * pow(2, (double)i)));
	build_begin(&b, -1, TRUST_MEASURED);
	add_sizes(&b, PROFILE_OP_RANDREAD, 1, 4096, iops, 9);
	build_fit(&b);
	const struct model_size *s = size_at(&b, PROFILE_OP_RANDREAD, 1);
	assert_true(isnan(s->p) && isnan(s->a_us));
	assert_ratio(s->i0_iops, 1250, 1e-9);
	build_end(&b);
}

/* Two sizes at one rate show no bandwidth, two at one bandwidth no rate: unknown, not endless. */
static void
test_unseen(void **state)
{
	(void)state;
	struct build b;
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sizes(&b, PROFILE_OP_RANDREAD, 32, 4096, (const double[]){5000, 5000}, 2);
	add_sizes(&b, PROFILE_OP_RANDWRITE, 32, 4096, (const double[]){5000, 2500}, 2);
	build_fit(&b);
	const struct model_size *r = size_at(&b, PROFILE_OP_RANDREAD, 32);
	const struct model_size *w = size_at(&b, PROFILE_OP_RANDWRITE, 32);
	assert_ratio(r->i0_iops, 5000, 0.01);
	assert_true(isnan(r->b_mibps) && isnan(r->knee_b));
	assert_ratio(w->b_mibps, 5000.0 * 4096 / 1048576, 0.01);
	assert_true(isnan(w->i0_iops));
	assert_ratio(sizes_iops(r, 4096), 5000, 0.01);
	assert_ratio(sizes_iops(w, 16384), 1250, 0.01);
	build_end(&b);
}

/* A smooth law has no break: its knee is i0 x bs = B, without a grid step. */
static void
test_no_break(void **state)
{
	(void)state;
	struct build b;
	double iops[9];
	for (size_t i = 0; i < 9; i++) {
		double bs = 4096 * pow(2, (double)i);
		iops[i] = 1 / sqrt(pow(1 / 90000.0, 2) + pow(bs / 500e6, 2));
	}
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sizes(&b, PROFILE_OP_RANDREAD, 32, 4096, iops, 9);
	build_fit(&b);
	const struct model_size *s = size_at(&b, PROFILE_OP_RANDREAD, 32);
	assert_ratio(s->p, 2, 0);
	assert_ratio(s->i0_iops, 90000, 1e-3);
	assert_int_equal(s->knee_measured, 0);
	assert_ratio(s->knee_b, 500e6 / 90000, 1e-3);
	assert_true(isnan(s->knee_lo_b));
	assert_null(build_found(&b, "size-knee"));
	build_end(&b);
}

/* Two straight pieces of exponents 0 and -1.5 about 64 KiB; too few sizes; pieces that do not meet. */
static void
test_break(void **state)
{
	(void)state;
	double bs[8], iops[8];
	struct size_break k;
	for (size_t i = 0; i < 8; i++) {
		bs[i] = 4096 * pow(2, (double)i);
		iops[i] = 10000 * fmin(1, pow(65536 / bs[i], 1.5));
	}
	assert_true(sizes_break(bs, iops, 8, &k));
	assert_ratio(k.at_b, 65536, 1e-6);
	assert_true(k.lo_b <= 65536 && k.hi_b >= 65536 && k.hi_b == 2 * k.lo_b);
	assert_false(sizes_break(bs, iops, 5, &k));
	for (size_t i = 0; i < 8; i++)
		iops[i] = i < 4 ? 10000 : 20000; /* a jump up is no knee */
	assert_false(sizes_break(bs, iops, 8, &k));
}

/* Five sizes or more: the points themselves, and never growing with the size. */
static void
test_interpolated(void **state)
{
	(void)state;
	static const double iops[] = {80000, 60000, 61000, 30000, 15000};
	struct build b;
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sizes(&b, PROFILE_OP_RANDREAD, 32, 4096, iops, 5);
	build_fit(&b);
	const struct model_size *s = size_at(&b, PROFILE_OP_RANDREAD, 32);
	assert_ratio(sizes_iops(s, 4096), 80000, 1e-9);
	assert_ratio(sizes_iops(s, 8192), 60000, 1e-9);
	assert_ratio(sizes_iops(s, 16384), 60000, 1e-9); /* 61,000 is noise */
	double last = INFINITY;
	for (double bs = 4096; bs < 1e6; bs *= 1.05) {
		double x = sizes_iops(s, bs);
		assert_true(x <= last * (1 + 1e-12));
		last = x;
	}
	build_end(&b);
}

/* 100 us + 2 us/KiB of whole blocks; 512 B to 2 KiB at 0.58, 0.58 and 0.65 of 4 KiB. */
static void
begin_subsector(struct build *b, int device, bool measured)
{
	static const double part[] = {0.58, 0.58, 0.65};
	build_begin(b, device, TRUST_MEASURED);
	for (size_t i = 0; i < 3 && measured; i++)
		build_add(b, build_cell(PROFILE_OP_RANDWRITE, 512 * pow(2, (double)i), 1,
				     108 / part[i]));
	for (size_t i = 0; i < 6; i++)
		build_add(b, build_cell(PROFILE_OP_RANDWRITE, 4096 * pow(2, (double)i), 1,
				     100 + 8 * pow(2, (double)i)));
	for (size_t i = 1; i < 7; i++)
		build_add(b, build_cell(PROFILE_OP_RANDWRITE, 4096, depths[i],
				     108 + 5 * (depths[i] - 1)));
	build_fit(b);
}

static void
test_subsector_measured(void **state)
{
	(void)state;
	struct build b;
	begin_subsector(&b, PROFILE_DEVICE_NVME, true);
	/* geometric mean of the three */
	assert_ratio(b.m.rmw_frac, pow(0.58 * 0.58 * 0.65, 1.0 / 3), 1e-9);
	assert_int_equal(b.m.rmw_trust, TRUST_MEASURED);
	build_says(&b, "sub-sector", "reach 0.60 of its rate");
	/* the law knows whole blocks alone */
	const struct model_size *s = size_at(&b, PROFILE_OP_RANDWRITE, 1);
	assert_ratio(s->a_us, 100, 1e-3);
	assert_ratio(s->b_us_per_kib, 2, 1e-3);
	assert_ratio(s->block_b, 4096, 0);
	assert_ratio(s->bs_min_b, 512, 0);
	/* as measured; and between two sizes that were */
	assert_ratio(build_at_depth(&b, PROFILE_OP_RANDWRITE, 512, 1, MODEL_MEAN).value, 108 / 0.58,
		1e-9);
	double kib = build_at_depth(&b, PROFILE_OP_RANDWRITE, 1536, 1, MODEL_MEAN).value;
	assert_true(kib >= 108 / 0.65 && kib <= 108 / 0.58);
	build_end(&b);
}

/* Not measured: 0.6 assumed of a local disk, refused of a cloud disk; reads are no matter. */
static void
test_subsector_assumed(void **state)
{
	(void)state;
	struct build b;
	struct estimate e;
	struct err err;
	begin_subsector(&b, PROFILE_DEVICE_NVME, false);
	assert_ratio(b.m.rmw_frac, 0.6, 0);
	assert_int_equal(b.m.rmw_trust, TRUST_ASSUMED);
	assert_ratio(build_at_depth(&b, PROFILE_OP_RANDWRITE, 512, 1, MODEL_MEAN).value, 108 / 0.6,
		1e-6);
	assert_true(build_at_depth(&b, PROFILE_OP_RANDWRITE, 512, 1, MODEL_MEAN).trust >=
		    TRUST_DERIVED);
	/* 6 KiB are two blocks, one of them read first: 100 + 2 x 8 + 108 (1/0.6 - 1) */
	assert_ratio(build_at_depth(&b, PROFILE_OP_RANDWRITE, 6144, 1, MODEL_MEAN).value,
		116 + 108 * (1 / 0.6 - 1), 1e-6);
	/* an average of many sizes is no partial block: 9.7 KiB */
	assert_ratio(build_at_depth(&b, PROFILE_OP_RANDWRITE, 9.7 * 1024, 1, MODEL_MEAN).value,
		100 + 2 * 9.7, 0.01);
	build_end(&b);
	begin_subsector(&b, PROFILE_DEVICE_CLOUD, false);
	assert_true(isnan(b.m.rmw_frac));
	assert_int_equal(
		disk_latency_at_qd(&b.m, PROFILE_OP_RANDWRITE, 512, 1, NULL, MODEL_MEAN, &e, &err),
		ERR_UNSUPPORTED);
	assert_non_null(strstr(err.text, "smaller than 4 KiB they may cost a read each"));
	build_end(&b);
}

/*
 * A bench profile: 4 KiB at every depth, other sizes at depth 1.  One curve; the other sizes are as
 * measured at depth 1, percentiles as well, and deeper they move with the curve.
 */
static void
test_sizes_without_curve(void **state)
{
	(void)state;
	struct build b;
	build_begin(&b, PROFILE_DEVICE_NVME, TRUST_MEASURED);
	for (size_t i = 0; i < 7; i++) {
		struct profile_cell c = build_cell(PROFILE_OP_RANDREAD, 4096, depths[i],
			pow(pow(100 + 4 * (depths[i] - 1), 8) + pow(depths[i] / 0.08, 8), 0.125));
		c.p99_us = 1.5 * c.mean_us;
		build_add(&b, c);
	}
	for (size_t i = 1; i < 9; i++) {
		double bs = 4096 * pow(2, (double)i);
		struct profile_cell c = build_cell(PROFILE_OP_RANDREAD, bs, 1, 98 + bs / 2048);
		c.p99_us = 3 * c.mean_us;
		build_add(&b, c);
	}
	build_fit(&b);
	assert_int_equal(b.m.n_curves, 1);
	assert_int_equal(size_at(&b, PROFILE_OP_RANDREAD, 1)->n_bs_b, 9);
	for (size_t i = 1; i < 9; i++) {
		double bs = 4096 * pow(2, (double)i), mean = 98 + bs / 2048;
		struct estimate e = build_at_depth(&b, PROFILE_OP_RANDREAD, bs, 1, MODEL_MEAN);
		assert_ratio(e.value, mean, 1e-9);
		assert_int_equal(e.trust, TRUST_MEASURED);
		assert_int_equal(e.how, MODEL_INTERPOLATED);
		assert_true(e.lo <= mean / 1.05 && e.hi >= mean * 1.05);
		assert_ratio(build_at_depth(&b, PROFILE_OP_RANDREAD, bs, 1, MODEL_P99).value,
			3 * mean, 1e-9);
	}
	/* 64 KiB at QD4 below the wall: 112 us of the curve and 30 us of bytes, never the 4 KiB alone */
	struct estimate e = build_at_depth(&b, PROFILE_OP_RANDREAD, 65536, 4, MODEL_MEAN);
	assert_true(e.value >= 130 && e.value <= 160);
	assert_int_equal(e.trust >= TRUST_DERIVED, 1);
	build_end(&b);
}

/* Nothing but single depths: each stays a curve, so that nothing is lost. */
static void
test_only_single_depths(void **state)
{
	(void)state;
	struct build b;
	build_begin(&b, PROFILE_DEVICE_CLOUD, TRUST_PUBLISHED);
	build_add(&b, build_cell(PROFILE_OP_RANDREAD, 4096, 1, 700));
	build_add(&b, build_cell(PROFILE_OP_RANDREAD, 65536, 1, 900));
	build_fit(&b);
	assert_int_equal(b.m.n_curves, 2);
	assert_ratio(
		build_at_depth(&b, PROFILE_OP_RANDREAD, 65536, 1, MODEL_MEAN).value, 900, 1e-9);
	build_end(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_sizes),
		cmocka_unit_test(test_quotas),
		cmocka_unit_test(test_quota_at_depth_one),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_no_break),
		cmocka_unit_test(test_break),
		cmocka_unit_test(test_interpolated),
		cmocka_unit_test(test_subsector_measured),
		cmocka_unit_test(test_subsector_assumed),
		cmocka_unit_test(test_sizes_without_curve),
		cmocka_unit_test(test_only_single_depths),
	};
	return cmocka_run_group_tests_name("model/sizes", tests, NULL, NULL);
}
