/*
 * evidence_lines.h - what readers of text have in common: lines, words, numbers as tools print them in any
 * locale, and which device is whose part.
 *
 * Everything borrows from the text.  Nothing here depends on the locale of this program.
 */
#ifndef WORKLOAD_EVIDENCE_LINES_H
#define WORKLOAD_EVIDENCE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "workload/evidence.h"

struct evidence_line {
	const char *text; /* without the end of the line (LF, CRLF) */
	size_t n;
	size_t number; /* from 1 */
	bool whole; /* an end of line follows */
};

struct evidence_word {
	const char *text;
	size_t n;
};

/* The line after *line (zeroed: the first) of n bytes at text; false at the end. */
bool evidence_next_line(const char *text, size_t n, struct evidence_line *line);

/* Words between blanks, at most `max` of them; the number in the line, which may be larger. */
size_t evidence_words(const struct evidence_line *line, struct evidence_word *words, size_t max);

bool evidence_word_is(const struct evidence_word *w, const char *text);
/* A number, or what stands for one: "-nan", "inf". */
bool evidence_is_numeric(const struct evidence_word *w);
bool evidence_starts(const struct evidence_line *line, const char *text);

/*
 * A number with a decimal point or comma, then maybe a unit of `human` output: % or k M G T (powers of 1024).
 * NaN when it is none; "-nan" and the like too.
 */
double evidence_number(const char *text, size_t n);

/*
 * What a device is, by its name: dm-0, md1, loop0, zram0 carry the traffic of others; vda1, nvme0n1p2 are parts
 * when `whole` knows the disk before the number.
 */
int evidence_scope_of(const char *name, const struct evidence *among, size_t first);

/* The series of that host (NULL: not said) and device read from series number `first` on; made when there is none. */
struct evidence_series *evidence_series_of(
	struct evidence *e, size_t first, const char *host, const char *device, size_t n_device);

/* After the last sample: scopes of the series from `first` on, resolutions where they are NaN, and a note for idle ones. */
int evidence_series_done(
	struct evidence *e, size_t first, const struct evidence_input *in, struct err *err);

#endif /* WORKLOAD_EVIDENCE_LINES_H */
