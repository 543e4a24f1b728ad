/*
 * explain.c - what a volume got: demand, margin, and each cheaper size with the constraint it breaks
 * and by how much (one entry a size, the cheapest of its stripes and cache modes).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/build.h"
#include "base/units.h"

static double
ms(const struct estimate *e)
{
	return e->value / 1000;
}

struct plan_config *
build_config(const struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct err *err)
{
	struct plan_config *p = arena_alloc(b->arena, sizeof(*p));
	if (!p) {
		err_nomem(err);
		return NULL;
	}
	const struct latency *l = &c->latency;
	(void)site;
	*p = (struct plan_config){.family = c->disk->family,
		.sku = c->disk->sku,
		.title = c->title,
		.size_gib = c->size_gib,
		.billed_gib = c->billed_gib,
		.disks = c->disks,
		.iops = c->iops,
		.mbps = c->mbps,
		.bought_iops = c->bought_iops,
		.bought_mbps = c->bought_mbps,
		.host_cache = c->host_cache,
		.redundancy = c->redundancy ? c->redundancy : c->disk->copies,
		.monthly = c->monthly,
		.monthly_complete = c->priced,
		.read_mean_ms = ms(&l->read_mean),
		.read_p99_ms = ms(&l->read_p99),
		.write_mean_ms = ms(&l->write_mean),
		.write_p99_ms = ms(&l->write_p99),
		.commit_mean_ms = ms(&l->commit_mean),
		.commit_p99_ms = ms(&l->commit_p99),
		.latency_trust = l->model ? l->trust : -1,
		.latency_source = l->source};
	return p;
}

struct breach
build_breach(struct build *b, const struct candidate_site *site, const struct candidate *c)
{
	policy_facts(site, c, NULL, &b->ctx);
	for (int id = 0; id < (int)CONSTRAINT_VM_IOPS; id++) {
		struct breach found = constraint_check((enum constraint_id)id, site, c, &b->ctx);
		/* what was let open is not a breach */
		if (found.broken && (c->broken & CONSTRAINT_BIT(id)))
			return found;
	}
	if (c->broken & CONSTRAINT_BIT(CONSTRAINT_VM_DISKS))
		return constraint_check(CONSTRAINT_VM_DISKS, site, c, &b->ctx);
	return (struct breach){.constraint = -1,
		.need = (double)NAN,
		.have = (double)NAN,
		.best = (double)NAN,
		.margin_frac = (double)NAN};
}

/* Percent to two digits; a hundredth more where two would round to all of it. */
static const char *
percent(const struct build *b, double share)
{
	return arena_printf(b->arena, share < 0.995 ? "%.2g" : "%.4g", 100 * share);
}

/* "6.5 % over what is allowed", "8 times the limit", "77 % short of it"; NULL: no numbers. */
static const char *
miss_text(const struct build *b, const struct plan_rejected *r)
{
	double times = r->have / r->need;
	if (!isfinite(times) || times <= 0)
		return NULL;
	if (times >= 2)
		return arena_printf(b->arena, "%.3g times the limit", times);
	return times > 1 ? arena_printf(b->arena, "%s %% over", percent(b, times - 1))
			 : arena_printf(b->arena, "%s %% short", percent(b, 1 - times));
}

int
build_rejected(const struct build *b, const struct candidate_site *site, const struct candidate *c,
	const struct breach *breach, struct plan_rejected *out, struct err *err)
{
	const char *name = breach->constraint < 0
				   ? "none"
				   : names_text(&constraint_names, breach->constraint);
	if (breach->constraint == CONSTRAINT_RULES && c->rule_broken)
		name = arena_printf(b->arena, "rule:%s", c->rule_broken);
	*out = (struct plan_rejected){.config = build_config(b, site, c, err),
		.constraint = name,
		.text = breach->text ? breach->text : "",
		.need = breach->need,
		.have = breach->have,
		.unit = breach->unit,
		.miss_frac = fabs(breach->have - breach->need) / breach->need};
	out->miss = miss_text(b, out);
	return out->config ? 0 : err_nomem(err);
}

static int
by_price(const void *x, const void *y)
{
	const struct candidate *a = *(const struct candidate *const *)x;
	const struct candidate *b = *(const struct candidate *const *)y;
	if (a->monthly < b->monthly || a->monthly > b->monthly)
		return a->monthly < b->monthly ? -1 : 1;
	return a->penalty < b->penalty ? -1 : a->penalty > b->penalty ? 1 : a < b ? -1 : a > b;
}

static bool
same_size(const struct candidate *a, const struct candidate *b)
{
	return strcmp(a->disk->family, b->disk->family) == 0 &&
	       strcmp(a->disk->sku, b->disk->sku) == 0;
}

/* A disk as it comes of a tier whose rates are bought: that more has to be bought is no reason against it. */
static bool
is_bare(const struct candidate *c)
{
	const unsigned rates = CONSTRAINT_BIT(CONSTRAINT_IOPS) | CONSTRAINT_BIT(CONSTRAINT_MBPS);
	return !isnan(c->bought_iops) && (c->broken & rates);
}

static bool
has_full(const struct candidate *const *list, size_t n, const struct candidate *bare)
{
	for (size_t i = 0; i < n; i++) {
		if (same_size(list[i], bare) && !is_bare(list[i]))
			return true;
	}
	return false;
}

/*
 * Cheaper than `chosen` and no larger a stripe than the machine attaches, one a size, cheapest first; of a tier whose rates are bought one with enough of them
 * where that is cheaper too.  Returns how many.
 */
