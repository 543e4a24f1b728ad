/*
 * buckets.h - percentiles of a histogram of latencies, with what its buckets leave open.
 *
 * Inside a bucket the operations are taken as spread evenly (Prometheus' histogram_quantile does the same); the
 * edges of the bucket bound the true value.  In the last bucket, which has no upper edge, only a lower bound is
 * known.
 */
#ifndef WORKLOAD_BUCKETS_H
#define WORKLOAD_BUCKETS_H

#include <stdbool.h>

#include "base/finding.h"
#include "workload/evidence.h"

struct buckets_at {
	double us; /* NaN: the histogram is empty */
	double low_us, high_us; /* edges of its bucket; high may be infinite, then us is low */
};

/* The latency that the share p (0..1) of the operations does not exceed. */
struct buckets_at buckets_at(const struct evidence_histogram *h, double p);
/* The same of one part of its time. */
struct buckets_at buckets_window_at(const struct evidence_histogram *h, size_t window, double p);

double buckets_total(const struct evidence_histogram *h);
double buckets_mean_us(const struct evidence_histogram *h); /* NaN without a sum */

/* A histogram against a limit for its percentile p. */
struct buckets_verdict {
	struct buckets_at at, median,
		worst; /* worst: the highest p of any part of its time; us NaN: none */
	double worst_dt_s;
	double ratio; /* at / limit */
	bool fails; /* at is over the limit */
	bool fails_surely; /* and so is the lower edge of its bucket */
	bool fails_always; /* and the lower edge of the median's: most operations miss, not some bursts */
	double within_least,
		within_most; /* share of operations within the limit: bounds from the edges */
	double fastest_us; /* nothing is faster: lower edge of the first bucket that holds anything */
	struct buckets_at slowest; /* the last that holds anything */
	double n_slowest;
};

void buckets_judge(
	const struct evidence_histogram *h, double p, double limit_us, struct buckets_verdict *out);

/* The verdict in sentences. */
void buckets_say(
	const struct evidence_histogram *h, double p, double limit_us, struct findings *out);

#endif /* WORKLOAD_BUCKETS_H */
