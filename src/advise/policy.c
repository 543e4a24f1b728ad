#include "advise/policy.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/trust.h"
#include "base/units.h"

/* Tiers meant for cheap streams: the providers' own words. */
static const char *const sequential[] = {"standard_hdd", "st1", "sc1"};

static int
is_sequential(const char *family)
{
	for (size_t i = 0; i < sizeof(sequential) / sizeof(sequential[0]); i++) {
		if (strcmp(sequential[i], family) == 0)
			return 1;
	}
	return 0;
}

/* Flag: what the workload says; where it says nothing, standbys are copies. */
static int
keeps_copies(const struct workload *w)
{
	const struct workload_standbys *s = w->transactions ? w->transactions->standbys : NULL;
	return w->replicated < 0 && s && s->count >= 1 ? 1 : w->replicated;
}

static void
workload_facts(const struct candidate_site *s, struct rule_context *c)
{
	const struct workload *w = s->in->workload;
	int separate = 0;
	for (size_t i = 0; i < w->n_volumes; i++)
		separate |= w->volumes[i].role == WORKLOAD_WAL;
	rule_set_text(c, "workload.name", w->name);
	rule_set_text(c, "workload.engine",
		w->engine < 0 ? NULL : names_text(&workload_engine_names, w->engine));
	rule_set_flag(c, "workload.replicated", keeps_copies(w));
	rule_set_flag(c, "workload.production", w->production != 0);
	rule_set_flag(c, "workload.separate_wal", separate);
	rule_set_number(
		c, "workload.target_tps", s->set->has_tx ? s->set->tx.target_tps : (double)NAN);
	rule_set_number(c, "workload.machines", w->vm && !isnan(w->vm->count) ? w->vm->count : 1);
	rule_set_text(c, "provider", w->provider ? w->provider : s->in->book->provider);
	rule_set_text(c, "region", w->region ? w->region : s->in->book->region);
	rule_set_text(c, "currency", s->in->book->currency);
	rule_set_number(c, "price.age_days", s->in->price_age_days);
	const struct workload_sla *sla = w->sla;
	if (!sla)
		return;
	rule_set_number(c, "sla.commit_p99_ms", sla->commit_p99_ms);
	rule_set_number(c, "sla.tx_p99_ms", sla->tx_p99_ms);
	rule_set_number(c, "sla.read_p99_ms", sla->read_p99_ms);
	rule_set_number(c, "sla.write_p99_ms", sla->write_p99_ms);
	rule_set_number(c, "sla.rpo_ms", sla->rpo_ms);
	rule_set_number(c, "sla.rto_hours", sla->rto_hours);
}

static void
machine_facts(const struct candidate_site *s, struct rule_context *c)
{
	const struct vm_limit *vm = s->vm;
	if (!vm)
		return;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	double count = isnan(vm->temp_disk_count) ? 1 : vm->temp_disk_count;
	rule_set_text(c, "machine.sku", vm->sku);
	rule_set_number(c, "machine.vcpus", vm->vcpus);
	rule_set_flag(c, "machine.has_temp", isnan(vm->temp_disk_gib) ? -1 : vm->temp_disk_gib > 0);
	rule_set_number(c, "machine.temp_gib", vm->temp_disk_gib * count);
	rule_set_number(c, "machine.uncached_iops", vm->uncached_iops);
	rule_set_number(c, "machine.uncached_mbps", vm->uncached_mbps * unit);
}

static double
need(double demand, double headroom)
{
	return demand / (1 - headroom);
}

/* 1: only a burst meets the need; 0: the sustained caps do, or the disk has no burst. */
static int
relies_on_burst(const struct candidate *c, double iops, double mbps)
{
	bool sustained = !(iops > c->iops) && !(mbps > c->mbps);
	if (sustained)
		return 0;
	bool bursts = iops <= c->disk->burst_iops * c->disks &&
		      mbps <= c->disk->burst_mbps * c->disks;
	return bursts ? 1 : 0;
}

static void
volume_facts(const struct candidate_site *s, struct rule_context *c)
{
	const struct demand *d = s->demand;
	rule_set_text(c, "volume.role", names_text(&workload_role_names, d->volume->role));
	rule_set_text(c, "volume.name", d->label);
	rule_set_number(c, "volume.capacity_gib", d->volume->capacity_gib);
	rule_set_number(c, "volume.horizon_gib", d->horizon_gib);
	rule_set_number(c, "volume.read_iops", d->read_iops);
	rule_set_number(c, "volume.write_iops", d->write_iops);
	rule_set_number(c, "volume.io_kib", d->io_kib);
	rule_set_number(c, "volume.window_hours", d->volume->window_hours);
}

