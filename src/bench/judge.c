#include "bench/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "bench/environment.h"
#include "bench/lies.h"
#include "bench/stats.h"

enum { FEW_SLICES = 6, LEAST_WANTED = 2 };

static const double RATIO_MAX = 1.1, CV_MAX = 0.30;
static const double SUBMIT_MAX = 0.20, OTHERS_MAX = 0.30;
static const double STEAL_MAX = 0.05, LITTLE_MAX = 0.05;

static double
ratio(double a, double over)
{
	return over > 0 ? a / over : (double)NAN;
}

/* Own over device bytes of one direction; infinite when the device did nothing at all. */
static double
device_ratio(const struct quality_sum *q)
{
	if (q->own_b <= 0)
		return NAN;
	return q->device_b > 0 ? q->own_b / q->device_b : (double)INFINITY;
}

static void
say_device(struct disk *d, struct profile_quality *q)
{
	static const char *const what[] = {[ENGINE_READ] = "reads", [ENGINE_WRITE] = "writes"};
	double reads = device_ratio(&d->quality[ENGINE_READ]);
	double writes = device_ratio(&d->quality[ENGINE_WRITE]);
	q->device_ratio = fmax(reads, writes); /* fmax passes over NaN */
	if (d->target.dir_fd >= 0 && d->target.fs_class == SAFETY_FS_NETWORK)
		findings_add(&d->findings, SEVERITY_WARNING, "network", NULL,
			"filesystem %s: the network and a server are measured with the disk, and "
			"their caches may answer",
			d->target.fs);
	if (d->loop_cached)
		q->verdict = "not-the-disk"; /* said at the start */
	for (int op = 0; op < 2; op++) {
		double r = device_ratio(&d->quality[op]);
		if (!(r > RATIO_MAX))
			continue;
		q->verdict = "not-the-disk";
		findings_add(&d->findings, SEVERITY_ERROR, "not-the-disk",
			"find the cache or layer in between; do not use these figures for the disk",
			"%s: the device %s did %.0f %% of what was asked for; the rest was "
			"answered elsewhere",
			what[op], d->target.chain.disk, isinf(r) ? 0 : 100 / r);
	}
}

static void
say_stamps(struct disk *d, struct profile_quality *q)
{
	q->stamps_checked = (double)d->verified;
	q->stamps_wrong = (double)d->mismatched;
	if (d->mismatched) {
		q->verdict = "not-the-disk";
		findings_add(&d->findings, SEVERITY_ERROR, "stamp",
			"do not trust this disk or the layer above it with data",
			"%llu of %llu checked reads did not bring back what was written there",
			(unsigned long long)d->mismatched, (unsigned long long)d->verified);
	} else if (d->verified) {
		findings_add(&d->findings, SEVERITY_NOTE, "stamp", NULL,
			"all %llu reads at depth 1 brought back what was written there",
			(unsigned long long)d->verified);
	}
}

static void
say_noise(struct disk *d, struct profile_quality *q)
{
	size_t fewest = SIZE_MAX;
	q->cv_frac = NAN;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group != CELL_LADDER)
			continue;
		q->cv_frac = fmax(q->cv_frac, cell_cv(c));
		/* 0: left out, which is said; closed: nothing more was wanted of it */
		fewest = c->n > 0 && !c->closed && c->n < fewest ? c->n : fewest;
	}
	if (q->cv_frac > CV_MAX) {
		if (!q->verdict)
			q->verdict = "noisy";
		findings_add(&d->findings, SEVERITY_WARNING, "noisy",
			"read the figures as ranges; a longer --time narrows them",
			"the rate of a cell varies by %.0f %% from slice to slice",
			100 * q->cv_frac);
	}
	if (fewest >= 2 && fewest < FEW_SLICES)
		findings_add(&d->findings, SEVERITY_NOTE, "few-slices",
			"give more --time for 95 % intervals",
			"only %zu slices for the thinnest cell: its IOPS interval is their range "
			"and covers %.1f %%",
			fewest, 100 * (1 - pow(0.5, (double)fewest - 1)));
	if (fewest < 2)
		findings_add(&d->findings, SEVERITY_WARNING, "few-slices", "give more --time",
			"%zu slices for the thinnest cell: its IOPS has no interval", fewest);
}

