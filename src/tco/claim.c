/*
 * claim.c - claims of a source, recomputed and judged; a row of the table for each kind of claim.
 *
 * An NPV can be read in many ways, so every one is tried: each subset of the option's items,
 * discounted and not.  Only when none comes within the tolerance is the claim "not derivable", and
 * then the share of the revenue items that would make it true is solved for.
 */
#include <math.h>
#include <string.h>

#include "tco/evaluate.h"
#include "tco/goal.h"
#include "tco/say.h"

enum { SUBSET_ITEMS_MAX = 12 }; /* 2^12 subsets, two readings each */

typedef void (*judge_fn)(
	struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out);

static double
tolerance(const struct tco_claim *claim)
{
	return isnan(claim->tolerance) ? TCO_DEFAULT_TOLERANCE_FRAC : claim->tolerance;
}

static bool
equal_enough(const struct tco_claim *claim, double computed)
{
	return fabs(computed - claim->value) <= tolerance(claim) * fabs(claim->value);
}

static void
judge_value(struct evaluation *e, const struct tco_claim *claim, double computed,
	struct tco_claim_result *out)
{
	out->computed = computed;
	if (isnan(computed)) {
		out->verdict = TCO_NOT_TESTABLE;
		out->text = "an input it needs is unknown";
		return;
	}
	bool equal = equal_enough(claim, computed);
	out->verdict = equal ? TCO_RECOMPUTES : TCO_CONTRADICTED;
	out->text = arena_printf(e->a, "the inputs give %s, claimed %s%s",
		say_number(e->a, computed), say_number(e->a, claim->value),
		equal ? "" : ": outside the tolerance");
}

static const struct tco_unit *
unit_of(const struct evaluation *e, const struct tco_claim *claim)
{
	return &e->r->units[tco_option_find(e->c, claim->option)];
}

static void
judge_rate(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	judge_value(e, claim, unit_of(e, claim)->per_ktpm_month, out);
}

static void
judge_work(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	judge_value(e, claim, unit_of(e, claim)->per_1000_tx_full, out);
}

static void
judge_ratio(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	judge_value(e, claim, unit_of(e, claim)->ratio, out);
}

static const struct tco_item_result *
item_of(const struct evaluation *e, const struct tco_claim *claim)
{
	const struct tco_item_result *item = e->r->items;
	while (strcmp(item->name, claim->item) != 0)
		item++; /* tco_read() checked that it is there */
	return item;
}

static void
judge_item_monthly(
	struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	judge_value(e, claim, item_of(e, claim)->monthly, out);
}

static void
judge_item_yearly(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	judge_value(e, claim, item_of(e, claim)->yearly, out);
}

/* ---- payback ---- */

static void
judge_no_outlay(struct evaluation *e, const struct tco_claim *claim,
	const struct tco_scope_result *s, struct tco_claim_result *out)
{
	out->verdict = TCO_NOT_TESTABLE;
	out->text = arena_printf(e->a,
		"no outlay to pay back: no purchase or migration cost is given, and the gain is %s "
		"a "
		"month without revenue items, which repays an outlay of at most %s in %g months",
		say_money(e->a, s->monthly, e->c->currency),
		say_money(e->a, s->monthly * claim->value, e->c->currency), claim->value);
}

static void
judge_payback(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	const struct tco_scope_result *s = evaluate_scope(e->r, claim->option, TCO_SCOPE_OPERATION);
	switch ((enum cash_payback)s->payback) {
	case CASH_PAYBACK_AT:
		out->computed = s->payback_months;
		out->verdict = s->payback_months <= claim->value * (1 + tolerance(claim))
				       ? TCO_RECOMPUTES
				       : TCO_CONTRADICTED;
		out->text = arena_printf(e->a,
			"the inputs without revenue items pay back in %.1f months, claimed %g",
			s->payback_months, claim->value);
		return;
	case CASH_PAYBACK_NEVER:
		out->verdict = TCO_CONTRADICTED;
		out->text = arena_printf(e->a,
			"without revenue items the outlay is never paid back within %.0f months: "
			"%s a month",
			e->r->horizon_months, say_money(e->a, s->monthly, e->c->currency));
		return;
	case CASH_PAYBACK_NOTHING:
		judge_no_outlay(e, claim, s, out);
		return;
	case CASH_PAYBACK_UNKNOWN:
	case CASH_PAYBACK_COUNT:
		break;
	}
	judge_value(e, claim, (double)NAN, out);
}

