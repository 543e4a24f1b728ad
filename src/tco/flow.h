/*
 * flow.h - inside tco: the cash flows of one option against the baseline under one reading of the
 * case (what is counted, at which rate, with one input moved).
 */
#ifndef TCO_FLOW_H
#define TCO_FLOW_H

#include <stdint.h>

#include "tco/tco.h"

/* The inputs that can be moved. */
enum flow_input {
	FLOW_INPUT_NONE,
	FLOW_INPUT_BASE_MONTHLY,
	FLOW_INPUT_MONTHLY,
	FLOW_INPUT_BASE_UPFRONT,
	FLOW_INPUT_UPFRONT,
	FLOW_INPUT_RATE,
	FLOW_INPUT_AMOUNT, /* of `item`: amount, or product of the factors */
	FLOW_INPUT_FACTOR, /* `factor` of `item` */
	FLOW_INPUT_SHARE, /* of `item` */
	FLOW_INPUT_REVENUE_SHARE, /* of every revenue item */
};

struct flow_change {
	enum flow_input input;
	size_t item, factor;
	double value;
};

struct flow_view {
	const struct tco_case *c;
	size_t option; /* index; not the baseline */
	uint64_t mask; /* bit i: item i is counted */
	double rate_year;
	struct flow_change change;
};

/* Discount rate of the case: its own, or the assumed one. */
double flow_rate_year(const struct tco_case *c);

/* The items of an option counted in a scope. */
uint64_t flow_mask(const struct tco_case *c, size_t option, enum tco_scope scope);

/* Amount per `per` of an item: NaN when unknown. */
double flow_item_amount(const struct tco_item *item);
/* A month of the whole item (0 for "once"), and its single payment (0 for the others). */
double flow_item_monthly(const struct tco_item *item);
double flow_item_once(const struct tco_item *item);

/* Gain now and gain a month, in the option's favour; NaN when an input is unknown. */
double flow_once(const struct flow_view *v);
double flow_monthly(const struct flow_view *v);

double flow_npv(const struct flow_view *v);
struct cash_payback_result flow_payback(const struct flow_view *v, double rate_year);

#endif /* TCO_FLOW_H */
