#include "model/surface.h"

#include <math.h>

#include "model/predict.h"
#include "model/sizes.h"

static double
within(double us, struct bounds room)
{
	return fmax(fmin(us, room.hi), room.lo);
}

/* Bounds that contradict each other meet in the middle. */
static struct bounds
reconciled(struct bounds room)
{
	if (room.lo > room.hi)
		room.lo = room.hi = sqrt(room.lo * room.hi);
	return room;
}

/* ---- rows: latency over depth at one size ---- */

static void
add_row(struct surface *s, const struct disk_model *m, const struct model_curve *c)
{
	struct surface_row *r = &s->rows[s->n_rows++];
	struct estimate wall;
	r->curve = c;
	r->n = predict_known(c, MODEL_MEAN, r->qd, r->us, SURFACE_MAX_POINTS);
	for (size_t i = 0; i < r->n; i++)
		r->us[i] = cells_us(&s->cells, c->bs_b, r->qd[i]);
	monotone_pieces(r->qd, r->us, r->n, r->pieces);
	r->shape = predict_shape(c);
	predict_wall_at(m, c->op, c->bs_b, &wall);
	r->wall_iops = wall.value;
	r->without_wall = s->capped && c->wall_reached != 1;
	s->wall_reached = s->wall_reached || c->wall_reached == 1;
}

/* Beyond the last depth the curve goes on from there, and no faster than the wall allows. */
static double
beyond_row(const struct surface_row *r, double q)
{
	double last = r->qd[r->n - 1], us = r->us[r->n - 1];
	double on = r->without_wall
			    ? us * curve_light_us(r->curve, q) / curve_light_us(r->curve, last)
			    : us * curve_mean_us(r->curve, q) / curve_mean_us(r->curve, last);
	if (isnan(r->wall_iops))
		return on;
	return fmax(on, fmin(1e6 * q / r->wall_iops, us * q / last));
}

static double
row_us(const struct surface_row *r, double q)
{
	if (r->n == 0)
		return curve_mean_us(r->curve, q);
	if (q > r->qd[r->n - 1])
		return beyond_row(r, q);
	if (q < r->qd[0])
		return r->us[0] * curve_mean_us(r->curve, q) / curve_mean_us(r->curve, r->qd[0]);
	return predict_between_us(&r->shape, MODEL_MEAN, r->qd, r->us, r->n, r->pieces, q);
}

/* The same within what the cells of all sizes leave there. */
static double
row_in_cells(const struct surface *s, const struct surface_row *r, double q)
{
	return within(row_us(r, q), cells_room(&s->cells, r->curve->bs_b, q));
}

/* What a row that is `us` at q says where it was measured; beyond its ends what these say. */
static struct bounds
measured_part(const struct surface_row *r, double q, double us)
{
	if (r->n == 0)
		return (struct bounds){0, INFINITY};
	if (q < r->qd[0])
		return (struct bounds){r->us[0] * q / r->qd[0], r->us[0]};
	double last = r->qd[r->n - 1], end = r->us[r->n - 1];
	return q > last ? (struct bounds){end, end * q / last} : (struct bounds){us, us};
}

/* What rows of no smaller and no larger sizes leave for a size; row k leaves of[k] for its own. */
static struct bounds
room_of(const struct surface *s, const struct bounds *of, double bs_b)
{
	struct bounds room = {0, INFINITY};
	for (size_t k = 0; k < s->n_rows; k++) {
		if (s->rows[k].curve->bs_b <= bs_b)
			room.lo = fmax(room.lo, of[k].lo);
		if (s->rows[k].curve->bs_b >= bs_b)
			room.hi = fmin(room.hi, of[k].hi);
	}
	return reconciled(room);
}

static double
cut_to_rows(const struct surface *s, double q, double us)
{
	struct bounds measured[SURFACE_MAX_ROWS], whole[SURFACE_MAX_ROWS];
	double row[SURFACE_MAX_ROWS];
	for (size_t k = 0; k < s->n_rows; k++) {
		row[k] = row_in_cells(s, &s->rows[k], q);
		measured[k] = measured_part(&s->rows[k], q, row[k]);
	}
	for (size_t k = 0; k < s->n_rows; k++) {
		struct bounds room = room_of(s, measured, s->rows[k].curve->bs_b);
		whole[k].lo = whole[k].hi = within(row[k], room);
	}
	us = within(us, room_of(s, whole, s->bs_b));
	return within(us, room_of(s, measured, s->bs_b));
}

