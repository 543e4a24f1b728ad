/*
 * pack.c - read rule documents: check every word of a rule at load, so that evaluating cannot fail.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "rule/condition.h"

static const char *const kind_text[] = {
	[RULE_REQUIRE] = "require",
	[RULE_PREFER] = "prefer",
	[RULE_CONFIGURE] = "configure",
	[RULE_WARN] = "warn",
	[RULE_CHECKLIST] = "checklist",
};
_Static_assert(sizeof(kind_text) / sizeof(kind_text[0]) == RULE_KIND_COUNT, "a word a kind");
const struct names rule_kind_names = {"rule kind", kind_text, RULE_KIND_COUNT};

enum { MAX_RULES = 1000, MAX_ID = 48, MAX_B = 4 << 20 };

/* A rule as written; when and then are compiled before the document is freed. */
struct entry {
	const char *id;
	int kind;
	struct jval when, then;
	const char *text, *why, *source, *as_of, *note;
};

struct document {
	const char *title, *note;
	struct entry *rules;
	size_t n_rules;
};

/* clang-format off */
#define T struct entry
static const struct schema_field entry_fields[] = {
	FIELD_TEXT(T, id, true, "Lower-case letters, digits and hyphens; a later pack replaces a rule of the same id"),
	FIELD_WORD(T, kind, &rule_kind_names, true, "What the rule does"),
	FIELD_RAW(T, when, false, "Condition; absent: always"),
	FIELD_RAW(T, then, true, "require, prefer: a condition; others: { \"text\", \"set\", \"to\" }"),
	FIELD_TEXT(T, text, false, "require, prefer: what to say, with {fact} places; default: why"),
	FIELD_TEXT(T, why, true, "Reason, for a person"),
	FIELD_TEXT(T, source, true, "Who says so: document, page, author"),
	FIELD_TEXT(T, as_of, true, "Date of the source: YYYY, YYYY-MM or YYYY-MM-DD"),
	FIELD_TEXT(T, note, false, "For authors"),
};
#undef T
static const struct schema entry_schema = SCHEMA_PART("rule", struct entry, entry_fields);

#define T struct document
static const struct schema_field document_fields[] = {
	FIELD_TEXT(T, title, true, "What the pack is about"),
	FIELD_TEXT(T, note, false, "For authors"),
	FIELD_LIST(T, rules, n_rules, &entry_schema, true, "The rules, in the order they are printed"),
};
#undef T
const struct schema rule_pack_schema =
	SCHEMA_DOCUMENT("tierwise/rules/1", "policy as data", struct document, document_fields);
/* clang-format on */

void
rule_pack_init(struct rule_pack *pack, struct arena *a)
{
	*pack = (struct rule_pack){.arena = a};
}

static int
check_id(const struct entry *e, struct jval v, struct err *err)
{
	size_t n = strlen(e->id);
	bool good = n > 0 && n <= MAX_ID && e->id[0] != '-' && e->id[n - 1] != '-';
	for (size_t i = 0; i < n; i++)
		good = good && (islower((unsigned char)e->id[i]) ||
				       isdigit((unsigned char)e->id[i]) || e->id[i] == '-');
	return good ? 0
		    : json_fail(json_get(v, "id"), err, ERR_PARSE,
			      "id \"%.60s\": 1 to %d lower-case letters, digits and hyphens", e->id,
			      MAX_ID);
}

/* YYYY, YYYY-MM or YYYY-MM-DD that is a calendar date. */
static int
check_date(const struct entry *e, struct jval v, struct err *err)
{
	char date[16];
	int64_t days;
	size_t n = strlen(e->as_of);
	if (n == 4 || n == 7 || n == 10) {
		snprintf(date, sizeof(date), "%s%s", e->as_of,
			n == 4   ? "-01-01"
			: n == 7 ? "-01"
				 : "");
		if (clock_parse_date(date, &days, NULL) == 0)
			return 0;
	}
	return json_fail(json_get(v, "as_of"), err, ERR_PARSE,
		"as_of \"%.40s\": YYYY, YYYY-MM or YYYY-MM-DD", e->as_of);
}

static int
check_said(struct jval v, const char *key, const char *text, struct err *err)
{
	return text[strspn(text, " \t\n")]
		       ? 0
		       : json_fail(json_get(v, key), err, ERR_PARSE,
				 "%s: empty; a rule without it is hearsay", key);
}

