/* The workload document: what is accepted, refused with a place, and that the examples load. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "workload/workload.h"

#define HEAD                                                                                       \
	"{\"schema\":\"tierwise/workload/1\",\"name\":\"n\",\"provider\":\"azure\","               \
	"\"region\":\"westeurope\",\"engine\":\"postgresql\","
#define TX "\"transactions\":{\"target_tps\":10},"
#define DATA "{\"role\":\"data\",\"capacity_gib\":1,\"read_iops\":0,\"write_iops\":0}"
#define EXTRA "{\"role\":\"data\",\"capacity_gib\":1,\"read_iops\":0,\"write_iops\":0,"
#define VOLUMES "\"volumes\":[" DATA "]"

struct row {
	const char *text;
	int code;
	const char *says; /* in the message, with its place */
};

static const struct row rows[] = {
	{HEAD VOLUMES "}", 0, NULL},
	{HEAD "\"currency\":\"EUR\",\"headroom\":0,\"note\":\"x\"," VOLUMES "}", 0, NULL},
	{HEAD TX "\"volumes\":[{\"role\":\"wal\",\"capacity_gib\":1}]}", 0, NULL},
	{HEAD "\"transactions\":{\"clients\":10},\"volumes\":[{\"role\":\"data\",\"capacity_gib\":"
	      "1}]}",
		0, NULL},
	{HEAD "\"volumes\":[{\"role\":\"backup\",\"capacity_gib\":1,\"window_hours\":2}]}", 0,
		NULL},
	{HEAD "\"volumes\":[" DATA ",{\"role\":\"data\",\"name\":\"b\",\"capacity_gib\":1,"
	      "\"read_mbps\":1}]}",
		0, NULL},
	/* what is missing */
	{"{\"schema\":\"tierwise/workload/1\"}", ERR_PARSE, "\"name\" is missing"},
	{"{\"name\":\"x\"}", ERR_PARSE, "t:1:1: no \"schema\" key"},
	{"{\"schema\":\"tierwise/workload/2\"}", ERR_PARSE, "reads \"tierwise/workload/1\""},
	{HEAD "\"volumes\":[]}", ERR_RANGE, "volumes: 0, accepted: 1 to 64"},
	{HEAD "\"volumes\":[{\"role\":\"data\"}]}", ERR_PARSE, "\"capacity_gib\" is missing"},
	{HEAD "\"volumes\":[{\"capacity_gib\":1}]}", ERR_PARSE, "\"role\" is missing"},
	{HEAD "\"budget\":{}," VOLUMES "}", ERR_PARSE, "\"monthly\" is missing"},
	{HEAD "\"vm\":{}," VOLUMES "}", ERR_PARSE, "\"sizes\" is missing"},
	/* slips of the pen */
	{HEAD "\"volums\":[]}", ERR_PARSE, "unknown key \"volums\", did you mean \"volumes\"?"},
	{HEAD "\n\"volumes\":[{\"role\":\"wall\",\"capacity_gib\":1}]}", ERR_RANGE,
		"t:2:20: role: \"wall\" is not a volume role (did you mean \"wal\"?)"},
	{"{\"schema\":\"tierwise/workload/1\",\"engine\":\"postgres\"}", ERR_RANGE,
		"\"postgres\" is not a database engine"},
	{HEAD "\"name\":\"twice\"," VOLUMES "}", ERR_PARSE, "key \"name\" is given twice"},
	{HEAD "\"currency\":\"usd\"," VOLUMES "}", ERR_RANGE, "three capital letters"},
	{HEAD "\"currency\":\"US\"," VOLUMES "}", ERR_RANGE, "three capital letters"},
	{HEAD "\"redundancy\":\"\"," VOLUMES "}", ERR_RANGE, "redundancy: empty"},
	{HEAD "\"vm\":{\"sizes\":[]}," VOLUMES "}", ERR_RANGE, "sizes: empty"},
	{HEAD "\"vm\":{\"sizes\":[\"a\",\"\"]}," VOLUMES "}", ERR_RANGE, "sizes: empty text"},
	{HEAD "\"vm\":{\"sizes\":[\"a\",\"b\",\"a\"]}," VOLUMES "}", ERR_RANGE,
		"sizes: \"a\" is given twice"},
	{HEAD "\"vm\":{\"sizes\":[\"a\"],\"count\":1.5}," VOLUMES "}", ERR_RANGE,
		"count: 1.5 is not a whole number"},
	{HEAD "\"transactions\":{\"pool\":2.5}," VOLUMES "}", ERR_RANGE,
		"pool: 2.5 is not a whole number"},
	{HEAD "\"transactions\":{\"standbys\":{}}," VOLUMES "}", ERR_PARSE, "\"count\" is missing"},
	{HEAD "\"transactions\":{\"standbys\":{\"count\":2,\"needed\":3,\"rtt_ms\":1}}," VOLUMES
	      "}",
		ERR_RANGE, "needed: 3, accepted: 0 to the count of standbys, 2"},
	{HEAD "\"transactions\":{\"standbys\":{\"count\":1.5,\"rtt_ms\":1}}," VOLUMES "}",
		ERR_RANGE, "count: 1.5 is not a whole number"},
	{HEAD "\"transactions\":{\"standbys\":{\"count\":1}}," VOLUMES "}", ERR_PARSE,
		"\"rtt_ms\" is missing"},
	{HEAD "\"transactions\":{\"miss_frac\":5}," VOLUMES "}", ERR_RANGE,
		"miss_frac: 5, accepted: 0 to 1 share"},
	/* ranges */
	{HEAD "\"headroom\":20," VOLUMES "}", ERR_RANGE, "headroom: 20, accepted: 0 to 0.9 share"},
	{HEAD "\"transactions\":{\"utilisation\":35}," VOLUMES "}", ERR_RANGE, "utilisation: 35"},
	{HEAD "\"transactions\":{\"clients\":2.5}," VOLUMES "}", ERR_RANGE,
		"clients: 2.5 is not a whole number"},
	{HEAD "\"transactions\":{\"target_tps\":0}," VOLUMES "}", ERR_RANGE, "target_tps: 0"},
	{HEAD "\"sla\":{\"tx_p99_ms\":-1}," VOLUMES "}", ERR_RANGE, "tx_p99_ms: -1"},
	{HEAD "\"finance\":{\"horizon_months\":12.5}," VOLUMES "}", ERR_RANGE, "horizon_months"},
	{HEAD "\"finance\":{\"discount_rate_year\":8}," VOLUMES "}", ERR_RANGE,
		"discount_rate_year: 8, accepted: -0.5 to 1"},
	{HEAD "\"volumes\":[{\"role\":\"data\",\"capacity_gib\":0,\"read_iops\":1}]}", ERR_RANGE,
		"capacity_gib: 0"},
	/* demand */
	{HEAD "\"volumes\":[{\"role\":\"wal\",\"capacity_gib\":1}]}", ERR_RANGE,
		"wal volume: its load is not known"},
	{HEAD "\"volumes\":[{\"role\":\"index\",\"capacity_gib\":1}]}", ERR_RANGE,
		"index volume: its load is not known"},
	{HEAD "\"transactions\":{\"cpu_ms_per_tx\":1},\"volumes\":[{\"role\":\"data\","
	      "\"capacity_gib\":1}]}",
		ERR_RANGE, "data volume: its load is not known"},
	{HEAD "\"volumes\":[{\"role\":\"temp\",\"capacity_gib\":1}]}", 0, NULL},
	/* one per role and name */
	{HEAD "\"volumes\":[" DATA "," DATA "]}", ERR_RANGE,
		"a second data volume without a name: give each its own"},
	{HEAD "\"volumes\":[{\"role\":\"temp\",\"name\":\"x\",\"capacity_gib\":1},"
	      "{\"role\":\"temp\",\"name\":\"x\",\"capacity_gib\":1}]}",
		ERR_RANGE, "a second temp volume named x"},
	{HEAD "\"volumes\":[{\"role\":\"temp\",\"capacity_gib\":1,\"window_hours\":2}]}", ERR_RANGE,
		"window_hours: for backup volumes only, this one is temp"},
	{HEAD "\"volumes\":[{\"role\":\"temp\",\"capacity_gib\":1,\"target\":\"network\"}]}",
		ERR_RANGE, "target: for backup volumes only, this one is temp"},
	{HEAD "\"volumes\":[{\"role\":\"backup\",\"capacity_gib\":1,\"target\":\"network\"}]}",
		ERR_RANGE, "every one is a backup over the network, at least one on this machine"},
	{HEAD "\"recovery\":{\"source\":\"backup\"},\"volumes\":[" DATA "]}", ERR_RANGE,
		"source: backup, but there is no backup volume to read"},
	{HEAD "\"recovery\":{\"source\":\"standby\"},\"volumes\":[" DATA "]}", ERR_RANGE,
		"source: standby, but there is none"},
	{HEAD "\"recovery\":{\"source\":\"snapshots\"},\"volumes\":[" DATA "]}", ERR_RANGE,
		"snapshot"},
	{HEAD "\"recovery\":{\"source\":\"snapshot\",\"loading_mbps\":0},\"volumes\":[" DATA "]}",
		ERR_RANGE, "loading_mbps"},
	/* shared disks, snapshots, today's disks */
	{HEAD "\"vm\":{\"sizes\":[\"a\"],\"count\":4},\"volumes\":[" EXTRA "\"mounts\":2}]}", 0,
		NULL},
	{HEAD "\"vm\":{\"sizes\":[\"a\"],\"count\":3},\"volumes\":[" EXTRA "\"mounts\":2}]}",
		ERR_RANGE, "mounts: 2 machines share each disk, but vm.count is 3"},
	{HEAD "\"volumes\":[" EXTRA "\"mounts\":2}]}", ERR_RANGE, "but vm.count is 1"},
	{HEAD "\"volumes\":[" EXTRA "\"mounts\":1}]}", 0, NULL},
	{HEAD "\"volumes\":[" EXTRA "\"mounts\":0}]}", ERR_RANGE, "mounts: 0"},
	{HEAD "\"volumes\":[" EXTRA "\"snapshots_kept\":7,\"snapshot_changed_gib\":1}]}", 0, NULL},
	{HEAD "\"volumes\":[" EXTRA "\"snapshots_kept\":1.5}]}", ERR_RANGE, "not a whole number"},
	{HEAD "\"volumes\":[" EXTRA "\"snapshots_kept\":0,\"snapshot_changed_gib\":1}]}", ERR_RANGE,
		"no snapshots are kept"},
	{HEAD "\"volumes\":[" EXTRA
	      "\"current\":{\"sku\":\"P30\",\"size_gib\":1024,\"disks\":2}}]}",
		0, NULL},
	{HEAD "\"volumes\":[" EXTRA "\"current\":{\"size_gib\":1024}}]}", ERR_PARSE,
		"\"sku\" is missing"},
	{HEAD "\"volumes\":[" EXTRA "\"current\":{\"sku\":\"P30\",\"size_gib\":1,\"disks\":1.5}}]}",
		ERR_RANGE, "disks: 1.5 is not a whole number"},
	{HEAD "\"volumes\":[" EXTRA
	      "\"current\":{\"sku\":\"P30\",\"size_gib\":1,\"host_cache\":\"readonly\"}}]}",
		ERR_RANGE, "\"readonly\" is not a host cache mode (did you mean \"ReadOnly\"?)"},
	{HEAD "\"volumes\":[{\"role\":\"temp\",\"name\":\"\",\"capacity_gib\":1}]}", ERR_RANGE,
		"name: empty text"},
	{"[]", ERR_PARSE, "an object"},
};

