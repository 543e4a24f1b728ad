/*
 * json.h - reading JSON with places: every value knows its file, line and column.
 *
 * The parser is cJSON; this is the only module that sees it.  Hand-written documents may carry
 * comments (two slashes to the end of the line, or slash-star to star-slash), which are blanked
 * before parsing.  Look-ups are case-sensitive.  A document is immutable after loading; values
 * borrow from it.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct json_doc;

/* A value inside a document; node is NULL when absent.  Passed by value. */
struct jval {
	const struct json_doc *doc;
	const void *node;
};

enum json_type {
	JSON_ABSENT,
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/*
 * Read and parse `path` ("-": standard input), at most max_b bytes (0: 64 MiB).
 * Errors: ERR_IO, ERR_RANGE (too large), ERR_PARSE ("path:line:column: ..."; also for text that is
 * not UTF-8 or holds a NUL).  On failure *doc is NULL.
 */
int json_load(const char *path, size_t max_b, struct json_doc **doc, struct err *err);
/* The same from memory; `name` stands for the path in messages.  The bytes are copied. */
int json_parse(
	const char *name, const char *text, size_t n, struct json_doc **out, struct err *err);
void json_free(struct json_doc *doc);

const char *json_name(const struct json_doc *doc);
/* Lower-case hex SHA-256 of the bytes as read. */
const char *json_sha256(const struct json_doc *doc);
struct jval json_root(const struct json_doc *doc);

enum json_type json_type(struct jval v);
const char *json_type_name(enum json_type type);

/* Member of an object by exact name, the first one; absent when missing or v is no object. */
struct jval json_get(struct jval v, const char *key);
/* The same, the last one: for files of others in which a later duplicate wins. */
struct jval json_get_last(struct jval v, const char *key);

/* Walk the elements of an array or the members of an object: absent at the end. */
struct jval json_first(struct jval v);
struct jval json_next(struct jval v);
size_t json_count(struct jval v);
/* Name of an object member reached by json_get or the walk; NULL for elements. */
const char *json_key(struct jval v);

/* The string, or NULL when v is not one. */
const char *json_text(struct jval v);
/* The number, or NaN when v is not one. */
double json_number(struct jval v);
/* 1, 0, or -1 when v is not true or false. */
int json_bool(struct jval v);

/* "file:line:column: message", at the value (or, json_fail_key, at its name). */
int json_fail(struct jval v, struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int json_fail_key(struct jval v, struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Line and column, from 1, of a value. */
void json_place(struct jval v, size_t *line, size_t *column);

/* Bytes of the UTF-8 sequence at text (n >= 1 bytes left): 0 when malformed or overlong. */
size_t json_utf8_length(const char *text, size_t n);

/* Append as JSON: a string with quotes and escapes; a finite number in the fewest digits that read
 * back the same; a whole value, compact. */
void json_put_string(struct buf *out, const char *text);
void json_put_number(struct buf *out, double number);
void json_put_value(struct buf *out, struct jval v);

#endif /* BASE_JSON_H */
