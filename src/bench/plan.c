#include "bench/plan.h"

#include <math.h>

#include "bench/bench.h"

const unsigned plan_depths[PLAN_DEPTHS] = {1, 2, 4, 8, 16, 32, 64, 128};

const size_t plan_sizes_b[PLAN_SIZES] = {512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10,
	32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20,
	16 << 20, 32 << 20};

const double plan_ramp_s = 0.02;

static const double SLICE_S = 0.25, SLICE_MIN_S = 0.1, SLICE_MAX_S = 1;
static const double OVERHEAD_S = 0.02; /* looking at counters, draining */
static const double P99_SAMPLES = 1020, SETTLED_SLICES = 6;
static const uint64_t MIB_B = 1 << 20;

double
plan_slice_s(double time_s, double weight, double rate)
{
	double fits_s = time_s / (2 * fmax(1, weight)) - plan_ramp_s - OVERHEAD_S;
	double wanted_s = SLICE_S;
	if (rate > 0)
		wanted_s = fmin(SLICE_MAX_S, fmax(SLICE_S, P99_SAMPLES / SETTLED_SLICES / rate));
	return fmin(wanted_s, fmax(SLICE_MIN_S, fits_s));
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
