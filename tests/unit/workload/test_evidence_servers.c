/*
 * Real counters of PostgreSQL and MariaDB, and made ones of other versions.  Expected values are those of the
 * fixtures' EXPECTED.md (computed without this project), or sums of the cells done by hand.
 */
#include "unit/workload/evidence_build.h"

#include "workload/run.h"

static const char *const pg15[] = {"lsn", "pg_stat_bgwriter", "pg_stat_database", "pg_stat_wal"};

static void
add_pg15(struct built *b, const char *order)
{
	for (const char *t = order; *t; t++)
		for (size_t i = 0; i < sizeof(pg15) / sizeof(pg15[0]); i++) {
			char name[80];
			snprintf(name, sizeof(name), "postgres/pg15-%s-t%c.csv", pg15[i], *t);
			build_must(b, name);
			assert_string_equal(b->reader, "postgresql");
		}
}

static void
check_pg15(const struct evidence_server *s)
{
	struct evidence_rates r;
	assert_string_equal(s->source, "postgresql");
	assert_string_equal(s->version, "14 to 16");
	assert_close(s->log_bytes, 479686025, 0);
	assert_close(s->log_position_bytes, 481748488, 0);
	assert_close(s->log_syncs, 24152, 0);
	assert_close(s->log_sync_us / 1e3, 12799.4, 0.05);
	assert_close(s->connections, 1, 0); /* numbackends of the last look */
	assert_close(s->temp_files, 0, 0); /* 4 before and after */
	assert_close(s->commits, 41560, 0); /* 41597 - 37: the 41,523 of pgbench and some of psql */
	assert_close(s->page_reads, 287294 - 224051, 0);
	assert_close(s->page_read_us, (1512.315 - 444.548) * 1e3, 1e-3);
	assert_close(s->checkpoint_requested, 2, 0);
	assert_close(s->checkpoint_pages, 9173, 0);
	assert_close(s->seconds, 42.908658, 1e-5); /* 19:58:04.230258 - 19:57:21.3216 */
	assert_true(isnan(s->commit_groups));
	assert_false(s->since_reset);
	evidence_server_rates(s, &r);
	assert_close(r.sync_us / 1e3, 0.530, 5e-4);
	assert_close(r.commits_per_sync, 1.72, 5e-3);
	assert_close(r.log_bytes_per_sync, 19861, 0.5);
	assert_close(r.page_image_frac, 58365 * 8192 / 479686025.0, 1e-12);
	assert_close(r.checkpoint_bytes_s, 9173 * 8192 / 6.967, 1e-3);
	assert_close(r.log_bytes_s, 481748488 / 42.908658, 1);
}

static void
test_pg15(void **state)
{
	struct built b;
	(void)state;
	static const char *const orders[] = {"01", "10"}; /* named in the wrong order, too */
	for (size_t i = 0; i < 2; i++) {
		build_start(&b);
		add_pg15(&b, orders[i]);
		build_finish(&b);
		assert_int_equal(b.e.n_servers, 1);
		check_pg15(&b.e.servers[0]);
		assert_null(findings_find(&b.e.findings, "counters-reset"));
		build_end(&b);
	}
}

static void
test_calibration(void **state)
{
	struct built b;
	struct evidence_calibration c;
	(void)state;
	build_start(&b);
	add_pg15(&b, "01");
	build_must(&b, "pgbench/pgbench15-tpcb-P1-r.stdout.txt");
	build_finish(&b);
	assert_true(evidence_calibrate(&b.e, &c));
	assert_close(c.tps, 2076.461885, 1e-9);
	assert_close(c.mean_us, 3829, 1e-6);
	assert_close(c.clients, 8, 0);
	assert_close(c.page_reads_per_tx, 63243 / 41560.0, 1e-9);
	assert_close(c.commits_per_flush, 41560 / 24152.0, 1e-9);
	assert_close(c.flushes_s, 2076.461885 / (41560 / 24152.0), 1e-6);
	assert_close(c.log_bytes_per_tx, 479686025 / 41560.0, 1e-6);
	assert_null(findings_find(&b.e.findings, "commits-per-sync"));
	build_end(&b);
}

