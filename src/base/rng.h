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

static inline uint64_t
rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rng_rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* 0 <= x < n, without modulo bias worth measuring (Lemire's multiply); n > 0. */
static inline uint64_t
rng_below(struct rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)(((wide)rng_next(r) * n) >> 64);
}

/* 0 < x < 1 */
double rng_uniform(struct rng *r);
/* mean 0, standard deviation 1 (Box-Muller) */
double rng_normal(struct rng *r);
/* mean 1 */
double rng_exponential(struct rng *r);

#endif /* BASE_RNG_H */
