/*
 * need_cache.c - reads that a cache of the host answers: what a machine asks for and what its disk sees, over the
 * intervals that both logs know.  Without the cache the disk would get what was asked for.
 *
 * Of a disk: the reads that the machine counts (iostat, or the provider's per-disk metrics of a machine, which include
 * hits) against those of the disk as a resource.  Of a machine: operations through the cache are its share of the
 * cached cap; less the writes and reads of the cached disks they are hits.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "workload/need_parts.h"

#define USED 0.01 /* of the cached budget: below it there is no cache in the way */
#define WORTH 0.05 /* of the reads: what is answered is worth a warning */
#define COVERED 0.9 /* of an interval that finer samples must cover */

typedef double quantity(const struct evidence_sample *x);

/* A walk through a series in order of time. */
struct cursor {
	const struct evidence_series *s;
	size_t at;
};

/* One interval's rates, or sums of rate x time over all. */
struct reads {
	double asked, disk, seconds;
	size_t n;
};

static double
reads_of(const struct evidence_sample *x)
{
	return x->read_iops;
}

static double
all_of(const struct evidence_sample *x)
{
	return x->read_iops + x->write_iops;
}

static double
length_of(const struct evidence_series *s, const struct evidence_sample *x)
{
	return isnan(x->dt_s) ? s->resolution_s : x->dt_s;
}

/* Mean of the samples that end within an interval; NaN where they do not cover it.  Intervals are asked for in order. */
static double
mean_within(struct cursor *c, quantity *of, double from_s, double to_s)
{
	const struct evidence_series *s = c->s;
	double sum = 0, time = 0, slack = 1e-6 * (to_s - from_s);
	while (c->at < s->n_samples && s->samples[c->at].end_s <= from_s + slack)
		c->at++;
	for (size_t i = c->at; i < s->n_samples && s->samples[i].end_s <= to_s + slack; i++) {
		double v = of(&s->samples[i]), dt = length_of(s, &s->samples[i]);
		if (isnan(v) || isnan(dt))
			continue;
		sum += v * dt;
		time += dt;
	}
	return time >= COVERED * (to_s - from_s) ? sum / time : (double)NAN;
}

static bool
has(const struct evidence_series *s, quantity *of)
{
	for (size_t i = 0; i < s->n_samples; i++) {
		const struct evidence_sample *x = &s->samples[i];
		if (!isnan(of(x)) && !isnan(x->end_s) && !isnan(length_of(s, x)))
			return true;
	}
	return false;
}

/* The series of a name that counts reads; NULL: none. */
static const struct evidence_series *
find(const struct evidence *e, const char *name)
{
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		if (!s->metric && need_is_device(s, name) && has(s, reads_of))
			return s;
	}
	return NULL;
}

static void
add(struct reads *sum, double asked, double disk, double dt)
{
	if (isnan(asked) || isnan(disk))
		return;
	sum->asked += asked * dt;
	sum->disk += disk * dt;
	sum->seconds += dt;
	sum->n++;
}

/* Both sides of one disk, by the intervals of the coarser one. */
static struct reads
compare(const struct evidence_series *seen, const struct evidence_series *disk)
{
	struct reads sum = {0, 0, 0, 0};
	bool by_disk = !(disk->resolution_s < seen->resolution_s);
	const struct evidence_series *coarse = by_disk ? disk : seen;
	struct cursor fine = {by_disk ? seen : disk, 0};
	for (size_t i = 0; i < coarse->n_samples; i++) {
		const struct evidence_sample *x = &coarse->samples[i];
		double dt = length_of(coarse, x);
		double mean = mean_within(&fine, reads_of, x->end_s - dt, x->end_s);
		add(&sum, by_disk ? mean : x->read_iops, by_disk ? x->read_iops : mean, dt);
	}
	return sum;
}

static struct need_cache *
add_cache(struct evidence *e, struct needs *n, const struct reads *sum)
{
	struct need_cache *all = arena_grow(e->arena, n->caches, n->n_caches, sizeof(*all));
	if (!all)
		return NULL;
	n->caches = all;
	struct need_cache *c = &all[n->n_caches++];
	*c = (struct need_cache){.asked_iops = sum->asked / sum->seconds,
		.disk_iops = sum->disk / sum->seconds,
		.seconds = sum->seconds,
		.n = sum->n};
	c->hit_frac = sum->asked > 0 ? fmax(0, 1 - sum->disk / sum->asked) : (double)NAN;
	return c;
}

