/*
 * restore.c - how long the plan takes to come back, and what else there is: for each volume that is
 * loaded the plan's own way, and of every tier the cheapest disk that does all but that (build.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/build.h"
#include "advise/recovery.h"
#include "base/units.h"

static const char *
way_of(const struct recovery *r, bool bought)
{
	if (r->source == WORKLOAD_STANDBY)
		return "a standby takes over";
	if (r->source == WORKLOAD_BACKUP_COPY)
		return "from the backup";
	return bought ? "from a snapshot, rate bought" : "from a snapshot";
}

/* "135", "700 to 1,200" */
static const char *
rate_text(struct arena *a, double lo, double hi)
{
	char low[32], high[32];
	units_count_text(lo, low);
	units_count_text(hi, high);
	return hi > lo ? arena_printf(a, "%s to %s", low, high) : arena_strdup(a, low);
}

static const char *
read_text(struct arena *a, const struct recovery *r)
{
	if (isnan(r->read_ms))
		return "";
	const char *text = arena_printf(a,
		"; until it is loaded a read takes about %g ms, so available is not fast enough",
		r->read_ms);
	return text ? text : "";
}

/* ", 0.50 h for the log and the rest after it" */
static const char *
rest_text(struct arena *a, const struct recovery *r)
{
	double rest_h = isnan(r->rest_h) ? r->rest_least_h : r->rest_h;
	const char *text = rest_h > 0
				   ? arena_printf(a, ", %.2f h for the log and the rest after it",
					     rest_h)
				   : "";
	return text ? text : "";
}

const char *
restore_words(struct arena *a, const char *label, const struct recovery *r)
{
	double lo, hi;
	char size[32];
	recovery_rates(r, &lo, &hi);
	units_count_text(r->size_mb, size);
	if (r->source == WORKLOAD_STANDBY)
		return "a standby takes over, as the workload says; nothing is loaded";
	if (isnan(lo))
		return arena_printf(a,
			"%s: %s MB %s, at most the %g h that the provider states%s%s", label, size,
			way_of(r, r->paid), r->load_hi_h, rest_text(a, r), read_text(a, r));
	return arena_printf(a, "%s: %s MB %s at %s MB/s%s, %.2f h%s%s", label, size,
		way_of(r, r->paid), rate_text(a, round(lo), round(hi)),
		r->machine_binds ? " (what the machine lets through)" : "",
		r->paid ? r->paid_h : r->load_hi_h, rest_text(a, r), read_text(a, r));
}

/* A longest time that somebody states is no rate: above the limit it tells nothing. */
static int
verdict_of(bool rate_known, double lo, double hi, double limit)
{
	if (isnan(limit))
		return -1;
	if (hi <= limit * (1 + 1e-9))
		return PLAN_PASS;
	return lo > limit || (rate_known && !isnan(hi)) ? PLAN_FAIL : PLAN_UNKNOWN;
}

/* One way of one candidate. */
struct way {
	size_t volume;
	const struct candidate *c;
	const struct recovery *r; /* without a bought rate */
	bool bought, ready, chosen;
};

static const char *
way_note(const struct way *w, double fee)
{
	if (w->ready)
		return "charged by the hour while it is kept ready, which no price book holds: not "
		       "counted on";
	if (w->bought)
		return isnan(fee) ? "what the rate costs is not in the price book"
				  : "the rate is asked for when the disk is made";
	if (isnan(w->r->load_hi_h) || isnan(w->r->rate_lo))
		return w->r->gap;
	if (w->r->machine_binds)
		return "the machine's MB/s hold it back";
	if (!isnan(w->c->bought_mbps) && w->r->source == WORKLOAD_SNAPSHOT &&
		w->r->rate_hi < w->c->mbps)
		return "the MB/s bought do not make it faster";
	return NULL;
}

