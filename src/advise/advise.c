/*
 * advise.c - from the input to the plan: search, then everything a report says about the result.
 */
#include "advise/advise.h"

#include <math.h>
#include <string.h>

#include "advise/today.h"
#include "base/clock.h"
#include "base/units.h"

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
	rc = rc ? rc : build_machine_part(b, err);
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
	rc = rc ? rc : build_fire_near(b, err);
	set_verdict(b);
	return rc ? rc : build_today_sentence(b, err);
}

static int
say_plan(struct build *b, struct err *err)
{
	int rc = build_cost(b, err);
	rc = rc ? rc : build_reasons(b, err);
	rc = rc ? rc : build_confidence(b, err);
	rc = rc ? rc : build_remedies(b, err);
	rc = rc ? rc : build_value(b, err);
	rc = rc ? rc : build_options(b, err);
	rc = rc ? rc : other_plans(b, err);
	rc = rc ? rc : build_curves(b, err);
	rc = rc ? rc : build_fire_rules(b, err);
	build_notes(b);
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
