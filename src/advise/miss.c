/*
 * miss.c - when nothing fits: for every volume the least miss, and the one constraint whose
 * relaxation makes a plan possible, with what that plan costs.
 *
 * Either a volume has no candidate of its own (then its nearest is the one with the fewest broken
 * constraints and, of these, the least miss), or every volume has one but not together (then the
 * cheapest set on the machine that misses least shows the shared cap or promise).
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "base/units.h"

static const unsigned joint_bits =
	CONSTRAINT_BIT(CONSTRAINT_VM_IOPS) | CONSTRAINT_BIT(CONSTRAINT_VM_MBPS) |
	CONSTRAINT_BIT(CONSTRAINT_VM_CACHED_IOPS) | CONSTRAINT_BIT(CONSTRAINT_VM_CACHED_MBPS) |
	CONSTRAINT_BIT(CONSTRAINT_VM_DISKS) | CONSTRAINT_BIT(CONSTRAINT_TPS) |
	CONSTRAINT_BIT(CONSTRAINT_TX_P99) | CONSTRAINT_BIT(CONSTRAINT_RPO);

static int
count_bits(unsigned v)
{
	int n = 0;
	for (; v; v &= v - 1)
		n++;
	return n;
}

/* Smaller is nearer: broken constraints first, then how far off the first of them is. */
struct distance {
	int broken;
	double miss;
	double monthly;
};

static bool
nearer(const struct distance *a, const struct distance *b)
{
	if (a->broken != b->broken)
		return a->broken < b->broken;
	if (a->miss < b->miss || a->miss > b->miss)
		return a->miss < b->miss;
	return a->monthly < b->monthly;
}

/* *unknown: the nearest was not found to miss anything, a latency is not known or not surely enough. */
static int
volume_miss(struct build *b, size_t v, bool *unknown, struct err *err)
{
	struct distance best = {1000, (double)INFINITY, (double)INFINITY};
	const struct candidate *nearest = NULL;
	const struct candidate_site *site = NULL;
	struct breach breach = {.constraint = -1};
	for (size_t o = 0; o < b->c->n_options; o++) {
		const struct candidate_list *list = &b->c->options[o].lists[v];
		for (size_t i = 0; i < list->n; i++) {
			const struct candidate *c = &list->items[i];
			struct breach k = build_breach(b, &b->c->options[o].sites[v], c);
			double miss = isnan(k.margin_frac) ? 1e9 : -k.margin_frac;
			struct distance d = {count_bits(c->broken), miss, c->monthly};
			if (!nearer(&d, &best))
				continue;
			best = d;
			nearest = c;
			site = &b->c->options[o].sites[v];
			breach = k;
		}
	}
	*unknown = nearest && !(nearest->broken & ~nearest->unknown);
	struct plan_volume *p = &b->plan->volumes[v];
	p->nearest = arena_alloc(b->arena, sizeof(*p->nearest));
	if (!p->nearest)
		return err_nomem(err);
	if (!nearest) {
		char size[32];
		units_count_text(p->horizon_gib, size);
		*p->nearest = (struct plan_rejected){.constraint = "capacity",
			.text = arena_printf(b->arena, "no tier holds %s GiB", size),
			.need = p->horizon_gib,
			.have = (double)NAN,
			.unit = "GiB"};
		p->nearest->config = arena_alloc(b->arena, sizeof(*p->nearest->config));
		if (!p->nearest->config)
			return err_nomem(err);
		plan_config_clear(p->nearest->config);
		p->nearest->config->family = p->nearest->config->sku = "none";
		return 0;
	}
	int rc = breach.constraint == (int)CONSTRAINT_RTO ? build_rto_remedy(b, site, nearest, err)
							  : 0;
	return rc ? rc : build_rejected(b, site, nearest, &breach, p->nearest, err);
}

/* The cheapest candidate that fits the volume for itself, on any machine; NULL: none. */
static const struct candidate *
fits_alone(const struct build *b, size_t v, const struct candidate_site **site)
{
	const struct candidate *best = NULL;
	for (size_t o = 0; o < b->c->n_options; o++) {
		const struct candidate_list *list = &b->c->options[o].lists[v];
		for (size_t i = 0; i < list->n; i++) {
			const struct candidate *c = &list->items[i];
			if (c->broken || (best && c->monthly >= best->monthly))
				continue;
			best = c;
			*site = &b->c->options[o].sites[v];
		}
	}
	return best;
}

/* The cheapest set of one machine without the shared constraints. */
static int
without_shared(struct build *b, size_t option, struct choice *out, struct err *err)
{
	/* then latencies at their good ends, then no commit promise at all */
	const struct choose_filter filters[] = {
		{.relaxed = joint_bits},
		{.relaxed = joint_bits, .optimistic = true},
		{.relaxed = joint_bits | CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99)},
	};
	out->found = false;
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]) && !out->found; i++) {
		struct choose_filter filter = filters[i];
		filter.only_vm = b->c->options[option].vm;
		int rc = chooser_solve_unpriced(b->c, &filter, CHOOSE_UNPRICED, out, NULL, err);
		if (rc)
			return rc;
	}
	return 0;
}

