/*
 * csv.h - comma-separated values (RFC 4180), a record at a time, from a stream of any length.
 *
 * Fields may be quoted, with "" for a quote, commas and line ends inside.  Lines end with LF or CRLF.
 * Memory is that of the longest record.
 */
#ifndef PRICE_CSV_H
#define PRICE_CSV_H

#include <stddef.h>

#include "base/err.h"

enum { CSV_RECORD_MAX = 1 << 20, CSV_FIELDS_MAX = 1024 };

/* A record; the texts live until the call returns.  `line` is where it began, from 1.  Not 0 ends
 * the reading. */
typedef int csv_each(void *ctx, const char *const *fields, size_t n, size_t line, struct err *err);

struct csv;

/* `name` stands for the file in messages and is borrowed. */
int csv_open(const char *name, csv_each *each, void *ctx, struct csv **csv, struct err *err);
void csv_close(struct csv *csv);
/* Forget what came: the file begins again. */
void csv_restart(struct csv *csv);

/* ERR_PARSE with name and line: a quote out of place, a NUL, a record or a number of fields that is
 * too long.  Empty lines are no records. */
int csv_put(struct csv *csv, const char *bytes, size_t n, struct err *err);
/* The file is over: the last record needs no line end, an open quote is ERR_PARSE. */
int csv_end(struct csv *csv, struct err *err);

#endif /* PRICE_CSV_H */
