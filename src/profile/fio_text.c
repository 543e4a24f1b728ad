/*
 * fio_text.c - one pass over the bytes; no recursion, no allocation but the copy of the document.
 */
#include "profile/fio_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static const char marker[] = "\"fio version\"";

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether an object whose first name is "fio version" opens at i. */
static bool
starts_at(const char *text, size_t n, size_t i)
{
	if (text[i] != '{')
		return false;
	for (i++; i < n && is_space(text[i]); i++)
		;
	size_t len = sizeof(marker) - 1;
	return n - i >= len && memcmp(text + i, marker, len) == 0;
}

enum ending { ENDING_WHOLE, ENDING_CUT, ENDING_DEEP };

/* Index just past the object that opens at `start`; the place of trouble when it does not end. */
static enum ending
find_end(const char *text, size_t n, size_t start, size_t *end)
{
	size_t depth = 0;
	bool in_string = false;
	for (size_t i = start; i < n; i++) {
		char c = text[i];
		*end = i;
		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			/* a result never holds a result: the one before it was cut */
			if (depth && starts_at(text, n, i))
				return ENDING_CUT;
			if (++depth > FIO_DEPTH_MAX)
				return ENDING_DEEP;
		} else if (c == '}' || c == ']') {
			if (--depth == 0) {
				*end = i + 1;
				return ENDING_WHOLE;
			}
		}
	}
	*end = n;
	return ENDING_CUT;
}

/* "nan" and "inf" outside strings become values that are no numbers, in the same room. */
static size_t
blank_not_finite(char *p, size_t left)
{
	bool minus = left && *p == '-';
	size_t len = minus ? 4 : 3;
	if (left < len || (memcmp(p + minus, "nan", 3) != 0 && memcmp(p + minus, "inf", 3) != 0))
		return 1;
	memcpy(p, minus ? "null" : "\"\" ", len);
	return len;
}

/* Bytes that a strict reader refuses although fio wrote them: not UTF-8 in a name or description,
 * not-a-number tokens. */
static void
make_strict(char *text, size_t n)
{
	bool in_string = false;
	for (size_t i = 0; i < n;) {
		if (!in_string && (text[i] == 'n' || text[i] == 'i' || text[i] == '-')) {
			i += blank_not_finite(text + i, n - i);
			continue;
		}
		if (text[i] == '"')
			in_string = !in_string;
		if (in_string && text[i] == '\\' && i + 1 < n && (unsigned char)text[i + 1] < 0x80)
			i++;
		size_t len = json_utf8_length(text + i, n - i);
		if (len == 0 || text[i] == '\0')
			text[i] = '?';
		i += len ? len : 1;
	}
}

/* Append the words of text[0..n) to `around`, blanks folded, as far as there is room. */
static void
keep_around(struct fio_text *t, const char *text, size_t n)
{
	size_t len = strlen(t->around);
	static const char ended[] = "terminating on signal";
	if (memmem(text, n, ended, sizeof(ended) - 1))
		t->interrupted = true;
	for (size_t i = 0; i < n && len + 1 < sizeof(t->around); i++) {
		unsigned char c = (unsigned char)text[i];
		bool blank = c <= 0x20;
		if (blank && (len == 0 || t->around[len - 1] == ' '))
			continue;
		t->around[len++] = blank ? ' ' : c < 0x7f ? (char)c : '?';
	}
	while (len && t->around[len - 1] == ' ')
		len--;
	t->around[len] = '\0';
}

static bool
has(const char *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word)) != NULL;
}

/* Start of the first line that is not blank. */
static size_t
first_line(const char *text, size_t n)
{
	size_t i = 0;
	while (i < n && isspace((unsigned char)text[i]))
		i++;
	return i;
}

static int
refuse(const char *text, size_t n, struct err *err)
{
	size_t i = first_line(text, n);
	const char *p = text + i;
	size_t left = n - i;
	if (left == 0)
		return err_set(err, ERR_PARSE, "empty: fio wrote nothing here");
	if (left > 6 && isdigit((unsigned char)p[0]) && memcmp(p + 1, ";fio-", 5) == 0)
		return err_set(err, ERR_PARSE,
			"fio's terse output, not JSON: run fio with --output-format=json");
	if (has(text, n, "Run status group") || has(text, n, "clat (usec)") ||
		has(text, n, "clat (nsec)") || has(text, n, "clat (msec)") ||
		has(text, n, "clat percentiles") || has(text, n, ": (g=0): rw="))
		return err_set(err, ERR_PARSE,
			"fio's output for people, not JSON: run fio with --output-format=json");
	if (*p == '{' || *p == '[')
		return err_set(err, ERR_PARSE,
			"JSON, but no fio result: no object starts with \"fio version\"");
	return err_set(err, ERR_PARSE, "no fio result: no object starts with \"fio version\"");
}

static int
copy_document(const char *text, size_t len, struct fio_text *out, struct err *err)
{
	out->json = malloc(len + 1);
	if (!out->json)
		return err_nomem(err);
	memcpy(out->json, text, len);
	out->json[len] = '\0';
	out->len = len;
	make_strict(out->json, len);
	return 0;
}

int
fio_text_find(const char *text, size_t n, struct fio_text *out, struct err *err)
{
	*out = (struct fio_text){0};
	size_t outside = 0, found = 0, found_end = 0, cut_start = 0, cut_end = 0;
	for (size_t i = 0; i < n;) {
		if (!starts_at(text, n, i)) {
			i++;
			continue;
		}
		size_t end = i;
		enum ending ending = find_end(text, n, i, &end);
		if (ending == ENDING_DEEP)
			return err_set(err, ERR_PARSE,
				"byte %zu: nested deeper than %d, no fio result is", end,
				FIO_DEPTH_MAX);
		keep_around(out, text + outside, i - outside);
		if (ending == ENDING_CUT) {
			out->cut = true;
			cut_start = i;
			cut_end = end;
		} else {
			out->n_documents++;
			found = i;
			found_end = end;
		}
		outside = i = end;
	}
	if (out->n_documents == 0 && out->cut)
		return err_set(err, ERR_PARSE,
			"cut off at byte %zu: the fio result that starts at byte %zu never ends",
			cut_end, cut_start);
	if (out->n_documents == 0)
		return refuse(text, n, err);
	keep_around(out, text + outside, n - outside);
	out->offset = found;
	return copy_document(text + found, found_end - found, out, err);
}

void
fio_text_fini(struct fio_text *t)
{
	free(t->json);
	t->json = NULL;
}
