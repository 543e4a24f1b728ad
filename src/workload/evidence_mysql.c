/*
 * evidence_mysql.c - SHOW GLOBAL STATUS of MySQL and MariaDB: with tabs (mysql -B), in a box, as \G records, or
 * as mysqladmin extended-status repeats it, absolute or relative (-r).
 *
 * Two looks give a difference over the seconds that Uptime moved; rows that this server does not have stay
 * unknown.  Without redo and binlog times there is no latency here.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_figure.h"
#include "workload/evidence_reader.h"
#include "workload/snapshot.h"
#include "workload/span.h"

enum { ROWS_LEAST = 3, NAME_MAX_B = 80 };

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct evidence_snapshot *s; /* being read; NULL before the first */
	struct span name; /* of a \G record whose value comes next; n == 0: none */
	size_t cut, twice, bad, bad_line;
	struct evidence_figures figures; /* counters that are none */
};

static bool
is_name(struct span s)
{
	if (s.n < 2 || s.n > NAME_MAX_B)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!((s.text[i] >= 'a' && s.text[i] <= 'z') ||
			    (s.text[i] >= 'A' && s.text[i] <= 'Z') ||
			    (s.text[i] >= '0' && s.text[i] <= '9') || s.text[i] == '_'))
			return false;
	return s.text[0] >= 'A';
}

/* A row of any layout but \G; false when the line is none. */
static bool
split_row(struct span line, struct span *name, struct span *value)
{
	line = span_trim(line);
	char stop = '\t';
	if (line.n > 1 && *line.text == '|') {
		stop = '|';
		line.text++;
		line.n--;
	}
	if (!span_cut(&line, stop, name) || !line.text)
		return false;
	if (stop == '|' && !span_cut(&line, '|', value))
		return false;
	if (stop == '|' && !line.text) /* its right side is missing */
		return false;
	if (stop == '\t')
		*value = line;
	*name = span_trim(*name);
	*value = span_trim(*value);
	return is_name(*name);
}

static bool
is_head(struct span name)
{
	return span_is(name, "Variable_name");
}

static int
start(struct reading *r, struct err *err)
{
	if (r->s && r->s->n == 0)
		return 0;
	r->s = evidence_add_snapshot(r->e);
	if (!r->s)
		return err_nomem(err);
	r->s->reader = &evidence_mysql;
	r->s->kind = "global status";
	r->s->file = r->in->name;
	r->s->line = r->lines.number;
	return 0;
}

/* Counters that fall only when the server restarts or FLUSH STATUS clears them. */
static const char *const counters[] = {"Com_commit", "Com_rollback", "Binlog_commits",
	"Innodb_data_fsyncs", "Innodb_data_reads", "Innodb_data_writes", "Innodb_os_log_written",
	"Innodb_pages_read", "Innodb_pages_written", "Innodb_buffer_pool_reads", "Questions"};

/* A counter that is no count is not known; other rows may hold anything. */
static bool
is_no_count(struct reading *r, struct span name, struct span value)
{
	bool counter = false;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		counter = counter || span_is(name, counters[i]);
	return counter && isnan(evidence_figure(&r->figures, r->lines.number,
				  (struct evidence_word){name.text, name.n},
				  (struct evidence_word){value.text, value.n}));
}

static int
put(struct reading *r, struct span name, struct span value, struct err *err)
{
	const char *copy = span_copy(r->e->arena, name);
	if (!copy)
		return err_nomem(err);
	/* rows are sorted: a name that is there again starts the next look, unless it is the last one's */
	if (r->s && r->s->n && strcmp(r->s->names[r->s->n - 1], copy) == 0) {
		r->twice++;
		return 0;
	}
	if (!r->s || strcmp(r->s->n ? r->s->names[0] : "", copy) == 0) {
		int rc = start(r, err);
		if (rc)
			return rc;
	}
	if (is_no_count(r, name, value))
		value = (struct span){"", 0}; /* its row still marks where a look begins */
	return snapshot_put(r->e, r->s, copy, value, err);
}

static int
read_vertical(struct reading *r, struct span line, bool *taken, struct err *err)
{
	struct span rest = line;
	*taken = true;
	if (span_eat(&rest, "Variable_name:")) {
		r->name = span_trim(rest);
		return 0;
	}
	if (r->name.n && span_eat(&rest, "Value:")) {
		struct span name = r->name;
		r->name.n = 0;
		return is_name(name) ? put(r, name, span_trim(rest), err) : 0;
	}
	*taken = false;
	return 0;
}

