/*
 * The fio importer on small documents written here; every expectation is worked out by hand beside
 * its row.  The real files are in test_fio_fixtures.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/fio_job.h"
#include "profile/import.h"

/* 80,000 I/O of 4 KiB in 10 s: 8,000 IOPS at 1 ms is 8 in flight. */
#define READ_SIDE                                                                                  \
	"{\"io_bytes\": 327680000, \"io_kbytes\": 320000, \"bw\": 32000, \"iops\": 8000.0, "       \
	"\"runtime\": 10000, \"total_ios\": 80000, \"short_ios\": 0, \"drop_ios\": 0, "            \
	"\"slat_ns\": {\"min\": 1000, \"max\": 9000, \"mean\": 2000.0, \"stddev\": 1}, "           \
	"\"clat_ns\": {\"min\": 400000, \"max\": 5000000, \"mean\": 998000.0, \"stddev\": 5, "     \
	"\"percentile\": {\"50.000000\": 900000, \"99.000000\": 4000000, "                         \
	"\"99.900000\": 5030000}}, "                                                               \
	"\"lat_ns\": {\"min\": 401000, \"max\": 5002000, \"mean\": 1000000.0, "                    \
	"\"stddev\": 250000.0, \"N\": 80000}}"
#define IDLE "{\"io_bytes\": 0, \"io_kbytes\": 0, \"iops\": 0, \"runtime\": 0, \"total_ios\": 0}"
#define OPTIONS                                                                                    \
	"{\"rw\": \"randread\", \"bs\": \"4k\", \"iodepth\": \"08\", \"direct\": \"1\", "          \
	"\"ioengine\": \"libaio\"}"
#define JOB(options, read, write)                                                                  \
	"{\"jobname\": \"j\", \"groupid\": 0, \"error\": 0, \"job options\": " options             \
	", \"read\": " read ", \"write\": " write ", \"usr_cpu\": 5.0, \"sys_cpu\": 7.5}"
#define DOC(jobs) "{\"fio version\": \"fio-3.33\", \"timestamp\": 1700000000, \"jobs\": [" jobs "]}"
#define GOOD DOC(JOB(OPTIONS, READ_SIDE, IDLE))

struct fixture {
	struct arena arena;
	struct profile profile;
	struct import_outcome file;
	struct err err;
	int rc;
};

static void
read_as(struct fixture *f, const char *name, const char *text, size_t n)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, 0);
	struct import *im = import_new(&f->profile, &f->arena);
	assert_non_null(im);
	f->rc = import_text(im, name, text, n, &f->file, &f->err);
	struct err err;
	assert_int_equal(import_finish(im, &err), 0);
}

static void
read_in(struct fixture *f, const char *text, size_t n)
{
	read_as(f, "file.json", text, n);
}

static void
accept_as(struct fixture *f, const char *name, const char *text)
{
	read_as(f, name, text, strlen(text));
	if (f->rc)
		fail_msg("refused: %s", f->err.text);
}

static void
accept(struct fixture *f, const char *text)
{
	accept_as(f, "file.json", text);
}

static bool
found(const struct fixture *f, const char *code)
{
	struct findings all = {.items = f->profile.findings, .n = f->profile.n_findings};
	return findings_find(&all, code) != NULL;
}

static bool
said(const struct fixture *f, const char *code, const char *text)
{
	struct findings all = {.items = f->profile.findings, .n = f->profile.n_findings};
	const struct finding *one = findings_find(&all, code);
	return one && strstr(one->text, text);
}

static void
near(const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%s is %.12g, expected %.12g", what, got, want);
}

#define NEAR(got, want) near(#got, (got), (want))

static void
test_one_job(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, GOOD);
	assert_int_equal(f.file.n_cells, 1);
	assert_int_equal(f.file.n_warnings, 0);
	const struct profile_cell *c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_RANDREAD);
	assert_int_equal(c->trust, TRUST_IMPORTED);
	assert_string_equal(c->source, "file.json");
	assert_string_equal(c->percentile_of, "clat");
	NEAR(c->bs_b, 4096);
	NEAR(c->qd, 8); /* "08" is decimal */
	NEAR(c->jobs, 1);
	NEAR(c->iops, 8000);
	NEAR(c->mibps, 31.25);
	NEAR(c->mean_us, 1000);
	NEAR(c->sd_us, 250);
	NEAR(c->min_us, 401);
	NEAR(c->max_us, 5002);
	NEAR(c->p50_us, 900);
	NEAR(c->p99_us, 4000);
	NEAR(c->p999_us,
		5000); /* 5.03 ms is the middle of a bin that holds the longest completion */
	NEAR(c->n, 80000);
	NEAR(c->runtime_s, 10);
	NEAR(c->little_ratio, 1);
	NEAR(c->submit_frac, 0.002);
	assert_true(isnan(c->p90_us) && isnan(c->p95_us) && isnan(c->mix_read_frac));
	assert_true(isnan(c->p99_lo_us) && isnan(c->iops_lo));
	assert_string_equal(f.profile.tool, "fio-3.33");
	assert_string_equal(f.profile.started, "2023-11-14T22:13:20Z");
	assert_string_equal(f.profile.as_of, "2023-11-14");
	assert_string_equal(f.profile.method->engine, "libaio");
	assert_int_equal(f.profile.device, -1);
	arena_fini(&f.arena);
}

struct refusal {
	const char *text;
	int code;
	const char *says;
};

static const struct refusal refusals[] = {
	{"", ERR_PARSE, "empty"},
	{" \n\t ", ERR_PARSE, "empty"},
	{"3;fio-3.33;tj;0;0;311648\n", ERR_PARSE, "terse output"},
	{"q: (g=0): rw=randread, bs=4K-4K\nfio-2.2.10\n", ERR_PARSE, "output for people"},
	{"fio-3.1\n clat (usec): min=16, max=27859, avg=825.75\n", ERR_PARSE, "output for people"},
	{"{\"schema\": \"tierwise/profile/1\"}", ERR_PARSE, "a document of tierwise"},
	{"\n [{\"a\": 1}]", ERR_PARSE, "line 2: JSON, but no fio result"},
	{"hello", ERR_PARSE, "no fio result"},
	/* 2 bytes of text, then a document of which 30 bytes are there */
	{"x\n{\"fio version\": \"fio-3.33\", \"t", ERR_PARSE,
		"cut off at byte 32: the fio result that starts at byte 2 never ends"},
	{"{\"fio version\": \"fio-3.33\", \"jobs\": [}", ERR_PARSE, "never ends"},
	{"{\"fio version\": \"fio-3.33\", \"jobs\": [nil]}", ERR_PARSE, "not JSON here"},
	{"{\"fio version\": \"fio-3.33\"}", ERR_UNSUPPORTED, "holds no jobs"},
	{DOC(""), ERR_UNSUPPORTED, "holds no jobs"},
	{DOC("1, null, \"x\""), ERR_UNSUPPORTED, "holds no jobs"},
	{DOC("{}"), ERR_UNSUPPORTED, "it read and wrote nothing"},
	/* 41 bytes, then the second job, which does not end */
	{"{\"fio version\": \"fio-3.33\", \"jobs\": [{}, {\"read\": {", ERR_PARSE,
		"cut off at byte 51: the fio result that starts at byte 0 never ends (inside job "
		"2, "
		"which starts at byte 41)"},
	{DOC(JOB(OPTIONS, IDLE, IDLE)), ERR_UNSUPPORTED, "it read and wrote nothing"},
	{DOC("{\"jobname\": \"bad\", \"error\": 5, \"read\": " READ_SIDE "}"), ERR_UNSUPPORTED,
		"job \"bad\": it ended with error 5 (Input/output error)"},
	{DOC("{\"jobname\": \"All clients\", \"error\": 0, \"read\": " READ_SIDE "}"),
		ERR_UNSUPPORTED, "only a sum"},
	{DOC("{\"jobname\": \"u\", \"mixed\": {\"total_ios\": 7}}"), ERR_UNSUPPORTED,
		"unified_rw_reporting=mixed"},
	{DOC(JOB("{\"rw\": \"randtrim\"}", READ_SIDE, IDLE)), ERR_UNSUPPORTED, "no trims"},
	{DOC(JOB("{\"rw\": \"sideways\"}", READ_SIDE, IDLE)), ERR_UNSUPPORTED, "rw=sideways"},
	{DOC(JOB("null", READ_SIDE, IDLE)), ERR_UNSUPPORTED, "whether the I/O was random"},
};

