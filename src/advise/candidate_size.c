/*
 * candidate_size.c - tiers whose rate comes with the size: fixed steps (Azure Premium v1, Standard SSD
 * and HDD) and those that follow the GiB (EBS gp2, st1, sc1; Persistent Disk; ESSD).
 */
#include <math.h>
#include <string.h>

#include "advise/burst.h"
#include "advise/candidate_make.h"
#include "base/units.h"
#include "price/bill.h"

static const char *const caches[] = {"None", "ReadOnly"};

static bool
by_size(const struct disk_limit *d)
{
	return d->ephemeral != 1 && !disk_limit_is_provisioned(d);
}

static bool
lists(const struct disk_limit *d, const char *cache)
{
	for (size_t i = 0; i < d->n_host_cache; i++) {
		if (strcmp(d->host_cache[i], cache) == 0)
			return true;
	}
	return false;
}

/* By the disk's own size, whatever level it is raised to. */
static bool
cache_allowed(const struct candidate_site *s, const struct disk_limit *d, double size_gib)
{
	bool machine = !s->vm || s->vm->premium_caching != 0;
	bool shared = s->demand->volume->mounts > 1; /* a shared disk has no host cache */
	bool size = isnan(d->host_cache_max_gib) || size_gib <= d->host_cache_max_gib;
	return machine && size && !shared && lists(d, "ReadOnly");
}

/* With each host cache it may have.  c has its level and size. */
static int
add_caches(struct candidate_work *w, struct candidate *c, struct err *err)
{
	const struct candidate_site *s = w->site;
	c->billed_gib = bill_size_gib(c->disk, c->size_gib);
	c->redundancy = candidate_redundancy(s, c->disk);
	c->cache_allowed = cache_allowed(s, c->disk, c->size_gib);
	int rc = 0;
	for (size_t k = 0; k < (c->cache_allowed ? 2U : 1U) && rc == 0; k++) {
		c->host_cache = caches[k];
		/* what hits are not counted on changes nothing */
		rc = k == 0 || w->missed ? candidate_finish(w, c, err) : 0;
		rc = rc ? rc : candidate_take(w, c, err);
	}
	return rc;
}

static double
unit_mbps(const struct disk_limit *d)
{
	return d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
}

/* ---- steps ---- */

static bool
takes_step(const struct disk_limit *d)
{
	return by_size(d) && !isnan(d->billed_gib);
}

static int
add_own(struct candidate_work *w, const struct disk_limit *d, double disks, double size_gib,
	struct err *err)
{
	struct candidate c;
	candidate_clear(&c, d, d->sku);
	c.disks = disks;
	c.size_gib = size_gib;
	c.iops = disk_limit_sustained_iops(d, size_gib) * disks;
	c.mbps = disk_limit_sustained_mbps(d, size_gib) * disks;
	if (d->shared_on_machine == 1) {
		c.iops = fmin(c.iops, d->iops_max);
		c.mbps = fmin(c.mbps, unit_mbps(d) * d->mbps_max); /* skip NaN */
	}
	return add_caches(w, &c, err);
}

static bool
has_plus(const struct disk_limit *d)
{
	return d->iops_perf_plus > d->iops_base || d->mbps_perf_plus > d->mbps_base;
}

static int
add_plus(struct candidate_work *w, const struct disk_limit *d, double disks, double size_gib,
	struct err *err)
{
	struct candidate c;
	candidate_clear(&c, d, arena_printf(w->site->arena, "%s with performance plus", d->sku));
	if (!c.title)
		return err_nomem(err);
	c.plus = true;
	c.disks = disks;
	c.size_gib = size_gib;
	c.iops = d->iops_perf_plus * disks;
	c.mbps = disk_limit_plus_mbps(d) * disks;
	return add_caches(w, &c, err);
}

/* Bursting on demand, where the peak is above what the size sustains and within what it bursts to. */
static int
add_burst(struct candidate_work *w, const struct disk_limit *d, double disks, double size_gib,
	struct err *err)
{
	if (d->burst_billed != 1 || !burst_is_asked(w->site->demand->volume))
		return 0;
	struct candidate c;
	candidate_clear(&c, d, arena_printf(w->site->arena, "%s bursting on demand", d->sku));
	if (!c.title)
		return err_nomem(err);
	c.burst = true;
	c.disks = disks;
	c.size_gib = size_gib;
	c.iops = disk_limit_sustained_iops(d, size_gib) * disks;
	c.mbps = disk_limit_sustained_mbps(d, size_gib) * disks;
	int rc = candidate_finish(w, &c, err);
	bool on_demand = rc == 0 && burst_meets(w->site, &c).means == BURST_ON_DEMAND;
	return on_demand ? add_caches(w, &c, err) : rc;
}

/*
 * The larger size has the same level for the same price, and its space on top: raising a smaller one to
 * it is worth a candidate only where the larger size loses something: the host cache, or credits that are free, for a short peak.
 */
static bool
larger_size_does(const struct candidate_site *s, const struct disk_limit *d,
	const struct disk_limit *larger, double disks, double size_gib)
{
	double size = candidate_size_gib(s, larger, disks);
	bool same_copies = d->n_redundancy == 0 || candidate_redundancy(s, larger);
	bool same_burst = !burst_is_asked(s->demand->volume) ||
			  d->burst_billed == larger->burst_billed;
	return !isnan(size) && same_copies && same_burst &&
	       (!cache_allowed(s, d, size_gib) || cache_allowed(s, larger, size));
}

