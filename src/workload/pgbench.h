/*
 * pgbench.h - outputs of one pgbench run put together: summary, lines of -P and the logs of its threads.
 * Internal to workload.
 */
#ifndef WORKLOAD_PGBENCH_H
#define WORKLOAD_PGBENCH_H

#include "workload/evidence.h"

/*
 * After the last input.  Logs whose names differ in the number of the thread only (prefix.PID, prefix.PID.N)
 * become one; then a summary, one output of progress and one log become one when their names are the same
 * up to the first point.  ERR_NOMEM.
 */
int pgbench_join(struct evidence *e, struct err *err);

#endif /* WORKLOAD_PGBENCH_H */
