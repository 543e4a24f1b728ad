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
	double p50_lo_us, p50_hi_us;
	double p99_lo_us, p99_hi_us; /* 95 % interval; for published cells the range over runs */
	double p999_lo_us, p999_hi_us;
	const char *percentile_of; /* "lat" or "clat" (without submission); NULL: lat */
	double n; /* samples behind the percentiles */
	double runtime_s;
	double little_ratio; /* iops x mean latency / qd: 1 is sound */
	double submit_frac; /* share of the latency spent inside submission */
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
	double mean_us, mean_lo_us, mean_hi_us, p50_us, p99_us, p99_lo_us, p99_hi_us, p999_us,
		p999_lo_us, p999_hi_us, max_us; /* write and sync together */
	double write_mean_us, sync_mean_us, sync_p50_us, sync_p99_us; /* the two parts */
	double flushes_per_sync; /* device flushes seen in diskstats */
	double n;
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
	double logical_block_b, physical_block_b, dio_align_b, nr_requests, max_sectors_kib;
	double vcpus, ram_gib;
	const char *virtualisation;
	int cpu_awake; /* flag: /dev/cpu_dma_latency was held at 0 */
};

struct profile_method {
	const char *engine; /* libaio, psync, sim, fio, ... */
	double file_b, seed, slice_s, duration_s, bytes_written_b;
	const char *command; /* what was run */
};

struct profile_quality {
	const char *verdict; /* clean, noisy, contaminated, not-the-disk */
	double foreign_io_frac; /* I/O of others on the same device */
	double device_ratio; /* own I/O over device I/O: 1 is sound */
	double steal_frac; /* CPU time the hypervisor took */
	double cpu_us_per_io;
	double cv_frac; /* largest coefficient of variation of a cell's slices */
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
	struct profile_claim *claims;
	size_t n_claims;
	struct finding *findings; /* what a report must repeat */
	size_t n_findings;
	const char *note;
};

extern const struct schema profile_schema;

/*
 * Load and check a profile.  sha256 (may be NULL) receives 64 hex digits and a NUL.
 * Errors: those of schema_load(), and ERR_RANGE for percentiles that are not ordered.
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
