/*
 * test_transaction.c - workload and engine into the solver's input: what is given stays, what is not is the
 * engine's and said.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the standard headers first */
#include <cmocka.h>

#include "advise/transaction.h"

struct made {
	struct arena arena;
	struct workload w;
	struct engine e;
	struct findings findings;
	struct db_transaction tx;
	struct err err;
	int rc;
};

static void
make(struct made *m, const char *engine, const char *transactions)
{
	char path[4096], text[4096];
	const char *source = getenv("TIERWISE_SOURCE");
	struct json_doc *doc = NULL;
	struct engine_document d;
	*m = (struct made){0};
	arena_init(&m->arena, 0);
	findings_init(&m->findings, &m->arena);
	snprintf(text, sizeof(text),
		"{\"schema\":\"tierwise/workload/1\",\"name\":\"t\",\"provider\":\"azure\","
		"\"region\":\"r\",\"engine\":\"%s\",\"sla\":{\"tx_p99_ms\":10},\"volumes\":["
		"{\"role\":\"wal\",\"capacity_gib\":10,\"write_iops\":1},"
		"{\"role\":\"data\",\"capacity_gib\":200,\"read_iops\":1},"
		"{\"role\":\"backup\",\"capacity_gib\":500,\"window_hours\":2}]%s%s}",
		engine, transactions ? ",\"transactions\":" : "", transactions ? transactions : "");
	assert_int_equal(json_parse("t", text, strlen(text), &doc, &m->err), 0);
	if (workload_read(json_root(doc), &m->arena, &m->w, &m->err) != 0)
		fail_msg("%s", m->err.text);
	json_free(doc);
	snprintf(path, sizeof(path), "%s/models/engines/%s.json", source ? source : ".", engine);
	assert_int_equal(engine_document_load(path, &m->arena, &d, NULL, &m->err), 0);
	m->rc = transaction_engine(&m->w, &d, &m->arena, &m->e, &m->err);
	if (m->rc == 0)
		m->rc = transaction_of(&m->w, &m->e, 4, &m->findings, &m->tx, &m->err);
}

/* Everything given: nothing is assumed, and units are those of the solver. */
static void
test_given(void **state)
{
	(void)state;
	struct made m;
	make(&m, "postgresql",
		"{\"target_tps\":100,\"clients\":8,\"pool\":4,\"cpu_ms_per_tx\":2,"
		"\"page_reads_per_tx\":10,\"miss_frac\":0.1,\"wal_kib_per_tx\":3,"
		"\"page_writes_per_tx\":5,\"hot_gib\":2,\"hot_rows\":20,\"commit\":\"remote\","
		"\"commit_delay_us\":50,\"checkpoint_s\":60,\"think_ms\":1,"
		"\"standbys\":{\"count\":2,\"needed\":1,\"rtt_ms\":0.5,\"flush_ms\":1.25}}");
	assert_int_equal(m.rc, 0);
	assert_int_equal(m.findings.n, 0);
	assert_true(m.tx.clients == 8 && m.tx.pool == 4 && m.tx.cores == 4 && m.tx.cpu_ms == 2);
	assert_true(m.tx.page_reads == 10 && m.tx.miss_frac == 0.1);
	/* 3 KiB with page images: 5 of 8 KiB each, of 262,144 pages in 60 s of 500 changes a second:
	 * 262,144 (1 - exp(-30,000 / 262,144)) / 6,000 = 4.725 images a transaction, more than 3 KiB:
	 * the least there is without them stays */
	assert_true(fabs(m.tx.log_kib - 0.5) < 1e-12);
	assert_true(m.tx.page_writes == 5 && m.tx.hot_rows == 20 && m.tx.think_ms == 1);
	assert_true(m.tx.dirty_pages == 2 * 131072); /* 2 GiB of 8 KiB pages */
	assert_true(m.tx.standby.count == 2 && m.tx.standby.wait_for == 1);
	assert_true(m.tx.standby.rtt_us == 500 && m.tx.standby.flush_us == 1250);
	assert_true(m.tx.sla_p99_ms == 10 && m.e.commit_delay_us == 50 && m.e.checkpoint_s == 60);
	/* the copy reads the 200 GiB there are within 2 h: 204,800 MiB / 7,200 s */
	assert_true(fabs(m.tx.backup_mibps - 204800.0 / 7200) < 1e-9);
	arena_fini(&m.arena);
}

/* Nothing given but a rate: the engine's defaults, one finding each. */
static void
test_assumed(void **state)
{
	(void)state;
	static const char *const said[] = {"clients is not given: 64 sessions",
		"cpu_ms_per_tx is not given: 0.5 ms", "page_reads_per_tx is not given: 2 reads",
		"page_writes_per_tx is not given: 2 pages", "wal_kib_per_tx is not given: 5 KiB"};
	struct made m;
	make(&m, "mysql", "{\"target_tps\":100}");
	assert_int_equal(m.rc, 0);
	assert_int_equal(m.findings.n, sizeof(said) / sizeof(said[0]));
	for (size_t i = 0; i < m.findings.n; i++)
		assert_non_null(strstr(m.findings.items[i].text, said[i]));
	assert_true(isnan(m.tx.pool) && isnan(m.tx.hot_rows) && isnan(m.tx.dirty_pages));
	assert_true(m.e.flushes_per_group == 2);
	arena_fini(&m.arena);
}

static void
test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *engine, *transactions, *says;
	} rows[] = {
		{"postgresql", NULL, "the workload has no \"transactions\""},
		{"postgresql", "{\"clients\":1,\"commit\":\"maybe\"}",
			"transactions.commit: commit \"maybe\" of postgresql, accepted: on, "
			"remote, off"},
		{"postgresql", "{\"clients\":1,\"commit\":\"remote\"}",
			"waits for standbys: give transactions.standbys"},
		{"postgresql",
			"{\"clients\":1,\"standbys\":{\"count\":2,\"needed\":1,\"rtt_ms\":1}}",
			"standbys.needed 1: commit \"on\" waits for none"},
		{"postgresql",
			"{\"clients\":1,\"commit\":\"remote\",\"standbys\":{\"count\":2,"
			"\"needed\":0,\"rtt_ms\":1}}",
			"standbys.needed 0: commit \"remote\" waits for one at least"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made m;
		make(&m, rows[i].engine, rows[i].transactions);
		assert_int_equal(m.rc, ERR_RANGE);
		if (!strstr(m.err.text, rows[i].says))
			fail_msg("row %zu: \"%s\"", i, m.err.text);
		arena_fini(&m.arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_assumed),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
