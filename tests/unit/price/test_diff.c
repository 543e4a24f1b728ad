/*
 * What changed between two books, what of it is drift, and a bill at the prices of the other book.
 * Amounts are computed by hand beside each case.
 */
#include "base/json.h"
#include "common.h"
#include "price/reprice.h"

static void
read_book(struct arena *a, const char *head, const char *rows, struct price_book *book)
{
	struct json_doc *doc = NULL;
	struct err err = {0};
	const char *text = arena_printf(a,
		"{\"schema\":\"tierwise/prices/1\",\"name\":\"b\",\"region\":\"r\",\"as_of\":"
		"\"2026-08-22\",\"source\":\"s\",\"trust\":\"published\",%s,\"rows\":[%s]}",
		head, rows);
	if (json_parse("book", text, strlen(text), &doc, &err) ||
		price_book_read(json_root(doc), a, book, &err))
		fail_msg("%s", err.text);
	json_free(doc);
}

#define HEAD "\"provider\":\"p\",\"currency\":\"USD\""
#define DISK(family, sku, price)                                                                   \
	"{\"family\":\"" family "\",\"sku\":\"" sku                                                \
	"\",\"item\":\"disk\",\"unit\":\"month\",\"price\":" price ",\"meter\":\"" sku " Disk\"}"
#define IOPS(price, from)                                                                          \
	"{\"family\":\"v\",\"sku\":\"V\",\"item\":\"iops\",\"unit\":\"hour\",\"price\":" price     \
	",\"tier_min\":" from ",\"meter\":\"V IOPS\"}"
#define SPACE(unit, price)                                                                         \
	"{\"family\":\"v\",\"sku\":\"V\",\"item\":\"capacity\",\"unit\":\"" unit                   \
	"\",\"price\":" price ",\"meter\":\"V GiB\"}"

/* One row before and after; what it is called and whether it is drift at 20 %. */
static const struct {
	const char *old, *now;
	int kind; /* -1: the same */
	double delta, frac; /* NaN for the last two kinds */
	bool drift;
} changes[] = {
	{DISK("f", "A", "10"), DISK("f", "A", "10"), -1, 0, 0, false},
	{DISK("f", "A", "10"), DISK("f", "A", "12"), PRICE_CHANGE_PRICE, 2, 0.2, false},
	{DISK("f", "A", "10"), DISK("f", "A", "12.01"), PRICE_CHANGE_PRICE, 2.01, 0.201, true},
	{DISK("f", "A", "10"), DISK("f", "A", "8"), PRICE_CHANGE_PRICE, -2, -0.2, false},
	{DISK("f", "A", "10"), DISK("f", "A", "1"), PRICE_CHANGE_PRICE, -9, -0.9, true},
	{SPACE("gib_month", "0.1"), SPACE("gb_month", "0.1"), PRICE_CHANGE_UNIT, (double)NAN,
		(double)NAN, true},
	/* 0.1 an hour are 73 a month of 730 hours */
	{SPACE("gib_month", "0.1"), SPACE("gib_hour", "0.1"), PRICE_CHANGE_PRICE, 72.9, 729, true},
	/* half of the ninth decimal is 3.65e-7 a month: 0.04 is published as 0.000054795 an hour */
	{SPACE("gib_hour", "0.000054795"), SPACE("gib_month", "0.04"), -1, 0, 0, false},
	{SPACE("gib_month", "0.04"), SPACE("gib_hour", "0.000054795"), -1, 0, 0, false},
	{SPACE("gib_month", "0.04"), SPACE("gib_hour", "0.0000548"), PRICE_CHANGE_PRICE, 4e-6, 1e-4,
		false},
	{SPACE("gib_month", "0.04"), SPACE("gib_month", "0.0400003"), PRICE_CHANGE_PRICE, 3e-7,
		7.5e-6, false},
	{"", DISK("f", "A", "10"), PRICE_CHANGE_ADDED, (double)NAN, (double)NAN, false},
	{DISK("f", "A", "10"), "", PRICE_CHANGE_REMOVED, (double)NAN, (double)NAN, true},
};

static void
assert_same_number(double got, double want)
{
	if (!(isnan(got) && isnan(want)))
		assert_close(got, want);
}

static void
test_changes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct arena a;
		struct price_book old, now;
		struct price_diff d;
		struct err err = {0};
		arena_init(&a, 0);
		read_book(&a, HEAD, changes[i].old, &old);
		read_book(&a, HEAD, changes[i].now, &now);
		assert_int_equal(price_diff(&old, &now, &a, &d, &err), 0);
		assert_int_equal(d.n, changes[i].kind >= 0);
		assert_int_equal(d.n_same, changes[i].kind < 0);
		if (d.n) {
			assert_int_equal(d.items[0].kind, changes[i].kind);
			assert_same_number(d.items[0].delta, changes[i].delta);
			assert_same_number(d.items[0].frac, changes[i].frac);
			if (price_change_is_drift(&d.items[0], 0.2 + 1e-12) != changes[i].drift)
				fail_msg("case %zu: drift", i);
		}
		arena_fini(&a);
	}
}

static void
test_drift_text(void **state)
{
	(void)state;
	struct arena a;
	struct price_book old, now;
	struct price_diff d;
	struct err err = {0};
	struct buf text;
	arena_init(&a, 0);
	buf_init(&text, 1000);
	read_book(&a, HEAD,
		DISK("f", "A", "10") "," DISK("f", "B", "10") "," DISK("f", "C", "10") "," DISK(
			"g", "D", "10") "," DISK("f", "E", "10"),
		&old);
	read_book(&a, HEAD, DISK("f", "C", "20") "," DISK("g", "D", "1") "," DISK("f", "E", "10.5"),
		&now);
	assert_int_equal(price_diff(&old, &now, &a, &d, &err), 0);
	assert_int_equal(price_drift(&d, 0.2, &text), 4);
	assert_string_equal(buf_text(&text), "f loses 2 rows, moves 1 price by more than 20 %; g "
					     "moves 1 price by more than 20 %");
	buf_fini(&text);
	arena_fini(&a);
}

