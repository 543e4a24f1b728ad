/*
 * promise.c - the prediction for the database, and each promise of the workload against it.
 *
 * A promise is PASS or FAIL only when both numbers are known: nothing passes by silence.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "advise/recovery.h"
#include "advise/transaction.h"
#include "base/trust.h"
#include "base/units.h"

static const struct estimate unknown = {
	.value = (double)NAN, .lo = (double)NAN, .hi = (double)NAN, .trust = -1, .how = -1};

static int
add(struct build *b, const struct promise *p, struct err *err)
{
	if (isnan(p->limit))
		return 0;
	struct plan *plan = b->plan;
	struct plan_sla *rows = arena_grow(b->arena, plan->sla, plan->n_sla, sizeof(*rows));
	if (!rows)
		return err_nomem(err);
	double room = p->at_least ? p->predicted.value - p->limit : p->limit - p->predicted.value;
	bool ok = room >= -1e-9 * p->limit;
	int verdict = p->lost ? PLAN_FAIL : isnan(room) ? PLAN_UNKNOWN : ok ? PLAN_PASS : PLAN_FAIL;
	plan->sla = rows;
	rows[plan->n_sla++] = (struct plan_sla){.what = p->what,
		.limit = p->limit,
		.predicted = p->predicted.value,
		.lo = p->predicted.lo,
		.hi = p->predicted.hi,
		.unit = p->unit,
		.margin_frac = p->limit > 0 ? room / p->limit : (double)NAN,
		.verdict = verdict,
		.trust = isnan(p->predicted.value) ? -1 : p->predicted.trust,
		.note = p->note,
		.probability = (double)NAN,
		.on_latency = -1};
	return 0;
}

static const char *
nothing_fits(const struct build *b, const char *otherwise)
{
	if (b->choice.found)
		return otherwise;
	return b->undecided ? "no configuration is known to fit, so nothing is predicted"
			    : "no configuration fits, so nothing is predicted";
}

/* Commit p99: of the database when it can be predicted, else of the log disk alone. */
static struct estimate
commit_p99(const struct build *b, const char **note)
{
	bool waits = transaction_commit_waits(b->c->in->engine);
	if (b->choice.found && !waits)
		*note = "a commit does not wait for the disk";
	if (b->has_tx)
		return b->tx.commit_p99_ms;
	if (b->choice.found && !waits) {
		return (struct estimate){.trust = TRUST_DERIVED, .how = MODEL_CURVE};
	}
	for (size_t v = 0; v < b->c->set.n && b->choice.found; v++) {
		const struct candidate *c = b->choice.at[v];
		if (isnan(b->c->options[b->choice.option].sites[v].commit_kib))
			continue;
		struct estimate e = c->latency.commit_p99;
		e.value /= 1000;
		e.lo /= 1000;
		e.hi /= 1000;
		*note = "one writer, nothing waiting: the workload has no transactions";
		return e;
	}
	*note = nothing_fits(b, "no log volume");
	return unknown;
}

/* The slowest data or index volume. */
static struct estimate
disk_p99(const struct build *b, bool reads, const char **note)
{
	struct estimate worst = unknown;
	bool first = true;
	for (size_t v = 0; v < b->c->set.n && b->choice.found; v++) {
		int role = b->c->set.volumes[v].volume->role;
		if (role != WORKLOAD_DATA && role != WORKLOAD_INDEX)
			continue;
		const struct latency *l = &b->choice.at[v]->latency;
		struct estimate e = reads ? l->read_p99 : l->write_p99;
		if (!first && !isnan(e.value) && e.value < worst.value)
			continue;
		worst = e;
		first = false;
	}
	worst.value /= 1000;
	worst.lo /= 1000;
	worst.hi /= 1000;
	if (isnan(worst.value))
		*note = nothing_fits(b, "the latency of the disk is not known");
	return worst;
}

static struct estimate
throughput(const struct build *b)
{
	if (!b->has_tx)
		return unknown;
	return (struct estimate){.value = b->tx.max_tps,
		.lo = b->tx.max_tps_lo,
		.hi = b->tx.max_tps_hi,
		.trust = b->tx.tx_mean_ms.trust,
		.how = MODEL_CURVE};
}

