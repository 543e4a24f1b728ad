/*
 * compress.c - whether the disk compresses: zeros written beside random data, in turns, in a small
 * part of the area that is filled with random data again afterwards.
 */
#include <math.h>

#include "bench/pair.h"
#include "bench/phase.h"

enum { BLOCK_B = 128 << 10, QD = 8, MOST_B = 16 << 20, LEAST_SLICES = 4 };

static const double RESTORE_S = 60; /* at most */

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
		else if (disk_write_left_b(d) < (uint64_t)4 * MOST_B)
			c->refused = "the write budget is used up";
	}
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	return schedule_step(d, CELL_COMPRESS, more, err);
}

/* No zeros stay for what comes later, whatever it costs (one small stretch); nothing comes when the
 * time is over. */
static int
end(struct disk *d, struct err *err)
{
	struct load_result r;
	int rc = 0;
	for (size_t i = 0; i < d->n_cells && rc == 0; i++) {
		const struct cell *cell = &d->cells[i];
		double left_s = disk_left_s(d);
		if (cell->group != CELL_COMPRESS || !cell->zeros || cell->n == 0 || left_s <= 0)
			continue;
		struct load_config c = {.read_frac = 0,
			.bs_b = BLOCK_B,
			.qd = cell->qd,
			.sequential = true,
			.end_b = cell->within_b - cell->within_b % BLOCK_B,
			.window_s = RESTORE_S,
			.max_b = disk_write_left_b(d),
			.until_ns = load_now_ns(&d->load) + (int64_t)(left_s * 1e9)};
		hist_init(d->scratch[ENGINE_WRITE]);
		rc = load_run(&d->load, &c, d->scratch, &r, err);
		d->written_b += r.written_b;
	}
	return rc;
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

static struct pair_slices
rates_of(const struct disk *d, const struct cell *c)
{
	double *v = arena_array(d->arena, c->n, sizeof(*v));
	for (size_t i = 0; v && i < c->n; i++)
		v[i] = c->slices[i].rate;
	return (struct pair_slices){v, v ? c->n : 0};
}

double
disk_compress_gain(const struct disk *d, double *least)
{
	const struct cell *data = find(d, false), *zeros = find(d, true);
	struct stats_range gain = {NAN, NAN, NAN};
	*least = NAN;
	if (!data || !zeros || data->n < LEAST_SLICES || zeros->n < LEAST_SLICES ||
		pair_ratio(rates_of(d, data), rates_of(d, zeros), false, d->c->seed, &gain, NULL))
		return NAN;
	*least = gain.lo;
	return gain.value;
}

const struct phase phase_compress = {
	.title = "zeros beside random data",
	.time_s = 3,
	.write_share = 0.5,
	.wanted = wanted,
	.begin = begin,
	.step = step,
	.end = end,
};
