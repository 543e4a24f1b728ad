/*
 * evidence_diskstats.c - readings of /proc/diskstats, each after a line with its time ("# 1796068641.35", also
 * without the #): rates between one reading and the next.  Sectors are 512 bytes whatever the disk.
 *
 * Fields after the name (Documentation/admin-guide/iostats.rst): 11, 15 since Linux 4.18 (discards), 17 since 5.5
 * (flushes), 4 for partitions before 2.6.25.  All but the ninth only grow; those in milliseconds may wrap at 2^32.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_figure.h"
#include "workload/evidence_reader.h"

enum {
	READS,
	READ_MERGES,
	READ_SECTORS,
	READ_MS,
	WRITES,
	WRITE_MERGES,
	WRITE_SECTORS,
	WRITE_MS,
	IN_FLIGHT,
	BUSY_MS,
	QUEUE_MS,
	DISCARDS,
	DISCARD_MERGES,
	DISCARD_SECTORS,
	DISCARD_MS,
	FLUSHES,
	FLUSH_MS,
	COUNTERS,
	SECTOR_B = 512,
	MAX_WORDS = 3 + 40, /* later kernels add fields at the end */
};

struct reading {
	const char *name;
	double at_s, v[COUNTERS]; /* NaN: this kernel does not count it */
};

struct work {
	const struct evidence_input *in;
	struct evidence *e;
	size_t first; /* series of this text begin here */
	struct reading *last; /* of each device */
	size_t n_last;
	double at_s; /* of the rows that follow */
	double step_s; /* of readings without a time; NaN: not known */
	size_t untimed, backwards, again, resets, wraps, cut, odd, odd_line;
	struct evidence_figures figures; /* counters that are none */
};

static bool
is_row(const struct evidence_line *line, struct evidence_word *w, size_t *n)
{
	*n = evidence_words(line, w, MAX_WORDS);
	if (*n < 7 || *n > MAX_WORDS)
		return false;
	for (size_t i = 0; i < *n; i++) {
		bool name = isnan(evidence_number(w[i].text, w[i].n));
		if (name != (i == 2)) /* rows of numbers alone are of another tool */
			return false;
	}
	if (!isnan(evidence_number(w[2].text, w[2].n)))
		return false; /* a device has a name: rows of vmstat are numbers alone */
	size_t counters = *n - 3;
	return counters == 4 || counters >= 11;
}

static const char *const names[COUNTERS] = {"reads", "reads merged", "sectors read", "ms reading",
	"writes", "writes merged", "sectors written", "ms writing", "in flight", "ms busy",
	"ms of all", "discards", "discards merged", "sectors discarded", "ms discarding", "flushes",
	"ms flushing"};

static void
take_row(
	struct work *w, const struct evidence_word *words, size_t n, size_t line, struct reading *r)
{
	static const int old[] = {READS, READ_SECTORS, WRITES, WRITE_SECTORS};
	for (int i = 0; i < COUNTERS; i++)
		r->v[i] = NAN;
	for (size_t i = 3; i < n && i - 3 < COUNTERS; i++) {
		int field = n == 7 ? old[i - 3] : (int)i - 3;
		if (field != IN_FLIGHT) /* no counter, not used, and -1 on some kernels */
			r->v[field] = evidence_figure(&w->figures, line,
				(struct evidence_word){names[field], strlen(names[field])},
				words[i]);
	}
}

static bool
is_ms(int field)
{
	return field == READ_MS || field == WRITE_MS || field == BUSY_MS || field == QUEUE_MS ||
	       field == DISCARD_MS || field == FLUSH_MS;
}

/* Differences into d; false when the counters began anew. */
static bool
subtract(struct work *w, const struct reading *a, const struct reading *b, double d[COUNTERS])
{
	const double wrap = 4294967296.0;
	int fell = 0, field = 0;
	for (int i = 0; i < COUNTERS; i++) {
		d[i] = b->v[i] - a->v[i];
		if (i != IN_FLIGHT && d[i] < 0) {
			fell++;
			field = i;
		}
	}
	if (fell == 0)
		return true;
	if (fell > 1 || !is_ms(field) || a->v[field] >= wrap || d[field] > -wrap / 2)
		return false;
	d[field] += wrap;
	w->wraps++;
	return true;
}

static double
mean_us(double ms, double n)
{
	return n > 0 ? ms * 1000 / n : (double)NAN;
}

