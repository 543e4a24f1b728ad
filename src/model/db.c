#include "model/db_internal.h"

#include <math.h>

static const char *const stage_table[] = {
	[DB_STAGE_CPU] = "cpu",
	[DB_STAGE_READS] = "reads",
	[DB_STAGE_COMMIT] = "commit",
	[DB_STAGE_LOG_VOLUME] = "log-volume",
	[DB_STAGE_DATA_VOLUME] = "data-volume",
	[DB_STAGE_HOT_ROWS] = "hot-rows",
	[DB_STAGE_POOL] = "pool",
	[DB_STAGE_CLIENTS] = "clients",
};
_Static_assert(sizeof(stage_table) / sizeof(stage_table[0]) == DB_STAGE_COUNT, "every stage");
const struct names db_stage_names = {"stage", stage_table, DB_STAGE_COUNT};

const char *const db_stage_words[DB_STAGE_COUNT] = {
	[DB_STAGE_CPU] = "the processors",
	[DB_STAGE_READS] = "page reads",
	[DB_STAGE_COMMIT] = "the commit",
	[DB_STAGE_LOG_VOLUME] = "the log volume",
	[DB_STAGE_DATA_VOLUME] = "the data volume",
	[DB_STAGE_HOT_ROWS] = "hot rows",
	[DB_STAGE_POOL] = "the pool of connections",
	[DB_STAGE_CLIENTS] = "the number of clients",
};

void
db_transaction_clear(struct db_transaction *tx)
{
	const double no = (double)NAN;
	*tx = (struct db_transaction){.clients = no,
		.pool = no,
		.target_tps = no,
		.think_ms = no,
		.cores = no,
		.cpu_ms = no,
		.io_cpu_ms = no,
		.core_sharing = no,
		.page_reads = no,
		.prefetch_frac = no,
		.miss_frac = no,
		.host_cache_hit_frac = no,
		.host_cache_us = no,
		.page_writes = no,
		.log_kib = no,
		.hot_rows = no,
		.dirty_pages = no,
		.backup_mibps = no,
		.sla_p99_ms = no,
		.standby = {.wait_for = no,
			.rtt_us = no,
			.flush_us = no,
			.flush_p99_us = no,
			.apply_tps = no}};
}

/* ---- the question ---- */

static double
known(double value, double otherwise)
{
	return isnan(value) ? otherwise : value;
}

struct bound {
	const char *what;
	double value, least, most;
};

static int
check(const struct db_input *in, struct err *err)
{
	const struct db_transaction *t = &in->tx;
	const struct bound bounds[] = {{"clients", t->clients, 1, 1e7}, {"pool", t->pool, 1, 1e7},
		{"target TPS", t->target_tps, 1e-9, 1e9}, {"think time, ms,", t->think_ms, 0, 1e9},
		{"cores", t->cores, 1e-3, 1e5}, {"CPU ms a transaction", t->cpu_ms, 0, 1e7},
		{"CPU ms an I/O", t->io_cpu_ms, 0, 1e4}, {"core sharing", t->core_sharing, 0, 10},
		{"page reads a transaction", t->page_reads, 0, 1e9},
		{"prefetched share", t->prefetch_frac, 0, 1}, {"miss share", t->miss_frac, 0, 1},
		{"host cache hits", t->host_cache_hit_frac, 0, 1},
		{"host cache latency", t->host_cache_us, 0, 1e7},
		{"page writes a transaction", t->page_writes, 0, 1e9},
		{"log KiB a transaction", t->log_kib, 0, 1e9}, {"hot rows", t->hot_rows, 1, 1e12},
		{"dirty pages", t->dirty_pages, 1, 1e15}, {"backup MiB/s", t->backup_mibps, 0, 1e6},
		{"standbys", t->standby.count, 0, 1e3},
		{"standbys to wait for", t->standby.wait_for, 0, 1e3},
		{"round trip, us,", t->standby.rtt_us, 0, 1e9}};
	if (isnan(t->clients))
		return err_set(err, ERR_RANGE, "clients: not known, at least 1 needed");
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const struct bound *b = &bounds[i];
		if (b->value < b->least || b->value > b->most)
			return err_set(err, ERR_RANGE, "%s %g: %g .. %g", b->what, b->value,
				b->least, b->most);
	}
	return 0;
}

bool
db_single_writer(const struct engine *e)
{
	return e->commit == ENGINE_COMMIT_SINGLE_WRITER || e->single_writer > 0;
}

