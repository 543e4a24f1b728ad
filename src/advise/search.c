#include "advise/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs closer than this share of a unit of money are the same cost. */
static const double same_cost = 1e-9;

struct ranked {
	const struct search_item *item;
	size_t index; /* in the volume's own list */
};

struct node {
	double cost, penalty;
	double used[SEARCH_CAPS];
	double worst[SEARCH_QUALITIES]; /* of the joint volumes chosen */
};

/* The last choices looked at for the same number of volumes; more would cost more than they save. */
enum { SEEN = 256 };

struct seen {
	struct node nodes[SEEN];
	size_t n, next;
};

struct walk {
	const struct search_problem *p;
	const struct search_machine *machine;
	size_t machine_index;
	struct ranked *items[SEARCH_MAX_VOLUMES];
	size_t n[SEARCH_MAX_VOLUMES];
	struct node rest[SEARCH_MAX_VOLUMES + 1]; /* least of everything from volume i on */
	size_t choice[SEARCH_MAX_VOLUMES];
	struct seen *seen; /* by number of volumes chosen */
	struct search_result *best;
};

static int
by_cost(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->item->cost < y->item->cost || x->item->cost > y->item->cost)
		return x->item->cost < y->item->cost ? -1 : 1;
	if (x->item->penalty < y->item->penalty || x->item->penalty > y->item->penalty)
		return x->item->penalty < y->item->penalty ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* a costs no more and asks for no more than b in anything that can matter. */
static bool
dominates(const struct search_item *a, const struct search_item *b, bool joint)
{
	bool ok = a->cost <= b->cost && a->penalty <= b->penalty;
	for (size_t i = 0; i < SEARCH_CAPS && ok; i++)
		ok = a->use[i] <= b->use[i];
	for (size_t i = 0; i < SEARCH_QUALITIES && ok && joint; i++)
		ok = a->quality[i] <= b->quality[i];
	return ok;
}

/* Sorted, without dominated items: since the list is sorted, only earlier ones can dominate. */
static int
rank(struct walk *w, size_t v, struct arena *a, struct err *err)
{
	const struct search_volume *volume = &w->machine->volumes[v];
	struct ranked *list = arena_array(a, volume->n ? volume->n : 1, sizeof(*list));
	if (!list)
		return err_nomem(err);
	for (size_t i = 0; i < volume->n; i++)
		list[i] = (struct ranked){&volume->items[i], i};
	qsort(list, volume->n, sizeof(*list), by_cost);
	size_t kept = 0;
	for (size_t i = 0; i < volume->n; i++) {
		bool drop = false;
		for (size_t j = 0; j < kept && !drop; j++)
			drop = dominates(list[j].item, list[i].item, v < w->p->n_joint);
		if (!drop)
			list[kept++] = list[i];
	}
	w->items[v] = list;
	w->n[v] = kept;
	return 0;
}

/* Per volume the least cost, least penalty, least use: each a bound, not one item. */
static void
sum_rest(struct walk *w)
{
	w->rest[w->p->n_volumes] = (struct node){0};
	for (size_t v = w->p->n_volumes; v-- > 0;) {
		struct node least = {.cost = INFINITY, .penalty = INFINITY};
		for (size_t i = 0; i < SEARCH_CAPS; i++)
			least.used[i] = INFINITY;
		for (size_t k = 0; k < w->n[v]; k++) {
			const struct search_item *item = w->items[v][k].item;
			least.cost = fmin(least.cost, item->cost);
			least.penalty = fmin(least.penalty, item->penalty);
			for (size_t i = 0; i < SEARCH_CAPS; i++)
				least.used[i] = fmin(least.used[i], item->use[i]);
		}
		w->rest[v].cost = least.cost + w->rest[v + 1].cost;
		w->rest[v].penalty = least.penalty + w->rest[v + 1].penalty;
		for (size_t i = 0; i < SEARCH_CAPS; i++)
			w->rest[v].used[i] = least.used[i] + w->rest[v + 1].used[i];
	}
}

/* Could this node with the best of the rest still win? */
static bool
can_win(const struct walk *w, const struct node *at, size_t next)
{
	const struct search_result *best = w->best;
	double cost = at->cost + w->rest[next].cost;
	if (!best->found || cost < best->cost - same_cost)
		return isfinite(cost);
	if (cost > best->cost + same_cost)
		return false;
	return at->penalty + w->rest[next].penalty < best->penalty - same_cost;
}