static void
test_pg_statements(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "postgres/pg15-pg_stat_statements.csv");
	build_finish(&b);
	const struct evidence_server *s = b.e.servers;
	assert_int_equal(b.e.n_servers, 1);
	assert_string_equal(s->version, "13 to 16");
	assert_close(s->commits, 41523, 0); /* calls of END */
	assert_int_equal(s->n_statements, 12);
	assert_close(s->statements[1].mean_us, 3817.448354000023e3 / 41523, 1e-6);
	assert_close(s->statements[1].page_reads, 61940, 0);
	/* awk over the column wal_bytes, quoted rows by hand: 3300171+466542669+3581175+58+3364772 */
	assert_close(s->log_bytes, 476788845, 0);
	assert_true(s->since_reset);
	build_end(&b);
}

static void
test_pg16_io(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "synthetic/pg16-pg_stat_io.csv");
	build_finish(&b);
	const struct evidence_server *s = b.e.servers;
	assert_string_equal(s->version, "16 to 17");
	assert_close(s->page_reads, 512 + 250000 + 1840000, 0);
	assert_close(s->page_read_bytes, 8192.0 * 2090512, 0);
	assert_close(s->page_read_us, (40.5 + 31250 + 1472000) * 1e3, 1e-3);
	assert_close(s->page_writes, 9200 + 640000 + 88000, 0);
	assert_close(s->data_syncs, 4100, 0);
	assert_close(s->data_sync_us / s->data_syncs, 15000, 1e-6); /* 61500 ms / 4100 */
	assert_true(isnan(s->log_syncs)); /* not in this layout: not 0 */
	assert_true(s->since_reset);
	build_finding(&b, "one-look");
	build_end(&b);
}

static void
test_pg18(void **state)
{
	struct built b;
	struct evidence_rates r;
	(void)state;
	build_start(&b);
	build_must(&b, "synthetic/pg18-pg_stat_io.csv");
	build_must(&b, "synthetic/pg18-pg_stat_wal.csv");
	build_finish(&b);
	const struct evidence_server *s = b.e.servers;
	assert_int_equal(b.e.n_servers, 1);
	assert_string_equal(s->version, "18 or later");
	assert_close(s->log_bytes, 28966912000, 0); /* of pg_stat_wal */
	assert_close(s->log_syncs, 2050000 + 84000, 0);
	assert_close(s->log_writes, 2100000 + 84000, 0);
	assert_close(s->log_sync_us, (1640000.0 + 58800) * 1e3, 1e-3);
	assert_close(s->page_read_bytes, 15073280000, 0); /* the walsender's are no pages */
	assert_close(s->page_reads, 15073280000 / 8192.0, 0); /* not the 402000 calls */
	assert_close(s->full_page_images, 9800000, 0);
	evidence_server_rates(s, &r);
	assert_close(r.sync_us, 796.0637, 1e-3); /* 1698800 ms / 2134000 */
	assert_close(
		r.page_image_frac, 1, 0); /* 9800000 x 8 KiB are more than the log: compressed */
	build_end(&b);
}

static void
test_pg17_checkpointer(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	build_must(&b, "synthetic/pg17-pg_stat_checkpointer.csv");
	build_finish(&b);
	const struct evidence_server *s = b.e.servers;
	assert_string_equal(s->version, "17");
	assert_close(s->checkpoints, 288 + 41, 0);
	assert_close(s->checkpoint_requested, 41, 0);
	assert_close(s->checkpoint_pages, 640000, 0);
	assert_close(s->checkpoint_write_us, 7905000e3, 0);
	assert_close(s->checkpoint_sync_us, 61500e3, 0);
	build_end(&b);
}

