/*
 * predict_database.c - what a database does on its disks, as a document: the rates, where a
 * transaction's time goes, what binds and what binds then, what a loss costs, and what was assumed.
 */
#include <math.h>

#include "base/units.h"
#include "cli/predict_workload.h"

/* To so many digits, or whole where it has more: never 1e+04. */
static const char *
number(struct doc *d, double v, int digits)
{
	return v >= pow(10, digits) - 0.5 ? arena_printf(d->arena, "%.0f", v)
					  : arena_printf(d->arena, "%.*g", digits, v);
}

/* "4.2 (3.9 to 4.6)". */
static const char *
interval(struct doc *d, const struct estimate *e, int digits)
{
	if (isnan(e->value))
		return "unknown";
	if (isnan(e->lo) || isnan(e->hi))
		return number(d, e->value, digits);
	return arena_printf(d->arena, "%s (%s to %s)", number(d, e->value, digits),
		number(d, e->lo, digits), number(d, e->hi, digits));
}

static const char *
milliseconds(struct doc *d, const struct estimate *e)
{
	return interval(d, e, 3);
}

static void
put_answer(struct doc *d, struct doc_table *t, const char *name, const struct db_answer *a)
{
	size_t c = 0;
	doc_row(d, t);
	doc_cell(d, t, c++, "%s", name);
	doc_cell(d, t, c++, "%s", interval(d, &a->tps, 4));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->tx.mean_ms));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->tx.p50_ms));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->tx.p95_ms));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->tx.p99_ms));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->commit.mean_ms));
	doc_cell(d, t, c++, "%s", milliseconds(d, &a->commit.p99_ms));
	doc_cell(d, t, c++, "%s", names_text(&trust_names, a->tx.mean_ms.trust));
}

static void
put_rates(const struct predict_database *p, struct doc *d)
{
	static const struct doc_column columns[] = {{"load", DOC_LEFT}, {"TPS", DOC_RIGHT},
		{"mean (ms)", DOC_RIGHT}, {"p50 (ms)", DOC_RIGHT}, {"p95 (ms)", DOC_RIGHT},
		{"p99 (ms)", DOC_RIGHT}, {"commit mean (ms)", DOC_RIGHT},
		{"commit p99 (ms)", DOC_RIGHT}, {"trust", DOC_LEFT}};
	const struct db_result *r = &p->result;
	struct doc_table *t = doc_table(d,
		"Transactions and commits, with 95 % intervals from those of the disks", columns,
		sizeof(columns) / sizeof(columns[0]));
	t->detail = 1U << 3 | 1U << 4;
	put_answer(d, t,
		arena_printf(d->arena, "%s client%s, as fast as they can",
			number(d, p->input.tx.clients, 6), p->input.tx.clients > 1 ? "s" : ""),
		&r->closed);
	if (r->has_after)
		put_answer(d, t, "the same right after a checkpoint", &r->closed_after);
	if (r->has_open)
		put_answer(d, t,
			arena_printf(
				d->arena, "%s TPS asked for", number(d, p->input.tx.target_tps, 6)),
			&r->open);
	if (r->has_open && r->has_after)
		put_answer(d, t, "the same right after a checkpoint", &r->open_after);
}

static void
put_stages(const struct predict_database *p, struct doc *d)
{
	static const struct doc_column columns[] = {{"stage", DOC_LEFT}, {"used (%)", DOC_RIGHT},
		{"alone it allows (TPS)", DOC_RIGHT}, {"what", DOC_LEFT}};
	const struct db_answer *a = p->result.has_open ? &p->result.open : &p->result.closed;
	struct doc_table *t = doc_table(d,
		arena_printf(
			d->arena, "How much of each stage %s TPS use", number(d, a->tps.value, 3)),
		columns, sizeof(columns) / sizeof(columns[0]));
	for (int i = 0; i < DB_STAGE_COUNT; i++) {
		const struct db_use *u = &a->use[i];
		if (isnan(u->used_frac) && isnan(u->ceiling_tps))
			continue;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", db_stage_short(&p->input, i));
		if (isnan(u->used_frac))
			doc_cell(d, t, 1, "unknown");
		else
			doc_cell(d, t, 1, "%.0f", 100 * u->used_frac);
		doc_cell(
			d, t, 2, isnan(u->ceiling_tps) ? "no bound known" : "%.0f", u->ceiling_tps);
		doc_cell(d, t, 3, "%s%s", u->what ? u->what : "",
			i == a->limit  ? u->what ? "; binds" : "binds"
			: i == a->next ? u->what ? "; binds next" : "binds next"
				       : "");
	}
}

