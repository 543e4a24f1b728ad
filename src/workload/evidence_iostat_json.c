/*
 * evidence_iostat_json.c - JSON of iostat and sadf, read object by object, since what they print need not be JSON:
 * a comma before the first object (-y of 11.5.1 to 11.6.0 and 12.0.x to 12.1.4), broken commas of old sadf, no end
 * after a signal.  Every complete object of a "statistics" list is read; what is cut is noted.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "workload/evidence_clock.h"
#include "workload/evidence_reader.h"
#include "workload/iostat.h"

struct work {
	struct iostat io;
	struct evidence_clock clock;
	size_t broken; /* objects that are no JSON */
	const char *counted; /* lines up to here are `line` */
	size_t line; /* before that of the object being read */
	bool sadf;
};

/* The end of the object that begins at p, after its brace; NULL: the text ends first. */
static const char *
object_end(const char *p, const char *end)
{
	int depth = 0;
	bool quoted = false;
	for (; p < end; p++) {
		if (quoted) {
			if (*p == '\\')
				p++;
			else if (*p == '"')
				quoted = false;
		} else if (*p == '"') {
			quoted = true;
		} else if (*p == '{') {
			depth++;
		} else if (*p == '}' && --depth == 0) {
			return p + 1;
		}
	}
	return NULL;
}

static const char *
find(const char *from, const char *end, const char *word)
{
	return memmem(from, (size_t)(end - from), word, strlen(word));
}

static void
take_cell(struct work *w, struct iostat_row *row, struct jval cell)
{
	const char *key = json_key(cell), *text = json_text(cell);
	char number[40];
	double v = json_number(cell);
	size_t line = 0, column = 0;
	json_place(cell, &line, &column);
	if (!text && !isnan(v)) {
		/* 15 digits hold any figure that these tools print, and no more zeros than they did */
		snprintf(number, sizeof(number), fabs(v) < 1e15 ? "%.2f" : "%.12g", v);
		text = number;
	}
	if (!text && json_type(cell) == JSON_NULL)
		text = "null";
	if (key && text)
		iostat_cell(&w->io, row, w->line + line, (struct evidence_word){key, strlen(key)},
			(struct evidence_word){text, strlen(text)});
}

static int
take_disk(struct work *w, struct jval disk, struct err *err)
{
	const char *name = json_text(json_get(disk, "disk_device"));
	if (!name)
		name = json_text(json_get(disk, "disk-device"));
	if (!name)
		return 0;
	struct iostat_row *row = iostat_row(&w->io, name, strlen(name), false);
	if (!row)
		return err_nomem(err);
	for (struct jval cell = json_first(disk); cell.node; cell = json_next(cell))
		take_cell(w, row, cell);
	return 0;
}

/* A text, as iostat prints it, or an object with date, time, utc and interval, as sadf does. */
static double
time_of(struct work *w, struct jval stamp)
{
	char both[64];
	size_t used;
	const char *text = json_text(stamp);
	struct evidence_clock clock = w->clock;
	w->io.given_s = json_number(json_get(stamp, "interval"));
	if (!text) {
		const char *date = json_text(json_get(stamp, "date"));
		const char *time = json_text(json_get(stamp, "time"));
		if (!date || !time)
			return json_number(json_get(stamp, "epoch"));
		snprintf(both, sizeof(both), "%s %s", date, time);
		text = both;
		if (json_number(json_get(stamp, "utc")) == 1)
			clock.utc_offset_s = 0;
	}
	return evidence_clock_read(&clock, text, strlen(text), &used);
}

static int
take_cpu(struct work *w, struct jval cpu, struct err *err)
{
	double busy = json_number(json_get(cpu, "user")) + json_number(json_get(cpu, "nice")) +
		      json_number(json_get(cpu, "system"));
	return isnan(busy) ? 0
			   : iostat_cpu(&w->io, busy, json_number(json_get(cpu, "iowait")),
				     json_number(json_get(cpu, "steal")), err);
}

