/*
 * evidence_cloudwatch.c - CloudWatch: get-metric-data (one result for each query, newest first) and
 * get-metric-statistics (points in no order).
 *
 * A time is the start of its period.  Neither answer says its period: it is the usual step between points.
 * get-metric-data does not say its statistic either: totals are taken as Sum.
 */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "workload/aws_metric.h"
#include "workload/evidence_reader.h"
#include "workload/iso_time.h"

struct reading {
	const struct evidence_input *in;
	struct evidence *e;
	struct err *err;
	const char *file;
	size_t first_track, n_results, n_used, n_wrong_statistic, n_bad;
	const char *first_other, *wrong_statistic;
	struct evidence_figures figures; /* points that are none */
};

static bool
probe(const struct evidence_input *in)
{
	return provider_is_json(in) && (provider_head_has(in, "\"MetricDataResults\"") ||
					       provider_head_has(in, "\"Datapoints\""));
}

static double
time_of(struct jval v)
{
	const char *text = json_text(v);
	return text ? iso_time_s(text) : json_number(v);
}

/* What is left of a label without the metric's name: the volume; NULL when nothing is. */
static const char *
device_of(struct arena *a, const char *label, const char *at, const struct aws_metric *m)
{
	static const char *const between = " \t:/()[]{},;|.";
	const char *behind = at + strlen(m->name);
	size_t n = (size_t)(at - label);
	while (n && strchr(between, label[n - 1]))
		n--;
	while (n && strchr(between, *label)) {
		label++;
		n--;
	}
	behind += strspn(behind, between);
	size_t n_behind = strcspn(behind, between);
	if (n)
		return arena_strndup(a, label, n);
	return n_behind ? arena_strndup(a, behind, n_behind) : NULL;
}

/* A track for what a label means; NULL, and said, when it means nothing here.  *nomem. */
static struct evidence_track *
track_for(struct reading *r, const char *label, const char *id, const struct aws_metric **m,
	bool *nomem)
{
	const char *at = label, *told = r->in->options ? r->in->options->metric : NULL;
	*nomem = false;
	*m = aws_metric_in(label, &at);
	if (!*m && id)
		*m = aws_metric_in(id, NULL);
	if (!*m && told) {
		*m = aws_metric_in(told, NULL);
		r->e->metric_used = true;
	}
	if (!*m) {
		if (!r->first_other)
			r->first_other = label;
		return NULL;
	}
	bool in_label = strncmp(at, (*m)->name, strlen((*m)->name)) == 0;
	struct evidence_track *t = evidence_add_track(r->e);
	*nomem = !t;
	if (!t)
		return NULL;
	aws_metric_track(*m, t);
	t->reader = &evidence_cloudwatch;
	t->file = r->file;
	t->device = in_label ? device_of(r->e->arena, label, at, *m) : NULL;
	if (!t->device && t->scope == EVIDENCE_DISK)
		t->device = "volume";
	return t;
}

/* One result of get-metric-data: arrays of times and values side by side. */
static int
read_arrays(
	struct reading *r, struct jval result, struct evidence_track *t, const struct aws_metric *m)
{
	struct jval time = json_first(json_get(result, "Timestamps"));
	struct jval value = json_first(json_get(result, "Values"));
	for (; json_type(time) != JSON_ABSENT && json_type(value) != JSON_ABSENT;
		time = json_next(time), value = json_next(value)) {
		double at_s = time_of(time), v = json_number(value);
		size_t line, column;
		json_place(value, &line, &column);
		if (!isfinite(at_s) || !isfinite(v))
			r->n_bad++;
		else if (evidence_track_figure(r->e, t, at_s, &r->figures, line, m->name, v))
			return err_nomem(r->err);
	}
	if (json_type(time) != JSON_ABSENT || json_type(value) != JSON_ABSENT)
		return json_fail(result, r->err, ERR_PARSE,
			"%zu time stamps and %zu values: as many of each are needed",
			json_count(json_get(result, "Timestamps")),
			json_count(json_get(result, "Values")));
	return 0;
}

