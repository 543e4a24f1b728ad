/*
 * compress.c - whether the disk compresses: zeros written beside random data, in turns.  It comes
 * last and keeps to a small part of the area, which holds zeros afterwards.
 */
#include <math.h>

#include "bench/phase.h"
#include "bench/stats.h"

enum { BLOCK_B = 128 << 10, QD = 8, MOST_B = 64 << 20, LEAST_SLICES = 3 };

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "compress");
}

static int
begin(struct disk *d, struct err *err)
{
	for (int zeros = 0; zeros < 2; zeros++) {
		struct cell *c = disk_cell(d, CELL_COMPRESS, 0);
		if (!c)
			return err_nomem(err);
		c->bs_b = BLOCK_B;
		c->qd = QD < d->engine->depth_max ? QD : d->engine->depth_max;
		c->zeros = zeros;
		c->within_b = MOST_B < d->area_b ? MOST_B : d->area_b;
		c->least = LEAST_SLICES;
		if ((int64_t)2 * BLOCK_B * c->qd > c->within_b)
			c->refused = "the area is too small";
	}
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	return schedule_step(d, CELL_COMPRESS, more, err);
}

static const struct cell *
find(const struct disk *d, bool zeros)
{
	for (size_t i = 0; i < d->n_cells; i++) {
		if (d->cells[i].group == CELL_COMPRESS && d->cells[i].zeros == zeros)
			return &d->cells[i];
	}
	return NULL;
}

static double
slowest(const struct cell *c)
{
	double rate = INFINITY;
	for (size_t i = 0; i < c->n; i++)
		rate = fmin(rate, c->slices[i].rate);
	return rate;
}

static double
fastest(const struct cell *c)
{
	double rate = 0;
	for (size_t i = 0; i < c->n; i++)
		rate = fmax(rate, c->slices[i].rate);
	return rate;
}

double
disk_compress_gain(const struct disk *d, double *least)
{
	const struct cell *data = find(d, false), *zeros = find(d, true);
	*least = NAN;
	if (!data || !zeros || data->n == 0 || zeros->n == 0)
		return NAN;
	*least = slowest(zeros) / fastest(data);
	return cell_rate(zeros) / cell_rate(data);
}

const struct phase phase_compress = {
	.title = "zeros beside random data",
	.time_s = 3,
	.write_share = 0.5,
	.wanted = wanted,
	.begin = begin,
	.step = step,
};
