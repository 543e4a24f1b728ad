/*
 * result.c - from slices to the profile: cells with intervals, and how sound they are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/disk.h"
#include "bench/environment.h"
#include "bench/judge.h"
#include "bench/knees.h"
#include "bench/sizefit.h"
#include "bench/stats.h"

/* One kind of latency of the slices as an array of its own, and all of it pooled. */
struct column {
	const struct hist_packed **lat;
	double *rates;
	struct hist *pooled;
};

static void
column_free(struct column *k)
{
	free(k->rates);
	free(k->lat);
	free(k->pooled);
}

/* Rates of a direction (-1: both) and its latencies. */
static int
column_of(const struct cell *c, int op, struct column *k, struct err *err)
{
	k->rates = calloc(c->n + 1, sizeof(*k->rates));
	k->lat = calloc(c->n + 1, sizeof(const struct hist_packed *));
	k->pooled = malloc(sizeof(*k->pooled));
	if (!k->rates || !k->lat || !k->pooled) {
		column_free(k);
		err_nomem(err);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < c->n; i++) {
		k->rates[i] = c->slices[i].rates[op];
		k->lat[i] = c->slices[i].lat[op];
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

/*
 * Little's law over the windows, 1 for a full queue: the time in them of all requests that were present.  Not rate x mean
 * latency, which are of other requests at the ends: a stall over the start of a window is in its rate alone (load.h).
 */
static double
little(const struct cell *c, int op)
{
	double s = total_s(c), present_s = 0;
	for (size_t i = 0; i < c->n; i++)
		present_s += c->slices[i].present_s[op];
	return s > 0 ? present_s / (s * c->qd) : (double)NAN;
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
	p->p90_lo_us = r[STATS_P90].lo;
	p->p90_hi_us = r[STATS_P90].hi;
	p->p95_us = r[STATS_P95].value;
	p->p95_lo_us = r[STATS_P95].lo;
	p->p95_hi_us = r[STATS_P95].hi;
	p->p99_us = r[STATS_P99].value;
	p->p99_lo_us = r[STATS_P99].lo;
	p->p99_hi_us = r[STATS_P99].hi;
	p->p999_us = r[STATS_P999].value;
	p->p999_lo_us = r[STATS_P999].lo;
	p->p999_hi_us = r[STATS_P999].hi;
	p->max_us = (double)pooled->max_ns / 1000;
	p->n = (double)pooled->n;
}

/* The histogram's bins that are not empty. */
static int
set_bins(struct disk *d, const struct hist *h, double **us, size_t *n_us, double **count,
	size_t *n_count, struct err *err)
{
	size_t n = 0;
	for (size_t i = 0; i < HIST_BINS; i++)
		n += h->bins[i] > 0;
	*us = arena_array(d->arena, n + 1, sizeof(**us));
	*count = arena_array(d->arena, n + 1, sizeof(**count));
	if (!*us || !*count)
		return err_nomem(err);
	n = 0;
	for (size_t i = 0; i < HIST_BINS; i++) {
		if (h->bins[i] == 0)
			continue;
		(*us)[n] = hist_bin_mid_ns(i) / 1000;
		(*count)[n++] = (double)h->bins[i];
	}
	*n_us = *n_count = n;
	return 0;
}

/* The rates in order of time: before anything sorts them. */
static int
keep_slices(struct disk *d, const struct column *k, size_t n, double **rates, size_t *n_rates,
	struct err *err)
{
	*rates = arena_array(d->arena, n, sizeof(**rates));
	if (!*rates)
		return err_nomem(err);
	memcpy(*rates, k->rates, n * sizeof(**rates));
	*n_rates = n;
	return 0;
}

static void
set_load(struct profile_cell *p, const struct cell *c, int op)
{
	if (c->asked_iops > 0) {
		p->asked_iops = c->asked_iops;
		p->overload_frac = c->arrivals > 0 ? c->overload / c->arrivals : (double)NAN;
		/* Little's law gives the depth there was, not one that was held */
		p->qd = fmax(1e-6, p->iops * p->mean_us / 1e6);
		return;
	}
	if (c->read_frac > 0 && c->read_frac < 1)
		p->mix_read_frac = c->read_frac;
	else
		p->little_ratio = little(c, op);
	if (c->submit_n > 0)
		p->submit_frac = fmin(1, c->submit_ns_sum / c->submit_n / 1000 / p->mean_us);
}

/* A cell, or the side of one in which both directions ran. */
static int
add_side(struct disk *d, struct profile *p, const struct cell *c, int op, struct err *err)
{
	static const int ops[2][2] = {
		{PROFILE_OP_RANDREAD, PROFILE_OP_RANDWRITE}, {PROFILE_OP_READ, PROFILE_OP_WRITE}};
	struct column k;
	struct stats_range r[STATS_COUNT];
	struct profile_cell out;
	int rc = column_of(c, op, &k, err);
	if (rc)
		return rc;
	rc = stats_latency(k.lat, c->n, d->c->seed, r, k.pooled, err);
	if (rc == 0 && k.pooled->n > 0) {
		profile_cell_clear(&out);
		out.op = ops[c->sequential || c->group == CELL_LAYOUT][op];
		out.bs_b = (double)c->bs_b;
		out.qd = c->qd;
		out.jobs = 1;
		rc = keep_slices(d, &k, c->n, &out.slice_iops, &out.n_slice_iops, err);
		struct stats_range iops = stats_median(k.rates, c->n);
		out.iops = iops.value;
		out.iops_lo = iops.lo;
		out.iops_hi = iops.hi;
		out.mibps = iops.value * out.bs_b / UNITS_MIB;
		set_latency(&out, r, k.pooled);
		out.runtime_s = total_s(c);
		set_load(&out, c, op);
		if (c->group == CELL_LAYOUT)
			out.note = "first writes into a new file, one run";
		rc = rc ? rc
			: set_bins(d, k.pooled, &out.bins_us, &out.n_bins_us, &out.bins_n,
				  &out.n_bins_n, err);
		rc = rc ? rc : profile_add_cell(p, d->arena, &out, err);
	}
	column_free(&k);
	return rc;
}

/* The two parts of a commit, pooled. */
static void
set_parts(struct profile_sync *out, const struct cell *c, struct hist *pooled)
{
	hist_init(pooled);
	for (size_t i = 0; i < c->n; i++)
		hist_merge_packed(pooled, c->slices[i].write);
	out->write_mean_us = hist_mean_ns(pooled) / 1000;
	hist_init(pooled);
	for (size_t i = 0; i < c->n; i++)
		hist_merge_packed(pooled, c->slices[i].sync);
	if (pooled->n == 0)
		return; /* all in the write */
	out->sync_mean_us = hist_mean_ns(pooled) / 1000;
	if (stats_enough(pooled->n, STATS_P50))
		out->sync_p50_us = hist_quantile_ns(pooled, 0.5) / 1000;
	if (stats_enough(pooled->n, STATS_P99))
		out->sync_p99_us = hist_quantile_ns(pooled, 0.99) / 1000;
}

static void
set_sync_latency(struct profile_sync *out, const struct stats_range r[STATS_COUNT],
	const struct hist *pooled)
{
	out->mean_us = r[STATS_MEAN].value;
	out->mean_lo_us = r[STATS_MEAN].lo;
	out->mean_hi_us = r[STATS_MEAN].hi;
	out->p50_us = r[STATS_P50].value;
	out->p50_lo_us = r[STATS_P50].lo;
	out->p50_hi_us = r[STATS_P50].hi;
	out->p99_us = r[STATS_P99].value;
	out->p99_lo_us = r[STATS_P99].lo;
	out->p99_hi_us = r[STATS_P99].hi;
	out->p999_us = r[STATS_P999].value;
	out->p999_lo_us = r[STATS_P999].lo;
	out->p999_hi_us = r[STATS_P999].hi;
	out->max_us = (double)pooled->max_ns / 1000;
	out->n = (double)pooled->n;
}

static int
add_sync(struct disk *d, struct profile *p, const struct cell *c, struct err *err)
{
	struct column k;
	struct stats_range r[STATS_COUNT];
	struct profile_sync out;
	int rc = column_of(c, ENGINE_WRITE, &k, err);
	if (rc)
		return rc;
	rc = stats_latency(k.lat, c->n, d->c->seed, r, k.pooled, err);
	if (rc == 0 && k.pooled->n > 0) {
		profile_sync_clear(&out);
		out.mode = c->mode;
		out.pattern = c->pattern;
		out.bs_b = (double)c->bs_b;
		out.writers = c->writers;
		rc = keep_slices(d, &k, c->n, &out.slice_syncs, &out.n_slice_syncs, err);
		struct stats_range rate = stats_median(k.rates, c->n);
		out.syncs_per_s = rate.value;
		out.syncs_lo = rate.lo;
		out.syncs_hi = rate.hi;
		set_sync_latency(&out, r, k.pooled);
		if (c->flushed > 0)
			out.flushes_per_sync = c->flushes / c->flushed;
		rc = rc ? rc
			: set_bins(d, k.pooled, &out.bins_us, &out.n_bins_us, &out.bins_n,
				  &out.n_bins_n, err);
		set_parts(&out, c, k.pooled);
		rc = rc ? rc : profile_add_sync(p, d->arena, &out, err);
	}
	column_free(&k);
	return rc;
}

static int
add_measurements(struct disk *d, struct profile *p, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < d->n_cells && rc == 0; i++) {
		const struct cell *c = &d->cells[i];
		if (c->n == 0 || c->group == CELL_COMPRESS)
			continue;
		if (c->group == CELL_COMMIT) {
			rc = add_sync(d, p, c, err);
			continue;
		}
		rc = c->read_frac > 0 ? add_side(d, p, c, ENGINE_READ, err) : 0;
		if (rc == 0 && c->read_frac < 1)
			rc = add_side(d, p, c, ENGINE_WRITE, err);
	}
	p->first_write = d->first_write;
	p->hold = d->hold;
	p->cache = d->cache;
	p->readahead = d->readahead;
	return rc;
}

/* Mean length of the kept slices. */
static double
mean_slice_s(const struct disk *d)
{
	double sum = 0;
	for (size_t i = 0; i < d->n_cells; i++)
		sum += d->cells[i].group == CELL_LAYOUT ? 0 : total_s(&d->cells[i]);
	return sum / (double)d->kept;
}

static int
add_method(struct disk *d, struct profile *p, struct err *err)
{
	struct profile_method *m = arena_alloc(d->arena, sizeof(*m));
	if (!m)
		return err_nomem(err);
	bool sim = d->engine->simulated;
	profile_method_clear(m);
	m->file_b = (double)d->area_b;
	m->seed = (double)d->c->seed;
	m->slice_s = d->kept ? mean_slice_s(d) : (double)NAN;
	m->duration_s = disk_used_s(d);
	m->bytes_written_b = (double)d->written_b;
	m->engine = d->engine->name;
	m->submit_chunk = LOAD_CHUNK;
	m->payload = "random, unique in every 512 bytes, stamped every 4 KiB";
	/* as used: what fell back to psync is repeated with psync */
	m->command = arena_printf(d->arena,
		"tierwise bench --engine %s --time %g --size %.0f --seed %llu%s%s%s%s%s%s",
		sim ? d->engine_spec : m->engine, d->c->time_s, m->file_b,
		(unsigned long long)d->c->seed, d->c->tests ? " --tests " : "",
		d->c->tests ? d->c->tests : "", d->c->polite ? " --polite" : "",
		d->c->buffered ? " --buffered" : "", sim ? "" : " ", sim ? "" : d->target.path);
	p->method = m;
	return m->command ? 0 : err_nomem(err);
}

static int
add_environment(struct disk *d, struct profile *p, struct err *err)
{
	struct profile_environment *e = arena_alloc(d->arena, sizeof(*e));
	if (!e)
		return err_nomem(err);
	profile_environment_clear(e);
	environment_read(&d->target, d->arena, e);
	e->cpu_awake = d->awake;
	p->environment = e;
	p->device = environment_device_kind(&d->target, e);
	return 0;
}

static const char *
profile_name(const struct disk *d)
{
	const char *dir = d->c->n_dirs ? d->c->dirs[d->index] : "sim";
	if (d->c->name)
		return d->c->name;
	if (d->engine->simulated)
		return dir;
	if (!d->target.has_device)
		return d->target.path;
	return arena_printf(d->arena, "%s on %s", d->target.path, d->target.chain.disk);
}

/* How busy this program was in the deepest cell of the ladder. */
static double
client_frac(const struct disk *d, enum engine_op op)
{
	const struct cell *deep = NULL;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		bool read = c->read_frac >= 1;
		if (c->group == CELL_LADDER && read == (op == ENGINE_READ) && c->wanted_n > 0 &&
			(!deep || c->qd > deep->qd))
			deep = c;
	}
	return deep ? deep->wanted_sum / deep->wanted_n : (double)NAN;
}

