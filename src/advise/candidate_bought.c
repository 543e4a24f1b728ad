/*
 * candidate_bought.c - tiers whose IOPS or MB/s are bought apart from the size: Premium SSD v2, Ultra,
 * gp3, io1, io2, Hyperdisk.
 *
 * The least of each that meets the demand and the time to restore, and where a latency is promised the least that keeps it:
 * more IOPS never make one I/O faster than the disk is at depth one, but a disk that is less used makes it
 * wait less (latency.h), and one used to its last IOPS has no latency that is known.
 */
#include <math.h>

#include "advise/burst.h"
#include "advise/candidate_make.h"
#include "advise/constraint.h"
#include "advise/recovery.h"
#include "base/units.h"
#include "price/bill.h"

/* How much of a tier without a known largest size can be bought is not known either. */
static bool
takes_bought(const struct disk_limit *d)
{
	return d->ephemeral != 1 && disk_limit_is_provisioned(d) && !isnan(d->size_gib_max);
}

/* Smallest whole GiB from `from` at which the tier allows `iops`, or size_gib_max. */
static double
size_for_iops(const struct disk_limit *d, double from, double iops)
{
	double lo = from, hi = d->size_gib_max;
	if (disk_limit_iops(d, lo) >= iops)
		return lo;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		if (disk_limit_iops(d, mid) >= iops)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/* The least that can be set: what comes with the disk unless less is offered. */
static double
least(double min, double base)
{
	double v = isnan(min) ? base : min;
	return isnan(v) ? 0 : v;
}

static double
unit_mbps(const struct disk_limit *d)
{
	return d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
}

/* What one disk must do, in the tier's own steps: whole IOPS and whole MB/s. */
struct rates {
	double iops, mbps;
	double restore_mbps; /* in whole MB/s too: what does not grow when more is bought for latency */
};

/*
 * Set each disk of c (size_gib and disks given) to these rates or the next that can be bought.  What the
 * tier cannot reach is set to its most, so that the constraint that breaks can say by how much; then the
 * answer is false.
 */
static bool
buy(const struct disk_limit *d, struct rates want, struct candidate *c)
{
	double unit = unit_mbps(d);
	want.mbps = fmax(want.mbps, want.restore_mbps);
	double need = fmax(want.iops, disk_limit_least_iops(d, c->size_gib)); /* skips NaN */
	if (disk_limit_mbps(d, 0) < want.mbps && d->mbps_per_iops > 0)
		need = fmax(need, ceil(want.mbps / (d->mbps_per_iops * unit) - 1e-9));
	double iops = fmin(need, d->iops_max);
	c->size_gib = size_for_iops(d, c->size_gib, iops);
	c->billed_gib = bill_size_gib(d, c->size_gib);
	c->bought_iops = fmin(iops, disk_limit_iops(d, c->size_gib));
	/* whole MB/s; a provider that counts MiB/s is not cut below its own whole numbers */
	double most = disk_limit_mbps(d, c->bought_iops);
	/* what comes with the IOPS and is not sold by itself is all there */
	if (d->throughput_billed == 0 && d->mbps_per_iops > 0)
		c->bought_mbps = most;
	else
		c->bought_mbps = fmin(fmax(want.mbps, least(d->mbps_min, d->mbps_base) * unit),
			unit > 1 ? most : floor(most));
	c->iops = c->bought_iops * c->disks;
	c->mbps = c->bought_mbps * c->disks;
	return c->bought_iops >= need && c->bought_mbps >= want.mbps;
}

static int
start(struct candidate_work *w, const struct disk_limit *d, double disks, struct candidate *c,
	struct rates *need, struct err *err)
{
	const struct candidate_site *s = w->site;
	candidate_clear(c, d, limits_title(s->in->limits, d->family));
	c->place = PLACE_REMOTE_ULTRA;
	c->redundancy = candidate_redundancy(s, d);
	c->size_gib = candidate_size_gib(s, d, disks);
	/* the flush bound needs the latency, which does not depend on what is bought */
	struct candidate probe = *c;
	probe.iops = d->iops_max;
	probe.mbps = (double)NAN;
	int rc = candidate_finish(w, &probe, err);
	c->disks = disks;
	struct burst_peak p = {.iops = probe.units, .mbps = s->demand->mbps};
	if (burst_is_asked(s->demand->volume)) /* these tiers have no burst: a peak is bought */
		p = burst_peak_of(s->demand, d->io_unit_kib, probe.units);
	need->iops = ceil(candidate_rate_each(s, p.iops, disks) - 1e-9);
	need->mbps = ceil(candidate_rate_each(s, p.mbps, disks) - 1e-9);
	/* of a restore nothing is kept free */
	need->restore_mbps = ceil(recovery_need_mbps(s, d, disks) / disks - 1e-9);
	return rc;
}

/*
 * Does every latency promised of this volume alone hold?  One that is not known does not: at its wall a disk
 * has none, with more bought it has.
 */
static bool
keeps_latency(const struct candidate_site *s, const struct candidate *c)
{
	static const enum constraint_id ids[] = {
		CONSTRAINT_READ_P99, CONSTRAINT_WRITE_P99, CONSTRAINT_COMMIT_P99};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct breach b = constraint_check(ids[i], s, c, NULL);
		if (b.broken)
			return false;
	}
	return true;
}

