/*
 * err.h - errors: a code that decides the exit status, and one line of text for a person.
 *
 * A function that can fail takes `struct err *err` last (NULL is fine) and returns 0 or a code.
 * The text names the place, the value and the accepted range; callers add context while unwinding.
 * Libraries never print and never exit; cli prints the text once (cli/exit.h maps codes).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stddef.h>

enum err_code {
	ERR_OK,
	ERR_IO, /* a system call or file failed */
	ERR_NOMEM, /* memory, or a stated maximum size, exhausted */
	ERR_NUMERIC, /* a fit or solver did not converge */
	ERR_NET, /* network or remote service */
	ERR_PARSE, /* malformed input text (path:line:column) */
	ERR_RANGE, /* a value outside its accepted range */
	ERR_USAGE, /* wrong use of the command line */
	ERR_NOT_FOUND, /* something named does not exist */
	ERR_UNSUPPORTED, /* understood, but cannot be done with this input or machine */
	ERR_REFUSED, /* a safety rule says no */
	ERR_BUDGET, /* budget or policy exceeded */
	ERR_INFEASIBLE, /* no candidate meets the SLA */
	ERR_PRICE, /* a price is unknown or ambiguous */
	ERR_STALE, /* the price book is older than allowed */
	ERR_INCONCLUSIVE, /* the measurement does not decide */
	ERR_INTERRUPTED, /* a signal ended the work */
	ERR_COUNT
};

struct err {
	enum err_code code;
	char text[1024]; /* cut with "..." when longer */
};

/* Store code and text in *err and return the code. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* ERR_IO from an errno value (positive): "what: strerror". */
int err_sys(struct err *err, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "context: " in front of the text and return the code already stored (ERR_IO if err is NULL).
 */
int err_context(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ERR_NOMEM with a standard sentence. */
int err_nomem(struct err *err);

#endif /* BASE_ERR_H */
