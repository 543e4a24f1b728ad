/*
 * The table of importers: pg_test_fsync and ioping by hand-made outputs, what is no result named for
 * what it is, inputs cut at every byte, sources, and which files make one profile.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/import_bytes.h"
#include "profile/import_set.h"

struct fixture {
	struct arena arena;
	struct profile profile;
	struct import_outcome file;
	struct err err;
	int rc;
};

static void
read_in(struct fixture *f, const char *text, size_t n)
{
	struct err err;
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, 0);
	struct import *im = import_new(&f->profile, &f->arena);
	assert_non_null(im);
	f->rc = import_text(im, "file", text, n, &f->file, &f->err);
	assert_int_equal(import_finish(im, &err), 0);
}

static void
accept(struct fixture *f, const char *text)
{
	read_in(f, text, strlen(text));
	if (f->rc)
		fail_msg("refused: %s", f->err.text);
}

static bool
found(const struct fixture *f, const char *code)
{
	struct findings all = {.items = f->profile.findings, .n = f->profile.n_findings};
	return findings_find(&all, code) != NULL;
}

static void
near(const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%s is %.12g, expected %.12g", what, got, want);
}

#define NEAR(got, want) near(#got, (got), (want))

/* As PostgreSQL 15 prints it; the times are 1e6 / rate, rounded. */
#define PG_HEAD(direct) "2 seconds per test\n" direct "\n"
#define PG_DIRECT "O_DIRECT supported on this platform for open_datasync and open_sync.\n"
#define PG_ONE                                                                                     \
	"Compare file sync methods using one 8kB write:\n"                                         \
	"(in wal_sync_method preference order, except fdatasync is Linux's default)\n"             \
	"        open_datasync                      1250.000 ops/sec     800 usecs/op\n"           \
	"        fdatasync                          1000.500 ops/sec    1000 usecs/op\n"           \
	"        fsync                               400.000 ops/sec    2500 usecs/op\n"           \
	"        fsync_writethrough                              n/a\n"                            \
	"        open_sync                           410.000 ops/sec    2439 usecs/op\n"
#define PG_REST                                                                                    \
	"\nCompare file sync methods using two 8kB writes:\n"                                      \
	"        open_datasync                       600.000 ops/sec    1667 usecs/op\n"           \
	"        fdatasync                           990.000 ops/sec    1010 usecs/op\n"           \
	"\nCompare open_sync with different write sizes:\n"                                        \
	"         1 * 16kB open_sync write           300.000 ops/sec    3333 usecs/op\n"           \
	"\nTest if fsync on non-write file descriptor is honored:\n"                               \
	"        write, fsync, close                 390.000 ops/sec    2564 usecs/op\n"           \
	"\nNon-sync'ed 8kB writes:\n"                                                              \
	"        write                            500000.000 ops/sec       2 usecs/op\n"
#define PG PG_HEAD(PG_DIRECT) PG_ONE PG_REST

static void
test_pg_test_fsync(void **state)
{
	(void)state;
	static const struct {
		int mode;
		double per_s;
	} want[] = {{PROFILE_SYNC_ODSYNC_DIRECT, 1250}, {PROFILE_SYNC_FDATASYNC, 1000.5},
		{PROFILE_SYNC_FSYNC, 400}};
	struct fixture f;
	accept(&f, PG);
	assert_string_equal(f.file.format, "pg_test_fsync");
	assert_int_equal(f.file.n_syncs, 3);
	assert_int_equal(f.file.n_warnings, 0);
	for (size_t i = 0; i < 3; i++) {
		const struct profile_sync *s = &f.profile.syncs[i];
		assert_int_equal(s->mode, want[i].mode);
		assert_int_equal(s->pattern, PROFILE_OVERWRITE);
		assert_int_equal(s->trust, TRUST_IMPORTED);
		assert_string_equal(s->source, "file");
		NEAR(s->bs_b, 8192);
		NEAR(s->writers, 1);
		NEAR(s->syncs_per_s, want[i].per_s);
		NEAR(s->mean_us, 1e6 / want[i].per_s);
		assert_true(isnan(s->p99_us) && isnan(s->n));
	}
	assert_string_equal(f.profile.tool, "pg_test_fsync");
	NEAR(f.profile.method->duration_s, 6); /* three tests of 2 s */
	/* open_sync, 2 of two writes, 1 size, 1 other descriptor, 1 without sync; 1 n/a */
	assert_true(found(&f, "rows-left-out"));
	assert_non_null(strstr(f.profile.findings[0].text, "6 rows are left out"));
	assert_non_null(strstr(f.profile.findings[0].text, "1 say n/a"));
	arena_fini(&f.arena);
}

