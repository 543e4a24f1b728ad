/*
 * reasons.c - why a volume got what it got, in three sentences with both numbers and where they come from:
 * why this tier (what the closest of the cheaper ones breaks), why this size and rate, and why this
 * stripe, latency or not a dearer one.  A preference of the rules that is not followed is one more.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "advise/candidate_make.h"
#include "base/trust.h"
#include "base/units.h"

struct why {
	struct build *b;
	size_t v;
	const struct candidate_site *site;
	const struct candidate *c;
	const struct candidate_list *list;
	struct plan_volume *p;
};

static int
add(const struct why *w, const char *text, struct err *err)
{
	struct plan_volume *p = w->p;
	const char **reasons = arena_grow(w->b->arena, p->reasons, p->n_reasons, sizeof(*reasons));
	if (!reasons || !text)
		return err_nomem(err);
	p->reasons = reasons;
	p->reasons[p->n_reasons++] = text;
	return 0;
}

static const char *
count(const struct why *w, double v)
{
	char text[32];
	units_count_text(v, text);
	return arena_strdup(w->b->arena, text);
}

static bool
same_family(const struct candidate *a, const struct candidate *b)
{
	return strcmp(a->disk->family, b->disk->family) == 0;
}

static bool
same_size(const struct candidate *a, const struct candidate *b)
{
	return same_family(a, b) && strcmp(a->disk->sku, b->disk->sku) == 0;
}

/* ---- why this tier ---- */

/* A larger size cures a cap, nothing cures a latency; then a rule; an unknown price says nothing of the tier. */
static int
tells(const struct plan_rejected *r)
{
	if (isnan(r->miss_frac))
		return strcmp(r->constraint, "price") != 0;
	return strstr(r->constraint, "p99") || strcmp(r->constraint, "tps") == 0 ? 3 : 2;
}

/* Of the cheaper ones of other tiers the one that misses by the least. */
static const struct plan_rejected *
closest(const struct plan_volume *p)
{
	const struct plan_rejected *best = NULL;
	for (size_t i = 0; i < p->n_rejected; i++) {
		const struct plan_rejected *r = &p->rejected[i];
		if (strcmp(r->config->family, p->chosen->family) == 0)
			continue;
		int more = best ? tells(r) - tells(best) : 1;
		if (more > 0 || (more == 0 && !(r->miss_frac > best->miss_frac)))
			best = r;
	}
	return best;
}

enum others { OTHER_TIER, OTHER_STRIPE, OTHER_SIZE };

static bool
is_other(const struct candidate *k, const struct candidate *c, enum others which)
{
	bool stripe = k->disks < c->disks || k->disks > c->disks;
	if (which == OTHER_TIER)
		return !same_family(k, c);
	return which == OTHER_STRIPE ? same_size(k, c) && stripe
				     : same_family(k, c) && !same_size(k, c);
}

/* In the place of the chosen one, does it break what volumes share and the chosen ones do not? */
static bool
breaks_together(const struct why *w, const struct candidate *k)
{
	const struct choice *choice = &w->b->choice;
	const struct candidate *at[SEARCH_MAX_VOLUMES];
	if (chooser_check(w->b->c, choice->option, choice->at, 0).broken)
		return false;
	for (size_t v = 0; v < w->b->c->set.n; v++)
		at[v] = v == w->v ? k : choice->at[v];
	return chooser_check(w->b->c, choice->option, at, 0).broken;
}

/* The cheapest of the others that also keeps every constraint, of this volume and of all together. */
static const struct candidate *
next_fitting(const struct why *w, enum others which)
{
	const struct candidate *best = NULL;
	for (size_t i = 0; i < w->list->n; i++) {
		const struct candidate *k = &w->list->items[i];
		/* a size whose price is not known in full may still be the next one up */
		unsigned broken = which == OTHER_SIZE
					  ? k->broken & ~CONSTRAINT_BIT(CONSTRAINT_PRICE)
					  : k->broken;
		if (!is_other(k, w->c, which) || broken || k->place == PLACE_LOCAL ||
			k->monthly < w->c->monthly)
			continue;
		if ((!best || k->monthly < best->monthly) && !breaks_together(w, k))
			best = k;
	}
	return best;
}

