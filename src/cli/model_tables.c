/*
 * model_tables.c - the numbers of a fitted model as tables.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "cli/model_parts.h"

enum { SHORT = 64 };

/* "68.2 us" or "68.2 us (66.1 us to 70.3 us)" */
static void
put_latency(struct doc *d, struct doc_table *t, size_t column, const double v[3])
{
	char value[32], lo[32], hi[32];
	units_latency_text(v[0], value);
	units_latency_text(v[1], lo);
	units_latency_text(v[2], hi);
	if (isnan(v[0]))
		doc_cell(d, t, column, "-");
	else if (isnan(v[1]) || isnan(v[2]))
		doc_cell(d, t, column, "%s", value);
	else
		doc_cell(d, t, column, "%s (%s to %s)", value, lo, hi);
}

static void
put_rate(struct doc *d, struct doc_table *t, size_t column, const char *prefix, const double v[3])
{
	char value[32], lo[32], hi[32];
	units_count_text(v[0], value);
	units_count_text(v[1], lo);
	units_count_text(v[2], hi);
	if (isnan(v[0]))
		doc_cell(d, t, column, "unknown");
	else if (isnan(v[1]) || isnan(v[2]))
		doc_cell(d, t, column, "%s%s", prefix, value);
	else
		doc_cell(d, t, column, "%s%s (%s to %s)", prefix, value, lo, hi);
}

static void
put_number(struct doc *d, struct doc_table *t, size_t column, const char *fmt, double v)
{
	char text[SHORT];
	if (isnan(v)) {
		doc_cell(d, t, column, "-");
		return;
	}
	if (fmt)
		snprintf(text, sizeof(text), "%.2f", v);
	else
		units_count_text(v, text);
	doc_cell(d, t, column, "%s%s", text, fmt ? fmt : "");
}

static void
put_curve(struct doc *d, struct doc_table *t, const struct model_curve *c)
{
	char size[32];
	units_size_text(c->bs_b, size);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", names_text(&profile_op_names, c->op));
	doc_cell(d, t, 1, "%s", size);
	doc_cell(d, t, 2, "%s",
		isnan(c->l1_us) ? "rate only" : names_text(&model_form_names, c->form));
	put_latency(d, t, 3, (double[]){c->l1_us, c->l1_lo_us, c->l1_hi_us});
	if (c->form == MODEL_FORM_POWER)
		doc_cell(d, t, 4, "q^%.2f", c->g);
	else
		put_latency(d, t, 4, (double[]){c->c_us, c->c_lo_us, c->c_hi_us});
	if (!c->wall_reached)
		put_rate(d, t, 5, "not reached, above ",
			(double[]){c->x_inf_iops, (double)NAN, (double)NAN});
	else
		put_rate(d, t, 5, "", (double[]){c->wall_iops, c->wall_lo_iops, c->wall_hi_iops});
	put_rate(d, t, 6, "",
		(double[]){
			c->wall_reached ? c->x_inf_iops : (double)NAN, (double)NAN, (double)NAN});
	put_number(d, t, 7, NULL, c->wall_reached ? c->knee_qd : (double)NAN);
	put_number(d, t, 8, NULL, c->efficient_qd);
	put_number(d, t, 9, " %", 100 * c->residual_frac);
	doc_cell(d, t, 10, "%.0f", c->n_points);
	doc_cell(d, t, 11, "%s", names_text(&trust_names, c->trust));
}

void
model_put_numbers(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Operation", DOC_LEFT}, {"Block", DOC_RIGHT},
		{"Form", DOC_LEFT}, {"Light latency L1", DOC_RIGHT}, {"Slope c", DOC_RIGHT},
		{"Wall C (IOPS)", DOC_RIGHT}, {"X_inf (IOPS)", DOC_RIGHT}, {"Knee QD", DOC_RIGHT},
		{"QD at 1.5 L1", DOC_RIGHT}, {"Residual", DOC_RIGHT}, {"Points", DOC_RIGHT},
		{"Trust", DOC_LEFT}};
	if (m->n_curves == 0)
		return;
	struct doc_table *t = doc_table(d,
		"Latency against depth, 95 % intervals in brackets; X_inf is what saturation gives",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < m->n_curves; i++)
		put_curve(d, t, &m->curves[i]);
}