static int
read_text(const char *text, struct arena *a, struct workload *w, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse("t", text, strlen(text), &doc, err);
	if (rc == 0)
		rc = workload_read(json_root(doc), a, w, err);
	json_free(doc);
	return rc;
}

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct workload w;
		struct err err = {0};
		arena_init(&a, 0);
		int rc = read_text(rows[i].text, &a, &w, &err);
		if (rc != rows[i].code || (rows[i].says && !strstr(err.text, rows[i].says)) ||
			(rows[i].says && strncmp(err.text, "t:", 2) != 0))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		arena_fini(&a);
	}
}

static void
test_absent(void **state)
{
	(void)state;
	struct arena a;
	struct workload w = {0};
	struct err err = {0};
	arena_init(&a, 0);
	assert_int_equal(
		read_text(HEAD "\"sla\":{\"commit_p99_ms\":2,\"tx_p99_ms\":null}," VOLUMES "}", &a,
			&w, &err),
		0);
	/* unknown is never zero */
	assert_true(isnan(w.headroom));
	assert_true(w.sla && isnan(w.sla->tx_p99_ms));
	assert_true(w.sla && fabs(w.sla->commit_p99_ms - 2) < 1e-12);
	assert_int_equal(w.replicated, -1);
	assert_null(w.vm);
	assert_null(w.budget);
	assert_null(w.currency);
	assert_true(w.volumes && !w.volumes[0].name && isnan(w.volumes[0].io_kib));
	arena_fini(&a);
}

