/*
 * plan.c - the tables that read and write a plan.
 *
 * Numbers that may legitimately be negative (margins, savings of a dearer option) have no lower
 * bound; everything else is >= 0.
 */
#include "advise/plan.h"

#include <string.h>

#include "base/trust.h"
#include "profile/profile.h"

static const char *const verdict_words[] = {
	[PLAN_PASS] = "PASS",
	[PLAN_FAIL] = "FAIL",
	[PLAN_UNKNOWN] = "UNKNOWN",
};
_Static_assert(sizeof(verdict_words) / sizeof(verdict_words[0]) == PLAN_VERDICT_COUNT,
	"a word for every verdict");

const struct names plan_verdict_names = {"verdict", verdict_words, PLAN_VERDICT_COUNT};

/* clang-format off */
#define POSITIVE(t, m, u, h) FIELD_NUMBER(t, m, false, 0, SCHEMA_ANY, u, h)
#define ANY(t, m, u, h) FIELD_NUMBER(t, m, false, -SCHEMA_ANY, SCHEMA_ANY, u, h)
#define TEXT(t, m, h) FIELD_TEXT(t, m, false, h)

static const struct schema_field config_fields[] = {
	FIELD_TEXT(struct plan_config, family, true, "tier, as in the limits"),
	FIELD_TEXT(struct plan_config, sku, true, "size of the tier, as the provider names it"),
	FIELD_TEXT(struct plan_config, title, false, "what people call it (default: the sku)"),
	POSITIVE(struct plan_config, size_gib, "GiB", "size of each disk"),
	POSITIVE(struct plan_config, billed_gib, "GiB", "size each disk is billed for"),
	POSITIVE(struct plan_config, disks, "", "stripe count"),
	POSITIVE(struct plan_config, iops, "IOPS", "sustained by the whole stripe, before the machine's caps"),
	POSITIVE(struct plan_config, mbps, "MB/s", "sustained by the whole stripe, before the machine's caps"),
	POSITIVE(struct plan_config, bought_iops, "IOPS", "provisioned, per disk; absent for fixed tiers"),
	POSITIVE(struct plan_config, bought_mbps, "MB/s", "provisioned, per disk; absent for fixed tiers"),
	TEXT(struct plan_config, host_cache, "None, ReadOnly or ReadWrite"),
	TEXT(struct plan_config, redundancy, "LRS, ZRS; absent: does not apply"),
	POSITIVE(struct plan_config, monthly, "money/month", "this volume on one machine; at least, when not complete"),
	FIELD_FLAG(struct plan_config, monthly_complete, "every price behind monthly is known"),
	POSITIVE(struct plan_config, read_mean_ms, "ms", "mean read at the demanded rate"),
	POSITIVE(struct plan_config, read_p99_ms, "ms", "p99 read at the demanded rate"),
	POSITIVE(struct plan_config, write_mean_ms, "ms", "mean write at the demanded rate"),
	POSITIVE(struct plan_config, write_p99_ms, "ms", "p99 write at the demanded rate"),
	POSITIVE(struct plan_config, commit_mean_ms, "ms", "mean of one write and sync, one writer"),
	POSITIVE(struct plan_config, commit_p99_ms, "ms", "p99 of one write and sync, one writer"),
	FIELD_WORD(struct plan_config, latency_trust, &trust_names, false, "where the latencies come from"),
	TEXT(struct plan_config, latency_source, "profile and source of the latencies"),
};
static const struct schema config_schema =
	SCHEMA_PART("configuration of one volume", struct plan_config, config_fields);

static const struct schema_field rejected_fields[] = {
	FIELD_PART(struct plan_rejected, config, &config_schema, true, "the configuration"),
	FIELD_TEXT(struct plan_rejected, constraint, true, "constraint it breaks"),
	FIELD_TEXT(struct plan_rejected, text, true, "the reason, with both numbers"),
	ANY(struct plan_rejected, need, "", "what the constraint asks, in `unit`"),
	ANY(struct plan_rejected, have, "", "what the configuration has, in `unit`"),
	TEXT(struct plan_rejected, unit, "unit of need and have"),
	POSITIVE(struct plan_rejected, miss_frac, "", "by how much: |have - need| / need"),
	TEXT(struct plan_rejected, miss, "the same in words"),
};
static const struct schema rejected_schema =
	SCHEMA_PART("a configuration that was not taken", struct plan_rejected, rejected_fields);