static void
test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct fixture f;
		read_in(&f, refusals[i].text, strlen(refusals[i].text));
		if (f.rc != refusals[i].code || !strstr(f.err.text, refusals[i].says))
			fail_msg("row %zu: code %d, \"%s\"", i, f.rc, f.err.text);
		assert_int_equal(f.profile.n_cells + f.profile.n_syncs, 0);
		arena_fini(&f.arena);
	}
}

/* 80,000 reads and then an error: left out, unless asked for. */
static void
test_failed_jobs(void **state)
{
	(void)state;
	static const char text[] = DOC(
		"{\"jobname\": \"bad\", \"error\": 5, \"job options\": " OPTIONS
		", \"read\": " READ_SIDE
		"}, {\"jobname\": \"worse\", \"error\": 28, \"read\": " IDLE "}");
	struct fixture f = {0};
	arena_init(&f.arena, 0);
	struct import *im = import_new(&f.profile, &f.arena);
	import_keep_failed(im);
	assert_int_equal(import_text(im, "x", text, sizeof(text) - 1, &f.file, &f.err), 0);
	assert_int_equal(f.file.n_cells, 1);
	assert_int_equal(f.file.n_refused, 1); /* it did nothing */
	assert_non_null(strstr(f.file.codes, "job-failed"));
	arena_fini(&f.arena);
}

static void
test_every_cut(void **state)
{
	(void)state;
	static const char text[] = GOOD;
	char want[64];
	/* cut anywhere, the place is named */
	for (size_t n = 1; n < sizeof(text) - 1; n++) {
		struct fixture f;
		read_in(&f, text, n);
		assert_int_equal(f.rc, ERR_PARSE);
		snprintf(want, sizeof(want), "cut off at byte %zu:", n);
		if (!strstr(f.err.text, want))
			fail_msg("%zu bytes: %s", n, f.err.text);
		arena_fini(&f.arena);
	}
}

static void
test_nesting_is_bounded(void **state)
{
	(void)state;
	enum { DEEP = 1000000 };
	static const char head[] = "{\"fio version\": ";
	char *text = malloc(DEEP);
	assert_non_null(text);
	memset(text, '[', DEEP);
	text[snprintf(text, DEEP, "%s", head)] = '[';
	struct fixture f;
	read_in(&f, text, DEEP);
	assert_int_equal(f.rc, ERR_PARSE);
	assert_non_null(strstr(f.err.text, "nested deeper than 64"));
	arena_fini(&f.arena);
	free(text);
}

/* One I/O more in the second of two documents would show; so do the texts around. */
static void
test_surroundings(void **state)
{
	(void)state;
	static const struct {
		const char *text, *code;
	} rows[] = {
		{"fio: io_u error\n" GOOD, "text-around"},
		{">" GOOD, "text-around"},
		{GOOD "\nnj: (groupid=0, jobs=1): err= 0\n", "text-around"},
		{"3;fio-3.33;x\n" GOOD, "text-around"},
		{"\nfio: terminating on signal 2\n" GOOD, "interrupted"},
		{GOOD "\n" GOOD, "several-documents"},
		{"{\"fio version\": \"fio-3.33\", \"jobs\": [\n" GOOD, "document-cut"},
		{GOOD "{\"fio version\": \"fio-3.3", "document-cut"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		accept(&f, rows[i].text);
		assert_int_equal(f.profile.n_cells, 1);
		if (!found(&f, rows[i].code))
			fail_msg("row %zu: no %s", i, rows[i].code);
		assert_int_equal(f.profile.complete, i == 4 ? 0 : -1);
		arena_fini(&f.arena);
	}
}

static void
test_the_last_document_counts(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, DOC(JOB("{\"rw\": \"read\"}", READ_SIDE, IDLE)) "\n" GOOD);
	assert_int_equal(f.profile.cells[0].op, PROFILE_OP_RANDREAD);
	arena_fini(&f.arena);
}

static void
test_lenient_text(void **state)
{
	(void)state;
	static const char *const rows[] = {
		/* raw tab and newline in a string, a byte that is no UTF-8 */
		DOC("{\"jobname\": \"a\tb\nc\xff\", \"error\": 0, \"job options\": " OPTIONS
		    ", \"read\": " READ_SIDE "}"),
		/* tokens that are no numbers */
		DOC("{\"jobname\": \"j\", \"usr_cpu\": nan, \"sys_cpu\": -nan, \"ctx\": inf, "
		    "\"error\": 0, \"job options\": " OPTIONS ", \"read\": " READ_SIDE "}"),
		/* the later of two equal names counts */
		DOC("{\"jobname\": \"x\", \"jobname\": \"j\", \"error\": 9, \"error\": 0, "
		    "\"job options\": " OPTIONS ", \"read\": " READ_SIDE "}"),
		/* quotes and backslashes as fio escapes them; braces in a string */
		DOC("{\"jobname\": \"a \\\"b\\\" \\\\{[\", \"error\": 0, \"job options\": " OPTIONS
		    ", \"read\": " READ_SIDE "}"),
		/* global options as a list, jobs under another name */
		"{\"fio version\": \"fio-3.7\", \"global options\": [" OPTIONS
		"], \"client_stats\": [{\"jobname\": \"j\", \"error\": 0, \"hostname\": \"h\", "
		"\"read\": " READ_SIDE "}, {\"jobname\": \"All clients\", \"error\": 0, "
		"\"read\": " READ_SIDE "}]}",
		/* job options win */
		"{\"fio version\": \"fio-3.7\", \"global options\": {\"rw\": \"write\", "
		"\"iodepth\": \"3\"}, \"jobs\": [" JOB(OPTIONS, READ_SIDE, IDLE) "]}",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		accept(&f, rows[i]);
		assert_int_equal(f.profile.n_cells, 1);
		assert_int_equal(f.profile.cells[0].op, PROFILE_OP_RANDREAD);
		NEAR(f.profile.cells[0].qd, 8);
		arena_fini(&f.arena);
	}
}

struct size_row {
	const char *text, *base;
	int part;
	double want; /* NaN: refused */
};

