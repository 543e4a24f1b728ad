/* Documents by tables: every message with its place, every kind there and back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/schema.h"

static const char *const colour_table[] = {"red", "green", "blue"};
static const struct names colour_names = {"colour", colour_table, 3};

struct part {
	double x;
	const char *label;
};

struct thing {
	const char *name;
	double ratio, any, least;
	int64_t count;
	int flag;
	int colour;
	struct part *part;
	struct part *parts;
	size_t n_parts;
	double *numbers;
	size_t n_numbers;
	const char **texts;
	size_t n_texts;
	struct jval raw;
};

static const struct schema_field part_fields[] = {
	FIELD_NUMBER(struct part, x, true, -SCHEMA_ANY, 10, "m", "how far"),
	FIELD_TEXT(struct part, label, false, "what to call it"),
};
static const struct schema part_schema = SCHEMA_PART("a part", struct part, part_fields);

static const struct schema_field thing_fields[] = {
	FIELD_TEXT(struct thing, name, true, "what it is called"),
	FIELD_NUMBER(struct thing, ratio, false, 0, 1, "", "a share"),
	FIELD_NUMBER(struct thing, any, false, -SCHEMA_ANY, SCHEMA_ANY, "", "anything"),
	FIELD_NUMBER(struct thing, least, false, 1, SCHEMA_ANY, "GiB", "at least 1"),
	FIELD_COUNT(struct thing, count, false, -5, 1000, "", "how many"),
	FIELD_FLAG(struct thing, flag, "whether"),
	FIELD_WORD(struct thing, colour, &colour_names, false, "its colour"),
	FIELD_PART(struct thing, part, &part_schema, false, "its part"),
	FIELD_LIST(struct thing, parts, n_parts, &part_schema, false, "its parts"),
	FIELD_NUMBERS(struct thing, numbers, n_numbers, false, 0, 9, "", "numbers"),
	FIELD_TEXTS(struct thing, texts, n_texts, false, "texts"),
	FIELD_RAW(struct thing, raw, false, "anything at all"),
};
static const struct schema thing_schema = SCHEMA_DOCUMENT(
	"tierwise/thing/1", "a thing", struct thing, thing_fields);

#define HEAD "{\"schema\": \"tierwise/thing/1\",\n\"name\": \"n\""

struct row {
	const char *text;
	int code;
	const char *says;
};

static const struct row rows[] = {
	{HEAD "}", 0, NULL},
	{HEAD ", \"ratio\": null, \"part\": null, \"colour\": null}", 0, NULL},
	/* the kind of document */
	{"[]", ERR_PARSE, "t:1:1: an array given, an object (a thing) expected"},
	{"{\"name\": \"n\"}", ERR_PARSE,
		"t:1:1: no \"schema\" key, expected \"schema\": \"tierwise/thing/1\""},
	{"{\"schema\": \"tierwise/thing/2\", \"name\": \"n\"}", ERR_PARSE,
		"t:1:12: schema \"tierwise/thing/2\": this program reads \"tierwise/thing/1\""},
	{"{\"schema\": \"tierwise/plan/1\"}", ERR_PARSE,
		"t:1:12: schema \"tierwise/plan/1\" is another kind of document"},
	{"{\"schema\": 5}", ERR_PARSE, "t:1:12: schema \"a number\" is another kind"},
	/* missing */
	{"{\"schema\": \"tierwise/thing/1\"}", ERR_PARSE,
		"t:1:1: \"name\" is missing (a string): what it is called"},
	{"{\"schema\": \"tierwise/thing/1\", \"name\": null}", ERR_PARSE,
		"t:1:1: \"name\" is missing"},
	{HEAD ",\n  \"part\": {}}", ERR_PARSE, "t:3:11: \"x\" is missing (a number): how far"},
	{HEAD ",\n\"parts\": [{\"x\": 1},\n {}]}", ERR_PARSE, "t:4:2: \"x\" is missing"},
	/* unknown and twice */
	{HEAD ",\n \"rati\": 1}", ERR_PARSE,
		"t:3:2: unknown key \"rati\", did you mean \"ratio\"?"},
	{HEAD ",\n \"Ratio\": 1}", ERR_PARSE, "t:3:2: unknown key \"Ratio\", did you mean"},
	{HEAD ",\n \"zebra\": 1}", ERR_PARSE, "t:3:2: unknown key \"zebra\""},
	{HEAD ",\n\"part\": {\"x\": 1, \"lable\": \"l\"}}", ERR_PARSE,
		"t:3:18: unknown key \"lable\", did you mean \"label\"?"},
	{HEAD ",\n \"flag\": true,\n \"flag\": true}", ERR_PARSE,
		"t:4:2: key \"flag\" is given twice"},
	{HEAD ",\n \"schema\": \"tierwise/thing/2\"}", ERR_PARSE,
		"t:3:2: key \"schema\" is given twice"},
	/* types */
	{HEAD ",\n\"ratio\": \"1\"}", ERR_PARSE,
		"t:3:10: ratio: a string given, a number expected"},
	{HEAD ",\n\"ratio\": true}", ERR_PARSE, "t:3:10: ratio: true or false given"},
	{HEAD ",\n\"count\": []}", ERR_PARSE, "count: an array given, a whole number expected"},
	{HEAD ",\n\"flag\": 1}", ERR_PARSE, "t:3:9: flag: a number given, true or false expected"},
	{HEAD ",\n\"colour\": 1}", ERR_PARSE, "colour: a number given, one of the words expected"},
	{HEAD ",\n\"part\": []}", ERR_PARSE, "part: an array given, an object expected"},
	{HEAD ",\n\"parts\": {}}", ERR_PARSE, "parts: an object given, an array of objects"},
	{HEAD ",\n\"parts\": [{\"x\": 1}, 3]}", ERR_PARSE, "t:3:21: parts: a number given"},
	{HEAD ",\n\"numbers\": [1, \"2\"]}", ERR_PARSE, "t:3:16: numbers: a string given"},
	{HEAD ",\n\"texts\": [\"a\", null]}", ERR_PARSE, "t:3:16: texts: null given"},
	{"{\"schema\": \"tierwise/thing/1\", \"name\": 1}", ERR_PARSE,
		"t:1:40: name: a number given, a string expected"},
	/* ranges */
	{HEAD ",\n\"ratio\": 1.5}", ERR_RANGE, "t:3:10: ratio: 1.5, accepted: 0 to 1"},
	{HEAD ",\n\"ratio\": -1e-9}", ERR_RANGE, "ratio: -1e-09, accepted: 0 to 1"},
	{HEAD ",\n\"ratio\": 1}", 0, NULL},
	{HEAD ",\n\"least\": 0}", ERR_RANGE, "least: 0, accepted: 1 or more GiB"},
	{HEAD ",\n\"any\": 1e999}", ERR_RANGE, "any: inf, accepted: any finite number"},
	{HEAD ",\n\"part\": {\"x\": 10.5}}", ERR_RANGE, "x: 10.5, accepted: at most 10 m"},
	{HEAD ",\n\"count\": 2.5}", ERR_RANGE, "count: 2.5 is not a whole number"},
	{HEAD ",\n\"count\": 1001}", ERR_RANGE, "count: 1001, accepted: -5 to 1000"},
	{HEAD ",\n\"numbers\": [1, 10]}", ERR_RANGE, "t:3:16: numbers: 10, accepted: 0 to 9"},
	{HEAD ",\n\"colour\": \"gren\"}", ERR_RANGE,
		"t:3:11: colour: \"gren\" is not a colour (did you mean \"green\"?); accepted: "
		"red, "
		"green or blue"},
	{HEAD ",\n\"colour\": \"octarine\"}", ERR_RANGE, "\"octarine\" is not a colour; accepted"},
};

