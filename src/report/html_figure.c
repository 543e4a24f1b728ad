/*
 * html_figure.c - a figure on the page: its chart, and always its data table.
 *
 * A chart that cannot be drawn (gnuplot is not installed, say) is no failure of the report: the
 * page says once why, and the table stands for it.
 */
#include <string.h>

#include "report/chart.h"
#include "report/html.h"

static void
put_apology(struct html *h, const struct err *err)
{
	if (h->chart_missing)
		return;
	h->chart_missing = true;
	buf_put(h->out, "<p class=\"callout note\"><b><span aria-hidden=\"true\">i</span> "
			"NOTE</b> Charts are not drawn here (");
	html_text(h->out, err->text, HTML_MAX_CELL);
	buf_put(h->out, "); the tables hold the same numbers.</p>\n");
}

void
html_figure(struct html *h, const struct doc_figure *f)
{
	struct err err = {0};
	size_t id = ++h->n_ids;
	buf_put(h->out, "<figure>\n<figcaption>");
	html_text(h->out, f->title ? f->title : "", HTML_MAX_TEXT);
	buf_put(h->out, "</figcaption>\n");
	bool room = h->out->len < HTML_MAX_B / 2;
	if (!room)
		err_set(&err, ERR_UNSUPPORTED, "the page is large enough");
	if (!room || chart_svg(f, id, h->options->data_dir, h->out, &err) != 0)
		put_apology(h, &err);
	if (f->data)
		html_table(h, f->data);
	buf_put(h->out, "</figure>\n");
}
