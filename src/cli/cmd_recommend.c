/*
 * cmd_recommend.c - `tierwise recommend WORKLOAD`: which tier each volume belongs on, what it costs
 * and why.
 *
 * This file reads the inputs and prints; the decision is advise/advise.h.  The plan is printed
 * before the command fails with 3 (over budget), 4 (nothing fits), 5 (price unknown), 6 (prices
 * too old) or 7 (nothing is known to fit); when several apply, 4 goes before 5, 6, 7 and 3.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "advise/advise.h"
#include "cli/recommend_fleet.h"
#include "cli/recommend_load.h"
#include "cli/recommend_search.h"
#include "report/plan_report.h"

enum {
	KEY_PROFILE = 0x2000,
	KEY_ENGINE,
	KEY_PRICES,
	KEY_LIMITS,
	KEY_MACHINES,
	KEY_RULES,
	KEY_MAX_PRICE_AGE,
	KEY_FLEET,
	KEY_JOBS
};

struct arguments {
	struct cli_common common;
	struct recommend_files files;
	const char *workload, *fleet;
	int jobs; /* of --fleet; 0: as many as processors */
};

static const struct argp_option options[] = {
	{"profile", KEY_PROFILE, "KEY=FILE", 0,
		"Measured profile of one disk, for a SKU (P30), a family (premium_ssd) or a role "
		"(wal); the SKU wins over the family, the family over the role; may repeat",
		1},
	{"prices", KEY_PRICES, "FILE", 0,
		"Price book (default pricing/PROVIDER-REGION.json of the data folder)", 1},
	{"book", KEY_PRICES, NULL, OPTION_ALIAS, NULL, 1},
	{"limits", KEY_LIMITS, "FILE", 0,
		"Tier and machine limits (default pricing/limits-PROVIDER.json)", 1},
	{"machines", KEY_MACHINES, "FILE", 0,
		"Machine sizes out of `az vm list-skus` or `aws ec2 describe-instance-types`, over "
		"the shipped ones",
		1},
	{"engine", KEY_ENGINE, "FILE", 0,
		"Parameters of the engine (default models/engines/NAME.json)", 1},
	{"rules", KEY_RULES, "FILE", 0, "A site's own rule pack after the shipped ones; may repeat",
		1},
	{"max-price-age", KEY_MAX_PRICE_AGE, "DAYS", 0,
		"Exit 6 when the price book is older than this", 1},
	{"fleet", KEY_FLEET, "FILE", 0,
		"Instead of WORKLOAD: a workload a line (NDJSON; - is standard input), a row for "
		"each in the answer",
		2},
	{"jobs", KEY_JOBS, "N", 0, "With --fleet: processes (default: one a processor)", 2},
	{0},
};

static error_t
set_age(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;
	a->files.max_price_age = strtod(text, &end);
	if (end == text || *end || !isfinite(a->files.max_price_age) || a->files.max_price_age < 0)
		argp_error(state, "--max-price-age %s: a number of days, 0 or more", text);
	return 0;
}

static error_t
set_jobs(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;
	long n = strtol(text, &end, 10);
	if (end == text || *end || n < 1 || n > FLEET_MOST_JOBS)
		argp_error(state, "--jobs %s: 1 to %d processes", text, (int)FLEET_MOST_JOBS);
	a->jobs = (int)n;
	return 0;
}

