/*
 * db_use.c - how busy each stage is, its ceiling alone, what binds and what binds then.
 *
 * What binds: a stage that is nearly full (cores from 85 %, volumes from 90 %, a pool or rows
 * that keep a quarter or a third of the sessions waiting), the fullest of them; else the
 * commit or the reads when they take more than half of a transaction; else the number of clients
 * (more of them would give more).
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

static void
volumes(const struct db_state *s, double tps, struct db_answer *a)
{
	put(a, DB_STAGE_LOG_VOLUME, tps, tps / s->log_used, s->log_what);
	put(a, DB_STAGE_DATA_VOLUME, tps, tps / s->data_used, s->data_what);
}

static void
people(const struct db_case *c, const struct db_state *light, double tps, struct db_answer *a)
{
	const double no = (double)NAN;
	double busy = light->cycle - c->think, rows = c->hot_rows;
	put(a, DB_STAGE_HOT_ROWS, tps, isnan(rows) ? no : ceiling(rows, busy), NULL);
	put(a, DB_STAGE_POOL, tps, isinf(c->pool) ? no : ceiling(c->pool, busy), NULL);
	put(a, DB_STAGE_CLIENTS, tps, ceiling(c->clients, light->cycle), NULL);
}

static int
binding(const struct db_answer *a)
{
	static const double full[DB_STAGE_COUNT] = {
		[DB_STAGE_CPU] = 0.85,
		[DB_STAGE_READS] = INFINITY,
		[DB_STAGE_COMMIT] = INFINITY,
		[DB_STAGE_LOG_VOLUME] = 0.9,
		[DB_STAGE_DATA_VOLUME] = 0.9,
		[DB_STAGE_HOT_ROWS] = INFINITY,
		[DB_STAGE_POOL] = INFINITY,
		[DB_STAGE_CLIENTS] = INFINITY,
	};
	int best = -1;
	for (int i = 0; i < DB_STAGE_COUNT; i++) {
		if (a->use[i].used_frac >= full[i] &&
			(best < 0 || a->use[i].used_frac > a->use[best].used_frac))
			best = i;
	}
	if (best >= 0)
		return best;
	const struct db_parts *p = &a->parts;
	double busy = p->cycle_ms - p->think_ms;
	if (p->pool_ms > busy / 4)
		return DB_STAGE_POOL;
	if (p->lock_ms > busy / 3)
		return DB_STAGE_HOT_ROWS;
	if (p->commit_ms > busy / 2)
		return DB_STAGE_COMMIT;
	if (p->reads_ms > busy / 2)
		return DB_STAGE_READS;
	return DB_STAGE_CLIENTS;
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
		if (i != a->limit && at < lowest) {
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
	double sessions = isnan(c->hot_rows) ? most : db_active(c, most);
	bool cores = !isnan(c->cores) && s->cpu > 0;
	put(a, DB_STAGE_CPU, tps, cores ? tps * c->cores / s->cpu_used : no, NULL);
	put(a, DB_STAGE_READS, tps, ceiling(sessions, light->reads), NULL);
	put(a, DB_STAGE_COMMIT, tps,
		ceiling(sessions < 2 ? 1 : sessions / 2, light->commit > 0 ? light->group : 0),
		NULL);
	volumes(s, tps, a);
	people(c, light, tps, a);
	a->limit = binding(a);
	following(c, light, tps, a);
}
