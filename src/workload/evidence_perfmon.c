/*
 * evidence_perfmon.c - CSV of the Windows Performance Monitor (relog, typeperf, logman): PhysicalDisk and LogicalDisk
 * counters.  Latencies are in seconds; the first row of rates is blank; _Total is the machine; the separator is that
 * of the locale, numbers may have decimal commas; times are local, month first, with the zone in the first header.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_clock.h"
#include "workload/evidence_figure.h"
#include "workload/evidence_reader.h"

enum { MAX_COLUMNS = 4096 };

static const char mark[] = "(PDH-CSV 4.0)";

struct counter {
	const char *name; /* English */
	size_t member;
	double scale;
	bool weak; /* only where no other counter gives the member */
};

#define M(m) offsetof(struct evidence_sample, m)

static const struct counter counters[] = {
	{"Disk Reads/sec", M(read_iops), 1, false},
	{"Disk Writes/sec", M(write_iops), 1, false},
	{"Disk Transfers/sec", M(any_iops), 1, false},
	{"Disk Read Bytes/sec", M(read_bytes_s), 1, false},
	{"Disk Write Bytes/sec", M(write_bytes_s), 1, false},
	{"Disk Bytes/sec", M(any_bytes_s), 1, false},
	{"Avg. Disk sec/Read", M(read_us), 1e6, false},
	{"Avg. Disk sec/Write", M(write_us), 1e6, false},
	{"Avg. Disk sec/Transfer", M(any_us), 1e6, false},
	{"Avg. Disk Queue Length", M(queue), 1, false},
	{"Current Disk Queue Length", M(queue), 1, true},
	{"% Idle Time", M(active_frac), 0.01, false},
};

/* One column of the file. */
struct place {
	const struct counter *counter; /* NULL: none of ours */
	size_t series; /* number of its series */
};

struct work {
	const struct evidence_input *in;
	struct evidence *e;
	struct evidence_clock clock;
	struct evidence_flow flow;
	size_t first;
	char separator;
	struct place *places;
	size_t n_places;
	size_t cut, odd, unknown;
	struct evidence_word unknown_name; /* one of them */
	struct evidence_figures figures; /* cells that are none */
	bool physical;
};

/* The next cell of a line at *p: quotes are taken off.  False after the last. */
static bool
next_cell(const struct work *w, const char **p, const char *end, struct evidence_word *cell)
{
	const char *at = *p;
	if (at > end)
		return false;
	if (at < end && *at == '"') {
		const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
		close = close ? close : end;
		*cell = (struct evidence_word){at + 1, (size_t)(close - at - 1)};
		at = close < end ? close + 1 : end;
	} else {
		const char *stop = memchr(at, w->separator, (size_t)(end - at));
		*cell = (struct evidence_word){at, (size_t)((stop ? stop : end) - at)};
		at = stop ? stop : end;
	}
	*p = at + 1; /* past the separator, or past the end */
	return true;
}

/* \\HOST\PhysicalDisk(1 F:)\Avg. Disk sec/Read in its parts. */
struct path {
	struct evidence_word host, object, instance, counter;
};

static bool
split_path(const struct evidence_word *cell, struct path *p)
{
	const char *end = cell->text + cell->n, *at = cell->text;
	*p = (struct path){0};
	if (cell->n > 2 && at[0] == '\\' && at[1] == '\\') {
		const char *stop = memchr(at + 2, '\\', cell->n - 2);
		if (!stop)
			return false;
		p->host = (struct evidence_word){at + 2, (size_t)(stop - at - 2)};
		at = stop;
	}
	if (at == end || *at != '\\')
		return false;
	at++;
	const char *open = memchr(at, '(', (size_t)(end - at));
	const char *last = memrchr(at, '\\', (size_t)(end - at));
	if (!open || !last || last < open || last[-1] != ')')
		return false;
	p->object = (struct evidence_word){at, (size_t)(open - at)};
	p->instance = (struct evidence_word){open + 1, (size_t)(last - 1 - open - 1)};
	p->counter = (struct evidence_word){last + 1, (size_t)(end - last - 1)};
	return true;
}

