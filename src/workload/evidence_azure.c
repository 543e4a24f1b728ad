/*
 * evidence_azure.c - Azure Monitor: what `az monitor metrics list`, the batch interface, PowerShell's Get-AzMetric
 * and dumps of the SDKs hold, whose keys differ in case and underscores.  Anything with "timeseries" is a metric; what is
 * around it says the interval and the resource.
 *
 * A time is the start of its interval.  Percentages of a cap stay shares of it: the cap is another's to know.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "workload/evidence_reader.h"
#include "workload/iso_time.h"
#include "workload/provider_metric.h"

enum { DEPTH_MAX = 32 };

/* What a metric is of, by the beginning of its name. */
static const struct {
	const char *prefix, *device; /* device NULL: the resource itself */
	int scope;
} families[] = {
	{"Composite Disk ", NULL, EVIDENCE_DISK},
	{"Data Disk ", "data disk", EVIDENCE_DISK},
	{"OS Disk ", "OS disk", EVIDENCE_DISK},
	{"Temp Disk ", "temp disk", EVIDENCE_DISK},
	{"VM Cached ", NULL, EVIDENCE_MACHINE},
	{"VM Uncached ", NULL, EVIDENCE_MACHINE},
	{"VM Local ", NULL, EVIDENCE_MACHINE},
	{"VM Remote ", NULL, EVIDENCE_MACHINE},
	{"Disk ", "all disks", EVIDENCE_MACHINE},
};

/* What is counted, by the rest. */
static const struct {
	const char *rest;
	int column, how;
} figures[] = {
	{"Read Operations/sec", PROVIDER_READS, PROVIDER_AS_IS},
	{"Write Operations/sec", PROVIDER_WRITES, PROVIDER_AS_IS},
	{"Read Bytes/sec", PROVIDER_READ_BYTES, PROVIDER_AS_IS},
	{"Write Bytes/sec", PROVIDER_WRITE_BYTES, PROVIDER_AS_IS},
	{"Read Bytes", PROVIDER_READ_BYTES, PROVIDER_TOTAL},
	{"Write Bytes", PROVIDER_WRITE_BYTES, PROVIDER_TOTAL},
	{"Queue Depth", PROVIDER_QUEUE, PROVIDER_AS_IS},
	{"Latency", PROVIDER_ANY_MEAN_S, PROVIDER_MS},
	{"IOPS Consumed Percentage", PROVIDER_CONSUMED, PROVIDER_PERCENT},
	{"Bandwidth Consumed Percentage", PROVIDER_CONSUMED, PROVIDER_PERCENT},
	{"Used Burst IO Credits Percentage", PROVIDER_CONSUMED, PROVIDER_PERCENT},
	{"Used Burst BPS Credits Percentage", PROVIDER_CONSUMED, PROVIDER_PERCENT},
};

enum {
	N_FAMILIES = sizeof(families) / sizeof(families[0]),
	N_FIGURES = sizeof(figures) / sizeof(figures[0])
};

/* What is around a metric. */
struct place {
	double interval_s;
	const char *resource; /* borrowed from the document */
};

struct reading {
	const struct evidence_input *in;
	struct evidence *e;
	struct err *err;
	const char *file;
	size_t n_metrics, n_used, n_empty, n_no_period, n_bad_times;
	const char *first_other; /* a metric that is not known; borrowed */
	bool other_statistic, no_lun;
	struct evidence_figures figures; /* points that are none */
};

static bool
probe(const struct evidence_input *in)
{
	return provider_is_json(in) && (provider_head_has(in, "\"timeseries\"") ||
					       (provider_head_has(in, "\"localizedValue\"") &&
						       provider_head_has(in, "\"value\"")) ||
					       provider_head_has(in, "Microsoft.Insights"));
}

/* Whether two keys are the same but for case and underscores. */
static bool
same_key(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, "_");
		b += strspn(b, "_");
		if (!*a || !*b || strncasecmp(a, b, 1) != 0)
			return !*a && !*b;
	}
}

