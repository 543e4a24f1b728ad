/*
 * cJSON keeps no positions.  After a successful parse we walk its tree once beside the text and
 * store each value's byte offset in `valueint`, a member cJSON fills on parsing and never reads
 * again.
 */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

struct json_doc {
	char *name;
	char *text; /* comments blanked, same length as the file */
	size_t len;
	char sha256[FILE_SHA256_TEXT];
	cJSON *root;
};

static void
line_column(const struct json_doc *doc, size_t offset, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < offset && i < doc->len; i++) {
		if (doc->text[i] == '\n') {
			(*line)++;
			*column = 1;
		} else if (((unsigned char)doc->text[i] & 0xC0) != 0x80) {
			(*column)++;
		}
	}
}

__attribute__((format(printf, 5, 0))) static int
fail_at(const struct json_doc *doc, size_t offset, struct err *err, enum err_code code,
	const char *fmt, va_list ap)
{
	char text[768];
	size_t line, column;
	vsnprintf(text, sizeof(text), fmt, ap);
	line_column(doc, offset, &line, &column);
	return err_set(err, code, "%s:%zu:%zu: %s", doc->name, line, column, text);
}

__attribute__((format(printf, 4, 5))) static int
parse_error(const struct json_doc *doc, size_t offset, struct err *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int rc = fail_at(doc, offset, err, ERR_PARSE, fmt, ap);
	va_end(ap);
	return rc;
}

size_t
json_utf8_length(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	if (p[0] < 0x80)
		return 1;
	size_t len = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
	if (p[0] < 0xC2 || p[0] > 0xF4 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	}
	if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90) ||
		(p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F))
		return 0;
	return len;
}

static int
check_text(const struct json_doc *doc, struct err *err)
{
	for (size_t i = 0; i < doc->len;) {
		if (doc->text[i] == '\0')
			return parse_error(doc, i, err, "a NUL byte: not a text file");
		size_t len = json_utf8_length(doc->text + i, doc->len - i);
		if (len == 0)
			return parse_error(doc, i, err, "byte 0x%02x: the text must be UTF-8",
				(unsigned char)doc->text[i]);
		i += len;
	}
	return 0;
}

/* Index just past the string that opens at i. */
static size_t
skip_string(const char *text, size_t i, size_t len)
{
	for (i++; i < len && text[i] != '"'; i++) {
		if (text[i] == '\\' && i + 1 < len)
			i++;
	}
	return i < len ? i + 1 : len;
}

/* Index just past the comment that opens at i; *open when it never ends. */
static size_t
comment_end(const char *text, size_t i, size_t len, bool *open)
{
	bool block = text[i + 1] == '*';
	const char *end = block ? strstr(text + i + 2, "*/") : strchr(text + i, '\n');
	*open = block && !end;
	if (!end)
		return len;
	return (size_t)(end - text) + (block ? 2 : 0);
}

static int
blank_comments(struct json_doc *doc, struct err *err)
{
	char *t = doc->text;
	for (size_t i = 0; i < doc->len;) {
		if (t[i] == '"') {
			i = skip_string(t, i, doc->len);
		} else if (t[i] == '/' && i + 1 < doc->len &&
			   (t[i + 1] == '/' || t[i + 1] == '*')) {
			bool open = false;
			size_t start = i;
			i = comment_end(t, i, doc->len, &open);
			if (open)
				return parse_error(doc, start, err, "a comment that never ends");
			for (size_t j = start; j < i; j++) {
				if (t[j] != '\n')
					t[j] = ' ';
			}
		} else if ((unsigned char)t[i] < ' ' && !strchr("\t\n\r", t[i])) {
			/* cJSON takes any for space, place() does not */
			return parse_error(doc, i, err, "not JSON here: control character 0x%02x",
				(unsigned char)t[i]);
		} else {
			i++;
		}
	}
	return 0;
}

static size_t
skip_space(const char *t, size_t i)
{
	while (t[i] == ' ' || t[i] == '\t' || t[i] == '\n' || t[i] == '\r')
		i++;
	return i;
}

/* Record the place of item, whose value starts at i; return the index just past it.  The text has
 * been accepted by cJSON, so it is well formed and nested at most CJSON_NESTING_LIMIT deep. */
