/*
 * items.c - a scanner that knows strings and nesting, nothing else: what it cuts out is parsed by who
 * asked for it.
 */
#include "price/items.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 64 };

enum separator { WANT_ANY, WANT_COMMA, WANT_ELEMENT }; /* before the next element of the array */

struct items {
	const char *name, *key;
	items_each *each;
	void *ctx;
	struct buf element, envelope;
	size_t total_b, count;
	int depth; /* brackets that are open */
	int array_depth; /* depth inside the array; 0: not in it */
	enum separator separator;
	bool begun, in_string, escaped, in_element, seen_array, key_is_ours;
	char word[KEY_MAX + 1]; /* the last string of the envelope's first level */
	size_t word_n;
};

int
items_open(const char *name, const char *key, items_each *each, void *ctx, struct items **items,
	struct err *err)
{
	struct items *it = calloc(1, sizeof(*it));
	*items = NULL;
	if (!it)
		return err_nomem(err);
	it->name = name;
	it->key = key;
	it->each = each;
	it->ctx = ctx;
	buf_init(&it->element, ITEMS_ELEMENT_MAX);
	buf_init(&it->envelope, ITEMS_ENVELOPE_MAX);
	*items = it;
	return 0;
}

void
items_close(struct items *items)
{
	if (!items)
		return;
	buf_fini(&items->element);
	buf_fini(&items->envelope);
	free(items);
}

void
items_restart(struct items *items)
{
	struct items fresh = {.name = items->name,
		.key = items->key,
		.each = items->each,
		.ctx = items->ctx,
		.element = items->element,
		.envelope = items->envelope};
	fresh.element.len = fresh.envelope.len = 0;
	fresh.element.failed = fresh.envelope.failed = false;
	*items = fresh;
}

size_t
items_count(const struct items *items)
{
	return items->count;
}

