/*
 * db.h - from volumes to transactions per second: one solver for every database engine.
 *
 * Milliseconds a transaction and TPS outside, microseconds for one I/O; NaN: unknown, or there is
 * no such thing.  Strings of a result are borrowed from the engine and the volumes.  Nothing is
 * allocated; volumes are asked about 20 times for each of about eight solutions.
 *
 * Method (models.md 3.3, 3.4, 4).  A transaction takes turns: think, a place in the pool, CPU on
 * m cores, dependent page reads, a hot row, the commit.  TPS solves clients / cycle(TPS) = TPS by
 * bisection, since every part of a cycle grows with the rate; what a volume answers is asked at the
 * load that rate makes on it, background work of the engine included.
 */
#ifndef MODEL_DB_H
#define MODEL_DB_H

#include "base/finding.h"
#include "model/disk.h"
#include "model/engine.h"

/* What a volume carries at a rate of transactions. */
struct db_load {
	double read_iops, write_iops; /* pages and flushes of io_kib */
	double io_kib;
	double read_mibps, write_mibps; /* streams on top: merges, backup, log bytes */
};

/*
 * A volume as the solver sees it; the caller puts disks, stripes and caps behind it, or constants.
 * No latency falls when the load grows.  Beyond what it can carry: ERR_RANGE.  `at` is what else is
 * on the volume: the log's own flushes come one at a time and are not in it.
 */
struct db_volume {
	int (*read)(void *ctx, const struct db_load *at, enum model_statistic stat,
		struct estimate *us, struct err *err);
	/* write `bytes` and make them durable, one writer; statistics of ERR_UNSUPPORTED are unknown */
	int (*flush)(void *ctx, const struct db_load *at, double bytes, enum model_statistic stat,
		struct estimate *us, struct err *err);
	/* share of the tightest of the caps in series at a load, flushes as writes of io_kib included,
	 * and its name; proportional to the load.  NULL or NaN: no cap known */
	double (*used_frac)(void *ctx, const struct db_load *at, const char **what);
	void *ctx;
};

/* A commit waits for `wait_for` of `count` standbys, all alike (order statistic). */
struct db_standby {
	double count, wait_for; /* count 0: none */
	double rtt_us; /* network there and back */
	double flush_us,
		flush_p99_us; /* the standby's log; NaN: as here (p99: as one flush here) */
	double apply_tps; /* what replay manages alone; NaN: from page_reads and CPU, one process */
};

struct db_transaction {
	double clients; /* concurrent sessions, >= 1 */
	double pool; /* connections they share; NaN: one each */
	double target_tps; /* open load; NaN: only the closed answer */
	double think_ms; /* between a client's transactions; NaN: 0 */
	double cores; /* of the machine; NaN: CPU never queues */
	double cpu_ms; /* busy time of a transaction on any core; NaN: 0 and a finding */
	double io_cpu_ms; /* busy time of one page I/O outside cpu_ms: driver, interrupt; NaN: 0 */
	/* how much longer a transaction computes when every other core is busy: cores that are threads
	 * of one another (calibrate.h); NaN: 0, cpu_ms is of a loaded machine */
	double core_sharing;
	double page_reads; /* dependent, before caches */
	double prefetch_frac; /* share of them that nobody waits for: read ahead; NaN: 0 */
	double miss_frac; /* share that reaches the disk, 0 .. 1; NaN: 1, page_reads are disk reads */
	double host_cache_hit_frac, host_cache_us; /* of those, from the host's cache; NaN: none */
	double page_writes; /* pages changed; NaN: 0 */
	double log_kib; /* log bytes without page images; NaN: the engine's */
	double hot_rows; /* rows of which each transaction changes one; NaN: none */
	double dirty_pages; /* distinct pages changed over and over; NaN: every change another page */
	double backup_mibps; /* read from the data volume meanwhile; NaN: none */
	double sla_p99_ms; /* of a transaction; NaN: none asked for */
	struct db_standby standby;
};

struct db_input {
	const struct engine *engine;
	struct db_transaction tx;
	const struct db_volume *log, *data;
	bool shared; /* log and data are one volume: both see the sum of the load */
};

enum db_stage {
	DB_STAGE_CPU,
	DB_STAGE_READS, /* page reads of one transaction after another, all clients reading */
	DB_STAGE_COMMIT, /* flushes one after another */
	DB_STAGE_LOG_VOLUME, /* caps of the volume */
	DB_STAGE_DATA_VOLUME,
	DB_STAGE_HOT_ROWS,
	DB_STAGE_POOL,
	DB_STAGE_CLIENTS, /* so many clients without any wait for each other */
	DB_STAGE_COUNT
};
extern const struct names db_stage_names; /* cpu reads commit log-volume data-volume hot-rows pool
					     clients */