static const char *
breaks_text(const struct why *w, const struct plan_rejected *r)
{
	struct arena *a = w->b->arena;
	const struct plan_config *c = r->config;
	const char *disks = c->disks > 1 ? arena_printf(a, "%g x ", c->disks) : "";
	bool latency = strstr(r->constraint, "p99") != NULL && c->latency_trust >= 0;
	bool unpriced = strcmp(r->constraint, "price") == 0;
	return arena_printf(a, "%s%s at %s%s, breaks %s: %s%s%s%s%s", disks,
		c->title ? c->title : c->sku, c->monthly_complete ? "" : "at least ",
		build_money(w->b, c->monthly), r->constraint,
		unpriced ? "the book does not hold all of it" : r->text, r->miss ? ", " : "",
		r->miss ? r->miss : "", latency ? "; latency " : "",
		latency ? names_text(&trust_names, c->latency_trust) : "");
}

/* What of the configurations was not offered at all. */
static const char *
stripes_text(const struct why *w)
{
	double frac = w->b->c->set.stripe_saving_frac;
	if (!(frac > 0) || candidate_stripes(w->site) < 2)
		return "";
	return arena_printf(w->b->arena, ", with stripes that save at least %g %%", 100 * frac);
}

static int
why_tier(const struct why *w, struct err *err)
{
	struct arena *a = w->b->arena;
	const struct plan_rejected *r = closest(w->p);
	bool local = w->c->place == PLACE_LOCAL;
	const struct candidate *next = r || local ? NULL : next_fitting(w, OTHER_TIER);
	size_t fit = w->list->fit;
	const char *than = "";
	if (r)
		than = arena_printf(a, "; of the cheaper ones the closest, %s", breaks_text(w, r));
	else if (next)
		than = arena_printf(a, "; of the other tiers the cheapest, %s, costs %s, %s more",
			candidate_name(next, a), build_money(w->b, next->monthly),
			build_money(w->b, next->monthly - w->c->monthly));
	const char *first =
		local ? "comes with the machine and leaves its remote caps to the others"
		      : arena_printf(a,
				"the cheapest of %zu configurations that meet every constraint "
				"of this volume%s, %s a month on each machine%s (prices %s)",
				fit, stripes_text(w), build_money(w->b, w->c->monthly),
				w->c->priced ? "" : " at least",
				names_text(&trust_names, w->b->c->in->book->trust));
	return add(w, than && first ? arena_printf(a, "%s%s", first, than) : NULL, err);
}

/* ---- why this size and rate ---- */

/* The largest cheaper size of the same tier that holds the data but not the rate, or NULL. */
static const struct plan_rejected *
smaller_size(const struct plan_volume *p, bool rate)
{
	const struct plan_rejected *best = NULL;
	for (size_t i = 0; i < p->n_rejected; i++) {
		const struct plan_rejected *r = &p->rejected[i];
		bool of_rate = strcmp(r->constraint, "iops") == 0 ||
			       strcmp(r->constraint, "mbps") == 0 ||
			       strcmp(r->constraint, "backup-window") == 0;
		if ((of_rate || !rate) && strcmp(r->config->family, p->chosen->family) == 0)
			best = r;
	}
	return best;
}

/* "2,500 IOPS and 21 MB/s" of what is known; NULL: neither is. */
static const char *
rates(const struct why *w, double iops, double mbps)
{
	struct arena *a = w->b->arena;
	if (isnan(iops) && isnan(mbps))
		return NULL;
	return arena_printf(a, "%s%s%s%s%s", isnan(iops) ? "" : count(w, iops),
		isnan(iops) ? "" : " IOPS", isnan(iops) || isnan(mbps) ? "" : " and ",
		isnan(mbps) ? "" : count(w, mbps), isnan(mbps) ? "" : " MB/s");
}

static const char *
bought_text(const struct why *w)
{
	struct arena *a = w->b->arena;
	const struct demand *d = w->site->demand;
	const char *need = rates(w, ceil(w->p->need_iops - 1e-6), ceil(w->p->need_mbps - 1e-6));
	const char *have = rates(w, w->c->iops, w->c->mbps);
	return arena_printf(a,
		"size and rate: %s GiB%s%s for the %s GiB%s%s that are needed with %g %% kept free "
		"(demand %s, caps published)",
		count(w, w->c->billed_gib * w->c->disks), have ? ", " : "", have ? have : "",
		count(w, d->horizon_gib), need ? ", " : "", need ? need : "",
		w->b->c->set.headroom * 100,
		!need                        ? "of space alone, no rate is given"
		: d->trust == TRUST_MEASURED ? "as given"
					     : names_text(&trust_names, d->trust));
}

