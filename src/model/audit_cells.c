/*
 * audit_cells.c - what IOPS, depth, latency, throughput and caps of one cell say to each other.
 */
#include <math.h>

#include "base/units.h"
#include "model/audit_internal.h"
#include "model/points.h"

const double audit_band_high = 1.07;
static const double band_low = 0.97; /* plateaus around a label, models.md 1.4 */

/*
 * Little's law.  Above 1.10 more was outstanding than stated, which cannot be; below 0.90 the queue was
 * not kept full, which can (a paced job), but not in a published figure that lacks half of it; a measured row
 * above 1.02 is no sounder.
 */
void
audit_cell_little(const struct cell_check *k)
{
	const struct profile_cell *c = k->c;
	struct audit *a = k->a;
	double ratio = points_little(c), rate = k->rate;
	if (!points_little_off(k->p, c))
		return;
	bool ran = k->trust == TRUST_MEASURED || k->trust == TRUST_IMPORTED;
	bool possible = ratio <= 1.10 && (ratio >= 0.5 || ran);
	const char *iops = audit_number(a, rate), *stated = audit_us(a, c->mean_us);
	const char *implied = audit_us(a, 1e6 * c->qd / rate);
	const char *other = audit_number(a, 1e6 * c->qd / c->mean_us);
	struct audit_finding *f = audit_cell_finding(
		k, possible ? AUDIT_DOUBT : AUDIT_CONTRADICTION, "little-law");
	f->text = audit_text(a, "%s IOPS with %g outstanding mean %s, not %s; %s mean %s IOPS",
		iops, c->qd, implied, stated, stated, other);
	f->arithmetic = audit_text(a,
		"outstanding = IOPS x latency = %s x %s = %s, not %g: off by a factor of %.2f",
		iops, stated, audit_number(a, rate * c->mean_us * 1e-6), c->qd, ratio);
	f->needs = audit_text(a, "%s outstanding instead of %g, or a mean of %s, or %s IOPS",
		audit_number(a, rate * c->mean_us * 1e-6), c->qd, implied, other);
	f->todo = "look for a wrong depth, a per-job mean or a unit error; measure to replace it";
}

/* Latency by Little's law against the disk's own at depth 1; NaN when either is unknown. */
static double
implied_over_light(const struct cell_check *k, double *light, bool *median)
{
	const struct profile_cell *c = k->c;
	*light = points_light_us(k->p, c->op, c->bs_b, median);
	return c->qd > 1 ? 1e6 * c->qd / k->rate / *light : (double)NAN;
}

static void
put_light(const struct cell_check *k, struct audit_finding *f, double light, bool median)
{
	struct audit *a = k->a;
	double outstanding = ceil(k->rate * light * 1e-6 - 1e-9);
	audit_input(a, f, median ? "median at QD1" : "mean at QD1", audit_us(a, light), k->trust,
		k->source);
	f->arithmetic = audit_text(a, "%g / %s IOPS = %s < %s; %s IOPS x %s = %s outstanding",
		k->c->qd, audit_number(a, k->rate), audit_us(a, 1e6 * k->c->qd / k->rate),
		audit_us(a, light), audit_number(a, k->rate), audit_us(a, light),
		audit_number(a, k->rate * light * 1e-6));
	f->needs = audit_text(a,
		"at least %s outstanding instead of %g, or a latency at depth 1 of at most %s",
		audit_count_text(a, outstanding), k->c->qd, audit_us(a, 1e6 * k->c->qd / k->rate));
}

/* No rate, but a latency under load below the light one. */
static void
loaded_below_light(const struct cell_check *k)
{
	const struct profile_cell *c = k->c;
	bool median = false;
	double light = points_light_us(k->p, c->op, c->bs_b, &median);
	if (!isnan(k->rate) || !(c->qd > 1) || !(c->mean_us < 0.94 * light) ||
		k->trust != TRUST_PUBLISHED)
		return;
	struct audit *a = k->a;
	struct audit_finding *f = audit_cell_finding(k, AUDIT_CONTRADICTION, "below-light-latency");
	const char *loaded = audit_us(a, c->mean_us), *alone = audit_us(a, light);
	f->text = audit_text(a,
		"a mean of %s with %g outstanding is below the disk's own QD1 %s of %s: a queue "
		"does not make an I/O faster",
		loaded, c->qd, median ? "median" : "mean", alone);
	f->arithmetic = audit_text(a, "%s / %s = %.2f, below 1", loaded, alone, c->mean_us / light);
	f->needs = audit_text(
		a, "a light latency of at most %s, or at least %s under load", loaded, alone);
	f->todo = "ask which of the two is of this disk; measure to replace them";
	audit_input(a, f, median ? "median at QD1" : "mean at QD1", alone, k->trust, k->source);
}

