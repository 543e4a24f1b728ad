#include "advise/today.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "price/bill.h"

static double
or_one(double v)
{
	return isnan(v) ? 1 : v;
}

/* Billed transactions of a month, all disks of the volume: those of a candidate of the same tier. */
static double
operations_month(const struct build *b, size_t v, const struct disk_limit *disk)
{
	const struct candidate_list *list = &b->c->options[0].lists[v];
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *c = &list->items[i];
		if (strcmp(c->disk->family, disk->family) == 0)
			return c->disks * candidate_bill_config(c, &b->c->options[0].sites[v], 1)
						  .operations_month;
	}
	return (double)NAN;
}

/* The volume's settings that do not depend on the disk, with the disk of today. */
static struct disk_config
config_of(const struct build *b, size_t v, const struct today *t)
{
	const struct workload_current *said = t->said;
	const struct workload *w = b->c->in->workload;
	const struct workload_volume *volume = b->c->set.volumes[v].volume;
	double mounts = volume->mounts > 1 ? volume->mounts : 1;
	/* of the data at the horizon, as the plan's are: else growth would look like a saving */
	double held = b->c->set.volumes[v].horizon_gib;
	double changed = isnan(volume->snapshot_changed_gib) ? held : volume->snapshot_changed_gib;
	struct disk_config config;
	const char *redundancy = said->redundancy ? said->redundancy : w->redundancy;
	if (!redundancy && t->disk->n_redundancy)
		redundancy = t->disk->redundancy[0];
	disk_config_init(&config, t->disk, said->size_gib, redundancy);
	config.disks = t->disks / mounts;
	config.mounts = mounts;
	config.operations_month = operations_month(b, v, t->disk) / t->disks;
	config.term = said->term;
	config.raised = t->tier;
	config.performance_plus = said->performance_plus == 1;
	if (volume->snapshots_kept > 0)
		config.snapshot_gib =
			bill_snapshot_gib(held, volume->snapshots_kept, changed, false) / t->disks;
	bool mib = t->disk->mbps_unit == LIMITS_MIB;
	if (disk_limit_buys_iops(t->disk))
		config.iops = isnan(said->iops) ? t->disk->iops_base : said->iops;
	if (disk_limit_buys_throughput(t->disk))
		config.mbps = isnan(said->mbps)
				      ? t->disk->mbps_base * (mib ? units_mibps_to_mbps(1) : 1)
				      : said->mbps;
	return config;
}

/* What a configuration costs; NaN: not known, and *gap says why.  ERR_RANGE as bill_add_disk(). */
static int
cost(const struct build *b, const struct disk_config *config, double *monthly, struct err *gap)
{
	struct bill bill;
	bill_init(&bill, b->c->in->book);
	*monthly = (double)NAN;
	int rc = bill_add_disk(&bill, b->arena, b->c->in->book, config, NULL, gap);
	if (rc == 0 && bill.complete == 1)
		*monthly = bill.total;
	return rc;
}

static void
set_levels(const struct disk_config *config, struct today *t)
{
	const struct disk_limit *d = t->disk, *level = t->tier ? t->tier : d;
	bool provisioned = disk_limit_is_provisioned(d);
	double gib = t->billed_gib;
	t->own_iops = t->disks * (provisioned ? config->iops : disk_limit_sustained_iops(d, gib));
	t->own_mbps = t->disks * (provisioned ? config->mbps : disk_limit_sustained_mbps(d, gib));
	if (t->said->performance_plus == 1) {
		t->own_iops = t->disks * fmax(d->iops_perf_plus, t->own_iops / t->disks);
		t->own_mbps = t->disks * fmax(disk_limit_plus_mbps(d), t->own_mbps / t->disks);
	}
	t->iops = t->tier ? t->disks * level->iops_base : t->own_iops;
	t->mbps = t->tier ? t->disks * disk_limit_base_mbps(level) : t->own_mbps;
	t->bought_iops = config->iops > d->iops_base ? config->iops - d->iops_base : 0;
	double base = disk_limit_base_mbps(d);
	t->bought_mbps = config->mbps > base ? config->mbps - base : 0;
	bool size = isnan(d->host_cache_max_gib) || t->said->size_gib <= d->host_cache_max_gib;
	t->cache_allowed = size && d->n_host_cache > 1;
}

/* What the volume asks of each disk when `kept` of its caps is kept free. */
static void
need_of(const struct build *b, size_t v, double kept, const struct today *t, double *iops,
	double *mbps)
{
	const struct demand *d = &b->c->set.volumes[v];
	double usable = (1 - kept) * t->disks;
	*iops = demand_units(d, t->disk->io_unit_kib, (double)NAN) / usable;
	*mbps = d->mbps / usable;
}

/* Bursting at the peak all the time that is used: the most it can cost. */
static int
burst_cost(const struct build *b, size_t v, const struct disk_config *plain, struct today *t,
	struct err *err)
{
	struct disk_config config = *plain;
	double iops, mbps, with;
	if (t->said->burst != 1)
		return 0;
	need_of(b, v, 0, t, &iops, &mbps);
	double used = b->c->set.has_tx ? b->c->set.tx.utilisation : 1;
	double operations = disk_limit_burst_operations(t->tier ? t->tier : t->disk, iops, mbps);
	config.burst = 1;
	config.burst_operations_month = operations * 3600 * b->c->in->book->hours_per_month * used;
	int rc = cost(b, &config, &with, err);
	t->burst_monthly = with - t->monthly;
	t->monthly = with;
	t->config = config;
	return rc == ERR_RANGE ? rc : 0;
}