static size_t
place(const struct json_doc *doc, cJSON *item, size_t i)
{
	const char *t = doc->text;
	item->valueint = (int)i;
	if (cJSON_IsString(item))
		return skip_string(t, i, doc->len);
	if (!cJSON_IsArray(item) && !cJSON_IsObject(item)) {
		while (t[i] && !strchr(",]} \t\r\n", t[i]))
			i++;
		return i;
	}
	i = skip_space(t, i + 1);
	for (cJSON *child = item->child; child; child = child->next) {
		if (cJSON_IsObject(item)) {
			i = skip_space(t, skip_string(t, i, doc->len));
			i = skip_space(t, i + 1); /* the colon */
		}
		i = skip_space(t, place(doc, child, i));
		if (t[i] == ',')
			i = skip_space(t, i + 1);
	}
	return i + 1;
}

/* The parser stopped at `at`: at the end of the text, or inside the word that is wrong. */
static int
syntax_error(const struct json_doc *doc, size_t at, struct err *err)
{
	const char *t = doc->text;
	while (at > 0 && isalnum((unsigned char)t[at - 1]))
		at--;
	size_t end = at;
	while (isalnum((unsigned char)t[end]) || (t[end] && strchr("+-.", t[end])))
		end++;
	if (skip_space(t, end) >= doc->len)
		return parse_error(doc, doc->len, err,
			"the JSON document ends early: cut after %zu bytes", doc->len);
	return parse_error(doc, at, err, "not JSON here: \"%.20s\"", t + at);
}

static int
parse(struct json_doc *doc, struct err *err)
{
	if (doc->len >= 3 && memcmp(doc->text, "\xEF\xBB\xBF", 3) == 0)
		memset(doc->text, ' ', 3);
	if (doc->len >= INT_MAX)
		return err_set(err, ERR_RANGE, "%s: %zu bytes, at most 2 GiB", doc->name, doc->len);
	int rc = check_text(doc, err);
	if (rc == 0)
		rc = blank_comments(doc, err);
	if (rc)
		return rc;
	if (skip_space(doc->text, 0) == doc->len)
		return err_set(
			err, ERR_PARSE, "%s: empty, a JSON document was expected", doc->name);
	const char *end = doc->text;
	doc->root = cJSON_ParseWithLengthOpts(doc->text, doc->len + 1, &end, 0);
	size_t at = end ? (size_t)(end - doc->text) : 0;
	if (!doc->root)
		return syntax_error(doc, at < doc->len ? at : doc->len, err);
	at = skip_space(doc->text, at);
	if (at < doc->len)
		return parse_error(doc, at, err,
			"text after the end of the JSON document: \"%.20s\"", doc->text + at);
	place(doc, doc->root, skip_space(doc->text, 0));
	return 0;
}

int
json_parse(const char *name, const char *text, size_t n, struct json_doc **out, struct err *err)
{
	*out = NULL;
	struct json_doc *doc = calloc(1, sizeof(*doc));
	if (!doc)
		return err_nomem(err);
	doc->name = strdup(name);
	doc->text = malloc(n + 1);
	if (!doc->name || !doc->text) {
		json_free(doc);
		return err_nomem(err);
	}
	if (n)
		memcpy(doc->text, text, n);
	doc->text[n] = '\0';
	doc->len = n;
	file_sha256(text, n, doc->sha256);
	int rc = parse(doc, err);
	if (rc)
		json_free(doc);
	else
		*out = doc;
	return rc;
}

int
json_load(const char *path, size_t max_b, struct json_doc **doc, struct err *err)
{
	*doc = NULL;
	struct buf text;
	buf_init(&text, max_b);
	int rc = file_read(path, &text, err);
	if (rc == 0)
		rc = json_parse(strcmp(path, "-") == 0 ? "standard input" : path, buf_text(&text),
			text.len, doc, err);
	buf_fini(&text);
	return rc;
}

void
json_free(struct json_doc *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	free(doc->name);
	free(doc->text);
	free(doc);
}

const char *
json_name(const struct json_doc *doc)
{
	return doc->name;
}

const char *
json_sha256(const struct json_doc *doc)
{
	return doc->sha256;
}

static struct jval
value(const struct json_doc *doc, const cJSON *node)
{
	return (struct jval){doc, node};
}

struct jval
json_root(const struct json_doc *doc)
{
	return value(doc, doc->root);
}

enum json_type
json_type(struct jval v)
{
	const cJSON *node = v.node;
	if (!node)
		return JSON_ABSENT;
	switch (node->type & 0xFF) {
	case cJSON_False:
	case cJSON_True:
		return JSON_BOOL;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_NULL;
	}
}

