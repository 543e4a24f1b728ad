/*
 * commits.c - group commit as measured: the rate of several writers, and F = F0 + bytes / B.
 */
#include "model/commits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/db.h"
#include "model/document.h"
#include "model/nls.h"
#include "model/points.h"

enum { MAX_POINTS = 64 };

/* One count of writers, or one size; repeats averaged in ln. */
struct commit_point {
	double x; /* writers, or bytes */
	double rate, lo, hi, mean_us, mean_lo_us, mean_hi_us, p50_us, p99_us, p999_us;
	double n;
};

struct commit_points {
	struct commit_point at[MAX_POINTS];
	size_t n;
	int trust;
};

static double
writers_of(const struct profile_sync *s)
{
	return isnan(s->writers) ? 1 : s->writers;
}

/* Rate and mean complete each other: each writer always waits for one commit. */
static struct commit_point
point_of(const struct profile_sync *s, double x)
{
	double n = writers_of(s);
	struct commit_point p = {x, s->syncs_per_s, s->syncs_lo, s->syncs_hi, s->mean_us,
		s->mean_lo_us, s->mean_hi_us, s->p50_us, s->p99_us, s->p999_us, 1};
	if (isnan(p.rate))
		p.rate = 1e6 * n / p.mean_us;
	if (isnan(p.mean_us))
		p.mean_us = 1e6 * n / p.rate;
	return p;
}

static double
both(double a, double b, double weight)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return exp((weight * log(a) + log(b)) / (weight + 1));
}

/* A repeat of a point: values averaged, intervals cover both. */
static void
repeat(struct commit_point *p, const struct commit_point *q)
{
	p->lo = fmin(fmin(p->lo, q->lo), fmin(p->rate, q->rate));
	p->hi = fmax(fmax(p->hi, q->hi), fmax(p->rate, q->rate));
	p->mean_lo_us = fmin(fmin(p->mean_lo_us, q->mean_lo_us), fmin(p->mean_us, q->mean_us));
	p->mean_hi_us = fmax(fmax(p->mean_hi_us, q->mean_hi_us), fmax(p->mean_us, q->mean_us));
	p->rate = both(p->rate, q->rate, p->n);
	p->mean_us = both(p->mean_us, q->mean_us, p->n);
	p->p50_us = both(p->p50_us, q->p50_us, p->n);
	p->p99_us = both(p->p99_us, q->p99_us, p->n);
	p->p999_us = both(p->p999_us, q->p999_us, p->n);
	p->n++;
}

static void
insert(struct commit_points *s, const struct commit_point *p)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].x == p->x) {
			repeat(&s->at[i], p);
			return;
		}
	}
	if (s->n == MAX_POINTS)
		return;
	size_t at = s->n++;
	for (; at > 0 && s->at[at - 1].x > p->x; at--)
		s->at[at] = s->at[at - 1];
	s->at[at] = *p;
}

static bool
same_kind(const struct profile_sync *a, const struct profile_sync *b)
{
	return a->mode == b->mode && a->pattern == b->pattern;
}

static bool
usable(const struct profile_sync *s)
{
	return s->bs_b > 0 && (s->syncs_per_s > 0 || s->mean_us > 0);
}

/* The counts of writers of entry `first`'s kind and size; or, with one writer, its sizes. */
static void
collect(const struct profile *p, const struct profile_sync *first, bool sizes,
	struct commit_points *s)
{
	*s = (struct commit_points){.trust = TRUST_MEASURED};
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *y = &p->syncs[i];
		if (!same_kind(y, first) || !usable(y))
			continue;
		if (sizes ? writers_of(y) != 1 : y->bs_b != first->bs_b)
			continue;
		struct commit_point pt = point_of(y, sizes ? y->bs_b : writers_of(y));
		insert(s, &pt);
		int trust = y->trust < 0 ? p->trust : y->trust;
		s->trust = trust > s->trust ? trust : s->trust;
	}
}

static double *
column(const struct commit_points *s, struct arena *a, size_t at, size_t *n)
{
	double *v = arena_array(a, s->n, sizeof(double));
	for (size_t i = 0; v && i < s->n; i++)
		memcpy(&v[i], (const char *)&s->at[i] + at, sizeof(double));
	*n = v ? s->n : 0;
	return v;
}

