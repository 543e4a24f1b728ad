/*
 * latency.h - how fast a candidate answers: the base latency of its tier joined with its own caps.
 *
 * A measured profile given for the exact SKU beats one for the family, which beats one for the role;
 * each of them beats the shipped profiles (SKU, then family).  Buying IOPS never lowers the latency
 * at depth 1: the curve's light end comes from the model alone, the caps only bend its loaded end.
 *
 * Reads and writes each meet the share of the disk that all of the demand takes, on a curve of their own
 * (model/db_disk.h), streams as I/Os of 1 MiB.
 *
 * Thin here: a host cache is credited with no hits; the rate of a stripe is spread evenly.
 */
#ifndef ADVISE_LATENCY_H
#define ADVISE_LATENCY_H

#include "advise/advise.h"
#include "advise/demand.h"

struct latency {
	const struct disk_model
		*model; /* NULL: no profile speaks for this tier, or nothing to time */
	const char *source; /* name and source of the profile */
	struct estimate read_mean, read_p99, write_mean, write_p99; /* us, at the demanded rate */
	struct estimate commit_mean, commit_p99; /* us, one writer */
	/* what a transaction meets at its target rate (tx_volume.h): one page read beside the other reads and,
	 * where write-back comes in no bursts, the writes */
	struct estimate tx_read_mean, tx_read_p99; /* us */
	double used, used_front,
		used_back; /* share of the disks' caps: all, reads, background; NaN */
	int trust; /* enum trust: the weakest of what is known */
	const char *unknown; /* why something is unknown, what to measure; NULL: nothing is */
};

/* The model for a candidate, or NULL. */
const struct advise_model *latency_model(
	const struct advise_input *in, const char *family, const char *sku, const char *role);

struct latency_ask {
	const struct disk_limit *disk;
	const struct demand *demand;
	const struct disk_caps *caps;
	double commit_kib;
};

/*
 * Fill *out for `disk` under `caps` at the volume's demand.  The wall of a profile counts only for the
 * very size it was measured on; a tier whose rate is bought, and any other size, has its caps instead.  commit_kib: size of a log
 * write; NaN: commits do not matter here.  What cannot be predicted has value NaN and a reason.
 */
void latency_predict(const struct advise_model *m, const struct latency_ask *ask, struct arena *a,
	struct latency *out);

bool latency_known(const struct estimate *e);

#endif /* ADVISE_LATENCY_H */
