/*
 * Price books: bad documents with the error each must give, look-ups that find none or several,
 * monthly conversion, age.
 */
#include "common.h"

static struct arena arena;

static int
setup(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
	arena_init(&arena, 0);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

#define TOP "{\"schema\": \"tierwise/prices/1\", \"name\": \"t\", \"provider\": \"x\","
#define REST "\"region\": \"r\", \"source\": \"s\", \"trust\": \"published\","
#define USD "\"currency\": \"USD\","
#define DATE "\"as_of\": \"2026-08-22\","
#define HEAD TOP REST USD DATE "\"rows\": [\n"
#define ROW                                                                                        \
	"{\"family\": \"f\", \"sku\": \"A\", \"item\": \"disk\", \"unit\": \"month\", \"price\": "

static const struct {
	const char *text;
	int code;
	const char *says;
} documents[] = {
	{HEAD "]}", 0, NULL},
	{HEAD ROW "0, \"note\": \"comes with the machine\"}]}", 0, NULL},
	{HEAD ROW "0},\n" ROW "1, \"tier_min\": 3000}]}", 0, NULL},
	/* nought without a reason is a price nobody has read */
	{HEAD ROW "0}]}", ERR_RANGE,
		":2:71: price: 0 without a paid tier above it: leave the row out"},
	{HEAD ROW "0},\n" ROW "1, \"redundancy\": \"ZRS\", \"tier_min\": 3000}]}", ERR_RANGE,
		":2:71: price: 0 without a paid tier"},
	{HEAD ROW "1},\n" ROW "0, \"tier_min\": 3000}]}", ERR_RANGE, ":3:71: price: 0 without"},
	/* a lost decimal point */
	{HEAD ROW "14868000}]}", ERR_RANGE,
		":2:71: price: 14868000 USD for disk is 14868000 a month, 10,000 operations or GB, "
		"accepted: up to 1000000"},
	{HEAD "{\"family\": \"f\", \"item\": \"iops\", \"unit\": \"hour\", \"price\": 0.088}]}",
		ERR_RANGE, "0.088 USD for iops is 64.24 a month"},
	{TOP REST DATE "\"currency\": \"VND\", \"rows\": [\n" ROW "14868000}]}", 0, NULL},
	/* a mount is a few hundredths of its disk */
	{HEAD ROW "8.541},\n{\"family\": \"f\", \"sku\": \"A\", \"item\": \"mount\", \"unit\": "
		  "\"month\", \"price\": 148.68}]}",
		ERR_RANGE,
		":3:72: price: a mount of A for 148.68 is dearer than the disk (8.541 in line 2): "
		"swapped?"},
	{HEAD ROW "12, \"term_months\": 12}]}", ERR_RANGE, "term_months: only with \"term\""},
	{HEAD ROW "12, \"term\": \"1 year reservation\", \"term_months\": 12}]}", 0, NULL},
	/* 96 a year is 8 a month, under 12; as a price of one month it is above */
	{HEAD ROW "12},\n" ROW "96, \"term\": \"1 year reservation\", \"term_months\": 12}]}", 0,
		NULL},
	{HEAD ROW "12},\n" ROW "96, \"term\": \"1 year reservation\"}]}", ERR_RANGE,
		":3:71: price: 96 a month with \"1 year reservation\" is dearer than 12 without: "
		"the "
		"total of the term? its months go into \"term_months\""},
	{HEAD ROW "12, \"term\": \"t\", \"term_months\": 0}]}", ERR_RANGE, "term_months"},
	{HEAD ROW "1, \"effective\": \"2018-05-01\"}]}", 0, NULL},
	{HEAD ROW "1, \"effective\": \"soon\"}]}", ERR_RANGE, "effective: \"soon\", accepted: a"},
	{HEAD ROW "1}, // the cheap one\n" ROW "1, \"redundancy\": \"ZRS\"}]}", 0, NULL},
	{HEAD ROW "1},\n" ROW "1, \"term\": \"1 year\"}]}", 0, NULL},
	{HEAD ROW "1},\n" ROW "1, \"tier_min\": 3000}]}", 0, NULL},
	{HEAD ROW "-148.68}]}", ERR_RANGE, ":2:71: price: -148.68, accepted: 0 to 1000000000"},
	{HEAD ROW "\"148.68\"}]}", ERR_PARSE, "price: a string given, a number expected"},
	{HEAD "{\"family\": \"f\", \"item\": \"disk\", \"unit\": \"month\"}]}", ERR_PARSE,
		"\"price\" is missing"},
	{HEAD ROW "1},\n" ROW "2}]}", ERR_PRICE,
		":3:1: two prices for the same thing: f A disk is 2 here and 1 in line 2"},
	{HEAD ROW "1},\n" ROW "3, \"redundancy\": \"ZRS\"},\n" ROW "1}]}", ERR_PRICE,
		":4:1: two prices for the same thing: f A disk is 1 here and 1 in line 2"},
	{HEAD ROW "1, \"tier_min\": 0},\n" ROW "2}]}", ERR_PRICE, "two prices"},
	{TOP REST USD "\"as_of\": \"2026-13-45\", \"rows\": []}", ERR_RANGE,
		"as_of: \"2026-13-45\", accepted: a calendar date YYYY-MM-DD from 2006 to 2100"},
	{TOP REST USD "\"as_of\": \"0026-08-22\", \"rows\": []}", ERR_RANGE, "from 2006"},
	{TOP REST USD "\"as_of\": \"1999-12-31\", \"rows\": []}", ERR_RANGE, "from 2006"},
	{TOP REST USD "\"as_of\": \"2206-08-22\", \"rows\": []}", ERR_RANGE, "to 2100"},
	{TOP REST USD "\"as_of\": \"yesterday\", \"rows\": []}", ERR_RANGE, "as_of: \"yesterday\""},
	{HEAD ROW "1, \"as_of\": \"2026-02-29\"}]}", ERR_RANGE, ":2:83: as_of: \"2026-02-29\""},
	{TOP REST DATE "\"rows\": []}", ERR_PARSE, "\"currency\" is missing"},
	{TOP REST DATE "\"currency\": \"usd\", \"rows\": []}", ERR_RANGE, "currency: \"usd\""},
	{TOP REST DATE "\"currency\": \"\", \"rows\": []}", ERR_RANGE, "currency: \"\""},
	{HEAD ROW "1, \"prize\": 2}]}", ERR_PARSE,
		"unknown key \"prize\", did you mean \"price\"?"},
	{HEAD ROW "1, \"price\": 2}]}", ERR_PARSE, "key \"price\" is given twice"},
	{HEAD "{\"family\": \"f\", \"item\": \"disks\", \"unit\": \"month\", \"price\": 1}]}",
		ERR_RANGE, "\"disks\" is not a price item (did you mean \"disk\"?)"},
	{HEAD "{\"family\": \"f\", \"item\": \"disk\", \"unit\": \"gb_month\", \"price\": 1}]}",
		ERR_RANGE,
		"unit: a price for \"disk\" cannot be per \"gb_month\", accepted: month, hour"},
	{HEAD "{\"family\": \"f\", \"item\": \"snapshot\", \"unit\": \"month\", \"price\": 1}]}",
		ERR_RANGE, "cannot be per \"month\""},
	{TOP REST USD DATE "\"hours_per_month\": 0, \"rows\": []}", ERR_RANGE, "hours_per_month"},
	{TOP REST USD DATE "\"limits\": \"../x.json\", \"rows\": []}", ERR_RANGE,
		"without a folder"},
	{"{\"schema\": \"tierwise/prices/2\"}", ERR_PARSE, "this program reads"},
	{"{\"schema\": \"tierwise/profile/1\"}", ERR_PARSE, "another kind of document"},
};

static void
test_documents(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		char path[64], sha[65] = "";
		struct price_book book;
		struct err err = {0};
		write_temporary(documents[i].text, path);
		int rc = price_book_load(path, &arena, &book, sha, &err);
		unlink(path);
		if (rc != documents[i].code || (rc && !strstr(err.text, documents[i].says)))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		assert_int_equal(strlen(sha), rc ? 0 : 64);
	}
	struct price_book book;
	struct err err = {0};
	assert_int_equal(price_book_load("/nonexistent", &arena, &book, NULL, &err), ERR_IO);
}

