/*
 * demand_needs.c - what volumes and machines need, as tables; and the volumes as a workload document.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/demand_cells.h"
#include "cli/demand_doc.h"
#include "workload/need.h"
#include "workload/workload.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

static const char *const grade_text[] = {
	[NEED_GRADE_A] = "A",
	[NEED_GRADE_B] = "B",
	[NEED_GRADE_C] = "C",
	[NEED_GRADE_D] = "D",
};
_Static_assert(sizeof(grade_text) / sizeof(grade_text[0]) == NEED_GRADE_COUNT, "each grade");

/* Demand that was held back is at least what was seen. */
static const char *
at_least(const struct need_volume *v)
{
	return v->censored ? ">= " : "";
}

static void
need_row(struct doc *d, struct doc_table *t, const struct need_volume *v)
{
	char text[48];
	doc_row(d, t);
	demand_cell_name(d, t, v->series);
	doc_cell(d, t, 1, "%s", v->role < 0 ? "" : names_text(&workload_role_names, v->role));
	units_count_text(ceil(v->iops - 1e-6) + 0.0, text); /* + 0: never -0 */
	if (!isnan(v->iops))
		doc_cell(d, t, 2, "%s%s", at_least(v), text);
	doc_cell(d, t, 3, "%s", v->iops_from);
	if (!isnan(v->bytes_s)) {
		units_money_text(v->bytes_s / UNITS_MB, 1, text);
		doc_cell(d, t, 4, "%s%s", at_least(v), text);
	}
	if (!isnan(v->read_frac))
		doc_cell(d, t, 5, "%.0f", 100 * v->read_frac);
	demand_cell_fixed(d, t, 6, v->io_b / UNITS_KIB, 1);
	demand_cell_fixed(d, t, 7, 100 * v->iops_used_frac, 1);
	demand_cell_fixed(d, t, 8, 100 * v->bytes_used_frac, 1);
	doc_cell(d, t, 9, "%s", grade_text[v->grade]);
	doc_cell(d, t, 10, "%s%s", need_verdict_text[v->verdict],
		v->verdict == NEED_NOT_SHOWN && v->peak_unknown ? ": peak unknown" : "");
	if (v->n_censored)
		doc_cell(d, t, 11, "%zu of %zu", v->n_censored, v->stats.n);
	demand_cell_fixed(d, t, 12, v->credit_s / 3600, 2);
}

static void
volumes_table(struct doc *d, const struct needs *n)
{
	static const struct doc_column columns[] = {{"device", DOC_LEFT}, {"role", DOC_LEFT},
		{"IOPS", DOC_RIGHT}, {"which is", DOC_LEFT}, {"MB/s p99", DOC_RIGHT},
		{"reads %", DOC_RIGHT}, {"KiB", DOC_RIGHT}, {"of IOPS cap %", DOC_RIGHT},
		{"of MB/s cap %", DOC_RIGHT}, {"grade", DOC_LEFT}, {"verdict", DOC_LEFT},
		{"held back", DOC_RIGHT}, {"credits h", DOC_RIGHT}};
	if (n->n_volumes == 0)
		return;
	struct doc_table *t = doc_table(d,
		"Needs, with mix and size at the peak (grade A: seconds over a day or more, B: "
		"minutes over a week or more, C: coarser or shorter, D: one mean or a benchmark)",
		COLUMNS(columns));
	t->detail = 1u << 5 | 1u << 6 | 1u << 11 | 1u << 12;
	for (size_t i = 0; i < n->n_volumes; i++)
		need_row(d, t, &n->volumes[i]);
}

static void
pair_cell(struct doc *d, struct doc_table *t, size_t column, double iops, double bytes_s,
	int decimals)
{
	demand_cell_fixed(d, t, column, iops, 0);
	demand_cell_fixed(d, t, column + 1, bytes_s / UNITS_MB, decimals);
}

