/*
 * hold.c - the same load for the rest of the time, without turns for other disks: random writes at
 * the knee, counted four times a second.  Burst credits that run out and caches that fill show here,
 * which short slices with something else between them do not see.
 *
 * Where the bytes that may still be written would not last for half of the time, reads are held
 * instead.
 */
#include <math.h>

#include "bench/phase.h"
#include "bench/steady.h"

static const double LASTS_FRAC = 0.5;
static const double TRIAL_S = 0.25, MARGIN_S = 0.1;
static const double FOREIGN_MAX = 0.10;
static const double SIMULATED_MOST = 4e5; /* requests: virtual time costs real time */
static const double SIMULATED_S = 3.5; /* but so long at least */
static const double BELOW = 0.8; /* of what the slices of the ladder showed */

static double
usable_s(const struct disk *d)
{
	return disk_phase_left_s(d) - plan_ramp_s - MARGIN_S;
}

struct held {
	enum engine_op op;
	unsigned qd;
	double slices_iops; /* what the ladder had at its best; NaN: not measured */
	double seconds, foreign_frac;
};

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "hold");
}

static int
run(struct disk *d, const struct held *h, double seconds, struct load_series *series,
	struct load_result *r, struct err *err)
{
	struct load_config c = {.read_frac = h->op == ENGINE_READ,
		.bs_b = PLAN_BLOCK_B,
		.qd = h->qd,
		.end_b = d->area_b - d->area_b % PLAN_BLOCK_B,
		.ramp_s = plan_ramp_s,
		.window_s = seconds,
		.max_b = h->op == ENGINE_READ ? UINT64_MAX : disk_phase_write_left_b(d),
		.until_ns = disk_phase_end_ns(d),
		.series = series};
	hist_init(d->scratch[ENGINE_READ]);
	hist_init(d->scratch[ENGINE_WRITE]);
	int rc = target_check_space(&d->target, err);
	if (rc == 0)
		rc = load_run(&d->load, &c, d->scratch, r, err);
	d->written_b += r->written_b;
	return rc;
}

/* The rate of writes: of the ladder, or tried. */
static int
write_iops(struct disk *d, const struct held *h, double *iops, struct err *err)
{
	struct load_result r = {0};
	*iops = h->slices_iops;
	if (!isnan(*iops) || disk_phase_write_left_b(d) == 0)
		return 0;
	int rc = run(d, h, TRIAL_S, NULL, &r, err);
	if (r.window_ns > 0)
		*iops = (double)r.ios[ENGINE_WRITE] / ((double)r.window_ns / 1e9);
	return rc;
}

/* The knee's, within what the area allows. */
static void
depth(const struct disk *d, struct held *h)
{
	h->qd = disk_knee(d, h->op, &h->slices_iops);
	while (h->qd > 1 && (int64_t)h->qd * PLAN_AREA_PER_QD * PLAN_BLOCK_B > d->area_b)
		h->qd /= 2;
}

static void
spare(const struct disk *d, struct held *h, double iops)
{
	if (d->engine->simulated && iops > 0)
		h->seconds = fmin(h->seconds, fmax(SIMULATED_S, SIMULATED_MOST / iops));
}

/* Writes, or reads where too few bytes are left. */
static int
choose(struct disk *d, struct held *h, struct err *err)
{
	double iops;
	*h = (struct held){.op = ENGINE_WRITE, .foreign_frac = NAN};
	depth(d, h);
	int rc = write_iops(d, h, &iops, err);
	h->seconds = fmax(0, usable_s(d));
	double left_b = (double)disk_phase_write_left_b(d);
	double lasts_s = left_b / (iops * PLAN_BLOCK_B);
	if (rc || lasts_s >= LASTS_FRAC * h->seconds) {
		spare(d, h, iops);
		return rc;
	}
	findings_add(&d->findings, SEVERITY_NOTE, "hold-reads",
		"a larger --max-write or a smaller --size leaves more",
		"reads were held and not writes: of the %.1f GiB that may be written in all %.2f "
		"were left, which last %.1f of %.1f s",
		(double)d->c->max_write_b / 1073741824, left_b / 1073741824,
		isnan(lasts_s) ? 0 : lasts_s, h->seconds);
	h->op = ENGINE_READ;
	depth(d, h);
	spare(d, h, isnan(h->slices_iops) ? iops : h->slices_iops);
	return 0;
}

