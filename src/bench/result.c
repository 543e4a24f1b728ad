/*
 * result.c - from slices to the profile: cells with intervals, and how sound they are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/environment.h"
#include "bench/judge.h"
#include "bench/state.h"
#include "bench/stats.h"

/* Rates of the slices and their histograms as arrays of their own. */
struct columns {
	double *rates;
	struct hist **lat, **write, **sync;
	struct hist *pooled;
};

static void
columns_free(struct columns *k)
{
	free(k->rates);
	free(k->lat);
	free(k->write);
	free(k->sync);
	free(k->pooled);
}

static int
columns_of(const struct cell *c, struct columns *k, struct err *err)
{
	k->rates = calloc(c->n + 1, sizeof(*k->rates));
	k->lat = calloc(c->n + 1, sizeof(struct hist *));
	k->write = calloc(c->n + 1, sizeof(struct hist *));
	k->sync = calloc(c->n + 1, sizeof(struct hist *));
	k->pooled = malloc(sizeof(*k->pooled));
	if (!k->rates || !k->lat || !k->write || !k->sync || !k->pooled) {
		columns_free(k);
		err_nomem(err);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < c->n; i++) {
		k->rates[i] = c->slices[i].rate;
		k->lat[i] = c->slices[i].lat;
		k->write[i] = c->slices[i].write;
		k->sync[i] = c->slices[i].sync;
	}
	return 0;
}

static double
total_s(const struct cell *c)
{
	double s = 0;
	for (size_t i = 0; i < c->n; i++)
		s += c->slices[i].window_s;
	return s;
}

/* Little's law on the very samples: rate and mean over the same windows, 1 for a full queue. */
static double
little(const struct cell *c, const struct hist *pooled)
{
	double s = total_s(c);
	double rate = s > 0 ? (double)pooled->n / s : (double)NAN;
	return profile_little_ratio(rate, hist_mean_ns(pooled) / 1000, c->qd);
}

static void
set_latency(
	struct profile_cell *p, const struct stats_range r[STATS_COUNT], const struct hist *pooled)
{
	p->mean_us = r[STATS_MEAN].value;
	p->mean_lo_us = r[STATS_MEAN].lo;
	p->mean_hi_us = r[STATS_MEAN].hi;
	p->sd_us = hist_sd_ns(pooled) / 1000;
	p->min_us = (double)pooled->min_ns / 1000;
	p->p50_us = r[STATS_P50].value;
	p->p50_lo_us = r[STATS_P50].lo;
	p->p50_hi_us = r[STATS_P50].hi;
	p->p90_us = r[STATS_P90].value;
	p->p95_us = r[STATS_P95].value;
	p->p99_us = r[STATS_P99].value;
	p->p99_lo_us = r[STATS_P99].lo;
	p->p99_hi_us = r[STATS_P99].hi;
	p->p999_us = r[STATS_P999].value;
	p->p999_lo_us = r[STATS_P999].lo;
	p->p999_hi_us = r[STATS_P999].hi;
	p->max_us = (double)pooled->max_ns / 1000;
	p->n = (double)pooled->n;
}

static int
add_cell(struct bench *b, struct profile *p, const struct cell *c, int op, struct err *err)
{
	struct columns k;
	struct stats_range r[STATS_COUNT];
	struct profile_cell out;
	int rc = columns_of(c, &k, err);
	if (rc)
		return rc;
	rc = stats_latency(k.lat, c->n, b->c.seed, r, k.pooled, err);
	if (rc == 0 && k.pooled->n > 0) {
		profile_cell_clear(&out);
		out.op = op;
		out.bs_b = (double)c->bs_b;
		out.qd = c->qd;
		out.jobs = 1;
		struct stats_range iops = stats_median(k.rates, c->n);
		out.iops = iops.value;
		out.iops_lo = iops.lo;
		out.iops_hi = iops.hi;
		out.mibps = iops.value * out.bs_b / UNITS_MIB;
		set_latency(&out, r, k.pooled);
		out.runtime_s = total_s(c);
		out.little_ratio = little(c, k.pooled);
		if (c->submit_n > 0)
			out.submit_frac = c->submit_ns_sum / c->submit_n / 1000 / out.mean_us;
		if (c == &b->layout)
			out.note = "first writes into a new file, one run";
		rc = profile_add_cell(p, b->arena, &out, err);
	}
	columns_free(&k);
	return rc;
}

/* The two parts of a commit, pooled. */
static void
set_parts(struct profile_sync *out, const struct columns *k, size_t n)
{
	hist_init(k->pooled);
	for (size_t i = 0; i < n; i++)
		hist_merge(k->pooled, k->write[i]);
	out->write_mean_us = hist_mean_ns(k->pooled) / 1000;
	hist_init(k->pooled);
	for (size_t i = 0; i < n; i++)
		hist_merge(k->pooled, k->sync[i]);
	out->sync_mean_us = hist_mean_ns(k->pooled) / 1000;
	if (stats_enough(k->pooled->n, STATS_P50))
		out->sync_p50_us = hist_quantile_ns(k->pooled, 0.5) / 1000;
	if (stats_enough(k->pooled->n, STATS_P99))
		out->sync_p99_us = hist_quantile_ns(k->pooled, 0.99) / 1000;
}

