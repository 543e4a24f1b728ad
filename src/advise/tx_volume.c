#include "advise/tx_volume.h"

#include <math.h>
#include <string.h>

#include "advise/spread.h"
#include "advise/transaction.h"
#include "base/units.h"

static const struct estimate unknown = {.value = (double)NAN,
	.lo = (double)NAN,
	.hi = (double)NAN,
	.trust = TRUST_ASSUMED,
	.how = MODEL_EXTRAPOLATED};

static double
mibps(double mbps)
{
	return mbps * UNITS_MB / UNITS_MIB;
}

/* What all transactions do at the target rate; nothing without one. */
static struct db_loads
loads_of(const struct candidate_site *s, bool host_cached)
{
	struct db_loads loads = {0};
	const struct demand_set *set = s->set;
	struct db_input in = {.engine = s->in->engine, .tx = set->transaction};
	if (!host_cached) /* as the solver is asked (tx.c) */
		in.tx.host_cache_hit_frac = in.tx.host_cache_us = (double)NAN;
	if (set->has_tx && set->tx.target_tps > 0)
		db_loads(&in, set->tx.target_tps, &loads);
	return loads;
}

static struct tx_part
part_of(const struct candidate_site *s, const struct candidate *c, bool host_cached)
{
	struct tx_part p = {.demand = candidate_demand(s, c),
		.latency = &c->latency,
		.of = loads_of(s, host_cached),
		.share = 1};
	db_disk_clear(&p.disk);
	p.disk.model = c->latency.model;
	p.disk.what = c->title;
	if (!c->disk)
		return p; /* the best of every candidate, which is none of them */
	p.disk.caps = (struct disk_caps){.iops = c->iops / c->disks,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.stripe = c->disks,
		.strip_b = (double)NAN};
	return p;
}

/* `now` of what was `then`, in proportion; without a then all of it at any rate. */
static double
grown(double amount, double now, double then)
{
	return then > 0 ? amount * now / then : amount;
}

static double
streams(const struct db_load *at)
{
	return at->read_mibps + at->write_mibps;
}

/* Nobody reads, and pages are written back or merged: not a copy that goes on while no transaction comes. */
static bool
is_background(const struct tx_part *p, const struct db_load *at)
{
	const struct db_loads *of = &p->of;
	bool back = at->write_iops > 0 || streams(&of->back) > 0 || !(of->back.write_iops > 0);
	return at->read_iops <= 0 && of->front.read_iops > 0 && back;
}

/* This disk's part of what its volume does: its demand, grown or shrunk as the transactions are. */
static struct db_load
part_load(const struct tx_part *p, const struct db_load *at)
{
	const struct demand *d = p->demand;
	const struct db_loads *of = &p->of;
	double io_kib = isnan(d->io_kib) ? at->io_kib : d->io_kib;
	struct db_load load = {.io_kib = io_kib};
	bool back = is_background(p, at), front = !back && at->write_iops <= 0;
	double writes = of->back.write_iops;
	if (!back && d->read_iops > 0)
		load.read_iops = grown(d->read_iops, at->read_iops, of->front.read_iops);
	if (!(front && writes > 0) && d->write_iops > 0)
		load.write_iops = grown(d->write_iops, at->write_iops, writes);
	double all = streams(&of->front) + streams(&of->back);
	if (d->stream_mbps > 0 && !(back && streams(&of->back) <= 0))
		load.read_mibps = grown(mibps(d->stream_mbps), streams(at), all);
	return load;
}

/* ---- by the curves ---- */

static const struct db_load nothing = {.io_kib = 8};

typedef int ask(struct tx_part *p, const struct db_load *at, double bytes,
	enum model_statistic stat, struct estimate *us, struct err *err);

static int
shifted(const struct tx_part *p, struct estimate *us)
{
	if (p->z < 0 || p->z > 0)
		*us = spread_at(us, p->disk.model->trust, p->z);
	return 0;
}

static int
ask_read(struct tx_part *p, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	(void)bytes;
	struct db_load load = part_load(p, at);
	int rc = db_disk_latency(&p->disk, PROFILE_OP_RANDREAD, &load, stat, us, err);
	return rc ? rc : shifted(p, us);
}

static int
ask_flush(struct tx_part *p, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	struct db_load load = p->demand->one_writer ? nothing : part_load(p, at);
	int rc = db_disk_flush(&p->disk, &load, bytes, stat, us, err);
	return rc ? rc : shifted(p, us);
}

/* ---- by the figures at the target rate ---- */

static int
figure(const struct estimate *mean, const struct estimate *p99, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	if (stat != MODEL_MEAN && stat != MODEL_P99)
		return err_set(err, ERR_UNSUPPORTED, "only mean and p99 are kept");
	*us = stat == MODEL_MEAN ? *mean : *p99;
	return 0;
}

static int
told_read(struct tx_part *p, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	(void)at;
	(void)bytes;
	return figure(&p->latency->tx_read_mean, &p->latency->tx_read_p99, stat, us, err);
}

static int
told_flush(struct tx_part *p, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	(void)at;
	(void)bytes;
	return figure(&p->latency->commit_mean, &p->latency->commit_p99, stat, us, err);
}