/* Held, the disk gave less than the slices showed: their bursts are not to be planned with. */
static void
say_below(struct disk *d, const struct held *h, const struct steady *s, const char *what)
{
	double end_iops = s->verdict == STEADY_DROPPED ? s->after.hi : s->rate;
	if (!(end_iops < BELOW * h->slices_iops) || s->verdict == STEADY_TOO_SHORT)
		return;
	findings_add(&d->findings, SEVERITY_WARNING, "hold-below-ladder",
		"plan with the held rate; the ladder shows what the disk does for a moment",
		"%s: %.0f IOPS, %.0f %% of the %.0f that the short slices of the ladder showed",
		what, end_iops, 100 * end_iops / h->slices_iops, h->slices_iops);
}

static int
keep(struct disk *d, const struct held *h, const struct load_series *series, struct err *err)
{
	struct steady s;
	struct steady_about about = {
		.op = h->op == ENGINE_READ ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE,
		.bs_b = PLAN_BLOCK_B,
		.qd = h->qd};
	struct profile_series *p = arena_alloc(d->arena, sizeof(*p));
	const char *what = arena_printf(d->arena, "random %s at depth %u, held for %.0f s",
		h->op == ENGINE_READ ? "reads" : "writes", h->qd,
		(double)series->n * series->bucket_s);
	if (!p || !what)
		return err_nomem(err);
	int rc = steady_series(series, &about, d->arena, p, &s, err);
	if (rc)
		return rc;
	if (h->foreign_frac > FOREIGN_MAX)
		p->why = arena_printf(d->arena, "%s; others did %.0f %% of the I/O meanwhile",
			p->why, 100 * h->foreign_frac);
	if (!p->why)
		return err_nomem(err);
	steady_say(&d->findings, "hold", what, &s, &about, p->why);
	say_below(d, h, &s, what);
	d->hold = p;
	return 0;
}

static int
hold(struct disk *d, struct held *h, struct err *err)
{
	struct load_series series = {
		.bucket_s = STEADY_BUCKET_S, .n_max = (size_t)(h->seconds / STEADY_BUCKET_S) + 2};
	struct load_result r = {0};
	struct watch w = {
		.device = d->target.has_device ? d->target.chain.disk : NULL, .run = &d->run};
	int resumed = disk_resumed(d);
	series.ios = arena_array(d->arena, series.n_max, sizeof(*series.ios));
	if (!series.ios)
		return err_nomem(err);
	watch_begin(&w);
	int rc = run(d, h, h->seconds, &series, &r, err);
	h->foreign_frac = watch_end(&w, r.all_ios, r.all_b).share.foreign_frac;
	if (disk_resumed(d) != resumed) {
		d->suspended++;
		return rc;
	}
	/* what was seen until an interruption or a failure is worth telling, too */
	int kept = rc && series.n < STEADY_BUCKETS_MIN ? 0 : keep(d, h, &series, rc ? NULL : err);
	return rc ? rc : kept;
}

/* Nothing is held: say so, once.  The time goes to the ladder. */
static int
leave_out(struct disk *d, double seconds, bool *more, struct err *err)
{
	const char *code = d->c->polite ? "no-hold" : "hold-too-short";
	if (!findings_find(&d->findings, code) && d->c->polite)
		findings_add(&d->findings, SEVERITY_NOTE, code, "measure without --polite",
			"no load was held without a pause, as asked by --polite");
	else if (!findings_find(&d->findings, code))
		findings_add(&d->findings, SEVERITY_NOTE, code, "give more --time",
			"no load was held: %.1f s were left, %.0f are the least that shows a "
			"change",
			fmax(0, seconds), STEADY_BUCKETS_MIN * STEADY_BUCKET_S);
	return schedule_step(d, CELL_LADDER, more, err);
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	struct held h;
	double seconds = usable_s(d);
	if (d->c->polite || seconds < STEADY_BUCKETS_MIN * STEADY_BUCKET_S)
		return leave_out(d, seconds, more, err);
	*more = false;
	int rc = choose(d, &h, err);
	return rc ? rc : hold(d, &h, err);
}

const struct phase phase_hold = {
	.title = "the same load held",
	.time_s = 14, /* of a minute 3 s at least, which is what shows a change */
	.write_share = 2,
	.alone = true,
	.wanted = wanted,
	.step = step,
};
