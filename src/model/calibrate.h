/*
 * calibrate.h - what one measured run says of a transaction: its CPU and its miss ratio.
 *
 * The run's volumes are known (their profiles), so what its latency has beyond them is CPU.
 * Where the cores were busy for longer than that, they were so while reads ran ahead: then the CPU is
 * what they were busy, and prefetch_frac of the reads are not waited for.  Where they were busy for less,
 * the CPU is what they were busy and nobody works in the rest (threads woken up, the way between client and
 * server): a pause, think_ms, which takes no core from others.  The answer is the CPU of a transaction that has its core to itself, and core_sharing beside it, so
 * that it holds for other numbers of clients too.
 */
#ifndef MODEL_CALIBRATE_H
#define MODEL_CALIBRATE_H

#include "model/db.h"

struct calibrate_run {
	double clients;
	double tps;
	double mean_ms, p50_ms, p99_ms; /* of transactions; NaN: not known, mean: clients / TPS */
	double busy_cores; /* of server and clients on the machine; NaN: not known */
	double storage_cores; /* of that machine busy for its I/O besides; NaN: none */
	double reads_per_tx, writes_per_tx; /* I/Os of the data device; NaN: not known */
	double flushes_per_tx; /* of the log device; NaN: not known */
	double log_kib_per_tx; /* NaN: not known */
};

/* What the model, calibrated, says of the run, against the run. */
struct calibrate_residual {
	double measured, modelled; /* NaN: not known */
};

struct calibrate_result {
	struct db_transaction
		tx; /* as given, with cpu_ms, core_sharing, io_cpu_ms, miss_frac, log_kib, and
			think_ms or prefetch_frac where they explain the run */
	bool by_latency; /* false: the volumes explain the latency alone, CPU is busy_cores / TPS */
	struct calibrate_residual tps, mean_ms, p50_ms, p99_ms, cpu_ms, flushes_per_tx;
};

/* Two threads of a core do 1.15 to 1.3 times the work of one; 1.18: each takes 1.7 times as long. */
extern const double calibrate_core_sharing;

/*
 * in: engine, volumes of the run and what is known of the transaction; its page_reads, when given,
 * are those before caches.  core_sharing NaN: the default above where cores are known.
 * ERR_RANGE: impossible run, or one quicker than its volumes alone, with no busy_cores given.
 */
int calibrate(const struct db_input *in, const struct calibrate_run *run,
	struct calibrate_result *out, struct err *err);

/*
 * The same with core_sharing from a second run of the same transaction, one that keeps the cores
 * busy.
 */
int calibrate_pair(const struct db_input *in, const struct calibrate_run *light,
	const struct db_input *busy_in, const struct calibrate_run *busy,
	struct calibrate_result *out, struct err *err);

#endif /* MODEL_CALIBRATE_H */
