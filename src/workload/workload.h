/*
 * workload.h - what an application needs: the hand-written document "tierwise/workload/1".
 *
 * Capacity GiB, I/O size KiB, throughput MB/s (10^6), latency SLA milliseconds, money in
 * `currency`. NaN, NULL and -1 mean the user did not say; advise derives what it can and marks it.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/schema.h"

enum workload_role {
	WORKLOAD_WAL,
	WORKLOAD_DATA,
	WORKLOAD_INDEX,
	WORKLOAD_TEMP,
	WORKLOAD_BACKUP,
	WORKLOAD_ROLE_COUNT
};

enum workload_engine {
	WORKLOAD_POSTGRESQL,
	WORKLOAD_MYSQL,
	WORKLOAD_SQLSERVER,
	WORKLOAD_ORACLE,
	WORKLOAD_CASSANDRA,
	WORKLOAD_MONGODB,
	WORKLOAD_REDIS,
	WORKLOAD_CLICKHOUSE,
	WORKLOAD_ELASTICSEARCH,
	WORKLOAD_SQLITE,
	WORKLOAD_ROCKSDB,
	WORKLOAD_GENERIC,
	WORKLOAD_ENGINE_COUNT
};

enum workload_cache {
	WORKLOAD_CACHE_NONE,
	WORKLOAD_CACHE_READ_ONLY,
	WORKLOAD_CACHE_READ_WRITE,
	WORKLOAD_CACHE_COUNT
};

extern const struct names workload_role_names; /* wal data index temp backup */
extern const struct names workload_cache_names; /* None ReadOnly ReadWrite */
extern const struct names workload_engine_names; /* postgresql ... generic */

/* Where a lost volume comes back from. */
enum workload_source {
	WORKLOAD_SNAPSHOT, /* the provider loads a new disk from its snapshot */
	WORKLOAD_BACKUP_COPY, /* the last copy on the backup volumes is read back */
	WORKLOAD_STANDBY, /* another machine takes over: nothing is loaded */
	WORKLOAD_SOURCE_COUNT
};
extern const struct names workload_source_names; /* snapshot backup standby */

/* Where a backup is kept. */
enum workload_target {
	WORKLOAD_DISK, /* a volume of this machine */
	WORKLOAD_NETWORK, /* elsewhere: the copy is only read through this machine's disk caps */
	WORKLOAD_TARGET_COUNT
};
extern const struct names workload_target_names; /* disk network */

struct workload_vm {
	const char **sizes; /* candidates, e.g. Standard_E8ds_v5 */
	size_t n_sizes;
	double count; /* machines that carry this set of volumes; default 1 */
	const char *current; /* the size it runs on today; NULL: not said */
};

/* Copies on other machines that a commit waits for, or that follow. */
struct workload_standbys {
	double count; /* machines that follow */
	double needed; /* acknowledgements a commit waits for; 0: none, the copies follow */
	double rtt_ms; /* network, there and back */
	double flush_ms; /* mean flush of a standby's log */
	double apply_tps; /* transactions a second a standby can apply */
};

struct workload_transactions {
	double target_tps;
	double clients; /* concurrent sessions */
	double cpu_ms_per_tx;
	double page_reads_per_tx; /* dependent reads that miss every cache */
	double wal_kib_per_tx;
	double utilisation; /* share of the month's capacity that is executed, 0..1 */
	const char *commit; /* one of the engine's ways to commit; NULL: its first */
	double pool; /* most transactions at a time; NaN: all clients */
	double hot_rows; /* rows of which each transaction updates one; NaN: no such rows */
	double page_writes_per_tx; /* pages a transaction changes */
	double miss_frac; /* page_reads_per_tx x this reach the disk; NaN: 1 */
	double hot_gib; /* pages that are changed again and again; NaN: not known */
	double commit_delay_us, checkpoint_s; /* settings of the engine; NaN: as in its document */
	double think_ms; /* a client's pause between transactions; NaN: 0 */
	double cores; /* processors it runs on; NaN: those of the machine */
	double core_sharing; /* how much longer it computes when every other core is busy; NaN: 0 */
	double prefetch_frac; /* reads nobody waits for; NaN: 0 */
	double cpu_ms_per_io; /* processor time of one disk I/O: driver, wake-up; NaN: 0 */
	struct workload_standbys *standbys; /* NULL: none */
};

