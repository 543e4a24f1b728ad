/*
 * choose_problem.c - what a filter admits of the candidates, as the problem that search.h solves, and its
 * answer as a choice (choose.h).
 */
#include <math.h>
#include <string.h>

#include "advise/choose.h"
#include "advise/spread.h"

/* What one machine offers a volume, under the filter. */
struct offer {
	const struct candidate **at; /* by item */
	struct search_item *items;
};

/* What transactions meet, in the order of search_item.quality. */
enum {
	MEETS_COMMIT_MEAN,
	MEETS_COMMIT_P99,
	MEETS_READ_MEAN,
	MEETS_READ_P99,
	MEETS_USED,
	MEETS_USED_FRONT,
	MEETS_USED_BACK,
	MEETS_NO_HOST_CACHE, /* 1: reads that hit the host's cache are not answered there */
	MEETS_COUNT
};
_Static_assert((int)MEETS_COUNT == (int)SEARCH_QUALITIES, "a quality each");

struct problem {
	struct chooser *c;
	const struct choose_filter *filter;
	struct search_problem p;
	struct search_machine *machines;
	size_t *option_of; /* by machine */
	struct offer *offers; /* of the k-th volume in the order: [machine * n_volumes + k] */
};

static struct offer *
offer_of(const struct problem *b, size_t machine, size_t k)
{
	return &b->offers[machine * b->c->set.n + k];
}

/* A promise that is not let go, or is missed by more than the filter allows. */
static bool
too_far(const struct problem *b, size_t option, const struct candidate *const *at)
{
	const struct choose_filter *f = b->filter;
	unsigned seen = 0;
	for (;;) {
		struct breach k = chooser_tx_breach(b->c, option, at, seen);
		if (!k.broken)
			return false;
		unsigned bit = CONSTRAINT_BIT(k.constraint);
		if ((seen & bit) || !(f->relaxed & bit) || constraint_over(&k) > f->over)
			return true;
		seen |= bit;
	}
}

/* The promises, and the pace the filter asks of the transactions. */
static bool
breaks(const struct problem *b, size_t machine, const struct candidate *const *at)
{
	const struct choose_filter *f = b->filter;
	size_t option = b->option_of[machine];
	if (f->bounded ? too_far(b, option, at)
		       : chooser_tx_breach(b->c, option, at, f->relaxed).broken)
		return true;
	return f->pace == CHOOSE_PACE_TX &&
	       !(chooser_pace_ms(b->c, f->pace, option, at) <= f->pace_ms);
}

static struct estimate
figure(double us)
{
	double value = isinf(us) ? (double)NAN : us;
	return (struct estimate){.value = value, .lo = value, .hi = value};
}

/* A disk that is as slow and as full as the slowest and fullest: it stands for all of them. */
static struct candidate
stand_in(const double worst[SEARCH_QUALITIES])
{
	return (struct candidate){
		.host_cache = worst[MEETS_NO_HOST_CACHE] > 0 ? "None" : "ReadOnly",
		.latency = {.commit_mean = figure(worst[MEETS_COMMIT_MEAN]),
			.commit_p99 = figure(worst[MEETS_COMMIT_P99]),
			.tx_read_mean = figure(worst[MEETS_READ_MEAN]),
			.tx_read_p99 = figure(worst[MEETS_READ_P99]),
			.used = worst[MEETS_USED],
			.used_front = worst[MEETS_USED_FRONT],
			.used_back = worst[MEETS_USED_BACK]}};
}

/* One volume for the log and one for the pages: the prediction takes the worst of each anyway. */
static bool
joint(void *ctx, size_t machine, const double worst[SEARCH_QUALITIES])
{
	const struct problem *b = ctx;
	struct chooser *c = b->c;
	const struct candidate all = stand_in(worst), *at[SEARCH_MAX_VOLUMES] = {NULL};
	bool log = false, pages = false;
	for (size_t k = 0; k < c->n_joint; k++) {
		size_t v = c->order[k];
		bool first = (!log && chooser_is_log(c, v)) || (!pages && chooser_is_pages(c, v));
		if (first)
			at[v] = &all;
		log = log || chooser_is_log(c, v);
		pages = pages || chooser_is_pages(c, v);
	}
	return !breaks(b, machine, at);
}

static bool
admits(const struct problem *b, const struct candidate_site *site, size_t volume,
	const struct candidate *k)
{
	const struct choose_filter *f = b->filter;
	unsigned passing = f->optimistic ? k->unknown : f->trusting ? k->unmeasured : 0;
	if (f->optimistic) /* a measurement of the disk does not tell how long a restore takes */
		passing &= ~CONSTRAINT_BIT(CONSTRAINT_RTO);
	unsigned broken = k->broken & ~f->relaxed & ~passing;
	if (f->prices >= CHOOSE_PRICED_WHERE_ANY)
		broken &= ~CONSTRAINT_BIT(CONSTRAINT_PRICE);
	if (broken || (f->family && strcmp(f->family, k->disk->family) != 0))
		return false;
	if (chooser_paces(b->c, f->pace, volume) &&
		!(chooser_own_pace_ms(k, f->pace) <= f->pace_ms))
		return false;
	if (f->bounded && (k->broken & f->relaxed) &&
		constraint_most_over(site, k, k->broken & f->relaxed) > f->over)
		return false;
	return !(f->not_sku && f->not_volume == volume && k->disks <= f->not_disks &&
		 k->disks >= f->not_disks && strcmp(f->not_sku, k->disk->sku) == 0);
}

