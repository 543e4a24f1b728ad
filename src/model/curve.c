/*
 * curve.c - fit a series of depths: which form, with which wall, how sure.
 *
 * No robust loss: models.md 1.3 tried soft-L1 and Huber by re-weighting on the shared sweeps, and
 * they do not help, since what is far off there (a first point from a cache, a bump at depths 2 to
 * 4) is no outlier of the law but another law.  Those points are named by the traps, kept by the
 * interpolation, and widen the interval; down-weighting would hide them.
 */
#include "model/curve.h"

#include <math.h>
#include <string.h>

#include "model/nls.h"
#include "model/traps.h"

static const double noise_floor = 0.03; /* run-to-run, in ln (models.md 0.10) */
static const double gone = -60; /* ln of a slope that is none */

/* A fit under way. */
struct fitting {
	const struct series *series;
	const struct curve_context *ctx;
	double x[64], t[64], weight[64];
	size_t n;
	int form; /* enum model_form */
	struct nls_result r;
};

static void
load(struct fitting *f)
{
	size_t limit = sizeof(f->x) / sizeof(f->x[0]);
	f->n = f->series->n < limit ? f->series->n : limit;
	for (size_t i = 0; i < f->n; i++) {
		const struct point *p = &f->series->points[i];
		f->x[i] = p->qd;
		f->t[i] = p->mean_us;
		/* sigma_i = max(3 %, spread of repeats), relative to the floor: a single run
		 * counts 1 */
		double sigma = fmax(noise_floor, isnan(p->spread) ? 0 : p->spread);
		f->weight[i] = noise_floor * noise_floor / (sigma * sigma);
	}
}

static struct nls_problem
problem(const struct fitting *f, int form)
{
	return (struct nls_problem){
		.form = form_of(form), .data = {f->x, f->t, f->n}, .weight = f->weight};
}

static size_t
wall_index(int form)
{
	return form_of(form)->k - 1;
}

/* Corrected Akaike criterion; the variance counts as a parameter.  Infinite with too few points. */
static double
aicc(double rss, size_t n, size_t k)
{
	double p = (double)k + 1, m = (double)n;
	if (m - p - 1 <= 0)
		return INFINITY;
	return m * log(fmax(rss, 1e-12) / m) + 2 * p + 2 * p * (p + 1) / (m - p - 1);
}

/*
 * By how much the criterion of the power form lies below that of the three-number curve.  A
 * parameter on a bound was still chosen from the data and counts; a slope that was taken out does
 * not.  With equal counts only the residuals differ, which five points allow, too.
 */
static double
power_gain(const struct fitting *f, const struct nls_problem *three, const struct nls_result *r3,
	const struct nls_result *power)
{
	size_t k3 = three->fixed[1] ? 2 : 3, k = form_power.k;
	if (k3 == k)
		return (double)f->n * log(fmax(r3->rss, 1e-12) / fmax(power->rss, 1e-12));
	return aicc(r3->rss, f->n, k3) - aicc(power->rss, f->n, k);
}

static bool
grows_slowly(int device)
{
	return device == PROFILE_DEVICE_HDD || device == PROFILE_DEVICE_RAID_HDD ||
	       device == PROFILE_DEVICE_NETWORK;
}

/* The three-number curve; a slope on its lower bound is none: fit again without it. */
static int
fit_three(const struct fitting *f, struct nls_problem *p, struct nls_result *r, struct err *err)
{
	*p = problem(f, MODEL_FORM_THREE);
	int rc = nls_fit(p, r, err);
	if (rc || !r->at_bound[1] || r->theta[1] > log(1e-3))
		return rc;
	p->fixed[1] = true;
	p->value[1] = gone;
	return nls_fit(p, r, err);
}

static double
max_rate(const struct series *s)
{
	double best = 0;
	for (size_t i = 0; i < s->n; i++)
		best = fmax(best, s->points[i].iops);
	return best;
}

/* A stated cap replaces a wall the points do not show lower; not when they run beyond the cap. */
static int
apply_cap(const struct fitting *f, struct nls_problem *p, struct nls_result *r, struct err *err)
{
	size_t w = wall_index(f->form);
	double cap = f->ctx->cap_iops;
	if (isnan(cap) || max_rate(f->series) > 1.07 * cap)
		return 0;
	if (cap * 1e-6 > 1.1 * exp(r->theta[w]))
		return 0;
	p->fixed[w] = true;
	p->value[w] = log(cap * 1e-6);
	return nls_fit(p, r, err);
}

