/*
 * curve_figure.h - one chart of latency against outstanding I/O, as plans, fits and measurements show
 * it: a band, the curve, p99, the runs, the promise, the knee.
 *
 * What is NULL or NaN is not drawn.  Arrays and texts live as long as the document.
 */
#ifndef REPORT_CURVE_FIGURE_H
#define REPORT_CURVE_FIGURE_H

#include "report/doc.h"

struct curve_line {
	const char *name;
	size_t n;
	const double *qd, *ms;
};

struct curve_figure {
	const char *title; /* the finding */
	const char *description, *x_title, *y_title;
	struct curve_line line; /* the curve */
	const char *band_name;
	const double *lo_ms, *hi_ms; /* of the curve, line.n of each */
	struct curve_line dashed; /* of the same ordinate: p99 */
	struct curve_line points[2]; /* runs */
	double sla_ms;
	double knee_qd;
	double efficient_qd; /* where latency is 1.5 times the light one */
};

/* Add the figure; the caller sets its data. */
struct doc_figure *curve_figure(struct doc *d, const struct curve_figure *c);

/* n microseconds as milliseconds; NULL for NULL, for none, and when there is no memory. */
const double *curve_ms(struct doc *d, const double *us, size_t n);

#endif /* REPORT_CURVE_FIGURE_H */
