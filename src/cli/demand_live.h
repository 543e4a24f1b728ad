/*
 * demand_live.h - evidence asked of a Prometheus-compatible store while the command runs, and what the user says of
 * files that do not say it themselves.
 */
#ifndef CLI_DEMAND_LIVE_H
#define CLI_DEMAND_LIVE_H

#include <argp.h>

#include "cli/command.h"
#include "workload/evidence.h"
#include "workload/promql.h"

struct demand_live {
	struct evidence_options *how; /* gets --query and --metric; set before parsing */
	struct promql_ask ask; /* end_s NaN: now; range_s NaN: not given */
	double timeout_s;
	bool given; /* any option that only a store understands */
};

void demand_live_init(struct demand_live *live, struct evidence_options *how);

/* --device --instance --range --step --at --timeout --query --metric; its input is a struct demand_live. */
extern const struct argp demand_live_argp;

/* Whether a URL is a store to be asked, not a document: no /api/ or file in it, or a range was given. */
bool demand_live_is_store(const struct demand_live *live, const char *url);

/*
 * Ask the store at `url` and add what it answers to *e.  ERR_NET, ERR_NOT_FOUND and what the readers say, each with the
 * address (without name and password) and what to do next.
 */
int demand_live_read(const struct demand_live *live, struct cli_common *c, const char *url,
	struct evidence *e, struct err *err);

#endif /* CLI_DEMAND_LIVE_H */
