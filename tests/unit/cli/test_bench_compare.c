/*
 * Two measured disks side by side: which rows, what ratio, which word.  Coverage of the intervals is
 * tested where they are made (unit/bench/test_pair.c).
 */
#include "bench_test.h"

#include "base/rng.h"
#include "cli/bench_compare.h"

enum { SLICES = 12 };

/* Slices around `rate`, with what both disks meet at the same time in `shared`. */
static double *
slices(struct fixture *f, double rate, double sd, const double *shared, uint64_t seed)
{
	struct rng rng;
	double *v = arena_array(&f->arena, SLICES, sizeof(*v));
	assert_non_null(v);
	rng_seed(&rng, seed);
	for (size_t i = 0; i < SLICES; i++)
		v[i] = rate * (shared ? shared[i] : 1) * (1 + sd * rng_normal(&rng));
	return v;
}

static void
set_slices(
	struct fixture *f, struct profile_cell *c, double sd, const double *shared, uint64_t seed)
{
	c->slice_iops = slices(f, c->iops, sd, shared, seed);
	c->n_slice_iops = SLICES;
}

static void
start_two(struct fixture *f, struct profile *b)
{
	start(f);
	f->p.name = "A";
	profile_clear(b);
	b->name = "B";
	b->quality = &f->quality;
}

static void
test_rows_and_words(void **state)
{
	(void)state;
	struct fixture f;
	struct profile b;
	static const struct {
		double qd, ratio;
		const char *word;
	} rows[] = {{1, 1.25, "faster"}, {2, 0.8, "slower"}, {4, 1, "none shown"}};
	start_two(&f, &b);
	for (size_t i = 0; i < 3; i++) {
		set_slices(&f, add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, rows[i].qd, 10000),
			0.02, NULL, i);
		set_slices(&f,
			add_cell(&f, &b, PROFILE_OP_RANDREAD, 4096, rows[i].qd,
				10000 * rows[i].ratio),
			0.02, NULL, 10 + i);
	}
	/* the same slices in another order: no chance in it */
	for (size_t i = 0; i < SLICES; i++)
		b.cells[2].slice_iops[i] = f.p.cells[2].slice_iops[SLICES - 1 - i];
	/* one has what the other has not; load by a schedule has nothing to be compared with */
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 8192, 1, 10);
	add_cell(&f, &b, PROFILE_OP_RANDREAD, 16384, 1, 10);
	add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 10)->asked_iops = 10;
	add_cell(&f, &b, PROFILE_OP_RANDREAD, 4096, 1, 10)->asked_iops = 10;
	bench_compare(&f.doc, &f.p, &b, true);
	const struct doc_table *t = need_table(&f.doc, "Reads and writes: second over first");
	assert_int_equal(t->n_rows, 3);
	for (size_t i = 0; i < 3; i++) {
		double value, lo, hi;
		assert_string_equal(cell(t, i, "Difference"), rows[i].word);
		assert_string_equal(cell(t, i, "First, IOPS"), "10,000");
		assert_int_equal(
			sscanf(cell(t, i, "Ratio (95 %)"), "%lfx (%lf-%lf)", &value, &lo, &hi), 3);
		assert_true(lo <= value && value <= hi);
		assert_true(fabs(value - rows[i].ratio) < 0.03 && hi - lo < 0.08);
	}
	assert_says(&f.doc,
		"B (second) against A (first): of 3 rows faster in 1, slower in 1, no difference "
		"shown in 1.");
	assert_says(&f.doc, "took turns");
	stop(&f);
}

/* A noisy neighbour that both met hides a difference of a tenth, unless slices are paired. */
static void
test_paired_or_apart(void **state)
{
	(void)state;
	static const double shared[SLICES] = {1, 0.4, 1.2, 0.7, 1, 0.5, 1.3, 0.9, 0.6, 1.1, 0.8, 1};
	for (int together = 0; together < 2; together++) {
		struct fixture f;
		struct profile b;
		start_two(&f, &b);
		set_slices(&f, add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 10000), 0.01,
			shared, 1);
		set_slices(
			&f, add_cell(&f, &b, PROFILE_OP_RANDREAD, 4096, 1, 11000), 0.01, shared, 2);
		bench_compare(&f.doc, &f.p, &b, together == 1);
		assert_string_equal(cell(need_table(&f.doc, "Reads and writes"), 0, "Difference"),
			together ? "faster" : "none shown");
		stop(&f);
	}
}

/* Without slices the intervals of both are what there is; without those there is a ratio alone. */
static void
test_by_intervals(void **state)
{
	(void)state;
	struct fixture f;
	struct profile b;
	start_two(&f, &b);
	struct profile_cell *c = add_cell(&f, &f.p, PROFILE_OP_READ, 131072, 8, 1000);
	c->iops_lo = 900;
	c->iops_hi = 1100;
	c->p50_us = 100;
	c->p50_lo_us = 95;
	c->p50_hi_us = 105;
	c->p99_us = 400;
	c = add_cell(&f, &b, PROFILE_OP_READ, 131072, 8, 3000);
	c->iops_lo = 2400;
	c->iops_hi = 3750;
	c->p50_us = 50;
	c->p50_lo_us = 48;
	c->p50_hi_us = 52;
	c->p99_us = 300;
	bench_compare(&f.doc, &f.p, &b, false);
	const struct doc_table *t = need_table(&f.doc, "Reads and writes");
	/* as in unit/bench/test_pair.c: 3 exp(-+0.244664) */
	assert_string_equal(cell(t, 0, "Ratio (95 %)"), "3.00x (2.35-3.83)");
	assert_string_equal(cell(t, 0, "Difference"), "faster");
	/* ln 105/95 / 2 = 0.050042, ln 52/48 / 2 = 0.040021: 0.5 exp(-+0.064078) */
	assert_string_equal(cell(t, 0, "p50 ratio"), "0.50x");
	assert_string_equal(t->cells[8], "0.47-0.53");
	assert_string_equal(cell(t, 0, "p99 ratio"), "0.75x");
	assert_string_equal(t->cells[10], "-");
	stop(&f);
}

