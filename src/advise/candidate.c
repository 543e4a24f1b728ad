#include "advise/candidate.h"

#include <math.h>
#include <string.h>

#include "advise/tx_volume.h"
#include "base/units.h"
#include "price/bill.h"

static const double stripes[] = {1, 2, 4};
static const char *const caches[] = {"None", "ReadOnly"};

/* A backup is taken once a day: its copies are what its disk is charged transactions for. */
#define BACKUP_COPIES_MONTH(hours) ((hours) / 24)

static bool
lists(const char *const *items, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++) {
		if (word && strcmp(items[i], word) == 0)
			return true;
	}
	return false;
}

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static bool
cache_allowed(const struct candidate_site *s, const struct disk_limit *d, double size_gib)
{
	bool machine = !s->vm || s->vm->premium_caching != 0;
	bool shared = s->demand->volume->mounts > 1; /* a shared disk has no host cache */
	bool size = isnan(d->host_cache_max_gib) || size_gib <= d->host_cache_max_gib;
	return machine && size && !shared && lists(d->host_cache, d->n_host_cache, "ReadOnly");
}

static const char *
redundancy(const struct candidate_site *s, const struct disk_limit *d)
{
	const char *asked = s->in->workload->redundancy;
	if (d->ephemeral == 1)
		return NULL;
	if (asked && lists(d->redundancy, d->n_redundancy, asked))
		return asked;
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
		.burst = 0,
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

static void
finish(const struct candidate_site *s, struct candidate *c)
{
	const struct demand *d = s->demand;
	const char *role = names_text(&workload_role_names, d->volume->role);
	struct disk_caps caps = {.iops = c->iops / c->disks,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.stripe = c->disks};
	const struct advise_model *m = latency_model(s->in, c->disk->family, c->disk->sku, role);
	const struct latency_ask ask = {c->disk, d, &caps, s->commit_kib};
	latency_predict(m, &ask, s->arena, &c->latency);
	tx_measure(s, c);
	c->units = demand_units(d, c->disk->io_unit_kib, flushes_s(c));
	price(s, c);
}

static int
add(const struct candidate_site *s, struct candidate_list *out, struct candidate *c,
	struct err *err)
{
	struct candidate *items = arena_grow(s->arena, out->items, out->n, sizeof(*out->items));
	if (!items)
		return err_nomem(err);
	finish(s, c);
	out->items = items;
	out->items[out->n++] = *c;
	return 0;
}

/* A fixed size at its standard or its free higher level, with each host cache it may have. */
static int
add_level(const struct candidate_site *s, const struct disk_limit *d, double disks, bool plus,
	struct candidate_list *out, struct err *err)
{
	double size = fmax(ceil(s->demand->horizon_gib / disks), or_zero(d->size_gib_min));
	bool cached = cache_allowed(s, d, size);
	double iops = plus ? d->iops_perf_plus : disk_limit_sustained_iops(d, size);
	double mbps = plus ? disk_limit_plus_mbps(d) : disk_limit_sustained_mbps(d, size);
	for (size_t k = 0; k < (cached ? 2U : 1U); k++) {
		struct candidate c = {.disk = d,
			.title = plus ? arena_printf(s->arena, "%s with performance plus", d->sku)
				      : d->sku,
			.place = PLACE_REMOTE,
			.size_gib = size,
			.billed_gib = bill_size_gib(d, size),
			.disks = disks,
			.bought_iops = (double)NAN,
			.bought_mbps = (double)NAN,
			.iops = iops * disks,
			.mbps = mbps * disks,
			.host_cache = caches[k],
			.redundancy = redundancy(s, d),
			.cache_allowed = cached};
		int rc = c.title ? add(s, out, &c, err) : err_nomem(err);
		if (rc)
			return rc;
	}
	return 0;
}

/* The standard level first: of two that cost the same, the search keeps the earlier. */
static int
add_fixed(const struct candidate_site *s, const struct disk_limit *d, struct candidate_list *out,
	struct err *err)
{
	bool has_plus = d->iops_perf_plus > d->iops_base || d->mbps_perf_plus > d->mbps_base;
	for (size_t i = 0; i < sizeof(stripes) / sizeof(stripes[0]); i++) {
		if (ceil(s->demand->horizon_gib / stripes[i]) > d->size_gib_max)
			continue;
		int rc = add_level(s, d, stripes[i], false, out, err);
		if (rc == 0 && has_plus)
			rc = add_level(s, d, stripes[i], true, out, err);
		if (rc)
			return rc;
	}
	return 0;
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
	return or_zero(isnan(min) ? base : min);
}

/*
 * The least IOPS, MB/s and size of each of `disks` equal disks.  What the tier cannot reach is set
 * to its most, so that the constraint that breaks can say by how much; then the answer is false.
 */
static bool
provision(const struct candidate_site *s, const struct disk_limit *d, double disks,
	struct candidate *c)
{
	double size = fmax(ceil(s->demand->horizon_gib / disks), or_zero(d->size_gib_min));
	double usable = (1 - s->set->headroom) * disks;
	double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	double need_mbps = ceil(or_zero(s->demand->mbps) / usable - 1e-9);
	/* the flush bound needs the latency, which does not depend on what is bought */
	struct candidate probe = *c;
	probe.size_gib = size;
	probe.iops = d->iops_max;
	probe.mbps = (double)NAN;
	probe.disks = 1;
	finish(s, &probe);
	double need_iops = fmax(ceil(or_zero(probe.units) / usable - 1e-9),
		or_zero(disk_limit_least_iops(d, size)));
	if (disk_limit_mbps(d, 0) < need_mbps && d->mbps_per_iops > 0)
		need_iops = fmax(need_iops, ceil(need_mbps / (d->mbps_per_iops * unit) - 1e-9));
	double iops = fmin(need_iops, isnan(d->iops_max) ? need_iops : d->iops_max);
	c->disks = disks;
	c->size_gib = size_for_iops(d, size, iops);
	c->billed_gib = bill_size_gib(d, c->size_gib);
	c->bought_iops = fmin(iops, disk_limit_iops(d, c->size_gib));
	/* whole MB/s; a provider that counts MiB/s is not cut below its own whole numbers */
	double most_mbps = disk_limit_mbps(d, c->bought_iops);
	/* what comes with the IOPS and is not sold by itself is all there */
	if (d->throughput_billed == 0 && d->mbps_per_iops > 0)
		c->bought_mbps = most_mbps;
	else
		c->bought_mbps = fmin(fmax(need_mbps, least(d->mbps_min, d->mbps_base) * unit),
			unit > 1 ? most_mbps : floor(most_mbps));
	c->iops = c->bought_iops * disks;
	c->mbps = c->bought_mbps * disks;
	return c->bought_iops >= need_iops && c->bought_mbps >= need_mbps;
}

/*
 * One disk where one will do.  A stripe is offered when one falls short, or when the allowance that
 * comes with every disk saves a twentieth: several disks have no common snapshot.
 */
static int
add_provisioned(const struct candidate_site *s, const struct disk_limit *d,
	struct candidate_list *out, struct err *err)
{
	double best = (double)INFINITY; /* of those offered that reach the need */
	for (size_t i = 0; i < sizeof(stripes) / sizeof(stripes[0]); i++) {
		if (ceil(s->demand->horizon_gib / stripes[i]) > d->size_gib_max)
			continue;
		struct candidate c = {.disk = d,
			.title = limits_title(s->in->limits, d->family),
			.place = PLACE_REMOTE_ULTRA,
			.host_cache = "None",
			.redundancy = redundancy(s, d)};
		bool enough = provision(s, d, stripes[i], &c);
		finish(s, &c);
		if (stripes[i] > 1 && !(enough && c.monthly < 0.95 * best))
			continue;
		int rc = add(s, out, &c, err);
		if (rc)
			return rc;
		if (enough)
			best = c.monthly;
	}
	return 0;
}

/* The limits of a machine's local disks as a tier of their own. */
static const struct disk_limit *
local_limit(const struct candidate_site *s)
{
	const struct vm_limit *vm = s->vm;
	struct disk_limit *d = arena_alloc(s->arena, sizeof(*d));
	if (!d)
		return NULL;
	for (size_t i = 0; i < s->in->limits->n_disks; i++) {
		const struct disk_limit *row = &s->in->limits->disks[i];
		if (row->ephemeral == 1 && row->superseded != 1) {
			*d = *row;
			break;
		}
	}
	if (!d->family)
		return NULL;
	double count = isnan(vm->temp_disk_count) ? 1 : vm->temp_disk_count;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	d->sku = arena_printf(s->arena, "temporary disk of %s", vm->sku);
	d->size_gib_min = 0;
	d->size_gib_max = d->billed_gib = vm->temp_disk_gib * count;
	d->iops_base = d->iops_max = isnan(vm->temp_write_iops)
					     ? vm->temp_read_iops
					     : fmin(vm->temp_read_iops, vm->temp_write_iops);
	d->mbps_base = d->mbps_max =
		unit * (isnan(vm->temp_write_mbps) ? vm->temp_read_mbps
						   : fmin(vm->temp_read_mbps, vm->temp_write_mbps));
	d->mbps_unit = LIMITS_MB;
	d->as_of = vm->as_of;
	d->source = vm->source;
	return d;
}

static int
add_local(const struct candidate_site *s, struct candidate_list *out, struct err *err)
{
	if (!s->vm || isnan(s->vm->temp_disk_gib) || s->vm->temp_disk_gib <= 0)
		return 0;
	const struct disk_limit *d = local_limit(s);
	double size = ceil(s->demand->horizon_gib);
	if (!d || size > d->size_gib_max)
		return 0;
	struct candidate c = {.disk = d,
		.title = d->sku,
		.place = PLACE_LOCAL,
		.size_gib = size,
		.billed_gib = size,
		.disks = 1,
		.bought_iops = (double)NAN,
		.bought_mbps = (double)NAN,
		.iops = d->iops_base,
		.mbps = d->mbps_base,
		.host_cache = "None"};
	return add(s, out, &c, err);
}

const struct candidate **
candidate_pointers(struct arena *a, size_t n)
{
	/* pointers are meant, not candidates */
	return arena_array(
		a, n, sizeof(struct candidate *)); /* NOLINT(bugprone-sizeof-expression) */
}

int
candidate_generate(const struct candidate_site *site, struct candidate_list *out, struct err *err)
{
	*out = (struct candidate_list){0};
	int rc = 0;
	for (size_t i = 0; i < site->in->limits->n_disks && rc == 0; i++) {
		const struct disk_limit *d = &site->in->limits->disks[i];
		/* how much can be bought of a tier without a known largest size is not known either */
		bool open_ended = disk_limit_is_provisioned(d) && isnan(d->size_gib_max);
		if (d->superseded == 1 || d->ephemeral == 1 || open_ended)
			continue;
		rc = disk_limit_is_provisioned(d) ? add_provisioned(site, d, out, err)
						  : add_fixed(site, d, out, err);
	}
	return rc ? rc : add_local(site, out, err);
}

const char *
candidate_name(const struct candidate *c, struct arena *a)
{
	if (isnan(c->bought_iops) && c->disks > 1)
		return arena_printf(a, "%g x %s", c->disks, c->title);
	if (isnan(c->bought_iops))
		return c->title;
	char size[32], iops[32], mbps[32];
	const char *count = c->disks > 1 ? arena_printf(a, "%g x ", c->disks) : "";
	units_count_text(c->size_gib, size);
	units_count_text(c->bought_iops, iops);
	units_count_text(c->bought_mbps, mbps);
	return arena_printf(a, "%s%s of %s GiB with %s IOPS and %s MB/s%s", count ? count : "",
		c->title, size, iops, mbps, c->disks > 1 ? " each" : "");
}
