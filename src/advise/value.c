/*
 * value.c - what a bench of each tier that nobody has measured would be worth: how likely it changes the
 * decision, what that saves, and the chance of the promises before and after.
 *
 * Preposterior over the error z of the tier's profile (spread.h, chance.h).  After a bench only the
 * 3 % floor of models.md 1.3 is left of it: the measurement shows m, normal with variance 1 - r^2, and the
 * disk is at m + r z', r = 0.03 / sigma; the other disks stay as unsure as they are.  The decision after it is
 * the program's own rule: a plan stands when every promise holds at m, the other disks at their values.
 *   too slow   m beyond what this plan bears: another one has to be found
 *   cheaper    m at which the cheapest plan holds that the good ends allow (spread.h; the optimistic search)
 *   change     either of the two; expected saving = cheaper x what that plan saves
 *   avoided    too slow, times the chance that a promise then breaks
 * The first is the one most likely to change the decision; of equals, the one with the larger expected
 * saving, then the larger rise of the chance.  A latency without any figure has no such share; it is
 * ranked as one half, which nothing else is made of.  A promise that is broken however quick the disks are
 * (standbys that fall behind) has no part in any of this.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/chance.h"
#include "advise/spread.h"
#include "advise/transaction.h"
#include "base/buf.h"

enum { OUTCOMES = 120 };
#define WORTH 0.005 /* shares below half a percent are not worth a sentence */

/* One tier that could be measured. */
struct tier {
	const struct advise_model *profile; /* NULL: nothing is said of its latency */
	const struct candidate *on; /* a configuration of it */
	struct buf now, then; /* volumes on it, that would be on it */
	int trust;
	int axis_now, axis_then; /* -1: no part of that plan */
};

struct valuing {
	struct build *b;
	struct choice then; /* what good measurements would allow; found: it is cheaper */
	struct chance then_chance;
	bool then_unknown; /* it needs a latency without a figure */
	struct tier *tiers;
	size_t n;
};

static bool
unmeasured(const struct candidate *c)
{
	const struct disk_model *m = c->latency.model;
	return !m || (m->trust != TRUST_MEASURED && m->trust != TRUST_IMPORTED);
}

static bool
figure_lacks(const struct build *b, const struct choice *choice, size_t v)
{
	const struct latency *l = &choice->at[v]->latency;
	bool log = !isnan(b->c->options[choice->option].sites[v].commit_kib) &&
		   transaction_commit_waits(b->c->in->engine);
	bool pages = b->c->set.volumes[v].volume->role != WORKLOAD_WAL;
	return !l->model || (log && isnan(l->commit_p99.value)) ||
	       (pages && l->read_p99.trust == TRUST_ASSUMED && isnan(l->read_p99.value));
}

static struct tier *
tier_of(struct valuing *w, const struct candidate *c)
{
	const struct advise_model *profile = chance_profile(w->b, c);
	for (size_t i = 0; i < w->n; i++) {
		struct tier *t = &w->tiers[i];
		if (profile ? t->profile == profile
			    : !t->profile && strcmp(t->on->disk->family, c->disk->family) == 0)
			return t;
	}
	struct tier *t = &w->tiers[w->n++];
	*t = (struct tier){.profile = profile, .on = c, .axis_now = -1, .axis_then = -1};
	t->trust = profile ? (int)c->latency.trust : -1;
	if (profile && profile->model->trust > t->trust)
		t->trust = profile->model->trust;
	buf_init(&t->now, 4096);
	buf_init(&t->then, 4096);
	return t;
}

static void
name_volume(struct buf *names, const char *label)
{
	buf_printf(names, "%s%s", names->len ? " and " : "", label);
}

static void
collect(struct valuing *w)
{
	struct build *b = w->b;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const char *label = b->c->set.volumes[v].label;
		const struct candidate *now = b->choice.found ? b->choice.at[v] : NULL;
		const struct candidate *then = w->then.found ? w->then.at[v] : NULL;
		if (!chance_matters(b, v))
			continue;
		if (now && unmeasured(now)) {
			struct tier *t = tier_of(w, now);
			name_volume(&t->now, label);
			t->axis_now = b->chance->axis_of[v];
		}
		if (!then)
			continue;
		w->then_unknown = w->then_unknown || figure_lacks(b, &w->then, v);
		bool moves = !now || strcmp(now->disk->family, then->disk->family) != 0;
		if (!unmeasured(then))
			continue;
		struct tier *t = moves ? tier_of(w, then) : NULL;
		for (size_t i = 0; i < w->n && !t; i++) {
			if (w->tiers[i].profile && w->tiers[i].profile == chance_profile(b, then))
				w->tiers[i].axis_then = w->then_chance.axis_of[v];
		}
		if (!t)
			continue;
		name_volume(&t->then, label);
		t->axis_then = w->then_chance.axis_of[v];
	}
}

