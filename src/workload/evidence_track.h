/*
 * evidence_track.h - one metric of one device over time, and how several of them become a series.
 *
 * Stores and providers give each metric by itself, in any order and often in files of its own, so readers
 * keep what they read as tracks and join them by time after the last input.  Internal to workload.
 */
#ifndef WORKLOAD_EVIDENCE_TRACK_H
#define WORKLOAD_EVIDENCE_TRACK_H

#include "workload/evidence_figure.h"

struct evidence_track {
	const struct evidence_reader *reader;
	const char *host, *device, *file; /* host and device may be NULL */
	const char *metric; /* of a percentage of a cap; NULL otherwise */
	int scope; /* enum evidence_scope */
	bool before_cache; /* as in struct evidence_series */
	int column,
		how; /* what is counted, and how a value becomes that: the reader's own numbers */
	double window_s; /* averaging window; 0: a counter, seen at moments */
	double *at_s, *value; /* as many; any order; finite */
	size_t n;
};

/* Append one, cleared; NULL when out of memory. */
struct evidence_track *evidence_add_track(struct evidence *e);
int evidence_track_put(struct evidence *e, struct evidence_track *t, double at_s, double value);

/* The same for a finite value that a text gave at a line; one that can be no figure is counted and left out. */
int evidence_track_figure(struct evidence *e, struct evidence_track *t, double at_s,
	struct evidence_figures *figures, size_t line, const char *field, double value);

/* The tracks of one device and window, side by side. */
struct evidence_grid {
	const struct evidence_track *first; /* for names */
	double *at_s; /* ascending, n; a first NaN is for all that have no time */
	size_t n, n_columns;
	double *value; /* n rows of n_columns; NaN: not known at that time */
	size_t n_twice; /* values dropped: their moment had one already, and another */
};

/* One group.  Not 0 ends the walk.  The grid is released afterwards. */
typedef int evidence_joined(struct evidence *e, const struct evidence_grid *g, struct err *err);

/*
 * Join the tracks of a reader that share host, device, metric, scope and window; each group once, in the
 * order of those.  The tracks stay.  ERR_NOMEM or what `each` returns.
 */
int evidence_join(struct evidence *e, const struct evidence_reader *reader, size_t n_columns,
	evidence_joined *each, struct err *err);

/* The middle one of the differences between neighbours; NaN when there is none. */
double evidence_spacing_s(const double *at_s, size_t n);

#endif /* WORKLOAD_EVIDENCE_TRACK_H */