static void
test_pg_test_fsync_variants(void **state)
{
	(void)state;
	struct fixture f;
	/* no direct I/O on the platform: O_DSYNC through the page cache */
	accept(&f, PG_HEAD("Direct I/O is not supported on this platform.\n") PG_ONE PG_REST);
	assert_int_equal(f.profile.syncs[0].mode, PROFILE_SYNC_ODSYNC);
	arena_fini(&f.arena);
	/* a file system without direct I/O; 4 kB blocks; before 9.3 there is no time */
	accept(&f, "Compare file sync methods using one 4kB write:\n"
		   "        open_datasync                     n/a*\n"
		   "        fdatasync                      63.250 ops/sec\n"
		   "* This file system and its mount options do not support direct\n"
		   "  I/O, e.g. ext4 in journaled mode.\n");
	assert_int_equal(f.profile.n_syncs, 1);
	NEAR(f.profile.syncs[0].bs_b, 4096);
	NEAR(f.profile.syncs[0].syncs_per_s, 63.25);
	assert_true(found(&f, "document-cut")); /* its other parts are missing */
	arena_fini(&f.arena);
	/* some locales print a comma */
	accept(&f, "Compare file sync methods using one 8kB write:\n"
		   "        fsync                              400,500 ops/sec    2497 usecs/op\n");
	NEAR(f.profile.syncs[0].syncs_per_s, 400.5);
	arena_fini(&f.arena);
	/* nothing was done within the time */
	static const char none[] =
		"Compare file sync methods using one 8kB write:\n"
		"        fsync                                0.000 ops/sec     inf usecs/op\n";
	read_in(&f, none, sizeof(none) - 1);
	assert_int_equal(f.rc, ERR_PARSE);
	arena_fini(&f.arena);
	/* 400 a second are 2,500 us each */
	static const char wrong[] =
		"Compare file sync methods using one 8kB write:\n"
		"        fsync                              400.000 ops/sec     250 usecs/op\n";
	read_in(&f, wrong, sizeof(wrong) - 1);
	assert_int_equal(f.rc, ERR_PARSE);
	assert_non_null(strstr(f.err.text, "line 2: 400.000 ops/sec are 2500 us each, not 250"));
	arena_fini(&f.arena);
}

/* A rate that is none names its line; it is not left out in silence. */
static void
test_pg_test_fsync_no_rate(void **state)
{
	(void)state;
	static const char *const rates[] = {"-5.000", "nan", "inf", "1e400", "2000000000000"};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct fixture f;
		char text[400];
		int n = snprintf(text, sizeof(text),
			"Compare file sync methods using one 8kB write:\n"
			"        fdatasync   1000.500 ops/sec    1000 usecs/op\n"
			"        fsync       %s ops/sec    2500 usecs/op\n",
			rates[i]);
		read_in(&f, text, (size_t)n);
		assert_int_equal(f.rc, ERR_PARSE);
		assert_non_null(strstr(f.err.text, "line 3: fsync of \""));
		assert_non_null(strstr(f.err.text, rates[i]));
		arena_fini(&f.arena);
	}
}