static double
processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (double)n : 1;
}

static void
say_processor(struct disk *d, struct profile_quality *q)
{
	const struct quality_sum *r = &d->quality[ENGINE_READ], *w = &d->quality[ENGINE_WRITE];
	q->steal_frac = ratio(r->steal + w->steal, r->ticks_n + w->ticks_n);
	q->cpu_us_per_io = 1e6 * ratio(r->cpu_s + w->cpu_s, r->ios + w->ios);
	if (q->steal_frac > STEAL_MAX)
		findings_add(&d->findings, SEVERITY_WARNING, "steal",
			"measure again on a host with less load",
			"the hypervisor took %.0f %% of the processor time: tails are partly its",
			100 * q->steal_frac);
	/* ours is one thread: its share of all processors */
	double own = ratio(r->cpu_s + w->cpu_s, (r->wall_s + w->wall_s) * processors());
	double others = ratio(r->busy + w->busy, r->ticks_n + w->ticks_n) - own;
	if (others > OTHERS_MAX)
		findings_add(&d->findings, SEVERITY_WARNING, "cpu-busy",
			"measure again while the processors are idle",
			"other programs used %.0f %% of the processors: a completion that finds no "
			"free core waits 3 to 5 ms, which shows from p99 on",
			100 * others);
}

static double
wanted_frac(const struct cell *c)
{
	return ratio(c->wanted_sum, c->wanted_n);
}

static double
held_frac(const struct cell *c)
{
	return ratio(c->held_sum, c->held_n);
}

/* The loads that keep a queue full: one that waits for its moment may spin for it. */
static bool
shows_client(const struct cell *c)
{
	return c->group == CELL_LADDER || c->group == CELL_SIZES || c->group == CELL_MIX;
}

static const char *
cell_text(const struct disk *d, const struct cell *c)
{
	char size[32];
	units_size_text((double)c->bs_b, size);
	return arena_printf(d->arena, "%s %s%s at depth %u", size, c->sequential ? "" : "random ",
		c->read_frac >= 1  ? "reads"
		: c->read_frac > 0 ? "reads and writes"
				   : "writes",
		c->qd);
}

/* The load in which this program was busiest, the one in which it was held back most, and all. */
static void
see_client(const struct disk *d, struct lies_seen *s)
{
	const struct cell *busy = NULL, *held = NULL;
	double wait = 0, n = 0;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (!shows_client(c))
			continue;
		wait += c->wait_sum;
		n += c->wanted_n;
		if (c->wanted_n >= LEAST_WANTED && (!busy || wanted_frac(c) > wanted_frac(busy)))
			busy = c;
		if (c->held_n > 0 && (!held || held_frac(c) > held_frac(held)))
			held = c;
	}
	s->wait_frac = ratio(wait, n);
	if (busy) {
		s->client_cell = cell_text(d, busy);
		s->client_frac = wanted_frac(busy);
	}
	if (held) {
		s->held_cell = cell_text(d, held);
		s->held_frac = held_frac(held);
	}
}

static void
see(struct disk *d, const struct profile *p, struct profile_quality *q, struct lies_seen *s)
{
	const struct quality_sum *r = &d->quality[ENGINE_READ], *w = &d->quality[ENGINE_WRITE];
	lies_clear(s);
	s->memory = environment_memory(&d->target, d->arena);
	s->extents = d->evidence.has_extents ? &d->evidence.extents : NULL;
	s->area_b = (double)d->area_b;
	s->cached_frac = d->evidence.cached_frac;
	s->compress_gain = disk_compress_gain(d, &s->compress_least);
	s->device = d->target.has_device ? d->target.chain.disk : NULL;
	s->foreign_frac = ratio(r->foreign + w->foreign, r->foreign_n + w->foreign_n);
	s->repeated = (double)d->repeated;
	s->limits = d->evidence.limits;
	s->cache = d->cache;
	s->p = p;
	see_client(d, s);
	q->foreign_io_frac = s->foreign_frac;
	q->page_cached_frac = s->cached_frac;
	q->compress_gain = s->compress_gain;
	if (s->extents)
		q->written_frac = extents_written_frac(s->extents);
}

