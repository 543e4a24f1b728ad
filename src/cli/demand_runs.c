/*
 * demand_runs.c - what clients and servers say of themselves: runs, their statements, and differences of a
 * server's counters as rows of name, value and how it was made.
 */
#include <math.h>

#include "base/units.h"
#include "cli/demand_cells.h"
#include "workload/run.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

static void
run_row(struct doc *d, struct doc_table *t, const struct evidence_run *r)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s%s%s", r->source ? r->source : "", r->label ? " " : "",
		r->label ? r->label : "");
	demand_cell_number(d, t, 1, r->clients);
	demand_cell_fixed(d, t, 2, r->tps, 2);
	if (r->asked_estimated) {
		char about[32];
		units_count_text(round(r->asked_tps), about);
		doc_cell(d, t, 3, "about %s", about);
	} else {
		demand_cell_fixed(d, t, 3, r->asked_tps, 1);
	}
	demand_cell_fixed(d, t, 4, r->mean_us / 1000, 3);
	demand_cell_fixed(d, t, 5, r->p50_us / 1000, 3);
	demand_cell_fixed(d, t, 6, r->p95_us / 1000, 3);
	demand_cell_fixed(d, t, 7, r->p99_us / 1000, 3);
	demand_cell_fixed(d, t, 8, r->max_us / 1000, 3);
	demand_cell_fixed(d, t, 9, r->lag_mean_us / 1000, 3);
	demand_cell_fixed(d, t, 10, r->seen_mean_us / 1000, 3);
	if (!isnan(r->n))
		doc_cell(d, t, 11, "%.0f", r->n);
	if (!isnan(r->skipped))
		doc_cell(d, t, 12, "%.0f", r->skipped);
	if (!isnan(r->failed))
		doc_cell(d, t, 13, "%.0f", r->failed);
	if (!isnan(r->late))
		doc_cell(d, t, 14, "%.0f", r->late);
	demand_cell_fixed(d, t, 15, r->sd_us / 1000, 3);
	if (!isnan(r->other_pct))
		doc_cell(d, t, 16, "p%g %.3f", r->other_pct, r->other_us / 1000);
	demand_cell_number(d, t, 17, r->seconds);
	demand_cell_number(d, t, 18, r->threads);
	demand_cell_number(d, t, 19, r->scale);
	if (r->sampled)
		doc_cell(d, t, 20, "of %zu of them", r->n_latency);
	demand_cell_fixed(d, t, 21, r->seen_p99_us / 1000, 3);
	demand_cell_fixed(d, t, 22, r->read_iops, 2);
	demand_cell_fixed(d, t, 23, r->write_iops, 2);
	demand_cell_fixed(d, t, 24, r->flush_iops, 2);
	demand_cell_fixed(d, t, 25, r->block_b / UNITS_KIB, 1);
	doc_cell(d, t, 26, "%s", r->file ? r->file : "");
}

static void
statements_table(struct doc *d, const struct evidence_run *r)
{
	static const struct doc_column columns[] = {
		{"statement", DOC_LEFT}, {"mean ms", DOC_RIGHT}, {"failures", DOC_RIGHT}};
	struct doc_table *t = doc_table(
		d, "Statements, as the client timed them", COLUMNS(columns));
	for (size_t i = 0; i < r->n_statements; i++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", r->statements[i].text ? r->statements[i].text : "");
		demand_cell_fixed(d, t, 1, r->statements[i].mean_us / 1000, 3);
		demand_cell_number(d, t, 2, r->statements[i].failures);
	}
}

