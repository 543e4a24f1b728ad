#include "cli/bench_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { SHORT = 32, LITTLE_COLUMN = 8 };

/* Latencies of a row from `column` on; a percentile that is not shown has too few samples. */
static void
put_latencies(struct doc *d, struct doc_table *t, size_t column, const double us[4])
{
	for (size_t i = 0; i < 4; i++) {
		char text[SHORT] = "n too small";
		if (!isnan(us[i]))
			units_latency_text(us[i], text);
		doc_cell(d, t, column + i, "%s", text);
	}
}

/* "12,800 (12,500-13,100)" */
static void
put_rate(struct doc *d, struct doc_table *t, size_t column, const double rate[3])
{
	char v[SHORT], l[SHORT], h[SHORT];
	units_count_text(rate[0], v);
	units_count_text(rate[1], l);
	units_count_text(rate[2], h);
	if (isnan(rate[1]))
		doc_cell(d, t, column, "%s", v);
	else
		doc_cell(d, t, column, "%s (%s-%s)", v, l, h);
}

static void
put_cell(struct doc *d, struct doc_table *t, const struct profile_cell *c)
{
	char bs[SHORT];
	units_size_text(c->bs_b, bs);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", names_text(&profile_op_names, c->op));
	doc_cell(d, t, 1, "%s", bs);
	doc_cell(d, t, 2, "%.0f", c->qd);
	put_rate(d, t, 3, (const double[]){c->iops, c->iops_lo, c->iops_hi});
	put_latencies(d, t, 4, (const double[]){c->mean_us, c->p50_us, c->p99_us, c->p999_us});
	if (!isnan(c->little_ratio))
		doc_cell(d, t, LITTLE_COLUMN, "%.2f", c->little_ratio);
}

static void
put_sync(struct doc *d, struct doc_table *t, const struct profile_sync *s)
{
	char bs[SHORT];
	units_size_text(s->bs_b, bs);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s + fdatasync", names_text(&profile_pattern_names, s->pattern));
	doc_cell(d, t, 1, "%s", bs);
	doc_cell(d, t, 2, "1");
	put_rate(d, t, 3, (const double[]){s->syncs_per_s, s->syncs_lo, s->syncs_hi});
	put_latencies(d, t, 4, (const double[]){s->mean_us, s->p50_us, s->p99_us, s->p999_us});
}

static void
put_table(struct doc *d, const struct profile *p)
{
	static const struct doc_column columns[] = {
		{"Operation", DOC_LEFT},
		{"Block", DOC_RIGHT},
		{"Depth", DOC_RIGHT},
		{"Per second (95 %)", DOC_RIGHT},
		{"Mean", DOC_RIGHT},
		{"p50", DOC_RIGHT},
		{"p99", DOC_RIGHT},
		{"p99.9", DOC_RIGHT},
		{"Little", DOC_RIGHT},
	};
	if (p->n_cells + p->n_syncs == 0)
		return;
	struct doc_table *t = doc_table(d,
		"Rates and latencies; Little is rate x mean latency / depth, 1 is sound", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->n_cells; i++)
		put_cell(d, t, &p->cells[i]);
	for (size_t i = 0; i < p->n_syncs; i++)
		put_sync(d, t, &p->syncs[i]);
}

static void
put_verdict(struct doc *d, const struct profile *p)
{
	const char *v = p->quality->verdict;
	enum doc_tone tone = strcmp(v, "clean") == 0          ? DOC_PASS
			     : strcmp(v, "not-the-disk") == 0 ? DOC_FAIL
							      : DOC_WARNING;
	if (p->complete != 1)
		tone = DOC_WARNING;
	doc_callout(d, tone, "Verdict: %s%s. Trust: %s.", v, p->complete == 1 ? "" : ", incomplete",
		names_text(&trust_names, p->trust));
}

void
bench_doc(struct doc *d, const struct profile *p)
{
	const struct profile_method *m = p->method;
	doc_heading(d, 2, "%s", p->name);
	put_verdict(d, p);
	doc_paragraph(d,
		"Engine %s, area %.0f MiB, slices of %g s, %.1f s in all, %.2f GiB written.",
		m->engine, m->file_b / UNITS_MIB, m->slice_s, m->duration_s,
		m->bytes_written_b / UNITS_GIB);
	put_table(d, p);
	for (size_t i = 0; i < p->n_syncs; i++) {
		char write[SHORT], sync[SHORT];
		units_latency_text(p->syncs[i].write_mean_us, write);
		units_latency_text(p->syncs[i].sync_mean_us, sync);
		doc_paragraph(d,
			"Of a commit by %s the write takes %s and the sync %s in the mean.",
			names_text(&profile_pattern_names, p->syncs[i].pattern), write, sync);
	}
	doc_findings(d, "Findings", p->findings, p->n_findings);
}
