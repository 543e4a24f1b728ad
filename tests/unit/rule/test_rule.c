/* Rules: what a pack may say, the three-valued logic, explanations with values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rule/condition.h"
#include "rule/rule.h"

#define PACK(rules) "{\"schema\":\"tierwise/rules/1\",\"title\":\"t\",\"rules\":[" rules "]}"
#define SAID "\"why\":\"w\",\"source\":\"s\",\"as_of\":\"2026-11-30\""
#define WHEN(condition)                                                                            \
	PACK("{\"id\":\"x\",\"kind\":\"warn\",\"when\":" condition                                 \
	     ",\"then\":{\"text\":\"t\"}," SAID "}")
#define THEN(kind, then) PACK("{\"id\":\"x\",\"kind\":\"" kind "\",\"then\":" then "," SAID "}")
#define REQUIRE(id, when, then)                                                                    \
	"{\"id\":\"" id "\",\"kind\":\"require\",\"when\":" when ",\"then\":" then "," SAID "}"
#define SET(id, when, name, to)                                                                    \
	"{\"id\":\"" id "\",\"kind\":\"configure\",\"when\":" when                                 \
	",\"then\":{\"text\":\"t\",\"set\":\"" name "\",\"to\":" to "}," SAID "}"
#define ALL(a, b) "{\"all\":[" a "," b "]}"
#define ROLES(list) "{\"fact\":\"volume.role\",\"in\":[" list "]}"
#define GIB(op, x) "{\"fact\":\"volume.capacity_gib\",\"" op "\":" x "}"
#define ABOVE_8 SIZE("above", "8")
#define BELOW_8 SIZE("below", "8")
#define WAL "{\"fact\":\"volume.role\",\"is\":\"wal\"}"
#define SIZE(op, x) "{\"fact\":\"disk.size_gib\",\"" op "\":" x "}"
#define CACHE(op, x) "{\"fact\":\"disk.host_cache\",\"" op "\":" x "}"
#define LOCAL(op, x) "{\"fact\":\"disk.ephemeral\",\"" op "\":" x "}"

struct row {
	const char *text;
	int code;
	const char *says;
};

static const struct row rows[] = {
	{WHEN(WAL), 0, NULL},
	{WHEN("null"), 0, NULL},
	{THEN("require", WAL), 0, NULL},
	{THEN("configure", "{\"text\":\"a {disk.sku} b\",\"set\":\"disk.host_cache\",\"to\":"
			   "\"None\"}"),
		0, NULL},
	{THEN("configure", "{\"text\":\"a\",\"set\":\"engine.commit_delay\",\"to\":100}"), 0, NULL},
	/* the document */
	{"{\"schema\":\"tierwise/rules/2\"}", ERR_PARSE, "reads \"tierwise/rules/1\""},
	{PACK(""), ERR_PARSE, "rules: 0, accepted: 1 to 1000"},
	{PACK("{\"kind\":\"warn\",\"then\":{\"text\":\"t\"}," SAID "}"), ERR_PARSE,
		"\"id\" is missing"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\"," SAID "}"), ERR_PARSE, "\"then\" is missing"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"why\":\"w\","
	      "\"source\":\"s\"}"),
		ERR_PARSE, "\"as_of\" is missing"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"source\":\"s\","
	      "\"as_of\":\"2024\"}"),
		ERR_PARSE, "\"why\" is missing"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"why\":\"w\","
	      "\"as_of\":\"2024\"}"),
		ERR_PARSE, "\"source\" is missing"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"why\":\" \","
	      "\"source\":\"s\",\"as_of\":\"2024\"}"),
		ERR_PARSE, "why: empty"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"why\":\"w\","
	      "\"source\":\"s\",\"as_of\":\"2026-02-30\"}"),
		ERR_PARSE, "as_of \"2026-02-30\""},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"},\"why\":\"w\","
	      "\"source\":\"s\",\"as_of\":\"lately\"}"),
		ERR_PARSE, "YYYY, YYYY-MM or YYYY-MM-DD"},
	{PACK("{\"id\":\"No Good\",\"kind\":\"warn\",\"then\":{\"text\":\"t\"}," SAID "}"),
		ERR_PARSE, "t:1:57: id \"No Good\""},
	{THEN("warnn", "{\"text\":\"t\"}"), ERR_RANGE, "did you mean \"warn\"?"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"whem\":1}"), ERR_PARSE,
		"unknown key \"whem\", did you mean \"when\"?"},
	{PACK(REQUIRE("x", WAL, SIZE("above", "1")) "," REQUIRE("x", WAL, SIZE("above", "1"))),
		ERR_PARSE, "rule \"x\" is in this file twice"},
	/* conditions */
	{WHEN("[]"), ERR_PARSE, "array given, a condition expected"},
	{WHEN("{}"), ERR_PARSE, "a condition has one of"},
	{WHEN("{\"al\":[]}"), ERR_PARSE, "\"al\" is no condition"},
	{WHEN("{\"all\":[]}"), ERR_PARSE, "all: an array of 1 to 128 conditions"},
	{WHEN("{\"all\":" WAL "}"), ERR_PARSE, "all: an array of 1 to 128"},
	{WHEN("{\"any\":[" WAL "],\"all\":[" WAL "]}"), ERR_PARSE, "a condition has one of"},
	{WHEN("{\"not\":[" WAL "]}"), ERR_PARSE, "array given, a condition expected"},
	{WHEN("{\"fact\":\"volume.rol\",\"is\":\"wal\"}"), ERR_PARSE,
		"no fact is called \"volume.rol\", did you mean \"volume.role\"?"},
	{WHEN("{\"fact\":3,\"is\":\"wal\"}"), ERR_PARSE, "the name of a fact expected"},
	{WHEN("{\"fact\":\"volume.role\"}"), ERR_PARSE, "volume.role is compared with nothing"},
	{WHEN("{\"fact\":\"volume.role\",\"iss\":\"wal\"}"), ERR_PARSE,
		"\"iss\" is not an operator (did you mean \"is\"?)"},
	{WHEN("{\"fact\":\"volume.role\",\"is\":\"wal\",\"is_not\":\"data\"}"), ERR_PARSE,
		"a second operator"},
	{WHEN("{\"fact\":\"volume.role\",\"is\":\"wall\"}"), ERR_PARSE,
		"volume.role is never \"wall\"; it may be: wal, data, index, temp or backup"},
	{WHEN("{\"fact\":\"volume.role\",\"is\":1}"), ERR_PARSE,
		"volume.role is a text, a number given"},
	{WHEN("{\"fact\":\"volume.role\",\"above\":\"wal\"}"), ERR_PARSE,
		"only numbers have an order"},
	{WHEN(LOCAL("is", "\"yes\"")), ERR_PARSE,
		"disk.ephemeral is true or false, a string given"},
	{WHEN(SIZE("above", "\"4\"")), ERR_PARSE, "disk.size_gib is a number, a string given"},
	{WHEN(SIZE("above", "[4]")), ERR_PARSE, "disk.size_gib is a number, an array given"},
	{WHEN(SIZE("in", "4")), ERR_PARSE, "in: an array of 1 to 64"},
	{WHEN(SIZE("in", "[]")), ERR_PARSE, "in: an array of 1 to 64"},
	{WHEN(SIZE("in", "[1,\"2\"]")), ERR_PARSE, "disk.size_gib is a number, a string given"},
	{WHEN(SIZE("known", "1")), ERR_PARSE, "known: true or false expected"},
	{WHEN(SIZE("above", "{\"fact\":\"volume.capacity\"}")), ERR_PARSE, "no fact is called"},
	{WHEN(SIZE("above", "{\"fact\":\"disk.iops\"}")), ERR_PARSE,
		"disk.size_gib (a number, GiB) cannot be compared with disk.iops (a number, IOPS)"},
	{WHEN(SIZE("above", "{\"fact\":\"disk.billed_gib\",\"times\":2}")), ERR_PARSE,
		"{ \"fact\": NAME } and nothing else"},
	{WHEN("{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":" WAL
	      "}}}}}}}}"),
		ERR_PARSE, "more than 8 levels"},
	/* a condition that never holds, and one that may */
	{WHEN(ALL(WAL, "{\"fact\":\"volume.role\",\"is\":\"data\"}")), ERR_PARSE,
		"when: contradicts itself, the rule never applies"},
	{WHEN(ALL(WAL, ROLES("\"wal\",\"data\""))), 0, NULL},
	/* requirements that overlap: always and of the log; of data and of two roles; of sizes */
	{PACK(REQUIRE("a", "null", ABOVE_8) "," REQUIRE("b", WAL, BELOW_8)), ERR_PARSE,
		"rule \"b\" requires disk.size_gib is below 8 GiB (applies: volume.role is wal), "
		"but "
		"\"a\" of t requires disk.size_gib is above 8 GiB (applies: always)"},
	{PACK(REQUIRE("a", ROLES("\"wal\",\"data\""), ABOVE_8) "," REQUIRE(
		 "b", ROLES("\"data\",\"temp\""), BELOW_8)),
		ERR_PARSE, "both can apply at once"},
	{PACK(REQUIRE("a", GIB("above", "100"), ABOVE_8) "," REQUIRE(
		 "b", GIB("at_most", "101"), BELOW_8)),
		ERR_PARSE, "both can apply at once"},
	/* ... that do not: other roles, sizes that only touch, or what no two tests but three exclude */
	{PACK(REQUIRE("a", WAL, ABOVE_8) "," REQUIRE("b", ROLES("\"data\",\"temp\""), BELOW_8)), 0,
		NULL},
	{PACK(REQUIRE("a", GIB("above", "100"), ABOVE_8) "," REQUIRE(
		 "b", GIB("at_most", "100"), BELOW_8)),
		0, NULL},
	{PACK(REQUIRE("a", ALL(ROLES("\"wal\",\"data\""), ROLES("\"data\",\"temp\"")),
		 ABOVE_8) "," REQUIRE("b", ROLES("\"wal\",\"temp\""), BELOW_8)),
		0, NULL},
	/* ... or that another disk escapes: large disks may not be local, of the log none but local */
	{PACK(REQUIRE("a", ABOVE_8, LOCAL("is", "false")) "," REQUIRE(
		 "b", WAL, LOCAL("is", "true"))),
		0, NULL},
	/* not decided, so accepted */
	{PACK(REQUIRE("a", "{\"any\":[" WAL "]}", ABOVE_8) "," REQUIRE("b", WAL, BELOW_8)), 0,
		NULL},
	/* one name, two values */
	{PACK(SET("a", WAL, "os.x", "1") "," SET("b", "null", "os.x", "2")), ERR_PARSE,
		"rule \"b\" sets os.x to 2 (applies: always), but \"a\" of t sets it to 1 "
		"(applies: "
		"volume.role is wal)"},
	{PACK(SET("a", ALL(WAL, ABOVE_8), "os.x", "1") "," SET("b", WAL, "os.x", "2")), ERR_PARSE,
		"both can apply at once"},
	{PACK(SET("a", ALL(WAL, ABOVE_8), "os.x", "1") "," SET(
		 "b", ALL(WAL, SIZE("at_most", "8")), "os.x", "2")),
		0, NULL},
	{PACK(SET("a", WAL, "os.x", "1") "," SET("b", WAL, "os.x", "1")), 0, NULL},
	{PACK(SET("a", WAL, "os.x", "1") "," SET("b", WAL, "os.y", "2")), 0, NULL},
	{PACK(SET("a", WAL, "os.x", "\"{disk.iops}\"") "," SET("b", WAL, "os.x", "2")), 0, NULL},
	/* then */
	{THEN("require", "{\"text\":\"t\"}"), ERR_PARSE, "\"text\" is no condition"},
	{THEN("require", "{\"all\":[" SIZE("above", "5") "," SIZE("below", "5") "]}"), ERR_PARSE,
		"then: contradicts itself"},
	{THEN("warn", WAL), ERR_PARSE, "unknown key \"fact\"; then of warn has text, set and to"},
	{THEN("warn", "\"t\""), ERR_PARSE, "then of warn: {"},
	{THEN("warn", "{\"set\":\"disk.host_cache\",\"to\":\"None\"}"), ERR_PARSE,
		"then.text: a text expected"},
	{THEN("warn", "{\"text\":\"a {disk.skew}\"}"), ERR_PARSE,
		"no fact is called \"disk.skew\", did you mean \"disk.sku\"?"},
	{THEN("warn", "{\"text\":\"a {disk.sku\"}"), ERR_PARSE, "a brace without its partner"},
	{THEN("warn", "{\"text\":\"a disk.sku}\"}"), ERR_PARSE, "a brace without its partner"},
	{THEN("warn", "{\"text\":\"a }\"}"), ERR_PARSE, "a brace without its partner"},
	{THEN("warn", "{\"text\":\"{}\"}"), ERR_PARSE, "no fact is called \"\""},
	{THEN("warn", "{\"text\":\"{a{disk.sku}\"}"), ERR_PARSE, "a brace without its partner"},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"disk.host_cache\"}"), ERR_PARSE,
		"\"set\" and \"to\" come together"},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"disk.host_cahe\",\"to\":\"None\"}"),
		ERR_PARSE, "did you mean \"disk.host_cache\"?"},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"disk.host_cache\",\"to\":\"Off\"}"),
		ERR_PARSE, "disk.host_cache is never \"Off\""},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"engine.x\",\"to\":[1]}"), ERR_PARSE,
		"to: a text, number or flag expected"},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"engine.x\",\"to\":\"{disk.skew}\"}"),
		ERR_PARSE, "no fact is called \"disk.skew\", did you mean \"disk.sku\"?"},
	{THEN("configure", "{\"text\":\"t\",\"set\":\"engine.x\",\"to\":\"{disk.sku\"}"), ERR_PARSE,
		"a brace without its partner"},
	/* a fact is set to a value, not to a text with places */
	{THEN("configure", "{\"text\":\"t\",\"set\":\"disk.host_cache\",\"to\":\"{disk.sku}\"}"),
		ERR_PARSE, "disk.host_cache is never"},
	{PACK("{\"id\":\"x\",\"kind\":\"warn\",\"text\":\"t\",\"then\":{\"text\":\"t\"}," SAID "}"),
		ERR_PARSE, "text: inside \"then\" for warn"},
	/* two requirements that nothing can meet */
	{PACK(REQUIRE("a", WAL, SIZE("above", "8")) "," REQUIRE("b", WAL, SIZE("at_most", "8"))),
		ERR_PARSE,
		"rule \"b\" requires disk.size_gib is at most 8 GiB, but \"a\" of t requires"},
	{PACK(REQUIRE("a", WAL, SIZE("at_least", "8")) "," REQUIRE("b", WAL, SIZE("at_most", "8"))),
		0, NULL},
	{PACK(REQUIRE("a", WAL, SIZE("is", "8")) "," REQUIRE("b", WAL, SIZE("above", "8"))),
		ERR_PARSE, "under the same condition"},
	{PACK(REQUIRE("a", WAL, SIZE("is", "9")) "," REQUIRE("b", WAL, SIZE("above", "8"))), 0,
		NULL},
	{PACK(REQUIRE("a", WAL, CACHE("is", "\"None\"")) "," REQUIRE(
		 "b", WAL, CACHE("in", "[\"ReadOnly\",\"ReadWrite\"]"))),
		ERR_PARSE, "under the same condition"},
	{PACK(REQUIRE("a", WAL, CACHE("is", "\"None\"")) "," REQUIRE(
		 "b", WAL, CACHE("in", "[\"ReadOnly\",\"None\"]"))),
		0, NULL},
	{PACK(REQUIRE("a", WAL, CACHE("is", "\"None\"")) "," REQUIRE(
		 "b", WAL, CACHE("is_not", "\"None\""))),
		ERR_PARSE, "under the same condition"},
	{PACK(REQUIRE("a", WAL, LOCAL("is_not", "true")) "," REQUIRE(
		 "b", WAL, LOCAL("is_not", "false"))),
		ERR_PARSE, "under the same condition"},
	{PACK(REQUIRE("a", WAL, LOCAL("known", "false")) "," REQUIRE(
		 "b", WAL, LOCAL("is", "true"))),
		ERR_PARSE, "under the same condition"},
	/* parts of `all` in another order are the same condition; another condition is not */
	{PACK(REQUIRE("a", "{\"all\":[" WAL "," LOCAL("is", "true") "]}",
		 SIZE("above", "8")) "," REQUIRE("b", "{\"all\":[" LOCAL("is", "true") "," WAL "]}",
		 SIZE("below", "8"))),
		ERR_PARSE, "under the same condition"},
	{PACK(REQUIRE("a", WAL, SIZE("above", "8")) "," REQUIRE(
		 "b", LOCAL("is", "true"), SIZE("below", "8"))),
		0, NULL},
};

