/*
 * chart.h - a figure as inline SVG, drawn by gnuplot from a script in reports/charts; private to
 * report.
 *
 * gnuplot gets numbers and placeholders, never text of the document: the placeholders have the
 * length of the text they stand for and are replaced, escaped, in what it draws.  What it draws is
 * rewritten through lists of accepted elements and attributes (svg.h).
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/doc.h"

/*
 * Append the chart.  id makes the ids of its title and description unique in the page.
 * ERR_NOT_FOUND: gnuplot is not installed; ERR_IO: the script is missing or gnuplot failed;
 * ERR_UNSUPPORTED: nothing to draw, or something that must not be in a page.  *out is unchanged
 * after a failure.
 */
int chart_svg(const struct doc_figure *f, size_t id, const char *data_dir, struct buf *out,
	struct err *err);

#endif /* REPORT_CHART_H */
