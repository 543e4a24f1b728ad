/*
 * test_db_disk.c - a disk model as a volume of the solver: shares of caps by hand, latency at a share.
 */
#include "build.h"

#include "base/rng.h"
#include "model/db_disk.h"

/* 800 us alone, a wall of 5,000 IOPS both ways, as an emulated quota disk gives. */
static void
quota_disk(struct build *b)
{
	static const double qd[] = {1, 2, 4, 8, 16, 32};
	static const double us[] = {800, 802, 830, 1600, 3200, 6400};
	build_begin(b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	build_depths(b, PROFILE_OP_RANDREAD, 8192, qd, us, 6);
	build_depths(b, PROFILE_OP_RANDWRITE, 8192, qd, us, 6);
	build_fit(b);
}

/* The tightest of the caps, worked by hand for 1,000 reads and 1,500 writes of 8 KiB. */
static void
test_used(void **state)
{
	(void)state;
	struct build b;
	struct db_disk d;
	const char *what = NULL;
	quota_disk(&b);
	db_disk_clear(&d);
	d.model = &b.m;
	d.caps.iops = 5000;
	struct db_load load = {.read_iops = 1000, .write_iops = 1500, .io_kib = 8};
	/* 1000/5000 + 1500/5000 */
	assert_ratio(db_disk_used(&d, &load, &what), 0.5, 1e-3);
	/* 2,500 x 8,192 B = 20.48 MB/s of 25: what was remembered under other caps is forgotten */
	d.caps.mbps = 25;
	assert_ratio(db_disk_used(&d, &load, &what), 0.8192, 1e-3);
	d.caps.mbps = NAN;
	/* 256 KiB each: a stream of 50 MiB/s is 200 units, (2,500 + 200) / 5,000 */
	d.caps.io_unit_kib = 256;
	load.read_mibps = 50;
	assert_ratio(db_disk_used(&d, &load, &what), 0.54, 1e-3);
	assert_string_equal(what, "IOPS of the disk");
	/* the machine lets 4,000 through, others take 1,000: (1,000 + 2,700) / 4,000 */
	d.machine.iops = 4000;
	d.machine.other_iops = 1000;
	assert_ratio(db_disk_used(&d, &load, &what), 0.925, 1e-3);
	assert_string_equal(what, "IOPS of the machine");
	build_end(&b);
}

/* Slower with every load on it, and no answer at the wall. */
static void
test_latency(void **state)
{
	(void)state;
	struct build b;
	struct db_disk d;
	quota_disk(&b);
	db_disk_clear(&d);
	d.model = &b.m;
	d.caps.iops = 5000;
	struct db_volume v = db_disk_volume(&d);
	double before = 0;
	for (int percent = 0; percent < 100; percent += 3) {
		struct db_load load = {
			.read_iops = 20.0 * percent, .write_iops = 30.0 * percent, .io_kib = 8};
		struct estimate us;
		struct err err = {0};
		assert_int_equal(v.read(v.ctx, &load, MODEL_MEAN, &us, &err), 0);
		assert_true(us.value >= before && us.lo <= us.value && us.value <= us.hi);
		before = us.value;
		if (percent == 0)
			assert_ratio(us.value, 800, 0.01);
	}
	struct estimate us;
	struct err err = {0};
	struct db_load full = {.read_iops = 2500, .write_iops = 2500, .io_kib = 8};
	assert_int_equal(v.read(v.ctx, &full, MODEL_MEAN, &us, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "100 %"));
	build_end(&b);
}

/* A flush of a log that shares its volume waits as its writes do. */
static void
test_flush(void **state)
{
	(void)state;
	struct build b;
	struct db_disk d;
	static const double qd[] = {1, 2, 4, 8, 16, 32};
	/* a device whose latency grows below its wall of 20,000 */
	static const double us[] = {100, 130, 210, 400, 800, 1600};
	build_begin(&b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	build_depths(&b, PROFILE_OP_RANDWRITE, 8192, qd, us, 6);
	struct profile_sync sync;
	profile_sync_clear(&sync);
	sync.mode = PROFILE_SYNC_FDATASYNC;
	sync.bs_b = 8192;
	sync.writers = 1;
	sync.mean_us = 500;
	assert_int_equal(profile_add_sync(&b.p, &b.arena, &sync, NULL), 0);
	build_fit(&b);
	db_disk_clear(&d);
	d.model = &b.m;
	struct db_volume v = db_disk_volume(&d);
	struct db_load none = {.io_kib = 8}, half = {.write_iops = 18000, .io_kib = 8};
	struct estimate alone, loaded, light, busy;
	struct err err = {0};
	assert_int_equal(v.flush(v.ctx, &none, 8192, MODEL_MEAN, &alone, &err), 0);
	assert_ratio(alone.value, 500, 0.01);
	assert_int_equal(v.flush(v.ctx, &half, 8192, MODEL_MEAN, &loaded, &err), 0);
	assert_int_equal(disk_latency_at_qd(&b.m, PROFILE_OP_RANDWRITE, 8192, 1, NULL, MODEL_MEAN,
				 &light, NULL),
		0);
	assert_int_equal(disk_latency_at_rate(&b.m, PROFILE_OP_RANDWRITE, 8192, 18000, NULL,
				 MODEL_MEAN, &busy, NULL),
		0);
	assert_true(busy.value > 1.1 * light.value);
	assert_ratio(loaded.value, 500 * busy.value / light.value, 0.02);
	build_end(&b);
}

/* One that was asked a hundred things answers to the last bit as one that is asked for the first time. */
static void
test_remembers_nothing_wrong(void **state)
{
	(void)state;
	static const enum profile_op ops[] = {PROFILE_OP_RANDREAD, PROFILE_OP_RANDWRITE};
	struct build b;
	struct db_disk old, fresh;
	struct rng r;
	size_t again = 0, refused = 0;
	quota_disk(&b);
	db_disk_clear(&old);
	old.model = &b.m;
	rng_seed(&r, 3);
	for (int i = 0; i < 4000; i++) {
		/* few values, so that many are asked again; others of the same size in between */
		struct db_load load = {.read_iops = 500 * (double)rng_below(&r, 6),
			.write_iops = 500 * (double)rng_below(&r, 5),
			.read_mibps = 10 * (double)rng_below(&r, 2),
			.io_kib = 4 * (double)(1 + rng_below(&r, 3))};
		enum profile_op op = ops[rng_below(&r, 2)];
		enum model_statistic stat = rng_below(&r, 2) ? MODEL_MEAN : MODEL_P99;
		struct estimate x, y;
		if (rng_below(&r, 50) == 0)
			old.caps.iops = 2000 * (double)(1 + rng_below(&r, 3));
		db_disk_clear(&fresh);
		fresh.model = &b.m;
		fresh.caps = old.caps;
		const char *what, *also;
		double used = db_disk_used(&old, &load, &what);
		assert_true(used == db_disk_used(&fresh, &load, &also));
		assert_ptr_equal(what, also);
		size_t before = old.memory.next_told;
		int rc = db_disk_latency(&old, op, &load, stat, &x, NULL);
		assert_int_equal(rc, db_disk_latency(&fresh, op, &load, stat, &y, NULL));
		assert_true(
			rc != 0 || (x.value == y.value && x.trust == y.trust && x.how == y.how));
		assert_true(rc != 0 || isnan(x.lo) || (x.lo == y.lo && x.hi == y.hi));
		again += rc == 0 && old.memory.next_told == before;
		refused += rc != 0;
	}
	assert_true(again > 200 && refused > 200);
	build_end(&b);
}

/* A disk that nobody measured: its caps say how full it is, 1,500 of 3,000; how slow it is stays unknown. */
static void
test_no_model(void **state)
{
	(void)state;
	struct db_disk d;
	struct estimate us;
	struct err err = {0};
	const char *what = NULL;
	struct db_load load = {.read_iops = 1000, .write_iops = 500, .io_kib = 8};
	db_disk_clear(&d);
	d.caps.iops = 3000;
	assert_ratio(db_disk_used(&d, &load, &what), 0.5, 1e-9);
	assert_string_equal(what, "IOPS of the disk");
	struct db_volume v = db_disk_volume(&d);
	assert_int_equal(v.read(v.ctx, &load, MODEL_MEAN, &us, &err), ERR_UNSUPPORTED);
	assert_int_equal(v.flush(v.ctx, &load, 8192, MODEL_MEAN, &us, &err), ERR_UNSUPPORTED);
	load.read_iops = 3000;
	assert_int_equal(v.read(v.ctx, &load, MODEL_MEAN, &us, &err), ERR_RANGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_used),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_remembers_nothing_wrong),
		cmocka_unit_test(test_no_model),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
