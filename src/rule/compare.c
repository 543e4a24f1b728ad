/*
 * compare.c - conditions against each other: the same one, or two that cannot hold together.
 */
#include <math.h>
#include <string.h>

#include "rule/condition.h"

/* What the right side of `known` is, whatever the fact's type. */
static enum rule_type
right_type(const struct rule_node *t)
{
	return t->op == OP_KNOWN ? RULE_FLAG : t->fact->type;
}

static bool
lists(const struct rule_node *t, const struct rule_value *value)
{
	for (size_t i = 0; i < t->n_literals; i++) {
		if (value_equal(right_type(t), &t->literals[i], value))
			return true;
	}
	return false;
}

static bool
equal_tests(const struct rule_node *a, const struct rule_node *b)
{
	if (a->op != b->op || a->fact != b->fact || a->other != b->other ||
		a->n_literals != b->n_literals)
		return false;
	for (size_t i = 0; i < a->n_literals; i++) {
		if (!lists(b, &a->literals[i]))
			return false;
	}
	return true;
}

static bool
has_child(const struct rule_node *node, const struct rule_node *child)
{
	for (size_t i = 0; i < node->n_children; i++) {
		if (condition_equal(node->children[i], child))
			return true;
	}
	return false;
}

static bool
covers(const struct rule_node *a, const struct rule_node *b)
{
	for (size_t i = 0; i < b->n_children; i++) {
		if (!has_child(a, b->children[i]))
			return false;
	}
	return true;
}

bool
condition_equal(const struct rule_node *a, const struct rule_node *b)
{
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	if (a->kind == NODE_TEST)
		return equal_tests(a, b);
	return covers(a, b) && covers(b, a);
}

/* The numbers a test allows: lo..hi, ends included or not.  is_not is not an interval: all. */
struct interval {
	double lo, hi;
	bool lo_open, hi_open;
};

static struct interval
allowed(const struct rule_node *t)
{
	struct interval i = {-HUGE_VAL, HUGE_VAL, true, true};
	double x = t->literals[0].number;
	if (t->op == OP_ABOVE || t->op == OP_AT_LEAST) {
		i.lo = x;
		i.lo_open = t->op == OP_ABOVE;
	} else if (t->op == OP_BELOW || t->op == OP_AT_MOST) {
		i.hi = x;
		i.hi_open = t->op == OP_BELOW;
	}
	return i;
}

static bool
inside(struct interval i, double x)
{
	return (i.lo_open ? x > i.lo : x >= i.lo) && (i.hi_open ? x < i.hi : x <= i.hi);
}

static bool
intervals_meet(struct interval a, struct interval b)
{
	double lo = fmax(a.lo, b.lo), hi = fmin(a.hi, b.hi);
	if (lo < hi)
		return true;
	return !(lo > hi) && inside(a, lo) && inside(b, lo);
}

static bool
is_set(const struct rule_node *t)
{
	return t->op == OP_IS || t->op == OP_IN;
}

/* Is the value allowed by a test of any operator but known? */
static bool
allows(const struct rule_node *t, const struct rule_value *value)
{
	if (is_set(t))
		return lists(t, value);
	if (t->op == OP_IS_NOT)
		return !lists(t, value);
	return inside(allowed(t), value->number);
}

/* Has any value of the set a place in the other test? */
static bool
some_allowed(const struct rule_node *set, const struct rule_node *t)
{
	for (size_t i = 0; i < set->n_literals; i++) {
		if (allows(t, &set->literals[i]))
			return true;
	}
	return false;
}

static bool
tests_compatible(const struct rule_node *a, const struct rule_node *b)
{
	if (a->fact != b->fact || a->other || b->other)
		return true;
	if (a->op == OP_KNOWN || b->op == OP_KNOWN) {
		bool a_known = a->op != OP_KNOWN || a->literals[0].number > 0;
		bool b_known = b->op != OP_KNOWN || b->literals[0].number > 0;
		return a_known == b_known;
	}
	if (is_set(a))
		return some_allowed(a, b);
	if (is_set(b))
		return some_allowed(b, a);
	if (a->op == OP_IS_NOT || b->op == OP_IS_NOT) /* a flag has only two values */
		return a->fact->type != RULE_FLAG ||
		       value_equal(RULE_FLAG, &a->literals[0], &b->literals[0]);
	return intervals_meet(allowed(a), allowed(b));
}

