/*
 * book.c - the document of a price book, and the checks a table of fields cannot express: dates,
 * units that fit their item, and no two rows for the same thing.
 */
#include "price/book.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "price/fetch.h"

static const char *const item_table[] = {
	[PRICE_ITEM_DISK] = "disk",
	[PRICE_ITEM_CAPACITY] = "capacity",
	[PRICE_ITEM_IOPS] = "iops",
	[PRICE_ITEM_THROUGHPUT] = "throughput",
	[PRICE_ITEM_OPERATIONS] = "operations",
	[PRICE_ITEM_MOUNT] = "mount",
	[PRICE_ITEM_BURST] = "burst",
	[PRICE_ITEM_BURST_OPERATIONS] = "burst_operations",
	[PRICE_ITEM_SNAPSHOT] = "snapshot",
	[PRICE_ITEM_RESTORE] = "restore",
	[PRICE_ITEM_VCPU_RESERVATION] = "vcpu_reservation",
	[PRICE_ITEM_BLOB] = "blob",
	[PRICE_ITEM_RETRIEVAL] = "retrieval",
	[PRICE_ITEM_VM] = "vm",
};
_Static_assert(sizeof(item_table) / sizeof(item_table[0]) == PRICE_ITEM_COUNT, "a name per item");
const struct names price_item_names = {"price item", item_table, PRICE_ITEM_COUNT};

static const char *const unit_table[] = {
	[PRICE_UNIT_MONTH] = "month",
	[PRICE_UNIT_HOUR] = "hour",
	[PRICE_UNIT_GIB_MONTH] = "gib_month",
	[PRICE_UNIT_GB_MONTH] = "gb_month",
	[PRICE_UNIT_GIB_HOUR] = "gib_hour",
	[PRICE_UNIT_GB_HOUR] = "gb_hour",
	[PRICE_UNIT_10K] = "10k",
	[PRICE_UNIT_1M] = "1m",
	[PRICE_UNIT_GB] = "gb",
	[PRICE_UNIT_TB] = "tb",
};
_Static_assert(sizeof(unit_table) / sizeof(unit_table[0]) == PRICE_UNIT_COUNT, "a name per unit");
const struct names price_unit_names = {"price unit", unit_table, PRICE_UNIT_COUNT};

enum {
	PER_PIECE = 1 << PRICE_UNIT_MONTH | 1 << PRICE_UNIT_HOUR,
	PER_SPACE = 1 << PRICE_UNIT_GIB_MONTH | 1 << PRICE_UNIT_GB_MONTH |
		    1 << PRICE_UNIT_GIB_HOUR | 1 << PRICE_UNIT_GB_HOUR,
	PER_OPERATION = 1 << PRICE_UNIT_10K | 1 << PRICE_UNIT_1M,
	PER_BYTES = 1 << PRICE_UNIT_GB | 1 << PRICE_UNIT_TB,
};

/* The units in which each item can be priced: a disk per GB, say, is a slip of the pen. */
static const int item_units[] = {
	[PRICE_ITEM_DISK] = PER_PIECE,
	[PRICE_ITEM_CAPACITY] = PER_SPACE,
	[PRICE_ITEM_IOPS] = PER_PIECE,
	[PRICE_ITEM_THROUGHPUT] = PER_PIECE,
	[PRICE_ITEM_OPERATIONS] = PER_OPERATION,
	[PRICE_ITEM_MOUNT] = PER_PIECE,
	[PRICE_ITEM_BURST] = PER_PIECE,
	[PRICE_ITEM_BURST_OPERATIONS] = PER_OPERATION,
	[PRICE_ITEM_SNAPSHOT] = PER_SPACE,
	[PRICE_ITEM_RESTORE] = PER_BYTES,
	[PRICE_ITEM_VCPU_RESERVATION] = PER_PIECE,
	[PRICE_ITEM_BLOB] = PER_SPACE,
	[PRICE_ITEM_RETRIEVAL] = PER_BYTES,
	[PRICE_ITEM_VM] = PER_PIECE,
};
_Static_assert(sizeof(item_units) / sizeof(item_units[0]) == PRICE_ITEM_COUNT, "units per item");

