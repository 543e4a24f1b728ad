/*
 * The joint choice on the shipped data, with the database model in the loop, against enumeration:
 * random small subsets of the real candidates, seeded.  This also tests that dropping dominated
 * candidates is safe, i.e. that the prediction never gets worse when a latency gets better.
 */
#include "case.h"

#include <glob.h>

#include "advise/choose.h"
#include "advise/policy.h"
#include "base/rng.h"

enum { PER_VOLUME = 5, CASES = 100, MOST_MODELS = 32 };

static struct arena shared;
static struct workload payments;
static struct engine engine;
static struct limits azure;
static struct price_book book;
static struct disk_model models[MOST_MODELS];
static struct advise_model speaking[MOST_MODELS];
static size_t n_models;

static const char *
source(const char *relative)
{
	const char *root = getenv("TIERWISE_SOURCE");
	return arena_printf(&shared, "%s/%s", root ? root : ".", relative);
}

static int
setup(void **state)
{
	(void)state;
	struct err err = {0};
	glob_t found;
	arena_init(&shared, 0);
	if (workload_load(source("rules/examples/payments.json"), &shared, &payments, NULL, &err) ||
		limits_load(source("pricing/limits-azure.json"), &shared, &azure, NULL, &err) ||
		price_book_load(
			source("pricing/azure-westeurope.json"), &shared, &book, NULL, &err))
		fail_msg("%s", err.text);
	load_engine(&payments, &shared, &engine);
	assert_int_equal(glob(source("models/azure-*.json"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc && n_models < MOST_MODELS; i++) {
		struct profile p;
		if (profile_load(found.gl_pathv[i], &shared, &p, NULL, &err) || !p.family)
			continue;
		if (disk_model_fit(&p, "", &azure, &shared, &models[n_models], &err) == 0) {
			speaking[n_models] = (struct advise_model){.model = &models[n_models]};
			n_models++;
		}
	}
	globfree(&found);
	return n_models > 3 ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&shared);
	return 0;
}

/* Keep a few random candidates of each volume on each machine. */
static void
thin_out(struct chooser *c, struct rng *r)
{
	for (size_t o = 0; o < c->n_options; o++) {
		for (size_t v = 0; v < c->set.n; v++) {
			struct candidate_list *l = &c->options[o].lists[v];
			size_t keep = l->n < PER_VOLUME ? l->n : PER_VOLUME;
			for (size_t i = 0; i < keep; i++) {
				size_t k = i + rng_below(r, l->n - i);
				struct candidate t = l->items[i];
				l->items[i] = l->items[k];
				l->items[k] = t;
			}
			l->n = keep;
		}
	}
}

struct best {
	bool found;
	double monthly, penalty;
};

static void
consider(struct chooser *c, size_t o, const size_t *pick, struct best *best)
{
	const struct candidate *at[SEARCH_MAX_VOLUMES] = {NULL};
	double cost = c->options[o].monthly * c->machines, penalty = 0;
	for (size_t v = 0; v < c->set.n; v++) {
		at[v] = &c->options[o].lists[v].items[pick[v]];
		if (at[v]->broken)
			return;
		cost += at[v]->monthly * c->machines;
		penalty += at[v]->penalty + 1e-3 * at[v]->disks;
	}
	if (best->found && cost > best->monthly + 1e-9)
		return;
	if (chooser_check(c, o, at, 0).broken)
		return;
	if (!best->found || cost < best->monthly - 1e-9 || penalty < best->penalty)
		*best = (struct best){true, cost, penalty};
}

static struct best
enumerate(struct chooser *c)
{
	struct best best = {false, (double)INFINITY, (double)INFINITY};
	for (size_t o = 0; o < c->n_options; o++) {
		size_t pick[SEARCH_MAX_VOLUMES] = {0}, v = 0;
		while (v < c->set.n) {
			consider(c, o, pick, &best);
			for (v = 0; v < c->set.n; v++) {
				if (++pick[v] < c->options[o].lists[v].n)
					break;
				pick[v] = 0;
			}
		}
	}
	return best;
}

/* What the search found by the figures at the target rate the curves confirm, and what they refuse it
 * does not find: at that rate both are the same disks under the same load. */
static void
agree(struct chooser *c, const struct choice *choice, const struct workload_sla *sla)
{
	struct tx_answer r;
	struct err err = {0};
	if (chooser_tx(c, choice->option, choice->at, NULL, &r, &err))
		fail_msg("%s", err.text);
	unsigned rate = CONSTRAINT_BIT(CONSTRAINT_TPS);
	struct breach by_curves = constraint_tx_check(
		sla, c->set.tx.target_tps, &r, rate, c->arena);
	struct breach by_figures = chooser_tx_breach(c, choice->option, choice->at, rate);
	if (by_curves.broken != by_figures.broken)
		fail_msg("by curves: %s; by figures: %s",
			by_curves.text ? by_curves.text : "keeps all",
			by_figures.text ? by_figures.text : "keeps all");
}

static void
test_equals_enumeration(void **state)
{
	(void)state;
	static const double commit[] = {2, 5, 20, 100}, tx[] = {8, 12, 30, 300};
	struct rng r;
	rng_seed(&r, 42);
	size_t fits = 0;
	for (size_t i = 0; i < CASES; i++) {
		struct arena a;
		struct findings findings;
		struct chooser c;
		struct err err = {0};
		struct workload w = payments;
		struct workload_sla sla = *payments.sla;
		sla.commit_p99_ms = commit[rng_below(&r, 4)];
		sla.tx_p99_ms = tx[rng_below(&r, 4)];
		w.sla = &sla;
		struct workload_volume volumes[SEARCH_MAX_VOLUMES];
		for (size_t v = 0; v < w.n_volumes; v++) {
			volumes[v] = payments.volumes[v];
			/* a host cache that answers reads, in every third case */
			if (i % 3 == 0 && volumes[v].role == WORKLOAD_DATA)
				volumes[v].cache_hit_frac = 0.8;
		}
		w.volumes = volumes;
		struct advise_input in = {.workload = &w,
			.engine = &engine,
			.book = &book,
			.limits = &azure,
			.models = speaking,
			.n_models = n_models,
			.price_age_days = 1};
		arena_init(&a, 0);
		findings_init(&findings, &a);
		if (chooser_init(&c, &in, &a, &findings, &err))
			fail_msg("%s", err.text);
		thin_out(&c, &r);
		struct choose_filter filter = {.relaxed = 0};
		struct choice got;
		assert_int_equal(chooser_solve(&c, &filter, &got, &err), 0);
		struct best want = enumerate(&c);
		if (got.found != want.found ||
			(got.found && !near_to(got.monthly, want.monthly, 1e-6)))
			fail_msg("case %zu: %d at %.4f, enumeration %d at %.4f", i, got.found,
				got.monthly, want.found, want.monthly);
		fits += got.found;
		if (got.found)
			agree(&c, &got, &sla);
		arena_fini(&a);
	}
	/* both answers must be common for this to mean anything */
	print_message("%zu of %d cases fit\n", fits, CASES);
	assert_true(fits > CASES / 10 && fits < CASES);
}

/* The lists as they were before anything was dropped. */
static void
make_all_again(struct chooser *c)
{
	struct err err = {0};
	struct rule_context ctx = {0};
	assert_int_equal(rule_context_init(&ctx, c->arena, &err), 0);
	for (size_t o = 0; o < c->n_options; o++) {
		for (size_t v = 0; v < c->set.n; v++) {
			const struct candidate_site *site = &c->options[o].sites[v];
			struct candidate_list *l = &c->options[o].lists[v];
			size_t made = l->made, kept = l->n;
			assert_int_equal(candidate_generate(site, l, &err), 0);
			assert_int_equal(l->n, made);
			assert_true(kept < made);
			policy_facts(site, NULL, NULL, &ctx);
			for (size_t i = 0; i < l->n; i++)
				constraint_check_all(site, &l->items[i], &ctx);
		}
	}
}

/* Nothing that was dropped would have been found: under every relaxation, and as second best. */
static void
test_what_is_dropped_is_not_missed(void **state)
{
	(void)state;
	struct arena a;
	struct findings findings;
	struct err err = {0};
	struct advise_input in = {.workload = &payments,
		.engine = &engine,
		.book = &book,
		.limits = &azure,
		.models = speaking,
		.n_models = n_models,
		.price_age_days = 1};
	arena_init(&a, 0);
	findings_init(&findings, &a);
	struct chooser dropped, all;
	assert_int_equal(chooser_init(&dropped, &in, &a, &findings, &err), 0);
	assert_int_equal(chooser_init(&all, &in, &a, &findings, &err), 0);
	make_all_again(&all);
	struct choose_filter filters[CONSTRAINT_COUNT + 6] = {{.relaxed = 0}};
	size_t n = 0;
	for (int id = 0; id < (int)CONSTRAINT_COUNT; id++)
		filters[n++].relaxed = CONSTRAINT_BIT(id);
	filters[n++].optimistic = true;
	filters[n++].trusting = true;
	filters[n++].family = "premium_ssd";
	filters[n++].family = "standard_ssd";
	for (size_t v = 0; v < 2; v++) {
		struct choice best;
		struct choose_filter none = {.relaxed = 0};
		assert_int_equal(chooser_solve(&all, &none, &best, &err), 0);
		filters[n].not_volume = v;
		filters[n].not_sku = best.at[v]->disk->sku;
		filters[n++].not_disks = best.at[v]->disks;
	}
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		struct choice x, y;
		assert_int_equal(chooser_solve(&dropped, &filters[i], &x, &err), 0);
		assert_int_equal(chooser_solve(&all, &filters[i], &y, &err), 0);
		assert_int_equal(x.found, y.found);
		if (x.found && !near_to(x.monthly, y.monthly, 1e-6))
			fail_msg("filter %zu: %.4f, %.4f of all", i, x.monthly, y.monthly);
		found += x.found;
	}
	assert_true(found > 10);
	arena_fini(&a);
}