void
demand_doc_runs(struct doc *d, const struct evidence *e)
{
	static const struct doc_column columns[] = {{"run", DOC_LEFT}, {"clients", DOC_RIGHT},
		{"per second", DOC_RIGHT}, {"asked", DOC_RIGHT}, {"mean ms", DOC_RIGHT},
		{"p50", DOC_RIGHT}, {"p95", DOC_RIGHT}, {"p99", DOC_RIGHT}, {"max", DOC_RIGHT},
		{"lag ms", DOC_RIGHT}, {"seen ms", DOC_RIGHT}, {"n", DOC_RIGHT},
		{"skipped", DOC_RIGHT}, {"failed", DOC_RIGHT}, {"late", DOC_RIGHT},
		{"sd ms", DOC_RIGHT}, {"tool's percentile", DOC_RIGHT}, {"seconds", DOC_RIGHT},
		{"threads", DOC_RIGHT}, {"scale", DOC_RIGHT}, {"percentiles", DOC_LEFT},
		{"seen p99", DOC_RIGHT}, {"reads/s", DOC_RIGHT}, {"writes/s", DOC_RIGHT},
		{"flushes/s", DOC_RIGHT}, {"block KiB", DOC_RIGHT}, {"file", DOC_LEFT}};
	if (e->n_runs == 0)
		return;
	doc_heading(d, 2, "Runs");
	struct doc_table *t = doc_table(d,
		"Transactions or operations, service time without schedule lag", COLUMNS(columns));
	t->detail = 0x7fff000; /* from "skipped" on */
	for (size_t i = 0; i < e->n_runs; i++)
		run_row(d, t, &e->runs[i]);
	for (size_t i = 0; i < e->n_runs; i++) {
		if (e->runs[i].n_statements)
			statements_table(d, &e->runs[i]);
	}
}

static void
row(struct doc *d, struct doc_table *t, const char *name, double v, int decimals)
{
	if (!isfinite(v)) /* a share of nothing is infinite */
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", name);
	demand_cell_fixed(d, t, 1, v, decimals);
}

/* Whatever was counted; the ratios are what sizing needs. */
static void
server_rows(struct doc *d, struct doc_table *t, const struct evidence_server *s)
{
	struct evidence_rates r;
	evidence_server_rates(s, &r);
	row(d, t, "seconds", s->seconds, 3);
	row(d, t, "commits", s->commits, 0);
	row(d, t, "commits/s", s->commits / s->seconds, 2);
	row(d, t, "rollbacks", s->rollbacks, 0);
	row(d, t, "commit groups", s->commit_groups, 0);
	row(d, t, "commits per group", s->commits / s->commit_groups, 2);
	row(d, t, "log bytes", s->log_bytes, 0);
	row(d, t, "log position moved, bytes", s->log_position_bytes, 0);
	row(d, t, "log MiB/s", r.log_bytes_s / UNITS_MIB, 3);
	row(d, t, "log bytes per commit", s->log_bytes / s->commits, 0);
	row(d, t, "log writes", s->log_writes, 0);
	row(d, t, "log syncs", s->log_syncs, 0);
	row(d, t, "log syncs/s", r.syncs_s, 2);
	row(d, t, "log sync total ms", s->log_sync_us / 1000, 1);
	row(d, t, "log sync mean ms", s->log_sync_us / s->log_syncs / 1000, 3);
	row(d, t, "log write total ms", s->log_write_us / 1000, 1);
	row(d, t, "log bytes per sync", s->log_bytes / s->log_syncs, 0);
	row(d, t, "commits per log sync", s->commits / s->log_syncs, 2);
	row(d, t, "log records", s->log_records, 0);
	row(d, t, "full-page images", s->full_page_images, 0);
	row(d, t, "full-page images, at most % of log", 100 * r.page_image_frac, 1);
	row(d, t, "page hits", s->page_hits, 0);
	row(d, t, "page reads", s->page_reads, 0);
	row(d, t, "page reads/s", s->page_reads / s->seconds, 2);
	row(d, t, "page reads per commit", s->page_reads / s->commits, 3);
	row(d, t, "page read bytes", s->page_read_bytes, 0);
	row(d, t, "page read mean ms", s->page_read_us / s->page_reads / 1000, 4);
	row(d, t, "page writes", s->page_writes, 0);
	row(d, t, "page writes/s", s->page_writes / s->seconds, 2);
	row(d, t, "page write bytes", s->page_write_bytes, 0);
	row(d, t, "page write mean ms", s->page_write_us / s->page_writes / 1000, 4);
	row(d, t, "checkpoints", s->checkpoints, 0);
	row(d, t, "checkpoints requested", s->checkpoint_requested, 0);
	row(d, t, "checkpoint pages", s->checkpoint_pages, 0);
	row(d, t, "checkpoint write total ms", s->checkpoint_write_us / 1000, 1);
	row(d, t, "checkpoint write MiB/s", r.checkpoint_bytes_s / UNITS_MIB, 3);
	row(d, t, "checkpoint sync total ms", s->checkpoint_sync_us / 1000, 1);
	row(d, t, "data syncs", s->data_syncs, 0);
	row(d, t, "data sync mean ms", s->data_sync_us / s->data_syncs / 1000, 3);
}