/* A published rate whose latency would lie below the light one. */
void
audit_cell_light(const struct cell_check *k)
{
	bool median = false;
	loaded_below_light(k);
	double light, ratio = implied_over_light(k, &light, &median);
	/* a measured cell may beat another run's QD1: the traps of the fit judge those */
	if (k->trust != TRUST_PUBLISHED || !(ratio < 0.94))
		return;
	struct audit *a = k->a;
	struct audit_finding *f = audit_cell_finding(k, AUDIT_CONTRADICTION, "below-light-latency");
	f->text = audit_text(a,
		"%s IOPS with %g outstanding mean %s, below the disk's own QD1 %s of %s: such a "
		"rate needs at least %s outstanding (several jobs)",
		audit_number(a, k->rate), k->c->qd, audit_us(a, 1e6 * k->c->qd / k->rate),
		median ? "median" : "mean", audit_us(a, light),
		audit_count_text(a, ceil(k->rate * light * 1e-6 - 1e-9)));
	f->todo = "ask for jobs x depth of that run; measure to replace it";
	put_light(k, f, light, median);
}

/* A measured one: processors that slept at depth 1, or a cache that answered when it was deep. */
void
audit_cell_deep(const struct cell_check *k)
{
	bool median = false;
	double light, ratio = implied_over_light(k, &light, &median);
	if (k->trust == TRUST_PUBLISHED || points_off_curve(k->c) || !(ratio < 0.8))
		return;
	struct audit *a = k->a;
	struct audit_finding *f = audit_cell_finding(k, AUDIT_DOUBT, "faster-when-deep");
	f->text = audit_text(a, "a mean of %s with %g outstanding is below the QD1 %s of %s",
		audit_us(a, 1e6 * k->c->qd / k->rate), k->c->qd, median ? "median" : "mean",
		audit_us(a, light));
	f->todo = "hold the processors awake, or look for a cache or readahead that answered";
	put_light(k, f, light, median);
}

/* The seller's cap for this cell, as a rate; NaN: none. */
static double
quota_of(const struct profile *p, const struct profile_cell *c)
{
	if (!p->quota)
		return (double)NAN;
	const struct profile_quota *q = p->quota;
	bool write = c->op == PROFILE_OP_RANDWRITE || c->op == PROFILE_OP_WRITE;
	double iops = write && !isnan(q->write_iops) ? q->write_iops : q->iops;
	double mbps = write && !isnan(q->write_mbps) ? q->write_mbps : q->mbps;
	return fmin(iops, mbps * UNITS_MB / c->bs_b);
}

void
audit_cell_quota(const struct cell_check *k)
{
	struct audit *a = k->a;
	const struct profile_cell *c = k->c;
	double rate = k->rate, cap = quota_of(k->p, c);
	if (!(rate >= band_low * cap && rate <= audit_band_high * cap))
		return;
	bool median, deep = !isnan(c->qd) && c->qd > 1;
	double light = points_light_us(k->p, c->op, c->bs_b, &median);
	const char *iops = audit_number(a, rate), *wait = "", *base = "";
	if (deep)
		wait = audit_text(a, "; %g outstanding wait %s each (%g/%s)", c->qd,
			audit_us(a, 1e6 * c->qd / rate), c->qd, iops);
	if (!isnan(light))
		base = audit_text(a, "; base latency %s", audit_us(a, light));
	struct audit_finding *f = audit_cell_finding(k, AUDIT_NOTE, "quota-limited");
	f->text = audit_text(a,
		"%s IOPS stand at the seller's %s: limited by quota, not by the device%s%s", iops,
		audit_number(a, cap), wait, base);
	f->arithmetic = audit_text(a, "%s / %s = %.2f", iops, audit_number(a, cap), rate / cap);
	f->todo = "judge the device by its latency at depth 1, its capacity by the quota";
	audit_input(a, f, "quota", audit_text(a, "%s IOPS", audit_number(a, cap)), TRUST_PUBLISHED,
		k->p->quota->source);
}

