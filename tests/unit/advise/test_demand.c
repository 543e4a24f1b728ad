/*
 * What a volume has to do: every expected figure is worked out by hand in the comment beside it.
 */
#include "case.h"

#include "advise/demand.h"

struct fixture {
	struct arena arena;
	struct workload workload;
	struct engine engine;
	struct findings findings;
	struct demand_set set;
	struct err err;
	int rc;
};

static void
derive(struct fixture *f, const char *engine, const char *rest)
{
	char text[4096], path[64];
	memset(f, 0, sizeof(*f));
	int head = snprintf(text, sizeof(text),
		"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"t\", "
		"\"region\": \"r\", \"engine\": \"%s\",",
		engine);
	snprintf(text + head, sizeof(text) - (size_t)head, "%s}", rest);
	arena_init(&f->arena, 0);
	put_text(text, path);
	int rc = workload_load(path, &f->arena, &f->workload, NULL, &f->err);
	unlink(path);
	if (rc)
		fail_msg("%s", f->err.text);
	findings_init(&f->findings, &f->arena);
	load_engine(&f->workload, &f->arena, &f->engine);
	f->rc = demand_derive(&f->workload, &f->engine, &f->arena, &f->findings, &f->set, &f->err);
}

struct row {
	const char *what, *engine, *rest;
	size_t volume;
	double read_iops, write_iops, io_kib, mbps, horizon_gib; /* NaN: unknown */
	int trust;
	const char *words;
};

#define TX                                                                                         \
	"\"transactions\": {\"target_tps\": 2000, \"clients\": 50, \"cpu_ms_per_tx\": 1, "         \
	"\"page_reads_per_tx\": 4, \"wal_kib_per_tx\": 5},"
#define UNKNOWN ((double)NAN)

