/*
 * bill_work.h - inside of a bill under construction: what bill.c offers to the disks and machines
 * that add lines to it.  Not for others.
 */
#ifndef PRICE_BILL_WORK_H
#define PRICE_BILL_WORK_H

#include <stdbool.h>

#include "price/bill.h"

/* State of one bill_add_*(): works on a copy of the bill, so that a failure changes nothing. */
struct bill_work {
	struct bill bill;
	struct arena *arena;
	const struct price_book *book;
	const char *label;
	const struct disk_limit *disk; /* NULL: a machine */
	struct err *err;
	bool told; /* err holds the first reason of an unknown amount */
};

/* What a line asks for: one meter and how much of it. */
struct bill_demand {
	struct price_key key;
	const char *sku; /* shown; the key of a family-wide meter has none */
	const char *name; /* "disk", "capacity", "IOPS", ... */
	double each; /* per disk, in GiB, IOPS, MB/s of the provider, operations, pieces */
	double disks;
	double included; /* comes with the disk: free when the lowest tier starts at it */
	double hours; /* of a machine that does not run all month; NaN or 0: all of it */
};

/* Bill the demand tier by tier.  *amount (may be NULL) is what it comes to. */
int bill_demand(struct bill_work *w, const struct bill_demand *d, double *amount);

/*
 * The same for a quantity known only to lie between low_each and d->each: the line is an interval,
 * and `note` says why.
 */
int bill_demand_between(
	struct bill_work *w, const struct bill_demand *d, double low_each, const char *note);

#endif /* PRICE_BILL_WORK_H */
