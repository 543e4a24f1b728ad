/* packs_diagnosis.c - the situations of diagnosis.json: the thresholds of reference case A4 (packs.h). */
#include "unit/rule/packs.h"

#define SDA "observed.device=sda "

static const struct row rows[] = {
	{"diagnosis-storage-bound",
		SDA "observed.iowait_frac=0.31 observed.queue=12.1 observed.await_ms=40.1 "
		    "observed.iops=300",
		RULE_YES, RULE_YES,
		"wait for I/O 31 % of the time, 12.1 I/Os are outstanding on sda"},
	{"diagnosis-storage-bound",
		SDA "observed.iowait_frac=0.3 observed.queue=12.1 observed.await_ms=40.1", RULE_NO,
		RULE_YES, NULL},
	{"diagnosis-storage-bound", SDA "observed.iowait_frac=0.31 observed.queue=12", RULE_NO,
		RULE_YES, NULL},
	{"diagnosis-storage-bound", SDA "observed.queue=12.1 observed.await_ms=40.1", RULE_UNKNOWN,
		RULE_YES, NULL},
	{"diagnosis-storage-likely",
		SDA "observed.iowait_frac=0.05 observed.queue=14 observed.await_ms=46", RULE_YES,
		RULE_YES, "14 I/Os outstanding on sda, 46 ms each"},
	{"diagnosis-storage-likely", SDA "observed.queue=14 observed.await_ms=46", RULE_YES,
		RULE_YES, NULL},
	{"diagnosis-storage-likely",
		SDA "observed.iowait_frac=0.31 observed.queue=14 observed.await_ms=46", RULE_NO,
		RULE_YES, NULL},
	/* 10,993 writes/s of 16,000, 2.74 ms: 30.1 outstanding, 68.7 % */
	{"diagnosis-deep-queue-fast",
		SDA "observed.queue=30.13 observed.await_ms=2.74 observed.iops=10993 "
		    "observed.iops_used_frac=0.687",
		RULE_YES, RULE_YES, "10,993 IOPS are 68.7 % of what it is sold with"},
	{"diagnosis-deep-queue-fast",
		SDA "observed.queue=30.13 observed.await_ms=2.74 observed.iops_used_frac=0.95",
		RULE_NO, RULE_YES, NULL},
	{"diagnosis-below-label-depth",
		SDA "observed.active_frac=0.99 observed.queue=1 observed.iops_used_frac=0.18 "
		    "observed.iops=900 observed.cap_iops=5000 observed.await_ms=1.1 "
		    "observed.depth_for_cap=5.5",
		RULE_YES, RULE_YES, "At 1.1 ms each it takes 5.5 I/Os"},
	{"diagnosis-below-label-depth",
		SDA "observed.active_frac=0.5 observed.queue=1 observed.iops_used_frac=0.18",
		RULE_NO, RULE_YES, NULL},
	{"diagnosis-below-label-size",
		SDA "observed.iops_used_frac=0.25 observed.mbps_used_frac=0.99 observed.iops=5058 "
		    "observed.cap_iops=20000 observed.io_kib=32",
		RULE_YES, RULE_YES, "I/Os of 32 KiB fill 99 % of its MB/s first"},
	{"diagnosis-below-label-size",
		SDA "observed.iops_used_frac=0.25 observed.mbps_used_frac=0.5", RULE_NO, RULE_YES,
		NULL},
	{"diagnosis-below-label-mix",
		SDA "observed.queue=20 observed.await_ms=3 observed.iops_used_frac=0.6 "
		    "observed.read_frac=0.7 observed.iops=6000 observed.cap_iops=10000",
		RULE_YES, RULE_YES, "are a mix, 70 % of them reads"},
	{"diagnosis-below-label-mix",
		SDA "observed.queue=20 observed.await_ms=3 observed.iops_used_frac=0.6 "
		    "observed.read_frac=1",
		RULE_NO, RULE_YES, NULL},
	/* reference case A4: 18,200 of 20,000 are 9 % under */
	{"diagnosis-within-label",
		SDA "observed.queue=32 observed.iops_used_frac=0.91 observed.iops=18200 "
		    "observed.cap_iops=20000",
		RULE_YES, RULE_YES, "18,200 IOPS are 91 % of its 20,000 IOPS, within a tenth"},
	{"diagnosis-within-label", SDA "observed.queue=32 observed.iops_used_frac=0.89", RULE_NO,
		RULE_YES, NULL},
	{"diagnosis-connections", "observed.connections=170 observed.connections_frac=0.85",
		RULE_YES, RULE_YES, "170 connections are open, 85 %"},
	{"diagnosis-connections", "observed.connections_frac=0.8", RULE_NO, RULE_YES, NULL},
	{"diagnosis-buffer-hits", "observed.buffer_hit_frac=0.94", RULE_YES, RULE_YES,
		"answers 94 % of page reads"},
	{"diagnosis-buffer-hits", "observed.buffer_hit_frac=0.95", RULE_NO, RULE_YES, NULL},
	{"diagnosis-temp-files", "observed.temp_files=3", RULE_YES, RULE_YES,
		"3 files were made on disk"},
	{"diagnosis-temp-files", "observed.temp_files=0", RULE_NO, RULE_YES, NULL},
	{"diagnosis-network", "observed.start_transfer_ms=11", RULE_YES, RULE_YES, "takes 11 ms"},
	{"diagnosis-network", "observed.start_transfer_ms=10", RULE_NO, RULE_YES, NULL},
	{"diagnosis-sql", "observed.sql_frac=0.81", RULE_YES, RULE_YES, "81 % of a transaction's"},
	{"diagnosis-sql", "observed.sql_frac=0.8", RULE_NO, RULE_YES, NULL},
	{"diagnosis-application-gap", "observed.app_gap_ms=6", RULE_YES, RULE_YES, "6 ms pass"},
	{"diagnosis-application-gap", "observed.app_gap_ms=5", RULE_NO, RULE_YES, NULL},
	{"diagnosis-pool", "observed.callers=15 observed.pool=10", RULE_YES, RULE_YES,
		"15 callers share a pool that serves 10 callers at a time"},
	{"diagnosis-pool", "observed.callers=10 observed.pool=10", RULE_NO, RULE_YES, NULL},
	{"diagnosis-pool", "observed.callers=15", RULE_UNKNOWN, RULE_YES, NULL},
};
const struct rows packs_diagnosis = {rows, sizeof(rows) / sizeof(rows[0])};
