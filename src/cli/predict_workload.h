/*
 * predict_workload.h - `tierwise predict --workload FILE`: what a database does on given disks.
 */
#ifndef CLI_PREDICT_WORKLOAD_H
#define CLI_PREDICT_WORKLOAD_H

#include "advise/transaction.h"
#include "cli/command.h"
#include "cli/predict_verdict.h"
#include "model/db_disk.h"

/* What was asked: texts of the options, NULL when not given. */
struct predict_workload_asked {
	const char *workload, *log, *data, *machine, *engine;
	struct cli_texts runs; /* outputs of a measured run; none: no calibration */
};

/* One volume's disk, and the words for it. */
struct predict_volume {
	struct disk_model model;
	struct db_disk disk;
	const char *path;
	bool given;
};

/* Everything the document says. */
struct predict_database {
	struct workload workload;
	struct engine engine;
	const struct vm_limit *machine; /* NULL: none known */
	struct predict_volume log, data;
	struct db_input input;
	struct db_result result;
	struct findings findings;
};

/*
 * Load what was asked for, solve, and print.  ERR_USAGE for a wrong --wal or --data; errors of the
 * documents; ERR_UNSUPPORTED when a disk's latency is not known, with what to measure.  After the document:
 * ERR_INFEASIBLE when a promise of the workload is not kept, ERR_INCONCLUSIVE when one is not decided.
 */
int predict_workload(
	struct cli_common *c, const struct predict_workload_asked *asked, struct err *err);

/* The answer as a document; the promises are counted. */
void predict_database_doc(
	const struct predict_database *p, struct doc *d, struct predict_verdicts *verdicts);

/* Its part on what was promised. */
void predict_database_promises(
	const struct predict_database *p, struct doc *d, struct predict_verdicts *verdicts);

/* To so many digits, or whole where it has more: never 1e+04. */
const char *predict_number(struct doc *d, double v, int digits);

/* In words: how standbys fall behind; why what a loss costs is not known. */
const char *predict_behind(const struct predict_database *p, struct doc *d);
const char *predict_loss_gap(const struct predict_database *p, struct doc *d);

#endif /* CLI_PREDICT_WORKLOAD_H */
