/*
 * unit_cost.h - what a transaction costs, in the two senses that are often confused:
 *
 * price of a rate   currency per month per 1,000 transactions a minute (kTPM), the TPC habit: it
 *                   prices the ability, whether it is used or not;
 * price of work     currency per 1,000 transactions executed: it needs the share of the month's
 *                   ability that is really used.
 *
 * Money in the caller's currency.  NaN in (unknown) gives NaN out.
 */
#ifndef TCO_UNIT_COST_H
#define TCO_UNIT_COST_H

/* Currency per month per 1,000 TPM: monthly / (tps x 60 / 1000).  NaN unless tps > 0. */
double unit_cost_of_rate(double monthly, double tps);

/*
 * Currency per 1,000 transactions executed: monthly x 1000 / (tps x utilisation x hours x 3600).
 * utilisation 0..1 is the mean share of tps executed over the month's `hours`.  NaN unless tps,
 * utilisation and hours are > 0.
 */
double unit_cost_of_work(double monthly, double tps, double utilisation, double hours);

/* TPS at which `monthly` costs per_ktpm_month per 1,000 TPM.  NaN unless per_ktpm_month > 0. */
double unit_cost_rate_for(double monthly, double per_ktpm_month);

#endif /* TCO_UNIT_COST_H */
