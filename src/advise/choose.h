/*
 * choose.h - every candidate of every volume on every machine offered, and the cheapest choice under
 * a filter: the plan itself, its runner-up, the baselines and the price of each constraint are the
 * same search with another filter.
 *
 * Money of one month, all machines.  A machine's price takes part only when several sizes are
 * offered; with one size it is the same in every choice and is left out of the totals.
 *
 * The search predicts from what each candidate does at the target rate, the plan by asking the curves at
 * every rate; at the target rate the two agree (tx_volume.h).
 *
 * Thin here: without a target rate the search counts light latencies; several data volumes are as the
 * slowest; CPU on the machine that carries the volumes.
 */
#ifndef ADVISE_CHOOSE_H
#define ADVISE_CHOOSE_H

#include "advise/candidate.h"
#include "advise/constraint.h"
#include "advise/search.h"

/* A size on one of its controllers. */
struct machine_option {
	const struct vm_limit *vm; /* NULL: the workload names no machine */
	double monthly; /* one machine; NaN: not known */
	const char *price_gap; /* NULL: known */
	struct candidate_site *sites; /* one per volume */
	struct candidate_list *lists; /* one per volume */
};

struct tx_memo;
struct sides; /* tx.c: scratch of a prediction */

struct chooser {
	const struct advise_input *in;
	struct arena *arena;
	struct findings *findings;
	struct demand_set set;
	double machines; /* count, 1 when not given */
	struct machine_option *options;
	size_t n_options;
	bool machine_counts; /* several sizes: the machine's price is part of the choice */
	/* set while no choice keeps the lag of the standbys: the plan then says so as a broken promise */
	bool lag_open;
	bool restore_open; /* chooser_let_restore_open() */
	struct candidate_memo
		*common[SEARCH_MAX_VOLUMES]; /* by volume: the same on every machine */
	size_t order[SEARCH_MAX_VOLUMES]; /* log and data volumes first */
	size_t n_joint;
	const char *tx_gap; /* why transactions cannot be predicted; NULL: they can */
	struct sides *sides;
	struct tx_memo **memo; /* by a hash of what a prediction depends on */
	size_t n_predictions; /* made so far, not remembered */
};

/* A 99th percentile that the whole choice is held to, beside the promises of the workload. */
enum choose_pace {
	CHOOSE_PACE_NONE,
	CHOOSE_PACE_TX, /* a whole transaction, as the database is predicted */
	CHOOSE_PACE_COMMIT, /* one flush, of the slowest volume that carries the log */
	CHOOSE_PACE_READ, /* one read, of the slowest data or index volume */
	CHOOSE_PACE_WRITE, /* one write, of the same */
	CHOOSE_PACE_COUNT
};

/* Prices a choice may lack.  The machine's counts only where it is part of the choice. */
enum choose_prices {
	CHOOSE_PRICED, /* none */
	CHOOSE_PRICED_DISKS, /* the machine's */
	CHOOSE_PRICED_WHERE_ANY, /* and that of a disk, where no priced one serves the volume by itself */
	CHOOSE_UNPRICED, /* any: all count at what is known of them */
	CHOOSE_PRICES_COUNT
};

struct choose_filter {
	unsigned relaxed; /* constraints not enforced: CONSTRAINT_BIT()s */
	bool bounded; /* those may be missed by `over` at most (constraint_over()) */
	double over;
	const char *family; /* only this tier; NULL: all */
	enum choose_prices prices; /* which may be missing */
	const char *not_sku; /* with not_volume: that SKU and stripe is excluded there */
	double not_disks;
	size_t not_volume;
	const struct vm_limit *not_vm; /* that size is excluded, whatever its controller */
	const struct vm_limit *only_vm; /* NULL: any machine */
	bool optimistic; /* unknown latencies pass, known ones at their good end (spread.h) */
	bool trusting; /* unknown latencies pass, known ones count as they are */
	enum choose_pace
		pace; /* with pace_ms: at most so slow; one that is not known is too slow */
	double pace_ms;
};

