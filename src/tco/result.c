/*
 * result.c - the result document: its tables.
 */
#include "tco/tco.h"

/* clang-format off */
static const char *const scopes[] = {[TCO_SCOPE_PRICE] = "price",
	[TCO_SCOPE_INFRASTRUCTURE] = "infrastructure", [TCO_SCOPE_OPERATION] = "operation",
	[TCO_SCOPE_ALL] = "all"};
_Static_assert(sizeof(scopes) / sizeof(scopes[0]) == TCO_SCOPE_COUNT, "a name for every scope");
const struct names tco_scope_names = {"scope", scopes, TCO_SCOPE_COUNT};

static const char *const verdicts[] = {[TCO_RECOMPUTES] = "recomputes",
	[TCO_NOT_DERIVABLE] = "not derivable", [TCO_NOT_TESTABLE] = "not testable",
	[TCO_CONTRADICTED] = "contradicted"};
_Static_assert(sizeof(verdicts) / sizeof(verdicts[0]) == TCO_VERDICT_COUNT,
	"a name for every verdict");
const struct names tco_verdict_names = {"verdict", verdicts, TCO_VERDICT_COUNT};

#define NUMBER(t, m, u, h) FIELD_NUMBER(struct t, m, false, -SCHEMA_ANY, SCHEMA_ANY, u, h)
#define TEXT(t, m, h) FIELD_TEXT(struct t, m, false, h)

static const struct schema_field unit_fields[] = {
	FIELD_TEXT(struct tco_unit, name, true, "the option"),
	NUMBER(tco_unit, monthly, "per month", "its price"),
	NUMBER(tco_unit, yearly, "per year", "twelve months"),
	NUMBER(tco_unit, upfront, "once", "paid now; absent: none given"),
	NUMBER(tco_unit, tps, "transactions/s", "sustained rate"),
	NUMBER(tco_unit, tpm, "transactions/min", "the same a minute"),
	NUMBER(tco_unit, per_ktpm_month, "per month per 1,000 TPM", "price of a rate"),
	NUMBER(tco_unit, per_1000_tx_full, "per 1,000 transactions",
		"price of work with every hour at full rate"),
	NUMBER(tco_unit, per_1000_tx_used, "per 1,000 transactions",
		"price of work at the stated utilisation"),
	NUMBER(tco_unit, ratio, "", "price of a rate over the baseline's"),
	NUMBER(tco_unit, equal_tps, "transactions/s",
		"rate at which its price of a rate equals the baseline's"),
	NUMBER(tco_unit, equal_monthly, "per month",
		"price at which its price of a rate equals the baseline's"),
	FIELD_WORD(struct tco_unit, trust, &trust_names, false, "how sure the price and rate are"),
	TEXT(tco_unit, source, "who says so"),
	TEXT(tco_unit, as_of, "date"),
	TEXT(tco_unit, note, "what a reader must know"),
};
static const struct schema unit_schema =
	SCHEMA_PART("unit costs of an option", struct tco_unit, unit_fields);

static const struct schema_field item_fields[] = {
	FIELD_TEXT(struct tco_item_result, name, true, "the item"),
	FIELD_WORD(struct tco_item_result, kind, &tco_kind_names, true, "sort of money"),
	FIELD_WORD(struct tco_item_result, effect, &tco_effect_names, true, "good or bad for option"),
	FIELD_WORD(struct tco_item_result, per, &tco_per_names, true, "period of the arithmetic"),
	FIELD_TEXT(struct tco_item_result, option, true, "the option it belongs to"),
	TEXT(tco_item_result, arithmetic, "the product in full"),
	NUMBER(tco_item_result, share, "0..1", "part that is counted"),
	NUMBER(tco_item_result, monthly, "per month", "the whole item"),
	NUMBER(tco_item_result, yearly, "per year", "the whole item"),
	NUMBER(tco_item_result, once, "once", "the whole item"),
	FIELD_WORD(struct tco_item_result, trust, &trust_names, false, "how sure"),
	TEXT(tco_item_result, source, "who says so"),
	TEXT(tco_item_result, as_of, "date"),
	TEXT(tco_item_result, note, "what a reader must know"),
};
static const struct schema item_schema =
	SCHEMA_PART("a dynamic item", struct tco_item_result, item_fields);

static const struct schema_field scope_fields[] = {
	FIELD_TEXT(struct tco_scope_result, option, true, "held against the baseline"),
	FIELD_WORD(struct tco_scope_result, scope, &tco_scope_names, true, "what is counted"),
	NUMBER(tco_scope_result, once, "once", "gain now, negative: outlay"),
	NUMBER(tco_scope_result, monthly, "per month", "gain a month"),
	NUMBER(tco_scope_result, npv_undiscounted, "", "sum of the flows"),
	NUMBER(tco_scope_result, npv, "", "present value at the discount rate"),
	FIELD_WORD(struct tco_scope_result, payback, &cash_payback_names, true, "simple payback"),
	FIELD_WORD(struct tco_scope_result, payback_discounted, &cash_payback_names, true,
		"discounted payback"),
	NUMBER(tco_scope_result, payback_months, "months", "when payback is `at`"),
	NUMBER(tco_scope_result, payback_discounted_months, "months",
		"when payback_discounted is `at`"),
	NUMBER(tco_scope_result, break_even_months, "months",
		"price scope: when its total cost meets the baseline's; absent: never or unknown"),
	NUMBER(tco_scope_result, zero_price, "per month",
		"price of the option at which npv is zero; absent: none at or above zero"),
	FIELD_WORD(struct tco_scope_result, trust, &trust_names, false,
		"weakest class of what is counted"),
	FIELD_WORD(struct tco_scope_result, npv_trust, &trust_names, false,
		"the same with the discount rate"),
};
static const struct schema scope_schema =
	SCHEMA_PART("an option against the baseline", struct tco_scope_result, scope_fields);

