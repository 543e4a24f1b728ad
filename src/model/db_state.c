/*
 * db_state.c - the database at one rate, and the rate of clients that wait for their answers.
 *
 * Closed: sessions at work when `rate` go through are clients - rate x think, at most the pool, and
 * less those that wait for a hot row; they take (cycle - think) each.  active / (cycle - think) falls
 * with the rate: false position, with a bisection every third time and at walls.
 */
#include "model/db_internal.h"

#include <math.h>

double
db_pick(const struct db_case *c, const struct estimate *us, struct db_state *s)
{
	double v = c->end < 0 ? us->lo : c->end > 0 ? us->hi : us->value;
	if (us->trust > s->trust)
		s->trust = us->trust;
	if (!isfinite(v)) {
		s->unsure = true;
		v = us->value;
	}
	return v / 1e3;
}

double
db_active(const struct db_case *c, double people)
{
	double rows = c->hot_rows;
	if (isnan(rows) || people <= 1)
		return people;
	return rows <= 1 ? 1 : rows * -expm1(people * log1p(-1 / rows));
}

/* Sessions whose thinking the log notices: where others wait for their place in the pool or for
 * their row, these come at once. */
static double
pauses(const struct db_case *c, const struct db_state *s, double inside)
{
	double moving = s->people > 0 ? s->active / s->people : 1;
	return moving * fmin(s->rate * c->think, fmax(0, c->pool - inside));
}

int
db_state_at(const struct db_case *c, double rate, struct db_state *s, struct err *err)
{
	struct db_background bg;
	const double no = (double)NAN;
	*s = (struct db_state){.rate = rate,
		.trust = TRUST_DERIVED,
		.log_used = no,
		.data_used = no,
		.read_us = {no, no, no, TRUST_DERIVED, MODEL_CURVE},
		.flush_us = {no, no, no, TRUST_DERIVED, MODEL_CURVE}};
	double inside = c->open ? c->clients : fmax(0, c->clients - rate * c->think);
	s->people = fmin(c->pool, inside);
	s->active = db_active(c, s->people);
	db_background(c, rate, &bg);
	s->log_kib = bg.log_kib;
	db_log_load(c, &bg, s);
	int rc = db_carry(c, &bg, s, err);
	if (rc)
		return rc;
	db_burst(c, &bg, s);
	rc = db_flush(c, &bg, s, err);
	if (rc)
		return rc;
	db_cpu(c, s);
	if (isinf(s->core_wait))
		return err_set(err, ERR_RANGE, "the cores have no time left");
	rc = db_reads(c, &bg, s, err);
	if (rc)
		return rc;
	double work = s->cpu + s->core_wait + s->reads;
	double resting = pauses(c, s, inside);
	double rest = rate > 0 ? resting / rate : inside <= c->pool ? c->think : 0;
	db_commit(c, s->active + resting, work + rest, s);
	s->cycle = c->think + work + s->commit;
	return 0;
}

/* How much more than `rate` goes through at the latencies of `rate`; *rc: what is not a wall. */
static double
gap(const struct db_case *c, double rate, struct db_state *s, int *rc)
{
	*rc = db_state_at(c, rate, s, NULL);
	if (*rc == ERR_RANGE) {
		*rc = 0;
		return -rate;
	}
	return *rc ? (double)NAN : s->active / (s->cycle - c->think) - rate;
}

/* Where the wall is that a state is beyond: a load that grows with the rate is full there; NaN: no
 * cap says. */
static double
wall_of(const struct db_state *s)
{
	double used = fmax(s->data_used, s->log_used);
	return used > 1 ? s->rate / used * (1 - 1e-9) : (double)NAN;
}

struct bracket {
	double lo, at_lo, hi, at_hi;
	int round, side;
};

static double
next_rate(const struct bracket *b)
{
	if (b->round % 3 == 2)
		return (b->lo + b->hi) / 2;
	return (b->lo * b->at_hi - b->hi * b->at_lo) / (b->at_hi - b->at_lo);
}

