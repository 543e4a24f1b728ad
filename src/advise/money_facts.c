/*
 * money_facts.c - what rules may ask about a chosen volume beyond its sizes and caps: what its bill
 * is made of, what it is on today, and how its latency was measured.
 *
 * The parts of a bill are found by billing the same disks once more without the part.
 */
#include <math.h>
#include <string.h>

#include "advise/today.h"
#include "base/units.h"
#include "price/bill.h"

static double
total(const struct build *b, const struct disk_config *config)
{
	struct bill bill;
	bill_init(&bill, b->c->in->book);
	int rc = bill_add_disk(&bill, b->arena, b->c->in->book, config, NULL, NULL);
	return rc == 0 && bill.complete == 1 ? bill.total : (double)NAN;
}

/* The cheapest single disk of the same tier that meets every constraint of the volume. */
static double
single_monthly(const struct candidate_list *list, const struct candidate *chosen)
{
	double best = (double)NAN;
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *c = &list->items[i];
		if (c->disks == 1 && c->broken == 0 && c->priced &&
			strcmp(c->disk->family, chosen->disk->family) == 0)
			best = fmin(best, c->monthly); /* fmin skips NaN */
	}
	return best;
}

/* What the size that the space alone asks for would do. */
static void
fit_facts(const struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct rule_context *ctx)
{
	const struct disk_limit *d = c->disk;
	double gib = ceil(site->demand->horizon_gib / c->disks);
	if (disk_limit_is_provisioned(d)) {
		double iops = disk_limit_iops(d, fmax(gib, d->size_gib_min)); /* fmax skips NaN */
		rule_set_number(ctx, "disk.fit_iops", c->disks * iops);
		rule_set_number(ctx, "disk.fit_mbps", c->disks * disk_limit_mbps(d, iops));
		return;
	}
	if (limits_disk_for_size(b->c->in->limits, d->family, gib, &d, NULL))
		return;
	rule_set_number(ctx, "disk.fit_iops", c->disks * disk_limit_sustained_iops(d, gib));
	rule_set_number(ctx, "disk.fit_mbps", c->disks * disk_limit_sustained_mbps(d, gib));
}

static void
bill_facts(struct build *b, size_t v, const struct candidate_site *site, const struct candidate *c)
{
	struct rule_context *ctx = &b->ctx;
	const struct disk_config all = candidate_bill_config(c, site, 1);
	double monthly = total(b, &all);
	struct disk_config less = all;
	less.operations_month = 0;
	rule_set_number(ctx, "disk.transactions_frac", 1 - total(b, &less) / monthly);
	less = all;
	less.snapshot_gib = 0;
	rule_set_number(ctx, "disk.snapshot_monthly", monthly - total(b, &less));
	less = all;
	less.mounts = 1;
	rule_set_number(ctx, "disk.mount_monthly", monthly - total(b, &less));
	double hours = all.operations_hours > 0 ? all.operations_hours
						: b->c->in->book->hours_per_month;
	rule_set_number(ctx, "disk.operations_hour",
		c->disk->operations_billed == 0 ? (double)NAN : all.operations_month / hours);
	rule_set_number(ctx, "disk.operations_cap_hour", c->disk->billing_cap_hour);
	rule_set_number(ctx, "disk.single_monthly",
		c->disks > 1 ? single_monthly(&b->c->options[b->choice.option].lists[v], c)
			     : (double)NAN);
	rule_set_number(ctx, "disk.capacity_used_frac",
		site->demand->horizon_gib / (c->billed_gib * c->disks));
}

static void
volume_extras(const struct candidate_site *site, struct rule_context *ctx)
{
	const struct workload_volume *v = site->demand->volume;
	rule_set_number(ctx, "volume.mounts", isnan(v->mounts) ? 1 : v->mounts);
	rule_set_number(
		ctx, "volume.snapshots_kept", isnan(v->snapshots_kept) ? 0 : v->snapshots_kept);
	rule_set_number(ctx, "volume.snapshot_changed_gib", v->snapshot_changed_gib);
}

