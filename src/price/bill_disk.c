/*
 * bill_disk.c - the meters of a disk configuration.
 *
 * Rules (Azure, "Understand disk billing", 2026-09-16; AWS EBS guide; Google disk pricing): a fixed
 * size bills the whole step, a raised performance tier at that tier; provisioned disks bill GiB,
 * IOPS and MB/s on meters of their own, less what comes with the disk; a shared disk bills a mount
 * for each machine after the first; transactions stop being billed at an hourly cap; incremental
 * snapshots bill what is used on the cheapest meter.  Which of them apply to a disk is data.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "price/bill_work.h"

void
disk_config_init(struct disk_config *config, const struct disk_limit *disk, double size_gib,
	const char *redundancy)
{
	*config = (struct disk_config){
		.disk = disk,
		.size_gib = size_gib,
		.disks = 1,
		.iops = (double)NAN,
		.mbps = (double)NAN,
		.redundancy = redundancy,
		.mounts = 1,
		.operations_month = (double)NAN,
		.operations_hours = (double)NAN,
	};
}

double
bill_size_gib(const struct disk_limit *disk, double size_gib)
{
	if (!isnan(disk->billed_gib))
		return disk->billed_gib;
	double step = disk->size_step_gib > 0 ? disk->size_step_gib : 1;
	double whole = step *
		       ceil(size_gib / step - 1e-9); /* a sum of parts may be off in the last bit */
	return whole < disk->size_gib_min ? disk->size_gib_min : whole;
}

double
bill_snapshot_gib(double used_gib, double kept, double changed_gib, bool full)
{
	if (kept < 1)
		return 0;
	return full ? used_gib * kept : used_gib + changed_gib * (kept - 1);
}

/* The word of the list that equals `asked`; else ERR_RANGE that shows the list. */
static int
one_of(const struct disk_limit *d, const char *what, const char *asked, const char *const *list,
	size_t n, const char **found, struct err *err)
{
	*found = NULL;
	struct buf text;
	buf_init(&text, 512);
	for (size_t i = 0; i < n; i++) {
		if (asked && strcmp(list[i], asked) == 0)
			*found = list[i];
		buf_printf(&text, "%s%s", i ? " or " : "", list[i]);
	}
	int rc = *found ? 0
			: err_set(err, ERR_RANGE, "%s with %s %s: offered with %s", d->sku, what,
				  asked ? asked : "not stated", n ? buf_text(&text) : "none");
	buf_fini(&text);
	return rc;
}

/* Redundancy as the book keys it: none where the limits name none. */
static int
redundancy_of(const struct disk_config *c, const char **redundancy, struct err *err)
{
	const struct disk_limit *d = c->disk;
	*redundancy = NULL;
	return d->n_redundancy == 0 ? 0
				    : one_of(d, "redundancy", c->redundancy, d->redundancy,
					      d->n_redundancy, redundancy, err);
}

static int
check_size(const struct disk_config *c, struct err *err)
{
	char wanted[32], top[32];
	if (!(c->disks > 0) || !isfinite(c->disks))
		return err_set(err, ERR_RANGE, "%g disks of %s: more than 0 expected", c->disks,
			c->disk->sku);
	if (!(c->size_gib > 0) || !isfinite(c->size_gib))
		return err_set(err, ERR_RANGE, "%s of %g GiB: more than 0 GiB expected",
			c->disk->sku, c->size_gib);
	units_count_text(c->size_gib, wanted);
	units_count_text(c->disk->size_gib_max, top);
	if (c->size_gib > c->disk->size_gib_max)
		return err_set(
			err, ERR_RANGE, "%s of %s GiB: at most %s GiB", c->disk->sku, wanted, top);
	if (c->mounts > c->disk->max_shares)
		return err_set(err, ERR_RANGE, "%s on %g machines: at most %g may mount it",
			c->disk->sku, c->mounts, c->disk->max_shares);
	return 0;
}

static int
check_quantity(const struct disk_config *c, const char *what, double value, struct err *err)
{
	if (!(value < 0) && !isinf(value)) /* NaN is "unknown" */
		return 0;
	return err_set(err, ERR_RANGE, "%s with %g %s: a number from 0 expected", c->disk->sku,
		value, what);
}

