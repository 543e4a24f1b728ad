/*
 * demand.h - what each volume has to do at the peak: given by the workload, derived from its
 * transactions, or assumed, and said in words which.
 *
 * IOPS are I/Os of io_kib; streams (compaction, scans, the backup copy) are MB/s of 10^6 on top, in
 * I/Os of 1 MiB.  NaN: the workload does not say and nothing can be derived; a constraint on it is
 * then not checked, and a finding names it.
 *
 * From transactions: page reads and write-back of dirty pages, one flush a commit; of a log-structured
 * tree the ingest times its amplification, as streams.
 *
 * Thin here: growth adds capacity,
 * not IOPS.  The peak of every stream is taken at the same time, the backup window included.
 */
#ifndef ADVISE_DEMAND_H
#define ADVISE_DEMAND_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/trust.h"
#include "model/db.h"
#include "workload/workload.h"

#define DEMAND_DEFAULT_HEADROOM 0.20
#define DEMAND_DEFAULT_HORIZON_MONTHS 36.0
#define DEMAND_DEFAULT_STRIPE_SAVING_FRAC 0.05
#define DEMAND_STREAM_KIB 1024.0 /* one I/O of a stream */
#define DEMAND_BLOCK_KIB 4.0 /* a log write is padded to whole blocks of this */

struct demand {
	const struct workload_volume *volume;
	const char *label; /* the name, else the role */
	double horizon_gib;
	double read_iops, write_iops;
	double io_kib; /* NaN: nothing but streams, or unknown */
	double stream_mbps; /* reads and writes of streams together */
	double mbps; /* all of it */
	bool one_writer; /* a log: one flush at a time, so never more writes/s than 1 / flush time */
	int trust; /* enum trust: the weakest of the parts; TRUST_MEASURED stands for "given" */
	const char *words; /* how the figures came about */
};

/* Transaction profile with defaults filled in; NaN target: closed loop only. */
struct demand_tx {
	double target_tps, clients, cpu_ms;
	double page_reads; /* of the disk: misses, times the files looked at */
	double page_writes, wal_kib, utilisation;
};

struct demand_set {
	struct demand *volumes; /* those of this machine, in the order of the workload */
	size_t n;
	double headroom, horizon_months;
	double stripe_saving_frac; /* least a stripe saves against fewer disks that do the same */
	bool has_tx;
	struct demand_tx tx;
	struct db_transaction transaction; /* the same for the solver; cores are the machine's */
};

/*
 * Fill the set.  A backup that is kept elsewhere is not in it; what it reads is part of the demand of the
 * volumes it reads.  Findings name every assumption.  ERR_RANGE when the demand of a durable volume can
 * be neither found nor derived; ERR_NOMEM.
 */
int demand_derive(const struct workload *w, const struct engine *engine, struct arena *a,
	struct findings *findings, struct demand_set *out, struct err *err);

/* Space of a volume at the end of the horizon: what is bought, copied and kept in snapshots. */
double demand_horizon_gib(const struct workload *w, const struct workload_volume *v);

/*
 * I/Os per second a disk must count that splits one I/O into pieces of unit_kib (NaN: never), and
 * at most `flushes_s` writes of a one-writer volume (NaN: no bound), each then as much larger.  NaN: demand unknown.
 */
double demand_units(const struct demand *d, double unit_kib, double flushes_s);

#endif /* ADVISE_DEMAND_H */