static void
test_find(void **state)
{
	(void)state;
	struct price_book we;
	const struct price_row *row = NULL;
	struct err err = {0};
	load_book(&arena, "pricing/azure-westeurope.json", &we);
	assert_int_equal(
		price_book_find(&we, "premium_ssd", "P30", "LRS", PRICE_ITEM_DISK, &row, &err), 0);
	assert_close(row->price, 148.68);
	/* pay as you go, not the savings plan beside it */
	assert_int_equal(
		price_book_find(&we, "vm", "Standard_E8ds_v5", NULL, PRICE_ITEM_VM, &row, &err), 0);
	assert_null(row->term);
	assert_close(price_row_monthly(&we, row), 505.16); /* 0.692 x 730 */
	/* the paid tier above the free one */
	assert_int_equal(price_book_find(&we, "premium_ssd_v2", "PremiumV2_LRS", "LRS",
				 PRICE_ITEM_IOPS, &row, &err),
		0);
	assert_close(row->tier_min, 3000);
	assert_close(price_row_monthly(&we, row), 0.00584); /* 0.000008 x 730 */
	/* none: what is missing, and what exists */
	row = NULL;
	assert_int_equal(
		price_book_find(&we, "premium_ssd", "P30", "GRS", PRICE_ITEM_DISK, &row, &err),
		ERR_PRICE);
	assert_null(row);
	assert_non_null(strstr(err.text, "no price for premium_ssd P30 GRS disk"));
	assert_non_null(strstr(err.text, "premium_ssd P30 ZRS disk 222.99 USD per month"));
	/* NULL matches only rows without one */
	assert_int_equal(
		price_book_find(&we, "premium_ssd", "P30", NULL, PRICE_ITEM_DISK, &row, &err),
		ERR_PRICE);
	assert_int_equal(
		price_book_find(&we, "premium_ssd", "P3O", "LRS", PRICE_ITEM_DISK, &row, &err),
		ERR_PRICE);
	assert_non_null(strstr(err.text, "did you mean \"P3"));
}

