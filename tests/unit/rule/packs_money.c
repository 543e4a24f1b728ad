/* packs_money.c - the situations of money.json and measurement.json, and of what placement.json and azure.json say
 * about today's disks, shared disks and the cached limit (packs.h). */
#include "unit/rule/packs.h"

#define AZ "provider=azure "
#define A_DATA AZ "volume.role=data volume.name=orders "
#define A_WAL AZ "volume.role=wal volume.name=wal "
#define NEED "need.iops=375 need.mbps=6.144 "

static const struct row rows[] = {
	/* money.json; 200 of 2,048 GiB are 9.8 %: a P40 taken for its IOPS where a P15 would hold the data */
	{"iops-per-gb-overbuy",
		"volume.name=hot disk.sku=P40 disk.capacity_used_frac=0.0977 need.iops=7000 "
		"need.mbps=57 disk.fit_iops=1100 disk.fit_mbps=125",
		RULE_YES, RULE_YES, "only 9.77 % of the space of P40 is used"},
	{"iops-per-gb-overbuy",
		"volume.name=scan disk.sku=P40 disk.capacity_used_frac=0.0977 need.iops=100 "
		"need.mbps=240 disk.fit_iops=1100 disk.fit_mbps=125",
		RULE_YES, RULE_YES, "does 1,100 IOPS and 125 MB/s"},
	{"iops-per-gb-overbuy",
		"disk.capacity_used_frac=0.0977 need.iops=500 need.mbps=57 disk.fit_iops=1100 "
		"disk.fit_mbps=125",
		RULE_NO, RULE_YES, NULL},
	{"iops-per-gb-overbuy",
		"disk.capacity_used_frac=0.5 need.iops=7000 need.mbps=57 disk.fit_iops=1100 "
		"disk.fit_mbps=125",
		RULE_NO, RULE_YES, NULL},
	/* 168.19 of 209.15 are transactions: 80.4 % */
	{"txn-cost-dominates",
		"volume.name=backup disk.sku=S30 currency=USD disk.transactions_frac=0.804 "
		"disk.monthly=209.15",
		RULE_YES, RULE_YES, "80.4 % of the 209.15 USD a month on S30"},
	{"txn-cost-dominates", "disk.transactions_frac=0.5", RULE_NO, RULE_YES, NULL},
	{"txn-cost-dominates", "", RULE_UNKNOWN, RULE_YES, NULL},
	/* 400 a second are 1,440,000 an hour, a S6 bills 858,000 at most */
	{"standard-cap-reached",
		"volume.name=backup disk.operations_hour=1440000 disk.operations_cap_hour=858000",
		RULE_YES, RULE_YES, "1,440,000 transactions/h a disk reach the 858,000"},
	{"standard-cap-reached", "disk.operations_hour=857999 disk.operations_cap_hour=858000",
		RULE_NO, RULE_YES, NULL},
	{"stripe-cheaper",
		"volume.name=hot disk.count=4 currency=USD disk.monthly=18.98 "
		"disk.single_monthly=44.24",
		RULE_YES, RULE_YES, "4 disks striped cost 18.98 USD a month, one disk"},
	{"stripe-cheaper", "disk.count=4 disk.monthly=44.24 disk.single_monthly=44.24", RULE_NO,
		RULE_YES, NULL},
	{"stripe-cheaper", "disk.count=1 disk.monthly=18.98 disk.single_monthly=44.24", RULE_NO,
		RULE_YES, NULL},
	{"shared-mount-fee",
		"volume.name=shared disk.sku=P30 volume.mounts=2 currency=USD "
		"disk.mount_monthly=5.45 disk.monthly=79.79",
		RULE_YES, RULE_YES, "P30 is mounted by 2 machines"},
	{"shared-mount-fee", "volume.mounts=2 disk.mount_monthly=0", RULE_NO, RULE_YES, NULL},
	{"shared-mount-fee", "volume.mounts=1 disk.mount_monthly=0", RULE_NO, RULE_YES, NULL},
	{"snapshot-full-assumed",
		"volume.name=data volume.snapshots_kept=7 volume.capacity_gib=200 currency=USD "
		"disk.snapshot_monthly=75.16",
		RULE_YES, RULE_YES, "7 snapshots are billed as if all 200 GiB had changed"},
	{"snapshot-full-assumed", "volume.snapshots_kept=7 volume.snapshot_changed_gib=10", RULE_NO,
		RULE_YES, NULL},
	{"snapshot-full-assumed", "volume.snapshots_kept=1", RULE_NO, RULE_YES, NULL},
	{"tier-override-stuck",
		"volume.name=wal currency=USD current.sku=P20 current.tier=P50 "
		"current.disk_monthly=545.1 current.own_monthly=80.54 current.own_iops=2300 "
		"current.own_mbps=150 " NEED,
		RULE_YES, RULE_YES,
		"is raised to P50 for 545.10 USD a month; the need of 375 IOPS and 6.14 MB/s fits "
		"its own 2,300 IOPS and 150 MB/s: lowered, it costs 80.54 USD a month"},
	{"tier-override-stuck",
		"current.tier=P50 current.own_iops=2300 current.own_mbps=150 need.iops=2301 "
		"need.mbps=20",
		RULE_NO, RULE_YES, NULL},
	{"tier-override-stuck", "current.own_iops=2300 current.own_mbps=150 " NEED, RULE_NO,
		RULE_YES, NULL},
	{"burst-fee-vs-tier",
		"volume.name=hot currency=USD current.sku=P30 current.burst=true "
		"current.burst_monthly=6436.9 current.tier_monthly=137.8 need.iops=7100 "
		"need.mbps=58",
		RULE_YES, RULE_YES, "costs up to 6,436.90 USD a month"},
	{"burst-fee-vs-tier",
		"current.burst=true current.burst_monthly=100 current.tier_monthly=137.8", RULE_NO,
		RULE_YES, NULL},
	{"burst-fee-vs-tier", "current.burst=false", RULE_NO, RULE_YES, NULL},
	{"burst-fee-unused",
		"volume.name=hot currency=USD current.sku=P30 current.burst=true "
		"current.burst_monthly=31.95 current.iops=5000 current.mbps=200 " NEED,
		RULE_YES, RULE_YES, "switched on for 31.95 USD a month"},
	{"burst-fee-unused",
		"current.burst=true current.iops=5000 current.mbps=200 need.iops=5001 need.mbps=1",
		RULE_NO, RULE_YES, NULL},
	{"burst-fee-unused", "current.burst=false current.iops=5000 current.mbps=200 " NEED,
		RULE_NO, RULE_YES, NULL},
	{"reservation-ineligible",
		AZ
		"volume.name=index current.sku=P20 current.term=1-year current.family=premium_ssd "
		"current.billed_gib=512",
		RULE_YES, RULE_YES, "1-year is given for P20"},
	{"reservation-ineligible",
		AZ "volume.name=data current.sku=UltraSSD_LRS current.term=1-year "
		   "current.family=ultra_disk current.billed_gib=2048",
		RULE_YES, RULE_YES, "given for UltraSSD_LRS"},
	{"reservation-ineligible",
		AZ "current.term=1-year current.family=premium_ssd current.billed_gib=1024",
		RULE_NO, RULE_YES, NULL},
	{"reservation-ineligible", AZ "current.family=premium_ssd current.billed_gib=512", RULE_NO,
		RULE_YES, NULL},
	{"reservation-mismatch-size",
		AZ
		"volume.name=data current.sku=P30 current.term=1-year current.family=premium_ssd "
		"current.billed_gib=1024 disk.sku=P40",
		RULE_YES, RULE_YES, "this plan takes P40"},
	{"reservation-mismatch-size",
		AZ "current.sku=P30 current.term=1-year current.family=premium_ssd "
		   "current.billed_gib=1024 disk.sku=P30",
		RULE_NO, RULE_YES, NULL},
	{"boot-disk-throttle",
		"volume.name=index volume.role=index current.boot=true current.iops=500 "
		"current.mbps=100",
		RULE_YES, RULE_YES, "its 500 IOPS and 100 MB/s are shared"},
	{"boot-disk-throttle", "current.boot=false", RULE_NO, RULE_YES, NULL},

	/* measurement.json */
	{"measure-noisy",
		"volume.name=wal disk.sku=P30 measurement.profile=p30 measurement.verdict=noisy",
		RULE_YES, RULE_YES, "rests on p30, which calls itself noisy"},
	{"measure-noisy", "measurement.verdict=contaminated", RULE_YES, RULE_YES, NULL},
	{"measure-noisy", "measurement.verdict=clean", RULE_NO, RULE_YES, NULL},
	{"measure-cached",
		"volume.name=wal disk.sku=P30 measurement.profile=p30 "
		"measurement.verdict=not-the-disk",
		RULE_YES, RULE_YES, "answered part of the reads"},
	{"measure-cached", "measurement.verdict=clean measurement.page_cached_frac=0.03", RULE_YES,
		RULE_YES, NULL},
	{"measure-cached", "measurement.verdict=clean measurement.cache_hit_frac=0.2", RULE_YES,
		RULE_YES, NULL},
	{"measure-cached",
		"measurement.verdict=clean measurement.page_cached_frac=0.02 "
		"measurement.cache_hit_frac=0.1",
		RULE_NO, RULE_YES, NULL},
	{"extrapolated-beyond-data",
		"volume.name=wal disk.sku=P30 measurement.profile=p30 latency.extrapolated=true",
		RULE_YES, RULE_YES, "outside what p30 measured"},
	{"extrapolated-beyond-data", "latency.extrapolated=false", RULE_NO, RULE_YES, NULL},

	/* placement.json */
	{"replica-same-tier", "workload.replicated=true workload.name=pay", RULE_YES, RULE_YES,
		"every copy of pay"},
	{"replica-same-tier", "workload.replicated=false", RULE_NO, RULE_YES, NULL},

	{"latency-not-measured-local",
		"volume.name=data disk.ephemeral=true disk.family=local_temp_disk "
		"latency.trust=assumed disk.sku=local",
		RULE_YES, RULE_YES, "recommend --profile local_temp_disk=local.json"},
	{"latency-not-measured-local", "disk.ephemeral=true latency.trust=measured", RULE_NO,
		RULE_YES, NULL},
	{"latency-not-measured-local", "disk.ephemeral=false latency.trust=assumed", RULE_NO,
		RULE_YES, NULL},
	{"latency-not-measured", "disk.ephemeral=true latency.trust=assumed", RULE_NO, RULE_YES,
		NULL},

	/* azure.json: today's disks */
	{"azure-free-baseline-iops",
		A_DATA "current.family=premium_ssd_v2 current.bought_iops=2000 need.iops=2625 "
		       "current.free_iops=3000 need.mbps=21.5",
		RULE_YES, RULE_YES,
		"2,000 IOPS a disk are bought although the need of 2,625 IOPS is inside the 3,000"},
	{"azure-free-baseline-iops",
		A_DATA "current.family=premium_ssd_v2 current.bought_iops=0 need.iops=2625 "
		       "current.free_iops=3000 need.mbps=21.5",
		RULE_NO, RULE_YES, NULL},
	/* 1,000 MB/s take 4,000 IOPS */
	{"azure-free-baseline-iops",
		A_DATA "current.family=premium_ssd_v2 current.bought_iops=1000 need.iops=1000 "
		       "current.free_iops=3000 need.mbps=1000",
		RULE_NO, RULE_YES, NULL},
	{"azure-free-baseline-mbps",
		A_DATA "current.family=premium_ssd_v2 current.bought_mbps=75 need.mbps=21.5 "
		       "current.free_mbps=125",
		RULE_YES, RULE_YES, "75 MB/s a disk are bought"},
	{"azure-free-baseline-mbps",
		A_DATA "current.family=premium_ssd_v2 current.bought_mbps=75 need.mbps=150 "
		       "current.free_mbps=125",
		RULE_NO, RULE_YES, NULL},
	{"azure-current-wal-cache", A_WAL "current.sku=P20 current.host_cache=ReadOnly", RULE_YES,
		RULE_YES, "P20 has host cache ReadOnly: set it to None"},
	{"azure-current-wal-cache", A_WAL "current.sku=P20 current.host_cache=None", RULE_NO,
		RULE_YES, NULL},
	{"azure-current-wal-cache", A_DATA "current.host_cache=ReadOnly", RULE_NO, RULE_YES, NULL},
	{"azure-current-cache-unsupported",
		A_DATA "current.sku=UltraSSD_LRS current.host_cache=ReadOnly "
		       "current.host_cache_allowed=false",
		RULE_YES, RULE_YES, "today's UltraSSD_LRS, which can have none"},
	{"azure-current-cache-unsupported",
		A_DATA "current.host_cache=ReadOnly current.host_cache_allowed=true", RULE_NO,
		RULE_YES, NULL},
	{"azure-current-cache-unsupported",
		A_DATA "current.host_cache=None current.host_cache_allowed=false", RULE_NO,
		RULE_YES, NULL},
	{"azure-barriers-with-write-cache", A_DATA "current.sku=P30 current.host_cache=ReadWrite",
		RULE_YES, RULE_YES, "must keep write barriers on"},
	{"azure-barriers-with-write-cache", A_DATA "current.host_cache=ReadOnly", RULE_NO, RULE_YES,
		NULL},
	/* azure.json: the cached limit, shared disks, temporary data */
	{"vm-cap-cached-vs-uncached",
		A_DATA "disk.family=ultra_disk disk.sku=UltraSSD_LRS machine.sku=Standard_E8ds_v5 "
		       "machine.remote_used_frac=0.9",
		RULE_YES, RULE_YES, "of which 90 % is needed"},
	{"vm-cap-cached-vs-uncached", A_DATA "disk.family=ultra_disk machine.remote_used_frac=0.8",
		RULE_NO, RULE_YES, NULL},
	{"vm-cap-cached-vs-uncached", A_DATA "disk.family=premium_ssd machine.remote_used_frac=0.9",
		RULE_NO, RULE_YES, NULL},
	{"azure-shared-zrs", A_DATA "disk.sku=P30 volume.mounts=2 disk.redundancy=LRS", RULE_YES,
		RULE_YES, "shared by 2 machines but kept in one zone"},
	{"azure-shared-zrs", A_DATA "volume.mounts=2 disk.redundancy=ZRS", RULE_NO, RULE_YES, NULL},
	{"azure-shared-zrs", A_DATA "volume.mounts=1 disk.redundancy=LRS", RULE_NO, RULE_YES, NULL},
	{"azure-hdd-not-database",
		A_DATA "workload.engine=postgresql workload.production=true disk.sku=S10 "
		       "disk.family=standard_hdd",
		RULE_YES, RULE_NO, "may not be on S10"},
	{"azure-hdd-not-database",
		A_DATA "workload.engine=postgresql workload.production=true "
		       "disk.family=standard_ssd",
		RULE_YES, RULE_YES, NULL},
	{"azure-hdd-not-database",
		A_DATA "workload.engine=postgresql workload.production=false "
		       "disk.family=standard_hdd",
		RULE_NO, RULE_NO, NULL},
	{"azure-hdd-not-database",
		A_DATA "workload.engine=generic workload.production=true disk.family=standard_hdd",
		RULE_NO, RULE_NO, NULL},
	{"azure-temp-not-hdd",
		AZ "volume.role=temp disk.ephemeral=false disk.sku=S10 disk.family=standard_hdd",
		RULE_YES, RULE_NO, "temporary data on S10"},
	{"azure-temp-not-hdd", AZ "volume.role=temp disk.ephemeral=false disk.family=standard_ssd",
		RULE_YES, RULE_YES, NULL},
	{"azure-temp-not-hdd", AZ "volume.role=temp disk.ephemeral=true", RULE_NO, RULE_UNKNOWN,
		NULL},
};
const struct rows packs_money = {rows, sizeof(rows) / sizeof(rows[0])};