static int
choose_and_fit(struct fitting *f, struct err *err)
{
	double span = f->x[f->n - 1] / f->x[0];
	struct nls_problem p;
	if (f->n < 5 || span < 8) {
		f->form = MODEL_FORM_TWO;
		p = problem(f, MODEL_FORM_TWO);
		int rc = nls_fit(&p, &f->r, err);
		return rc ? rc : apply_cap(f, &p, &f->r, err);
	}
	int rc = fit_three(f, &p, &f->r, err);
	if (rc)
		return rc;
	f->form = MODEL_FORM_THREE;
	struct nls_problem power = problem(f, MODEL_FORM_POWER);
	struct nls_result r;
	if (nls_fit(&power, &r, NULL) == 0) {
		if (grows_slowly(f->ctx->device) || power_gain(f, &p, &f->r, &r) > 6) {
			f->form = MODEL_FORM_POWER;
			f->r = r;
			p = power;
		}
	}
	return apply_cap(f, &p, &f->r, err);
}

/* Value and interval of exp(theta_i). */
static void
put_log(const struct fitting *f, size_t i, double s2, double t, double *v, double *lo, double *hi)
{
	size_t k = form_of(f->form)->k;
	double half = t * sqrt(s2 * f->r.covariance[i * k + i]);
	*v = exp(f->r.theta[i]);
	*lo = isnan(half) || f->r.at_bound[i] ? (double)NAN : exp(f->r.theta[i] - half);
	*hi = isnan(half) || f->r.at_bound[i] ? (double)NAN : exp(f->r.theta[i] + half);
}

static void
put_slope(const struct fitting *f, double s2, double t, struct model_curve *c)
{
	if (f->r.theta[1] <= gone) {
		c->c_us = 0;
		return;
	}
	/* ln c = ln L1 + ln (c/L1): variances and twice the covariance add */
	const double *cov = f->r.covariance;
	double ln_c = f->r.theta[0] + f->r.theta[1];
	double half = t * sqrt(s2 * fmax(0, cov[0] + cov[4] + cov[1] + cov[3]));
	c->c_us = exp(ln_c);
	if (!f->r.at_bound[1] && !isnan(half)) {
		c->c_lo_us = exp(ln_c - half);
		c->c_hi_us = exp(ln_c + half);
	}
}

static void
put_exponent(const struct fitting *f, double s2, double t, struct model_curve *c)
{
	double half = t * sqrt(s2 * f->r.covariance[4]);
	c->g = f->r.theta[1];
	if (!f->r.at_bound[1] && !isnan(half)) {
		c->g_lo = fmax(0, c->g - half);
		c->g_hi = fmin(1, c->g + half);
	}
}

/*
 * A light latency that ran to its lower bound is not in the data: the wall was there at the least
 * depth already.  Then it is the wall's time by construction (models.md 1.7), and a trap says so.
 */
static void
hidden_light(const struct fitting *f, struct model_curve *c)
{
	if (f->x[0] == 1 && f->r.at_bound[0] && c->l1_us < f->t[0])
		c->l1_us = fmin(f->t[0], 1e6 / c->wall_iops);
}

/* The wall is seen where throughput hardly grows over the last two depths (models.md 1.2). */
static bool
plateau(const struct series *s)
{
	return s->n >= 2 && curve_growth(s->points, s->n) < 0.1;
}

/*
 * Two depths that are both at the wall: two numbers would split the time at depth 1 into a light
 * latency and the wall's share.  One I/O alone took what was measured, and the wall is the rate.
 */
static void
saturated_pair(const struct fitting *f, struct model_curve *c)
{
	if (f->n != 2 || f->x[0] != 1 || !plateau(f->series) || c->form != MODEL_FORM_TWO)
		return;
	c->l1_us = f->t[0];
	c->l1_lo_us = c->l1_hi_us = (double)NAN;
	c->wall_iops = max_rate(f->series);
	c->wall_lo_iops = c->wall_hi_iops = (double)NAN;
}

