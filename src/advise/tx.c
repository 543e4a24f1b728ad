/*
 * tx.c - the database on a choice of disks: latencies in, transactions out, and the rate at which a
 * cap of the machine is full (choose.h).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "advise/choose.h"
#include "advise/transaction.h"
#include "advise/tx_volume.h"
#include "base/units.h"

/* What a prediction from figures depends on. */
enum { TX_KEYS = 9, BUCKETS = 1024 };

/* A prediction remembered by it. */
struct tx_memo {
	struct tx_memo *next; /* of the same bucket */
	double key[TX_KEYS];
	int rc;
	struct tx_answer result;
	struct err err;
	/* the promise it breaks under `relaxed`, remembered too: the search asks very often */
	bool judged;
	unsigned relaxed;
	struct breach breach;
};

static bool
has_wal(const struct chooser *c)
{
	for (size_t i = 0; i < c->set.n; i++) {
		if (c->set.volumes[i].volume->role == WORKLOAD_WAL)
			return true;
	}
	return false;
}

/* How a choice is asked: its curves or its figures, and how far off each volume's disk is (NULL: not). */
struct question {
	bool by_curves;
	const double *z;
};

/* The log and the data of a choice. */
struct sides {
	struct tx_side log, data;
};

/* A host cache answers where every data volume of the choice has one. */
static bool
host_cached(const struct chooser *c, const struct candidate *const *at)
{
	bool any = false;
	for (size_t v = 0; v < c->set.n; v++) {
		if (!chooser_is_pages(c, v) || !at[v])
			continue;
		if (!candidate_is_cached(at[v]))
			return false;
		any = true;
	}
	return any;
}

static void
gather(const struct chooser *c, size_t option, const struct candidate *const *at,
	const struct question *q, struct sides *out)
{
	bool cached = host_cached(c, at);
	tx_side_clear(&out->log);
	tx_side_clear(&out->data);
	for (size_t v = 0; v < c->set.n; v++) {
		const struct candidate_site *site = &c->options[option].sites[v];
		if (at[v] && chooser_is_log(c, v))
			tx_side_add(&out->log, site, at[v], cached, q->z ? q->z[v] : 0);
		if (at[v] && chooser_is_pages(c, v))
			tx_side_add(&out->data, site, at[v], cached, q->z ? q->z[v] : 0);
	}
	tx_side_close(&out->log, q->by_curves);
	tx_side_close(&out->data, q->by_curves);
}

static int
known(const struct tx_side *side, bool log, struct err *err)
{
	const char *const words[2][2] = {{"the read latency of the data volume is not known",
						 "the read p99 of the data volume is not known"},
		{"the commit latency of the log is not known",
			"the commit p99 of the log is not known"}};
	for (size_t i = 0; i < side->n; i++) {
		const struct latency *l = side->parts[i].latency;
		if (!latency_known(log ? &l->commit_mean : &l->tx_read_mean))
			return err_set(err, ERR_UNSUPPORTED, "%s", words[log][0]);
		if (!latency_known(log ? &l->commit_p99 : &l->tx_read_p99))
			return err_set(err, ERR_UNSUPPORTED, "%s", words[log][1]);
	}
	return 0;
}

static int
check_known(const struct chooser *c, const struct sides *s, struct err *err)
{
	if (c->tx_gap)
		return err_set(err, ERR_UNSUPPORTED, "%s", c->tx_gap);
	int rc = transaction_commit_waits(c->in->engine) ? known(&s->log, true, err) : 0;
	return rc || !(c->set.tx.page_reads > 0) ? rc : known(&s->data, false, err);
}

static double
cores_of(const struct chooser *c, size_t option)
{
	const struct vm_limit *vm = c->options[option].vm;
	double given = c->set.transaction.cores;
	return isnan(given) && vm ? vm->vcpus : given;
}

static struct db_input
input_of(const struct chooser *c, size_t option, const struct candidate *const *at,
	const struct sides *s)
{
	struct db_input in = {.engine = c->in->engine,
		.tx = c->set.transaction,
		.log = &s->log.volume,
		.data = s->data.n ? &s->data.volume : &s->log.volume,
		.shared = !has_wal(c)};
	in.tx.cores = cores_of(c, option);
	if (!host_cached(c, at))
		in.tx.host_cache_hit_frac = in.tx.host_cache_us = (double)NAN;
	return in;
}

