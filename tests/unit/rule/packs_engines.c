/* packs_engines.c - the situations of aws.json, gcp.json and the engine packs (packs.h). */
#include "unit/rule/packs.h"

static const struct row rows[] = {
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
		"provider=aws volume.role=data volume.name=orders current.family=gp3 "
		"current.bought_iops=500 need.mbps=20 need.iops=3000 current.free_iops=3000",
		RULE_YES, RULE_YES, "500 IOPS a disk are bought"},
	{"aws-free-baseline-iops",
		"provider=aws volume.role=data volume.name=orders current.family=gp3 "
		"current.bought_iops=500 need.mbps=20 need.iops=3001 current.free_iops=3000",
		RULE_NO, RULE_YES, NULL},
	{"aws-free-baseline-mbps",
		"provider=aws volume.role=data volume.name=orders current.family=gp3 "
		"current.bought_mbps=25 need.mbps=100 current.free_mbps=125",
		RULE_YES, RULE_YES, "25 MB/s a disk are bought"},
	{"aws-free-baseline-mbps",
		"provider=aws volume.role=data volume.name=orders current.family=gp3 "
		"current.bought_mbps=0 need.mbps=100 current.free_mbps=125",
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
	{"gcp-queue-depth",
		"provider=gcp volume.role=data volume.name=orders disk.ephemeral=false "
		"need.iops=8000",
		RULE_YES, RULE_YES, "every 500 IOPS of the 8,000 IOPS"},
	{"gcp-queue-depth", "provider=gcp volume.role=data volume.name=orders disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"gcp-local-ssd-scratch",
		"provider=gcp volume.role=temp volume.name=temp disk.family=local_ssd", RULE_YES,
		RULE_YES, "temp: local SSD is discarded when the machine stops"},
	{"gcp-local-ssd-scratch",
		"provider=gcp volume.role=temp volume.name=temp disk.family=pd_ssd", RULE_NO,
		RULE_YES, NULL},
	{"gcp-free-baseline-iops",
		"provider=gcp volume.role=data volume.name=orders "
		"current.family=hyperdisk_balanced "
		"current.bought_iops=500 need.iops=2000 current.free_iops=3000",
		RULE_YES, RULE_YES, "500 IOPS a disk are bought"},
	{"gcp-free-baseline-iops",
		"provider=gcp volume.role=data volume.name=orders "
		"current.family=hyperdisk_balanced "
		"current.bought_iops=500 need.iops=3400 current.free_iops=3000",
		RULE_NO, RULE_YES, NULL},
	{"gcp-free-baseline-mbps",
		"provider=gcp volume.role=data volume.name=orders "
		"current.family=hyperdisk_balanced "
		"current.bought_mbps=10 need.mbps=140 current.free_mbps=140",
		RULE_YES, RULE_YES, "10 MB/s a disk are bought"},
	{"gcp-free-baseline-mbps",
		"provider=gcp volume.role=data volume.name=orders current.family=hyperdisk_extreme "
		"current.bought_mbps=10 need.mbps=100 current.free_mbps=140",
		RULE_NO, RULE_YES, NULL},

	/* engine-postgresql.json */
	{"postgresql-move-pg-wal",
		"workload.engine=postgresql volume.role=wal volume.name=wal volume.slug=wal "
		"disk.ephemeral=false",
		RULE_YES, RULE_YES, "wal: stop the server"},
	{"postgresql-move-pg-wal",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"disk.ephemeral=false",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-commit-delay",
		"workload.engine=postgresql predicted.commit_delay_gain_frac=0.043 "
		"predicted.flush_load=0.9 "
		"predicted.flush_mean_ms=0.62 predicted.commit_delay_us=310",
		RULE_YES, RULE_YES,
		"commit_delay 310 us (half of one flush of 0.62 ms) with commit_siblings at its "
		"default of 5: at the target the log is being flushed 90 % of the time, and the "
		"rate of "
		"all clients is predicted to grow by 4.3 %"},
	{"postgresql-commit-delay",
		"workload.engine=postgresql predicted.commit_delay_gain_frac=0.02 "
		"predicted.flush_load=0.9",
		RULE_NO, RULE_YES, NULL},
	/* it would gain with every client busy, but the target leaves the log idle */
	{"postgresql-commit-delay",
		"workload.engine=postgresql predicted.commit_delay_gain_frac=0.175 "
		"predicted.flush_load=0.45",
		RULE_NO, RULE_YES, NULL},
	/* commits that do not wait share no flush: nothing is known of a delay */
	{"postgresql-commit-delay", "workload.engine=postgresql", RULE_UNKNOWN, RULE_YES, NULL},
	{"postgresql-no-commit-delay",
		"workload.engine=postgresql predicted.commit_delay_gain_frac=-0.01 "
		"predicted.flush_load=0.5",
		RULE_YES, RULE_YES, "flushed 50 % of the time"},
	{"postgresql-no-commit-delay",
		"workload.engine=postgresql predicted.commit_delay_gain_frac=0.021 "
		"predicted.flush_load=0.5",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-checkpoint-timeout", "workload.engine=postgresql setting.checkpoint_s=300",
		RULE_YES, RULE_YES, "checkpoint_timeout 300 s"},
	{"postgresql-checkpoint-timeout", "workload.engine=postgresql", RULE_NO, RULE_YES, NULL},
	/* 1.9 x 300 s x 15.625 MiB/s = 8.7 GiB */
	{"postgresql-max-wal-size",
		"workload.engine=postgresql setting.max_wal_gib=9 setting.checkpoint_s=300 "
		"setting.max_wal_size=9GB setting.wal_needed_gib=8.7 predicted.log_mibps=15.625",
		RULE_YES, RULE_YES, "max_wal_size 9GB: the target writes 15.6 MiB/s"},
	{"postgresql-log-volume-small",
		"workload.engine=postgresql setting.checkpoint_s=30 setting.wal_needed_gib=1.74 "
		"setting.wal_room_gib=1.2 setting.wal_volume_gib=3",
		RULE_YES, RULE_YES, "give the log 3 GiB or more"},
	{"postgresql-log-volume-small",
		"workload.engine=postgresql setting.wal_needed_gib=1.2 setting.wal_room_gib=1.2",
		RULE_NO, RULE_YES, NULL},
	{"postgresql-max-wal-size", "workload.engine=postgresql", RULE_NO, RULE_YES, NULL},
	{"postgresql-checkpoint-spread",
		"workload.engine=postgresql volume.role=data volume.name=orders "
		"volume.write_iops=2500",
		RULE_YES, RULE_YES, "spreads the 2,500 IOPS of writes"},
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
	{"mysql-io-capacity",
		"workload.engine=mysql volume.role=data volume.name=orders volume.write_iops=2500 "
		"setting.io_capacity=3200",
		RULE_YES, RULE_YES, "innodb_io_capacity 3,200 IOPS: the 2,500 IOPS of writes"},
	{"mysql-io-capacity", "workload.engine=mysql volume.role=data", RULE_NO, RULE_YES, NULL},
	{"mysql-io-capacity-max",
		"workload.engine=mysql volume.role=data volume.name=orders volume.read_iops=6000 "
		"disk.iops=12000 setting.io_capacity_max=6000",
		RULE_YES, RULE_YES, "innodb_io_capacity_max 6,000 IOPS: what the 12,000 IOPS"},
	{"mysql-io-capacity-max", "workload.engine=mysql volume.role=wal setting.io_capacity_max=1",
		RULE_NO, RULE_YES, NULL},
	{"mysql-redo-capacity",
		"workload.engine=mysql setting.redo_capacity=55G setting.redo_gib=55 "
		"predicted.log_mibps=15.625",
		RULE_YES, RULE_YES, "innodb_redo_log_capacity 55G:"},
	{"mysql-redo-capacity", "workload.engine=mysql", RULE_NO, RULE_YES, NULL},
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
	{"sqlserver-standard-not-production",
		"provider=azure workload.engine=sqlserver workload.production=true "
		"volume.role=data disk.sku=E10 disk.family=standard_ssd",
		RULE_YES, RULE_NO, "may not be on E10"},
	{"sqlserver-standard-not-production",
		"provider=azure workload.engine=sqlserver workload.production=true "
		"volume.role=wal disk.family=premium_ssd",
		RULE_YES, RULE_YES, NULL},
	{"sqlserver-standard-not-production",
		"provider=azure workload.engine=sqlserver workload.production=false "
		"volume.role=data disk.family=standard_hdd",
		RULE_NO, RULE_NO, NULL},
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
	/* reference case B: 2,000 commits/s x 0.62 ms = 1.24 flushes, x 0.028 ms = 0.056 */
	{"redis-always-throughput",
		"workload.engine=redis sla.rpo_ms=100 predicted.flush_each_load=1.24", RULE_YES,
		RULE_YES, "keeps 1.24 syncs at work"},
	{"redis-always-throughput",
		"workload.engine=redis sla.rpo_ms=100 predicted.flush_each_load=0.056", RULE_NO,
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
		"workload.engine=sqlite predicted.flush_load=0.85 predicted.flush_mean_ms=0.62",
		RULE_YES, RULE_YES, "flushed 85 % of the time"},
	{"sqlite-one-writer", "workload.engine=sqlite predicted.flush_load=0.5", RULE_NO, RULE_YES,
		NULL},
};
const struct rows packs_engines = {rows, sizeof(rows) / sizeof(rows[0])};
