/*
 * fast_disk.c - is storage the matter at all?  What disks without latency and caps would bring, and, when
 * that is under a twentieth or the target is out of reach even so, what to change instead.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "base/trust.h"
#include "base/units.h"

static const double matters_frac = 0.05;

static const unsigned promised = CONSTRAINT_BIT(CONSTRAINT_TPS) |
				 CONSTRAINT_BIT(CONSTRAINT_READ_P99) |
				 CONSTRAINT_BIT(CONSTRAINT_WRITE_P99) |
				 CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99) |
				 CONSTRAINT_BIT(CONSTRAINT_TX_P99);

static const char *
count(const struct build *b, double v)
{
	char text[32];
	units_count_text(v, text);
	return arena_strdup(b->arena, text);
}

static int
advise(struct build *b, struct plan_fast_disk *out, const char *text, struct err *err)
{
	const char **grown = arena_grow(b->arena, out->advice, out->n_advice, sizeof(*grown));
	if (!grown || !text)
		return err_nomem(err);
	out->advice = grown;
	grown[out->n_advice++] = text;
	return 0;
}

/* What a rate `more` times as high takes, in proportion; a first estimate, and called one. */
static const char *
what_to_change(const struct build *b, int stage, double cores, double more)
{
	const struct demand_set *set = &b->c->set;
	switch (stage) {
	case DB_STAGE_CPU:
		return arena_printf(b->arena,
			"about %.0f processors instead of %g, or %.3g ms of processor time a "
			"transaction instead of %.3g: look at its statements first",
			ceil(cores * more - 1e-9), cores, set->transaction.cpu_ms / more,
			set->transaction.cpu_ms);
	case DB_STAGE_HOT_ROWS:
		return isnan(set->transaction.hot_rows)
			       ? "one writer at a time is the engine's own: batch several changes "
				 "into one transaction, or spread them over several databases"
			       : arena_printf(b->arena,
					 "about %.0f rows in turn instead of %g (a counter split "
					 "into parts), or "
					 "update the row last, so that it is held for less time",
					 ceil(set->transaction.hot_rows * more - 1e-9),
					 set->transaction.hot_rows);
	case DB_STAGE_POOL:
		return arena_printf(b->arena, "a pool of about %.0f connections instead of %g",
			ceil(set->transaction.pool * more - 1e-9), set->transaction.pool);
	default:
		return arena_printf(b->arena,
			"at least %.0f clients instead of %g, or less time between two "
			"transactions "
			"of one: round trips, pauses, statements that can be sent together",
			ceil(set->transaction.clients * more - 1e-9), set->transaction.clients);
	}
}

static double
cores_of(const struct build *b, size_t option)
{
	const struct vm_limit *vm = b->c->options[option].vm;
	double given = b->c->set.transaction.cores;
	return isnan(given) && vm ? vm->vcpus : given;
}

/* ---- a plan stands ---- */

static int
of_plan(struct build *b, struct err *err)
{
	const struct plan_prediction *p = b->plan->prediction;
	const struct tx_answer *r = &b->tx;
	if (!p || isnan(r->fast_disk_tps) || isnan(p->fast_disk_gain_frac))
		return 0;
	struct plan_fast_disk *out = arena_alloc(b->arena, sizeof(*out));
	if (!out)
		return err_nomem(err);
	/* what a cap of the machine takes, no disk gives back */
	bool machine = p->limit && strstr(p->limit, "of the machine");
	*out = (struct plan_fast_disk){.tps = r->fast_disk_tps,
		.gain_frac = p->fast_disk_gain_frac,
		.not_storage = p->fast_disk_gain_frac < matters_frac,
		.limit = machine ? p->limit : r->fast_disk_limit};
	b->plan->fast_disk = out;
	const char *binds = out->limit ? out->limit : "something else";
	if (!out->not_storage) {
		out->text = arena_printf(b->arena,
			"disks without latency and caps would raise the highest rate from %s to %s "
			"transactions/s (%.0f %%)",
			count(b, p->max_tps), count(b, out->tps), 100 * out->gain_frac);
		return out->text ? 0 : err_nomem(err);
	}
	out->text = arena_printf(b->arena,
		"Not storage-bound: infinitely fast disks would raise the highest rate, %s "
		"transactions/s, by %.1f %%; what binds is %s. Keep or lower the tier: a dearer "
		"one "
		"buys no rate",
		count(b, p->max_tps), 100 * fmax(0, out->gain_frac), binds);
	if (!out->text)
		return err_nomem(err);
	if (machine)
		return advise(b, out, "a machine whose caps for disks are higher", err);
	return r->fast_disk_stage < 0 ? 0
				      : advise(b, out,
						arena_printf(b->arena, "for twice the rate: %s",
							what_to_change(b, r->fast_disk_stage,
								cores_of(b, b->choice.option), 2)),
						err);
}

