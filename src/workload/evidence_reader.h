/*
 * evidence_reader.h - the readers that evidence.c asks, one a format.
 */
#ifndef WORKLOAD_EVIDENCE_READER_H
#define WORKLOAD_EVIDENCE_READER_H

#include "workload/evidence.h"

extern const struct evidence_reader evidence_diskstats;
extern const struct evidence_reader evidence_exposition;
extern const struct evidence_reader evidence_prometheus;

#endif /* WORKLOAD_EVIDENCE_READER_H */
