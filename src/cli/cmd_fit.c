/*
 * cmd_fit.c - `tierwise fit PROFILE...`: curves, goodness, knee, what is doubtful; -o FILE.json
 * writes the model, -o FILE.html its charts.
 */
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "cli/command.h"
#include "cli/model_doc.h"
#include "cli/model_load.h"

enum { KEY_SLA = 0x2000 };

struct arguments {
	struct cli_common common;
	double sla_p99_ms; /* NaN: none */
	char **paths;
	size_t n_paths;
};

static const struct argp_option option_rows[] = {
	{"sla-p99-ms", KEY_SLA, "MS", 0,
		"A promise about the 99th percentile of one I/O, to draw and to judge each curve "
		"by",
		0},
	{0}};

static double
milliseconds(struct argp_state *state, const char *text)
{
	double v = 0;
	struct err err;
	if (units_parse_count(text, &v, &err))
		argp_error(state, "--sla-p99-ms: %s", err.text);
	if (!(v >= 0.001 && v <= 1e6))
		argp_error(state, "--sla-p99-ms %s: 0.001 to 1000000", text);
	return v;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_SLA:
		a->sla_p99_ms = milliseconds(state, arg);
		return 0;
	case ARGP_KEY_ARGS:
		a->paths = state->argv + state->next;
		a->n_paths = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "PROFILE is missing: a tierwise/profile/1 (bench, import or "
				  "models/)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A model document holds one disk, and predict reads that. */
static int
check_json(const struct arguments *a, struct err *err)
{
	if (a->n_paths == 1 || !cli_json_asked(&a->common))
		return 0;
	return err_set(err, ERR_USAGE,
		"json is the model of one profile, and these are %zu: a run for each (tierwise fit "
		"%s -o MODEL.json), or a page of all (-o FILE.html or .md)",
		a->n_paths, a->paths[0]);
}

static int
fit_all(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct doc d;
	struct disk_model m;
	struct profile p;
	int refused = model_inputs_once(a->paths, a->n_paths, err);
	refused = refused ? refused : check_json(a, err);
	if (refused)
		return refused;
	doc_init(&d, &a->common.arena, "Disk models");
	for (size_t i = 0; i < a->n_paths; i++) {
		int rc = model_fit_file(&a->common, a->paths[i], &p, &m, err);
		if (rc)
			return rc;
		if (a->n_paths == 1 && m.name)
			d.title = arena_printf(
				&a->common.arena, "%s: how the disk answers", m.name);
		model_doc(&d, &m, &(struct model_doc_options){&p, a->sla_p99_ms, a->n_paths > 1});
	}
	bool one = a->n_paths == 1;
	return cli_output(&a->common, &d, one ? &disk_model_schema : NULL, one ? &m : NULL, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = option_rows,
		.parser = parse_option,
		.args_doc = "PROFILE...",
		.doc = "Fit a disk's curves to its profile: latency against load, IOPS against "
		       "block "
		       "size, commits.  -o FILE.json writes the model of one profile (several are "
		       "a "
		       "run each), -o FILE.html a page with a chart for each curve.\v"
		       "Example:\n"
		       "  tierwise fit disk.json --sla-p99-ms 2 -o disk.html -o model.json",
		.children = children};
	struct arguments a = {.sla_p99_ms = (double)NAN};
	return cli_run(&argp, argc, argv, &a, fit_all);
}

extern const struct command cmd_fit;
const struct command cmd_fit = {
	.name = "fit",
	.args = "PROFILE...",
	.summary = "curves, goodness, knee and findings of a profile; charts as html",
	.run = run,
};
