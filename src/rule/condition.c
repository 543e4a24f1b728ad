/*
 * condition.c - compile and evaluate conditions.
 *
 * Three values after Kleene: `all` is no as soon as one part is no, else unknown if one is
 * unknown; `any` the mirror image; `not unknown` is unknown.  So a missing fact can never make a
 * rule fire by itself, and a rule that depends only on what is known still answers.
 */
#include "rule/condition.h"

#include <math.h>
#include <string.h>

/* Far above what a person writes; they also bound the work of comparing two conditions. */
enum { MAX_DEPTH = 8, MAX_NODES = 128, MAX_VALUES = 64 };

/* What one condition has used up so far. */
struct progress {
	struct arena *arena;
	size_t nodes;
};

static const char *const op_text[] = {
	[OP_IS] = "is",
	[OP_IS_NOT] = "is_not",
	[OP_IN] = "in",
	[OP_ABOVE] = "above",
	[OP_BELOW] = "below",
	[OP_AT_LEAST] = "at_least",
	[OP_AT_MOST] = "at_most",
	[OP_KNOWN] = "known",
};
_Static_assert(sizeof(op_text) / sizeof(op_text[0]) == OP_COUNT, "a word an operator");
const struct names rule_op_names = {"operator", op_text, OP_COUNT};

static const char *const type_text[] = {
	[RULE_NUMBER] = "a number",
	[RULE_TEXT] = "a text",
	[RULE_FLAG] = "true or false",
};
_Static_assert(sizeof(type_text) / sizeof(type_text[0]) == RULE_TYPE_COUNT, "a word a type");

