/* packs_migration.c - the situations of migration.json: the seven items of reference case A4 (packs.h). */
#include "unit/rule/packs.h"

static const struct row rows[] = {
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
const struct rows packs_migration = {rows, sizeof(rows) / sizeof(rows[0])};
