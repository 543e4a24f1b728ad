/*
 * evidence_sysbench.c - what sysbench prints, 0.4 to 1.0: the OLTP tests and fileio, with the lines of
 * --report-interval and the table of --histogram.
 *
 * The percentile is in the label of each line (100 % is the maximum); 0.x says "response time".  A figure of
 * fileio is of a file: buffered unless its open flags say directio.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/units.h"
#include "workload/evidence_reader.h"
#include "workload/span.h"

enum section { SECTION_NONE, SECTION_LATENCY, SECTION_HISTOGRAM };

/* Neighbouring values of sysbench's histogram: 1024 steps from 0.001 to 100,000 ms, each rounded to the
 * nearest, so that a value stands for half a step around it. */
#define HALF_STEP exp(0.5 * log(1e8) / 1023)

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct span line;
	long run; /* index in e->runs; -1 before the first */
	enum section section;
	bool fileio, direct, flags_said, rate_queue;
	struct evidence_histogram *histogram;
	double histogram_n;
	size_t cut, cut_line, twice; /* lines that are not whole, and the first of them */
};

static const struct row {
	const char *label;
	size_t at; /* in struct evidence_run */
	double scale;
} rows[] = {
	{"Number of threads:", offsetof(struct evidence_run, threads), 1},
	{"Target transaction rate:", offsetof(struct evidence_run, asked_tps), 1},
	{"ignored errors:", offsetof(struct evidence_run, failed), 1},
	{"total time:", offsetof(struct evidence_run, seconds), 1},
	{"total number of events:", offsetof(struct evidence_run, n), 1},
	{"reads/s:", offsetof(struct evidence_run, read_iops), 1},
	{"writes/s:", offsetof(struct evidence_run, write_iops), 1},
	{"fsyncs/s:", offsetof(struct evidence_run, flush_iops), 1},
	{"read, MiB/s:", offsetof(struct evidence_run, read_bytes_s), UNITS_MIB},
	{"written, MiB/s:", offsetof(struct evidence_run, write_bytes_s), UNITS_MIB},
};

/* The line is cut, or holds a figure that no run has. */
static int
leave_out(struct reading *r)
{
	if (r->cut++ == 0)
		r->cut_line = r->lines.number;
	return 0;
}

static int
bad(const struct reading *r, struct span at, struct err *err, const char *what)
{
	return err_set(err, ERR_PARSE, "%s:%zu:%zu: %s: \"%.*s\"", r->in->name, r->lines.number,
		(size_t)(at.text - r->line.text) + 1, what, SPAN_SAID(span_trim(at)));
}

static struct evidence_run *
run_of(const struct reading *r)
{
	return &r->e->runs[r->run];
}

static int
add_run(struct reading *r, struct err *err)
{
	struct evidence_run *run = evidence_add_run(r->e);
	if (!run)
		return err_nomem(err);
	run->source = "sysbench";
	run->file = r->in->name;
	run->timed = true;
	r->run = (long)r->e->n_runs - 1;
	r->section = SECTION_NONE;
	r->fileio = r->direct = r->flags_said = false;
	return 0;
}

/* Take a value once; a second one is counted. */
static void
take(struct reading *r, double *to, double value)
{
	if (isnan(*to))
		*to = value;
	else
		r->twice++;
}

static int
read_row(struct reading *r, const struct row *row, struct span rest, struct err *err)
{
	double value;
	struct span at = rest;
	if (!span_eat_number(&rest, &value) || !(value >= 0))
		return bad(r, at, err, "a number from 0 on must stand here");
	if (strcmp(row->label, "total time:") == 0 && !span_is(span_trim(rest), "s"))
		return bad(r, at, err, "total time: seconds, as in 15.0054s, must stand here");
	take(r, (double *)(void *)((char *)run_of(r) + row->at), value * row->scale);
	return 0;
}

/* "23779  (1584.57 per sec.)" */
static int
read_transactions(struct reading *r, struct span rest, struct err *err)
{
	double n, tps;
	struct span at = rest;
	if (!span_eat_number(&rest, &n) || !span_eat(&rest, "(") || !span_eat_number(&rest, &tps) ||
		!span_eat(&rest, "per sec.)") || n < 0 || tps < 0)
		return bad(r, at, err, "\"N (RATE per sec.)\" must stand here");
	take(r, &run_of(r)->tps, tps);
	return 0;
}

/* "0.42", "0.42ms", "1.2s": microseconds, NaN when it is none. */
static double
latency(struct span s)
{
	double value;
	if (!span_eat_number(&s, &value) || value < 0)
		return NAN;
	s = span_trim(s);
	if (s.n == 0 || span_is(s, "ms"))
		return value * 1e3;
	return span_is(s, "s") ? value * 1e6 : span_is(s, "us") ? value : (double)NAN;
}

