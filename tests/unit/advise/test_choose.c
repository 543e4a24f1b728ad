/*
 * The joint choice on the shipped data, with the database model in the loop, against enumeration:
 * random small subsets of the real candidates, seeded.  This also tests that dropping dominated
 * candidates is safe, i.e. that the prediction never gets worse when a latency gets better.
 */
#include "case.h"

#include <glob.h>

#include "advise/choose.h"
#include "advise/policy.h"
#include "advise/spread.h"
#include "base/rng.h"

enum { PER_VOLUME = 4, VARIANTS = 20, SUBSETS = 30, CASES = VARIANTS * SUBSETS, MOST_MODELS = 32 };

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

/* Keep a few random candidates of each volume on each machine; `full` of them are there. */
static void
thin_out(struct chooser *c, const size_t *full, struct rng *r)
{
	for (size_t o = 0; o < c->n_options; o++) {
		for (size_t v = 0; v < c->set.n; v++) {
			struct candidate_list *l = &c->options[o].lists[v];
			size_t n = full[o * c->set.n + v], keep = n < PER_VOLUME ? n : PER_VOLUME;
			for (size_t i = 0; i < keep; i++) {
				size_t k = i + rng_below(r, n - i);
				struct candidate t = l->items[i];
				l->items[i] = l->items[k];
				l->items[k] = t;
			}
			l->n = keep;
		}
	}
}

static size_t *
full_sizes(const struct chooser *c, struct arena *a)
{
	size_t *full = arena_array(a, c->n_options * c->set.n, sizeof(*full));
	assert_non_null(full);
	for (size_t o = 0; o < c->n_options; o++) {
		for (size_t v = 0; v < c->set.n; v++)
			full[o * c->set.n + v] = c->options[o].lists[v].n;
	}
	return full;
}

struct best {
	bool found;
	double monthly, penalty;
};

/* As a filter counts a latency: trusting, only unknown ones pass; optimistic, known ones at their good end. */
static void
count(struct estimate *e, const struct disk_model *m, const struct choose_filter *f)
{
	bool known = !isnan(e->value);
	if (known && f->optimistic)
		e->value = m ? spread_good_end(e, m->trust) : e->lo;
	if (!known && (f->optimistic || f->trusting))
		e->value = 0.001;
}

static struct candidate
as_counted(const struct candidate *k, const struct choose_filter *f)
{
	struct candidate c = *k;
	count(&c.latency.commit_mean, k->latency.model, f);
	count(&c.latency.commit_p99, k->latency.model, f);
	count(&c.latency.tx_read_mean, k->latency.model, f);
	count(&c.latency.tx_read_p99, k->latency.model, f);
	c.broken &= ~(f->optimistic ? k->unknown : f->trusting ? k->unmeasured : 0);
	return c;
}

static void
consider(struct chooser *c, const struct choose_filter *f, size_t o, const size_t *pick,
	struct best *best)
{
	static struct candidate counted[SEARCH_MAX_VOLUMES];
	const struct candidate *at[SEARCH_MAX_VOLUMES] = {NULL};
	double cost = c->options[o].monthly * c->machines, penalty = 0;
	for (size_t v = 0; v < c->set.n; v++) {
		const struct candidate *k = &c->options[o].lists[v].items[pick[v]];
		counted[v] = as_counted(k, f);
		at[v] = &counted[v];
		if (at[v]->broken)
			return;
		cost += k->monthly * c->machines;
		penalty += k->penalty + 1e-3 * k->disks;
	}
	if (best->found && (cost > best->monthly + 1e-9 ||
				   (cost > best->monthly - 1e-9 && penalty >= best->penalty)))
		return;
	if (!chooser_check(c, o, at, 0).broken)
		*best = (struct best){true, cost, penalty};
}

