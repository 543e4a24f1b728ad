/*
 * db_scalar.h - from single disk latencies to transactions per second: commit and read path of a database engine.
 *
 * Method.  A transaction is CPU on m cores, dependent page reads, and a commit that waits for the
 * log (models.md 4.1, 4.2):
 *   CPU      S + Wq, Wq of M/M/m by Erlang C at the load the other N - 1 clients make (arrival
 *            theorem); none while clients <= cores
 *   reads    page reads x mean read latency (the caller takes it at the volume's load)
 *   commit   group commit in closed form; a cycle of all clients, one flush under way at a time
 * TPS solves N / cycle(TPS) = TPS by bisection.  Open load (target_tps): a commit finds a flush
 * under way with probability U = min(1, rate x F) and waits half of it, then its own.
 *
 * Percentiles.  commit p99: the flush and the rest of the one found under way (probability U,
 * uniform up to F) are independent, so their excesses over the means add as squares; never less than
 * own flush p99 + U x F.  Within 8 % of simulated group commit at U from 0.02 to 1 (test_db_scalar.c).
 * tx p99 = mean + root of the sum of squared
 * excesses (p99 - mean) of its parts, which are independent; CPU is taken as exponential (excess
 * 3.6 S), a sum of r reads has excess sqrt(r) of one.
 *
 * What binds: the CPU when its cores are 85 % busy; else commit or reads when it takes more than
 * half of the cycle; else the number of clients (more of them would give more).
 *
 * Thin here: checkpoints, hot rows (give the effective clients instead), replication and the LSM
 * engines are in db.h, over volumes instead of single latencies.
 */
#ifndef MODEL_DB_SCALAR_H
#define MODEL_DB_SCALAR_H

#include "base/finding.h"
#include "model/disk.h"

struct db_scalar_input {
	double clients; /* concurrent sessions, >= 1 */
	double cores; /* of the machine; NaN: CPU not modelled */
	double cpu_ms_per_tx; /* NaN: 0 and a finding */
	double page_reads_per_tx; /* dependent reads that reach the disk */
	double target_tps; /* open load; NaN: only the closed answer */
	int sync_commit; /* 1: a commit waits for the log; 0: it does not */
	struct estimate flush_mean_us, flush_p99_us; /* write + sync of the log volume */
	struct estimate read_mean_us, read_p99_us; /* data volume at its load */
};

enum db_scalar_term {
	DB_SCALAR_CPU,
	DB_SCALAR_CLIENTS,
	DB_SCALAR_COMMIT,
	DB_SCALAR_READS,
	DB_SCALAR_COUNT
};
extern const struct names db_scalar_term_names; /* cpu clients commit reads */

struct db_scalar_result {
	double max_tps; /* closed loop with all clients */
	double max_tps_lo, max_tps_hi; /* from the intervals of the latencies; NaN when unknown */
	int limit; /* enum db_scalar_term: what binds */
	double ceiling_tps[DB_SCALAR_COUNT]; /* each term alone; NaN: no bound */
	double flushes_per_s, commits_per_flush;
	/* at target_tps when it is given and below max_tps, else at max_tps */
	double at_tps;
	struct estimate commit_mean_ms, commit_p99_ms, tx_mean_ms, tx_p99_ms;
	double fast_disk_tps; /* max_tps with zero storage latency */
	double fast_disk_gain_frac; /* (fast_disk_tps - max_tps) / max_tps: under 0.05 is "not
				       storage" */
};

/* ERR_RANGE for impossible inputs.  All latencies must be known. */
int db_scalar_solve(const struct db_scalar_input *in, struct findings *findings,
	struct db_scalar_result *out, struct err *err);

#endif /* MODEL_DB_SCALAR_H */
