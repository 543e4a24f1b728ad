/*
 * model_loads.c - tables of a model beside its curves: commits of several writers, one flush against
 * its bytes, mixes, arrivals by a schedule.
 */
#include <math.h>

#include "base/units.h"
#include "cli/model_doc.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

static const char *
size_text(struct doc *d, double bs_b)
{
	char text[32];
	units_size_text(bs_b, text);
	return arena_strdup(d->arena, text);
}

static const char *
latency_text(struct doc *d, double us)
{
	char text[32];
	units_latency_text(us, text);
	return isnan(us) ? "-" : arena_strdup(d->arena, text);
}

static const char *
count_text(struct doc *d, double v)
{
	char text[32];
	units_count_text(v < 100 ? v : round(v), text);
	return isnan(v) ? "-" : arena_strdup(d->arena, text);
}

/* "1,240 (1,190 to 1,300)" */
static const char *
range_text(struct doc *d, double v, double lo, double hi)
{
	if (isnan(lo) || isnan(hi))
		return count_text(d, v);
	return arena_printf(
		d->arena, "%s (%s to %s)", count_text(d, v), count_text(d, lo), count_text(d, hi));
}

static double
at(const double *v, size_t n, size_t i)
{
	return i < n ? v[i] : (double)NAN;
}

static const char *
pattern_text(int pattern)
{
	return pattern < 0 ? "-" : names_text(&profile_pattern_names, pattern);
}

static void
put_commit(struct doc *d, struct doc_table *t, const struct model_commit *c)
{
	for (size_t i = 0; i < c->n_writers; i++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&profile_sync_mode_names, c->mode));
		doc_cell(d, t, 1, "%s", pattern_text(c->pattern));
		doc_cell(d, t, 2, "%s", size_text(d, c->bs_b));
		doc_cell(d, t, 3, "%g", c->writers[i]);
		doc_cell(d, t, 4, "%s",
			range_text(d, at(c->syncs_per_s, c->n_syncs_per_s, i),
				at(c->syncs_lo, c->n_syncs_lo, i),
				at(c->syncs_hi, c->n_syncs_hi, i)));
		doc_cell(d, t, 5, "%s", latency_text(d, at(c->mean_us, c->n_mean_us, i)));
		doc_cell(d, t, 6, "%s", latency_text(d, at(c->p99_us, c->n_p99_us, i)));
		double closed = 1e6 * c->writers[i] / c->flush_us; /* all at once */
		doc_cell(d, t, 7, "%s",
			count_text(d, at(c->syncs_per_s, c->n_syncs_per_s, i) / closed * 100));
	}
}

static void
put_flushes(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Sync", DOC_LEFT}, {"Pattern", DOC_LEFT},
		{"Empty flush", DOC_RIGHT}, {"Bytes (MiB/s)", DOC_RIGHT}, {"Sizes", DOC_RIGHT},
		{"Trust", DOC_LEFT}};
	if (m->n_flushes == 0)
		return;
	struct doc_table *t = doc_table(
		d, "One flush against its bytes: F = F0 + bytes / B", COLUMNS(columns));
	for (size_t i = 0; i < m->n_flushes; i++) {
		const struct model_flush *f = &m->flushes[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&profile_sync_mode_names, f->mode));
		doc_cell(d, t, 1, "%s", pattern_text(f->pattern));
		doc_cell(d, t, 2, "%s", latency_text(d, f->f0_us));
		doc_cell(
			d, t, 3, "%s", isnan(f->b_mibps) ? "no longer" : count_text(d, f->b_mibps));
		doc_cell(d, t, 4, "%zu", f->n_bs_b);
		doc_cell(d, t, 5, "%s", names_text(&trust_names, f->trust));
	}
}

void
model_doc_commits(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Sync", DOC_LEFT}, {"Pattern", DOC_LEFT},
		{"Block", DOC_RIGHT}, {"Writers", DOC_RIGHT}, {"Commits a second", DOC_RIGHT},
		{"Mean", DOC_RIGHT}, {"p99", DOC_RIGHT}, {"Of all at once (%)", DOC_RIGHT}};
	if (m->n_commits > 0) {
		struct doc_table *t = doc_table(d,
			"Commits of several writers, 95 % intervals in brackets", COLUMNS(columns));
		for (size_t i = 0; i < m->n_commits; i++)
			put_commit(d, t, &m->commits[i]);
	}
	put_flushes(d, m);
}

void
model_doc_mixes(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Block", DOC_RIGHT}, {"Reads (%)", DOC_RIGHT},
		{"QD", DOC_RIGHT}, {"IOPS together", DOC_RIGHT}, {"Exponent a", DOC_RIGHT},
		{"Of the harmonic mix (%)", DOC_RIGHT}, {"Trust", DOC_LEFT}};
	if (m->n_mixes == 0)
		return;
	struct doc_table *t = doc_table(d,
		"Reads and writes at once: (r/R0)^a + (w/W0)^a = 1; a = 1 is one shared budget",
		COLUMNS(columns));
	for (size_t k = 0; k < m->n_mixes; k++) {
		const struct model_mix *x = &m->mixes[k];
		for (size_t i = 0; i < x->n_read_frac; i++) {
			doc_row(d, t);
			doc_cell(d, t, 0, "%s", size_text(d, x->bs_b));
			doc_cell(d, t, 1, "%.0f", 100 * x->read_frac[i]);
			doc_cell(d, t, 2, "%g", at(x->qd, x->n_qd, i));
			doc_cell(d, t, 3, "%s",
				range_text(d, at(x->iops, x->n_iops, i),
					at(x->iops_lo, x->n_iops_lo, i),
					at(x->iops_hi, x->n_iops_hi, i)));
			doc_cell(d, t, 4, "%s",
				isnan(x->a) ? "-" : arena_printf(d->arena, "%.2f", x->a));
			doc_cell(d, t, 5, "%s", count_text(d, 100 * x->harmonic_frac));
			doc_cell(d, t, 6, "%s", names_text(&trust_names, x->trust));
		}
	}
}

void
model_doc_loads(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Operation", DOC_LEFT}, {"Block", DOC_RIGHT},
		{"Arrivals a second", DOC_RIGHT}, {"Mean", DOC_RIGHT}, {"p99", DOC_RIGHT},
		{"Over the curve", DOC_RIGHT}};
	if (m->n_loads == 0)
		return;
	struct doc_table *t = doc_table(
		d, "Arrivals by a schedule, beside the curve over depth", COLUMNS(columns));
	for (size_t k = 0; k < m->n_loads; k++) {
		const struct model_load *l = &m->loads[k];
		for (size_t i = 0; i < l->n_rate_iops; i++) {
			double over = at(l->over_curve, l->n_over_curve, i);
			doc_row(d, t);
			doc_cell(d, t, 0, "%s", names_text(&profile_op_names, l->op));
			doc_cell(d, t, 1, "%s", size_text(d, l->bs_b));
			doc_cell(d, t, 2, "%s", count_text(d, l->rate_iops[i]));
			doc_cell(d, t, 3, "%s", latency_text(d, at(l->mean_us, l->n_mean_us, i)));
			doc_cell(d, t, 4, "%s", latency_text(d, at(l->p99_us, l->n_p99_us, i)));
			doc_cell(d, t, 5, "%s",
				isnan(over) ? "-" : arena_printf(d->arena, "x %.2f", over));
		}
	}
}
