/*
 * plan_settings.c - the settings that go with the choice, and the steps of the move to it: rules of kind
 * configure and checklist, with the plan's own values.
 */
#include <string.h>

#include "report/plan_text.h"

bool
plan_rule_is_setting(const struct plan_rule *r)
{
	return r->set || (r->kind && strcmp(r->kind, "configure") == 0);
}

bool
plan_rule_is_step(const struct plan_rule *r)
{
	return !r->set && r->kind && strcmp(r->kind, "checklist") == 0;
}

static size_t
count(const struct plan *p, bool (*is)(const struct plan_rule *r))
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_rules; i++)
		n += is(&p->rules[i]);
	return n;
}

/* Whose setting: the volume, else the engine or the machine. */
static const char *
owner(const struct plan *p, const struct plan_rule *r)
{
	if (r->volume)
		return r->volume;
	if (r->set && strncmp(r->set, "engine.", 7) == 0 && p->engine)
		return p->engine;
	return "all";
}

/* "engine.commit_delay" is commit_delay to its reader, "disk.host_cache" host cache. */
static void
setting_cell(struct doc *d, struct doc_table *t, const char *set)
{
	if (!set) {
		doc_cell(d, t, 1, "see text");
		return;
	}
	if (strncmp(set, "engine.", 7) == 0) {
		doc_cell(d, t, 1, "%s", set + 7);
		return;
	}
	const char *dot = strchr(set, '.');
	char words[64];
	size_t n = 0;
	for (const char *c = dot ? dot + 1 : set; *c && n + 1 < sizeof(words); c++)
		words[n++] = *c == '_' ? ' ' : *c;
	words[n] = '\0';
	doc_cell(d, t, 1, "%s", words);
}

void
plan_settings(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Of", DOC_LEFT},
		{"Setting", DOC_LEFT},
		{"Value", DOC_LEFT},
		{"In full", DOC_LEFT},
		{"Why", DOC_LEFT},
		{"Source", DOC_LEFT},
		{"Date", DOC_LEFT},
	};
	if (count(p, plan_rule_is_setting) == 0)
		return;
	doc_heading(d, 2, "Settings");
	doc_paragraph(d,
		"What goes with this choice, with the values of this plan. Host cache, stripe and "
		"file system are set when the disks are made: later it takes a copy of the data.");
	struct doc_table *t = doc_table(
		d, "Settings of the volumes and of the engine", columns, DOC_COUNT(columns));
	t->detail = 7U << 4; /* why, source, date */
	for (size_t i = 0; i < p->n_rules; i++) {
		const struct plan_rule *r = &p->rules[i];
		if (!plan_rule_is_setting(r))
			continue;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", owner(p, r));
		setting_cell(d, t, r->set);
		doc_cell(d, t, 2, "%s", r->to ? r->to : "");
		doc_cell(d, t, 3, "%s", r->text ? r->text : "");
		doc_cell(d, t, 4, "%s", r->why ? r->why : "");
		doc_cell(d, t, 5, "%s", r->source ? r->source : "");
		doc_cell(d, t, 6, "%s", r->as_of ? r->as_of : "");
	}
}

void
plan_steps(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Of", DOC_LEFT},
		{"What to do", DOC_LEFT},
		{"Why", DOC_LEFT},
		{"Source", DOC_LEFT},
		{"Date", DOC_LEFT},
		{"Rule", DOC_LEFT},
	};
	if (count(p, plan_rule_is_step) == 0)
		return;
	doc_heading(d, 2, "Steps of the move");
	struct doc_table *t = doc_table(
		d, "What to do before, during and after", columns, DOC_COUNT(columns));
	t->detail = 15U << 2; /* why, source, date, rule */
	for (size_t i = 0; i < p->n_rules; i++) {
		const struct plan_rule *r = &p->rules[i];
		if (!plan_rule_is_step(r))
			continue;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", owner(p, r));
		doc_cell(d, t, 1, "%s", r->text ? r->text : "");
		doc_cell(d, t, 2, "%s", r->why ? r->why : "");
		doc_cell(d, t, 3, "%s", r->source ? r->source : "");
		doc_cell(d, t, 4, "%s", r->as_of ? r->as_of : "");
		doc_cell(d, t, 5, "%s", r->id);
	}
}