/* Illinois: an end that stays counts half. */
static void
narrow(struct bracket *b, double rate, double at)
{
	int side = at >= 0 ? -1 : 1;
	if (side < 0) {
		b->lo = rate;
		b->at_lo = at;
		b->at_hi *= b->side == side ? 0.5 : 1;
	} else {
		b->hi = rate;
		b->at_hi = at;
		b->at_lo *= b->side == side ? 0.5 : 1;
	}
	b->side = side;
}

/* Where to look next: just below the wall that was found, once, else by the bracket. */
static double
next_look(const struct bracket *b, double *wall)
{
	double x = *wall;
	*wall = (double)NAN;
	return x > b->lo && x < b->hi ? x : fmin(b->hi, fmax(b->lo, next_rate(b)));
}

static int
find(const struct db_case *c, double wall, struct bracket *b, double *rate, struct db_state *s)
{
	struct db_state at;
	double close = c->end ? 1e-7 : 1e-10; /* ends of intervals need not be as exact */
	int rc = 0;
	for (b->round = 0; b->round < 120 && b->hi - b->lo > close * b->hi; b->round++) {
		bool below = wall > b->lo && wall < b->hi;
		double x = next_look(b, &wall), g = gap(c, x, &at, &rc);
		if (rc)
			return rc;
		if (g < 0 && !below)
			wall = wall_of(&at);
		bool full = below && fmax(at.data_used, at.log_used) > 1 - 3e-9;
		bool there = fabs(g) <= 0.1 * close * x || (full && g >= 0);
		if (g >= 0 || there)
			*s = at;
		if (there)
			b->lo = b->hi = x;
		else
			narrow(b, x, g);
	}
	*rate = b->lo;
	return 0;
}

/* Steps of a tenth away from a rate near the one that is looked for, until that is between. */
static int
around(const struct db_case *c, double guess, struct bracket *b, double *wall, struct db_state *s)
{
	struct db_state at;
	int rc = 0;
	double x = guess, step = 1.1;
	for (int i = 0; i < 60; i++) {
		double g = gap(c, x, &at, &rc);
		if (rc)
			return rc;
		if (g >= 0) {
			*s = at;
			b->lo = x;
			b->at_lo = g;
		} else {
			b->hi = x;
			b->at_hi = g;
			*wall = wall_of(&at);
		}
		if (b->lo > 0 && isfinite(b->hi))
			return 0;
		/* no more than goes through at the latencies of less goes through at those of more */
		double by_less = x + fmax(0, g) * 1.01;
		x = g >= 0 ? fmin(x * step, fmax(by_less, x * (1 + 1e-6))) : x / step;
		step *= 2;
	}
	return ERR_RANGE;
}

static int
from_light(const struct db_case *c, struct bracket *b, double *wall, struct db_state *s,
	struct err *err)
{
	struct db_state top;
	int rc = db_state_at(c, 0, s, err);
	if (rc)
		return rc;
	double busy = s->cycle - c->think;
	if (!(busy > 0))
		return err_set(err, ERR_RANGE,
			"a transaction without CPU, reads and a commit takes no time");
	*b = (struct bracket){.lo = 0, .at_lo = s->active / busy, .hi = s->active / busy};
	b->at_hi = gap(c, b->hi, &top, &rc);
	if (rc == 0 && b->at_hi >= -1e-13 * b->hi) {
		*s = top;
		b->lo = b->hi;
	}
	*wall = rc == 0 ? wall_of(&top) : (double)NAN;
	return rc;
}

int
db_closed(const struct db_case *c, double guess, double *rate, struct db_state *s, struct err *err)
{
	struct bracket b = {.lo = 0, .hi = (double)INFINITY};
	double wall = (double)NAN;
	int rc = guess > 0 ? around(c, guess, &b, &wall, s) : from_light(c, &b, &wall, s, err);
	if (rc == 0)
		rc = find(c, wall, &b, rate, s);
	if (rc)
		return rc;
	return *rate > 0 ? 0
			 : err_set(err, ERR_RANGE,
				   "the volumes carry no transaction beside what runs already");
}
