/*
 * span.h - pieces of a text that a reader works through: lines, words, numbers, cells.
 *
 * Everything borrows from the text, which need not end in a NUL.  Numbers are read with a point or, between
 * digits, a comma, whatever the locale.
 */
#ifndef WORKLOAD_SPAN_H
#define WORKLOAD_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct span {
	const char *text;
	size_t n;
};

struct span_lines {
	const char *next, *end;
	size_t number; /* of the line handed out last, from 1 */
	bool whole; /* it had its end of line */
};

struct span span_of(const char *text);
/* Start at the first line, behind a byte order mark. */
void span_lines_init(struct span_lines *l, const char *text, size_t n);
/* The next line without LF, CR and blanks at its end; false after the last. */
bool span_next_line(struct span_lines *l, struct span *line);

struct span span_trim(struct span s);
bool span_is(struct span s, const char *text);
bool span_starts(struct span s, const char *text);
bool span_has(struct span s, const char *text);
/* Step behind `text`, blanks before it included; false, and unmoved, when something else is next. */
bool span_eat(struct span *s, const char *text);
/* Step behind the first `text` in it; false, and unmoved, when there is none. */
bool span_find(struct span *s, const char *text);
/* The next word (blanks separate); empty at the end. */
struct span span_word(struct span *s);
/* Up to `stop` (stepped over), or all that is left; false when nothing is. */
bool span_cut(struct span *s, char stop, struct span *part);

/* Step over a number (up to 1e30); "NaN" and "-nan" are one, unknown.  false, and unmoved, when none is next. */
bool span_eat_number(struct span *s, double *value);
/* All of it is one number; NaN when it is not. */
double span_number(struct span s);
/* The same for counts with commas between thousands: 13,743. */
double span_thousands(struct span s);
/* All of it is digits, at least one. */
bool span_digits(struct span s);

/* NULL when out of memory. */
const char *span_copy(struct arena *a, struct span s);
/* At most 60 bytes of it, for a message: use as "%.*s", SPAN_SAID(s). */
#define SPAN_SAID(s) (int)((s).n < 60 ? (s).n : 60), (s).text

#endif /* WORKLOAD_SPAN_H */
