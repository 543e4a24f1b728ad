/*
 * budget.c - the cheapest plan is over the budget: which plan is inside it, and what that one breaks
 * (build.h).  One constraint let go at a time first; where none is enough, everything that does not
 * keep a plan from being built.
 */
#include <math.h>

#include "advise/build.h"
#include "base/units.h"

/* Smaller is nearer: constraints broken, then by how much of the limit. */
struct inside {
	struct choice choice;
	int broken;
	double miss;
};

/* What each volume breaks by itself, then the whole choice: bits, and the largest miss. */
static unsigned
broken_bits(struct build *b, const struct choice *choice, double *miss)
{
	const struct machine_option *o = &b->c->options[choice->option];
	unsigned bits = 0;
	*miss = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		bits |= choice->at[v]->broken;
		struct breach k = build_breach(b, &o->sites[v], choice->at[v]);
		if (k.broken)
			*miss = fmax(*miss, isnan(k.margin_frac) ? 1 : -k.margin_frac);
	}
	unsigned relaxed = 0;
	for (int i = 0; i < (int)CONSTRAINT_COUNT; i++) {
		struct breach k = chooser_check(b->c, choice->option, choice->at, relaxed);
		if (!k.broken || k.constraint < 0 || (bits & CONSTRAINT_BIT(k.constraint)))
			break;
		bits |= CONSTRAINT_BIT(k.constraint);
		relaxed |= CONSTRAINT_BIT(k.constraint);
		*miss = fmax(*miss, isnan(k.margin_frac) ? 1 : -k.margin_frac);
	}
	return bits;
}

static int
try_without(struct build *b, unsigned relaxed, double budget, struct inside *best, struct err *err)
{
	struct choose_filter filter = {.relaxed = relaxed};
	struct inside k = {.broken = 0};
	int rc = chooser_solve(b->c, &filter, &k.choice, err);
	if (rc || !k.choice.found || !k.choice.complete || k.choice.monthly > budget)
		return rc;
	for (unsigned bits = broken_bits(b, &k.choice, &k.miss); bits; bits &= bits - 1)
		k.broken++;
	bool nearer = k.broken < best->broken || (k.broken == best->broken && k.miss < best->miss);
	if (!best->choice.found || nearer)
		*best = k;
	return 0;
}

/* "data: P10 sustains ...; ..." */
static const char *
broken_text(struct build *b, const struct choice *choice)
{
	const struct machine_option *o = &b->c->options[choice->option];
	struct buf text;
	buf_init(&text, 4096);
	for (size_t v = 0; v < b->c->set.n; v++) {
		struct breach k = build_breach(b, &o->sites[v], choice->at[v]);
		if (k.broken)
			buf_printf(&text, "%s%s: %s", text.len ? "; " : "",
				b->c->set.volumes[v].label, k.text ? k.text : "a rule");
	}
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
	unsigned all = 0;
	int rc = 0;
	for (int id = 0; id < (int)BUILD_RELAXATIONS && rc == 0; id++) {
		if (!build_relaxable(id) || id == (int)CONSTRAINT_CAPACITY ||
			id == (int)CONSTRAINT_RULES)
			continue;
		all |= build_relaxed(id);
		rc = try_without(b, build_relaxed(id), given->monthly, &best, err);
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
