/* JSON reading: places, comments, odd texts; every row is input, expected code, expected message
 * part. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

struct row {
	const char *text;
	size_t n; /* 0: strlen */
	int code;
	const char *says;
};

static const struct row rows[] = {
	{"{}", 0, 0, NULL},
	{"\xEF\xBB\xBF{\"a\": 1}", 0, 0, NULL},
	{"{ // note\n \"a\": /* two\nlines */ 1 }", 0, 0, NULL},
	{"{\"a\": \"// not a comment /* nor this */\"}", 0, 0, NULL},
	{"{\"a\": 1 /**/}", 0, 0, NULL},
	{"{} // last line without newline", 0, 0, NULL},
	{"", 0, ERR_PARSE, "t: empty"},
	{"  \n ", 0, ERR_PARSE, "t: empty"},
	{"// only a comment\n", 0, ERR_PARSE, "t: empty"},
	{"{\"a\": 1", 0, ERR_PARSE, "ends early: cut after 7 bytes"},
	{"{\"a\": tru", 0, ERR_PARSE, "ends early: cut after 9 bytes"},
	{"{\"a\": -1.", 0, ERR_PARSE, "ends early"},
	{"{\"a\": tru, \"b\": 1}", 0, ERR_PARSE, "t:1:7: not JSON here"},
	{"{\"a\": [1, 2", 0, ERR_PARSE, "ends early"},
	{"{\"a\": ]}", 0, ERR_PARSE, "t:1:7: not JSON here"},
	{"{\v\"a\": 1}", 0, ERR_PARSE, "t:1:2: not JSON here: control character 0x0b"},
	{"\f{}", 0, ERR_PARSE, "t:1:1: not JSON here: control character 0x0c"},
	{"{\n  \"a\": 1,\n  b: 2\n}", 0, ERR_PARSE, "t:3:3: not JSON here"},
	{"{} {}", 0, ERR_PARSE, "t:1:4: text after the end"},
	{"{ /* open", 0, ERR_PARSE, "t:1:3: a comment that never ends"},
	{"{\"a\": \"\xff\"}", 0, ERR_PARSE, "t:1:8: byte 0xff: the text must be UTF-8"},
	{"{\"a\": \"\xc0\x80\"}", 0, ERR_PARSE, "UTF-8"},
	{"{\"a\": 1\0}", 9, ERR_PARSE, "a NUL byte"},
};

static void
test_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct json_doc *doc = NULL;
		struct err err = {0};
		int rc = json_parse("t", r->text, r->n ? r->n : strlen(r->text), &doc, &err);
		if (rc != r->code || (r->says && !strstr(err.text, r->says)))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		assert_true((doc != NULL) == (rc == 0));
		json_free(doc);
	}
}

static void
test_places(void **state)
{
	(void)state;
	static const char text[] =
		"{\n  \"s\": \"a \\\"q\\\" b\",\n  \"list\": [ 1,\n    {\"x\": true}, [], null ],\n"
		"\t\"\xC3\xA9 key\" : -2.5e3\n}";
	struct json_doc *doc = NULL;
	struct err err = {0};
	assert_int_equal(json_parse("t", text, strlen(text), &doc, &err), 0);
	struct jval root = json_root(doc);
	size_t line, column;
	json_place(json_get(root, "s"), &line, &column);
	assert_int_equal(line, 2);
	assert_int_equal(column, 8);
	struct jval list = json_get(root, "list");
	assert_int_equal(json_count(list), 4);
	struct jval second = json_next(json_first(list));
	json_place(json_get(second, "x"), &line, &column);
	assert_int_equal(line, 4);
	assert_int_equal(column, 11);
	struct jval last = json_get(root, "\xC3\xA9 key");
	json_place(last, &line, &column);
	assert_int_equal(line, 5);
	assert_int_equal(column, 12); /* columns count characters, not bytes */
	assert_true(json_number(last) == -2500);
	json_fail_key(last, &err, ERR_RANGE, "no");
	assert_string_equal(err.text, "t:5:2: no");
	assert_int_equal(json_type(json_get(root, "S")), JSON_ABSENT); /* case matters */
	assert_true(isnan(json_number(json_get(root, "none"))));
	json_free(doc);
}

static void
test_numbers_read_back(void **state)
{
	(void)state;
	static const double values[] = {0, 1, -1, 0.1, 148.68, 8e-06, 1.0 / 3, 3964.34, 1e300,
		5e-324, 123456789012345680.0};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct buf out;
		buf_init(&out, 0);
		json_put_number(&out, values[i]);
		assert_true(strtod(buf_text(&out), NULL) == values[i]);
		buf_fini(&out);
	}
	struct buf out;
	buf_init(&out, 0);
	json_put_number(&out, 148.68);
	assert_string_equal(buf_text(&out), "148.68");
	buf_fini(&out);
}

static void
test_depth(void **state)
{
	(void)state;
	enum { DEEP = 100000 };
	char *text = malloc(DEEP);
	assert_non_null(text);
	memset(text, '[', DEEP);
	struct json_doc *doc = NULL;
	struct err err = {0};
	assert_int_equal(json_parse("t", text, DEEP, &doc, &err), ERR_PARSE);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_numbers_read_back),
		cmocka_unit_test(test_depth),
	};
	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
