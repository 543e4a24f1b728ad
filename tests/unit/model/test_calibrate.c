/*
 * test_calibrate.c - CPU, miss ratio and reads ahead out of one run: by hand, and out of runs that
 * the model itself made.
 */
#include "check.h"

#include <string.h>

#include "db_volume.h"
#include "model/calibrate.h"

static const double none = (double)NAN;

static struct calibrate_run
measured(double clients, double tps)
{
	return (struct calibrate_run){.clients = clients,
		.tps = tps,
		.mean_ms = none,
		.p50_ms = none,
		.p99_ms = none,
		.busy_cores = none,
		.storage_cores = none,
		.reads_per_tx = none,
		.writes_per_tx = none,
		.flushes_per_tx = none,
		.log_kib_per_tx = none};
}

static struct steady_volume
disk(double read_us, double flush_us)
{
	return (struct steady_volume){.read_us = read_us,
		.read_p99_us = 1.4 * read_us,
		.flush_us = flush_us,
		.flush_p99_us = 1.2 * flush_us,
		.spread = 0.05};
}

static struct calibrate_result
calibrated(const struct db_input *in, const struct calibrate_run *run)
{
	struct calibrate_result r;
	struct err err;
	if (calibrate(in, run, &r, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return r;
}

/* PostgreSQL with one client: 1,793.3 TPS on a log of 258 us: of the 0.5576 - 0.258 ms beside it the cores
 * were busy 0.53 / 1793.3 s, in the rest nobody worked. */
static void
test_one_client(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume v = disk(232, 258);
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, 1, none, none, &volume, &volume);
	struct calibrate_run run = measured(1, 1793.3);
	in.tx.cores = 2;
	run.busy_cores = 0.53;
	run.storage_cores = 0.14;
	run.flushes_per_tx = 1;
	run.log_kib_per_tx = 0.4;
	run.p99_ms = 0.89;
	struct calibrate_result r = calibrated(&in, &run);
	assert_true(r.by_latency);
	assert_ratio(r.tx.cpu_ms, 530 / 1793.3, 1e-6);
	assert_ratio(r.tx.think_ms, 1e3 / 1793.3 - 0.258 - 530 / 1793.3, 1e-4);
	assert_ratio(r.tx.core_sharing, 0.7, 1e-12);
	assert_ratio(r.tx.io_cpu_ms, 140 / 1793.3 / 2, 1e-9); /* a write and a flush */
	assert_ratio(r.tx.log_kib, 0.4, 1e-12);
	assert_ratio(r.tps.modelled, 1793.3, 1e-6);
	assert_ratio(r.cpu_ms.measured, 530 / 1793.3, 1e-9);
	assert_ratio(r.flushes_per_tx.modelled, 1, 1e-9);
	assert_ratio(r.p99_ms.modelled, 0.89, 0.1);
	/* nobody looked at the cores: all of it counts as CPU */
	run.busy_cores = none;
	r = calibrated(&in, &run);
	assert_ratio(r.tx.cpu_ms, 1e3 / 1793.3 - 0.258, 1e-6);
	assert_true(isnan(r.tx.think_ms));
}

/* A run that the model made gives the transaction back that it was made of. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume log = disk(500, 800), data = disk(600, 700);
	struct db_volume log_volume = steady(&log), data_volume = steady(&data);
	static const double clients[] = {1, 3, 8, 40};
	for (size_t i = 0; i < 4; i++) {
		struct db_input in = plain_input(
			&e, clients[i], 0.4, 12, &log_volume, &data_volume);
		in.tx.cores = 4;
		in.tx.core_sharing = 0.7;
		in.tx.miss_frac = 0.15;
		in.tx.hot_rows = 50;
		struct db_result made;
		assert_int_equal(db_solve(&in, NULL, &made, NULL), 0);
		struct calibrate_run run = measured(clients[i], made.closed.tps.value);
		run.reads_per_tx = 1.8;
		in.tx.cpu_ms = in.tx.core_sharing = in.tx.miss_frac = none;
		in.tx.clients = none;
		struct calibrate_result r = calibrated(&in, &run);
		assert_ratio(r.tx.cpu_ms, 0.4, 1e-5);
		assert_ratio(r.tx.miss_frac, 0.15, 1e-9);
		assert_ratio(r.mean_ms.measured, made.closed.tx.mean_ms.value, 1e-9);
		assert_ratio(r.mean_ms.modelled, r.mean_ms.measured, 1e-6);
		assert_ratio(r.p99_ms.modelled, made.closed.tx.p99_ms.value, 1e-5);
	}
}

/* At a volume's cap the latency says nothing of the CPU: then its busy cores do. */
static void
test_at_a_cap(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume log = disk(500, 800), data = disk(600, 700);
	struct db_volume log_volume = steady(&log), data_volume = steady(&data);
	struct db_input in = plain_input(&e, none, none, none, &log_volume, &data_volume);
	struct calibrate_run run = measured(64, 2500);
	struct calibrate_result r;
	struct err err;
	data.iops = 5000;
	run.reads_per_tx = 2;
	assert_int_equal(calibrate(&in, &run, &r, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "busy cores"));
	run.busy_cores = 1.5;
	in.tx.cores = 4;
	r = calibrated(&in, &run);
	assert_false(r.by_latency);
	/* 0.6 ms, of which the other 63/64 at 1.5 of 4 cores make 0.7 x 0.369 */
	assert_ratio(r.tx.cpu_ms, 0.6 / (1 + 0.7 * 63 / 64 * 1.5 / 4), 1e-9);
	assert_ratio(r.cpu_ms.modelled, 0.6, 0.02);
}

/* Cores busy for longer than the latency leaves: reads ran ahead. */
static void
test_reads_ahead(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume v = disk(259, 250);
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, none, none, none, &volume, &volume);
	struct calibrate_run run = measured(1, 2997);
	e.commit = ENGINE_COMMIT_NONE;
	run.reads_per_tx = 1.16;
	run.busy_cores = 0.27;
	struct calibrate_result r = calibrated(&in, &run);
	double cpu = 270 / 2997.0, waited = (1e3 / 2997 - cpu) / 0.259;
	assert_ratio(r.tx.cpu_ms, cpu, 1e-9);
	assert_ratio(r.tx.prefetch_frac, 1 - waited / 1.16, 1e-6);
	assert_ratio(r.tps.modelled, 2997, 1e-6);
}

