/*
 * cost.c - what the plan costs, and per transaction, in both senses (tco/unit_cost.h).
 */
#include <math.h>

#include "advise/build.h"
#include "base/units.h"
#include "tco/unit_cost.h"

static const char *
cost_basis(struct build *b, double rate, double work_rate, double utilisation)
{
	if (isnan(work_rate))
		return "no transactions, so no unit cost";
	char max[32], used[32];
	units_count_text(rate, max);
	units_count_text(work_rate, used);
	const char *what = b->c->machine_counts ? "storage and machines" : "storage alone";
	const char *rate_text =
		isnan(rate) ? "price of a rate: not known, no highest rate is predicted"
			    : arena_printf(b->arena,
				      "price of a rate: %s a month over the %s transactions/s it "
				      "can do at most",
				      what, max);
	return arena_printf(b->arena,
		"%s; price of work: %s over %s transactions/s x %g %% of %g h; %s", rate_text, what,
		used, utilisation * 100, b->plan->hours_per_month,
		b->c->machines > 1 ? "all machines, the rate of one" : "one machine");
}

int
build_cost(struct build *b, struct err *err)
{
	struct plan_cost *c = arena_alloc(b->arena, sizeof(*c));
	if (!c)
		return err_nomem(err);
	const struct machine_option *o = &b->c->options[b->choice.option];
	double target = b->c->set.has_tx ? b->c->set.tx.target_tps : (double)NAN;
	double max = b->has_tx ? b->tx.max_tps : (double)NAN;
	double work = fmin(target, max); /* fmin skips NaN: whichever is known */
	double utilisation = b->c->set.has_tx ? b->c->set.tx.utilisation : (double)NAN;
	*c = (struct plan_cost){.storage_monthly = b->choice.storage_monthly,
		.machine_monthly = b->c->machine_counts ? o->monthly * b->c->machines : (double)NAN,
		.monthly = b->choice.monthly,
		.complete = b->choice.complete,
		.utilisation = utilisation,
		.per_ktpm_month = unit_cost_of_rate(b->choice.monthly, max),
		.per_1000_tx = unit_cost_of_work(
			b->choice.monthly, work, utilisation, b->plan->hours_per_month)};
	c->basis = cost_basis(b, max, work, utilisation);
	b->plan->cost = c;
	return 0;
}
