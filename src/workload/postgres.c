/*
 * postgres.c - two looks at the views of one PostgreSQL server, and what happened between them.
 */
#include "workload/postgres.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "workload/evidence_reader.h"
#include "workload/snapshot.h"

#define BLOCK_B 8192.0

enum { ROWS_COMPARED = 2000, STATEMENTS_MOST = 500, VERSION_NEWEST = 99 };

/* What is compared of one view. */
struct pair {
	const struct evidence_snapshot *first, *last; /* first NULL: one look */
};

struct server {
	struct evidence *e;
	struct evidence_server s;
	int oldest, newest; /* versions whose layout this is */
	const struct evidence_snapshot *newest_by, *oldest_by;
	bool wal_timing_off, io_timing_off, any;
	bool pairs; /* some view was looked at twice: those looked at once are left out */
};

static const char *
column_of(const char *name)
{
	const char *tab = strrchr(name, '\t');
	return tab ? tab + 1 : name;
}

static bool
has_column(const struct evidence_snapshot *s, const char *column)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcasecmp(column_of(s->names[i]), column) == 0)
			return true;
	return false;
}

/* Over the rows whose key holds `key` (NULL: all); NaN when no cell of them is known. */
static double
sum_of(const struct evidence_snapshot *s, const char *column, const char *key)
{
	double sum = NAN;
	for (size_t i = 0; i < s->n; i++) {
		const char *at = column_of(s->names[i]);
		if (strcasecmp(at, column) != 0)
			continue;
		const char *found = key ? strstr(s->names[i], key) : s->names[i];
		double v = found && found < at ? span_number(span_of(s->values[i])) : (double)NAN;
		if (!isnan(v))
			sum = (isnan(sum) ? 0 : sum) + v;
	}
	return sum;
}

static double
moved(const struct pair *p, const char *column, const char *key)
{
	if (!p->last)
		return NAN;
	double last = sum_of(p->last, column, key);
	return p->first ? last - sum_of(p->first, column, key) : last;
}

static double
add(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Counters that must not fall, of all views. */
static const char *const counters[] = {"wal_records", "wal_fpi", "wal_bytes", "wal_write",
	"wal_sync", "checkpoints_timed", "checkpoints_req", "buffers_checkpoint", "buffers_clean",
	"buffers_backend", "buffers_alloc", "num_timed", "num_requested", "buffers_written",
	"xact_commit", "xact_rollback", "blks_read", "blks_hit", "reads", "writes", "fsyncs",
	"hits", "calls", "shared_blks_read", "position"};

static void
directions(const struct pair *p, const char **up, const char **down)
{
	*up = *down = NULL;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		double by = moved(p, counters[i], NULL);
		if (by > 0)
			*up = counters[i];
		if (by < 0)
			*down = counters[i];
	}
}

/* A stats_reset that differs between the looks, of a row that is in both. */
static bool
was_reset(const struct pair *p, const char **before, const char **after)
{
	size_t compared = 0;
	for (size_t i = 0; i < p->first->n && compared < ROWS_COMPARED; i++) {
		if (strcasecmp(column_of(p->first->names[i]), "stats_reset") != 0)
			continue;
		compared++;
		*before = p->first->values[i];
		*after = snapshot_text(p->last, p->first->names[i]);
		if (*after && strcmp(*before, *after) != 0)
			return true;
	}
	return false;
}

static void
refuse(struct evidence *e, const struct pair *p, const char *why)
{
	findings_add(&e->findings, SEVERITY_ERROR, "counters-reset",
		"take two looks at one server without pg_stat_reset or a restart between them",
		"%s:%zu and %s:%zu: %s are not compared: %s", p->first->file, p->first->line,
		p->last->file, p->last->line, p->last->kind, why ? why : "counters were reset");
}

