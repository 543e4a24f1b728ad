/*
 * The joint search against plain enumeration on seeded random cases, and its monotone properties.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "advise/search.h"
#include "base/rng.h"

enum { MOST_MACHINES = 3, MOST_VOLUMES = 4, MOST_ITEMS = 6, CASES = 800 };

struct bench {
	struct search_problem p;
	struct search_machine machines[MOST_MACHINES];
	struct search_volume volumes[MOST_MACHINES][MOST_VOLUMES];
	struct search_item items[MOST_MACHINES][MOST_VOLUMES][MOST_ITEMS];
	double sla; /* of the sum over qualities of the worst item: monotone, as a latency is */
};

static bool
joint(void *ctx, size_t machine, const double worst[SEARCH_QUALITIES])
{
	const struct bench *b = ctx;
	double sum = 0;
	(void)machine;
	for (size_t q = 0; q < SEARCH_QUALITIES; q++)
		sum += worst[q];
	return sum <= b->sla;
}

/* Whole numbers, so that ties and equal sums are common. */
static void
random_case(struct bench *b, struct rng *r)
{
	*b = (struct bench){0};
	b->p = (struct search_problem){.machines = b->machines,
		.n_machines = 1 + rng_below(r, MOST_MACHINES),
		.n_volumes = 1 + rng_below(r, MOST_VOLUMES),
		.joint = joint,
		.ctx = b};
	b->p.n_joint = rng_below(r, b->p.n_volumes + 1);
	b->sla = (double)(10 + rng_below(r, 20));
	for (size_t m = 0; m < b->p.n_machines; m++) {
		b->machines[m] = (struct search_machine){
			.cost = (double)rng_below(r, 20), .volumes = b->volumes[m]};
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			b->machines[m].cap[c] = rng_below(r, 3) ? (double)(5 + rng_below(r, 20))
								: (double)INFINITY;
		for (size_t v = 0; v < b->p.n_volumes; v++) {
			size_t n = rng_below(r, MOST_ITEMS + 1);
			b->volumes[m][v] = (struct search_volume){b->items[m][v], n};
			for (size_t i = 0; i < n; i++) {
				struct search_item *item = &b->items[m][v][i];
				item->cost = (double)rng_below(r, 15);
				item->penalty = (double)rng_below(r, 3);
				for (size_t c = 0; c < SEARCH_CAPS; c++)
					item->use[c] = (double)rng_below(r, 8);
				for (size_t q = 0; q < SEARCH_QUALITIES; q++)
					item->quality[q] = (double)rng_below(r, 6);
			}
		}
	}
}

/* Every combination of one machine, in plain loops. */
static void
enumerate(const struct bench *b, size_t m, struct search_result *best)
{
	size_t choice[SEARCH_MAX_VOLUMES] = {0};
	for (size_t v = 0; v < b->p.n_volumes; v++) {
		if (b->volumes[m][v].n == 0)
			return;
	}
	for (;;) {
		double cost = b->machines[m].cost, penalty = 0, used[SEARCH_CAPS] = {0};
		double worst[SEARCH_QUALITIES] = {0};
		for (size_t v = 0; v < b->p.n_volumes; v++) {
			const struct search_item *item = &b->items[m][v][choice[v]];
			cost += item->cost;
			penalty += item->penalty;
			for (size_t c = 0; c < SEARCH_CAPS; c++)
				used[c] += item->use[c];
			for (size_t q = 0; q < SEARCH_QUALITIES && v < b->p.n_joint; q++)
				worst[q] = fmax(worst[q], item->quality[q]);
		}
		bool ok = b->p.n_joint == 0 || joint((void *)(uintptr_t)b, m, worst);
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			ok = ok && used[c] <= b->machines[m].cap[c];
		bool better = !best->found || cost < best->cost ||
			      (cost <= best->cost && penalty < best->penalty);
		if (ok && better)
			*best = (struct search_result){
				.found = true, .cost = cost, .penalty = penalty};
		size_t v = 0;
		while (v < b->p.n_volumes && ++choice[v] == b->volumes[m][v].n)
			choice[v++] = 0;
		if (v == b->p.n_volumes)
			return;
	}
}

static struct search_result
solve(const struct bench *b)
{
	struct arena a;
	arena_init(&a, 0);
	struct search_result r;
	assert_int_equal(search_solve(&b->p, &a, &r, NULL), 0);
	arena_fini(&a);
	return r;
}

/* What the result says it costs, recomputed from its choice. */
static void
check_choice(const struct bench *b, const struct search_result *r)
{
	double cost = b->machines[r->machine].cost;
	for (size_t v = 0; v < b->p.n_volumes; v++)
		cost += b->items[r->machine][v][r->choice[v]].cost;
	assert_true(fabs(cost - r->cost) < 1e-9);
}

static void
test_equals_enumeration(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 20261130);
	struct bench b;
	size_t found = 0, none = 0;
	for (size_t i = 0; i < CASES; i++) {
		random_case(&b, &r);
		struct search_result want = {.cost = INFINITY, .penalty = INFINITY};
		for (size_t m = 0; m < b.p.n_machines; m++)
			enumerate(&b, m, &want);
		struct search_result got = solve(&b);
		if (got.found != want.found ||
			(got.found &&
				(got.cost < want.cost || got.cost > want.cost ||
					got.penalty < want.penalty || got.penalty > want.penalty)))
			fail_msg("case %zu: found %d cost %g penalty %g, enumeration %d %g %g", i,
				got.found, got.cost, got.penalty, want.found, want.cost,
				want.penalty);
		if (got.found)
			check_choice(&b, &got);
		found += got.found;
		none += !got.found;
	}
	/* the cases must be worth the name: many of both kinds */
	assert_true(found > CASES / 5 && none > CASES / 10);
}

