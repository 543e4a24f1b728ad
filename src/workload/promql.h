/*
 * promql.h - what to ask a Prometheus-compatible store for the disks of a machine or a fleet, so that little has to be
 * carried: raw counters where they are few, else means over steps, with percentiles that the store itself works out of
 * finer rates.
 *
 * Only /api/v1/query and /api/v1/query_range are used, never more than 11,000 points a series.  Answers are read by
 * the reader of Prometheus (evidence.h).  Times are seconds since 1970.
 */
#ifndef WORKLOAD_PROMQL_H
#define WORKLOAD_PROMQL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/finding.h"

enum { PROMQL_POINTS_MAX = 11000 }; /* of a series: the most that Prometheus gives */

struct promql_ask {
	const char *device, *instance; /* regular expressions; NULL: every disk, every machine */
	double end_s, range_s;
	double step_s; /* NaN: chosen */
};

struct promql_query {
	const char *expr;
	bool range; /* query_range; else query, at end_s */
	double start_s, end_s, step_s;
};

/* How often the store looks, of the answer to the probe. */
struct promql_scrape {
	double interval_s;
	size_t n_series;
};

struct promql_plan {
	struct promql_query *items;
	size_t n;
	bool raw; /* counters as scraped; else means over step_s */
	double step_s, fine_s; /* fine_s: of the percentiles */
	size_t n_points; /* of each series */
};

/* ERR_RANGE when the ask cannot be met: more points than a store gives. */
int promql_check(const struct promql_ask *ask, struct err *err);

/* The first question: the last scrapes of one counter.  NULL expr: out of memory. */
struct promql_query promql_probe(const struct promql_ask *ask, struct arena *a);
/* Its answer.  ERR_NOT_FOUND when it holds no series, ERR_UNSUPPORTED when one has a single scrape. */
int promql_probe_read(
	const char *name, const char *text, size_t n, struct promql_scrape *out, struct err *err);

/* Which devices and machines there are at that time, to name them in a message, and the words from the answer. */
struct promql_query promql_devices(const struct promql_ask *ask, struct arena *a);
int promql_devices_read(
	const char *name, const char *text, size_t n, struct buf *out, struct err *err);

int promql_plan(const struct promql_ask *ask, const struct promql_scrape *scrape, struct arena *a,
	struct promql_plan *out, struct err *err);

/* In one sentence what resolution the figures have. */
void promql_plan_say(const struct promql_plan *plan, const struct promql_scrape *scrape,
	const char *where, struct findings *out);

/* Append the URL of a query at a base ("http://host:9090", with or without a path). */
void promql_url(const char *base, const struct promql_query *q, struct buf *out);

/* A duration as PromQL writes it: "300s", "1500ms". */
void promql_duration(double seconds, char text[32]);

#endif /* WORKLOAD_PROMQL_H */
