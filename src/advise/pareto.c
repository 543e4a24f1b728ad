#include "advise/pareto.h"

#include <math.h>
#include <string.h>

#include "advise/verdict.h"
#include "base/units.h"

static const double same_money = 1e-6;
static const double same_pace = 1e-8; /* above the tolerance of the promises */

/* Put a plan behind the others; one of the same cost that is slower goes, and when there is no more
 * room the last one. */
static void
keep(struct pareto_front *out, const struct pareto_point *p)
{
	const struct pareto_point *last = out->n ? &out->points[out->n - 1] : NULL;
	bool replaces = last && last->choice.monthly >= p->choice.monthly - same_money;
	bool full = !replaces && out->n == PARETO_MOST;
	out->left_out += full;
	out->n -= replaces || full;
	out->points[out->n++] = *p;
}

/* What the front does not hold its plans to. */
static const unsigned latencies = CONSTRAINT_BIT(CONSTRAINT_READ_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_WRITE_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99) |
				  CONSTRAINT_BIT(CONSTRAINT_TX_P99);

int
pareto_front(struct chooser *c, const struct choose_filter *among, enum choose_pace pace,
	double budget, struct pareto_front *out, struct err *err)
{
	struct choose_filter filter = *among;
	filter.relaxed |= latencies;
	filter.pace = pace;
	filter.pace_ms = (double)INFINITY;
	*out = (struct pareto_front){.n = 0};
	for (size_t step = 0; step < PARETO_STEPS; step++) {
		struct pareto_point p;
		int rc = chooser_solve(c, &filter, &p.choice, err);
		if (rc || !p.choice.found)
			return rc;
		out->over_budget = p.choice.monthly > budget + same_money;
		out->next_monthly = p.choice.monthly;
		p.p99_ms = chooser_pace_ms(c, pace, p.choice.option, p.choice.at);
		if (out->over_budget || isnan(p.p99_ms))
			return 0;
		keep(out, &p);
		filter.pace_ms = p.p99_ms * (1 - same_pace);
	}
	out->more = true;
	return 0;
}

/* ---- the front as part of a plan ---- */

static const char *const pace_words[] = {
	[CHOOSE_PACE_NONE] = NULL,
	[CHOOSE_PACE_TX] = "transaction p99",
	[CHOOSE_PACE_COMMIT] = "commit p99",
	[CHOOSE_PACE_READ] = "read p99",
	[CHOOSE_PACE_WRITE] = "write p99",
};
_Static_assert(sizeof(pace_words) / sizeof(pace_words[0]) == CHOOSE_PACE_COUNT, "a word a pace");

static double
promise_of(const struct chooser *c, enum choose_pace pace)
{
	const struct workload_sla *sla = c->in->workload->sla;
	const double promised[CHOOSE_PACE_COUNT] = {
		[CHOOSE_PACE_NONE] = (double)NAN,
		[CHOOSE_PACE_TX] = sla ? sla->tx_p99_ms : (double)NAN,
		[CHOOSE_PACE_COMMIT] = sla ? sla->commit_p99_ms : (double)NAN,
		[CHOOSE_PACE_READ] = sla ? sla->read_p99_ms : (double)NAN,
		[CHOOSE_PACE_WRITE] = sla ? sla->write_p99_ms : (double)NAN,
	};
	return promised[pace];
}

static bool
can_pace(const struct chooser *c, enum choose_pace pace)
{
	if (pace == CHOOSE_PACE_TX)
		return !c->tx_gap;
	for (size_t v = 0; v < c->set.n; v++) {
		if (chooser_paces(c, pace, v))
			return true;
	}
	return false;
}

/* What is promised of a transaction, a commit, a read, a write, in this order; nothing promised: the first of them
 * there is.  A commit of a database that is predicted waits for others, too: the transaction tells more of it than one
 * flush of its disk. */
