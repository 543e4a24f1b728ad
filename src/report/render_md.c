/*
 * render_md.c - GitHub-flavoured Markdown without HTML: same content and anchors as the page,
 * charts as their data tables.
 *
 * GitHub shows at most 65,536 characters of a comment, so a table is cut after 60 rows and, where the whole is
 * still too long, the longest tables are cut further; each says how many more rows the JSON has.
 */
#include <string.h>

#include "report/renderer.h"
#include "report/text.h"

enum { ROWS_SHOWN = 60, WHOLE_B = 65536 };

/* Characters that mean something to Markdown are escaped; < > & become entities so that no HTML of
 * a name gets through, and | cannot end a cell. */
static void
put_text(struct buf *out, const char *text)
{
	for (uint32_t c; (c = text_next(&text)) != 0;) {
		if (c == '<')
			buf_put(out, "&lt;");
		else if (c == '>')
			buf_put(out, "&gt;");
		else if (c == '&')
			buf_put(out, "&amp;");
		else if (c < 0x80 && strchr("\\`*_[]|~$", (int)c))
			buf_printf(out, "\\%c", (char)c);
		else
			text_put(out, c);
	}
}

/* A line of text must not start a heading, a list or a quote. */
static void
put_line(struct buf *out, const char *text)
{
	size_t digits = strspn(text, "0123456789");
	if (*text && strchr("#+-=", *text))
		buf_putc(out, '\\');
	if (digits && (text[digits] == '.' || text[digits] == ')')) {
		buf_putn(out, text, digits);
		buf_putc(out, '\\');
		text += digits;
	}
	put_text(out, text);
}

static void
put_row(struct buf *out, const struct doc_table *t, size_t r)
{
	buf_putc(out, '|');
	for (size_t c = 0; c < t->n_columns; c++) {
		const char *link = c == 0 ? render_link(t, r) : NULL;
		buf_put(out, link ? " [" : " ");
		put_text(out, render_cell(t, r, c));
		if (link)
			buf_printf(out, "](#%s)", link);
		buf_put(out, " |");
	}
	buf_putc(out, '\n');
}

/* Rows until `most` bytes of them are there; the first always. */
static void
put_table(struct buf *out, const struct doc_table *t, size_t most)
{
	buf_put(out, "**");
	put_text(out, t->caption);
	buf_put(out, "**\n\n|");
	for (size_t c = 0; c < t->n_columns; c++) {
		buf_putc(out, ' ');
		put_text(out, t->columns[c].title);
		buf_put(out, " |");
	}
	buf_put(out, "\n|");
	for (size_t c = 0; c < t->n_columns; c++)
		buf_put(out, t->columns[c].align == DOC_RIGHT ? " ---: |" : " --- |");
	buf_putc(out, '\n');
	size_t shown = 0, begin = out->len;
	while (shown < t->n_rows && shown < ROWS_SHOWN && out->len - begin < most)
		put_row(out, t, shown++);
	if (shown < t->n_rows)
		buf_printf(out, "\nand %zu more rows in JSON\n", t->n_rows - shown);
	buf_putc(out, '\n');
}

static void
put_figure(struct buf *out, const struct doc_figure *f, size_t most)
{
	put_line(out, f->title ? f->title : "");
	buf_put(out, "\n\n");
	if (f->description) {
		put_line(out, f->description);
		buf_put(out, "\n\n");
	}
	if (f->data)
		put_table(out, f->data, most);
}

static void
put_block(struct buf *out, const struct doc_block *b, size_t most)
{
	switch (b->kind) {
	case DOC_HEADING:
		buf_printf(out, "%.*s ", b->level, "####");
		put_text(out, b->text);
		buf_put(out, "\n\n");
		break;
	case DOC_PARAGRAPH:
		put_line(out, b->text);
		buf_put(out, "\n\n");
		break;
	case DOC_LIST:
		for (size_t i = 0; i < b->n_items; i++) {
			buf_put(out, "- ");
			put_line(out, b->items[i]);
			buf_putc(out, '\n');
		}
		buf_putc(out, '\n');
		break;
	case DOC_CALLOUT:
		buf_printf(out, "> **%s**: ", render_tone_word(b->tone));
		put_text(out, b->text);
		buf_put(out, "\n\n");
		break;
	case DOC_TABLE:
		put_table(out, b->table, most);
		break;
	case DOC_FIGURE:
		put_figure(out, b->figure, most);
		break;
	}
}

static void
put_all(struct buf *out, const struct doc *d, size_t most)
{
	buf_put(out, "# ");
	put_text(out, d->title ? d->title : "");
	buf_put(out, "\n\n");
	size_t sections = 0;
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_block *b = &d->blocks[i];
		sections += b->kind == DOC_HEADING && b->level == 2;
		put_block(out, b, sections > 1 ? most : WHOLE_B);
	}
	while (out->len > 1 && out->text[out->len - 2] == '\n')
		out->text[--out->len] = '\0';
}

int
render_md(
	const struct doc *d, const struct render_options *options, struct buf *out, struct err *err)
{
	/* bytes of one table; the longest are cut first, those of the first section never */
	static const size_t most[] = {WHOLE_B, 16384, 8192, 6144, 4096, 3072, 2048, 1024, 512, 256};
	size_t begin = out->len;
	(void)options;
	(void)err;
	for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		if (out->text)
			out->text[begin] = '\0';
		out->len = begin;
		put_all(out, d, most[i]);
		if (out->len - begin <= WHOLE_B)
			break;
	}
	return 0;
}
