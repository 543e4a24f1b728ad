#include "model/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/ratio.h"
#include "model/slices.h"

double
points_rate(const struct profile_cell *c)
{
	return isnan(c->iops) ? c->mibps * UNITS_MIB / c->bs_b : c->iops;
}

double
points_little(const struct profile_cell *c)
{
	if (!isnan(c->little_ratio))
		return c->little_ratio;
	return profile_little_ratio(points_rate(c), c->mean_us, c->qd);
}

bool
points_off_curve(const struct profile_cell *c)
{
	return (c->mix_read_frac > 0 && c->mix_read_frac < 1) || !isnan(c->asked_iops);
}

bool
points_first_write(const struct profile *p, const struct profile_cell *c)
{
	const struct profile_series *first = p->first_write;
	if (!first || !c->note || c->op != first->op || c->bs_b != first->bs_b ||
		c->qd != first->qd)
		return false;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *o = &p->cells[i];
		if (o != c && o->op == c->op && o->bs_b == c->bs_b && o->qd == c->qd &&
			!points_off_curve(o))
			return true;
	}
	return false;
}

/* The most that a sound row shows. */
static double
little_most(const struct profile *p, const struct profile_cell *c)
{
	if (profile_cell_trust(p, c) > TRUST_IMPORTED)
		return 1.10;
	/* a quarter of the requests under way at the ends of each slice, of all of them */
	double slices = c->n_slice_iops > 0 ? (double)c->n_slice_iops : 1;
	double ends = 0.25 * c->qd * slices / c->n;
	return fmin(1.10, 1.02 + (isnan(ends) ? 0 : ends));
}

bool
points_little_off(const struct profile *p, const struct profile_cell *c)
{
	double ratio = points_little(c);
	return ratio < 0.90 || ratio > little_most(p, c);
}

double
points_light_us(const struct profile *p, int op, double bs_b, bool *median)
{
	const struct profile_cell *best = NULL;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		bool known = !isnan(c->mean_us) || !isnan(c->p50_us);
		if (c->op != op || c->qd != 1 || points_off_curve(c) || !known || c->bs_b > bs_b)
			continue;
		if (!best || c->bs_b > best->bs_b)
			best = c;
	}
	if (!best)
		return (double)NAN;
	*median = isnan(best->mean_us);
	return *median ? best->p50_us : best->mean_us;
}

bool
points_contradictory(const struct profile *p, const struct profile_cell *c)
{
	double rate = points_rate(c);
	if (points_off_curve(c) || isnan(rate) || isnan(c->qd))
		return false;
	if (points_little_off(p, c))
		return true;
	/* A measured bump is kept (a trap says so); a published rate whose latency would lie below
	 * the light one needs more outstanding I/O than stated. */
	bool median;
	double light = points_light_us(p, c->op, c->bs_b, &median);
	return profile_cell_trust(p, c) == TRUST_PUBLISHED && c->qd > 1 &&
	       1e6 * c->qd / rate < 0.94 * light;
}

static int
weakest(int a, int b)
{
	return a > b ? a : b; /* enum trust runs from measured to assumed */
}

/* Fill the missing one of rate and mean; false: the cell has no place on a curve. */
static bool
complete(const struct profile *p, const struct profile_cell *c, const char *label,
	struct findings *out, struct point *point)
{
	char latency[32], other[32], iops[32];
	point->iops = points_rate(c);
	point->mean_us = c->mean_us;
	if (isnan(point->mean_us) && isnan(point->iops) && !isnan(c->p50_us)) {
		double ratio = ratio_of(p->device, c->op, MODEL_P50, false).value;
		point->mean_us = c->p50_us / ratio;
		point->trust = weakest(point->trust, TRUST_ASSUMED);
		units_latency_text(c->p50_us, latency);
		units_latency_text(point->mean_us, other);
		findings_add(out, SEVERITY_NOTE, "mean-from-median",
			"measure the mean: bench, or import the original fio JSON",
			"%s, QD%g: only the median %s is known; mean assumed %s (median = %.2f of "
			"it)",
			label, c->qd, latency, other, ratio);
	}
	if (isnan(point->mean_us) && point->iops > 0) {
		point->mean_us = 1e6 * c->qd / point->iops;
		point->trust = weakest(point->trust, TRUST_DERIVED);
		units_count_text(point->iops, iops);
		units_latency_text(point->mean_us, latency);
		findings_add(out, SEVERITY_NOTE, "latency-derived", NULL,
			"%s, QD%g: mean latency not stated; %s IOPS with %g outstanding mean %s "
			"(Little's law)",
			label, c->qd, iops, c->qd, latency);
	} else if (isnan(point->iops) && point->mean_us > 0) {
		/* the latency keeps its class: it is what the curve is fitted to */
		point->iops = 1e6 * c->qd / point->mean_us;
		if (c->qd == 1)
			return true;
		units_count_text(point->iops, iops);
		units_latency_text(point->mean_us, latency);
		findings_add(out, SEVERITY_NOTE, "iops-derived", NULL,
			"%s, QD%g: IOPS not stated; %s with %g outstanding mean %s IOPS (Little's "
			"law)",
			label, c->qd, latency, c->qd, iops);
	}
	return point->mean_us > 0 && point->iops > 0;
}