/* ---- the outcomes of one measurement ---- */

struct outlook {
	double z[CHANCE_DRAWS + 1]; /* chance_crossings() */
	size_t n;
	bool any;
};

static void
look(const struct chance *ch, int axis, struct outlook *o)
{
	unsigned rows = ch ? chance_open(ch) : 0;
	o->any = axis >= 0 && rows;
	o->n = o->any ? chance_crossings(ch, rows, (size_t)axis, o->z) : 0;
}

/* Chance of the promises once m was measured. */
static double
chance_at(const struct outlook *o, double m, double r)
{
	double sum = 0;
	for (size_t i = 1; i <= o->n; i++)
		sum += spread_normal((o->z[i] - m) / r);
	return o->n ? sum / (double)o->n : (double)NAN;
}

/* How likely each outcome is, exactly; what the promises then do, by the middle of OUTCOMES steps. */
static void
weigh(const struct outlook *now, const struct outlook *then, double sigma,
	struct plan_measurement *p)
{
	double r = fmin(0.9, SPREAD_MEASURED / sigma), wide = sqrt(1 - r * r);
	double avoided = 0, good = 0, good_chance = 0, all = 0;
	double win = then->any ? spread_normal(then->z[0] / wide) : 0;
	double keep = now->any ? spread_normal(now->z[0] / wide) : 1;
	for (size_t i = 0; i < OUTCOMES; i++) {
		double x = -4 + 8 * ((double)i + 0.5) / OUTCOMES, m = x * wide;
		double weight = exp(-x * x / 2);
		bool cheaper = then->any && m <= then->z[0];
		bool stands = now->any ? m <= now->z[0] : true;
		double kept = now->any ? chance_at(now, m, r) : (double)NAN;
		double holds = cheaper ? chance_at(then, m, r) : kept;
		all += weight;
		avoided += !stands ? weight * (1 - kept) : 0;
		if ((cheaper || stands) && !isnan(holds)) {
			good += weight;
			good_chance += weight * holds;
		}
	}
	p->cheaper_frac = win;
	p->too_slow_frac = now->any ? 1 - keep : (double)NAN;
	p->avoided_frac = now->any ? avoided / all : (double)NAN;
	p->change_frac = win + 1 - fmax(win, keep);
	p->probability_after = good > 0 ? fmin(1, good_chance / good) : (double)NAN;
}

static double
sigma_of(const struct valuing *w, const struct tier *t)
{
	double now = t->axis_now >= 0 ? w->b->chance->sigma[t->axis_now] : 0;
	double then = t->axis_then >= 0 ? w->then_chance.sigma[t->axis_then] : 0;
	return fmax(fmax(now, then), SPREAD_MEASURED);
}

/* Else whatever is measured of the tier decides nothing: every promise has a figure without it, or is broken
 * however quick its disks are. */
static bool
matters(const struct build *b, const struct tier *t)
{
	const struct chance *ch = b->chance;
	if (t->then.len || !ch || ch->known != ch->promised)
		return true;
	return t->profile && chance_open(ch);
}

static int
weigh_tier(struct valuing *w, const struct tier *t, struct plan_measurement *p, struct err *err)
{
	struct build *b = w->b;
	struct outlook *o = arena_array(b->arena, 2, sizeof(*o));
	if (!o)
		return err_nomem(err);
	const double no = (double)NAN;
	p->change_frac = p->cheaper_frac = p->too_slow_frac = p->avoided_frac = no;
	p->probability_after = no;
	look(b->chance, t->axis_now, &o[0]);
	look(&w->then_chance, w->then_unknown ? -1 : t->axis_then, &o[1]);
	if (t->profile && (o[0].any || o[1].any))
		weigh(&o[0], &o[1], sigma_of(w, t), p);
	else if (!matters(b, t))
		p->change_frac = 0;
	if (w->then_unknown && t->then.len) /* how often it would win nothing tells */
		p->change_frac = p->cheaper_frac = no;
	p->saving = t->then.len && b->choice.found ? b->choice.monthly - w->then.monthly : no;
	p->cheaper_monthly = t->then.len ? w->then.monthly : no;
	p->expected_saving = p->cheaper_frac * p->saving;
	bool lost = b->chance && chance_open(b->chance) != b->chance->known;
	if (lost || fabs(p->probability_after - p->probability_now) < WORTH)
		p->probability_after = p->probability_now; /* within the grid */
	return 0;
}

