/*
 * rate.c - latency at an arrival rate (models.md 3.1, 3.2): the numbers of the closed loop seen from
 * the other side, flat or slowly growing until the wall, a queue close to it, and no steady state
 * beyond it.
 */
#include <math.h>

#include "base/units.h"
#include "model/predict.h"
#include "model/queue.h"
#include "model/ratio.h"

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
	/* the pole lies at or beyond the wall; where none was reached a rate may come close to it */
	double room = fmax(0.02, 1 - slope * 1e-6 * rate);
	return fmax(c->l1_us, (c->l1_us - slope) / room);
}

/* Up to this share of the saturation rate the measured loop is read backwards; then its corner
 * begins, where a rate says little about a depth. */
static const double corner = 0.8;

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
	double asked = fmin(rate, corner * c->x_inf_iops) * 1e-6;
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

/* One I/O alone as measured; 0: it was not. */
static double
alone_us(const struct model_curve *c)
{
	double qd[64], us[64];
	return predict_known(c, MODEL_MEAN, qd, us, 64) && qd[0] == 1 ? us[0] : 0;
}

static struct estimate
mean_at_rate(const struct view *v, double rate, double *depth)
{
	const struct model_curve *c = v->curve;
	struct estimate e = {.trust = v->trust, .how = MODEL_CURVE};
	double formula = by_formula(c, rate), points = by_points(v, rate, depth);
	double limit = corner * c->x_inf_iops;
	if (isnan(points)) {
		e.value = formula;
	} else if (rate <= limit) {
		e.value = points;
		e.how = v->other_size ? MODEL_CURVE : MODEL_INTERPOLATED;
	} else {
		/* on from the last point by the formula's growth */
		e.value = points * fmax(1, formula / by_formula(c, limit));
	}
	if (c->form == MODEL_FORM_TWO) /* no faster than one I/O alone */
		e.value = fmax(e.value, alone_us(c));
	double half = curve_half_width(c, fmax(1, rate * 1e-6 * e.value));
	half = fmax(isnan(half) ? curve_two_half_width : half, log(predict_noise));
	e.value += v->shift_us[MODEL_MEAN];
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
below_queue(const struct view *v, enum model_statistic stat, double rate)
{
	double depth;
	struct estimate e = mean_at_rate(v, rate, &depth);
	if (stat == MODEL_MEAN)
		return e;
	bool assumed;
	double load = fmin(1, rate / v->limit_iops);
	double ratio = predict_light_ratio(v, stat, &assumed) * tail(stat, load);
	double lo = e.lo * ratio, hi = e.hi * ratio;
	if (assumed) {
		struct ratio r = ratio_of(v->model->device, v->curve->op, stat, false);
		lo = e.lo * r.lo;
		hi = fmax(hi, e.hi * r.hi);
		e.trust = TRUST_ASSUMED;
	} else if (!isnan(depth)) {
		/* measured at the same number in the system, or where the corner begins */
		double measured = predict_uncapped(v, stat, depth).value + v->shift_us[stat];
		ratio = fmax(ratio, measured / e.value);
		hi = fmax(hi, e.hi * ratio);
	}
	e.value *= ratio;
	e.lo = fmin(lo, e.value);
	e.hi = fmax(hi, e.value);
	return e;
}

/* Left-out rates of open-loop sweeps, 95th percentile (models.md 3.1: 7.3 % of the median, 20 % of
 * p95), a doubling away. */
static const double rate_error[] = {
	[MODEL_MEAN] = 1.08, [MODEL_P50] = 1.08, [MODEL_P99] = 1.2, [MODEL_P999] = 1.4};
_Static_assert(sizeof(rate_error) / sizeof(rate_error[0]) == MODEL_STATISTIC_COUNT, "all");

static size_t
known_rates(const struct model_load *l, enum model_statistic stat, double *rate, double *us)
{
	const double *const columns[] = {[MODEL_MEAN] = l->mean_us,
		[MODEL_P50] = l->p50_us,
		[MODEL_P99] = l->p99_us,
		[MODEL_P999] = l->p999_us};
	const size_t counts[] = {[MODEL_MEAN] = l->n_mean_us,
		[MODEL_P50] = l->n_p50_us,
		[MODEL_P99] = l->n_p99_us,
		[MODEL_P999] = l->n_p999_us};
	size_t n = 0;
	for (size_t i = 0; i < l->n_rate_iops && i < counts[stat] && n < 64; i++) {
		if (!(columns[stat][i] > 0) || !(l->rate_iops[i] > 0))
			continue;
		rate[n] = l->rate_iops[i];
		us[n++] = columns[stat][i];
	}
	return n;
}

/* Measured at rates around this one: nothing needs to be computed.  false: it was not. */
static bool
measured_at_rates(const struct view *v, enum model_statistic stat, double rate, struct estimate *e)
{
	double rates[64], us[64];
	for (size_t i = 0; i < v->model->n_loads; i++) {
		const struct model_load *l = &v->model->loads[i];
		if (l->op != v->curve->op || l->bs_b != v->bs_b || v->other_op)
			continue;
		size_t n = known_rates(l, stat, rates, us);
		if (n == 0 || rate < rates[0] || rate > rates[n - 1])
			continue;
		double away = INFINITY;
		for (size_t k = 0; k < n; k++)
			away = fmin(away, fabs(log(rate / rates[k])));
		double half = log(predict_noise) + log(rate_error[stat]) * away / log(2);
		*e = (struct estimate){.value = predict_interpolate(rates, us, n, rate),
			.trust = l->trust,
			.how = MODEL_INTERPOLATED};
		e->lo = e->value * exp(-half);
		e->hi = e->value * exp(half);
		return true;
	}
	return false;
}

/* The statistic of one disk at its rate.  A wall that was only seen as a lower bound adds nothing to
 * the value; a bucket that may be empty, or that wall, counts in the interval. */
static struct estimate
at_rate(const struct view *v, enum model_statistic stat, double rate)
{
	struct estimate e;
	if (measured_at_rates(v, stat, rate, &e))
		return e; /* the queue, if there was one, is in it */
	e = below_queue(v, stat, rate);
	e.hi += queue_wait_us(rate, v->limit_iops, 0, stat);
	if (v->limit_known)
		e.value += queue_wait_us(rate, v->limit_iops, v->burst, stat);
	return e;
}

static int
beyond_wall(const struct view *v, double bs_b, double rate, double wall, struct err *err)
{
	char size[32], asked[32], limit[32], excess[32], growth[32];
	units_size_text(bs_b, size);
	units_count_text(rate, asked);
	units_count_text(wall, limit);
	units_count_text(rate - wall, excess);
	units_latency_text(1e6 * (rate / wall - 1), growth);
	return err_set(err, ERR_RANGE,
		"%s, %s %s at %s IOPS: at or beyond the wall of %s IOPS; there is no steady state, "
		"the backlog grows by %s I/O every second and the latency by %s",
		v->model->name ? v->model->name : "model", size,
		names_text(&profile_op_names, v->curve->op), asked, limit, excess, growth);
}

/* What a seller lets through at once above the rate he holds a disk to, s of that rate: published
 * nowhere, assumed; paced and random arrivals ran flat up to such caps (models.md 3.1). */
static const double bucket_s = 0.05;

/* The wall that one disk of the view runs into. */
static int
find_limit(struct view *v, double bs_b, double rate_iops, struct err *err)
{
	struct estimate wall;
	double seen = v->curve->x_inf_iops / v->share;
	v->limit_known = predict_wall(v, &wall);
	if (v->limit_known && rate_iops >= wall.value)
		return beyond_wall(v, bs_b, rate_iops, wall.value, err);
	if (!v->limit_known && rate_iops > seen)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: %.0f IOPS are more than was ever seen (%.0f) and no wall is known: "
			"measure deeper or give the caps of the SKU",
			v->model->name ? v->model->name : "the model", rate_iops, seen);
	v->limit_iops = (v->limit_known ? wall.value : seen) * v->share;
	bool held = v->limit_known &&
		    (wall.how == MODEL_AT_CAP || v->model->device == PROFILE_DEVICE_CLOUD);
	v->burst = held ? bucket_s * v->limit_iops : 0;
	return 0;
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
	if (rc == 0)
		rc = find_limit(&v, bs_b, rate_iops, err);
	if (rc)
		return rc;
	*us = predict_whole(&v, stat, rate_iops * v.share, at_rate);
	return 0;
}
