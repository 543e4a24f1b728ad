/*
 * latency.c - latency at a depth and at a rate, and the wall, under outside caps.
 *
 * Depth (models.md 1.4): below a cap the light curve and q / cap joined by a p-norm of 4; where the
 * fitted wall is that cap already, the curve is left alone.  Rate (3.1): the same numbers seen from
 * the other side, flat or slowly growing until the wall, and no steady state beyond it.
 */
#include <math.h>

#include "base/units.h"
#include "model/form.h"
#include "model/predict.h"
#include "model/ratio.h"
#include "model/sizes.h"

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
	return fmin(uncapped, light);
}

static struct estimate
under_cap(const struct view *v, enum model_statistic stat, double q, struct estimate e)
{
	const struct model_curve *c = v->curve;
	double at_cap = 1e6 * q / v->cap_iops * ratio_at_cap(stat);
	if (c->wall_reached && v->cap_iops > c->x_inf_iops / 0.97)
		return e;
	bool measured = e.how == MODEL_INTERPOLATED || stat == MODEL_MEAN;
	if (c->wall_reached && is_the_cap(c->x_inf_iops, v->cap_iops) && measured) {
		e.value = stat == MODEL_MEAN ? fmax(e.value, at_cap) : e.value;
		e.hi = fmax(e.hi, e.value);
		return e;
	}
	double light = light_part(v, stat, q, e.value) + v->shift_us, share;
	double joined = exp(form_pnorm(4, log(light), log(at_cap), &share));
	double up = e.hi / e.value, down = e.lo / e.value;
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

/* A wall at another block size over the wall that was fitted, with its bounds. */
struct scale {
	double value, lo, hi; /* NaN: nothing can be said */
};

static struct scale
size_scale(const struct view *v, double bs_b)
{
	const struct model_curve *c = v->wall;
	double bytes = c->bs_b / bs_b;
	if (bytes == 1)
		return (struct scale){1, 1, 1};
	for (size_t i = 0; i < v->model->n_sizes; i++) {
		const struct model_size *s = &v->model->sizes[i];
		if (s->op != c->op || !(s->qd >= c->knee_qd))
			continue;
		double law = sizes_iops(s, bs_b) / sizes_iops(s, c->bs_b);
		return (struct scale){law, law, law};
	}
	/* Without a measured law the wall lies between as many I/O and as many bytes: the geometric
	 * middle, near where SATA SSDs are, and only as far as it says anything.  A provider's
	 * quota counts I/O. */
	double middle = v->model->device == PROFILE_DEVICE_CLOUD ? 1 : sqrt(bytes);
	return (struct scale){bytes < 0.25 ? (double)NAN : middle, bytes, 1};
}

/* Wall of the fitted curve at a block size: its own, or scaled from a smaller size. */
static bool
fitted_wall(const struct view *v, double bs_b, struct estimate *w)
{
	const struct model_curve *c = v->wall;
	if (!c)
		return false;
	struct scale scale = size_scale(v, bs_b);
	if (isnan(scale.value))
		return false;
	bool own = c->bs_b == bs_b;
	double lo = c->wall_lo_iops / c->wall_iops, hi = c->wall_hi_iops / c->wall_iops;
	*w = (struct estimate){c->x_inf_iops * scale.value, c->x_inf_iops * scale.lo * lo,
		c->x_inf_iops * scale.hi * hi, own ? c->trust : TRUST_ASSUMED,
		own ? MODEL_CURVE : MODEL_EXTRAPOLATED};
	return true;
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

/* The statistic of one disk of the view at a depth; ordered with those below it. */
static struct estimate
at_depth(const struct view *v, enum model_statistic stat, double q)
{
	struct estimate e = predict_uncapped(v, stat, q);
	if (!isnan(v->cap_iops)) {
		e = under_cap(v, stat, q, e);
	} else {
		e.value += v->shift_us;
		e.lo += v->shift_us;
		e.hi += v->shift_us;
	}
	if (v->other_size && e.how == MODEL_INTERPOLATED)
		e.how = MODEL_CURVE;
	return e;
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
	struct estimate wall;
	if (v.other_size && fitted_wall(&v, bs_b, &wall))
		v.cap_iops = fmin(v.cap_iops, wall.value);
	double q = fmax(1, qd / v.stripe); /* each disk of a stripe sees its share */
	rc = deeper_than_known(&v, q, err);
	if (rc)
		return rc;
	struct estimate e = at_depth(&v, stat, q);
	for (int lower = MODEL_P50; lower < (int)stat; lower++)
		e.value = fmax(e.value, at_depth(&v, (enum model_statistic)lower, q).value);
	e.hi = fmax(e.hi, e.value);
	*us = e;
	return 0;
}

static bool
view_wall(const struct view *v, double bs_b, struct estimate *w)
{
	struct estimate e;
	bool known = fitted_wall(v, bs_b, &e);
	if (!isnan(v->cap_iops) && (!known || v->cap_iops <= e.value)) {
		/* a label is a promise, met or passed by up to 7 % */
		e = (struct estimate){v->cap_iops, v->cap_iops, 1.07 * v->cap_iops, TRUST_PUBLISHED,
			MODEL_AT_CAP};
		known = true;
	}
	if (known) {
		e.value *= v->stripe;
		e.lo *= v->stripe;
		e.hi *= v->stripe;
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
	if (view_wall(&v, bs_b, iops))
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: the wall of %s was not reached (at least %.0f IOPS): measure deeper or give "
		"the caps of the SKU",
		m->name ? m->name : "the model", names_text(&profile_op_names, (int)op),
		v.curve ? v.curve->x_inf_iops : 0);
}

/* Open loop by the curve's numbers, at least the light latency; the rate is one disk's. */
static double
by_formula(const struct model_curve *c, double rate)
{
	if (c->form == MODEL_FORM_POWER && c->g < 1) {
		/* q = rate x R = rate L1 q^g */
		double q = pow(rate * 1e-6 * c->l1_us, 1 / (1 - c->g));
		return curve_light_us(c, fmax(1, q));
	}
	double slope = c->form == MODEL_FORM_THREE && !isnan(c->c_us) ? c->c_us : 0;
	double room = 1 - slope * 1e-6 * rate;
	if (room <= 0)
		return INFINITY;
	return fmax(c->l1_us, (c->l1_us - slope) / room);
}

/* The measured closed loop read as rate -> latency, up to where its corner begins; *depth. */
static double
by_points(const struct view *v, double rate, double *depth)
{
	double qd[64], us[64];
	const struct model_curve *c = v->curve;
	size_t n = predict_known(c, MODEL_MEAN, qd, us, 64);
	*depth = (double)NAN;
	if (n < 5 || qd[0] > 1 || c->form == MODEL_FORM_TWO)
		return (double)NAN; /* few depths: a line between them would invent growth */
	double limit = 0.8 * c->x_inf_iops, asked = fmin(rate, limit) * 1e-6;
	for (size_t i = 1; i < n; i++)
		us[i] = fmax(us[i], us[i - 1]);
	if (asked <= qd[0] / us[0]) {
		*depth = qd[0];
		return us[0];
	}
	double lo = 1, hi = qd[n - 1];
	if (asked >= hi / us[n - 1])
		return (double)NAN;
	for (int i = 0; i < 60; i++) {
		double mid = sqrt(lo * hi);
		if (mid / predict_interpolate(qd, us, n, mid) < asked)
			lo = mid;
		else
			hi = mid;
	}
	*depth = hi;
	return predict_interpolate(qd, us, n, hi);
}

static struct estimate
mean_at_rate(const struct view *v, double rate, double *depth)
{
	const struct model_curve *c = v->curve;
	struct estimate e = {.trust = v->trust, .how = MODEL_CURVE};
	double formula = by_formula(c, rate), points = by_points(v, rate, depth);
	bool inside = !isnan(points) && rate <= 0.8 * c->x_inf_iops;
	e.value = inside ? points : fmax(formula, isnan(points) ? 0 : points);
	if (inside)
		e.how = v->other_size ? MODEL_CURVE : MODEL_INTERPOLATED;
	double half = curve_half_width(c, fmax(1, rate * 1e-6 * e.value));
	half = fmax(isnan(half) ? curve_two_half_width : half, log(predict_noise));
	e.value += v->shift_us;
	e.lo = e.value * exp(-half);
	e.hi = e.value * exp(half);
	return e;
}

/* Tail growth towards the wall, our judgement from open-loop sweeps (models.md 3.2). */
static double
tail(enum model_statistic stat, double load)
{
	static const double growth[] = {
		[MODEL_MEAN] = 0, [MODEL_P50] = 0, [MODEL_P99] = 0.5, [MODEL_P999] = 1};
	_Static_assert(sizeof(growth) / sizeof(growth[0]) == MODEL_STATISTIC_COUNT, "all");
	return 1 + growth[stat] * pow(load, 4);
}

static struct estimate
statistic_at_rate(const struct view *v, enum model_statistic stat, double rate, double wall)
{
	double depth;
	struct estimate e = mean_at_rate(v, rate, &depth);
	if (stat == MODEL_MEAN)
		return e;
	bool assumed;
	double ratio = predict_light_ratio(v, stat, &assumed) * tail(stat, fmin(1, rate / wall));
	double lo = e.lo * ratio, hi = e.hi * ratio;
	if (assumed) {
		struct ratio r = ratio_of(v->model->device, v->curve->op, stat, false);
		lo = e.lo * r.lo;
		hi = fmax(hi, e.hi * r.hi);
		e.trust = TRUST_ASSUMED;
	} else if (!isnan(depth)) {
		/* measured at the same number in the system, or where the corner begins */
		double measured = predict_uncapped(v, stat, depth).value + v->shift_us;
		ratio = fmax(ratio, measured / e.value);
		hi = fmax(hi, e.hi * ratio);
	}
	e.value *= ratio;
	e.lo = fmin(lo, e.value);
	e.hi = fmax(hi, e.value);
	return e;
}

static int
beyond_wall(const struct view *v, double bs_b, double rate, double wall, struct err *err)
{
	char size[32], asked[32], limit[32], excess[32];
	units_size_text(bs_b, size);
	units_count_text(rate, asked);
	units_count_text(wall, limit);
	units_count_text(rate - wall, excess);
	return err_set(err, ERR_RANGE,
		"%s, %s %s at %s IOPS: at or beyond the wall of %s IOPS; there is no steady state, "
		"the backlog grows by %s I/O every second",
		v->model->name ? v->model->name : "model", size,
		names_text(&profile_op_names, v->curve->op), asked, limit, excess);
}

/* The contract has eight parameters: what is asked, of what, under which caps. */
int /* NOLINTNEXTLINE(readability-function-size) */
disk_latency_at_rate(const struct disk_model *m, enum profile_op op, double bs_b, double rate_iops,
	const struct disk_caps *caps, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	struct view v;
	if (!(rate_iops >= 0 && rate_iops < 1e12))
		return err_set(err, ERR_RANGE, "rate %g IOPS: 0 or more", rate_iops);
	int rc = predict_view(m, op, bs_b, caps, &v, err);
	if (rc == 0)
		rc = predict_needs_latency(&v, op, err);
	if (rc)
		return rc;
	struct estimate wall;
	double seen = v.curve->x_inf_iops * v.stripe;
	bool known = view_wall(&v, bs_b, &wall);
	if (known && rate_iops >= wall.value)
		return beyond_wall(&v, bs_b, rate_iops, wall.value, err);
	if (!known && rate_iops > seen)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: %.0f IOPS are more than was ever seen (%.0f) and no wall is known: "
			"measure deeper or give the caps of the SKU",
			m->name ? m->name : "the model", rate_iops, seen);
	double limit = (known ? wall.value : seen) / v.stripe, rate = rate_iops / v.stripe;
	struct estimate e = statistic_at_rate(&v, stat, rate, limit);
	for (int lower = MODEL_P50; lower < (int)stat; lower++)
		e.value = fmax(e.value,
			statistic_at_rate(&v, (enum model_statistic)lower, rate, limit).value);
	e.hi = fmax(e.hi, e.value);
	*us = e;
	return 0;
}