void
audit_cell_cache(const struct cell_check *k)
{
	const struct profile *p = k->p;
	const struct profile_cell *c = k->c;
	bool platters = p->device == PROFILE_DEVICE_HDD || p->device == PROFILE_DEVICE_RAID_HDD;
	/* half a turn at 15,000 rpm alone is 2 ms */
	double us = isnan(c->mean_us) ? c->p50_us : c->mean_us;
	if (!platters || !(us < 1000))
		return;
	struct audit_finding *f = audit_cell_finding(k, AUDIT_DOUBT, "controller-cache");
	f->text = audit_text(k->a,
		"%s is not the platter (half a turn takes 2 to 4 ms at 15,000 to 7,200 rpm): the "
		"controller's cache or read-ahead answered",
		audit_us(k->a, us));
	f->arithmetic = audit_text(k->a, "30,000 / 15,000 rpm = 2.00 ms > %s", audit_us(k->a, us));
	f->needs = "the blocks were in a cache, or read ahead, before they were asked for";
	f->todo = "use random reads over an area beyond the cache to see the disks";
}

static void
throughput_holds(const struct cell_check *k, double computed)
{
	struct audit *a = k->a;
	if (k->trust != TRUST_PUBLISHED)
		return;
	struct audit_finding *f = audit_cell_finding(k, AUDIT_AGREES, "throughput-holds");
	audit_input(
		a, f, "throughput", audit_text(a, "%.4g MiB/s", k->c->mibps), k->trust, k->source);
	f->text = audit_text(a, "%s IOPS of %s are %s MB/s, as stated", audit_number(a, k->c->iops),
		audit_size(a, k->c->bs_b), audit_number(a, units_mibps_to_mbps(computed)));
	f->arithmetic = audit_text(a, "%s x %g B / 10^6 = %s MB/s", audit_number(a, k->c->iops),
		k->c->bs_b, audit_number(a, units_mibps_to_mbps(computed)));
}

/* Throughput = IOPS x block size; the two megabytes are 4.9 % apart. */
void
audit_cell_throughput(const struct cell_check *k)
{
	const struct profile_cell *c = k->c;
	struct audit *a = k->a;
	double computed = c->iops * c->bs_b / UNITS_MIB, ratio = c->mibps / computed;
	const double both = UNITS_MIB / UNITS_MB;
	/* fio of old wrote whole KiB/s */
	double rounded = k->trust == TRUST_IMPORTED ? 1.5 / UNITS_KIB : 0;
	if (fabs(ratio - 1) <= 0.03)
		throughput_holds(k, computed);
	if (!(fabs(ratio - 1) > 0.03) || fabs(c->mibps - computed) < rounded)
		return;
	bool unit = fabs(ratio / both - 1) < 0.01 || fabs(ratio * both - 1) < 0.01;
	struct audit_finding *f = audit_cell_finding(
		k, unit ? AUDIT_DOUBT : AUDIT_CONTRADICTION, "throughput");
	audit_input(a, f, "throughput", audit_text(a, "%.4g MiB/s", c->mibps), k->trust, k->source);
	f->text = audit_text(a, "%s IOPS of %s are %s MiB/s, not %s%s", audit_number(a, c->iops),
		audit_size(a, c->bs_b), audit_number(a, computed), audit_number(a, c->mibps),
		unit ? ": MB/s (10^6) and MiB/s (2^20) were mixed" : "");
	f->arithmetic = audit_text(a, "%s x %s / 1 MiB = %s MiB/s; %s / %s = %.4g",
		audit_number(a, c->iops), audit_size(a, c->bs_b), audit_number(a, computed),
		audit_number(a, c->mibps), audit_number(a, computed), ratio);
	f->needs = audit_text(a, "%s IOPS, or a mean size of %s",
		audit_number(a, c->mibps * UNITS_MIB / c->bs_b),
		audit_size(a, c->mibps * UNITS_MIB / c->iops));
	f->todo = unit ? "state throughput in MiB/s"
		       : "trust IOPS x block size: throughput is the one that tools get wrong";
}

/* One sentence for all cells that obey Little's law. */
void
audit_little_summary(const struct profile *p, struct audit *a)
{
	size_t sound = 0, tested = 0;
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < p->n_cells; i++) {
		double ratio = points_little(&p->cells[i]);
		if (points_off_curve(&p->cells[i]) || isnan(ratio))
			continue;
		tested++;
		if (points_little_off(p, &p->cells[i]))
			continue;
		sound++;
		lo = fmin(lo, ratio);
		hi = fmax(hi, ratio);
	}
	if (sound == 0)
		return;
	struct audit_finding *f = audit_add(a, AUDIT_AGREES, "little-law-holds", "all cells");
	f->text = audit_text(a,
		"%zu of the %zu cells with rate, depth and mean obey Little's law within 10 %%",
		sound, tested);
	f->arithmetic = audit_text(a, "IOPS x mean / outstanding = %.2f to %.2f", lo, hi);
	audit_input(a, f, "cells", audit_text(a, "%zu", tested), p->trust, p->source);
}