static bool
waits_for_writer(const struct db_input *in)
{
	return db_single_writer(in->engine) && isnan(in->tx.hot_rows);
}

const char *
db_stage_text(const struct db_input *in, int stage)
{
	if (stage == DB_STAGE_HOT_ROWS && waits_for_writer(in))
		return "the one writer";
	if (stage == DB_STAGE_DATA_VOLUME && in->shared)
		return "the volume of log and data";
	return db_stage_words[stage];
}

const char *
db_stage_short(const struct db_input *in, int stage)
{
	if (stage == DB_STAGE_HOT_ROWS && waits_for_writer(in))
		return "one writer";
	if (stage == DB_STAGE_DATA_VOLUME && in->shared)
		return "log and data volume";
	return names_text(&db_stage_names, stage);
}

static struct db_case
case_of(const struct db_input *in, const struct db_remote *remote)
{
	const struct db_transaction *t = &in->tx;
	const struct engine *e = in->engine;
	double rows = db_single_writer(e) ? 1 : t->hot_rows;
	double reads = known(t->page_reads, 0) * known(t->miss_frac, 1) *
		       known(e->read_amplification, 1);
	return (struct db_case){.in = in,
		.clients = t->clients,
		.pool = known(t->pool, (double)INFINITY),
		.think = known(t->think_ms, 0),
		.cores = t->cores,
		.cpu = known(t->cpu_ms, 0),
		.sharing = known(t->core_sharing, 0),
		.io_cpu = known(t->io_cpu_ms, 0),
		.hot_rows = rows,
		.reads = reads,
		.awaited = reads * (1 - known(t->prefetch_frac, 0)),
		.host_hit = isnan(t->host_cache_us) ? 0 : known(t->host_cache_hit_frac, 0),
		.host_ms = known(t->host_cache_us, 0) / 1e3,
		.page_writes = known(t->page_writes, 0),
		.log_kib = known(t->log_kib, known(e->log_base_kib, 0)),
		.delay = known(e->commit_delay_us, 0) / 1e3,
		.remote = remote};
}

void
db_loads(const struct db_input *in, double tps, struct db_loads *out)
{
	struct db_case c = case_of(in, NULL);
	struct db_background bg;
	db_background(&c, tps / 1e3, &bg);
	out->front = db_foreground(&c, tps / 1e3);
	out->back = bg.data;
	out->log = (struct db_load){.write_iops = tps, .io_kib = bg.log_kib};
}

/* ---- the answers ---- */

/* What clients wait for beside the cycle: places in the pool, rows, and a volume at its cap. */
static void
closed_parts(const struct db_case *c, const struct db_state *s, struct db_parts *p)
{
	double left = fmax(0, s->active / s->rate - (s->cycle - c->think));
	bool log = s->log_used > s->data_used || isnan(s->data_used);
	log = log && s->commit > 0;
	*p = (struct db_parts){.think_ms = c->think,
		.pool_ms = fmax(0, c->clients - s->rate * c->think - s->people) / s->rate,
		.cpu_ms = s->cpu + s->core_wait,
		.reads_ms = s->reads + (log ? 0 : left),
		.lock_ms = (s->people - s->active) / s->rate,
		.commit_ms = s->commit + (log ? left : 0),
		.cycle_ms = c->clients / s->rate};
}

static double
queue_ms(double rate, double each, double servers)
{
	double used = rate * each;
	return used < servers ? each * db_erlang_wait(used, servers) : (double)INFINITY;
}

/* Arrivals of their own wait no longer than as many clients that never pause. */
static void
open_parts(const struct db_case *c, const struct db_state *s, const struct db_parts *full,
	struct db_parts *p)
{
	bool single = db_single_writer(c->in->engine);
	double work = s->cpu + s->core_wait + s->reads;
	*p = (struct db_parts){.cpu_ms = s->cpu + s->core_wait, .reads_ms = s->reads};
	p->commit_ms = fmin(s->commit, fmax(full->commit_ms, s->group + s->remote));
	double held = (single ? work : s->cpu / 2) + p->commit_ms;
	if (!isnan(c->hot_rows) && c->clients > 1)
		p->lock_ms = fmin(full->lock_ms, queue_ms(s->rate / c->hot_rows, held, 1));
	double cycle = work + p->commit_ms + p->lock_ms;
	if (!isinf(c->pool) && c->clients > c->pool)
		p->pool_ms = fmin(full->pool_ms, queue_ms(s->rate, cycle, c->pool));
	p->cycle_ms = cycle + p->pool_ms;
}

