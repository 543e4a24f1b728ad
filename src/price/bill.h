/*
 * bill.h - the monthly bill of a configuration, a line a meter: disks and machines.
 *
 * Steps and raised performance tiers, provisioned capacity / IOPS / MB/s with free allowances and
 * graduated prices, operations with their hourly caps, snapshots, mounts, on-demand burst, machines,
 * reservations where the book has them.  Which meters apply to a disk is data (price/limits.h), what
 * they cost is data (price/book.h); here is only the arithmetic.
 *
 * Amounts are per month in the book's currency.  An amount nobody can know is NaN and leaves the bill
 * incomplete; one that is known to lie between two values has amount_low below amount.
 */
#ifndef PRICE_BILL_H
#define PRICE_BILL_H

#include "price/book.h"
#include "price/limits.h"

struct disk_config {
	const struct disk_limit *disk;
	double size_gib; /* wanted; billed up to the step where the tier has steps */
	double disks; /* how many of it (stripe count x machines) */
	double iops, mbps; /* provisioned, per disk, MB/s of 10^6; NaN where the tier fixes them */
	const char *redundancy; /* "LRS", "ZRS" */
	double mounts; /* machines that mount each disk; above 1 is a shared disk */
	/* Billable transactions per disk and month; NaN: unknown.  They fall in operations_hours of the
	 * month's hours; NaN or 0: spread over all, which is the dearest where an hourly cap exists. */
	double operations_month, operations_hours;
	/* Kept snapshot data per disk, see bill_snapshot_gib(); NaN or 0: none.  Incremental ones bill
	 * on the meter of the limits' snapshot_family, full ones (flag) on that of the disk. */
	double snapshot_gib;
	int snapshot_full;
	const char *snapshot_redundancy; /* NULL: the disk's */
	int burst; /* flag: on-demand bursting switched on */
	double burst_operations_month; /* billed transactions above the provisioned level, per disk;
					  NaN: unknown */
	/* Fixed sizes.  raised: a larger size of the same family whose level and price are taken
	 * without its capacity (NULL: the disk's own); performance_plus (flag): the free higher
	 * level. */
	const struct disk_limit *raised;
	int performance_plus;
	const char *term; /* commitment for the disk itself, as in the book; NULL: pay as you go */
};

/* One disk, nothing shared, no burst, no snapshots; iops, mbps and operations_month unknown. */
void disk_config_init(struct disk_config *config, const struct disk_limit *disk, double size_gib,
	const char *redundancy);

struct machine_config {
	const char *sku;
	double count;
	double hours; /* running in a month; NaN or 0: all of it */
	const char *term; /* as in the book; NULL: pay as you go */
	/* A machine made ready for disks that reserve its processors (Azure Ultra) pays for the
	 * reservation only while none is attached.  reserves: that disk; NULL: not made ready. */
	const struct disk_limit *reserves;
	double attached; /* such disks attached to each */
	double vcpus; /* of one machine, those switched off too; NaN: unknown */
};

struct bill_line {
	const char *what; /* "WAL: P30 disk" */
	const char *meter; /* the provider's words */
	const char *sku;
	double quantity;
	const char *unit; /* "disk", "GiB", "IOPS above 3,000", ... */
	double unit_price; /* per unit and month; NaN: unknown */
	double amount; /* per month; NaN: unknown */
	double amount_low; /* when only an interval is known: its lower end; else NaN */
	const char *note; /* why an interval; NULL: nothing to say */
	const char *term; /* commitment; NULL: pay as you go */
	int trust;
	const char *source, *as_of;
};

struct bill {
	const char *currency;
	struct bill_line *lines;
	size_t n_lines;
	double total; /* sum of the known amounts: "at least" when not complete */
	double total_low; /* lower end of the total when a line is an interval; else NaN */
	int complete; /* flag: every amount is known */
	double wasted_gib; /* billed but not asked for: step rounding */
	double wasted_amount;
	double hours; /* of the month the total is for */
	double hourly; /* part of the total that is metered by the hour */
};

extern const struct schema bill_line_schema, bill_schema;

void bill_init(struct bill *bill, const struct price_book *book);

/*
 * Add the lines of a configuration; `label` (may be NULL) starts each line's `what`.  Amounts are
 * for all disks of the configuration.  A price the book lacks, or a quantity that is NaN, becomes a
 * line with unknown amount and complete = 0; `err` then tells the first such and the return value
 * is still 0.  ERR_RANGE when the size, the redundancy, the number of machines, the raised tier or
 * the provisioned values are outside the tier's limits; ERR_PRICE when several prices match; the bill
 * is then unchanged.  `redundancy` is ignored where the limits name none.  Tiers whose IOPS or MB/s
 * are bought need them.  Mounts of a raised disk bill at the raised tier, as the disk does.
 */
int bill_add_disk(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct disk_config *config, const char *label, struct err *err);

/* Machines and the reservation of their processors; errors and unknowns as bill_add_disk(). */
int bill_add_machine(struct bill *bill, struct arena *a, const struct price_book *book,
	const struct machine_config *config, struct err *err);

/* `count` machines of a size for the month's hours. */
int bill_add_vm(struct bill *bill, struct arena *a, const struct price_book *book,
	const char *vm_sku, double count, struct err *err);

/* Size the tier bills for size_gib: the step, or whole GiB, at least the smallest size. */
double bill_size_gib(const struct disk_limit *disk, double size_gib);

/* Kept data of `kept` incremental snapshots of a disk with used_gib in use, changed_gib between two:
 * the first holds what is used, each later one what changed.  Full ones hold all of it each. */
double bill_snapshot_gib(double used_gib, double kept, double changed_gib, bool full);

/* The date of the oldest price in the bill; NULL when none of its lines has one. */
const char *bill_oldest(const struct bill *bill);

/* The total for a month of so many hours: monthly meters stay, hourly ones scale. */
double bill_total_at(const struct bill *bill, double hours);

#endif /* PRICE_BILL_H */
