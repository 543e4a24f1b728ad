/*
 * ladder.c - 4 KiB random reads and writes at growing depth, in two passes with other things
 * between them, so that what changes in minutes shows as width of the interval.
 */
#include <math.h>

#include "bench/phase.h"

enum { SECOND_PASS = 2 }; /* slices of each cell in it, at least */

static const double KNEE_FRAC = 0.97;
static const double SPINDLE_IOPS = 400;
static const double GAIN = 1.03, SLOWER = 2; /* two doublings that add less, and cost more */

static bool
wanted(const struct disk *d)
{
	return select_ladder(d->select);
}

static int
begin(struct disk *d, struct err *err)
{
	unsigned left_out = 0, asked = 0;
	for (size_t i = 0; i < PLAN_DEPTHS; i++) {
		unsigned qd = plan_depths[i];
		bool fits = (int64_t)qd * PLAN_AREA_PER_QD * PLAN_BLOCK_B <= d->area_b;
		for (int op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
			if (!d->select->depth[op][i])
				continue;
			asked++;
			left_out += !fits;
			if (qd > d->engine->depth_max || !fits)
				continue;
			struct cell *c = disk_cell(d, CELL_LADDER, qd == 1 ? 0 : qd == 32 ? 1 : 2);
			if (!c)
				return err_nomem(err);
			c->read_frac = op == ENGINE_READ;
			c->bs_b = PLAN_BLOCK_B;
			c->qd = qd;
		}
	}
	if (left_out)
		findings_add(&d->findings, left_out == asked ? SEVERITY_WARNING : SEVERITY_NOTE,
			"small-area", "give more --time",
			"%u depths were left out: only %.0f MiB were written, and %d blocks for "
			"each request in flight are the least",
			left_out, (double)d->area_b / 1048576, PLAN_AREA_PER_QD);
	if (left_out == asked)
		return err_set(err, ERR_INCONCLUSIVE,
			"nothing that was asked for can be measured: %.0f MiB could be written in "
			"the time",
			(double)d->area_b / 1048576);
	return 0;
}

static const struct cell *
cell_at(const struct disk *d, enum engine_op op, unsigned qd)
{
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		bool read = c->read_frac >= 1;
		if (c->group == CELL_LADDER && c->qd == qd && read == (op == ENGINE_READ) && c->n)
			return c;
	}
	return NULL;
}

static double
upper_rate(const struct cell *c)
{
	double half = cell_half_width(c);
	return cell_rate(c) * (1 + (isnan(half) ? 0 : half));
}

static double
mean_ns(const struct cell *c, enum engine_op op)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < c->n; i++) {
		sum += c->slices[i].lat[op]->sum_ns;
		n += (double)c->slices[i].lat[op]->n;
	}
	return n > 0 ? sum / n : (double)NAN;
}

/*
 * From there on depth only makes the queue longer: two doublings in a row added under 3 % even at
 * the upper end of the interval, and the latency doubled.  Two slices of each deeper cell are enough.
 */
static void
close_deep(struct disk *d, enum engine_op op)
{
	for (size_t i = 0; i + 2 < PLAN_DEPTHS; i++) {
		const struct cell *a = cell_at(d, op, plan_depths[i]);
		const struct cell *b = cell_at(d, op, plan_depths[i + 2]);
		if (!a || !b || a->n < 2 || b->n < 2 || upper_rate(b) > GAIN * cell_rate(a) ||
			mean_ns(b, op) < SLOWER * mean_ns(a, op))
			continue;
		for (size_t k = 0; k < d->n_cells; k++) {
			struct cell *c = &d->cells[k];
			if (c->group == CELL_LADDER && (c->read_frac >= 1) == (op == ENGINE_READ) &&
				c->qd > plan_depths[i + 2] && c->n > 1)
				c->closed = true;
		}
		return;
	}
}

/* A spindle, by its own word and by its speed (virtual disks often call themselves rotational). */
static void
spare_spindle(struct disk *d)
{
	const struct cell *one = cell_at(d, ENGINE_READ, 1);
	if (d->target.rotational <= 0 || !one || cell_rate(one) > SPINDLE_IOPS)
		return;
	for (size_t i = 0; i < d->n_cells; i++) {
		struct cell *c = &d->cells[i];
		if (c->group == CELL_LADDER && c->qd > PLAN_ROTATIONAL_QD && c->n == 0)
			c->refused = "a spindle is asked no deeper";
	}
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	spare_spindle(d);
	close_deep(d, ENGINE_READ);
	close_deep(d, ENGINE_WRITE);
	return schedule_step(d, CELL_LADDER, more, err);
}

static int
end(struct disk *d, struct err *err)
{
	(void)err;
	evidence_look(&d->evidence, &d->target, (uint64_t)d->area_b);
	return 0;
}

static int
begin_again(struct disk *d, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < d->n_cells; i++) {
		if (d->cells[i].group == CELL_LADDER)
			d->cells[i].least = d->cells[i].n + SECOND_PASS;
	}
	return 0;
}

unsigned
disk_knee(const struct disk *d, enum engine_op op, double *iops)
{
	double top = NAN;
	unsigned knee = PLAN_LAYOUT_QD < d->engine->depth_max ? PLAN_LAYOUT_QD
							      : d->engine->depth_max;
	for (size_t i = 0; i < PLAN_DEPTHS; i++) {
		const struct cell *c = cell_at(d, op, plan_depths[i]);
		top = c ? fmax(top, cell_rate(c)) : top;
	}
	*iops = top;
	for (size_t i = 0; i < PLAN_DEPTHS; i++) {
		const struct cell *c = cell_at(d, op, plan_depths[i]);
		if (c && cell_rate(c) >= KNEE_FRAC * top)
			return plan_depths[i];
	}
	return knee;
}

const struct phase phase_ladder = {
	.title = "random reads and writes",
	.time_s = 32,
	.write_share = 2,
	.wanted = wanted,
	.begin = begin,
	.step = step,
	.end = end,
};

const struct phase phase_ladder_again = {
	.title = "random reads and writes again",
	.time_s = 28,
	.write_share = 2,
	.wanted = wanted,
	.begin = begin_again,
	.step = step,
};
