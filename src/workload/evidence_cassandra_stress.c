/*
 * evidence_cassandra_stress.c - what cassandra-stress prints: rows of intervals, and the summary of 2.x (no
 * units, "insert:") and of 3.x and 4.x (units, thousands with commas, "READ:").
 *
 * Each summary is a run; each operation in its brackets is one of its own.  Latency is what the client saw, in
 * ms; without -rate fixed= the loop is closed.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "workload/evidence_reader.h"
#include "workload/span.h"

enum { OPERATIONS_MOST = 16, COLUMNS_MOST = 32 };

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct span line;
	double threads, rate; /* NaN: not said */
	long run; /* of the summary being read; -1: none */
	size_t n_operations; /* runs behind it */
	struct span heads[COLUMNS_MOST]; /* of the rows; n_heads 0: none seen */
	size_t n_heads;
	struct evidence_progress *progress; /* before a summary */
	size_t n_progress, twice;
	size_t cut, cut_line; /* lines that are not whole, and the first of them */
};

static const struct row {
	const char *label;
	size_t at;
	double scale;
} rows[] = {
	{"op rate", offsetof(struct evidence_run, tps), 1},
	{"latency mean", offsetof(struct evidence_run, mean_us), 1e3},
	{"latency median", offsetof(struct evidence_run, p50_us), 1e3},
	{"latency 95th percentile", offsetof(struct evidence_run, p95_us), 1e3},
	{"latency 99th percentile", offsetof(struct evidence_run, p99_us), 1e3},
	{"latency 99.9th percentile", offsetof(struct evidence_run, other_us), 1e3},
	{"latency max", offsetof(struct evidence_run, max_us), 1e3},
	{"total partitions", offsetof(struct evidence_run, n), 1},
	{"total errors", offsetof(struct evidence_run, failed), 1},
};

static double *
field(struct evidence_run *run, const struct row *row)
{
	return (double *)(void *)((char *)run + row->at);
}

/* "13,743 op/s", "4.6 ms", "9120": NaN when it is none, or the unit is another. */
static double
value_of(struct span s, const struct row *row)
{
	double value = span_thousands(span_word(&s));
	s = span_trim(s);
	bool latency = row->scale > 1;
	if (s.n && latency && !span_is(s, "ms"))
		return NAN;
	return value >= 0 ? value * row->scale : (double)NAN;
}

/* The run of an operation, made when it is new; NULL: too many or no memory (err is set then). */
static struct evidence_run *
operation(struct reading *r, struct span name, struct err *err)
{
	for (size_t i = 1; i <= r->n_operations; i++) {
		struct evidence_run *run = &r->e->runs[r->run + (long)i];
		if (span_is(name, run->label))
			return run;
	}
	if (r->n_operations >= OPERATIONS_MOST || name.n == 0)
		return NULL;
	struct evidence_run *run = evidence_add_run(r->e);
	const char *label = run ? span_copy(r->e->arena, name) : NULL;
	if (!label) {
		err_nomem(err);
		return NULL;
	}
	r->n_operations++;
	run->source = "cassandra-stress";
	run->file = r->in->name;
	run->label = label;
	run->timed = true;
	return run;
}

/* "READ: 6,871 op/s, WRITE: 6,872 op/s]": parts end at ", " before a name. */
static int
read_operations(struct reading *r, const struct row *row, struct span list, struct err *err)
{
	struct span part;
	if (list.n && list.text[list.n - 1] == ']')
		list.n--;
	while (span_cut(&list, ':', &part)) {
		struct span name = span_trim(part), value = list;
		/* up to the last comma before the next name */
		size_t colon = 0, comma;
		while (colon < value.n && value.text[colon] != ':')
			colon++;
		comma = colon;
		while (colon < value.n && comma > 0 && value.text[comma] != ',')
			comma--;
		if (!list.text)
			break;
		value.n = comma;
		struct evidence_run *run = operation(r, name, err);
		if (!run)
			return err && err->code == ERR_NOMEM ? ERR_NOMEM : 0;
		double v = value_of(value, row);
		if (isnan(*field(run, row)) && !isnan(v))
			*field(run, row) = v;
		size_t step = comma < list.n ? comma + 1 : comma;
		list.text += step;
		list.n -= step;
		if (list.n == 0)
			break;
	}
	return 0;
}