static struct estimate
worse(const struct estimate *a, const struct estimate *b)
{
	return isnan(b->value) || b->value > a->value ? *b : *a;
}

/* "the log volume (IOPS of the disk)" */
static const char *
stage_text(const struct db_input *in, const struct db_answer *a, int stage, struct arena *arena)
{
	const char *what = a->use[stage].what;
	const char *words = db_stage_text(in, stage);
	const char *text = what ? arena_printf(arena, "%s (%s)", words, what) : NULL;
	return text ? text : words;
}

/* Flushes of the log: of commit groups where commits wait, else those of the background. */
static double
flush_rate(const struct db_input *in, const struct db_answer *a)
{
	const struct engine *e = in->engine;
	if (in->shared)
		return (double)NAN;
	if (e->commit != ENGINE_COMMIT_GROUP && e->commit != ENGINE_COMMIT_SINGLE_WRITER)
		return a->log_load.write_iops;
	return a->flushes_per_s * (e->flushes_per_group > 0 ? e->flushes_per_group : 1);
}

/* Latencies are of the worst regime there is: right after a checkpoint where pages are then logged whole. */
static void
put_answer(const struct db_input *in, const struct db_result *r, struct arena *arena,
	struct tx_answer *out)
{
	bool open = r->has_open && r->open.steady;
	const struct db_answer *a = open ? &r->open : &r->closed;
	const struct db_answer *after = open ? &r->open_after : &r->closed_after;
	if (!r->has_after)
		after = a;
	*out = (struct tx_answer){.max_tps = r->closed.tps.value,
		.max_tps_lo = r->closed.tps.lo,
		.max_tps_hi = r->closed.tps.hi,
		.at_tps = a->tps.value,
		.limit = stage_text(in, &r->closed, r->closed.limit, arena),
		.next = isnan(r->closed.slack_frac)
				? NULL
				: stage_text(in, &r->closed, r->closed.next, arena),
		.next_frac = r->closed.slack_frac,
		.commit_mean_ms = worse(&a->commit.mean_ms, &after->commit.mean_ms),
		.commit_p99_ms = worse(&a->commit.p99_ms, &after->commit.p99_ms),
		.tx_mean_ms = worse(&a->tx.mean_ms, &after->tx.mean_ms),
		.tx_p99_ms = worse(&a->tx.p99_ms, &after->tx.p99_ms),
		.after_checkpoint = r->has_after,
		.fast_disk_tps = r->fast_disk_tps,
		.fast_disk_gain_frac = r->fast_disk_gain_frac,
		.fast_disk_stage = r->fast_disk_limit,
		.fast_disk_limit = r->fast_disk_limit < 0 ? NULL
							  : db_stage_text(in, r->fast_disk_limit),
		.commits_per_flush = a->commits_per_flush,
		.log_kib = a->log_kib,
		.flushes_per_s = flush_rate(in, a),
		.replication = r->replication};
	memcpy(out->use, a->use, sizeof(out->use));
	for (int i = 0; i < DB_STAGE_COUNT; i++)
		out->stages[i] = db_stage_text(in, i);
}

static int
solve(struct chooser *c, size_t option, const struct candidate *const *at, const struct question *q,
	struct findings *findings, struct tx_answer *out, struct err *err)
{
	struct sides *s = c->sides;
	struct db_result r;
	gather(c, option, at, q, s);
	int rc = check_known(c, s, err);
	if (rc)
		return rc;
	struct db_input in = input_of(c, option, at, s);
	rc = db_solve(&in, findings, &r, err);
	if (rc == 0)
		put_answer(&in, &r, c->arena, out);
	return rc;
}

int
chooser_tx_init(struct chooser *c, struct err *err)
{
	c->sides = arena_alloc(c->arena, sizeof(*c->sides));
	/* pointers are meant, not predictions */
	c->memo = arena_array(c->arena, BUCKETS,
		sizeof(struct tx_memo *)); /* NOLINT(bugprone-sizeof-expression) */
	return c->sides && c->memo ? 0 : err_nomem(err);
}