static const struct schema_field claim_fields[] = {
	FIELD_WORD(struct tco_claim_result, what, &tco_claim_kind_names, true, "the figure claimed"),
	FIELD_WORD(struct tco_claim_result, verdict, &tco_verdict_names, true, "the judgement"),
	TEXT(tco_claim_result, option, "the option"),
	TEXT(tco_claim_result, item, "the item"),
	NUMBER(tco_claim_result, claimed, "", "value claimed"),
	NUMBER(tco_claim_result, computed, "", "value computed, for an NPV the nearest reading"),
	NUMBER(tco_claim_result, share_undiscounted, "0..1",
		"share of the revenue items that would make an NPV true, undiscounted"),
	NUMBER(tco_claim_result, share, "0..1", "the same at the discount rate"),
	TEXT(tco_claim_result, claim, "the claim in words"),
	TEXT(tco_claim_result, text, "the judgement in words"),
	TEXT(tco_claim_result, source, "who claims it"),
};
static const struct schema claim_schema =
	SCHEMA_PART("a claim and its judgement", struct tco_claim_result, claim_fields);

static const struct schema_field tornado_fields[] = {
	FIELD_TEXT(struct tco_tornado_row, option, true, "held against the baseline"),
	FIELD_TEXT(struct tco_tornado_row, input, true, "what is moved"),
	TEXT(tco_tornado_row, unit, "its unit"),
	NUMBER(tco_tornado_row, base, "", "its value at base"),
	NUMBER(tco_tornado_row, low, "", "lowest value tried"),
	NUMBER(tco_tornado_row, high, "", "highest value tried"),
	NUMBER(tco_tornado_row, npv_low, "", "NPV at low"),
	NUMBER(tco_tornado_row, npv_high, "", "NPV at high"),
	NUMBER(tco_tornado_row, swing, "", "distance between the two"),
	NUMBER(tco_tornado_row, zero_at, "", "value at which the NPV is zero; absent: none in range"),
	FIELD_WORD(struct tco_tornado_row, range_trust, &trust_names, true, "how sure the range is"),
};
static const struct schema tornado_schema =
	SCHEMA_PART("what one input moves", struct tco_tornado_row, tornado_fields);

static const struct schema_field result_fields[] = {
	FIELD_TEXT(struct tco_result, name, true, "title of the comparison"),
	FIELD_TEXT(struct tco_result, currency, true, "of every amount"),
	FIELD_TEXT(struct tco_result, baseline, true, "the option the others are held against"),
	NUMBER(tco_result, hours_per_month, "h", "hours in a month"),
	NUMBER(tco_result, utilisation, "0..1", "share of the full rate executed"),
	FIELD_WORD(struct tco_result, utilisation_trust, &trust_names, false, "how sure"),
	TEXT(tco_result, utilisation_source, "who says so"),
	NUMBER(tco_result, horizon_months, "months", "length of the comparison"),
	NUMBER(tco_result, discount_rate_year, "1/year", "effective yearly rate used"),
	NUMBER(tco_result, discount_rate_month, "1/month", "(1 + yearly)^(1/12) - 1"),
	FIELD_WORD(struct tco_result, discount_rate_trust, &trust_names, false, "how sure"),
	TEXT(tco_result, discount_rate_source, "who says so"),
	FIELD_WORD(struct tco_result, timing, &cash_timing_names, false, "when a month's flow falls"),
	FIELD_FLAG(struct tco_result, complete, "false: a price or an amount is unknown"),
	FIELD_LIST(struct tco_result, units, n_units, &unit_schema, true, "unit costs, an option each"),
	FIELD_LIST(struct tco_result, items, n_items, &item_schema, false, "the dynamic items"),
	FIELD_LIST(struct tco_result, scopes, n_scopes, &scope_schema, false,
		"each option against the baseline, by what is counted"),
	FIELD_LIST(struct tco_result, claims, n_claims, &claim_schema, false, "claims, judged"),
	FIELD_LIST(struct tco_result, tornado, n_tornado, &tornado_schema, false,
		"NPV without revenue as base, one input moved at a time, widest first"),
	FIELD_LIST(struct tco_result, findings, n_findings, &finding_schema, false,
		"assumptions, unknowns, warnings"),
	TEXT(tco_result, note, "what a reader must know"),
};
const struct schema tco_result_schema = SCHEMA_DOCUMENT("tierwise/tco-result/1",
	"a comparison of options in money, evaluated", struct tco_result, result_fields);
/* clang-format on */