static int
start_summary(struct reading *r, struct err *err)
{
	struct evidence_run *run = evidence_add_run(r->e);
	if (!run)
		return err_nomem(err);
	run->source = "cassandra-stress";
	run->file = r->in->name;
	run->clients = run->threads = r->threads;
	run->asked_tps = r->rate > 0 ? r->rate : (double)NAN;
	run->rated = r->rate > 0;
	run->timed = true;
	run->progress = r->progress;
	run->n_progress = r->n_progress;
	r->progress = NULL;
	r->n_progress = 0;
	r->run = (long)r->e->n_runs - 1;
	r->n_operations = 0;
	return 0;
}

/* "Latency mean : 4.6 ms [READ: 7.1 ms, ...]" with any case of its first letter. */
static int
read_row(struct reading *r, const struct row *row, struct span rest, struct err *err)
{
	struct span total = rest, at = rest;
	bool operations = span_find(&rest, "[");
	if (operations)
		total.n = (size_t)(rest.text - total.text) - 1;
	double v = value_of(total, row);
	if (isnan(v) && !span_has(total, "NaN"))
		return err_set(err, ERR_PARSE, "%s:%zu:%zu: %s: \"%.*s\", accepted: a number%s",
			r->in->name, r->lines.number, (size_t)(at.text - r->line.text) + 1,
			row->label, SPAN_SAID(span_trim(total)),
			row->scale > 1 ? " of ms" : " from 0 on");
	double *to = field(&r->e->runs[r->run], row);
	if (isnan(*to))
		*to = v;
	else
		r->twice++;
	return operations ? read_operations(r, row, rest, err) : 0;
}

/* "hh:mm:ss" */
static void
read_time(struct reading *r, struct span rest)
{
	double h, m, s;
	if (span_eat_number(&rest, &h) && span_eat(&rest, ":") && span_eat_number(&rest, &m) &&
		span_eat(&rest, ":") && span_eat_number(&rest, &s))
		r->e->runs[r->run].seconds = h * 3600 + m * 60 + s;
}

static bool
starts_any_case(struct span s, const char *label, struct span *rest)
{
	struct span at = span_trim(s);
	size_t n = strlen(label);
	if (at.n < n || (at.text[0] | 0x20) != label[0] ||
		memcmp(at.text + 1, label + 1, n - 1) != 0)
		return false;
	*rest = (struct span){at.text + n, at.n - n};
	return span_eat(rest, ":");
}

static size_t
split(struct span line, struct span *cells)
{
	struct span cell;
	size_t n = 0;
	while (n < COLUMNS_MOST && span_cut(&line, ',', &cell))
		cells[n++] = span_trim(cell);
	return n;
}

