/*
 * model_tally.h - errors of predictions: median, 95th percentile, how many measurements lay inside
 * the interval, how many questions were refused.
 */
#ifndef TESTS_MODEL_TALLY_H
#define TESTS_MODEL_TALLY_H

#include "model/disk.h"

struct tally {
	double *errors; /* |predicted / measured - 1| */
	size_t n, inside, refused;
};

/* Measured: NaN is not counted. */
void tally_add(struct tally *t, const struct estimate *predicted, double measured);
void tally_free(struct tally *t);

/* Quantile of the errors, linear between neighbours; NaN when there are none.  Sorts them. */
double tally_quantile(struct tally *t, double share);
/* Share of the measurements within the intervals. */
double tally_coverage(const struct tally *t);

#endif /* TESTS_MODEL_TALLY_H */
