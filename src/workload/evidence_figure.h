/*
 * evidence_figure.h - figures as a tool printed them, before they are believed: what is below 0, no number, or beyond
 * any machine is left out as not known, and said once for each kind with the place of the first.
 *
 * Bounds are of the figure as printed, in whatever unit its column has.  Internal to workload.
 */
#ifndef WORKLOAD_EVIDENCE_FIGURE_H
#define WORKLOAD_EVIDENCE_FIGURE_H

#include "base/finding.h"
#include "workload/evidence_lines.h"

enum evidence_fault {
	EVIDENCE_FAULT_NEGATIVE,
	EVIDENCE_FAULT_NO_NUMBER, /* nan, inf, words */
	EVIDENCE_FAULT_ABSURD,
	EVIDENCE_FAULT_COUNT
};

/* Those of one text; cleared to 0 before the first. */
struct evidence_figures {
	struct {
		size_t n, line;
		char field[48], text[32]; /* of the first */
	} faults[EVIDENCE_FAULT_COUNT];
};

/* The number in `text`; NaN, and counted, when it is none that can be.  Blank is not said: NaN, not counted. */
double evidence_figure(struct evidence_figures *f, size_t line, struct evidence_word field,
	struct evidence_word text);

/* The same for a number that a document holds. */
double evidence_figure_value(
	struct evidence_figures *f, size_t line, const char *field, double value);

/* One warning ("bad-figure") for each kind seen. */
void evidence_figures_say(const struct evidence_figures *f, const char *file, struct findings *out);

#endif /* WORKLOAD_EVIDENCE_FIGURE_H */
