/*
 * buf.h - text that grows, with a maximum chosen at birth.
 *
 * The buffer owns its bytes until buf_fini().  Writing past the maximum or out of memory sets
 * `failed` and drops the write; check it once at the end with buf_check().
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct buf {
	char *text; /* NUL-terminated once anything was written; NULL before */
	size_t len; /* bytes without the NUL */
	size_t cap;
	size_t max;
	bool failed;
};

/* max: most bytes the text may take; 0 means 64 MiB. */
void buf_init(struct buf *b, size_t max);
void buf_fini(struct buf *b);

void buf_put(struct buf *b, const char *text);
void buf_putn(struct buf *b, const char *bytes, size_t n);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* The text, "" when nothing was written. */
const char *buf_text(const struct buf *b);

/* 0, or ERR_NOMEM when any write was dropped. */
int buf_check(const struct buf *b, struct err *err);

#endif /* BASE_BUF_H */
