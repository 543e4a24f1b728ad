/*
 * audit_doc.c - an audit for people.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "cli/audit_parts.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *
text(struct doc *d, const char *t)
{
	d->failed = d->failed || !t;
	return t ? t : "";
}

static const char *
plural(struct doc *d, int64_t n, const char *one, const char *many)
{
	return text(d, arena_printf(d->arena, "%" PRId64 " %s", n, n == 1 ? one : many));
}

/* The first of several sources; the JSON has them all. */
static void
put_source(struct buf *out, const char *source)
{
	size_t n = 0, more = 0;
	for (const char *p = source; p && (p = strstr(p, "; ")) != NULL; p += 2)
		more++;
	if (!source)
		return;
	for (n = 0; source[n] && strncmp(source + n, "; ", 2) != 0;)
		n++;
	buf_printf(out, ": %.*s", (int)n, source);
	if (more)
		buf_printf(out, " and %zu more", more);
}

/* "IOPS 18,200, mean latency 4.20 ms (published: SOURCE)": one source is said once. */
static const char *
inputs_text(struct doc *d, const struct audit_finding *f)
{
	struct buf out;
	buf_init(&out, 0);
	for (size_t i = 0; i < f->n_inputs; i++) {
		const struct audit_input *in = &f->inputs[i], *next = in + 1;
		buf_printf(&out, "%s%s %s", i ? ", " : "", in->name, in->value);
		bool more = i + 1 < f->n_inputs && next->trust == in->trust &&
			    (next->source == in->source ||
				    (next->source && in->source &&
					    strcmp(next->source, in->source) == 0));
		if (more)
			continue;
		buf_printf(&out, " (%s",
			in->trust < 0 ? "trust not stated" : names_text(&trust_names, in->trust));
		put_source(&out, in->source);
		buf_putc(&out, ')');
	}
	const char *kept = text(d, arena_strdup(d->arena, buf_text(&out)));
	buf_fini(&out);
	return kept;
}

static const enum doc_tone tones[] = {
	[AUDIT_AGREES] = DOC_PASS,
	[AUDIT_NOTE] = DOC_NOTE,
	[AUDIT_UNTESTED] = DOC_UNKNOWN,
	[AUDIT_DOUBT] = DOC_WARNING,
	[AUDIT_CONTRADICTION] = DOC_FAIL,
};
_Static_assert(COUNT(tones) == AUDIT_VERDICT_COUNT, "a tone for every verdict");

static void
put_finding(struct doc *d, const struct audit_finding *f)
{
	const char *items[4];
	size_t n = 0;
	doc_callout(d, tones[f->verdict], "%s [%s] %s: %s.",
		names_text(&audit_verdict_names, f->verdict), f->code, f->subject, f->text);
	if (f->arithmetic)
		items[n++] = text(d, arena_printf(d->arena, "Arithmetic: %s.", f->arithmetic));
	if (f->needs)
		items[n++] = text(
			d, arena_printf(d->arena, "What would have to be true: %s.", f->needs));
	if (f->n_inputs)
		items[n++] = text(d, arena_printf(d->arena, "Figures: %s.", inputs_text(d, f)));
	if (f->todo)
		items[n++] = text(d, arena_printf(d->arena, "Next: %s.", f->todo));
	doc_list(d, items, n);
}

static void
put_table(struct doc *d, const struct audit *a)
{
	static const struct doc_column columns[] = {
		{"Verdict", DOC_LEFT},
		{"Code", DOC_LEFT},
		{"Tested", DOC_LEFT},
		{"Finding", DOC_LEFT},
		{"Arithmetic", DOC_LEFT},
		{"What would have to be true", DOC_LEFT},
		{"Next", DOC_LEFT},
		{"Figures and their trust", DOC_LEFT},
	};
	if (a->n_findings == 0)
		return;
	struct doc_table *t = doc_table(d,
		text(d, arena_printf(
				d->arena, "Everything tested in %s", a->name ? a->name : "it")),
		columns, COUNT(columns));
	t->deep = true; /* a terminal has it all above */
	for (size_t i = 0; i < a->n_findings; i++) {
		const struct audit_finding *f = &a->findings[i];
		const char *const cells[] = {names_text(&audit_verdict_names, f->verdict), f->code,
			f->subject, f->text, f->arithmetic, f->needs, f->todo, inputs_text(d, f)};
		doc_row(d, t);
		for (size_t c = 0; c < COUNT(cells); c++) {
			if (cells[c])
				doc_cell(d, t, c, "%s", cells[c]);
		}
	}
}

