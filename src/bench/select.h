/*
 * select.h - which cells to measure, when not all: "randread:1,randwrite:32,overwrite".
 */
#ifndef BENCH_SELECT_H
#define BENCH_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "bench/engine.h"
#include "bench/plan.h"
#include "profile/profile.h"

struct bench_select {
	bool depth[2][PLAN_DEPTHS]; /* by enum engine_op, then as plan_depths */
	bool log[PROFILE_PATTERN_COUNT]; /* commits: append, overwrite */
};

/* Parse; NULL: everything.  ERR_USAGE names what is accepted; *s is written only on success. */
int select_parse(const char *text, struct bench_select *s, struct err *err);

/* How many of the ladder's cells. */
size_t select_count(const struct bench_select *s);
/* How many kinds of commit. */
size_t select_logs(const struct bench_select *s);

#endif /* BENCH_SELECT_H */
