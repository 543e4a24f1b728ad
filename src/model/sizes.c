/*
 * sizes.c - IOPS over block size at one depth (models.md section 2): collecting the points, choosing
 * and fitting a law.
 */
#include "model/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/document.h"
#include "model/nls.h"
#include "model/points.h"
#include "model/predict.h"

enum { MAX_SIZES = 64, MAX_CELLS = 512 };

/* Points of one operation and depth, ascending; what the law is fitted to is a part of them. */
struct size_points {
	double bs_b[MAX_SIZES];
	struct point at[MAX_SIZES];
	size_t n;
	double law_bs_b[MAX_SIZES], iops[MAX_SIZES], time_us[MAX_SIZES];
	size_t n_law;
	int trust;
};

double
sizes_law(const struct model_size *s, double bs_b)
{
	double by_bytes = s->b_mibps * UNITS_MIB / bs_b;
	if (isnan(s->p) || isnan(by_bytes) || isnan(s->i0_iops))
		return fmin(s->i0_iops, by_bytes); /* fmin skips NaN */
	return exp(-form_pnorm(s->p, -log(s->i0_iops), -log(by_bytes), NULL));
}

/* From a physical block on no size is faster than a smaller one: noise is levelled downwards. */
static void
level(const struct model_size *s, double *iops)
{
	double least = INFINITY, from = isnan(s->block_b) ? 0 : s->block_b;
	for (size_t i = 0; i < s->n_bs_b; i++) {
		if (s->bs_b[i] < from) {
			iops[i] = s->iops[i];
			continue;
		}
		least = fmin(least, s->iops[i]);
		iops[i] = least;
	}
}

/* A write that is a part of a block is no faster than the block. */
static double
law_at(const struct model_size *s, double bs_b)
{
	return sizes_law(s, fmax(bs_b, s->block_b)); /* fmax skips NaN */
}

double
sizes_iops(const struct model_size *s, double bs_b)
{
	double iops[MAX_SIZES];
	size_t n = s->n_bs_b;
	for (size_t i = 0; i < n && i < s->n_iops && s->bs_b[i] <= bs_b; i++)
		if (s->bs_b[i] == bs_b && bs_b < s->block_b)
			return s->iops[i];
	if (n < 5 || n > MAX_SIZES || s->n_iops != n)
		return law_at(s, bs_b);
	level(s, iops);
	if (bs_b >= s->bs_b[0] && bs_b <= s->bs_b[n - 1])
		return predict_interpolate(s->bs_b, iops, n, bs_b);
	size_t end = bs_b < s->bs_b[0] ? 0 : n - 1;
	return iops[end] * law_at(s, bs_b) / law_at(s, s->bs_b[end]);
}

static bool
belongs(const struct profile *p, const struct profile_cell *c, int op, double qd)
{
	return c->op == op && c->qd == qd && c->bs_b > 0 && points_rate(c) > 0 &&
	       !points_off_curve(c) && !points_first_write(p, c) && !points_little_off(p, c);
}

struct one_size {
	double bs_b;
	struct point at;
};

static int
by_size(const void *a, const void *b)
{
	double x = ((const struct one_size *)a)->bs_b, y = ((const struct one_size *)b)->bs_b;
	return (x > y) - (x < y);
}

static struct point
point_of(const struct profile *p, const struct profile_cell *c)
{
	struct point pt = points_empty(p, c);
	pt.iops = points_rate(c);
	pt.mean_us = isnan(c->mean_us) ? 1e6 * c->qd / pt.iops : c->mean_us;
	points_percentiles(c, &pt);
	return pt;
}

static bool
is_write(int op)
{
	return op == PROFILE_OP_RANDWRITE || op == PROFILE_OP_WRITE;
}

/* Split off what no law of whole blocks covers, unless hardly anything else is there. */
static void
choose_law_points(struct size_points *s, int op, double block_b)
{
	for (int all = 0; all < 2 && s->n_law < 2; all++) {
		s->n_law = 0;
		for (size_t i = 0; i < s->n; i++) {
			if (!all && is_write(op) && fmod(s->bs_b[i], block_b) != 0)
				continue;
			s->law_bs_b[s->n_law] = s->bs_b[i];
			s->iops[s->n_law] = s->at[i].iops;
			s->time_us[s->n_law++] = 1e6 / s->at[i].iops;
		}
	}
}

