/*
 * What a plan says of other plans, against enumeration on seeded random documents: the runner-up, what
 * each constraint costs, what copies in other zones cost.
 */
#include "case.h"

#include "advise/build.h"
#include "advise/choose.h"
#include "base/rng.h"

enum { CASES = 60, TIERS = 5 };

/* Documents written at random; those of a case that is refused or infeasible are counted and left. */
struct texts {
	char workload[2000], limits[4000], prices[4000];
};

static void
put_disks(struct rng *r, struct texts *t)
{
	size_t l = (size_t)snprintf(t->limits, sizeof(t->limits),
		       "{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": "
		       "\"2026-01-01\", \"source\": \"random\", \"disks\": ["),
	       p = (size_t)snprintf(t->prices, sizeof(t->prices),
		       "{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": "
		       "\"fc\", "
		       "\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "
		       "\"source\": \"random\", \"trust\": \"published\", \"rows\": [");
	for (int i = 0; i < TIERS; i++) {
		int gib = 64 << i;
		/* larger sizes do more for more, but not in order; the third keeps no copies in zones */
		double price = gib * (0.1 + 0.1 * rng_uniform(r)),
		       zones = price * (1.2 + rng_uniform(r));
		unsigned iops = 300 + (unsigned)rng_below(r, 40) * 100;
		l += (size_t)snprintf(t->limits + l, sizeof(t->limits) - l,
			"%s{\"family\": \"tier\", \"sku\": \"T%d\", \"size_gib_min\": 1, "
			"\"size_gib_max\": %d, \"billed_gib\": %d, \"iops_base\": %u, "
			"\"iops_max\": %u, "
			"\"mbps_base\": %d, \"mbps_max\": %d, \"mbps_unit\": \"MB\", "
			"\"io_unit_kib\": 256, "
			"\"redundancy\": [%s], \"operations_billed\": false, \"ephemeral\": false}",
			i ? ", " : "", gib, gib, gib, iops, iops, 50 + 50 * i, 50 + 50 * i,
			i == 2 ? "\"LRS\"" : "\"LRS\", \"ZRS\"");
		p += (size_t)snprintf(t->prices + p, sizeof(t->prices) - p,
			"%s{\"family\": \"tier\", \"sku\": \"T%d\", \"redundancy\": \"LRS\", "
			"\"item\": "
			"\"disk\", \"unit\": \"month\", \"price\": %.2f}, {\"family\": \"tier\", "
			"\"sku\": "
			"\"T%d\", \"redundancy\": \"ZRS\", \"item\": \"disk\", \"unit\": "
			"\"month\", "
			"\"price\": %.2f}",
			i ? ", " : "", gib, price, gib, zones);
	}
	snprintf(t->limits + l, sizeof(t->limits) - l,
		"], \"vms\": [{\"sku\": \"small\", \"vcpus\": 4, \"uncached_iops\": %u, "
		"\"uncached_mbps\": "
		"%u, \"max_data_disks\": %u, \"mbps_unit\": \"MB\"}, {\"sku\": \"large\", "
		"\"vcpus\": 8, "
		"\"uncached_iops\": 9000, \"uncached_mbps\": 900, \"max_data_disks\": 16, "
		"\"mbps_unit\": \"MB\"}]}",
		1500 + (unsigned)rng_below(r, 3000), 100 + (unsigned)rng_below(r, 300),
		2 + (unsigned)rng_below(r, 6));
	snprintf(t->prices + p, sizeof(t->prices) - p,
		", {\"family\": \"vm\", \"sku\": \"small\", \"item\": \"vm\", \"unit\": \"month\", "
		"\"price\": 80}, {\"family\": \"vm\", \"sku\": \"large\", \"item\": \"vm\", "
		"\"unit\": "
		"\"month\", \"price\": %u}]}",
		90 + (unsigned)rng_below(r, 120));
}

static void
put_case(struct rng *r, bool zones, struct texts *t)
{
	snprintf(t->workload, sizeof(t->workload),
		"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "
		"\"region\": "
		"\"r\", \"engine\": \"generic\", \"redundancy\": \"%s\", \"headroom\": 0, "
		"\"finance\": "
		"{\"horizon_months\": 1}, \"vm\": {\"sizes\": [\"small\", \"large\"]}, "
		"\"volumes\": [{"
		"\"role\": \"data\", \"capacity_gib\": %u, \"read_iops\": %u, \"write_iops\": 200, "
		"\"io_kib\": 8}, {\"role\": \"backup\", \"capacity_gib\": %u, \"window_hours\": "
		"%u}]}",
		zones ? "ZRS" : "LRS", 50 + (unsigned)rng_below(r, 400),
		300 + (unsigned)rng_below(r, 25) * 100, 50 + (unsigned)rng_below(r, 600),
		1 + (unsigned)rng_below(r, 4));
	put_disks(r, t);
}

/* What an enumeration asks of a plan. */
struct want {
	unsigned relaxed;
	const struct choice * not ; /* not the same sizes, stripes and machine as this; NULL: any */
};

static bool
differs(const struct chooser *c, const struct choice *a, size_t option,
	const struct candidate *const *at)
{
	bool other = strcmp(c->options[a->option].vm->sku, c->options[option].vm->sku) != 0;
	for (size_t v = 0; v < c->set.n; v++)
		other = other || strcmp(a->at[v]->disk->sku, at[v]->disk->sku) != 0 ||
			fabs(a->at[v]->disks - at[v]->disks) > 0.5;
	return other;
}