static void
test_messages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct json_doc *doc = NULL;
		struct thing t;
		struct err err = {0};
		arena_init(&a, 0);
		assert_int_equal(
			json_parse("t", rows[i].text, strlen(rows[i].text), &doc, &err), 0);
		int rc = schema_read(&thing_schema, json_root(doc), &a, &t, &err);
		if (rc != rows[i].code || (rows[i].says && !strstr(err.text, rows[i].says)))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		json_free(doc);
		arena_fini(&a);
	}
}

static void
test_absent(void **state)
{
	(void)state;
	struct thing t;
	memset(&t, 0x5a, sizeof(t));
	schema_clear(&thing_schema, &t);
	assert_null(t.name);
	assert_true(isnan(t.ratio) && isnan(t.any));
	assert_true(t.count == SCHEMA_NONE);
	assert_int_equal(t.flag, -1);
	assert_int_equal(t.colour, -1);
	assert_null(t.part);
	assert_true(!t.parts && t.n_parts == 0 && !t.numbers && t.n_numbers == 0);
	assert_true(!t.texts && t.n_texts == 0);
	assert_null(t.raw.node);
	struct buf out;
	buf_init(&out, 0);
	schema_write(&thing_schema, &t, &out);
	assert_string_equal(buf_text(&out), "{\n  \"schema\": \"tierwise/thing/1\"\n}\n");
	buf_fini(&out);
}

static const char whole[] = "{\n"
			    "  \"schema\": \"tierwise/thing/1\",\n"
			    "  \"name\": \"a \\\"quoted\\\" back\\\\slash\\n\\ttab \xC3\xA9\",\n"
			    "  \"ratio\": 0.1,\n"
			    "  \"any\": -1.25e-300,\n"
			    "  \"least\": 1,\n"
			    "  \"count\": -5,\n"
			    "  \"flag\": false,\n"
			    "  \"colour\": \"blue\",\n"
			    "  \"part\": {\n"
			    "    \"x\": 10,\n"
			    "    \"label\": \"\"\n"
			    "  },\n"
			    "  \"parts\": [\n"
			    "    {\n"
			    "      \"x\": 1\n"
			    "    },\n"
			    "    {\n"
			    "      \"x\": 2,\n"
			    "      \"label\": \"two\"\n"
			    "    }\n"
			    "  ],\n"
			    "  \"numbers\": [0, null, 9],\n"
			    "  \"texts\": [\"a\", \"\"],\n"
			    "  \"raw\": {\"deep\": [1, true, null, {\"s\": \"t\"}]}\n"
			    "}\n";

