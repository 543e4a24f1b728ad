/*
 * fio_setup.h - what a job's options say it was to do.  Internal to profile.
 */
#ifndef PROFILE_FIO_SETUP_H
#define PROFILE_FIO_SETUP_H

#include "profile/fio_job.h"

/* Largest iodepth and numjobs that are believed. */
#define FIO_LOAD_MAX 1e6

struct fio_setup {
	bool random;
	double bs_b[2]; /* of reads, of writes; NaN when the options do not say */
	double depth; /* I/O in flight of one job; NaN when there are no options */
	double jobs; /* numjobs; NaN when it cannot be read */
	const char *bs_unread; /* a bs that is no size; NULL: it is one, or was not given */
	const char *bs_varies; /* bsrange or bssplit, which gives no one size; NULL: none */
	const char *load_unread; /* "iodepth=8x" or "numjobs=many"; NULL: all can be read */
	const char *engine; /* NULL: not named; in the arena */
	int direct; /* O_DIRECT: 1, 0; -1 unknown */
	int sync_mode; /* enum profile_sync_mode of every write; -1: none */
	bool commit; /* writes alone, each made durable: what a commit waits for */
	double sync_every; /* writes between syncs when more than 1; NaN: none */
	int pattern; /* enum profile_pattern of the writes; -1: unknown */
	const char *rate; /* option that held the rate down; NULL: none */
	double random_percent; /* share of random I/O when set below 100; NaN: all or none */
	double ignored_depth; /* an iodepth that a one-at-a-time engine ignored; NaN: none */
	bool inferred; /* there were no options: read from names and figures */
};

/*
 * ERR_UNSUPPORTED, with the reason, for a job that no cell can stand for.  Where fio wrote no options
 * (before 2.3) the names of the job and of its file say what it did, as in "randread-4k" and
 * "walfdatasync".  Copies what it keeps to the arena.
 */
int fio_setup_read(const struct fio_job *job, const char *file, struct arena *a,
	struct fio_setup *setup, struct err *err);

#endif /* PROFILE_FIO_SETUP_H */
