/*
 * advise.h - one recommendation: workload, prices, limits, rules and disk models in, a plan out.
 *
 * A function from structs to a struct: nothing is read or printed here.  Everything in the plan
 * lives in the arena or is borrowed from the input, which must outlive it.
 */
#ifndef ADVISE_ADVISE_H
#define ADVISE_ADVISE_H

#include "advise/plan.h"
#include "advise/search.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "model/disk.h"
#include "model/engine.h"
#include "price/book.h"
#include "price/limits.h"
#include "rule/rule.h"
#include "workload/workload.h"

/* How a disk behaves, and which candidates it speaks for. */
struct advise_model {
	const struct disk_model *model;
	const struct disk_model
		*light; /* disk_model_light(): for other sizes of its tier; NULL: model */
	/* --profile KEY=FILE: a role ("wal"), a family ("premium_ssd") or a SKU ("P30"); NULL: one of
	 * the shipped profiles, which speaks for its own family or SKU */
	const char *key;
	const char *path;
	const struct profile_quality *quality; /* of the measurement; NULL: the profile says none */
	const struct profile_cache *cache; /* NULL: not tested */
};

/* What the search for the plan did: for those who want to know why it is sure of its answer. */
struct advise_search {
	size_t n_volumes, n_machines; /* of the workload */
	const char *label[SEARCH_MAX_VOLUMES]; /* of the volumes, in the order of counts */
	size_t candidates[SEARCH_MAX_VOLUMES]; /* made for the volume, on all machines */
	struct search_counts counts;
	size_t predictions; /* of the database */
	bool found;
	double stripe_saving_frac; /* stripes that save less were not offered */
	double monthly; /* the optimum, machines where they count; its bound is counts.root_bound */
};

struct advise_input {
	const struct workload *workload;
	const struct engine *engine; /* with the workload's way of committing (transaction.h) */
	const struct price_book *book;
	const struct limits *limits;
	const struct rule_pack *rules; /* NULL: none */
	const struct advise_model *models;
	size_t n_models;
	struct plan_input *inputs; /* files read, for the plan */
	size_t n_inputs;
	const char *tool; /* "tierwise 0.1.0" */
	double price_age_days;
	const struct findings *findings; /* of the loading; NULL: none */
	struct advise_search *search; /* where to put what the search did; NULL: nowhere */
	bool brief; /* the decision and its reasons: no front of cost and p99, no break-even */
};

/*
 * Make the plan.  0 when every volume got a configuration whose price is known and the budget
 * holds.  ERR_BUDGET, ERR_INFEASIBLE, ERR_INCONCLUSIVE (nothing is known to fit, and only unknown
 * latencies stand in the way) and ERR_PRICE come with a complete *plan that says what is wrong: print
 * it before failing.  With any other code *plan is not to be used: ERR_RANGE (demand
 * or machine not usable), ERR_NOT_FOUND (no such machine), ERR_NOMEM.
 */
int advise_plan(const struct advise_input *in, struct arena *a, struct plan *plan, struct err *err);

#endif /* ADVISE_ADVISE_H */
