/*
 * test_properties.c - what must hold of every model, over hundreds of seeded disks: random laws of
 * every form and device, with and without noise.
 */
#include "build.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "model/curve.h"
#include "model/sizes.h"

enum { CASES = 300, MAX_DEPTHS = 8 };

static const double depths[MAX_DEPTHS] = {1, 2, 4, 8, 16, 32, 64, 128};

/* A disk: R(q) = ((L1 + c (q-1))^8 + (q/C)^8)^(1/8), or L1 q^g in place of the line. */
struct law {
	double l1_us, c_us, g, wall_iops, noise;
	bool power;
	int device;
	size_t n; /* depths measured */
};

static double
between(struct rng *r, double lo, double hi)
{
	return lo * pow(hi / lo, rng_uniform(r));
}

static struct law
draw(struct rng *r, double noise)
{
	static const int devices[] = {PROFILE_DEVICE_SSD, PROFILE_DEVICE_NVME, PROFILE_DEVICE_HDD,
		PROFILE_DEVICE_CLOUD, PROFILE_DEVICE_RAID_SSD, -1};
	struct law l = {.l1_us = between(r, 10, 10000), .noise = noise};
	l.c_us = rng_below(r, 4) == 0 ? 0 : l.l1_us * between(r, 1e-3, 0.9);
	l.g = 0.1 + 0.8 * rng_uniform(r);
	l.wall_iops = 1e6 / l.l1_us * between(r, 1, 60);
	l.power = rng_below(r, 4) == 0;
	l.device = devices[rng_below(r, sizeof(devices) / sizeof(devices[0]))];
	l.n = 2 + rng_below(r, MAX_DEPTHS - 1);
	return l;
}

static double
law_us(const struct law *l, double q)
{
	double light = l->power ? l->l1_us * pow(q, l->g) : l->l1_us + l->c_us * (q - 1);
	double wall = q * 1e6 / l->wall_iops;
	double top = fmax(light, wall);
	return top * pow(pow(light / top, 8) + pow(wall / top, 8), 0.125);
}

static void
begin(struct build *b, const struct law *l, struct rng *r)
{
	build_begin(b, l->device, TRUST_MEASURED);
	for (size_t i = 0; i < l->n; i++) {
		double us = law_us(l, depths[i]) * exp(l->noise * rng_normal(r));
		struct profile_cell c = build_cell(PROFILE_OP_RANDREAD, 4096, depths[i], us);
		if (l->noise > 0 || i % 2 == 0) {
			c.p50_us = us * between(r, 0.7, 1);
			c.p99_us = c.p50_us * between(r, 1.01, 5);
			c.p999_us = c.p99_us * between(r, 1.01, 5);
		}
		build_add(b, c);
	}
	build_fit(b);
}

static struct estimate
mean_at(const struct build *b, double q)
{
	return build_at_depth(b, PROFILE_OP_RANDREAD, 4096, q, MODEL_MEAN);
}

/* The fitted curve, whatever the noise: neither latency nor throughput falls with depth. */
static void
test_curve_monotone(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 1);
	size_t forms_seen[MODEL_FORM_COUNT] = {0};
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, 0.15);
		begin(&b, &l, &r);
		const struct model_curve *c = &b.m.curves[0];
		forms_seen[c->form]++;
		double last_us = 0, last_x = 0;
		for (double q = 1; q < 1e4; q *= 1.3) {
			double us = curve_mean_us(c, q);
			assert_true(us > 0 && isfinite(us));
			assert_true(us >= last_us * (1 - 1e-9));
			assert_true(q / us >= last_x * (1 - 1e-9));
			last_us = us;
			last_x = q / us;
		}
		build_end(&b);
	}
	assert_true(forms_seen[MODEL_FORM_THREE] > 20);
	assert_true(forms_seen[MODEL_FORM_POWER] > 20);
	assert_true(forms_seen[MODEL_FORM_TWO] > 20);
}

/* The answers for clean data, inside and beyond the depths measured. */
static void
test_answers_monotone(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 2);
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, 0);
		l.power = false;
		l.device = PROFILE_DEVICE_SSD;
		l.n = 5 + rng_below(&r, 4);
		begin(&b, &l, &r);
		double last_us = 0, last_x = 0;
		for (double q = 1; q < 2000; q *= 1.2) {
			double us = mean_at(&b, q).value;
			if (us < last_us * (1 - 1e-6) || q / us < last_x * (1 - 1e-6))
				fail_msg("case %zu: QD%g: %g us after %g, %g IOPS after %g", i, q,
					us, last_us, 1e6 * q / us, 1e6 * last_x);
			last_us = fmax(us, last_us);
			last_x = fmax(q / us, last_x);
		}
		build_end(&b);
	}
}

