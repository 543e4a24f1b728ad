/*
 * The probability of promises where it has a closed form, and what a measurement is worth: every expected
 * value is worked out from the normal distribution (values from tables), not taken from the program.
 */
#include "case.h"

#include "advise/chance.h"
#include "advise/spread.h"
#include "base/rng.h"

#define DISK(family, sku, gib)                                                                     \
	"{\"family\": \"" family "\", \"sku\": \"" sku                                             \
	"\", \"size_gib_min\": 1, \"size_gib_max\": " gib ", \"billed_gib\": " gib                 \
	", \"iops_base\": 5000, "                                                                  \
	"\"iops_max\": 5000, \"mbps_base\": 200, \"mbps_max\": 200, \"mbps_unit\": \"MB\", "       \
	"\"io_unit_kib\": 256, \"operations_billed\": false, \"ephemeral\": false}"

#define PRICE(family, sku, price)                                                                  \
	"{\"family\": \"" family "\", \"sku\": \"" sku                                             \
	"\", \"item\": \"disk\", \"unit\": \"month\", \"price\": " price "}"

static const char limits[] =
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "
	"\"source\": \"test\", \"disks\": [" DISK("first", "A", "64") ", " DISK(
		"second", "B", "64") ", " DISK("third", "C", "1024") "], \"vms\": []}";
static const char prices[] =
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "
	"\"source\": \"test\", \"trust\": \"published\", \"rows\": [" PRICE("first", "A",
		"10") ", " PRICE("second", "B", "4") ", " PRICE("third", "C", "100") "]}";

#define W(sla, volumes)                                                                            \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"currency\": \"USD\", \"headroom\": 0, "     \
	"\"sla\": {" sla "}, \"volumes\": [" volumes "]}"
#define WAL "{\"role\": \"wal\", \"capacity_gib\": 10, \"write_iops\": 10, \"io_kib\": 4}"
#define DATA                                                                                       \
	"{\"role\": \"data\", \"capacity_gib\": 10, \"read_iops\": 10, \"write_iops\": 10, "       \
	"\"io_kib\": 4}"

/* One profile a tier: reads, writes and commits of one disk. */
struct setting {
	struct scene s;
	struct profile profiles[3];
	struct disk_model disks[3];
	struct advise_model models[3];
	size_t n;
};

static void
add_profile(struct setting *t, const char *family, const char *trust, double p99_us)
{
	char text[1024], path[64];
	snprintf(text, sizeof(text),
		"{\"schema\": \"tierwise/profile/1\", \"name\": \"of %s\", \"device\": \"cloud\", "
		"\"family\": \"%s\", \"trust\": \"%s\", \"source\": \"test\", \"as_of\": "
		"\"2026-01-01\", \"cells\": [{\"op\": \"randread\", \"bs_b\": 4096, \"qd\": 1, "
		"\"mean_us\": 500, \"p99_us\": %g}, {\"op\": \"randwrite\", \"bs_b\": 4096, "
		"\"qd\": 1, \"mean_us\": 500, \"p99_us\": %g}], \"syncs\": [{\"mode\": \"fsync\", "
		"\"bs_b\": 4096, \"writers\": 1, \"mean_us\": 500, \"p99_us\": %g}]}",
		family, family, trust, p99_us, p99_us, p99_us);
	put_text(text, path);
	int rc = profile_load(path, &t->s.arena, &t->profiles[t->n], NULL, &t->s.err);
	unlink(path);
	if (rc || disk_model_fit(
			  &t->profiles[t->n], "", NULL, &t->s.arena, &t->disks[t->n], &t->s.err))
		fail_msg("%s", t->s.err.text);
	t->models[t->n] = (struct advise_model){.model = &t->disks[t->n]};
	t->n++;
	t->s.in.models = t->models;
	t->s.in.n_models = t->n;
}

static void
begin(struct setting *t, const char *workload)
{
	memset(t, 0, sizeof(*t));
	scene_init(&t->s, workload, limits, prices);
}

static const struct plan_sla *
promise_of(const struct plan *p, const char *what)
{
	for (size_t i = 0; i < p->n_sla; i++) {
		if (strcmp(p->sla[i].what, what) == 0)
			return &p->sla[i];
	}
	fail_msg("no promise %s", what);
	return NULL;
}