static struct jval
field(struct jval object, const char *key)
{
	if (json_type(object) != JSON_OBJECT)
		return json_get(object, key);
	struct jval v = json_first(object);
	while (json_type(v) != JSON_ABSENT && !same_key(json_key(v), key))
		v = json_next(v);
	return v;
}

/* {"value": ..., "localizedValue": ...}, or a plain string. */
static const char *
name_of(struct jval v)
{
	const char *text = json_text(v);
	if (!text)
		text = json_text(field(v, "value"));
	return text ? text : json_text(field(v, "localizedValue"));
}

/* The value of a point: the mean where there is one.  NaN when there is none. */
static double
value_of(struct reading *r, struct jval point, int how)
{
	double average = json_number(field(point, "average"));
	double total = json_number(field(point, "total"));
	double count = json_number(field(point, "count"));
	double maximum = json_number(field(point, "maximum"));
	if (how == PROVIDER_TOTAL)
		return total;
	if (!isnan(average))
		return average;
	if (!isnan(total) && count > 0)
		return total / count;
	if (!isnan(maximum))
		r->other_statistic = true;
	return maximum;
}

static int
read_points(
	struct reading *r, struct jval data, struct evidence_track *t, const char *name, int how)
{
	size_t line, column;
	struct jval p = json_first(data);
	for (; json_type(p) != JSON_ABSENT; p = json_next(p)) {
		struct jval stamp = field(p, "timestamp");
		double at_s = json_text(stamp) ? iso_time_s(json_text(stamp)) : (double)NAN;
		double value = value_of(r, p, how);
		if (isnan(at_s) && json_type(p) == JSON_OBJECT) {
			r->n_bad_times++;
			continue;
		}
		json_place(p, &line, &column);
		if (!isfinite(value))
			r->n_empty++;
		else if (evidence_track_figure(r->e, t, at_s, &r->figures, line, name, value))
			return err_nomem(r->err);
	}
	return 0;
}

/* A dimension of a time series: "lun", "VMName", "Microsoft.ResourceId". */
static const char *
dimension(struct jval series, const char *name)
{
	struct jval list = field(series, "metadatavalues");
	for (struct jval d = json_first(list); json_type(d) != JSON_ABSENT; d = json_next(d)) {
		const char *is = name_of(field(d, "name"));
		if (is && strcasecmp(is, name) == 0)
			return json_text(field(d, "value"));
	}
	return NULL;
}

/* The name of a resource in its id: what follows the type, before what was asked of it; a copy. */
static const char *
resource_name(struct arena *a, const char *id)
{
	static const char *const types[] = {
		"/virtualMachines/", "/disks/", "/virtualMachineScaleSets/"};
	for (size_t i = 0; id && i < sizeof(types) / sizeof(types[0]); i++) {
		const char *at = strcasestr(id, types[i]);
		if (!at)
			continue;
		at += strlen(types[i]);
		return arena_strndup(a, at, strcspn(at, "/"));
	}
	return NULL;
}

struct metric {
	size_t family, figure;
	const char *name;
};

/* What a metric's name means: false when it is not known here. */
static bool
understand(const char *name, struct metric *m)
{
	m->name = name;
	for (m->family = 0; m->family < N_FAMILIES; m->family++) {
		size_t n = strlen(families[m->family].prefix);
		if (strncasecmp(name, families[m->family].prefix, n) != 0)
			continue;
		for (m->figure = 0; m->figure < N_FIGURES; m->figure++) {
			if (strcasecmp(name + n, figures[m->figure].rest) == 0)
				return true;
		}
	}
	return false;
}

