/*
 * Damaged outputs of databases and benchmarks: cut anywhere, with CRLF, a byte order mark, given twice, emptied,
 * in wrong units.  Each gives one clear error or figures that are those of the whole file, or unknown: never a
 * number that lost its digits.
 */
#include "unit/workload/evidence_build.h"

static const char *const files[] = {
	"pgbench/pgbench15-tpcb-P1-r.stdout.txt",
	"pgbench/pgbench15-tpcb-P1-r.stderr.txt",
	"pgbench/pgbench15-rate1500-L20.stdout.txt",
	"pgbench/pgbench15-rate6000-overload.stderr.txt",
	"pgbench/pgbench15-aggregate.log.thread0",
	"pgbench/pgbench15-rate1500-L20.log.thread0",
	"public/pkb-pgbench-9x.stdout.txt",
	"public/pkb-sysbench-1.0.12.txt",
	"sysbench/sysbench-1.0.20-fileio-rndrw.txt",
	"sysbench/sysbench-1.0.20-oltp_write_only-mysql.txt",
	"synthetic/cassandra-stress-2x-summary.txt",
	"synthetic/cassandra-stress-4x-summary.txt",
	"synthetic/nodetool-tablestats.txt",
	"postgres/pg15-pg_stat_wal-t1.csv",
	"postgres/pg15-pg_stat_database-t1.csv",
	"postgres/pg15-pg_stat_statements.csv",
	"postgres/pg15-lsn-t1.csv",
	"synthetic/pg16-pg_stat_io.csv",
	"mysql/mariadb-10.11-global-status-boxed.txt",
	"mysql/mariadb-10.11-global-status-t1.tsv",
};

enum { N_FILES = sizeof(files) / sizeof(files[0]) };

/* Figures that a summary states once. */
static void
check_run(const struct evidence_run *cut, const struct evidence_run *whole, const char *name,
	size_t at)
{
	const struct {
		const char *what;
		double cut, whole;
	} figures[] = {
		{"clients", cut->clients, whole->clients},
		{"tps", cut->tps, whole->tps},
		{"mean", cut->mean_us, whole->mean_us},
		{"p95", cut->p95_us, whole->p95_us},
		{"p99", cut->p99_us, whole->p99_us},
		{"max", cut->max_us, whole->max_us},
		{"late", cut->late, whole->late},
		{"block", cut->block_b, whole->block_b},
		{"scale", cut->scale, whole->scale},
		{"limit", cut->limit_us, whole->limit_us},
		{"reads", cut->read_iops, whole->read_iops},
	};
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (!isnan(figures[i].cut) &&
			!(fabs(figures[i].cut - figures[i].whole) <= 1e-9 * fabs(figures[i].whole)))
			fail_msg("%s cut at %zu: %s is %g, not %g", name, at, figures[i].what,
				figures[i].cut, figures[i].whole);
}

/* Whether the figures of a piece are sums over its rows, so that they differ for a good reason. */
static bool
adds_rows(const struct built *b)
{
	return strcmp(b->reader, "pgbench log") == 0 ||
	       findings_find(&b->e.findings, "document-cut") != NULL ||
	       (b->e.n_runs && b->e.runs[0].n_progress && isnan(b->e.runs[0].clients));
}

static void
test_cut(void **state)
{
	(void)state;
	for (size_t f = 0; f < N_FILES; f++) {
		struct built whole;
		struct buf text;
		build_start(&whole);
		build_must(&whole, files[f]);
		build_finish(&whole);
		shared_text(files[f], &text);
		size_t step = text.len > 4000 ? 61 : 7;
		for (size_t at = 0; at < text.len; at += step) {
			struct built b;
			build_start(&b);
			int rc = build_text_n(&b, files[f], buf_text(&text), at);
			if (rc == 0) {
				build_finish(&b);
				if (b.e.n_runs && whole.e.n_runs && !adds_rows(&b))
					check_run(&b.e.runs[0], &whole.e.runs[0], files[f], at);
			} else if (rc != ERR_PARSE || !strstr(b.err.text, files[f])) {
				fail_msg("%s cut at %zu: %s", files[f], at, b.err.text);
			}
			build_end(&b);
		}
		buf_fini(&text);
		build_end(&whole);
	}
}

