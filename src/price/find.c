/*
 * find.c - looking prices up in a loaded book, and how old the book is.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "price/book.h"

enum { STALE_DAYS = 90, LISTED_MAX = 6 };

static bool
same(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool
matches(const struct price_row *row, const struct price_key *key)
{
	return same(row->term, key->term) && row->item == (int)key->item &&
	       same(row->family, key->family) && same(row->sku, key->sku) &&
	       same(row->redundancy, key->redundancy);
}

/* "premium_ssd P30 LRS disk" */
static void
put_key(struct buf *out, const struct price_key *key)
{
	const char *const words[] = {key->family, key->sku, key->redundancy};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i])
			buf_printf(out, "%s ", words[i]);
	}
	buf_put(out, names_text(&price_item_names, (int)key->item));
	if (key->term)
		buf_printf(out, ", %s", key->term);
}

static void
put_row(struct buf *out, const struct price_book *book, const struct price_row *row)
{
	put_key(out, &(struct price_key){row->family, row->sku, row->redundancy,
			     (enum price_item)row->item, row->term});
	buf_printf(out, " %.10g %s per %s", row->price, book->currency,
		names_text(&price_unit_names, row->unit));
	if (row->term_months > 0)
		buf_printf(out, " for %g months", row->term_months);
	if (row->tier_min > 0)
		buf_printf(out, " above %.10g", row->tier_min);
	if (row->meter)
		buf_printf(out, " (meter \"%s\")", row->meter);
}

static int
several(const struct price_book *book, const struct price_key *key, struct err *err)
{
	struct buf text;
	buf_init(&text, 4096);
	put_key(&text, key);
	buf_put(&text, " has several prices: ");
	size_t n = 0;
	for (size_t i = 0; i < book->n_rows; i++) {
		if (!matches(&book->rows[i], key))
			continue;
		buf_put(&text, n++ ? "; " : "");
		put_row(&text, book, &book->rows[i]);
	}
	int rc = err_set(err, ERR_PRICE, "%s: %s", book->name, buf_text(&text));
	buf_fini(&text);
	return rc;
}

static void
insert_tier(struct price_tiers *t, const struct price_row *row)
{
	size_t at = t->n++;
	for (; at > 0 && t->tier[at - 1]->tier_min > row->tier_min; at--)
		t->tier[at] = t->tier[at - 1];
	t->tier[at] = row;
}

int
price_book_tiers(const struct price_book *book, const struct price_key *key,
	struct price_tiers *tiers, struct err *err)
{
	struct price_tiers found = {.n = 0};
	for (size_t i = 0; i < book->n_rows; i++) {
		if (!matches(&book->rows[i], key))
			continue;
		if (found.n == PRICE_TIERS_MAX)
			return several(book, key, err);
		insert_tier(&found, &book->rows[i]);
	}
	for (size_t i = 1; i < found.n; i++) {
		const struct price_row *low = found.tier[i - 1], *high = found.tier[i];
		if (low->tier_min >= high->tier_min || low->unit != high->unit)
			return several(book, key, err);
	}
	*tiers = found;
	return 0;
}

/* Rows that share what the key asks for, so that a reader sees the slip: the same SKU, else the
 * same family and item. */
static size_t
put_neighbours(struct buf *out, const struct price_book *book, const struct price_key *key)
{
	size_t n = 0;
	for (int pass = 0; pass < 2 && n == 0; pass++) {
		for (size_t i = 0; i < book->n_rows; i++) {
			const struct price_row *row = &book->rows[i];
			bool near = pass == 0 ? key->sku && same(row->sku, key->sku)
					      : same(row->family, key->family) &&
							row->item == (int)key->item;
			if (!near || (row->term && !key->term))
				continue;
			if (n++ >= LISTED_MAX)
				continue;
			buf_put(out, n > 1 ? "; " : "");
			put_row(out, book, row);
		}
	}
	if (n > LISTED_MAX)
		buf_printf(out, "; and %zu more", n - LISTED_MAX);
	return n;
}

int
price_book_missing(const struct price_book *book, const struct price_key *key, struct err *err)
{
	struct buf wanted, has;
	buf_init(&wanted, 512);
	buf_init(&has, 4096);
	put_key(&wanted, key);
	const char *near = key->sku && book->n_rows ? names_nearest(key->sku, &book->rows[0].sku,
							      book->n_rows, sizeof(book->rows[0]))
						    : NULL;
	size_t n = put_neighbours(&has, book, key);
	bool guess = near && !same(near, key->sku);
	int rc = err_set(err, ERR_PRICE, "%s (%s) has no price for %s%s%s%s; it has%s%s",
		book->name, book->as_of, buf_text(&wanted), guess ? ", did you mean \"" : "",
		guess ? near : "", guess ? "\"?" : "", n ? ": " : " nothing of that kind",
		buf_text(&has));
	buf_fini(&wanted);
	buf_fini(&has);
	return rc;
}

