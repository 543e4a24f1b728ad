/*
 * search_reduce.c - the items of one machine that can matter: those that fit beside the least of every
 * other volume, that joint() does not refuse beside the best of them, and that nothing dominates.
 *
 * A cap that all the largest uses together do not fill cannot bind: its uses count no more, and then more
 * items are dominated.  The steps repeat until none helps another.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/search_internal.h"

static int
by_cost(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->cost < y->cost || x->cost > y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->penalty < y->penalty || x->penalty > y->penalty)
		return x->penalty < y->penalty ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool
load(struct field *f)
{
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		const struct search_volume *volume = &f->machine->volumes[v];
		struct ranked *list = arena_array(
			f->arena, volume->n ? volume->n : 1, sizeof(*list));
		f->failed = f->failed || !list;
		if (!list)
			return false;
		for (size_t i = 0; i < volume->n; i++) {
			const struct search_item *item = &volume->items[i];
			list[i] = (struct ranked){
				.cost = item->cost, .penalty = item->penalty, .index = i};
			memcpy(list[i].use, item->use, sizeof(item->use));
			if (v < f->n_joint)
				memcpy(list[i].quality, item->quality, sizeof(item->quality));
		}
		qsort(list, volume->n, sizeof(*list), by_cost);
		f->items[v] = list;
		f->n[v] = volume->n;
		f->scale += volume->n ? list[volume->n - 1].cost : 0;
		f->counts->volumes[v].offered += volume->n;
	}
	return true;
}

static bool
implied(const double *a, const double *b)
{
	bool ok = true;
	for (size_t q = 0; q < SEARCH_QUALITIES && ok; q++)
		ok = a[q] <= b[q];
	return ok;
}

static void
remember(struct field *f, struct answers *answers, const double quality[SEARCH_QUALITIES])
{
	double(*grown)[SEARCH_QUALITIES] = arena_grow(
		f->arena, answers->items, answers->n, sizeof(*grown));
	f->failed = f->failed || !grown;
	if (!grown)
		return;
	answers->items = grown;
	memcpy(grown[answers->n++], quality, sizeof(*grown));
}

bool
field_agrees(struct field *f, const double quality[SEARCH_QUALITIES])
{
	for (size_t i = f->yes.n; i-- > 0;) {
		if (implied(quality, f->yes.items[i]))
			return true;
	}
	for (size_t i = f->no.n; i-- > 0;) {
		if (implied(f->no.items[i], quality))
			return false;
	}
	bool yes = f->p->joint(f->p->ctx, f->index, quality);
	f->counts->asked++;
	remember(f, yes ? &f->yes : &f->no, quality);
	return yes;
}

bool
field_holds(const struct field *f, const double used[SEARCH_CAPS], size_t next)
{
	for (size_t c = 0; c < SEARCH_CAPS; c++) {
		double cap = f->machine->cap[c];
		/* sums in another order may differ in the last bits */
		if (f->binds[c] && used[c] + f->rest[next].used[c] > cap + 1e-9 * fabs(cap))
			return false;
	}
	return true;
}

static void
least_of(const struct field *f, size_t v, struct rest *least)
{
	*least = (struct rest){.cost = INFINITY,
		.priced = INFINITY,
		.penalty = INFINITY,
		.priced_penalty = INFINITY};
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		least->used[c] = INFINITY;
	for (size_t q = 0; q < SEARCH_QUALITIES; q++)
		least->quality[q] = v < f->n_joint ? INFINITY : 0;
	for (size_t k = 0; k < f->n[v]; k++) {
		const struct ranked *item = &f->items[v][k];
		least->cost = fmin(least->cost, item->cost);
		least->priced = fmin(least->priced, item->priced);
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			least->used[c] = fmin(least->used[c], item->use[c]);
		for (size_t q = 0; q < SEARCH_QUALITIES; q++)
			least->quality[q] = fmin(least->quality[q], item->quality[q]);
	}
	/* in a choice that ties, every open volume has an item that ties with its least */
	double room = 4 * (SEARCH_SAME + field_rounding(f));
	for (size_t k = 0; k < f->n[v]; k++) {
		const struct ranked *item = &f->items[v][k];
		if (item->cost <= least->cost + room)
			least->penalty = fmin(least->penalty, item->penalty);
		if (item->priced <= least->priced + room)
			least->priced_penalty = fmin(least->priced_penalty, item->penalty);
	}
}

void
field_sum(struct field *f)
{
	f->rest[f->p->n_volumes] = (struct rest){0};
	for (size_t v = f->p->n_volumes; v-- > 0;) {
		const struct rest *after = &f->rest[v + 1];
		struct rest *r = &f->rest[v];
		least_of(f, v, r);
		r->cost += after->cost;
		r->priced += after->priced;
		r->penalty += after->penalty;
		r->priced_penalty += after->priced_penalty;
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			r->used[c] += after->used[c];
		for (size_t q = 0; q < SEARCH_QUALITIES; q++)
			r->quality[q] = fmax(r->quality[q], after->quality[q]);
	}
}

