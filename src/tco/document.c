/*
 * document.c - the case document: its tables, and the checks a table cannot say.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "tco/tco.h"

#define MONEY_MAX 1e12
#define PRODUCT_MAX 1e15

/* clang-format off */
static const char *const kinds[] = {[TCO_INFRASTRUCTURE] = "infrastructure",
	[TCO_INCIDENT] = "incident", [TCO_REVENUE] = "revenue", [TCO_MIGRATION] = "migration"};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == TCO_KIND_COUNT, "a name for every kind");
const struct names tco_kind_names = {"item kind", kinds, TCO_KIND_COUNT};

static const char *const effects[] = {[TCO_BENEFIT] = "benefit", [TCO_COST] = "cost"};
_Static_assert(sizeof(effects) / sizeof(effects[0]) == TCO_EFFECT_COUNT, "a name for every effect");
const struct names tco_effect_names = {"effect", effects, TCO_EFFECT_COUNT};

static const char *const pers[] = {[TCO_PER_MONTH] = "month", [TCO_PER_YEAR] = "year",
	[TCO_PER_ONCE] = "once"};
_Static_assert(sizeof(pers) / sizeof(pers[0]) == TCO_PER_COUNT, "a name for every period");
const struct names tco_per_names = {"period", pers, TCO_PER_COUNT};

static const char *const claim_kinds[] = {[TCO_CLAIM_NPV] = "npv",
	[TCO_CLAIM_PAYBACK_MONTHS] = "payback_months",
	[TCO_CLAIM_PER_KTPM_MONTH] = "per_ktpm_month", [TCO_CLAIM_PER_1000_TX] = "per_1000_tx",
	[TCO_CLAIM_UNIT_COST_RATIO] = "unit_cost_ratio",
	[TCO_CLAIM_ITEM_MONTHLY] = "item_monthly", [TCO_CLAIM_ITEM_YEARLY] = "item_yearly"};
_Static_assert(sizeof(claim_kinds) / sizeof(claim_kinds[0]) == TCO_CLAIM_KIND_COUNT,
	"a name for every kind of claim");
const struct names tco_claim_kind_names = {"claim", claim_kinds, TCO_CLAIM_KIND_COUNT};

static const struct schema_field finance_fields[] = {
	FIELD_COUNT(struct tco_finance, horizon_months, true, 1, TCO_MONTHS_MAX, "months",
		"months the comparison runs"),
	FIELD_NUMBER(struct tco_finance, discount_rate_year, false, 0, 10, "1/year",
		"effective yearly discount rate; absent: 0.08, named as assumed"),
	FIELD_NUMBER(struct tco_finance, rate_low, false, 0, 10, "1/year",
		"lowest rate to try; absent: 0"),
	FIELD_NUMBER(struct tco_finance, rate_high, false, 0, 10, "1/year",
		"highest rate to try; absent: twice the rate"),
	FIELD_WORD(struct tco_finance, discount_rate_trust, &trust_names, false,
		"how sure the rate is; absent: assumed"),
	FIELD_TEXT(struct tco_finance, discount_rate_source, false, "who says the rate"),
	FIELD_WORD(struct tco_finance, timing, &cash_timing_names, false,
		"when a month's flow falls; absent: end"),
};
static const struct schema finance_schema =
	SCHEMA_PART("horizon and discount rate", struct tco_finance, finance_fields);

