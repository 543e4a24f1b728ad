/*
 * bench_doc.h - a measured profile for people: rates with intervals, latencies, verdict, findings.
 */
#ifndef CLI_BENCH_DOC_H
#define CLI_BENCH_DOC_H

#include "profile/profile.h"
#include "report/doc.h"

/* Append a profile as bench makes it (method and quality present). */
void bench_doc(struct doc *d, const struct profile *p);

#endif /* CLI_BENCH_DOC_H */
