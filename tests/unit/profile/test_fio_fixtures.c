/*
 * Every row of the fixtures' expected.csv (an independent parser's reading) against the importer.
 *
 * What a row is compared with: the cell of its direction; jobs that fio reported apart are one
 * cell, compared with the sum, the weighted mean and the range of their rows.  A row that is compared
 * with nothing must say itself why (error, no direction, "All clients", unified "mixed", a document
 * that is not the last).
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

#include "base/file.h"
#include "profile/import.h"

enum column {
	COL_FILE,
	COL_PARSE,
	COL_DOCUMENTS,
	COL_DOCUMENT,
	COL_VERSION,
	COL_JOB,
	COL_JOBNAME,
	COL_RW,
	COL_BS,
	COL_IODEPTH,
	COL_NUMJOBS,
	COL_DIRECTION,
	COL_IOPS,
	COL_BW,
	COL_IO_BYTES,
	COL_RUNTIME,
	COL_TOTAL_IOS,
	COL_LAT_MEAN,
	COL_P50,
	COL_P99,
	COL_SYNC_MEAN,
	COL_SYNC_P99,
	COL_ERROR,
	COL_COUNT
};

enum { ROWS_MAX = 600 };

struct row {
	char *col[COL_COUNT];
	bool used;
};

struct table {
	char *text;
	struct row rows[ROWS_MAX];
	size_t n;
	size_t compared, cells, syncs, excused;
};

static char *shared;

static double
value(const struct row *r, enum column c)
{
	return r->col[c][0] ? strtod(r->col[c], NULL) : (double)NAN;
}

static void
load(struct table *t)
{
	char path[4096];
	struct buf text;
	struct err err;
	snprintf(path, sizeof(path), "%s/fixtures/fio/expected.csv", shared);
	buf_init(&text, 0);
	if (file_read(path, &text, &err))
		fail_msg("%s", err.text);
	t->text = text.text;
	char *line = t->text;
	for (bool head = true; line && *line; head = false) {
		char *end = strchr(line, '\n'), *next = end ? end + 1 : NULL;
		if (end)
			*end = '\0';
		if (end && end > line && end[-1] == '\r')
			end[-1] = '\0';
		if (head) {
			assert_non_null(strstr(line, "sync_mean_us,sync_p99_us,error"));
			line = next;
			continue;
		}
		assert_true(t->n < ROWS_MAX);
		struct row *r = &t->rows[t->n++];
		size_t c = 0;
		for (char *p = line; p; c++) {
			char *comma = strchr(p, ',');
			assert_true(c < COL_COUNT);
			r->col[c] = p;
			if (comma)
				*comma = '\0';
			p = comma ? comma + 1 : NULL;
		}
		assert_int_equal(c, COL_COUNT);
		line = next;
	}
}

static bool
is(const struct row *r, enum column c, const char *text)
{
	return strcmp(r->col[c], text) == 0;
}

/* Why the row itself says that it is no cell; NULL when it should be one. */
static const char *
excuse(const struct row *r)
{
	if (value(r, COL_DOCUMENT) + 1 < value(r, COL_DOCUMENTS))
		return "not the last document of its file";
	if (value(r, COL_ERROR) > 0)
		return "the job failed";
	if (is(r, COL_JOBNAME, "All clients"))
		return "a sum over clients";
	if (is(r, COL_DIRECTION, "mixed"))
		return "unified reporting hides the direction";
	if (is(r, COL_PARSE, "not-json"))
		return "no JSON";
	return NULL;
}

static void
close_to(const struct row *r, const char *what, double got, double want, double tolerance)
{
	if (isnan(got) && isnan(want))
		return;
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%s job %s %s: %s is %.9g, expected %.9g", r->col[COL_FILE],
			r->col[COL_JOB], r->col[COL_DIRECTION], what, got, want);
}

/* Rows of one cell: `n` of one name that fio reported apart, or one. */
struct group {
	const struct row *rows[64];
	size_t n;
};

static double
sum(const struct group *g, enum column c)
{
	double total = 0;
	for (size_t i = 0; i < g->n; i++)
		total += value(g->rows[i], c);
	return total;
}

static double
weighted_mean(const struct group *g)
{
	double total = 0;
	for (size_t i = 0; i < g->n; i++)
		total += value(g->rows[i], COL_LAT_MEAN) * value(g->rows[i], COL_TOTAL_IOS);
	return g->n == 1 ? value(g->rows[0], COL_LAT_MEAN) : total / sum(g, COL_TOTAL_IOS);
}

static void
check_quantile(const struct group *g, const char *what, enum column c, double got, double max)
{
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < g->n; i++) {
		lo = fmin(lo, value(g->rows[i], c));
		hi = fmax(hi, value(g->rows[i], c));
	}
	if (isnan(value(g->rows[0], c))) {
		assert_true(isnan(got));
		return;
	}
	if (!(got >= fmin(lo, max) - 6e-4 && got <= fmin(hi, max) + 6e-4))
		fail_msg("%s: %s is %.9g, expected %.9g to %.9g", g->rows[0]->col[COL_FILE], what,
			got, lo, hi);
}

