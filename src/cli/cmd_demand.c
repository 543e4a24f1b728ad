/*
 * cmd_demand.c - `tierwise demand FILE|DIR|URL...`: what a running system was seen to need of its storage.
 *
 * A refused file does not stop the others.  Exit status: 0 every input was read; 1 one could not be read;
 * 2 one is no evidence that is known here (the rest is still shown), or none was.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/demand_bench.h"
#include "cli/demand_diagnosis.h"
#include "cli/demand_doc.h"
#include "cli/demand_live.h"
#include "cli/demand_options.h"
#include "cli/exit.h"
#include "cli/import_inputs.h"
#include "price/fetch.h"
#include "workload/consumed.h"
#include "workload/evidence_bytes.h"
#include "workload/histogram_verdict.h"
#include "workload/need.h"

enum {
	KEY_KEEP_FIRST = 0x2000,
	KEY_DAY_FIRST,
	KEY_MONTH_FIRST,
	KEY_UTC_OFFSET,
	KEY_INTERVAL,
	KEY_BEFORE,
	KEY_MISSING_IDLE,
};

static const struct argp_option option_rows[] = {
	{"keep-first", KEY_KEEP_FIRST, NULL, 0,
		"The first report of iostat and vmstat is of an interval as the others are (iostat "
		"-y), not of the time since the machine started",
		1},
	{"interval", KEY_INTERVAL, "TIME", 0,
		"Between reports and readings that do not say when they were taken, as in 5s", 1},
	{"missing-idle", KEY_MISSING_IDLE, NULL, 0,
		"A device that a report leaves out was idle, as iostat -z prints it (default: not "
		"known)",
		1},
	{"before", KEY_BEFORE, "FILE", 0,
		"Taken before the volume went to another tier: its devices are before:DEVICE, in "
		"--cap too, and compared with those of the other inputs; may repeat",
		1},
	{"day-first", KEY_DAY_FIRST, NULL, 0,
		"In dates as 02/03/2026 the day comes first (default: as the order of the file "
		"shows)",
		1},
	{"month-first", KEY_MONTH_FIRST, NULL, 0, "In dates as 02/03/2026 the month comes first",
		1},
	{"utc-offset", KEY_UTC_OFFSET, "HOURS", 0,
		"Times without a zone are this much ahead of UTC, -12 to 14 (default 0)", 1},
	{0},
};

struct arguments {
	struct cli_common common;
	struct evidence_options how;
	struct demand_live live;
	struct demand_options said;
	char **names; /* arguments */
	size_t n_names;
	const char **before; /* of --before */
	size_t n_before;
	struct inputs inputs; /* files that they stand for; URLs as they are */
	struct evidence evidence;
	size_t n_read, n_refused, n_unreadable;
};

static double
hours(struct argp_state *state, const char *text)
{
	char *end = NULL;
	double v = strtod(text, &end);
	if (end == text || *end || !(v >= -12 && v <= 14))
		argp_error(state, "--utc-offset %s: -12 to 14 hours", text);
	return v * 3600;
}

static double
seconds(struct argp_state *state, const char *option, const char *text)
{
	struct err err;
	double v = NAN;
	if (units_parse_seconds(text, &v, &err) != 0)
		argp_error(state, "--%s %s: a time above 0, as in 5s or 1m", option, text);
	return v;
}

static error_t
take_before(struct arguments *a, const char *path)
{
	const char **all = arena_grow(
		&a->common.arena, a->before, a->n_before, sizeof(const char *));
	if (!all)
		return ENOMEM;
	a->before = all;
	a->before[a->n_before++] = path;
	return 0;
}

