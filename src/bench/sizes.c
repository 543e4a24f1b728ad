/*
 * sizes.c - block sizes from 512 B to 32 MiB at depth 1, some at the knee, and sequential reads and
 * writes at depths 1 and 8.
 */
#include <math.h>

#include "bench/phase.h"

enum {
	FOUR_BLOCKS_B = (size_t)4 * PLAN_BLOCK_B,
	WIDE_B = 128 << 10,
	LARGE_B = 1 << 20,
	SEQUENTIAL_QD = 8,
	SPARE_BLOCKS = 4
};

/* Below it is what growing a file costs anywhere, and the start of the first write. */
static const double FIRST_TOUCH_MIN = 1.25;

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "sizes");
}

static bool
measured_already(const struct disk *d, size_t bs_b, unsigned qd, bool read)
{
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group == CELL_LADDER && c->bs_b == bs_b && c->qd == qd &&
			(c->read_frac >= 1) == read)
			return true;
	}
	return false;
}

/* Two cells, reads and writes; left out where the ladder has them or the disk cannot. */
static int
add(struct disk *d, size_t bs_b, const unsigned qd[2], bool sequential, int rank, struct err *err)
{
	for (int op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
		unsigned depth = qd[op] < d->engine->depth_max ? qd[op] : d->engine->depth_max;
		while (depth > 1 && (size_t)depth * bs_b > LOAD_BUFFER_B)
			depth /= 2;
		if (!sequential && measured_already(d, bs_b, depth, op == ENGINE_READ))
			continue;
		struct cell *c = disk_cell(d, CELL_SIZES, rank);
		if (!c)
			return err_nomem(err);
		c->read_frac = op == ENGINE_READ;
		c->bs_b = bs_b;
		c->qd = depth;
		c->sequential = sequential;
		if (d->target.dio_offset_b > bs_b || d->target.logical_b > bs_b)
			c->refused = "smaller than what direct I/O needs here";
		else if ((int64_t)((size_t)SPARE_BLOCKS * depth * bs_b) > d->area_b)
			c->refused = "the area is too small";
	}
	return 0;
}

static void
say_refused(struct disk *d)
{
	size_t smallest = 0, n = 0;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group != CELL_SIZES || !c->refused || c->read_frac < 1)
			continue;
		n++;
		smallest = c->bs_b > smallest && c->bs_b < PLAN_BLOCK_B ? c->bs_b : smallest;
	}
	if (smallest)
		findings_add(&d->findings, SEVERITY_NOTE, "size-refused", NULL,
			"blocks of %zu bytes and less were left out: direct I/O needs %u bytes "
			"here",
			smallest,
			d->target.dio_offset_b > d->target.logical_b ? d->target.dio_offset_b
								     : d->target.logical_b);
	else if (n)
		findings_add(&d->findings, SEVERITY_NOTE, "size-refused", "give more --time",
			"%zu block sizes were left out: the area of %.0f MiB is too small for them",
			n, (double)d->area_b / 1048576);
}

static int
begin(struct disk *d, struct err *err)
{
	static const unsigned one[2] = {1, 1}, eight[2] = {SEQUENTIAL_QD, SEQUENTIAL_QD};
	double iops;
	unsigned knee[2] = {disk_knee(d, ENGINE_READ, &iops), disk_knee(d, ENGINE_WRITE, &iops)};
	int rc = 0;
	/* when time is short: first the sizes databases use, and every fourth of the others */
	for (size_t i = 0; i < PLAN_SIZES && rc == 0; i++) {
		size_t bs_b = plan_sizes_b[i];
		bool common = bs_b == 8 << 10 || bs_b == 16 << 10 || bs_b == 64 << 10 ||
			      bs_b == WIDE_B || bs_b == LARGE_B;
		rc = add(d, bs_b, one, false, common ? 1 : i % 2 ? 3 : 4, err);
	}
	/*
	 * Four times the ladder's block tells a cap of requests from the device; at twice the depth,
	 * since the knee may turn out deeper when the ladder was measured again.
	 */
	const unsigned twice[2] = {2 * knee[ENGINE_READ], 2 * knee[ENGINE_WRITE]};
	rc = rc ? rc : add(d, (size_t)4 * PLAN_BLOCK_B, twice, false, 1, err);
	for (int large = 0; large < 2 && rc == 0; large++) {
		size_t bs_b = large ? LARGE_B : WIDE_B;
		rc = add(d, bs_b, knee, false, 2, err);
		rc = rc ? rc : add(d, bs_b, one, true, 2, err);
		rc = rc ? rc : add(d, bs_b, eight, true, 1, err);
	}
	say_refused(d);
	return rc;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	return schedule_step(d, CELL_SIZES, more, err);
}

static const struct cell *
sequential_writes(const struct disk *d, enum cell_group group, const struct cell *like)
{
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		bool same = !like || (c->sequential && c->bs_b == like->bs_b && c->qd == like->qd);
		if (c->group == group && c->n > 0 && c->read_frac <= 0 && same)
			return c;
	}
	return NULL;
}

/* What the first write of a block costs, beside writing it over at the same size and depth. */
static int
end(struct disk *d, struct err *err)
{
	(void)err;
	const struct cell *first = sequential_writes(d, CELL_LAYOUT, NULL);
	const struct cell *over = first ? sequential_writes(d, CELL_SIZES, first) : NULL;
	if (!first || !over)
		return 0;
	double ratio = cell_rate(over) / cell_rate(first);
	if (!(ratio >= FIRST_TOUCH_MIN))
		return 0;
	double mib = (double)first->bs_b / 1048576;
	findings_add(&d->findings, SEVERITY_NOTE, "first-touch",
		"write new files once over before they go live; preallocated and recycled ones "
		"count as new until then",
		"a new file is written at %.0f MiB/s, the same blocks are written over at %.0f: "
		"the first write takes %.1f times as long",
		mib * cell_rate(first), mib * cell_rate(over), ratio);
	return 0;
}

const struct phase phase_sizes = {
	.title = "block sizes",
	.time_s = 30,
	.write_share = 3,
	.wanted = wanted,
	.begin = begin,
	.step = step,
	.end = end,
};
