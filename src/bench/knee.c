#include "bench/knee.h"

#include <math.h>

enum { POINTS_MAX = 64 };

static const double TOP_SLACK = 0.98, KNEE_FRAC = 0.97, KNEE_LEAST = 0.90, RISE_MAX = 0.10;

static double
lower(const struct knee_point *p)
{
	return isnan(p->lo) ? p->iops : p->lo;
}

static double
upper(const struct knee_point *p)
{
	return isnan(p->hi) ? p->iops : p->hi;
}

/* Median of n values, sorted here (few). */
static double
median(double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		for (size_t k = i; k > 0 && v[k] < v[k - 1]; k--) {
			double x = v[k];
			v[k] = v[k - 1];
			v[k - 1] = x;
		}
	}
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static bool
find_plateau(const struct knee_point *p, size_t n, struct knee *k)
{
	double best = -INFINITY, least = INFINITY, most = -INFINITY;
	double rate[POINTS_MAX], lo[POINTS_MAX], hi[POINTS_MAX];
	for (size_t i = 0; i < n; i++)
		best = fmax(best, lower(&p[i]));
	k->n_top = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(upper(&p[i]) >= TOP_SLACK * best))
			continue;
		if (k->n_top == 0)
			k->from = i;
		rate[k->n_top] = p[i].iops;
		lo[k->n_top] = lower(&p[i]);
		hi[k->n_top] = upper(&p[i]);
		k->n_top++;
		least = fmin(least, p[i].iops);
		most = fmax(most, p[i].iops);
	}
	if (k->n_top == 0) /* an interval beside its own value */
		return false;
	k->iops = median(rate, k->n_top);
	k->lo = median(lo, k->n_top);
	k->hi = median(hi, k->n_top);
	k->flat_frac = most / least - 1;
	return true;
}

static bool
on_top(const struct knee_point *p, const struct knee *k)
{
	return p->iops >= KNEE_FRAC * k->iops ||
	       (p->iops >= KNEE_LEAST * k->iops && upper(p) >= k->iops);
}

bool
knee_find(const struct knee_point *points, size_t n, struct knee *k)
{
	struct knee_point p[POINTS_MAX];
	size_t index[POINTS_MAX], known = 0;
	for (size_t i = 0; i < n && known < POINTS_MAX; i++) {
		if (!(points[i].iops > 0) || !(points[i].qd > 0))
			continue;
		p[known] = points[i];
		index[known++] = i;
	}
	if (known == 0 || !find_plateau(p, known, k))
		return false;
	size_t at = 0;
	while (at + 1 < known && !on_top(&p[at], k))
		at++;
	k->rise_frac = known > 1 ? p[known - 1].iops / p[known - 2].iops - 1 : (double)NAN;
	k->reached = at + 1 < known || k->rise_frac <= RISE_MAX;
	if (!k->reached)
		k->hi = NAN;
	k->at = index[at];
	k->from = index[k->from];
	return true;
}