/* What the volume gets in a workload document: the demand before the cache, and the cache's share beside it. */
static void
tell_volume(
	struct needs *n, const struct evidence_series *s, const struct need_cache *c, bool behind)
{
	for (size_t i = 0; i < n->n_volumes; i++) {
		struct need_volume *v = &n->volumes[i];
		if (v->series != s || c->at_least || !(c->hit_frac < 1))
			continue;
		v->cache_hit_frac = c->hit_frac;
		v->behind_cache = behind;
	}
}

static void
say(struct evidence *e, const struct need_cache *c)
{
	char asked[32], disk[32];
	units_count_text(c->asked_iops, asked);
	units_count_text(c->disk_iops, disk);
	if (c->disk_iops > (1 + WORTH) * c->asked_iops) {
		findings_add(&e->findings, SEVERITY_WARNING, "host-cache-differs",
			"check that both logs are of the same disk and time",
			"%s: its disk %s saw %s reads/s, but only %s were asked for: not the same "
			"disk, "
			"clocks that differ, or a host that reads ahead",
			c->subject, c->disk, disk, asked);
		return;
	}
	findings_add(&e->findings, c->hit_frac >= WORTH ? SEVERITY_WARNING : SEVERITY_NOTE,
		"host-cache",
		c->hit_frac >= WORTH
			? "size reads on what was asked for where the disk will have no "
			  "cache, another machine size, or a restart must not hurt"
			: NULL,
		"%s: of %s%s reads/s asked for, %s reached %s: the host's cache answered %s%.1f %% "
		"(%zu intervals of both logs, %.0f s); without it the disk gets all of them",
		c->subject, c->at_least ? "at least " : "", asked, disk, c->disk,
		c->at_least ? "at least " : "", 100 * c->hit_frac, c->n, c->seconds);
}

static int
look_at_disk(struct evidence *e, struct needs *n, const struct need_host_cache *h, struct err *err)
{
	const struct evidence_series *seen = find(e, h->seen), *disk = find(e, h->disk);
	struct reads sum = {0, 0, 0, 0};
	if (seen && disk)
		sum = compare(seen, disk);
	if (sum.n == 0) {
		findings_add(&e->findings, SEVERITY_WARNING, "host-cache-unknown",
			"give iostat -x or readings of /proc/diskstats of the machine, and the "
			"disk's "
			"own metrics (Composite Disk Read Operations/sec), of the same time",
			"--host-cache %s=%s: %s%s: what the cache answers is not known", h->seen,
			h->disk,
			seen && disk ? "their times have no interval in common"
			: seen       ? h->disk
				     : h->seen,
			seen && disk ? "" : " has no reads a second with times");
		return 0;
	}
	struct need_cache *c = add_cache(e, n, &sum);
	if (!c)
		return err_nomem(err);
	c->subject = need_name(e->arena, seen);
	c->disk = need_name(e->arena, disk);
	tell_volume(n, seen, c, false);
	tell_volume(n, disk, c, true);
	say(e, c);
	return 0;
}

/* Whether a disk is said to have a cache; where none is, every one may have it. */
static bool
may_be_cached(const struct need_options *o, const struct evidence_series *s, bool *named)
{
	*named = false;
	for (size_t i = 0; i < o->n_host_caches; i++) {
		if (o->host_caches[i].seen)
			continue;
		*named = true;
		if (need_is_device(s, o->host_caches[i].disk))
			return true;
	}
	return !*named;
}

/* The disks behind a machine's cache, as resources of their own: what reached them. */
struct behind {
	struct cursor *reads, *all; /* one walk for each quantity */
	size_t n;
	bool named;
	const struct evidence_series *first;
};

