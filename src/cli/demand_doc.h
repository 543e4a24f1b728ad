/*
 * demand_doc.h - what `tierwise demand` shows: evidence as tables, a row a device, run, server or histogram.
 */
#ifndef CLI_DEMAND_DOC_H
#define CLI_DEMAND_DOC_H

#include "cli/demand_options.h"
#include "report/doc.h"
#include "workload/evidence.h"
#include "workload/need.h"
#include "workload/workload.h"

/* Series, runs, servers, histograms, processors; each only when there is one.  ERR_NOMEM. */
int demand_doc_evidence(struct doc *d, const struct evidence *e, struct err *err);

/* Volumes and machines: needs, caps, verdicts. */
void demand_doc_needs(struct doc *d, const struct needs *n);

/* The devices with a role as volumes of a workload; borrows from n and o.  ERR_NOMEM. */
int demand_workload(struct arena *a, const struct needs *n, const struct demand_options *o,
	struct workload *w, struct err *err);

/* A note for each thing that recommend will ask for. */
void demand_say_missing(const struct workload *w, struct findings *f);

#endif /* CLI_DEMAND_DOC_H */