static const struct schema_field option_fields[] = {
	FIELD_TEXT(struct tco_option, name, true, "what the option is called here"),
	FIELD_NUMBER(struct tco_option, monthly, false, 0, MONEY_MAX, "per month",
		"price of the option; absent or null: unknown, which ends with exit status 5"),
	FIELD_NUMBER(struct tco_option, monthly_low, false, 0, MONEY_MAX, "per month",
		"lowest price to try; absent: 20 % under"),
	FIELD_NUMBER(struct tco_option, monthly_high, false, 0, MONEY_MAX, "per month",
		"highest price to try; absent: 20 % over"),
	FIELD_NUMBER(struct tco_option, upfront, false, 0, MONEY_MAX, "once",
		"paid now; absent: no such payment was given"),
	FIELD_NUMBER(struct tco_option, tps, false, 1e-6, 1e12, "transactions/s",
		"sustained rate; absent: no unit cost"),
	FIELD_TEXT(struct tco_option, currency, false, "must equal the document's; absent: it does"),
	FIELD_TEXT(struct tco_option, tps_source, false, "who measured the rate, and how"),
	FIELD_WORD(struct tco_option, tps_trust, &trust_names, false,
		"how sure the rate is; absent: as `trust`"),
	FIELD_WORD(struct tco_option, trust, &trust_names, true, "how sure the price is"),
	FIELD_TEXT(struct tco_option, source, true, "who says the price"),
	FIELD_TEXT(struct tco_option, as_of, false, "date of the price: YYYY, YYYY-MM or YYYY-MM-DD"),
	FIELD_TEXT(struct tco_option, note, false, "anything a reader must know"),
};
static const struct schema option_schema =
	SCHEMA_PART("one way to do it", struct tco_option, option_fields);

static const struct schema_field factor_fields[] = {
	FIELD_TEXT(struct tco_factor, name, true, "what is multiplied"),
	FIELD_NUMBER(struct tco_factor, value, false, 0, MONEY_MAX, "",
		"the number; absent or null: unknown"),
	FIELD_NUMBER(struct tco_factor, low, false, 0, MONEY_MAX, "", "lowest value to try"),
	FIELD_NUMBER(struct tco_factor, high, false, 0, MONEY_MAX, "", "highest value to try"),
	FIELD_TEXT(struct tco_factor, unit, true, "its unit, e.g. orders/day"),
};
static const struct schema factor_schema =
	SCHEMA_PART("one number of a product", struct tco_factor, factor_fields);

static const struct schema_field item_fields[] = {
	FIELD_TEXT(struct tco_item, name, true, "what the item is called"),
	FIELD_WORD(struct tco_item, kind, &tco_kind_names, true, "what sort of money it is"),
	FIELD_WORD(struct tco_item, effect, &tco_effect_names, false,
		"good or bad for `option`; absent: benefit, and cost for migration"),
	FIELD_WORD(struct tco_item, per, &tco_per_names, false,
		"period of the amount or product; absent: month, and once for migration"),
	FIELD_TEXT(struct tco_item, option, true, "the option it belongs to, against the baseline"),
	FIELD_NUMBER(struct tco_item, amount, false, 0, MONEY_MAX, "per `per`",
		"the money; absent with `factors`; absent or null without: unknown"),
	FIELD_NUMBER(struct tco_item, low, false, 0, MONEY_MAX, "per `per`",
		"lowest amount to try; absent: 20 % under"),
	FIELD_NUMBER(struct tco_item, high, false, 0, MONEY_MAX, "per `per`",
		"highest amount to try; absent: 20 % over"),
	FIELD_LIST(struct tco_item, factors, n_factors, &factor_schema, false,
		"numbers whose product is the amount, shown with the result"),
	FIELD_NUMBER(struct tco_item, share, false, 0, 1, "0..1", "part that is counted; absent: 1"),
	FIELD_NUMBER(struct tco_item, share_low, false, 0, 1, "0..1",
		"lowest part to try; absent: 0 for revenue"),
	FIELD_NUMBER(struct tco_item, share_high, false, 0, 1, "0..1",
		"highest part to try; absent: 1 for revenue"),
	FIELD_TEXT(struct tco_item, currency, false, "must equal the document's; absent: it does"),
	FIELD_WORD(struct tco_item, trust, &trust_names, true, "how sure the item is"),
	FIELD_TEXT(struct tco_item, source, true, "who says it"),
	FIELD_TEXT(struct tco_item, as_of, false, "date: YYYY, YYYY-MM or YYYY-MM-DD"),
	FIELD_TEXT(struct tco_item, note, false, "anything a reader must know"),
};
static const struct schema item_schema =
	SCHEMA_PART("a dynamic item, apart from the prices", struct tco_item, item_fields);

