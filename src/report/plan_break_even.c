/*
 * plan_break_even.c - from how many IOPS on another tier is the cheapest for a volume, and which tiers
 * keep its latency promises.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

enum { TIER, MOST, COST, KEEPS, WHY, N_COLUMNS };

static bool
any_promise(const struct plan_break_even *e)
{
	for (size_t i = 0; i < e->n_tiers; i++) {
		if (e->tiers[i].keeps >= 0)
			return true;
	}
	return false;
}

static void
put_tiers(const struct plan *p, struct doc *d, const struct plan_break_even *e)
{
	const char *cost = arena_printf(d->arena, "%s a month at %s IOPS",
		p->currency ? p->currency : "money", plan_count(d, ceil(e->need_iops)));
	const char *caption = arena_printf(d->arena, "Tiers for %s at its own rate", e->volume);
	const struct doc_column columns[N_COLUMNS] = {
		[TIER] = {"Tier", DOC_LEFT},
		[MOST] = {"Most IOPS of one disk", DOC_RIGHT},
		[COST] = {cost && !isnan(e->need_iops) ? cost : "Price", DOC_RIGHT},
		[KEEPS] = {"Keeps the latency promises", DOC_LEFT},
		[WHY] = {"Why not", DOC_LEFT},
	};
	struct doc_table *t = doc_table(
		d, caption ? caption : "", columns, any_promise(e) ? N_COLUMNS : KEEPS);
	for (size_t i = 0; i < e->n_tiers; i++) {
		const struct plan_tier *tier = &e->tiers[i];
		doc_row(d, t);
		doc_cell(d, t, TIER, "%s", tier->tier);
		doc_cell(d, t, MOST, "%s", plan_count(d, tier->most_iops));
		doc_cell(d, t, COST, "%s",
			isnan(tier->need_monthly) ? "-" : plan_amount(d, tier->need_monthly));
		if (t->n_columns == KEEPS)
			continue;
		doc_cell(d, t, KEEPS, "%s", names_text(&plan_verdict_names, tier->keeps));
		doc_cell(d, t, WHY, "%s", tier->text ? tier->text : "");
	}
}

/* "Of the tiers that keep the promises: Ultra Disk, from 1 to 1,600,000 IOPS." */
static void
put_kept(struct doc *d, const struct plan_break_even *e)
{
	struct buf text;
	if (e->n_kept == 0)
		return;
	buf_init(&text, 4096);
	for (size_t i = 0; i < e->n_kept; i++) {
		const struct plan_span *s = &e->kept[i];
		buf_printf(&text, "%s%s from %s to %s", i ? "; " : "", s->tier,
			plan_count(d, s->from_iops), plan_count(d, s->to_iops));
	}
	doc_paragraph(d,
		"Latency is another matter, and IOPS do not buy it. Cheapest of the tiers that "
		"keep "
		"the latency promises: %s IOPS.",
		buf_text(&text));
	buf_fini(&text);
}

static void
put_pairs(struct doc *d, const struct plan_break_even *e)
{
	const char **items = arena_array(d->arena, e->n_pairs + 1, sizeof(*items));
	size_t n = 0;
	d->failed = d->failed || !items;
	for (size_t i = 0; i < e->n_pairs && !d->failed; i++) {
		const struct plan_pair *pair = &e->pairs[i];
		const char *text = arena_printf(d->arena, "%s or %s: %s", pair->first, pair->second,
			pair->text ? pair->text : "see JSON");
		items[n++] = text ? text : "";
	}
	if (n > 1) /* one pair says what all tiers say */
		doc_list(d, items, n);
}

/* ", I/Os of 64 KiB and 50 MB/s of streams beside them"; plans of before have neither. */
static const char *
load_text(struct doc *d, const struct plan_break_even *e)
{
	const char *io = e->io_kib > 0 ? arena_printf(d->arena, ", I/Os of %.3g KiB", e->io_kib)
				       : "";
	if (!(e->stream_mbps > 0))
		return io ? io : "";
	const char *text = arena_printf(d->arena, "%s%s %s MB/s of streams%s", io ? io : "",
		e->io_kib > 0 ? " and" : ",", plan_count(d, e->stream_mbps),
		e->io_kib > 0 ? " beside them" : "");
	return text ? text : "";
}

static void
put_volume(const struct plan *p, struct doc *d, const struct plan_break_even *e)
{
	doc_heading(d, 3, "%s: cheapest tier by IOPS", e->volume);
	doc_paragraph(d, "One disk of %s GiB%s: %s.", plan_count(d, e->gib), load_text(d, e),
		e->text ? e->text : "not known");
	if (e->striped_text)
		doc_paragraph(d, "Striped over up to %s disks, as the plan may: %s.",
			plan_count(d, e->disks_most), e->striped_text);
	put_kept(d, e);
	if (e->n_tiers)
		put_tiers(p, d, e);
	put_pairs(d, e);
	if (e->note)
		doc_paragraph(d, "Left out: %s.", e->note);
}

/* What the machine lets through, which may be more of the tiers that have a column of their own. */
static void
put_machine(const struct plan *p, struct doc *d)
{
	const struct plan_machine *m = p->machine;
	if (!m || !plan_known(m->uncached_iops))
		return;
	const char *mbps = plan_known(m->uncached_mbps) ? arena_printf(d->arena, " or %s MB/s",
								  plan_count(d, m->uncached_mbps))
							: "";
	bool apart = plan_known(m->ultra_iops) && fabs(m->ultra_iops - m->uncached_iops) >= 1;
	if (apart)
		doc_paragraph(d,
			"What is above %s IOPS, or %s of Ultra Disk and Premium SSD v2, does not "
			"get through a %s.",
			plan_count(d, m->uncached_iops), plan_count(d, m->ultra_iops),
			plan_or_unknown(m->sku));
	else
		doc_paragraph(d, "What is above %s IOPS%s does not get through a %s.",
			plan_count(d, m->uncached_iops), mbps ? mbps : "", plan_or_unknown(m->sku));
}

void
plan_break_even(const struct plan *p, struct doc *d)
{
	if (p->n_break_even == 0)
		return;
	doc_heading(d, 2, "Break-even by IOPS");
	doc_paragraph(d, "The least configuration of each tier that holds the volume at the "
			 "horizon, and its price as the IOPS rise, and the MB/s with them; "
			 "both are sustained, with headroom. A tier is left where another "
			 "saves a cent or more a month.");
	put_machine(p, d);
	for (size_t i = 0; i < p->n_break_even; i++)
		put_volume(p, d, &p->break_even[i]);
}