/* ---- NPV ---- */

struct reading {
	uint64_t mask;
	double rate_year, npv;
};

static struct reading
read_as(const struct evaluation *e, size_t option, uint64_t mask, double rate_year)
{
	struct flow_view v = {.c = e->c, .option = option, .mask = mask, .rate_year = rate_year};
	return (struct reading){mask, rate_year, flow_npv(&v)};
}

/* Nearest to `value` over every subset of the items, or over the scopes when there are too many. */
static struct reading
nearest_reading(const struct evaluation *e, size_t option, double value)
{
	uint64_t all = flow_mask(e->c, option, TCO_SCOPE_ALL);
	bool subsets = __builtin_popcountll(all) <= SUBSET_ITEMS_MAX;
	struct reading best = {0, 0, NAN};
	uint64_t mask = all;
	for (int scope = TCO_SCOPE_ALL;; scope--) {
		for (int discounted = 0; discounted < 2; discounted++) {
			struct reading r = read_as(
				e, option, mask, discounted ? e->r->discount_rate_year : 0);
			if (isnan(best.npv) || fabs(r.npv - value) < fabs(best.npv - value))
				best = r;
		}
		if (subsets ? mask == 0 : scope == TCO_SCOPE_PRICE)
			return best;
		mask = subsets ? (mask - 1) & all /* the next smaller subset */
			       : flow_mask(e->c, option, (enum tco_scope)(scope - 1));
	}
}

static const char *
say_counted(struct evaluation *e, const struct reading *r)
{
	const char *text = "the prices";
	for (size_t i = 0; i < e->c->n_items && text; i++) {
		if (r->mask >> i & 1)
			text = arena_printf(e->a, "%s, %s", text, e->c->items[i].name);
	}
	return arena_printf(e->a, "%s; %s", text ? text : "",
		r->rate_year == 0 ? "undiscounted" : "discounted");
}

static double
npv_at_share(double share, void *context)
{
	struct flow_view *v = context;
	v->change = (struct flow_change){.input = FLOW_INPUT_REVENUE_SHARE, .value = share};
	return flow_npv(v);
}

/* Share of all revenue items, 0..1, that makes the NPV equal to `value`; NaN: none does. */
static double
share_for(const struct evaluation *e, size_t option, double rate_year, double value)
{
	struct flow_view v = {.c = e->c,
		.option = option,
		.mask = flow_mask(e->c, option, TCO_SCOPE_ALL),
		.rate_year = rate_year};
	double share;
	int rc = goal_seek(npv_at_share, &v, value, (double[2]){0, 1}, &share, NULL);
	return rc ? (double)NAN : share;
}

static const char *
say_share(struct evaluation *e, size_t option, const struct tco_claim_result *out)
{
	if (flow_mask(e->c, option, TCO_SCOPE_ALL) == flow_mask(e->c, option, TCO_SCOPE_OPERATION))
		return "; there is no revenue item to explain the rest";
	if (isnan(out->share) || isnan(out->share_undiscounted))
		return "; no share of the revenue items between 0 and 1 makes it true";
	return arena_printf(e->a,
		"; it would be true if %s (undiscounted) or %s (at %.3g %% a year) of the revenue "
		"items were real, a share that is not given",
		say_percent(e->a, out->share_undiscounted), say_percent(e->a, out->share),
		e->r->discount_rate_year * 100);
}

/* "published" when every price and item is. */
static const char *
say_inputs(const struct tco_case *c)
{
	for (size_t i = 0; i < c->n_options; i++) {
		if (c->options[i].trust != TRUST_PUBLISHED)
			return "given";
	}
	for (size_t i = 0; i < c->n_items; i++) {
		if (c->items[i].trust != TRUST_PUBLISHED)
			return "given";
	}
	return "published";
}