/* The first rows have the same columns. */
static bool
same_columns(const struct evidence_snapshot *a, const struct evidence_snapshot *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		if (strcasecmp(column_of(a->names[i]), column_of(b->names[i])) != 0)
			return false;
		bool end = i + 1 < a->n && i + 1 < b->n &&
			   strcasecmp(column_of(a->names[i + 1]), column_of(a->names[0])) == 0;
		if (end)
			break;
	}
	return true;
}

static void
swap(struct pair *p)
{
	const struct evidence_snapshot *first = p->first;
	p->first = p->last;
	p->last = first;
}

/* false when the two cannot be compared; a finding says why. */
static bool
check_pair(struct evidence *e, struct pair *p)
{
	const char *up, *down, *before, *after;
	if (p->first->at_s > p->last->at_s)
		swap(p);
	if (was_reset(p, &before, &after)) {
		refuse(e, p,
			arena_printf(e->arena, "stats_reset was %s, then %s",
				*before ? before : "never", *after ? after : "never"));
		return false;
	}
	if (p->first->n && p->last->n && !same_columns(p->first, p->last)) {
		refuse(e, p, "their columns differ: not one server, or it was upgraded");
		return false;
	}
	directions(p, &up, &down);
	if (down && !up && isnan(p->first->at_s - p->last->at_s)) {
		swap(p);
		findings_add(&e->findings, SEVERITY_NOTE, "looks-swapped", NULL,
			"%s was taken after %s: %s is larger", p->last->file, p->first->file, down);
		return true;
	}
	if (down)
		refuse(e, p,
			arena_printf(e->arena, "%s fell by %.0f", down, -moved(p, down, NULL)));
	else if (!up)
		findings_add(&e->findings, SEVERITY_WARNING, "no-difference",
			"take the second look after the load",
			"%s:%zu and %s:%zu: nothing in %s moved", p->first->file, p->first->line,
			p->last->file, p->last->line, p->last->kind);
	return !down && up;
}

/* The outermost looks of a kind; .last NULL when there is none or they cannot be compared. */
static struct pair
pair_of(struct evidence *e, const char *kind)
{
	struct pair p = {NULL, NULL};
	for (size_t i = 0; i < e->n_snapshots; i++) {
		const struct evidence_snapshot *s = &e->snapshots[i];
		if (s->reader != &evidence_postgres || strcmp(s->kind, kind) != 0)
			continue;
		if (p.last && !p.first)
			p.first = p.last;
		if (p.first && s->at_s < p.first->at_s)
			p.first = s;
		else if (!p.last || !(s->at_s < p.last->at_s))
			p.last = s;
	}
	if (p.first && !check_pair(e, &p))
		return (struct pair){NULL, NULL};
	return p;
}

static size_t
looks_at(const struct evidence *e, const char *kind)
{
	size_t n = 0;
	for (size_t i = 0; i < e->n_snapshots; i++)
		n += e->snapshots[i].reader == &evidence_postgres &&
		     strcmp(e->snapshots[i].kind, kind) == 0;
	return n;
}

/* As pair_of(); one look beside pairs of other views would be of another time. */
static struct pair
pair_for(struct server *v, const char *kind)
{
	struct pair p = pair_of(v->e, kind);
	if (!p.last || p.first || !v->pairs)
		return p;
	findings_add(&v->e->findings, SEVERITY_WARNING, "one-look", "take a second look",
		"%s:%zu: one look at %s, two at other views: it is left out", p.last->file,
		p.last->line, kind);
	return (struct pair){NULL, NULL};
}

/* The layout is of versions from `oldest` to `newest`. */
static void
narrow(struct server *v, const struct evidence_snapshot *s, int oldest, int newest)
{
	if (oldest > v->oldest) {
		v->oldest = oldest;
		v->oldest_by = s;
	}
	if (newest < v->newest) {
		v->newest = newest;
		v->newest_by = s;
	}
}