/*
 * That set on the machine that misses least: one whose caps hold and only a promise fails is nearer
 * than one where both do.
 */
static int
joint_choice(struct build *b, struct choice *out, struct breach *breach, struct err *err)
{
	struct distance best = {1000, (double)INFINITY, (double)INFINITY};
	out->found = false;
	for (size_t o = 0; o < b->c->n_options; o++) {
		struct choice choice;
		int rc = without_shared(b, o, &choice, err);
		if (rc)
			return rc;
		if (!choice.found)
			continue;
		struct breach k = chooser_check(b->c, choice.option, choice.at, 0);
		struct breach promise = chooser_tx_breach(b->c, choice.option, choice.at, 0);
		bool cap = k.broken && k.constraint >= (int)CONSTRAINT_VM_IOPS &&
			   k.constraint <= (int)CONSTRAINT_VM_DISKS;
		struct distance d = {cap + promise.broken,
			isnan(k.margin_frac) ? 1e9 : -k.margin_frac, choice.monthly};
		if (!nearer(&d, &best))
			continue;
		best = d;
		*out = choice;
		*breach = k;
	}
	return 0;
}

static bool
counts_for(
	const struct breach *breach, const struct candidate_site *site, const struct candidate *c)
{
	double use[CAP_COUNT];
	constraint_machine_use(site, c, use);
	switch (breach->constraint) {
	case CONSTRAINT_VM_IOPS:
		return use[CAP_REMOTE_IOPS] > 0;
	case CONSTRAINT_VM_MBPS:
		return use[CAP_REMOTE_MBPS] > 0;
	case CONSTRAINT_VM_CACHED_IOPS:
		return use[CAP_CACHED_IOPS] > 0;
	case CONSTRAINT_VM_CACHED_MBPS:
		return use[CAP_CACHED_MBPS] > 0;
	case CONSTRAINT_VM_DISKS:
		return use[CAP_DISKS] > 0;
	default: {
		int role = site->demand->volume->role;
		return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
	}
	}
}

/* The smallest documented machine whose caps take what the choice uses. */
static int
larger_machine(struct build *b, size_t option, const struct candidate *const *at,
	const struct breach *breach, struct err *err)
{
	bool cap = breach->constraint >= (int)CONSTRAINT_VM_IOPS &&
		   breach->constraint <= (int)CONSTRAINT_VM_DISKS;
	const struct limits *limits = b->c->in->limits;
	const struct vm_limit *best = NULL;
	double used[CAP_COUNT];
	chooser_use(b->c, option, at, used);
	for (size_t i = 0; i < limits->n_vms && cap; i++) {
		const struct vm_limit *vm = &limits->vms[i];
		bool known = !isnan(vm->uncached_iops) && !isnan(vm->uncached_mbps);
		bool smaller = !best || vm->vcpus < best->vcpus;
		if (known && smaller &&
			!constraint_machine_check(limits, vm, b->c->set.headroom, used, 0, b->arena)
				 .broken)
			best = vm;
	}
	if (!cap)
		return 0;
	if (!best)
		return build_change(b,
			"no machine in the limits file lets that much through: split the workload "
			"over more machines",
			err);
	return build_change(b,
		arena_printf(b->arena,
			"the smallest machine in the limits file whose caps would do is %s%s%s (%g "
			"vCPUs); name it under \"vm\" to see the whole plan",
			best->sku, best->interface ? ", " : "",
			best->interface ? best->interface : "", best->vcpus),
		err);
}

static int
joint_miss(struct build *b, struct err *err)
{
	struct choice choice;
	struct breach breach = {.constraint = -1};
	int rc = joint_choice(b, &choice, &breach, err);
	if (rc || !choice.found)
		return rc;
	const struct machine_option *o = &b->c->options[choice.option];
	b->choice = choice;
	b->choice.found = false;
	b->near = true;
	for (size_t v = 0; v < b->c->set.n; v++) {
		struct plan_volume *p = &b->plan->volumes[v];
		if (!counts_for(&breach, &o->sites[v], choice.at[v])) {
			p->chosen = build_config(b, &o->sites[v], choice.at[v], err);
			if (!p->chosen)
				return err_nomem(err);
			continue;
		}
		p->nearest = arena_alloc(b->arena, sizeof(*p->nearest));
		if (!p->nearest)
			return err_nomem(err);
		rc = build_rejected(b, &o->sites[v], choice.at[v], &breach, p->nearest, err);
		if (rc)
			return rc;
	}
	rc = build_caps(b, o->vm, &breach, err);
	if (rc)
		return rc;
	const char *why = breach.text ? breach.text : "";
	b->plan->sentence =
		b->undecided
			? arena_printf(b->arena,
				  "No configuration is known to fit: %s; %sa measurement decides.",
				  why, b->unmeasured ? b->unmeasured : "")
			: arena_printf(b->arena, "No configuration fits: %s.", why);
	return larger_machine(b, choice.option, choice.at, &breach, err);
}

