/* The case document: what is refused and where; and a case small enough to work by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tco/tco.h"

static void
near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.15g, want %.15g within %g", got, want, tolerance);
}

#define HEAD "{\"schema\": \"tierwise/tco/1\", \"name\": \"t\", \"baseline\": \"A\", "
#define MONEY "\"currency\": \"USD\", "
#define YEAR "\"finance\": {\"horizon_months\": 12, \"discount_rate_year\": 0}, "
#define SAID "\"trust\": \"published\", \"source\": \"s\""
#define A "{\"name\": \"A\", \"monthly\": 100, \"tps\": 100, " SAID "}"
#define B "{\"name\": \"B\", \"monthly\": 150, \"tps\": 200, " SAID "}"
#define OPTIONS "\"options\": [" A ", " B "]"
#define ITEM(rest) "\"items\": [{\"name\": \"i\", " SAID ", " rest "}], "

struct row {
	const char *text;
	int code;
	const char *says;
};

static const struct row rows[] = {
	{HEAD MONEY YEAR OPTIONS "}", 0, NULL},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"B\", \"amount\": 60") OPTIONS
		"}",
		0, NULL},
	{HEAD YEAR OPTIONS "}", ERR_PARSE, "\"currency\" is missing"},
	{HEAD MONEY OPTIONS "}", ERR_PARSE, "\"finance\" is missing"},
	{HEAD MONEY YEAR "\"optons\": []}", ERR_PARSE, "did you mean \"options\""},
	{HEAD "\"currency\": \"usd\", " YEAR OPTIONS "}", ERR_RANGE, "three capital letters"},
	{HEAD "\"currency\": \"US\", " YEAR OPTIONS "}", ERR_RANGE, "three capital letters"},
	{HEAD MONEY "\"finance\": {\"horizon_months\": 0}, " OPTIONS "}", ERR_RANGE,
		"horizon_months: 0, accepted: 1 to 600 months"},
	{HEAD MONEY "\"finance\": {\"horizon_months\": 1.5}, " OPTIONS "}", ERR_RANGE,
		"not a whole number"},
	{HEAD MONEY "\"finance\": {\"horizon_months\": 12, \"discount_rate_year\": -0.1}, " OPTIONS
		    "}",
		ERR_RANGE, "discount_rate_year: -0.1"},
	{HEAD MONEY "\"utilisation\": 1.2, " YEAR OPTIONS "}", ERR_RANGE, "utilisation: 1.2"},
	{HEAD MONEY YEAR "\"options\": [" A "]}", ERR_RANGE, "1 given, 2 or more"},
	{HEAD MONEY YEAR "\"options\": [" A ", " A "]}", ERR_RANGE, "two options are called \"A\""},
	{HEAD MONEY YEAR "\"options\": [" A ", {\"name\": \"B\", \"tps\": -5, " SAID "}]}",
		ERR_RANGE, "tps: -5"},
	{HEAD MONEY YEAR "\"options\": [" A ", {\"name\": \"B\", \"monthly\": -5, " SAID "}]}",
		ERR_RANGE, "monthly: -5, accepted: 0 to"},
	{HEAD MONEY YEAR "\"options\": [" A ", {\"name\": \"B\", \"currency\": \"EUR\", " SAID
			 "}]}",
		ERR_RANGE, "\"EUR\" in a document in USD; nothing is converted"},
	{HEAD MONEY YEAR "\"options\": [" A ", {\"name\": \"B\", \"as_of\": \"last May\", " SAID
			 "}]}",
		ERR_RANGE, "as_of: \"last May\""},
	{HEAD MONEY YEAR "\"options\": [" A
			 ", {\"name\": \"B\", \"monthly\": 5, \"monthly_low\": 6, " SAID "}]}",
		ERR_RANGE, "low 6, value 5"},
	{HEAD MONEY YEAR "\"options\": [" A ", {\"name\": \"B\", \"monthly\": 5}]}", ERR_PARSE,
		"\"trust\" is missing"},
	{"{\"schema\": \"tierwise/tco/1\", \"name\": \"t\", \"baseline\": \"C\", " MONEY YEAR
			OPTIONS "}",
		ERR_RANGE, "baseline: no option is called \"C\", did you mean \"A\""},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"A\", \"amount\": 1") OPTIONS
		"}",
		ERR_RANGE, "against the baseline \"A\""},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"X\", \"amount\": 1") OPTIONS
		"}",
		ERR_RANGE, "no option is called \"X\""},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incidnt\", \"option\": \"B\"") OPTIONS "}", ERR_RANGE,
		"did you mean \"incident\""},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"B\", \"amount\": 1, "
			      "\"factors\": [{\"name\": \"f\", \"value\": 2, \"unit\": \"h\"}]")
			OPTIONS "}",
		ERR_RANGE, "not both"},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"B\", \"factors\": "
			      "[{\"name\": \"f\", \"value\": 1e9, \"unit\": \"h\"}, "
			      "{\"name\": \"g\", \"value\": 1e9, \"unit\": \"h\"}]") OPTIONS "}",
		ERR_RANGE, "the product exceeds"},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"B\", \"amount\": 1, "
			      "\"currency\": \"CNY\"") OPTIONS "}",
		ERR_RANGE, "\"CNY\" in a document in USD"},
	{HEAD MONEY YEAR ITEM("\"kind\": \"incident\", \"option\": \"B\", \"share\": 2") OPTIONS
		"}",
		ERR_RANGE, "share: 2, accepted: 0 to 1"},
	{HEAD MONEY YEAR
		"\"claims\": [{\"what\": \"npv\", \"value\": 1, \"text\": \"c\"}], " OPTIONS "}",
		ERR_PARSE, "\"option\" is missing: a npv claim"},
	{HEAD MONEY YEAR "\"claims\": [{\"what\": \"npv\", \"option\": \"A\", \"value\": 1, "
			 "\"text\": \"c\"}], " OPTIONS "}",
		ERR_RANGE, "another option than the baseline"},
	{HEAD MONEY YEAR "\"claims\": [{\"what\": \"item_yearly\", \"item\": \"z\", \"value\": 1, "
			 "\"text\": \"c\"}], " OPTIONS "}",
		ERR_RANGE, "no item is called \"z\""},
};

static int
read(struct arena *a, const char *text, struct tco_case *c, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse("t", text, strlen(text), &doc, err);
	if (rc == 0)
		rc = tco_read(json_root(doc), a, c, err);
	json_free(doc);
	return rc;
}

static void
test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct tco_case c;
		struct err err = {0};
		arena_init(&a, 0);
		int rc = read(&a, rows[i].text, &c, &err);
		if (rc != rows[i].code || (rows[i].says && !strstr(err.text, rows[i].says)))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		if (rc)
			assert_non_null(strstr(err.text, "t:1:")); /* the place */
		arena_fini(&a);
	}
}

