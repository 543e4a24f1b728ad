/*
 * options.c - the other plans: everything on one tier, the runner-up, and what would change the
 * decision.  Each is the same exact search with another filter.
 */
#include <math.h>
#include <string.h>

#include "advise/today.h"
#include "advise/verdict.h"
#include "base/units.h"

/* Baselines people ask about; a family the limits do not have is skipped. */
static const char *const baselines[] = {
	"premium_ssd", "premium_ssd_v2", "ultra_disk", "gp3", "io2"};

int
build_option(struct build *b, const struct plan_option *option, struct err *err)
{
	struct plan *plan = b->plan;
	struct plan_option *o = arena_grow(b->arena, plan->options, plan->n_options, sizeof(*o));
	if (!o)
		return err_nomem(err);
	plan->options = o;
	o[plan->n_options] = *option;
	bool comparable = b->choice.found && b->choice.complete && option->complete == 1 &&
			  option->monthly > 0;
	o[plan->n_options].saving_frac =
		comparable ? (option->monthly - b->choice.monthly) / option->monthly : (double)NAN;
	plan->n_options++;
	return 0;
}

int
build_change(struct build *b, const char *text, struct err *err)
{
	const char **changes = arena_grow(
		b->arena, b->plan->changes, b->plan->n_changes, sizeof(*changes));
	if (!changes || !text)
		return err_nomem(err);
	b->plan->changes = changes;
	b->plan->changes[b->plan->n_changes++] = text;
	return 0;
}

/* Only a price that is missing is not let go. */
bool
build_relaxable(int id)
{
	return id != CONSTRAINT_PRICE;
}

unsigned
build_relaxed(int id)
{
	return id == (int)BUILD_VM_CAPS ? constraint_cap_bits() : CONSTRAINT_BIT(id);
}

const char *
build_constraint_name(int id)
{
	return id == (int)BUILD_VM_CAPS ? "vm caps" : names_text(&constraint_names, id);
}

/* Another choice, judged as the plan is. */
static int
put_choice(struct build *b, const char *name, const struct choice *choice, struct err *err)
{
	struct verdict is;
	int rc = build_verdict(b, choice, &is, err);
	if (rc)
		return rc;
	struct plan_option o = {.name = name,
		.monthly = choice->monthly,
		.complete = choice->complete,
		.feasible = is.verdict == PLAN_PASS   ? 1
			    : is.verdict == PLAN_FAIL ? 0
						      : -1,
		.text = build_placement(b, choice)};
	if (is.verdict != PLAN_PASS)
		o.text = arena_printf(b->arena, "%s; %s: %s", o.text,
			is.verdict == PLAN_UNKNOWN ? "not known" : "it breaks", is.why);
	return o.text ? build_option(b, &o, err) : err_nomem(err);
}

struct choose_filter
build_beside(const struct build *b)
{
	bool blind = b->choice.found && b->prices == CHOOSE_PRICED_DISKS;
	return (struct choose_filter){.prices = blind ? CHOOSE_PRICED_DISKS : CHOOSE_PRICED,
		.only_vm = blind ? b->c->options[b->choice.option].vm : NULL};
}

static bool
has_family(const struct build *b, const char *family)
{
	const struct limits *l = b->c->in->limits;
	for (size_t i = 0; i < l->n_disks; i++) {
		if (l->disks[i].superseded != 1 && strcmp(l->disks[i].family, family) == 0)
			return true;
	}
	return false;
}

/* What must hold even for a plan that breaks promises: it can be built and priced. */
static unsigned
buildable(void)
{
	return ~(CONSTRAINT_BIT(CONSTRAINT_CAPACITY) | CONSTRAINT_BIT(CONSTRAINT_REDUNDANCY) |
		 CONSTRAINT_BIT(CONSTRAINT_IOPS) | CONSTRAINT_BIT(CONSTRAINT_MBPS) |
		 CONSTRAINT_BIT(CONSTRAINT_WINDOW) | CONSTRAINT_BIT(CONSTRAINT_PRICE));
}

/*
 * Everything on one family: what keeps every constraint, then what only latencies without a figure stand in
 * the way of, then what can be built on a machine that takes it, then on any; each with as few missing prices
 * as there are, that of a disk last.
 */
