/*
 * The elements of an array cut out of a document of any length: every way to split the bytes gives the
 * same elements; what is not JSON in that place is an error.
 */
#include "base/json.h"
#include "common.h"
#include "price/items.h"

struct seen {
	struct buf text; /* the elements, a ';' after each */
	size_t stop_at; /* fail at this element; 0: never */
};

static int
each(void *ctx, const char *text, size_t n, size_t number, struct err *err)
{
	struct seen *s = ctx;
	buf_putn(&s->text, text, n);
	buf_putc(&s->text, ';');
	return number == s->stop_at ? err_set(err, ERR_PRICE, "stop") : 0;
}

/* Read in pieces of `piece` bytes. */
static int
read_pieces(const char *text, size_t piece, struct seen *seen, char envelope[200], struct err *err)
{
	struct items *items = NULL;
	size_t n = strlen(text);
	seen->text.len = 0;
	assert_int_equal(items_open("doc", "Items", each, seen, &items, err), 0);
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0; i += piece)
		rc = items_put(items, text + i, n - i < piece ? n - i : piece, err);
	rc = rc ? rc : items_end(items, err);
	const struct buf *e = items_envelope(items);
	snprintf(envelope, 200, "%.*s", (int)e->len, buf_text(e));
	items_close(items);
	return rc;
}

static const struct {
	const char *text, *elements, *envelope;
} good[] = {
	{"{\"Items\":[]}", "", "{\"Items\":[]}"},
	{"{\"Count\":2,\"Items\":[{\"a\":1},{\"b\":[1,{}]}],\"NextPageLink\":null}",
		"{\"a\":1};{\"b\":[1,{}]};", "{\"Count\":2,\"Items\":[],\"NextPageLink\":null}"},
	/* brackets and quotes inside texts; a key of the same name deeper or as a value */
	{"{\"x\":\"Items\",\"y\":{\"Items\":[7]},\"Items\":[ {\"t\":\"]}\\\"{[\"} , {} ] }",
		"{\"t\":\"]}\\\"{[\"};{};",
		"{\"x\":\"Items\",\"y\":{\"Items\":[7]},\"Items\":[] }"},
	{"\n[{\"a\":1}\n,{\"a\":2}]\n", "{\"a\":1};{\"a\":2};", "\n[]\n"},
	{"{\"other\":[1,2],\"Items\":[{\"\\\\\":\"\\\\\"}]}", "{\"\\\\\":\"\\\\\"};",
		"{\"other\":[1,2],\"Items\":[]}"},
};

static void
test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		for (size_t piece = 1; piece <= strlen(good[i].text); piece++) {
			struct seen seen = {.stop_at = 0};
			struct err err = {0};
			char envelope[200];
			buf_init(&seen.text, 1000);
			if (read_pieces(good[i].text, piece, &seen, envelope, &err))
				fail_msg("%s, pieces of %zu: %s", good[i].text, piece, err.text);
			assert_string_equal(buf_text(&seen.text), good[i].elements);
			assert_string_equal(envelope, good[i].envelope);
			buf_fini(&seen.text);
		}
	}
}

static const struct {
	const char *text, *says;
} bad[] = {
	{"", "empty"},
	{"   ", "not JSON here"},
	{"<html>", "not JSON here"},
	{"{}", "no array \"Items\""},
	{"{\"Items\":{}}", "no array \"Items\""},
	{"{\"items\":[]}", "no array \"Items\""},
	{"{\"Items\":[{\"a\":1}", "ends early"},
	{"{\"Items\":[{\"a\":\"", "ends early"},
	{"{\"Items\":[]", "ends early"},
	{"{\"Items\":[1]}", "not JSON here: \"1\""},
	{"{\"Items\":[{}{}]}", "not JSON here: \"{\""},
	{"{\"Items\":[{},]}", "not JSON here: \"]\""},
	{"{\"Items\":[,{}]}", "not JSON here: \",\""},
	{"{\"Items\":[],\"Items\":[{}]}", "a second time"},
	{"{\"Items\":[]}x", "text after the end"},
	{"}", "not JSON here"},
};

static void
test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (size_t piece = 1; piece < 40; piece += 3) {
			struct seen seen = {.stop_at = 0};
			struct err err = {0};
			char envelope[200];
			buf_init(&seen.text, 1000);
			assert_int_equal(
				read_pieces(bad[i].text, piece, &seen, envelope, &err), ERR_PARSE);
			if (!strstr(err.text, bad[i].says) || strncmp(err.text, "doc", 3) != 0)
				fail_msg("%s: %s", bad[i].text, err.text);
			buf_fini(&seen.text);
		}
	}
}

static void
test_stop_and_restart(void **state)
{
	(void)state;
	struct seen seen = {.stop_at = 2};
	struct err err = {0};
	struct items *items = NULL;
	const char *text = "{\"Items\":[{},{},{}]}";
	buf_init(&seen.text, 1000);
	assert_int_equal(items_open("doc", "Items", each, &seen, &items, &err), 0);
	assert_int_equal(items_put(items, text, strlen(text), &err), ERR_PRICE);
	assert_string_equal(buf_text(&seen.text), "{};{};");
	items_restart(items);
	seen.stop_at = 0;
	assert_int_equal(items_put(items, text, strlen(text), &err), 0);
	assert_int_equal(items_end(items, &err), 0);
	assert_int_equal(items_count(items), 3);
	items_close(items);
	buf_fini(&seen.text);
}

/* An element, or what is around the array, without end: refused at a fixed size. */
static void
test_limits(void **state)
{
	(void)state;
	static char block[1 << 16];
	struct seen seen = {.stop_at = 0};
	buf_init(&seen.text, 0);
	memset(block, 'x', sizeof(block));
	const char *const starts[] = {"{\"Items\":[{\"a\":\"", "{\"a\":\""};
	const int codes[] = {ERR_RANGE, ERR_PARSE};
	for (size_t i = 0; i < 2; i++) {
		struct items *items = NULL;
		struct err err = {0};
		assert_int_equal(items_open("doc", "Items", each, &seen, &items, &err), 0);
		int rc = items_put(items, starts[i], strlen(starts[i]), &err);
		for (int k = 0; k < 100 && rc == 0; k++)
			rc = items_put(items, block, sizeof(block), &err);
		assert_int_equal(rc, codes[i]);
		items_close(items);
	}
	buf_fini(&seen.text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_stop_and_restart),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