bool
points_percentiles(const struct profile_cell *c, struct point *pt)
{
	/* fio's percentiles are of completion: where submission blocks they say nothing. */
	bool completion = c->percentile_of && strcmp(c->percentile_of, "clat") == 0;
	if (completion && c->submit_frac > 0.5)
		return false;
	pt->p50_us = c->p50_us;
	pt->p99_us = c->p99_us;
	pt->p999_us = c->p999_us;
	pt->p99_lo_us = c->p99_lo_us;
	pt->p99_hi_us = c->p99_hi_us;
	if (isnan(pt->p99_us) && !isnan(c->p99_lo_us) && !isnan(c->p99_hi_us))
		pt->p99_us = sqrt(c->p99_lo_us * c->p99_hi_us); /* a published range of runs */
	pt->p999_lo_us = c->p999_lo_us;
	pt->p999_hi_us = c->p999_hi_us;
	return true;
}

static void
percentiles(const struct profile_cell *c, const char *label, struct findings *out, struct point *pt)
{
	bool used = points_percentiles(c, pt);
	if (!(c->submit_frac > 0.5))
		return;
	findings_add(out, SEVERITY_WARNING, "submission-blocks",
		"measure with direct I/O and an asynchronous engine",
		"%s, QD%g: %.0f %% of the latency is spent inside submission, so the disk may "
		"never "
		"have held that depth; %s",
		label, c->qd, 100 * c->submit_frac,
		used ? "percentiles are of the whole latency and used"
		     : "the completion percentiles are not used");
}

/* Credits or a cache that ran out inside the cell: the late rate is the disk's. */
static void
late_plateau(
	const struct profile_cell *c, const char *label, struct findings *out, struct point *pt)
{
	struct plateaus t;
	if (!slices_plateaus(c->slice_iops, c->n_slice_iops, &t))
		return;
	char one[32], two[32];
	units_count_text(round(t.early), one);
	units_count_text(round(t.late), two);
	findings_add(out, SEVERITY_WARNING, "two-plateaus",
		"run longer than the credits or the cache last: until then a run proves nothing "
		"about the rate that stays",
		"%s, QD%g: %s IOPS in the first tenth of the run, %s in its last half: credits or "
		"a "
		"cache ran out; the late rate is used",
		label, c->qd, one, two);
	pt->iops = t.late;
	pt->mean_us = 1e6 * pt->qd / t.late;
	pt->mean_lo_us = pt->mean_hi_us = (double)NAN; /* of both together */
	pt->trust = weakest(pt->trust, TRUST_DERIVED);
}

struct point
points_empty(const struct profile *p, const struct profile_cell *c)
{
	const double no = (double)NAN;
	return (struct point){c->qd, no, no, no, no, no, c->mean_lo_us, c->mean_hi_us, no, no, no,
		no, no, no, 1, profile_cell_trust(p, c)};
}

static struct series *
series_for(struct series_list *list, struct arena *a, const struct profile_cell *c)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].op == c->op && list->items[i].bs_b == c->bs_b)
			return &list->items[i];
	struct series *items = arena_grow(a, list->items, list->n, sizeof(*items));
	if (!items)
		return NULL;
	list->items = items;
	struct series *s = &items[list->n++];
	*s = (struct series){.op = c->op, .bs_b = c->bs_b, .loose_iops = (double)NAN};
	char size[32];
	units_size_text(c->bs_b, size);
	snprintf(s->label, sizeof(s->label), "%s %s", size, names_text(&profile_op_names, c->op));
	return s;
}

/* A cell without a depth can only say how fast the disk went at some depth. */
static void
add_loose(const struct profile *p, const struct profile_cell *c, struct findings *out,
	struct series *s)
{
	double rate = points_rate(c);
	if (isnan(rate))
		return;
	if (isnan(s->loose_iops) || rate > s->loose_iops) {
		s->loose_iops = rate;
		s->loose_trust = profile_cell_trust(p, c);
	}
	char iops[32];
	units_count_text(rate, iops);
	findings_add(out, SEVERITY_NOTE, "no-depth",
		"find the depth the figure was taken at, or measure",
		"%s: %s IOPS published without a depth%s; taken as the wall", s->label, iops,
		isnan(c->qd) ? "" : " that can be right");
}

