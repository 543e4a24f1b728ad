/*
 * The joint search against plain enumeration and, where there is too much to enumerate, a table of every
 * use of two caps; on seeded random cases, and its monotone properties.
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

enum { MOST_MACHINES = 3, MOST_VOLUMES = 7, MOST_ITEMS = 6, CASES = 800, MANY_CASES = 8000 };

enum rule { ALL_OF_SUM, EACH_BELOW, BY_MACHINE, RULES };

struct bench {
	struct search_problem p;
	struct search_machine machines[MOST_MACHINES];
	struct search_volume volumes[MOST_MACHINES][MOST_VOLUMES];
	struct search_item items[MOST_MACHINES][MOST_VOLUMES][MOST_ITEMS];
	double sla; /* of the qualities, by one of three rules, each monotone as a latency is */
	enum rule rule;
	double step; /* costs are multiples of it */
};

static bool
joint(void *ctx, size_t machine, const double worst[SEARCH_QUALITIES])
{
	const struct bench *b = ctx;
	double sum = 0, most = 0;
	for (size_t q = 0; q < SEARCH_QUALITIES; q++) {
		sum += worst[q];
		most = fmax(most, worst[q]);
	}
	if (b->rule == EACH_BELOW)
		return most <= b->sla / 5;
	return sum <= b->sla + (b->rule == BY_MACHINE ? 4 * (double)machine : 0);
}

/* Unknown once in a while; how often differs by case. */
static double
random_quality(struct rng *r, uint64_t unknown_of)
{
	return rng_below(r, 40) < unknown_of ? (double)INFINITY : (double)rng_below(r, 6);
}

/* How one random case is made. */
struct shape {
	size_t most_items;
	bool trade; /* what costs less uses more and is slower, so that little is dominated */
	size_t caps, qualities; /* that are more than 0 */
};

static void
random_item(const struct bench *b, const struct shape *shape, uint64_t unknown_of, bool uses,
	struct rng *r, struct search_item *item)
{
	double saved = 0;
	for (size_t c = 0; c < shape->caps; c++)
		item->use[c] = uses ? (double)rng_below(r, 8) : 0;
	for (size_t q = 0; q < shape->qualities; q++)
		item->quality[q] = random_quality(r, unknown_of);
	if (shape->trade)
		saved = item->use[0] + fmin(item->quality[0], 6);
	item->cost = b->step * (14 - saved + (double)rng_below(r, shape->trade ? 4 : 8));
	item->penalty = (double)rng_below(r, 3);
}

static void
random_volume(struct bench *b, size_t m, size_t v, const struct shape *shape, struct rng *r)
{
	size_t n = rng_below(r, 12) ? 1 + rng_below(r, shape->most_items) : 0;
	uint64_t unknown_of = rng_below(r, 3) ? 0 : 1 + rng_below(r, 8);
	bool uses = rng_below(r, 5) > 0;
	b->volumes[m][v] = (struct search_volume){b->items[m][v], n};
	for (size_t i = 0; i < n; i++)
		random_item(b, shape, unknown_of, uses, r, &b->items[m][v][i]);
}

/*
 * Whole numbers, so that ties and equal sums are common; in every fourth case multiples of a tenth, whose
 * sums differ in the last bits by their order.
 */