static void
test_option_words(void **state)
{
	(void)state;
	const struct size_row rows[] = {
		{"4k", NULL, 0, 4096},
		{"4K", NULL, 0, 4096},
		{"4KB", NULL, 0, 4096},
		{"4096", NULL, 0, 4096},
		{"4096B", NULL, 0, 4096},
		{"0512", NULL, 0, 512},
		{"1m", NULL, 0, 1048576},
		{"2G", NULL, 0, 2147483648.0},
		/* in fio's compatibility mode the IEC word is the decimal one */
		{"4KiB", NULL, 0, 4000},
		{"4KiB", "1000", 0, 4096},
		{"4k", "1000", 0, 4000},
		{"4k,8k", NULL, 0, 4096},
		{"4k,8k", NULL, 1, 8192},
		{"4k,8k,16k", NULL, 1, 8192},
		{"4k", NULL, 1, 4096},
		{"75%", NULL, 0, NAN},
		{"4x", NULL, 0, NAN},
		{"-4k", NULL, 0, NAN},
		{"", NULL, 0, NAN},
		{"k", NULL, 0, NAN},
		{"0", NULL, 0, NAN},
		{"999999999999999P", NULL, 0, NAN},
		{"9999999999999999999999", NULL, 0, NAN},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[160];
		struct json_doc *doc = NULL;
		struct err err;
		snprintf(text, sizeof(text), "{\"bs\": \"%s\"%s%s%s}", rows[i].text,
			rows[i].base ? ", \"kb_base\": \"" : "", rows[i].base ? rows[i].base : "",
			rows[i].base ? "\"" : "");
		assert_int_equal(json_parse("t", text, strlen(text), &doc, &err), 0);
		struct fio_options o = {{doc, NULL}, json_root(doc)};
		double got = fio_option_size(&o, "bs", rows[i].part);
		if (!(got == rows[i].want || (isnan(got) && isnan(rows[i].want))))
			fail_msg("\"%s\": %.9g, expected %.9g", rows[i].text, got, rows[i].want);
		json_free(doc);
	}
}

/* Nearest rank: of 1,000 the 999th is p99.9, although 99.9 / 100 x 1000 is a hair more than 999. */
static void
test_quantile_rank(void **state)
{
	(void)state;
	static const struct {
		double percent, rank;
	} rows[] = {{50, 500}, {90, 900}, {95, 950}, {99, 990}, {99.5, 995}, {99.9, 999},
		{99.95, 1000}, {100, 1000}, {0.1, 1}, {0, 1}};
	struct fio_bin bins[1000];
	for (int i = 0; i < 1000; i++)
		bins[i] = (struct fio_bin){i + 1, 1};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		NEAR(fio_bins_quantile_us(bins, 1000, rows[i].percent / 100), rows[i].rank);
	/* 9,990 of 10,000 at 1 us: rank 9,990 is the last of them */
	const struct fio_bin few[] = {{1, 9990}, {2, 9}, {3, 1}};
	NEAR(fio_bins_quantile_us(few, 3, 0.999), 1);
	NEAR(fio_bins_quantile_us(few, 3, 0.9999), 2);
	NEAR(fio_bins_quantile_us(few, 3, 1), 3);
	assert_true(isnan(fio_bins_quantile_us(NULL, 0, 0.5)));
}

static void
test_bins_add(void **state)
{
	(void)state;
	const struct fio_bin a[] = {{2, 1}, {5, 2}}, b[] = {{1, 4}, {2, 3}, {2, 1}, {9, 1}};
	const struct fio_bin want[] = {{1, 4}, {2, 5}, {5, 2}, {9, 1}};
	struct fio_bins sum = {0};
	assert_true(fio_bins_add(&sum, a, 2));
	assert_true(fio_bins_add(&sum, b, 4));
	assert_true(fio_bins_add(&sum, NULL, 0));
	assert_int_equal(sum.n, 4);
	for (size_t i = 0; i < 4; i++) {
		NEAR(sum.items[i].us, want[i].us);
		NEAR(sum.items[i].count, want[i].count);
	}
	fio_bins_fini(&sum);
}

/* Two jobs of numjobs=2: 3 samples of 100, 200, 300 us and 1 of 1000 us, or 100, 200 and 300. */
#define PART(iops, n, mean, sd, min, max, rest)                                                    \
	"{\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw\": 400, \"iops\": " iops                \
	", \"runtime\": 10000, \"total_ios\": 1000, "                                              \
	"\"clat_ns\": {\"min\": " min ", \"max\": " max ", \"mean\": 1.0, " rest "}, "             \
	"\"lat_ns\": {\"min\": " min ", \"max\": " max ", \"mean\": " mean ", \"stddev\": " sd     \
	", \"N\": " n "}}"
#define TWO                                                                                        \
	"{\"rw\": \"randread\", \"iodepth\": \"2\", \"numjobs\": \"2\", \"direct\": \"1\", "       \
	"\"ioengine\": \"libaio\"}"

static void
test_merge_with_bins(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, DOC(JOB(TWO,
			   PART("100", "3", "200000", "81649.658", "100000", "300000",
				   "\"bins\": {\"300000\": 1, \"100000\": 1, \"200000\": 1}"),
			   IDLE) ", " JOB(TWO,
			   PART("50", "1", "1000000", "0", "1000000", "1000000",
				   "\"bins\": {\"1000000\": 1}"),
			   IDLE)));
	assert_int_equal(f.profile.n_cells, 1);
	const struct profile_cell *c = &f.profile.cells[0];
	NEAR(c->qd, 4);
	NEAR(c->jobs, 2);
	NEAR(c->iops, 150);
	NEAR(c->n, 4);
	NEAR(c->mean_us, 400); /* (3 x 200 + 1000) / 4 */
	/* squares: 3 x (81.65^2 + 200^2) + 1000^2 = 1,140,000; / 4 - 400^2 = 125,000 */
	assert_true(fabs(c->sd_us - sqrt(125000)) < 0.01);
	NEAR(c->min_us, 100);
	NEAR(c->max_us, 1000);
	NEAR(c->p50_us, 200); /* rank 2 of 100, 200, 300, 1000 */
	NEAR(c->p90_us, 1000);
	NEAR(c->p99_us, 1000);
	assert_true(isnan(c->p99_lo_us));
	assert_false(found(&f, "percentiles-approximate"));
	/* the profile has the joint histogram */
	assert_int_equal(c->n_bins_us, 4);
	assert_int_equal(c->n_bins_n, 4);
	NEAR(c->bins_us[2], 300);
	NEAR(c->bins_us[3], 1000);
	NEAR(c->bins_n[3], 1);
	arena_fini(&f.arena);
}

/*
 * fio before 2.20 names bins by index: 64 an octave, so 130 is the third one of 2 us in the octave
 * from 128 us: 128 + 2.5 x 2 = 133; 192 is the first of 4 us from 256 us: 258.
 */
static void
test_indexed_bins(void **state)
{
	(void)state;
	struct fixture f;
#define CONSTANTS                                                                                  \
	"\"FIO_IO_U_PLAT_BITS\": 6, \"FIO_IO_U_PLAT_VAL\": 64, \"FIO_IO_U_PLAT_NR\": 1216, "
	accept(&f, DOC(JOB(TWO,
			   PART("100", "3", "133000", "0", "133000", "134000",
				   "\"bins\": {" CONSTANTS "\"0\": 0, \"130\": 3, \"4000\": 1}"),
			   IDLE) ", " JOB(TWO,
			   PART("50", "1", "258000", "0", "258000", "258000",
				   "\"bins\": {" CONSTANTS "\"192\": 1}"),
			   IDLE)));
	assert_int_equal(f.profile.n_cells, 1);
	NEAR(f.profile.cells[0].p50_us, 133);
	NEAR(f.profile.cells[0].p90_us, 258);
	assert_int_equal(f.profile.cells[0].n_bins_us, 2);
	arena_fini(&f.arena);
}

static void
test_merge_without_bins(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f,
		DOC(JOB(TWO,
			PART("100", "3000", "200000", "1", "100000", "900000",
				"\"percentile\": {\"50.000000\": 150000, \"99.000000\": 400000}"),
			IDLE) ", " JOB(TWO,
			PART("100", "1000", "200000", "1", "100000", "900000",
				"\"percentile\": {\"50.000000\": 250000, "
				"\"99.000000\": 800000}"),
			IDLE)));
	assert_int_equal(f.profile.n_cells, 1);
	const struct profile_cell *c = &f.profile.cells[0];
	NEAR(c->p50_us, 175); /* (3 x 150 + 250) / 4 */
	NEAR(c->p50_lo_us, 150);
	NEAR(c->p50_hi_us, 250);
	NEAR(c->p99_us, 500); /* (3 x 400 + 800) / 4 */
	NEAR(c->p99_lo_us, 400);
	NEAR(c->p99_hi_us, 800);
	assert_true(found(&f, "percentiles-approximate"));
	assert_non_null(strstr(c->note, "approximate"));
	arena_fini(&f.arena);
}