/* As ioping 1.2 prints it: 4 requests of 4 KiB, 332 us each, one a second. */
#define IOPING                                                                                     \
	"4 KiB <<< /tmp (ext4 /dev/vda1 80 GiB): request=1 time=153.1 us (warmup)\n"               \
	"4 KiB <<< /tmp (ext4 /dev/vda1 80 GiB): request=2 time=350.9 us\n"                        \
	"\n"                                                                                       \
	"--- /tmp (ext4 /dev/vda1 80 GiB) ioping statistics ---\n"                                 \
	"4 requests completed in 1.33 ms, 16 KiB read, 3.01 k iops, 11.8 MiB/s\n"                  \
	"generated 5 requests in 4.00 s, 20 KiB, 1 iops, 5.00 KiB/s\n"                             \
	"min/avg/max/mdev = 263.8 us / 332.0 us / 381.8 us / 43.4 us\n"
/* From its manual: 99 requests, 110,818 ns in the mean, 4 KiB. */
#define IOPING_RAW                                                                                 \
	"99 10970974 9024 36961279 90437 110818 358872 30756 100 12516420\n"                       \
	"100 9573265 10446 42785684 86849 95733 154609 10548 100 10649035\n"

static void
test_ioping(void **state)
{
	(void)state;
	struct fixture f;
	accept(&f, IOPING);
	assert_string_equal(f.file.format, "ioping");
	assert_int_equal(f.profile.n_cells, 1);
	const struct profile_cell *c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_RANDREAD);
	NEAR(c->bs_b, 4096);
	NEAR(c->qd, 1);
	NEAR(c->iops, 1e6 / 332);
	NEAR(c->min_us, 263.8);
	NEAR(c->mean_us, 332);
	NEAR(c->max_us, 381.8);
	NEAR(c->sd_us, 43.4);
	NEAR(c->n, 4);
	assert_true(isnan(c->p99_us) && isnan(c->p50_us));
	assert_true(found(&f, "inferred") && found(&f, "few-samples") && found(&f, "rate-limited"));
	arena_fini(&f.arena);
	accept(&f, IOPING_RAW);
	assert_int_equal(f.profile.n_cells, 2);
	c = &f.profile.cells[0];
	NEAR(c->bs_b, 4096);
	NEAR(c->mean_us, 110.818);
	NEAR(c->min_us, 90.437);
	NEAR(c->max_us, 358.872);
	NEAR(c->sd_us, 30.756);
	NEAR(c->n, 99);
	NEAR(f.profile.cells[1].mean_us, 95.733);
	assert_false(found(&f, "rate-limited"));
	arena_fini(&f.arena);
	/* units up to seconds, writes, thousands */
	accept(&f, "--- f (xfs /dev/sdb) ioping statistics ---\n"
		   "1.05 k requests completed in 2.10 s, 65.6 MiB written, 500 iops, 31.2 MiB/s\n"
		   "min/avg/max/mdev = 900 ns / 2.00 ms / 1.50 s / 3.00 ms\n");
	c = &f.profile.cells[0];
	assert_int_equal(c->op, PROFILE_OP_RANDWRITE);
	NEAR(c->bs_b, 65536); /* 65.6 MiB / 1,050 = 65,511 B, to three digits */
	NEAR(c->min_us, 0.9);
	NEAR(c->mean_us, 2000);
	NEAR(c->max_us, 1.5e6);
	NEAR(c->n, 1050);
	arena_fini(&f.arena);
}

struct refusal {
	const char *text;
	size_t n; /* 0: up to the NUL */
	const char *says;
};

#define BYTES(text) text, sizeof(text) - 1

