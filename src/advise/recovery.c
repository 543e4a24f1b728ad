#include "advise/recovery.h"

#include <math.h>

#include "advise/constraint.h"
#include "base/units.h"

#define DAY_S 86400.0 /* a copy is taken once a day, as the backup's demand has it */

int
recovery_source(const struct workload *w)
{
	if (w->recovery)
		return w->recovery->source;
	for (size_t i = 0; i < w->n_volumes; i++) {
		if (w->volumes[i].role == WORKLOAD_BACKUP)
			return WORKLOAD_BACKUP_COPY;
	}
	return WORKLOAD_SNAPSHOT;
}

double
recovery_log_mb(const struct workload *w, const struct demand_set *set)
{
	if (w->recovery && !isnan(w->recovery->replay_gib))
		return w->recovery->replay_gib * UNITS_GIB / UNITS_MB;
	if (!set->has_tx || isnan(set->tx.target_tps) || isnan(set->tx.wal_kib))
		return 0;
	return set->tx.target_tps * set->tx.utilisation * DAY_S * set->tx.wal_kib * UNITS_KIB /
	       UNITS_MB;
}

double
recovery_fee(const struct price_book *book, const struct candidate *c, double size_mb)
{
	const struct price_row *row = NULL;
	struct err err = {0};
	int rc = price_book_find(
		book, c->disk->family, c->disk->sku, NULL, PRICE_ITEM_RESTORE, &row, &err);
	if (rc)
		return (double)NAN;
	double mb_each = row->unit == PRICE_UNIT_TB ? 1e6 : 1e3;
	return row->price * size_mb / mb_each;
}