static int
take_statistics(struct work *w, struct jval o, struct err *err)
{
	int rc = iostat_report(&w->io, time_of(w, json_get(o, "timestamp")), err);
	if (rc == 0)
		rc = take_cpu(w, json_get(o, "avg-cpu"), err);
	struct jval disks = json_get(o, "disk");
	for (struct jval d = json_first(disks); d.node && rc == 0; d = json_next(d))
		rc = take_disk(w, d, err);
	return rc;
}

static int
take_object(struct work *w, const char *from, const char *end, struct err *err)
{
	struct json_doc *doc = NULL;
	struct err quiet;
	for (; w->counted < from; w->counted++)
		w->line += *w->counted == '\n';
	if (json_parse(w->io.in->name, from, (size_t)(end - from), &doc, &quiet) != 0) {
		w->broken++;
		return quiet.code == ERR_NOMEM ? err_nomem(err) : 0;
	}
	int rc = take_statistics(w, json_root(doc), err);
	json_free(doc);
	return rc;
}

/* The objects of one list, from after its "[". *after: where it ends. */
static int
take_list(struct work *w, const char *p, const char *end, const char **after, struct err *err)
{
	int rc = 0;
	while (rc == 0 && p < end && *p != ']') {
		const char *stop = *p == '{' ? object_end(p, end) : p + 1;
		if (!stop) {
			w->io.cut++;
			p = end;
			break;
		}
		if (*p == '{')
			rc = take_object(w, p, stop, err);
		p = stop;
	}
	if (p >= end && w->io.cut == 0)
		w->io.cut++; /* no end of the list */
	*after = p;
	return rc;
}

/* The last "nodename" before p. */
static int
take_host(struct work *w, const char *p, const char **host, struct err *err)
{
	const char *at = w->io.in->text, *name = NULL;
	while ((at = find(at, p, "\"nodename\"")) != NULL) {
		at += strlen("\"nodename\"");
		name = at;
	}
	const char *open = name ? memchr(name, '"', (size_t)(p - name)) : NULL;
	const char *close = open ? memchr(open + 1, '"', (size_t)(p - open - 1)) : NULL;
	if (!close)
		return 0;
	*host = arena_strndup(w->io.e->arena, open + 1, (size_t)(close - open - 1));
	return *host ? 0 : err_nomem(err);
}

/* A blank line or a comma before the first object is what -y leaves. */
static bool
looks_kept(const char *p, const char *end)
{
	int lines = 0;
	for (; p < end && *p != '{' && *p != ']'; p++) {
		if (*p == ',')
			return true;
		lines += *p == '\n';
	}
	return lines > 1;
}

static bool
probe(const struct evidence_input *in)
{
	const char *end = in->text + in->n;
	return find(in->text, end, "\"sysstat\"") && find(in->text, end, "\"statistics\"");
}

static void
say_broken(const struct work *w)
{
	if (w->broken)
		findings_add(&w->io.e->findings, SEVERITY_WARNING, "broken-object", NULL,
			"%s: %zu object%s no JSON and %s left out", w->io.in->name, w->broken,
			w->broken == 1 ? " is" : "s are", w->broken == 1 ? "is" : "are");
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w = {.counted = in->text};
	const char *end = in->text + in->n, *p = in->text;
	int rc = 0;
	w.sadf = find(in->text, end, "\"disk-device\"") != NULL;
	iostat_init(&w.io, w.sadf ? "sar" : "iostat", in, e);
	evidence_clock_decide(&w.clock, in);
	evidence_clock_say(&w.clock, in, e);
	while (rc == 0 && (p = find(p, end, "\"statistics\"")) != NULL) {
		const char *host = NULL, *list = memchr(p, '[', (size_t)(end - p));
		rc = take_host(&w, p, &host, err);
		p = list ? list + 1 : end;
		if (rc == 0)
			rc = iostat_restart(&w.io, host, w.sadf || looks_kept(p, end), err);
		w.io.boot = !w.sadf;
		if (rc == 0)
			rc = take_list(&w, p, end, &p, err);
	}
	if (rc)
		return rc;
	say_broken(&w);
	w.io.no_boot = w.io.no_boot && !w.sadf; /* nothing to say of it */
	return iostat_finish(&w.io, err);
}

const struct evidence_reader evidence_iostat_json = {
	.name = "iostat or sadf JSON",
	.probe = probe,
	.read = read_text,
};
