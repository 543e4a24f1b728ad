#include "cli/recommend_search.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "cli/command.h"

static const char *
machines(size_t n)
{
	return n == 1 ? "machine" : "machines";
}

static void
print_volume(const struct advise_search *s, size_t k)
{
	const struct search_counts *n = &s->counts;
	cli_say("search: %s: %zu candidates on %zu %s; on the %zu looked at %zu keep the volume's "
		"own "
		"constraints, %zu of them are not dominated, %zu go into branch and bound",
		s->label[k], s->candidates[k], s->n_machines, machines(s->n_machines), n->machines,
		n->volumes[k].offered, n->volumes[k].undominated, n->volumes[k].left);
}

/* What no choice holds: a preference of the workload, not of the search. */
static const char *
stripes_text(const struct advise_search *s, char text[80])
{
	if (s->stripe_saving_frac > 0)
		snprintf(text, 80, ", with stripes that save at least %g %%",
			100 * s->stripe_saving_frac);
	else
		text[0] = '\0';
	return text;
}

static void
print_bound(const struct advise_search *s)
{
	char bound[48], optimum[48], stripes[80];
	if (isinf(s->counts.root_bound)) {
		cli_say("search: no machine has a candidate for every volume that holds beside the "
			"others");
		return;
	}
	units_money_text(s->counts.root_bound, 2, bound);
	units_money_text(s->monthly, 2, optimum);
	if (s->found)
		cli_say("search: no choice costs less than %s a month (the bound before any "
			"branch%s); "
			"the optimum costs %s",
			bound, stripes_text(s, stripes), optimum);
	else
		cli_say("search: no choice holds; one would cost at least %s a month%s", bound,
			stripes_text(s, stripes));
}

void
recommend_print_search(const struct advise_search *s)
{
	const struct search_counts *n = &s->counts;
	cli_say("search: %zu of %zu %s looked at%s", n->machines, s->n_machines,
		machines(s->n_machines),
		n->machines < s->n_machines
			? "; the others have no candidate for a volume, or cost "
			  "more at least than a choice already known"
			: "");
	for (size_t k = 0; k < s->n_volumes; k++)
		print_volume(s, k);
	cli_say("search: %zu nodes; cut %zu by the cost bound, %zu by a shared cap of the machine, "
		"%zu by "
		"an earlier choice that was no worse, %zu by a promise of the transactions",
		n->visited, n->cut_by_cost, n->cut_by_cap, n->cut_by_seen, n->cut_by_joint);
	cli_say("search: %zu questions to the promises, answered by %zu predictions of the "
		"database",
		n->asked, s->predictions);
	print_bound(s);
}
