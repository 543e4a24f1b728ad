/*
 * explain.c - conditions, values and texts in words, made from the rule itself.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "rule/condition.h"

/* Whole numbers and large ones with thousands separators, others to three digits. */
static void
number_words(double x, struct buf *out)
{
	char text[32];
	if (isnan(x) || x == floor(x) || fabs(x) >= 100) {
		units_count_text(x, text);
		buf_put(out, text);
	} else {
		buf_printf(out, "%.3g", x);
	}
}

static void
money_words(double x, const struct rule_context *c, struct buf *out)
{
	char text[48];
	units_money_text(x, 2, text);
	buf_put(out, text);
	if (c) {
		const struct rule_value *code = &c->values[rule_fact_find("currency") - rule_facts];
		if (code->known)
			buf_printf(out, " %s", code->text);
	}
	buf_put(out, " a month");
}

/* "1 disk", "2 disks"; abbreviations and rates stay as they are. */
static void
unit_words(const char *unit, double x, struct buf *out)
{
	size_t n = strlen(unit);
	bool plural = n > 3 && unit[n - 1] == 's' && !strchr(unit, '/');
	bool one = !(x < 1) && !(x > 1);
	if (n)
		buf_printf(out, " %.*s", (int)(n - (plural && one)), unit);
}

void
value_words(const struct rule_fact *fact, const struct rule_value *value,
	const struct rule_context *c, struct buf *out)
{
	if (!value->known) {
		buf_put(out, "unknown");
	} else if (fact->type == RULE_TEXT) {
		buf_put(out, value->text);
	} else if (fact->type == RULE_FLAG) {
		buf_put(out, value->number > 0 ? "true" : "false");
	} else if (strcmp(fact->unit, "share") == 0) {
		number_words(round(value->number * 1e5) / 1e3, out); /* 0.05 is 5, not 5.0000001 */
		buf_put(out, " %");
	} else if (strcmp(fact->unit, "money") == 0) {
		money_words(value->number, c, out);
	} else {
		number_words(value->number, out);
		unit_words(fact->unit, value->number, out);
	}
}

static void
fact_words(const struct rule_fact *fact, const struct rule_context *c, struct buf *out)
{
	buf_put(out, fact->name);
	if (!c)
		return;
	buf_put(out, " (");
	value_words(fact, &c->values[fact - rule_facts], c, out);
	buf_putc(out, ')');
}

static void
test_words(const struct rule_node *t, const struct rule_context *c, struct buf *out)
{
	static const char *const words[] = {
		[OP_IS] = "is",
		[OP_IS_NOT] = "is not",
		[OP_IN] = "is one of",
		[OP_ABOVE] = "is above",
		[OP_BELOW] = "is below",
		[OP_AT_LEAST] = "is at least",
		[OP_AT_MOST] = "is at most",
		[OP_KNOWN] = "is known",
	};
	fact_words(t->fact, c, out);
	if (t->op == OP_KNOWN) {
		buf_put(out, t->literals[0].number > 0 ? " is known" : " is not known");
		return;
	}
	buf_printf(out, " %s ", words[t->op]);
	if (t->other)
		fact_words(t->other, c, out);
	for (size_t i = 0; i < t->n_literals; i++) {
		if (i)
			buf_put(out, i + 1 == t->n_literals ? " or " : ", ");
		value_words(t->fact, &t->literals[i], c, out);
	}
}

static void
words(const struct rule_node *node, const struct rule_context *c, bool inner, struct buf *out)
{
	if (node->kind == NODE_TEST) {
		test_words(node, c, out);
		return;
	}
	bool brackets = node->kind == NODE_NOT || (inner && node->n_children > 1);
	buf_put(out, node->kind == NODE_NOT ? "not (" : brackets ? "(" : "");
	for (size_t i = 0; i < node->n_children; i++) {
		if (i)
			buf_put(out, node->kind == NODE_ANY ? " or " : " and ");
		words(node->children[i], c, node->kind != NODE_NOT, out);
	}
	if (brackets)
		buf_putc(out, ')');
}

void
condition_words(const struct rule_node *node, const struct rule_context *c, struct buf *out)
{
	words(node, c, false, out);
}

/*
 * The next piece of a text: up to a brace, or one {name}.  Returns what follows it, NULL at the
 * end; always further than `at`, for a closing brace that nobody opened is a piece of text.  *piece
 * and *n hold the piece, a name without its braces.
 */
static const char *
next_piece(const char *at, const char **piece, size_t *n, bool *is_name)
{
	if (!*at)
		return NULL;
	*is_name = *at == '{';
	*piece = at + *is_name;
	size_t stray = *at == '}';
	*n = stray + strcspn(*piece + stray, "{}");
	const char *end = *piece + *n;
	return *is_name && *end == '}' ? end + 1 : end;
}

static const struct rule_fact *
named(const char *name, size_t n)
{
	char text[64];
	if (n >= sizeof(text))
		return NULL;
	snprintf(text, sizeof(text), "%.*s", (int)n, name);
	return rule_fact_find(text);
}

int
text_check(const char *text, struct jval v, struct err *err)
{
	const char *piece, *at = text;
	size_t n;
	bool is_name;
	while ((at = next_piece(at, &piece, &n, &is_name))) {
		if (is_name ? at[-1] != '}' : *piece == '}')
			return json_fail(v, err, ERR_PARSE,
				"a brace without its partner near \"%.20s\"; {fact.name} stands "
				"for a value",
				piece);
		if (is_name && !named(piece, n)) {
			char name[64];
			snprintf(name, sizeof(name), "%.*s", n < 60 ? (int)n : 60, piece);
			return unknown_fact(name, v, err);
		}
	}
	return 0;
}

bool
text_per_volume(const char *text)
{
	const char *piece, *at = text;
	size_t n;
	bool is_name;
	while ((at = next_piece(at, &piece, &n, &is_name))) {
		const struct rule_fact *fact = is_name ? named(piece, n) : NULL;
		if (fact && fact->per_volume)
			return true;
	}
	return false;
}

/* As a configuration file takes it: a number without unit and separators, anything else in words. */
static void
value_plain(const struct rule_fact *fact, const struct rule_value *value,
	const struct rule_context *c, struct buf *out)
{
	if (fact->type == RULE_NUMBER && value->known)
		buf_printf(out, "%.10g", value->number);
	else
		value_words(fact, value, c, out);
}

static void
fill_in(const char *at, const struct rule_context *c, bool plain, struct buf *out)
{
	const char *piece;
	size_t n;
	bool is_name;
	while (at && (at = next_piece(at, &piece, &n, &is_name))) {
		const struct rule_fact *fact = is_name ? named(piece, n) : NULL;
		if (fact)
			(plain ? value_plain : value_words)(
				fact, &c->values[fact - rule_facts], c, out);
		else
			buf_putn(out, piece, n);
	}
}

void
rule_text(const struct rule *rule, const struct rule_context *c, struct buf *out)
{
	if (rule->text)
		fill_in(rule->text, c, false, out);
	else
		buf_put(out, rule->why); /* a reason, without places for values */
}

void
rule_value_text(const struct rule *rule, const struct rule_context *c, struct buf *out)
{
	fill_in(rule->to, c, true, out);
}

void
rule_explain(const struct rule *rule, const struct rule_context *c, struct buf *out)
{
	buf_printf(out, "%s: ", rule->id);
	if (rule->when)
		condition_words(rule->when, c, out);
	else
		buf_put(out, "always");
	if (!rule->then)
		return;
	buf_put(out, rule->kind == RULE_REQUIRE ? "; must hold: " : "; better: ");
	condition_words(rule->then, c, out);
}