static void
check_cell(const struct group *g, const struct profile_cell *c)
{
	const struct row *r = g->rows[0];
	double parts = (double)g->n, mean = weighted_mean(g);
	double iops = sum(g, COL_IOPS), ios = sum(g, COL_TOTAL_IOS);
	close_to(r, "iops", c->iops, iops, 6e-5 * parts);
	/* fio cuts bw to whole KiB/s */
	close_to(r, "KiB/s", c->mibps * 1024, sum(g, COL_BW) + 0.5 * parts, 0.51 * parts);
	close_to(r, "runtime", c->runtime_s * 1e3, value(r, COL_RUNTIME),
		g->n == 1 ? 1e-6 : 0.05 * value(r, COL_RUNTIME));
	if (mean > 0) {
		/* the rows do not give N, by which the importer weighs */
		close_to(r, "mean", c->mean_us, mean, g->n == 1 ? 6e-4 : 1e-4 * mean);
		/* those in flight when a ramp ends have a latency and no place in the total */
		if (isnan(ios)) /* before fio 2.1.14: from the volume */
			close_to(r, "volume", c->n * c->bs_b, sum(g, COL_IO_BYTES), 0.5 * c->bs_b);
		else
			close_to(r, "samples", c->n, ios, fmax(c->qd, 1e-3 * ios));
	} else {
		assert_true(isnan(c->mean_us) && isnan(c->n) && isnan(c->p99_us));
	}
	check_quantile(g, "p50", COL_P50, c->p50_us, c->max_us);
	check_quantile(g, "p99", COL_P99, c->p99_us, c->max_us);
	if (!isnan(ios))
		close_to(r, "block", c->bs_b, sum(g, COL_IO_BYTES) / ios, 0.005 * c->bs_b);
	double depth = value(r, COL_IODEPTH);
	if (!isnan(depth) && !(c->note && strstr(c->note, "inferred")) && c->qd != c->jobs)
		close_to(r, "depth", c->qd, depth * c->jobs, 0);
}

static void
check_sync(const struct group *g, const struct profile_sync *s)
{
	const struct row *r = g->rows[0];
	bool apart = s->mode == PROFILE_SYNC_FSYNC || s->mode == PROFILE_SYNC_FDATASYNC;
	double mean = value(r, COL_LAT_MEAN), sync = value(r, COL_SYNC_MEAN);
	/* syncs are counted apart from writes: a few are in flight at the end */
	close_to(r, "syncs/s", s->syncs_per_s, value(r, COL_IOPS), 1e-3 * value(r, COL_IOPS));
	if (!apart) {
		close_to(r, "mean", s->mean_us, mean, 6e-4);
		check_quantile(g, "p50", COL_P50, s->p50_us, s->max_us);
		check_quantile(g, "p99", COL_P99, s->p99_us, s->max_us);
		return;
	}
	close_to(r, "write mean", s->write_mean_us, mean, 6e-4);
	if (isnan(sync)) { /* before fio 3.4: what the rate leaves */
		close_to(r, "mean", s->mean_us, s->writers * 1e6 / value(r, COL_IOPS), 1e-3);
		return;
	}
	close_to(r, "sync mean", s->sync_mean_us, sync, 6e-4);
	close_to(r, "sync p99", s->sync_p99_us, value(r, COL_SYNC_P99), 6e-4);
	close_to(r, "mean", s->mean_us, mean + sync, 2e-3);
	assert_true(s->p99_lo_us <= s->p99_us && s->p99_us <= s->p99_hi_us);
}

/* The rows for the next cell of that direction in the file: as many as it has jobs when fio gave
 * several of one name, else one. */
static bool
take(struct table *t, const char *file, const char *direction, double jobs, struct group *g)
{
	size_t same = 0, first = t->n;
	g->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct row *r = &t->rows[i];
		if (r->used || !is(r, COL_FILE, file) || !is(r, COL_DIRECTION, direction) ||
			excuse(r))
			continue;
		if (first == t->n)
			first = i;
		same += is(r, COL_JOBNAME, t->rows[first].col[COL_JOBNAME]);
	}
	size_t want = same > 1 ? (size_t)jobs : 1;
	for (size_t i = first; i < t->n && g->n < want; i++) {
		struct row *r = &t->rows[i];
		if (r->used || !is(r, COL_FILE, file) || !is(r, COL_DIRECTION, direction) ||
			excuse(r) || !is(r, COL_JOBNAME, t->rows[first].col[COL_JOBNAME]))
			continue;
		assert_true(g->n < 64);
		r->used = true;
		g->rows[g->n++] = r;
	}
	if (g->n == 0)
		fail_msg("%s: a %s cell that no row stands for", file, direction);
	return g->n > 0;
}

