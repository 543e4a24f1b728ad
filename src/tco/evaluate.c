/*
 * evaluate.c - a case to its result: unit costs, items, scopes; then claims and tornado.
 */
#include "tco/evaluate.h"

#include <math.h>
#include <string.h>

#include "tco/goal.h"
#include "tco/say.h"
#include "tco/unit_cost.h"

bool
evaluate_next_option(const struct tco_case *c, size_t *option)
{
	size_t base = (size_t)tco_option_find(c, c->baseline);
	size_t next = *option + 1; /* SIZE_MAX + 1 is 0 */
	if (next == base)
		next++;
	*option = next;
	return next < c->n_options;
}

const struct tco_scope_result *
evaluate_scope(const struct tco_result *r, const char *option, enum tco_scope scope)
{
	for (size_t i = 0; i < r->n_scopes; i++) {
		if (r->scopes[i].scope == (int)scope && strcmp(r->scopes[i].option, option) == 0)
			return &r->scopes[i];
	}
	return NULL;
}

static void
header(struct evaluation *e)
{
	const struct tco_case *c = e->c;
	const struct tco_finance *f = c->finance;
	struct tco_result *r = e->r;
	bool assumed = isnan(f->discount_rate_year);
	schema_clear(&tco_result_schema, r);
	r->name = c->name;
	r->currency = c->currency;
	r->baseline = c->baseline;
	r->hours_per_month = c->hours_per_month;
	r->horizon_months = (double)f->horizon_months;
	r->utilisation = c->utilisation;
	r->utilisation_source = c->utilisation_source;
	if (!isnan(c->utilisation))
		r->utilisation_trust = c->utilisation_trust < 0 ? TRUST_ASSUMED
								: c->utilisation_trust;
	r->discount_rate_year = flow_rate_year(c);
	r->discount_rate_month = cash_monthly_rate(r->discount_rate_year);
	r->discount_rate_trust = assumed || f->discount_rate_trust < 0 ? TRUST_ASSUMED
								       : f->discount_rate_trust;
	r->discount_rate_source = assumed ? "none given: the program's default"
					  : f->discount_rate_source;
	r->timing = f->timing;
	r->complete = 1;
	r->note = c->note;
	if (assumed)
		findings_add(&e->findings, SEVERITY_WARNING, "discount-rate-assumed",
			"give finance.discount_rate_year",
			"no discount rate is given: %.3g %% a year (effective) is assumed",
			r->discount_rate_year * 100);
	if (isnan(c->utilisation))
		findings_add(&e->findings, SEVERITY_NOTE, "utilisation-unknown", "give utilisation",
			"no utilisation is given: the price of work is shown at full rate only, "
			"which is its lowest possible value");
}

static int
weaker(int a, int b)
{
	return a > b ? a : b; /* enum trust runs from the surest to the least sure */
}

static void
fill_unit(struct evaluation *e, const struct tco_option *o, struct tco_unit *u)
{
	double hours = e->c->hours_per_month;
	int tps_trust = o->tps_trust < 0 ? o->trust : o->tps_trust;
	*u = (struct tco_unit){
		.name = o->name,
		.monthly = o->monthly,
		.yearly = o->monthly * 12,
		.upfront = o->upfront,
		.tps = o->tps,
		.tpm = o->tps * 60,
		.per_ktpm_month = unit_cost_of_rate(o->monthly, o->tps),
		.per_1000_tx_full = unit_cost_of_work(o->monthly, o->tps, 1, hours),
		.per_1000_tx_used = unit_cost_of_work(o->monthly, o->tps, e->c->utilisation, hours),
		.trust = weaker(tps_trust, o->trust),
		.source = o->tps_source ? arena_printf(e->a, "%s; %s", o->source, o->tps_source)
					: o->source,
		.as_of = o->as_of,
		.note = o->note,
	};
	if (isnan(o->monthly)) {
		e->r->complete = 0;
		findings_add(&e->findings, SEVERITY_ERROR, "price-unknown", "give its price",
			"the price of %s is unknown: everything that rests on it is unknown",
			o->name);
	}
	if (isnan(o->tps))
		findings_add(&e->findings, SEVERITY_NOTE, "rate-unknown", "give tps",
			"the transaction rate of %s is unknown: no unit cost", o->name);
}