static int
read_line(struct reading *r, struct span line, struct err *err)
{
	struct span name, value;
	bool taken;
	if (line.n && !r->lines.whole && *line.text != '+') {
		r->cut++; /* digits may be missing */
		return 0;
	}
	int rc = read_vertical(r, line, &taken, err);
	if (rc || taken)
		return rc;
	if (!split_row(line, &name, &value)) {
		/* "Aborted_clients\t" has lost its tab to the end of the line: an empty value */
		if (is_name(line) || line.n == 0 || *line.text == '+' || *line.text == '*')
			return 0;
		r->bad_line = r->bad++ ? r->bad_line : r->lines.number;
		return 0;
	}
	return is_head(name) ? start(r, err) : put(r, name, value, err);
}

static int
check_snapshot(const struct reading *r, const struct evidence_snapshot *s, struct err *err)
{
	const char *uptime = snapshot_text(s, "Uptime");
	if (uptime && !(span_number(span_of(uptime)) >= 0))
		return err_set(err, ERR_PARSE,
			"%s:%zu: Uptime: \"%.40s\", accepted: seconds from 0 on", r->in->name,
			s->line, uptime);
	return 0;
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in};
	struct span line;
	size_t first = out->n_snapshots, rows = 0;
	int rc = 0;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &line))
		rc = read_line(&r, line, err);
	for (size_t i = first; rc == 0 && i < out->n_snapshots; i++) {
		rows += out->snapshots[i].n;
		rc = check_snapshot(&r, &out->snapshots[i], err);
	}
	if (rc)
		return rc;
	if (rows == 0)
		return err_set(err, ERR_PARSE,
			"%s:%zu: no whole row of SHOW GLOBAL STATUS in it; take the look again, as "
			"in "
			"mysql -B -e 'SHOW GLOBAL STATUS'",
			in->name, r.lines.number);
	struct findings *f = &out->findings;
	evidence_figures_say(&r.figures, in->name, f);
	if (r.cut)
		findings_add(f, SEVERITY_WARNING, "rows-cut", "take the look again",
			"%s:%zu: the last row has no end and is left out", in->name,
			r.lines.number);
	if (r.twice)
		findings_add(f, SEVERITY_WARNING, "rows-twice", "give each look once",
			"%s: %zu rows are there twice in a row: the first is taken", in->name,
			r.twice);
	if (r.bad)
		findings_add(f, SEVERITY_NOTE, "rows-left-out", NULL,
			"%s:%zu: %zu lines are no rows of a status", in->name, r.bad_line, r.bad);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct span_lines lines;
	struct span line, name, value;
	size_t status = 0;
	static const char *const known[] = {"Aborted_clients", "Aborted_connects", "Bytes_received",
		"Uptime", "Questions", "Threads_connected", "Com_commit", "Com_select",
		"Innodb_data_fsyncs", "Innodb_data_reads", "Innodb_page_size", "Innodb_pages_read",
		"Innodb_buffer_pool_reads", "Innodb_os_log_written", "Handler_commit"};
	span_lines_init(&lines, in->text, in->n < 1 << 17 ? in->n : 1 << 17);
	while (span_next_line(&lines, &line)) {
		struct span rest = line;
		if (span_eat(&rest, "Variable_name:"))
			name = span_trim(rest);
		else if (!split_row(line, &name, &value))
			continue;
		if (is_head(name))
			return true;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			status += span_is(name, known[i]);
		if (status >= ROWS_LEAST)
			return true;
	}
	return false;
}

/* ---- differences ---- */

struct looks {
	struct evidence *e;
	const struct evidence_snapshot **all;
	size_t n;
	bool relative; /* each but the first is a difference to the one before */
	const struct evidence_snapshot *first, *last;
};

static double
moved(const struct looks *l, const char *name)
{
	if (!l->relative)
		return snapshot_number(l->last, name) - snapshot_number(l->first, name);
	double sum = snapshot_text(l->first, name) ? 0 : (double)NAN;
	for (size_t i = 1; i < l->n; i++) /* -v prints no row that is 0 */
		sum += snapshot_text(l->all[i], name) ? snapshot_number(l->all[i], name) : 0;
	return sum;
}

/* What is no counter, at the last look. */
static double
level(const struct looks *l, const char *name)
{
	return l->relative ? snapshot_number(l->first, name) + moved(l, name)
			   : snapshot_number(l->last, name);
}

