/*
 * render_csv.c - the tables of a document as RFC 4180: CRLF, quotes only where needed.
 *
 * A document with one table is that table: a header record and the rows.  With several, each table
 * starts with a record of one field, its caption, and an empty line stands between tables.  Text
 * outside tables is not written; a figure's data table is.
 *
 * A cell that a spreadsheet would run as a formula (= @ at the start, or + - before something that
 * is no number) gets an apostrophe in front: names come from outside.
 */
#include <ctype.h>
#include <string.h>

#include "report/renderer.h"
#include "report/text.h"

static bool
is_formula(const char *text)
{
	if (*text == '=' || *text == '@')
		return true;
	if (*text != '+' && *text != '-')
		return false;
	return text[1] != '\0' && text[1] != '.' && text[1] != ' ' &&
	       !isdigit((unsigned char)text[1]);
}

static void
put_cell(struct buf *out, const char *text)
{
	struct buf clean;
	buf_init(&clean, out->max);
	text_clean(&clean, text);
	const char *p = buf_text(&clean);
	bool formula = is_formula(p);
	if (!strpbrk(p, ",\"") && *p != ' ' && !formula) {
		buf_put(out, p);
	} else {
		buf_putc(out, '"');
		if (formula)
			buf_putc(out, '\'');
		for (; *p; p++) {
			if (*p == '"')
				buf_putc(out, '"');
			buf_putc(out, *p);
		}
		buf_putc(out, '"');
	}
	out->failed = out->failed || clean.failed;
	buf_fini(&clean);
}

static void
put_table(struct buf *out, const struct doc_table *t)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		if (c)
			buf_putc(out, ',');
		put_cell(out, t->columns[c].title);
	}
	buf_put(out, "\r\n");
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; c < t->n_columns; c++) {
			if (c)
				buf_putc(out, ',');
			put_cell(out, render_cell(t, r, c));
		}
		buf_put(out, "\r\n");
	}
}

static const struct doc_table *
table_of(const struct doc_block *b)
{
	return b->figure ? b->figure->data : b->table;
}

int
render_csv(
	const struct doc *d, const struct render_options *options, struct buf *out, struct err *err)
{
	(void)options;
	(void)err;
	size_t n = 0, done = 0;
	for (size_t i = 0; i < d->n; i++)
		n += table_of(&d->blocks[i]) != NULL;
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_table *t = table_of(&d->blocks[i]);
		if (!t)
			continue;
		if (done++)
			buf_put(out, "\r\n");
		if (n > 1) {
			put_cell(out, t->caption);
			buf_put(out, "\r\n");
		}
		put_table(out, t);
	}
	return 0;
}
