/*
 * hist.h - log-linear latency histogram, nanoseconds.
 *
 * 128 sub-bins per octave (7 bits): a value is known to 1/256 = 0.39 % at worst, from 1 ns (exact
 * below 256 ns) to 2^41 ns = 36.6 min; larger values count in the last bin and still move `max`.
 * Adding is one shift and one increment.  Not for concurrent use; merge per-thread histograms.
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum {
	HIST_BITS = 7,
	HIST_TOP = 41, /* values from 2^41 on share the last bin */
	HIST_BINS = ((HIST_TOP - HIST_BITS) << HIST_BITS) + (1 << HIST_BITS),
};

struct hist {
	uint64_t n;
	int64_t min_ns, max_ns; /* of what was added; min > max when empty */
	double sum_ns, sum2_ns; /* for mean and standard deviation */
	uint64_t bins[HIST_BINS];
};

void hist_init(struct hist *h);
/* ns <= 0 counts as 0. */
void hist_add(struct hist *h, int64_t ns);
/* A batch, of less than 2^23: cheaper than one by one. */
void hist_add_all(struct hist *h, const int64_t *ns, size_t n);
void hist_add_n(struct hist *h, int64_t ns, uint64_t count);
void hist_merge(struct hist *into, const struct hist *from);

/* Only the bins that are not empty, ascending: for keeping many histograms. */
struct hist_packed {
	uint64_t n;
	int64_t min_ns, max_ns;
	double sum_ns, sum2_ns;
	size_t n_bins;
	struct hist_count {
		uint32_t bin, n;
	} bins[];
};

/* A packed copy in the arena; NULL: no memory.  Counts above 2^32-1 a bin are cut to that. */
struct hist_packed *hist_pack(const struct hist *h, struct arena *a);
void hist_merge_packed(struct hist *into, const struct hist_packed *from);

size_t hist_bin(int64_t ns);
/* Smallest value of a bin, and its middle, ns: within 0.39 % of every value in it. */
double hist_bin_low_ns(size_t bin);
double hist_bin_mid_ns(size_t bin);

/* NaN when empty. */
double hist_mean_ns(const struct hist *h);
double hist_sd_ns(const struct hist *h);

/* Value at fraction 0 <= p <= 1 by nearest rank, clamped to [min, max]; NaN when empty. */
double hist_quantile_ns(const struct hist *h, double p);

/*
 * 95 % interval of that quantile by order statistics: the values at ranks n p -+ 1.96 sqrt(n p
 * (1-p)). Valid for independent samples; latencies are correlated, so take it as the least width.
 * Both NaN when fewer than 10 samples lie above the quantile ("N too small").
 */
void hist_quantile_interval_ns(const struct hist *h, double p, double *lo_ns, double *hi_ns);

#endif /* BASE_HIST_H */
