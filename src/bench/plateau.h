/*
 * plateau.h - what holds a disk at its plateau: the device, a quota, this machine, or a throttle on
 * the way to the disk.  Judged by figures alone.
 *
 * How each looks, and where that was seen:
 *
 *   throttle   a limit of a control group that is as high as the rate; or the kernel's own pattern:
 *              tokens are handed out every 0.1 s, so most requests take no time and a few 0.1 s
 *              (p50 0.15 ms, p99 100 ms at a mean of 16 ms), at every depth beyond the knee
 *   client     the processor time that this process had or waited for is all there was
 *   cap-iops   the same rate at all depths and in every slice, with hardly any spread of latency,
 *              and the same for blocks four times as large, or for reads and writes: published
 *              cloud disks at their cap have p95/p50 1.05 to 1.21.  Flat and tight alone proves
 *              nothing: so are many SATA disks behind a controller; but none of those public
 *              sweeps does the same rate with 16 KiB blocks (0.29 to 0.78 of it with 4 KiB)
 *   cap-mbps   the same bytes a second as with larger blocks: a cap in MB/s, or the link
 *   device     anything else that stopped rising
 *   unknown    it did not stop rising; or flat and tight with nothing to tell a quota from the
 *              device
 */
#ifndef BENCH_PLATEAU_H
#define BENCH_PLATEAU_H

#include <stddef.h>

#include "base/arena.h"
#include "bench/knee.h"
#include "profile/profile.h"

/* The rate with another block size, at the knee's depth or more. */
struct plateau_size {
	double bs_b, qd, iops;
};

/* Everything is NaN (or 0 sizes) where it is not known. */
struct plateau_figures {
	double bs_b;
	struct knee knee; /* reached, flat_frac, iops, ... */
	double knee_qd;
	double cv_frac; /* of the slices' rates: median over the plateau's depths */
	double qd, mean_us, p50_us, p90_us, longest_us; /* at the plateau's deepest point */
	double shallow_qd; /* least depth of twice the knee's and more */
	size_t n_deep, n_waits; /* points from there on, and those with waits as of the throttle */
	double light_us; /* mean latency at depth 1 */
	double other_iops; /* plateau of the other direction */
	const struct plateau_size *sizes;
	size_t n_sizes;
	double client_frac; /* share of the time on a processor or waiting for one, on the plateau */
	double limit_iops, limit_bps; /* of a control group, for this direction */
};

/*
 * The percentile (or the maximum) that is as long as a wait for the throttle's next tokens, 40 to
 * 130 ms; NaN: none is.
 */
double plateau_wait_us(double p99_us, double p999_us, double max_us);

struct plateau {
	const char *limit; /* as profile_knee.limit */
	const char *why; /* one sentence, in the arena */
};

/* ERR_NOMEM. */
int plateau_judge(
	const struct plateau_figures *f, struct arena *a, struct plateau *p, struct err *err);

#endif /* BENCH_PLATEAU_H */
