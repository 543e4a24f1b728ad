#include "base/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* Where the field's storage is. */
static void *
at(const struct schema_field *f, void *object)
{
	return (char *)object + f->offset;
}

static const void *
at_const(const struct schema_field *f, const void *object)
{
	return (const char *)object + f->offset;
}

static size_t *
count_at(const struct schema_field *f, void *object)
{
	return (size_t *)(void *)((char *)object + f->n_offset);
}

static size_t
count_of(const struct schema_field *f, const void *object)
{
	size_t n;
	memcpy(&n, (const char *)object + f->n_offset, sizeof(n));
	return n;
}

static bool
has_count(const struct schema_field *f)
{
	return f->kind == FIELD_KIND_LIST || f->kind == FIELD_KIND_NUMBERS ||
	       f->kind == FIELD_KIND_TEXTS;
}

static void
clear_field(const struct schema_field *f, void *object)
{
	if (has_count(f))
		*count_at(f, object) = 0;
	switch (f->kind) {
	case FIELD_KIND_NUMBER:
		*(double *)at(f, object) = NAN;
		break;
	case FIELD_KIND_COUNT:
		*(int64_t *)at(f, object) = SCHEMA_NONE;
		break;
	case FIELD_KIND_FLAG:
	case FIELD_KIND_WORD:
		*(int *)at(f, object) = -1;
		break;
	case FIELD_KIND_RAW:
		*(struct jval *)at(f, object) = (struct jval){NULL, NULL};
		break;
	case FIELD_KIND_TEXT:
	case FIELD_KIND_PART:
	case FIELD_KIND_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_TEXTS:
		*(void **)at(f, object) = NULL;
		break;
	}
}

void
schema_clear(const struct schema *s, void *object)
{
	memset(object, 0, s->size);
	for (size_t i = 0; i < s->n_fields; i++)
		clear_field(&s->fields[i], object);
}

static const char *
kind_name(const struct schema_field *f)
{
	static const char *const name[] = {
		[FIELD_KIND_NUMBER] = "a number",
		[FIELD_KIND_COUNT] = "a whole number",
		[FIELD_KIND_TEXT] = "a string",
		[FIELD_KIND_FLAG] = "true or false",
		[FIELD_KIND_WORD] = "one of the words",
		[FIELD_KIND_PART] = "an object",
		[FIELD_KIND_LIST] = "an array of objects",
		[FIELD_KIND_NUMBERS] = "an array of numbers",
		[FIELD_KIND_TEXTS] = "an array of strings",
		[FIELD_KIND_RAW] = "any value",
	};
	return name[f->kind];
}

static int
wrong_type(const struct schema_field *f, struct jval v, struct err *err)
{
	return json_fail(v, err, ERR_PARSE, "%s: %s given, %s expected", f->name,
		json_type_name(json_type(v)), kind_name(f));
}

static void
range_text(const struct schema_field *f, char *text, size_t size)
{
	const char *gap = f->unit && *f->unit ? " " : "";
	const char *unit = f->unit ? f->unit : "";
	if (f->min <= -SCHEMA_ANY && f->max >= SCHEMA_ANY)
		snprintf(text, size, "any finite number%s%s", gap, unit);
	else if (f->max >= SCHEMA_ANY)
		snprintf(text, size, "%.12g or more%s%s", f->min, gap, unit);
	else if (f->min <= -SCHEMA_ANY)
		snprintf(text, size, "at most %.12g%s%s", f->max, gap, unit);
	else
		snprintf(text, size, "%.12g to %.12g%s%s", f->min, f->max, gap, unit);
}

static int
read_number(const struct schema_field *f, struct jval v, double *out, struct err *err)
{
	if (json_type(v) != JSON_NUMBER)
		return wrong_type(f, v, err);
	double d = json_number(v);
	char range[96];
	range_text(f, range, sizeof(range));
	if (!isfinite(d) || d < f->min || d > f->max)
		return json_fail(v, err, ERR_RANGE, "%s: %.12g, accepted: %s", f->name, d, range);
	if (f->kind == FIELD_KIND_COUNT && (d != floor(d) || fabs(d) > 9007199254740992.0))
		return json_fail(v, err, ERR_RANGE, "%s: %.12g is not a whole number, accepted: %s",
			f->name, d, range);
	*out = d + 0.0; /* -0 prints as an amount nobody wrote */
	return 0;
}