static void
say_status(struct reading *r, struct jval result, const char *label)
{
	const char *status = json_text(json_get(result, "StatusCode"));
	if (status && strcmp(status, "Complete") != 0)
		findings_add(&r->e->findings, SEVERITY_WARNING, "partial-data",
			"ask again, for a shorter time or with the next token",
			"%s: %s: CloudWatch says %.40s: points are missing, and count as not known",
			r->file, label, status);
	struct jval m = json_first(json_get(result, "Messages"));
	for (; json_type(m) != JSON_ABSENT; m = json_next(m))
		findings_add(&r->e->findings, SEVERITY_WARNING, "cloudwatch-message", NULL,
			"%s: %s: %.100s", r->file, label,
			json_text(json_get(m, "Value")) ? json_text(json_get(m, "Value")) : "?");
}

static int
read_result(struct reading *r, struct jval result)
{
	const char *label = json_text(json_get(result, "Label"));
	const char *id = json_text(json_get(result, "Id"));
	const struct aws_metric *m = NULL;
	bool nomem = false;
	label = label ? label : id ? id : "a result without a label";
	r->n_results++;
	say_status(r, result, label);
	struct evidence_track *t = track_for(r, label, id, &m, &nomem);
	if (!t)
		return nomem ? err_nomem(r->err) : 0;
	r->n_used++;
	return read_arrays(r, result, t, m);
}

static int
read_data(struct reading *r, struct jval root)
{
	struct jval list = json_get(root, "MetricDataResults");
	int rc = 0;
	for (struct jval v = json_first(list); rc == 0 && json_type(v) != JSON_ABSENT;
		v = json_next(v))
		rc = read_result(r, v);
	for (struct jval v = json_first(json_get(root, "Messages")); json_type(v) != JSON_ABSENT;
		v = json_next(v))
		findings_add(&r->e->findings, SEVERITY_WARNING, "cloudwatch-message", NULL,
			"%s: %.100s", r->file,
			json_text(json_get(v, "Value")) ? json_text(json_get(v, "Value")) : "?");
	if (json_text(json_get(root, "NextToken")))
		findings_add(&r->e->findings, SEVERITY_WARNING, "next-token",
			"read the other pages too (the aws command does so unless --no-paginate is "
			"given)",
			"%s: has a NextToken: this is one page of several", r->file);
	return rc;
}

/* The statistic a metric needs, of one point; NaN, and counted, when only others are there. */
static double
statistic_of(struct reading *r, const struct aws_metric *m, struct jval point)
{
	double sum = json_number(json_get(point, "Sum"));
	double average = json_number(json_get(point, "Average"));
	double maximum = json_number(json_get(point, "Maximum"));
	double count = json_number(json_get(point, "SampleCount"));
	double value = m->statistic == AWS_SUM       ? sum
		       : m->statistic == AWS_AVERAGE ? average
						     : maximum;
	if (isnan(value) && m->statistic == AWS_SUM)
		return average * count;
	if (isnan(value) && m->statistic == AWS_MAXIMUM)
		return isnan(average) ? sum : average; /* a flag: above 0 is set */
	if (isnan(value) && !isnan(maximum)) {
		r->n_wrong_statistic++;
		r->wrong_statistic = m->name;
		return maximum;
	}
	return value;
}

static int
read_statistics(struct reading *r, struct jval root)
{
	const char *label = json_text(json_get(root, "Label"));
	const struct aws_metric *m = NULL;
	bool nomem = false;
	label = label ? label : "no label";
	r->n_results = 1;
	struct evidence_track *t = track_for(r, label, NULL, &m, &nomem);
	if (!t)
		return nomem ? err_nomem(r->err) : 0;
	struct jval p = json_first(json_get(root, "Datapoints"));
	for (; json_type(p) != JSON_ABSENT; p = json_next(p)) {
		double at_s = time_of(json_get(p, "Timestamp")), v = statistic_of(r, m, p);
		if (!isfinite(at_s))
			return json_fail(p, r->err, ERR_PARSE,
				"a point has a \"Timestamp\" as in 2026-03-02T10:00:00Z");
		size_t line, column;
		json_place(p, &line, &column);
		if (!isfinite(v))
			r->n_bad++;
		else if (evidence_track_figure(r->e, t, at_s, &r->figures, line, m->name, v))
			return err_nomem(r->err);
	}
	if (t->n == 0 && r->n_bad)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: %s needs the statistic %s, which its points do not have: ask with "
			"--statistics %s",
			r->file, m->name, m->statistic == AWS_SUM ? "Sum" : "Average",
			m->statistic == AWS_SUM ? "Sum" : "Average");
	r->n_used += t->n > 0;
	return 0;
}

