/*
 * wall.c - the largest sustained rate at a block size: fitted, scaled from another size, or a cap.
 */
#include <math.h>

#include "model/predict.h"
#include "model/sizes.h"

/* A wall at another block size over the wall that was fitted, with its bounds. */
struct scale {
	double value, lo, hi; /* NaN: nothing can be said */
};

static struct scale
size_scale(const struct view *v)
{
	const struct model_curve *c = v->wall;
	double bytes = c->bs_b / v->bs_b;
	if (bytes == 1)
		return (struct scale){1, 1, 1};
	for (size_t i = 0; i < v->model->n_sizes; i++) {
		const struct model_size *s = &v->model->sizes[i];
		if (s->op != c->op || !(s->qd >= c->knee_qd))
			continue;
		if (v->bs_b < s->bs_b[0] && s->n_bs_b < 3)
			continue;
		double law = sizes_iops(s, v->bs_b) / sizes_iops(s, c->bs_b);
		return (struct scale){law, law, law};
	}
	if (bytes > 1) {
		double smaller = sizes_smaller(v->model, c->op, v->bs_b);
		return (struct scale){smaller, smaller, fmax(smaller, bytes)};
	}
	/* Without a measured law the wall lies between as many I/O and as many bytes: the geometric
	 * middle, near where SATA SSDs are, and only as far as it says anything.  A provider's
	 * quota counts I/O. */
	double middle = v->model->device == PROFILE_DEVICE_CLOUD ? 1 : sqrt(bytes);
	return (struct scale){bytes < 0.25 ? (double)NAN : middle, bytes, 1};
}

bool
predict_fitted_wall(const struct view *v, struct estimate *w)
{
	const struct model_curve *c = v->wall;
	if (!c)
		return false;
	struct scale scale = size_scale(v);
	if (isnan(scale.value))
		return false;
	bool own = c->bs_b == v->bs_b;
	double lo = c->wall_lo_iops / c->wall_iops, hi = c->wall_hi_iops / c->wall_iops;
	*w = (struct estimate){c->x_inf_iops * scale.value, c->x_inf_iops * scale.lo * lo,
		c->x_inf_iops * scale.hi * hi, own ? c->trust : TRUST_ASSUMED,
		own ? MODEL_CURVE : MODEL_EXTRAPOLATED};
	if (own)
		return true;
	struct bounds room = predict_walls_around(v);
	w->value = fmin(fmax(w->value, room.lo), room.hi);
	w->lo = fmin(w->lo, w->value); /* fmin and fmax skip NaN, */
	w->hi = isnan(w->hi) ? w->hi : fmax(w->hi, w->value); /* unknown stays */
	return true;
}

bool
predict_wall(const struct view *v, struct estimate *w)
{
	struct estimate e;
	bool known = predict_fitted_wall(v, &e);
	if (!isnan(v->cap_iops) && (!known || v->cap_iops <= e.value)) {
		/* a label is a promise, met or passed by up to 7 % */
		e = (struct estimate){v->cap_iops, v->cap_iops, 1.07 * v->cap_iops, TRUST_PUBLISHED,
			MODEL_AT_CAP};
		known = true;
	}
	if (known) {
		e.value /= v->share;
		e.lo /= v->share;
		e.hi /= v->share;
		if (v->spans > 1)
			e.trust = TRUST_ASSUMED;
		*w = e;
	}
	return known;
}

int
disk_wall(const struct disk_model *m, enum profile_op op, double bs_b, const struct disk_caps *caps,
	struct estimate *iops, struct err *err)
{
	struct view v;
	int rc = predict_view(m, op, bs_b, caps, &v, err);
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
