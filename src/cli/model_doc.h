/*
 * model_doc.h - a fitted model for people, for `fit`: page one, a chart with its table for each curve,
 * block sizes, commits, the numbers, findings with next steps.
 */
#ifndef CLI_MODEL_DOC_H
#define CLI_MODEL_DOC_H

#include "model/disk.h"
#include "report/doc.h"

struct model_doc_options {
	const struct profile
		*profile; /* it was fitted from: every run is drawn; NULL: the model's points */
	double sla_p99_ms; /* a promise about p99 of one I/O to draw and to judge by; NaN: none */
	bool several; /* the document holds more models than this */
};

void model_doc(struct doc *d, const struct disk_model *m, const struct model_doc_options *o);

/* Parts of it: several writers and the bytes of a flush; mixes; arrivals by a schedule. */
void model_doc_commits(struct doc *d, const struct disk_model *m);
void model_doc_mixes(struct doc *d, const struct disk_model *m);
void model_doc_loads(struct doc *d, const struct disk_model *m);

#endif /* CLI_MODEL_DOC_H */
