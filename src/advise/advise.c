/*
 * advise.c - from the input to the plan: search, then everything a report says about the result.
 */
#include "advise/advise.h"

#include <math.h>
#include <string.h>

#include "advise/today.h"
#include "base/clock.h"
#include "base/units.h"
#include "tco/unit_cost.h"

const char *
build_money(const struct build *b, double amount)
{
	char text[48];
	units_money_text(amount, 2, text);
	return arena_printf(b->arena, "%s %s", b->c->in->book->currency, text);
}

const char *
build_placement(const struct build *b, const struct choice *choice)
{
	struct buf text;
	buf_init(&text, 16384);
	for (size_t v = 0; v < b->c->set.n; v++)
		buf_printf(&text, "%s%s on %s", v ? ", " : "", b->c->set.volumes[v].label,
			choice->at[v] ? candidate_name(choice->at[v], b->arena) : "nothing");
	const struct vm_limit *vm = b->c->options[choice->option].vm;
	if (vm && b->c->machine_counts)
		buf_printf(&text, "; machine %s", build_machine(b, vm));
	const char *copy = arena_strdup(b->arena, buf_text(&text));
	buf_fini(&text);
	return copy ? copy : "";
}

static void
fill_head(struct build *b)
{
	const struct advise_input *in = b->c->in;
	const struct workload *w = in->workload;
	struct plan *p = b->plan;
	char now[21];
	clock_iso_text(clock_epoch_s(), now);
	p->name = w->name ? w->name : "workload";
	p->created = arena_strdup(b->arena, now);
	p->tool = in->tool;
	p->engine = w->engine < 0 ? NULL : names_text(&workload_engine_names, w->engine);
	p->provider = in->book->provider;
	p->region = in->book->region;
	p->currency = in->book->currency;
	p->price_age_days = in->price_age_days;
	p->price_as_of = in->book->as_of;
	p->price_source = in->book->source;
	p->hours_per_month = in->book->hours_per_month;
	p->headroom = b->c->set.headroom;
	p->stripe_saving_frac = b->c->set.stripe_saving_frac;
	p->horizon_months = b->c->set.horizon_months;
	p->inputs = in->inputs;
	p->n_inputs = in->n_inputs;
}

/* ": usable are 6,400 of 15,000 IOPS and 96 of 600 MB/s (16 %), and 504 MB/s of the disks are not reachable" */
static const char *
stranded_text(struct build *b, const struct plan_machine *m)
{
	double iops = fmin(m->bought_iops, m->remote_iops);
	double mbps = fmin(m->bought_mbps, m->remote_mbps);
	char use_iops[32], all_iops[32], use_mbps[32], all_mbps[32], lost[32];
	if (isnan(m->bought_mbps) || isnan(m->bought_iops))
		return "";
	units_count_text(iops, use_iops);
	units_count_text(m->bought_iops, all_iops);
	units_count_text(mbps, use_mbps);
	units_count_text(m->bought_mbps, all_mbps);
	units_count_text(m->bought_mbps - mbps, lost);
	const char *text = arena_printf(b->arena,
		": usable are %s of %s IOPS and %s of %s MB/s (%.0f %%), and %s MB/s of the disks "
		"are "
		"not reachable",
		use_iops, all_iops, use_mbps, all_mbps, 100 * mbps / m->bought_mbps, lost);
	return text ? text : "";
}

static const char *
machine_note(struct build *b, const struct plan_machine *m)
{
	if (m->bought_iops > m->remote_iops || m->bought_mbps > m->remote_mbps)
		return arena_printf(b->arena,
			"the disks could do more together than the machine lets through%s; "
			"sustained "
			"caps, %g %% kept free, burst not counted",
			stranded_text(b, m), b->c->set.headroom * 100);
	return arena_printf(b->arena, "sustained caps, %g %% kept free, burst not counted",
		b->c->set.headroom * 100);
}

/* What the remote disks could do together, and which of the machine's caps is theirs. */
static void
sum_disks(const struct build *b, const struct vm_limit *vm, struct plan_machine *m)
{
	double cap[CAP_COUNT];
	constraint_machine_caps(b->c->in->limits, vm, 0, cap);
	m->bought_iops = m->bought_mbps = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (c->place == PLACE_LOCAL)
			continue;
		m->bought_iops += c->iops;
		m->bought_mbps += c->mbps;
		if (c->place != PLACE_REMOTE_ULTRA)
			continue;
		m->remote_iops = isfinite(cap[CAP_REMOTE_IOPS]) ? cap[CAP_REMOTE_IOPS]
								: (double)NAN;
		m->remote_mbps = isfinite(cap[CAP_REMOTE_MBPS]) ? cap[CAP_REMOTE_MBPS]
								: (double)NAN;
	}
}

