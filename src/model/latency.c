/*
 * latency.c - latency at a depth: the mean from the surface over depth and block size, its interval and
 * the distance of the percentiles from what was measured nearest, and caps from outside.
 *
 * Under a cap (models.md 1.4) q outstanding take at least q / cap.  The way there: where the disk's own
 * wall was seen, straight up to it, for a rate that a seller holds is flat, then a cliff; where only the
 * light latency is known, by a p-norm of 4.
 */
#include <math.h>

#include "base/units.h"
#include "model/form.h"
#include "model/predict.h"
#include "model/ratio.h"

/* The curve's statistic at the view's size, a tenth at least; the interval keeps its share of it. */
static struct estimate
moved(const struct view *v, enum model_statistic stat, struct estimate e)
{
	double scale = fmax(0.1, 1 + v->shift_us[stat] / e.value);
	e.value *= scale;
	e.lo *= scale;
	e.hi *= scale;
	return e;
}

/* From the sweep of sizes at this very depth; percentiles keep their distance to the mean. */
static struct estimate
by_sizes(const struct view *v, enum model_statistic stat, double q, struct estimate mean)
{
	struct estimate e = predict_uncapped(v, stat, q);
	double scale = mean.value / predict_uncapped(v, MODEL_MEAN, q).value;
	if (stat == MODEL_MEAN)
		return mean;
	e.value *= scale;
	e.lo *= mean.lo / mean.value * scale;
	e.hi *= mean.hi / mean.value * scale;
	e.how = mean.how == MODEL_INTERPOLATED ? MODEL_CURVE : mean.how;
	e.trust = e.trust > mean.trust ? e.trust : mean.trust;
	return e;
}

/* One I/O of a size that was measured so, and of the curve's size, too. */
static bool
measured_alone(const struct view *v, enum model_statistic stat, double q, struct estimate *e)
{
	if (q != 1 || !v->other_size || v->exact_trust < 0)
		return false;
	struct estimate one = predict_uncapped(v, stat, q);
	if (one.how != MODEL_INTERPOLATED)
		return false;
	*e = moved(v, stat, one);
	if (one.trust != TRUST_ASSUMED || stat == MODEL_MEAN)
		e->trust = v->exact_trust;
	return true;
}

/* What the nearest data say of a statistic, for itself: from here the distance of percentiles to the
 * mean, interval, way and trust. */
static struct estimate
nearest(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e, mean;
	if (measured_alone(v, stat, q, &e))
		return e;
	if (v->other_size && predict_by_sizes(v, q, &mean))
		return by_sizes(v, stat, q, mean);
	e = moved(v, stat, predict_uncapped(v, stat, q));
	if (v->other_size && e.how == MODEL_INTERPOLATED)
		e.how = MODEL_CURVE;
	return e;
}

struct estimate
predict_free(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e = nearest(v, stat, q);
	bool here = !v->other_size && e.how == MODEL_INTERPOLATED;
	if (here && stat != MODEL_MEAN)
		return e;
	double mean = stat == MODEL_MEAN ? e.value : nearest(v, MODEL_MEAN, q).value;
	double scale = surface_us(v->surface, q) / mean, lo = e.lo, hi = e.hi;
	e.value *= scale;
	e.lo *= scale;
	e.hi *= scale;
	if (here) { /* what was measured is no less likely for the noise that was taken out */
		e.lo = fmin(e.lo, lo);
		e.hi = fmax(e.hi, hi);
	}
	return e;
}

/* The way to the cap, for a light mean. */
static double
joined(const struct view *v, double light_us, double at_cap)
{
	if (v->surface->wall_reached)
		return fmax(light_us, at_cap);
	return exp(form_pnorm(4, log(light_us), log(at_cap), NULL));
}

/* Mean latency of one disk at its cap.  Fewer outstanding than disks in the stripe: each has none for a part of
 * the time, and the cap is met with so many less a disk. */
static double
time_at_cap(const struct view *v, double q)
{
	return 1e6 * (q > 1 ? q : v->alone) / v->cap_iops;
}

/* The mean, and its bounds, at a cap whose label is good to -5 .. +12 %. */
static struct estimate
capped_mean(const struct view *v, double q, struct estimate e)
{
	double us = e.value, at_cap = time_at_cap(v, q);
	double light = surface_light_us(v->surface, q) / us;
	e.value = fmax(us, joined(v, light * us, at_cap));
	e.lo = fmax(e.lo, joined(v, light * e.lo, at_cap / 1.12));
	e.hi = fmax(e.hi, joined(v, light * e.hi, at_cap * 1.05));
	return e;
}

/* What the cap adds to the mean it adds to every request, for there the distribution is tight (models.md
 * 1.4). */
