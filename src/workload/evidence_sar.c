/*
 * evidence_sar.c - `sar -d` and `sar -b` as text, and `sadf -d`.  They do not tell reads from writes in operations and
 * latency (sar -b does in operations).  Rows of "Average:" are left out; a device may appear later.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "workload/evidence_clock.h"
#include "workload/evidence_reader.h"
#include "workload/iostat.h"

enum { MAX_WORDS = 64 };

struct work {
	struct iostat io;
	struct evidence_clock clock;
	double day_s; /* midnight of the banner's date; NaN: none */
	double last_s; /* time of the day of the last line, to see midnight pass */
	struct evidence_word header[MAX_WORDS];
	size_t n_header; /* 0: rows of a table that is not ours */
	bool devices; /* DEV is the first column; else rows are of the machine (-b) */
	double row_s; /* of the report that is open */
};

/* Words of a line after its time; 0 when it has none. *at: the time. */
static size_t
after_time(
	struct work *w, const struct evidence_line *line, struct evidence_word *words, double *at)
{
	size_t used;
	double time = evidence_clock_time(line->text, line->n, &used);
	*at = NAN;
	if (isnan(time))
		return 0;
	if (!isnan(w->last_s) && time < w->last_s - 43200)
		w->day_s += 86400;
	w->last_s = time;
	*at = w->day_s + time - w->clock.utc_offset_s;
	struct evidence_line rest = *line;
	rest.text += used;
	rest.n -= used;
	return evidence_words(&rest, words, MAX_WORDS);
}

/* Names of columns; a row has figures, also where one of them is "-nan". */
static bool
is_header(const struct evidence_word *words, size_t n)
{
	size_t numbers = 0;
	for (size_t i = 0; i < n; i++)
		numbers += evidence_is_numeric(&words[i]);
	return numbers == 0;
}

static void
take_header(struct work *w, const struct evidence_word *words, size_t n)
{
	w->devices = evidence_word_is(&words[0], "DEV");
	bool ours = w->devices;
	for (size_t i = 0; i < n; i++)
		ours = ours || evidence_word_is(&words[i], "rtps");
	w->n_header = ours ? n : 0;
	memcpy(w->header, words, n * sizeof(*words));
}

static int
take_row(struct work *w, const struct evidence_word *words, size_t n, double at, size_t line,
	struct err *err)
{
	static const char all[] = "all disks";
	if (n != w->n_header) {
		w->io.odd++;
		return 0;
	}
	int rc = at == w->row_s ? 0 : iostat_report(&w->io, at, err);
	w->row_s = at;
	struct iostat_row *row = rc ? NULL
				    : iostat_row(&w->io, w->devices ? words[0].text : all,
					      w->devices ? words[0].n : sizeof(all) - 1, false);
	if (!row)
		return rc ? rc : err_nomem(err);
	for (size_t i = w->devices ? 1 : 0; i < n; i++)
		iostat_cell(&w->io, row, line, w->header[i], words[i]);
	return 0;
}

static int
take_banner(struct work *w, const struct evidence_line *line, struct err *err)
{
	struct evidence_word words[MAX_WORDS];
	size_t n = evidence_words(line, words, MAX_WORDS);
	for (size_t i = 1; i < n && i < MAX_WORDS; i++) {
		double day = evidence_clock_day(&w->clock, words[i].text, words[i].n);
		const char *host = NULL;
		if (words[i].text[0] == '(' && words[i].n > 2 && i < 4) {
			host = arena_strndup(w->io.e->arena, words[i].text + 1, words[i].n - 2);
			if (!host)
				return err_nomem(err);
			int rc = iostat_host(&w->io, host, err);
			if (rc)
				return rc;
		}
		if (!isnan(day) && isdigit((unsigned char)words[i].text[0]) && i >= 3)
			w->day_s = day;
	}
	w->last_s = NAN;
	return iostat_report(&w->io, NAN, err);
}

static bool
says_restart(const struct evidence_line *line)
{
	return memmem(line->text, line->n, "RESTART", strlen("RESTART")) != NULL;
}

