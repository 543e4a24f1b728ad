/*
 * db_lag.c - replication: apply against generation (models.md 4.4).
 *
 * One process replays: it reads the pages of a transaction one after another and computes as long as
 * the primary did, unless apply_tps says more.  Slower than the primary, the lag grows by the
 * missing share of every second; else it is the network, the flush and the queue of M/M/1.
 */
#include "model/db_internal.h"

#include <math.h>

static double
apply_tps(const struct db_case *c, const struct db_state *s)
{
	double stated = c->in->tx.standby.apply_tps;
	if (!isnan(stated))
		return stated;
	double ms = s->reads + c->cpu;
	return ms > 0 ? 1e3 / ms : (double)NAN;
}

/* What is lost with the machine when no standby has it. */
static double
local_loss_ms(const struct engine *e)
{
	if (e->commit == ENGINE_COMMIT_PERIODIC)
		return e->loss_window_ms;
	return e->commit == ENGINE_COMMIT_NONE ? (double)NAN : 0;
}

static void
standby(const struct db_case *c, const struct db_state *s, struct db_replication *r)
{
	const struct db_standby *to = &c->in->tx.standby;
	r->apply_tps = apply_tps(c, s);
	r->ratio = r->apply_tps / r->generation_tps;
	double path = (isnan(to->rtt_us) ? 0 : to->rtt_us / 1e3) +
		      (isnan(to->flush_us) ? s->flush : to->flush_us / 1e3);
	if (r->ratio < 1) {
		r->lag_growth_ms_per_s = 1e3 * (1 - r->ratio);
	} else if (r->ratio > 1) {
		r->lag_growth_ms_per_s = 0;
		r->lag_ms = path + 1e3 / (r->apply_tps - r->generation_tps);
	}
	/* what the awaited standbys have is safe, applied or not */
	if (!(to->wait_for >= 1))
		r->rpo_ms = r->lag_ms;
}

void
db_lag(const struct db_case *c, const struct db_state *s, double tps, struct db_replication *out)
{
	const double no = (double)NAN;
	struct db_replication r = {.generation_tps = tps,
		.apply_tps = no,
		.ratio = no,
		.lag_ms = no,
		.lag_growth_ms_per_s = no,
		.rpo_ms = local_loss_ms(c->in->engine)};
	if (c->in->tx.standby.count >= 1)
		standby(c, s, &r);
	r.rpo_transactions = r.rpo_ms * tps / 1e3;
	*out = r;
}