/* With depth 1 and five depths or more before others, then the most depths, then the smallest size. */
static const struct surface_row *
choose_base(const struct surface *s)
{
	const struct surface_row *best = NULL;
	double best_rank = 0;
	for (size_t k = 0; k < s->n_rows; k++) {
		const struct surface_row *r = &s->rows[k];
		bool light = r->n == 0 || r->qd[0] <= 1;
		double rank = (light ? 1000 : 0) + (r->n >= 5 ? 500 : 0) + (double)r->n;
		if (!best || rank > best_rank ||
			(rank == best_rank && r->curve->bs_b < best->curve->bs_b)) {
			best = r;
			best_rank = rank;
		}
	}
	return best;
}

/* ---- columns: latency over size at one depth ---- */

struct column {
	double qd;
	double bs_b[SURFACE_MAX_POINTS], us[SURFACE_MAX_POINTS]; /* ascending size */
	size_t n;
	const struct model_size *law; /* may be NULL */
};

static void
put(struct column *c, double bs_b, double us)
{
	size_t i = c->n;
	if (c->n == SURFACE_MAX_POINTS)
		return;
	for (; i > 0 && c->bs_b[i - 1] > bs_b; i--) {
		c->bs_b[i] = c->bs_b[i - 1];
		c->us[i] = c->us[i - 1];
	}
	c->bs_b[i] = bs_b;
	c->us[i] = us;
	c->n++;
}

static const struct model_size *
law_at(const struct disk_model *m, int op, double qd)
{
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == op && m->sizes[i].qd == qd && m->sizes[i].n_bs_b > 1)
			return &m->sizes[i];
	return NULL;
}

/* The cells of a depth, and the base row where no cell has its size. */
static struct column
column_at(const struct surface *s, const struct disk_model *m, double qd)
{
	const struct model_curve *base = s->base->curve;
	struct column c = {.qd = qd, .law = law_at(m, base->op, qd)};
	for (size_t i = 0; i < s->cells.n; i++)
		if (s->cells.qd[i] == qd)
			put(&c, s->cells.bs_b[i], s->cells.us[i]);
	if (isnan(cells_us(&s->cells, base->bs_b, qd)))
		put(&c, base->bs_b, row_in_cells(s, s->base, qd));
	return c;
}

/* Between or beyond two sizes: time^p grows with size^p, as the law of sizes has it; without a number
 * for p, as two quotas have it, whatever is slower. */
static double
by_two(const struct column *c, size_t i, double bs_b)
{
	double p = c->law ? c->law->p : c->qd == 1 ? 1 : 2;
	double x0 = c->bs_b[i], x1 = c->bs_b[i + 1], y0 = c->us[i], y1 = c->us[i + 1];
	if (isnan(p))
		return fmax(y0, y1 * bs_b / x1);
	double share = expm1(p * log(bs_b / x0)) / expm1(p * log(x1 / x0));
	return y0 * pow(1 + share * expm1(p * log(y1 / y0)), 1 / p);
}

/* Larger than all of a column. */
static double
larger(const struct column *c, double bs_b)
{
	size_t end = c->n - 1;
	if (c->law)
		return c->us[end] * sizes_law(c->law, c->bs_b[end]) / sizes_law(c->law, bs_b);
	return c->n > 1 ? by_two(c, c->n - 2, bs_b) : c->us[end];
}

/* Smaller than all: by the law where it says something of small I/O, else as at the first depth. */
static double smaller(const struct column *c, const struct column *first, double bs_b);

static double
column_us(const struct column *c, const struct column *first, double bs_b)
{
	size_t i = 0;
	if (bs_b < c->bs_b[0])
		return smaller(c, first, bs_b);
	if (bs_b > c->bs_b[c->n - 1])
		return larger(c, bs_b);
	if (c->n >= 5 || c->n == 1)
		return predict_interpolate(c->bs_b, c->us, c->n, bs_b);
	while (i + 2 < c->n && c->bs_b[i + 1] <= bs_b)
		i++;
	return by_two(c, i, bs_b);
}

static double
smaller(const struct column *c, const struct column *first, double bs_b)
{
	const struct model_size *law = c->law;
	if (law && law->n_bs_b >= 3 && !isnan(law->i0_iops))
		return c->us[0] * sizes_law(law, c->bs_b[0]) / sizes_law(law, bs_b);
	if (c == first)
		return c->us[0];
	return c->us[0] * column_us(first, first, bs_b) / column_us(first, first, c->bs_b[0]);
}

