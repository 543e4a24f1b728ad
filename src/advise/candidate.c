#include "advise/candidate_make.h"

#include <math.h>
#include <string.h>

#include "advise/burst.h"
#include "advise/tx_volume.h"
#include "base/units.h"
#include "price/bill.h"

/* A backup is taken once a day: its copies are what its disk is charged transactions for. */
#define BACKUP_COPIES_MONTH(hours) ((hours) / 24)

static const struct candidate_maker *const makers[] = {
	&candidate_step,
	&candidate_sized,
	&candidate_bought,
	&candidate_local,
};

struct candidate_timing {
	const struct advise_model *model;
	bool own, bought; /* measured on this very size; its rate is bought (latency.c) */
	const struct demand *demand;
	double iops, mbps, io_unit_kib, disks;
	struct latency latency;
};

bool
candidate_takes(const struct disk_limit *d)
{
	for (size_t k = 0; k < sizeof(makers) / sizeof(makers[0]); k++) {
		if (makers[k]->takes && makers[k]->takes(d))
			return true;
	}
	return false;
}

void
candidate_clear(struct candidate *c, const struct disk_limit *d, const char *title)
{
	*c = (struct candidate){.disk = d,
		.title = title,
		.place = PLACE_REMOTE,
		.disks = 1,
		.bought_iops = (double)NAN,
		.bought_mbps = (double)NAN,
		.host_cache = "None"};
}

size_t
candidate_stripes(const struct candidate_site *s)
{
	double most = s->vm ? s->vm->max_data_disks : (double)NAN;
	return most < CANDIDATE_STRIPE_MAX ? (size_t)fmax(1, most) : CANDIDATE_STRIPE_MAX;
}

double
candidate_size_gib(const struct candidate_site *s, const struct disk_limit *d, double disks)
{
	double size = ceil(s->demand->horizon_gib / disks - 1e-9);
	return size > d->size_gib_max ? (double)NAN : fmax(size, d->size_gib_min); /* skips NaN */
}

double
candidate_rate_each(const struct candidate_site *s, double demand, double disks)
{
	return isnan(demand) ? 0 : demand / ((1 - s->set->headroom) * disks);
}

const char *
candidate_redundancy(const struct candidate_site *s, const struct disk_limit *d)
{
	const char *asked = s->in->workload->redundancy;
	if (d->ephemeral == 1)
		return NULL;
	for (size_t i = 0; asked && i < d->n_redundancy; i++) {
		if (strcmp(d->redundancy[i], asked) == 0)
			return asked;
	}
	return d->n_redundancy ? d->redundancy[0] : asked;
}

/* A log has one writer: it cannot ask for more flushes than fit one after another. */
static double
flushes_s(const struct candidate *c)
{
	const struct estimate *flush = &c->latency.commit_mean;
	return latency_known(flush) && flush->value > 0 ? 1e6 / flush->value : (double)NAN;
}

/*
 * Billed transactions of one disk in a month: the peak demand times the share of the month that is
 * used; a backup is one copy a day.  NaN: the demand is not known.
 */
static double
operations_month(const struct candidate_site *s, const struct candidate *c)
{
	const struct demand *d = s->demand;
	double unit = isnan(c->disk->billing_unit_kib) ? c->disk->io_unit_kib
						       : c->disk->billing_unit_kib;
	double hours = s->in->book->hours_per_month;
	double used = s->set->has_tx ? s->set->tx.utilisation : 1;
	double stream_hours = hours * used;
	if (!isnan(d->volume->window_hours))
		stream_hours = fmin(hours, BACKUP_COPIES_MONTH(hours) * d->volume->window_hours);
	struct demand random = *d, stream = *d;
	random.stream_mbps = 0;
	stream.read_iops = stream.write_iops = 0;
	double ops = demand_units(&random, unit, flushes_s(c)) * hours * used * 3600;
	ops += demand_units(&stream, unit, (double)NAN) * stream_hours * 3600;
	return isnan(d->read_iops) ? (double)NAN : ops / c->disks;
}

