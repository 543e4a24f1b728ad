/*
 * cmd_recommend.c - `tierwise recommend WORKLOAD`: which tier each volume belongs on, what it costs
 * and why.
 *
 * This file reads the inputs and prints; the decision is advise/advise.h.  The plan is printed
 * before the command fails with 3 (over budget), 4 (nothing fits), 5 (price unknown) or 6 (prices
 * too old); when several apply, 4 goes before 5, 6 and 3.
 */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "advise/transaction.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/engine_load.h"
#include "price/machines.h"
#include "report/plan_report.h"

enum {
	KEY_PROFILE = 0x2000,
	KEY_ENGINE,
	KEY_PRICES,
	KEY_LIMITS,
	KEY_MACHINES,
	KEY_RULES,
	KEY_MAX_PRICE_AGE
};

struct arguments {
	struct cli_common common;
	const char *workload, *prices, *limits, *machines, *engine;
	struct cli_texts profiles, rules;
	double max_price_age;
};

/* Everything read, and what the loading had to say. */
struct loaded {
	struct cli_common *common;
	struct workload workload;
	struct engine engine;
	struct price_book book;
	struct limits limits;
	struct rule_pack rules;
	struct advise_model *models;
	size_t n_models;
	struct plan_input *inputs;
	size_t n_inputs;
	struct findings findings;
	double price_age_days;
	struct err stale; /* code ERR_STALE when the prices are too old */
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
	{0},
};