/* What is used, as against what is bought. */
static int
check_use(const struct disk_config *c, struct err *err)
{
	int rc = check_quantity(c, "operations a month", c->operations_month, err);
	rc = rc ? rc : check_quantity(c, "hours of operations", c->operations_hours, err);
	rc = rc ? rc : check_quantity(c, "GiB of snapshots", c->snapshot_gib, err);
	rc = rc ? rc : check_quantity(c, "burst operations", c->burst_operations_month, err);
	return rc ? rc : check_quantity(c, "machines", c->mounts, err);
}

static int
check_levels(const struct disk_config *c, struct err *err)
{
	const struct disk_limit *d = c->disk;
	const char *tier;
	if (c->performance_plus == 1 && isnan(d->iops_perf_plus) && isnan(d->mbps_perf_plus))
		return err_set(err, ERR_RANGE, "%s has no performance plus", d->sku);
	return c->raised ? one_of(d, "performance tier", c->raised->sku, d->performance_tiers,
				   d->n_performance_tiers, &tier, err)
			 : 0;
}

/*
 * A rate to provision, as a whole number: rounded up, but not over the ceiling (NaN: not known, so
 * it does not bind).  `what` names it in the message.
 */
static int
check_rate(const struct disk_config *c, const char *what, double low, double high, double *rate,
	struct err *err)
{
	char lowest[32], highest[32];
	/* 125 MiB/s given as MB/s may be off in the last bit */
	if (*rate >= low * (1 - 1e-12) && !(*rate > high * (1 + 1e-12))) {
		double whole = ceil(*rate - 1e-9);
		*rate = isnan(high) ? whole : fmin(whole, floor(high + 1e-9));
		return 0;
	}
	units_count_text(low, lowest);
	units_count_text(high, highest);
	if (isnan(*rate))
		return err_set(err, ERR_RANGE, "%s of %g GiB with no %s stated: accepted %s to %s",
			c->disk->sku, c->size_gib, what, lowest, highest);
	return err_set(err, ERR_RANGE, "%s of %g GiB with %g %s: accepted %s to %s", c->disk->sku,
		c->size_gib, *rate, what, lowest, highest);
}

static double
least(double min, double base)
{
	return !isnan(min) ? min : !isnan(base) ? base : 0;
}

/* A rate that is not bought accepts none above what comes; `has` is in the unit of the message. */
static int
check_given(const struct disk_config *c, double rate, double has, const char *unit, struct err *err)
{
	if (!(rate > has))
		return 0;
	return err_set(err, ERR_RANGE, "%s with %g %s: it has %g", c->disk->sku, rate, unit, has);
}

static double
fixed_iops(const struct disk_config *c, double billed_gib)
{
	const struct disk_limit *level = c->raised ? c->raised : c->disk;
	double plus = c->performance_plus == 1 ? c->disk->iops_perf_plus : (double)NAN;
	return fmax(disk_limit_iops(level, billed_gib), plus); /* skips NaN */
}

static double
fixed_mbps(const struct disk_config *c, double billed_gib)
{
	const struct disk_limit *level = c->raised ? c->raised : c->disk;
	double most = isnan(level->mbps_per_gib) && isnan(level->mbps_per_iops)
			      ? disk_limit_mbps(level, c->iops)
			      : disk_limit_sustained_mbps(level, billed_gib);
	return fmax(most, c->performance_plus == 1 ? disk_limit_plus_mbps(c->disk) : (double)NAN);
}

static int
bill_iops(struct bill_work *w, const struct disk_config *c, struct bill_demand d, double billed_gib,
	double *iops)
{
	const struct disk_limit *disk = c->disk;
	if (!disk_limit_buys_iops(disk)) {
		*iops = c->iops;
		return check_given(c, c->iops, fixed_iops(c, billed_gib), "IOPS", w->err);
	}
	int rc = check_rate(c, "IOPS", least(disk_limit_least_iops(disk, billed_gib), 0),
		disk_limit_iops(disk, billed_gib), iops, w->err);
	d.key.item = PRICE_ITEM_IOPS;
	d.name = "IOPS";
	d.each = *iops;
	d.included = least(disk->iops_base, 0);
	return rc ? rc : bill_demand(w, &d, NULL);
}

