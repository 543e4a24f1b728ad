#include "model/cells.h"

#include <math.h>

#include "base/units.h"
#include "model/predict.h"

enum { MAX_ROUNDS = 60, MAX_POINTS = 64 };

/* A median run differs from the next by 3.1 % (models.md 0.10); a correction of twice that is told. */
static const double told = 0.06;

/* A seller's figures twice apart are no noise: the slower one is the promise to plan with. */
static const double gross = 2;

/* Rounds end when no pair is further apart than this. */
static const double close_enough = 1e-4;

bool
cells_in_part(const struct disk_model *m, int op, double bs_b)
{
	bool write = op == PROFILE_OP_WRITE || op == PROFILE_OP_RANDWRITE;
	return write && fmod(bs_b, m->physical_block_b) != 0;
}

static size_t
find(const struct cells *c, double bs_b, double qd)
{
	size_t i = 0;
	while (i < c->n && (c->bs_b[i] != bs_b || c->qd[i] != qd))
		i++;
	return i;
}

double
cells_us(const struct cells *c, double bs_b, double qd)
{
	size_t i = find(c, bs_b, qd);
	return i < c->n ? c->us[i] : (double)NAN;
}

static void
add(struct cells *c, double bs_b, double qd, double us)
{
	if (!(us > 0) || !(qd > 0) || c->n == CELLS_MAX || find(c, bs_b, qd) < c->n)
		return;
	c->bs_b[c->n] = bs_b;
	c->qd[c->n] = qd;
	c->us[c->n] = c->measured_us[c->n] = us;
	c->n++;
}

struct bounds
cells_room(const struct cells *c, double bs_b, double qd)
{
	struct bounds room = {0, INFINITY};
	for (size_t i = 0; i < c->n; i++) {
		double us = c->us[i], in_turn = us * qd / c->qd[i];
		double least = in_turn < us ? in_turn : us, most = in_turn < us ? us : in_turn;
		if (c->bs_b[i] <= bs_b && least > room.lo)
			room.lo = least;
		if (c->bs_b[i] >= bs_b && most < room.hi)
			room.hi = most;
	}
	return room;
}

/* Move every pair that contradicts together; false: there was none. */
static bool
one_round(struct cells *c, bool published, double tolerance)
{
	bool moved = false;
	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->n; k++) {
			if (c->bs_b[i] > c->bs_b[k])
				continue;
			double here = c->us[i] * c->qd[k];
			double there = c->us[k] * fmax(c->qd[k], c->qd[i]);
			if (!(here > there * (1 + tolerance)))
				continue;
			double over = here / there;
			moved = true;
			if (published && over > gross) {
				c->us[k] *= over;
				continue;
			}
			c->us[i] /= sqrt(over);
			c->us[k] *= sqrt(over);
		}
	}
	return moved;
}

/* The rest, exactly: the middle between the least that is consistent above all cells and the most
 * below them. */
static void
finish(struct cells *c)
{
	double us[CELLS_MAX];
	for (size_t i = 0; i < c->n; i++) {
		struct bounds room = cells_room(c, c->bs_b[i], c->qd[i]);
		us[i] = room.lo > room.hi ? sqrt(room.lo * room.hi) : c->us[i];
	}
	for (size_t i = 0; i < c->n; i++)
		c->us[i] = us[i];
}

void
cells_collect(const struct disk_model *m, int op, double only_b, struct cells *c)
{
	bool published = m->trust == TRUST_PUBLISHED;
	c->n = 0;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *curve = &m->curves[i];
		double qd[MAX_POINTS], us[MAX_POINTS];
		bool fits = isnan(only_b) ? !cells_in_part(m, op, curve->bs_b)
					  : curve->bs_b == only_b;
		size_t n = curve->op == op && fits
				   ? predict_known(curve, MODEL_MEAN, qd, us, MAX_POINTS)
				   : 0;
		for (size_t k = 0; k < n; k++)
			add(c, curve->bs_b, qd[k], us[k]);
	}
	for (size_t i = 0; i < m->n_sizes; i++) {
		const struct model_size *s = &m->sizes[i];
		for (size_t k = 0; s->op == op && k < s->n_bs_b && k < s->n_mean_us; k++)
			if (isnan(only_b) ? !cells_in_part(m, op, s->bs_b[k])
					  : s->bs_b[k] == only_b)
				add(c, s->bs_b[k], s->qd, s->mean_us[k]);
	}
	if (!one_round(c, published, 1e-12)) /* as it should be */
		return;
	for (int i = 0; i < MAX_ROUNDS && one_round(c, published, close_enough); i++)
		continue;
	finish(c);
}

/* One operation's cell that moved furthest, and how far in ln. */
static size_t
furthest(const struct cells *c, double *by)
{
	size_t at = c->n;
	*by = 0;
	for (size_t i = 0; i < c->n; i++) {
		double moved = fabs(log(c->us[i] / c->measured_us[i]));
		if (moved > *by) {
			*by = moved;
			at = i;
		}
	}
	return at;
}

void
cells_finding(const struct disk_model *m, struct findings *out)
{
	struct cells c;
	for (int op = 0; op < PROFILE_OP_COUNT; op++) {
		double by;
		cells_collect(m, op, (double)NAN, &c);
		size_t i = furthest(&c, &by);
		if (i >= c.n || !(by > log(1 + told)))
			continue;
		char size[32], was[32], is[32];
		units_size_text(c.bs_b[i], size);
		units_latency_text(c.measured_us[i], was);
		units_latency_text(c.us[i], is);
		findings_add(out, SEVERITY_NOTE, "levelled",
			"measure these sizes and depths again, longer and with nothing else on the "
			"disk",
			"%s: %s at QD%g took %s, which contradicts its neighbours (with more "
			"outstanding neither latency nor throughput falls, and larger I/O takes no "
			"less time): predictions take %s",
			names_text(&profile_op_names, op), size, c.qd[i], was, is);
	}
}
