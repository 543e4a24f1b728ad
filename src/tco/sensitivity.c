#include "tco/sensitivity.h"

#include <math.h>

#include "tco/goal.h"

struct one {
	sensitivity_fn f;
	const void *context;
	size_t input;
};

static double
of_one(double x, void *context)
{
	const struct one *o = context;
	return o->f(o->context, o->input, x);
}

static struct sensitivity_row
measure(const struct sensitivity_input *in, struct one *o)
{
	struct sensitivity_row row = {.input = o->input, .zero_at = NAN};
	row.at_low = of_one(in->low, o);
	row.at_high = of_one(in->high, o);
	row.swing = fabs(row.at_high - row.at_low);
	double interval[2] = {fmin(in->low, in->high), fmax(in->low, in->high)};
	double zero;
	if (goal_seek(of_one, o, 0, interval, &zero, NULL) == 0)
		row.zero_at = zero;
	return row;
}

/* Wider, with an unknown swing narrower than any. */
static int
wider(const struct sensitivity_row *a, const struct sensitivity_row *b)
{
	return isnan(b->swing) ? !isnan(a->swing) : a->swing > b->swing;
}

void
sensitivity_tornado(const struct sensitivity_input *inputs, size_t n, sensitivity_fn f,
	const void *context, struct sensitivity_row *rows)
{
	for (size_t i = 0; i < n; i++) {
		struct one o = {f, context, i};
		struct sensitivity_row row = measure(&inputs[i], &o);
		size_t j = i;
		for (; j > 0 && wider(&row, &rows[j - 1]); j--)
			rows[j] = rows[j - 1];
		rows[j] = row;
	}
}
