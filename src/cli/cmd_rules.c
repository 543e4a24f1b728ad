/*
 * cmd_rules.c - `tierwise rules list | explain ID | check FILE`: the policy, who says so, and
 * whether a site's own pack is sound.
 */
#include <string.h>

#include "cli/command.h"
#include "rule/rule.h"

enum { KEY_RULES = 0x2000 };

struct arguments {
	struct cli_common common;
	const char *action, *word; /* the ID or FILE */
	struct cli_texts packs; /* --rules */
};

static const struct argp_option options[] = {
	{"rules", KEY_RULES, "FILE", 0, "A site's own rule pack after the shipped ones; may repeat",
		1},
	{0},
};

static error_t
add_word(struct arguments *a, const char *word, struct argp_state *state)
{
	if (!a->action)
		a->action = word;
	else if (!a->word)
		a->word = word;
	else
		argp_error(state, "\"%s\" is one argument too many", word);
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
	case KEY_RULES:
		return cli_add_text(&a->common, &a->packs, arg);
	case ARGP_KEY_ARG:
		return add_word(a, arg, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
load_shipped(struct arguments *a, struct rule_pack *pack, struct err *err)
{
	const char *folder = cli_data_path(&a->common, "rules", err);
	if (!folder)
		return (int)err->code;
	rule_pack_init(pack, &a->common.arena);
	return rule_pack_load_folder(pack, folder, err);
}

static int
load_all(struct arguments *a, struct rule_pack *pack, struct err *err)
{
	int rc = load_shipped(a, pack, err);
	for (size_t i = 0; i < a->packs.n && rc == 0; i++)
		rc = rule_pack_load(pack, a->packs.items[i], err);
	return rc;
}

/* Without folders, as rules name their pack. */
static const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The table of rules; pack NULL: rules of every pack. */
static void
list_rules(struct doc *d, const struct rule_pack *rules, const char *pack, const char *caption)
{
	static const struct doc_column columns[] = {{"Kind", DOC_LEFT}, {"Rule", DOC_LEFT},
		{"Pack", DOC_LEFT}, {"Source", DOC_LEFT}, {"As of", DOC_LEFT}};
	struct doc_table *t = doc_table(d, caption, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->rules[i];
		if (pack && strcmp(r->pack, pack) != 0)
			continue;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", names_text(&rule_kind_names, r->kind));
		doc_cell(d, t, 1, "%s", r->id);
		doc_cell(d, t, 2, "%s", r->pack);
		doc_cell(d, t, 3, "%s", r->source);
		doc_cell(d, t, 4, "%s", r->as_of);
	}
}

static int
run_list(struct arguments *a, struct err *err)
{
	struct rule_pack pack = {0};
	struct doc d;
	int rc = a->word ? err_set(err, ERR_USAGE, "rules list takes no further word: \"%.60s\"",
				   a->word)
			 : load_all(a, &pack, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, "Rules");
	for (size_t i = 0; i < pack.n_files; i++)
		doc_paragraph(&d, "%s: %s (%zu rules)", file_name(pack.files[i].path),
			pack.files[i].title, pack.files[i].n_rules);
	list_rules(&d, &pack, NULL, "Rules; tierwise rules explain ID says what one means");
	return cli_output(&a->common, &d, NULL, NULL, err);
}

static int
find_rule(const struct rule_pack *pack, const char *id, const struct rule **rule, struct err *err)
{
	*rule = rule_find(pack, id);
	if (*rule)
		return 0;
	const char *near = names_nearest(id, &pack->rules[0].id, pack->n, sizeof(pack->rules[0]));
	return err_set(err, ERR_NOT_FOUND, "no rule \"%.60s\"%s%s%s; tierwise rules list shows all",
		id, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* A row of two cells: a word and a text; a NULL text is left out. */
static void
line(struct doc *d, struct doc_table *t, const char *word, const char *text)
{
	if (!text)
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", word);
	doc_cell(d, t, 1, "%s", text);
}

static const char *
then_word(const struct rule *r)
{
	return r->kind == RULE_REQUIRE ? "Must hold" : "Better when";
}

static int
run_explain(struct arguments *a, struct err *err)
{
	static const struct doc_column columns[] = {{"Part", DOC_LEFT}, {"Text", DOC_LEFT}};
	struct rule_pack pack = {0};
	const struct rule *r = NULL;
	struct doc d;
	int rc = a->word ? load_all(a, &pack, err)
			 : err_set(err, ERR_USAGE,
				   "explain which rule? for example: rules explain "
				   "wal-not-ephemeral");
	if (rc == 0)
		rc = find_rule(&pack, a->word, &r, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, r->id);
	struct doc_table *t = doc_table(&d, "The rule in words", columns, 2);
	line(&d, t, "Kind", names_text(&rule_kind_names, r->kind));
	line(&d, t, "When", r->when_text);
	if (r->then)
		line(&d, t, then_word(r), r->then_text);
	line(&d, t, "Says", r->text);
	if (r->set)
		line(&d, t, "Sets", arena_printf(&a->common.arena, "%s to %s", r->set, r->to));
	line(&d, t, "Why", r->why);
	line(&d, t, "Source", r->source);
	line(&d, t, "As of", r->as_of);
	line(&d, t, "Pack", r->pack);
	line(&d, t, "Scope", r->per_volume ? "each volume" : "the whole plan");
	return cli_output(&a->common, &d, NULL, NULL, err);
}

/* Rules of the file that take the place of a shipped one: often meant, so it is said, not refused.
 */
static void
say_replaced(struct doc *d, const struct rule_pack *shipped, const struct rule_pack *all,
	const char *pack)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct rule *r = &all->rules[i], *old = rule_find(shipped, r->id);
		if (old && strcmp(r->pack, pack) == 0 && strcmp(old->pack, pack) != 0)
			doc_callout(d, DOC_WARNING, "%s replaces the rule of %s", r->id, old->pack);
	}
}

static int
run_check(struct arguments *a, struct err *err)
{
	struct rule_pack shipped = {0}, all = {0};
	struct doc d;
	int rc = a->word ? load_shipped(a, &shipped, err)
			 : err_set(err, ERR_USAGE,
				   "check which file? for example: rules check site.json");
	if (rc == 0)
		rc = load_all(a, &all, err);
	if (rc == 0)
		rc = rule_pack_load(&all, a->word, err);
	if (rc)
		return rc;
	const struct rule_file *file = &all.files[all.n_files - 1];
	const char *pack = file_name(file->path);
	doc_init(&d, &a->common.arena, file->title);
	doc_callout(&d, DOC_PASS, "%s: %zu rule%s, sound, and no requirement contradicts another",
		file->path, file->n_rules, file->n_rules == 1 ? "" : "s");
	say_replaced(&d, &shipped, &all, pack);
	list_rules(&d, &all, pack, "Rules of this file");
	return cli_output(&a->common, &d, NULL, NULL, err);
}

static int
run_action(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	static const struct {
		const char *name;
		int (*run)(struct arguments *a, struct err *err);
	} actions[] = {{"list", run_list}, {"explain", run_explain}, {"check", run_check}};
	const size_t n = sizeof(actions) / sizeof(actions[0]);
	for (size_t i = 0; a->action && i < n; i++) {
		if (strcmp(a->action, actions[i].name) == 0)
			return actions[i].run(a, err);
	}
	return err_set(err, ERR_USAGE, "rules%s%.60s: say list, explain ID or check FILE",
		a->action ? " " : "", a->action ? a->action : "");
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "list\nexplain ID\ncheck FILE",
		.doc = "Show the rules and where they come from, put one into words, or check a "
		       "rule pack of "
		       "your own: its form, its facts, and that it contradicts no other.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, run_action);
}

extern const struct command cmd_rules;
const struct command cmd_rules = {
	.name = "rules",
	.args = "list | explain ID | check FILE",
	.summary = "the rules, who says so, and a check of your own",
	.run = run,
};