/* Every test that must hold for `node` to hold, against every one of `other`. */
static bool
conjuncts_compatible(const struct rule_node *node, const struct rule_node *other)
{
	if (node->kind == NODE_ALL) {
		for (size_t i = 0; i < node->n_children; i++) {
			if (!conjuncts_compatible(node->children[i], other))
				return false;
		}
		return true;
	}
	if (other->kind == NODE_ALL)
		return conjuncts_compatible(other, node);
	return node->kind != NODE_TEST || other->kind != NODE_TEST || tests_compatible(node, other);
}

bool
condition_compatible(const struct rule_node *a, const struct rule_node *b)
{
	return conjuncts_compatible(a, a) && conjuncts_compatible(b, b) &&
	       conjuncts_compatible(a, b);
}

/* The tests that must all hold; full, or with anything but tests in it, nothing is proven. */
struct tests {
	const struct rule_node *at[256]; /* two conditions of at most 128 parts */
	size_t n;
};

static bool
collect(const struct rule_node *node, struct tests *t)
{
	if (!node)
		return true;
	if (node->kind == NODE_ALL) {
		for (size_t i = 0; i < node->n_children; i++) {
			if (!collect(node->children[i], t))
				return false;
		}
		return true;
	}
	if (node->kind != NODE_TEST || node->other || t->n == sizeof(t->at) / sizeof(t->at[0]))
		return false;
	t->at[t->n++] = node;
	return true;
}

/* Is the value allowed by every test of the fact? */
static bool
all_allow(const struct tests *t, const struct rule_fact *fact, const struct rule_value *value)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->at[i]->fact == fact && t->at[i]->op != OP_KNOWN && !allows(t->at[i], value))
			return false;
	}
	return true;
}

static bool
some_word_allowed(const struct tests *t, const struct rule_fact *fact)
{
	for (int w = 0; w < fact->words->count; w++) {
		struct rule_value value = {.known = true, .text = fact->words->text[w]};
		if (all_allow(t, fact, &value))
			return true;
	}
	return false;
}

/*
 * Is there a value that all tests of the fact of at[k] allow?  Sets and words are tried one by one;
 * intervals meet all together when they meet two by two.
 */
static bool
satisfiable(const struct tests *t, size_t k)
{
	const struct rule_node *test = t->at[k];
	for (size_t i = 0; i < t->n; i++) {
		if (!tests_compatible(test, t->at[i]))
			return false;
	}
	if (test->op == OP_KNOWN)
		return true;
	for (size_t i = 0; is_set(test) && i < test->n_literals; i++) {
		if (all_allow(t, test->fact, &test->literals[i]))
			return true;
	}
	if (is_set(test))
		return false;
	return !test->fact->words || some_word_allowed(t, test->fact);
}

static bool
of_disk(const struct rule_node *test)
{
	return test->op != OP_KNOWN && strncmp(test->fact->name, "disk.", 5) == 0;
}

bool
condition_overlap(const struct rule_node *a, const struct rule_node *b, bool any_disk)
{
	struct tests t = {.n = 0};
	if (!collect(a, &t) || !collect(b, &t))
		return false;
	for (size_t k = 0; k < t.n; k++) {
		if (!satisfiable(&t, k) || (any_disk && of_disk(t.at[k])))
			return false;
	}
	return true;
}

bool
condition_per_volume(const struct rule_node *node)
{
	if (!node)
		return false;
	if (node->kind == NODE_TEST)
		return node->fact->per_volume || (node->other && node->other->per_volume);
	for (size_t i = 0; i < node->n_children; i++) {
		if (condition_per_volume(node->children[i]))
			return true;
	}
	return false;
}
