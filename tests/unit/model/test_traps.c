/*
 * test_traps.c - what a series must not be believed for without a word: one series a trap of
 * models.md 1.7 with its message and its action, and a clean one beside it that raises none.
 */
#include "build.h"

#include "model/slices.h"

static const double depths[] = {1, 2, 4, 8, 16, 32, 64};

/* The three-number law, us: 100 us, 4 us a request, wall 80,000/s. */
static double
law(double q)
{
	return pow(pow(100 + 4 * (q - 1), 8) + pow(q / 0.08, 8), 0.125);
}

static void
begin_law(struct build *b)
{
	build_begin(b, PROFILE_DEVICE_NVME, TRUST_MEASURED);
	for (size_t i = 0; i < 7; i++)
		build_add(b, build_cell(PROFILE_OP_RANDREAD, 4096, depths[i], law(depths[i])));
}

static bool
flagged(const struct model_curve *c, const char *code)
{
	for (size_t i = 0; i < c->n_flags; i++)
		if (strcmp(c->flags[i], code) == 0)
			return true;
	return false;
}

static void
fit_reads(struct build *b, const double *qd, const double *mean_us, size_t n)
{
	build_begin(b, PROFILE_DEVICE_SSD, TRUST_MEASURED);
	build_depths(b, PROFILE_OP_RANDREAD, 4096, qd, mean_us, n);
	build_fit(b);
}

static void
test_clean(void **state)
{
	(void)state;
	struct build b;
	begin_law(&b);
	build_fit(&b);
	assert_int_equal(b.m.n_findings, 0);
	assert_int_equal(b.m.curves[0].n_flags, 0);
	assert_ratio(b.m.curves[0].qd_min, 1, 0);
	assert_ratio(b.m.curves[0].qd_max, 64, 0);
	/* both of the last two depths stand at the wall */
	assert_near(b.m.curves[0].growth, 0, 0.01);
	build_end(&b);
}

/* Two depths, or a range under 8: two numbers, and a wall that is fitted is refused. */
static void
test_few_depths(void **state)
{
	(void)state;
	static const struct {
		size_t n;
		double qd[4], mean_us[4];
	} rows[] = {
		{2, {1, 64}, {100, 800}},
		{4, {1, 2, 3, 4}, {100, 110, 140, 180}},
	};
	for (size_t i = 0; i < 2; i++) {
		struct build b;
		fit_reads(&b, rows[i].qd, rows[i].mean_us, rows[i].n);
		build_says(&b, "few-depths", "two numbers only");
		assert_int_equal(b.m.curves[0].form, MODEL_FORM_TWO);
		assert_int_equal(b.m.curves[0].wall_reached, 0);
		assert_true(flagged(&b.m.curves[0], "few-depths"));
		build_end(&b);
	}
}

/* Throughput grows by 2 x 116 / 132 at the last doubling: exponent 0.81. */
static void
test_wall_not_reached(void **state)
{
	(void)state;
	struct build b;
	fit_reads(&b, depths, (const double[]){100, 101, 102, 104, 108, 116, 132}, 7);
	build_says(&b, "wall-not-reached", "exponent 0.81");
	build_says(&b, "wall-not-reached", "484,848 IOPS is only a lower bound");
	assert_near(b.m.curves[0].growth, log(2 * 116 / 132.0) / log(2), 1e-9);
	assert_int_equal(b.m.curves[0].wall_reached, 0);
	build_end(&b);
}

/* Two depths beside a ladder are two by intention: other sizes, and sequential of the same side. */
static void
test_beside(void **state)
{
	(void)state;
	static const double two[] = {1, 8};
	struct build b;
	begin_law(&b);
	build_depths(&b, PROFILE_OP_RANDREAD, 65536, two, (const double[]){150, 700}, 2);
	build_depths(&b, PROFILE_OP_READ, 1048576, two, (const double[]){5240, 41920}, 2);
	build_fit(&b);
	assert_int_equal(b.m.n_curves, 3);
	assert_null(build_found(&b, "few-depths"));
	assert_null(build_found(&b, "wall-not-reached"));
	assert_null(build_found(&b, "hidden-by-cap"));
	/* writes have no ladder here */
	build_end(&b);
	begin_law(&b);
	build_depths(&b, PROFILE_OP_WRITE, 1048576, two, (const double[]){5240, 41920}, 2);
	build_fit(&b);
	assert_non_null(build_found(&b, "few-depths"));
	build_end(&b);
}