static void
test_there_and_back(void **state)
{
	(void)state;
	struct arena a;
	struct json_doc *doc = NULL;
	struct thing t;
	struct err err = {0};
	struct buf out;
	arena_init(&a, 0);
	buf_init(&out, 0);
	assert_int_equal(json_parse("t", whole, strlen(whole), &doc, &err), 0);
	assert_int_equal(schema_read(&thing_schema, json_root(doc), &a, &t, &err), 0);
	assert_int_equal(t.flag, 0);
	assert_int_equal(t.colour, 2);
	assert_int_equal(t.n_parts, 2);
	assert_int_equal(t.n_numbers, 3);
	assert_true(isnan(t.numbers[1]));
	assert_string_equal(t.texts[1], "");
	assert_true(t.any == -1.25e-300);
	schema_write(&thing_schema, &t, &out);
	assert_string_equal(buf_text(&out), whole);
	buf_fini(&out);
	json_free(doc);
	arena_fini(&a);
}

static void
test_empty_arrays_stay(void **state)
{
	(void)state;
	static const char text[] = "{\n  \"schema\": \"tierwise/thing/1\",\n  \"name\": \"n\",\n"
				   "  \"parts\": [],\n  \"numbers\": [],\n  \"texts\": []\n}\n";
	struct arena a;
	struct json_doc *doc = NULL;
	struct thing t;
	struct err err = {0};
	struct buf out;
	arena_init(&a, 0);
	buf_init(&out, 0);
	assert_int_equal(json_parse("t", text, strlen(text), &doc, &err), 0);
	assert_int_equal(schema_read(&thing_schema, json_root(doc), &a, &t, &err), 0);
	assert_true(t.parts && t.n_parts == 0);
	schema_write(&thing_schema, &t, &out);
	assert_string_equal(buf_text(&out), text);
	buf_fini(&out);
	json_free(doc);
	arena_fini(&a);
}

static void
test_memory_is_bounded(void **state)
{
	(void)state;
	static const char text[] = HEAD ", \"numbers\": [1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9]}";
	/* every limit up to enough: an error each, never a crash or half an object used */
	int good = 0;
	for (size_t max = 1; max < 400; max++) {
		struct arena a;
		struct json_doc *doc = NULL;
		struct thing t;
		struct err err = {0};
		arena_init(&a, max);
		assert_int_equal(json_parse("t", text, strlen(text), &doc, &err), 0);
		int rc = schema_read(&thing_schema, json_root(doc), &a, &t, &err);
		assert_true(rc == 0 || rc == ERR_NOMEM);
		good += rc == 0;
		json_free(doc);
		arena_fini(&a);
	}
	assert_true(good > 0 && good < 399);
}

static void
test_load_and_save(void **state)
{
	(void)state;
	char path[] = "/tmp/tw-schema-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	struct arena a;
	struct thing t, back;
	struct err err = {0};
	char sha[65] = "";
	arena_init(&a, 0);
	schema_clear(&thing_schema, &t);
	t.name = "saved";
	t.count = 7;
	assert_int_equal(schema_save(&thing_schema, &t, path, &err), 0);
	assert_int_equal(schema_load(&thing_schema, path, &a, &back, sha, &err), 0);
	assert_string_equal(back.name, "saved");
	assert_true(back.count == 7 && isnan(back.ratio));
	assert_int_equal(strlen(sha), 64);
	unlink(path);
	assert_int_equal(schema_load(&thing_schema, path, &a, &back, sha, &err), ERR_IO);
	assert_non_null(strstr(err.text, path));
	arena_fini(&a);
}

static void
test_manual(void **state)
{
	(void)state;
	struct buf out;
	buf_init(&out, 0);
	schema_describe(&thing_schema, &out);
	static const char *const lines[] = {
		"tierwise/thing/1: a thing\n",
		"name: a string, required. what it is called\n",
		"ratio: a number, 0 to 1. a share\n",
		"least: a number, 1 or more GiB. at least 1\n",
		"colour: one of the words red, green or blue. its colour\n",
		"  x: a number, at most 10 m, required. how far\n",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!strstr(buf_text(&out), lines[i]))
			fail_msg("no \"%s\" in:\n%s", lines[i], buf_text(&out));
	}
	buf_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_empty_arrays_stay),
		cmocka_unit_test(test_memory_is_bounded),
		cmocka_unit_test(test_load_and_save),
		cmocka_unit_test(test_manual),
	};
	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
