/*
 * evidence_prometheus.c - answers of /api/v1/query and /api/v1/query_range, saved or just fetched: raw counters
 * of node_exporter, rates (when their query is known, or our own labels say), buckets of histograms.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workload/bucket_rows.h"
#include "workload/evidence_reader.h"
#include "workload/prom_fault.h"
#include "workload/prom_metric.h"

enum { HEAD_B = 4096 };

/* One answer being read. */
struct reading {
	const struct evidence_input *in;
	struct evidence *e;
	struct err *err;
	const char *file;
	struct bucket_rows *buckets;
	size_t first_track, n_used, n_other, n_nan, n_nameless, n_again;
	const char *other; /* the first metric that is none of disks */
	double worst; /* highest of what has no name: for the message */
	struct evidence_figures figures; /* values that are none */
	const char *field; /* whose */
};

static bool
probe(const struct evidence_input *in)
{
	size_t n = in->n < HEAD_B ? in->n : HEAD_B, i = 0;
	while (i < n && strchr(" \t\r\n", in->text[i]))
		i++;
	if (i == n || in->text[i] != '{')
		return false;
	return memmem(in->text, n, "\"status\"", 8) &&
	       (memmem(in->text, n, "\"resultType\"", 12) || memmem(in->text, n, "\"error\"", 7) ||
		       memmem(in->text, n, "\"errorType\"", 11));
}

/* [time, "value"]; false when either is none, or the time is after the year 5000.  NaN and Inf are values. */
static bool
read_point(struct jval pair, double *at_s, double *value)
{
	struct jval first = json_first(pair), second = json_next(first);
	const char *text = json_text(second);
	char *end = NULL;
	*at_s = json_number(first);
	*value = text ? strtod(text, &end) : json_number(second);
	bool good = json_type(first) == JSON_NUMBER && *at_s >= 0 && *at_s < 1e11;
	return good && (text ? end != text && *end == '\0' : json_type(second) == JSON_NUMBER);
}

/* Each point of a series: "values" of a matrix, "value" of a vector. */
typedef int on_point(struct evidence *e, void *to, double at_s, double value);

static bool
is_figure(struct reading *r, struct jval pair, double value)
{
	size_t line, column;
	json_place(pair, &line, &column);
	return !isnan(evidence_figure_value(&r->figures, line, r->field, value));
}

static int
each_point(struct reading *r, struct jval item, on_point *put, void *to)
{
	struct jval one = json_get(item, "value"), list = json_get(item, "values");
	bool single = json_type(one) == JSON_ARRAY;
	struct jval pair = single ? one : json_first(list);
	for (; json_type(pair) != JSON_ABSENT; pair = json_next(pair)) {
		double at_s = NAN, value = NAN;
		if (!read_point(pair, &at_s, &value))
			return json_fail(pair, r->err, ERR_PARSE,
				"a point is [seconds since 1970, \"value\"]");
		if (!isfinite(value))
			r->n_nan++;
		else if (is_figure(r, pair, value) && put(r->e, to, at_s, value))
			return err_nomem(r->err);
		if (single)
			break;
	}
	return 0;
}

static int
put_track(struct evidence *e, void *track, double at_s, double value)
{
	return evidence_track_put(e, track, at_s, value);
}

static const char *
copy_label(struct reading *r, struct jval metric, const char *name)
{
	const char *text = json_text(json_get(metric, name));
	return text ? arena_strdup(r->e->arena, text) : NULL;
}

static bool
same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/*
 * Whether the last track is of the disk, machine and figure of the one before it: two jobs or replicas that watch the
 * same.  Answers are sorted by label, so they are neighbours.
 */
static bool
is_again(const struct reading *r)
{
	const struct evidence_track *t = &r->e->tracks[r->e->n_tracks - 1], *before = t - 1;
	return r->e->n_tracks >= r->first_track + 2 && t->device && same(t->host, before->host) &&
	       same(t->device, before->device) && t->column == before->column &&
	       t->window_s == before->window_s;
}

