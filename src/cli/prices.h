/*
 * prices.h - what `tierwise prices` hands from the choice of books to the page of one SKU.
 */
#ifndef CLI_PRICES_H
#define CLI_PRICES_H

#include "cli/command.h"
#include "price/book.h"

struct shelf_book {
	const char *path;
	struct price_book book;
	double age_days;
};

/* The chosen books, by name. */
struct shelf {
	struct shelf_book *books;
	size_t n;
};

/* A price without exponent and without trailing zeros: 0.000008, 148.68. */
const char *prices_decimal(struct arena *a, double number);
/* "burst operations", "vm, 1 year savings plan". */
const char *prices_item_text(struct arena *a, const struct price_row *row);

/*
 * Everything known about a SKU: its prices in each book, what it can do, where each number comes
 * from.  ERR_NOT_FOUND (with the nearest name) when neither a book nor its limits know it;
 * ERR_PRICE, after the page is printed, when a book has no price for it.
 */
int prices_show(struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err);

#endif /* CLI_PRICES_H */
