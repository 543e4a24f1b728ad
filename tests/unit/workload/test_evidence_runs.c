/*
 * Real outputs of pgbench and sysbench.  Expected values are those of the fixtures' EXPECTED.md (computed
 * without this project), or read off the file by hand; others say how they come about.
 */
#include "unit/workload/evidence_build.h"

#include "workload/run.h"

#define PG "pgbench/pgbench15-"

static void
test_pgbench_tpcb(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, PG "tpcb-P1-r.stdout.txt");
	assert_string_equal(b.reader, "pgbench");
	build_must(&b, PG "tpcb-P1-r.stderr.txt");
	build_must(&b, PG "tpcb-P1-r.log.thread0");
	assert_string_equal(b.reader, "pgbench log");
	build_must(&b, PG "tpcb-P1-r.log.thread1");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 1);
	const struct evidence_run *r = &b.e.runs[0];
	assert_close(r->tps, 2076.461885, 1e-9);
	assert_close(r->mean_us, 3829, 1e-6);
	assert_close(r->sd_us, 6843, 1e-6);
	assert_close(r->clients, 8, 0);
	assert_close(r->threads, 2, 0);
	assert_close(r->scale, 60, 0);
	assert_close(r->n, 41523, 0);
	assert_close(r->seconds, 20, 0);
	assert_true(r->sampled);
	assert_int_equal(r->n_latency, 2127);
	assert_close(r->p50_us, 2775, 0);
	assert_close(r->p95_us, 7888, 0);
	assert_close(r->p99_us, 17968, 0);
	assert_close(r->max_us, 159796, 0);
	assert_int_equal(r->n_progress, 20);
	assert_close(r->progress[9].tps, 1432.0, 0);
	assert_close(r->progress[9].mean_us, 5370, 1e-6);
	assert_close(r->progress[9].failed, 0, 0);
	assert_int_equal(r->n_statements, 11);
	assert_string_equal(r->statements[10].text, "END;");
	assert_close(r->statements[10].mean_us, 1374, 1e-6);
	assert_close(r->statements[10].failures, 0, 0);
	assert_false(r->rated);
	build_says(&b, "log-sampled", "2127 of 41523");
	build_finding(&b, "closed-loop");
	assert_null(findings_find(&b.e.findings, "little-law")); /* 7.95 of 8 */
	/* END 1.374 over BEGIN 0.245 is 0.30 of 3.829 alone: storage does matter */
	build_finding(&b, "storage-share");
	build_end(&b);
}

static void
test_pgbench_rate(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, PG "rate1500-L20.log.thread0");
	build_must(&b, PG "rate1500-L20.log.thread1");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 1);
	const struct evidence_run *log = &b.e.runs[0];
	assert_close(log->n, 1043, 0);
	assert_close(log->skipped, 149, 0);
	assert_close(log->seen_mean_us, 15190, 0.5);
	assert_close(log->lag_mean_us, 9591, 0.5);
	assert_close(log->mean_us, 5599, 0.5);
	assert_close(log->clients, 8, 0);
	assert_true(log->sampled && log->rated);
	assert_true(isnan(log->tps)); /* of a sample */
	build_end(&b);

	build_start(&b);
	build_must(&b, PG "rate1500-L20.stderr.txt");
	build_must(&b, PG "rate1500-L20.stdout.txt");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 1);
	const struct evidence_run *r = &b.e.runs[0];
	assert_close(r->tps, 1332.408096, 1e-9);
	assert_close(r->skipped, 2973, 0);
	assert_close(r->late, 6732, 0);
	assert_close(r->limit_us, 20000, 1e-9);
	assert_close(r->lag_mean_us, 9721, 1e-6);
	assert_close(r->mean_us, 15355 - 9721, 1e-6);
	assert_close(r->seen_mean_us, 15355, 1e-6);
	assert_close(r->asked_tps, 1500, 0.03 * 1500); /* not printed: estimated */
	assert_int_equal(r->n_progress, 15);
	assert_close(r->progress[0].at_s, 1796068855.157, 1e-6);
	assert_close(r->progress[0].skipped, 54, 0);
	assert_close(r->progress[0].lag_us, 7467, 1e-6);
	assert_close(r->progress[0].mean_us, 12310 - 7467, 1e-6);
	build_finding(&b, "rate-not-met"); /* 1332 of 1500 */
	build_end(&b);
}

