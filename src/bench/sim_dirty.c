#include "bench/sim_dirty.h"

#include <stdlib.h>
#include <string.h>

enum { CAP_FIRST = 1024 };

int
sim_dirty_init(struct sim_dirty *d, double mib, struct err *err)
{
	*d = (struct sim_dirty){.room_b = (int64_t)(mib * (1 << 20))};
	if (d->room_b == 0)
		return 0;
	d->writes = calloc(CAP_FIRST, sizeof(*d->writes));
	d->cap = d->writes ? CAP_FIRST : 0;
	return d->writes ? 0 : err_nomem(err);
}

void
sim_dirty_fini(struct sim_dirty *d)
{
	free(d->writes);
	*d = (struct sim_dirty){0};
}

bool
sim_dirty_fits(const struct sim_dirty *d, size_t size_b)
{
	return size_b <= (size_t)d->room_b;
}

static bool
grow(struct sim_dirty *d)
{
	struct sim_dirty_write *more = calloc(2 * d->cap, sizeof(*more));
	if (!more)
		return false;
	size_t tail = d->cap - d->first; /* it is full: from first to the end, then the rest */
	memcpy(more, d->writes + d->first, tail * sizeof(*more));
	memcpy(more + tail, d->writes, d->first * sizeof(*more));
	free(d->writes);
	d->writes = more;
	d->first = 0;
	d->cap *= 2;
	return true;
}

bool
sim_dirty_put(struct sim_dirty *d, const struct sim_dirty_write *w)
{
	if (d->put_b - d->done_b + (int64_t)w->size_b > d->room_b)
		return false;
	if (d->n == d->cap && !grow(d))
		return false;
	d->writes[(d->first + d->n++) % d->cap] = *w;
	d->put_b += (int64_t)w->size_b;
	return true;
}

bool
sim_dirty_take(struct sim_dirty *d, struct sim_dirty_write *w)
{
	if (d->n == 0)
		return false;
	*w = d->writes[d->first];
	d->first = (d->first + 1) % d->cap;
	d->n--;
	return true;
}

void
sim_dirty_done(struct sim_dirty *d, size_t size_b)
{
	d->done_b += (int64_t)size_b;
}
