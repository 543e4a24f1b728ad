/*
 * candidate_memo.c - what the configurations of one volume have in common, worked out once: the latency of
 * equal caps (sizes of one tier often have the same, and machines do not change it), the price of equal
 * disks.
 */
#include <math.h>
#include <string.h>

#include "advise/candidate_make.h"
#include "advise/tx_volume.h"
#include "base/units.h"
#include "price/bill.h"

struct timing {
	const struct advise_model *model;
	bool own, bought; /* measured on this very size; its rate is bought (latency.c) */
	const struct demand *demand;
	double iops, mbps, io_unit_kib, disks;
	struct latency latency;
};

/* Of one disk where a disk's price does not depend on how many there are (disks 0). */
struct price {
	const struct disk_limit *disk, *raised;
	double billed_gib, disks, iops, mbps, operations;
	double monthly;
	bool priced;
	const char *gap;
};

struct candidate_memo {
	struct timing *timings;
	size_t n_timings;
	struct price *prices;
	size_t n_prices;
	struct demand *missed; /* the demand without host cache hits */
};

struct candidate_memo *
candidate_memo_new(struct arena *a)
{
	return arena_alloc(a, sizeof(struct candidate_memo));
}

/* Equal, or both not known. */
static bool
same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

/* ---- latency ---- */

static bool
speaks_for(const struct advise_model *m, const char *sku)
{
	return m && ((m->key && strcmp(m->key, sku) == 0) ||
			    (m->model->sku && strcmp(m->model->sku, sku) == 0));
}

static struct timing
timing_of(const struct candidate_site *s, const struct candidate *c)
{
	const char *role = names_text(&workload_role_names, s->demand->volume->role);
	const struct advise_model *m = latency_model(s->in, c->disk->family, c->disk->sku, role);
	return (struct timing){.model = m,
		.own = speaks_for(m, c->disk->sku),
		.bought = disk_limit_is_provisioned(c->disk),
		.demand = candidate_demand(s, c),
		.iops = c->iops / c->disks,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.disks = c->disks};
}

static bool
same_timing(const struct timing *a, const struct timing *b)
{
	return a->model == b->model && a->own == b->own && a->bought == b->bought &&
	       a->demand == b->demand && same_number(a->iops, b->iops) &&
	       same_number(a->mbps, b->mbps) && same_number(a->io_unit_kib, b->io_unit_kib) &&
	       same_number(a->disks, b->disks);
}

int
candidate_memo_latency(struct candidate_memo *m, const struct candidate_site *s,
	struct candidate *c, struct err *err)
{
	struct timing t = timing_of(s, c);
	for (size_t i = 0; i < m->n_timings; i++) {
		if (same_timing(&m->timings[i], &t)) {
			c->latency = m->timings[i].latency;
			return 0;
		}
	}
	struct disk_caps caps = {.iops = t.iops,
		.mbps = t.mbps,
		.io_unit_kib = t.io_unit_kib,
		.stripe = t.disks,
		.strip_b = (double)NAN};
	const struct latency_ask ask = {c->disk, t.demand, &caps, s->commit_kib};
	latency_predict(t.model, &ask, s->arena, &c->latency);
	tx_measure(s, c);
	struct timing *all = arena_grow(s->arena, m->timings, m->n_timings, sizeof(*all));
	if (!all)
		return err_nomem(err);
	t.latency = c->latency;
	all[m->n_timings++] = t;
	m->timings = all;
	return 0;
}

/* ---- price ---- */

/* A step without transactions or snapshots costs the same however many there are. */
static bool
each_alike(const struct disk_config *config)
{
	return !isnan(config->disk->billed_gib) && config->disk->operations_billed == 0 &&
	       !(config->snapshot_gib > 0) && config->mounts <= 1;
}

static struct price
price_key(const struct candidate *c, const struct disk_config *config)
{
	return (struct price){.disk = c->disk,
		.raised = c->raised,
		.billed_gib = c->billed_gib,
		.disks = each_alike(config) ? 0 : config->disks,
		.iops = c->bought_iops,
		.mbps = c->bought_mbps,
		.operations = each_alike(config) ? 0 : config->operations_month};
}

static bool
same_price(const struct price *a, const struct price *b)
{
	return a->disk == b->disk && a->raised == b->raised &&
	       same_number(a->billed_gib, b->billed_gib) && same_number(a->disks, b->disks) &&
	       same_number(a->iops, b->iops) && same_number(a->mbps, b->mbps) &&
	       same_number(a->operations, b->operations);
}

static void
work_out(const struct candidate_site *s, struct disk_config config, struct price *p)
{
	struct bill bill;
	struct err err = {0};
	bill_init(&bill, s->in->book);
	int rc = bill_add_disk(&bill, s->arena, s->in->book, &config, s->demand->label, &err);
	p->monthly = rc ? 0 : bill.total;
	p->priced = rc == 0 && bill.complete == 1;
	if (!p->priced)
		p->gap = arena_strdup(s->arena, err.text[0] ? err.text : "no price");
}

static void
put_price(const struct price *p, struct candidate *c)
{
	c->monthly = p->disks > 0 ? p->monthly : p->monthly * c->disks;
	c->priced = p->priced;
	c->price_gap = p->gap;
}

int
candidate_memo_price(struct candidate_memo *m, const struct candidate_site *s, struct candidate *c,
	struct err *err)
{
	struct disk_config config = candidate_bill_config(c, s, 1);
	struct price p = price_key(c, &config);
	for (size_t i = 0; i < m->n_prices && !c->burst; i++) {
		if (same_price(&m->prices[i], &p)) {
			put_price(&m->prices[i], c);
			return 0;
		}
	}
	config.disks = p.disks > 0 ? config.disks : 1;
	work_out(s, config, &p);
	put_price(&p, c);
	if (c->burst)
		return 0; /* its transactions depend on the peak above the level: one of few */
	struct price *all = arena_grow(s->arena, m->prices, m->n_prices, sizeof(*all));
	if (!all)
		return err_nomem(err);
	all[m->n_prices++] = p;
	m->prices = all;
	return 0;
}

/* ---- demand ---- */

int
candidate_memo_missed(struct candidate_memo *m, const struct candidate_site *s,
	const struct demand **missed, struct err *err)
{
	const struct demand *d = s->demand;
	double hits = d->volume->cache_hit_frac;
	*missed = m->missed;
	if (m->missed || !(hits > 0 && d->read_iops > 0) || isnan(d->io_kib))
		return 0;
	m->missed = arena_alloc(s->arena, sizeof(*m->missed));
	if (!m->missed)
		return err_nomem(err);
	*m->missed = *d;
	m->missed->read_iops *= 1 - hits;
	m->missed->mbps -= hits * d->read_iops * d->io_kib * UNITS_KIB / UNITS_MB;
	*missed = m->missed;
	return 0;
}