/* Reads and evaluates; the arena is the caller's. */
static void
evaluate(struct arena *a, const char *text, struct tco_result *r)
{
	struct tco_case c;
	struct err err = {0};
	if (read(a, text, &c, &err) || tco_evaluate(&c, a, r, &err)) {
		fail_msg("%s", err.text);
		abort(); /* fail_msg() does not return, which the analyzer cannot see */
	}
}

static const struct finding *
find(const struct tco_result *r, const char *code)
{
	struct findings f = {.items = r->findings, .n = r->n_findings};
	return findings_find(&f, code);
}

/*
 * B costs 50 a month more, 240 to move to, saves 30 h x 3 = 90 a month of machine, 60 of incidents,
 * and 1,200 a year of revenue, half of it counted: +50 a month.  Per month: price -50,
 * infrastructure +40, operation +100, all +150.
 */
static const char worked[] = HEAD MONEY YEAR
	"\"items\": ["
	"{\"name\": \"m\", \"kind\": \"infrastructure\", \"option\": \"B\", \"factors\": ["
	"{\"name\": \"hours\", \"value\": 30, \"unit\": \"h/month\", \"low\": 10, \"high\": 40}, "
	"{\"name\": \"price\", \"value\": 3, \"unit\": \"USD/h\"}], " SAID "}, "
	"{\"name\": \"go\", \"kind\": \"migration\", \"option\": \"B\", \"amount\": 240, " SAID
	"}, "
	"{\"name\": \"in\", \"kind\": \"incident\", \"option\": \"B\", \"amount\": 60, " SAID "}, "
	"{\"name\": \"re\", \"kind\": \"revenue\", \"option\": \"B\", \"amount\": 1200, "
	"\"per\": \"year\", \"share\": 0.5, " SAID "}], "
	"\"claims\": ["
	"{\"what\": \"npv\", \"option\": \"B\", \"value\": 960, \"text\": \"without revenue\"}, "
	"{\"what\": \"npv\", \"option\": \"B\", \"value\": 1560, \"text\": \"everything\"}, "
	"{\"what\": \"npv\", \"option\": \"B\", \"value\": 1320, \"text\": \"between\"}, "
	"{\"what\": \"payback_months\", \"option\": \"B\", \"value\": 3, \"text\": \"quick\"}, "
	"{\"what\": \"payback_months\", \"option\": \"B\", \"value\": 2, \"text\": \"quicker\"}, "
	"{\"what\": \"per_ktpm_month\", \"option\": \"B\", \"value\": 12.5, \"text\": \"rate\"}, "
	"{\"what\": \"per_ktpm_month\", \"option\": \"B\", \"value\": 12, \"text\": \"wrong\"}, "
	"{\"what\": \"item_yearly\", \"item\": \"in\", \"value\": 720, \"text\": "
	"\"year\"}], " OPTIONS "}";

