/*
 * loads.h - latency at arrival rates, as measured: what of it is sound, and whether the closed-loop
 * curve says the same.
 *
 * Stable codes of findings: idle-start, open-loop-differs.
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_LOADS_H
#define MODEL_LOADS_H

#include "model/disk.h"

/*
 * The open-loop cells of the profile into m->loads; after the curves.  Left out: rates that were not
 * reached (over 2 % of the arrivals found the queue full), and a lowest rate slower than the next
 * one, which an idle machine explains (models.md 1.7).  ERR_NOMEM only.
 */
int loads_fit(const struct profile *p, struct arena *a, struct findings *out, struct disk_model *m,
	struct err *err);

#endif /* MODEL_LOADS_H */