static int
read_text(const struct schema_field *f, struct jval v, struct arena *a, const char **out,
	struct err *err)
{
	const char *text = json_text(v);
	if (!text)
		return wrong_type(f, v, err);
	*out = arena_strdup(a, text);
	return *out ? 0 : err_nomem(err);
}

static int
read_word(const struct schema_field *f, struct jval v, int *out, struct err *err)
{
	const char *text = json_text(v);
	if (!text)
		return wrong_type(f, v, err);
	*out = names_find(f->names, text);
	if (*out >= 0)
		return 0;
	struct buf list;
	buf_init(&list, 2048);
	names_list(f->names, &list);
	const char *near = names_nearest(
		text, f->names->text, (size_t)f->names->count, sizeof(f->names->text[0]));
	int rc = json_fail(v, err, ERR_RANGE, "%s: \"%.60s\" is not a %s%s%s%s; accepted: %s",
		f->name, text, f->names->what, near ? " (did you mean \"" : "", near ? near : "",
		near ? "\"?)" : "", buf_text(&list));
	buf_fini(&list);
	return rc;
}

static int
read_part(const struct schema_field *f, struct jval v, struct arena *a, void **out, struct err *err)
{
	if (json_type(v) != JSON_OBJECT)
		return wrong_type(f, v, err);
	*out = arena_alloc(a, f->sub->size);
	return *out ? schema_read(f->sub, v, a, *out, err) : err_nomem(err);
}

static size_t
element_size(const struct schema_field *f)
{
	return f->kind == FIELD_KIND_LIST      ? f->sub->size
	       : f->kind == FIELD_KIND_NUMBERS ? sizeof(double)
					       : sizeof(const char *);
}

static int
read_element(
	const struct schema_field *f, struct jval v, struct arena *a, void *out, struct err *err)
{
	if (f->kind == FIELD_KIND_TEXTS)
		return read_text(f, v, a, out, err);
	if (f->kind == FIELD_KIND_LIST) {
		if (json_type(v) != JSON_OBJECT)
			return wrong_type(f, v, err);
		return schema_read(f->sub, v, a, out, err);
	}
	if (json_type(v) == JSON_NULL) {
		*(double *)out = NAN;
		return 0;
	}
	return read_number(f, v, out, err);
}

