/*
 * points.h - the cells of a profile as series: one per operation and block size, ascending depth.
 *
 * What is missing is completed only by arithmetic that holds (throughput / block size; Little's law
 * in a closed loop) or by a named assumption (mean from a median), and each such step is a finding
 * and lowers the point's trust.  Cells of mixes and cells that contradict themselves stay out.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_POINTS_H
#define MODEL_POINTS_H

#include <stdbool.h>

#include "model/disk.h"

/* One depth; repeats of it averaged in ln, their intervals cover all of them.  NaN: not known. */
struct point {
	double qd, iops, mean_us, p50_us, p99_us, p999_us;
	double mean_lo_us, mean_hi_us, p99_lo_us, p99_hi_us, p999_lo_us, p999_hi_us;
	double spread; /* standard deviation of repeats in ln of the mean; NaN for one run */
	double differ; /* largest mean of the repeats over the smallest; NaN for one run */
	size_t repeats;
	int trust; /* the weakest of its values */
};

struct series {
	int op;
	double bs_b;
	struct point *points;
	size_t n;
	double loose_iops; /* best rate published without a depth; NaN: none */
	int loose_trust;
	char label[64]; /* "4 KiB randread" */
};

struct series_list {
	struct series *items;
	size_t n;
};

/* ERR_NOMEM only. */
int points_collect(const struct profile *p, struct arena *a, struct findings *out,
	struct series_list *list, struct err *err);

/* A cell's rate: IOPS, or throughput over block size; NaN when neither is known. */
double points_rate(const struct profile_cell *c);
/* Little's ratio: the one measured inside the slices when the cell has it (its rate is a median and
 * its mean is not, so the two need not multiply), else rate x mean / depth. */
double points_little(const struct profile_cell *c);

/* Both directions ran together, or requests came by a schedule: not a point of a closed-loop curve. */
bool points_off_curve(const struct profile_cell *c);

/* The first writing of the file, kept beside cells of the same kind: a burst or an allocation. */
bool points_first_write(const struct profile *p, const struct profile_cell *c);

/*
 * Outside what Little's law leaves a closed loop of one direction: 0.90 to 1.02 (models.md 0.5),
 * since ramps lose a little and nothing gains; up to 1.10 for slices so short that the requests
 * under way at their ends count, and for figures somebody rounded for print.
 */
bool points_little_off(const struct profile *p, const struct profile_cell *c);

/* n runs of one cell as one point (n >= 1). */
struct point points_merge(const struct point *points, size_t n);

/* All NaN, one run, with the cell's depth and trust. */
struct point points_empty(const struct profile *p, const struct profile_cell *c);

/* Percentiles of the cell, unless they are of completion and submission took most of the time. */
bool points_percentiles(const struct profile_cell *c, struct point *pt);

/*
 * Latency of the lightest load of this operation, at most this block size: the mean at depth 1, or
 * its median.  NaN: the profile has none.  *median tells which.
 */
double points_light_us(const struct profile *p, int op, double bs_b, bool *median);

/* Little's law and the light latency speak against a cell: it is reported and not fitted. */
bool points_contradictory(const struct profile *p, const struct profile_cell *c);

#endif /* MODEL_POINTS_H */