static const struct schema_field claim_fields[] = {
	FIELD_WORD(struct tco_claim, what, &tco_claim_kind_names, true, "the figure claimed"),
	FIELD_TEXT(struct tco_claim, option, false,
		"the option it is about; required except for item claims"),
	FIELD_TEXT(struct tco_claim, item, false, "the item it is about; item claims only"),
	FIELD_NUMBER(struct tco_claim, value, true, -MONEY_MAX, MONEY_MAX, "", "the value claimed"),
	FIELD_NUMBER(struct tco_claim, tolerance, false, 0, 1, "relative",
		"how near counts as equal; absent: 0.005"),
	FIELD_TEXT(struct tco_claim, text, true, "the claim in words"),
	FIELD_TEXT(struct tco_claim, source, false, "who says it"),
};
static const struct schema claim_schema =
	SCHEMA_PART("a figure of a source, to be tested", struct tco_claim, claim_fields);

static const struct schema_field case_fields[] = {
	FIELD_TEXT(struct tco_case, name, true, "title of the comparison"),
	FIELD_TEXT(struct tco_case, currency, true, "ISO 4217 code of every amount, e.g. USD"),
	FIELD_TEXT(struct tco_case, baseline, true, "name of the option the others are held against"),
	FIELD_NUMBER(struct tco_case, hours_per_month, false, 1, 744, "h",
		"hours in a month for the price of work; absent: 730"),
	FIELD_NUMBER(struct tco_case, utilisation, false, 1e-6, 1, "0..1",
		"share of the month's full rate that is executed; absent: only the full rate is priced"),
	FIELD_WORD(struct tco_case, utilisation_trust, &trust_names, false,
		"how sure the utilisation is; absent: assumed"),
	FIELD_TEXT(struct tco_case, utilisation_source, false, "who says the utilisation"),
	FIELD_PART(struct tco_case, finance, &finance_schema, true, "horizon and discount rate"),
	FIELD_LIST(struct tco_case, options, n_options, &option_schema, true, "two or more"),
	FIELD_LIST(struct tco_case, items, n_items, &item_schema, false,
		"incidents, revenue, migration and further infrastructure; absent: none"),
	FIELD_LIST(struct tco_case, claims, n_claims, &claim_schema, false,
		"figures of a source to recompute; absent: none"),
	FIELD_TEXT(struct tco_case, note, false, "anything a reader must know"),
};
const struct schema tco_schema = SCHEMA_DOCUMENT(
	"tierwise/tco/1", "a comparison of options in money", struct tco_case, case_fields);
/* clang-format on */

