/*
 * mix.c - reads and writes together: 70/30 at depths 1, 8 and the knee, 50/50 at the knee.
 */
#include "bench/phase.h"

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "mix");
}

static int
add(struct disk *d, double read_frac, unsigned qd, int rank, struct err *err)
{
	unsigned depth = qd < d->engine->depth_max ? qd : d->engine->depth_max;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group == CELL_MIX && c->qd == depth && c->read_frac >= read_frac &&
			c->read_frac <= read_frac)
			return 0;
	}
	if ((int64_t)depth * PLAN_AREA_PER_QD * PLAN_BLOCK_B > d->area_b)
		return 0;
	struct cell *c = disk_cell(d, CELL_MIX, rank);
	if (!c)
		return err_nomem(err);
	c->read_frac = read_frac;
	c->bs_b = PLAN_BLOCK_B;
	c->qd = depth;
	return 0;
}

static int
begin(struct disk *d, struct err *err)
{
	double iops;
	unsigned reads = disk_knee(d, ENGINE_READ, &iops),
		 writes = disk_knee(d, ENGINE_WRITE, &iops);
	unsigned knee = reads > writes ? reads : writes;
	int rc = add(d, 0.7, 8, 1, err);
	rc = rc ? rc : add(d, 0.7, knee, 1, err);
	rc = rc ? rc : add(d, 0.7, 1, 2, err);
	return rc ? rc : add(d, 0.5, knee, 2, err);
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	return schedule_step(d, CELL_MIX, more, err);
}

const struct phase phase_mix = {
	.title = "reads and writes together",
	.time_s = 12,
	.write_share = 1,
	.wanted = wanted,
	.begin = begin,
	.step = step,
};
