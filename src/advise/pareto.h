/*
 * pareto.h - which plans no other plan beats in both cost and p99.
 *
 * Every constraint holds but the latencies: from the cheapest plan of all to the fastest the budget
 * allows.  Exact: the same search again and again, each time with a limit just below the p99 of the
 * plan before (the epsilon constraint method; Haimes, Lasdon and Wismer 1971), until nothing fits.
 * What one step finds costs least under its limit, so no plan is cheaper and as fast; a plan found at
 * the same cost as the one before takes its place.
 *
 * p99 is the figure the search judges by (choose.h).  Plans closer than a 10^8th part in p99, or than
 * 10^-6 in money, are the same.
 */
#ifndef ADVISE_PARETO_H
#define ADVISE_PARETO_H

#include "advise/choose.h"

/* Plans of a front that a plan document holds, and searches for more at most. */
enum { PARETO_MOST = 64, PARETO_STEPS = 512 };

struct pareto_point {
	struct choice choice;
	double p99_ms;
};

struct pareto_front {
	struct pareto_point points[PARETO_MOST]; /* cheapest and slowest first */
	size_t n;
	size_t left_out; /* before the last: the cheapest and the fastest are kept */
	bool more; /* the front goes on to faster plans than the last: PARETO_STEPS were made */
	bool over_budget; /* it goes on beyond the budget */
	double next_monthly; /* then: what the next one costs */
};

/*
 * Among the choices of a filter, whose pace and relaxed latencies are set here.  budget: most a plan may
 * cost a month; INFINITY: any.  ERR_NOMEM.
 */
int pareto_front(struct chooser *c, const struct choose_filter *among, enum choose_pace pace,
	double budget, struct pareto_front *out, struct err *err);

#endif /* ADVISE_PARETO_H */