int
chooser_tx(struct chooser *c, size_t option, const struct candidate *const *at,
	struct findings *findings, struct tx_answer *out, struct err *err)
{
	const struct question q = {.by_curves = true};
	return solve(c, option, at, &q, findings, out, err);
}

int
chooser_tx_off(struct chooser *c, size_t option, const struct candidate *const *at, const double *z,
	struct tx_answer *out, struct err *err)
{
	const struct question q = {.by_curves = true, .z = z};
	return solve(c, option, at, &q, NULL, out, err);
}

double
chooser_delay_gain(
	struct chooser *c, size_t option, const struct candidate *const *at, double delay_us)
{
	struct sides *s = c->sides;
	struct engine without = *c->in->engine, with = without;
	struct db_result plain, delayed;
	const struct question q = {.by_curves = true};
	gather(c, option, at, &q, s);
	if (without.commit != ENGINE_COMMIT_GROUP || isnan(delay_us) || check_known(c, s, NULL))
		return (double)NAN;
	without.commit_delay_us = 0;
	with.commit_delay_us = delay_us;
	struct db_input in = input_of(c, option, at, s);
	in.engine = &without;
	int rc = db_solve(&in, NULL, &plain, NULL);
	in.engine = &with;
	rc = rc ? rc : db_solve(&in, NULL, &delayed, NULL);
	return rc ? (double)NAN : delayed.closed.tps.value / plain.closed.tps.value - 1;
}

static bool
same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

static void
raise(double *key, double value)
{
	if (isnan(*key) || value > *key)
		*key = value;
}

/* One that is not known makes the whole not known, whatever the others are: slower than all of them. */
static void
raise_latency(double *key, const struct estimate *e)
{
	raise(key, latency_known(e) ? e->value : (double)INFINITY);
}

/* The figures of the slowest and fullest volumes: all that a prediction from figures depends on. */
static void
key_of(const struct chooser *c, size_t option, const struct candidate *const *at,
	double key[TX_KEYS])
{
	for (size_t i = 0; i < TX_KEYS; i++)
		key[i] = (double)NAN;
	for (size_t v = 0; v < c->set.n; v++) {
		const struct latency *l = at[v] ? &at[v]->latency : NULL;
		if (l && chooser_is_log(c, v)) {
			raise_latency(&key[0], &l->commit_mean);
			raise_latency(&key[1], &l->commit_p99);
		}
		if (l && chooser_is_pages(c, v)) {
			raise_latency(&key[2], &l->tx_read_mean);
			raise_latency(&key[3], &l->tx_read_p99);
			raise(&key[4], l->used);
			raise(&key[5], l->used_front);
			raise(&key[6], l->used_back);
		}
	}
	key[7] = cores_of(c, option);
	key[8] = host_cached(c, at);
}

static bool
same_key(const double *a, const double *b)
{
	for (size_t i = 0; i < TX_KEYS; i++) {
		if (!same_number(a[i], b[i]))
			return false;
	}
	return true;
}

static size_t
bucket_of(const double *key)
{
	uint64_t hash = 1469598103934665603U; /* FNV-1a over the numbers, a NaN like any other */
	for (size_t i = 0; i < TX_KEYS; i++) {
		double number = isnan(key[i]) ? -1 : key[i] + 0.0;
		uint64_t bits;
		memcpy(&bits, &number, sizeof(bits));
		hash = (hash ^ bits) * 1099511628211U;
		hash ^= hash >> 29;
	}
	return hash % BUCKETS;
}

/* The prediction from figures remembered: many choices share them. */
static struct tx_memo *
remembered(struct chooser *c, size_t option, const struct candidate *const *at)
{
	double key[TX_KEYS];
	key_of(c, option, at, key);
	struct tx_memo **bucket = &c->memo[bucket_of(key)];
	for (struct tx_memo *m = *bucket; m; m = m->next) {
		if (same_key(m->key, key))
			return m;
	}
	struct tx_memo *m = arena_alloc(c->arena, sizeof(*m));
	if (!m)
		return NULL;
	m->next = *bucket;
	*bucket = m;
	c->n_predictions++;
	memcpy(m->key, key, sizeof(key));
	const struct question q = {.by_curves = false};
	m->rc = solve(c, option, at, &q, NULL, &m->result, &m->err);
	return m;
}

