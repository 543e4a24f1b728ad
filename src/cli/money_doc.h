/*
 * money_doc.h - inside cli: the documents that `tierwise tco` and `tierwise compare` print.
 */
#ifndef CLI_MONEY_DOC_H
#define CLI_MONEY_DOC_H

#include "advise/plan.h"
#include "report/doc.h"
#include "tco/tco.h"

/* A comparison of options, evaluated. */
void tco_doc(const struct tco_result *r, struct doc *d);

/* What the money of a plan comes to; rate_year is used when `assumed`, and said to be. */
struct plan_money {
	double horizon_months; /* NaN: the plan's own, or 36 assumed */
	double rate_year; /* NaN: 0.08 assumed */
};
/* ERR_PRICE when the plan holds an unknown price; the document is complete all the same. */
int plan_money_doc(
	const struct plan *plan, const struct plan_money *m, struct doc *d, struct err *err);

/* Two plans side by side. */
int plan_compare_doc(const struct plan *a, const struct plan *b, struct doc *d, struct err *err);

/* Text in the document's arena for a cell: an amount, or "unknown". */
const char *money_text(struct doc *d, double amount, int decimals);
/* A figure with `digits` significant digits, from 1,000 on to a tenth; or "unknown". */
const char *figure_text(struct doc *d, double number, int digits);

#endif /* CLI_MONEY_DOC_H */