static const char *
example(struct arena *a, const char *name)
{
	const char *dir = getenv("TIERWISE_DATA_DIR");
	return arena_printf(a, "%s/rules/examples/%s", dir ? dir : ".", name);
}

/* Figures as each file's own comments and the reference cases state them. */
static void
test_examples(void **state)
{
	(void)state;
	static const struct {
		const char *file, *name;
		int engine, replicated;
		size_t n_volumes;
		double target_tps, iops; /* of the data volume, reads + writes; -1: not stated */
	} want[] = {
		{"payments.json", "payments", WORKLOAD_POSTGRESQL, 1, 4, 2000, 8500},
		{"erp.json", "erp", WORKLOAD_SQLSERVER, 0, 4, 150, 2400},
		{"iot-cassandra.json", "iot-cassandra", WORKLOAD_CASSANDRA, 1, 3, 5000, 2500},
		{"oltp-8k-writes-15k-reads.json", "oltp-8k-writes-15k-reads", WORKLOAD_GENERIC, -1,
			1, -1, 23000},
		{"article-e8ds.json", "article-e8ds", WORKLOAD_POSTGRESQL, 1, 2, 4200, 160000},
		{"small.json", "small", WORKLOAD_POSTGRESQL, 0, 4, 200, 950},
	};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct arena a;
		struct workload w;
		struct err err = {0};
		char sha256[65] = "";
		arena_init(&a, 0);
		if (workload_load(example(&a, want[i].file), &a, &w, sha256, &err))
			fail_msg("%s", err.text);
		assert_string_equal(w.name, want[i].name);
		assert_int_equal(w.engine, want[i].engine);
		assert_int_equal(w.replicated, want[i].replicated);
		assert_int_equal(w.n_volumes, want[i].n_volumes);
		assert_int_equal(strlen(sha256), 64);
		assert_true((w.transactions == NULL) == (want[i].target_tps < 0));
		if (w.transactions)
			assert_true(fabs(w.transactions->target_tps - want[i].target_tps) < 1e-9);
		for (size_t v = 0; v < w.n_volumes; v++) {
			if (w.volumes[v].role == WORKLOAD_DATA)
				assert_true(fabs(w.volumes[v].read_iops + w.volumes[v].write_iops -
						    want[i].iops) < 1e-9);
		}
		arena_fini(&a);
	}
}

