/*
 * tco.h - a comparison of options in money: the hand-written document "tierwise/tco/1", and what
 * it comes to, "tierwise/tco-result/1".
 *
 * Infrastructure prices are kept apart from the dynamic items (incidents, revenue, migration): every
 * figure is given by scope, so a reader sees which item carries the decision.  Claims of a source
 * are recomputed and judged, never copied.
 *
 * Money in `currency`, never converted; a month is hours_per_month; rates of interest are effective
 * per year.  NaN, NULL and -1 mean unknown, and what rests on an unknown is unknown.  Text and
 * arrays live in the arena.
 *
 * Thin here: prices and items are level over the horizon (no growth, price decline, commitment or
 * residual value) and there is no Monte Carlo; a running total therefore crosses zero at most once.
 */
#ifndef TCO_TCO_H
#define TCO_TCO_H

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/schema.h"
#include "base/trust.h"
#include "tco/cash.h"

enum {
	TCO_MONTHS_MAX = 600,
	TCO_ITEMS_MAX = 64,
};

#define TCO_DEFAULT_DISCOUNT_RATE_YEAR 0.08 /* assumed when the document gives none */
#define TCO_DEFAULT_RANGE_FRAC 0.20 /* assumed -+ when the document gives no low and high */
#define TCO_DEFAULT_TOLERANCE_FRAC 0.005 /* a claim recomputes when within this of the result */

/* ---- the case: tierwise/tco/1 ---- */

enum tco_kind {
	TCO_INFRASTRUCTURE, /* machines, licences: billed */
	TCO_INCIDENT, /* people's time on outages */
	TCO_REVENUE, /* sales said to be at risk */
	TCO_MIGRATION, /* moving over */
	TCO_KIND_COUNT
};
extern const struct names tco_kind_names; /* infrastructure incident revenue migration */

enum tco_effect { TCO_BENEFIT, TCO_COST, TCO_EFFECT_COUNT };
extern const struct names tco_effect_names; /* benefit cost */

enum tco_per { TCO_PER_MONTH, TCO_PER_YEAR, TCO_PER_ONCE, TCO_PER_COUNT };
extern const struct names tco_per_names; /* month year once */

struct tco_finance {
	int64_t horizon_months;
	double discount_rate_year, rate_low, rate_high;
	int discount_rate_trust; /* enum trust */
	const char *discount_rate_source;
	int timing; /* enum cash_timing */
};

struct tco_option {
	const char *name;
	double monthly, monthly_low, monthly_high;
	double upfront; /* once, now; absent: none */
	double tps; /* sustained transactions a second; NaN: unknown, no unit cost */
	const char *currency; /* absent: the document's; another one is an error */
	const char *tps_source, *source, *as_of, *note;
	int trust, tps_trust; /* enum trust */
};

/* One number of an item's product. */
struct tco_factor {
	const char *name;
	double value, low, high;
	const char *unit;
};

struct tco_item {
	const char *name;
	int kind, effect, per; /* enums above */
	const char *option; /* the option that gains (or pays) it against the baseline */
	double amount, low, high; /* per `per`; or the product of the factors */
	struct tco_factor *factors;
	size_t n_factors;
	double share, share_low, share_high; /* part of it that is counted, 0..1 */
	const char *currency;
	const char *source, *as_of, *note;
	int trust; /* enum trust */
};

enum tco_claim_kind {
	TCO_CLAIM_NPV,
	TCO_CLAIM_PAYBACK_MONTHS,
	TCO_CLAIM_PER_KTPM_MONTH,
	TCO_CLAIM_PER_1000_TX,
	TCO_CLAIM_UNIT_COST_RATIO,
	TCO_CLAIM_ITEM_MONTHLY,
	TCO_CLAIM_ITEM_YEARLY,
	TCO_CLAIM_KIND_COUNT
};
extern const struct names tco_claim_kind_names; /* npv payback_months ... */

struct tco_claim {
	int what; /* enum tco_claim_kind */
	const char *option, *item;
	double value, tolerance;
	const char *text, *source;
};

struct tco_case {
	const char *name, *currency, *baseline;
	double hours_per_month;
	double utilisation;
	int utilisation_trust;
	const char *utilisation_source;
	struct tco_finance *finance;
	struct tco_option *options;
	size_t n_options;
	struct tco_item *items;
	size_t n_items;
	struct tco_claim *claims;
	size_t n_claims;
	const char *note;
};