static void
test_worked(void **state)
{
	(void)state;
	static const struct {
		double once, monthly, npv;
		enum cash_payback payback;
		double months, zero_price;
	} want[TCO_SCOPE_COUNT] = {
		[TCO_SCOPE_PRICE] = {0, -50, -600, CASH_PAYBACK_NEVER, NAN, 100},
		/* 240 / 40 = 6 months; over 12 months 240 is 20 a month, so up to 150 + 20 */
		[TCO_SCOPE_INFRASTRUCTURE] = {-240, 40, 240, CASH_PAYBACK_AT, 6, 170},
		[TCO_SCOPE_OPERATION] = {-240, 100, 960, CASH_PAYBACK_AT, 2.4, 230},
		[TCO_SCOPE_ALL] = {-240, 150, 1560, CASH_PAYBACK_AT, 1.6, 280},
	};
	struct arena a;
	struct tco_result r;
	arena_init(&a, 0);
	evaluate(&a, worked, &r);
	assert_int_equal(r.n_scopes, TCO_SCOPE_COUNT);
	for (size_t s = 0; s < TCO_SCOPE_COUNT; s++) {
		const struct tco_scope_result *got = &r.scopes[s];
		assert_int_equal(got->scope, s);
		near(got->once, want[s].once, 1e-9);
		near(got->monthly, want[s].monthly, 1e-9);
		near(got->npv, want[s].npv, 1e-9);
		near(got->npv_undiscounted, want[s].npv, 1e-9);
		near(got->zero_price, want[s].zero_price, 1e-6);
		assert_int_equal(got->payback, want[s].payback);
		if (want[s].payback == CASH_PAYBACK_AT)
			near(got->payback_months, want[s].months, 1e-9);
	}
	/* prices alone lose, with the machine they win: said */
	assert_non_null(find(&r, "sign-depends-on"));
	assert_null(find(&r, "discount-rate-assumed"));
	assert_non_null(find(&r, "utilisation-unknown"));
	/* B: 150 for 12 kTPM = 12.5, A: 100 for 6 = 16.6667, ratio 0.75; to equal A: 9 kTPM = 150 TPS */
	near(r.units[1].ratio, 0.75, 1e-12);
	near(r.units[1].equal_tps, 150, 1e-9);
	near(r.units[1].equal_monthly, 200, 1e-9);
	assert_string_equal(r.items[0].arithmetic, "30 h/month x 3 USD/h = 90.00 USD a month");
	arena_fini(&a);
}

static void
test_claims(void **state)
{
	(void)state;
	static const enum tco_verdict verdicts[] = {
		TCO_RECOMPUTES,
		TCO_RECOMPUTES,
		TCO_NOT_DERIVABLE,
		TCO_RECOMPUTES,
		TCO_CONTRADICTED,
		TCO_RECOMPUTES,
		TCO_CONTRADICTED,
		TCO_RECOMPUTES,
	};
	struct arena a;
	struct tco_result r;
	arena_init(&a, 0);
	evaluate(&a, worked, &r);
	assert_int_equal(r.n_claims, sizeof(verdicts) / sizeof(verdicts[0]));
	for (size_t i = 0; i < r.n_claims; i++) {
		if (r.claims[i].verdict != (int)verdicts[i])
			fail_msg("claim %zu \"%s\": %s", i, r.claims[i].claim, r.claims[i].text);
	}
	/* 960 + 1200 s = 1320: s = 0.30.  Subsets of the items reach 1,320 nowhere: flows over the
	 * year are -600 +1080 -240 +720 +600, and no sum of the last four is 1,920. */
	near(r.claims[2].share, 0.30, 1e-9);
	near(r.claims[2].share_undiscounted, 0.30, 1e-9);
	assert_non_null(strstr(r.claims[2].text, "not derivable from the published inputs"));
	assert_non_null(find(&r, "claim-not-derivable"));
	assert_non_null(find(&r, "claim-contradicted"));
	arena_fini(&a);
}

