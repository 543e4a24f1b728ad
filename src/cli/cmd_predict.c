/*
 * cmd_predict.c - `tierwise predict MODEL --op OP --bs SIZE (--qd N | --iops N)`: latency of a disk
 * at depths or at rates, under the caps of a SKU, of one disk or a stripe.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/model_load.h"
#include "cli/predict_parts.h"
#include "cli/predict_workload.h"

enum {
	KEY_OP = 0x2000,
	KEY_READ,
	KEY_BS,
	KEY_QD,
	KEY_IOPS,
	KEY_SKU,
	KEY_SKU_IOPS,
	KEY_SKU_MBPS,
	KEY_UNIT,
	KEY_STRIPE,
	KEY_STRIP,
	KEY_STAT,
	KEY_SLA,
	KEY_SYNC_MODE,
	KEY_SYNC_PATTERN,
	KEY_WORKLOAD,
	KEY_WAL,
	KEY_DATA,
	KEY_MACHINE,
	KEY_ENGINE,
	KEY_RUN
};

#define MODES "fdatasync, fsync, odsync-direct or odsync"
#define OPS "randread, randwrite, read, write, mix or sync"

static const struct argp_option options[] = {
	{"op", KEY_OP, "OP", 0,
		"randread, randwrite, read, write, mix (random, both directions) or sync (a "
		"durable "
		"write)",
		1},
	{"read", KEY_READ, "PERCENT", 0, "Share of reads in a mix, 0 to 100", 1},
	{"sync-mode", KEY_SYNC_MODE, "MODE", 0,
		"How a durable write was made one: " MODES
		" (default: what the model has, in this order)",
		1},
	{"sync-pattern", KEY_SYNC_PATTERN, "PATTERN", 0,
		"append (the file grows) or overwrite (a log that is recycled or preallocated; the "
		"default where both are known)",
		1},
	{"bs", KEY_BS, "SIZE[,SIZE...]", 0, "Block sizes (default 4k)", 1},
	{"qd", KEY_QD, "N[,N...]", 0, "I/O outstanding in all; this or --iops, neither with sync",
		2},
	{"iops", KEY_IOPS, "N[,N...]", 0, "Arrivals a second; this or --qd", 2},
	{"sku", KEY_SKU, "[PROVIDER/]NAME", 0,
		"Caps of a disk as sold, from pricing/limits-PROVIDER.json (default: the model's "
		"provider)",
		3},
	{"sku-iops", KEY_SKU_IOPS, "N", 0, "IOPS cap of each disk", 3},
	{"sku-mbps", KEY_SKU_MBPS, "N", 0, "Throughput cap of each disk, MB/s of 10^6", 3},
	{"sku-unit", KEY_UNIT, "SIZE", 0,
		"One I/O counts against the IOPS cap per started SIZE (default: once)", 3},
	{"stripe", KEY_STRIPE, "N", 0, "Disks that share the load (default 1)", 3},
	{"strip", KEY_STRIP, "SIZE", 0,
		"Bytes on one disk before the next one's turn: a larger I/O is served by several "
		"(default: none is)",
		3},
	{"stat", KEY_STAT, "STAT", 0, "mean, p50, p99 or p999 (default: all)", 4},
	{"sla", KEY_SLA, "TIME", 0,
		"Latency that --stat (default p99) must not exceed, as in 2ms or 500us", 4},
	{"workload", KEY_WORKLOAD, "FILE", 0,
		"Instead of MODEL: the transactions of a workload on the disks of --wal and --data",
		5},
	{"data", KEY_DATA, "MODEL[,CAP...]", 0,
		"Disk of the data: a model or profile, and sku=NAME, iops=N, mbps=N, stripe=N", 5},
	{"wal", KEY_WAL, "MODEL[,CAP...]", 0,
		"Disk of the log; without it the log shares the disk of the data", 5},
	{"machine", KEY_MACHINE, "SIZE", 0,
		"Machine that runs it (default: the first of the workload)", 5},
	{"engine", KEY_ENGINE, "FILE", 0,
		"Parameters of the engine (default models/engines/NAME.json)", 5},
	{"run", KEY_RUN, "FILE", 0,
		"Output of a measured run of this workload on these disks (pgbench, sysbench; "
		"looks at "
		"the server's counters, vmstat): calibrates processor time and reads; may repeat",
		5},
	{0},
};

/* A number within lo .. hi, or a usage error. */
static double
count(struct argp_state *state, const char *option, const char *text, double lo, double hi)
{
	double v = 0;
	struct err err;
	if (units_parse_count(text, &v, &err))
		argp_error(state, "%s: %s", option, err.text);
	if (!(v >= lo && v <= hi))
		argp_error(state, "%s %s: %.10g .. %.10g", option, text, lo, hi);
	return v;
}