/* Solve with loose limits, and return what is predicted. */
static double
predicted(struct setting *t, const char *what)
{
	assert_int_equal(scene_solve(&t->s), 0);
	return promise_of(&t->s.plan, what)->predicted;
}

/* A limit at the upper end of the model's own 95 % interval is kept with 97.5 %; at the lower, 2.5 % (and
 * then it is predicted to break: the tier is left for the other, which is measured too). */
static void
test_limit_at_the_end_of_the_interval(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 100", WAL));
	add_profile(&t, "second", "measured", 1000);
	struct estimate e;
	assert_int_equal(disk_sync_latency(&t.disks[0], 4096, MODEL_P99, &e, NULL), 0);
	t.s.workload.sla->commit_p99_ms = e.hi / 1000;
	assert_int_equal(scene_solve(&t.s), 0);
	const struct plan_sla *s = promise_of(&t.s.plan, "commit p99");
	assert_true(near_to(s->probability, 0.975, 1e-6));
	assert_true(near_to(s->hi, e.hi / 1000, 1e-6) && near_to(s->lo, e.lo / 1000, 1e-6));
	const struct plan_confidence *c = t.s.plan.confidence;
	assert_true(near_to(c->probability_hi, 0.975, 1e-6));
	assert_true(near_to(c->probability_lo, 0.975, 1e-6));
	assert_string_equal(c->word, "high"); /* 97.5 % >= 95 %, measured */
	scene_fini(&t.s);
}

/* One sigma above the value: 84.1345 %.  sigma by pedigree: 0.17 published, 0.29 assumed. */
static void
test_pedigree_widens(void **state)
{
	(void)state;
	static const struct {
		const char *trust, *word;
		double sigma;
	} rows[] = {{"published", "medium", 0.17}, {"assumed", "low", 0.29}};
	for (size_t i = 0; i < 2; i++) {
		struct setting t;
		begin(&t, W("\"commit_p99_ms\": 100", WAL));
		add_profile(&t, "second", rows[i].trust, 1000);
		double value = predicted(&t, "commit p99");
		t.s.workload.sla->commit_p99_ms = value * exp(rows[i].sigma);
		assert_int_equal(scene_solve(&t.s), 0);
		assert_true(near_to(t.s.plan.confidence->probability_hi, 0.841345, 1e-5));
		assert_string_equal(t.s.plan.confidence->word, rows[i].word);
		/* two sigma and a bit: 1.96 */
		const struct plan_sla *s = promise_of(&t.s.plan, "commit p99");
		assert_true(near_to(s->hi, value * exp(1.959964 * rows[i].sigma), 1e-5));
		scene_fini(&t.s);
	}
}

/*
 * Two promises, at 1 and 0.5 sigma: on one disk the tighter one decides, 0.691462; on two disks they are
 * independent, 0.841345 x 0.691462 = 0.581758.
 */
static void
test_one_disk_is_one_error(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 100, \"read_p99_ms\": 100", DATA));
	add_profile(&t, "second", "assumed", 1000);
	double commit = predicted(&t, "commit p99"),
	       read = promise_of(&t.s.plan, "read p99")->predicted;
	t.s.workload.sla->commit_p99_ms = commit * exp(0.29);
	t.s.workload.sla->read_p99_ms = read * exp(0.5 * 0.29);
	assert_int_equal(scene_solve(&t.s), 0);
	assert_true(near_to(promise_of(&t.s.plan, "commit p99")->probability, 0.841345, 1e-5));
	assert_true(near_to(promise_of(&t.s.plan, "read p99")->probability, 0.691462, 1e-5));
	assert_true(near_to(t.s.plan.confidence->probability_hi, 0.691462, 1e-5));
	scene_fini(&t.s);
}

