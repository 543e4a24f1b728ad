/*
 * latency.c - latency at a depth, under outside caps (models.md 1.4): below a cap the light curve and
 * q / cap joined by a p-norm of 4; where the fitted wall is that cap already, the curve is left alone.
 */
#include <math.h>

#include "base/units.h"
#include "model/form.h"
#include "model/predict.h"
#include "model/ratio.h"

/* A wall within this of a cap is that cap: plateaus stand -3 to +7 % from the label. */
static bool
is_the_cap(double wall, double cap)
{
	return cap >= wall / 1.07 && cap <= wall / 0.97;
}

/* The latency a cap adds to: without the wall's share, which the cap replaces. */
static double
light_part(const struct view *v, enum model_statistic stat, double q, double uncapped)
{
	bool assumed;
	double light = curve_light_us(v->curve, q) * predict_light_ratio(v, stat, &assumed);
	return fmin(uncapped, light + v->shift_us[stat]);
}

/* No more than the cap, whatever was measured: a run above the label is no promise.  What the cap
 * adds to the mean it adds to every request, for there the distribution is tight (models.md 1.4);
 * the label is good to -5 .. +12 %. */
static struct estimate
at_most(const struct view *v, enum model_statistic stat, double q, struct estimate e, double mean)
{
	double at_cap = 1e6 * q / v->cap_iops, wait = at_cap - mean;
	bool measured = e.how == MODEL_INTERPOLATED;
	if (wait > 0) {
		e.value += wait;
		e.lo += wait / 1.12;
		e.hi += wait * 1.05;
		e.how = measured ? e.how : MODEL_AT_CAP;
	}
	if (wait > 0 && !measured)
		e.value = fmax(e.value, at_cap * ratio_at_cap(stat));
	if (wait > 0 && stat == MODEL_MEAN)
		e.lo = fmax(e.lo, at_cap / 1.12);
	e.hi = fmax(e.hi, wait > 0 && !measured ? 1.05 * e.value : e.value);
	return e;
}

/* What was measured up to this depth: a cap only adds to it. */
static double
measured_part(const struct view *v, enum model_statistic stat, double q)
{
	double qd[64], us[64];
	size_t n = predict_known(v->curve, stat, qd, us, 64);
	if (n == 0 || q < qd[0])
		return 0;
	return predict_uncapped(v, stat, fmin(q, qd[n - 1])).value + v->shift_us[stat];
}

