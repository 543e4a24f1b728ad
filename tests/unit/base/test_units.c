/* Sizes, counts and durations as people write them; overflow and nonsense are errors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"

struct size_row {
	const char *text;
	int code;
	uint64_t want;
};

static const struct size_row sizes[] = {
	{"512", 0, 512},
	{"1", 0, 1},
	{"4k", 0, 4096},
	{"4K", 0, 4096},
	{"4KiB", 0, 4096},
	{"4kB", 0, 4000},
	{"16MB", 0, 16000000},
	{"16MiB", 0, 16777216},
	{"16m", 0, 16777216},
	{"1GiB", 0, 1073741824},
	{"1GB", 0, 1000000000},
	{"1G", 0, 1073741824},
	{"2TiB", 0, 2199023255552},
	{"2TB", 0, 2000000000000},
	{"0.5k", 0, 512},
	{"1.5MB", 0, 1500000},
	{"8 KiB", 0, 8192},
	{"8192T", 0, 9007199254740992}, /* 2^53, the largest */
	{"8193T", ERR_RANGE, 0},
	{"99999999999999999999G", ERR_RANGE, 0},
	{"18446744073709551616", ERR_RANGE, 0}, /* 2^64 */
	{"1.5B", ERR_RANGE, 0},
	{"0.1k", ERR_RANGE, 0}, /* 102.4 B */
	{"0", ERR_RANGE, 0},
	{"0k", ERR_RANGE, 0},
	{"", ERR_PARSE, 0},
	{" ", ERR_PARSE, 0},
	{"-4k", ERR_PARSE, 0},
	{"+4k", ERR_PARSE, 0},
	{"4x", ERR_PARSE, 0},
	{"4kk", ERR_PARSE, 0},
	{"k", ERR_PARSE, 0},
	{".", ERR_PARSE, 0},
	{".k", ERR_PARSE, 0},
	{"0x10", ERR_PARSE, 0},
	{"1e3", ERR_PARSE, 0},
	{"inf", ERR_PARSE, 0},
	{"nan", ERR_PARSE, 0},
	{"4k ", ERR_PARSE, 0},
	{"1,000", ERR_PARSE, 0},
	{"4kib", ERR_PARSE, 0},
	{"1111111111111111111111111111111111111111111111111111111111111111111", ERR_PARSE, 0},
};

static void
test_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct size_row *r = &sizes[i];
		uint64_t got = 77;
		struct err err = {0};
		int rc = units_parse_size(r->text, &got, &err);
		if (rc != r->code || got != (rc ? 77 : r->want))
			fail_msg("\"%s\": code %d, %llu, \"%s\"", r->text, rc,
				(unsigned long long)got, err.text);
		char shown[41]; /* long ones are cut in the message */
		snprintf(shown, sizeof(shown), "%s", r->text);
		if (rc)
			assert_non_null(strstr(err.text, shown));
	}
}

struct number_row {
	const char *text;
	int code;
	double want;
};

