/*
 * evidence_pgbench_log.c - the logs of pgbench -l, one row a transaction, and of --aggregate-interval, one
 * row an interval, of PostgreSQL 9.3 to 18.  Each thread writes its own file: see pgbench.h.
 *
 * A row: client, its transaction, latency (us; or "skipped", "failed", "serialization", "deadlock"), script,
 * epoch s, us, then schedule lag (us) with --rate and the number of retries with --max-tries.
 * An interval: epoch s, transactions, sum and sum of squares of latency (us), least, most; then the same four
 * of lag with --rate, skipped with --latency-limit; always 15 columns from PostgreSQL 15 on.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_reader.h"
#include "workload/pgbench.h"
#include "workload/span.h"

enum {
	COLUMNS_MAX = 20,
	ROW_LEAST = 6,
	ROW_MOST = 8,
	INTERVAL_MOST = COLUMNS_MAX,
	CLIENT_MAX = 65535,
	RETRIES_MOST = 100 /* a seventh column that never exceeds this counts retries */
};

/* Seconds since 1970 between 1973 and 2500: client numbers and latencies are no such. */
static bool
is_epoch(double s)
{
	return s >= 1e8 && s < 1.7e10;
}

struct columns {
	struct span at[COLUMNS_MAX]; /* of all, also those that a row has not */
	double value[COLUMNS_MAX]; /* NaN: no whole number */
	size_t n; /* may exceed COLUMNS_MAX */
};

static void
split(struct span line, struct columns *c)
{
	*c = (struct columns){.n = 0};
	for (struct span word; (word = span_word(&line)).n; c->n++) {
		if (c->n >= COLUMNS_MAX)
			continue;
		c->at[c->n] = word;
		/* sums of aggregates may have a fraction */
		c->value[c->n] = word.text[0] == '-' ? (double)NAN : span_number(word);
	}
}

static bool
all_numbers(const struct columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (isnan(c->value[i]))
			return false;
	return true;
}

static bool
is_interval(const struct columns *c)
{
	if (!(c->n == 6 || c->n == 10 || c->n == 11 || (c->n >= 13 && c->n <= INTERVAL_MOST)))
		return false;
	/* a row of six has its epoch in the fifth column */
	return all_numbers(c) && is_epoch(c->value[0]) && !is_epoch(c->value[4]);
}

static bool
is_word(struct span s)
{
	return span_is(s, "skipped") || span_is(s, "failed") || span_is(s, "serialization") ||
	       span_is(s, "deadlock");
}

static bool
is_row(const struct columns *c)
{
	if (c->n < ROW_LEAST || c->n > ROW_MOST || !is_epoch(c->value[4]) || !(c->value[5] < 1e6))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (i != 2 && !span_digits(c->at[i]))
			return false;
	return c->value[0] <= CLIENT_MAX && (c->value[2] >= 0 || is_word(c->at[2]));
}

static bool
probe(const struct evidence_input *in)
{
	struct span_lines lines;
	struct span line;
	struct columns c;
	size_t rows = 0, good = 0;
	span_lines_init(&lines, in->text, in->n);
	while (rows < 4 && span_next_line(&lines, &line)) {
		if (line.n == 0)
			continue;
		split(line, &c);
		good += is_row(&c) || is_interval(&c);
		rows++;
	}
	return 2 * good > rows; /* one of them may be damaged */
}

/* What a client did last. */
struct client {
	double last; /* number of its transaction; -1: none yet */
	bool rows; /* it has some */
};

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct evidence_run *run;
	size_t columns;
	struct client *clients;
	size_t n_clients;
	double lag_sum, lag_max, seventh_max, sum, sum2, first_s, last_s;
	double n_all; /* rows, done or not */
	bool gaps;
	size_t bad, bad_line, twice, cut;
};

static struct client *
client_of(struct reading *r, double number, struct err *err)
{
	while ((double)r->n_clients <= number) {
		struct client *all = arena_grow(
			r->e->arena, r->clients, r->n_clients, sizeof(*all));
		if (!all) {
			err_nomem(err);
			return NULL;
		}
		r->clients = all;
		all[r->n_clients++] = (struct client){.last = -1};
	}
	return &r->clients[(size_t)number];
}

static int
keep(struct reading *r, double us, double lag, struct err *err)
{
	struct evidence_run *run = r->run;
	double *service = arena_grow(r->e->arena, run->latency_us, run->n_latency, sizeof(double));
	double *seen = arena_grow(r->e->arena, run->seen_us, run->n_latency, sizeof(double));
	if (!service || !seen)
		return err_nomem(err);
	run->latency_us = service;
	run->seen_us = seen;
	service[run->n_latency] = lag; /* until it is known what the seventh column is */
	seen[run->n_latency++] = us;
	return 0;
}