static void
check_same(const struct built *a, const struct built *b, const char *name)
{
	if (a->e.n_runs != b->e.n_runs || a->e.n_servers != b->e.n_servers)
		fail_msg("%s: %zu runs and %zu servers, not %zu and %zu", name, b->e.n_runs,
			b->e.n_servers, a->e.n_runs, a->e.n_servers);
	for (size_t i = 0; i < a->e.n_runs; i++) {
		check_run(&b->e.runs[i], &a->e.runs[i], name, 0);
		assert_int_equal(a->e.runs[i].n_progress, b->e.runs[i].n_progress);
		assert_int_equal(a->e.runs[i].n_statements, b->e.runs[i].n_statements);
	}
	for (size_t i = 0; i < a->e.n_servers; i++)
		if (!isnan(a->e.servers[i].log_bytes))
			assert_close(b->e.servers[i].log_bytes, a->e.servers[i].log_bytes, 0);
	assert_int_equal(a->e.findings.n, b->e.findings.n);
}

/* As a file has them that went through Windows. */
static void
test_crlf_and_mark(void **state)
{
	(void)state;
	for (size_t f = 0; f < N_FILES; f++) {
		struct buf text, other;
		struct built a, b;
		shared_text(files[f], &text);
		buf_init(&other, 0);
		buf_put(&other, "\xEF\xBB\xBF");
		for (const char *p = buf_text(&text); *p; p++) {
			if (*p == '\n')
				buf_putc(&other, '\r');
			buf_putc(&other, *p);
		}
		build_start(&a);
		build_start(&b);
		build_must(&a, files[f]);
		if (build_text(&b, files[f], buf_text(&other)))
			fail_msg("%s: %s", files[f], b.err.text);
		build_finish(&a);
		build_finish(&b);
		check_same(&a, &b, files[f]);
		build_end(&a);
		build_end(&b);
		buf_fini(&text);
		buf_fini(&other);
	}
}

/* The same file given twice says no more than once, and that is said. */
static void
test_twice(void **state)
{
	(void)state;
	for (size_t f = 0; f < N_FILES; f++) {
		struct built a, b;
		build_start(&a);
		build_start(&b);
		build_must(&a, files[f]);
		build_must(&b, files[f]);
		build_must(&b, files[f]);
		build_finish(&a);
		build_finish(&b);
		if (b.e.n_runs > a.e.n_runs)
			fail_msg("%s: %zu runs, not %zu", files[f], b.e.n_runs, a.e.n_runs);
		if (b.e.n_servers > a.e.n_servers)
			fail_msg(
				"%s: %zu servers, not %zu", files[f], b.e.n_servers, a.e.n_servers);
		if (b.e.findings.n == 0)
			fail_msg("%s twice: nothing said", files[f]);
		build_end(&a);
		build_end(&b);
	}
}

static void
test_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"transaction type: x\nnumber of clients: many\n",
			"t:2:19: a number from 0 on must stand here: \"many\""},
		{"transaction type: x\nnumber of clients: -3\n", "\"-3\""},
		{"transaction type: x\nnumber of clients: 8\nlatency average = 3.829 s\n",
			"t:3: latency average in \"s\", accepted: ms"},
		{"transaction type: x\nnumber of clients: 8\ntps = nan (without x)\n",
			"transactions per second"},
		{"transaction type: x\nnumber of clients: 8\nnumber of transactions actually "
		 "processed: 0\n",
			"completed no transaction"},
		{"transaction type: x\nnumber of clients: 8\n", "ends before any result"},
		{"transaction type: x\nnumber of clients: 8\nrate limit schedule lag: none\n",
			"\"avg A (max B) ms\" must stand here"},
		{"sysbench 1.0.20\n    transactions:  4854  (fast)\n",
			"\"N (RATE per sec.)\" must stand here"},
		{"sysbench 1.0.20\ntotal time: 12 min\n", "seconds, as in 15.0054s"},
		{"sysbench 1.0.20\nLatency (ms):\n avg: 12 h\n", "a latency in ms must stand here"},
		{"sysbench 1.0.20\nBlock size 16 parsecs\n", "a size in B, KiB or MiB"},
		{"sysbench 1.0.20\nThreads started!\n", "ends before any result"},
		{"sysbench 1.0.20\nLatency histogram (values are in seconds)\n",
			"a histogram in milliseconds"},
		{"Op rate : fast [READ: 1 op/s]\n", "op rate: \"fast\", accepted: a number"},
		{"Op rate : 1 op/s\nLatency mean : 4 s [READ: 1 s]\n", "accepted: a number of ms"},
		{"Keyspace : a\nTable: t\nLocal read latency: 2 s\nSSTable count: 1\n",
			"t:3: Local read latency in \"s\", accepted: ms"},
		{"Keyspace : a\nSSTable count: 3\n", "no table"},
		{"captured,lsn\n2026-01-01 00:00:00+00,7G/1\n", "log position \"7G/1\""},
		{"xact_commit,blks_read\n-4,1\n", "xact_commit of row 1 below: \"-4\""},
		{"0 1 skipped 0 1796068854 1\n", NULL}, /* a log of one skipped row is one */
		{"1796068869 278 2641683 32788658581 1281 46234", "no whole row"},
		{"", "no evidence"},
		{"\n\n", "no evidence"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct built b;
		build_start(&b);
		int rc = build_text(&b, "t", rows[i].text);
		if (rows[i].says ? rc == 0 || !strstr(b.err.text, rows[i].says) : rc != 0)
			fail_msg("row %zu: code %d, %s", i, rc, b.err.text);
		assert_true(rc == 0 || (b.e.n_runs == 0 && b.e.n_snapshots == 0));
		build_end(&b);
	}
}

