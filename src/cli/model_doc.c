#include "cli/model_doc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/units.h"
#include "cli/model_parts.h"

const char *
model_text(struct doc *d, const char *fmt, ...)
{
	char text[2048];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *kept = arena_strdup(d->arena, text);
	d->failed = d->failed || !kept;
	return kept ? kept : "";
}

const char *
model_us(struct doc *d, double us)
{
	char text[32];
	units_latency_text(us, text);
	return model_text(d, "%s", text);
}

const char *
model_count(struct doc *d, double count)
{
	char text[32];
	units_count_text(count, text);
	return model_text(d, "%s", text);
}

const char *
model_depth(struct doc *d, double qd)
{
	return model_text(d, qd < 9.95 ? "%.2g" : "%.0f", qd);
}

const char *
model_about(struct doc *d, double rate)
{
	double step = rate >= 1000 ? pow(10, floor(log10(rate)) - 2) : 1;
	return model_count(d, round(rate / step) * step);
}

const char *
model_size_text(struct doc *d, double bytes)
{
	char text[32];
	units_size_text(bytes, text);
	return model_text(d, "%s", text);
}

const char *
model_curve_name(struct doc *d, const struct model_curve *c)
{
	return model_text(
		d, "%s %s", model_size_text(d, c->bs_b), names_text(&profile_op_names, c->op));
}

static void
put_section(const struct model_part *b, const char *title, bool any,
	void (*put)(struct doc *d, const struct disk_model *m))
{
	if (!any)
		return;
	doc_heading(b->d, b->level, "%s", title);
	put(b->d, b->m);
}

void
model_doc(struct doc *d, const struct disk_model *m, const struct model_doc_options *o)
{
	const struct model_part b = {d, m, o->profile, o->sla_p99_ms, o->several ? 3 : 2};
	doc_heading(d, 2, "%s", m->name ? m->name : "disk");
	model_put_page_one(&b);
	model_put_curves(&b);
	model_put_sizes(&b);
	put_section(&b, "Commits", m->n_syncs > 0, model_put_syncs);
	model_doc_commits(d, m);
	model_doc_mixes(d, m);
	model_doc_loads(d, m);
	put_section(&b, "Numbers of the fit", m->n_curves > 0, model_put_numbers);
	model_put_size_numbers(d, m);
	if (m->n_findings == 0)
		return;
	doc_heading(d, b.level, "Findings and next steps");
	doc_findings(d, "Findings", m->findings, m->n_findings);
}
