/*
 * need_parts.h - the rules behind need.h, one file a theme.  Each adds to the volume or machine and to e->findings.
 */
#ifndef WORKLOAD_NEED_PARTS_H
#define WORKLOAD_NEED_PARTS_H

#include "workload/need.h"

/* "vda" or "host:vda" is that series. */
bool need_is_device(const struct evidence_series *s, const char *name);
/* Equal texts, or both NULL. */
bool need_same_host(const char *a, const char *b);
/* host:device, in the arena; "" when there is no memory. */
const char *need_name(struct arena *a, const struct evidence_series *s);

/* Caps: held back, above what was bought, credits, the size at which the limit changes. */
void need_look_at_caps(struct evidence *e, struct need_volume *v);

/* Consistency: queue, sizes, percentages, closed loops, busy time. */
void need_check_series(struct evidence *e, const struct need_volume *v);
void need_check_runs(struct evidence *e);
void need_check_servers(struct evidence *e, double target_tps);

/* Busy hours, windows of high throughput, growth.  ERR_NOMEM. */
int need_look_at_time(struct evidence *e, const struct need_volume *v, struct err *err);

/* Volumes of the host NEED_BEFORE beside those of the same device elsewhere. */
void need_look_at_change(struct evidence *e, const struct needs *n);

/* Reads that a cache of the host answered.  ERR_NOMEM. */
int need_look_at_caches(struct evidence *e, struct needs *n, struct err *err);

/* The disks of each machine together.  ERR_NOMEM. */
int need_look_at_machines(struct evidence *e, struct needs *n, struct err *err);

#endif /* WORKLOAD_NEED_PARTS_H */
