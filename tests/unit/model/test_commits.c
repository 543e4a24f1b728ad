/*
 * test_commits.c - several writers, the bytes of a flush, reads and writes at once: expectations by
 * the closed forms written out.
 */
#include "build.h"

#include "model/mix.h"

static void
add_sync(struct build *b, int mode, int pattern, double bs_b, double writers, double mean_us)
{
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = mode;
	s.pattern = pattern;
	s.bs_b = bs_b;
	s.writers = writers;
	s.mean_us = mean_us;
	s.syncs_per_s = 1e6 * writers / mean_us;
	s.p50_us = 0.9 * mean_us;
	s.p99_us = 2 * mean_us;
	assert_int_equal(profile_add_sync(&b->p, &b->arena, &s, NULL), 0);
}

static struct estimate
rate(const struct build *b, double bs_b, double writers)
{
	struct estimate e = {0};
	struct err err;
	if (disk_commit_rate(&b->m, bs_b, writers, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

static struct estimate
wait_of(const struct build *b, double bs_b, double writers, enum model_statistic stat)
{
	struct estimate e = {0};
	struct err err;
	if (disk_commit_latency(&b->m, bs_b, writers, stat, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

/* (A^6 + B^6)^(1/6) with U = 1: A = F (1 + (N-1)/(2N)), B = 2F. */
static double
closed_form(double n, double f)
{
	double a = f * (1 + (n - 1) / (2 * n));
	return pow(pow(a, 6) + pow(2 * f, 6), 1.0 / 6);
}

/* 500 us alone, 4 writers in 1 ms, 16 in 1.6 ms; the same by append, slower; 64 KiB at 724 us. */
static void
begin_writers(struct build *b)
{
	build_begin(b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 16, 1600);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 1, 500);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 4, 1000);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 65536, 1, 724);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 8192, 1, 1500);
	add_sync(b, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 8192, 16, 9000);
	add_sync(b, PROFILE_SYNC_FSYNC, PROFILE_OVERWRITE, 8192, 1, 900);
	build_fit(b);
}

static void
test_writers(void **state)
{
	(void)state;
	struct build b;
	begin_writers(&b);
	assert_int_equal(b.m.n_commits, 2);
	const struct model_commit *c = &b.m.commits[0];
	assert_int_equal(c->n_writers, 3);
	assert_ratio(c->writers[0], 1, 0);
	assert_ratio(c->writers[2], 16, 0);
	assert_ratio(c->flush_us, 500, 0);
	/* 10,000 commits a second against 16 / cycle */
	assert_ratio(c->group_frac, 10000 / (16e6 / closed_form(16, 500)), 1e-9);
	/* at the counts as measured, in between between, beyond them no more */
	assert_ratio(rate(&b, 8192, 1).value, 2000, 1e-9);
	assert_ratio(rate(&b, 8192, 4).value, 4000, 1e-9);
	assert_ratio(rate(&b, 8192, 16).value, 10000, 1e-9);
	struct estimate e = rate(&b, 8192, 8);
	assert_true(e.value > 4000 && e.value < 10000);
	assert_true(e.lo < 6000 && e.hi > 6000);
	assert_int_equal(e.how, MODEL_INTERPOLATED);
	e = rate(&b, 8192, 64);
	assert_ratio(e.value, 10000, 1e-9);
	assert_true(e.hi >= 40000);
	assert_int_equal(e.how, MODEL_EXTRAPOLATED);
	/* each waits writers / rate; the tail by its own ratio */
	assert_ratio(wait_of(&b, 8192, 4, MODEL_MEAN).value, 1000, 1e-9);
	assert_ratio(wait_of(&b, 8192, 4, MODEL_P99).value, 2000, 1e-9);
	assert_ratio(wait_of(&b, 8192, 1, MODEL_P99).value, 1000, 1e-9);
	build_end(&b);
}

/* The rate never falls and the wait never shrinks as writers are added. */
static void
test_monotone(void **state)
{
	(void)state;
	struct build b;
	begin_writers(&b);
	double last = 0, last_us = 0;
	for (double n = 1; n < 100; n *= 1.1) {
		double x = rate(&b, 8192, n).value, us = wait_of(&b, 8192, n, MODEL_MEAN).value;
		assert_true(x >= last * (1 - 1e-12) && us >= last_us * (1 - 1e-12));
		last = x;
		last_us = us;
	}
	build_end(&b);
}

/* F = 468 + 4 us/KiB: 500 at 8 KiB, 724 at 64: 16 KiB take 532, and four writers 1000 x 532 / 500. */
static void
test_bytes(void **state)
{
	(void)state;
	struct build b;
	begin_writers(&b);
	assert_int_equal(b.m.n_flushes, 1);
	const struct model_flush *f = &b.m.flushes[0];
	assert_ratio(f->f0_us, 468, 1e-4);
	assert_ratio(f->b_mibps, 1e6 / 4 / 1024, 1e-3);
	struct estimate e = rate(&b, 16384, 4);
	assert_ratio(e.value, 4000 * 500 / 532.0, 1e-6);
	assert_int_equal(e.trust, TRUST_DERIVED);
	assert_int_equal(e.how, MODEL_CURVE);
	build_end(&b);
}

/* Flushes of every size take the same: no bandwidth is made up. */
static void
test_flat_bytes(void **state)
{
	(void)state;
	struct build b;
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sync(&b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 4096, 1, 2000);
	add_sync(&b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 1, 1990);
	add_sync(&b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 65536, 1, 2005);
	build_fit(&b);
	assert_ratio(b.m.flushes[0].f0_us, 2000, 0.01);
	assert_true(isnan(b.m.flushes[0].b_mibps));
	build_end(&b);
}

/* One writer alone was measured: the closed form, assumed, between serial and all at once. */
static void
test_closed_form(void **state)
{
	(void)state;
	struct build b;
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	add_sync(&b, PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, 8192, 1, 500);
	build_fit(&b);
	assert_int_equal(b.m.n_commits, 0);
	struct estimate e = rate(&b, 8192, 16);
	assert_ratio(e.value, 16e6 / closed_form(16, 500), 1e-9);
	assert_int_equal(e.trust, TRUST_ASSUMED);
	assert_true(e.lo <= 2000 && e.hi >= 32000);
	struct err err;
	assert_int_equal(disk_commit_rate(&b.m, 8192, 0.5, &e, &err), ERR_RANGE);
	assert_int_equal(disk_commit_rate(&b.m, 8192, (double)NAN, &e, &err), ERR_RANGE);
	build_end(&b);
}

static void
test_no_commits(void **state)
{
	(void)state;
	struct build b;
	struct estimate e;
	struct err err;
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	build_add(&b, build_cell(PROFILE_OP_RANDWRITE, 4096, 1, 70));
	build_fit(&b);
	assert_int_equal(disk_commit_rate(&b.m, 8192, 4, &e, &err), ERR_UNSUPPORTED);
	assert_int_equal(disk_commit_latency(&b.m, 8192, 4, MODEL_MEAN, &e, &err), ERR_UNSUPPORTED);
	build_end(&b);
}

/* ---- reads and writes at once ---- */

/* Known exponents come back; the ends are the sides alone. */
static void
test_exponent(void **state)
{
	(void)state;
	static const double as[] = {0.3, 0.6, 1, 2, 5};
	for (size_t i = 0; i < 5; i++) {
		for (double f = 0.1; f < 1; f += 0.2) {
			double total = mix_total(as[i], f, 80000, 50000);
			double u = total * f / 80000, v = total * (1 - f) / 50000;
			assert_near(pow(u, as[i]) + pow(v, as[i]), 1, 1e-9);
			assert_ratio(mix_exponent(u, v), as[i], 1e-6);
		}
		assert_ratio(mix_total(as[i], 1, 80000, 50000), 80000, 0);
		assert_ratio(mix_total(as[i], 0, 80000, 50000), 50000, 0);
	}
	/* a = 1 is the harmonic mix */
	assert_ratio(mix_total(1, 0.7, 80000, 50000), 1 / (0.7 / 80000 + 0.3 / 50000), 1e-12);
	assert_ratio(mix_exponent(1.02, 0.3), 16, 0); /* as fast as alone */
	assert_true(isnan(mix_exponent((double)NAN, 0.5)));
}

static const double depths[] = {1, 2, 4, 8, 16, 32, 64};

/* Walls of 80,000 reads and 40,000 writes; light latencies 100 and 50 us. */
static void
begin_sides(struct build *b, int device)
{
	build_begin(b, device, TRUST_MEASURED);
	for (size_t i = 0; i < 7; i++) {
		double q = depths[i];
		build_add(b, build_cell(PROFILE_OP_RANDREAD, 4096, q,
				     pow(pow(100, 8) + pow(q / 0.08, 8), 0.125)));
		build_add(b, build_cell(PROFILE_OP_RANDWRITE, 4096, q,
				     pow(pow(50, 8) + pow(q / 0.04, 8), 0.125)));
	}
}

static void
add_mix(struct build *b, double read_frac, double qd, double total)
{
	struct profile_cell r = build_cell(PROFILE_OP_RANDREAD, 4096, qd, 100);
	struct profile_cell w = build_cell(PROFILE_OP_RANDWRITE, 4096, qd, 100);
	r.mix_read_frac = w.mix_read_frac = read_frac;
	r.iops = read_frac * total;
	w.iops = (1 - read_frac) * total;
	build_add(b, r);
	build_add(b, w);
}

static struct estimate
mixed(const struct build *b, double bs_b, double read_frac, const struct disk_caps *caps)
{
	struct estimate e = {0};
	struct err err;
	if (disk_mix_wall(&b->m, bs_b, read_frac, caps, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

/* Measured: the mix itself; elsewhere the frontier of the exponent it gives; the deepest counts. */
static void
test_mix_measured(void **state)
{
	(void)state;
	struct build b;
	begin_sides(&b, PROFILE_DEVICE_NVME);
	double total = mix_total(0.7, 0.7, 80000, 40000);
	add_mix(&b, 0.7, 8, 20000);
	add_mix(&b, 0.7, 64, total);
	build_fit(&b);
	assert_int_equal(b.m.n_mixes, 1);
	const struct model_mix *x = &b.m.mixes[0];
	assert_int_equal(x->n_read_frac, 1);
	assert_ratio(x->qd[0], 64, 0);
	assert_ratio(x->a, 0.7, 0.01);
	assert_true(x->a_lo < 0.7 && x->a_hi > 0.7);
	assert_ratio(x->harmonic_frac, total * (0.7 / 80000 + 0.3 / 40000), 0.01);
	struct estimate e = mixed(&b, 4096, 0.7, NULL);
	assert_ratio(e.value, total, 1e-9);
	assert_int_equal(e.trust, TRUST_MEASURED);
	assert_int_equal(e.how, MODEL_INTERPOLATED);
	e = mixed(&b, 4096, 0.4, NULL);
	assert_ratio(e.value, mix_total(0.7, 0.4, 80000, 40000), 0.02);
	assert_int_equal(e.trust, TRUST_DERIVED);
	assert_true(e.lo < e.value && e.value < e.hi);
	assert_ratio(mixed(&b, 4096, 1, NULL).value, 80000, 0.01);
	assert_ratio(mixed(&b, 4096, 0, NULL).value, 40000, 0.01);
	/* a cap below all of it holds the mix, too */
	const double no = (double)NAN;
	const struct disk_caps caps = {.iops = 5000, .mbps = no, .io_unit_kib = no, .stripe = no};
	assert_true(mixed(&b, 4096, 0.7, &caps).value <= 5000);
	build_end(&b);
}

/* Nothing measured: one budget on a cloud disk; on flash the harmonic mix less a fifth at one half. */
static void
test_mix_assumed(void **state)
{
	(void)state;
	static const struct {
		int device;
		double factor;
	} rows[] = {{PROFILE_DEVICE_CLOUD, 1}, {PROFILE_DEVICE_HDD, 1}, {PROFILE_DEVICE_NVME, 0.8},
		{-1, 0.8}};
	for (size_t i = 0; i < 4; i++) {
		struct build b;
		begin_sides(&b, rows[i].device);
		build_fit(&b);
		struct estimate r, w, e = mixed(&b, 4096, 0.5, NULL);
		assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, NULL, &r, NULL), 0);
		assert_int_equal(disk_wall(&b.m, PROFILE_OP_RANDWRITE, 4096, NULL, &w, NULL), 0);
		assert_ratio(e.value, rows[i].factor / (0.5 / r.value + 0.5 / w.value), 1e-9);
		assert_int_equal(e.trust, TRUST_ASSUMED);
		/* the frontier of exponent 0.6 lies inside the band */
		if (rows[i].factor < 1)
			assert_true(e.lo <= mix_total(0.6, 0.5, r.value, w.value));
		build_end(&b);
	}
}

static void
test_mix_refused(void **state)
{
	(void)state;
	struct build b;
	struct estimate e;
	struct err err;
	begin_sides(&b, PROFILE_DEVICE_NVME);
	/* a side without the other is half a measurement */
	struct profile_cell c = build_cell(PROFILE_OP_RANDREAD, 4096, 16, 300);
	c.mix_read_frac = 0.7;
	build_add(&b, c);
	build_fit(&b);
	assert_int_equal(b.m.n_mixes, 0);
	assert_int_equal(disk_mix_wall(&b.m, 4096, 1.1, NULL, &e, &err), ERR_RANGE);
	assert_int_equal(disk_mix_wall(&b.m, 4096, (double)NAN, NULL, &e, &err), ERR_RANGE);
	build_end(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writers),
		cmocka_unit_test(test_monotone),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_flat_bytes),
		cmocka_unit_test(test_closed_form),
		cmocka_unit_test(test_no_commits),
		cmocka_unit_test(test_exponent),
		cmocka_unit_test(test_mix_measured),
		cmocka_unit_test(test_mix_assumed),
		cmocka_unit_test(test_mix_refused),
	};
	return cmocka_run_group_tests_name("model/commits", tests, NULL, NULL);
}
