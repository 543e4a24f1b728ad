/*
 * case.h - small documents written in the test itself, loaded as a user's would be.
 */
#ifndef TEST_ADVISE_CASE_H
#define TEST_ADVISE_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "advise/advise.h"
#include "advise/transaction.h"

/* Text in a temporary file, whose name is put into path. */
static inline void
put_text(const char *text, char path[64])
{
	snprintf(path, 64, "/tmp/tierwise-advise-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	size_t n = strlen(text);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

/* The shipped document of the workload's engine. */
static inline void
load_engine(const struct workload *w, struct arena *a, struct engine *e)
{
	char path[4096];
	const char *source = getenv("TIERWISE_SOURCE");
	struct engine_document d;
	struct err err = {0};
	int word = w->engine >= 0 ? w->engine : WORKLOAD_GENERIC;
	snprintf(path, sizeof(path), "%s/models/engines/%s.json", source ? source : ".",
		names_text(&workload_engine_names, word));
	if (engine_document_load(path, a, &d, NULL, &err) || transaction_engine(w, &d, a, e, &err))
		fail_msg("%s", err.text);
}

struct scene {
	struct arena arena;
	struct workload workload;
	struct engine engine;
	struct limits limits;
	struct price_book book;
	struct advise_input in;
	struct plan plan;
	struct err err;
};

static inline void
load_text(struct scene *s, const char *text, int kind)
{
	char path[64];
	put_text(text, path);
	int rc = kind == 'w'   ? workload_load(path, &s->arena, &s->workload, NULL, &s->err)
		 : kind == 'l' ? limits_load(path, &s->arena, &s->limits, NULL, &s->err)
			       : price_book_load(path, &s->arena, &s->book, NULL, &s->err);
	unlink(path);
	if (rc)
		fail_msg("%s", s->err.text);
}

static inline void
scene_init(struct scene *s, const char *workload, const char *limits, const char *prices)
{
	memset(s, 0, sizeof(*s));
	arena_init(&s->arena, 0);
	load_text(s, workload, 'w');
	load_text(s, limits, 'l');
	load_text(s, prices, 'p');
	load_engine(&s->workload, &s->arena, &s->engine);
	s->in = (struct advise_input){.workload = &s->workload,
		.engine = &s->engine,
		.book = &s->book,
		.limits = &s->limits,
		.tool = "test",
		.price_age_days = (double)NAN};
}

static inline int
scene_solve(struct scene *s)
{
	s->err = (struct err){0};
	return advise_plan(&s->in, &s->arena, &s->plan, &s->err);
}

static inline void
scene_fini(struct scene *s)
{
	arena_fini(&s->arena);
}

static inline const struct plan_volume *
volume_of(const struct plan *p, const char *name)
{
	for (size_t i = 0; i < p->n_volumes; i++) {
		if (strcmp(p->volumes[i].name, name) == 0)
			return &p->volumes[i];
	}
	fail_msg("no volume %s", name);
	return NULL;
}

static inline const struct plan_rejected *
rejected_of(const struct plan_volume *v, const char *sku)
{
	for (size_t i = 0; i < v->n_rejected; i++) {
		if (strcmp(v->rejected[i].config->sku, sku) == 0)
			return &v->rejected[i];
	}
	return NULL;
}

static inline bool
any_text_has(const char *const *items, size_t n, const char *part)
{
	for (size_t i = 0; i < n; i++) {
		if (strstr(items[i], part))
			return true;
	}
	return false;
}

static inline const struct finding *
finding_of(const struct plan *p, const char *code)
{
	for (size_t i = 0; i < p->n_findings; i++) {
		if (strcmp(p->findings[i].code, code) == 0)
			return &p->findings[i];
	}
	return NULL;
}

static inline bool
near_to(double got, double want, double tolerance)
{
	return fabs(got - want) <= tolerance;
}

#endif /* TEST_ADVISE_CASE_H */