static void
count_word(struct reading *r, struct span word)
{
	double *to = span_is(word, "skipped") ? &r->run->skipped : &r->run->failed;
	*to = (isnan(*to) ? 0 : *to) + 1;
}

static int
add_row(struct reading *r, const struct columns *c, struct err *err)
{
	struct client *client = client_of(r, c->value[0], err);
	if (!client)
		return ERR_NOMEM;
	if (c->value[1] <= client->last) {
		r->twice++;
		return 0;
	}
	/* PostgreSQL 15 counts from 1, others from 0 */
	r->gaps |= c->value[1] > (client->rows ? client->last + 1 : 1);
	client->last = c->value[1];
	client->rows = true;
	r->n_all++;
	double at = c->value[4] + c->value[5] / 1e6;
	r->first_s = fmin(r->first_s, at); /* NaN at first */
	r->last_s = fmax(r->last_s, at);
	if (isnan(c->value[2])) {
		count_word(r, c->at[2]);
		return 0;
	}
	double seventh = c->n > ROW_LEAST ? c->value[ROW_LEAST] : (double)NAN;
	r->seventh_max = fmax(r->seventh_max, seventh);
	return keep(r, c->value[2], seventh, err);
}

/* Sums of one interval into the run, which holds sums until finish_intervals(). */
static int
add_interval(struct reading *r, const struct columns *c, struct err *err)
{
	struct evidence_run *run = r->run;
	double n = c->value[1], lag = c->n >= 10 ? c->value[6] : 0;
	if (run->n_progress && c->value[0] <= run->progress[run->n_progress - 1].at_s) {
		r->twice++;
		return 0;
	}
	struct evidence_progress *all = arena_grow(
		r->e->arena, run->progress, run->n_progress, sizeof(*all));
	if (!all)
		return err_nomem(err);
	run->progress = all;
	double mean = n > 0 ? c->value[2] / n : (double)NAN;
	double variance = n > 0 ? c->value[3] / n - mean * mean : (double)NAN;
	all[run->n_progress++] = (struct evidence_progress){.at_s = c->value[0],
		.tps = n, /* a count until the interval is known */
		.mean_us = n > 0 ? mean - lag / n : (double)NAN,
		.sd_us = lag > 0 ? (double)NAN : sqrt(fmax(variance, 0)),
		.lag_us = c->n >= 10 && n > 0 ? lag / n : (double)NAN,
		.failed = c->n >= 15 ? c->value[13] + c->value[14] : (double)NAN,
		.skipped = c->n >= 11 ? c->value[10] : (double)NAN,
		.pct_us = NAN};
	r->n_all += n;
	r->sum += c->value[2];
	r->sum2 += c->value[3];
	r->lag_sum += lag;
	if (c->n >= 10)
		r->lag_max = fmax(r->lag_max, c->value[9]);
	if (n > 0)
		run->max_us = fmax(run->max_us, c->value[5]);
	return 0;
}

static int
read_line(struct reading *r, struct span line, bool interval, struct err *err)
{
	struct columns c;
	if (line.n == 0)
		return 0;
	if (!r->lines.whole) { /* digits may be missing: what is there cannot be trusted */
		r->cut++;
		return 0;
	}
	split(line, &c);
	if (c.n != r->columns || !(interval ? is_interval(&c) : is_row(&c))) {
		if (!r->bad++)
			r->bad_line = r->lines.number;
		return 0;
	}
	return interval ? add_interval(r, &c, err) : add_row(r, &c, err);
}

