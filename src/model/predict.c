#include "model/predict.h"

#include <gsl/gsl_interp.h>
#include <math.h>

#include "base/units.h"
#include "model/ratio.h"

const double predict_noise = 1.09;

enum { MAX_POINTS = 64 };

/* Left-out points of clean and not clean sweeps, 95th percentile (models.md 1.2, 1.5): a point
 * interpolated across a gap of four in depth. */
static const double gap_error[] = {
	[MODEL_MEAN] = 1.24, [MODEL_P50] = 1.46, [MODEL_P99] = 1.36, [MODEL_P999] = 1.81};
/* The mean's curve times a constant ratio. */
static const double ratio_error[] = {
	[MODEL_MEAN] = 1.24, [MODEL_P50] = 1.57, [MODEL_P99] = 1.77, [MODEL_P999] = 2.0};
_Static_assert(sizeof(gap_error) / sizeof(gap_error[0]) == MODEL_STATISTIC_COUNT, "all");
_Static_assert(sizeof(ratio_error) / sizeof(ratio_error[0]) == MODEL_STATISTIC_COUNT, "all");

double
predict_cap(const struct disk_caps *caps, double bs_b)
{
	if (!caps)
		return (double)NAN;
	double unit_b = caps->io_unit_kib * UNITS_KIB;
	double counted = isnan(unit_b) ? 1 : ceil(bs_b / unit_b);
	return fmin(caps->iops / counted, caps->mbps * UNITS_MB / bs_b); /* fmin skips NaN */
}

static bool
is_read(int op)
{
	return op == PROFILE_OP_RANDREAD || op == PROFILE_OP_READ;
}

double
predict_quota(const struct disk_model *m, int op, double bs_b)
{
	struct disk_caps quota = {m->quota_iops, m->quota_mbps, (double)NAN, (double)NAN};
	if (!is_read(op) && !isnan(m->quota_write_iops))
		quota.iops = m->quota_write_iops;
	if (!is_read(op) && !isnan(m->quota_write_mbps))
		quota.mbps = m->quota_write_mbps;
	return predict_cap(&quota, bs_b);
}

/* Sequential I/O of these disks is not slower than random I/O: the only stand-in there is. */
static int
stand_in(int op)
{
	return is_read(op) ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE;
}

static const struct model_curve *
nearest_curve(const struct disk_model *m, int op, double bs_b)
{
	const struct model_curve *best = NULL;
	double best_rank = INFINITY;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || isnan(c->l1_us))
			continue;
		/* without depth 1 the light latency is not in it: only when nothing else is */
		double rank = fabs(log(c->bs_b / bs_b)) + (c->n_qd && c->qd[0] > 1 ? 100 : 0);
		if (rank < best_rank) {
			best_rank = rank;
			best = c;
		}
	}
	return best;
}

/* The curve whose wall says most about a block size: its own, else the next smaller size. */
static const struct model_curve *
wall_curve(const struct disk_model *m, int op, double bs_b)
{
	const struct model_curve *best = NULL;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || c->wall_reached != 1 || !(c->x_inf_iops > 0) || c->bs_b > bs_b)
			continue;
		if (!best || c->bs_b > best->bs_b)
			best = c;
	}
	return best;
}

/* Time of a byte at depth 1, us; NaN when fewer than two sizes were measured. */
static double
us_per_byte(const struct disk_model *m, int op)
{
	for (size_t i = 0; i < m->n_sizes; i++) {
		const struct model_size *s = &m->sizes[i];
		if (s->op == op && s->qd == 1 && !isnan(s->b_us_per_kib))
			return s->b_us_per_kib / UNITS_KIB;
	}
	return (double)NAN;
}

static void
weaken(struct view *v, int trust)
{
	v->trust = trust > v->trust ? trust : v->trust;
}

static void
shift_to_size(struct view *v, double bs_b)
{
	if (v->curve->bs_b == bs_b)
		return;
	double per_byte = us_per_byte(v->model, v->curve->op);
	v->other_size = true;
	weaken(v, isnan(per_byte) ? TRUST_ASSUMED : TRUST_DERIVED);
	if (isnan(per_byte))
		return;
	double shift = per_byte * (bs_b - v->curve->bs_b);
	v->shift_us = fmax(shift, -0.5 * v->curve->l1_us);
}

int
predict_view(const struct disk_model *m, enum profile_op op, double bs_b,
	const struct disk_caps *caps, struct view *v, struct err *err)
{
	*v = (struct view){.model = m, .stripe = 1};
	v->curve = nearest_curve(m, (int)op, bs_b);
	v->wall = wall_curve(m, (int)op, bs_b);
	if (!v->curve && stand_in((int)op) != (int)op) {
		v->curve = nearest_curve(m, stand_in((int)op), bs_b);
		v->other_op = true;
	}
	if (!v->curve && !v->wall)
		return err_set(err, ERR_UNSUPPORTED,
			"%s has no %s data: measure it (tierwise bench) or import a run",
			m->name ? m->name : "the model", names_text(&profile_op_names, (int)op));
	if (v->curve) {
		v->trust = v->curve->trust;
		if (v->other_op)
			weaken(v, TRUST_ASSUMED);
		shift_to_size(v, bs_b);
	}
	v->cap_iops = fmin(predict_cap(caps, bs_b), predict_quota(m, (int)op, bs_b));
	if (caps && caps->stripe > 1)
		v->stripe = caps->stripe;
	return 0;
}

