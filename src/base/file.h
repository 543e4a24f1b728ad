/*
 * file.h - whole files: read with a size limit, write aside and rename, SHA-256.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum { FILE_SHA256_TEXT = 65 }; /* 64 hex digits and the NUL */

/*
 * Append the whole of `path` ("-" is standard input) to *text.  ERR_IO, or ERR_RANGE when larger
 * than the buffer's maximum.  A directory is ERR_IO.
 */
int file_read(const char *path, struct buf *text, struct err *err);

/*
 * Replace `path` by text: written to a file beside it that has no name (where the filesystem can),
 * synced, then put in its place; on failure, and if killed, the old file is untouched and nothing is
 * left.  A link stays one: the file it points to is replaced.  A new file's mode is as the umask
 * says, an old one's is kept.  A FIFO or a terminal is written to; block devices are refused.  "-"
 * writes to standard output.
 */
int file_write(const char *path, const struct buf *text, struct err *err);

/*
 * The same for a regular file of a cache, which can be had again: whole or not there, as before, but nobody
 * waits for the disk, and a crash of the machine may lose it.
 */
int file_keep(const char *path, const struct buf *text, struct err *err);

/*
 * Whether file_write() could write `path` now, found out by making and removing the temporary file
 * it would make; an existing file is not touched, a FIFO or device not opened.
 */
int file_probe(const char *path, struct err *err);

/* Lower-case hex SHA-256 of the bytes. */
void file_sha256(const char *bytes, size_t n, char hex[FILE_SHA256_TEXT]);

bool file_exists(const char *path);

#endif /* BASE_FILE_H */