static int
fill_units(struct evaluation *e, struct err *err)
{
	const struct tco_case *c = e->c;
	struct tco_unit *units = arena_array(e->a, c->n_options, sizeof(*units));
	if (!units)
		return err_nomem(err);
	for (size_t i = 0; i < c->n_options; i++)
		fill_unit(e, &c->options[i], &units[i]);
	const struct tco_unit *base = &units[tco_option_find(c, c->baseline)];
	for (size_t i = 0; i < c->n_options; i++) {
		struct tco_unit *u = &units[i];
		u->ratio = base->per_ktpm_month > 0 ? u->per_ktpm_month / base->per_ktpm_month
						    : (double)NAN;
		u->equal_tps = unit_cost_rate_for(u->monthly, base->per_ktpm_month);
		u->equal_monthly = base->per_ktpm_month * u->tpm / 1000;
	}
	e->r->units = units;
	e->r->n_units = c->n_options;
	return 0;
}

static const char *
arithmetic(struct evaluation *e, const struct tco_item *item)
{
	const char *period = item->per == TCO_PER_ONCE
				     ? " once"
				     : arena_printf(e->a, " a %s",
					       names_text(&tco_per_names, item->per));
	const char *text = "";
	for (size_t i = 0; i < item->n_factors && text; i++) {
		const struct tco_factor *f = &item->factors[i];
		const char *value = isnan(f->value) ? "unknown" : say_number(e->a, f->value);
		text = arena_printf(e->a, "%s%s%s %s", text, i ? " x " : "", value, f->unit);
	}
	const char *sum = say_money(e->a, flow_item_amount(item), e->c->currency);
	return arena_printf(e->a, "%s%s%s%s", text ? text : "", item->n_factors ? " = " : "", sum,
		period ? period : "");
}

static void
fill_item(struct evaluation *e, const struct tco_item *item, struct tco_item_result *out)
{
	bool once = item->per == TCO_PER_ONCE;
	*out = (struct tco_item_result){
		.name = item->name,
		.kind = item->kind,
		.effect = item->effect,
		.per = item->per,
		.option = item->option,
		.arithmetic = arithmetic(e, item),
		.share = item->share,
		.monthly = once ? (double)NAN : flow_item_monthly(item),
		.yearly = once ? (double)NAN : flow_item_monthly(item) * 12,
		.once = once ? flow_item_once(item) : (double)NAN,
		.trust = item->trust,
		.source = item->source,
		.as_of = item->as_of,
		.note = item->note,
	};
	if (isnan(flow_item_amount(item))) {
		e->r->complete = 0;
		findings_add(&e->findings, SEVERITY_ERROR, "amount-unknown",
			"give its amount or factors",
			"the amount of \"%s\" is unknown: everything that counts it is unknown",
			item->name);
	}
}

static int
fill_items(struct evaluation *e, struct err *err)
{
	struct tco_item_result *items = arena_array(e->a, e->c->n_items, sizeof(*items));
	if (!items)
		return err_nomem(err);
	for (size_t i = 0; i < e->c->n_items; i++)
		fill_item(e, &e->c->items[i], &items[i]);
	e->r->items = items;
	e->r->n_items = e->c->n_items;
	return 0;
}

static int
weakest(const struct flow_view *v)
{
	const struct tco_case *c = v->c;
	int trust = weaker(
		c->options[v->option].trust, c->options[tco_option_find(c, c->baseline)].trust);
	for (size_t i = 0; i < c->n_items; i++) {
		if (v->mask >> i & 1)
			trust = weaker(trust, c->items[i].trust);
	}
	return trust;
}

static double
npv_at_price(double monthly, void *context)
{
	struct flow_view *v = context;
	v->change = (struct flow_change){.input = FLOW_INPUT_MONTHLY, .value = monthly};
	return flow_npv(v);
}

/* The price at which the option's NPV is zero: what must be true for it to win. */
static double
zero_price(struct flow_view v)
{
	/* Above this every reading loses: a month's annuity is worth more than half a month. */
	double own = v.c->options[v.option].monthly;
	double top = own + 2 * (fabs(flow_monthly(&v)) + fabs(flow_once(&v))) + 1;
	double price;
	int rc = goal_seek(npv_at_price, &v, 0, (double[2]){0, top}, &price, NULL);
	return rc ? (double)NAN : price;
}

