/*
 * steady.h - whether a load that did not change got the same from the disk all the time: burst
 * credits that run out, a write cache that fills, a throttle, a slow drift, a disk that hung.
 *
 * Input is completions per bucket (250 ms) since the load began.  The verdict, the first that holds:
 *
 * too-short  fewer than 12 buckets, or too few completions for 12 wider ones of 4 each
 * noisy      two levels that come and go, or the same course again and again, a second or longer a
 *            turn and apart by more than the grain of a bucket (1.5 times the depth), where neither
 *            one change nor a straight line explains half of the variance
 * drifting   a straight line that ends at least a tenth from where it began fits better than the
 *            best single change, and its slope is no chance
 * dropped, rose  the level changed (bench/change.h) and the last one is at least a tenth below
 *            (above) the first; reported is the largest change
 * noisy      changes that made up for each other; no completion for a second; a coefficient of
 *            variation above 30 %; or the last five rounds are not in the steady state
 * stable     none of these
 *
 * Steady state (SNIA Solid State Storage Performance Test Specification, "steady state"): over five
 * rounds the largest and smallest differ by at most 20 % of their average, and the straight line
 * through them rises or falls by at most 10 % of it.  A round is 10 s, in a series of less than
 * 50 s a fifth of it.
 *
 * Pure: no clock, no I/O.
 */
#ifndef BENCH_STEADY_H
#define BENCH_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/names.h"
#include "bench/load.h"
#include "bench/stats.h"
#include "profile/profile.h"

#define STEADY_BUCKET_S 0.25
enum { STEADY_BUCKETS_MIN = 12 };

enum steady_verdict {
	STEADY_STABLE,
	STEADY_DROPPED,
	STEADY_ROSE,
	STEADY_DRIFTING,
	STEADY_NOISY,
	STEADY_TOO_SHORT,
	STEADY_COUNT
};

extern const struct names steady_names; /* as in the profile */

/* Rates are completions per second; NaN: not known or not there. */
struct steady {
	enum steady_verdict verdict;
	double rate; /* median of all */
	size_t changes; /* of level */
	double change_s; /* the largest; of a noisy series too */
	struct stats_range before, after; /* the levels on its two sides, 95 % */
	/* At the end over at the start: of the levels where they changed, of the line where it drifts,
	 * else of the medians of the last and the first fifth. */
	double end_over_start;
	double after_cv_frac; /* spread of the level after the change */
	double cv_frac; /* spread about the levels or the line */
	double lag1; /* autocorrelation of the noise */
	double range_frac, slope_frac, round_s; /* of the last five rounds */
	/* Levels that come and go: the lower and upper one and how long a turn takes. */
	bool alternates;
	double low, high, turn_s;
	double hung_s, hung_from_s; /* longest time without a completion, from a second on */
	double ios_before; /* completions before the change; of all where there is none */
};

/*
 * `together`: completions that may come at one moment, the depth: levels that come and go must lie
 * further apart than the grain this gives a bucket.  ERR_NOMEM.  n may be 0.
 */
int steady_judge(const uint32_t *ios, size_t n, double bucket_s, double together,
	struct steady *out, struct err *err);

/* What the load was, for the words. */
struct steady_about {
	int op; /* enum profile_op */
	double bs_b, qd;
	bool first_write; /* the blocks had never been written */
};

/*
 * A series as the profile keeps it, judged, with the likely reason in words.  *judged may be NULL.
 * Everything is in the arena.  ERR_NOMEM.
 */
int steady_series(const struct load_series *series, const struct steady_about *about,
	struct arena *a, struct profile_series *out, struct steady *judged, struct err *err);

/* The reason alone; NULL: no memory. */
const char *steady_why(const struct steady *s, const struct steady_about *about, struct arena *a);

/*
 * Add what a report must repeat: code "PREFIX-dropped", "-rose", "-drifting", "-noisy" or
 * "-too-short", the sentence "WHAT: WHY", and what to do next.  Nothing when it was stable.
 */
void steady_say(struct findings *f, const char *prefix, const char *what, const struct steady *s,
	const struct steady_about *about, const char *why);

#endif /* BENCH_STEADY_H */