static void
test_counts(void **state)
{
	(void)state;
	static const struct number_row rows[] = {
		{"20000", 0, 20000},
		{"160k", 0, 160000},
		{"1.2M", 0, 1200000},
		{"0", 0, 0},
		{"0.25", 0, 0.25},
		{"1000000G", 0, 1e15},
		{"1000001G", ERR_RANGE, 0},
		{"9999999999999999999999", ERR_RANGE, 0},
		{"-1", ERR_PARSE, 0},
		{"1KiB", ERR_PARSE, 0},
		{"", ERR_PARSE, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double got = -1;
		struct err err = {0};
		int rc = units_parse_count(rows[i].text, &got, &err);
		if (rc != rows[i].code || got != (rc ? -1 : rows[i].want))
			fail_msg("\"%s\": code %d, %g", rows[i].text, rc, got);
	}
}

/* What is below 0 is a number; the message says what is wrong with it. */
static void
test_below_zero(void **state)
{
	(void)state;
	double v;
	struct err err = {0};
	assert_int_equal(units_parse_count("-3", &v, &err), ERR_PARSE);
	assert_non_null(strstr(err.text, "\"-3\" is below 0"));
	assert_int_equal(units_parse_count("-x", &v, &err), ERR_PARSE);
	assert_non_null(strstr(err.text, "\"-x\" is not a number"));
}

static void
test_seconds(void **state)
{
	(void)state;
	static const struct number_row rows[] = {
		{"90", 0, 90},
		{"90s", 0, 90},
		{"3m", 0, 180},
		{"3min", 0, 180},
		{"1h", 0, 3600},
		{"250ms", 0, 0.25},
		{"0", ERR_RANGE, 0},
		{"1000000h", ERR_RANGE, 0},
		{"-1s", ERR_PARSE, 0},
		{"3 days", ERR_PARSE, 0},
		{"", ERR_PARSE, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double got = -1;
		struct err err = {0};
		int rc = units_parse_seconds(rows[i].text, &got, &err);
		if (rc != rows[i].code || fabs(got - (rc ? -1 : rows[i].want)) > 1e-12)
			fail_msg("\"%s\": code %d, %g", rows[i].text, rc, got);
	}
}

static void
test_provider_megabytes(void **state)
{
	(void)state;
	/* 200 MB/s are 200e6 / 1048576 = 190.7348632812 MiB/s */
	assert_true(fabs(units_mbps_to_mibps(200) - 190.73486328125) < 1e-9);
	assert_true(fabs(units_mibps_to_mbps(190.73486328125) - 200) < 1e-9);
	assert_true(isnan(units_mbps_to_mibps((double)NAN)));
}

struct text_row {
	double value;
	const char *want;
};

static void
test_latency_text(void **state)
{
	(void)state;
	const struct text_row rows[] = {
		{NAN, "unknown"},
		{68.2, "68.2 us"},
		{0.5, "0.5 us"},
		{123.4, "123 us"},
		{999.4e6, "999 s"},
		{1.2e9, "1,200 s"},
		{999.4, "999 us"},
		{999.6, "1 ms"}, /* never 1e+03 us */
		{4230, "4.23 ms"},
		{999400, "999 ms"},
		{999600, "1 s"},
		{1050000, "1.05 s"},
		{2196000000.0, "2,196 s"}, /* 36.6 min, where the histogram ends */
		{0, "0 us"},
		{0.1, "0.1 us"},
		{0.05, "50 ns"},
		{0.001, "1 ns"},
		{2.5e-5, "0.025 ns"},
		{1e-9, "under 0.001 ns"}, /* never 1e-09 us */
		{1e12, "1,000,000 s"},
		{1e15, "1,000,000,000 s"},
		{1e300, "over 1e15 s"},
		{(double)INFINITY, "over 1e15 s"},
	};
	char text[32];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		units_latency_text(rows[i].value, text);
		assert_string_equal(text, rows[i].want);
	}
}

static void
test_latency_fixed_text(void **state)
{
	(void)state;
	const struct text_row rows[] = {
		{NAN, "unknown"},
		{0, "0.0 us"},
		{0.5, "0.5 us"},
		{9.94, "9.9 us"},
		{9.96, "10 us"},
		{52.3, "52 us"},
		{99.4, "99 us"},
		{99.6, "0.10 ms"},
		{1758.2, "1.76 ms"},
		{15000, "15.00 ms"},
		{999990, "999.99 ms"},
		{999996, "1.00 s"},
		{1108000, "1.11 s"},
		{17112760.32, "17.11 s"},
		{1e9, "1,000 s"},
		{1e12, "1,000,000 s"},
		{0.05, "50 ns"},
		{0.001, "1 ns"},
		{0.000004, "0.004 ns"},
		{1e-9, "under 0.001 ns"},
		{1e300, "over 1e15 s"},
	};
	char text[32];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		units_latency_fixed_text(rows[i].value, text);
		assert_string_equal(text, rows[i].want);
	}
}

static void
test_other_texts(void **state)
{
	(void)state;
	const struct text_row counts[] = {
		{NAN, "unknown"},
		{0, "0"},
		{18.2, "18.2"},
		{18, "18"},
		{99.94, "99.9"},
		{99.96, "100"},
		{999, "999"},
		{1000, "1,000"},
		{12800, "12,800"},
		{1010000, "1,010,000"},
		{-1234.5, "-1,234"},
		{1e15, "1,000,000,000,000,000"},
		{1e16, "over 1e15"},
	};
	const struct text_row money[] = {
		{NAN, "unknown"},
		{148.68, "148.68"},
		{1234567.891, "1,234,567.89"},
		{-1500, "-1,500.00"},
		{0, "0.00"},
		{-0.0, "0.00"},
		{-0.001, "0.00"},
		{-0.006, "-0.01"},
		{999.995, "1,000.00"}, /* the nearest double lies above */
		/* half a cent goes up, away from zero, also where the product is stored below it */
		{5.625, "5.63"},
		{7.125, "7.13"},
		{16.425, "16.43"},
		{1.005, "1.01"},
		{22.5 * 0.73, "16.43"},
		{-5.625, "-5.63"},
		{5.6249, "5.62"},
		{16.4249999, "16.42"},
		{999999999.125, "999,999,999.13"},
		{999999999.1249, "999,999,999.12"},
	};
	const struct text_row sizes_text[] = {
		{NAN, "unknown"},
		{512, "512 B"},
		{4096, "4 KiB"},
		{1048576, "1 MiB"},
		{1536, "1.5 KiB"},
		{1099511627776.0, "1 TiB"},
	};
	char text[48];
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		units_count_text(counts[i].value, text);
		assert_string_equal(text, counts[i].want);
	}
	for (size_t i = 0; i < sizeof(money) / sizeof(money[0]); i++) {
		units_money_text(money[i].value, 2, text);
		assert_string_equal(text, money[i].want);
	}
	for (size_t i = 0; i < sizeof(sizes_text) / sizeof(sizes_text[0]); i++) {
		units_size_text(sizes_text[i].value, text);
		assert_string_equal(text, sizes_text[i].want);
	}
	units_money_text(0.00003456, 8, text);
	assert_string_equal(text, "0.00003456");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_below_zero),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_provider_megabytes),
		cmocka_unit_test(test_latency_text),
		cmocka_unit_test(test_latency_fixed_text),
		cmocka_unit_test(test_other_texts),
	};
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
