/*
 * render_table.c - the document for a terminal: aligned columns, long text wrapped to the width.
 *
 * A table wider than the terminal has its columns narrowed, at spaces, until it fits; figures on the
 * right are never broken, so a table of many numbers may still be wider.  Columns of detail are left
 * out, and of a deep table the rows: the other formats hold them.
 */
#include <string.h>

#include "report/renderer.h"
#include "report/text.h"

enum { GAP = 2, MAX_WORD = 24, MAX_COLUMNS = 64 };

static const char *const tone_color[] = {
	[DOC_NOTE] = "\033[36m",
	[DOC_PASS] = "\033[32m",
	[DOC_WARNING] = "\033[33m",
	[DOC_FAIL] = "\033[31m",
	[DOC_UNKNOWN] = "\033[35m",
};
_Static_assert(
	sizeof(tone_color) / sizeof(tone_color[0]) == DOC_TONE_COUNT, "a colour for every tone");

struct terminal {
	struct buf *out;
	bool color;
	size_t width;
};

static void
style(const struct terminal *t, const char *code)
{
	if (t->color)
		buf_put(t->out, code);
}

static void
spaces(struct buf *out, size_t n)
{
	buf_printf(out, "%*s", (int)n, "");
}

/*
 * The next line of at most `width` columns, broken at a space where there is one: from *text up to
 * the returned end.  *text moves to the start of the following line; *used is the line's width.
 */
static const char *
next_line(const char **text, size_t width, size_t *used)
{
	const char *p = *text, *end = p, *resume = p;
	size_t column = 0, end_column = 0;
	for (;;) {
		const char *here = p;
		uint32_t c = text_next(&p);
		if (c == 0 || c == ' ') {
			end = here;
			end_column = column;
			resume = p;
		}
		if (c == 0)
			break;
		size_t w = (size_t)text_char_width(c);
		if (column + w > width && column > 0) {
			if (end == *text) { /* one word longer than the line */
				end = here;
				end_column = column;
				resume = here;
			}
			break;
		}
		column += w;
	}
	resume += strspn(resume, " ");
	*text = resume;
	*used = end_column;
	return end;
}

static void
put_part(struct buf *out, const char *from, const char *to)
{
	while (from < to)
		text_put(out, text_next(&from));
}

/* Text wrapped to the terminal's width; the first line starts after `first`, the others after
 * `indent` spaces. */
static void
put_wrapped(const struct terminal *t, const char *text, const char *first, size_t indent)
{
	buf_put(t->out, first);
	size_t width = t->width > indent + 20 ? t->width - indent : 20;
	bool more = false;
	do {
		if (more)
			spaces(t->out, indent);
		const char *from = text;
		size_t used;
		const char *to = next_line(&text, width, &used);
		put_part(t->out, from, to);
		buf_putc(t->out, '\n');
		more = true;
	} while (*text);
}

/* Columns of the longest word, counted up to MAX_WORD: longer ones are broken. */
static size_t
longest_word(const char *text)
{
	size_t longest = 0, now = 0;
	for (uint32_t c; (c = text_next(&text)) != 0;) {
		now = c == ' ' ? 0 : now + (size_t)text_char_width(c);
		longest = now > longest ? now : longest;
	}
	return longest < MAX_WORD ? longest : MAX_WORD;
}

/* What a column wants, and the least it can take: figures on the right are not broken. */
static void
column_width(const struct doc_table *t, size_t c, size_t *want, size_t *least)
{
	*want = text_width(t->columns[c].title);
	*least = longest_word(t->columns[c].title);
	for (size_t r = 0; r < t->n_rows; r++) {
		const char *cell = render_cell(t, r, c);
		size_t all = text_width(cell);
		size_t min = t->columns[c].align == DOC_RIGHT ? all : longest_word(cell);
		*want = all > *want ? all : *want;
		*least = min > *least ? min : *least;
	}
}

/* The columns that a terminal shows. */
struct shown {
	size_t n;
	size_t at[MAX_COLUMNS]; /* in the table */
	struct doc_column columns[MAX_COLUMNS];
	size_t width[MAX_COLUMNS];
};

static struct shown
shown_of(const struct doc_table *t)
{
	struct shown s = {.n = 0};
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->detail >> c & 1)
			continue;
		s.columns[s.n] = t->columns[c];
		s.at[s.n++] = c;
	}
	return s;
}

/* Narrow the column with the most to give, until the table fits or none has any left. */
static void
set_widths(const struct doc_table *t, size_t terminal_width, struct shown *s)
{
	size_t least[MAX_COLUMNS], total = 0, *width = s->width;
	for (size_t c = 0; c < s->n; c++) {
		column_width(t, s->at[c], &width[c], &least[c]);
		total += width[c] + (c ? GAP : 0);
	}
	while (total > terminal_width) {
		size_t most = 0;
		for (size_t c = 1; c < s->n; c++) {
			if (width[c] - least[c] > width[most] - least[most])
				most = c;
		}
		if (s->n == 0 || width[most] == least[most])
			break;
		width[most]--;
		total--;
	}
}