static int
add_sample(struct work *w, const struct reading *now, const double d[COUNTERS], double dt,
	struct err *err)
{
	struct evidence_series *s = evidence_series_of(
		w->e, w->first, NULL, now->name, strlen(now->name));
	struct evidence_sample *x = s ? evidence_add_sample(w->e, s) : NULL;
	if (!x)
		return err_nomem(err);
	s->source = "diskstats";
	x->end_s = now->at_s;
	x->dt_s = dt;
	x->read_iops = d[READS] / dt;
	x->write_iops = d[WRITES] / dt;
	x->discard_iops = d[DISCARDS] / dt;
	x->flush_iops = d[FLUSHES] / dt;
	x->read_bytes_s = d[READ_SECTORS] * SECTOR_B / dt;
	x->write_bytes_s = d[WRITE_SECTORS] * SECTOR_B / dt;
	x->read_us = mean_us(d[READ_MS], d[READS]);
	x->write_us = mean_us(d[WRITE_MS], d[WRITES]);
	x->flush_us = mean_us(d[FLUSH_MS], d[FLUSHES]);
	x->discard_us = mean_us(d[DISCARD_MS], d[DISCARDS]);
	x->queue = d[QUEUE_MS] / 1000 / dt;
	x->active_frac = d[BUSY_MS] / 1000 / dt;
	return 0;
}

static struct reading *
last_of(struct work *w, const struct evidence_word *name)
{
	for (size_t i = 0; i < w->n_last; i++) {
		if (evidence_word_is(name, w->last[i].name))
			return &w->last[i];
	}
	return NULL;
}

static int
keep_first(
	struct work *w, const struct evidence_word *name, const struct reading *r, struct err *err)
{
	struct reading *all = arena_grow(w->e->arena, w->last, w->n_last, sizeof(*all));
	const char *copy = all ? arena_strndup(w->e->arena, name->text, name->n) : NULL;
	if (!copy)
		return err_nomem(err);
	w->last = all;
	w->last[w->n_last] = *r;
	w->last[w->n_last++].name = copy;
	return 0;
}

static int
add_row(struct work *w, const struct evidence_word *words, size_t n, size_t line, struct err *err)
{
	struct reading now = {.at_s = w->at_s};
	double d[COUNTERS];
	take_row(w, words, n, line, &now);
	struct reading *last = last_of(w, &words[2]);
	if (!last)
		return keep_first(w, &words[2], &now, err);
	now.name = last->name;
	double dt = now.at_s - last->at_s;
	if (isnan(dt))
		dt = w->step_s;
	int rc = 0;
	if (dt == 0) { /* of one moment: the first row stands */
		w->again++;
		return 0;
	}
	if (dt < 0)
		w->backwards++;
	else if (!(dt > 0))
		w->untimed++;
	else if (!subtract(w, last, &now, d))
		w->resets++;
	else
		rc = add_sample(w, &now, d, dt, err);
	*last = now;
	return rc;
}

/* "# 1796068641.351205899", "1796068641", "t0 1796068641.3" */
static double
time_of(const struct evidence_line *line)
{
	struct evidence_word w[4];
	size_t n = evidence_words(line, w, 4);
	for (size_t i = 0; i < n && n <= 4; i++) {
		double v = evidence_number(w[i].text, w[i].n);
		if (v > 1e8 && v < 1e11)
			return v;
	}
	return NAN;
}

static bool
probe(const struct evidence_input *in)
{
	struct evidence_line line = {0};
	struct evidence_word w[MAX_WORDS];
	size_t n;
	for (int i = 0; i < 8 && evidence_next_line(in->text, in->n, &line); i++) {
		if (is_row(&line, w, &n))
			return true;
		if (line.n > 80)
			return false;
	}
	return false;
}

/* Two numbers and a name, as each row begins, and then something else. */
static bool
is_broken_row(const struct evidence_word *w, size_t n)
{
	return n >= 3 && !isnan(evidence_number(w[0].text, w[0].n)) &&
	       !isnan(evidence_number(w[1].text, w[1].n)) &&
	       isnan(evidence_number(w[2].text, w[2].n));
}