static size_t
cheaper(const struct candidate_list *list, const struct candidate *chosen,
	const struct candidate **out)
{
	size_t n = 0, kept = 0;
	for (size_t i = 0; i < list->n; i++) {
		const unsigned disks = CONSTRAINT_BIT(CONSTRAINT_VM_DISKS);
		if (list->items[i].monthly < chosen->monthly - 0.005 &&
			!(list->items[i].broken & disks))
			out[n++] = &list->items[i];
	}
	qsort(out, n, sizeof(*out), by_price); /* NOLINT(bugprone-sizeof-expression) */
	for (size_t i = 0; i < n; i++) {
		bool seen = is_bare(out[i]) && has_full(out + i + 1, n - i - 1, out[i]);
		for (size_t k = 0; k < kept && !seen; k++)
			seen = same_size(out[k], out[i]);
		if (!seen)
			out[kept++] = out[i];
	}
	return kept;
}

/* What the whole plan would break with this candidate in place of the chosen one. */
static struct breach
breach_in_plan(struct build *b, size_t v, const struct candidate *c)
{
	const struct candidate *at[SEARCH_MAX_VOLUMES];
	memcpy(at, b->choice.at, sizeof(at));
	at[v] = c;
	return chooser_check(b->c, b->choice.option, at, 0);
}

static int
explain_rejected(struct build *b, size_t v, struct plan_volume *p, struct err *err)
{
	const struct machine_option *o = &b->c->options[b->choice.option];
	const struct candidate_list *list = &o->lists[v];
	const struct candidate **found = candidate_pointers(b->arena, list->n + 1);
	if (!found)
		return err_nomem(err);
	size_t n = cheaper(list, b->choice.at[v], found);
	p->rejected = arena_array(b->arena, n + 1, sizeof(*p->rejected));
	if (!p->rejected)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		struct breach breach = build_breach(b, &o->sites[v], found[i]);
		if (!breach.broken)
			breach = breach_in_plan(b, v, found[i]);
		int rc = build_rejected(b, &o->sites[v], found[i], &breach, &p->rejected[i], err);
		if (rc)
			return rc;
		p->n_rejected++;
	}
	return 0;
}

/* A provisioned tier is bought to fit: what was bought leaves no room and says nothing. */
static bool
bought_to_fit(const struct candidate *c, int id)
{
	return !isnan(c->bought_iops) &&
	       (id == (int)CONSTRAINT_CAPACITY || id == (int)CONSTRAINT_IOPS ||
		       id == (int)CONSTRAINT_MBPS || id == (int)CONSTRAINT_BURST ||
		       id == (int)CONSTRAINT_WINDOW);
}

/* Which constraint has the least of its limit left. */
static void
explain_binding(struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct plan_volume *p)
{
	policy_facts(site, c, NULL, &b->ctx);
	for (int id = 0; id < (int)CONSTRAINT_VM_IOPS; id++) {
		struct breach k = constraint_check((enum constraint_id)id, site, c, &b->ctx);
		if (!k.applies || isnan(k.margin_frac) || k.margin_frac >= p->margin_frac ||
			bought_to_fit(c, id))
			continue;
		char need[32], have[32];
		units_count_text(k.need, need);
		units_count_text(k.have, have);
		p->margin_frac = k.margin_frac;
		bool limit = id >= (int)CONSTRAINT_READ_P99 || id == (int)CONSTRAINT_WINDOW;
		p->binding = arena_printf(b->arena,
			limit ? "%s: %s %s, %s allowed" : "%s: %s %s usable, %s needed",
			names_text(&constraint_names, id), have, k.unit ? k.unit : "", need);
	}
	if (!p->binding && !isnan(c->bought_iops))
		p->binding = "size, IOPS and MB/s are bought to fit the need";
}

static void
fill_demand(const struct build *b, const struct demand *d, struct plan_volume *p)
{
	double usable = 1 - b->c->set.headroom;
	*p = (struct plan_volume){
		.role = names_text(&workload_role_names, d->volume->role),
		.name = d->label,
		.capacity_gib = d->volume->capacity_gib,
		.horizon_gib = d->horizon_gib,
		.read_iops = d->read_iops,
		.write_iops = d->write_iops,
		.io_kib = d->io_kib,
		.mbps = d->mbps,
		.need_iops = demand_units(d, (double)NAN, (double)NAN) / usable,
		.need_mbps = d->mbps / usable,
		.demand_trust = d->words,
		.margin_frac = (double)NAN,
		.candidates_made = (double)NAN,
		.candidates_kept = (double)NAN,
		.latency_margin_frac = (double)NAN,
	};
}

int
build_volumes(struct build *b, struct err *err)
{
	struct plan *plan = b->plan;
	plan->n_volumes = b->c->set.n;
	plan->volumes = arena_array(b->arena, plan->n_volumes, sizeof(*plan->volumes));
	if (!plan->volumes)
		return err_nomem(err);
	for (size_t v = 0; v < plan->n_volumes; v++) {
		struct plan_volume *p = &plan->volumes[v];
		fill_demand(b, &b->c->set.volumes[v], p);
		if (!b->choice.found)
			continue;
		const struct machine_option *o = &b->c->options[b->choice.option];
		const struct candidate *c = b->choice.at[v];
		p->need_iops = c->units / (1 - b->c->set.headroom);
		p->need_mbps = candidate_demand(&o->sites[v], c)->mbps / (1 - b->c->set.headroom);
		p->candidates_made = (double)o->lists[v].made;
		p->candidates_kept = (double)o->lists[v].n;
		p->chosen = build_config(b, &o->sites[v], c, err);
		int rc = p->chosen ? explain_rejected(b, v, p, err) : err_nomem(err);
		if (rc)
			return rc;
		explain_binding(b, &o->sites[v], c, p);
	}
	return 0;
}