static const struct refusal refusals[] = {
	{"", 0, "empty: nothing was written here"},
	{" \n\n", 0, "empty"},
	{"{\"fio ver", 0, "cut off at byte 9"},
	{BYTES("\x1f\x8b\x08\0\0\0"), "compressed by gzip"},
	{BYTES("\x28\xb5\x2f\xfd\x01"), "packed"},
	{BYTES("\xff\xfe{\0\n\0"), "UTF-16"},
	{BYTES("\x7f"
	       "ELF\x02\x01"),
		"byte 4: a binary file"},
	{BYTES("abc\0def"), "byte 3: a binary file"},
	{"3;fio-3.33;tj;0;0;311648\n", 0, "line 1: fio's terse output"},
	{"starting\n5;fio-3.42;tj;0;0;311648\n", 0, "line 2: fio's terse output"},
	{"2;tj;0;0;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18\n", 0,
		"line 1: fio's terse output"},
	{"4;fio-2", 0, "line 1: fio's terse output"},
	{"fio-3.33\nq: (g=0): rw=randread, bs=(R) 4096B-4096B\n", 0,
		"line 2: fio's output for people"},
	{"q: (groupid=0, jobs=1): err= 0: pid=1\n", 0, "line 1: fio's output for people"},
	{"{\"schema\": \"tierwise/model/1\"}", 0, "a document of tierwise"},
	{"<!DOCTYPE html><p>404", 0, "a web page"},
	{"Linux 6.1 (h)\n\navg-cpu:  %user\n", 0, "line 3: figures of iostat or sar"},
	{"{\"sysstat\": {\"hosts\": []}}", 0, "line 1: figures of iostat or sar"},
	{"sysbench 1.0.20 (using LuaJIT)\n", 0, "figures of sysbench"},
	{"[{\"time\": 1, \"threads\": 4, \"tps\": 5}]", 0, "figures of sysbench"},
	{"[global]\nioengine=libaio\nrw=randread\n", 0, "line 1: a fio job file"},
	{"1, 57, 0, 4096, 0\n2, 60, 0, 4096, 0\n", 0, "line 1: fio's log of single I/O"},
	{"{\"disk_util\": [], \"fio version\": \"fio-3.33\"}", 0, "not the first name"},
	{"{\"a\": 1}", 0, "line 1: JSON, but no fio result"},
	{"hello\n", 0, "no fio result"},
	{"--- /tmp (ext4 /dev/vda1) ioping statistics ---\n", 0, "ioping: its statistics"},
	{"4 requests completed in 9012.3 ms, 4425 iops, 17.3 mb/s\n"
	 "--- /tmp ioping statistics ---\nmin/avg/max/mdev = 0.2/0.2/0.3/0.0 ms\n",
		0, "older than 0.9"},
	{"99 10970974 9024 36961279 90437 110818 358872 30756 100 12516420", 0,
		"cut off at byte 64"},
	{"99 10970974 9024 36961279 90437 110818 358872 30756\n1 2\n", 0, "line 2 is no raw line"},
	{"1 2 3 4 5 6 7 8\n", 0, "no fio result"},
	{"Compare file sync methods using one 8kB write:\n        fsync     ", 0,
		"cut off at byte 65"},
};

static void
test_named_for_what_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *r = &refusals[i];
		struct fixture f;
		read_in(&f, r->text, r->n ? r->n : strlen(r->text));
		if (f.rc != ERR_PARSE || !strstr(f.err.text, r->says))
			fail_msg("row %zu: code %d, \"%s\"", i, f.rc, f.err.text);
		assert_int_equal(f.profile.n_cells + f.profile.n_syncs, 0);
		arena_fini(&f.arena);
	}
}

/* What a cut file may give: nothing, or some of the whole file's figures. */
static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool
same_cell(const struct profile_cell *a, const struct profile_cell *b)
{
	return a->op == b->op && same(a->bs_b, b->bs_b) && same(a->qd, b->qd) &&
	       same(a->iops, b->iops) && same(a->mean_us, b->mean_us) && same(a->sd_us, b->sd_us) &&
	       same(a->max_us, b->max_us) && same(a->n, b->n);
}

static bool
same_sync(const struct profile_sync *a, const struct profile_sync *b)
{
	return a->mode == b->mode && same(a->bs_b, b->bs_b) &&
	       same(a->syncs_per_s, b->syncs_per_s) && same(a->mean_us, b->mean_us) &&
	       same(a->writers, b->writers);
}

