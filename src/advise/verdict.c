/*
 * verdict.c - any choice judged as the plan is (build.h): every constraint of its volumes, what they share,
 * and every promise with its own prediction and bill.
 */
#include "advise/verdict.h"

#include <math.h>

/* Without a figure these are not known; without one every other constraint is broken. */
static bool
has_figure(int constraint)
{
	switch (constraint) {
	case CONSTRAINT_IOPS:
	case CONSTRAINT_MBPS:
	case CONSTRAINT_READ_P99:
	case CONSTRAINT_WRITE_P99:
	case CONSTRAINT_COMMIT_P99:
	case CONSTRAINT_RTO:
	case CONSTRAINT_PRICE:
	case CONSTRAINT_TPS:
	case CONSTRAINT_TX_P99:
	case CONSTRAINT_RPO:
		return true;
	default:
		return false;
	}
}

bool
verdict_is_open(const struct breach *k)
{
	return has_figure(k->constraint) && isnan(k->have);
}

/* The first of the worst is what is said. */
static void
take(struct verdict *out, int verdict, const char *why)
{
	bool worse = verdict == PLAN_FAIL ? out->verdict != PLAN_FAIL : out->verdict == PLAN_PASS;
	if (!worse)
		return;
	out->verdict = verdict;
	out->why = why;
}

static void
take_breach(struct build *b, const char *label, const struct breach *k, struct verdict *out)
{
	bool open = verdict_is_open(k);
	const char *text = k->text ? k->text : names_text(&constraint_names, k->constraint);
	take(out, open ? PLAN_UNKNOWN : PLAN_FAIL,
		label ? arena_printf(b->arena, "%s: %s", label, text) : text);
}

/* A price that is not known makes the total a lower bound, and breaks nothing. */
static void
judge_volumes(struct build *b, const struct choice *choice, struct verdict *out)
{
	const struct machine_option *o = &b->c->options[choice->option];
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = choice->at[v];
		policy_facts(&o->sites[v], c, NULL, &b->ctx);
		for (int id = 0; id < (int)CONSTRAINT_VM_IOPS; id++) {
			if (id == (int)CONSTRAINT_PRICE || !(c->broken & CONSTRAINT_BIT(id)))
				continue;
			struct breach k = constraint_check(
				(enum constraint_id)id, &o->sites[v], c, &b->ctx);
			if (k.broken)
				take_breach(b, b->c->set.volumes[v].label, &k, out);
		}
	}
}

static void
judge_together(struct build *b, const struct choice *choice, struct verdict *out)
{
	unsigned relaxed = 0;
	for (int i = 0; i < (int)CONSTRAINT_COUNT; i++) {
		struct breach k = chooser_check(b->c, choice->option, choice->at, relaxed);
		if (!k.broken || k.constraint < 0 || (relaxed & CONSTRAINT_BIT(k.constraint)))
			return;
		take_breach(b, NULL, &k, out);
		relaxed |= CONSTRAINT_BIT(k.constraint);
	}
}

const char *
verdict_promise_text(struct build *b, const struct plan_sla *s)
{
	if (s->note)
		return arena_printf(b->arena, "%s: %s", s->what, s->note);
	const char *limit = arena_printf(b->arena, "%.4g %s promised", s->limit, s->unit);
	return isnan(s->predicted) ? arena_printf(b->arena, "%s: not known", s->what)
				   : arena_printf(b->arena, "%s: %.4g, %s", s->what, s->predicted,
					     limit ? limit : "");
}

/* The budget in money. */
static const char *
budget_words(struct build *b, const struct plan_sla *s)
{
	return isnan(s->predicted)
		       ? verdict_promise_text(b, s)
		       : arena_printf(b->arena, "%s a month, the budget is %s",
				 build_money(b, s->predicted), build_money(b, s->limit));
}

int
verdict_promises(struct build *b, const struct choice *choice, const struct bill *bill,
	const struct plan **out, struct err *err)
{
	struct build own = *b;
	struct plan *plan = arena_alloc(b->arena, sizeof(*plan));
	struct findings unsaid;
	if (!plan)
		return err_nomem(err);
	schema_clear(&plan_schema, plan);
	findings_init(&unsaid, b->arena);
	own.plan = plan;
	own.findings = &unsaid;
	own.choice = *choice;
	own.has_tx = false;
	plan->bill = bill ? arena_alloc(b->arena, sizeof(*bill)) : NULL;
	if (bill && !plan->bill)
		return err_nomem(err);
	if (bill)
		*plan->bill = *bill;
	*out = plan;
	int rc = bill ? 0 : build_bill(&own, err);
	return rc ? rc : build_promises(&own, err);
}

static int
judge_promises(struct build *b, const struct choice *choice, struct verdict *out, struct err *err)
{
	const struct plan *plan = NULL;
	int rc = verdict_promises(b, choice, NULL, &plan, err);
	for (size_t i = 0; rc == 0 && plan && i < plan->n_sla; i++) {
		const struct plan_sla *s = &plan->sla[i];
		if (s->verdict != PLAN_FAIL && s->verdict != PLAN_UNKNOWN)
			continue;
		bool money = i + 1 == plan->n_sla && b->c->in->workload->budget;
		take(out, s->verdict, money ? budget_words(b, s) : verdict_promise_text(b, s));
	}
	return rc;
}

int
build_verdict(struct build *b, const struct choice *choice, struct verdict *out, struct err *err)
{
	*out = (struct verdict){.verdict = PLAN_PASS};
	judge_volumes(b, choice, out);
	judge_together(b, choice, out);
	int rc = judge_promises(b, choice, out, err);
	return rc || out->verdict == PLAN_PASS || out->why ? rc : err_nomem(err);
}
