/*
 * names.h - the words of an enum, and the nearest known word to a misspelt one.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

struct buf;

struct names {
	const char *what; /* "volume role": for messages */
	const char *const *text; /* indexed by the enum's value */
	int count;
};

/* The value of `text`, or -1. */
int names_find(const struct names *names, const char *text);

/* The word of a value; "unknown" outside the table. */
const char *names_text(const struct names *names, int value);

/* "a, b or c" appended to out. */
void names_list(const struct names *names, struct buf *out);

/*
 * The candidate with the smallest edit distance to `text`, when that is at most a third of its
 * length (and at least 1 is always allowed); else NULL.  `stride` is the byte step between name
 * pointers, so an array of structs whose first member is the name works too.
 */
const char *names_nearest(const char *text, const void *first, size_t n, size_t stride);

#endif /* BASE_NAMES_H */
