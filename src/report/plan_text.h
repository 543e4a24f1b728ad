/*
 * plan_text.h - how a plan's values read; private to the plan's report.
 *
 * Results live in the document's arena.  What is not known reads "unknown", never zero; a sum with
 * an unknown in it reads "at least X, incomplete".
 */
#ifndef REPORT_PLAN_TEXT_H
#define REPORT_PLAN_TEXT_H

#include "advise/plan.h"
#include "report/doc.h"

/* `text`, or "unknown" for NULL. */
const char *plan_or_unknown(const char *text);

/* "USD 1,234.56". */
const char *plan_money(struct doc *d, const struct plan *p, double amount);
/* The same without the currency, for a column whose title names it. */
const char *plan_amount(struct doc *d, double amount);
/* A unit price of any size with four significant digits: "0.00003456", "1.514". */
const char *plan_small_money(struct doc *d, double amount);
/* "USD 1,234.56", or "at least USD 1,234.56, incomplete". */
const char *plan_total(struct doc *d, const struct plan *p, double amount, bool complete);

/* "12,800"; "unknown". */
const char *plan_count(struct doc *d, double count);
/* Milliseconds with three significant digits: "0.342", "12.3". */
const char *plan_ms(struct doc *d, double ms);
/* "40 %"; "unknown". */
const char *plan_percent(struct doc *d, double frac);
/* A value of three significant digits with its unit: "1.23 ms"; no unit when NULL. */
const char *plan_value(struct doc *d, double value, const char *unit);
/* A value somebody chose, as they would write it: "2 ms", "0.5 ms". */
const char *plan_exact(struct doc *d, double value, const char *unit);

/* "P30, 1,024 GiB"; a stripe: "2 x P30, 1,024 GiB each". */
const char *plan_config_name(struct doc *d, const struct plan_config *c);

/* The role, and the name when it is another word: "data (orders)". */
const char *plan_volume_name(struct doc *d, const struct plan_volume *v);

/* Not NaN. */
bool plan_known(double value);
/* "83 %"; never a certainty: "over 99 %", "under 1 %". */
const char *plan_probability(struct doc *d, double p);
/* Of every promise: "83 %", "at most 83 %" when some have no figure. */
const char *plan_probability_of_all(struct doc *d, const struct plan_confidence *c);
/* "0.8 to 1.2 ms"; a width of zero means that a cap, not a latency, sets the value. */
const char *plan_interval(struct doc *d, double lo, double hi, const char *unit);
/* Both sides of a promise with their unit; money as money. */
const char *plan_limit(struct doc *d, const struct plan *p, const struct plan_sla *s);
const char *plan_predicted(struct doc *d, const struct plan *p, const struct plan_sla *s);
/* What people call the tier or size. */
const char *plan_config_title(const struct plan_config *c);
/* Every volume has a configuration. */
bool plan_fits(const struct plan *p);
/* Why there is no bill, in words. */
const char *plan_no_bill(const struct plan *p);

/* A rule that belongs to the settings, or to the steps of a move; neither: to the rules. */
bool plan_rule_is_setting(const struct plan_rule *r);
bool plan_rule_is_step(const struct plan_rule *r);

/* The parts of the report, in order; each adds its blocks. */
void plan_page_one(const struct plan *p, struct doc *d);
void plan_alternatives(const struct plan *p, struct doc *d);
void plan_front(const struct plan *p, struct doc *d);
void plan_today(const struct plan *p, struct doc *d);
void plan_fast_disk(const struct plan *p, struct doc *d);
void plan_break_even(const struct plan *p, struct doc *d);
void plan_volumes(const struct plan *p, struct doc *d);
void plan_promises(const struct plan *p, struct doc *d);
void plan_recovery(const struct plan *p, struct doc *d);
void plan_confidence(const struct plan *p, struct doc *d);
/* On page one: the command of the measurement that heads the changes. */
void plan_first_measurement(const struct plan *p, struct doc *d);
void plan_curves(const struct plan *p, struct doc *d);
void plan_bill(const struct plan *p, struct doc *d);
void plan_settings(const struct plan *p, struct doc *d);
void plan_steps(const struct plan *p, struct doc *d);
void plan_rules(const struct plan *p, struct doc *d);
void plan_findings(const struct plan *p, struct doc *d);
void plan_inputs(const struct plan *p, struct doc *d);
void plan_glossary(const struct plan *p, struct doc *d);

#define DOC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif /* REPORT_PLAN_TEXT_H */
