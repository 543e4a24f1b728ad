/*
 * tco_doc.c - a tierwise/tco-result/1 as a document.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/money_doc.h"

#define N(columns) (sizeof(columns) / sizeof((columns)[0]))

const char *
money_text(struct doc *d, double amount, int decimals)
{
	char text[48];
	units_money_text(amount, decimals, text);
	const char *kept = arena_strdup(d->arena, text);
	return kept ? kept : "";
}

const char *
figure_text(struct doc *d, double number, int digits)
{
	if (isnan(number))
		return "unknown";
	if (fabs(number) >= 1000) /* where %g would turn to exponents */
		return money_text(d, number, number != floor(number));
	const char *kept = arena_printf(d->arena, "%.*g", digits, number);
	return kept ? kept : "";
}

static const char *
titled(struct doc *d, const char *what, const char *currency, const char *per)
{
	const char *kept = arena_printf(d->arena, "%s (%s%s)", what, currency, per);
	return kept ? kept : what;
}

static const char *
as_of_text(const char *as_of)
{
	return as_of ? as_of : "not dated";
}

static void
put_rate(struct doc *d, const struct tco_result *r)
{
	const struct doc_column columns[] = {
		{"Option", DOC_LEFT},
		{titled(d, "Price", r->currency, "/month"), DOC_RIGHT},
		{"TPS", DOC_RIGHT},
		{"TPM", DOC_RIGHT},
		{titled(d, "Price of a rate", r->currency, "/month per 1,000 TPM"), DOC_RIGHT},
		{titled(d, "against", r->baseline, ""), DOC_RIGHT},
		{"Trust", DOC_LEFT},
	};
	struct doc_table *t = doc_table(d,
		"Price of a rate: what the ability to do 1,000 transactions a minute costs a month",
		columns, N(columns));
	for (size_t i = 0; i < r->n_units; i++) {
		const struct tco_unit *u = &r->units[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", u->name);
		doc_cell(d, t, 1, "%s", money_text(d, u->monthly, 2));
		doc_cell(d, t, 2, "%s", figure_text(d, u->tps, 6));
		doc_cell(d, t, 3, "%s", figure_text(d, u->tpm, 6));
		doc_cell(d, t, 4, "%s", money_text(d, u->per_ktpm_month, 4));
		doc_cell(d, t, 5, "%s", money_text(d, u->ratio, 4));
		doc_cell(d, t, 6, "%s", names_text(&trust_names, u->trust));
	}
}

static void
put_work(struct doc *d, const struct tco_result *r)
{
	const char *used = arena_printf(d->arena, "at %.3g %% utilisation, %s",
		r->utilisation * 100, names_text(&trust_names, r->utilisation_trust));
	const struct doc_column columns[] = {
		{"Option", DOC_LEFT},
		{titled(d, "at full rate", r->currency, " per 1,000 transactions"), DOC_RIGHT},
		{titled(d, isnan(r->utilisation) || !used ? "at unknown utilisation" : used,
			 r->currency, " per 1,000 transactions"),
			DOC_RIGHT},
	};
	struct doc_table *t = doc_table(d,
		"Price of work: what 1,000 transactions that were executed cost", columns,
		N(columns));
	for (size_t i = 0; i < r->n_units; i++) {
		const struct tco_unit *u = &r->units[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", u->name);
		doc_cell(d, t, 1, "%s", money_text(d, u->per_1000_tx_full, 8));
		doc_cell(d, t, 2, "%s", money_text(d, u->per_1000_tx_used, 8));
	}
	doc_paragraph(d,
		"A month is %g h. Full rate means every one of them at the TPS above; fewer "
		"transactions make each one dearer.",
		r->hours_per_month);
	if (!isnan(r->utilisation))
		doc_paragraph(d, "Utilisation: %g (%s%s%s).", r->utilisation,
			names_text(&trust_names, r->utilisation_trust),
			r->utilisation_source ? "; " : "",
			r->utilisation_source ? r->utilisation_source : "");
}

/* What an option must reach, or cost, to be no dearer per unit of rate than the baseline. */
static void
put_equal(struct doc *d, const struct tco_result *r)
{
	for (size_t i = 0; i < r->n_units; i++) {
		const struct tco_unit *u = &r->units[i];
		if (strcmp(u->name, r->baseline) == 0 || isnan(u->ratio))
			continue;
		double more = (u->ratio - 1) * 100;
		doc_paragraph(d,
			"%s is %.0f %% %s than %s per transaction before the dynamic items. To "
			"equal it, it must "
			"sustain %s TPS at its price or cost %s %s/month at its rate.",
			u->name, fabs(more), more < 0 ? "cheaper" : "dearer", r->baseline,
			figure_text(d, u->equal_tps, 5), money_text(d, u->equal_monthly, 2),
			r->currency);
	}
}

static void
put_sources(struct doc *d, const struct tco_result *r)
{
	for (size_t i = 0; i < r->n_units; i++) {
		const struct tco_unit *u = &r->units[i];
		doc_paragraph(d, "%s: %s; as of %s.%s%s", u->name, u->source ? u->source : "",
			as_of_text(u->as_of), u->note ? " " : "", u->note ? u->note : "");
	}
}

static void
put_item_row(struct doc *d, struct doc_table *t, const struct tco_item_result *item)
{
	bool once = item->per == TCO_PER_ONCE;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", item->name);
	doc_cell(d, t, 1, "%s", names_text(&tco_kind_names, item->kind));
	doc_cell(d, t, 2, "%s of %s", names_text(&tco_effect_names, item->effect), item->option);
	doc_cell(d, t, 3, "%s", once ? "" : money_text(d, item->monthly, 2));
	doc_cell(d, t, 4, "%s", once ? "" : money_text(d, item->yearly, 2));
	doc_cell(d, t, 5, "%s", once ? money_text(d, item->once, 2) : "");
	doc_cell(d, t, 6, "%s", names_text(&trust_names, item->trust));
}

static void
put_items(struct doc *d, const struct tco_result *r)
{
	const struct doc_column columns[] = {
		{"Item", DOC_LEFT},
		{"Kind", DOC_LEFT},
		{"Counts as", DOC_LEFT},
		{titled(d, "A month", r->currency, ""), DOC_RIGHT},
		{titled(d, "A year", r->currency, ""), DOC_RIGHT},
		{titled(d, "Once", r->currency, ""), DOC_RIGHT},
		{"Trust", DOC_LEFT},
	};
	if (r->n_items == 0)
		return;
	doc_heading(d, 2, "Dynamic items, apart from the prices");
	struct doc_table *t = doc_table(d, "Dynamic items", columns, N(columns));
	for (size_t i = 0; i < r->n_items; i++)
		put_item_row(d, t, &r->items[i]);
	for (size_t i = 0; i < r->n_items; i++) {
		const struct tco_item_result *item = &r->items[i];
		doc_paragraph(d, "%s: %s (%s; as of %s).%s%s", item->name,
			item->arithmetic ? item->arithmetic : "", item->source ? item->source : "",
			as_of_text(item->as_of), item->note ? " " : "",
			item->note ? item->note : "");
		if (item->share < 1)
			doc_paragraph(d, "%s: %.3g %% of it is counted below.", item->name,
				item->share * 100);
	}
}

static const char *
payback_word(struct doc *d, int state, double months)
{
	static const char *const words[] = {
		[CASH_PAYBACK_UNKNOWN] = "unknown",
		[CASH_PAYBACK_NOTHING] = "no outlay",
		[CASH_PAYBACK_AT] = "",
		[CASH_PAYBACK_NEVER] = "never",
	};
	if (state != CASH_PAYBACK_AT)
		return words[state];
	const char *text = arena_printf(d->arena, "%.1f", months);
	return text ? text : "";
}

/* Months, simple and discounted, or the one word for both. */
static const char *
payback_text(struct doc *d, const struct tco_scope_result *s)
{
	const char *simple = payback_word(d, s->payback, s->payback_months);
	if (s->payback == s->payback_discounted && s->payback != CASH_PAYBACK_AT)
		return simple;
	const char *text = arena_printf(d->arena, "%s (%s)", simple,
		payback_word(d, s->payback_discounted, s->payback_discounted_months));
	return text ? text : "";
}

static const char *const counted[] = {
	[TCO_SCOPE_PRICE] = "prices",
	[TCO_SCOPE_INFRASTRUCTURE] = "+ infrastructure",
	[TCO_SCOPE_OPERATION] = "+ incidents",
	[TCO_SCOPE_ALL] = "+ revenue",
};
_Static_assert(N(counted) == TCO_SCOPE_COUNT, "words for every scope");

static void
put_scope_row(struct doc *d, struct doc_table *t, const struct tco_scope_result *s)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", counted[s->scope]);
	doc_cell(d, t, 1, "%s", money_text(d, s->once, 2));
	doc_cell(d, t, 2, "%s", money_text(d, s->monthly, 2));
	doc_cell(d, t, 3, "%s", money_text(d, s->npv_undiscounted, 2));
	doc_cell(d, t, 4, "%s", money_text(d, s->npv, 2));
	doc_cell(d, t, 5, "%s", payback_text(d, s));
	doc_cell(d, t, 6, "%s", names_text(&trust_names, s->npv_trust));
}

static void
put_scope_table(struct doc *d, const struct tco_result *r, const char *option)
{
	const struct doc_column columns[] = {
		{"Counted", DOC_LEFT},
		{"Once", DOC_RIGHT},
		{"A month", DOC_RIGHT},
		{"Undiscounted", DOC_RIGHT},
		{"NPV", DOC_RIGHT},
		{"Payback (disc.)", DOC_RIGHT},
		{"Trust", DOC_LEFT},
	};
	const char *caption = arena_printf(d->arena,
		"Gain of %s against %s over %.0f months (%s); each row adds to the one above",
		option, r->baseline, r->horizon_months, r->currency);
	struct doc_table *t = doc_table(d, caption ? caption : "Gain", columns, N(columns));
	for (size_t i = 0; i < r->n_scopes; i++) {
		if (strcmp(r->scopes[i].option, option) == 0)
			put_scope_row(d, t, &r->scopes[i]);
	}
}

static void
put_scopes(struct doc *d, const struct tco_result *r)
{
	doc_heading(d, 2, "Over %.0f months against %s", r->horizon_months, r->baseline);
	doc_paragraph(d,
		"Positive is in the option's favour. Discount rate: %.3g %% a year, effective, "
		"%.4f %% a month; %s (%s). Flows fall at the %s of the month. Payback is in "
		"months, "
		"discounted in brackets; trust is the weakest class an NPV rests on.",
		r->discount_rate_year * 100, r->discount_rate_month * 100,
		names_text(&trust_names, r->discount_rate_trust),
		r->discount_rate_source ? r->discount_rate_source : "no source given",
		r->timing == CASH_MID ? "middle" : "end");
	for (size_t i = 0; i < r->n_units; i++) {
		if (strcmp(r->units[i].name, r->baseline) != 0)
			put_scope_table(d, r, r->units[i].name);
	}
}

/* By price alone: when the total costs meet, and which option is the cheaper before and after. */
static void
put_break_even(struct doc *d, const struct tco_result *r, const struct tco_scope_result *s)
{
	double months = s->break_even_months;
	bool cheaper_first = s->once != 0 ? s->once > 0 : s->monthly > 0;
	if (isnan(months))
		return;
	if (months == 0)
		doc_paragraph(d, "Break-even by price alone: %s and %s cost the same.", s->option,
			r->baseline);
	else if (isinf(months))
		doc_paragraph(d, "Break-even by price alone: none; %s costs %s than %s throughout.",
			s->option, cheaper_first ? "less" : "more", r->baseline);
	else
		doc_paragraph(d,
			"Break-even by price alone: at %.1f months the total costs meet; before "
			"that "
			"%s has cost less, after it %s.",
			months, cheaper_first ? s->option : r->baseline,
			cheaper_first ? r->baseline : s->option);
}

/* What must be true for an option to win: the price at which its NPV is zero. */
static void
put_zero_price(struct doc *d, const struct tco_result *r, const struct tco_scope_result *s)
{
	if (isnan(s->npv))
		return;
	if (isnan(s->zero_price))
		doc_paragraph(d, "%s would lose without revenue items at any price.", s->option);
	else
		doc_paragraph(d,
			"%s wins without revenue items while it costs less than %s %s a month.",
			s->option, money_text(d, s->zero_price, 2), r->currency);
}

static void
put_conditions(struct doc *d, const struct tco_result *r)
{
	for (size_t i = 0; i < r->n_scopes; i++) {
		const struct tco_scope_result *s = &r->scopes[i];
		if (s->scope == TCO_SCOPE_PRICE)
			put_break_even(d, r, s);
		else if (s->scope == TCO_SCOPE_OPERATION)
			put_zero_price(d, r, s);
	}
}

static void
put_claims(struct doc *d, const struct tco_result *r)
{
	static const struct doc_column columns[] = {
		{"Claim", DOC_LEFT},
		{"Claimed", DOC_RIGHT},
		{"Computed", DOC_RIGHT},
		{"Verdict", DOC_LEFT},
	};
	if (r->n_claims == 0)
		return;
	doc_heading(d, 2, "Claims tested");
	struct doc_table *t = doc_table(d,
		"Claims of the source, recomputed from its own inputs (an NPV: the nearest "
		"reading)",
		columns, N(columns));
	for (size_t i = 0; i < r->n_claims; i++) {
		const struct tco_claim_result *c = &r->claims[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", c->claim);
		doc_cell(d, t, 1, "%s", figure_text(d, c->claimed, 5));
		doc_cell(d, t, 2, "%s",
			isnan(c->computed) ? "none" : figure_text(d, c->computed, 5));
		doc_cell(d, t, 3, "%s", names_text(&tco_verdict_names, c->verdict));
	}
	for (size_t i = 0; i < r->n_claims; i++) {
		const struct tco_claim_result *c = &r->claims[i];
		if (c->verdict != TCO_RECOMPUTES)
			doc_callout(d, DOC_WARNING, "%s, %s: %s.", c->claim,
				names_text(&tco_verdict_names, c->verdict), c->text);
	}
}

static void
put_tornado_row(struct doc *d, struct doc_table *t, const struct tco_tornado_row *row)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", row->input);
	doc_cell(d, t, 1, "%s", row->unit ? row->unit : "");
	doc_cell(d, t, 2, "%s", figure_text(d, row->low, 5));
	doc_cell(d, t, 3, "%s", figure_text(d, row->base, 5));
	doc_cell(d, t, 4, "%s", figure_text(d, row->high, 5));
	doc_cell(d, t, 5, "%s", money_text(d, row->npv_low, 0));
	doc_cell(d, t, 6, "%s", money_text(d, row->npv_high, 0));
	doc_cell(d, t, 7, "%s", money_text(d, row->swing, 0));
	doc_cell(d, t, 8, "%s", isnan(row->zero_at) ? "" : figure_text(d, row->zero_at, 5));
	doc_cell(d, t, 9, "%s", names_text(&trust_names, row->range_trust));
}

static void
put_tornado_table(struct doc *d, const struct tco_result *r, const char *option)
{
	static const struct doc_column columns[] = {
		{"Input", DOC_LEFT},
		{"Unit", DOC_LEFT},
		{"Low", DOC_RIGHT},
		{"Base", DOC_RIGHT},
		{"High", DOC_RIGHT},
		{"NPV at low", DOC_RIGHT},
		{"NPV at high", DOC_RIGHT},
		{"Swing", DOC_RIGHT},
		{"Zero at", DOC_RIGHT},
		{"Range", DOC_LEFT},
	};
	const char *caption = arena_printf(d->arena, "Tornado of the NPV of %s against %s (%s)",
		option, r->baseline, r->currency);
	struct doc_table *t = doc_table(d, caption ? caption : "Tornado", columns, N(columns));
	for (size_t i = 0; i < r->n_tornado; i++) {
		if (strcmp(r->tornado[i].option, option) == 0)
			put_tornado_row(d, t, &r->tornado[i]);
	}
}

static void
put_tornado(struct doc *d, const struct tco_result *r)
{
	doc_heading(d, 2, "What moves the answer");
	doc_paragraph(d,
		"Base is the NPV without the revenue items; one input moves at a time, the widest "
		"first. A range marked assumed is the program's: 20 %% either way, 0 to twice the "
		"discount rate, none to all of a revenue item.");
	for (size_t i = 0; i < r->n_units; i++) {
		if (strcmp(r->units[i].name, r->baseline) != 0)
			put_tornado_table(d, r, r->units[i].name);
	}
}

/* The claims' findings stand beside the claims. */
static void
put_findings(struct doc *d, const struct tco_result *r)
{
	struct finding *rest = arena_array(d->arena, r->n_findings, sizeof(*rest));
	size_t n = 0;
	if (!rest) {
		d->failed = true;
		return;
	}
	for (size_t i = 0; i < r->n_findings; i++) {
		if (strncmp(r->findings[i].code, "claim-", strlen("claim-")) != 0)
			rest[n++] = r->findings[i];
	}
	if (n)
		doc_heading(d, 2, "Findings");
	doc_findings(d, "Assumptions, unknowns and warnings", rest, n);
}

/* The answer first: what each option gains before any revenue is counted. */
static void
put_answer(struct doc *d, const struct tco_result *r)
{
	for (size_t i = 0; i < r->n_scopes; i++) {
		const struct tco_scope_result *s = &r->scopes[i];
		if (s->scope != TCO_SCOPE_OPERATION)
			continue;
		if (isnan(s->npv)) {
			doc_callout(d, DOC_UNKNOWN,
				"%s against %s: unknown, because a price or an amount is unknown.",
				s->option, r->baseline);
			continue;
		}
		doc_callout(d, DOC_NOTE,
			"%s against %s over %.0f months, without revenue items: %s %s NPV at %.3g "
			"%% a "
			"year (%s), %s undiscounted, %s a month.",
			s->option, r->baseline, r->horizon_months, money_text(d, s->npv, 2),
			r->currency, r->discount_rate_year * 100,
			names_text(&trust_names, r->discount_rate_trust),
			money_text(d, s->npv_undiscounted, 2), money_text(d, s->monthly, 2));
	}
}

void
tco_doc(const struct tco_result *r, struct doc *d)
{
	if (r->note)
		doc_paragraph(d, "%s", r->note);
	put_answer(d, r);
	doc_heading(d, 2, "Unit costs");
	put_rate(d, r);
	put_equal(d, r);
	put_work(d, r);
	put_sources(d, r);
	put_items(d, r);
	put_scopes(d, r);
	put_conditions(d, r);
	put_claims(d, r);
	put_tornado(d, r);
	put_findings(d, r);
}