static int
fill_machine(struct build *b, struct err *err)
{
	const struct machine_option *o = &b->c->options[b->choice.option];
	const struct vm_limit *vm = o->vm;
	if (!vm)
		return 0;
	struct plan_machine *m = arena_alloc(b->arena, sizeof(*m));
	if (!m)
		return err_nomem(err);
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	*m = (struct plan_machine){.sku = vm->sku,
		.interface = vm->interface,
		.count = b->c->machines,
		.vcpus = vm->vcpus,
		.ram_gib = vm->ram_gib,
		.uncached_iops = vm->uncached_iops,
		.uncached_mbps = vm->uncached_mbps * unit,
		.remote_iops = vm->uncached_iops,
		.remote_mbps = vm->uncached_mbps * unit,
		.ultra_iops = vm->ultra_iops,
		.cached_iops = vm->cached_iops,
		.cached_mbps = vm->cached_mbps * unit,
		.need_iops = (double)NAN,
		.need_mbps = (double)NAN,
		.bought_iops = (double)NAN,
		.bought_mbps = (double)NAN,
		.monthly = o->monthly * b->c->machines};
	if (b->choice.found || b->near) {
		double used[CAP_COUNT], usable = 1 - b->c->set.headroom;
		chooser_use(b->c, b->choice.option, b->choice.at, used);
		m->need_iops = used[CAP_REMOTE_IOPS] / usable;
		m->need_mbps = used[CAP_REMOTE_MBPS] / usable;
	}
	if (b->choice.found)
		sum_disks(b, vm, m);
	m->note = machine_note(b, m);
	if (vm->interface && strcmp(vm->interface, "NVMe") == 0 && build_machine(b, vm) != vm->sku)
		m->note = arena_printf(b->arena,
			"%s; on the NVMe controller, which needs a Generation 2 machine and an "
			"image with NVMe drivers",
			m->note);
	b->plan->machine = m;
	return 0;
}

int
build_bill(struct build *b, struct err *err)
{
	struct bill *bill = arena_alloc(b->arena, sizeof(*bill));
	if (!bill)
		return err_nomem(err);
	bill_init(bill, b->c->in->book);
	const struct machine_option *o = &b->c->options[b->choice.option];
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		struct err gap = {0};
		if (c->place == PLACE_LOCAL)
			continue;
		struct disk_config config = candidate_bill_config(c, &o->sites[v], b->c->machines);
		int rc = bill_add_disk(
			bill, b->arena, b->c->in->book, &config, b->c->set.volumes[v].label, &gap);
		if (rc) {
			if (err)
				*err = gap;
			return rc;
		}
		if (!c->priced)
			findings_add(b->findings, SEVERITY_WARNING, "price-unknown",
				"add the price to the book, with its source and date", "%s: %s",
				b->c->set.volumes[v].label, c->price_gap);
	}
	b->plan->bill = bill;
	struct err gap = {0};
	return b->c->machine_counts ? bill_add_vm(bill, b->arena, b->c->in->book, o->vm->sku,
					      b->c->machines, &gap)
				    : 0;
}

double
build_low(const struct build *b)
{
	const struct bill *bill = b->plan->bill;
	return bill && !isnan(bill->total_low) ? bill->total_low : b->choice.monthly;
}

/* "USD 108.67 to USD 113.65", "at least USD 108.67" */
static const char *
total_text(const struct build *b)
{
	double low = build_low(b);
	const char *least = build_money(b, low);
	if (!b->choice.complete)
		return arena_printf(b->arena, "at least %s", least);
	return low < b->choice.monthly ? arena_printf(b->arena, "%s to %s", least,
						 build_money(b, b->choice.monthly))
				       : least;
}

/* Nothing; or that the budget is, or may be, broken. */
static const char *
budget_text(const struct build *b)
{
	const struct workload_budget *budget = b->c->in->workload->budget;
	if (!budget || b->choice.monthly <= budget->monthly)
		return "";
	return arena_printf(b->arena, ", %s the budget of %s",
		build_low(b) > budget->monthly ? "over" : "perhaps over",
		build_money(b, budget->monthly));
}

