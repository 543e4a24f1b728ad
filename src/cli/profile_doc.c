#include "cli/profile_doc.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

enum { SHORT = 32 };

static void
put_latency(struct doc *d, struct doc_table *t, size_t column, double us)
{
	char text[SHORT];
	units_latency_text(us, text);
	doc_cell(d, t, column, "%s", text);
}

static void
put_count(struct doc *d, struct doc_table *t, size_t column, double count)
{
	char text[SHORT];
	units_count_text(count, text);
	doc_cell(d, t, column, "%s", text);
}

static void
put_size(struct doc *d, struct doc_table *t, size_t column, double size_b)
{
	char text[SHORT] = "unknown";
	if (!isnan(size_b))
		units_size_text(size_b, text);
	doc_cell(d, t, column, "%s", text);
}

/* "randread", or "randread of 70 % reads" in a mix. */
static void
put_operation(struct doc *d, struct doc_table *t, const struct profile_cell *c)
{
	const char *op = names_text(&profile_op_names, c->op);
	if (isnan(c->mix_read_frac))
		doc_cell(d, t, 0, "%s", op);
	else
		doc_cell(d, t, 0, "%s in %.0f %% reads", op, c->mix_read_frac * 100);
}

static void
put_ratio(struct doc *d, struct doc_table *t, size_t column, double ratio)
{
	if (isnan(ratio))
		doc_cell(d, t, column, "unknown");
	else
		doc_cell(d, t, column, "%.2f", ratio);
}

static void
put_cells(struct doc *d, const struct profile *p)
{
	static const struct doc_column columns[] = {
		{"Operation", DOC_LEFT},
		{"Block", DOC_RIGHT},
		{"Depth", DOC_RIGHT},
		{"IOPS", DOC_RIGHT},
		{"Mean", DOC_RIGHT},
		{"p50", DOC_RIGHT},
		{"p99", DOC_RIGHT},
		{"p99.9", DOC_RIGHT},
		{"Little", DOC_RIGHT},
		{"Trust", DOC_LEFT},
		{"Source", DOC_LEFT},
	};
	if (p->n_cells == 0)
		return;
	struct doc_table *t = doc_table(d,
		"Reads and writes; Little is IOPS x mean latency / depth, 1 is sound", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		doc_row(d, t);
		put_operation(d, t, c);
		put_size(d, t, 1, c->bs_b);
		put_count(d, t, 2, c->qd);
		put_count(d, t, 3, c->iops);
		put_latency(d, t, 4, c->mean_us);
		put_latency(d, t, 5, c->p50_us);
		put_latency(d, t, 6, c->p99_us);
		put_latency(d, t, 7, c->p999_us);
		put_ratio(d, t, 8, c->little_ratio);
		doc_cell(d, t, 9, "%s", names_text(&trust_names, profile_cell_trust(p, c)));
		doc_cell(d, t, 10, "%s", c->source ? c->source : p->source ? p->source : "");
	}
}

static void
put_syncs(struct doc *d, const struct profile *p)
{
	static const struct doc_column columns[] = {
		{"Made durable by", DOC_LEFT},
		{"Block", DOC_RIGHT},
		{"Writers", DOC_RIGHT},
		{"Syncs/s", DOC_RIGHT},
		{"Mean", DOC_RIGHT},
		{"p99", DOC_RIGHT},
		{"Write mean", DOC_RIGHT},
		{"Sync mean", DOC_RIGHT},
		{"Sync p99", DOC_RIGHT},
		{"Trust", DOC_LEFT},
		{"Source", DOC_LEFT},
	};
	if (p->n_syncs == 0)
		return;
	struct doc_table *t = doc_table(d, "Durable writes: write and sync together", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *s = &p->syncs[i];
		int trust = s->trust >= 0 ? s->trust : p->trust;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&profile_sync_mode_names, s->mode));
		put_size(d, t, 1, s->bs_b);
		put_count(d, t, 2, s->writers);
		put_count(d, t, 3, s->syncs_per_s);
		put_latency(d, t, 4, s->mean_us);
		put_latency(d, t, 5, s->p99_us);
		put_latency(d, t, 6, s->write_mean_us);
		put_latency(d, t, 7, s->sync_mean_us);
		put_latency(d, t, 8, s->sync_p99_us);
		doc_cell(d, t, 9, "%s", names_text(&trust_names, trust));
		doc_cell(d, t, 10, "%s", s->source ? s->source : p->source ? p->source : "");
	}
}

void
profile_doc(struct doc *d, const struct profile *p)
{
	put_cells(d, p);
	put_syncs(d, p);
	doc_findings(d, "What is doubtful", p->findings, p->n_findings);
}