static int
check_entry(const struct entry *e, struct jval v, struct err *err)
{
	int rc = check_id(e, v, err);
	if (rc == 0)
		rc = check_date(e, v, err);
	if (rc == 0)
		rc = check_said(v, "why", e->why, err);
	if (rc == 0)
		rc = check_said(v, "source", e->source, err);
	return rc;
}

/* What a rule may set beside facts: settings of the engine and the operating system. */
static bool
is_setting(const char *name)
{
	return (strncmp(name, "engine.", 7) == 0 && name[7]) ||
	       (strncmp(name, "os.", 3) == 0 && name[3]);
}

static int
read_set(struct rule *rule, struct jval then, struct arena *a, struct err *err)
{
	struct jval set = json_get(then, "set"), to = json_get(then, "to");
	if (!set.node && !to.node)
		return 0;
	if (!set.node || !to.node)
		return json_fail(then, err, ERR_PARSE, "\"set\" and \"to\" come together");
	const char *name = json_text(set);
	if (!name)
		return json_fail(set, err, ERR_PARSE, "set: a name expected");
	const struct rule_fact *fact = rule_fact_find(name);
	if (!fact && !is_setting(name))
		return unknown_fact(name, set, err);
	struct rule_value value;
	int rc = fact ? literal_read(fact, to, a, &value, err) : 0;
	if (rc)
		return rc;
	enum json_type type = json_type(to);
	if (type != JSON_STRING && type != JSON_NUMBER && type != JSON_BOOL)
		return json_fail(to, err, ERR_PARSE, "to: a text, number or flag expected");
	struct buf text;
	buf_init(&text, MAX_B);
	if (json_text(to))
		buf_put(&text, json_text(to));
	else
		json_put_value(&text, to);
	rule->set = arena_strdup(a, name);
	rule->to = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	if (!rule->set || !rule->to)
		return err_nomem(err);
	return !fact && json_text(to) ? text_check(rule->to, to, err) : 0;
}

/* then of configure, warn and checklist: { text, set, to } */
static int
read_advice(struct rule *rule, struct jval then, struct arena *a, struct err *err)
{
	static const char *const keys[] = {"text", "set", "to"};
	if (json_type(then) != JSON_OBJECT)
		return json_fail(then, err, ERR_PARSE,
			"then of %s: { \"text\": ..., \"set\": ..., \"to\": ... } expected",
			kind_text[rule->kind]);
	for (struct jval m = json_first(then); m.node; m = json_next(m)) {
		size_t i = 0;
		while (i < 3 && strcmp(keys[i], json_key(m)) != 0)
			i++;
		if (i == 3)
			return json_fail_key(m, err, ERR_PARSE,
				"unknown key \"%.60s\"; then of %s has text, set and to",
				json_key(m), kind_text[rule->kind]);
		if (json_get(then, keys[i]).node != m.node)
			return json_fail_key(
				m, err, ERR_PARSE, "key \"%s\" is given twice", keys[i]);
	}
	struct jval text = json_get(then, "text");
	if (!json_text(text))
		return json_fail(
			text.node ? text : then, err, ERR_PARSE, "then.text: a text expected");
	rule->text = arena_strdup(a, json_text(text));
	if (!rule->text)
		return err_nomem(err);
	int rc = text_check(rule->text, text, err);
	return rc ? rc : read_set(rule, then, a, err);
}

static int
read_then(struct rule *rule, const struct entry *e, struct jval v, struct arena *a, struct err *err)
{
	bool condition = rule->kind == RULE_REQUIRE || rule->kind == RULE_PREFER;
	struct jval text = json_get(v, "text");
	if (!condition && e->text)
		return json_fail(text, err, ERR_PARSE, "text: inside \"then\" for %s",
			kind_text[rule->kind]);
	if (!condition)
		return read_advice(rule, e->then, a, err);
	rule->text = e->text;
	int rc = rule->text ? text_check(rule->text, text, err) : 0;
	if (rc == 0)
		rc = condition_compile(e->then, a, &rule->then, err);
	if (rc == 0 && !condition_compatible(rule->then, rule->then))
		rc = json_fail(e->then, err, ERR_PARSE, "then: contradicts itself");
	return rc;
}

static const char *
in_words(const struct rule_node *node, struct arena *a)
{
	if (!node)
		return NULL;
	struct buf out;
	buf_init(&out, MAX_B);
	condition_words(node, NULL, &out);
	const char *text = out.failed ? NULL : arena_strdup(a, buf_text(&out));
	buf_fini(&out);
	return text;
}

