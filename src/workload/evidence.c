/*
 * evidence.c - the table of readers of evidence, and what they have in common.
 */
#include "workload/evidence.h"

#include <math.h>
#include <string.h>

#include "workload/evidence_reader.h"
#include "workload/run.h"

const struct evidence_sample evidence_unknown_sample = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
	NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
_Static_assert(sizeof(evidence_unknown_sample) == 19 * sizeof(double), "a NaN each");

/* In the order they are asked; NULL ends the table. */
static const struct evidence_reader *const readers[] = {
	&evidence_pgbench_log, /* before diskstats: a row of a skipped transaction looks like one */
	&evidence_azure,
	&evidence_cassandra_stress,
	&evidence_cloudwatch,
	&evidence_diskstats,
	&evidence_exposition,
	&evidence_iostat,
	&evidence_iostat_json,
	&evidence_metric_csv,
	&evidence_mysql,
	&evidence_nodetool,
	&evidence_perfmon,
	&evidence_pgbench,
	&evidence_postgres,
	&evidence_prometheus,
	&evidence_sadf,
	&evidence_sar,
	&evidence_sysbench,
	&evidence_vmstat,
	NULL,
};

void
evidence_init(struct evidence *e, struct arena *a)
{
	*e = (struct evidence){.arena = a};
	findings_init(&e->findings, a);
}