const struct buf *
items_envelope(const struct items *items)
{
	return &items->envelope;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int
misplaced(const struct items *it, char c, size_t offset, struct err *err)
{
	return err_set(err, ERR_PARSE, "%s: byte %zu: not JSON here: \"%c\"", it->name,
		it->total_b + offset + 1, c);
}

/* The element ends with the byte before `end`; it began in this chunk at `start`, or is partly kept. */
static int
finish_element(struct items *it, const char *start, const char *end, struct err *err)
{
	const char *text = start;
	size_t n = (size_t)(end - start);
	if (it->element.len > 0 || n > ITEMS_ELEMENT_MAX) {
		buf_putn(&it->element, start, n);
		if (it->element.failed)
			return err_set(err, ERR_RANGE, "%s: element %zu is longer than %d bytes",
				it->name, it->count + 1, ITEMS_ELEMENT_MAX);
		text = it->element.text;
		n = it->element.len;
	}
	it->in_element = false;
	it->separator = WANT_COMMA;
	it->count++;
	int rc = it->each(it->ctx, text, n, it->count, err);
	it->element.len = 0;
	return rc;
}

/* A byte between the elements of the array. */
static int
between(struct items *it, char c, size_t offset, struct err *err)
{
	if (is_space(c))
		return 0;
	if (c == ',' && it->separator == WANT_COMMA) {
		it->separator = WANT_ELEMENT;
		return 0;
	}
	if (c == ']' && it->separator != WANT_ELEMENT) {
		it->depth--;
		it->array_depth = 0;
		buf_putc(&it->envelope, c);
		return 0;
	}
	if (c == '{' && it->separator != WANT_COMMA) {
		it->in_element = true;
		it->depth++;
		return 0;
	}
	return misplaced(it, c, offset, err);
}

/* Remember the strings of the first level: the last one before a colon is a key. */
static void
note_word(struct items *it, char c)
{
	if (it->depth == 1 && it->word_n < KEY_MAX) {
		it->word[it->word_n++] = c;
		it->word[it->word_n] = '\0';
	}
}

static int
open_bracket(struct items *it, char c, size_t offset, struct err *err)
{
	bool ours = c == '[' && (it->depth == 0 || (it->depth == 1 && it->key_is_ours));
	if (ours && it->seen_array)
		return err_set(err, ERR_PARSE, "%s: byte %zu: \"%s\" a second time", it->name,
			it->total_b + offset + 1, it->key);
	it->depth++;
	it->begun = true;
	if (ours) {
		it->array_depth = it->depth;
		it->seen_array = true;
		it->separator = WANT_ANY;
	}
	return 0;
}

/* A byte outside the array. */
static int
around(struct items *it, char c, size_t offset, struct err *err)
{
	int rc = 0;
	if (it->begun && it->depth == 0 && !is_space(c))
		return err_set(err, ERR_PARSE, "%s: byte %zu: text after the end of the document",
			it->name, it->total_b + offset + 1);
	buf_putc(&it->envelope, c);
	if (it->envelope.failed)
		return err_set(err, ERR_PARSE, "%s: more than %d bytes and no array \"%s\"",
			it->name, ITEMS_ENVELOPE_MAX, it->key);
	if (it->in_string) {
		it->in_string = it->escaped || c != '"';
		it->escaped = !it->escaped && c == '\\';
		if (it->in_string)
			note_word(it, c);
	} else if (c == '"') {
		it->in_string = true;
		it->word_n = 0;
		it->word[0] = '\0';
	} else if (c == ':') {
		it->key_is_ours = it->depth == 1 && strcmp(it->word, it->key) == 0;
	} else if (c == ',') {
		it->key_is_ours = false;
	} else if (c == '{' || c == '[') {
		rc = open_bracket(it, c, offset, err);
	} else if (c == '}' || c == ']') {
		rc = it->depth == 0 ? misplaced(it, c, offset, err) : 0;
		it->depth--;
	}
	return rc;
}

/*
 * Inside an element: forward to its end or that of the chunk.  This loop sees nearly every byte of a
 * catalogue.
 */
static const char *
through_element(struct items *it, const char *p, const char *end)
{
	while (p < end) {
		char c = *p++;
		if (it->in_string) {
			if (it->escaped)
				it->escaped = false;
			else if (c == '\\')
				it->escaped = true;
			else if (c == '"')
				it->in_string = false;
		} else if (c == '"') {
			it->in_string = true;
		} else if (c == '{' || c == '[') {
			it->depth++;
		} else if (c == '}' || c == ']') {
			if (--it->depth == it->array_depth)
				break;
		}
	}
	return p;
}

int
items_put(struct items *items, const char *bytes, size_t n, struct err *err)
{
	struct items *it = items;
	const char *p = bytes, *end = bytes + n, *start = bytes;
	int rc = 0;
	while (p < end && rc == 0) {
		if (it->in_element) {
			p = through_element(it, p, end);
			if (it->depth == it->array_depth)
				rc = finish_element(it, start, p, err);
			continue;
		}
		start = p;
		size_t offset = (size_t)(p - bytes);
		rc = it->array_depth > 0 ? between(it, *p, offset, err)
					 : around(it, *p, offset, err);
		p++;
	}
	if (rc == 0 && it->in_element) {
		buf_putn(&it->element, start, (size_t)(end - start));
		if (it->element.failed)
			rc = err_set(err, ERR_RANGE, "%s: element %zu is longer than %d bytes",
				it->name, it->count + 1, ITEMS_ELEMENT_MAX);
	}
	it->total_b += n;
	return rc;
}

int
items_end(struct items *items, struct err *err)
{
	if (!items->begun && items->total_b == 0)
		return err_set(
			err, ERR_PARSE, "%s: empty, a JSON document was expected", items->name);
	if (!items->begun)
		return err_set(err, ERR_PARSE, "%s: not JSON here: \"%.20s\"", items->name,
			buf_text(&items->envelope));
	if (items->depth > 0)
		return err_set(err, ERR_PARSE,
			"%s: the JSON document ends early: cut after %zu bytes, in element %zu",
			items->name, items->total_b, items->count + 1);
	if (!items->seen_array)
		return err_set(err, ERR_PARSE,
			"%s: no array \"%s\": not an answer of the price interface", items->name,
			items->key);
	return 0;
}
