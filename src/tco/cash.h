/*
 * cash.h - money over time: present value, annuity, payback, break-even.
 *
 * A series is flows[0..n-1]: flows[0] falls now, flows[t] belongs to month t and falls at its end
 * (or its middle).  Positive is money gained.  The yearly rate is an effective one: the monthly
 * rate is (1+r)^(1/12) - 1, not r/12 (at 8 % the difference is 0.5 % of a three-year annuity).
 * NaN in (unknown) gives NaN, or CASH_PAYBACK_UNKNOWN, out.
 */
#ifndef TCO_CASH_H
#define TCO_CASH_H

#include <stddef.h>

#include "base/names.h"

enum cash_timing { CASH_END, CASH_MID, CASH_TIMING_COUNT };
extern const struct names cash_timing_names; /* end mid */

/* Effective yearly rate (0.08) to the monthly one; rate_year > -1. */
double cash_monthly_rate(double rate_year);

/* Present value of 1 paid at the end of each of `months` months; months when rate_month is 0. */
double cash_annuity(double rate_month, double months);

/* Sum of flows[t] / (1 + rate_month)^t; mid-month: t - 0.5 for t >= 1. */
double cash_npv(const double *flows, size_t n, double rate_month, enum cash_timing timing);

enum cash_payback {
	CASH_PAYBACK_UNKNOWN, /* a flow is unknown */
	CASH_PAYBACK_NOTHING, /* the running total is never below zero: no outlay to recover */
	CASH_PAYBACK_AT, /* recovered at `months` */
	CASH_PAYBACK_NEVER, /* not within the series */
	CASH_PAYBACK_COUNT
};
extern const struct names cash_payback_names; /* unknown nothing at never */

struct cash_payback_result {
	enum cash_payback state;
	double months; /* CASH_PAYBACK_AT only, else NaN; linear inside the month */
};

/*
 * When the running total, discounted at rate_month (0: simple payback), first returns to zero after
 * having been below it.  A series that falls below zero again later is still "at" the first return.
 */
struct cash_payback_result cash_payback(const double *flows, size_t n, double rate_month);

/*
 * Months until the total costs of two options (upfront and monthly each) meet, undiscounted.
 * INFINITY: they never do, one is the cheaper throughout.  0: they are the same throughout.
 * NaN: an input is unknown.
 */
double cash_break_even(double upfront_a, double monthly_a, double upfront_b, double monthly_b);

#endif /* TCO_CASH_H */