static int
add_knees(struct disk *d, struct profile *p, struct err *err)
{
	struct knees_seen seen = {.limits = d->evidence.limits};
	for (int op = 0; op < PROFILE_OP_COUNT; op++)
		seen.client_frac[op] = NAN;
	seen.client_frac[PROFILE_OP_RANDREAD] = client_frac(d, ENGINE_READ);
	seen.client_frac[PROFILE_OP_RANDWRITE] = client_frac(d, ENGINE_WRITE);
	return knees_fill(p, &seen, d->arena, err);
}

int
result_build(struct disk *d, struct profile *p, struct err *err)
{
	bool sim = d->engine->simulated;
	profile_clear(p);
	p->name = profile_name(d);
	p->family = d->c->family;
	p->sku = d->c->sku;
	p->trust = sim ? TRUST_ASSUMED : TRUST_MEASURED;
	p->source = sim ? "simulated disk, a stated law and no measurement" : NULL;
	p->tool = d->c->tool;
	p->started = d->started;
	if (d->started)
		p->as_of = arena_strndup(d->arena, d->started, 10);
	p->complete = 0;
	int rc = add_method(d, p, err);
	if (rc == 0 && !sim)
		rc = add_environment(d, p, err);
	if (rc == 0)
		rc = add_measurements(d, p, err);
	if (rc == 0)
		rc = sizefit_fill(p, d->arena, err);
	if (rc == 0)
		rc = add_knees(d, p, err);
	if (rc == 0)
		rc = judge(d, p, err);
	return rc;
}
