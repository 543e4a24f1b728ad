/*
 * bench_parts.h - the sections of a measurement's document, a function each; internal to
 * bench_doc.c.  A section of which nothing was measured is left out.
 */
#ifndef CLI_BENCH_PARTS_H
#define CLI_BENCH_PARTS_H

#include "cli/bench_text.h"

/* A profile on its way into a document. */
struct bench_part {
	struct doc *d;
	const struct profile *p;
	int level; /* of the headings of sections */
	double ladder_b; /* block size of the ladder of depths; NaN: there is none */
};

void bench_put_where(const struct bench_part *b); /* bench_where.c */
void bench_put_capacity(const struct bench_part *b); /* bench_ladder.c */
void bench_put_ladder(const struct bench_part *b);
void bench_put_sizes(const struct bench_part *b); /* bench_sizes.c */
void bench_put_sequential(const struct bench_part *b);
void bench_put_commits(const struct bench_part *b); /* bench_commits.c */
void bench_put_mix(const struct bench_part *b); /* bench_mixed.c */
void bench_put_open(const struct bench_part *b);
void bench_put_first_write(const struct bench_part *b); /* bench_series.c */
void bench_put_hold(const struct bench_part *b);
void bench_put_cache(const struct bench_part *b);
void bench_put_readahead(const struct bench_part *b);

/* Reads or writes anywhere, one direction, a full queue: what ladders and sizes are made of. */
bool bench_is_random(const struct profile_cell *c);
/* Of a ladder. */
bool bench_is_ladder(const struct bench_part *b, const struct profile_cell *c);

/* What limits a plateau, in words: "device-limited", "quota-limited (IOPS)", ... */
const char *bench_limit_words(const char *limit);

/* "12,800 (12,500-13,100)", or "at least 12,500" where more depth might have brought more. */
const char *bench_capacity(struct doc *d, const struct profile_knee *k, bool interval);

/* The cells that pass, by operation, block size, rate asked for and depth; an array in the arena. */
typedef bool bench_pick(const struct bench_part *b, const struct profile_cell *c);
const struct profile_cell **bench_cells(const struct bench_part *b, bench_pick *pick, size_t *n);

/* The first cell of a ladder at that depth, or NULL. */
const struct profile_cell *bench_ladder_at(const struct bench_part *b, int op, double qd);

#endif /* CLI_BENCH_PARTS_H */