static int
add_way(struct build *b, const struct way *w, double limit, struct err *err)
{
	struct plan_recovery *p = b->plan->recovery;
	const struct recovery *r = w->r;
	struct plan_restore *rows = arena_grow(b->arena, p->restores, p->n_restores, sizeof(*rows));
	if (!rows)
		return err_nomem(err);
	double load_lo = w->ready ? 0 : w->bought ? r->paid_h : r->load_lo_h;
	double load_hi = w->ready ? 0 : w->bought ? r->paid_h : r->load_hi_h;
	bool rate_known = w->bought || w->ready || !isnan(r->rate_lo) ||
			  r->source == WORKLOAD_STANDBY;
	double fee = w->bought ? recovery_fee(b->c->in->book, w->c, r->size_mb) : (double)NAN;
	double rate_lo, rate_hi;
	recovery_rates(r, &rate_lo, &rate_hi);
	p->restores = rows;
	rows[p->n_restores++] = (struct plan_restore){
		.volume = b->c->set.volumes[w->volume].label,
		.title = candidate_name(w->c, b->arena),
		.way = w->ready ? "from a snapshot kept ready" : way_of(r, w->bought),
		.chosen = w->chosen,
		.rate_lo = w->ready    ? (double)NAN
			   : w->bought ? r->paid_mbps
				       : rate_lo,
		.rate_hi = w->ready    ? (double)NAN
			   : w->bought ? r->paid_mbps
				       : rate_hi,
		.hours_lo = load_lo + r->rest_least_h,
		.hours_hi = load_hi + r->rest_h,
		.monthly = w->c->priced ? w->c->monthly : (double)NAN,
		.fee = fee,
		.verdict = verdict_of(
			rate_known, load_lo + r->rest_least_h, load_hi + r->rest_h, limit),
		.trust = r->trust,
		.source = r->basis,
		.note = way_note(w, fee),
	};
	return 0;
}

/* The ways of one candidate: without and with a bought rate. */
static int
add_ways(struct build *b, size_t v, const struct candidate_site *site, const struct candidate *c,
	bool chosen, struct err *err)
{
	double limit = b->plan->recovery->limit_hours;
	struct recovery free, taken;
	recovery_of(site, c, (double)NAN, &free);
	recovery_of(site, c, limit, &taken);
	if (!free.applies)
		return 0;
	const bool offered[] = {chosen || !isnan(free.hi_h) || !isnan(free.rate_lo),
		!isnan(free.paid_h), free.ready};
	/* the plan's own way first */
	const size_t first = chosen && taken.paid ? 1 : 0, order[] = {first, 1 - first, 2};
	int rc = 0;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && rc == 0; i++) {
		size_t k = order[i];
		const struct way w = {v, c, &free, k == 1, k == 2, chosen && k == first};
		rc = offered[k] ? add_way(b, &w, limit, err) : 0;
	}
	return rc;
}

static bool
is_first_of_family(const struct candidate_list *list, const struct candidate *c)
{
	const unsigned but_time = ~CONSTRAINT_BIT(CONSTRAINT_RTO);
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *o = &list->items[i];
		bool same = strcmp(o->disk->family, c->disk->family) == 0;
		bool before = o->monthly < c->monthly || (!(o->monthly > c->monthly) && o < c);
		if (same && before && !(o->broken & but_time))
			return false;
	}
	return !(c->broken & but_time);
}

static int
add_volume(struct build *b, size_t v, struct err *err)
{
	bool found = b->choice.found || b->near;
	const struct machine_option *o = &b->c->options[found ? b->choice.option : 0];
	const struct candidate *chosen = b->choice.found ? b->choice.at[v] : NULL;
	const struct candidate_list *list = &o->lists[v];
	int rc = chosen ? add_ways(b, v, &o->sites[v], chosen, true, err) : 0;
	/* a copy is read back as fast as the disks are: no tier has a rate of its own */
	if (chosen && recovery_source(b->c->in->workload) != WORKLOAD_SNAPSHOT)
		return rc;
	for (size_t i = 0; i < list->n && rc == 0; i++) {
		const struct candidate *c = &list->items[i];
		bool shown = chosen && strcmp(c->disk->family, chosen->disk->family) == 0;
		if (!shown && is_first_of_family(list, c))
			rc = add_ways(b, v, &o->sites[v], c, false, err);
	}
	return rc;
}

static const char *
how_text(const struct build *b, int source)
{
	if (source == WORKLOAD_STANDBY)
		return "another machine takes over, so nothing is loaded; the time is the one "
		       "given";
	const char *from =
		source == WORKLOAD_SNAPSHOT
			? "a new disk is loaded from its snapshot at the rate of its tier, "
			  "whatever "
			  "MB/s are bought; what is loaded by reading it passes the machine"
			: "the last copy is read back: from a backup volume of the machine every "
			  "byte passes its MB/s twice, from the network once";
	const char *text = arena_printf(b->arena,
		"volumes are loaded at the same time, and the slowest decides; sizes are those "
		"after %g months, nothing is kept free; %s",
		b->c->set.horizon_months, from);
	return text ? text : from;
}

