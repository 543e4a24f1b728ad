/*
 * plan.h - a recommendation: the document "tierwise/plan/1".  It holds everything a report says;
 * nothing is computed later.  Written by recommend, read by report, tco, compare and verify.
 *
 * Money in `currency` per month unless named otherwise; latency milliseconds at this level; IOPS;
 * MB/s of 10^6; capacity GiB.  NaN, NULL, -1: not known.
 */
#ifndef ADVISE_PLAN_H
#define ADVISE_PLAN_H

#include "base/finding.h"
#include "base/schema.h"
#include "price/bill.h"

enum plan_verdict { PLAN_PASS, PLAN_FAIL, PLAN_UNKNOWN, PLAN_VERDICT_COUNT };
extern const struct names plan_verdict_names; /* PASS FAIL UNKNOWN */

/* A configuration of one volume. */
struct plan_config {
	const char *family, *sku;
	const char *title; /* what people call it: "P30", "Ultra Disk" */
	double size_gib, billed_gib; /* per disk */
	double disks; /* stripe count */
	double iops, mbps; /* usable, whole stripe, before the machine's caps */
	double bought_iops, bought_mbps; /* provisioned on top, per disk; absent for fixed tiers */
	const char *host_cache; /* None, ReadOnly, ReadWrite */
	const char *redundancy;
	double monthly; /* this volume on one machine */
	int monthly_complete; /* flag */
	double read_mean_ms, read_p99_ms, write_mean_ms, write_p99_ms, commit_mean_ms,
		commit_p99_ms;
	int latency_trust; /* enum trust of the latencies */
	const char *latency_source;
};

/* A cheaper configuration that was not taken, and why. */
struct plan_rejected {
	struct plan_config *config;
	const char *constraint; /* capacity, iops, mbps, commit-p99, read-p99, vm-iops, rule:ID,
				   price, ... */
	const char *text; /* one sentence with both numbers */
	double need, have; /* in the constraint's unit; NaN when it has none */
	const char *unit;
	double miss_frac; /* |have - need| / need; NaN: no numbers */
	const char *miss; /* in words: "7 % over", "8 times the limit", "77 % short" */
};

struct plan_volume {
	const char *role, *name;
	double capacity_gib; /* asked now */
	double horizon_gib; /* with growth over the horizon: what was sized for */
	double read_iops, write_iops, io_kib, mbps; /* demand, without headroom */
	double need_iops, need_mbps; /* with headroom */
	const char *demand_trust; /* given, derived, assumed, with the derivation */
	struct plan_config *chosen; /* NULL: nothing fits */
	const char *binding; /* constraint with the least margin, in words */
	double margin_frac; /* of that constraint */
	const char *latency_margin; /* tightest promise its latency has a part in; NULL: none */
	double latency_margin_frac;
	const char **reasons; /* why this one, most important first */
	size_t n_reasons;
	struct plan_rejected *rejected; /* cheaper ones, cheapest first */
	size_t n_rejected;
	struct plan_rejected *nearest; /* when chosen is NULL: the least miss */
	const char *peak; /* how a short peak is met, a sentence; NULL: none is asked */
	const char *hits; /* what a host cache that answers reads leaves to the disks; NULL */
	double candidates_made,
		candidates_kept; /* configurations made on that machine, and searched */
};

struct plan_machine {
	const char *sku;
	const char *interface; /* controller of the remote disks; NULL: not stated */
	double count;
	double vcpus, ram_gib;
	double uncached_iops, uncached_mbps, need_iops,
		need_mbps; /* sums over the volumes, with headroom */
	double remote_iops,
		remote_mbps; /* cap of these disks: its Ultra column where one needs it */
	double ultra_iops; /* that column: Ultra Disk and Premium SSD v2; NaN: it has none */
	double cached_iops, cached_mbps;
	double bought_iops, bought_mbps; /* what the chosen disks could do together */
	double monthly; /* all machines; NaN: price unknown */
	const char *note;
};