static const struct schema_field volume_fields[] = {
	FIELD_TEXT(struct plan_volume, role, true, "wal, data, index, temp or backup"),
	TEXT(struct plan_volume, name, "name in the workload"),
	POSITIVE(struct plan_volume, capacity_gib, "GiB", "asked now"),
	POSITIVE(struct plan_volume, horizon_gib, "GiB", "with growth over the horizon: what was sized for"),
	POSITIVE(struct plan_volume, read_iops, "IOPS", "demand without headroom"),
	POSITIVE(struct plan_volume, write_iops, "IOPS", "demand without headroom"),
	POSITIVE(struct plan_volume, io_kib, "KiB", "size of one I/O"),
	POSITIVE(struct plan_volume, mbps, "MB/s", "demand without headroom, all streams together"),
	POSITIVE(struct plan_volume, need_iops, "IOPS", "least cap that leaves the headroom free"),
	POSITIVE(struct plan_volume, need_mbps, "MB/s", "least cap that leaves the headroom free"),
	TEXT(struct plan_volume, demand_trust, "given, derived or assumed, with the derivation"),
	FIELD_PART(struct plan_volume, chosen, &config_schema, false, "absent: nothing fits"),
	TEXT(struct plan_volume, binding, "constraint with the least margin"),
	ANY(struct plan_volume, margin_frac, "", "margin of that constraint"),
	TEXT(struct plan_volume, latency_margin, "the tightest promise that its latency has a part in"),
	ANY(struct plan_volume, latency_margin_frac, "", "room left of that promise"),
	FIELD_TEXTS(struct plan_volume, reasons, n_reasons, false, "why this one"),
	FIELD_LIST(struct plan_volume, rejected, n_rejected, &rejected_schema, false, "cheaper ones, cheapest first"),
	FIELD_PART(struct plan_volume, nearest, &rejected_schema, false, "when nothing fits: the least miss"),
	TEXT(struct plan_volume, peak, "how a short peak is met; absent: none is asked"),
	TEXT(struct plan_volume, hits, "what a host cache that is known to answer reads leaves to the disks"),
	POSITIVE(struct plan_volume, candidates_made, "configurations", "made for it on the chosen machine"),
	POSITIVE(struct plan_volume, candidates_kept, "configurations",
		"of them searched: the others are no better than one of these in anything"),
};
static const struct schema volume_schema =
	SCHEMA_PART("one volume", struct plan_volume, volume_fields);

static const struct schema_field machine_fields[] = {
	FIELD_TEXT(struct plan_machine, sku, true, "size of the machine"),
	TEXT(struct plan_machine, interface, "controller of the remote disks: SCSI, NVMe; absent: not stated"),
	POSITIVE(struct plan_machine, count, "", "machines that carry this set of volumes"),
	POSITIVE(struct plan_machine, vcpus, "", "virtual CPUs"),
	POSITIVE(struct plan_machine, ram_gib, "GiB", "memory"),
	POSITIVE(struct plan_machine, uncached_iops, "IOPS", "cap on remote disks together"),
	POSITIVE(struct plan_machine, uncached_mbps, "MB/s", "cap on remote disks together"),
	POSITIVE(struct plan_machine, remote_iops, "IOPS", "cap on the chosen disks together: the machine's own for Ultra and Premium SSD v2 where it has one and they are chosen; absent: uncached_iops"),
	POSITIVE(struct plan_machine, remote_mbps, "MB/s", "the same; absent: uncached_mbps"),
	POSITIVE(struct plan_machine, ultra_iops, "IOPS", "its column for Ultra Disk and Premium SSD v2; absent: none, uncached_iops counts"),
	POSITIVE(struct plan_machine, need_iops, "IOPS", "sum over the remote volumes, with headroom"),
	POSITIVE(struct plan_machine, need_mbps, "MB/s", "sum over the remote volumes, with headroom"),
	POSITIVE(struct plan_machine, cached_iops, "IOPS", "cap of the host cache and temp disk"),
	POSITIVE(struct plan_machine, cached_mbps, "MB/s", "cap of the host cache and temp disk"),
	POSITIVE(struct plan_machine, bought_iops, "IOPS", "what the remote disks could do together"),
	POSITIVE(struct plan_machine, bought_mbps, "MB/s", "what the remote disks could do together"),
	POSITIVE(struct plan_machine, monthly, "money/month", "all machines; absent: price unknown"),
	TEXT(struct plan_machine, note, "what the caps mean here"),
};
static const struct schema machine_schema =
	SCHEMA_PART("the machine", struct plan_machine, machine_fields);