static double
cell_of(const struct reading *r, const struct span *cells, const char *head)
{
	for (size_t i = 0; i < r->n_heads; i++)
		if (span_is(r->heads[i], head))
			return span_number(cells[i]);
	return NAN;
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
read_interval(struct reading *r, struct err *err)
{
	struct span cells[COLUMNS_MOST];
	size_t n = split(r->line, cells);
	if (!r->lines.whole || n != r->n_heads)
		return leave_out(r);
	struct evidence_progress p = {.at_s = cell_of(r, cells, "time"),
		.tps = cell_of(r, cells, "op/s"),
		.mean_us = cell_of(r, cells, "mean") * 1e3,
		.sd_us = NAN,
		.lag_us = NAN,
		.failed = cell_of(r, cells, "errors"),
		.skipped = NAN,
		.pct_us = cell_of(r, cells, ".999") * 1e3};
	if (!(p.at_s >= 0) || !(p.tps >= 0) || p.mean_us < 0 || p.pct_us < 0 || p.failed < 0)
		return leave_out(r);
	if (r->n_progress && p.at_s <= r->progress[r->n_progress - 1].at_s) {
		r->twice++;
		return 0;
	}
	struct evidence_progress *all = arena_grow(
		r->e->arena, r->progress, r->n_progress, sizeof(*all));
	if (!all)
		return err_nomem(err);
	r->progress = all;
	all[r->n_progress++] = p;
	return 0;
}

/* How many threads asked how fast, in the settings before a run. */
static void
read_setting(struct reading *r, struct span line)
{
	double n;
	if (span_eat(&line, "Thread Count:")) {
		r->threads = span_eat_number(&line, &n) && n > 0 ? n : (double)NAN;
	} else if (span_eat(&line, "OpsPer Sec:")) {
		r->rate = span_eat_number(&line, &n) ? n : (double)NAN;
	} else if (span_eat(&line, "Running ") && span_find(&line, "with ") &&
		   span_eat_number(&line, &n) &&
		   (span_eat(&line, "threads") || span_eat(&line, "threadCount"))) {
		r->threads = n;
	}
}

static int
read_line(struct reading *r, struct err *err)
{
	struct span rest;
	if (!r->lines.whole) { /* a figure that lost digits still is one */
		if (r->line.n)
			leave_out(r);
		return 0;
	}
	if (span_starts(r->line, "type,") || span_starts(r->line, "type ,")) {
		r->n_heads = split(r->line, r->heads);
		return 0;
	}
	if (span_starts(r->line, "total,") && r->n_heads)
		return read_interval(r, err);
	if (span_starts(span_trim(r->line), "Results:"))
		return start_summary(r, err);
	if (r->run >= 0 && starts_any_case(r->line, "total operation time", &rest)) {
		read_time(r, rest);
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!starts_any_case(r->line, rows[i].label, &rest))
			continue;
		int rc = r->run < 0 ? start_summary(r, err) : 0;
		return rc ? rc : read_row(r, &rows[i], rest, err);
	}
	read_setting(r, r->line);
	return 0;
}

/* Rows of intervals without a summary. */
static int
from_intervals(struct reading *r, struct err *err)
{
	size_t n = r->n_progress;
	if (!n)
		return 0;
	int rc = start_summary(r, err);
	if (rc)
		return rc;
	struct evidence_run *run = &r->e->runs[r->run];
	double done = 0, sum = 0, before = 0;
	for (size_t i = 0; i < n; i++) {
		double ops = run->progress[i].tps * (run->progress[i].at_s - before);
		before = run->progress[i].at_s;
		done += ops;
		sum += ops * run->progress[i].mean_us;
	}
	run->tps = done / before;
	run->mean_us = sum / done;
	run->seconds = before;
	findings_add(&r->e->findings, SEVERITY_WARNING, "document-cut", "give the whole output",
		"%s: ends before its summary: rate and mean are of %zu intervals", r->in->name, n);
	return 0;
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in, .threads = NAN, .rate = NAN, .run = -1};
	size_t first = out->n_runs;
	int rc = 0;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &r.line))
		rc = read_line(&r, err);
	rc = rc ? rc : from_intervals(&r, err);
	if (rc)
		return rc;
	bool any = false;
	for (size_t i = first; i < out->n_runs; i++) {
		struct evidence_run *run = &out->runs[i];
		run->seen_mean_us = run->mean_us;
		if (!isnan(run->other_us))
			run->other_pct = 99.9;
		any |= run->tps >= 0 || run->mean_us >= 0;
	}
	if (!any)
		return err_set(err, ERR_PARSE,
			"%s:%zu: cassandra-stress ends before any result; give its whole output",
			in->name, r.lines.number);
	struct findings *f = &out->findings;
	if (r.cut)
		findings_add(f, SEVERITY_WARNING, "rows-cut", "give the whole output",
			"%s:%zu: %zu lines are not whole, or hold a figure that no run has, and "
			"are left out, this one first",
			in->name, r.cut_line, r.cut);
	if (r.twice)
		findings_add(f, SEVERITY_WARNING, "rows-twice", "give each output once",
			"%s: %zu rows say again what was said, or go back in time, and are left "
			"out",
			in->name, r.twice);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct span text = {in->text, in->n < 1 << 16 ? in->n : 1 << 16};
	return (span_has(text, "op rate ") || span_has(text, "Op rate ")) ||
	       (span_has(text, "total ops,") && span_has(text, "op/s,"));
}

const struct evidence_reader evidence_cassandra_stress = {
	"cassandra-stress", probe, read_text, NULL};