/* Sizes of one operation and depth; repeats of one size averaged in ln. */
static void
collect(const struct profile *p, int op, double qd, double block_b, struct size_points *s)
{
	struct one_size cells[MAX_CELLS];
	struct point runs[MAX_CELLS];
	size_t n = 0;
	*s = (struct size_points){.trust = TRUST_MEASURED};
	for (size_t i = 0; i < p->n_cells && n < MAX_CELLS; i++)
		if (belongs(p, &p->cells[i], op, qd))
			cells[n++] = (struct one_size){p->cells[i].bs_b, point_of(p, &p->cells[i])};
	qsort(cells, n, sizeof(cells[0]), by_size);
	for (size_t i = 0, end; i < n && s->n < MAX_SIZES; i = end) {
		for (end = i; end < n && cells[end].bs_b == cells[i].bs_b; end++)
			runs[end - i] = cells[end].at;
		s->bs_b[s->n] = cells[i].bs_b;
		s->at[s->n] = points_merge(runs, end - i);
		s->trust = s->at[s->n].trust > s->trust ? s->at[s->n].trust : s->trust;
		s->n++;
	}
	choose_law_points(s, op, block_b);
}

static int
put_points(const struct size_points *s, struct arena *a, struct model_size *out)
{
	double *columns[6];
	for (size_t k = 0; k < 6; k++) {
		columns[k] = arena_array(a, s->n, sizeof(double));
		if (!columns[k])
			return ERR_NOMEM;
	}
	for (size_t i = 0; i < s->n; i++) {
		columns[0][i] = s->bs_b[i];
		columns[1][i] = s->at[i].iops;
		columns[2][i] = s->at[i].mean_us;
		columns[3][i] = s->at[i].p50_us;
		columns[4][i] = s->at[i].p99_us;
		columns[5][i] = s->at[i].p999_us;
	}
	out->bs_b = columns[0];
	out->iops = columns[1];
	out->mean_us = columns[2];
	out->p50_us = columns[3];
	out->p99_us = columns[4];
	out->p999_us = columns[5];
	out->n_bs_b = out->n_iops = out->n_mean_us = s->n;
	out->n_p50_us = out->n_p99_us = out->n_p999_us = s->n;
	out->bs_min_b = s->bs_b[0];
	out->bs_max_b = s->bs_b[s->n - 1];
	return 0;
}

/* Value and interval of exp(ln_v) from its variance, noise included. */
static void
put_interval(double ln_half, double v, double *lo, double *hi)
{
	*lo = isnan(ln_half) ? (double)NAN : v * exp(-ln_half);
	*hi = isnan(ln_half) ? (double)NAN : v * exp(ln_half);
}

/* A number that makes under 3 % of every time, the noise of a run, is none that was seen. */
static void
drop_unseen(const struct size_points *s, struct model_size *out)
{
	const double none = (double)NAN;
	double small = s->time_us[0], large = s->time_us[s->n_law - 1];
	double command = 1e6 / out->i0_iops,
	       bytes = 1e6 * s->law_bs_b[s->n_law - 1] / (out->b_mibps * UNITS_MIB);
	if (command < 0.03 * small)
		out->i0_iops = out->i0_lo_iops = out->i0_hi_iops = out->a_us = none;
	if (bytes < 0.03 * large)
		out->b_mibps = out->b_lo_mibps = out->b_hi_mibps = out->b_us_per_kib = none;
}

static void
put_fit(const struct size_points *s, double p, const struct nls_result *r, struct model_size *out)
{
	double dof = (double)s->n_law - (double)r->n_free, t = nls_t95(dof);
	double s2 = dof >= 1 ? r->rss / dof : (double)NAN;
	const double none = (double)NAN;
	out->p = p;
	out->residual_frac = sqrt(s2);
	s2 = dof >= 1 ? fmax(s2, 9e-4) : none;
	out->i0_iops = 1e6 * exp(-r->theta[0]);
	out->b_mibps = 1e6 * exp(r->theta[1]) / UNITS_MIB;
	put_interval(r->at_bound[0] ? none : t * sqrt(s2 * r->covariance[0]), out->i0_iops,
		&out->i0_lo_iops, &out->i0_hi_iops);
	put_interval(r->at_bound[1] ? none : t * sqrt(s2 * r->covariance[3]), out->b_mibps,
		&out->b_lo_mibps, &out->b_hi_mibps);
	if (p == 1) {
		out->a_us = exp(r->theta[0]);
		out->b_us_per_kib = UNITS_KIB * exp(-r->theta[1]);
	}
	drop_unseen(s, out);
}

