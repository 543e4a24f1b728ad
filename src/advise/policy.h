/*
 * policy.h - the facts of a candidate, and what the rule packs say about them.
 *
 * A `require` rule that applies and does not certainly hold rules a candidate out.  A `prefer` rule
 * that does not hold, or a `configure` rule that sets disk.host_cache to something else, adds one
 * to its penalty, which decides only between equal costs.
 */
#ifndef ADVISE_POLICY_H
#define ADVISE_POLICY_H

#include "advise/candidate.h"

/* What is known only when the whole plan is: for the rules that look at it. */
struct policy_outcome {
	double bought_iops, bought_mbps, need_iops, need_mbps;
	double remote_iops,
		remote_mbps; /* caps of the machine on the chosen remote disks together */
	double flush_mean_ms, commit_p99_ms, tx_p99_ms, max_tps, fast_disk_gain_frac;
	int bill_complete;
	double v2_monthly; /* of this volume */
};

/* outcome may be NULL: those facts stay unknown. */
void policy_facts(const struct candidate_site *s, const struct candidate *c,
	const struct policy_outcome *outcome, struct rule_context *ctx);

/* The candidate's own facts over those of policy_facts(s, NULL, NULL, ctx): for many candidates of one
 * volume. */
void policy_facts_of(
	const struct candidate_site *s, const struct candidate *c, struct rule_context *ctx);

/* Sets c->penalty and c->rule_broken. */
void policy_judge(
	const struct rule_pack *pack, const struct rule_context *ctx, struct candidate *c);

/*
 * Does a requirement break even if the disk's sustained rates were enough?  One that only forbids to rely on a
 * burst says again what the constraints on IOPS and MB/s say, and goes where they go.
 */
bool policy_breaks_at_any_rate(
	const struct candidate_site *s, const struct candidate *c, struct rule_context *ctx);

/*
 * Append to the plan's rules what fires in this context: per-volume rules when `volume` is its
 * label, the plan's own when it is NULL.
 */
int policy_fire(const struct rule_pack *pack, const struct rule_context *ctx, const char *volume,
	struct arena *a, struct plan *plan, struct err *err);

/* Warnings first, then preferences that are not met, settings, checklists, requirements that hold; else as
 * they fired. */
void policy_sort(struct plan *plan);

/* rule_text() of a rule by id, or the id itself. */
const char *policy_text(const struct rule_pack *pack, const char *id,
	const struct rule_context *ctx, struct arena *a);

#endif /* ADVISE_POLICY_H */