static error_t
check_arguments(const struct arguments *a, struct argp_state *state)
{
	if (a->workload && a->fleet)
		argp_error(state, "a workload (%s) or --fleet %s, not both", a->workload, a->fleet);
	if (!a->workload && !a->fleet)
		argp_error(state, "no workload given (- reads standard input)");
	if (a->jobs && !a->fleet)
		argp_error(state, "--jobs is for --fleet");
	return 0;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_PROFILE:
		return cli_add_text(&a->common, &a->files.profiles, arg);
	case KEY_PRICES:
		a->files.prices = arg;
		return 0;
	case KEY_LIMITS:
		a->files.limits = arg;
		return 0;
	case KEY_MACHINES:
		a->files.machines = arg;
		return 0;
	case KEY_ENGINE:
		a->files.engine = arg;
		return 0;
	case KEY_RULES:
		return cli_add_text(&a->common, &a->files.rules, arg);
	case KEY_MAX_PRICE_AGE:
		return set_age(a, arg, state);
	case ARGP_KEY_ARG:
		if (a->workload)
			argp_error(state, "one workload at a time, \"%s\" is the second", arg);
		a->workload = arg;
		return 0;
	case KEY_FLEET:
		a->fleet = arg;
		return 0;
	case KEY_JOBS:
		return set_jobs(a, arg, state);
	case ARGP_KEY_END:
		return check_arguments(a, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Write the plan's report in every format asked for. */
static int
print(struct cli_common *c, const struct plan *plan, struct err *err)
{
	struct doc d;
	const char *title = arena_printf(&c->arena, "%s: where each volume belongs", plan->name);
	if (!title)
		return err_nomem(err);
	doc_init(&d, &c->arena, title);
	plan_report(plan, &d);
	return cli_output(c, &d, &plan_schema, plan, err);
}

static int
load(struct arguments *a, struct workload *w, char sha256[65], struct err *err)
{
	int rc = cli_keep_input(&a->common, a->workload, err);
	return rc ? rc : workload_load(a->workload, &a->common.arena, w, sha256, err);
}

/* A row for each workload of a stream. */
static int
recommend_many(struct arguments *a, struct err *err)
{
	struct fleet fleet;
	struct doc d;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int most = processors > FLEET_MOST_JOBS ? FLEET_MOST_JOBS : (int)processors;
	schema_clear(&fleet_schema, &fleet);
	int rc = cli_keep_input(&a->common, a->fleet, err);
	rc = rc ? rc
		: recommend_fleet(&a->common, &a->files, a->fleet,
			  a->jobs    ? a->jobs
			  : most > 0 ? most
				     : 1,
			  &fleet, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, "A fleet: where each volume belongs");
	fleet_report(&fleet, &d);
	rc = cli_output(&a->common, &d, &fleet_schema, &fleet, err);
	return rc ? rc : recommend_fleet_outcome(&fleet, err);
}

static int
recommend(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	if (a->fleet)
		return recommend_many(a, err);
	struct workload workload;
	struct recommend_ground ground;
	struct advise_input in;
	struct advise_search search;
	struct plan plan;
	char sha256[65];
	int rc = load(a, &workload, sha256, err);
	rc = rc ? rc : recommend_ground_load(&a->common, &a->files, &workload, &ground, err);
	rc = rc ? rc
		: recommend_input(
			  &ground, &workload, a->workload, sha256, &a->common.arena, &in, err);
	if (rc)
		return rc;
	in.search = &search;
	int outcome = advise_plan(&in, &a->common.arena, &plan, err);
	if (!recommend_has_plan(outcome))
		return outcome;
	/* the last finding of a failed plan is the error itself, printed at the end */
	cli_print_findings(&a->common, plan.findings, plan.n_findings - (outcome ? 1 : 0));
	if (a->common.verbose && !a->common.quiet)
		recommend_print_search(&search);
	struct err failed = {0};
	rc = print(&a->common, &plan, &failed);
	if (rc) {
		*err = failed;
		return rc;
	}
	return recommend_outcome(&ground, outcome, err);
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "WORKLOAD\n--fleet FILE",
		.doc = "Say which storage tier each volume of a workload belongs on, what that "
		       "costs "
		       "and why.\v"
		       "WORKLOAD is a tierwise/workload/1 document (tierwise schema workload); - "
		       "reads "
		       "standard input.  The plan is written also when the exit status is 3 (over "
		       "budget), 4 (nothing fits), 5 (price unknown), 6 (prices too old) or 7 "
		       "(nothing is known to fit, for want of a latency).  "
		       "Example:\n"
		       "  tierwise recommend payments.json --profile P30=p30.json -o plan.json -o "
		       "plan.html",
		.children = children};
	struct arguments a = {.files.max_price_age = -1};
	return cli_run(&argp, argc, argv, &a, recommend);
}

extern const struct command cmd_recommend;
const struct command cmd_recommend = {
	.name = "recommend",
	.args = "WORKLOAD",
	.summary = "place each volume of a workload: tier, size, price, reasons",
	.run = run,
};