int
predict_needs_latency(const struct view *v, enum profile_op op, struct err *err)
{
	if (v->curve)
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: only a rate of %s is known, not how long one takes: measure it (tierwise "
		"bench) or import a run",
		v->model->name ? v->model->name : "the model",
		names_text(&profile_op_names, (int)op));
}

static const double *
column(const struct model_curve *c, enum model_statistic stat, size_t *n)
{
	const double *const columns[] = {[MODEL_MEAN] = c->mean_us,
		[MODEL_P50] = c->p50_us,
		[MODEL_P99] = c->p99_us,
		[MODEL_P999] = c->p999_us};
	const size_t counts[] = {[MODEL_MEAN] = c->n_mean_us,
		[MODEL_P50] = c->n_p50_us,
		[MODEL_P99] = c->n_p99_us,
		[MODEL_P999] = c->n_p999_us};
	*n = counts[stat] < c->n_qd ? counts[stat] : c->n_qd;
	return columns[stat];
}

size_t
predict_known(const struct model_curve *c, enum model_statistic stat, double *qd, double *us,
	size_t limit)
{
	size_t n, kept = 0;
	const double *values = column(c, stat, &n);
	for (size_t i = 0; i < n && kept < limit; i++) {
		if (!(values[i] > 0))
			continue;
		qd[kept] = c->qd[i];
		us[kept++] = values[i];
	}
	return kept;
}

double
predict_interpolate(const double *x, const double *y, size_t n, double at)
{
	double lx[MAX_POINTS] = {0}, ly[MAX_POINTS] = {0};
	if (n == 1)
		return y[0];
	for (size_t i = 0; i < n; i++) {
		if (x[i] == at)
			return y[i];
		lx[i] = log(x[i]);
		ly[i] = log(y[i]);
	}
	if (n < 3) {
		double share = (log(at) - lx[0]) / (lx[1] - lx[0]);
		return exp(ly[0] + share * (ly[1] - ly[0]));
	}
	double value = (double)NAN;
	gsl_interp *steffen = gsl_interp_alloc(gsl_interp_steffen, n);
	if (steffen) {
		gsl_interp_init(steffen, lx, ly, n);
		value = exp(gsl_interp_eval(steffen, lx, ly, log(at), NULL));
		gsl_interp_free(steffen);
	}
	return value;
}

double
predict_light_ratio(const struct view *v, enum model_statistic stat, bool *assumed)
{
	const struct model_curve *c = v->curve;
	double qd[MAX_POINTS], us[MAX_POINTS], q_mean[MAX_POINTS], mean[MAX_POINTS];
	size_t n = predict_known(c, stat, qd, us, MAX_POINTS);
	size_t m = predict_known(c, MODEL_MEAN, q_mean, mean, MAX_POINTS);
	*assumed = false;
	for (size_t i = 0; n && i < m; i++)
		if (q_mean[i] == qd[0])
			return us[0] / mean[i];
	*assumed = stat != MODEL_MEAN;
	return ratio_of(v->model->device, c->op, stat, false).value;
}

/* Nearest measured depth, and how far it is in ln. */
static double
distance(const double *qd, size_t n, double q)
{
	double best = INFINITY;
	for (size_t i = 0; i < n; i++)
		best = fmin(best, fabs(log(q / qd[i])));
	return best;
}

/* Interval the profile states for a point at exactly this depth, if any. */
static void
stated_interval(
	const struct model_curve *c, enum model_statistic stat, double q, struct estimate *e)
{
	const double *lo = stat == MODEL_MEAN   ? c->mean_lo_us
			   : stat == MODEL_P99  ? c->p99_lo_us
			   : stat == MODEL_P999 ? c->p999_lo_us
						: NULL;
	const double *hi = stat == MODEL_MEAN   ? c->mean_hi_us
			   : stat == MODEL_P99  ? c->p99_hi_us
			   : stat == MODEL_P999 ? c->p999_hi_us
						: NULL;
	for (size_t i = 0; lo && hi && i < c->n_qd; i++) {
		if (c->qd[i] != q)
			continue;
		e->lo = isnan(lo[i]) ? e->lo : fmin(e->lo, lo[i]);
		e->hi = isnan(hi[i]) ? e->hi : fmax(e->hi, hi[i]);
	}
}

static void
set_band(struct estimate *e, double half)
{
	e->lo = isnan(half) ? (double)NAN : e->value * exp(-half);
	e->hi = isnan(half) ? (double)NAN : e->value * exp(half);
}

