/*
 * evidence_postgres.c - PostgreSQL's statistics views as CSV or as psql prints them (boxes, unaligned, -x),
 * layouts of 14 to 18, recognised by their columns.
 *
 * All are counters: two looks at one view with the same stats_reset give a difference, one look gives what was
 * counted since the reset and no rates.  An empty cell is a combination that cannot be: unknown, not 0.
 * pg_stat_io counts blocks of op_bytes up to 17; from 18 on its reads and writes are calls of several blocks.
 * Times are 0 unless track_io_timing and track_wal_io_timing are on: unknown then.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "workload/evidence_reader.h"
#include "workload/postgres.h"
#include "workload/snapshot.h"
#include "workload/table.h"

enum { NEED_MAX = 4, KEY_MAX = 4, ROWS_CHECKED = 4000 };

/* A view, by names that it has, and has not; rows are told apart by `key`. */
static const struct view {
	const char *name;
	const char *need[NEED_MAX], *without;
	const char *key[KEY_MAX];
} views[] = {
	{POSTGRES_STATEMENTS, {"calls", "query"}, NULL, {"queryid", "userid", "dbid", "toplevel"}},
	{POSTGRES_WAL, {"wal_records", "wal_fpi", "wal_bytes"}, "calls", {NULL}},
	{POSTGRES_IO, {"backend_type", "object", "context"}, NULL,
		{"backend_type", "object", "context"}},
	{POSTGRES_BGWRITER, {"buffers_clean", "maxwritten_clean"}, NULL, {NULL}},
	{POSTGRES_CHECKPOINTER, {"num_timed", "num_requested"}, NULL, {NULL}},
	{POSTGRES_DATABASE, {"xact_commit"}, NULL, {"datname"}},
};

static const char *const time_columns[] = {"captured", "now", "clock_timestamp",
	"current_timestamp", "statement_timestamp", "transaction_timestamp", "sampled_at",
	"collected_at", "captured_at", "snapshot_time", "at", "ts", "time"};

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	size_t n, other;
};

static const struct view *
view_of(const struct table *t)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		const struct view *v = &views[i];
		bool has = !v->without || table_column(t, v->without) < 0;
		for (size_t k = 0; has && k < NEED_MAX && v->need[k]; k++)
			has = table_column(t, v->need[k]) >= 0;
		if (has)
			return v;
	}
	return NULL;
}

/* The column of a log position in a table that is no view; -1: none. */
static int
position_column(const struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (span_has(t->columns[i], "lsn"))
			return (int)i;
	return -1;
}

/* "Mon Nov 30 19:57:21 2026 (every 5s)", as \watch prints above each table. */
static double
watch_time(struct span title)
{
	char copy[64];
	struct tm tm = {0};
	if (!span_has(title, "(every ") || title.n >= sizeof(copy))
		return NAN;
	memcpy(copy, title.text, title.n);
	copy[title.n] = '\0';
	return strptime(copy, "%a %b %d %H:%M:%S %Y", &tm) ? (double)timegm(&tm) : (double)NAN;
}

static double
time_of(const struct reading *r, const struct table *t)
{
	double offset = r->in->options ? r->in->options->utc_offset_s : (double)NAN;
	for (size_t i = 0; i < sizeof(time_columns) / sizeof(time_columns[0]); i++) {
		int column = table_column(t, time_columns[i]);
		double at = column < 0 ? (double)NAN
				       : snapshot_time(table_cell(t, 0, column), offset);
		if (!isnan(at))
			return at;
	}
	return watch_time(t->title);
}

/* "client backend|relation|normal", "" for views of one row. */
static const char *
row_key(const struct reading *r, const struct view *v, const struct table *t, size_t row)
{
	const char *key = "";
	for (size_t i = 0; key && i < KEY_MAX && v->key[i]; i++) {
		struct span cell = table_cell(t, row, table_column(t, v->key[i]));
		key = arena_printf(r->e->arena, "%s%s%.*s", key, i ? "|" : "",
			(int)(cell.n < 200 ? cell.n : 200), cell.text);
	}
	return key;
}

/* Is there a row of that key already?  Each has `columns` values. */
static bool
has_key(const struct evidence_snapshot *s, const char *key, size_t columns)
{
	size_t n = strlen(key);
	for (size_t i = 0; i < s->n; i += columns)
		if (strncmp(s->names[i], key, n) == 0 && s->names[i][n] == '\t')
			return true;
	return false;
}

static int
keep_row(struct reading *r, struct evidence_snapshot *s, const struct table *t, size_t row,
	const char *key, struct err *err)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		const char *name = arena_printf(
			r->e->arena, "%s\t%.*s", key, (int)t->columns[i].n, t->columns[i].text);
		int rc = snapshot_put(r->e, s, name, t->cells[row * t->n_columns + i], err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Counts must be numbers from 0 on, or empty. */
static int
check_row(const struct reading *r, const struct table *t, size_t row, struct err *err)
{
	static const char *const counts[] = {"wal_bytes", "wal_sync", "wal_records", "xact_commit",
		"blks_read", "calls", "reads", "writes", "fsyncs", "buffers_written",
		"buffers_clean", "num_timed", "checkpoints_timed"};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct span cell = table_cell(t, row, table_column(t, counts[i]));
		if (cell.n && !(span_number(cell) >= 0))
			return err_set(err, ERR_PARSE,
				"%s:%zu: %s of row %zu below: \"%.*s\", accepted: a count from 0 "
				"on, or nothing",
				r->in->name, t->line, counts[i], row + 1, SPAN_SAID(cell));
	}
	return 0;
}

