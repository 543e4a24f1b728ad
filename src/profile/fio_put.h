/*
 * fio_put.h - members of a fio result, written: numbers, latencies, one direction.  Internal to
 * profile.
 */
#ifndef PROFILE_FIO_PUT_H
#define PROFILE_FIO_PUT_H

#include <stddef.h>

#include "base/buf.h"

enum { FIO_PERCENTILES = 5 }; /* 50 90 95 99 99.9 */

/* A latency object; NaN: not known. */
struct fio_latency {
	double n, mean_us, sd_us, min_us, max_us;
	double percentile_us[FIO_PERCENTILES];
	const double *bins_us, *bins_n; /* ascending */
	size_t n_bins;
};

struct fio_direction {
	double bs_b, n, runtime_s, iops;
	const double *slice_iops;
	size_t n_slices;
	struct fio_latency slat, clat, lat;
};

/* Nothing known. */
struct fio_direction fio_direction_none(void);

/* `"name": value`, with a comma before it when it is not the first of its object; what is not known
 * is 0, as fio writes it. */
void fio_put_whole(struct buf *out, const char *name, double v);
void fio_put_number(struct buf *out, const char *name, double v);
void fio_put_text(struct buf *out, const char *name, const char *text);
/* An option is text, whatever its value. */
void fio_put_option(struct buf *out, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* `"name": {` on a line of its own; the caller closes it. */
void fio_put_open(struct buf *out, const char *name, const char *indent);

void fio_put_latency(struct buf *out, const char *name, const struct fio_latency *l);
void fio_put_direction(struct buf *out, const char *name, const struct fio_direction *s);

#endif /* PROFILE_FIO_PUT_H */
