/*
 * layout.c - write the file for real: an area of which every block was written with random data,
 * since reads of holes or of reserved but unwritten blocks never reach the disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench/phase.h"
#include "bench/steady.h"

static const double MOST_FRAC = 0.4; /* of the time, to reach the least area */

static int
enough_space(void *ctx, struct err *err)
{
	const struct disk *d = ctx;
	return target_check_growth(&d->target, err);
}

/* The course of it, and whether it was steady. */
static int
keep_series(struct disk *d, const struct cell *c, const struct load_series *s, struct err *err)
{
	struct steady judged;
	struct steady_about about = {
		.op = PROFILE_OP_WRITE, .bs_b = (double)c->bs_b, .qd = c->qd, .first_write = true};
	struct profile_series *p = arena_alloc(d->arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	int rc = steady_series(s, &about, d->arena, p, &judged, err);
	if (rc)
		return rc;
	d->first_write = p;
	bool plain_noise = judged.verdict == STEADY_NOISY && !judged.alternates &&
			   judged.changes == 0 && isnan(judged.hung_s);
	if (judged.verdict != STEADY_TOO_SHORT && !plain_noise) /* nothing to plan by */
		steady_say(
			&d->findings, "first-write", "writing the file", &judged, &about, p->why);
	return 0;
}

/* Write on from the end of the area, up to `to_b`, for at most `seconds`. */
static int
write_on(struct disk *d, struct cell *cell, int64_t to_b, double seconds, struct err *err)
{
	struct load_series series = {
		.bucket_s = STEADY_BUCKET_S, .n_max = (size_t)(seconds / STEADY_BUCKET_S)};
	struct load_config c = {.read_frac = 0,
		.bs_b = cell->bs_b,
		.qd = cell->qd,
		.sequential = true,
		.from_b = d->area_b,
		.end_b = to_b,
		.window_s = seconds,
		.max_b = disk_write_left_b(d),
		/* not a request more than that time has room for */
		.until_ns = load_now_ns(&d->load) + (int64_t)(seconds * 1e9),
		.series = &series,
		.check = enough_space,
		.ctx = d};
	int resumed = disk_resumed(d);
	struct load_result r;
	struct slice s = {0};
	series.ios = arena_array(d->arena, series.n_max + 1, sizeof(*series.ios));
	if (!series.ios)
		return err_nomem(err);
	for (int op = 0; op < 2; op++)
		hist_init(d->scratch[op]);
	int rc = load_run(&d->load, &c, d->scratch, &r, err);
	d->written_b += r.written_b;
	if (rc)
		return rc;
	d->area_b += (int64_t)r.written_b; /* drained: everything up to here is written */
	d->end_b = d->area_b;
	s.window_s = (double)r.window_ns / 1e9;
	s.rate = s.window_s > 0 ? (double)r.ios[ENGINE_WRITE] / s.window_s : 0;
	s.rates[ENGINE_WRITE] = s.rate;
	for (int op = 0; op < 2; op++) {
		s.lat[op] = hist_pack(d->scratch[op], d->arena);
		if (!s.lat[op])
			return err_nomem(err);
	}
	if (r.ios[ENGINE_WRITE] == 0 || cell->n > 0 || disk_resumed(d) != resumed)
		return 0;
	if (!cell_add(cell, d->arena, &s))
		return err_nomem(err);
	return keep_series(d, cell, &series, err);
}

/* A file that only looks as if it had been written. */
static int
pretend(struct disk *d, struct err *err)
{
	int64_t size_b = (int64_t)d->preview.file_b;
	int rc = d->c->layout == BENCH_LAYOUT_SPARSE ? ftruncate(d->target.fd, size_b)
						     : posix_fallocate(d->target.fd, 0, size_b);
	if (rc)
		return err_sys(err, rc < 0 ? errno : rc, "reserving the file");
	d->area_b = d->end_b = size_b;
	return 0;
}

static int
layout(struct disk *d, struct err *err)
{
	struct cell *cell = disk_cell(d, CELL_LAYOUT, 0);
	int64_t size_b = (int64_t)d->preview.file_b;
	double most_s = d->c->time_s * MOST_FRAC;
	if (!cell)
		return err_nomem(err);
	cell->bs_b = PLAN_LAYOUT_B;
	cell->qd = d->engine->depth_max < PLAN_LAYOUT_QD ? d->engine->depth_max : PLAN_LAYOUT_QD;
	/* a size that was asked for may take longer than one that was not */
	int rc = write_on(d, cell, size_b, d->c->size_b ? most_s : d->phase_s, err);
	double left_s = most_s - disk_used_s(d);
	if (rc == 0 && d->area_b < (int64_t)BENCH_FILE_MIN_B && left_s > 0)
		rc = write_on(d, cell, (int64_t)BENCH_FILE_MIN_B, left_s, err);
	if (rc == 0) {
		int synced = d->engine->sync(d->run.state);
		rc = synced ? err_sys(err, -synced, "syncing the file") : 0;
	}
	if (rc == 0 && d->c->size_b && d->area_b < size_b)
		findings_add(&d->findings, SEVERITY_WARNING, "small-area",
			"give more --time or a smaller --size",
			"%.0f of the %.0f MiB asked for were written in the time for it; the "
			"measurement is about that area",
			(double)d->area_b / 1048576, (double)size_b / 1048576);
	return rc;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	*more = false;
	if (d->c->layout != BENCH_LAYOUT_WRITTEN && d->target.fd >= 0)
		return pretend(d, err);
	return layout(d, err);
}

static int
end(struct disk *d, struct err *err)
{
	(void)err;
	evidence_laid_out(&d->evidence, &d->target, (uint64_t)d->area_b);
	return 0;
}

const struct phase phase_layout = {
	.title = "writing the file",
	.time_s = 20,
	.write_share = 8,
	.alone = true,
	.step = step,
	.end = end,
};
