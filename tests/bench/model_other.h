/*
 * model_other.h - the same for block sizes (bs_sweeps.csv) and for latency at a rate
 * (openloop_diskplorer_decoded.csv).
 */
#ifndef TESTS_MODEL_OTHER_H
#define TESTS_MODEL_OTHER_H

#include "model_tally.h"

struct size_tallies {
	struct tally path, law; /* what predict answers; the fitted form alone */
};

/* Every size but the smallest and the largest of each sweep of five sizes or more, left out in turn.
 * SATA SSDs, and NVMe from 4 KiB.  false: the file cannot be read. */
bool other_sizes(struct size_tallies *sata, struct size_tallies *nvme);

struct rate_tallies {
	struct tally path, law; /* predict at the rate; L0/(1 - c rate) by least squares */
};

/*
 * Medians of reads alone at each offered rate.  The points with one or more outstanding (rate x
 * latency) are given to the model as if a closed loop had measured them; each interior rate is left
 * out and asked for.
 */
bool other_rates(struct rate_tallies *t);

#endif /* TESTS_MODEL_OTHER_H */
