/*
 * select.h - what to measure, when not all: "randread:1,randwrite:32,overwrite,hold".
 */
#ifndef BENCH_SELECT_H
#define BENCH_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "bench/engine.h"
#include "bench/plan.h"
#include "profile/profile.h"

enum { SELECT_WORDS = 7 };

struct bench_select {
	bool depth[2][PLAN_DEPTHS]; /* by enum engine_op, then as plan_depths */
	bool log[PROFILE_PATTERN_COUNT]; /* commits: append, overwrite */
	bool word[SELECT_WORDS]; /* phases that are selected as a whole (select_words) */
};

/* cache sizes mix load readahead hold compress */
extern const char *const select_words[SELECT_WORDS];

/* Parse; NULL: everything.  ERR_USAGE names what is accepted; *s is written only on success. */
int select_parse(const char *text, struct bench_select *s, struct err *err);

/* Whether a phase of that word is wanted. */
bool select_phase(const struct bench_select *s, const char *word);
/* Whether any of the ladder's cells is; any commit. */
bool select_ladder(const struct bench_select *s);
bool select_commits(const struct bench_select *s);

#endif /* BENCH_SELECT_H */
