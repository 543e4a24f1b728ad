/*
 * bill.h - the monthly bill of one disk configuration, a line a meter.
 *
 * Thin here: steps, provisioned capacity / IOPS / MB/s with free allowances, operations, snapshots,
 * mounts, on-demand burst.  Reservations and the hourly caps of transactions come with the billing
 * work.
 */
#ifndef PRICE_BILL_H
#define PRICE_BILL_H

#include "price/book.h"
#include "price/limits.h"

struct disk_config {
	const struct disk_limit *disk;
	double size_gib; /* wanted; billed up to the step where the tier has steps */
	double disks; /* how many of it (stripe count x machines) */
	double iops, mbps; /* provisioned, per disk; NaN where the tier fixes them */
	const char *redundancy; /* "LRS", "ZRS" */
	double mounts; /* machines that mount each disk; above 1 is a shared disk */
	double operations_month; /* billable transactions per disk and month; NaN: unknown */
	double snapshot_gib; /* kept snapshot data per disk; NaN or 0: none */
	int burst; /* flag: on-demand bursting switched on */
};

struct bill_line {
	const char *what; /* "WAL: P30 disk" */
	const char *meter; /* the provider's words */
	const char *sku;
	double quantity;
	const char *unit; /* "disk", "GiB", "IOPS above 3,000", ... */
	double unit_price; /* per unit and month; NaN: unknown */
	double amount; /* per month; NaN: unknown */
	int trust;
	const char *source, *as_of;
};

struct bill {
	const char *currency;
	struct bill_line *lines;
	size_t n_lines;
	double total; /* sum of the known amounts: "at least" when not complete */
	int complete; /* flag: every amount is known */
	double wasted_gib; /* billed but not asked for: step rounding */
	double wasted_amount;
};

extern const struct schema bill_line_schema, bill_schema;

void bill_init(struct bill *bill, const struct price_book *book);

/*
 * Add the lines of a configuration; `label` starts each line's `what`.  A price the book lacks
 * becomes a line with unknown amount and complete = 0; `err` then tells which and the return value
 * is still 0. ERR_RANGE when the size or the provisioned values are outside the tier's limits.
 */
int bill_add_disk(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct disk_config *config, const char *label, struct err *err);

/* `count` machines of a size for the month's hours. */
int bill_add_vm(struct bill *bill, struct arena *a, const struct price_book *book,
	const char *vm_sku, double count, struct err *err);

/* Size the tier bills for size_gib: the step, or whole GiB. */
double bill_size_gib(const struct disk_limit *disk, double size_gib);

#endif /* PRICE_BILL_H */
