/*
 * reprice.h - the lines of a bill at the prices of another book: the same quantities of the same
 * meters.
 *
 * A line does not name its row, so the row is found by meter, SKU and the price that was billed; where
 * that leaves a doubt the new amount is unknown, with the reason.
 */
#ifndef PRICE_REPRICE_H
#define PRICE_REPRICE_H

#include "price/bill.h"
#include "price/diff.h"

struct repriced_line {
	const struct bill_line *line;
	double unit_price, amount; /* per month at the new prices; NaN: unknown */
	const char *why; /* why it is unknown, or NULL */
};

struct repriced {
	struct repriced_line *lines; /* one for each of the bill, in its order */
	size_t n;
	double old_total, total; /* sums of the known amounts */
	bool old_complete, complete; /* every amount is known */
};

/* ERR_RANGE when bill and books are not in one currency. */
int bill_reprice(const struct bill *bill, const struct price_book *old,
	const struct price_book *now, struct arena *a, struct repriced *out, struct err *err);

#endif /* PRICE_REPRICE_H */
