/*
 * search_internal.h - one machine of a search as branch and bound sees it; shared by search*.c alone.
 */
#ifndef ADVISE_SEARCH_INTERNAL_H
#define ADVISE_SEARCH_INTERNAL_H

#include "advise/search.h"

/* Costs, and sums of penalties, closer than this are the same. */
#define SEARCH_SAME 1e-9

/* An item with what can matter on this machine: 0 is the use of a cap that cannot bind, and every quality
 * where joint() cannot say no. */
struct ranked {
	double cost, penalty;
	double use[SEARCH_CAPS];
	double quality[SEARCH_QUALITIES];
	double priced; /* cost + what its uses cost at the prices of the caps */
	size_t index; /* in the volume's own list */
};

/* The least, over items, of every volume from here on: sums; each a bound, not one choice. */
struct rest {
	double cost, priced;
	double penalty; /* of items among the cheapest of their volume */
	double priced_penalty; /* of items among the least priced */
	double used[SEARCH_CAPS];
	double quality[SEARCH_QUALITIES]; /* largest over the joint volumes of their least */
};

/* Qualities joint() was asked about. */
struct answers {
	double (*items)[SEARCH_QUALITIES];
	size_t n;
};

struct field {
	const struct search_problem *p;
	const struct search_machine *machine;
	size_t index; /* of the machine */
	size_t n_joint; /* 0 where joint() cannot say no */
	struct ranked *items[SEARCH_MAX_VOLUMES]; /* sorted */
	size_t n[SEARCH_MAX_VOLUMES];
	bool binds[SEARCH_CAPS]; /* whether more than the cap can be used */
	double price[SEARCH_CAPS]; /* Lagrange multipliers, per unit of use */
	double cap_value; /* sum of price x cap */
	struct rest rest[SEARCH_MAX_VOLUMES + 1];
	double scale; /* the largest sum of costs there can be */
	double bound; /* no choice on this machine costs less */
	struct answers yes, no;
	struct arena *arena;
	struct search_counts *counts;
	bool failed; /* out of memory */
};

/* Largest difference that rounding makes between two ways to sum up a bound. */
double field_rounding(const struct field *f);

/* Does joint() agree to these qualities?  Answers before that imply this one are not asked again. */
bool field_agrees(struct field *f, const double quality[SEARCH_QUALITIES]);

/* Whether uses, with the least of the volumes from `next` on, hold. */
bool field_holds(const struct field *f, const double used[SEARCH_CAPS], size_t next);

/* Recompute rest[] from the items there are. */
void field_sum(struct field *f);

/* Lists of one machine without dominated and hopeless items.  False: a volume has none left. */
bool field_reduce(struct field *f);

/* Prices of the caps, and the bound they give. */
void field_price(struct field *f);

/* Cost of some choice that holds, at most `limit`; INFINITY: none was found. */
double field_try(struct field *f, double limit);

/* Drop items that no choice of cost `limit` or less has.  False: a volume has none left. */
bool field_limit(struct field *f, double limit);

#endif /* ADVISE_SEARCH_INTERNAL_H */