static const char *
cost_basis(struct build *b, double rate, double work_rate, double utilisation)
{
	if (isnan(work_rate))
		return "no transactions, so no unit cost";
	char max[32], used[32];
	units_count_text(rate, max);
	units_count_text(work_rate, used);
	const char *what = b->c->machine_counts ? "storage and machines" : "storage alone";
	const char *rate_text =
		isnan(rate) ? "price of a rate: not known, no highest rate is predicted"
			    : arena_printf(b->arena,
				      "price of a rate: %s a month over the %s transactions/s it "
				      "can do at most",
				      what, max);
	return arena_printf(b->arena,
		"%s; price of work: %s over %s transactions/s x %g %% of %g h; %s", rate_text, what,
		used, utilisation * 100, b->plan->hours_per_month,
		b->c->machines > 1 ? "all machines, the rate of one" : "one machine");
}

static int
fill_cost(struct build *b, struct err *err)
{
	struct plan_cost *c = arena_alloc(b->arena, sizeof(*c));
	if (!c)
		return err_nomem(err);
	const struct machine_option *o = &b->c->options[b->choice.option];
	double target = b->c->set.has_tx ? b->c->set.tx.target_tps : (double)NAN;
	double max = b->has_tx ? b->tx.max_tps : (double)NAN;
	double work = fmin(target, max); /* fmin skips NaN: whichever is known */
	double utilisation = b->c->set.has_tx ? b->c->set.tx.utilisation : (double)NAN;
	*c = (struct plan_cost){.storage_monthly = b->choice.storage_monthly,
		.machine_monthly = b->c->machine_counts ? o->monthly * b->c->machines : (double)NAN,
		.monthly = b->choice.monthly,
		.complete = b->choice.complete,
		.utilisation = utilisation,
		.per_ktpm_month = unit_cost_of_rate(b->choice.monthly, max),
		.per_1000_tx = unit_cost_of_work(
			b->choice.monthly, work, utilisation, b->plan->hours_per_month)};
	c->basis = cost_basis(b, max, work, utilisation);
	b->plan->cost = c;
	return 0;
}

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
static int
fire_near(struct build *b, struct err *err)
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

static int
fire_rules(struct build *b, struct err *err)
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

/*
 * How to measure the tier of a candidate.  One disk of it, also for a stripe: the stripe is computed.
 * The key is the SKU, which beats every other, and one file serves all volumes on it.
 */
static const char *
measure_hint(struct build *b, const struct candidate *c)
{
	struct candidate one = *c;
	one.disks = 1;
	/* a local disk is named by its machine; its profile is given for the tier */
	const char *sku = c->place == PLACE_LOCAL ? c->disk->family : c->disk->sku;
	return arena_printf(b->arena,
		"tierwise bench DIR -o %s.json with DIR on one %s, then recommend --profile "
		"%s=%s.json",
		sku, candidate_name(&one, b->arena), sku, sku);
}

/*
 * A measured profile that does not hold what was asked of it: the block size of the volume, or
 * samples enough for its p99.
 */
static bool
note_thin_profile(struct build *b, const struct candidate *c, const char *label)
{
	const struct disk_model *m = c->latency.model;
	if (m->trust != TRUST_MEASURED && m->trust != TRUST_IMPORTED)
		return false;
	findings_add(b->findings, SEVERITY_WARNING, "latency-trust",
		"a block size bench does not measure: import fio results at that size; too few "
		"samples for p99: bench with a longer --time",
		"%s: the latency of %s is %s from a profile that is %s (%s): it lacks the block "
		"size or the percentile asked for",
		label, candidate_name(c, b->arena), names_text(&trust_names, c->latency.trust),
		names_text(&trust_names, m->trust), c->latency.source);
	return true;
}

/* A machine that takes the disk by a derivation, not by its own page. */
static void
note_support(struct build *b)
{
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	const char *support = vm ? vm->premium_v2_support : NULL;
	if (!support || !strstr(support, "derived"))
		return;
	struct buf labels;
	buf_init(&labels, 400);
	const char *title = NULL;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (strcmp(c->disk->family, "premium_ssd_v2") != 0)
			continue;
		buf_printf(&labels, "%s%s", title ? ", " : "", b->c->set.volumes[v].label);
		title = c->title;
	}
	if (title)
		findings_add(b->findings, SEVERITY_WARNING, "support-derived",
			"look at the machine's page and the list of regions", "%s: %s on %s: %s",
			buf_text(&labels), title, vm->sku, support);
	buf_fini(&labels);
}

