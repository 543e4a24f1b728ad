/*
 * fire.c - the rules that speak of a whole plan and of its volumes, with the values of the plan.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"

/* What a Premium SSD v2 disk for the same need costs: a fact of the rules. */
static double
v2_monthly(const struct build *b, size_t v)
{
	const struct candidate_list *list = &b->c->options[b->choice.option].lists[v];
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *c = &list->items[i];
		unsigned rate = CONSTRAINT_BIT(CONSTRAINT_IOPS) | CONSTRAINT_BIT(CONSTRAINT_MBPS) |
				CONSTRAINT_BIT(CONSTRAINT_PRICE);
		if (strcmp(c->disk->family, "premium_ssd_v2") == 0 && !(c->broken & rate))
			return c->monthly;
	}
	return (double)NAN;
}

static double
flush_mean_ms(const struct build *b)
{
	double worst = (double)NAN;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (b->c->set.volumes[v].volume->role == WORKLOAD_WAL)
			worst = fmax(worst, c->latency.commit_mean.value / 1000);
	}
	return worst;
}

/* What the machine lets the chosen remote disks do together: its column for Ultra and Premium SSD v2
 * counts only with such a disk. */
static void
remote_caps(const struct build *b, struct policy_outcome *o)
{
	double cap[CAP_COUNT];
	bool apart = false;
	for (size_t v = 0; v < b->c->set.n; v++)
		apart |= b->choice.at[v] && b->choice.at[v]->place == PLACE_REMOTE_ULTRA;
	constraint_machine_caps(b->c->in->limits, b->c->options[b->choice.option].vm, 0, cap);
	double iops = cap[apart ? CAP_REMOTE_IOPS : CAP_UNCACHED_IOPS];
	double mbps = cap[apart ? CAP_REMOTE_MBPS : CAP_UNCACHED_MBPS];
	o->remote_iops = isinf(iops) ? (double)NAN : iops;
	o->remote_mbps = isinf(mbps) ? (double)NAN : mbps;
}

/* Nothing fits together: what the machine lacks for the choice that comes nearest, and other warnings. */
int
build_fire_near(struct build *b, struct err *err)
{
	const struct plan_machine *m = b->plan->machine;
	const double no = (double)NAN;
	struct policy_outcome o = {.bought_iops = no,
		.bought_mbps = no,
		.need_iops = m ? m->need_iops : no,
		.need_mbps = m ? m->need_mbps : no,
		.flush_mean_ms = no,
		.commit_p99_ms = no,
		.tx_p99_ms = no,
		.max_tps = no,
		.fast_disk_gain_frac = no,
		.bill_complete = -1,
		.v2_monthly = no};
	if (!b->near || !m)
		return 0;
	remote_caps(b, &o);
	policy_facts(&b->c->options[b->choice.option].sites[0], NULL, &o, &b->ctx);
	int rc = policy_fire(b->c->in->rules, &b->ctx, NULL, b->arena, b->plan, err);
	size_t kept = 0;
	for (size_t i = 0; i < b->plan->n_rules; i++) {
		if (strcmp(b->plan->rules[i].kind, names_text(&rule_kind_names, RULE_WARN)) == 0)
			b->plan->rules[kept++] = b->plan->rules[i];
	}
	b->plan->n_rules = kept;
	return rc;
}

int
build_fire_rules(struct build *b, struct err *err)
{
	const struct plan_machine *m = b->plan->machine;
	struct policy_outcome o = {.bought_iops = m ? m->bought_iops : (double)NAN,
		.bought_mbps = m ? m->bought_mbps : (double)NAN,
		.need_iops = m ? m->need_iops : (double)NAN,
		.need_mbps = m ? m->need_mbps : (double)NAN,
		.flush_mean_ms = flush_mean_ms(b),
		.commit_p99_ms = b->has_tx ? b->tx.commit_p99_ms.value : (double)NAN,
		.tx_p99_ms = b->has_tx ? b->tx.tx_p99_ms.value : (double)NAN,
		.max_tps = b->has_tx ? b->tx.max_tps : (double)NAN,
		.fast_disk_gain_frac = b->has_tx ? b->tx.fast_disk_gain_frac : (double)NAN,
		.bill_complete = b->choice.complete,
		.v2_monthly = (double)NAN};
	const struct machine_option *option = &b->c->options[b->choice.option];
	const struct rule_pack *pack = b->c->in->rules;
	remote_caps(b, &o);
	policy_facts(&option->sites[0], NULL, &o, &b->ctx);
	build_settings_facts(b, o.flush_mean_ms, &option->sites[0], NULL);
	int rc = policy_fire(pack, &b->ctx, NULL, b->arena, b->plan, err);
	for (size_t v = 0; v < b->c->set.n && rc == 0; v++) {
		o.v2_monthly = v2_monthly(b, v);
		policy_facts(&option->sites[v], b->choice.at[v], &o, &b->ctx);
		build_settings_facts(b, o.flush_mean_ms, &option->sites[v], b->choice.at[v]);
		build_facts(b, v);
		rc = policy_fire(pack, &b->ctx, b->c->set.volumes[v].label, b->arena, b->plan, err);
	}
	policy_sort(b->plan);
	return rc;
}