static void
take_percentile(struct reading *r, double percent, double us)
{
	struct evidence_run *run = run_of(r);
	run->other_pct = percent;
	run->other_us = us;
	if (percent == 50)
		run->p50_us = us;
	else if (percent == 95)
		run->p95_us = us;
	else if (percent == 99)
		run->p99_us = us;
}

/* A line below "Latency (ms):" or "response time:". */
static int
read_latency(struct reading *r, struct err *err)
{
	struct span rest = r->line, number;
	double percent;
	struct evidence_run *run = run_of(r);
	double *to = NULL;
	if (span_eat(&rest, "avg:"))
		to = &run->mean_us;
	else if (span_eat(&rest, "max:"))
		to = &run->max_us;
	if (!to) {
		number = rest;
		span_eat(&number, "approx.");
		if (!span_eat_number(&number, &percent) || !(percent > 0 && percent <= 100) ||
			!span_find(&number, "percentile:"))
			return 0;
		rest = number;
	}
	double us = latency(rest);
	if (isnan(us))
		return bad(r, rest, err, "a latency in ms must stand here");
	if (to)
		take(r, to, us);
	else
		take_percentile(r, percent, us);
	return 0;
}

static int
add_edge(struct reading *r, double us, double count, struct err *err)
{
	struct evidence_histogram *h = r->histogram;
	double *edge = arena_grow(r->e->arena, h->edge_us, h->n, sizeof(double));
	double *counts = arena_grow(r->e->arena, h->count, h->n, sizeof(double));
	if (!edge || !counts)
		return err_nomem(err);
	h->edge_us = edge;
	h->count = counts;
	edge[h->n] = us;
	counts[h->n++] = count;
	return 0;
}

/* "  0.937 |*     1": a value in ms and how many were rounded to it. */
static int
read_bucket(struct reading *r, struct err *err)
{
	struct span rest = r->line, bars;
	double ms, count;
	if (!span_eat_number(&rest, &ms) || !span_eat(&rest, "|")) {
		if (r->line.n && !span_has(r->line, "distribution"))
			r->section = SECTION_NONE;
		return 0;
	}
	bars = rest;
	while (bars.n && *bars.text == '*') {
		bars.text++;
		bars.n--;
	}
	struct evidence_histogram *h = r->histogram;
	if (!r->lines.whole || !span_eat_number(&bars, &count) || !(count >= 0) || !(ms > 0))
		return leave_out(r);
	double low = ms * 1e3 / HALF_STEP, high = ms * 1e3 * HALF_STEP;
	double before = h->n ? h->edge_us[h->n - 1] : 0;
	if (high <= before) {
		r->twice++;
		return 0;
	}
	int rc = low > before * 1.001 ? add_edge(r, low, r->histogram_n, err) : 0;
	r->histogram_n += count;
	return rc ? rc : add_edge(r, high, r->histogram_n, err);
}

static int
start_histogram(struct reading *r, struct err *err)
{
	if (!span_has(r->line, "milliseconds"))
		return bad(r, r->line, err, "a histogram in milliseconds is read");
	r->histogram = evidence_add_histogram(r->e);
	if (!r->histogram)
		return err_nomem(err);
	r->histogram->name = "sysbench";
	r->histogram->file = r->in->name;
	r->histogram_n = 0;
	r->section = SECTION_HISTOGRAM;
	return 0;
}

/* Behind `label`, after a colon maybe: a number. */
static double
number_after(struct span s, const char *label)
{
	double value;
	return span_find(&s, label) && span_eat_number(&s, &value) && value >= 0 ? value
										 : (double)NAN;
}

/* "lat (ms,95%): 20.00", old "response time: 62.19ms (95%)" */
static void
interval_percentile(struct reading *r, struct span line, struct evidence_progress *p)
{
	double percent = NAN, ms;
	struct span at = line;
	if (span_find(&at, "(ms,")) {
		if (!span_eat_number(&at, &percent) || !span_eat(&at, "%):") ||
			!span_eat_number(&at, &ms))
			return;
	} else if (!span_find(&at, "response time:") || !span_eat_number(&at, &ms) ||
		   !span_eat(&at, "ms (") || !span_eat_number(&at, &percent)) {
		return;
	}
	if (!(percent > 0)) /* --percentile=0: not collected */
		return;
	p->pct_us = ms * 1e3;
	if (isnan(run_of(r)->other_pct))
		run_of(r)->other_pct = percent;
}

