/*
 * evidence.h - what a running system was seen to do: the outputs of iostat, sar, /proc/diskstats, vmstat,
 * pgbench, sysbench, PostgreSQL and MySQL statistics, Prometheus, Azure Monitor, CloudWatch and their like,
 * as series, runs and counters that know their resolution and source.
 *
 * Rates are per second of the interval that ends at end_s; bytes are bytes; latency is microseconds, the mean
 * over the operations of the interval.  NaN: this source does not say.  Never 0 for unknown.
 */
#ifndef WORKLOAD_EVIDENCE_H
#define WORKLOAD_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"

struct evidence;
struct evidence_reader;

/* One interval of one device. */
struct evidence_sample {
	double end_s; /* UTC, seconds since 1970; NaN: only the order is known */
	double dt_s; /* its length; NaN: not known */
	double read_iops, write_iops, discard_iops, flush_iops;
	double read_bytes_s, write_bytes_s;
	double read_us, write_us, flush_us;
	double queue; /* mean number outstanding */
	double active_frac; /* share of the interval with anything outstanding; a hint only (workload.md 1.1) */
	double consumed_frac; /* of a cap, where the provider reports it: 1 is at the cap */
	double exceeded; /* 1: the provider says that a cap held work back; 0: that none did */
	/* of reads and writes together, where the tool does not tell them apart (sar, iostat without -x) */
	double any_iops, any_bytes_s, any_us;
	double discard_us;
};

extern const struct evidence_sample evidence_unknown_sample; /* all NaN */

/* What a series is of. */
enum evidence_scope {
	EVIDENCE_DISK, /* a whole device */
	EVIDENCE_PART, /* a partition of one: never added to it */
	EVIDENCE_STACKED, /* dm, md, a group: the traffic of others again, never added to them */
	EVIDENCE_MACHINE, /* sums over the machine's disks, or the machine's own cap */
	EVIDENCE_SCOPE_COUNT
};

struct evidence_levels; /* below */

struct evidence_series {
	const char *host; /* instance, resource; NULL: not said */
	const char *device; /* "vda", "Data disk 2 (LUN 2)", "vol-0abc" */
	const char *source; /* "iostat", "diskstats", "prometheus", ... */
	const char *file; /* where it was read */
	int scope; /* enum evidence_scope */
	double resolution_s; /* of the figures: a 60 s mean is 60; the averaging window of a rate() */
	const char *
		metric; /* of provider series that are percentages of a cap ("VM Uncached IOPS"); NULL otherwise */
	bool idle_missing; /* a missing row is an idle interval (iostat -z, CloudWatch on Xen), not a gap */
	bool before_cache; /* reads include those that a cache of the host answers */
	bool active_known; /* active_frac comes from idle time counted by the provider: a rate over it is the
			      rate while active */
	struct evidence_sample *samples; /* ascending in time */
	size_t n_samples;
	const struct evidence_levels
		*levels; /* EVIDENCE_LEVEL_COUNT of them; NULL: count the samples */
};

/* Of what a store can be asked for percentiles. */
enum evidence_level {
	EVIDENCE_LEVEL_IOPS,
	EVIDENCE_LEVEL_READ_IOPS,
	EVIDENCE_LEVEL_WRITE_IOPS,
	EVIDENCE_LEVEL_BYTES_S,
	EVIDENCE_LEVEL_COUNT
};

/* Percentiles that the store itself worked out, of figures finer than the samples. */
struct evidence_levels {
	double resolution_s;
	double p50, p95, p99, max; /* per second */
};

/* One statement of a script, as the client timed it. */
struct evidence_statement {
	const char *text;
	double mean_us, failures;
	double calls, page_reads; /* a server's own count of it (pg_stat_statements) */
};

