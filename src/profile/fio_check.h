/*
 * fio_check.h - a measured point, and everything that is doubtful about it.  Internal to profile.
 */
#ifndef PROFILE_FIO_CHECK_H
#define PROFILE_FIO_CHECK_H

#include "profile/fio_setup.h"
#include "profile/import_warn.h"

/* One measured point: a job, or several of one group made one. */
struct fio_point {
	const char *place; /* for messages; in the arena */
	struct fio_setup setup;
	struct fio_side side[FIO_SIDE_COUNT];
	const struct fio_bins *bins; /* of each side whose n_bins says that it has some */
	double jobs, qd;
	bool qd_inferred;
	double mix_read_frac; /* NaN: one direction only */
	double little_ratio; /* both directions and the syncs together */
	double runtime_min_s, runtime_max_s; /* over merged jobs */
	double cpu_frac; /* busiest job */
	double util_frac; /* busiest device in the file; NaN: not recorded */
	double accounted_frac; /* least of the jobs; NaN: not recorded */
	int steady;
	double trim_ios;
};

/* Say which figures of a job no job can have, and which its own row contradicts: all are left out. */
void fio_check_job(const struct fio_job *job, const char *place, struct import_warnings *w);

/* Say everything doubtful about the point. */
void fio_check(const struct fio_point *p, struct import_warnings *w);

#endif /* PROFILE_FIO_CHECK_H */
