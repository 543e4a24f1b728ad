/*
 * table.c - tables in the output of database clients.
 */
#include "workload/table.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void
table_scan_init(struct table_scan *s, struct arena *a, const char *text, size_t n)
{
	struct span_lines l;
	span_lines_init(&l, text, n);
	*s = (struct table_scan){.arena = a, .next = l.next, .end = l.end, .line = 1};
}

/* Where a record from `at` on ends: at its line feed, or at one behind an open quote's end. */
static const char *
record_end(const char *at, const char *end, bool quotes)
{
	bool inside = false;
	for (const char *p = at; p < end; p++) {
		if (quotes && *p == '"')
			inside = !inside;
		if (*p == '\n' && !inside)
			return p;
	}
	return NULL;
}

/* The next record, a line unless quotes reach over its end; false at the end. */
static bool
next_record(struct table_scan *s, bool quotes, struct span *record, size_t *line)
{
	if (s->held.text) {
		*record = s->held;
		*line = s->held_line;
		s->held.text = NULL;
		return true;
	}
	if (s->next >= s->end)
		return false;
	const char *stop = record_end(s->next, s->end, quotes);
	s->whole = stop != NULL;
	if (!stop)
		stop = s->end;
	*record = (struct span){s->next, (size_t)(stop - s->next)};
	*line = s->line;
	for (const char *p = s->next; p < stop; p++)
		s->line += *p == '\n';
	s->line++;
	s->next = stop < s->end ? stop + 1 : s->end;
	while (record->n && record->text[record->n - 1] == '\r')
		record->n--;
	return true;
}

static void
hold(struct table_scan *s, struct span record, size_t line)
{
	s->held = record;
	s->held_line = line;
}

/* "---+---", "+----+": a rule of a box. */
static bool
is_rule(struct span s)
{
	size_t dashes = 0;
	s = span_trim(s);
	for (size_t i = 0; i < s.n; i++) {
		if (!strchr("-+|", s.text[i]))
			return false;
		dashes += s.text[i] == '-';
	}
	return dashes > 0 || (s.n > 0 && s.text[0] == '+');
}

static struct span
unbox(struct span s, char delimiter)
{
	if (delimiter != '|')
		return s;
	s = span_trim(s);
	if (s.n >= 2 && s.text[0] == '|' && s.text[s.n - 1] == '|')
		return (struct span){s.text + 1, s.n - 2};
	return s;
}

/* One cell of a record, and the record behind it; false after the last. */
static bool
next_cell(struct span *rest, char delimiter, struct span *cell)
{
	if (!rest->text)
		return false;
	struct span trimmed = span_trim(*rest);
	if (delimiter == '|' || trimmed.n == 0 || *trimmed.text != '"') {
		bool more = span_cut(rest, delimiter, cell);
		*cell = span_trim(*cell);
		return more;
	}
	size_t n = 1;
	while (n < trimmed.n &&
		(trimmed.text[n] != '"' || (n + 1 < trimmed.n && trimmed.text[n + 1] == '"')))
		n += trimmed.text[n] == '"' ? 2 : 1;
	*cell = (struct span){trimmed.text + 1, n - 1};
	size_t used = (size_t)(trimmed.text - rest->text) + (n < trimmed.n ? n + 1 : trimmed.n);
	struct span after = {rest->text + used, rest->n - used}, skipped;
	span_cut(&after, delimiter, &skipped);
	*rest = after;
	return true;
}

/* Number of cells; those beyond `max` are counted only. */
static size_t
split(struct span record, char delimiter, struct span *cells, size_t max)
{
	struct span rest = unbox(record, delimiter), cell;
	size_t n = 0;
	while (next_cell(&rest, delimiter, &cell)) {
		if (n < max)
			cells[n] = cell;
		n++;
	}
	return n;
}

static bool
is_name(struct span s)
{
	if (s.n == 0 || s.n > 64 || !(isalpha((unsigned char)*s.text) || *s.text == '_'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.text[i]) && s.text[i] != '_')
			return false;
	return true;
}

/* A line of names: at least two, or one that is a log position. */
static bool
is_head(struct span record, char delimiter, struct table *t)
{
	size_t n = split(record, delimiter, t->columns, TABLE_COLUMNS_MAX);
	if (n == 0 || n > TABLE_COLUMNS_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_name(t->columns[i]))
			return false;
	if (n == 1 && !span_has(t->columns[0], "lsn"))
		return false;
	t->n_columns = n;
	return true;
}

static int
add_cells(struct table_scan *s, struct table *t, const struct span *cells, struct err *err)
{
	size_t n = t->n_rows * t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++) {
		struct span *all = arena_grow(s->arena, t->cells, n, sizeof(*all));
		if (!all)
			return err_nomem(err);
		t->cells = all;
		all[n++] = cells[i];
	}
	t->n_rows++;
	return 0;
}

