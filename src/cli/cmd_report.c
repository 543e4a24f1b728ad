/*
 * cmd_report.c - `tierwise report PLAN`: a plan as a document to read, in any format.
 *
 * The plan holds everything; nothing is computed here.
 */
#include "advise/plan.h"
#include "cli/command.h"
#include "report/plan_report.h"

struct arguments {
	struct cli_common common;
	const char *plan;
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case ARGP_KEY_ARG:
		if (a->plan)
			argp_error(state, "one plan at a time, \"%s\" is the second", arg);
		a->plan = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->plan)
			argp_error(state, "no plan given (- reads standard input)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
report(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct plan plan;
	struct doc d;
	int rc = cli_keep_input(&a->common, a->plan, err);
	rc = rc ? rc : plan_load(a->plan, &a->common.arena, &plan, NULL, err);
	if (rc)
		return rc;
	const char *title = arena_printf(
		&a->common.arena, "%s: where each volume belongs", plan.name);
	if (!title)
		return err_nomem(err);
	doc_init(&d, &a->common.arena, title);
	plan_report(&plan, &d);
	return cli_output(&a->common, &d, &plan_schema, &plan, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.args_doc = "PLAN",
		.doc = "Write the report of a plan made by tierwise recommend.\v"
		       "PLAN is a tierwise/plan/1 document; - reads standard input.  Example:\n"
		       "  tierwise report plan.json -o report.html -o report.md",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, report);
}

extern const struct command cmd_report;
const struct command cmd_report = {
	.name = "report",
	.args = "PLAN",
	.summary = "write the report of a plan: table, html, md, csv, json",
	.run = run,
};
