/*
 * fio_job.h - one job object of a fio document, read but not judged, and several made one.
 *
 * Units follow the keys that are there: "lat_ns" is nanoseconds, "lat" (fio before 3.0)
 * microseconds.  Latencies come out as microseconds.  NaN is "not recorded": fio prints 0 for that.
 * Internal to profile.
 */
#ifndef PROFILE_FIO_JOB_H
#define PROFILE_FIO_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json.h"
#include "profile/fio_sound.h"

enum fio_side_kind { FIO_READ, FIO_WRITE, FIO_SYNC, FIO_SIDE_COUNT };

/* One line of a json+ histogram. */
struct fio_bin {
	double us, count;
};

/* What one direction did. */
struct fio_side {
	double ios, bytes, iops, mibps, runtime_s;
	bool ios_inferred; /* fio counts none though there are bytes: from rate, time and bytes */
	bool completion_only; /* "lat" is missing, mean and ends are those of "clat" */
	double short_ios, dropped_ios;
	double n; /* samples behind the latencies */
	double mean_us, sd_us, min_us, max_us; /* submission to completion ("lat") */
	double submit_us; /* mean time inside submission ("slat") */
	double q_us[FIO_QUANTILE_COUNT];
	double q_lo_us[FIO_QUANTILE_COUNT],
		q_hi_us[FIO_QUANTILE_COUNT]; /* range over merged jobs */
	const char *q_of; /* "clat" or "lat": which latency the quantiles are of; NULL: none */
	/* contradicts the rest, and is NaN above; of merged sides only what their sum contradicts */
	struct fio_left_out left_out;
	bool q_approximate; /* merged without bins */
	bool q_ceiling; /* one sits at the end of fio's histogram */
	struct fio_bin *bins; /* ascending, as fio_job_read() gave them; NULL without json+ */
	size_t n_bins;
};

/* Histograms of several jobs made one: ascending, each latency once. */
struct fio_bins {
	struct fio_bin *items; /* owned */
	size_t n;
};

/* Option texts as fio prints them; the job's win over the global ones. */
struct fio_options {
	struct jval global, job; /* node NULL when the document has none */
};

struct fio_job {
	const char *name, *host; /* host: client/server only */
	double group, error;
	struct fio_options options;
	struct fio_side side[FIO_SIDE_COUNT];
	const char
		*odd[FIO_SIDE_COUNT]; /* figures that no job can have, for a message; NULL: none */
	double trim_ios, mixed_ios;
	double cpu_frac; /* usr + sys, of one processor */
	double accounted_frac; /* share of the I/O in fio's latency distribution; NaN: not recorded */
	int steady; /* steady state asked for: 1 attained, 0 not; -1 not asked */
};

/* The option's text, "" when it was given without a value, NULL when it was not given or is no text. */
const char *fio_option(const struct fio_options *o, const char *name);
/* What it says, for a message, in the arena; NULL when it was not given. */
const char *fio_option_shown(const struct fio_options *o, const char *name, struct arena *a);
/* 1 or 0; -1 when not given. */
int fio_option_flag(const struct fio_options *o, const char *name);
/* fio writes every value as text; files that were edited have numbers too. */
/* A whole decimal number (leading zeros are decimal too); NaN when not given or no number. */
double fio_option_count(const struct fio_options *o, const char *name);
/* Bytes of one of fio's size words for reads (0) or writes (1): "4k", "4KB", "8k,16k"; NaN when
 * unknown.  In fio "k" is 1024, and "Ki" is 1000 unless kb_base is 1000. */
double fio_option_size(const struct fio_options *o, const char *name, int part);

/* Read one element of "jobs" or "client_stats".  Names are copied to the arena, bins to `scratch`,
 * option values borrow from the documents.  false when memory is out. */
bool fio_job_read(struct jval job, struct jval global, struct arena *a, struct arena *scratch,
	struct fio_job *out);

/*
 * One side from those of n jobs that ran together, whose bins were added to `bins`: rates add, means
 * weigh by samples, quantiles come from the joint bins when every job has them; otherwise q_us is a
 * weighted mean, and the true value lies between q_lo_us and q_hi_us (a mixture's quantile lies
 * between those of its parts).  n_bins of the result tells whether `bins` is its histogram; bins is
 * not set when n > 1.
 */
void fio_side_merge(const struct fio_side *const *sides, size_t n, const struct fio_bins *bins,
	struct fio_side *out);

/* Add n ascending bins.  false when memory is out, and nothing was added. */
bool fio_bins_add(struct fio_bins *into, const struct fio_bin *more, size_t n);
void fio_bins_fini(struct fio_bins *b);

/* The quantile at fraction p by nearest rank: of N samples, the smallest of which at least p x N are
 * no larger.  NaN without bins. */
double fio_bins_quantile_us(const struct fio_bin *bins, size_t n, double p);

#endif /* PROFILE_FIO_JOB_H */
