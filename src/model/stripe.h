/*
 * stripe.h - one I/O served by several disks at once (models.md 2 and 3.4).
 *
 * An I/O larger than a strip is cut into parts that different disks serve side by side; it is done
 * when the last part is; every part counts as the largest.  Aligned I/O is assumed: no smaller one crosses
 * a strip.  Theory, the parts
 * taken as independent: no public sweep isolates it, so what comes from here is assumed.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_STRIPE_H
#define MODEL_STRIPE_H

#include "model/disk.h"

/* Disks that an I/O touches: min(disks, ceil(size / strip)); 1 without a strip or a stripe. */
double stripe_spans(const struct disk_caps *caps, double bs_b);

/*
 * Mean of the slowest of n parts over that of one: 1 + (H_n - 1) cv, H_n the harmonic number, cv that of a
 * lognormal with this ratio of p99 to p50, within 0.3 .. 1.
 */
double stripe_slowest_mean(double n, double p99_over_p50);

/*
 * A statistic of the slowest of n parts.  one[]: the part's mean, p50, p99 and p999 on one disk; mean: the
 * factor above.  Percentile k: the k^(1/n) one of a part, ln-linear between the known ones over the normal
 * quantile, and on from the last two.
 */
struct estimate stripe_slowest(const struct estimate one[MODEL_STATISTIC_COUNT],
	enum model_statistic stat, double n, double mean);

#endif /* MODEL_STRIPE_H */
