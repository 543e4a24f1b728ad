/*
 * fio_odd.h - figures of a fio result that no job can have.  Internal to profile.
 */
#ifndef PROFILE_FIO_ODD_H
#define PROFILE_FIO_ODD_H

#include "base/arena.h"
#include "base/json.h"

/* Largest count, rate or latency that is taken for one. */
#define FIO_FIGURE_MAX 1e18

/*
 * Names and values of those figures of "read", "write" or "sync" which are used here and are no number from 0 to
 * FIO_FIGURE_MAX, as in "iops -5, lat_ns.mean "x""; in the arena, NULL when all are sound.  What is not there, null, and the
 * empty text that fio_scan makes of nan is not recorded, which is no fault.
 */
const char *fio_odd_figures(struct jval side, struct arena *a);

#endif /* PROFILE_FIO_ODD_H */
