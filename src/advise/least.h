/*
 * least.h - the least configuration of a tier that holds a size and carries so many I/Os a second of one size,
 * what it costs, and from how many on another tier is cheaper.
 *
 * IOPS are I/Os of the volume, whole ones; a disk that counts an I/O once per started unit counts more, and
 * each brings its bytes: MB/s (10^6) rise with them.  Both sustained, headroom already in them; GiB;
 * money of one month and one machine.  One disk or several equal ones, at the free higher level where there is
 * one; sizes that carry their IOPS grow until they do.  Burst never counts.
 *
 * A tier whose I/Os are billed one by one has no such price: it depends on how many are done.
 */
#ifndef ADVISE_LEAST_H
#define ADVISE_LEAST_H

#include "advise/candidate.h"

struct least_need {
	double gib;
	double io_kib; /* of each I/O; 0: its bytes are not counted */
	double mbps; /* of streams beside them, I/Os of a MiB; the same at every rate */
	size_t disks_most; /* of a stripe */
	const char *redundancy; /* NULL: any */
};

struct least_tier {
	const struct advise_input *in;
	struct least_need need;
	const char *family, *title;
	struct candidate *steps; /* a fixed size, some disks of it, at one level */
	size_t n_steps;
	const struct disk_limit **open; /* bought by GiB, IOPS and MB/s, or sized until they do */
	size_t n_open;
	double most_iops; /* that it can do; 0: it cannot hold the volume at all */
};

/* Everything of `family` the limits have that could hold the need.  ERR_NOMEM. */
int least_tier_init(const struct advise_input *in, const struct least_need *need,
	const char *family, struct arena *a, struct least_tier *out, struct err *err);

/* INFINITY: it cannot, or its price is not known.  Never falls as iops rise. */
double least_price(const struct least_tier *t, double iops);

/* The configuration behind that price; false: none. */
bool least_config(const struct least_tier *t, double iops, struct candidate *out);

/* IOPS from .. to, both included, at which a tier is the cheapest (the earlier of equals) or less than a
 * cent dearer. */
struct least_span {
	double from, to;
	size_t tier;
};

enum { LEAST_MOST_SPANS = 32 };

/*
 * The cheapest tier at every whole number of IOPS from 1 to the most any of them can do; a tier is left where
 * another saves a cent or more a month.  Exact: prices never fall, so between two rates at which one tier costs
 * less than a cent more at the upper than any other at the lower, it stays; other intervals are halved.
 * ERR_UNSUPPORTED when the tiers change places more than LEAST_MOST_SPANS times, or stay so close that this takes
 * more than 20,000 looks.
 */
int least_spans(const struct least_tier *tiers, size_t n, struct least_span *spans, size_t *n_spans,
	struct err *err);

#endif /* ADVISE_LEAST_H */
