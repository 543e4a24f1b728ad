/*
 * plan_today.c - what the workload runs on today, by the same constraints and prices; and whether
 * storage is the matter at all.
 */
#include <math.h>

#include "report/plan_text.h"

enum { VOLUME, CONFIG, RATE, USED, VERDICT, COST, PLAN_COST, BREAKS, N_COLUMNS };

static const char *
joined(struct doc *d, const char *const *texts, size_t n)
{
	struct buf all;
	buf_init(&all, 16384);
	for (size_t i = 0; i < n; i++)
		buf_printf(&all, "%s%s", i ? "; " : "", texts[i]);
	const char *kept = arena_strdup(d->arena, buf_text(&all));
	d->failed = d->failed || !kept;
	buf_fini(&all);
	return kept ? kept : "";
}

static void
put_row(struct doc *d, struct doc_table *t, const struct plan_today_volume *v)
{
	const struct plan_config *c = v->config;
	doc_row(d, t);
	doc_cell(d, t, VOLUME, "%s", v->volume);
	doc_cell(d, t, CONFIG, "%s", c ? plan_config_name(d, c) : "not said");
	if (c)
		doc_cell(d, t, RATE, "%s / %s", plan_count(d, c->iops), plan_count(d, c->mbps));
	doc_cell(d, t, USED, "%s / %s", plan_percent(d, v->iops_used_frac),
		plan_percent(d, v->mbps_used_frac));
	doc_cell(d, t, VERDICT, "%s", names_text(&plan_verdict_names, v->verdict));
	doc_cell(d, t, COST, "%s", c ? plan_amount(d, c->monthly) : "unknown");
	doc_cell(d, t, PLAN_COST, "%s",
		isnan(v->plan_monthly) ? "-" : plan_amount(d, v->plan_monthly));
	doc_cell(d, t, BREAKS, "%s", joined(d, v->breaks, v->n_breaks));
}

static void
put_volumes(const struct plan *p, struct doc *d)
{
	const struct plan_today *now = p->today;
	const char *money = p->currency ? p->currency : "money";
	const char *cost = arena_printf(d->arena, "%s a month, per machine", money);
	const struct doc_column columns[N_COLUMNS] = {
		[VOLUME] = {"Volume", DOC_LEFT},
		[CONFIG] = {"Today on", DOC_LEFT},
		[RATE] = {"IOPS / MB/s sustained", DOC_RIGHT},
		[USED] = {"Used at the peak", DOC_RIGHT},
		[VERDICT] = {"Meets the constraints", DOC_LEFT},
		[COST] = {cost ? cost : "", DOC_RIGHT},
		[PLAN_COST] = {"The plan", DOC_RIGHT},
		[BREAKS] = {"What it does not meet", DOC_LEFT},
	};
	struct doc_table *t = doc_table(
		d, "Today's disks by the same constraints", columns, N_COLUMNS);
	for (size_t i = 0; i < now->n_volumes; i++)
		put_row(d, t, &now->volumes[i]);
}

/* Today beside the plan, all machines. */
static void
put_money(const struct plan *p, struct doc *d)
{
	const struct plan_today *now = p->today;
	if (isnan(now->monthly)) {
		doc_paragraph(d, "What it costs is not known: a price, or what a volume is on.");
		return;
	}
	doc_paragraph(d, "Today: %s a month%s%s%s.", plan_money(d, p, now->monthly),
		isnan(now->machine_monthly) ? ", storage alone" : ", machines ",
		isnan(now->machine_monthly) ? "" : plan_money(d, p, now->machine_monthly),
		isnan(now->machine_monthly) ? "" : " of it");
	if (isnan(now->change))
		return;
	doc_paragraph(d,
		"The plan for the same things: %s a month, %s %s; over %s months %s %s. A change "
		"is "
		"not worth it below %s of today's cost%s%s.",
		plan_money(d, p, now->plan_monthly), plan_money(d, p, fabs(now->change)),
		now->change < 0 ? "less" : "more", plan_count(d, p->horizon_months),
		plan_money(d, p, fabs(now->horizon_saving)),
		now->horizon_saving < 0 ? "more" : "less", plan_percent(d, now->keep_below_frac),
		isnan(now->migration_cost) ? "" : "; moving costs ",
		isnan(now->migration_cost) ? "" : plan_money(d, p, now->migration_cost));
}

void
plan_today(const struct plan *p, struct doc *d)
{
	const struct plan_today *now = p->today;
	if (!now)
		return;
	doc_heading(d, 2, "Today");
	doc_callout(d,
		now->verdict == PLAN_PASS   ? DOC_PASS
		: now->verdict == PLAN_FAIL ? DOC_FAIL
					    : DOC_UNKNOWN,
		"%s", now->text ? now->text : "not judged");
	put_volumes(p, d);
	for (size_t i = 0; i < now->n_volumes; i++) {
		if (now->volumes[i].seen_text)
			doc_paragraph(d, "%s.", now->volumes[i].seen_text);
	}
	if (now->n_breaks) {
		doc_paragraph(d, "Together on %s they do not meet:",
			now->machine ? now->machine : "no named machine");
		doc_list(d, now->breaks, now->n_breaks);
	}
	put_money(p, d);
}

void
plan_fast_disk(const struct plan *p, struct doc *d)
{
	const struct plan_fast_disk *f = p->fast_disk;
	if (!f || !f->text)
		return;
	doc_heading(d, 3, "Is storage the matter?");
	if (f->not_storage == 1)
		doc_callout(d, DOC_NOTE, "%s.", f->text);
	else
		doc_paragraph(d, "Yes: %s.", f->text);
	if (f->n_advice) {
		doc_paragraph(d, "What would help instead:");
		doc_list(d, f->advice, f->n_advice);
	}
}
