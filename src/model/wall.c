/*
 * wall.c - the largest sustained rate at a block size: fitted, scaled from another size, or a cap.
 */
#include <math.h>

#include "model/predict.h"
#include "model/sizes.h"

/* Without a measured law a wall says this much about larger sizes: up to four times. */
static const double furthest = 4;

/* The curve whose wall says most about a block size: its own, else the next smaller size, else the
 * smallest there is; NULL: none was reached. */
static const struct model_curve *
wall_curve(const struct disk_model *m, int op, double bs_b)
{
	const struct model_curve *below = NULL, *above = NULL;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || c->wall_reached != 1 || !(c->x_inf_iops > 0))
			continue;
		if (c->bs_b <= bs_b && (!below || c->bs_b > below->bs_b))
			below = c;
		if (c->bs_b > bs_b && (!above || c->bs_b < above->bs_b))
			above = c;
	}
	return below ? below : above;
}

bool
predict_has_wall(const struct disk_model *m, int op)
{
	return wall_curve(m, op, INFINITY) != NULL;
}

/* A wall at another block size over the wall that was fitted, with its bounds; NaN: unknown. */
struct scale {
	double value, lo, hi;
};

static struct scale
size_scale(const struct disk_model *m, const struct model_curve *c, double bs_b)
{
	double bytes = c->bs_b / bs_b;
	if (bytes == 1)
		return (struct scale){1, 1, 1};
	for (size_t i = 0; i < m->n_sizes; i++) {
		const struct model_size *s = &m->sizes[i];
		if (s->op != c->op || !(s->qd >= c->knee_qd))
			continue;
		bool few = s->n_bs_b < 3; /* two sizes say nothing of what a smaller I/O takes */
		if (few && bs_b < s->bs_b[0] && cells_in_part(m, c->op, bs_b))
			continue;
		double from = few ? fmax(bs_b, s->bs_b[0]) : bs_b;
		double law = sizes_iops(s, from) / sizes_iops(s, c->bs_b);
		return (struct scale){law, law, law};
	}
	if (bytes > 1) {
		double smaller = sizes_smaller(m, c->op, bs_b);
		return (struct scale){smaller, smaller, fmax(smaller, bytes)};
	}
	/* Without a measured law the wall lies between as many I/O and as many bytes: the geometric
	 * middle, near where SATA SSDs are.  A provider's quota counts I/O. */
	double middle = m->device == PROFILE_DEVICE_CLOUD ? 1 : sqrt(fmax(bytes, 1 / furthest));
	return (struct scale){middle, bytes, 1};
}

static bool
law_is_known(const struct disk_model *m, const struct model_curve *c)
{
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == c->op && m->sizes[i].qd >= c->knee_qd)
			return true;
	return false;
}

/* What larger sizes ran at, and the walls of no larger ones; a part of a block costs its share. */
static struct bounds
walls_around(const struct disk_model *m, int op, double bs_b)
{
	bool part = cells_in_part(m, op, bs_b);
	struct bounds at = {0, INFINITY};
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || !(c->x_inf_iops > 0))
			continue;
		if (c->bs_b >= bs_b)
			at.lo = fmax(at.lo, c->x_inf_iops);
		if (c->bs_b <= bs_b && c->wall_reached == 1 && !part &&
			!cells_in_part(m, op, c->bs_b))
			at.hi = fmin(at.hi, c->x_inf_iops);
	}
	for (size_t i = 0; i < m->n_sizes; i++) {
		const struct model_size *s = &m->sizes[i];
		for (size_t k = 0; s->op == op && k < s->n_bs_b && k < s->n_iops; k++)
			if (s->bs_b[k] > bs_b)
				at.lo = fmax(at.lo, s->iops[k]);
	}
	if (part) /* NaN: nobody knows what a part costs, and nothing is bounded */
		at.lo *= sizes_smaller(m, op, bs_b);
	if (at.lo > at.hi) /* they contradict each other: in the middle */
		at.lo = at.hi = sqrt(at.lo * at.hi);
	return at;
}

bool
predict_wall_at(const struct disk_model *m, int op, double bs_b, struct estimate *w)
{
	const double no = (double)NAN;
	const struct model_curve *c = wall_curve(m, op, bs_b);
	struct scale scale = {no, no, no};
	*w = (struct estimate){.value = no};
	if (c)
		scale = size_scale(m, c, bs_b);
	if (isnan(scale.value))
		return false;
	bool own = c->bs_b == bs_b;
	struct bounds room = walls_around(m, op, bs_b);
	double lo = c->wall_lo_iops / c->wall_iops, hi = c->wall_hi_iops / c->wall_iops;
	*w = (struct estimate){c->x_inf_iops * scale.value, c->x_inf_iops * scale.lo * lo,
		c->x_inf_iops * scale.hi * hi, own ? c->trust : TRUST_ASSUMED,
		own ? MODEL_CURVE : MODEL_EXTRAPOLATED};
	w->value = fmin(fmax(w->value, room.lo), room.hi);
	w->lo = fmin(w->lo, w->value); /* fmin and fmax skip NaN, */
	w->hi = isnan(w->hi) ? w->hi : fmax(w->hi, w->value); /* unknown stays */
	return bs_b <= furthest * c->bs_b || law_is_known(m, c);
}

bool
predict_wall(const struct view *v, struct estimate *w)
{
	struct estimate e;
	bool known = predict_wall_at(v->model, v->op, v->bs_b, &e);
	if (!isnan(v->cap_iops) && (isnan(e.value) || v->cap_iops <= e.value)) {
		/* a label is a promise, met or passed by up to 7 % */
		e = (struct estimate){v->cap_iops, v->cap_iops, 1.07 * v->cap_iops, TRUST_PUBLISHED,
			MODEL_AT_CAP};
		known = true;
	}
	if (known || !isnan(v->cap_iops)) {
		e.value /= v->share;
		e.lo /= v->share;
		e.hi /= v->share;
		if (v->spans > 1)
			e.trust = TRUST_ASSUMED;
		*w = e;
	}
	return known || !isnan(v->cap_iops);
}

int
disk_wall(const struct disk_model *m, enum profile_op op, double bs_b, const struct disk_caps *caps,
	struct estimate *iops, struct err *err)
{
	struct view v;
	int rc = predict_view(m, op, bs_b, caps, &v, NULL, err);
	if (rc)
		return rc;
	if (predict_wall(&v, iops))
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: the wall of %s was not reached (at least %.0f IOPS): measure deeper or give "
		"the caps of the SKU",
		m->name ? m->name : "the model", names_text(&profile_op_names, (int)op),
		v.curve ? v.curve->x_inf_iops / v.share : 0);
}
