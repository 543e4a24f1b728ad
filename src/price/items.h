/*
 * items.h - the elements of one array of a JSON document of any length, one at a time.
 *
 * The document is either that array, or an object with the array under a known key ("Items", "skus").
 * Each element, which must be an object, is handed out as text to be parsed by itself; what is around
 * the array is kept as a small document of its own, the envelope, with the array empty.  So a catalogue
 * of hundreds of megabytes takes the memory of its longest element.
 */
#ifndef PRICE_ITEMS_H
#define PRICE_ITEMS_H

#include "base/buf.h"
#include "base/err.h"

enum { ITEMS_ELEMENT_MAX = 1 << 18, ITEMS_ENVELOPE_MAX = 1 << 16 };

/* One element as text; `number` counts from 1.  Not 0 ends the reading. */
typedef int items_each(void *ctx, const char *text, size_t n, size_t number, struct err *err);

struct items;

/* `name` stands for the document in messages and `key` names the array; both are borrowed. */
int items_open(const char *name, const char *key, items_each *each, void *ctx, struct items **items,
	struct err *err);
void items_close(struct items *items);

/* Forget what came: the document begins again. */
void items_restart(struct items *items);

/* The next bytes.  ERR_PARSE, ERR_RANGE (an element or the envelope is too long), or what each()
 * returned. */
int items_put(struct items *items, const char *bytes, size_t n, struct err *err);

/* The document is over.  ERR_PARSE when it ends early or the array was not in it. */
int items_end(struct items *items, struct err *err);

size_t items_count(const struct items *items);
/* JSON without the elements; complete after items_end(). */
const struct buf *items_envelope(const struct items *items);

#endif /* PRICE_ITEMS_H */