/* Two quotas: the first `at` sizes stand at one rate, the others at one bandwidth (ln). */
struct quotas {
	size_t at;
	double ln_iops, ln_b, rss;
};

static struct quotas
quotas_at(const struct size_points *s, size_t at)
{
	struct quotas q = {at, (double)NAN, (double)NAN, 0};
	double sum[2] = {0, 0};
	for (size_t i = 0; i < s->n_law; i++)
		sum[i >= at] += log(s->iops[i]) + (i >= at ? log(s->law_bs_b[i]) : 0);
	if (at > 0)
		q.ln_iops = sum[0] / (double)at;
	if (at < s->n_law)
		q.ln_b = sum[1] / (double)(s->n_law - at);
	for (size_t i = 0; i < s->n_law; i++) {
		double r = log(s->iops[i]) - fmin(q.ln_iops, q.ln_b - log(s->law_bs_b[i]));
		q.rss += r * r;
	}
	return q;
}

/* Exactly the lesser of I0 and B/bs, by trying every place of the corner. */
static struct quotas
fit_quotas(const struct size_points *s)
{
	struct quotas best = quotas_at(s, 0);
	for (size_t at = 1; at <= s->n_law; at++) {
		struct quotas q = quotas_at(s, at);
		if (q.rss < best.rss)
			best = q;
	}
	return best;
}

static void
put_quotas(const struct size_points *s, const struct quotas *q, struct model_size *out)
{
	double dof = (double)s->n_law - !isnan(q->ln_iops) - !isnan(q->ln_b), t = nls_t95(dof);
	double s2 = dof >= 1 ? q->rss / dof : (double)NAN;
	out->p = (double)NAN;
	out->residual_frac = sqrt(s2);
	s2 = dof >= 1 ? fmax(s2, 9e-4) : (double)NAN;
	out->i0_iops = exp(q->ln_iops);
	out->b_mibps = exp(q->ln_b) / UNITS_MIB;
	put_interval(
		t * sqrt(s2 / (double)q->at), out->i0_iops, &out->i0_lo_iops, &out->i0_hi_iops);
	put_interval(t * sqrt(s2 / (double)(s->n_law - q->at)), out->b_mibps, &out->b_lo_mibps,
		&out->b_hi_mibps);
	if (isnan(out->i0_iops))
		out->i0_lo_iops = out->i0_hi_iops = (double)NAN;
	if (isnan(out->b_mibps))
		out->b_lo_mibps = out->b_hi_mibps = (double)NAN;
}

/* Largest error and knee of the law; a break in the points where there is one. */
static void
put_shape(const struct size_points *s, struct model_size *out)
{
	struct size_break b;
	out->knee_b = out->b_mibps * UNITS_MIB / out->i0_iops;
	out->max_error_frac = 0;
	for (size_t i = 0; i < s->n_law; i++) {
		double error = fabs(sizes_law(out, s->law_bs_b[i]) / s->iops[i] - 1);
		out->max_error_frac = fmax(out->max_error_frac, error);
	}
	out->knee_measured = sizes_break(s->law_bs_b, s->iops, s->n_law, &b);
	if (!out->knee_measured)
		return;
	out->knee_b = b.at_b;
	out->knee_lo_b = b.lo_b;
	out->knee_hi_b = b.hi_b;
}

static void
strip_finding(const struct size_points *s, int op, struct findings *out)
{
	double jump = (double)NAN, strip = sizes_strip_b(s->law_bs_b, s->iops, s->n_law, &jump);
	if (isnan(strip))
		return;
	size_t at = 0;
	while (s->law_bs_b[at] < strip)
		at++;
	char before[32], after[32];
	units_size_text(strip, before);
	units_size_text(s->law_bs_b[at + 1], after);
	findings_add(out, SEVERITY_NOTE, "strip", "compare with the array's configuration",
		"%s: bandwidth jumps by a factor of %.2f between %s and %s: larger I/O is served "
		"by several disks, so the strip is likely %s (theory, one grid step uncertain)",
		names_text(&profile_op_names, op), jump, before, after, before);
}

