#include "model/slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SLICES = 10, MOST_SLICES = 4096 };

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double
median(const double *rates, size_t n)
{
	double sorted[MOST_SLICES];
	memcpy(sorted, rates, n * sizeof(sorted[0]));
	qsort(sorted, n, sizeof(sorted[0]), ascending);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Largest rate and standard deviation. */
static double
most(const double *rates, size_t n, double *sd)
{
	double sum = 0, sum2 = 0, top = 0;
	for (size_t i = 0; i < n; i++) {
		sum += rates[i];
		top = fmax(top, rates[i]);
	}
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		sum2 += (rates[i] - mean) * (rates[i] - mean);
	*sd = n > 1 ? sqrt(sum2 / (double)(n - 1)) : 0;
	return top;
}

bool
slices_plateaus(const double *rates, size_t n, struct plateaus *t)
{
	if (n < LEAST_SLICES || n > MOST_SLICES)
		return false;
	size_t first = (n + 9) / 10, half = n / 2;
	double sd, early = median(rates, first), late = median(rates + n - half, half);
	double top = most(rates + n - half, half, &sd);
	if (!(late > 0 && early > 1.1 * late && early > top && early > late + 3 * sd))
		return false;
	*t = (struct plateaus){early, late};
	return true;
}