static int
name_track(struct reading *r, struct evidence_track *t, const struct metric *m, struct jval series,
	const struct place *at)
{
	struct arena *a = r->e->arena;
	const char *lun = dimension(series, "lun"), *vm = dimension(series, "VMName");
	const char *one = dimension(series, "Microsoft.ResourceId");
	const char *resource = resource_name(a, one ? one : at->resource);
	const char *device = families[m->family].device;
	t->scope = families[m->family].scope;
	/* of a machine's disks: "inclusive of IOPs read from the cache" (learn.microsoft.com, disks-metrics) */
	t->before_cache = device != NULL;
	t->host = vm ? arena_strdup(a, vm) : resource;
	t->device = device;
	if (!device && t->scope == EVIDENCE_DISK) {
		t->host = NULL;
		t->device = resource ? resource : "disk";
	} else if (device && lun) {
		t->device = arena_printf(a, "%s LUN %s", device, lun);
	} else if (device && strcmp(device, "data disk") == 0) {
		t->device = "data disks, mean";
		t->scope = EVIDENCE_STACKED;
		r->no_lun = true;
	}
	if (figures[m->figure].column == PROVIDER_CONSUMED) {
		const char *end = strcasestr(m->name, " Consumed");
		t->metric = arena_strndup(
			a, m->name, end ? (size_t)(end - m->name) : strlen(m->name));
	}
	return t->device || t->scope == EVIDENCE_MACHINE ? 0 : err_nomem(r->err);
}

static int
read_series(struct reading *r, const struct metric *m, struct jval series, const struct place *at)
{
	struct evidence_track *t = evidence_add_track(r->e);
	if (!t)
		return err_nomem(r->err);
	t->reader = &evidence_azure;
	t->file = r->file;
	t->column = figures[m->figure].column;
	int how = figures[m->figure].how, rc = name_track(r, t, m, series, at);
	double otherwise = r->in->options ? r->in->options->interval_s : (double)NAN;
	if (rc == 0)
		rc = read_points(r, field(series, "data"), t, m->name, how);
	if (rc == 0 && t->n && !provider_track_done(t, how, at->interval_s, otherwise))
		r->n_no_period++;
	r->n_used += rc == 0 && t->n > 0;
	return rc;
}

static int
read_cpu(struct reading *r, struct jval series, const struct place *at)
{
	struct evidence_track *t = evidence_add_track(r->e);
	if (!t)
		return err_nomem(r->err);
	t->reader = &evidence_azure;
	t->file = r->file;
	t->column = PROVIDER_CPU;
	t->metric = "CPU";
	t->scope = EVIDENCE_MACHINE;
	t->host = resource_name(r->e->arena, at->resource);
	int rc = read_points(r, field(series, "data"), t, "Percentage CPU", PROVIDER_PERCENT);
	if (rc == 0 && t->n && !provider_track_done(t, PROVIDER_PERCENT, at->interval_s, NAN))
		r->n_no_period++;
	r->n_used += rc == 0 && t->n > 0;
	return rc;
}

static void
say_failed(struct reading *r, struct jval v, const char *name)
{
	const char *code = json_text(field(v, "errorCode"));
	const char *words = json_text(field(v, "errorMessage"));
	if (code && strcasecmp(code, "Success") != 0)
		findings_add(&r->e->findings, SEVERITY_WARNING, "azure-error",
			"ask for it by itself, with a metric and a dimension that the resource has",
			"%s: %s: Azure Monitor answers %.100s%s%.200s", r->file, name, code,
			words ? ": " : "", words ? words : "");
}

static int
read_metric(struct reading *r, struct jval v, struct place at)
{
	const char *name = name_of(field(v, "name")), *id = json_text(field(v, "id"));
	struct metric m = {.name = ""};
	name = name ? name : "a metric without a name";
	at.resource = id ? id : at.resource;
	r->n_metrics++;
	say_failed(r, v, name);
	bool cpu = strcasecmp(name, "Percentage CPU") == 0;
	if (!cpu && !understand(name, &m)) {
		if (!r->first_other)
			r->first_other = name;
		return 0;
	}
	int rc = 0;
	struct jval s = json_first(field(v, "timeseries"));
	for (; rc == 0 && json_type(s) != JSON_ABSENT; s = json_next(s))
		rc = cpu ? read_cpu(r, s, &at) : read_series(r, &m, s, &at);
	return rc;
}