static int
add_cell(const struct profile *p, const struct profile_cell *c, struct arena *a,
	struct findings *out, struct series_list *list)
{
	if (isnan(c->bs_b) || points_off_curve(c) || points_first_write(p, c))
		return 0;
	struct series *s = series_for(list, a, c);
	if (!s)
		return ERR_NOMEM;
	if (isnan(c->qd)) {
		add_loose(p, c, out, s);
		return 0;
	}
	if (points_contradictory(p, c)) {
		/* A rate above what its depth allows was reached at another depth.  A provider's
		 * disk is bounded by its SKU instead. */
		bool sound = isnan(points_little(c));
		if (sound && p->device != PROFILE_DEVICE_CLOUD)
			add_loose(p, c, out, s);
		return 0;
	}
	struct point point = points_empty(p, c);
	if (!complete(p, c, s->label, out, &point))
		return 0;
	percentiles(c, s->label, out, &point);
	late_plateau(c, s->label, out, &point);
	struct point *points = arena_grow(a, s->points, s->n, sizeof(*points));
	if (!points)
		return ERR_NOMEM;
	s->points = points;
	s->points[s->n++] = point;
	return 0;
}

static int
by_depth(const void *a, const void *b)
{
	double x = ((const struct point *)a)->qd, y = ((const struct point *)b)->qd;
	return (x > y) - (x < y);
}

/* Geometric mean of those known at offset `at` in n points. */
static double
mean_ln(const struct point *points, size_t n, size_t at)
{
	double sum = 0, known = 0;
	for (size_t i = 0; i < n; i++) {
		double v;
		memcpy(&v, (const char *)&points[i] + at, sizeof(v));
		if (v > 0) {
			sum += log(v);
			known++;
		}
	}
	return known > 0 ? exp(sum / known) : (double)NAN;
}

static double
spread_ln(const struct point *points, size_t n)
{
	double mean = log(mean_ln(points, n, offsetof(struct point, mean_us))), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (log(points[i].mean_us) - mean) * (log(points[i].mean_us) - mean);
	return n > 1 ? sqrt(sum / (double)(n - 1)) : (double)NAN;
}

static double
value_at(const struct point *p, size_t at)
{
	double v;
	memcpy(&v, (const char *)p + at, sizeof(v));
	return v;
}

/* The interval covers what each run states and every run's own value. */
static void
cover(const struct point *points, size_t n, size_t value, size_t lo, size_t hi, struct point *all)
{
	double least = (double)NAN, most = (double)NAN;
	for (size_t i = 0; i < n; i++) { /* fmin and fmax skip NaN */
		double v = value_at(&points[i], value);
		least = fmin(least, fmin(v, value_at(&points[i], lo)));
		most = fmax(most, fmax(v, value_at(&points[i], hi)));
	}
	memcpy((char *)all + lo, &least, sizeof(least));
	memcpy((char *)all + hi, &most, sizeof(most));
}

struct point
points_merge(const struct point *points, size_t n)
{
#define AT(m) offsetof(struct point, m)
	static const size_t values[] = {AT(iops), AT(mean_us), AT(p50_us), AT(p99_us), AT(p999_us)};
	struct point all = points[0];
	if (n == 1)
		return all;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		double v = mean_ln(points, n, values[i]);
		memcpy((char *)&all + values[i], &v, sizeof(v));
	}
	cover(points, n, AT(mean_us), AT(mean_lo_us), AT(mean_hi_us), &all);
	cover(points, n, AT(p99_us), AT(p99_lo_us), AT(p99_hi_us), &all);
	cover(points, n, AT(p999_us), AT(p999_lo_us), AT(p999_hi_us), &all);
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < n; i++) {
		all.trust = weakest(all.trust, points[i].trust);
		least = fmin(least, points[i].mean_us);
		most = fmax(most, points[i].mean_us);
	}
	all.differ = most / least;
	all.spread = spread_ln(points, n);
	all.repeats = n;
	return all;
#undef AT
}

static void
merge_repeats(struct series *s)
{
	if (s->n == 0)
		return;
	qsort(s->points, s->n, sizeof(*s->points), by_depth);
	size_t kept = 0;
	for (size_t i = 0, end; i < s->n; i = end) {
		for (end = i + 1; end < s->n && s->points[end].qd == s->points[i].qd;)
			end++;
		s->points[kept++] = points_merge(&s->points[i], end - i);
	}
	s->n = kept;
}

static int
by_op_and_size(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	if (x->op != y->op)
		return (x->op > y->op) - (x->op < y->op);
	return (x->bs_b > y->bs_b) - (x->bs_b < y->bs_b);
}

int
points_collect(const struct profile *p, struct arena *a, struct findings *out,
	struct series_list *list, struct err *err)
{
	*list = (struct series_list){0};
	for (size_t i = 0; i < p->n_cells; i++)
		if (add_cell(p, &p->cells[i], a, out, list))
			return err_nomem(err);
	for (size_t i = 0; i < list->n; i++)
		merge_repeats(&list->items[i]);
	if (list->n)
		qsort(list->items, list->n, sizeof(*list->items), by_op_and_size);
	return 0;
}
