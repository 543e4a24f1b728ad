/*
 * import.h - results of other programs into a profile: fio (JSON and json+ of every version),
 * pg_test_fsync, ioping.
 *
 * Several files become one profile: repeated runs stay cells of their own.  A format is a row in
 * import.c and a file of its own (import_format.h).
 */
#ifndef PROFILE_IMPORT_H
#define PROFILE_IMPORT_H

#include "profile/profile.h"

struct import; /* lives in the arena */

/* What became of one file. */
struct import_outcome {
	const char *format; /* "fio", "pg_test_fsync", ...; NULL: none of them */
	size_t n_cells, n_syncs;
	size_t n_refused; /* jobs that gave nothing */
	size_t n_warnings;
	const char *codes; /* of the warnings: "little-law, short-run"; "" when there are none */
};

/* Start: *p is cleared, and filled by the files that follow.  NULL when memory is out. */
struct import *import_new(struct profile *p, struct arena *a);

/* Take jobs that ended with an error, too, where they moved data; each is said. */
void import_keep_failed(struct import *im);

/*
 * Add the results in text[n]; `name` becomes the source of its cells.  ERR_PARSE when it is no
 * result (the message says what it looks like and where), ERR_UNSUPPORTED when nothing in it can be
 * used (the message gives the first reason), ERR_RANGE for what is too large, ERR_NOMEM.
 */
int import_text(struct import *im, const char *name, const char *text, size_t n,
	struct import_outcome *out, struct err *err);
/* The same from `path` ("-": standard input), a regular file in little memory; also ERR_IO. */
int import_file(struct import *im, const char *path, const char *name, struct import_outcome *out,
	struct err *err);

/* What tells the disk it ran on: the block device when the results name it, else the device or
 * folder of the file that was read and written; NULL when they name nothing, "" when several. */
const char *import_disk(const struct import *im);
/* Add all that `from` holds, which was made with the same arena and is not finished. */
int import_join(struct import *into, const struct import *from, struct err *err);

/* End: cells sorted by operation, block size, mix and depth; findings, tool and dates set. */
int import_finish(struct import *im, struct err *err);

#endif /* PROFILE_IMPORT_H */
