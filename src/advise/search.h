/*
 * search.h - the cheapest joint choice: one machine, one item for each volume, under caps they share.
 *
 * Exact by branch and bound.  Of every volume the items that are dominated, that fit beside nothing, or that
 * cannot be part of anything as cheap as a choice already known go first (search_reduce.c); the bound prices
 * the shared caps by Lagrange multipliers (search_bound.c); machines are taken by their bound.  A branch
 * ends when its bound exceeds the best found, when a shared cap cannot hold any more, when joint() says no
 * even beside the best of the volumes left, or when an earlier choice for the same volumes was no worse
 * in cost, use and quality.  Knows nothing of disks; advise fills it.
 *
 * joint() sees, quality by quality, the largest of the items chosen, and less must never be worse: that is
 * what makes dropping a dominated item or choice exact, and one answer hold for many questions.
 * Ties in cost go to the smaller sum of penalties, then to the earlier machine, then to the earlier item of
 * the first volume that differs, items in the order of cost, penalty and place in the list.
 */
#ifndef ADVISE_SEARCH_H
#define ADVISE_SEARCH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum { SEARCH_CAPS = 17, SEARCH_QUALITIES = 8, SEARCH_MAX_VOLUMES = 64 };

struct search_item {
	double cost, penalty; /* 0 or more */
	double use[SEARCH_CAPS]; /* of the machine's caps; 0 or more */
	double quality[SEARCH_QUALITIES]; /* 0 or more, smaller is better; INFINITY: unknown */
};

struct search_volume {
	const struct search_item *items;
	size_t n;
};

struct search_machine {
	double cost;
	double cap[SEARCH_CAPS]; /* INFINITY: no cap */
	const struct search_volume *volumes; /* n_volumes of the problem */
};

/*
 * Do items work together on a machine whose largest qualities are `worst`?  Also asked while volumes
 * are open, with the best they still have: then no means that nothing chosen there can help.
 */
typedef bool search_joint(void *ctx, size_t machine, const double worst[SEARCH_QUALITIES]);

struct search_problem {
	const struct search_machine *machines;
	size_t n_machines, n_volumes;
	size_t n_joint; /* volumes 0 .. n_joint-1 are decided together by joint() */
	search_joint *joint; /* NULL: nothing is decided together */
	void *ctx;
};

/* What the search did: sums over the machines it looked at. */
struct search_counts {
	size_t machines; /* that were looked at; the others cost too much beside what was known */
	struct {
		size_t offered; /* items given */
		size_t undominated; /* and fitting beside the least of every other volume */
		size_t left; /* for branch and bound */
	} volumes[SEARCH_MAX_VOLUMES];
	size_t visited; /* nodes looked at */
	size_t cut_by_cost, cut_by_cap, cut_by_seen, cut_by_joint;
	size_t asked; /* questions to joint(); what answers before imply is not asked */
	double root_bound; /* no choice costs less; INFINITY: no machine has an item for every volume */
};

struct search_result {
	bool found;
	double cost, penalty;
	size_t machine;
	size_t choice[SEARCH_MAX_VOLUMES]; /* index into the volume's items */
	struct search_counts counts;
};

/* ERR_NOMEM, ERR_RANGE (too many volumes); nothing found is not an error.  Scratch memory comes from the
 * arena. */
int search_solve(const struct search_problem *p, struct arena *a, struct search_result *out,
	struct err *err);

#endif /* ADVISE_SEARCH_H */
