/*
 * series.h - what a series of samples comes to: percentiles of its intervals, means weighted by what they
 * are of, bursts by window, and how well it covers its time.
 *
 * Percentiles are by nearest rank: sort, take element ceil(p n).  Intervals that differ by more than a tenth
 * are weighted by their length.  A percentile here is of interval means and is called so by whoever prints it
 * ("p95 of 60 s means"); percentiles of single operations come from histograms and logs only.
 * NaN: not known.
 */
#ifndef WORKLOAD_SERIES_H
#define WORKLOAD_SERIES_H

#include "base/arena.h"
#include "base/err.h"
#include "workload/evidence.h"

enum { SERIES_WINDOWS = 4 };
extern const double series_window_s[SERIES_WINDOWS]; /* 1, 5, 60, 300 */

/* Of the samples in which the quantity is known. */
struct series_spread {
	size_t n;
	double mean, p50, p95, p99, max;
};

struct series_stats {
	size_t n; /* samples */
	double resolution_s, span_s; /* of one sample; first to last, gaps included */
	double covered_frac; /* share of the span that samples cover */
	size_t gaps; /* steps longer than 1.5 resolutions */
	struct series_spread iops, read_iops, write_iops, flush_iops;
	struct series_spread bytes_s, read_bytes_s, write_bytes_s;
	struct series_spread queue, active_frac, consumed_frac;
	double read_frac; /* reads / (reads + writes), operations */
	double read_b, write_b, any_b; /* mean size: bytes / operations */
	double read_us, write_us, flush_us, any_us; /* weighted by operations */
	double window_iops[SERIES_WINDOWS],
		window_bytes_s[SERIES_WINDOWS]; /* highest mean over each */
	double active_iops; /* highest rate while something was outstanding, from idle time */
	bool reads_only,
		writes_only; /* iops and bytes_s are of one direction: the other is not said */
};

/* Operations (reads and writes; without flushes and discards) and bytes a second of a sample. */
double series_iops(const struct evidence_sample *s);
double series_bytes_s(const struct evidence_sample *s);

/* Operations a second of a sample while something was outstanding; NaN: no idle time was counted. */
double series_active_iops(const struct evidence_series *s, const struct evidence_sample *x);

/* Element ceil(p n) of ascending values, p in 0..1; NaN when there are none. */
double series_rank(const double *ascending, size_t n, double p);

/* Length of the usual interval: the median step; NaN when nothing says. */
double series_step_s(const struct evidence_series *s, struct arena *a);

/* ERR_NOMEM. */
int series_stats(const struct evidence_series *s, struct arena *a, struct series_stats *out,
	struct err *err);

/* How time is said: "1 s", "5 min", "an interval of unknown length". */
void series_resolution_text(double resolution_s, char text[40]);

#endif /* WORKLOAD_SERIES_H */