static int
windows(struct build *b, struct err *err)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		struct promise p = {.what = arena_printf(b->arena, "%s window", d->label),
			.unit = "h",
			.limit = d->volume->window_hours,
			.predicted = unknown,
			.note = nothing_fits(b, NULL)};
		if (isnan(p.limit))
			continue;
		if (b->choice.found) {
			const struct candidate_site *site =
				&b->c->options[b->choice.option].sites[v];
			struct breach k = constraint_check(
				CONSTRAINT_WINDOW, site, b->choice.at[v], &b->ctx);
			p.predicted.value = k.applies ? k.have : (double)NAN;
			p.predicted.trust = TRUST_DERIVED;
			p.note = k.applies ? "from the sustained MB/s of the disk with headroom"
					   : "its rate is given, its copy is not";
		}
		int rc = add(b, &p, err);
		if (rc)
			return rc;
	}
	return 0;
}

static bool
log_is_ephemeral(const struct build *b)
{
	for (size_t v = 0; v < b->c->set.n && b->choice.found; v++) {
		const struct candidate_site *site = &b->c->options[b->choice.option].sites[v];
		if (!isnan(site->commit_kib) && b->choice.at[v]->disk->ephemeral == 1)
			return true;
	}
	return false;
}

static const char *
falling_behind(const struct build *b)
{
	const struct db_replication *r = &b->tx.replication;
	const char *text = arena_printf(b->arena,
		"standbys apply %.3g of each transaction that comes: they fall behind by "
		"%.0f ms every second",
		r->ratio, r->lag_growth_ms_per_s);
	return text ? text : "standbys fall behind";
}

/* What a loss of the machine costs: the lag of standbys, the engine's loss window, or nothing. */
static struct promise
recovery_point(const struct build *b, double limit)
{
	const struct db_replication *r = &b->tx.replication;
	struct promise p = {"recovery point", "ms", b->tx_gap, limit, unknown, false, false};
	if (!b->has_tx)
		return p;
	p.predicted = (struct estimate){.value = r->rpo_ms,
		.lo = r->rpo_ms,
		.hi = r->rpo_ms,
		.trust = b->tx.tx_mean_ms.trust,
		.how = MODEL_CURVE};
	if (b->c->in->workload->replicated == 1 && b->c->set.transaction.standby.count < 1) {
		p.predicted = unknown;
		p.note = "the copies on other machines decide: give transactions.standbys, and "
			 "their lag is predicted";
	} else if (log_is_ephemeral(b) && b->c->set.transaction.standby.count < 1) {
		p.predicted = unknown;
		p.note = "the log's disk goes with the machine: what is lost is everything since "
			 "the last copy";
	} else if (r->lag_growth_ms_per_s > 0 && isnan(r->rpo_ms)) {
		p.lost = true;
		p.note = falling_behind(b);
	} else if (r->lag_growth_ms_per_s > 0) {
		p.note = arena_printf(b->arena,
			"what a commit waited for is on a standby, applied or not; but %s",
			falling_behind(b));
	} else if (b->c->set.transaction.standby.count >= 1) {
		p.note = "lag of the standbys at the predicted rate";
	} else if (isnan(r->rpo_ms)) {
		p.note = "the engine states no loss window for its way of committing";
	} else if (r->rpo_ms > 0) {
		p.note = "the engine acknowledges before it flushes";
	} else {
		p.note = "a commit is on its disk before it is answered; a lost disk costs what "
			 "came "
			 "since the last copy";
	}
	return p;
}

/*
 * A standby takes over once it has applied what it was sent.  Behind at the target rate, it catches up only
 * where it applies more than comes on average; how long that takes depends on how long the peak was.
 */
static struct promise
after_backlog(const struct build *b, struct promise p)
{
	const struct db_replication *r = &b->tx.replication;
	double average = r->generation_tps * b->c->set.tx.utilisation;
	p.predicted = unknown;
	p.lost = r->apply_tps < average * (1 - 1e-9);
	p.note = arena_printf(b->arena,
		"a standby applies what it was sent before it takes over, and %s%s",
		falling_behind(b), p.lost ? "" : "; not known: how long such a peak lasts");
	return p;
}

