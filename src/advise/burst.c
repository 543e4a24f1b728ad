#include "advise/burst.h"

#include <math.h>

#include "advise/build.h"
#include "base/units.h"

static const double day_s = 86400;

bool
burst_is_asked(const struct workload_volume *v)
{
	return v->burst_minutes_day > 0 && (v->burst_iops > 0 || v->burst_mbps > 0);
}

struct burst_peak
burst_peak_of(const struct demand *d, double unit_kib, double sustained)
{
	const struct workload_volume *v = d->volume;
	double pieces = isnan(unit_kib) || isnan(d->io_kib) ? 1 : ceil(d->io_kib / unit_kib);
	double bytes_mbps = v->burst_iops * d->io_kib * UNITS_KIB / UNITS_MB;
	return (struct burst_peak){.iops = fmax(v->burst_iops * pieces, sustained), /* skips NaN */
		.mbps = fmax(fmax(v->burst_mbps, bytes_mbps), d->mbps),
		.seconds_day = v->burst_minutes_day * 60};
}

static struct burst_peak
peak_at(const struct candidate_site *s, const struct candidate *c)
{
	return burst_peak_of(s->demand, c->disk->io_unit_kib, c->units);
}

/* The first of two rates that falls short; the other where it does not. */
static bool
reaches(struct burst_answer *a, double iops, double mbps)
{
	bool rate = !(a->peak.iops > iops * (1 + 1e-9));
	bool bytes = !(a->peak.mbps > mbps * (1 + 1e-9));
	a->unit = rate && !bytes ? "MB/s" : "IOPS";
	a->need = rate && !bytes ? a->peak.mbps : a->peak.iops;
	a->have = rate && !bytes ? mbps : iops;
	return rate && bytes;
}

/* How long a full bucket lasts, and how much of it each day fills again. */
static double
lasts(double bucket, double peak, double level, double used, double seconds_day)
{
	double drain = peak - level;
	if (!(drain > 0))
		return (double)INFINITY;
	double filled = fmax(0, level - used) * (day_s - seconds_day);
	return fmin(bucket, filled) / drain;
}

/* Of one disk; NaN: the limits do not say how long its burst lasts. */
static double
credits_last(const struct candidate_site *s, const struct candidate *c, const struct burst_peak *p)
{
	const struct disk_limit *d = c->disk;
	double n = c->disks, unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	double level_iops = c->iops / n, level_mbps = c->mbps / n;
	double bucket_iops = isnan(d->burst_credit_ios)
				     ? (d->burst_iops - level_iops) * d->burst_seconds
				     : d->burst_credit_ios;
	double bucket_mb = (d->burst_mbps * unit - level_mbps) * d->burst_seconds;
	double iops = lasts(bucket_iops, p->iops / n, level_iops,
		isnan(c->units) ? 0 : c->units / n, p->seconds_day);
	double mbps = lasts(bucket_mb, p->mbps / n, level_mbps,
		isnan(s->demand->mbps) ? 0 : s->demand->mbps / n, p->seconds_day);
	return isnan(iops) || isnan(mbps) ? (double)NAN : fmin(iops, mbps);
}

/* What the machine lets through while it bursts itself, as long as its own credits last. */
static bool
machine_takes(const struct candidate_site *s, const struct candidate *c, struct burst_answer *a)
{
	const struct vm_limit *vm = s->vm;
	if (!vm || c->place == PLACE_LOCAL)
		return true;
	double cap[CAP_COUNT], usable = 1 - s->set->headroom;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	constraint_machine_caps(s->in->limits, vm, s->set->headroom, cap);
	double iops = cap[CAP_REMOTE_IOPS], mbps = cap[CAP_REMOTE_MBPS];
	if (!(vm->burst_seconds < a->peak.seconds_day)) {
		iops = fmax(iops, vm->uncached_burst_iops * usable); /* skips NaN */
		mbps = fmax(mbps, vm->uncached_burst_mbps * unit * usable);
	}
	struct burst_answer machine = *a;
	if (reaches(&machine, iops, mbps))
		return true;
	*a = machine;
	return false;
}

static enum burst_means
means_of(const struct candidate_site *s, const struct candidate *c, struct burst_answer *a)
{
	const struct disk_limit *d = c->disk;
	double usable = 1 - s->set->headroom;
	double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	if (reaches(a, c->iops * usable, c->mbps * usable))
		return BURST_SUSTAINED;
	bool credits = d->burst_billed == 0 && !c->raised && !c->plus;
	if (!credits && !c->burst)
		return BURST_TOO_HIGH;
	if (!reaches(a, fmax(c->iops, d->burst_iops * c->disks) * usable,
		    fmax(c->mbps, d->burst_mbps * unit * c->disks) * usable))
		return BURST_TOO_HIGH;
	if (c->burst)
		return BURST_ON_DEMAND;
	a->lasts_s = credits_last(s, c, &a->peak);
	a->unit = "min";
	a->need = a->peak.seconds_day / 60;
	a->have = a->lasts_s / 60;
	return a->lasts_s >= a->peak.seconds_day * (1 - 1e-9) ? BURST_CREDITS : BURST_TOO_LONG;
}

struct burst_answer
burst_meets(const struct candidate_site *s, const struct candidate *c)
{
	struct burst_answer a = {.means = BURST_NO_PEAK, .lasts_s = (double)INFINITY};
	if (!burst_is_asked(s->demand->volume))
		return a;
	a.peak = peak_at(s, c);
	a.means = means_of(s, c, &a);
	bool enough = a.means == BURST_SUSTAINED || a.means == BURST_CREDITS ||
		      a.means == BURST_ON_DEMAND;
	if (enough && !machine_takes(s, c, &a))
		a.means = BURST_MACHINE;
	return a;
}