/* Other groups, hosts or names are other points; one object with numjobs=2 was grouped by fio. */
static void
test_what_is_not_merged(void **state)
{
	(void)state;
	struct fixture f;
#define NAMED(name, group, host)                                                                   \
	"{\"jobname\": \"" name "\", \"groupid\": " group ", \"error\": 0" host                    \
	", \"job options\": " TWO ", \"read\": " READ_SIDE "}"
	accept(&f, DOC(NAMED("a", "0", "") ", " NAMED("a", "1", "") ", " NAMED("b", "0", "")));
	assert_int_equal(f.profile.n_cells, 3);
	NEAR(f.profile.cells[0].qd, 4);
	arena_fini(&f.arena);
	accept(&f, DOC(NAMED("a", "0", ", \"hostname\": \"x\"") ", " NAMED(
			   "a", "0", ", \"hostname\": \"y\"")));
	assert_int_equal(f.profile.n_cells, 2);
	arena_fini(&f.arena);
	/* a failed twin is left out and the other still counts as one job of its depth */
	accept(&f, DOC(NAMED("a", "0", "") ", {\"jobname\": \"a\", \"groupid\": 0, "
					   "\"error\": 5, \"job options\": " TWO "}"));
	assert_int_equal(f.profile.n_cells, 1);
	assert_int_equal(f.file.n_refused, 1);
	NEAR(f.profile.cells[0].jobs, 1);
	NEAR(f.profile.cells[0].qd, 2);
	arena_fini(&f.arena);
}

static void
test_mix(void **state)
{
	(void)state;
	struct fixture f;
	/* equal sides: half reads, 16 in flight together */
	accept(&f, DOC(JOB("{\"rw\": \"randrw\", \"bs\": \"4k\", \"iodepth\": \"16\", "
			   "\"direct\": \"1\", \"ioengine\": \"libaio\"}",
			   READ_SIDE, READ_SIDE)));
	assert_int_equal(f.profile.n_cells, 2);
	assert_int_equal(f.profile.cells[0].op, PROFILE_OP_RANDREAD);
	assert_int_equal(f.profile.cells[1].op, PROFILE_OP_RANDWRITE);
	for (int i = 0; i < 2; i++) {
		NEAR(f.profile.cells[i].mix_read_frac, 0.5);
		NEAR(f.profile.cells[i].qd, 16);
		NEAR(f.profile.cells[i].little_ratio, 1);
	}
	assert_int_equal(f.file.n_warnings, 0);
	arena_fini(&f.arena);
}

/* With unified_rw_reporting=mixed one object stands for both: of a job that only reads, for reads. */
static void
test_unified(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, DOC("{\"jobname\": \"u\", \"error\": 0, \"job options\": " OPTIONS
		       ", \"mixed\": " READ_SIDE "}"));
	assert_int_equal(f.profile.n_cells, 1);
	assert_int_equal(f.profile.cells[0].op, PROFILE_OP_RANDREAD);
	NEAR(f.profile.cells[0].iops, 8000);
	NEAR(f.profile.cells[0].p99_us, 4000);
	arena_fini(&f.arena);
	/* with both there as well, as unified_rw_reporting=both has it, it adds nothing */
	accept(&f, DOC("{\"jobname\": \"u\", \"error\": 0, \"job options\": " OPTIONS
		       ", \"read\": " READ_SIDE ", \"mixed\": " READ_SIDE "}"));
	assert_int_equal(f.profile.n_cells, 1);
	NEAR(f.profile.cells[0].iops, 8000);
	arena_fini(&f.arena);
}

/* 1,000 writes in 2 s of 10 us, each followed by a sync of 1,990 us: 500 a second. */
#define WAL_SIDE                                                                                   \
	"{\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw\": 2000, \"iops\": 500.0, "             \
	"\"runtime\": 2000, \"total_ios\": 1000, "                                                 \
	"\"clat_ns\": {\"min\": 5000, \"max\": 90000, \"mean\": 9900.0, \"percentile\": "          \
	"{\"50.000000\": 8000, \"99.000000\": 20000, \"99.500000\": 30000, "                       \
	"\"99.900000\": 80000, \"99.950000\": 90000}}, "                                           \
	"\"lat_ns\": {\"min\": 5000, \"max\": 90000, \"mean\": 10000.0, \"stddev\": 1, "           \
	"\"N\": 1000}}"
#define WAL_SYNC                                                                                   \
	"\"sync\": {\"total_ios\": 0, \"lat_ns\": {\"min\": 100000, \"max\": 9000000, "            \
	"\"mean\": 1990000.0, \"N\": 1000, \"percentile\": {\"50.000000\": 1500000, "              \
	"\"99.000000\": 5000000, \"99.500000\": 6000000, \"99.900000\": 8000000, "                 \
	"\"99.950000\": 9000000}}}"
#define WAL(options, sync)                                                                         \
	"{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"wal\", \"error\": 0, "         \
	"\"job options\": {\"rw\": \"write\", \"bs\": \"4k\", \"ioengine\": \"psync\"" options     \
	"}, \"write\": " WAL_SIDE sync "}]}"

static void
test_sync_apart(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, WAL(", \"fdatasync\": \"1\"", ", " WAL_SYNC));
	assert_int_equal(f.profile.n_cells, 0);
	assert_int_equal(f.profile.n_syncs, 1);
	const struct profile_sync *s = &f.profile.syncs[0];
	assert_int_equal(s->mode, PROFILE_SYNC_FDATASYNC);
	assert_int_equal(s->pattern, -1);
	NEAR(s->writers, 1);
	NEAR(s->syncs_per_s, 500);
	NEAR(s->write_mean_us, 10);
	NEAR(s->sync_mean_us, 1990);
	NEAR(s->mean_us, 2000);
	NEAR(s->sync_p50_us, 1500);
	NEAR(s->sync_p99_us, 5000);
	/* both together: at least the sync's p99, at most both p99.5; shown: plus the median write */
	NEAR(s->p99_lo_us, 5000);
	NEAR(s->p99_hi_us, 6030);
	NEAR(s->p99_us, 5008);
	NEAR(s->p999_lo_us, 8000);
	NEAR(s->p999_hi_us, 9090);
	NEAR(s->n, 1000);
	assert_int_equal(s->trust, TRUST_IMPORTED);
	assert_false(found(&f, "little-law")); /* 500/s x 2 ms = 1 writer */
	arena_fini(&f.arena);
}

struct mode_row {
	const char *text;
	int mode; /* -1: a cell */
};

static void
test_sync_modes(void **state)
{
	(void)state;
	static const struct mode_row rows[] = {
		{WAL(", \"fsync\": \"1\"", ", " WAL_SYNC), PROFILE_SYNC_FSYNC},
		{WAL(", \"fdatasync\": \"1\"", ""), PROFILE_SYNC_FDATASYNC},
		{WAL(", \"sync\": \"dsync\"", ""), PROFILE_SYNC_ODSYNC},
		{WAL(", \"sync\": \"1\"", ""), PROFILE_SYNC_ODSYNC},
		{WAL(", \"sync\": \"dsync\", \"direct\": \"1\"", ""), PROFILE_SYNC_ODSYNC_DIRECT},
		{WAL(", \"sync\": \"0\"", ""), -1},
		{WAL(", \"sync\": \"none\"", ""), -1},
		{WAL(", \"fsync\": \"10000\"", ", " WAL_SYNC), -1},
		{WAL("", ""), -1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		accept(&f, rows[i].text);
		assert_int_equal(f.profile.n_cells, rows[i].mode < 0 ? 1 : 0);
		assert_int_equal(f.profile.n_syncs, rows[i].mode < 0 ? 0 : 1);
		if (rows[i].mode >= 0 && f.profile.syncs[0].mode != rows[i].mode)
			fail_msg("row %zu: mode %d", i, f.profile.syncs[0].mode);
		arena_fini(&f.arena);
	}
}

static void
test_sync_not_recorded(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, WAL(", \"fsync\": \"1\"", ""));
	const struct profile_sync *s = &f.profile.syncs[0];
	NEAR(s->mean_us, 2000); /* 500 a second, one at a time */
	NEAR(s->sync_mean_us, 1990);
	assert_true(isnan(s->p99_us) && isnan(s->sync_p99_us));
	assert_int_equal(s->trust, TRUST_DERIVED);
	assert_true(found(&f, "sync-not-recorded"));
	arena_fini(&f.arena);
}