/* Raw lines have no end, so a file that lacks whole ones cannot be told from a shorter run. */
static void
check_cut(const struct fixture *whole, const struct fixture *cut, size_t n, bool lines)
{
	size_t cells = 0, syncs = 0;
	for (size_t i = 0; i < cut->profile.n_cells; i++)
		cells += same_cell(&cut->profile.cells[i], &whole->profile.cells[i]);
	for (size_t i = 0; i < cut->profile.n_syncs; i++)
		syncs += same_sync(&cut->profile.syncs[i], &whole->profile.syncs[i]);
	if (cells != cut->profile.n_cells || syncs != cut->profile.n_syncs)
		fail_msg("cut after %zu bytes %s has other figures", n, cut->file.format);
	if (cells + syncs < whole->profile.n_cells + whole->profile.n_syncs && !lines &&
		!found(cut, "document-cut") && cut->rc == 0)
		fail_msg("cut after %zu bytes it has fewer, and does not say so", n);
}

static void
test_every_cut(void **state)
{
	(void)state;
	static const char fio[] =
		"{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"q\", \"error\": 0, "
		"\"job options\": {\"rw\": \"randread\", \"iodepth\": \"8\", \"ioengine\": "
		"\"libaio\"}, "
		"\"read\": {\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw\": 400, \"iops\": "
		"100, "
		"\"runtime\": 10000, \"total_ios\": 1000, \"lat_ns\": {\"mean\": 80000000, \"N\": "
		"1000}}}]}\n";
	static const char *const texts[] = {fio, PG, IOPING, IOPING_RAW};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fixture whole, cut;
		accept(&whole, texts[i]);
		for (size_t n = 0; n < strlen(texts[i]); n++) {
			/* its own allocation, so that reading behind the end is seen */
			char *text = malloc(n + 1);
			assert_non_null(text);
			memcpy(text, texts[i], n);
			char *exact = realloc(text, n ? n : 1);
			read_in(&cut, exact ? exact : text, n);
			bool line_end = n > 0 && texts[i][n - 1] == '\n';
			check_cut(&whole, &cut, n, i == 3 && line_end);
			arena_fini(&cut.arena);
			free(exact ? exact : text);
		}
		arena_fini(&whole.arena);
	}
}

