/*
 * bench_text.h - figures of a measurement as text: a value with its unit, its interval and, where
 * there are too few samples for it, that.
 *
 * Texts live in the arena of the document, "" when there is no memory.
 */
#ifndef CLI_BENCH_TEXT_H
#define CLI_BENCH_TEXT_H

#include "profile/profile.h"
#include "report/doc.h"

#define BENCH_COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

__attribute__((format(printf, 2, 3))) const char *bench_text(struct doc *d, const char *fmt, ...);

/* "12,800", "3.41"; "-" when not known. */
const char *bench_count(struct doc *d, double v);
/* "12,800 (12,500-13,100)": the interval is left out when it is not known. */
const char *bench_range(struct doc *d, double v, double lo, double hi);
/* "4.12 ms"; "-" when not known. */
const char *bench_latency(struct doc *d, double us);
/* "4.12 ms (3.9-4.4)" */
const char *bench_latency_range(struct doc *d, double us, double lo, double hi);
/* A percentile (50, 99.9): "N too small" when there is no value and fewer than 10 of the n samples lie
 * above it. */
const char *bench_percentile(struct doc *d, double us, double n, double percent);
/* The same with its interval; us: value, lo, hi. */
const char *bench_percentile_range(struct doc *d, const double us[3], double n, double percent);
/* "4 KiB" */
const char *bench_size(struct doc *d, double size_b);
/* "1.83x (1.79-1.87)" */
const char *bench_ratio(struct doc *d, double v, double lo, double hi);
/* "1.79-1.87" */
const char *bench_interval(struct doc *d, double lo, double hi);
/* "12 %", "0.4 %"; "-" when not known. */
const char *bench_percent(struct doc *d, double frac);

/* Eight heights of blocks from 0 to the largest value, at most `width` of them. */
const char *bench_sparkline(struct doc *d, const double *v, size_t n, size_t width);

/* Append a row of n texts. */
void bench_row(struct doc *d, struct doc_table *t, const char *const *cells, size_t n);

#endif /* CLI_BENCH_TEXT_H */
