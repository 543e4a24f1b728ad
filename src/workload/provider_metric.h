/*
 * provider_metric.h - what providers' monitoring says of a disk or a machine, value by value, and the series that
 * come of it.  Internal to workload.
 */
#ifndef WORKLOAD_PROVIDER_METRIC_H
#define WORKLOAD_PROVIDER_METRIC_H

#include "workload/evidence_track.h"

/* Columns, each a figure a second or a share, as kept in a track. */
enum provider_column {
	PROVIDER_READS, /* operations */
	PROVIDER_WRITES,
	PROVIDER_READ_BYTES,
	PROVIDER_WRITE_BYTES,
	PROVIDER_READ_S, /* seconds spent in reads */
	PROVIDER_WRITE_S,
	PROVIDER_IDLE, /* share of the period */
	PROVIDER_QUEUE, /* mean number outstanding */
	PROVIDER_READ_MEAN_S, /* of one operation */
	PROVIDER_WRITE_MEAN_S,
	PROVIDER_ANY_MEAN_S,
	PROVIDER_CONSUMED, /* share of a cap, named by the track's metric */
	PROVIDER_EXCEEDED_IOPS, /* 0 or 1 */
	PROVIDER_EXCEEDED_BYTES,
	PROVIDER_CPU, /* share */
	PROVIDER_COLUMNS
};

/* How a value becomes that of its column. */
enum provider_how {
	PROVIDER_AS_IS,
	PROVIDER_TOTAL, /* of a period: over its length */
	PROVIDER_MS,
	PROVIDER_PERCENT,
	PROVIDER_PERCENT_LEFT, /* of a budget: what is left */
	PROVIDER_FLAG
};

/* The value in the column's unit. */
double provider_value(int how, double value, double period_s);

/* The most frequent step between points, which may be in any order; NaN when there is one only. */
double provider_step_s(const struct evidence_track *t);

/*
 * After the points of a track were put, as printed, at the starts of their periods.  Sets the window to period_s (where
 * that is NaN to the usual step between points, else to otherwise_s), moves times to the ends of periods and converts
 * the values.
 * false, and the track emptied, when no period is known.
 */
bool provider_track_done(struct evidence_track *t, int how, double period_s, double otherwise_s);

/* Series and processors from the tracks of a reader. */
int provider_finish(struct evidence *e, const struct evidence_reader *reader, struct err *err);

/* Whether the first 64 KiB of an input hold a word, in either case. */
bool provider_head_has(const struct evidence_input *in, const char *word);
/* Whether its first byte that is no blank is { or [. */
bool provider_is_json(const struct evidence_input *in);

#endif /* WORKLOAD_PROVIDER_METRIC_H */
