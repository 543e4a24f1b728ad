/*
 * doc.h - the document model every format is rendered from: headings, paragraphs, tables, figures,
 * call-outs.  Built once, rendered by html, md, table (terminal), csv, json.
 *
 * All commands print through it.  Text is plain UTF-8; renderers escape.  Everything lives in the
 * arena.
 */
#ifndef REPORT_DOC_H
#define REPORT_DOC_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/finding.h"

enum doc_align { DOC_LEFT, DOC_RIGHT };

enum doc_tone { DOC_NOTE, DOC_PASS, DOC_WARNING, DOC_FAIL, DOC_UNKNOWN, DOC_TONE_COUNT };

struct doc_column {
	const char *title; /* with the unit: "p99 (ms)" */
	enum doc_align align;
};

struct doc_table {
	const char *caption; /* required */
	const struct doc_column *columns;
	size_t n_columns;
	const char **cells; /* row-major; NULL is an empty cell */
	size_t n_rows;
	const char **links; /* per row: the anchor of the heading that backs it, or NULL */
	size_t n_links; /* rows with a link in `links`, from the first */
	bool tiles; /* key figures: html shows (label, value, note) as tiles instead of rows */
	uint64_t detail; /* columns (bit c) that a terminal leaves out; files hold them */
	bool deep; /* a terminal tells the number of rows alone */
};

enum doc_chart_kind {
	DOC_CHART_LATENCY, /* latency against queue depth: log2 x, log y */
	DOC_CHART_COST, /* stacked horizontal bars */
	DOC_CHART_TIME, /* a rate over time: linear, y from 0 */
	DOC_CHART_FRONT, /* cost against latency: x linear, log y */
	DOC_CHART_MARGIN, /* x: label (1 and up), y: share of a limit; drawn as rows, log */
	DOC_CHART_COUNT
};

enum doc_mark {
	DOC_MARK_LINE,
	DOC_MARK_POINTS,
	DOC_MARK_BAND,
	DOC_MARK_HLINE,
	DOC_MARK_VLINE,
	DOC_MARK_BAR
};

struct doc_series {
	const char *name;
	enum doc_mark mark;
	size_t n;
	const double *x, *y,
		*y2; /* band: y low, y2 high; hline: y[0]; vline: x[0]; bar: y per label */
	bool dashed;
};

struct doc_figure {
	enum doc_chart_kind kind;
	const char *title; /* the finding */
	const char *description; /* with the key numbers, for those who do not see it */
	const char *x_title, *y_title;
	const char **labels; /* cost chart: one per bar; margin chart: one per row */
	size_t n_labels;
	struct doc_series *series;
	size_t n_series;
	struct doc_table *data; /* the same numbers; required */
};

enum doc_kind { DOC_HEADING, DOC_PARAGRAPH, DOC_LIST, DOC_TABLE, DOC_FIGURE, DOC_CALLOUT };

struct doc_block {
	enum doc_kind kind;
	int level; /* heading: 2..4 (1 is the title) */
	const char *text; /* heading, paragraph, call-out */
	const char *anchor; /* heading */
	enum doc_tone tone; /* call-out */
	const char **items; /* list */
	size_t n_items;
	struct doc_table *table;
	struct doc_figure *figure;
};

struct doc {
	struct arena *arena;
	const char *title;
	struct doc_block *blocks;
	size_t n;
	bool failed; /* out of memory: checked by the renderers */
	/* What the functions below return when there is no memory: never NULL, never rendered. */
	struct doc_table lost_table;
	struct doc_figure lost_figure;
	struct doc_series lost_series;
};

void doc_init(struct doc *d, struct arena *a, const char *title);
void doc_heading(struct doc *d, int level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void doc_paragraph(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_callout(struct doc *d, enum doc_tone tone, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* items are copied */
void doc_list(struct doc *d, const char *const *items, size_t n);

/* A table: columns are copied; then a row at a time, one cell at a time from the left. */
struct doc_table *doc_table(
	struct doc *d, const char *caption, const struct doc_column *columns, size_t n);
/* The table of a figure, not itself a block. */
struct doc_table *doc_data_table(
	struct doc *d, const char *caption, const struct doc_column *columns, size_t n);
void doc_row(struct doc *d, struct doc_table *t);
void doc_cell(struct doc *d, struct doc_table *t, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A figure: the caller sets description, axis titles, labels and data (doc_data_table). */
/* Let the last row's first cell point to the heading with that anchor ("bill" for "Bill"). */
void doc_link(struct doc *d, struct doc_table *t, const char *anchor);

struct doc_figure *doc_figure(struct doc *d, enum doc_chart_kind kind, const char *title);
/* A series: the caller sets x, y, y2 to arrays of n values that live as long as the document.  The
 * pointer is good until the next doc_series() of the figure. */
struct doc_series *doc_series(
	struct doc *d, struct doc_figure *f, const char *name, enum doc_mark mark, size_t n);

/* A table of findings: severity, code, text, what to do; nothing when there are none. */
void doc_findings(struct doc *d, const char *caption, const struct finding *items, size_t n);

#endif /* REPORT_DOC_H */
