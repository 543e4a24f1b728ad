#include "profile/fio_warn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

enum { PLACES_NAMED = 4 };

void
fio_warnings_file(struct fio_warnings *w)
{
	w->n_file = 0;
	w->codes[0] = '\0';
}

static void
note_code(struct fio_warnings *w, const struct fio_trouble *t)
{
	if (t->severity == SEVERITY_NOTE)
		return;
	w->n_file++;
	size_t len = strlen(w->codes), room = sizeof(w->codes) - len;
	const char *seen = strstr(w->codes, t->code);
	size_t code = strlen(t->code);
	while (seen && ((seen != w->codes && seen[-1] != ' ') || (seen[code] && seen[code] != ',')))
		seen = strstr(seen + 1, t->code);
	if (!seen && code + 3 < room)
		snprintf(w->codes + len, room, "%s%s", len ? ", " : "", t->code);
}

static struct fio_warning *
find(struct fio_warnings *w, const struct fio_trouble *t)
{
	for (size_t i = 0; i < w->n; i++) {
		if (w->items[i].trouble == t)
			return &w->items[i];
	}
	struct fio_warning *items = arena_grow(w->arena, w->items, w->n, sizeof(*items));
	if (!items)
		return NULL;
	w->items = items;
	w->items[w->n] = (struct fio_warning){.trouble = t};
	return &w->items[w->n++];
}

void
fio_warn(struct fio_warnings *w, const struct fio_trouble *t, const char *place, const char *fmt,
	...)
{
	note_code(w, t);
	struct fio_warning *item = find(w, t);
	if (!item)
		return;
	item->n++;
	if (item->n > 1) {
		if (item->n <= PLACES_NAMED)
			item->more = arena_printf(w->arena, "%s%s%s", item->more ? item->more : "",
				item->more ? ", " : "", place);
		return;
	}
	struct buf text;
	buf_init(&text, 2048);
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	item->text = arena_printf(w->arena, "%s: %s", place, buf_text(&text));
	buf_fini(&text);
}

void
fio_warnings_put(const struct fio_warnings *w, struct findings *out)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct fio_warning *item = &w->items[i];
		const struct fio_trouble *t = item->trouble;
		if (!item->text)
			continue;
		if (item->n == 1)
			findings_add(out, t->severity, t->code, t->todo, "%s", item->text);
		else
			findings_add(out, t->severity, t->code, t->todo,
				"%s; the same in %zu more: %s%s", item->text, item->n - 1,
				item->more ? item->more : "",
				item->n > PLACES_NAMED ? ", ..." : "");
	}
}