/* `start` with `times` of the rates; finished. */
static int
buy_times(struct candidate_work *w, const struct candidate *start, struct rates need, double times,
	struct candidate *c, struct err *err)
{
	*c = *start;
	buy(c->disk,
		(struct rates){ceil(need.iops * times), ceil(need.mbps * times), need.restore_mbps},
		c);
	return candidate_finish(w, c, err);
}

/* No p99 falls any more at a sixteenth of the use. */
static const double most_times = 16;

/*
 * The least rates that keep the promised latencies, from those of the demand (c) up: by bisection of the factor,
 * to one I/O a second.  *keeps: there are such.
 */
static int
keep_latency(struct candidate_work *w, const struct candidate *start, struct rates need,
	const struct candidate *least_one, struct candidate *kept, bool *keeps, struct err *err)
{
	struct candidate c;
	*kept = *least_one;
	*keeps = keeps_latency(w->site, kept);
	if (*keeps || !kept->latency.model)
		return 0;
	int rc = buy_times(w, start, need, most_times, kept, err);
	double lo = 1, hi = most_times, step = 1 / fmax(need.iops, 1);
	*keeps = rc == 0 && keeps_latency(w->site, kept);
	while (*keeps && hi - lo > step && rc == 0) {
		double mid = (lo + hi) / 2;
		rc = buy_times(w, start, need, mid, &c, err);
		bool holds = keeps_latency(w->site, &c);
		*kept = holds ? c : *kept;
		hi = holds ? mid : hi;
		lo = holds ? lo : mid;
	}
	return rc;
}

/* Is the volume part of a promise that only the whole choice keeps or breaks? */
static bool
in_transaction(const struct candidate_site *s)
{
	const struct workload_sla *sla = s->in->workload->sla;
	int role = s->demand->volume->role;
	return s->set->has_tx && sla && !isnan(sla->tx_p99_ms) &&
	       (role == WORKLOAD_DATA || role == WORKLOAD_INDEX);
}

/* Half and a third of the use: what the transactions gain is for the joint search to say. */
static int
add_for_transactions(
	struct candidate_work *w, const struct candidate *start, struct rates need, struct err *err)
{
	static const double times[] = {1.5, 2.5};
	int rc = 0;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]) && rc == 0; i++) {
		struct candidate c;
		rc = buy_times(w, start, need, times[i], &c, err);
		rc = rc ? rc : candidate_take(w, &c, err);
	}
	return rc;
}

/* One disk as it comes, nothing bought: cheaper, so it is to be said what it does not do. */
static int
add_bare(struct candidate_work *w, const struct candidate *start, const struct candidate *least_one,
	struct err *err)
{
	struct candidate c = *start;
	buy(c.disk, (struct rates){.iops = 0}, &c);
	int rc = candidate_finish(w, &c, err);
	bool cheaper = c.priced && least_one->priced && c.monthly < least_one->monthly - 0.005;
	return rc == 0 && cheaper ? candidate_take(w, &c, err) : rc;
}

/* Is a stripe that meets the need for `monthly` offered beside fewer disks that do for `fewer`? */
static bool
stripe_earns(const struct candidate_site *s, double monthly, double fewer)
{
	double frac = s->set->stripe_saving_frac;
	return isinf(fewer) || !(frac > 0) || monthly <= (1 - frac) * fewer * (1 + 1e-9);
}

/* What the fewer disks cost that meet the need; that keep the latencies as well. */
struct fewer {
	double meet, keep;
};

/* n disks as little as will do, and with what the latencies ask beside. */
static int
make_disks(struct candidate_work *w, const struct disk_limit *d, size_t n, struct fewer *fewer,
	struct err *err)
{
	struct candidate first, c, kept;
	struct rates need;
	bool keeps = false;
	int rc = start(w, d, (double)n, &first, &need, err);
	c = first;
	bool enough = buy(d, need, &c);
	rc = rc ? rc : candidate_finish(w, &c, err);
	if (rc || (n > 1 && !enough))
		return rc;
	rc = keep_latency(w, &first, need, &c, &kept, &keeps, err);
	bool same = kept.bought_iops <= c.bought_iops && kept.bought_mbps <= c.bought_mbps;
	bool meets = n == 1 || stripe_earns(w->site, c.monthly, fewer->meet);
	bool keep = keeps && (n == 1 || meets || stripe_earns(w->site, kept.monthly, fewer->keep));
	if (rc == 0 && (meets || (keep && same)))
		rc = candidate_take(w, &c, err);
	if (rc == 0 && keep && !same)
		rc = candidate_take(w, &kept, err);
	if (rc == 0 && meets && c.latency.model && in_transaction(w->site))
		rc = add_for_transactions(w, &first, need, err);
	if (rc == 0 && n == 1)
		rc = add_bare(w, &first, &c, err);
	if (enough && meets)
		fewer->meet = fmin(fewer->meet, c.monthly);
	if (enough && keep)
		fewer->keep = fmin(fewer->keep, kept.monthly);
	return rc;
}

/*
 * One disk where one will do.  A stripe is offered when one falls short, or when the allowance that
 * comes with every disk saves enough (stripe_saving_frac): several disks have no common snapshot.
 */
static int
make_bought(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	struct fewer fewer = {(double)INFINITY, (double)INFINITY};
	int rc = 0;
	for (size_t n = 1; n <= CANDIDATE_STRIPE_MAX && rc == 0; n++) {
		if (!isnan(candidate_size_gib(w->site, d, (double)n)))
			rc = make_disks(w, d, n, &fewer, err);
	}
	return rc;
}

const struct candidate_maker candidate_bought = {takes_bought, make_bought};