/* Parameters, intervals and residual of the fit into the curve. */
static int
put_fit(const struct fitting *f, struct arena *a, struct model_curve *c)
{
	size_t k = form_of(f->form)->k, w = wall_index(f->form);
	c->form = f->form;
	c->n_points = (double)f->n;
	c->dof = (double)f->n - (double)f->r.n_free;
	c->rss = f->r.rss;
	double s2 = c->dof >= 1 ? c->rss / c->dof : (double)NAN;
	c->residual_frac = sqrt(s2);
	s2 = fmax(s2, noise_floor * noise_floor);
	double t = nls_t95(c->dof);
	put_log(f, 0, s2, t, &c->l1_us, &c->l1_lo_us, &c->l1_hi_us);
	put_log(f, w, s2, t, &c->wall_iops, &c->wall_lo_iops, &c->wall_hi_iops);
	/* behind a slope above 1/C the points hardly see the wall: an interval over a factor of ten
	 * says "not identified", X_inf is the number to use */
	if (c->wall_hi_iops > 10 * c->wall_iops)
		c->wall_lo_iops = c->wall_hi_iops = (double)NAN;
	c->wall_iops *= 1e6;
	c->wall_lo_iops *= 1e6;
	c->wall_hi_iops *= 1e6;
	hidden_light(f, c);
	saturated_pair(f, c);
	if (f->form == MODEL_FORM_THREE)
		put_slope(f, s2, t, c);
	if (f->form == MODEL_FORM_POWER)
		put_exponent(f, s2, t, c);
	c->cov = arena_array(a, k * k, sizeof(double));
	if (!c->cov)
		return ERR_NOMEM;
	c->n_cov = k * k;
	memcpy(c->cov, f->r.covariance, k * k * sizeof(double));
	return 0;
}

/* Copy a member of the points into an array of the curve. */
static double *
column(const struct series *s, struct arena *a, size_t at, size_t *n)
{
	double *v = arena_array(a, s->n, sizeof(double));
	for (size_t i = 0; v && i < s->n; i++)
		memcpy(&v[i], (const char *)&s->points[i] + at, sizeof(double));
	*n = v ? s->n : 0;
	return v;
}

static int
put_points(const struct series *s, struct arena *a, struct model_curve *c)
{
#define COLUMN(array, count, member)                                                               \
	(c->array = column(s, a, offsetof(struct point, member), &c->count))
	bool ok = COLUMN(qd, n_qd, qd) && COLUMN(iops, n_iops, iops) &&
		  COLUMN(mean_us, n_mean_us, mean_us) && COLUMN(p50_us, n_p50_us, p50_us) &&
		  COLUMN(p99_us, n_p99_us, p99_us) && COLUMN(p999_us, n_p999_us, p999_us) &&
		  COLUMN(mean_lo_us, n_mean_lo_us, mean_lo_us) &&
		  COLUMN(mean_hi_us, n_mean_hi_us, mean_hi_us) &&
		  COLUMN(p99_lo_us, n_p99_lo_us, p99_lo_us) &&
		  COLUMN(p99_hi_us, n_p99_hi_us, p99_hi_us) &&
		  COLUMN(p999_lo_us, n_p999_lo_us, p999_lo_us) &&
		  COLUMN(p999_hi_us, n_p999_hi_us, p999_hi_us);
#undef COLUMN
	return ok ? 0 : ERR_NOMEM;
}

/* One depth: the latency there, and a wall only when somebody states one. */
static void
constant(const struct fitting *f, struct model_curve *c)
{
	c->form = MODEL_FORM_CONSTANT;
	c->n_points = 1;
	c->l1_us = f->t[0];
	if (!isnan(f->series->loose_iops)) {
		c->form = MODEL_FORM_TWO;
		c->wall_iops = f->series->loose_iops;
		c->trust = c->trust > f->series->loose_trust ? c->trust : f->series->loose_trust;
	}
	if (!isnan(f->ctx->cap_iops)) {
		c->form = MODEL_FORM_TWO;
		c->wall_iops = f->ctx->cap_iops;
	}
}

