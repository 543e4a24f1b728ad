#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, cap;
	max_align_t data[];
};

static const size_t chunk_b = (size_t)64 << 10;

void
arena_init(struct arena *a, size_t max)
{
	*a = (struct arena){.max = max ? max : (size_t)1 << 30};
}

void
arena_fini(struct arena *a)
{
	for (struct arena_chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	*a = (struct arena){.max = a->max};
}

void *
arena_alloc(struct arena *a, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	if (size > a->max)
		return NULL;
	size = size ? (size + align - 1) / align * align : align;
	if (size > a->max - a->used)
		return NULL;
	struct arena_chunk *c = a->head;
	if (!c || size > c->cap - c->used) {
		size_t cap = size > chunk_b ? size : chunk_b;
		c = calloc(1, sizeof(*c) + cap);
		if (!c)
			return NULL;
		c->cap = cap;
		c->next = a->head;
		a->head = c;
	}
	void *p = (char *)c->data + c->used;
	c->used += size;
	a->used += size;
	return p;
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return NULL;
	return arena_alloc(a, n * size);
}

char *
arena_strndup(struct arena *a, const char *text, size_t n)
{
	size_t len = strnlen(text, n);
	char *copy = arena_alloc(a, len + 1);
	if (copy && len)
		memcpy(copy, text, len);
	return copy;
}

char *
arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *text = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
	if (text)
		vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

void *
arena_grow(struct arena *a, void *items, size_t n, size_t size)
{
	if (n && (n & (n - 1)) != 0)
		return items;
	size_t cap = n ? n * 2 : 1;
	void *bigger = arena_array(a, cap, size);
	if (bigger && n)
		memcpy(bigger, items, n * size);
	return bigger;
}
