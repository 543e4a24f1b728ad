#include "bench/sizefit.h"

#include <math.h>

#include "base/units.h"

enum { LEAST_SIZES = 3 };

static bool
counts(const struct profile_cell *c, int op)
{
	return c->op == op && c->qd >= 1 && c->qd <= 1 && isnan(c->mix_read_frac) &&
	       isnan(c->asked_iops) && c->mean_us > 0;
}

/* Sums of the normal equations, each point weighted by 1 / y^2. */
struct sums {
	double w, s, ss, y, sy;
	size_t n;
};

static struct sums
sums_of(const struct profile *p, int op, struct profile_size_fit *f)
{
	struct sums k = {0, 0, 0, 0, 0, 0};
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (!counts(c, op))
			continue;
		double kib = c->bs_b / UNITS_KIB, w = 1 / (c->mean_us * c->mean_us);
		k.w += w;
		k.s += w * kib;
		k.ss += w * kib * kib;
		k.y += w * c->mean_us;
		k.sy += w * kib * c->mean_us;
		k.n++;
		f->from_b = isnan(f->from_b) ? c->bs_b : fmin(f->from_b, c->bs_b);
		f->to_b = isnan(f->to_b) ? c->bs_b : fmax(f->to_b, c->bs_b);
	}
	return k;
}

static double
residual(const struct profile *p, int op, const struct profile_size_fit *f, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (!counts(c, op))
			continue;
		double fit = f->a_us + f->b_us_per_kib * c->bs_b / UNITS_KIB;
		sum += (fit / c->mean_us - 1) * (fit / c->mean_us - 1);
	}
	return sqrt(sum / (double)n);
}

int
sizefit_fill(struct profile *p, struct arena *a, struct err *err)
{
	struct profile_size_fit *fits = arena_array(a, 2, sizeof(*fits));
	if (!fits)
		return err_nomem(err);
	p->size_fits = fits;
	p->n_size_fits = 0;
	for (int op = PROFILE_OP_RANDREAD; op <= PROFILE_OP_RANDWRITE; op++) {
		struct profile_size_fit f;
		profile_size_fit_clear(&f);
		struct sums k = sums_of(p, op, &f);
		double det = k.w * k.ss - k.s * k.s;
		if (k.n < LEAST_SIZES || !(f.to_b > f.from_b) || !(det > 0))
			continue;
		f.op = op;
		f.a_us = (k.y * k.ss - k.s * k.sy) / det;
		f.b_us_per_kib = (k.w * k.sy - k.s * k.y) / det;
		f.residual_frac = residual(p, op, &f, k.n);
		fits[p->n_size_fits++] = f;
	}
	return 0;
}