static void
random_case(struct bench *b, struct rng *r)
{
	bool deep = rng_below(r, 3) == 0; /* many volumes of few items, or few of many */
	const struct shape shape = {.most_items = deep ? 3 : MOST_ITEMS,
		.trade = rng_below(r, 3) > 0,
		.caps = 1 + rng_below(r, SEARCH_CAPS),
		.qualities = 1 + rng_below(r, SEARCH_QUALITIES)};
	*b = (struct bench){
		.step = rng_below(r, 4) ? 1 : 0.1, .rule = (enum rule)rng_below(r, RULES)};
	b->p = (struct search_problem){.machines = b->machines,
		.n_machines = 1 + rng_below(r, MOST_MACHINES),
		.n_volumes = deep ? 5 + rng_below(r, MOST_VOLUMES - 4) : 1 + rng_below(r, 4),
		.joint = rng_below(r, 8) ? joint : NULL,
		.ctx = b};
	b->p.n_joint = rng_below(r, b->p.n_volumes + 1);
	b->sla = (double)(3 * shape.qualities + rng_below(r, 2 * shape.qualities + 1));
	for (size_t m = 0; m < b->p.n_machines; m++) {
		b->machines[m] = (struct search_machine){
			.cost = b->step * (double)rng_below(r, 6), .volumes = b->volumes[m]};
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			b->machines[m].cap[c] =
				rng_below(r, 3) == 0 ? (double)INFINITY
						     : (double)(3 * b->p.n_volumes +
								rng_below(r, 2 * b->p.n_volumes));
		if (rng_below(r, 30) == 0)
			b->machines[m].cap[rng_below(r, SEARCH_CAPS)] = 0;
		for (size_t v = 0; v < b->p.n_volumes; v++)
			random_volume(b, m, v, &shape, r);
	}
}

/* A whole choice as the contract orders them. */
struct whole {
	bool found;
	double cost, penalty;
	size_t machine, choice[MOST_VOLUMES];
};