static void
test_pgbench_overload(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, PG "rate6000-overload.stdout.txt");
	build_must(&b, PG "rate6000-overload.stderr.txt");
	build_finish(&b);
	const struct evidence_run *r = &b.e.runs[0];
	assert_int_equal(b.e.n_runs, 1);
	assert_close(r->tps, 1113.288267, 1e-9);
	assert_close(r->seen_mean_us, 3991469, 1e-3);
	assert_close(r->lag_mean_us, 3987883, 1e-3);
	assert_close(r->mean_us, 3586, 1e-3);
	assert_close(r->asked_tps, 6000, 0.03 * 6000);
	build_says(&b, "rate-not-met", "1113/s done");
	build_says(&b, "rate-not-met", "service takes 3.6 ms");
	assert_null(findings_find(&b.e.findings, "closed-loop"));
	/* progress alone: the weighted mean of its lines, by awk over the file */
	struct built c;
	build_start(&c);
	build_must(&c, PG "rate6000-overload.stderr.txt");
	build_finish(&c);
	assert_close(c.e.runs[0].tps, 1113.03, 0.01); /* (1563.3 + ... + 750.5) / 6 */
	assert_close(c.e.runs[0].seconds, 12, 1e-9);
	build_end(&c);
	build_end(&b);
}

static void
test_pgbench_aggregate(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, PG "aggregate.log.thread1");
	build_must(&b, PG "aggregate.log.thread0");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 1);
	const struct evidence_run *r = &b.e.runs[0];
	assert_string_equal(r->source, "pgbench aggregate");
	assert_close(r->n, 24815, 0);
	assert_close(r->mean_us, 4705, 0.5);
	assert_close(r->max_us, 59769, 0);
	assert_int_equal(r->n_progress, 15);
	assert_close(r->progress[0].tps, 278 + 289, 0);
	assert_close(r->progress[0].at_s, 1796068870, 0); /* its end */
	assert_close(r->tps, 24815 / 15.0, 1e-9);
	assert_false(r->rated);
	assert_close(r->sd_us, 2911.22, 0.01); /* sqrt(sum of squares / n - mean^2), by awk */
	build_end(&b);
}

static void
test_pgbench_prepared(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, PG "select-prepared.stdout.txt");
	build_must(&b, PG "select-prepared.stderr.txt");
	build_finish(&b);
	assert_close(b.e.runs[0].tps, 26924.878378, 1e-6);
	assert_close(b.e.runs[0].mean_us, 541, 1e-9);
	assert_close(b.e.runs[0].clients, 16, 0);
	/* 26924.9 x 0.541 ms = 14.57 of 16: the clients took their share of the processors */
	build_says(&b, "little-law", "keep 14.6 clients busy, not 16: -9 %");
	build_end(&b);
}