/* ---- in words ---- */

static const char *
percent(struct arena *a, double frac)
{
	return frac > 0 && frac < 0.01   ? "less than 1 %"
	       : frac < 1 && frac > 0.99 ? "more than 99 %"
					 : arena_printf(a, "%.0f %%", frac * 100);
}

static void
say_cheaper(const struct valuing *w, const struct tier *t, const struct plan_measurement *p,
	struct buf *text)
{
	struct arena *a = w->b->arena;
	const char *saving = isnan(p->saving)
				     ? ""
				     : arena_printf(a, ", %s less", build_money(w->b, p->saving));
	if (!t->then.len || p->cheaper_frac < WORTH)
		return;
	if (isnan(p->cheaper_frac))
		buf_printf(text,
			"if it measures well enough for every promise, %s %s it and the plan "
			"costs %s a month%s; how likely that is nothing tells; ",
			buf_text(&t->then),
			strstr(buf_text(&t->then), " and ") ? "go on" : "goes on",
			build_money(w->b, p->cheaper_monthly), saving);
	else
		buf_printf(text,
			"in %s of outcomes it is fast enough for %s, and the plan costs %s a "
			"month%s; ",
			percent(a, p->cheaper_frac), buf_text(&t->then),
			build_money(w->b, p->cheaper_monthly), saving);
}

static double
rise(const struct plan_measurement *p)
{
	double rise = p->probability_after - p->probability_now;
	return isnan(rise) ? 0 : rise;
}

static bool
worth_a_line(const struct plan_measurement *p)
{
	return isnan(p->change_frac) || p->change_frac >= WORTH || rise(p) >= WORTH;
}

static const char *
sentence(struct valuing *w, const struct tier *t, const struct plan_measurement *p, bool first)
{
	struct arena *a = w->b->arena;
	struct buf text;
	buf_init(&text, 16384);
	buf_printf(&text, "measure %s%s (its latency is %s): ", p->tier,
		first && worth_a_line(p) ? " first" : "", p->trust);
	if (!worth_a_line(p))
		buf_printf(&text,
			"no outcome that is likely changes the decision, nor the chance of "
			"the promises; ");
	say_cheaper(w, t, p, &text);
	if (p->too_slow_frac >= WORTH)
		buf_printf(&text, "in %s it is too slow for %s, where another one is then needed; ",
			percent(a, p->too_slow_frac), buf_text(&t->now));
	if (!t->profile && t->now.len && matters(w->b, t))
		buf_printf(&text, "the promises that rest on %s can then be predicted; ",
			buf_text(&t->now));
	if (fabs(rise(p)) >= WORTH && fmin(p->probability_now, p->probability_after) < 0.99)
		buf_printf(&text,
			"where it is fast enough, the chance that every predicted promise holds "
			"is %s (%s now); ",
			percent(a, p->probability_after), percent(a, p->probability_now));
	else if (!isnan(p->probability_after) && isnan(p->probability_now))
		buf_printf(&text, "every predicted promise then holds with a chance of %s; ",
			percent(a, p->probability_after));
	buf_printf(&text, "command: %s", p->command);
	const char *copy = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return copy;
}

/* ---- all of them ---- */

