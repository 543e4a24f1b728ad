/*
 * The shipped packs: every rule fires in one situation and not in another; every requirement and
 * preference is met by one candidate and broken by another.  The table must name every rule.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "rule/rule.h"

struct row {
	const char *id;
	const char *facts; /* "name=value name=value"; anything else is unknown */
	enum rule_answer applies, holds;
	const char *says; /* in the text; NULL: not checked */
};

#define AZ "provider=azure "
#define A_DATA AZ "volume.role=data volume.name=orders "
#define A_WAL AZ "volume.role=wal volume.name=wal "

static const struct row rows[] = {
	/* placement.json */
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=true disk.sku=temp", RULE_YES,
		RULE_NO, "the log may not be on temp"},
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=true workload.replicated=true",
		RULE_YES, RULE_NO, NULL},
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=false", RULE_YES, RULE_YES, NULL},
	{"wal-not-ephemeral", "volume.role=wal", RULE_YES, RULE_UNKNOWN, NULL},
	{"wal-not-ephemeral", "volume.role=temp disk.ephemeral=true", RULE_NO, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=data workload.replicated=false disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=index disk.ephemeral=true", RULE_YES, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=data disk.ephemeral=false", RULE_YES, RULE_YES, NULL},
	{"data-not-ephemeral", "volume.role=data workload.replicated=true disk.ephemeral=true",
		RULE_NO, RULE_NO, NULL},
	{"backup-not-ephemeral", "volume.role=backup workload.replicated=true disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"backup-not-ephemeral", "volume.role=backup disk.ephemeral=false", RULE_YES, RULE_YES,
		NULL},
	{"backup-not-ephemeral", "volume.role=data disk.ephemeral=true", RULE_NO, RULE_NO, NULL},
	{"burst-not-sustained",
		"need.relies_on_burst=true disk.sku=P20 disk.iops=2300 disk.mbps=150 "
		"need.iops=3000 need.mbps=24",
		RULE_YES, RULE_NO,
		"P20 sustains 2,300 IOPS and 150 MB/s; the need of 3,000 IOPS and 24 MB/s"},
	{"burst-not-sustained", "need.relies_on_burst=false", RULE_YES, RULE_YES, NULL},
	{"burst-not-sustained", "", RULE_NO, RULE_UNKNOWN, NULL},
	{"temp-on-local-disk",
		"volume.role=temp machine.sku=m machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=300 disk.ephemeral=false",
		RULE_YES, RULE_NO, "a local disk of 300 GiB"},
	{"temp-on-local-disk",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=100 disk.ephemeral=true",
		RULE_YES, RULE_YES, NULL},
	{"temp-on-local-disk",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=301 disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"temp-on-local-disk", "volume.role=temp machine.has_temp=false", RULE_NO, RULE_UNKNOWN,
		NULL},
	{"backup-sequential-class", "volume.role=backup disk.sequential_class=false", RULE_YES,
		RULE_NO, NULL},
	{"backup-sequential-class", "volume.role=backup disk.sequential_class=true", RULE_YES,
		RULE_YES, NULL},
	{"backup-sequential-class", "volume.role=wal disk.sequential_class=true", RULE_NO, RULE_YES,
		NULL},
	{"separate-wal",
		"volume.role=data volume.name=orders workload.engine=postgresql "
		"workload.separate_wal=false",
		RULE_YES, RULE_YES, "the log shares the orders volume"},
	{"separate-wal", "volume.role=data workload.engine=postgresql workload.separate_wal=true",
		RULE_NO, RULE_YES, NULL},
	{"separate-wal", "volume.role=data workload.engine=generic workload.separate_wal=false",
		RULE_NO, RULE_YES, NULL},
	{"temp-local-too-small",
		"volume.role=temp machine.has_temp=true machine.sku=Standard_E8ds_v5 "
		"machine.temp_gib=300 volume.capacity_gib=400",
		RULE_YES, RULE_YES,
		"Standard_E8ds_v5 has 300 GiB, the temporary data needs 400 GiB"},
	{"temp-local-too-small",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=300",
		RULE_NO, RULE_YES, NULL},
	/* reference case A1: E8ds_v5 lets 12,800 IOPS and 290 MB/s through, not 160,000 */
	{"vm-cap-below-disks-iops",
		"machine.sku=Standard_E8ds_v5 machine.bought_iops=160000 "
		"machine.uncached_iops=12800",
		RULE_YES, RULE_YES,
		"160,000 IOPS together, Standard_E8ds_v5 lets 12,800 IOPS through"},
	{"vm-cap-below-disks-iops", "machine.bought_iops=12800 machine.uncached_iops=12800",
		RULE_NO, RULE_YES, NULL},
	{"vm-cap-below-disks-iops", "machine.bought_iops=160000", RULE_UNKNOWN, RULE_YES, NULL},
	{"vm-cap-below-disks-mbps",
		"machine.sku=Standard_E8ds_v5 machine.bought_mbps=400 machine.uncached_mbps=290",
		RULE_YES, RULE_YES, "400 MB/s together, Standard_E8ds_v5 lets 290 MB/s through"},
	{"vm-cap-below-disks-mbps", "machine.bought_mbps=200 machine.uncached_mbps=290", RULE_NO,
		RULE_YES, NULL},
	{"vm-cap-below-need-iops",
		"machine.sku=m machine.need_iops=28750 machine.uncached_iops=25600", RULE_YES,
		RULE_YES, "need 28,750 IOPS"},
	{"vm-cap-below-need-iops", "machine.need_iops=28750 machine.uncached_iops=51200", RULE_NO,
		RULE_YES, NULL},
	{"vm-cap-below-need-mbps", "machine.sku=m machine.need_mbps=291 machine.uncached_mbps=290",
		RULE_YES, RULE_YES, "need 291 MB/s"},
	{"vm-cap-below-need-mbps", "machine.need_mbps=290 machine.uncached_mbps=290", RULE_NO,
		RULE_YES, NULL},
	/* 2,500 GiB on Premium SSD are billed as 4,096: 39 % empty */
	{"round-up-waste",
		"volume.name=data disk.sku=P50 disk.size_gib=2500 disk.billed_gib=4096 "
		"disk.waste_frac=0.38965",
		RULE_YES, RULE_YES, "P50 is billed as 4,096 GiB for 2,500 GiB: 39 % of the size"},
	{"round-up-waste", "disk.waste_frac=0.2", RULE_NO, RULE_YES, NULL},
	{"not-storage-bound", "predicted.fast_disk_gain_frac=0.021 predicted.max_tps=3000",
		RULE_YES, RULE_YES, "would add only 2.1 % to the 3,000 transactions/s"},
	{"not-storage-bound", "predicted.fast_disk_gain_frac=0.05", RULE_NO, RULE_YES, NULL},
	{"replication-lag-risk",
		"workload.replicated=true sla.rpo_ms=100 predicted.flush_mean_ms=3", RULE_YES,
		RULE_YES, "one log flush takes 3 ms"},
	{"replication-lag-risk",
		"workload.replicated=true sla.rpo_ms=100 predicted.flush_mean_ms=0.25", RULE_NO,
		RULE_YES, NULL},
	{"replication-lag-risk", "workload.replicated=true predicted.flush_mean_ms=3", RULE_UNKNOWN,
		RULE_YES, NULL},
	{"latency-not-measured",
		"latency.trust=published disk.sku=P30 volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "recommend --profile P30=P30.json"},
	{"latency-not-measured", "latency.trust=assumed", RULE_YES, RULE_YES, NULL},
	{"latency-not-measured", "latency.trust=measured", RULE_NO, RULE_YES, NULL},
	{"latency-not-measured", "latency.trust=imported", RULE_NO, RULE_YES, NULL},
	{"price-stale", "price.age_days=100", RULE_YES, RULE_YES, "100 days old: compare it"},
	{"price-stale", "price.age_days=90", RULE_NO, RULE_YES, NULL},
	{"bill-incomplete", "bill.complete=false", RULE_YES, RULE_YES, "at least"},
	{"bill-incomplete", "bill.complete=true", RULE_NO, RULE_YES, NULL},

	/* azure.json */
	{"azure-wal-cache-off", A_WAL "disk.host_cache=ReadOnly", RULE_YES, RULE_NO,
		"host cache ReadOnly on the log"},
	{"azure-wal-cache-off", A_WAL "disk.host_cache=ReadWrite", RULE_YES, RULE_NO, NULL},
	{"azure-wal-cache-off", A_WAL "disk.host_cache=None", RULE_YES, RULE_YES, NULL},
	{"azure-wal-cache-off", A_WAL, RULE_NO, RULE_UNKNOWN, NULL},
	{"azure-wal-cache-off", "provider=aws volume.role=wal disk.host_cache=None", RULE_NO,
		RULE_YES, NULL},
	{"azure-wal-cache-none", A_WAL "disk.ephemeral=false", RULE_YES, RULE_YES,
		"wal: host cache None"},
	{"azure-wal-cache-none", A_DATA "disk.ephemeral=false", RULE_NO, RULE_YES, NULL},
	{"azure-no-write-cache", A_DATA "disk.host_cache=ReadWrite", RULE_YES, RULE_NO,
		"host cache ReadWrite on data"},
	{"azure-no-write-cache", A_DATA "disk.host_cache=ReadOnly", RULE_YES, RULE_YES, NULL},
	{"azure-no-write-cache", A_DATA "disk.host_cache=None", RULE_YES, RULE_YES, NULL},
	{"azure-no-write-cache", AZ "volume.role=temp disk.host_cache=ReadWrite", RULE_NO, RULE_NO,
		NULL},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=premium_ssd disk.sku=P50 "
		       "disk.size_gib=4095",
		RULE_YES, RULE_YES, "host cache ReadOnly on each P50"},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=premium_ssd disk.size_gib=4096",
		RULE_NO, RULE_YES, NULL},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=ultra_disk disk.size_gib=64",
		RULE_NO, RULE_YES, NULL},
	{"azure-data-cache-readonly",
		A_WAL "disk.host_cache_allowed=true disk.family=premium_ssd disk.size_gib=64",
		RULE_NO, RULE_YES, NULL},
	{"azure-temp-cache-readonly",
		AZ "volume.role=temp disk.ephemeral=false disk.host_cache_allowed=true", RULE_YES,
		RULE_YES, NULL},
	{"azure-temp-cache-readonly", AZ "volume.role=temp disk.ephemeral=true", RULE_NO, RULE_YES,
		NULL},
	{"azure-uncached-tier",
		A_DATA "disk.ephemeral=false disk.host_cache_allowed=false disk.sku=UltraSSD_LRS",
		RULE_YES, RULE_YES, "UltraSSD_LRS cannot be cached"},
	{"azure-uncached-tier", A_DATA "disk.ephemeral=false disk.host_cache_allowed=true", RULE_NO,
		RULE_YES, NULL},
	{"azure-data-cacheable-size",
		A_DATA "disk.family=premium_ssd disk.sku=P60 disk.size_gib=8192", RULE_YES, RULE_NO,
		"8,192 GiB loses the host cache"},
	{"azure-data-cacheable-size", A_DATA "disk.family=premium_ssd disk.size_gib=2048", RULE_YES,
		RULE_YES, NULL},
	{"azure-data-cacheable-size", A_DATA "disk.family=ultra_disk disk.size_gib=8192", RULE_NO,
		RULE_NO, NULL},
	{"azure-standard-not-production", A_WAL "disk.ephemeral=false disk.family=standard_ssd",
		RULE_YES, RULE_NO, "standard_ssd for wal"},
	{"azure-standard-not-production", A_DATA "disk.ephemeral=false disk.family=premium_ssd_v2",
		RULE_YES, RULE_YES, NULL},
	{"azure-standard-not-production",
		AZ "volume.role=backup disk.ephemeral=false disk.family=standard_hdd", RULE_NO,
		RULE_NO, NULL},
	{"azure-standard-chosen", A_DATA "disk.family=standard_hdd disk.sku=S30", RULE_YES,
		RULE_YES, "orders is on S30 (standard_hdd)"},
	{"azure-standard-chosen", A_DATA "disk.family=premium_ssd", RULE_NO, RULE_YES, NULL},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=0.5 disk.family=premium_ssd", RULE_YES,
		RULE_NO, "a commit within 0.5 ms"},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=0.5 disk.family=ultra_disk", RULE_YES,
		RULE_YES, NULL},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=2 disk.family=premium_ssd", RULE_NO,
		RULE_NO, NULL},
	{"azure-backup-standard-hdd", AZ "volume.role=backup disk.family=standard_ssd", RULE_YES,
		RULE_NO, "backup on standard_ssd: the provider names the hard-disk tier"},
	{"azure-backup-standard-hdd", AZ "volume.role=backup disk.family=standard_hdd", RULE_YES,
		RULE_YES, NULL},
	{"azure-backup-standard-hdd", A_DATA "disk.family=standard_hdd", RULE_NO, RULE_YES, NULL},
	{"azure-free-baseline-iops",
		A_DATA "disk.family=premium_ssd_v2 disk.bought_iops=1000 need.iops=2500 "
		       "disk.free_iops=3000",
		RULE_YES, RULE_YES,
		"1,000 IOPS a disk are bought although the need of 2,500 IOPS is inside the 3,000 "
		"IOPS"},
	{"azure-free-baseline-iops",
		A_DATA "disk.family=premium_ssd_v2 disk.bought_iops=0 need.iops=2500 "
		       "disk.free_iops=3000",
		RULE_NO, RULE_YES, NULL},
	{"azure-free-baseline-mbps",
		A_DATA "disk.family=premium_ssd_v2 disk.bought_mbps=25 need.mbps=100 "
		       "disk.free_mbps=125",
		RULE_YES, RULE_YES, "25 MB/s a disk are bought"},
	{"azure-free-baseline-mbps",
		A_DATA "disk.family=premium_ssd_v2 disk.bought_mbps=25 need.mbps=150 "
		       "disk.free_mbps=125",
		RULE_NO, RULE_YES, NULL},
	{"azure-v2-cheaper",
		A_DATA "disk.family=premium_ssd disk.sku=P30 currency=USD disk.monthly=148.68 "
		       "v2.same_need_monthly=92.5",
		RULE_YES, RULE_YES, "costs 92.50 USD a month, P30 costs 148.68 USD a month"},
	{"azure-v2-cheaper",
		A_DATA "disk.family=premium_ssd disk.monthly=148.68 v2.same_need_monthly=148.68",
		RULE_NO, RULE_YES, NULL},
	{"azure-v2-cheaper", A_DATA "disk.family=premium_ssd disk.monthly=148.68", RULE_UNKNOWN,
		RULE_YES, NULL},
	{"azure-zrs-write-latency", A_WAL "disk.redundancy=ZRS", RULE_YES, RULE_YES,
		"zone-redundant"},
	{"azure-zrs-write-latency", A_WAL "disk.redundancy=LRS", RULE_NO, RULE_YES, NULL},
	{"azure-performance-plus", A_DATA "disk.family=premium_ssd disk.size_gib=513 disk.sku=P30",
		RULE_YES, RULE_YES, "create P30 with performance plus"},
	{"azure-performance-plus", A_DATA "disk.family=premium_ssd disk.size_gib=512", RULE_NO,
		RULE_YES, NULL},
	{"azure-zonal-tier", A_DATA "disk.family=ultra_disk disk.sku=UltraSSD_LRS", RULE_YES,
		RULE_YES, "the machine offers UltraSSD_LRS"},
	{"azure-zonal-tier", A_DATA "disk.family=premium_ssd", RULE_NO, RULE_YES, NULL},
	{"azure-stripe-unit", A_DATA "disk.count=4", RULE_YES, RULE_YES, "stripe the 4 disks"},
	{"azure-stripe-unit", A_DATA "disk.count=1", RULE_NO, RULE_YES, NULL},
	{"azure-oracle-sector", A_DATA "workload.engine=oracle disk.family=ultra_disk", RULE_YES,
		RULE_YES, NULL},
	{"azure-oracle-sector", A_DATA "workload.engine=postgresql disk.family=ultra_disk", RULE_NO,
		RULE_YES, NULL},

	/* aws.json */
	{"aws-hdd-not-database",
		"provider=aws volume.role=data volume.name=orders disk.family=st1 "
		"disk.sequential_class=true",
		RULE_YES, RULE_NO, "st1 for data"},
	{"aws-hdd-not-database",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 "
		"disk.sequential_class=false",
		RULE_YES, RULE_YES, NULL},
	{"aws-hdd-not-database", "provider=aws volume.role=backup disk.sequential_class=true",
		RULE_NO, RULE_NO, NULL},
	{"aws-hdd-chosen", "provider=aws volume.role=temp volume.name=temp disk.family=sc1",
		RULE_YES, RULE_YES, "temp is on sc1"},
	{"aws-hdd-chosen", "provider=aws volume.role=data volume.name=orders disk.family=gp3",
		RULE_NO, RULE_YES, NULL},
	{"aws-sub-ms-commit",
		"provider=aws volume.role=wal volume.name=wal sla.commit_p99_ms=0.8 "
		"disk.family=gp3",
		RULE_YES, RULE_NO, "a commit within 0.8 ms"},
	{"aws-sub-ms-commit",
		"provider=aws volume.role=wal volume.name=wal sla.commit_p99_ms=0.8 "
		"disk.family=io2",
		RULE_YES, RULE_YES, NULL},
	{"aws-sub-ms-commit",
		"provider=aws volume.role=wal volume.name=wal sla.commit_p99_ms=1 disk.family=gp3",
		RULE_NO, RULE_NO, NULL},
	{"aws-gp-consistency",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 need.iops=5900 "
		"disk.iops=6000",
		RULE_YES, RULE_YES, "a need of 5,900 IOPS should fit in nine tenths of 6,000 IOPS"},
	{"aws-gp-consistency", "provider=aws volume.role=data volume.name=orders disk.family=io2",
		RULE_NO, RULE_YES, NULL},
	{"aws-free-baseline-iops",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 "
		"disk.bought_iops=500 need.iops=3000 disk.free_iops=3000",
		RULE_YES, RULE_YES, "500 IOPS a disk are bought"},
	{"aws-free-baseline-iops",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 "
		"disk.bought_iops=500 need.iops=3001 disk.free_iops=3000",
		RULE_NO, RULE_YES, NULL},
	{"aws-free-baseline-mbps",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 "
		"disk.bought_mbps=25 need.mbps=100 disk.free_mbps=125",
		RULE_YES, RULE_YES, "25 MB/s a disk are bought"},
	{"aws-free-baseline-mbps",
		"provider=aws volume.role=data volume.name=orders disk.family=gp3 "
		"disk.bought_mbps=0 need.mbps=100 disk.free_mbps=125",
		RULE_NO, RULE_YES, NULL},
	{"aws-stripe-snapshot",
		"provider=aws volume.role=data volume.name=orders disk.ephemeral=false "
		"disk.count=4",
		RULE_YES, RULE_YES, "RAID 0 over the 4 disks"},
	{"aws-stripe-snapshot",
		"provider=aws volume.role=data volume.name=orders disk.ephemeral=false "
		"disk.count=1",
		RULE_NO, RULE_YES, NULL},
	{"aws-restore-initialize",
		"provider=aws volume.role=data volume.name=orders disk.ephemeral=false "
		"sla.rto_hours=2",
		RULE_YES, RULE_YES, "to be back within 2 h"},
	{"aws-restore-initialize",
		"provider=aws volume.role=data volume.name=orders disk.ephemeral=false", RULE_NO,
		RULE_YES, NULL},

	/* gcp.json */
	{"gcp-sequential-not-database",
		"provider=gcp volume.role=data volume.name=orders disk.family=pd_standard",
		RULE_YES, RULE_NO, "pd_standard for data"},
	{"gcp-sequential-not-database",
		"provider=gcp volume.role=data volume.name=orders disk.family=hyperdisk_throughput",
		RULE_YES, RULE_NO, NULL},
	{"gcp-sequential-not-database",
		"provider=gcp volume.role=data volume.name=orders disk.family=pd_ssd", RULE_YES,
		RULE_YES, NULL},
	{"gcp-sequential-not-database", "provider=gcp volume.role=backup disk.family=pd_standard",
		RULE_NO, RULE_NO, NULL},
	{"gcp-extreme-one-volume",
		"provider=gcp volume.role=data volume.name=orders workload.engine=oracle "
		"need.iops=200000 disk.family=hyperdisk_balanced",
		RULE_YES, RULE_NO, "a volume of 200,000 IOPS on hyperdisk_balanced"},
	{"gcp-extreme-one-volume",
		"provider=gcp volume.role=data volume.name=orders workload.engine=oracle "
		"need.iops=200000 disk.family=hyperdisk_extreme",
		RULE_YES, RULE_YES, NULL},
	{"gcp-extreme-one-volume",
		"provider=gcp volume.role=data volume.name=orders workload.engine=oracle "
		"need.iops=160000 disk.family=hyperdisk_balanced",
		RULE_NO, RULE_NO, NULL},
	{"gcp-extreme-one-volume",
		"provider=gcp volume.role=data volume.name=orders workload.engine=mysql "
		"need.iops=200000 disk.family=hyperdisk_balanced",
		RULE_NO, RULE_NO, NULL},
	{"gcp-queue-depth",
		"provider=gcp volume.role=data volume.name=orders disk.ephemeral=false "
		"need.iops=8000",
		RULE_YES, RULE_YES, "every 500 IOPS of the 8,000 IOPS"},
	{"gcp-queue-depth", "provider=gcp volume.role=data volume.name=orders disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"gcp-local-ssd-scratch",
		"provider=gcp volume.role=temp volume.name=temp disk.family=local_ssd", RULE_YES,
		RULE_YES, "temp: local SSD is empty"},
	{"gcp-local-ssd-scratch",
		"provider=gcp volume.role=temp volume.name=temp disk.family=pd_ssd", RULE_NO,
		RULE_YES, NULL},
	{"gcp-free-baseline-iops",
		"provider=gcp volume.role=data volume.name=orders disk.family=hyperdisk_balanced "
		"disk.bought_iops=500 need.iops=2000 disk.free_iops=3000",
		RULE_YES, RULE_YES, "500 IOPS a disk are bought"},
	{"gcp-free-baseline-iops",
		"provider=gcp volume.role=data volume.name=orders disk.family=hyperdisk_balanced "
		"disk.bought_iops=500 need.iops=3400 disk.free_iops=3000",
		RULE_NO, RULE_YES, NULL},
	{"gcp-free-baseline-mbps",
		"provider=gcp volume.role=data volume.name=orders disk.family=hyperdisk_balanced "
		"disk.bought_mbps=10 need.mbps=140 disk.free_mbps=140",
		RULE_YES, RULE_YES, "10 MB/s a disk are bought"},
	{"gcp-free-baseline-mbps",
		"provider=gcp volume.role=data volume.name=orders disk.family=hyperdisk_extreme "
		"disk.bought_mbps=10 need.mbps=100 disk.free_mbps=140",
		RULE_NO, RULE_YES, NULL},

	/* engine-postgresql.json; reference case B: 2,000 commits/s x 0.62 ms = 1.24 flushes, x 0.028 ms = 0.056 */
	{"postgresql-move-pg-wal",
		"workload.engine=postgresql volume.role=wal volume.name=wal disk.ephemeral=false",
		RULE_YES, RULE_YES, "wal: stop the server"},
	{"postgresql-move-pg-wal",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-commit-delay",
		"workload.engine=postgresql predicted.flush_load=1.24 predicted.flush_mean_ms=0.62 "
		"predicted.commit_delay_us=310",
		RULE_YES, RULE_YES, "commit_delay 310 us (half of one flush of 0.62 ms)"},
	{"postgresql-commit-delay", "workload.engine=postgresql predicted.flush_load=0.056",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-commit-delay", "workload.engine=postgresql", RULE_UNKNOWN, RULE_YES, NULL},
	{"postgresql-no-commit-delay", "workload.engine=postgresql predicted.flush_load=0.056",
		RULE_YES, RULE_YES, "0.056 syncs at work on average"},
	{"postgresql-no-commit-delay", "workload.engine=postgresql predicted.flush_load=1.24",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-checkpoint-spread",
		"workload.engine=postgresql volume.role=data volume.name=orders", RULE_YES,
		RULE_YES, "checkpoint_completion_target 0.9"},
	{"postgresql-checkpoint-spread",
		"workload.engine=postgresql volume.role=wal volume.name=wal", RULE_NO, RULE_YES,
		NULL},
	{"postgresql-wal-space",
		"workload.engine=postgresql volume.role=wal volume.name=wal volume.horizon_gib=64",
		RULE_YES, RULE_YES, "the free space of the 64 GiB"},
	{"postgresql-wal-space", "workload.engine=postgresql volume.role=data volume.name=orders",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-flush-is-real",
		"workload.engine=postgresql volume.role=wal volume.name=wal disk.ephemeral=false "
		"predicted.flush_mean_ms=1.2",
		RULE_YES, RULE_YES, "far below the predicted 1.2 ms"},
	{"postgresql-flush-is-real",
		"workload.engine=mysql volume.role=wal volume.name=wal disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-random-page-cost",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"disk.sequential_class=false",
		RULE_YES, RULE_YES, "random_page_cost 1.1"},
	{"postgresql-random-page-cost",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"disk.sequential_class=true",
		RULE_NO, RULE_YES, NULL},

	/* engine-mysql.json */
	{"mysql-flush-method", "workload.engine=mysql volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "innodb_flush_method O_DIRECT"},
	{"mysql-flush-method", "workload.engine=mysql volume.role=wal volume.name=wal", RULE_NO,
		RULE_YES, NULL},
	{"mysql-doublewrite", "workload.engine=mysql volume.role=data volume.name=orders", RULE_YES,
		RULE_YES, "innodb_doublewrite ON"},
	{"mysql-doublewrite", "workload.engine=postgresql volume.role=data volume.name=orders",
		RULE_NO, RULE_YES, NULL},
	{"mysql-flush-neighbors",
		"workload.engine=mysql volume.role=data volume.name=orders "
		"disk.sequential_class=false",
		RULE_YES, RULE_YES, "innodb_flush_neighbors 0"},
	{"mysql-flush-neighbors",
		"workload.engine=mysql volume.role=data volume.name=orders "
		"disk.sequential_class=true",
		RULE_NO, RULE_YES, NULL},
	{"mysql-redo-on-log-volume",
		"workload.engine=mysql volume.role=wal volume.name=wal disk.ephemeral=false",
		RULE_YES, RULE_YES, "wal: innodb_log_group_home_dir"},
	{"mysql-redo-on-log-volume",
		"workload.engine=mysql volume.role=data volume.name=orders disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"mysql-durable-commit",
		"workload.engine=mysql volume.role=wal volume.name=wal sla.rpo_ms=100", RULE_YES,
		RULE_YES, "a limit of 100 ms"},
	{"mysql-durable-commit", "workload.engine=mysql volume.role=wal volume.name=wal", RULE_NO,
		RULE_YES, NULL},

	/* engine-sqlserver.json */
	{"sqlserver-allocation-unit",
		"workload.engine=sqlserver volume.role=data volume.name=orders "
		"disk.ephemeral=false",
		RULE_YES, RULE_YES, "allocation unit of 64 KiB"},
	{"sqlserver-allocation-unit",
		"workload.engine=sqlserver volume.role=temp volume.name=temp disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"sqlserver-stripe-unit",
		"workload.engine=sqlserver volume.role=data volume.name=orders disk.count=4",
		RULE_YES, RULE_YES, "pool of the 4 disks"},
	{"sqlserver-stripe-unit",
		"workload.engine=sqlserver volume.role=data volume.name=orders disk.count=1",
		RULE_NO, RULE_YES, NULL},
	{"sqlserver-separate-pools", "workload.engine=sqlserver workload.separate_wal=true",
		RULE_YES, RULE_YES, "separate storage pools"},
	{"sqlserver-separate-pools", "workload.engine=sqlserver workload.separate_wal=false",
		RULE_NO, RULE_YES, NULL},
	{"sqlserver-log-premium-size",
		"workload.engine=sqlserver provider=azure volume.role=wal volume.name=wal "
		"disk.family=premium_ssd disk.sku=P20",
		RULE_YES, RULE_NO, "log on P20"},
	{"sqlserver-log-premium-size",
		"workload.engine=sqlserver provider=azure volume.role=wal volume.name=wal "
		"disk.family=premium_ssd disk.sku=P30",
		RULE_YES, RULE_YES, NULL},
	{"sqlserver-log-premium-size",
		"workload.engine=sqlserver provider=azure volume.role=wal volume.name=wal "
		"disk.family=premium_ssd_v2 disk.sku=PremiumV2_LRS",
		RULE_NO, RULE_NO, NULL},
	{"sqlserver-tempdb-local",
		"workload.engine=sqlserver volume.role=temp volume.name=temp disk.ephemeral=true "
		"machine.sku=Standard_E8ds_v5",
		RULE_YES, RULE_YES, "cached limit of Standard_E8ds_v5"},
	{"sqlserver-tempdb-local",
		"workload.engine=sqlserver volume.role=temp volume.name=temp disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"sqlserver-tempdb-remote",
		"workload.engine=sqlserver volume.role=temp volume.name=temp disk.ephemeral=false "
		"volume.capacity_gib=100",
		RULE_YES, RULE_YES, "for the 100 GiB"},
	{"sqlserver-tempdb-remote",
		"workload.engine=sqlserver volume.role=temp volume.name=temp disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},

	/* engine-oracle.json */
	{"oracle-io-mode", "workload.engine=oracle volume.role=data volume.name=orders", RULE_YES,
		RULE_YES, "FILESYSTEMIO_OPTIONS SETALL"},
	{"oracle-io-mode", "workload.engine=oracle volume.role=wal volume.name=wal", RULE_NO,
		RULE_YES, NULL},
	{"oracle-redo-own-disk",
		"workload.engine=oracle volume.role=wal volume.name=wal disk.ephemeral=false",
		RULE_YES, RULE_YES, "wal: online redo only"},
	{"oracle-redo-own-disk",
		"workload.engine=oracle volume.role=data volume.name=orders disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"oracle-redo-block-size",
		"workload.engine=oracle provider=azure volume.role=wal volume.name=wal "
		"disk.family=ultra_disk disk.sku=UltraSSD_LRS",
		RULE_YES, RULE_YES, "UltraSSD_LRS has 4,096-byte sectors"},
	{"oracle-redo-block-size",
		"workload.engine=oracle provider=azure volume.role=wal volume.name=wal "
		"disk.family=premium_ssd",
		RULE_NO, RULE_YES, NULL},
	{"oracle-stripe", "workload.engine=oracle volume.role=data volume.name=orders disk.count=2",
		RULE_YES, RULE_YES, "the 2 disks as one ASM"},
	{"oracle-stripe", "workload.engine=oracle volume.role=data volume.name=orders disk.count=1",
		RULE_NO, RULE_YES, NULL},

	/* engine-cassandra.json */
	{"cassandra-commitlog-device", "workload.engine=cassandra workload.separate_wal=false",
		RULE_YES, RULE_YES, "batch mode"},
	{"cassandra-commitlog-device", "workload.engine=cassandra workload.separate_wal=true",
		RULE_NO, RULE_YES, NULL},
	{"cassandra-log-volume", "workload.engine=cassandra volume.role=wal volume.name=wal",
		RULE_YES, RULE_YES, "commitlog_directory"},
	{"cassandra-log-volume", "workload.engine=cassandra volume.role=data volume.name=orders",
		RULE_NO, RULE_YES, NULL},
	{"cassandra-periodic-loss", "workload.engine=cassandra sla.rpo_ms=100", RULE_YES, RULE_YES,
		"a limit of 100 ms"},
	{"cassandra-periodic-loss", "workload.engine=cassandra sla.rpo_ms=10000", RULE_NO, RULE_YES,
		NULL},
	{"cassandra-data-stripe",
		"workload.engine=cassandra volume.role=data volume.name=orders disk.count=4 "
		"disk.iops=20000 machine.uncached_iops=51200 machine.sku=DS14_v2",
		RULE_YES, RULE_YES, "4 disks (20,000 IOPS together)"},
	{"cassandra-data-stripe",
		"workload.engine=cassandra volume.role=data volume.name=orders disk.count=1",
		RULE_NO, RULE_YES, NULL},
	{"cassandra-cores",
		"workload.engine=cassandra provider=azure machine.sku=Standard_E8ds_v5 "
		"machine.vcpus=8",
		RULE_YES, RULE_YES, "Standard_E8ds_v5 has 8 vCPUs"},
	{"cassandra-cores", "workload.engine=cassandra provider=azure machine.vcpus=16", RULE_NO,
		RULE_YES, NULL},

	/* engine-mongodb.json */
	{"mongodb-file-system", "workload.engine=mongodb volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "orders: XFS"},
	{"mongodb-file-system", "workload.engine=mongodb volume.role=backup", RULE_NO, RULE_YES,
		NULL},
	{"mongodb-read-ahead", "workload.engine=mongodb volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "between 8 and 32 sectors"},
	{"mongodb-read-ahead", "workload.engine=mongodb volume.role=wal volume.name=wal", RULE_NO,
		RULE_YES, NULL},
	{"mongodb-azure-premium",
		"workload.engine=mongodb provider=azure volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=standard_ssd",
		RULE_YES, RULE_NO, "standard_ssd for data"},
	{"mongodb-azure-premium",
		"workload.engine=mongodb provider=azure volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=premium_ssd_v2",
		RULE_YES, RULE_YES, NULL},
	{"mongodb-azure-premium",
		"workload.engine=mongodb provider=aws volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=gp3",
		RULE_NO, RULE_YES, NULL},
	{"mongodb-aws-provisioned",
		"workload.engine=mongodb provider=aws volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=gp3",
		RULE_YES, RULE_NO, "data on gp3"},
	{"mongodb-aws-provisioned",
		"workload.engine=mongodb provider=aws volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=io2",
		RULE_YES, RULE_YES, NULL},
	{"mongodb-aws-provisioned",
		"workload.engine=mongodb provider=aws volume.role=data volume.name=orders "
		"disk.ephemeral=true disk.family=instance_store",
		RULE_NO, RULE_NO, NULL},
	{"mongodb-snapshot-consistency", "workload.engine=mongodb workload.separate_wal=true",
		RULE_YES, RULE_YES, "fsyncLock"},
	{"mongodb-snapshot-consistency", "workload.engine=mongodb workload.separate_wal=false",
		RULE_NO, RULE_YES, NULL},

	/* engine-redis.json */
	{"redis-everysec-stall",
		"workload.engine=redis volume.role=wal volume.name=wal disk.ephemeral=false",
		RULE_YES, RULE_YES, "lasted 2 seconds"},
	{"redis-everysec-stall", "workload.engine=redis volume.role=backup disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"redis-everysec-loss", "workload.engine=redis sla.rpo_ms=100", RULE_YES, RULE_YES,
		"a limit of 100 ms"},
	{"redis-everysec-loss", "workload.engine=redis sla.rpo_ms=1000", RULE_NO, RULE_YES, NULL},
	{"redis-always-throughput",
		"workload.engine=redis sla.rpo_ms=100 predicted.flush_load=1.24", RULE_YES,
		RULE_YES, "keeps 1.24 syncs at work"},
	{"redis-always-throughput",
		"workload.engine=redis sla.rpo_ms=100 predicted.flush_load=0.056", RULE_NO,
		RULE_YES, NULL},
	{"redis-rewrite-flush", "workload.engine=redis sla.rpo_ms=100", RULE_YES, RULE_YES,
		"no-appendfsync-on-rewrite no"},
	{"redis-rewrite-flush", "workload.engine=redis", RULE_NO, RULE_YES, NULL},
	{"redis-rewrite-space",
		"workload.engine=redis volume.role=data volume.name=orders volume.horizon_gib=128",
		RULE_YES, RULE_YES, "within the 128 GiB"},
	{"redis-rewrite-space", "workload.engine=redis volume.role=temp volume.name=temp", RULE_NO,
		RULE_YES, NULL},

	/* engine-clickhouse.json */
	{"clickhouse-file-system", "workload.engine=clickhouse volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "ext4 mounted with noatime"},
	{"clickhouse-file-system", "workload.engine=clickhouse volume.role=wal volume.name=wal",
		RULE_NO, RULE_YES, NULL},
	{"clickhouse-stripe",
		"workload.engine=clickhouse volume.role=data volume.name=orders disk.count=4",
		RULE_YES, RULE_YES, "over the 4 disks, chunk 1,024 KiB"},
	{"clickhouse-stripe",
		"workload.engine=clickhouse volume.role=data volume.name=orders disk.count=1",
		RULE_NO, RULE_YES, NULL},
	{"clickhouse-stripe-needs-replica",
		"workload.engine=clickhouse volume.role=data volume.name=orders disk.count=4 "
		"workload.replicated=false",
		RULE_YES, RULE_YES, "a stripe of 4 disks"},
	{"clickhouse-stripe-needs-replica",
		"workload.engine=clickhouse volume.role=data volume.name=orders disk.count=4 "
		"workload.replicated=true",
		RULE_NO, RULE_YES, NULL},

	/* engine-elasticsearch.json */
	{"elasticsearch-remote-storage",
		"workload.engine=elasticsearch volume.role=data volume.name=orders "
		"disk.ephemeral=false disk.family=premium_ssd",
		RULE_YES, RULE_YES, "orders is on premium_ssd"},
	{"elasticsearch-remote-storage",
		"workload.engine=elasticsearch volume.role=data volume.name=orders "
		"disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"elasticsearch-stripe",
		"workload.engine=elasticsearch volume.role=data volume.name=orders disk.count=2",
		RULE_YES, RULE_YES, "RAID 0 over the 2 disks"},
	{"elasticsearch-stripe",
		"workload.engine=elasticsearch volume.role=data volume.name=orders disk.count=1",
		RULE_NO, RULE_YES, NULL},
	{"elasticsearch-translog", "workload.engine=elasticsearch sla.rpo_ms=1000", RULE_YES,
		RULE_YES, "a limit of 1,000 ms"},
	{"elasticsearch-translog", "workload.engine=elasticsearch sla.rpo_ms=5000", RULE_NO,
		RULE_YES, NULL},
	{"elasticsearch-watermark",
		"workload.engine=elasticsearch volume.role=data volume.name=orders "
		"volume.horizon_gib=1000",
		RULE_YES, RULE_YES, "above 85 % of 1,000 GiB"},
	{"elasticsearch-watermark", "workload.engine=elasticsearch volume.role=wal volume.name=wal",
		RULE_NO, RULE_YES, NULL},

	/* engine-sqlite.json */
	{"sqlite-journal-mode", "workload.engine=sqlite volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "journal_mode=WAL"},
	{"sqlite-journal-mode", "workload.engine=sqlite volume.role=wal volume.name=wal", RULE_NO,
		RULE_YES, NULL},
	{"sqlite-synchronous-full", "workload.engine=sqlite sla.rpo_ms=0", RULE_YES, RULE_YES,
		"a limit of 0 ms"},
	{"sqlite-synchronous-full", "workload.engine=sqlite", RULE_NO, RULE_YES, NULL},
	{"sqlite-one-writer",
		"workload.engine=sqlite predicted.flush_load=1.24 predicted.flush_mean_ms=0.62",
		RULE_YES, RULE_YES, "1.24 syncs at work"},
	{"sqlite-one-writer", "workload.engine=sqlite predicted.flush_load=0.056", RULE_NO,
		RULE_YES, NULL},

	/* migration.json: the seven items and thresholds of reference case A4 */
	{"migration-baseline", "", RULE_YES, RULE_YES, "72 hours of I/O"},
	{"migration-separate-wal", "workload.engine=mysql", RULE_YES, RULE_YES,
		"a volume of its own"},
	{"migration-separate-wal", "workload.engine=generic", RULE_NO, RULE_YES, NULL},
	{"migration-wal-writer-delay", "workload.engine=postgresql predicted.flush_mean_ms=0.25",
		RULE_YES, RULE_YES, "0.25 ms: wal_writer_delay may go from 200 ms to 50 ms"},
	{"migration-wal-writer-delay", "workload.engine=postgresql predicted.flush_mean_ms=1.2",
		RULE_NO, RULE_YES, NULL},
	{"migration-wal-writer-delay", "workload.engine=mysql predicted.flush_mean_ms=0.25",
		RULE_NO, RULE_YES, NULL},
	{"migration-sync-state", "workload.engine=postgresql workload.replicated=true", RULE_YES,
		RULE_YES, "sync_state"},
	{"migration-sync-state", "workload.engine=postgresql workload.replicated=false", RULE_NO,
		RULE_YES, NULL},
	{"migration-load-test-backup", "", RULE_YES, RULE_YES, "less than 15 %"},
	{"migration-alert-thresholds", "volume.role=wal volume.name=wal predicted.write_p99_ms=0.4",
		RULE_YES, RULE_YES, "from 10 ms to 2 ms; predicted p99 of a write is 0.4 ms"},
	{"migration-alert-thresholds", "volume.role=wal predicted.write_p99_ms=6.5", RULE_NO,
		RULE_YES, NULL},
	{"migration-rollback", "", RULE_YES, RULE_YES, "snapshot of the old disks for 72 hours"},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void
set_fact(struct rule_context *c, const char *name, const char *value)
{
	const struct rule_fact *f = rule_fact_find(name);
	if (!f)
		fail_msg("no fact \"%s\"", name);
	else if (f->type == RULE_NUMBER)
		rule_set_number(c, name, strtod(value, NULL));
	else if (f->type == RULE_FLAG)
		rule_set_flag(c, name, strcmp(value, "true") == 0);
	else
		rule_set_text(c, name, value);
}

static void
set_facts(struct rule_context *c, struct arena *a, const char *facts)
{
	char *next, *text = arena_strdup(a, facts);
	rule_context_clear(c);
	for (char *word = strtok_r(text, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
		char *equals = strchr(word, '=');
		assert_non_null(equals);
		*equals = '\0';
		set_fact(c, word, equals + 1);
	}
}

struct setup {
	struct arena arena;
	struct rule_pack pack;
	const char *folder;
};

static int
load(void **state)
{
	static struct setup s;
	struct err err = {0};
	const char *dir = getenv("TIERWISE_DATA_DIR");
	if (!dir)
		dir = getenv("TIERWISE_SOURCE");
	arena_init(&s.arena, 0);
	rule_pack_init(&s.pack, &s.arena);
	s.folder = arena_printf(&s.arena, "%s/rules", dir ? dir : ".");
	if (rule_pack_load_folder(&s.pack, s.folder, &err)) {
		print_error("%s\n", err.text);
		return -1;
	}
	*state = &s;
	return 0;
}

static int
unload(void **state)
{
	arena_fini(&((struct setup *)*state)->arena);
	return 0;
}

static void
test_rows(void **state)
{
	struct setup *s = *state;
	struct rule_context c;
	assert_int_equal(rule_context_init(&c, &s->arena, NULL), 0);
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct rule *rule = rule_find(&s->pack, rows[i].id);
		struct buf text;
		if (!rule)
			fail_msg("row %zu: no rule \"%s\"", i, rows[i].id);
		set_facts(&c, &s->arena, rows[i].facts);
		if (rule_applies(rule, &c) != rows[i].applies ||
			rule_holds(rule, &c) != rows[i].holds)
			fail_msg("row %zu: %s: applies %d, holds %d", i, rows[i].id,
				rule_applies(rule, &c), rule_holds(rule, &c));
		buf_init(&text, 0);
		rule_text(rule, &c, &text);
		if (rows[i].says && !strstr(buf_text(&text), rows[i].says))
			fail_msg("row %zu: %s: \"%s\"", i, rows[i].id, buf_text(&text));
		/* rows with `says` are whole situations: a text that is shown has its values */
		if (rows[i].says && strstr(buf_text(&text), "unknown"))
			fail_msg("row %zu: %s: \"%s\"", i, rows[i].id, buf_text(&text));
		buf_fini(&text);
	}
}

static bool
has_row(const char *id, enum rule_answer applies, int holds)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		bool fires = rows[i].applies == RULE_YES;
		if (strcmp(rows[i].id, id) == 0 && fires == (applies == RULE_YES) &&
			(holds < 0 || (int)rows[i].holds == holds))
			return true;
	}
	return false;
}

static void
test_coverage(void **state)
{
	const struct setup *s = *state;
	assert_true(s->pack.n >= 100);
	for (size_t i = 0; i < s->pack.n; i++) {
		const struct rule *r = &s->pack.rules[i];
		if (!has_row(r->id, RULE_YES, -1))
			fail_msg("no row in which %s fires", r->id);
		if (r->when && !has_row(r->id, RULE_NO, -1))
			fail_msg("no row in which %s does not fire", r->id);
		if (r->then &&
			(!has_row(r->id, RULE_YES, RULE_NO) || !has_row(r->id, RULE_YES, RULE_YES)))
			fail_msg("%s needs a row that breaks it and one that meets it", r->id);
	}
}

static void
test_shape(void **state)
{
	const struct setup *s = *state;
	size_t checklist = 0;
	assert_int_equal(s->pack.n_files, 15); /* placement, migration, 3 providers, 10 engines */
	for (size_t i = 0; i < s->pack.n; i++) {
		const struct rule *r = &s->pack.rules[i];
		bool condition = r->kind == RULE_REQUIRE || r->kind == RULE_PREFER;
		assert_true(condition == (r->then != NULL));
		assert_true(condition || r->text);
		checklist += strcmp(r->pack, "migration.json") == 0 && r->kind == RULE_CHECKLIST;
	}
	assert_int_equal(checklist, 7);
	const struct rule *cache = rule_find(&s->pack, "azure-wal-cache-none");
	assert_string_equal(cache->set, "disk.host_cache");
	assert_string_equal(cache->to, "None");
	/* the same for the whole plan, so said once */
	assert_false(rule_find(&s->pack, "price-stale")->per_volume);
	assert_true(rule_find(&s->pack, "latency-not-measured")->per_volume);
}

/*
 * recommend loads the pack by the engine's name, so each has one and speaks of that engine only.
 * RocksDB is a library: its settings are those of the program around it.
 */
static void
test_engine_packs(void **state)
{
	struct setup *s = *state;
	const struct names *engines = rule_fact_find("workload.engine")->words;
	for (int i = 0; i < engines->count; i++) {
		const char *name = engines->text[i];
		const char *file = arena_printf(&s->arena, "engine-%s.json", name);
		const char *prefix = arena_printf(&s->arena, "%s-", name);
		const char *when = arena_printf(&s->arena, "workload.engine is %s", name);
		size_t n = 0;
		for (size_t j = 0; j < s->pack.n; j++) {
			const struct rule *r = &s->pack.rules[j];
			if (strcmp(r->pack, file) != 0)
				continue;
			n++;
			assert_int_equal(strncmp(r->id, prefix, strlen(prefix)), 0);
			if (!strstr(r->when_text, when))
				fail_msg("%s: applies to %s", r->id, r->when_text);
		}
		bool none = strcmp(name, "generic") == 0 || strcmp(name, "rocksdb") == 0;
		if ((n == 0) != none)
			fail_msg("%s: %zu rules", file, n);
	}
}

/* The manual for authors lists every fact with its unit, every operator and every kind. */
static void
test_readme(void **state)
{
	struct setup *s = *state;
	struct buf text;
	struct err err = {0};
	buf_init(&text, 0);
	if (file_read(arena_printf(&s->arena, "%s/README.md", s->folder), &text, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < rule_n_facts; i++) {
		const struct rule_fact *f = &rule_facts[i];
		static const char *const type[] = {"number", "text", "flag"};
		const char *line = arena_printf(&s->arena, "| `%s` | %s | %s | %s |", f->name,
			type[f->type], f->unit, f->help);
		if (!strstr(buf_text(&text), line))
			fail_msg("README.md lacks: %s", line);
	}
	for (int i = 0; i < rule_kind_names.count; i++)
		assert_non_null(strstr(buf_text(&text), rule_kind_names.text[i]));
	buf_fini(&text);
}

static void
test_folder_errors(void **state)
{
	(void)state;
	struct arena a;
	struct rule_pack pack;
	struct err err = {0};
	arena_init(&a, 0);
	rule_pack_init(&pack, &a);
	assert_int_equal(rule_pack_load_folder(&pack, "/nonexistent/rules", &err), ERR_IO);
	assert_non_null(strstr(err.text, "/nonexistent/rules"));
	assert_int_equal(rule_pack_load_folder(&pack, "/proc/self/fdinfo", &err), ERR_NOT_FOUND);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_engine_packs),
		cmocka_unit_test(test_readme),
		cmocka_unit_test(test_folder_errors),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