/* p50 <= p99 <= p999 everywhere, and the mean's and every statistic's interval holds its value. */
static void
test_ordered(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 3);
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, rng_below(&r, 2) ? 0.1 : 0);
		begin(&b, &l, &r);
		for (double q = 1; q < 500; q *= 1.7) {
			double last = 0;
			for (int stat = MODEL_P50; stat < MODEL_STATISTIC_COUNT; stat++) {
				struct estimate e = build_at_depth(&b, PROFILE_OP_RANDREAD, 4096, q,
					(enum model_statistic)stat);
				assert_true(e.value >= last);
				assert_true(!(e.lo > e.value) && !(e.hi < e.value));
				last = e.value;
			}
		}
		build_end(&b);
	}
}

/* Beyond the data the interval grows with the distance; on a point it is narrower than between. */
static void
test_widening(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 4);
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, 0.03);
		l.n = 3 + rng_below(&r, MAX_DEPTHS - 2);
		begin(&b, &l, &r);
		double end = depths[l.n - 1], width = 0;
		for (double q = 2 * end; q < 64 * end; q *= 2) {
			struct estimate e = mean_at(&b, q);
			if (e.hi / e.lo < width * (1 - 1e-9))
				fail_msg("case %zu: QD%g: %g after %g", i, q, e.hi / e.lo, width);
			width = e.hi / e.lo;
		}
		struct estimate on = mean_at(&b, depths[1]), off = mean_at(&b, 1.41 * depths[1]);
		assert_true(off.hi / off.lo > on.hi / on.lo);
		assert_true(on.hi / on.lo >= 1.09 * 1.09 * (1 - 1e-9)); /* noise of a run */
		build_end(&b);
	}
}

/* R at the rate q / R(q) is R(q), below the wall: the same numbers seen from the other side. */
static void
test_open_is_closed(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 5);
	size_t asked = 0;
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, 0);
		l.power = false;
		l.device = PROFILE_DEVICE_SSD;
		l.n = MAX_DEPTHS;
		begin(&b, &l, &r);
		const struct model_curve *c = &b.m.curves[0];
		for (double q = 1; q < 100 && c->form == MODEL_FORM_THREE; q *= 1.4) {
			double us = l.l1_us + l.c_us * (q - 1), rate = 1e6 * q / us;
			if (rate > 0.6 * l.wall_iops || rate > 0.6 * c->x_inf_iops)
				break;
			struct estimate e = build_at_rate(
				&b, PROFILE_OP_RANDREAD, 4096, rate, MODEL_MEAN);
			if (fabs(e.value / us - 1) > 0.03)
				fail_msg("case %zu: %g us at %g IOPS, %g at QD%g", i, e.value, rate,
					us, q);
			asked++;
		}
		build_end(&b);
	}
	assert_true(asked > CASES);
}

/* Arrivals at two to five rates up to 95 % of the wall: a queue on top of the law, noise, and here and
 * there a percentile that is not known. */
static void
add_loads(struct build *b, const struct law *l, struct rng *r)
{
	size_t n = 2 + rng_below(r, 4);
	double queue = rng_below(r, 2) ? 2 * rng_uniform(r) : 0;
	double wall = fmin(l->wall_iops, b->m.curves[0].x_inf_iops);
	for (size_t i = 0; i < n; i++) {
		double load = 0.95 * (double)(i + 1) / (double)n;
		double us = l->l1_us + queue * 1e6 * load / (2 * wall * (1 - load));
		struct profile_cell c = build_cell(
			PROFILE_OP_RANDREAD, 4096, 1, us * exp(l->noise * rng_normal(r)));
		c.asked_iops = c.iops = load * wall;
		c.overload_frac = 0;
		if (rng_below(r, 3))
			c.p50_us = c.mean_us * between(r, 0.7, 1);
		if (rng_below(r, 2))
			c.p99_us = c.mean_us * between(r, 1.01, 5);
		build_add(b, c);
	}
	memset(&b->m, 0, sizeof(b->m));
	build_fit(b);
}