static const struct schema_field sla_fields[] = {
	FIELD_TEXT(struct plan_sla, what, true, "what is promised"),
	ANY(struct plan_sla, limit, "", "promised value, in `unit`"),
	ANY(struct plan_sla, predicted, "", "predicted value; absent: not known"),
	ANY(struct plan_sla, lo, "", "95 % interval; absent: not known"),
	ANY(struct plan_sla, hi, "", "95 % interval; absent: not known"),
	TEXT(struct plan_sla, unit, "unit of the values"),
	ANY(struct plan_sla, margin_frac, "", "room left, as a share of the limit"),
	FIELD_WORD(struct plan_sla, verdict, &plan_verdict_names, true, "PASS, FAIL or UNKNOWN"),
	FIELD_WORD(struct plan_sla, trust, &trust_names, false, "where the prediction comes from"),
	TEXT(struct plan_sla, note, "what to know about it"),
	FIELD_NUMBER(struct plan_sla, probability, false, 0, 1, "", "that it holds, from the intervals of the latencies; absent: not predicted"),
	FIELD_FLAG(struct plan_sla, on_latency, "false: it rests on caps and prices alone"),
};
static const struct schema sla_schema = SCHEMA_PART("one promise", struct plan_sla, sla_fields);

static const struct schema_field pedigree_fields[] = {
	FIELD_TEXT(struct plan_pedigree, what, true, "which figures"),
	POSITIVE(struct plan_pedigree, measured, "", "by this program on this disk"),
	POSITIVE(struct plan_pedigree, imported, "", "from another tool"),
	POSITIVE(struct plan_pedigree, published, "", "with a source and a date"),
	POSITIVE(struct plan_pedigree, derived, "", "from measured or given ones"),
	POSITIVE(struct plan_pedigree, assumed, "", "a default"),
	POSITIVE(struct plan_pedigree, unknown, "", "without a figure"),
};
static const struct schema pedigree_schema =
	SCHEMA_PART("how many figures of each class", struct plan_pedigree, pedigree_fields);

static const struct schema_field confidence_fields[] = {
	FIELD_NUMBER(struct plan_confidence, probability_lo, false, 0, 1, "", "that every promise holds, at least"),
	FIELD_NUMBER(struct plan_confidence, probability_hi, false, 0, 1, "", "the same at most: that all predicted ones hold"),
	POSITIVE(struct plan_confidence, promises, "", "how many there are"),
	POSITIVE(struct plan_confidence, predicted, "", "of them with a figure"),
	TEXT(struct plan_confidence, word, "high, medium, low, or unknown: nothing is predicted"),
	TEXT(struct plan_confidence, word_rule, "when it is which"),
	TEXT(struct plan_confidence, weakest, "the weakest latency behind the decision"),
	FIELD_LIST(struct plan_confidence, rests_on, n_rests_on, &pedigree_schema, false, "classes of the figures used"),
};
static const struct schema confidence_schema =
	SCHEMA_PART("how sure the plan is of its promises", struct plan_confidence, confidence_fields);

#define SHARE(m, h) FIELD_NUMBER(struct plan_measurement, m, false, 0, 1, "", h)
static const struct schema_field measurement_fields[] = {
	FIELD_TEXT(struct plan_measurement, tier, true, "tier to measure"),
	TEXT(struct plan_measurement, sku, "key of --profile"),
	TEXT(struct plan_measurement, trust, "where its latency comes from now"),
	TEXT(struct plan_measurement, volumes, "that rest on it, or would"),
	SHARE(change_frac, "outcomes in which another plan is best; absent: nothing tells"),
	SHARE(cheaper_frac, "outcomes in which a cheaper plan holds"),
	POSITIVE(struct plan_measurement, cheaper_monthly, "money/month", "what that plan costs"),
	ANY(struct plan_measurement, saving, "money/month", "this plan's total less that"),
	ANY(struct plan_measurement, expected_saving, "money/month", "cheaper_frac x saving"),
	SHARE(too_slow_frac, "outcomes in which this plan breaks a promise"),
	SHARE(avoided_frac, "chance that a promise that would break is found before"),
	SHARE(probability_now, "that all predicted promises hold"),
	SHARE(probability_after, "the same once it is measured and fast enough"),
	TEXT(struct plan_measurement, command, "how"),
	TEXT(struct plan_measurement, text, "all of it in a sentence"),
};
#undef SHARE
static const struct schema measurement_schema =
	SCHEMA_PART("what a measurement would be worth", struct plan_measurement, measurement_fields);

static const struct schema_field stage_fields[] = {
	TEXT(struct plan_stage, stage, "what a transaction passes: the processors, the log volume, ..."),
	POSITIVE(struct plan_stage, used_frac, "share", "of the stage at at_tps; 1 binds"),
	POSITIVE(struct plan_stage, ceiling_tps, "1/s", "what this stage alone allows"),
	TEXT(struct plan_stage, what, "the cap of a volume"),
};
static const struct schema stage_schema =
	SCHEMA_PART("stage of a transaction", struct plan_stage, stage_fields);