/* Old and other words for the same. */
static void
test_layouts(void **state)
{
	static const char sysbench_04[] =
		"sysbench 0.5:  multi-threaded system evaluation benchmark\n\n"
		"Number of threads: 8\n"
		"[   2s] threads: 8, tps: 450.10, reads: 6301.40, writes: 1800.40, response time: "
		"42.06ms (95%), errors: 0.50, reconnects:  0.00\n"
		"OLTP test statistics:\n    transactions:    900    (449.50 per sec.)\n"
		"General statistics:\n    total time:    2.0022s\n    total number of events:  "
		"900\n"
		"    response time:\n         min:    4.10ms\n         avg:   17.79ms\n"
		"         max:   95.11ms\n         approx.  95 percentile:   41.20ms\n\n"
		"Threads fairness:\n    events (avg/stddev):  112.5/1.1\n";
	static const char fileio_04[] =
		"sysbench 0.4.12:  multi-threaded system evaluation benchmark\n"
		"Number of threads: 1\nExtra file open flags: 0\nBlock size 16Kb\n"
		"Operations performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total\n"
		"General statistics:\n    total time:   10.0s\n    total number of events: 10000\n";
	struct built b;
	(void)state;
	build_start(&b);
	assert_int_equal(build_text(&b, "a", sysbench_04), 0);
	assert_int_equal(build_text(&b, "b", fileio_04), 0);
	build_finish(&b);
	const struct evidence_run *r = b.e.runs;
	assert_close(r->tps, 449.5, 0);
	assert_close(r->mean_us, 17790, 1e-9);
	assert_close(r->p95_us, 41200, 1e-9);
	assert_close(r->max_us, 95110, 1e-9);
	assert_close(r->progress[0].pct_us, 42060, 1e-9);
	assert_close(r->progress[0].failed, 0.5, 0);
	assert_close(r[1].read_iops, 600, 1e-9);
	assert_close(r[1].write_iops, 400, 1e-9);
	assert_close(r[1].flush_iops, 1280, 1e-9);
	assert_close(r[1].block_b, 16384, 0);
	build_finding(&b, "page-cache");
	build_end(&b);
}

