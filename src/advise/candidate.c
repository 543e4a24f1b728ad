#include "advise/candidate_make.h"

#include <math.h>
#include <string.h>

#include "advise/burst.h"
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
	return d->n_redundancy ? d->redundancy[0] : NULL;
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
	double held = site->demand->horizon_gib;
	double changed = isnan(v->snapshot_changed_gib) ? held : v->snapshot_changed_gib;
	return (struct disk_config){
		.disk = c->disk,
		.size_gib = c->size_gib,
		.disks = c->disks * machines / mounts, /* a shared one is paid once */
		.iops = c->bought_iops,
		.mbps = c->bought_mbps,
		.redundancy = c->redundancy,
		.mounts = mounts,
		.operations_month = operations_month(site, c),
		.snapshot_gib = v->snapshots_kept > 0 ? bill_snapshot_gib(held, v->snapshots_kept,
								changed, false) /
								c->disks
						      : 0,
		.burst = c->burst,
		.burst_operations_month = c->burst ? burst_operations_month(site, c) : 0,
		.raised = c->raised,
		.performance_plus = c->plus,
	};
}

/* The volume's common memo, or one of its own; and what a host cache leaves of the demand. */
static int
share(struct candidate_work *w, struct err *err)
{
	if (w->memo)
		return 0;
	w->memo = w->site->memo ? w->site->memo : candidate_memo_new(w->site->arena);
	return w->memo ? candidate_memo_missed(w->memo, w->site, &w->missed, err) : err_nomem(err);
}

int
candidate_finish(struct candidate_work *w, struct candidate *c, struct err *err)
{
	const struct candidate_site *s = w->site;
	int rc = share(w, err);
	if (rc)
		return rc;
	c->at_disk = candidate_is_cached(c) ? w->missed : NULL;
	rc = candidate_memo_latency(w->memo, s, c, err);
	if (rc)
		return rc;
	c->units = demand_units(candidate_demand(s, c), c->disk->io_unit_kib, flushes_s(c));
	c->host_units = demand_units(s->demand, c->disk->io_unit_kib, flushes_s(c));
	c->priced = c->place == PLACE_LOCAL; /* comes with the machine */
	return c->priced ? 0 : candidate_memo_price(w->memo, s, c, err);
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

int
candidate_generate(const struct candidate_site *site, struct candidate_list *out, struct err *err)
{
	*out = (struct candidate_list){0};
	struct candidate_work w = {.site = site, .out = out};
	const struct limits *l = site->in->limits;
	int rc = share(&w, err);
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