static int
read_pack(struct rule_pack *pack, const char *name, const char *text, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse(name, text, strlen(text), &doc, err);
	if (rc == 0)
		rc = rule_pack_read(pack, json_root(doc), err);
	json_free(doc); /* rules must not lean on the document */
	return rc;
}

static void
test_load(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct rule_pack pack;
		struct err err = {0};
		arena_init(&a, 0);
		rule_pack_init(&pack, &a);
		int rc = read_pack(&pack, "t", rows[i].text, &err);
		if (rc != rows[i].code || (rows[i].says && !strstr(err.text, rows[i].says)) ||
			(rows[i].says && strncmp(err.text, "t:", 2) != 0))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		assert_true((pack.n > 0) == (rc == 0)); /* all of a file or nothing */
		arena_fini(&a);
	}
}

/* The situation of the truth tables. */
static void
set_facts(struct rule_context *c)
{
	rule_set_text(c, "volume.role", "wal");
	rule_set_number(c, "disk.size_gib", 64);
	rule_set_number(c, "disk.billed_gib", 128);
	rule_set_number(c, "disk.waste_frac", 0.5);
	rule_set_flag(c, "disk.ephemeral", 0);
	rule_set_number(c, "predicted.commit_p99_ms", 3.25);
	rule_set_number(c, "sla.commit_p99_ms", 2);
	/* unknown on purpose: disk.host_cache, disk.iops, sla.tx_p99_ms */
}

