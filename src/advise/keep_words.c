/*
 * keep_words.c - what the decision says of today's disks: keep them, or what the plan changes (build.h).
 */
#include <math.h>

#include "advise/build.h"

/* "; moving costs USD 3,000.00, which is back after 25.7 months, and USD 1,206.00 are left after 36" */
static const char *
move_text(const struct build *b, const struct plan_today *t)
{
	if (isnan(t->payback_months) || !(t->net_saving > 0))
		return "";
	const char *text = arena_printf(b->arena,
		"; moving costs %s, which is back after %.1f months, and %s are left after %g",
		build_money(b, t->migration_cost), t->payback_months, build_money(b, t->net_saving),
		b->c->set.horizon_months);
	return text ? text : "";
}

/* "USD 12.00 a month less than today (5.0 %)" */
static const char *
change_text(const struct build *b, const struct plan_today *t)
{
	if (isnan(t->change) && t->known_monthly > t->plan_monthly)
		return arena_printf(b->arena, "at least %s a month less than today",
			build_money(b, t->known_monthly - t->plan_monthly));
	if (isnan(t->change))
		return NULL;
	if (fabs(t->change) < 0.005)
		return "as much as today";
	return arena_printf(b->arena, "%s a month %s than today (%.1f %%)",
		build_money(b, fabs(t->change)), t->change < 0 ? "less" : "more",
		100 * fabs(t->change_frac));
}

/* What is slow today and is not its tier, in short. */
static int
say_not_the_tier(struct build *b, struct err *err)
{
	struct plan *plan = b->plan;
	for (size_t v = 0; v < plan->today->n_volumes && plan->sentence; v++) {
		const struct plan_today_volume *p = &plan->today->volumes[v];
		if (p->not_the_tier == 1)
			plan->sentence = arena_printf(b->arena,
				"%s What is slow of %s today (%.3g ms at p99) is not its tier "
				"(%.3g ms expected, no cap reached): look at the database first.",
				plan->sentence, p->volume, p->seen_p99_ms, p->expected_p99_ms);
	}
	return plan->sentence ? 0 : err_nomem(err);
}

int
build_today_sentence(struct build *b, struct err *err)
{
	struct plan *plan = b->plan;
	const struct plan_today *t = plan->today;
	if (!t || !plan->sentence)
		return 0;
	if (!b->choice.found && t->verdict == PLAN_PASS)
		plan->sentence = arena_printf(
			b->arena, "%s What runs today does: keep it.", plan->sentence);
	if (!b->choice.found)
		return plan->sentence ? 0 : err_nomem(err);
	const char *change = change_text(b, t);
	if (t->keep == 1)
		plan->sentence = arena_printf(
			b->arena, "%s That plan: %s", t->text, plan->sentence);
	else if (change)
		plan->sentence = arena_printf(b->arena, "%s That is %s, which %s%s.",
			plan->sentence, change,
			t->verdict == PLAN_PASS   ? "meets every constraint too"
			: t->verdict == PLAN_FAIL ? "does not meet every constraint"
						  : "cannot be judged in full",
			move_text(b, t));
	return plan->sentence ? say_not_the_tier(b, err) : err_nomem(err);
}
