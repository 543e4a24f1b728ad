/*
 * keep.c - today's disks: billed, judged by the constraints the candidates of the plan are judged by,
 * and kept where they meet everything and a change saves too little.
 *
 * A volume of which nothing is said is taken to be on the machine's own disk where the plan puts it
 * there; else today is not known as a whole.
 */
#include <math.h>
#include <string.h>

#include "advise/candidate_make.h"
#include "advise/today.h"
#include "advise/verdict.h"
#include "base/units.h"

#define KEEP_BELOW_FRAC 0.05 /* where the workload does not say */

struct work {
	struct build *b;
	struct plan_today *out;
	struct machine_option machine; /* that of today */
	struct chooser now; /* with that machine alone */
	const struct candidate *at[SEARCH_MAX_VOLUMES];
	bool missing; /* a volume is not known */
};

static bool
any_said(const struct build *b)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		if (b->today[v].said)
			return true;
	}
	return false;
}

/* The machine it runs on, else the plan's, with every volume's place on it. */
static int
set_machine(struct work *w, struct err *err)
{
	struct chooser *c = w->b->c;
	const struct workload_vm *vm = c->in->workload->vm;
	w->machine = c->options[w->b->choice.option];
	if (vm && vm->current) {
		int rc = limits_vm(c->in->limits, vm->current, &w->machine.vm, err);
		if (rc)
			return err_context(err, "the machine of today");
		struct bill bill;
		bill_init(&bill, c->in->book);
		rc = bill_add_vm(&bill, c->arena, c->in->book, vm->current, 1, NULL);
		w->machine.monthly = rc == 0 && bill.complete == 1 ? bill.total : (double)NAN;
	}
	struct candidate_site *sites = arena_array(c->arena, c->set.n, sizeof(*sites));
	if (!sites)
		return err_nomem(err);
	for (size_t v = 0; v < c->set.n; v++) {
		sites[v] = w->machine.sites[v];
		sites[v].vm = w->machine.vm;
	}
	w->machine.sites = sites;
	w->now = *c;
	w->now.options = &w->machine;
	w->now.n_options = 1;
	w->now.lag_open = false; /* its own lag is judged */
	w->out->machine = w->machine.vm ? w->machine.vm->sku : NULL;
	return 0;
}

static const char *
title_of(const struct build *b, const struct today *t)
{
	if (disk_limit_is_provisioned(t->disk))
		return limits_title(b->c->in->limits, t->disk->family);
	if (t->said->performance_plus == 1)
		return arena_printf(b->arena, "%s with performance plus", t->disk->sku);
	return t->tier ? arena_printf(
				 b->arena, "%s at the level of a %s", t->disk->sku, t->tier->sku)
		       : t->disk->sku;
}

/* Today's disk as a candidate among the others, with its own price. */
static int
candidate_of(struct work *w, size_t v, struct candidate *c, struct err *err)
{
	const struct today *t = &w->b->today[v];
	const struct candidate_site *site = &w->machine.sites[v];
	struct candidate_work made = {.site = site, .memo = candidate_memo_new(w->b->arena)};
	const char *title = title_of(w->b, t);
	if (!title)
		return err_nomem(err);
	candidate_clear(c, t->disk, title);
	c->raised = t->tier;
	c->plus = t->said->performance_plus == 1;
	c->place = disk_limit_is_provisioned(t->disk) ? PLACE_REMOTE_ULTRA : PLACE_REMOTE;
	c->size_gib = t->said->size_gib;
	c->billed_gib = t->billed_gib;
	c->disks = t->disks;
	c->bought_iops = t->config.iops;
	c->bought_mbps = t->config.mbps;
	c->iops = t->iops;
	c->mbps = t->mbps;
	c->host_cache = t->said->host_cache < 0
				? NULL
				: names_text(&workload_cache_names, t->said->host_cache);
	c->cache_allowed = t->cache_allowed;
	c->redundancy = t->config.redundancy;
	int rc = made.memo ? candidate_memo_missed(made.memo, site, &made.missed, err)
			   : err_nomem(err);
	rc = rc ? rc : candidate_finish(&made, c, err);
	c->priced = !isnan(t->monthly);
	c->monthly = c->priced ? t->monthly : 0;
	return rc;
}