/* The same in a sentence: "the processors", "the log volume". */
extern const char *const db_stage_words[DB_STAGE_COUNT];

struct db_use {
	double used_frac; /* 1: it bounds; NaN: there is no such stage, or no bound known */
	double ceiling_tps; /* this stage alone; NaN: no bound */
	const char *what; /* of volumes: which cap; else NULL */
};

struct db_latency {
	struct estimate mean_ms, p50_ms, p95_ms, p99_ms;
};

/* Where a transaction's time goes, means. */
struct db_parts {
	double think_ms, pool_ms, cpu_ms, reads_ms, lock_ms, commit_ms, cycle_ms;
};

/* The database at one rate. */
struct db_answer {
	bool steady; /* false: target above what it carries; then the figures are at the wall */
	struct estimate tps;
	struct db_parts parts;
	struct db_latency tx, commit;
	struct db_use use[DB_STAGE_COUNT];
	int limit, next; /* enum db_stage: what binds, what binds then */
	double slack_frac; /* the next one's ceiling, with what binds gone, over TPS, less 1 */
	double flushes_per_s, commits_per_flush; /* of commit groups: flushes_per_group each */
	double log_kib; /* a transaction, page images included */
	struct estimate read_us, flush_us; /* one I/O at this load */
	struct db_load log_load, data_load; /* shared volume: the same sum twice */
	double backlog_per_s; /* not steady: transactions more waiting each second; else 0 */
	double sla_after_s; /* not steady: until sla_p99_ms is exceeded; NaN: none asked for */
};

struct db_replication {
	double generation_tps, apply_tps;
	double ratio; /* apply over generation: below 1 the lag grows */
	double lag_ms; /* steady; NaN: it grows */
	double lag_growth_ms_per_s; /* 0: steady */
	double rpo_ms, rpo_transactions; /* what a loss of the machine costs: lag, or loss window */
};

struct db_result {
	struct db_answer closed; /* all clients, back to back */
	bool has_open;
	struct db_answer open; /* at target_tps */
	bool has_after; /* right after a checkpoint: each page's first change is logged whole */
	struct db_answer closed_after, open_after;
	double fast_disk_tps; /* closed, storage without latency and caps */
	double fast_disk_gain_frac; /* over closed.tps; under 0.05 is "not storage" */
	int fast_disk_limit; /* enum db_stage that binds then; -1: not known */
	struct db_replication replication;
};

/*
 * ERR_RANGE: impossible input, with the accepted range; ERR_UNSUPPORTED: a volume does not know a
 * mean that is needed (the text says what to measure).  A percentile it does not know is NaN.
 * findings may be NULL.
 */
int db_solve(const struct db_input *in, struct findings *findings, struct db_result *out,
	struct err *err);

/*
 * What the volumes carry at a rate, without asking them: the log a flush a commit at most; the data the
 * page reads and a backup (front), and write-back or compaction (back).  Only `engine` and `tx` of the input
 * are read.
 */
struct db_loads {
	struct db_load log, front, back;
};
/* The sum of two loads; the size of an I/O is the mean. */
struct db_load db_load_sum(const struct db_load *a, const struct db_load *b);
void db_loads(const struct db_input *in, double tps, struct db_loads *out);

/* One transaction at a time, whatever its way to commit. */
bool db_single_writer(const struct engine *e);

/* The stage in a sentence, for this input: "the one writer" where an engine has no other row to wait
 * for, "the volume of log and data" where they are one (the log volume is then no stage).  Short: for a
 * table. */
const char *db_stage_text(const struct db_input *in, int stage);
const char *db_stage_short(const struct db_input *in, int stage);

/* Every field NaN or none; the caller fills in what is known. */
void db_transaction_clear(struct db_transaction *tx);

/* The closed form of group commit: n sessions, w work outside the commit, f one flush (same unit).
 * cycle = (A^6 + B^6)^(1/6), U = min(1, n f/(w+f)), A = w + f (1 + U (n-1)/(2n)), B = 2f; n = 1: w
 * + f. */
double db_group_commit_cycle(double n, double w, double f);

/* The same when the writer sleeps d before each flush, n >= 2. */
double db_group_commit_delayed(double n, double w, double f, double d);

#endif /* MODEL_DB_H */