/* What columns k of n leave for a depth. */
static struct bounds
room_between(const double *qd, const double *us, size_t n, double q)
{
	struct bounds room = {0, INFINITY};
	for (size_t i = 0; i < n; i++) {
		room.lo = fmax(room.lo, us[i] * fmin(1, q / qd[i]));
		room.hi = fmin(room.hi, us[i] * fmax(1, q / qd[i]));
	}
	return reconciled(room);
}

/* Make points over depth sound: the middle of what all of them leave. */
static void
make_sound(const double *qd, double *us, size_t n)
{
	double sound[SURFACE_MAX_POINTS];
	for (size_t i = 0; i < n; i++) {
		struct bounds room = room_between(qd, us, n, qd[i]);
		sound[i] = within(us[i], room);
	}
	for (size_t i = 0; i < n; i++)
		us[i] = sound[i];
}

static void
add_column(struct surface *s, double qd)
{
	size_t i = s->n;
	for (size_t k = 0; k < s->n; k++)
		if (s->qd[k] == qd)
			return;
	if (s->n == SURFACE_MAX_POINTS)
		return;
	for (; i > 0 && s->qd[i - 1] > qd; i--)
		s->qd[i] = s->qd[i - 1];
	s->qd[i] = qd;
	s->n++;
}

static void
add_columns(struct surface *s, const struct disk_model *m)
{
	for (size_t i = 0; i < s->cells.n; i++)
		if (s->cells.bs_b[i] != s->base->curve->bs_b)
			add_column(s, s->cells.qd[i]);
	if (s->n == 0)
		return;
	struct column first = column_at(s, m, s->qd[0]);
	for (size_t i = 0; i < s->n; i++) {
		struct column c = column_at(s, m, s->qd[i]);
		double us = column_us(i ? &c : &first, &first, s->bs_b);
		s->us[i] = within(us, cells_room(&s->cells, s->bs_b, s->qd[i]));
	}
	make_sound(s->qd, s->us, s->n);
}

/* ---- the size asked for ---- */

/* The base row moved to `us` at depth `qd`: more is added to every depth, less is a part of each. */
static double
moved(const struct surface *s, double base_us, double qd, double us)
{
	double there = row_in_cells(s, s->base, qd);
	return us > there ? base_us + us - there : base_us * us / there;
}

/* Before the first column bytes took their part of the time that they did there. */
static double
before(const struct surface *s, double q)
{
	double base = row_in_cells(s, s->base, q), there = row_in_cells(s, s->base, s->qd[0]);
	return s->us[0] > there ? base + (s->us[0] - there) * q / s->qd[0]
				: base * s->us[0] / there;
}

static double
walled(const struct surface *s, double q, double us)
{
	return fmax(us, 1e6 * q / s->wall_iops); /* fmax skips NaN */
}

/* From each column on as the base goes, within what all of them leave: the next one's rate may be that of a
 * wall. */
static double
by_columns(const struct surface *s, double q)
{
	double base = row_in_cells(s, s->base, q);
	if (s->n == 0)
		return walled(s, q, base);
	size_t a = 0;
	while (a + 1 < s->n && s->qd[a + 1] <= q)
		a++;
	double us = q < s->qd[0] ? before(s, q) : moved(s, base, s->qd[a], s->us[a]);
	return within(walled(s, q, us), room_between(s->qd, s->us, s->n, q));
}

static double
whole_us(const struct surface *s, double q)
{
	if (s->own_row && s->n_rows == 1)
		return s->cells.n == s->own_row->n ? row_us(s->own_row, q)
						   : row_in_cells(s, s->own_row, q);
	/* a row of that size leaves nothing open */
	double us = cut_to_rows(s, q, s->own_row ? 0 : by_columns(s, q));
	return within(us, cells_room(&s->cells, s->bs_b, q));
}

double
surface_us(const struct surface *s, double q)
{
	double us = s->part * whole_us(s, q);
	return s->own.n ? within(us, cells_room(&s->own, s->part_b, q)) : us;
}

double
surface_light_us(const struct surface *s, double q)
{
	double light = curve_light_us(s->base->curve, q);
	if (s->n && s->qd[0] == 1)
		light = moved(s, light, 1, s->us[0]);
	return fmin(s->part * light, surface_us(s, q));
}

/* ln of the rate at a depth over the rate asked for, per us. */
static double
over_rate(const struct surface *s, double ln_q, double per_us)
{
	double q = exp(ln_q);
	return log(q / surface_us(s, q) / per_us);
}

/* An interval of ln depth and by how much its ends miss a rate, in ln. */
struct bracket {
	double lo, hi, under, over;
};