/* fio's histogram ends at 17,112,760,320 ns: the value is a lower bound, the longest an upper. */
static void
test_ceiling(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, DOC(JOB(OPTIONS,
			   PART("1", "1000", "9000000000", "1", "100000000", "40000000000",
				   "\"percentile\": {\"50.000000\": 8000000000, "
				   "\"99.000000\": 17112760320}"),
			   IDLE)));
	const struct profile_cell *c = &f.profile.cells[0];
	NEAR(c->p50_us, 8e6);
	assert_true(isnan(c->p50_lo_us));
	NEAR(c->p99_us, 17112760.320);
	NEAR(c->p99_lo_us, 17112760.320);
	NEAR(c->p99_hi_us, 40e6);
	assert_true(found(&f, "percentile-ceiling"));
	arena_fini(&f.arena);
}

/*
 * Ends 100 and 1000 us, mean 300 us: percentiles in us, and which of them can be kept.  Bounds of the mean by
 * hand: at least half of the samples are no shorter than p50 and the rest no shorter than 100, so that
 * p50 <= (300 - 50) x 2 = 500; a hundredth lies above p99 and no sample above 1000, so that
 * p99 >= (300 - 10) / 0.99 = 293.
 */
struct contradiction {
	const char *list;
	double p50, p90, p95, p99, p999; /* us; NAN: left out */
	const char *says; /* NULL: nothing is left out */
};

#define AT(p, us) "\"" p "\": " us "000"

static const struct contradiction contradictions[] = {
	{AT("50.0", "250") ", " AT("90.0", "500") ", " AT("99.0", "900"), 250, 500, NAN, 900, NAN,
		NULL},
	/* 1 % beyond an end is the middle of fio's bin: a 64th */
	{AT("50.0", "99") ", " AT("99.0", "1010"), 100, NAN, NAN, 1000, NAN, NULL},
	{AT("50.0", "250") ", " AT("99.0", "1100"), 250, NAN, NAN, NAN, NAN,
		"file.json (j): read: left out is what the row itself contradicts: p99 1.1 "
		"ms "
		"is above the longest (1 ms)"},
	{AT("50.0", "90") ", " AT("99.0", "900"), NAN, NAN, NAN, 900, NAN,
		"p50 90 us is below the shortest (100 us)"},
	{AT("50.0", "520") ", " AT("99.0", "900"), NAN, NAN, NAN, 900, NAN,
		"p50 520 us is too long for the mean (300 us)"},
	{AT("50.0", "505"), 505, NAN, NAN, NAN, NAN, NULL},
	{AT("50.0", "250") ", " AT("99.0", "280"), 250, NAN, NAN, NAN, NAN,
		"p99 280 us is too short for the mean (300 us)"},
	/* one against three */
	{AT("50.0", "320") ", " AT("90.0", "400") ", " AT("95.0", "270") ", " AT("99.0", "900"),
		320, 400, NAN, 900, NAN, "p95 270 us does not ascend with the others"},
	/* one against one: nobody knows which */
	{AT("50.0", "250") ", " AT("90.0", "600") ", " AT("95.0", "400") ", " AT("99.0", "900"),
		250, NAN, NAN, 900, NAN,
		"p90 600 us does not ascend with the others, p95 400 us does not ascend with the "
		"others"},
	{AT("99.0", "900") ", " AT("99.9", "600"), NAN, NAN, NAN, NAN, NAN, "p99 900 us"},
};

static void
same(const char *what, double got, double want)
{
	if (isnan(want) && !isnan(got))
		fail_msg("%s is %.12g, expected to be left out", what, got);
	if (!isnan(want))
		near(what, got, want);
}

static void
test_contradictions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++) {
		const struct contradiction *k = &contradictions[i];
		struct fixture f;
		char text[4096];
		snprintf(text, sizeof(text),
			DOC(JOB(OPTIONS,
				"{\"io_bytes\": 327680000, \"io_kbytes\": 320000, \"iops\": "
				"8000, \"runtime\": 10000, \"total_ios\": 80000, \"clat_ns\": {"
				"\"min\": 100000, \"max\": 1000000, \"mean\": 300000.0, "
				"\"percentile\": {%s}}, \"lat_ns\": {\"min\": 100500, \"max\": "
				"1000000, \"mean\": 301000.0, \"N\": 80000}}",
				IDLE)),
			k->list);
		accept(&f, text);
		const struct profile_cell *c = &f.profile.cells[0];
		same(k->list, c->p50_us, k->p50);
		same(k->list, c->p90_us, k->p90);
		same(k->list, c->p95_us, k->p95);
		same(k->list, c->p99_us, k->p99);
		same(k->list, c->p999_us, k->p999);
		NEAR(c->mean_us, 301);
		NEAR(c->min_us, 100.5);
		NEAR(c->max_us, 1000);
		assert_int_equal(found(&f, "percentiles-contradictory"), k->says != NULL);
		if (k->says && !said(&f, "percentiles-contradictory", k->says))
			fail_msg("row %zu does not say: %s", i, k->says);
		arena_fini(&f.arena);
	}
}

/* The shortest cannot be above the mean, nor the longest below it. */
static void
test_contradictory_ends(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f,
		DOC(JOB(OPTIONS,
			"{\"io_bytes\": 327680000, \"io_kbytes\": 320000, \"iops\": 8000, "
			"\"runtime\": 10000, \"total_ios\": 80000, \"lat_ns\": {\"min\": 2000000, "
			"\"max\": 900000, \"mean\": 1000000.0, \"N\": 80000}}",
			IDLE)));
	const struct profile_cell *c = &f.profile.cells[0];
	NEAR(c->mean_us, 1000);
	assert_true(isnan(c->min_us) && isnan(c->max_us));
	assert_true(said(&f, "percentiles-contradictory",
		"the shortest 2 ms is above the mean (1 ms), the longest 900 us is below the mean "
		"(1 ms)"));
	arena_fini(&f.arena);
}

static void
test_lat_percentiles_and_no_latency(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f,
		DOC(JOB(OPTIONS,
			"{\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw_bytes\": 3145728, "
			"\"iops\": 800, \"runtime\": 10000, \"total_ios\": 1000, "
			"\"clat_ns\": {\"min\": 1, \"max\": 9, \"mean\": 5}, "
			"\"lat_ns\": {\"min\": 1000, \"max\": 90000, \"mean\": 50000, \"N\": 1000, "
			"\"percentile\": {\"99.000000\": 60000}}}",
			IDLE)));
	assert_string_equal(f.profile.cells[0].percentile_of, "lat");
	NEAR(f.profile.cells[0].p99_us, 60);
	NEAR(f.profile.cells[0].mibps, 3);
	arena_fini(&f.arena);
	/* gtod_reduce: zeros are not latencies */
	accept(&f,
		DOC(JOB(OPTIONS,
			"{\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw\": 400, \"iops\": 100, "
			"\"runtime\": 10000, \"total_ios\": 1000, "
			"\"clat_ns\": {\"min\": 0, \"max\": 0, \"mean\": 0, \"percentile\": "
			"{\"99.000000\": 0}}, \"lat_ns\": {\"min\": 0, \"max\": 0, \"mean\": 0}}",
			IDLE)));
	const struct profile_cell *c = &f.profile.cells[0];
	assert_true(isnan(c->mean_us) && isnan(c->min_us) && isnan(c->p99_us) && isnan(c->n));
	assert_true(isnan(c->little_ratio) && isnan(c->submit_frac));
	assert_null(c->percentile_of);
	NEAR(c->iops, 100);
	assert_true(found(&f, "no-latency"));
	arena_fini(&f.arena);
}