struct workload_sla {
	double tx_p99_ms, commit_p99_ms, read_p99_ms, write_p99_ms;
	double rpo_ms, rto_hours;
};

/* What a volume is on today: for its cost beside the plan's, and for what is wrong with it. */
struct workload_current {
	const char *sku; /* as in the limits: "P30" */
	double size_gib, disks; /* each disk; how many are striped: NaN: 1 */
	double iops, mbps; /* bought for each disk; NaN: what comes with it */
	const char *tier; /* performance tier it is raised to; NULL: its own */
	const char *redundancy; /* NULL: the workload's */
	const char *term; /* commitment, as in the price book; NULL: pay as you go */
	int host_cache; /* enum workload_cache */
	int burst; /* flag: on-demand bursting is switched on */
	int boot; /* flag: it is the machine's boot disk */
	int performance_plus; /* flag: the free higher level */
	double seen_p99_ms; /* of a read today, of a log a commit; NaN: not said */
};

/* How a lost machine or volume comes back.  NaN: not known. */
struct workload_recovery {
	int source; /* enum workload_source */
	double loading_mbps; /* measured: one volume from its snapshot or copy */
	double replay_mbps; /* log applied after it */
	double replay_gib; /* log since the last copy */
	double other_hours; /* to notice, decide, start the machine and the database */
};

struct workload_volume {
	int role; /* enum workload_role */
	const char *name;
	double capacity_gib, growth_gib_month;
	double read_iops, write_iops, io_kib;
	double read_mbps, write_mbps; /* sequential demand beyond IOPS x size, e.g. compaction */
	double window_hours; /* backup: the copy must end within */
	/* a short peak above read_iops and write_iops, and how long it lasts each day; NaN: none */
	double burst_iops, burst_mbps, burst_minutes_day;
	double cache_hit_frac; /* reads answered by a host cache; NaN: none counted */
	double mounts; /* machines that mount each disk; NaN: 1 */
	double snapshots_kept; /* incremental snapshots kept; NaN: none */
	double snapshot_changed_gib; /* data that change between two; NaN: all of it */
	struct workload_current *current; /* NULL: not said */
	int target; /* backup: enum workload_target; -1: a disk of this machine */
	const char *evidence; /* where its rates come from; NULL: not said */
	const char *current_at; /* as in struct workload_places */
};

struct workload_budget {
	double monthly;
};

struct workload_finance {
	double horizon_months, discount_rate_year, revenue_at_risk, incident_hour_cost,
		incidents_month, migration_cost, keep_below_frac;
};

/*
 * Where words stand that only other documents can judge, "path:line:column", for messages; NULL:
 * absent, or not read from a file.
 */
struct workload_places {
	const char *provider, *region, *currency, *redundancy, *machines, *commit;
};

struct workload {
	const char *name, *provider, *region, *currency, *redundancy;
	int engine; /* enum workload_engine */
	int replicated; /* flag: the engine keeps copies on other machines */
	int production; /* flag: not a development or test system */
	struct workload_vm *vm;
	struct workload_transactions *transactions;
	struct workload_sla *sla;
	struct workload_recovery *recovery; /* NULL: not said */
	struct workload_volume *volumes;
	size_t n_volumes;
	double headroom; /* share of every cap kept free; default 0.20 */
	double stripe_saving_frac; /* least a stripe saves against fewer disks; default 0.05 */
	struct workload_budget *budget;
	struct workload_finance *finance;
	const char *note;
	struct workload_places at;
};

/* Put the place in front of an error, where it is known; the error's code. */
int workload_error_at(const char *place, struct err *err);

extern const struct schema workload_schema;
extern const struct schema *const workload_volume_schema; /* one of its volumes */

/*
 * Load and check.  Beyond the schema: at least one volume, at most one per role and name, WAL and
 * data demand derivable or given.  Defaults are not filled in here (see advise/demand.h). sha256
 * may be NULL.  ERR_IO, ERR_NOMEM, and ERR_PARSE or ERR_RANGE with path:line:column.
 */
int workload_load(
	const char *path, struct arena *a, struct workload *w, char sha256[65], struct err *err);

/* The same from a value of a document; nothing in *w refers to the document afterwards. */
int workload_read(struct jval root, struct arena *a, struct workload *w, struct err *err);

#endif /* WORKLOAD_WORKLOAD_H */
