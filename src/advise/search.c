#include "advise/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/search_internal.h"

struct node {
	double cost, penalty, priced;
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
	struct field *field;
	size_t choice[SEARCH_MAX_VOLUMES];
	struct seen *seen; /* by number of volumes chosen */
	double limit; /* some choice costs this; nothing above it is looked for */
	struct search_result *best;
};

/* Could a choice of at least this cost, and this penalty where it ties, still win? */
static bool
can_win(const struct walk *w, double cost, double penalty)
{
	const struct search_result *best = w->best;
	if (!best->found)
		return cost <= w->limit + SEARCH_SAME;
	if (cost < best->cost - SEARCH_SAME)
		return true;
	if (cost > best->cost + SEARCH_SAME || penalty > best->penalty + SEARCH_SAME)
		return false;
	return penalty < best->penalty - SEARCH_SAME || w->field->index < best->machine;
}

/* By both bounds, with the least of the volumes from `next` on. */
static bool
has_hope(const struct walk *w, const struct node *at, size_t next)
{
	const struct field *f = w->field;
	const struct rest *rest = &f->rest[next];
	double priced = at->priced + rest->priced - f->cap_value - field_rounding(f);
	return can_win(w, at->cost + rest->cost, at->penalty + rest->penalty) &&
	       can_win(w, priced, at->penalty + rest->priced_penalty);
}

/* Beside the best that the volumes from `next` on still have. */
static bool
agrees(const struct walk *w, const struct node *at, size_t next)
{
	double quality[SEARCH_QUALITIES];
	if (w->field->n_joint == 0 || next > w->field->n_joint)
		return true; /* nothing was added */
	for (size_t q = 0; q < SEARCH_QUALITIES; q++)
		quality[q] = fmax(at->worst[q], w->field->rest[next].quality[q]);
	return field_agrees(w->field, quality);
}

static struct node
add(const struct node *at, const struct ranked *item)
{
	struct node next = *at;
	next.cost += item->cost;
	next.penalty += item->penalty;
	next.priced += item->priced;
	for (size_t i = 0; i < SEARCH_CAPS; i++)
		next.used[i] += item->use[i];
	for (size_t i = 0; i < SEARCH_QUALITIES; i++)
		next.worst[i] = fmax(next.worst[i], item->quality[i]);
	return next;
}

static bool
no_worse(const struct node *a, const struct node *b, bool joint)
{
	bool cheaper = a->cost < b->cost - 4 * SEARCH_SAME; /* then penalties cannot matter */
	bool ok = a->cost <= b->cost && (cheaper || a->penalty <= b->penalty);
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
		if (no_worse(&s->nodes[i], at, v < w->field->n_joint))
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
	w->best->machine = w->field->index;
	memcpy(w->best->choice, w->choice, sizeof(w->choice));
}

/* Whether the branch is worth going down; counts what ends it. */
static bool
goes_on(const struct walk *w, const struct node *at, size_t next)
{
	struct search_counts *counts = w->field->counts;
	if (!has_hope(w, at, next)) {
		counts->cut_by_cost++;
		return false;
	}
	if (!field_holds(w->field, at->used, next)) {
		counts->cut_by_cap++;
		return false;
	}
	if (!agrees(w, at, next)) {
		counts->cut_by_joint++;
		return false;
	}
	return true;
}

static void
descend(struct walk *w, size_t v, const struct node *at) /* NOLINT(misc-no-recursion) */
{
	const struct field *f = w->field;
	if (v == f->p->n_volumes) {
		take(w, at);
		return;
	}
	if (v > 1 && seen_better(w, v, at)) {
		f->counts->cut_by_seen++;
		return;
	}
	for (size_t k = 0; k < f->n[v]; k++) {
		const struct ranked *item = &f->items[v][k];
		struct node next = add(at, item);
		double limit = w->best->found ? w->best->cost : w->limit;
		f->counts->visited++;
		if (next.cost + f->rest[v + 1].cost > limit + SEARCH_SAME) {
			f->counts->cut_by_cost++;
			break; /* sorted: the others cost more */
		}
		if (!goes_on(w, &next, v + 1))
			continue;
		w->choice[v] = item->index;
		descend(w, v + 1, &next);
	}
}

