#include "profile/import_warn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

void
import_warnings_file(struct import_warnings *w)
{
	w->n_file = 0;
	w->codes[0] = '\0';
}

static void
note_code(struct import_warnings *w, const struct import_trouble *t)
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

static struct import_warning *
find(struct import_warnings *w, const struct import_trouble *t)
{
	for (size_t i = 0; i < w->n; i++) {
		if (w->items[i].trouble == t)
			return &w->items[i];
	}
	struct import_warning *items = arena_grow(w->arena, w->items, w->n, sizeof(*items));
	if (!items)
		return NULL;
	w->items = items;
	w->items[w->n] = (struct import_warning){.trouble = t};
	return &w->items[w->n++];
}

void
import_warn(struct import_warnings *w, const struct import_trouble *t, const char *place,
	const char *fmt, ...)
{
	note_code(w, t);
	struct import_warning *item = find(w, t);
	if (!item)
		return;
	if (item->n < IMPORT_PLACES)
		item->places[item->n] = place;
	if (item->n++ > 0)
		return;
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
import_warnings_join(struct import_warnings *w, const struct import_warnings *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct import_warning *more = &from->items[i];
		struct import_warning *item = find(w, more->trouble);
		if (!item)
			return;
		if (item->n == 0)
			item->text = more->text;
		for (size_t k = 0; k < more->n && k < IMPORT_PLACES; k++) {
			if (item->n + k < IMPORT_PLACES)
				item->places[item->n + k] = more->places[k];
		}
		item->n += more->n;
	}
}

static void
put_one(const struct import_warning *item, struct findings *out)
{
	const struct import_trouble *t = item->trouble;
	struct buf more;
	if (item->n == 1) {
		findings_add(out, t->severity, t->code, t->todo, "%s", item->text);
		return;
	}
	buf_init(&more, 0);
	for (size_t k = 1; k < item->n && k < IMPORT_PLACES; k++)
		buf_printf(&more, "%s%s", k > 1 ? ", " : "", item->places[k]);
	findings_add(out, t->severity, t->code, t->todo, "%s; the same in %zu more: %s%s",
		item->text, item->n - 1, buf_text(&more), item->n > IMPORT_PLACES ? ", ..." : "");
	buf_fini(&more);
}

void
import_warnings_put(const struct import_warnings *w, struct findings *out)
{
	for (size_t i = 0; i < w->n; i++) {
		if (w->items[i].text)
			put_one(&w->items[i], out);
	}
}