static struct best
enumerate(struct chooser *c, const struct choose_filter *f)
{
	struct best best = {false, (double)INFINITY, (double)INFINITY};
	for (size_t o = 0; o < c->n_options; o++) {
		size_t pick[SEARCH_MAX_VOLUMES] = {0}, v = 0;
		while (v < c->set.n) {
			consider(c, f, o, pick, &best);
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

/* The payments workload with other promises, and more of what a search may meet. */
struct trial {
	struct workload w;
	struct workload_sla sla;
	struct workload_volume volumes[SEARCH_MAX_VOLUMES];
	struct workload_transactions transactions;
	struct workload_standbys standbys;
	struct advise_model models[MOST_MODELS];
	struct advise_input in;
};

static void
vary(struct trial *t, size_t i, struct rng *r)
{
	static const double commit[] = {2, 5, 20, 100}, tx[] = {8, 12, 30, 300},
			    lag[] = {2, 20, 200};
	*t = (struct trial){
		.w = payments, .sla = *payments.sla, .transactions = *payments.transactions};
	t->sla.commit_p99_ms = commit[rng_below(r, 4)];
	t->sla.tx_p99_ms = tx[rng_below(r, 4)];
	t->sla.rpo_ms = lag[rng_below(r, 3)];
	t->w.sla = &t->sla;
	for (size_t v = 0; v < payments.n_volumes; v++) {
		t->volumes[v] = payments.volumes[v];
		/* a host cache that answers reads, in every third case */
		if (i % 3 == 0 && t->volumes[v].role == WORKLOAD_DATA)
			t->volumes[v].cache_hit_frac = 0.8;
		/* a log whose writes were counted, so that it is not one writer after another */
		if (i % 7 == 3 && t->volumes[v].role == WORKLOAD_WAL) {
			t->volumes[v].read_iops = 0;
			t->volumes[v].write_iops = 900;
		}
		/* a volume that the transactions read too, in every other one, in place of the temporary one */
		if (i % 2 && t->volumes[v].role == WORKLOAD_TEMP) {
			t->volumes[v].role = WORKLOAD_INDEX;
			t->volumes[v].read_iops = 1500;
			t->volumes[v].write_iops = 300;
			t->volumes[v].io_kib = 8;
		}
	}
	t->w.volumes = t->volumes;
	if (i % 4 > 1) { /* standbys whose lag is a promise */
		t->standbys = (struct workload_standbys){.count = 2,
			.needed = (double)NAN,
			.rtt_ms = 1,
			.flush_ms = (double)NAN,
			.apply_tps = (double)NAN};
		t->transactions.standbys = &t->standbys;
	}
	t->w.transactions = &t->transactions;
	/* a tier of which no latency is known, in four of five */
	size_t n = 0, out = i % 5 ? rng_below(r, n_models) : n_models;
	for (size_t m = 0; m < n_models; m++) {
		if (m != out)
			t->models[n++] = speaking[m];
	}
	t->in = (struct advise_input){.workload = &t->w,
		.engine = &engine,
		.book = &book,
		.limits = &azure,
		.models = t->models,
		.n_models = n,
		.price_age_days = 1};
}

struct tally {
	size_t fits, by_filter[3];
};

static void
check_subset(struct chooser *c, const struct trial *t, size_t i, struct tally *tally)
{
	static const struct choose_filter filters[] = {
		{.relaxed = 0}, {.trusting = true}, {.optimistic = true}};
	const struct choose_filter *filter = &filters[i % 3];
	struct choice got = {.found = false};
	struct err err = {0};
	assert_int_equal(chooser_solve(c, filter, &got, &err), 0);
	struct best want = enumerate(c, filter);
	double penalty = 0;
	for (size_t v = 0; v < c->set.n && got.found; v++)
		penalty += got.at[v]->penalty + 1e-3 * got.at[v]->disks;
	if (got.found != want.found ||
		(got.found && (!near_to(got.monthly, want.monthly, 1e-6) ||
				      !near_to(penalty, want.penalty, 1e-6))))
		fail_msg("case %zu: %d at %.4f (%g), enumeration %d at %.4f (%g)", i, got.found,
			got.monthly, penalty, want.found, want.monthly, want.penalty);
	tally->fits += got.found;
	tally->by_filter[i % 3] += got.found;
	if (got.found && i % 3 == 0)
		agree(c, &got, &t->sla);
}

static void
test_equals_enumeration(void **state)
{
	(void)state;
	struct rng r;
	struct tally tally = {0};
	rng_seed(&r, 42);
	for (size_t i = 0; i < VARIANTS; i++) {
		struct arena a;
		struct findings findings;
		static struct chooser c;
		struct err err = {0};
		struct trial t;
		vary(&t, i, &r);
		arena_init(&a, 0);
		findings_init(&findings, &a);
		if (chooser_init(&c, &t.in, &a, &findings, &err))
			fail_msg("%s", err.text);
		size_t *full = full_sizes(&c, &a);
		for (size_t k = 0; k < SUBSETS; k++) {
			thin_out(&c, full, &r);
			check_subset(&c, &t, i * SUBSETS + k, &tally);
		}
		arena_fini(&a);
	}
	/* both answers must be common for this to mean anything */
	print_message("%zu of %d cases fit; %zu plain, %zu trusting, %zu optimistic\n", tally.fits,
		CASES, tally.by_filter[0], tally.by_filter[1], tally.by_filter[2]);
	assert_true(tally.fits > CASES / 10 && tally.fits < CASES - CASES / 10);
	for (size_t i = 0; i < 3; i++)
		assert_true(tally.by_filter[i] > CASES / 60);
}

/* The p99 of reads at the disks of c, were each of them to sustain `iops`. */
static double
read_p99_ms(const struct candidate_site *site, const struct candidate *c, double iops)
{
	struct disk_caps caps = {.iops = iops,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.stripe = c->disks,
		.strip_b = (double)NAN};
	const struct latency_ask ask = {c->disk, site->demand, &caps, site->commit_kib};
	struct latency l;
	latency_predict(latency_model(site->in, c->disk->family, c->disk->sku, "data"), &ask,
		site->arena, &l);
	return l.read_p99.value / 1000;
}

/*
 * A promised read p99 that the least rate for the demand breaks: among what is bought there is one that
 * keeps it, and two I/Os a second less on each disk do not.
 */
static void
test_rate_bought_for_latency_is_least(void **state)
{
	(void)state;
	static const double limits[] = {0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 2, 3};
	size_t bought = 0;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct arena a;
		struct findings findings;
		struct chooser c;
		struct err err = {0};
		struct workload w = payments;
		struct workload_sla sla = *payments.sla;
		sla.read_p99_ms = limits[i];
		w.sla = &sla;
		struct workload_vm vm = *payments.vm;
		vm.n_sizes = 1;
		w.vm = &vm;
		struct advise_input in = {.workload = &w,
			.engine = &engine,
			.book = &book,
			.limits = &azure,
			.models = speaking,
			.n_models = n_models,
			.price_age_days = 1};
		arena_init(&a, 0);
		findings_init(&findings, &a);
		assert_int_equal(chooser_init(&c, &in, &a, &findings, &err), 0);
		for (size_t v = 0; v < c.set.n; v++) {
			const struct candidate_site *site = &c.options[0].sites[v];
			struct candidate_list l;
			if (site->demand->volume->role != WORKLOAD_DATA)
				continue;
			assert_int_equal(candidate_generate(site, &l, &err), 0);
			for (size_t k = 0; k + 1 < l.n; k++) {
				const struct candidate *least = &l.items[k],
						       *kept = &l.items[k + 1];
				double before = least->latency.read_p99.value / 1000;
				/* made in this order: for the demand, for the latency, for the
				 * transactions */
				const struct candidate *prior = k ? &l.items[k - 1] : NULL;
				if (prior && prior->disk == least->disk &&
					prior->disks >= least->disks)
					continue;
				if (isnan(least->bought_iops) || !(before > limits[i]) ||
					least->disk != kept->disk || kept->disks > least->disks ||
					!(kept->bought_iops > least->bought_iops) ||
					least->iops * (1 - c.set.headroom) < least->units ||
					!(kept->latency.read_p99.value / 1000 <= limits[i]))
					continue;
				double each = kept->bought_iops;
				assert_true(
					read_p99_ms(site, kept, each) <= limits[i] * (1 + 1e-9));
				if (kept->latency.write_p99.value / 1000 <= limits[i])
					assert_true(read_p99_ms(site, kept, each - 2) > limits[i]);
				bought++;
			}
		}
		arena_fini(&a);
	}
	print_message("%zu rates bought for a latency\n", bought);
	assert_true(bought > 0);
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
		cmocka_unit_test(test_rate_bought_for_latency_is_least),
		cmocka_unit_test(test_what_is_dropped_is_not_missed),
		cmocka_unit_test(test_relaxing_a_promise_never_costs_more),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
