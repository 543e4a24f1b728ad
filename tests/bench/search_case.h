/*
 * search_case.h - workloads of 1, 4, 8 and 16 volumes over all Azure tiers and 10 machine sizes, with the
 * shipped prices, limits and models: what the search is measured and compared on.
 */
#ifndef BENCH_SEARCH_CASE_H
#define BENCH_SEARCH_CASE_H

#include "advise/advise.h"
#include "advise/choose.h"

enum { SEARCH_CASE_MODELS = 64 };

struct search_case {
	struct arena arena;
	struct workload workload;
	struct engine engine;
	struct limits limits;
	struct price_book book;
	struct rule_pack rules;
	struct disk_model models[SEARCH_CASE_MODELS];
	struct advise_model speaking[SEARCH_CASE_MODELS];
	struct advise_input in;
	struct findings findings;
	struct chooser chooser;
};

struct search_ask {
	size_t volumes; /* 1, 4, 8 or 16 */
	double tps; /* of the transaction profile; 0: no profile, so that nothing is decided together */
	double commit_p99_ms, tx_p99_ms; /* promises; NaN: none */
	double size; /* capacities and rates times this */
};

/* Load everything below the folder `source` and make all candidates; ends the program with a message when
 * that fails.  Release with search_case_fini(). */
void search_case_init(struct search_case *s, const char *source, const struct search_ask *ask);
void search_case_fini(struct search_case *s);

#endif /* BENCH_SEARCH_CASE_H */