static enum choose_pace
pace_of(const struct chooser *c)
{
	bool commits = !isnan(promise_of(c, CHOOSE_PACE_COMMIT));
	if (commits && can_pace(c, CHOOSE_PACE_TX))
		return CHOOSE_PACE_TX;
	for (int any = 0; any < 2; any++) {
		for (int pace = CHOOSE_PACE_TX; pace < (int)CHOOSE_PACE_COUNT; pace++) {
			bool asked = any || !isnan(promise_of(c, (enum choose_pace)pace));
			if (asked && can_pace(c, (enum choose_pace)pace))
				return (enum choose_pace)pace;
		}
	}
	return CHOOSE_PACE_NONE;
}

static bool
is_the_plan(const struct build *b, const struct choice *choice)
{
	bool same = b->choice.found && b->choice.option == choice->option;
	for (size_t v = 0; v < b->c->set.n && same; v++)
		same = b->choice.at[v] == choice->at[v];
	return same;
}

static int
put_point(struct build *b, const struct pareto_point *p, struct plan_front *front, struct err *err)
{
	struct verdict is;
	int rc = build_verdict(b, &p->choice, &is, err);
	if (rc)
		return rc;
	struct plan_front_point *out = &front->points[front->n_points++];
	*out = (struct plan_front_point){.monthly = p->choice.monthly,
		.p99_ms = p->p99_ms,
		.verdict = is.verdict,
		.chosen = is_the_plan(b, &p->choice),
		.text = build_placement(b, &p->choice),
		.breaks = is.why};
	return 0;
}

/* Why there is no front: dearer than the budget, nothing to buy, or no figure. */
static const char *
gap_of(const struct build *b, const struct pareto_front *found)
{
	struct choose_filter filter = build_beside(b);
	struct choice any;
	filter.relaxed = latencies;
	if (found->over_budget)
		return arena_printf(b->arena,
			"the cheapest plan whose latency is known costs %s a month, over the "
			"budget of %s",
			build_money(b, found->next_monthly),
			build_money(b, b->c->in->workload->budget->monthly));
	if (chooser_solve(b->c, &filter, &any, NULL))
		return NULL;
	return any.found ? "of the plans that meet every constraint beside the latencies, none has "
			   "a latency that is known"
			 : "no plan whose prices are known meets every constraint beside the "
			   "latencies";
}

static const char *
note_of(const struct build *b, const struct pareto_front *found)
{
	if (found->n == 0)
		return gap_of(b, found);
	const char *end = found->more          ? "the front goes on to faster and dearer plans"
			  : found->over_budget ? "faster plans are over the budget"
					       : "no plan that can be built and priced is faster "
						 "than the last";
	const char *money =
		b->prices == CHOOSE_PRICED_DISKS
			? "; the amounts are without the machine, whose price is not known"
			: "";
	return found->left_out
		       ? arena_printf(b->arena, "%zu plans between the last two are left out; %s%s",
				 found->left_out, end, money)
		       : arena_printf(b->arena, "%s%s", end, money);
}

int
build_pareto(struct build *b, struct err *err)
{
	enum choose_pace pace = pace_of(b->c);
	const struct workload_budget *budget = b->c->in->workload->budget;
	struct plan_front *front = arena_alloc(b->arena, sizeof(*front));
	struct pareto_front *found = arena_alloc(b->arena, sizeof(*found));
	if (!front || !found)
		return err_nomem(err);
	if (pace == CHOOSE_PACE_NONE)
		return 0;
	const struct choose_filter among = build_beside(b);
	int rc = pareto_front(
		b->c, &among, pace, budget ? budget->monthly : (double)INFINITY, found, err);
	if (rc)
		return rc;
	*front = (struct plan_front){.what = pace_words[pace],
		.limit_ms = promise_of(b->c, pace),
		.plan_monthly = b->choice.found ? b->choice.monthly : (double)NAN,
		.plan_p99_ms = b->choice.found
				       ? chooser_pace_ms(b->c, pace, b->choice.option, b->choice.at)
				       : (double)NAN,
		.complete = !found->more && found->left_out == 0,
		.note = note_of(b, found)};
	front->points = arena_array(b->arena, found->n + 1, sizeof(*front->points));
	if (!front->points || !front->note)
		return err_nomem(err);
	for (size_t i = 0; i < found->n && rc == 0; i++)
		rc = put_point(b, &found->points[i], front, err);
	b->plan->front = front;
	return rc;
}
