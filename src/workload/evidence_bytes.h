/*
 * evidence_bytes.h - files as they come: UTF-16 (Windows tools), marks of byte order and lines that end in CR alone are
 * made plain UTF-8 text; what is compressed or binary is named.
 */
#ifndef WORKLOAD_EVIDENCE_BYTES_H
#define WORKLOAD_EVIDENCE_BYTES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

/*
 * A copy of the bytes as UTF-8 with a NUL behind, in the arena.  ERR_PARSE ("name: ...", with what to do) when it is empty,
 * compressed, or no text: a NUL is in it; ERR_NOMEM.
 */
int evidence_plain_text(const char *name, const char *bytes, size_t n, struct arena *a,
	const char **text, size_t *n_text, struct err *err);

#endif /* WORKLOAD_EVIDENCE_BYTES_H */