/* The least cost, in plain loops over both volumes; INFINITY: none. */
static double
enumerate(struct chooser *c, const struct want *want)
{
	double best = (double)INFINITY;
	for (size_t o = 0; o < c->n_options; o++) {
		const struct candidate_list *x = &c->options[o].lists[0],
					    *y = &c->options[o].lists[1];
		for (size_t i = 0; i < x->n * y->n; i++) {
			const struct candidate *at[SEARCH_MAX_VOLUMES] = {
				&x->items[i / y->n], &y->items[i % y->n]};
			double cost = c->options[o].monthly + at[0]->monthly + at[1]->monthly;
			bool ok = ((at[0]->broken | at[1]->broken) & ~want->relaxed) == 0 &&
				  cost < best;
			ok = ok && (!want->not || differs(c, want->not, o, at));
			if (ok && !chooser_check(c, o, at, want->relaxed).broken)
				best = cost;
		}
	}
	return best;
}

/* "... USD 1,234.50 ..." after `before`; NaN: not said. */
static double
said(const struct plan *p, const char *before)
{
	for (size_t i = 0; i < p->n_changes; i++) {
		const char *at = strstr(p->changes[i], before);
		char digits[40];
		size_t n = 0;
		if (at != p->changes[i])
			continue;
		for (at = strstr(at, "USD ") + 4;
			n < 39 && (*at == ',' || *at == '.' || (*at >= '0' && *at <= '9')); at++) {
			if (*at != ',')
				digits[n++] = *at;
		}
		digits[n] = '\0';
		return strtod(digits, NULL);
	}
	return (double)NAN;
}

static double
runner_up_of(const struct plan *p)
{
	for (size_t i = 0; i < p->n_options; i++) {
		if (strcmp(p->options[i].name, "runner-up") == 0)
			return p->options[i].monthly;
	}
	return (double)INFINITY;
}

/* A sentence for every constraint whose relaxation saves a hundredth, with the cost; none for the others. */
static size_t
check_constraints(struct chooser *c, const struct plan *p, double cost, bool zones, size_t at)
{
	size_t n = 0;
	double caps = cost; /* the cheapest without one cap of the machine */
	for (int id = 0; id < (int)BUILD_RELAXATIONS; id++) {
		const struct want want = {.relaxed = build_relaxed(id)};
		bool all = id == (int)BUILD_VM_CAPS;
		char before[80];
		bool skip = !build_relaxable(id) || id == (int)CONSTRAINT_RULES ||
			    (zones && id == (int)CONSTRAINT_REDUNDANCY);
		if (skip)
			continue;
		snprintf(before, sizeof(before), "without the %s constraint",
			build_constraint_name(id));
		double least = enumerate(c, &want), told = said(p, before);
		double than = all ? caps : cost;
		bool worth = cost - least >= 0.01 * cost && cost - least >= 0.01 &&
			     than - least >= 0.01 * cost && than - least >= 0.01;
		if (!all && (want.relaxed & constraint_cap_bits()))
			caps = fmin(caps, least);
		if (worth != !isnan(told) || (worth && !near_to(told, least, 0.0051)))
			fail_msg("case %zu: %s: %g, enumeration %g of %g", at, before, told, least,
				cost);
		n += worth;
	}
	return n;
}

/* What copies in zones cost is the difference to the plan of the same workload that asks for none. */
static bool
check_zones(const struct texts *t, const struct plan *p, double cost, size_t at)
{
	struct scene other;
	scene_init(&other, t->workload, t->limits, t->prices);
	other.workload.redundancy = NULL;
	assert_int_equal(scene_solve(&other), 0);
	double saving = cost - other.plan.cost->monthly, told = said(p, "ZRS costs ");
	bool worth = saving >= 0.01;
	if (worth != !isnan(told) || (worth && !near_to(told, saving, 0.0051)))
		fail_msg("case %zu: ZRS costs %g, %g by the other plan", at, told, saving);
	scene_fini(&other);
	return worth;
}

static void
test_other_plans_against_enumeration(void **state)
{
	(void)state;
	struct rng r;
	rng_seed(&r, 11);
	size_t plans = 0, second = 0, constraints = 0, zones = 0;
	for (size_t i = 0; i < CASES; i++) {
		static struct texts t;
		struct scene s;
		put_case(&r, i % 2, &t);
		scene_init(&s, t.workload, t.limits, t.prices);
		struct chooser c;
		struct findings findings;
		findings_init(&findings, &s.arena);
		const struct choose_filter filter = {.relaxed = 0};
		struct choice best;
		int rc = scene_solve(&s);
		assert_int_equal(chooser_init(&c, &s.in, &s.arena, &findings, &s.err), 0);
		assert_int_equal(chooser_solve(&c, &filter, &best, &s.err), 0);
		double least = enumerate(&c, &(struct want){.relaxed = 0});
		assert_int_equal(best.found, isfinite(least));
		assert_int_equal(rc == 0, best.found);
		if (best.found) {
			double cost = s.plan.cost->monthly;
			double next = enumerate(&c, &(struct want){.not = &best});
			assert_true(near_to(cost, least, 1e-6));
			if (isfinite(next) ? !near_to(runner_up_of(&s.plan), next, 1e-6)
					   : isfinite(runner_up_of(&s.plan)))
				fail_msg("case %zu: runner-up %g, enumeration %g", i,
					runner_up_of(&s.plan), next);
			plans++;
			second += isfinite(next) ? 1 : 0;
			constraints += check_constraints(&c, &s.plan, cost, i % 2, i);
			zones += i % 2 && check_zones(&t, &s.plan, cost, i);
		}
		scene_fini(&s);
	}
	print_message(
		"%zu of %d plans, %zu second best, %zu constraints that cost, %zu times zones\n",
		plans, CASES, second, constraints, zones);
	assert_true(plans > CASES / 2 && second > CASES / 3 && constraints > CASES / 3 &&
		    zones > CASES / 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_plans_against_enumeration),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