static int
read_rule(struct rule *rule, const struct entry *e, struct jval v, struct arena *a, struct err *err)
{
	*rule = (struct rule){.id = e->id,
		.kind = e->kind,
		.why = e->why,
		.source = e->source,
		.as_of = e->as_of};
	int rc = check_entry(e, v, err);
	if (rc == 0 && e->when.node)
		rc = condition_compile(e->when, a, &rule->when, err);
	if (rc == 0 && rule->when && !condition_compatible(rule->when, rule->when))
		rc = json_fail(e->when, err, ERR_PARSE,
			"when: contradicts itself, the rule never applies");
	if (rc == 0)
		rc = read_then(rule, e, v, a, err);
	if (rc)
		return rc;
	rule->when_text = rule->when ? in_words(rule->when, a) : "always";
	rule->then_text = in_words(rule->then, a);
	rule->per_volume = condition_per_volume(rule->when) || condition_per_volume(rule->then) ||
			   (rule->text && text_per_volume(rule->text)) ||
			   (rule->to && text_per_volume(rule->to));
	return rule->when_text && (!rule->then || rule->then_text) ? 0 : err_nomem(err);
}

#define APPLY_AT_ONCE                                                                              \
	"and both can apply at once: narrow one \"when\", or give the rule the id of the one it "  \
	"replaces"

/* Two requirements that nothing can meet together: under the same condition, or where both apply. */
static int
check_requirements(
	const struct rule *rule, const struct rule *other, struct jval v, struct err *err)
{
	bool same = condition_equal(rule->when, other->when);
	if (condition_compatible(rule->then, other->then) ||
		(!same && !condition_overlap(rule->when, other->when, true)))
		return 0;
	if (same)
		return json_fail(v, err, ERR_PARSE,
			"rule \"%s\" requires %s, but \"%s\" of %s requires %s under the same "
			"condition",
			rule->id, rule->then_text, other->id, other->pack, other->then_text);
	return json_fail(v, err, ERR_PARSE,
		"rule \"%s\" requires %s (applies: %s), but \"%s\" of %s requires %s (applies: "
		"%s), " APPLY_AT_ONCE,
		rule->id, rule->then_text, rule->when_text, other->id, other->pack,
		other->then_text, other->when_text);
}

/* Two rules that set one name to two values; a value that is computed from facts is not compared. */
static int
check_settings(const struct rule *rule, const struct rule *other, struct jval v, struct err *err)
{
	if (!rule->set || !other->set || strcmp(rule->set, other->set) != 0 ||
		strcmp(rule->to, other->to) == 0 || strchr(rule->to, '{') ||
		strchr(other->to, '{') || !condition_overlap(rule->when, other->when, false))
		return 0;
	return json_fail(v, err, ERR_PARSE,
		"rule \"%s\" sets %s to %s (applies: %s), but \"%s\" of %s sets it to %s (applies: "
		"%s), " APPLY_AT_ONCE,
		rule->id, rule->set, rule->to, rule->when_text, other->id, other->pack, other->to,
		other->when_text);
}

static int
check_pair(const struct rule *rule, const struct rule *other, struct jval v, struct err *err)
{
	if (rule->kind == RULE_REQUIRE && other->kind == RULE_REQUIRE)
		return check_requirements(rule, other, v, err);
	return check_settings(rule, other, v, err);
}

static const struct rule *
find(const struct rule *rules, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(rules[i].id, id) == 0)
			return &rules[i];
	}
	return NULL;
}

