/*
 * evidence.h - what is looked at between phases: the file, the page cache, the limits.
 */
#ifndef BENCH_EVIDENCE_H
#define BENCH_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/extents.h"
#include "bench/limits.h"
#include "bench/target.h"

struct evidence {
	bool has_extents;
	struct extents extents; /* of the area, right after it was laid out */
	double cached_frac; /* of the area: most that was seen in the page cache; NaN: not known */
	struct limits limits;
};

/* Before the first request. */
void evidence_begin(struct evidence *e, const struct target *t);
/* The file was laid out. */
void evidence_laid_out(struct evidence *e, const struct target *t, uint64_t area_b);
/*
 * Later, while nothing has gone through the page cache on purpose (O_DSYNC commits and the
 * comparison of read-ahead do).
 */
void evidence_look(struct evidence *e, const struct target *t, uint64_t area_b);

#endif /* BENCH_EVIDENCE_H */
