/*
 * render.h - a document as text: one renderer a format, a row each in render.c.
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include "base/names.h"
#include "report/doc.h"

enum render_format { RENDER_TABLE, RENDER_JSON, RENDER_CSV, RENDER_MD, RENDER_HTML, RENDER_COUNT };
extern const struct names render_format_names; /* table json csv md html */

struct render_options {
	bool color; /* table: ANSI colours (never the only sign) */
	int width; /* table: terminal columns; 0: 100 */
	const char *data_dir; /* where reports/ is: templates and chart scripts */
	const char *embed_json; /* html: the plan to embed, not executed; NULL: none */
};

/*
 * Render to out.  JSON here is the document model's own generic form, used by commands without a
 * document of their own; plans, profiles and models are written by their schema instead.
 */
int render(const struct doc *d, enum render_format format, const struct render_options *options,
	struct buf *out, struct err *err);

/* Format by the suffix of a path (.html .md .csv .json .txt); -1 when there is none. */
int render_format_of(const char *path);

#endif /* REPORT_RENDER_H */