/* Whether the wall is a value or only a lower bound (saturation test, models.md 1.2). */
static void
judge_wall(const struct fitting *f, struct model_curve *c)
{
	double g = curve_growth(f->series->points, f->series->n), most = max_rate(f->series);
	double cap = f->ctx->cap_iops;
	bool at_cap = most >= 0.97 * cap && most <= 1.07 * cap;
	bool published = f->n == 1 && c->form == MODEL_FORM_TWO;
	bool enough = f->n >= 3 && f->x[f->n - 1] >= 8 * f->x[0];
	bool sure = c->wall_hi_iops < 1.5 * c->wall_iops;
	c->wall_reached = at_cap || published || (f->n == 2 && plateau(f->series)) ||
			  (enough && (g < 0.1 ||
					     (g <= 0.3 && (sure || c->c_us * c->wall_iops > 1e6))));
	if (!c->wall_reached && (isnan(c->wall_iops) || c->wall_iops > 5 * most)) {
		/* nothing in the points says where it is */
		c->wall_iops = c->wall_lo_iops = c->wall_hi_iops = (double)NAN;
	}
	c->x_inf_iops = c->wall_reached ? curve_x_inf(c->c_us, c->wall_iops) : most;
}

static void
put_knee(struct model_curve *c)
{
	double slope = isnan(c->c_us) ? 0 : c->c_us;
	if (c->form == MODEL_FORM_CONSTANT)
		return;
	double per_request = 1e6 / c->wall_iops; /* us of depth above the wall */
	if (per_request > slope)
		c->knee_qd = fmax(1, (c->l1_us - slope) / (per_request - slope));
	double lo = 1, hi = 1;
	while (curve_mean_us(c, hi) < 1.5 * c->l1_us && hi < 1e6)
		hi *= 2;
	if (hi >= 1e6)
		return;
	while (hi - lo > 1e-6 * hi) {
		double mid = (lo + hi) / 2;
		if (curve_mean_us(c, mid) < 1.5 * c->l1_us)
			lo = mid;
		else
			hi = mid;
	}
	c->efficient_qd = hi;
}

/* A rate without a depth and no latency: a wall and nothing else. */
static void
rate_only(const struct series *s, struct model_curve *c)
{
	c->op = s->op;
	c->bs_b = s->bs_b;
	c->form = MODEL_FORM_CONSTANT;
	c->n_points = 0;
	c->wall_iops = c->x_inf_iops = s->loose_iops;
	c->wall_reached = 1;
	c->trust = s->loose_trust;
}

/* The codes of the findings since `before`, each once. */
static int
put_flags(const struct findings *out, size_t before, struct arena *a, struct model_curve *c)
{
	for (size_t i = before; i < out->n; i++) {
		bool seen = false;
		for (size_t k = 0; k < c->n_flags && !seen; k++)
			seen = strcmp(c->flags[k], out->items[i].code) == 0;
		if (seen)
			continue;
		const char **flags = arena_grow(a, c->flags, c->n_flags, sizeof(*flags));
		if (!flags)
			return ERR_NOMEM;
		c->flags = flags;
		c->flags[c->n_flags++] = out->items[i].code;
	}
	return 0;
}

int
curve_fit(const struct series *s, const struct curve_context *ctx, struct arena *a,
	struct findings *out, struct model_curve *c, struct err *err)
{
	if (s->n == 0 && isnan(s->loose_iops))
		return err_set(err, ERR_UNSUPPORTED, "%s: no usable point", s->label);
	if (s->n == 0) {
		rate_only(s, c);
		return 0;
	}
	struct fitting f = {.series = s, .ctx = ctx};
	load(&f);
	c->op = s->op;
	c->bs_b = s->bs_b;
	c->trust = TRUST_MEASURED;
	c->qd_min = s->points[0].qd;
	c->qd_max = s->points[s->n - 1].qd;
	c->growth = curve_growth(s->points, s->n);
	for (size_t i = 0; i < s->n; i++)
		c->trust = s->points[i].trust > c->trust ? s->points[i].trust : c->trust;
	if (put_points(s, a, c))
		return err_nomem(err);
	if (f.n == 1) {
		constant(&f, c);
	} else {
		int rc = choose_and_fit(&f, err);
		if (rc)
			return err_context(err, "%s", s->label);
		if (put_fit(&f, a, c))
			return err_nomem(err);
	}
	judge_wall(&f, c);
	put_knee(c);
	size_t before = out->n;
	traps_find(s, ctx, c, out);
	return put_flags(out, before, a, c) ? err_nomem(err) : 0;
}