static const struct schema_field row_fields[] = {
	FIELD_TEXT(struct price_row, family, true,
		"tier family as in the limits, \"vm\" for machines, \"blob\" for object storage"),
	FIELD_TEXT(struct price_row, sku, false,
		"size or product; absent where the meter serves the whole family"),
	FIELD_TEXT(struct price_row, redundancy, false, "LRS, ZRS, ...; absent: does not apply"),
	FIELD_WORD(struct price_row, item, &price_item_names, true, "what the meter charges for"),
	FIELD_WORD(struct price_row, unit, &price_unit_names, true, "what one price buys"),
	FIELD_NUMBER(struct price_row, price, true, 0, 1e9, "currency",
		"price of one unit; 0 is a price, an unknown price has no row"),
	FIELD_NUMBER(struct price_row, tier_min, false, 0, SCHEMA_ANY, "",
		"the price applies to units above this many (default 0)"),
	FIELD_TEXT(struct price_row, term, false, "commitment; absent: pay as you go"),
	FIELD_NUMBER(struct price_row, term_months, false, 1, 120, "months",
		"the price is for this many months at once (default: for one unit of time)"),
	FIELD_TEXT(struct price_row, product, false, "product in the provider's words"),
	FIELD_TEXT(struct price_row, meter, false, "meter in the provider's words"),
	FIELD_TEXT(struct price_row, unit_published, false, "unit in the provider's words"),
	FIELD_NUMBER(struct price_row, published_per, false, 1e-9, 1e9, "",
		"units in one published unit, as 1024 MiB/s in a GiBps (default 1)"),
	FIELD_TEXT(struct price_row, effective, false,
		"day from which the provider asks this price, YYYY-MM-DD; not a sign of age"),
	FIELD_TEXT(struct price_row, as_of, false, "date read, YYYY-MM-DD (default: the book's)"),
	FIELD_TEXT(struct price_row, source, false, "where from (default: the book's)"),
	FIELD_WORD(struct price_row, trust, &trust_names, false, "default: the book's"),
	FIELD_TEXT(struct price_row, note, false, "what a reader should know"),
};

static const struct schema row_schema = SCHEMA_PART("price", struct price_row, row_fields);

static const struct schema_field book_fields[] = {
	FIELD_TEXT(struct price_book, name, true, "name of the book, as its file"),
	FIELD_TEXT(struct price_book, provider, true, "azure, aws, gcp, alibaba, ..."),
	FIELD_TEXT(struct price_book, region, true, "region in the provider's spelling"),
	FIELD_TEXT(struct price_book, currency, true, "ISO 4217 code of every price"),
	FIELD_TEXT(struct price_book, as_of, true, "date the prices were read, YYYY-MM-DD"),
	FIELD_TEXT(struct price_book, source, true, "where the prices were read"),
	FIELD_WORD(struct price_book, trust, &trust_names, true, "class of evidence"),
	FIELD_NUMBER(struct price_book, hours_per_month, false, 1, 744, "h",
		"hours billed a month (default 730)"),
	FIELD_TEXT(struct price_book, limits, false,
		"file of the tier limits, beside the book (default limits-PROVIDER.json)"),
	FIELD_TEXT(struct price_book, note, false, "what a reader should know"),
	FIELD_LIST(struct price_book, rows, n_rows, &row_schema, true, "one row a price"),
};

const struct schema price_book_schema = SCHEMA_DOCUMENT("tierwise/prices/1",
	"What one provider charges for storage and machines in one region", struct price_book,
	book_fields);

/* Cloud storage has had list prices since 2006; a year outside 2006..2100 is a typing error. */
static int
check_date(struct jval object, const char *key, const char *text, struct err *err)
{
	int64_t days = 0, first = 0, last = 0;
	if (!text)
		return 0;
	clock_parse_date("2006-01-01", &first, NULL);
	clock_parse_date("2100-12-31", &last, NULL);
	if (clock_parse_date(text, &days, NULL) == 0 && days >= first && days <= last)
		return 0;
	return json_fail(json_get(object, key), err, ERR_RANGE,
		"%s: \"%.40s\", accepted: a calendar date YYYY-MM-DD from 2006 to 2100", key, text);
}