struct plan_sla {
	const char *what; /* "commit p99", "transaction p99", "throughput", ... */
	double limit, predicted, lo, hi;
	const char *unit;
	double margin_frac; /* (limit - predicted) / limit; sign: positive is room */
	int verdict; /* enum plan_verdict */
	int trust;
	const char *note;
	double probability; /* that it holds (advise/chance.h); NaN: not predicted */
	int on_latency; /* flag; false: it rests on caps and prices alone */
};

/* How many figures of each class. */
struct plan_pedigree {
	const char *what;
	double measured, imported, published, derived, assumed, unknown;
};

/* How sure the plan is of its promises. */
struct plan_confidence {
	double probability_lo,
		probability_hi; /* that every promise holds; apart: not all are predicted */
	double promises, predicted; /* how many there are, and have a figure */
	const char *word; /* high, medium, low; unknown: nothing is predicted */
	const char *word_rule;
	const char *weakest; /* the weakest latency that decides; NULL: none is */
	struct plan_pedigree *rests_on;
	size_t n_rests_on;
};

/* What a bench of one tier would be worth (advise/value.c). */
struct plan_measurement {
	const char *tier; /* "Premium SSD v2" */
	const char *sku, *trust; /* of its latency now; "unknown" */
	const char *volumes; /* that rest on it, or would */
	double change_frac; /* outcomes in which another plan is best; NaN: nothing tells */
	double cheaper_frac, cheaper_monthly, saving; /* of these, a cheaper one; saving a month */
	double expected_saving; /* cheaper_frac x saving */
	double too_slow_frac; /* outcomes in which the plan breaks a promise on this disk */
	double avoided_frac; /* chance that a broken promise is found before it is built */
	double probability_now, probability_after; /* that the predicted promises hold; after: when
						      it is fast enough */
	const char *command;
	const char *text;
};

/* One stage of a transaction at at_tps. */
struct plan_stage {
	const char *stage; /* "the processors" */
	double used_frac; /* 1: it binds; NaN: not known */
	double ceiling_tps; /* what this stage alone allows; NaN: no bound known */
	const char *what; /* of a volume: the cap; NULL */
};

/* One way for a volume to come back. */
struct plan_restore {
	const char *volume, *title; /* on what */
	const char *
		way; /* "from a snapshot", "from a snapshot, rate bought", "from the backup", ... */
	int chosen; /* flag: the plan's */
	double rate_lo, rate_hi; /* MB/s of 10^6; NaN: not known */
	double hours_lo, hours_hi; /* all together; NaN: not known */
	double monthly; /* of the volume on one machine */
	double fee; /* once a restore; NaN: none, or not known */
	int verdict; /* enum plan_verdict; -1: nothing is promised */
	int trust;
	const char *source, *note;
};

/* Coming back after a loss. */
struct plan_recovery {
	const char *source; /* snapshot, backup, standby */
	const char *text; /* how the times are made up */
	double limit_hours; /* NaN: nothing is promised */
	double log_mb, replay_hours, other_hours; /* after the loading; NaN: not known */
	struct plan_restore *restores;
	size_t n_restores;
};

struct plan_prediction {
	double target_tps, max_tps, max_tps_lo, max_tps_hi, at_tps;
	const char *limit; /* the stage that binds, in words */
	const char *next; /* and the one that would without it; NULL: not known */
	double next_gain_frac; /* how much more then */
	int after_checkpoint; /* flag: latencies are those right after a checkpoint */
	struct plan_stage *stages;
	size_t n_stages;
	double commit_mean_ms, commit_p99_ms, tx_mean_ms, tx_p99_ms;
	double fast_disk_gain_frac; /* what an infinitely fast disk would add to max_tps */
	double commits_per_flush;
};

struct plan_cost {
	double storage_monthly, machine_monthly, monthly; /* all machines */
	int complete; /* flag */
	double utilisation;
	double per_ktpm_month; /* price of a rate: monthly / (max tps x 60 / 1000) */
	double per_1000_tx; /* price of work: at target_tps (or max) x utilisation x hours */
	const char *basis; /* the sentence that says which tps, hours, utilisation */
};