static void
test_hidden_by_cap(void **state)
{
	(void)state;
	struct build b;
	fit_reads(&b, depths, (const double[]){100, 199, 398, 797, 1590, 3180, 6360}, 7);
	build_says(&b, "hidden-by-cap", "QD2 takes 1.99 times as long");
	build_end(&b);
	/* the same seen at depths 1, 4, 16, 64 */
	fit_reads(&b, (const double[]){1, 4, 16, 64}, (const double[]){100, 398, 1590, 6360}, 4);
	build_says(&b, "hidden-by-cap", "QD4 takes 3.98 times as long");
	build_end(&b);
	/* where nothing of it is left the light latency is the wall's time by construction */
	fit_reads(&b, (const double[]){1, 8}, (const double[]){5240, 41920}, 2);
	build_says(&b, "hidden-by-cap", "QD8 takes 8.00 times as long");
	assert_ratio(b.m.curves[0].l1_us, 5240, 0.01);
	build_end(&b);
	/* 2.6 over two doublings is 1.61 each */
	fit_reads(&b, (const double[]){1, 4, 16, 64}, (const double[]){100, 260, 900, 3600}, 4);
	assert_null(build_found(&b, "hidden-by-cap"));
	build_end(&b);
}

/* 50,000 IOPS at QD8 fall to 40,000, 35,556 and 32,000: the plateau is the median of the last four
 * depths, (35,556 + 40,000) / 2, and no plan may use more. */
static void
test_falls(void **state)
{
	(void)state;
	struct build b;
	fit_reads(&b, depths, (const double[]){100, 105, 115, 160, 400, 900, 2000}, 7);
	build_says(&b, "falls-with-depth", "50,000 IOPS at QD8 fall to 32,000 at QD64");
	build_says(&b, "falls-with-depth", "plateau 37,778 IOPS");
	assert_true(b.m.curves[0].x_inf_iops <= 37778);
	build_end(&b);
}

/* Credits: one slice of ten at three times the rate.  The late rate and its latency are used. */
static void
test_two_plateaus(void **state)
{
	(void)state;
	static double slices[] = {9000, 4000, 3100, 3010, 2990, 3020, 2980, 3000, 3005, 2995};
	struct build b;
	build_begin(&b, PROFILE_DEVICE_CLOUD, TRUST_MEASURED);
	for (size_t i = 0; i < 7; i++) {
		struct profile_cell c = build_cell(
			PROFILE_OP_RANDREAD, 4096, depths[i], fmax(500, depths[i] * 333));
		if (depths[i] == 16) {
			c = build_cell(PROFILE_OP_RANDREAD, 4096, 16, 16e6 / 3710);
			c.slice_iops = slices;
			c.n_slice_iops = 10;
		}
		build_add(&b, c);
	}
	build_fit(&b);
	build_says(&b, "two-plateaus", "QD16: 9,000 IOPS in the first tenth of the run, 3,000");
	build_says(&b, "two-plateaus", "the late rate is used");
	const struct model_curve *c = &b.m.curves[0];
	assert_ratio(c->iops[4], 3000, 1e-9); /* median of 3020, 2980, 3000, 3005, 2995 */
	assert_ratio(c->iops[4] * c->mean_us[4], 16e6, 1e-9);
	build_end(&b);
}

/* Noise, few slices and a rise are no second plateau. */
static void
test_one_plateau(void **state)
{
	(void)state;
	static const double noisy[] = {130, 100, 120, 95, 110, 100, 128, 90, 105, 85};
	static const double nine[] = {200, 100, 100, 100, 100, 100, 100, 100, 100};
	static const double rise[] = {50, 100, 100, 100, 100, 100, 100, 100, 100, 100};
	static const double still[10] = {0};
	static const double drop[] = {200, 100, 101, 99, 100, 100, 101, 100, 99, 100};
	struct plateaus t;
	assert_false(slices_plateaus(noisy, 10, &t)); /* 128 in the last half is as fast */
	assert_false(slices_plateaus(nine, 9, &t));
	assert_false(slices_plateaus(rise, 10, &t));
	assert_false(slices_plateaus(still, 10, &t));
	assert_false(slices_plateaus(NULL, 0, &t));
	assert_true(slices_plateaus(drop, 10, &t));
	assert_ratio(t.early, 200, 0);
	assert_ratio(t.late, 100, 0);
}

/* 210 us at QD2 and 130 at QD4: named; answers lie in the middle of what contradicts, QD8 too: the third
 * root of 210 x 130 x 160 is 163.5.  Two in 210 us are fewer a second than one in 100: the root of 105 x
 * 100 is 102.5. */
