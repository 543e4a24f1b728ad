/*
 * prom_metric.h - what is known of the metrics of disks in Prometheus: names of node_exporter now and before
 * 0.16, of windows_exporter, what they count and in which unit.
 */
#ifndef WORKLOAD_PROM_METRIC_H
#define WORKLOAD_PROM_METRIC_H

#include "base/arena.h"
#include "workload/evidence_track.h"

/* Columns of a grid: counts, bytes and seconds, each a second (rates) or since the beginning (counters). */
enum prom_column {
	PROM_READS,
	PROM_READ_BYTES,
	PROM_READ_S,
	PROM_WRITES,
	PROM_WRITE_BYTES,
	PROM_WRITE_S,
	PROM_DISCARDS,
	PROM_FLUSHES,
	PROM_FLUSH_S,
	PROM_BUSY_S, /* time with anything outstanding */
	PROM_QUEUE_S, /* the same, times the number outstanding */
	PROM_COUNTERS,
	/* not counters */
	PROM_READ_MEAN_S = PROM_COUNTERS, /* seconds per operation, as an expression gave it */
	PROM_WRITE_MEAN_S,
	PROM_FLUSH_MEAN_S,
	PROM_COLUMNS,
	/* percentiles of EVIDENCE_LEVEL_*, worked out by the store: PROM_STATS of each */
	PROM_ALL_COLUMNS = PROM_COLUMNS + 4 * EVIDENCE_LEVEL_COUNT
};

/* The statistics of a level, in the order of their columns. */
enum prom_stat { PROM_P50, PROM_P95, PROM_P99, PROM_MAX, PROM_STATS };

/*
 * Labels that our own queries put on what they ask for, so that an answer says what it is: a column word or a
 * level word, the window in seconds, and the statistic of a level.
 */
#define PROM_LABEL_FIGURE "tierwise_figure"
#define PROM_LABEL_WINDOW "tierwise_window_s"
#define PROM_LABEL_STAT "tierwise_stat"

/* "iops", "p95": words of levels and statistics. */
const char *prom_level_word(int level);
const char *prom_stat_word(int stat);
/* The column of a figure and a statistic (NULL: none); -1 when unknown. */
int prom_label_column(const char *figure, const char *stat);

struct prom_metric {
	const char *name;
	int column; /* enum prom_column */
	double factor; /* to the unit of the column */
};

/* The row of a name of n bytes; NULL when it is no counter of disks. */
const struct prom_metric *prom_metric_find(const char *name, size_t n);
/* The name that node_exporter has now. */
const char *prom_metric_now(int column);
/* The short word for a column: "reads". */
const char *prom_column_word(int column);

/* Partition, stacked device or disk, by its name; "_Total" is a sum. */
int prom_scope(const char *device);

/* What a query of one figure is: rate(NAME{...}[WINDOW]), irate, increase, or one such over another. */
struct prom_expression {
	int column; /* enum prom_column */
	double window_s;
	double factor; /* to a second and to the unit of the column */
};

/* ERR_UNSUPPORTED with what is understood. */
int prom_expression_read(const char *query, struct prom_expression *out, struct err *err);

/* "5m", "1h30m", "15s", "300" -> seconds; NaN when it is none. */
double prom_seconds(const char *text, size_t n);

/* Series from the tracks of that reader: counters become rates, rates are taken as they are. */
int prom_finish(struct evidence *e, const struct evidence_reader *reader, struct err *err);

#endif /* WORKLOAD_PROM_METRIC_H */