/* Written and read again it is the same document. */
static void
test_round_trip(void **state)
{
	(void)state;
	struct arena a;
	struct workload w, again;
	struct err err = {0};
	struct buf one, two;
	arena_init(&a, 0);
	buf_init(&one, 0);
	buf_init(&two, 0);
	assert_int_equal(workload_load(example(&a, "payments.json"), &a, &w, NULL, &err), 0);
	schema_write(&workload_schema, &w, &one);
	if (read_text(buf_text(&one), &a, &again, &err))
		fail_msg("%s", err.text);
	schema_write(&workload_schema, &again, &two);
	assert_string_equal(buf_text(&one), buf_text(&two));
	assert_non_null(strstr(buf_text(&one), "\"window_hours\": 4"));
	buf_fini(&one);
	buf_fini(&two);
	arena_fini(&a);
}

static void
test_missing_file(void **state)
{
	(void)state;
	struct arena a;
	struct workload w;
	struct err err = {0};
	arena_init(&a, 0);
	assert_int_equal(workload_load("/nonexistent/w.json", &a, &w, NULL, &err), ERR_IO);
	assert_non_null(strstr(err.text, "/nonexistent/w.json"));
	arena_fini(&a);
}

/* Every allocation limit ends in ERR_NOMEM, never in a crash or a half-built success. */
static void
test_out_of_memory(void **state)
{
	(void)state;
	struct buf text;
	struct arena paths;
	struct err err = {0};
	buf_init(&text, 0);
	arena_init(&paths, 0);
	assert_int_equal(file_read(example(&paths, "payments.json"), &text, &err), 0);
	int failures = 0;
	for (size_t max = 1; max < 4096; max += 61) {
		struct arena a;
		struct workload w;
		arena_init(&a, max);
		int rc = read_text(buf_text(&text), &a, &w, &err);
		assert_true(rc == 0 || rc == ERR_NOMEM);
		failures += rc != 0;
		arena_fini(&a);
	}
	assert_true(failures > 3);
	buf_fini(&text);
	arena_fini(&paths);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_out_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
