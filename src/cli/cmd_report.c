/*
 * cmd_report.c - `tierwise report FILE`: a plan or a measured disk as a document to read, in any
 * format.
 *
 * The file holds everything; nothing is computed here.
 */
#include <string.h>

#include "advise/plan.h"
#include "cli/bench_doc.h"
#include "cli/command.h"
#include "profile/fio_write.h"
#include "profile/profile.h"
#include "report/plan_report.h"

enum { KEY_FIO = 0x2000 };

struct arguments {
	struct cli_common common;
	const char *file, *fio;
};

static const struct argp_option option_rows[] = {
	{"fio", KEY_FIO, "FILE", 0, "Write a measured disk also as a fio result (json+)", 0}, {0}};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_FIO:
		a->fio = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->file)
			argp_error(state, "one file at a time, \"%s\" is the second", arg);
		a->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->file)
			argp_error(state, "no plan or profile given (- reads standard input)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
report_plan(struct arguments *a, struct jval root, struct err *err)
{
	struct plan plan;
	struct doc d;
	int rc = plan_read(root, &a->common.arena, &plan, err);
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
report_profile(struct arguments *a, struct jval root, struct err *err)
{
	struct profile p;
	struct doc d;
	int rc = schema_read(&profile_schema, root, &a->common.arena, &p, err);
	rc = rc ? rc : profile_check(&p, root, err);
	if (rc)
		return rc;
	rc = a->fio ? fio_write(&p, a->fio, err) : 0;
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, "Disk measurement");
	bench_doc(&d, &p);
	return cli_output(&a->common, &d, &profile_schema, &p, err);
}

static int
report(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct json_doc *doc = NULL;
	int rc = cli_keep_input(&a->common, a->file, err);
	rc = rc ? rc : json_load(a->file, 0, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	const char *schema = json_text(json_get(root, "schema"));
	bool profile = schema && strncmp(schema, "tierwise/profile/", 17) == 0;
	if (a->fio && !profile)
		rc = json_fail(
			root, err, ERR_USAGE, "--fio is for a measured disk (tierwise/profile/1)");
	else
		rc = profile ? report_profile(a, root, err) : report_plan(a, root, err);
	json_free(doc);
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = option_rows,
		.parser = parse_option,
		.args_doc = "PLAN|PROFILE",
		.doc = "Write the report of a plan made by tierwise recommend, or of a disk "
		       "measured "
		       "by tierwise bench.\v"
		       "The file is a tierwise/plan/1 or tierwise/profile/1 document; - reads "
		       "standard "
		       "input.  Examples:\n"
		       "  tierwise report plan.json -o report.html -o report.md\n"
		       "  tierwise report disk.json -o disk.html",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, report);
}

extern const struct command cmd_report;
const struct command cmd_report = {
	.name = "report",
	.args = "PLAN|PROFILE",
	.summary = "write the report of a plan or a measured disk: table, html, md, csv, json",
	.run = run,
};
