/*
 * histogram.h - quantiles of a cumulative latency histogram: linear inside a bucket (as Prometheus'
 * histogram_quantile is), bounded by the bucket's edges, and honest beyond the last finite edge.
 */
#ifndef WORKLOAD_HISTOGRAM_H
#define WORKLOAD_HISTOGRAM_H

#include <stdbool.h>

#include "workload/evidence.h"

/* A quantile and what its bucket leaves open. */
struct histogram_at {
	double us; /* NaN: the histogram is empty */
	double low_us, high_us; /* edges of its bucket; high may be infinite, then us is low */
};

/* Observations in all; 0 when it is empty. */
double histogram_count(const struct evidence_histogram *h);
double histogram_mean_us(
	const struct evidence_histogram *h); /* NaN: empty, or its sum is not known */

/* The latency that the share p (0..1) of the operations does not exceed. */
struct histogram_at histogram_at(const struct evidence_histogram *h, double p);
/* The same of one part of its time. */
struct histogram_at histogram_window_at(
	const struct evidence_histogram *h, size_t window, double p);

/* The bucket of the highest observation (us: its lower edge) and how many it holds. */
struct histogram_at histogram_worst(const struct evidence_histogram *h, double *n);

/* In ms: "15.14", ">= 8,192", "4,096 to 8,192", "". */
void histogram_quantile_text(const struct evidence_histogram *h, double p, char text[48]);
void histogram_worst_text(const struct evidence_histogram *h, char text[48]);

#endif /* WORKLOAD_HISTOGRAM_H */
