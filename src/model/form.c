/*
 * form.c - the table of curve forms, and what they share.
 */
#include "model/form.h"

#include <math.h>

#include "model/disk.h"

const struct form *const forms[] = {
	&form_three, &form_power, &form_two, &form_size_1, &form_size_2};
const size_t n_forms = sizeof(forms) / sizeof(forms[0]);

const struct form *
form_of(int model_form)
{
	static const struct form *const table[] = {
		[MODEL_FORM_THREE] = &form_three,
		[MODEL_FORM_POWER] = &form_power,
		[MODEL_FORM_TWO] = &form_two,
		[MODEL_FORM_CONSTANT] = NULL,
	};
	_Static_assert(sizeof(table) / sizeof(table[0]) == MODEL_FORM_COUNT, "every form");
	return model_form >= 0 && model_form < MODEL_FORM_COUNT ? table[model_form] : NULL;
}

double
form_pnorm(double p, double ln_a, double ln_b, double *share)
{
	double top = fmax(ln_a, ln_b);
	double a = exp(p * (ln_a - top)), b = exp(p * (ln_b - top));
	if (share)
		*share = a / (a + b);
	return top + log(a + b) / p;
}

double
form_max_rate(const struct form_data *d)
{
	double best = 0;
	for (size_t i = 0; i < d->n; i++)
		best = fmax(best, d->x[i] / d->t[i]);
	return best;
}
