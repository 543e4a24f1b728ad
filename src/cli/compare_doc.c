/*
 * compare_doc.c - two plans side by side: verdict, money, each volume's configuration, margins.
 *
 * "Difference" is always the second minus the first.
 */
#include <math.h>
#include <string.h>

#include "cli/money_doc.h"
#include "tco/unit_cost.h"

#define N(columns) (sizeof(columns) / sizeof((columns)[0]))

struct pair {
	const struct plan *a, *b;
	struct doc *d;
};

static const char *
or_empty(const char *text)
{
	return text ? text : "";
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A change with its sign: "+12.50", "-3.00", "0.00". */
static const char *
change_text(struct doc *d, double change, int decimals)
{
	const char *amount = money_text(d, change, decimals);
	return change > 0 ? or_empty(arena_printf(d->arena, "+%s", amount)) : amount;
}

static void
put_money_row(const struct pair *p, struct doc_table *t, const char *what, const double of[2],
	int decimals)
{
	doc_row(p->d, t);
	doc_cell(p->d, t, 0, "%s", what);
	doc_cell(p->d, t, 1, "%s", money_text(p->d, of[0], decimals));
	doc_cell(p->d, t, 2, "%s", money_text(p->d, of[1], decimals));
	doc_cell(p->d, t, 3, "%s", change_text(p->d, of[1] - of[0], decimals));
}

static void
put_money(const struct pair *p)
{
	const struct plan_cost *a = p->a->cost, *b = p->b->cost;
	struct doc *d = p->d;
	const struct doc_column columns[] = {
		{or_empty(arena_printf(d->arena, "Cost (%s)", p->a->currency)), DOC_LEFT},
		{"First", DOC_RIGHT},
		{"Second", DOC_RIGHT},
		{"Difference", DOC_RIGHT},
	};
	bool complete = a->complete == 1 && b->complete == 1;
	struct doc_table *t = doc_table(d,
		complete ? "Money" : "Money: at least, a plan is incomplete", columns, N(columns));
	put_money_row(
		p, t, "storage a month", (double[2]){a->storage_monthly, b->storage_monthly}, 2);
	put_money_row(
		p, t, "machines a month", (double[2]){a->machine_monthly, b->machine_monthly}, 2);
	put_money_row(p, t, "total a month", (double[2]){a->monthly, b->monthly}, 2);
	put_money_row(p, t, "total a year", (double[2]){a->monthly * 12, b->monthly * 12}, 2);
	put_money_row(p, t, "price of a rate: a month per 1,000 TPM",
		(double[2]){a->per_ktpm_month, b->per_ktpm_month}, 4);
	put_money_row(p, t, "price of work: per 1,000 transactions executed",
		(double[2]){a->per_1000_tx, b->per_1000_tx}, 8);
	if (a->basis || b->basis)
		doc_paragraph(d, "Basis of the unit costs: first, %s; second, %s.",
			a->basis ? a->basis : "unknown", b->basis ? b->basis : "unknown");
}

static const char *
verdict_text(const struct plan *plan)
{
	return names_text(&plan_verdict_names, plan->verdict);
}

static double
max_tps(const struct plan *plan)
{
	return plan->prediction ? plan->prediction->max_tps : (double)NAN;
}

enum { PLAN_ROWS = 8 };
static const char *const plan_rows[PLAN_ROWS] = {"workload", "verdict", "made",
	"provider and region", "prices as of", "machine", "highest TPS", "what limits it"};

static void
describe(struct doc *d, const struct plan *plan, const char *cells[PLAN_ROWS])
{
	const struct plan_machine *m = plan->machine;
	size_t n = 0;
	cells[n++] = plan->name;
	cells[n++] = verdict_text(plan);
	cells[n++] = plan->created;
	cells[n++] = arena_printf(
		d->arena, "%s %s", or_empty(plan->provider), or_empty(plan->region));
	cells[n++] = plan->price_as_of;
	cells[n++] = m ? arena_printf(
				 d->arena, "%s x %s", figure_text(d, m->count, 6), or_empty(m->sku))
		       : "none named";
	cells[n++] = figure_text(d, max_tps(plan), 6);
	cells[n++] = plan->prediction ? plan->prediction->limit : NULL;
}

static void
put_plans(const struct pair *p)
{
	static const struct doc_column columns[] = {
		{"", DOC_LEFT}, {"First", DOC_LEFT}, {"Second", DOC_LEFT}};
	struct doc *d = p->d;
	const char *first[PLAN_ROWS], *second[PLAN_ROWS];
	describe(d, p->a, first);
	describe(d, p->b, second);
	struct doc_table *t = doc_table(d, "The two plans", columns, N(columns));
	for (size_t row = 0; row < PLAN_ROWS; row++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_rows[row]);
		doc_cell(d, t, 1, "%s", first[row] ? first[row] : "unknown");
		doc_cell(d, t, 2, "%s", second[row] ? second[row] : "unknown");
	}
}

