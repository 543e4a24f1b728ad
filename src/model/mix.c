/*
 * mix.c - mixed load: what reads and writes reach together (models.md 3.4).
 *
 * A profile holds each side of a mix as a cell of its own; a side without the other says nothing.
 * Of each share of reads the deepest mix counts: it is nearest to saturation, which is what the
 * frontier is about.  R0 and W0 are the rates either side reaches alone with the same number
 * outstanding, so that a mix that is not saturated is compared with its like.
 */
#include "model/mix.h"

#include <math.h>
#include <string.h>

#include "model/curve.h"
#include "model/document.h"
#include "model/points.h"
#include "model/predict.h"
#include "model/stripe.h"

enum { MAX_MIXES = 32 };

static const double same_share = 0.05;
static const double least_a = 0.05, most_a = 16;
static const double harmonic_error = 1.23; /* 22.6 %, 95th percentile over SATA mixes */
static const double default_error = 1.4;
static const double flash_a = 0.6; /* i3, the worst local flash seen */

double
mix_exponent(double u, double v)
{
	double lo = least_a, hi = most_a;
	if (!(u > 0 && v > 0))
		return (double)NAN;
	/* u^a + v^a falls with a as long as both are below 1 */
	if (u >= 1 || v >= 1 || pow(u, hi) + pow(v, hi) >= 1)
		return hi;
	if (pow(u, lo) + pow(v, lo) <= 1)
		return lo;
	for (int i = 0; i < 100 && hi - lo > 1e-12 * hi; i++) {
		double mid = (lo + hi) / 2;
		if (pow(u, mid) + pow(v, mid) > 1)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

double
mix_total(double a, double read_frac, double r0, double w0)
{
	if (read_frac <= 0)
		return w0;
	if (read_frac >= 1)
		return r0;
	/* scaled by the larger term, so that no power overflows */
	double u = read_frac / r0, v = (1 - read_frac) / w0, top = fmax(u, v);
	return 1 / (top * pow(pow(u / top, a) + pow(v / top, a), 1 / a));
}

struct mix_point {
	double read_frac, qd, iops, lo, hi;
	double r0, w0;
};

struct mix_points {
	struct mix_point at[MAX_MIXES];
	size_t n;
	int trust;
};

static bool
is_mix(const struct profile_cell *c)
{
	return c->mix_read_frac > 0 && c->mix_read_frac < 1 && isnan(c->asked_iops) &&
	       points_rate(c) > 0;
}

static int
write_of(int read_op)
{
	return read_op == PROFILE_OP_READ ? PROFILE_OP_WRITE : PROFILE_OP_RANDWRITE;
}

/* The writes that ran beside these reads: the first not yet taken by an equal mix before. */
static const struct profile_cell *
other_side(const struct profile *p, const struct profile_cell *reads)
{
	size_t before = 0;
	for (const struct profile_cell *c = p->cells; c < reads; c++)
		before += c->op == reads->op && c->bs_b == reads->bs_b && c->qd == reads->qd &&
			  c->mix_read_frac == reads->mix_read_frac;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (c->op == write_of(reads->op) && c->bs_b == reads->bs_b && c->qd == reads->qd &&
			c->mix_read_frac == reads->mix_read_frac && is_mix(c) && before-- == 0)
			return c;
	}
	return NULL;
}

/* What one operation reaches alone with q outstanding; NaN: no curve of that size. */
static double
alone(const struct disk_model *m, int op, double bs_b, double q)
{
	double qd[64], us[64];
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || c->bs_b != bs_b || isnan(c->l1_us))
			continue;
		size_t n = predict_known(c, MODEL_MEAN, qd, us, 64);
		if (n > 0 && q >= qd[0] && q <= qd[n - 1])
			return 1e6 * q / predict_interpolate(qd, us, n, q);
		return n > 1 || !isnan(c->wall_iops) ? 1e6 * q / curve_mean_us(c, q) : (double)NAN;
	}
	return (double)NAN;
}

/* The ends of a side's interval add up: both sides ran in the same slices. */
static struct mix_point
point_of(const struct disk_model *m, const struct profile_cell *r, const struct profile_cell *w)
{
	double reads = points_rate(r), writes = points_rate(w);
	struct mix_point p = {reads / (reads + writes), r->qd, reads + writes,
		r->iops_lo + w->iops_lo, r->iops_hi + w->iops_hi, (double)NAN, (double)NAN};
	p.r0 = alone(m, r->op, r->bs_b, r->qd);
	p.w0 = alone(m, w->op, w->bs_b, r->qd);
	return p;
}