static void
say_assumed(struct build *b, int source)
{
	if (b->c->in->workload->recovery)
		return;
	findings_add(b->findings, SEVERITY_WARNING, "recovery-assumed",
		"give \"recovery\" with its source, and replay_mbps from a test",
		"how a lost machine comes back is not given: %s assumed",
		source == WORKLOAD_BACKUP_COPY ? "the copy on the backup volume, read back,"
					       : "new disks from snapshots");
}

static double
promised_read_ms(const struct workload_sla *sla)
{
	return sla ? fmin(sla->read_p99_ms, sla->tx_p99_ms) : (double)NAN;
}

/* Available is not fast enough; and a rate that must be asked for. */
static void
say_chosen(struct build *b, size_t v)
{
	struct recovery r;
	double limit = b->plan->recovery->limit_hours;
	const struct candidate *c = b->choice.at[v];
	const char *label = b->c->set.volumes[v].label;
	recovery_of(&b->c->options[b->choice.option].sites[v], c, limit, &r);
	double promised = promised_read_ms(b->c->in->workload->sla);
	if (r.applies && !isnan(r.read_ms)) {
		const char *until = isnan(r.hi_h)
					    ? "the loading ends, and nobody states when"
					    : arena_printf(b->arena, "%.2f h have passed", r.hi_h);
		const char *breaks =
			promised < r.read_ms
				? arena_printf(b->arena,
					  ": the %g ms that are promised are not kept before",
					  promised)
				: "";
		findings_add(b->findings, SEVERITY_WARNING, "restore-slow-reads",
			"load the disk before users come back, or promise less meanwhile",
			"%s: a disk made from a snapshot is available at once, but a read of what "
			"is not loaded yet takes about %g ms until %s%s",
			label, r.read_ms, until ? until : "", breaks ? breaks : "");
	}
	if (r.applies && isnan(r.read_ms) && r.source == WORKLOAD_SNAPSHOT)
		findings_add(b->findings, SEVERITY_NOTE, "restore-slow-reads",
			"read a disk made from a snapshot and time the reads",
			"%s: a disk made from a snapshot is available at once, but reads of what "
			"is "
			"not loaded yet wait; how long, nobody states",
			label);
	if (!r.applies || !r.paid)
		return;
	double fee = recovery_fee(b->c->in->book, c, r.size_mb);
	findings_add(b->findings, SEVERITY_WARNING, "restore-rate-bought",
		"write it into the restore procedure, and test it",
		"%s: the recovery time holds only with a loading rate of %g MiB/s, asked for when "
		"the disk is made from the snapshot; %s",
		label, c->disk->restore_paid_mibps_max,
		isnan(fee) ? "what that costs is not in the price book"
			   : arena_printf(b->arena, "%s each time, not part of the monthly total",
				     build_money(b, fee)));
}

int
build_recovery(struct build *b, struct err *err)
{
	const struct workload *w = b->c->in->workload;
	double limit = w->sla ? w->sla->rto_hours : (double)NAN;
	if (isnan(limit) && !w->recovery)
		return 0;
	int source = recovery_source(w);
	struct plan_recovery *p = arena_alloc(b->arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	double log_mb = source == WORKLOAD_STANDBY ? 0 : recovery_log_mb(w, &b->c->set);
	*p = (struct plan_recovery){.source = names_text(&workload_source_names, source),
		.text = how_text(b, source),
		.limit_hours = limit,
		.log_mb = log_mb,
		.replay_hours = 0,
		.other_hours = w->recovery ? w->recovery->other_hours : (double)NAN};
	if (log_mb > 0)
		p->replay_hours = w->recovery ? log_mb / w->recovery->replay_mbps / 3600
					      : (double)NAN;
	b->plan->recovery = p;
	say_assumed(b, source);
	int rc = 0;
	for (size_t v = 0; v < b->c->set.n && rc == 0; v++) {
		rc = add_volume(b, v, err);
		if (b->choice.found)
			say_chosen(b, v);
	}
	return rc;
}