/* The slowest volume: its time, what it is made of, or what is not known of it. */
static struct promise
slowest_volume(const struct build *b, double limit)
{
	struct promise p = {"recovery time", "h", nothing_fits(b, "no volume has to come back"),
		limit, unknown, false, false};
	double least = 0, most = 0; /* most NaN: none is known */
	struct recovery longest = {.load_hi_h = 0};
	bool open = false;
	for (size_t v = 0; v < b->c->set.n && b->choice.found && !isnan(limit); v++) {
		struct recovery r;
		const struct candidate_site *site = &b->c->options[b->choice.option].sites[v];
		recovery_of(site, b->choice.at[v], limit, &r);
		if (!r.applies)
			continue;
		least = fmax(least, r.lo_h);
		if (!(r.hi_h <= longest.hi_h))
			longest = r;
		most = isnan(most) || isnan(r.hi_h) ? (double)NAN : fmax(most, r.hi_h);
		if (r.open && !open) {
			open = true;
			p.note = r.gap;
		}
		if (open || (!isnan(p.predicted.value) && r.hi_h <= p.predicted.value))
			continue;
		p.predicted = (struct estimate){
			.value = r.hi_h, .lo = r.lo_h, .hi = r.hi_h, .trust = r.trust, .how = -1};
		p.note = restore_words(b->arena, b->c->set.volumes[v].label, &r);
	}
	if (open) {
		p.predicted = unknown;
		const char *from = least < 0.005
					   ? ""
					   : arena_printf(b->arena, "at least %.2f h; ", least);
		const char *to = isfinite(most) && most > 0
					 ? arena_printf(b->arena,
						   "at most %.3g h (%.3g h of loading and %.2f h "
						   "after it); ",
						   most, longest.load_hi_h, longest.rest_h)
					 : "";
		p.note = arena_printf(
			b->arena, "%s%snot known: %s", from ? from : "", to ? to : "", p.note);
	}
	return p;
}

static struct promise
target_rate(const struct build *b)
{
	return (struct promise){.what = "throughput",
		.unit = "transactions/s",
		.limit = b->c->set.has_tx ? b->c->set.tx.target_tps : (double)NAN,
		.predicted = throughput(b),
		.note = b->has_tx ? NULL : nothing_fits(b, b->tx_gap),
		.at_least = true};
}

static struct promise
recovery_time(const struct build *b, double limit)
{
	struct promise p = slowest_volume(b, limit);
	bool standby = recovery_source(b->c->in->workload) == WORKLOAD_STANDBY;
	bool behind = b->has_tx && b->tx.replication.lag_growth_ms_per_s > 0;
	bool broken = p.predicted.lo > limit * (1 + 1e-9);
	return b->choice.found && standby && behind && !broken ? after_backlog(b, p) : p;
}

void
build_latency_promises(const struct build *b, struct promise rows[PROMISE_LATENCY])
{
	const struct workload_sla *sla = b->c->in->workload->sla;
	const double none = (double)NAN;
	const char *gap = nothing_fits(b, b->tx_gap), *commit_note = NULL, *read_note = NULL,
		   *write_note = NULL;
	struct estimate commit = commit_p99(b, &commit_note);
	struct estimate read = disk_p99(b, true, &read_note);
	struct estimate write = disk_p99(b, false, &write_note);
	const struct promise made[PROMISE_LATENCY] = {
		target_rate(b),
		{"transaction p99", "ms", b->has_tx ? NULL : gap, sla ? sla->tx_p99_ms : none,
			b->has_tx ? b->tx.tx_p99_ms : unknown, false, false},
		{"commit p99", "ms", commit_note, sla ? sla->commit_p99_ms : none, commit, false,
			false},
		{"read p99", "ms", read_note, sla ? sla->read_p99_ms : none, read, false, false},
		{"write p99", "ms", write_note, sla ? sla->write_p99_ms : none, write, false,
			false},
		recovery_point(b, sla ? sla->rpo_ms : none),
	};
	memcpy(rows, made, sizeof(made));
}

