/*
 * predict_calibrate.h - `tierwise predict --workload FILE --run RUN`: what a measured run of this very workload on
 * these very disks says of a transaction, and how well the model then tells that run.
 */
#ifndef CLI_PREDICT_CALIBRATE_H
#define CLI_PREDICT_CALIBRATE_H

#include "cli/predict_workload.h"
#include "model/calibrate.h"

/*
 * Read the outputs of the run (pgbench or sysbench; two looks at the server's counters; vmstat), calibrate
 * p->input.tx and say what came out.  ERR_RANGE: no closed-loop run with a rate and clients in them, or one
 * quicker than its disks; errors of the files.
 */
int predict_calibrate(struct cli_common *c, const struct cli_texts *runs,
	struct predict_database *p, struct doc *d, struct err *err);

#endif /* CLI_PREDICT_CALIBRATE_H */
