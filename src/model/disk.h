/*
 * disk.h - a disk as curves: fitted from a profile, the document "tierwise/model/1".
 *
 * Latency in microseconds, rates in I/O per second, block sizes in bytes.
 *
 * Closed loop, q outstanding: ln R(q) = 1/8 ln((L1 + c (q-1))^8 + (q/C)^8), three numbers: light
 * latency L1, congestion slope c, wall C.  Open loop at a rate: R = (L1 - c) / (1 - c rate) below
 * the wall; the same numbers.  Inside the measured range monotone interpolation in log-log is used,
 * percentiles always by interpolating the percentile itself; outside the curve, and the answer says
 * "extrapolated".
 */
#ifndef MODEL_DISK_H
#define MODEL_DISK_H

#include "base/finding.h"
#include "price/limits.h"
#include "profile/profile.h"

enum model_form {
	MODEL_FORM_THREE, /* three-number curve */
	MODEL_FORM_POWER, /* ((L1 q^g)^8 + (q/C)^8)^(1/8): disks with an elevator, RAID, Ceph */
	MODEL_FORM_TWO, /* p-norm 4 of L1 and q/C: fewer than five depths, or a published pair */
	MODEL_FORM_CONSTANT, /* one depth only: L1, nothing known about load */
	MODEL_FORM_COUNT
};
extern const struct names model_form_names; /* three power two constant */

enum model_statistic { MODEL_MEAN, MODEL_P50, MODEL_P99, MODEL_P999, MODEL_STATISTIC_COUNT };
extern const struct names model_statistic_names;

enum model_how {
	MODEL_INTERPOLATED,
	MODEL_CURVE,
	MODEL_EXTRAPOLATED,
	MODEL_AT_CAP,
	MODEL_HOW_COUNT
};
extern const struct names model_how_names;

/* A value with its interval and pedigree. */
struct estimate {
	double value, lo, hi; /* lo, hi: 95 %; NaN when not known */
	int trust; /* enum trust */
	int how; /* enum model_how */
};

/* Latency against depth of one operation and block size. */
struct model_curve {
	int op; /* enum profile_op */
	double bs_b;
	int form; /* enum model_form */
	double l1_us, l1_lo_us, l1_hi_us;
	double c_us, c_lo_us, c_hi_us; /* three; NaN otherwise */
	double g, g_lo, g_hi; /* power; NaN otherwise */
	double wall_iops, wall_lo_iops, wall_hi_iops;
	int wall_reached; /* flag: 0: only a lower bound of the wall */
	double x_inf_iops; /* saturation rate min of wall and 1/c, as section 1.3 */
	double knee_qd, efficient_qd; /* q*; q where R = 1.5 L1 */
	/* saturation test: exponent of throughput over the last two depths; a wall shows below 0.1,
	 * above 0.3 the data hold only a lower bound of it */
	double growth;
	double residual_frac; /* sqrt(RSS/(n-k)), relative */
	double rss;
	double n_points;
	double qd_min, qd_max; /* depths measured: outside, answers are extrapolated */
	const char **flags; /* codes of the findings about this curve (traps of models.md 1.7) */
	size_t n_flags;
	/* (J'J)^-1 of the fitted parameters, row-major k x k, 0 where one was fixed; order: three
	 * ln L1, ln (c/L1), ln C; power ln L1, g, ln C; two ln L1, ln C */
	double *cov;
	size_t n_cov;
	double dof; /* points - parameters fitted; below 1: no interval from the fit */
	/* The points behind it, ascending depth: for interpolation and charts.  NaN: not known.
	 * The lo and hi arrays are the intervals the profile states. */
	double *qd, *iops, *mean_us, *p50_us, *p99_us, *p999_us;
	double *mean_lo_us, *mean_hi_us, *p99_lo_us, *p99_hi_us, *p999_lo_us, *p999_hi_us;
	size_t n_qd, n_iops, n_mean_us, n_p50_us, n_p99_us, n_p999_us;
	size_t n_mean_lo_us, n_mean_hi_us, n_p99_lo_us, n_p99_hi_us, n_p999_lo_us, n_p999_hi_us;
	int trust;
};

