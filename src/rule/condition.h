/*
 * condition.h - conditions inside the rule module: compiled from JSON, evaluated in three values,
 * compared, and put into words.
 *
 * A condition is a tree: all, any, not, and tests of one fact against a literal, a list or another
 * fact.  Nodes live in the arena of the pack and do not refer to the JSON document.
 */
#ifndef RULE_CONDITION_H
#define RULE_CONDITION_H

#include "rule/rule.h"

enum rule_node_kind { NODE_ALL, NODE_ANY, NODE_NOT, NODE_TEST };

enum rule_op {
	OP_IS,
	OP_IS_NOT,
	OP_IN,
	OP_ABOVE,
	OP_BELOW,
	OP_AT_LEAST,
	OP_AT_MOST,
	OP_KNOWN,
	OP_COUNT
};

struct rule_node {
	enum rule_node_kind kind;
	struct rule_node **children; /* all, any: n_children; not: 1 */
	size_t n_children;
	/* a test */
	enum rule_op op;
	const struct rule_fact *fact;
	const struct rule_fact *other; /* right side is a fact; NULL: literals */
	struct rule_value *literals; /* 1, or several for `in` */
	size_t n_literals;
};

extern const struct names rule_op_names;

/* Compile; ERR_PARSE with the place for anything that is not a condition.  More than 8 levels or
 * 128 parts is refused. */
int condition_compile(
	struct jval v, struct arena *a, const struct rule_node **node, struct err *err);

enum rule_answer condition_eval(const struct rule_node *node, const struct rule_context *c);

/* Same meaning by form: children of all / any in any order. */
bool condition_equal(const struct rule_node *a, const struct rule_node *b);

/*
 * Can a and b (and each alone) both hold?  False only when two tests that must hold together
 * (conjuncts of both) exclude each other for every value; literals only, so it proves a
 * contradiction and never misses freedom.
 */
bool condition_compatible(const struct rule_node *a, const struct rule_node *b);

/*
 * Is it proven that a and b (NULL: always) hold together in some situation?  Only tests against
 * literals joined by `all` are decided; with any, not or two facts the answer is false.  With
 * any_disk they must do so whatever disk is taken: a test of a disk.* fact (known apart) is then
 * undecided too.
 */
bool condition_overlap(const struct rule_node *a, const struct rule_node *b, bool any_disk);

/* Does the tree name a fact that differs between volumes? */
bool condition_per_volume(const struct rule_node *node);

/* In words; with c, each fact is followed by its actual value. */
void condition_words(const struct rule_node *node, const struct rule_context *c, struct buf *out);

/*
 * Values as people read them: "12,800 IOPS", "18.2 %", "148.68 USD a month", "yes", "unknown".
 * c gives the currency and may be NULL.
 */
void value_words(const struct rule_fact *fact, const struct rule_value *value,
	const struct rule_context *c, struct buf *out);

/* Two known values of a type. */
bool value_equal(enum rule_type type, const struct rule_value *a, const struct rule_value *b);

/* Check that every {name} of a text is a fact, and that braces match; ERR_PARSE at v. */
int text_check(const char *text, struct jval v, struct err *err);
/* Does the text hold a fact that differs between volumes? */
bool text_per_volume(const char *text);

/* A value whose type or word does not suit the fact is ERR_PARSE at v. */
int literal_read(const struct rule_fact *fact, struct jval v, struct arena *a,
	struct rule_value *value, struct err *err);

/* "no fact is called x, did you mean y?" at v. */
int unknown_fact(const char *name, struct jval v, struct err *err);

#endif /* RULE_CONDITION_H */
