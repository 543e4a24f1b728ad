/*
 * demand_bench.h - results of fio as evidence: what a disk gave, not what a system needed, and whether it can be taken
 * for a capacity.  Here, since the importer of fio belongs to profiles, which workload does not know.
 */
#ifndef CLI_DEMAND_BENCH_H
#define CLI_DEMAND_BENCH_H

#include "workload/evidence.h"

/*
 * Add the jobs of a result as runs.  *known is set to whether it is one of fio or of another program that import
 * knows; when it is not, the return is 0 and nothing was added.  ERR_UNSUPPORTED for programs whose results are
 * for import alone, and what import says.
 */
int demand_bench_read(
	struct evidence *e, const struct evidence_input *in, bool *known, struct err *err);

#endif /* CLI_DEMAND_BENCH_H */
