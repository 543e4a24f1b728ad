/*
 * settings.c - facts for the settings that follow from a choice of disks.
 *
 * Of the log: how much of the time it is being flushed is the solver's own rate of flushes, at which
 * commits that share a flush count once and asynchronous ones not at all (a background writer flushes for
 * them).
 */
#include <math.h>

#include "advise/build.h"

/* To a thousandth: what is left of a difference of two solutions is noise. */
static double
rounded(double share)
{
	return fabs(share) < 5e-4 ? 0 : share;
}

static void
flush_facts(struct build *b, double flush_mean_ms)
{
	struct rule_context *ctx = &b->ctx;
	double delay_us = flush_mean_ms * 1000 / 2;
	rule_set_number(ctx, "predicted.commit_delay_us", delay_us);
	rule_set_number(ctx, "predicted.flush_each_load",
		b->c->set.has_tx ? b->c->set.tx.target_tps * flush_mean_ms / 1000 : (double)NAN);
	if (!b->has_tx)
		return;
	rule_set_number(ctx, "predicted.flush_load", b->tx.flushes_per_s * flush_mean_ms / 1000);
	rule_set_number(ctx, "predicted.commits_per_flush", b->tx.commits_per_flush);
	if (isnan(b->delay_gain_frac) && !isnan(delay_us))
		b->delay_gain_frac = rounded(
			chooser_delay_gain(b->c, b->choice.option, b->choice.at, delay_us));
	rule_set_number(ctx, "predicted.commit_delay_gain_frac", b->delay_gain_frac);
}

void
build_settings_facts(struct build *b, double flush_mean_ms)
{
	flush_facts(b, flush_mean_ms);
}