static int
read_array(
	const struct schema_field *f, struct jval v, struct arena *a, void *object, struct err *err)
{
	if (json_type(v) != JSON_ARRAY)
		return wrong_type(f, v, err);
	size_t n = json_count(v), size = element_size(f);
	char *items = arena_array(a, n, size);
	if (!items)
		return err_nomem(err);
	*(void **)at(f, object) = items;
	*count_at(f, object) = n;
	for (struct jval e = json_first(v); e.node; e = json_next(e), items += size) {
		int rc = read_element(f, e, a, items, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int
read_field(
	const struct schema_field *f, struct jval v, struct arena *a, void *object, struct err *err)
{
	double d = 0;
	int rc;
	switch (f->kind) {
	case FIELD_KIND_NUMBER:
		return read_number(f, v, at(f, object), err);
	case FIELD_KIND_COUNT:
		rc = read_number(f, v, &d, err);
		if (rc == 0)
			*(int64_t *)at(f, object) = (int64_t)d;
		return rc;
	case FIELD_KIND_TEXT:
		return read_text(f, v, a, at(f, object), err);
	case FIELD_KIND_FLAG:
		*(int *)at(f, object) = json_bool(v);
		return json_bool(v) < 0 ? wrong_type(f, v, err) : 0;
	case FIELD_KIND_WORD:
		return read_word(f, v, at(f, object), err);
	case FIELD_KIND_PART:
		return read_part(f, v, a, at(f, object), err);
	case FIELD_KIND_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_TEXTS:
		return read_array(f, v, a, object, err);
	case FIELD_KIND_RAW:
		*(struct jval *)at(f, object) = v;
		return 0;
	}
	return 0;
}

static const struct schema_field *
find_field(const struct schema *s, const char *name)
{
	for (size_t i = 0; i < s->n_fields; i++) {
		if (strcmp(s->fields[i].name, name) == 0)
			return &s->fields[i];
	}
	return NULL;
}

/* Length of "tierwise/profile/" in "tierwise/profile/1". */
static size_t
stem(const char *id)
{
	const char *slash = strrchr(id, '/');
	return slash ? (size_t)(slash - id) + 1 : strlen(id);
}

static int
check_id(const struct schema *s, struct jval v, struct err *err)
{
	struct jval id = json_get(v, "schema");
	if (!id.node)
		return json_fail(
			v, err, ERR_PARSE, "no \"schema\" key, expected \"schema\": \"%s\"", s->id);
	const char *text = json_text(id);
	if (text && strcmp(text, s->id) == 0)
		return 0;
	if (text && strncmp(text, s->id, stem(s->id)) == 0)
		return json_fail(id, err, ERR_PARSE, "schema \"%.60s\": this program reads \"%s\"",
			text, s->id);
	return json_fail(id, err, ERR_PARSE,
		"schema \"%.60s\" is another kind of document, expected \"%s\"",
		text ? text : json_type_name(json_type(id)), s->id);
}

static int
unknown_key(const struct schema *s, struct jval v, struct err *err)
{
	const char *near = names_nearest(
		json_key(v), &s->fields[0].name, s->n_fields, sizeof(s->fields[0]));
	return json_fail_key(v, err, ERR_PARSE, "unknown key \"%.60s\"%s%s%s", json_key(v),
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

int
schema_read(const struct schema *s, struct jval v, struct arena *a, void *object, struct err *err)
{
	if (json_type(v) != JSON_OBJECT)
		return json_fail(v, err, ERR_PARSE, "%s given, an object (%s) expected",
			json_type_name(json_type(v)), s->title);
	int rc = s->id ? check_id(s, v, err) : 0;
	schema_clear(s, object);
	for (struct jval m = json_first(v); m.node && rc == 0; m = json_next(m)) {
		const struct schema_field *f = find_field(s, json_key(m));
		bool id = !f && s->id && strcmp(json_key(m), "schema") == 0;
		if (!f && !id)
			return unknown_key(s, m, err);
		if (json_get(v, json_key(m)).node != m.node)
			return json_fail_key(
				m, err, ERR_PARSE, "key \"%s\" is given twice", json_key(m));
		if (id)
			continue;
		if (json_type(m) != JSON_NULL)
			rc = read_field(f, m, a, object, err);
	}
	for (size_t i = 0; i < s->n_fields && rc == 0; i++) {
		const struct schema_field *f = &s->fields[i];
		enum json_type type = json_type(json_get(v, f->name));
		if (f->required && (type == JSON_ABSENT || type == JSON_NULL))
			rc = json_fail(v, err, ERR_PARSE, "\"%s\" is missing (%s): %s", f->name,
				kind_name(f), f->help);
	}
	return rc;
}

int
schema_load(const struct schema *s, const char *path, struct arena *a, void *object,
	char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	rc = schema_read(s, json_root(doc), a, object, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}

static void write_object(const struct schema *s, const void *object, struct buf *out, int depth);

static void
newline(struct buf *out, int depth)
{
	buf_printf(out, "\n%*s", depth * 2, "");
}

static void
write_array(const struct schema_field *f, const void *object, struct buf *out, int depth)
{
	const char *items;
	memcpy(&items, at_const(f, object), sizeof(items));
	size_t n = count_of(f, object), size = element_size(f);
	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++, items += size) {
		if (i)
			buf_putc(out, ',');
		if (f->kind == FIELD_KIND_LIST) {
			newline(out, depth + 1);
			write_object(f->sub, items, out, depth + 1);
			continue;
		}
		if (i)
			buf_putc(out, ' ');
		if (f->kind == FIELD_KIND_NUMBERS) {
			double d;
			memcpy(&d, items, sizeof(d));
			json_put_number(out, d);
		} else {
			const char *text;
			memcpy(&text, items, sizeof(text));
			json_put_string(out, text);
		}
	}
	if (n && f->kind == FIELD_KIND_LIST)
		newline(out, depth);
	buf_putc(out, ']');
}

static bool
is_absent(const struct schema_field *f, const void *object)
{
	const void *p = at_const(f, object);
	switch (f->kind) {
	case FIELD_KIND_NUMBER:
		return !isfinite(*(const double *)p);
	case FIELD_KIND_COUNT:
		return *(const int64_t *)p == SCHEMA_NONE;
	case FIELD_KIND_FLAG:
	case FIELD_KIND_WORD:
		return *(const int *)p < 0;
	case FIELD_KIND_RAW:
		return ((const struct jval *)p)->node == NULL;
	case FIELD_KIND_TEXT:
	case FIELD_KIND_PART:
	case FIELD_KIND_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_TEXTS:
		return *(void *const *)p == NULL;
	}
	return true;
}

static void
write_field(const struct schema_field *f, const void *object, struct buf *out, int depth)
{
	const void *p = at_const(f, object);
	switch (f->kind) {
	case FIELD_KIND_NUMBER:
		json_put_number(out, *(const double *)p);
		break;
	case FIELD_KIND_COUNT:
		buf_printf(out, "%lld", (long long)*(const int64_t *)p);
		break;
	case FIELD_KIND_TEXT:
		json_put_string(out, *(const char *const *)p);
		break;
	case FIELD_KIND_FLAG:
		buf_put(out, *(const int *)p ? "true" : "false");
		break;
	case FIELD_KIND_WORD:
		json_put_string(out, names_text(f->names, *(const int *)p));
		break;
	case FIELD_KIND_PART:
		write_object(f->sub, *(const void *const *)p, out, depth);
		break;
	case FIELD_KIND_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_TEXTS:
		write_array(f, object, out, depth);
		break;
	case FIELD_KIND_RAW:
		json_put_value(out, *(const struct jval *)p);
		break;
	}
}

static void
write_object(const struct schema *s, const void *object, struct buf *out, int depth)
{
	bool first = true;
	buf_putc(out, '{');
	if (s->id) {
		newline(out, depth + 1);
		buf_printf(out, "\"schema\": \"%s\"", s->id);
		first = false;
	}
	for (size_t i = 0; i < s->n_fields; i++) {
		const struct schema_field *f = &s->fields[i];
		if (is_absent(f, object))
			continue;
		if (!first)
			buf_putc(out, ',');
		first = false;
		newline(out, depth + 1);
		buf_printf(out, "\"%s\": ", f->name);
		write_field(f, object, out, depth + 1);
	}
	if (!first)
		newline(out, depth);
	buf_putc(out, '}');
}

void
schema_write(const struct schema *s, const void *object, struct buf *out)
{
	write_object(s, object, out, 0);
	buf_putc(out, '\n');
}

int
schema_save(const struct schema *s, const void *object, const char *path, struct err *err)
{
	struct buf out;
	buf_init(&out, 0);
	schema_write(s, object, &out);
	int rc = file_write(path, &out, err);
	buf_fini(&out);
	return rc;
}

static void
describe_field(const struct schema_field *f, struct buf *out, int depth)
{
	char range[96] = "";
	buf_printf(out, "%*s%s: %s", depth * 2, "", f->name, kind_name(f));
	if (f->kind == FIELD_KIND_NUMBER || f->kind == FIELD_KIND_COUNT ||
		f->kind == FIELD_KIND_NUMBERS) {
		range_text(f, range, sizeof(range));
		buf_printf(out, ", %s", range);
	}
	if (f->kind == FIELD_KIND_WORD) {
		buf_put(out, " ");
		names_list(f->names, out);
	}
	buf_printf(out, "%s. %s\n", f->required ? ", required" : "", f->help);
}

static void
describe(const struct schema *s, struct buf *out, int depth)
{
	for (size_t i = 0; i < s->n_fields; i++) {
		const struct schema_field *f = &s->fields[i];
		describe_field(f, out, depth);
		if (f->sub && depth < 8)
			describe(f->sub, out, depth + 1);
	}
}

void
schema_describe(const struct schema *s, struct buf *out)
{
	if (s->id)
		buf_printf(out, "%s: %s\n\nschema: \"%s\", required.\n", s->id, s->title, s->id);
	describe(s, out, 0);
}
