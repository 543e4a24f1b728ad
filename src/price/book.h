/*
 * book.h - a price book: what one provider charges for storage and machines in one region, the
 * document "tierwise/prices/1" (pricing/<provider>-<region>.json).
 *
 * Prices stay in the unit the provider publishes; `unit` says it in our words and price_monthly()
 * converts.  Money is in the book's currency (ISO 4217), never converted.  A book is immutable
 * after loading; all memory belongs to the arena.
 */
#ifndef PRICE_BOOK_H
#define PRICE_BOOK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/schema.h"
#include "base/trust.h"

/* What a meter charges for. */
enum price_item {
	PRICE_ITEM_DISK, /* a whole disk of a fixed size */
	PRICE_ITEM_CAPACITY, /* provisioned GiB */
	PRICE_ITEM_IOPS, /* provisioned IOPS above `tier_min` */
	PRICE_ITEM_THROUGHPUT, /* provisioned MB/s (Azure) or MiB/s (AWS, GCP) above `tier_min` */
	PRICE_ITEM_OPERATIONS, /* I/O transactions */
	PRICE_ITEM_MOUNT, /* each further machine of a shared disk */
	PRICE_ITEM_BURST, /* on-demand bursting, flat fee */
	PRICE_ITEM_BURST_OPERATIONS,
	PRICE_ITEM_SNAPSHOT,
	PRICE_ITEM_RESTORE,
	PRICE_ITEM_VCPU_RESERVATION,
	PRICE_ITEM_BLOB,
	PRICE_ITEM_RETRIEVAL,
	PRICE_ITEM_VM,
	PRICE_ITEM_COUNT
};

enum price_unit {
	PRICE_UNIT_MONTH, /* per piece and month */
	PRICE_UNIT_HOUR, /* per piece (disk, IOPS, MB/s, VM, vCPU) and hour */
	PRICE_UNIT_GIB_MONTH,
	PRICE_UNIT_GB_MONTH, /* 10^9 bytes */
	PRICE_UNIT_GIB_HOUR,
	PRICE_UNIT_GB_HOUR,
	PRICE_UNIT_10K, /* per 10,000 operations */
	PRICE_UNIT_1M, /* per 1,000,000 operations */
	PRICE_UNIT_GB, /* once per GB moved */
	PRICE_UNIT_TB,
	PRICE_UNIT_COUNT
};

extern const struct names price_item_names;
extern const struct names price_unit_names;

struct price_row {
	const char *family; /* "premium_ssd", as in the limits; "vm" for machines */
	const char *sku; /* "P30", "PremiumV2_LRS", "Standard_E8ds_v5" */
	const char *redundancy; /* "LRS", "ZRS"; NULL when it does not apply */
	int item; /* enum price_item */
	int unit; /* enum price_unit */
	double price; /* >= 0; a true zero is a price */
	double tier_min; /* first quantity this price applies to; absent: 0 */
	const char
		*term; /* NULL: pay as you go; else "1 year savings plan", "1 year reservation" */
	double term_months; /* the price is for so many months at once; NaN: for one unit of time */
	const char *product, *meter, *unit_published; /* in the provider's words */
	double published_per; /* units in one published: 1,024 MiB/s in a GiBps; NaN or 0: it is one */
	const char *effective; /* day from which the provider asks this price; NULL: not told */
	const char *as_of; /* YYYY-MM-DD; NULL: the book's */
	const char *source; /* NULL: the book's */
	int trust; /* enum trust; -1: the book's */
	const char *note;
};

struct price_book {
	const char *name; /* "azure-westeurope" */
	const char *provider, *region, *currency, *as_of, *source;
	double hours_per_month; /* 730 unless the book says otherwise */
	int trust;
	const char *note;
	const char *limits; /* file of the tier limits beside the book; NULL: limits-<provider>.json
			     */
	struct price_row *rows;
	size_t n_rows;
};