static double
size(struct argp_state *state, const char *option, const char *text, double lo, double hi)
{
	uint64_t v = 0;
	struct err err;
	char from[32], to[32];
	if (units_parse_size(text, &v, &err))
		argp_error(state, "%s: %s", option, err.text);
	units_size_text(lo, from);
	units_size_text(hi, to);
	if (!((double)v >= lo && (double)v <= hi))
		argp_error(state, "%s %s: %s .. %s", option, text, from, to);
	return (double)v;
}

static double
depth(struct argp_state *state, const char *text)
{
	return count(state, "--qd", text, 1, 1e6);
}

static double
rate(struct argp_state *state, const char *text)
{
	return count(state, "--iops", text, 0, 1e9);
}

static double
block(struct argp_state *state, const char *text)
{
	return size(state, "--bs", text, 512, 64 * UNITS_MIB);
}

/* "1,2,4" */
static void
list(struct argp_state *state, const char *option, char *text,
	double (*one)(struct argp_state *, const char *), struct predict_list *out)
{
	char *rest = text, *part;
	out->n = 0;
	while ((part = strsep(&rest, ","))) {
		if (out->n == PREDICT_LIST_MAX)
			argp_error(state, "%s: a list of more than %d values, 1 .. %d", option,
				PREDICT_LIST_MAX, PREDICT_LIST_MAX);
		else
			out->items[out->n++] = one(state, part);
	}
}

static double
stripe(struct argp_state *state, const char *text)
{
	double v = count(state, "--stripe", text, 1, 1024);
	if (v != floor(v))
		argp_error(state, "--stripe %s: a whole number, 1 .. 1024", text);
	return v;
}

/* "2ms", "500us" */
static double
latency(struct argp_state *state, const char *text)
{
	size_t n = strlen(text);
	struct err err;
	double v = 0;
	if (n > 2 && strcmp(text + n - 2, "us") == 0) {
		char number[32];
		size_t digits = n - 2 < sizeof(number) ? n - 2 : sizeof(number) - 1;
		memcpy(number, text, digits);
		number[digits] = '\0';
		return count(state, "--sla", number, 1, 1e9);
	}
	if (units_parse_seconds(text, &v, &err))
		argp_error(state, "--sla: %s", err.text);
	return 1e6 * v;
}

static void
parse_op(struct predict_asked *a, const char *text, struct argp_state *state)
{
	a->sync = strcmp(text, "sync") == 0;
	a->mix = strcmp(text, "mix") == 0;
	a->op = a->sync  ? (int)PROFILE_OP_WRITE
		: a->mix ? (int)PROFILE_OP_RANDREAD
			 : names_find(&profile_op_names, text);
	if (a->op < 0)
		argp_error(state, "--op %s: " OPS, text);
}

static int
word(struct argp_state *state, const char *option, const struct names *names, const char *text,
	const char *accepted)
{
	int at = names_find(names, text);
	if (at < 0)
		argp_error(state, "%s %s: %s", option, text, accepted);
	return at;
}