static const struct row rows[] = {
	/* 5 KiB are padded to two blocks of 4 KiB; 2,000 x 8,192 B = 16.384 MB/s */
	{"log from transactions", "postgresql",
		TX "\"volumes\": [{\"role\": \"wal\", \"capacity_gib\": 64}]", 0, 0, 2000, 8,
		16.384, 64, TRUST_DERIVED, "2000 transactions/s x one flush each"},
	/* 2,000 x 4 reads of the 8 KiB page; each is changed and written back once, in 0.9 of the time
	 * between checkpoints: 8,888.89; 2,000 log writes: 18,888.89 x 8,192 B = 154.738 */
	{"data from transactions", "postgresql",
		TX "\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100}]", 0, 8000,
		10888.88889, 8, 154.7377778, 100, TRUST_ASSUMED,
		"2000 log writes, which have no volume of their own"},
	/* with a log volume: 16,888.89 x 8,192 B = 138.354 */
	{"data beside a log", "postgresql",
		TX "\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100}, {\"role\": \"wal\", "
		   "\"capacity_gib\": 10}]",
		0, 8000, 8888.88889, 8, 138.3537778, 100, TRUST_ASSUMED, "written back = 8888.89"},
	/* three parts of four of the space: 6,000 and 6,666.67; x 8,192 B = 103.765 */
	{"data and index", "postgresql",
		TX
		"\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 75}, {\"role\": \"index\", "
		"\"capacity_gib\": 25}, {\"role\": \"wal\", \"capacity_gib\": 10}]",
		0, 6000, 6666.66667, 8, 103.7653333, 75, TRUST_ASSUMED,
		"x 0.75, its share of the space = 6000"},
	/* InnoDB: 16 KiB pages, each written twice: (8,000 + 16,000) x 16,384 B = 393.216 */
	{"doublewrite", "mysql",
		TX "\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100}, {\"role\": \"wal\", "
		   "\"capacity_gib\": 10}]",
		0, 8000, 16000, 16, 393.216, 100, TRUST_ASSUMED, "twice (doublewrite) = 16000"},
	/* given: (6,000 + 2,500) x 8,192 B = 69.632; 900 + 36 x 30 = 1,980 GiB after the default 36 */
	{"given", "postgresql",
		"\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 900, \"read_iops\": 6000, "
		"\"write_iops\": 2500, \"io_kib\": 8, \"growth_gib_month\": 30}]",
		0, 6000, 2500, 8, 69.632, 1980, TRUST_MEASURED, "given"},
	/* 12 months instead: 900 + 12 x 30 = 1,260 */
	{"own horizon", "postgresql",
		"\"finance\": {\"horizon_months\": 12}, \"volumes\": [{\"role\": \"data\", "
		"\"capacity_gib\": 900, \"read_iops\": 6000, \"write_iops\": 2500, \"io_kib\": 8, "
		"\"growth_gib_month\": 30}]",
		0, 6000, 2500, 8, 69.632, 1260, TRUST_MEASURED, "given"},
	/* 3,000 GiB = 3,221,225.472 MB in 14,400 s = 223.696 MB/s */
	{"backup window", "postgresql",
		"\"volumes\": [{\"role\": \"backup\", \"capacity_gib\": 3000, \"window_hours\": "
		"4}]",
		0, 0, 0, UNKNOWN, 223.6962, 3000, TRUST_DERIVED, "copy of 3000 GiB within 4 h"},
	/* 3,000 + 36 x 250 = 12,000 GiB = 12,884,901.888 MB in 43,200 s = 298.262 MB/s */
	{"backup that grows", "postgresql",
		"\"volumes\": [{\"role\": \"backup\", \"capacity_gib\": 3000, \"window_hours\": "
		"12, \"growth_gib_month\": 250}]",
		0, 0, 0, UNKNOWN, 298.2616, 12000, TRUST_DERIVED, "copy of 12000 GiB within 12 h"},
	/* the data volume is read for the copy, but holds only 900 of the 3,000 GiB:
	 * 966,367.6416 MB / 14,400 s = 67.1089; with its own 69.632: 136.7409 */
	{"backup reads the data", "postgresql",
		"\"volumes\": [{\"role\": \"backup\", \"capacity_gib\": 3000, \"window_hours\": "
		"4}, "
		"{\"role\": \"data\", \"capacity_gib\": 900, \"read_iops\": 6000, \"write_iops\": "
		"2500, "
		"\"io_kib\": 8}]",
		1, 6000, 2500, 8, 136.7409, 900, TRUST_MEASURED,
		"the backup reads 67.1 MB/s from it"},
	/* compaction: 27 + 22 MB/s of streams on 2,500 x 16 KiB = 40.96 */
	{"streams", "cassandra",
		"\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 800, \"read_iops\": 2500, "
		"\"write_iops\": 0, \"io_kib\": 16, \"read_mbps\": 22, \"write_mbps\": 27}]",
		0, 2500, 0, 16, 89.96, 800, TRUST_MEASURED, "given"},
	/* 2,000 x 5 KiB = 10.24 MB/s come in; write amplification 6: 5 times that is written by flushes and
	 * compaction, 4 times read; the log, periodic, once more; 8,000 x 16,384 B = 131.072 */
	{"log-structured tree", "cassandra",
		TX "\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 100}]", 0, 8000, 0, 16,
		233.472, 100, TRUST_ASSUMED, "write amplification 6"},
	/* with its own volume the log is a stream, no flush a commit */
	{"log nobody waits for", "cassandra",
		TX "\"volumes\": [{\"role\": \"wal\", \"capacity_gib\": 10}]", 0, 0, 0, UNKNOWN,
		10.24, 10, TRUST_DERIVED, "nobody waits for a flush"},
	/* nothing said, nothing known: not zero */
	{"temp", "postgresql", "\"volumes\": [{\"role\": \"temp\", \"capacity_gib\": 100}]", 0,
		UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 100, TRUST_MEASURED, "unknown"},
	/* only reads given: the writes are said to be none, as an assumption */
	{"half given", "postgresql",
		"\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 10, \"read_iops\": 100}]", 0,
		100, 0, 8, 0.8192, 10, TRUST_ASSUMED, "no writes given, none assumed"},
};

