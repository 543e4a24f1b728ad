/*
 * model_doc.h - a fitted model as tables and a chart, for `fit`.
 */
#ifndef CLI_MODEL_DOC_H
#define CLI_MODEL_DOC_H

#include "model/disk.h"
#include "report/doc.h"

/* Where it comes from, curves, chart of latency against depth, block sizes, syncs, findings. */
void model_doc(struct doc *d, const struct disk_model *m);

#endif /* CLI_MODEL_DOC_H */