/* What to do with outputs that are known and say no demand. */
static const char *
hint_for(const struct evidence_input *in)
{
	static const struct {
		const char *mark, *hint;
	} rows[] = {
		{"INNODB MONITOR OUTPUT", ": InnoDB's monitor has no counters to compare; give two "
					  "of SHOW GLOBAL STATUS"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (in->n && memmem(in->text, in->n, rows[i].mark, strlen(rows[i].mark)))
			return rows[i].hint;
	return "";
}

int
evidence_text(
	struct evidence *e, const struct evidence_input *in, const char **name, struct err *err)
{
	struct evidence before = *e;
	for (size_t i = 0; readers[i]; i++) {
		if (!readers[i]->probe(in))
			continue;
		if (name)
			*name = readers[i]->name;
		int rc = readers[i]->read(in, e, err);
		if (rc)
			*e = before;
		return rc;
	}
	return err_set(
		err, ERR_PARSE, "%s: no evidence that is known here%s", in->name, hint_for(in));
}

int
evidence_finish(struct evidence *e, struct err *err)
{
	for (size_t i = 0; readers[i]; i++) {
		int rc = readers[i]->finish ? readers[i]->finish(e, err) : 0;
		if (rc)
			return rc;
	}
	return evidence_judge(e, err);
}

struct evidence_series *
evidence_add_series(struct evidence *e)
{
	struct evidence_series *all = arena_grow(
		e->arena, e->series, e->n_series, sizeof(*e->series));
	if (!all)
		return NULL;
	e->series = all;
	all[e->n_series] = (struct evidence_series){.resolution_s = NAN};
	return &all[e->n_series++];
}

struct evidence_sample *
evidence_add_sample(struct evidence *e, struct evidence_series *s)
{
	struct evidence_sample *all = arena_grow(
		e->arena, s->samples, s->n_samples, sizeof(*s->samples));
	if (!all)
		return NULL;
	s->samples = all;
	all[s->n_samples] = evidence_unknown_sample;
	return &all[s->n_samples++];
}

struct evidence_run *
evidence_add_run(struct evidence *e)
{
	struct evidence_run *all = arena_grow(e->arena, e->runs, e->n_runs, sizeof(*e->runs));
	if (!all)
		return NULL;
	e->runs = all;
	all[e->n_runs] = (struct evidence_run){.seconds = NAN,
		.clients = NAN,
		.threads = NAN,
		.scale = NAN,
		.asked_tps = NAN,
		.tps = NAN,
		.mean_us = NAN,
		.sd_us = NAN,
		.p50_us = NAN,
		.p95_us = NAN,
		.p99_us = NAN,
		.max_us = NAN,
		.lag_mean_us = NAN,
		.seen_mean_us = NAN,
		.n = NAN,
		.failed = NAN,
		.skipped = NAN,
		.late = NAN,
		.other_pct = NAN,
		.other_us = NAN,
		.limit_us = NAN,
		.lag_max_us = NAN,
		.tps_whole = NAN,
		.read_iops = NAN,
		.write_iops = NAN,
		.flush_iops = NAN,
		.read_bytes_s = NAN,
		.write_bytes_s = NAN,
		.block_b = NAN,
		.sample_of = NAN,
		.seen_p50_us = NAN,
		.seen_p95_us = NAN,
		.seen_p99_us = NAN};
	return &all[e->n_runs++];
}

struct evidence_server *
evidence_add_server(struct evidence *e)
{
	struct evidence_server *all = arena_grow(
		e->arena, e->servers, e->n_servers, sizeof(*e->servers));
	if (!all)
		return NULL;
	e->servers = all;
	all[e->n_servers] = (struct evidence_server){.seconds = NAN,
		.commits = NAN,
		.rollbacks = NAN,
		.commit_groups = NAN,
		.log_position_bytes = NAN,
		.log_bytes = NAN,
		.log_writes = NAN,
		.log_syncs = NAN,
		.log_sync_us = NAN,
		.log_write_us = NAN,
		.full_page_images = NAN,
		.log_records = NAN,
		.page_reads = NAN,
		.page_read_bytes = NAN,
		.page_read_us = NAN,
		.page_writes = NAN,
		.page_write_bytes = NAN,
		.page_write_us = NAN,
		.page_hits = NAN,
		.checkpoints = NAN,
		.checkpoint_requested = NAN,
		.checkpoint_pages = NAN,
		.checkpoint_write_us = NAN,
		.checkpoint_sync_us = NAN,
		.data_syncs = NAN,
		.data_sync_us = NAN,
		.connections = NAN,
		.connections_max = NAN,
		.temp_files = NAN};
	return &all[e->n_servers++];
}

struct evidence_histogram *
evidence_add_histogram(struct evidence *e)
{
	struct evidence_histogram *all = arena_grow(
		e->arena, e->histograms, e->n_histograms, sizeof(*e->histograms));
	if (!all)
		return NULL;
	e->histograms = all;
	all[e->n_histograms] = (struct evidence_histogram){.sum_us = NAN, .seconds = NAN};
	return &all[e->n_histograms++];
}

struct evidence_cpu *
evidence_add_cpu(struct evidence *e)
{
	struct evidence_cpu *all = arena_grow(e->arena, e->cpus, e->n_cpus, sizeof(*e->cpus));
	if (!all)
		return NULL;
	e->cpus = all;
	all[e->n_cpus] = (struct evidence_cpu){0};
	return &all[e->n_cpus++];
}

struct evidence_snapshot *
evidence_add_snapshot(struct evidence *e)
{
	struct evidence_snapshot *all = arena_grow(
		e->arena, e->snapshots, e->n_snapshots, sizeof(*e->snapshots));
	if (!all)
		return NULL;
	e->snapshots = all;
	all[e->n_snapshots] = (struct evidence_snapshot){.at_s = NAN};
	return &all[e->n_snapshots++];
}

int
evidence_add_progress(struct evidence *e, struct evidence_run *run,
	const struct evidence_progress *line, size_t *twice, struct err *err)
{
	if (run->n_progress && line->at_s <= run->progress[run->n_progress - 1].at_s) {
		(*twice)++;
		return 0;
	}
	struct evidence_progress *all = arena_grow(
		e->arena, run->progress, run->n_progress, sizeof(*all));
	if (!all)
		return err_nomem(err);
	run->progress = all;
	all[run->n_progress++] = *line;
	return 0;
}
