#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){.max = max ? max : (size_t)64 << 20};
}

void
buf_fini(struct buf *b)
{
	free(b->text);
	*b = (struct buf){.max = b->max};
}

static bool
reserve(struct buf *b, size_t extra)
{
	if (b->failed)
		return false;
	if (extra > b->max || b->len > b->max - extra) {
		b->failed = true;
		return false;
	}
	size_t need = b->len + extra + 1;
	if (need <= b->cap)
		return true;
	size_t cap = b->cap ? b->cap : 256;
	while (cap < need)
		cap *= 2;
	char *text = realloc(b->text, cap);
	if (!text) {
		b->failed = true;
		return false;
	}
	b->text = text;
	b->cap = cap;
	return true;
}

void
buf_putn(struct buf *b, const char *bytes, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->text + b->len, bytes, n);
	b->len += n;
	b->text[b->len] = '\0';
}

void
buf_put(struct buf *b, const char *text)
{
	buf_putn(b, text, strlen(text));
}

void
buf_putc(struct buf *b, char c)
{
	buf_putn(b, &c, 1);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	char small[256];
	int n = vsnprintf(small, sizeof(small), fmt, ap);
	if (n >= 0 && (size_t)n < sizeof(small)) {
		buf_putn(b, small, (size_t)n);
	} else if (n < 0) {
		b->failed = true;
	} else if (reserve(b, (size_t)n)) {
		vsnprintf(b->text + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

const char *
buf_text(const struct buf *b)
{
	return b->text ? b->text : "";
}

int
buf_check(const struct buf *b, struct err *err)
{
	if (!b->failed)
		return 0;
	return err_set(err, ERR_NOMEM, "text longer than %zu bytes, or out of memory", b->max);
}
