/*
 * bench_doc.h - measured disks for people: verdict first, then where, capacity, latency by depth,
 * by size, of commits, mixed, over time, and what is doubtful.
 */
#ifndef CLI_BENCH_DOC_H
#define CLI_BENCH_DOC_H

#include "profile/profile.h"
#include "report/doc.h"

/* Append one profile; every part of it may be absent. */
void bench_doc(struct doc *d, const struct profile *p);

/*
 * Append several, their verdicts first and a comparison with the first one after them.
 * together: they were measured in one run, slices in turns (bench_compare.h).
 */
void bench_docs(struct doc *d, const struct profile *p, size_t n, bool together);

#endif /* CLI_BENCH_DOC_H */
