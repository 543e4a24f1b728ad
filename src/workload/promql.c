#include "workload/promql.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"
#include "workload/evidence_track.h"
#include "workload/prom_metric.h"

enum {
	PROBE_S = 900, /* looked back for the scrape interval */
	RAW_VALUES_MAX = 400000, /* of all series together: some 100 MiB while they are read */
	STEP_VALUES_MAX = 400000, /* of one query */
	STEP_POINTS = 2016, /* a week of five minutes */
	STEP_POINTS_LEAST = 48,
	FINE = 2, /* scrapes in the window of a fine rate: rate() needs two */
	FINE_POINTS = 100000, /* of one, that the store works through */
};

/* What is asked of every disk, in the order of the table of metrics. */
static const int columns[] = {PROM_READS, PROM_READ_BYTES, PROM_READ_S, PROM_WRITES,
	PROM_WRITE_BYTES, PROM_WRITE_S, PROM_DISCARDS, PROM_FLUSHES, PROM_FLUSH_S, PROM_BUSY_S,
	PROM_QUEUE_S};
enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* The counters whose sum a level is of; -1: none. */
static const int level_of[EVIDENCE_LEVEL_COUNT][2] = {
	[EVIDENCE_LEVEL_IOPS] = {PROM_READS, PROM_WRITES},
	[EVIDENCE_LEVEL_READ_IOPS] = {PROM_READS, -1},
	[EVIDENCE_LEVEL_WRITE_IOPS] = {PROM_WRITES, -1},
	[EVIDENCE_LEVEL_BYTES_S] = {PROM_READ_BYTES, PROM_WRITE_BYTES},
};

static const double quantiles[PROM_STATS] = {
	[PROM_P50] = 0.5, [PROM_P95] = 0.95, [PROM_P99] = 0.99};

void
promql_duration(double seconds, char text[32])
{
	if (seconds == floor(seconds))
		snprintf(text, 32, "%.0fs", seconds);
	else
		snprintf(text, 32, "%.0fms", ceil(seconds * 1000));
}