/* Which caps can bind; uses of the others are 0 from now on.  True: one more cannot. */
static bool
free_caps(struct field *f)
{
	bool changed = false;
	for (size_t c = 0; c < SEARCH_CAPS; c++) {
		double most = 0, cap = f->machine->cap[c];
		for (size_t v = 0; v < f->p->n_volumes && f->binds[c]; v++) {
			double largest = 0;
			for (size_t k = 0; k < f->n[v]; k++)
				largest = fmax(largest, f->items[v][k].use[c]);
			most += largest;
		}
		if (!f->binds[c] || most > cap)
			continue;
		f->binds[c] = false;
		changed = true;
		for (size_t v = 0; v < f->p->n_volumes; v++) {
			for (size_t k = 0; k < f->n[v]; k++)
				f->items[v][k].use[c] = 0;
		}
	}
	return changed;
}

/* Whether the item of volume v holds beside the least of every other one, in the caps and for joint(). */
static bool
has_hope(struct field *f, size_t v, const struct rest *own, const struct ranked *item)
{
	const double *least = f->rest[0].used;
	for (size_t c = 0; c < SEARCH_CAPS; c++) {
		double cap = f->machine->cap[c];
		if (f->binds[c] && least[c] - own->used[c] + item->use[c] > cap + 2e-9 * fabs(cap))
			return false;
	}
	if (v >= f->n_joint)
		return true;
	double quality[SEARCH_QUALITIES];
	for (size_t q = 0; q < SEARCH_QUALITIES; q++)
		quality[q] = fmax(item->quality[q], f->rest[0].quality[q]);
	return field_agrees(f, quality);
}

static bool
drop_hopeless(struct field *f)
{
	bool changed = false;
	field_sum(f);
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		size_t kept = 0;
		struct rest own;
		least_of(f, v, &own);
		for (size_t k = 0; k < f->n[v]; k++) {
			if (has_hope(f, v, &own, &f->items[v][k]))
				f->items[v][kept++] = f->items[v][k];
		}
		changed = changed || kept < f->n[v];
		f->n[v] = kept;
	}
	return changed;
}

/* When joint() agrees to the worst of everything it need not be asked. */
static bool
free_joint(struct field *f)
{
	double worst[SEARCH_QUALITIES] = {0};
	if (f->n_joint == 0)
		return false;
	for (size_t v = 0; v < f->n_joint; v++) {
		for (size_t k = 0; k < f->n[v]; k++) {
			for (size_t q = 0; q < SEARCH_QUALITIES; q++)
				worst[q] = fmax(worst[q], f->items[v][k].quality[q]);
		}
	}
	if (!field_agrees(f, worst))
		return false;
	for (size_t v = 0; v < f->n_joint; v++) {
		for (size_t k = 0; k < f->n[v]; k++)
			memset(f->items[v][k].quality, 0, sizeof(f->items[v][k].quality));
	}
	f->n_joint = 0;
	return true;
}

/* a, which is earlier in the list, asks for no more than b in anything that can matter; where it costs less,
 * penalties cannot. */
static bool
dominates(const struct ranked *a, const struct ranked *b)
{
	bool ok = a->penalty <= b->penalty || a->cost < b->cost - 4 * SEARCH_SAME;
	for (size_t c = 0; c < SEARCH_CAPS && ok; c++)
		ok = a->use[c] <= b->use[c];
	return ok && implied(a->quality, b->quality);
}

/* Since a list is sorted, only earlier items can dominate; what dominated last is tried first. */
static void
drop_dominated(struct field *f)
{
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		struct ranked *list = f->items[v];
		size_t kept = 0, last = 0;
		for (size_t i = 0; i < f->n[v]; i++) {
			bool drop = last < kept && dominates(&list[last], &list[i]);
			for (size_t j = 0; j < kept && !drop; j++) {
				drop = dominates(&list[j], &list[i]);
				last = drop ? j : last;
			}
			if (!drop)
				list[kept++] = list[i];
		}
		f->n[v] = kept;
	}
}

static bool
has_items(const struct field *f)
{
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		if (f->n[v] == 0)
			return false;
	}
	return true;
}

bool
field_reduce(struct field *f)
{
	if (!load(f))
		return false;
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		f->binds[c] = true;
	bool changed = true;
	while (changed && has_items(f)) {
		(void)free_caps(f);
		drop_dominated(f);
		changed = drop_hopeless(f) && has_items(f);
		changed = has_items(f) && (free_joint(f) || changed);
	}
	for (size_t v = 0; v < f->p->n_volumes; v++)
		f->counts->volumes[v].undominated += f->n[v];
	field_sum(f);
	return has_items(f) && !f->failed;
}

bool
field_limit(struct field *f, double limit)
{
	double room = limit + SEARCH_SAME + field_rounding(f) - f->bound;
	for (size_t v = 0; v < f->p->n_volumes && isfinite(limit); v++) {
		double least = f->rest[v].priced - f->rest[v + 1].priced;
		size_t kept = 0;
		for (size_t k = 0; k < f->n[v]; k++) {
			if (f->items[v][k].priced - least <= room + field_rounding(f))
				f->items[v][kept++] = f->items[v][k];
		}
		f->n[v] = kept;
	}
	for (size_t v = 0; v < f->p->n_volumes; v++)
		f->counts->volumes[v].left += f->n[v];
	field_sum(f);
	return has_items(f);
}