#define WAL_HEAD                                                                                   \
	" wal_records | wal_fpi | wal_bytes | wal_buffers_full | wal_write | wal_sync | "          \
	"wal_write_time | wal_sync_time | stats_reset\n"                                           \
	"-------------+---------+-----------+------------------+-----------+----------+---------"  \
	"-------+---------------+-------------\n"

static void
test_pg_layouts(void **state)
{
	static const struct {
		const char *text;
		double syncs, sync_us;
	} rows[] = {
		/* psql's box, two looks in one file (\watch 5) */
		{"Mon Nov 30 19:57:21 2026 (every 5s)\n\n" WAL_HEAD
		 "  10 | 1 | 1000 | 0 | 5 | 7 | 0.5 | 1.5 | 2026-01-01\n(1 row)\n\n"
		 "Mon Nov 30 19:57:26 2026 (every 5s)\n\n" WAL_HEAD
		 "  30 | 2 | 3000 | 0 | 9 | 17 | 1.5 | 11.5 | 2026-01-01\n(1 row)\n\n",
			10, 10000},
		/* the same with CRLF and a mark in front */
		{"\xEF\xBB\xBF" WAL_HEAD
		 "  10 | 1 | 1000 | 0 | 5 | 7 | 0.5 | 1.5 | 2026-01-01\r\n(1 row)\r\n\r\n" WAL_HEAD
		 "  30 | 2 | 3000 | 0 | 9 | 17 | 1.5 | 11.5 | 2026-01-01\r\n(1 row)\r\n",
			10, 10000},
		/* psql -x */
		{"-[ RECORD 1 ]----+----\nwal_records | 10\nwal_fpi | 1\nwal_bytes | 1000\n"
		 "wal_sync | 7\nwal_sync_time | 1.5\nstats_reset | 2026-01-01\n\n"
		 "-[ RECORD 1 ]----+----\nwal_records | 30\nwal_fpi | 1\nwal_bytes | 3000\n"
		 "wal_sync | 17\nwal_sync_time | 11.5\nstats_reset | 2026-01-01\n",
			10, 10000},
		/* semicolons; a time that stays 0 was not taken */
		{"wal_records;wal_fpi;wal_bytes;wal_sync;wal_sync_time\n10;1;1000;7;0\n\n"
		 "wal_records;wal_fpi;wal_bytes;wal_sync;wal_sync_time\n30;1;3000;17;0\n",
			10, (double)NAN},
		/* tables that follow each other without an empty line */
		{"wal_records,wal_fpi,wal_bytes,wal_sync,wal_sync_time\n10,1,1000,7,1.5\n"
		 "wal_records,wal_fpi,wal_bytes,wal_sync,wal_sync_time\n30,1,3000,17,\n",
			10, (double)NAN},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct built b;
		build_start(&b);
		if (build_text(&b, "t", rows[i].text))
			fail_msg("row %zu: %s", i, b.err.text);
		build_finish(&b);
		assert_int_equal(b.e.n_servers, 1);
		const struct evidence_server *s = b.e.servers;
		assert_close(s->log_syncs, rows[i].syncs, 0);
		assert_close(s->log_bytes, 2000, 0);
		assert_true(isnan(rows[i].sync_us) ? isnan(s->log_sync_us)
						   : fabs(s->log_sync_us - rows[i].sync_us) < 1e-6);
		if (i == 0)
			assert_close(s->seconds, 5, 0);
		if (i == 3)
			build_says(&b, "timing-off", "track_wal_io_timing");
		build_end(&b);
	}
}