extern const struct schema tco_schema;

/*
 * Read and check the root of a document: names that refer to something, one currency, amount or
 * factors but not both, ranges in order, a baseline.  Errors: ERR_PARSE and ERR_RANGE with
 * file:line:column.
 */
int tco_read(struct jval root, struct arena *a, struct tco_case *c, struct err *err);

/* json_load() and tco_read(); sha256 may be NULL. */
int tco_load(
	const char *path, struct arena *a, struct tco_case *c, char sha256[65], struct err *err);

/* Position of an option by name, or -1. */
int tco_option_find(const struct tco_case *c, const char *name);

/* ---- the result: tierwise/tco-result/1 ---- */

/* Unit costs of an option.  per_ktpm_month prices a rate, per_1000_tx_* prices work. */
struct tco_unit {
	const char *name;
	double monthly, yearly, upfront, tps, tpm;
	double per_ktpm_month; /* currency/month per 1,000 TPM */
	double per_1000_tx_full; /* currency per 1,000 transactions, every hour at full rate */
	double per_1000_tx_used; /* the same at the stated utilisation */
	double ratio; /* per_ktpm_month against the baseline's */
	double equal_tps, equal_monthly; /* what it must reach or cost to equal the baseline */
	int trust;
	const char *source, *as_of, *note;
};

struct tco_item_result {
	const char *name;
	int kind, effect, per;
	const char *option, *arithmetic;
	double share, monthly, yearly, once; /* the whole item, before `share` */
	int trust;
	const char *source, *as_of, *note;
};

/* What is counted: each scope adds to the one before. */
enum tco_scope {
	TCO_SCOPE_PRICE, /* the options' own prices */
	TCO_SCOPE_INFRASTRUCTURE, /* + infrastructure and migration items */
	TCO_SCOPE_OPERATION, /* + incidents: everything but revenue */
	TCO_SCOPE_ALL, /* + revenue */
	TCO_SCOPE_COUNT
};
extern const struct names tco_scope_names; /* price infrastructure operation all */

/* An option against the baseline: positive is in the option's favour. */
struct tco_scope_result {
	const char *option;
	int scope;
	double once, monthly;
	double npv_undiscounted, npv;
	int payback, payback_discounted; /* enum cash_payback */
	double payback_months, payback_discounted_months;
	double break_even_months; /* price scope: total costs meet; INFINITY never, NaN elsewhere */
	double zero_price; /* price a month of the option at which npv is zero; NaN: none >= 0 */
	int trust, npv_trust; /* weakest class counted, without and with the discount rate */
};

enum tco_verdict {
	TCO_RECOMPUTES, /* equal within the tolerance, or a payback kept */
	TCO_NOT_DERIVABLE, /* no reading of the given inputs leads to it */
	TCO_NOT_TESTABLE, /* an input the claim needs was not given */
	TCO_CONTRADICTED, /* the inputs give another figure */
	TCO_VERDICT_COUNT
};
extern const struct names tco_verdict_names;

struct tco_claim_result {
	int what, verdict;
	const char *option, *item;
	double claimed, computed; /* computed: the nearest reading for an NPV */
	double share_undiscounted,
		share; /* NPV: part of the revenue items that would make it true */
	const char *claim, *text, *source;
};

struct tco_tornado_row {
	const char *option, *input, *unit;
	double base, low, high;
	double npv_low, npv_high, swing, zero_at;
	int range_trust; /* enum trust of low and high */
};

struct tco_result {
	const char *name, *currency, *baseline;
	double hours_per_month, utilisation, horizon_months;
	double discount_rate_year, discount_rate_month;
	int utilisation_trust, discount_rate_trust, timing;
	const char *utilisation_source, *discount_rate_source;
	int complete; /* flag: no unknown price or amount */
	struct tco_unit *units;
	size_t n_units;
	struct tco_item_result *items;
	size_t n_items;
	struct tco_scope_result *scopes;
	size_t n_scopes;
	struct tco_claim_result *claims;
	size_t n_claims;
	struct tco_tornado_row *tornado;
	size_t n_tornado;
	struct finding *findings;
	size_t n_findings;
	const char *note;
};

extern const struct schema tco_result_schema;

/* Evaluate a checked case.  ERR_NOMEM, ERR_NUMERIC. */
int tco_evaluate(const struct tco_case *c, struct arena *a, struct tco_result *r, struct err *err);

#endif /* TCO_TCO_H */
