#include "model/nls.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

/* One solve: which parameters move, and the values of those that do not. */
struct solve {
	const struct nls_problem *problem;
	size_t k; /* of the form */
	size_t map[FORM_MAX_K]; /* free parameter -> parameter */
	size_t n_free;
	double theta[FORM_MAX_K];
};

static double
weight_root(const struct nls_problem *p, size_t i)
{
	return p->weight ? sqrt(p->weight[i]) : 1;
}

static void
spread(const struct solve *s, const gsl_vector *x, double *theta)
{
	memcpy(theta, s->theta, sizeof(s->theta));
	for (size_t j = 0; j < s->n_free; j++)
		/* a step to e^60 is a parameter at infinity: keep exp() finite */
		theta[s->map[j]] = fmin(fmax(gsl_vector_get(x, j), -60), 60);
}

static int
residuals(const gsl_vector *x, void *params, gsl_vector *f)
{
	const struct solve *s = params;
	const struct nls_problem *p = s->problem;
	double theta[FORM_MAX_K];
	spread(s, x, theta);
	for (size_t i = 0; i < p->data.n; i++) {
		double r = p->form->value(theta, p->data.x[i], NULL) - log(p->data.t[i]);
		gsl_vector_set(f, i, weight_root(p, i) * r);
	}
	return GSL_SUCCESS;
}

static int
jacobian(const gsl_vector *x, void *params, gsl_matrix *jac)
{
	const struct solve *s = params;
	const struct nls_problem *p = s->problem;
	double theta[FORM_MAX_K], gradient[FORM_MAX_K];
	spread(s, x, theta);
	for (size_t i = 0; i < p->data.n; i++) {
		p->form->value(theta, p->data.x[i], gradient);
		for (size_t j = 0; j < s->n_free; j++)
			gsl_matrix_set(jac, i, j, weight_root(p, i) * gradient[s->map[j]]);
	}
	return GSL_SUCCESS;
}

static double
rss_of(const struct nls_problem *p, const double *theta)
{
	double sum = 0;
	for (size_t i = 0; i < p->data.n; i++) {
		double r = weight_root(p, i) *
			   (p->form->value(theta, p->data.x[i], NULL) - log(p->data.t[i]));
		sum += r * r;
	}
	return sum;
}

/* Put the covariance of the free parameters into the k x k matrix. */
static void
keep_covariance(const struct solve *s, gsl_multifit_nlinear_workspace *w, double *out)
{
	gsl_matrix *cov = gsl_matrix_alloc(s->n_free, s->n_free);
	if (!cov)
		return;
	if (gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 1e-12, cov) == GSL_SUCCESS) {
		for (size_t a = 0; a < s->n_free; a++)
			for (size_t b = 0; b < s->n_free; b++)
				out[s->map[a] * s->k + s->map[b]] = gsl_matrix_get(cov, a, b);
	}
	gsl_matrix_free(cov);
}

/* Minimise over the free parameters, starting from s->theta; the answer replaces it. */
static int
solve(struct solve *s, double *covariance)
{
	enum { ROUNDS = 300 };
	const struct nls_problem *p = s->problem;
	gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
	options.trs = gsl_multifit_nlinear_trs_lmaccel;
	options.scale = gsl_multifit_nlinear_scale_more;
	options.solver = gsl_multifit_nlinear_solver_qr;
	gsl_multifit_nlinear_fdf fdf = {
		.f = residuals, .df = jacobian, .n = p->data.n, .p = s->n_free, .params = s};
	gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
		gsl_multifit_nlinear_trust, &options, p->data.n, s->n_free);
	gsl_vector *start = gsl_vector_alloc(s->n_free);
	int rc = w && start ? 0 : ERR_NOMEM;
	for (size_t j = 0; rc == 0 && j < s->n_free; j++)
		gsl_vector_set(start, j, s->theta[s->map[j]]);
	if (rc == 0 && gsl_multifit_nlinear_init(start, &fdf, w) != GSL_SUCCESS)
		rc = ERR_NUMERIC;
	if (rc == 0) {
		int info;
		/* A parameter that runs to infinity never passes the step test: the point
		 * reached is still the minimum, so only a residual that is not finite fails. */
		gsl_multifit_nlinear_driver(ROUNDS, 1e-9, 1e-10, 0, NULL, NULL, &info, w);
		double theta[FORM_MAX_K];
		spread(s, gsl_multifit_nlinear_position(w), theta);
		memcpy(s->theta, theta, sizeof(theta));
		memset(covariance, 0, sizeof(double) * FORM_MAX_K * FORM_MAX_K);
		keep_covariance(s, w, covariance);
		if (!isfinite(rss_of(p, s->theta)))
			rc = ERR_NUMERIC;
	}
	gsl_vector_free(start);
	gsl_multifit_nlinear_free(w);
	return rc;
}

