/*
 * table.h - tables in the output of database clients: CSV (comma, semicolon, tab), psql's and mysql's boxes,
 * unaligned rows, and records of name and value (psql -x, mysql \G).  Several may follow each other in one text.
 *
 * A table begins with a line of names; lines that belong to none are passed over.  Cells borrow from the text
 * (a doubled quote in a quoted cell stays doubled); an empty cell has n == 0.
 */
#ifndef WORKLOAD_TABLE_H
#define WORKLOAD_TABLE_H

#include "base/err.h"
#include "workload/span.h"

enum { TABLE_COLUMNS_MAX = 128 };

struct table {
	size_t line; /* of its names, from 1 */
	struct span title; /* the last line before it that is not empty; n == 0: none */
	struct span columns[TABLE_COLUMNS_MAX];
	size_t n_columns;
	struct span *cells; /* n_rows x n_columns */
	size_t n_rows;
	size_t bad, bad_line; /* rows of another number of cells, left out; the first of them */
	bool cut; /* the last row has no end and is left out */
};

struct table_scan {
	struct arena *arena;
	const char *next, *end;
	size_t line; /* of next */
	bool whole; /* the last record had its end of line */
	struct span title, held; /* a record read already; held.text NULL: none */
	size_t held_line;
};

void table_scan_init(struct table_scan *s, struct arena *a, const char *text, size_t n);

/* The next table; *found is false after the last.  ERR_NOMEM. */
int table_next(struct table_scan *s, struct table *t, bool *found, struct err *err);

/* Number of the column, -1 when there is none.  Case does not matter. */
int table_column(const struct table *t, const char *name);

/* The cell; empty when column is -1. */
struct span table_cell(const struct table *t, size_t row, int column);

#endif /* WORKLOAD_TABLE_H */
