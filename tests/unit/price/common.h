/* Shared by the price tests: the shipped books from the source tree, and small documents of our own. */
#ifndef TEST_PRICE_COMMON_H
#define TEST_PRICE_COMMON_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "price/bill.h"
#include "price/book.h"
#include "price/limits.h"

/* A file of the source tree ($TIERWISE_SOURCE, set by ctest). */
static inline const char *
source_path(struct arena *a, const char *relative)
{
	const char *source = getenv("TIERWISE_SOURCE");
	return arena_printf(a, "%s/%s", source ? source : ".", relative);
}

static inline void
load_book(struct arena *a, const char *relative, struct price_book *book)
{
	struct err err = {0};
	if (price_book_load(source_path(a, relative), a, book, NULL, &err))
		fail_msg("%s", err.text);
}

static inline void
load_limits(struct arena *a, const char *relative, struct limits *limits)
{
	struct err err = {0};
	if (limits_load(source_path(a, relative), a, limits, NULL, &err))
		fail_msg("%s", err.text);
}

/* Write text to a new temporary file; the caller unlinks path. */
static inline void
write_temporary(const char *text, char path[64])
{
	snprintf(path, 64, "/tmp/tierwise-price-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static inline void
assert_close(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
		fail_msg("got %.12g, want %.12g", got, want);
}

#endif /* TEST_PRICE_COMMON_H */