static const struct schema_field restore_fields[] = {
	FIELD_TEXT(struct plan_restore, volume, true, "the volume that comes back"),
	FIELD_TEXT(struct plan_restore, title, true, "the disk it is loaded onto"),
	FIELD_TEXT(struct plan_restore, way, true, "where it is loaded from, and at whose rate"),
	FIELD_FLAG(struct plan_restore, chosen, "the plan's own disk and way"),
	POSITIVE(struct plan_restore, rate_lo, "MB/s", "lowest loading rate; absent: not known"),
	POSITIVE(struct plan_restore, rate_hi, "MB/s", "highest loading rate; absent: not known"),
	POSITIVE(struct plan_restore, hours_lo, "h", "at least, log applied after it and the rest included"),
	POSITIVE(struct plan_restore, hours_hi, "h", "at most; absent: not known"),
	POSITIVE(struct plan_restore, monthly, "money/month", "of the volume on one machine"),
	POSITIVE(struct plan_restore, fee, "money", "charged once a restore; absent: nothing, or not known"),
	FIELD_WORD(struct plan_restore, verdict, &plan_verdict_names, false, "within the promise; absent: nothing is promised"),
	FIELD_WORD(struct plan_restore, trust, &trust_names, false, "where the rate comes from"),
	TEXT(struct plan_restore, source, "source of the rate"),
	TEXT(struct plan_restore, note, "what to know about it"),
};
static const struct schema restore_schema =
	SCHEMA_PART("a way to come back", struct plan_restore, restore_fields);

static const struct schema_field recovery_fields[] = {
	FIELD_TEXT(struct plan_recovery, source, true, "snapshot, backup or standby"),
	TEXT(struct plan_recovery, text, "how the times are made up"),
	POSITIVE(struct plan_recovery, limit_hours, "h", "promised; absent: nothing is"),
	POSITIVE(struct plan_recovery, log_mb, "MB", "log applied after the loading"),
	POSITIVE(struct plan_recovery, replay_hours, "h", "that takes; absent: not known"),
	POSITIVE(struct plan_recovery, other_hours, "h", "to notice, decide and start; absent: not counted"),
	FIELD_LIST(struct plan_recovery, restores, n_restores, &restore_schema, false, "the plan's way and others"),
};
static const struct schema recovery_schema =
	SCHEMA_PART("coming back after a loss", struct plan_recovery, recovery_fields);

static const struct schema_field prediction_fields[] = {
	POSITIVE(struct plan_prediction, target_tps, "1/s", "asked rate"),
	POSITIVE(struct plan_prediction, max_tps, "1/s", "with every client busy"),
	POSITIVE(struct plan_prediction, max_tps_lo, "1/s", "from the intervals of the latencies"),
	POSITIVE(struct plan_prediction, max_tps_hi, "1/s", "from the intervals of the latencies"),
	POSITIVE(struct plan_prediction, at_tps, "1/s", "rate the latencies below belong to"),
	TEXT(struct plan_prediction, limit, "the stage that binds"),
	TEXT(struct plan_prediction, next, "the stage that would bind without that one"),
	ANY(struct plan_prediction, next_gain_frac, "", "gain in max_tps until then"),
	FIELD_FLAG(struct plan_prediction, after_checkpoint,
		"the latencies are those right after a checkpoint, the worst of the regimes"),
	FIELD_LIST(struct plan_prediction, stages, n_stages, &stage_schema, false,
		"what a transaction passes, and how full each stage is"),
	POSITIVE(struct plan_prediction, commit_mean_ms, "ms", "commit wait"),
	POSITIVE(struct plan_prediction, commit_p99_ms, "ms", "commit wait"),
	POSITIVE(struct plan_prediction, tx_mean_ms, "ms", "whole transaction"),
	POSITIVE(struct plan_prediction, tx_p99_ms, "ms", "whole transaction"),
	ANY(struct plan_prediction, fast_disk_gain_frac, "", "gain in max_tps from storage without latency"),
	POSITIVE(struct plan_prediction, commits_per_flush, "", "group commit"),
};
static const struct schema prediction_schema =
	SCHEMA_PART("what the database will do", struct plan_prediction, prediction_fields);

