/*
 * evidence_pgbench.c - what pgbench prints: the summary of PostgreSQL 9.x to 18, with its table of
 * statements and its blocks of scripts, and the lines of -P, from files of either or of both.
 *
 * Under --rate pgbench's latency runs from the scheduled start: the schedule lag is taken off here, and what
 * users saw is kept beside.  The rate that was asked for is not printed.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "workload/evidence_reader.h"
#include "workload/pgbench.h"
#include "workload/span.h"

enum { NONE = -1 };

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct span line; /* as it stands in the text, without blanks at its end */
	long run, script; /* index in e->runs; NONE before the first */
	int table; /* counts before the text of a statement; NONE outside the table */
	bool tps_seen; /* the summary of `run` is whole */
	size_t cut, cut_line, twice; /* lines that are not whole, and the first of them */
};

/* A line of the summary that is a label and a number. */
static const struct summary_row {
	const char *label;
	size_t at; /* in struct evidence_run */
	double scale;
	const char *unit; /* that must follow; NULL: none */
} summary_rows[] = {
	{"scaling factor", offsetof(struct evidence_run, scale), 1, NULL},
	{"number of clients", offsetof(struct evidence_run, clients), 1, NULL},
	{"number of threads", offsetof(struct evidence_run, threads), 1, NULL},
	{"duration", offsetof(struct evidence_run, seconds), 1, "s"},
	{"number of transactions actually processed", offsetof(struct evidence_run, n), 1, NULL},
	{"number of failed transactions", offsetof(struct evidence_run, failed), 1, NULL},
	{"number of transactions skipped", offsetof(struct evidence_run, skipped), 1, NULL},
	{"latency average", offsetof(struct evidence_run, mean_us), 1e3, "ms"},
	{"latency stddev", offsetof(struct evidence_run, sd_us), 1e3, "ms"},
};

static struct evidence_run *
run_of(const struct reading *r)
{
	return &r->e->runs[r->script != NONE ? r->script : r->run];
}

static int
bad(const struct reading *r, struct span at, struct err *err, const char *what)
{
	return err_set(err, ERR_PARSE, "%s:%zu:%zu: %s: \"%.*s\"", r->in->name, r->lines.number,
		(size_t)(at.text - r->line.text) + 1, what, SPAN_SAID(span_trim(at)));
}

static int
add_run(struct reading *r, const char *label, struct err *err)
{
	struct evidence_run *run = evidence_add_run(r->e);
	if (!run)
		return err_nomem(err);
	run->source = "pgbench";
	run->file = r->in->name;
	run->label = label;
	r->script = label ? (long)r->e->n_runs - 1 : NONE;
	if (!label) {
		r->run = (long)r->e->n_runs - 1;
		r->tps_seen = false;
	}
	return 0;
}

/* There must be a run for what comes now; a new one when the last is complete. */
static int
need_run(struct reading *r, bool fresh, struct err *err)
{
	return r->run == NONE || (fresh && r->tps_seen) ? add_run(r, NULL, err) : 0;
}

static int
read_summary_row(
	struct reading *r, const struct summary_row *row, struct span rest, struct err *err)
{
	double value;
	struct span at = rest;
	if (!span_eat_number(&rest, &value) || !(value >= 0))
		return bad(r, at, err, "a number from 0 on must stand here");
	struct span unit = span_word(&rest);
	if (row->unit && !span_is(unit, row->unit)) {
		unit.n = unit.n > 20 ? 20 : unit.n;
		return err_set(err, ERR_PARSE, "%s:%zu: %s in \"%.*s\", accepted: %s", r->in->name,
			r->lines.number, row->label, SPAN_SAID(unit), row->unit);
	}
	double *to = (double *)(void *)((char *)run_of(r) + row->at);
	if (isnan(*to))
		*to = value * row->scale;
	else
		r->twice++;
	return 0;
}

/* "avg 9.721 (max 20.000) ms" */
static int
read_lag(struct reading *r, struct span rest, struct err *err)
{
	double mean, most;
	struct span at = rest;
	if (!span_eat(&rest, "avg") || !span_eat_number(&rest, &mean) || !span_eat(&rest, "(max") ||
		!span_eat_number(&rest, &most) || !span_eat(&rest, ") ms"))
		return bad(r, at, err, "\"avg A (max B) ms\" must stand here");
	run_of(r)->lag_mean_us = mean * 1e3;
	run_of(r)->lag_max_us = most * 1e3;
	run_of(r)->rated = true;
	return 0;
}

/* "20.0 ms latency limit: 6732/19969 (33.712%)", 9.x "20.0 ms latency limit: 6732 (33.7 %)" */
static int
read_limit(struct reading *r, struct span rest, struct err *err)
{
	double limit, late;
	struct span at = rest;
	if (!span_eat_number(&rest, &limit) || !span_eat(&rest, "ms latency limit:") ||
		!span_eat_number(&rest, &late))
		return bad(r, at, err, "\"A ms latency limit: N\" must stand here");
	run_of(r)->limit_us = limit * 1e3;
	run_of(r)->late = late;
	return 0;
}

