/*
 * constraint.h - what a configuration must do: a row each, with the function that checks it and the
 * sentence that says both numbers.
 *
 * The first group is checked for one volume's candidate, the second for a whole choice on a machine.
 * A cap holds when (1 - headroom) x cap >= demand: headroom is the share of every cap kept free.
 * A latency or a time to restore that is not known never meets a limit: the sentence then says what to
 * measure.  Burst figures never count.
 */
#ifndef ADVISE_CONSTRAINT_H
#define ADVISE_CONSTRAINT_H

#include "advise/candidate.h"
#include "advise/search.h"
#include "model/db.h"

enum constraint_id {
	/* of a candidate */
	CONSTRAINT_CAPACITY,
	CONSTRAINT_REDUNDANCY,
	CONSTRAINT_MACHINE_TAKES, /* premium storage, Ultra and Premium SSD v2 support */
	CONSTRAINT_IOPS,
	CONSTRAINT_MBPS,
	CONSTRAINT_BURST, /* a short peak: burst.h */
	CONSTRAINT_WINDOW,
	CONSTRAINT_RULES,
	CONSTRAINT_READ_P99,
	CONSTRAINT_WRITE_P99,
	CONSTRAINT_COMMIT_P99,
	CONSTRAINT_RTO, /* recovery.h */
	CONSTRAINT_PRICE,
	/* of a choice on a machine */
	CONSTRAINT_VM_IOPS,
	CONSTRAINT_VM_MBPS,
	CONSTRAINT_VM_CACHED_IOPS,
	CONSTRAINT_VM_CACHED_MBPS,
	CONSTRAINT_VM_DISKS,
	CONSTRAINT_TPS,
	CONSTRAINT_TX_P99,
	CONSTRAINT_RPO, /* lag of the standbys */
	CONSTRAINT_COUNT
};

#define CONSTRAINT_BIT(id) (1U << (id))

extern const struct names constraint_names; /* capacity redundancy ... tx-p99 */

/* What the database does on a choice. */
struct tx_answer {
	double max_tps, max_tps_lo, max_tps_hi; /* all clients, back to back */
	double at_tps; /* of the latencies: the target when it is steady, else max_tps */
	const char *limit, *next; /* what binds, and what would without it; next NULL: not known */
	double next_frac; /* how much more then */
	struct estimate commit_mean_ms, commit_p99_ms, tx_mean_ms, tx_p99_ms;
	bool after_checkpoint; /* they are those right after a checkpoint */
	double fast_disk_tps, fast_disk_gain_frac, commits_per_flush;
	int fast_disk_stage; /* enum db_stage that binds then; -1: not known */
	const char *fast_disk_limit; /* the same in words; NULL */
	double log_kib; /* of a transaction, page images included */
	double flushes_per_s; /* of the log at at_tps, background ones too; NaN: it shares the data's volume */
	struct db_use use[DB_STAGE_COUNT];
	const char *stages[DB_STAGE_COUNT]; /* in words; static */
	struct db_replication replication;
};

/* The answer of one constraint. */
struct breach {
	int constraint; /* enum constraint_id; -1: none */
	bool applies, broken;
	double need, have; /* asked and present, in `unit`; for latencies limit and prediction */
	double best; /* what `have` may be at the good end of its interval; NaN: unknown */
	double margin_frac; /* share of the limit left; negative when broken; NaN: no number */
	const char *unit, *text;
};

/* Check one constraint of a candidate.  ctx holds policy_facts() of it (may be NULL: no text). */
struct breach constraint_check(enum constraint_id id, const struct candidate_site *s,
	const struct candidate *c, const struct rule_context *ctx);

/* By what share of the limit a breach is over it, or the demand over what is there; INFINITY: no number. */
double constraint_over(const struct breach *b);
/* The most of the constraints in `bits`, in no words. */
double constraint_most_over(
	const struct candidate_site *s, const struct candidate *c, unsigned bits);

/* Set c->broken (and the policy's findings) from every constraint of a candidate.  ctx holds
 * policy_facts() of the volume, and afterwards those of the candidate too. */
void constraint_check_all(
	const struct candidate_site *s, struct candidate *c, struct rule_context *ctx);

/* Families with caps of their own that are kept account of; of further ones the caps are not checked. */
enum { CAP_FAMILIES = 3 };

/* The machine's shared caps, in the order of search_item.use. */
enum machine_cap {
	CAP_UNCACHED_IOPS, /* remote disks without Ultra and Premium SSD v2 */
	CAP_UNCACHED_MBPS,
	CAP_REMOTE_IOPS, /* every remote disk: the Ultra column where there is one */
	CAP_REMOTE_MBPS,
	CAP_CACHED_IOPS, /* host-cached and temporary disks */
	CAP_CACHED_MBPS,
	CAP_DISKS,
	CAP_TEMP_GIB, /* space of the temporary disk */
	CAP_NVME_GIB, /* of the NVMe disks inside the machine: space, I/Os, throughput */
	CAP_NVME_IOPS,
	CAP_NVME_MBPS,
	/* families whose disks on one machine share a cap (limits: shared_on_machine), the first few */
	CAP_FAMILY_IOPS,
	CAP_FAMILY_MBPS = CAP_FAMILY_IOPS + CAP_FAMILIES,
	CAP_COUNT = CAP_FAMILY_MBPS + CAP_FAMILIES
};
_Static_assert((int)CAP_COUNT == (int)SEARCH_CAPS, "a use for every cap");

/* What may be used of each cap of a machine (NULL: none named) among the provider's limits: headroom
 * taken off; INFINITY where none is known. */
void constraint_machine_caps(const struct limits *limits, const struct vm_limit *vm,
	double headroom, double cap[CAP_COUNT]);
/* Space is there or not: no relaxation makes more of it. */
bool constraint_cap_is_space(size_t cap);
/* The constraint that a shared cap belongs to. */
enum constraint_id constraint_of_cap(size_t cap);
/* Bits of all constraints that are caps of the machine. */
unsigned constraint_cap_bits(void);
/* What a candidate uses of them at its volume's demand. */
void constraint_machine_use(
	const struct candidate_site *s, const struct candidate *c, double use[CAP_COUNT]);

/* The shared cap that `used` exceeds by most, of those whose constraint is not in `relaxed`; constraint -1 when
 * all hold. */
struct breach constraint_machine_check(const struct limits *limits, const struct vm_limit *vm,
	double headroom, const double used[CAP_COUNT], unsigned relaxed, struct arena *a);

/*
 * The transaction promises against a prediction; `relaxed` bits are not checked.  A lag of the standbys
 * that is not known breaks nothing here: no other disk would make it known.
 */
struct breach constraint_tx_check(const struct workload_sla *sla, double target_tps,
	const struct tx_answer *r, unsigned relaxed, struct arena *a);

#endif /* ADVISE_CONSTRAINT_H */
