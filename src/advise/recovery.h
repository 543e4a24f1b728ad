/*
 * recovery.h - how long a volume takes to come back on a candidate: the loading, the log applied after
 * it, and the rest.  Hours; MB and MB/s of 10^6.
 *
 * Rule: volumes are loaded at the same time, each at its own rate, and all of them through the
 * machine's MB/s for remote disks; nothing is kept free, for nobody works meanwhile.  So each volume
 * takes the longer of its own time and that of the machine, and the slowest decides: what makes the
 * limit a property of each candidate and of the machine, not of the choice.
 *
 * From a snapshot the rate is the provider's (limits: restore_*), not the MB/s bought; a volume that
 * is loaded by reading it is no faster than its disk either.  A rate that is bought is the
 * provider's own work, which neither disk nor machine bounds.  From a backup volume of the machine
 * every byte is read and written, so it passes the machine's MB/s twice; from the network once, and
 * how fast it comes is not known unless measured.  A log volume is loaded from its snapshot; from a
 * backup its content is the log applied.  Sizes are those at the horizon.
 *
 * Thin here: the machine's bound counts every volume, those loaded at a bought rate too; a copy is as
 * large as what it holds; two copies of a day's log are not told apart.
 */
#ifndef ADVISE_RECOVERY_H
#define ADVISE_RECOVERY_H

#include "advise/candidate.h"

struct recovery {
	bool applies; /* this volume has to come back */
	int source; /* enum workload_source */
	bool assumed; /* the workload does not say */
	double size_mb; /* to load */
	double rate_lo, rate_hi; /* MB/s, without a bought rate; NaN: not known */
	double load_lo_h, load_hi_h; /* at those: at least, at most; NaN: no most is known */
	double paid_mbps, paid_h; /* the highest rate that can be bought; NaN: none */
	double rest_h, rest_least_h; /* after the loading; rest_h NaN: not known */
	double lo_h, hi_h; /* all together, at the rate taken; hi_h NaN: not known */
	bool ready; /* its snapshots can be kept ready, so that nothing is loaded; never counted on: its charge
		       by the hour has no place in a price book */
	bool paid; /* only the bought rate meets the limit, so it is taken */
	double read_ms; /* a read of what is not loaded yet; NaN: not known, or nothing is read early */
	bool machine_binds; /* the loading is bound by the machine, not by the volume */
	int trust; /* enum trust of the loading */
	const char *basis; /* where the rate is from */
	/* not known to meet the limit, nor to miss it: the rate is not known; hi_h may be a longest time */
	bool open;
	const char *gap; /* what is not known and how to find out; NULL: nothing */
};

/* `limit_h` NaN: no promise, then nothing is bought. */
void recovery_of(const struct candidate_site *s, const struct candidate *c, double limit_h,
	struct recovery *out);

/*
 * MB/s that `disks` disks of the tier must do together for the volume to be loaded in time; 0: the limit does
 * not ask for any, or no MB/s would do.
 */
double recovery_need_mbps(const struct candidate_site *s, const struct disk_limit *d, double disks);

/* MB/s that the loading comes to, the machine and the provider counted; NaN: the rate is not known. */
void recovery_rates(const struct recovery *r, double *lo, double *hi);

/* Where it comes from: as given, else the backup volume, else snapshots. */
int recovery_source(const struct workload *w);

/* Log to be applied after the copy, MB: as given, else that of a day at the target rate. */
double recovery_log_mb(const struct workload *w, const struct demand_set *set);

/* Charge for one restore of `size_mb` at the bought rate; NaN: not known. */
double recovery_fee(const struct price_book *book, const struct candidate *c, double size_mb);

#endif /* ADVISE_RECOVERY_H */
