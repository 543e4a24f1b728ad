/*
 * say.h - inside tco: amounts as text, in the arena ("" when memory is exhausted, which the next
 * allocation that matters reports).
 */
#ifndef TCO_SAY_H
#define TCO_SAY_H

#include "base/arena.h"

/* "7,008.00 USD"; "unknown". */
const char *say_money(struct arena *a, double amount, const char *currency);
/* 500,000 or 0.008: whole numbers in full, others to six significant digits. */
const char *say_number(struct arena *a, double number);
/* A share as a percentage with four significant digits: "0.1798 %". */
const char *say_percent(struct arena *a, double share);

#endif /* TCO_SAY_H */