/* One line of progress. */
struct evidence_progress {
	double at_s; /* end of its interval; from the start of the run, or since 1970 */
	double tps, mean_us, sd_us; /* mean: service time, schedule lag taken off */
	double lag_us, failed, skipped; /* counts of the interval */
	double pct_us; /* the run's other_pct, of the interval */
};

/* One run of a benchmark or a client: what the application saw. */
struct evidence_run {
	const char *source, *file; /* "pgbench", "sysbench", ... */
	const char *label; /* statement or operation; NULL: whole transactions */
	double seconds, clients, threads, scale;
	double asked_tps, tps; /* asked NaN: closed loop */
	bool asked_estimated; /* the tool does not print what it was asked for */
	double mean_us, sd_us, p50_us, p95_us, p99_us,
		max_us; /* service time, schedule lag taken off where known */
	double lag_mean_us, seen_mean_us; /* schedule lag; what users see: lag + service */
	double n, failed, skipped, late; /* late: over the limit of the run */
	double other_pct, other_us; /* the percentile the tool prints (95: 95 %), and its value */
	bool sampled; /* percentiles are of a sample of the transactions */
	bool timed; /* mean_us was timed, not computed from clients, time and count */
	bool rated; /* arrivals were scheduled (open loop); asked_tps may still be unknown */
	double limit_us; /* latency limit of the run, that `late` were over */
	double lag_max_us;
	double tps_whole; /* connecting included, where the tool says both */
	double read_iops, write_iops, flush_iops; /* benchmarks of files */
	double read_bytes_s, write_bytes_s, block_b;
	double *latency_us,
		*seen_us; /* each transaction of a log: service, and with its schedule lag;
				       * each ascending after evidence_finish() */
	size_t n_latency;
	double sample_of; /* about how many transactions the log is a sample of */
	double seen_p50_us, seen_p95_us, seen_p99_us;
	struct evidence_statement *statements; /* in order */
	size_t n_statements;
	struct evidence_progress *progress; /* -P lines */
	size_t n_progress;
};

/* Differences of counters between two looks at one server.  NaN: not in this layout. */
struct evidence_server {
	const char *source, *file; /* "postgresql", "mysql"; the later file */
	const char *version; /* layout recognised, in words */
	bool since_reset; /* one look: means since the counters were reset; rates are not known */
	double seconds;
	double commits, rollbacks, commit_groups;
	double log_position_bytes; /* how far the log's position moved: fill of its segments included */
	double log_bytes, log_writes, log_syncs, log_sync_us, log_write_us; /* us: whole time */
	double full_page_images, log_records;
	double page_reads, page_read_bytes, page_read_us, page_writes, page_write_bytes,
		page_write_us, page_hits;
	double checkpoints, checkpoint_requested, checkpoint_pages, checkpoint_write_us,
		checkpoint_sync_us;
	double data_syncs, data_sync_us;
	double connections, connections_max; /* at the last look; the most there may be */
	double temp_files; /* made on disk, for sorts and hashes that did not fit */
	struct evidence_statement *statements;
	size_t n_statements;
};

struct evidence_window;

/* A latency histogram: cumulative counts at ascending edges, the last may be infinite. */
struct evidence_histogram {
	const char *name, *file, *host;
	double *edge_us, *count; /* as many */
	size_t n;
	double sum_us; /* NaN: not said */
	double seconds; /* what it covers; NaN: since the process began */
	struct evidence_window *windows; /* its parts in order of time; n_windows 0: not known */
	size_t n_windows;
};

/* One part of a histogram's time. */
struct evidence_window {
	double end_s, dt_s;
	double *count; /* at the edges of the histogram */
};

/* CPU of the machine over time (vmstat, sar -u). */
struct evidence_cpu {
	const char *source, *file;
	double *end_s, *busy_frac, *iowait_frac, *steal_frac, *runnable;
	size_t n;
};

/*
 * One look at the counters of a server, kept until another one of the same kind gives a difference.
 * Values are text, as printed: the reader that kept them knows their units.
 */
