#include "report/render.h"

#include <string.h>

#include "report/renderer.h"

static const struct {
	const char *name;
	const char *suffix;
	render_function *render;
} table[] = {
	[RENDER_TABLE] = {"table", ".txt", render_table},
	[RENDER_JSON] = {"json", ".json", render_json},
	[RENDER_CSV] = {"csv", ".csv", render_csv},
	[RENDER_MD] = {"md", ".md", render_md},
	[RENDER_HTML] = {"html", ".html", render_html},
};
_Static_assert(sizeof(table) / sizeof(table[0]) == RENDER_COUNT, "a row for every format");

static const char *const names[] = {
	[RENDER_TABLE] = "table",
	[RENDER_JSON] = "json",
	[RENDER_CSV] = "csv",
	[RENDER_MD] = "md",
	[RENDER_HTML] = "html",
};
_Static_assert(sizeof(names) / sizeof(names[0]) == RENDER_COUNT, "a name for every format");

const struct names render_format_names = {"format", names, RENDER_COUNT};

int
render(const struct doc *d, enum render_format format, const struct render_options *options,
	struct buf *out, struct err *err)
{
	static const struct render_options defaults = {0};
	if (d->failed)
		return err_nomem(err);
	if ((unsigned int)format >= RENDER_COUNT)
		return err_set(err, ERR_USAGE, "format %d is not one of the table", (int)format);
	int rc = table[format].render(d, options ? options : &defaults, out, err);
	return rc ? rc : buf_check(out, err);
}

int
render_format_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	for (int i = 0; dot && i < RENDER_COUNT; i++) {
		if (strcmp(dot, table[i].suffix) == 0)
			return i;
	}
	return -1;
}
