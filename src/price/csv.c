#include "price/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum state { FIELD_START, PLAIN, QUOTED, QUOTE_IN_QUOTED, AFTER_CR };

struct csv {
	const char *name;
	csv_each *each;
	void *ctx;
	struct buf record; /* fields one after the other, each with its NUL */
	size_t start[CSV_FIELDS_MAX]; /* of each field in the record */
	const char *fields[CSV_FIELDS_MAX];
	size_t n; /* fields begun */
	size_t line, record_line;
	enum state state;
};

int
csv_open(const char *name, csv_each *each, void *ctx, struct csv **csv, struct err *err)
{
	struct csv *c = calloc(1, sizeof(*c));
	*csv = NULL;
	if (!c)
		return err_nomem(err);
	c->name = name;
	c->each = each;
	c->ctx = ctx;
	c->line = c->record_line = 1;
	buf_init(&c->record, CSV_RECORD_MAX);
	*csv = c;
	return 0;
}

void
csv_close(struct csv *csv)
{
	if (!csv)
		return;
	buf_fini(&csv->record);
	free(csv);
}

void
csv_restart(struct csv *csv)
{
	csv->record.len = 0;
	csv->record.failed = false;
	csv->n = 0;
	csv->line = csv->record_line = 1;
	csv->state = FIELD_START;
}

static int
fail(const struct csv *c, const char *what, struct err *err)
{
	return err_set(err, ERR_PARSE, "%s:%zu: %s", c->name, c->line, what);
}

static int
begin_field(struct csv *c, struct err *err)
{
	if (c->n == CSV_FIELDS_MAX)
		return fail(c, "more than 1024 fields in a record", err);
	c->start[c->n++] = c->record.len;
	return 0;
}

static int
end_record(struct csv *c, struct err *err)
{
	int rc = 0;
	buf_putc(&c->record, '\0');
	if (c->record.failed)
		return fail(c, "a record of more than 1 MiB", err);
	bool empty = c->n == 1 && c->record.len == 1;
	for (size_t i = 0; i < c->n; i++)
		c->fields[i] = c->record.text + c->start[i];
	if (!empty)
		rc = c->each(c->ctx, c->fields, c->n, c->record_line, err);
	c->record.len = 0;
	c->n = 0;
	c->state = FIELD_START;
	return rc;
}

/* The end of a field or of a record, after its text. */
static int
separator(struct csv *c, char byte, struct err *err)
{
	if (byte == ',') {
		buf_putc(&c->record, '\0');
		c->state = FIELD_START;
		return begin_field(c, err);
	}
	c->line++;
	int rc = end_record(c, err);
	c->record_line = c->line;
	return rc;
}

/* Text up to the next byte that means something, at once: this is where the time goes. */
static const char *
take_text(struct csv *c, const char *p, const char *end)
{
	const char *from = p;
	if (c->state == QUOTED) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		p = quote ? quote : end;
		for (const char *q = from; (q = memchr(q, '\n', (size_t)(p - q))); q++)
			c->line++;
	} else {
		while (p < end && *p != ',' && *p != '\n' && *p != '\r' && *p != '"')
			p++;
	}
	buf_putn(&c->record, from, (size_t)(p - from));
	return p;
}

/* One byte that is not plain text of the field. */
static int
take_byte(struct csv *c, char byte, struct err *err)
{
	if (c->state == QUOTED) {
		c->state = QUOTE_IN_QUOTED;
		return 0;
	}
	if (c->state == AFTER_CR && byte != '\n')
		return fail(c, "a carriage return inside a line", err);
	if (byte == '"' && c->state == QUOTE_IN_QUOTED) {
		buf_putc(&c->record, '"');
		c->state = QUOTED;
		return 0;
	}
	if (byte == '"' && c->state == FIELD_START) {
		c->state = QUOTED;
		return 0;
	}
	if (byte == ',' || byte == '\n')
		return separator(c, byte, err);
	if (byte == '\r') {
		c->state = AFTER_CR;
		return 0;
	}
	return fail(c,
		byte == '"' ? "a quote inside a field without quotes"
			    : "text after the closing quote of a field",
		err);
}

int
csv_put(struct csv *csv, const char *bytes, size_t n, struct err *err)
{
	const char *p = bytes, *end = bytes + n;
	int rc = memchr(bytes, '\0', n) ? fail(csv, "a NUL byte: not a text file", err) : 0;
	while (p < end && rc == 0) {
		if (csv->n == 0)
			rc = begin_field(csv, err);
		bool special = *p == ',' || *p == '\n' || *p == '\r' || *p == '"';
		bool text = csv->state == QUOTED ? *p != '"'
						 : !special && csv->state != QUOTE_IN_QUOTED &&
							   csv->state != AFTER_CR;
		if (rc)
			break;
		if (!text) {
			rc = take_byte(csv, *p++, err);
			continue;
		}
		if (csv->state == FIELD_START)
			csv->state = PLAIN;
		p = take_text(csv, p, end);
		if (csv->record.failed)
			rc = fail(csv, "a record of more than 1 MiB", err);
	}
	return rc;
}

int
csv_end(struct csv *csv, struct err *err)
{
	if (csv->state == QUOTED)
		return err_set(err, ERR_PARSE,
			"%s:%zu: the file ends inside quotes that opened in line %zu or later",
			csv->name, csv->line, csv->record_line);
	return csv->n > 0 ? end_record(csv, err) : 0;
}
