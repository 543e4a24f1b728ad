/*
 * db.h - from disk latencies to transactions per second: commit and read path of a database engine.
 *
 * Thin here: CPU as m servers, dependent page reads, commit with group commit in closed form
 * (models.md 4.1, 4.2).  Checkpoints, hot rows, replication and the LSM engines come with the
 * database work; what is not modelled is named in `findings`.
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
