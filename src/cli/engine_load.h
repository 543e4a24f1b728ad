/*
 * engine_load.h - the document of an engine: models/engines/NAME.json of the data folder, or a file.
 */
#ifndef CLI_ENGINE_LOAD_H
#define CLI_ENGINE_LOAD_H

#include "cli/command.h"
#include "model/engine_document.h"
#include "workload/workload.h"

/*
 * `path` when given, else the document of the workload's engine ("generic" when it names none).  *used
 * (may be NULL) is the path read; sha256 may be NULL.  Errors as engine_document_load().
 */
int engine_load(struct cli_common *c, const struct workload *w, const char *path,
	struct engine_document *d, const char **used, char sha256[65], struct err *err);

#endif /* CLI_ENGINE_LOAD_H */