/* "[ 1s ] thds: 8 tps: 331.76 ...", "[ 2s ] reads: 145.60 MiB/s ..." */
static int
read_interval(struct reading *r, struct span rest, struct err *err)
{
	struct evidence_run *run = run_of(r);
	struct evidence_progress p = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (!r->lines.whole || !span_eat_number(&rest, &p.at_s) || !span_eat(&rest, "s") ||
		!span_eat(&rest, "]"))
		return leave_out(r);
	p.tps = number_after(rest, "tps:");
	p.failed = number_after(rest, span_has(rest, "err/s:") ? "err/s:" : "errors:");
	interval_percentile(r, rest, &p);
	if ((isnan(p.tps) && !span_has(rest, "MiB/s")) || p.tps < 0 || p.pct_us < 0 || p.failed < 0)
		return leave_out(r);
	return evidence_add_progress(r->e, run, &p, &r->twice, err);
}

/* "Block size 16KiB", 0.4 "Block size 16Kb" */
static int
read_block(struct reading *r, struct span rest, struct err *err)
{
	double value;
	struct span at = rest;
	static const struct {
		const char *unit;
		double b;
	} units[] = {{"KiB", 1024}, {"Kb", 1024}, {"MiB", 1048576}, {"Mb", 1048576}, {"B", 1},
		{"b", 1}, {"", 1}};
	if (!span_eat_number(&rest, &value) || !(value > 0))
		return bad(r, at, err, "a size must stand here");
	rest = span_trim(rest);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (span_is(rest, units[i].unit)) {
			run_of(r)->block_b = value * units[i].b;
			return 0;
		}
	return bad(r, at, err, "a size in B, KiB or MiB must stand here");
}

/* 0.4: "Operations performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total"; rates need the time, which
 * comes later: counts until then. */
static void
read_old_operations(struct reading *r, struct span rest)
{
	double reads, writes, other;
	if (!span_eat_number(&rest, &reads) || !span_find(&rest, ",") ||
		!span_eat_number(&rest, &writes) || !span_find(&rest, ",") ||
		!span_eat_number(&rest, &other))
		return;
	struct evidence_run *run = run_of(r);
	run->read_iops = -reads - 1;
	run->write_iops = -writes - 1;
	run->flush_iops = -other - 1;
}

static int
read_head_line(struct reading *r, bool *taken, struct err *err)
{
	struct span rest = r->line;
	*taken = true;
	if (span_eat(&rest, "Block size"))
		return read_block(r, rest, err);
	if (span_eat(&rest, "Extra file open flags:")) {
		r->fileio = r->flags_said = true;
		r->direct = span_has(rest, "direct");
		return 0;
	}
	if (span_eat(&rest, "File operations:")) {
		r->fileio = true;
		return 0;
	}
	if (span_eat(&rest, "Operations performed:")) {
		r->fileio = true;
		read_old_operations(r, rest);
		return 0;
	}
	if (span_eat(&rest, "transactions:"))
		return read_transactions(r, rest, err);
	if (span_starts(span_trim(rest), "Latency histogram"))
		return start_histogram(r, err);
	*taken = false;
	return 0;
}

static int
read_body(struct reading *r, struct err *err)
{
	struct span rest = r->line;
	bool taken;
	if (r->section == SECTION_HISTOGRAM) {
		int rc = read_bucket(r, err);
		if (rc || r->section == SECTION_HISTOGRAM)
			return rc;
	}
	if (span_eat(&rest, "["))
		return read_interval(r, rest, err);
	int rc = read_head_line(r, &taken, err);
	if (rc || taken)
		return rc;
	struct span word = span_trim(r->line);
	if (span_starts(word, "Latency (ms)") || span_is(word, "response time:") ||
		span_is(word, "per-request statistics:")) {
		r->section = SECTION_LATENCY;
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rest = r->line;
		if (span_eat(&rest, rows[i].label))
			return read_row(r, &rows[i], rest, err);
	}
	if (span_starts(word, "Threads fairness"))
		r->section = SECTION_NONE;
	return r->section == SECTION_LATENCY ? read_latency(r, err) : 0;
}

static void finish_run(struct reading *r);

static int
read_line(struct reading *r, struct err *err)
{
	if (!r->lines.whole) { /* a figure that lost digits still is one */
		return r->line.n ? leave_out(r) : 0;
	}
	if (span_starts(r->line, "sysbench ") || span_starts(r->line, "Running the test with")) {
		bool done = r->run < 0 || !isnan(run_of(r)->seconds) || run_of(r)->n_progress;
		if (done && r->run >= 0)
			finish_run(r);
		return done ? add_run(r, err) : 0;
	}
	if (r->run < 0) {
		/* a piece without its head */
		int rc = r->line.n ? add_run(r, err) : 0;
		if (rc || r->run < 0)
			return rc;
	}
	return read_body(r, err);
}

static void
rate_of(double *value, double seconds)
{
	if (*value < 0)
		*value = (-*value - 1) / seconds;
}