/* One rate: percentiles in order, their intervals around them, none below the one at less load. */
static void
check_rate(const struct build *b, size_t i, double rate, double last[MODEL_STATISTIC_COUNT])
{
	double below = 0, mean = 0;
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		struct estimate e = build_at_rate(
			b, PROFILE_OP_RANDREAD, 4096, rate, (enum model_statistic)stat);
		if (!(e.value >= last[stat] * (1 - 1e-9)))
			fail_msg("case %zu: statistic %d falls from %g to %g us at %g IOPS", i,
				stat, last[stat], e.value, rate);
		assert_true(e.lo <= e.value && e.value <= e.hi && isfinite(e.hi));
		if (stat == MODEL_MEAN)
			mean = e.value;
		else if (e.value < below || (stat >= MODEL_P99 && e.hi < mean))
			fail_msg(
				"case %zu: statistic %d: %g us at %g IOPS", i, stat, e.value, rate);
		below = stat == MODEL_MEAN ? 0 : e.value;
		last[stat] = e.value;
	}
}

/* From 1 to 99 % of the wall no statistic falls with the rate, whatever was measured at rates. */
static void
test_rate_monotone(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 8);
	size_t walls = 0;
	for (size_t i = 0; i < CASES / 3; i++) {
		struct build b;
		struct law l = draw(&r, 0);
		l.power = false;
		l.n = MAX_DEPTHS;
		begin(&b, &l, &r);
		l.noise = 0.1 * rng_uniform(&r);
		if (i % 4)
			add_loads(&b, &l, &r);
		struct estimate wall = {.value = b.m.curves[0].x_inf_iops};
		walls += disk_wall(&b.m, PROFILE_OP_RANDREAD, 4096, NULL, &wall, NULL) == 0;
		double last[MODEL_STATISTIC_COUNT] = {0};
		for (int percent = 2; percent <= 198; percent++)
			check_rate(&b, i, 0.005 * percent * wall.value, last);
		build_end(&b);
	}
	assert_true(walls > CASES / 12);
}

/* Under caps the tail of no size at no depth is below the mean, nor below the cap when the mean is at
 * it; percentiles stay in order. */
static void
check_capped(const struct build *b, const struct disk_caps *caps, double bs_b, double qd)
{
	struct estimate e[MODEL_STATISTIC_COUNT];
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		assert_int_equal(disk_latency_at_qd(&b->m, PROFILE_OP_RANDREAD, bs_b, qd, caps,
					 (enum model_statistic)stat, &e[stat], NULL),
			0);
		assert_true(!(e[stat].lo > e[stat].value) && !(e[stat].hi < e[stat].value));
	}
	double at_cap = 1e6 * qd / fmin(caps->iops, caps->mbps * 1e6 / bs_b);
	double p99 = e[MODEL_P99].value;
	bool held = e[MODEL_MEAN].value < 1.01 * at_cap;
	bool low = held && e[MODEL_P50].value < 0.5 * at_cap;
	if (p99 < 0.99 * e[MODEL_MEAN].value || low || e[MODEL_P50].value > p99 ||
		p99 > e[MODEL_P999].value)
		fail_msg("%g B, QD%g, cap %g us: mean %g, p50 %g, p99 %g, p999 %g", bs_b, qd,
			at_cap, e[0].value, e[1].value, p99, e[3].value);
}

static void
test_capped(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 9);
	for (size_t i = 0; i < CASES / 3; i++) {
		struct build b;
		struct law l = draw(&r, 0.05);
		l.n = 3 + rng_below(&r, 6);
		begin(&b, &l, &r);
		double qd = depths[rng_below(&r, 4)];
		for (double bs = 8192; bs < 1e6 && i % 2; bs *= 2)
			build_add(&b, build_cell(PROFILE_OP_RANDREAD, bs, qd,
					      law_us(&l, qd) + qd * bs / 1000));
		memset(&b.m, 0, sizeof(b.m));
		build_fit(&b);
		const double no = (double)NAN;
		struct disk_caps caps = {l.wall_iops * between(&r, 0.05, 2),
			l.wall_iops * 0.004096 * between(&r, 0.5, 20), no, no, no};
		for (double bs = 4096; bs < 1e8; bs *= 5.1)
			for (double q = 1.3; q < 300; q *= 1.9) /* none that was measured */
				check_capped(&b, &caps, bs, q);
		build_end(&b);
	}
}

