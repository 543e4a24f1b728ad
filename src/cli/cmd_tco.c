/*
 * cmd_tco.c - `tierwise tco FILE`: the money of a comparison (tierwise/tco/1) or of a plan
 * (tierwise/plan/1).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/money_doc.h"

enum { KEY_HORIZON = 0x2000, KEY_RATE };

struct arguments {
	struct cli_common common;
	const char *path;
	struct plan_money terms;
};

/* A plain number inside [lo, hi]. */
static double
number(struct argp_state *state, const char *option, const char *text, const double range[2])
{
	char *end = NULL;
	double v = strtod(text, &end);
	if (end == text || *end || !(v >= range[0] && v <= range[1]))
		argp_error(
			state, "%s %s: a number from %g to %g", option, text, range[0], range[1]);
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
	case KEY_HORIZON:
		a->terms.horizon_months = number(
			state, "--horizon", arg, (double[2]){1, TCO_MONTHS_MAX});
		if (a->terms.horizon_months != floor(a->terms.horizon_months))
			argp_error(state, "--horizon %s: whole months", arg);
		return 0;
	case KEY_RATE:
		a->terms.rate_year = number(state, "--discount-rate", arg, (double[2]){0, 10});
		return 0;
	case ARGP_KEY_ARG:
		if (a->path)
			argp_error(state, "one FILE at a time, \"%s\" is the second", arg);
		a->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->path)
			argp_error(state, "FILE is missing: a tierwise/tco/1 or tierwise/plan/1");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
run_plan(struct arguments *a, struct jval root, struct err *err)
{
	struct plan plan;
	struct doc d;
	int rc = plan_read(root, &a->common.arena, &plan, err);
	if (rc)
		return rc;
	const char *title = arena_printf(&a->common.arena, "Cost of %s", plan.name);
	doc_init(&d, &a->common.arena, title);
	rc = plan_money_doc(&plan, &a->terms, &d, err);
	if (rc && rc != ERR_PRICE)
		return rc;
	struct err output = {0};
	if (cli_output(&a->common, &d, NULL, NULL, &output)) {
		*err = output;
		return (int)output.code;
	}
	return rc;
}

/* What the command line says wins over the document, and is said to. */
static void
override(struct tco_case *c, const struct plan_money *terms)
{
	if (!isnan(terms->horizon_months))
		c->finance->horizon_months = (int64_t)terms->horizon_months;
	if (isnan(terms->rate_year))
		return;
	c->finance->discount_rate_year = terms->rate_year;
	c->finance->discount_rate_trust = TRUST_ASSUMED;
	c->finance->discount_rate_source = "--discount-rate";
}

static int
run_case(struct arguments *a, struct jval root, struct err *err)
{
	struct tco_case c;
	struct tco_result r;
	struct doc d;
	int rc = tco_read(root, &a->common.arena, &c, err);
	if (rc)
		return rc;
	override(&c, &a->terms);
	rc = tco_evaluate(&c, &a->common.arena, &r, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, r.name);
	tco_doc(&r, &d);
	if (a->common.outputs.n) /* the document on stdout holds them already */
		cli_print_findings(&a->common, r.findings, r.n_findings);
	rc = cli_output(&a->common, &d, &tco_result_schema, &r, err);
	if (rc == 0 && r.complete == 0)
		rc = err_set(err, ERR_PRICE, "incomplete: a price or an amount is unknown");
	return rc;
}

static int
run_document(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct json_doc *doc = NULL;
	int rc = cli_keep_input(&a->common, a->path, err);
	rc = rc ? rc : json_load(a->path, 0, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	const char *schema = json_text(json_get(root, "schema"));
	if (schema && strncmp(schema, "tierwise/plan/", strlen("tierwise/plan/")) == 0)
		rc = run_plan(a, root, err);
	else
		rc = run_case(a, root, err);
	json_free(doc);
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"horizon", KEY_HORIZON, "MONTHS", 0,
			"Months to compare over (default: the document's; a plan without one: 36)",
			0},
		{"discount-rate", KEY_RATE, "RATE", 0,
			"Effective yearly discount rate, e.g. 0.08 (default: the document's; none: "
			"0.08, named as assumed)",
			0},
		{0},
	};
	static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "FILE",
		.doc = "Monthly, yearly and horizon cost, present value, payback, both unit costs, "
		       "and "
		       "what moves the answer: for a hand-written comparison (tierwise/tco/1) or a "
		       "recommendation (tierwise/plan/1).  FILE - is standard input.",
		.children = children};
	struct arguments a = {.terms = {NAN, NAN}};
	return cli_run(&argp, argc, argv, &a, run_document);
}

extern const struct command cmd_tco;
const struct command cmd_tco = {
	.name = "tco",
	.args = "FILE",
	.summary = "cost over time: NPV, payback, unit costs, what moves the answer",
	.run = run,
};