/* The free parameter furthest outside its range goes onto its bound; false: all are inside. */
static bool
clamp_worst(struct solve *s, const double *lo, const double *hi, bool *at_bound)
{
	size_t worst = s->n_free;
	double most = 0;
	for (size_t j = 0; j < s->n_free; j++) {
		double v = s->theta[s->map[j]];
		double out = fmax(lo[s->map[j]] - v, v - hi[s->map[j]]);
		if (out > most) {
			most = out;
			worst = j;
		}
	}
	if (worst == s->n_free)
		return false;
	size_t i = s->map[worst];
	s->theta[i] = s->theta[i] < lo[i] ? lo[i] : hi[i];
	at_bound[i] = true;
	memmove(&s->map[worst], &s->map[worst + 1], (s->n_free - worst - 1) * sizeof(s->map[0]));
	s->n_free--;
	return true;
}

static void
bounds_of(const struct nls_problem *p, double *lo, double *hi)
{
	p->form->bounds(&p->data, lo, hi);
	if (p->lower)
		memcpy(lo, p->lower, p->form->k * sizeof(*lo));
	if (p->upper)
		memcpy(hi, p->upper, p->form->k * sizeof(*hi));
}

static int
finish(const struct nls_problem *p, const struct solve *s, struct nls_result *r)
{
	memcpy(r->theta, s->theta, sizeof(s->theta));
	r->n_free = s->n_free;
	r->rss = rss_of(p, r->theta);
	return isfinite(r->rss) ? 0 : ERR_NUMERIC;
}

/* From one start to a minimum inside the bounds. */
static int
descend(const struct nls_problem *p, const double *start, struct nls_result *r)
{
	double lo[FORM_MAX_K], hi[FORM_MAX_K];
	bounds_of(p, lo, hi);
	struct solve s = {.problem = p, .k = p->form->k};
	memset(r, 0, sizeof(*r));
	for (size_t i = 0; i < p->form->k; i++) {
		s.theta[i] = p->fixed[i] ? p->value[i] : start[i];
		r->at_bound[i] = p->fixed[i];
		if (!p->fixed[i])
			s.map[s.n_free++] = i;
	}
	if (s.n_free > p->data.n)
		return ERR_RANGE;
	while (s.n_free) {
		int rc = solve(&s, r->covariance);
		if (rc)
			return rc;
		if (!clamp_worst(&s, lo, hi, r->at_bound))
			break;
		memset(r->covariance, 0, sizeof(r->covariance));
	}
	return finish(p, &s, r);
}

enum place { PLACE_FREE, PLACE_LOW, PLACE_HIGH, PLACES };