/* mysqladmin -r: what never changes differs by 0, or is not printed. */
static bool
is_relative(const struct evidence_snapshot *first, const struct evidence_snapshot *s)
{
	static const char *const constants[] = {
		"Innodb_page_size", "Innodb_buffer_pool_pages_total", "Innodb_available_undo_logs"};
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		double now = snapshot_number(s, constants[i]);
		bool younger = snapshot_number(s, "Uptime") < snapshot_number(first, "Uptime");
		if (snapshot_number(first, constants[i]) > 0)
			return now == 0 || (isnan(now) && younger);
	}
	return false;
}

/* A look that ends before Uptime is of a part of the rows: two whole ones tell more. */
static void
drop_partial(struct looks *l)
{
	size_t whole = 0, kept = 0;
	for (size_t i = 0; i < l->n; i++)
		whole += snapshot_text(l->all[i], "Uptime") != NULL;
	if (whole < 2 || whole == l->n)
		return;
	for (size_t i = 0; i < l->n; i++) {
		if (snapshot_text(l->all[i], "Uptime"))
			l->all[kept++] = l->all[i];
		else
			findings_add(&l->e->findings, SEVERITY_NOTE, "look-partial", NULL,
				"%s:%zu: a look without Uptime is left out: two others are whole",
				l->all[i]->file, l->all[i]->line);
	}
	l->n = kept;
}

static int
gather(struct looks *l, struct err *err)
{
	for (size_t i = 0; i < l->e->n_snapshots; i++) {
		const struct evidence_snapshot *s = &l->e->snapshots[i];
		if (s->reader != &evidence_mysql || s->n == 0)
			continue;
		const struct evidence_snapshot **all = arena_grow(
			l->e->arena, l->all, l->n, sizeof(struct evidence_snapshot *));
		if (!all)
			return err_nomem(err);
		l->all = all;
		all[l->n++] = s;
	}
	drop_partial(l);
	return 0;
}

static void
refuse(struct looks *l, const char *why)
{
	findings_add(&l->e->findings, SEVERITY_ERROR, "counters-reset",
		"take two looks at one server without a restart or FLUSH STATUS between them",
		"%s:%zu and %s:%zu: the looks are not compared: %s", l->first->file, l->first->line,
		l->last->file, l->last->line, why ? why : "counters fell");
}

static void
swap_looks(struct looks *l)
{
	const struct evidence_snapshot *first = l->first;
	l->first = l->last;
	l->last = first;
	findings_add(&l->e->findings, SEVERITY_NOTE, "looks-swapped", NULL,
		"%s was taken before %s: nothing in it is larger", l->first->file, l->last->file);
}

/* Order of the two looks; false when they cannot be compared. */
static bool
check_order(struct looks *l)
{
	double up = 0, down = 0;
	const char *fell = NULL;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		double by = moved(l, counters[i]);
		up += by > 0;
		down += by < 0;
		fell = by < 0 ? counters[i] : fell;
	}
	double uptime = moved(l, "Uptime");
	if (uptime < 0 && up == 0 && strcmp(l->first->file, l->last->file) != 0) {
		swap_looks(l);
		return true;
	}
	if (uptime < 0) {
		refuse(l, arena_printf(l->e->arena,
				  "Uptime fell from %.0f to %.0f s: the server restarted",
				  snapshot_number(l->first, "Uptime"),
				  snapshot_number(l->last, "Uptime")));
		return false;
	}
	if (up == 0 && down == 0 && !(uptime > 0)) {
		findings_add(&l->e->findings, SEVERITY_WARNING, "no-difference",
			"take the second look after some minutes of load",
			"%s:%zu and %s:%zu: nothing in them moved", l->first->file, l->first->line,
			l->last->file, l->last->line);
		return false;
	}
	if (down > 0) {
		refuse(l, arena_printf(
				  l->e->arena, "%s fell: FLUSH STATUS, or another server", fell));
		return false;
	}
	return true;
}

/* In relative looks the first is the absolute one. */
static bool
choose(struct looks *l)
{
	l->first = l->all[0];
	l->last = l->all[l->n - 1];
	l->relative = l->n > 1 && is_relative(l->first, l->last);
	if (l->relative)
		return true;
	for (size_t i = 1; i + 1 < l->n; i++) {
		/* a restart between others: the outermost two would hide it */
		struct looks step = {.e = l->e, .first = l->all[i - 1], .last = l->all[i]};
		if (moved(&step, "Uptime") < 0 &&
			snapshot_number(l->last, "Uptime") > snapshot_number(l->all[i], "Uptime")) {
			*l = (struct looks){.e = l->e,
				.all = l->all,
				.n = l->n,
				.first = step.first,
				.last = step.last};
			break;
		}
	}
	return check_order(l);
}