struct plan_option {
	const char *name; /* "all premium_ssd", "all ultra_disk", "runner-up" */
	double monthly; /* at least, when not complete */
	int complete; /* flag */
	int feasible; /* flag; -1: not known */
	double saving_frac; /* of this plan against the option: (option - plan) / option */
	const char *text;
};

/* A plan that no other beats in both cost and p99. */
struct plan_front_point {
	double monthly, p99_ms;
	int verdict; /* enum plan_verdict: does it keep every promise and constraint */
	int chosen; /* flag: it is this plan */
	const char *text; /* what it is */
	const char *breaks; /* the first it does not keep; NULL */
};

/* Cost against p99: every other constraint holds. */
struct plan_front {
	const char *what; /* "transaction p99", "commit p99", "read p99" */
	double limit_ms; /* promised; NaN: not */
	double plan_monthly, plan_p99_ms; /* this plan; NaN: none */
	int complete; /* flag: no plan of the front is left out */
	struct plan_front_point *points; /* cheapest and slowest first */
	size_t n_points;
	const char *note; /* why it ends where it ends */
};

/* From so many IOPS to so many, both included, a tier is the cheapest for a volume. */
struct plan_span {
	double from_iops, to_iops;
	const char *tier; /* "Premium SSD v2" */
	const char *config, *config_to; /* its least configuration at either end */
	double monthly, monthly_to; /* what that costs on one machine */
	double before_monthly; /* at from_iops, the tier that was cheapest below; NaN: it cannot */
};

/* A tier and what the volume promises. */
struct plan_tier {
	const char *tier;
	double most_iops; /* that one disk of it can do for this volume */
	double need_monthly; /* at the volume's own IOPS; NaN: it cannot */
	int keeps; /* enum plan_verdict: the latency promises; -1: none is made */
	const char *text; /* why not; NULL */
};

/* Two tiers against each other. */
struct plan_pair {
	const char *first, *second;
	struct plan_span *spans;
	size_t n_spans;
	const char *text; /* in a sentence */
};

/* Which tier is cheapest for a volume at how many IOPS, its size, redundancy and size of an I/O given. */
struct plan_break_even {
	const char *volume;
	double gib, mbps, need_iops; /* the volume's own, with headroom; NaN: not known */
	double io_kib, stream_mbps; /* of each I/O, 0: not counted; beside them, at every rate */
	struct plan_span *spans; /* of every tier, one disk */
	size_t n_spans;
	struct plan_span *kept; /* of the tiers that keep the promises, where that differs */
	size_t n_kept;
	struct plan_tier *tiers;
	size_t n_tiers;
	struct plan_pair *pairs; /* every two of them */
	size_t n_pairs;
	const char *text; /* the answer in a sentence */
	struct plan_span *striped; /* of every tier, up to disks_most disks */
	size_t n_striped;
	double disks_most;
	const char *striped_text;
	const char *note; /* what was left out; NULL */
};

/* A volume as it is today. */
struct plan_today_volume {
	const char *volume;
	struct plan_config *config; /* NULL: not said */
	int verdict; /* enum plan_verdict */
	const char **breaks; /* what it does not meet, each with both numbers */
	size_t n_breaks;
	double plan_monthly; /* of the plan, one machine; NaN: none */
	double iops_used_frac, mbps_used_frac; /* of what the disks sustain, at the peak */
	double seen_p99_ms, expected_p99_ms; /* of a read, of a log a commit */
	int not_the_tier; /* flag: twice as slow as expected with every cap far away */
	const char *seen_text; /* what the two say about the tier; NULL */
};

