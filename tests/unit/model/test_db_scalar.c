/*
 * test_db.c - the database model: identities by hand, and PostgreSQL measured on disks with known
 * latencies (fixtures/pgbench-emulated).
 */
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/rng.h"
#include "csv.h"
#include "model/db.h"
#include "model/db_scalar.h"

static struct estimate
us(double value)
{
	return (struct estimate){
		value, 0.9 * value, 1.1 * value, TRUST_MEASURED, MODEL_INTERPOLATED};
}

static struct db_scalar_input
input(double clients, double flush_us)
{
	return (struct db_scalar_input){.clients = clients,
		.cores = (double)NAN,
		.cpu_ms_per_tx = 0.25,
		.target_tps = (double)NAN,
		.sync_commit = 1,
		.flush_mean_us = us(flush_us),
		.flush_p99_us = us(1.5 * flush_us),
		.read_mean_us = us(800),
		.read_p99_us = us(1200)};
}

static struct db_scalar_result
solved(const struct db_scalar_input *in)
{
	struct db_scalar_result r;
	struct err err;
	assert_int_equal(db_scalar_solve(in, NULL, &r, &err), 0);
	return r;
}

/* models.md 4.1, worked by hand. */
static void
test_cycle(void **state)
{
	(void)state;
	static const struct {
		double n, w, f, want;
	} rows[] = {
		{1, 0.22, 1.25, 1.47}, /* one client: w + f */
		/* n 2, w 1, f 1: u = min(1, 2/2) = 1, a = 1 + 1.25 = 2.25, b = 2 */
		{2, 1, 1, 2.405501},
		/* n 4, w 3, f 1: u = 1, a = 3 + 1.375 = 4.375, b = 2: (4.375^6 + 2^6)^(1/6) */
		{4, 3, 1, 4.381630}, {64, 0.25, 0, 0.25}, /* a log that costs nothing */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_ratio(
			db_group_commit_cycle(rows[i].n, rows[i].w, rows[i].f), rows[i].want, 1e-6);
}

/* One client: TPS = 1 / (w + f); two storage terms add up. */
static void
test_one_client(void **state)
{
	(void)state;
	struct db_scalar_input in = input(1, 1000);
	struct db_scalar_result r = solved(&in);
	assert_ratio(r.max_tps, 1000 / 1.25, 1e-9);
	assert_int_equal(r.limit, DB_SCALAR_COMMIT);
	assert_ratio(r.commit_mean_ms.value, 1.0, 1e-9);
	assert_ratio(r.commit_p99_ms.value, 1.5, 1e-9);
	assert_ratio(r.fast_disk_tps, 4000, 1e-9);
	assert_ratio(r.fast_disk_gain_frac, 4, 1e-9);
	in.page_reads_per_tx = 2;
	r = solved(&in);
	assert_ratio(r.max_tps, 1000 / (1.25 + 1.6), 1e-9);
	assert_int_equal(r.limit, DB_SCALAR_READS);
	assert_true(r.max_tps_lo < r.max_tps && r.max_tps < r.max_tps_hi);
}

/* The CPU bounds: TPS never passes cores / cpu, and comes close with many clients. */
static void
test_cpu(void **state)
{
	(void)state;
	struct db_scalar_input in = input(200, 20);
	in.cores = 2;
	struct db_scalar_result r = solved(&in);
	assert_true(r.max_tps <= 8000 * (1 + 1e-9));
	assert_true(r.max_tps > 7800);
	assert_int_equal(r.limit, DB_SCALAR_CPU);
	assert_ratio(r.ceiling_tps[DB_SCALAR_CPU], 8000, 1e-12);
	assert_true(r.fast_disk_gain_frac < 0.05);
	/* as many cores as clients: nobody waits for one */
	in.clients = 2;
	r = solved(&in);
	assert_ratio(r.max_tps, 2000 / db_group_commit_cycle(2, 0.25, 0.02), 1e-9);
}

static void
test_asynchronous(void **state)
{
	(void)state;
	struct db_scalar_input in = input(4, 1000);
	in.sync_commit = 0;
	struct db_scalar_result r = solved(&in);
	assert_ratio(r.max_tps, 16000, 1e-9);
	assert_near(r.commit_p99_ms.value, 0, 1e-12);
	assert_near(r.flushes_per_s, 0, 1e-12);
}

/* An open load below the ceiling: a commit waits for half of the flush it finds under way. */
static void
test_target(void **state)
{
	(void)state;
	struct db_scalar_input in = input(100, 1000);
	in.target_tps = 500;
	struct db_scalar_result r = solved(&in);
	assert_ratio(r.at_tps, 500, 1e-12);
	/* U = 0.5, others 99/100: 1 x (1 + 0.5 x 0.99 / 2) */
	assert_ratio(r.commit_mean_ms.value, 1.2475, 1e-9);
	/* the rest of a flush has p99 1 - 0.01 / 0.5; excesses 0.5 and 0.98 - 0.25 */
	assert_ratio(r.commit_p99_ms.value, 1.2475 + sqrt(0.25 + 0.73 * 0.73), 1e-9);
	/* nobody came during a flush with probability exp(-0.5): 1 / (1 + exp(-0.5) / 0.5) a ms */
	assert_ratio(r.flushes_per_s, 1000 / (1 + 2 * exp(-0.5)), 1e-9);
	assert_ratio(r.tx_mean_ms.value, 0.25 + 1.2475, 1e-9);
	assert_true(r.tx_p99_ms.value > r.commit_p99_ms.value);
	in.target_tps = 1e6;
	r = solved(&in);
	assert_ratio(r.at_tps, r.max_tps, 1e-12);
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Poisson commits on one log whose flushes are lognormal: everybody who waits shares the next one. */
static void
simulate(double rate, double mean, double p99, double *sim_mean, double *sim_p99, double *flushes)
{
	enum { N = 200000 };
	static double at[N], took[N];
	double spread = 2.3263 - sqrt(2.3263 * 2.3263 - 2 * log(p99 / mean));
	double mu = log(mean) - spread * spread / 2, t = 0, idle_from = 0, sum = 0;
	struct rng r;
	rng_seed(&r, 7);
	for (size_t i = 0; i < N; i++)
		at[i] = t += rng_exponential(&r) / rate;
	*flushes = 0;
	for (size_t i = 0; i < N;) {
		double start = fmax(idle_from, at[i]);
		idle_from = start + exp(mu + spread * rng_normal(&r));
		*flushes += 1 / at[N - 1];
		for (; i < N && at[i] <= start; i++)
			took[i] = idle_from - at[i];
	}
	for (size_t i = 0; i < N; i++)
		sum += took[i];
	qsort(took, N, sizeof(took[0]), ascending);
	*sim_mean = sum / N;
	*sim_p99 = took[N * 99 / 100];
}

/* The closed forms against simulated group commit, from idle to saturated. */
static void
test_open_load_simulated(void **state)
{
	(void)state;
	static const struct {
		double rate, mean, p99; /* a ms, ms */
	} rows[] = {{0.02, 1, 1.6}, {0.15, 1, 1.6}, {0.2, 1, 1.6}, {2, 0.25, 0.4}, {2, 0.8, 1.28},
		{2, 1.2, 1.92}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double mean, p99, flushes;
		struct db_scalar_input in = input(150, 1000 * rows[i].mean);
		in.flush_p99_us = us(1000 * rows[i].p99);
		in.target_tps = 1000 * rows[i].rate;
		struct db_scalar_result r = solved(&in);
		assert_ratio(r.at_tps, in.target_tps, 1e-9);
		simulate(rows[i].rate, rows[i].mean, rows[i].p99, &mean, &p99, &flushes);
		print_message("U %.2f: commit %.3f ms (simulated %.3f), p99 %.3f (%.3f)\n",
			fmin(1, rows[i].rate * rows[i].mean), r.commit_mean_ms.value, mean,
			r.commit_p99_ms.value, p99);
		assert_ratio(r.commit_mean_ms.value, mean, 0.04);
		assert_ratio(r.commit_p99_ms.value, p99, 0.08);
		assert_ratio(r.flushes_per_s, 1000 * flushes, 0.03);
	}
}

/* Slower storage never gives more, more clients never less; percentiles above means. */
static void
test_monotone(void **state)
{
	(void)state;
	double last = INFINITY;
	for (int i = 0; i < 15; i++) {
		double f = 10 * pow(1.7, i);
		struct db_scalar_input in = input(32, f);
		in.cores = 8;
		in.page_reads_per_tx = 1;
		struct db_scalar_result r = solved(&in);
		assert_true(r.max_tps <= last * (1 + 1e-9));
		assert_true(r.commit_p99_ms.value >= r.commit_mean_ms.value);
		assert_true(r.tx_p99_ms.value >= r.tx_mean_ms.value);
		last = r.max_tps;
	}
	last = 0;
	for (int i = 0; i < 24; i++) {
		double n = pow(1.3, i);
		struct db_scalar_input in = input(n, 1000);
		in.cores = 4;
		double tps = solved(&in).max_tps;
		assert_true(tps >= last * (1 - 1e-9));
		last = tps;
	}
}

static void
test_refusals(void **state)
{
	(void)state;
	struct db_scalar_result r;
	struct err err;
	struct db_scalar_input in = input(0, 1000);
	assert_int_equal(db_scalar_solve(&in, NULL, &r, &err), ERR_RANGE);
	in = input(4, NAN);
	assert_int_equal(db_scalar_solve(&in, NULL, &r, &err), ERR_RANGE);
	in = input(4, 1000);
	in.target_tps = -1;
	assert_int_equal(db_scalar_solve(&in, NULL, &r, &err), ERR_RANGE);
	/* an unknown read latency does not matter without reads */
	in = input(4, 1000);
	in.read_mean_us.value = NAN;
	assert_int_equal(db_scalar_solve(&in, NULL, &r, &err), 0);
	in.page_reads_per_tx = 1;
	assert_int_equal(db_scalar_solve(&in, NULL, &r, &err), ERR_RANGE);
}

/* CPU unknown is a finding, not a silent zero. */
static void
test_findings(void **state)
{
	(void)state;
	struct arena arena;
	struct findings f;
	struct db_scalar_result r;
	arena_init(&arena, 0);
	findings_init(&f, &arena);
	struct db_scalar_input in = input(4, 1000);
	in.cpu_ms_per_tx = NAN;
	assert_int_equal(db_scalar_solve(&in, &f, &r, NULL), 0);
	assert_non_null(findings_find(&f, "cpu-unknown"));
	assert_non_null(findings_find(&f, "db-model-limits"));
	arena_fini(&arena);
}

/* A tier as a benchmark of it says: random reads over depth and the write + sync time. */
struct tier {
	struct disk_model reads;
	double flush_us;
};

static void
load_tier(const struct csv *c, const char *name, struct arena *a, struct tier *t)
{
	struct profile p;
	profile_clear(&p);
	p.name = name;
	p.trust = TRUST_MEASURED;
	p.device = PROFILE_DEVICE_CLOUD;
	for (size_t i = 0; i < c->n_rows; i++) {
		if (strcmp(csv_text(c, i, "tier"), name) != 0 ||
			strcmp(csv_text(c, i, "tool"), "fio") != 0)
			continue;
		if (strcmp(csv_text(c, i, "test"), "fdatasync_after_write") == 0)
			t->flush_us = csv_number(c, i, "mean_us");
		if (strcmp(csv_text(c, i, "test"), "randread") != 0)
			continue;
		struct profile_cell cell;
		profile_cell_clear(&cell);
		cell.op = PROFILE_OP_RANDREAD;
		cell.bs_b = csv_number(c, i, "block_bytes");
		cell.qd = csv_number(c, i, "iodepth");
		cell.iops = csv_number(c, i, "iops");
		cell.mean_us = csv_number(c, i, "mean_us");
		assert_int_equal(profile_add_cell(&p, a, &cell, NULL), 0);
	}
	struct err err;
	assert_int_equal(disk_model_fit(&p, NULL, NULL, a, &t->reads, &err), 0);
	assert_true(t->flush_us > 0);
}

/* The prediction for one row: its clients, reads and CPU a transaction, nothing else of it. */
static double
predict(const struct csv *c, size_t i, const struct tier *data, const struct tier *wal)
{
	double rows = csv_number(c, i, "scale"), n = csv_number(c, i, "clients");
	double cpu_pct = csv_number(c, i, "cpu_server_pct") + csv_number(c, i, "cpu_client_pct");
	/* clients of as many branch rows serialise on them (models.md 4.1) */
	struct db_scalar_input in = input(rows * (1 - pow(1 - 1 / rows, n)), wal->flush_us);
	in.cores = 2;
	in.cpu_ms_per_tx = cpu_pct / 100 / csv_number(c, i, "tps") * 1000;
	in.page_reads_per_tx = csv_number(c, i, "data_reads_per_tx");
	double tps = 0;
	for (int round = 0; round < 5; round++) {
		struct err err;
		assert_int_equal(disk_latency_at_rate(&data->reads, PROFILE_OP_RANDREAD, 8192,
					 tps * in.page_reads_per_tx, NULL, MODEL_MEAN,
					 &in.read_mean_us, &err),
			0);
		in.read_p99_us = in.read_mean_us;
		tps = solved(&in).max_tps;
	}
	return tps;
}

static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), ascending);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Rows of a file with less than 1.3 of 2 cores busy; prints them, keeps the errors. */
static size_t
compare(const char *path, const struct tier *premium, const struct tier *ultra, double *error)
{
	struct csv c;
	size_t n = 0;
	if (csv_load(&c, path))
		fail();
	for (size_t i = 0; i < c.n_rows; i++) {
		double busy = csv_number(&c, i, "cpu_server_pct") +
			      csv_number(&c, i, "cpu_client_pct") +
			      csv_number(&c, i, "cpu_emulator_pct");
		if (busy >= 130)
			continue;
		const char *data = csv_text(&c, i, "data_tier"), *wal = csv_text(&c, i, "wal_tier");
		double measured = csv_number(&c, i, "tps");
		double tps = predict(&c, i, strcmp(data, "ultra") == 0 ? ultra : premium,
			strcmp(wal, "ultra") == 0 ? ultra : premium);
		error[n] = fabs(tps / measured - 1);
		printf("%-7s %-8s %-8s %3.0f clients: measured %6.0f, predicted %6.0f TPS, %+5.1f "
		       "%%\n",
			csv_text(&c, i, "group"), data, wal, csv_number(&c, i, "clients"), measured,
			tps, 100 * (tps / measured - 1));
		n++;
	}
	csv_free(&c);
	return n;
}