int
price_book_find(const struct price_book *book, const char *family, const char *sku,
	const char *redundancy, enum price_item item, const struct price_row **row, struct err *err)
{
	const struct price_key key = {family, sku, redundancy, item, NULL};
	struct price_tiers tiers = {.n = 0};
	int rc = price_book_tiers(book, &key, &tiers, err);
	if (rc)
		return rc;
	if (tiers.n == 0)
		return price_book_missing(book, &key, err);
	bool allowance = tiers.n == 2 && tiers.tier[0]->price <= 0;
	if (tiers.n > 1 && !allowance)
		return several(book, &key, err);
	*row = tiers.tier[tiers.n - 1];
	return 0;
}

double
price_row_monthly(const struct price_book *book, const struct price_row *row)
{
	if (row->term_months > 0)
		return row->price / row->term_months;
	switch ((enum price_unit)row->unit) {
	case PRICE_UNIT_MONTH:
	case PRICE_UNIT_GIB_MONTH:
	case PRICE_UNIT_GB_MONTH:
		return row->price;
	case PRICE_UNIT_HOUR:
	case PRICE_UNIT_GIB_HOUR:
	case PRICE_UNIT_GB_HOUR:
		return row->price * book->hours_per_month;
	case PRICE_UNIT_10K:
	case PRICE_UNIT_1M:
	case PRICE_UNIT_GB:
	case PRICE_UNIT_TB:
	case PRICE_UNIT_COUNT:
		break;
	}
	return (double)NAN;
}

enum price_unit
price_unit_normal(enum price_unit unit)
{
	switch (unit) {
	case PRICE_UNIT_HOUR:
		return PRICE_UNIT_MONTH;
	case PRICE_UNIT_GIB_HOUR:
		return PRICE_UNIT_GIB_MONTH;
	case PRICE_UNIT_GB_HOUR:
		return PRICE_UNIT_GB_MONTH;
	case PRICE_UNIT_1M:
		return PRICE_UNIT_10K;
	case PRICE_UNIT_TB:
		return PRICE_UNIT_GB;
	case PRICE_UNIT_MONTH:
	case PRICE_UNIT_GIB_MONTH:
	case PRICE_UNIT_GB_MONTH:
	case PRICE_UNIT_10K:
	case PRICE_UNIT_GB:
	case PRICE_UNIT_COUNT:
		break;
	}
	return unit;
}

double
price_row_normal(const struct price_book *book, const struct price_row *row)
{
	double monthly = price_row_monthly(book, row);
	if (!isnan(monthly))
		return monthly;
	if (row->unit == PRICE_UNIT_1M)
		return row->price / 100;
	return row->unit == PRICE_UNIT_TB ? row->price / 1000 : row->price;
}

bool
price_row_is_scaled(const struct price_row *row)
{
	return row->published_per > 0 && (row->published_per < 1 || row->published_per > 1);
}

double
price_row_published(const struct price_row *row)
{
	return price_row_is_scaled(row) ? row->price * row->published_per : row->price;
}

const char *
price_row_as_of(const struct price_book *book, const struct price_row *row)
{
	return row->as_of ? row->as_of : book->as_of;
}

const char *
price_row_source(const struct price_book *book, const struct price_row *row)
{
	return row->source ? row->source : book->source;
}

int
price_row_trust(const struct price_book *book, const struct price_row *row)
{
	return row->trust >= 0 ? row->trust : book->trust;
}

/* Dates are checked at load and written YYYY-MM-DD, so their order is that of the text. */
const char *
price_book_oldest(const struct price_book *book)
{
	const char *oldest = book->as_of;
	for (size_t i = 0; i < book->n_rows; i++) {
		const char *as_of = price_row_as_of(book, &book->rows[i]);
		if (strncmp(as_of, oldest, 10) < 0)
			oldest = as_of;
	}
	return oldest;
}

int
price_book_check_age(const struct price_book *book, const char *oldest, double max_age_days,
	double *age_days, struct findings *findings, struct err *err)
{
	int64_t days = 0;
	oldest = oldest ? oldest : price_book_oldest(book);
	int rc = clock_age_days(oldest, &days, err);
	if (rc)
		return rc;
	if (age_days)
		*age_days = (double)days;
	if (max_age_days >= 0 && (double)days > max_age_days)
		return err_set(err, ERR_STALE,
			"prices of %s are %lld days old (%s), at most %g accepted; give a newer "
			"book "
			"with --prices",
			book->name, (long long)days, oldest, max_age_days);
	if (findings && days > STALE_DAYS)
		findings_add(findings, SEVERITY_WARNING, "price-stale",
			"compare the rows that decide with the provider's current price list, "
			"correct "
			"price and as_of in the book or give a newer one with --prices; "
			"--max-price-age DAYS turns this into an error",
			"prices of %s were read %lld days ago (%s), more than %d days", book->name,
			(long long)days, oldest, STALE_DAYS);
	return 0;
}