const char *
json_type_name(enum json_type type)
{
	static const char *const name[] = {
		[JSON_ABSENT] = "nothing",
		[JSON_NULL] = "null",
		[JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number",
		[JSON_STRING] = "a string",
		[JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};
	return name[type];
}

struct jval
json_get(struct jval v, const char *key)
{
	for (struct jval m = json_first(v); m.node; m = json_next(m)) {
		const char *name = json_key(m);
		if (name && strcmp(name, key) == 0)
			return m;
	}
	return value(v.doc, NULL);
}

struct jval
json_get_last(struct jval v, const char *key)
{
	struct jval found = value(v.doc, NULL);
	for (struct jval m = json_first(v); m.node; m = json_next(m)) {
		const char *name = json_key(m);
		if (name && strcmp(name, key) == 0)
			found = m;
	}
	return found;
}

struct jval
json_first(struct jval v)
{
	const cJSON *node = v.node;
	return value(
		v.doc, node && (cJSON_IsArray(node) || cJSON_IsObject(node)) ? node->child : NULL);
}

struct jval
json_next(struct jval v)
{
	const cJSON *node = v.node;
	return value(v.doc, node ? node->next : NULL);
}

size_t
json_count(struct jval v)
{
	size_t n = 0;
	for (struct jval m = json_first(v); m.node; m = json_next(m))
		n++;
	return n;
}

const char *
json_key(struct jval v)
{
	const cJSON *node = v.node;
	return node ? node->string : NULL;
}

const char *
json_text(struct jval v)
{
	const cJSON *node = v.node;
	return json_type(v) == JSON_STRING ? node->valuestring : NULL;
}

double
json_number(struct jval v)
{
	const cJSON *node = v.node;
	return json_type(v) == JSON_NUMBER ? node->valuedouble : (double)NAN;
}

int
json_bool(struct jval v)
{
	const cJSON *node = v.node;
	return json_type(v) == JSON_BOOL ? (node->type & 0xFF) == cJSON_True : -1;
}

static size_t
offset_of(struct jval v)
{
	const cJSON *node = v.node;
	return node ? (size_t)node->valueint : 0;
}

/* Where the name of the member starts: backwards over the colon and the quoted name. */
static size_t
key_offset(struct jval v)
{
	size_t i = offset_of(v);
	const char *t = v.doc->text;
	if (!json_key(v))
		return i;
	while (i > 0 && t[i] != ':')
		i--;
	while (i > 0 && t[i] != '"')
		i--;
	while (i > 0) {
		i--;
		size_t slashes = 0;
		while (slashes < i && t[i - 1 - slashes] == '\\')
			slashes++;
		if (t[i] == '"' && slashes % 2 == 0)
			break;
	}
	return i;
}

int
json_fail(struct jval v, struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int rc = fail_at(v.doc, offset_of(v), err, code, fmt, ap);
	va_end(ap);
	return rc;
}

int
json_fail_key(struct jval v, struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int rc = fail_at(v.doc, key_offset(v), err, code, fmt, ap);
	va_end(ap);
	return rc;
}

void
json_place(struct jval v, size_t *line, size_t *column)
{
	line_column(v.doc, offset_of(v), line, column);
}

void
json_put_string(struct buf *out, const char *text)
{
	size_t left = strlen(text), step;
	buf_putc(out, '"');
	for (const char *p = text; *p; p += step, left -= step) {
		unsigned char c = (unsigned char)*p;
		size_t len = json_utf8_length(p, left);
		step = len ? len : 1;
		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_put(out, "\\n");
		else if (c == '\t')
			buf_put(out, "\\t");
		else if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else if (len == 0)
			buf_put(out, "\xEF\xBF\xBD"); /* a file name need not be UTF-8, JSON must */
		else
			buf_putn(out, p, len);
	}
	buf_putc(out, '"');
}

void
json_put_number(struct buf *out, double number)
{
	char text[40];
	if (!isfinite(number)) {
		buf_put(out, "null");
		return;
	}
	for (int digits = 12; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	buf_put(out, text);
}

void
json_put_value(struct buf *out, struct jval v)
{
	bool object = json_type(v) == JSON_OBJECT;
	switch (json_type(v)) {
	case JSON_ABSENT:
	case JSON_NULL:
		buf_put(out, "null");
		break;
	case JSON_BOOL:
		buf_put(out, json_bool(v) ? "true" : "false");
		break;
	case JSON_NUMBER:
		json_put_number(out, json_number(v));
		break;
	case JSON_STRING:
		json_put_string(out, json_text(v));
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		buf_putc(out, object ? '{' : '[');
		for (struct jval m = json_first(v); m.node; m = json_next(m)) {
			if (m.node != json_first(v).node)
				buf_put(out, ", ");
			if (object) {
				json_put_string(out, json_key(m));
				buf_put(out, ": ");
			}
			json_put_value(out, m);
		}
		buf_putc(out, object ? '}' : ']');
		break;
	}
}