static void
put_cell(const struct terminal *t, const char *from, const char *to)
{
	size_t n;
	enum doc_tone tone = render_verdict(from, &n);
	if (!t->color || n == 0 || from + n > to) {
		put_part(t->out, from, to);
		return;
	}
	buf_put(t->out, tone_color[tone]);
	put_part(t->out, from, from + n);
	buf_put(t->out, "\033[0m");
	put_part(t->out, from + n, to);
}

/* One row, over as many lines as its longest cell needs. */
static void
put_row(const struct terminal *t, const struct shown *s, const char **cells)
{
	const size_t *width = s->width;
	bool more = true;
	while (more) {
		size_t pending = 0; /* spaces owed before the next text: none trail */
		more = false;
		for (size_t c = 0; c < s->n; c++) {
			const char *from = cells[c];
			size_t used = 0;
			const char *to = *from ? next_line(&cells[c], width[c], &used) : from;
			size_t pad = width[c] > used ? width[c] - used : 0;
			bool right = s->columns[c].align == DOC_RIGHT;
			if (used) {
				spaces(t->out, pending + (right ? pad : 0));
				put_cell(t, from, to);
				pending = right ? 0 : pad;
			} else {
				pending += pad;
			}
			pending += GAP;
			more = more || *cells[c];
		}
		buf_putc(t->out, '\n');
	}
}

static void
put_table(const struct terminal *t, const struct doc_table *table)
{
	const char *cells[MAX_COLUMNS];
	style(t, "\033[1m");
	put_wrapped(t, table->caption, "", 0);
	style(t, "\033[0m");
	if (table->deep && table->n_rows > 0) {
		buf_printf(t->out, "(%zu row%s in html, md, csv and json)\n", table->n_rows,
			table->n_rows == 1 ? "" : "s");
		return;
	}
	struct shown s = shown_of(table);
	set_widths(table, t->width, &s);
	for (size_t c = 0; c < s.n; c++)
		cells[c] = s.columns[c].title;
	put_row(t, &s, cells);
	for (size_t c = 0; c < s.n; c++) {
		if (c)
			spaces(t->out, GAP);
		for (size_t i = 0; i < s.width[c]; i++)
			buf_putc(t->out, '-');
	}
	buf_putc(t->out, '\n');
	for (size_t r = 0; r < table->n_rows; r++) {
		for (size_t c = 0; c < s.n; c++)
			cells[c] = render_cell(table, r, s.at[c]);
		put_row(t, &s, cells);
	}
	if (table->n_rows == 0)
		buf_put(t->out, "(none)\n");
}

static void
put_heading(const struct terminal *t, const char *text, char underline)
{
	style(t, "\033[1m");
	put_wrapped(t, text, "", 0);
	style(t, "\033[0m");
	size_t n = text_width(text);
	for (size_t i = 0; underline && i < n && i < t->width; i++)
		buf_putc(t->out, underline);
	if (underline)
		buf_putc(t->out, '\n');
}

static void
put_callout(const struct terminal *t, const struct doc_block *b)
{
	const char *word = render_tone_word(b->tone);
	style(t, tone_color[b->tone]);
	buf_put(t->out, word);
	style(t, "\033[0m");
	put_wrapped(t, b->text, ": ", strlen(word) + 2);
}

static void
put_block(const struct terminal *t, const struct doc_block *b)
{
	switch (b->kind) {
	case DOC_HEADING:
		put_heading(t, b->text, b->level == 2 ? '-' : '\0');
		break;
	case DOC_PARAGRAPH:
		put_wrapped(t, b->text, "", 0);
		break;
	case DOC_LIST:
		for (size_t i = 0; i < b->n_items; i++)
			put_wrapped(t, b->items[i], "- ", 2);
		break;
	case DOC_CALLOUT:
		put_callout(t, b);
		break;
	case DOC_TABLE:
		if (b->table)
			put_table(t, b->table);
		break;
	case DOC_FIGURE:
		put_wrapped(t, b->figure->title ? b->figure->title : "", "", 0);
		if (b->figure->data)
			put_table(t, b->figure->data);
		break;
	}
}

static const struct doc_table *
table_of(const struct doc_block *b)
{
	return b->figure ? b->figure->data : b->table;
}

int
render_table(
	const struct doc *d, const struct render_options *options, struct buf *out, struct err *err)
{
	struct terminal t = {.out = out,
		.color = options->color,
		.width = options->width > 0 ? (size_t)options->width : 100};
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_table *table = table_of(&d->blocks[i]);
		if (table && table->n_columns > MAX_COLUMNS)
			return err_set(err, ERR_RANGE, "table \"%s\": %zu columns, at most %d",
				table->caption, table->n_columns, MAX_COLUMNS);
	}
	if (d->title)
		put_heading(&t, d->title, '=');
	for (size_t i = 0; i < d->n; i++) {
		if (i || d->title)
			buf_putc(out, '\n');
		put_block(&t, &d->blocks[i]);
	}
	return 0;
}