/* ---- nothing fits ---- */

/* The database with disks that take no time, on the machine where it does most. */
struct best {
	bool known, unknown; /* of one machine at least; of one it is not */
	bool kept; /* one of them keeps rate and latencies so: disks decide */
	size_t option;
	struct tx_answer answer;
	struct breach breach;
};

/* A disk that answers at once and is never full. */
static struct candidate
no_disk(void)
{
	static const struct estimate at_once = {.value = 0.001,
		.lo = 0.001,
		.hi = 0.001,
		.trust = TRUST_ASSUMED,
		.how = MODEL_CURVE};
	return (struct candidate){.disks = 1,
		.host_cache = "None",
		.latency = {.commit_mean = at_once,
			.commit_p99 = at_once,
			.read_mean = at_once,
			.read_p99 = at_once,
			.write_mean = at_once,
			.write_p99 = at_once,
			.tx_read_mean = at_once,
			.tx_read_p99 = at_once}};
}

static void
try_machine(struct build *b, size_t option, struct best *best)
{
	const struct candidate quick = no_disk();
	const struct candidate *at[SEARCH_MAX_VOLUMES];
	struct tx_answer r;
	for (size_t v = 0; v < b->c->set.n; v++)
		at[v] = &quick;
	if (chooser_tx_figures(b->c, option, at, &r) || isnan(r.fast_disk_tps)) {
		best->unknown = true;
		return;
	}
	unsigned judged = CONSTRAINT_BIT(CONSTRAINT_TPS) | CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99) |
			  CONSTRAINT_BIT(CONSTRAINT_TX_P99);
	double target = b->c->set.tx.target_tps;
	struct breach k = constraint_tx_check(
		b->c->in->workload->sla, target, &r, ~judged, b->arena);
	best->kept = best->kept || !k.broken;
	if (best->known && r.fast_disk_tps <= best->answer.fast_disk_tps)
		return;
	best->known = true;
	best->option = option;
	best->answer = r;
	best->breach = k;
}

/* Machines on which the volumes could be, whatever is promised. */
static int
best_machine(struct build *b, struct best *best, struct err *err)
{
	for (size_t o = 0; o < b->c->n_options; o++) {
		const struct choose_filter filter = {
			.relaxed = promised, .only_vm = b->c->options[o].vm};
		struct choice choice;
		int rc = chooser_solve_unpriced(b->c, &filter, CHOOSE_UNPRICED, &choice, NULL, err);
		if (rc)
			return rc;
		if (choice.found)
			try_machine(b, choice.option, best);
	}
	return 0;
}

/* Of what would change the decision only the target is left; what to change instead comes first. */
static int
put_changes(struct build *b, const struct plan_fast_disk *out, struct err *err)
{
	static const char target[] = "without the ";
	const char **before = b->plan->changes;
	size_t n = b->plan->n_changes;
	int rc = 0;
	b->plan->changes = NULL;
	b->plan->n_changes = 0;
	for (size_t i = 0; i < out->n_advice && rc == 0; i++)
		rc = build_change(b, out->advice[i], err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		if (strncmp(before[i], target, sizeof(target) - 1) == 0)
			rc = build_change(b, before[i], err);
	}
	return rc;
}

/* The fullest of what is no disk. */
static int
fullest(const struct tx_answer *r)
{
	static const int stages[] = {DB_STAGE_CPU, DB_STAGE_HOT_ROWS, DB_STAGE_POOL};
	int best = DB_STAGE_CLIENTS;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (r->use[stages[i]].used_frac > r->use[best].used_frac)
			best = stages[i];
	}
	return best;
}

/* What is just enough leaves no moment free, so a quarter more. */
static double
how_much_more(double most, double target)
{
	return target > most * (1 + 1e-3) ? target / most : 1.25;
}

/* A rate that takes all there is makes a queue without end. */
static const char *
asked(const struct build *b, double most, double target)
{
	const char *text = target > most * (1 + 1e-3)
				   ? arena_printf(b->arena, "%s are asked", count(b, target))
				   : "which leaves no moment free at the rate that is asked";
	return text ? text : "less than is asked";
}

/* A latency that is shorter than the work is kept by nothing else. */
static int
shorter_work(struct build *b, struct plan_fast_disk *out, struct err *err)
{
	const struct workload_sla *sla = b->c->in->workload->sla;
	double work_ms = b->c->set.transaction.cpu_ms;
	if (!sla || !(sla->tx_p99_ms < work_ms))
		return 0;
	return advise(b, out,
		arena_printf(b->arena,
			"a transaction p99 above %g ms, or shorter work: it computes for %.3g ms, "
			"whatever the disks and the machine's number of processors",
			sla->tx_p99_ms, work_ms),
		err);
}