static const struct schema_field cost_fields[] = {
	POSITIVE(struct plan_cost, storage_monthly, "money/month", "all volumes on all machines"),
	POSITIVE(struct plan_cost, machine_monthly, "money/month", "all machines; absent: the size is not part of the choice, or no price"),
	POSITIVE(struct plan_cost, monthly, "money/month", "the total; at least, when not complete"),
	FIELD_FLAG(struct plan_cost, complete, "every price in the total is known"),
	POSITIVE(struct plan_cost, utilisation, "", "share of the month's capacity that is executed"),
	POSITIVE(struct plan_cost, per_ktpm_month, "money", "price of a rate: a month of 1,000 transactions per minute"),
	POSITIVE(struct plan_cost, per_1000_tx, "money", "price of work: 1,000 transactions executed"),
	TEXT(struct plan_cost, basis, "which rate, hours and utilisation the unit costs use"),
};
static const struct schema cost_schema = SCHEMA_PART("the cost", struct plan_cost, cost_fields);

static const struct schema_field option_fields[] = {
	FIELD_TEXT(struct plan_option, name, true, "the other plan"),
	POSITIVE(struct plan_option, monthly, "money/month", "its total, at least when not complete; absent: it cannot be built"),
	FIELD_FLAG(struct plan_option, complete, "every price in monthly is known"),
	FIELD_FLAG(struct plan_option, feasible, "it keeps every constraint and promise, as this plan is judged; absent: not known"),
	ANY(struct plan_option, saving_frac, "", "(option - plan) / option"),
	TEXT(struct plan_option, text, "what it is and what it breaks"),
};
static const struct schema option_schema =
	SCHEMA_PART("another plan", struct plan_option, option_fields);

static const struct schema_field front_point_fields[] = {
	POSITIVE(struct plan_front_point, monthly, "money/month", "its total"),
	POSITIVE(struct plan_front_point, p99_ms, "ms", "its p99, at the target rate"),
	FIELD_WORD(struct plan_front_point, verdict, &plan_verdict_names, true, "does it meet every constraint, latencies too"),
	FIELD_FLAG(struct plan_front_point, chosen, "it is this plan"),
	TEXT(struct plan_front_point, text, "what it is"),
	TEXT(struct plan_front_point, breaks, "the first constraint it does not meet"),
};
static const struct schema front_point_schema =
	SCHEMA_PART("a plan that no other beats in both", struct plan_front_point, front_point_fields);

static const struct schema_field front_fields[] = {
	FIELD_TEXT(struct plan_front, what, true, "transaction p99, commit p99 or read p99"),
	POSITIVE(struct plan_front, limit_ms, "ms", "promised; absent: nothing"),
	POSITIVE(struct plan_front, plan_monthly, "money/month", "this plan's total"),
	POSITIVE(struct plan_front, plan_p99_ms, "ms", "this plan's p99"),
	FIELD_FLAG(struct plan_front, complete, "no plan of the front is left out"),
	FIELD_LIST(struct plan_front, points, n_points, &front_point_schema, true, "cheapest and slowest first; where there are more than 64, the 63 cheapest and the fastest"),
	TEXT(struct plan_front, note, "why the front ends where it ends"),
};
static const struct schema front_schema =
	SCHEMA_PART("cost against p99", struct plan_front, front_fields);

static const struct schema_field span_fields[] = {
	POSITIVE(struct plan_span, from_iops, "IOPS", "from here on, included"),
	POSITIVE(struct plan_span, to_iops, "IOPS", "up to here, included"),
	FIELD_TEXT(struct plan_span, tier, true, "the cheapest tier there"),
	TEXT(struct plan_span, config, "its least configuration at from_iops"),
	TEXT(struct plan_span, config_to, "its least configuration at to_iops"),
	POSITIVE(struct plan_span, monthly, "money/month", "at from_iops, one machine"),
	POSITIVE(struct plan_span, monthly_to, "money/month", "at to_iops, one machine"),
	POSITIVE(struct plan_span, before_monthly, "money/month", "at from_iops, of the tier that is cheapest below; absent: it cannot do that many"),
};
static const struct schema span_schema =
	SCHEMA_PART("rates at which a tier is cheapest", struct plan_span, span_fields);

static const struct schema_field tier_fields[] = {
	FIELD_TEXT(struct plan_tier, tier, true, "what people call it"),
	POSITIVE(struct plan_tier, most_iops, "IOPS", "that one disk of it can do for this volume"),
	POSITIVE(struct plan_tier, need_monthly, "money/month", "at the volume's own IOPS, one disk on one machine; absent: it cannot"),
	FIELD_WORD(struct plan_tier, keeps, &plan_verdict_names, false, "the latency promises; absent: none is made"),
	TEXT(struct plan_tier, text, "why not"),
};
static const struct schema tier_schema = SCHEMA_PART("a tier", struct plan_tier, tier_fields);

