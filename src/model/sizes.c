#include "model/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/nls.h"
#include "model/points.h"

enum { MAX_SIZES = 64 };

struct size_points {
	double bs_b[MAX_SIZES], iops[MAX_SIZES], time_us[MAX_SIZES];
	size_t n;
	int trust;
};

double
sizes_iops(const struct model_size *s, double bs_b)
{
	double ln_a = -log(s->i0_iops), ln_b = log(bs_b / (s->b_mibps * UNITS_MIB));
	return exp(-form_pnorm(s->p, ln_a, ln_b, NULL));
}

static bool
belongs(const struct profile_cell *c, int op, double qd)
{
	return c->op == op && c->qd == qd && !points_off_curve(c) && c->bs_b > 0 &&
	       points_rate(c) > 0;
}

/* Sizes of one operation and depth, ascending; repeats of one size averaged in ln. */
static void
collect(const struct profile *p, int op, double qd, struct size_points *s)
{
	size_t repeats[MAX_SIZES] = {0};
	*s = (struct size_points){0};
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (!belongs(c, op, qd))
			continue;
		size_t at = 0;
		while (at < s->n && s->bs_b[at] < c->bs_b)
			at++;
		bool seen = at < s->n && s->bs_b[at] == c->bs_b;
		if (!seen && s->n == MAX_SIZES)
			continue;
		for (size_t j = s->n; !seen && j > at; j--) {
			s->bs_b[j] = s->bs_b[j - 1];
			s->iops[j] = s->iops[j - 1];
			repeats[j] = repeats[j - 1];
		}
		if (!seen) {
			s->n++;
			s->bs_b[at] = c->bs_b;
			s->iops[at] = 0;
			repeats[at] = 0;
		}
		s->iops[at] += log(points_rate(c));
		repeats[at]++;
		int trust = profile_cell_trust(p, c);
		s->trust = trust > s->trust ? trust : s->trust;
	}
	for (size_t i = 0; i < s->n; i++) {
		s->iops[i] = exp(s->iops[i] / (double)repeats[i]);
		s->time_us[i] = 1e6 / s->iops[i];
	}
}

static int
put_fit(const struct size_points *s, double p, struct arena *a, const struct nls_result *r,
	struct model_size *out)
{
	double dof = (double)s->n - (double)r->n_free;
	double s2 = dof >= 1 ? r->rss / dof : (double)NAN;
	out->p = p;
	out->residual_frac = sqrt(s2);
	double half_i = nls_t95(dof) * sqrt(fmax(s2, 9e-4) * r->covariance[0]);
	double half_b = nls_t95(dof) * sqrt(fmax(s2, 9e-4) * r->covariance[3]);
	out->i0_iops = 1e6 * exp(-r->theta[0]);
	out->b_mibps = 1e6 * exp(r->theta[1]) / UNITS_MIB;
	if (!r->at_bound[0] && dof >= 1) {
		out->i0_lo_iops = out->i0_iops * exp(-half_i);
		out->i0_hi_iops = out->i0_iops * exp(half_i);
	}
	if (!r->at_bound[1] && dof >= 1) {
		out->b_lo_mibps = out->b_mibps * exp(-half_b);
		out->b_hi_mibps = out->b_mibps * exp(half_b);
	}
	if (p == 1) {
		out->a_us = exp(r->theta[0]);
		out->b_us_per_kib = UNITS_KIB * exp(-r->theta[1]);
	}
	out->knee_b = out->b_mibps * UNITS_MIB / out->i0_iops;
	out->max_error_frac = 0;
	out->bs_b = arena_array(a, s->n, sizeof(double));
	out->iops = arena_array(a, s->n, sizeof(double));
	if (!out->bs_b || !out->iops)
		return ERR_NOMEM;
	for (size_t i = 0; i < s->n; i++) {
		out->bs_b[i] = s->bs_b[i];
		out->iops[i] = s->iops[i];
		double error = fabs(sizes_iops(out, s->bs_b[i]) / s->iops[i] - 1);
		out->max_error_frac = fmax(out->max_error_frac, error);
	}
	out->n_bs_b = out->n_iops = s->n;
	return 0;
}

/* Residual sum of squares of the best straight line of ln y over ln x. */
static double
line_rss(const double *x, const double *y, size_t n)
{
	double mx = 0, my = 0, sxx = 0, sxy = 0, rss = 0;
	for (size_t i = 0; i < n; i++) {
		mx += log(x[i]) / (double)n;
		my += log(y[i]) / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		sxx += (log(x[i]) - mx) * (log(x[i]) - mx);
		sxy += (log(x[i]) - mx) * (log(y[i]) - my);
	}
	double slope = sxx > 0 ? sxy / sxx : 0;
	for (size_t i = 0; i < n; i++) {
		double r = log(y[i]) - my - slope * (log(x[i]) - mx);
		rss += r * r;
	}
	return rss;
}

