/*
 * ladder.c - 4 KiB random reads and writes at every depth: rounds over all cells in random order,
 * one short slice a cell, so that a slow change of the disk or a neighbour falls on all alike.
 *
 * A slice in which others did more than a tenth of the load on the device is measured again, twice
 * at most and within a time limit; the least disturbed attempt is kept.
 */
#include <math.h>
#include <string.h>

#include "bench/state.h"

enum { ATTEMPTS = 3, LEAST_IOS = 16, LEAST_PER_QD = 16 };

static const double FOREIGN_MAX = 0.10;

void
ladder_init(struct bench *b)
{
	b->n_cells = 0;
	unsigned left_out = 0;
	for (size_t i = 0; i < PLAN_DEPTHS; i++) {
		unsigned qd = plan_depths[i];
		bool fits = (int64_t)qd * PLAN_AREA_PER_QD * PLAN_BLOCK_B <= b->area_b;
		for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
			if (!b->select.depth[op][i] || qd > b->engine->depth_max)
				continue;
			left_out += !fits;
			if (fits)
				b->cells[b->n_cells++] = (struct cell){
					.op = op, .bs_b = PLAN_BLOCK_B, .qd = qd};
		}
	}
	if (left_out)
		findings_add(&b->findings, SEVERITY_WARNING, "small-area", "give more --time",
			"%u cells were left out: only %.0f MiB were written, and %d blocks for "
			"each request in flight are the least",
			left_out, (double)b->area_b / 1048576, PLAN_AREA_PER_QD);
}

/*
 * What a write slice may use: an even share of the budget over the write slices still to come, an
 * eighth kept back for the log, but not less than shows something at that depth (rather a few good
 * slices than many empty ones).  0: the budget is used up.
 */
static uint64_t
write_share_b(const struct bench *b, const struct cell *c)
{
	double left_s = (double)(b->end_ns - load_now_ns(&b->load)) / 1e9;
	double slices = fmax(1, ceil(left_s / (b->plan.slice_s + b->plan.ramp_s) / 2));
	uint64_t all = state_write_left_b(b), left = all - (state_logged(b) ? 0 : all / 8);
	uint64_t least = (uint64_t)(c->qd > 4 ? c->qd : 4) * LEAST_PER_QD * c->bs_b;
	uint64_t share = (uint64_t)((double)left / slices);
	if (share < least)
		share = least <= left ? least : 0;
	return share - share % c->bs_b;
}

static void
add_quality(struct bench *b, const struct cell *c, const struct watch_result *w,
	const struct load_result *r)
{
	struct quality_sum *q = &b->quality[c->op];
	if (!isnan(w->share.foreign_frac)) {
		q->foreign += w->share.foreign_frac;
		q->foreign_n++;
	}
	if (!isnan(w->share.device_ratio)) {
		q->own_b += (double)r->all_b;
		q->device_b += (double)r->all_b / w->share.device_ratio;
	}
	if (!isnan(w->steal_frac)) {
		q->steal += w->steal_frac;
		q->busy += w->busy_frac;
		q->ticks_n++;
	}
	if (!isnan(w->own_cpu_s)) {
		q->cpu_s += w->own_cpu_s;
		q->wall_s += w->wall_s;
		q->ios += (double)r->all_ios;
	}
}

struct attempt {
	struct slice slice;
	struct load_result load;
	struct watch_result watch;
	bool suspended; /* the process was stopped meanwhile */
};

