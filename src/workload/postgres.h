/*
 * postgres.h - kinds of looks at a PostgreSQL server, and their differences.  Internal to workload.
 */
#ifndef WORKLOAD_POSTGRES_H
#define WORKLOAD_POSTGRES_H

#include "workload/evidence.h"

#define POSTGRES_WAL "pg_stat_wal"
#define POSTGRES_IO "pg_stat_io"
#define POSTGRES_BGWRITER "pg_stat_bgwriter"
#define POSTGRES_CHECKPOINTER "pg_stat_checkpointer"
#define POSTGRES_DATABASE "pg_stat_database"
#define POSTGRES_STATEMENTS "pg_stat_statements"
#define POSTGRES_POSITION "log position"

/*
 * One server from all looks of this kind of server: names of values are "row key TAB column".  What cannot be
 * compared (counters reset, or falling) becomes a finding of severity error, and is left out.  ERR_NOMEM.
 */
int postgres_finish(struct evidence *e, struct err *err);

#endif /* WORKLOAD_POSTGRES_H */