static void
note_pair(struct server *v, const struct pair *p)
{
	v->any = true;
	v->s.since_reset |= !p->first;
	if (!v->s.file)
		v->s.file = p->last->file;
	if (p->first && isnan(v->s.seconds) && p->last->at_s > p->first->at_s)
		v->s.seconds = p->last->at_s - p->first->at_s;
}

/* A time that stayed 0 over events was not taken: unknown. */
static double
timed(double ms, double events, bool *off)
{
	if (ms == 0 && events > 0) {
		*off = true;
		return NAN;
	}
	return ms * 1e3;
}

static void
take(double *to, double value)
{
	if (isnan(*to))
		*to = value;
}

static void
fill_wal(struct server *v)
{
	struct pair p = pair_for(v, POSTGRES_WAL);
	struct evidence_server *s = &v->s;
	if (!p.last)
		return;
	note_pair(v, &p);
	bool syncs = has_column(p.last, "wal_sync");
	narrow(v, p.last, syncs ? 14 : 18, syncs ? 17 : VERSION_NEWEST);
	s->log_records = moved(&p, "wal_records", NULL);
	s->full_page_images = moved(&p, "wal_fpi", NULL);
	s->log_bytes = moved(&p, "wal_bytes", NULL);
	s->log_writes = moved(&p, "wal_write", NULL);
	s->log_syncs = moved(&p, "wal_sync", NULL);
	s->log_write_us = timed(
		moved(&p, "wal_write_time", NULL), s->log_writes, &v->wal_timing_off);
	s->log_sync_us = timed(moved(&p, "wal_sync_time", NULL), s->log_syncs, &v->wal_timing_off);
}

/* Bytes of an operation: its own column from 18 on, blocks of op_bytes before. */
static double
io_bytes(const struct pair *p, const char *count, const char *bytes)
{
	double own = moved(p, bytes, "|relation|");
	double block = sum_of(p->last, "op_bytes", "|relation|"), rows = 0;
	for (size_t i = 0; i < p->last->n; i++)
		rows += strcmp(column_of(p->last->names[i]), "op_bytes") == 0 &&
			strstr(p->last->names[i], "|relation|") &&
			span_number(span_of(p->last->values[i])) > 0;
	return isnan(own) ? moved(p, count, "|relation|") * (rows > 0 ? block / rows : (double)NAN)
			  : own;
}

static void
fill_io(struct server *v)
{
	struct pair p = pair_for(v, POSTGRES_IO);
	struct evidence_server *s = &v->s;
	if (!p.last)
		return;
	note_pair(v, &p);
	bool blocks = has_column(p.last, "op_bytes");
	narrow(v, p.last, blocks ? 16 : 18, blocks ? 17 : VERSION_NEWEST);
	double reads = moved(&p, "reads", "|relation|"), writes = moved(&p, "writes", "|relation|");
	s->page_read_bytes = io_bytes(&p, "reads", "read_bytes");
	s->page_write_bytes = io_bytes(&p, "writes", "write_bytes");
	s->page_reads = s->page_read_bytes / BLOCK_B;
	s->page_writes = s->page_write_bytes / BLOCK_B;
	s->page_hits = moved(&p, "hits", "|relation|");
	s->page_read_us = timed(moved(&p, "read_time", "|relation|"), reads, &v->io_timing_off);
	s->page_write_us = timed(moved(&p, "write_time", "|relation|"), writes, &v->io_timing_off);
	s->data_syncs = moved(&p, "fsyncs", "|relation|");
	s->data_sync_us = timed(
		moved(&p, "fsync_time", "|relation|"), s->data_syncs, &v->io_timing_off);
	double log_writes = moved(&p, "writes", "|wal|"), syncs = moved(&p, "fsyncs", "|wal|");
	take(&s->log_writes, log_writes);
	take(&s->log_syncs, syncs);
	take(&s->log_write_us,
		timed(moved(&p, "write_time", "|wal|"), log_writes, &v->wal_timing_off));
	take(&s->log_sync_us, timed(moved(&p, "fsync_time", "|wal|"), syncs, &v->wal_timing_off));
}

