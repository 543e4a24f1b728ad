/*
 * build.h - the plan under construction: shared by the files that each write a part of it.
 */
#ifndef ADVISE_BUILD_H
#define ADVISE_BUILD_H

#include "advise/choose.h"
#include "advise/policy.h"

struct today;
struct chance;

struct build {
	struct chooser *c;
	struct arena *arena;
	struct plan *plan;
	struct findings *findings;
	struct choice choice; /* choice.found: the plan stands */
	enum choose_prices prices; /* that it may lack: no choice lacks fewer */
	bool near; /* nothing fits together, and choice.at is the joint choice that comes nearest */
	bool undecided; /* nothing is known to fit, and only latencies without a figure stand in the way */
	const char *unmeasured; /* of these: the first, as the beginning of a sentence; or NULL */
	struct rule_context ctx;
	bool has_tx; /* tx is known */
	struct tx_answer tx;
	const char *tx_gap; /* why it is not */
	double delay_gain_frac; /* chooser_delay_gain(); NaN: not asked yet, or not known */
	struct today *today; /* by volume: today.h */
	const struct chance *chance; /* of the plan (chance.h); NULL: nothing was found */
	const char *
		remedy; /* of the first promise that is broken and that no disk keeps; NULL: none */
};

/* The plan's picture of a candidate. */
struct plan_config *build_config(const struct build *b, const struct candidate_site *site,
	const struct candidate *c, struct err *err);

/* advise.c: the bill of b->choice, with a finding for each price that is missing.  Errors as
 * bill_add_disk(). */
int build_bill(struct build *b, struct err *err);

/* machine.c */
int build_machine_part(struct build *b, struct err *err);
/* cost.c */
int build_cost(struct build *b, struct err *err);
/* fire.c: the rules of a plan; and those of the plan alone when nothing was found. */
int build_fire_rules(struct build *b, struct err *err);
int build_fire_near(struct build *b, struct err *err);
/* notes.c */
void build_notes(struct build *b);

/* explain.c: demand, choice, reasons and rejected ones of every volume. */
int build_volumes(struct build *b, struct err *err);
/* A candidate and the constraint it breaks. */
int build_rejected(const struct build *b, const struct candidate_site *site,
	const struct candidate *c, const struct breach *breach, struct plan_rejected *out,
	struct err *err);
/* The first constraint a candidate breaks on its own; constraint -1: none. */
struct breach build_breach(
	struct build *b, const struct candidate_site *site, const struct candidate *c);

/* miss.c: when nothing fits: the least miss of every volume, and what to relax. */
int build_miss(struct build *b, struct err *err);

/* A finding where the chosen disks use a host cache whose cap no document gives. */
void build_note_cached_cap(struct build *b);

/*
 * caps.c: the machine's caps, sustained and in a burst, and the smallest size of each series that lets
 * through what is asked, when a cap of the machine is what stands in the way.
 */
int build_caps(
	struct build *b, const struct vm_limit *vm, const struct breach *breach, struct err *err);
/* "Standard_E8ds_v5", "Standard_E32bds_v5 on NVMe": the controller where the size has several. */
const char *build_machine(const struct build *b, const struct vm_limit *vm);

/* burst.c: how the chosen disks meet short peaks. */
int build_burst(struct build *b, struct err *err);

/* backup.c: what the copies do to the machine; what is kept elsewhere. */
int build_backup(struct build *b, struct err *err);

/* restore.c: how long it takes to come back, and what could do it faster. */
int build_recovery(struct build *b, struct err *err);
struct recovery;
/* "data from a snapshot at 135 MB/s, ...": for the note of the promise. */
const char *restore_words(struct arena *a, const char *label, const struct recovery *r);

/* budget.c: when the budget is broken, the nearest plan inside it. */
int build_budget(struct build *b, struct err *err);
/* What is promised, and what is predicted of it. */
struct promise {
	const char *what, *unit, *note;
	double limit; /* NaN: not promised */
	struct estimate predicted;
	bool at_least; /* a rate: more is better */
	bool lost; /* it cannot be kept, though there is no figure: it grows without end */
};
/* Those that latencies decide; the way back, windows and the budget rest on caps and prices. */
enum { PROMISE_LATENCY = 6 };

/* promise.c: prediction and promises. */
int build_promises(struct build *b, struct err *err);
/* The promises of b->choice under b->tx; needs no more of *b than a prediction fills in. */
void build_latency_promises(const struct build *b, struct promise rows[PROMISE_LATENCY]);

/* reasons.c: the three most decisive reasons for each volume's choice; after the promises. */
int build_reasons(struct build *b, struct err *err);

/* confidence.c: the chance that the promises hold, and what the figures rest on. */
int build_confidence(struct build *b, struct err *err);

/* remedy.c: what keeps the promises that the plan breaks whatever its disks are; after the promises. */
int build_remedies(struct build *b, struct err *err);
/* The same where nothing comes back in time, of the volume's nearest candidate. */
int build_rto_remedy(struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct err *err);

/* value.c: what a measurement of each tier would be worth; before the other changes. */
int build_value(struct build *b, struct err *err);

/* options.c: baselines, runner-up, what would change the decision. */
int build_options(struct build *b, struct err *err);
int build_change(struct build *b, const char *text, struct err *err);
/*
 * A search for a choice beside the plan: where the price of every machine is missing, on the plan's own, so
 * that what is known of both can be compared.
 */
struct choose_filter build_beside(const struct build *b);
int build_option(struct build *b, const struct plan_option *option, struct err *err);
/* What is let go at a time: a constraint, or the machine's caps together; its bits, and its name in a sentence. */
enum { BUILD_VM_CAPS = CONSTRAINT_COUNT, BUILD_RELAXATIONS };
bool build_relaxable(int id);
unsigned build_relaxed(int id);
const char *build_constraint_name(int id);

/*
 * settings.c: facts for the settings and steps that follow from the choice; `c` the chosen disk of a volume,
 * NULL with its site's volume left out for the whole plan.  After policy_facts().
 */
void build_settings_facts(struct build *b, double flush_mean_ms, const struct candidate_site *site,
	const struct candidate *c);

/* pareto.c: the plans that no other beats in both cost and p99. */
int build_pareto(struct build *b, struct err *err);
/* money_facts.c: the facts of a chosen volume beyond policy_facts(): its bill, today's disks, the
 * measurement behind its latency. */
void build_facts(struct build *b, size_t v);

/* break_even.c: which tier is cheapest at how many IOPS. */
int build_break_even(struct build *b, struct err *err);

/* keep.c: today's disks by the same constraints, and whether to keep them. */
int build_today(struct build *b, struct err *err);
/* The decision with today beside it, once it is written. */
int build_today_sentence(struct build *b, struct err *err);

/* fast_disk.c: what infinitely fast disks would bring, and what to change when that is too little. */
int build_fast_disk(struct build *b, struct err *err);

/* chart.c: latency against depth of the chosen log and data disks. */
int build_curves(struct build *b, struct err *err);

/* "wal on 1 x P30, data on ...": for sentences. */
const char *build_placement(const struct build *b, const struct choice *choice);
/* "USD 1,234.50" */
const char *build_money(const struct build *b, double amount);
/* The least the chosen plan costs a month: below its total when a line of the bill is an interval. */
double build_low(const struct build *b);

#endif /* ADVISE_BUILD_H */