/* Nothing is read before its day: a date after today is a slip of the pen, or this machine's clock is. */
static int
check_read_on(struct jval object, const char *as_of, const struct price_row *row, struct err *err)
{
	char today[11];
	int64_t days = 0;
	int rc = check_date(object, "as_of", as_of, err);
	if (rc || !as_of || clock_age_days(as_of, &days, NULL) || days >= 0)
		return rc;
	clock_date_text(clock_epoch_s(), today);
	return json_fail(json_get(object, "as_of"), err, ERR_RANGE,
		"as_of: %s%s%s%s%s is dated %.10s, accepted: up to today (%s); correct the date, "
		"or this machine's clock",
		row ? row->family : "the book", row && row->sku ? " " : "",
		row && row->sku ? row->sku : "", row ? " " : "", row ? item_table[row->item] : "",
		as_of, today);
}

static int
check_head(struct jval root, struct price_book *book, struct err *err)
{
	const char *c = book->currency;
	if (strlen(c) != 3 || !isupper(c[0]) || !isupper(c[1]) || !isupper(c[2]))
		return json_fail(json_get(root, "currency"), err, ERR_RANGE,
			"currency: \"%.20s\", accepted: an ISO 4217 code of three capitals, as USD",
			c);
	if (book->limits && strchr(book->limits, '/'))
		return json_fail(json_get(root, "limits"), err, ERR_RANGE,
			"limits: \"%.80s\", accepted: a file name without a folder", book->limits);
	if (isnan(book->hours_per_month))
		book->hours_per_month = 730;
	return check_read_on(root, book->as_of, NULL, err);
}

/*
 * The dearest price of each item that can be meant, per month, 10,000 operations or GB: far
 * above what the lists of 2026 ask, so that a gross slip lands above it.
 */
static const double item_most_usd[] = {
	[PRICE_ITEM_DISK] = 1e6,
	[PRICE_ITEM_CAPACITY] = 100,
	[PRICE_ITEM_IOPS] = 10,
	[PRICE_ITEM_THROUGHPUT] = 1000,
	[PRICE_ITEM_OPERATIONS] = 1000,
	[PRICE_ITEM_MOUNT] = 1e5,
	[PRICE_ITEM_BURST] = 1e5,
	[PRICE_ITEM_BURST_OPERATIONS] = 1000,
	[PRICE_ITEM_SNAPSHOT] = 100,
	[PRICE_ITEM_RESTORE] = 100,
	[PRICE_ITEM_VCPU_RESERVATION] = 1000,
	[PRICE_ITEM_BLOB] = 100,
	[PRICE_ITEM_RETRIEVAL] = 100,
	[PRICE_ITEM_VM] = 1e6,
};
_Static_assert(
	sizeof(item_most_usd) / sizeof(item_most_usd[0]) == PRICE_ITEM_COUNT, "a bound per item");

/* Currencies whose unit is of the size of a dollar; the smallest of the others is 1/30,000. */
static double
currency_scale(const char *currency)
{
	static const char *const large[] = {
		"USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD", "CNY"};
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		if (strcmp(large[i], currency) == 0)
			return 1;
	}
	return 30000;
}

static int
check_price(
	struct jval v, const struct price_book *book, const struct price_row *row, struct err *err)
{
	double most = item_most_usd[row->item] * currency_scale(book->currency);
	double price = price_row_normal(book, row);
	if (!isnan(row->term_months) && !row->term)
		return json_fail(json_get(v, "term_months"), err, ERR_RANGE,
			"term_months: only with \"term\", which says what is committed to");
	if (price <= most)
		return 0;
	return json_fail(json_get(v, "price"), err, ERR_RANGE,
		"price: %.10g %s for %s is %.10g a month, 10,000 operations or GB, accepted: up to "
		"%.10g",
		row->price, book->currency, item_table[row->item], price, most);
}

