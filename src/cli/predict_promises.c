/*
 * predict_promises.c - what the workload promises against what is predicted: one verdict a promise, by the
 * worse of the steady state and the time right after a checkpoint, as recommend judges a plan.
 */
#include <math.h>

#include "cli/predict_workload.h"

struct judge {
	const struct predict_database *p;
	struct doc *d;
	struct predict_verdicts *verdicts;
	const struct db_answer *now, *after; /* the same where no checkpoint logs whole pages */
};

static const char *
number(const struct judge *j, double v, int digits)
{
	return predict_number(j->d, v, digits);
}

static void
say(const struct judge *j, enum doc_tone tone, const char *text)
{
	doc_callout(j->d, tone, "%s", text ? text : "");
	predict_verdict(j->verdicts, tone, text ? text : "");
}

/* What a figure was taken at, where that is not the rate asked for. */
static const char *
taken_at(const struct judge *j, const struct db_answer *a)
{
	const char *checkpoint = a == j->after && a != j->now ? ", right after a checkpoint" : "";
	if (a->steady)
		return checkpoint;
	return arena_printf(j->d->arena, "%s, at %s TPS, the most it carries", checkpoint,
		number(j, a->tps.value, 4));
}

static const char both_sides[] = "; the interval holds both sides: measure longer to be sure";

/* "commit p99 of 1.5 ms against 1 ms" */
static void
judge_latency(const struct judge *j, const char *what, const struct db_answer *at,
	const struct estimate *e, double limit_ms)
{
	const char *limit = number(j, limit_ms, 6), *where = taken_at(j, at);
	if (isnan(e->value)) {
		say(j, DOC_UNKNOWN,
			arena_printf(
				j->d->arena, "%s is not known, limit %s ms%s", what, limit, where));
		return;
	}
	bool pass = e->value <= limit_ms;
	bool both = pass ? e->hi > limit_ms : e->lo <= limit_ms;
	say(j, pass ? DOC_PASS : DOC_FAIL,
		arena_printf(j->d->arena, "%s of %s ms against %s ms%s%s", what,
			number(j, e->value, 3), limit, where, both ? both_sides : ""));
}

/* The worse decides; what is not known decides only where the other is kept. */
static void
judge_worse(const struct judge *j, const char *what, const struct estimate *now,
	const struct estimate *after, double limit_ms)
{
	bool worse = isnan(after->value) ? now->value <= limit_ms
		     : isnan(now->value) ? after->value > limit_ms
					 : after->value > now->value;
	if (!isnan(limit_ms))
		judge_latency(j, what, worse ? j->after : j->now, worse ? after : now, limit_ms);
}

static void
judge_rate(const struct judge *j)
{
	const struct predict_database *p = j->p;
	const struct estimate *most = &p->result.closed.tps;
	const char *target = number(j, p->input.tx.target_tps, 6);
	if (!p->result.has_open)
		return;
	bool pass = p->result.open.steady;
	bool both = pass ? most->lo < p->input.tx.target_tps : most->hi >= p->input.tx.target_tps;
	const char *limits = both ? both_sides : "";
	if (pass)
		say(j, DOC_PASS,
			arena_printf(j->d->arena, "throughput of %s TPS at most against %s TPS%s",
				number(j, most->value, 4), target, limits));
	else
		say(j, DOC_FAIL,
			arena_printf(j->d->arena,
				"no steady state at %s TPS: throughput of %s TPS at most, the "
				"backlog grows by %.0f transactions every second (figures "
				"below are at that rate)%s",
				target, number(j, most->value, 4), p->result.open.backlog_per_s,
				limits));
}

/* Where there is no steady state a transaction waits longer each second: no limit is kept. */
static void
judge_transaction(const struct judge *j, double limit_ms)
{
	const struct db_answer *a = j->now->steady ? j->after : j->now;
	if (a->steady || isnan(limit_ms)) {
		judge_worse(
			j, "transaction p99", &j->now->tx.p99_ms, &j->after->tx.p99_ms, limit_ms);
		return;
	}
	const char *passed = isnan(a->sla_after_s) ? ""
			     : a->sla_after_s > 0  ? arena_printf(j->d->arena, " after %s s",
							     number(j, a->sla_after_s, 3))
						   : " from the start";
	say(j, DOC_FAIL,
		arena_printf(j->d->arena,
			"transaction p99 grows with the backlog%s: more than %s ms%s",
			a == j->now ? "" : ", right after a checkpoint", number(j, limit_ms, 6),
			passed));
}

