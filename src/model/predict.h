/*
 * predict.h - what the prediction functions share: the curve that answers for an operation and
 * block size, caps and walls at that size, one disk's statistics.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include "model/curve.h"
#include "model/surface.h"

/* Run-to-run noise, 95th percentile (models.md 0.10): no interval is narrower than x/÷ this. */
extern const double predict_noise;

/* The curve behind an answer, and what was done to it. */
struct view {
	const struct disk_model *model;
	const struct model_curve *curve; /* of latency; NULL: only a wall is known */
	const struct surface *surface; /* of means at this size; NULL: only a wall is known */
	double shift_us[MODEL_STATISTIC_COUNT]; /* added for another block size (sizes_shift()) */
	int op; /* asked for; the curve's may stand in for it */
	int exact_trust; /* that size was measured at depth 1: its class; else -1 */
	bool partial; /* a write that is no whole number of physical blocks */
	int trust; /* of the curve, weakened by what was assumed */
	bool other_size, other_op;
	double bs_b; /* what one disk serves: the block, or the largest part of an I/O over strips */
	const struct disk_caps *caps; /* given from outside; may be NULL */
	double cap_iops; /* one disk's cap at that size, quota included; NaN: none */
	double spans; /* disks that serve one I/O together */
	double slowest; /* mean of the slowest of those parts over that of one */
	double share; /* of all I/O that a disk of the stripe sees: spans / disks */
	double alone; /* outstanding on a disk in the mean, where it is less than one; else 1 */
	/* at a rate: the wall of one disk, or the most that was seen; what a bucket lets through */
	double limit_iops, burst;
	bool limit_known;
	/* the closed loop at the rate asked for, once for all statistics */
	double rate, rate_depth;
	struct estimate rate_mean;
};

/*
 * The view of a question, with the surface of means there in *s (NULL: not
 * wanted).  ERR_UNSUPPORTED, with what to
 * measure, when no curve can answer.
 */
int predict_view(const struct disk_model *m, enum profile_op op, double bs_b,
	const struct disk_caps *caps, struct view *v, struct surface *s, struct err *err);

/* ERR_UNSUPPORTED when the view has no curve of latency. */
int predict_needs_latency(const struct view *v, enum profile_op op, struct err *err);

/* One disk's cap at a block size: IOPS per started unit, MB/s over size; NaN: none. */
double predict_cap(const struct disk_caps *caps, double bs_b);

/* The seller's quota of the model for an operation at a block size; NaN: none. */
double predict_quota(const struct disk_model *m, int op, double bs_b);

/* Points at which a statistic is known. */
size_t predict_known(const struct model_curve *c, enum model_statistic stat, double *qd, double *us,
	size_t limit);

/*
 * ln y over ln x through n >= 1 points, x ascending, both positive, `at` within x[0] .. x[n-1]: the
 * points themselves exactly, between them no steeper back and forth than they are (monotone.c); two
 * points are joined by a straight line.
 */
double predict_interpolate(const double *x, const double *y, size_t n, double at);

/* Percentile over mean at the lightest load: measured, else assumed from the kind of device. */
double predict_light_ratio(const struct view *v, enum model_statistic stat, bool *assumed);

/* The statistic of one disk at a depth without any cap; its way and interval. */
struct estimate predict_uncapped(const struct view *v, enum model_statistic stat, double qd);

/* The same with the mean of the surface. */
struct estimate predict_free(const struct view *v, enum model_statistic stat, double q);

/*
 * A statistic within its n measured depths qd[] (ascending; values us[]).  predict_scatter: half width
 * in ln of the interval of a measured point: run-to-run noise, or what the points scatter by.
 */
struct estimate predict_between(const struct view *v, enum model_statistic stat, const double *qd,
	const double *us, size_t n, double q);

/* Its value alone.  shape: the curve, or where that has two numbers, which are flat until the knee, three
 * through four depths or more; across wide gaps between points those know better. */
struct model_curve predict_shape(const struct model_curve *c);
double predict_between_us(const struct model_curve *shape, enum model_statistic stat,
	const double *qd, const double *us, size_t n, const struct monotone_piece *pieces,
	double q); /* pieces: of these points; NULL: not at hand */
double predict_scatter(const struct model_curve *c, enum model_statistic stat);

/* The mean at a depth at which block sizes were swept, for a size that was not: false when there is
 * no such sweep.  Interpolated inside five sizes or more, else by the law. */
bool predict_by_sizes(const struct view *v, double qd, struct estimate *mean);

/*
 * The fitted wall of one disk at a size: its own curve's, or scaled from another one, no lower than what
 * larger sizes ran at, no higher than the walls of smaller ones.  false: not known; then the value is
 * what it is at most, NaN when nothing says.
 */
bool predict_wall_at(const struct disk_model *m, int op, double bs_b, struct estimate *wall);

/* A wall was reached at some size. */
bool predict_has_wall(const struct disk_model *m, int op);

/* The same under the caps, for the whole stripe; false: neither is known. */
bool predict_wall(const struct view *v, struct estimate *wall);

/* The slowest part of an I/O, from a statistic of one disk (percentiles are ordered here). */
typedef struct estimate predict_one(const struct view *v, enum model_statistic stat, double load);
struct estimate predict_whole(
	const struct view *v, enum model_statistic stat, double load, predict_one *one);

#endif /* MODEL_PREDICT_H */
