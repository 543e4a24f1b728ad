/*
 * explain.c - why a volume got what it got: demand, margin, reasons, and each cheaper size with the
 * constraint it breaks (one entry a size, the cheapest of its stripes and cache modes).
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
		.redundancy = c->redundancy,
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
	return (struct breach){.constraint = -1,
		.need = (double)NAN,
		.have = (double)NAN,
		.best = (double)NAN,
		.margin_frac = (double)NAN};
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
		.unit = breach->unit};
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

/* Cheaper than `chosen`, one a size, cheapest first.  Returns how many. */
static size_t
cheaper(const struct candidate_list *list, const struct candidate *chosen,
	const struct candidate **out)
{
	size_t n = 0, kept = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (list->items[i].monthly < chosen->monthly - 0.005)
			out[n++] = &list->items[i];
	}
	qsort(out, n, sizeof(*out), by_price); /* NOLINT(bugprone-sizeof-expression) */
	for (size_t i = 0; i < n; i++) {
		bool seen = false;
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
		       id == (int)CONSTRAINT_MBPS || id == (int)CONSTRAINT_WINDOW);
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

static int
add_reason(struct build *b, struct plan_volume *p, const char *text, struct err *err)
{
	const char **reasons = arena_grow(b->arena, p->reasons, p->n_reasons, sizeof(*reasons));
	if (!reasons || !text)
		return err_nomem(err);
	p->reasons = reasons;
	p->reasons[p->n_reasons++] = text;
	return 0;
}

/* The largest cheaper size of the same tier that holds the data but not the rate, or NULL. */
static const struct plan_rejected *
smaller_size(const struct plan_volume *p)
{
	const struct plan_rejected *best = NULL;
	for (size_t i = 0; i < p->n_rejected; i++) {
		const struct plan_rejected *r = &p->rejected[i];
		bool rate = strcmp(r->constraint, "iops") == 0 ||
			    strcmp(r->constraint, "mbps") == 0 ||
			    strcmp(r->constraint, "backup-window") == 0;
		if (rate && strcmp(r->config->family, p->chosen->family) == 0)
			best = r;
	}
	return best;
}

static int
reason_size(struct build *b, struct plan_volume *p, struct err *err)
{
	const struct plan_rejected *r = smaller_size(p);
	if (!r || !isnan(p->chosen->bought_iops))
		return 0;
	return add_reason(b, p,
		arena_printf(b->arena,
			"size is bought for %s: %s x %g holds the data for %s less a month, but %s",
			strcmp(r->constraint, "iops") == 0 ? "IOPS" : "MB/s", r->config->sku,
			r->config->disks, build_money(b, p->chosen->monthly - r->config->monthly),
			r->text),
		err);
}

/* The promise that rules the cheaper tiers out, with what the chosen one does. */
static int
reason_latency(struct build *b, const struct candidate_site *site, const struct candidate *c,
	struct plan_volume *p, struct err *err)
{
	static const enum constraint_id ids[] = {
		CONSTRAINT_COMMIT_P99, CONSTRAINT_READ_P99, CONSTRAINT_WRITE_P99};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct breach k = constraint_check(ids[i], site, c, &b->ctx);
		int rc = k.applies && k.text ? add_reason(b, p, k.text, err) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

/* A dearer configuration that keeps more of the preferences: what following them would cost. */
static int
reason_preferred(struct build *b, size_t v, struct plan_volume *p, struct err *err)
{
	const struct candidate_list *list = &b->c->options[b->choice.option].lists[v];
	const struct candidate *c = b->choice.at[v], *best = NULL;
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *k = &list->items[i];
		if (k->broken || k->penalty >= c->penalty || k->monthly < c->monthly)
			continue;
		if (!best || k->monthly < best->monthly)
			best = k;
	}
	if (!best)
		return 0;
	return add_reason(b, p,
		arena_printf(b->arena,
			"a preference is not followed (see the rules): %s would keep it for %s a "
			"month, %s more",
			candidate_name(best, b->arena), build_money(b, best->monthly),
			build_money(b, best->monthly - c->monthly)),
		err);
}

/* What the rates it is sized for were seen as. */
static int
reason_evidence(struct build *b, size_t v, struct plan_volume *p, struct err *err)
{
	const char *evidence = b->c->set.volumes[v].volume->evidence;
	return evidence ? add_reason(b, p, arena_printf(b->arena, "sized for %s", evidence), err)
			: 0;
}

static const char *
next_cheaper(struct build *b, const struct plan_rejected *next)
{
	const struct plan_config *c = next->config;
	const char *count = c->disks > 1 ? arena_printf(b->arena, "%g x ", c->disks) : "";
	return arena_printf(b->arena, "the next cheaper, %s%s at %s%s, breaks %s: %s",
		count ? count : "", c->title ? c->title : c->sku,
		c->monthly_complete ? "" : "at least ", build_money(b, c->monthly),
		next->constraint, next->text);
}

static int
explain_reasons(struct build *b, size_t v, struct plan_volume *p, struct err *err)
{
	const struct machine_option *o = &b->c->options[b->choice.option];
	const struct candidate *c = b->choice.at[v];
	size_t fit = o->lists[v].fit;
	const char *first =
		c->place == PLACE_LOCAL
			? arena_printf(b->arena,
				  "comes with the machine and leaves its remote caps to the others")
			: arena_printf(b->arena,
				  "the cheapest of %zu configurations that meet every constraint "
				  "of "
				  "this volume, %s a month on each machine",
				  fit, build_money(b, c->monthly));
	int rc = add_reason(b, p, first, err);
	rc = rc ? rc : reason_evidence(b, v, p, err);
	rc = rc ? rc : reason_size(b, p, err);
	rc = rc ? rc : reason_latency(b, &o->sites[v], c, p, err);
	rc = rc ? rc : reason_preferred(b, v, p, err);
	if (rc == 0 && p->n_rejected) {
		const struct plan_rejected *next = &p->rejected[p->n_rejected - 1];
		rc = add_reason(b, p, next_cheaper(b, next), err);
	}
	return rc;
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
		p->candidates_made = (double)o->lists[v].made;
		p->candidates_kept = (double)o->lists[v].n;
		p->chosen = build_config(b, &o->sites[v], c, err);
		int rc = p->chosen ? explain_rejected(b, v, p, err) : err_nomem(err);
		if (rc)
			return rc;
		explain_binding(b, &o->sites[v], c, p);
		rc = explain_reasons(b, v, p, err);
		if (rc)
			return rc;
	}
	return 0;
}
