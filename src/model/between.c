/*
 * between.c - a statistic between measured depths, and how far off it may be.
 *
 * Between neighbours of a ladder that doubles: monotone interpolation of the points.  Across a gap of
 * four or more a straight line in ln-ln would invent growth where disks are flat, and a cubic does
 * not know where the knee is: there the curve bridges, within what both ends leave.
 *
 * The interval: what left-out points of clean sweeps were off by (models.md 1.2, 1.5), unless the
 * points themselves say more, each left out in turn; on top the scatter that shows where latency or
 * throughput falls with depth, which noise does and disks do not.
 */
#include <math.h>

#include "model/nls.h"
#include "model/predict.h"

enum { MAX_POINTS = 64 };

/* Left-out points of clean and not clean sweeps, 95th percentile (models.md 1.2, 1.5): a point
 * interpolated across a gap of four in depth. */
static const double gap_error[] = {
	[MODEL_MEAN] = 1.24, [MODEL_P50] = 1.46, [MODEL_P99] = 1.36, [MODEL_P999] = 1.81};
_Static_assert(sizeof(gap_error) / sizeof(gap_error[0]) == MODEL_STATISTIC_COUNT, "all");

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

/* The first of two neighbours around q; n - 2 at the right end. */
static size_t
bracket(const double *qd, size_t n, double q)
{
	size_t i = 0;
	while (i + 2 < n && qd[i + 1] <= q)
		i++;
	return i;
}

static bool
is_wide(const double *qd, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (qd[i + 1] >= 4 * qd[i])
			return true;
	return false;
}

struct model_curve
predict_shape(const struct model_curve *c)
{
	struct model_curve three = *c;
	double qd[MAX_POINTS], us[MAX_POINTS];
	struct nls_result r;
	size_t n = predict_known(c, MODEL_MEAN, qd, us, MAX_POINTS);
	if (c->form != MODEL_FORM_TWO || n < 4 || !is_wide(qd, n))
		return three;
	struct nls_problem p = {.form = form_of(MODEL_FORM_THREE), .data = {qd, us, n}};
	if (nls_fit(&p, &r, NULL))
		return three;
	three.form = MODEL_FORM_THREE;
	three.l1_us = exp(r.theta[0]);
	three.c_us = exp(r.theta[0] + r.theta[1]);
	three.wall_iops = 1e6 * exp(r.theta[2]);
	return three;
}

/*
 * The curve between points i and i + 1, no further than they leave room: where neither latency nor
 * throughput falls from one to the other, neither does in between.  What it is off by at the points may
 * be their scatter, and is not carried along: of left-out depths far apart the worst errors get smaller
 * by that, the typical ones a little larger.
 */
static double
bridge(const struct model_curve *c, const double *qd, const double *us, size_t i, double q)
{
	double value = curve_mean_us(c, q);
	double least = fmax(us[i], us[i + 1] * q / qd[i + 1]);
	double most = fmin(us[i + 1], us[i] * q / qd[i]);
	return least <= most ? fmin(fmax(value, least), most) : value;
}

/* Sum of squares of what falls from one depth to the next: of y, or of q / y. */
static double
falls(const double *qd, const double *us, size_t n, bool throughput)
{
	double sum = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		double rise = log(us[i + 1] / us[i]);
		double over = rise - log(qd[i + 1] / qd[i]);
		sum += rise < 0 ? rise * rise : 0;
		sum += throughput && over > 0 ? over * over : 0;
	}
	return sum;
}

double
predict_scatter(const struct model_curve *c, enum model_statistic stat)
{
	double qd[MAX_POINTS], us[MAX_POINTS];
	size_t n = predict_known(c, MODEL_MEAN, qd, us, MAX_POINTS);
	double sum = falls(qd, us, n, true);
	if (stat != MODEL_MEAN) {
		n = predict_known(c, stat, qd, us, MAX_POINTS);
		sum += falls(qd, us, n, false);
	}
	/* scatter s makes steps of variance 2 s^2, half of them falls; a new run scatters, too */
	double s = n > 1 ? sqrt(2 * sum / (double)(n - 1)) : 0;
	/* of so few steps s is not sure: Student's t, the noise that is known counts for one more */
	return fmax(log(predict_noise), nls_t95((double)n) * s);
}

/* Half width in ln, a doubling away from the nearest point: the table's, or that of the points left
 * out in turn (errors scaled to a doubling) together with one as the table has it. */
static double
left_out(const double *qd, const double *us, size_t n, enum model_statistic stat)
{
	double table = log(gap_error[stat]), prior = table / 1.96, sum = prior * prior;
	double x[MAX_POINTS], y[MAX_POINTS];
	for (size_t out = 1; out + 1 < n; out++) {
		size_t kept = 0;
		for (size_t i = 0; i < n; i++) {
			if (i == out)
				continue;
			x[kept] = qd[i];
			y[kept++] = us[i];
		}
		double error = log(predict_interpolate(x, y, kept, qd[out]) / us[out]);
		sum += error * error * log(2) / fmax(distance(x, kept, qd[out]), 0.2);
	}
	double dof = 1 + (n > 2 ? (double)n - 2 : 0);
	return fmax(table, nls_t95(dof) * sqrt(sum / dof));
}

double
predict_between_us(const struct model_curve *shape, enum model_statistic stat, const double *qd,
	const double *us, size_t n, const struct monotone_piece *pieces, double q)
{
	size_t i = bracket(qd, n, q);
	/* percentiles follow the curve less than the mean does */
	double wide = stat == MODEL_MEAN ? 4 : nextafter(4, 5);
	if (n > 1 && q != qd[i] && q != qd[i + 1] && qd[i + 1] >= wide * qd[i])
		return bridge(shape, qd, us, i, q);
	return pieces ? monotone_at(qd, us, n, pieces, q) : predict_interpolate(qd, us, n, q);
}

struct estimate
predict_between(const struct view *v, enum model_statistic stat, const double *qd, const double *us,
	size_t n, double q)
{
	struct estimate e = {.trust = v->trust, .how = MODEL_INTERPOLATED};
	const struct model_curve shape = predict_shape(v->curve);
	size_t i = bracket(qd, n, q);
	double away = distance(qd, n, q);
	e.value = predict_between_us(&shape, stat, qd, us, n, NULL, q);
	/* further than a doubling from both ends it is the curve that speaks */
	if (away > 0 && n > 1 && qd[i + 1] > 4 * qd[i])
		e.how = MODEL_CURVE;
	double noise = log(predict_noise), half = predict_scatter(v->curve, stat);
	if (away > 0)
		half += (left_out(qd, us, n, stat) - noise) * away / log(2);
	e.lo = e.value * exp(-half);
	e.hi = e.value * exp(half);
	stated_interval(v->curve, stat, q, &e);
	return e;
}
