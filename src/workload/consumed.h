/*
 * consumed.h - what shares of caps, as a provider reports them, say together: which cap is the wall, of a disk or of
 * the machine, and what is free beside it.
 */
#ifndef WORKLOAD_CONSUMED_H
#define WORKLOAD_CONSUMED_H

#include "base/finding.h"
#include "workload/need.h"

/* A cap that is known: IOPS or bytes a second. */
struct consumed_cap {
	const char *metric; /* "VM Uncached IOPS" */
	const char *device; /* NULL: the machine's own */
	double value;
};

struct consumed_caps {
	const struct consumed_cap *items;
	size_t n;
};

/* One series of shares. */
struct consumed {
	const struct evidence_series *series;
	double mean, p95, max; /* 1: at the cap */
	size_t n, n_at_cap; /* intervals, and those at 95 % or more */
	double cap; /* NaN: not known */
	bool credit; /* a budget of bursts, not a rate */
	bool bytes; /* of throughput, not of operations */
};

/* Statistics of the i-th series of e; false when it has no shares. */
bool consumed_of(
	const struct evidence *e, size_t i, const struct consumed_caps *caps, struct consumed *out);

/*
 * Shares of disks' caps that are known become rates, a series for each disk, where no series of the disk has rates of its
 * own: share x cap, of IOPS and of bytes a second.  The shares stay beside them.  ERR_NOMEM.
 */
int consumed_rates(struct evidence *e, const struct need_cap *caps, size_t n_caps, struct err *err);

/* Findings: consumed-cap, consumed-machine, consumed-mean, consumed-credit.  ERR_NOMEM. */
int consumed_say(const struct evidence *e, const struct consumed_caps *caps, struct findings *out,
	struct err *err);

#endif /* WORKLOAD_CONSUMED_H */