static void
fill_scope(struct evaluation *e, size_t option, enum tco_scope scope, struct tco_scope_result *out)
{
	const struct tco_case *c = e->c;
	const struct tco_option *o = &c->options[option];
	const struct tco_option *base = &c->options[tco_option_find(c, c->baseline)];
	struct flow_view v = {.c = c,
		.option = option,
		.mask = flow_mask(c, option, scope),
		.rate_year = e->r->discount_rate_year};
	struct flow_view flat = v;
	flat.rate_year = 0;
	struct cash_payback_result simple = flow_payback(&v, 0);
	struct cash_payback_result discounted = flow_payback(&v, v.rate_year);
	*out = (struct tco_scope_result){
		.option = o->name,
		.scope = (int)scope,
		.once = flow_once(&v),
		.monthly = flow_monthly(&v),
		.npv_undiscounted = flow_npv(&flat),
		.npv = flow_npv(&v),
		.payback = (int)simple.state,
		.payback_months = simple.months,
		.payback_discounted = (int)discounted.state,
		.payback_discounted_months = discounted.months,
		.break_even_months = NAN,
		.zero_price = zero_price(v),
		.trust = weakest(&v),
		.npv_trust = weaker(weakest(&v), e->r->discount_rate_trust),
	};
	if (scope == TCO_SCOPE_PRICE)
		out->break_even_months = cash_break_even(isnan(base->upfront) ? 0 : base->upfront,
			base->monthly, isnan(o->upfront) ? 0 : o->upfront, o->monthly);
}

/* The sign of the answer must not hang silently on what was counted. */
static void
note_sign(struct evaluation *e, const struct tco_scope_result *of)
{
	static const char *const adds[] = {
		[TCO_SCOPE_PRICE] = "prices",
		[TCO_SCOPE_INFRASTRUCTURE] = "infrastructure and migration items",
		[TCO_SCOPE_OPERATION] = "incident items",
		[TCO_SCOPE_ALL] = "revenue items",
	};
	for (int s = TCO_SCOPE_PRICE + 1; s < TCO_SCOPE_COUNT; s++) {
		double before = of[s - 1].npv_undiscounted, after = of[s].npv_undiscounted;
		if (isnan(before) || isnan(after) || (before < 0) == (after < 0))
			continue;
		findings_add(&e->findings, SEVERITY_WARNING, "sign-depends-on", NULL,
			"%s against %s over %.0f months, undiscounted: %s without the %s, %s with "
			"them: the decision rests on them",
			of[s].option, e->c->baseline, e->r->horizon_months,
			say_money(e->a, before, e->c->currency), adds[s],
			say_money(e->a, after, e->c->currency));
	}
}

static int
fill_scopes(struct evaluation *e, struct err *err)
{
	size_t n = (e->c->n_options - 1) * TCO_SCOPE_COUNT, k = 0;
	struct tco_scope_result *scopes = arena_array(e->a, n, sizeof(*scopes));
	if (!scopes)
		return err_nomem(err);
	for (size_t option = SIZE_MAX; evaluate_next_option(e->c, &option); k += TCO_SCOPE_COUNT) {
		for (int s = 0; s < TCO_SCOPE_COUNT; s++)
			fill_scope(e, option, (enum tco_scope)s, &scopes[k + (size_t)s]);
		note_sign(e, &scopes[k]);
	}
	e->r->scopes = scopes;
	e->r->n_scopes = n;
	return 0;
}

int
tco_evaluate(const struct tco_case *c, struct arena *a, struct tco_result *r, struct err *err)
{
	struct evaluation e = {.c = c, .a = a, .r = r};
	findings_init(&e.findings, a);
	header(&e);
	int rc = fill_units(&e, err);
	if (rc == 0)
		rc = fill_items(&e, err);
	if (rc == 0)
		rc = fill_scopes(&e, err);
	if (rc == 0)
		rc = evaluate_claims(&e, err);
	if (rc == 0)
		rc = evaluate_tornado(&e, err);
	r->findings = e.findings.items;
	r->n_findings = e.findings.n;
	return rc;
}
