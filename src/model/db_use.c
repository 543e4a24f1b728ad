/*
 * db_use.c - how busy each stage is, its ceiling alone, what binds and what binds then.
 *
 * What binds: the fullest stage, which is the one with the lowest ceiling; the number of clients where
 * nothing else is as full (more of them would give more).  Not the longest part of a transaction: that
 * stage may be next to idle.
 */
#include "model/db_internal.h"

#include <math.h>

static void
put(struct db_answer *a, int stage, double tps, double ceiling_tps, const char *what)
{
	bool known = ceiling_tps > 0 && isfinite(ceiling_tps);
	a->use[stage] = (struct db_use){.used_frac = known ? tps / ceiling_tps : (double)NAN,
		.ceiling_tps = known ? ceiling_tps : (double)NAN,
		.what = what};
}

static double
ceiling(double sessions, double ms)
{
	return ms > 0 ? 1e3 * sessions / ms : (double)NAN;
}

/* Share of the data volume's caps that `times` the rate of the state would take. */
static double
data_used_at(const struct db_case *c, const struct db_state *s, double times)
{
	struct db_state at = *s;
	struct db_background bg;
	at.rate = times * s->rate;
	db_background(c, at.rate, &bg);
	db_log_load(c, &bg, &at);
	(void)db_carry(c, &bg, &at, NULL); /* beyond the caps too: that share is the answer */
	return at.data_used;
}

/* So many times the rate fill the data volume: what does not grow with it (a backup, others on the
 * machine) stays.  By false position, an end that stays counting half (Illinois), since images and write-back
 * grow more slowly than the rate, but nearly as a line. */
static double
data_room(const struct db_case *c, const struct db_state *s)
{
	double lo = 1, under = s->data_used - 1, hi = 2, over = 0;
	int side = 0;
	if (!(s->data_used < 1))
		return 1 / s->data_used;
	while (hi < 1e9 && (over = data_used_at(c, s, hi) - 1) < 0) {
		lo = hi;
		under = over;
		hi *= 2;
	}
	if (hi >= 1e9)
		return INFINITY; /* nothing of the load grows */
	for (int i = 0; i < 100 && hi - lo > 1e-14 * hi && over > 0; i++) {
		double at = i % 16 == 15 ? (lo + hi) / 2 : lo + (hi - lo) * under / (under - over);
		double off = data_used_at(c, s, at) - 1;
		if (fabs(off) < 1e-14)
			return at;
		if (off < 0) {
			over *= side < 0 ? 0.5 : 1;
			lo = at;
			under = off;
			side = -1;
		} else {
			under *= side > 0 ? 0.5 : 1;
			hi = at;
			over = off;
			side = 1;
		}
	}
	return over > 0 ? lo : hi;
}

/* The log's flushes come as they do now; beside them only what others take on the machine. */
static double
log_room(const struct db_case *c, const struct db_state *s)
{
	const struct db_load none = {.io_kib = s->log.io_kib};
	const char *what;
	double others = c->in->log ? db_used(c->in->log, &none, &what) : 0;
	others = others > 0 ? others : 0;
	return s->log_used < 1 && s->log_used > others ? (1 - others) / (s->log_used - others)
						       : 1 / s->log_used;
}

static void
volumes(const struct db_case *c, const struct db_state *s, double tps, struct db_answer *a)
{
	double data = isnan(s->data_used) ? (double)NAN : data_room(c, s);
	put(a, DB_STAGE_DATA_VOLUME, tps, tps * data, s->data_what);
	a->use[DB_STAGE_DATA_VOLUME].used_frac = s->data_used;
	put(a, DB_STAGE_LOG_VOLUME, tps, (double)NAN, NULL);
	if (c->in->shared) /* named once: the data volume */
		return;
	double log = isnan(s->log_used) ? (double)NAN : log_room(c, s);
	put(a, DB_STAGE_LOG_VOLUME, tps, tps * log, s->log_what);
	a->use[DB_STAGE_LOG_VOLUME].used_frac = s->log_used;
}

