/* What tests of evidence readers share: an evidence, texts and fixtures into it, figures of a series. */
#ifndef EVIDENCE_TEST_H
#define EVIDENCE_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "workload/evidence.h"

struct fixture {
	struct arena arena;
	struct evidence e;
	struct evidence_options options;
	struct err err;
	const char *reader; /* of the last text */
};

static inline void
fixture_open(struct fixture *f)
{
	*f = (struct fixture){0};
	f->options = (struct evidence_options){
		.day_first = -1, .utc_offset_s = NAN, .interval_s = NAN};
	arena_init(&f->arena, 0);
	evidence_init(&f->e, &f->arena);
}

static inline void
fixture_close(struct fixture *f)
{
	arena_fini(&f->arena);
}

static inline int
fixture_text(struct fixture *f, const char *name, const char *text)
{
	struct evidence_input in = {name, text, strlen(text), &f->options};
	f->err = (struct err){0};
	return evidence_text(&f->e, &in, &f->reader, &f->err);
}

/* A text that must be read, and the end of the input. */
static inline void
fixture_whole(struct fixture *f, const char *name, const char *text)
{
	int rc = fixture_text(f, name, text);
	if (rc == 0)
		rc = evidence_finish(&f->e, &f->err);
	if (rc)
		fail_msg("%s", f->err.text);
}

/* A file of ../shared/fixtures/workload; the test is skipped where they are absent. */
static inline int
fixture_file(struct fixture *f, const char *file)
{
	const char *shared = getenv("TIERWISE_SHARED");
	char path[1024];
	snprintf(
		path, sizeof(path), "%s/fixtures/workload/%s", shared ? shared : "../shared", file);
	if (!file_exists(path)) {
		print_message("%s is absent: skipped\n", path);
		skip();
	}
	struct buf text;
	buf_init(&text, 0);
	int rc = file_read(path, &text, &f->err);
	if (rc == 0)
		rc = fixture_text(f, file, buf_text(&text));
	buf_fini(&text);
	return rc;
}

static inline void
fixture_whole_file(struct fixture *f, const char *file)
{
	int rc = fixture_file(f, file);
	if (rc == 0)
		rc = evidence_finish(&f->e, &f->err);
	if (rc)
		fail_msg("%s", f->err.text);
}

static inline void
assert_close(double got, double want, double relative)
{
	if (!(fabs(got - want) <= fabs(want) * relative))
		fail_msg("%.9g, not %.9g", got, want);
}

static inline void
assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text ? text : "(nothing)", part);
}

/* That a finding of the code is there and says something. */
static inline void
assert_finding(const struct findings *all, const char *code, const char *part)
{
	const struct finding *one = findings_find(all, code);
	if (!one)
		fail_msg("no finding \"%s\"", code);
	else
		assert_says(one->text, part);
}

typedef double sample_figure(const struct evidence_sample *s);

static inline double
writes_of(const struct evidence_sample *s)
{
	return s->write_iops;
}

static inline int
by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Nearest rank; p 0: the mean, all intervals alike. */
static inline double
figure(const struct evidence_series *s, sample_figure *get, double p)
{
	double *values = calloc(s->n_samples, sizeof(double)), sum = 0;
	assert_non_null(values);
	for (size_t i = 0; i < s->n_samples; i++)
		sum += values[i] = get(&s->samples[i]);
	qsort(values, s->n_samples, sizeof(double), by_number);
	size_t rank = (size_t)ceil(p * (double)s->n_samples - 1e-9);
	double got = rank ? values[rank - 1] : sum / (double)s->n_samples;
	free(values);
	return got;
}

#endif /* EVIDENCE_TEST_H */
