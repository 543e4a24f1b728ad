#include "base/finding.h"

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"

static const char *const table[] = {
	[SEVERITY_NOTE] = "note",
	[SEVERITY_WARNING] = "warning",
	[SEVERITY_ERROR] = "error",
};
_Static_assert(sizeof(table) / sizeof(table[0]) == SEVERITY_COUNT, "a name for every severity");

const struct names severity_names = {"severity", table, SEVERITY_COUNT};

static const struct schema_field fields[] = {
	FIELD_WORD(struct finding, severity, &severity_names, true, "how much it matters"),
	FIELD_TEXT(struct finding, code, true, "stable name of the kind of finding"),
	FIELD_TEXT(struct finding, text, true, "the sentence, with values and units"),
	FIELD_TEXT(struct finding, todo, false, "what to do next"),
};

const struct schema finding_schema = SCHEMA_PART("finding", struct finding, fields);

void
findings_init(struct findings *f, struct arena *a)
{
	*f = (struct findings){.arena = a};
}

void
findings_add(struct findings *f, enum severity severity, const char *code, const char *todo,
	const char *fmt, ...)
{
	struct buf text;
	buf_init(&text, 4096);
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	struct finding *items = arena_grow(f->arena, f->items, f->n, sizeof(*items));
	char *copy = arena_strdup(f->arena, buf_text(&text));
	buf_fini(&text);
	if (!items)
		return;
	f->items = items;
	f->items[f->n++] = (struct finding){
		.severity = (int)severity,
		.code = arena_strdup(f->arena, code),
		.text = copy,
		.todo = todo ? arena_strdup(f->arena, todo) : NULL,
	};
}

const struct finding *
findings_find(const struct findings *f, const char *code)
{
	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->items[i].code, code) == 0)
			return &f->items[i];
	}
	return NULL;
}