/* fio 2.x: microseconds, KiB, no options. */
static void
test_old_units(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, "{\"fio version\": \"fio-2.2.10\", \"jobs\": [{\"jobname\": \"randread\", "
		   "\"error\": 0, "
		   "\"read\": {\"io_bytes\": 320000, \"bw\": 32000, \"iops\": 8000, \"runtime\": "
		   "10000, "
		   "\"total_ios\": 80000, \"clat\": {\"min\": 400, \"max\": 5000, \"mean\": 990.0, "
		   "\"percentile\": {\"50.000000\": 900, \"99.000000\": 4000, \"0.00\": 0, "
		   "\"0.00\": 0}}, \"lat\": {\"min\": 401, \"max\": 5001, \"mean\": 1000.0, "
		   "\"stddev\": 1.0}}}]}");
	const struct profile_cell *c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_RANDREAD);
	NEAR(c->bs_b, 4096); /* 320,000 KiB in 80,000 I/O */
	NEAR(c->mean_us, 1000);
	NEAR(c->p99_us, 4000);
	NEAR(c->qd, 8); /* from 8,000 x 1 ms */
	assert_true(isnan(c->little_ratio)); /* would prove itself */
	assert_true(found(&f, "inferred"));
	arena_fini(&f.arena);
}

/*
 * fio before 2.1.14 has no options and counts no I/O.  100,000 of 4 KiB in 2.001 s: 49,975.01 a
 * second, printed as 49975; at 160.08 us 8.0 are in flight.
 */
#define OLD(name, side, kib, iops, ms, mean)                                                       \
	"{\"fio version\": \"fio-2.1.4\", \"jobs\": [{\"jobname\": \"" name                        \
	"\", \"groupid\": 0, \"error\": 0, \"" side "\": {\"io_bytes\": " kib                      \
	", \"bw\": 1, \"iops\": " iops ", \"runtime\": " ms ", \"clat\": {\"min\": 1, "            \
	"\"max\": 99999999, \"mean\": 1.0, \"percentile\": {\"99.000000\": 700}}, \"lat\": "       \
	"{\"min\": 1, \"max\": 99999999, \"mean\": " mean ", \"stddev\": 2}}}]}"

static void
test_before_counts(void **state)
{
	(void)state;
	struct fixture f;
	static const char random[] = OLD("rr", "read", "400000", "49975", "2001", "160.08");
	accept_as(&f, "out/v2.1.4-randread-4k.json", random);
	const struct profile_cell *c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_RANDREAD); /* the file's name */
	NEAR(c->bs_b, 4096);
	NEAR(c->n, 100000);
	NEAR(c->qd, 8);
	assert_true(found(&f, "inferred"));
	assert_non_null(strstr(c->note, "inferred"));
	arena_fini(&f.arena);
	/* 707 of 512 KiB in 5.314 s: 133.04 a second, cut to 133 */
	accept(&f, OLD("seq", "write", "361984", "133", "5314", "478737.47"));
	c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_WRITE);
	NEAR(c->bs_b, 524288);
	NEAR(c->n, 707);
	NEAR(c->qd, 64); /* 133 x 0.4787 = 63.7 */
	arena_fini(&f.arena);
	/* neither name says random or sequential */
	read_in(&f, random, strlen(random));
	assert_int_equal(f.rc, ERR_UNSUPPORTED);
	arena_fini(&f.arena);
}

/* 594 writes a second of 8 us: 0.5 % of the time.  What filled the rest only the names can say. */
static void
test_sync_by_name(void **state)
{
	(void)state;
	struct fixture f;
	static const char wal[] = OLD("wal", "write", "4760", "594", "2002", "8.0");
	accept_as(&f, "v2.1.4-walfdatasync-4k.json", wal);
	assert_int_equal(f.profile.n_syncs, 1);
	const struct profile_sync *s = &f.profile.syncs[0];
	assert_int_equal(s->mode, PROFILE_SYNC_FDATASYNC);
	NEAR(s->writers, 1);
	NEAR(s->bs_b, 4096);
	NEAR(s->write_mean_us, 8);
	NEAR(s->mean_us, 1e6 / 594);
	NEAR(s->sync_mean_us, 1e6 / 594 - 8);
	assert_true(found(&f, "inferred") && found(&f, "sync-not-recorded"));
	arena_fini(&f.arena);
	accept_as(&f, "walfsync.json", wal);
	assert_int_equal(f.profile.syncs[0].mode, PROFILE_SYNC_FSYNC);
	arena_fini(&f.arena);
	/* no word about a sync: a cell */
	accept_as(&f, "x.json", wal);
	assert_int_equal(f.profile.n_cells, 1);
	assert_int_equal(f.profile.cells[0].op, PROFILE_OP_WRITE);
	arena_fini(&f.arena);
	/* "fdatasync", but the writes were in flight all the time: a cell */
	accept_as(&f, "walfdatasync.json", OLD("wal", "write", "4760", "594", "2002", "1683.5"));
	assert_int_equal(f.profile.n_cells, 1);
	arena_fini(&f.arena);
	/* "dsync": waited for inside the write */
	accept_as(&f, "wal-dsync.json", OLD("wal", "write", "4760", "594", "2002", "1683.5"));
	assert_int_equal(f.profile.syncs[0].mode, PROFILE_SYNC_ODSYNC);
	NEAR(f.profile.syncs[0].mean_us, 1683.5);
	arena_fini(&f.arena);
}

struct doubt {
	const char *text, *code;
};

#define SIDE(iops, ms, ios, mean, slat, more)                                                      \
	"{\"io_bytes\": 40960000, \"io_kbytes\": 40000, \"bw\": 400, \"iops\": " iops              \
	", \"runtime\": " ms ", \"total_ios\": " ios more ", \"slat_ns\": {\"mean\": " slat        \
	"}, \"lat_ns\": {\"min\": 1, \"max\": 1e12, \"mean\": " mean ", \"N\": " ios "}}"
#define SOUND SIDE("8000", "10000", "10000", "1000000", "2000", "")

