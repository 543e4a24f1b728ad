#include "report/html.h"

#include "report/renderer.h"
#include "report/text.h"

enum { BRIEF = 26 }; /* characters of a cell that stays on one line */

static void
put_char(struct buf *out, uint32_t c)
{
	switch (c) {
	case '<':
		buf_put(out, "&lt;");
		break;
	case '>':
		buf_put(out, "&gt;");
		break;
	case '&':
		buf_put(out, "&amp;");
		break;
	case '"':
		buf_put(out, "&quot;");
		break;
	case '\'':
		buf_put(out, "&#39;");
		break;
	default:
		text_put(out, c);
	}
}

void
html_text(struct buf *out, const char *text, size_t max)
{
	size_t n = 0;
	for (uint32_t c; (c = text_next(&text)) != 0; n++) {
		if (n == max) {
			buf_put(out, "\u2026");
			return;
		}
		put_char(out, c);
	}
}

void
html_verdict(struct buf *out, const char *text, size_t max)
{
	static const struct {
		const char *class, *symbol;
	} look[DOC_TONE_COUNT] = {
		[DOC_PASS] = {"pass", "\u2714"},
		[DOC_FAIL] = {"fail", "\u2718"},
		[DOC_UNKNOWN] = {"unknown", "?"},
	};
	size_t n;
	enum doc_tone tone = render_verdict(text, &n);
	if (n) {
		buf_printf(out,
			"<b class=\"verdict %s\"><span aria-hidden=\"true\">%s</span> %s</b>",
			look[tone].class, look[tone].symbol, render_tone_word(tone));
	}
	html_text(out, text + n, max);
}

static void
put_head(struct html *h, const struct doc_table *t)
{
	buf_put(h->out, "<thead><tr>");
	for (size_t c = 0; c < t->n_columns; c++) {
		buf_printf(h->out, "<th scope=\"col\"%s>",
			t->columns[c].align == DOC_RIGHT ? " class=\"n\"" : "");
		html_text(h->out, t->columns[c].title, HTML_MAX_CELL);
		buf_put(h->out, "</th>");
	}
	buf_put(h->out, "</tr></thead>\n");
}

/* The first cell of a row: with a link to what backs the row, when there is one. */
static void
put_first(struct html *h, const struct doc_table *t, size_t row)
{
	const char *link = render_link(t, row);
	if (link) {
		buf_put(h->out, "<a href=\"#");
		html_text(h->out, link, HTML_MAX_CELL);
		buf_put(h->out, "\">");
	}
	html_verdict(h->out, render_cell(t, row, 0), HTML_MAX_CELL);
	if (link)
		buf_put(h->out, "</a>");
}

static void
put_row(struct html *h, const struct doc_table *t, size_t row)
{
	buf_put(h->out, "<tr>");
	for (size_t c = 0; c < t->n_columns; c++) {
		const char *tag = c == 0 ? "th" : "td", *cell = render_cell(t, row, c);
		bool figure = t->columns[c].align == DOC_RIGHT;
		bool brief = text_length(cell) <= BRIEF; /* not worth a second line */
		buf_printf(h->out, "<%s%s%s>", tag, c == 0 ? " scope=\"row\"" : "",
			figure && brief  ? " class=\"n b\""
			: figure         ? " class=\"n\""
			: brief && *cell ? " class=\"b\""
					 : "");
		if (c == 0)
			put_first(h, t, row);
		else
			html_verdict(h->out, cell, HTML_MAX_CELL);
		buf_printf(h->out, "</%s>", tag);
	}
	buf_put(h->out, "</tr>\n");
}

/* Rows that may still be shown: of the table, of the page, of its bytes. */
static size_t
rows_shown(const struct html *h, const struct doc_table *t)
{
	size_t left = h->n_rows < HTML_MAX_ROWS_TOTAL ? HTML_MAX_ROWS_TOTAL - h->n_rows : 0;
	size_t most = left < HTML_MAX_ROWS ? left : HTML_MAX_ROWS;
	return t->n_rows < most ? t->n_rows : most;
}

void
html_table(struct html *h, const struct doc_table *t)
{
	size_t id = ++h->n_ids, shown = rows_shown(h, t), done = 0;
	buf_printf(h->out,
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"t%zu\">\n"
		"<table>\n<caption id=\"t%zu\">",
		id, id);
	html_text(h->out, t->caption, HTML_MAX_CELL);
	buf_put(h->out, "</caption>\n");
	put_head(h, t);
	buf_put(h->out, "<tbody>\n");
	for (; done < shown && h->out->len < HTML_MAX_B / 2; done++)
		put_row(h, t, done);
	h->n_rows += done;
	buf_put(h->out, "</tbody>\n</table>\n</div>\n");
	if (done < t->n_rows)
		buf_printf(
			h->out, "<p class=\"more\">and %zu more in JSON</p>\n", t->n_rows - done);
}

void
html_tiles(struct html *h, const struct doc_table *t)
{
	buf_put(h->out, "<dl class=\"tiles\">\n");
	for (size_t r = 0; r < t->n_rows && r < HTML_MAX_ROWS; r++) {
		buf_put(h->out, "<div><dt>");
		put_first(h, t, r);
		for (size_t c = 1; c < t->n_columns; c++) {
			if (!*render_cell(t, r, c))
				continue;
			buf_printf(h->out, "</%s><dd%s>", c == 1 ? "dt" : "dd",
				c == 1 ? "" : " class=\"note\"");
			html_verdict(h->out, render_cell(t, r, c), HTML_MAX_CELL);
		}
		buf_put(h->out, "</dd></div>\n");
	}
	buf_put(h->out, "</dl>\n");
}
