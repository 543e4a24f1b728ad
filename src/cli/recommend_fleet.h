/*
 * recommend_fleet.h - `recommend --fleet FILE`: a workload a line, a row for each.
 *
 * Processes take the lines in turns (line i goes to process i modulo their number) and the parent reads
 * their rows in the order of the lines, so memory holds one workload a process and the rows, and the
 * answer is the same for any number of processes.  Each process keeps the prices, limits, rules and
 * models of a provider, region and engine for the lines that need them again.
 */
#ifndef CLI_RECOMMEND_FLEET_H
#define CLI_RECOMMEND_FLEET_H

#include "advise/fleet.h"
#include "cli/recommend_load.h"

enum { FLEET_MOST_JOBS = 64, FLEET_MOST_LINE_B = 4 << 20 };

/*
 * Fill *fleet; its rows live in the arena of c.  A line that cannot be used is a row with its
 * status and reason, the others go on.  ERR_IO: the stream cannot be read; ERR_RANGE: it holds no workload.
 */
int recommend_fleet(struct cli_common *c, const struct recommend_files *files, const char *path,
	int jobs, struct fleet *fleet, struct err *err);

/*
 * The error the command ends with: of a line that could not be read, else (as of one workload) nothing
 * fits, a price unknown, prices too old, over budget, inconclusive.  0: every row has status 0.
 */
int recommend_fleet_outcome(const struct fleet *fleet, struct err *err);

/* The report of a fleet. */
void fleet_report(const struct fleet *fleet, struct doc *d);

#endif /* CLI_RECOMMEND_FLEET_H */