static void
judge_npv(struct evaluation *e, const struct tco_claim *claim, struct tco_claim_result *out)
{
	size_t option = (size_t)tco_option_find(e->c, claim->option);
	const char *currency = e->c->currency;
	struct reading near = nearest_reading(e, option, claim->value);
	if (isnan(near.npv)) {
		judge_value(e, claim, (double)NAN, out);
		return;
	}
	out->computed = near.npv;
	if (equal_enough(claim, near.npv)) {
		out->verdict = TCO_RECOMPUTES;
		out->text = arena_printf(e->a, "%s counting %s",
			say_money(e->a, near.npv, currency), say_counted(e, &near));
		return;
	}
	const struct tco_scope_result *without = evaluate_scope(
		e->r, claim->option, TCO_SCOPE_OPERATION);
	const struct tco_scope_result *with = evaluate_scope(e->r, claim->option, TCO_SCOPE_ALL);
	out->verdict = TCO_NOT_DERIVABLE;
	out->share_undiscounted = share_for(e, option, 0, claim->value);
	out->share = share_for(e, option, e->r->discount_rate_year, claim->value);
	out->text = arena_printf(e->a,
		"%s is not derivable from the %s inputs: without the revenue items they "
		"give %s (undiscounted) or %s (at %.3g %% a year), with them in full %s; no "
		"combination of the items comes nearer than %s (%s)%s",
		say_money(e->a, claim->value, currency), say_inputs(e->c),
		say_money(e->a, without->npv_undiscounted, currency),
		say_money(e->a, without->npv, currency), e->r->discount_rate_year * 100,
		say_money(e->a, with->npv_undiscounted, currency),
		say_money(e->a, near.npv, currency), say_counted(e, &near),
		say_share(e, option, out));
}

static const judge_fn judges[] = {
	[TCO_CLAIM_NPV] = judge_npv,
	[TCO_CLAIM_PAYBACK_MONTHS] = judge_payback,
	[TCO_CLAIM_PER_KTPM_MONTH] = judge_rate,
	[TCO_CLAIM_PER_1000_TX] = judge_work,
	[TCO_CLAIM_UNIT_COST_RATIO] = judge_ratio,
	[TCO_CLAIM_ITEM_MONTHLY] = judge_item_monthly,
	[TCO_CLAIM_ITEM_YEARLY] = judge_item_yearly,
};
_Static_assert(
	sizeof(judges) / sizeof(judges[0]) == TCO_CLAIM_KIND_COUNT, "a judge for every claim");

static void
note_verdict(struct evaluation *e, const struct tco_claim_result *c)
{
	static const char *const codes[] = {
		[TCO_NOT_DERIVABLE] = "claim-not-derivable",
		[TCO_NOT_TESTABLE] = "claim-not-testable",
		[TCO_CONTRADICTED] = "claim-contradicted",
	};
	if (c->verdict != TCO_RECOMPUTES)
		findings_add(&e->findings, SEVERITY_WARNING, codes[c->verdict],
			"ask the source for the missing inputs", "claim \"%s\": %s", c->claim,
			c->text);
}

int
evaluate_claims(struct evaluation *e, struct err *err)
{
	size_t n = e->c->n_claims;
	struct tco_claim_result *claims = arena_array(e->a, n, sizeof(*claims));
	if (!claims)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct tco_claim *claim = &e->c->claims[i];
		claims[i] = (struct tco_claim_result){
			.what = claim->what,
			.verdict = TCO_NOT_TESTABLE,
			.option = claim->option,
			.item = claim->item,
			.claimed = claim->value,
			.computed = NAN,
			.share_undiscounted = NAN,
			.share = NAN,
			.claim = claim->text,
			.source = claim->source,
		};
		judges[claim->what](e, claim, &claims[i]);
		if (!claims[i].text)
			return err_nomem(err);
		note_verdict(e, &claims[i]);
	}
	e->r->claims = claims;
	e->r->n_claims = n;
	return 0;
}
