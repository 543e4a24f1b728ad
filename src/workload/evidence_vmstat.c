/*
 * evidence_vmstat.c - vmstat: processors and the run queue.  Its bi and bo are of all devices together and it has no
 * operations, so no series comes of it.  The first row is of the time since the machine started.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_clock.h"
#include "workload/evidence_figure.h"
#include "workload/evidence_reader.h"

enum { MAX_WORDS = 64, RUNNABLE = 0, USER, SYSTEM, GUEST, IOWAIT, STEAL, COLUMNS };

static const char *const names[COLUMNS] = {"r", "us", "sy", "gu", "wa", "st"};

struct work {
	const struct evidence_input *in;
	struct evidence *e;
	struct evidence_clock clock;
	struct evidence_cpu cpu;
	size_t at[COLUMNS]; /* their place in a row; MAX_WORDS: not there */
	size_t n_header, stamp; /* columns; those after them that are a time */
	size_t line; /* of the row being read */
	struct evidence_figures figures; /* cells that are none */
	size_t rows, odd, cut;
};

static bool
is_header(const struct evidence_word *w, size_t n)
{
	return n >= 16 && n <= MAX_WORDS && evidence_word_is(&w[0], "r") &&
	       evidence_word_is(&w[1], "b") && evidence_word_is(&w[2], "swpd");
}

static void
take_header(struct work *w, const struct evidence_word *words, size_t n)
{
	w->n_header = n;
	for (size_t k = 0; k < COLUMNS; k++) {
		w->at[k] = MAX_WORDS;
		for (size_t i = 0; i < n; i++) {
			if (evidence_word_is(&words[i], names[k]))
				w->at[k] = i;
		}
	}
	/* -t: one more title, the zone, for two words */
	const struct evidence_word *last = &words[n - 1];
	size_t known = 0;
	for (size_t k = USER; k < COLUMNS; k++)
		known += evidence_word_is(last, names[k]);
	w->stamp = known ? 0 : 1;
}

static bool
zone_is_utc(const struct evidence_line *header)
{
	return header->n >= 3 && memcmp(header->text + header->n - 3, "UTC", 3) == 0;
}

static double
cell(struct work *w, const struct evidence_word *words, int column)
{
	size_t i = w->at[column];
	const char *name = names[column];
	return i == MAX_WORDS ? (double)NAN
			      : evidence_figure(&w->figures, w->line,
					(struct evidence_word){name, strlen(name)}, words[i]);
}

static int
grow(struct work *w, double **array, double v, struct err *err)
{
	double *all = arena_grow(w->e->arena, *array, w->cpu.n, sizeof(*all));
	if (!all)
		return err_nomem(err);
	*array = all;
	all[w->cpu.n] = v;
	return 0;
}

static int
take_row(struct work *w, const struct evidence_line *line, const struct evidence_word *words,
	struct err *err)
{
	size_t used;
	w->line = line->number;
	double guest = cell(w, words, GUEST), at = NAN;
	double busy = cell(w, words, USER) + cell(w, words, SYSTEM) + (isnan(guest) ? 0 : guest);
	if (w->stamp) {
		const char *from = words[w->n_header - 1].text;
		at = evidence_clock_read(
			&w->clock, from, (size_t)(line->text + line->n - from), &used);
	}
	int rc = grow(w, &w->cpu.end_s, at, err);
	if (rc == 0)
		rc = grow(w, &w->cpu.busy_frac, busy / 100, err);
	if (rc == 0)
		rc = grow(w, &w->cpu.iowait_frac, cell(w, words, IOWAIT) / 100, err);
	if (rc == 0)
		rc = grow(w, &w->cpu.steal_frac, cell(w, words, STEAL) / 100, err);
	if (rc == 0)
		rc = grow(w, &w->cpu.runnable, cell(w, words, RUNNABLE), err);
	w->cpu.n += rc == 0;
	return rc;
}

static int
take_line(struct work *w, const struct evidence_line *line, struct err *err)
{
	struct evidence_word words[MAX_WORDS];
	size_t n = evidence_words(line, words, MAX_WORDS);
	if (is_header(words, n)) {
		take_header(w, words, n);
		if (w->stamp && zone_is_utc(line))
			w->clock.utc_offset_s = 0;
		return 0;
	}
	if (w->n_header == 0 || n == 0 || !evidence_is_numeric(&words[0]))
		return 0;
	if (!line->whole) {
		w->cut++;
		return 0;
	}
	if (n != w->n_header + w->stamp) {
		w->odd++;
		return 0;
	}
	bool keep = w->in->options && w->in->options->keep_first;
	return w->rows++ || keep ? take_row(w, line, words, err) : 0;
}

static bool
is_disks(const struct evidence_line *line)
{
	return evidence_starts(line, "disk- ---");
}

static bool
probe(const struct evidence_input *in)
{
	struct evidence_line line = {0};
	struct evidence_word w[MAX_WORDS];
	for (int i = 0; i < 8 && evidence_next_line(in->text, in->n, &line); i++) {
		if (is_disks(&line) || is_header(w, evidence_words(&line, w, MAX_WORDS)))
			return true;
	}
	return false;
}

static void
say(const struct work *w)
{
	struct findings *f = &w->e->findings;
	const char *name = w->in->name;
	findings_add(f, SEVERITY_NOTE, "processors-only",
		"run iostat -x or read /proc/diskstats for the disks",
		"%s: vmstat sums bytes over all devices and counts no operations: used for "
		"processors alone",
		name);
	if (!w->in->options || !w->in->options->keep_first)
		findings_add(f, SEVERITY_NOTE, "since-boot", NULL,
			"%s: the first row is of the time since the machine started and is left "
			"out",
			name);
	if (w->odd)
		findings_add(f, SEVERITY_WARNING, "odd-row", NULL,
			"%s: %zu rows with another number of fields than the header are left out",
			name, w->odd);
	if (w->cut)
		findings_add(f, SEVERITY_WARNING, "cut-end", NULL,
			"%s: the last line is cut and left out", name);
	evidence_figures_say(&w->figures, name, f);
}

static int
read_text(const struct evidence_input *in, struct evidence *e, struct err *err)
{
	struct work w = {.in = in, .e = e};
	struct evidence_line line = {0};
	int rc = 0;
	evidence_clock_decide(&w.clock, in);
	while (rc == 0 && evidence_next_line(in->text, in->n, &line)) {
		if (is_disks(&line))
			return err_set(err, ERR_UNSUPPORTED,
				"%s:%zu:1: vmstat -d prints totals without a time; read "
				"/proc/diskstats each second instead",
				in->name, line.number);
		rc = take_line(&w, &line, err);
	}
	if (rc)
		return rc;
	if (w.cpu.n == 0)
		return err_set(
			err, ERR_PARSE, "%s:1:1: no row after the one since the start", in->name);
	say(&w);
	struct evidence_cpu *c = evidence_add_cpu(e);
	w.cpu.source = "vmstat";
	w.cpu.file = arena_strdup(e->arena, in->name);
	if (!c || !w.cpu.file)
		return err_nomem(err);
	*c = w.cpu;
	return 0;
}

const struct evidence_reader evidence_vmstat = {
	.name = "vmstat",
	.probe = probe,
	.read = read_text,
};