static void
test_two_disks_are_two_errors(void **state)
{
	(void)state;
	struct setting t;
	/* A does 1 ms, B 10 ms: the log needs A, the data may live on B */
	begin(&t, W("\"commit_p99_ms\": 2, \"read_p99_ms\": 100", WAL ", " DATA));
	add_profile(&t, "first", "assumed", 1000);
	add_profile(&t, "second", "assumed", 10000);
	double commit = predicted(&t, "commit p99"),
	       read = promise_of(&t.s.plan, "read p99")->predicted;
	assert_string_equal(volume_of(&t.s.plan, "wal")->chosen->sku, "A");
	assert_string_equal(volume_of(&t.s.plan, "data")->chosen->sku, "B");
	t.s.workload.sla->commit_p99_ms = commit * exp(0.29);
	t.s.workload.sla->read_p99_ms = read * exp(0.5 * 0.29);
	assert_int_equal(scene_solve(&t.s), 0);
	assert_string_equal(volume_of(&t.s.plan, "data")->chosen->sku, "B");
	/* 1,000 draws of one error: standard deviation 0.84 x 0.46 / sqrt(1000) = 0.012 at most */
	assert_true(near_to(t.s.plan.confidence->probability_hi, 0.581758, 0.02));
	assert_true(near_to(promise_of(&t.s.plan, "commit p99")->probability, 0.841345, 1e-5));
	scene_fini(&t.s);
}

/* A second data volume too large for A and B: eight of them hold 512 GiB. */
#define LARGE                                                                                      \
	"{\"role\": \"index\", \"capacity_gib\": 900, \"read_iops\": 10, \"write_iops\": 10, "     \
	"\"io_kib\": 4}"

/* Three disks, each one sigma from its limit, the slower of two of them decides the reads:
 * 0.841345^3 = 0.595536. */
static void
test_three_disks(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 2, \"read_p99_ms\": 100", WAL ", " DATA ", " LARGE));
	add_profile(&t, "first", "assumed", 1000);
	add_profile(&t, "second", "assumed", 10000);
	add_profile(&t, "third", "assumed", 10000);
	double commit = predicted(&t, "commit p99"),
	       read = promise_of(&t.s.plan, "read p99")->predicted;
	assert_string_equal(volume_of(&t.s.plan, "wal")->chosen->sku, "A");
	assert_string_equal(volume_of(&t.s.plan, "data")->chosen->sku, "B");
	assert_string_equal(volume_of(&t.s.plan, "index")->chosen->sku, "C");
	assert_true(near_to(volume_of(&t.s.plan, "data")->chosen->read_p99_ms, read, 1e-6 * read));
	t.s.workload.sla->commit_p99_ms = commit * exp(0.29);
	t.s.workload.sla->read_p99_ms = read * exp(0.29);
	assert_int_equal(scene_solve(&t.s), 0);
	double p = t.s.plan.confidence->probability_hi;
	/* the draws, and the grid between its points where two disks are equally slow */
	if (!near_to(p, 0.595536, 0.015))
		fail_msg("%g", p);
	scene_fini(&t.s);
}

/* A promise without a figure makes an interval; it is neither 0 nor 1. */
static void
test_unknown_is_an_interval(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 100, \"rpo_ms\": 100", WAL));
	add_profile(&t, "second", "assumed", 1000);
	t.s.workload.sla->commit_p99_ms = predicted(&t, "commit p99") * exp(0.29);
	assert_int_equal(scene_solve(&t.s), 0);
	const struct plan_confidence *c = t.s.plan.confidence;
	assert_true(isnan(promise_of(&t.s.plan, "recovery point")->probability));
	assert_true(near_to(c->probability_lo, 0, 0) && near_to(c->probability_hi, 0.841345, 1e-5));
	assert_true(near_to(c->promises, 2, 0) && near_to(c->predicted, 1, 0));
	scene_fini(&t.s);
}

/*
 * The plan is on A for 10, measured; B costs 4 and is assumed above the limit of 1 ms.  What is measured has
 * variance 1 - (0.03 / 0.29)^2 = 0.98930, so B is chosen with the normal distribution at
 * (ln(1 / 1.03) / 0.29) / sqrt(0.98930) = -0.102477: 0.459189, or, 20 % above, -0.632086: 0.263665.
 * Expected saving 6 x 0.459189 = 2.75513, 6 x 0.263665 = 1.58198.
 */