/* As the server counted them. */
static void
server_statements(struct doc *d, const struct evidence_server *s)
{
	static const struct doc_column columns[] = {{"statement", DOC_LEFT}, {"calls", DOC_RIGHT},
		{"mean ms", DOC_RIGHT}, {"page reads per call", DOC_RIGHT}};
	struct doc_table *t = doc_table(
		d, "Statements, as the server timed them", COLUMNS(columns));
	for (size_t i = 0; i < s->n_statements; i++) {
		const struct evidence_statement *one = &s->statements[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", one->text);
		demand_cell_fixed(d, t, 1, one->calls, 0);
		demand_cell_fixed(d, t, 2, one->mean_us / 1000, 4);
		demand_cell_fixed(d, t, 3, one->page_reads / one->calls, 3);
	}
}

/* One measured run with what the server counted: what a model is calibrated with. */
static void
calibration_table(struct doc *d, const struct evidence *e)
{
	static const struct doc_column columns[] = {{"quantity", DOC_LEFT}, {"value", DOC_RIGHT}};
	struct evidence_calibration c;
	if (!evidence_calibrate(e, &c))
		return;
	const char *caption = arena_printf(d->arena, "For a calibration: %s%s%s", c.run->file,
		c.server ? " with " : "", c.server ? c.server->file : "");
	struct doc_table *t = doc_table(d, caption ? caption : "", COLUMNS(columns));
	row(d, t, "transactions/s", c.tps, 2);
	row(d, t, "mean ms", c.mean_us / 1000, 3);
	row(d, t, "clients", c.clients, 0);
	row(d, t, "scale", c.scale, 0);
	row(d, t, "page reads per transaction (at most)", c.page_reads_per_tx, 3);
	row(d, t, "log flushes/s", c.flushes_s, 2);
	row(d, t, "commits per flush", c.commits_per_flush, 2);
	row(d, t, "flush mean ms", c.flush_us / 1000, 3);
	row(d, t, "log bytes per transaction", c.log_bytes_per_tx, 0);
	row(d, t, "most that storage can win, %", 100 * c.storage_frac, 2);
}

void
demand_doc_servers(struct doc *d, const struct evidence *e)
{
	static const struct doc_column columns[] = {{"quantity", DOC_LEFT}, {"value", DOC_RIGHT}};
	for (size_t i = 0; i < e->n_servers; i++) {
		const struct evidence_server *s = &e->servers[i];
		if (i == 0)
			doc_heading(d, 2, "Servers");
		const char *caption = arena_printf(d->arena, "%s%s%s, %s: %s",
			s->source ? s->source : "server", s->version ? " " : "",
			s->version ? s->version : "",
			s->since_reset ? "since its counters were reset" : "difference of counters",
			s->file ? s->file : "");
		server_rows(d, doc_table(d, caption ? caption : "", COLUMNS(columns)), s);
		if (s->n_statements)
			server_statements(d, s);
	}
	calibration_table(d, e);
}
