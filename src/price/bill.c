/*
 * bill.c - from a disk configuration to the lines a provider would put on the invoice.
 *
 * Rules (Azure, "Understand disk billing", 2026-09-16): a fixed size bills the whole step; Premium
 * SSD v2 and Ultra bill GiB, IOPS and MB/s on three meters; a shared disk bills a mount for each
 * machine after the first; incremental snapshots bill on the Standard HDD meter.  Which of them
 * apply to a disk is data (price/limits.h); here is only the arithmetic.
 */
#include "price/bill.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

#define L struct bill_line
#define B struct bill

static const struct schema_field line_fields[] = {
	FIELD_TEXT(L, what, true, "what is billed, with the volume it is for"),
	FIELD_TEXT(L, meter, false, "meter in the provider's words; absent: no price known"),
	FIELD_TEXT(L, sku, false, "size or product"),
	FIELD_NUMBER(L, quantity, false, 0, SCHEMA_ANY, "", "how many units; absent: unknown"),
	FIELD_TEXT(L, unit, true, "what one unit is"),
	FIELD_NUMBER(L, unit_price, false, 0, SCHEMA_ANY, "currency",
		"price of one unit and month; absent: unknown"),
	FIELD_NUMBER(L, amount, false, 0, SCHEMA_ANY, "currency/month",
		"quantity x unit_price; absent: unknown"),
	FIELD_WORD(L, trust, &trust_names, false, "class of evidence of the price"),
	FIELD_TEXT(L, source, false, "where the price comes from"),
	FIELD_TEXT(L, as_of, false, "date of the price"),
};

const struct schema bill_line_schema = SCHEMA_PART("bill line", L, line_fields);

static const struct schema_field bill_fields[] = {
	FIELD_TEXT(B, currency, true, "ISO 4217 code of every amount"),
	FIELD_LIST(B, lines, n_lines, &bill_line_schema, true, "one line a meter"),
	FIELD_NUMBER(B, total, true, 0, SCHEMA_ANY, "currency/month",
		"sum of the known amounts; a lower bound when not complete"),
	FIELD_FLAG(B, complete, "every amount is known"),
	FIELD_NUMBER(B, wasted_gib, false, 0, SCHEMA_ANY, "GiB",
		"billed but not asked for: rounding up to a step"),
	FIELD_NUMBER(B, wasted_amount, false, 0, SCHEMA_ANY, "currency/month",
		"share of the capacity price that pays for it"),
};

const struct schema bill_schema = SCHEMA_PART("monthly bill", B, bill_fields);

#undef L
#undef B

/* State of one bill_add_*(): works on a copy of the bill, so that a failure changes nothing. */
struct work {
	struct bill bill;
	struct arena *arena;
	const struct price_book *book;
	const char *label;
	const struct disk_limit *disk; /* NULL: a machine */
	struct err *err;
	bool told; /* err holds the first reason of an unknown amount */
};

/* What a line asks for: one meter and how much of it. */
struct demand {
	struct price_key key;
	const char *sku; /* shown; the key of a family-wide meter has none */
	const char *name; /* "disk", "capacity", "IOPS", ... */
	double each; /* per disk, in GiB, IOPS, MB/s of the provider, operations, pieces */
	double disks;
	double included; /* comes with the disk: free when the lowest tier starts at it */
};

void
bill_init(struct bill *bill, const struct price_book *book)
{
	*bill = (struct bill){.currency = book->currency, .complete = 1};
}

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
	};
}

double
bill_size_gib(const struct disk_limit *disk, double size_gib)
{
	if (!isnan(disk->billed_gib))
		return disk->billed_gib;
	double whole = ceil(size_gib - 1e-9); /* a sum of parts may be off in the last bit */
	return whole < disk->size_gib_min ? disk->size_gib_min : whole;
}

/* Units of a row per unit of the demand: GB are 10^9 bytes, operations come by the 10,000. */
static double
units_per_demand(enum price_unit unit)
{
	switch (unit) {
	case PRICE_UNIT_GB_MONTH:
	case PRICE_UNIT_GB_HOUR:
	case PRICE_UNIT_GB:
		return UNITS_GIB / UNITS_GB;
	case PRICE_UNIT_TB:
		return UNITS_GIB / (1000 * UNITS_GB);
	case PRICE_UNIT_10K:
		return 1e-4;
	case PRICE_UNIT_1M:
		return 1e-6;
	case PRICE_UNIT_MONTH:
	case PRICE_UNIT_HOUR:
	case PRICE_UNIT_GIB_MONTH:
	case PRICE_UNIT_GIB_HOUR:
	case PRICE_UNIT_COUNT:
		break;
	}
	return 1;
}