static const char *
size_text(const struct why *w)
{
	struct arena *a = w->b->arena;
	const struct plan_rejected *r = smaller_size(w->p, true);
	if (r)
		return arena_printf(a,
			"size is bought for %s: %s x %g holds the data for %s less a month, but "
			"%s%s%s",
			strcmp(r->constraint, "iops") == 0 ? "IOPS" : "MB/s", r->config->sku,
			r->config->disks,
			build_money(w->b, w->p->chosen->monthly - r->config->monthly), r->text,
			r->miss ? ": " : "", r->miss ? r->miss : "");
	r = smaller_size(w->p, false);
	return r ? arena_printf(a, "no smaller size of the tier does: %s", breaks_text(w, r))
		 : bought_text(w);
}

static int
why_size(const struct why *w, struct err *err)
{
	bool bought = !isnan(w->p->chosen->bought_iops);
	if (w->c->place == PLACE_LOCAL)
		return add(w,
			arena_printf(w->b->arena,
				"it holds %s GiB (published) of which %s are needed",
				count(w, w->c->disk->size_gib_max * w->c->disks),
				count(w, w->site->demand->horizon_gib)),
			err);
	return add(w, bought ? bought_text(w) : size_text(w), err);
}

/* ---- why this stripe, its latency, not a dearer one ---- */

static const char *
stripe_text(const struct why *w)
{
	const struct candidate *other = next_fitting(w, OTHER_STRIPE);
	if (!(w->c->disks > 1) || !other)
		return NULL;
	return arena_printf(w->b->arena,
		"%g disks because each brings its own allowance: %s costs %s a month, %s more",
		w->c->disks, candidate_name(other, w->b->arena), build_money(w->b, other->monthly),
		build_money(w->b, other->monthly - w->c->monthly));
}

/* The promise on its own latency with the least room, with what the disk does. */
static const char *
latency_text(const struct why *w)
{
	static const enum constraint_id ids[] = {
		CONSTRAINT_COMMIT_P99, CONSTRAINT_READ_P99, CONSTRAINT_WRITE_P99};
	struct breach least = {.margin_frac = (double)INFINITY};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct breach k = constraint_check(ids[i], w->site, w->c, &w->b->ctx);
		if (k.applies && k.text && k.margin_frac < least.margin_frac)
			least = k;
	}
	return least.text ? arena_printf(w->b->arena, "%s, %.0f %% of it left (%s)", least.text,
				    100 * least.margin_frac,
				    names_text(&trust_names, w->c->latency.trust))
			  : NULL;
}

static const char *
next_size_text(const struct why *w)
{
	const struct candidate *next = next_fitting(w, OTHER_SIZE);
	if (!next)
		return NULL;
	if (!next->priced)
		return arena_printf(w->b->arena,
			"another size of the tier that fits, %s, costs at least %s a month, its "
			"price "
			"is not known in full",
			candidate_name(next, w->b->arena), build_money(w->b, next->monthly));
	return arena_printf(w->b->arena,
		"another size of the tier that fits, %s, costs %s a month, %s%s more",
		candidate_name(next, w->b->arena), build_money(w->b, next->monthly),
		w->c->priced ? "" : "at most ", build_money(w->b, next->monthly - w->c->monthly));
}

/* Above this many times the price a tier is no alternative, and its name says nothing. */
#define WEIGHED_MAX 2

static const char *
dearer_text(const struct why *w)
{
	const struct candidate *next = next_fitting(w, OTHER_TIER);
	if (!next || w->c->place == PLACE_LOCAL)
		return NULL;
	if (w->c->priced && next->monthly > WEIGHED_MAX * w->c->monthly)
		return "no promise needs another tier: each that would do costs more than twice as "
		       "much";
	return arena_printf(w->b->arena,
		"no promise needs another tier: the next, %s, costs %s a month, %s more",
		candidate_name(next, w->b->arena), build_money(w->b, next->monthly),
		build_money(w->b, next->monthly - w->c->monthly));
}

