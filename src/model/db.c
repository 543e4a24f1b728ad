#include "model/db.h"

#include <math.h>

static const char *const stage_table[] = {
	[DB_STAGE_CPU] = "cpu",
	[DB_STAGE_READS] = "reads",
	[DB_STAGE_COMMIT] = "commit",
	[DB_STAGE_LOG_VOLUME] = "log-volume",
	[DB_STAGE_DATA_VOLUME] = "data-volume",
	[DB_STAGE_HOT_ROWS] = "hot-rows",
	[DB_STAGE_POOL] = "pool",
	[DB_STAGE_CLIENTS] = "clients",
};
_Static_assert(sizeof(stage_table) / sizeof(stage_table[0]) == DB_STAGE_COUNT, "every stage");
const struct names db_stage_names = {"stage", stage_table, DB_STAGE_COUNT};

void
db_transaction_clear(struct db_transaction *tx)
{
	const double no = (double)NAN;
	*tx = (struct db_transaction){.clients = no,
		.pool = no,
		.target_tps = no,
		.think_ms = no,
		.cores = no,
		.cpu_ms = no,
		.io_cpu_ms = no,
		.page_reads = no,
		.miss_frac = no,
		.host_cache_hit_frac = no,
		.host_cache_us = no,
		.page_writes = no,
		.log_kib = no,
		.hot_rows = no,
		.hot_hold_ms = no,
		.dirty_pages = no,
		.backup_mibps = no,
		.sla_p99_ms = no,
		.standby = {.wait_for = no,
			.rtt_us = no,
			.flush_us = no,
			.flush_p99_us = no,
			.apply_tps = no}};
}
