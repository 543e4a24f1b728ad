/*
 * audit_tco.c - claims about money in the words of the audit.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/audit_parts.h"

static const struct {
	enum audit_verdict verdict;
	const char *code, *text, *todo;
} rows[] = {
	[TCO_RECOMPUTES] = {AUDIT_AGREES, "claim-agrees", "recomputes from the published inputs",
		NULL},
	[TCO_NOT_DERIVABLE] = {AUDIT_CONTRADICTION, "claim-not-derivable",
		"does not follow from the published inputs, however they are combined",
		"ask the source for the missing inputs"},
	[TCO_NOT_TESTABLE] = {AUDIT_UNTESTED, "claim-not-testable",
		"cannot be tested: an input it needs was not published",
		"ask the source for the missing inputs"},
	[TCO_CONTRADICTED] = {AUDIT_CONTRADICTION, "claim-contradicted",
		"the published inputs give another figure", "use the computed value"},
};
_Static_assert(sizeof(rows) / sizeof(rows[0]) == TCO_VERDICT_COUNT, "a row for every verdict");

static const char *
money(struct audit *a, double amount, const char *unit)
{
	char text[48];
	units_money_text(amount, 2, text);
	return audit_text(a, "%s %s", text, unit ? unit : "");
}

static void
put_options(const struct tco_case *c, struct audit *a, struct audit_finding *f)
{
	for (size_t i = 0; i < c->n_options; i++) {
		const struct tco_option *o = &c->options[i];
		audit_input(a, f, audit_text(a, "price of %s", o->name),
			money(a, o->monthly, audit_text(a, "%s a month", c->currency)), o->trust,
			o->source);
		if (!isnan(o->tps))
			audit_input(a, f, audit_text(a, "rate of %s", o->name),
				audit_text(a, "%.4g TPS", o->tps),
				o->tps_trust >= 0 ? o->tps_trust : o->trust,
				o->tps_source ? o->tps_source : o->source);
	}
}

static void
put_items(const struct tco_case *c, const struct tco_result *r, const char *only, struct audit *a,
	struct audit_finding *f)
{
	for (size_t i = 0; i < r->n_items; i++) {
		const struct tco_item_result *item = &r->items[i];
		if (only && strcmp(only, item->name) != 0)
			continue;
		audit_input(a, f, item->name,
			item->arithmetic
				? item->arithmetic
				: money(a, item->monthly, audit_text(a, "%s a month", c->currency)),
			item->trust, item->source);
	}
}

/* What would make an NPV true: a share of the revenue items. */
static const char *
needs(struct audit *a, const struct tco_claim_result *c)
{
	if (c->what == TCO_CLAIM_NPV && !isnan(c->share))
		return audit_text(a,
			"%.4f %% (undiscounted) or %.4f %% (discounted) of the revenue items are "
			"real "
			"and due to the disk",
			100 * c->share_undiscounted, 100 * c->share);
	if (c->what == TCO_CLAIM_PAYBACK_MONTHS && c->verdict == TCO_NOT_TESTABLE)
		return "an outlay is named, of at most what the gain repays in that time";
	return "inputs that were not published";
}

void
audit_tco(const struct tco_case *c, const struct tco_result *r, struct audit *a)
{
	a->name = r->name;
	for (size_t i = 0; i < r->n_claims; i++) {
		const struct tco_claim_result *claim = &r->claims[i];
		struct audit_finding *f = audit_add(a, rows[claim->verdict].verdict,
			rows[claim->verdict].code, claim->claim ? claim->claim : "claim");
		f->text = rows[claim->verdict].text;
		f->arithmetic = claim->text;
		f->todo = rows[claim->verdict].todo;
		if (claim->verdict != TCO_RECOMPUTES)
			f->needs = needs(a, claim);
		audit_input(a, f, "claimed", audit_text(a, "%.10g", claim->claimed),
			TRUST_PUBLISHED, claim->source);
		if (claim->item)
			put_items(c, r, claim->item, a, f);
		else
			put_options(c, a, f);
		if (claim->what == TCO_CLAIM_NPV)
			put_items(c, r, NULL, a, f);
	}
}