struct evidence_snapshot {
	const struct evidence_reader *reader;
	const char *kind; /* "pg_stat_wal", "global status": only the same kinds are compared */
	const char *file;
	double at_s; /* UTC; NaN: not said in the text */
	size_t line; /* where it begins */
	const char **names, **values;
	size_t n;
};

struct evidence_track; /* evidence_track.h */

struct evidence {
	struct arena *arena;
	struct evidence_series *series;
	size_t n_series;
	struct evidence_run *runs;
	size_t n_runs;
	struct evidence_server *servers;
	size_t n_servers;
	struct evidence_histogram *histograms;
	size_t n_histograms;
	struct evidence_cpu *cpus;
	size_t n_cpus;
	struct evidence_snapshot *snapshots; /* in the order read */
	size_t n_snapshots;
	struct evidence_track
		*tracks; /* figures of single metrics, which finish() joins into series */
	size_t n_tracks;
	struct findings findings; /* dropped, replaced, doubted: each names file and line */
	bool query_used, metric_used; /* an input needed what the options say of it */
};

/* What the user must say because the files do not. */
struct evidence_options {
	bool keep_first; /* iostat/vmstat: the first report is no since-boot figure (-y was given) */
	int day_first; /* 1: 11/12 is 11 December; 0: November 12; -1: decide from the order of the file */
	double utc_offset_s; /* of local times without a zone; NaN: 0, said */
	const char *
		query; /* PromQL that gave an answer in which metrics have no names; NULL: not said */
	const char *
		metric; /* of a file with one metric of a provider: "VolumeWriteBytes"; NULL: not said */
	bool idle_missing; /* a device that a report leaves out was idle (iostat -z) */
	double interval_s; /* between readings and reports that do not say it; NaN: not known */
};

struct evidence_input {
	const char *name; /* for messages */
	const char *text; /* n bytes and a NUL */
	size_t n;
	const struct evidence_options *options;
};

/*
 * A reader of one format.  probe() looks at the head (and the whole length) of the text; read() adds to *out what the
 * text holds and a finding for everything dropped.  ERR_PARSE (file:line:column) when nothing in it can be
 * used, ERR_UNSUPPORTED, ERR_NOMEM.  A cut end is a warning, not an error.  finish() (may be NULL) is
 * called once after the last input: readers of counters that need a second look keep snapshots until then.
 */
struct evidence_reader {
	const char *name;
	bool (*probe)(const struct evidence_input *in);
	int (*read)(const struct evidence_input *in, struct evidence *out, struct err *err);
	int (*finish)(struct evidence *out, struct err *err);
};

void evidence_init(struct evidence *e, struct arena *a);

/*
 * Read one text with the reader that knows it.  *name (may be NULL) is set to the reader's name.
 * ERR_PARSE when none does.  After an error *e holds what it held before.
 */
int evidence_text(
	struct evidence *e, const struct evidence_input *in, const char **name, struct err *err);

/* After the last text: differences of the counters seen. */
int evidence_finish(struct evidence *e, struct err *err);

/* For readers: append one, cleared to NaN/NULL/-1; NULL when out of memory. */
struct evidence_series *evidence_add_series(struct evidence *e);
/* One line of progress; one that is no later than the last is only counted in *twice. */
int evidence_add_progress(struct evidence *e, struct evidence_run *run,
	const struct evidence_progress *line, size_t *twice, struct err *err);
struct evidence_sample *evidence_add_sample(struct evidence *e, struct evidence_series *s);
struct evidence_run *evidence_add_run(struct evidence *e);
struct evidence_server *evidence_add_server(struct evidence *e);
struct evidence_histogram *evidence_add_histogram(struct evidence *e);
struct evidence_cpu *evidence_add_cpu(struct evidence *e);
struct evidence_snapshot *evidence_add_snapshot(struct evidence *e);

#endif /* WORKLOAD_EVIDENCE_H */
