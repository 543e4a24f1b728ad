/*
 * test_engine.c - the engine documents: the shipped ones say what the vendors' manuals say, and a wrong
 * one is refused with its place.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/engine_document.h"
#include "workload/workload.h"

static struct arena arena;

static int
set_up(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

static struct engine
shipped(const char *name, const char *mode)
{
	char path[4096];
	const char *source = getenv("TIERWISE_SOURCE");
	struct engine_document d;
	struct engine e = {0};
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/models/engines/%s.json", source ? source : ".", name);
	if (engine_document_load(path, &arena, &d, NULL, &err) != 0 ||
		engine_of(&d, mode, &arena, &e, &err) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(d.engine, name);
	return e;
}

/* Every engine a workload may name has a document, and each mode of it makes an engine. */
static void
test_every_engine(void **state)
{
	(void)state;
	for (int i = 0; i < WORKLOAD_ENGINE_COUNT; i++) {
		struct engine e = shipped(names_text(&workload_engine_names, i), NULL);
		assert_true(e.page_kib > 0 && e.cpu_ms_per_tx > 0);
		/* pages in place or a log-structured tree, or all in memory: never both */
		assert_false(e.page_writes_per_tx > 0 && e.write_amplification > 0);
		for (size_t j = 0; j < e.n_parameters; j++)
			assert_true(e.parameters[j].source && *e.parameters[j].source);
	}
}

/* Vendors' manuals, by hand. */
static void
test_defaults(void **state)
{
	(void)state;
	struct engine pg = shipped("postgresql", NULL);
	assert_int_equal(pg.commit, ENGINE_COMMIT_GROUP);
	assert_true(pg.page_kib == 8 && pg.checkpoint_s == 300 && pg.completion_target == 0.9);
	assert_true(pg.full_page_writes == 1 && pg.flushes_per_group == 1);
	assert_true(isnan(pg.write_amplification));
	/* three times wal_writer_delay of 200 ms */
	assert_true(shipped("postgresql", "off").loss_window_ms == 600);
	assert_int_equal(shipped("postgresql", "off").commit, ENGINE_COMMIT_PERIODIC);
	assert_int_equal(shipped("postgresql", "remote").remote, 1);
	struct engine my = shipped("mysql", NULL); /* redo, then binary log; doublewrite */
	assert_true(my.page_kib == 16 && my.flushes_per_group == 2 && my.page_writes_factor == 2);
	struct engine cassandra = shipped("cassandra", NULL); /* periodic, 10,000 ms */
	assert_int_equal(cassandra.commit, ENGINE_COMMIT_PERIODIC);
	assert_true(cassandra.loss_window_ms == 10000);
	assert_int_equal(shipped("cassandra", "batch").commit, ENGINE_COMMIT_GROUP);
	assert_true(shipped("redis", NULL).loss_window_ms == 1000); /* everysec */
	assert_int_equal(shipped("redis", "always").commit, ENGINE_COMMIT_SINGLE_WRITER);
	assert_int_equal(shipped("sqlite", NULL).commit, ENGINE_COMMIT_SINGLE_WRITER);
	assert_true(shipped("elasticsearch", "async").loss_window_ms == 5000);
	assert_true(shipped("mongodb", "off").loss_window_ms == 100);
	/* the manual gives no bound: unknown, not zero */
	assert_true(isnan(shipped("sqlserver", "off").loss_window_ms));
}

static const char start[] = "{\"schema\":\"tierwise/engine/1\",\"engine\":\"x\",\"title\":\"x\","
			    "\"commits\":[{\"mode\":\"on\",\"kind\":\"group\",\"text\":\"t\","
			    "\"source\":\"s\",\"trust\":\"assumed\"}%s],\n\"parameters\":[%s]}";

/* The message of a document with these ways and parameters. */
static void
refused(const char *ways, const char *parameters, const char *want)
{
	char path[] = "/tmp/tierwise-test-engine-XXXXXX", text[2048];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	int n = snprintf(text, sizeof(text), start, ways, parameters);
	assert_int_equal(write(fd, text, (size_t)n), n);
	close(fd);
	struct engine_document d;
	struct err err = {0};
	int rc = engine_document_load(path, &arena, &d, NULL, &err);
	unlink(path);
	assert_int_equal(rc, ERR_RANGE);
	if (!strstr(err.text, want) || strncmp(err.text, path, strlen(path)) != 0)
		fail_msg("\"%s\" does not begin with the place, or has no \"%s\"", err.text, want);
}

#define ROW(name, value, unit)                                                                     \
	"{\"name\":\"" name "\",\"value\":" value ",\"unit\":\"" unit                              \
	"\",\"source\":\"s\",\"trust\":\"assumed\"}"

static void
test_refusals(void **state)
{
	(void)state;
	refused("", ROW("checkpoints_s", "1", "s"),
		"2:23: parameter \"checkpoints_s\" is not known; did you mean \"checkpoint_s\"?");
	refused("", ROW("zzzzzzzz", "1", "s"), "is not known; see tierwise schema engine");
	refused("", ROW("checkpoint_s", "1", "ms"),
		"unit of checkpoint_s: \"ms\", accepted: \"s\"");
	refused("", ROW("completion_target", "9", "share"),
		"completion_target: 9, accepted: 0.01 to 1 share");
	refused("", ROW("page_kib", "8", "KiB") "," ROW("page_kib", "8", "KiB"), "given twice");
	refused(",{\"mode\":\"on\",\"kind\":\"none\",\"text\":\"t\",\"source\":\"s\",\"trust\":"
		"\"assumed\"}",
		"", "mode \"on\" is given twice");
}

static void
test_mode(void **state)
{
	(void)state;
	char path[4096];
	const char *source = getenv("TIERWISE_SOURCE");
	struct engine_document d;
	struct engine e;
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/models/engines/redis.json", source ? source : ".");
	assert_int_equal(engine_document_load(path, &arena, &d, NULL, &err), 0);
	assert_int_equal(engine_of(&d, "allways", &arena, &e, &err), ERR_RANGE);
	assert_string_equal(
		err.text, "commit \"allways\" of redis, accepted: everysec, always, off");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_engine),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_mode),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