/* A limit that did not bind, and caps that belong to the disk. */
static void
say_limits(struct disk *d, const struct profile *p)
{
	const char *limit = limits_io_text(&d->evidence.limits, d->arena);
	if (limit && !findings_find(&d->findings, "quota-limited"))
		findings_add(&d->findings, p->n_knees ? SEVERITY_NOTE : SEVERITY_WARNING,
			"cgroup-limit", "measure outside the control group to be sure",
			"a control group limits I/O on this device (%s); %s", limit,
			p->n_knees ? "no rate was at the limit" : "it may be what was measured");
	for (size_t i = 0; i < p->n_knees; i++) {
		const struct profile_knee *k = &p->knees[i];
		if (strcmp(k->limit, "cap-iops") == 0 || strcmp(k->limit, "cap-mbps") == 0)
			findings_add(&d->findings, SEVERITY_NOTE, "disk-quota", NULL,
				"random %s: %s", k->op == PROFILE_OP_RANDREAD ? "reads" : "writes",
				k->why);
	}
}

static void
say_little(struct disk *d, const struct profile *p)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (c->op > PROFILE_OP_RANDWRITE || !(fabs(c->little_ratio - 1) > LITTLE_MAX))
			continue;
		findings_add(&d->findings, SEVERITY_WARNING, "little-law", NULL,
			"%s at depth %.0f: the time of all requests in its slices is %.2f of depth "
			"x time; the queue was not full or latencies are missing",
			names_text(&profile_op_names, c->op), c->qd, c->little_ratio);
	}
}

static void
say_submit(struct disk *d, const struct profile *p)
{
	const struct profile_cell *worst = NULL;
	/* psync waits for the disk inside the call: the share means nothing there */
	for (size_t i = 0; i < p->n_cells && d->engine->depth_max > 1; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (c->op <= PROFILE_OP_RANDWRITE && c->submit_frac > SUBMIT_MAX &&
			(!worst || c->submit_frac > worst->submit_frac))
			worst = c;
	}
	if (worst)
		findings_add(&d->findings, SEVERITY_NOTE, "submit-share", NULL,
			"%s at depth %.0f: %.0f %% of the latency passes inside submission, on "
			"this machine and not in the disk",
			names_text(&profile_op_names, worst->op), worst->qd,
			100 * worst->submit_frac);
}

int
judge(struct disk *d, struct profile *p, struct err *err)
{
	struct profile_quality *q = arena_alloc(d->arena, sizeof(*q));
	if (!q)
		return err_nomem(err);
	struct lies_seen seen;
	profile_quality_clear(q);
	struct findings before = d->findings; /* called after every phase: say things once */
	findings_init(&d->findings, d->arena);
	for (size_t i = 0; i < before.n; i++)
		findings_add(&d->findings, (enum severity)before.items[i].severity,
			before.items[i].code, before.items[i].todo, "%s", before.items[i].text);
	say_stamps(d, q);
	say_device(d, q);
	see(d, p, q, &seen);
	const char *verdict = lies_find(&seen, &d->findings);
	if (verdict && (!q->verdict || strcmp(verdict, "not-the-disk") == 0))
		q->verdict = verdict;
	q->client_bound = d->engine->simulated
				  ? -1
				  : findings_find(&d->findings, "client-bound") != NULL;
	say_limits(d, p);
	say_noise(d, q);
	say_processor(d, q);
	say_little(d, p);
	say_submit(d, p);
	if (!q->verdict)
		q->verdict = "clean";
	p->quality = q;
	p->findings = d->findings.items;
	p->n_findings = d->findings.n;
	d->findings = before;
	return 0;
}
