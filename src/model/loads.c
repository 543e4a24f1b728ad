#include "model/loads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/document.h"
#include "model/points.h"

enum { MAX_RATES = 64 };

static const double overload = 0.02; /* share of arrivals that found the queue full */
static const double noise = 1.03; /* of a run; models.md 0.10 */
static const double tolerance = 1.24; /* left-out points of clean sweeps, 95th percentile */

struct load_point {
	double rate, mean_us, p50_us, p99_us, p999_us, over;
	double lo_us, hi_us; /* of the mean */
};

struct load_points {
	struct load_point at[MAX_RATES];
	size_t n;
	int trust;
	char label[64];
};

static bool
is_load(const struct profile_cell *c)
{
	return c->asked_iops > 0 && c->mean_us > 0 && c->bs_b > 0 && !(c->overload_frac > overload);
}

static void
insert(struct load_points *s, const struct profile_cell *c)
{
	struct point pt = {0};
	struct load_point p = {c->asked_iops, c->mean_us, (double)NAN, (double)NAN, (double)NAN,
		(double)NAN, c->mean_lo_us, c->mean_hi_us};
	if (s->n == MAX_RATES)
		return;
	if (points_percentiles(c, &pt)) {
		p.p50_us = pt.p50_us;
		p.p99_us = pt.p99_us;
		p.p999_us = pt.p999_us;
	}
	size_t at = s->n++;
	for (; at > 0 && s->at[at - 1].rate > p.rate; at--)
		s->at[at] = s->at[at - 1];
	s->at[at] = p;
}

static void
collect(const struct profile *p, const struct profile_cell *first, struct load_points *s)
{
	char size[32];
	*s = (struct load_points){.trust = TRUST_MEASURED};
	units_size_text(first->bs_b, size);
	snprintf(s->label, sizeof(s->label), "%s %s", size,
		names_text(&profile_op_names, first->op));
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (c->op != first->op || c->bs_b != first->bs_b || !is_load(c))
			continue;
		insert(s, c);
		int trust = profile_cell_trust(p, c);
		s->trust = trust > s->trust ? trust : s->trust;
	}
}

/* Slower at the lowest rate than at the next, by more than their intervals and a run's noise. */
static void
drop_idle_start(struct load_points *s, struct findings *out)
{
	if (s->n < 2)
		return;
	const struct load_point *low = &s->at[0], *next = &s->at[1];
	bool overlap = low->lo_us <= next->hi_us; /* false when one is not known */
	if (low->mean_us <= noise * next->mean_us || overlap)
		return;
	char one[32], two[32], rate[32], next_rate[32];
	units_latency_text(low->mean_us, one);
	units_latency_text(next->mean_us, two);
	units_count_text(round(low->rate), rate);
	units_count_text(round(next->rate), next_rate);
	findings_add(out, SEVERITY_NOTE, "idle-start",
		"hold the processors awake while measuring (/dev/cpu_dma_latency)",
		"%s: %s at %s IOPS, but %s at %s: an idle machine wakes up for each request; the "
		"lowest rate is left out",
		s->label, one, rate, two, next_rate);
	memmove(&s->at[0], &s->at[1], (s->n - 1) * sizeof(s->at[0]));
	s->n--;
}

/* R = (L1 - c) / (1 - c rate), at least L1, of the curve of the same operation and size. */
static double
curve_says(const struct disk_model *m, int op, double bs_b, double rate)
{
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || c->bs_b != bs_b || c->form != MODEL_FORM_THREE)
			continue;
		double slope = isnan(c->c_us) ? 0 : c->c_us, room = 1 - slope * 1e-6 * rate;
		if (room <= 0 || (c->wall_reached == 1 && rate >= c->x_inf_iops))
			return (double)NAN;
		return fmax(c->l1_us, (c->l1_us - slope) / room);
	}
	return (double)NAN;
}

/* Fit once, use for both loops (models.md 3.1): where the two were measured, whether it holds. */
static void
check_curve(const struct disk_model *m, const struct profile_cell *first, struct load_points *s,
	struct findings *out)
{
	const struct load_point *worst = NULL;
	for (size_t i = 0; i < s->n; i++) {
		struct load_point *p = &s->at[i];
		p->over = p->mean_us / curve_says(m, first->op, first->bs_b, p->rate);
		if (!isnan(p->over) && (!worst || fabs(log(p->over)) > fabs(log(worst->over))))
			worst = p;
	}
	if (!worst || fabs(log(worst->over)) <= log(tolerance))
		return;
	char mean[32], rate[32];
	units_latency_text(worst->mean_us, mean);
	units_count_text(round(worst->rate), rate);
	findings_add(out, SEVERITY_NOTE, "open-loop-differs",
		"judge load by arrivals from the rates measured",
		"%s: %s at %s IOPS by a schedule, %.2f times what the curve over depth says of "
		"that rate",
		s->label, mean, rate, worst->over);
}

static double *
column(const struct load_points *s, struct arena *a, size_t at, size_t *n)
{
	double *v = arena_array(a, s->n, sizeof(double));
	for (size_t i = 0; v && i < s->n; i++)
		memcpy(&v[i], (const char *)&s->at[i] + at, sizeof(double));
	*n = v ? s->n : 0;
	return v;
}

static int
put(const struct load_points *s, struct arena *a, struct model_load *l)
{
#define COLUMN(array, member)                                                                      \
	(l->array = column(s, a, offsetof(struct load_point, member), &l->n_##array))
	bool ok = COLUMN(rate_iops, rate) && COLUMN(mean_us, mean_us) && COLUMN(p50_us, p50_us) &&
		  COLUMN(p99_us, p99_us) && COLUMN(p999_us, p999_us) && COLUMN(over_curve, over);
#undef COLUMN
	l->trust = s->trust;
	return ok ? 0 : ERR_NOMEM;
}

static bool
have(const struct disk_model *m, const struct profile_cell *c)
{
	for (size_t i = 0; i < m->n_loads; i++)
		if (m->loads[i].op == c->op && m->loads[i].bs_b == c->bs_b)
			return true;
	return false;
}

int
loads_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err)
{
	struct load_points points;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (!is_load(c) || have(m, c))
			continue;
		collect(p, c, &points);
		drop_idle_start(&points, out);
		check_curve(m, c, &points, out);
		struct model_load *items = arena_grow(a, m->loads, m->n_loads, sizeof(*items));
		if (!items)
			return err_nomem(err);
		m->loads = items;
		struct model_load *l = &items[m->n_loads++];
		schema_clear(&model_load_schema, l);
		l->op = c->op;
		l->bs_b = c->bs_b;
		if (put(&points, a, l))
			return err_nomem(err);
	}
	return 0;
}
