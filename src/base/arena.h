/*
 * arena.h - memory of one command: many small allocations, released at once.
 *
 * Everything a document loader hands out lives in the arena it was given and dies with it.
 * Not for concurrent use.  Allocations are zeroed and aligned for any type.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_chunk *head;
	size_t used; /* bytes handed out so far */
	size_t max;
};

/* max: most bytes in all; 0 means 1 GiB. */
void arena_init(struct arena *a, size_t max);
void arena_fini(struct arena *a);

/* NULL when memory or the maximum is exhausted. */
void *arena_alloc(struct arena *a, size_t size);
/* n elements of size bytes; NULL also when the product overflows. */
void *arena_array(struct arena *a, size_t n, size_t size);
char *arena_strdup(struct arena *a, const char *text);
/* At most n bytes, up to a NUL. */
char *arena_strndup(struct arena *a, const char *text, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Room for one more element in an array that grows by doubling: returns the array (moved when
 * needed) or NULL.  Usage: if (!(items = arena_grow(a, items, n, sizeof(*items)))) ...; items[n++]
 * = x; The array must have been built by arena_grow() alone from NULL and n == 0.
 */
void *arena_grow(struct arena *a, void *items, size_t n, size_t size);

#endif /* BASE_ARENA_H */
