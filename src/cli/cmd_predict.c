/*
 * cmd_predict.c - `tierwise predict MODEL --op OP --bs SIZE (--qd N | --iops N)`: latency of a disk
 * at a depth or at a rate, under the caps of a SKU.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/command.h"
#include "cli/model_load.h"

enum {
	KEY_OP = 0x2000,
	KEY_BS,
	KEY_QD,
	KEY_IOPS,
	KEY_SKU_IOPS,
	KEY_SKU_MBPS,
	KEY_UNIT,
	KEY_STRIPE,
	KEY_STAT
};

static const struct argp_option options[] = {
	{"op", KEY_OP, "OP", 0, "randread, randwrite, read, write, or sync (a durable write)", 1},
	{"bs", KEY_BS, "SIZE", 0, "Block size (default 4k)", 1},
	{"qd", KEY_QD, "N", 0, "I/O outstanding in all; this or --iops, neither with sync", 2},
	{"iops", KEY_IOPS, "N", 0, "Arrivals a second; this or --qd", 2},
	{"sku-iops", KEY_SKU_IOPS, "N", 0, "IOPS cap of each disk", 3},
	{"sku-mbps", KEY_SKU_MBPS, "N", 0, "Throughput cap of each disk, MB/s of 10^6", 3},
	{"sku-unit", KEY_UNIT, "SIZE", 0,
		"One I/O counts against the IOPS cap per started SIZE (default: once)", 3},
	{"stripe", KEY_STRIPE, "N", 0, "Disks that share the load (default 1)", 3},
	{"stat", KEY_STAT, "STAT", 0, "mean, p50, p99 or p999 (default: all)", 4},
	{0},
};

struct arguments {
	struct cli_common common;
	const char *path;
	int op, stat; /* stat: -1 all */
	bool sync;
	double bs_b, qd, iops;
	struct disk_caps caps;
};

/* A count of at least lo, or a usage error. */
static double
count(struct argp_state *state, const char *option, const char *text, double lo)
{
	double v = 0;
	struct err err;
	if (units_parse_count(text, &v, &err))
		argp_error(state, "%s: %s", option, err.text);
	if (!(v >= lo && v <= 1e9))
		argp_error(state, "%s %s: %g .. 1000000000", option, text, lo);
	return v;
}

static double
size(struct argp_state *state, const char *option, const char *text)
{
	uint64_t v = 0;
	struct err err;
	if (units_parse_size(text, &v, &err))
		argp_error(state, "%s: %s", option, err.text);
	return (double)v;
}

static void
parse_op(struct arguments *a, const char *text, struct argp_state *state)
{
	a->sync = strcmp(text, "sync") == 0;
	a->op = a->sync ? (int)PROFILE_OP_WRITE : names_find(&profile_op_names, text);
	if (a->op < 0)
		argp_error(state, "--op %s: randread, randwrite, read, write or sync", text);
}

static void
check(const struct arguments *a, struct argp_state *state)
{
	if (!a->path)
		argp_error(state, "MODEL is missing: a tierwise/model/1 or tierwise/profile/1");
	if (a->op < 0)
		argp_error(state, "--op is missing: randread, randwrite, read, write or sync");
	if (!a->sync && isnan(a->qd) == isnan(a->iops))
		argp_error(state, "give one of --qd and --iops");
	if (a->sync && (!isnan(a->qd) || !isnan(a->iops)))
		argp_error(state, "--op sync is one writer: neither --qd nor --iops");
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_OP:
		parse_op(a, arg, state);
		return 0;
	case KEY_BS:
		a->bs_b = size(state, "--bs", arg);
		return 0;
	case KEY_QD:
		a->qd = count(state, "--qd", arg, 1);
		return 0;
	case KEY_IOPS:
		a->iops = count(state, "--iops", arg, 0);
		return 0;
	case KEY_SKU_IOPS:
		a->caps.iops = count(state, "--sku-iops", arg, 1);
		return 0;
	case KEY_SKU_MBPS:
		a->caps.mbps = count(state, "--sku-mbps", arg, 1);
		return 0;
	case KEY_UNIT:
		a->caps.io_unit_kib = size(state, "--sku-unit", arg) / UNITS_KIB;
		return 0;
	case KEY_STRIPE:
		a->caps.stripe = count(state, "--stripe", arg, 1);
		return 0;
	case KEY_STAT:
		a->stat = names_find(&model_statistic_names, arg);
		if (a->stat < 0)
			argp_error(state, "--stat %s: mean, p50, p99 or p999", arg);
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
		return ARGP_ERR_UNKNOWN;
	}
}

