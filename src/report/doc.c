#include "report/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The formatted text in the document's arena; "" and `failed` when there is no memory. */
__attribute__((format(printf, 2, 0))) static const char *
format(struct doc *d, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	char *text = n < 0 ? NULL : arena_alloc(d->arena, (size_t)n + 1);
	if (!text) {
		d->failed = true;
		return "";
	}
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	return text;
}

/* "-0.00" and "-0.0 %": a rounded nothing has no sign. */
static bool
is_minus_zero(const char *text)
{
	size_t n = text[0] == '-' ? strspn(text + 1, "0.,") : 0;
	return n && (text[1 + n] == '\0' || text[1 + n] == ' ') && memchr(text + 1, '0', n);
}

static const char *
copy(struct doc *d, const char *text)
{
	char *kept = text ? arena_strdup(d->arena, text) : NULL;
	if (text && !kept)
		d->failed = true;
	return kept;
}

static void
add(struct doc *d, const struct doc_block *block)
{
	struct doc_block *blocks = arena_grow(d->arena, d->blocks, d->n, sizeof(*blocks));
	if (!blocks) {
		d->failed = true;
		return;
	}
	d->blocks = blocks;
	d->blocks[d->n++] = *block;
}

void
doc_init(struct doc *d, struct arena *a, const char *title)
{
	*d = (struct doc){.arena = a};
	d->title = copy(d, title);
}

static bool
anchor_taken(const struct doc *d, const char *anchor)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->blocks[i].anchor && strcmp(d->blocks[i].anchor, anchor) == 0)
			return true;
	}
	return false;
}

/* "Rules fired, and why" -> "rules-fired-and-why", as GitHub makes it, so that links work in both
 * html and md; a number is added when the same heading comes twice. */
static const char *
anchor_of(struct doc *d, const char *text)
{
	char plain[80];
	size_t n = 0;
	for (const char *p = text; *p && n + 1 < sizeof(plain); p++) {
		unsigned char c = (unsigned char)*p;
		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + ('a' - 'A'));
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
			plain[n++] = (char)c;
		else if (c == ' ' || c == '-')
			plain[n++] = '-';
	}
	plain[n] = '\0';
	const char *anchor = copy(d, n ? plain : "section");
	for (int i = 1; anchor && anchor_taken(d, anchor); i++)
		anchor = arena_printf(d->arena, "%s-%d", n ? plain : "section", i);
	d->failed = d->failed || !anchor;
	return anchor;
}

void
doc_heading(struct doc *d, int level, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = format(d, fmt, ap);
	va_end(ap);
	add(d, &(struct doc_block){.kind = DOC_HEADING,
		       .level = level < 2   ? 2
				: level > 4 ? 4
					    : level,
		       .text = text,
		       .anchor = anchor_of(d, text)});
}

void
doc_paragraph(struct doc *d, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d, &(struct doc_block){.kind = DOC_PARAGRAPH, .text = format(d, fmt, ap)});
	va_end(ap);
}

void
doc_callout(struct doc *d, enum doc_tone tone, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d, &(struct doc_block){.kind = DOC_CALLOUT, .tone = tone, .text = format(d, fmt, ap)});
	va_end(ap);
}

void
doc_list(struct doc *d, const char *const *items, size_t n)
{
	const char **kept = arena_array(d->arena, n, sizeof(*kept));
	if (!kept) {
		d->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		kept[i] = copy(d, items[i]);
	if (n)
		add(d, &(struct doc_block){.kind = DOC_LIST, .items = kept, .n_items = n});
}

struct doc_table *
doc_data_table(struct doc *d, const char *caption, const struct doc_column *columns, size_t n)
{
	struct doc_table *t = arena_alloc(d->arena, sizeof(*t));
	struct doc_column *kept = arena_array(d->arena, n, sizeof(*kept));
	if (!t || !kept) {
		d->failed = true;
		return &d->lost_table;
	}
	for (size_t i = 0; i < n; i++)
		kept[i] = (struct doc_column){copy(d, columns[i].title), columns[i].align};
	*t = (struct doc_table){.caption = copy(d, caption), .columns = kept, .n_columns = n};
	return t;
}

struct doc_table *
doc_table(struct doc *d, const char *caption, const struct doc_column *columns, size_t n)
{
	struct doc_table *t = doc_data_table(d, caption, columns, n);
	if (!d->failed)
		add(d, &(struct doc_block){.kind = DOC_TABLE, .table = t});
	return t;
}

void
doc_row(struct doc *d, struct doc_table *t)
{
	size_t size = t->n_columns * sizeof(*t->cells);
	const char **cells = size ? arena_grow(d->arena, t->cells, t->n_rows, size) : NULL;
	if (!cells) {
		d->failed = true;
		return;
	}
	t->cells = cells;
	memset(cells + t->n_rows * t->n_columns, 0, size);
	t->n_rows++;
}

void
doc_cell(struct doc *d, struct doc_table *t, size_t column, const char *fmt, ...)
{
	if (d->failed || column >= t->n_columns || t->n_rows == 0)
		return;
	va_list ap;
	va_start(ap, fmt);
	const char *text = format(d, fmt, ap);
	t->cells[(t->n_rows - 1) * t->n_columns + column] = text + is_minus_zero(text);
	va_end(ap);
}

void
doc_link(struct doc *d, struct doc_table *t, const char *anchor)
{
	while (!d->failed && t->n_links < t->n_rows) {
		const char **links = arena_grow(d->arena, t->links, t->n_links, sizeof(*links));
		if (!links) {
			d->failed = true;
			return;
		}
		t->links = links;
		t->links[t->n_links++] = NULL;
	}
	if (!d->failed && t->n_rows)
		t->links[t->n_rows - 1] = copy(d, anchor);
}

struct doc_figure *
doc_figure(struct doc *d, enum doc_chart_kind kind, const char *title)
{
	struct doc_figure *f = arena_alloc(d->arena, sizeof(*f));
	if (!f) {
		d->failed = true;
		return &d->lost_figure;
	}
	*f = (struct doc_figure){.kind = kind, .title = copy(d, title)};
	add(d, &(struct doc_block){.kind = DOC_FIGURE, .figure = f});
	return f;
}

struct doc_series *
doc_series(struct doc *d, struct doc_figure *f, const char *name, enum doc_mark mark, size_t n)
{
	struct doc_series *series = arena_grow(d->arena, f->series, f->n_series, sizeof(*series));
	if (!series) {
		d->failed = true;
		return &d->lost_series;
	}
	f->series = series;
	series += f->n_series++;
	*series = (struct doc_series){.name = copy(d, name), .mark = mark, .n = n};
	return series;
}

void
doc_findings(struct doc *d, const char *caption, const struct finding *items, size_t n)
{
	static const struct doc_column columns[] = {
		{"Severity", DOC_LEFT},
		{"Code", DOC_LEFT},
		{"Finding", DOC_LEFT},
		{"What to do", DOC_LEFT},
	};
	if (n == 0)
		return;
	struct doc_table *t = doc_table(d, caption, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < n; i++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&severity_names, items[i].severity));
		doc_cell(d, t, 1, "%s", items[i].code ? items[i].code : "");
		doc_cell(d, t, 2, "%s", items[i].text ? items[i].text : "");
		if (items[i].todo)
			doc_cell(d, t, 3, "%s", items[i].todo);
	}
}