/* What an operation has no use for is refused, not ignored. */
static void
check_kind(const struct predict_asked *a, struct argp_state *state)
{
	const struct disk_caps *c = &a->caps;
	bool capped = a->sku || !isnan(c->iops) || !isnan(c->mbps) || !isnan(c->io_unit_kib);
	if (a->sync && (a->qd.n || a->iops.n))
		argp_error(state, "--op sync is one writer: neither --qd nor --iops");
	if (a->sync && (capped || !isnan(c->stripe)))
		argp_error(state,
			"--op sync is a commit to one disk: none of --sku, --sku-iops, --sku-mbps, "
			"--sku-unit, --stripe");
	if (!a->sync && (a->sync_mode >= 0 || a->sync_pattern >= 0))
		argp_error(state, "--sync-mode and --sync-pattern belong to --op sync");
	if (a->mix && (a->qd.n || isnan(a->read_frac)))
		argp_error(state, "--op mix: --read 0 .. 100, and --iops or nothing");
	if (a->mix && (a->stat >= 0 || !isnan(a->sla_us)))
		argp_error(state, "--op mix gives a rate, no latency: neither --stat nor --sla");
	if (!a->mix && !isnan(a->read_frac))
		argp_error(state, "--read belongs to --op mix");
	if (!a->sync && !a->mix && (a->qd.n > 0) == (a->iops.n > 0))
		argp_error(state, "give one of --qd and --iops");
}

/* Options of the one way of asking mean nothing in the other. */
static void
check_workload(const struct predict_asked *a, struct argp_state *state)
{
	const struct predict_workload_asked *w = &a->database;
	const struct disk_caps *c = &a->caps;
	if (!w->workload)
		argp_error(
			state, "--wal, --data, --machine, --engine and --run belong to --workload");
	if (a->path)
		argp_error(state, "--workload takes its disks from --wal and --data, not \"%s\"",
			a->path);
	if (a->op >= 0 || a->qd.n || a->iops.n || a->stat >= 0 || a->sync_mode >= 0 ||
		a->sync_pattern >= 0 || !isnan(a->sla_us) || a->sku || !isnan(c->iops) ||
		!isnan(c->mbps) || !isnan(c->stripe) || !isnan(c->io_unit_kib))
		argp_error(state,
			"--workload asks for transactions: of the other options only those of "
			"output go with it; caps as in --data MODEL,iops=N");
}

static void
check(const struct predict_asked *a, struct argp_state *state)
{
	const struct predict_workload_asked *w = &a->database;
	if (w->workload || w->log || w->data || w->machine || w->engine || w->runs.n) {
		check_workload(a, state);
		return;
	}
	if (!a->path)
		argp_error(state, "MODEL is missing: a tierwise/model/1 or tierwise/profile/1");
	if (a->op < 0)
		argp_error(state, "--op is missing: " OPS);
	check_kind(a, state);
	if (!isnan(a->caps.strip_b) && !(a->caps.stripe > 1))
		argp_error(state, "--strip needs --stripe 2 .. 1024");
}