/* One choice of who stands on which bound (a digit a parameter); the others start from *from. */
static int
solve_choice(const struct nls_problem *p, unsigned choice, const double *from, struct nls_result *r)
{
	double lo[FORM_MAX_K], hi[FORM_MAX_K];
	bounds_of(p, lo, hi);
	struct solve s = {.problem = p, .k = p->form->k};
	memset(r, 0, sizeof(*r));
	for (size_t i = 0; i < p->form->k; i++, choice /= PLACES) {
		enum place place = (enum place)(choice % PLACES);
		r->at_bound[i] = p->fixed[i] || place != PLACE_FREE;
		if (p->fixed[i] && place != PLACE_FREE)
			return ERR_RANGE; /* the same choice as another one */
		s.theta[i] = p->fixed[i]           ? p->value[i]
			     : place == PLACE_LOW  ? lo[i]
			     : place == PLACE_HIGH ? hi[i]
						   : fmin(fmax(from[i], lo[i]), hi[i]);
		if (!r->at_bound[i])
			s.map[s.n_free++] = i;
	}
	int rc = s.n_free ? solve(&s, r->covariance) : 0;
	for (size_t j = 0; rc == 0 && j < s.n_free; j++) {
		size_t i = s.map[j];
		rc = s.theta[i] < lo[i] || s.theta[i] > hi[i] ? ERR_RANGE : 0;
	}
	return rc ? rc : finish(p, &s, r);
}

/*
 * Who stands on a bound was chosen one at a time, which may end in a corner: try every choice, from
 * the best point so far, and keep what is better.  At most 3^k small solves, and only where the
 * bounds matter.
 */
static void
try_choices(const struct nls_problem *p, struct nls_result *best)
{
	unsigned n = 1;
	bool clamped = false;
	for (size_t i = 0; i < p->form->k; i++) {
		clamped = clamped || (best->at_bound[i] && !p->fixed[i]);
		n *= PLACES;
	}
	double from[FORM_MAX_K];
	memcpy(from, best->theta, sizeof(from));
	for (unsigned choice = 1; clamped && choice < n; choice++) {
		struct nls_result one;
		if (solve_choice(p, choice, from, &one) == 0 && one.rss < best->rss * (1 - 1e-9))
			*best = one;
	}
}

int
nls_fit(const struct nls_problem *p, struct nls_result *r, struct err *err)
{
	gsl_error_handler_t *old = gsl_set_error_handler_off();
	double start[FORM_MAX_STARTS][FORM_MAX_K];
	size_t n = p->form->starts(&p->data, start);
	int rc = ERR_NUMERIC;
	bool found = false;
	for (size_t i = 0; i < n; i++) {
		struct nls_result one;
		int why = descend(p, start[i], &one);
		if (why) {
			rc = why;
			continue;
		}
		if (!found || one.rss < r->rss)
			*r = one;
		found = true;
	}
	if (found)
		try_choices(p, r);
	gsl_set_error_handler(old);
	if (found)
		return 0;
	if (rc == ERR_NOMEM)
		return err_nomem(err);
	if (rc == ERR_RANGE)
		return err_set(err, ERR_RANGE, "form %s: %zu points are fewer than its parameters",
			p->form->name, p->data.n);
	return err_set(err, ERR_NUMERIC, "form %s: no start of %zu converges on %zu points",
		p->form->name, n, p->data.n);
}

/* 0.975 quantiles of Student's t with 1 to 20 degrees of freedom: predictions ask for one each time. */
static const double t95[] = {12.706204736432095, 4.3026527299112747, 3.1824463052842629,
	2.7764451051977987, 2.5705818366147395, 2.4469118487916806, 2.3646242510102993,
	2.3060041350333704, 2.2621571627409915, 2.2281388519649385, 2.2009851600829489,
	2.1788128296634177, 2.1603686564610127, 2.1447866879169273, 2.131449545559323,
	2.1199052992210112, 2.1098155778331806, 2.1009220402409601, 2.093024054408263,
	2.0859634472658364};

double
nls_t95(double dof)
{
	if (!(dof >= 1))
		return (double)NAN;
	bool tabled = dof <= 20 && floor(dof) >= dof;
	return tabled ? t95[(size_t)dof - 1] : gsl_cdf_tdist_Pinv(0.975, dof);
}