/* Sixteen clients on one branch over a network: the disk is not what they wait for. */
static void
test_not_storage_bound(void **state)
{
	struct built b;
	struct evidence_shares s;
	(void)state;
	build_start(&b);
	build_must(&b, "public/pkb-pgbench-9x.stdout.txt");
	build_must(&b, "public/pkb-pgbench-9x.stderr.txt");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 1);
	const struct evidence_run *r = &b.e.runs[0];
	assert_close(r->tps, 13.062579, 1e-9);
	assert_close(r->tps_whole, 12.580114, 1e-9);
	assert_close(r->mean_us, 1108418, 1e-3);
	assert_close(r->clients, 16, 0);
	assert_int_equal(r->n_progress, 5);
	assert_true(isnan(r->progress[0].failed)); /* not said before 15 */
	assert_true(evidence_run_shares(r, &s));
	assert_int_equal(s.statements, 7);
	assert_close(s.round_trip_us, 36290.649, 1e-6);
	assert_close(s.lock_us, 852145, 1); /* 558.017753 + 366.708584 - 2 x 36.290649 ms */
	assert_close(s.commit_us, 1318.948, 1e-3); /* 37.609597 - 36.290649 ms */
	assert_close(100 * s.storage_frac, 0.119, 5e-4);
	const struct finding *f = build_finding(&b, "not-storage-bound");
	build_says(&b, "not-storage-bound", "not storage-bound");
	build_says(&b, "not-storage-bound", "commit takes 1.3 ms over a round trip");
	build_says(&b, "not-storage-bound", "at most 0.12 %");
	build_says(&b, "not-storage-bound", "7 x 36.3 ms = 254 ms");
	build_says(&b, "not-storage-bound", "852.1 ms");
	assert_non_null(strstr(f->todo, "keep the tier or take a lower one"));
	assert_non_null(strstr(f->todo, "move the client near"));
	assert_non_null(strstr(f->todo, "batch"));
	assert_non_null(strstr(f->todo, "scale of at least the number of clients"));
	build_end(&b);
}

static void
test_sysbench_oltp(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "sysbench/sysbench-1.0.20-oltp_rw-pgsql.txt");
	build_must(&b, "sysbench/sysbench-1.0.20-oltp_write_only-mysql.txt");
	build_must(&b, "public/pkb-sysbench-1.0.12.txt");
	build_finish(&b);
	assert_int_equal(b.e.n_runs, 3);
	const struct evidence_run *r = b.e.runs;
	assert_close(r->tps, 403.24, 0);
	assert_close(r->n, 4854, 0);
	assert_close(r->failed, 7, 0);
	assert_close(r->clients, 8, 0);
	assert_close(r->mean_us, 19800, 1e-6);
	assert_close(r->max_us, 236120, 1e-6);
	assert_close(r->p99_us, 68050, 1e-6);
	assert_close(r->seconds, 12.0362, 1e-9);
	assert_int_equal(r->n_progress, 12);
	assert_close(r->progress[11].pct_us, 35590, 1e-6);
	assert_close(r->progress[0].failed, 0.96, 0);
	assert_close(r[1].tps, 1584.57, 0);
	assert_close(r[1].p95_us, 15000, 1e-6);
	assert_true(isnan(r[1].p99_us));
	assert_close(r[2].tps, 986.49, 0);
	assert_close(r[2].other_pct, 100, 0);
	assert_close(r[2].max_us, 115780, 1e-6); /* the maximum itself, not the end of its bucket */
	assert_close(r[2].progress[14].pct_us, 73130, 1e-6);
	/* nearest ranks of the histogram's rows, by python: 16.706, 44.173 and 69.289 ms; sysbench
	 * itself rounds the rank down and prints 68.05 for the last, which is kept */
	assert_close(r->p50_us, 16706, 1);
	assert_close(r->p95_us, 44173, 1);
	assert_int_equal(b.e.n_histograms, 1);
	const struct evidence_histogram *h = &b.e.histograms[0];
	assert_close(h->count[h->n - 1], 4854, 0);
	size_t i = 0;
	while (h->count[i] < 0.99 * 4854)
		i++;
	assert_true(h->edge_us[i] > 69289 && h->edge_us[i - 1] < 69289);
	build_end(&b);
}

