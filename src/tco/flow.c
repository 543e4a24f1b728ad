#include "tco/flow.h"

#include <math.h>

double
flow_rate_year(const struct tco_case *c)
{
	double given = c->finance->discount_rate_year;
	return isnan(given) ? TCO_DEFAULT_DISCOUNT_RATE_YEAR : given;
}

static bool
in_scope(int kind, enum tco_scope scope)
{
	static const enum tco_scope first[] = {
		[TCO_INFRASTRUCTURE] = TCO_SCOPE_INFRASTRUCTURE,
		[TCO_MIGRATION] = TCO_SCOPE_INFRASTRUCTURE,
		[TCO_INCIDENT] = TCO_SCOPE_OPERATION,
		[TCO_REVENUE] = TCO_SCOPE_ALL,
	};
	return scope >= first[kind];
}

uint64_t
flow_mask(const struct tco_case *c, size_t option, enum tco_scope scope)
{
	uint64_t mask = 0;
	for (size_t i = 0; i < c->n_items; i++) {
		if (tco_option_find(c, c->items[i].option) == (int)option &&
			in_scope(c->items[i].kind, scope))
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

/* The product with one factor (n_factors: none) set to `value`. */
static double
product(const struct tco_item *item, size_t factor, double value)
{
	double p = 1;
	for (size_t i = 0; i < item->n_factors; i++)
		p *= i == factor ? value : item->factors[i].value;
	return p;
}

double
flow_item_amount(const struct tco_item *item)
{
	return item->n_factors ? product(item, item->n_factors, 0) : item->amount;
}

static double
per_month(const struct tco_item *item, double amount)
{
	return item->per == TCO_PER_MONTH ? amount : item->per == TCO_PER_YEAR ? amount / 12 : 0;
}

double
flow_item_monthly(const struct tco_item *item)
{
	return per_month(item, flow_item_amount(item));
}

double
flow_item_once(const struct tco_item *item)
{
	return item->per == TCO_PER_ONCE ? flow_item_amount(item) : 0;
}

/* `base`, unless this view moves that input. */
static double
moved(const struct flow_view *v, enum flow_input input, double base)
{
	return v->change.input == input ? v->change.value : base;
}

static double
moved_of_item(const struct flow_view *v, enum flow_input input, size_t item, double base)
{
	return v->change.item == item ? moved(v, input, base) : base;
}

/* Counted amount of item i, signed in the option's favour, per its own period. */
static double
counted(const struct flow_view *v, size_t i)
{
	const struct tco_item *item = &v->c->items[i];
	double amount = flow_item_amount(item);
	if (v->change.input == FLOW_INPUT_FACTOR && v->change.item == i)
		amount = product(item, v->change.factor, v->change.value);
	amount = moved_of_item(v, FLOW_INPUT_AMOUNT, i, amount);
	double share = moved_of_item(v, FLOW_INPUT_SHARE, i, item->share);
	if (item->kind == TCO_REVENUE)
		share = moved(v, FLOW_INPUT_REVENUE_SHARE, share);
	return (item->effect == TCO_COST ? -1 : 1) * share * amount;
}

static double
sum_items(const struct flow_view *v, bool once)
{
	double sum = 0;
	for (size_t i = 0; i < v->c->n_items; i++) {
		const struct tco_item *item = &v->c->items[i];
		if (!(v->mask >> i & 1) || (item->per == TCO_PER_ONCE) != once)
			continue;
		sum += once ? counted(v, i) : per_month(item, counted(v, i));
	}
	return sum;
}

static const struct tco_option *
baseline(const struct tco_case *c)
{
	return &c->options[tco_option_find(c, c->baseline)];
}

/* An upfront price that was not given is not paid; the schema says so. */
static double
upfront(const struct tco_option *o)
{
	return isnan(o->upfront) ? 0 : o->upfront;
}

double
flow_once(const struct flow_view *v)
{
	double base = moved(v, FLOW_INPUT_BASE_UPFRONT, upfront(baseline(v->c)));
	double own = moved(v, FLOW_INPUT_UPFRONT, upfront(&v->c->options[v->option]));
	return base - own + sum_items(v, true);
}

double
flow_monthly(const struct flow_view *v)
{
	double base = moved(v, FLOW_INPUT_BASE_MONTHLY, baseline(v->c)->monthly);
	double own = moved(v, FLOW_INPUT_MONTHLY, v->c->options[v->option].monthly);
	return base - own + sum_items(v, false);
}

static size_t
fill(const struct flow_view *v, double flows[TCO_MONTHS_MAX + 1])
{
	size_t months = (size_t)v->c->finance->horizon_months;
	double monthly = flow_monthly(v);
	flows[0] = flow_once(v);
	for (size_t t = 1; t <= months; t++)
		flows[t] = monthly;
	return months + 1;
}

double
flow_npv(const struct flow_view *v)
{
	double flows[TCO_MONTHS_MAX + 1];
	size_t n = fill(v, flows);
	double rate_month = cash_monthly_rate(moved(v, FLOW_INPUT_RATE, v->rate_year));
	return cash_npv(flows, n, rate_month, (enum cash_timing)v->c->finance->timing);
}

struct cash_payback_result
flow_payback(const struct flow_view *v, double rate_year)
{
	double flows[TCO_MONTHS_MAX + 1];
	size_t n = fill(v, flows);
	return cash_payback(flows, n, cash_monthly_rate(rate_year));
}