/*
 * IOPS against block size at one depth: (I0^-p + (B/bs)^-p)^(-1/p), and what was measured there.
 * Writes smaller than block_b, or no multiple of it, are points but no part of the law: the device
 * reads the rest of a physical block before it writes (struct disk_model, rmw_frac).
 */
struct model_size {
	int op;
	double qd;
	double p; /* 1: one after another; 2: SSD behind a link; NaN: exactly the lesser of I0 and
		     B/bs, as two independent quotas give */
	double i0_iops, i0_lo_iops, i0_hi_iops;
	double b_mibps, b_lo_mibps, b_hi_mibps;
	double a_us, b_us_per_kib; /* p = 1: time per I/O = a + b bs */
	double residual_frac, max_error_frac;
	double knee_b; /* block size where i0 x bs = B; a break in the points when the flag says so */
	double knee_lo_b, knee_hi_b; /* of a break: the grid step it lies in */
	int knee_measured; /* flag: two straight pieces tell the points better than any law */
	double block_b; /* writes: physical block, 4 KiB at least; NaN for reads */
	double bs_min_b, bs_max_b; /* sizes measured */
	/* ascending; latencies NaN where not known */
	double *bs_b, *iops, *mean_us, *p50_us, *p99_us, *p999_us;
	size_t n_bs_b, n_iops, n_mean_us, n_p50_us, n_p99_us, n_p999_us;
	int trust;
};

/* Commit latency distribution of one mode, size, writer count. */
struct model_sync {
	int mode, pattern;
	double bs_b, writers, mean_us, p50_us, p99_us, p999_us, syncs_per_s;
	double mean_lo_us, mean_hi_us, p99_lo_us, p99_hi_us;
	double lognormal_mu,
		lognormal_sigma; /* of ln us, from p50 and p99; NaN when not both known */
	int trust;
};

/* Commits of several writers at once, of one mode, pattern and size: two counts of writers or more. */
struct model_commit {
	int mode, pattern;
	double bs_b;
	double flush_us; /* mean of one writer; NaN: one writer was not measured */
	/* rate at the most writers over the closed form of group commit without work in between, which
	 * is about writers / 2F: 2 / writers is one after another, 2 all at once */
	double group_frac;
	double *writers, *syncs_per_s, *syncs_lo, *syncs_hi; /* ascending writers */
	double *mean_us, *mean_lo_us, *mean_hi_us, *p50_us, *p99_us, *p999_us; /* of one commit */
	size_t n_writers, n_syncs_per_s, n_syncs_lo, n_syncs_hi;
	size_t n_mean_us, n_mean_lo_us, n_mean_hi_us, n_p50_us, n_p99_us, n_p999_us;
	int trust;
};

/* One flush against the bytes it carries: F = F0 + bytes / B, one writer. */
struct model_flush {
	int mode, pattern;
	double f0_us, f0_lo_us, f0_hi_us;
	double b_mibps, b_lo_mibps, b_hi_mibps; /* NaN: larger flushes took no longer */
	double residual_frac;
	double *bs_b, *mean_us;
	size_t n_bs_b, n_mean_us;
	int trust;
};

/*
 * Reads and writes at once, of one block size: the frontier (r/R0)^a + (w/W0)^a = 1 through the
 * measured totals; R0 and W0 are what either side does alone at the same depth.
 */
struct model_mix {
	int op; /* of the reads: random or sequential */
	double bs_b;
	double a, a_lo,
		a_hi; /* 1: one shared budget; 0.6: local flash; above: budgets of their own */
	double harmonic_frac; /* measured total over 1 / (m/R0 + (1-m)/W0) */
	double *read_frac, *qd, *iops, *iops_lo, *iops_hi; /* totals, ascending share of reads */
	size_t n_read_frac, n_qd, n_iops, n_iops_lo, n_iops_hi;
	int trust;
};