static void
test_bump(void **state)
{
	(void)state;
	struct build b;
	fit_reads(&b, depths, (const double[]){100, 210, 130, 160, 300, 600, 1200}, 7);
	build_says(&b, "bump", "rises to 210 us at QD2 and falls to 130 us at QD4");
	build_says(&b, "levelled", "randread: 4 KiB at QD2 took 210 us");
	for (double q = 2; q <= 8; q *= 2)
		assert_ratio(build_at_depth(&b, PROFILE_OP_RANDREAD, 4096, q, MODEL_MEAN).value,
			163.5, 0.02);
	assert_ratio(
		build_at_depth(&b, PROFILE_OP_RANDREAD, 4096, 1, MODEL_MEAN).value, 102.5, 1e-3);
	build_end(&b);
}

static void
add_load(struct build *b, double rate, double mean_us, double half)
{
	struct profile_cell c = build_cell(PROFILE_OP_RANDREAD, 4096, 1, mean_us);
	c.asked_iops = c.iops = rate;
	c.qd = fmax(1e-6, rate * mean_us * 1e-6);
	c.mean_lo_us = mean_us * (1 - half);
	c.mean_hi_us = mean_us * (1 + half);
	build_add(b, c);
}

/* 117 us at the lowest rate, 99 at the next: dropped, with its message; not when both may be equal. */
static void
test_idle_start(void **state)
{
	(void)state;
	static const struct {
		double lowest_us, half;
		bool dropped;
	} rows[] = {{117, 0.02, true}, {117, 0.10, false}, {97, 0.02, false}};
	for (size_t i = 0; i < 3; i++) {
		struct build b;
		begin_law(&b);
		add_load(&b, 5000, rows[i].lowest_us, rows[i].half);
		add_load(&b, 20000, 99, rows[i].half);
		add_load(&b, 40000, 115, rows[i].half);
		build_fit(&b);
		assert_int_equal(b.m.n_loads, 1);
		assert_int_equal(b.m.loads[0].n_rate_iops, rows[i].dropped ? 2 : 3);
		if (rows[i].dropped)
			build_says(&b, "idle-start", "117 us at 5,000 IOPS, but 99 us at 20,000");
		else
			assert_null(build_found(&b, "idle-start"));
		build_end(&b);
	}
}

/* Arrivals against the curve: (100 - 4) / (1 - 0.004 x 40) = 114.3 us at 40,000 IOPS. */
static void
test_open_loop(void **state)
{
	(void)state;
	static const struct {
		double mean_us;
		bool differs;
	} rows[] = {{115, false}, {300, true}};
	for (size_t i = 0; i < 2; i++) {
		struct build b;
		begin_law(&b);
		add_load(&b, 20000, 104.4, 0.02);
		add_load(&b, 40000, rows[i].mean_us, 0.02);
		build_fit(&b);
		assert_int_equal(build_found(&b, "open-loop-differs") != NULL, rows[i].differs);
		assert_ratio(b.m.loads[0].over_curve[1], rows[i].mean_us / (96 / 0.84), 0.01);
		build_end(&b);
	}
}

/* A rate that was not reached is no point. */
static void
test_overload(void **state)
{
	(void)state;
	struct build b;
	begin_law(&b);
	add_load(&b, 20000, 104.4, 0.02);
	add_load(&b, 90000, 5000, 0.02);
	b.p.cells[b.p.n_cells - 1].overload_frac = 0.3;
	build_fit(&b);
	assert_int_equal(b.m.loads[0].n_rate_iops, 1);
	build_end(&b);
}

/* Repeats 25 % apart: both kept, and the interval at that depth covers both. */
static void
test_repeats(void **state)
{
	(void)state;
	static const struct {
		double factor;
		bool named;
	} rows[] = {{1.25, true}, {1.15, false}};
	for (size_t i = 0; i < 2; i++) {
		struct build b;
		begin_law(&b);
		build_add(&b, build_cell(PROFILE_OP_RANDREAD, 4096, 16, rows[i].factor * law(16)));
		build_fit(&b);
		if (rows[i].named)
			build_says(&b, "repeats-differ", "QD16: 2 runs by a factor of 1.25");
		else
			assert_null(build_found(&b, "repeats-differ"));
		struct estimate e = build_at_depth(&b, PROFILE_OP_RANDREAD, 4096, 16, MODEL_MEAN);
		assert_ratio(e.value, sqrt(rows[i].factor) * law(16), 1e-9);
		assert_true(e.lo <= law(16) && e.hi >= rows[i].factor * law(16));
		build_end(&b);
	}
}

/* A mean above p99, or a median 10 % above the mean. */
static void
test_stalls(void **state)
{
	(void)state;
	static const struct {
		double p50, p99;
		const char *part;
	} rows[] = {{0.5, 0.9, "the mean lies above p99"},
		{1.2, 2.0, "the median lies 10 % above the mean"}, {0.95, 1.5, NULL}};
	for (size_t i = 0; i < 3; i++) {
		struct build b;
		begin_law(&b);
		b.p.cells[3].p50_us = rows[i].p50 * law(8);
		b.p.cells[3].p99_us = rows[i].p99 * law(8);
		build_fit(&b);
		if (rows[i].part)
			build_says(&b, "stalls", rows[i].part);
		else
			assert_null(build_found(&b, "stalls"));
		build_end(&b);
	}
}