/* pgbench of several scripts, with retries, and with decimal commas. */
static void
test_pgbench_layouts(void **state)
{
	static const char scripts[] =
		"pgbench (16.1)\ntransaction type: multiple scripts\nscaling factor: 10\n"
		"number of clients: 4\nnumber of threads: 1\nmaximum number of tries: 3\n"
		"duration: 10 s\nnumber of transactions actually processed: 5000\n"
		"number of failed transactions: 2 (0.040%)\nlatency average = 7,990 ms\n"
		"latency stddev = 1,500 ms\ninitial connection time = 5.0 ms\n"
		"tps = 500,100000 (without initial connection time)\n"
		"SQL script 1: a.sql\n - weight: 1 (targets 50.0% of total)\n"
		" - 2400 transactions (48.0% of total, tps = 240.050000)\n"
		" - latency average = 9.000 ms\n - latency stddev = 2.000 ms\n"
		" - statement latencies in milliseconds, failures and retries:\n"
		"         0.100           0           0  BEGIN;\n"
		"         8.900           2           5  COMMIT;\n"
		"SQL script 2: b.sql\n - 2600 transactions (52.0% of total, tps = 260.050000)\n"
		" - latency average = 7.000 ms\n";
	struct built b;
	(void)state;
	build_start(&b);
	if (build_text(&b, "a", scripts))
		fail_msg("%s", b.err.text);
	build_finish(&b);
	const struct evidence_run *r = b.e.runs;
	assert_int_equal(b.e.n_runs, 3);
	assert_close(r->tps, 500.1, 1e-9);
	assert_close(r->mean_us, 7990, 1e-6);
	assert_close(r->failed, 2, 0);
	assert_string_equal(r[1].label, "a.sql");
	assert_close(r[1].tps, 240.05, 1e-9);
	assert_close(r[1].mean_us, 9000, 1e-6);
	assert_int_equal(r[1].n_statements, 2);
	assert_string_equal(r[1].statements[1].text, "COMMIT;");
	assert_close(r[1].statements[1].failures, 2, 0);
	assert_close(r[2].mean_us, 7000, 1e-6);
	build_end(&b);
	/* a seventh column that stays small counts retries, else it is schedule lag */
	build_start(&b);
	assert_int_equal(build_text(&b, "l",
				 "0 0 5000 0 1796068854 100 0\n0 1 6000 0 1796068854 6100 2\n"
				 "0 2 7000 0 1796068854 13100 0\n0 3 fai"),
		0);
	build_finish(&b);
	assert_close(b.e.runs[0].mean_us, 6000, 1e-9);
	assert_true(isnan(b.e.runs[0].lag_mean_us));
	build_finding(&b, "column-guessed");
	build_finding(&b, "rows-cut");
	build_end(&b);
	/* numbers from 1 on, as 15 writes them, and none missing: no sample */
	build_start(&b);
	assert_int_equal(build_text(&b, "l",
				 "0 1 5000 0 1796068854 100\n1 1 6000 0 1796068854 6100\n"
				 "0 2 7000 0 1796068854 13100\n"),
		0);
	build_finish(&b);
	assert_false(b.e.runs[0].sampled);
	/* and stderr of a run without -P is no error, but says nothing */
	assert_int_equal(build_text(&b, "e", "starting vacuum...end.\n"), 0);
	build_finding(&b, "no-result");
	build_end(&b);
	/* thread files of one process are one run, another process is another */
	build_start(&b);
	assert_int_equal(build_text(&b, "d/pgbench_log.77", "0 0 5000 0 1796068854 100\n"), 0);
	assert_int_equal(build_text(&b, "d/pgbench_log.77.1", "1 0 7000 0 1796068854 200\n"), 0);
	assert_int_equal(build_text(&b, "d/pgbench_log.78", "0 0 9000 0 1796068900 100\n"), 0);
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 2);
	assert_close(b.e.runs[0].mean_us, 6000, 0);
	assert_close(b.e.runs[0].clients, 2, 0);
	assert_close(b.e.runs[1].mean_us, 9000, 0);
	build_end(&b);
	/* intervals of 9.x: six columns, and eleven with a rate and a limit */
	build_start(&b);
	assert_int_equal(build_text(&b, "g",
				 "1796068860 10 50000 300000000 1000 9000\n"
				 "1796068865 20 80000 400000000 1000 8000\n"),
		0);
	assert_int_equal(build_text(&b, "h",
				 "1796068860 10 50000 300000000 1000 9000 20000 90000000 "
				 "0 4000 3\n1796068861 10 50000 300000000 1000 9000 "
				 "20000 90000000 0 4000 0\n"),
		0);
	build_finish(&b);
	r = b.e.runs;
	assert_close(r->tps, 3, 1e-9); /* 30 in two intervals of 5 s */
	assert_close(r->mean_us, 130000 / 30.0, 1e-9);
	assert_close(r[1].mean_us, 3000, 1e-9); /* (50000 - 20000) / 10 */
	assert_close(r[1].seen_mean_us, 5000, 1e-9);
	assert_close(r[1].skipped, 3, 0);
	build_end(&b);
}

int
main(void)
{
	if (skip_without_shared())
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_crlf_and_mark),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_pgbench_layouts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