static const struct schema_field pair_fields[] = {
	FIELD_TEXT(struct plan_pair, first, true, "a tier"),
	FIELD_TEXT(struct plan_pair, second, true, "and another"),
	FIELD_LIST(struct plan_pair, spans, n_spans, &span_schema, true, "which of the two is cheaper, rising IOPS"),
	TEXT(struct plan_pair, text, "the same in a sentence"),
};
static const struct schema pair_schema = SCHEMA_PART("two tiers", struct plan_pair, pair_fields);

static const struct schema_field break_even_fields[] = {
	FIELD_TEXT(struct plan_break_even, volume, true, "name of the volume"),
	POSITIVE(struct plan_break_even, gib, "GiB", "size the prices are for"),
	POSITIVE(struct plan_break_even, mbps, "MB/s", "the volume's own throughput, with headroom"),
	POSITIVE(struct plan_break_even, need_iops, "IOPS", "the volume's own I/Os, with headroom, streams apart"),
	POSITIVE(struct plan_break_even, io_kib, "KiB", "size of each I/O: throughput rises with the IOPS; 0: not counted"),
	POSITIVE(struct plan_break_even, stream_mbps, "MB/s", "streams beside the I/Os, the same at every rate, with headroom"),
	FIELD_LIST(struct plan_break_even, spans, n_spans, &span_schema, true, "rising IOPS, every tier, one disk"),
	FIELD_LIST(struct plan_break_even, kept, n_kept, &span_schema, false, "the same of the tiers that keep the latency promises, where it differs"),
	FIELD_LIST(struct plan_break_even, tiers, n_tiers, &tier_schema, true, "the tiers compared"),
	FIELD_LIST(struct plan_break_even, pairs, n_pairs, &pair_schema, false, "each two of them against each other"),
	TEXT(struct plan_break_even, text, "the answer in a sentence"),
	FIELD_LIST(struct plan_break_even, striped, n_striped, &span_schema, false, "the same of stripes"),
	POSITIVE(struct plan_break_even, disks_most, "", "most disks of a stripe"),
	TEXT(struct plan_break_even, striped_text, "the answer for stripes"),
	TEXT(struct plan_break_even, note, "what was left out"),
};
static const struct schema break_even_schema =
	SCHEMA_PART("the cheapest tier by IOPS", struct plan_break_even, break_even_fields);

static const struct schema_field today_volume_fields[] = {
	FIELD_TEXT(struct plan_today_volume, volume, true, "name of the volume"),
	FIELD_PART(struct plan_today_volume, config, &config_schema, false, "what it is on; absent: not said"),
	FIELD_WORD(struct plan_today_volume, verdict, &plan_verdict_names, true, "does it meet the constraints of a volume"),
	FIELD_TEXTS(struct plan_today_volume, breaks, n_breaks, false, "what it does not meet"),
	POSITIVE(struct plan_today_volume, plan_monthly, "money/month", "of the plan, one machine"),
	POSITIVE(struct plan_today_volume, iops_used_frac, "share", "of the IOPS its disks sustain, at the peak"),
	POSITIVE(struct plan_today_volume, mbps_used_frac, "share", "of the MB/s its disks sustain, at the peak"),
	POSITIVE(struct plan_today_volume, seen_p99_ms, "ms", "seen today: of a read, of a log a commit"),
	POSITIVE(struct plan_today_volume, expected_p99_ms, "ms", "of the tier at this load"),
	FIELD_FLAG(struct plan_today_volume, not_the_tier, "seen twice as slow as expected with every cap far away: another tier is expected to change nothing"),
	TEXT(struct plan_today_volume, seen_text, "what the two say about the tier"),
};
static const struct schema today_volume_schema =
	SCHEMA_PART("a volume as it is today", struct plan_today_volume, today_volume_fields);

