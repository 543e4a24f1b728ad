/*
 * render_json.c - the document model itself as JSON, for commands without a document of their own:
 * { "title", "blocks": [ { "kind", ... } ] }.  Cells are the text a person reads, with units in the
 * column titles; the numbers behind a figure are numbers.  Nothing is cut.
 */
#include <math.h>

#include "base/json.h"
#include "report/renderer.h"
#include "report/text.h"

static void
put_text(struct buf *out, const char *text)
{
	if (!text) {
		buf_put(out, "null");
		return;
	}
	struct buf clean;
	buf_init(&clean, out->max);
	text_clean(&clean, text);
	out->failed = out->failed || clean.failed;
	json_put_string(out, buf_text(&clean));
	buf_fini(&clean);
}

static void
put_member(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	buf_printf(out, ", \"%s\": ", name);
	put_text(out, text);
}

static void
put_texts(struct buf *out, const char *const *items, size_t n)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_put(out, ", ");
		put_text(out, items[i]);
	}
	buf_putc(out, ']');
}

static void
put_table(struct buf *out, const struct doc_table *t)
{
	put_member(out, "caption", t->caption);
	buf_put(out, ", \"columns\": [");
	for (size_t i = 0; i < t->n_columns; i++) {
		if (i)
			buf_put(out, ", ");
		put_text(out, t->columns[i].title);
	}
	buf_put(out, "], \"rows\": [");
	for (size_t i = 0; i < t->n_rows; i++) {
		buf_put(out, i ? ",\n      " : "\n      ");
		put_texts(out, t->cells + i * t->n_columns, t->n_columns);
	}
	buf_put(out, t->n_rows ? "\n    ]" : "]");
}

static void
put_numbers(struct buf *out, const char *name, const double *values, size_t n)
{
	if (!values)
		return;
	buf_printf(out, ", \"%s\": [", name);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_put(out, ", ");
		json_put_number(out, values[i]);
	}
	buf_putc(out, ']');
}

static void
put_series(struct buf *out, const struct doc_series *s)
{
	static const char *const marks[] = {
		[DOC_MARK_LINE] = "line",
		[DOC_MARK_POINTS] = "points",
		[DOC_MARK_BAND] = "band",
		[DOC_MARK_HLINE] = "hline",
		[DOC_MARK_VLINE] = "vline",
		[DOC_MARK_BAR] = "bar",
	};
	buf_printf(out, "\n      {\"mark\": \"%s\"", marks[s->mark]);
	put_member(out, "name", s->name);
	put_numbers(out, "x", s->x, s->n);
	put_numbers(out, "y", s->y, s->n);
	put_numbers(out, "y2", s->y2, s->n);
	buf_putc(out, '}');
}

static void
put_figure(struct buf *out, const struct doc_figure *f)
{
	put_member(out, "title", f->title);
	put_member(out, "description", f->description);
	put_member(out, "x_title", f->x_title);
	put_member(out, "y_title", f->y_title);
	if (f->labels) {
		buf_put(out, ", \"labels\": ");
		put_texts(out, f->labels, f->n_labels);
	}
	buf_put(out, ", \"series\": [");
	for (size_t i = 0; i < f->n_series; i++) {
		if (i)
			buf_putc(out, ',');
		put_series(out, &f->series[i]);
	}
	buf_put(out, "\n    ]");
	if (f->data)
		put_table(out, f->data);
}

static void
put_block(struct buf *out, const struct doc_block *b)
{
	static const char *const kinds[] = {
		[DOC_HEADING] = "heading",
		[DOC_PARAGRAPH] = "paragraph",
		[DOC_LIST] = "list",
		[DOC_TABLE] = "table",
		[DOC_FIGURE] = "figure",
		[DOC_CALLOUT] = "callout",
	};
	buf_printf(out, "\n    {\"kind\": \"%s\"", kinds[b->kind]);
	if (b->kind == DOC_HEADING)
		buf_printf(out, ", \"level\": %d", b->level);
	if (b->kind == DOC_CALLOUT)
		put_member(out, "tone", render_tone_word(b->tone));
	put_member(out, "text", b->text);
	if (b->items) {
		buf_put(out, ", \"items\": ");
		put_texts(out, b->items, b->n_items);
	}
	if (b->table)
		put_table(out, b->table);
	if (b->figure)
		put_figure(out, b->figure);
	buf_putc(out, '}');
}

int
render_json(
	const struct doc *d, const struct render_options *options, struct buf *out, struct err *err)
{
	(void)options;
	(void)err;
	buf_put(out, "{\n  \"title\": ");
	put_text(out, d->title);
	buf_put(out, ",\n  \"blocks\": [");
	for (size_t i = 0; i < d->n; i++) {
		if (i)
			buf_putc(out, ',');
		put_block(out, &d->blocks[i]);
	}
	buf_put(out, d->n ? "\n  ]\n}\n" : "]\n}\n");
	return 0;
}