static void
test_doubts(void **state)
{
	(void)state;
	static const struct doubt rows[] = {
		{DOC(JOB(OPTIONS, SOUND, IDLE)), NULL},
		{DOC(JOB(OPTIONS, SIDE("8000", "10000", "10000", "1200000", "2000", ""), IDLE)),
			"little-law"},
		{DOC(JOB(OPTIONS, SIDE("8000", "900", "10000", "1000000", "2000", ""), IDLE)),
			"short-run"},
		{DOC(JOB(OPTIONS, SIDE("8000", "10000", "999", "1000000", "2000", ""), IDLE)),
			"few-samples"},
		{DOC(JOB(OPTIONS, SIDE("8000", "10000", "9000", "1000000", "2000", ""), IDLE)),
			"block-size"},
		{DOC(JOB(OPTIONS,
			 SIDE("8000", "10000", "10000", "1000000", "2000", ", \"short_ios\": 2"),
			 IDLE)),
			"short-io"},
		{DOC(JOB(OPTIONS,
			 SIDE("8000", "10000", "10000", "1000000", "2000", ", \"drop_ios\": 2"),
			 IDLE)),
			"short-io"},
		{DOC(JOB(OPTIONS, SIDE("8000", "10000", "10000", "1000000", "120000", ""), IDLE)),
			"submit-bound"},
		{DOC(JOB("{\"rw\": \"randread\", \"iodepth\": \"8\", \"ioengine\": \"libaio\"}",
			 SOUND, IDLE)),
			"buffered"},
		{DOC(JOB("{\"rw\": \"randread\", \"iodepth\": \"64\", \"ioengine\": \"psync\", "
			 "\"direct\": \"1\"}",
			 SIDE("1000", "10000", "10000", "1000000", "0", ""), IDLE)),
			"depth-ignored"},
		{DOC(JOB("{\"rw\": \"randread\", \"iodepth\": \"64\", \"ioengine\": \"libaio\", "
			 "\"direct\": \"1\", \"rate_iops\": \"8000\"}",
			 SOUND, IDLE)),
			"rate-limited"},
		{DOC(JOB("{\"rw\": \"randread\", \"iodepth\": \"8\", \"ioengine\": \"libaio\", "
			 "\"direct\": \"1\", \"percentage_random\": \"85\"}",
			 SOUND, IDLE)),
			"partly-random"},
		{DOC("{\"jobname\": \"j\", \"error\": 0, \"job options\": " OPTIONS
		     ", \"read\": " SOUND ", \"usr_cpu\": 60, \"sys_cpu\": 31}"),
			"cpu-bound"},
		{DOC("{\"jobname\": \"j\", \"error\": 0, \"job options\": " OPTIONS
		     ", \"read\": " SOUND ", \"steadystate\": {\"attained\": 0}}"),
			"not-steady"},
		{DOC("{\"jobname\": \"j\", \"error\": 0, \"job options\": " OPTIONS
		     ", \"read\": " SOUND ", \"steadystate\": {\"attained\": 1}}"),
			NULL},
		{"{\"fio version\": \"fio-3.33\", \"jobs\": [" JOB(OPTIONS, SOUND,
			 IDLE) "], \"disk_util\": [{\"name\": \"vda\", \"util\": 4.5}]}",
			"device-idle"},
		{DOC("{\"jobname\": \"j\", \"error\": 0, \"job options\": " OPTIONS
		     ", \"read\": " SOUND ", \"latency_us\": {\"2\": 30.0, \"4\": 20.0}, "
		     "\"latency_ms\": {\"2\": 44.9}}"),
			"counters-wrapped"},
		{DOC("{\"jobname\": \"j\", \"error\": 0, \"job options\": " OPTIONS
		     ", \"read\": " SOUND ", \"latency_us\": {\"2\": 30.0, \"4\": 20.0}, "
		     "\"latency_ms\": {\"2\": 49.9}}"),
			NULL},
		{"{\"fio version\": \"fio-3.33\", \"jobs\": [" JOB(
			 OPTIONS, SOUND, IDLE) "], \"disk_util\": [{\"name\": \"md6\", \"util\": "
					       "0, \"aggr_util\": 95.7}]}",
			NULL},
		/* 10,000 direct reads; 7,000 of them reached the device, 999 more merged into those */
		{"{\"fio version\": \"fio-3.33\", \"jobs\": [" JOB(OPTIONS, SOUND,
			 IDLE) "], \"disk_util\": [{\"name\": \"vda\", \"read_ios\": 7000, "
			       "\"read_merges\": 999, \"write_ios\": 0, \"write_merges\": 0}]}",
			"device-io"},
		{"{\"fio version\": \"fio-3.33\", \"jobs\": [" JOB(OPTIONS, SOUND,
			 IDLE) "], \"disk_util\": [{\"name\": \"vda\", \"read_ios\": 8000, "
			       "\"read_merges\": 2000, \"write_ios\": 0, \"write_merges\": 0}]}",
			NULL},
		{DOC(JOB(TWO, SIDE("2000", "10000", "10000", "1000000", "0", ""), IDLE) ", " JOB(
			 TWO, SIDE("2000", "10600", "10000", "1000000", "0", ""), IDLE)),
			"runtime-spread"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		accept(&f, rows[i].text);
		if (rows[i].code && (!found(&f, rows[i].code) || f.file.n_warnings == 0 ||
					    !strstr(f.file.codes, rows[i].code)))
			fail_msg("row %zu: no %s in \"%s\"", i, rows[i].code, f.file.codes);
		if (!rows[i].code && f.file.n_warnings)
			fail_msg("row %zu: %s", i, f.file.codes);
		arena_fini(&f.arena);
	}
}

/* Repeats stay apart, in the order they came; the rest is sorted; one finding a kind. */
/* SOUND: 10,000 I/O of 4,096 B, 8,000 a second of 1 ms: 8 in flight. */
struct unread {
	const char *options;
	double bs_b, qd, jobs;
	const char *code, *says; /* NULL: nothing is said */
};

#define DIRECT "\"rw\": \"randread\", \"ioengine\": \"libaio\", \"direct\": \"1\""

static const struct unread unreads[] = {
	{DIRECT ", \"iodepth\": \"8\", \"bs\": \"4z\"", 4096, 8, 1, "inferred",
		"file.json: bs=4z is no size: the 4096 B that each I/O moved are taken"},
	{DIRECT ", \"iodepth\": \"8\", \"bs\": \"bs\"", 4096, 8, 1, "inferred", "bs=bs is no size"},
	{DIRECT ", \"iodepth\": \"8\", \"bs\": \"\"", 4096, 8, 1, "inferred", "bs= is no size"},
	{DIRECT ", \"iodepth\": \"8\", \"bs\": [4096]", 4096, 8, 1, "inferred",
		"bs=[4096] is no size"},
	/* the size of writes, of which there are none */
	{DIRECT ", \"iodepth\": \"8\", \"bs\": \"4k,z\"", 4096, 8, 1, NULL, NULL},
	{DIRECT ", \"iodepth\": \"8\", \"bssplit\": \"2k/50:6k/50\"", 4096, 8, 1, "sizes-vary",
		"block sizes differ (bssplit): the mean, 4096 B, is taken"},
	{DIRECT ", \"iodepth\": \"8x\", \"bs\": \"4k\"", 4096, 8, 1, "inferred",
		"iodepth=8x is no count from 1 to 1000000: a depth of 8 is inferred from IOPS x "
		"mean latency"},
	{DIRECT ", \"iodepth\": \"8\", \"numjobs\": \"-1\"", 4096, 8, NAN, "inferred",
		"numjobs=-1 is no count from 1 to 1000000: a depth of 8"},
	/* a profile has no such depths */
	{DIRECT ", \"iodepth\": \"999999999999999\", \"bs\": \"4k\"", 4096, 8, 1, "inferred",
		"iodepth=999999999999999 is no count from 1 to 1000000"},
	{DIRECT ", \"iodepth\": \"2000\", \"numjobs\": \"1000\", \"bs\": \"4k\"", 4096, 8, 1000,
		"inferred", "iodepth times numjobs is no count from 1 to 1000000"},
	/* numbers instead of text, as in files that a program wrote anew */
	{DIRECT ", \"iodepth\": 8, \"bs\": 4096, \"direct\": 1", 4096, 8, 1, NULL, NULL},
	{DIRECT ", \"iodepth\": 4, \"numjobs\": 2, \"bs\": 4096", 4096, 8, 2, NULL, NULL},
	{DIRECT ", \"iodepth\": 8, \"bs\": -4096", 4096, 8, 1, "inferred", "bs=-4096 is no size"},
	{DIRECT ", \"iodepth\": 7.5, \"bs\": 4096", 4096, 8, 1, "inferred",
		"iodepth=7.5 is no count"},
};

static void
test_unread_options(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(unreads) / sizeof(unreads[0]); i++) {
		const struct unread *u = &unreads[i];
		struct fixture f;
		char text[2048];
		snprintf(text, sizeof(text), DOC(JOB("{%s}", SOUND, IDLE)), u->options);
		accept(&f, text);
		const struct profile_cell *c = &f.profile.cells[0];
		same(u->options, c->bs_b, u->bs_b);
		same(u->options, c->qd, u->qd);
		same(u->options, c->jobs, u->jobs);
		if (u->code && !said(&f, u->code, u->says))
			fail_msg("%s: not said: %s", u->options, u->says);
		if (f.file.n_warnings != (u->code != NULL))
			fail_msg("%s: %zu warnings: %s", u->options, f.file.n_warnings,
				f.file.codes);
		arena_fini(&f.arena);
	}
}