/* fresh[0..n) are all rules of the document, n of them read so far with fresh[n - 1] the newest. */
static int
check_fresh(const struct rule *fresh, size_t n, struct jval v, struct err *err)
{
	const struct rule *rule = &fresh[n - 1];
	if (find(fresh, n - 1, rule->id))
		return json_fail(json_get(v, "id"), err, ERR_PARSE,
			"rule \"%s\" is in this file twice", rule->id);
	for (size_t i = 0; i + 1 < n; i++) {
		int rc = check_pair(rule, &fresh[i], v, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Against the packs before this one, except the rules this one replaces. */
static int
check_earlier(const struct rule_pack *pack, const struct rule *fresh, size_t n, struct jval list,
	struct err *err)
{
	struct jval v = json_first(list);
	for (size_t i = 0; i < n; i++, v = json_next(v)) {
		for (size_t j = 0; j < pack->n; j++) {
			if (find(fresh, n, pack->rules[j].id))
				continue;
			int rc = check_pair(&fresh[i], &pack->rules[j], v, err);
			if (rc)
				return rc;
		}
	}
	return 0;
}

static int
add_rule(struct rule_pack *pack, const struct rule *rule, struct err *err)
{
	for (size_t i = 0; i < pack->n; i++) {
		if (strcmp(pack->rules[i].id, rule->id) == 0) {
			pack->rules[i] = *rule;
			return 0;
		}
	}
	struct rule *grown = arena_grow(pack->arena, pack->rules, pack->n, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	pack->rules = grown;
	pack->rules[pack->n++] = *rule;
	return 0;
}

static int
read_rules(const struct rule_pack *pack, const struct document *d, struct jval list,
	struct rule *fresh, struct err *err)
{
	const char *name = json_name(list.doc), *slash = strrchr(name, '/');
	const char *base = arena_strdup(pack->arena, slash ? slash + 1 : name);
	if (!base)
		return err_nomem(err);
	struct jval v = json_first(list);
	for (size_t i = 0; i < d->n_rules; i++, v = json_next(v)) {
		int rc = read_rule(&fresh[i], &d->rules[i], v, pack->arena, err);
		fresh[i].pack = base;
		if (rc == 0)
			rc = check_fresh(fresh, i + 1, v, err);
		if (rc)
			return rc;
	}
	return check_earlier(pack, fresh, d->n_rules, list, err);
}

static int
add_file(struct rule_pack *pack, const struct document *d, const struct json_doc *doc,
	struct err *err)
{
	struct rule_file *grown = arena_grow(
		pack->arena, pack->files, pack->n_files, sizeof(*grown));
	struct rule_file file = {.path = arena_strdup(pack->arena, json_name(doc)),
		.sha256 = arena_strdup(pack->arena, json_sha256(doc)),
		.title = d->title,
		.n_rules = d->n_rules};
	if (!grown || !file.path || !file.sha256)
		return err_nomem(err);
	pack->files = grown;
	pack->files[pack->n_files++] = file;
	return 0;
}

int
rule_pack_read(struct rule_pack *pack, struct jval root, struct err *err)
{
	struct document d;
	int rc = schema_read(&rule_pack_schema, root, pack->arena, &d, err);
	if (rc)
		return rc;
	struct jval list = json_get(root, "rules");
	if (d.n_rules == 0 || d.n_rules > MAX_RULES)
		return json_fail(list, err, ERR_PARSE, "rules: %zu, accepted: 1 to %d", d.n_rules,
			MAX_RULES);
	struct rule *fresh = arena_array(pack->arena, d.n_rules, sizeof(*fresh));
	if (!fresh)
		return err_nomem(err);
	rc = read_rules(pack, &d, list, fresh, err);
	for (size_t i = 0; i < d.n_rules && rc == 0; i++)
		rc = add_rule(pack, &fresh[i], err);
	return rc ? rc : add_file(pack, &d, root.doc, err);
}

int
rule_pack_load(struct rule_pack *pack, const char *path, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, MAX_B, &doc, err);
	if (rc)
		return rc;
	rc = rule_pack_read(pack, json_root(doc), err);
	json_free(doc);
	return rc;
}

static int
is_json(const struct dirent *e)
{
	size_t n = strlen(e->d_name);
	return e->d_name[0] != '.' && n > 5 && strcmp(e->d_name + n - 5, ".json") == 0;
}

/* Byte order, not the locale's: the order of packs must not depend on where the program runs. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int
rule_pack_load_folder(struct rule_pack *pack, const char *folder, struct err *err)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, is_json, by_name), rc = 0;
	if (n < 0)
		return err_sys(err, errno, "%s", folder);
	if (n == 0)
		rc = err_set(
			err, ERR_NOT_FOUND, "%s: no rule pack (*.json) in this folder", folder);
	for (int i = 0; i < n; i++) {
		const char *path =
			rc ? NULL : arena_printf(pack->arena, "%s/%s", folder, names[i]->d_name);
		if (rc == 0)
			rc = path ? rule_pack_load(pack, path, err) : err_nomem(err);
		free(names[i]);
	}
	free(names);
	return rc;
}

const struct rule *
rule_find(const struct rule_pack *pack, const char *id)
{
	return find(pack->rules, pack->n, id);
}

enum rule_answer
rule_applies(const struct rule *rule, const struct rule_context *c)
{
	return rule->when ? condition_eval(rule->when, c) : RULE_YES;
}

enum rule_answer
rule_holds(const struct rule *rule, const struct rule_context *c)
{
	return rule->then ? condition_eval(rule->then, c) : RULE_YES;
}