/* Which latencies the decision rests on, and what would replace them by a measurement. */
static void
note_trust(struct build *b)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		int role = b->c->set.volumes[v].volume->role;
		bool matters = role == WORKLOAD_WAL || role == WORKLOAD_DATA ||
			       role == WORKLOAD_INDEX;
		const char *label = b->c->set.volumes[v].label;
		if (!matters)
			continue;
		if (!c->latency.model) {
			findings_add(b->findings, SEVERITY_WARNING, "latency-unknown",
				measure_hint(b, c), "%s: nothing is said of the latency of %s (%s)",
				label, c->disk->sku,
				c->latency.unknown ? c->latency.unknown : "no data");
			continue;
		}
		if (c->latency.trust != TRUST_PUBLISHED && c->latency.trust != TRUST_ASSUMED)
			continue;
		if (note_thin_profile(b, c, label))
			continue;
		findings_add(b->findings, SEVERITY_WARNING, "latency-trust", measure_hint(b, c),
			"%s: the latency of %s is %s (%s), not measured on it", label,
			candidate_name(c, b->arena), names_text(&trust_names, c->latency.trust),
			c->latency.source);
	}
}

/* What the fit had to say about a profile the decision rests on, once a profile. */
static void
note_models(struct build *b)
{
	const struct disk_model *seen[SEARCH_MAX_VOLUMES] = {NULL};
	size_t n = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct disk_model *m = b->choice.at[v]->latency.model;
		bool known = !m || m->n_findings == 0;
		for (size_t i = 0; i < n && !known; i++)
			known = seen[i] == m;
		if (known)
			continue;
		seen[n++] = m;
		findings_add(b->findings, SEVERITY_NOTE, "profile-findings",
			"read them with tierwise fit before relying on the latency",
			"the profile %s has %zu findings of its own, the first: %s",
			m->name ? m->name : "", m->n_findings, m->findings[0].text);
	}
}

/* Local disks whose documents give reads only: the caps used for writes are those of reads. */
static void
note_local_writes(struct build *b)
{
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		bool local = b->choice.at[v]->place == PLACE_LOCAL;
		bool writes = d->write_iops > 0 || d->volume->write_mbps > 0;
		bool known = vm && !isnan(vm->temp_write_iops) && !isnan(vm->temp_write_mbps);
		if (!local || !writes || known)
			continue;
		findings_add(b->findings, SEVERITY_WARNING, "local-writes-unknown",
			"measure the local disk with tierwise bench before relying on it",
			"%s: the documents give the reads of the %s only; its writes are held "
			"against "
			"the same caps, which they may not reach",
			d->label, b->choice.at[v]->disk->sku);
	}
}

static void
set_verdict(struct build *b)
{
	int verdict = b->choice.found ? PLAN_PASS : b->undecided ? PLAN_UNKNOWN : PLAN_FAIL;
	for (size_t i = 0; i < b->plan->n_sla && verdict != PLAN_FAIL; i++) {
		int row = b->plan->sla[i].verdict;
		if (row == PLAN_FAIL || row == PLAN_UNKNOWN)
			verdict = row;
	}
	b->plan->verdict = verdict;
}

/* "not met: recovery point and monthly budget" */
static const char *
not_met(const struct build *b)
{
	struct buf names;
	size_t n = 0;
	buf_init(&names, 4096);
	for (size_t i = 0; i < b->plan->n_sla; i++) {
		if (b->plan->sla[i].verdict == PLAN_FAIL)
			buf_printf(&names, "%s%s", n++ ? " and " : "", b->plan->sla[i].what);
	}
	const char *text = arena_printf(b->arena, "not met: %s", buf_text(&names));
	buf_fini(&names);
	return text ? text : "a promise is not met";
}