/* READ_SIDE with figures that no job can have: one call edits it. */
struct odd {
	const char *was, *is; /* text in GOOD, and what stands there instead */
	const char *code, *says; /* NULL: refused */
	double bs_b, iops, mean_us; /* of the cell; NAN: left out */
};

static const struct odd odds[] = {
	{"\"iops\": 8000.0", "\"iops\": -8000.0", "impossible-figures",
		"file.json (j): read: left out is what no job can have: iops -8000", 4096, 8000,
		1000},
	/* the completion latency is what is left */
	{"\"mean\": 1000000.0", "\"mean\": -1.0", "impossible-figures", "lat_ns.mean -1", 4096,
		8000, 998},
	{"\"mean\": 1000000.0", "\"mean\": nan", "completion-only", "no total latency", 4096, 8000,
		998},
	{"\"mean\": 1000000.0", "\"mean\": \"1\"", "impossible-figures", "lat_ns.mean \"1\"", 4096,
		8000, 998},
	{"\"total_ios\": 80000", "\"total_ios\": 1e300", "impossible-figures", "total_ios 1e+300",
		4096, 8000, 1000},
	{"\"99.000000\": 4000000", "\"99.000000\": -4", "impossible-figures",
		"clat_ns.99.000000 -4", 4096, 8000, 1000},
	/* 8,000 a second for 10 s */
	{"\"total_ios\": 80000", "\"total_ios\": 0", "inferred",
		"fio counted no I/O in 327680000 B: 80000 are inferred", 4096, 8000, 1000},
	{"\"runtime\": 10000", "\"runtime\": 0", "no-runtime",
		"fio recorded no time for 327680000 B", 4096, 8000, 1000},
	{"\"error\": 0", "\"error\": \"5\"", NULL, "ended with error 5", 0, 0, 0},
	{"\"error\": 0", "\"error\": -5", NULL, "ended with error 5", 0, 0, 0},
};

static void
test_odd_figures(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++) {
		const struct odd *o = &odds[i];
		struct fixture f;
		char text[4096];
		const char *at = strstr(GOOD, o->was);
		assert_non_null(at);
		snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - GOOD), GOOD, o->is,
			at + strlen(o->was));
		read_in(&f, text, strlen(text));
		if (!o->code) {
			assert_int_equal(f.rc, ERR_UNSUPPORTED);
			assert_non_null(strstr(f.err.text, o->says));
		} else {
			const struct profile_cell *c = &f.profile.cells[0];
			assert_int_equal(f.rc, 0);
			if (!said(&f, o->code, o->says))
				fail_msg("%s: not said: %s", o->is, o->says);
			same(o->is, c->bs_b, o->bs_b);
			same(o->is, c->iops, o->iops);
			same(o->is, c->mean_us, o->mean_us);
		}
		arena_fini(&f.arena);
	}
}

/* Names of any length: fio takes 100,000 bytes for one, and the finding still says what it is about. */
static void
test_long_names(void **state)
{
	(void)state;
	enum { LONG = 100000 };
	static char text[3 * LONG], name[LONG + 1];
	struct fixture f;
	memset(name, 'n', LONG);
	snprintf(text, sizeof(text),
		DOC("{\"jobname\": \"a%s\", \"job options\": {" DIRECT
		    ", \"iodepth\": \"64\"}, \"read\": " SOUND "}, {\"jobname\": \"b%s\", "
		    "\"job options\": {" DIRECT ", \"iodepth\": \"64\"}, \"read\": " SOUND "}"),
		name, name);
	accept(&f, text);
	/* the first 60 bytes */
	assert_true(said(&f, "little-law", "file.json (annnnn"));
	assert_true(said(&f, "little-law",
		"is 8 I/O in flight, the options say 64; the same in 1 more: file.json (bnnnn"));
	arena_fini(&f.arena);
	/* and of files */
	name[2500] = '\0';
	accept_as(&f, name, text);
	assert_true(said(&f, "little-law", "the same in 1 more: ..."));
	arena_fini(&f.arena);
}

static void
test_several_files(void **state)
{
	(void)state;
	static const char *const names[] = {"q16", "q1", "refused", "q16 again"};
	static const char *const depths[] = {"16", "1", NULL, "16"};
	struct arena a;
	struct profile p;
	struct err err;
	arena_init(&a, 0);
	struct import *im = import_new(&p, &a);
	for (size_t i = 0; i < 4; i++) {
		char text[4096];
		struct import_outcome file;
		snprintf(text, sizeof(text),
			DOC(JOB("{\"rw\": \"randread\", \"ioengine\": \"libaio\", \"direct\": "
				"\"1\", \"iodepth\": \"%s\"}",
				READ_SIDE, IDLE)),
			depths[i] ? depths[i] : "");
		const char *given = depths[i] ? text : "not fio";
		int rc = import_text(im, names[i], given, strlen(given), &file, &err);
		assert_int_equal(rc, depths[i] ? 0 : ERR_PARSE);
	}
	assert_int_equal(import_finish(im, &err), 0);
	assert_int_equal(p.n_cells, 3);
	assert_string_equal(p.cells[0].source, "q1");
	assert_string_equal(p.cells[1].source, "q16");
	assert_string_equal(p.cells[2].source, "q16 again");
	/* 8 in flight where 16 and 1 were asked for: one finding for the three */
	size_t little = 0;
	for (size_t i = 0; i < p.n_findings; i++)
		little += strcmp(p.findings[i].code, "little-law") == 0;
	assert_int_equal(little, 1);
	assert_non_null(strstr(p.findings[0].text, "the same in 2 more: q1, q16 again"));
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_job),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_failed_jobs),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_nesting_is_bounded),
		cmocka_unit_test(test_surroundings),
		cmocka_unit_test(test_the_last_document_counts),
		cmocka_unit_test(test_lenient_text),
		cmocka_unit_test(test_option_words),
		cmocka_unit_test(test_quantile_rank),
		cmocka_unit_test(test_bins_add),
		cmocka_unit_test(test_merge_with_bins),
		cmocka_unit_test(test_indexed_bins),
		cmocka_unit_test(test_merge_without_bins),
		cmocka_unit_test(test_what_is_not_merged),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_unified),
		cmocka_unit_test(test_sync_apart),
		cmocka_unit_test(test_sync_modes),
		cmocka_unit_test(test_sync_not_recorded),
		cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_contradictory_ends),
		cmocka_unit_test(test_lat_percentiles_and_no_latency),
		cmocka_unit_test(test_old_units),
		cmocka_unit_test(test_before_counts),
		cmocka_unit_test(test_sync_by_name),
		cmocka_unit_test(test_doubts),
		cmocka_unit_test(test_unread_options),
		cmocka_unit_test(test_odd_figures),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_several_files),
	};
	return cmocka_run_group_tests_name("fio", tests, NULL, NULL);
}