/* "IOPS", "MB/s", "disk": the noun of an item that is priced by the piece. */
static const char *
piece_noun(const struct work *w, enum price_item item)
{
	static const char *const noun[PRICE_ITEM_COUNT] = {
		[PRICE_ITEM_DISK] = "disk",
		[PRICE_ITEM_IOPS] = "IOPS",
		[PRICE_ITEM_THROUGHPUT] = "MB/s",
		[PRICE_ITEM_MOUNT] = "mount",
		[PRICE_ITEM_BURST] = "disk",
		[PRICE_ITEM_VM] = "machine",
		[PRICE_ITEM_VCPU_RESERVATION] = "vCPU",
	};
	if (item == PRICE_ITEM_THROUGHPUT && w->disk && w->disk->mbps_unit == LIMITS_MIB)
		return "MiB/s";
	return noun[item] ? noun[item] : "piece";
}

static const char *
unit_text(const struct work *w, const struct price_row *row)
{
	static const char *const by_unit[PRICE_UNIT_COUNT] = {
		[PRICE_UNIT_GIB_MONTH] = "GiB",
		[PRICE_UNIT_GIB_HOUR] = "GiB",
		[PRICE_UNIT_GB_MONTH] = "GB",
		[PRICE_UNIT_GB_HOUR] = "GB",
		[PRICE_UNIT_GB] = "GB",
		[PRICE_UNIT_TB] = "TB",
		[PRICE_UNIT_10K] = "10,000 operations",
		[PRICE_UNIT_1M] = "1,000,000 operations",
	};
	bool known = row->unit >= 0 && row->unit < PRICE_UNIT_COUNT;
	const char *text = known ? by_unit[row->unit] : NULL;
	text = text ? text : piece_noun(w, (enum price_item)row->item);
	if (!(row->tier_min > 0))
		return text;
	char above[32];
	units_count_text(row->tier_min, above);
	return arena_printf(w->arena, "%s above %s", text, above);
}

static int
add_line(struct work *w, const struct bill_line *line)
{
	struct bill_line *lines = arena_grow(
		w->arena, w->bill.lines, w->bill.n_lines, sizeof(*lines));
	if (!lines || !line->what || !line->unit)
		return err_nomem(w->err);
	lines[w->bill.n_lines] = *line;
	w->bill.lines = lines;
	w->bill.n_lines++;
	if (isnan(line->amount))
		w->bill.complete = 0;
	else
		w->bill.total += line->amount;
	return 0;
}

static const char *
line_name(const struct work *w, const struct demand *d)
{
	return arena_printf(w->arena, "%s%s%s%s%s", w->label ? w->label : "", w->label ? ": " : "",
		d->sku ? d->sku : "", d->sku ? " " : "", d->name);
}

/* A line whose amount nobody can know yet.  err keeps the first reason. */
static int
add_unknown(struct work *w, const struct demand *d, const struct price_row *row, double quantity)
{
	const struct bill_line line = {
		.what = line_name(w, d),
		.meter = row ? row->meter : NULL,
		.sku = d->sku,
		.quantity = quantity,
		.unit = row ? unit_text(w, row) : piece_noun(w, d->key.item),
		.unit_price = (double)NAN,
		.amount = (double)NAN,
		.trust = row ? price_row_trust(w->book, row) : -1,
		.source = row ? price_row_source(w->book, row) : NULL,
		.as_of = row ? price_row_as_of(w->book, row) : NULL,
	};
	if (!w->told && row)
		err_set(w->err, ERR_PRICE, "%s: the quantity is unknown", line.what);
	else if (!w->told)
		price_book_missing(w->book, &d->key, w->err);
	w->told = true;
	return add_line(w, &line);
}

static int
add_tier(struct work *w, const struct demand *d, const struct price_row *row, double units_each)
{
	double monthly = price_row_monthly(w->book, row);
	struct bill_line line = {
		.what = line_name(w, d),
		.meter = row->meter,
		.sku = d->sku,
		.quantity = units_each * d->disks,
		.unit = unit_text(w, row),
		.unit_price = isnan(monthly) ? row->price : monthly, /* quantity is per month */
		.trust = price_row_trust(w->book, row),
		.source = price_row_source(w->book, row),
		.as_of = price_row_as_of(w->book, row),
	};
	line.amount = line.quantity * line.unit_price;
	return add_line(w, &line);
}