/* Every metric in a value of whatever shape. */
static int
walk(struct reading *r, struct jval v, struct place at, int depth)
{
	int rc = 0;
	if (json_type(v) == JSON_OBJECT) {
		const char *interval = json_text(field(v, "interval"));
		const char *resource = json_text(field(v, "resourceid"));
		if (interval)
			at.interval_s = iso_duration_s(interval);
		at.resource = resource ? resource : at.resource;
		if (json_type(field(v, "timeseries")) == JSON_ARRAY)
			return read_metric(r, v, at);
	}
	if (depth == DEPTH_MAX || (json_type(v) != JSON_OBJECT && json_type(v) != JSON_ARRAY))
		return 0;
	for (struct jval i = json_first(v); rc == 0 && json_type(i) != JSON_ABSENT;
		i = json_next(i))
		rc = walk(r, i, at, depth + 1);
	return rc;
}

static void
say(struct reading *r)
{
	struct findings *f = &r->e->findings;
	evidence_figures_say(&r->figures, r->file, f);
	if (r->first_other)
		findings_add(f, SEVERITY_NOTE, "metrics-left-out", NULL,
			"%s: metrics that are none of disks (%.100s) are not read", r->file,
			r->first_other);
	if (r->n_empty)
		findings_add(f, SEVERITY_NOTE, "empty-points", NULL,
			"%s: %zu points have no value (the last minutes often have none yet): not "
			"known, "
			"not 0",
			r->file, r->n_empty);
	if (r->n_no_period)
		findings_add(f, SEVERITY_WARNING, "no-interval",
			"say it with --interval, or ask with --interval PT1M for more than one "
			"point",
			"%s: %zu series of one point do not say their interval and are left out",
			r->file, r->n_no_period);
	if (r->n_bad_times)
		findings_add(f, SEVERITY_WARNING, "bad-times", NULL,
			"%s: %zu points have no time and are left out", r->file, r->n_bad_times);
	if (r->other_statistic)
		findings_add(f, SEVERITY_WARNING, "maximum", "ask with --aggregation Average",
			"%s: some points have a maximum and no mean: the maximum is taken",
			r->file);
	if (r->no_lun)
		findings_add(f, SEVERITY_WARNING, "mean-of-disks",
			"ask with --filter \"LUN eq '*'\"",
			"%s: figures of data disks are not split by LUN: a mean over the disks "
			"hides busy "
			"ones behind idle ones",
			r->file);
}

static int
refuse(const struct reading *r, struct jval root)
{
	struct jval e = field(root, "error");
	struct jval at = json_type(e) == JSON_OBJECT ? e : root;
	const char *code = json_text(field(at, "code")), *text = json_text(field(at, "message"));
	if (r->n_metrics == 0 && code && text)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: Azure answers %.100s: %.300s; correct the request", r->file, code,
			text);
	if (r->n_metrics == 0)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: Azure Monitor's form, and no metric in it", r->file);
	if (r->first_other && r->n_used == 0 && r->n_no_period + r->n_empty == 0)
		return err_set(r->err, ERR_UNSUPPORTED,
			"%s: no metric of disks in it (first: %.100s); known: Composite Disk Read "
			"Operations/sec, Data Disk Read Bytes/sec, VM Uncached IOPS Consumed "
			"Percentage "
			"and their like",
			r->file, r->first_other);
	return err_set(r->err, ERR_UNSUPPORTED, "%s: %zu metrics without a value: %s", r->file,
		r->n_metrics,
		r->n_bad_times   ? "no point has a timeStamp as in 2026-03-02T10:00:00Z"
		: r->n_no_period ? "one point does not say its interval: give it with --interval"
				 : "the resource did nothing in that time, or was not there");
}

static int
read_azure(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_parse(in->name, in->text, in->n, &doc, err);
	if (rc)
		return rc;
	struct reading r = {.in = in, .e = out, .err = err};
	r.file = arena_strdup(out->arena, in->name);
	rc = r.file ? walk(&r, json_root(doc), (struct place){NAN, NULL}, 0) : err_nomem(err);
	if (rc == 0 && r.n_used == 0)
		rc = refuse(&r, json_root(doc));
	if (rc == 0)
		say(&r);
	json_free(doc);
	return rc;
}

static int
finish(struct evidence *out, struct err *err)
{
	return provider_finish(out, &evidence_azure, err);
}

const struct evidence_reader evidence_azure = {"Azure Monitor", probe, read_azure, finish};