static int
read_tps(struct reading *r, struct span rest, struct err *err)
{
	double tps;
	struct span at = rest;
	struct evidence_run *run = run_of(r);
	if (!span_eat_number(&rest, &tps) || !(tps >= 0))
		return bad(
			r, at, err, "transactions per second: a number from 0 on must stand here");
	if (span_has(rest, "including connections"))
		run->tps_whole = tps;
	else
		run->tps = tps;
	r->tps_seen = true;
	return 0;
}

/* " - 20761 transactions (50.0% of total, tps = 1038.2)" of a script. */
static void
read_script_share(struct reading *r, struct span rest)
{
	double n, tps;
	if (!span_eat_number(&rest, &n) || !span_eat(&rest, "transactions ("))
		return;
	run_of(r)->n = n;
	if (span_find(&rest, "tps =") && span_eat_number(&rest, &tps))
		run_of(r)->tps = tps;
}

static int
read_statement(struct reading *r, bool *taken, struct err *err)
{
	double ms, count[2] = {NAN, NAN};
	struct span rest = r->line;
	*taken = false;
	if (!span_eat_number(&rest, &ms) || !(ms >= 0))
		return 0;
	for (int i = 0; i < r->table; i++)
		if (!span_eat_number(&rest, &count[i]))
			return 0;
	rest = span_trim(rest);
	struct evidence_run *run = run_of(r);
	struct evidence_statement *all = arena_grow(
		r->e->arena, run->statements, run->n_statements, sizeof(*all));
	const char *text = all ? span_copy(r->e->arena, rest) : NULL;
	if (!text)
		return err_nomem(err);
	run->statements = all;
	all[run->n_statements++] = (struct evidence_statement){.text = text,
		.mean_us = ms * 1e3,
		.failures = count[0],
		.calls = NAN,
		.page_reads = NAN};
	*taken = true;
	return 0;
}

/* ", 0 failed, lag 7.467 ms, 54 skipped, 3 retried, 4 retries" */
static void
read_progress_rest(struct span rest, struct evidence_progress *p)
{
	struct span part;
	double value;
	while (span_cut(&rest, ',', &part)) {
		if (span_eat(&part, "lag") && span_eat_number(&part, &value))
			p->lag_us = value * 1e3;
		else if (span_eat_number(&part, &value) && span_eat(&part, "failed"))
			p->failed = value;
		else if (span_eat(&part, "skipped"))
			p->skipped = value;
	}
}