static void
knee_finding(const struct model_size *s, struct findings *out)
{
	if (s->knee_measured != 1)
		return;
	char knee[32], lo[32], hi[32];
	units_size_text(round(s->knee_b), knee);
	units_size_text(s->knee_lo_b, lo);
	units_size_text(s->knee_hi_b, hi);
	findings_add(out, SEVERITY_NOTE, "size-knee", NULL,
		"%s at QD%g: IOPS over block size break at %s (between %s and %s, one step of the "
		"sizes measured): below it requests are the limit, above it bytes",
		names_text(&profile_op_names, s->op), s->qd, knee, lo, hi);
}

/* By how much a law tells the points better than another, in AICc: both have two numbers. */
static double
gain(const struct size_points *s, double rss, double other)
{
	double floor = (double)s->n_law * 1e-4; /* 1 %: not told from the law by any data */
	return (double)s->n_law * log(fmax(other, floor) / fmax(rss, floor));
}

/*
 * Exponent by kind (models.md section 2): 1 where each I/O waits for the one before, unless another
 * law is better by more than 6 of AICc; of two sizes quotas on a provider's disk and 2 elsewhere;
 * else whatever tells the points best.
 */
static int
fit_one(const struct size_points *s, const struct profile *p, struct model_size *out,
	struct err *err)
{
	struct nls_problem one = {
		.form = &form_size_1, .data = {s->law_bs_b, s->time_us, s->n_law}};
	struct nls_problem two = {
		.form = &form_size_2, .data = {s->law_bs_b, s->time_us, s->n_law}};
	struct nls_result r1, r2;
	bool serial = out->qd == 1 || p->device == PROFILE_DEVICE_HDD;
	bool cloud = p->device == PROFILE_DEVICE_CLOUD, few = s->n_law == 2;
	int rc = nls_fit(&one, &r1, err);
	if (rc == 0)
		rc = nls_fit(&two, &r2, err);
	if (rc)
		return rc;
	struct quotas q = fit_quotas(s);
	double best = fmin(r2.rss, q.rss);
	if (serial ? few || gain(s, best, r1.rss) <= 6 : !few && r1.rss <= best)
		put_fit(s, 1, &r1, out);
	else if (few ? cloud : q.rss < r2.rss)
		put_quotas(s, &q, out);
	else
		put_fit(s, 2, &r2, out);
	put_shape(s, out);
	return 0;
}

static bool
already(const struct disk_model *m, int op, double qd)
{
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == op && m->sizes[i].qd == qd)
			return true;
	return false;
}

static int
by_op_and_depth(const void *a, const void *b)
{
	const struct model_size *x = a, *y = b;
	if (x->op != y->op)
		return (x->op > y->op) - (x->op < y->op);
	return (x->qd > y->qd) - (x->qd < y->qd);
}

/* One operation and depth with two sizes or more. */
static int
add_size(const struct profile *p, const struct size_points *s, int op, double qd, struct arena *a,
	struct disk_model *m, struct err *err)
{
	struct model_size *items = arena_grow(a, m->sizes, m->n_sizes, sizeof(*items));
	if (!items)
		return err_nomem(err);
	m->sizes = items;
	struct model_size *one = &items[m->n_sizes];
	schema_clear(&model_size_schema, one);
	one->op = op;
	one->qd = qd;
	one->trust = s->trust;
	if (is_write(op))
		one->block_b = m->physical_block_b;
	if (put_points(s, a, one))
		return err_nomem(err);
	int rc = fit_one(s, p, one, err);
	if (rc)
		return err_context(
			err, "%s at QD%g over block sizes", names_text(&profile_op_names, op), qd);
	m->n_sizes++;
	return 0;
}

int
sizes_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err)
{
	struct size_points *s = arena_alloc(a, sizeof(*s));
	if (!s)
		return err_nomem(err);
	m->physical_block_b = sizes_block_b(p);
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (isnan(c->qd) || points_off_curve(c) || already(m, c->op, c->qd))
			continue;
		collect(p, c->op, c->qd, m->physical_block_b, s);
		if (s->n < 2)
			continue;
		int rc = add_size(p, s, c->op, c->qd, a, m, err);
		if (rc)
			return rc;
		const struct model_size *one = &m->sizes[m->n_sizes - 1];
		strip_finding(s, c->op, out);
		knee_finding(one, out);
	}
	sizes_subsector(p, m, out);
	if (m->n_sizes)
		qsort(m->sizes, m->n_sizes, sizeof(*m->sizes), by_op_and_depth);
	return 0;
}