/* What a price is asked for. sku and redundancy NULL match only rows without one. */
struct price_key {
	const char *family, *sku, *redundancy;
	enum price_item item;
	const char *term; /* NULL: pay as you go */
};

enum { PRICE_TIERS_MAX = 8 };

/*
 * The rows of one meter by rising tier_min: each prices the units above its tier_min up to the next
 * row's.  A zero price in the first row is an allowance that the provider publishes.
 */
struct price_tiers {
	const struct price_row *tier[PRICE_TIERS_MAX];
	size_t n;
};

extern const struct schema price_book_schema;

/*
 * Load and check: no negative and no absurd price, no price of nought without a reason, no two rows
 * for the same thing, no mount dearer than its disk, no commitment dearer than none, dates valid and
 * `as_of` not after today.
 * Errors: ERR_IO, ERR_PARSE, ERR_RANGE with the place; ERR_PRICE for two rows that price the same thing,
 * with both.
 */
int price_book_load(const char *path, struct arena *a, struct price_book *book, char sha256[65],
	struct err *err);

/* The same from a document; its text may go afterwards. */
int price_book_read(struct jval root, struct arena *a, struct price_book *book, struct err *err);

/* Every field absent (unknown, not zero). */
void price_row_clear(struct price_row *row);
/* Family, SKU, redundancy, item, term and tier are the same: a book has one row for it. */
bool price_row_same_thing(const struct price_row *a, const struct price_row *b);
/* Whether an item can be priced in that unit: a disk per GB, say, cannot. */
bool price_item_takes(enum price_item item, enum price_unit unit);

/*
 * The one pay-as-you-go row for an item.  sku and redundancy NULL match only rows without one.
 * A meter with a free allowance below one paid tier answers with the paid row (its tier_min is the
 * allowance).  ERR_PRICE when there is none (the text says what is missing and what exists), or
 * several (all listed).
 */
int price_book_find(const struct price_book *book, const char *family, const char *sku,
	const char *redundancy, enum price_item item, const struct price_row **row,
	struct err *err);

/* All tiers of one meter at the key's term; none is not an error (n == 0).  ERR_PRICE when two rows
 * price the same units (both listed). */
int price_book_tiers(const struct price_book *book, const struct price_key *key,
	struct price_tiers *tiers, struct err *err);

/* ERR_PRICE that says which price is missing and what the book has instead. */
int price_book_missing(const struct price_book *book, const struct price_key *key, struct err *err);

/* Price per unit and month: hourly units times hours_per_month, a price for a whole term by its
 * months.  NaN for units that are not per
 * time. */
double price_row_monthly(const struct price_book *book, const struct price_row *row);

/*
 * The unit prices of a published unit are compared in: an hour becomes a month, a million operations
 * 10,000, a TB a GB.  A GiB stays a GiB: between it and a GB nothing is converted.
 */
enum price_unit price_unit_normal(enum price_unit unit);

/* Price of one published unit, as the provider writes it. */
double price_row_published(const struct price_row *row);
/* Whether a published unit holds another number of units than one. */
bool price_row_is_scaled(const struct price_row *row);

/* Price in that unit: monthly, per 10,000 operations or per GB. */
double price_row_normal(const struct price_book *book, const struct price_row *row);

const char *price_row_as_of(const struct price_book *book, const struct price_row *row);
const char *price_row_source(const struct price_book *book, const struct price_row *row);
int price_row_trust(const struct price_book *book, const struct price_row *row);

/* The oldest date in the book: a book is as old as its oldest row. */
const char *price_book_oldest(const struct price_book *book);

/*
 * Age against today of the oldest price that is used, which `oldest` dates (bill_oldest()); NULL: of
 * the book's oldest row.  Adds a "price-stale" warning past 90 days.  ERR_STALE when
 * max_age_days >= 0 and exceeded.
 */
int price_book_check_age(const struct price_book *book, const char *oldest, double max_age_days,
	double *age_days, struct findings *findings, struct err *err);

#endif /* PRICE_BOOK_H */