struct choice {
	bool found;
	size_t option;
	const struct candidate *at[SEARCH_MAX_VOLUMES]; /* by volume of the workload */
	double storage_monthly, monthly; /* at least, when not complete */
	bool complete;
	struct search_counts
		counts; /* what the search did; volumes in the order of chooser.order */
};

/* Derive the demand and make all candidates.  Errors as demand_derive(), limits_vm(). */
int chooser_init(struct chooser *c, const struct advise_input *in, struct arena *a,
	struct findings *findings, struct err *err);

/*
 * From now on a candidate whose time to restore is not known is not broken by that alone: asked for when
 * nothing known meets the promise, which the plan then leaves UNKNOWN.
 */
void chooser_let_restore_open(struct chooser *c);

int chooser_solve(
	struct chooser *c, const struct choose_filter *filter, struct choice *out, struct err *err);

/*
 * The same with as few missing prices as give a choice, from those of the filter to `most`.  *lacks, when not
 * NULL: which.
 */
int chooser_solve_unpriced(struct chooser *c, const struct choose_filter *filter,
	enum choose_prices most, struct choice *out, enum choose_prices *lacks, struct err *err);

/* What chooser_solve() solves, volumes in the order of chooser.order; lives in the arena, and as long as the
 * filter does. */
int chooser_problem(struct chooser *c, const struct choose_filter *filter,
	const struct search_problem **out, struct err *err);

/* Does this volume of the workload carry the log; does it carry pages that transactions read? */
bool chooser_is_log(const struct chooser *c, size_t volume);
bool chooser_is_pages(const struct chooser *c, size_t volume);

/* Room for the predictions; part of chooser_init(). */
int chooser_tx_init(struct chooser *c, struct err *err);

/* Predict the database on a choice, asking the curves of its disks at every rate.  ERR_UNSUPPORTED: not
 * known, with the reason. */
int chooser_tx(struct chooser *c, size_t option, const struct candidate *const *at,
	struct findings *findings, struct tx_answer *out, struct err *err);
/* The same when the latencies of each volume's disk are off by z[volume] (spread.h). */
int chooser_tx_off(struct chooser *c, size_t option, const struct candidate *const *at,
	const double *z, struct tx_answer *out, struct err *err);

/* The same from the figures at the target rate, as the search judges; not 0: not known. */
int chooser_tx_figures(
	struct chooser *c, size_t option, const struct candidate *const *at, struct tx_answer *out);

/*
 * What a wait of delay_us before each flush adds to the rate of all clients, against none; below 0: it
 * costs.  NaN: commits do not share flushes, or the prediction is not known.
 */
double chooser_delay_gain(
	struct chooser *c, size_t option, const struct candidate *const *at, double delay_us);

/*
 * Lower r->max_tps to the rate at which the machine's caps for remote disks are full (no headroom: this is
 * what it can do at most), the given demand growing in step with the transactions.  Returns which
 * cap, NULL: none binds before the database does.
 */
const char *chooser_ceiling(const struct chooser *c, size_t option,
	const struct candidate *const *at, struct tx_answer *r);

/* The transaction promise a choice breaks; an unknown prediction keeps none. */
struct breach chooser_tx_breach(
	struct chooser *c, size_t option, const struct candidate *const *at, unsigned relaxed);

/* What a whole choice breaks: shared caps first, then the transaction promises. */
struct breach chooser_check(
	struct chooser *c, size_t option, const struct candidate *const *at, unsigned relaxed);

/* That percentile of one candidate; NaN: not known. */
double chooser_own_pace_ms(const struct candidate *k, enum choose_pace pace);

/*
 * The percentile of a choice as the search counts it; NaN: not known, or it has no such volume.
 */
double chooser_pace_ms(
	struct chooser *c, enum choose_pace pace, size_t option, const struct candidate *const *at);
/* Does the percentile depend on this volume for itself? */
bool chooser_paces(const struct chooser *c, enum choose_pace pace, size_t volume);

/* Sums of constraint_machine_use() over a choice. */
void chooser_use(const struct chooser *c, size_t option, const struct candidate *const *at,
	double used[CAP_COUNT]);

#endif /* ADVISE_CHOOSE_H */
