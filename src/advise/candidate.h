/*
 * candidate.h - every configuration a volume could have on one machine, with its price and latency.
 *
 * A stripe is 1 to 8 disks; of more than the machine attaches it breaks vm-disks.  Each kind has its maker
 * (candidate_make.h):
 * - fixed sizes (P30, E10): each that holds the volume, larger ones too, because size buys IOPS; host
 *   cache None and ReadOnly; the free higher level (performance plus) where the documents give one;
 *   the level of a larger size (performance tier) where that size itself would not do; bursting on
 *   demand where a short peak is asked for that the size does not sustain;
 * - what follows the size (gp2, st1, Persistent Disk): the size of the data, and the least that
 *   reaches the rate;
 * - what is bought (Premium SSD v2, Ultra, gp3, io2): the least IOPS, MB/s and size that meet the
 *   demand with headroom, and where a latency is promised the least that keeps it (all monotone); as it
 *   comes, nothing bought, where that is cheaper;
 *   stripes where one disk falls short or the allowance of each saves stripe_saving_frac;
 * - the machine's own disks, temporary and NVMe.
 * Superseded rows never.  ReadWrite cache is never offered: it loses writes with the machine.
 */
#ifndef ADVISE_CANDIDATE_H
#define ADVISE_CANDIDATE_H

#include "advise/latency.h"
#include "advise/search.h"

enum candidate_place {
	PLACE_REMOTE, /* counts against the machine's uncached caps */
	PLACE_REMOTE_ULTRA, /* against its Ultra / Premium SSD v2 caps, where it has separate ones */
	PLACE_LOCAL, /* temporary disk: against the cached and temp caps */
};

struct candidate {
	const struct disk_limit *disk;
	const struct disk_limit
		*raised; /* fixed sizes: whose level and price it has; NULL: its own */
	bool plus; /* at the free higher level */
	bool burst; /* bursting on demand switched on: for a short peak only, never counted as sustained */
	const char *title; /* what people call it: "P30", "Ultra Disk" */
	int place; /* enum candidate_place */
	double size_gib, billed_gib, disks;
	double bought_iops, bought_mbps; /* per disk; NaN for fixed tiers */
	double iops, mbps; /* sustained by the whole stripe; NaN: not documented */
	const char *host_cache, *redundancy;
	bool cache_allowed; /* the tier, the size and the machine can use one */
	bool nvme; /* PLACE_LOCAL: an NVMe disk of the machine, not its temporary disk */
	/* what reaches its disks: the demand without the reads that a host cache answers, where it is
	 * known how many; NULL: all of it */
	const struct demand *at_disk;
	double units; /* I/Os per second it must count for that; NaN: unknown */
	double host_units; /* the same with the reads that the host cache answers */
	double monthly; /* one machine; at least, when not priced */
	bool priced;
	const char *price_gap; /* what is missing; NULL: nothing */
	struct latency latency;
	/* filled by constraint_check_all() */
	unsigned broken; /* a bit for each constraint */
	unsigned
		unknown; /* of these, the ones broken only because a latency is unknown or uncertain */
	unsigned
		unmeasured; /* of these, the ones whose latency or time to restore has no figure at all */
	double penalty; /* preferences not met */
	const char *rule_broken; /* id of the first `require` rule it breaks */
};

/* Latencies and prices of one volume, worked out once; lives in the arena.  NULL: no memory. */
struct candidate_memo;
struct candidate_memo *candidate_memo_new(struct arena *a);

/* What a candidate is made for. */
struct candidate_site {
	const struct advise_input *in;
	const struct demand_set *set;
	const struct demand *demand;
	const struct vm_limit *vm; /* NULL: no machine named */
	double commit_kib; /* size of a log write that must be durable here; NaN: none */
	struct arena *arena;
	/* what candidates of this volume on any machine have in common; NULL: nothing is shared */
	struct candidate_memo *memo;
};

struct candidate_list {
	struct candidate *items;
	size_t n;
	size_t made, fit; /* before candidate_drop(): all, and those that break nothing */
	size_t fit_open; /* the same but for times to restore that are not known */
};

/* Room for n pointers to candidates, or NULL. */
const struct candidate **candidate_pointers(struct arena *a, size_t n);

/* ERR_NOMEM. */
int candidate_generate(
	const struct candidate_site *site, struct candidate_list *out, struct err *err);

/* Say which current tiers of the provider, and local disks of the machines named, are not among the
 * candidates, and what is missing. */
void candidate_gaps(const struct advise_input *in, struct findings *findings);

/*
 * Drop what no search can want, once constraint_check_all() has judged every item: a candidate that
 * another of the same stripe of the same size is no worse than in anything that counts, or two others
 * of its family are (two, so that a search without the first still has the second).  The cheapest of
 * each size stays, to be shown.  Nor is a stripe offered that saves less than stripe_saving_frac of the
 * demand against fewer disks of its tier that are no worse in anything: that is a preference, not dominance.  ERR_NOMEM.
 */
int candidate_drop(const struct candidate_site *site, struct candidate_list *list, struct err *err);

/* What reaches its disks: at_disk, or all that the volume demands. */
const struct demand *candidate_demand(const struct candidate_site *site, const struct candidate *c);
/* The host caches its reads. */
bool candidate_is_cached(const struct candidate *c);
/* Space of the machine's NVMe disks together; NaN: none, or not known. */
double candidate_nvme_gib(const struct vm_limit *vm);

/* "P30", "2 x P15", "Ultra Disk of 64 GiB with 3,000 IOPS and 125 MB/s": for sentences. */
const char *candidate_name(const struct candidate *c, struct arena *a);

/* The configuration to bill on `machines` machines. */
struct disk_config candidate_bill_config(
	const struct candidate *c, const struct candidate_site *site, double machines);

#endif /* ADVISE_CANDIDATE_H */