#define UNKNOWN CACHE("is", "\"None\"")
#define YES WAL
#define NO LOCAL("is", "true")

static const struct {
	const char *when;
	enum rule_answer answer;
	const char *words; /* with values; NULL: not checked */
} cases[] = {
	{WAL, RULE_YES, "x: volume.role (wal) is wal"},
	{"{\"fact\":\"volume.role\",\"is\":\"data\"}", RULE_NO, NULL},
	{"{\"fact\":\"volume.role\",\"is_not\":\"data\"}", RULE_YES,
		"x: volume.role (wal) is not data"},
	{"{\"fact\":\"volume.role\",\"in\":[\"data\",\"index\",\"wal\"]}", RULE_YES,
		"x: volume.role (wal) is one of data, index or wal"},
	{"{\"fact\":\"volume.role\",\"in\":[\"data\"]}", RULE_NO, NULL},
	{SIZE("is", "64"), RULE_YES, "x: disk.size_gib (64 GiB) is 64 GiB"},
	{SIZE("is_not", "64"), RULE_NO, NULL},
	{SIZE("in", "[32,64]"), RULE_YES, NULL},
	{SIZE("above", "64"), RULE_NO, "x: disk.size_gib (64 GiB) is above 64 GiB"},
	{SIZE("above", "63.5"), RULE_YES, "x: disk.size_gib (64 GiB) is above 63.5 GiB"},
	{SIZE("at_least", "64"), RULE_YES, NULL},
	{SIZE("below", "64"), RULE_NO, NULL},
	{SIZE("below", "4095"), RULE_YES, "x: disk.size_gib (64 GiB) is below 4,095 GiB"},
	{SIZE("at_most", "64"), RULE_YES, NULL},
	{SIZE("below", "{\"fact\":\"disk.billed_gib\"}"), RULE_YES,
		"x: disk.size_gib (64 GiB) is below disk.billed_gib (128 GiB)"},
	{"{\"fact\":\"disk.waste_frac\",\"above\":0.05}", RULE_YES,
		"x: disk.waste_frac (50 %) is above 5 %"},
	{"{\"fact\":\"predicted.commit_p99_ms\",\"above\":{\"fact\":\"sla.commit_p99_ms\"}}",
		RULE_YES, "x: predicted.commit_p99_ms (3.25 ms) is above sla.commit_p99_ms (2 ms)"},
	{LOCAL("is", "false"), RULE_YES, "x: disk.ephemeral (false) is false"},
	{LOCAL("is_not", "false"), RULE_NO, NULL},
	{LOCAL("known", "true"), RULE_YES, "x: disk.ephemeral (false) is known"},
	{LOCAL("known", "false"), RULE_NO, NULL},
	/* unknown is not true, and not false */
	{UNKNOWN, RULE_UNKNOWN, "x: disk.host_cache (unknown) is None"},
	{CACHE("is_not", "\"None\""), RULE_UNKNOWN, NULL},
	{CACHE("in", "[\"None\",\"ReadOnly\",\"ReadWrite\"]"), RULE_UNKNOWN, NULL},
	{CACHE("known", "true"), RULE_NO, NULL},
	{CACHE("known", "false"), RULE_YES, "x: disk.host_cache (unknown) is not known"},
	{"{\"fact\":\"disk.iops\",\"at_least\":0}", RULE_UNKNOWN, NULL},
	{"{\"fact\":\"predicted.commit_p99_ms\",\"above\":{\"fact\":\"sla.tx_p99_ms\"}}",
		RULE_UNKNOWN, NULL},
	/* Kleene's tables */
	{"{\"all\":[" YES "," YES "]}", RULE_YES, NULL},
	{"{\"all\":[" YES "," NO "]}", RULE_NO, NULL},
	{"{\"all\":[" YES "," UNKNOWN "]}", RULE_UNKNOWN, NULL},
	{"{\"all\":[" UNKNOWN "," NO "]}", RULE_NO, NULL},
	{"{\"all\":[" UNKNOWN "," UNKNOWN "]}", RULE_UNKNOWN, NULL},
	{"{\"any\":[" NO "," NO "]}", RULE_NO, NULL},
	{"{\"any\":[" NO "," YES "]}", RULE_YES, NULL},
	{"{\"any\":[" UNKNOWN "," YES "]}", RULE_YES, NULL},
	{"{\"any\":[" UNKNOWN "," NO "]}", RULE_UNKNOWN, NULL},
	{"{\"not\":" YES "}", RULE_NO, "x: not (volume.role (wal) is wal)"},
	{"{\"not\":" NO "}", RULE_YES, NULL},
	{"{\"not\":" UNKNOWN "}", RULE_UNKNOWN, NULL},
	{"{\"all\":[" YES ",{\"any\":[" NO "," LOCAL("is", "false") "]}]}", RULE_YES,
		"x: volume.role (wal) is wal and (disk.ephemeral (false) is true or disk.ephemeral "
		"(false) is false)"},
};

