/*
 * slice.c - one slice of one cell: run it, look at what the machine did meanwhile, repeat it when
 * others disturbed it, keep it if it is sound.
 */
#include <math.h>
#include <unistd.h>

#include "bench/phase.h"

enum {
	ATTEMPTS = 3,
	LEAST_PER_QD = 32, /* a write slice cut by the budget still shows something at that depth */
	LEAST_IOS = 16,
	SIZE_SLICE_IOS = 3, /* of the largest blocks */
	LOG_ALIGN_B = 64 << 10, /* the largest block of a commit */
};

static const double FOREIGN_MAX = 0.10;

struct attempt {
	struct slice slice;
	struct load_result load;
	struct commit_result commit;
	struct watch_result watch;
	double slice_s;
	bool cut, late, suspended; /* the process was stopped meanwhile */
};

/* How many slices of cells like this one the phase may still hold. */
static double
slices_to_come(const struct disk *d, double slice_s)
{
	return fmax(1, ceil(disk_phase_left_s(d) / (slice_s + plan_ramp_s) / 2));
}

/*
 * What a slice that writes may use: an even share of the phase's bytes over the slices still to
 * come, but not less than shows something at that depth (rather a few good slices than many empty
 * ones).  0: the budget is used up.
 */
static uint64_t
write_share_b(const struct disk *d, const struct cell *c, double slice_s)
{
	uint64_t left = disk_phase_write_left_b(d);
	uint64_t depth = c->group == CELL_COMMIT ? c->writers : c->qd > 4 ? c->qd : 4;
	uint64_t least = c->bs_b >= PLAN_LAYOUT_B ? SIZE_SLICE_IOS * c->bs_b * c->qd
						  : depth * LEAST_PER_QD * c->bs_b;
	uint64_t share = (uint64_t)((double)left / slices_to_come(d, slice_s));
	if (share < least)
		share = least <= left ? least : 0;
	return share - share % c->bs_b;
}

static double
weight_of(const struct disk *d, enum cell_group group)
{
	double weight = 0;
	for (size_t i = 0; i < d->n_cells; i++) {
		if (d->cells[i].group == group && !d->cells[i].refused)
			weight += cell_weight(&d->cells[i]);
	}
	return weight;
}

static double
slice_length_s(const struct disk *d, const struct cell *c)
{
	double rate = c->n ? cell_rate(c) : (double)NAN;
	return plan_slice_s(d->phase_s, weight_of(d, c->group), rate);
}

static int
run_load(struct disk *d, const struct cell *c, uint64_t max_b, struct attempt *a, struct err *err)
{
	int64_t end_b = c->within_b ? c->within_b : d->area_b;
	struct load_config config = {.read_frac = c->read_frac,
		.bs_b = c->bs_b,
		.qd = c->qd,
		.sequential = c->sequential,
		.rate_iops = c->asked_iops,
		.end_b = end_b - end_b % (int64_t)c->bs_b,
		.zeros = c->zeros,
		.ramp_s = plan_ramp_s,
		.window_s = a->slice_s,
		.max_b = max_b,
		.verify = c->read_frac >= 1 && c->qd == 1,
		.until_ns = disk_phase_end_ns(d)};
	struct hist *lat[2] = {d->scratch[ENGINE_READ], d->scratch[ENGINE_WRITE]};
	int rc = load_run(&d->load, &config, lat, &a->load, err);
	const struct load_result *r = &a->load;
	d->written_b += r->written_b;
	d->verified += r->verified;
	d->mismatched += r->mismatched;
	a->cut = r->cut;
	a->late = r->late;
	a->slice.window_s = (double)r->window_ns / 1e9;
	for (int op = 0; op < 2 && a->slice.window_s > 0; op++)
		a->slice.rates[op] = (double)r->ios[op] / a->slice.window_s;
	for (int op = 0; op < 2; op++)
		a->slice.present_s[op] = r->present_ns[op] / 1e9;
	a->slice.rate = a->slice.rates[0] + a->slice.rates[1];
	return rc;
}