int
unknown_fact(const char *name, struct jval v, struct err *err)
{
	const char *near = names_nearest(name, rule_facts, rule_n_facts, sizeof(rule_facts[0]));
	return json_fail(v, err, ERR_PARSE, "no fact is called \"%.60s\"%s%s%s", name,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int
wrong_word(const struct rule_fact *fact, const char *text, struct jval v, struct err *err)
{
	struct buf list;
	buf_init(&list, 2048);
	names_list(fact->words, &list);
	int rc = json_fail(v, err, ERR_PARSE, "%s is never \"%.60s\"; it may be: %s", fact->name,
		text, buf_text(&list));
	buf_fini(&list);
	return rc;
}

int
literal_read(const struct rule_fact *fact, struct jval v, struct arena *a, struct rule_value *value,
	struct err *err)
{
	static const enum json_type wanted[] = {
		[RULE_NUMBER] = JSON_NUMBER,
		[RULE_TEXT] = JSON_STRING,
		[RULE_FLAG] = JSON_BOOL,
	};
	enum json_type type = json_type(v);
	bool right = type == wanted[fact->type];
	if (!right)
		return json_fail(v, err, ERR_PARSE, "%s is %s, %s given", fact->name,
			type_text[fact->type], json_type_name(type));
	*value = (struct rule_value){.known = true, .number = (double)NAN};
	if (fact->type == RULE_NUMBER) {
		value->number = json_number(v);
		return isfinite(value->number)
			       ? 0
			       : json_fail(v, err, ERR_RANGE, "a number too large to compare with");
	}
	if (fact->type == RULE_FLAG) {
		value->number = json_bool(v) ? 1 : 0;
		return 0;
	}
	if (fact->words && names_find(fact->words, json_text(v)) < 0)
		return wrong_word(fact, json_text(v), v, err);
	value->text = arena_strdup(a, json_text(v));
	return value->text ? 0 : err_nomem(err);
}

/* The right side is { "fact": NAME }. */
static int
read_other(struct rule_node *node, struct jval v, struct err *err)
{
	struct jval name = json_get(v, "fact");
	if (!json_text(name) || json_count(v) != 1)
		return json_fail(v, err, ERR_PARSE,
			"an object here must be { \"fact\": NAME } and nothing else");
	node->other = rule_fact_find(json_text(name));
	if (!node->other)
		return unknown_fact(json_text(name), name, err);
	if (node->other->type != node->fact->type ||
		strcmp(node->other->unit, node->fact->unit) != 0)
		return json_fail(name, err, ERR_PARSE,
			"%s (%s%s%s) cannot be compared with %s (%s%s%s)", node->fact->name,
			type_text[node->fact->type], *node->fact->unit ? ", " : "",
			node->fact->unit, node->other->name, type_text[node->other->type],
			*node->other->unit ? ", " : "", node->other->unit);
	return 0;
}

static int
read_list(struct rule_node *node, struct jval v, struct arena *a, struct err *err)
{
	size_t n = json_count(v);
	if (json_type(v) != JSON_ARRAY || n == 0 || n > MAX_VALUES)
		return json_fail(
			v, err, ERR_PARSE, "in: an array of 1 to %d values expected", MAX_VALUES);
	node->literals = arena_array(a, n, sizeof(*node->literals));
	if (!node->literals)
		return err_nomem(err);
	for (struct jval e = json_first(v); e.node; e = json_next(e)) {
		int rc = literal_read(node->fact, e, a, &node->literals[node->n_literals], err);
		if (rc)
			return rc;
		node->n_literals++;
	}
	return 0;
}

static int
read_known(struct rule_node *node, struct jval v, struct arena *a, struct err *err)
{
	if (json_bool(v) < 0)
		return json_fail(v, err, ERR_PARSE, "known: true or false expected, %s given",
			json_type_name(json_type(v)));
	node->literals = arena_array(a, 1, sizeof(*node->literals));
	if (!node->literals)
		return err_nomem(err);
	node->literals[0] = (struct rule_value){.known = true, .number = json_bool(v)};
	node->n_literals = 1;
	return 0;
}

static int
read_right(struct rule_node *node, struct jval v, struct arena *a, struct err *err)
{
	if (node->op == OP_KNOWN)
		return read_known(node, v, a, err);
	if (node->op == OP_IN)
		return read_list(node, v, a, err);
	if (node->op > OP_IN && node->fact->type != RULE_NUMBER)
		return json_fail_key(v, err, ERR_PARSE, "%s: %s is %s, only numbers have an order",
			op_text[node->op], node->fact->name, type_text[node->fact->type]);
	if (json_type(v) == JSON_OBJECT)
		return read_other(node, v, err);
	node->literals = arena_array(a, 1, sizeof(*node->literals));
	if (!node->literals)
		return err_nomem(err);
	node->n_literals = 1;
	return literal_read(node->fact, v, a, &node->literals[0], err);
}

static int
unknown_operator(struct jval member, struct err *err)
{
	const char *near = names_nearest(json_key(member), op_text, OP_COUNT, sizeof(op_text[0]));
	struct buf list;
	buf_init(&list, 512);
	names_list(&rule_op_names, &list);
	int rc = json_fail_key(member, err, ERR_PARSE,
		"\"%.60s\" is not an operator%s%s%s; there are: %s", json_key(member),
		near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "",
		buf_text(&list));
	buf_fini(&list);
	return rc;
}

/* { "fact": NAME, OP: VALUE } */
static int
read_test(struct rule_node *node, struct jval v, struct arena *a, struct err *err)
{
	struct jval name = json_get(v, "fact"), right = {NULL, NULL};
	if (!json_text(name))
		return json_fail(name, err, ERR_PARSE, "fact: the name of a fact expected");
	node->kind = NODE_TEST;
	node->fact = rule_fact_find(json_text(name));
	if (!node->fact)
		return unknown_fact(json_text(name), name, err);
	for (struct jval m = json_first(v); m.node; m = json_next(m)) {
		if (m.node == name.node)
			continue;
		int op = names_find(&rule_op_names, json_key(m));
		if (op < 0)
			return unknown_operator(m, err);
		if (right.node)
			return json_fail_key(m, err, ERR_PARSE,
				"a second operator in one test; join two tests with \"all\"");
		node->op = (enum rule_op)op;
		right = m;
	}
	if (!right.node)
		return json_fail(
			v, err, ERR_PARSE, "%s is compared with nothing", node->fact->name);
	return read_right(node, right, a, err);
}

static int compile(
	struct jval v, struct progress *p, int depth, struct rule_node **out, struct err *err);

/* The parts of all / any, or the one of not. */
static int
read_group(struct rule_node *node, struct jval m, struct progress *p, int depth, struct err *err)
{
	bool one = node->kind == NODE_NOT;
	size_t n = one ? 1 : json_count(m);
	if (!one && (json_type(m) != JSON_ARRAY || n == 0 || n > MAX_NODES))
		return json_fail(m, err, ERR_PARSE, "%s: an array of 1 to %d conditions expected",
			json_key(m), MAX_NODES);
	node->children = arena_array(p->arena, n, sizeof(struct rule_node *));
	if (!node->children)
		return err_nomem(err);
	for (struct jval e = one ? m : json_first(m); e.node && node->n_children < n;
		e = json_next(e)) {
		int rc = compile(e, p, depth + 1, &node->children[node->n_children], err);
		if (rc)
			return rc;
		node->n_children++;
	}
	return 0;
}

static int
compile(struct jval v, struct progress *p, int depth, struct rule_node **out, struct err *err)
{
	static const char *const group[] = {
		[NODE_ALL] = "all", [NODE_ANY] = "any", [NODE_NOT] = "not"};
	if (depth > MAX_DEPTH || ++p->nodes > MAX_NODES)
		return json_fail(v, err, ERR_PARSE,
			"a condition of more than %d levels or %d parts", MAX_DEPTH, MAX_NODES);
	if (json_type(v) != JSON_OBJECT)
		return json_fail(v, err, ERR_PARSE,
			"%s given, a condition expected: all, any, not, or a test of a fact",
			json_type_name(json_type(v)));
	struct rule_node *node = arena_alloc(p->arena, sizeof(*node));
	if (!node)
		return err_nomem(err);
	*out = node;
	if (json_get(v, "fact").node)
		return read_test(node, v, p->arena, err);
	struct jval m = json_first(v);
	if (json_count(v) != 1)
		return json_fail(v, err, ERR_PARSE,
			"a condition has one of all, any, not, or \"fact\" and an operator");
	for (size_t i = 0; i < sizeof(group) / sizeof(group[0]); i++) {
		if (strcmp(json_key(m), group[i]) == 0) {
			node->kind = (enum rule_node_kind)i;
			return read_group(node, m, p, depth, err);
		}
	}
	return json_fail_key(m, err, ERR_PARSE,
		"\"%.60s\" is no condition: all, any, not, or \"fact\" expected", json_key(m));
}

int
condition_compile(struct jval v, struct arena *a, const struct rule_node **node, struct err *err)
{
	struct rule_node *made = NULL;
	struct progress p = {a, 0};
	int rc = compile(v, &p, 1, &made, err);
	if (rc == 0)
		*node = made;
	return rc;
}

bool
value_equal(enum rule_type type, const struct rule_value *a, const struct rule_value *b)
{
	return type == RULE_TEXT ? strcmp(a->text, b->text) == 0
				 : !(a->number < b->number) && !(a->number > b->number);
}

static bool
compare(const struct rule_node *t, const struct rule_value *left, const struct rule_value *right)
{
	switch (t->op) {
	case OP_IS:
	case OP_IN:
		return value_equal(t->fact->type, left, right);
	case OP_IS_NOT:
		return !value_equal(t->fact->type, left, right);
	case OP_ABOVE:
		return left->number > right->number;
	case OP_BELOW:
		return left->number < right->number;
	case OP_AT_LEAST:
		return left->number >= right->number;
	case OP_AT_MOST:
		return left->number <= right->number;
	case OP_KNOWN:
	case OP_COUNT:
		break;
	}
	return false;
}

static enum rule_answer
eval_test(const struct rule_node *t, const struct rule_context *c)
{
	const struct rule_value *left = &c->values[t->fact - rule_facts];
	if (t->op == OP_KNOWN)
		return left->known == (t->literals[0].number > 0) ? RULE_YES : RULE_NO;
	if (!left->known)
		return RULE_UNKNOWN;
	if (t->other) {
		const struct rule_value *right = &c->values[t->other - rule_facts];
		if (!right->known)
			return RULE_UNKNOWN;
		return compare(t, left, right) ? RULE_YES : RULE_NO;
	}
	for (size_t i = 0; i < t->n_literals; i++) {
		if (compare(t, left, &t->literals[i]))
			return RULE_YES;
	}
	return RULE_NO;
}

/* all (decisive: no) and any (decisive: yes) differ only in the answer that settles them. */
static enum rule_answer
eval_group(const struct rule_node *node, const struct rule_context *c)
{
	enum rule_answer decisive = node->kind == NODE_ALL ? RULE_NO : RULE_YES;
	enum rule_answer answer = node->kind == NODE_ALL ? RULE_YES : RULE_NO;
	for (size_t i = 0; i < node->n_children; i++) {
		enum rule_answer part = condition_eval(node->children[i], c);
		if (part == decisive)
			return decisive;
		if (part == RULE_UNKNOWN)
			answer = RULE_UNKNOWN;
	}
	return answer;
}

enum rule_answer
condition_eval(const struct rule_node *node, const struct rule_context *c)
{
	enum rule_answer part;
	switch (node->kind) {
	case NODE_ALL:
	case NODE_ANY:
		return eval_group(node, c);
	case NODE_NOT:
		part = condition_eval(node->children[0], c);
		return part == RULE_UNKNOWN ? RULE_UNKNOWN : part == RULE_YES ? RULE_NO : RULE_YES;
	case NODE_TEST:
		return eval_test(node, c);
	}
	return RULE_UNKNOWN;
}