static void
put_part(struct doc *d, struct doc_table *t, const char *name, double ms, double cycle)
{
	if (!(ms > 0))
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", name);
	doc_cell(d, t, 1, "%.3f", ms);
	doc_cell(d, t, 2, "%.0f", 100 * ms / cycle);
}

static void
put_parts(const struct predict_database *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"part", DOC_LEFT}, {"mean (ms)", DOC_RIGHT}, {"share (%)", DOC_RIGHT}};
	const struct db_parts *q = p->result.has_open ? &p->result.open.parts
						      : &p->result.closed.parts;
	struct doc_table *t = doc_table(d, "Where a transaction's time goes", columns,
		sizeof(columns) / sizeof(columns[0]));
	const char *waiting = db_single_writer(&p->engine) && isnan(p->input.tx.hot_rows)
				      ? "waiting for the one writer"
				      : "waiting for a row";
	put_part(d, t, "the client's pause", q->think_ms, q->cycle_ms);
	put_part(d, t, "waiting for a connection", q->pool_ms, q->cycle_ms);
	put_part(d, t, "processor, waiting for it included", q->cpu_ms, q->cycle_ms);
	put_part(d, t, "page reads, one after the other", q->reads_ms, q->cycle_ms);
	put_part(d, t, waiting, q->lock_ms, q->cycle_ms);
	put_part(d, t, "commit", q->commit_ms, q->cycle_ms);
}

/* What binds, what then, and whether faster disks would help at all. */
static void
put_verdict(const struct predict_database *p, struct doc *d)
{
	const struct db_answer *a = &p->result.closed;
	double gain = p->result.fast_disk_gain_frac;
	const char *next = isnan(a->slack_frac)
				   ? ""
				   : arena_printf(d->arena,
					     "; without that, %s would at %.0f %% more",
					     db_stage_text(&p->input, a->next),
					     100 * a->slack_frac);
	doc_paragraph(d, "At most %s TPS with %s client%s: %s set%s the limit%s.",
		number(d, a->tps.value, 3), number(d, p->input.tx.clients, 6),
		p->input.tx.clients > 1 ? "s" : "", db_stage_text(&p->input, a->limit),
		a->limit == DB_STAGE_CPU || a->limit == DB_STAGE_READS ||
				(a->limit == DB_STAGE_HOT_ROWS && !isnan(p->input.tx.hot_rows))
			? ""
			: "s",
		next);
	if (isnan(gain))
		doc_callout(d, DOC_UNKNOWN,
			"what infinitely fast disks would give is not known: give cpu_ms_per_tx");
	else if (gain < 0.05)
		doc_callout(d, DOC_NOTE,
			"not storage: infinitely fast disks would give %.1f %% more (%s TPS); "
			"keep the disks there are, and look at %s",
			100 * gain, number(d, p->result.fast_disk_tps, 3),
			db_stage_text(&p->input, a->limit));
	else
		doc_paragraph(d, "Infinitely fast disks would give %.0f %% more: %s TPS.",
			100 * gain, number(d, p->result.fast_disk_tps, 3));
	const struct db_answer *o = &p->result.open;
	if (p->result.has_open && !o->steady)
		doc_callout(d, DOC_FAIL,
			"no steady state at %s TPS (the figures below are at the wall): the "
			"backlog grows by %.0f transactions every "
			"second%s",
			number(d, p->input.tx.target_tps, 6), o->backlog_per_s,
			isnan(o->sla_after_s)
				? ""
				: arena_printf(d->arena,
					  "; tx_p99_ms of the SLA is passed after %s s",
					  number(d, o->sla_after_s, 3)));
}

