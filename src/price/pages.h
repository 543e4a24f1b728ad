/*
 * pages.h - pages of a walk kept aside, so that one that was interrupted need not ask for them again.
 *
 * A page is a file named after its address.  It is used for a day, since a list put together from
 * pages of different weeks would be no list; a walk that ends well removes its pages.
 */
#ifndef PRICE_PAGES_H
#define PRICE_PAGES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum { PAGES_KEPT_S = 24 * 3600 };

struct pages {
	struct arena *arena;
	const char *dir; /* NULL: nothing is kept */
	bool fresh; /* what was kept before is not used */
	const char **paths; /* of this walk */
	size_t n;
};

void pages_init(struct pages *pages, const char *dir, bool fresh, struct arena *a);

/* Whether a page of this address was kept less than a day ago; then text has it. */
bool pages_get(struct pages *pages, const char *url, struct buf *text);
/* Keep a page.  A folder that cannot be written to costs no more than the convenience. */
void pages_put(struct pages *pages, const char *url, const struct buf *text);
/* Remove one that turned out to be bad. */
void pages_drop(struct pages *pages, const char *url);
/* Remove the pages of this walk. */
void pages_remove(struct pages *pages);

#endif /* PRICE_PAGES_H */