static struct estimate
under_cap(const struct view *v, enum model_statistic stat, double q, struct estimate e)
{
	struct estimate mean = stat == MODEL_MEAN ? e : predict_free(v, MODEL_MEAN, q);
	double free_us = mean.value, at_cap = time_at_cap(v, q);
	mean = capped_mean(v, q, mean);
	double wait = mean.value - free_us;
	/* a plateau within 7 % of the label is the cap itself, as it was measured */
	bool measured = e.how == MODEL_INTERPOLATED && mean.value <= 1.07 * free_us;
	bool held = wait > 0 && !measured && at_cap > 0.5 * (mean.value + free_us);
	if (stat == MODEL_MEAN) {
		e = mean;
	} else {
		e.value += wait;
		e.lo += wait / 1.12;
		e.hi += wait * 1.05;
	}
	if (held) {
		e.how = MODEL_AT_CAP;
		e.value = fmax(e.value, at_cap * ratio_at_cap(stat));
		e.hi = fmax(e.hi, 1.05 * e.value);
	}
	return e;
}

static bool
measured_at(const struct view *v, enum model_statistic stat, double q)
{
	double qd[64], us[64];
	size_t n = predict_known(v->curve, stat, qd, us, 64);
	for (size_t i = 0; i < n; i++)
		if (qd[i] == q)
			return true;
	return false;
}

/* The tail of what was not measured there is not below the mean, whatever way either took. */
static struct estimate
at_depth(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e = predict_free(v, stat, q);
	if (!isnan(v->cap_iops))
		e = under_cap(v, stat, q, e);
	if (stat < MODEL_P99 || (e.how == MODEL_INTERPOLATED && measured_at(v, stat, q)))
		return e;
	e.value = fmax(e.value, at_depth(v, MODEL_MEAN, q).value);
	e.hi = fmax(e.hi, e.value);
	return e;
}

/* The lower end does not fall with depth, for no more outstanding is quicker.  At depth 1 and the depths of the
 * curve it is no higher than at any deeper one, which noise may have put lower; in between it is that of the
 * depth before at least. */
static struct estimate
sound_at_depth(const struct view *v, enum model_statistic stat, double q)
{
	const struct model_curve *c = v->curve;
	struct estimate e = at_depth(v, stat, q);
	double before = 1, most = e.value;
	bool known = q <= 1;
	if (isnan(e.lo))
		return e;
	for (size_t i = 0; i < c->n_qd; i++) {
		known = known || c->qd[i] == q;
		if (c->qd[i] > q)
			most = fmin(most, at_depth(v, stat, c->qd[i]).lo); /* skips NaN */
		else if (c->qd[i] < q)
			before = fmax(before, c->qd[i]);
	}
	if (!known)
		e.lo = fmax(e.lo, at_depth(v, stat, before).lo);
	e.lo = fmin(e.lo, most);
	return e;
}

static int
deeper_than_known(const struct view *v, double q, struct err *err)
{
	const struct model_curve *c = v->curve;
	bool alone = c->form == MODEL_FORM_CONSTANT && isnan(v->cap_iops);
	if (!alone || c->n_qd == 0 || q <= c->qd[0])
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: only QD%g was measured, so latency at QD%g is not known: measure deeper or "
		"give the caps of the SKU",
		v->model->name ? v->model->name : "the model", c->qd[0], q);
}

/* Far beyond the sizes that are known, with others in the queue: bytes decide, and nothing tells how
 * fast they go. */
static int
larger_than_known(const struct view *v, double q, struct err *err)
{
	char size[32], known[32];
	if (v->surface->n > 0 || !v->other_size || !isnan(v->cap_iops) || q <= 1 ||
		v->bs_b <= 4 * v->curve->bs_b)
		return 0;
	units_size_text(v->bs_b, size);
	units_size_text(v->curve->bs_b, known);
	return err_set(err, ERR_UNSUPPORTED,
		"%s: %s %s was measured, and nothing tells how fast more bytes go, so %s with %g "
		"outstanding is not known: measure that size, or give the caps of the SKU",
		v->model->name ? v->model->name : "the model", known,
		names_text(&profile_op_names, v->curve->op), size, q);
}

static int
check_depth(double qd, struct err *err)
{
	if (qd >= 1 && qd <= 1e6)
		return 0;
	return err_set(err, ERR_RANGE, "queue depth %g: 1 .. 1000000", qd);
}

/* The contract has eight parameters: what is asked, of what, under which caps. */
int /* NOLINTNEXTLINE(readability-function-size) */
disk_latency_at_qd(const struct disk_model *m, enum profile_op op, double bs_b, double qd,
	const struct disk_caps *caps, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	struct view v;
	struct surface s;
	int rc = check_depth(qd, err);
	if (rc == 0)
		rc = predict_view(m, op, bs_b, caps, &v, &s, err);
	if (rc == 0)
		rc = predict_needs_latency(&v, op, err);
	if (rc)
		return rc;
	/* each disk of a stripe sees its share, for as long as its part takes */
	double q = qd * v.share / v.slowest;
	v.alone = fmin(1, q);
	q = fmax(1, q);
	rc = deeper_than_known(&v, q, err);
	if (rc == 0)
		rc = larger_than_known(&v, q, err);
	if (rc)
		return rc;
	*us = predict_whole(&v, stat, q, sound_at_depth);
	return 0;
}
