/*
 * predict.h - what the prediction functions share: the curve that answers for an operation and
 * block size, caps at that size, interpolation.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include "model/curve.h"

/* Run-to-run noise, 95th percentile (models.md 0.10): no interval is narrower than x/÷ this. */
extern const double predict_noise;

/* The curve behind an answer, and what was done to it. */
struct view {
	const struct disk_model *model;
	const struct model_curve *curve; /* of latency; NULL: only a wall is known */
	const struct model_curve *wall; /* whose wall was reached, at most this size; or NULL */
	double shift_us; /* added for another block size: b (bs - bs0) */
	int trust; /* of the curve, weakened by what was assumed */
	bool other_size, other_op;
	double cap_iops; /* one disk's cap at this block size, quota included; NaN: none */
	double stripe;
};

/* ERR_UNSUPPORTED, with what to measure, when no curve can answer. */
int predict_view(const struct disk_model *m, enum profile_op op, double bs_b,
	const struct disk_caps *caps, struct view *v, struct err *err);

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
 * Monotone (Steffen) interpolation of ln y over ln x; straight for two points.  x must lie within
 * x[0]..x[n-1].
 */
double predict_interpolate(const double *x, const double *y, size_t n, double at);

/* Percentile over mean at the lightest load: measured, else assumed from the kind of device. */
double predict_light_ratio(const struct view *v, enum model_statistic stat, bool *assumed);

/* The statistic of one disk at a depth without any cap; its way and interval. */
struct estimate predict_uncapped(const struct view *v, enum model_statistic stat, double qd);

#endif /* MODEL_PREDICT_H */
