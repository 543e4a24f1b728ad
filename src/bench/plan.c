#include "bench/plan.h"

#include <math.h>

#include "bench/bench.h"

const unsigned plan_depths[PLAN_DEPTHS] = {1, 2, 4, 8, 16, 32};

const double plan_pass1_frac = 0.38;
const double plan_wal_frac = 0.22;

static const double SLICE_S = 0.25, SLICE_MIN_S = 0.1;
static const double RAMP_S = 0.02;
static const double OVERHEAD_S = 0.02; /* looking at counters, draining */
static const double SLICES_MOST = 2400; /* each keeps a histogram: bounds the memory */
static const uint64_t MIB_B = 1 << 20;

struct plan
plan_make(double time_s, size_t n_cells)
{
	struct plan p = {
		.layout_s = time_s * 0.12, .layout_most_s = time_s * 0.4, .ramp_s = RAMP_S};
	double pass_s = (time_s - p.layout_s) * plan_pass1_frac;
	double fits_s = pass_s / (2 * fmax(1, (double)n_cells)) - RAMP_S - OVERHEAD_S;
	p.slice_s = fmin(SLICE_S, fmax(SLICE_MIN_S, fits_s));
	p.slice_s = fmax(p.slice_s, time_s / SLICES_MOST);
	return p;
}

void
plan_shuffle(size_t *order, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = (size_t)rng_below(rng, i + 1);
		order[i] = order[j];
		order[j] = i;
	}
}

uint64_t
plan_file_b(uint64_t asked_b, uint64_t spare_b, uint64_t max_write_b)
{
	uint64_t most = asked_b ? asked_b : BENCH_FILE_MAX_B;
	uint64_t room = spare_b - spare_b / 8; /* the log grows behind the file */
	most = most < room ? most : room;
	most = most < max_write_b / 2 ? most : max_write_b / 2;
	most -= most % MIB_B;
	return most >= BENCH_FILE_MIN_B ? most : 0;
}
