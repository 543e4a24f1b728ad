/*
 * fleet.h - many recommendations in one: the document "tierwise/fleet/1", a row for each workload.
 *
 * A row is what a plan says in one line; the plan itself is made again with `recommend` of that
 * workload alone, which gives the same.  Written by `recommend --fleet`.
 */
#ifndef ADVISE_FLEET_H
#define ADVISE_FLEET_H

#include <stdint.h>

#include "advise/plan.h"

struct fleet_row {
	int64_t line; /* of the stream; the first is 1 */
	const char *name; /* of the workload; NULL: it could not be read */
	const char *provider, *region, *engine, *currency;
	int64_t status; /* what `recommend` of it alone would exit with */
	int verdict; /* enum plan_verdict; -1: no plan */
	const char *placement; /* "wal on P15; data on 2 x P30" */
	const char *machine;
	double monthly; /* all machines; NaN: no plan; at least, when not complete */
	int complete; /* flag: every price in it is known */
	double max_tps;
	const char *tightest; /* the promise with the least room, in words */
	const char *why; /* when the status is not 0 */
	const char **warnings; /* codes of its warnings, each once */
	size_t n_warnings;
};

struct fleet {
	const char *created, *tool, *source; /* source: the stream */
	struct fleet_row *rows;
	size_t n_rows;
};

extern const struct schema fleet_schema;
extern const struct schema *const fleet_row_schema;

/* A row of a plan; texts are the plan's or in the arena.  Line, status and why are the caller's.  ERR_NOMEM. */
int fleet_row_of(const struct plan *plan, struct arena *a, struct fleet_row *row, struct err *err);

#endif /* ADVISE_FLEET_H */
