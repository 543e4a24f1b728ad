/*
 * bench_compare.h - two measured disks side by side: the ratio of what both did, with its interval.
 *
 * A row for each cell that both have (operation, block size, depth, mix) and for each kind of commit;
 * load by a schedule is left out, since each disk is asked for shares of its own capacity.  A ratio
 * is the second disk over the first.  Where the rates of slices are known it is that of the work done
 * in them, with the seeded bootstrap of bench/pair.h: of pairs of slices when the disks were measured
 * together, in turns, and have as many slices each; else of the slices of each apart.  Where they are
 * not known, and for latencies, it comes from the 95 % intervals of both (pair_ratio_of_ranges()).
 * A difference is called one when the interval leaves out 1.
 */
#ifndef CLI_BENCH_COMPARE_H
#define CLI_BENCH_COMPARE_H

#include "profile/profile.h"
#include "report/doc.h"

/* Append the comparison.  together: measured in one run, slices in turns. */
void bench_compare(
	struct doc *d, const struct profile *first, const struct profile *second, bool together);

#endif /* CLI_BENCH_COMPARE_H */