/* The single constraint whose relaxation gives the cheapest plan. */
static int
what_to_relax(struct build *b, bool unknown, struct err *err)
{
	struct choice best = {.found = false};
	enum choose_prices fewest = CHOOSE_UNPRICED;
	int bit = -1;
	for (int id = 0; id < (int)BUILD_RELAXATIONS; id++) {
		const struct choose_filter filter = {.relaxed = build_relaxed(id)};
		enum choose_prices lacks;
		struct choice choice;
		if (!build_relaxable(id) || (id == (int)BUILD_VM_CAPS && best.found))
			continue;
		/* one that lacks more prices than one already found is not looked for */
		int rc = chooser_solve_unpriced(b->c, &filter, fewest, &choice, &lacks, err);
		if (rc)
			return rc;
		if (choice.found &&
			(!best.found || lacks < fewest || choice.monthly < best.monthly)) {
			best = choice;
			fewest = lacks;
			bit = id;
		}
	}
	if (!best.found)
		return build_change(b,
			unknown ? "nothing was found to miss a promise: what is not known stands "
				  "in the way, and a measurement decides"
				: "no single constraint is to blame: at least two have to be "
				  "relaxed",
			err);
	return build_change(b,
		arena_printf(b->arena,
			"without the %s constraint%s a plan exists: %s%s a month (%s)",
			build_constraint_name(bit), bit == (int)BUILD_VM_CAPS ? "s together" : "",
			best.complete ? "" : "at least ", build_money(b, best.monthly),
			build_placement(b, &best)),
		err);
}

/* Volumes that fit for themselves are shown so; the others with their nearest miss. */
static int
alone(struct build *b, size_t v, bool *fits, bool *unknown, struct err *err)
{
	struct plan_volume *p = &b->plan->volumes[v];
	const struct candidate_site *site = NULL;
	const struct candidate *c = fits_alone(b, v, &site);
	*fits = c != NULL;
	if (!c)
		return volume_miss(b, v, unknown, err);
	p->chosen = build_config(b, site, c, err);
	return p->chosen ? 0 : err_nomem(err);
}

/* "the latency of Ultra Disk for wal is not known, so "; NULL: every latency that counts has a figure. */
static const char *
unmeasured(const struct build *b, const struct choice *choice)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = choice->at[v];
		int role = b->c->set.volumes[v].volume->role;
		bool log = role == WORKLOAD_WAL,
		     reads = role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
		const struct estimate *e = log ? &c->latency.commit_p99 : &c->latency.read_p99;
		if ((log || reads) && !latency_known(e))
			return arena_printf(b->arena, "the latency of %s for %s is not known, so ",
				candidate_name(c, b->arena), b->c->set.volumes[v].label);
	}
	return NULL;
}

/*
 * Capacity, caps and price hold for some set of disks, and so do the latencies that have a figure: what
 * is not known could make it a plan.
 */
static int
judge(struct build *b, struct err *err)
{
	const struct choose_filter filter = {.trusting = true};
	struct choice hope;
	int rc = chooser_solve_unpriced(b->c, &filter, CHOOSE_UNPRICED, &hope, NULL, err);
	b->undecided = rc == 0 && hope.found;
	b->unmeasured = b->undecided ? unmeasured(b, &hope) : NULL;
	return rc;
}

int
build_miss(struct build *b, struct err *err)
{
	size_t n = b->c->set.n, first = n; /* the first volume that nothing fits */
	struct plan_volume *volumes = b->plan->volumes;
	bool all_unknown = true;
	int judged = judge(b, err);
	if (judged)
		return judged;
	for (size_t v = 0; v < n; v++) {
		bool fits, unknown = false;
		int rc = alone(b, v, &fits, &unknown, err);
		if (rc)
			return rc;
		/* the sentence is about a volume that does miss, where there is one */
		if (!fits && (first == n || (all_unknown && !unknown)))
			first = v;
		all_unknown = all_unknown && (fits || unknown);
	}
	if (first < n) {
		const struct plan_rejected *nearest = volumes[first].nearest;
		b->plan->sentence = arena_printf(b->arena,
			all_unknown
				? "No configuration is known to fit the %s volume; of the "
				  "nearest, %s cannot be judged: %s."
				: "No configuration fits the %s volume; the nearest misses %s: %s.",
			volumes[first].name, nearest->constraint, nearest->text);
		return what_to_relax(b, all_unknown, err);
	}
	for (size_t v = 0; v < n; v++)
		volumes[v].chosen = NULL; /* they fit alone, not together */
	int rc = joint_miss(b, err);
	if (rc == 0 && !b->plan->sentence)
		b->plan->sentence = "No configuration fits.";
	return rc ? rc : what_to_relax(b, b->undecided, err);
}