static double
amount(const struct db_load *l)
{
	double io_kib = l->io_kib > 0 ? l->io_kib : 8;
	return l->read_iops + l->write_iops + streams(l) * 1024 / io_kib;
}

/* Each of the three figures grows as its load does. */
static double
told_used(const struct tx_part *p, const struct db_load *at)
{
	const struct latency *l = p->latency;
	struct db_load all = db_load_sum(&p->of.front, &p->of.back);
	bool back = is_background(p, at);
	bool front = !back && at->write_iops <= 0 && streams(at) <= streams(&p->of.front);
	const struct db_load *then = back ? &p->of.back : front ? &p->of.front : &all;
	double used = back ? l->used_back : front ? l->used_front : l->used;
	return amount(then) > 0 ? used * amount(at) / amount(then) : used;
}

/* ---- the volume ---- */

/* The slowest part; what one does not know the volume does not. */
static int
slowest(struct tx_side *side, ask *one, const struct db_load *at, double bytes,
	enum model_statistic stat, struct estimate *us, struct err *err)
{
	*us = unknown;
	for (size_t i = 0; i < side->n; i++) {
		struct estimate e = unknown;
		int rc = one(&side->parts[i], at, bytes, stat, &e, err);
		if (rc)
			return rc;
		if (i == 0 || isnan(e.value) || e.value > us->value)
			*us = e;
	}
	return 0;
}

static int
curve_read(void *ctx, const struct db_load *at, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	return slowest(ctx, ask_read, at, 0, stat, us, err);
}

static int
curve_flush(void *ctx, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	return slowest(ctx, ask_flush, at, bytes, stat, us, err);
}

static int
figure_read(void *ctx, const struct db_load *at, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	return slowest(ctx, told_read, at, 0, stat, us, err);
}

static int
figure_flush(void *ctx, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	return slowest(ctx, told_flush, at, bytes, stat, us, err);
}

static double
curve_used(void *ctx, const struct db_load *at, const char **what)
{
	struct tx_side *side = ctx;
	double most = (double)NAN;
	for (size_t i = 0; i < side->n; i++) {
		struct tx_part *p = &side->parts[i];
		const char *cap = NULL;
		struct db_load load = p->demand->one_writer ? *at : part_load(p, at);
		double used = db_disk_used(&p->disk, &load, &cap);
		if (isnan(most) || used > most) {
			most = used;
			*what = cap;
		}
	}
	return most;
}

static double
figure_used(void *ctx, const struct db_load *at, const char **what)
{
	struct tx_side *side = ctx;
	double most = (double)NAN;
	*what = NULL;
	for (size_t i = 0; i < side->n; i++) {
		struct tx_part *p = &side->parts[i];
		if (p->demand->volume->role == WORKLOAD_WAL)
			continue; /* the log's caps are a constraint of their own */
		double used = told_used(p, at);
		if (isnan(most) || used > most)
			most = used;
	}
	return most;
}

void
tx_side_clear(struct tx_side *side)
{
	side->n = 0;
}

void
tx_side_add(struct tx_side *side, const struct candidate_site *s, const struct candidate *c,
	bool host_cached, double z)
{
	if (side->n >= SEARCH_MAX_VOLUMES)
		return;
	side->parts[side->n] = part_of(s, c, host_cached);
	side->parts[side->n++].z = z;
}

void
tx_side_close(struct tx_side *side, bool by_curves)
{
	side->volume = (struct db_volume){.read = by_curves ? curve_read : figure_read,
		.flush = by_curves ? curve_flush : figure_flush,
		.used_frac = by_curves ? curve_used : figure_used,
		.ctx = side};
}

/* ---- one candidate at the target rate ---- */

void
tx_measure(const struct candidate_site *s, struct candidate *c)
{
	struct latency *l = &c->latency;
	const struct engine *e = s->in->engine;
	const char *what = NULL;
	l->tx_read_mean = l->tx_read_p99 = unknown;
	l->used = l->used_front = l->used_back = (double)NAN;
	if (!l->model || isnan(s->demand->io_kib) || s->demand->one_writer)
		return;
	struct tx_part p = part_of(s, c, candidate_is_cached(c));
	struct db_load all = db_load_sum(&p.of.front, &p.of.back);
	struct db_load load = part_load(&p, &all), front = part_load(&p, &p.of.front),
		       back = part_load(&p, &p.of.back);
	l->used = db_disk_used(&p.disk, &load, &what);
	l->used_front = db_disk_used(&p.disk, &front, &what);
	l->used_back = db_disk_used(&p.disk, &back, &what);
	/* write-back comes in bursts, which the solver counts by their share (model/db_reads.c) */
	bool bursts = !isnan(l->used) && p.of.back.write_iops > 0 &&
		      (!e || isnan(e->write_amplification));
	const struct db_load *at = bursts ? &front : &load;
	if (db_disk_latency(&p.disk, PROFILE_OP_RANDREAD, at, MODEL_MEAN, &l->tx_read_mean, NULL))
		l->tx_read_mean = unknown;
	if (db_disk_latency(&p.disk, PROFILE_OP_RANDREAD, at, MODEL_P99, &l->tx_read_p99, NULL))
		l->tx_read_p99 = unknown;
}
