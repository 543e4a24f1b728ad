/*
 * profile.h - what a disk did: the document "tierwise/profile/1".
 *
 * Written by bench and by import; published systems in models/ have the same form with most members
 * absent.  Latencies are double microseconds, sizes bytes, throughput MiB/s (2^20) unless the name
 * says otherwise.  NaN, NULL and -1 mean "not known", never zero.  All memory belongs to the arena
 * given to profile_load().
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/schema.h"
#include "base/trust.h"

enum profile_op {
	PROFILE_OP_RANDREAD,
	PROFILE_OP_RANDWRITE,
	PROFILE_OP_READ, /* sequential */
	PROFILE_OP_WRITE, /* sequential */
	PROFILE_OP_COUNT
};

enum profile_sync_mode {
	PROFILE_SYNC_FSYNC,
	PROFILE_SYNC_FDATASYNC,
	PROFILE_SYNC_ODSYNC, /* O_DSYNC, buffered */
	PROFILE_SYNC_ODSYNC_DIRECT, /* O_DSYNC | O_DIRECT */
	PROFILE_SYNC_COUNT
};

enum profile_pattern { PROFILE_APPEND, PROFILE_OVERWRITE, PROFILE_PATTERN_COUNT };

enum profile_device {
	PROFILE_DEVICE_HDD,
	PROFILE_DEVICE_SSD,
	PROFILE_DEVICE_NVME,
	PROFILE_DEVICE_RAID_HDD,
	PROFILE_DEVICE_RAID_SSD,
	PROFILE_DEVICE_NETWORK, /* Ceph, iSCSI, ... */
	PROFILE_DEVICE_CLOUD, /* a quota-limited provider disk */
	PROFILE_DEVICE_COUNT
};

extern const struct names profile_op_names; /* randread randwrite read write */
extern const struct names profile_sync_mode_names; /* fsync fdatasync odsync odsync-direct */
extern const struct names profile_pattern_names; /* append overwrite */
extern const struct names profile_device_names; /* hdd ssd nvme raid-hdd raid-ssd network cloud */

/* Words that are kept as text: what holds a plateau (profile_knee), how a series went. */
extern const struct names profile_limit_names, profile_steadiness_names;

/* One operation, block size and depth. */
struct profile_cell {
	int op; /* enum profile_op; for a mix, the side this cell is about */
	double bs_b;
	double qd; /* outstanding I/O in all: depth x jobs */
	double jobs; /* submitters; absent: 1 */
	double mix_read_frac; /* share of reads when both directions ran together; absent: not a mix
			       */
	double iops, iops_lo, iops_hi; /* value and 95 % interval */
	double mibps;
	double mean_us, mean_lo_us, mean_hi_us, sd_us;
	double min_us, p50_us, p90_us, p95_us, p99_us, p999_us, max_us;
	double p50_lo_us, p50_hi_us, p90_lo_us, p90_hi_us, p95_lo_us, p95_hi_us;
	double p99_lo_us, p99_hi_us; /* 95 % interval; for published cells the range over runs */
	double p999_lo_us, p999_hi_us;
	const char *percentile_of; /* "lat" or "clat" (without submission); NULL: lat */
	double n; /* samples behind the percentiles */
	double runtime_s;
	double little_ratio; /* time of all in flight / (qd x time), imported: iops x mean / qd; 1 is sound */
	double submit_frac; /* share of the latency spent inside submission */
	double asked_iops; /* open loop: rate asked for, latency from the intended start; absent: a
			      closed loop, which is what curves are fitted to */
	double overload_frac; /* open loop: share of arrivals that found the queue full */
	double *slice_iops; /* rate of each slice, in order of time */
	size_t n_slice_iops;
	double *bins_us,
		*bins_n; /* histogram: middle of each bin that is not empty, and its count */
	size_t n_bins_us, n_bins_n;
	int trust; /* enum trust; -1: as the profile */
	const char *source; /* file or reference; NULL: as the profile */
	const char *note;
};

