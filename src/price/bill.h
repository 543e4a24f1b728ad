/*
 * bill.h - the monthly bill of one disk configuration, a line a meter.
 *
 * Steps, provisioned capacity / IOPS / MB/s with free allowances, operations, snapshots, mounts,
 * on-demand burst, machines; pay as you go.  Thin: no commitments (savings plans, reservations), no
 * hourly caps on billable transactions (the bill of a busy standard disk is an upper bound), and
 * snapshots are billed as kept data, with the disk's own redundancy, not by their churn.
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
	double burst_operations_month; /* billed transactions above the provisioned level, per disk;
					  NaN: unknown */
};

/* One disk, nothing shared, no burst, no snapshots; iops, mbps and operations_month unknown. */
void disk_config_init(struct disk_config *config, const struct disk_limit *disk, double size_gib,
	const char *redundancy);

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
 * Add the lines of a configuration; `label` (may be NULL) starts each line's `what`.  Amounts are
 * for all disks of the configuration.  A price the book lacks, or a quantity that is NaN, becomes a
 * line with unknown amount and complete = 0; `err` then tells the first such and the return value
 * is still 0.  ERR_RANGE when the size, the redundancy, the number of machines or the provisioned
 * values are outside the tier's limits; ERR_PRICE when several prices match; the bill is then
 * unchanged.  `redundancy` is ignored where the limits name none.  Provisioned tiers need iops and
 * mbps.
 */
int bill_add_disk(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct disk_config *config, const char *label, struct err *err);

/* `count` machines of a size for the month's hours. */
int bill_add_vm(struct bill *bill, struct arena *a, const struct price_book *book,
	const char *vm_sku, double count, struct err *err);

/* Size the tier bills for size_gib: the step, or whole GiB, at least the smallest size. */
double bill_size_gib(const struct disk_limit *disk, double size_gib);

#endif /* PRICE_BILL_H */