static void
take_date_order(struct arguments *a, int day_first, struct argp_state *state)
{
	if (a->how.day_first == !day_first)
		argp_error(state, "--day-first and --month-first contradict each other");
	a->how.day_first = day_first;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		state->child_inputs[1] = &a->live;
		state->child_inputs[2] = &a->said;
		return 0;
	case KEY_KEEP_FIRST:
		a->how.keep_first = true;
		return 0;
	case KEY_MISSING_IDLE:
		a->how.idle_missing = true;
		return 0;
	case KEY_DAY_FIRST:
	case KEY_MONTH_FIRST:
		take_date_order(a, key == KEY_DAY_FIRST, state);
		return 0;
	case KEY_UTC_OFFSET:
		a->how.utc_offset_s = hours(state, arg);
		return 0;
	case KEY_BEFORE:
		return take_before(a, arg);
	case KEY_INTERVAL:
		a->how.interval_s = seconds(state, "interval", arg);
		return 0;
	case ARGP_KEY_ARGS:
		a->names = state->argv + state->next;
		a->n_names = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no input given: files of iostat, sar, /proc/diskstats and the "
				  "like, folders of them, a URL, or - for standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
list_inputs(struct arguments *a, struct err *err)
{
	inputs_init(&a->inputs, &a->common.arena);
	for (size_t i = 0; i < a->n_before; i++) {
		int rc = cli_keep_input(&a->common, a->before[i], err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < a->n_names; i++) {
		int rc = inputs_add(&a->inputs, a->names[i], err);
		if (rc == 0 && !fetch_is_url(a->names[i]))
			rc = cli_keep_input(&a->common, a->names[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

/* A refusal is the answer for that input, so --quiet does not silence it.  Most texts name their place. */
static void
refuse(struct arguments *a, const char *name, const struct err *err)
{
	bool unreadable = err->code == ERR_IO || err->code == ERR_NOMEM || err->code == ERR_NET;
	const char *text = err->text;
	size_t n = strlen(name);
	if (!unreadable && strncmp(text, name, n) == 0 && strncmp(text + n, ": ", 2) == 0)
		text += n + 2;
	fprintf(stderr, "%s%s%s\n", unreadable ? "tierwise" : name,
		unreadable ? ": " : ": refused: ", text);
	if (unreadable)
		a->n_unreadable++;
	else
		a->n_refused++;
}

static int
ask_store(struct arguments *a, const char *url, const char *name, struct err *err)
{
	int rc = demand_live_read(&a->live, &a->common, url, &a->evidence, err);
	if (rc == 0) {
		a->n_read++;
		cli_note(&a->common, "%s: a Prometheus-compatible store", name);
	}
	return rc;
}

/* Evidence of a running system, or else the result of a benchmark. */
static int
read_text(
	struct arguments *a, const struct evidence_input *in, const char **format, struct err *err)
{
	bool known = false;
	int rc = evidence_text(&a->evidence, in, format, err);
	if (rc == 0 || *format)
		return rc;
	struct err why = {0};
	int bench = demand_bench_read(&a->evidence, in, &known, &why);
	if (!known && bench == 0)
		return rc;
	*format = "fio";
	return bench ? err_set(err, (enum err_code)bench, "%s", why.text) : 0;
}

/* `name` is the path as messages have it. */
static int
read_one(struct arguments *a, const char *path, const char *name, struct err *err)
{
	struct buf text;
	if (demand_live_is_store(&a->live, path))
		return ask_store(a, path, name, err);
	buf_init(&text, (size_t)1 << 30);
	int rc = fetch_is_url(path) ? fetch_url(path, &text, err) : file_read(path, &text, err);
	const char *format = NULL;
	struct evidence_input in = {.name = name, .options = &a->how};
	/* names and places borrow from the text */
	if (rc == 0)
		rc = evidence_plain_text(
			in.name, buf_text(&text), text.len, &a->common.arena, &in.text, &in.n, err);
	if (rc == 0)
		rc = read_text(a, &in, &format, err);
	if (rc == 0) {
		a->n_read++;
		cli_note(&a->common, "%s: %s", in.name, format);
	}
	buf_fini(&text);
	return rc;
}

/* A path as messages have it: standard input by its name, a URL without what is secret in it. */
static const char *
name_of(struct arguments *a, const char *path)
{
	char told[FETCH_TOLD_SIZE];
	if (strcmp(path, "-") == 0)
		return "standard input";
	if (!fetch_is_url(path))
		return path;
	fetch_told(path, told);
	const char *kept = arena_strdup(&a->common.arena, told);
	return kept ? kept : "a URL";
}

/* What they name are other devices than those of the same name now. */
static void
read_before(struct arguments *a)
{
	struct evidence *e = &a->evidence;
	for (size_t i = 0; i < a->n_before; i++) {
		struct err err = {0};
		size_t first = e->n_series;
		const char *name = name_of(a, a->before[i]);
		int rc = read_one(a, a->before[i], name, &err);
		if (rc == 0 && e->n_series == first)
			rc = err_set(&err, ERR_UNSUPPORTED,
				"%s: --before takes iostat, sar, readings of /proc/diskstats and "
				"the "
				"like, in which devices have names",
				name);
		if (rc)
			refuse(a, name, &err);
		for (size_t k = first; k < e->n_series; k++)
			e->series[k].host = NEED_BEFORE;
	}
}

static void
read_all(struct arguments *a)
{
	read_before(a);
	for (size_t i = 0; i < a->inputs.n; i++) {
		const struct input *in = &a->inputs.items[i];
		struct err err = {0};
		if (in->problem) {
			fprintf(stderr, "tierwise: %s: %s\n", in->path, in->problem);
			a->n_unreadable++;
		} else if (in->same_as) {
			cli_note(&a->common, "%s: the same file as %s, read once", in->path,
				in->same_as);
		} else if (read_one(a, in->path, name_of(a, in->path), &err)) {
			refuse(a, name_of(a, in->path), &err);
		}
	}
}

/* What the provider says of caps, with the caps that are known. */
static int
say_consumed(struct arguments *a, struct err *err)
{
	const struct need_options *o = &a->said.need;
	const struct consumed_cap items[] = {{"VM Uncached IOPS", NULL, o->vm_iops},
		{"VM Uncached Bandwidth", NULL, o->vm_bytes_s},
		{"VM Cached IOPS", NULL, o->vm_cached_iops},
		{"VM Cached Bandwidth", NULL, o->vm_cached_bytes_s}};
	const struct consumed_caps caps = {items, sizeof(items) / sizeof(items[0])};
	return consumed_say(&a->evidence, &caps, &a->evidence.findings, err);
}

/* What was asked for and has nothing to work on. */
static void
say_unused(struct arguments *a)
{
	const struct need_options *o = &a->said.need;
	struct evidence *e = &a->evidence;
	bool stores = false, commits = false, cached = false;
	for (size_t i = 0; i < e->n_series; i++)
		cached = cached ||
			 (e->series[i].metric && strstr(e->series[i].metric, "VM Cached"));
	for (size_t i = 0; i < a->inputs.n; i++)
		stores = stores || demand_live_is_store(&a->live, a->inputs.items[i].path);
	for (size_t i = 0; i < e->n_servers; i++)
		commits = commits || e->servers[i].commits > 0;
	const struct {
		bool unused;
		const char *option, *needs;
	} rows[] = {
		{!isnan(a->said.p99_limit_us) && e->n_histograms == 0, "--p99-limit",
			"a latency histogram"},
		{!isnan(o->copy_bytes) && isnan(o->vm_bytes_s), "--copy", "--vm-cap mbps=N"},
		{!isnan(o->target_tps) && !commits, "--target-tps",
			"a database's commits, of two looks"},
		{a->live.given && !stores, "--device, --instance, --range, --at or --step",
			"a store that is asked, by its URL"},
		{(!isnan(o->vm_cached_iops) || !isnan(o->vm_cached_bytes_s)) && !cached,
			"--vm-cap cached-iops or cached-mbps",
			"the machine's metrics VM Cached IOPS or Bandwidth Consumed Percentage"},
		{a->how.query && !e->query_used, "--query",
			"a saved answer of Prometheus whose series have no names"},
		{a->how.metric && !e->metric_used, "--metric",
			"a file with one metric of CloudWatch that does not name it"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].unused)
			findings_add(&e->findings, SEVERITY_WARNING, "option-unused",
				"leave it out, or give what it needs",
				"%s has no effect: it needs %s", rows[i].option, rows[i].needs);
	}
}

static int
conclude(struct arguments *a, struct needs *n, struct err *err)
{
	struct evidence *e = &a->evidence;
	int rc = evidence_finish(e, err);
	if (rc == 0)
		rc = need_join_series(e, err);
	if (rc == 0)
		rc = consumed_rates(e, a->said.need.caps, a->said.need.n_caps, err);
	if (rc == 0)
		rc = needs_of(e, &a->said.need, n, err);
	if (rc == 0)
		rc = say_consumed(a, err);
	for (size_t i = 0; rc == 0 && !isnan(a->said.p99_limit_us) && i < e->n_histograms; i++)
		histogram_say(&e->histograms[i], 0.99, a->said.p99_limit_us, &e->findings);
	if (rc == 0)
		say_unused(a);
	return rc;
}

static int
show(struct arguments *a, struct err *err)
{
	struct doc d;
	struct needs n;
	struct workload w;
	struct evidence *e = &a->evidence;
	int rc = conclude(a, &n, err);
	bool volumes = a->said.need.n_roles > 0;
	if (rc == 0 && volumes)
		rc = demand_workload(&a->common.arena, &n, &a->said, &w, err);
	if (rc)
		return rc;
	if (volumes)
		demand_say_missing(&w, &e->findings);
	doc_init(&d, &a->common.arena, "Demand as it was seen");
	demand_doc_needs(&d, &n);
	rc = demand_diagnosis(&a->common, &d, e, &n, &a->said, err);
	rc = rc ? rc : demand_doc_evidence(&d, e, err);
	if (rc)
		return rc;
	doc_findings(&d, "Findings", e->findings.items, e->findings.n);
	if (a->common.outputs.n)
		cli_print_findings(&a->common, e->findings.items, e->findings.n);
	return cli_output(
		&a->common, &d, volumes ? &workload_schema : NULL, volumes ? &w : NULL, err);
}

static int
demand(struct arguments *a)
{
	struct err err = {0};
	evidence_init(&a->evidence, &a->common.arena);
	if (demand_options_check(&a->said, &err) || list_inputs(a, &err))
		return cli_fail(&a->common, &err);
	read_all(a);
	if (a->n_read && show(a, &err))
		return cli_fail(&a->common, &err);
	/* looks that contradict each other are refused together */
	const struct finding *reset = findings_find(&a->evidence.findings, "counters-reset");
	if (reset && reset->severity == SEVERITY_ERROR)
		a->n_refused++;
	return a->n_unreadable ? EXIT_RUNTIME : a->n_refused ? EXIT_BAD_INPUT : EXIT_DONE;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp},
		{.argp = &demand_live_argp}, {.argp = &demand_options_argp}, {0}};
	static const struct argp argp = {.options = option_rows,
		.parser = parse_option,
		.args_doc = "FILE|DIR|URL...",
		.doc = "Read what a running system was seen to do and say what it needs of its "
		       "storage: rates, sizes, mix, latency and queue of each device, with the "
		       "length of the intervals they are means of; what a cap held back; what "
		       "the disks of a machine need together.  With --role, json is a workload "
		       "document for recommend."
		       "\vRead are iostat (text of any layout, JSON also when cut), sar -d and -b, "
		       "sadf -d and -j, readings of /proc/diskstats, vmstat, CSV of the Windows "
		       "Performance Monitor, answers of Prometheus and metrics of exporters, Azure "
		       "Monitor, CloudWatch; of databases pgbench (summary, -P and logs), "
		       "sysbench, "
		       "cassandra-stress, nodetool tablestats, PostgreSQL's statistics views and "
		       "SHOW GLOBAL STATUS of MySQL, two looks each.  A URL without a file in it "
		       "is "
		       "a Prometheus-compatible store and is asked.  A folder stands for the "
		       "regular "
		       "files in it and below.  A refused input does not stop the others.\n\n"
		       "Exit status: 0 every input was read; 1 an input could not be read; 2 an "
		       "input is no evidence that is known here.",
		.children = children};
	struct arguments a = {
		.how = {.day_first = -1, .utc_offset_s = (double)NAN, .interval_s = (double)NAN}};
	cli_common_init(&a.common);
	a.common.arena.max = (size_t)8 << 30; /* weeks of seconds of many disks */
	demand_live_init(&a.live, &a.how);
	demand_options_init(&a.said, &a.common.arena);
	cli_parse(&argp, argc, argv, &a);
	int status = demand(&a);
	cli_common_fini(&a.common);
	return status;
}

const struct command cmd_demand = {
	.name = "demand",
	.args = "FILE|DIR|URL...",
	.summary = "what a running system needs: iostat, sar, pgbench, Prometheus, ...",
	.run = run,
};
