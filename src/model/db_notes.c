#include "model/db_internal.h"

#include <math.h>

static void
note_cpu(const struct db_transaction *t, struct findings *f)
{
	if (isnan(t->cpu_ms))
		findings_add(f, SEVERITY_WARNING, "cpu-unknown",
			"give transactions.cpu_ms_per_tx (busy cores x 1000 / TPS of any run)",
			"CPU a transaction is not known: taken as none, so TPS may be far too "
			"high");
	else if (isnan(t->cores))
		findings_add(f, SEVERITY_NOTE, "cores-unknown", "give vm.sizes",
			"cores are not known: the CPU never queues and bounds nothing");
}

static void
note_state(const struct db_input *in, const struct db_result *r, struct findings *f)
{
	const struct db_answer *a = r->has_after && !r->open_after.steady ? &r->open_after
									  : &r->open;
	if (!r->has_open || a->steady)
		return;
	findings_add(f, SEVERITY_WARNING, "no-steady-state",
		"ask for less, or for volumes that carry more",
		"no steady state%s: %.0f TPS at most, so the backlog grows by %.0f transactions a "
		"second (%s binds)",
		a == &r->open ? "" : " right after a checkpoint", a->tps.value, a->backlog_per_s,
		db_stage_short(in, a->limit));
}

static void
note_lag(const struct db_replication *l, struct findings *f)
{
	if (!(l->lag_growth_ms_per_s > 0))
		return;
	findings_add(f, SEVERITY_WARNING, "lag-grows",
		"let the standby prefetch or apply in parallel, or give it quicker volumes",
		"a standby applies %.0f of %.0f transactions a second (ratio %.3f): its lag grows "
		"by %.0f ms every second",
		l->apply_tps, l->generation_tps, l->ratio, l->lag_growth_ms_per_s);
}

/* Merges beyond their share of the bandwidth (models.md 4.3). */
static void
note_merges(const struct db_case *c, const struct db_answer *a, struct findings *f)
{
	const struct engine *e = c->in->engine;
	const struct db_volume *v = c->in->data;
	struct db_background bg;
	if (isnan(e->write_amplification) || isnan(e->merge_share) || !v->used_frac)
		return;
	db_background(c, a->tps.value / 1e3, &bg);
	const char *what = NULL;
	double used = v->used_frac(v->ctx, &bg.data, &what);
	if (used > e->merge_share)
		findings_add(f, SEVERITY_WARNING, "merge-share",
			"take a volume with more throughput, or ingest less",
			"compaction and ingest take %.0f %% of the data volume (%s), more than "
			"%.0f %%: reads wait behind them",
			100 * used, what ? what : "its cap", 100 * e->merge_share);
}

void
db_notes(const struct db_case *c, const struct db_result *r, struct findings *f)
{
	if (!f)
		return;
	note_cpu(&c->in->tx, f);
	note_state(c->in, r, f);
	note_lag(&r->replication, f);
	note_merges(c, r->has_open ? &r->open : &r->closed, f);
}