static const struct counter *
find_counter(const struct evidence_word *name)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (evidence_word_is(name, counters[i].name))
			return &counters[i];
	}
	return NULL;
}

static int
name_series(struct work *w, const struct path *p, struct place *place, struct err *err)
{
	bool logical = evidence_word_is(&p->object, "LogicalDisk");
	const char *name = arena_printf(w->e->arena, "%s%.*s", logical ? "LogicalDisk " : "",
		(int)p->instance.n, p->instance.text);
	const char *host = p->host.n ? arena_strndup(w->e->arena, p->host.text, p->host.n) : NULL;
	struct evidence_series *s = name && !host == !p->host.n ? evidence_series_of(w->e, w->first,
									  host, name, strlen(name))
								: NULL;
	if (!s)
		return err_nomem(err);
	s->source = "perfmon";
	s->scope = evidence_word_is(&p->instance, "_Total") ? EVIDENCE_MACHINE
		   : logical                                ? EVIDENCE_PART
							    : EVIDENCE_DISK;
	w->physical = w->physical || !logical;
	place->series = (size_t)(s - w->e->series);
	return 0;
}

static int
add_place(struct work *w, const struct evidence_word *cell, struct err *err)
{
	struct place *all = arena_grow(w->e->arena, w->places, w->n_places, sizeof(*all));
	struct place place = {0};
	struct path p;
	if (!all)
		return err_nomem(err);
	w->places = all;
	if (split_path(cell, &p)) {
		bool disk = evidence_word_is(&p.object, "PhysicalDisk") ||
			    evidence_word_is(&p.object, "LogicalDisk");
		place.counter = disk ? find_counter(&p.counter) : NULL;
		if (disk && !place.counter) {
			w->unknown++;
			w->unknown_name = p.counter;
		}
	}
	int rc = place.counter ? name_series(w, &p, &place, err) : 0;
	w->places[w->n_places++] = place;
	return rc;
}

/* "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)": minutes that UTC is ahead. */
static void
take_zone(struct work *w, const struct evidence_word *cell)
{
	const char *open = memrchr(cell->text, '(', cell->n);
	const char *end = cell->text + cell->n;
	w->clock = (struct evidence_clock){.day_first = false};
	if (open && end[-1] == ')') {
		double minutes = evidence_number(open + 1, (size_t)(end - open - 2));
		if (fabs(minutes) <= 900)
			w->clock.utc_offset_s = -60 * minutes;
	}
}

static int
take_header(struct work *w, const struct evidence_line *line, struct err *err)
{
	const char *p = line->text, *end = p + line->n;
	struct evidence_word cell;
	int rc = 0;
	w->separator = ',';
	if (next_cell(w, &p, end, &cell)) {
		take_zone(w, &cell);
		if (p <= end && p > line->text)
			w->separator = p[-1]; /* what stands behind the first quoted cell */
	}
	while (rc == 0 && next_cell(w, &p, end, &cell))
		rc = w->n_places < MAX_COLUMNS
			     ? add_place(w, &cell, err)
			     : err_set(err, ERR_RANGE, "%s:1: more than %d counters", w->in->name,
				       MAX_COLUMNS);
	return rc;
}

/* The sample of this row, made by the first cell that holds a figure. */
static struct evidence_sample *
sample_of(struct work *w, struct evidence_series *s, double at)
{
	if (s->n_samples && s->samples[s->n_samples - 1].end_s == at)
		return &s->samples[s->n_samples - 1];
	struct evidence_sample *x = evidence_add_sample(w->e, s);
	if (x)
		x->end_s = at;
	return x;
}

static int
take_cell(struct work *w, const struct place *place, struct evidence_word cell, double at,
	size_t line, struct err *err)
{
	if (!place->counter)
		return 0;
	const char *name = place->counter->name;
	double v = evidence_figure(
		&w->figures, line, (struct evidence_word){name, strlen(name)}, cell);
	if (isnan(v))
		return 0;
	struct evidence_sample *x = sample_of(w, &w->e->series[place->series], at);
	if (!x)
		return err_nomem(err);
	double *member = (double *)(void *)((char *)x + place->counter->member);
	if (place->counter->weak && !isnan(*member))
		return 0;
	*member = v * place->counter->scale;
	if (place->counter->member == M(active_frac))
		*member = fmax(0, 1 - *member); /* printed up to a little over 100 */
	return 0;
}