static bool
same(double got, double want)
{
	return (isnan(got) && isnan(want)) || near_to(got, want, 1e-4);
}

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct fixture f;
		derive(&f, r->engine, r->rest);
		if (f.rc)
			fail_msg("%s: %s", r->what, f.err.text);
		const struct demand *d = &f.set.volumes[r->volume];
		if (!same(d->read_iops, r->read_iops) || !same(d->write_iops, r->write_iops) ||
			!same(d->io_kib, r->io_kib) || !same(d->mbps, r->mbps) ||
			!same(d->horizon_gib, r->horizon_gib) || d->trust != r->trust)
			fail_msg("%s: read %g write %g KiB %g MB/s %g GiB %g trust %d", r->what,
				d->read_iops, d->write_iops, d->io_kib, d->mbps, d->horizon_gib,
				d->trust);
		if (!strstr(d->words, r->words))
			fail_msg("%s: \"%s\" lacks \"%s\"", r->what, d->words, r->words);
		arena_fini(&f.arena);
	}
}

static void
test_units(void **state)
{
	(void)state;
	struct demand d = {
		.read_iops = 100, .write_iops = 50, .io_kib = 300, .stream_mbps = 1048.576};
	/* 300 KiB are two pieces of 256; 1,048.576 MB/s are 1,000 x 1 MiB, four pieces each */
	assert_true(near_to(demand_units(&d, 256, UNKNOWN), 150 * 2 + 4000, 1e-6));
	/* never split: 150 + 1,000 */
	assert_true(near_to(demand_units(&d, UNKNOWN, UNKNOWN), 1150, 1e-6));
	/* one log writer at 1.25 ms a flush: 800 flushes/s, the other 1,200 commits share them */
	struct demand log = {.write_iops = 2000, .io_kib = 8, .one_writer = true};
	assert_true(near_to(demand_units(&log, 256, 800), 800, 1e-9));
	/* 400 x 64 KiB a second in 62.5 flushes: 409.6 KiB each, 26 pieces of 16 KiB, not 4 */
	struct demand wide = {.write_iops = 400, .io_kib = 64, .one_writer = true};
	assert_true(near_to(demand_units(&wide, 16, 62.5), 62.5 * 26, 1e-9));
	/* a faster disk is not asked for more than there is */
	assert_true(near_to(demand_units(&log, 256, 4000), 2000, 1e-9));
	log.one_writer = false;
	assert_true(near_to(demand_units(&log, 256, 800), 2000, 1e-9));
	struct demand unknown = {.read_iops = UNKNOWN, .write_iops = UNKNOWN, .io_kib = UNKNOWN};
	assert_true(isnan(demand_units(&unknown, 256, UNKNOWN)));
}

static void
test_says_what_it_cannot(void **state)
{
	(void)state;
	struct fixture f;
	/* clients alone give no rate */
	derive(&f, "postgresql",
		"\"transactions\": {\"clients\": 5}, \"volumes\": [{\"role\": \"data\", "
		"\"capacity_gib\": 10}]");
	assert_int_equal(f.rc, ERR_RANGE);
	assert_non_null(strstr(f.err.text, "target_tps"));
	arena_fini(&f.arena);
	/* 2,000 x 4 = 8,000 reads against 1,000 given */
	derive(&f, "postgresql",
		TX "\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 10, \"read_iops\": 1000, "
		   "\"write_iops\": 1, \"io_kib\": 8}]");
	assert_int_equal(f.rc, 0);
	assert_non_null(findings_find(&f.findings, "demand-disagrees"));
	arena_fini(&f.arena);
}

static void
test_defaults_are_named(void **state)
{
	(void)state;
	struct fixture f;
	derive(&f, "postgresql",
		"\"transactions\": {\"target_tps\": 10}, \"volumes\": [{\"role\": \"wal\", "
		"\"capacity_gib\": 10}]");
	assert_int_equal(f.rc, 0);
	assert_true(near_to(f.set.headroom, 0.20, 1e-12));
	assert_true(near_to(f.set.horizon_months, 36, 1e-12));
	size_t n = 0;
	for (size_t i = 0; i < f.findings.n; i++)
		n += strcmp(f.findings.items[i].code, "demand-assumed") == 0;
	assert_int_equal(n, 6); /* cpu, page reads and writes, log bytes, clients, utilisation */
	arena_fini(&f.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_says_what_it_cannot),
		cmocka_unit_test(test_defaults_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
