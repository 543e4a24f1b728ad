/*
 * around.c - what the cells measured around a size and a depth leave room for.
 *
 * With more outstanding neither latency nor throughput falls, and a larger I/O takes no less time: a
 * cell of R us at depth q of size b says that at least R min(1, q'/q) goes by for every size from b on,
 * and at most R max(1, q'/q) for every size up to b.  Both bounds, and so whatever is cut to them,
 * keep latency and throughput monotone in depth, and latency in size.
 */
#include <math.h>

#include "model/predict.h"
#include "model/sizes.h"

/* Where a question stands, and its bounds so far. */
struct room {
	const struct view *v;
	double q;
	struct bounds at;
};

/* A part of a physical block is written by reading the rest of it: its time says nothing of whole
 * ones, nor theirs of it. */
static bool
in_part(const struct disk_model *m, int op, double bs_b)
{
	bool write = op == PROFILE_OP_WRITE || op == PROFILE_OP_RANDWRITE;
	return write && fmod(bs_b, m->physical_block_b) != 0;
}

static void
cell(struct room *r, double bs_b, double qd, double us)
{
	const struct disk_model *m = r->v->model;
	double b = r->v->bs_b;
	int op = r->v->curve->op;
	if (!(us > 0) || !(qd > 0))
		return;
	if (bs_b <= b && (bs_b == b || !in_part(m, op, bs_b)))
		r->at.lo = fmax(r->at.lo, us * fmin(1, r->q / qd));
	if (bs_b >= b && (bs_b == b || !in_part(m, op, b)))
		r->at.hi = fmin(r->at.hi, us * fmax(1, r->q / qd));
}

static void
curve_cells(struct room *r, const struct model_curve *c)
{
	double qd[64], us[64];
	size_t n = predict_known(c, MODEL_MEAN, qd, us, 64);
	for (size_t i = 0; i < n; i++)
		cell(r, c->bs_b, qd[i], us[i]);
}

/* The cells of one depth. */
static void
sweep_cells(struct room *r, const struct model_size *s)
{
	const struct view *v = r->v;
	for (size_t i = 0; i < s->n_bs_b && i < s->n_iops; i++)
		if (v->other_size || s->bs_b[i] != v->bs_b)
			cell(r, s->bs_b[i], s->qd, 1e6 * s->qd / sizes_iops(s, s->bs_b[i]));
}

/* All cells of the operation. */
static struct bounds
cells_around(const struct view *v, double q)
{
	struct room r = {v, q, {0, INFINITY}};
	const struct disk_model *m = v->model;
	for (size_t i = 0; i < m->n_curves; i++)
		if (m->curves[i].op == v->curve->op &&
			(v->other_size || m->curves[i].bs_b != v->curve->bs_b))
			curve_cells(&r, &m->curves[i]);
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == v->curve->op)
			sweep_cells(&r, &m->sizes[i]);
	return r.at;
}

/* What a sweep says of this size at its depth, as far as the cells allow it. */
static void
sweep_answer(struct room *r, const struct model_size *s)
{
	struct estimate here;
	if (!r->v->other_size || !(s->qd > 1) || !predict_by_sizes(r->v, s->qd, &here))
		return;
	struct bounds at = cells_around(r->v, s->qd);
	cell(r, r->v->bs_b, s->qd, fmax(fmin(here.value, at.hi), at.lo));
}

void
predict_around_add(const struct view *v, double q, double bs_b, double us, struct bounds *room)
{
	struct room r = {v, q, *room};
	cell(&r, bs_b, q, us);
	*room = r.at;
}

struct bounds
predict_around(const struct view *v, double q)
{
	const struct disk_model *m = v->model;
	struct room r = {v, q, {0, INFINITY}};
	if (v->other_op)
		return r.at;
	r.at = cells_around(v, q);
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == v->curve->op)
			sweep_answer(&r, &m->sizes[i]);
	return r.at;
}

static void
size_rates(const struct view *v, const struct model_size *s, struct bounds *at)
{
	for (size_t k = 0; k < s->n_bs_b && k < s->n_iops; k++)
		if (s->bs_b[k] >= v->bs_b)
			at->lo = fmax(at->lo, s->iops[k]);
}

struct bounds
predict_walls_around(const struct view *v)
{
	const struct disk_model *m = v->model;
	int op = v->wall->op;
	bool part = in_part(m, op, v->bs_b);
	struct bounds at = {0, INFINITY};
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || !(c->x_inf_iops > 0))
			continue;
		if (c->bs_b >= v->bs_b)
			at.lo = fmax(at.lo, c->x_inf_iops);
		if (c->bs_b <= v->bs_b && c->wall_reached == 1 && !part && !in_part(m, op, c->bs_b))
			at.hi = fmin(at.hi, c->x_inf_iops);
	}
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == op)
			size_rates(v, &m->sizes[i], &at);
	if (part) /* NaN: nobody knows what a part costs, and nothing is bounded */
		at.lo *= sizes_smaller(m, op, v->bs_b);
	return at;
}
