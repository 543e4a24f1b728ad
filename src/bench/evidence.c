#include "bench/evidence.h"

#include <math.h>

#include "bench/pagecache.h"

void
evidence_begin(struct evidence *e, const struct target *t)
{
	*e = (struct evidence){.cached_frac = NAN};
	limits_read("", t->has_device ? &t->chain : NULL, &e->limits);
}

void
evidence_laid_out(struct evidence *e, const struct target *t, uint64_t area_b)
{
	if (t->fd < 0)
		return;
	e->has_extents = extents_read(t->fd, area_b, &e->extents, NULL) == 0;
	evidence_look(e, t, area_b);
}

void
evidence_look(struct evidence *e, const struct target *t, uint64_t area_b)
{
	struct pagecache cache;
	/* what cannot be told stays unknown */
	if (t->fd >= 0 && pagecache_read(t->fd, area_b, &cache, NULL) == 0)
		e->cached_frac = fmax(e->cached_frac, cache.cached_frac);
}