/* ---- the machines ---- */

/* A machine and what its choices cost at least, as far as it is known. */
struct turn {
	struct field *field;
	size_t index;
	double bound;
};

static int
by_bound(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->bound < y->bound || x->bound > y->bound)
		return x->bound < y->bound ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* The cheapest item of every volume, whatever it uses. */
static double
plain_bound(const struct search_machine *machine, size_t n_volumes)
{
	double sum = machine->cost;
	for (size_t v = 0; v < n_volumes; v++) {
		const struct search_volume *volume = &machine->volumes[v];
		double least = INFINITY;
		for (size_t i = 0; i < volume->n; i++)
			least = fmin(least, volume->items[i].cost);
		sum += least;
	}
	return sum;
}

/* Reduce a machine's lists and find its bound, INFINITY where nothing holds; *limit falls to the cost of a
 * choice found on the way. */
static int
prepare(const struct search_problem *p, struct turn *t, struct arena *a,
	struct search_counts *counts, double *limit)
{
	struct field *f = arena_alloc(a, sizeof(*f));
	if (!f)
		return ERR_NOMEM;
	*f = (struct field){.p = p,
		.machine = &p->machines[t->index],
		.index = t->index,
		.n_joint = p->joint ? p->n_joint : 0,
		.arena = a,
		.counts = counts};
	t->field = f;
	t->bound = INFINITY;
	counts->machines++;
	if (field_reduce(f)) {
		field_price(f);
		t->bound = f->bound;
		if (f->bound <= *limit + SEARCH_SAME)
			*limit = fmin(*limit, field_try(f, *limit));
	}
	return f->failed ? ERR_NOMEM : 0;
}

static int
look_at(struct walk *w, struct turn *t)
{
	struct field *f = t->field;
	double limit = w->best->found ? fmin(w->limit, w->best->cost) : w->limit;
	w->field = f;
	struct node root = {.cost = f->machine->cost, .priced = f->machine->cost};
	if (!has_hope(w, &root, 0) || !field_limit(f, limit) || !field_holds(f, root.used, 0) ||
		!agrees(w, &root, 0))
		return 0;
	for (size_t v = 0; v <= f->p->n_volumes; v++)
		w->seen[v].n = w->seen[v].next = 0;
	descend(w, 0, &root);
	return f->failed ? ERR_NOMEM : 0;
}

static int
solve(const struct search_problem *p, struct walk *w, struct turn *turns, struct arena *a)
{
	struct search_counts *counts = &w->best->counts;
	size_t n = 0;
	int rc = 0;
	for (size_t m = 0; m < p->n_machines; m++)
		turns[m] = (struct turn){NULL, m, plain_bound(&p->machines[m], p->n_volumes)};
	qsort(turns, p->n_machines, sizeof(*turns), by_bound);
	while (n < p->n_machines && turns[n].bound <= w->limit + SEARCH_SAME &&
		isfinite(turns[n].bound) && rc == 0)
		rc = prepare(p, &turns[n++], a, counts, &w->limit);
	qsort(turns, n, sizeof(*turns), by_bound);
	counts->root_bound = n ? turns[0].bound : (double)INFINITY;
	for (size_t i = 0; i < n && rc == 0 && isfinite(turns[i].bound); i++)
		rc = look_at(w, &turns[i]);
	return rc;
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
	struct turn *turns = arena_array(a, p->n_machines + 1, sizeof(*turns));
	if (!w || !turns)
		return err_nomem(err);
	*w = (struct walk){.best = out, .limit = INFINITY};
	w->seen = arena_array(a, p->n_volumes + 1, sizeof(*w->seen));
	if (!w->seen || solve(p, w, turns, a))
		return err_nomem(err);
	return 0;
}