/* The machine's own disk, where a volume that nothing is said of may be. */
static const struct candidate *
local_of(const struct build *b, size_t v)
{
	const struct candidate_list *list = &b->c->options[b->choice.option].lists[v];
	if (b->choice.found)
		return b->choice.at[v]->place == PLACE_LOCAL ? b->choice.at[v] : NULL;
	for (size_t i = 0; i < list->n; i++) {
		if (list->items[i].place == PLACE_LOCAL && !list->items[i].broken)
			return &list->items[i];
	}
	return NULL;
}

static int
add_text(struct build *b, const char ***texts, size_t *n, const char *text, struct err *err)
{
	const char **grown = arena_grow(b->arena, *texts, *n, sizeof(*grown));
	if (!grown || !text)
		return err_nomem(err);
	*texts = grown;
	grown[(*n)++] = text;
	return 0;
}

/* A breach makes it FAIL, or UNKNOWN where nothing but a missing figure stands behind it. */
static int
worse(int verdict, const struct breach *k)
{
	if (verdict_is_open(k))
		return verdict == PLAN_PASS ? PLAN_UNKNOWN : verdict;
	return PLAN_FAIL;
}

/* Every constraint of a volume, the price apart. */
static int
judge_volume(struct work *w, size_t v, const struct candidate *c, struct plan_today_volume *out,
	struct err *err)
{
	struct build *b = w->b;
	const struct candidate_site *site = &w->machine.sites[v];
	out->config = build_config(b, site, c, err);
	if (!out->config)
		return err_nomem(err);
	if (!c->priced)
		out->config->monthly = (double)NAN;
	policy_facts(site, c, NULL, &b->ctx);
	for (int id = 0; id < (int)CONSTRAINT_VM_IOPS; id++) {
		struct breach k = constraint_check((enum constraint_id)id, site, c, &b->ctx);
		if (!k.broken || id == (int)CONSTRAINT_PRICE)
			continue;
		out->verdict = worse(out->verdict, &k);
		int rc = add_text(b, &out->breaks, &out->n_breaks, k.text ? k.text : "", err);
		if (rc)
			return rc;
	}
	return 0;
}

static int
put_volume(struct work *w, size_t v, struct err *err)
{
	struct build *b = w->b;
	struct plan_today_volume *out = &w->out->volumes[w->out->n_volumes++];
	const struct candidate *local = local_of(b, v);
	*out = (struct plan_today_volume){.volume = b->c->set.volumes[v].label,
		.verdict = PLAN_PASS,
		.plan_monthly = b->choice.found ? b->choice.at[v]->monthly : (double)NAN,
		.iops_used_frac = (double)NAN,
		.mbps_used_frac = (double)NAN,
		.seen_p99_ms = (double)NAN,
		.expected_p99_ms = (double)NAN};
	if (!b->today[v].said && !local) {
		w->missing = true;
		out->verdict = PLAN_UNKNOWN;
		return add_text(b, &out->breaks, &out->n_breaks,
			"the workload does not say what it is on today", err);
	}
	struct candidate *c = arena_alloc(b->arena, sizeof(*c));
	if (!c)
		return err_nomem(err);
	if (b->today[v].said) {
		int rc = candidate_of(w, v, c, err);
		if (rc)
			return rc;
		policy_facts(&w->machine.sites[v], NULL, NULL, &b->ctx);
		constraint_check_all(&w->machine.sites[v], c, &b->ctx);
	} else {
		*c = *local;
	}
	w->at[v] = c;
	return judge_volume(w, v, c, out, err);
}

/* The recovery point, as the plan's is judged. */
static int
judge_recovery_point(struct work *w, struct err *err)
{
	const struct workload_sla *sla = w->b->c->in->workload->sla;
	struct build own = *w->b;
	struct choice choice = {.found = true, .complete = true};
	struct bill none;
	const struct plan *judged;
	if (!sla || isnan(sla->rpo_ms))
		return 0;
	bill_init(&none, w->b->c->in->book);
	memcpy(choice.at, w->at, sizeof(choice.at));
	own.c = &w->now;
	int rc = verdict_promises(&own, &choice, &none, &judged, err);
	for (size_t i = 0; rc == 0 && i < judged->n_sla; i++) {
		const struct plan_sla *s = &judged->sla[i];
		bool open = s->verdict == PLAN_UNKNOWN;
		if (strcmp(s->what, "recovery point") != 0 || s->verdict == PLAN_PASS)
			continue;
		if (!open || w->out->verdict == PLAN_PASS)
			w->out->verdict = s->verdict;
		rc = add_text(w->b, &w->out->breaks, &w->out->n_breaks,
			verdict_promise_text(w->b, s), err);
	}
	return rc;
}

