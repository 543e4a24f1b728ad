/*
 * need_machine.c - the disks of one machine share its caps: the need is the highest sum, not the sum of the highest.
 * Sums are over intervals that end at the same time, of the longest step among them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/need_parts.h"

/* Sums on one grid of time, of which only the bins that a sample ends in are kept. */
struct grid {
	double step_s, first_s; /* bin i ends at first_s + number[i] step_s */
	double *number; /* ascending; NULL without times: bin i is sample i */
	size_t n;
	double *iops, *bytes_s; /* sums over disks */
	double **own; /* IOPS of each disk */
};

struct group {
	const char *host;
	struct need_volume **disks;
	size_t n;
};

static bool
timed(const struct group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct evidence_series *s = g->disks[i]->series;
		for (size_t k = 0; k < s->n_samples; k++) {
			if (isnan(s->samples[k].end_s))
				return false;
		}
	}
	return true;
}

/* Without times the reports of one file stand beside each other. */
static bool
same_reports(const struct group *g)
{
	const struct evidence_series *a = g->disks[0]->series;
	for (size_t i = 1; i < g->n; i++) {
		const struct evidence_series *b = g->disks[i]->series;
		if (b->n_samples != a->n_samples || !need_same_host(a->file, b->file))
			return false;
	}
	return true;
}

static int
alloc_grid(struct grid *g, const struct group *of, struct arena *a, struct err *err)
{
	g->iops = arena_array(a, g->n, sizeof(double));
	g->bytes_s = arena_array(a, g->n, sizeof(double));
	g->own = arena_array(a, of->n, sizeof(double *));
	if (!g->iops || !g->bytes_s || !g->own)
		return err_nomem(err);
	for (size_t i = 0; i < of->n; i++) {
		g->own[i] = arena_array(a, g->n, sizeof(double));
		if (!g->own[i])
			return err_nomem(err);
	}
	return 0;
}

/* Number of the bin that a sample ends in; of samples without a step, each moment is one. */
static double
bin_of(const struct grid *g, const struct evidence_sample *x)
{
	double t = x->end_s - g->first_s;
	return g->step_s > 0 ? floor(t / g->step_s + 0.5) : t;
}

/* Mean of a disk over each bin: the samples that end in it.  Samples and bins ascend. */
static void
fill(struct grid *g, const struct evidence_series *s, double *iops, double *bytes, double *n)
{
	size_t b = 0;
	for (size_t i = 0; i < g->n; i++)
		iops[i] = bytes[i] = n[i] = 0;
	for (size_t k = 0; k < s->n_samples; k++) {
		if (!g->number)
			b = k;
		while (g->number && b < g->n && g->number[b] < bin_of(g, &s->samples[k]))
			b++;
		if (b >= g->n)
			break;
		iops[b] += series_iops(&s->samples[k]);
		bytes[b] += series_bytes_s(&s->samples[k]);
		n[b]++;
	}
	for (size_t i = 0; i < g->n; i++) {
		iops[i] = n[i] > 0 ? iops[i] / n[i] : (double)NAN;
		bytes[i] = n[i] > 0 ? bytes[i] / n[i] : (double)NAN;
	}
}

/* The bins of a series into those that are there. */
static int
add_bins(struct grid *g, const struct evidence_series *s, struct arena *a, struct err *err)
{
	double *all = arena_array(a, g->n + s->n_samples, sizeof(*all));
	size_t i = 0, k = 0, n = 0;
	if (!all)
		return err_nomem(err);
	while (i < g->n || k < s->n_samples) {
		double old = i < g->n ? g->number[i] : (double)INFINITY;
		double new = k < s->n_samples ? bin_of(g, &s->samples[k]) : (double)INFINITY;
		double next = fmin(old, new);
		if (n == 0 || next > all[n - 1])
			all[n++] = next;
		i += i < g->n && old <= next;
		k += k < s->n_samples && new <= next;
	}
	g->number = all;
	g->n = n;
	return 0;
}

static int
plan_grid(struct grid *g, const struct group *of, struct arena *a, struct err *err)
{
	*g = (struct grid){.first_s = INFINITY};
	for (size_t i = 0; i < of->n; i++) {
		g->step_s = fmax(g->step_s, of->disks[i]->stats.resolution_s);
		g->first_s = fmin(g->first_s, of->disks[i]->series->samples[0].end_s);
	}
	int rc = 0;
	for (size_t i = 0; i < of->n && rc == 0; i++)
		rc = add_bins(g, of->disks[i]->series, a, err);
	return rc;
}