/* A series of one figure of a disk. */
static int
read_figure(struct reading *r, struct jval item, const struct prom_expression *what)
{
	struct jval metric = json_get(item, "metric");
	struct evidence_track *t = evidence_add_track(r->e);
	if (!t)
		return err_nomem(r->err);
	t->reader = &evidence_prometheus;
	t->file = r->file;
	t->host = copy_label(r, metric, "instance");
	t->device = copy_label(r, metric, "device");
	if (!t->device)
		t->device = copy_label(r, metric, "volume"); /* windows_exporter */
	t->scope = t->device ? prom_scope(t->device) : EVIDENCE_MACHINE;
	t->column = what->column;
	t->window_s = what->window_s;
	if (is_again(r)) {
		r->e->n_tracks--;
		r->n_again++;
		return 0;
	}
	size_t index = r->e->n_tracks - 1;
	int rc = each_point(r, item, put_track, t);
	t = &r->e->tracks[index];
	for (size_t i = 0; i < t->n; i++)
		t->value[i] *= what->factor;
	r->n_used += rc == 0;
	return rc;
}

/* What our own labels say of a series; false when it has none. */
static bool
own_labels(struct jval metric, struct prom_expression *what)
{
	const char *figure = json_text(json_get(metric, PROM_LABEL_FIGURE));
	const char *window = json_text(json_get(metric, PROM_LABEL_WINDOW));
	if (!figure || !window)
		return false;
	what->column = prom_label_column(figure, json_text(json_get(metric, PROM_LABEL_STAT)));
	what->window_s = prom_seconds(window, strlen(window));
	what->factor = 1;
	return what->column >= 0 && isfinite(what->window_s);
}

static int
put_worst(struct evidence *e, void *reading, double at_s, double value)
{
	struct reading *r = reading;
	(void)e;
	(void)at_s;
	if (!(value <= r->worst))
		r->worst = value;
	return 0;
}

/* A bucket of a histogram (le NULL: its sum): its row is kept until the answer is through. */
static int
read_bucket(struct reading *r, struct jval item, const char *name, const char *le)
{
	char *end = NULL;
	double edge_s = le ? strtod(le, &end) : (double)NAN;

	struct jval metric = json_get(item, "metric");
	struct bucket_row *row = bucket_rows_add(r->buckets);
	if (!row)
		return err_nomem(r->err);
	row->name = name;
	row->host = json_text(json_get(metric, "instance"));
	struct buf key;
	buf_init(&key, 1 << 16);
	for (struct jval l = json_first(metric); json_type(l) != JSON_ABSENT; l = json_next(l)) {
		if (strcmp(json_key(l), "le") != 0 && strcmp(json_key(l), "__name__") != 0)
			buf_printf(&key, "%s=%s,", json_key(l), json_text(l) ? json_text(l) : "");
	}
	row->labels = arena_strdup(r->e->arena, buf_text(&key));
	buf_fini(&key);
	row->edge_s = edge_s;
	if (!row->labels)
		return err_nomem(r->err);
	if (le && (end == le || *end || isnan(edge_s)))
		return json_fail(json_get(metric, "le"), r->err, ERR_PARSE,
			"\"%s\" is no edge of a bucket", le);
	r->n_used++;
	return each_point(r, item, bucket_row_put, row);
}

static int
read_item(struct reading *r, struct jval item)
{
	struct jval metric = json_get(item, "metric");
	const char *name = json_text(json_get(metric, "__name__"));
	const char *le = json_text(json_get(metric, "le"));
	struct prom_expression what = {0, 0, 1};
	r->field = name ? name : "a value";
	if (json_type(metric) != JSON_OBJECT)
		return json_fail(
			item, r->err, ERR_PARSE, "a series has a \"metric\" with its labels");
	if (le || (name && bucket_is_sum(name)))
		return read_bucket(r, item, name, le);
	if (own_labels(metric, &what))
		return read_figure(r, item, &what);
	const struct prom_metric *known = name ? prom_metric_find(name, strlen(name)) : NULL;
	if (known) {
		what = (struct prom_expression){known->column, 0, known->factor};
		return read_figure(r, item, &what);
	}
	if (!name && r->in->options && r->in->options->query) {
		r->e->query_used = true;
		int rc = prom_expression_read(r->in->options->query, &what, r->err);
		return rc ? rc : read_figure(r, item, &what);
	}
	if (!name) {
		r->n_nameless++;
		return each_point(r, item, put_worst, r);
	}
	r->n_other++;
	if (!r->other)
		r->other = name;
	return 0;
}