static double
sum_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Explicit COMMITs; without any, what the binlog took; else changing statements, each its own. */
static double
commits_of(const struct looks *l)
{
	double commits = moved(l, "Com_commit"), binlog = moved(l, "Binlog_commits");
	if (commits > 0)
		return commits;
	if (binlog > 0)
		return binlog;
	double changes = sum_known(sum_known(moved(l, "Com_insert"), moved(l, "Com_update")),
		sum_known(moved(l, "Com_delete"), moved(l, "Com_replace")));
	if (changes > 0)
		findings_add(&l->e->findings, SEVERITY_NOTE, "commits-guessed", NULL,
			"%s: no COMMIT was sent: each of %.0f changing statements is taken as a "
			"transaction",
			l->last->file, changes);
	return isnan(changes) ? commits : changes;
}

static void
fill(const struct looks *l, struct evidence_server *s)
{
	double page_b = snapshot_number(l->first, "Innodb_page_size");
	s->source = "mysql";
	s->file = l->last->file;
	s->version = !isnan(moved(l, "Binlog_group_commits")) ? "MariaDB" : NULL;
	s->seconds = moved(l, "Uptime");
	s->commits = commits_of(l);
	s->rollbacks = moved(l, "Com_rollback");
	s->commit_groups = moved(l, "Binlog_group_commits");
	s->log_bytes = moved(l, "Innodb_os_log_written");
	s->log_position_bytes = moved(l, "Innodb_lsn_current");
	s->log_writes = moved(l, "Innodb_log_writes");
	s->log_syncs = moved(l, "Innodb_os_log_fsyncs");
	s->page_reads = moved(l, "Innodb_pages_read");
	if (isnan(s->page_reads))
		s->page_reads = moved(l, "Innodb_buffer_pool_reads");
	s->page_read_bytes = moved(l, "Innodb_data_read");
	s->page_writes = moved(l, "Innodb_pages_written");
	s->page_write_bytes = s->page_writes * page_b;
	s->page_hits = moved(l, "Innodb_buffer_pool_read_requests") -
		       moved(l, "Innodb_buffer_pool_reads");
	s->data_syncs = moved(l, "Innodb_data_fsyncs");
	s->connections = level(l, "Max_used_connections");
	s->connections_max = level(l, "max_connections");
	s->temp_files = moved(l, "Created_tmp_disk_tables");
}

static void
say(const struct looks *l, const struct evidence_server *s)
{
	struct findings *f = &l->e->findings;
	if (!(s->seconds > 0))
		findings_add(f, SEVERITY_WARNING, "time-unknown",
			"take whole looks: Uptime is among their rows",
			"%s: Uptime is missing or did not move between the looks: rates are not "
			"known",
			s->file);
	if (isnan(s->log_syncs) && s->data_syncs > 0)
		findings_add(f, SEVERITY_NOTE, "row-missing", NULL,
			"%s: this server has no row Innodb_os_log_fsyncs: its %.0f "
			"Innodb_data_fsyncs "
			"are of redo and data together",
			s->file, s->data_syncs);
	if (s->commit_groups > 0)
		findings_add(f, SEVERITY_NOTE, "binlog-flushes", NULL,
			"%s: %.0f commits in %.0f groups of the binlog: with sync_binlog=1 a group "
			"costs about two flushes, binlog and redo",
			s->file, s->commits, s->commit_groups);
}

static int
finish(struct evidence *e, struct err *err)
{
	struct looks l = {.e = e};
	int rc = gather(&l, err);
	if (rc || l.n == 0)
		return rc;
	if (l.n == 1) {
		findings_add(&e->findings, SEVERITY_WARNING, "one-look",
			"take a second look after some minutes of load and give both",
			"%s: one look at the status counts since the start of the server: no rates",
			l.all[0]->file);
		return 0;
	}
	if (!choose(&l))
		return 0;
	struct evidence_server *s = evidence_add_server(e);
	if (!s)
		return err_nomem(err);
	fill(&l, s);
	say(&l, s);
	return 0;
}

const struct evidence_reader evidence_mysql = {"mysql", probe, read_text, finish};