static int
sum_up(struct grid *g, const struct group *of, struct arena *a, bool by_time, struct err *err)
{
	int rc = 0;
	if (by_time)
		rc = plan_grid(g, of, a, err);
	else
		*g = (struct grid){.n = of->disks[0]->series->n_samples};
	if (rc == 0)
		rc = alloc_grid(g, of, a, err);
	double *bytes = arena_array(a, g->n, sizeof(*bytes));
	double *n = arena_array(a, g->n, sizeof(*n));
	if (rc || !bytes || !n)
		return rc ? rc : err_nomem(err);
	for (size_t i = 0; i < of->n; i++) {
		fill(g, of->disks[i]->series, g->own[i], bytes, n);
		for (size_t k = 0; k < g->n; k++) {
			g->iops[k] += g->own[i][k];
			g->bytes_s[k] += bytes[k];
		}
	}
	return 0;
}

/* Statistics of the bins in which every disk is known. */
static int
sum_stats(const struct grid *g, struct arena *a, struct need_machine *m, struct err *err)
{
	struct evidence_series sum = {.resolution_s = g->step_s > 0 ? g->step_s : (double)NAN};
	sum.samples = arena_array(a, g->n, sizeof(*sum.samples));
	if (!sum.samples)
		return err_nomem(err);
	for (size_t i = 0; i < g->n; i++) {
		if (isnan(g->iops[i]) && isnan(g->bytes_s[i]))
			continue;
		struct evidence_sample *x = &sum.samples[sum.n_samples++];
		*x = evidence_unknown_sample;
		x->any_iops = g->iops[i];
		x->any_bytes_s = g->bytes_s[i];
		if (g->step_s > 0 && g->number) {
			x->end_s = g->first_s + g->number[i] * g->step_s;
			x->dt_s = g->step_s;
		}
	}
	return series_stats(&sum, a, &m->sum, err);
}

static double
pearson(const double *x, const double *y, size_t n, size_t *used)
{
	double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, k = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]) || isnan(y[i]))
			continue;
		sx += x[i];
		sy += y[i];
		k++;
	}
	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]) || isnan(y[i]))
			continue;
		double dx = x[i] - sx / k, dy = y[i] - sy / k;
		sxx += dx * dx;
		syy += dy * dy;
		sxy += dx * dy;
	}
	*used = (size_t)k;
	return sxx > 0 && syy > 0 ? sxy / sqrt(sxx * syy) : (double)NAN;
}

static bool
same_traffic(const struct need_volume *a, const struct need_volume *b, double r)
{
	double ratio = a->stats.bytes_s.mean / b->stats.bytes_s.mean;
	return r > 0.999 && fabs(ratio - 1) < 0.01 && a->stats.n >= 10;
}

static int
add_pairs(struct evidence *e, struct needs *n, const struct group *of, const struct grid *g,
	struct err *err)
{
	for (size_t i = 0; i < of->n; i++) {
		for (size_t k = i + 1; k < of->n; k++) {
			struct need_pair p = {of->disks[i], of->disks[k], NAN, 0};
			p.r = pearson(g->own[i], g->own[k], g->n, &p.n);
			struct need_pair *all = isnan(p.r) || p.n < 10 || n->n_pairs >= 200
							? n->pairs
							: arena_grow(e->arena, n->pairs, n->n_pairs,
								  sizeof(*all));
			if (all == n->pairs && (isnan(p.r) || p.n < 10 || n->n_pairs >= 200))
				continue;
			if (!all)
				return err_nomem(err);
			n->pairs = all;
			n->pairs[n->n_pairs++] = p;
			if (same_traffic(p.a, p.b, p.r))
				findings_add(&e->findings, SEVERITY_WARNING, "same-traffic",
					"leave one out of the sum: give --role for the others",
					"%s and %s move the same bytes at the same times: one may "
					"carry the other",
					need_name(e->arena, p.a->series),
					need_name(e->arena, p.b->series));
		}
	}
	return 0;
}

static void
add_bounds(const struct group *g, struct need_machine *m)
{
	m->bought_iops = m->bought_bytes_s = 0;
	for (size_t i = 0; i < g->n; i++) {
		m->sum_of_max_iops += g->disks[i]->stats.iops.max;
		m->sum_of_max_bytes_s += g->disks[i]->stats.bytes_s.max;
		m->bought_iops += g->disks[i]->cap.iops;
		m->bought_bytes_s += g->disks[i]->cap.bytes_s;
	}
}

/* What of the bought rate the machine lets through. */
static void
say_usable(struct evidence *e, const struct need_machine *m, const char *what, double bought,
	double vm, const char *unit)
{
	if (isnan(bought) || isnan(vm) || bought <= vm)
		return;
	findings_add(&e->findings, SEVERITY_WARNING, "machine-cap",
		"take a larger machine, fewer or smaller disks, or a backup that is throttled or "
		"elsewhere; more or larger disks gain nothing",
		"%s: %zu disks are sold with %.0f %s together, the machine lets %.0f through "
		"uncached: usable is %.0f of %.0f (%.0f %%), %.0f %s are bought and not reachable; "
		"the bottleneck is the machine's uncached %s",
		m->host ? m->host : "machine", m->n_disks, bought, unit, vm, vm, bought,
		100 * vm / bought, bought - vm, unit, what);
}