static void
test_commits_and_knees(void **state)
{
	(void)state;
	struct fixture f;
	struct profile b;
	struct profile_knee knees[2];
	start_two(&f, &b);
	for (int i = 0; i < 2; i++) {
		profile_knee_clear(&knees[i]);
		knees[i].op = PROFILE_OP_RANDREAD;
		knees[i].bs_b = 4096;
		knees[i].iops = i ? 40000 : 20000;
		knees[i].iops_lo = knees[i].iops * 0.99;
		knees[i].iops_hi = knees[i].iops * 1.01;
		knees[i].limit = i ? "device" : "cap-iops";
	}
	f.p.knees = &knees[0];
	b.knees = &knees[1];
	f.p.n_knees = b.n_knees = 1;
	struct profile_sync *s = add_sync(&f, &f.p, PROFILE_SYNC_FSYNC, PROFILE_APPEND, 1, 500);
	s->syncs_lo = 490;
	s->syncs_hi = 510;
	s = add_sync(&f, &b, PROFILE_SYNC_FSYNC, PROFILE_APPEND, 1, 250);
	s->syncs_lo = 245;
	s->syncs_hi = 255;
	/* another way, another pattern and more writers are other rows */
	add_sync(&f, &b, PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 1, 250);
	add_sync(&f, &b, PROFILE_SYNC_FSYNC, PROFILE_OVERWRITE, 1, 250);
	add_sync(&f, &b, PROFILE_SYNC_FSYNC, PROFILE_APPEND, 4, 250);
	bench_compare(&f.doc, &f.p, &b, true);
	const struct doc_table *t = need_table(&f.doc, "Commits by append");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(cell(t, 0, "First, 1/s"), "500");
	assert_string_equal(cell(t, 0, "Second, 1/s"), "250");
	assert_string_equal(cell(t, 0, "Difference"), "slower");
	assert_null(find_table(&f.doc, "Commits by overwrite"));
	t = need_table(&f.doc, "Capacity: second over first");
	assert_string_equal(cell(t, 0, "First, IOPS"), "20,000");
	assert_string_equal(cell(t, 0, "Second, IOPS"), "40,000");
	assert_string_equal(cell(t, 0, "limited by"), "quota-limited (IOPS)");
	assert_string_equal(cell(t, 0, "Difference"), "faster");
	assert_says(&f.doc, "of 2 rows faster in 1, slower in 1, no difference shown in 0.");
	stop(&f);
}

/* The first writes of a file are a cell like the later ones: the first goes with the first. */
static void
test_same_kind_twice(void **state)
{
	(void)state;
	struct fixture f;
	struct profile b;
	start_two(&f, &b);
	add_cell(&f, &f.p, PROFILE_OP_WRITE, 1048576, 8, 100);
	add_cell(&f, &f.p, PROFILE_OP_WRITE, 1048576, 8, 200);
	add_cell(&f, &b, PROFILE_OP_WRITE, 1048576, 8, 300);
	add_cell(&f, &b, PROFILE_OP_WRITE, 1048576, 8, 400);
	add_cell(&f, &b, PROFILE_OP_WRITE, 1048576, 8, 500);
	bench_compare(&f.doc, &f.p, &b, false);
	const struct doc_table *t = need_table(&f.doc, "Reads and writes");
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(cell(t, 0, "Ratio (95 %)"), "3.00x");
	assert_string_equal(cell(t, 1, "Ratio (95 %)"), "2.00x");
	assert_string_equal(cell(t, 0, "Difference"), "no interval");
	assert_says(&f.doc, "no difference shown in 0; 2 with too few slices");
	stop(&f);
}

static void
test_doubtful(void **state)
{
	(void)state;
	struct fixture f;
	struct profile b;
	start_two(&f, &b);
	f.quality.verdict = "not-the-disk";
	b.quality = NULL;
	bench_compare(&f.doc, &f.p, &b, false);
	assert_says(&f.doc, "nothing in common");
	assert_says(&f.doc, "A: verdict not-the-disk");
	assert_false(says(&f.doc, "B: verdict"));
	stop(&f);
}

/* The same slices give the same document. */
static void
test_deterministic(void **state)
{
	(void)state;
	char first[64] = "";
	for (int run = 0; run < 2; run++) {
		struct fixture f;
		struct profile b;
		start_two(&f, &b);
		set_slices(
			&f, add_cell(&f, &f.p, PROFILE_OP_RANDREAD, 4096, 1, 10000), 0.1, NULL, 1);
		set_slices(&f, add_cell(&f, &b, PROFILE_OP_RANDREAD, 4096, 1, 12000), 0.1, NULL, 2);
		bench_compare(&f.doc, &f.p, &b, true);
		const char *ratio = cell(need_table(&f.doc, "Reads and writes"), 0, "Ratio (95 %)");
		if (run == 0)
			snprintf(first, sizeof(first), "%s", ratio);
		assert_string_equal(ratio, first);
		stop(&f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_and_words),
		cmocka_unit_test(test_paired_or_apart),
		cmocka_unit_test(test_by_intervals),
		cmocka_unit_test(test_commits_and_knees),
		cmocka_unit_test(test_same_kind_twice),
		cmocka_unit_test(test_doubtful),
		cmocka_unit_test(test_deterministic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