static void
write_file(char path[64], const char *text)
{
	snprintf(path, 64, "/tmp/test_import.XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* A file is read where it lies, in pieces; memory gives the same. */
static void
test_sources(void **state)
{
	(void)state;
	char path[64], bytes[8];
	struct import_bytes s;
	struct err err = {0};
	struct fixture f = {0};
	write_file(path, PG);
	assert_int_equal(import_bytes_open(&s, path, &err), 0);
	assert_null(s.text);
	assert_int_equal(s.size, sizeof(PG) - 1);
	assert_int_equal(import_bytes_read(&s, 2, bytes, 7, &err), 0);
	assert_memory_equal(bytes, "seconds", 7);
	/* it becomes shorter meanwhile */
	assert_int_equal(truncate(path, 4), 0);
	assert_int_equal(import_bytes_read(&s, 2, bytes, 7, &err), ERR_IO);
	assert_non_null(strstr(err.text, "became shorter"));
	import_bytes_close(&s);
	unlink(path);
	assert_int_equal(import_bytes_open(&s, path, &err), ERR_IO);
	import_bytes_close(&s);
	assert_int_equal(import_bytes_open(&s, "/tmp", &err), ERR_IO);
	import_bytes_close(&s);

	write_file(path, IOPING_RAW);
	arena_init(&f.arena, 0);
	struct import *im = import_new(&f.profile, &f.arena);
	assert_int_equal(import_file(im, path, "raw", &f.file, &err), 0);
	assert_int_equal(f.file.n_cells, 2);
	unlink(path);
	arena_fini(&f.arena);
}

#define ON(disk, filename, rw)                                                                     \
	"{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"q\", \"error\": 0, "           \
	"\"job options\": {\"rw\": \"" rw "\", \"filename\": \"" filename "\"}, "                  \
	"\"read\": {\"io_bytes\": 4096000, \"io_kbytes\": 4000, \"bw\": 400, \"iops\": 100, "      \
	"\"runtime\": 10000, \"total_ios\": 1000, \"lat_ns\": {\"mean\": 10000000, "               \
	"\"N\": 1000}}}]" disk "}"
#define UTIL(name) ", \"disk_util\": [{\"name\": \"" name "\"}]"

struct set_row {
	const char *folder, *text;
	size_t group; /* expected */
};

static void
check_set(const struct set_row *rows, size_t n, bool together, size_t n_groups)
{
	struct arena a;
	struct import_set set;
	struct err err = {0};
	size_t files[8] = {0};
	arena_init(&a, 0);
	import_set_init(&set, &a, together);
	for (size_t i = 0; i < n; i++) {
		struct profile *p = arena_alloc(&a, sizeof(*p));
		struct import *im = import_new(p, &a);
		struct import_outcome file;
		assert_int_equal(
			import_text(im, "x", rows[i].text, strlen(rows[i].text), &file, &err), 0);
		assert_int_equal(import_set_add(&set, rows[i].folder, "x", im, p, &err), 0);
		files[together ? 0 : rows[i].group]++;
	}
	assert_int_equal(import_set_join(&set, &err), 0);
	assert_int_equal(set.n, n_groups);
	for (size_t g = 0; g < set.n; g++) {
		assert_int_equal(set.groups[g].n_files, files[g]);
		assert_int_equal(import_finish(set.groups[g].import, &err), 0);
		assert_int_equal(set.groups[g].profile->n_cells, files[g]);
	}
	arena_fini(&a);
}

static void
test_sets(void **state)
{
	(void)state;
	static const char sda[] = ON(UTIL("sda"), "/dev/sda", "randread");
	static const char sdb[] = ON(UTIL("sdb"), "/dev/sdb", "randread");
	static const char none[] = ON("", "f", "randread");
	static const char in_a[] = ON("", "/a/f1", "randread"),
			  in_a_too[] = ON("", "/a/f2", "read");
	static const char in_b[] = ON("", "/b/f1", "randread");
	/* one folder, two disks */
	const struct set_row disks[] = {{"d", sda, 0}, {"d", sdb, 1}, {"d", sda, 0}};
	check_set(disks, 3, false, 2);
	check_set(disks, 3, true, 1);
	/* two folders, one disk: two sweeps */
	const struct set_row folders[] = {{"d", sda, 0}, {"e", sda, 1}};
	check_set(folders, 2, false, 2);
	/* a file that names no disk goes with the only one, wherever it comes in the order */
	const struct set_row unnamed[] = {{"d", none, 0}, {"d", sda, 0}, {"e", none, 1}};
	check_set(unnamed, 3, false, 2);
	/* with two it stays apart */
	const struct set_row apart[] = {
		{"d", none, 0}, {"d", sda, 1}, {"d", sdb, 2}, {"d", none, 0}};
	check_set(apart, 4, false, 3);
	/* without a device the folder of the test file tells disks apart */
	const struct set_row targets[] = {{"d", in_a, 0}, {"d", in_b, 1}, {"d", in_a_too, 0}};
	check_set(targets, 3, false, 2);
	/* a disk, its path, a partition of it */
	static const char path[] = ON("", "/dev/sda", "randread"),
			  part[] = ON("", "/dev/sda1", "read");
	static const char one[] = ON(UTIL("nvme0n1"), "f", "read"),
			  ten[] = ON(UTIL("nvme0n10"), "f", "read"),
			  two[] = ON("", "/dev/nvme0n1p2", "read");
	const struct set_row words[] = {{"d", sda, 0}, {"d", path, 0}, {"d", part, 0},
		{"d", one, 1}, {"d", ten, 2}, {"d", two, 1}};
	check_set(words, 6, false, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pg_test_fsync),
		cmocka_unit_test(test_pg_test_fsync_no_rate),
		cmocka_unit_test(test_pg_test_fsync_variants),
		cmocka_unit_test(test_ioping),
		cmocka_unit_test(test_named_for_what_it_is),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_sets),
	};
	return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
