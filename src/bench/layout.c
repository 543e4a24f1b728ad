/*
 * layout.c - write the file for real: an area of which every block was written with random data,
 * since reads of holes or of reserved but unwritten blocks never reach the disk.
 */
#include <string.h>

#include "bench/state.h"

static int
enough_space(void *ctx, struct err *err)
{
	const struct bench *b = ctx;
	return target_check_space(&b->target, err);
}

/* Write on from the end of the area, up to `to_b`, for at most `seconds`. */
static int
write_on(struct bench *b, int64_t to_b, double seconds, struct err *err)
{
	unsigned depth = b->engine->depth_max < PLAN_LAYOUT_QD ? b->engine->depth_max
							       : PLAN_LAYOUT_QD;
	struct load_config c = {.read_frac = 0,
		.bs_b = PLAN_LAYOUT_B,
		.qd = depth,
		.sequential = true,
		.from_b = b->area_b,
		.end_b = to_b,
		.window_s = seconds,
		.max_b = state_write_left_b(b),
		.check = enough_space,
		.ctx = b};
	int resumed = state_resumed(b);
	struct load_result r;
	struct slice s = {.lat = state_hist(b)};
	if (!s.lat)
		return err_nomem(err);
	struct hist *const lat[2] = {[ENGINE_WRITE] = s.lat};
	int rc = load_run(&b->load, &c, lat, &r, err);
	b->written_b += r.all_b;
	if (rc)
		return rc;
	b->area_b += (int64_t)r.all_b; /* drained: everything up to here is written */
	s.window_s = (double)r.window_ns / 1e9;
	s.rate = s.window_s > 0 ? (double)r.ios[ENGINE_WRITE] / s.window_s : 0;
	b->layout.qd = depth;
	if (r.ios[ENGINE_WRITE] > 0 && b->layout.n == 0 && state_resumed(b) == resumed &&
		!state_add_slice(b, &b->layout, &s))
		return err_nomem(err);
	return 0;
}

int
layout_run(struct bench *b, struct err *err)
{
	int64_t size_b = (int64_t)b->preview.file_b;
	/* a size that was asked for may take longer than one that was not */
	double seconds = b->c.size_b ? b->plan.layout_most_s : b->plan.layout_s;
	int64_t start_ns = load_now_ns(&b->load);
	state_progress(b, "writing the file");
	int rc = write_on(b, size_b, seconds, err);
	double left_s = b->plan.layout_most_s - (double)(load_now_ns(&b->load) - start_ns) / 1e9;
	if (rc == 0 && b->area_b < (int64_t)BENCH_FILE_MIN_B && left_s > 0)
		rc = write_on(b, (int64_t)BENCH_FILE_MIN_B, left_s, err);
	if (rc == 0) {
		int synced = b->engine->sync(b->run.state);
		rc = synced ? err_sys(err, -synced, "syncing the file") : 0;
	}
	if (rc == 0 && b->c.size_b && b->area_b < size_b)
		findings_add(&b->findings, SEVERITY_WARNING, "small-area",
			"give more --time or a smaller --size",
			"%.0f of the %.0f MiB asked for were written in the time for it; the "
			"measurement is about that area",
			(double)b->area_b / 1048576, (double)size_b / 1048576);
	return rc;
}