static void
test_pgbench(void **state)
{
	(void)state;
	struct csv tiers;
	struct arena arena;
	struct tier premium = {0}, ultra = {0};
	arena_init(&arena, 0);
	if (csv_load(&tiers, "fixtures/pgbench-emulated/tiers.csv"))
		fail();
	load_tier(&tiers, "premium", &arena, &premium);
	load_tier(&tiers, "ultra", &arena, &ultra);
	double error[32];
	size_t n = compare("fixtures/pgbench-emulated/cached.csv", &premium, &ultra, error);
	n += compare("fixtures/pgbench-emulated/miss.csv", &premium, &ultra, error + n);
	double middle = median(error, n);
	printf("%zu runs, median error %.1f %%, worst %.1f %%\n", n, 100 * middle,
		100 * error[n - 1]);
	assert_true(n >= 12);
	assert_true(middle <= 0.10);
	csv_free(&tiers);
	arena_fini(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_one_client),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_asynchronous),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_open_load_simulated),
		cmocka_unit_test(test_monotone),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_findings),
	};
	const struct CMUnitTest shared[] = {cmocka_unit_test(test_pgbench)};
	int failed = cmocka_run_group_tests_name("model/db", tests, NULL, NULL);
	if (!csv_available("fixtures/pgbench-emulated/tiers.csv"))
		return failed ? failed : 77;
	return failed + cmocka_run_group_tests_name("model/db-pgbench", shared, NULL, NULL);
}
