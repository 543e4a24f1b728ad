/*
 * html.h - pieces of an HTML page; private to report.
 *
 * Everything that comes from a document goes through html_text(): < > & and both quotes become
 * entities, harmful characters U+FFFD (text.h), and a text is cut after a limit, so that no name
 * can add markup, hide text or fill the page.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/doc.h"
#include "report/render.h"

enum {
	HTML_MAX_B = 1000000, /* of a whole page; reviewers open it from a mail */
	HTML_MAX_TEXT = 2000, /* characters of a paragraph */
	HTML_MAX_CELL = 400, /* characters of a cell or list item */
	HTML_MAX_ROWS = 200, /* of one table */
	HTML_MAX_ROWS_TOTAL = 2000, /* of the page */
};

/* What one page counts while it is written. */
struct html {
	struct buf *out;
	const struct render_options *options;
	size_t n_rows; /* table rows so far, of HTML_MAX_ROWS_TOTAL */
	size_t n_ids; /* captions and figures so far: unique ids */
	bool section, parts, part; /* open elements */
	size_t n_sections;
	bool chart_missing; /* said once that charts are not drawn */
};

/* Escaped, at most max characters (then an ellipsis). */
void html_text(struct buf *out, const char *text, size_t max);
/* The same with a verdict word at the start marked by colour, symbol and word. */
void html_verdict(struct buf *out, const char *text, size_t max);

void html_table(struct html *h, const struct doc_table *t);
/* Key figures: a description list. */
void html_tiles(struct html *h, const struct doc_table *t);
void html_figure(struct html *h, const struct doc_figure *f);

#endif /* REPORT_HTML_H */
