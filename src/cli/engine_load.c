#include "cli/engine_load.h"

int
engine_load(struct cli_common *c, const struct workload *w, const char *path,
	struct engine_document *d, const char **used, char sha256[65], struct err *err)
{
	int engine = w->engine >= 0 ? w->engine : WORKLOAD_GENERIC;
	if (!path) {
		const char *name = arena_printf(&c->arena, "models/engines/%s.json",
			names_text(&workload_engine_names, engine));
		path = name ? cli_data_path(c, name, err) : NULL;
		if (!path)
			return name ? (int)err->code : err_nomem(err);
	}
	if (used)
		*used = path;
	return engine_document_load(path, &c->arena, d, sha256, err);
}