/* Asked in MB/s of 10^6, sold in MiB/s: the refusal says the range in both. */
static int
refuse_mib(const struct disk_config *c, double low, double high, struct err *err)
{
	char lowest[32], highest[32];
	units_count_text(low, lowest);
	units_count_text(high, highest);
	return err_set(err, ERR_RANGE,
		"%s of %g GiB with %g MB/s: accepted %.10g to %.10g MB/s of 10^6 (%s to %s MiB/s)",
		c->disk->sku, c->size_gib, c->mbps, units_mibps_to_mbps(low),
		units_mibps_to_mbps(high), lowest, highest);
}

static int
bill_throughput(struct bill_work *w, const struct disk_config *c, struct bill_demand d,
	double billed_gib, double iops)
{
	const struct disk_limit *disk = c->disk;
	double mib = disk->mbps_unit == LIMITS_MIB ? UNITS_MB / UNITS_MIB : 1;
	double mbps = c->mbps * mib;
	bool follows_iops = disk_limit_buys_iops(disk);
	if (!disk_limit_buys_throughput(disk))
		return check_given(c, c->mbps,
			follows_iops ? disk_limit_mbps(disk, iops) : fixed_mbps(c, billed_gib),
			"MB/s", w->err);
	double low = least(disk->mbps_min, disk->mbps_base);
	double high = disk_limit_mbps(disk, iops) * mib;
	int rc = check_rate(c, "MB/s", low, high, &mbps, w->err);
	if (rc && mib < 1 && !isnan(high) && !isnan(mbps))
		return refuse_mib(c, low, high, w->err);
	d.key.item = PRICE_ITEM_THROUGHPUT;
	d.name = "throughput";
	d.each = mbps;
	d.included = least(disk->mbps_base, 0);
	return rc ? rc : bill_demand(w, &d, NULL);
}

static int
bill_rates(
	struct bill_work *w, const struct disk_config *c, struct bill_demand d, double billed_gib)
{
	double iops = c->iops;
	d.key.sku = d.sku = c->disk->sku;
	int rc = bill_iops(w, c, d, billed_gib, &iops);
	return rc ? rc : bill_throughput(w, c, d, billed_gib, iops);
}

/* What the size itself costs, when another is billed: the price that its unused part is a share of. */
static double
own_price(const struct bill_work *w, const struct disk_config *c, const struct bill_demand *d)
{
	const struct price_row *row = NULL;
	if (price_book_find(w->book, d->key.family, c->disk->sku, d->key.redundancy,
		    PRICE_ITEM_DISK, &row, NULL))
		return 0;
	return price_row_monthly(w->book, row) * c->disks;
}

/* The space: a whole disk where the book prices one, else its GiB. */
static int
bill_space(
	struct bill_work *w, const struct disk_config *c, struct bill_demand d, double billed_gib)
{
	double amount = 0;
	bool step = !isnan(c->disk->billed_gib);
	d.key.item = step ? PRICE_ITEM_DISK : PRICE_ITEM_CAPACITY;
	d.key.term = c->term;
	d.name = step ? "disk" : "capacity";
	if (c->raised)
		d.name = arena_printf(w->arena, "disk, performance tier of a %s", c->disk->sku);
	d.each = step ? 1 : billed_gib;
	int rc = d.name ? bill_demand(w, &d, &amount) : err_nomem(w->err);
	double wasted = billed_gib - c->size_gib;
	if (rc || !(wasted > 0))
		return rc;
	w->bill.wasted_gib += wasted * c->disks;
	w->bill.wasted_amount += (c->raised ? own_price(w, c, &d) : amount) * wasted / billed_gib;
	return 0;
}

/*
 * Transactions, up to the hourly cap where the provider has one.  A cap without a number leaves an
 * interval: at least what no cap can undercut, at most all of them.
 */
static int
bill_operations(struct bill_work *w, const struct disk_config *c, struct bill_demand d)
{
	const struct disk_limit *disk = c->disk;
	double month = w->book->hours_per_month;
	double hours = c->operations_hours > 0 ? fmin(c->operations_hours, month) : month;
	double most = c->operations_month, cap = disk->billing_cap_hour * hours;
	double floor_cap = isnan(disk->billing_cap_least) ? 0 : disk->billing_cap_least * hours;
	d.key.item = PRICE_ITEM_OPERATIONS;
	d.name = "operations";
	d.each = most > cap ? cap : most;
	if (disk->operations_billed == 0 || most <= 0) /* NaN is unknown, and billed */
		return 0;
	if (isnan(most) && !isnan(cap)) {
		d.each = cap;
		return bill_demand_between(w, &d, 0, "the load is not known, the hourly cap is");
	}
	if (disk->billing_capped != 1 || !isnan(cap) || isnan(most) || most <= floor_cap)
		return bill_demand(w, &d, NULL);
	return bill_demand_between(w, &d, floor_cap,
		"billed transactions an hour are capped, at a number that is not known");
}

