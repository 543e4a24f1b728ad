#include "bench/pair.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

static const double z_95 = 1.959963984540054; /* upper 2.5 % point of the normal law */

/* Upper 2.5 % points of Student's t for 1 to 30 degrees of freedom. */
static const double student[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
	2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930,
	2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};

enum { STUDENT_MAX = sizeof(student) / sizeof(student[0]) };

double
pair_student(double df)
{
	if (!(df > 1))
		return student[0];
	if (df >= STUDENT_MAX) /* Cornish and Fisher's expansion, first terms */
		return z_95 + (pow(z_95, 3) + z_95) / (4 * df) +
		       (5 * pow(z_95, 5) + 16 * pow(z_95, 3) + 3 * z_95) / (96 * df * df);
	size_t below = (size_t)df;
	double t = student[below - 1], next = student[below];
	/* between two rows ln t is close to linear in 1/df */
	double share = (1 / (double)below - 1 / df) / (1 / (double)below - 1 / ((double)below + 1));
	return t * pow(next / t, share);
}

struct sample {
	const double *v;
	size_t n;
	double mean;
	double variance; /* of the relative mean: s^2 / (n mean^2) */
};

/* false: a value that is no rate. */
static bool
sample_of(struct pair_slices slices, struct sample *s)
{
	const double *v = slices.v;
	size_t n = slices.n;
	double sum = 0, square = 0;
	*s = (struct sample){.v = v, .n = n, .variance = NAN};
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(v[i]) || v[i] < 0)
			return false;
		sum += v[i];
	}
	s->mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		square += pow(v[i] - s->mean, 2);
	if (n > 1)
		s->variance = square / ((double)(n - 1) * (double)n * s->mean * s->mean);
	return n > 0;
}

/* Spread of the logarithm of the ratio: standard error, the bootstrap's own (which divides by n
 * where it should by n - 1), and degrees of freedom. */
struct spread {
	double error, plain_error, df;
};

static struct spread
spread_paired(const struct sample *a, const struct sample *b)
{
	double square = 0, n = (double)a->n;
	for (size_t i = 0; i < a->n; i++)
		square += pow(b->v[i] / b->mean - a->v[i] / a->mean, 2);
	return (struct spread){sqrt(square / ((n - 1) * n)), sqrt(square / (n * n)), n - 1};
}

static struct spread
spread_apart(const struct sample *a, const struct sample *b)
{
	double na = (double)a->n, nb = (double)b->n, va = a->variance, vb = b->variance;
	double df = pow(va + vb, 2) / (va * va / (na - 1) + vb * vb / (nb - 1));
	return (struct spread){sqrt(va + vb), sqrt(va * (na - 1) / na + vb * (nb - 1) / nb), df};
}

static double
mean_of(const double *v, const size_t *picked, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += v[picked[i]];
	return sum / (double)n;
}

static void
pick(size_t *picked, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		picked[i] = (size_t)rng_below(rng, n);
}

static int
by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

/* Room for the draws. */
struct room {
	double *drawn; /* PAIR_DRAWS */
	size_t *picked; /* as many as the larger sample has slices */
};

static void
bootstrap(const struct sample *a, const struct sample *b, bool paired, struct rng *rng,
	const struct room *room)
{
	for (size_t i = 0; i < PAIR_DRAWS; i++) {
		pick(room->picked, a->n, rng);
		double mean_a = mean_of(a->v, room->picked, a->n);
		if (!paired)
			pick(room->picked, b->n, rng);
		double mean_b = mean_of(b->v, room->picked, b->n);
		room->drawn[i] = mean_a > 0 ? mean_b / mean_a : (double)INFINITY;
	}
	qsort(room->drawn, PAIR_DRAWS, sizeof(*room->drawn), by_value);
}

static int
set_bootstrap(const struct sample *a, const struct sample *b, bool paired, uint64_t seed,
	double tail, struct stats_range *ratio, struct err *err)
{
	struct rng rng;
	struct room room = {calloc(PAIR_DRAWS, sizeof(*room.drawn)),
		calloc(a->n > b->n ? a->n : b->n, sizeof(*room.picked))};
	int rc = 0;
	if (!room.drawn || !room.picked) {
		rc = err_nomem(err);
	} else {
		size_t out = (size_t)(tail * PAIR_DRAWS); /* draws below, and above, the interval */
		rng_seed(&rng, seed);
		bootstrap(a, b, paired, &rng, &room);
		ratio->lo = fmin(ratio->value, room.drawn[out]);
		ratio->hi = fmax(ratio->value, room.drawn[PAIR_DRAWS - 1 - out]);
	}
	free(room.drawn);
	free(room.picked);
	return rc;
}

int
pair_ratio(struct pair_slices a, struct pair_slices b, bool paired, uint64_t seed,
	struct stats_range *ratio, struct err *err)
{
	struct sample sa, sb;
	*ratio = (struct stats_range){NAN, NAN, NAN};
	if (!sample_of(a, &sa) || !sample_of(b, &sb) || !(sa.mean > 0))
		return 0;
	ratio->value = sb.mean / sa.mean;
	size_t fewest = a.n < b.n ? a.n : b.n;
	if (fewest < (paired ? 2 : 3) || !(sb.mean > 0))
		return 0;
	struct spread s = paired ? spread_paired(&sa, &sb) : spread_apart(&sa, &sb);
	if (!(s.error > 0)) { /* all slices alike */
		ratio->lo = ratio->hi = ratio->value;
		return 0;
	}
	double t = pair_student(s.df);
	if (fewest < PAIR_BOOTSTRAP_MIN) {
		ratio->lo = ratio->value * exp(-t * s.error);
		ratio->hi = ratio->value * exp(t * s.error);
		return 0;
	}
	double tail = erfc(t * s.error / s.plain_error / sqrt(2)) / 2;
	return set_bootstrap(&sa, &sb, paired, seed, tail, ratio, err);
}

/* Half-width of an interval on the logarithmic scale; NaN when there is none. */
static double
log_half_width(struct stats_range r)
{
	return r.lo > 0 && r.hi >= r.lo ? log(r.hi / r.lo) / 2 : (double)NAN;
}

struct stats_range
pair_ratio_of_ranges(struct stats_range a, struct stats_range b)
{
	struct stats_range ratio = {NAN, NAN, NAN};
	if (!(a.value > 0) || !(b.value >= 0))
		return ratio;
	ratio.value = b.value / a.value;
	double half = hypot(log_half_width(a), log_half_width(b));
	if (isnan(half))
		return ratio;
	ratio.lo = ratio.value * exp(-half);
	ratio.hi = ratio.value * exp(half);
	return ratio;
}

int
pair_side(const struct stats_range *ratio)
{
	return ratio->lo > 1 ? 1 : ratio->hi < 1 ? -1 : 0;
}
