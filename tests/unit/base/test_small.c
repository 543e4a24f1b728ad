/* Errors, dates, names, random numbers. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/json.h"
#include "base/names.h"
#include "base/printable.h"
#include "base/rng.h"

static void
test_errors(void **state)
{
	(void)state;
	struct err err = {0};
	char long_text[2000];
	assert_int_equal(err_set(&err, ERR_RANGE, "depth %d: 1..4096", 0), ERR_RANGE);
	assert_string_equal(err.text, "depth 0: 1..4096");
	assert_int_equal(err_context(&err, "%s:%d", "file", 3), ERR_RANGE);
	assert_string_equal(err.text, "file:3: depth 0: 1..4096");
	assert_int_equal(err_sys(&err, ENOENT, "%s", "/x"), ERR_IO);
	assert_string_equal(err.text, "/x: No such file or directory");
	assert_int_equal(err_nomem(&err), ERR_NOMEM);
	/* nobody listens */
	assert_int_equal(err_set(NULL, ERR_PARSE, "x"), ERR_PARSE);
	assert_int_equal(err_sys(NULL, ENOENT, "x"), ERR_IO);
	assert_int_equal(err_context(NULL, "x"), ERR_IO);
	/* no terminal obeys what a file contains */
	err_set(&err, ERR_PARSE, "unknown key \"%s\"", "a\033[2J\177\a\tb\xC3\xA9");
	assert_string_equal(err.text, "unknown key \"a?[2J??\tb\xC3\xA9\"");
	/* too long is cut and says so */
	memset(long_text, 'a', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	err_set(&err, ERR_IO, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_string_equal(err.text + sizeof(err.text) - 4, "...");
	err_sys(&err, ENOENT, "%s", long_text);
	err_context(&err, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void
test_printable(void **state)
{
	(void)state;
	/* C1 (CSI is U+009B), no-break space is none; right-to-left override, isolates, a line
	 * separator; dashes are none; not UTF-8: a stray byte, a cut sequence, a surrogate */
	static const struct {
		const char *text, *line, *lines;
	} rows[] = {
		{"", "", ""},
		{"plain na\xC3\xAFve", "plain na\xC3\xAFve", "plain na\xC3\xAFve"},
		{"a\nb\tc\r\033", "a?b?c??", "a\nb\tc??"},
		{"\302\2332J\xC2\xA0", "??2J\xC2\xA0", "??2J\xC2\xA0"},
		{"\xE2\x80\xAEx\xE2\x81\xA6", "???x???", "???x???"},
		{"\xE2\x80\xA8x\xE2\x80\x94", "???x\xE2\x80\x94", "???x\xE2\x80\x94"},
		{"\xFF.\xE2\x80", "?.??", "?.??"},
		{"\xED\xA0\x80", "???", "???"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];
		snprintf(text, sizeof(text), "%s", rows[i].text);
		printable(text, false);
		assert_string_equal(text, rows[i].line);
		snprintf(text, sizeof(text), "%s", rows[i].text);
		printable(text, true);
		assert_string_equal(text, rows[i].lines);
	}
}

struct date_row {
	const char *text;
	int64_t days; /* -1: refused */
};

static void
test_dates(void **state)
{
	(void)state;
	static const struct date_row rows[] = {
		{"1970-01-01", 0},
		{"1970-12-31", 364},
		{"2000-02-29", 11016}, /* 30 years of 365, 7 leap days before, 31 + 28 */
		{"2024-02-29", 19782},
		{"2024-12-31", 20088},
		{"2026-11-30", 20787},
		{"2026-11-30T12:00:00Z", 20787},
		{"2023-02-29", -1},
		{"2100-02-29", -1}, /* no leap year */
		{"2024-02-30", -1},
		{"2024-04-31", -1},
		{"2024-13-01", -1},
		{"2024-00-10", -1},
		{"2024-01-00", -1},
		{"2024-1-1", -1},
		{"24-01-01", -1},
		{"2024/01/01", -1},
		{"2024-01-01x", -1},
		{"2024-01-01 12:00", -1},
		{" 2024-01-01", -1},
		{"+024-01-01", -1},
		{"-001-01-01", -1},
		{"", -1},
		{"today", -1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t days = -77;
		struct err err = {0};
		int rc = clock_parse_date(rows[i].text, &days, &err);
		bool good = rows[i].days >= 0;
		if (rc != (good ? 0 : ERR_PARSE) || days != (good ? rows[i].days : -77))
			fail_msg("\"%s\": code %d, %lld", rows[i].text, rc, (long long)days);
	}
}

static void
test_date_texts(void **state)
{
	(void)state;
	char date[11], iso[21];
	clock_date_text(951782400, date); /* 11016 x 86400 */
	assert_string_equal(date, "2000-02-29");
	clock_iso_text(951782400 + 86399, iso);
	assert_string_equal(iso, "2000-02-29T23:59:59Z");
	clock_iso_text(0, iso);
	assert_string_equal(iso, "1970-01-01T00:00:00Z");
}

static void
test_today_is_fixed_by_the_environment(void **state)
{
	(void)state;
	int64_t days = 0;
	struct err err = {0};
	setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
	assert_true(clock_epoch_s() == 1796083200);
	assert_int_equal(clock_age_days("2026-08-22", &days, &err), 0);
	assert_true(days == 101); /* 9 + 30 + 31 + 30 + 1 */
	assert_int_equal(clock_age_days("2026-12-03", &days, &err), 0);
	assert_true(days == -2);
	assert_int_equal(clock_age_days("2026-12-32", &days, &err), ERR_PARSE);
	setenv("SOURCE_DATE_EPOCH", "yesterday", 1); /* not valid: the system clock */
	assert_true(clock_epoch_s() > 1700000000);
	setenv("SOURCE_DATE_EPOCH", "-1", 1);
	assert_true(clock_epoch_s() > 1700000000);
	unsetenv("SOURCE_DATE_EPOCH");
	int64_t before = clock_ns();
	assert_true(clock_ns() >= before);
}

struct near_row {
	const char *text, *want;
};

static void
test_nearest(void **state)
{
	(void)state;
	static const char *const known[] = {
		"capacity_gib", "read_iops", "write_iops", "role", "ab"};
	static const struct near_row rows[] = {
		{"read_iops", "read_iops"}, {"raed_iosp", "read_iops"}, /* two edits of nine */
		{"capacity_gb", "capacity_gib"}, {"Role", "role"}, {"roll", "role"},
		{"ac", "ab"}, /* one edit is always allowed */
		{"xy", NULL}, {"latency", NULL}, {"", NULL}, {"a", "ab"},
		{"ba", "ab"}, /* a swap is one edit */
		{"rloe", "role"}, {"rleo", NULL}, /* two swaps */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got = names_nearest(rows[i].text, known, 5, sizeof(known[0]));
		if ((got == NULL) != (rows[i].want == NULL) ||
			(got && strcmp(got, rows[i].want) != 0))
			fail_msg("\"%s\": %s", rows[i].text, got ? got : "none");
	}
	/* names inside structs, holes, and words longer than the comparison */
	static const struct {
		const char *name;
		int other;
	} table[] = {{"first", 1}, {NULL, 2}, {"second", 3}};
	assert_string_equal(names_nearest("secnd", &table[0].name, 3, sizeof(table[0])), "second");
	char long_word[5000];
	memset(long_word, 'a', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	assert_null(names_nearest("zzz", known, 0, sizeof(known[0])));
	(void)names_nearest(long_word, known, 5, sizeof(known[0]));
}

static void
test_names(void **state)
{
	(void)state;
	static const char *const table[] = {"zero", NULL, "two"};
	static const struct names names = {"number", table, 3};
	static const char *const three[] = {"a", "b", "c"};
	static const struct names all = {"letter", three, 3};
	struct buf b;
	assert_int_equal(names_find(&names, "two"), 2);
	assert_int_equal(names_find(&names, "Two"), -1);
	assert_int_equal(names_find(&names, ""), -1);
	assert_string_equal(names_text(&names, 0), "zero");
	assert_string_equal(names_text(&names, 1), "unknown");
	assert_string_equal(names_text(&names, 3), "unknown");
	assert_string_equal(names_text(&names, -1), "unknown");
	buf_init(&b, 0);
	names_list(&all, &b);
	assert_string_equal(buf_text(&b), "a, b or c");
	buf_fini(&b);
}

/* First outputs of the authors' reference code: state 1, 2, 3, 4; and splitmix64 from 0. */
static void
test_random_reference(void **state)
{
	(void)state;
	struct rng r = {{1, 2, 3, 4}};
	assert_true(rng_next(&r) == 11520);
	assert_true(rng_next(&r) == 0);
	assert_true(rng_next(&r) == 1509978240);
	assert_true(rng_next(&r) == 1215971899390074240ULL);
	rng_seed(&r, 0);
	assert_true(r.s[0] == 0xe220a8397b1dcdafULL);
	assert_true(r.s[1] == 0x6e789e6aa1b965f4ULL);
}

static void
test_random_laws(void **state)
{
	(void)state;
	enum { N = 200000 };
	struct rng r;
	rng_seed(&r, 42);
	double uniform = 0, normal = 0, square = 0, exponential = 0;
	size_t die[6] = {0};
	for (int i = 0; i < N; i++) {
		double u = rng_uniform(&r), z = rng_normal(&r);
		assert_true(u > 0 && u < 1);
		uniform += u;
		normal += z;
		square += z * z;
		exponential += rng_exponential(&r);
		uint64_t side = rng_below(&r, 6);
		assert_true(side < 6);
		die[side]++;
	}
	/* 5 standard errors: 0.29, 1, 1.41 and 1 over the root of N */
	double se = 5 / sqrt(N);
	assert_true(fabs(uniform / N - 0.5) < 0.29 * se);
	assert_true(fabs(normal / N) < se);
	assert_true(fabs(square / N - 1) < 1.42 * se);
	assert_true(fabs(exponential / N - 1) < se);
	for (int i = 0; i < 6; i++)
		assert_true(fabs((double)die[i] / N - 1.0 / 6) < 0.38 * se);
	assert_true(rng_below(&r, 1) == 0);
}

static void
test_findings(void **state)
{
	(void)state;
	struct arena a;
	struct findings f;
	arena_init(&a, 0);
	findings_init(&f, &a);
	char todo[] = "measure again";
	findings_add(&f, SEVERITY_WARNING, "little-law", todo, "off by %d %%", 12);
	todo[0] = 'X'; /* a copy was taken */
	findings_add(&f, SEVERITY_NOTE, "short", NULL, "x");
	assert_int_equal(f.n, 2);
	assert_string_equal(f.items[0].text, "off by 12 %");
	assert_string_equal(f.items[0].todo, "measure again");
	assert_ptr_equal(findings_find(&f, "short"), &f.items[1]);
	assert_null(findings_find(&f, "none"));
	arena_fini(&a);
	/* without memory a finding is dropped, not half added */
	arena_init(&a, 1);
	findings_init(&f, &a);
	findings_add(&f, SEVERITY_NOTE, "c", NULL, "t");
	assert_int_equal(f.n, 0);
	arena_fini(&a);
}

/* What goes out as JSON comes back as JSON, whatever bytes a file name had. */
static void
test_json_strings(void **state)
{
	(void)state;
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"", "\"\""}, {"a\"b\\c", "\"a\\\"b\\\\c\""},
		{"\n\t\r\x01", "\"\\n\\t\\u000d\\u0001\""}, {"\xC3\xA9", "\"\xC3\xA9\""},
		{"a\xFF\x62", "\"a\xEF\xBF\xBD\x62\""},
		{"\xC3", "\"\xEF\xBF\xBD\""}, /* cut in the middle */
		{"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* a surrogate */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b;
		struct json_doc *doc = NULL;
		struct err err = {0};
		buf_init(&b, 0);
		json_put_string(&b, rows[i].text);
		assert_string_equal(buf_text(&b), rows[i].want);
		assert_int_equal(json_parse("t", b.text, b.len, &doc, &err), 0);
		json_free(doc);
		buf_fini(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_printable),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_date_texts),
		cmocka_unit_test(test_today_is_fixed_by_the_environment),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_random_reference),
		cmocka_unit_test(test_random_laws),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_json_strings),
	};
	return cmocka_run_group_tests_name("small", tests, NULL, NULL);
}