/* What may be lost with the machine: temporary data, or data whose engine has it on others too. */
static const char *
local_text(const struct why *w)
{
	const struct candidate *next = next_fitting(w, OTHER_TIER);
	const char *lost =
		w->site->demand->volume->role == WORKLOAD_TEMP
			? "nothing on it must outlive the machine"
			: "the copies on other machines outlive this one, and the engine "
			  "is made to rebuild its part from them";
	return next ? arena_printf(w->b->arena,
			      "%s: %s, which is kept when the machine stops, costs %s a month",
			      lost, candidate_name(next, w->b->arena),
			      build_money(w->b, next->monthly))
		    : arena_printf(w->b->arena, "%s, so a disk that is lost with it does", lost);
}

static const char *
window_text(const struct why *w)
{
	struct breach k = constraint_check(CONSTRAINT_WINDOW, w->site, w->c, &w->b->ctx);
	return k.applies && !isnan(k.margin_frac)
		       ? arena_printf(w->b->arena,
				 "its MB/s are what the window asks for: the copy takes %.3g h of "
				 "%g h allowed",
				 k.have, k.need)
		       : NULL;
}

/* What it takes of the machine's caps: what a larger one would take from the others. */
static const char *
machine_text(const struct why *w)
{
	double use[CAP_COUNT] = {0}, cap[CAP_COUNT];
	if (!w->site->vm)
		return NULL;
	constraint_machine_use(w->site, w->c, use);
	constraint_machine_caps(w->site->in->limits, w->site->vm, w->b->c->set.headroom, cap);
	if (!isfinite(cap[CAP_REMOTE_IOPS]) || !isfinite(cap[CAP_REMOTE_MBPS]))
		return NULL;
	return arena_printf(w->b->arena,
		"of what %s lets through to remote disks, %s IOPS and %s MB/s with headroom, it "
		"takes %s and %s",
		w->site->vm->sku, count(w, cap[CAP_REMOTE_IOPS]), count(w, cap[CAP_REMOTE_MBPS]),
		count(w, use[CAP_REMOTE_IOPS]), count(w, use[CAP_REMOTE_MBPS]));
}

static const char *
cache_text(const struct why *w)
{
	const char *cache = w->c->host_cache ? w->c->host_cache : "None";
	return arena_printf(w->b->arena, "host cache %s%s; redundancy %s", cache,
		w->c->cache_allowed ? "" : ", for the tier or the size has none",
		w->c->redundancy ? w->c->redundancy : "as the tier has it");
}

static int
why_else(const struct why *w, struct err *err)
{
	bool local = w->c->place == PLACE_LOCAL;
	const char *text = latency_text(w), *stripe = stripe_text(w);
	if (text && stripe) {
		int rc = add(w, text, err);
		if (rc)
			return rc;
		text = NULL;
	}
	text = text ? text : stripe;
	text = text ? text : local ? local_text(w) : window_text(w);
	/* the first reason names a dearer tier where nothing is cheaper */
	text = text || !closest(w->p) ? text : dearer_text(w);
	text = text ? text : next_size_text(w);
	text = text ? text : machine_text(w);
	return add(w, text ? text : cache_text(w), err);
}

/* A dearer configuration that keeps more of the preferences: what following them would cost. */
static int
why_not_preferred(const struct why *w, struct err *err)
{
	const struct candidate *c = w->c, *best = NULL;
	for (size_t i = 0; i < w->list->n; i++) {
		const struct candidate *k = &w->list->items[i];
		if (k->broken || k->penalty >= c->penalty || k->monthly < c->monthly)
			continue;
		if (!best || k->monthly < best->monthly)
			best = k;
	}
	if (!best)
		return 0;
	return add(w,
		arena_printf(w->b->arena,
			"a preference is not followed (see the rules): %s would keep it for %s a "
			"month, %s more",
			candidate_name(best, w->b->arena), build_money(w->b, best->monthly),
			build_money(w->b, best->monthly - c->monthly)),
		err);
}

