/*
 * confidence.c - the chance that the promises hold, alone and together, and what the figures behind the
 * decision rest on.
 *
 * The chance is chance.h; promises that rest on no latency (windows, budget) hold or do not.  A promise
 * without a figure counts neither as kept nor as broken: the chance of all is then only bounded from above,
 * 0 .. that of the others.
 *
 * The word: high when the predicted promises hold together with 95 % and no latency behind them is
 * weaker than imported; medium with 80 % and none weaker than published; else low.  Without any latency
 * behind them they rest on the caps that providers publish, so medium at most; where log or data have
 * latencies that nobody knows, low.
 */
#include <math.h>
#include <string.h>

#include "advise/chance.h"
#include "advise/spread.h"
#include "advise/transaction.h"

#define HIGH_FROM 0.95
#define MEDIUM_FROM 0.80

static const char word_rule[] =
	"high: the predicted promises hold together with 95 % and every latency behind them is "
	"measured "
	"or imported; medium: with 80 % and none is weaker than published, or none is needed; else "
	"low";

/* The row of the latency promises with that name; -1: none, it rests on caps and prices. */
static int
row_of(const struct promise *rows, const char *what)
{
	for (int i = 0; i < (int)PROMISE_LATENCY; i++) {
		if (strcmp(rows[i].what, what) == 0)
			return i;
	}
	return -1;
}

/*
 * The interval of a promise from the same distribution as its chance, so that beyond an end that is the
 * limit lies 2.5 %; said where it reaches beyond the limit.
 */
static void
put_interval(
	struct build *b, const struct chance *ch, size_t row, bool at_least, struct plan_sla *s)
{
	double lo, hi;
	if (!(s->predicted > 0) || !(s->limit > 0) || isnan(s->lo))
		return;
	if (chance_interval(ch, row, &lo, &hi) && hi - lo > 1e-9) {
		s->lo = fmin(s->predicted, s->limit * exp(at_least ? -hi : lo));
		s->hi = fmax(s->predicted, s->limit * exp(at_least ? -lo : hi));
	}
	double edge = at_least ? s->lo : s->hi;
	if (s->verdict == PLAN_PASS && (at_least ? edge < s->limit : edge > s->limit))
		s->note = arena_printf(b->arena,
			"%s%sthe interval reaches %.3g %s, beyond the limit",
			s->note ? s->note : "", s->note ? "; " : "", edge, s->unit);
}

/* Chances of the promises one by one; *fixed: that of all that rest on no latency. */
static void
put_promises(struct build *b, const struct chance *ch, struct plan_confidence *c, double *fixed)
{
	struct promise rows[PROMISE_LATENCY];
	build_latency_promises(b, rows);
	*fixed = 1;
	c->promises = (double)b->plan->n_sla;
	c->predicted = 0;
	for (size_t i = 0; i < b->plan->n_sla; i++) {
		struct plan_sla *s = &b->plan->sla[i];
		int row = row_of(rows, s->what);
		s->on_latency = row >= 0;
		if (s->verdict == PLAN_UNKNOWN)
			continue;
		c->predicted++;
		if (row >= 0) {
			s->probability = chance_holds(ch, 1U << row);
			put_interval(b, ch, (size_t)row, rows[row].at_least, s);
			continue;
		}
		s->probability = s->verdict == PLAN_PASS ? 1 : 0;
		*fixed = fmin(*fixed, s->probability);
	}
}

/* ---- what the figures rest on ---- */

enum { LATENCY, DEMAND, PRICES, ROWS }; /* rests_on */

struct weakest {
	int trust;
	const char *volume, *title, *what;
};

static void
count_trust(struct plan_pedigree *p, int trust)
{
	double *of[TRUST_COUNT] = {[TRUST_MEASURED] = &p->measured,
		[TRUST_IMPORTED] = &p->imported,
		[TRUST_PUBLISHED] = &p->published,
		[TRUST_DERIVED] = &p->derived,
		[TRUST_ASSUMED] = &p->assumed};
	if (trust < 0 || trust >= (int)TRUST_COUNT)
		p->unknown++;
	else
		(*of[trust])++;
}

static void
count_latency(const struct build *b, size_t v, const struct estimate *e, const char *what,
	struct plan_pedigree *p, struct weakest *w)
{
	const struct candidate *c = b->choice.at[v];
	if (!c->latency.model || isnan(e->value)) {
		p->unknown++;
		return;
	}
	count_trust(p, e->trust == TRUST_DERIVED && c->latency.model->trust > TRUST_IMPORTED
			       ? c->latency.model->trust
			       : e->trust);
	int trust = spread_trust(e, c->latency.model->trust);
	if (trust > w->trust)
		*w = (struct weakest){trust, b->c->set.volumes[v].label, c->title, what};
}

/* Commits wait for this volume. */
static bool
commits(const struct build *b, size_t v)
{
	return !isnan(b->c->options[b->choice.option].sites[v].commit_kib) &&
	       transaction_commit_waits(b->c->in->engine);
}

