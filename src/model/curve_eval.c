/*
 * curve_eval.c - values of a fitted curve: latency, interval, saturation.
 */
#include <math.h>

#include "model/curve.h"
#include "model/nls.h"

const double curve_two_half_width = 0.336472; /* ln 1.4 */

static double
slope_of(const struct model_curve *c)
{
	return c->form == MODEL_FORM_THREE && !isnan(c->c_us) ? c->c_us : 0;
}

double
curve_light_us(const struct model_curve *c, double qd)
{
	double q = fmax(qd, 1);
	if (c->form == MODEL_FORM_POWER)
		return c->l1_us * pow(q, c->g);
	return c->l1_us + slope_of(c) * (q - 1);
}

double
curve_mean_us(const struct model_curve *c, double qd)
{
	double q = fmax(qd, 1), light = curve_light_us(c, q);
	if (isnan(c->wall_iops))
		return light;
	/* a light latency hidden by the wall is the wall's time by construction: there is no corner */
	if (fabs(c->l1_us * c->wall_iops - 1e6) < 1e-3 && light <= q * 1e6 / c->wall_iops)
		return q * 1e6 / c->wall_iops;
	/* two depths at the wall already: one I/O took what was measured, and then the wall's time */
	if (c->form == MODEL_FORM_TWO && c->n_points == 2 && c->qd_min == 1 && c->growth < 0.1)
		return fmax(light, q * 1e6 / c->wall_iops);
	double p = c->form == MODEL_FORM_TWO ? 4 : 8;
	return exp(form_pnorm(p, log(light), log(q * 1e6 / c->wall_iops), NULL));
}

double
curve_x_inf(double c_us, double wall_iops)
{
	if (isnan(c_us) || c_us <= 0)
		return wall_iops;
	if (isnan(wall_iops))
		return 1e6 / c_us;
	return exp(-form_pnorm(8, log(c_us * 1e-6), -log(wall_iops), NULL));
}

double
curve_growth(const struct point *points, size_t n)
{
	if (n < 2)
		return (double)NAN;
	const struct point *a = &points[n - 2], *b = &points[n - 1];
	return log(b->iops / a->iops) / log(b->qd / a->qd);
}

/* theta as the form wants it, from the numbers of the curve. */
static void
theta_of(const struct model_curve *c, double *theta)
{
	double wall = isnan(c->wall_iops) ? 60 : log(c->wall_iops * 1e-6);
	theta[0] = log(c->l1_us);
	if (c->form == MODEL_FORM_TWO) {
		theta[1] = wall;
		return;
	}
	theta[1] = c->form == MODEL_FORM_POWER ? c->g : log(fmax(slope_of(c) / c->l1_us, 1e-26));
	theta[2] = wall;
}

double
curve_half_width(const struct model_curve *c, double qd)
{
	const struct form *form = form_of(c->form);
	if (!form || c->n_cov != form->k * form->k || !(c->dof >= 1))
		return c->form == MODEL_FORM_TWO ? curve_two_half_width : (double)NAN;
	double theta[FORM_MAX_K], g[FORM_MAX_K], spread = 0;
	theta_of(c, theta);
	form->value(theta, fmax(qd, 1), g);
	for (size_t i = 0; i < form->k; i++)
		for (size_t j = 0; j < form->k; j++)
			spread += g[i] * c->cov[i * form->k + j] * g[j];
	/* models.md 1.3: 96 % of left-out points lie inside */
	double s2 = fmax(c->rss / c->dof, 0.03 * 0.03);
	return nls_t95(c->dof) * sqrt(s2 * (1 + fmax(0, spread)));
}
