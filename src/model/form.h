/*
 * form.h - the curve forms: latency against depth, and time per I/O against block size.
 *
 * A form is ln T(x; theta) with an analytic gradient, starts and bounds.  Latency is in
 * microseconds.  Parameters are dimensionless or logs, so that every residual is relative and GSL's
 * absolute gradient test works.  Adding a form: one file, one row in form.c.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_FORM_H
#define MODEL_FORM_H

#include <stddef.h>

enum { FORM_MAX_K = 3, FORM_MAX_STARTS = 6 };

/* What starts and bounds are made of; x ascending. */
struct form_data {
	const double *x; /* depth, or block size in bytes */
	const double *t; /* latency or time per I/O, us */
	size_t n;
};

struct form {
	const char *name;
	size_t k;
	const char *parameters[FORM_MAX_K]; /* in words, with the unit */
	/* ln T at x; gradient (may be NULL) receives k derivatives */
	double (*value)(const double *theta, double x, double *gradient);
	size_t (*starts)(const struct form_data *d, double start[FORM_MAX_STARTS][FORM_MAX_K]);
	void (*bounds)(const struct form_data *d, double *lo, double *hi);
};

extern const struct form form_three; /* theta: ln L1, ln (c/L1), ln C (per us) */
extern const struct form form_power; /* theta: ln L1, g, ln C (per us) */
extern const struct form form_two; /* theta: ln L1, ln C (per us); p = 4 */
extern const struct form form_size_1; /* theta: ln (1/I0) (us), ln B (bytes per us); p = 1 */
extern const struct form form_size_2; /* the same, p = 2 */

/* enum model_form to its form; NULL for the constant, which needs no fit. */
const struct form *form_of(int model_form);

/* Every form, for tests that walk them. */
extern const struct form *const forms[];
extern const size_t n_forms;

/* ln (e^(p a) + e^(p b)) / p without overflow; *share (may be NULL) receives the weight of a. */
double form_pnorm(double p, double ln_a, double ln_b, double *share);

/* Largest rate seen, per us, and the latency at the smallest x. */
double form_max_rate(const struct form_data *d);

#endif /* MODEL_FORM_H */