/* Latency at arrival rates (open loop), as measured; the curve of the same operation beside it. */
struct model_load {
	int op;
	double bs_b;
	double *rate_iops, *mean_us, *p50_us, *p99_us, *p999_us; /* ascending rate */
	double *over_curve; /* mean measured over (L1 - c) / (1 - c rate); NaN: no curve says */
	size_t n_rate_iops, n_mean_us, n_p50_us, n_p99_us, n_p999_us, n_over_curve;
	int trust;
};

struct disk_model {
	const char *name;
	const char *family, *sku;
	int device;
	const char *profile_name, *profile_sha256;
	const char *source, *as_of;
	int trust;
	double quota_iops, quota_mbps; /* stated by the seller; NaN: none */
	double quota_write_iops, quota_write_mbps; /* of writes; NaN: as above */
	double physical_block_b; /* stated, or 4 KiB */
	/* rate of writes below that block over the rate at it: read, modify, write.  Measured, or 0.6
	 * assumed for local flash and disks; NaN: unknown (cloud, network) */
	double rmw_frac;
	int rmw_trust;
	/* of two depths or more; one depth only where the operation has nothing better: else such a
	 * size is a point of `sizes` */
	struct model_curve *curves;
	size_t n_curves;
	struct model_size *sizes;
	size_t n_sizes;
	struct model_sync *syncs;
	size_t n_syncs;
	struct model_commit *commits;
	size_t n_commits;
	struct model_flush *flushes;
	size_t n_flushes;
	struct model_mix *mixes;
	size_t n_mixes;
	struct model_load *loads;
	size_t n_loads;
	struct finding *findings; /* traps of models.md 1.7 and the audit */
	size_t n_findings;
};

extern const struct schema disk_model_schema;

/*
 * Fit every curve the profile supports.  Findings (traps, Little's law, claims) go into the model.
 * limits may be NULL: then labels are not checked against the vendor's documents.
 * ERR_UNSUPPORTED when the profile has nothing to fit; ERR_NUMERIC when a fit does not converge.
 */
int disk_model_fit(const struct profile *p, const char *profile_sha256, const struct limits *limits,
	struct arena *a, struct disk_model *m, struct err *err);

int disk_model_load(
	const char *path, struct arena *a, struct disk_model *m, char sha256[65], struct err *err);

/*
 * The same disk without its walls: latency at the lightest depth and over block sizes there, commits
 * as they are.
 * For another size of its tier, whose caps are known: there the measured wall says nothing.  Findings
 * and names are shared with *m, which must live as long.
 */
int disk_model_light(
	const struct disk_model *m, struct arena *a, struct disk_model *light, struct err *err);

/* Caps that bound the disk from outside: SKU, stripe, machine.  NaN: none. */
struct disk_caps {
	double iops, mbps; /* MB/s of 10^6 */
	double io_unit_kib; /* one I/O counts per started unit; NaN: never split */
	double stripe; /* disks that share the load; NaN or 1: one */
	double strip_b; /* bytes on one disk before the next one's turn; 0 or NaN: no I/O spans two */
};

/*
 * Largest sustained rate at a block size under the caps (and the fitted wall when it was reached),
 * times the stripe: the caps are one disk's, and each disk serves its part of an I/O that spans
 * strips (trust assumed: model/stripe.h).  At a block size without a curve the wall of the next
 * smaller one is scaled: by the measured law over sizes, else (trust assumed, up to four times the
 * size) kept for a provider's quota and by the root of the sizes otherwise.
 * ERR_UNSUPPORTED when neither a cap nor a wall is known.
 */
int disk_wall(const struct disk_model *m, enum profile_op op, double bs_b,
	const struct disk_caps *caps, struct estimate *iops, struct err *err);