static void
need_facts(const struct candidate_site *s, const struct candidate *k, struct rule_context *c)
{
	double iops = need(k->units, s->set->headroom);
	double mbps = need(candidate_demand(s, k)->mbps, s->set->headroom);
	rule_set_number(c, "need.iops", iops);
	rule_set_number(c, "need.mbps", mbps);
	rule_set_flag(c, "need.relies_on_burst", relies_on_burst(k, iops, mbps));
}

static void
disk_facts(const struct candidate_site *s, const struct candidate *k, struct rule_context *c)
{
	const struct disk_limit *d = k->disk;
	bool provisioned = !isnan(k->bought_iops);
	double free_mbps = disk_limit_base_mbps(d);
	rule_set_text(c, "disk.family", d->family);
	rule_set_text(c, "disk.sku", d->sku);
	rule_set_number(c, "disk.size_gib", k->size_gib);
	rule_set_number(c, "disk.billed_gib", k->billed_gib);
	rule_set_number(c, "disk.waste_frac",
		k->place == PLACE_LOCAL ? 0 : (k->billed_gib - k->size_gib) / k->billed_gib);
	rule_set_number(c, "disk.iops", k->iops);
	rule_set_number(c, "disk.mbps", k->mbps);
	rule_set_number(
		c, "disk.bought_iops", provisioned ? fmax(0, k->bought_iops - d->iops_base) : 0);
	rule_set_number(
		c, "disk.bought_mbps", provisioned ? fmax(0, k->bought_mbps - free_mbps) : 0);
	rule_set_number(c, "disk.free_iops", provisioned ? d->iops_base : (double)NAN);
	rule_set_number(c, "disk.free_mbps", provisioned ? free_mbps : (double)NAN);
	rule_set_flag(c, "disk.bursts_on_demand", k->burst);
	rule_set_text(c, "disk.raised_to", k->raised ? k->raised->sku : NULL);
	rule_set_number(c, "disk.burst_iops", d->burst_iops * k->disks);
	rule_set_flag(c, "disk.ephemeral", d->ephemeral);
	rule_set_text(c, "disk.host_cache", k->host_cache);
	rule_set_flag(c, "disk.host_cache_allowed", k->cache_allowed);
	rule_set_text(c, "disk.redundancy", k->redundancy ? k->redundancy : d->copies);
	rule_set_flag(c, "disk.sequential_class", is_sequential(d->family));
	rule_set_number(c, "disk.count", k->disks);
	rule_set_number(c, "disk.monthly", k->priced ? k->monthly : (double)NAN);
	need_facts(s, k, c);
}

static void
latency_facts(const struct candidate_site *s, const struct candidate *k, struct rule_context *c)
{
	int role = s->demand->volume->role;
	bool matters = role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
	rule_set_number(c, "predicted.read_p99_ms", k->latency.read_p99.value / 1000);
	rule_set_number(c, "predicted.write_p99_ms", k->latency.write_p99.value / 1000);
	rule_set_text(c, "latency.trust",
		matters && k->latency.model ? names_text(&trust_names, k->latency.trust) : NULL);
}

void
policy_facts_of(const struct candidate_site *s, const struct candidate *c, struct rule_context *ctx)
{
	disk_facts(s, c, ctx);
	latency_facts(s, c, ctx);
}

void
policy_facts(const struct candidate_site *s, const struct candidate *c,
	const struct policy_outcome *o, struct rule_context *ctx)
{
	rule_context_clear(ctx);
	workload_facts(s, ctx);
	machine_facts(s, ctx);
	volume_facts(s, ctx);
	if (c)
		policy_facts_of(s, c, ctx);
	if (!o)
		return;
	rule_set_number(ctx, "machine.bought_iops", o->bought_iops);
	rule_set_number(ctx, "machine.bought_mbps", o->bought_mbps);
	rule_set_number(ctx, "machine.need_iops", o->need_iops);
	rule_set_number(ctx, "machine.need_mbps", o->need_mbps);
	rule_set_number(ctx, "machine.remote_iops", o->remote_iops);
	rule_set_number(ctx, "machine.remote_mbps", o->remote_mbps);
	rule_set_number(ctx, "machine.remote_used_frac",
		fmax(o->need_iops / o->remote_iops, o->need_mbps / o->remote_mbps));
	rule_set_number(ctx, "predicted.flush_mean_ms", o->flush_mean_ms);
	rule_set_number(ctx, "predicted.commit_p99_ms", o->commit_p99_ms);
	rule_set_number(ctx, "predicted.tx_p99_ms", o->tx_p99_ms);
	rule_set_number(ctx, "predicted.max_tps", o->max_tps);
	rule_set_number(ctx, "predicted.fast_disk_gain_frac", o->fast_disk_gain_frac);
	rule_set_flag(ctx, "bill.complete", o->bill_complete);
	rule_set_number(ctx, "v2.same_need_monthly", o->v2_monthly);
}

