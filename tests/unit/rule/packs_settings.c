/* packs_settings.c - the situations of settings.json, and of Write Accelerator in azure.json (packs.h). */
#include "unit/rule/packs.h"

static const struct row rows[] = {
	{"settings-stripe-small",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"volume.slug=orders disk.count=4 volume.io_kib=8",
		RULE_YES, RULE_YES, "chunk of 64 KiB over the 4 disks, for I/Os of 8 KiB"},
	{"settings-stripe-small",
		"workload.engine=postgresql volume.role=data disk.count=1 volume.io_kib=8", RULE_NO,
		RULE_YES, NULL},
	/* Storage Spaces and ClickHouse have rules of their own */
	{"settings-stripe-small",
		"workload.engine=sqlserver volume.role=data disk.count=4 volume.io_kib=8", RULE_NO,
		RULE_YES, NULL},
	{"settings-stripe-large",
		"workload.engine=generic volume.role=data volume.name=facts volume.slug=facts "
		"disk.count=2 volume.io_kib=128",
		RULE_YES, RULE_YES, "--chunk=256K"},
	{"settings-stripe-large",
		"workload.engine=generic volume.role=data disk.count=2 volume.io_kib=64", RULE_NO,
		RULE_YES, NULL},
	{"settings-noatime", "workload.engine=mysql volume.role=index volume.name=index", RULE_YES,
		RULE_YES, "index: ext4 or XFS, mounted with noatime"},
	{"settings-noatime", "workload.engine=mysql volume.role=backup", RULE_NO, RULE_YES, NULL},
	{"settings-barriers-on",
		"provider=azure workload.engine=postgresql volume.role=wal volume.name=wal "
		"disk.ephemeral=false disk.host_cache=None",
		RULE_YES, RULE_YES, "wal: leave write barriers on"},
	{"settings-barriers-on",
		"provider=azure workload.engine=postgresql volume.role=wal disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"settings-barriers-on",
		"provider=aws workload.engine=postgresql volume.role=wal disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},

	/* azure.json: IOPS a machine, by size */
	{"azure-write-accelerator-1250",
		"provider=azure volume.role=wal volume.name=wal disk.family=premium_ssd "
		"need.iops=1250 machine.sku=Standard_M8s",
		RULE_YES, RULE_YES, "carries 1,250 IOPS of at most 1,250 IOPS a machine"},
	{"azure-write-accelerator-1250",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=1251 "
		"machine.sku=Standard_M8s",
		RULE_NO, RULE_YES, NULL},
	{"azure-write-accelerator-2500",
		"provider=azure volume.role=wal volume.name=wal disk.family=premium_ssd "
		"need.iops=2500 machine.sku=Standard_M16s",
		RULE_YES, RULE_YES, "carries 2,500 IOPS of at most 2,500 IOPS a machine"},
	{"azure-write-accelerator-2500",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=2501 "
		"machine.sku=Standard_M16s",
		RULE_NO, RULE_YES, NULL},
	{"azure-write-accelerator-5000",
		"provider=azure volume.role=wal volume.name=wal disk.family=premium_ssd "
		"need.iops=5000 machine.sku=Standard_M48ds_1_v3",
		RULE_YES, RULE_YES, "carries 5,000 IOPS of at most 5,000 IOPS a machine"},
	{"azure-write-accelerator-5000",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=5001 "
		"machine.sku=Standard_M48ds_1_v3",
		RULE_NO, RULE_YES, NULL},
	{"azure-write-accelerator-10000",
		"provider=azure volume.role=wal volume.name=wal disk.family=premium_ssd "
		"need.iops=10000 machine.sku=Standard_M96ds_2_v3",
		RULE_YES, RULE_YES, "carries 10,000 IOPS of at most 10,000 IOPS a machine"},
	{"azure-write-accelerator-10000",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=10001 "
		"machine.sku=Standard_M96ds_2_v3",
		RULE_NO, RULE_YES, NULL},
	{"azure-write-accelerator-20000",
		"provider=azure volume.role=wal volume.name=wal disk.family=premium_ssd "
		"need.iops=20000 machine.sku=Standard_M176ds_4_v3",
		RULE_YES, RULE_YES, "carries 20,000 IOPS of at most 20,000 IOPS a machine"},
	{"azure-write-accelerator-20000",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=20001 "
		"machine.sku=Standard_M176ds_4_v3",
		RULE_NO, RULE_YES, NULL},
	/* no M-series machine */
	{"azure-write-accelerator-5000",
		"provider=azure volume.role=wal disk.family=premium_ssd need.iops=100 "
		"machine.sku=Standard_E8ds_v5",
		RULE_NO, RULE_YES, NULL},
	/* never for data */
	{"azure-write-accelerator-5000",
		"provider=azure volume.role=data disk.family=premium_ssd need.iops=100 "
		"machine.sku=Standard_M32ms_v2",
		RULE_NO, RULE_YES, NULL},
};
const struct rows packs_settings = {rows, sizeof(rows) / sizeof(rows[0])};