static double
quality(const struct estimate *e)
{
	return latency_known(e) ? e->value : (double)INFINITY;
}

/* A share that is not known makes no bursts. */
static double
share(double used)
{
	return isnan(used) ? 0 : used;
}

/* At the same cost and preferences fewer disks win: below one unmet preference for any stripe. */
static const double per_disk = 1e-3;

/* Qualities the transactions see: flushes of the log, reads of data and index (tx.c). */
static void
fill_item(const struct chooser *c, const struct candidate_site *site, size_t v,
	const struct candidate *k, struct search_item *item)
{
	*item = (struct search_item){
		.cost = k->monthly * c->machines, .penalty = k->penalty + per_disk * k->disks};
	constraint_machine_use(site, k, item->use);
	if (chooser_is_log(c, v)) {
		item->quality[MEETS_COMMIT_MEAN] = quality(&k->latency.commit_mean);
		item->quality[MEETS_COMMIT_P99] = quality(&k->latency.commit_p99);
	}
	if (chooser_is_pages(c, v)) {
		bool cached = candidate_is_cached(k);
		item->quality[MEETS_READ_MEAN] = quality(&k->latency.tx_read_mean);
		item->quality[MEETS_READ_P99] = quality(&k->latency.tx_read_p99);
		item->quality[MEETS_USED] = share(k->latency.used);
		item->quality[MEETS_USED_FRONT] = share(k->latency.used_front);
		item->quality[MEETS_USED_BACK] = share(k->latency.used_back);
		/* where nothing is said to hit it, a cache makes no difference */
		item->quality[MEETS_NO_HOST_CACHE] = c->set.transaction.host_cache_hit_frac > 0 &&
						     !cached;
	}
}

/*
 * The good end (spread.h), unless known ones are kept as they are; unknown: a nanosecond, for the model
 * divides by latencies.
 */
static void
be_optimistic(struct estimate *e, const struct disk_model *m, bool keep_known)
{
	double low = m ? spread_good_end(e, m->trust) : e->lo;
	if (latency_known(e) && keep_known)
		return;
	if (!latency_known(e))
		low = 0.001;
	e->value = e->lo = e->hi = low;
}

/* The candidate as the filter counts its latencies. */
static struct candidate
timed(const struct choose_filter *f, const struct candidate *k)
{
	struct candidate copy = *k;
	if (!f->optimistic && !f->trusting)
		return copy;
	be_optimistic(&copy.latency.commit_mean, k->latency.model, f->trusting);
	be_optimistic(&copy.latency.commit_p99, k->latency.model, f->trusting);
	be_optimistic(&copy.latency.tx_read_mean, k->latency.model, f->trusting);
	be_optimistic(&copy.latency.tx_read_p99, k->latency.model, f->trusting);
	return copy;
}

/* Does a disk whose price is known serve the volume by itself? */
static bool
any_priced(const struct problem *b, const struct candidate_site *site, size_t volume,
	const struct candidate_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->items[i].priced && admits(b, site, volume, &list->items[i]))
			return true;
	}
	return false;
}

static int
fill_volume(struct problem *b, const struct machine_option *option, size_t machine, size_t k,
	struct search_volume *out, struct err *err)
{
	struct chooser *c = b->c;
	size_t v = c->order[k], n = 0;
	const struct candidate_list *list = &option->lists[v];
	struct offer *o = offer_of(b, machine, k);
	o->items = arena_array(c->arena, list->n + 1, sizeof(*o->items));
	o->at = candidate_pointers(c->arena, list->n + 1);
	if (!o->items || !o->at)
		return err_nomem(err);
	bool priced = b->filter->prices == CHOOSE_PRICED_WHERE_ANY &&
		      any_priced(b, &option->sites[v], v, list);
	for (size_t i = 0; i < list->n; i++) {
		const struct candidate *at = &list->items[i];
		if (!admits(b, &option->sites[v], v, at) || (priced && !at->priced))
			continue;
		const struct candidate as_counted = timed(b->filter, at);
		o->at[n] = at;
		fill_item(c, &option->sites[v], v, &as_counted, &o->items[n++]);
	}
	*out = (struct search_volume){o->items, n};
	return 0;
}

static bool
admits_machine(const struct problem *b, const struct machine_option *o)
{
	if (b->filter->not_vm && o->vm && strcmp(b->filter->not_vm->sku, o->vm->sku) == 0)
		return false;
	if (b->filter->only_vm && b->filter->only_vm != o->vm)
		return false;
	return !b->c->machine_counts || !o->price_gap || b->filter->prices >= CHOOSE_PRICED_DISKS;
}