static const struct schema_field today_fields[] = {
	FIELD_WORD(struct plan_today, verdict, &plan_verdict_names, true, "do today's disks meet every constraint"),
	TEXT(struct plan_today, machine, "size of the machine they are judged on"),
	FIELD_LIST(struct plan_today, volumes, n_volumes, &today_volume_schema, true, "in the order of the workload"),
	FIELD_TEXTS(struct plan_today, breaks, n_breaks, false, "what they do not meet together"),
	POSITIVE(struct plan_today, storage_monthly, "money/month", "all machines; absent: a price is not known"),
	POSITIVE(struct plan_today, machine_monthly, "money/month", "all machines; absent: not part of the comparison, or no price"),
	POSITIVE(struct plan_today, monthly, "money/month", "the total; absent: a price is not known"),
	POSITIVE(struct plan_today, known_monthly, "money/month", "what is known of it: it is at least this; absent: nothing is"),
	POSITIVE(struct plan_today, plan_monthly, "money/month", "the plan's, for the same things"),
	ANY(struct plan_today, change, "money/month", "plan - today"),
	ANY(struct plan_today, change_frac, "", "(plan - today) / today"),
	POSITIVE(struct plan_today, keep_below_frac, "", "a saving below this share is not worth a change"),
	POSITIVE(struct plan_today, migration_cost, "money", "spent once; absent: not said"),
	ANY(struct plan_today, horizon_saving, "money", "what the change saves to the horizon"),
	ANY(struct plan_today, net_saving, "money", "horizon_saving less migration_cost"),
	POSITIVE(struct plan_today, payback_months, "months", "after which migration_cost is saved; absent: never, or not known"),
	FIELD_FLAG(struct plan_today, keep, "keep what you have"),
	TEXT(struct plan_today, text, "the verdict in a sentence"),
	FIELD_PART(struct plan_today, bill, &bill_schema, false, "line by meter"),
};
static const struct schema today_schema = SCHEMA_PART("today's disks", struct plan_today, today_fields);

static const struct schema_field fast_disk_fields[] = {
	POSITIVE(struct plan_fast_disk, tps, "1/s", "highest rate with disks without latency and caps"),
	ANY(struct plan_fast_disk, gain_frac, "", "over the plan's highest rate"),
	FIELD_FLAG(struct plan_fast_disk, not_storage, "storage is not what binds: under 5 %, or the target is out of reach even so"),
	TEXT(struct plan_fast_disk, limit, "what binds then"),
	TEXT(struct plan_fast_disk, text, "in a sentence"),
	FIELD_TEXTS(struct plan_fast_disk, advice, n_advice, false, "what to change instead"),
};
static const struct schema fast_disk_schema =
	SCHEMA_PART("disks without latency", struct plan_fast_disk, fast_disk_fields);

static const struct schema_field rule_fields[] = {
	FIELD_TEXT(struct plan_rule, id, true, "rule"),
	TEXT(struct plan_rule, kind, "require, prefer, configure, warn or checklist"),
	TEXT(struct plan_rule, volume, "volume it spoke about; absent: the whole plan"),
	TEXT(struct plan_rule, text, "what it says here"),
	TEXT(struct plan_rule, set, "the setting it speaks of: a fact, engine.NAME or os.NAME"),
	TEXT(struct plan_rule, to, "what that is set to"),
	TEXT(struct plan_rule, why, "its reason"),
	TEXT(struct plan_rule, source, "where the rule comes from"),
	TEXT(struct plan_rule, as_of, "date of the source"),
};
static const struct schema rule_schema = SCHEMA_PART("a rule that fired", struct plan_rule, rule_fields);

