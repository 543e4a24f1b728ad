/*
 * renderer.h - what the output formats share; private to report.
 */
#ifndef REPORT_RENDERER_H
#define REPORT_RENDERER_H

#include "report/doc.h"
#include "report/render.h"

/* Append the whole document; the document is sound (not `failed`). */
typedef int render_function(const struct doc *d, const struct render_options *options,
	struct buf *out, struct err *err);

render_function render_table, render_json, render_csv, render_md, render_html;

/* "NOTE" "PASS" "WARNING" "FAIL" "UNKNOWN": the word that goes with a call-out's colour. */
const char *render_tone_word(enum doc_tone tone);

/*
 * Does the text begin with a verdict word (PASS, FAIL, UNKNOWN, followed by the end or by something
 * that is not a letter)?  The tone and the word's length, else DOC_TONE_COUNT and 0.
 */
enum doc_tone render_verdict(const char *text, size_t *n);

/* The cell's text, "" for an empty one. */
const char *render_cell(const struct doc_table *t, size_t row, size_t column);

/* The anchor the row points to, or NULL. */
const char *render_link(const struct doc_table *t, size_t row);

#endif /* REPORT_RENDERER_H */
