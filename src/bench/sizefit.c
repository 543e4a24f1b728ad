#include "bench/sizefit.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"

enum { LEAST_SIZES = 3, CAP_LEAST = 6, MOST_SIZES = 64 };

/* Akaike's criterion must be so much better before a quota is read into the sizes. */
static const double CLEARLY = 4;

struct point {
	double kib, us;
};

/* The cells of one operation, ascending. */
struct points {
	struct point at[MOST_SIZES];
	size_t n;
};

static bool
counts(const struct profile_cell *c, int op)
{
	return c->op == op && c->qd >= 1 && c->qd <= 1 && isnan(c->mix_read_frac) &&
	       isnan(c->asked_iops) && c->mean_us > 0;
}

static int
by_size(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	return (x->kib > y->kib) - (x->kib < y->kib);
}

static void
collect(const struct profile *p, int op, struct points *out)
{
	out->n = 0;
	for (size_t i = 0; i < p->n_cells && out->n < MOST_SIZES; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (counts(c, op))
			out->at[out->n++] = (struct point){c->bs_b / UNITS_KIB, c->mean_us};
	}
	qsort(out->at, out->n, sizeof(out->at[0]), by_size);
}

static double
squares(const struct points *p, const struct profile_size_fit *f)
{
	double sum = 0;
	for (size_t i = 0; i < p->n; i++) {
		double off = profile_size_us(f, p->at[i].kib * UNITS_KIB) / p->at[i].us - 1;
		sum += off * off;
	}
	return sum;
}

/* Normal equations, each point weighted by 1 / y^2; false: they have no answer. */
static bool
fit_line(const struct points *p, struct profile_size_fit *f)
{
	double w = 0, s = 0, ss = 0, y = 0, sy = 0;
	for (size_t i = 0; i < p->n; i++) {
		double kib = p->at[i].kib, us = p->at[i].us, weight = 1 / (us * us);
		w += weight;
		s += weight * kib;
		ss += weight * kib * kib;
		y += weight * us;
		sy += weight * kib * us;
	}
	double det = w * ss - s * s;
	if (!(det > 0))
		return false;
	f->form = PROFILE_SIZE_LINEAR;
	f->a_us = (y * ss - s * sy) / det;
	f->b_us_per_kib = (w * sy - s * y) / det;
	return true;
}

/* a from the `split` smallest sizes, b from the others. */
static void
fit_halves(const struct points *p, size_t split, struct profile_size_fit *f)
{
	double w = 0, y = 0, ss = 0, sy = 0;
	for (size_t i = 0; i < p->n; i++) {
		double kib = p->at[i].kib, us = p->at[i].us;
		if (i < split) {
			w += 1 / (us * us);
			y += 1 / us;
		} else {
			ss += kib * kib / (us * us);
			sy += kib / us;
		}
	}
	f->form = PROFILE_SIZE_CAP;
	f->a_us = y / w;
	f->b_us_per_kib = sy / ss;
}

/* The best division in two with three sizes and more on either side. */
static void
fit_cap(const struct points *p, struct profile_size_fit *f)
{
	double best = INFINITY;
	struct profile_size_fit one = *f;
	for (size_t split = LEAST_SIZES; split + LEAST_SIZES <= p->n; split++) {
		fit_halves(p, split, &one);
		double sum = squares(p, &one);
		if (sum < best) {
			best = sum;
			*f = one;
		}
	}
}

/* Akaike's criterion for few points, k parameters. */
static double
aicc(double sum, double n, double k)
{
	static const double exact = 1e-12; /* below it all fits are perfect */
	return n * log(fmax(sum, exact) / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
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
		struct profile_size_fit line;
		struct points at;
		collect(p, op, &at);
		profile_size_fit_clear(&line);
		if (at.n < LEAST_SIZES || !fit_line(&at, &line))
			continue;
		line.op = op;
		line.from_b = at.at[0].kib * UNITS_KIB;
		line.to_b = at.at[at.n - 1].kib * UNITS_KIB;
		struct profile_size_fit cap = line, *f = &line;
		double n = (double)at.n;
		if (at.n >= CAP_LEAST) {
			fit_cap(&at, &cap);
			/* where it bends is a parameter, too; so is the error */
			if (aicc(squares(&at, &cap), n, 4) <
				aicc(squares(&at, &line), n, 3) - CLEARLY)
				f = &cap;
		}
		f->residual_frac = sqrt(squares(&at, f) / n);
		fits[p->n_size_fits++] = *f;
	}
	return 0;
}