static error_t
set_age(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;
	a->max_price_age = strtod(text, &end);
	if (end == text || *end || !isfinite(a->max_price_age) || a->max_price_age < 0)
		argp_error(state, "--max-price-age %s: a number of days, 0 or more", text);
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
		return cli_add_text(&a->common, &a->profiles, arg);
	case KEY_PRICES:
		a->prices = arg;
		return 0;
	case KEY_LIMITS:
		a->limits = arg;
		return 0;
	case KEY_MACHINES:
		a->machines = arg;
		return 0;
	case KEY_ENGINE:
		a->engine = arg;
		return 0;
	case KEY_RULES:
		return cli_add_text(&a->common, &a->rules, arg);
	case KEY_MAX_PRICE_AGE:
		return set_age(a, arg, state);
	case ARGP_KEY_ARG:
		if (a->workload)
			argp_error(state, "one workload at a time, \"%s\" is the second", arg);
		a->workload = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->workload)
			argp_error(state, "no workload given (- reads standard input)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
add_input(struct loaded *l, const char *kind, const char *path, const char *sha256,
	const char *as_of, struct err *err)
{
	struct arena *a = &l->common->arena;
	struct plan_input *grown = arena_grow(a, l->inputs, l->n_inputs, sizeof(*grown));
	const char *copy = arena_strdup(a, sha256);
	if (!grown || !copy)
		return err_nomem(err);
	l->inputs = grown;
	l->inputs[l->n_inputs++] = (struct plan_input){
		.kind = kind, .path = path, .sha256 = copy, .as_of = as_of};
	return 0;
}

/* A file given by the user, or one of the data folder: *shown is how the plan names it. */
static const char *
pick(struct loaded *l, const char *given, const char *relative, const char **shown, struct err *err)
{
	*shown = given ? given : relative;
	return given ? given : cli_data_path(l->common, relative, err);
}

static int
load_book(struct loaded *l, const struct arguments *a, struct err *err)
{
	const struct workload *w = &l->workload;
	struct arena *arena = &l->common->arena;
	const char *relative = NULL, *shown;
	char sha256[65];
	if (!a->prices)
		relative = arena_printf(arena, "pricing/%s-%s.json", w->provider, w->region);
	const char *path = pick(l, a->prices, relative, &shown, err);
	if (!path)
		return (int)err->code;
	if (!a->prices && !file_exists(path))
		return err_set(err, ERR_NOT_FOUND,
			"no price book for provider %s, region %s (%s); see tierwise prices list, "
			"or "
			"give --prices",
			w->provider, w->region, relative);
	int rc = price_book_load(path, arena, &l->book, sha256, err);
	if (rc == 0 && strcmp(w->provider, l->book.provider) != 0)
		rc = err_set(err, ERR_RANGE, "%s: provider %s, but %s has the prices of %s",
			a->workload, w->provider, shown, l->book.provider);
	if (rc == 0 && w->currency && strcmp(w->currency, l->book.currency) != 0)
		rc = err_set(err, ERR_RANGE,
			"%s: currency %s, but %s is in %s and nothing is converted: leave currency "
			"out, or give a book in %s with --prices",
			a->workload, w->currency, shown, l->book.currency, w->currency);
	return rc ? rc : add_input(l, "prices", shown, sha256, l->book.as_of, err);
}

/* A provider's own list of machine sizes over the shipped one. */
static int
load_machines(struct loaded *l, const char *path, struct err *err)
{
	struct machines_read result;
	char sha256[65];
	int rc = machines_read(path, &l->common->arena, &l->limits, &result, sha256, err);
	if (rc == 0)
		cli_note(l->common, "%s: %zu machine sizes, %zu of them new", path, result.sizes,
			result.added);
	return rc ? rc : add_input(l, "machines", path, sha256, NULL, err);
}

static int
load_limits(struct loaded *l, const struct arguments *a, struct err *err)
{
	struct arena *arena = &l->common->arena;
	const char *shown;
	char sha256[65];
	const char *relative = l->book.limits ? arena_printf(arena, "pricing/%s", l->book.limits)
					      : arena_printf(arena, "pricing/limits-%s.json",
							l->book.provider);
	const char *path = pick(l, a->limits, relative, &shown, err);
	if (!path)
		return (int)err->code;
	if (!a->limits && !file_exists(path))
		return err_set(err, ERR_NOT_FOUND,
			"no limits for provider %s (%s): give them with --limits", l->book.provider,
			relative);
	int rc = limits_load(path, arena, &l->limits, sha256, err);
	if (rc == 0 && strcmp(l->limits.provider, l->book.provider) != 0)
		rc = err_set(err, ERR_RANGE, "%s is about %s, the prices are of %s", shown,
			l->limits.provider, l->book.provider);
	rc = rc ? rc : add_input(l, "limits", shown, sha256, l->limits.as_of, err);
	return rc || !a->machines ? rc : load_machines(l, a->machines, err);
}

/* The engine of the workload, with its way of committing. */
static int
load_engine(struct loaded *l, const struct arguments *a, struct err *err)
{
	struct engine_document document;
	const char *used = NULL;
	char sha256[65];
	int rc = engine_load(l->common, &l->workload, a->engine, &document, &used, sha256, err);
	rc = rc ? rc
		: transaction_engine(&l->workload, &document, &l->common->arena, &l->engine, err);
	if (rc)
		return rc;
	const char *shown = a->engine ? used
				      : arena_printf(&l->common->arena, "models/engines/%s.json",
						document.engine);
	return shown ? add_input(l, "engine", shown, sha256, NULL, err) : err_nomem(err);
}

/* One shipped pack; a provider or engine without a pack of its own has none. */
static int
load_pack(struct loaded *l, const char *relative, bool required, struct err *err)
{
	const char *path = cli_data_path(l->common, relative, err);
	if (!path)
		return (int)err->code;
	if (!required && !file_exists(path))
		return 0;
	int rc = rule_pack_load(&l->rules, path, err);
	size_t n = l->rules.n_files;
	return rc ? rc
		  : add_input(
			    l, "rules", relative, n ? l->rules.files[n - 1].sha256 : "", NULL, err);
}

static int
load_rules(struct loaded *l, const struct arguments *a, struct err *err)
{
	struct arena *arena = &l->common->arena;
	rule_pack_init(&l->rules, arena);
	int rc = load_pack(l, "rules/placement.json", true, err);
	if (rc == 0)
		rc = load_pack(
			l, arena_printf(arena, "rules/%s.json", l->book.provider), false, err);
	if (rc == 0 && l->workload.engine >= 0)
		rc = load_pack(l,
			arena_printf(arena, "rules/engine-%s.json",
				names_text(&workload_engine_names, l->workload.engine)),
			false, err);
	if (rc == 0)
		rc = load_pack(l, "rules/migration.json", false, err);
	for (size_t i = 0; i < a->rules.n && rc == 0; i++) {
		rc = rule_pack_load(&l->rules, a->rules.items[i], err);
		if (rc == 0)
			rc = add_input(l, "rules", a->rules.items[i],
				l->rules.files[l->rules.n_files - 1].sha256, NULL, err);
	}
	return rc;
}

/* Fit a profile and add its model; a shipped one that cannot be fitted is left out, in words. */
static int
add_model(struct loaded *l, const char *key, const char *path, const char *shown, struct err *err)
{
	struct arena *a = &l->common->arena;
	struct profile p;
	char sha256[65];
	int rc = cli_keep_input(l->common, path, err);
	rc = rc ? rc : profile_load(path, a, &p, sha256, err);
	if (rc || (!key && !p.family && !p.sku))
		return rc;
	struct disk_model *m = arena_alloc(a, sizeof(*m));
	struct advise_model *grown = arena_grow(a, l->models, l->n_models, sizeof(*grown));
	if (!m || !grown)
		return err_nomem(err);
	l->models = grown;
	rc = disk_model_fit(&p, arena_strdup(a, sha256), &l->limits, a, m, err);
	if (rc == ERR_UNSUPPORTED && !key) {
		findings_add(&l->findings, SEVERITY_WARNING, "profile-unusable",
			"give a measured one with --profile", "%s", err->text);
		return 0;
	}
	if (rc)
		return err_context(err, "%s", shown);
	if (key && names_find(&workload_role_names, key) >= 0 && !p.family && !p.sku)
		findings_add(&l->findings, SEVERITY_WARNING, "profile-tier-unknown",
			"give it for the tier it was measured on: --profile SKU=FILE",
			"%s is given for the role %s and names no tier, so its latency is taken "
			"for "
			"every tier of that role: a choice between tiers must not rest on it",
			shown, key);
	struct disk_model *light = arena_alloc(a, sizeof(*light));
	rc = light ? disk_model_light(m, a, light, err) : err_nomem(err);
	if (rc)
		return rc;
	l->models[l->n_models++] = (struct advise_model){
		.model = m, .light = light, .key = key, .path = shown};
	return add_input(l, "profile", shown, sha256, p.as_of, err);
}

/* models/PROVIDER-*.json, by name. */
static int
load_shipped_models(struct loaded *l, struct err *err)
{
	struct arena *a = &l->common->arena;
	const char *pattern = cli_data_path(
		l->common, arena_printf(a, "models/%s-*.json", l->book.provider), err);
	glob_t found;
	if (!pattern)
		return (int)err->code;
	int rc = glob(pattern, 0, NULL, &found);
	if (rc == GLOB_NOMATCH)
		return 0;
	if (rc)
		return err_set(err, ERR_IO, "%s: cannot list", pattern);
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++) {
		const char *path = arena_strdup(a, found.gl_pathv[i]);
		const char *slash = path ? strrchr(path, '/') : NULL;
		rc = slash ? add_model(l, NULL, path, arena_printf(a, "models%s", slash), err)
			   : err_nomem(err);
	}
	globfree(&found);
	return rc;
}