/* Cells are in the order of the jobs as long as the import was not finished. */
static void
compare_file(struct table *t, const char *file, const struct profile *p)
{
	struct group g = {0};
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		bool read = c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_READ;
		if (!take(t, file, read ? "read" : "write", c->jobs, &g))
			return;
		check_cell(&g, c);
		t->cells++;
		t->compared += g.n;
	}
	for (size_t i = 0; i < p->n_syncs; i++) {
		if (!take(t, file, "write", p->syncs[i].writers, &g))
			return;
		check_sync(&g, &p->syncs[i]);
		t->syncs++;
		t->compared += g.n;
	}
}

static void
import_one(struct table *t, const char *file)
{
	char path[4096];
	struct arena a;
	struct profile p;
	struct import_outcome result;
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/fixtures/fio/%s", shared, file);
	arena_init(&a, 0);
	struct import *im = import_new(&p, &a);
	assert_non_null(im);
	int rc = import_file(im, path, file, &result, &err);
	if (rc == 0)
		compare_file(t, file, &p);
	else
		printf("refused: %s: %s\n", file, err.text);
	arena_fini(&a);
}

static void
test_all_rows(void **state)
{
	(void)state;
	struct table *t = calloc(1, sizeof(*t));
	assert_non_null(t);
	load(t);
	for (size_t i = 0; i < t->n; i++) {
		if (i == 0 || !is(&t->rows[i], COL_FILE, t->rows[i - 1].col[COL_FILE]))
			import_one(t, t->rows[i].col[COL_FILE]);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct row *r = &t->rows[i];
		const char *why = excuse(r);
		if (r->used)
			continue;
		if (!why)
			fail_msg("%s job %s %s: not imported", r->col[COL_FILE], r->col[COL_JOB],
				r->col[COL_DIRECTION]);
		printf("no cell: %s job %s %s: %s\n", r->col[COL_FILE], r->col[COL_JOB],
			r->col[COL_DIRECTION], why);
		t->excused++;
	}
	printf("%zu rows: %zu compared (%zu cells, %zu syncs), %zu that are no cell\n", t->n,
		t->compared, t->cells, t->syncs, t->excused);
	assert_int_equal(t->n, t->compared + t->excused);
	/* counted in the file by hand: 5 errors, 5 sums, 7 not last, 4 unified, 3 no JSON */
	assert_int_equal(t->excused, 24);
	free(t->text);
	free(t);
}

/* A real result cut at every byte is refused, or, when only what follows it is missing, the same. */
static void
cut_everywhere(const char *file)
{
	char path[4096];
	struct buf text;
	struct err err;
	snprintf(path, sizeof(path), "%s/fixtures/fio/%s", shared, file);
	buf_init(&text, 0);
	if (file_read(path, &text, &err))
		fail_msg("%s", err.text);
	double iops = NAN;
	size_t accepted = 0;
	for (size_t n = text.len; n-- > 0;) {
		struct arena a;
		struct profile p;
		struct import_outcome result;
		arena_init(&a, 0);
		struct import *im = import_new(&p, &a);
		assert_non_null(im);
		if (import_text(im, file, text.text, n, &result, &err) == 0) {
			/* the whole document is there until its last brace is cut */
			assert_int_equal(accepted++, text.len - 1 - n);
			double got = p.n_cells ? p.cells[0].iops : p.syncs[0].syncs_per_s;
			iops = isnan(iops) ? got : iops;
			assert_true(got == iops);
		} else {
			assert_int_equal(err.code, ERR_PARSE);
			assert_int_equal(p.n_cells + p.n_syncs, 0);
		}
		arena_fini(&a);
	}
	printf("%s: %zu cuts, %zu of them behind the result\n", file, text.len, accepted);
	assert_true(accepted > 0 && accepted < text.len / 2);
	buf_fini(&text);
}

static void
test_every_cut(void **state)
{
	(void)state;
	cut_everywhere("own-versions-and-oddities/v2.1.4-randread-4k-qd8.json");
	cut_everywhere("own-versions-and-oddities/v3.33-walfsync-4k.json");
	cut_everywhere("own-versions-and-oddities/v3.33-normal-and-json.out");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_rows),
		cmocka_unit_test(test_every_cut),
	};
	shared = getenv("TIERWISE_SHARED");
	char path[4096];
	snprintf(path, sizeof(path), "%s/fixtures/fio/expected.csv", shared ? shared : "");
	if (!shared || !file_exists(path)) {
		printf("skipped: no fixtures at %s (set TIERWISE_SHARED)\n", path);
		return 77;
	}
	return cmocka_run_group_tests_name("fio fixtures", tests, NULL, NULL);
}