static void
judge(struct doc *d, const char *what, const struct estimate *e, double limit_ms)
{
	if (isnan(limit_ms))
		return;
	if (isnan(e->value)) {
		doc_callout(d, DOC_UNKNOWN, "%s is not known, limit %s ms", what,
			number(d, limit_ms, 6));
		return;
	}
	bool pass = e->value <= limit_ms;
	bool sure = pass ? e->hi <= limit_ms : e->lo > limit_ms;
	doc_callout(d, pass ? DOC_PASS : DOC_FAIL, "%s of %s ms against %s ms%s", what,
		number(d, e->value, 3), number(d, limit_ms, 6),
		sure ? "" : "; the interval holds both sides: measure longer to be sure");
}

static void
put_sla(const struct predict_database *p, struct doc *d)
{
	const struct workload_sla *sla = p->workload.sla;
	const struct db_result *r = &p->result;
	if (!sla)
		return;
	const struct db_answer *a = r->has_open ? &r->open : &r->closed;
	const struct db_answer *after = r->has_open ? &r->open_after : &r->closed_after;
	judge(d, "transaction p99", &a->tx.p99_ms, sla->tx_p99_ms);
	judge(d, "commit p99", &a->commit.p99_ms, sla->commit_p99_ms);
	if (r->has_after) {
		judge(d, "transaction p99 right after a checkpoint", &after->tx.p99_ms,
			sla->tx_p99_ms);
		judge(d, "commit p99 right after a checkpoint", &after->commit.p99_ms,
			sla->commit_p99_ms);
	}
	struct estimate rpo = {r->replication.rpo_ms, r->replication.rpo_ms, r->replication.rpo_ms,
		a->tx.mean_ms.trust, MODEL_CURVE};
	judge(d, "data at risk", &rpo, sla->rpo_ms);
}

static void
put_replication(const struct predict_database *p, struct doc *d)
{
	const struct db_replication *r = &p->result.replication;
	if (p->input.tx.standby.count > 0 && r->lag_growth_ms_per_s > 0)
		doc_callout(d, DOC_FAIL,
			"standbys apply %.0f of %.0f transactions a second (ratio %.3f): they fall "
			"behind by %.0f ms every second",
			r->apply_tps, r->generation_tps, r->ratio, r->lag_growth_ms_per_s);
	else if (p->input.tx.standby.count > 0 && !isnan(r->lag_ms))
		doc_paragraph(d, "Standbys lag %s ms behind (they can apply %s times what comes).",
			number(d, r->lag_ms, 3), number(d, r->ratio, 3));
	if (r->rpo_ms > 0)
		doc_paragraph(d, "A loss of the machine costs the last %s ms: %.0f transactions.",
			number(d, r->rpo_ms, 3), r->rpo_transactions);
	else if (isnan(r->rpo_ms))
		doc_callout(d, DOC_UNKNOWN,
			"what a loss of the machine costs is not known: the engine states no loss "
			"window for commit \"%s\"",
			p->engine.mode);
}

static void
put_engine(const struct predict_database *p, struct doc *d)
{
	static const struct doc_column columns[] = {{"parameter", DOC_LEFT}, {"value", DOC_RIGHT},
		{"unit", DOC_LEFT}, {"trust", DOC_LEFT}, {"source", DOC_LEFT}};
	doc_heading(d, 2, "Engine");
	doc_paragraph(
		d, "%s, commit \"%s\": %s.", p->engine.title, p->engine.mode, p->engine.mode_text);
	struct doc_table *t = doc_table(
		d, "Parameters of the engine", columns, sizeof(columns) / sizeof(columns[0]));
	t->deep = true;
	for (size_t i = 0; i < p->engine.n_parameters; i++) {
		const struct engine_parameter *q = &p->engine.parameters[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", q->name);
		if (q->word)
			doc_cell(d, t, 1, "%s", q->word);
		else
			doc_cell(d, t, 1, "%g", q->value);
		doc_cell(d, t, 2, "%s", q->unit ? q->unit : "");
		doc_cell(d, t, 3, "%s", names_text(&trust_names, q->trust));
		doc_cell(d, t, 4, "%s", q->source);
	}
}

void
predict_database_doc(const struct predict_database *p, struct doc *d)
{
	put_verdict(p, d);
	put_sla(p, d);
	put_rates(p, d);
	put_stages(p, d);
	put_parts(p, d);
	put_replication(p, d);
	put_engine(p, d);
	doc_findings(d, "Assumptions and warnings", p->findings.items, p->findings.n);
}