static void
test_pg_refused(void **state)
{
	struct built b;
	(void)state;
	/* reset between the looks */
	build_start(&b);
	assert_int_equal(
		build_text(&b, "a",
			"wal_records,wal_fpi,wal_bytes,stats_reset\n10,1,1000,2026-01-01\n"),
		0);
	assert_int_equal(
		build_text(&b, "b",
			"wal_records,wal_fpi,wal_bytes,stats_reset\n20,1,3000,2026-01-02\n"),
		0);
	build_finish(&b);
	assert_int_equal(b.e.n_servers, 0);
	build_says(&b, "counters-reset", "stats_reset was 2026-01-01, then 2026-01-02");
	assert_int_equal(build_finding(&b, "counters-reset")->severity, SEVERITY_ERROR);
	build_end(&b);
	/* some counters rise, one falls: another server, or a crash */
	build_start(&b);
	assert_int_equal(build_text(&b, "a", "wal_records,wal_fpi,wal_bytes\n10,5,1000\n"), 0);
	assert_int_equal(build_text(&b, "b", "wal_records,wal_fpi,wal_bytes\n20,1,3000\n"), 0);
	build_finish(&b);
	assert_int_equal(b.e.n_servers, 0);
	build_says(&b, "counters-reset", "wal_fpi fell by 4");
	build_end(&b);
	/* no number where a count must be */
	build_start(&b);
	assert_int_equal(
		build_text(&b, "a", "wal_records,wal_fpi,wal_bytes\n10,5,12 MB\n"), ERR_PARSE);
	assert_non_null(strstr(b.err.text, "a:1: wal_bytes of row 1 below: \"12 MB\""));
	assert_int_equal(b.e.n_snapshots, 0);
	/* cut inside its only row */
	assert_int_equal(build_text(&b, "c", "wal_records,wal_fpi,wal_bytes\n10,5,12"), ERR_PARSE);
	assert_non_null(strstr(b.err.text, "no whole row"));
	assert_int_equal(build_text(&b, "d", ""), ERR_PARSE);
	build_end(&b);
}

/* A row that is there twice counts once. */
static void
test_pg_twice(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	assert_int_equal(build_text(&b, "io",
				 "backend_type,object,context,reads,op_bytes\n"
				 "client backend,relation,normal,100,8192\n"
				 "client backend,relation,normal,100,8192\n"
				 "checkpointer,relation,normal,,8192\n"),
		0);
	build_finish(&b);
	build_finding(&b, "rows-twice");
	assert_close(b.e.servers[0].page_reads, 100, 0);
	build_end(&b);
}

static void
check_mysql(const struct built *b)
{
	const struct evidence_server *s = b->e.servers;
	assert_int_equal(b->e.n_servers, 1);
	assert_string_equal(s->source, "mysql");
	assert_close(s->seconds, 15, 0);
	assert_close(s->commits, 23779, 0);
	assert_close(s->connections, 8, 0); /* Max_used_connections */
	assert_close(s->temp_files, 0, 0);
	assert_true(isnan(s->connections_max)); /* a variable, not a status */
	assert_close(s->commit_groups, 11771, 0);
	assert_close(s->commits / s->commit_groups, 2.02, 5e-3);
	assert_close(s->data_syncs, 11422, 0);
	assert_close(s->log_bytes, 44725457, 0);
	assert_close(s->page_writes, 188, 0);
	assert_close(s->page_write_bytes, 188 * 16384.0, 0);
	assert_true(isnan(s->log_syncs)); /* this server has no such row */
	build_says(b, "row-missing", "Innodb_os_log_fsyncs");
}

#define MY "mysql/mariadb-10.11-global-status-"

static void
test_mysql(void **state)
{
	struct built b;
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		build_start(&b);
		build_must(&b, swap ? MY "t1.tsv" : MY "t0.tsv");
		assert_string_equal(b.reader, "mysql");
		build_must(&b, swap ? MY "t0.tsv" : MY "t1.tsv");
		build_finish(&b);
		check_mysql(&b);
		build_end(&b);
	}
	build_start(&b);
	build_must(&b, MY "boxed.txt");
	build_finish(&b);
	assert_int_equal(b.e.n_servers, 0);
	assert_int_equal(b.e.n_snapshots, 1);
	build_finding(&b, "one-look");
	build_end(&b);
}

