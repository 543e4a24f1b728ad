#include "bench/cell.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats.h"

enum { SETTLED_SLICES = 6, P99_SAMPLES = 1000 };

static const double SETTLED = 0.05;

bool
cell_writes(const struct cell *c)
{
	return c->group == CELL_COMMIT || c->read_frac < 1;
}

double
cell_weight(const struct cell *c)
{
	return c->rank == 0 ? 5 : c->rank <= 2 ? 1 : 0.5;
}

struct slice *
cell_add(struct cell *c, struct arena *a, const struct slice *s)
{
	struct slice *grown = arena_grow(a, c->slices, c->n, sizeof(*grown));
	if (!grown)
		return NULL;
	c->slices = grown;
	c->slices[c->n] = *s;
	return &c->slices[c->n++];
}

/* The rates as an array, to be freed; NULL without slices or memory. */
static double *
rates(const struct cell *c)
{
	double *v = c->n ? calloc(c->n, sizeof(*v)) : NULL;
	for (size_t i = 0; v && i < c->n; i++)
		v[i] = c->slices[i].rate;
	return v;
}

static struct stats_range
median(const struct cell *c)
{
	double *v = rates(c);
	struct stats_range r = {NAN, NAN, NAN};
	if (v)
		r = stats_median(v, c->n);
	free(v);
	return r;
}

double
cell_rate(const struct cell *c)
{
	return median(c).value;
}

double
cell_half_width(const struct cell *c)
{
	struct stats_range r = median(c);
	return (r.hi - r.lo) / 2 / r.value;
}

double
cell_cv(const struct cell *c)
{
	double *v = rates(c);
	double cv = v ? stats_cv(v, c->n) : (double)NAN;
	free(v);
	return cv;
}

bool
cell_wants_samples(const struct cell *c)
{
	uint64_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += c->slices[i].lat[0]->n + c->slices[i].lat[1]->n;
	return c->rank == 0 && n < P99_SAMPLES;
}

bool
cell_settled(const struct cell *c)
{
	return c->closed || (c->n >= SETTLED_SLICES && c->n >= c->least && !cell_wants_samples(c) &&
				    cell_half_width(c) < SETTLED);
}
