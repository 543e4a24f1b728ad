/*
 * render_html.c - the document as one HTML page: no script, nothing loaded from outside, readable
 * without style, in dark and in print.
 *
 * The style is data (reports/html/style.css under options->data_dir).  Headings of level 2 open
 * sections; inside a section those of level 3 open parts, which the style may set side by side.
 * The page stays under HTML_MAX_B; what does not fit is in the JSON.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "report/html.h"
#include "report/renderer.h"

static void
close_part(struct html *h)
{
	if (h->part)
		buf_put(h->out, "</div>\n");
	h->part = false;
}

static void
close_section(struct html *h)
{
	close_part(h);
	if (h->parts)
		buf_put(h->out, "</div>\n");
	if (h->section)
		buf_put(h->out, "</section>\n");
	h->parts = h->section = false;
}

static void
open_section(struct html *h, const char *anchor)
{
	close_section(h);
	buf_printf(h->out, "<section%s", h->n_sections++ ? "" : " class=\"first\"");
	if (anchor)
		buf_printf(h->out, " aria-labelledby=\"%s\"", anchor);
	buf_put(h->out, ">\n");
	h->section = true;
}

static void
put_heading(struct html *h, const struct doc_block *b)
{
	if (b->level == 2)
		open_section(h, b->anchor);
	if (b->level == 3) {
		close_part(h);
		buf_put(h->out, h->parts ? "" : "<div class=\"parts\">\n");
		buf_put(h->out, "<div class=\"part\">\n");
		h->parts = h->part = true;
	}
	buf_printf(h->out, "<h%d id=\"%s\">", b->level, b->anchor);
	html_text(h->out, b->text, HTML_MAX_CELL);
	buf_printf(h->out, "</h%d>\n", b->level);
}

static void
put_callout(struct html *h, const struct doc_block *b)
{
	static const struct {
		const char *class, *symbol;
	} look[] = {
		[DOC_NOTE] = {"note", "i"},
		[DOC_PASS] = {"pass", "\u2714"},
		[DOC_WARNING] = {"warning", "!"},
		[DOC_FAIL] = {"fail", "\u2718"},
		[DOC_UNKNOWN] = {"unknown", "?"},
	};
	_Static_assert(sizeof(look) / sizeof(look[0]) == DOC_TONE_COUNT, "a look for every tone");
	buf_printf(h->out,
		"<p class=\"callout %s\"><b><span aria-hidden=\"true\">%s</span> %s</b> ",
		look[b->tone].class, look[b->tone].symbol, render_tone_word(b->tone));
	html_text(h->out, b->text, HTML_MAX_TEXT);
	buf_put(h->out, "</p>\n");
}

static void
put_list(struct html *h, const struct doc_block *b)
{
	buf_put(h->out, "<ul>\n");
	size_t shown = b->n_items < HTML_MAX_ROWS ? b->n_items : HTML_MAX_ROWS;
	for (size_t i = 0; i < shown; i++) {
		buf_put(h->out, "<li>");
		html_verdict(h->out, b->items[i], HTML_MAX_TEXT);
		buf_put(h->out, "</li>\n");
	}
	if (shown < b->n_items)
		buf_printf(h->out, "<li class=\"more\">and %zu more in JSON</li>\n",
			b->n_items - shown);
	buf_put(h->out, "</ul>\n");
}

static void
put_block(struct html *h, const struct doc_block *b)
{
	if (!h->section && !(b->kind == DOC_HEADING && b->level == 2))
		open_section(h, NULL);
	switch (b->kind) {
	case DOC_HEADING:
		put_heading(h, b);
		break;
	case DOC_PARAGRAPH:
		buf_put(h->out, "<p>");
		html_text(h->out, b->text, HTML_MAX_TEXT);
		buf_put(h->out, "</p>\n");
		break;
	case DOC_LIST:
		put_list(h, b);
		break;
	case DOC_CALLOUT:
		put_callout(h, b);
		break;
	case DOC_TABLE:
		if (b->table->tiles)
			html_tiles(h, b->table);
		else
			html_table(h, b->table);
		break;
	case DOC_FIGURE:
		html_figure(h, b->figure);
		break;
	}
}

/* The style sheet of the data folder.  It is trusted (installed with the program), but must not be
 * able to end the style element by accident. */
