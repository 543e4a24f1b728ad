#include "base/hist.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Relative slack for a rank that should be whole: fractions such as 0.9 are not exact. */
static const double rounding = 1e-12;

void
hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min_ns = INT64_MAX;
	h->max_ns = -1;
}

struct hist_packed *
hist_pack(const struct hist *h, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < HIST_BINS; i++)
		n += h->bins[i] > 0;
	struct hist_packed *p = arena_alloc(a, sizeof(*p) + n * sizeof(p->bins[0]));
	if (!p)
		return NULL;
	p->n = h->n;
	p->min_ns = h->min_ns;
	p->max_ns = h->max_ns;
	p->sum_ns = h->sum_ns;
	p->sum2_ns = h->sum2_ns;
	for (size_t i = 0; i < HIST_BINS; i++) {
		if (h->bins[i] == 0)
			continue;
		uint32_t count = h->bins[i] < UINT32_MAX ? (uint32_t)h->bins[i] : UINT32_MAX;
		p->bins[p->n_bins++] = (struct hist_count){(uint32_t)i, count};
	}
	return p;
}

void
hist_merge_packed(struct hist *into, const struct hist_packed *from)
{
	into->n += from->n;
	into->sum_ns += from->sum_ns;
	into->sum2_ns += from->sum2_ns;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	for (size_t i = 0; i < from->n_bins; i++)
		into->bins[from->bins[i].bin] += from->bins[i].n;
}

size_t
hist_bin(int64_t ns)
{
	if (ns < 1 << (HIST_BITS + 1))
		return ns < 0 ? 0 : (size_t)ns;
	if (ns >= (int64_t)1 << HIST_TOP)
		return HIST_BINS - 1;
	int octave = 63 - __builtin_clzll((unsigned long long)ns) - HIST_BITS;
	return ((size_t)octave << HIST_BITS) + (size_t)(ns >> octave);
}

static size_t
octave(size_t bin)
{
	return bin < 1 << (HIST_BITS + 1) ? 0 : (bin >> HIST_BITS) - 1;
}

double
hist_bin_low_ns(size_t bin)
{
	size_t at = octave(bin);
	size_t within = (bin & ((1 << HIST_BITS) - 1)) + (1 << HIST_BITS);
	return bin < 1 << (HIST_BITS + 1) ? (double)bin : (double)(within << at);
}

double
hist_bin_mid_ns(size_t bin)
{
	return hist_bin_low_ns(bin) + (double)(((size_t)1 << octave(bin)) - 1) / 2;
}

void
hist_add_n(struct hist *h, int64_t ns, uint64_t count)
{
	if (count == 0)
		return;
	if (ns < 0)
		ns = 0;
	h->n += count;
	h->bins[hist_bin(ns)] += count;
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->sum_ns += (double)ns * (double)count;
	h->sum2_ns += (double)ns * (double)ns * (double)count;
}

void
hist_add(struct hist *h, int64_t ns)
{
	hist_add_n(h, ns, 1);
}

/* From low_ns on, that many values are within what was added before and beyond the linear bins. */
struct usual {
	uint64_t low_ns, n;
};

static struct usual
usual_range(const struct hist *h)
{
	const int64_t linear = 1 << HIST_BITS, top = ((int64_t)1 << HIST_TOP) - 1;
	int64_t low_ns = h->min_ns > linear ? h->min_ns : linear;
	int64_t high_ns = h->max_ns < top ? h->max_ns : top;
	uint64_t n = high_ns < low_ns ? 0 : (uint64_t)(high_ns - low_ns) + 1;
	return (struct usual){(uint64_t)low_ns, n};
}

/*
 * The exponent of a double and the first HIST_BITS of its fraction are the bin, but for a constant:
 * fewer steps than looking for the highest bit, and the double is needed for the sums anyway.  What
 * moves the smallest or the largest goes the long way.
 */
void
hist_add_all(struct hist *h, const int64_t *ns, size_t n)
{
	enum { FRACTION_BITS = 52, BIAS = 1023 };
	const uint64_t first = (uint64_t)(BIAS + HIST_BITS - 1) << HIST_BITS;
	struct usual usual = usual_range(h);
	uint64_t sum_ns = 0; /* n of less than 2^HIST_TOP */
	double sum2_ns = 0;
	size_t unusual = 0;
	assert(n < (size_t)1 << (64 - HIST_TOP));
	for (size_t i = 0; i < n; i++) {
		if ((uint64_t)ns[i] - usual.low_ns >= usual.n) {
			hist_add(h, ns[i]);
			usual = usual_range(h);
			unusual++;
			continue;
		}
		double v = (double)ns[i];
		uint64_t bits;
		memcpy(&bits, &v, sizeof(bits));
		h->bins[(bits >> (FRACTION_BITS - HIST_BITS)) - first]++;
		sum_ns += (uint64_t)ns[i];
		sum2_ns += v * v;
	}
	h->n += n - unusual;
	h->sum_ns += (double)sum_ns;
	h->sum2_ns += sum2_ns;
}

void
hist_merge(struct hist *into, const struct hist *from)
{
	if (from->n == 0)
		return;
	into->n += from->n;
	for (size_t i = 0; i < HIST_BINS; i++)
		into->bins[i] += from->bins[i];
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->sum_ns += from->sum_ns;
	into->sum2_ns += from->sum2_ns;
}

double
hist_mean_ns(const struct hist *h)
{
	return h->n ? h->sum_ns / (double)h->n : (double)NAN;
}

double
hist_sd_ns(const struct hist *h)
{
	if (h->n < 2)
		return NAN;
	double n = (double)h->n, mean = h->sum_ns / n;
	double var = (h->sum2_ns - n * mean * mean) / (n - 1);
	return var > 0 ? sqrt(var) : 0;
}

/* The value whose rank (1-based) is `rank`. */
static double
at_rank(const struct hist *h, double rank)
{
	double seen = 0;
	size_t bin = 0;
	for (; bin < HIST_BINS - 1; bin++) {
		seen += (double)h->bins[bin];
		if (seen >= rank)
			break;
	}
	double v = hist_bin_mid_ns(bin);
	if (v < (double)h->min_ns || rank <= 1)
		v = (double)h->min_ns;
	if (v > (double)h->max_ns || rank >= (double)h->n)
		v = (double)h->max_ns;
	return v;
}

double
hist_quantile_ns(const struct hist *h, double p)
{
	if (h->n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	/* 7/200 x 200 is a little above 7 in binary: not rank 8 */
	double rank = ceil(p * (double)h->n * (1 - rounding));
	return at_rank(h, rank < 1 ? 1 : rank);
}

void
hist_quantile_interval_ns(const struct hist *h, double p, double *lo_ns, double *hi_ns)
{
	double n = (double)h->n;
	*lo_ns = *hi_ns = NAN;
	if (h->n == 0 || !(p >= 0 && p <= 1) || n * (1 - p) < 10 * (1 - rounding))
		return;
	double half = 1.96 * sqrt(n * p * (1 - p));
	double lo = floor(n * p - half), hi = ceil(n * p + half);
	*lo_ns = at_rank(h, lo < 1 ? 1 : lo);
	*hi_ns = at_rank(h, hi > n ? n : hi);
}