static const struct tco_tornado_row *
tornado_row(const struct tco_result *r, const char *input)
{
	for (size_t i = 0; i < r->n_tornado; i++) {
		if (strcmp(r->tornado[i].input, input) == 0)
			return &r->tornado[i];
	}
	fail_msg("no tornado row \"%s\"", input);
	abort();
}

/* Base 960.  Revenue 0..1 of 1,200.  Hours 10..40 at 3 USD: 960 - 720 and 960 + 360.  Price of B
 * 120..180: 960 +- 360.  Migration 192..288: 960 +- 48. */
static void
test_tornado(void **state)
{
	(void)state;
	struct arena a;
	struct tco_result r;
	arena_init(&a, 0);
	evaluate(&a, worked, &r);
	assert_string_equal(r.tornado[0].input, "re: share counted");
	assert_true(r.tornado[0].base == 0 && r.tornado[0].high == 1);
	near(r.tornado[0].npv_low, 960, 1e-9);
	near(r.tornado[0].npv_high, 2160, 1e-9);
	const struct tco_tornado_row *hours = tornado_row(&r, "m: hours");
	near(hours->npv_low, 240, 1e-9);
	near(hours->npv_high, 1320, 1e-9);
	assert_int_equal(hours->range_trust, TRUST_PUBLISHED);
	const struct tco_tornado_row *price = tornado_row(&r, "B: price");
	near(price->npv_low, 1320, 1e-9);
	near(price->npv_high, 600, 1e-9);
	assert_int_equal(price->range_trust, TRUST_ASSUMED);
	near(tornado_row(&r, "go")->swing, 96, 1e-9);
	for (size_t i = 1; i < r.n_tornado; i++)
		assert_true(r.tornado[i - 1].swing >= r.tornado[i].swing);
	/* 1,200 is not twice the next, 1,080: no dominance to report */
	assert_null(find(&r, "revenue-dominates"));
	arena_fini(&a);
}

#define MONTH "\"finance\": {\"horizon_months\": 1, \"discount_rate_year\": 0}, "
#define AT8 "\"finance\": {\"horizon_months\": 12, \"discount_rate_year\": 0.08}, "
#define NPV(value)                                                                                 \
	"\"claims\": [{\"what\": \"npv\", \"option\": \"B\", \"value\": " value                    \
	", \"tolerance\": 0.00001, \"text\": \"c\"}], "
#define TWO(a, b)                                                                                  \
	"\"options\": [{\"name\": \"A\", " a ", " SAID "}, {\"name\": \"B\", " b ", " SAID "}]}"

/* A's upfront is saved and B's is paid; over one month 1,000 - 300 - 50 = 650, so B may cost 800. */
static void
test_upfront(void **state)
{
	(void)state;
	struct arena a;
	struct tco_result r;
	arena_init(&a, 0);
	evaluate(&a,
		HEAD MONEY MONTH TWO("\"monthly\": 100, \"upfront\": 1000",
			"\"monthly\": 150, \"upfront\": 300"),
		&r);
	near(r.scopes[0].once, 700, 1e-12);
	near(r.scopes[0].npv, 650, 1e-12);
	near(r.scopes[0].zero_price, 800, 1e-6);
	/* 700 cheaper now, 50 dearer a month */
	near(r.scopes[0].break_even_months, 14, 1e-12);
	near(tornado_row(&r, "A: upfront")->swing, 400, 1e-9);
	near(tornado_row(&r, "B: upfront")->swing, 120, 1e-9);
	arena_fini(&a);
}

/* 100 a month for a year at 8 %: 1,151.286 (annuity 11.51286), undiscounted 1,200: both readings of
 * the same inputs are recognised, and nothing between them. */
static void
test_readings(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum tco_verdict verdict;
		const char *says;
	} cases[] = {
		{HEAD MONEY AT8 NPV("1151.286") TWO("\"monthly\": 200", "\"monthly\": 100"),
			TCO_RECOMPUTES, "; discounted"},
		{HEAD MONEY AT8 NPV("1200") TWO("\"monthly\": 200", "\"monthly\": 100"),
			TCO_RECOMPUTES, "; undiscounted"},
		{HEAD MONEY AT8 NPV("1170") TWO("\"monthly\": 200", "\"monthly\": 100"),
			TCO_NOT_DERIVABLE, "no revenue item"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena a;
		struct tco_result r;
		arena_init(&a, 0);
		evaluate(&a, cases[i].text, &r);
		if (r.claims[0].verdict != (int)cases[i].verdict ||
			!strstr(r.claims[0].text, cases[i].says))
			fail_msg("case %zu: %s", i, r.claims[0].text);
		assert_true(isnan(r.claims[0].share));
		arena_fini(&a);
	}
}

