/*
 * search.h - the cheapest joint choice: one machine, one item for each volume, under caps they share.
 *
 * Exact by branch and bound: items are sorted by cost, dominated ones dropped, volumes taken in the
 * given order; a branch ends when its cost plus the cheapest item of every volume left exceeds the
 * best found, when a shared cap cannot hold any more, or when an earlier choice for the same volumes
 * was no worse in cost, use and quality.  Knows nothing of disks; advise fills it.
 *
 * joint() may depend on nothing but, quality by quality, the largest of the items chosen, and less
 * must never be worse: that is what makes dropping a dominated item or choice exact.  Ties in cost go to the smaller sum of penalties, then to the earlier item.
 */
#ifndef ADVISE_SEARCH_H
#define ADVISE_SEARCH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum { SEARCH_CAPS = 7, SEARCH_QUALITIES = 7, SEARCH_MAX_VOLUMES = 64 };

struct search_item {
	double cost, penalty;
	double use[SEARCH_CAPS]; /* of the machine's caps */
	double quality[SEARCH_QUALITIES]; /* smaller is better; INFINITY: unknown */
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
 * Do the items choice[0 .. n) of the first volumes work together?  NULL: yes.  Asked after each of
 * the first n_joint volumes; with n < n_joint the rest is open, and no means that nothing chosen
 * there can help (else many volumes would be enumerated in full).
 */
typedef bool search_joint(void *ctx, size_t machine, const size_t *choice, size_t n);

struct search_problem {
	const struct search_machine *machines;
	size_t n_machines, n_volumes;
	size_t n_joint; /* volumes 0 .. n_joint-1 are decided together by joint() */
	search_joint *joint;
	void *ctx;
};

struct search_result {
	bool found;
	double cost, penalty;
	size_t machine;
	size_t choice[SEARCH_MAX_VOLUMES]; /* index into the volume's items */
	size_t visited; /* nodes looked at */
};

/* ERR_NOMEM only; nothing found is not an error.  Scratch memory comes from the arena. */
int search_solve(const struct search_problem *p, struct arena *a, struct search_result *out,
	struct err *err);

#endif /* ADVISE_SEARCH_H */