/* A string of PromQL between double quotes. */
static void
put_quoted(struct buf *out, const char *text)
{
	buf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

/* device=~"...",instance=~"..." */
static void
put_labels(struct buf *out, const struct promql_ask *ask)
{
	if (ask->device) {
		buf_put(out, "device=~");
		put_quoted(out, ask->device);
	} else {
		buf_put(out, "device!~\"(loop|ram|zram|sr|fd)[0-9]+\"");
	}
	if (ask->instance) {
		struct buf with_port;
		buf_init(&with_port, 4096);
		buf_printf(&with_port, "(%s)(:[0-9]+)?", ask->instance);
		buf_put(out, ",instance=~");
		put_quoted(out, buf_text(&with_port));
		buf_fini(&with_port);
	}
}

static const char *
finish(struct buf *text, struct arena *a)
{
	const char *kept = text->failed ? NULL : arena_strdup(a, buf_text(text));
	buf_fini(text);
	return kept;
}

struct promql_query
promql_probe(const struct promql_ask *ask, struct arena *a)
{
	struct buf b;
	char window[32];
	buf_init(&b, 1 << 16);
	promql_duration(fmin(ask->range_s, PROBE_S), window);
	buf_printf(&b, "%s{", prom_metric_now(PROM_READS));
	put_labels(&b, ask);
	buf_printf(&b, "}[%s]", window);
	return (struct promql_query){.expr = finish(&b, a), .end_s = ask->end_s};
}

struct promql_query
promql_devices(const struct promql_ask *ask, struct arena *a)
{
	struct buf b;
	buf_init(&b, 1 << 16);
	buf_printf(&b, "count by (device, instance) (%s)", prom_metric_now(PROM_READS));
	return (struct promql_query){.expr = finish(&b, a), .end_s = ask->end_s};
}

int
promql_check(const struct promql_ask *ask, struct err *err)
{
	if (ask->step_s > 0 && ask->range_s / ask->step_s > PROMQL_POINTS_MAX)
		return err_set(err, ERR_RANGE,
			"--range %.6g s with --step %.6g s are %.0f points, and a store gives at "
			"most %d of a "
			"series: a step of %.0f s or more",
			ask->range_s, ask->step_s, ceil(ask->range_s / ask->step_s),
			PROMQL_POINTS_MAX, ceil(ask->range_s / PROMQL_POINTS_MAX));
	if (ask->step_s > ask->range_s)
		return err_set(err, ERR_RANGE, "--step %.6g s is longer than --range %.6g s",
			ask->step_s, ask->range_s);
	return 0;
}

/* Seconds of the points of one series of a matrix into at[0..most]. */
static size_t
times_of(struct jval series, double *at, size_t most)
{
	size_t n = 0;
	struct jval p = json_first(json_get(series, "values"));
	for (; json_type(p) != JSON_ABSENT && n < most; p = json_next(p)) {
		double s = json_number(json_first(p));
		if (isfinite(s) && (n == 0 || s > at[n - 1]))
			at[n++] = s;
	}
	return n;
}

int
promql_probe_read(
	const char *name, const char *text, size_t n, struct promql_scrape *out, struct err *err)
{
	enum { MOST = 1000 };
	struct json_doc *doc = NULL;
	int rc = json_parse(name, text, n, &doc, err);
	if (rc)
		return rc;
	struct jval result = json_get(json_get(json_root(doc), "data"), "result");
	*out = (struct promql_scrape){NAN, 0};
	struct jval s = json_first(result);
	for (; json_type(s) != JSON_ABSENT; s = json_next(s), out->n_series++) {
		double at[MOST];
		double step = evidence_spacing_s(at, times_of(s, at, MOST));
		/* the finest of several: each keeps its own */
		if (step > 0 && !(step >= out->interval_s))
			out->interval_s = step;
	}
	/* scrapes are milliseconds early or late; what was configured is a round number */
	double round_s = round(out->interval_s);
	if (fabs(out->interval_s - round_s) < 0.05 * out->interval_s)
		out->interval_s = round_s;
	json_free(doc);
	if (out->n_series == 0)
		return err_set(err, ERR_NOT_FOUND, "%s: no series", name);
	if (isnan(out->interval_s))
		return err_set(err, ERR_UNSUPPORTED,
			"%s: one scrape only in that time: no rate can be had; ask for a longer "
			"--range",
			name);
	return 0;
}

int
promql_devices_read(const char *name, const char *text, size_t n, struct buf *out, struct err *err)
{
	enum { TOLD = 12 };
	struct json_doc *doc = NULL;
	int rc = json_parse(name, text, n, &doc, err);
	if (rc)
		return rc;
	size_t i = 0;
	struct jval s = json_first(json_get(json_get(json_root(doc), "data"), "result"));
	for (; json_type(s) != JSON_ABSENT; s = json_next(s), i++) {
		struct jval metric = json_get(s, "metric");
		const char *device = json_text(json_get(metric, "device"));
		const char *instance = json_text(json_get(metric, "instance"));
		if (i < TOLD)
			buf_printf(out, "%s%.60s of %.60s", i ? ", " : "", device ? device : "?",
				instance ? instance : "?");
	}
	if (i > TOLD)
		buf_printf(out, " and %zu more", i - TOLD);
	json_free(doc);
	return 0;
}

/* rate(NAME{...}[WINDOW]) */
static void
put_rate(struct buf *b, int column, const struct promql_ask *ask, double window_s)
{
	char window[32];
	promql_duration(window_s, window);
	buf_printf(b, "rate(%s{", prom_metric_now(column));
	put_labels(b, ask);
	buf_printf(b, "}[%s])", window);
}

/* The labels that say what an answer is of. */
static void
put_marks(struct buf *b, const char *figure, double window_s, const char *stat)
{
	buf_printf(b, ",\"%s\",\"%s\",\"\",\"\"),\"%s\",\"%.6g\",\"\",\"\")", PROM_LABEL_FIGURE,
		figure, PROM_LABEL_WINDOW, window_s);
	if (stat)
		buf_printf(b, ",\"%s\",\"%s\",\"\",\"\")", PROM_LABEL_STAT, stat);
}

static const char *
mean_expr(const struct promql_ask *ask, int column, double step_s, struct arena *a)
{
	struct buf b;
	buf_init(&b, 1 << 16);
	buf_put(&b, "label_replace(label_replace(");
	put_rate(&b, column, ask, step_s);
	put_marks(&b, prom_column_word(column), step_s, NULL);
	return finish(&b, a);
}

static const char *
level_expr(const struct promql_ask *ask, int level, int stat, double fine_s, struct arena *a)
{
	struct buf b;
	char range[32], fine[32];
	buf_init(&b, 1 << 16);
	promql_duration(ask->range_s, range);
	promql_duration(fine_s, fine);
	buf_put(&b, "label_replace(label_replace(label_replace(");
	if (stat == PROM_MAX)
		buf_put(&b, "max_over_time((");
	else
		buf_printf(&b, "quantile_over_time(%g,(", quantiles[stat]);
	put_rate(&b, level_of[level][0], ask, fine_s);
	if (level_of[level][1] >= 0) {
		buf_put(&b, "+");
		put_rate(&b, level_of[level][1], ask, fine_s);
	}
	buf_printf(&b, ")[%s:%s])", range, fine);
	put_marks(&b, prom_level_word(level), fine_s, prom_stat_word(stat));
	return finish(&b, a);
}

static const char *
raw_expr(const struct promql_ask *ask, struct arena *a)
{
	struct buf b;
	char range[32];
	buf_init(&b, 1 << 16);
	promql_duration(ask->range_s, range);
	buf_put(&b, "{__name__=~\"");
	for (size_t i = 0; i < N_COLUMNS; i++)
		buf_printf(&b, "%s%s", i ? "|" : "", prom_metric_now(columns[i]));
	buf_put(&b, "\",");
	put_labels(&b, ask);
	buf_printf(&b, "}[%s]", range);
	return finish(&b, a);
}

/* The shortest usual step of at most that many points, none shorter than `least`. */
static double
choose_step(double range_s, double least_s, double points)
{
	static const double usual[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
		7200, 10800, 21600, 43200, 86400};
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (usual[i] >= least_s && range_s / usual[i] <= points)
			return usual[i];
	}
	return fmax(ceil(range_s / points), least_s);
}

