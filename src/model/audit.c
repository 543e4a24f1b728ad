#include "model/audit.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "model/audit_internal.h"
#include "model/points.h"

static const double band_low = 0.97, band_high = 1.07; /* plateaus around a label, models.md 1.4 */

void
audit_latency_text(double us, char text[32])
{
	if (us >= 100)
		snprintf(text, 32, "%.2f ms", us / 1000);
	else
		snprintf(text, 32, us >= 10 ? "%.0f us" : "%.1f us", us);
}

void
audit_number_text(double value, char text[32])
{
	if (fabs(value) < 1000)
		snprintf(text, 32, "%.4g", value);
	else
		units_count_text(round(value), text);
}

/* "4 KiB randwrite, QD32" */
static void
name_cell(const struct profile_cell *c, char text[96])
{
	char size[32];
	units_size_text(c->bs_b, size);
	if (isnan(c->qd))
		snprintf(text, 96, "%s %s", size, names_text(&profile_op_names, c->op));
	else
		snprintf(
			text, 96, "%s %s, QD%g", size, names_text(&profile_op_names, c->op), c->qd);
}

static void
little(const struct profile_cell *c, const char *name, struct findings *out)
{
	double rate = points_rate(c);
	double ratio = points_little(c);
	if (!(ratio < 0.90 || ratio > 1.10))
		return;
	char iops[32], implied[32], stated[32], other[32];
	units_count_text(rate, iops);
	audit_latency_text(1e6 * c->qd / rate, implied);
	audit_latency_text(c->mean_us, stated);
	units_count_text(round(1e6 * c->qd / c->mean_us), other);
	findings_add(out, SEVERITY_WARNING, "little-law",
		"look for a wrong depth, a per-job mean or a unit error; measure to replace it",
		"%s: %s IOPS with %g outstanding mean %s, not %s; %s mean %s IOPS (outstanding = "
		"IOPS x latency is off by a factor of %.2f); left out of the fit",
		name, iops, c->qd, implied, stated, stated, other, ratio);
}

static void
below_light(const struct profile *p, const struct profile_cell *c, const char *name,
	struct findings *out)
{
	bool median = false;
	double rate = points_rate(c), light = points_light_us(p, c->op, c->bs_b, &median);
	double implied = 1e6 * c->qd / rate;
	/* a measured cell may beat another run's QD1: the traps of the fit judge those */
	bool published = profile_cell_trust(p, c) == TRUST_PUBLISHED;
	if (!published || points_off_curve(c) || !(c->qd > 1 && implied < 0.94 * light))
		return;
	char iops[32], means[32], base[32];
	units_count_text(rate, iops);
	audit_latency_text(implied, means);
	audit_latency_text(light, base);
	findings_add(out, SEVERITY_WARNING, "below-light-latency",
		"ask for jobs x depth of that run; measure to replace it",
		"%s: %s IOPS with %g outstanding mean %s, below the disk's own QD1 %s of %s: such "
		"a rate needs at least %.0f outstanding (several jobs)%s",
		name, iops, c->qd, means, median ? "median" : "mean", base,
		ceil(rate * light * 1e-6 - 1e-9),
		points_contradictory(p, c) ? "; left out of the fit" : "");
}

/* The seller's cap for this cell, as a rate; NaN: none. */
static double
quota_of(const struct profile *p, const struct profile_cell *c)
{
	if (!p->quota || points_off_curve(c))
		return (double)NAN;
	const struct profile_quota *q = p->quota;
	bool write = c->op == PROFILE_OP_RANDWRITE || c->op == PROFILE_OP_WRITE;
	double iops = write && !isnan(q->write_iops) ? q->write_iops : q->iops;
	double mbps = write && !isnan(q->write_mbps) ? q->write_mbps : q->mbps;
	return fmin(iops, mbps * UNITS_MB / c->bs_b);
}

static void
quota(const struct profile *p, const struct profile_cell *c, const char *name, struct findings *out)
{
	double rate = points_rate(c), cap = quota_of(p, c);
	if (!(rate >= band_low * cap && rate <= band_high * cap))
		return;
	char iops[32], limit[32], wait[32], base[32];
	bool median;
	double light = points_light_us(p, c->op, c->bs_b, &median);
	units_count_text(rate, iops);
	units_count_text(cap, limit);
	audit_latency_text(1e6 * c->qd / rate, wait);
	audit_latency_text(light, base);
	struct buf text;
	buf_init(&text, 1024);
	buf_printf(&text,
		"%s: %s IOPS stand at the seller's %s: limited by quota, not by the device", name,
		iops, limit);
	if (!isnan(c->qd) && c->qd > 1)
		buf_printf(
			&text, "; %g outstanding wait %s each (%g/%s)", c->qd, wait, c->qd, iops);
	if (!isnan(light))
		buf_printf(&text, "; base latency %s", base);
	findings_add(out, SEVERITY_NOTE, "quota-limited",
		"judge the device by its latency at depth 1, its capacity by the quota", "%s",
		buf_text(&text));
	buf_fini(&text);
}

static void
controller_cache(const struct profile *p, const struct profile_cell *c, const char *name,
	struct findings *out)
{
	bool platters = p->device == PROFILE_DEVICE_HDD || p->device == PROFILE_DEVICE_RAID_HDD;
	/* half a turn at 15,000 rpm alone is 2 ms */
	double us = isnan(c->mean_us) ? c->p50_us : c->mean_us;
	if (!platters || !(us < 1000))
		return;
	char latency[32];
	audit_latency_text(us, latency);
	findings_add(out, SEVERITY_WARNING, "controller-cache",
		"use random reads over an area beyond the cache to see the disks",
		"%s: %s is not the platter (half a turn takes 2 to 4 ms at 15,000 to 7,200 rpm): "
		"the controller's cache or read-ahead answered",
		name, latency);
}

void
audit_profile(const struct profile *p, const struct limits *limits, struct findings *out)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		char name[96];
		if (isnan(c->bs_b) || points_off_curve(c))
			continue; /* of a mix each side holds an unknown share of the queue */
		name_cell(c, name);
		little(c, name, out);
		below_light(p, c, name, out);
		quota(p, c, name, out);
		controller_cache(p, c, name, out);
	}
	audit_claims(p, limits, out);
}