static void
count_volume(const struct build *b, size_t v, struct plan_pedigree *p, struct weakest *w)
{
	const struct latency *l = &b->choice.at[v]->latency;
	const struct demand *d = &b->c->set.volumes[v];
	if (commits(b, v)) {
		count_latency(b, v, &l->commit_mean, "mean of a commit", p, w);
		count_latency(b, v, &l->commit_p99, "p99 of a commit", p, w);
	}
	if (d->one_writer || isnan(d->io_kib))
		return;
	count_latency(b, v, &l->read_mean, "mean of a read", p, w);
	count_latency(b, v, &l->read_p99, "p99 of a read", p, w);
	count_latency(b, v, &l->write_mean, "mean of a write", p, w);
	count_latency(b, v, &l->write_p99, "p99 of a write", p, w);
}

static int
put_pedigree(struct build *b, struct plan_confidence *c, struct weakest *w, struct err *err)
{
	c->rests_on = arena_array(b->arena, ROWS, sizeof(*c->rests_on));
	if (!c->rests_on)
		return err_nomem(err);
	c->n_rests_on = ROWS;
	c->rests_on[LATENCY] = (struct plan_pedigree){.what = "latencies of log and data disks"};
	c->rests_on[DEMAND] = (struct plan_pedigree){
		.what = "demand of the volumes (measured: as the workload gives it)"};
	c->rests_on[PRICES] = (struct plan_pedigree){.what = "prices of the bill's lines"};
	const struct bill *bill = b->plan->bill;
	for (size_t i = 0; bill && i < bill->n_lines; i++)
		count_trust(&c->rests_on[PRICES],
			isnan(bill->lines[i].amount) ? -1 : bill->lines[i].trust);
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		bool known = d->one_writer || !isnan(d->io_kib) || d->mbps > 0;
		count_trust(&c->rests_on[DEMAND], known ? d->trust : -1);
		if (chance_matters(b, v))
			count_volume(b, v, &c->rests_on[LATENCY], w);
	}
	return 0;
}

/* The weakest latency; without one the published caps, or nothing. */
static int
weakest_trust(const struct plan_confidence *c, const struct weakest *w)
{
	const struct plan_pedigree *l = &c->rests_on[LATENCY];
	if (l->measured + l->imported + l->published + l->derived + l->assumed > 0)
		return w->trust;
	return l->unknown > 0 ? TRUST_ASSUMED : TRUST_PUBLISHED;
}

static const char *
word_of(double chance, int trust)
{
	if (chance >= HIGH_FROM && trust <= TRUST_IMPORTED)
		return "high";
	return chance >= MEDIUM_FROM && trust <= TRUST_PUBLISHED ? "medium" : "low";
}

/* ---- the margin of a latency, also where everything else is bought to fit ---- */

static void
tightest_of(struct build *b, const char *what, struct plan_volume *p)
{
	for (size_t i = 0; i < b->plan->n_sla; i++) {
		const struct plan_sla *s = &b->plan->sla[i];
		if (strcmp(s->what, what) != 0 || isnan(s->margin_frac) ||
			(!isnan(p->latency_margin_frac) &&
				s->margin_frac >= p->latency_margin_frac))
			continue;
		p->latency_margin_frac = s->margin_frac;
		p->latency_margin = arena_printf(b->arena,
			"%s %.3g %s of %g %s allowed (latency %s)", what, s->predicted, s->unit,
			s->limit, s->unit, names_text(&trust_names, p->chosen->latency_trust));
	}
}

static void
put_margins(struct build *b)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		struct plan_volume *p = &b->plan->volumes[v];
		p->latency_margin_frac = (double)NAN;
		if (!chance_matters(b, v))
			continue;
		if (commits(b, v))
			tightest_of(b, "commit p99", p);
		if (b->c->set.volumes[v].volume->role != WORKLOAD_WAL) {
			tightest_of(b, "read p99", p);
			tightest_of(b, "write p99", p);
			tightest_of(b, "transaction p99", p);
		}
	}
}

int
build_confidence(struct build *b, struct err *err)
{
	struct weakest w = {.trust = TRUST_MEASURED};
	double fixed;
	if (!b->choice.found)
		return 0;
	struct plan_confidence *c = arena_alloc(b->arena, sizeof(*c));
	struct chance *ch = arena_alloc(b->arena, sizeof(*ch));
	if (!c || !ch)
		return err_nomem(err);
	int rc = chance_of(b, &b->choice, ch, err);
	*c = (struct plan_confidence){.word_rule = word_rule};
	rc = rc ? rc : put_pedigree(b, c, &w, err);
	if (rc)
		return rc;
	put_promises(b, ch, c, &fixed);
	put_margins(b);
	b->chance = ch;
	b->plan->confidence = c;
	if (c->predicted < 1) {
		c->probability_lo = 0;
		c->probability_hi = 1;
		c->word = "unknown";
		return 0;
	}
	c->probability_hi = fixed * chance_holds(ch, ch->known);
	c->probability_lo = c->predicted < c->promises ? 0 : c->probability_hi;
	c->word = word_of(c->probability_hi, weakest_trust(c, &w));
	c->weakest = w.volume ? arena_printf(b->arena, "%s of %s on %s, %s", w.what, w.volume,
					w.title, names_text(&trust_names, w.trust))
			      : NULL;
	return 0;
}