static int
put_commit(const struct commit_points *s, struct arena *a, struct model_commit *c)
{
#define COLUMN(array, member)                                                                      \
	(c->array = column(s, a, offsetof(struct commit_point, member), &c->n_##array))
	bool ok = COLUMN(writers, x) && COLUMN(syncs_per_s, rate) && COLUMN(syncs_lo, lo) &&
		  COLUMN(syncs_hi, hi) && COLUMN(mean_us, mean_us) &&
		  COLUMN(mean_lo_us, mean_lo_us) && COLUMN(mean_hi_us, mean_hi_us) &&
		  COLUMN(p50_us, p50_us) && COLUMN(p99_us, p99_us) && COLUMN(p999_us, p999_us);
#undef COLUMN
	const struct commit_point *last = &s->at[s->n - 1];
	if (s->at[0].x == 1)
		c->flush_us = s->at[0].mean_us;
	c->group_frac = last->rate /
			(1e6 * last->x / db_group_commit_cycle(last->x, 0, c->flush_us));
	c->trust = s->trust;
	return ok ? 0 : ERR_NOMEM;
}

static bool
have_commit(const struct disk_model *m, const struct profile_sync *s)
{
	for (size_t i = 0; i < m->n_commits; i++) {
		const struct model_commit *c = &m->commits[i];
		if (c->mode == s->mode && c->pattern == s->pattern && c->bs_b == s->bs_b)
			return true;
	}
	return false;
}

static int
add_commit(const struct profile *p, const struct profile_sync *s, struct arena *a,
	struct disk_model *m)
{
	struct commit_points points;
	if (have_commit(m, s))
		return 0;
	collect(p, s, false, &points);
	if (points.n < 2)
		return 0;
	struct model_commit *items = arena_grow(a, m->commits, m->n_commits, sizeof(*items));
	if (!items)
		return ERR_NOMEM;
	m->commits = items;
	struct model_commit *c = &items[m->n_commits++];
	schema_clear(&model_commit_schema, c);
	c->mode = s->mode;
	c->pattern = s->pattern;
	c->bs_b = s->bs_b;
	return put_commit(&points, a, c);
}

double
commits_flush_us(const struct model_flush *f, double bs_b)
{
	double bytes_us = isnan(f->b_mibps) ? 0 : 1e6 * bs_b / (f->b_mibps * UNITS_MIB);
	return f->f0_us + bytes_us;
}

/* a + b bs in ln; a bandwidth on its upper bound is none: larger flushes took no longer. */
static int
fit_flush(const struct commit_points *s, struct model_flush *f, struct err *err)
{
	double bs_b[MAX_POINTS], us[MAX_POINTS];
	struct nls_result r;
	for (size_t i = 0; i < s->n; i++) {
		bs_b[i] = s->at[i].x;
		us[i] = s->at[i].mean_us;
	}
	struct nls_problem p = {.form = &form_size_1, .data = {bs_b, us, s->n}};
	int rc = nls_fit(&p, &r, err);
	if (rc)
		return rc;
	double dof = (double)s->n - (double)r.n_free, t = nls_t95(dof);
	double s2 = dof >= 1 ? r.rss / dof : (double)NAN;
	f->residual_frac = sqrt(s2);
	s2 = dof >= 1 ? fmax(s2, 9e-4) : (double)NAN;
	double half_f = t * sqrt(s2 * r.covariance[0]), half_b = t * sqrt(s2 * r.covariance[3]);
	f->f0_us = exp(r.theta[0]);
	if (!r.at_bound[0] && !isnan(half_f)) {
		f->f0_lo_us = f->f0_us * exp(-half_f);
		f->f0_hi_us = f->f0_us * exp(half_f);
	}
	/* the largest flush gains nothing worth a figure: under 3 %, the noise of a run */
	double largest_us = bs_b[s->n - 1] * exp(-r.theta[1]);
	if (r.at_bound[1] || largest_us < 0.03 * f->f0_us)
		return 0;
	f->b_mibps = 1e6 * exp(r.theta[1]) / UNITS_MIB;
	if (!isnan(half_b)) {
		f->b_lo_mibps = f->b_mibps * exp(-half_b);
		f->b_hi_mibps = f->b_mibps * exp(half_b);
	}
	return 0;
}

static bool
have_flush(const struct disk_model *m, const struct profile_sync *s)
{
	for (size_t i = 0; i < m->n_flushes; i++)
		if (m->flushes[i].mode == s->mode && m->flushes[i].pattern == s->pattern)
			return true;
	return false;
}

static int
add_flush(const struct profile *p, const struct profile_sync *s, struct arena *a,
	struct disk_model *m, struct err *err)
{
	struct commit_points points;
	if (have_flush(m, s))
		return 0;
	collect(p, s, true, &points);
	if (points.n < 2)
		return 0;
	struct model_flush *items = arena_grow(a, m->flushes, m->n_flushes, sizeof(*items));
	if (!items)
		return err_nomem(err);
	m->flushes = items;
	struct model_flush *f = &items[m->n_flushes++];
	schema_clear(&model_flush_schema, f);
	f->mode = s->mode;
	f->pattern = s->pattern;
	f->trust = points.trust;
	f->bs_b = column(&points, a, offsetof(struct commit_point, x), &f->n_bs_b);
	f->mean_us = column(&points, a, offsetof(struct commit_point, mean_us), &f->n_mean_us);
	if (!f->bs_b || !f->mean_us)
		return err_nomem(err);
	return fit_flush(&points, f, err);
}

int
commits_fit(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err)
{
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *s = &p->syncs[i];
		if (!usable(s))
			continue;
		if (add_commit(p, s, a, m))
			return err_nomem(err);
		int rc = add_flush(p, s, a, m, err);
		if (rc)
			return err_context(err, "commits by %s over sizes",
				names_text(&profile_sync_mode_names, s->mode));
	}
	return 0;
}
