#include "cli/demand_live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "price/fetch.h"
#include "workload/iso_time.h"
#include "workload/prom_fault.h"
#include "workload/prom_metric.h"

enum {
	KEY_DEVICE = 0x2100,
	KEY_INSTANCE,
	KEY_RANGE,
	KEY_STEP,
	KEY_AT,
	KEY_TIMEOUT,
	KEY_QUERY,
	KEY_METRIC,
};

enum { RANGE_S = 86400, TIMEOUT_S = 60, ANSWER_MAX_B = 96 << 20 };

static const struct argp_option option_rows[] = {
	{"device", KEY_DEVICE, "REGEX", 0,
		"Of a Prometheus-compatible store: the devices asked for, as in vda or \"sd[a-z]\" "
		"(default: all "
		"but loop, ram, zram, sr and fd)",
		2},
	{"instance", KEY_INSTANCE, "REGEX", 0,
		"The machines asked for, with or without the port (default: all)", 2},
	{"range", KEY_RANGE, "TIME", 0,
		"The time asked for, up to --at, as in 2m, 6h, 7d (default 1d)", 2},
	{"at", KEY_AT, "TIME", 0,
		"Its end: 2026-03-02T10:00:00Z, or seconds since 1970 (default: now)", 2},
	{"step", KEY_STEP, "TIME", 0,
		"Means over steps of this length, with percentiles worked out by the store "
		"(default: counters as "
		"scraped where they are few, else a step that gives about 2,000)",
		2},
	{"timeout", KEY_TIMEOUT, "TIME", 0, "Give up on an answer after this long (default 1m)", 2},
	{"query", KEY_QUERY, "PROMQL", 0,
		"Of files of Prometheus whose series have no names: the query that gave them, as "
		"in "
		"rate(node_disk_writes_completed_total[5m])",
		2},
	{"metric", KEY_METRIC, "NAME", 0,
		"Of files with one metric of CloudWatch that do not name it: which it is, as in "
		"VolumeWriteBytes",
		2},
	{0},
};

void
demand_live_init(struct demand_live *live, struct evidence_options *how)
{
	*live = (struct demand_live){.how = how,
		.ask = {NULL, NULL, (double)NAN, (double)NAN, (double)NAN},
		.timeout_s = TIMEOUT_S};
}

static double
duration(struct argp_state *state, const char *option, const char *text)
{
	double s = prom_seconds(text, strlen(text));
	if (isnan(s))
		argp_error(state, "--%s %s: a time above 0, as in 30s, 5m, 6h or 7d", option, text);
	return s;
}

