/*
 * csv.h - just enough CSV for the shared fixtures: no quotes, header in the first line.
 *
 * Reads $TIERWISE_SHARED/<name> whole; cells are looked up by column name.
 */
#ifndef TESTS_MODEL_CSV_H
#define TESTS_MODEL_CSV_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_MAX_COLUMNS = 40 };

struct csv {
	char *text;
	size_t n_columns, n_rows;
	char *header[CSV_MAX_COLUMNS];
	char **cells; /* row-major */
};

static inline size_t
csv_split(char *line, char **cells)
{
	size_t n = 0;
	for (char *p = line; p && n < CSV_MAX_COLUMNS; n++) {
		cells[n] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = '\0';
	}
	return n;
}

static inline int
csv_read_all(struct csv *c, FILE *f)
{
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	c->text = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
	return c->text && fread(c->text, 1, (size_t)size, f) == (size_t)size ? 0 : -1;
}

/* false, with the reason printed, when the shared folder lacks the file: the test is skipped. */
static inline bool
csv_available(const char *name)
{
	char path[4096];
	const char *shared = getenv("TIERWISE_SHARED");
	snprintf(path, sizeof(path), "%s/%s", shared ? shared : "(TIERWISE_SHARED unset)", name);
	FILE *f = fopen(path, "r");
	if (f)
		fclose(f);
	else
		printf("skipped: no %s\n", path);
	return f != NULL;
}

/* 0, or -1 with a reason printed. */
static inline int
csv_load(struct csv *c, const char *name)
{
	*c = (struct csv){0};
	char path[4096];
	const char *shared = getenv("TIERWISE_SHARED");
	snprintf(path, sizeof(path), "%s/%s", shared ? shared : "(TIERWISE_SHARED unset)", name);
	FILE *f = fopen(path, "r");
	if (!f || csv_read_all(c, f) != 0) {
		printf("cannot read %s\n", path);
		if (f)
			fclose(f);
		return -1;
	}
	fclose(f);
	char *save, *line = strtok_r(c->text, "\n", &save);
	c->n_columns = csv_split(line, c->header);
	size_t cap = 0;
	while ((line = strtok_r(NULL, "\n", &save))) {
		if (c->n_rows == cap) {
			cap = cap ? cap * 2 : 64;
			c->cells = realloc(c->cells, cap * CSV_MAX_COLUMNS * sizeof(char *));
		}
		memset(&c->cells[c->n_rows * CSV_MAX_COLUMNS], 0, CSV_MAX_COLUMNS * sizeof(char *));
		csv_split(line, &c->cells[c->n_rows++ * CSV_MAX_COLUMNS]);
	}
	return 0;
}

static inline const char *
csv_text(const struct csv *c, size_t row, const char *column)
{
	for (size_t i = 0; i < c->n_columns; i++)
		if (strcmp(c->header[i], column) == 0 && c->cells[row * CSV_MAX_COLUMNS + i])
			return c->cells[row * CSV_MAX_COLUMNS + i];
	return "";
}

/* NaN when the cell is empty. */
static inline double
csv_number(const struct csv *c, size_t row, const char *column)
{
	const char *text = csv_text(c, row, column);
	return *text ? strtod(text, NULL) : (double)NAN;
}

static inline void
csv_free(struct csv *c)
{
	free(c->text);
	free(c->cells);
}

#endif /* TESTS_MODEL_CSV_H */
