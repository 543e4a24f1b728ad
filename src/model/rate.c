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

/*
 * Up to this rate the closed loop is read backwards; then its corner begins, where a rate says little
 * about a depth: four fifths of the wall (the p-norm of two numbers bends earlier than a disk: half), and
 * no more than the deepest queue gets.
 */
static double
corner(const struct surface *s, const struct model_curve *c, double rate)
{
	static const double deep = 1e6;
	double share = c->form == MODEL_FORM_TWO ? 0.5 : 0.8;
	const struct surface_row *r = s->own_row;
	if (r && r->n && rate <= share * s->wall_iops &&
		rate < 0.95e6 * r->qd[r->n - 1] / r->us[r->n - 1])
		return share * s->wall_iops; /* some measured depth has it */
	double most = 1e6 * deep / surface_us(s, deep);
	return isnan(s->wall_iops) ? share * most : fmin(share * s->wall_iops, 0.95 * most);
}

static struct estimate
mean_at_rate(const struct view *v, double rate, double *depth)
{
	const struct model_curve *c = v->curve;
	struct estimate e = {.trust = v->trust, .how = MODEL_CURVE};
	if (rate == v->rate) {
		*depth = v->rate_depth;
		return v->rate_mean;
	}
	double limit = corner(v->surface, c, rate);
	*depth = surface_depth(v->surface, fmin(rate, limit));
	e.value = *depth > 1 ? 1e6 * *depth / fmin(rate, limit) : surface_us(v->surface, 1);
	if (rate > limit) /* on from there by the formula's growth */
		e.value *= fmax(1, by_formula(c, rate) / by_formula(c, limit));
	else if (!v->other_size && c->n_qd > 1)
		e.how = MODEL_INTERPOLATED;
	double half = curve_half_width(c, fmax(1, rate * 1e-6 * e.value));
	half = fmax(isnan(half) ? curve_two_half_width : half, log(predict_noise));
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

/* The statistic at a depth, at least what it was at a measured one below: more load waits no less. */
static double
most_up_to(const struct view *v, enum model_statistic stat, double depth)
{
	double qd[64], us[64], most = predict_free(v, stat, depth).value;
	size_t n = v->other_size ? 0 : predict_known(v->curve, stat, qd, us, 64);
	for (size_t i = 0; i < n && qd[i] <= depth; i++)
		most = fmax(most, us[i]);
	return most;
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
	} else {
		/* measured at the same number in the system, or where the corner begins */
		double measured = most_up_to(v, stat, depth);
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

/* A statistic over the rates at which it was measured.  Never falling: noise does, disks do not. */
struct measured {
	double rate[64], us[64], seen_us[64]; /* seen: as it was, falling or not */
	size_t n;
	int trust;
};

static const struct model_load *
load_of(const struct view *v)
{
	for (size_t i = 0; i < v->model->n_loads; i++) {
		const struct model_load *l = &v->model->loads[i];
		if (l->op == v->curve->op && l->bs_b == v->bs_b && !v->other_op)
			return l;
	}
	return NULL;
}

static struct measured
measured_rates(const struct model_load *l, enum model_statistic stat)
{
	struct measured m = {.trust = l->trust};
	m.n = known_rates(l, stat, m.rate, m.us);
	for (size_t i = 0; i < m.n; i++) {
		m.seen_us[i] = m.us[i];
		m.us[i] = i ? fmax(m.us[i], m.us[i - 1]) : m.us[i];
	}
	return m;
}

static bool
inside(const struct measured *m, double rate)
{
	return m->n > 0 && rate >= m->rate[0] && rate <= m->rate[m->n - 1];
}

/* Half width in ln of a statistic at a rate: a run's noise, and how far it is from where it was
 * measured. */
static double
half_width(const struct measured *m, enum model_statistic stat, double rate)
{
	double away = 2 * log(2); /* towards rate 0 the light latency is known */
	for (size_t k = 0; k < m->n; k++)
		away = fmin(away, fabs(log(rate / m->rate[k])));
	return log(predict_noise) + log(rate_error[stat]) * away / log(2);
}

static struct estimate
between_rates(const struct measured *m, enum model_statistic stat, double rate)
{
	double half = half_width(m, stat, rate);
	double value = predict_interpolate(m->rate, m->us, m->n, rate);
	double seen = predict_interpolate(m->rate, m->seen_us, m->n, rate);
	return (struct estimate){value, fmin(value, seen) * exp(-half), value * exp(half), m->trust,
		MODEL_INTERPOLATED};
}

/* What a queue makes of an excess over the curve between two rates: it grows like rho / (1 - rho)
 * (models.md 3.3), no further than a queue does in its window. */
static double
carried_us(const struct view *v, double excess_us, double from, double to)
{
	double here = from / v->limit_iops, there = to / v->limit_iops;
	double growth = there / fmax(1 - there, 1e-3) * fmax(1 - here, 1e-3) / here;
	double most = fmax(excess_us, queue_longest_us(v->limit_iops, MODEL_MEAN));
	return fmin(excess_us * growth, most);
}

/* The mean beside the measured rates: the curve and what the nearest rate was over it, carried on as
 * a queue; where it was below, the curve times that.  A wall that is not known adds no queue. */
static double
beside_rates(const struct view *v, double rate, double nearest, double measured)
{
	double depth, light = mean_at_rate(v, rate, &depth).value;
	double curve = mean_at_rate(v, nearest, &depth).value, excess = measured - curve;
	if (excess <= 0 || (!v->limit_known && rate > nearest))
		return light * measured / curve;
	return light + carried_us(v, excess, nearest, rate);
}

static double
own_queue_us(const struct view *v, double rate, double burst)
{
	return queue_wait_us(rate, v->limit_iops, burst, MODEL_MEAN);
}

static struct estimate
mean_by_rates(const struct view *v, const struct measured *m, double rate)
{
	if (inside(m, rate))
		return between_rates(m, MODEL_MEAN, rate);
	bool beyond = rate > m->rate[0];
	size_t end = beyond ? m->n - 1 : 0;
	double nearest = m->rate[end], measured = m->us[end];
	double value = beside_rates(v, rate, nearest, measured);
	double queue = own_queue_us(v, rate, v->burst) - own_queue_us(v, nearest, v->burst);
	if (beyond)
		value = fmax(value, measured + (v->limit_known ? fmax(0, queue) : 0));
	else
		value = fmin(value, measured);
	/* on either side the truth may have stayed at what was measured, or have gone half as far again */
	double half = half_width(m, MODEL_MEAN, rate), further = sqrt(value / measured);
	double low = fmin(value * fmin(1, further), measured), high = value * fmax(1, further);
	struct estimate e = {value, low * exp(-half), fmax(high, measured) * exp(half),
		m->trust > v->trust ? m->trust : v->trust,
		beyond ? MODEL_EXTRAPOLATED : MODEL_CURVE};
	if (beyond) /* a bucket may be empty, a wall as low as it was seen */
		e.hi = fmax(e.hi, value + own_queue_us(v, rate, 0));
	return e;
}

/* The mean's error times that of a ratio which was not measured at this rate (models.md 1.5). */
static const double ratio_error[] = {
	[MODEL_MEAN] = 1, [MODEL_P50] = 1.57, [MODEL_P99] = 1.77, [MODEL_P999] = 2.0};
_Static_assert(sizeof(ratio_error) / sizeof(ratio_error[0]) == MODEL_STATISTIC_COUNT, "all");

/* Percentile over mean beside the rates at which the percentile was measured: the nearest one; from
 * there down to the light one, where that is less and known, with the root of the rate (hard disk
 * and SSDs held at a rate: nearer to rates left out than the nearest ratio or a line). */
static double
nearest_ratio(const struct view *v, const struct measured *m, const struct measured *means,
	double rate, double light)
{
	bool beyond = rate > m->rate[0];
	size_t end = beyond ? m->n - 1 : 0;
	double ratio = m->us[end] / mean_by_rates(v, means, m->rate[end]).value;
	if (beyond || !(light < ratio))
		return ratio;
	return light + (ratio - light) * sqrt(rate / m->rate[end]);
}

/* A percentile beside the rates at which it was measured: the mean's estimate times a ratio. */
static struct estimate
by_ratio(const struct view *v, enum model_statistic stat, const struct measured *m,
	const struct measured *means, double rate)
{
	struct estimate e = mean_by_rates(v, means, rate);
	bool assumed;
	double light = predict_light_ratio(v, stat, &assumed);
	double ratio = light * tail(stat, fmin(1, rate / v->limit_iops));
	if (m->n > 0) {
		ratio = nearest_ratio(v, m, means, rate, assumed ? (double)INFINITY : light);
	} else if (assumed) {
		struct ratio r = ratio_of(v->model->device, v->curve->op, stat, false);
		e.lo *= r.lo / r.value;
		e.hi *= r.hi / r.value;
		e.trust = TRUST_ASSUMED;
	}
	e.value *= ratio;
	e.lo = fmin(e.lo * ratio / ratio_error[stat], e.value);
	e.hi = fmax(e.hi * ratio * ratio_error[stat], e.value);
	e.how = e.how == MODEL_INTERPOLATED ? MODEL_CURVE : e.how;
	return e;
}

/* Measured by arrivals at this size, at this rate or at others.  false: it was not. */
static bool
by_rates(const struct view *v, enum model_statistic stat, double rate, struct estimate *e)
{
	const struct model_load *l = load_of(v);
	if (!l)
		return false;
	struct measured means = measured_rates(l, MODEL_MEAN), m = measured_rates(l, stat);
	if (means.n == 0)
		return false;
	if (stat == MODEL_MEAN)
		*e = mean_by_rates(v, &means, rate);
	else if (inside(&m, rate))
		*e = between_rates(&m, stat, rate);
	else
		*e = by_ratio(v, stat, &m, &means, rate);
	return true;
}

/* The statistic of one disk at its rate.  A wall that was only seen as a lower bound adds nothing to
 * the value; a bucket that may be empty, or that wall, counts in the interval. */
static struct estimate
at_rate(const struct view *v, enum model_statistic stat, double rate)
{
	struct estimate e;
	if (by_rates(v, stat, rate, &e))
		return e; /* the queue, if there was one, is in it */
	e = below_queue(v, stat, rate);
	e.hi += queue_wait_us(rate, v->limit_iops, 0, stat);
	if (v->limit_known)
		e.value += queue_wait_us(rate, v->limit_iops, v->burst, stat);
	if (stat >= MODEL_P99) /* not measured at rates: no tail is below the mean */
		e.value = fmax(e.value, at_rate(v, MODEL_MEAN, rate).value);
	e.hi = fmax(e.hi, e.value);
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
	if (rate - wall < 0.5) /* no I/O a second in excess that could be told */
		return err_set(err, ERR_RANGE,
			"%s, %s %s at %s IOPS: at the wall of %s IOPS; there is no room left and "
			"no "
			"steady state, the queue grows without bound",
			v->model->name ? v->model->name : "model", size,
			names_text(&profile_op_names, v->curve->op), asked, limit);
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
	struct surface s;
	if (!(rate_iops >= 0 && rate_iops < 1e12))
		return err_set(err, ERR_RANGE, "rate %g IOPS: 0 or more", rate_iops);
	int rc = predict_view(m, op, bs_b, caps, &v, &s, err);
	if (rc == 0)
		rc = predict_needs_latency(&v, op, err);
	if (rc == 0)
		rc = find_limit(&v, bs_b, rate_iops, err);
	if (rc)
		return rc;
	v.rate = (double)NAN;
	v.rate_mean = mean_at_rate(&v, rate_iops * v.share, &v.rate_depth);
	v.rate = rate_iops * v.share;
	*us = predict_whole(&v, stat, rate_iops * v.share, at_rate);
	return 0;
}
