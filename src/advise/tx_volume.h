/*
 * tx_volume.h - the disks of a choice as the log and the data volume of the database solver.
 *
 * A volume of the workload takes its part of what the transactions do: in proportion to its own demand at
 * the target rate, so that at that rate each disk carries exactly its demand, given or derived.  Several
 * data volumes answer together: the slowest of them, the fullest of them.
 *
 * In two ways, which agree at the target rate: from what each candidate was found to do there (tx_measure(),
 * for the search, which asks very often and drops what is worse in every figure), and by asking the curves
 * at every rate (for the plan).
 */
#ifndef ADVISE_TX_VOLUME_H
#define ADVISE_TX_VOLUME_H

#include "advise/candidate.h"
#include "model/db_disk.h"

/* One disk's part of a volume. */
struct tx_part {
	const struct demand *demand;
	const struct latency *latency;
	struct db_disk disk;
	struct db_loads
		of; /* the transactions at the target rate, all volumes; zero without a rate */
	double share; /* of the data volumes, where the transactions make no such load */
	double z; /* how far off the disk's latencies are taken to be (spread.h); 0: not at all */
};

struct tx_side {
	struct tx_part parts[SEARCH_MAX_VOLUMES];
	size_t n;
	struct db_volume volume;
};

/* c->latency.tx_* and used*: what this candidate does at the target rate. */
void tx_measure(const struct candidate_site *s, struct candidate *c);

/* Begin a side; then its candidates; then the volume that answers, by the curves or by the figures. */
void tx_side_clear(struct tx_side *side);
/* host_cached: the host answers its share of the reads of this choice (tx.c). */
void tx_side_add(struct tx_side *side, const struct candidate_site *s, const struct candidate *c,
	bool host_cached, double z);
void tx_side_close(struct tx_side *side, bool by_curves);

#endif /* ADVISE_TX_VOLUME_H */