/* Which of two items of a volume is earlier: by cost, penalty, place. */
static int
item_order(const struct search_item *items, size_t x, size_t y)
{
	const struct search_item *a = &items[x], *b = &items[y];
	if (a->cost < b->cost || a->cost > b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (a->penalty < b->penalty || a->penalty > b->penalty)
		return a->penalty < b->penalty ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool
is_better(const struct bench *b, const struct whole *a, const struct whole *than)
{
	if (!than->found || a->cost < than->cost - 1e-9)
		return true;
	if (a->cost > than->cost + 1e-9)
		return false;
	if (a->penalty < than->penalty || a->penalty > than->penalty)
		return a->penalty < than->penalty;
	if (a->machine != than->machine)
		return a->machine < than->machine;
	for (size_t v = 0; v < b->p.n_volumes; v++) {
		int order = item_order(b->items[a->machine][v], a->choice[v], than->choice[v]);
		if (order)
			return order < 0;
	}
	return false;
}

/* Sums of one choice; false: a cap or the joint rule says no. */
static bool
judge(const struct bench *b, struct whole *w)
{
	double used[SEARCH_CAPS] = {0}, worst[SEARCH_QUALITIES] = {0};
	w->found = true;
	w->cost = b->machines[w->machine].cost;
	w->penalty = 0;
	for (size_t v = 0; v < b->p.n_volumes; v++) {
		const struct search_item *item = &b->items[w->machine][v][w->choice[v]];
		w->cost += item->cost;
		w->penalty += item->penalty;
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			used[c] += item->use[c];
		for (size_t q = 0; q < SEARCH_QUALITIES && v < b->p.n_joint; q++)
			worst[q] = fmax(worst[q], item->quality[q]);
	}
	bool ok = b->p.n_joint == 0 || !b->p.joint ||
		  joint((void *)(uintptr_t)b, w->machine, worst);
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		ok = ok && used[c] <= b->machines[w->machine].cap[c];
	return ok;
}

/* Every combination of one machine, in plain loops. */
static void
enumerate(const struct bench *b, size_t m, struct whole *best)
{
	struct whole w = {.machine = m};
	for (size_t v = 0; v < b->p.n_volumes; v++) {
		if (b->volumes[m][v].n == 0)
			return;
	}
	for (;;) {
		if (judge(b, &w) && is_better(b, &w, best))
			*best = w;
		size_t v = 0;
		while (v < b->p.n_volumes && ++w.choice[v] == b->volumes[m][v].n)
			w.choice[v++] = 0;
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

/* Cost, penalty and the very choice: ties are decided as the contract says. */
static void
check_equal(
	const struct bench *b, const struct search_result *got, const struct whole *want, size_t i)
{
	bool same = got->found == want->found;
	if (same && got->found)
		same = fabs(got->cost - want->cost) < 1e-9 &&
		       fabs(got->penalty - want->penalty) < 1e-9 && got->machine == want->machine &&
		       memcmp(got->choice, want->choice,
			       b->p.n_volumes * sizeof(want->choice[0])) == 0;
	if (!same)
		fail_msg("case %zu: found %d cost %g penalty %g machine %zu, enumeration %d %g %g "
			 "%zu",
			i, got->found, got->cost, got->penalty, got->machine, want->found,
			want->cost, want->penalty, want->machine);
}

/* What the counts say must hold of any search. */
static void
check_counts(const struct bench *b, const struct search_result *r)
{
	const struct search_counts *n = &r->counts;
	assert_true(n->machines <= b->p.n_machines);
	for (size_t v = 0; v < b->p.n_volumes; v++) {
		assert_true(n->volumes[v].undominated <= n->volumes[v].offered);
		assert_true(n->volumes[v].left <= n->volumes[v].undominated);
	}
	/* a bound that rounding may move, and nothing else */
	if (r->found)
		assert_true(n->root_bound <= r->cost + 1e-6);
	assert_true(!r->found || n->visited >= b->p.n_volumes);
	assert_true(
		n->cut_by_cost + n->cut_by_cap + n->cut_by_seen + n->cut_by_joint <= n->visited);
}

static void
test_equals_enumeration(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 20261130);
	struct bench b;
	size_t found = 0, none = 0, priced = 0, cut[4] = {0};
	for (size_t i = 0; i < MANY_CASES; i++) {
		random_case(&b, &r);
		struct whole want = {.found = false};
		for (size_t m = 0; m < b.p.n_machines; m++)
			enumerate(&b, m, &want);
		struct search_result got = solve(&b);
		check_equal(&b, &got, &want, i);
		check_counts(&b, &got);
		found += got.found;
		none += !got.found;
		priced += got.found && got.counts.root_bound < got.cost - 1e-6;
		cut[0] += got.counts.cut_by_cost;
		cut[1] += got.counts.cut_by_cap;
		cut[2] += got.counts.cut_by_seen;
		cut[3] += got.counts.cut_by_joint;
	}
	/* the cases must be worth the name: many of both kinds, and every way to prune at work */
	print_message("%zu of %d found, %zu above their bound; cut by cost %zu, cap %zu, seen %zu, "
		      "joint %zu\n",
		found, MANY_CASES, priced, cut[0], cut[1], cut[2], cut[3]);
	assert_true(found > MANY_CASES / 5 && none > MANY_CASES / 10 && priced > MANY_CASES / 20);
	for (size_t i = 0; i < 4; i++)
		assert_true(cut[i] > 20);
}

static void
test_nothing_to_choose(void **state)
{
	(void)state;
	struct search_machine two[2] = {{.cost = 7}, {.cost = 5}};
	struct search_problem p = {.machines = two, .n_machines = 2};
	struct search_result r;
	struct err err = {0};
	struct arena a;
	arena_init(&a, 0);
	/* no volume: the cheapest machine alone; a joint rule over none is not asked */
	p.joint = joint;
	assert_int_equal(search_solve(&p, &a, &r, &err), 0);
	assert_true(r.found && r.machine == 1 && fabs(r.cost - 5) < 1e-12);
	/* no machine, and a volume without items: nothing */
	p.n_machines = 0;
	assert_int_equal(search_solve(&p, &a, &r, &err), 0);
	assert_true(!r.found && isinf(r.counts.root_bound));
	struct search_volume none = {NULL, 0};
	two[0].volumes = two[1].volumes = &none;
	p.n_machines = 2;
	p.n_volumes = 1;
	assert_int_equal(search_solve(&p, &a, &r, &err), 0);
	assert_true(!r.found && r.counts.visited == 0);
	p.n_volumes = SEARCH_MAX_VOLUMES + 1;
	assert_int_equal(search_solve(&p, &a, &r, &err), ERR_RANGE);
	/* no memory for the scratch of a search is an error, not an answer */
	struct arena small;
	arena_init(&small, 1000);
	p.n_volumes = 0;
	assert_int_equal(search_solve(&p, &small, &r, &err), ERR_NOMEM);
	arena_fini(&small);
	arena_fini(&a);
}

/* ---- more volumes than can be enumerated ---- */

enum { DEEP_VOLUMES = 16, DEEP_ITEMS = 10, DEEP_CAP = 60, DEEP_CASES = 200, DEEP_NODES = 300000 };

struct deep {
	struct search_volume volumes[DEEP_VOLUMES];
	struct search_item items[DEEP_VOLUMES][DEEP_ITEMS];
	size_t n; /* volumes */
};

/* What uses less costs more: nothing is dominated, and both caps bind. */
static void
random_deep(struct deep *d, struct rng *r)
{
	*d = (struct deep){.n = 8 + rng_below(r, DEEP_VOLUMES - 7)};
	for (size_t v = 0; v < d->n; v++) {
		d->volumes[v] = (struct search_volume){d->items[v], DEEP_ITEMS};
		for (size_t i = 0; i < DEEP_ITEMS; i++) {
			struct search_item *item = &d->items[v][i];
			item->use[0] = (double)rng_below(r, 11);
			item->use[3] = (double)rng_below(r, 11);
			item->cost = 40 - item->use[0] - item->use[3] + (double)rng_below(r, 12);
		}
	}
}

/* The least cost for every pair of uses, volume by volume. */
static double
by_table(const struct deep *d)
{
	static double least[2][DEEP_CAP + 1][DEEP_CAP + 1];
	for (size_t x = 0; x <= DEEP_CAP; x++) {
		for (size_t y = 0; y <= DEEP_CAP; y++)
			least[0][x][y] = 0;
	}
	for (size_t v = 0; v < d->n; v++) {
		for (size_t x = 0; x <= DEEP_CAP; x++) {
			for (size_t y = 0; y <= DEEP_CAP; y++) {
				double best = (double)INFINITY;
				for (size_t i = 0; i < DEEP_ITEMS; i++) {
					const struct search_item *item = &d->items[v][i];
					size_t ux = (size_t)item->use[0], uy = (size_t)item->use[3];
					if (ux <= x && uy <= y)
						best = fmin(best,
							item->cost + least[v % 2][x - ux][y - uy]);
				}
				least[(v + 1) % 2][x][y] = best;
			}
		}
	}
	return least[d->n % 2][DEEP_CAP][DEEP_CAP];
}

static void
test_equals_a_table(void **state)
{
	(void)state;
	struct rng r;
	static struct deep d;
	size_t most = 0, found = 0;
	rng_seed(&r, 5);
	for (size_t i = 0; i < DEEP_CASES; i++) {
		random_deep(&d, &r);
		struct search_machine machine = {.volumes = d.volumes};
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			machine.cap[c] = c == 0 || c == 3 ? DEEP_CAP : (double)INFINITY;
		struct search_problem p = {.machines = &machine, .n_machines = 1, .n_volumes = d.n};
		struct search_result got;
		struct arena a;
		arena_init(&a, 0);
		assert_int_equal(search_solve(&p, &a, &got, NULL), 0);
		arena_fini(&a);
		double want = by_table(&d);
		if (got.found != isfinite(want) || (got.found && fabs(got.cost - want) > 1e-9))
			fail_msg("case %zu: %g, the table says %g", i, got.cost, want);
		most = got.counts.visited > most ? got.counts.visited : most;
		found += got.found;
	}
	print_message("%zu of %d found, at most %zu nodes\n", found, DEEP_CASES, most);
	assert_true(found > DEEP_CASES / 2);
	/* 10^16 combinations: without its bounds a search would not come back */
	assert_true(most < DEEP_NODES);
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
		cmocka_unit_test(test_nothing_to_choose),
		cmocka_unit_test(test_equals_a_table),
		cmocka_unit_test(test_relaxing_never_costs_more),
		cmocka_unit_test(test_raising_a_price_never_saves),
		cmocka_unit_test(test_adding_a_candidate_never_costs_more),
		cmocka_unit_test(test_scaling_prices_keeps_the_choice),
		cmocka_unit_test(test_many_volumes_are_not_enumerated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
