/*
 * remedy.c - what keeps a promise that no disk keeps: the plan breaks it because of the copies on other machines,
 * or because of the way of committing (build.h).
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "advise/recovery.h"
#include "base/units.h"

static const char *
quicker_standbys(const struct build *b, const char *what)
{
	const struct db_replication *r = &b->tx.replication;
	char have[32], need[32];
	units_count_text(r->apply_tps, have);
	units_count_text(r->generation_tps, need);
	return arena_printf(b->arena,
		"for the %s: standbys that apply %s transactions/s or more instead of %s (parallel "
		"apply, or quicker processors and disks there); measure it, and give "
		"transactions.standbys.apply_tps",
		what, need, have);
}

/* The lag of standbys nobody waits for, or what the engine has not yet flushed. */
static const char *
surer_commit(const struct build *b, double limit)
{
	const struct db_standby *s = &b->c->set.transaction.standby;
	double lag = b->tx.replication.rpo_ms;
	if (s->count >= 1 && !(s->wait_for >= 1))
		return arena_printf(b->arena,
			"for the recovery point of %g ms: a way of committing that waits for a "
			"standby (transactions.commit, postgresql: \"remote\"), since copies that "
			"follow are behind by %.3g ms; every commit then takes as long as the "
			"network and the standby's flush",
			limit, lag);
	return arena_printf(b->arena,
		"for the recovery point of %g ms: a way of committing that waits for the disk "
		"(transactions.commit): this one may lose %.3g ms",
		limit, lag);
}

int
build_rto_remedy(struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct err *err)
{
	struct recovery r;
	double limit_h = b->c->in->workload->sla->rto_hours, lo, hi;
	recovery_of(site, c, limit_h, &r);
	if (!r.applies || r.source == WORKLOAD_STANDBY)
		return 0;
	double rest_h = isnan(r.rest_h) ? r.rest_least_h : r.rest_h, left_h = limit_h - rest_h;
	recovery_rates(&r, &lo, &hi);
	const char *standby = "or a standby that takes over and loads nothing (recovery.source)";
	if (left_h <= 0)
		return build_change(b,
			arena_printf(b->arena,
				"for the recovery time of %g h: the log and the rest take %.2f h "
				"by "
				"themselves; copies more often leave less log to apply, %s",
				limit_h, rest_h, standby),
			err);
	if (isnan(lo))
		return 0; /* what is not known is said, with how to find out */
	char need[32], have[32];
	units_count_text(ceil(r.size_mb / left_h / 3600), need);
	units_count_text(floor(lo), have);
	return build_change(b,
		arena_printf(b->arena,
			"for the recovery time of %g h: %s loaded at %s MB/s or more instead of "
			"%s%s, "
			"%s",
			limit_h, site->demand->label, need, have,
			r.machine_binds ? " (a machine that lets that through)" : "", standby),
		err);
}

static const char *
remedy_of(const struct build *b, const struct plan_sla *s)
{
	bool behind = b->has_tx && b->tx.replication.lag_growth_ms_per_s > 0;
	if (strcmp(s->what, "recovery time") == 0)
		return behind && isnan(s->predicted) ? quicker_standbys(b, s->what) : NULL;
	if (strcmp(s->what, "recovery point") != 0 || !b->has_tx)
		return NULL;
	return behind && isnan(s->predicted) ? quicker_standbys(b, s->what)
					     : surer_commit(b, s->limit);
}

int
build_remedies(struct build *b, struct err *err)
{
	for (size_t i = 0; i < b->plan->n_sla; i++) {
		const struct plan_sla *s = &b->plan->sla[i];
		const char *text = s->verdict == PLAN_FAIL ? remedy_of(b, s) : NULL;
		if (!text)
			continue;
		b->remedy = b->remedy ? b->remedy : text;
		int rc = build_change(b, text, err);
		if (rc)
			return rc;
	}
	return 0;
}
