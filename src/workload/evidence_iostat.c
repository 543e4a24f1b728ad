/*
 * evidence_iostat.c - the text of iostat, any version and layout: columns by the name in the header, which may
 * repeat, sub-tables of -h with the device last, decimal points or commas, groups (indented), cut ends.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_clock.h"
#include "workload/evidence_reader.h"
#include "workload/iostat.h"

enum { MAX_WORDS = 64 };

struct work {
	struct iostat io;
	struct evidence_clock clock;
	struct evidence_word header[MAX_WORDS];
	size_t n_header; /* 0: no table here */
	bool name_last;
	bool cpu_next; /* the next line has the figures of avg-cpu */
	struct evidence_word cpu_header[MAX_WORDS];
	size_t n_cpu_header;
	struct evidence_word seen; /* first column of the first table of this report */
	bool open; /* a report has begun: its time or processors, or a table */
	bool cpu_seen, table_seen; /* in this report */
};

static bool
is_device_word(const struct evidence_word *w)
{
	return evidence_word_is(w, "Device") || evidence_word_is(w, "Device:");
}

static bool
is_header(const struct evidence_word *w, size_t n)
{
	return n > 1 && n <= MAX_WORDS && (is_device_word(&w[0]) || is_device_word(&w[n - 1]));
}

static int
begin(struct work *w, double at_s, struct err *err)
{
	w->open = true;
	w->cpu_seen = w->table_seen = false;
	return iostat_report(&w->io, at_s, err);
}

/* Of -h the columns come in several tables; one that was seen in this report begins the next. */
static int
take_header(struct work *w, const struct evidence_word *words, size_t n, struct err *err)
{
	w->name_last = is_device_word(&words[n - 1]) && n > 1;
	const struct evidence_word *first = &words[w->name_last ? 0 : 1];
	bool again = w->table_seen && first->n == w->seen.n &&
		     memcmp(first->text, w->seen.text, first->n) == 0;
	int rc = !w->open || again ? begin(w, NAN, err) : 0;
	if (!w->table_seen)
		w->seen = *first;
	w->table_seen = true;
	memcpy(w->header, words, n * sizeof(*words));
	w->n_header = n;
	return rc;
}

static int
take_row(struct work *w, const struct evidence_line *line, const struct evidence_word *words,
	size_t n, struct err *err)
{
	if (n != w->n_header) {
		w->io.odd++;
		return 0;
	}
	size_t name = w->name_last ? n - 1 : 0;
	bool group = !w->name_last && (line->text[0] == ' ' || line->text[0] == '\t');
	size_t n_name = words[name].n - (words[name].text[words[name].n - 1] == ':');
	struct iostat_row *row = iostat_row(&w->io, words[name].text, n_name, group);
	if (!row)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		if (i != name)
			iostat_cell(&w->io, row, line->number, w->header[i], words[i]);
	}
	return 0;
}

static int
take_cpu_header(struct work *w, const struct evidence_word *words, size_t n, struct err *err)
{
	int rc = !w->open || w->cpu_seen || w->table_seen ? begin(w, NAN, err) : 0;
	w->cpu_seen = true;
	w->cpu_next = true;
	w->n_header = 0;
	w->n_cpu_header = n - 1 < MAX_WORDS ? n - 1 : MAX_WORDS;
	memcpy(w->cpu_header, words + 1, w->n_cpu_header * sizeof(*words));
	return rc;
}

static int
take_cpu(struct work *w, const struct evidence_word *words, size_t n, struct err *err)
{
	double busy = 0, iowait = NAN, steal = NAN;
	w->cpu_next = false;
	if (n != w->n_cpu_header)
		return 0;
	for (size_t i = 0; i < n; i++) {
		double v = evidence_number(words[i].text, words[i].n);
		if (evidence_word_is(&w->cpu_header[i], "%iowait"))
			iowait = v;
		else if (evidence_word_is(&w->cpu_header[i], "%steal"))
			steal = v;
		else if (!evidence_word_is(&w->cpu_header[i], "%idle"))
			busy += v;
	}
	return isnan(busy) ? 0 : iostat_cpu(&w->io, busy, iowait, steal, err);
}

/* "Linux 6.18.44 (dbhost) 11/30/26 _x86_64_ (2 CPU)"; a blank line more after it is the sign of -y. */
static int
take_banner(struct work *w, const struct evidence_line *line, struct err *err)
{
	const char *open = memchr(line->text, '(', line->n);
	const char *end = line->text + line->n;
	const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
	const char *host = NULL;
	if (close) {
		host = arena_strndup(w->io.e->arena, open + 1, (size_t)(close - open - 1));
		if (!host)
			return err_nomem(err);
	}
	struct evidence_line next = *line;
	int blanks = 0;
	while (evidence_next_line(w->io.in->text, w->io.in->n, &next) && next.n == 0)
		blanks++;
	w->open = false;
	w->n_header = 0;
	return iostat_restart(&w->io, host, blanks > 1, err);
}

/* A row of a device, maybe with a cell that is none: most of it are numbers. */
static bool
mostly_numbers(const struct evidence_word *w, size_t n)
{
	size_t numbers = 0;
	for (size_t i = 1; i < n; i++)
		numbers += evidence_is_numeric(&w[i]);
	return n > 1 && 2 * numbers > n - 1;
}

/* A line within no table. */
static int
take_other(struct work *w, const struct evidence_line *line, struct err *err)
{
	size_t used;
	double at = evidence_clock_read(&w->clock, line->text, line->n, &used);
	if (isnan(at)) { /* -U: seconds since 1970 */
		at = evidence_number(line->text, line->n);
		at = at > 1e8 && at < 1e11 ? at : (double)NAN;
	}
	return isnan(at) ? 0 : begin(w, at, err);
}

static int
take_line(struct work *w, const struct evidence_line *line, struct err *err)
{
	struct evidence_word words[MAX_WORDS];
	size_t n = evidence_words(line, words, MAX_WORDS);
	if (n == 0) {
		w->n_header = 0;
		return 0;
	}
	if (!line->whole) {
		w->io.cut++;
		return 0;
	}
	if (n > MAX_WORDS)
		return 0;
	if (evidence_word_is(&words[0], "Linux"))
		return take_banner(w, line, err);
	if (evidence_word_is(&words[0], "avg-cpu:"))
		return take_cpu_header(w, words, n, err);
	if (is_header(words, n))
		return take_header(w, words, n, err);
	if (w->cpu_next)
		return take_cpu(w, words, n, err);
	if (w->n_header == 0)
		return take_other(w, line, err);
	if (w->name_last || mostly_numbers(words, n))
		return take_row(w, line, words, n, err);
	w->io.odd++;
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct evidence_line line = {0};
	struct evidence_word w[MAX_WORDS];
	for (int i = 0; i < 200 && evidence_next_line(in->text, in->n, &line); i++) {
		size_t n = evidence_words(&line, w, MAX_WORDS);
		if (is_header(w, n))
			return true;
		if (line.text[0] == '{' || line.text[0] == '[')
			return false;
	}
	return false;
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w = {0};
	struct evidence_line line = {0};
	int rc = 0;
	iostat_init(&w.io, "iostat", in, e);
	evidence_clock_decide(&w.clock, in);
	evidence_clock_say(&w.clock, in, e);
	while (rc == 0 && evidence_next_line(in->text, in->n, &line))
		rc = take_line(&w, &line, err);
	return rc ? rc : iostat_finish(&w.io, err);
}

const struct evidence_reader evidence_iostat = {
	.name = "iostat",
	.probe = probe,
	.read = read_text,
};