int
chooser_tx_figures(
	struct chooser *c, size_t option, const struct candidate *const *at, struct tx_answer *out)
{
	const struct tx_memo *m = c->tx_gap ? NULL : remembered(c, option, at);
	if (!m)
		return ERR_UNSUPPORTED;
	if (m->rc == 0)
		*out = m->result;
	return m->rc;
}

static const struct breach no_breach = {.constraint = -1,
	.need = (double)NAN,
	.have = (double)NAN,
	.best = (double)NAN,
	.margin_frac = (double)NAN};

/* What cannot be promised because the prediction is not known. */
static struct breach
unknown_breach(struct chooser *c, const struct tx_memo *m, enum constraint_id id)
{
	struct breach b = no_breach;
	b.applies = b.broken = true;
	b.constraint = (int)id;
	b.text = arena_printf(c->arena,
		"%s, so %s cannot be promised; measure one with tierwise bench", m->err.text,
		id == CONSTRAINT_TX_P99       ? "the transaction p99"
		: id == CONSTRAINT_COMMIT_P99 ? "the commit p99"
					      : "the rate");
	return b;
}

/* Does anything depend on the prediction?  An unknown prediction keeps no promise. */
struct breach
chooser_tx_breach(
	struct chooser *c, size_t option, const struct candidate *const *at, unsigned relaxed)
{
	const struct workload_sla *sla = c->in->workload->sla;
	bool tps = !isnan(c->set.tx.target_tps) && !(relaxed & CONSTRAINT_BIT(CONSTRAINT_TPS));
	bool tx = sla && !isnan(sla->tx_p99_ms) && !(relaxed & CONSTRAINT_BIT(CONSTRAINT_TX_P99));
	bool commit = sla && !isnan(sla->commit_p99_ms) &&
		      !(relaxed & CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99));
	bool lag = sla && !isnan(sla->rpo_ms) && c->set.transaction.standby.count >= 1 &&
		   !c->lag_open && !(relaxed & CONSTRAINT_BIT(CONSTRAINT_RPO));
	if (c->tx_gap || !(tps || tx || commit || lag))
		return no_breach;
	if (!lag)
		relaxed |= CONSTRAINT_BIT(CONSTRAINT_RPO);
	static const struct tx_memo no_memory = {.err = {.text = "out of memory"}};
	enum constraint_id id = tx       ? CONSTRAINT_TX_P99
				: commit ? CONSTRAINT_COMMIT_P99
					 : CONSTRAINT_TPS;
	struct tx_memo *m = remembered(c, option, at);
	if (!m)
		return unknown_breach(c, &no_memory, id);
	if (m->rc && !(tps || tx || commit))
		return no_breach;
	if (!m->judged || m->relaxed != relaxed)
		m->breach = m->rc ? unknown_breach(c, m, id)
				  : constraint_tx_check(sla, c->set.tx.target_tps, &m->result,
					    relaxed, c->arena);
	m->judged = true;
	m->relaxed = relaxed;
	return m->breach;
}

/* ---- the rate at which a cap is full ---- */

struct ceiling {
	double tps;
	const char *what;
};

static void
lower(struct ceiling *c, double tps, const char *what)
{
	if (tps < c->tps) {
		c->tps = tps;
		c->what = what;
	}
}

/* Rate at which `cap` is full when `fixed` of it is always used and `growing` at the target. */
static double
full_at(double target, double cap, double fixed, double growing)
{
	return growing > 0 && !isnan(cap) ? target * fmax(0, cap - fixed) / growing
					  : (double)INFINITY;
}

