/*
 * prices.h - what `tierwise prices` hands from the choice of books to the pages of one SKU.
 */
#ifndef CLI_PRICES_H
#define CLI_PRICES_H

#include "cli/command.h"
#include "price/book.h"
#include "price/limits.h"

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
/* ", all 12 months at once" for the price of a whole term, else "". */
const char *prices_term_text(struct arena *a, const struct price_row *row);
/* "burst operations", "vm, 1 year savings plan". */
const char *prices_item_text(struct arena *a, const struct price_row *row);

/* "GiB-month": what prices are compared in. */
const char *prices_unit_text(enum price_unit unit);

/* The limits that belong to a book: beside it, else in the data folder.  ERR_NOT_FOUND when there are
 * none, or as limits_load(). */
int prices_limits(
	struct cli_common *c, const struct shelf_book *s, struct limits *limits, struct err *err);

/* Keep the books of providers that sell a SKU (or a family): the others owe no price for it and their
 * age does not matter.  All stay when nobody sells it.  Errors as limits_load(). */
int prices_keep_sellers(
	struct cli_common *c, struct shelf *shelf, const char *sku, struct err *err);

/*
 * Everything known about a SKU: its prices in each book, what it can do, where each number comes
 * from.  ERR_NOT_FOUND (with the nearest name) when neither a book nor its limits know it;
 * ERR_PRICE, after the page is printed, when a book has no price for it.
 */
int prices_show(struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err);

/* No single book to bill from: ERR_PRICE that lists those that sell it, ERR_NOT_FOUND with the nearest
 * name when nobody does. */
int prices_not_one(
	struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err);

/* What a configuration is made of; NaN and NULL: not said. */
struct prices_bill_options {
	double size_gib, disks, iops, mbps, mounts;
	const char *redundancy, *raise_to, *term;
	int performance_plus, burst, snapshot_full;
	double operations, active_hours, burst_operations, snapshot_gib;
	char *machine;
	double machines, machine_hours;
	const char *ready_for;
	double max_age_days; /* of the oldest price billed; negative: any age */
};

extern const struct argp prices_bill_argp; /* its input is a struct prices_bill_options */

/*
 * The bill of a configuration of a SKU, or of the size of a family that holds it, from the one book
 * on the shelf.  ERR_RANGE and ERR_USAGE as the options deserve; ERR_STALE, and nothing printed, when a
 * price in it is older than max_age_days; ERR_PRICE, after the page is
 * printed, when an amount is unknown, or before when several prices match.
 */
int prices_bill(struct cli_common *c, const struct shelf *shelf, const char *sku,
	const struct prices_bill_options *options, struct err *err);

#endif /* CLI_PRICES_H */
