/*
 * limits.h - what tiers and machines can do by the provider's own documents: "tierwise/limits/1"
 * (pricing/limits-<provider>.json; beside the prices because both are dated catalogue data).
 *
 * Throughput keeps the provider's unit: mbps_unit says MB (10^6, Azure) or MiB (2^20, AWS, GCP);
 * the functions below return MB/s of 10^6.  NaN means the documents do not say.
 */
#ifndef PRICE_LIMITS_H
#define PRICE_LIMITS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/schema.h"

enum limits_mbps_unit { LIMITS_MB, LIMITS_MIB, LIMITS_MBPS_UNIT_COUNT };
extern const struct names limits_mbps_unit_names; /* MB MiB */

/* What people call a family. */
struct limits_family {
	const char *family, *title; /* "premium_ssd_v2", "Premium SSD v2" */
};

struct disk_limit {
	const char *family; /* "premium_ssd", "standard_ssd", "standard_hdd", "premium_ssd_v2",
			       "ultra_disk" */
	const char *sku;
	double size_gib_min,
		size_gib_max; /* accepted sizes; a fixed step is billed as size_gib_max */
	double size_step_gib; /* sold in pieces of so many GiB; absent: by the GiB */
	double billed_gib; /* fixed steps: the size billed; absent: billed by the GiB */
	double iops_base; /* sustained without extra purchase */
	double iops_max; /* highest that can be bought */
	double iops_min; /* lowest that can be set */
	double iops_per_gib; /* ceiling per GiB where it binds */
	double iops_min_per_gib; /* lowest per GiB that can be set, where it binds */
	double iops_perf_plus, mbps_perf_plus; /* free "performance plus" level */
	double mbps_base, mbps_max, mbps_min;
	double mbps_per_iops; /* ceiling per provisioned IOPS where it binds */
	double mbps_per_gib; /* ceiling per GiB where it binds */
	int size_adds; /* flag: what a GiB brings adds to the base (ESSD: 1,800 + 50 a GiB); else the
			  larger of the two counts */
	int mbps_unit; /* enum limits_mbps_unit */
	double burst_iops, burst_mbps, burst_seconds; /* never counted as sustained */
	double burst_credit_ios; /* I/Os a full bucket holds above the sustained level */
	const char *burst_model;
	double io_unit_kib; /* one I/O counts per started unit */
	const char **host_cache;
	size_t n_host_cache;
	double host_cache_max_gib;
	const char **redundancy;
	size_t n_redundancy;
	const char *copies; /* kept where there is no choice, in the words of redundancy */
	double max_shares;
	int ephemeral, os_disk; /* flags */
	const char *latency_claim, *consistency_claim, *durability, *sector, *zone_rule;
	int superseded; /* flag: kept to explain stale claims, never a candidate */
	const char *superseded_by; /* the current SKU of the rule that replaced this one */
	const char *valid_until; /* last day of an old rule; NULL: not known */
	int verified; /* flag */
	const char *source, *as_of, *note;
	/* How it is billed, flags: absent means the documents do not say, so bill.c asks for a
	 * price and the total stays incomplete when the book has none. */
	int operations_billed; /* I/O transactions are charged */
	double billing_unit_kib; /* one billed transaction per started unit */
	double billing_units_max; /* most transactions one I/O is billed as; NaN: no such cap */
	/* Billed transactions an hour at most.  A cap that exists without a number (capped, no
	 * figure) makes the bill an interval; billing_cap_least is what it cannot be below. */
	int billing_capped;
	double billing_cap_hour, billing_cap_least;
	/* Flags: bought apart from the size.  Absent: bought when more can be had than comes with
	 * the size.  0: it follows the size (gp2, Persistent Disk) or the IOPS (io2). */
	int iops_billed, throughput_billed;
	const char *
		*performance_tiers; /* sizes whose level (and price) this one can be raised to */
	size_t n_performance_tiers;
	int shared_on_machine; /* flag: iops_max and mbps_max are of all disks of the family on one
				  machine together, however many */
	int mounts_billed; /* each machine of a shared disk after the first is charged */
	int burst_billed; /* bursting is on demand, a fee and transactions; 0: credits, free */
	double machine_vcpus_min; /* smaller machines do not take it */
	int vcpus_reserved; /* flag: a machine made ready for it pays for its processors */
	const char *snapshot_family; /* family whose snapshot meter applies; NULL: its own */
	/*
	 * How a new disk is loaded from a snapshot, MB/s of 10^6 whatever mbps_unit says: a property of
	 * the tier, not of the MB/s bought.  Seen or promised lowest and highest rate; the rates that
	 * can be bought, MiB/s; the longest it may take; a read of what is not loaded yet.
	 */
	double restore_mbps_min, restore_mbps_max;
	double restore_paid_mibps_min, restore_paid_mibps_max;
	double restore_hours_max, restore_read_ms;
	double restore_ready_gib_max; /* largest snapshot that can be kept ready: disks made from it need
					 no loading */
	int restore_trust; /* enum trust; -1: not said */
	const char *restore_source, *restore_as_of, *restore_note;
};

