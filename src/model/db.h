/*
 * db.h - from disk latencies to transactions per second: commit and read path of a database engine.
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
 * own flush p99 + U x F.  Within 8 % of simulated group commit at U from 0.02 to 1 (test_db.c).
 * tx p99 = mean + root of the sum of squared
 * excesses (p99 - mean) of its parts, which are independent; CPU is taken as exponential (excess
 * 3.6 S), a sum of r reads has excess sqrt(r) of one.
 *
 * What binds: the CPU when its cores are 85 % busy; else commit or reads when it takes more than
 * half of the cycle; else the number of clients (more of them would give more).
 *
 * Thin here: checkpoints, hot rows (give the effective clients instead), replication and the LSM
 * engines come with the database work; what is not modelled is named in `findings`.
 */
#ifndef MODEL_DB_H
#define MODEL_DB_H

#include "base/finding.h"
#include "model/disk.h"

struct db_input {
	double clients; /* concurrent sessions, >= 1 */
	double cores; /* of the machine; NaN: CPU not modelled */
	double cpu_ms_per_tx; /* NaN: 0 and a finding */
	double page_reads_per_tx; /* dependent reads that reach the disk */
	double target_tps; /* open load; NaN: only the closed answer */
	int sync_commit; /* 1: a commit waits for the log; 0: it does not */
	struct estimate flush_mean_us, flush_p99_us; /* write + sync of the log volume */
	struct estimate read_mean_us, read_p99_us; /* data volume at its load */
};

enum db_term { DB_TERM_CPU, DB_TERM_CLIENTS, DB_TERM_COMMIT, DB_TERM_READS, DB_TERM_COUNT };
extern const struct names db_term_names; /* cpu clients commit reads */

struct db_result {
	double max_tps; /* closed loop with all clients */
	double max_tps_lo, max_tps_hi; /* from the intervals of the latencies; NaN when unknown */
	int limit; /* enum db_term: what binds */
	double ceiling_tps[DB_TERM_COUNT]; /* each term alone; NaN: no bound */
	double flushes_per_s, commits_per_flush;
	/* at target_tps when it is given and below max_tps, else at max_tps */
	double at_tps;
	struct estimate commit_mean_ms, commit_p99_ms, tx_mean_ms, tx_p99_ms;
	double fast_disk_tps; /* max_tps with zero storage latency */
	double fast_disk_gain_frac; /* (fast_disk_tps - max_tps) / max_tps: under 0.05 is "not
				       storage" */
};

/* ERR_RANGE for impossible inputs.  All latencies must be known. */
int db_solve(const struct db_input *in, struct findings *findings, struct db_result *out,
	struct err *err);

/* The closed form of group commit: n sessions, w work outside the commit, f one flush (same unit).
 * cycle = (A^6 + B^6)^(1/6), U = min(1, n f/(w+f)), A = w + f (1 + U (n-1)/(2n)), B = 2f; n = 1: w
 * + f. */
double db_group_commit_cycle(double n, double w, double f);

#endif /* MODEL_DB_H */
