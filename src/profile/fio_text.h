/*
 * fio_text.h - find the fio result inside whatever a file holds.
 *
 * fio prints error messages, human output or status lines before, between and after its JSON, and
 * its strings escape only quotes and backslashes.  The document starts at an object whose first
 * name is "fio version"; the last whole one counts.  Internal to profile.
 */
#ifndef PROFILE_FIO_TEXT_H
#define PROFILE_FIO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { FIO_DEPTH_MAX = 64, FIO_AROUND = 160 };

struct fio_text {
	char *json; /* the document, made fit for a strict parser; owned */
	size_t len;
	size_t offset; /* where it starts in the file, bytes */
	size_t n_documents; /* whole ones in the file */
	bool cut; /* another document in the file never ends */
	bool interrupted; /* fio said that a signal ended it */
	char around[FIO_AROUND]; /* start of the other text, on one line; "" when there is none */
};

/*
 * Find the document in text[n].  On success release with fio_text_fini().  ERR_PARSE says what the
 * file is instead: empty, human or terse output, another JSON document, cut at a byte, nested too
 * deep; ERR_NOMEM.
 */
int fio_text_find(const char *text, size_t n, struct fio_text *out, struct err *err);
void fio_text_fini(struct fio_text *t);

#endif /* PROFILE_FIO_TEXT_H */