static void
say_rows(const struct work *w)
{
	struct findings *f = &w->e->findings;
	if (w->odd)
		findings_add(f, SEVERITY_WARNING, "odd-row",
			"take whole readings: cat /proc/diskstats",
			"%s:%zu: %zu row%s with a cell that is no number, or too few of them: left "
			"out, this one first",
			w->in->name, w->odd_line, w->odd, w->odd == 1 ? "" : "s");
	if (w->again)
		findings_add(f, SEVERITY_WARNING, "row-twice",
			"give a time with fractions before each reading, and each reading once",
			"%s: %zu row%s of a device and moment that %s there already: the first is "
			"kept",
			w->in->name, w->again, w->again == 1 ? " is" : "s are",
			w->again == 1 ? "is" : "are");
	if (w->backwards)
		findings_add(f, SEVERITY_WARNING, "time-backwards",
			"use a clock that is not set back: date +%s in UTC",
			"%s: %zu rows of a time before the one before it (the clock was set back): "
			"those intervals are left out",
			w->in->name, w->backwards);
	evidence_figures_say(&w->figures, w->in->name, f);
}

static void
say(const struct work *w)
{
	struct findings *f = &w->e->findings;
	say_rows(w);
	if (w->untimed)
		findings_add(f, SEVERITY_WARNING, "no-time",
			"put the time before each reading, as in: date +'# %s.%N'; cat "
			"/proc/diskstats; or give --interval",
			"%s: %zu rows without a time of their own: counters differ, rates are not "
			"known",
			w->in->name, w->untimed);
	if (w->resets)
		findings_add(f, SEVERITY_WARNING, "counter-reset", NULL,
			"%s: counters began anew %zu time%s; those intervals are left out",
			w->in->name, w->resets, w->resets == 1 ? "" : "s");
	if (w->wraps)
		findings_add(f, SEVERITY_NOTE, "counter-wrap", NULL,
			"%s: %zu counter%s of milliseconds passed 2^32 and %s continued",
			w->in->name, w->wraps, w->wraps == 1 ? "" : "s",
			w->wraps == 1 ? "was" : "were");
	if (w->cut)
		findings_add(f, SEVERITY_WARNING, "cut-end", NULL,
			"%s: the last line is cut and left out", w->in->name);
}

/* One reading alone: means since the start of the machine are all that it holds. */
static void
say_since_boot(const struct work *w)
{
	for (size_t i = 0; i < w->n_last; i++) {
		const double *v = w->last[i].v;
		if (!(v[READS] + v[WRITES] > 0) || isnan(v[READ_MS]))
			continue;
		findings_add(&w->e->findings, SEVERITY_NOTE, "since-boot", NULL,
			"%s: %s since the machine started: %.0f reads of %.2f KiB at %.3f ms, %.0f "
			"writes of %.2f KiB at %.3f ms",
			w->in->name, w->last[i].name, v[READS],
			v[READS] > 0 ? v[READ_SECTORS] / 2 / v[READS] : 0,
			v[READS] > 0 ? v[READ_MS] / v[READS] : 0, v[WRITES],
			v[WRITES] > 0 ? v[WRITE_SECTORS] / 2 / v[WRITES] : 0,
			v[WRITES] > 0 ? v[WRITE_MS] / v[WRITES] : 0);
	}
	findings_add(&w->e->findings, SEVERITY_WARNING, "one-reading",
		"take a reading each second: while :; do date +'# %s.%N'; cat /proc/diskstats; "
		"sleep "
		"1; done",
		"%s: one reading of /proc/diskstats gives no rate", w->in->name);
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w = {.in = in, .e = e, .first = e->n_series, .at_s = NAN};
	struct evidence_line line = {0};
	struct evidence_word words[MAX_WORDS];
	size_t n;
	int rc = 0;
	w.step_s = in->options ? in->options->interval_s : (double)NAN;
	while (rc == 0 && evidence_next_line(in->text, in->n, &line)) {
		double at;
		if (!line.whole && line.n) {
			w.cut++; /* even a whole number of fields may have lost digits */
			continue;
		}
		if (is_row(&line, words, &n))
			rc = add_row(&w, words, n, line.number, err);
		else if (!isnan(at = time_of(&line)))
			w.at_s = at;
		else if (is_broken_row(words, n) && w.odd++ == 0)
			w.odd_line = line.number;
	}
	if (rc)
		return rc;
	if (w.n_last == 0)
		return err_set(err, ERR_PARSE, "%s:1:1: no whole row of /proc/diskstats", in->name);
	say(&w);
	if (e->n_series == w.first && w.untimed == 0 && w.backwards == 0 && w.resets == 0)
		say_since_boot(&w);
	return evidence_series_done(e, w.first, in, err);
}

const struct evidence_reader evidence_diskstats = {
	.name = "/proc/diskstats",
	.probe = probe,
	.read = read_text,
};
