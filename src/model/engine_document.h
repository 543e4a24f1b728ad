/*
 * engine_document.h - the document "tierwise/engine/1": an engine's parameters, each with its source.
 *
 * models/engines/NAME.json.  `commits` are the ways a commit becomes durable, the first one the
 * default; `parameters` are rows of a name the program knows, a value, its unit and where it comes
 * from.  What has no row is unknown.
 */
#ifndef MODEL_ENGINE_DOCUMENT_H
#define MODEL_ENGINE_DOCUMENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/schema.h"
#include "model/engine.h"

/* One way to commit. */
struct engine_way {
	const char *mode; /* word of the workload's transactions.commit */
	int kind; /* enum engine_commit */
	double flushes_per_group, loss_window_ms;
	int remote; /* flag */
	const char *text, *source, *as_of;
	int trust;
};

struct engine_row {
	const char *name;
	double value;
	const char *unit, *source, *as_of, *note;
	int trust;
};

struct engine_document {
	const char *engine, *title;
	struct engine_way *commits;
	size_t n_commits;
	struct engine_row *parameters;
	size_t n_parameters;
};

extern const struct names engine_commit_names; /* group periodic none single-writer */
extern const struct schema engine_document_schema;

/*
 * Load and check: every parameter has a known name, once, its unit and a value in range; every way
 * has a mode of its own.  sha256 may be NULL.  ERR_IO, ERR_NOMEM, ERR_PARSE, ERR_RANGE with the place.
 */
int engine_document_load(const char *path, struct arena *a, struct engine_document *d,
	char sha256[65], struct err *err);

/* The engine with one way of committing; mode NULL: the first.  ERR_RANGE names the modes there are. */
int engine_of(const struct engine_document *d, const char *mode, struct arena *a, struct engine *e,
	struct err *err);

/* The manual of the parameters: a line each. */
void engine_describe_parameters(struct buf *out);

#endif /* MODEL_ENGINE_DOCUMENT_H */
