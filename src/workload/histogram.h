/*
 * histogram.h - quantiles of a cumulative latency histogram: linear inside a bucket, and honest beyond the last
 * finite edge.
 */
#ifndef WORKLOAD_HISTOGRAM_H
#define WORKLOAD_HISTOGRAM_H

#include <stdbool.h>

#include "workload/evidence.h"

/* Observations in all; 0 when it is empty. */
double histogram_count(const struct evidence_histogram *h);

/*
 * The value below which the share p (0..1) lies; from 0 to the first edge in the first bucket.  *beyond: it lies above
 * the last finite edge, which is returned: the value is at least that.  NaN when it is empty.
 */
double histogram_quantile_us(const struct evidence_histogram *h, double p, bool *beyond);

/* The bucket of the highest observation: above *from_us, at most *to_us (which may be infinite). */
void histogram_worst(const struct evidence_histogram *h, double *from_us, double *to_us);

/* In ms: "15.14", ">= 8,192", "4,096 to 8,192", "". */
void histogram_quantile_text(const struct evidence_histogram *h, double p, char text[48]);
void histogram_worst_text(const struct evidence_histogram *h, char text[48]);

#endif /* WORKLOAD_HISTOGRAM_H */
