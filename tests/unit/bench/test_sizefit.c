/* Latency against size: exact lines are found, relative residuals are what is minimised, and what is
 * no plain random read or write at depth 1 does not count. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/sizefit.h"

static struct arena arena;
static struct profile p;

static struct profile_cell
cell(int op, double bs_b, double qd, double mean_us)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.mean_us = mean_us;
	return c;
}

static void
add(struct profile_cell c)
{
	assert_int_equal(profile_add_cell(&p, &arena, &c, NULL), 0);
}

static int
setup(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	profile_clear(&p);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

/* 100 us and 2 us a KiB, exactly; a mix, a load by a schedule and other depths beside it. */
static void
test_line(void **state)
{
	(void)state;
	for (double bs = 512; bs <= 1 << 25; bs *= 2)
		add(cell(PROFILE_OP_RANDREAD, bs, 1, 100 + 2 * bs / 1024));
	struct profile_cell other = cell(PROFILE_OP_RANDREAD, 4096, 1, 5000);
	other.mix_read_frac = 0.7;
	add(other);
	other.mix_read_frac = NAN;
	other.asked_iops = 10;
	add(other);
	add(cell(PROFILE_OP_RANDREAD, 4096, 8, 5000));
	add(cell(PROFILE_OP_READ, 4096, 1, 5000));
	add(cell(PROFILE_OP_RANDWRITE, 4096, 1, 50));
	add(cell(PROFILE_OP_RANDWRITE, 8192, 1, 60));
	assert_int_equal(sizefit_fill(&p, &arena, NULL), 0);
	assert_int_equal(p.n_size_fits, 1); /* two sizes of writes are no fit */
	assert_int_equal(p.size_fits[0].op, PROFILE_OP_RANDREAD);
	assert_true(fabs(p.size_fits[0].a_us - 100) < 1e-6);
	assert_true(fabs(p.size_fits[0].b_us_per_kib - 2) < 1e-9);
	assert_true(p.size_fits[0].residual_frac < 1e-9);
	assert_true(p.size_fits[0].from_b <= 512 && p.size_fits[0].to_b >= 1 << 25);
}

/*
 * Three points off the line y = 100 + x (KiB): 1, 2 and 1000 KiB with +10, -10 and 0 %.  By hand:
 * the minimum has smaller relative sum of squares than the line itself and than its neighbours.
 */
static void
test_relative(void **state)
{
	(void)state;
	const double x[3] = {1, 2, 1000}, y[3] = {111.1, 91.8, 1100};
	for (int i = 0; i < 3; i++)
		add(cell(PROFILE_OP_RANDWRITE, x[i] * 1024, 1, y[i]));
	assert_int_equal(sizefit_fill(&p, &arena, NULL), 0);
	assert_int_equal(p.n_size_fits, 1);
	const struct profile_size_fit *f = &p.size_fits[0];
	double best = 3 * f->residual_frac * f->residual_frac;
	for (int da = -1; da <= 1; da++) {
		for (int db = -1; db <= 1; db++) {
			double sum = 0;
			for (int i = 0; i < 3; i++) {
				double fit = f->a_us + da * 0.5 +
					     (f->b_us_per_kib + db * 0.005) * x[i];
				sum += (fit / y[i] - 1) * (fit / y[i] - 1);
			}
			assert_true(sum >= best - 1e-12);
		}
	}
	assert_true(f->residual_frac > 0.05 && f->residual_frac < 0.1);
}

/* 800 us, and 200 MB/s: 1024 B / 200e6 B/s = 5.12 us a KiB; they meet at 156 KiB. */
static void
test_cap(void **state)
{
	(void)state;
	for (double bs = 512; bs <= 1 << 25; bs *= 2) {
		double us = fmax(800, 5.12 * bs / 1024);
		add(cell(PROFILE_OP_RANDREAD, bs, 1, us * (bs == 4096 ? 1.01 : 1)));
		add(cell(PROFILE_OP_RANDWRITE, bs, 1, 100 + 2 * bs / 1024));
	}
	assert_int_equal(sizefit_fill(&p, &arena, NULL), 0);
	assert_int_equal(p.n_size_fits, 2);
	assert_int_equal(p.size_fits[0].form, PROFILE_SIZE_CAP);
	assert_true(fabs(p.size_fits[0].a_us / 800 - 1) < 0.002);
	assert_true(fabs(p.size_fits[0].b_us_per_kib / 5.12 - 1) < 1e-9);
	assert_true(fabs(profile_size_us(&p.size_fits[0], 65536) / 800 - 1) < 0.002);
	assert_true(fabs(profile_size_us(&p.size_fits[0], 1 << 20) / 5242.88 - 1) < 1e-9);
	assert_true(isnan(profile_size_us(&p.size_fits[0], 256)));
	assert_int_equal(p.size_fits[1].form, PROFILE_SIZE_LINEAR);
	assert_true(fabs(profile_size_us(&p.size_fits[1], 65536) / 228 - 1) < 1e-9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_relative, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cap, setup, teardown),
	};
	return cmocka_run_group_tests_name("sizefit", tests, NULL, NULL);
}
