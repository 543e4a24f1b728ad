/*
 * cells.h - the mean latencies measured at depths and block sizes, made consistent with each other.
 *
 * With more outstanding neither latency nor throughput falls, and a larger I/O takes no less time.  In
 * ln: u(b, q) <= u(b', q') + max(0, ln q/q') for b <= b'.  Where measured cells break this, noise does:
 * each pair is moved together, half by either side, until all hold; what holds already stays as it was.
 * Of published figures more than twice apart the faster one moves alone.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H

#include "model/disk.h"

enum { CELLS_MAX = 512 };

struct cells {
	double bs_b[CELLS_MAX], qd[CELLS_MAX];
	double us[CELLS_MAX]; /* consistent */
	double measured_us[CELLS_MAX];
	size_t n;
};

struct bounds {
	double lo, hi;
};

/* A write that is a part of a physical block: its time says nothing of whole ones, nor theirs of it. */
bool cells_in_part(const struct disk_model *m, int op, double bs_b);

/* All cells of an operation: of whole blocks, or, when only_b is a number, of that size alone. */
void cells_collect(const struct disk_model *m, int op, double only_b, struct cells *c);

/* The consistent mean of a cell; NaN: none was measured there. */
double cells_us(const struct cells *c, double bs_b, double qd);

/*
 * What the cells leave for a size and depth.  lo <= hi; both keep latency and throughput monotone in
 * depth and latency in size, and so does whatever keeps them itself and is cut to them.
 */
struct bounds cells_room(const struct cells *c, double bs_b, double qd);

/* The cell that had to move furthest, when by more than run-to-run noise: a finding. */
void cells_finding(const struct disk_model *m, struct findings *out);

#endif /* MODEL_CELLS_H */