static void
machines_table(struct doc *d, const struct needs *n)
{
	static const struct doc_column columns[] = {{"machine", DOC_LEFT}, {"disks", DOC_RIGHT},
		{"IOPS p99", DOC_RIGHT}, {"MB/s p99", DOC_RIGHT}, {"max of sum", DOC_RIGHT},
		{"MB/s", DOC_RIGHT}, {"sum of max", DOC_RIGHT}, {"MB/s", DOC_RIGHT},
		{"coincidence", DOC_RIGHT}, {"of MB/s", DOC_RIGHT}, {"usable IOPS", DOC_RIGHT},
		{"MB/s", DOC_RIGHT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < n->n_machines; i++) {
		const struct need_machine *m = &n->machines[i];
		if (m->n_disks < 2 && isnan(n->options->vm_iops) && isnan(n->options->vm_bytes_s))
			continue;
		if (!t)
			t = doc_table(d,
				"Disks of a machine together: the need is the highest sum at one "
				"time, "
				"not the sum of the highest",
				COLUMNS(columns));
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", m->host ? m->host : "machine");
		doc_cell(d, t, 1, "%zu", m->n_disks);
		if (m->aligned) {
			pair_cell(d, t, 2, m->sum.iops.p99, m->sum.bytes_s.p99, 1);
			pair_cell(d, t, 4, m->sum.iops.max, m->sum.bytes_s.max, 1);
			demand_cell_fixed(d, t, 8, m->coincidence_iops, 3);
			demand_cell_fixed(d, t, 9, m->coincidence_bytes, 3);
		}
		pair_cell(d, t, 6, m->sum_of_max_iops, m->sum_of_max_bytes_s, 1);
		pair_cell(d, t, 10, m->usable_iops, m->usable_bytes_s, 1);
	}
}

static void
pairs_table(struct doc *d, const struct needs *n)
{
	static const struct doc_column columns[] = {{"volume", DOC_LEFT}, {"and", DOC_LEFT},
		{"r of IOPS", DOC_RIGHT}, {"n", DOC_RIGHT}, {"so", DOC_LEFT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < n->n_pairs; i++) {
		const struct need_pair *p = &n->pairs[i];
		if (!t)
			t = doc_table(
				d, "Which volumes peak together (Pearson's r)", COLUMNS(columns));
		doc_row(d, t);
		demand_cell_name(d, t, p->a->series);
		doc_cell(d, t, 1, "%s", p->b->series->device);
		doc_cell(d, t, 2, "%.3f", p->r);
		doc_cell(d, t, 3, "%zu", p->n);
		doc_cell(d, t, 4, "%s",
			p->r >= 0.7   ? "a shared cap matters"
			: p->r <= 0.3 ? "caps can be pooled"
				      : "between");
	}
}

static void
caches_table(struct doc *d, const struct needs *n)
{
	static const struct doc_column columns[] = {{"asked by", DOC_LEFT}, {"disk", DOC_LEFT},
		{"reads/s asked", DOC_RIGHT}, {"reads/s at the disk", DOC_RIGHT},
		{"answered %", DOC_RIGHT}, {"intervals", DOC_RIGHT}, {"trust", DOC_LEFT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < n->n_caches; i++) {
		const struct need_cache *c = &n->caches[i];
		if (!t)
			t = doc_table(
				d, "Reads that a cache of the host answered", COLUMNS(columns));
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", c->subject);
		doc_cell(d, t, 1, "%s", c->disk);
		demand_cell_fixed(d, t, 2, c->asked_iops, 1);
		demand_cell_fixed(d, t, 3, c->disk_iops, 1);
		if (!isnan(c->hit_frac))
			doc_cell(d, t, 4, "%s%.1f", c->at_least ? ">= " : "", 100 * c->hit_frac);
		doc_cell(d, t, 5, "%zu", c->n);
		doc_cell(d, t, 6, "derived: a difference of two logs");
	}
}

void
demand_doc_needs(struct doc *d, const struct needs *n)
{
	if (n->n_volumes == 0 && n->n_caches == 0)
		return;
	doc_heading(d, 2, "Needs");
	volumes_table(d, n);
	machines_table(d, n);
	pairs_table(d, n);
	caches_table(d, n);
}

/* Two decimals are more than any of these figures holds. */
static double
rounded(double v)
{
	return ceil(v * 100 - 1e-6) / 100;
}

/* Operations are whole, and never -0. */
static double
whole(double v)
{
	double up = ceil(v - 1e-6);
	return up > 0 ? up : 0;
}

/* Rates of a volume, from its need: what goes beyond IOPS x size is throughput. */
static void
fill_rates(struct workload_volume *to, const struct need_volume *v)
{
	double factor = v->censored ? NEED_CENSORED_FACTOR : 1;
	double reads = isnan(v->read_frac) ? v->read_bytes_frac : v->read_frac;
	double writes = 1 - reads, rest = v->bytes_s;
	if (v->stats.reads_only || v->stats.writes_only)
		reads = v->stats.reads_only;
	if (v->stats.reads_only || v->stats.writes_only)
		writes = v->stats.writes_only;
	if (!isnan(v->iops) && !isnan(reads)) {
		double left = v->behind_cache ? 1 - v->cache_hit_frac : 1;
		to->read_iops = whole(v->iops * factor * reads / left);
		to->write_iops = whole(v->iops * factor * writes);
		to->io_kib = fmin(65536, fmax(0.5, rounded(v->io_b / UNITS_KIB)));
		rest -= isnan(v->io_b) ? 0 : v->iops * v->io_b;
	}
	double by_bytes = isnan(v->read_bytes_frac) ? reads : v->read_bytes_frac;
	/* less than a percent is rounding, not another kind of load */
	if (rest > 0.01 * v->bytes_s && !isnan(by_bytes)) {
		to->read_mbps = rounded(rest * factor * by_bytes / UNITS_MB);
		to->write_mbps = rounded(rest * factor * (1 - by_bytes) / UNITS_MB);
	}
}

/* "1,000 IOPS, rate while active of vda (83.3 at most over 60 s), held back: x 1.3" */
static const char *
rates_text(struct arena *a, const struct need_volume *v)
{
	char iops[32], mean[32], step[40];
	const char *beside = "";
	units_count_text(v->iops, iops);
	series_resolution_text(v->stats.resolution_s, step);
	units_count_text(v->stats.iops.max, mean);
	if (v->stats.active_iops > v->stats.iops.max)
		beside = arena_printf(a, " (at most %s as a mean over %s)", mean, step);
	return arena_printf(a, "%s IOPS, %s of %s%s%s", iops, v->iops_from, v->series->device,
		beside ? beside : "",
		v->censored ? "; a cap held it back, so that is a lower bound, taken times 1.3"
			    : "");
}

int
demand_workload(struct arena *a, const struct needs *n, const struct demand_options *o,
	struct workload *w, struct err *err)
{
	struct buf note;
	schema_clear(&workload_schema, w);
	w->name = o->system;
	w->provider = o->provider;
	w->region = o->region;
	w->engine = o->engine;
	w->volumes = arena_array(a, n->n_volumes, sizeof(*w->volumes));
	if (!w->volumes)
		return err_nomem(err);
	buf_init(&note, 4096);
	buf_put(&note, "Rates by tierwise demand:");
	for (size_t i = 0; i < n->n_volumes; i++) {
		const struct need_volume *v = &n->volumes[i];
		if (v->role < 0)
			continue;
		struct workload_volume *to = &w->volumes[w->n_volumes++];
		schema_clear(workload_volume_schema, to);
		to->role = v->role;
		to->name = v->series->device;
		to->capacity_gib = v->capacity_gib;
		fill_rates(to, v);
		to->cache_hit_frac = v->cache_hit_frac;
		to->evidence = rates_text(a, v);
		if (!to->evidence) {
			buf_fini(&note);
			return err_nomem(err);
		}
		buf_printf(&note, "%s %s is %s of %s (%s)%s", w->n_volumes > 1 ? ";" : "",
			names_text(&workload_role_names, v->role), v->iops_from, v->series->device,
			v->series->source ? v->series->source : "?",
			v->censored ? ", held back: x 1.3 assumed" : "");
		if (v->behind_cache)
			buf_printf(&note, ", reads / %.3f: before the host's cache",
				1 - v->cache_hit_frac);
	}
	w->note = arena_strdup(a, buf_text(&note));
	buf_fini(&note);
	return w->note ? 0 : err_nomem(err);
}

/* One warning of all that recommend will ask for, as options to add to the same command. */
void
demand_say_missing(const struct workload *w, struct findings *f)
{
	const struct {
		const char *option;
		bool there;
	} rows[] = {{"--system NAME", w->name}, {"--provider NAME", w->provider},
		{"--region NAME", w->region}, {"--engine NAME", w->engine >= 0}};
	struct buf add;
	buf_init(&add, 16384);
	for (size_t i = 0; i < w->n_volumes; i++) {
		if (isnan(w->volumes[i].capacity_gib))
			buf_printf(&add, " --capacity %s=GIB", w->volumes[i].name);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].there)
			buf_printf(&add, " %s", rows[i].option);
	}
	if (add.len)
		findings_add(f, SEVERITY_WARNING, "workload-incomplete",
			"add them here, or fill them in by hand (tierwise schema workload)",
			"recommend needs more of the workload document than was measured:%s",
			buf_text(&add));
	buf_fini(&add);
}