static int
add_sync(struct bench *b, struct profile *p, int pattern, struct err *err)
{
	struct columns k;
	struct stats_range r[STATS_COUNT];
	struct profile_sync out;
	const struct cell *c = &b->wal[pattern];
	int rc = columns_of(c, &k, err);
	if (rc)
		return rc;
	rc = stats_latency(k.lat, c->n, b->c.seed, r, k.pooled, err);
	if (rc == 0 && k.pooled->n > 0) {
		profile_sync_clear(&out);
		out.mode = PROFILE_SYNC_FDATASYNC;
		out.pattern = pattern;
		out.bs_b = (double)c->bs_b;
		out.writers = 1;
		struct stats_range rate = stats_median(k.rates, c->n);
		out.syncs_per_s = rate.value;
		out.syncs_lo = rate.lo;
		out.syncs_hi = rate.hi;
		out.mean_us = r[STATS_MEAN].value;
		out.mean_lo_us = r[STATS_MEAN].lo;
		out.mean_hi_us = r[STATS_MEAN].hi;
		out.p50_us = r[STATS_P50].value;
		out.p99_us = r[STATS_P99].value;
		out.p99_lo_us = r[STATS_P99].lo;
		out.p99_hi_us = r[STATS_P99].hi;
		out.p999_us = r[STATS_P999].value;
		out.p999_lo_us = r[STATS_P999].lo;
		out.p999_hi_us = r[STATS_P999].hi;
		out.max_us = (double)k.pooled->max_ns / 1000;
		out.n = (double)k.pooled->n;
		if (b->wal_syncs[pattern] > 0)
			out.flushes_per_sync = b->wal_flushes[pattern] / b->wal_syncs[pattern];
		set_parts(&out, &k, c->n);
		rc = profile_add_sync(p, b->arena, &out, err);
	}
	columns_free(&k);
	return rc;
}

static int
add_measurements(struct bench *b, struct profile *p, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < b->n_cells && rc == 0; i++) {
		const struct cell *c = &b->cells[i];
		int op = c->op == ENGINE_READ ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE;
		rc = c->n ? add_cell(b, p, c, op, err) : 0;
	}
	if (rc == 0 && b->layout.n)
		rc = add_cell(b, p, &b->layout, PROFILE_OP_WRITE, err);
	for (int pattern = 0; pattern < PROFILE_PATTERN_COUNT && rc == 0; pattern++)
		rc = b->wal[pattern].n ? add_sync(b, p, pattern, err) : 0;
	return rc;
}

static int
add_method(struct bench *b, struct profile *p, struct err *err)
{
	struct profile_method *m = arena_alloc(b->arena, sizeof(*m));
	if (!m)
		return err_nomem(err);
	bool sim = b->engine->simulated;
	profile_method_clear(m);
	m->file_b = (double)b->area_b;
	m->seed = (double)b->c.seed;
	m->slice_s = b->plan.slice_s;
	m->duration_s = (double)(load_now_ns(&b->load) - b->begin_ns) / 1e9;
	m->bytes_written_b = (double)b->written_b;
	m->engine = b->engine->name;
	/* as used: what fell back to psync is repeated with psync */
	m->command = arena_printf(b->arena,
		"tierwise bench --engine %s --time %g --size %.0f --seed %llu%s%s%s%s",
		sim ? b->c.engine : m->engine, b->c.time_s, m->file_b,
		(unsigned long long)b->c.seed, b->c.cells ? " --cells " : "",
		b->c.cells ? b->c.cells : "", sim ? "" : " ", sim ? "" : b->target.path);
	p->method = m;
	return m->command ? 0 : err_nomem(err);
}

static int
add_environment(struct bench *b, struct profile *p, struct err *err)
{
	struct profile_environment *e = arena_alloc(b->arena, sizeof(*e));
	if (!e)
		return err_nomem(err);
	profile_environment_clear(e);
	environment_read(&b->target, b->arena, e);
	e->cpu_awake = b->awake_fd >= 0;
	p->environment = e;
	p->device = environment_device_kind(&b->target, e);
	return 0;
}

static const char *
profile_name(const struct bench *b)
{
	if (b->c.name)
		return b->c.name;
	if (b->engine->simulated)
		return b->c.dir ? b->c.dir : "sim";
	if (!b->target.has_device)
		return b->target.path;
	return arena_printf(b->arena, "%s on %s", b->target.path, b->target.chain.disk);
}

int
result_build(struct bench *b, struct profile *p, struct err *err)
{
	bool sim = b->engine->simulated;
	profile_clear(p);
	p->name = profile_name(b);
	p->family = b->c.family;
	p->sku = b->c.sku;
	p->trust = sim ? TRUST_ASSUMED : TRUST_MEASURED;
	p->source = sim ? "simulated disk, a stated law and no measurement" : NULL;
	p->tool = b->c.tool;
	p->started = b->started;
	if (b->started)
		p->as_of = arena_strndup(b->arena, b->started, 10);
	p->complete = 0;
	int rc = add_method(b, p, err);
	if (rc == 0 && !sim)
		rc = add_environment(b, p, err);
	if (rc == 0)
		rc = add_measurements(b, p, err);
	if (rc == 0)
		rc = judge(b, p, err);
	return rc;
}
