/*
 * engine.h - what a database engine does with its disks: parameters, no arithmetic.
 *
 * One struct an engine, read from models/engines/NAME.json; the solver (db.h) knows no engine by
 * name.  NaN: unknown, or the engine has no such thing.
 */
#ifndef MODEL_ENGINE_H
#define MODEL_ENGINE_H

#include <stddef.h>

/* How a commit becomes durable. */
enum engine_commit {
	ENGINE_COMMIT_GROUP, /* one flush at a time; who arrives meanwhile waits for the next */
	ENGINE_COMMIT_PERIODIC, /* no wait: a crash loses what came since the last flush */
	ENGINE_COMMIT_NONE, /* no log */
	ENGINE_COMMIT_SINGLE_WRITER, /* one transaction at a time holds the database, flush included */
	ENGINE_COMMIT_COUNT
};

/* One row of the document, as it was read: what a report says of the number. */
struct engine_parameter {
	const char *name;
	double value; /* NaN: a word */
	const char *word; /* NULL: a number */
	const char *unit, *source, *as_of;
	int trust; /* enum trust */
};

struct engine {
	const char *name, *title;
	const char *mode, *mode_text; /* the way of committing chosen: "on", and what it means */
	int commit; /* enum engine_commit */
	int remote; /* flag: a commit also waits for standbys */
	double single_writer; /* 1: one transaction at a time, whatever the way to commit */
	double flushes_per_group; /* one after another per commit group: redo + binlog = 2 */
	double commit_delay_us; /* waits before each flush when siblings are active */
	double loss_window_ms; /* periodic: what a crash loses */
	double page_kib;
	double log_page_kib; /* a log write is padded to whole pages of this */
	double log_base_kib; /* log bytes a transaction without page images, when nobody says more */
	double full_page_writes; /* 1: a page's first change after a checkpoint is logged whole */
	double page_writes_factor; /* data-page writes per dirty page: 2 with doublewrite */
	double checkpoint_s; /* interval */
	double completion_target; /* share of the interval over which dirty pages are written */
	double write_amplification; /* LSM: device bytes per ingested byte, log and flush included */
	double read_amplification; /* LSM: device reads a point read */
	double merge_io_kib; /* size of background I/O: compaction, merge */
	double merge_share; /* share of the write bandwidth that compaction + ingest may take before
			       reads follow the mix */
	/* of a transaction, where the workload says nothing */
	double cpu_ms_per_tx, page_reads_per_tx, page_writes_per_tx;
	const struct engine_parameter *parameters; /* where each number above comes from */
	size_t n_parameters;
};

#endif /* MODEL_ENGINE_H */