static void
set_sentence(struct build *b)
{
	if (!b->choice.found)
		return;
	size_t unknown = 0;
	for (size_t i = 0; i < b->plan->n_sla; i++)
		unknown += b->plan->sla[i].verdict == PLAN_UNKNOWN;
	const char *says = b->plan->n_sla == 0 ? "every constraint is met, nothing is promised"
			   : b->plan->verdict == PLAN_PASS ? "every promise is met"
			   : b->plan->verdict == PLAN_FAIL
				   ? not_met(b)
				   : arena_printf(b->arena,
					     "%zu of %zu promises cannot be judged yet, the others "
					     "are met",
					     unknown, b->plan->n_sla);
	const char *money = budget_text(b);
	b->plan->sentence = arena_printf(b->arena, "%s: %s a month%s%s%s; %s.",
		build_placement(b, &b->choice), total_text(b),
		b->choice.complete ? "" : ", incomplete",
		b->c->machine_counts ? "" : " for storage alone", money ? money : "", says);
}

static void
put_search(const struct build *b, struct advise_search *out)
{
	const struct chooser *c = b->c;
	*out = (struct advise_search){.n_volumes = c->set.n,
		.stripe_saving_frac = c->set.stripe_saving_frac,
		.n_machines = c->n_options,
		.counts = b->choice.counts,
		.predictions = c->n_predictions,
		.found = b->choice.found,
		.monthly = b->choice.monthly};
	for (size_t k = 0; k < c->set.n; k++) {
		out->label[k] = c->set.volumes[c->order[k]].label;
		for (size_t o = 0; o < c->n_options; o++)
			out->candidates[k] += c->options[o].lists[c->order[k]].n;
	}
}

/* The cheapest; `most` of its prices may be missing where no choice lacks fewer. */
static int
solve(struct build *b, enum choose_prices most, struct err *err)
{
	const struct choose_filter filter = {.relaxed = 0};
	return chooser_solve_unpriced(b->c, &filter, most, &b->choice, &b->prices, err);
}

/* Where no choice has a price, the cheapest at what is known of it. */
static int
search(struct build *b, struct err *err)
{
	const struct workload_sla *sla = b->c->in->workload->sla;
	int rc = solve(b, CHOOSE_PRICED_DISKS, err);
	/* what is not known before what is known to fail */
	if (rc == 0 && !b->choice.found && sla && !isnan(sla->rto_hours)) {
		chooser_let_restore_open(b->c);
		rc = solve(b, CHOOSE_PRICED_DISKS, err);
	}
	if (rc == 0 && !b->choice.found && sla && !isnan(sla->rpo_ms)) {
		b->c->lag_open = true;
		rc = solve(b, CHOOSE_PRICED_DISKS, err);
	}
	if (rc == 0 && !b->choice.found)
		rc = solve(b, CHOOSE_UNPRICED, err);
	if (rc == 0 && b->c->in->search)
		put_search(b, b->c->in->search);
	return rc;
}

/* Today beside the decision; and that no disk is the matter, where none is. */
static int
say_more(struct build *b, struct err *err)
{
	struct plan *p = b->plan;
	int rc = build_today_sentence(b, err);
	if (rc || !p->fast_disk || p->fast_disk->not_storage != 1)
		return rc;
	p->sentence = arena_printf(b->arena, "%s %s.", p->sentence, p->fast_disk->text);
	return p->sentence ? 0 : err_nomem(err);
}

/* What a faster plan and another tier would cost. */
static int
other_plans(struct build *b, struct err *err)
{
	if (b->c->in->brief)
		return 0;
	int rc = build_pareto(b, err);
	return rc ? rc : build_break_even(b, err);
}

/* What is said of every answer: the search, and what it says about today, promises and money. */
static int
answer(struct build *b, struct err *err)
{
	fill_head(b);
	int rc = today_find(b, err);
	rc = rc ? rc : search(b, err);
	rc = rc ? rc : build_volumes(b, err);
	if (rc == 0)
		rc = b->choice.found ? build_bill(b, err) : build_miss(b, err);
	rc = rc ? rc : build_promises(b, err);
	rc = rc ? rc : build_today(b, err);
	rc = rc ? rc : build_fast_disk(b, err);
	rc = rc ? rc : fill_machine(b, err);
	rc = rc ? rc : build_burst(b, err);
	rc = rc ? rc : build_backup(b, err);
	rc = rc ? rc : build_recovery(b, err);
	return rc ? rc : build_budget(b, err);
}

/* Nothing fits. */
static int
say_miss(struct build *b, struct err *err)
{
	int rc = build_value(b, err);
	rc = rc ? rc : build_options(b, err);
	rc = rc ? rc : other_plans(b, err);
	rc = rc ? rc : fire_near(b, err);
	set_verdict(b);
	return rc ? rc : build_today_sentence(b, err);
}