static int
bill_mounts(struct bill_work *w, const struct disk_config *c, struct bill_demand d)
{
	d.key.item = PRICE_ITEM_MOUNT;
	d.name = "mounts after the first";
	d.each = c->mounts - 1;
	return c->disk->mounts_billed != 0 && c->mounts > 1 ? bill_demand(w, &d, NULL) : 0;
}

static int
bill_burst(struct bill_work *w, const struct disk_config *c, struct bill_demand d)
{
	if (!c->burst)
		return 0;
	if (isnan(c->disk->burst_iops))
		return err_set(w->err, ERR_RANGE, "%s cannot burst", c->disk->sku);
	/* the size decides, not the performance tier it is raised to (disks-enable-bursting) */
	if (c->disk->burst_billed == 0)
		return err_set(w->err, ERR_RANGE,
			"%s bursts on credits, which are free; on-demand bursting is offered with "
			"larger sizes",
			c->disk->sku);
	d.key.sku = NULL; /* one meter for the family */
	d.key.item = PRICE_ITEM_BURST;
	d.name = "on-demand burst";
	d.each = 1;
	int rc = bill_demand(w, &d, NULL);
	if (rc || c->burst_operations_month <= 0)
		return rc;
	d.key.item = PRICE_ITEM_BURST_OPERATIONS;
	d.name = "burst operations";
	d.each = c->burst_operations_month;
	return bill_demand(w, &d, NULL);
}

/* A meter that is not told apart by redundancy serves every disk. */
static bool
has_price(const struct bill_work *w, const struct price_key *key)
{
	struct price_tiers t = {.n = 0};
	return price_book_tiers(w->book, key, &t, NULL) != 0 || t.n > 0; /* several: let it fail */
}

static int
bill_snapshots(struct bill_work *w, const struct disk_config *c, struct bill_demand d)
{
	d.key.item = PRICE_ITEM_SNAPSHOT;
	d.key.sku = NULL;
	if (c->snapshot_redundancy)
		d.key.redundancy = c->snapshot_redundancy;
	if (c->disk->snapshot_family && !c->snapshot_full)
		d.key.family = c->disk->snapshot_family;
	struct price_key any = d.key;
	any.redundancy = NULL;
	if (!has_price(w, &d.key) && has_price(w, &any))
		d.key = any;
	d.name = c->snapshot_full ? "full snapshots" : "snapshots";
	d.each = c->snapshot_gib;
	return c->snapshot_gib > 0 ? bill_demand(w, &d, NULL) : 0;
}

int
bill_add_disk(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct disk_config *config, const char *label, struct err *err)
{
	const struct disk_limit *disk = config->disk;
	const struct disk_limit *level = config->raised ? config->raised : disk;
	struct bill_work w = {*bill, a, book, label, disk, err, false};
	struct bill_demand d = {.key = {.family = disk->family, .sku = level->sku},
		.sku = level->sku,
		.disks = config->disks};
	int rc = check_size(config, err);
	rc = rc ? rc : check_use(config, err);
	rc = rc ? rc : check_levels(config, err);
	rc = rc ? rc : redundancy_of(config, &d.key.redundancy, err);
	if (rc)
		return rc;
	double billed_gib = bill_size_gib(disk, config->size_gib);
	rc = bill_space(&w, config, d, billed_gib);
	rc = rc ? rc : bill_rates(&w, config, d, billed_gib);
	rc = rc ? rc : bill_operations(&w, config, d);
	rc = rc ? rc : bill_mounts(&w, config, d);
	rc = rc ? rc : bill_burst(&w, config, d);
	rc = rc ? rc : bill_snapshots(&w, config, d);
	if (rc == 0)
		*bill = w.bill;
	return rc;
}
