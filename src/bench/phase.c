#include "bench/phase.h"

/* In the order they are run. */
const struct phase *const phases[] = {
	&phase_layout,
	&phase_cache,
	&phase_ladder,
	&phase_sizes,
	&phase_commits,
	&phase_mix,
	&phase_ladder_again,
	&phase_load,
	&phase_compress,
	&phase_readahead,
	&phase_hold,
};

const size_t n_phases = sizeof(phases) / sizeof(phases[0]);
