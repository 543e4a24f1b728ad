/*
 * wal.c - what a commit waits for: write 8 KiB, then fdatasync, one writer, the two parts timed
 * apart.  Two kinds: "append" grows the file, so each sync also commits the new size (a log that is
 * not recycled); "overwrite" goes round a part that is there already (databases that recycle or
 * preallocate their log).  Other sizes, O_DSYNC and several writers are not measured yet.
 *
 * The device's own count of I/O is no check here: the filesystem's journal writes with every sync.
 */
#include <math.h>
#include <unistd.h>

#include "bench/state.h"

struct log {
	struct bench *b;
	enum profile_pattern pattern;
	int64_t offset_b;
	struct slice slice;
	uint64_t syncs;
};

/* One commit; counted from the first slice on. */
static int
commit(struct log *g, struct err *err)
{
	struct bench *b = g->b;
	struct load *l = &b->load;
	payload_refresh(&l->payload, l->buffer, PLAN_WAL_B, g->offset_b);
	int64_t start_ns = load_now_ns(l);
	int rc = load_one(l, ENGINE_WRITE, g->offset_b, PLAN_WAL_B, err);
	int64_t written_ns = load_now_ns(l);
	if (rc)
		return rc;
	b->written_b += PLAN_WAL_B;
	g->offset_b += PLAN_WAL_B;
	if (g->pattern == PROFILE_OVERWRITE && g->offset_b + PLAN_WAL_B > b->area_b)
		g->offset_b = 0;
	int synced = b->engine->sync(b->run.state);
	int64_t end_ns = load_now_ns(l);
	if (synced)
		return err_sys(err, -synced, "fdatasync of the log");
	hist_add(g->slice.lat, end_ns - start_ns);
	hist_add(g->slice.write, written_ns - start_ns);
	hist_add(g->slice.sync, end_ns - written_ns);
	g->syncs++;
	return 0;
}

/* Give the log's space back when half of it is used, outside any slice. */
static int
recycle(struct log *g, struct err *err)
{
	struct bench *b = g->b;
	if (g->pattern == PROFILE_OVERWRITE ||
		(uint64_t)(g->offset_b - b->area_b) <= b->wal_room_b / 2)
		return 0;
	if (b->target.fd >= 0 && ftruncate(b->target.fd, b->area_b) != 0)
		return err_set(err, ERR_IO, "cutting the log back failed");
	g->offset_b = b->area_b;
	return 0;
}

static bool
has_room(const struct log *g)
{
	const struct bench *b = g->b;
	if (state_write_left_b(b) < PLAN_WAL_B)
		return false;
	return g->pattern == PROFILE_OVERWRITE ||
	       (uint64_t)(g->offset_b - b->area_b) + PLAN_WAL_B <= b->wal_room_b;
}

static int
measure(struct log *g, struct err *err)
{
	struct bench *b = g->b;
	struct watch w = {
		.device = b->target.has_device ? b->target.chain.disk : NULL, .run = &b->run};
	g->slice = (struct slice){
		.lat = state_hist(b), .write = state_hist(b), .sync = state_hist(b)};
	if (!g->slice.lat || !g->slice.write || !g->slice.sync)
		return err_nomem(err);
	g->syncs = 0;
	int resumed = state_resumed(b), rc = target_check_space(&b->target, err);
	watch_begin(&w);
	int64_t start_ns = load_now_ns(&b->load), now = start_ns;
	while (rc == 0 && (double)(now - start_ns) < b->plan.slice_s * 1e9 && has_room(g)) {
		if (load_stopped(&b->load))
			rc = err_set(err, ERR_INTERRUPTED, "interrupted");
		else
			rc = commit(g, err);
		now = load_now_ns(&b->load);
	}
	struct watch_result r = watch_end(&w, g->syncs, g->syncs * PLAN_WAL_B);
	bool suspended = state_resumed(b) != resumed;
	b->suspended += suspended;
	if (rc || g->syncs == 0 || now <= start_ns || suspended)
		return rc;
	if (!isnan(r.flushes)) {
		b->wal_flushes[g->pattern] += r.flushes;
		b->wal_syncs[g->pattern] += (double)g->syncs;
	}
	g->slice.window_s = (double)(now - start_ns) / 1e9;
	g->slice.rate = (double)g->syncs / g->slice.window_s;
	return state_add_slice(b, &b->wal[g->pattern], &g->slice) ? 0 : err_nomem(err);
}

int
wal_run(struct bench *b, enum profile_pattern pattern, int64_t end_ns, struct err *err)
{
	static const char *const phase[] = {
		[PROFILE_APPEND] = "append and sync", [PROFILE_OVERWRITE] = "overwrite and sync"};
	struct log g = {
		.b = b, .pattern = pattern, .offset_b = pattern == PROFILE_APPEND ? b->area_b : 0};
	struct cell *cell = &b->wal[pattern];
	*cell = (struct cell){.op = ENGINE_WRITE, .bs_b = PLAN_WAL_B, .qd = 1};
	if (load_now_ns(&b->load) >= b->end_ns) {
		b->late_logs++;
		b->late_slices++;
		return 0;
	}
	/* the first commits allocate and journal more than the rest: not counted, unless a commit
	 * takes so long that there is no time for others */
	int rc = measure(&g, err);
	bool time_left = load_now_ns(&b->load) < end_ns;
	if (time_left) {
		cell->slices = NULL;
		cell->n = 0;
		b->wal_flushes[pattern] = b->wal_syncs[pattern] = 0;
	}
	while (rc == 0 && time_left && state_write_left_b(b) >= PLAN_WAL_B) {
		state_progress(b, phase[pattern]);
		rc = recycle(&g, err);
		if (rc == 0)
			rc = measure(&g, err);
		if (load_now_ns(&b->load) >= end_ns)
			break;
	}
	if (rc == 0 && state_write_left_b(b) < PLAN_WAL_B)
		b->cut_slices++;
	return rc;
}

bool
state_logged(const struct bench *b)
{
	for (int pattern = 0; pattern < PROFILE_PATTERN_COUNT; pattern++) {
		if (b->wal[pattern].n)
			return true;
	}
	return false;
}