static int
fill_machine(struct problem *b, size_t option, struct err *err)
{
	struct chooser *c = b->c;
	const struct machine_option *o = &c->options[option];
	size_t m = b->p.n_machines++;
	struct search_volume *volumes = arena_array(c->arena, c->set.n, sizeof(*volumes));
	if (!volumes)
		return err_nomem(err);
	b->option_of[m] = option;
	b->machines[m] = (struct search_machine){.volumes = volumes};
	if (c->machine_counts && !isnan(o->monthly))
		b->machines[m].cost = o->monthly * c->machines;
	constraint_machine_caps(c->in->limits, o->vm, c->set.headroom, b->machines[m].cap);
	for (size_t i = 0; i < CAP_COUNT; i++) {
		bool open = b->filter->relaxed & CONSTRAINT_BIT(constraint_of_cap(i));
		if (open && !constraint_cap_is_space(i))
			b->machines[m].cap[i] *= b->filter->bounded ? 1 + b->filter->over
								    : (double)INFINITY;
	}
	int rc = 0;
	for (size_t k = 0; k < c->set.n && rc == 0; k++)
		rc = fill_volume(b, o, m, k, &volumes[k], err);
	return rc;
}

static void
take(struct problem *b, const struct search_result *r, struct choice *out)
{
	const struct chooser *c = b->c;
	*out = (struct choice){.found = r->found, .complete = true, .counts = r->counts};
	if (!r->found)
		return;
	out->option = b->option_of[r->machine];
	const struct machine_option *o = &c->options[out->option];
	for (size_t k = 0; k < c->set.n; k++) {
		const struct candidate *at = offer_of(b, r->machine, k)->at[r->choice[k]];
		out->at[c->order[k]] = at;
		out->storage_monthly += at->monthly * c->machines;
		out->complete = out->complete && at->priced;
	}
	out->monthly = out->storage_monthly + b->machines[r->machine].cost;
	out->complete = out->complete && !(c->machine_counts && o->price_gap);
}

void
chooser_let_restore_open(struct chooser *c)
{
	c->restore_open = true;
	for (size_t o = 0; o < c->n_options; o++) {
		for (size_t v = 0; v < c->set.n; v++) {
			struct candidate_list *list = &c->options[o].lists[v];
			list->fit = list->fit_open;
			for (size_t i = 0; i < list->n; i++)
				list->items[i].broken &= ~(
					list->items[i].unmeasured & CONSTRAINT_BIT(CONSTRAINT_RTO));
		}
	}
}

/* Every machine and candidate that the filter admits. */
static int
make_problem(
	struct chooser *c, const struct choose_filter *filter, struct problem *b, struct err *err)
{
	*b = (struct problem){.c = c, .filter = filter};
	b->machines = arena_array(c->arena, c->n_options, sizeof(*b->machines));
	b->option_of = arena_array(c->arena, c->n_options, sizeof(*b->option_of));
	b->offers = arena_array(c->arena, c->n_options * c->set.n, sizeof(*b->offers));
	if (!b->machines || !b->option_of || !b->offers)
		return err_nomem(err);
	b->p = (struct search_problem){.machines = b->machines,
		.n_volumes = c->set.n,
		.n_joint = c->n_joint,
		.joint = joint,
		.ctx = b};
	int rc = 0;
	for (size_t i = 0; i < c->n_options && rc == 0; i++) {
		if (admits_machine(b, &c->options[i]))
			rc = fill_machine(b, i, err);
	}
	return rc;
}

int
chooser_problem(struct chooser *c, const struct choose_filter *filter,
	const struct search_problem **out, struct err *err)
{
	struct problem *b = arena_alloc(c->arena, sizeof(*b));
	int rc = b ? make_problem(c, filter, b, err) : err_nomem(err);
	if (rc == 0)
		*out = &b->p;
	return rc;
}

int
chooser_solve(
	struct chooser *c, const struct choose_filter *filter, struct choice *out, struct err *err)
{
	struct problem b;
	struct search_result result;
	int rc = make_problem(c, filter, &b, err);
	rc = rc ? rc : search_solve(&b.p, c->arena, &result, err);
	if (rc == 0)
		take(&b, &result, out);
	return rc;
}

int
chooser_solve_unpriced(struct chooser *c, const struct choose_filter *filter,
	enum choose_prices most, struct choice *out, enum choose_prices *lacks, struct err *err)
{
	struct choose_filter f = *filter;
	int rc = 0;
	out->found = false;
	for (int i = (int)filter->prices; i <= (int)most && rc == 0 && !out->found; i++) {
		f.prices = (enum choose_prices)i;
		if (f.prices == CHOOSE_PRICED_DISKS && f.prices > filter->prices &&
			!c->machine_counts)
			continue; /* the same question again */
		rc = chooser_solve(c, &f, out, err);
		if (lacks)
			*lacks = f.prices;
	}
	return rc;
}
