/*
 * transaction.h - a workload and its engine as the input of the database solver (model/db.h).
 *
 * What the workload does not say is the engine's default, and a finding names each.
 */
#ifndef ADVISE_TRANSACTION_H
#define ADVISE_TRANSACTION_H

#include "base/finding.h"
#include "model/db.h"
#include "model/engine_document.h"
#include "workload/workload.h"

#define TRANSACTION_CLIENTS 64.0 /* assumed where neither clients nor a pool is given */
#define TRANSACTION_LOG_KIB 0.5 /* least log of a transaction beside page images (models.md 4.2) */
#define TRANSACTION_HOST_CACHE_US 100.0 /* assumed of a hit in the host's cache: a local SSD */

/*
 * The engine with the workload's way of committing and settings.  ERR_RANGE names the ways there are;
 * ERR_NOMEM.
 */
int transaction_engine(const struct workload *w, const struct engine_document *d, struct arena *a,
	struct engine *e, struct err *err);

/*
 * The transaction; log bytes given or assumed hold page images, which are taken off again where the hot
 * pages are known and the solver counts them.  cores and the host's cache are of the machine (NaN: not known).  Findings name
 * every assumption.  ERR_RANGE when the workload has no transactions.
 */
int transaction_of(const struct workload *w, const struct engine *e, double cores,
	struct findings *findings, struct db_transaction *tx, struct err *err);

/* A commit waits for its flush; else the log is written as it comes. */
bool transaction_commit_waits(const struct engine *e);

/* Reads of the disk one transaction causes: misses, times the files that are looked at. */
double transaction_disk_reads(const struct db_transaction *tx, const struct engine *e);

/* Page writes a second at a rate, as the solver takes them (models.md 4.2); 0 for a tree. */
double transaction_write_back(const struct db_transaction *tx, const struct engine *e, double tps);

#endif /* ADVISE_TRANSACTION_H */