/* Every candidate on its own merits: relaxing promises never costs more. */
static void
test_relaxing_a_promise_never_costs_more(void **state)
{
	(void)state;
	double before = (double)INFINITY;
	static const double commit[] = {0.45, 1, 2, 5, 20, 100};
	for (size_t i = 0; i < sizeof(commit) / sizeof(commit[0]); i++) {
		struct arena a;
		struct plan plan;
		struct err err = {0};
		struct workload w = payments;
		struct workload_sla sla = *payments.sla;
		sla.commit_p99_ms = commit[i];
		w.sla = &sla;
		struct advise_input in = {.workload = &w,
			.engine = &engine,
			.book = &book,
			.limits = &azure,
			.models = speaking,
			.n_models = n_models,
			.price_age_days = 1};
		arena_init(&a, 0);
		int rc = advise_plan(&in, &a, &plan, &err);
		double cost = rc == 0 ? plan.cost->monthly : (double)INFINITY;
		assert_true(cost <= before);
		before = cost;
		/* and what is said of every cheaper size is a constraint it really breaks */
		for (size_t v = 0; rc == 0 && v < plan.n_volumes; v++) {
			for (size_t k = 0; k < plan.volumes[v].n_rejected; k++)
				assert_string_not_equal(
					plan.volumes[v].rejected[k].constraint, "none");
		}
		arena_fini(&a);
	}
	assert_true(isfinite(before));
}