/* The seventh column is known now: lag or retries. */
static void
finish_rows(struct reading *r)
{
	struct evidence_run *run = r->run;
	bool lag = r->columns == ROW_MOST || run->skipped > 0 || r->seventh_max > RETRIES_MOST;
	double whole = 0, n = (double)run->n_latency;
	for (size_t i = 0; i < run->n_latency; i++) {
		double late = lag ? run->latency_us[i] : 0, us = run->seen_us[i] - late;
		run->latency_us[i] = us;
		r->sum += us;
		r->sum2 += us * us;
		r->lag_sum += late;
		r->lag_max = fmax(r->lag_max, late);
	}
	for (size_t i = 0; i < r->n_clients; i++) {
		whole += r->clients[i].last + 1;
		run->clients = (isnan(run->clients) ? 0 : run->clients) + r->clients[i].rows;
	}
	run->n = n;
	run->mean_us = n > 0 ? r->sum / n : (double)NAN;
	run->sd_us = n > 1 ? sqrt(fmax(r->sum2 / n - run->mean_us * run->mean_us, 0)) : (double)NAN;
	run->rated = lag && r->columns > ROW_LEAST;
	run->lag_mean_us = run->rated && n > 0 ? r->lag_sum / n : (double)NAN;
	run->lag_max_us = run->rated ? r->lag_max : (double)NAN;
	run->seen_mean_us = run->rated && n > 0 ? run->mean_us + run->lag_mean_us : run->mean_us;
	run->seconds = r->last_s > r->first_s ? r->last_s - r->first_s : (double)NAN;
	run->sampled = r->gaps;
	run->sample_of = r->gaps ? whole : (double)NAN;
	if (!r->gaps)
		run->tps = n / run->seconds;
	if (!lag && r->columns == ROW_LEAST + 1)
		findings_add(&r->e->findings, SEVERITY_NOTE, "column-guessed",
			"give the run without --max-tries, or with both",
			"%s: the seventh column never exceeds %g and is taken as retries, not as "
			"schedule lag",
			r->in->name, r->seventh_max);
}

/* Length of the intervals: the least step between two. */
static double
step_of(const struct evidence_run *run)
{
	double step = NAN;
	for (size_t i = 1; i < run->n_progress; i++)
		step = fmin(step, run->progress[i].at_s - run->progress[i - 1].at_s);
	return step;
}

static void
finish_intervals(struct reading *r)
{
	struct evidence_run *run = r->run;
	double step = step_of(run), n = r->n_all, failed = 0, skipped = 0;
	for (size_t i = 0; i < run->n_progress; i++) {
		run->progress[i].at_s += isnan(step) ? 0 : step;
		run->progress[i].tps /= step;
		failed += run->progress[i].failed;
		skipped += run->progress[i].skipped;
	}
	run->n = n;
	run->failed = failed;
	run->skipped = skipped;
	run->rated = r->lag_sum > 0 || skipped > 0;
	run->seconds = step * (double)run->n_progress;
	run->tps = n / run->seconds;
	if (n > 0) {
		double seen = r->sum / n;
		run->lag_mean_us = run->rated ? r->lag_sum / n : (double)NAN;
		run->seen_mean_us = seen;
		run->mean_us = seen - r->lag_sum / n;
		run->sd_us = run->rated ? (double)NAN : sqrt(fmax(r->sum2 / n - seen * seen, 0));
	}
	run->lag_max_us = run->rated ? r->lag_max : (double)NAN;
}

static void
say(const struct reading *r)
{
	struct findings *f = &r->e->findings;
	if (r->cut)
		findings_add(f, SEVERITY_WARNING, "rows-cut", "give the whole file",
			"%s:%zu: the last line has no end and is left out", r->in->name,
			r->lines.number);
	if (r->bad)
		findings_add(f, SEVERITY_WARNING, "rows-left-out",
			"give the log as pgbench wrote it",
			"%s:%zu: %zu lines are no rows of %zu columns and are left out",
			r->in->name, r->bad_line, r->bad, r->columns);
	if (r->twice)
		findings_add(f, SEVERITY_WARNING, "rows-twice", "one run and one thread a file",
			"%s: %zu rows do not follow the one before them (rows twice, or a second "
			"run) "
			"and are left out",
			r->in->name, r->twice);
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out,
		.in = in,
		.first_s = NAN,
		.last_s = NAN,
		.lag_max = 0,
		.seventh_max = NAN};
	struct span line;
	struct columns c = {.n = 0};
	int rc = 0;
	r.run = evidence_add_run(out);
	if (!r.run)
		return err_nomem(err);
	span_lines_init(&r.lines, in->text, in->n);
	while (!is_row(&c) && !is_interval(&c) && span_next_line(&r.lines, &line))
		split(line, &c);
	bool interval = is_interval(&c);
	r.columns = c.n;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &line))
		rc = read_line(&r, line, interval, err);
	if (rc)
		return rc;
	if (r.run->n_progress + r.run->n_latency == 0 && !(r.run->skipped > 0))
		return err_set(err, ERR_PARSE,
			"%s:%zu: no whole row of pgbench's log in it; give the file as pgbench -l "
			"wrote it",
			in->name, r.lines.number);
	r.run->source = interval ? "pgbench aggregate" : "pgbench log";
	r.run->file = in->name;
	r.run->timed = true;
	if (interval)
		finish_intervals(&r);
	else
		finish_rows(&r);
	say(&r);
	return 0;
}

const struct evidence_reader evidence_pgbench_log = {"pgbench log", probe, read_text, NULL};