/* Several paid rows: all are listed.  The loader refuses equal keys, so the book is made here. */
static void
test_several(void **state)
{
	(void)state;
	struct price_row rows[] = {
		{.family = "io2",
			.sku = "io2",
			.item = PRICE_ITEM_IOPS,
			.unit = PRICE_UNIT_MONTH,
			.price = 0.065,
			.meter = "EBS IOPS"},
		{.family = "io2",
			.sku = "io2",
			.item = PRICE_ITEM_IOPS,
			.unit = PRICE_UNIT_MONTH,
			.price = 0.0455,
			.tier_min = 32000,
			.meter = "EBS IOPS Tier 2"},
	};
	struct price_book book = {.name = "t",
		.currency = "USD",
		.as_of = "2026-08-22",
		.hours_per_month = 730,
		.rows = rows,
		.n_rows = 2};
	const struct price_key key = {"io2", "io2", NULL, PRICE_ITEM_IOPS, NULL};
	const struct price_row *row;
	struct price_tiers tiers;
	struct err err = {0};
	assert_int_equal(
		price_book_find(&book, "io2", "io2", NULL, PRICE_ITEM_IOPS, &row, &err), ERR_PRICE);
	assert_non_null(strstr(err.text, "has several prices: io2 io2 iops 0.065 USD per month"));
	assert_non_null(strstr(err.text, "0.0455 USD per month above 32000"));
	assert_int_equal(price_book_tiers(&book, &key, &tiers, &err), 0);
	assert_int_equal(tiers.n, 2);
	assert_close(tiers.tier[1]->tier_min, 32000);
	rows[1].tier_min = 0;
	assert_int_equal(price_book_tiers(&book, &key, &tiers, &err), ERR_PRICE);
	assert_non_null(strstr(err.text, "meter \"EBS IOPS\""));
	assert_non_null(strstr(err.text, "meter \"EBS IOPS Tier 2\""));
}