static int
put_style(struct html *h, struct err *err)
{
	static const char name[] = "reports/html/style.css";
	if (!h->options->data_dir)
		return err_set(err, ERR_NOT_FOUND,
			"the html report needs %s of the data folder: give --data-dir", name);
	char path[4096];
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", h->options->data_dir, name) >=
		sizeof(path))
		return err_set(err, ERR_RANGE, "data folder: a path of over 4,000 characters");
	struct buf css;
	buf_init(&css, (size_t)256 << 10);
	int rc = file_read(path, &css, err);
	if (rc == 0 && strstr(buf_text(&css), "</"))
		rc = err_set(err, ERR_PARSE, "%s: \"</\" is not allowed in the style", path);
	if (rc == 0)
		buf_printf(h->out, "<style>\n%s</style>\n", buf_text(&css));
	else
		err_context(err, "style of the html report");
	buf_fini(&css);
	return rc;
}

static int
put_head(struct html *h, const struct doc *d, struct err *err)
{
	buf_put(h->out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<meta name=\"generator\" content=\"tierwise\">\n<title>");
	html_text(h->out, d->title ? d->title : "tierwise", HTML_MAX_CELL);
	buf_put(h->out, "</title>\n");
	int rc = put_style(h, err);
	buf_put(h->out, "</head>\n");
	return rc;
}

/* Links to the sections; nothing for a short document. */
static void
put_nav(struct html *h, const struct doc *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++)
		n += d->blocks[i].kind == DOC_HEADING && d->blocks[i].level == 2;
	if (n < 3)
		return;
	buf_put(h->out, "<nav aria-label=\"Sections\"><ul>\n");
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_block *b = &d->blocks[i];
		if (b->kind != DOC_HEADING || b->level != 2)
			continue;
		buf_printf(h->out, "<li><a href=\"#%s\">", b->anchor);
		html_text(h->out, b->text, HTML_MAX_CELL);
		buf_put(h->out, "</a></li>\n");
	}
	buf_put(h->out, "</ul></nav>\n");
}

/* The document the page was made from, as text that no browser runs; left out, with a word, when
 * the page would grow too large. */
static void
put_json(struct html *h)
{
	const char *json = h->options->embed_json;
	if (!json)
		return;
	size_t size = 0; /* once escaped: at most six bytes for one */
	for (const char *p = json; *p; p++)
		size += strchr("<>&\"'", *p) ? 6 : 1;
	buf_put(h->out, "<details class=\"json\"><summary>The document as JSON</summary>\n");
	if (h->out->len + size + 4096 > HTML_MAX_B) {
		buf_put(h->out, "<p>Too large for this page: write it with <code>--format "
				"json</code>.</p>\n");
	} else {
		buf_put(h->out, "<pre id=\"plan-json\">");
		for (const char *line = json; *line;) {
			size_t n = strcspn(line, "\n");
			struct buf one;
			buf_init(&one, 0);
			buf_putn(&one, line, n);
			html_text(h->out, buf_text(&one), (size_t)-1);
			buf_fini(&one);
			line += n;
			if (*line) {
				buf_putc(h->out, '\n');
				line++;
			}
		}
		buf_put(h->out, "</pre>\n");
	}
	buf_put(h->out, "</details>\n");
}

int
render_html(
	const struct doc *d, const struct render_options *options, struct buf *out, struct err *err)
{
	struct html h = {.out = out, .options = options};
	int rc = put_head(&h, d, err);
	if (rc)
		return rc;
	buf_put(out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n"
		     "<h1>");
	html_text(out, d->title ? d->title : "tierwise", HTML_MAX_CELL);
	buf_put(out, "</h1>\n</header>\n");
	buf_put(out, "<main id=\"main\">\n");
	for (size_t i = 0; i < d->n; i++)
		put_block(&h, &d->blocks[i]);
	close_section(&h);
	buf_put(out, "</main>\n");
	put_nav(&h, d);
	buf_put(out, "<footer>\n");
	put_json(&h);
	buf_put(out, "<p>Made by tierwise.  This page runs nothing and loads nothing.</p>\n"
		     "</footer>\n</body>\n</html>\n");
	return 0;
}
