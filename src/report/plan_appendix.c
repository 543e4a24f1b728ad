/*
 * plan_appendix.c - rules that fired, findings, the files everything rests on, and the words.
 */
#include <math.h>

#include "report/plan_text.h"

enum { MOST_RULES = 60 }; /* the plan has them all, warnings first */

void
plan_rules(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Rule", DOC_LEFT},
		{"Kind", DOC_LEFT},
		{"Volume", DOC_LEFT},
		{"What it says here", DOC_LEFT},
		{"Why", DOC_LEFT},
		{"Source", DOC_LEFT},
		{"Date", DOC_LEFT},
	};
	size_t n = 0;
	doc_heading(d, 2, "Rules");
	for (size_t i = 0; i < p->n_rules; i++)
		n += !plan_rule_is_setting(&p->rules[i]) && !plan_rule_is_step(&p->rules[i]);
	if (n == 0) {
		doc_paragraph(d, "No other rule fired.");
		return;
	}
	struct doc_table *t = doc_table(d, "Rules that fired", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < p->n_rules && t->n_rows < MOST_RULES; i++) {
		const struct plan_rule *r = &p->rules[i];
		if (plan_rule_is_setting(r) || plan_rule_is_step(r))
			continue;
		const char *const cells[] = {r->id, r->kind, r->volume ? r->volume : "all", r->text,
			r->why, r->source, r->as_of};
		doc_row(d, t);
		for (size_t c = 0; c < DOC_COUNT(cells); c++)
			doc_cell(d, t, c, "%s", cells[c] ? cells[c] : "");
	}
	if (n > MOST_RULES)
		doc_paragraph(
			d, "And %zu more, of less weight, in the plan's JSON.", n - MOST_RULES);
}

void
plan_findings(const struct plan *p, struct doc *d)
{
	doc_heading(d, 2, "Assumptions and findings");
	doc_paragraph(d,
		"%s of every cap is kept free; growth is counted over %s months; a month has %s "
		"hours. Prices: %s.",
		plan_percent(d, p->headroom), plan_count(d, p->horizon_months),
		plan_count(d, p->hours_per_month), plan_or_unknown(p->price_source));
	if (p->stripe_saving_frac > 0)
		doc_paragraph(d,
			"A stripe is offered only when it saves at least %s against fewer disks of "
			"its tier "
			"that do the same: several disks have no common snapshot, and more of them "
			"fail.",
			plan_percent(d, p->stripe_saving_frac));
	if (p->n_findings == 0)
		doc_paragraph(d, "Nothing was found.");
	doc_findings(d, "Unknowns, assumptions and warnings", p->findings, p->n_findings);
}

void
plan_inputs(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Kind", DOC_LEFT}, {"File", DOC_LEFT}, {"Date", DOC_LEFT}, {"SHA-256", DOC_LEFT}};
	doc_heading(d, 2, "Inputs");
	doc_paragraph(
		d, "Made by %s. The same files give the same report.", plan_or_unknown(p->tool));
	if (p->n_inputs == 0) {
		doc_callout(d, DOC_UNKNOWN, "The plan names no file it was made from.");
		return;
	}
	struct doc_table *t = doc_table(d, "Files the plan rests on", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < p->n_inputs; i++) {
		const struct plan_input *in = &p->inputs[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(in->kind));
		doc_cell(d, t, 1, "%s", plan_or_unknown(in->path));
		doc_cell(d, t, 2, "%s", in->as_of ? in->as_of : "");
		doc_cell(d, t, 3, "%s", plan_or_unknown(in->sha256));
	}
}

void
plan_glossary(const struct plan *p, struct doc *d)
{
	(void)p;
	static const struct {
		const char *word, *meaning;
	} words[] = {
		{"measured, imported, published, derived, assumed",
			"where a number comes from: this program on this disk; fio or a log; an "
			"article or a price list with a date; computed from other numbers; a "
			"default"},
		{"p99", "99 of 100 operations are faster than this"},
		{"95 % interval", "where the true value lies in 95 of 100 repetitions of the same "
				  "measurement"},
		{"outstanding I/O", "requests sent and not yet answered, also called queue depth"},
		{"disk latency",
			"one request or one commit at the demanded load; a service level adds "
			"the queue of the log and the rest of the transaction"},
		{"knee", "load from which waiting grows as fast as the load"},
		{"headroom", "share of every cap kept free for peaks"},
		{"sustained / needed",
			"what the disks sustain without burst, beside the demand with headroom"},
		{"room", "(limit - predicted) / limit: below zero the promise is broken"},
		{"per 1,000 transactions executed",
			"monthly cost over the transactions a month really runs, in thousands"},
		{"a month for 1,000 transactions a minute",
			"monthly cost over the highest rate the system can hold, in thousands a "
			"minute"},
		{"host cache", "memory or local SSD of the machine in front of the disk"},
		{"WAL", "write-ahead log: a commit waits for it"},
		{"rpo, recovery point", "data that may be lost with a machine, as time"},
		{"rto, recovery time",
			"time to be back after a loss: volumes loaded, log applied, and the rest"},
		{"GiB, MB/s", "2^30 bytes; 10^6 bytes a second"},
	};
	static const struct doc_column columns[] = {{"Word", DOC_LEFT}, {"Meaning", DOC_LEFT}};
	doc_heading(d, 2, "Glossary");
	struct doc_table *t = doc_table(d, "Words of this report", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < DOC_COUNT(words); i++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", words[i].word);
		doc_cell(d, t, 1, "%s", words[i].meaning);
	}
}