static int
check_unit(struct jval v, const struct price_row *row, struct err *err)
{
	if (item_units[row->item] & 1 << row->unit)
		return 0;
	struct buf list;
	buf_init(&list, 256);
	for (int u = 0; u < PRICE_UNIT_COUNT; u++) {
		if (item_units[row->item] & 1 << u)
			buf_printf(&list, "%s%s", list.len ? ", " : "", unit_table[u]);
	}
	int rc = json_fail(json_get(v, "unit"), err, ERR_RANGE,
		"unit: a price for \"%s\" cannot be per \"%s\", accepted: %s",
		item_table[row->item], unit_table[row->unit], buf_text(&list));
	buf_fini(&list);
	return rc;
}

static int
check_row(struct jval v, const struct price_book *book, struct price_row *row, struct err *err)
{
	if (isnan(row->tier_min))
		row->tier_min = 0;
	int rc = check_unit(v, row, err);
	rc = rc ? rc : check_price(v, book, row, err);
	rc = rc ? rc : check_date(v, "effective", row->effective, err);
	return rc ? rc : check_read_on(v, row->as_of, row, err);
}

static int
compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Rows are for the same thing when this is 0; the order itself means nothing. */
static int
compare_rows(const struct price_row *a, const struct price_row *b)
{
	int c = a->item - b->item;
	c = c ? c : compare_text(a->family, b->family);
	c = c ? c : compare_text(a->sku, b->sku);
	c = c ? c : compare_text(a->redundancy, b->redundancy);
	c = c ? c : compare_text(a->term, b->term);
	return c ? c : (a->tier_min > b->tier_min) - (a->tier_min < b->tier_min);
}

struct entry {
	const struct price_row *row;
};

/* Equal rows stay in the order of the file, so that the message names the later one. */
static int
compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = compare_rows(a->row, b->row);
	return c ? c : (a->row > b->row) - (a->row < b->row);
}

static struct jval
element(struct jval array, size_t index)
{
	struct jval v = json_first(array);
	while (index-- > 0)
		v = json_next(v);
	return v;
}

static int
duplicate(struct jval rows, const struct price_book *book, const struct price_row *first,
	const struct price_row *second, struct err *err)
{
	size_t line = 0, column = 0;
	json_place(element(rows, (size_t)(first - book->rows)), &line, &column);
	return json_fail(element(rows, (size_t)(second - book->rows)), err, ERR_PRICE,
		"two prices for the same thing: %s%s%s%s%s %s%s%s is %.10g here and %.10g in line "
		"%zu; keep one",
		second->family, second->sku ? " " : "", second->sku ? second->sku : "",
		second->redundancy ? " " : "", second->redundancy ? second->redundancy : "",
		item_table[second->item], second->term ? ", " : "",
		second->term ? second->term : "", second->price, first->price, line);
}

static bool
same_meter(const struct price_row *a, const struct price_row *b)
{
	struct price_row lower = *b;
	lower.tier_min = a->tier_min;
	return compare_rows(a, &lower) == 0;
}

/*
 * Nought is how a price that nobody has read looks, so it needs a reason: the allowance below a paid
 * tier, or a note.
 */
static int
check_zero(struct jval rows, const struct price_book *book, const struct price_row *row,
	const struct price_row *above, struct err *err)
{
	bool allowance = above && same_meter(row, above) && above->price > 0;
	if (row->price > 0 || row->note || allowance)
		return 0;
	return json_fail(json_get(element(rows, (size_t)(row - book->rows)), "price"), err,
		ERR_RANGE,
		"price: 0 without a paid tier above it: leave the row out when the price is not "
		"known, or say in \"note\" why it is free");
}

/* "P30 LRS Disk Mount" is a few hundredths of "P30 LRS Disk": the other way round they are swapped. */
static int
check_mount(struct jval rows, const struct price_book *book, const struct price_row *mount,
	struct err *err)
{
	size_t line = 0, column = 0;
	struct price_row key = *mount;
	key.item = PRICE_ITEM_DISK;
	for (size_t i = 0; i < book->n_rows; i++) {
		const struct price_row *disk = &book->rows[i];
		if (compare_rows(&key, disk) != 0 || mount->price <= disk->price)
			continue;
		json_place(element(rows, i), &line, &column);
		return json_fail(json_get(element(rows, (size_t)(mount - book->rows)), "price"),
			err, ERR_RANGE,
			"price: a mount of %s for %.10g is dearer than the disk (%.10g in line "
			"%zu): swapped?",
			mount->sku ? mount->sku : mount->family, mount->price, disk->price, line);
	}
	return 0;
}