/* The next slice goes on where the log was, and at the beginning when little is left of the area. */
static void
advance_log(struct disk *d, uint64_t written_b)
{
	d->log_b += (int64_t)(written_b - written_b % LOG_ALIGN_B + LOG_ALIGN_B);
	if (d->area_b - d->log_b < d->area_b / 4)
		d->log_b = 0;
}

static int
run_commits(
	struct disk *d, const struct cell *c, uint64_t max_b, struct attempt *a, struct err *err)
{
	bool append = c->pattern == PROFILE_APPEND;
	struct commit_config config = {.mode = c->mode,
		.pattern = c->pattern,
		.bs_b = c->bs_b,
		.writers = c->writers,
		.from_b = append ? d->end_b : d->log_b,
		.end_b = append ? d->area_b + (int64_t)d->wal_room_b : d->area_b,
		.ramp_s = plan_ramp_s,
		.window_s = a->slice_s,
		.max_b = max_b,
		.until_ns = disk_phase_end_ns(d)};
	struct commit_lat lat = {d->scratch[ENGINE_WRITE], d->scratch[2], d->scratch[3]};
	struct commit_result *r = &a->commit;
	int rc = commit_run(&d->load, d->target.fd, &config, &lat, r, err);
	d->written_b += r->written_b;
	if (append && r->end_b > d->end_b)
		d->end_b = r->end_b;
	if (!append)
		advance_log(d, r->written_b);
	a->cut = r->cut;
	a->late = r->late;
	a->slice.window_s = (double)r->window_ns / 1e9;
	if (a->slice.window_s > 0)
		a->slice.rate = (double)r->commits / a->slice.window_s;
	a->slice.rates[ENGINE_WRITE] = a->slice.rate;
	return rc;
}

/* Keep what the scratch histograms hold. */
static int
pack(struct disk *d, const struct cell *c, struct slice *s, struct err *err)
{
	for (int op = 0; op < 2; op++) {
		s->lat[op] = hist_pack(d->scratch[op], d->arena);
		if (!s->lat[op])
			return err_nomem(err);
	}
	if (c->group != CELL_COMMIT)
		return 0;
	s->write = hist_pack(d->scratch[2], d->arena);
	s->sync = hist_pack(d->scratch[3], d->arena);
	return s->write && s->sync ? 0 : err_nomem(err);
}

static int
attempt(struct disk *d, const struct cell *c, struct attempt *a, struct err *err)
{
	bool commit = c->group == CELL_COMMIT;
	*a = (struct attempt){.slice_s = slice_length_s(d, c)};
	uint64_t max_b = cell_writes(c) ? write_share_b(d, c, a->slice_s) : UINT64_MAX;
	int resumed = disk_resumed(d);
	if (max_b == 0) {
		a->cut = true;
		return 0;
	}
	struct watch w = {
		.device = d->target.has_device ? d->target.chain.disk : NULL, .run = &d->run};
	for (size_t i = 0; i < sizeof(d->scratch) / sizeof(d->scratch[0]); i++)
		hist_init(d->scratch[i]);
	watch_begin(&w);
	int rc = target_check_space(&d->target, err);
	if (rc == 0)
		rc = commit ? run_commits(d, c, max_b, a, err) : run_load(d, c, max_b, a, err);
	a->watch = watch_end(&w, commit ? a->commit.all_commits : a->load.all_ios,
		commit ? a->commit.written_b : a->load.all_b);
	a->suspended = disk_resumed(d) != resumed;
	d->suspended += a->suspended;
	return rc ? rc : pack(d, c, &a->slice, err);
}

/* The device's own count is no check for commits: the filesystem's journal writes with each. */
static void
add_device(struct quality_sum *q, const struct watch_result *w, double own_b)
{
	if (!isnan(w->share.foreign_frac)) {
		q->foreign += w->share.foreign_frac;
		q->foreign_n++;
	}
	if (!isnan(w->share.device_ratio)) {
		q->own_b += own_b;
		q->device_b += own_b / w->share.device_ratio;
	}
}

