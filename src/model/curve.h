/*
 * curve.h - one fitted curve: choosing the form, fitting, and evaluating it afterwards.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_CURVE_H
#define MODEL_CURVE_H

#include "model/disk.h"
#include "model/points.h"

/* What the device says about a curve. */
struct curve_context {
	int device; /* enum profile_device, or -1 */
	double cap_iops; /* the seller's cap at this block size; NaN: none */
	/* the operation has its depths at another block size, so that few of them here are enough */
	bool beside;
};

/*
 * Fit a series (models.md 1.3): constant for one depth, two numbers below five depths, three
 * numbers or the power form above; a wall alone (l1_us unknown) for a rate without depth or
 * latency.  ERR_UNSUPPORTED when it has no usable point.
 */
int curve_fit(const struct series *s, const struct curve_context *ctx, struct arena *a,
	struct findings *out, struct model_curve *c, struct err *err);

/* Mean latency by the curve, us; light: without the wall (what a cap is put on). */
double curve_mean_us(const struct model_curve *c, double qd);
double curve_light_us(const struct model_curve *c, double qd);

/* Half width in ln of the 95 % interval of a new measurement at this depth; NaN: not known. */
double curve_half_width(const struct model_curve *c, double qd);

/* Saturation throughput of c and C: (c^8 + C^-8)^(-1/8); NaN numbers do not bound. */
double curve_x_inf(double c_us, double wall_iops);

/* Saturation test: growth exponent of throughput over the last two depths; NaN below two. */
double curve_growth(const struct point *points, size_t n);

/* Half width in ln of the fit-free two-number form, ×/÷1.4 (models.md 0.6). */
extern const double curve_two_half_width;

#endif /* MODEL_CURVE_H */
