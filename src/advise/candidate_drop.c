/*
 * candidate_drop.c - what no search can want is dropped before the searches (candidate_drop()).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/candidate_make.h"
#include "advise/constraint.h"

struct entry {
	const struct candidate *c;
	double use[CAP_COUNT];
	size_t index; /* in the list: the earlier of two that are alike stays */
	size_t family; /* the first row of the limits' families of that name: compared very often */
	bool keep;
	bool near; /* by how much it misses counts too: what is inside a budget is looked for */
};

static int
by_cost(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	const double pairs[][2] = {{a->c->monthly, b->c->monthly}, {a->c->penalty, b->c->penalty},
		{a->c->disks, b->c->disks}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i][0] < pairs[i][1] || pairs[i][0] > pairs[i][1])
			return pairs[i][0] < pairs[i][1] ? -1 : 1;
	}
	return a->index < b->index ? -1 : a->index > b->index;
}

/* No larger; not known only where the other is not known either. */
static bool
no_larger(double a, double b)
{
	return isnan(b) || a <= b;
}

static bool
no_slower(const struct latency *a, const struct latency *b)
{
	const double pairs[][2] = {{a->commit_mean.value, b->commit_mean.value},
		{a->commit_p99.value, b->commit_p99.value}, {a->commit_mean.lo, b->commit_mean.lo},
		{a->commit_p99.lo, b->commit_p99.lo},
		{a->tx_read_mean.value, b->tx_read_mean.value},
		{a->tx_read_p99.value, b->tx_read_p99.value},
		{a->tx_read_mean.lo, b->tx_read_mean.lo}, {a->tx_read_p99.lo, b->tx_read_p99.lo},
		{a->read_p99.value, b->read_p99.value}, {a->write_p99.value, b->write_p99.value},
		{a->used, b->used}, {a->used_front, b->used_front}, {a->used_back, b->used_back}};
	bool ok = true;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]) && ok; i++)
		ok = no_larger(pairs[i][0], pairs[i][1]);
	return ok;
}

/* What b passes under any relaxation a passes too. */
static bool
breaks_no_more(const struct candidate *a, const struct candidate *b)
{
	return (a->broken & ~b->broken) == 0 &&
	       ((a->broken & ~a->unknown) & ~(b->broken & ~b->unknown)) == 0 &&
	       ((a->broken & ~a->unmeasured) & ~(b->broken & ~b->unmeasured)) == 0;
}

/* Where both fall short of the rates, a by no more. */
static bool
misses_no_more(const struct candidate *a, const struct candidate *b)
{
	unsigned both = a->broken & b->broken;
	return (!(both & CONSTRAINT_BIT(CONSTRAINT_IOPS)) || no_larger(b->iops, a->iops)) &&
	       (!(both & CONSTRAINT_BIT(CONSTRAINT_MBPS)) || no_larger(b->mbps, a->mbps));
}

/* a does what b does, and `of` its price is at most b's. */
static bool
no_worse(const struct entry *x, const struct entry *y, double of)
{
	const struct candidate *a = x->c, *b = y->c;
	/* reads that hit make a cached one another disk */
	bool ok = x->family == y->family && a->disks <= b->disks && of * a->monthly <= b->monthly &&
		  breaks_no_more(a, b) && a->at_disk == b->at_disk && (a->priced || !b->priced) &&
		  a->penalty <= b->penalty;
	if (ok && x->near)
		ok = misses_no_more(a, b);
	for (size_t i = 0; i < CAP_COUNT && ok; i++)
		ok = x->use[i] <= y->use[i];
	return ok && no_slower(&a->latency, &b->latency);
}

static bool
same_size(const struct candidate *a, const struct candidate *b)
{
	return a->disk == b->disk; /* a row a SKU, and a copy for each of the machine's own disks */
}

static bool
same_stripe(const struct candidate *a, const struct candidate *b)
{
	return same_size(a, b) && a->disks <= b->disks && a->disks >= b->disks;
}

/* Sorted: only earlier ones that stay need be asked. */
static bool
is_wanted(const struct entry *all, size_t at)
{
	const struct candidate *c = all[at].c, *other = NULL;
	bool first = true, beaten = false;
	for (size_t i = 0; i < at; i++) {
		if (!all[i].keep)
			continue;
		first = first && !same_size(all[i].c, c);
		if (beaten || !no_worse(&all[i], &all[at], 1))
			continue;
		beaten = same_stripe(all[i].c, c) || (other && !same_stripe(all[i].c, other));
		other = other ? other : all[i].c;
	}
	return first || !beaten;
}

/*
 * A stripe has to save its share (stripe_saving_frac) against fewer disks of its tier that do the same: several
 * disks have no common snapshot, and more of them fail.  (A disk whose IOPS are bought keeps the rule where it is
 * made.)
 */
static bool
stripe_earns(const struct entry *all, size_t n, size_t at, double saving_frac)
{
	const double of = (1 - saving_frac) * (1 + 1e-9); /* exactly that share is enough */
	for (size_t i = 0; i < n; i++) {
		if (all[i].keep && all[i].c->disks < all[at].c->disks &&
			no_worse(&all[i], &all[at], of))
			return false;
	}
	return true;
}

/* From few disks to many: each is held against what stays. */
static void
drop_stripes(struct entry *all, size_t n, double saving_frac)
{
	for (size_t disks = 2; disks <= CANDIDATE_STRIPE_MAX; disks++) {
		for (size_t i = 0; i < n; i++) {
			if (all[i].keep && (size_t)all[i].c->disks == disks)
				all[i].keep = stripe_earns(all, n, i, saving_frac);
		}
	}
}

/* The first of the list with that family: a number that tells families apart. */
static size_t
family_of(const struct candidate_list *list, size_t at, const struct entry *before)
{
	const struct disk_limit *d = list->items[at].disk;
	if (at > 0 && list->items[at - 1].disk == d)
		return before[at - 1].family;
	for (size_t i = 0; i < at; i++) {
		if (strcmp(list->items[i].disk->family, d->family) == 0)
			return i;
	}
	return at;
}

int
candidate_drop(const struct candidate_site *site, struct candidate_list *list, struct err *err)
{
	size_t n = list->n, kept = 0;
	struct entry *all = arena_array(site->arena, n + 1, sizeof(*all));
	struct candidate *items = arena_array(site->arena, n + 1, sizeof(*items));
	bool *keep = arena_array(site->arena, n + 1, sizeof(*keep));
	if (!all || !items || !keep)
		return err_nomem(err);
	const unsigned restore = CONSTRAINT_BIT(CONSTRAINT_RTO);
	list->fit = list->fit_open = 0;
	for (size_t i = 0; i < n; i++) {
		all[i] = (struct entry){.c = &list->items[i],
			.index = i,
			.near = site->in->workload->budget != NULL};
		all[i].family = family_of(list, i, all);
		constraint_machine_use(site, all[i].c, all[i].use);
		list->fit += all[i].c->broken == 0;
		list->fit_open += !(all[i].c->broken & ~(all[i].c->unmeasured & restore));
	}
	qsort(all, n, sizeof(*all), by_cost);
	for (size_t i = 0; i < n; i++)
		all[i].keep = is_wanted(all, i);
	if (site->set->stripe_saving_frac > 0)
		drop_stripes(all, n, site->set->stripe_saving_frac);
	for (size_t i = 0; i < n; i++)
		keep[all[i].index] = all[i].keep;
	for (size_t i = 0; i < n; i++) {
		if (keep[i])
			items[kept++] = list->items[i];
	}
	list->items = items;
	list->n = kept;
	return 0;
}