static const char *
config_text(struct doc *d, const struct plan_volume *v)
{
	if (!v)
		return "not in this plan";
	const struct plan_config *c = v->chosen;
	if (!c)
		return "nothing fits";
	const char *text = arena_printf(d->arena, "%s x %s, %s GiB, %s IOPS, %s MB/s, cache %s",
		figure_text(d, c->disks, 6), or_empty(c->sku), figure_text(d, c->size_gib, 6),
		figure_text(d, c->iops, 6), figure_text(d, c->mbps, 6),
		c->host_cache ? c->host_cache : "unknown");
	return or_empty(text);
}

static double
volume_monthly(const struct plan_volume *v)
{
	return v && v->chosen ? v->chosen->monthly : (double)NAN;
}

static const struct plan_volume *
volume_like(const struct plan *plan, const struct plan_volume *like)
{
	for (size_t i = 0; i < plan->n_volumes; i++) {
		const struct plan_volume *v = &plan->volumes[i];
		if (same_text(v->role, like->role) && same_text(v->name, like->name))
			return v;
	}
	return NULL;
}

static void
put_volume(const struct pair *p, struct doc_table *t, const struct plan_volume *a,
	const struct plan_volume *b)
{
	struct doc *d = p->d;
	const struct plan_volume *either = a ? a : b;
	const char *first = config_text(d, a), *second = config_text(d, b);
	double change = volume_monthly(b) - volume_monthly(a);
	doc_row(d, t);
	bool named = either->name && !same_text(either->name, either->role);
	doc_cell(d, t, 0, "%s%s%s", or_empty(either->role), named ? " " : "",
		named ? either->name : "");
	doc_cell(d, t, 1, "%s", first);
	doc_cell(d, t, 2, "%s", strcmp(first, second) == 0 ? "the same" : second);
	doc_cell(d, t, 3, "%s", money_text(d, volume_monthly(a), 2));
	doc_cell(d, t, 4, "%s", money_text(d, volume_monthly(b), 2));
	doc_cell(d, t, 5, "%s", change_text(d, change, 2));
}

static void
put_volumes(const struct pair *p)
{
	static const struct doc_column columns[] = {
		{"Volume", DOC_LEFT},
		{"First", DOC_LEFT},
		{"Second", DOC_LEFT},
		{"First a month", DOC_RIGHT},
		{"Second", DOC_RIGHT},
		{"Difference", DOC_RIGHT},
	};
	struct doc_table *t = doc_table(p->d, "Volumes, money on one machine", columns, N(columns));
	for (size_t i = 0; i < p->a->n_volumes; i++)
		put_volume(p, t, &p->a->volumes[i], volume_like(p->b, &p->a->volumes[i]));
	for (size_t i = 0; i < p->b->n_volumes; i++) {
		if (!volume_like(p->a, &p->b->volumes[i]))
			put_volume(p, t, NULL, &p->b->volumes[i]);
	}
}

static const struct plan_sla *
sla_like(const struct plan *plan, const struct plan_sla *like)
{
	for (size_t i = 0; i < plan->n_sla; i++) {
		if (same_text(plan->sla[i].what, like->what))
			return &plan->sla[i];
	}
	return NULL;
}

static const char *
sla_text(struct doc *d, const struct plan_sla *s)
{
	if (!s)
		return "not promised";
	const char *verdict = names_text(&plan_verdict_names, s->verdict);
	if (isnan(s->margin_frac))
		return or_empty(arena_printf(d->arena, "%s: %s of %s %s", verdict,
			figure_text(d, s->predicted, 4), figure_text(d, s->limit, 4),
			or_empty(s->unit)));
	return or_empty(arena_printf(d->arena, "%s: %s of %s %s, margin %.0f %%", verdict,
		figure_text(d, s->predicted, 4), figure_text(d, s->limit, 4), or_empty(s->unit),
		s->margin_frac * 100));
}

static void
put_promise(const struct pair *p, struct doc_table *t, const struct plan_sla *a,
	const struct plan_sla *b)
{
	const struct plan_sla *either = a ? a : b;
	doc_row(p->d, t);
	doc_cell(p->d, t, 0, "%s", or_empty(either->what));
	doc_cell(p->d, t, 1, "%s", sla_text(p->d, a));
	doc_cell(p->d, t, 2, "%s", sla_text(p->d, b));
}

