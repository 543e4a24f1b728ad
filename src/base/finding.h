/*
 * finding.h - what an importer, a fit, an audit or a rule has to say beside its result.
 *
 * A finding has a stable code, a sentence with the numbers in it, and what to do next.  Text lives
 * in the arena given at init.
 */
#ifndef BASE_FINDING_H
#define BASE_FINDING_H

#include <stddef.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/schema.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };

extern const struct names severity_names;

struct finding {
	int severity; /* enum severity */
	const char *code; /* stable, e.g. "little-law" */
	const char *text; /* one sentence with values and units */
	const char *todo; /* what to do next; NULL when nothing */
};

struct findings {
	struct arena *arena;
	struct finding *items;
	size_t n;
};

extern const struct schema finding_schema; /* for documents that hold a list of findings */

void findings_init(struct findings *f, struct arena *a);

/* Add one; `todo` may be NULL (borrowed text is copied).  Dropped silently only when out of memory.
 */
void findings_add(struct findings *f, enum severity severity, const char *code, const char *todo,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The first finding with that code, or NULL. */
const struct finding *findings_find(const struct findings *f, const char *code);

#endif /* BASE_FINDING_H */
