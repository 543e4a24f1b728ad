/*
 * The front of cost against p99 on the shipped data, against enumeration: every joint choice of random
 * small subsets of the real candidates, without those that another beats in both.
 */
#include "case.h"

#include <glob.h>

#include "advise/pareto.h"
#include "base/rng.h"

enum { PER_VOLUME = 6, CASES = 60, MOST_MODELS = 32, MOST_CHOICES = 3 * 6 * 6 * 6 * 6 };

static const struct choose_filter whole = {.relaxed = 0};

static struct arena shared;
static struct workload payments;
static struct engine engine;
static struct limits azure;
static struct price_book book;
static struct advise_model speaking[MOST_MODELS];
static size_t n_models;

static const char *
source(const char *relative)
{
	const char *root = getenv("TIERWISE_SOURCE");
	return arena_printf(&shared, "%s/%s", root ? root : ".", relative);
}

static void
load_models(void)
{
	struct err err = {0};
	glob_t found;
	assert_int_equal(glob(source("models/azure-*.json"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc && n_models < MOST_MODELS; i++) {
		struct profile p;
		struct disk_model *m = arena_alloc(&shared, sizeof(*m));
		if (profile_load(found.gl_pathv[i], &shared, &p, NULL, &err) || !p.family)
			continue;
		if (disk_model_fit(&p, "", &azure, &shared, m, &err) == 0)
			speaking[n_models++] = (struct advise_model){.model = m};
	}
	globfree(&found);
}

static int
setup(void **state)
{
	(void)state;
	struct err err = {0};
	arena_init(&shared, 0);
	if (workload_load(source("rules/examples/payments.json"), &shared, &payments, NULL, &err) ||
		limits_load(source("pricing/limits-azure.json"), &shared, &azure, NULL, &err) ||
		price_book_load(
			source("pricing/azure-westeurope.json"), &shared, &book, NULL, &err))
		fail_msg("%s", err.text);
	load_engine(&payments, &shared, &engine);
	load_models();
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

struct spot {
	double monthly, p99_ms;
};

static const unsigned latencies = CONSTRAINT_BIT(CONSTRAINT_READ_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_WRITE_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_TX_P99);

/* One joint choice: its place, when everything but the latencies holds. */
static bool
spot_of(struct chooser *c, enum choose_pace pace, size_t o, const size_t *pick, struct spot *out)
{
	const struct candidate *at[SEARCH_MAX_VOLUMES] = {NULL};
	out->monthly = c->options[o].monthly * c->machines;
	for (size_t v = 0; v < c->set.n; v++) {
		at[v] = &c->options[o].lists[v].items[pick[v]];
		if (at[v]->broken & ~latencies)
			return false;
		out->monthly += at[v]->monthly * c->machines;
	}
	if (chooser_check(c, o, at, latencies).broken)
		return false;
	out->p99_ms = chooser_pace_ms(c, pace, o, at);
	return !isnan(out->p99_ms);
}

static size_t
all_spots(struct chooser *c, enum choose_pace pace, struct spot *out)
{
	size_t n = 0;
	for (size_t o = 0; o < c->n_options; o++) {
		size_t pick[SEARCH_MAX_VOLUMES] = {0}, v = 0;
		while (v < c->set.n) {
			n += spot_of(c, pace, o, pick, &out[n]);
			for (v = 0; v < c->set.n; v++) {
				if (++pick[v] < c->options[o].lists[v].n)
					break;
				pick[v] = 0;
			}
		}
	}
	return n;
}

static int
by_money(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	if (fabs(x->monthly - y->monthly) > 1e-6)
		return x->monthly < y->monthly ? -1 : 1;
	return (x->p99_ms > y->p99_ms) - (x->p99_ms < y->p99_ms);
}

/* Of all spots those that no other beats in both; in place. */
static size_t
not_beaten(struct spot *all, size_t n)
{
	size_t kept = 0;
	qsort(all, n, sizeof(*all), by_money);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || all[i].p99_ms < all[kept - 1].p99_ms * (1 - 1e-8))
			all[kept++] = all[i];
	}
	return kept;
}

static void
same_front(const struct pareto_front *got, const struct spot *want, size_t n, size_t i)
{
	if (got->n != n)
		fail_msg("case %zu: %zu plans, enumeration %zu", i, got->n, n);
	for (size_t k = 0; k < n; k++) {
		const struct pareto_point *p = &got->points[k];
		if (!near_to(p->choice.monthly, want[k].monthly, 2e-6) ||
			!near_to(p->p99_ms, want[k].p99_ms, 1e-7 * want[k].p99_ms))
			fail_msg("case %zu, plan %zu: %.6f at %.8f ms, enumeration %.6f at %.8f ms",
				i, k, p->choice.monthly, p->p99_ms, want[k].monthly,
				want[k].p99_ms);
	}
}

static struct advise_input
input_of(const struct workload *w)
{
	return (struct advise_input){.workload = w,
		.engine = &engine,
		.book = &book,
		.limits = &azure,
		.models = speaking,
		.n_models = n_models,
		.price_age_days = 1};
}

/* A front of random candidates; returns how many plans it has. */
static size_t
compare_case(size_t i, enum choose_pace pace, const struct workload *w, struct rng *r)
{
	static struct spot spots[MOST_CHOICES];
	struct arena a;
	struct findings findings;
	struct chooser c;
	struct err err = {0};
	struct advise_input in = input_of(w);
	arena_init(&a, 0);
	findings_init(&findings, &a);
	if (chooser_init(&c, &in, &a, &findings, &err))
		fail_msg("%s", err.text);
	thin_out(&c, r);
	struct pareto_front *got = arena_alloc(&a, sizeof(*got));
	assert_int_equal(pareto_front(&c, &whole, pace, (double)INFINITY, got, &err), 0);
	assert_false(got->more || got->left_out);
	size_t n = not_beaten(spots, all_spots(&c, pace, spots));
	same_front(got, spots, n, i);
	/* a budget between two plans ends the front before the second, and says so */
	if (n > 1) {
		double budget = (spots[0].monthly + spots[1].monthly) / 2;
		assert_int_equal(pareto_front(&c, &whole, pace, budget, got, &err), 0);
		same_front(got, spots, 1, i);
		assert_true(got->over_budget);
	}
	arena_fini(&a);
	return n;
}

static void
test_front_equals_enumeration(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 7);
	size_t longest = 0, many = 0;
	for (size_t i = 0; i < CASES; i++) {
		struct workload w = payments, still = payments;
		still.transactions = NULL; /* then disks are judged for themselves */
		struct workload_volume volumes[4];
		memcpy(volumes, payments.volumes, sizeof(volumes));
		volumes[0].read_iops = 0;
		volumes[0].write_iops = 300;
		volumes[0].io_kib = 8;
		still.volumes = volumes;
		enum choose_pace pace = (enum choose_pace)(CHOOSE_PACE_TX + (int)(i % 4));
		size_t n = compare_case(i, pace, pace == CHOOSE_PACE_TX ? &w : &still, &r);
		longest = n > longest ? n : longest;
		many += n > 1;
	}
	print_message("%zu of %d fronts have several plans, at most %zu\n", many, CASES, longest);
	assert_true(many > CASES / 4 && longest > 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_front_equals_enumeration)};
	return cmocka_run_group_tests(tests, setup, teardown);
}