/* What the same size costs with the rates that come with it; NaN: not known. */
static double
bare_monthly(const struct why *w)
{
	struct bill bill;
	struct err gap = {0};
	const struct price_book *book = w->b->c->in->book;
	struct disk_config config = candidate_bill_config(w->c, w->site, 1);
	config.iops = w->c->disk->iops_base;
	config.mbps = disk_limit_base_mbps(w->c->disk);
	bill_init(&bill, book);
	int rc = bill_add_disk(&bill, w->b->arena, book, &config, NULL, &gap);
	return rc || bill.complete != 1 ? (double)NAN : bill.total;
}

/* A price for the size alone is no price for what is needed. */
static int
why_not_bare(const struct why *w, struct err *err)
{
	double iops = w->c->disk->iops_base * w->c->disks;
	double mbps = disk_limit_base_mbps(w->c->disk) * w->c->disks;
	bool more_iops = w->p->need_iops > iops, more_mbps = w->p->need_mbps > mbps;
	/* an allowance far below the need tempts nobody */
	bool near = w->p->need_iops < 4 * iops && w->p->need_mbps < 4 * mbps;
	if (isnan(w->c->bought_iops) || !w->c->priced || !(more_iops || more_mbps) || !near)
		return 0;
	double bare = bare_monthly(w);
	if (!(bare < w->c->monthly - 0.005))
		return 0;
	return add(w,
		arena_printf(w->b->arena,
			"with what comes with the size, %s IOPS and %s MB/s, it would cost %s, but "
			"that is no equal: %s < %s %s needed; the rate costs %s",
			count(w, iops), count(w, mbps), build_money(w->b, bare),
			count(w, more_mbps ? mbps : iops),
			count(w, more_mbps ? w->p->need_mbps : w->p->need_iops),
			more_mbps ? "MB/s" : "IOPS", build_money(w->b, w->c->monthly - bare)),
		err);
}

/* With any host cache a write counts against both limits of the machine: the lower one binds. */
static int
why_no_cache(const struct why *w, struct err *err)
{
	bool log = w->site->demand->volume->role == WORKLOAD_WAL;
	bool none = w->c->host_cache && strcmp(w->c->host_cache, "None") == 0;
	double cap[CAP_COUNT];
	constraint_machine_caps(w->site->in->limits, w->site->vm, 0, cap);
	if (!log || !none || !w->c->cache_allowed || !isfinite(cap[CAP_CACHED_MBPS]) ||
		!(cap[CAP_CACHED_MBPS] < cap[CAP_UNCACHED_MBPS]))
		return 0;
	return add(w,
		arena_printf(w->b->arena,
			"host cache None for a log: with any cache its writes count against the "
			"machine's cached %s MB/s too; without, %s MB/s (%.0f %% more); a read "
			"cache is for data files",
			count(w, cap[CAP_CACHED_MBPS]), count(w, cap[CAP_UNCACHED_MBPS]),
			100 * (cap[CAP_UNCACHED_MBPS] / cap[CAP_CACHED_MBPS] - 1)),
		err);
}

/* The time to be back, where it is promised. */
static int
why_restore(const struct why *w, struct err *err)
{
	struct breach k = constraint_check(CONSTRAINT_RTO, w->site, w->c, &w->b->ctx);
	return k.applies && k.text ? add(w, k.text, err) : 0;
}

/* What the rates it is sized for were seen as. */
static int
why_rates(const struct why *w, struct err *err)
{
	const char *evidence = w->site->demand->volume->evidence;
	return evidence ? add(w, arena_printf(w->b->arena, "sized for %s", evidence), err) : 0;
}

int
build_reasons(struct build *b, struct err *err)
{
	int rc = 0;
	for (size_t v = 0; v < b->c->set.n && rc == 0; v++) {
		const struct machine_option *o = &b->c->options[b->choice.option];
		const struct why w = {
			b, v, &o->sites[v], b->choice.at[v], &o->lists[v], &b->plan->volumes[v]};
		policy_facts(w.site, w.c, NULL, &b->ctx);
		rc = why_tier(&w, err);
		rc = rc ? rc : why_size(&w, err);
		rc = rc ? rc : why_else(&w, err);
		rc = rc ? rc : why_not_bare(&w, err);
		rc = rc ? rc : why_no_cache(&w, err);
		rc = rc ? rc : why_restore(&w, err);
		rc = rc ? rc : why_not_preferred(&w, err);
		rc = rc ? rc : why_rates(&w, err);
	}
	return rc;
}
