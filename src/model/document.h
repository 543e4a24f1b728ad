/*
 * document.h - the tables of the parts of "tierwise/model/1": to set a new part to "absent".
 *
 * Not part of the module's interface: disk.h is.
 */
#ifndef MODEL_DOCUMENT_H
#define MODEL_DOCUMENT_H

#include "base/schema.h"

extern const struct schema model_curve_schema, model_size_schema, model_sync_schema,
	model_commit_schema, model_flush_schema, model_mix_schema, model_load_schema;

#endif /* MODEL_DOCUMENT_H */