/* A key must name something: a role, a family or a SKU. */
static int
check_key(const struct loaded *l, const char *key, struct err *err)
{
	const char *provider = l->limits.provider;
	size_t n = strlen(provider);
	const char *bare = strncmp(key, provider, n) == 0 && key[n] == '/' ? key + n + 1 : key;
	if (names_find(&workload_role_names, key) >= 0)
		return 0;
	for (size_t i = 0; i < l->limits.n_disks; i++) {
		if (strcmp(l->limits.disks[i].family, bare) == 0 ||
			strcmp(l->limits.disks[i].sku, key) == 0)
			return 0;
	}
	const char *near = l->limits.n_disks
				   ? names_nearest(bare, &l->limits.disks[0].family,
					     l->limits.n_disks, sizeof(l->limits.disks[0]))
				   : NULL;
	if (!near && l->limits.n_disks)
		near = names_nearest(key, &l->limits.disks[0].sku, l->limits.n_disks,
			sizeof(l->limits.disks[0]));
	return err_set(err, ERR_USAGE,
		"--profile %s=...: neither a role (wal, data, index, temp, backup) nor a family or "
		"SKU of %s%s%s%s",
		key, provider, near ? "; did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
}

static int
load_given_models(struct loaded *l, const struct arguments *a, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < a->profiles.n && rc == 0; i++) {
		const char *text = a->profiles.items[i];
		const char *equals = strchr(text, '=');
		if (!equals || equals == text || !equals[1])
			return err_set(err, ERR_USAGE,
				"--profile %s: KEY=FILE expected, KEY a role, a family or a SKU",
				text);
		const char *key = arena_strndup(&l->common->arena, text, (size_t)(equals - text));
		if (!key)
			return err_nomem(err);
		rc = check_key(l, key, err);
		rc = rc ? rc : add_model(l, key, equals + 1, equals + 1, err);
	}
	return rc;
}