static void
finish_fileio(struct reading *r)
{
	struct evidence_run *run = run_of(r);
	struct findings *f = &r->e->findings;
	double rate = fmax(0, run->read_iops) + fmax(0, run->write_iops);
	double bytes = fmax(0, run->read_bytes_s) + fmax(0, run->write_bytes_s);
	run->label = "fileio";
	run->tps = run->n / run->seconds;
	rate_of(&run->read_iops, run->seconds);
	rate_of(&run->write_iops, run->seconds);
	rate_of(&run->flush_iops, run->seconds);
	if (isnan(run->block_b) && rate > 0 && bytes > 0)
		run->block_b = bytes / rate;
	/* throughput is printed with two decimals */
	else if (rate > 0 && bytes > 0 &&
		 fabs(bytes - rate * run->block_b) > 0.01 * bytes + 0.01 * UNITS_MIB)
		findings_add(f, SEVERITY_WARNING, "units-product", "give the output as it was",
			"%s: %.2f operations/s of %g B are %.2f MiB/s, not %.2f", r->in->name, rate,
			run->block_b, rate * run->block_b / UNITS_MIB, bytes / UNITS_MIB);
	if (!r->direct)
		findings_add(f, SEVERITY_WARNING, "page-cache",
			"repeat with --file-extra-flags=direct, or measure with tierwise bench",
			"%s: fileio went through the page cache (%s): its figures are of memory as "
			"much as of the disk",
			r->in->name,
			r->flags_said ? "no directio among its open flags"
				      : "its open flags are not said");
}

/* Nearest rank; the value in the middle of its bucket.  What sysbench printed stays. */
static void
take_quantile(const struct evidence_histogram *h, double p, double *to)
{
	size_t i = 0;
	while (i < h->n && h->count[i] < p * h->count[h->n - 1])
		i++;
	if (isnan(*to) && i < h->n)
		*to = h->edge_us[i] / HALF_STEP;
}

static void
finish_run(struct reading *r)
{
	struct evidence_run *run = run_of(r);
	if (r->histogram && r->histogram->n) {
		take_quantile(r->histogram, 0.50, &run->p50_us);
		take_quantile(r->histogram, 0.95, &run->p95_us);
		take_quantile(r->histogram, 0.99, &run->p99_us);
	}
	r->histogram = NULL;
	if (r->fileio)
		finish_fileio(r);
	else if (isnan(run->tps))
		run->tps = run->n / run->seconds;
	run->clients = run->threads;
	if (run->other_pct == 100) {
		run->other_us = isnan(run->max_us) ? run->other_us : run->max_us;
		run->max_us = run->other_us;
	}
	run->rated = run->asked_tps > 0;
	run->seen_mean_us = run->mean_us;
	r->section = SECTION_NONE;
}

/* Lines of intervals without a summary: the mean of their rates. */
static void
from_intervals(struct reading *r)
{
	struct evidence_run *run = run_of(r);
	double sum = 0, last = 0;
	for (size_t i = 0; i < run->n_progress; i++) {
		double dt = run->progress[i].at_s - last;
		last = run->progress[i].at_s;
		sum += run->progress[i].tps * dt;
	}
	run->tps = sum / last;
	run->seconds = last;
	findings_add(&r->e->findings, SEVERITY_WARNING, "document-cut", "give the whole output",
		"%s: ends before its summary: the rate is the mean of %zu intervals, latency is "
		"not known",
		r->in->name, run->n_progress);
}

static void
say(const struct reading *r)
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
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in, .run = -1};
	size_t first = out->n_runs;
	int rc = 0;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &r.line))
		rc = read_line(&r, err);
	if (rc)
		return rc;
	bool any = false;
	if (r.run >= 0) {
		if (isnan(run_of(&r)->tps) && isnan(run_of(&r)->n) && run_of(&r)->n_progress)
			from_intervals(&r);
		finish_run(&r);
	}
	for (size_t i = first; i < out->n_runs; i++)
		any |= out->runs[i].tps >= 0 || out->runs[i].mean_us >= 0;
	if (!any)
		return err_set(err, ERR_PARSE,
			"%s:%zu: sysbench's output ends before any result; give the whole output "
			"of "
			"\"sysbench ... run\"",
			in->name, r.lines.number);
	say(&r);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct span text = {in->text, in->n < 1 << 16 ? in->n : 1 << 16};
	return span_has(text, "sysbench 1.") || span_has(text, "sysbench 0.") ||
	       (span_has(text, "thds: ") && span_has(text, " tps: ")) ||
	       (span_has(text, "queries performed:") && span_has(text, "per sec.)"));
}

const struct evidence_reader evidence_sysbench = {"sysbench", probe, read_text, NULL};
