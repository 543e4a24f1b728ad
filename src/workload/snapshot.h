/*
 * snapshot.h - looks at counters kept until another one gives a difference.  Internal to workload.
 */
#ifndef WORKLOAD_SNAPSHOT_H
#define WORKLOAD_SNAPSHOT_H

#include "workload/evidence.h"
#include "workload/span.h"

/* Append one value; ERR_NOMEM. */
int snapshot_put(struct evidence *e, struct evidence_snapshot *s, const char *name,
	struct span value, struct err *err);

/* The text, NULL when there is none of that name. */
const char *snapshot_text(const struct evidence_snapshot *s, const char *name);

/* As a number; NaN when there is none or it is empty. */
double snapshot_number(const struct evidence_snapshot *s, const char *name);

/* Seconds since 1970 of "2026-11-30 19:57:21.32+00" (T between, Z, +0100 and +01:00 too); without a zone
 * offset_s ahead of UTC (NaN: 0).  NaN when it is none. */
double snapshot_time(struct span s, double offset_s);

#endif /* WORKLOAD_SNAPSHOT_H */
