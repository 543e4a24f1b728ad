/*
 * today.h - what the workload says each volume is on today: its levels, its cost on the same price
 * book, and what its settings cost or would save.
 *
 * Money of one machine a month; MB/s of 10^6; NaN: not known or not said.
 */
#ifndef ADVISE_TODAY_H
#define ADVISE_TODAY_H

#include "advise/build.h"

struct today {
	const struct workload_current *said; /* NULL: the workload does not say */
	const struct disk_limit *disk;
	const struct disk_limit *tier; /* performance tier it is raised to; NULL: its own */
	double disks, billed_gib; /* billed: each disk */
	double iops, mbps; /* sustained by the whole stripe */
	double own_iops, own_mbps; /* the same without the performance tier */
	double bought_iops, bought_mbps; /* above what comes with it, each disk; 0: none */
	struct disk_config config; /* of one machine */
	double monthly;
	double own_monthly; /* without the performance tier; NaN: it has none */
	double burst_monthly; /* fee and transactions of bursting at the peak; NaN: switched off */
	double tier_monthly; /* what the cheapest performance tier that meets the need costs more; NaN: none does */
	bool cache_allowed; /* tier and size can have a host cache */
};

/*
 * Of every volume, into b->today.  ERR_NOT_FOUND: a size the limits do not have; ERR_RANGE: a
 * setting it does not take, or a stripe that a shared disk cannot have.  A price the book lacks is
 * NaN and a finding.
 */
int today_find(struct build *b, struct err *err);

/* Today's disks as one of the other plans, with the verdict of build_today(): nothing when a volume's
 * are not said. */
int today_option(struct build *b, struct err *err);

#endif /* ADVISE_TODAY_H */
