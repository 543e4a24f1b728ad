/* From series to needs: grades, verdicts, what a cap held back, sums by time, joined files. */
#include "evidence_test.h"
#include "workload/need.h"

static const struct need_options no_options = {.vm_iops = NAN,
	.vm_bytes_s = NAN,
	.vm_cached_iops = NAN,
	.vm_cached_bytes_s = NAN,
	.copy_bytes = NAN,
	.target_tps = NAN};

struct shape {
	size_t n;
	double dt, low, high;
	size_t every; /* samples at `high` */
};

/* Half reads, 8 KiB each, 1 ms. */
static struct evidence_series *
add(struct fixture *f, const char *device, double from_s, const struct shape *shape)
{
	struct evidence_series *s = evidence_add_series(&f->e);
	s->device = device;
	s->source = "iostat";
	s->resolution_s = shape->dt;
	for (size_t i = 0; i < shape->n; i++) {
		struct evidence_sample *x = evidence_add_sample(&f->e, s);
		double rate = shape->every && i % shape->every == 0 ? shape->high : shape->low;
		x->end_s = from_s + (double)(i + 1) * shape->dt;
		x->dt_s = shape->dt;
		x->read_iops = x->write_iops = rate / 2;
		x->read_bytes_s = x->write_bytes_s = rate / 2 * 8192;
		x->read_us = x->write_us = 1000;
		x->queue = rate / 1000;
	}
	return s;
}

static struct needs
needs(struct fixture *f, const struct need_options *o)
{
	struct needs n;
	if (needs_of(&f->e, o, &n, &f->err))
		fail_msg("%s", f->err.text);
	return n;
}

static void
test_grades_and_words(void **state)
{
	(void)state;
	static const struct {
		struct shape shape;
		int grade, verdict;
	} rows[] = {
		/* seconds for 26 hours, with runs of 10 minutes of three times the rate: see below */
		{{93600, 1, 100, 300, 2}, NEED_GRADE_C,
			NEED_LIKELY_FITS}, /* no window of throughput */
		{{10080, 60, 100, 300, 3}, NEED_GRADE_B,
			NEED_NOT_SHOWN}, /* the peak in a minute is unknown */
		{{20160, 30, 100, 300, 3}, NEED_GRADE_B, NEED_FITS},
		{{100, 1, 100, 300, 3}, NEED_GRADE_C, NEED_LIKELY_FITS},
		{{8640, 300, 100, 300, 3}, NEED_GRADE_C, NEED_NOT_SHOWN},
		{{1, 1, 100, 300, 0}, NEED_GRADE_D, NEED_NOT_SHOWN},
	};
	const struct need_cap cap = {"sda", 1000, 1e9, NAN, NAN};
	struct need_options o = no_options;
	o.caps = &cap;
	o.n_caps = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		fixture_open(&f);
		add(&f, "sda", 1e9, &rows[i].shape);
		struct needs n = needs(&f, &o);
		assert_int_equal(n.n_volumes, 1);
		if (n.volumes[0].grade != rows[i].grade || n.volumes[0].verdict != rows[i].verdict)
			fail_msg("row %zu: grade %d, verdict %d", i, n.volumes[0].grade,
				n.volumes[0].verdict);
		fixture_close(&f);
	}
}

/* A day of seconds with a peak and half an hour of threefold rate. */
static void
test_grade_a(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	struct evidence_series *s = add(&f, "sda", 1e9, &(struct shape){86400, 1, 100, 100, 0});
	for (size_t i = 7200; i < 9000; i++) {
		s->samples[i].read_iops *= 5;
		s->samples[i].read_bytes_s *= 5;
	}
	assert_int_equal(needs(&f, &no_options).volumes[0].grade, NEED_GRADE_A);
	fixture_close(&f);
}