/* An incomplete total proves that the budget is broken, never that it is kept. */
static int
budget(struct build *b, struct err *err)
{
	const struct workload_budget *given = b->c->in->workload->budget;
	struct promise p = {.what = "monthly budget",
		.unit = b->c->in->book->currency,
		.limit = given ? given->monthly : (double)NAN,
		.predicted = unknown,
		.note = nothing_fits(b, b->c->machine_counts ? NULL : "for storage alone")};
	double low = build_low(b);
	if (b->choice.found && b->choice.complete && low <= p.limit &&
		b->choice.monthly > p.limit) {
		p.note = arena_printf(b->arena, "a cap is not known: %s to %s a month",
			build_money(b, low), build_money(b, b->choice.monthly));
	} else if (b->choice.found && (b->choice.complete || low > p.limit)) {
		p.predicted.value = b->choice.complete ? b->choice.monthly : low;
		p.predicted.trust = TRUST_PUBLISHED;
	} else if (b->choice.found) {
		p.note = "a price is unknown, so the total is a lower bound";
	}
	return add(b, &p, err);
}

static int
put_stages(struct build *b, const struct tx_answer *r, struct plan_prediction *p, struct err *err)
{
	p->stages = arena_array(b->arena, DB_STAGE_COUNT, sizeof(*p->stages));
	if (!p->stages)
		return err_nomem(err);
	for (size_t i = 0; i < DB_STAGE_COUNT; i++) {
		const struct db_use *u = &r->use[i];
		if (isnan(u->used_frac) && isnan(u->ceiling_tps))
			continue;
		p->stages[p->n_stages++] = (struct plan_stage){
			r->stages[i], u->used_frac, u->ceiling_tps, u->what};
	}
	return 0;
}

static int
predict(struct build *b, struct err *err)
{
	struct err gap = {0};
	if (!b->choice.found)
		return 0;
	int rc = chooser_tx(b->c, b->choice.option, b->choice.at, b->findings, &b->tx, &gap);
	b->has_tx = rc == 0;
	b->tx_gap = rc ? arena_strdup(b->arena, gap.text) : NULL;
	if (rc) {
		if (b->c->set.has_tx)
			findings_add(b->findings, SEVERITY_WARNING, "tx-unknown",
				"measure the disks with tierwise bench and give them with "
				"--profile",
				"the transactions cannot be predicted: %s", gap.text);
		return 0;
	}
	struct plan_prediction *p = arena_alloc(b->arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	const char *cap = chooser_ceiling(b->c, b->choice.option, b->choice.at, &b->tx);
	const struct tx_answer *r = &b->tx;
	*p = (struct plan_prediction){.target_tps = b->c->set.tx.target_tps,
		.max_tps = r->max_tps,
		.max_tps_lo = r->max_tps_lo,
		.max_tps_hi = r->max_tps_hi,
		.at_tps = r->at_tps,
		.limit = cap ? cap : r->limit,
		.next = r->next,
		.next_gain_frac = r->next ? r->next_frac : (double)NAN,
		.after_checkpoint = r->after_checkpoint,
		.commit_mean_ms = r->commit_mean_ms.value,
		.commit_p99_ms = r->commit_p99_ms.value,
		.tx_mean_ms = r->tx_mean_ms.value,
		.tx_p99_ms = r->tx_p99_ms.value,
		.fast_disk_gain_frac = r->fast_disk_gain_frac,
		.commits_per_flush = r->commits_per_flush};
	b->plan->prediction = p;
	return put_stages(b, r, p, err);
}

int
build_promises(struct build *b, struct err *err)
{
	int rc = predict(b, err);
	if (rc)
		return rc;
	const struct workload_sla *sla = b->c->in->workload->sla;
	struct promise rows[PROMISE_LATENCY];
	build_latency_promises(b, rows);
	for (size_t i = 0; i < PROMISE_LATENCY && rc == 0; i++)
		rc = add(b, &rows[i], err);
	if (rc == 0 && sla) {
		struct promise back = recovery_time(b, sla->rto_hours);
		rc = add(b, &back, err);
	}
	rc = rc ? rc : windows(b, err);
	return rc ? rc : budget(b, err);
}
