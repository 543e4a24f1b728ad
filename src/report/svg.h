/*
 * svg.h - gnuplot's SVG made fit for a page; private to report.
 *
 * Kept: g, path, polygon, rect, circle, text, with geometry and stroke attributes.  Dropped: the
 * XML head, its title and description, definitions, ids, fonts, and empty groups.  Colours that are
 * sentinels, rgb(1,2,N), become classes fN and sN for the style sheet; black and currentColor are
 * left to the page's own ink.  Point symbols, which gnuplot draws by reference, become shapes.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include "base/buf.h"
#include "base/err.h"

/* Texts that stand behind placeholders: SVG_PLACEHOLDER number Z and fill letters. */
struct svg_texts {
	const char **items;
	size_t n;
};

/* Append a placeholder for item i, as long as its text (at most 60 characters). */
void svg_placeholder(struct buf *out, const struct svg_texts *texts, size_t i);

/*
 * Append what is between the svg start and end tag of `svg`, rewritten; view_box receives the
 * value of the viewBox attribute.
 * ERR_UNSUPPORTED: an element or attribute that is on no list; ERR_PARSE: not well formed.
 */
int svg_rewrite(const char *svg, const struct svg_texts *texts, char view_box[64], struct buf *out,
	struct err *err);

#endif /* REPORT_SVG_H */
