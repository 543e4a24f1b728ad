/*
 * evidence_reader.h - the readers that evidence.c asks, one a format.
 */
#ifndef WORKLOAD_EVIDENCE_READER_H
#define WORKLOAD_EVIDENCE_READER_H

#include "workload/evidence.h"

extern const struct evidence_reader evidence_azure;
extern const struct evidence_reader evidence_cassandra_stress;
extern const struct evidence_reader evidence_cloudwatch;
extern const struct evidence_reader evidence_diskstats;
extern const struct evidence_reader evidence_exposition;
extern const struct evidence_reader evidence_iostat;
extern const struct evidence_reader evidence_iostat_json;
extern const struct evidence_reader evidence_metric_csv;
extern const struct evidence_reader evidence_mysql;
extern const struct evidence_reader evidence_nodetool;
extern const struct evidence_reader evidence_perfmon;
extern const struct evidence_reader evidence_pgbench;
extern const struct evidence_reader evidence_pgbench_log;
extern const struct evidence_reader evidence_postgres;
extern const struct evidence_reader evidence_prometheus;
extern const struct evidence_reader evidence_sadf;
extern const struct evidence_reader evidence_sar;
extern const struct evidence_reader evidence_sysbench;
extern const struct evidence_reader evidence_vmstat;

#endif /* WORKLOAD_EVIDENCE_READER_H */
