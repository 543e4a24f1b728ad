/*
 * model_leave.h - the experiments: hide points of a sweep, fit and predict the rest through the
 * model's own interface, compare with what was hidden.
 */
#ifndef TESTS_MODEL_LEAVE_H
#define TESTS_MODEL_LEAVE_H

#include "model_sweeps.h"
#include "model_tally.h"

/* Point `hidden` by all the others; predicted[] of every statistic.  false: the model refused. */
bool leave_one(const struct sweep *s, size_t hidden, struct estimate predicted[]);

/* Every interior point in turn; t[]: a tally a statistic. */
void leave_interior(const struct sweep *s, struct tally t[MODEL_STATISTIC_COUNT]);

/* All depths but 1, 4, 16 and 64, by these four; nothing when the sweep lacks one of them. */
void leave_all_but_four(const struct sweep *s, struct tally *t);

/* Depths of 16 and more by those up to 8, the highest rate of the sweep given as a cap. */
void leave_above_cap(const struct sweep *s, struct tally *t);

/* Each point by those before it, five or more.  The tally is that of the growth exponent of
 * throughput over the last two known: below 0.1, 0.3, 0.6, above (models.md 1.2). */
enum { GROWTH_CLASSES = 4 };
void leave_next(const struct sweep *s, struct tally t[GROWTH_CLASSES]);

#endif /* TESTS_MODEL_LEAVE_H */