/* ---- more than the disk is sold with ---- */

struct cap {
	double iops, mbps; /* MB/s of 10^6; NaN: not stated */
	const char *what; /* "the seller's quota", "the P30" */
	const char *source;
};

static double
cap_rate(const struct cap *cap, const struct profile_cell *c)
{
	return fmin(cap->iops, cap->mbps * UNITS_MB / c->bs_b);
}

/* The SKU's row: a fixed step's caps, or the most that can be bought. */
static const struct disk_limit *
row_of(const struct profile *p, const struct limits *limits)
{
	const struct disk_limit *d = NULL;
	return limits && p->sku && limits_disk(limits, p->sku, &d, NULL) == 0 ? d : NULL;
}

static const char *
higher_level(const struct disk_limit *d, struct audit *a, double rate)
{
	if (d && rate <= audit_band_high * d->iops_perf_plus)
		return audit_text(a, "the free performance-plus level of %s IOPS, set at creation",
			audit_number(a, d->iops_perf_plus));
	if (d && rate <= audit_band_high * d->burst_iops)
		return audit_text(a, "a burst (up to %s IOPS%s%s), which does not last",
			audit_number(a, d->burst_iops), d->burst_model ? "; " : "",
			d->burst_model ? d->burst_model : "");
	return NULL;
}

/* The cell furthest over the cap, of one direction. */
static void
over_cap(const struct profile *p, const struct cap *cap, const struct disk_limit *d, int op,
	struct audit *a)
{
	const struct profile_cell *worst = NULL;
	double most = audit_band_high;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		double ratio = points_rate(c) / cap_rate(cap, c);
		if (c->op != op || points_off_curve(c) || !(ratio > most))
			continue;
		worst = c;
		most = ratio;
	}
	if (!worst)
		return;
	struct cell_check k = {a, p, NULL, worst, audit_cell_name(a, worst), points_rate(worst),
		profile_cell_trust(p, worst), worst->source ? worst->source : p->source};
	const char *limit = audit_number(a, cap_rate(cap, worst));
	const char *level = higher_level(d, a, k.rate);
	struct audit_finding *f = audit_cell_finding(
		&k, level ? AUDIT_DOUBT : AUDIT_CONTRADICTION, "over-cap");
	audit_input(a, f, "cap", audit_text(a, "%s IOPS", limit), TRUST_PUBLISHED, cap->source);
	f->text = audit_text(a,
		"%s IOPS exceed %s of %s IOPS: a burst or a cache answered, not usable as capacity",
		audit_number(a, k.rate), cap->what, limit);
	f->arithmetic = audit_text(
		a, "%s / %s = %.2f, above 1.07", audit_number(a, k.rate), limit, most);
	f->needs = level ? level
			 : audit_text(a, "a cap of at least %s IOPS",
				   audit_number(a, k.rate / audit_band_high));
	f->todo = "run longer than the burst window with a working set beyond every cache; until "
		  "then plan with the cap";
}

void
audit_over_cap(const struct profile *p, const struct limits *limits, struct audit *a)
{
	const struct disk_limit *d = row_of(p, limits);
	for (int op = -1; op < PROFILE_OP_COUNT; op++) {
		bool write = op == PROFILE_OP_RANDWRITE || op == PROFILE_OP_WRITE;
		if (p->quota) {
			const struct profile_quota *q = p->quota;
			struct cap cap = {write && !isnan(q->write_iops) ? q->write_iops : q->iops,
				write && !isnan(q->write_mbps) ? q->write_mbps : q->mbps,
				"the seller's quota", q->source};
			over_cap(p, &cap, NULL, op, a);
		}
		if (d) {
			bool bought = disk_limit_is_provisioned(d);
			struct cap cap = {d->iops_max,
				bought ? disk_limit_mbps(d, d->iops_max) : disk_limit_base_mbps(d),
				audit_text(a, "the %s's limit", d->sku), d->source};
			over_cap(p, &cap, d, op, a);
		}
	}
}