static int
add_raised(struct candidate_work *w, const struct disk_limit *d, double disks, double size_gib,
	struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < d->n_performance_tiers && rc == 0; i++) {
		const struct disk_limit *to = NULL;
		if (limits_disk(w->site->in->limits, d->performance_tiers[i], &to, NULL) ||
			larger_size_does(w->site, d, to, disks, size_gib))
			continue;
		struct candidate c;
		candidate_clear(&c, d,
			arena_printf(w->site->arena, "%s at the level of a %s", d->sku, to->sku));
		if (!c.title)
			return err_nomem(err);
		c.raised = to;
		c.disks = disks;
		c.size_gib = size_gib;
		c.iops = disk_limit_sustained_iops(to, to->billed_gib) * disks;
		c.mbps = disk_limit_sustained_mbps(to, to->billed_gib) * disks;
		rc = add_caches(w, &c, err);
	}
	return rc;
}

/* The standard level first: of two that cost the same, the search keeps the earlier. */
static int
make_step(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	int rc = 0;
	for (size_t n = 1; n <= CANDIDATE_STRIPE_MAX && rc == 0; n++) {
		double disks = (double)n, size = candidate_size_gib(w->site, d, disks);
		if (isnan(size))
			continue;
		rc = add_own(w, d, disks, size, err);
		if (rc == 0 && has_plus(d))
			rc = add_plus(w, d, disks, size, err);
		rc = rc ? rc : add_burst(w, d, disks, size, err);
		rc = rc ? rc : add_raised(w, d, disks, size, err);
	}
	return rc;
}

const struct candidate_maker candidate_step = {takes_step, make_step};

/* ---- by the GiB ---- */

static bool
takes_sized(const struct disk_limit *d)
{
	return by_size(d) && isnan(d->billed_gib);
}

/* Where more size brings nothing; NaN: the documents do not say. */
static double
largest_useful_gib(const struct disk_limit *d)
{
	if (!isnan(d->size_gib_max))
		return d->size_gib_max;
	return ceil(fmax(d->iops_max / d->iops_per_gib, d->mbps_max / d->mbps_per_gib));
}

static bool
reaches(const struct disk_limit *d, double size_gib, double iops, double mbps)
{
	return !(disk_limit_sustained_iops(d, size_gib) < iops) &&
	       !(disk_limit_sustained_mbps(d, size_gib) < mbps);
}

/* The least whole GiB from `from` that sustain both rates, or as much of them as the tier has. */
static double
size_for_rate(const struct disk_limit *d, double from, double iops, double mbps)
{
	double lo = from, hi = largest_useful_gib(d);
	if (isnan(hi) || hi <= lo)
		return lo;
	iops = fmin(iops, disk_limit_sustained_iops(d, hi)); /* skips NaN */
	mbps = fmin(mbps, disk_limit_sustained_mbps(d, hi));
	if (reaches(d, lo, iops, mbps))
		return lo;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		if (reaches(d, mid, iops, mbps))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/* I/Os a disk of the tier must count: that depends on how fast it flushes, not on its size. */
static int
units_of(struct candidate_work *w, const struct disk_limit *d, double size_gib, double *units,
	struct err *err)
{
	struct candidate probe;
	candidate_clear(&probe, d, d->sku);
	probe.size_gib = size_gib;
	probe.iops = d->iops_max;
	probe.mbps = (double)NAN;
	int rc = candidate_finish(w, &probe, err);
	*units = probe.units;
	return rc;
}

/* Is the short peak met at a size, by its level or by its credits? */
static bool
meets_peak(const struct candidate_site *s, const struct disk_limit *d, double size_gib,
	double units, double disks)
{
	struct candidate c;
	candidate_clear(&c, d, d->sku);
	c.disks = disks;
	c.size_gib = size_gib;
	c.units = units;
	c.iops = disk_limit_sustained_iops(d, size_gib) * disks;
	c.mbps = disk_limit_sustained_mbps(d, size_gib) * disks;
	enum burst_means means = burst_meets(s, &c).means;
	return means == BURST_SUSTAINED || means == BURST_CREDITS || means == BURST_NO_PEAK;
}

/* The least size from `from` that meets the short peak too: a higher level drains less and fills more.
 * `from` where no size does. */
static double
size_for_peak(const struct candidate_work *w, const struct disk_limit *d, double from, double units,
	double disks)
{
	double lo = from, hi = largest_useful_gib(d);
	if (meets_peak(w->site, d, lo, units, disks) || isnan(hi) || hi <= lo ||
		!meets_peak(w->site, d, hi, units, disks))
		return from;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		if (meets_peak(w->site, d, mid, units, disks))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

static int
make_sized(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	const struct candidate_site *s = w->site;
	int rc = 0;
	for (size_t n = 1; n <= CANDIDATE_STRIPE_MAX && rc == 0; n++) {
		double disks = (double)n, units = 0, size = candidate_size_gib(s, d, disks);
		if (isnan(size))
			continue;
		rc = units_of(w, d, size, &units, err);
		double iops = candidate_rate_each(s, units, disks);
		double mbps = candidate_rate_each(s, s->demand->mbps, disks);
		double faster = size_for_rate(d, size, iops - 1e-9, mbps - 1e-9);
		double peak = size_for_peak(w, d, faster, units, disks);
		rc = rc ? rc : add_own(w, d, disks, size, err);
		if (rc == 0 && faster > size)
			rc = add_own(w, d, disks, faster, err);
		if (rc == 0 && peak > faster)
			rc = add_own(w, d, disks, peak, err);
		if (d->shared_on_machine == 1)
			break; /* several share what one has */
	}
	return rc;
}

const struct candidate_maker candidate_sized = {takes_sized, make_sized};
