/*
 * cmd_compare.c - `tierwise compare PLAN PLAN`: two recommendations side by side.
 */
#include "cli/command.h"
#include "cli/money_doc.h"

struct arguments {
	struct cli_common common;
	const char *paths[2];
	size_t n;
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
		if (a->n == 2)
			argp_error(state, "two plans at a time, \"%s\" is the third", arg);
		a->paths[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->n < 2)
			argp_error(state, "%zu plans given, 2 are compared", a->n);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
compare(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct plan plans[2];
	struct doc d;
	for (size_t i = 0; i < 2; i++) {
		int rc = cli_keep_input(&a->common, a->paths[i], err);
		rc = rc ? rc : plan_load(a->paths[i], &a->common.arena, &plans[i], NULL, err);
		if (rc)
			return rc;
	}
	doc_init(&d, &a->common.arena, "Two plans compared");
	int rc = plan_compare_doc(&plans[0], &plans[1], &d, err);
	if (rc && rc != ERR_PRICE)
		return rc;
	struct err output = {0};
	if (cli_output(&a->common, &d, NULL, NULL, &output)) {
		*err = output;
		return (int)output.code;
	}
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.args_doc = "PLAN PLAN",
		.doc = "Show two recommendations (tierwise/plan/1) side by side: verdict, cost, "
		       "unit "
		       "costs, each volume's configuration, SLA margins, and what must be true for "
		       "the "
		       "dearer one to win.  Differences are the second minus the first.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, compare);
}

extern const struct command cmd_compare;
const struct command cmd_compare = {
	.name = "compare",
	.args = "PLAN PLAN",
	.summary = "two recommendations side by side",
	.run = run,
};
