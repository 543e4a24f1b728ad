/*
 * schema.h - documents described once, by tables: the same table reads a JSON document into a
 * struct, checks it, writes the struct back and prints the manual (`tierwise schema NAME`).
 *
 * A member of the struct has the name of its JSON key.  How kinds are stored, and what "absent"
 * (key missing, or null) looks like:
 *
 *   number   double            NaN           a finite number inside [min, max]
 *   count    int64_t           SCHEMA_NONE   a whole number inside [min, max]
 *   text     const char *      NULL
 *   flag     int               -1            1 true, 0 false
 *   word     int               -1            value of a struct names
 *   part     struct sub *      NULL          an object with its own schema
 *   list     struct sub *, n   NULL, 0       an array of objects
 *   numbers  double *, n       NULL, 0       an array of numbers; null elements are NaN
 *   texts    const char **, n  NULL, 0       an array of strings
 *   raw      struct jval       node NULL     anything; borrows from the json_doc, which must
 * outlive it
 *
 * Everything read lives in the arena.  An unknown key is an error that names the nearest known one;
 * a repeated key is an error.  A struct that was zeroed is not "all absent": use schema_clear().
 */
#ifndef BASE_SCHEMA_H
#define BASE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/names.h"

#define SCHEMA_NONE INT64_MIN
#define SCHEMA_ANY 1e308 /* a bound that does not bind: use -SCHEMA_ANY .. SCHEMA_ANY */

enum field_kind {
	FIELD_KIND_NUMBER,
	FIELD_KIND_COUNT,
	FIELD_KIND_TEXT,
	FIELD_KIND_FLAG,
	FIELD_KIND_WORD,
	FIELD_KIND_PART,
	FIELD_KIND_LIST,
	FIELD_KIND_NUMBERS,
	FIELD_KIND_TEXTS,
	FIELD_KIND_RAW,
};

struct schema_field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	size_t n_offset; /* list, numbers, texts: offset of the size_t count */
	bool required;
	double min, max; /* number, count, numbers: accepted range, inclusive */
	const char *unit; /* "GiB", "us", "USD/month"; "" when none */
	const char *help; /* one sentence; names the default when the field may be absent */
	const struct names *names; /* word */
	const struct schema *sub; /* part, list */
};

struct schema {
	/* "tierwise/profile/1": value of the document's "schema" key; NULL for parts */
	const char *id;
	const char *title; /* one line for the manual */
	size_t size; /* of the struct */
	const struct schema_field *fields;
	size_t n_fields;
};

/* clang-format off */
#define SCHEMA_COMMON(t, m, k) .name = #m, .kind = (k), .offset = offsetof(t, m)
#define FIELD_NUMBER(t, m, req, lo, hi, u, h) {SCHEMA_COMMON(t, m, FIELD_KIND_NUMBER), \
	.required = (req), .min = (lo), .max = (hi), .unit = (u), .help = (h)}
#define FIELD_COUNT(t, m, req, lo, hi, u, h) {SCHEMA_COMMON(t, m, FIELD_KIND_COUNT), \
	.required = (req), .min = (lo), .max = (hi), .unit = (u), .help = (h)}
#define FIELD_TEXT(t, m, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_TEXT), \
	.required = (req), .help = (h)}
#define FIELD_FLAG(t, m, h) {SCHEMA_COMMON(t, m, FIELD_KIND_FLAG), .help = (h)}
#define FIELD_WORD(t, m, ns, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_WORD), \
	.names = (ns), .required = (req), .help = (h)}
#define FIELD_PART(t, m, s, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_PART), \
	.sub = (s), .required = (req), .help = (h)}
#define FIELD_LIST(t, m, nm, s, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_LIST), \
	.n_offset = offsetof(t, nm), .sub = (s), .required = (req), .help = (h)}
#define FIELD_NUMBERS(t, m, nm, req, lo, hi, u, h) {SCHEMA_COMMON(t, m, FIELD_KIND_NUMBERS), \
	.n_offset = offsetof(t, nm), .required = (req), .min = (lo), .max = (hi), .unit = (u), .help = (h)}
#define FIELD_TEXTS(t, m, nm, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_TEXTS), \
	.n_offset = offsetof(t, nm), .required = (req), .help = (h)}
#define FIELD_RAW(t, m, req, h) {SCHEMA_COMMON(t, m, FIELD_KIND_RAW), \
	.required = (req), .help = (h)}

/* A whole document, and a part of one. */
#define SCHEMA_DOCUMENT(i, t, type, f) {.id = (i), .title = (t), .size = sizeof(type), \
	.fields = (f), .n_fields = sizeof(f) / sizeof((f)[0])}
#define SCHEMA_PART(t, type, f) SCHEMA_DOCUMENT(NULL, t, type, f)
/* clang-format on */

/* Set every field of *object to "absent". */
void schema_clear(const struct schema *s, void *object);

/*
 * Read an object into *object (all fields set).  For a document the "schema" key must be there and
 * equal s->id (a later version of the same document says so).  ERR_PARSE, ERR_RANGE with the place,
 * ERR_NOMEM.  *object is meaningless after a failure.
 */
int schema_read(
	const struct schema *s, struct jval v, struct arena *a, void *object, struct err *err);

/*
 * Load the document at `path` ("-": standard input).  sha256 (may be NULL) receives 64 hex digits
 * and a NUL.  Documents with raw fields must be read with json_load() and schema_read() instead.
 */
int schema_load(const struct schema *s, const char *path, struct arena *a, void *object,
	char sha256[65], struct err *err);

/* Append the object as JSON; absent fields are left out; fields in table order. */
void schema_write(const struct schema *s, const void *object, struct buf *out);

/* schema_write() and file_write(): aside, synced, renamed. */
int schema_save(const struct schema *s, const void *object, const char *path, struct err *err);

/* The manual of a document: a line a field, parts indented. */
void schema_describe(const struct schema *s, struct buf *out);

#endif /* BASE_SCHEMA_H */
