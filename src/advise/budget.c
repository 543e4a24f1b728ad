/*
 * budget.c - the cheapest plan is over the budget: which plan is inside it, and what that one breaks
 * (build.h).  One constraint let go at a time first; where none is enough, everything that does not
 * keep a plan from being built.
 */
#include <math.h>

#include "advise/build.h"
#include "advise/constraint.h"
#include "base/units.h"

/* Smaller is nearer: constraints broken, then by how much of the limit. */
struct inside {
	struct choice choice;
	int broken;
	double miss;
};

/* Does each volume break by itself what counts, then the whole choice: how many, and the largest miss. */
static void
measure(struct build *b, struct inside *k)
{
	const struct choice *choice = &k->choice;
	const struct machine_option *o = &b->c->options[choice->option];
	unsigned bits = 0, seen = 0;
	k->miss = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = choice->at[v];
		bits |= c->broken;
		k->miss = fmax(k->miss, constraint_most_over(&o->sites[v], c, c->broken));
	}
	for (int i = 0; i < (int)CONSTRAINT_COUNT; i++) {
		struct breach j = chooser_check(b->c, choice->option, choice->at, seen);
		if (!j.broken || j.constraint < 0 || (seen & CONSTRAINT_BIT(j.constraint)))
			break;
		seen |= CONSTRAINT_BIT(j.constraint);
		k->miss = fmax(k->miss, constraint_over(&j));
	}
	for (k->broken = 0, bits |= seen; bits; bits &= bits - 1)
		k->broken++;
}

static int
solve(struct build *b, const struct choose_filter *filter, double budget, struct inside *k,
	bool *found, struct err *err)
{
	int rc = chooser_solve(b->c, filter, &k->choice, err);
	*found = rc == 0 && k->choice.found && k->choice.complete && k->choice.monthly <= budget;
	if (*found)
		measure(b, k);
	return rc;
}

/*
 * The plan inside the budget that misses least of what is let go: the cheapest may miss it by all of it, so the
 * most that may be missed is halved, to half a hundredth, as long as a plan is left.
 */
static int
try_without(struct build *b, unsigned relaxed, double budget, struct inside *best, struct err *err)
{
	struct choose_filter filter = {.relaxed = relaxed};
	const double unknown = 100; /* where a miss has no number: surely enough of it */
	struct inside k = {.broken = 0}, near;
	bool found = false;
	int rc = solve(b, &filter, budget, &k, &found, err);
	if (rc || !found)
		return rc;
	filter.bounded = true;
	double lo = 0, hi = fmin(k.miss, unknown);
	while (hi - lo > 0.005 && rc == 0) {
		filter.over = (lo + hi) / 2;
		rc = solve(b, &filter, budget, &near, &found, err);
		k = rc == 0 && found ? near : k;
		lo = found ? lo : filter.over;
		hi = found ? fmin(filter.over, near.miss) : hi;
	}
	bool nearer = k.broken < best->broken || (k.broken == best->broken && k.miss < best->miss);
	if (rc == 0 && (!best->choice.found || nearer))
		*best = k;
	return rc;
}

/* All that a volume breaks by itself. */
static void
put_broken(struct build *b, const struct candidate_site *site, const struct candidate *c,
	const char *label, struct buf *text)
{
	policy_facts(site, c, NULL, &b->ctx);
	for (int id = 0; id < (int)CONSTRAINT_VM_IOPS; id++) {
		if (!(c->broken & CONSTRAINT_BIT(id)))
			continue;
		struct breach k = constraint_check((enum constraint_id)id, site, c, &b->ctx);
		buf_printf(text, "%s%s: %s", text->len ? "; " : "", label,
			k.text ? k.text : names_text(&constraint_names, id));
	}
}

/* "data: P10 sustains ...; ..." */
static const char *
broken_text(struct build *b, const struct choice *choice)
{
	const struct machine_option *o = &b->c->options[choice->option];
	struct buf text;
	buf_init(&text, 4096);
	for (size_t v = 0; v < b->c->set.n; v++)
		put_broken(b, &o->sites[v], choice->at[v], b->c->set.volumes[v].label, &text);
	struct breach k = chooser_check(b->c, choice->option, choice->at, 0);
	if (k.broken)
		buf_printf(&text, "%s%s", text.len ? "; " : "", k.text ? k.text : "a promise");
	const char *copy = arena_strdup(b->arena, buf_text(&text));
	buf_fini(&text);
	return copy ? copy : "";
}

int
build_budget(struct build *b, struct err *err)
{
	const struct workload_budget *given = b->c->in->workload->budget;
	if (!given || !b->choice.found || !(build_low(b) > given->monthly))
		return 0;
	struct inside best = {.broken = (int)CONSTRAINT_COUNT, .miss = (double)INFINITY};
	/* without these it is no plan */
	const unsigned needed = CONSTRAINT_BIT(CONSTRAINT_CAPACITY) |
				CONSTRAINT_BIT(CONSTRAINT_RULES) |
				CONSTRAINT_BIT(CONSTRAINT_MACHINE_TAKES) |
				CONSTRAINT_BIT(CONSTRAINT_VM_DISKS);
	unsigned all = 0;
	int rc = 0;
	for (int id = 0; id < (int)BUILD_RELAXATIONS && rc == 0; id++) {
		unsigned bits = build_relaxed(id) & ~needed;
		if (!build_relaxable(id) || !bits)
			continue;
		all |= bits;
		rc = try_without(b, bits, given->monthly, &best, err);
	}
	if (rc == 0 && !best.choice.found)
		rc = try_without(b, all, given->monthly, &best, err);
	if (rc)
		return rc;
	const char *money = build_money(b, given->monthly);
	if (!best.choice.found)
		return build_change(b,
			arena_printf(b->arena,
				"nothing that holds the data is inside the budget of %s: raise it, "
				"or keep less",
				money),
			err);
	return build_change(b,
		arena_printf(b->arena,
			"inside the budget of %s the nearest plan costs %s a month (%s), and "
			"breaks: %s",
			money, build_money(b, best.choice.monthly),
			build_placement(b, &best.choice), broken_text(b, &best.choice)),
		err);
}
