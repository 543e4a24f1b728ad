/*
 * search_bound.c - what a choice on one machine costs at least, and a choice to begin with.
 *
 * The shared caps are priced (Lagrangian relaxation of the multiple-choice knapsack: Fisher, The Lagrangian
 * relaxation method for solving integer programming problems, Management Science 27, 1981): with a price p
 * for each unit of a cap used, the sum over volumes of the least of cost + p x use, less p x cap, is below
 * the cost of every choice that holds, whatever p >= 0.  The prices are raised along the subgradient (use
 * less cap) by steps after Polyak; any that come out are valid, better ones only prune more.
 */
#include <math.h>
#include <string.h>

#include "advise/search_internal.h"

enum { STEPS = 100, PATIENCE = 8 };

double
field_rounding(const struct field *f)
{
	return 1e-13 * (1 + f->scale + f->machine->cost + f->cap_value);
}

/* Uses and cost of the least priced item of every volume. */
struct relaxed {
	double used[SEARCH_CAPS];
	double cost, value;
};

static struct relaxed
relax(struct field *f, const double price[SEARCH_CAPS])
{
	struct relaxed r = {.cost = f->machine->cost, .value = f->machine->cost};
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		const struct ranked *best = NULL;
		double least = INFINITY;
		for (size_t k = 0; k < f->n[v]; k++) {
			const struct ranked *item = &f->items[v][k];
			if (item->cost >=
				least) /* sorted: the others cost more, and use is not below 0 */
				break;
			double priced = item->cost;
			for (size_t c = 0; c < SEARCH_CAPS; c++)
				priced += price[c] * item->use[c];
			if (priced < least) {
				least = priced;
				best = item;
			}
		}
		r.value += least;
		r.cost += best ? best->cost : 0;
		for (size_t c = 0; c < SEARCH_CAPS && best; c++)
			r.used[c] += best->use[c];
	}
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		r.value -= f->binds[c] ? price[c] * f->machine->cap[c] : 0;
	return r;
}

/* How far each cap is overdrawn, as a share of it; a cap that cannot bind, or is 0, takes no part. */
static double
overdrawn(const struct field *f, const struct relaxed *r, const double price[SEARCH_CAPS],
	double by[SEARCH_CAPS])
{
	double square = 0;
	for (size_t c = 0; c < SEARCH_CAPS; c++) {
		double cap = f->machine->cap[c];
		by[c] = f->binds[c] && cap > 0 ? r->used[c] / cap - 1 : 0;
		if (by[c] < 0 && price[c] <= 0)
			by[c] = 0; /* the price cannot fall below 0 */
		square += by[c] * by[c];
	}
	return square;
}

static void
ascend(struct field *f, struct relaxed *r)
{
	double price[SEARCH_CAPS] = {0}, best = r->value, upper = INFINITY, step = 1.5;
	int since = 0;
	memset(f->price, 0, sizeof(f->price));
	for (int i = 0; i < STEPS; i++) {
		double by[SEARCH_CAPS], square = overdrawn(f, r, price, by);
		if (square <= 0)
			return;
		if (field_holds(f, r->used, f->p->n_volumes))
			upper = fmin(upper, r->cost);
		double target = isfinite(upper) ? upper : 1.1 * best + 1;
		double length = step * fmax(target - r->value, 1e-6 * fabs(target)) / square;
		for (size_t c = 0; c < SEARCH_CAPS; c++) {
			if (f->binds[c] && f->machine->cap[c] > 0)
				price[c] = fmax(0, price[c] + length * by[c] / f->machine->cap[c]);
		}
		*r = relax(f, price);
		if (r->value > best) {
			best = r->value;
			memcpy(f->price, price, sizeof(price));
			since = 0;
		} else if (++since == PATIENCE) {
			step /= 2;
			since = 0;
		}
	}
}

static void
put_prices(struct field *f)
{
	f->cap_value = 0;
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		f->cap_value += f->binds[c] ? f->price[c] * f->machine->cap[c] : 0;
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		for (size_t k = 0; k < f->n[v]; k++) {
			struct ranked *item = &f->items[v][k];
			item->priced = item->cost;
			for (size_t c = 0; c < SEARCH_CAPS; c++)
				item->priced += f->price[c] * item->use[c];
		}
	}
}

void
field_price(struct field *f)
{
	struct relaxed r = relax(f, f->price);
	if (!field_holds(f, r.used, f->p->n_volumes))
		ascend(f, &r);
	put_prices(f);
	field_sum(f);
	f->bound = fmax(f->machine->cost + f->rest[0].cost,
		f->machine->cost + f->rest[0].priced - f->cap_value);
}

/* ---- a choice to begin with ---- */

struct dive {
	double cost, used[SEARCH_CAPS], quality[SEARCH_QUALITIES];
};

static bool
can_take(struct field *f, const struct dive *at, size_t v, const struct ranked *item,
	struct dive *next)
{
	*next = *at;
	next->cost += item->cost;
	for (size_t c = 0; c < SEARCH_CAPS; c++)
		next->used[c] += item->use[c];
	if (!field_holds(f, next->used, v + 1))
		return false;
	if (v >= f->n_joint)
		return true;
	double quality[SEARCH_QUALITIES];
	for (size_t q = 0; q < SEARCH_QUALITIES; q++) {
		next->quality[q] = fmax(next->quality[q], item->quality[q]);
		quality[q] = fmax(next->quality[q], f->rest[v + 1].quality[q]);
	}
	return field_agrees(f, quality);
}

/* Volume by volume the item of least cost + times x price x use that leaves the others room. */
static double
dive(struct field *f, double times, double limit)
{
	struct dive at = {.cost = f->machine->cost};
	for (size_t v = 0; v < f->p->n_volumes; v++) {
		struct dive best = at;
		double least = INFINITY;
		for (size_t k = 0; k < f->n[v]; k++) {
			const struct ranked *item = &f->items[v][k];
			double priced = item->cost + times * (item->priced - item->cost);
			struct dive next;
			if (priced < least && can_take(f, &at, v, item, &next)) {
				best = next;
				least = priced;
			}
		}
		if (isinf(least) || best.cost + f->rest[v + 1].cost > limit)
			return INFINITY;
		at = best;
	}
	return at.cost;
}

double
field_try(struct field *f, double limit)
{
	static const double times[] = {0, 1, 1.1, 1.3, 2, 4};
	double best = INFINITY;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (i == 0 || f->cap_value > 0)
			best = fmin(best, dive(f, times[i], fmin(best, limit)));
	}
	return best;
}