static int
plan_steps(const struct promql_ask *ask, const struct promql_scrape *scrape, struct arena *a,
	struct promql_plan *out, struct err *err)
{
	double points = fmin(STEP_POINTS, STEP_VALUES_MAX / (double)scrape->n_series);
	double least_s = FINE * scrape->interval_s;
	out->fine_s = choose_step(ask->range_s, least_s, FINE_POINTS);
	out->step_s = ask->step_s > 0
			      ? ask->step_s
			      : choose_step(ask->range_s, least_s, fmax(points, STEP_POINTS_LEAST));
	if (out->step_s < least_s)
		return err_set(err, ERR_RANGE,
			"--step %.6g s: a mean needs two scrapes, which are %.6g s apart here: "
			"%.6g s or more",
			out->step_s, scrape->interval_s, least_s);
	out->n_points = (size_t)floor(ask->range_s / out->step_s + 1e-9);
	out->items = arena_array(
		a, N_COLUMNS + EVIDENCE_LEVEL_COUNT * PROM_STATS, sizeof(*out->items));
	if (!out->items)
		return err_nomem(err);
	struct promql_query each = {.range = true,
		.end_s = ask->end_s,
		.step_s = out->step_s,
		.start_s = ask->end_s - (double)(out->n_points - 1) * out->step_s};
	for (size_t i = 0; i < N_COLUMNS; i++) {
		each.expr = mean_expr(ask, columns[i], out->step_s, a);
		out->items[out->n++] = each;
	}
	for (int i = 0; i < EVIDENCE_LEVEL_COUNT * PROM_STATS; i++)
		out->items[out->n++] = (struct promql_query){.end_s = ask->end_s,
			.expr = level_expr(ask, i / PROM_STATS, i % PROM_STATS, out->fine_s, a)};
	for (size_t i = 0; i < out->n; i++) {
		if (!out->items[i].expr)
			return err_nomem(err);
	}
	return 0;
}

int
promql_plan(const struct promql_ask *ask, const struct promql_scrape *scrape, struct arena *a,
	struct promql_plan *out, struct err *err)
{
	double scrapes = ask->range_s / scrape->interval_s;
	bool few = scrapes <= PROMQL_POINTS_MAX &&
		   scrapes * (double)scrape->n_series * N_COLUMNS <= RAW_VALUES_MAX;
	bool finest = ask->step_s > 0 && ask->step_s <= scrape->interval_s;
	*out = (struct promql_plan){.step_s = scrape->interval_s, .fine_s = scrape->interval_s};
	if (!few || (ask->step_s > 0 && !finest))
		return plan_steps(ask, scrape, a, out, err);
	out->raw = true;
	out->n_points = (size_t)scrapes;
	out->items = arena_alloc(a, sizeof(*out->items));
	if (!out->items)
		return err_nomem(err);
	out->items[0] = (struct promql_query){.expr = raw_expr(ask, a), .end_s = ask->end_s};
	out->n = 1;
	return out->items[0].expr ? 0 : err_nomem(err);
}

void
promql_plan_say(const struct promql_plan *plan, const struct promql_scrape *scrape,
	const char *where, struct findings *out)
{
	if (plan->raw)
		findings_add(out, SEVERITY_NOTE, "prometheus-resolution", NULL,
			"%s: %zu series, scraped every %.6g s: counters as scraped, some %zu each; "
			"peaks shorter "
			"than %.6g s do not show",
			where, scrape->n_series, scrape->interval_s, plan->n_points, plan->step_s);
	else
		findings_add(out, SEVERITY_NOTE, "prometheus-resolution", NULL,
			"%s: %zu series, scraped every %.6g s: means over %.6g s, %zu each; p50, "
			"p95, p99 and max "
			"of rates over %.6g s, worked out by the store (between neighbours, not by "
			"nearest "
			"rank)",
			where, scrape->n_series, scrape->interval_s, plan->step_s, plan->n_points,
			plan->fine_s);
}

static void
put_encoded(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (isalnum(c) || strchr("-_.~", c))
			buf_putc(out, *text);
		else
			buf_printf(out, "%%%02X", c);
	}
}

void
promql_url(const char *base, const struct promql_query *q, struct buf *out)
{
	size_t n = strlen(base);
	while (n && base[n - 1] == '/')
		n--;
	buf_putn(out, base, n);
	buf_put(out, q->range ? "/api/v1/query_range?query=" : "/api/v1/query?query=");
	put_encoded(out, q->expr);
	if (q->range)
		buf_printf(out, "&start=%.3f&end=%.3f&step=%.6g", q->start_s, q->end_s, q->step_s);
	else
		buf_printf(out, "&time=%.3f", q->end_s);
}
