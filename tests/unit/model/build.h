/*
 * build.h - profiles under construction, fitted and asked, for the tests of the model.
 */
#ifndef TESTS_MODEL_BUILD_H
#define TESTS_MODEL_BUILD_H

#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "model/disk.h"

struct build {
	struct arena arena;
	struct profile p;
	struct disk_model m;
};

static inline void
build_begin(struct build *b, int device, int trust)
{
	memset(b, 0, sizeof(*b));
	arena_init(&b->arena, 0);
	profile_clear(&b->p);
	b->p.name = "disk";
	b->p.device = device;
	b->p.trust = trust;
}

static inline void
build_end(struct build *b)
{
	arena_fini(&b->arena);
}

/* A sound closed-loop cell: rate and mean obey Little's law. */
static inline struct profile_cell
build_cell(int op, double bs_b, double qd, double mean_us)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op;
	c.bs_b = bs_b;
	c.qd = qd;
	c.mean_us = mean_us;
	c.iops = 1e6 * qd / mean_us;
	return c;
}

static inline void
build_add(struct build *b, struct profile_cell c)
{
	assert_int_equal(profile_add_cell(&b->p, &b->arena, &c, NULL), 0);
}

static inline void
build_depths(
	struct build *b, int op, double bs_b, const double *qd, const double *mean_us, size_t n)
{
	for (size_t i = 0; i < n; i++)
		build_add(b, build_cell(op, bs_b, qd[i], mean_us[i]));
}

static inline void
build_fit(struct build *b)
{
	struct err err;
	if (disk_model_fit(&b->p, NULL, NULL, &b->arena, &b->m, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
}

static inline const struct finding *
build_found(const struct build *b, const char *code)
{
	const struct findings f = {NULL, b->m.findings, b->m.n_findings};
	return findings_find(&f, code);
}

/* The finding is there, says this, and says what to do. */
static inline void
build_says(const struct build *b, const char *code, const char *part)
{
	const struct finding *f = build_found(b, code);
	if (!f)
		fail_msg("no finding %s", code);
	else if (!strstr(f->text, part))
		fail_msg("%s: \"%s\" without \"%s\"", code, f->text, part);
	else if (!f->todo)
		fail_msg("%s says not what to do", code);
}

static inline struct estimate
build_at_depth(const struct build *b, enum profile_op op, double bs_b, double qd,
	enum model_statistic stat)
{
	struct estimate e = {0};
	struct err err;
	if (disk_latency_at_qd(&b->m, op, bs_b, qd, NULL, stat, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

static inline struct estimate
build_at_rate(const struct build *b, enum profile_op op, double bs_b, double rate,
	enum model_statistic stat)
{
	struct estimate e = {0};
	struct err err;
	if (disk_latency_at_rate(&b->m, op, bs_b, rate, NULL, stat, &e, &err)) {
		print_error("%s\n", err.text);
		fail();
	}
	return e;
}

#endif /* TESTS_MODEL_BUILD_H */