static bool
sets_other_cache(const struct rule *r, const struct candidate *c)
{
	return r->set && r->to && strcmp(r->set, "disk.host_cache") == 0 && c->host_cache &&
	       strcmp(r->to, c->host_cache) != 0;
}

void
policy_judge(const struct rule_pack *pack, const struct rule_context *ctx, struct candidate *c)
{
	c->penalty = 0;
	c->rule_broken = NULL;
	for (size_t i = 0; pack && i < pack->n; i++) {
		const struct rule *r = &pack->rules[i];
		if (r->kind != RULE_REQUIRE && r->kind != RULE_PREFER && r->kind != RULE_CONFIGURE)
			continue;
		if (rule_applies(r, ctx) != RULE_YES)
			continue;
		bool holds = rule_holds(r, ctx) == RULE_YES;
		if (r->kind == RULE_REQUIRE && !holds && !c->rule_broken)
			c->rule_broken = r->id;
		if (r->kind == RULE_PREFER && !holds)
			c->penalty++;
		if (r->kind == RULE_CONFIGURE && sets_other_cache(r, c))
			c->penalty++;
	}
}

bool
policy_breaks_at_any_rate(
	const struct candidate_site *s, const struct candidate *c, struct rule_context *ctx)
{
	const struct rule_pack *pack = s->in->rules;
	bool breaks = false;
	rule_set_flag(ctx, "need.relies_on_burst", 0);
	for (size_t i = 0; pack && i < pack->n && !breaks; i++) {
		const struct rule *r = &pack->rules[i];
		breaks = r->kind == RULE_REQUIRE && rule_applies(r, ctx) == RULE_YES &&
			 rule_holds(r, ctx) != RULE_YES;
	}
	need_facts(s, c, ctx);
	return breaks;
}

static const char *
text_of(const struct rule *r, const struct rule_context *ctx, struct arena *a)
{
	struct buf text;
	buf_init(&text, 8192);
	if (r->kind == RULE_REQUIRE)
		buf_printf(&text, "holds: %s", r->then_text ? r->then_text : r->id);
	else
		rule_text(r, ctx, &text);
	const char *copy = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return copy;
}

static const char *
value_of(const struct rule *r, const struct rule_context *ctx, struct arena *a)
{
	struct buf text;
	buf_init(&text, 8192);
	rule_value_text(r, ctx, &text);
	const char *copy = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return copy;
}

/* Requirements that hold, preferences that do not, and everything that only speaks. */
static bool
is_worth_saying(const struct rule *r, const struct rule_context *ctx)
{
	if (rule_applies(r, ctx) != RULE_YES)
		return false;
	return r->kind != RULE_PREFER || rule_holds(r, ctx) != RULE_YES;
}

int
policy_fire(const struct rule_pack *pack, const struct rule_context *ctx, const char *volume,
	struct arena *a, struct plan *plan, struct err *err)
{
	for (size_t i = 0; pack && i < pack->n; i++) {
		const struct rule *r = &pack->rules[i];
		if (r->per_volume != (volume != NULL) || !is_worth_saying(r, ctx))
			continue;
		struct plan_rule *rules = arena_grow(a, plan->rules, plan->n_rules, sizeof(*rules));
		if (!rules)
			return err_nomem(err);
		plan->rules = rules;
		rules[plan->n_rules++] = (struct plan_rule){.id = r->id,
			.kind = names_text(&rule_kind_names, r->kind),
			.volume = volume,
			.text = text_of(r, ctx, a),
			.set = r->set,
			.to = r->to ? value_of(r, ctx, a) : NULL,
			.why = r->why,
			.source = r->source,
			.as_of = r->as_of};
	}
	return 0;
}

/* What needs an answer first, what merely holds last. */
static int
weight(const struct plan_rule *r)
{
	static const int by_kind[RULE_KIND_COUNT] = {[RULE_WARN] = 0,
		[RULE_PREFER] = 1,
		[RULE_CONFIGURE] = 2,
		[RULE_CHECKLIST] = 3,
		[RULE_REQUIRE] = 4};
	int kind = names_find(&rule_kind_names, r->kind);
	return kind < 0 ? RULE_KIND_COUNT : by_kind[kind];
}

void
policy_sort(struct plan *plan)
{
	for (size_t i = 1; i < plan->n_rules; i++) {
		struct plan_rule r = plan->rules[i];
		size_t at = i;
		for (; at > 0 && weight(&plan->rules[at - 1]) > weight(&r); at--)
			plan->rules[at] = plan->rules[at - 1];
		plan->rules[at] = r;
	}
}

const char *
policy_text(const struct rule_pack *pack, const char *id, const struct rule_context *ctx,
	struct arena *a)
{
	const struct rule *r = pack ? rule_find(pack, id) : NULL;
	if (!r)
		return id;
	struct buf text;
	buf_init(&text, 8192);
	rule_text(r, ctx, &text);
	const char *copy = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return copy;
}
