/*
 * burst.h - a short peak above the sustained demand (burst_iops, burst_mbps, burst_minutes_day), and how
 * a configuration meets it: by what it sustains, by credits, or by bursting on demand.
 *
 * Credits: a full bucket is what drains at the highest burst in burst_seconds, counted from the sustained
 * level (Azure does not say from where; this is the smaller reading), or burst_credit_ios where the limits
 * give it (EBS gp2).  It lasts bucket / (peak - sustained level), and is full again the next day only where
 * the unused level of the rest of the day fills it.  Headroom is kept of the burst level as of any cap.
 *
 * On demand: a monthly fee and transactions above the sustained level (price/bill.h); of a size at its own
 * level, neither raised nor with performance plus.
 *
 * Thin here: the peak of a volume is asked of the machine alone, beside nothing; its length by the machine's
 * own credits.
 */
#ifndef ADVISE_BURST_H
#define ADVISE_BURST_H

#include "advise/constraint.h"

/* A peak at the disks of a candidate, all of them together. */
struct burst_peak {
	double iops,
		mbps; /* I/O units of the tier a second; MB/s; no less than the sustained demand */
	double seconds_day;
};

enum burst_means {
	BURST_NO_PEAK, /* none is asked */
	BURST_SUSTAINED,
	BURST_CREDITS,
	BURST_ON_DEMAND,
	BURST_TOO_HIGH, /* above what the disks reach */
	BURST_TOO_LONG, /* credits do not last */
	BURST_MACHINE, /* above what the machine lets through */
};

struct burst_answer {
	enum burst_means means;
	struct burst_peak peak;
	/* of the first that is not enough, or the tightest: asked and there, in `unit` */
	double need, have;
	const char *unit;
	double lasts_s; /* credits at the peak, filled again each day; INFINITY: none are used; NaN */
};

/* Does the volume say how high a short peak goes? */
bool burst_is_asked(const struct workload_volume *v);

/* The peak at disks that count I/Os by units of unit_kib; `sustained` units a second without it. */
struct burst_peak burst_peak_of(const struct demand *d, double unit_kib, double sustained);

struct burst_answer burst_meets(const struct candidate_site *s, const struct candidate *c);

/* Transactions a month above the level of each disk, billed when it bursts on demand. */
double burst_operations_month(const struct candidate_site *s, const struct candidate *c);

/* The constraint: broken where no means is enough, with both numbers. */
struct breach burst_check(const struct candidate_site *s, const struct candidate *c);

#endif /* ADVISE_BURST_H */