static void
test_monthly(void **state)
{
	static const struct {
		enum price_unit unit;
		double factor; /* of the price; NaN: not per time */
	} rows[] = {
		{PRICE_UNIT_MONTH, 1},
		{PRICE_UNIT_HOUR, 720},
		{PRICE_UNIT_GIB_MONTH, 1},
		{PRICE_UNIT_GB_MONTH, 1},
		{PRICE_UNIT_GIB_HOUR, 720},
		{PRICE_UNIT_GB_HOUR, 720},
		{PRICE_UNIT_10K, (double)NAN},
		{PRICE_UNIT_1M, (double)NAN},
		{PRICE_UNIT_GB, (double)NAN},
		{PRICE_UNIT_TB, (double)NAN},
	};
	_Static_assert(sizeof(rows) / sizeof(rows[0]) == PRICE_UNIT_COUNT, "a row per unit");
	const struct price_book book = {.hours_per_month = 720};
	(void)state;
	for (size_t i = 0; i < PRICE_UNIT_COUNT; i++) {
		const struct price_row row = {.unit = (int)rows[i].unit, .price = 0.25};
		double monthly = price_row_monthly(&book, &row);
		if (isnan(rows[i].factor))
			assert_true(isnan(monthly));
		else
			assert_close(monthly, 0.25 * rows[i].factor);
	}
}

/* Today is 2026-12-01 (SOURCE_DATE_EPOCH): 2026-08-22 is 9 + 30 + 31 + 30 + 1 = 101 days ago. */
static void
test_age(void **state)
{
	static const struct {
		const char *as_of;
		const char *row; /* date of a row; NULL: the book's */
		double max, age;
		int code;
		const char *finding;
	} rows[] = {
		{"2026-08-22", NULL, -1, 101, 0, "price-stale"},
		{"2026-08-22", NULL, 101, 101, 0, "price-stale"},
		{"2026-08-22", NULL, 100, 101, ERR_STALE, NULL},
		{"2026-09-02", NULL, -1, 90, 0, NULL},
		{"2026-09-01", NULL, -1, 91, 0, "price-stale"},
		{"2026-12-01", NULL, 0, 0, 0, NULL},
		{"2026-11-30", NULL, 0, 1, ERR_STALE, NULL},
		{"2026-12-01", "2026-08-22", 100, 101, ERR_STALE, NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct price_row row = {.as_of = rows[i].row};
		struct price_book book = {
			.name = "t", .as_of = rows[i].as_of, .rows = &row, .n_rows = 1};
		struct findings f;
		struct err err = {0};
		double age = -999;
		findings_init(&f, &arena);
		int rc = price_book_check_age(&book, NULL, rows[i].max, &age, &f, &err);
		assert_int_equal(rc, rows[i].code);
		assert_close(age, rows[i].age);
		assert_int_equal(f.n, rows[i].finding ? 1 : 0);
		if (rows[i].finding) {
			assert_string_equal(f.items[0].code, rows[i].finding);
			assert_non_null(f.items[0].todo);
		}
	}
}

/* What is written reads back the same. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct price_book book, again;
	struct buf first, second;
	char path[64];
	struct err err = {0};
	load_book(&arena, "pricing/azure-westeurope.json", &book);
	buf_init(&first, 0);
	buf_init(&second, 0);
	schema_write(&price_book_schema, &book, &first);
	write_temporary(buf_text(&first), path);
	if (price_book_load(path, &arena, &again, NULL, &err))
		fail_msg("%s", err.text);
	unlink(path);
	schema_write(&price_book_schema, &again, &second);
	assert_string_equal(buf_text(&first), buf_text(&second));
	assert_int_equal(again.n_rows, book.n_rows);
	buf_fini(&first);
	buf_fini(&second);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_documents),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_monthly),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