/* What a commit waits for: write a block and make it durable. */
struct profile_sync {
	int mode; /* enum profile_sync_mode */
	int pattern; /* enum profile_pattern */
	double bs_b;
	double writers;
	double syncs_per_s, syncs_lo, syncs_hi;
	double mean_us, mean_lo_us, mean_hi_us, p50_us, p50_lo_us, p50_hi_us, p99_us, p99_lo_us,
		p99_hi_us, p999_us, p999_lo_us, p999_hi_us, max_us; /* write and sync together */
	double write_mean_us, sync_mean_us, sync_p50_us, sync_p99_us; /* the two parts */
	double flushes_per_sync; /* device flushes seen in diskstats */
	double n;
	double *slice_syncs; /* rate of each slice, in order of time */
	size_t n_slice_syncs;
	double *bins_us, *bins_n; /* write and sync together, as in a cell */
	size_t n_bins_us, n_bins_n;
	int trust;
	const char *source;
	const char *note;
};

/* Where and on what it ran. */
struct profile_environment {
	const char *host, *kernel, *filesystem, *mount_options;
	const char *device; /* kernel name of the block device under the file */
	const char *device_chain; /* e.g. "dm-0 < vda2 < vda" */
	const char *model, *scheduler, *write_cache;
	double device_gib;
	int rotational; /* flag */
	double logical_block_b, physical_block_b, dio_align_b, nr_requests, max_sectors_kib,
		read_ahead_kib;
	double vcpus, ram_gib;
	double cpu_limit; /* processors a control group allows */
	const char *io_limit; /* of a control group on this device, as the kernel writes it */
	const char *virtualisation, *cloud; /* cloud: provider, as far as the firmware tells */
	double clock_ns; /* cost of one clock read */
	int cpu_awake; /* flag: /dev/cpu_dma_latency was held at 0 */
};

struct profile_method {
	const char *engine; /* libaio, psync, sim, fio, ... */
	double file_b, seed, slice_s, duration_s, bytes_written_b;
	double submit_chunk; /* most requests in one submission */
	const char *payload; /* what was written */
	const char *command; /* what was run */
};

struct profile_quality {
	const char *verdict; /* clean, noisy, contaminated, not-the-disk */
	double foreign_io_frac; /* I/O of others on the same device */
	double device_ratio; /* own I/O over device I/O: 1 is sound */
	double steal_frac; /* CPU time the hypervisor took */
	double cpu_us_per_io;
	double cv_frac; /* largest coefficient of variation of a cell's slices */
	double slices, slices_discarded; /* kept; measured again or left out */
	double stamps_checked, stamps_wrong; /* reads that did not bring back what was written */
	double written_frac; /* of the file's area: neither hole nor reserved but unwritten */
	double page_cached_frac; /* of the file's area: in this machine's page cache afterwards */
	double compress_gain; /* speed of writing zeros over that of random data; 1: no compression */
	int client_bound; /* flag: this machine, not the disk, limited some cell */
};

/* Where more depth stops to bring more, for one operation at the ladder's block size. */
struct profile_knee {
	int op;
	double bs_b;
	double qd, iops, iops_lo, iops_hi, mean_us; /* there; the interval is of the capacity */
	const char *limit; /* device, cap-iops, cap-mbps, throttle, client, unknown */
	const char *why; /* in words */
};

/* How latency at depth 1 grows with size. */
enum profile_size_form {
	PROFILE_SIZE_LINEAR, /* a + b x size: a command, then its bytes */
	PROFILE_SIZE_CAP, /* the longer of a and b x size: a quota of bytes beside the device */
	PROFILE_SIZE_FORM_COUNT
};
extern const struct names profile_size_form_names; /* linear cap */

struct profile_size_fit {
	int op;
	int form; /* enum profile_size_form */
	double from_b, to_b;
	double a_us, b_us_per_kib,
		residual_frac; /* residual: root mean square of the relative one */
};

/* The same load for a while: what runs out shows. */
struct profile_series {
	int op;
	double bs_b, qd;
	double bucket_s;
	double *mibps; /* one for each bucket */
	size_t n_mibps;
	const char *verdict; /* stable, dropped, rose, drifting, noisy, too-short */
	double change_s, before_mibps, after_mibps, end_over_start, written_b; /* at the change */
	const char *why; /* in words, as in "write cache full after 1.9 GiB" */
};