static double
criterion(double rss, double n, double k)
{
	/* below 1 % a point is not told from the curve by any data: the floor keeps ln finite */
	return n * log(fmax(rss, n * 1e-4) / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

/* Sum of squares of a smooth law over the first n sizes; its time per I/O at bs_b[n]. */
static double
smooth_rss(const struct form *form, const double *bs_b, const double *iops, size_t n, double *next)
{
	double time_us[MAX_SIZES];
	struct nls_result r;
	for (size_t i = 0; i < n; i++)
		time_us[i] = 1e6 / iops[i];
	struct nls_problem p = {.form = form, .data = {bs_b, time_us, n}};
	if (nls_fit(&p, &r, NULL))
		return INFINITY;
	if (next)
		*next = exp(form->value(r.theta, bs_b[n], NULL));
	return r.rss;
}

double
sizes_strip_b(const double *bs_b, const double *iops, size_t n, double *jump)
{
	/* a + b bs before, a line after, and the place of the break are five numbers */
	if (n < 7 || n > MAX_SIZES)
		return (double)NAN;
	double smooth = fmin(smooth_rss(&form_size_1, bs_b, iops, n, NULL),
		smooth_rss(&form_size_2, bs_b, iops, n, NULL));
	for (size_t at = 3; at + 2 <= n; at++) {
		double expected_us = (double)NAN;
		double left = smooth_rss(&form_size_1, bs_b, iops, at, &expected_us);
		*jump = iops[at] * expected_us * 1e-6;
		if (!(*jump > 1.3))
			continue;
		/* the first size that is far faster than the smaller ones foretell */
		double rss = left + line_rss(bs_b + at, iops + at, n - at);
		bool better = criterion(rss, (double)n, 5) < criterion(smooth, (double)n, 2) - 4;
		return better ? bs_b[at - 1] : (double)NAN;
	}
	return (double)NAN;
}

static void
strip_finding(const struct size_points *s, int op, struct findings *out)
{
	double jump = (double)NAN, strip = sizes_strip_b(s->bs_b, s->iops, s->n, &jump);
	if (isnan(strip))
		return;
	size_t at = 0;
	while (s->bs_b[at] < strip)
		at++;
	char before[32], after[32];
	units_size_text(strip, before);
	units_size_text(s->bs_b[at + 1], after);
	findings_add(out, SEVERITY_NOTE, "strip", "compare with the array's configuration",
		"%s: bandwidth jumps by a factor of %.2f between %s and %s: larger I/O is served "
		"by several disks, so the strip is likely %s (theory, one grid step uncertain)",
		names_text(&profile_op_names, op), jump, before, after, before);
}

/* A quota is exactly min(IOPS cap, MB/s cap / block size): flat, then falling as 1 / size. */
static void
smooth_decay(const struct model_size *s, struct findings *out)
{
	size_t n = s->n_bs_b;
	double fall = 1 - s->iops[n - 1] / s->iops[0];
	if (n < 3 || s->p != 1 || s->max_error_frac > 0.02 || fall < 0.05)
		return;
	struct buf steps;
	buf_init(&steps, 512);
	for (size_t i = 1; i < n; i++) {
		char size[32];
		units_size_text(s->bs_b[i], size);
		buf_printf(&steps, "%s%s %+.1f %%", i > 1 ? ", " : "", size,
			100 * (s->iops[i] / s->iops[0] - 1));
	}
	findings_add(out, SEVERITY_WARNING, "smooth-decay",
		"use min(IOPS cap, MB/s cap / block size) of the SKU",
		"%s at QD%g: IOPS decay smoothly (%s; time per I/O = %.3g us + %.3g us/KiB within "
		"%.2f %%): quota disks do not decay smoothly but hold their IOPS until the MB/s "
		"cap "
		"over the block size bites, so this is not the behaviour of the disk sold",
		names_text(&profile_op_names, s->op), s->qd, buf_text(&steps), s->a_us,
		s->b_us_per_kib, 100 * s->max_error_frac);
	buf_fini(&steps);
}

/* p = 1 where each I/O waits for the one before; else the better of 1 and 2. */
static int
fit_one(const struct size_points *s, const struct profile *p, struct arena *a,
	struct model_size *out, struct err *err)
{
	struct nls_problem one = {.form = &form_size_1, .data = {s->bs_b, s->time_us, s->n}};
	struct nls_problem two = {.form = &form_size_2, .data = {s->bs_b, s->time_us, s->n}};
	struct nls_result r1, r2;
	bool serial = out->qd == 1 || p->device == PROFILE_DEVICE_HDD;
	int rc = nls_fit(&one, &r1, err);
	if (rc == 0 && !serial)
		rc = nls_fit(&two, &r2, err);
	if (rc)
		return rc;
	bool use_two = !serial && (s->n == 2 || r2.rss < r1.rss);
	if (put_fit(s, use_two ? 2 : 1, a, use_two ? &r2 : &r1, out))
		return err_nomem(err);
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

static void
clear(struct model_size *s, int op, double qd)
{
	const double no = (double)NAN;
	*s = (struct model_size){.op = op,
		.qd = qd,
		.i0_lo_iops = no,
		.i0_hi_iops = no,
		.b_lo_mibps = no,
		.b_hi_mibps = no,
		.a_us = no,
		.b_us_per_kib = no,
		.residual_frac = no,
		.max_error_frac = no,
		.knee_b = no};
}

static int
by_op_and_depth(const void *a, const void *b)
{
	const struct model_size *x = a, *y = b;
	if (x->op != y->op)
		return (x->op > y->op) - (x->op < y->op);
	return (x->qd > y->qd) - (x->qd < y->qd);
}

int
sizes_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		struct size_points s;
		if (isnan(c->qd) || already(m, c->op, c->qd))
			continue;
		collect(p, c->op, c->qd, &s);
		if (s.n < 2)
			continue;
		struct model_size *items = arena_grow(a, m->sizes, m->n_sizes, sizeof(*items));
		if (!items)
			return err_nomem(err);
		m->sizes = items;
		struct model_size *one = &items[m->n_sizes];
		clear(one, c->op, c->qd);
		one->trust = s.trust;
		int rc = fit_one(&s, p, a, one, err);
		if (rc)
			return err_context(err, "%s at QD%g over block sizes",
				names_text(&profile_op_names, c->op), c->qd);
		m->n_sizes++;
		strip_finding(&s, c->op, out);
		if (p->device == PROFILE_DEVICE_CLOUD)
			smooth_decay(one, out);
	}
	if (m->n_sizes)
		qsort(m->sizes, m->n_sizes, sizeof(*m->sizes), by_op_and_depth);
	return 0;
}