static void
fill_checkpoints(struct server *v)
{
	struct pair old = pair_for(v, POSTGRES_BGWRITER);
	struct pair p = pair_for(v, POSTGRES_CHECKPOINTER);
	struct evidence_server *s = &v->s;
	if (old.last) {
		bool both = has_column(old.last, "checkpoints_timed");
		note_pair(v, &old);
		narrow(v, old.last, both ? 0 : 17, both ? 16 : VERSION_NEWEST);
		s->checkpoint_requested = moved(&old, "checkpoints_req", NULL);
		s->checkpoints = moved(&old, "checkpoints_timed", NULL) + s->checkpoint_requested;
		s->checkpoint_pages = moved(&old, "buffers_checkpoint", NULL);
		s->checkpoint_write_us = moved(&old, "checkpoint_write_time", NULL) * 1e3;
		s->checkpoint_sync_us = moved(&old, "checkpoint_sync_time", NULL) * 1e3;
		take(&s->page_writes, s->checkpoint_pages + moved(&old, "buffers_clean", NULL) +
					      moved(&old, "buffers_backend", NULL));
		take(&s->page_write_bytes, s->page_writes * BLOCK_B);
	}
	if (p.last) {
		note_pair(v, &p);
		bool done = has_column(p.last, "num_done");
		narrow(v, p.last, done ? 18 : 17, done ? VERSION_NEWEST : 17);
		s->checkpoint_requested = moved(&p, "num_requested", NULL);
		s->checkpoints = moved(&p, "num_timed", NULL) + s->checkpoint_requested;
		s->checkpoint_pages = moved(&p, "buffers_written", NULL);
		s->checkpoint_write_us = moved(&p, "write_time", NULL) * 1e3;
		s->checkpoint_sync_us = moved(&p, "sync_time", NULL) * 1e3;
	}
}

static void
fill_database(struct server *v)
{
	struct pair p = pair_for(v, POSTGRES_DATABASE);
	struct evidence_server *s = &v->s;
	if (!p.last)
		return;
	note_pair(v, &p);
	if (has_column(p.last, "parallel_workers_to_launch"))
		narrow(v, p.last, 18, VERSION_NEWEST);
	else if (has_column(p.last, "session_time"))
		narrow(v, p.last, 14, VERSION_NEWEST);
	s->commits = moved(&p, "xact_commit", NULL);
	s->rollbacks = moved(&p, "xact_rollback", NULL);
	double reads = moved(&p, "blks_read", NULL);
	double read_us = timed(moved(&p, "blk_read_time", NULL), reads, &v->io_timing_off);
	if (isnan(s->page_reads)) { /* of clients only; pg_stat_io has those of all */
		s->page_reads = reads;
		s->page_read_bytes = reads * BLOCK_B;
		s->page_read_us = read_us;
	}
	take(&s->page_hits, moved(&p, "blks_hit", NULL));
	take(&s->connections, sum_of(p.last, "numbackends", NULL));
	take(&s->temp_files, moved(&p, "temp_files", NULL));
}

static void
fill_position(struct server *v)
{
	struct pair p = pair_for(v, POSTGRES_POSITION);
	if (!p.first) /* one position says nothing */
		return;
	note_pair(v, &p);
	v->s.log_position_bytes = moved(&p, "position", NULL);
	take(&v->s.log_bytes, v->s.log_position_bytes);
}

static void
say_timing(const struct server *v)
{
	struct findings *f = &v->e->findings;
	if (v->wal_timing_off)
		findings_add(f, SEVERITY_WARNING, "timing-off",
			"set track_wal_io_timing = on and look again",
			"%s: the log was written and synced in a time of 0: track_wal_io_timing is "
			"off, "
			"so how long a flush takes is not known",
			v->s.file);
	if (v->io_timing_off)
		findings_add(f, SEVERITY_NOTE, "timing-off",
			"set track_io_timing = on and look again",
			"%s: pages were read or written in a time of 0: track_io_timing is off, so "
			"their "
			"latency is not known",
			v->s.file);
}