static void
today_facts(const struct today *t, struct rule_context *ctx)
{
	const struct workload_current *said = t->said;
	if (!said)
		return;
	bool provisioned = disk_limit_is_provisioned(t->disk);
	rule_set_text(ctx, "current.family", t->disk->family);
	rule_set_text(ctx, "current.sku", t->disk->sku);
	rule_set_text(ctx, "current.tier", t->tier ? t->tier->sku : NULL);
	rule_set_text(ctx, "current.term", said->term);
	rule_set_text(ctx, "current.host_cache",
		said->host_cache < 0 ? NULL : names_text(&workload_cache_names, said->host_cache));
	rule_set_flag(ctx, "current.host_cache_allowed", t->cache_allowed);
	rule_set_flag(ctx, "current.burst", said->burst == 1);
	rule_set_flag(ctx, "current.boot", said->boot == 1);
	rule_set_number(ctx, "current.billed_gib", t->billed_gib);
	rule_set_number(ctx, "current.iops", t->iops);
	rule_set_number(ctx, "current.mbps", t->mbps);
	rule_set_number(ctx, "current.own_iops", t->own_iops);
	rule_set_number(ctx, "current.own_mbps", t->own_mbps);
	rule_set_number(ctx, "current.bought_iops", provisioned ? t->bought_iops : (double)NAN);
	rule_set_number(ctx, "current.bought_mbps", provisioned ? t->bought_mbps : (double)NAN);
	rule_set_number(ctx, "current.free_iops", provisioned ? t->disk->iops_base : (double)NAN);
	rule_set_number(ctx, "current.free_mbps",
		provisioned ? disk_limit_base_mbps(t->disk) : (double)NAN);
	rule_set_number(ctx, "current.monthly", t->monthly);
	rule_set_number(ctx, "current.disk_monthly",
		said->burst == 1 ? t->monthly - t->burst_monthly : t->monthly);
	rule_set_number(ctx, "current.own_monthly", t->own_monthly);
	rule_set_number(ctx, "current.burst_monthly", t->burst_monthly);
	rule_set_number(ctx, "current.tier_monthly", t->tier_monthly);
}

/* A rate that the profile has no point around, though `said` tells a latency: beyond its wall, or its one
 * depth. */
static bool
rate_outside(const struct disk_model *m, enum profile_op op, double io_kib, double rate_iops,
	const struct estimate *said)
{
	struct estimate e;
	if (isnan(io_kib) || !(rate_iops > 0) || !latency_known(said))
		return false;
	int rc = disk_latency_at_rate(
		m, op, io_kib * UNITS_KIB, rate_iops, NULL, MODEL_MEAN, &e, NULL);
	return rc != 0 || e.how == MODEL_EXTRAPOLATED;
}

/* What the volume asks of one disk lies outside what the profile measured, its walls included. */
static bool
load_outside(
	const struct disk_model *m, const struct candidate_site *site, const struct candidate *c)
{
	const struct demand *d = site->demand;
	const struct workload_sla *sla = site->in->workload->sla;
	bool commits = d->volume->role == WORKLOAD_WAL || site->set->has_tx ||
		       (sla && !isnan(sla->commit_p99_ms));
	struct estimate e;
	if (commits && !isnan(site->commit_kib) &&
		disk_sync_latency(m, site->commit_kib * UNITS_KIB, MODEL_MEAN, &e, NULL) == 0 &&
		e.how == MODEL_EXTRAPOLATED)
		return true;
	if (d->one_writer)
		return false; /* a log: its commits are all it does */
	return rate_outside(m, PROFILE_OP_RANDREAD, d->io_kib, d->read_iops / c->disks,
		       &c->latency.read_mean) ||
	       rate_outside(m, PROFILE_OP_RANDWRITE, d->io_kib, d->write_iops / c->disks,
		       &c->latency.write_mean);
}

/* How the latency of the chosen disk was measured, and whether the answer lies outside the data. */
static void
measurement_facts(struct build *b, const struct candidate_site *site, const struct candidate *c)
{
	struct rule_context *ctx = &b->ctx;
	const char *role = names_text(&workload_role_names, site->demand->volume->role);
	const struct advise_model *m = c->latency.model ? latency_model(b->c->in, c->disk->family,
								  c->disk->sku, role)
							: NULL;
	if (!m)
		return;
	rule_set_flag(ctx, "latency.extrapolated", load_outside(m->model, site, c));
	rule_set_text(ctx, "measurement.profile", m->model->name);
	if (m->quality) {
		rule_set_text(ctx, "measurement.verdict", m->quality->verdict);
		rule_set_number(ctx, "measurement.cv_frac", m->quality->cv_frac);
		rule_set_number(ctx, "measurement.page_cached_frac", m->quality->page_cached_frac);
	}
	if (m->cache)
		rule_set_number(ctx, "measurement.cache_hit_frac", m->cache->hit_frac);
}

void
build_facts(struct build *b, size_t v)
{
	const struct candidate_site *site = &b->c->options[b->choice.option].sites[v];
	const struct candidate *c = b->choice.at[v];
	volume_extras(site, &b->ctx);
	today_facts(&b->today[v], &b->ctx);
	if (c->place == PLACE_LOCAL)
		return; /* comes with the machine: no bill */
	bill_facts(b, v, site, c);
	fit_facts(b, site, c, &b->ctx);
	measurement_facts(b, site, c);
}
