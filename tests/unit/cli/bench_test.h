/* bench_test.h - what the tests of a measurement's document share: profiles built by hand, and a look
 * into the document. */
#ifndef BENCH_TEST_H
#define BENCH_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/profile.h"
#include "report/render.h"

struct fixture {
	struct arena arena;
	struct doc doc;
	struct profile p;
	struct profile_quality quality;
};

static inline void
start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, 0);
	doc_init(&f->doc, &f->arena, "t");
	profile_clear(&f->p);
	profile_quality_clear(&f->quality);
	f->quality.verdict = "clean";
	f->p.name = "disk";
	f->p.trust = TRUST_MEASURED;
	f->p.complete = 1;
	f->p.quality = &f->quality;
}

static inline void
stop(struct fixture *f)
{
	assert_false(f->doc.failed);
	arena_fini(&f->arena);
}

static inline struct profile_cell *
add_cell(struct fixture *f, struct profile *p, int op, double bs_b, double qd, double iops)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.iops = iops;
	c.mibps = iops * bs_b / 1048576;
	assert_int_equal(profile_add_cell(p, &f->arena, &c, NULL), 0);
	return &p->cells[p->n_cells - 1];
}

static inline struct profile_sync *
add_sync(struct fixture *f, struct profile *p, int mode, int pattern, double writers, double rate)
{
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = mode;
	s.pattern = pattern;
	s.bs_b = 8192;
	s.writers = writers;
	s.syncs_per_s = rate;
	assert_int_equal(profile_add_sync(p, &f->arena, &s, NULL), 0);
	return &p->syncs[p->n_syncs - 1];
}

static inline const struct doc_table *
table_of(const struct doc_block *b)
{
	return b->figure ? b->figure->data : b->table;
}

/* The first table whose caption holds `part`; NULL: none. */
static inline const struct doc_table *
find_table(const struct doc *d, const char *part)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_table *t = table_of(&d->blocks[i]);
		if (t && strstr(t->caption, part))
			return t;
	}
	return NULL;
}

static inline const struct doc_table *
need_table(const struct doc *d, const char *part)
{
	const struct doc_table *t = find_table(d, part);
	if (!t)
		fail_msg("no table \"%s\"", part);
	return t;
}

static inline const struct doc_figure *
find_figure(const struct doc *d, const char *part)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct doc_figure *f = d->blocks[i].figure;
		if (f && strstr(f->title, part))
			return f;
	}
	return NULL;
}

/* The cell in the first column with that title. */
static inline const char *
cell(const struct doc_table *t, size_t row, const char *title)
{
	assert_true(row < t->n_rows);
	for (size_t c = 0; c < t->n_columns; c++) {
		if (strcmp(t->columns[c].title, title) == 0) {
			const char *text = t->cells[row * t->n_columns + c];
			return text ? text : "";
		}
	}
	fail_msg("no column \"%s\" in \"%s\"", title, t->caption);
	return NULL;
}

/* Some paragraph or call-out holds `part`. */
static inline bool
says(const struct doc *d, const char *part)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->blocks[i].kind != DOC_HEADING && d->blocks[i].text &&
			strstr(d->blocks[i].text, part))
			return true;
	}
	return false;
}

static inline void
assert_says(const struct doc *d, const char *part)
{
	if (says(d, part))
		return;
	for (size_t i = 0; i < d->n; i++) {
		if (d->blocks[i].text)
			print_message("| %s\n", d->blocks[i].text);
	}
	fail_msg("nothing says \"%s\"", part);
}

#endif /* BENCH_TEST_H */