/* The same blocks read twice. */
struct profile_cache {
	double reads; /* of each kind */
	double cold_p50_us, warm_p50_us; /* first and second time */
	double early_p50_us; /* in the part written first */
	double warm_over_cold,
		hit_frac; /* hit_frac: share of cold reads that were as fast as warm */
};

/* Sequential buffered reads with the kernel's read-ahead and without. */
struct profile_readahead {
	double read_ahead_kib, bs_b;
	double on_mibps, off_mibps;
};

/* Caps that the seller states; not measured. */
struct profile_quota {
	double iops, mbps; /* MB/s are 10^6 */
	double write_iops, write_mbps; /* where writes have caps of their own; NaN: as above */
	const char *source;
};

/* A statement somebody published, for the audit to test (model/audit.h documents the kinds). */
struct profile_claim {
	const char *id;
	const char *kind;
	const char *text; /* the claim in words */
	const char *sku, *vm, *command, *statistic;
	double size_gib, iops, mbps, qd, bs_b, latency_us;
	double before, after, claimed, count;
	double *values;
	size_t n_values;
	const char *source;
};

struct profile {
	const char *name;
	int device; /* enum profile_device */
	const char *family; /* tier this stands for: "azure/premium_ssd"; NULL: only itself */
	const char *sku; /* exact SKU when it stands for one */
	int trust; /* enum trust: class of every cell that names none */
	const char *source;
	const char *as_of; /* YYYY-MM-DD */
	const char *tool; /* program and version that measured */
	const char *started; /* ISO 8601 UTC */
	int complete; /* flag: false when the measurement was cut short */
	struct profile_environment *environment;
	struct profile_method *method;
	struct profile_quality *quality;
	struct profile_quota *quota;
	struct profile_cell *cells;
	size_t n_cells;
	struct profile_sync *syncs;
	size_t n_syncs;
	struct profile_knee *knees;
	size_t n_knees;
	struct profile_size_fit *size_fits;
	size_t n_size_fits;
	struct profile_series *first_write, *hold;
	struct profile_cache *cache;
	struct profile_readahead *readahead;
	struct profile_claim *claims;
	size_t n_claims;
	struct finding *findings; /* what a report must repeat */
	size_t n_findings;
	const char *note;
};

/* Of a size inside the range of the fit; NaN outside, and for NULL. */
double profile_size_us(const struct profile_size_fit *f, double bs_b);

extern const struct schema profile_schema;

/*
 * Load and check a profile.  sha256 (may be NULL) receives 64 hex digits and a NUL.
 * Errors: those of schema_load(), and ERR_RANGE for percentiles that are not ordered, a histogram
 * whose two lists differ in length, and words that are none of the known ones.
 */
int profile_load(
	const char *path, struct arena *a, struct profile *p, char sha256[65], struct err *err);

/* What profile_load() checks beyond the tables; root is the document that *p was read from. */
int profile_check(const struct profile *p, struct jval root, struct err *err);

/* Save: aside, synced, renamed. */
int profile_save(const struct profile *p, const char *path, struct err *err);

/* All fields absent. */
void profile_clear(struct profile *p);
void profile_cell_clear(struct profile_cell *c);
void profile_sync_clear(struct profile_sync *s);
void profile_environment_clear(struct profile_environment *e);
void profile_method_clear(struct profile_method *m);
void profile_quality_clear(struct profile_quality *q);
void profile_knee_clear(struct profile_knee *k);
void profile_size_fit_clear(struct profile_size_fit *f);
void profile_series_clear(struct profile_series *s);
void profile_cache_clear(struct profile_cache *c);
void profile_readahead_clear(struct profile_readahead *r);

/* Append a copy; the arrays must have been built by these functions alone. */
int profile_add_cell(
	struct profile *p, struct arena *a, const struct profile_cell *c, struct err *err);
int profile_add_sync(
	struct profile *p, struct arena *a, const struct profile_sync *s, struct err *err);

/* The cell's or, when it has none, the profile's class. */
int profile_cell_trust(const struct profile *p, const struct profile_cell *c);

/* iops x mean latency / qd, NaN when any is unknown (Little's law: 1 for a closed loop). */
double profile_little_ratio(double iops, double mean_us, double qd);

#endif /* PROFILE_PROFILE_H */
