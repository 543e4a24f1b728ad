/*
 * bucket_rows.h - the lines of histograms (one for each edge and one for the sum, at one moment or at several) put
 * together.  Internal to workload.
 */
#ifndef WORKLOAD_BUCKET_ROWS_H
#define WORKLOAD_BUCKET_ROWS_H

#include "workload/evidence.h"

struct bucket_rows;

struct bucket_row {
	const char *name; /* with _bucket or _sum, or without; NULL: not said */
	const char *host,
		*labels; /* labels: all but the edge, one text; both borrowed until done */
	double edge_s; /* NaN: the sum; may be infinite; as printed, whatever the unit */
	double *at_s, *count; /* as many; at_s NaN: not said */
	size_t n;
};

struct bucket_rows *bucket_rows_new(struct arena *a);
/* NULL when out of memory. */
struct bucket_row *bucket_rows_add(struct bucket_rows *rows);
bool bucket_rows_any(const struct bucket_rows *rows);
/* `row` is a struct bucket_row of the same arena.  ERR_NOMEM. */
int bucket_row_put(struct evidence *e, void *row, double at_s, double count);

/* Whether a name is that of the sum of a histogram of durations. */
bool bucket_is_sum(const char *name);

/*
 * One histogram for each name, host and set of labels; those of no durations are left out, those that
 * contradict themselves too, each with a finding.  per_window: each count is that of its own window, not since
 * the beginning.  Names are copied.  ERR_NOMEM.
 */
int bucket_rows_done(struct bucket_rows *rows, struct evidence *e, const char *file,
	bool per_window, struct err *err);

#endif /* WORKLOAD_BUCKET_ROWS_H */