/* Values to figures; the period of results with one point is that of the others. */
static void
finish_tracks(struct reading *r)
{
	double told = r->in->options ? r->in->options->interval_s : (double)NAN, known = NAN;
	size_t n_without = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = r->first_track; i < r->e->n_tracks; i++) {
			struct evidence_track *t = &r->e->tracks[i];
			bool single = t->n == 1;
			if (t->n == 0 || single != (pass == 1))
				continue;
			if (provider_track_done(t, t->how, told, known))
				known = t->window_s;
			else
				n_without++;
		}
	}
	r->n_used -= n_without < r->n_used ? n_without : r->n_used;
	if (n_without)
		findings_add(&r->e->findings, SEVERITY_WARNING, "no-interval",
			"say it with --interval, or ask for more than one point",
			"%s: %zu results of one point do not say their period and are left out",
			r->file, n_without);
}

static void
say(struct reading *r)
{
	struct findings *f = &r->e->findings;
	evidence_figures_say(&r->figures, r->file, f);
	if (r->first_other)
		findings_add(f, SEVERITY_NOTE, "metrics-left-out", NULL,
			"%s: results that are none of storage (%.100s) are not read", r->file,
			r->first_other);
	if (r->n_bad)
		findings_add(f, SEVERITY_NOTE, "empty-points", NULL,
			"%s: %zu points have no time or not the value that is needed: not known, "
			"not 0",
			r->file, r->n_bad);
	if (r->n_wrong_statistic)
		findings_add(f, SEVERITY_WARNING, "maximum", "ask with --statistics Average",
			"%s: %s: %zu points have a maximum and no mean: the maximum is taken",
			r->file, r->wrong_statistic, r->n_wrong_statistic);
}

/* Nothing of it can be used: why not. */
static int
refuse(const struct reading *r)
{
	if (r->first_other)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: no result is known as one of storage (first label: %.100s); known: "
			"VolumeReadOps, VolumeWriteBytes, EBSReadOps, ReadIOPS and their like, in "
			"the label "
			"or given with --metric",
			r->file, r->first_other);
	if (r->n_results == 0)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: CloudWatch answers with no result: correct the namespace, the "
			"dimensions and "
			"the time",
			r->file);
	return err_set(r->err, ERR_UNSUPPORTED,
		"%s: no result has points of which the period is known: correct the dimensions and "
		"the "
		"time, or give the period with --interval",
		r->file);
}

static int
read_cloudwatch(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse(in->name, in->text, in->n, &doc, err);
	if (rc)
		return rc;
	struct reading r = {.in = in, .e = out, .err = err, .first_track = out->n_tracks};
	struct jval root = json_root(doc);
	r.file = arena_strdup(out->arena, in->name);
	if (!r.file)
		rc = err_nomem(err);
	else if (json_type(json_get(root, "MetricDataResults")) == JSON_ARRAY)
		rc = read_data(&r, root);
	else if (json_type(json_get(root, "Datapoints")) == JSON_ARRAY)
		rc = read_statistics(&r, root);
	else
		rc = json_fail(root, err, ERR_PARSE,
			"CloudWatch's form has an array MetricDataResults or Datapoints");
	if (rc == 0) {
		finish_tracks(&r);
		say(&r);
	}
	if (rc == 0 && r.n_used == 0)
		rc = refuse(&r);
	json_free(doc);
	return rc;
}

/* What every answer leaves open is said once. */
static int
finish(struct evidence *out, struct err *err)
{
	for (size_t i = 0; i < out->n_tracks; i++) {
		const struct evidence_track *t = &out->tracks[i];
		if (t->reader == &evidence_cloudwatch && t->n && t->how == PROVIDER_TOTAL &&
			!findings_find(&out->findings, "period-sum"))
			findings_add(&out->findings, SEVERITY_NOTE, "period-sum",
				"give the period with --interval where that is wrong",
				"%s: CloudWatch does not say period and statistic: points are sums "
				"of "
				"%.4g s, the usual step between them; what is missing is not "
				"known, not "
				"0",
				t->file, t->window_s);
	}
	return provider_finish(out, &evidence_cloudwatch, err);
}

const struct evidence_reader evidence_cloudwatch = {"CloudWatch", probe, read_cloudwatch, finish};