/* The rows below the names. */
static int
read_rows(struct table_scan *s, struct table *t, char delimiter, struct err *err)
{
	struct span record, cells[TABLE_COLUMNS_MAX];
	size_t line;
	int rc = 0;
	while (rc == 0 && next_record(s, delimiter != '|', &record, &line)) {
		struct table other;
		if (is_rule(record))
			continue;
		struct span trimmed = span_trim(record);
		if (trimmed.n == 0 || (*trimmed.text == '(' && span_has(trimmed, " row")))
			break;
		if (is_head(record, delimiter, &other)) {
			hold(s, record, line);
			break;
		}
		size_t n = split(record, delimiter, cells, TABLE_COLUMNS_MAX);
		if (!s->whole) {
			t->cut = true;
		} else if (n != t->n_columns) {
			t->bad_line = t->bad++ ? t->bad_line : line;
		} else {
			rc = add_cells(s, t, cells, err);
		}
	}
	return rc;
}

/* "-[ RECORD 1 ]---", "****** 1. row ******" */
static bool
is_record_mark(struct span s)
{
	s = span_trim(s);
	return span_starts(s, "-[ RECORD ") || (span_starts(s, "***") && span_has(s, ". row *"));
}

static bool
split_field(struct span record, struct span *name, struct span *value)
{
	size_t bar = 0;
	while (bar < record.n && record.text[bar] != '|' && record.text[bar] != ':')
		bar++;
	if (bar == record.n)
		return false;
	*name = span_trim((struct span){record.text, bar});
	*value = span_trim((struct span){record.text + bar + 1, record.n - bar - 1});
	return is_name(*name);
}

/* The fields of one record, below its mark. */
static size_t
read_fields(struct table_scan *s, struct span *names, struct span *values, bool *cut)
{
	struct span record;
	size_t line, n = 0;
	while (next_record(s, false, &record, &line)) {
		struct span name, value;
		if (is_record_mark(record)) {
			hold(s, record, line);
			break;
		}
		if (span_trim(record).n == 0 || !split_field(record, &name, &value))
			break;
		if (!s->whole) {
			*cut = true;
			break;
		}
		if (n < TABLE_COLUMNS_MAX) {
			names[n] = name;
			values[n++] = value;
		}
	}
	return n;
}

/* Records that follow each other and have the same names are rows of one table. */
static int
read_records(struct table_scan *s, struct table *t, struct err *err)
{
	struct span names[TABLE_COLUMNS_MAX], values[TABLE_COLUMNS_MAX], record;
	size_t line = 0;
	int rc = 0;
	for (;;) {
		struct table_scan before = *s;
		size_t n = read_fields(s, names, values, &t->cut);
		bool same = n == t->n_columns || t->n_rows == 0;
		for (size_t i = 0; same && t->n_rows && i < n; i++)
			same = names[i].n == t->columns[i].n &&
			       memcmp(names[i].text, t->columns[i].text, names[i].n) == 0;
		if (!same && t->cut) {
			t->bad++;
			break;
		}
		if (!same) { /* of another table: from its mark on again */
			*s = before;
			hold(s, span_of("-[ RECORD 2 ]-"), line);
			break;
		}
		memcpy(t->columns, names, sizeof(names[0]) * n);
		t->n_columns = n;
		rc = n ? add_cells(s, t, values, err) : 0;
		if (rc || !next_record(s, false, &record, &line))
			break;
		/* number 1 is the first of another answer */
		if (!is_record_mark(record) || span_has(record, "RECORD 1 ]") ||
			span_has(record, " 1. row")) {
			hold(s, record, line);
			break;
		}
	}
	return rc;
}

int
table_next(struct table_scan *s, struct table *t, bool *found, struct err *err)
{
	static const char delimiters[] = "|,\t;";
	struct span record;
	size_t line;
	*found = false;
	*t = (struct table){.n_columns = 0};
	while (next_record(s, false, &record, &line)) {
		t->line = line;
		t->title = s->title;
		if (is_record_mark(record)) {
			s->title.n = 0;
			int rc = read_records(s, t, err);
			*found = t->n_columns > 0;
			if (rc || *found)
				return rc;
			continue;
		}
		for (const char *d = delimiters; *d; d++)
			if (is_head(record, *d, t)) {
				s->title.n = 0;
				*found = true;
				return read_rows(s, t, *d, err);
			}
		if (span_trim(record).n && !is_rule(record))
			s->title = span_trim(record);
	}
	return 0;
}

int
table_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].n == strlen(name) &&
			strncasecmp(t->columns[i].text, name, t->columns[i].n) == 0)
			return (int)i;
	return -1;
}

struct span
table_cell(const struct table *t, size_t row, int column)
{
	if (column < 0 || row >= t->n_rows)
		return (struct span){"", 0};
	return t->cells[row * t->n_columns + (size_t)column];
}
