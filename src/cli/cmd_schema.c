/*
 * cmd_schema.c - `tierwise schema [NAME]`: the manual of every document the program reads or
 * writes, printed from the tables that read them.
 */
#include <stdio.h>
#include <string.h>

#include "advise/fleet.h"
#include "advise/plan.h"
#include "base/file.h"
#include "cli/command.h"
#include "model/audit.h"
#include "model/disk.h"
#include "model/engine_document.h"
#include "price/book.h"
#include "price/limits.h"
#include "price/meters.h"
#include "profile/profile.h"
#include "rule/rule.h"
#include "tco/tco.h"
#include "workload/workload.h"

struct document {
	const char *name;
	const char *what;
	const struct schema *schema;
	void (*more)(struct buf *out); /* what a table of fields cannot say; NULL: nothing */
};

static void
describe_conditions(struct buf *out)
{
	static const char *const types[] = {
		[RULE_NUMBER] = "number", [RULE_TEXT] = "text", [RULE_FLAG] = "flag"};
	_Static_assert(
		sizeof(types) / sizeof(types[0]) == RULE_TYPE_COUNT, "a word for every type");
	buf_put(out, "\nA condition is { \"all\": [CONDITION...] }, { \"any\": [CONDITION...] }, "
		     "{ \"not\": CONDITION } or\n{ \"fact\": NAME, OP: VALUE } with OP one of is, "
		     "is_not, "
		     "in, above, below, at_least, at_most, known;\nVALUE is a literal or "
		     "{ \"fact\": NAME }.  What compares with an unknown fact is unknown, and "
		     "unknown is "
		     "not true.\n\nFacts a rule may name:\n\n");
	for (size_t i = 0; i < rule_n_facts; i++) {
		const struct rule_fact *f = &rule_facts[i];
		buf_printf(out, "%s: %s%s%s. %s.\n", f->name, types[f->type], *f->unit ? ", " : "",
			f->unit, f->help);
	}
}

/* The document to start from; tests/golden/schema-workload runs it. */
static void
describe_start(struct buf *out)
{
	buf_put(out,
		"\nA document to start from (more with comments in rules/examples of the data "
		"folder):\n\n"
		"{\n"
		"  \"schema\": \"tierwise/workload/1\", \"name\": \"orders\",\n"
		"  \"provider\": \"azure\", \"region\": \"westeurope\", \"engine\": "
		"\"postgresql\",\n"
		"  \"vm\": { \"sizes\": [\"Standard_E8ds_v5\", \"Standard_E16ds_v5\"] },\n"
		"  \"transactions\": { \"target_tps\": 1000, \"clients\": 100 },\n"
		"  \"sla\": { \"tx_p99_ms\": 50, \"commit_p99_ms\": 10 },\n"
		"  \"volumes\": [\n"
		"    { \"role\": \"wal\", \"capacity_gib\": 32 },\n"
		"    { \"role\": \"data\", \"capacity_gib\": 500, \"growth_gib_month\": 10 },\n"
		"    { \"role\": \"backup\", \"capacity_gib\": 500, \"window_hours\": 6 }\n"
		"  ],\n"
		"  \"budget\": { \"monthly\": 2000 }\n"
		"}\n");
}

static const struct document documents[] = {
	{"workload", "what an application needs: written by hand, read by recommend",
		&workload_schema, describe_start},
	{"profile", "what a disk did: written by bench and import, read by fit and recommend",
		&profile_schema, NULL},
	{"model", "a disk as curves: written by fit, read by predict and recommend",
		&disk_model_schema, NULL},
	{"engine", "how a database uses its disks: the files under models/engines",
		&engine_document_schema, engine_describe_parameters},
	{"audit", "what arithmetic says of figures: written by audit", &audit_schema, NULL},
	{"prices", "what a provider charges in a region: the files under pricing",
		&price_book_schema, NULL},
	{"limits", "what tiers and machines can do: the files under pricing", &limits_schema, NULL},
	{"meters", "which meter of a provider becomes which row: read by prices update",
		&meters_schema, NULL},
	{"rules", "policy as data: the files under rules, and a site's own", &rule_pack_schema,
		describe_conditions},
	{"plan", "a recommendation: written by recommend, read by report, tco and compare",
		&plan_schema, NULL},
	{"fleet", "what recommend --fleet says of each workload of a stream", &fleet_schema, NULL},
	{"tco", "options to compare in money: written by hand, read by tco", &tco_schema, NULL},
	{"tco-result", "what a comparison comes to: written by tco", &tco_result_schema, NULL},
	{"finding", "a remark of an import, a fit, an audit or a rule; part of other documents",
		&finding_schema, NULL},
};

enum { N_DOCUMENTS = sizeof(documents) / sizeof(documents[0]) };

struct arguments {
	struct cli_common common;
	const char *name;
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
		if (a->name)
			argp_error(state, "one document at a time, \"%s\" is the second", arg);
		a->name = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
list(struct cli_common *c, struct err *err)
{
	static const struct doc_column columns[] = {
		{"Document", DOC_LEFT}, {"Schema", DOC_LEFT}, {"What it is", DOC_LEFT}};
	struct doc d;
	doc_init(&d, &c->arena, NULL);
	struct doc_table *t = doc_table(&d, "Documents; tierwise schema NAME describes one",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < N_DOCUMENTS; i++) {
		const struct document *doc = &documents[i];
		doc_row(&d, t);
		doc_cell(&d, t, 0, "%s", doc->name);
		doc_cell(&d, t, 1, "%s", doc->schema->id ? doc->schema->id : "(part)");
		doc_cell(&d, t, 2, "%s", doc->what);
	}
	return cli_output(c, &d, NULL, NULL, err);
}

/* The manual is plain text in every format: it goes to the outputs as it is. */
static int
describe(struct cli_common *c, const struct document *doc, struct err *err)
{
	struct buf out;
	buf_init(&out, 0);
	schema_describe(doc->schema, &out);
	if (doc->more)
		doc->more(&out);
	int rc = c->outputs.n ? 0 : file_write("-", &out, err);
	for (size_t i = 0; i < c->outputs.n && rc == 0; i++)
		rc = file_write(c->outputs.items[i], &out, err);
	buf_fini(&out);
	return rc;
}

static int
run_one(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	if (!a->name)
		return list(&a->common, err);
	for (size_t i = 0; i < N_DOCUMENTS; i++) {
		if (strcmp(documents[i].name, a->name) == 0)
			return describe(&a->common, &documents[i], err);
	}
	const char *near = names_nearest(
		a->name, &documents[0].name, N_DOCUMENTS, sizeof(documents[0]));
	return err_set(err, ERR_USAGE,
		"schema \"%.60s\" is not a document%s%s%s; tierwise schema lists them", a->name,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.args_doc = "[NAME]",
		.doc = "Describe a document the program reads or writes; without NAME, list them.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, run_one);
}

extern const struct command cmd_schema;
const struct command cmd_schema = {
	.name = "schema",
	.args = "[NAME]",
	.summary = "describe the input and output documents",
	.run = run,
};