int
tco_option_find(const struct tco_case *c, const char *name)
{
	for (size_t i = 0; i < c->n_options; i++) {
		if (strcmp(c->options[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* The i-th element of an array member. */
static struct jval
element(struct jval root, const char *list, size_t i)
{
	struct jval v = json_first(json_get(root, list));
	while (i-- > 0)
		v = json_next(v);
	return v;
}

/* `v` is the object that has the member `key`, for the place. */
static int
check_option_name(
	const struct tco_case *c, struct jval v, const char *key, const char *name, struct err *err)
{
	if (tco_option_find(c, name) >= 0)
		return 0;
	const char *near = names_nearest(
		name, &c->options[0].name, c->n_options, sizeof(c->options[0]));
	return json_fail(json_get(v, key), err, ERR_RANGE,
		"%s: no option is called \"%.60s\"%s%s%s", key, name,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int
check_currency(const struct tco_case *c, struct jval v, const char *currency, struct err *err)
{
	if (!currency || strcmp(currency, c->currency) == 0)
		return 0;
	return json_fail(json_get(v, "currency"), err, ERR_RANGE,
		"currency: \"%.20s\" in a document in %s; nothing is converted, give one currency",
		currency, c->currency);
}

/* YYYY, YYYY-MM or YYYY-MM-DD. */
static int
check_date(struct jval v, const char *date, struct err *err)
{
	static const char shape[] = "dddd-dd-dd";
	if (!date)
		return 0;
	size_t n = strlen(date);
	int good = n == 4 || n == 7 || n == 10;
	for (size_t i = 0; good && i < n; i++)
		good = shape[i] == 'd' ? isdigit((unsigned char)date[i]) : date[i] == shape[i];
	return good ? 0
		    : json_fail(json_get(v, "as_of"), err, ERR_RANGE,
			      "as_of: \"%.20s\", accepted: YYYY, YYYY-MM or YYYY-MM-DD", date);
}

/* low <= base <= high, those that are known. */
static int
check_order(struct jval v, const char *what, const double range[3], struct err *err)
{
	if (range[0] > range[1] || range[1] > range[2] || range[0] > range[2])
		return json_fail(v, err, ERR_RANGE,
			"%s: low %.12g, value %.12g, high %.12g must not fall", what, range[0],
			range[1], range[2]);
	return 0;
}

static int
check_options(const struct tco_case *c, struct jval root, struct err *err)
{
	if (c->n_options < 2)
		return json_fail(json_get(root, "options"), err, ERR_RANGE,
			"options: %zu given, 2 or more make a comparison", c->n_options);
	int rc = check_option_name(c, root, "baseline", c->baseline, err);
	for (size_t i = 0; i < c->n_options && rc == 0; i++) {
		const struct tco_option *o = &c->options[i];
		struct jval v = element(root, "options", i);
		if (tco_option_find(c, o->name) != (int)i)
			return json_fail(json_get(v, "name"), err, ERR_RANGE,
				"name: two options are called \"%.60s\"", o->name);
		rc = check_currency(c, v, o->currency, err);
		if (rc == 0)
			rc = check_date(v, o->as_of, err);
		if (rc == 0)
			rc = check_order(v, "monthly",
				(double[3]){o->monthly_low, o->monthly, o->monthly_high}, err);
	}
	return rc;
}

static int
check_factors(const struct tco_item *item, struct jval v, struct err *err)
{
	double product = 1;
	for (size_t i = 0; i < item->n_factors; i++) {
		const struct tco_factor *f = &item->factors[i];
		int rc = check_order(element(v, "factors", i), f->name,
			(double[3]){f->low, f->value, f->high}, err);
		if (rc)
			return rc;
		product *= isnan(f->high) ? f->value : f->high;
		if (product > PRODUCT_MAX)
			return json_fail(json_get(v, "factors"), err, ERR_RANGE,
				"factors: the product exceeds %g", PRODUCT_MAX);
	}
	return 0;
}

static int
check_item(const struct tco_case *c, const struct tco_item *item, struct jval v, struct err *err)
{
	if (item->n_factors && !isnan(item->amount))
		return json_fail(json_get(v, "amount"), err, ERR_RANGE,
			"amount: give it or factors, not both");
	int rc = check_option_name(c, v, "option", item->option, err);
	if (rc == 0 && strcmp(item->option, c->baseline) == 0)
		rc = json_fail(json_get(v, "option"), err, ERR_RANGE,
			"option: items are told against the baseline \"%.60s\", so they belong to "
			"another option",
			c->baseline);
	if (rc == 0)
		rc = check_currency(c, v, item->currency, err);
	if (rc == 0)
		rc = check_date(v, item->as_of, err);
	if (rc == 0)
		rc = check_order(
			v, "amount", (double[3]){item->low, item->amount, item->high}, err);
	if (rc == 0)
		rc = check_order(
			v, "share", (double[3]){item->share_low, NAN, item->share_high}, err);
	return rc ? rc : check_factors(item, v, err);
}

static int
check_items(const struct tco_case *c, struct jval root, struct err *err)
{
	if (c->n_items > TCO_ITEMS_MAX)
		return json_fail(json_get(root, "items"), err, ERR_RANGE,
			"items: %zu given, at most %d", c->n_items, TCO_ITEMS_MAX);
	for (size_t i = 0; i < c->n_items; i++) {
		struct jval v = element(root, "items", i);
		for (size_t j = 0; j < i; j++) {
			if (strcmp(c->items[i].name, c->items[j].name) == 0)
				return json_fail(json_get(v, "name"), err, ERR_RANGE,
					"name: two items are called \"%.60s\"", c->items[i].name);
		}
		int rc = check_item(c, &c->items[i], v, err);
		if (rc)
			return rc;
	}
	return 0;
}

static bool
has_item(const struct tco_case *c, const char *name)
{
	for (size_t i = 0; i < c->n_items; i++) {
		if (strcmp(c->items[i].name, name) == 0)
			return true;
	}
	return false;
}

static int
check_claim(const struct tco_case *c, const struct tco_claim *claim, struct jval v, struct err *err)
{
	bool of_item = claim->what == TCO_CLAIM_ITEM_MONTHLY ||
		       claim->what == TCO_CLAIM_ITEM_YEARLY;
	const char *word = names_text(&tco_claim_kind_names, claim->what);
	if (of_item && !claim->item)
		return json_fail(
			v, err, ERR_PARSE, "\"item\" is missing: a %s claim needs one", word);
	if (of_item)
		return has_item(c, claim->item)
			       ? 0
			       : json_fail(json_get(v, "item"), err, ERR_RANGE,
					 "item: no item is called \"%.60s\"", claim->item);
	if (!claim->option)
		return json_fail(
			v, err, ERR_PARSE, "\"option\" is missing: a %s claim needs one", word);
	int rc = check_option_name(c, v, "option", claim->option, err);
	bool against = claim->what == TCO_CLAIM_NPV || claim->what == TCO_CLAIM_PAYBACK_MONTHS;
	if (rc == 0 && against && strcmp(claim->option, c->baseline) == 0)
		rc = json_fail(json_get(v, "option"), err, ERR_RANGE,
			"option: a %s claim is about another option than the baseline", word);
	return rc;
}

static int
check_currency_code(const struct tco_case *c, struct jval root, struct err *err)
{
	size_t upper = 0;
	while (isupper((unsigned char)c->currency[upper]))
		upper++;
	if (upper == 3 && c->currency[3] == '\0')
		return 0;
	return json_fail(json_get(root, "currency"), err, ERR_RANGE,
		"currency: \"%.20s\", accepted: three capital letters, e.g. USD", c->currency);
}

static void
fill_defaults(struct tco_case *c)
{
	if (isnan(c->hours_per_month))
		c->hours_per_month = 730;
	assert(c->finance); /* required by the schema */
	if (c->finance->timing < 0)
		c->finance->timing = CASH_END;
	for (size_t i = 0; i < c->n_items; i++) {
		struct tco_item *item = &c->items[i];
		bool migration = item->kind == TCO_MIGRATION;
		if (item->effect < 0)
			item->effect = migration ? TCO_COST : TCO_BENEFIT;
		if (item->per < 0)
			item->per = migration ? TCO_PER_ONCE : TCO_PER_MONTH;
		if (isnan(item->share))
			item->share = 1;
	}
}

static int
check_finance(const struct tco_case *c, struct jval root, struct err *err)
{
	const struct tco_finance *f = c->finance;
	assert(f); /* required by the schema */
	return check_order(json_get(root, "finance"), "discount rate",
		(double[3]){f->rate_low, f->discount_rate_year, f->rate_high}, err);
}

int
tco_read(struct jval root, struct arena *a, struct tco_case *c, struct err *err)
{
	int rc = schema_read(&tco_schema, root, a, c, err);
	if (rc == 0)
		rc = check_currency_code(c, root, err);
	if (rc == 0)
		rc = check_options(c, root, err);
	if (rc == 0)
		rc = check_items(c, root, err);
	for (size_t i = 0; rc == 0 && i < c->n_claims; i++)
		rc = check_claim(c, &c->claims[i], element(root, "claims", i), err);
	if (rc == 0)
		rc = check_finance(c, root, err);
	if (rc == 0)
		fill_defaults(c);
	return rc;
}

int
tco_load(const char *path, struct arena *a, struct tco_case *c, char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	rc = tco_read(json_root(doc), a, c, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}
