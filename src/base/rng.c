#include "base/rng.h"

#include <math.h>

static uint64_t
splitmix(uint64_t *x)
{
	uint64_t z = (*x += 0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void
rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

double
rng_uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

double
rng_normal(struct rng *r)
{
	double u = rng_uniform(r), v = rng_uniform(r);
	return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

double
rng_exponential(struct rng *r)
{
	return -log(rng_uniform(r));
}