static struct tx_answer
answer_of(const struct engine *e, struct arena *a, double *flush_ms, double *gain)
{
	struct findings findings;
	struct chooser c;
	struct choice choice;
	struct tx_answer r;
	struct err err = {0};
	struct choose_filter filter = {.relaxed = 0};
	struct advise_input in = {.workload = &payments,
		.engine = e,
		.book = &book,
		.limits = &azure,
		.models = speaking,
		.n_models = n_models,
		.price_age_days = 1};
	findings_init(&findings, a);
	if (chooser_init(&c, &in, a, &findings, &err) ||
		chooser_solve(&c, &filter, &choice, &err) ||
		chooser_tx(&c, choice.option, choice.at, NULL, &r, &err))
		fail_msg("%s", err.text);
	assert_true(choice.found);
	for (size_t v = 0; v < c.set.n; v++) {
		if (c.set.volumes[v].volume->role == WORKLOAD_WAL)
			*flush_ms = choice.at[v]->latency.commit_mean.value / 1000;
	}
	*gain = chooser_delay_gain(&c, choice.option, choice.at, 500 * *flush_ms);
	return r;
}

/*
 * The log is flushed once for the commits that share a flush: at 2 commits a ms, at random, one flush of f
 * ms begins every f + e^(-2 f) / 2 ms.  Asynchronous commits wait for none: a background writer flushes once
 * in the loss window, whatever the rate.
 */
static void
test_flush_rate(void **state)
{
	(void)state;
	struct arena a;
	struct engine off = engine;
	double f, gain;
	arena_init(&a, 0);
	struct tx_answer r = answer_of(&engine, &a, &f, &gain);
	assert_true(near_to(r.flushes_per_s, 1000 / (f + exp(-2 * f) / 2), 1e-6));
	assert_true(r.flushes_per_s < 2000);
	assert_true(!isnan(gain));
	off.commit = ENGINE_COMMIT_PERIODIC;
	off.loss_window_ms = 600;
	r = answer_of(&off, &a, &f, &gain);
	assert_true(near_to(r.flushes_per_s, 1000.0 / 600, 1e-6));
	assert_true(isnan(gain)); /* no commit waits, so no delay helps */
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_enumeration),
		cmocka_unit_test(test_flush_rate),
		cmocka_unit_test(test_what_is_dropped_is_not_missed),
		cmocka_unit_test(test_relaxing_a_promise_never_costs_more),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