static void
say_load(struct evidence *e, const struct need_machine *m, const struct need_options *o)
{
	double iops = m->sum.iops.p99 / o->vm_iops, bytes = m->sum.bytes_s.p99 / o->vm_bytes_s;
	bool by_iops = isnan(bytes) || iops >= bytes;
	double used = by_iops ? iops : bytes;
	if (isnan(used))
		return;
	findings_add(&e->findings, used >= 0.95 ? SEVERITY_WARNING : SEVERITY_NOTE,
		used >= 0.95 ? "machine-full" : "machine-use",
		used >= 0.95
			? "a larger machine, or host cache for what is read; larger disks do not "
			  "help"
			: NULL,
		"%s: the disks together use %.1f %% of the machine's uncached %s (p99 of the "
		"time-aligned sum)",
		m->host ? m->host : "machine", 100 * used, by_iops ? "IOPS" : "MB/s");
}

static void
say_copy(struct evidence *e, const struct need_machine *m, const struct need_options *o)
{
	double vm = o->vm_bytes_s, bytes = o->copy_bytes;
	if (isnan(bytes) || isnan(vm))
		return;
	findings_add(&e->findings, SEVERITY_WARNING, "copy-window",
		"throttle it, write it to another machine, or take a larger one; look at the p99 "
		"of "
		"log writes in the window",
		"%s: a copy of %.0f MB from disk to disk is read and written through the same %.0f "
		"MB/s: at most %.0f MB/s, %.0f s = %.2f h, with nothing left for users, and log "
		"writes "
		"at risk; to a target over the network %.0f MB/s, %.2f h",
		m->host ? m->host : "machine", bytes / UNITS_MB, vm / UNITS_MB, vm / 2 / UNITS_MB,
		bytes / (vm / 2), bytes / (vm / 2) / 3600, vm / UNITS_MB, bytes / vm / 3600);
}

static int
look_at_group(struct evidence *e, struct needs *n, const struct group *g, struct err *err)
{
	const struct need_options *o = n->options;
	struct need_machine *all = arena_grow(e->arena, n->machines, n->n_machines, sizeof(*all));
	struct grid grid;
	int rc = 0;
	if (!all)
		return err_nomem(err);
	n->machines = all;
	struct need_machine *m = &all[n->n_machines++];
	*m = (struct need_machine){.host = g->host, .n_disks = g->n};
	m->coincidence_iops = m->coincidence_bytes = NAN;
	add_bounds(g, m);
	bool by_time = timed(g);
	m->aligned = by_time || same_reports(g);
	if (m->aligned) {
		rc = sum_up(&grid, g, e->arena, by_time, err);
		if (rc == 0)
			rc = sum_stats(&grid, e->arena, m, err);
		if (rc == 0 && g->n > 1)
			rc = add_pairs(e, n, g, &grid, err);
		m->coincidence_iops = m->sum.iops.max / m->sum_of_max_iops;
		m->coincidence_bytes = m->sum.bytes_s.max / m->sum_of_max_bytes_s;
	}
	m->usable_iops = fmin(m->bought_iops, o->vm_iops);
	m->usable_bytes_s = fmin(m->bought_bytes_s, o->vm_bytes_s);
	if (rc)
		return rc;
	say_usable(e, m, "IOPS", m->bought_iops, o->vm_iops, "IOPS");
	say_usable(e, m, "MB/s", m->bought_bytes_s / UNITS_MB, o->vm_bytes_s / UNITS_MB, "MB/s");
	if (m->aligned)
		say_load(e, m, o);
	say_copy(e, m, o);
	return 0;
}

static bool
is_summed(const struct need_volume *v)
{
	return v->series->scope == EVIDENCE_DISK;
}

int
need_look_at_machines(struct evidence *e, struct needs *n, struct err *err)
{
	for (size_t i = 0; i < n->n_volumes; i++) {
		const char *host = n->volumes[i].series->host;
		struct group g = {.host = host};
		g.disks = arena_array(e->arena, n->n_volumes, sizeof(struct need_volume *));
		if (!g.disks)
			return err_nomem(err);
		bool first = is_summed(&n->volumes[i]);
		for (size_t k = 0; k < n->n_volumes; k++) {
			if (!is_summed(&n->volumes[k]) ||
				!need_same_host(n->volumes[k].series->host, host))
				continue;
			first = first && k >= i;
			g.disks[g.n++] = &n->volumes[k];
		}
		int rc = first && g.n ? look_at_group(e, n, &g, err) : 0;
		if (rc)
			return rc;
	}
	return 0;
}