static struct estimate
under_cap(const struct view *v, enum model_statistic stat, double q, struct estimate e)
{
	const struct model_curve *c = v->curve;
	double at_cap = 1e6 * q / v->cap_iops * ratio_at_cap(stat);
	double mean = predict_uncapped(v, MODEL_MEAN, q).value + v->shift_us[MODEL_MEAN];
	if (c->wall_reached && v->cap_iops > c->x_inf_iops / 0.97)
		return at_most(v, stat, q, e, mean);
	bool measured = e.how == MODEL_INTERPOLATED || stat == MODEL_MEAN;
	if (c->wall_reached && is_the_cap(c->x_inf_iops, v->cap_iops) && measured)
		return at_most(v, stat, q, e, mean);
	double light = light_part(v, stat, q, e.value), share;
	double joined = exp(form_pnorm(4, log(light), log(at_cap), &share));
	double up = e.hi / e.value, down = e.lo / e.value;
	joined = fmax(joined, measured_part(v, stat, q));
	e.value = joined;
	/* the label's share is good to -5 .. +12 %, the light part as before */
	e.hi = joined * pow(isnan(up) ? exp(curve_two_half_width) : up, share) *
	       pow(1.05, 1 - share);
	e.lo = joined * pow(isnan(down) ? exp(-curve_two_half_width) : down, share) *
	       pow(1 / 1.12, 1 - share);
	if (share < 0.5)
		e.how = MODEL_AT_CAP;
	else if (e.how != MODEL_INTERPOLATED)
		e.how = MODEL_CURVE;
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

/* The curve's statistic at the view's size; the interval keeps its share of the value.  What comes
 * off counts for light load: at the wall of the larger size it would let throughput fall with depth. */
static struct estimate
moved(const struct view *v, enum model_statistic stat, double q, struct estimate e)
{
	double value = e.value + v->shift_us[stat];
	if (v->shift_us[stat] < 0 && v->curve->x_inf_iops > 0)
		value = fmax(value, fmin(e.value, 1e6 * q / v->curve->x_inf_iops));
	double scale = value / e.value;
	e.value *= scale;
	e.lo *= scale;
	e.hi *= scale;
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
	*e = moved(v, stat, 1, one);
	if (one.trust != TRUST_ASSUMED || stat == MODEL_MEAN)
		e->trust = v->exact_trust;
	return true;
}

/* A cap from outside bends the way to it: cells measured without it are no upper bound then. */
static bool
capped_outside(const struct view *v)
{
	return !isnan(predict_cap(v->caps, v->bs_b));
}

/* The statistic of one disk of the view at a depth, each for itself. */
static struct estimate
by_laws(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e, mean;
	bool capped = !isnan(v->cap_iops);
	if (measured_alone(v, stat, q, &e)) {
		double one = predict_uncapped(v, MODEL_MEAN, q).value + v->shift_us[MODEL_MEAN];
		return capped ? at_most(v, stat, q, e, one) : e;
	}
	if (v->other_size && !capped_outside(v) && predict_by_sizes(v, q, &mean)) {
		e = by_sizes(v, stat, q, mean);
		return capped ? at_most(v, stat, q, e, mean.value) : e;
	}
	e = moved(v, stat, q, predict_uncapped(v, stat, q));
	bool quota = capped_outside(v) || !isnan(predict_quota(v->model, v->curve->op, v->bs_b));
	/* the wall of another size only bounds what this one's own curve says */
	if (capped)
		e = v->other_size || quota
			    ? under_cap(v, stat, q, e)
			    : at_most(v, stat, q, e, predict_uncapped(v, MODEL_MEAN, q).value);
	if (v->other_size && e.how == MODEL_INTERPOLATED)
		e.how = MODEL_CURVE;
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

/* This very size and depth was measured. */
static bool
measured_there(const struct view *v, double q)
{
	const struct model_curve *c = v->curve;
	if (v->other_size)
		return q == 1 && v->exact_trust >= 0;
	for (size_t i = 0; i < c->n_qd && i < c->n_mean_us; i++)
		if (c->qd[i] == q && c->mean_us[i] > 0)
			return true;
	return false;
}

/* The view runs into the wall of its size where that is another curve's. */
static void
wall_as_cap(struct view *v)
{
	struct estimate wall;
	if ((v->other_size || v->wall != v->curve) && predict_fitted_wall(v, &wall))
		v->cap_iops = fmin(v->cap_iops, wall.value);
}

/* A curve's mean at its own size, within the cells around it. */
static double
own_mean(const struct view *v, double q)
{
	struct estimate e = by_laws(v, MODEL_MEAN, q);
	if (e.how == MODEL_INTERPOLATED || capped_outside(v))
		return e.value;
	struct bounds room = predict_around(v, q);
	return fmax(fmin(e.value, room.hi), room.lo);
}

/* What the curves of other sizes say of this depth. */
static void
curves_around(const struct view *v, double q, struct bounds *room)
{
	const struct disk_model *m = v->model;
	for (size_t i = 0; i < m->n_curves && !(v->spans > 1); i++) {
		const struct model_curve *c = &m->curves[i];
		struct view there;
		if (c->op != v->curve->op || c->bs_b == v->bs_b || c->n_qd < 2 ||
			predict_view(m, (enum profile_op)c->op, c->bs_b, v->caps, &there, NULL) ||
			there.curve != c)
			continue;
		wall_as_cap(&there);
		predict_around_add(v, q, c->bs_b, own_mean(&there, q), room);
	}
}

/* Within what was measured around it. */
static double
cut_to_room(const struct view *v, double q, double mean)
{
	struct bounds room = predict_around(v, q);
	if (capped_outside(v))
		room.hi = INFINITY;
	if (!v->other_op)
		curves_around(v, q, &room);
	double cut = fmax(fmin(mean, room.hi), room.lo);
	return isnan(v->cap_iops) ? cut : fmax(cut, 1e6 * q / v->cap_iops);
}

/* One I/O of this size takes no longer than several at once, nor do they take longer than in turn. */
static double
cut_to_one(const struct view *v, double q, double mean)
{
	if (!v->other_size || v->partial || q == 1)
		return mean;
	double one = by_laws(v, MODEL_MEAN, 1).value;
	if (!measured_there(v, 1))
		one = cut_to_room(v, 1, one);
	return fmin(fmax(mean, one), q * one);
}

/* The same within what was measured around it; percentiles keep their distance to the mean. */
static struct estimate
alone_at_depth(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e = by_laws(v, stat, q);
	struct estimate mean = stat == MODEL_MEAN ? e : by_laws(v, MODEL_MEAN, q);
	/* its own neighbours in depth know better than other sizes */
	if (measured_there(v, q) || (!v->other_size && mean.how == MODEL_INTERPOLATED))
		return e;
	e.value *= cut_to_room(v, q, cut_to_one(v, q, mean.value)) / mean.value;
	e.lo = isnan(e.lo) ? e.lo : fmin(e.lo, e.value);
	e.hi = isnan(e.hi) ? e.hi : fmax(e.hi, e.value);
	return e;
}

/* The tail of what was not measured there is not below the mean, whatever way either took. */
static struct estimate
at_depth(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e = alone_at_depth(v, stat, q);
	if (stat < MODEL_P99 || (e.how == MODEL_INTERPOLATED && measured_at(v, stat, q)))
		return e;
	e.value = fmax(e.value, alone_at_depth(v, MODEL_MEAN, q).value);
	e.hi = fmax(e.hi, e.value);
	return e;
}

/* Far beyond the sizes that are known, with others in the queue: bytes decide, and nothing tells how
 * fast they go. */
static int
larger_than_known(const struct view *v, double q, struct err *err)
{
	char size[32], known[32];
	struct estimate mean;
	if (v->trust != TRUST_ASSUMED || !v->other_size || !isnan(v->cap_iops) || q <= 1 ||
		v->bs_b <= 4 * v->curve->bs_b || predict_by_sizes(v, q, &mean))
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
	int rc = check_depth(qd, err);
	if (rc == 0)
		rc = predict_view(m, op, bs_b, caps, &v, err);
	if (rc == 0)
		rc = predict_needs_latency(&v, op, err);
	if (rc)
		return rc;
	wall_as_cap(&v);
	double q = fmax(1, qd * v.share); /* each disk of a stripe sees its share */
	rc = deeper_than_known(&v, q, err);
	if (rc == 0)
		rc = larger_than_known(&v, q, err);
	if (rc)
		return rc;
	*us = predict_whole(&v, stat, q, at_depth);
	return 0;
}