/* 10 a month is 7,300 a month of 730 hours when it is an hour's; the unit is the reason told. */
static void
test_unit_drift_text(void **state)
{
	(void)state;
	struct arena a;
	struct price_book old, now;
	struct price_diff d;
	struct err err = {0};
	struct buf text;
	arena_init(&a, 0);
	buf_init(&text, 1000);
	read_book(&a, HEAD, DISK("f", "A", "10") "," DISK("f", "B", "10"), &old);
	read_book(&a, HEAD,
		"{\"family\":\"f\",\"sku\":\"A\",\"item\":\"disk\",\"unit\":\"hour\","
		"\"price\":10,\"unit_published\":\"1/Hour\"}," DISK("f", "B", "20"),
		&now);
	assert_int_equal(price_diff(&old, &now, &a, &d, &err), 0);
	assert_int_equal(price_drift(&d, 0.2, &text), 2);
	assert_string_equal(buf_text(&text),
		"f changes 1 unit (month to 1/Hour), moves 1 price by more than 20 %");
	buf_fini(&text);
	arena_fini(&a);
}

static void
test_nothing_compares(void **state)
{
	(void)state;
	struct arena a;
	struct price_book usd, eur, other;
	struct price_diff d;
	struct err err = {0};
	arena_init(&a, 0);
	read_book(&a, HEAD, "", &usd);
	read_book(&a, "\"provider\":\"p\",\"currency\":\"EUR\"", "", &eur);
	read_book(&a, "\"provider\":\"q\",\"currency\":\"USD\"", "", &other);
	assert_int_equal(price_diff(&usd, &eur, &a, &d, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "one currency"));
	assert_int_equal(price_diff(&usd, &other, &a, &d, &err), ERR_RANGE);
	arena_fini(&a);
}

/* A line of a bill and what becomes of it; NaN: unknown, for the reason. */
struct line_case {
	struct bill_line line;
	double amount;
	const char *why;
};

/* Hourly prices are billed at 730 h: 0.00001 an hour is 0.0073 a month, 0.00002 is 0.0146. */
static const struct line_case lines[] = {
	{{.what = "A",
		 .meter = "A Disk",
		 .sku = "A",
		 .quantity = 2,
		 .unit = "disk",
		 .unit_price = 10,
		 .amount = 20},
		24, NULL}, /* 2 x 12 */
	{{.what = "iops",
		 .meter = "V IOPS",
		 .sku = "V",
		 .quantity = 1000,
		 .unit = "IOPS above 3,000",
		 .unit_price = 0.0073,
		 .amount = 7.3},
		14.6, NULL}, /* 1,000 x 0.0146 */
	{{.what = "gone",
		 .meter = "B Disk",
		 .sku = "B",
		 .quantity = 1,
		 .unit = "disk",
		 .unit_price = 5,
		 .amount = 5},
		(double)NAN, "no price"},
	{{.what = "unit",
		 .meter = "V GiB",
		 .sku = "V",
		 .quantity = 100,
		 .unit = "GiB",
		 .unit_price = 0.1,
		 .amount = 10},
		(double)NAN, "another unit"},
	{{.what = "other book",
		 .meter = "A Disk",
		 .sku = "A",
		 .quantity = 1,
		 .unit = "disk",
		 .unit_price = 11,
		 .amount = 11},
		(double)NAN, "made from another"},
	{{.what = "nowhere",
		 .meter = "Z Disk",
		 .sku = "Z",
		 .quantity = 1,
		 .unit = "disk",
		 .unit_price = 11,
		 .amount = 11},
		(double)NAN, "not in the old book"},
	{{.what = "unknown",
		 .meter = NULL,
		 .sku = "Z",
		 .quantity = 1,
		 .unit = "disk",
		 .unit_price = (double)NAN,
		 .amount = (double)NAN},
		(double)NAN, "unknown in the plan"},
};

static void
test_reprice(void **state)
{
	(void)state;
	struct arena a;
	struct price_book old, now;
	struct err err = {0};
	arena_init(&a, 0);
	read_book(&a, HEAD,
		DISK("f", "A", "10") "," DISK("f", "B", "5") "," IOPS("0", "0") "," IOPS(
			"0.00001", "3000") "," SPACE("gib_month", "0.1"),
		&old);
	read_book(&a, HEAD,
		DISK("f", "A", "12") "," IOPS("0", "0") "," IOPS("0.00002", "3000") "," SPACE(
			"gb_month", "0.1"),
		&now);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct bill_line line = lines[i].line;
		struct bill bill = {.currency = "USD", .lines = &line, .n_lines = 1};
		struct repriced r;
		assert_int_equal(bill_reprice(&bill, &old, &now, &a, &r, &err), 0);
		assert_int_equal(r.n, 1);
		assert_same_number(r.lines[0].amount, lines[i].amount);
		assert_int_equal(r.complete, lines[i].why == NULL);
		if (lines[i].why && (!r.lines[0].why || !strstr(r.lines[0].why, lines[i].why)))
			fail_msg("%s: \"%s\"", line.what, r.lines[0].why ? r.lines[0].why : "");
	}
	struct bill cny = {.currency = "CNY"};
	struct repriced r;
	assert_int_equal(bill_reprice(&cny, &old, &now, &a, &r, &err), ERR_RANGE);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_drift_text),
		cmocka_unit_test(test_unit_drift_text),
		cmocka_unit_test(test_nothing_compares),
		cmocka_unit_test(test_reprice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