/* What else than the first is not enough for the target, and a latency that is shorter than the work. */
static int
what_else(struct build *b, const struct best *best, struct plan_fast_disk *out, struct err *err)
{
	static const int stages[] = {DB_STAGE_CPU, DB_STAGE_HOT_ROWS, DB_STAGE_POOL};
	const struct tx_answer *r = &best->answer;
	double target = b->c->set.tx.target_tps;
	int rc = 0;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && rc == 0; i++) {
		double most = r->use[stages[i]].ceiling_tps;
		if (stages[i] != r->fast_disk_stage && most < target * (1 - 1e-9))
			rc = advise(b, out,
				what_to_change(b, stages[i], cores_of(b, best->option),
					how_much_more(most, target)),
				err);
	}
	return rc ? rc : shorter_work(b, out, err);
}

/* The target is out of reach. */
static int
too_slow(struct build *b, const struct best *best, const char *where, struct plan_fast_disk *out,
	struct err *err)
{
	const struct tx_answer *r = &best->answer;
	double target = b->c->set.tx.target_tps;
	out->limit = r->fast_disk_limit;
	out->text = arena_printf(b->arena,
		"Not storage: with infinitely fast disks%s the database does %s transactions/s at "
		"most, %s; what binds is %s. Keep or lower the tier: a dearer one buys "
		"nothing",
		where, count(b, out->tps), asked(b, out->tps, target),
		out->limit ? out->limit : "something else");
	int rc = r->fast_disk_stage < 0
			 ? 0
			 : advise(b, out,
				   what_to_change(b, r->fast_disk_stage, cores_of(b, best->option),
					   how_much_more(out->tps, target)),
				   err);
	return rc ? rc : what_else(b, best, out, err);
}

/* A latency is: the transactions wait for something else than a disk. */
static int
too_late(struct build *b, const struct best *best, const char *where, struct plan_fast_disk *out,
	struct err *err)
{
	const struct breach *k = &best->breach;
	int stage = fullest(&best->answer);
	double used = best->answer.use[stage].used_frac;
	const char *what = k->constraint == (int)CONSTRAINT_TX_P99 ? "a transaction" : "a commit";
	int rc = shorter_work(b, out, err);
	out->limit = best->answer.stages[stage];
	out->text = arena_printf(b->arena,
		"Not storage: with infinitely fast disks%s %s still takes %.3g ms at p99, %g ms "
		"are "
		"promised; at this rate %s are used to %.0f %%, and what waits for them waits. "
		"Keep "
		"or lower the tier: a dearer one buys nothing",
		where, what, k->have, k->need, out->limit, used * 100);
	if (rc || out->n_advice)
		return rc;
	return advise(b, out,
		stage == DB_STAGE_CPU
			? arena_printf(b->arena,
				  "more processors than %g or less processor time a transaction "
				  "than %.3g ms, so that transactions do not queue for them: look "
				  "at its statements first",
				  cores_of(b, best->option), b->c->set.transaction.cpu_ms)
			: arena_printf(b->arena,
				  "less waiting for %s: fewer transactions at a time, or shorter "
				  "ones",
				  out->limit),
		err);
}

/* No disk is at fault when even infinitely fast ones do not keep what is promised. */
static int
of_miss(struct build *b, struct err *err)
{
	struct best best = {.known = false};
	if (isnan(b->c->set.tx.target_tps) || !b->c->set.has_tx || b->c->tx_gap)
		return 0;
	int rc = best_machine(b, &best, err);
	if (rc || !best.known || best.unknown || best.kept || isnan(best.breach.have))
		return rc;
	struct plan_fast_disk *out = arena_alloc(b->arena, sizeof(*out));
	if (!out)
		return err_nomem(err);
	*out = (struct plan_fast_disk){
		.tps = best.answer.fast_disk_tps, .gain_frac = (double)NAN, .not_storage = 1};
	const struct vm_limit *vm = b->c->options[best.option].vm;
	const char *where = vm ? arena_printf(b->arena, " on %s", vm->sku) : "";
	rc = best.breach.constraint == (int)CONSTRAINT_TPS ? too_slow(b, &best, where, out, err)
							   : too_late(b, &best, where, out, err);
	if (rc)
		return rc;
	b->plan->fast_disk = out;
	b->plan->sentence = out->text ? arena_printf(b->arena, "%s.", out->text) : NULL;
	if (!b->plan->sentence)
		return err_nomem(err);
	b->undecided = false; /* no measurement of a disk decides */
	return put_changes(b, out, err);
}

int
build_fast_disk(struct build *b, struct err *err)
{
	return b->choice.found ? of_plan(b, err) : of_miss(b, err);
}