static void
test_measuring_the_cheaper_one(void **state)
{
	(void)state;
	static const struct {
		double p99_us, frac, saving;
		const char *percent;
	} rows[] = {{1030, 0.459189, 2.75513, "46 %"}, {1200, 0.263665, 1.58198, "26 %"}};
	for (size_t i = 0; i < 2; i++) {
		struct setting t;
		char want[256];
		begin(&t, W("\"commit_p99_ms\": 1", WAL));
		add_profile(&t, "first", "measured", 600);
		add_profile(&t, "second", "assumed", rows[i].p99_us);
		assert_int_equal(scene_solve(&t.s), 0);
		assert_string_equal(volume_of(&t.s.plan, "wal")->chosen->sku, "A");
		assert_int_equal(t.s.plan.n_measurements, 1);
		const struct plan_measurement *m = &t.s.plan.measurements[0];
		assert_string_equal(m->sku, "B");
		assert_true(near_to(m->cheaper_frac, rows[i].frac, 1e-4));
		assert_true(near_to(m->change_frac, m->cheaper_frac, 1e-12));
		assert_true(near_to(m->saving, 6, 1e-9));
		assert_true(near_to(m->expected_saving, rows[i].saving, 1e-3));
		assert_true(isnan(m->too_slow_frac)); /* no part of the plan */
		snprintf(want, sizeof(want),
			"measure second first (its latency is assumed): in %s of outcomes it is "
			"fast "
			"enough for wal, and the plan costs USD 4.00 a month, USD 6.00 less",
			rows[i].percent);
		assert_non_null(strstr(m->text, want));
		assert_true(any_text_has(t.s.plan.changes, t.s.plan.n_changes, want));
		scene_fini(&t.s);
	}
}

/*
 * The plan's own disk is assumed, one sigma below the limit: it is too slow with 1 - N(1 / sqrt(0.98930))
 * = 1 - N(1.005394) = 0.157354, and nothing is cheaper.  Measured, the promise holds with N(1 ...) of the
 * outcomes that stand: P(t <= 1 | m <= 1), above P(t <= 1) = 0.841 and near 1.
 */
static void
test_measuring_the_chosen_one(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 100", WAL));
	add_profile(&t, "second", "assumed", 1000);
	t.s.workload.sla->commit_p99_ms = predicted(&t, "commit p99") * exp(0.29);
	assert_int_equal(scene_solve(&t.s), 0);
	assert_int_equal(t.s.plan.n_measurements, 1);
	const struct plan_measurement *m = &t.s.plan.measurements[0];
	assert_true(near_to(m->too_slow_frac, 0.157354, 1e-4));
	assert_true(near_to(m->change_frac, 0.157354, 1e-4));
	assert_true(near_to(m->probability_now, 0.841345, 1e-5));
	/* avoided + kept and broken = 1 - 0.841345: most of it is avoided */
	double broken = (1 - m->too_slow_frac) * (1 - m->probability_after) + m->avoided_frac;
	assert_true(near_to(broken, 1 - 0.841345, 5e-3));
	assert_true(m->probability_after > 0.97 && m->probability_after < 1);
	scene_fini(&t.s);
}

/* A latency without any figure has no share; the plan is UNKNOWN and says what to measure. */
static void
test_no_figure_no_share(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, W("\"commit_p99_ms\": 1", WAL));
	add_profile(&t, "first", "measured", 600);
	assert_int_equal(scene_solve(&t.s), 0);
	const struct plan_measurement *m = &t.s.plan.measurements[0];
	assert_int_equal(t.s.plan.n_measurements, 1);
	assert_string_equal(m->sku, "B");
	assert_string_equal(m->trust, "unknown");
	assert_true(isnan(m->change_frac) && isnan(m->cheaper_frac) && isnan(m->expected_saving));
	assert_true(near_to(m->saving, 6, 1e-9));
	assert_non_null(strstr(m->text, "how likely that is nothing tells"));
	scene_fini(&t.s);
}