static int
put_tier(struct valuing *w, const struct tier *t, struct plan_measurement *p, struct err *err)
{
	struct build *b = w->b;
	const char *sku = t->on->disk->sku;
	bool both = t->now.len && t->then.len;
	const char *then = strcmp(buf_text(&t->now), buf_text(&t->then)) == 0 ? ""
									      : buf_text(&t->then);
	*p = (struct plan_measurement){.tier = limits_title(b->c->in->limits, t->on->disk->family),
		.sku = sku,
		.trust = t->trust < 0 ? "unknown" : names_text(&trust_names, t->trust),
		.volumes = arena_printf(b->arena, "%s%s%s", buf_text(&t->now),
			both && *then ? ", perhaps " : "", then),
		.probability_now = b->plan->confidence && b->chance->known
					   ? chance_holds(b->chance, b->chance->known)
					   : (double)NAN,
		.command = arena_printf(b->arena,
			"tierwise bench DIR -o %s.json with DIR on one such disk, then recommend "
			"--profile %s=%s.json",
			sku, sku, sku)};
	return p->volumes && p->command ? weigh_tier(w, t, p, err) : err_nomem(err);
}

static double
rank(double share)
{
	return isnan(share) ? 0.5 : share;
}

static bool
before(const struct plan_measurement *x, const struct plan_measurement *y)
{
	double a = rank(x->change_frac), b = rank(y->change_frac);
	if (fabs(a - b) > 1e-9)
		return a > b;
	a = isnan(x->expected_saving) ? 0 : x->expected_saving;
	b = isnan(y->expected_saving) ? 0 : y->expected_saving;
	return fabs(a - b) > 1e-9 ? a > b : rise(x) > rise(y) + 1e-9;
}

/* Few tiers: insertion, equal ones as they came. */
static void
sort(struct tier *tiers, struct plan_measurement *p, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		for (size_t k = i; k > 0 && before(&p[k], &p[k - 1]); k--) {
			struct plan_measurement m = p[k];
			struct tier t = tiers[k];
			p[k] = p[k - 1];
			p[k - 1] = m;
			tiers[k] = tiers[k - 1];
			tiers[k - 1] = t;
		}
	}
}

static int
put_all(struct valuing *w, struct err *err)
{
	struct plan *plan = w->b->plan;
	plan->measurements = arena_array(w->b->arena, w->n + 1, sizeof(*plan->measurements));
	if (!plan->measurements)
		return err_nomem(err);
	int rc = 0;
	for (size_t i = 0; i < w->n && rc == 0; i++)
		rc = put_tier(w, &w->tiers[i], &plan->measurements[i], err);
	if (rc)
		return rc;
	plan->n_measurements = w->n;
	sort(w->tiers, plan->measurements, w->n);
	for (size_t i = 0; i < w->n; i++) {
		struct plan_measurement *p = &plan->measurements[i];
		p->text = sentence(w, &w->tiers[i], p, i == 0);
		if (!p->text)
			return err_nomem(err);
	}
	return w->n && worth_a_line(&plan->measurements[0])
		       ? build_change(w->b, plan->measurements[0].text, err)
		       : 0;
}

/* What good measurements would allow; kept only when it is another plan that costs less. */
static int
find_cheaper(struct valuing *w, struct err *err)
{
	struct build *b = w->b;
	struct choose_filter filter = {.optimistic = true};
	int rc = chooser_solve(b->c, &filter, &w->then, err);
	if (rc)
		return rc;
	double saving = b->choice.monthly - w->then.monthly;
	if (w->then.found && b->choice.found && saving < 0.01 * b->choice.monthly)
		w->then.found = false;
	return w->then.found ? chance_of(b, &w->then, &w->then_chance, err) : 0;
}

/* Else no measurement decides anything. */
static bool
latency_is_promised(const struct build *b)
{
	struct promise rows[PROMISE_LATENCY];
	build_latency_promises(b, rows);
	for (size_t i = 0; i < PROMISE_LATENCY; i++) {
		bool recovery = strncmp(rows[i].what, "recovery", 8) == 0;
		if (!isnan(rows[i].limit) && !recovery)
			return true;
	}
	return false;
}

int
build_value(struct build *b, struct err *err)
{
	struct valuing *w = arena_alloc(b->arena, sizeof(*w));
	if (!w)
		return err_nomem(err);
	*w = (struct valuing){.b = b};
	w->tiers = arena_array(b->arena, 2 * b->c->set.n, sizeof(*w->tiers));
	if (!w->tiers)
		return err_nomem(err);
	int rc = find_cheaper(w, err);
	if (rc == 0 && latency_is_promised(b)) {
		collect(w);
		rc = put_all(w, err);
	}
	for (size_t i = 0; i < w->n; i++) {
		buf_fini(&w->tiers[i].now);
		buf_fini(&w->tiers[i].then);
	}
	return rc;
}
