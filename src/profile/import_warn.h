/*
 * import_warn.h - what is wrong with imported results, one finding a kind however many share it.
 * Internal to profile.
 */
#ifndef PROFILE_IMPORT_WARN_H
#define PROFILE_IMPORT_WARN_H

#include "base/finding.h"

enum { IMPORT_PLACES = 4 }; /* named in a finding */

/* A kind of trouble: stable code, how much it matters, what to do about it. */
struct import_trouble {
	enum severity severity;
	const char *code;
	const char *todo; /* NULL: nothing */
};

struct import_warning {
	const struct import_trouble *trouble;
	const char *text; /* of the first time, with its place */
	const char *places[IMPORT_PLACES]; /* of the first times */
	size_t n;
};

struct import_warnings {
	struct arena *arena;
	struct import_warning *items;
	size_t n;
	size_t n_file; /* warnings and errors since import_warnings_file() */
	char codes[256]; /* of those, each once, with commas */
};

/* A new file begins. */
void import_warnings_file(struct import_warnings *w);
/* place: file, and job when that needs saying; in the arena. */
void import_warn(struct import_warnings *w, const struct import_trouble *trouble, const char *place,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Add those of `from`, which has the same arena. */
void import_warnings_join(struct import_warnings *w, const struct import_warnings *from);
/* One finding an item. */
void import_warnings_put(const struct import_warnings *w, struct findings *out);

#endif /* PROFILE_IMPORT_WARN_H */
