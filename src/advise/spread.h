/*
 * spread.h - how far off a latency may be: the distribution behind its 95 % interval.
 *
 * Log-normal, each side by itself: at z standard deviations the latency is value x exp(z sigma), so
 * that z = 1.96 is the upper end of the interval and z = -1.96 the lower one.  sigma of a side is
 * ln(end / value) / 1.96, as the intervals of models.md 1.3 are made (in ln, t quantile and 3 % floor
 * included), and not less than what its pedigree allows, sigmas of models.md 6:
 *   measured, imported, derived from these   the interval as it is
 *   published                                0.17, the form of two published numbers: x/: 1.40
 *   assumed, or no interval known            0.29, the widest class that was validated: x/: 1.77
 * An assumed figure can be further off than that; the word of confidence says so (confidence.h).
 */
#ifndef ADVISE_SPREAD_H
#define ADVISE_SPREAD_H

#include "model/disk.h"

#define SPREAD_95 1.959963984540054 /* standard deviations at the ends of a 95 % interval */
#define SPREAD_PUBLISHED 0.17
#define SPREAD_ASSUMED 0.29
#define SPREAD_MEASURED 0.03 /* of a disk measured by this program: the floor of models.md 1.3 */

/* The weaker of the figure's own trust and that of the profile behind it. */
int spread_trust(const struct estimate *e, int profile_trust);

/* sigma of one side (z < 0: below the value), of ln latency; NaN: the value is not known. */
double spread_sigma(const struct estimate *e, int profile_trust, double z);

/* The latency at z, without an interval of its own.  An unknown one stays unknown. */
struct estimate spread_at(const struct estimate *e, int profile_trust, double z);

/* What an optimist counts on: the lower end of the interval, or one sigma of its pedigree below the value
 * where that is less. */
double spread_good_end(const struct estimate *e, int profile_trust);

/* Standard normal distribution function, and its inverse for 0 < p < 1. */
double spread_normal(double z);
double spread_quantile(double p);

#endif /* ADVISE_SPREAD_H */