static void
test_evaluate(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena a;
		struct rule_pack pack;
		struct rule_context c;
		struct err err = {0};
		struct buf text, out;
		arena_init(&a, 0);
		buf_init(&text, 0);
		buf_init(&out, 0);
		buf_printf(&text, WHEN("%s"), cases[i].when);
		rule_pack_init(&pack, &a);
		if (read_pack(&pack, "t", buf_text(&text), &err))
			fail_msg("case %zu: %s", i, err.text);
		assert_int_equal(rule_context_init(&c, &a, &err), 0);
		set_facts(&c);
		if (rule_applies(&pack.rules[0], &c) != cases[i].answer)
			fail_msg("case %zu: %s: answer %d", i, cases[i].when,
				rule_applies(&pack.rules[0], &c));
		rule_explain(&pack.rules[0], &c, &out);
		if (cases[i].words)
			assert_string_equal(buf_text(&out), cases[i].words);
		rule_context_clear(&c);
		if (strstr(cases[i].when, "known") == NULL)
			assert_int_equal(rule_applies(&pack.rules[0], &c), RULE_UNKNOWN);
		buf_fini(&text);
		buf_fini(&out);
		arena_fini(&a);
	}
}

static void
test_holds_and_text(void **state)
{
	(void)state;
	struct arena a;
	struct rule_pack pack;
	struct rule_context c;
	struct err err = {0};
	struct buf out;
	arena_init(&a, 0);
	buf_init(&out, 0);
	rule_pack_init(&pack, &a);
	const char *text = PACK(REQUIRE(
		"r", WAL, LOCAL("is", "false")) ","
						"{\"id\":\"w\",\"kind\":\"configure\",\"then\":{"
						"\"text\":\"{volume.role}: {disk.count}"
						", {disk.iops}, {disk.monthly}, {disk.waste_frac}, "
						"{disk.host_cache}\",\"set\":"
						"\"engine.delay\",\"to\":50}," SAID "}");
	if (read_pack(&pack, "some/where/p.json", text, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rule_context_init(&c, &a, &err), 0);
	const struct rule *require = rule_find(&pack, "r"), *configure = rule_find(&pack, "w");
	assert_null(rule_find(&pack, "z"));
	assert_string_equal(require->pack, "p.json");
	assert_string_equal(require->when_text, "volume.role is wal");
	assert_string_equal(require->then_text, "disk.ephemeral is false");
	assert_string_equal(configure->when_text, "always");
	assert_string_equal(configure->set, "engine.delay");
	assert_string_equal(configure->to, "50");
	assert_true(require->per_volume && configure->per_volume);

	assert_int_equal(rule_holds(require, &c), RULE_UNKNOWN);
	assert_int_equal(rule_applies(configure, &c), RULE_YES);
	assert_int_equal(rule_holds(configure, &c), RULE_YES);
	set_facts(&c);
	assert_int_equal(rule_holds(require, &c), RULE_YES);
	rule_set_flag(&c, "disk.ephemeral", 1);
	assert_int_equal(rule_holds(require, &c), RULE_NO);
	rule_set_flag(&c, "disk.ephemeral", -1);
	assert_int_equal(rule_holds(require, &c), RULE_UNKNOWN);
	rule_explain(require, &c, &out);
	assert_string_equal(buf_text(&out),
		"r: volume.role (wal) is wal; must hold: disk.ephemeral "
		"(unknown) is false");
	buf_fini(&out);

	rule_set_number(&c, "disk.count", 1);
	rule_set_number(&c, "disk.iops", 12800);
	rule_set_number(&c, "disk.monthly", 1148.675);
	rule_set_text(&c, "currency", "EUR");
	rule_set_number(&c, "disk.waste_frac", 0.2189);
	rule_text(configure, &c, &out);
	assert_string_equal(
		buf_text(&out), "wal: 1 disk, 12,800 IOPS, 1,148.68 EUR a month, 21.9 %, unknown");
	buf_fini(&out);
	rule_set_number(&c, "disk.iops", (double)NAN);
	rule_set_text(&c, "volume.role", NULL);
	rule_text(configure, &c, &out);
	assert_string_equal(
		buf_text(&out), "unknown: 1 disk, unknown, 1,148.68 EUR a month, 21.9 %, unknown");
	buf_fini(&out);
	/* require without a text says why */
	rule_text(require, &c, &out);
	assert_string_equal(buf_text(&out), "w");
	buf_fini(&out);
	arena_fini(&a);
}

/* A site's pack comes last and replaces rules by id, in place; it may not contradict the others. */
static void
test_later_pack(void **state)
{
	(void)state;
	struct arena a;
	struct rule_pack pack;
	struct err err = {0};
	arena_init(&a, 0);
	rule_pack_init(&pack, &a);
	assert_int_equal(read_pack(&pack, "one.json",
				 PACK(REQUIRE("a", WAL, SIZE("above", "8")) "," REQUIRE(
					 "b", WAL, LOCAL("is", "false"))),
				 &err),
		0);
	assert_int_equal(
		read_pack(&pack, "two.json", PACK(REQUIRE("c", WAL, SIZE("below", "8"))), &err),
		ERR_PARSE);
	assert_non_null(strstr(err.text, "but \"a\" of one.json requires"));
	assert_int_equal(pack.n, 2);
	/* the same, but replacing the rule it would contradict */
	assert_int_equal(read_pack(&pack, "two.json",
				 PACK(REQUIRE("a", WAL, SIZE("below", "8")) "," REQUIRE(
					 "c", WAL, SIZE("below", "4"))),
				 &err),
		0);
	assert_int_equal(pack.n, 3);
	assert_string_equal(pack.rules[0].id, "a");
	assert_string_equal(pack.rules[0].pack, "two.json");
	assert_string_equal(pack.rules[2].id, "c");
	assert_int_equal(pack.n_files, 2);
	assert_int_equal(pack.files[1].n_rules, 2);
	assert_int_equal(strlen(pack.files[1].sha256), 64);
	arena_fini(&a);
}

/* The value of a setting is computed where it holds facts, and then belongs to a volume if they do. */
static void
test_value(void **state)
{
	(void)state;
	struct arena a;
	struct rule_pack pack;
	struct rule_context c;
	struct buf text;
	struct err err = {0};
	arena_init(&a, 0);
	rule_pack_init(&pack, &a);
	assert_int_equal(read_pack(&pack, "one.json",
				 THEN("configure", "{\"text\":\"t\",\"set\":\"engine.x\","
						   "\"to\":\"{disk.iops}\"}"),
				 &err),
		0);
	assert_int_equal(rule_context_init(&c, &a, &err), 0);
	assert_true(pack.rules[0].per_volume);
	buf_init(&text, 0);
	rule_value_text(&pack.rules[0], &c, &text);
	rule_set_number(&c, "disk.iops", 3000);
	rule_value_text(&pack.rules[0], &c, &text);
	assert_string_equal(buf_text(&text), "unknown3000");
	buf_fini(&text);
	arena_fini(&a);
}

static void
test_facts_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < rule_n_facts; i++) {
		const struct rule_fact *f = &rule_facts[i];
		assert_ptr_equal(rule_fact_find(f->name), f); /* no name twice */
		assert_true(f->help && *f->help && f->unit);
		assert_true(f->type == RULE_NUMBER ? *f->unit != '\0' : *f->unit == '\0');
		assert_true(f->words == NULL || f->type == RULE_TEXT);
	}
	assert_null(rule_fact_find("disk.size"));
}

static void
test_out_of_memory(void **state)
{
	(void)state;
	const char *text = PACK(REQUIRE("a", "{\"all\":[" WAL "," LOCAL("is", "true") "]}",
		SIZE("above", "8")) "," REQUIRE("b", WAL, CACHE("in", "[\"None\",\"ReadOnly\"]")));
	int failures = 0, passes = 0;
	for (size_t max = 1; max < 8192; max += 37) {
		struct arena a;
		struct rule_pack pack;
		struct err err = {0};
		arena_init(&a, max);
		rule_pack_init(&pack, &a);
		int rc = read_pack(&pack, "t", text, &err);
		assert_true(rc == 0 || rc == ERR_NOMEM);
		failures += rc != 0;
		passes += rc == 0;
		arena_fini(&a);
	}
	assert_true(failures > 10 && passes > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_evaluate),
		cmocka_unit_test(test_holds_and_text),
		cmocka_unit_test(test_later_pack),
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_facts_table),
		cmocka_unit_test(test_out_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
