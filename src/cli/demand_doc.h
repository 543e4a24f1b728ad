/*
 * demand_doc.h - what `tierwise demand` shows: evidence as tables, a row a device, run, server or histogram.
 */
#ifndef CLI_DEMAND_DOC_H
#define CLI_DEMAND_DOC_H

#include "report/doc.h"
#include "workload/evidence.h"

/* Series, runs, servers, histograms, processors; each only when there is one.  ERR_NOMEM. */
int demand_doc_evidence(struct doc *d, const struct evidence *e, struct err *err);

#endif /* CLI_DEMAND_DOC_H */