static void
put_promises(const struct pair *p)
{
	static const struct doc_column columns[] = {
		{"Promise", DOC_LEFT}, {"First", DOC_LEFT}, {"Second", DOC_LEFT}};
	if (p->a->n_sla + p->b->n_sla == 0)
		return;
	struct doc_table *t = doc_table(p->d, "Promises: predicted of limit", columns, N(columns));
	for (size_t i = 0; i < p->a->n_sla; i++)
		put_promise(p, t, &p->a->sla[i], sla_like(p->b, &p->a->sla[i]));
	for (size_t i = 0; i < p->b->n_sla; i++) {
		if (!sla_like(p->a, &p->b->sla[i]))
			put_promise(p, t, NULL, &p->b->sla[i]);
	}
}

/* What must be true for the dearer plan to win. */
static void
put_break_even(const struct pair *p)
{
	const struct plan_cost *a = p->a->cost, *b = p->b->cost;
	struct doc *d = p->d;
	double change = b->monthly - a->monthly;
	const char *dearer = change > 0 ? "second" : "first";
	const char *cheaper = change > 0 ? "first" : "second";
	const struct plan *dear = change > 0 ? p->b : p->a;
	double base = change > 0 ? a->per_ktpm_month : b->per_ktpm_month;
	if (isnan(change)) {
		doc_paragraph(d, "Break-even: unknown, because a total is unknown.");
		return;
	}
	if (change == 0) {
		doc_paragraph(d, "Break-even: both cost the same a month.");
		return;
	}
	doc_paragraph(d,
		"Break-even: neither plan has an outlay, so it is not a date: the %s plan is worth "
		"its price when what it does better is worth %s %s a month (%s a year).",
		dearer, money_text(d, fabs(change), 2), p->a->currency,
		money_text(d, fabs(change) * 12, 2));
	double tps = unit_cost_rate_for(dear->cost->monthly, base);
	if (isnan(tps))
		return;
	double own = max_tps(dear);
	doc_paragraph(d,
		"Per unit of rate it equals the %s plan from %s TPS on; its predicted highest is "
		"%s: "
		"%s.",
		cheaper, figure_text(d, tps, 6), figure_text(d, own, 6),
		isnan(own)   ? "unknown"
		: own >= tps ? "it is the cheaper one per unit of rate"
			     : "it stays the dearer one per unit of rate");
}

static void
put_verdict(const struct pair *p)
{
	struct doc *d = p->d;
	double change = p->b->cost->monthly - p->a->cost->monthly;
	bool complete = p->a->cost->complete == 1 && p->b->cost->complete == 1;
	if (!same_text(p->a->name, p->b->name))
		doc_callout(d, DOC_WARNING,
			"The plans are for different workloads (\"%s\" and \"%s\"): the difference "
			"is not the price of a tier.",
			p->a->name, p->b->name);
	const char *percent = "";
	if (p->a->cost->monthly > 0 && change != 0)
		percent = or_empty(
			arena_printf(d->arena, " (%+.0f %%)", change / p->a->cost->monthly * 100));
	doc_callout(d, complete ? DOC_NOTE : DOC_UNKNOWN,
		"First %s, %s %s a month; second %s, %s %s a month: the second costs %s %s %s a "
		"month%s%s.",
		verdict_text(p->a), money_text(d, p->a->cost->monthly, 2), p->a->currency,
		verdict_text(p->b), money_text(d, p->b->cost->monthly, 2), p->b->currency,
		money_text(d, fabs(change), 2), p->a->currency, change < 0 ? "less" : "more",
		percent, complete ? "" : "; incomplete, a price is unknown");
}

int
plan_compare_doc(const struct plan *a, const struct plan *b, struct doc *d, struct err *err)
{
	const struct pair p = {a, b, d};
	if (!a->cost || !b->cost || !a->currency || !b->currency)
		return err_set(err, ERR_INFEASIBLE,
			"the %s plan holds no cost: nothing was chosen, so there is nothing to "
			"compare",
			a->cost && a->currency ? "second" : "first");
	if (strcmp(a->currency, b->currency) != 0)
		return err_set(err, ERR_RANGE,
			"the first plan is in %s, the second in %s; nothing is converted",
			a->currency, b->currency);
	put_verdict(&p);
	put_plans(&p);
	put_money(&p);
	put_break_even(&p);
	put_volumes(&p);
	put_promises(&p);
	if (a->cost->complete == 1 && b->cost->complete == 1)
		return 0;
	return err_set(err, ERR_PRICE, "incomplete: the %s plan has an unknown price",
		a->cost->complete == 1 ? "second" : "first");
}
