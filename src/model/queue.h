/*
 * queue.h - what random arrivals wait for close to a wall (models.md 3.1).
 *
 * One server that completes `wall` I/O a second, arrivals at random (Poisson): M/D/1, whose wait is
 * on average rho / (2 C (1 - rho)) and beyond t with probability exp(-2 (1 - rho) C t) in heavy
 * traffic.  A bucket of `burst` tokens lets that much excess through without a wait, which moves
 * the tail by burst / C.  A queue has no time to grow to its steady state when rho is near 1, so
 * each is bounded by what a driftless walk reaches in a minute.
 *
 * The model holds from 95 % of the wall; it fades in up to the wall, so that latency has no step.
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_QUEUE_H
#define MODEL_QUEUE_H

#include "model/disk.h"

/* Wait in us at `rate` below `wall` (both 1/s), 0 up to 95 % of it; burst: tokens, >= 0. */
double queue_wait_us(double rate, double wall, double burst, enum model_statistic stat);

/* Where a minute's queue ends at the wall itself, in us; no tokens. */
double queue_longest_us(double wall, enum model_statistic stat);

#endif /* MODEL_QUEUE_H */
