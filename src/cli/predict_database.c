/*
 * predict_database.c - what a database does on its disks, as a document: the rates, where a
 * transaction's time goes, what binds and what binds then, what a loss costs, and what was assumed.
 */
#include <math.h>

#include "base/units.h"
#include "cli/predict_workload.h"

const char *
predict_number(struct doc *d, double v, int digits)
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
		return predict_number(d, e->value, digits);
	return arena_printf(d->arena, "%s (%s to %s)", predict_number(d, e->value, digits),
		predict_number(d, e->lo, digits), predict_number(d, e->hi, digits));
}

static const char *
milliseconds(struct doc *d, const struct estimate *e)
{
	return interval(d, e, 3);
}

struct load {
	const char *name;
	const struct db_answer *answer;
};

enum { LOADS = 4 };

static size_t
loads_of(const struct predict_database *p, struct doc *d, struct load out[LOADS])
{
	const struct db_result *r = &p->result;
	const char *clients = arena_printf(d->arena, "%s client%s can",
		predict_number(d, p->input.tx.clients, 6),
		p->input.tx.clients > 1 ? "s, as fast as they" : ", as fast as it");
	size_t n = 0;
	out[n++] = (struct load){clients, &r->closed};
	if (r->has_after)
		out[n++] = (struct load){"right after a checkpoint", &r->closed_after};
	if (r->has_open)
		out[n++] = (struct load){arena_printf(d->arena, "%s TPS asked for",
						 predict_number(d, p->input.tx.target_tps, 6)),
			&r->open};
	if (r->has_open && r->has_after)
		out[n++] = (struct load){"right after a checkpoint", &r->open_after};
	return n;
}

static const struct estimate *
statistic_of(const struct db_latency *l, size_t at)
{
	const struct estimate *const all[] = {&l->mean_ms, &l->p50_ms, &l->p95_ms, &l->p99_ms};
	return all[at];
}

/* A column a load; a row the rate and each statistic of a transaction and of its commit. */
static void
put_rates(const struct predict_database *p, struct doc *d)
{
	static const char *const statistics[] = {"mean", "p50", "p95", "p99"};
	enum { STATISTICS = sizeof(statistics) / sizeof(statistics[0]) };
	struct doc_column columns[1 + LOADS] = {{"figure", DOC_LEFT}};
	struct load loads[LOADS];
	size_t n = loads_of(p, d, loads);
	for (size_t i = 0; i < n; i++)
		columns[1 + i] = (struct doc_column){loads[i].name, DOC_RIGHT};
	struct doc_table *t = doc_table(d,
		"Transactions and commits, with 95 % intervals from those of the disks", columns,
		1 + n);
	doc_row(d, t);
	doc_cell(d, t, 0, "TPS");
	for (size_t i = 0; i < n; i++)
		doc_cell(d, t, 1 + i, "%s", interval(d, &loads[i].answer->tps, 4));
	for (size_t row = 0; row < 2 * (size_t)STATISTICS; row++) {
		bool commit = row >= STATISTICS;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s %s (ms)", commit ? "commit" : "transaction",
			statistics[row % STATISTICS]);
		for (size_t i = 0; i < n; i++)
			doc_cell(d, t, 1 + i, "%s",
				milliseconds(d, statistic_of(commit ? &loads[i].answer->commit
								    : &loads[i].answer->tx,
							row % STATISTICS)));
	}
	doc_row(d, t);
	doc_cell(d, t, 0, "trust");
	for (size_t i = 0; i < n; i++)
		doc_cell(d, t, 1 + i, "%s",
			names_text(&trust_names, loads[i].answer->tx.mean_ms.trust));
}

static void
put_stages(const struct predict_database *p, struct doc *d)
{
	static const struct doc_column columns[] = {{"stage", DOC_LEFT}, {"used (%)", DOC_RIGHT},
		{"alone it allows (TPS)", DOC_RIGHT}, {"what", DOC_LEFT}};
	const struct db_answer *a = p->result.has_open ? &p->result.open : &p->result.closed;
	struct doc_table *t = doc_table(d,
		arena_printf(d->arena, "How much of each stage %s TPS use",
			predict_number(d, a->tps.value, 3)),
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
		predict_number(d, a->tps.value, 3), predict_number(d, p->input.tx.clients, 6),
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
			100 * gain, predict_number(d, p->result.fast_disk_tps, 3),
			db_stage_text(&p->input, a->limit));
	else
		doc_paragraph(d, "Infinitely fast disks would give %.0f %% more: %s TPS.",
			100 * gain, predict_number(d, p->result.fast_disk_tps, 3));
}

const char *
predict_behind(const struct predict_database *p, struct doc *d)
{
	const struct db_replication *r = &p->result.replication;
	const char *text = arena_printf(d->arena,
		"standbys apply %.0f of %.0f transactions a second (ratio %.3f): they fall behind "
		"by "
		"%.0f ms every second",
		r->apply_tps, r->generation_tps, r->ratio, r->lag_growth_ms_per_s);
	return text ? text : "standbys fall behind";
}

const char *
predict_loss_gap(const struct predict_database *p, struct doc *d)
{
	const char *text = "standbys apply no more than comes";
	if (!(p->input.tx.standby.count >= 1))
		text = arena_printf(d->arena, "the engine states no loss window for commit \"%s\"",
			p->engine.mode);
	else if (isnan(p->result.replication.ratio))
		text = "what standbys apply is not known: give apply_tps of transactions.standbys";
	return text ? text : "no loss window is stated";
}

/* What the verdict on rpo_ms has not said. */
static void
put_replication(const struct predict_database *p, struct doc *d)
{
	const struct db_replication *r = &p->result.replication;
	bool standbys = p->input.tx.standby.count >= 1, behind = r->lag_growth_ms_per_s > 0;
	bool judged = p->workload.sla && !isnan(p->workload.sla->rpo_ms);
	if (standbys && behind && !(judged && isnan(r->rpo_ms)))
		doc_callout(d, DOC_WARNING, "%s", predict_behind(p, d));
	else if (standbys && !behind && !isnan(r->lag_ms))
		doc_paragraph(d, "Standbys lag %s ms behind (they can apply %s times what comes).",
			predict_number(d, r->lag_ms, 3), predict_number(d, r->ratio, 3));
	if (r->rpo_ms > 0)
		doc_paragraph(d, "A loss of the machine costs the last %s ms: %.0f transactions.",
			predict_number(d, r->rpo_ms, 3), r->rpo_transactions);
	else if (isnan(r->rpo_ms) && !judged && !(standbys && behind))
		doc_callout(d, DOC_NOTE, "what a loss of the machine costs is not known: %s",
			predict_loss_gap(p, d));
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
predict_database_doc(
	const struct predict_database *p, struct doc *d, struct predict_verdicts *verdicts)
{
	put_verdict(p, d);
	predict_database_promises(p, d, verdicts);
	put_rates(p, d);
	put_stages(p, d);
	put_parts(p, d);
	put_replication(p, d);
	put_engine(p, d);
	doc_findings(d, "Assumptions and warnings", p->findings.items, p->findings.n);
}
