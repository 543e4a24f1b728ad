/*
 * plan_money_doc.c - the money of a tierwise/plan/1 over its horizon.
 *
 * Thin here: the plan's monthly bill is held level over the horizon; growth through tier steps,
 * commitments and migration need a schedule the plan does not carry yet.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/money_doc.h"
#include "tco/cash.h"

#define N(columns) (sizeof(columns) / sizeof((columns)[0]))

enum { DEFAULT_HORIZON_MONTHS = 36 };

struct terms {
	double months, rate_year, rate_month;
	bool months_assumed, rate_assumed;
};

static struct terms
terms_of(const struct plan *plan, const struct plan_money *m)
{
	struct terms t = {.months = m->horizon_months, .rate_year = m->rate_year};
	if (isnan(t.months))
		t.months = plan->horizon_months;
	t.months_assumed = !(t.months > 0);
	if (t.months_assumed)
		t.months = DEFAULT_HORIZON_MONTHS;
	t.rate_assumed = isnan(t.rate_year);
	if (t.rate_assumed)
		t.rate_year = TCO_DEFAULT_DISCOUNT_RATE_YEAR;
	t.rate_month = cash_monthly_rate(t.rate_year);
	return t;
}

static const char *
titled(struct doc *d, const char *what, const char *currency)
{
	const char *kept = arena_printf(d->arena, "%s (%s)", what, currency);
	return kept ? kept : what;
}

static void
put_cost_row(struct doc *d, struct doc_table *table, const char *what, double monthly,
	const struct terms *t)
{
	doc_row(d, table);
	doc_cell(d, table, 0, "%s", what);
	doc_cell(d, table, 1, "%s", money_text(d, monthly, 2));
	doc_cell(d, table, 2, "%s", money_text(d, monthly * 12, 2));
	doc_cell(d, table, 3, "%s", money_text(d, monthly * t->months, 2));
	doc_cell(d, table, 4, "%s",
		money_text(d, monthly * cash_annuity(t->rate_month, t->months), 2));
}

static void
put_cost(struct doc *d, const struct plan *plan, const struct terms *t)
{
	const struct plan_cost *cost = plan->cost;
	const char *horizon = arena_printf(d->arena, "%.0f months", t->months);
	const struct doc_column columns[] = {
		{"Cost", DOC_LEFT},
		{titled(d, "Month", plan->currency), DOC_RIGHT},
		{titled(d, "Year", plan->currency), DOC_RIGHT},
		{titled(d, horizon ? horizon : "Horizon", plan->currency), DOC_RIGHT},
		{titled(d, "Present value", plan->currency), DOC_RIGHT},
	};
	struct doc_table *table = doc_table(d,
		cost->complete == 1 ? "Cost" : "Cost: at least, incomplete", columns, N(columns));
	put_cost_row(d, table, "storage", cost->storage_monthly, t);
	if (!isnan(cost->machine_monthly))
		put_cost_row(d, table, "machines", cost->machine_monthly, t);
	put_cost_row(d, table, "total", cost->monthly, t);
	doc_paragraph(d,
		"Horizon: %.0f months%s. Discount rate: %.3g %% a year, effective%s; the month's "
		"bill "
		"falls at its end and stays level.",
		t->months, t->months_assumed ? " (assumed)" : "", t->rate_year * 100,
		t->rate_assumed ? " (assumed)" : "");
}

static void
put_units(struct doc *d, const struct plan *plan)
{
	const struct plan_cost *cost = plan->cost;
	static const struct doc_column columns[] = {
		{"Measure", DOC_LEFT}, {"Value", DOC_RIGHT}, {"Unit", DOC_LEFT}};
	struct doc_table *table = doc_table(
		d, "Unit costs: two measures, not to be confused", columns, N(columns));
	doc_row(d, table);
	doc_cell(d, table, 0, "price of a rate");
	doc_cell(d, table, 1, "%s", money_text(d, cost->per_ktpm_month, 4));
	doc_cell(d, table, 2, "%s/month per 1,000 TPM", plan->currency);
	doc_row(d, table);
	doc_cell(d, table, 0, "price of work");
	doc_cell(d, table, 1, "%s", money_text(d, cost->per_1000_tx, 8));
	doc_cell(d, table, 2, "%s per 1,000 transactions executed", plan->currency);
	if (cost->basis)
		doc_paragraph(d, "Basis: %s", cost->basis);
}

static void
put_bill(struct doc *d, const struct plan *plan)
{
	const struct bill *bill = plan->bill;
	if (!bill || bill->n_lines == 0)
		return;
	const struct doc_column columns[] = {
		{"What", DOC_LEFT},
		{"Quantity", DOC_RIGHT},
		{"Unit", DOC_LEFT},
		{titled(d, "Unit price", plan->currency), DOC_RIGHT},
		{titled(d, "Month", plan->currency), DOC_RIGHT},
		{"Trust", DOC_LEFT},
		{"As of", DOC_LEFT},
	};
	struct doc_table *table = doc_table(d, "Bill by meter", columns, N(columns));
	for (size_t i = 0; i < bill->n_lines; i++) {
		const struct bill_line *line = &bill->lines[i];
		doc_row(d, table);
		doc_cell(d, table, 0, "%s", line->what);
		doc_cell(d, table, 1, "%s", figure_text(d, line->quantity, 6));
		doc_cell(d, table, 2, "%s", line->unit ? line->unit : "");
		doc_cell(d, table, 3, "%s", figure_text(d, line->unit_price, 6));
		doc_cell(d, table, 4, "%s", money_text(d, line->amount, 2));
		doc_cell(d, table, 5, "%s",
			line->trust < 0 ? "" : names_text(&trust_names, line->trust));
		doc_cell(d, table, 6, "%s", line->as_of ? line->as_of : "");
	}
}

/* What it costs once to leave it: today's disks only. */
static double
move_of(const struct plan *plan, const struct plan_option *o)
{
	bool today = plan->today && strcmp(o->name, "today's disks") == 0;
	return today && !isnan(plan->today->migration_cost) ? plan->today->migration_cost : 0;
}

