/*
 * plan_recovery.c - coming back after a loss: how long it takes, and what else there is.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

enum { MOST_ROWS = 12 };

static const char *
rate(struct doc *d, const struct plan_restore *r)
{
	if (isnan(r->rate_lo)) /* nothing to load, or at a rate that is not known */
		return r->hours_hi > r->hours_lo || isnan(r->hours_hi) ? "unknown" : "-";
	if (!(r->rate_hi > r->rate_lo))
		return plan_count(d, r->rate_lo);
	const char *text = arena_printf(
		d->arena, "%s to %s", plan_count(d, r->rate_lo), plan_count(d, r->rate_hi));
	d->failed = d->failed || !text;
	return text ? text : "";
}

static const char *
hours(struct doc *d, const struct plan_restore *r)
{
	if (isnan(r->hours_hi) && r->hours_lo < 0.005)
		return "unknown";
	const char *text = isnan(r->hours_hi) ? arena_printf(d->arena, "\u2265 %.2f", r->hours_lo)
			   : r->hours_hi > r->hours_lo
				   ? arena_printf(
					     d->arena, "%.2f to %.2f", r->hours_lo, r->hours_hi)
				   : arena_printf(d->arena, "%.2f", r->hours_hi);
	d->failed = d->failed || !text;
	return text ? text : "";
}

static void
put_rows(const struct plan *p, struct doc *d)
{
	const struct plan_recovery *r = p->recovery;
	const char *money = p->currency ? p->currency : "money";
	const char *monthly = arena_printf(d->arena, "%s a month", money);
	const char *once = arena_printf(d->arena, "%s a restore", money);
	const struct doc_column columns[] = {
		{"Volume", DOC_LEFT},
		{"Disk", DOC_LEFT},
		{"Loaded", DOC_LEFT},
		{"MB/s", DOC_RIGHT},
		{"Hours", DOC_RIGHT},
		{monthly ? monthly : "", DOC_RIGHT},
		{once ? once : "", DOC_RIGHT},
		{"Within the promise", DOC_LEFT},
		{"Note", DOC_LEFT},
	};
	struct doc_table *t = doc_table(
		d, "Ways to come back, the plan's own first", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < r->n_restores && i < MOST_ROWS; i++) {
		const struct plan_restore *w = &r->restores[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", w->volume);
		doc_cell(d, t, 1, "%s%s", w->title, w->chosen == 1 ? " (this plan)" : "");
		doc_cell(d, t, 2, "%s", w->way);
		doc_cell(d, t, 3, "%s", rate(d, w));
		doc_cell(d, t, 4, "%s", hours(d, w));
		doc_cell(d, t, 5, "%s", plan_amount(d, w->monthly));
		doc_cell(d, t, 6, "%s", isnan(w->fee) ? "-" : plan_amount(d, w->fee));
		doc_cell(d, t, 7, "%s",
			w->verdict < 0 ? "-" : names_text(&plan_verdict_names, w->verdict));
		doc_cell(d, t, 8, "%s", w->note ? w->note : "");
	}
	if (r->n_restores > MOST_ROWS)
		doc_paragraph(
			d, "And %zu more in the JSON form of the plan.", r->n_restores - MOST_ROWS);
}

void
plan_recovery(const struct plan *p, struct doc *d)
{
	const struct plan_recovery *r = p->recovery;
	if (!r)
		return;
	doc_heading(d, 2, "Coming back after a loss");
	const char *from = strcmp(r->source, "snapshot") == 0 ? "From snapshots"
			   : strcmp(r->source, "backup") == 0 ? "From the backup"
							      : "By a standby";
	doc_paragraph(d, "%s: %s.", from, plan_or_unknown(r->text));
	if (r->log_mb > 0)
		doc_paragraph(d, "Log applied after the loading: %s MB, %s.",
			plan_count(d, r->log_mb),
			isnan(r->replay_hours) ? "at a rate that is not known"
					       : plan_value(d, r->replay_hours, "h"));
	if (plan_known(r->other_hours))
		doc_paragraph(d, "To notice, to decide and to start: %s.",
			plan_value(d, r->other_hours, "h"));
	else
		doc_paragraph(d, "What it takes to notice, to decide and to start is not counted.");
	if (r->n_restores)
		put_rows(p, d);
}