static const struct disk_limit *
size_named(const struct build *b, const char *sku)
{
	const struct disk_limit *disk = NULL;
	return limits_disk(b->c->in->limits, sku, &disk, NULL) == 0 ? disk : NULL;
}

/* The cheapest performance tier whose level the need keeps within. */
static void
tier_cost(const struct build *b, size_t v, const struct disk_config *plain, struct today *t)
{
	double iops, mbps, own;
	struct disk_config config = *plain;
	config.raised = NULL;
	if (cost(b, &config, &own, NULL))
		return;
	t->own_monthly = t->tier ? own : (double)NAN;
	need_of(b, v, b->c->set.headroom, t, &iops, &mbps);
	for (size_t i = 0; i < t->disk->n_performance_tiers; i++) {
		const struct disk_limit *level = size_named(b, t->disk->performance_tiers[i]);
		double monthly;
		config.raised = level;
		if (!level || !(iops <= level->iops_base) ||
			!(mbps <= disk_limit_base_mbps(level)) ||
			cost(b, &config, &monthly, NULL) || isnan(monthly))
			continue;
		t->tier_monthly = fmin(t->tier_monthly, monthly - own); /* fmin skips NaN */
	}
}

static int
find_one(struct build *b, size_t v, struct today *t, struct err *err)
{
	const struct workload_current *said = t->said;
	const struct limits *limits = b->c->in->limits;
	int rc = limits_disk(limits, said->sku, &t->disk, err);
	if (rc == 0 && said->tier)
		rc = limits_disk(limits, said->tier, &t->tier, err);
	if (rc)
		return rc;
	t->disks = or_one(said->disks);
	t->billed_gib = bill_size_gib(t->disk, said->size_gib);
	t->config = config_of(b, v, t);
	const struct disk_config config = t->config;
	struct err gap = {0};
	rc = cost(b, &config, &t->monthly, &gap);
	if (rc && rc != ERR_PRICE) {
		if (err)
			*err = gap;
		return rc;
	}
	if (isnan(t->monthly))
		findings_add(b->findings, SEVERITY_NOTE, "today-price-unknown",
			"add the price to the book, with its source and date",
			"%s: what today's disk costs is not known: %s", b->c->set.volumes[v].label,
			gap.text);
	set_levels(&config, t);
	tier_cost(b, v, &config, t);
	return burst_cost(b, v, &config, t, err);
}

int
today_find(struct build *b, struct err *err)
{
	b->today = arena_array(b->arena, b->c->set.n, sizeof(*b->today));
	if (!b->today)
		return err_nomem(err);
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		b->today[v] = (struct today){.said = d->volume->current,
			.monthly = (double)NAN,
			.own_monthly = (double)NAN,
			.burst_monthly = (double)NAN,
			.tier_monthly = (double)NAN};
		int rc = b->today[v].said ? find_one(b, v, &b->today[v], err) : 0;
		if (rc) {
			err_context(err, "today's disk of %s", d->label);
			return workload_error_at(d->volume->current_at, err);
		}
	}
	return 0;
}

int
today_option(struct build *b, struct err *err)
{
	double storage = 0;
	bool complete = true;
	struct buf text;
	buf_init(&text, 16384);
	size_t n = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct today *t = &b->today[v];
		if (!t->said)
			continue;
		buf_printf(&text, "%s%s on %g x %s", n ? ", " : "", b->c->set.volumes[v].label,
			t->disks, t->disk->sku);
		complete = complete && !isnan(t->monthly);
		storage += isnan(t->monthly) ? 0 : t->monthly * b->c->machines;
		n++;
	}
	/* a volume that is on a local disk has no price of its own and need not be said */
	for (size_t v = 0; v < b->c->set.n && n; v++) {
		bool local = b->choice.at[v] && b->choice.at[v]->place == PLACE_LOCAL;
		if (!b->today[v].said && !local)
			n = 0;
	}
	const char *copy = arena_strdup(b->arena, buf_text(&text));
	buf_fini(&text);
	if (n == 0 || !copy)
		return copy ? 0 : err_nomem(err);
	const struct plan_today *judged = b->plan->today;
	const struct workload_vm *vm = b->c->in->workload->vm;
	const char *current = vm ? vm->current : NULL;
	double machines = 0;
	if (b->c->machine_counts)
		machines = current ? judged->machine_monthly
				   : b->c->options[b->choice.option].monthly * b->c->machines;
	complete = complete && !isnan(machines);
	machines = isnan(machines) ? 0 : machines;
	const struct plan_option o = {.name = "today's disks",
		.monthly = storage + machines > 0 ? storage + machines : (double)NAN,
		.complete = complete,
		.feasible = judged->verdict == PLAN_PASS   ? 1
			    : judged->verdict == PLAN_FAIL ? 0
							   : -1,
		.text = arena_printf(b->arena, "%s; as the workload says, on %s", copy,
			current ? current : "the machines of this plan")};
	return build_option(b, &o, err);
}