/* The first of two neighbours around q; n - 2 at the right end. */
static size_t
bracket(const double *qd, size_t n, double q)
{
	size_t i = 0;
	while (i + 2 < n && qd[i + 1] <= q)
		i++;
	return i;
}

/*
 * Across more than a factor of four in depth a straight line in ln-ln would invent growth where
 * disks are flat: there the curve bridges, bent to meet both ends.
 */
static double
bridge(const struct model_curve *c, const double *qd, const double *us, size_t i, double q)
{
	double left = log(us[i] / curve_mean_us(c, qd[i]));
	double right = log(us[i + 1] / curve_mean_us(c, qd[i + 1]));
	double share = log(q / qd[i]) / log(qd[i + 1] / qd[i]);
	return curve_mean_us(c, q) * exp(left + share * (right - left));
}

static struct estimate
interpolated(const struct view *v, enum model_statistic stat, const double *qd, const double *us,
	size_t n, double q)
{
	struct estimate e = {.trust = v->trust, .how = MODEL_INTERPOLATED};
	size_t i = bracket(qd, n, q);
	double away = distance(qd, n, q);
	if (away > 0 && n > 1 && qd[i + 1] > 4 * qd[i]) {
		e.value = bridge(v->curve, qd, us, i, q);
		e.how = MODEL_CURVE;
	} else {
		e.value = predict_interpolate(qd, us, n, q);
	}
	double noise = log(predict_noise), gap = log(gap_error[stat]);
	/* a doubling away from the nearest point the full left-out error counts, and more beyond */
	set_band(&e, noise + (gap - noise) * away / log(2));
	stated_interval(v->curve, stat, q, &e);
	return e;
}

static struct estimate
mean_outside(const struct view *v, double q)
{
	const struct model_curve *c = v->curve;
	struct estimate e = {.trust = v->trust, .how = MODEL_EXTRAPOLATED};
	e.value = curve_mean_us(c, q);
	double last = c->n_qd ? c->qd[c->n_qd - 1] : 1, first = c->n_qd ? c->qd[0] : 1;
	double beyond = q > last ? log(q / last) : q < first ? log(first / q) : 0;
	if (c->form == MODEL_FORM_TWO && c->wall_reached) {
		beyond = 0; /* between two known ends */
		e.how = MODEL_CURVE;
	}
	double half = curve_half_width(c, q);
	half = fmax(isnan(half) ? curve_two_half_width : half, log(predict_noise));
	/* one doubling beyond the data is off by about 12 % (models.md 1.2) */
	set_band(&e, half + 0.17 * beyond);
	/* The wall may be no higher than what was seen. */
	if (!c->wall_reached && q > last && c->x_inf_iops > 0)
		e.hi = fmax(e.hi, 1e6 * q / c->x_inf_iops);
	return e;
}

/* A percentile outside its measured depths: the mean there times the ratio at the last depth. */
static struct estimate
percentile_outside(const struct view *v, enum model_statistic stat, const double *qd,
	const double *us, size_t n, double q)
{
	struct estimate e = predict_uncapped(v, MODEL_MEAN, q);
	if (n == 0) {
		bool full = v->curve->wall_reached && q > v->curve->knee_qd;
		struct ratio r = ratio_of(v->model->device, v->curve->op, stat, full);
		e.lo *= r.lo;
		e.hi *= r.hi;
		e.value *= r.value;
		e.trust = TRUST_ASSUMED;
		e.how = e.how == MODEL_INTERPOLATED ? MODEL_CURVE : e.how;
		return e;
	}
	size_t end = q < qd[0] ? 0 : n - 1;
	double ratio = us[end] / predict_uncapped(v, MODEL_MEAN, qd[end]).value;
	double half = log(ratio_error[stat]);
	e.value *= ratio;
	e.lo = fmin(e.lo * ratio, e.value * exp(-half));
	e.hi = fmax(e.hi * ratio, e.value * exp(half));
	e.how = e.how == MODEL_CURVE ? MODEL_CURVE : MODEL_EXTRAPOLATED;
	return e;
}

static struct estimate
one_statistic(const struct view *v, enum model_statistic stat, double q)
{
	double qd[MAX_POINTS], us[MAX_POINTS];
	size_t n = predict_known(v->curve, stat, qd, us, MAX_POINTS);
	if (n && q >= qd[0] && q <= qd[n - 1])
		return interpolated(v, stat, qd, us, n, q);
	return stat == MODEL_MEAN ? mean_outside(v, q) : percentile_outside(v, stat, qd, us, n, q);
}

struct estimate
predict_uncapped(const struct view *v, enum model_statistic stat, double qd)
{
	double q = fmax(qd, 1);
	struct estimate e = one_statistic(v, stat, q);
	/* percentiles are ordered: interpolating each alone may cross them */
	for (int lower = MODEL_P50; lower < (int)stat; lower++) {
		double below = one_statistic(v, (enum model_statistic)lower, q).value;
		if (below > e.value) {
			e.value = below;
			e.hi = fmax(e.hi, below);
		}
	}
	return e;
}