/* Keep the deepest of a share; ascending share. */
static void
insert(struct mix_points *s, const struct mix_point *p)
{
	for (size_t i = 0; i < s->n; i++) {
		if (fabs(s->at[i].read_frac - p->read_frac) >= same_share)
			continue;
		if (p->qd > s->at[i].qd)
			s->at[i] = *p;
		return;
	}
	if (s->n == MAX_MIXES)
		return;
	size_t at = s->n++;
	for (; at > 0 && s->at[at - 1].read_frac > p->read_frac; at--)
		s->at[at] = s->at[at - 1];
	s->at[at] = *p;
}

static void
collect(const struct profile *p, const struct disk_model *m, const struct profile_cell *first,
	struct mix_points *s)
{
	*s = (struct mix_points){.trust = TRUST_MEASURED};
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *r = &p->cells[i];
		if (r->op != first->op || r->bs_b != first->bs_b || !is_mix(r))
			continue;
		const struct profile_cell *w = other_side(p, r);
		if (!w)
			continue;
		struct mix_point pt = point_of(m, r, w);
		insert(s, &pt);
		int trust = profile_cell_trust(p, r);
		s->trust = trust > s->trust ? trust : s->trust;
	}
}

/* Exponent of one mix whose total is off by a factor. */
static double
exponent_at(const struct mix_point *p, double factor)
{
	double total = p->iops * factor;
	return mix_exponent(total * p->read_frac / p->r0, total * (1 - p->read_frac) / p->w0);
}

/* The mixes' exponents averaged in ln, their range widened by the noise of a run. */
static void
put_exponent(const struct mix_points *s, struct model_mix *x)
{
	double sum = 0, harmonic = 0, n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct mix_point *p = &s->at[i];
		double a = exponent_at(p, 1);
		if (isnan(a))
			continue;
		sum += log(a);
		harmonic += log(p->iops / mix_total(1, p->read_frac, p->r0, p->w0));
		n++;
		x->a_lo = fmin(x->a_lo, exponent_at(p, 1 / predict_noise));
		x->a_hi = fmax(x->a_hi, exponent_at(p, predict_noise));
	}
	if (n > 0) {
		x->a = exp(sum / n);
		x->harmonic_frac = exp(harmonic / n);
	}
}

static double *
column(const struct mix_points *s, struct arena *a, size_t at, size_t *n)
{
	double *v = arena_array(a, s->n, sizeof(double));
	for (size_t i = 0; v && i < s->n; i++)
		memcpy(&v[i], (const char *)&s->at[i] + at, sizeof(double));
	*n = v ? s->n : 0;
	return v;
}