static bool
grows(const struct demand *d)
{
	int role = d->volume->role;
	return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

/* I/Os that do not grow with the transactions: streams, and everything of other roles. */
static double
fixed_units(const struct demand *d, const struct candidate *c)
{
	struct demand stream = *d;
	if (grows(d))
		stream.read_iops = stream.write_iops = 0;
	double units = demand_units(&stream, c->disk->io_unit_kib, (double)NAN);
	return isnan(units) ? 0 : units;
}

static void
machine_ceilings(const struct chooser *c, size_t option, const struct candidate *const *at,
	struct ceiling *out)
{
	const struct vm_limit *vm = c->options[option].vm;
	double cap[CAP_COUNT], iops = 0, fixed_iops = 0, mbps = 0, fixed_mbps = 0;
	constraint_machine_caps(c->in->limits, vm, 0, cap);
	for (size_t v = 0; v < c->set.n && vm; v++) {
		const struct demand *d = candidate_demand(&c->options[option].sites[v], at[v]);
		if (at[v]->place == PLACE_LOCAL || isnan(at[v]->units))
			continue;
		double fixed = fixed_units(d, at[v]);
		double stream = grows(d) ? d->stream_mbps : d->mbps;
		iops += at[v]->units - fixed;
		fixed_iops += fixed;
		mbps += d->mbps - stream;
		fixed_mbps += stream;
	}
	double target = c->set.tx.target_tps;
	lower(out, full_at(target, cap[CAP_REMOTE_IOPS], fixed_iops, iops), "IOPS of the machine");
	lower(out, full_at(target, cap[CAP_REMOTE_MBPS], fixed_mbps, mbps), "MB/s of the machine");
}

/* Its rates are given, and the transactions as described cause none of some of them: nothing that the solver
 * could grow with the rate. */
static bool
given_beside(const struct demand *d, const struct db_loads *of)
{
	bool reads = d->read_iops > 0 && !(of->front.read_iops > 0);
	return reads || (d->write_iops > 0 && !(of->back.write_iops > 0));
}

/* Pages whose given rates only the target stands for: they grow with the rate as the machine's sum does. */
static void
volume_ceilings(const struct chooser *c, size_t option, const struct candidate *const *at,
	struct ceiling *out)
{
	double target = c->set.tx.target_tps;
	const struct db_input in = {.engine = c->in->engine, .tx = c->set.transaction};
	struct db_loads of;
	db_loads(&in, target, &of);
	for (size_t v = 0; v < c->set.n; v++) {
		const struct demand *d = candidate_demand(&c->options[option].sites[v], at[v]);
		if (!chooser_is_pages(c, v) || isnan(at[v]->units) || !given_beside(d, &of))
			continue;
		double fixed = fixed_units(d, at[v]);
		lower(out, full_at(target, at[v]->iops, fixed, at[v]->units - fixed),
			"the data volume (IOPS of the disk)");
		lower(out, full_at(target, at[v]->mbps, d->stream_mbps, d->mbps - d->stream_mbps),
			"the data volume (MB/s of the disk)");
	}
}

static void
bound(struct tx_answer *r, const struct ceiling *by)
{
	if (!(by->tps < r->max_tps))
		return;
	r->max_tps = by->tps;
	r->max_tps_lo = fmin(r->max_tps_lo, by->tps);
	r->max_tps_hi = fmin(r->max_tps_hi, by->tps);
	r->limit = by->what;
	r->next = NULL;
}

const char *
chooser_ceiling(const struct chooser *c, size_t option, const struct candidate *const *at,
	struct tx_answer *r)
{
	struct ceiling machine = {(double)INFINITY, NULL}, disks = machine;
	if (isnan(c->set.tx.target_tps))
		return NULL;
	machine_ceilings(c, option, at, &machine);
	volume_ceilings(c, option, at, &disks);
	/* an infinitely fast disk still hangs on this machine */
	r->fast_disk_tps = fmin(r->fast_disk_tps, machine.tps);
	bound(r, &machine);
	bound(r, &disks);
	struct db_use *data = &r->use[DB_STAGE_DATA_VOLUME];
	if (disks.what && !(data->ceiling_tps <= disks.tps))
		data->ceiling_tps = disks.tps;
	r->fast_disk_gain_frac = (r->fast_disk_tps - r->max_tps) / r->max_tps;
	if (disks.tps <= r->max_tps)
		return disks.what;
	return machine.tps <= r->max_tps ? machine.what : NULL;
}