/* An unknown price makes everything that rests on it unknown, and is said; nothing becomes zero. */
static void
test_unknown(void **state)
{
	(void)state;
	static const char text[] = HEAD MONEY YEAR ITEM(
		"\"kind\": \"incident\", \"option\": \"B\", \"factors\": "
		"[{\"name\": \"f\", \"value\": null, \"unit\": \"h\"}]") "\"claims\": [{\"what\": "
									 "\"npv\", \"option\": "
									 "\"B\", \"value\": 5, "
									 "\"text\": \"c\"}], "
									 "\"options\": [" A
									 ", {\"name\": \"B\", "
									 "\"monthly\": null, "
									 "\"tps\": 200, " SAID
									 "}]}";
	struct arena a;
	struct tco_result r;
	arena_init(&a, 0);
	evaluate(&a, text, &r);
	assert_int_equal(r.complete, 0);
	assert_true(isnan(r.units[1].per_ktpm_month) && isnan(r.units[1].ratio));
	assert_true(isfinite(r.units[0].per_ktpm_month));
	for (size_t s = 0; s < r.n_scopes; s++) {
		assert_true(isnan(r.scopes[s].npv) && isnan(r.scopes[s].zero_price));
		assert_int_equal(r.scopes[s].payback, CASH_PAYBACK_UNKNOWN);
	}
	assert_int_equal(r.claims[0].verdict, TCO_NOT_TESTABLE);
	assert_non_null(find(&r, "price-unknown"));
	assert_non_null(find(&r, "amount-unknown"));
	arena_fini(&a);
}

/* Reference case A2, from the shipped example. */
static void
test_article(void **state)
{
	(void)state;
	const char *source = getenv("TIERWISE_SOURCE");
	char path[4096];
	if (!source)
		skip();
	snprintf(path, sizeof(path), "%s/rules/examples/article-2024.tco.json", source);
	struct arena a;
	struct tco_case c;
	struct tco_result r;
	struct err err = {0};
	arena_init(&a, 0);
	if (tco_load(path, &a, &c, NULL, &err) || tco_evaluate(&c, &a, &r, &err)) {
		fail_msg("%s", err.text);
		abort();
	}
	/* 320 + 600 - 336 = 584 a month; x 12 = 7,008; x 11.51286 (annuity at 8 % a year) = 6,723.5 */
	const struct tco_scope_result *s = &r.scopes[TCO_SCOPE_OPERATION];
	near(s->monthly, 584, 1e-9);
	near(s->npv_undiscounted, 7008, 1e-6);
	near(s->npv, 6723.5, 0.05);
	near(r.scopes[TCO_SCOPE_INFRASTRUCTURE].monthly, -16, 1e-9);
	assert_int_equal(s->payback, CASH_PAYBACK_NOTHING);
	near(r.items[2].yearly, 116800000, 1e-3);
	/* (217,000 - 7,008) / 116,800,000 and (217,000 - 6,723.5) / (116,800,000 x 11.51286 / 12) */
	const struct tco_claim_result *npv = &r.claims[r.n_claims - 1];
	assert_int_equal(npv->verdict, TCO_NOT_DERIVABLE);
	near(npv->share_undiscounted, 0.00179788, 5e-9);
	near(npv->share, 0.0018765, 5e-8);
	assert_non_null(find(&r, "discount-rate-assumed"));
	assert_non_null(find(&r, "revenue-dominates"));
	arena_fini(&a);
}

/* What is written is what is read back: the result document is a document. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct arena a;
	struct tco_result r, again;
	struct json_doc *doc = NULL;
	struct buf first, second;
	struct err err = {0};
	arena_init(&a, 0);
	buf_init(&first, 0);
	buf_init(&second, 0);
	evaluate(&a, worked, &r);
	schema_write(&tco_result_schema, &r, &first);
	assert_int_equal(json_parse("r", first.text, first.len, &doc, &err), 0);
	if (schema_read(&tco_result_schema, json_root(doc), &a, &again, &err))
		fail_msg("%s", err.text);
	schema_write(&tco_result_schema, &again, &second);
	assert_string_equal(buf_text(&first), buf_text(&second));
	json_free(doc);
	buf_fini(&first);
	buf_fini(&second);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_worked),
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_tornado),
		cmocka_unit_test(test_upfront),
		cmocka_unit_test(test_readings),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_article),
		cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