static void
describe(const struct db_case *c, const struct db_state *s, struct db_answer *a)
{
	double tps = 1e3 * s->rate;
	a->log_kib = s->log_kib;
	a->read_us = s->read_us;
	a->flush_us = s->flush_us;
	a->log_load = s->log;
	a->data_load = s->data;
	a->flushes_per_s = s->group > 0 ? fmin(1e3 / (s->group + db_delay(c, s)), tps) : 0;
	a->commits_per_flush = a->flushes_per_s > 0 ? tps / a->flushes_per_s : (double)NAN;
	a->sla_after_s = (double)NAN;
}

static struct db_case
at_end(const struct db_case *c, int end)
{
	struct db_case other = *c;
	other.end = end;
	return other;
}

static void
spread(struct estimate *e, double down, double up)
{
	e->lo = e->value * down;
	e->hi = e->value * up;
}

/* `quick` and `slow` at the ends of the disks' intervals, as shares of the value.  With quicker disks clients
 * may meet more of each other at the commit, so either end can be the higher one. */
static void
spread_all(struct db_latency *l, double quick, double slow)
{
	bool known = !isnan(quick) && !isnan(slow);
	double down = known ? fmin(1, fmin(quick, slow)) : (double)NAN;
	double up = known ? fmax(1, fmax(quick, slow)) : (double)NAN;
	spread(&l->mean_ms, down, up);
	spread(&l->p50_ms, down, up);
	spread(&l->p95_ms, down, up);
	spread(&l->p99_ms, down, up);
}

/* Closed, with the ends of the latencies' intervals: rates and commits there.  NaN: not known. */
struct ends {
	double rate[2], commit[2]; /* quick latencies, slow latencies */
};

static void
closed_ends(const struct db_case *c, double guess, struct ends *e)
{
	for (int i = 0; i < 2; i++) {
		struct db_case end = at_end(c, i ? 1 : -1);
		struct db_state s;
		double rate;
		bool ok = db_closed(&end, guess, &rate, &s, NULL) == 0 && !s.unsure;
		e->rate[i] = ok ? 1e3 * rate : (double)NAN;
		e->commit[i] = ok ? s.commit : (double)NAN;
	}
}

static int
closed_answer(const struct db_case *c, double guess, struct db_state *s, struct db_answer *a,
	struct err *err)
{
	struct db_state light;
	double rate;
	int rc = db_closed(c, guess, &rate, s, err);
	if (rc == 0)
		rc = db_state_at(c, 0, &light, err);
	if (rc)
		return rc;
	*a = (struct db_answer){.steady = true};
	closed_parts(c, s, &a->parts);
	rc = db_tail(c, s, a, err);
	if (rc)
		return rc;
	db_uses(c, &light, s, a);
	describe(c, s, a);
	struct ends e;
	closed_ends(c, rate, &e);
	double tps = 1e3 * rate;
	e.rate[0] = e.rate[0] < tps ? tps : e.rate[0];
	e.rate[1] = e.rate[1] > tps ? tps : e.rate[1];
	a->tps = (struct estimate){tps, e.rate[1], e.rate[0], s->trust, MODEL_CURVE};
	spread_all(&a->tx, tps / e.rate[0], tps / e.rate[1]);
	spread_all(&a->commit, s->commit > 0 ? e.commit[0] / s->commit : 1,
		s->commit > 0 ? e.commit[1] / s->commit : 1);
	return 0;
}

/* Beyond the wall: nothing is steady but the growth. */
static void
overrun(const struct db_input *in, const struct db_answer *full, struct db_answer *a)
{
	double target = in->tx.target_tps, over = target / full->tps.value - 1;
	double late = isnan(full->tx.p99_ms.value) ? full->tx.mean_ms.value : full->tx.p99_ms.value;
	*a = *full;
	a->steady = false;
	a->backlog_per_s = target - full->tps.value;
	if (!isnan(in->tx.sla_p99_ms))
		a->sla_after_s = fmax(0, in->tx.sla_p99_ms - late) / over / 1e3;
}

static double
open_end(const struct db_case *c, double rate, int end, const struct db_parts *full, double *commit)
{
	struct db_case other = at_end(c, end);
	struct db_state s;
	struct db_parts p;
	*commit = (double)NAN;
	if (db_state_at(&other, rate, &s, NULL) || s.unsure)
		return (double)NAN;
	open_parts(&other, &s, full, &p);
	*commit = p.commit_ms;
	return p.cycle_ms;
}