struct disk_config
candidate_bill_config(const struct candidate *c, const struct candidate_site *site, double machines)
{
	const struct workload_volume *v = site->demand->volume;
	double mounts = v->mounts > 1 ? v->mounts : 1;
	double changed = isnan(v->snapshot_changed_gib) ? v->capacity_gib : v->snapshot_changed_gib;
	return (struct disk_config){
		.disk = c->disk,
		.size_gib = c->size_gib,
		.disks = c->disks * machines / mounts, /* a shared one is paid once */
		.iops = c->bought_iops,
		.mbps = c->bought_mbps,
		.redundancy = c->redundancy,
		.mounts = mounts,
		.operations_month = operations_month(site, c),
		.snapshot_gib = v->snapshots_kept > 0 ? bill_snapshot_gib(v->capacity_gib,
								v->snapshots_kept, changed, false) /
								c->disks
						      : 0,
		.burst = c->burst,
		.burst_operations_month = c->burst ? burst_operations_month(site, c) : 0,
		.raised = c->raised,
		.performance_plus = c->plus,
	};
}

static void
price(const struct candidate_site *s, struct candidate *c)
{
	if (c->place == PLACE_LOCAL) { /* comes with the machine */
		c->monthly = 0;
		c->priced = true;
		return;
	}
	struct bill bill;
	bill_init(&bill, s->in->book);
	struct disk_config config = candidate_bill_config(c, s, 1);
	struct err err = {0};
	int rc = bill_add_disk(&bill, s->arena, s->in->book, &config, s->demand->label, &err);
	c->monthly = rc ? 0 : bill.total;
	c->priced = rc == 0 && bill.complete == 1;
	if (!c->priced)
		c->price_gap = arena_strdup(s->arena, err.text[0] ? err.text : "no price");
}

/* Equal, or both not known. */
static bool
same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

static bool
speaks_for(const struct advise_model *m, const char *sku)
{
	return m && ((m->key && strcmp(m->key, sku) == 0) ||
			    (m->model->sku && strcmp(m->model->sku, sku) == 0));
}

static struct candidate_timing
timing_of(const struct candidate_site *s, const struct candidate *c)
{
	const char *role = names_text(&workload_role_names, s->demand->volume->role);
	const struct advise_model *m = latency_model(s->in, c->disk->family, c->disk->sku, role);
	return (struct candidate_timing){.model = m,
		.own = speaks_for(m, c->disk->sku),
		.bought = disk_limit_is_provisioned(c->disk),
		.demand = candidate_demand(s, c),
		.iops = c->iops / c->disks,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.disks = c->disks};
}

static bool
same_timing(const struct candidate_timing *a, const struct candidate_timing *b)
{
	return a->model == b->model && a->own == b->own && a->bought == b->bought &&
	       a->demand == b->demand && same_number(a->iops, b->iops) &&
	       same_number(a->mbps, b->mbps) && same_number(a->io_unit_kib, b->io_unit_kib) &&
	       same_number(a->disks, b->disks);
}