static void
test_sysbench_fileio(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "sysbench/sysbench-1.0.20-fileio-rndrw.txt");
	build_finish(&b);
	const struct evidence_run *r = b.e.runs;
	assert_int_equal(b.e.n_runs, 1);
	assert_string_equal(r->label, "fileio");
	assert_close(r->read_iops, 9608.04, 0);
	assert_close(r->write_iops, 6405.15, 0);
	assert_close(r->flush_iops, 642.27, 0);
	assert_close(r->block_b, 16384, 0);
	assert_close(r->read_bytes_s / 1048576, 150.13, 1e-9);
	assert_close(r->read_iops * r->block_b / 1048576, 150.13, 0.005);
	assert_close(r->p95_us, 420, 1e-9);
	assert_null(findings_find(&b.e.findings, "page-cache"));
	assert_null(findings_find(&b.e.findings, "units-product"));
	assert_null(findings_find(&b.e.findings, "closed-loop"));
	build_end(&b);
	/* the size is derived where the head is missing: from "File operations:" on */
	struct buf text;
	shared_text("sysbench/sysbench-1.0.20-fileio-rndrw.txt", &text);
	build_start(&b);
	const char *tail = strstr(buf_text(&text), "File operations:");
	char *piece = malloc(strlen(tail) + 40);
	sprintf(piece, "sysbench 1.0.20\n%s", tail);
	assert_int_equal(build_text(&b, "piece", piece), 0);
	assert_close(b.e.runs[0].block_b, 16384, 4); /* (150.13 + 100.08) MiB / 16013.19 */
	build_finding(&b, "page-cache"); /* its flags are not said */
	free(piece);
	buf_fini(&text);
	build_end(&b);
}

static void
test_cassandra(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "synthetic/cassandra-stress-4x-summary.txt");
	assert_string_equal(b.reader, "cassandra-stress");
	build_must(&b, "synthetic/cassandra-stress-2x-summary.txt");
	build_must(&b, "synthetic/nodetool-tablestats.txt");
	build_finish(&b);
	const struct evidence_run *r = b.e.runs;
	assert_int_equal(b.e.n_runs, 3 + 2 + 2);
	assert_close(r[0].tps, 13743, 0);
	assert_close(r[0].mean_us, 4600, 1e-9);
	assert_close(r[0].p99_us, 38700, 1e-9);
	assert_close(r[0].other_us, 121400, 1e-9);
	assert_close(r[0].max_us, 264000, 1e-9);
	assert_close(r[0].n, 412300, 0);
	assert_int_equal(r[0].n_progress, 1);
	assert_close(r[0].progress[0].mean_us, 4600, 1e-9);
	assert_string_equal(r[1].label, "READ");
	assert_close(r[1].tps, 6871, 0);
	assert_close(r[1].p99_us, 61200, 1e-9);
	assert_string_equal(r[2].label, "WRITE");
	assert_close(r[2].p99_us, 9800, 1e-9);
	assert_close(r[2].n, 206160, 0);
	assert_close(r[3].tps, 9120, 0);
	assert_close(r[3].mean_us, 1700, 1e-9);
	assert_close(r[3].seconds, 30, 0);
	assert_string_equal(r[4].label, "insert");
	assert_close(r[4].max_us, 212000, 1e-9);
	assert_string_equal(r[5].label, "table app.orders read");
	assert_close(r[5].n, 8412330, 0);
	assert_close(r[5].mean_us, 2418, 1e-9);
	assert_close(r[6].mean_us, 32, 1e-9); /* audit has none: NaN is no run */
	build_finding(&b, "read-amplification"); /* 27 SSTables */
	build_finding(&b, "snapshot-space");
	build_end(&b);
}

int
main(void)
{
	if (skip_without_shared())
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pgbench_tpcb),
		cmocka_unit_test(test_pgbench_rate),
		cmocka_unit_test(test_pgbench_overload),
		cmocka_unit_test(test_pgbench_aggregate),
		cmocka_unit_test(test_pgbench_prepared),
		cmocka_unit_test(test_not_storage_bound),
		cmocka_unit_test(test_sysbench_oltp),
		cmocka_unit_test(test_sysbench_fileio),
		cmocka_unit_test(test_cassandra),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
