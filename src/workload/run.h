/*
 * run.h - what benchmark runs and counters of servers come to: percentiles, figures a transaction, gates, and
 * whether storage is what holds them.
 *
 * Latency is microseconds, bytes are bytes.  NaN: not known.  Formulas: reference/workload.md section 2, rules
 * 13 to 15, and the text of each finding.
 */
#ifndef WORKLOAD_RUN_H
#define WORKLOAD_RUN_H

#include "workload/evidence.h"

/* Sort its transactions and set p50, p95, p99 and max of service and of what users saw, by nearest rank. */
void evidence_run_percentiles(struct evidence_run *r);

/* Where the time of a transaction goes, by the statements the client timed. */
struct evidence_shares {
	size_t statements; /* sent to the server */
	double round_trip_us; /* the cheapest of them: network, parsing, waking */
	double commit_us; /* END or COMMIT over a round trip; NaN: none in the script */
	double lock_us; /* updates of rows that clients share, over a round trip each */
	double pages_us; /* the other statements over a round trip each: page reads and CPU */
	bool pages_cached; /* the data is so small that its pages come from memory */
	double storage_frac; /* most of its own time that an infinitely fast disk could save */
	double queue_frac; /* and with waits for locks that others hold over their commits */
};

/* false when the run has no timed statements or no mean. */
bool evidence_run_shares(const struct evidence_run *r, struct evidence_shares *s);

/* What a server's counters come to. */
struct evidence_rates {
	double commits_s, syncs_s;
	double sync_us, commits_per_sync; /* sync: one, mean */
	double log_bytes_per_commit, log_bytes_per_sync, log_bytes_s;
	double page_image_frac; /* most of the log that whole pages can be: 8 KiB each, uncompressed */
	double page_reads_per_commit, page_read_us;
	double checkpoint_bytes_s; /* while writing them */
};

void evidence_server_rates(const struct evidence_server *s, struct evidence_rates *out);

/* One measured run joined with what the server counted during it: what a calibration needs. */
struct evidence_calibration {
	const struct evidence_run *run; /* never NULL */
	const struct evidence_server *server; /* NULL: none, or more than one */
	double tps, mean_us; /* service time, as the client saw it */
	double clients, scale;
	double page_reads_per_tx; /* from the server: upper bound of device reads (the page cache counts) */
	double flushes_s, commits_per_flush, flush_us;
	double log_bytes_per_tx;
	double storage_frac; /* of evidence_run_shares() */
};

/* From the closed-loop run of most transactions; false when there is none with tps and clients. */
bool evidence_calibrate(const struct evidence *e, struct evidence_calibration *out);

/*
 * Add what runs and servers show: closed loop, rate not met, gates, where time goes.  evidence_finish() calls it,
 * once.
 */
int evidence_judge(struct evidence *e, struct err *err);

#endif /* WORKLOAD_RUN_H */
