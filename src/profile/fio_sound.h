/*
 * fio_sound.h - percentiles and ends of one latency against each other: what contradicts is left out,
 * never bent until it fits.  Internal to profile.
 *
 * Of N samples at least p x N are no longer than the p quantile and (1 - p) x N no shorter, so that it lies
 * between the ends, ascends with p, and bounds the mean: (1 - p) q + p min <= mean <= p q + (1 - p) max.
 * fio counts in bins a 64th of their latency wide and prints their middle, hence quantiles may be off by
 * that, and by one unit of the file.
 */
#ifndef PROFILE_FIO_SOUND_H
#define PROFILE_FIO_SOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum fio_quantile {
	FIO_P50,
	FIO_P90,
	FIO_P95,
	FIO_P99,
	FIO_P995,
	FIO_P999,
	FIO_P9995,
	FIO_QUANTILE_COUNT
};

extern const double fio_quantile_percent[FIO_QUANTILE_COUNT];

/* Shortest, mean and longest of one latency; NaN: not known. */
struct fio_ends {
	double min_us, mean_us, max_us;
	double step_us; /* unit of the file */
};

enum fio_unsound {
	FIO_SOUND,
	FIO_ABOVE_MAX,
	FIO_BELOW_MIN,
	FIO_ABOVE_MEAN, /* too long for that mean */
	FIO_BELOW_MEAN, /* too short for it */
	FIO_DESCENDS,
	FIO_UNSOUND_COUNT
};

/* What the file says and was left out; a latency NaN: nothing was. */
struct fio_left_out {
	double min_us, max_us; /* ends on the wrong side of the mean */
	double mean_us; /* that mean */
	double q_us[FIO_QUANTILE_COUNT];
	enum fio_unsound why[FIO_QUANTILE_COUNT];
	struct fio_ends ends; /* that the quantiles were held against */
};

void fio_left_out_clear(struct fio_left_out *out);
bool fio_left_out_any(const struct fio_left_out *out);
/* "p99 9 ms is above the longest (5 ms), p50 ..." */
void fio_left_out_text(const struct fio_left_out *out, struct buf *text);

/* Ends on the wrong side of the mean become NaN, and are noted; what rounding put there is the mean. */
void fio_sound_ends(struct fio_ends *e, struct fio_left_out *out);

/* Quantiles that contradict the ends, the mean or each other become NaN, and are noted; of several that
 * do not ascend those are kept that belong to every longest ascending choice.  What rounding put beyond an
 * end, or below the one before, is set to it. */
void fio_sound_quantiles(
	double q_us[FIO_QUANTILE_COUNT], const struct fio_ends *e, struct fio_left_out *out);

#endif /* PROFILE_FIO_SOUND_H */