void
model_put_size_numbers(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Operation", DOC_LEFT}, {"QD", DOC_RIGHT},
		{"p", DOC_RIGHT}, {"I0 (IOPS)", DOC_RIGHT}, {"B (MiB/s)", DOC_RIGHT},
		{"Command a", DOC_RIGHT}, {"Per KiB b", DOC_RIGHT}, {"Knee", DOC_RIGHT},
		{"Largest error", DOC_RIGHT}, {"Sizes", DOC_RIGHT}, {"Trust", DOC_LEFT}};
	if (m->n_sizes == 0)
		return;
	struct doc_table *t = doc_table(d,
		"IOPS against block size: (I0^-p + (B/bs)^-p)^(-1/p); p = 1 is time = a + b bs, "
		"\"lesser\" two quotas",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < m->n_sizes; i++) {
		const struct model_size *s = &m->sizes[i];
		char knee[32];
		units_size_text(s->knee_b, knee);
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&profile_op_names, s->op));
		doc_cell(d, t, 1, "%g", s->qd);
		if (isnan(s->p))
			doc_cell(d, t, 2, "lesser");
		else
			doc_cell(d, t, 2, "%g", s->p);
		put_rate(d, t, 3, "", (double[]){s->i0_iops, s->i0_lo_iops, s->i0_hi_iops});
		put_rate(d, t, 4, "", (double[]){s->b_mibps, s->b_lo_mibps, s->b_hi_mibps});
		put_number(d, t, 5, " us", s->a_us);
		if (isnan(s->b_us_per_kib))
			doc_cell(d, t, 6, "-");
		else
			doc_cell(d, t, 6, "%.3f us", s->b_us_per_kib);
		doc_cell(d, t, 7, "%s", knee);
		put_number(d, t, 8, " %", 100 * s->max_error_frac);
		doc_cell(d, t, 9, "%zu", s->n_bs_b);
		doc_cell(d, t, 10, "%s", names_text(&trust_names, s->trust));
	}
}

void
model_put_syncs(struct doc *d, const struct disk_model *m)
{
	static const struct doc_column columns[] = {{"Sync", DOC_LEFT}, {"Pattern", DOC_LEFT},
		{"Block", DOC_RIGHT}, {"Writers", DOC_RIGHT}, {"Mean", DOC_RIGHT},
		{"p50", DOC_RIGHT}, {"p99", DOC_RIGHT}, {"p99.9", DOC_RIGHT}, {"Trust", DOC_LEFT}};
	const double no = (double)NAN;
	if (m->n_syncs == 0)
		return;
	struct doc_table *t = doc_table(d, "Durable writes: write and sync together", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		char size[32];
		units_size_text(s->bs_b, size);
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&profile_sync_mode_names, s->mode));
		doc_cell(d, t, 1, "%s",
			s->pattern < 0 ? "-" : names_text(&profile_pattern_names, s->pattern));
		doc_cell(d, t, 2, "%s", isnan(s->bs_b) ? "unknown" : size);
		doc_cell(d, t, 3, "%g", s->writers);
		put_latency(d, t, 4, (double[]){s->mean_us, s->mean_lo_us, s->mean_hi_us});
		put_latency(d, t, 5, (double[]){s->p50_us, no, no});
		put_latency(d, t, 6, (double[]){s->p99_us, s->p99_lo_us, s->p99_hi_us});
		put_latency(d, t, 7, (double[]){s->p999_us, no, no});
		doc_cell(d, t, 8, "%s", names_text(&trust_names, s->trust));
	}
}