static int
find_behind(struct evidence *e, const struct need_options *o, const char *host, struct behind *b,
	struct err *err)
{
	*b = (struct behind){.reads = arena_array(e->arena, e->n_series, sizeof(*b->reads)),
		.all = arena_array(e->arena, e->n_series, sizeof(*b->all))};
	if (!b->reads || !b->all)
		return err_nomem(err);
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		bool own = s->host && host && strcmp(s->host, host) != 0;
		if (s->metric || s->scope != EVIDENCE_DISK || s->before_cache || own ||
			!may_be_cached(o, s, &b->named) || !has(s, all_of))
			continue;
		b->first = b->first ? b->first : s;
		b->reads[b->n] = (struct cursor){s, 0};
		b->all[b->n++] = (struct cursor){s, 0};
	}
	return 0;
}

/* Operations through the cache, less what reached the disks, are hits: at least so many where disks without it count. */
static struct reads
hits(const struct evidence_series *cached, double cap, struct behind *b)
{
	struct reads sum = {0, 0, 0, 0};
	for (size_t i = 0; i < cached->n_samples; i++) {
		const struct evidence_sample *x = &cached->samples[i];
		double dt = length_of(cached, x), reads = 0, all = 0;
		for (size_t k = 0; k < b->n; k++) {
			reads += mean_within(&b->reads[k], reads_of, x->end_s - dt, x->end_s);
			all += mean_within(&b->all[k], all_of, x->end_s - dt, x->end_s);
		}
		double hit = fmax(0, x->consumed_frac * cap - all);
		if (isnan(x->consumed_frac * cap - all)) /* fmax() would make it 0 */
			continue;
		add(&sum, reads + hit, reads, dt);
	}
	return sum;
}

static void
say_unknown(struct evidence *e, const struct evidence_series *s, double mean, const char *why)
{
	char percent[32];
	if (mean < 10)
		snprintf(percent, sizeof(percent), "%.3g", 100 * mean);
	else
		units_count_text(round(100 * mean), percent);
	findings_add(&e->findings, SEVERITY_WARNING, "host-cache-unknown", why,
		"%s: %s %% of the cached budget are used: reads of disks with a read cache are "
		"answered by the host in part, and what those disks would get without it is not "
		"known",
		s->host ? s->host : "machine", percent);
}

static double
mean_consumed(const struct evidence_series *s)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < s->n_samples; i++) {
		if (isnan(s->samples[i].consumed_frac))
			continue;
		sum += s->samples[i].consumed_frac;
		n++;
	}
	return n > 0 ? sum / n : 0;
}

static int
look_at_machine(
	struct evidence *e, struct needs *n, const struct evidence_series *cached, struct err *err)
{
	const struct need_options *o = n->options;
	struct behind b;
	double mean = mean_consumed(cached);
	int rc = find_behind(e, o, cached->host, &b, err);
	if (rc || mean < USED)
		return rc;
	if (isnan(o->vm_cached_iops) || b.n == 0) {
		if (n->n_caches == 0)
			say_unknown(e, cached, mean,
				"give --vm-cap cached-iops=N and the disks' own metrics (Composite "
				"Disk Read and Write Operations/sec), or iostat of the machine and "
				"--host-cache DEVICE=DISK");
		return 0;
	}
	struct reads sum = hits(cached, o->vm_cached_iops, &b);
	if (sum.n == 0) {
		say_unknown(e, cached, mean,
			"give the machine's and the disks' metrics of the same time and interval");
		return 0;
	}
	struct need_cache *c = add_cache(e, n, &sum);
	if (!c)
		return err_nomem(err);
	c->subject = cached->host ? cached->host : "machine";
	c->disk = b.n == 1 ? b.first->device : arena_printf(e->arena, "its %zu disks", b.n);
	c->at_least = !b.named;
	if (!c->disk)
		return err_nomem(err);
	if (b.n == 1)
		tell_volume(n, b.first, c, true);
	say(e, c);
	return 0;
}

int
need_look_at_caches(struct evidence *e, struct needs *n, struct err *err)
{
	const struct need_options *o = n->options;
	int rc = 0;
	for (size_t i = 0; i < o->n_host_caches && rc == 0; i++) {
		if (o->host_caches[i].seen)
			rc = look_at_disk(e, n, &o->host_caches[i], err);
	}
	for (size_t i = 0; i < e->n_series && rc == 0; i++) {
		const struct evidence_series *s = &e->series[i];
		if (s->metric && strcmp(s->metric, "VM Cached IOPS") == 0)
			rc = look_at_machine(e, n, s, err);
	}
	return rc;
}
