/*
 * cmd_compare.c - `tierwise compare FILE FILE`: two recommendations, or two or more measured disks,
 * side by side.
 */
#include <string.h>

#include "cli/bench_compare.h"
#include "cli/command.h"
#include "cli/money_doc.h"
#include "profile/profile.h"

enum { FILES_MAX = 16 };

struct arguments {
	struct cli_common common;
	const char *paths[FILES_MAX];
	struct json_doc *docs[FILES_MAX];
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
		if (a->n == FILES_MAX)
			argp_error(state, "at most %d files at a time", FILES_MAX);
		a->paths[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->n < 2)
			argp_error(state, "%zu files given, 2 are compared", a->n);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
compare_plans(struct arguments *a, struct err *err)
{
	struct plan plans[2];
	struct doc d;
	if (a->n > 2)
		return err_set(err, ERR_USAGE, "%zu plans given, 2 are compared", a->n);
	for (size_t i = 0; i < 2; i++) {
		int rc = plan_read(json_root(a->docs[i]), &a->common.arena, &plans[i], err);
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
compare_profiles(struct arguments *a, struct err *err)
{
	struct profile profiles[FILES_MAX];
	struct doc d;
	for (size_t i = 0; i < a->n; i++) {
		struct jval root = json_root(a->docs[i]);
		int rc = schema_read(&profile_schema, root, &a->common.arena, &profiles[i], err);
		rc = rc ? rc : profile_check(&profiles[i], root, err);
		if (rc)
			return rc;
	}
	doc_init(&d, &a->common.arena, "Measured disks compared");
	for (size_t i = 1; i < a->n; i++)
		bench_compare(&d, &profiles[0], &profiles[i], false);
	return cli_output(&a->common, &d, NULL, NULL, err);
}

static int
load_all(struct arguments *a, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < a->n && rc == 0; i++) {
		rc = cli_keep_input(&a->common, a->paths[i], err);
		rc = rc ? rc : json_load(a->paths[i], 0, &a->docs[i], err);
	}
	return rc;
}

/* What the first file is decides what all have to be. */
static int
compare(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	int rc = load_all(a, err);
	if (rc == 0) {
		const char *schema = json_text(json_get(json_root(a->docs[0]), "schema"));
		bool profiles = schema && strncmp(schema, "tierwise/profile/", 17) == 0;
		rc = profiles ? compare_profiles(a, err) : compare_plans(a, err);
	}
	for (size_t i = 0; i < a->n; i++)
		json_free(a->docs[i]);
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.args_doc = "PLAN PLAN\nPROFILE PROFILE...",
		.doc = "Show two recommendations (tierwise/plan/1) side by side: verdict, cost, "
		       "unit "
		       "costs, each volume's configuration, SLA margins, and what must be true for "
		       "the "
		       "dearer one to win.  Differences are the second minus the first.  Or show "
		       "measured "
		       "disks (tierwise/profile/1) side by side: each one's rates and latencies "
		       "over "
		       "those of the first, with 95 % intervals.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, compare);
}

extern const struct command cmd_compare;
const struct command cmd_compare = {
	.name = "compare",
	.args = "FILE FILE...",
	.summary = "two recommendations, or measured disks, side by side",
	.run = run,
};
