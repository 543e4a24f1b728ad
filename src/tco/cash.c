#include "tco/cash.h"

#include <math.h>

static const char *const timings[] = {[CASH_END] = "end", [CASH_MID] = "mid"};
_Static_assert(
	sizeof(timings) / sizeof(timings[0]) == CASH_TIMING_COUNT, "a name for every timing");
const struct names cash_timing_names = {"timing", timings, CASH_TIMING_COUNT};

static const char *const paybacks[] = {
	[CASH_PAYBACK_UNKNOWN] = "unknown",
	[CASH_PAYBACK_NOTHING] = "nothing",
	[CASH_PAYBACK_AT] = "at",
	[CASH_PAYBACK_NEVER] = "never",
};
_Static_assert(sizeof(paybacks) / sizeof(paybacks[0]) == CASH_PAYBACK_COUNT,
	"a name for every payback state");
const struct names cash_payback_names = {"payback", paybacks, CASH_PAYBACK_COUNT};

double
cash_monthly_rate(double rate_year)
{
	return expm1(log1p(rate_year) / 12); /* exact near zero, where pow() - 1 cancels */
}

double
cash_annuity(double rate_month, double months)
{
	if (rate_month == 0)
		return months;
	return -expm1(-months * log1p(rate_month)) / rate_month;
}

double
cash_npv(const double *flows, size_t n, double rate_month, enum cash_timing timing)
{
	double sum = 0;
	for (size_t t = 0; t < n; t++) {
		double when = timing == CASH_MID && t > 0 ? (double)t - 0.5 : (double)t;
		sum += flows[t] * exp(-when * log1p(rate_month));
	}
	return sum;
}

struct cash_payback_result
cash_payback(const double *flows, size_t n, double rate_month)
{
	double total = 0, before = 0;
	int below = 0;
	for (size_t t = 0; t < n; t++) {
		before = total;
		total += flows[t] * exp(-(double)t * log1p(rate_month));
		if (isnan(total))
			return (struct cash_payback_result){CASH_PAYBACK_UNKNOWN, NAN};
		if (below && total >= 0) {
			double months = (double)t - 1 + before / (before - total);
			return (struct cash_payback_result){CASH_PAYBACK_AT, months};
		}
		below = below || total < 0;
	}
	return (struct cash_payback_result){below ? CASH_PAYBACK_NEVER : CASH_PAYBACK_NOTHING, NAN};
}

double
cash_break_even(double upfront_a, double monthly_a, double upfront_b, double monthly_b)
{
	double now = upfront_b - upfront_a, later = monthly_b - monthly_a;
	if (isnan(now) || isnan(later))
		return NAN;
	if (now == 0 && later == 0)
		return 0;
	/* Opposite signs: dearer at first and cheaper later, or the reverse. */
	return (now < 0) != (later < 0) && now != 0 && later != 0 ? -now / later : (double)INFINITY;
}