#define TX                                                                                         \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"postgresql\", \"currency\": \"USD\", \"headroom\": 0, "  \
	"\"transactions\": {\"target_tps\": 200, \"clients\": 20, \"cpu_ms_per_tx\": 1, "          \
	"\"page_reads_per_tx\": 4, \"page_writes_per_tx\": 2, \"wal_kib_per_tx\": 4, "             \
	"\"utilisation\": 0.5}, \"sla\": {\"tx_p99_ms\": 60, \"commit_p99_ms\": 2}, "              \
	"\"volumes\": [{\"role\": \"wal\", \"capacity_gib\": 10}, {\"role\": \"data\", "           \
	"\"capacity_gib\": 10, \"io_kib\": 8}]}"

enum { DRAWS = 3000 };

/* Both promises at once, asked of the database itself at each draw, without a grid and without crossings. */
static double
by_brute_force(struct chooser *c, const struct choice *choice, double tx_ms, double commit_ms)
{
	struct rng rng;
	size_t kept = 0;
	rng_seed(&rng, 12345);
	for (size_t i = 0; i < DRAWS; i++) {
		double z[2] = {rng_normal(&rng), rng_normal(&rng)};
		struct tx_answer r;
		assert_int_equal(chooser_tx_off(c, choice->option, choice->at, z, &r, NULL), 0);
		kept += r.tx_p99_ms.value <= tx_ms && r.commit_p99_ms.value <= commit_ms &&
			r.max_tps >= 200;
	}
	return (double)kept / DRAWS;
}

/* Two disks, two promises that share one of them: the grid against every draw. */
static void
test_grid_against_draws(void **state)
{
	(void)state;
	struct setting t;
	begin(&t, TX);
	add_profile(&t, "first", "published", 1000);
	add_profile(&t, "second", "assumed", 10000);
	struct findings findings;
	struct chooser c;
	struct choice choice;
	struct plan plan;
	struct choose_filter filter = {.relaxed = 0};
	findings_init(&findings, &t.s.arena);
	assert_int_equal(chooser_init(&c, &t.s.in, &t.s.arena, &findings, &t.s.err), 0);
	assert_int_equal(chooser_solve(&c, &filter, &choice, &t.s.err), 0);
	assert_true(choice.found);
	assert_string_equal(choice.at[0]->disk->sku, "A");
	assert_string_equal(choice.at[1]->disk->sku, "B");
	struct tx_answer r;
	assert_int_equal(chooser_tx(&c, choice.option, choice.at, NULL, &r, NULL), 0);
	struct build b = {.c = &c, .arena = &t.s.arena, .plan = &plan, .choice = choice};
	/* limits half a sigma to one sigma away: both promises are in doubt */
	static const double away[][2] = {{1.15, 1.15}, {1.3, 1.1}, {1.02, 1.4}, {0.95, 1.05}};
	for (size_t i = 0; i < sizeof(away) / sizeof(away[0]); i++) {
		double tx = r.tx_p99_ms.value * away[i][0];
		double commit = r.commit_p99_ms.value * away[i][1];
		struct chance ch;
		t.s.workload.sla->tx_p99_ms = tx;
		t.s.workload.sla->commit_p99_ms = commit;
		assert_int_equal(chance_of(&b, &choice, &ch, &t.s.err), 0);
		assert_int_equal(ch.n_axes, 2);
		double got = chance_holds(&ch, ch.known);
		double want = by_brute_force(&c, &choice, tx, commit);
		/* 3 standard deviations of the draws, 0.5 / sqrt(3000) = 0.009, and the grid's */
		if (fabs(got - want) > 0.03)
			fail_msg("limits x%g x%g: %g, by draws %g", away[i][0], away[i][1], got,
				want);
		assert_true(want > 0.2 && want < 0.95);
	}
	scene_fini(&t.s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit_at_the_end_of_the_interval),
		cmocka_unit_test(test_pedigree_widens),
		cmocka_unit_test(test_one_disk_is_one_error),
		cmocka_unit_test(test_two_disks_are_two_errors),
		cmocka_unit_test(test_three_disks),
		cmocka_unit_test(test_unknown_is_an_interval),
		cmocka_unit_test(test_measuring_the_cheaper_one),
		cmocka_unit_test(test_measuring_the_chosen_one),
		cmocka_unit_test(test_no_figure_no_share),
		cmocka_unit_test(test_grid_against_draws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