static int
keep_view(struct reading *r, const struct view *v, const struct table *t, struct err *err)
{
	size_t twice = 0;
	int rc = 0;
	struct evidence_snapshot *s = evidence_add_snapshot(r->e);
	if (!s)
		return err_nomem(err);
	*s = (struct evidence_snapshot){.reader = &evidence_postgres,
		.kind = v->name,
		.file = r->in->name,
		.line = t->line,
		.at_s = time_of(r, t)};
	/* statements without their number cannot be told apart: texts may be cut */
	bool alike = v->need[1] && strcmp(v->need[1], "query") == 0 &&
		     table_column(t, "queryid") < 0;
	for (size_t row = 0; rc == 0 && row < t->n_rows; row++) {
		const char *key = alike ? arena_printf(r->e->arena, "#%zu", row)
					: row_key(r, v, t, row);
		if (!key)
			return err_nomem(err);
		if (!alike && row < ROWS_CHECKED && has_key(s, key, t->n_columns)) {
			twice++;
			continue;
		}
		rc = check_row(r, t, row, err);
		rc = rc ? rc : keep_row(r, s, t, row, key, err);
	}
	if (twice)
		findings_add(&r->e->findings, SEVERITY_WARNING, "rows-twice", "give each look once",
			"%s:%zu: %zu rows of %s are there twice: the first is taken", r->in->name,
			t->line, twice, v->name);
	r->n += t->n_rows > 0;
	if (t->n_rows == 0)
		r->e->n_snapshots--;
	return rc;
}

static int
keep_position(struct reading *r, const struct table *t, int column, struct err *err)
{
	char high[9];
	double low = 0, at = NAN;
	unsigned int h, l;
	struct span cell = table_cell(t, 0, column);
	if (t->n_rows == 0)
		return 0;
	if (cell.n < 20) {
		char copy[24];
		memcpy(copy, cell.text, cell.n);
		copy[cell.n] = '\0';
		if (sscanf(copy, "%8[0-9A-Fa-f]/%8x", high, &l) == 2 &&
			sscanf(high, "%x", &h) == 1) {
			low = l;
			at = h * 4294967296.0 + low;
		} else {
			at = span_number(cell); /* pg_wal_lsn_diff(..., '0/0') */
		}
	}
	if (!(at >= 0))
		return err_set(err, ERR_PARSE,
			"%s:%zu: log position \"%.*s\", accepted: as in 0/2FCFC000", r->in->name,
			t->line, SPAN_SAID(cell));
	struct evidence_snapshot *s = evidence_add_snapshot(r->e);
	const char *text = arena_printf(r->e->arena, "%.0f", at);
	if (!s || !text)
		return err_nomem(err);
	*s = (struct evidence_snapshot){.reader = &evidence_postgres,
		.kind = POSTGRES_POSITION,
		.file = r->in->name,
		.line = t->line,
		.at_s = time_of(r, t)};
	r->n++;
	return snapshot_put(r->e, s, "\tposition", span_of(text), err);
}

static void
say_table(struct reading *r, const struct table *t)
{
	struct findings *f = &r->e->findings;
	if (t->cut)
		findings_add(f, SEVERITY_WARNING, "rows-cut", "take the look again",
			"%s:%zu: the last row of this table has no end and is left out",
			r->in->name, t->line);
	if (t->bad)
		findings_add(f, SEVERITY_WARNING, "rows-left-out", "give the view as psql wrote it",
			"%s:%zu: %zu rows have not the %zu cells of their names and are left out",
			r->in->name, t->bad_line, t->bad, t->n_columns);
}

static int
read_table(struct reading *r, const struct table *t, struct err *err)
{
	const struct view *v = view_of(t);
	int position = v ? -1 : position_column(t);
	if (!v && position < 0) {
		r->other++;
		return 0;
	}
	say_table(r, t);
	return v ? keep_view(r, v, t, err) : keep_position(r, t, position, err);
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in};
	struct table_scan scan;
	struct table t;
	bool found = true;
	int rc = 0;
	table_scan_init(&scan, out->arena, in->text, in->n);
	while (rc == 0 && found) {
		rc = table_next(&scan, &t, &found, err);
		if (rc == 0 && found)
			rc = read_table(&r, &t, err);
	}
	if (rc)
		return rc;
	if (r.n == 0)
		return err_set(err, ERR_PARSE,
			"%s:1: names of a PostgreSQL view, but no whole row; take the look again, "
			"as in "
			"psql --csv -c 'select now(), * from pg_stat_wal'",
			in->name);
	if (r.other)
		findings_add(&out->findings, SEVERITY_NOTE, "tables-left-out", NULL,
			"%s: %zu tables are none that is read here", in->name, r.other);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	static const char *const marks[] = {"wal_fpi", "backend_type", "maxwritten_clean",
		"num_requested", "xact_commit", "shared_blks_read", "total_exec_time", "lsn"};
	struct span text = {in->text, in->n < 1 << 16 ? in->n : 1 << 16};
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (span_has(text, marks[i])) {
			struct arena a;
			struct table_scan scan;
			struct table t;
			bool found = true, known = false;
			arena_init(&a, 0);
			table_scan_init(&scan, &a, text.text, text.n);
			while (found && !known && table_next(&scan, &t, &found, NULL) == 0)
				known = found && (view_of(&t) || position_column(&t) >= 0);
			arena_fini(&a);
			return known;
		}
	return false;
}

const struct evidence_reader evidence_postgres = {"postgresql", probe, read_text, postgres_finish};