static int
say_plan(struct build *b, struct err *err)
{
	int rc = fill_cost(b, err);
	rc = rc ? rc : build_reasons(b, err);
	rc = rc ? rc : build_confidence(b, err);
	rc = rc ? rc : build_remedies(b, err);
	rc = rc ? rc : build_value(b, err);
	rc = rc ? rc : build_options(b, err);
	rc = rc ? rc : other_plans(b, err);
	rc = rc ? rc : build_curves(b, err);
	rc = rc ? rc : fire_rules(b, err);
	note_support(b);
	note_trust(b);
	note_local_writes(b);
	build_note_cached_cap(b);
	note_models(b);
	set_verdict(b);
	set_sentence(b);
	return rc ? rc : say_more(b, err);
}

static int
assemble(struct build *b, struct err *err)
{
	int rc = answer(b, err);
	return rc ? rc : b->choice.found ? say_plan(b, err) : say_miss(b, err);
}

/* A promise that the chosen plan is known to break: one the search does not decide by, as the recovery
 * point; NULL: none. */
static const struct plan_sla *
broken_promise(const struct build *b)
{
	for (size_t i = 0; i < b->plan->n_sla; i++) {
		if (b->plan->sla[i].verdict == PLAN_FAIL)
			return &b->plan->sla[i];
	}
	return NULL;
}

/* "recovery point of 0 ms: 2.27 ms predicted, lag of the standbys at the predicted rate" */
static const char *
broken_text(const struct build *b, const struct plan_sla *s)
{
	const char *figure = isnan(s->predicted) ? ""
						 : arena_printf(b->arena, "%.3g %s predicted",
							   s->predicted, s->unit);
	const char *text = arena_printf(b->arena, "%s of %g %s%s%s%s%s", s->what, s->limit, s->unit,
		*figure || s->note ? ": " : "", figure, *figure && s->note ? ", " : "",
		s->note ? s->note : "");
	return text ? text : s->what;
}

/* The error that goes with a complete plan, or 0. */
static int
outcome(const struct build *b, struct err *err)
{
	const struct workload *w = b->c->in->workload;
	if (!b->choice.found)
		return err_set(err, b->undecided ? ERR_INCONCLUSIVE : ERR_INFEASIBLE, "%s",
			b->plan->sentence);
	if (!b->choice.complete)
		return err_set(err, ERR_PRICE,
			"a price is not known: the plan costs at least %s a month, incomplete",
			build_money(b, build_low(b)));
	if (w->budget && build_low(b) > w->budget->monthly)
		return err_set(err, ERR_BUDGET,
			"the cheapest plan costs %s a month, the budget is %s", total_text(b),
			build_money(b, w->budget->monthly));
	const struct plan_sla *broken = broken_promise(b);
	if (broken)
		return err_set(err, ERR_INFEASIBLE, "the cheapest plan does not keep its %s",
			broken_text(b, broken));
	return 0;
}

int
advise_plan(const struct advise_input *in, struct arena *a, struct plan *plan, struct err *err)
{
	schema_clear(&plan_schema, plan);
	struct findings findings;
	findings_init(&findings, a);
	for (size_t i = 0; in->findings && i < in->findings->n; i++) {
		const struct finding *f = &in->findings->items[i];
		findings_add(
			&findings, (enum severity)f->severity, f->code, f->todo, "%s", f->text);
	}
	struct chooser chooser;
	int rc = chooser_init(&chooser, in, a, &findings, err);
	if (rc)
		return rc;
	struct build b = {.c = &chooser,
		.arena = a,
		.plan = plan,
		.findings = &findings,
		.delay_gain_frac = (double)NAN};
	rc = rule_context_init(&b.ctx, a, err);
	rc = rc ? rc : assemble(&b, err);
	if (rc)
		return rc;
	rc = outcome(&b, err);
	if (rc)
		findings_add(&findings, SEVERITY_ERROR,
			rc == ERR_PRICE          ? "price-incomplete"
			: rc == ERR_BUDGET       ? "over-budget"
			: rc == ERR_INCONCLUSIVE ? "not-decided"
						 : "no-candidate",
			rc == ERR_INFEASIBLE ? b.remedy : NULL, "%s",
			err ? err->text : "the plan is not usable as it is");
	plan->findings = findings.items;
	plan->n_findings = findings.n;
	return rc;
}