struct vm_limit {
	const char *sku, *family;
	const char *interface; /* remote disk controller: SCSI, NVMe; NULL: not stated */
	double vcpus, ram_gib, max_data_disks;
	double vcpus_billed; /* of the full size where some are switched off; NaN: vcpus */
	double temp_disk_count, temp_disk_gib, temp_read_iops, temp_read_mbps, temp_write_iops,
		temp_write_mbps;
	double nvme_count, nvme_tb_each, nvme_iops, nvme_mbps; /* local, ephemeral */
	double cached_iops, cached_mbps;
	double uncached_iops, uncached_mbps, uncached_burst_iops, uncached_burst_mbps,
		burst_seconds;
	double ultra_iops,
		ultra_mbps; /* separate Ultra / Premium SSD v2 columns; absent: uncached_* */
	int premium_storage, premium_caching; /* flags */
	const char *ultra_support, *premium_v2_support;
	int mbps_unit;
	int verified;
	const char *source, *as_of, *note;
};

struct limits {
	const char *provider, *as_of, *source;
	struct limits_family *families;
	size_t n_families;
	struct disk_limit *disks;
	size_t n_disks;
	struct vm_limit *vms;
	size_t n_vms;
};

extern const struct schema limits_schema;

int limits_load(
	const char *path, struct arena *a, struct limits *limits, char sha256[65], struct err *err);

/* What people call a family: its title, or the family itself when the document gives none. */
const char *limits_title(const struct limits *limits, const char *family);

/* The current (not superseded) row of a SKU: ERR_NOT_FOUND with the nearest name. */
int limits_disk(const struct limits *limits, const char *sku, const struct disk_limit **disk,
	struct err *err);

/* The smallest current SKU of a family that holds size_gib; ERR_RANGE names the largest size. */
int limits_disk_for_size(const struct limits *limits, const char *family, double size_gib,
	const struct disk_limit **disk, struct err *err);

/* Every row of a size, e.g. SCSI and NVMe; `vm` is the first (SCSI or unstated before NVMe). */
int limits_vm(
	const struct limits *limits, const char *sku, const struct vm_limit **vm, struct err *err);

/* Highest IOPS at that size: min(iops_max, max(iops_base, iops_per_gib x size)), or their sum where
 * the limits say so (size_adds); a ceiling that is
 * absent does not bind. NaN when neither ceiling is known. */
double disk_limit_iops(const struct disk_limit *disk, double size_gib);
/* Lowest IOPS that can be bought at that size: the larger of iops_min (else what comes with the disk)
 * and iops_min_per_gib x size.  NaN when neither is known. */
double disk_limit_least_iops(const struct disk_limit *disk, double size_gib);
/* Highest MB/s (10^6) when `iops` are provisioned: min(mbps_max, max(mbps_base, mbps_per_iops x
 * iops)). */
double disk_limit_mbps(const struct disk_limit *disk, double iops);
/* Sustained MB/s (10^6) without extra purchase. */
double disk_limit_base_mbps(const struct disk_limit *disk);
/* The same at the free performance-plus level; NaN where there is none. */
double disk_limit_plus_mbps(const struct disk_limit *disk);
/* IOPS and MB/s are bought separately (Premium SSD v2, Ultra): more can be bought than comes with
 * the size. */
bool disk_limit_is_provisioned(const struct disk_limit *disk);
bool disk_limit_buys_iops(const struct disk_limit *disk);
bool disk_limit_buys_throughput(const struct disk_limit *disk);

/* Sustained at a size, nothing bought: what comes with it, or what follows the size (gp2 3 IOPS a
 * GiB, st1 40 MiB/s a TiB).  MB/s of 10^6. */
double disk_limit_sustained_iops(const struct disk_limit *disk, double size_gib);
double disk_limit_sustained_mbps(const struct disk_limit *disk, double size_gib);

/* Transactions billed for one I/O of io_kib: its started billing units, at most billing_units_max. */
double disk_limit_billed_operations(const struct disk_limit *disk, double io_kib);

/* Burst transactions a second billed on demand at a load of iops and mbps (10^6): the larger of the
 * IOPS above the level and the MB/s above it in pieces of 256 KB (Azure, managed-disks-bursting-2,
 * 2025-01-14). */
double disk_limit_burst_operations(const struct disk_limit *disk, double iops, double mbps);

#endif /* PRICE_LIMITS_H */
