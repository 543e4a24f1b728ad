/*
 * need.h - from evidence to what a volume needs: rates and sizes at the peak, whether a cap held the demand back,
 * what the disks of a machine need together, and how far the evidence carries a verdict.
 *
 * IOPS and bytes a second are of reads and writes together unless said.  Caps of MB/s are 10^6 bytes.  NaN: not
 * known, not given.  The formulas are named where they are used; a percentile is always one of interval means.
 */
#ifndef WORKLOAD_NEED_H
#define WORKLOAD_NEED_H

#include <stdbool.h>
#include <stddef.h>

#include "workload/evidence.h"
#include "workload/series.h"

/* What a disk is sold with. */
struct need_cap {
	const char *device; /* "vda" or "host:vda" */
	double iops, bytes_s; /* sustained */
	double burst_iops; /* while credits last */
	double bucket_ios; /* credits when full: I/Os above `iops` */
};

/* Whose volume a device is. */
struct need_role {
	const char *device;
	int role; /* enum workload_role */
	double capacity_gib;
};

/* A disk with a read cache of the host in front. */
struct need_host_cache {
	const char *
		seen; /* the same disk as its machine sees it, "sdc"; NULL: only the machine's metrics tell */
	const char *disk; /* as the provider names it */
};

struct need_options {
	const struct need_cap *caps;
	size_t n_caps;
	const struct need_role *roles;
	size_t n_roles;
	const struct need_host_cache *host_caches;
	size_t n_host_caches;
	double vm_iops, vm_bytes_s; /* caps of the machine without host cache */
	double vm_cached_iops, vm_cached_bytes_s;
	double copy_bytes; /* a backup copied from disk to disk of this machine */
	double target_tps;
};

/* How good the evidence is. */
enum need_grade {
	NEED_GRADE_A, /* seconds, a day or more, with a peak and a window of high throughput */
	NEED_GRADE_B, /* minutes, a week or more */
	NEED_GRADE_C, /* coarser or shorter */
	NEED_GRADE_D, /* a benchmark, or a mean since the machine started */
	NEED_GRADE_COUNT
};

enum need_verdict {
	NEED_NO_CAP, /* nothing to compare with */
	NEED_FITS,
	NEED_LIKELY_FITS,
	NEED_NOT_SHOWN, /* within the cap, but the evidence cannot show it */
	NEED_LOWER_BOUND, /* held back at the cap */
	NEED_EXCEEDS, /* needs more than the cap */
	NEED_OVER_CAP, /* the figures are above what was bought: not a capacity */
	NEED_VERDICT_COUNT
};

extern const char *const need_verdict_text[NEED_VERDICT_COUNT];

struct need_volume {
	const struct evidence_series *series;
	struct series_stats stats;
	int role; /* enum workload_role; -1: not said */
	double capacity_gib;
	struct need_cap cap;
	double iops, bytes_s; /* what sizing takes */
	const char *iops_from; /* "p99 of 1 s means", "rate while active" */
	double read_frac, io_b; /* of the highest 5 % of intervals by IOPS */
	double read_bytes_frac; /* of the highest 5 % by bytes */
	bool peak_unknown; /* the intervals are too long to show it */
	size_t n_censored, n_at_iops, n_at_bytes, n_at_active, n_exceeded,
		n_latency; /* intervals held back */
	bool censored; /* more than 1 %, or one within the p99 */
	double iops_used_frac, bytes_used_frac; /* need over cap */
	double credit_s; /* from full credits until they are gone; NaN: not, or no bucket */
	int grade, verdict;
	double cache_hit_frac; /* of its reads, answered by the host; NaN: not known */
	bool behind_cache; /* what was seen is what the cache left over */
};

/* Reads that a host's cache answered, worked out from two logs of the same time. */
struct need_cache {
	const char *subject, *disk; /* who asked, and what the rest reached */
	double asked_iops, disk_iops; /* reads */
	double hit_frac; /* NaN: nothing was asked for */
	bool at_least; /* it is not said which disks have the cache */
	double seconds;
	size_t n; /* intervals */
};

/* The disks of one machine together. */
struct need_machine {
	const char *host; /* NULL: not said */
	size_t n_disks;
	bool aligned; /* sums are by time; without, only bounds are known */
	struct series_stats sum; /* of the time-aligned sum */
	double sum_of_max_iops, sum_of_max_bytes_s;
	double coincidence_iops, coincidence_bytes; /* max of the sum / sum of the maxima */
	double bought_iops, bought_bytes_s; /* sums of the disks' caps; NaN: one is not known */
	double usable_iops, usable_bytes_s; /* least of that and the machine's */
};

/* Pearson's r of the IOPS of two volumes of one machine. */
struct need_pair {
	const struct need_volume *a, *b;
	double r;
	size_t n;
};

struct needs {
	struct arena *arena;
	const struct need_options *options;
	struct need_volume *volumes;
	size_t n_volumes;
	struct need_machine *machines;
	size_t n_machines;
	struct need_pair *pairs;
	size_t n_pairs;
	struct need_cache *caches;
	size_t n_caches;
};

/* Host of series that were taken before a change of tier. */
#define NEED_BEFORE "before"

/* How much more than a lower bound is sized for: a stated assumption. */
#define NEED_CENSORED_FACTOR 1.3

/* Join series of one device whose times follow each other (a file a day).  ERR_NOMEM. */
int need_join_series(struct evidence *e, struct err *err);

/*
 * What each device needs (those with a role, and every whole disk), each machine, and findings into e->findings.
 * *out borrows from e and o.  ERR_NOT_FOUND when a role or cap names no device that was read; ERR_NOMEM.
 */
int needs_of(struct evidence *e, const struct need_options *o, struct needs *out, struct err *err);

#endif /* WORKLOAD_NEED_H */