/* Nothing of the answer can be used: why not. */
static int
useless(const struct reading *r, struct jval result)
{
	if (json_count(result) == 0)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: the store answers with no series: nothing matches the query at that "
			"time; "
			"check its labels (device, instance) and its range",
			r->file);
	if (r->n_nameless && isfinite(r->worst))
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: %zu series without a metric name (an expression gave them; highest "
			"value "
			"%.6g): say which with --query 'rate(NAME[5m])'; percentiles of a "
			"histogram "
			"cannot be put together again: ask for its buckets",
			r->file, r->n_nameless, r->worst);
	if (r->n_nameless)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: every value is NaN or infinite: the expression has nothing to divide "
			"by in "
			"that time",
			r->file);
	return err_set(r->err, ERR_UNSUPPORTED,
		"%s: no metric of disks or histogram in it (first: %.100s); known: %s and its like",
		r->file, r->other ? r->other : "none", prom_metric_now(PROM_READS));
}

/* Stores that lost a part answer all the same, and say so. */
static void
say_warnings(struct reading *r, struct jval root)
{
	struct jval list = json_get(root, "warnings");
	for (struct jval w = json_first(list); json_type(w) != JSON_ABSENT; w = json_next(w)) {
		if (json_text(w))
			findings_add(&r->e->findings, SEVERITY_WARNING, "partial-answer",
				"ask again when all parts of the store are there",
				"%s: the store warns that its answer may be partial: %.300s",
				r->file, json_text(w));
	}
}

static void
say_left_out(struct reading *r)
{
	evidence_figures_say(&r->figures, r->file, &r->e->findings);
	if (r->n_other)
		findings_add(&r->e->findings, SEVERITY_NOTE, "metrics-left-out", NULL,
			"%s: %zu series of other metrics (%.100s) are not read", r->file,
			r->n_other, r->other);
	if (r->n_nameless)
		findings_add(&r->e->findings, SEVERITY_WARNING, "no-name",
			"say which expression gave them with --query",
			"%s: %zu series have no metric name and are not read", r->file,
			r->n_nameless);
	if (r->n_again)
		findings_add(&r->e->findings, SEVERITY_WARNING, "seen-twice",
			"ask for one job or replica, or keep the first",
			"%s: %zu series are of a disk, machine and figure that another one is of "
			"(two jobs or "
			"replicas): the first of each is read",
			r->file, r->n_again);
	if (r->n_nan)
		findings_add(&r->e->findings, SEVERITY_NOTE, "not-a-number", NULL,
			"%s: %zu values are NaN or infinite and count as not known", r->file,
			r->n_nan);
}

/* Whether counts are those of each window: the query made them so. */
static bool
per_window(const struct reading *r)
{
	const char *query = r->in->options ? r->in->options->query : NULL;
	bool says = query && (strstr(query, "rate(") || strstr(query, "increase("));
	r->e->query_used |= says && bucket_rows_any(r->buckets);
	return says;
}

static int
read_result(struct reading *r, struct jval root)
{
	struct jval data = json_get(root, "data"), result = json_get(data, "result");
	const char *type = json_text(json_get(data, "resultType"));
	if (!type || json_type(result) != JSON_ARRAY)
		return json_fail(root, r->err, ERR_PARSE,
			"an answer has data.resultType and an array data.result");
	if (strcmp(type, "matrix") != 0 && strcmp(type, "vector") != 0)
		return json_fail(json_get(data, "resultType"), r->err, ERR_UNSUPPORTED,
			"resultType \"%.20s\": accepted: matrix, vector", type);
	say_warnings(r, root);
	int rc = 0;
	struct jval item = json_first(result);
	for (; rc == 0 && json_type(item) != JSON_ABSENT; item = json_next(item))
		rc = read_item(r, item);
	if (rc == 0 && r->n_used == 0)
		return useless(r, result);
	if (rc == 0)
		rc = bucket_rows_done(r->buckets, r->e, r->file, per_window(r), r->err);
	if (rc == 0)
		say_left_out(r);
	return rc;
}

static int
read_answer(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse(in->name, in->text, in->n, &doc, err);
	if (rc)
		return rc;
	struct reading r = {
		.in = in, .e = out, .err = err, .worst = NAN, .first_track = out->n_tracks};
	r.file = arena_strdup(out->arena, in->name);
	r.buckets = bucket_rows_new(out->arena);
	if (!r.file || !r.buckets)
		rc = err_nomem(err);
	else if (prom_is_fault(json_root(doc)))
		rc = prom_fault(json_root(doc), in->name, ERR_UNSUPPORTED, err);
	else
		rc = read_result(&r, json_root(doc));
	json_free(doc);
	return rc;
}

static int
finish(struct evidence *out, struct err *err)
{
	return prom_finish(out, &evidence_prometheus, err);
}

const struct evidence_reader evidence_prometheus = {"Prometheus", probe, read_answer, finish};
