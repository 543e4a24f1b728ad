/*
 * engine.c - the table of engines.
 */
#include "bench/engine.h"

#include <string.h>

#include "base/buf.h"
#include "base/names.h"

extern const struct engine engine_libaio;
extern const struct engine engine_psync;
extern const struct engine engine_sim;
extern const struct engine engine_null;

const struct engine *const engines[] = {
	&engine_libaio, /* the default is first */
	&engine_psync,
	&engine_sim,
	&engine_null,
};

const size_t n_engines = sizeof(engines) / sizeof(engines[0]);

int
engine_find(const char *spec, const struct engine **engine, const char **args, struct err *err)
{
	size_t n = strcspn(spec, ":");
	for (size_t i = 0; i < n_engines; i++) {
		if (strlen(engines[i]->name) != n || strncmp(engines[i]->name, spec, n) != 0)
			continue;
		*engine = engines[i];
		*args = spec[n] ? spec + n + 1 : NULL;
		return 0;
	}
	struct buf list;
	buf_init(&list, 1024);
	for (size_t i = 0; i < n_engines; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", engines[i]->name);
	int rc = err_set(
		err, ERR_USAGE, "engine \"%.40s\": not known, accepted: %s", spec, buf_text(&list));
	buf_fini(&list);
	return rc;
}
