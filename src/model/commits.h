/*
 * commits.h - commits against writers, and one flush against its bytes.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_COMMITS_H
#define MODEL_COMMITS_H

#include "model/disk.h"

/* From m->syncs and the profile they came from into m->commits and m->flushes. */
int commits_fit(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err);

/* Mean of a commit of this kind by the fitted law over its bytes; NaN: no law. */
double commits_flush_us(const struct model_flush *f, double bs_b);

/* Which of several kinds answers for a commit: the smaller rank. */
int commits_mode_rank(int mode);
int commits_pattern_rank(int pattern);

#endif /* MODEL_COMMITS_H */
