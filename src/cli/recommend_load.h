/*
 * recommend_load.h - what a recommendation stands on: prices, limits, the engine's document, rules and
 * disk models, read once for every workload of the same provider, region and engine.
 */
#ifndef CLI_RECOMMEND_LOAD_H
#define CLI_RECOMMEND_LOAD_H

#include "advise/advise.h"
#include "cli/command.h"
#include "model/engine_document.h"

/* As the command line gives them; NULL: the file of the data folder. */
struct recommend_files {
	const char *prices, *limits, *machines, *engine;
	struct cli_texts profiles, rules;
	double max_price_age; /* days; negative: any */
};

struct recommend_ground {
	struct cli_common *common; /* everything read lives in its arena */
	const struct recommend_files *files;
	struct price_book book;
	struct limits limits;
	struct engine_document engine;
	struct rule_pack rules;
	struct advise_model *models;
	size_t n_models;
	struct plan_input *inputs;
	size_t n_inputs;
	struct findings findings;
	double price_age_days;
	struct err stale; /* code ERR_STALE when the prices are too old */
};

/*
 * Read all that `w` needs.  Errors as the loaders have
 * them, ERR_NOT_FOUND when there is no book or no limits, ERR_RANGE when the book is of another
 * provider or currency.
 */
int recommend_ground_load(struct cli_common *c, const struct recommend_files *files,
	const struct workload *w, struct recommend_ground *g, struct err *err);

/*
 * The input of advise_plan() for a workload of that provider, region and engine; what is made for it
 * lives in `a`.  ERR_RANGE: another currency than the book's, or a way of committing that the engine
 * has not.
 */
int recommend_input(const struct recommend_ground *g, const struct workload *w, const char *name,
	const char *sha256, struct arena *a, struct advise_input *in, struct err *err);

/* Codes with which advise_plan() returns a plan all the same. */
bool recommend_has_plan(int rc);

/*
 * What a plan ends with: the outcome of advise_plan(), or ERR_STALE, with its text in *err, where the book is
 * too old and nothing worse is the matter.  Nothing fits and an unknown price are worse.
 */
int recommend_outcome(const struct recommend_ground *g, int outcome, struct err *err);

#endif /* CLI_RECOMMEND_LOAD_H */
