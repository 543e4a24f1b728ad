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
	buf_init(&text, 0); /* the parts are bounded */
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

/* A finding has 4,096 bytes: of places with long names only those are named that fit. */
static void
put_one(const struct import_warning *item, struct findings *out)
{
	enum { TEXT_B = 3000, PLACES_B = 3900 };
	const struct import_trouble *t = item->trouble;
	size_t used = strlen(item->text), named = 1;
	struct buf more;
	if (item->n == 1) {
		findings_add(out, t->severity, t->code, t->todo, "%.*s", TEXT_B, item->text);
		return;
	}
	buf_init(&more, 0);
	used = used < TEXT_B ? used : TEXT_B;
	for (; named < item->n && named < IMPORT_PLACES; named++) {
		const char *place = item->places[named];
		if (used + more.len + strlen(place) > PLACES_B)
			break;
		buf_printf(&more, "%s%s", named > 1 ? ", " : "", place);
	}
	findings_add(out, t->severity, t->code, t->todo, "%.*s; the same in %zu more: %s%s", TEXT_B,
		item->text, item->n - 1, buf_text(&more),
		item->n == named ? ""
		: named > 1      ? ", ..."
				 : "...");
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