/* Sizes of one tier often have the same caps: their latency is asked for once. */
static int
put_latency(struct candidate_work *w, struct candidate *c, struct err *err)
{
	const struct candidate_site *s = w->site;
	struct candidate_timing t = timing_of(s, c);
	for (size_t i = 0; i < w->n_timings; i++) {
		if (same_timing(&w->timings[i], &t)) {
			c->latency = w->timings[i].latency;
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
	struct candidate_timing *all = arena_grow(s->arena, w->timings, w->n_timings, sizeof(*all));
	if (!all)
		return err_nomem(err);
	t.latency = c->latency;
	all[w->n_timings++] = t;
	w->timings = all;
	return 0;
}

int
candidate_finish(struct candidate_work *w, struct candidate *c, struct err *err)
{
	c->at_disk = candidate_is_cached(c) ? w->missed : NULL;
	int rc = put_latency(w, c, err);
	if (rc)
		return rc;
	const struct candidate_site *s = w->site;
	c->units = demand_units(candidate_demand(s, c), c->disk->io_unit_kib, flushes_s(c));
	c->host_units = demand_units(s->demand, c->disk->io_unit_kib, flushes_s(c));
	price(s, c);
	return 0;
}

int
candidate_take(struct candidate_work *w, const struct candidate *c, struct err *err)
{
	struct candidate_list *out = w->out;
	struct candidate *items = arena_grow(
		w->site->arena, out->items, out->n, sizeof(*out->items));
	if (!items)
		return err_nomem(err);
	out->items = items;
	out->items[out->n++] = *c;
	return 0;
}

int
candidate_add(struct candidate_work *w, struct candidate *c, struct err *err)
{
	int rc = candidate_finish(w, c, err);
	return rc ? rc : candidate_take(w, c, err);
}

const struct candidate **
candidate_pointers(struct arena *a, size_t n)
{
	/* pointers are meant, not candidates */
	return arena_array(
		a, n, sizeof(struct candidate *)); /* NOLINT(bugprone-sizeof-expression) */
}

const struct demand *
candidate_demand(const struct candidate_site *site, const struct candidate *c)
{
	return c->at_disk ? c->at_disk : site->demand;
}

bool
candidate_is_cached(const struct candidate *c)
{
	return c->host_cache && strcmp(c->host_cache, "ReadOnly") == 0;
}

/* The demand without the share of its reads that a host cache answers (cache_hit_frac). */
static int
put_missed(struct candidate_work *w, struct err *err)
{
	const struct demand *d = w->site->demand;
	double hits = d->volume->cache_hit_frac;
	if (!(hits > 0 && d->read_iops > 0) || isnan(d->io_kib))
		return 0;
	struct demand *missed = arena_alloc(w->site->arena, sizeof(*missed));
	if (!missed)
		return err_nomem(err);
	*missed = *d;
	missed->read_iops *= 1 - hits;
	missed->mbps -= hits * d->read_iops * d->io_kib * UNITS_KIB / UNITS_MB;
	w->missed = missed;
	return 0;
}

int
candidate_generate(const struct candidate_site *site, struct candidate_list *out, struct err *err)
{
	*out = (struct candidate_list){0};
	struct candidate_work w = {.site = site, .out = out};
	const struct limits *l = site->in->limits;
	int rc = put_missed(&w, err);
	for (size_t i = 0; i < l->n_disks && rc == 0; i++) {
		for (size_t k = 0; k < sizeof(makers) / sizeof(makers[0]) && rc == 0; k++) {
			bool takes = makers[k]->takes && makers[k]->takes(&l->disks[i]);
			if (takes && l->disks[i].superseded != 1)
				rc = makers[k]->make(&w, &l->disks[i], err);
		}
	}
	for (size_t k = 0; k < sizeof(makers) / sizeof(makers[0]) && rc == 0; k++) {
		if (!makers[k]->takes)
			rc = makers[k]->make(&w, NULL, err);
	}
	out->made = out->n;
	return rc;
}

const char *
candidate_name(const struct candidate *c, struct arena *a)
{
	char size[32], iops[32], mbps[32];
	const char *count = c->disks > 1 ? arena_printf(a, "%g x ", c->disks) : "";
	bool by_the_gib = c->place != PLACE_LOCAL && isnan(c->disk->billed_gib);
	if (isnan(c->bought_iops) && !by_the_gib)
		return c->disks > 1 ? arena_printf(a, "%g x %s", c->disks, c->title) : c->title;
	if (isnan(c->bought_iops)) {
		units_count_text(c->size_gib, size);
		return arena_printf(a, "%s%s of %s GiB%s", count ? count : "", c->title, size,
			c->disks > 1 ? " each" : "");
	}
	units_count_text(c->size_gib, size);
	units_count_text(c->bought_iops, iops);
	units_count_text(c->bought_mbps, mbps);
	return arena_printf(a, "%s%s of %s GiB with %s IOPS and %s MB/s%s", count ? count : "",
		c->title, size, iops, mbps, c->disks > 1 ? " each" : "");
}
