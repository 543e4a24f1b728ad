#include "bench/judge.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/stats.h"

enum { FEW_SLICES = 6, CELL_TEXT = 64 };

static const double RATIO_MAX = 1.1, FOREIGN_MAX = 0.10, CV_MAX = 0.30;
static const double SUBMIT_MAX = 0.20, OTHERS_MAX = 0.30;
static const double STEAL_MAX = 0.05, LITTLE_MAX = 0.05, CPU_MAX = 0.90;

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
	if (d->target.dir_fd >= 0 && d->target.fs_class == SAFETY_FS_RAM) {
		q->verdict = "not-the-disk";
		findings_add(&d->findings, SEVERITY_ERROR, "memory", NULL,
			"filesystem %s is memory: these figures are of no disk", d->target.fs);
	}
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
say_foreign(struct disk *d, struct profile_quality *q)
{
	const struct quality_sum *r = &d->quality[ENGINE_READ], *w = &d->quality[ENGINE_WRITE];
	q->foreign_io_frac = ratio(r->foreign + w->foreign, r->foreign_n + w->foreign_n);
	if (!(q->foreign_io_frac > FOREIGN_MAX))
		return;
	if (!q->verdict)
		q->verdict = "contaminated";
	findings_add(&d->findings, SEVERITY_WARNING, "foreign-io",
		"measure again while the disk is idle",
		"others did %.0f %% of the load on %s meanwhile (%llu slices were repeated)",
		100 * q->foreign_io_frac, d->target.chain.disk, (unsigned long long)d->repeated);
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
	const struct cell *worst = NULL;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->most_cpu_frac > CPU_MAX &&
			(!worst || c->most_cpu_frac > worst->most_cpu_frac))
			worst = c;
	}
	q->client_bound = d->engine->simulated ? -1 : worst != NULL;
	if (worst)
		findings_add(&d->findings, SEVERITY_WARNING, "client-bound",
			"measure from a machine with faster or idle processors to see more",
			"%zu KiB blocks at depth %u: one processor was %.0f %% busy asking, so the "
			"disk may do more",
			worst->bs_b >> 10, worst->qd, 100 * worst->most_cpu_frac);
}

static void
say_little(struct disk *d, const struct profile *p)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		if (c->op > PROFILE_OP_RANDWRITE || !(fabs(c->little_ratio - 1) > LITTLE_MAX))
			continue;
		findings_add(&d->findings, SEVERITY_WARNING, "little-law", NULL,
			"%s at depth %.0f: rate x mean latency is %.2f of the depth; the queue "
			"was not full or latencies are missing",
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
	profile_quality_clear(q);
	struct findings before = d->findings; /* called after every phase: say things once */
	findings_init(&d->findings, d->arena);
	for (size_t i = 0; i < before.n; i++)
		findings_add(&d->findings, (enum severity)before.items[i].severity,
			before.items[i].code, before.items[i].todo, "%s", before.items[i].text);
	say_stamps(d, q);
	say_device(d, q);
	say_foreign(d, q);
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
