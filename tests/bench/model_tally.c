#include "model_tally.h"

#include <math.h>
#include <stdlib.h>

void
tally_add(struct tally *t, const struct estimate *predicted, double measured)
{
	if (!(measured > 0))
		return;
	if ((t->n & (t->n - 1)) == 0) {
		double *errors = realloc(t->errors, (t->n ? 2 * t->n : 1) * sizeof(*errors));
		if (!errors)
			abort();
		t->errors = errors;
	}
	t->errors[t->n++] = fabs(predicted->value / measured - 1);
	t->inside += measured >= predicted->lo && measured <= predicted->hi;
}

void
tally_free(struct tally *t)
{
	free(t->errors);
	*t = (struct tally){0};
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double
tally_quantile(struct tally *t, double share)
{
	if (t->n == 0)
		return (double)NAN;
	qsort(t->errors, t->n, sizeof(t->errors[0]), ascending);
	double at = share * (double)(t->n - 1);
	size_t i = (size_t)at;
	if (i + 1 == t->n)
		return t->errors[i];
	return t->errors[i] + (at - (double)i) * (t->errors[i + 1] - t->errors[i]);
}

double
tally_coverage(const struct tally *t)
{
	return t->n ? (double)t->inside / (double)t->n : (double)NAN;
}