/* Little's law: 0.90 to 1.02 of a measured row, 1.10 of a published one; else it is left out. */
static void
test_little(void **state)
{
	(void)state;
	static const struct {
		int trust;
		double ratio;
		bool rejected;
	} rows[] = {
		{TRUST_MEASURED, 1.015, false},
		{TRUST_MEASURED, 1.05, true},
		{TRUST_IMPORTED, 1.05, true},
		{TRUST_PUBLISHED, 1.05, false},
		{TRUST_PUBLISHED, 1.15, true},
		{TRUST_MEASURED, 0.91, false},
		{TRUST_MEASURED, 0.88, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct build b;
		build_begin(&b, PROFILE_DEVICE_NVME, rows[i].trust);
		for (size_t k = 0; k < 7; k++) {
			struct profile_cell c = build_cell(
				PROFILE_OP_RANDREAD, 4096, depths[k], law(depths[k]));
			if (k == 3)
				c.iops *= rows[i].ratio;
			build_add(&b, c);
		}
		build_fit(&b);
		assert_ratio(b.m.curves[0].n_points, rows[i].rejected ? 6 : 7, 0);
		assert_int_equal(build_found(&b, "little-law") != NULL, rows[i].rejected);
		build_end(&b);
	}
}

/* Slices of 19 requests with 8 under way: what was under way at their ends is no contradiction. */
static void
test_little_short(void **state)
{
	(void)state;
	static double slices[8] = {40000, 40000, 40000, 40000, 40000, 40000, 40000, 40000};
	for (int few = 0; few < 2; few++) {
		struct build b;
		begin_law(&b);
		struct profile_cell *c = &b.p.cells[3];
		c->little_ratio = 1.05;
		c->slice_iops = slices;
		c->n_slice_iops = 8;
		c->n = few ? 152 : 152000;
		build_fit(&b);
		assert_int_equal(build_found(&b, "little-law") != NULL, !few);
		build_end(&b);
	}
}

/* Percentiles of completion say nothing where submission blocks; those of the whole are used. */
static void
test_submission(void **state)
{
	(void)state;
	static const struct {
		const char *of, *part;
		bool used;
	} rows[] = {{"clat", "the completion percentiles are not used", false},
		{"lat", "percentiles are of the whole latency and used", true},
		{NULL, "percentiles are of the whole latency and used", true}};
	for (size_t i = 0; i < 3; i++) {
		struct build b;
		begin_law(&b);
		b.p.cells[3].p99_us = 2 * law(8);
		b.p.cells[3].percentile_of = rows[i].of;
		b.p.cells[3].submit_frac = 0.9;
		build_fit(&b);
		build_says(&b, "submission-blocks", rows[i].part);
		assert_int_equal(!isnan(b.m.curves[0].p99_us[3]), rows[i].used);
		build_end(&b);
	}
}

/* The first writing of the file is no repeat of the writes measured later. */
static void
test_first_write(void **state)
{
	(void)state;
	struct build b;
	begin_law(&b);
	struct profile_series first = {.op = PROFILE_OP_WRITE, .bs_b = 1048576, .qd = 8};
	b.p.first_write = &first;
	struct profile_cell c = build_cell(PROFILE_OP_WRITE, 1048576, 8, 4000);
	c.note = "first writes into a new file, one run";
	build_add(&b, c);
	build_add(&b, build_cell(PROFILE_OP_WRITE, 1048576, 1, 2500));
	build_add(&b, build_cell(PROFILE_OP_WRITE, 1048576, 8, 16000));
	build_fit(&b);
	assert_null(build_found(&b, "repeats-differ"));
	assert_ratio(
		build_at_depth(&b, PROFILE_OP_WRITE, 1048576, 8, MODEL_MEAN).value, 16000, 1e-9);
	build_end(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_few_depths),
		cmocka_unit_test(test_wall_not_reached),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_hidden_by_cap),
		cmocka_unit_test(test_falls),
		cmocka_unit_test(test_two_plateaus),
		cmocka_unit_test(test_one_plateau),
		cmocka_unit_test(test_bump),
		cmocka_unit_test(test_idle_start),
		cmocka_unit_test(test_open_loop),
		cmocka_unit_test(test_overload),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_little_short),
		cmocka_unit_test(test_submission),
		cmocka_unit_test(test_first_write),
	};
	return cmocka_run_group_tests_name("model/traps", tests, NULL, NULL);
}
