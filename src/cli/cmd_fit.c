/*
 * cmd_fit.c - `tierwise fit PROFILE...`: curves, goodness, knee, audit findings; -o FILE.json
 * writes the model.
 */
#include "cli/command.h"
#include "cli/model_doc.h"
#include "cli/model_load.h"

struct arguments {
	struct cli_common common;
	char **paths;
	size_t n_paths;
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
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

static int
fit_all(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct doc d;
	struct disk_model m;
	doc_init(&d, &a->common.arena, a->n_paths == 1 ? "Disk model" : "Disk models");
	for (size_t i = 0; i < a->n_paths; i++) {
		int rc = model_fit_file(&a->common, a->paths[i], &m, err);
		if (rc)
			return rc;
		model_doc(&d, &m);
	}
	/* a model document holds one disk; several are rendered as tables in every format */
	bool one = a->n_paths == 1;
	return cli_output(&a->common, &d, one ? &disk_model_schema : NULL, one ? &m : NULL, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.args_doc = "PROFILE...",
		.doc = "Fit a disk's curves to its profile and test it and its claims by "
		       "arithmetic.  -o FILE.json writes the model of one profile.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, fit_all);
}

extern const struct command cmd_fit;
const struct command cmd_fit = {
	.name = "fit",
	.args = "PROFILE...",
	.summary = "curves, goodness, knee and audit findings of a profile",
	.run = run,
};
