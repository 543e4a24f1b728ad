/*
 * evidence_build.h - evidence from files of the shared folder and from texts, for tests.
 *
 * Files are read from $TIERWISE_SHARED/fixtures/workload; where that is missing a program ends with 77.
 */
#ifndef TESTS_EVIDENCE_BUILD_H
#define TESTS_EVIDENCE_BUILD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "workload/evidence.h"

struct built {
	struct arena arena;
	struct evidence e;
	struct err err;
	const char *reader; /* of the last text */
};

static inline void
build_start(struct built *b)
{
	memset(b, 0, sizeof(*b));
	arena_init(&b->arena, 0);
	evidence_init(&b->e, &b->arena);
}

static inline void
build_end(struct built *b)
{
	arena_fini(&b->arena);
}

/* n bytes, in a block of just that size and a NUL, so that a sanitizer sees what reads past them. */
static inline int
build_text_n(struct built *b, const char *name, const char *text, size_t n)
{
	static const struct evidence_options options = {
		.day_first = -1, .utc_offset_s = (double)NAN};
	char *copy = malloc(n + 1);
	assert_non_null(copy);
	memcpy(copy, text, n);
	copy[n] = '\0';
	char *kept = arena_alloc(&b->arena, n + 1);
	memcpy(kept, copy, n + 1);
	free(copy);
	name = arena_strdup(&b->arena, name); /* borrowed by what is read */
	struct evidence_input in = {.name = name, .text = kept, .n = n, .options = &options};
	return evidence_text(&b->e, &in, &b->reader, &b->err);
}

static inline int
build_text(struct built *b, const char *name, const char *text)
{
	return build_text_n(b, name, text, strlen(text));
}

static inline void
shared_text(const char *name, struct buf *text)
{
	char path[512];
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/fixtures/workload/%s", getenv("TIERWISE_SHARED"), name);
	buf_init(text, 0);
	if (file_read(path, text, &err))
		fail_msg("%s", err.text);
}

/* A shared file of that name, its first `most` bytes (0: all). */
static inline int
build_file(struct built *b, const char *name, size_t most)
{
	struct buf text;
	shared_text(name, &text);
	int rc = build_text_n(b, name, buf_text(&text), most && most < text.len ? most : text.len);
	buf_fini(&text);
	return rc;
}

static inline void
build_must(struct built *b, const char *name)
{
	if (build_file(b, name, 0))
		fail_msg("%s: %s", name, b->err.text);
}

static inline void
build_finish(struct built *b)
{
	if (evidence_finish(&b->e, &b->err))
		fail_msg("%s", b->err.text);
}

static inline const struct finding *
build_finding(const struct built *b, const char *code)
{
	const struct finding *f = findings_find(&b->e.findings, code);
	if (!f)
		fail_msg("no finding \"%s\"", code);
	return f;
}

static inline void
build_says(const struct built *b, const char *code, const char *part)
{
	const struct finding *f = build_finding(b, code);
	if (f && !strstr(f->text, part))
		fail_msg("\"%s\" is not in: %s", part, f->text);
}

#define assert_close(got, want, tolerance)                                                         \
	do {                                                                                       \
		double got_ = (got), want_ = (want);                                               \
		if (!(fabs(got_ - want_) <= (tolerance)))                                          \
			fail_msg("%s is %.9g, not %.9g", #got, got_, want_);                       \
	} while (0)

static inline int
skip_without_shared(void)
{
	struct stat st;
	const char *shared = getenv("TIERWISE_SHARED");
	if (shared && stat(shared, &st) == 0)
		return 0;
	printf("skipped: no shared folder at %s\n", shared ? shared : "(TIERWISE_SHARED unset)");
	return 77;
}

#endif /* TESTS_EVIDENCE_BUILD_H */