static void
put_origin(struct doc *d, const struct audit *a)
{
	if (!a->file && !a->source)
		return;
	doc_paragraph(d, "%s%s%s%s%s%s%s", a->file ? a->file : "Claim of the command line",
		a->trust >= 0 ? "; figures " : "",
		a->trust >= 0 ? names_text(&trust_names, a->trust) : "", a->source ? ": " : "",
		a->source ? a->source : "", a->as_of ? ", as of " : "", a->as_of ? a->as_of : "");
}

static void
put_verdict(struct doc *d, const struct audit *a)
{
	size_t untested = 0;
	for (size_t i = 0; i < a->n_findings; i++)
		untested += a->findings[i].verdict == AUDIT_UNTESTED;
	bool tested = a->n_findings > untested;
	enum doc_tone tone = a->contradictions ? DOC_FAIL
			     : a->doubts       ? DOC_WARNING
			     : tested          ? DOC_PASS
					       : DOC_UNKNOWN;
	if (a->n_findings == 0)
		doc_callout(d, tone,
			"nothing to test: the file states no two figures that depend on each "
			"other.");
	else
		doc_callout(d, tone, "%s, %s; %s%s.",
			a->contradictions
				? plural(d, a->contradictions, "contradiction", "contradictions")
				: "no contradiction",
			plural(d, a->doubts, "doubt", "doubts"),
			plural(d, a->agreements, "statement recomputes", "statements recompute"),
			untested ? text(d, arena_printf(d->arena, "; %zu untested", untested))
				 : "");
}

static bool
worth_words(const struct audit_finding *f)
{
	return f->verdict != AUDIT_AGREES && f->verdict != AUDIT_NOTE;
}

/* What needs no words of its own: a line each, the arithmetic is the point. */
static void
put_rest(struct doc *d, const struct audit *a, int level)
{
	const char **items = arena_array(d->arena, a->n_findings + 1, sizeof(*items));
	size_t n = 0;
	d->failed = d->failed || !items;
	for (size_t i = 0; items && i < a->n_findings; i++) {
		const struct audit_finding *f = &a->findings[i];
		if (!worth_words(f))
			items[n++] = text(
				d, arena_printf(d->arena, "%s [%s] %s: %s%s%s",
					   names_text(&audit_verdict_names, f->verdict), f->code,
					   f->subject, f->text, f->arithmetic ? "; " : "",
					   f->arithmetic ? f->arithmetic : ""));
	}
	if (n == 0)
		return;
	doc_heading(d, level, "What recomputes, and notes");
	doc_list(d, items, n);
}

static void
put_audit(struct doc *d, const struct audit *a, int level)
{
	bool any = false;
	doc_heading(d, 2, "%s", a->name ? a->name : "disk");
	put_origin(d, a);
	put_verdict(d, a);
	for (size_t i = 0; i < a->n_findings; i++) {
		if (!worth_words(&a->findings[i]))
			continue;
		if (!any)
			doc_heading(d, level, "What contradicts, and what is doubtful");
		any = true;
		put_finding(d, &a->findings[i]);
	}
	put_rest(d, a, level);
	if (a->n_findings > 0)
		doc_heading(d, level, "Everything tested");
	put_table(d, a);
}

void
audit_doc(struct doc *d, const struct audit_report *r)
{
	for (size_t i = 0; i < r->n_audits; i++)
		put_audit(d, &r->audits[i], r->n_audits > 1 ? 3 : 2);
}