static int
take_line(struct work *w, const struct evidence_line *line, struct err *err)
{
	struct evidence_word words[MAX_WORDS];
	double at;
	if (evidence_starts(line, "Linux"))
		return take_banner(w, line, err);
	size_t n = after_time(w, line, words, &at);
	if (n == 0 || n > MAX_WORDS)
		return 0;
	if (says_restart(line)) /* counters begin anew: the next row is of the time since */
		return iostat_report(&w->io, at, err);
	if (is_header(words, n)) {
		take_header(w, words, n);
		/* the time of the first header begins the first interval */
		return w->n_header && w->io.n_reports <= 1 && isnan(w->io.at_s)
			       ? iostat_report(&w->io, at, err)
			       : 0;
	}
	if (!line->whole) {
		w->io.cut++;
		return 0;
	}
	return w->n_header ? take_row(w, words, n, at, line->number, err) : 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct evidence_line line = {0};
	struct work w = {.day_s = 0, .last_s = NAN};
	struct evidence_word words[MAX_WORDS];
	double at;
	for (int i = 0; i < 2000 && evidence_next_line(in->text, in->n, &line); i++) {
		size_t n = after_time(&w, &line, words, &at);
		if (n == 0 || n > MAX_WORDS || !is_header(words, n))
			continue;
		take_header(&w, words, n);
		if (w.n_header)
			return true;
	}
	return false;
}

static void
begin(struct work *w, const struct evidence_input *in, struct evidence *e)
{
	*w = (struct work){.day_s = NAN, .last_s = NAN, .row_s = NAN};
	iostat_init(&w->io, "sar", in, e);
	w->io.boot = false;
	evidence_clock_decide(&w->clock, in);
	evidence_clock_say(&w->clock, in, e);
}

static void
mark_machine(const struct iostat *io)
{
	for (size_t i = io->first; i < io->e->n_series; i++) {
		if (strcmp(io->e->series[i].device, "all disks") == 0)
			io->e->series[i].scope = EVIDENCE_MACHINE;
	}
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w;
	struct evidence_line line = {0};
	int rc = 0;
	begin(&w, in, e);
	while (rc == 0 && evidence_next_line(in->text, in->n, &line))
		rc = take_line(&w, &line, err);
	if (rc == 0)
		rc = iostat_finish(&w.io, err);
	if (rc == 0)
		mark_machine(&w.io);
	return rc;
}

const struct evidence_reader evidence_sar = {
	.name = "sar",
	.probe = probe,
	.read = read_text,
};

/* Fields between semicolons. */
static size_t
split(const struct evidence_line *line, struct evidence_word *words)
{
	const char *p = line->text, *end = p + line->n;
	size_t n = 0;
	while (n < MAX_WORDS) {
		const char *stop = memchr(p, ';', (size_t)(end - p));
		words[n++] = (struct evidence_word){p, (size_t)((stop ? stop : end) - p)};
		if (!stop)
			break;
		p = stop + 1;
	}
	return n;
}

static int
take_fields(struct work *w, const struct evidence_line *line, struct err *err)
{
	struct evidence_word f[MAX_WORDS] = {{0}};
	size_t used, n = split(line, f);
	if (line->text[0] == '#') {
		memcpy(w->header, f, n * sizeof(*f));
		w->n_header = n > 4 && evidence_word_is(&f[3], "DEV") ? n : 0;
		return 0;
	}
	if (w->n_header == 0 || n == 4 || says_restart(line))
		return 0; /* another table, or host;-1;time;LINUX-RESTART */
	if (n != w->n_header) {
		w->io.odd += line->whole;
		w->io.cut += !line->whole;
		return 0;
	}
	if (!w->io.host || !evidence_word_is(&f[0], w->io.host)) {
		const char *host = arena_strndup(w->io.e->arena, f[0].text, f[0].n);
		int failed = host ? iostat_host(&w->io, host, err) : err_nomem(err);
		if (failed)
			return failed;
		w->row_s = NAN;
	}
	double at = evidence_clock_read(&w->clock, f[2].text, f[2].n, &used);
	if (isnan(at))
		at = evidence_number(f[2].text, f[2].n);
	int rc = at == w->row_s ? 0 : iostat_report(&w->io, at, err);
	w->row_s = at;
	w->io.given_s = evidence_number(f[1].text, f[1].n);
	struct iostat_row *row = rc ? NULL : iostat_row(&w->io, f[3].text, f[3].n, false);
	if (!row)
		return rc ? rc : err_nomem(err);
	for (size_t i = 4; i < n; i++)
		iostat_cell(&w->io, row, line->number, w->header[i], f[i]);
	return 0;
}

static bool
probe_fields(const struct evidence_input *in)
{
	static const char start[] = "# hostname;interval;timestamp;";
	return in->n > sizeof(start) &&
	       memmem(in->text, in->n < 65536 ? in->n : 65536, start, sizeof(start) - 1) != NULL;
}

static int
read_fields(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w;
	struct evidence_line line = {0};
	int rc = 0;
	begin(&w, in, e);
	while (rc == 0 && evidence_next_line(in->text, in->n, &line)) {
		if (line.n)
			rc = take_fields(&w, &line, err);
	}
	return rc ? rc : iostat_finish(&w.io, err);
}

const struct evidence_reader evidence_sadf = {
	.name = "sadf -d",
	.probe = probe_fields,
	.read = read_fields,
};