/* One I/O on the disk of the data at the load of an answer, in ms. */
static struct estimate
disk_p99(const struct judge *j, const struct db_answer *a, enum profile_op op)
{
	const double no = (double)NAN;
	struct estimate e = {no, no, no, -1, -1};
	struct db_disk disk = j->p->data.disk; /* asking changes what it remembers */
	if (db_disk_latency(&disk, op, &a->data_load, MODEL_P99, &e, NULL))
		return (struct estimate){no, no, no, -1, -1};
	e.value /= 1e3;
	e.lo /= 1e3;
	e.hi /= 1e3;
	return e;
}

static void
judge_disk(const struct judge *j, const char *what, enum profile_op op, double limit_ms)
{
	if (isnan(limit_ms))
		return;
	struct estimate now = disk_p99(j, j->now, op), after = disk_p99(j, j->after, op);
	judge_worse(j, what, &now, &after, limit_ms);
}

/* What a loss of the machine costs. */
static void
judge_loss(const struct judge *j, double limit_ms)
{
	const struct predict_database *p = j->p;
	const struct db_replication *r = &p->result.replication;
	bool standbys = p->input.tx.standby.count >= 1;
	const char *why = NULL;
	if (isnan(limit_ms))
		return;
	if (standbys && isnan(r->rpo_ms) && r->lag_growth_ms_per_s > 0) {
		say(j, DOC_FAIL,
			arena_printf(j->d->arena, "data at risk against %s ms: %s",
				number(j, limit_ms, 6), predict_behind(p, j->d)));
		return;
	}
	if (!standbys && p->workload.replicated == 1)
		why = "the copies on other machines decide: give transactions.standbys";
	else if (isnan(r->rpo_ms))
		why = predict_loss_gap(p, j->d);
	if (why)
		say(j, DOC_UNKNOWN,
			arena_printf(j->d->arena, "data at risk is not known, limit %s ms: %s",
				number(j, limit_ms, 6), why));
	else
		say(j, r->rpo_ms <= limit_ms ? DOC_PASS : DOC_FAIL,
			arena_printf(j->d->arena, "data at risk of %s ms against %s ms",
				number(j, r->rpo_ms, 3), number(j, limit_ms, 6)));
}

/* What the workload promises beyond what is predicted here. */
static void
put_others(const struct judge *j)
{
	const struct workload *w = &j->p->workload;
	bool window = false;
	for (size_t i = 0; i < w->n_volumes; i++)
		window = window || !isnan(w->volumes[i].window_hours);
	bool back = w->sla && !isnan(w->sla->rto_hours);
	if (back || window)
		doc_callout(j->d, DOC_NOTE, "not judged here, but by recommend: %s%s%s",
			back ? "rto_hours of the SLA" : "", back && window ? ", " : "",
			window ? "window_hours of a volume" : "");
}

void
predict_database_promises(
	const struct predict_database *p, struct doc *d, struct predict_verdicts *verdicts)
{
	const struct db_result *r = &p->result;
	const struct workload_sla *sla = p->workload.sla;
	struct judge j = {
		.p = p, .d = d, .verdicts = verdicts, .now = r->has_open ? &r->open : &r->closed};
	j.after = !r->has_after ? j.now : r->has_open ? &r->open_after : &r->closed_after;
	judge_rate(&j);
	if (sla) {
		judge_transaction(&j, sla->tx_p99_ms);
		judge_worse(&j, "commit p99", &j.now->commit.p99_ms, &j.after->commit.p99_ms,
			sla->commit_p99_ms);
		judge_disk(&j, "read p99 of the data disk", PROFILE_OP_RANDREAD, sla->read_p99_ms);
		judge_disk(
			&j, "write p99 of the data disk", PROFILE_OP_RANDWRITE, sla->write_p99_ms);
		judge_loss(&j, sla->rpo_ms);
	}
	put_others(&j);
}
