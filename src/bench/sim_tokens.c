#include "bench/sim_tokens.h"

#include <math.h>

void
sim_tokens_init(struct sim_tokens *t, double per_s, double saved_s, double slice_ms)
{
	*t = (struct sim_tokens){.cost_ns = per_s > 0 ? 1e9 / per_s : 0,
		.saved_ns = saved_s * 1e9,
		.slice_ns = slice_ms * 1e6};
}

double
sim_tokens_take(struct sim_tokens *t, double at_ns, double n)
{
	if (t->cost_ns <= 0)
		return at_ns;
	double start = fmax(at_ns, t->next_ns - t->saved_ns);
	if (t->slice_ns > 0)
		start = fmax(at_ns, floor(start / t->slice_ns) * t->slice_ns);
	t->next_ns = fmax(t->next_ns, at_ns) + n * t->cost_ns;
	return start;
}