static int
open_answer(const struct db_case *closed, const struct db_answer *full, struct db_answer *a,
	struct err *err)
{
	struct db_case c = *closed;
	struct db_state s, light;
	double rate = c.in->tx.target_tps / 1e3;
	if (!(c.in->tx.target_tps < full->tps.value)) {
		overrun(c.in, full, a);
		return 0;
	}
	c.open = true;
	c.think = 0;
	int rc = db_state_at(&c, rate, &s, err);
	if (rc == 0)
		rc = db_state_at(&c, 0, &light, err);
	if (rc)
		return rc;
	*a = (struct db_answer){.steady = true};
	open_parts(&c, &s, &full->parts, &a->parts);
	s.commit = a->parts.commit_ms;
	rc = db_tail(&c, &s, a, err);
	if (rc)
		return rc;
	db_uses(&c, &light, &s, a);
	describe(&c, &s, a);
	/* Poisson: after a flush the next starts at once when somebody came meanwhile */
	double period = s.group + db_delay(&c, &s);
	if (s.group > 0 && c.clients > 1)
		a->flushes_per_s = 1e3 * fmin(rate, 1 / (period + exp(-rate * period) / rate));
	a->commits_per_flush = s.group > 0 ? 1e3 * rate / a->flushes_per_s : (double)NAN;
	double low, high, low_tx = open_end(&c, rate, -1, &full->parts, &low),
			  high_tx = open_end(&c, rate, 1, &full->parts, &high);
	double tx = a->parts.cycle_ms, commit = a->parts.commit_ms;
	a->tps = (struct estimate){1e3 * rate, 1e3 * rate, 1e3 * rate, s.trust, MODEL_CURVE};
	spread_all(&a->tx, low_tx / tx, high_tx / tx);
	spread_all(&a->commit, commit > 0 ? low / commit : 1, commit > 0 ? high / commit : 1);
	return 0;
}

static int
regime(const struct db_case *c, double guess, struct db_answer *closed, struct db_answer *open,
	struct db_state *s, struct err *err)
{
	int rc = closed_answer(c, guess, s, closed, err);
	if (rc == 0 && !isnan(c->in->tx.target_tps))
		rc = open_answer(c, closed, open, err);
	return rc;
}

/* What binds beside storage: the fullest of those stages. */
static int
beside_storage(const struct db_answer *a)
{
	static const int stages[] = {DB_STAGE_CPU, DB_STAGE_HOT_ROWS, DB_STAGE_POOL};
	int best = DB_STAGE_CLIENTS;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (a->use[stages[i]].used_frac > a->use[best].used_frac)
			best = stages[i];
	}
	return best;
}

static void
fast_disk(const struct db_case *c, struct db_result *r)
{
	struct db_case fast = *c;
	struct db_state s, light;
	struct db_answer a = {.steady = true};
	double rate;
	fast.fast = true;
	bool known = db_closed(&fast, 0, &rate, &s, NULL) == 0;
	r->fast_disk_tps = known ? 1e3 * rate : (double)NAN;
	r->fast_disk_gain_frac = r->fast_disk_tps / r->closed.tps.value - 1;
	r->fast_disk_limit = -1;
	if (!known || db_state_at(&fast, 0, &light, NULL))
		return;
	db_uses(&fast, &light, &s, &a);
	r->fast_disk_limit = beside_storage(&a);
}

int
db_solve(const struct db_input *in, struct findings *findings, struct db_result *out,
	struct err *err)
{
	struct db_remote remote;
	struct db_flushed flushed[2] = {{0}};
	int rc = check(in, err);
	if (rc)
		return rc;
	struct db_case c = case_of(in, db_remote_set(in, &remote) ? &remote : NULL);
	c.flushed = flushed;
	struct db_result r = {.has_open = !isnan(in->tx.target_tps)};
	struct db_state s, after;
	rc = regime(&c, 0, &r.closed, &r.open, &s, err);
	if (rc)
		return rc;
	r.has_after = in->engine->full_page_writes > 0 && c.page_writes > 0;
	if (r.has_after) {
		struct db_case late = c;
		late.after = true;
		rc = regime(&late, s.rate, &r.closed_after, &r.open_after, &after, err);
		if (rc)
			return rc;
	}
	fast_disk(&c, &r);
	db_lag(&c, &s, r.has_open ? r.open.tps.value : r.closed.tps.value, &r.replication);
	db_notes(&c, &r, findings);
	*out = r;
	return 0;
}