/* Busier than the latency leaves, and so few reads that they do not explain it: the latency counts. */
static void
test_few_reads(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume v = disk(800, 1220);
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, none, none, none, &volume, &volume);
	struct calibrate_run run = measured(4, 1334.5);
	in.tx.cores = 2;
	in.tx.hot_rows = 20;
	run.reads_per_tx = 0.006;
	run.busy_cores = 0.95;
	struct calibrate_result r = calibrated(&in, &run);
	assert_true(isnan(r.tx.prefetch_frac));
	assert_true(r.by_latency);
	assert_ratio(r.tps.modelled, 1334.5, 1e-6);
}

/* Two runs say how much longer a transaction computes on busy cores. */
static void
test_pair(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume v = disk(259, 250);
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, 1, 0.3, 0, &volume, &volume);
	struct db_result one, many;
	in.tx.cores = 2;
	in.tx.core_sharing = 0.9;
	assert_int_equal(db_solve(&in, NULL, &one, NULL), 0);
	in.tx.clients = 16;
	assert_int_equal(db_solve(&in, NULL, &many, NULL), 0);
	struct calibrate_run light = measured(1, one.closed.tps.value),
			     busy = measured(16, many.closed.tps.value);
	struct calibrate_result r;
	struct err err;
	in.tx.cpu_ms = in.tx.core_sharing = none;
	assert_int_equal(calibrate_pair(&in, &light, &in, &busy, &r, &err), 0);
	assert_ratio(r.tx.cpu_ms, 0.3, 1e-5);
	assert_ratio(r.tx.core_sharing, 0.9, 1e-4);
}

static void
test_refusals(void **state)
{
	(void)state;
	struct engine e = plain_engine();
	struct steady_volume v = disk(259, 250);
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, none, none, none, &volume, &volume);
	struct calibrate_run run = measured(0, 1000);
	struct calibrate_result r;
	struct err err;
	assert_int_equal(calibrate(&in, &run, &r, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "clients 0"));
	run = measured(1, 0);
	assert_int_equal(calibrate(&in, &run, &r, &err), ERR_RANGE);
	run = measured(1, 1000);
	run.busy_cores = -1;
	assert_int_equal(calibrate(&in, &run, &r, &err), ERR_RANGE);
	run = measured(1, 5000); /* quicker than its log */
	assert_int_equal(calibrate(&in, &run, &r, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "5000 TPS leave no time"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_client),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_at_a_cap),
		cmocka_unit_test(test_reads_ahead),
		cmocka_unit_test(test_few_reads),
		cmocka_unit_test(test_pair),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests_name("model/calibrate", tests, NULL, NULL);
}
