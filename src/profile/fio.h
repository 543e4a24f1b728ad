/*
 * fio.h - fio results (JSON and json+) into a profile.
 *
 * Written for fio 3.x.  Documents of 2.x are read too where they hold the same figures in
 * microseconds and KiB; what their missing options would have said is inferred and flagged, and a
 * job whose kind cannot be told is refused.  Several files become one profile: repeated runs stay
 * cells of their own.  A job of writes alone with fsync=1, fdatasync=1 or sync=dsync|sync becomes an
 * entry of profile.syncs, every other job a cell a direction.
 */
#ifndef PROFILE_FIO_H
#define PROFILE_FIO_H

#include "profile/profile.h"

enum {
	FIO_FILE_MAX_MIB = 256, /* largest file read */
	FIO_JOBS_MAX = 4096 /* job objects in one document */
};

struct fio_import; /* lives in the arena */

/* What became of one file. */
struct fio_file {
	size_t n_cells, n_syncs;
	size_t n_refused; /* jobs that gave nothing */
	size_t n_warnings;
	const char *codes; /* of the warnings: "little-law, short-run"; "" when there are none */
};

/* Start: *p is cleared, and filled by the files that follow.  NULL when memory is out. */
struct fio_import *fio_import_new(struct profile *p, struct arena *a);

/*
 * Add the results in text[n]; `name` becomes the source of its cells.  ERR_PARSE when it is no fio
 * result (the message says what it looks like), ERR_UNSUPPORTED when none of its jobs can be used
 * (the message gives the first reason), ERR_NOMEM.
 */
int fio_import_text(struct fio_import *im, const char *name, const char *text, size_t n,
	struct fio_file *file, struct err *err);
/* The same from `path` ("-": standard input); also ERR_IO, ERR_RANGE (too large). */
int fio_import_file(struct fio_import *im, const char *path, const char *name,
	struct fio_file *file, struct err *err);

/* End: cells sorted by operation, block size, mix and depth; findings, tool and dates set. */
int fio_import_finish(struct fio_import *im, struct err *err);

#endif /* PROFILE_FIO_H */