static bool
fits(const struct walk *w, const struct node *at, size_t next)
{
	for (size_t i = 0; i < SEARCH_CAPS; i++) {
		double cap = w->machine->cap[i];
		/* sums in another order may differ in the last bits */
		if (at->used[i] + w->rest[next].used[i] > cap + 1e-9 * fabs(cap))
			return false;
	}
	return true;
}

static struct node
add(const struct node *at, const struct search_item *item, bool joint)
{
	struct node next = *at;
	next.cost += item->cost;
	next.penalty += item->penalty;
	for (size_t i = 0; i < SEARCH_CAPS; i++)
		next.used[i] += item->use[i];
	for (size_t i = 0; i < SEARCH_QUALITIES && joint; i++)
		next.worst[i] = fmax(next.worst[i], item->quality[i]);
	return next;
}

static bool
no_worse(const struct node *a, const struct node *b, bool joint)
{
	bool ok = a->cost <= b->cost && a->penalty <= b->penalty;
	for (size_t i = 0; i < SEARCH_CAPS && ok; i++)
		ok = a->used[i] <= b->used[i];
	for (size_t i = 0; i < SEARCH_QUALITIES && ok && joint; i++)
		ok = a->worst[i] <= b->worst[i];
	return ok;
}

/*
 * Was a choice for the first v volumes that is no worse looked at before?  Everything that follows
 * this one was then tried after that one.  Once all joint volumes are chosen, their qualities have
 * done what they can.
 */
static bool
seen_better(struct walk *w, size_t v, const struct node *at)
{
	struct seen *s = &w->seen[v];
	for (size_t i = 0; i < s->n; i++) {
		if (no_worse(&s->nodes[i], at, v < w->p->n_joint))
			return true;
	}
	s->nodes[s->next] = *at;
	s->next = (s->next + 1) % SEEN;
	s->n = s->n < SEEN ? s->n + 1 : SEEN;
	return false;
}

static void
take(struct walk *w, const struct node *at)
{
	w->best->found = true;
	w->best->cost = at->cost;
	w->best->penalty = at->penalty;
	w->best->machine = w->machine_index;
	memcpy(w->best->choice, w->choice, sizeof(w->choice));
}

static void
descend(struct walk *w, size_t v, const struct node *at) /* NOLINT(misc-no-recursion) */
{
	if (v > 0 && v <= w->p->n_joint && w->p->joint &&
		!w->p->joint(w->p->ctx, w->machine_index, w->choice, v))
		return;
	if (v == w->p->n_volumes) {
		take(w, at);
		return;
	}
	if (v > 1 && seen_better(w, v, at))
		return;
	for (size_t k = 0; k < w->n[v]; k++) {
		struct node next = add(at, w->items[v][k].item, v < w->p->n_joint);
		w->best->visited++;
		if (w->best->found && next.cost + w->rest[v + 1].cost > w->best->cost + same_cost)
			break; /* sorted: the others cost more */
		if (!can_win(w, &next, v + 1) || !fits(w, &next, v + 1))
			continue;
		w->choice[v] = w->items[v][k].index;
		descend(w, v + 1, &next);
	}
}

int
search_solve(
	const struct search_problem *p, struct arena *a, struct search_result *out, struct err *err)
{
	*out = (struct search_result){.cost = INFINITY, .penalty = INFINITY};
	if (p->n_volumes > SEARCH_MAX_VOLUMES)
		return err_set(err, ERR_RANGE, "%zu volumes: at most %d", p->n_volumes,
			SEARCH_MAX_VOLUMES);
	struct walk *w = arena_alloc(a, sizeof(*w));
	struct seen *seen = arena_array(a, p->n_volumes + 1, sizeof(*seen));
	if (!w || !seen)
		return err_nomem(err);
	for (size_t m = 0; m < p->n_machines; m++) {
		*w = (struct walk){.p = p,
			.machine = &p->machines[m],
			.machine_index = m,
			.seen = seen,
			.best = out};
		for (size_t v = 0; v <= p->n_volumes; v++)
			seen[v].n = seen[v].next = 0;
		for (size_t v = 0; v < p->n_volumes; v++) {
			int rc = rank(w, v, a, err);
			if (rc)
				return rc;
		}
		sum_rest(w);
		struct node root = {.cost = p->machines[m].cost};
		if (can_win(w, &root, 0) && fits(w, &root, 0))
			descend(w, 0, &root);
	}
	return 0;
}