/* Today's disks, judged by the same constraints as the plan.  Money of all machines. */
struct plan_today {
	int verdict; /* enum plan_verdict */
	const char *machine; /* NULL: none named */
	struct plan_today_volume *volumes;
	size_t n_volumes;
	const char **breaks; /* what they do not meet together */
	size_t n_breaks;
	double storage_monthly;
	double machine_monthly; /* NaN: the machines are the same, or no price */
	double monthly; /* NaN: a price is not known */
	double known_monthly; /* the prices that are known: at least this; NaN: none is */
	double plan_monthly; /* of the plan, for the same things */
	double change, change_frac; /* the plan less today */
	double keep_below_frac; /* a saving below it is not worth the change */
	double migration_cost, horizon_saving; /* once; what the change saves to the horizon */
	double net_saving, payback_months; /* of these two; NaN: no cost of moving is said */
	int keep; /* flag: today's disks meet everything, and a change saves too little */
	const char *text; /* the verdict in a sentence */
	struct bill *bill;
};

/* What disks without latency and caps would bring: is storage the matter at all? */
struct plan_fast_disk {
	double tps; /* with every client busy */
	double gain_frac; /* over the plan's; NaN: no plan */
	int not_storage; /* flag: under 5 %, or the target is not reached even so */
	const char *limit; /* what binds then */
	const char *text; /* in a sentence */
	const char **advice; /* what to change instead */
	size_t n_advice;
};

struct plan_rule {
	const char *id, *kind, *volume, *text, *why, *source, *as_of;
	const char *set, *to; /* a setting and its value; NULL: none */
};

/* A curve for the report's chart: latency against depth of a chosen disk. */
struct plan_curve {
	const char *volume, *title;
	int op;
	double bs_b;
	double *qd, *mean_us, *p99_us, *lo_us,
		*hi_us; /* curve and 95 % band of the mean; p99 may be NaN */
	size_t n_qd, n_mean, n_p99, n_lo, n_hi;
	double *run_qd, *run_us; /* measured points */
	size_t n_run_qd, n_run_us;
	double sla_ms, knee_qd;
	const char *trust, *source;
};

struct plan_input {
	const char *kind; /* workload, prices, limits, rules, profile */
	const char *path, *sha256, *as_of;
};

struct plan {
	const char *name, *created, *tool;
	const char *engine, *provider, *region, *currency;
	int verdict; /* enum plan_verdict */
	const char *sentence; /* the decision in one sentence */
	double price_age_days;
	const char *price_as_of, *price_source;
	double hours_per_month, headroom, horizon_months;
	double stripe_saving_frac; /* least a stripe saves against fewer disks that do the same */
	struct plan_machine *machine; /* NULL: no VM given, no VM cap */
	struct plan_volume *volumes;
	size_t n_volumes;
	struct plan_prediction *prediction; /* NULL: no transaction profile */
	struct plan_today *today; /* NULL: the workload does not say */
	struct plan_fast_disk *fast_disk; /* NULL: no transaction profile, or not known */
	struct plan_sla *sla;
	size_t n_sla;
	struct plan_recovery *recovery; /* NULL: nothing was asked */
	struct plan_confidence *confidence; /* NULL: nothing fits */
	struct plan_measurement *measurements; /* most worth first */
	size_t n_measurements;
	struct bill *bill;
	struct plan_cost *cost;
	struct plan_option *options; /* baselines and runner-up */
	size_t n_options;
	struct plan_front *front; /* NULL: no latency is asked about */
	struct plan_break_even *break_even; /* logs, data and indexes */
	size_t n_break_even;
	struct plan_rule *rules; /* that fired */
	size_t n_rules;
	const char **changes; /* what would change the decision */
	size_t n_changes;
	struct finding *findings; /* unknowns, assumptions, warnings */
	size_t n_findings;
	struct plan_curve *curves;
	size_t n_curves;
	struct plan_input *inputs;
	size_t n_inputs;
};

extern const struct schema plan_schema;

/* Every field absent (unknown, not zero). */
void plan_config_clear(struct plan_config *config);

/* Read a plan from anywhere: the tables, and a currency when there are amounts. */
int plan_read(struct jval root, struct arena *a, struct plan *plan, struct err *err);
/* The same from a file. */
int plan_load(
	const char *path, struct arena *a, struct plan *plan, char sha256[65], struct err *err);

#endif /* ADVISE_PLAN_H */
