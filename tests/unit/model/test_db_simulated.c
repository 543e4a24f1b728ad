/*
 * test_db_simulated.c - the closed forms of commits against event simulations written here: group
 * commit, a writer that delays, and the k-th answer of n standbys.
 */
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/rng.h"
#include "db_volume.h"
#include "model/db_internal.h"

enum { MAX_SESSIONS = 128 };

/* Sessions with exponential work of mean w; one flush of f at a time, d after it could start. */
struct commits {
	int n;
	double w, f, d;
	bool gamma; /* flush of gamma distribution, cv 0.5, instead of constant */
};

static double
flush_time(const struct commits *c, struct rng *r)
{
	double sum = 0;
	if (!c->gamma)
		return c->f;
	for (int i = 0; i < 4; i++)
		sum += rng_exponential(r);
	return c->f * sum / 4;
}

/* Starts with whoever is ready first once the writer is free, and takes all that are ready then. */
static double
flush_start(const struct commits *c, const double *ready, double free)
{
	double first = INFINITY;
	for (int i = 0; i < c->n; i++)
		first = fmin(first, ready[i]);
	return fmax(first, free) + (c->n > 1 ? c->d : 0);
}

/* Mean cycle of a session over 60,000 commits. */
static double
simulated_cycle(const struct commits *c, struct rng *r)
{
	double ready[MAX_SESSIONS], end = 0, from = 0;
	long done = 0, total = 60000, warm = 5000, counted = 0;
	for (int i = 0; i < c->n; i++)
		ready[i] = c->w * rng_exponential(r);
	while (done < total) {
		double start = flush_start(c, ready, end);
		end = start + flush_time(c, r);
		for (int i = 0; i < c->n; i++) {
			if (ready[i] > start)
				continue;
			ready[i] = end + c->w * rng_exponential(r);
			done++;
			if (done == warm)
				from = end;
			counted += done > warm;
		}
	}
	return c->n * (end - from) / (double)counted;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* 1 to 128 sessions, W / F from 0.1 to 30: the published errors of the closed form are the limits. */
static void
test_group_commit(void **state)
{
	(void)state;
	static const int sessions[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128};
	static const double works[] = {0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30};
	double error[240];
	size_t n = 0;
	struct rng r;
	rng_seed(&r, 3);
	for (size_t g = 0; g < 2; g++) {
		for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
			for (size_t k = 0; k < sizeof(works) / sizeof(works[0]); k++) {
				struct commits c = {sessions[i], works[k], 1, 0, g == 1};
				double sim = simulated_cycle(&c, &r);
				double form = db_group_commit_cycle(c.n, c.w, 1);
				error[n++] = fabs(form / sim - 1);
			}
		}
	}
	qsort(error, n, sizeof(error[0]), ascending);
	print_message("group commit, %zu cases: median %.1f %%, 95th %.1f %%, worst %.1f %%\n", n,
		100 * error[n / 2], 100 * error[n * 95 / 100], 100 * error[n - 1]);
	assert_true(error[n / 2] <= 0.02);
	assert_true(error[n * 95 / 100] <= 0.061);
	assert_true(error[n - 1] <= 0.09);
}

/* W = F/2, 4 sessions (PostgreSQL's documented start is half a flush): a short delay gains, one as
 * long as a flush loses. */
static void
test_delay(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 4);
	static const struct {
		int n;
		double w, d;
	} rows[] = {{4, 0.5, 0.25}, {4, 0.5, 0.5}, {4, 0.5, 1}, {16, 0.5, 0.25}, {16, 1, 0.5},
		{64, 2, 0.5}, {64, 0.5, 1}, {32, 5, 0.5}, {4, 20, 0.5}};
	double none[9], with[9];
	for (size_t i = 0; i < 9; i++) {
		struct commits c = {rows[i].n, rows[i].w, 1, 0, false};
		double sim0 = simulated_cycle(&c, &r);
		c.d = rows[i].d;
		double sim = simulated_cycle(&c, &r);
		none[i] = db_group_commit_cycle(c.n, c.w, 1);
		with[i] = db_group_commit_delayed(c.n, c.w, 1, c.d);
		print_message(
			"n %2d W %4.1f d %.2f: simulated %+5.1f %% TPS, closed form %+5.1f %%; "
			"cycle %+.1f %% off\n",
			c.n, c.w, c.d, 100 * (sim0 / sim - 1), 100 * (none[i] / with[i] - 1),
			100 * (with[i] / sim - 1));
		assert_ratio(with[i], sim, 0.05);
	}
	assert_true(with[0] < none[0]);
	assert_true(with[2] > none[2]);
	assert_ratio(db_group_commit_delayed(1, 0.5, 1, 1), 1.5, 1e-12);
}

/* Mean and p99 of how much later than a local flush of 1 ms the k-th of n answers is. */
static void
sample_standbys(const struct db_standby *s, struct rng *r, double *mean, double *p99)
{
	enum { N = 100000 };
	static double late[N];
	double sigma = db_lognormal_sigma(s->flush_p99_us / s->flush_us), sum = 0;
	for (int i = 0; i < N; i++) {
		double answer[16];
		size_t n = (size_t)s->count;
		for (size_t k = 0; k < n; k++)
			answer[k] = (s->rtt_us + s->flush_us * exp(sigma * rng_normal(r) -
								       sigma * sigma / 2)) /
				    1e3;
		qsort(answer, n, sizeof(answer[0]), ascending);
		late[i] = fmax(0, answer[(size_t)s->wait_for - 1] - 1);
		sum += late[i];
	}
	qsort(late, N, sizeof(late[0]), ascending);
	*mean = sum / N;
	*p99 = late[N * 99 / 100];
}

static void
test_standbys(void **state)
{
	(void)state;
	struct rng r;
	struct engine e = plain_engine();
	struct steady_volume v = {.flush_us = 1000, .flush_p99_us = 1000};
	struct db_volume volume = steady(&v);
	struct db_input in = plain_input(&e, 1, 0.25, 0, &volume, &volume);
	rng_seed(&r, 5);
	static const double counts[][2] = {
		{1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {5, 3}, {5, 5}, {9, 2}};
	double last = 0;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		double mean, p99;
		in.tx.standby = (struct db_standby){.count = counts[i][0],
			.wait_for = counts[i][1],
			.rtt_us = 800,
			.flush_us = 900,
			.flush_p99_us = 2500,
			.apply_tps = (double)NAN};
		sample_standbys(&in.tx.standby, &r, &mean, &p99);
		struct db_result got;
		struct err err;
		assert_int_equal(db_solve(&in, NULL, &got, &err), 0);
		double late = got.closed.commit.mean_ms.value - 1;
		print_message("%g of %g standbys: %.3f ms later (sampled %.3f), p99 %.3f (%.3f)\n",
			counts[i][1], counts[i][0], late, mean, got.closed.commit.p99_ms.value - 1,
			p99);
		assert_ratio(late, mean, 0.02);
		assert_ratio(got.closed.commit.p99_ms.value - 1, p99, 0.03);
		assert_ratio(got.closed.tps.value, 1e3 / (1.25 + late), 1e-9);
		last = late;
	}
	assert_true(last > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group_commit),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_standbys),
	};
	return cmocka_run_group_tests_name("model/db-simulated", tests, NULL, NULL);
}