/* Between which measured depths of its size a rate lies: there the surface is the cells. */
static struct bracket
bracket_of(const struct surface *s, double per_us)
{
	struct bracket b = {0, log(1e6), (double)NAN, (double)NAN};
	const struct surface_row *r = s->part == 1 ? s->own_row : NULL;
	size_t i = 0, n = 0;
	while (r && n < r->n && r->qd[n] >= 1)
		n++;
	while (i < n && r->qd[i] / r->us[i] / per_us < 1)
		i++;
	if (i > 0) {
		b.lo = log(r->qd[i - 1]);
		b.under = log(r->qd[i - 1] / r->us[i - 1] / per_us);
	}
	if (i < n) {
		b.hi = log(r->qd[i]);
		b.over = log(r->qd[i] / r->us[i] / per_us);
	}
	if (isnan(b.under))
		b.under = over_rate(s, b.lo, per_us);
	if (isnan(b.over))
		b.over = over_rate(s, b.hi, per_us);
	return b;
}

/* False position in the logarithms, an end that stays counts half (Illinois). */
double
surface_depth(const struct surface *s, double rate_iops)
{
	double per_us = rate_iops * 1e-6;
	if (!(per_us > 0))
		return 1;
	struct bracket b = bracket_of(s, per_us);
	if (b.over < 0)
		return (double)NAN;
	if (b.under >= 0)
		return exp(b.lo);
	int side = 0;
	for (int round = 0; round < 60 && b.hi - b.lo > 1e-9 && b.over > 0; round++) {
		double x = round % 4 == 3 ? (b.lo + b.hi) / 2
					  : (b.lo * b.over - b.hi * b.under) / (b.over - b.under);
		double at = over_rate(s, x, per_us);
		if (fabs(at) < 1e-9)
			return exp(x);
		if (at < 0) {
			b.lo = x;
			b.under = at;
			b.over *= side < 0 ? 0.5 : 1;
			side = -1;
		} else {
			b.hi = x;
			b.over = at;
			b.under *= side > 0 ? 0.5 : 1;
			side = 1;
		}
	}
	return exp(b.hi);
}

static void
add_rows(struct surface *s, const struct disk_model *m, int op, double only_b, bool all)
{
	for (size_t i = 0; i < m->n_curves && s->n_rows < SURFACE_MAX_ROWS; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || isnan(c->l1_us) || (c->n_qd == 1 && !all))
			continue; /* one depth is a cell, no row */
		if (isnan(only_b) ? !cells_in_part(m, op, c->bs_b) : c->bs_b == only_b)
			add_row(s, m, c);
	}
}

/* A part of a block: the time of the whole ones, by what both take alone. */
static void
measure_part(struct surface *s, const struct disk_model *m, int op, double bs_b)
{
	struct size_shift shift;
	const struct model_curve *c = s->base->curve;
	double block = m->physical_block_b, alone = surface_us(s, 1);
	if (sizes_shift(m, op, block * ceil(bs_b / block), bs_b, alone, &shift, NULL) == 0)
		s->part = fmax((alone + shift.us[MODEL_MEAN]) / alone, 0.1);
	cells_collect(m, c->op, bs_b, &s->own);
	s->part_b = bs_b;
}

void
surface_build(struct surface *s, const struct view *v)
{
	const struct disk_model *m = v->model;
	const struct model_curve *c = v->curve;
	double block = m->physical_block_b, only_b = (double)NAN;
	struct estimate wall;
	s->n_rows = s->n = s->own.n = 0;
	s->part = 1;
	s->part_b = v->bs_b;
	s->wall_reached = false;
	s->capped = !isnan(v->cap_iops);
	s->bs_b = v->partial ? block * ceil(v->bs_b / block) : v->bs_b;
	if (cells_in_part(m, c->op, c->bs_b)) /* nothing else is there, or it was asked for */
		only_b = c->bs_b;
	cells_collect(m, c->op, only_b, &s->cells);
	add_rows(s, m, c->op, only_b, false);
	if (s->n_rows == 0)
		add_rows(s, m, c->op, only_b, true);
	s->base = choose_base(s);
	s->own_row = NULL;
	for (size_t k = 0; k < s->n_rows; k++)
		if (s->rows[k].curve->bs_b == s->bs_b)
			s->own_row = &s->rows[k];
	if (!s->own_row)
		predict_wall_at(m, c->op, s->bs_b, &wall);
	s->wall_iops = s->own_row ? s->own_row->wall_iops : wall.value;
	if (s->bs_b != s->base->curve->bs_b)
		add_columns(s, m);
	if (v->partial)
		measure_part(s, m, c->op, v->bs_b);
}