static int
try_slice(struct bench *b, const struct cell *c, struct attempt *a, struct err *err)
{
	bool write = c->op == ENGINE_WRITE;
	struct load_config config = {.read_frac = write ? 0 : 1,
		.bs_b = c->bs_b,
		.qd = c->qd,
		.end_b = b->area_b,
		.ramp_s = b->plan.ramp_s,
		.window_s = b->plan.slice_s,
		.max_b = write ? write_share_b(b, c) : UINT64_MAX,
		.verify = !write && c->qd == 1,
		.until_ns = b->last_ns};
	int resumed = state_resumed(b);
	struct watch w = {
		.device = b->target.has_device ? b->target.chain.disk : NULL, .run = &b->run};
	*a = (struct attempt){.slice.lat = state_hist(b)};
	if (!a->slice.lat)
		return err_nomem(err);
	struct hist *const lat[2] = {a->slice.lat, a->slice.lat};
	watch_begin(&w);
	int rc = target_check_space(&b->target, err);
	if (rc == 0)
		rc = load_run(&b->load, &config, lat, &a->load, err);
	a->suspended = state_resumed(b) != resumed;
	b->suspended += a->suspended;
	b->late_slices += a->load.late;
	a->watch = watch_end(&w, a->load.all_ios, a->load.all_b);
	b->written_b += write ? a->load.all_b : 0;
	b->verified += a->load.verified;
	b->mismatched += a->load.mismatched;
	b->cut_slices += a->load.cut;
	a->slice.window_s = (double)a->load.window_ns / 1e9;
	if (a->slice.window_s > 0)
		a->slice.rate = (double)a->load.ios[c->op] / a->slice.window_s;
	return rc;
}

static int
keep(struct bench *b, struct cell *c, const struct attempt *a, struct err *err)
{
	uint64_t ios = a->load.ios[c->op];
	if ((ios < LEAST_IOS && a->load.cut) || (ios < c->qd && a->load.late))
		return 0; /* the budget or the time ended it before there was anything to see */
	if (a->suspended)
		return 0;
	if (!state_add_slice(b, c, &a->slice))
		return err_nomem(err);
	add_quality(b, c, &a->watch, &a->load);
	if (!isnan(a->load.submit_ns)) {
		c->submit_ns_sum += a->load.submit_ns;
		c->submit_n++;
	}
	if (a->watch.wall_s > 0)
		c->most_cpu_frac = fmax(c->most_cpu_frac, a->watch.own_cpu_s / a->watch.wall_s);
	return 0;
}

/* Undisturbed, whole, and with no more of others in it. */
static bool
better(const struct attempt *next, const struct attempt *best)
{
	if (next->suspended || next->load.late)
		return false;
	return best->suspended ||
	       !(next->watch.share.foreign_frac > best->watch.share.foreign_frac);
}

/* Cells without a slice first: should the time not do for all, each gets its first. */
static void
unmeasured_first(const struct bench *b, size_t *order)
{
	size_t n = 0, sorted[2 * PLAN_DEPTHS];
	for (int has = 0; has < 2; has++) {
		for (size_t i = 0; i < b->n_cells; i++) {
			if ((b->cells[order[i]].n > 0) == has)
				sorted[n++] = order[i];
		}
	}
	memcpy(order, sorted, n * sizeof(*order));
}

static int
measure(struct bench *b, struct cell *c, struct err *err)
{
	struct attempt best, next;
	if (c->op == ENGINE_WRITE && write_share_b(b, c) == 0) {
		b->cut_slices++;
		return 0;
	}
	int rc = try_slice(b, c, &best, err);
	for (int i = 1; i < ATTEMPTS && rc == 0; i++) {
		bool foreign = best.watch.share.foreign_frac > FOREIGN_MAX;
		if (!(foreign || best.suspended) || b->repeat_left_s <= 0 || best.load.late)
			break;
		b->repeat_left_s -= b->plan.slice_s + b->plan.ramp_s;
		b->repeated++;
		rc = try_slice(b, c, &next, err);
		if (rc == 0 && better(&next, &best))
			best = next;
	}
	return rc ? rc : keep(b, c, &best, err);
}

int
ladder_pass(struct bench *b, int64_t end_ns, int64_t last_ns, struct err *err)
{
	size_t order[2 * PLAN_DEPTHS];
	int64_t now = load_now_ns(&b->load), round_ns = 0;
	b->last_ns = last_ns;
	do {
		int64_t round_start = now;
		plan_shuffle(order, b->n_cells, &b->rng);
		unmeasured_first(b, order);
		for (size_t i = 0; i < b->n_cells; i++) {
			if (load_now_ns(&b->load) >= last_ns) {
				b->late_slices++;
				return 0;
			}
			state_progress(b, "random reads and writes");
			int rc = measure(b, &b->cells[order[i]], err);
			if (rc)
				return rc;
		}
		now = load_now_ns(&b->load);
		round_ns = now - round_start;
	} while (round_ns > 0 && now + round_ns <= end_ns);
	return 0;
}