double
burst_operations_month(const struct candidate_site *s, const struct candidate *c)
{
	struct burst_peak p = peak_at(s, c);
	double days = s->in->book->hours_per_month / 24;
	return disk_limit_burst_operations(c->disk, p.iops / c->disks, p.mbps / c->disks) *
	       p.seconds_day * days;
}

/* "3,000 IOPS and 120 MB/s for 20 minutes a day" */
static const char *
peak_text(const struct burst_peak *p, struct arena *a)
{
	char iops[32], mbps[32];
	units_count_text(p->iops, iops);
	units_count_text(p->mbps, mbps);
	return arena_printf(a, "%s IOPS and %s MB/s for %g minutes a day", iops,
		isnan(p->mbps) ? "unknown" : mbps, p->seconds_day / 60);
}

static const char *
why_not(const struct candidate_site *s, const struct candidate *c, const struct burst_answer *b)
{
	struct arena *a = s->arena;
	const char *name = candidate_name(c, a), *peak = peak_text(&b->peak, a);
	char need[32], have[32];
	units_count_text(b->need, need);
	units_count_text(b->have, have);
	if (b->means == BURST_MACHINE)
		return arena_printf(a,
			"%s lets %s %s through, burst counted: %s < %s of the peak (%s)",
			s->vm->sku, have, b->unit, have, need, peak);
	if (b->means == BURST_TOO_LONG && isnan(b->lasts_s))
		return arena_printf(a,
			"how long the burst of %s lasts is not known: the peak of %s cannot be "
			"promised",
			name, peak);
	if (b->means == BURST_TOO_LONG)
		return arena_printf(a,
			"the credits of %s last %.3g minutes a day at the peak: %.3g < %g (%s)",
			name, b->have, b->have, b->need, peak);
	return arena_printf(a, "%s reaches %s %s%s: %s < %s of the peak (%s)", name, have, b->unit,
		c->burst ? " while it bursts" : "", have, need, peak);
}

struct breach
burst_check(const struct candidate_site *s, const struct candidate *c)
{
	struct burst_answer b = burst_meets(s, c);
	struct breach out = {.constraint = -1,
		.need = (double)NAN,
		.have = (double)NAN,
		.best = (double)NAN,
		.margin_frac = (double)NAN};
	if (b.means == BURST_NO_PEAK)
		return out;
	out.applies = true;
	out.need = b.need;
	out.have = b.have;
	out.unit = b.unit;
	out.broken = b.means == BURST_TOO_HIGH || b.means == BURST_TOO_LONG ||
		     b.means == BURST_MACHINE;
	out.margin_frac = b.have > 0 ? (b.have - b.need) / b.have : -1;
	if (isinf(b.have))
		out.margin_frac = 1;
	if (out.broken)
		out.text = why_not(s, c, &b);
	return out;
}

/* "A short peak of ... is within what the disks sustain." */
static const char *
met_text(const struct burst_answer *a, struct arena *arena)
{
	if (a->means == BURST_SUSTAINED)
		return arena_printf(arena, "A short peak of %s is within what the disks sustain.",
			peak_text(&a->peak, arena));
	if (a->means == BURST_CREDITS)
		return arena_printf(arena,
			"A short peak of %s is met by burst credits, which last %.3g minutes a day "
			"at it.",
			peak_text(&a->peak, arena), a->lasts_s / 60);
	if (a->means == BURST_ON_DEMAND)
		return arena_printf(arena,
			"A short peak of %s is met by bursting on demand, with its fee and "
			"transactions "
			"in the bill.",
			peak_text(&a->peak, arena));
	return NULL;
}

/* "Of 6,000 reads/s the host's cache answers 80 %: 1,200 reach the disks." */
static const char *
hits_text(const struct candidate_site *s, const struct candidate *c)
{
	char all[32], left[32];
	if (!c->at_disk)
		return NULL;
	units_count_text(s->demand->read_iops, all);
	units_count_text(c->at_disk->read_iops, left);
	return arena_printf(s->arena,
		"Of %s reads/s the host's cache answers %g %%: %s reads/s reach the disks and "
		"count "
		"against the machine's uncached caps.",
		all, 100 * s->demand->volume->cache_hit_frac, left);
}

/* How each chosen disk meets its peak: what holds only for minutes is said. */
int
build_burst(struct build *b, struct err *err)
{
	(void)err;
	for (size_t v = 0; v < b->c->set.n && b->choice.found; v++) {
		const struct candidate_site *s = &b->c->options[b->choice.option].sites[v];
		const struct candidate *c = b->choice.at[v];
		struct burst_answer a = burst_meets(s, c);
		b->plan->volumes[v].peak = met_text(&a, b->arena);
		b->plan->volumes[v].hits = hits_text(s, c);
		if (a.means == BURST_CREDITS)
			findings_add(b->findings, SEVERITY_WARNING, "burst-credits",
				"watch the credits that are left; a longer peak falls back to what "
				"the disk "
				"sustains",
				"%s: the peak of %s is met by the credits of %s, which last %.3g "
				"minutes "
				"a day at it",
				s->demand->label, peak_text(&a.peak, b->arena),
				candidate_name(c, b->arena), a.lasts_s / 60);
		if (a.means == BURST_ON_DEMAND)
			findings_add(b->findings, SEVERITY_NOTE, "burst-on-demand",
				"switch it on with the disk detached or the machine stopped; it "
				"cannot be "
				"switched off for 12 hours",
				"%s: the peak of %s is met by bursting on demand, with its fee and "
				"transactions in the bill",
				s->demand->label, peak_text(&a.peak, b->arena));
	}
	return 0;
}
