/*
 * fio_warn.h - what is wrong with imported jobs, one finding a kind however many jobs share it.
 * Internal to profile.
 */
#ifndef PROFILE_FIO_WARN_H
#define PROFILE_FIO_WARN_H

#include "base/finding.h"
#include "profile/fio_setup.h"

/* A kind of trouble: stable code, how much it matters, what to do about it. */
struct fio_trouble {
	enum severity severity;
	const char *code;
	const char *todo; /* NULL: nothing */
};

struct fio_warning {
	const struct fio_trouble *trouble;
	const char *text; /* of the first time, with its place */
	const char *more; /* places of the next few times */
	size_t n;
};

struct fio_warnings {
	struct arena *arena;
	struct fio_warning *items;
	size_t n;
	size_t n_file; /* warnings and errors since fio_warnings_file() */
	char codes[256]; /* of those, each once, with commas */
};

/* A new file begins. */
void fio_warnings_file(struct fio_warnings *w);
/* place: file, and job when that needs saying. */
void fio_warn(struct fio_warnings *w, const struct fio_trouble *trouble, const char *place,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* One finding an item. */
void fio_warnings_put(const struct fio_warnings *w, struct findings *out);

/* One measured point: a job, or several of one group made one. */
struct fio_point {
	const char *place; /* for messages */
	struct fio_setup setup;
	struct fio_side side[FIO_SIDE_COUNT];
	double jobs, qd;
	bool qd_inferred;
	double mix_read_frac; /* NaN: one direction only */
	double little_ratio; /* both directions and the syncs together */
	double runtime_min_s, runtime_max_s; /* over merged jobs */
	double cpu_frac; /* busiest job */
	double util_frac; /* busiest device in the file; NaN: not recorded */
	int steady;
	double trim_ios;
};

/* Say everything doubtful about the point. */
void fio_check(const struct fio_point *p, struct fio_warnings *w);

#endif /* PROFILE_FIO_WARN_H */