static int
solve_baseline(struct build *b, const char *family, struct choice *choice, struct err *err)
{
	const struct choose_filter filters[] = {{.family = family},
		{.family = family, .trusting = true},
		{.family = family, .relaxed = buildable() & ~constraint_cap_bits()},
		{.family = family, .relaxed = buildable()}};
	const size_t n = sizeof(filters) / sizeof(filters[0]);
	static const enum choose_prices most[] = {CHOOSE_PRICED_DISKS, CHOOSE_UNPRICED};
	int rc = 0;
	choice->found = false;
	for (size_t i = 0; i < 2 * n && rc == 0 && !choice->found; i++)
		rc = chooser_solve_unpriced(b->c, &filters[i % n], most[i / n], choice, NULL, err);
	return rc;
}

static int
baseline(struct build *b, const char *family, struct err *err)
{
	struct choice choice = {.found = false};
	const char *name = arena_printf(b->arena, "all %s", limits_title(b->c->in->limits, family));
	int rc = name ? solve_baseline(b, family, &choice, err) : err_nomem(err);
	if (rc)
		return rc;
	if (choice.found)
		return put_choice(b, name, &choice, err);
	const struct plan_option o = {.name = name,
		.monthly = (double)NAN,
		.complete = -1,
		.text = "this tier cannot hold every volume at the demanded rates, or is not "
			"offered as asked"};
	return build_option(b, &o, err);
}

/*
 * The cheapest plan that differs in a size, stripe or machine: for each volume (and the machine)
 * the best without the chosen one; the least of these is exactly the second best.  The same disks with
 * another host cache, at another level, or with more bought of them than is needed are no other plan.
 */
static int
runner_up(struct build *b, struct err *err)
{
	struct choice best = {.found = false};
	bool priced = b->prices != CHOOSE_PRICED_DISKS;
	size_t n = b->c->set.n + (b->c->machine_counts && priced ? 1 : 0);
	for (size_t i = 0; i < n; i++) {
		struct choose_filter filter = build_beside(b);
		filter.not_volume = i;
		if (i < b->c->set.n) {
			filter.not_sku = b->choice.at[i]->disk->sku;
			filter.not_disks = b->choice.at[i]->disks;
			if (b->choice.at[i]->place == PLACE_LOCAL)
				continue; /* comes with the machine: no alternative worth a line */
		} else {
			filter.not_vm = b->c->options[b->choice.option].vm;
		}
		struct choice choice;
		int rc = chooser_solve(b->c, &filter, &choice, err);
		if (rc)
			return rc;
		if (choice.found && (!best.found || choice.monthly < best.monthly))
			best = choice;
	}
	return best.found ? put_choice(b, "runner-up", &best, err) : 0;
}

/*
 * What each constraint costs: the cheapest plan without it, where that saves a hundredth.  `than`: the cheapest
 * with less let go, which the machine's caps together have to beat.
 */
static int
price_of(struct build *b, int id, double than, double *least, struct err *err)
{
	struct choose_filter filter = build_beside(b);
	struct choice choice;
	filter.relaxed = build_relaxed(id);
	int rc = chooser_solve(b->c, &filter, &choice, err);
	double saving = b->choice.monthly - choice.monthly;
	if (rc || !choice.found)
		return rc;
	*least = choice.monthly;
	double more = than - choice.monthly, share = 0.01 * b->choice.monthly;
	if (saving < share || saving < 0.01 || more < share || more < 0.01)
		return 0;
	bool all = id == (int)BUILD_VM_CAPS;
	return build_change(b,
		arena_printf(b->arena, "without the %s constraint%s: %s%s a month, %s less (%s)",
			build_constraint_name(id), all ? "s together" : "",
			choice.complete ? "" : "at least ", build_money(b, choice.monthly),
			build_money(b, saving), build_placement(b, &choice)),
		err);
}