/* Of sessions that nothing slows down; page images make the first transactions the longest, so that what
 * is reached is a lower bound. */
static double
unhindered(double tps, double sessions, double ms)
{
	double most = ceiling(sessions, ms);
	return isnan(most) ? most : fmax(tps, most);
}

static void
people(const struct db_case *c, const struct db_state *light, double tps, struct db_answer *a)
{
	const double no = (double)NAN;
	double busy = light->cycle - c->think, rows = c->hot_rows;
	put(a, DB_STAGE_HOT_ROWS, tps, isnan(rows) ? no : unhindered(tps, rows, busy), NULL);
	put(a, DB_STAGE_POOL, tps, isinf(c->pool) ? no : unhindered(tps, c->pool, busy), NULL);
	put(a, DB_STAGE_CLIENTS, tps, unhindered(tps, c->clients, light->cycle), NULL);
}

/* Sessions that only commit: two groups take turns; a writer that sleeps before its flush gathers all
 * of them in each.  What is reached is a lower bound. */
static double
commit_ceiling(const struct db_case *c, const struct db_state *light, double sessions, double tps)
{
	if (!(light->commit > 0 && light->group > 0))
		return (double)NAN;
	if (sessions < 2)
		return unhindered(tps, 1, light->group);
	return c->delay > 0 ? unhindered(tps, sessions, light->group + c->delay)
			    : unhindered(tps, sessions / 2, light->group);
}

/* The fullest stage has the lowest ceiling. */
static int
binding(const struct db_answer *a)
{
	int best = DB_STAGE_CLIENTS;
	for (int i = 0; i < DB_STAGE_COUNT; i++) {
		if (a->use[i].used_frac > a->use[best].used_frac)
			best = i;
	}
	return best;
}

/* Reads and commits of all sessions are more when there are more of them. */
static bool
goes_with(int stage, int limit)
{
	return (limit == DB_STAGE_CLIENTS || limit == DB_STAGE_POOL) &&
	       (stage == DB_STAGE_READS || stage == DB_STAGE_COMMIT);
}

/* What the clients would do without the part that binds now. */
static double
clients_without(const struct db_case *c, const struct db_state *light, int limit)
{
	double gone = limit == DB_STAGE_COMMIT  ? light->commit
		      : limit == DB_STAGE_READS ? light->reads
						: 0;
	return ceiling(c->clients, light->cycle - gone);
}

/* The lowest ceiling when what binds now is gone. */
static void
following(const struct db_case *c, const struct db_state *light, double tps, struct db_answer *a)
{
	double lowest = INFINITY;
	a->next = a->limit;
	for (int i = 0; i < DB_STAGE_COUNT; i++) {
		double at = i == DB_STAGE_CLIENTS ? clients_without(c, light, a->limit)
						  : a->use[i].ceiling_tps;
		if (i != a->limit && !goes_with(i, a->limit) && at < lowest) {
			lowest = at;
			a->next = i;
		}
	}
	a->slack_frac = isinf(lowest) ? (double)NAN : lowest / tps - 1;
}

void
db_uses(const struct db_case *c, const struct db_state *light, const struct db_state *s,
	struct db_answer *a)
{
	const double no = (double)NAN;
	double tps = 1e3 * s->rate, most = fmin(c->clients, c->pool);
	double sessions = db_single_writer(c->in->engine) ? 1 : most;
	bool cores = !isnan(c->cores) && s->cpu > 0;
	put(a, DB_STAGE_CPU, tps, cores ? tps * c->cores / s->cpu_used : no, NULL);
	put(a, DB_STAGE_READS, tps, ceiling(sessions, light->reads), NULL);
	put(a, DB_STAGE_COMMIT, tps, commit_ceiling(c, light, sessions, tps), NULL);
	volumes(c, s, tps, a);
	people(c, light, tps, a);
	a->limit = binding(a);
	following(c, light, tps, a);
}