static void
say_server(const struct server *v)
{
	struct findings *f = &v->e->findings;
	const struct evidence_server *s = &v->s;
	say_timing(v);
	if (s->since_reset)
		findings_add(f, SEVERITY_WARNING, "one-look",
			"take a second look, each with now() in it, and give both",
			"%s: there is one look at some of the views: means since their reset are "
			"known, "
			"rates are not",
			s->file);
	else if (isnan(s->seconds))
		findings_add(f, SEVERITY_WARNING, "time-unknown",
			"add now() to the queries, as in select now(), * from pg_stat_wal",
			"%s: no look says when it was taken: ratios are known, rates are not",
			s->file);
	if (isnan(s->commits))
		findings_add(f, SEVERITY_NOTE, "commits-unknown",
			"look at pg_stat_database at the same times",
			"%s: how many transactions committed is not in these views", s->file);
	if (v->oldest > v->newest)
		findings_add(f, SEVERITY_WARNING, "server-versions",
			"give looks at one server only",
			"%s is of PostgreSQL %d or later, %s of %d or earlier: not the same server",
			v->oldest_by->file, v->oldest, v->newest_by->file, v->newest);
	if (s->log_syncs == 0 && s->commits > 0 && s->log_bytes > 0)
		findings_add(f, SEVERITY_NOTE, "syncs-not-counted",
			"measure the log volume with tierwise bench",
			"%s: %.0f commits and no sync of the log: fsync is off, or wal_sync_method "
			"is "
			"open_sync or open_datasync, which are not counted",
			s->file, s->commits);
}

static const char *
version_text(struct server *v)
{
	if (v->oldest > v->newest)
		return "layouts of different versions";
	if (v->newest == VERSION_NEWEST)
		return v->oldest ? arena_printf(v->e->arena, "%d or later", v->oldest) : NULL;
	if (v->oldest == v->newest)
		return arena_printf(v->e->arena, "%d", v->oldest);
	return v->oldest ? arena_printf(v->e->arena, "%d to %d", v->oldest, v->newest)
			 : arena_printf(v->e->arena, "%d or earlier", v->newest);
}

/* The row's value less what it was at the first look. */
static double
row_moved(const struct pair *p, size_t at)
{
	double last = span_number(span_of(p->last->values[at]));
	double first = p->first ? snapshot_number(p->first, p->last->names[at]) : (double)NAN;
	return isnan(first) ? last : last - first; /* a statement new since */
}

struct statement {
	const char *text;
	double calls, ms, reads;
};

static int
put_statement(struct server *v, const struct statement *one, struct err *err)
{
	if (!one->text || !(one->calls > 0) || v->s.n_statements >= STATEMENTS_MOST)
		return 0;
	struct evidence_statement *all = arena_grow(
		v->e->arena, v->s.statements, v->s.n_statements, sizeof(*all));
	if (!all)
		return err_nomem(err);
	v->s.statements = all;
	all[v->s.n_statements++] = (struct evidence_statement){.text = one->text,
		.mean_us = one->ms * 1e3 / one->calls,
		.failures = NAN,
		.calls = one->calls,
		.page_reads = one->reads};
	return 0;
}

