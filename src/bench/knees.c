#include "bench/knees.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/plateau.h"
#include "bench/stats.h"

enum { LADDER_MAX = 32, SIZES_MAX = 64 };

static const double TOP_FRAC = 0.97;

/* The ladder of one direction, by depth, and its knee. */
struct ladder {
	const struct profile_cell *cell[LADDER_MAX];
	struct knee_point point[LADDER_MAX];
	size_t n;
	struct knee knee;
	bool has_knee;
};

/* Closed loop, one direction. */
static bool
plain(const struct profile_cell *c, int op)
{
	return c->op == op && isnan(c->mix_read_frac) && isnan(c->asked_iops) && c->iops > 0;
}

/* The smallest block size of which several depths were measured; NaN: none. */
static double
ladder_size_b(const struct profile *p, int op)
{
	double size = NAN;
	for (size_t i = 0; i < p->n_cells; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct profile_cell *a = &p->cells[i], *b = &p->cells[k];
			if (plain(a, op) && plain(b, op) && a->bs_b == b->bs_b && a->qd != b->qd)
				size = fmin(size, a->bs_b);
		}
	}
	return size;
}

static void
insert(struct ladder *l, const struct profile_cell *c)
{
	size_t i = l->n;
	if (l->n == LADDER_MAX)
		return;
	for (; i > 0 && l->cell[i - 1]->qd > c->qd; i--)
		l->cell[i] = l->cell[i - 1];
	l->cell[i] = c;
	l->n++;
}

static void
collect(const struct profile *p, int op, struct ladder *l)
{
	double size = ladder_size_b(p, op);
	*l = (struct ladder){.n = 0};
	for (size_t i = 0; i < p->n_cells; i++) {
		if (plain(&p->cells[i], op) && p->cells[i].bs_b == size)
			insert(l, &p->cells[i]);
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct profile_cell *c = l->cell[i];
		l->point[i] = (struct knee_point){c->qd, c->iops, c->iops_lo, c->iops_hi};
	}
	l->has_knee = knee_find(l->point, l->n, &l->knee);
}

static double
cell_cv(const struct profile_cell *c)
{
	return c->n_slice_iops ? stats_cv(c->slice_iops, c->n_slice_iops) : (double)NAN;
}

/* The middle one of the plateau's cells. */
static double
plateau_cv(const struct ladder *l)
{
	double cv[LADDER_MAX];
	size_t n = 0;
	for (size_t i = l->knee.from; i < l->n; i++) {
		double v = cell_cv(l->cell[i]);
		if (!isnan(v) && l->cell[i]->iops >= TOP_FRAC * l->knee.iops)
			cv[n++] = v;
	}
	return stats_median(cv, n).value;
}

static const struct profile_cell *
deepest(const struct ladder *l)
{
	size_t at = l->knee.at;
	for (size_t i = at; i < l->n; i++) {
		if (l->cell[i]->iops >= TOP_FRAC * l->knee.iops)
			at = i;
	}
	return l->cell[at];
}

static void
set_limits(struct plateau_figures *f, const struct limits *l, int op)
{
	bool read = op == PROFILE_OP_RANDREAD;
	f->limit_iops = read ? l->riops : l->wiops;
	f->limit_bps = read ? l->rbps : l->wbps;
}

static struct plateau_figures
figures_of(const struct ladder *l, double other_iops)
{
	const struct profile_cell *deep = deepest(l), *knee = l->cell[l->knee.at];
	assert(deep && knee);
	double knee_qd = knee->qd;
	struct plateau_figures f = {
		.bs_b = deep->bs_b,
		.knee = l->knee,
		.knee_qd = knee_qd,
		.cv_frac = plateau_cv(l),
		.qd = deep->qd,
		.mean_us = deep->mean_us,
		.p50_us = deep->p50_us,
		.p90_us = deep->p90_us,
		.longest_us = plateau_wait_us(deep->p99_us, deep->p999_us, deep->max_us),
		.shallow_qd = NAN,
		.light_us = l->cell[0]->qd == 1 ? l->cell[0]->mean_us : (double)NAN,
		.other_iops = other_iops,
	};
	for (size_t i = l->knee.at; i < l->n; i++) {
		const struct profile_cell *c = l->cell[i];
		if (c->qd < 2 * knee_qd)
			continue;
		if (f.n_deep++ == 0)
			f.shallow_qd = c->qd;
		if (!isnan(plateau_wait_us(c->p99_us, c->p999_us, c->max_us)))
			f.n_waits++;
	}
	return f;
}

static size_t
sizes_of(const struct profile *p, int op, struct plateau_size sizes[SIZES_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_cells && n < SIZES_MAX; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (plain(c, op))
			sizes[n++] = (struct plateau_size){c->bs_b, c->qd, c->iops};
	}
	return n;
}

static int
add_knee(struct profile *p, int op, const struct ladder *l, double other_iops,
	const struct knees_seen *seen, struct arena *a, struct err *err)
{
	struct plateau_size sizes[SIZES_MAX];
	struct plateau_figures f = figures_of(l, other_iops);
	struct plateau limit;
	struct profile_knee *k = arena_grow(a, p->knees, p->n_knees, sizeof(*k));
	f.sizes = sizes;
	f.n_sizes = sizes_of(p, op, sizes);
	f.client_frac = seen->client_frac[op];
	set_limits(&f, &seen->limits, op);
	if (!k)
		return err_nomem(err);
	p->knees = k;
	int rc = plateau_judge(&f, a, &limit, err);
	if (rc)
		return rc;
	k = &p->knees[p->n_knees++];
	profile_knee_clear(k);
	const struct profile_cell *c = l->cell[l->knee.at];
	assert(c);
	k->op = op;
	k->bs_b = c->bs_b;
	k->qd = c->qd;
	k->mean_us = c->mean_us;
	k->iops = l->knee.iops;
	k->iops_lo = l->knee.lo;
	k->iops_hi = l->knee.hi;
	k->limit = limit.limit;
	k->why = limit.why;
	return 0;
}

int
knees_fill(struct profile *p, const struct knees_seen *seen, struct arena *a, struct err *err)
{
	static const int ops[2] = {PROFILE_OP_RANDREAD, PROFILE_OP_RANDWRITE};
	struct ladder l[2];
	int rc = 0;
	p->knees = NULL;
	p->n_knees = 0;
	for (int i = 0; i < 2; i++)
		collect(p, ops[i], &l[i]);
	for (int i = 0; i < 2 && rc == 0; i++) {
		double other = l[!i].has_knee ? l[!i].knee.iops : (double)NAN;
		if (l[i].has_knee)
			rc = add_knee(p, ops[i], &l[i], other, seen, a, err);
	}
	return rc;
}
