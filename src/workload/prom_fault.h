/*
 * prom_fault.h - what a Prometheus-compatible store says when it does not answer a query, in words that say
 * what to do.
 */
#ifndef WORKLOAD_PROM_FAULT_H
#define WORKLOAD_PROM_FAULT_H

#include "base/json.h"

/* Whether a document is such an answer ({"status":"error", ...}). */
bool prom_is_fault(struct jval root);

/* The error in *err, with the code given: who says it, its type and words, and what to do next. */
int prom_fault(struct jval root, const char *where, enum err_code code, struct err *err);

#endif /* WORKLOAD_PROM_FAULT_H */
