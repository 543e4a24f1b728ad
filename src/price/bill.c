/*
 * bill.c - the document of a bill, its lines, and prices by tier: from a quantity of one meter to
 * the lines a provider would put on the invoice.  Disks are in bill_disk.c, machines here.
 */
#include "price/bill.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "price/bill_work.h"

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
	FIELD_NUMBER(L, amount_low, false, 0, SCHEMA_ANY, "currency/month",
		"the amount is at least this and at most `amount`; absent: it is `amount`"),
	FIELD_TEXT(L, note, false, "why it is an interval"),
	FIELD_TEXT(L, term, false, "commitment; absent: pay as you go"),
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
	FIELD_NUMBER(B, total_low, false, 0, SCHEMA_ANY, "currency/month",
		"the total is at least this; absent: no line is an interval"),
	FIELD_FLAG(B, complete, "every amount is known"),
	FIELD_NUMBER(B, wasted_gib, false, 0, SCHEMA_ANY, "GiB",
		"billed but not asked for: rounding up to a step"),
	FIELD_NUMBER(B, wasted_amount, false, 0, SCHEMA_ANY, "currency/month",
		"share of the capacity price that pays for it"),
	FIELD_NUMBER(B, hours, false, 0, 744, "h", "hours of the month the total is for"),
	FIELD_NUMBER(B, hourly, false, 0, SCHEMA_ANY, "currency/month",
		"part of the total metered by the hour: in a month of other hours it scales"),
};

const struct schema bill_schema = SCHEMA_PART("monthly bill", B, bill_fields);

#undef L
#undef B

void
bill_init(struct bill *bill, const struct price_book *book)
{
	*bill = (struct bill){.currency = book->currency,
		.complete = 1,
		.total_low = (double)NAN,
		.hours = book->hours_per_month};
}