static int
take_row(struct work *w, const struct evidence_line *line, struct err *err)
{
	const char *p = line->text, *end = p + line->n;
	struct evidence_word cell;
	size_t used, i = 0;
	int rc = 0;
	if (line->n == 0 || !next_cell(w, &p, end, &cell))
		return 0;
	double at = evidence_clock_read(&w->clock, cell.text, cell.n, &used);
	if (!line->whole || isnan(at)) {
		w->cut += !line->whole;
		w->odd += line->whole;
		return 0;
	}
	at = evidence_flow_next(&w->flow, at);
	for (; rc == 0 && i < w->n_places && next_cell(w, &p, end, &cell); i++)
		rc = take_cell(w, &w->places[i], cell, at, line->number, err);
	w->odd += i != w->n_places;
	return rc;
}

/* The first row has gauges but no rates yet: it is no interval. */
static void
drop_first(const struct work *w)
{
	for (size_t i = w->first; i < w->e->n_series; i++) {
		struct evidence_series *s = &w->e->series[i];
		struct evidence_sample *x = s->samples;
		if (s->n_samples && isnan(x->read_iops) && isnan(x->write_iops) &&
			isnan(x->any_iops) && isnan(x->read_bytes_s) && isnan(x->any_bytes_s))
			memmove(x, x + 1, --s->n_samples * sizeof(*x));
		for (size_t k = 0; k < s->n_samples; k++) {
			if (x[k].read_iops == 0)
				x[k].read_us = NAN;
			if (x[k].write_iops == 0)
				x[k].write_us = NAN;
		}
		if (s->scope == EVIDENCE_PART && !w->physical)
			s->scope = EVIDENCE_DISK;
	}
}

static void
say(const struct work *w)
{
	struct findings *f = &w->e->findings;
	if (w->unknown)
		findings_add(f, SEVERITY_NOTE, "unknown-counter",
			"export with English names: lodctr, or relog on an English system",
			"%s: %zu disk counters are not used, as \"%.*s\"", w->in->name, w->unknown,
			(int)w->unknown_name.n, w->unknown_name.text);
	if (w->cut)
		findings_add(f, SEVERITY_WARNING, "cut-end", NULL,
			"%s: the last line is cut and left out", w->in->name);
	if (w->odd)
		findings_add(f, SEVERITY_WARNING, "odd-row", NULL,
			"%s: %zu rows without a time or with too few cells", w->in->name, w->odd);
	evidence_figures_say(&w->figures, w->in->name, f);
	evidence_flow_say(&w->flow, w->in->name, f);
}

static bool
has_samples(const struct work *w)
{
	size_t n = 0;
	for (size_t i = w->first; i < w->e->n_series; i++)
		n += w->e->series[i].n_samples;
	return n > 0;
}

static bool
probe(const struct evidence_input *in)
{
	return memmem(in->text, in->n < 64 ? in->n : 64, mark, sizeof(mark) - 1) != NULL;
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w = {.in = in, .e = e, .first = e->n_series, .flow = {.last_s = NAN}};
	struct evidence_line line = {0};
	int rc = 0;
	while (rc == 0 && evidence_next_line(in->text, in->n, &line)) {
		if (line.number == 1)
			rc = take_header(&w, &line, err);
		else
			rc = take_row(&w, &line, err);
	}
	if (rc)
		return rc;
	if (e->n_series == w.first)
		return err_set(err, ERR_PARSE,
			"%s:1:1: no counter of PhysicalDisk or LogicalDisk by its English "
			"name%s%.*s",
			in->name, w.unknown ? "; one is " : "", (int)w.unknown_name.n,
			w.unknown ? w.unknown_name.text : "");
	drop_first(&w);
	if (!has_samples(&w))
		return err_set(err, ERR_PARSE,
			"%s:2:1: no whole row with a time and a figure of a disk", in->name);
	say(&w);
	return evidence_series_done(e, w.first, in, err);
}

const struct evidence_reader evidence_perfmon = {
	.name = "Performance Monitor CSV",
	.probe = probe,
	.read = read_text,
};