/* "1.0 s, 2847.4 tps, lat 2.746 ms stddev 1.146, ..." */
static bool
parse_progress(struct span rest, struct evidence_progress *p)
{
	*p = (struct evidence_progress){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (!span_eat_number(&rest, &p->at_s) || !span_eat(&rest, "s,") ||
		!span_eat_number(&rest, &p->tps) || !span_eat(&rest, "tps,") ||
		!span_eat(&rest, "lat") || !span_eat_number(&rest, &p->mean_us) ||
		!span_eat(&rest, "ms stddev") || !span_eat_number(&rest, &p->sd_us))
		return false;
	if (p->tps < 0 || p->mean_us < 0 || p->sd_us < 0)
		return false;
	p->mean_us *= 1e3;
	p->sd_us *= 1e3;
	read_progress_rest(rest, p);
	if (p->lag_us >= 0) {
		p->mean_us -= p->lag_us;
		p->sd_us = NAN; /* of service and lag together */
	}
	return p->at_s >= 0 && !(p->lag_us < 0) && !(p->failed < 0);
}

/* The line is cut, or holds a figure that no run has. */
static int
leave_out(struct reading *r)
{
	if (r->cut++ == 0)
		r->cut_line = r->lines.number;
	return 0;
}

static int
read_progress(struct reading *r, struct span rest, struct err *err)
{
	struct evidence_progress p;
	/* a number that the cut shortened still is one: without its end the line is not taken */
	if (!r->lines.whole || !parse_progress(rest, &p))
		return leave_out(r);
	int rc = need_run(r, true, err);
	if (rc)
		return rc;
	struct evidence_run *run = &r->e->runs[r->run];
	size_t before = run->n_progress;
	rc = evidence_add_progress(r->e, run, &p, &r->twice, err);
	run->rated |= run->n_progress > before && p.lag_us >= 0;
	return rc;
}

static int
read_label(struct reading *r, struct span line, bool *taken, struct err *err)
{
	*taken = false;
	for (size_t i = 0; i < sizeof(summary_rows) / sizeof(summary_rows[0]); i++) {
		struct span rest = line;
		if (!span_eat(&rest, summary_rows[i].label) ||
			!(span_eat(&rest, ":") || span_eat(&rest, "=")))
			continue;
		*taken = true;
		return read_summary_row(r, &summary_rows[i], rest, err);
	}
	return 0;
}

/* A line that only stands in a summary; *taken is left as it was when it is none. */
static int
read_special(struct reading *r, struct span line, bool *taken, struct err *err)
{
	static const struct {
		const char *label;
		int (*read)(struct reading *, struct span, struct err *);
	} specials[] = {
		{"tps =", read_tps},
		{"rate limit schedule lag:", read_lag},
		{"number of transactions above the", read_limit},
	};
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (span_eat(&line, specials[i].label)) {
			*taken = true;
			return specials[i].read(r, line, err);
		}
	return 0;
}

static int
read_script(struct reading *r, struct span name, struct err *err)
{
	struct span rest = name;
	double number;
	if (span_eat_number(&rest, &number) && span_eat(&rest, ":"))
		name = rest;
	const char *label = span_copy(r->e->arena, span_trim(name));
	return label ? add_run(r, label, err) : err_nomem(err);
}

static int
table_columns(struct span head)
{
	return span_has(head, "failures and retries") ? 2 : span_has(head, "failures") ? 1 : 0;
}

static int
read_summary_line(struct reading *r, struct err *err)
{
	struct span line = r->line;
	bool taken = false;
	int rc = 0;
	if (r->table != NONE) {
		rc = read_statement(r, &taken, err);
		if (rc || taken)
			return rc;
		r->table = NONE;
	}
	struct span head = line; /* " - statement latencies ..." of a script */
	span_eat(&head, "-");
	if (span_eat(&head, "statement latencies in milliseconds")) {
		r->table = table_columns(line);
		return 0;
	}
	if (span_eat(&line, "SQL script"))
		return read_script(r, line, err);
	if (r->script != NONE && span_eat(&line, "-"))
		read_script_share(r, line);
	else if (r->script != NONE)
		return 0;
	rc = read_label(r, line, &taken, err);
	return rc || taken ? rc : read_special(r, line, &taken, err);
}

static int
read_line(struct reading *r, struct err *err)
{
	struct span rest = r->line;
	if (span_eat(&rest, "progress:"))
		return read_progress(r, rest, err);
	if (span_eat(&rest, "transaction type:") || span_starts(rest, "pgbench (")) {
		r->table = NONE;
		return need_run(r, true, err);
	}
	if (r->run == NONE)
		return 0;
	/* a figure that lost digits still is one; the line of tps ends in its own bracket */
	if (!r->lines.whole && !(r->line.n && r->line.text[r->line.n - 1] == ')')) {
		return r->line.n ? leave_out(r) : 0;
	}
	return read_summary_line(r, err);
}

/* What the file held that is not used, and what is missing in it. */
static void
say(struct reading *r, size_t first)
{
	struct findings *f = &r->e->findings;
	if (r->cut)
		findings_add(f, SEVERITY_WARNING, "rows-cut", "give the whole output",
			"%s:%zu: %zu lines are not whole, or hold a figure that no run has, and "
			"are left out, this one first",
			r->in->name, r->cut_line, r->cut);
	if (r->twice)
		findings_add(f, SEVERITY_WARNING, "rows-twice",
			"give each output once, each run in its own file",
			"%s: %zu lines say again what was said, or go back in time, and are left "
			"out",
			r->in->name, r->twice);
	for (size_t i = first; i < r->e->n_runs; i++) {
		const struct evidence_run *run = &r->e->runs[i];
		if (!run->label && isnan(run->tps) && (run->clients > 0 || run->n > 0))
			findings_add(f, SEVERITY_WARNING, "document-cut", "give the whole output",
				"%s: the summary ends before its line of tps", r->in->name);
	}
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in, .run = NONE, .script = NONE, .table = NONE};
	size_t first = out->n_runs;
	int rc = 0;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &r.line))
		rc = read_line(&r, err);
	if (rc)
		return rc;
	bool any = false;
	for (size_t i = first; i < out->n_runs; i++) {
		struct evidence_run *run = &out->runs[i];
		any |= run->n_progress || run->tps >= 0 || run->tps_whole >= 0 || run->mean_us >= 0;
		run->timed = run->sd_us >= 0; /* else computed: clients x time / count */
		run->seen_mean_us = run->mean_us;
		if (run->lag_mean_us >= 0) {
			run->mean_us -= run->lag_mean_us;
			run->sd_us = NAN;
		}
	}
	if (!any && r.run != NONE && out->runs[r.run].n == 0)
		return err_set(err, ERR_PARSE,
			"%s:%zu: pgbench completed no transaction: there is nothing to read",
			in->name, r.lines.number);
	if (!any && r.run == NONE) { /* stderr of a run without -P */
		findings_add(&out->findings, SEVERITY_NOTE, "no-result",
			"give stdout of pgbench, too",
			"%s: what pgbench says before its first result", in->name);
		say(&r, first);
		return 0;
	}
	if (!any)
		return err_set(err, ERR_PARSE,
			"%s:%zu: pgbench's output ends before any result: neither tps nor latency; "
			"give the whole output (stdout for the summary, stderr for -P)",
			in->name, r.lines.number);
	say(&r, first);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct span text = {in->text, in->n < 1 << 16 ? in->n : 1 << 16}, rest = text;
	if (span_has(text, "transaction type:") && span_has(text, "number of clients"))
		return true;
	return span_starts(text, "starting vacuum...") ||
	       (span_find(&rest, "progress: ") && span_has(rest, " tps, lat "));
}

const struct evidence_reader evidence_pgbench = {"pgbench", probe, read_text, pgbench_join};