/* Whether a tier keeps the copies asked for only when asked: without that it is another candidate. */
static bool
copies_are_chosen(const struct build *b, const char *asked)
{
	const struct limits *l = b->c->in->limits;
	for (size_t i = 0; i < l->n_disks && asked; i++) {
		const struct disk_limit *d = &l->disks[i];
		for (size_t k = 1; k < d->n_redundancy; k++) {
			if (strcmp(d->redundancy[k], asked) == 0)
				return true;
		}
	}
	return false;
}

/*
 * What the copies asked for cost: the search over the candidates of a workload that does not ask, for
 * candidates with the copies asked for are all there are of a tier that can keep them.
 */
static int
price_of_copies(struct build *b, struct err *err)
{
	const struct advise_input *in = b->c->in;
	const char *asked = in->workload->redundancy;
	struct chooser *c = arena_alloc(b->arena, sizeof(*c));
	struct advise_input *other = arena_alloc(b->arena, sizeof(*other));
	struct workload *w = arena_alloc(b->arena, sizeof(*w));
	if (!c || !other || !w)
		return err_nomem(err);
	struct findings said_already;
	findings_init(&said_already, b->arena);
	*w = *in->workload;
	w->redundancy = NULL;
	*other = *in;
	other->workload = w;
	int rc = chooser_init(c, other, b->arena, &said_already, err);
	const struct choose_filter filter = build_beside(b);
	struct choice choice = {.found = false};
	/* what the plan leaves open is open here */
	c->lag_open = b->c->lag_open;
	if (rc == 0 && b->c->restore_open)
		chooser_let_restore_open(c);
	rc = rc ? rc : chooser_solve(c, &filter, &choice, err);
	double saving = b->choice.monthly - choice.monthly;
	if (rc || !choice.found || saving < 0.01)
		return rc;
	return build_change(b,
		arena_printf(b->arena, "%s costs %s a month: without it the plan costs %s (%s)",
			asked, build_money(b, saving), build_money(b, choice.monthly),
			build_placement(b, &choice)),
		err);
}

/* Of the machine's caps each, then all together. */
static int
prices_of(struct build *b, struct err *err)
{
	double than = b->choice.monthly;
	int rc = 0;
	for (int id = 0; id < (int)BUILD_RELAXATIONS && rc == 0; id++) {
		bool all = id == (int)BUILD_VM_CAPS;
		bool copies = id == (int)CONSTRAINT_REDUNDANCY &&
			      copies_are_chosen(b, b->c->in->workload->redundancy);
		double least = (double)INFINITY;
		/* what a rule forbids (data on a disk that is lost) is not an offer */
		if (!build_relaxable(id) || id == (int)CONSTRAINT_RULES)
			continue;
		rc = copies ? price_of_copies(b, err)
			    : price_of(b, id, all ? than : b->choice.monthly, &least, err);
		if (!all && (build_relaxed(id) & constraint_cap_bits()))
			than = fmin(than, least);
	}
	return rc;
}

/* The volume that outgrows its configuration first. */
static int
least_margin(struct build *b, struct err *err)
{
	const struct plan_volume *least = NULL;
	for (size_t v = 0; v < b->plan->n_volumes; v++) {
		const struct plan_volume *p = &b->plan->volumes[v];
		bool bought = p->chosen && !isnan(p->chosen->bought_iops);
		if (p->binding && !isnan(p->margin_frac) && !bought &&
			(!least || p->margin_frac < least->margin_frac))
			least = p;
	}
	if (!least || least->margin_frac > 0.3) /* enough not to be news */
		return 0;
	return build_change(b,
		arena_printf(b->arena,
			"%s has the least room: %.0f %% of what it may use is left (%s); beyond it "
			"the next size is needed",
			least->name, least->margin_frac * 100, least->binding),
		err);
}

int
build_options(struct build *b, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < sizeof(baselines) / sizeof(baselines[0]) && rc == 0; i++)
		rc = has_family(b, baselines[i]) ? baseline(b, baselines[i], err) : 0;
	if (rc == 0 && b->choice.found)
		rc = runner_up(b, err);
	if (rc == 0 && b->choice.found)
		rc = today_option(b, err);
	if (rc == 0 && b->choice.found)
		rc = prices_of(b, err);
	return rc == 0 && b->choice.found ? least_margin(b, err) : rc;
}
