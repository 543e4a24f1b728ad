/*
 * histogram_verdict.h - a histogram of commit latencies against a limit: met or not, surely or not, and whether most
 * operations miss it (the class of disk) or some (bursts).
 */
#ifndef WORKLOAD_HISTOGRAM_VERDICT_H
#define WORKLOAD_HISTOGRAM_VERDICT_H

#include <stdbool.h>

#include "base/finding.h"
#include "workload/histogram.h"

/* A histogram against a limit for its percentile p. */
struct histogram_verdict {
	struct histogram_at at, median,
		worst; /* worst: the highest p of any part of its time; us NaN: none */
	double worst_dt_s;
	double ratio; /* at / limit */
	bool fails; /* at is over the limit */
	bool fails_surely; /* and so is the lower edge of its bucket */
	bool fails_always; /* and the lower edge of the median's: most operations miss, not some bursts */
	double within_least,
		within_most; /* share of operations within the limit: bounds from the edges */
	double fastest_us; /* nothing is faster: lower edge of the first bucket that holds anything */
	struct histogram_at slowest; /* the last that holds anything */
	double n_slowest;
};

void histogram_judge(const struct evidence_histogram *h, double p, double limit_us,
	struct histogram_verdict *out);

/* The verdict in sentences. */
void histogram_say(
	const struct evidence_histogram *h, double p, double limit_us, struct findings *out);

#endif /* WORKLOAD_HISTOGRAM_VERDICT_H */