static int
put_points(const struct mix_points *s, struct arena *a, struct model_mix *x)
{
#define COLUMN(array, member)                                                                      \
	(x->array = column(s, a, offsetof(struct mix_point, member), &x->n_##array))
	bool ok = COLUMN(read_frac, read_frac) && COLUMN(qd, qd) && COLUMN(iops, iops) &&
		  COLUMN(iops_lo, lo) && COLUMN(iops_hi, hi);
#undef COLUMN
	return ok ? 0 : ERR_NOMEM;
}

static bool
have(const struct disk_model *m, const struct profile_cell *c)
{
	for (size_t i = 0; i < m->n_mixes; i++)
		if (m->mixes[i].op == c->op && m->mixes[i].bs_b == c->bs_b)
			return true;
	return false;
}

int
mix_fit(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err)
{
	struct mix_points points;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		bool reads = c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_READ;
		if (!reads || !is_mix(c) || isnan(c->bs_b) || isnan(c->qd) || have(m, c))
			continue;
		collect(p, m, c, &points);
		if (points.n == 0)
			continue;
		struct model_mix *items = arena_grow(a, m->mixes, m->n_mixes, sizeof(*items));
		if (!items)
			return err_nomem(err);
		m->mixes = items;
		struct model_mix *x = &items[m->n_mixes++];
		schema_clear(&model_mix_schema, x);
		x->op = c->op;
		x->bs_b = c->bs_b;
		x->trust = points.trust;
		put_exponent(&points, x);
		if (put_points(&points, a, x))
			return err_nomem(err);
	}
	return 0;
}

static const struct model_mix *
nearest(const struct disk_model *m, double bs_b)
{
	const struct model_mix *best = NULL;
	for (size_t i = 0; i < m->n_mixes; i++) {
		const struct model_mix *x = &m->mixes[i];
		if (x->op != PROFILE_OP_RANDREAD)
			continue;
		if (!best || fabs(log(x->bs_b / bs_b)) < fabs(log(best->bs_b / bs_b)))
			best = x;
	}
	return best;
}

/* A measured mix of this share and size. */
static bool
measured(const struct model_mix *x, double bs_b, double read_frac, struct estimate *e)
{
	if (!x || x->bs_b != bs_b)
		return false;
	for (size_t i = 0; i < x->n_read_frac && i < x->n_iops; i++) {
		if (fabs(x->read_frac[i] - read_frac) >= same_share)
			continue;
		*e = (struct estimate){
			.value = x->iops[i], .trust = x->trust, .how = MODEL_INTERPOLATED};
		double lo = i < x->n_iops_lo ? x->iops_lo[i] : (double)NAN;
		double hi = i < x->n_iops_hi ? x->iops_hi[i] : (double)NAN;
		e->lo = fmin(lo, e->value / predict_noise); /* fmin and fmax skip NaN */
		e->hi = fmax(hi, e->value * predict_noise);
		return true;
	}
	return false;
}

static int
weakest(int a, int b)
{
	return a > b ? a : b;
}

static void
band(struct estimate *e, double factor)
{
	e->lo = e->value / factor;
	e->hi = e->value * factor;
}

/* One arm, one seller's budget, one queue: the sides share it exactly. */
static bool
shares_budget(int device)
{
	return device == PROFILE_DEVICE_CLOUD || device == PROFILE_DEVICE_HDD ||
	       device == PROFILE_DEVICE_RAID_HDD || device == PROFILE_DEVICE_NETWORK;
}

static struct estimate
by_kind(const struct disk_model *m, double f, const struct estimate *r, const struct estimate *w)
{
	struct estimate e = {.trust = TRUST_ASSUMED, .how = MODEL_EXTRAPOLATED};
	e.value = mix_total(1, f, r->value, w->value);
	if (shares_budget(m->device)) {
		band(&e, harmonic_error);
		return e;
	}
	e.value *= 1 - 0.2 * 4 * f * (1 - f);
	band(&e, default_error);
	e.lo = fmin(e.lo, mix_total(flash_a, f, r->value, w->value));
	return e;
}

static struct estimate
by_frontier(const struct model_mix *x, double f, const struct estimate *r, const struct estimate *w)
{
	struct estimate e = {.how = MODEL_CURVE};
	e.trust = weakest(weakest(x->trust, TRUST_DERIVED), weakest(r->trust, w->trust));
	e.value = mix_total(x->a, f, r->value, w->value);
	band(&e, harmonic_error);
	e.lo = fmin(e.lo, mix_total(x->a_lo, f, r->value, w->value));
	e.hi = fmax(e.hi, mix_total(x->a_hi, f, r->value, w->value));
	return e;
}

/* By the walls of both sides. */
static int
by_walls(const struct disk_model *m, double bs_b, double read_frac, const struct disk_caps *caps,
	struct estimate *e, struct err *err)
{
	struct estimate r = {0}, w = {0};
	int rc = read_frac > 0 ? disk_wall(m, PROFILE_OP_RANDREAD, bs_b, caps, &r, err) : 0;
	if (rc == 0 && read_frac < 1)
		rc = disk_wall(m, PROFILE_OP_RANDWRITE, bs_b, caps, &w, err);
	if (rc)
		return rc;
	const struct model_mix *x = nearest(m, bs_b);
	if (read_frac >= 1)
		*e = r;
	else if (read_frac <= 0)
		*e = w;
	else if (x && !isnan(x->a))
		*e = by_frontier(x, read_frac, &r, &w);
	else
		*e = by_kind(m, read_frac, &r, &w);
	return 0;
}

/* Reads and writes count against one cap together, of all disks of the stripe; of the seller's quota
 * unless it names writes apart. */
static void
under_caps(
	const struct disk_model *m, double bs_b, const struct disk_caps *caps, struct estimate *e)
{
	double spans = stripe_spans(caps, bs_b), cap = predict_cap(caps, bs_b / spans);
	bool apart = !isnan(m->quota_write_iops) || !isnan(m->quota_write_mbps);
	if (!apart)
		cap = fmin(cap, predict_quota(m, PROFILE_OP_RANDREAD, bs_b / spans));
	if (caps && caps->stripe > 1)
		cap *= caps->stripe / spans;
	if (!(e->value > cap))
		return;
	/* a label is met or passed by up to 7 % */
	*e = (struct estimate){
		cap, fmin(e->lo, cap), fmin(e->hi, 1.07 * cap), e->trust, MODEL_AT_CAP};
}

int
disk_mix_wall(const struct disk_model *m, double bs_b, double read_frac,
	const struct disk_caps *caps, struct estimate *iops, struct err *err)
{
	struct estimate seen = {0}, e = {0};
	if (!(read_frac >= 0 && read_frac <= 1))
		return err_set(err, ERR_RANGE, "share of reads %g: 0 .. 1", read_frac);
	bool pure = read_frac <= 0 || read_frac >= 1, striped = caps && caps->stripe > 1;
	bool known = !pure && !striped && measured(nearest(m, bs_b), bs_b, read_frac, &seen);
	if (known && !caps) {
		*iops = seen;
		return 0;
	}
	int rc = by_walls(m, bs_b, read_frac, caps, &e, err);
	if (rc)
		return rc;
	/* under caps the measured total stands unless they leave less */
	under_caps(m, bs_b, caps, &e);
	*iops = known && seen.value <= e.value ? seen : e;
	return 0;
}