static void
note_region(struct loaded *l)
{
	const struct workload *w = &l->workload;
	if (w->region && l->book.region && strcmp(w->region, l->book.region) != 0)
		findings_add(&l->findings, SEVERITY_WARNING, "other-region",
			"take the book of the region the workload runs in",
			"the workload runs in %s, the prices are of %s", w->region, l->book.region);
}

static int
load_all(struct loaded *l, struct arguments *a, struct err *err)
{
	char sha256[65];
	findings_init(&l->findings, &a->common.arena);
	int rc = cli_keep_input(&a->common, a->workload, err);
	rc = rc ? rc : workload_load(a->workload, &a->common.arena, &l->workload, sha256, err);
	rc = rc ? rc : add_input(l, "workload", a->workload, sha256, NULL, err);
	rc = rc ? rc : load_book(l, a, err);
	if (rc)
		return rc;
	rc = price_book_check_age(
		&l->book, NULL, a->max_price_age, &l->price_age_days, &l->findings, &l->stale);
	if (rc && rc != ERR_STALE) {
		*err = l->stale;
		return rc;
	}
	note_region(l);
	rc = load_limits(l, a, err);
	rc = rc ? rc : load_engine(l, a, err);
	rc = rc ? rc : load_rules(l, a, err);
	rc = rc ? rc : load_shipped_models(l, err);
	return rc ? rc : load_given_models(l, a, err);
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

static bool
comes_with_plan(int rc)
{
	return rc == 0 || rc == ERR_BUDGET || rc == ERR_INFEASIBLE || rc == ERR_INCONCLUSIVE ||
	       rc == ERR_PRICE;
}

static int
recommend(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct loaded l = {.common = &a->common};
	int rc = load_all(&l, a, err);
	if (rc)
		return rc;
	const struct advise_input in = {.workload = &l.workload,
		.engine = &l.engine,
		.book = &l.book,
		.limits = &l.limits,
		.rules = &l.rules,
		.models = l.models,
		.n_models = l.n_models,
		.inputs = l.inputs,
		.n_inputs = l.n_inputs,
		.tool = "tierwise " TIERWISE_VERSION,
		.price_age_days = l.price_age_days,
		.findings = &l.findings};
	struct plan plan;
	int outcome = advise_plan(&in, &a->common.arena, &plan, err);
	if (!comes_with_plan(outcome))
		return outcome;
	/* the last finding of a failed plan is the error itself, printed at the end */
	cli_print_findings(&a->common, plan.findings, plan.n_findings - (outcome ? 1 : 0));
	struct err failed = {0};
	rc = print(&a->common, &plan, &failed);
	if (rc) {
		*err = failed;
		return rc;
	}
	bool stale = l.stale.code == ERR_STALE;
	if (stale && (outcome == 0 || outcome == ERR_BUDGET)) {
		*err = l.stale;
		return ERR_STALE;
	}
	return outcome;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "WORKLOAD",
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
	struct arguments a = {.max_price_age = -1};
	return cli_run(&argp, argc, argv, &a, recommend);
}

extern const struct command cmd_recommend;
const struct command cmd_recommend = {
	.name = "recommend",
	.args = "WORKLOAD",
	.summary = "place each volume of a workload: tier, size, price, reasons",
	.run = run,
};
