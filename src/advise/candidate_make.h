/*
 * candidate_make.h - between the kinds of candidates: each maker is one file, candidate.c walks the
 * table of makers and finishes what they add (latency, I/O units, price).
 */
#ifndef ADVISE_CANDIDATE_MAKE_H
#define ADVISE_CANDIDATE_MAKE_H

#include "advise/candidate.h"

/* Most disks of one stripe. */
enum { CANDIDATE_STRIPE_MAX = 8 };

/* The list of one volume on one machine, while it is made. */
struct candidate_work {
	const struct candidate_site *site;
	struct candidate_list *out;
	const struct demand
		*missed; /* the demand without host cache hits; NULL: none are counted on */
	struct candidate_memo *memo;
};

/* A kind: which rows of the limits it makes candidates of (NULL: of the machine itself, once). */
struct candidate_maker {
	bool (*takes)(const struct disk_limit *d);
	int (*make)(struct candidate_work *w, const struct disk_limit *d, struct err *err);
};

extern const struct candidate_maker candidate_step; /* candidate_size.c: P30, E10, S4 */
extern const struct candidate_maker candidate_sized; /* the same: gp2, st1, Persistent Disk, ESSD */
extern const struct candidate_maker
	candidate_bought; /* Premium SSD v2, Ultra, gp3, io2, Hyperdisk */
extern const struct candidate_maker candidate_local; /* temporary and NVMe disks of the machine */

/* Does a maker make candidates of this row? */
bool candidate_takes(const struct disk_limit *d);

/* Nothing bought, no cache, one disk, remote; the rest absent. */
void candidate_clear(struct candidate *c, const struct disk_limit *d, const char *title);

/* Its latency, I/O units and price.  Nothing that it is made of may change afterwards. */
int candidate_finish(struct candidate_work *w, struct candidate *c, struct err *err);
/* Finish it and take it into the list. */
int candidate_add(struct candidate_work *w, struct candidate *c, struct err *err);
/* candidate_memo.c: set its latency and its price, each worked out once for all that are alike. */
int candidate_memo_latency(struct candidate_memo *m, const struct candidate_site *s,
	struct candidate *c, struct err *err);
int candidate_memo_price(struct candidate_memo *m, const struct candidate_site *s,
	struct candidate *c, struct err *err);
/* The demand without the share of its reads that a host cache answers (cache_hit_frac), or NULL. */
int candidate_memo_missed(struct candidate_memo *m, const struct candidate_site *s,
	const struct demand **missed, struct err *err);

/* Take a finished one into the list. */
int candidate_take(struct candidate_work *w, const struct candidate *c, struct err *err);

/* Largest stripe of the machine's data disks. */
size_t candidate_stripes(const struct candidate_site *s);
/* Smallest size of each of `disks` disks that holds the volume; NaN: the tier has none so large. */
double candidate_size_gib(const struct candidate_site *s, const struct disk_limit *d, double disks);
/* The redundancy asked for where the tier has it, else its first. */
const char *candidate_redundancy(const struct candidate_site *s, const struct disk_limit *d);
/* IOPS and MB/s each of `disks` disks must sustain: demand over what may be used of a cap. */
double candidate_rate_each(const struct candidate_site *s, double demand, double disks);

#endif /* ADVISE_CANDIDATE_MAKE_H */
