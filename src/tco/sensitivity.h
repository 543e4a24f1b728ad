/*
 * sensitivity.h - the tornado: move one input at a time between its low and its high value, the
 * others at base, and rank the inputs by how far they move the result.
 *
 * Thin here: no interactions between inputs and no Monte Carlo; probabilities need the measured
 * distribution of demand and model error, which come with the uncertainty work.
 */
#ifndef TCO_SENSITIVITY_H
#define TCO_SENSITIVITY_H

#include <stddef.h>

/* The result with input number `input` set to `value` and every other one at base. */
typedef double (*sensitivity_fn)(const void *context, size_t input, double value);

struct sensitivity_input {
	double base, low, high;
};

struct sensitivity_row {
	size_t input; /* its number in the array given */
	double at_low, at_high; /* the result; NaN when unknown */
	double swing; /* |at_high - at_low| */
	double zero_at; /* value in [low, high] where the result is zero; NaN: none there */
};

/*
 * Fill rows[0..n-1], widest swing first, unknown swings last; equal swings keep the order of the
 * inputs.
 */
void sensitivity_tornado(const struct sensitivity_input *inputs, size_t n, sensitivity_fn f,
	const void *context, struct sensitivity_row *rows);

#endif /* TCO_SENSITIVITY_H */