/*
 * No commitment of 2022 to 2026 takes off more than four fifths: below a tenth, a month's price has been
 * divided by the months of the term once more.
 */
static const double least_term_frac = 0.1;

/* Nobody commits to pay more: such a price is the total of the term, which term_months has to say. */
static int
check_term(struct jval rows, const struct price_book *book, const struct price_row *row,
	struct err *err)
{
	struct price_row key = *row;
	key.term = NULL;
	for (size_t i = 0; row->term && i < book->n_rows; i++) {
		const struct price_row *plain = &book->rows[i];
		double usual = price_row_monthly(book, plain);
		double monthly = price_row_monthly(book, row);
		if (compare_rows(&key, plain) != 0)
			continue;
		if (row->term_months > 0 && monthly < usual * least_term_frac)
			return json_fail(
				json_get(element(rows, (size_t)(row - book->rows)), "term_months"),
				err, ERR_RANGE,
				"term_months: %.10g for %g months with \"%s\" is %.10g a month, "
				"below a "
				"tenth of the %.10g without: is the price that of one month?",
				row->price, row->term_months, row->term, monthly, usual);
		if (!(monthly > usual * (1 + 1e-9)))
			continue;
		return json_fail(json_get(element(rows, (size_t)(row - book->rows)), "price"), err,
			ERR_RANGE,
			"price: %.10g a month with \"%s\" is dearer than %.10g without: the total "
			"of "
			"the term? its months go into \"term_months\"",
			monthly, row->term, usual);
	}
	return 0;
}

/* What rows are to each other: the same thing twice, a nought without reason, a mount for a disk. */
static int
check_together(struct jval rows, const struct price_book *book, struct err *err)
{
	struct entry *order = calloc(book->n_rows + 1, sizeof(*order));
	int rc = 0;
	if (!order)
		return err_nomem(err);
	for (size_t i = 0; i < book->n_rows; i++)
		order[i].row = &book->rows[i];
	qsort(order, book->n_rows, sizeof(*order), compare_entries);
	for (size_t i = 0; i < book->n_rows && rc == 0; i++) {
		const struct price_row *row = order[i].row, *next = order[i + 1].row;
		if (next && compare_rows(row, next) == 0)
			rc = duplicate(rows, book, row, next, err);
		rc = rc ? rc : check_zero(rows, book, row, next, err);
		if (rc == 0 && row->item == PRICE_ITEM_MOUNT)
			rc = check_mount(rows, book, row, err);
		rc = rc ? rc : check_term(rows, book, row, err);
	}
	free(order);
	return rc;
}

static int
check_book(struct jval root, struct price_book *book, struct err *err)
{
	struct jval rows = json_get(root, "rows");
	int rc = check_head(root, book, err);
	struct jval v = json_first(rows);
	for (size_t i = 0; i < book->n_rows && rc == 0; i++, v = json_next(v))
		rc = check_row(v, book, &book->rows[i], err);
	return rc ? rc : check_together(rows, book, err);
}

void
price_row_clear(struct price_row *row)
{
	schema_clear(&row_schema, row);
}

bool
price_row_same_thing(const struct price_row *a, const struct price_row *b)
{
	return compare_rows(a, b) == 0;
}

bool
price_item_takes(enum price_item item, enum price_unit unit)
{
	return (item_units[item] & 1 << unit) != 0;
}

int
price_book_read(struct jval root, struct arena *a, struct price_book *book, struct err *err)
{
	struct price_book read;
	int rc = schema_read(&price_book_schema, root, a, &read, err);
	rc = rc ? rc : check_book(root, &read, err);
	if (rc == 0)
		*book = read;
	return rc;
}

int
price_book_load(const char *path, struct arena *a, struct price_book *book, char sha256[65],
	struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = fetch_json(path, &doc, err);
	if (rc)
		return rc;
	rc = price_book_read(json_root(doc), a, book, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}