/*
 * Latency with q outstanding, and at an arrival rate.  caps may be NULL.  The mean comes from one surface
 * over depth and block size through all that was measured of the operation (model/surface.h): neither it nor
 * throughput falls with the depth, nor do IOPS grow with the size, except for writes of parts of a block.
 * Measured cells that contradict this are levelled, a finding of the model says the worst.  Trust: derived
 * for other sizes than measured, assumed where nothing tells what more bytes take.  A cap from outside
 * (models.md 1.4): straight to q / cap where the disk's own wall was seen, by a p-norm of 4 where not.
 * Of an I/O over several strips the mean of the slowest part, whose disk is busy for the part's time alone.
 *
 * A rate is answered by what was measured at rates around it; else by the depth that has it, up to the
 * corner of the wall, and within 5 % of the wall by what
 * random arrivals wait for (models.md 3.1): in the value where the wall is the device's, past a
 * bucket of 50 ms where a seller holds the rate, and without the bucket in the upper end of the
 * interval.
 * ERR_RANGE: the rate is at or beyond the wall (the text says how fast backlog and latency grow);
 * ERR_UNSUPPORTED: the data cannot say, with what to measure.
 */
int disk_latency_at_qd(const struct disk_model *m, enum profile_op op, double bs_b, double qd,
	const struct disk_caps *caps, enum model_statistic stat, struct estimate *us,
	struct err *err);
int disk_latency_at_rate(const struct disk_model *m, enum profile_op op, double bs_b,
	double rate_iops, const struct disk_caps *caps, enum model_statistic stat,
	struct estimate *us, struct err *err);

/* Write bs_b and make it durable, one writer: what a commit waits for.  fdatasync before fsync
 * before O_DSYNC when several modes are known, and overwriting before appending (databases recycle
 * or preallocate their log).  A profile without sync data falls back to the QD1 write latency, trust
 * ASSUMED and said through `how`, on cloud disks alone: elsewhere a completed write may
 * sit in a volatile cache, and the answer is ERR_UNSUPPORTED.
 * Beyond the measured sizes (extrapolated, derived) no less than a plain write of that size or its
 * bytes at the seller's rate.  A percentile that no size knows is a guess, trust ASSUMED. */
int disk_sync_latency(const struct disk_model *m, double bs_b, enum model_statistic stat,
	struct estimate *us, struct err *err);

/* Which commit that is: enum profile_sync_mode and enum profile_pattern, -1: not said by the
 * profile.  false: the model has no sync data. */
bool disk_sync_kind(const struct disk_model *m, double bs_b, int *mode, int *pattern);

/* The same commit at the end of a growing file; false: not measured, or disk_sync_latency() says it. */
bool disk_sync_append(
	const struct disk_model *m, double bs_b, enum model_statistic stat, struct estimate *us);

/*
 * Commits a second when `writers` write bs_b each and wait, and how long one waits (writers over
 * rate; percentiles interpolated).  Inside the measured counts interpolated; beyond them the rate
 * stays.  Without counts the closed form of group commit without work in between (db.h), trust
 * assumed, between one after another and all at once.
 * ERR_RANGE for less than one writer, else as disk_sync_latency().
 */
int disk_commit_rate(const struct disk_model *m, double bs_b, double writers,
	struct estimate *per_s, struct err *err);
int disk_commit_latency(const struct disk_model *m, double bs_b, double writers,
	enum model_statistic stat, struct estimate *us, struct err *err);

/*
 * Largest total rate of random reads and writes of bs_b, read_frac (0..1) of them reads, under the
 * caps (may be NULL).  A measured mix of that share (within 0.05) and size wins; else the frontier
 * through the measured mixes (derived); else, assumed, one shared budget on cloud disks, hard disks
 * and networks, and on flash the harmonic mix less 1 - 0.2 x 4m(1-m), whose lower end is a frontier
 * of exponent 0.6 (models.md 3.4).
 * ERR_RANGE: read_frac; else as disk_wall() of either side.
 */
int disk_mix_wall(const struct disk_model *m, double bs_b, double read_frac,
	const struct disk_caps *caps, struct estimate *iops, struct err *err);

#endif /* MODEL_DISK_H */