/* Values come row after row: a change of key ends one. */
static int
list_statements(struct server *v, const struct pair *p, struct err *err)
{
	struct statement one = {NULL, NAN, NAN, NAN};
	const char *key = NULL;
	size_t n_key = 0, last = p->last->n;
	int rc = 0;
	if (p->first && p->last->n > (size_t)STATEMENTS_MOST * 50)
		last = (size_t)STATEMENTS_MOST * 50;
	for (size_t i = 0; rc == 0 && i < last; i++) {
		const char *name = p->last->names[i], *column = column_of(name);
		size_t n = (size_t)(column - name);
		if (!key || n != n_key || memcmp(key, name, n) != 0) {
			rc = put_statement(v, &one, err);
			one = (struct statement){NULL, NAN, NAN, NAN};
			key = name;
			n_key = n;
		}
		if (strcasecmp(column, "query") == 0)
			one.text = p->last->values[i];
		else if (strcasecmp(column, "calls") == 0)
			one.calls = row_moved(p, i);
		else if (strcasecmp(column, "total_exec_time") == 0 ||
			 strcasecmp(column, "total_time") == 0)
			one.ms = row_moved(p, i);
		else if (strcasecmp(column, "shared_blks_read") == 0)
			one.reads = row_moved(p, i);
	}
	return rc ? rc : put_statement(v, &one, err);
}

static bool
is_commit(const char *text)
{
	return strcasecmp(text, "END") == 0 || strcasecmp(text, "COMMIT") == 0 ||
	       strcasecmp(text, "END;") == 0 || strcasecmp(text, "COMMIT;") == 0;
}

/* Statements count since a reset of their own: they are a record of their own. */
static int
statements_server(struct evidence *e, struct err *err)
{
	struct server v = {.e = e, .newest = VERSION_NEWEST};
	struct pair p = pair_of(e, POSTGRES_STATEMENTS);
	if (!p.last)
		return 0;
	struct evidence_server *s = evidence_add_server(e);
	if (!s)
		return err_nomem(err);
	v.s = *s;
	v.s.source = "postgresql statements";
	note_pair(&v, &p);
	bool old = has_column(p.last, "blk_read_time");
	bool new = has_column(p.last, "shared_blk_read_time");
	narrow(&v, p.last, new ? 17 : 13, old ? 16 : VERSION_NEWEST);
	v.s.version = version_text(&v);
	v.s.log_bytes = moved(&p, "wal_bytes", NULL);
	v.s.log_records = moved(&p, "wal_records", NULL);
	v.s.full_page_images = moved(&p, "wal_fpi", NULL);
	v.s.page_reads = moved(&p, "shared_blks_read", NULL);
	v.s.page_hits = moved(&p, "shared_blks_hit", NULL);
	v.s.page_read_bytes = v.s.page_reads * BLOCK_B;
	v.s.page_read_us = timed(moved(&p, old ? "blk_read_time" : "shared_blk_read_time", NULL),
		v.s.page_reads, &v.io_timing_off);
	int rc = list_statements(&v, &p, err);
	for (size_t i = 0; i < v.s.n_statements; i++)
		if (is_commit(v.s.statements[i].text))
			v.s.commits = add(v.s.commits, v.s.statements[i].calls);
	say_timing(&v);
	if (!p.first)
		findings_add(&e->findings, SEVERITY_NOTE, "one-look",
			"read statements as per call; take a second look for rates",
			"%s: one look at pg_stat_statements: counted since its reset, which it "
			"does not "
			"say",
			v.s.file);
	*s = v.s;
	return rc;
}

int
postgres_finish(struct evidence *e, struct err *err)
{
	struct server v = {.e = e, .newest = VERSION_NEWEST};
	struct evidence_server *s = evidence_add_server(e);
	if (!s)
		return err_nomem(err);
	v.s = *s;
	v.s.source = "postgresql";
	static const char *const kinds[] = {POSTGRES_WAL, POSTGRES_IO, POSTGRES_BGWRITER,
		POSTGRES_CHECKPOINTER, POSTGRES_DATABASE, POSTGRES_POSITION};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		v.pairs |= looks_at(e, kinds[i]) > 1;
	fill_wal(&v);
	fill_io(&v);
	fill_checkpoints(&v);
	fill_database(&v);
	fill_position(&v);
	if (v.any) {
		v.s.version = version_text(&v);
		say_server(&v);
		*s = v.s;
	} else {
		e->n_servers--;
	}
	return statements_server(e, err);
}
