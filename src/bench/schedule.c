/*
 * schedule.c - which cell is next.
 */
#include <math.h>

#include "bench/phase.h"

/* Sort key of a cell that wants another slice: the smallest is next. */
struct want {
	double first, second; /* rank of one without a slice, or slices; then the interval */
};

enum { SETTLED_SLICES = 6 };

static struct want
want_of(const struct cell *c)
{
	if (c->n == 0)
		return (struct want){-1, c->rank};
	size_t full = c->least > SETTLED_SLICES ? c->least : SETTLED_SLICES;
	if (c->n < full || cell_wants_samples(c))
		return (struct want){(double)c->n / cell_weight(c), 0};
	return (struct want){(double)full, -cell_half_width(c)};
}

static bool
before(struct want a, struct want b)
{
	return a.first < b.first || (a.first <= b.first && a.second < b.second);
}

static bool
equal(struct want a, struct want b)
{
	return !before(a, b) && !before(b, a);
}

/* Equals are drawn from at random, so that a drift of the disk does not look like the depth's. */
static struct cell *
pick(struct disk *d, enum cell_group group)
{
	struct cell *best = NULL;
	struct want least = {0, 0};
	uint64_t ties = 0;
	for (size_t i = 0; i < d->n_cells; i++) {
		struct cell *c = &d->cells[i];
		if (c->group != group || c->refused || cell_settled(c))
			continue;
		struct want w = want_of(c);
		if (best && before(least, w))
			continue;
		ties = best && equal(w, least) ? ties + 1 : 1;
		if (ties == 1 || rng_below(&d->rng, ties) == 0)
			best = c;
		least = w;
	}
	return best;
}

int
schedule_step(struct disk *d, enum cell_group group, bool *more, struct err *err)
{
	struct cell *c = pick(d, group);
	*more = c && disk_phase_left_s(d) > 0;
	if (load_stopped(&d->load))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	return *more ? slice_measure(d, c, err) : 0;
}