/* Bill the demand tier by tier.  *amount (may be NULL) is what it comes to. */
static int
bill_demand(struct work *w, const struct demand *d, double *amount)
{
	struct price_tiers t = {.n = 0};
	double before = w->bill.total;
	int rc = price_book_tiers(w->book, &d->key, &t, w->err);
	if (rc)
		return rc;
	if (t.n == 0)
		return add_unknown(w, d, NULL, d->each * d->disks);
	double per = units_per_demand((enum price_unit)t.tier[0]->unit);
	double units = d->each * per;
	if (isnan(units))
		return add_unknown(w, d, t.tier[0], units);
	double below = fmin(units, t.tier[0]->tier_min);
	if (below > d->included * per)
		rc = add_unknown(w, d, NULL, below * d->disks);
	for (size_t i = 0; i < t.n && rc == 0; i++) {
		const struct price_row *row = t.tier[i];
		double top = i + 1 < t.n ? fmin(units, t.tier[i + 1]->tier_min) : units;
		bool allowance = row->price <= 0 && i + 1 < t.n;
		if (top > row->tier_min && !allowance)
			rc = add_tier(w, d, row, top - row->tier_min);
	}
	if (amount)
		*amount = w->bill.total - before;
	return rc;
}

/* Redundancy as the book keys it: none where the limits name none. */
static int
redundancy_of(const struct disk_config *c, const char **redundancy, struct err *err)
{
	const struct disk_limit *d = c->disk;
	*redundancy = NULL;
	if (d->n_redundancy == 0)
		return 0;
	struct buf list;
	buf_init(&list, 512);
	for (size_t i = 0; i < d->n_redundancy; i++) {
		if (c->redundancy && strcmp(d->redundancy[i], c->redundancy) == 0)
			*redundancy = d->redundancy[i];
		buf_printf(&list, "%s%s", i ? " or " : "", d->redundancy[i]);
	}
	int rc = *redundancy
			 ? 0
			 : err_set(err, ERR_RANGE, "%s with redundancy %s: offered with %s", d->sku,
				   c->redundancy ? c->redundancy : "not stated", buf_text(&list));
	buf_fini(&list);
	return rc;
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

/*
 * A rate to provision, as a whole number: rounded up, but not over the ceiling.  `what` names it in
 * the message.
 */
static int
check_rate(const struct disk_config *c, const char *what, double low, double high, double *rate,
	struct err *err)
{
	char lowest[32], highest[32];
	if (*rate >= low && *rate <= high * (1 + 1e-12)) {
		*rate = fmin(ceil(*rate - 1e-9), floor(high + 1e-9));
		return 0;
	}
	units_count_text(low, lowest);
	units_count_text(high, highest);
	return err_set(err, ERR_RANGE, "%s of %g GiB with %g %s: accepted %s to %s", c->disk->sku,
		c->size_gib, *rate, what, lowest, highest);
}

static double
least(double min, double base)
{
	return !isnan(min) ? min : !isnan(base) ? base : 0;
}

/* A tier that fixes its rates accepts none above them. */
static int
check_fixed(const struct disk_config *c, struct err *err)
{
	const struct disk_limit *d = c->disk;
	double iops = fmax(d->iops_max, d->iops_perf_plus); /* fmax skips NaN */
	double mbps = fmax(d->mbps_max, d->mbps_perf_plus);
	if (c->iops > iops)
		return err_set(err, ERR_RANGE, "%s with %g IOPS: it has %g", d->sku, c->iops, iops);
	if (c->mbps > mbps)
		return err_set(err, ERR_RANGE, "%s with %g MB/s: it has %g", d->sku, c->mbps, mbps);
	return 0;
}

static int
bill_rates(struct work *w, const struct disk_config *c, struct demand d, double billed_gib)
{
	const struct disk_limit *disk = c->disk;
	double mib = disk->mbps_unit == LIMITS_MIB ? UNITS_MB / UNITS_MIB : 1;
	double iops = c->iops, mbps = c->mbps * mib;
	int rc = check_rate(c, "IOPS", least(disk->iops_min, disk->iops_base),
		disk_limit_iops(disk, billed_gib), &iops, w->err);
	if (rc)
		return rc;
	rc = check_rate(c, disk->mbps_unit == LIMITS_MIB ? "MiB/s" : "MB/s",
		least(disk->mbps_min, disk->mbps_base), disk_limit_mbps(disk, iops) * mib, &mbps,
		w->err);
	if (rc)
		return rc;
	d.key.item = PRICE_ITEM_IOPS;
	d.name = "IOPS";
	d.each = iops;
	d.included = least(disk->iops_base, 0);
	rc = bill_demand(w, &d, NULL);
	if (rc)
		return rc;
	d.key.item = PRICE_ITEM_THROUGHPUT;
	d.name = "throughput";
	d.each = mbps;
	d.included = least(disk->mbps_base, 0);
	return bill_demand(w, &d, NULL);
}

/* The space: a whole disk where the book prices one, else its GiB. */
static int
bill_space(struct work *w, const struct disk_config *c, struct demand d, double billed_gib)
{
	double amount = 0;
	bool step = !isnan(c->disk->billed_gib);
	d.key.item = step ? PRICE_ITEM_DISK : PRICE_ITEM_CAPACITY;
	d.name = step ? "disk" : "capacity";
	d.each = step ? 1 : billed_gib;
	int rc = bill_demand(w, &d, &amount);
	double wasted = billed_gib - c->size_gib;
	if (rc || !(wasted > 0))
		return rc;
	w->bill.wasted_gib += wasted * c->disks;
	w->bill.wasted_amount += amount * wasted / billed_gib;
	return 0;
}

static int
bill_burst(struct work *w, const struct disk_config *c, struct demand d)
{
	if (!c->burst || c->disk->burst_billed == 0) /* credits are free */
		return 0;
	if (isnan(c->disk->burst_iops))
		return err_set(w->err, ERR_RANGE, "%s cannot burst", c->disk->sku);
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

/* What comes with use: transactions, further machines, bursting, snapshots. */
static int
bill_use(struct work *w, const struct disk_config *c, struct demand d)
{
	int rc = 0;
	bool no_operations = c->operations_month <= 0; /* false for NaN: unknown is billed */
	d.key.item = PRICE_ITEM_OPERATIONS;
	d.name = "operations";
	d.each = c->operations_month;
	if (c->disk->operations_billed != 0 && !no_operations)
		rc = bill_demand(w, &d, NULL);
	d.key.item = PRICE_ITEM_MOUNT;
	d.name = "mounts after the first";
	d.each = c->mounts - 1;
	if (rc == 0 && c->disk->mounts_billed != 0 && c->mounts > 1)
		rc = bill_demand(w, &d, NULL);
	if (rc == 0)
		rc = bill_burst(w, c, d);
	d.key.item = PRICE_ITEM_SNAPSHOT;
	d.key.sku = NULL;
	if (c->disk->snapshot_family)
		d.key.family = c->disk->snapshot_family;
	d.name = "snapshots";
	d.each = c->snapshot_gib;
	if (rc == 0 && c->snapshot_gib > 0)
		rc = bill_demand(w, &d, NULL);
	return rc;
}

int
bill_add_disk(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct disk_config *config, const char *label, struct err *err)
{
	const struct disk_limit *disk = config->disk;
	struct work w = {*bill, a, book, label, disk, err, false};
	struct demand d = {.key = {.family = disk->family, .sku = disk->sku},
		.sku = disk->sku,
		.disks = config->disks};
	int rc = check_size(config, err);
	rc = rc ? rc : redundancy_of(config, &d.key.redundancy, err);
	if (rc)
		return rc;
	double billed_gib = bill_size_gib(disk, config->size_gib);
	bool provisioned = disk_limit_is_provisioned(disk);
	rc = provisioned ? 0 : check_fixed(config, err);
	rc = rc ? rc : bill_space(&w, config, d, billed_gib);
	if (rc == 0 && provisioned)
		rc = bill_rates(&w, config, d, billed_gib);
	rc = rc ? rc : bill_use(&w, config, d);
	if (rc == 0)
		*bill = w.bill;
	return rc;
}

int
bill_add_vm(struct bill *bill, struct arena *a, const struct price_book *book, const char *vm_sku,
	double count, struct err *err)
{
	struct work w = {*bill, a, book, NULL, NULL, err, false};
	const struct demand d = {.key = {.family = "vm", .sku = vm_sku, .item = PRICE_ITEM_VM},
		.sku = vm_sku,
		.name = "machine",
		.each = 1,
		.disks = count};
	if (!(count > 0) || !isfinite(count))
		return err_set(
			err, ERR_RANGE, "%g machines of %s: more than 0 expected", count, vm_sku);
	int rc = bill_demand(&w, &d, NULL);
	if (rc == 0)
		*bill = w.bill;
	return rc;
}
