/*
 * import_bytes.h - the bytes of an input, read piece by piece: a regular file's from where they lie, so
 * that its size costs no memory; a pipe's from memory.  Internal to profile.
 */
#ifndef PROFILE_IMPORT_BYTES_H
#define PROFILE_IMPORT_BYTES_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum {
	IMPORT_FILE_MAX_MIB = 4096, /* largest file read */
	IMPORT_PIPE_MAX_MIB = 256 /* largest pipe, held in memory */
};

struct import_bytes {
	const char *path; /* for messages; borrowed */
	uint64_t size;
	const char *text; /* all of it; NULL: read from fd */
	int fd;
	struct buf held;
};

/* Open `path` ("-": standard input).  ERR_IO, ERR_RANGE (too large).  Release with import_bytes_close(),
 * also after an error. */
int import_bytes_open(struct import_bytes *s, const char *path, struct err *err);
/* Bytes that are in memory already; borrowed. */
void import_bytes_text(struct import_bytes *s, const char *text, size_t n);
void import_bytes_close(struct import_bytes *s);

/* Copy n bytes from offset `at`, which must be inside.  ERR_IO, also when the file became shorter. */
int import_bytes_read(
	const struct import_bytes *s, uint64_t at, char *to, size_t n, struct err *err);

#endif /* PROFILE_IMPORT_BYTES_H */
