#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

__attribute__((format(printf, 2, 0))) static void
put(struct err *err, const char *fmt, va_list ap)
{
	int n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	if (n >= (int)sizeof(err->text))
		memcpy(err->text + sizeof(err->text) - 4, "...", 4);
	/* quoted from somebody's file, and printed on a terminal */
	printable(err->text, true);
}

int
err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	if (!err)
		return (int)code;
	va_list ap;
	va_start(ap, fmt);
	err->code = code;
	put(err, fmt, ap);
	va_end(ap);
	return (int)code;
}

int
err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	if (!err)
		return ERR_IO;
	va_list ap;
	va_start(ap, fmt);
	err->code = ERR_IO;
	put(err, fmt, ap);
	va_end(ap);
	size_t len = strlen(err->text);
	char reason[128];
	snprintf(err->text + len, sizeof(err->text) - len, ": %s",
		strerror_r(errnum, reason, sizeof(reason)));
	return ERR_IO;
}

int
err_context(struct err *err, const char *fmt, ...)
{
	if (!err)
		return ERR_IO;
	struct err outer = {.code = err->code};
	va_list ap;
	va_start(ap, fmt);
	put(&outer, fmt, ap);
	va_end(ap);
	size_t len = strlen(outer.text);
	snprintf(outer.text + len, sizeof(outer.text) - len, ": %.*s", 900, err->text);
	*err = outer;
	return (int)err->code;
}

int
err_nomem(struct err *err)
{
	return err_set(err, ERR_NOMEM, "out of memory");
}
