/*
 * Records of comma-separated values by the grammar of RFC 4180, split in every way.
 */
#include "common.h"
#include "price/csv.h"

/* Records as text: fields between bars, lines between slashes, "3:" the line a record began in. */
static int
each(void *ctx, const char *const *fields, size_t n, size_t line, struct err *err)
{
	struct buf *out = ctx;
	(void)err;
	buf_printf(out, "%zu:", line);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? "|" : "", fields[i]);
	buf_putc(out, '/');
	return 0;
}

static int
read_pieces(const char *text, size_t piece, struct buf *out, struct err *err)
{
	struct csv *csv = NULL;
	size_t n = strlen(text);
	out->len = 0;
	assert_int_equal(csv_open("file", each, out, &csv, err), 0);
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0; i += piece)
		rc = csv_put(csv, text + i, n - i < piece ? n - i : piece, err);
	rc = rc ? rc : csv_end(csv, err);
	csv_close(csv);
	return rc;
}

static const struct {
	const char *text, *records;
} good[] = {
	{"", ""},
	{"\n\n", ""},
	{"a", "1:a/"},
	{"a,b\n", "1:a|b/"},
	{"a,b\r\nc,d\r\n", "1:a|b/2:c|d/"},
	{",\n", "1:|/"},
	{"\"\"\n", ""}, /* one empty field is an empty line */
	{"\"a\",\"\"\n", "1:a|/"},
	{"\"a,b\",\"c\"\"d\"\"\"\n", "1:a,b|c\"d\"/"},
	{"\"two\nlines\",x\nnext\n", "1:two\nlines|x/3:next/"},
	{"a\n\nb", "1:a/3:b/"},
	{"\"\r\n\",b", "1:\r\n|b/"},
};

static void
test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		for (size_t piece = 1; piece <= strlen(good[i].text) + 1; piece++) {
			struct buf out;
			struct err err = {0};
			buf_init(&out, 1000);
			if (read_pieces(good[i].text, piece, &out, &err))
				fail_msg("'%s': %s", good[i].text, err.text);
			assert_string_equal(out.len ? buf_text(&out) : "", good[i].records);
			buf_fini(&out);
		}
	}
}

static const struct {
	const char *text, *says;
} bad[] = {
	{"a\"b\n", "file:1: a quote inside a field without quotes"},
	{"x\n\"a\"b\n", "file:2: text after the closing quote"},
	{"\"a", "file:1: the file ends inside quotes"},
	{"a\rb\n", "file:1: a carriage return inside a line"},
};

static void
test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (size_t piece = 1; piece < 9; piece++) {
			struct buf out;
			struct err err = {0};
			buf_init(&out, 1000);
			assert_int_equal(read_pieces(bad[i].text, piece, &out, &err), ERR_PARSE);
			if (strncmp(err.text, bad[i].says, strlen(bad[i].says)) != 0)
				fail_msg("'%s': %s", bad[i].text, err.text);
			buf_fini(&out);
		}
	}
}

/* A NUL, a record without end, fields without end. */
static void
test_limits(void **state)
{
	(void)state;
	static char block[1 << 16];
	const char fill[] = {'x', ','};
	struct buf out;
	buf_init(&out, 1000);
	for (size_t i = 0; i < 2; i++) {
		struct csv *csv = NULL;
		struct err err = {0};
		int rc = 0;
		memset(block, fill[i], sizeof(block));
		assert_int_equal(csv_open("file", each, &out, &csv, &err), 0);
		for (int k = 0; k < 100 && rc == 0; k++)
			rc = csv_put(csv, block, sizeof(block), &err);
		assert_int_equal(rc, ERR_PARSE);
		csv_restart(csv);
		assert_int_equal(csv_put(csv, "a\0b", 3, &err), ERR_PARSE);
		csv_close(csv);
	}
	buf_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
