#include "price/reprice.h"

#include <math.h>
#include <string.h>

/* What bill.c writes as unit_price of a row. */
static double
billed_price(const struct price_book *book, const struct price_row *row)
{
	double monthly = price_row_monthly(book, row);
	return isnan(monthly) ? row->price : monthly;
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool
may_be_row(const struct bill_line *line, const struct price_row *row)
{
	return line->meter && row->meter && strcmp(line->meter, row->meter) == 0 &&
	       (!line->sku || !row->sku || strcmp(line->sku, row->sku) == 0);
}

/* The new price of a row of the old book, or NaN with the reason. */
static double
new_price(const struct price_book *now, const struct price_row *old, const char **why)
{
	const struct price_row *row = price_diff_counterpart(now, old);
	if (!row) {
		*why = "the new book has no price for it";
		return (double)NAN;
	}
	if (price_unit_normal((enum price_unit)row->unit) !=
		price_unit_normal((enum price_unit)old->unit)) {
		*why = "the new price is per another unit";
		return (double)NAN;
	}
	return billed_price(now, row);
}

static void
reprice_line(struct repriced_line *l, const struct price_book *old, const struct price_book *now,
	struct arena *a)
{
	const struct bill_line *line = l->line;
	const struct price_row *seen = NULL; /* with another price */
	size_t n = 0;
	for (size_t i = 0; i < old->n_rows; i++) {
		const struct price_row *row = &old->rows[i];
		if (!may_be_row(line, row))
			continue;
		if (!near(billed_price(old, row), line->unit_price)) {
			seen = row;
			continue;
		}
		double price = new_price(now, row, &l->why);
		if (n++ > 0 && !near(price, l->unit_price)) {
			l->why = "several meters of that name and price, which part company now";
			l->unit_price = (double)NAN;
			return;
		}
		l->unit_price = price;
	}
	if (n == 0 && seen)
		l->why = arena_printf(a,
			"the old book says %.10g, the plan %.10g: made from another",
			billed_price(old, seen), line->unit_price);
	else if (n == 0)
		l->why = "not in the old book";
}

int
bill_reprice(const struct bill *bill, const struct price_book *old, const struct price_book *now,
	struct arena *a, struct repriced *out, struct err *err)
{
	struct repriced r = {.n = bill->n_lines, .old_complete = true, .complete = true};
	if (strcmp(bill->currency, old->currency) != 0 ||
		strcmp(bill->currency, now->currency) != 0)
		return err_set(err, ERR_RANGE,
			"the bill is in %s, the books in %s and %s: one currency expected",
			bill->currency, old->currency, now->currency);
	r.lines = arena_array(a, r.n + 1, sizeof(*r.lines));
	if (!r.lines)
		return err_nomem(err);
	for (size_t i = 0; i < r.n; i++) {
		struct repriced_line *l = &r.lines[i];
		*l = (struct repriced_line){&bill->lines[i], (double)NAN, (double)NAN, NULL};
		if (isnan(l->line->amount) || isnan(l->line->unit_price))
			l->why = "unknown in the plan";
		else
			reprice_line(l, old, now, a);
		l->amount = l->unit_price * l->line->quantity;
		if (!isnan(l->amount))
			l->why = NULL;
		r.complete &= !isnan(l->amount);
		r.old_complete &= !isnan(l->line->amount);
		r.total += isnan(l->amount) ? 0 : l->amount;
		r.old_total += isnan(l->line->amount) ? 0 : l->line->amount;
	}
	*out = r;
	return 0;
}
