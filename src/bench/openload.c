/*
 * openload.c - reads that arrive by a schedule, at a quarter to nine tenths of what the ladder
 * reached: how the latency grows with load, as users make it, who do not wait for one another.
 */
#include <math.h>

#include "bench/phase.h"

static const struct row {
	double frac;
	int rank;
} rows[] = {{0.50, 1}, {0.75, 1}, {0.90, 2}, {0.25, 2}};

/* The lower end of the capacity's interval. */
static double
sure_iops(const struct disk *d)
{
	double top = NAN, iops, lo = NAN;
	unsigned knee = disk_knee(d, ENGINE_READ, &top);
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group != CELL_LADDER || c->read_frac < 1 || c->qd < knee || c->n == 0)
			continue;
		double half = cell_half_width(c);
		iops = cell_rate(c) * (1 - (isnan(half) ? 0 : fmin(half, 1)));
		lo = fmax(lo, iops);
	}
	return lo;
}

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "load") && d->engine->depth_max > 1;
}

static int
begin(struct disk *d, struct err *err)
{
	double iops = sure_iops(d);
	unsigned most = d->engine->depth_max;
	while (most > 1 && (int64_t)most * 2 * PLAN_BLOCK_B > d->area_b)
		most /= 2;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && iops > 0; i++) {
		struct cell *c = disk_cell(d, CELL_LOAD, rows[i].rank);
		if (!c)
			return err_nomem(err);
		c->read_frac = 1;
		c->bs_b = PLAN_BLOCK_B;
		c->qd = most;
		c->asked_iops = rows[i].frac * iops;
	}
	if (!(iops > 0))
		findings_add(&d->findings, SEVERITY_NOTE, "no-capacity",
			"select the ladder as well",
			"load by a schedule was left out: it needs the ladder's capacity");
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	return schedule_step(d, CELL_LOAD, more, err);
}

const struct phase phase_load = {

	.title = "reads by a schedule",
	.time_s = 20,
	.wanted = wanted,
	.begin = begin,
	.step = step,
};