static int
ask(const struct arguments *a, const struct disk_model *m, enum model_statistic stat,
	struct estimate *e, struct err *err)
{
	if (a->sync)
		return disk_sync_latency(m, a->bs_b, stat, e, err);
	if (isnan(a->iops))
		return disk_latency_at_qd(
			m, (enum profile_op)a->op, a->bs_b, a->qd, &a->caps, stat, e, err);
	return disk_latency_at_rate(
		m, (enum profile_op)a->op, a->bs_b, a->iops, &a->caps, stat, e, err);
}

static void
put_estimate(struct doc *d, struct doc_table *t, const char *what, const struct estimate *e)
{
	char value[32], lo[32], hi[32];
	units_latency_text(e->value, value);
	units_latency_text(e->lo, lo);
	units_latency_text(e->hi, hi);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", what);
	doc_cell(d, t, 1, "%s", value);
	doc_cell(d, t, 2, "%s to %s", lo, hi);
	doc_cell(d, t, 3, "%s", names_text(&model_how_names, e->how));
	doc_cell(d, t, 4, "%s", names_text(&trust_names, e->trust));
}

/* The rate the depth gives, or the room left below the wall. */
static void
put_load(struct doc *d, const struct arguments *a, const struct disk_model *m)
{
	struct estimate mean, wall;
	char rate[32], limit[32];
	if (a->sync)
		return;
	bool known = disk_wall(m, (enum profile_op)a->op, a->bs_b, &a->caps, &wall, NULL) == 0;
	units_count_text(known ? wall.value : (double)NAN, limit);
	if (!isnan(a->qd) && ask(a, m, MODEL_MEAN, &mean, NULL) == 0) {
		units_count_text(1e6 * a->qd / mean.value, rate);
		if (known)
			doc_paragraph(d, "QD%g gives %s IOPS; the wall is at %s IOPS.", a->qd, rate,
				limit);
		else
			doc_paragraph(d,
				"QD%g gives %s IOPS; the wall was not reached, so it is not known.",
				a->qd, rate);
	} else if (!isnan(a->iops) && known) {
		units_count_text(a->iops, rate);
		doc_paragraph(d, "%s IOPS are %.0f %% of the wall of %s IOPS.", rate,
			100 * a->iops / wall.value, limit);
	}
}

/* A block size the disk was not asked for: say so, and what would replace the guess. */
static void
put_other_size(struct doc *d, const struct arguments *a, const struct disk_model *m)
{
	bool any = false;
	if (a->sync)
		return;
	for (size_t i = 0; i < m->n_curves; i++) {
		any = any || m->curves[i].op == a->op;
		if (m->curves[i].op == a->op && m->curves[i].bs_b == a->bs_b)
			return;
	}
	if (any)
		doc_paragraph(d,
			"The model holds no %s of this block size: this is computed from the sizes "
			"it holds. fio results of this size, read with tierwise import, replace "
			"the guess.",
			names_text(&profile_op_names, a->op));
}

static int
predict(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	static const struct doc_column columns[] = {{"Statistic", DOC_LEFT}, {"Latency", DOC_RIGHT},
		{"95 % interval", DOC_RIGHT}, {"How", DOC_LEFT}, {"Trust", DOC_LEFT}};
	struct disk_model m;
	int rc = model_load_file(&a->common, a->path, &m, err);
	if (rc)
		return rc;
	char block[32];
	units_size_text(a->bs_b, block);
	struct doc d;
	doc_init(&d, &a->common.arena, "Predicted latency");
	const char *op = a->sync ? "durable write" : names_text(&profile_op_names, a->op);
	struct doc_table *t = doc_table(&d,
		arena_printf(&a->common.arena, "%s, %s %s", m.name ? m.name : "model", block, op),
		columns, sizeof(columns) / sizeof(columns[0]));
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		struct estimate e;
		if (a->stat >= 0 && stat != a->stat)
			continue;
		rc = ask(a, &m, (enum model_statistic)stat, &e, err);
		if (rc)
			return rc;
		put_estimate(&d, t, names_text(&model_statistic_names, stat), &e);
	}
	put_load(&d, a, &m);
	put_other_size(&d, a, &m);
	cli_print_findings(&a->common, m.findings, a->common.verbose ? m.n_findings : 0);
	return cli_output(&a->common, &d, NULL, NULL, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "MODEL",
		.doc = "Predict the latency of a disk at a queue depth or an arrival rate.  MODEL "
		       "is "
		       "what `fit` wrote, or a profile.",
		.children = children};
	const double no = (double)NAN;
	struct arguments a = {.op = -1,
		.stat = -1,
		.bs_b = 4 * UNITS_KIB,
		.qd = no,
		.iops = no,
		.caps = {no, no, no, no}};
	return cli_run(&argp, argc, argv, &a, predict);
}

extern const struct command cmd_predict;
const struct command cmd_predict = {
	.name = "predict",
	.args = "MODEL",
	.summary = "latency of a disk at a queue depth or a rate",
	.run = run,
};