static void
test_cap_words(void **state)
{
	(void)state;
	/* p99 of 300 in each third second */
	static const struct {
		double iops, bytes_s;
		int verdict;
		bool censored;
	} rows[] = {
		{NAN, NAN, NEED_NO_CAP, false},
		{1000, NAN, NEED_LIKELY_FITS, false},
		{310, NAN, NEED_LOWER_BOUND, true}, /* 300 / 310 = 0.968 */
		{316, NAN, NEED_LIKELY_FITS, false}, /* 0.949 */
		{290, NAN, NEED_LOWER_BOUND, true}, /* 1.034: within the noise of a cap */
		{200, NAN, NEED_OVER_CAP, false}, /* 1.5 */
		{1000, 300 * 8192 / 0.96, NEED_LOWER_BOUND, true},
		{1000, 300 * 8192 / 0.90, NEED_LIKELY_FITS, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		const struct need_cap cap = {"sda", rows[i].iops, rows[i].bytes_s, NAN, NAN};
		struct need_options o = no_options;
		o.caps = &cap;
		o.n_caps = 1;
		fixture_open(&f);
		add(&f, "sda", 1e9, &(struct shape){99, 1, 100, 300, 3});
		struct needs n = needs(&f, &o);
		const struct need_volume *v = &n.volumes[0];
		if (v->verdict != rows[i].verdict || v->censored != rows[i].censored)
			fail_msg("row %zu: verdict %d, held back %d", i, v->verdict, v->censored);
		assert_true(v->n_censored == (rows[i].censored ? 33 : 0));
		fixture_close(&f);
	}
}

/* The provider's word is enough: exceeded, or 96 % consumed. */
static void
test_provider_word(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		fixture_open(&f);
		struct evidence_series *s = add(
			&f, "sda", 1e9, &(struct shape){50, 1, 100, 300, 3});
		if (i)
			s->samples[48].exceeded = 1;
		else
			s->samples[48].consumed_frac = 0.96;
		struct needs n = needs(&f, &no_options);
		assert_true(n.volumes[0].censored);
		assert_int_equal(n.volumes[0].verdict, NEED_LOWER_BOUND);
		fixture_close(&f);
	}
}

/* Latency that doubles at the same rate, near the highest: twice or more is a wall, once is chance. */
static void
test_wall_by_latency(void **state)
{
	(void)state;
	for (size_t jumps = 0; jumps < 4; jumps++) {
		struct fixture f;
		fixture_open(&f);
		struct evidence_series *s = add(
			&f, "sda", 1e9, &(struct shape){60, 1, 200, 200, 0});
		for (size_t i = 0; i < jumps; i++)
			s->samples[10 + 10 * i].read_us = s->samples[10 + 10 * i].write_us = 2500;
		assert_true(needs(&f, &no_options).volumes[0].censored == (jumps >= 2));
		fixture_close(&f);
	}
}

/* Files of two days given in the wrong order are one series; two files of the same time are not added. */
static void
test_join(void **state)
{
	(void)state;
	const struct shape day = {100, 1, 100, 300, 3};
	struct fixture f;
	fixture_open(&f);
	add(&f, "sda", 1e9 + 1000, &day);
	add(&f, "sda", 1e9, &day);
	add(&f, "sda", 1e9, &day);
	assert_int_equal(need_join_series(&f.e, &f.err), 0);
	assert_int_equal(f.e.n_series, 2);
	assert_int_equal(f.e.series[0].n_samples, 200);
	for (size_t i = 1; i < 200; i++)
		assert_true(f.e.series[0].samples[i].end_s > f.e.series[0].samples[i - 1].end_s);
	struct needs n = needs(&f, &no_options);
	assert_int_equal(n.n_volumes, 1); /* the longer one tells more */
	assert_int_equal(n.volumes[0].stats.n, 200);
	fixture_close(&f);
}

/* Two disks, one begins 30 s later: 70 common seconds; sums are of those alone. Peaks every third and every second. */
static void
test_sums(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	add(&f, "sda", 1e9, &(struct shape){100, 1, 100, 400, 2});
	add(&f, "sdb", 1e9 + 30, &(struct shape){100, 1, 100, 400, 3});
	struct needs n = needs(&f, &no_options);
	assert_int_equal(n.n_machines, 1);
	assert_true(n.machines[0].aligned);
	assert_int_equal(n.machines[0].sum.iops.n, 70);
	assert_true(n.machines[0].sum.iops.max == 800); /* each sixth second */
	assert_true(n.machines[0].coincidence_iops == 1);
	/* of 70 common seconds i = 0..69: sda high at even i (30 is even), sdb at i % 3 == 0: means 250 and 24 of 70 high */
	double want = 100 + 300 * 35 / 70.0 + 100 + 300 * 24 / 70.0;
	assert_true(fabs(n.machines[0].sum.iops.mean - want) < 1e-9);
	fixture_close(&f);
}

/* A name that was not read is an error that tells the nearest. */
static void
test_names(void **state)
{
	(void)state;
	struct fixture f;
	struct needs n;
	const struct need_cap cap = {"sdaa", 1000, NAN, NAN, NAN};
	struct need_options o = no_options;
	o.caps = &cap;
	o.n_caps = 1;
	fixture_open(&f);
	add(&f, "sda", 1e9, &(struct shape){10, 1, 100, 300, 3});
	assert_int_equal(needs_of(&f.e, &o, &n, &f.err), ERR_NOT_FOUND);
	assert_non_null(
		strstr(f.err.text, "--cap sdaa: no such device was read, did you mean sda?"));
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grades_and_words),
		cmocka_unit_test(test_grade_a),
		cmocka_unit_test(test_cap_words),
		cmocka_unit_test(test_provider_word),
		cmocka_unit_test(test_wall_by_latency),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