/* The two looks written in other layouts: as \G, boxed, in one file, and as mysqladmin -r differences. */
static void
write_look(struct buf *out, const char *tsv, const char *before, int how)
{
	char line[120];
	buf_printf(out, how == 1 ? "" : "+---+---+\n| Variable_name | Value |\n+---+---+\n");
	for (const char *p = strchr(tsv, '\n') + 1; *p; p = strchr(p, '\n') + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		char *value = strchr(line, '\t');
		*value++ = '\0';
		char key[200];
		snprintf(key, sizeof(key), "\n%s\t", line);
		const char *old = before ? strstr(before, key) : NULL;
		if (how == 1)
			buf_printf(out, "*** 1. row ***\nVariable_name: %s\n        Value: %s\n",
				line, value);
		else if (old && value[0] >= '0' && value[0] <= '9')
			buf_printf(out, "| %s | %.0f |\n", line,
				strtod(value, NULL) - strtod(old + strlen(key), NULL));
		else
			buf_printf(out, "| %s | %s |\r\n", line, value);
	}
	buf_printf(out, how == 1 ? "" : "+---+---+\n\n");
}

static void
test_mysql_layouts(void **state)
{
	struct buf t0, t1;
	(void)state;
	shared_text(MY "t0.tsv", &t0);
	shared_text(MY "t1.tsv", &t1);
	for (int how = 0; how < 3; how++) { /* boxed, \G, relative */
		struct buf both;
		struct built b;
		buf_init(&both, 0);
		write_look(&both, buf_text(&t0), NULL, how);
		write_look(&both, buf_text(&t1), how == 2 ? buf_text(&t0) : NULL, how);
		build_start(&b);
		if (build_text(&b, "both", buf_text(&both)))
			fail_msg("layout %d: %s", how, b.err.text);
		build_finish(&b);
		check_mysql(&b);
		buf_fini(&both);
		build_end(&b);
	}
	buf_fini(&t0);
	buf_fini(&t1);
}

static void
test_mysql_refused(void **state)
{
	struct built b;
	(void)state;
	build_start(&b);
	assert_int_equal(build_text(&b, "a",
				 "Variable_name\tValue\nCom_commit\t100\nInnodb_page_"
				 "size\t16384\nUptime\t5000\n"),
		0);
	assert_int_equal(build_text(&b, "b",
				 "Variable_name\tValue\nCom_commit\t140\nInnodb_page_"
				 "size\t16384\nUptime\t20\n"),
		0);
	build_finish(&b);
	assert_int_equal(b.e.n_servers, 0);
	build_says(&b, "counters-reset", "Uptime fell from 5000 to 20 s: the server restarted");
	build_end(&b);
	build_start(&b);
	assert_int_equal(build_text(&b, "a", "Variable_name\tValue\nCom_commit\t1\nUptime\t1.5h\n"),
		ERR_PARSE);
	assert_non_null(strstr(b.err.text, "Uptime: \"1.5h\""));
	build_end(&b);
	/* the last row has lost its end: it is not taken */
	build_start(&b);
	assert_int_equal(build_text(&b, "a", "Variable_name\tValue\nCom_commit\t1\nUptime\t12"), 0);
	build_finding(&b, "rows-cut");
	assert_int_equal(b.e.snapshots[0].n, 1);
	build_end(&b);
}

int
main(void)
{
	if (skip_without_shared())
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pg15),
		cmocka_unit_test(test_calibration),
		cmocka_unit_test(test_pg_statements),
		cmocka_unit_test(test_pg16_io),
		cmocka_unit_test(test_pg18),
		cmocka_unit_test(test_pg17_checkpointer),
		cmocka_unit_test(test_pg_layouts),
		cmocka_unit_test(test_pg_refused),
		cmocka_unit_test(test_pg_twice),
		cmocka_unit_test(test_mysql),
		cmocka_unit_test(test_mysql_layouts),
		cmocka_unit_test(test_mysql_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