static bool
holds_pages(int role)
{
	return role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

static bool
comes_back(int role, int source)
{
	return holds_pages(role) || (role == WORKLOAD_WAL && source == WORKLOAD_SNAPSHOT);
}

/* Everything that has to come back through the machine, and the room the copies have there. */
static double
sum_mb(const struct demand_set *set, int source, double *copies_gib)
{
	double sum = 0;
	*copies_gib = 0;
	for (size_t i = 0; i < set->n; i++) {
		int role = set->volumes[i].volume->role;
		if (comes_back(role, source))
			sum += set->volumes[i].horizon_gib * UNITS_GIB / UNITS_MB;
		if (role == WORKLOAD_BACKUP)
			*copies_gib += set->volumes[i].horizon_gib;
	}
	return sum;
}

/* The part of the copy that a backup volume holds. */
static double
part_mb(const struct candidate_site *s, int source)
{
	double copies_gib, all_mb = sum_mb(s->set, source, &copies_gib);
	return all_mb * s->demand->horizon_gib / copies_gib;
}

/* What is left once everything is loaded. */
static void
rest(const struct candidate_site *s, struct recovery *r)
{
	const struct workload_recovery *given = s->in->workload->recovery;
	double other = given ? given->other_hours : (double)NAN;
	if (r->source == WORKLOAD_STANDBY) {
		r->rest_h = other;
		r->rest_least_h = isnan(other) ? 0 : other;
		r->gap = isnan(other) ? "how long a standby takes to take over: time a switch, and "
					"give recovery.other_hours"
				      : NULL;
		return;
	}
	double log_mb = recovery_log_mb(s->in->workload, s->set);
	double rate = given ? given->replay_mbps : (double)NAN;
	r->rest_least_h = isnan(other) ? 0 : other;
	r->rest_h = r->rest_least_h;
	if (!(log_mb > 0))
		return;
	r->rest_h += log_mb / rate / 3600;
	if (!isnan(rate)) {
		r->rest_least_h = r->rest_h;
		return;
	}
	char log[32];
	units_count_text(log_mb, log);
	r->gap = arena_printf(s->arena,
		"how fast %s MB of log are applied after the copy: replay some and give "
		"recovery.replay_mbps",
		log);
}

/* MB/s of the machine for this disk's kind; INFINITY: no cap known. */
static double
machine_mbps(const struct candidate_site *s, const struct candidate *c)
{
	double cap[CAP_COUNT];
	constraint_machine_caps(s->in->limits, s->vm, 0, cap);
	if (c->place == PLACE_LOCAL)
		return (double)INFINITY;
	return c->place == PLACE_REMOTE ? cap[CAP_UNCACHED_MBPS] : cap[CAP_REMOTE_MBPS];
}

static double
hours(double mb, double mbps)
{
	return mb / mbps / 3600;
}

/* The longer of the volume's own time and that of the machine; at least that, when the rate is not known. */
static void
load(struct recovery *r, double machine_h)
{
	if (isnan(r->rate_lo)) {
		r->load_lo_h = machine_h;
		return;
	}
	r->load_lo_h = fmax(hours(r->size_mb, r->rate_hi), machine_h);
	r->load_hi_h = fmax(hours(r->size_mb, r->rate_lo), machine_h);
	r->machine_binds = machine_h > hours(r->size_mb, r->rate_lo);
}

static double
measured_rate(const struct candidate_site *s)
{
	const struct workload_recovery *given = s->in->workload->recovery;
	return given ? given->loading_mbps : (double)NAN;
}

/* The rate of a snapshot: measured, else what the limits say of the tier. */
static void
snapshot_rate(const struct candidate_site *s, const struct candidate *c, struct recovery *r)
{
	const struct disk_limit *d = c->disk;
	double given = measured_rate(s);
	r->trust = isnan(given) ? d->restore_trust < 0 ? TRUST_PUBLISHED : d->restore_trust
				: TRUST_MEASURED;
	r->basis = !isnan(given)       ? "recovery.loading_mbps of the workload"
		   : d->restore_source ? d->restore_source
				       : d->source;
	r->rate_lo = isnan(given) ? d->restore_mbps_min : given;
	r->rate_hi = isnan(given) && !isnan(d->restore_mbps_max) ? d->restore_mbps_max : r->rate_lo;
	if (!isnan(given))
		return;
	/* each disk of a stripe is loaded by itself; reading it is no faster than the disk */
	r->rate_lo *= c->disks;
	r->rate_hi *= c->disks;
	if (c->mbps < r->rate_lo)
		r->rate_lo = c->mbps;
	if (c->mbps < r->rate_hi)
		r->rate_hi = c->mbps;
}

static void
from_snapshot(const struct candidate_site *s, const struct candidate *c, struct recovery *r)
{
	const struct disk_limit *d = c->disk;
	double copies_gib, all_mb = sum_mb(s->set, r->source, &copies_gib);
	r->read_ms = d->restore_read_ms;
	if (d->ephemeral == 1) {
		r->gap = "a local disk has no snapshots: it is filled from the other copies; time "
			 "one, and give recovery.loading_mbps";
		r->rate_lo = r->rate_hi = measured_rate(s);
	} else {
		snapshot_rate(s, c, r);
		r->paid_mbps = units_mibps_to_mbps(d->restore_paid_mibps_max) * c->disks;
		r->paid_h = hours(r->size_mb, r->paid_mbps);
		r->ready = c->size_gib <= d->restore_ready_gib_max;
	}
	load(r, all_mb / machine_mbps(s, c) / 3600);
	if (isnan(r->rate_lo))
		r->load_lo_h = 0; /* the provider may load it without the machine */
	if (!isnan(d->restore_hours_max) && !(r->load_hi_h <= d->restore_hours_max))
		r->load_hi_h = d->restore_hours_max;
	if (isnan(r->rate_lo) && d->ephemeral != 1)
		r->gap = arena_printf(s->arena,
			"how fast %s is loaded from a snapshot: nobody states it%s%s%s; time a "
			"restore of a full volume, and give recovery.loading_mbps",
			d->sku, d->restore_note ? " (" : "", d->restore_note ? d->restore_note : "",
			d->restore_note ? ")" : "");
}

/* A copy is read back: from a backup volume of this machine, or over the network. */
static void
from_copy(const struct candidate_site *s, const struct candidate *c, struct recovery *r)
{
	double copies_gib, all_mb = sum_mb(s->set, r->source, &copies_gib);
	double given = measured_rate(s), passes = copies_gib > 0 ? 2 : 1;
	r->trust = isnan(given) ? TRUST_DERIVED : TRUST_MEASURED;
	r->basis = isnan(given) ? "MB/s of the disks and of the machine"
				: "recovery.loading_mbps of the workload";
	r->rate_lo = r->rate_hi = isnan(given) ? c->mbps : given;
	if (s->demand->volume->role == WORKLOAD_BACKUP) {
		r->size_mb = part_mb(s, r->source);
		r->rate_lo = r->rate_hi = c->mbps;
	}
	load(r, passes * all_mb / machine_mbps(s, c) / 3600);
	if (copies_gib > 0 || !isnan(given))
		return;
	r->load_hi_h = (double)NAN;
	r->gap = "how fast the copy comes over the network: time a restore of a full volume, and "
		 "give recovery.loading_mbps";
}

double
recovery_need_mbps(const struct candidate_site *s, const struct disk_limit *d, double disks)
{
	const struct workload_sla *sla = s->in->workload->sla;
	int role = s->demand->volume->role;
	struct recovery r = {.source = recovery_source(s->in->workload)};
	bool copy = role == WORKLOAD_BACKUP && r.source == WORKLOAD_BACKUP_COPY;
	bool loaded = comes_back(role, r.source) && r.source != WORKLOAD_STANDBY;
	if (!sla || isnan(sla->rto_hours) || !(copy || loaded))
		return 0;
	rest(s, &r);
	double left_s = 3600 * (sla->rto_hours - (isnan(r.rest_h) ? r.rest_least_h : r.rest_h));
	double mb = copy ? part_mb(s, r.source) : s->demand->horizon_gib * UNITS_GIB / UNITS_MB;
	double need = left_s > 0 ? mb / left_s : 0;
	double most = disks * d->restore_mbps_min; /* what the snapshot gives: more buys nothing */
	return r.source == WORKLOAD_SNAPSHOT && !(most >= need) ? 0 : need;
}

/* What the whole takes, and whether the bought rate is needed for it. */
static void
decide(struct recovery *r, double limit_h)
{
	r->lo_h = r->load_lo_h + r->rest_least_h;
	r->hi_h = r->load_hi_h + r->rest_h;
	bool meets = r->hi_h <= limit_h * (1 + 1e-9);
	bool would = r->paid_h + r->rest_h <= limit_h * (1 + 1e-9);
	r->paid = !isnan(limit_h) && !meets && would;
	bool unknown = isnan(r->hi_h) || (isnan(r->rate_lo) && r->source != WORKLOAD_STANDBY);
	r->open = unknown && !meets && !r->paid && !(r->lo_h > limit_h);
	if (!r->paid)
		return;
	r->lo_h = r->paid_h + r->rest_least_h;
	r->hi_h = r->paid_h + r->rest_h;
	r->machine_binds = false;
	r->gap = NULL;
}

void
recovery_rates(const struct recovery *r, double *lo, double *hi)
{
	*lo = r->paid ? r->paid_mbps : r->rate_lo;
	*hi = r->paid ? r->paid_mbps : r->rate_hi;
	if (r->paid || isnan(r->rate_lo) || !(r->size_mb > 0))
		return;
	if (r->load_hi_h > 0)
		*lo = r->size_mb / r->load_hi_h / 3600;
	if (r->load_lo_h > 0)
		*hi = r->size_mb / r->load_lo_h / 3600;
}

void
recovery_of(const struct candidate_site *s, const struct candidate *c, double limit_h,
	struct recovery *out)
{
	const struct workload *w = s->in->workload;
	int role = s->demand->volume->role;
	*out = (struct recovery){.source = recovery_source(w),
		.assumed = w->recovery == NULL,
		.size_mb = s->demand->horizon_gib * UNITS_GIB / UNITS_MB,
		.rate_lo = (double)NAN,
		.rate_hi = (double)NAN,
		.load_hi_h = (double)NAN,
		.paid_mbps = (double)NAN,
		.paid_h = (double)NAN,
		.read_ms = (double)NAN,
		.trust = -1};
	double copies_gib;
	bool copy = role == WORKLOAD_BACKUP && out->source == WORKLOAD_BACKUP_COPY;
	/* a copy of what other machines have is read back there */
	out->applies = comes_back(role, out->source) ||
		       (copy && sum_mb(s->set, out->source, &copies_gib) > 0);
	if (!out->applies)
		return;
	rest(s, out);
	if (out->source == WORKLOAD_STANDBY) {
		out->size_mb = out->load_lo_h = out->load_hi_h = 0;
		out->trust = TRUST_MEASURED;
		out->basis = "recovery.other_hours of the workload";
	} else if (out->source == WORKLOAD_SNAPSHOT) {
		from_snapshot(s, c, out);
	} else {
		from_copy(s, c, out);
	}
	decide(out, limit_h);
}
