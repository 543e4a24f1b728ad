/*
 * breaks.c - where IOPS over block size break: the strip of an array, the knee of two quotas.
 */
#include <math.h>

#include "model/nls.h"
#include "model/sizes.h"

enum { MAX_SIZES = 64 };

/* Best straight line of ln y over ln x. */
struct line {
	double at, slope, rss; /* ln y = at + slope ln x */
};

static struct line
line_of(const double *x, const double *y, size_t n)
{
	double mx = 0, my = 0, sxx = 0, sxy = 0;
	struct line l = {0, 0, 0};
	for (size_t i = 0; i < n; i++) {
		mx += log(x[i]) / (double)n;
		my += log(y[i]) / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		sxx += (log(x[i]) - mx) * (log(x[i]) - mx);
		sxy += (log(x[i]) - mx) * (log(y[i]) - my);
	}
	l.slope = sxx > 0 ? sxy / sxx : 0;
	l.at = my - l.slope * mx;
	for (size_t i = 0; i < n; i++) {
		double r = log(y[i]) - l.at - l.slope * log(x[i]);
		l.rss += r * r;
	}
	return l;
}

static double
criterion(double rss, double n, double k)
{
	/* below 1 % a point is not told from the curve by any data: the floor keeps ln finite */
	return n * log(fmax(rss, n * 1e-4) / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

/* Sum of squares of a smooth law over the first n sizes; its time per I/O at bs_b[n]. */
static double
smooth_rss(const struct form *form, const double *bs_b, const double *iops, size_t n, double *next)
{
	double time_us[MAX_SIZES];
	struct nls_result r;
	for (size_t i = 0; i < n; i++)
		time_us[i] = 1e6 / iops[i];
	struct nls_problem p = {.form = form, .data = {bs_b, time_us, n}};
	if (nls_fit(&p, &r, NULL))
		return INFINITY;
	if (next)
		*next = exp(form->value(r.theta, bs_b[n], NULL));
	return r.rss;
}

static double
best_smooth(const double *bs_b, const double *iops, size_t n)
{
	return fmin(smooth_rss(&form_size_1, bs_b, iops, n, NULL),
		smooth_rss(&form_size_2, bs_b, iops, n, NULL));
}

double
sizes_strip_b(const double *bs_b, const double *iops, size_t n, double *jump)
{
	/* a + b bs before, a line after, and the place of the break are five numbers */
	if (n < 7 || n > MAX_SIZES)
		return (double)NAN;
	double smooth = best_smooth(bs_b, iops, n);
	for (size_t at = 3; at + 2 <= n; at++) {
		double expected_us = (double)NAN;
		double left = smooth_rss(&form_size_1, bs_b, iops, at, &expected_us);
		*jump = iops[at] * expected_us * 1e-6;
		if (!(*jump > 1.3))
			continue;
		/* the first size that is far faster than the smaller ones foretell */
		double rss = left + line_of(bs_b + at, iops + at, n - at).rss;
		bool better = criterion(rss, (double)n, 5) < criterion(smooth, (double)n, 2) - 4;
		return better ? bs_b[at - 1] : (double)NAN;
	}
	return (double)NAN;
}

bool
sizes_break(const double *bs_b, const double *iops, size_t n, struct size_break *b)
{
	if (n < 6 || n > MAX_SIZES)
		return false;
	double best = INFINITY;
	struct line left = {0, 0, 0}, right = {0, 0, 0};
	size_t at = 0;
	for (size_t i = 3; i + 3 <= n; i++) {
		struct line l = line_of(bs_b, iops, i), r = line_of(bs_b + i, iops + i, n - i);
		if (l.rss + r.rss >= best)
			continue;
		best = l.rss + r.rss;
		left = l;
		right = r;
		at = i;
	}
	/* two lines are four numbers, as the specification counts them */
	if (criterion(best, (double)n, 4) >=
		criterion(best_smooth(bs_b, iops, n), (double)n, 2) - 4)
		return false;
	double meet = exp((right.at - left.at) / (left.slope - right.slope));
	/* between the pieces, a grid step more on either side */
	if (!(left.slope > right.slope && meet >= bs_b[at - 2] && meet <= bs_b[at + 1]))
		return false;
	size_t before = at - 2;
	while (bs_b[before + 1] < meet)
		before++;
	*b = (struct size_break){meet, bs_b[before], bs_b[before + 1]};
	return true;
}