static double
moment(struct argp_state *state, const char *text)
{
	char *end = NULL;
	double s = iso_time_s(text);
	if (isnan(s))
		s = strtod(text, &end);
	if ((end && (end == text || *end)) || !(s >= 0 && s < 1e11))
		argp_error(state,
			"--at %s: a time as in 2026-03-02T10:00:00Z, or seconds since 1970", text);
	return s;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct demand_live *live = state->input;
	live->given |= key >= KEY_DEVICE && key <= KEY_AT;
	switch (key) {
	case KEY_DEVICE:
		live->ask.device = arg;
		return 0;
	case KEY_INSTANCE:
		live->ask.instance = arg;
		return 0;
	case KEY_RANGE:
		live->ask.range_s = duration(state, "range", arg);
		return 0;
	case KEY_STEP:
		live->ask.step_s = duration(state, "step", arg);
		return 0;
	case KEY_AT:
		live->ask.end_s = moment(state, arg);
		return 0;
	case KEY_TIMEOUT:
		live->timeout_s = duration(state, "timeout", arg);
		return 0;
	case KEY_QUERY:
		live->how->query = arg;
		return 0;
	case KEY_METRIC:
		live->how->metric = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp demand_live_argp = {.options = option_rows, .parser = parse_option};

bool
demand_live_is_store(const struct demand_live *live, const char *url)
{
	const char *host = strstr(url, "://");
	if (!fetch_is_url(url) || strncmp(url, "file:", 5) == 0 || !host ||
		strstr(url, "/api/v1/query") || strchr(url, '?'))
		return false;
	host += 3;
	const char *path = host + strcspn(host, "/");
	return live->given || path[strspn(path, "/")] == '\0';
}

/* One store being asked. */
struct asking {
	const struct demand_live *live;
	struct promql_ask what; /* with its end and range */
	struct cli_common *common;
	struct evidence *e;
	struct fetch *fetch;
	struct buf *fault; /* body of an answer that is an error */
	const char *base;
	char where[FETCH_TOLD_SIZE];
	struct err *err;
};

/* What a failed request means, in the store's own words where it gave some. */
static int
say_failure(struct asking *q, long status, const struct err *why)
{
	struct json_doc *doc = NULL;
	struct buf *body = q->fault;
	if (status >= 400 && body->len &&
		json_parse(q->where, buf_text(body), body->len, &doc, NULL) == 0 &&
		prom_is_fault(json_root(doc))) {
		char where[FETCH_TOLD_SIZE + 48];
		snprintf(where, sizeof(where), "%s: HTTP status %ld", q->where, status);
		int rc = prom_fault(json_root(doc), where, ERR_NET, q->err);
		json_free(doc);
		return rc;
	}
	json_free(doc);
	if (status == 404)
		return err_set(q->err, ERR_NET,
			"%s: HTTP status 404: no store answers at /api/v1 there: give the path "
			"before it, too, as in "
			"http://HOST/prometheus",
			q->where);
	if (status == 401 || status == 403)
		return err_set(q->err, ERR_NET,
			"%s: HTTP status %ld: it wants a login: a token in "
			"TIERWISE_PROMETHEUS_TOKEN, or "
			"http://NAME:PASSWORD@HOST/",
			q->where, status);
	if (strstr(why->text, "imed out") || strstr(why->text, "too slow"))
		return err_set(q->err, ERR_NET,
			"%s: no whole answer in %.4g s: a shorter --range, a larger --step, one "
			"--device or "
			"--instance, or a longer --timeout",
			q->where, q->live->timeout_s);
	if (strstr(why->text, "bytes remaining") || strstr(why->text, "transfer closed"))
		return err_set(q->err, ERR_NET,
			"%s: the answer broke off before its end: ask again", q->where);
	if (why->code == ERR_RANGE)
		return err_set(q->err, ERR_NET,
			"%s: the answer is larger than %d MiB: a shorter --range, a larger --step, "
			"one --device or "
			"--instance",
			q->where, ANSWER_MAX_B >> 20);
	return err_set(q->err, (enum err_code)why->code, "%s", why->text);
}

/* The answer to a query, appended to *text. */
static int
ask(struct asking *q, const struct promql_query *query, struct buf *text)
{
	struct buf url;
	struct err why = {0};
	long status = 0;
	if (!query->expr)
		return err_nomem(q->err);
	buf_init(&url, 1 << 18);
	promql_url(q->base, query, &url);
	struct fetch_sink sink = {fetch_put_text, fetch_restart_text, text};
	int rc = buf_check(&url, q->err);
	if (rc == 0 && fetch_get(q->fetch, buf_text(&url), &sink, &status, &why))
		rc = say_failure(q, status, &why);
	buf_fini(&url);
	if (rc == 0 && memchr(buf_text(text), '{', text->len < 16 ? text->len : 16) == NULL)
		rc = err_set(q->err, ERR_NET,
			"%s: the answer is no JSON (a login page, a proxy?): check the address",
			q->where);
	return rc;
}

/* A cut body is the network's fault, not a file's. */
static int
no_file(struct asking *q, int rc)
{
	if (rc != ERR_PARSE)
		return rc;
	q->err->code = ERR_NET;
	err_context(q->err, "an answer that is cut or no answer of a store");
	return ERR_NET;
}

/* No series: which ones there would be. */
static int
say_nothing(struct asking *q)
{
	struct buf text, names;
	struct promql_query all = promql_devices(&q->what, &q->common->arena);
	buf_init(&text, ANSWER_MAX_B);
	buf_init(&names, 1 << 16);
	int rc = ask(q, &all, &text);
	if (rc == 0)
		rc = no_file(q,
			promql_devices_read(q->where, buf_text(&text), text.len, &names, q->err));
	if (rc == 0 && names.len)
		rc = err_set(q->err, ERR_NOT_FOUND,
			"%s: no series match; at that time there are %s: correct --device, "
			"--instance or --at",
			q->where, buf_text(&names));
	else if (rc == 0)
		rc = err_set(q->err, ERR_NOT_FOUND,
			"%s: no series: the store has no %s at that time: does it scrape a "
			"node_exporter, and since "
			"when? (--at, --range)",
			q->where, prom_metric_now(PROM_READS));
	buf_fini(&text);
	buf_fini(&names);
	return rc;
}

static int
probe(struct asking *q, struct promql_scrape *scrape)
{
	struct buf text;
	struct promql_query first = promql_probe(&q->what, &q->common->arena);
	buf_init(&text, ANSWER_MAX_B);
	int rc = ask(q, &first, &text);
	if (rc == 0)
		rc = no_file(
			q, promql_probe_read(q->where, buf_text(&text), text.len, scrape, q->err));
	buf_fini(&text);
	return rc == ERR_NOT_FOUND ? say_nothing(q) : rc;
}

/* Ask one query of the plan and hand the answer to the readers. */
static int
take(struct asking *q, const struct promql_query *query, size_t *n_answers)
{
	struct buf text;
	buf_init(&text, ANSWER_MAX_B);
	int rc = ask(q, query, &text);
	/* percentiles and flushes may be missing, as long as anything is there */
	bool empty = rc == 0 && strstr(buf_text(&text), "\"result\":[]") &&
		     !strstr(buf_text(&text), "\"value");
	if (rc == 0 && !empty) {
		struct evidence_input in = {q->where, buf_text(&text), text.len, q->live->how};
		rc = no_file(q, evidence_text(q->e, &in, NULL, q->err));
		*n_answers += rc == 0;
	}
	buf_fini(&text);
	return rc;
}

static int
ask_all(struct asking *q)
{
	struct promql_scrape scrape;
	struct promql_plan plan;
	size_t n_answers = 0;
	q->what = q->live->ask;
	if (isnan(q->what.range_s))
		q->what.range_s = RANGE_S;
	if (isnan(q->what.end_s))
		q->what.end_s = (double)clock_epoch_s();
	int rc = promql_check(&q->what, q->err);
	if (rc == 0)
		rc = probe(q, &scrape);
	if (rc == 0)
		rc = promql_plan(&q->what, &scrape, &q->common->arena, &plan, q->err);
	if (rc == 0)
		promql_plan_say(&plan, &scrape, q->where, &q->e->findings);
	for (size_t i = 0; rc == 0 && i < plan.n; i++)
		rc = take(q, &plan.items[i], &n_answers);
	if (rc == 0 && n_answers == 0)
		rc = say_nothing(q);
	return rc;
}

static const char *
environment(const char *name)
{
	const char *text = getenv(name);
	return text && *text ? text : NULL;
}

int
demand_live_read(const struct demand_live *live, struct cli_common *c, const char *url,
	struct evidence *e, struct err *err)
{
	struct buf fault;
	struct fetch_how how;
	struct evidence before = *e;
	struct asking q = {
		.live = live, .common = c, .e = e, .fault = &fault, .base = url, .err = err};
	buf_init(&fault, 1 << 17);
	fetch_how_init(&how);
	fetch_told(url, q.where);
	how.max_b = ANSWER_MAX_B;
	how.total_s = how.stall_s = (int)ceil(live->timeout_s);
	how.retries = 0;
	how.hide_query = true;
	how.error_body = &fault;
	how.bearer = environment("TIERWISE_PROMETHEUS_TOKEN");
	how.tenant = environment("TIERWISE_PROMETHEUS_TENANT");
	int rc = fetch_open(&how, &q.fetch, err);
	if (rc == 0)
		rc = ask_all(&q);
	fetch_close(q.fetch);
	buf_fini(&fault);
	if (rc)
		*e = before;
	return rc;
}