static void
add_quality(struct disk *d, const struct cell *c, const struct attempt *a)
{
	const struct watch_result *w = &a->watch;
	struct quality_sum *q = &d->quality[cell_writes(c) ? ENGINE_WRITE : ENGINE_READ];
	add_device(q, w, (double)a->load.all_b);
	if (!isnan(w->steal_frac)) {
		q->steal += w->steal_frac;
		q->busy += w->busy_frac;
		q->ticks_n++;
	}
	if (!isnan(w->own_cpu_s)) {
		q->cpu_s += w->own_cpu_s;
		q->wall_s += w->wall_s;
		q->ios += (double)a->load.all_ios;
	}
}

/* The write budget or the time ended it before there was anything to see. */
static bool
empty(const struct cell *c, const struct attempt *a)
{
	uint64_t seen = c->group == CELL_COMMIT ? a->commit.commits
						: a->load.ios[0] + a->load.ios[1];
	uint64_t depth = c->group == CELL_COMMIT ? c->writers : c->qd;
	uint64_t least = c->bs_b >= PLAN_LAYOUT_B ? 1 : LEAST_IOS;
	return seen == 0 || (a->cut && seen < least) || (a->late && seen < depth);
}

static int
keep(struct disk *d, struct cell *c, const struct attempt *a, struct err *err)
{
	if (a->suspended)
		return 0;
	if (empty(c, a)) {
		c->cut += a->cut;
		c->closed |= a->cut;
		return 0;
	}
	if (!cell_add(c, d->arena, &a->slice))
		return err_nomem(err);
	d->kept++;
	if (c->group == CELL_COMMIT && !isnan(a->watch.flushes)) {
		c->flushes += a->watch.flushes;
		c->flushed += (double)a->commit.all_commits;
	}
	if (c->group != CELL_COMMIT)
		add_quality(d, c, a);
	if (c->group != CELL_COMMIT && !isnan(a->load.submit_ns)) {
		c->submit_ns_sum += a->load.submit_ns;
		c->submit_n++;
	}
	c->arrivals += (double)a->load.arrivals;
	c->overload += (double)a->load.overload;
	if (!isnan(a->watch.client.wanted_frac)) {
		c->wanted_sum += a->watch.client.wanted_frac;
		c->wait_sum += a->watch.client.wait_frac;
		c->wanted_n++;
	}
	if (!isnan(a->watch.client.held_frac)) {
		c->held_sum += a->watch.client.held_frac;
		c->held_n++;
	}
	return 0;
}

/* Undisturbed, whole, and with no more of others in it. */
static bool
better(const struct attempt *next, const struct attempt *best)
{
	if (next->suspended || next->late)
		return false;
	return best->suspended ||
	       !(next->watch.share.foreign_frac > best->watch.share.foreign_frac);
}

/* Whether it should be measured again; commits are not: the journal looks like others' I/O. */
static bool
disturbed(const struct disk *d, const struct cell *c, const struct attempt *a)
{
	bool foreign = c->group != CELL_COMMIT && a->watch.share.foreign_frac > FOREIGN_MAX;
	return (foreign || a->suspended) && d->repeat_left_s > 0 && !a->late;
}

int
slice_measure(struct disk *d, struct cell *c, struct err *err)
{
	struct attempt best, next;
	int rc = attempt(d, c, &best, err);
	for (int i = 1; i < ATTEMPTS && rc == 0 && disturbed(d, c, &best); i++) {
		d->repeat_left_s -= best.slice_s + plan_ramp_s;
		d->repeated++;
		rc = attempt(d, c, &next, err);
		if (rc == 0 && better(&next, &best))
			best = next;
	}
	if (rc == ERR_UNSUPPORTED) {
		c->refused = err ? arena_strdup(d->arena, err->text) : "not supported";
		return 0;
	}
	return rc ? rc : keep(d, c, &best, err);
}
