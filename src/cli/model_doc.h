/*
 * model_doc.h - a fitted model as tables and a chart, for `fit`.
 */
#ifndef CLI_MODEL_DOC_H
#define CLI_MODEL_DOC_H

#include "model/disk.h"
#include "report/doc.h"

/* Where it comes from, curves, chart of latency against depth, block sizes, syncs, findings. */
void model_doc(struct doc *d, const struct disk_model *m);

/* Parts of it: several writers and the bytes of a flush; mixes; arrivals by a schedule. */
void model_doc_commits(struct doc *d, const struct disk_model *m);
void model_doc_mixes(struct doc *d, const struct disk_model *m);
void model_doc_loads(struct doc *d, const struct disk_model *m);

#endif /* CLI_MODEL_DOC_H */