/* Shared caps of the machine, and the transactions. */
static int
judge_together(struct work *w, struct err *err)
{
	struct plan_today *out = w->out;
	double used[CAP_COUNT];
	chooser_use(&w->now, 0, w->at, used);
	struct breach k[2] = {{.constraint = -1}, {.constraint = -1}};
	k[0] = constraint_machine_check(
		w->b->c->in->limits, w->machine.vm, w->b->c->set.headroom, used, 0, w->b->arena);
	k[1] = chooser_tx_breach(&w->now, 0, w->at, CONSTRAINT_BIT(CONSTRAINT_RPO));
	for (size_t i = 0; i < 2; i++) {
		if (!k[i].broken)
			continue;
		out->verdict = worse(out->verdict, &k[i]);
		int rc = add_text(
			w->b, &out->breaks, &out->n_breaks, k[i].text ? k[i].text : "", err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Nothing below this share of a cap is near it. */
static const double far_from_full = 0.8;

/* The fullest of the machine's caps, nothing kept free; NaN: none is known, or a volume is not. */
static double
machine_used(const struct work *w)
{
	double used[CAP_COUNT], cap[CAP_COUNT], most = (double)NAN;
	if (w->missing || !w->machine.vm)
		return most;
	chooser_use(&w->now, 0, w->at, used);
	constraint_machine_caps(w->b->c->in->limits, w->machine.vm, 0, cap);
	for (size_t i = 0; i < CAP_COUNT; i++) {
		if (isfinite(cap[i]) && cap[i] > 0 && i != CAP_DISKS && !constraint_cap_is_space(i))
			most = fmax(most, used[i] / cap[i]); /* skips NaN */
	}
	return most;
}

/*
 * What is seen against what the tier does at this load.  Twice as slow with every cap far away is not the
 * tier: the same is seen on another (field case 10: spikes of a snapshot, on every tier alike).
 */
static int
compare_seen(struct work *w, size_t v, double machine, struct err *err)
{
	struct build *b = w->b;
	struct plan_today_volume *out = &w->out->volumes[v];
	const struct candidate *c = w->at[v];
	const struct demand *d = &b->c->set.volumes[v];
	const struct workload_current *said = b->today[v].said;
	bool log = d->volume->role == WORKLOAD_WAL;
	if (!c)
		return 0;
	out->iops_used_frac = c->units / c->iops;
	out->mbps_used_frac = d->mbps / c->mbps;
	out->expected_p99_ms = (log ? c->latency.commit_p99.value : c->latency.read_p99.value) /
			       1000;
	out->seen_p99_ms = said ? said->seen_p99_ms : (double)NAN;
	double seen = out->seen_p99_ms, expected = out->expected_p99_ms;
	double disk = fmax(out->iops_used_frac, out->mbps_used_frac); /* skips NaN */
	double used = fmax(disk, machine);
	if (isnan(seen) || isnan(expected) || isnan(disk))
		return 0;
	const char *what = log ? "a commit" : "a read";
	out->not_the_tier = seen > 2 * expected && used < far_from_full;
	if (seen <= 2 * expected)
		out->seen_text = arena_printf(b->arena,
			"%s: %.3g ms at p99 seen of %s, %.3g ms expected of its tier at this load: "
			"the disk does what its tier does",
			out->volume, seen, what, expected);
	else if (!out->not_the_tier)
		out->seen_text = arena_printf(b->arena,
			"%s: %.3g ms at p99 seen of %s, and a cap of the %s is used to %.0f %%: "
			"more of it helps",
			out->volume, seen, what, disk >= far_from_full ? "disk" : "machine",
			used * 100);
	else
		out->seen_text = arena_printf(b->arena,
			"%s: %.3g ms at p99 seen of %s, %.3g ms expected of its tier, and no cap "
			"of "
			"disk or machine is used to more than %.0f %%: the tier is not what is "
			"slow, and another is expected to change nothing; look at what the "
			"database "
			"does then (snapshots, checkpoints, many files flushed at once), at the "
			"machine and the network",
			out->volume, seen, what, expected, used * 100);
	return out->seen_text ? 0 : err_nomem(err);
}

static int
judge(struct work *w, struct err *err)
{
	struct plan_today *out = w->out;
	size_t n = w->b->c->set.n;
	out->verdict = PLAN_PASS;
	out->volumes = arena_array(w->b->arena, n, sizeof(*out->volumes));
	if (!out->volumes)
		return err_nomem(err);
	int rc = 0;
	for (size_t v = 0; v < n && rc == 0; v++)
		rc = put_volume(w, v, err);
	if (rc == 0 && !w->missing)
		rc = judge_together(w, err);
	if (rc == 0 && !w->missing)
		rc = judge_recovery_point(w, err);
	double machine = machine_used(w);
	for (size_t v = 0; v < n && rc == 0; v++)
		rc = compare_seen(w, v, machine, err);
	for (size_t v = 0; v < out->n_volumes; v++) {
		int verdict = out->volumes[v].verdict;
		if (verdict == PLAN_FAIL || (verdict == PLAN_UNKNOWN && out->verdict == PLAN_PASS))
			out->verdict = verdict;
	}
	return rc;
}

/* ---- money ---- */

/* The machines cost something else where they are another size, or where the plan chose among several. */
static bool
machines_count(const struct work *w)
{
	const struct chooser *c = w->b->c;
	const struct vm_limit *plan = c->options[w->b->choice.option].vm;
	return w->machine.vm &&
	       (c->machine_counts || strcmp(w->machine.vm->sku, plan ? plan->sku : "") != 0);
}

static int
put_bill(struct work *w, struct err *err)
{
	struct build *b = w->b;
	const struct price_book *book = b->c->in->book;
	double machines = b->c->machines;
	struct bill *bill = arena_alloc(b->arena, sizeof(*bill));
	bool known = true;
	if (!bill)
		return err_nomem(err);
	bill_init(bill, book);
	for (size_t v = 0; v < b->c->set.n; v++) {
		struct disk_config config = b->today[v].config;
		if (!b->today[v].said)
			continue;
		config.disks *= machines;
		/* its settings were found good and its price known, or not, in today.c */
		bool priced = !isnan(b->today[v].monthly) &&
			      bill_add_disk(bill, b->arena, book, &config,
				      b->c->set.volumes[v].label, NULL) == 0;
		known = known && priced;
		if (priced)
			w->out->known_monthly = fmax(0, w->out->known_monthly) +
						b->today[v].monthly * machines;
	}
	w->out->bill = bill;
	w->out->storage_monthly = known && bill->complete == 1 ? bill->total : (double)NAN;
	if (machines_count(w))
		bill_add_vm(bill, b->arena, book, w->machine.vm->sku, machines, NULL);
	return 0;
}

/* The total is over the budget, or not known; counted as the plan's is. */
static int
judge_budget(struct work *w, struct err *err)
{
	struct build *b = w->b;
	struct plan_today *out = w->out;
	const struct workload_budget *budget = b->c->in->workload->budget;
	double cost = out->storage_monthly;
	if (b->c->machine_counts)
		cost += w->machine.monthly * b->c->machines;
	if (w->missing)
		cost = (double)NAN;
	if (!budget || cost <= budget->monthly)
		return 0;
	if (!isnan(cost) || out->verdict == PLAN_PASS)
		out->verdict = isnan(cost) ? PLAN_UNKNOWN : PLAN_FAIL;
	const char *money = build_money(b, budget->monthly);
	return add_text(b, &out->breaks, &out->n_breaks,
		isnan(cost) ? arena_printf(b->arena,
				      "what it costs is not known, so nor whether it is inside the "
				      "budget of %s",
				      money)
			    : arena_printf(b->arena, "%s a month, the budget is %s",
				      build_money(b, cost), money),
		err);
}

/* What is left of the saving once moving is paid, and after how many months it is. */
static void
weigh_move(struct plan_today *out)
{
	out->net_saving = out->horizon_saving - out->migration_cost;
	if (out->change < 0)
		out->payback_months = out->migration_cost / -out->change;
}

static void
compare(struct work *w)
{
	struct plan_today *out = w->out;
	const struct build *b = w->b;
	const struct workload_finance *f = b->c->in->workload->finance;
	bool with_machines = machines_count(w);
	double plan_machines = b->c->options[b->choice.option].monthly * b->c->machines;
	out->machine_monthly = with_machines ? w->machine.monthly * b->c->machines : (double)NAN;
	out->monthly = with_machines ? out->storage_monthly + out->machine_monthly
				     : out->storage_monthly;
	if (w->missing)
		out->monthly = (double)NAN;
	if (with_machines && !isnan(out->machine_monthly))
		out->known_monthly = fmax(0, out->known_monthly) + out->machine_monthly;
	out->keep_below_frac = f && !isnan(f->keep_below_frac) ? f->keep_below_frac
							       : KEEP_BELOW_FRAC;
	out->migration_cost = f ? f->migration_cost : (double)NAN;
	if (!b->choice.found || !b->choice.complete)
		return;
	out->plan_monthly = with_machines ? b->choice.storage_monthly + plan_machines
					  : b->choice.storage_monthly;
	out->change = out->plan_monthly - out->monthly;
	out->change_frac = out->monthly > 0 ? out->change / out->monthly : (double)NAN;
	out->horizon_saving = -out->change * b->c->set.horizon_months;
	weigh_move(out);
	bool small = -out->change < out->keep_below_frac * out->monthly;
	bool eaten = out->horizon_saving < out->migration_cost;
	out->keep = out->verdict == PLAN_PASS && (small || eaten);
}

/* ---- words ---- */

/* "wal on P20, data on 2 x P30" */
static const char *
placement(const struct work *w)
{
	struct buf text;
	buf_init(&text, 16384);
	for (size_t v = 0; v < w->b->c->set.n; v++)
		buf_printf(&text, "%s%s on %s", v ? ", " : "", w->b->c->set.volumes[v].label,
			w->at[v] ? candidate_name(w->at[v], w->b->arena) : "what is not said");
	const char *copy = arena_strdup(w->b->arena, buf_text(&text));
	buf_fini(&text);
	return copy ? copy : "";
}

/* Why the saving is too little. */
static const char *
too_little(const struct build *b, const struct plan_today *t)
{
	if (t->change >= 0)
		return "no plan that meets every constraint is cheaper";
	const char *saving = build_money(b, -t->change);
	if (-t->change < t->keep_below_frac * t->monthly)
		return arena_printf(b->arena,
			"the cheapest plan that does would save %s a month (%.1f %%), and a change "
			"has to "
			"save %g %%",
			saving, -100 * t->change_frac, 100 * t->keep_below_frac);
	return arena_printf(b->arena,
		"the cheapest plan that does would save %s a month, %s over %g months, and moving "
		"costs %s, which is back after %.1f months",
		saving, build_money(b, t->horizon_saving), b->c->set.horizon_months,
		build_money(b, t->migration_cost), t->payback_months);
}

/* "USD 12.00 a month", "at least USD 12.00 a month, incomplete" */
static const char *
today_cost(const struct build *b, const struct plan_today *t)
{
	if (!isnan(t->monthly))
		return arena_printf(b->arena, "%s a month", build_money(b, t->monthly));
	return isnan(t->known_monthly) ? "a price that is not known"
				       : arena_printf(b->arena, "at least %s a month, incomplete",
						 build_money(b, t->known_monthly));
}

static const char *
verdict_text(const struct work *w)
{
	const struct build *b = w->b;
	const struct plan_today *t = w->out;
	const char *cost = today_cost(b, t);
	if (t->keep == 1)
		return arena_printf(b->arena,
			"Keep what you have (%s): it meets every constraint for %s; %s.",
			placement(w), cost, too_little(b, t));
	const char *verdict = t->verdict == PLAN_PASS   ? "meets every constraint"
			      : t->verdict == PLAN_FAIL ? "does not meet every constraint"
							: "cannot be judged in full";
	return arena_printf(b->arena, "Today (%s, %s) %s.", placement(w), cost, verdict);
}

int
build_today(struct build *b, struct err *err)
{
	if (!any_said(b))
		return 0;
	struct work *w = arena_alloc(b->arena, sizeof(*w));
	struct plan_today *out = arena_alloc(b->arena, sizeof(*out));
	if (!w || !out)
		return err_nomem(err);
	*out = (struct plan_today){.storage_monthly = (double)NAN,
		.known_monthly = (double)NAN,
		.plan_monthly = (double)NAN,
		.change = (double)NAN,
		.change_frac = (double)NAN,
		.horizon_saving = (double)NAN,
		.net_saving = (double)NAN,
		.payback_months = (double)NAN};
	*w = (struct work){.b = b, .out = out};
	int rc = set_machine(w, err);
	rc = rc ? rc : judge(w, err);
	rc = rc ? rc : put_bill(w, err);
	if (rc)
		return rc;
	rc = judge_budget(w, err);
	if (rc)
		return rc;
	compare(w);
	out->text = verdict_text(w);
	b->plan->today = out;
	return out->text ? 0 : err_nomem(err);
}
