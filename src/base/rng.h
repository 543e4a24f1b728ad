/*
 * rng.h - seeded pseudo-random numbers (xoshiro256**, seeded by splitmix64: Blackman and Vigna
 * 2018, public domain).  Same seed, same sequence, on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* 0 <= x < n, without modulo bias worth measuring (Lemire's multiply); n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* 0 < x < 1 */
double rng_uniform(struct rng *r);
/* mean 0, standard deviation 1 (Box-Muller) */
double rng_normal(struct rng *r);
/* mean 1 */
double rng_exponential(struct rng *r);

#endif /* BASE_RNG_H */