static error_t
parse_disk(int key, char *arg, struct argp_state *state)
{
	struct predict_asked *a = state->input;
	switch (key) {
	case KEY_SKU:
		a->sku = arg;
		return 0;
	case KEY_SKU_IOPS:
		a->caps.iops = count(state, "--sku-iops", arg, 1, 1e9);
		return 0;
	case KEY_SKU_MBPS:
		a->caps.mbps = count(state, "--sku-mbps", arg, 1, 1e9);
		return 0;
	case KEY_UNIT:
		a->caps.io_unit_kib = size(state, "--sku-unit", arg, 512, 64 * UNITS_MIB) /
				      UNITS_KIB;
		return 0;
	case KEY_STRIPE:
		a->caps.stripe = stripe(state, arg);
		return 0;
	case KEY_STRIP:
		a->caps.strip_b = size(state, "--strip", arg, 512, UNITS_GIB);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t
parse_workload(int key, char *arg, struct argp_state *state)
{
	struct predict_asked *a = state->input;
	switch (key) {
	case KEY_WORKLOAD:
		a->database.workload = arg;
		return 0;
	case KEY_WAL:
		a->database.log = arg;
		return 0;
	case KEY_DATA:
		a->database.data = arg;
		return 0;
	case KEY_MACHINE:
		a->database.machine = arg;
		return 0;
	case KEY_ENGINE:
		a->database.engine = arg;
		return 0;
	case KEY_RUN:
		return cli_add_text(&a->common, &a->database.runs, arg);
	default:
		return parse_disk(key, arg, state);
	}
}

static error_t
parse_kind(int key, char *arg, struct argp_state *state)
{
	struct predict_asked *a = state->input;
	switch (key) {
	case KEY_OP:
		parse_op(a, arg, state);
		return 0;
	case KEY_READ:
		a->read_frac = count(state, "--read", arg, 0, 100) / 100;
		return 0;
	case KEY_SYNC_MODE:
		a->sync_mode = word(state, "--sync-mode", &profile_sync_mode_names, arg, MODES);
		return 0;
	case KEY_SYNC_PATTERN:
		a->sync_pattern = word(state, "--sync-pattern", &profile_pattern_names, arg,
			"append or overwrite");
		return 0;
	default:
		return parse_workload(key, arg, state);
	}
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct predict_asked *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_BS:
		list(state, "--bs", arg, block, &a->bs_b);
		return 0;
	case KEY_QD:
		list(state, "--qd", arg, depth, &a->qd);
		return 0;
	case KEY_IOPS:
		list(state, "--iops", arg, rate, &a->iops);
		return 0;
	case KEY_STAT:
		a->stat = names_find(&model_statistic_names, arg);
		if (a->stat < 0)
			argp_error(state, "--stat %s: mean, p50, p99 or p999", arg);
		return 0;
	case KEY_SLA:
		a->sla_us = latency(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (a->path)
			argp_error(state, "one MODEL at a time, \"%s\" is the second", arg);
		a->path = arg;
		return 0;
	case ARGP_KEY_END:
		check(a, state);
		return 0;
	default:
		return parse_kind(key, arg, state);
	}
}

static int
predict(void *arguments, struct err *err)
{
	struct predict_asked *a = arguments;
	struct disk_model m;
	struct doc d;
	struct predict_verdicts verdicts = {0};
	if (a->database.workload)
		return predict_workload(&a->common, &a->database, err);
	int rc = model_load_file(&a->common, a->path, &m, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, "Predicted latency");
	rc = predict_syncs(a, &m, err);
	struct predict_sold sold = {&a->common, a->sku, &a->caps};
	rc = rc ? rc : predict_family_limit(&a->common, &m, &a->family, err);
	rc = rc ? rc : predict_caps(&sold, &m, &d, err);
	if (rc == 0)
		rc = a->mix ? predict_mix(a, &m, &d, err)
			    : predict_answers(a, &m, &d, &verdicts, err);
	if (rc)
		return rc;
	cli_print_findings(&a->common, m.findings, a->common.verbose ? m.n_findings : 0);
	rc = cli_output(&a->common, &d, NULL, NULL, err);
	return rc ? rc : predict_verdicts_check(&verdicts, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "MODEL\n--workload FILE --data MODEL [--wal MODEL]",
		.doc = "Predict the latency of a disk at queue depths or arrival rates, or the "
		       "transactions of a database on its disks.  MODEL is what `fit` wrote, or a "
		       "profile.",
		.children = children};
	const double no = (double)NAN;
	struct predict_asked a = {.op = -1,
		.stat = -1,
		.sync_mode = -1,
		.sync_pattern = -1,
		.bs_b = {{4 * UNITS_KIB}, 1},
		.read_frac = no,
		.sla_us = no,
		.caps = {no, no, no, no, no}};
	return cli_run(&argp, argc, argv, &a, predict);
}

extern const struct command cmd_predict;
const struct command cmd_predict = {
	.name = "predict",
	.args = "MODEL | --workload FILE",
	.summary = "latency of a disk at a depth or a rate; transactions of a database",
	.run = run,
};