static void
test_relaxing_never_costs_more(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 7);
	struct bench b;
	for (size_t i = 0; i < CASES; i++) {
		random_case(&b, &r);
		double before = solve(&b).cost;
		b.sla += (double)(1 + rng_below(&r, 5));
		double relaxed = solve(&b).cost;
		assert_true(relaxed <= before);
		size_t m = rng_below(&r, b.p.n_machines);
		b.machines[m].cap[rng_below(&r, SEARCH_CAPS)] = INFINITY;
		assert_true(solve(&b).cost <= relaxed);
	}
}

static void
test_raising_a_price_never_saves(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 8);
	struct bench b;
	for (size_t i = 0; i < CASES; i++) {
		random_case(&b, &r);
		double before = solve(&b).cost;
		size_t m = rng_below(&r, b.p.n_machines), v = rng_below(&r, b.p.n_volumes);
		b.items[m][v][rng_below(&r, MOST_ITEMS)].cost += (double)(1 + rng_below(&r, 9));
		double after = solve(&b).cost;
		assert_true(after >= before);
	}
}

static void
test_adding_a_candidate_never_costs_more(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 9);
	struct bench b;
	size_t tried = 0;
	for (size_t i = 0; i < CASES; i++) {
		random_case(&b, &r);
		double before = solve(&b).cost;
		size_t m = rng_below(&r, b.p.n_machines), v = rng_below(&r, b.p.n_volumes);
		if (b.volumes[m][v].n == MOST_ITEMS)
			continue;
		struct search_item *item = &b.items[m][v][b.volumes[m][v].n++];
		item->cost = (double)rng_below(&r, 15);
		item->quality[0] = (double)rng_below(&r, 6);
		assert_true(solve(&b).cost <= before);
		tried++;
	}
	assert_true(tried > CASES / 2);
}

static void
test_scaling_prices_keeps_the_choice(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 10);
	struct bench b;
	for (size_t i = 0; i < CASES; i++) {
		random_case(&b, &r);
		struct search_result before = solve(&b);
		for (size_t m = 0; m < MOST_MACHINES; m++) {
			b.machines[m].cost *= 4;
			for (size_t v = 0; v < MOST_VOLUMES; v++) {
				for (size_t k = 0; k < MOST_ITEMS; k++)
					b.items[m][v][k].cost *= 4;
			}
		}
		struct search_result after = solve(&b);
		assert_int_equal(before.found, after.found);
		if (!before.found)
			continue;
		assert_true(fabs(after.cost - 4 * before.cost) < 1e-9);
		assert_int_equal(before.machine, after.machine);
		assert_memory_equal(
			before.choice, after.choice, b.p.n_volumes * sizeof(before.choice[0]));
	}
}

enum { MANY = 40, EACH = 6 };

struct many {
	struct search_volume volumes[MANY];
	struct search_item items[MANY][EACH];
	double sla; /* every quality must keep it */
};

static bool
all_keep(void *ctx, size_t machine, const double worst[SEARCH_QUALITIES])
{
	const struct many *m = ctx;
	(void)machine;
	return worst[0] <= m->sla;
}

/*
 * 40 volumes of 6 items, of which only the dearest keeps the promise: 6^40 combinations, but 240
 * looks, because an item that breaks the promise alone is put back at once.
 */
static void
test_many_volumes_are_not_enumerated(void **state)
{
	(void)state;
	static struct many many = {.sla = 1};
	struct search_machine machine = {.volumes = many.volumes};
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		machine.cap[c] = INFINITY;
	for (size_t v = 0; v < MANY; v++) {
		many.volumes[v] = (struct search_volume){many.items[v], EACH};
		for (size_t k = 0; k < EACH; k++) {
			many.items[v][k].cost = (double)(k + 1);
			many.items[v][k].quality[0] = (double)(EACH - k);
		}
	}
	struct search_problem p = {.machines = &machine,
		.n_machines = 1,
		.n_volumes = MANY,
		.n_joint = MANY,
		.joint = all_keep,
		.ctx = &many};
	struct search_result r;
	struct arena a;
	arena_init(&a, 0);
	assert_int_equal(search_solve(&p, &a, &r, NULL), 0);
	assert_true(r.found && fabs(r.cost - MANY * EACH) < 1e-9);
	assert_true(r.counts.visited <= (size_t)MANY * EACH);
	many.sla = 0; /* nothing keeps it: known after the first volume */
	assert_int_equal(search_solve(&p, &a, &r, NULL), 0);
	assert_true(!r.found && r.counts.visited <= EACH);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_enumeration),
		cmocka_unit_test(test_relaxing_never_costs_more),
		cmocka_unit_test(test_raising_a_price_never_saves),
		cmocka_unit_test(test_adding_a_candidate_never_costs_more),
		cmocka_unit_test(test_scaling_prices_keeps_the_choice),
		cmocka_unit_test(test_many_volumes_are_not_enumerated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