#define NUMBERS(m, u, h) \
	FIELD_NUMBERS(struct plan_curve, m, n_##m, false, -SCHEMA_ANY, SCHEMA_ANY, u, h)
#define SERIES(m, n, u, h) \
	FIELD_NUMBERS(struct plan_curve, m, n, false, -SCHEMA_ANY, SCHEMA_ANY, u, h)
static const struct schema_field curve_fields[] = {
	TEXT(struct plan_curve, volume, "volume"),
	TEXT(struct plan_curve, title, "title of the chart"),
	FIELD_WORD(struct plan_curve, op, &profile_op_names, false, "operation"),
	POSITIVE(struct plan_curve, bs_b, "bytes", "block size"),
	NUMBERS(qd, "", "outstanding I/O"),
	SERIES(mean_us, n_mean, "us", "mean at each depth"),
	SERIES(p99_us, n_p99, "us", "p99 at each depth; null: not known"),
	SERIES(lo_us, n_lo, "us", "95 % interval of the mean"),
	SERIES(hi_us, n_hi, "us", "95 % interval of the mean"),
	NUMBERS(run_qd, "", "measured depths"),
	NUMBERS(run_us, "us", "measured means"),
	POSITIVE(struct plan_curve, sla_ms, "ms", "promise drawn as a line"),
	POSITIVE(struct plan_curve, knee_qd, "", "depth from which waiting grows as fast as the load"),
	TEXT(struct plan_curve, trust, "where the curve comes from"),
	TEXT(struct plan_curve, source, "profile behind it"),
};
static const struct schema curve_schema =
	SCHEMA_PART("a curve for the chart", struct plan_curve, curve_fields);

static const struct schema_field input_fields[] = {
	FIELD_TEXT(struct plan_input, kind, true, "workload, prices, limits, rules or profile"),
	FIELD_TEXT(struct plan_input, path, true, "as given, or inside the data folder"),
	FIELD_TEXT(struct plan_input, sha256, true, "of the bytes read"),
	TEXT(struct plan_input, as_of, "date of the data"),
};
static const struct schema input_schema = SCHEMA_PART("a file read", struct plan_input, input_fields);

static const struct schema_field plan_fields[] = {
	FIELD_TEXT(struct plan, name, true, "name of the workload"),
	TEXT(struct plan, created, "ISO 8601 UTC"),
	TEXT(struct plan, tool, "program and version"),
	TEXT(struct plan, engine, "database engine"),
	TEXT(struct plan, provider, "provider"),
	TEXT(struct plan, region, "region"),
	TEXT(struct plan, currency, "ISO 4217 code of every amount"),
	FIELD_WORD(struct plan, verdict, &plan_verdict_names, true, "PASS, FAIL or UNKNOWN over every promise"),
	TEXT(struct plan, sentence, "the decision in one sentence"),
	ANY(struct plan, price_age_days, "days", "age of the price book when the plan was made"),
	TEXT(struct plan, price_as_of, "date of the price book"),
	TEXT(struct plan, price_source, "source of the price book"),
	POSITIVE(struct plan, hours_per_month, "h", "hours billed in a month"),
	FIELD_NUMBER(struct plan, headroom, false, 0, 1, "", "share of every cap kept free"),
	FIELD_NUMBER(struct plan, stripe_saving_frac, false, 0, 1, "", "a stripe is offered when it saves at least this share against fewer disks that do the same"),
	POSITIVE(struct plan, horizon_months, "months", "growth counted this far"),
	FIELD_PART(struct plan, machine, &machine_schema, false, "absent: no machine named, no machine cap checked"),
	FIELD_LIST(struct plan, volumes, n_volumes, &volume_schema, true, "one per volume of the workload"),
	FIELD_PART(struct plan, prediction, &prediction_schema, false, "absent: no transaction profile"),
	FIELD_PART(struct plan, today, &today_schema, false, "what the workload runs on today, by the same constraints; absent: not said"),
	FIELD_PART(struct plan, fast_disk, &fast_disk_schema, false, "what disks without latency would bring; absent: no transactions, or not known"),
	FIELD_LIST(struct plan, sla, n_sla, &sla_schema, false, "promises"),
	FIELD_PART(struct plan, recovery, &recovery_schema, false, "absent: no recovery time was asked for"),
	FIELD_PART(struct plan, confidence, &confidence_schema, false, "how sure it is; absent: nothing fits"),
	FIELD_LIST(struct plan, measurements, n_measurements, &measurement_schema, false, "what to measure, most worth first"),
	FIELD_PART(struct plan, bill, &bill_schema, false, "line by meter"),
	FIELD_PART(struct plan, cost, &cost_schema, false, "totals and unit costs"),
	FIELD_LIST(struct plan, options, n_options, &option_schema, false, "baselines and runner-up"),
	FIELD_PART(struct plan, front, &front_schema, false, "the plans that no other beats in both cost and p99; every other constraint holds"),
	FIELD_LIST(struct plan, break_even, n_break_even, &break_even_schema, false, "for each log, data and index volume: which tier is cheapest at how many IOPS"),
	FIELD_LIST(struct plan, rules, n_rules, &rule_schema, false, "rules that fired"),
	FIELD_TEXTS(struct plan, changes, n_changes, false, "what would change the decision"),
	FIELD_LIST(struct plan, findings, n_findings, &finding_schema, false, "unknowns, assumptions, warnings"),
	FIELD_LIST(struct plan, curves, n_curves, &curve_schema, false, "for the charts"),
	FIELD_LIST(struct plan, inputs, n_inputs, &input_schema, false, "every file the plan rests on"),
};
/* clang-format on */

const struct schema plan_schema = SCHEMA_DOCUMENT(
	"tierwise/plan/1", "a recommendation: everything a report says", struct plan, plan_fields);

void
plan_config_clear(struct plan_config *config)
{
	schema_clear(&config_schema, config);
}

int
plan_read(struct jval root, struct arena *a, struct plan *plan, struct err *err)
{
	int rc = schema_read(&plan_schema, root, a, plan, err);
	if (rc == 0 && plan->cost && !plan->currency)
		return json_fail_key(json_get(root, "cost"), err, ERR_PARSE,
			"cost: amounts, but the plan names no \"currency\"");
	return rc;
}

int
plan_load(const char *path, struct arena *a, struct plan *plan, char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	rc = plan_read(json_root(doc), a, plan, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}