static void
put_options(struct doc *d, const struct plan *plan, const struct terms *t)
{
	if (plan->n_options == 0)
		return;
	const struct doc_column columns[] = {
		{"Instead of", DOC_LEFT},
		{titled(d, "Its month", plan->currency), DOC_RIGHT},
		{titled(d, "Saved a month", plan->currency), DOC_RIGHT},
		{titled(d, "Present value saved", plan->currency), DOC_RIGHT},
		{"Saved", DOC_RIGHT},
		{"Meets the SLA", DOC_LEFT},
	};
	struct doc_table *table = doc_table(d,
		"Against the other ways to do it; negative: the other is cheaper", columns,
		N(columns));
	for (size_t i = 0; i < plan->n_options; i++) {
		const struct plan_option *o = &plan->options[i];
		bool known = o->complete != 0 && plan->cost->complete == 1;
		double move = move_of(plan, o);
		double saved = known ? o->monthly - plan->cost->monthly : (double)NAN;
		const char *percent = "unknown";
		if (!isnan(o->saving_frac))
			percent = arena_printf(d->arena, "%.0f %%", o->saving_frac * 100);
		doc_row(d, table);
		doc_cell(d, table, 0, "%s", o->name);
		doc_cell(d, table, 1, "%s%s",
			o->complete == 0 && !isnan(o->monthly) ? "at least " : "",
			money_text(d, o->monthly, 2));
		doc_cell(d, table, 2, "%s", money_text(d, saved, 2));
		doc_cell(d, table, 3, "%s",
			money_text(d, saved * cash_annuity(t->rate_month, t->months) - move, 2));
		doc_cell(d, table, 4, "%s", percent ? percent : "");
		doc_cell(d, table, 5, "%s",
			o->feasible == 1   ? "yes"
			: o->feasible == 0 ? "no"
					   : "unknown");
	}
	double move = plan->today ? plan->today->migration_cost : (double)NAN;
	if (move > 0)
		doc_paragraph(d,
			"Against today's disks the %s %s that moving costs, once and at the start, "
			"are "
			"taken off the present value.",
			plan->currency, money_text(d, move, 2));
}

int
plan_money_doc(const struct plan *plan, const struct plan_money *m, struct doc *d, struct err *err)
{
	if (!plan->cost || !plan->currency)
		return err_set(err, ERR_INFEASIBLE,
			"plan \"%s\" holds no cost: nothing was chosen, so there is nothing to add "
			"up",
			plan->name);
	struct terms t = terms_of(plan, m);
	bool complete = plan->cost->complete == 1;
	doc_paragraph(d, "%s", plan->sentence ? plan->sentence : "");
	if (plan->today && plan->today->keep == 1)
		doc_callout(d, DOC_NOTE,
			"The decision is to keep today's disks; what follows is the cost of the "
			"plan "
			"that would take their place.");
	if (!complete)
		doc_callout(d, DOC_UNKNOWN,
			"Incomplete: a price is unknown, so every total reads \"at least\".");
	put_cost(d, plan, &t);
	put_units(d, plan);
	put_options(d, plan, &t);
	put_bill(d, plan);
	doc_paragraph(d, "Prices: %s, as of %s.",
		plan->price_source ? plan->price_source : "unknown",
		plan->price_as_of ? plan->price_as_of : "unknown");
	return complete
		       ? 0
		       : err_set(err, ERR_PRICE, "plan \"%s\": at least %s %s a month, incomplete",
				 plan->name, money_text(d, plan->cost->monthly, 2), plan->currency);
}
