/*
 * plan_today.c - what the workload runs on today, by the same constraints and prices; and whether
 * storage is the matter at all.
 */
#include <math.h>

#include "report/plan_text.h"

enum { VOLUME, CONFIG, RATE, USED, VERDICT, COST, PLAN_COST, N_COLUMNS };

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
		[PLAN_COST] = {"The plan, the same", DOC_RIGHT},
	};
	struct doc_table *t = doc_table(
		d, "Today's disks by the same constraints", columns, N_COLUMNS);
	for (size_t i = 0; i < now->n_volumes; i++)
		put_row(d, t, &now->volumes[i]);
}

static void
add(struct doc *d, const char **items, size_t *n, const char *who, const char *text)
{
	const char *item = arena_printf(d->arena, "%s: %s", who, text);
	d->failed = d->failed || !item;
	items[(*n)++] = item ? item : "";
}

/* What is not met, of a volume and of all together. */
static void
put_breaks(const struct plan_today *now, struct doc *d)
{
	size_t n = 0, most = now->n_breaks;
	for (size_t i = 0; i < now->n_volumes; i++)
		most += now->volumes[i].n_breaks;
	const char **items = arena_array(d->arena, most + 1, sizeof(*items));
	d->failed = d->failed || !items;
	if (most == 0 || d->failed)
		return;
	for (size_t i = 0; i < now->n_volumes; i++) {
		const struct plan_today_volume *v = &now->volumes[i];
		for (size_t k = 0; k < v->n_breaks; k++)
			add(d, items, &n, v->volume, v->breaks[k]);
	}
	for (size_t k = 0; k < now->n_breaks; k++)
		add(d, items, &n, "together", now->breaks[k]);
	doc_paragraph(d, "What is not met%s%s:", now->machine ? " on " : "",
		now->machine ? now->machine : "");
	doc_list(d, items, n);
}

/* Today beside the plan, all machines. */
static void
put_money(const struct plan *p, struct doc *d)
{
	const struct plan_today *now = p->today;
	if (isnan(now->monthly) && plan_known(now->known_monthly)) {
		doc_paragraph(d,
			"Today: at least %s a month, incomplete: a price is not known, or what a "
			"volume "
			"is on. The plan for the same things: %s a month.",
			plan_money(d, p, now->known_monthly), plan_money(d, p, now->plan_monthly));
		return;
	}
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
	if (plan_known(now->net_saving) && plan_known(now->payback_months))
		doc_paragraph(d, "Moving is paid back after %.1f months; after %s months %s %s.",
			now->payback_months, plan_count(d, p->horizon_months),
			plan_money(d, p, fabs(now->net_saving)),
			now->net_saving < 0 ? "of it are not" : "are saved beyond it");
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
	put_breaks(now, d);
	for (size_t i = 0; i < now->n_volumes; i++) {
		if (now->volumes[i].seen_text)
			doc_paragraph(d, "%s.", now->volumes[i].seen_text);
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