double
bill_total_at(const struct bill *bill, double hours)
{
	return bill->total + bill->hourly * (hours / bill->hours - 1);
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

static bool
is_hourly(const struct price_row *row)
{
	if (row->term_months > 0)
		return false; /* paid at once, however its unit is written */
	return row->unit == PRICE_UNIT_HOUR || row->unit == PRICE_UNIT_GIB_HOUR ||
	       row->unit == PRICE_UNIT_GB_HOUR;
}

/* "IOPS", "MB/s", "disk": the noun of an item that is priced by the piece. */
static const char *
piece_noun(const struct bill_work *w, enum price_item item)
{
	static const char *const noun[PRICE_ITEM_COUNT] = {
		[PRICE_ITEM_DISK] = "disk",
		[PRICE_ITEM_CAPACITY] = "GiB",
		[PRICE_ITEM_SNAPSHOT] = "GiB",
		[PRICE_ITEM_OPERATIONS] = "operation",
		[PRICE_ITEM_BURST_OPERATIONS] = "operation",
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
unit_text(const struct bill_work *w, const struct price_row *row)
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
add_line(struct bill_work *w, const struct bill_line *line, bool hourly)
{
	struct bill *b = &w->bill;
	struct bill_line *lines = arena_grow(w->arena, b->lines, b->n_lines, sizeof(*lines));
	if (!lines || !line->what || !line->unit)
		return err_nomem(w->err);
	lines[b->n_lines] = *line;
	b->lines = lines;
	b->n_lines++;
	if (isnan(line->amount)) {
		b->complete = 0;
		return 0;
	}
	b->total += line->amount;
	b->total_low += line->amount; /* NaN stays NaN */
	b->hourly += hourly ? line->amount : 0;
	return 0;
}

const char *
bill_oldest(const struct bill *bill)
{
	const char *oldest = NULL;
	for (size_t i = 0; i < bill->n_lines; i++) {
		const char *as_of = bill->lines[i].as_of;
		if (as_of && (!oldest || strncmp(as_of, oldest, 10) < 0))
			oldest = as_of;
	}
	return oldest;
}

static const char *
line_name(const struct bill_work *w, const struct bill_demand *d)
{
	return arena_printf(w->arena, "%s%s%s%s%s", w->label ? w->label : "", w->label ? ": " : "",
		d->sku ? d->sku : "", d->sku ? " " : "", d->name);
}

/* A line whose amount nobody can know yet.  err keeps the first reason. */
static int
add_unknown(struct bill_work *w, const struct bill_demand *d, const struct price_row *row,
	double quantity)
{
	const struct bill_line line = {
		.what = line_name(w, d),
		.meter = row ? row->meter : NULL,
		.sku = d->sku,
		.quantity = quantity,
		.unit = row ? unit_text(w, row) : piece_noun(w, d->key.item),
		.unit_price = (double)NAN,
		.amount = (double)NAN,
		.amount_low = (double)NAN,
		.term = d->key.term,
		.trust = row ? price_row_trust(w->book, row) : -1,
		.source = row ? price_row_source(w->book, row) : NULL,
		.as_of = row ? price_row_as_of(w->book, row) : NULL,
	};
	if (!w->told && row)
		err_set(w->err, ERR_PRICE, "%s: the quantity is unknown", line.what);
	else if (!w->told)
		price_book_missing(w->book, &d->key, w->err);
	w->told = true;
	return add_line(w, &line, false);
}

static int
add_tier(struct bill_work *w, const struct bill_demand *d, const struct price_row *row,
	double units_each)
{
	double monthly = price_row_monthly(w->book, row);
	/* by the hour, not all month; a commitment is paid whether used or not */
	bool part = d->hours > 0 && row->unit == PRICE_UNIT_HOUR && !row->term;
	struct bill_line line = {
		.what = line_name(w, d),
		.meter = row->meter,
		.sku = d->sku,
		.quantity = units_each * d->disks * (part ? d->hours : 1),
		.unit = part ? arena_printf(w->arena, "%s hour", unit_text(w, row))
			     : unit_text(w, row),
		/* else the quantity is per month */
		.unit_price = part || isnan(monthly) ? row->price : monthly,
		.amount_low = (double)NAN,
		.term = row->term,
		.trust = price_row_trust(w->book, row),
		.source = price_row_source(w->book, row),
		.as_of = price_row_as_of(w->book, row),
	};
	line.amount = line.quantity * line.unit_price;
	return add_line(w, &line, is_hourly(row) && !part);
}

int
bill_demand(struct bill_work *w, const struct bill_demand *d, double *amount)
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

int
bill_demand_between(
	struct bill_work *w, const struct bill_demand *d, double low_each, const char *note)
{
	size_t first = w->bill.n_lines;
	/* operations have one price; several tiers would be shared out in proportion */
	double low_before = isnan(w->bill.total_low) ? w->bill.total : w->bill.total_low;
	int rc = bill_demand(w, d, NULL);
	double low = 0;
	for (size_t i = first; i < w->bill.n_lines && rc == 0; i++) {
		struct bill_line *line = &w->bill.lines[i];
		if (isnan(line->amount))
			return rc;
		line->amount_low = line->amount * low_each / d->each;
		line->note = note;
		low += line->amount_low;
	}
	if (rc == 0)
		w->bill.total_low = low_before + low;
	return rc;
}

/* A machine made ready for disks that reserve its processors, and none attached. */
static int
bill_reservation(struct bill_work *w, const struct machine_config *c)
{
	const struct disk_limit *r = c->reserves;
	if (!r || c->attached > 0)
		return 0;
	const struct bill_demand d = {
		.key = {.family = r->family,
			.sku = r->sku,
			.redundancy = r->n_redundancy ? r->redundancy[0] : NULL,
			.item = PRICE_ITEM_VCPU_RESERVATION},
		.sku = c->sku,
		.name = arena_printf(w->arena, "processors reserved for %s", r->sku),
		.each = c->vcpus,
		.hours = c->hours,
		.disks = c->count};
	return d.name ? bill_demand(w, &d, NULL) : err_nomem(w->err);
}

int
bill_add_machine(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct machine_config *c, struct err *err)
{
	struct bill_work w = {*bill, a, book, NULL, NULL, err, false};
	const struct bill_demand d = {
		.key = {.family = "vm", .sku = c->sku, .item = PRICE_ITEM_VM, .term = c->term},
		.sku = c->sku,
		.name = "machine",
		.each = 1,
		.hours = c->hours,
		.disks = c->count};
	if (!(c->count > 0) || !isfinite(c->count))
		return err_set(err, ERR_RANGE, "%g machines of %s: more than 0 expected", c->count,
			c->sku);
	if (c->hours < 0 || c->hours > book->hours_per_month)
		return err_set(err, ERR_RANGE,
			"%s for %g hours a month: accepted up to the %g the book counts", c->sku,
			c->hours, book->hours_per_month);
	int rc = bill_demand(&w, &d, NULL);
	rc = rc ? rc : bill_reservation(&w, c);
	if (rc == 0)
		*bill = w.bill;
	return rc;
}

int
bill_add_vm(struct bill *bill, struct arena *a, const struct price_book *book, const char *vm_sku,
	double count, struct err *err)
{
	const struct machine_config c = {.sku = vm_sku, .count = count, .vcpus = (double)NAN};
	return bill_add_machine(bill, a, book, &c, err);
}