/* IOPS never grow with the block size: by law, interpolated, and at the wall under caps. */
static void
test_size_monotone(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 6);
	for (size_t i = 0; i < CASES; i++) {
		struct build b;
		struct law l = draw(&r, 0.05);
		double noise = 0.05 * rng_uniform(&r),
		       from_b = 4096 * pow(2, (double)rng_below(&r, 3));
		size_t n = 2 + rng_below(&r, 8);
		build_begin(&b, l.device, TRUST_MEASURED);
		double qd = rng_below(&r, 2) ? 32 : 1;
		for (size_t k = 0; k < n; k++) {
			double bs = from_b * pow(2, (double)k);
			double iops = fmin(l.wall_iops, 1 / (1 / l.wall_iops + bs / 5e8));
			build_add(&b, build_cell(PROFILE_OP_RANDREAD, bs, qd,
					      1e6 * qd / iops * exp(noise * rng_normal(&r))));
		}
		build_fit(&b);
		const struct model_size *s = &b.m.sizes[0];
		double last = INFINITY;
		for (double bs = 4096; bs < 1e8; bs *= 1.1) {
			double x = sizes_iops(s, bs);
			assert_true(x > 0 && x <= last * (1 + 1e-9));
			last = x;
		}
		build_end(&b);
	}
}

/* Other sizes, a mix, arrivals by a schedule and commits, so that every part of a model is there. */
static void
add_everything(struct build *b, const struct law *l)
{
	for (double bs = 8192; bs < 1e6; bs *= 2)
		build_add(b, build_cell(PROFILE_OP_RANDREAD, bs, 1, l->l1_us + bs / 1000));
	for (size_t i = 0; i < l->n; i++)
		build_add(b, build_cell(PROFILE_OP_RANDWRITE, 4096, depths[i],
				     1.2 * law_us(l, depths[i])));
	struct profile_cell read = build_cell(PROFILE_OP_RANDREAD, 4096, 2, 2 * l->l1_us);
	struct profile_cell write = build_cell(PROFILE_OP_RANDWRITE, 4096, 2, 2 * l->l1_us);
	read.mix_read_frac = write.mix_read_frac = 0.5;
	read.iops = write.iops = 5e5 / l->l1_us;
	build_add(b, read);
	build_add(b, write);
	struct profile_cell load = build_cell(PROFILE_OP_RANDREAD, 4096, 0.5, l->l1_us);
	load.asked_iops = load.iops;
	build_add(b, load);
	for (double n = 1; n < 20; n *= 4) {
		struct profile_sync s;
		profile_sync_clear(&s);
		s.mode = PROFILE_SYNC_FDATASYNC;
		s.pattern = PROFILE_OVERWRITE;
		s.bs_b = 8192;
		s.writers = n;
		s.mean_us = 500 * sqrt(n);
		assert_int_equal(profile_add_sync(&b->p, &b->arena, &s, NULL), 0);
	}
	struct profile_sync large;
	profile_sync_clear(&large);
	large.mode = PROFILE_SYNC_FDATASYNC;
	large.pattern = PROFILE_OVERWRITE;
	large.bs_b = 65536;
	large.mean_us = 700;
	assert_int_equal(profile_add_sync(&b->p, &b->arena, &large, NULL), 0);
	memset(&b->m, 0, sizeof(b->m));
	build_fit(b);
	assert_true(b->m.n_sizes > 0 && b->m.n_mixes == 1 && b->m.n_loads == 1);
	assert_true(b->m.n_commits == 1 && b->m.n_flushes == 1);
}

/* The document written, read and written again is the same bytes; so it says the same. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 7);
	for (size_t i = 0; i < 40; i++) {
		struct build b;
		struct law l = draw(&r, 0.1);
		begin(&b, &l, &r);
		if (i % 2)
			add_everything(&b, &l);
		struct buf once, twice;
		struct disk_model again;
		struct err err;
		buf_init(&once, 0);
		buf_init(&twice, 0);
		schema_write(&disk_model_schema, &b.m, &once);
		char path[] = "/tmp/tierwise-model-XXXXXX";
		int fd = mkstemp(path);
		assert_true(fd >= 0);
		close(fd);
		assert_int_equal(schema_save(&disk_model_schema, &b.m, path, &err), 0);
		int rc = disk_model_load(path, &b.arena, &again, NULL, &err);
		if (rc)
			print_error("%s\n", err.text);
		assert_int_equal(rc, 0);
		remove(path);
		schema_write(&disk_model_schema, &again, &twice);
		assert_string_equal(buf_text(&once), buf_text(&twice));
		buf_fini(&once);
		buf_fini(&twice);
		build_end(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve_monotone),
		cmocka_unit_test(test_answers_monotone),
		cmocka_unit_test(test_ordered),
		cmocka_unit_test(test_widening),
		cmocka_unit_test(test_open_is_closed),
		cmocka_unit_test(test_rate_monotone),
		cmocka_unit_test(test_capped),
		cmocka_unit_test(test_size_monotone),
		cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests_name("model/properties", tests, NULL, NULL);
}
